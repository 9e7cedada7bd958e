/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions of FreeBSD's kernel that always answer the same here, or are never called; none of its headers, so that their
 * arguments need not be told.
 */
#define ANSWERS(name, value)	long name(void); long name(void) { return (value); }
#define IS_ABSENT(name)		long name(void); long name(void) { panic("%s is called", #name); return (0); }
void panic(const char *format, ...);

/* Nothing is forbidden, and a host is no jail within a jail. */
ANSWERS(cr_cansee, 0)
ANSWERS(cr_canseeinpcb, 0)
ANSWERS(jailed_without_vnet, 0)
ANSWERS(prison_check_af, 0)
ANSWERS(prison_check_ip4, 0)
ANSWERS(prison_equal_ip4, 1)
ANSWERS(prison_find_child, 0)
ANSWERS(prison_flag, 0)
ANSWERS(prison_free, 0)
ANSWERS(prison_get_ip4, 0)
ANSWERS(prison_hold_locked, 0)
ANSWERS(prison_if, 0)
ANSWERS(prison_local_ip4, 0)
ANSWERS(prison_owns_vnet, 1)
ANSWERS(prison_remote_ip4, 0)
ANSWERS(prison_saddrsel_ip4, 1)
ANSWERS(priv_check, 0)
ANSWERS(priv_check_cred, 0)
ANSWERS(securelevel_gt, 0)

/* Nobody waits, and nobody listens. */
ANSWERS(devctl_notify, 0)
ANSWERS(funsetown, 0)
ANSWERS(knlist_destroy, 0)
ANSWERS(knlist_empty, 1)
ANSWERS(knlist_init, 0)
ANSWERS(knote, 0)
ANSWERS(pgsigio, 0)
ANSWERS(seldrain, 0)
ANSWERS(selrecord, 0)
ANSWERS(selwakeuppri, 0)
ANSWERS(wakeup, 0)
ANSWERS(wakeup_any, 0)
ANSWERS(wakeup_one, 0)

/* One processor and one thread, and no devices. */
ANSWERS(cpu_pcpu_init, 0)
ANSWERS(cpuset_setthread, 0)
ANSWERS(intr_event_bind_ithread_cpuset, 0)
ANSWERS(kern_yield, 0)
ANSWERS(make_dev_args_init_impl, 0)
ANSWERS(make_dev_s, 0)
ANSWERS(sched_add, 0)
ANSWERS(sched_prio, 0)
ANSWERS(sleepq_chains_remove_matching, 0)
ANSWERS(uuid_ether_add, 0)
ANSWERS(uuid_ether_del, 0)
ANSWERS(vslock, 0)
ANSWERS(vsunlock, 0)

/* The clock is right. */
ANSWERS(ntp_update_second, 0)
ANSWERS(timekeep_push_vdso, 0)

/* Never called: modules are not unloaded, pages not mapped, processes not served. */
IS_ABSENT(PHYS_TO_VM_PAGE)
IS_ABSENT(_mtx_destroy)
IS_ABSENT(_rw_destroy)
IS_ABSENT(bus_get_domain)
IS_ABSENT(copyout_nofault)
IS_ABSENT(cpuset_domain)
IS_ABSENT(cru2x)
IS_ABSENT(fail_point_eval_nontrivial)
IS_ABSENT(fail_point_sysctl)
IS_ABSENT(fail_point_sysctl_status)
IS_ABSENT(kmem_bootstrap_free)
IS_ABSENT(knlist_add)
IS_ABSENT(knlist_remove)
IS_ABSENT(kthread_exit)
IS_ABSENT(rm_destroy)
IS_ABSENT(soaio_rcv)
IS_ABSENT(soaio_snd)
IS_ABSENT(sowakeup_aio)
IS_ABSENT(sse42_crc32c)
IS_ABSENT(sx_destroy)
IS_ABSENT(uiomove)
IS_ABSENT(uiomove_fromphys)
IS_ABSENT(vm_page_alloc)
IS_ABSENT(vm_page_free)
IS_ABSENT(vm_page_unwire_noq)
IS_ABSENT(vm_wait)
