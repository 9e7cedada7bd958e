/* SPDX-License-Identifier: BSD-2-Clause */
/* As in sys/mutex.h beside this file. */
#include_next <sys/rmlock.h>
#ifdef _KERNEL
#undef rm_wlock
#undef rm_wunlock
#undef rm_rlock
#undef rm_try_rlock
#undef rm_runlock

#include <sys/mutex.h>

#define rm_init(rm, name)		init_lock(&(rm)->lock_object, name)
#define rm_init_flags(rm, name, options)	init_lock(&(rm)->lock_object, name)
#define rm_destroy(rm)			destroy_lock(&(rm)->lock_object)
#define rm_wowned(rm)			((rm) != NULL)
#define rm_wlock(rm)			((void)(rm))
#define rm_wunlock(rm)			((void)(rm))
#define rm_rlock(rm, tracker)		((void)(rm), (void)(tracker))
#define rm_try_rlock(rm, tracker)	((void)(tracker), (rm) != NULL)
#define rm_runlock(rm, tracker)		((void)(rm), (void)(tracker))
#endif
