# Corruption, duplication, reordering and jitter
# valid: 1 trial, 1 point with 1 seed

# trial 0: seed 1
# An approximation: the lab's links are exact; tbf sends a packet at once if the link is idle, and netem rounds delays to 64 ns and stops at 274 s.
# Profiles of hosts: sender plain, receiver plain
sysctl -w net.ipv4.tcp_mem="16777216 16777216 16777216"
sysctl -w net.core.netdev_max_backlog=10000000
ip netns add sender
ip netns add receiver
ip netns add wire
ip -n wire link add name nic address 02:00:0a:00:00:01 mtu 1500 netns sender type veth peer name sender mtu 1500
ip -n wire link add name nic address 02:00:0a:00:00:02 mtu 1500 netns receiver type veth peer name receiver mtu 1500
ip -n wire link add name delay_0 mtu 1500 type veth peer name delay_0o mtu 1500
ip -n wire link add name corrupt_0 mtu 1500 type veth peer name corrupt_0o mtu 1500
ip -n wire link add name twice_0 mtu 1500 type veth peer name twice_0o mtu 1500
ip -n wire link add name reorder_0 mtu 1500 type veth peer name reorder_0o mtu 1500
ip -n wire link set dev sender up
ip -n wire link set dev receiver up
ip -n wire link set dev delay_0 up
ip -n wire link set dev delay_0o up
ip -n wire link set dev corrupt_0 up
ip -n wire link set dev corrupt_0o up
ip -n wire link set dev twice_0 up
ip -n wire link set dev twice_0o up
ip -n wire link set dev reorder_0 up
ip -n wire link set dev reorder_0o up
ip netns exec wire ethtool -K sender tso off gso off gro off
ip netns exec wire ethtool -K receiver tso off gso off gro off
ip netns exec wire ethtool -K delay_0 tso off gso off gro off
ip netns exec wire ethtool -K delay_0o tso off gso off gro off
ip netns exec wire ethtool -K corrupt_0 tso off gso off gro off
ip netns exec wire ethtool -K corrupt_0o tso off gso off gro off
ip netns exec wire ethtool -K twice_0 tso off gso off gro off
ip netns exec wire ethtool -K twice_0o tso off gso off gro off
ip netns exec wire ethtool -K reorder_0 tso off gso off gro off
ip netns exec wire ethtool -K reorder_0o tso off gso off gro off
tc -n wire qdisc add dev sender clsact
tc -n wire filter add dev sender ingress matchall action mirred egress redirect dev delay_0
tc -n wire qdisc add dev delay_0 root handle 1: netem delay 10000us 1000us distribution normal rate 10tbit limit 10000000
tc -n wire qdisc add dev delay_0o clsact
tc -n wire filter add dev delay_0o ingress matchall action mirred egress redirect dev corrupt_0
tc -n wire qdisc add dev corrupt_0 root handle 1: netem corrupt 0.1% limit 10000000
tc -n wire qdisc add dev corrupt_0o clsact
tc -n wire filter add dev corrupt_0o ingress matchall action mirred egress redirect dev twice_0
tc -n wire qdisc add dev twice_0 root handle 1: netem duplicate 1% limit 10000000
tc -n wire qdisc add dev twice_0o clsact
tc -n wire filter add dev twice_0o ingress matchall action mirred egress redirect dev reorder_0
tc -n wire qdisc add dev reorder_0 root handle 1: netem delay 738.24us reorder 99% gap 1 limit 10000000
tc -n wire qdisc add dev reorder_0o clsact
tc -n wire filter add dev reorder_0o ingress matchall action mirred egress redirect dev receiver
tc -n wire qdisc add dev receiver root handle 1: tbf rate 50000000bit burst 1578b limit 125000b overhead 24
tc -n wire qdisc add dev receiver parent 1:1 handle 10: bfifo limit 125000b
tc -n wire qdisc add dev receiver clsact
tc -n wire filter add dev receiver ingress matchall action mirred egress redirect dev sender
tc -n wire qdisc add dev sender root handle 1: netem delay 10000us limit 10000000
tc -n wire qdisc add dev sender parent 1:1 handle 2: tbf rate 50000000bit burst 1578b limit 125000b overhead 24
tc -n wire qdisc add dev sender parent 2:1 handle 10: bfifo limit 125000b
ip netns exec sender sysctl -w net.ipv4.tcp_no_metrics_save=1
ip netns exec sender sysctl -w net.ipv4.tcp_rmem="4096 131072 33554432"
ip netns exec sender sysctl -w net.ipv4.tcp_wmem="4096 16384 4194304"
ip -n sender link set dev lo up
ip -n sender link set dev nic up
ip -n sender address add 10.0.0.1/24 dev nic
ip -n sender neighbour add 10.0.0.2 lladdr 02:00:0a:00:00:02 dev nic nud permanent
ip netns exec sender ethtool -K nic tso off gso off gro off
tc -n sender qdisc add dev nic root handle 1: tbf rate 10000000000bit burst 25000b limit 4294967295b overhead 24
ip netns exec receiver sysctl -w net.ipv4.tcp_no_metrics_save=1
ip netns exec receiver sysctl -w net.ipv4.tcp_rmem="4096 131072 33554432"
ip netns exec receiver sysctl -w net.ipv4.tcp_wmem="4096 16384 4194304"
ip -n receiver link set dev lo up
ip -n receiver link set dev nic up
ip -n receiver address add 10.0.0.2/24 dev nic
ip -n receiver neighbour add 10.0.0.1 lladdr 02:00:0a:00:00:01 dev nic nud permanent
ip netns exec receiver ethtool -K nic tso off gso off gro off
tc -n receiver qdisc add dev nic root handle 1: tbf rate 10000000000bit burst 25000b limit 4294967295b overhead 24
ip netns exec receiver iperf3 --server --daemon --one-off --port 5201
ip netns exec sender iperf3 --client 10.0.0.2 --port 5201 --time 10 --congestion cubic
