/* SPDX-License-Identifier: BSD-2-Clause */
/* As in sys/mutex.h beside this file. */
#include_next <sys/rwlock.h>
#ifdef _KERNEL
#undef rw_init
#undef rw_init_flags
#undef rw_destroy
#undef rw_wowned
#undef rw_wlock
#undef rw_wunlock
#undef rw_rlock
#undef rw_runlock
#undef rw_try_rlock
#undef rw_try_upgrade
#undef rw_try_wlock
#undef rw_downgrade
#undef rw_unlock

#include <sys/mutex.h>

#define rw_init(rw, name)		init_lock(&(rw)->lock_object, name)
#define rw_init_flags(rw, name, options)	init_lock(&(rw)->lock_object, name)
#define rw_destroy(rw)			destroy_lock(&(rw)->lock_object)
#define rw_wowned(rw)			((rw) != NULL)
#define rw_wlock(rw)			((void)(rw))
#define rw_wunlock(rw)			((void)(rw))
#define rw_rlock(rw)			((void)(rw))
#define rw_runlock(rw)			((void)(rw))
#define rw_try_rlock(rw)		((rw) != NULL)
#define rw_try_upgrade(rw)		((rw) != NULL)
#define rw_try_wlock(rw)		((rw) != NULL)
#define rw_downgrade(rw)		((void)(rw))
#define rw_unlock(rw)			((void)(rw))
#endif
