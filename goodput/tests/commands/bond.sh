# Two links of unequal delay as one bond
# valid: 3 trials, 3 points with 1 seed each
# links.bond = balance-rr, active-backup, balance-xor

# trial 0: links.bond = balance-rr, seed 1
# An approximation: the lab's links are exact; tbf sends a packet at once if the link is idle, and netem rounds delays to 64 ns and stops at 274 s.
# Profiles of hosts: a plain, b plain
sysctl -w net.ipv4.tcp_mem="16777216 16777216 16777216"
sysctl -w net.core.netdev_max_backlog=10000000
ip netns add a
ip netns add b
ip netns add wire
ip -n wire link add name nic-0 address 02:00:0a:00:00:01 mtu 1500 netns a type veth peer name a-0 mtu 1500
ip -n wire link add name nic-0 address 02:00:0a:00:00:02 mtu 1500 netns b type veth peer name b-0 mtu 1500
ip -n wire link add name nic-1 address 02:00:0a:00:00:01 mtu 1500 netns a type veth peer name a-1 mtu 1500
ip -n wire link add name nic-1 address 02:00:0a:00:00:02 mtu 1500 netns b type veth peer name b-1 mtu 1500
ip -n wire link set dev a-0 up
ip -n wire link set dev b-0 up
ip -n wire link set dev a-1 up
ip -n wire link set dev b-1 up
ip netns exec wire ethtool -K a-0 tso off gso off gro off
ip netns exec wire ethtool -K b-0 tso off gso off gro off
ip netns exec wire ethtool -K a-1 tso off gso off gro off
ip netns exec wire ethtool -K b-1 tso off gso off gro off
tc -n wire qdisc add dev a-0 clsact
tc -n wire filter add dev a-0 ingress matchall action mirred egress redirect dev b-0
tc -n wire qdisc add dev b-0 root handle 1: netem delay 1000us limit 10000000
tc -n wire qdisc add dev b-0 parent 1:1 handle 2: tbf rate 100000000bit burst 1578b limit 302800b overhead 24
tc -n wire qdisc add dev b-0 parent 2:1 handle 10: pfifo limit 200
tc -n wire qdisc add dev b-0 clsact
tc -n wire filter add dev b-0 ingress matchall action mirred egress redirect dev a-0
tc -n wire qdisc add dev a-0 root handle 1: netem delay 1000us limit 10000000
tc -n wire qdisc add dev a-0 parent 1:1 handle 2: tbf rate 100000000bit burst 1578b limit 302800b overhead 24
tc -n wire qdisc add dev a-0 parent 2:1 handle 10: pfifo limit 200
tc -n wire qdisc add dev a-1 clsact
tc -n wire filter add dev a-1 ingress matchall action mirred egress redirect dev b-1
tc -n wire qdisc add dev b-1 root handle 1: netem delay 3000us limit 10000000
tc -n wire qdisc add dev b-1 parent 1:1 handle 2: tbf rate 100000000bit burst 1578b limit 302800b overhead 24
tc -n wire qdisc add dev b-1 parent 2:1 handle 10: pfifo limit 200
tc -n wire qdisc add dev b-1 clsact
tc -n wire filter add dev b-1 ingress matchall action mirred egress redirect dev a-1
tc -n wire qdisc add dev a-1 root handle 1: netem delay 3000us limit 10000000
tc -n wire qdisc add dev a-1 parent 1:1 handle 2: tbf rate 100000000bit burst 1578b limit 302800b overhead 24
tc -n wire qdisc add dev a-1 parent 2:1 handle 10: pfifo limit 200
ip netns exec a sysctl -w net.ipv4.tcp_no_metrics_save=1
ip netns exec a sysctl -w net.ipv4.tcp_rmem="4096 131072 33554432"
ip netns exec a sysctl -w net.ipv4.tcp_wmem="4096 16384 4194304"
ip -n a link set dev lo up
ip -n a link add name nic mtu 1500 type bond mode balance-rr
ip -n a link set dev nic-0 master nic
ip -n a link set dev nic-1 master nic
ip -n a link set dev nic address 02:00:0a:00:00:01
ip -n a link set dev nic up
ip -n a address add 10.0.0.1/24 dev nic
ip -n a neighbour add 10.0.0.2 lladdr 02:00:0a:00:00:02 dev nic nud permanent
ip netns exec a ethtool -K nic-0 tso off gso off gro off
ip netns exec a ethtool -K nic-1 tso off gso off gro off
ip netns exec a ethtool -K nic tso off gso off gro off
tc -n a qdisc add dev nic-0 root handle 1: tbf rate 10000000000bit burst 25000b limit 4294967295b overhead 24
tc -n a qdisc add dev nic-1 root handle 1: tbf rate 10000000000bit burst 25000b limit 4294967295b overhead 24
ip netns exec b sysctl -w net.ipv4.tcp_no_metrics_save=1
ip netns exec b sysctl -w net.ipv4.tcp_rmem="4096 131072 33554432"
ip netns exec b sysctl -w net.ipv4.tcp_wmem="4096 16384 4194304"
ip -n b link set dev lo up
ip -n b link add name nic mtu 1500 type bond mode balance-rr
ip -n b link set dev nic-0 master nic
ip -n b link set dev nic-1 master nic
ip -n b link set dev nic address 02:00:0a:00:00:02
ip -n b link set dev nic up
ip -n b address add 10.0.0.2/24 dev nic
ip -n b neighbour add 10.0.0.1 lladdr 02:00:0a:00:00:01 dev nic nud permanent
ip netns exec b ethtool -K nic-0 tso off gso off gro off
ip netns exec b ethtool -K nic-1 tso off gso off gro off
ip netns exec b ethtool -K nic tso off gso off gro off
tc -n b qdisc add dev nic-0 root handle 1: tbf rate 10000000000bit burst 25000b limit 4294967295b overhead 24
tc -n b qdisc add dev nic-1 root handle 1: tbf rate 10000000000bit burst 25000b limit 4294967295b overhead 24
ip netns exec b iperf3 --server --daemon --one-off --port 5201
ip netns exec a iperf3 --client 10.0.0.2 --port 5201 --time 3 --congestion cubic &
ip netns exec b iperf3 --server --daemon --one-off --port 5202
ip netns exec a iperf3 --client 10.0.0.2 --port 5202 --time 3 --congestion cubic &
ip netns exec b iperf3 --server --daemon --one-off --port 5203
ip netns exec a iperf3 --client 10.0.0.2 --port 5203 --time 3 --congestion cubic &
ip netns exec b iperf3 --server --daemon --one-off --port 5204
ip netns exec a iperf3 --client 10.0.0.2 --port 5204 --time 3 --congestion cubic &
