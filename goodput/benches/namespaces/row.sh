# Three network namespaces in a row, the middle one forwarding. $1 is the benchmark's own program, $2 how many seconds its
# flow lasts. Runs in namespaces of its own (unshare), so that all of it goes with it.
set -eu
PATH=$PATH:/usr/sbin:/sbin
inside() { space=$1; shift; nsenter --net="/var/run/netns/$space" "$@"; }
# Without ethtool, a limit of one segment has nearly the effect.
plain() {
	if command -v ethtool >/dev/null; then
		inside "$1" ethtool -K "$2" tso off gso off gro off
	else
		inside "$1" ip link set "$2" gso_max_segs 1
	fi
	inside "$1" ip link set "$2" up
}

mount -t tmpfs none /var/run
for name in source middle sink; do ip netns add "$name"; done
ip link add near netns source type veth peer name left netns middle
ip link add far netns sink type veth peer name right netns middle
plain source near; plain middle left; plain middle right; plain sink far
inside source ip address add 10.0.1.1/24 dev near
inside middle ip address add 10.0.1.2/24 dev left
inside middle ip address add 10.0.2.2/24 dev right
inside sink ip address add 10.0.2.1/24 dev far
inside middle sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward'
# One flow from the first to the last.
flow() {
	inside sink "$1" native-sink &
	inside source "$1" native-source "$2"
	wait $!
}
