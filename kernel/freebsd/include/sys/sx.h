/* SPDX-License-Identifier: BSD-2-Clause */
/* As in sys/mutex.h beside this file. */
#include_next <sys/sx.h>
#ifdef _KERNEL
#undef sx_init
#undef sx_xlock_
#undef sx_xlock_sig_
#undef sx_xunlock_
#undef sx_slock_
#undef sx_slock_sig_
#undef sx_sunlock_
#undef sx_try_slock
#undef sx_try_xlock
#undef sx_try_upgrade
#undef sx_downgrade
#undef sx_xlocked
#undef sx_unlock_

#include <sys/mutex.h>

#define sx_init(sx, name)		init_lock(&(sx)->lock_object, name)
#define sx_init_flags(sx, name, options)	init_lock(&(sx)->lock_object, name)
#define sx_destroy(sx)			destroy_lock(&(sx)->lock_object)
#define sx_xlock_(sx, file, line)	((void)(sx))
#define sx_xlock_sig_(sx, file, line)	((sx) == NULL)
#define sx_xunlock_(sx, file, line)	((void)(sx))
#define sx_slock_(sx, file, line)	((void)(sx))
#define sx_slock_sig_(sx, file, line)	((sx) == NULL)
#define sx_sunlock_(sx, file, line)	((void)(sx))
#define sx_try_slock(sx)		((sx) != NULL)
#define sx_try_xlock(sx)		((sx) != NULL)
#define sx_try_upgrade(sx)		((sx) != NULL)
#define sx_downgrade(sx)		((void)(sx))
#define sx_xlocked(sx)			((sx) != NULL)
#define sx_unlock_(sx, file, line)	((void)(sx))
#endif
