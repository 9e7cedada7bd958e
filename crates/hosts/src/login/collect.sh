# What `goodput diagnose` reads of a host, for Linux and FreeBSD. It changes nothing and needs no root; as root it sees a
# little more. It prints no keys: those of IPsec are left out.
#   sh collect.sh >host.txt         then: goodput diagnose --sender host.txt transfer.json
#   peer=192.0.2.1 sh collect.sh    also shows the route to that address

LC_ALL=C
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
export LC_ALL PATH

# The command and what it prints, as in a terminal; nothing of a command that prints nothing.
show() {
	what=$1
	shift
	printed=$("$@" 2>/dev/null | head -c "${most:-262144}")
	[ -z "$printed" ] || printf '$ %s\n%s\n' "$what" "$printed"
}

missing() {
	command -v "$1" >/dev/null 2>&1 && return 1
	printf '# goodput: %s is not installed: %s\n' "$1" "$2"
}

run() { show "$*" "$@"; }

settings() {
	sysctl net.core net.ipv4 net.ipv6.conf.all.forwarding net.netfilter.nf_conntrack_max 2>/dev/null |
		grep -Ev '^net\.ipv4\.(conf|neigh|route)\.|_key|_secret|bpf_jit|flow_limit|rps_|_msg_|hide_if|sched'
}

settings_by_file() {
	for file in /proc/sys/net/core/* /proc/sys/net/ipv4/*; do
		[ -f "$file" ] && value=$(cat "$file" 2>/dev/null) &&
			printf '%s = %s\n' "$(echo "${file#/proc/sys/}" | tr / .)" "$value"
	done | grep -Ev '_key|_secret'
}

# Counters of drops, errors and pauses that are not 0.
nic_counters() {
	ethtool -S "$1" | grep -E '^NIC|err|drop|discard|miss|pause|fifo|timeout|crc' | grep -v ': 0$'
}

# Without any, its head stands alone.
counters() {
	[ "$(nstat -as | wc -l)" -gt 1 ] && nstat -as
}

linux_sockets() {
	# Two screens, without the connection of this ssh.
	own=
	if [ -n "$SSH_CONNECTION" ]; then
		set -- $SSH_CONNECTION
		own="and not ( dport = :$2 and sport = :$4 )"
	fi
	[ -n "$(ss -tn state established $own | tail -n +2 | head -n 1)" ] || return
	ss -tinom state established $own
	sleep 2
	ss -tinom state established $own
}

linux() {
	run uname -a
	if missing sysctl 'settings are read from /proc/sys'; then
		settings_by_file
	else
		show 'sysctl net.core net.ipv4' settings
	fi
	if ! missing ip 'no interfaces, routes and tunnels'; then
		run ip -d -s addr
		run ip route
		run ip -6 route
		[ -z "$peer" ] || run ip route get "$peer"
		run ip tcp_metrics
		show 'ip xfrm state' ip xfrm state list nokeys
	fi
	missing tc 'no queueing disciplines' || run tc -s qdisc
	if ! missing ethtool 'no offloads, drivers and rates'; then
		for name in $(ls /sys/class/net); do
			[ "$name" != lo ] && [ "$(cat "/sys/class/net/$name/operstate" 2>/dev/null)" != down ] || continue
			run ethtool "$name"
			run ethtool -k "$name"
			run ethtool -i "$name"
			show "ethtool -S $name" nic_counters "$name"
		done
	fi
	for bond in /proc/net/bonding/*; do
		[ ! -f "$bond" ] || run cat "$bond"
	done
	if missing nstat 'counters are read from /proc'; then
		run cat /proc/net/snmp
		run cat /proc/net/netstat
	else
		show 'nstat -as' counters
	fi
	show 'dmesg' sh -c 'dmesg | grep "nf_conntrack.*dropping" | tail -n 3'
	[ -n "$facts" ] || missing ss 'no live connections' ||
		most=1048576 show 'while sleep 2; do ss -tinom state established; done' linux_sockets
}

# Keys have no place in a mail.
security_associations() { setkey -D | sed -E 's/^([[:space:]]*[EA]: [^ ]+).*/\1/'; }

freebsd_settings() {
	sysctl kern.ipc.maxsockbuf net.inet.tcp net.inet.ip.forwarding net.inet6.ip6.forwarding 2>/dev/null | grep -Ev 'key:|secret'
}

freebsd() {
	run uname -a
	show 'sysctl kern.ipc.maxsockbuf net.inet.tcp' freebsd_settings
	run sysctl net.inet.tcp.hostcache.list
	run ifconfig -a
	run netstat -rnW
	run netstat -i
	run netstat -s
	show 'setkey -D' security_associations
}

case $(uname -s) in
Linux) linux ;;
FreeBSD) freebsd ;;
*) printf '# goodput: %s is neither Linux nor FreeBSD: only its name is shown\n' "$(uname -s)" && run uname -a ;;
esac
