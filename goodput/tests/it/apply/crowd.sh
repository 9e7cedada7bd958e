# A host of many kinds of devices, addresses, rules and routes, as a router has them; and functions for tests.
set -u
test "$(readlink /proc/self/ns/net)" != "$OUTER_NET" || exit 98
mount --make-rprivate / && mount -t tmpfs -o mode=755 none /run && mkdir -m 700 /run/state || exit 98
ip link set lo up
ip link add eth0 type veth peer name peer && ip link set peer up && ip link set eth0 up || exit 98
ip addr add 192.0.2.2/24 dev eth0
ip -6 addr add 2001:db8::2/64 dev eth0 nodad
ip -6 addr add 2001:db8::3/64 dev eth0 nodad preferred_lft 1000 valid_lft 2000
ip neigh add 192.0.2.1 lladdr 02:00:00:00:00:01 dev eth0 nud permanent
# A macvlan on top, and a VLAN where the kernel has them; a bridge with a port, and a macvlan on top of that.
ip link add link eth0 name mac0 type macvlan mode bridge && ip link set mac0 up || exit 98
ip addr add 198.51.100.2/24 dev mac0 && ip -6 addr add 2001:db8:1::2/64 dev mac0 nodad
ip link add link eth0 name eth0.5 type vlan id 5 2> /dev/null && ip link set eth0.5 up
ip link add br0 type bridge && ip link add port0 type veth peer name port1 && ip link set port0 master br0 || exit 98
ip link set port0 up && ip link set port1 up && ip link set br0 up && ip addr add 203.0.113.1/24 dev br0
ip link add link br0 name mac1 type macvlan && ip link set mac1 up
while ip link | grep -q NO-CARRIER || ip addr | grep -q tentative; do sleep 0.05; done
ip route add default via 192.0.2.1 dev eth0 src 192.0.2.2 metric 100 mtu 1450 advmss 1400
ip route add default via 198.51.100.1 dev mac0 metric 600
ip route add 10.8.0.0/16 via inet6 fe80::1 dev eth0
ip route add 10.7.0.0/16 nexthop via 192.0.2.9 nexthop via 192.0.2.8
ip route add blackhole 10.6.0.0/16
ip route add 10.5.7.0/24 via 198.51.100.7 dev mac0
ip -6 route add default via fe80::1 dev eth0 metric 1024 mtu 1280
ip -6 route add 2001:db8:7::/48 via fe80::1 dev eth0 expires 1000
ip route add default via 192.0.2.3 table 7
ip rule add from 10.9.0.0/16 table 7 && ip rule add to 100.64.0.0/10 table 7 && ip -6 rule add from fc00::/7 table 7
tc qdisc add dev mac0 root handle 5: tbf rate 50mbit burst 16kb latency 50ms
tc qdisc add dev eth0 clsact && tc filter add dev eth0 ingress prio 7 u32 match u32 0 0 classid 1:1
nft 'add table inet own; add chain inet own forward { type filter hook forward priority 0; }; add rule inet own forward counter accept'
echo 1470 > /proc/sys/net/ipv6/conf/mac0/mtu
echo 2 > /proc/sys/net/ipv6/conf/eth0/accept_ra

# All of it, without lifetimes, counters and states of lines.
state() {
    ip -d link | sed 's/ state [A-Z]*//; s/,LOWER_UP//; s/ [a-z_]*_timer *[0-9.]*//g; s/ promiscuity [0-9]*//'
    ip addr | sed 's/valid_lft.*//; s/ state [A-Z]*//; s/ tentative//'
    for family in 4 6; do
        ip -$family rule
        ip -$family route show table all | sed 's/ expires [^ ]*//'
    done
    ip neigh show nud permanent
    tc qdisc | sed 's/ refcnt [0-9]*//'
    tc filter show dev eth0 ingress
    nft -s list ruleset
    for device in eth0 mac0 br0 mac1 port0; do ethtool -k $device; ethtool -c $device; ethtool -g $device; done
    grep . /proc/sys/net/ipv[46]/conf/*/* /proc/sys/net/ipv4/tcp_*
} 2> /dev/null
apply() { "$GOODPUT" apply --state /run/state --within 5s "$@"; echo "code $?"; }
undo() { "$GOODPUT" undo --state /run/state "$@"; echo "code $?"; }
# Text before and after, where they differ.
same() { [ "$1" = "$2" ] || { printf '%s\n' "$1" > /run/one; printf '%s\n' "$2" > /run/two; diff /run/one /run/two; }; }
