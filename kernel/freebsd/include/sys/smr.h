/* SPDX-License-Identifier: BSD-2-Clause */
/* smr(9) where nothing else reads. */
#include_next <sys/smr.h>
#define smr_enter(smr)		((void)(smr))
#define smr_exit(smr)		((void)(smr))
#define smr_lazy_enter(smr)	((void)(smr))
#define smr_lazy_exit(smr)	((void)(smr))
#define smr_synchronize(smr)	((void)(smr))
