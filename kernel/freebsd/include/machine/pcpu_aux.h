/* SPDX-License-Identifier: BSD-2-Clause */
/* After struct pcpu: the thread that runs. */
#define curthread	(processor.pc_curthread)
#define curpcb		(&curthread->td_md.md_pcb)
