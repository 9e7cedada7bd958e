/* SPDX-License-Identifier: BSD-2-Clause */
/* Nothing else runs: a lock is always free, and who asks has it. */
#include_next <sys/mutex.h>
#ifdef _KERNEL
#undef mtx_init
#undef mtx_destroy
#undef mtx_owned
#undef mtx_trylock_flags_
#undef mtx_lock_flags_
#undef mtx_unlock_flags_
#undef mtx_lock_spin_flags_
#undef mtx_trylock_spin_flags_
#undef mtx_unlock_spin_flags_
#undef thread_lock
#undef thread_lock_flags
#undef thread_unlock
#undef DROP_GIANT
#undef PICKUP_GIANT

void init_lock(struct lock_object *lock, const char *name);
void destroy_lock(struct lock_object *lock);

#define mtx_init(m, name, type, options)	init_lock(&(m)->lock_object, name)
#define mtx_destroy(m)				destroy_lock(&(m)->lock_object)
#define mtx_owned(m)				((m) != NULL)
#define mtx_trylock_flags_(m, options, file, line)	((m) != NULL)
#define mtx_lock_flags_(m, options, file, line)		((void)(m))
#define mtx_unlock_flags_(m, options, file, line)	((void)(m))
#define mtx_lock_spin_flags_(m, options, file, line)	((void)(m))
#define mtx_trylock_spin_flags_(m, options, file, line)	((m) != NULL)
#define mtx_unlock_spin_flags_(m, options, file, line)	((void)(m))
#define thread_lock(thread)			((void)(thread))
#define thread_lock_flags(thread, options)	((void)(thread))
#define thread_unlock(thread)			((void)(thread))
#define DROP_GIANT()				do { } while (0)
#define PICKUP_GIANT()				do { } while (0)
#endif
