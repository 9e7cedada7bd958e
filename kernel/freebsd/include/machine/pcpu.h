/* SPDX-License-Identifier: BSD-2-Clause */
/* One processor, whose data are an object like any other. */
#include_next <machine/pcpu.h>
#ifdef _KERNEL
#undef get_pcpu
#undef PCPU_GET
#undef PCPU_ADD
#undef PCPU_INC
#undef PCPU_PTR
#undef PCPU_SET
#undef zpcpu_offset_cpu
#undef zpcpu_base_to_offset
#undef zpcpu_offset_to_base
#undef zpcpu_add
#undef zpcpu_add_protected
#undef zpcpu_sub
#undef zpcpu_sub_protected
#undef zpcpu_set_protected

extern struct pcpu processor;

#define get_pcpu()		(&processor)
#define PCPU_GET(member)	(processor.pc_ ## member)
#define PCPU_ADD(member, value)	(processor.pc_ ## member += (value))
#define PCPU_INC(member)	PCPU_ADD(member, 1)
#define PCPU_PTR(member)	(&processor.pc_ ## member)
#define PCPU_SET(member, value)	(processor.pc_ ## member = (value))
#endif
