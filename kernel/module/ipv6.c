// SPDX-License-Identifier: GPL-2.0
/*
 * IPv6 only for an experiment that has it, and there on no device until it is
 * turned on: it would send packets of its own. Otherwise the kernel is as it
 * would be without: IPv6 draws random numbers for each namespace and device,
 * and so would change those of everything else. What the command line tells
 * goes into them too, so ipv6= is taken off it as seed= is.
 */
#include <linux/ipv6.h>
#include <linux/moduleparam.h>
#include <init.h>

static bool wanted;

static int __init ipv6_option(char *str, int *add)
{
	*add = 0;
	wanted = true;
	return 0;
}

__uml_setup("ipv6=", ipv6_option,
"ipv6=on\n"
"    IPv6 is there, and off on every device.\n\n");

static int __init choose_ipv6(void)
{
	char disable[] = "ipv6.disable=1";

	ipv6_defaults.disable_ipv6 = 1;
	if (!wanted)
		parse_args("goodput", disable, __start___param, __stop___param - __start___param, -1, -1, NULL, NULL);
	return 0;
}
core_initcall(choose_ipv6);
