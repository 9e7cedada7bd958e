# What each tunnel leaves of 1500 bytes
# valid: 3 trials, 3 points with 1 seed each
# tunnels.kind = gre, vxlan, wireguard

# trial 0: tunnels.kind = gre, seed 1
# An approximation: the lab's links are exact; tbf sends a packet at once if the link is idle, and netem rounds delays to 64 ns and stops at 274 s.
# Profiles of hosts: a plain, b plain
sysctl -w net.ipv4.tcp_mem="16777216 16777216 16777216"
sysctl -w net.core.netdev_max_backlog=10000000
ip netns add a
ip netns add b
ip netns add r1
ip netns add r2
ip netns add wire
ip -n wire link add name nic address 02:00:0a:00:00:01 mtu 1500 netns a type veth peer name a mtu 1500
ip -n wire link add name port0 address 02:00:0a:00:00:02 mtu 1500 netns r1 type veth peer name r1-0 mtu 1500
ip -n wire link add name port1 address 02:00:0a:00:01:01 mtu 1500 netns r1 type veth peer name r1-1 mtu 1500
ip -n wire link add name port0 address 02:00:0a:00:01:02 mtu 1500 netns r2 type veth peer name r2-0 mtu 1500
ip -n wire link add name port1 address 02:00:0a:00:02:02 mtu 1500 netns r2 type veth peer name r2-1 mtu 1500
ip -n wire link add name nic address 02:00:0a:00:02:01 mtu 1500 netns b type veth peer name b mtu 1500
ip -n wire link set dev a up
ip -n wire link set dev r1-0 up
ip -n wire link set dev r1-1 up
ip -n wire link set dev r2-0 up
ip -n wire link set dev r2-1 up
ip -n wire link set dev b up
ip netns exec wire ethtool -K a tso off gso off gro off
ip netns exec wire ethtool -K r1-0 tso off gso off gro off
ip netns exec wire ethtool -K r1-1 tso off gso off gro off
ip netns exec wire ethtool -K r2-0 tso off gso off gro off
ip netns exec wire ethtool -K r2-1 tso off gso off gro off
ip netns exec wire ethtool -K b tso off gso off gro off
tc -n wire qdisc add dev a clsact
tc -n wire filter add dev a ingress matchall action mirred egress redirect dev r1-0
tc -n wire qdisc add dev r1-0 root handle 1: netem rate 10tbit limit 10000000
tc -n wire qdisc add dev r1-0 clsact
tc -n wire filter add dev r1-0 ingress matchall action mirred egress redirect dev a
tc -n wire qdisc add dev a root handle 1: netem rate 10tbit limit 10000000
tc -n wire qdisc add dev r1-1 clsact
tc -n wire filter add dev r1-1 ingress matchall action mirred egress redirect dev r2-0
tc -n wire qdisc add dev r2-0 root handle 1: netem delay 5000us limit 10000000
tc -n wire qdisc add dev r2-0 clsact
tc -n wire filter add dev r2-0 ingress matchall action mirred egress redirect dev r1-1
tc -n wire qdisc add dev r1-1 root handle 1: netem delay 5000us limit 10000000
tc -n wire qdisc add dev r2-1 clsact
tc -n wire filter add dev r2-1 ingress matchall action mirred egress redirect dev b
tc -n wire qdisc add dev b root handle 1: netem rate 10tbit limit 10000000
tc -n wire qdisc add dev b clsact
tc -n wire filter add dev b ingress matchall action mirred egress redirect dev r2-1
tc -n wire qdisc add dev r2-1 root handle 1: netem rate 10tbit limit 10000000
ip netns exec a sysctl -w net.ipv4.tcp_no_metrics_save=1
ip netns exec a sysctl -w net.ipv4.tcp_rmem="4096 131072 33554432"
ip netns exec a sysctl -w net.ipv4.tcp_wmem="4096 16384 4194304"
ip -n a link set dev lo up
ip -n a link set dev nic up
ip -n a address add 10.0.0.1/24 dev nic
ip -n a neighbour add 10.0.0.2 lladdr 02:00:0a:00:00:02 dev nic nud permanent
ip -n a route add 10.0.1.0/24 via 10.0.0.2 dev nic
ip -n a route add 10.0.2.0/24 via 10.0.0.2 dev nic
ip netns exec a ethtool -K nic tso off gso off gro off
tc -n a qdisc add dev nic root handle 1: tbf rate 1000000000bit burst 3092b limit 4294967295b overhead 24
ip netns exec b sysctl -w net.ipv4.tcp_no_metrics_save=1
ip netns exec b sysctl -w net.ipv4.tcp_rmem="4096 131072 33554432"
ip netns exec b sysctl -w net.ipv4.tcp_wmem="4096 16384 4194304"
ip -n b link set dev lo up
ip -n b link set dev nic up
ip -n b address add 10.0.2.1/24 dev nic
ip -n b neighbour add 10.0.2.2 lladdr 02:00:0a:00:02:02 dev nic nud permanent
ip -n b route add 10.0.0.0/24 via 10.0.2.2 dev nic
ip -n b route add 10.0.1.0/24 via 10.0.2.2 dev nic
ip netns exec b ethtool -K nic tso off gso off gro off
tc -n b qdisc add dev nic root handle 1: tbf rate 1000000000bit burst 3092b limit 4294967295b overhead 24
ip netns exec r1 sysctl -w net.ipv4.ip_forward=1
ip netns exec r1 sysctl -w net.ipv4.tcp_no_metrics_save=1
ip netns exec r1 sysctl -w net.ipv4.tcp_rmem="4096 131072 33554432"
ip netns exec r1 sysctl -w net.ipv4.tcp_wmem="4096 16384 4194304"
ip -n r1 link set dev lo up
ip -n r1 link set dev port0 up
ip -n r1 address add 10.0.0.2/24 dev port0
ip -n r1 neighbour add 10.0.0.1 lladdr 02:00:0a:00:00:01 dev port0 nud permanent
ip -n r1 link set dev port1 up
ip -n r1 address add 10.0.1.1/24 dev port1
ip -n r1 neighbour add 10.0.1.2 lladdr 02:00:0a:00:01:02 dev port1 nud permanent
ip -n r1 route add 10.0.2.0/24 via 10.0.1.2 dev port1
ip -n r1 link add name tunnel0 type gre local 10.0.1.1 remote 10.0.1.2 ttl 64
ip -n r1 link set dev tunnel0 up
ip -n r1 route replace 10.0.2.0/24 dev tunnel0 src 10.0.0.2
ip netns exec r1 ethtool -K port0 tso off gso off gro off
ip netns exec r1 ethtool -K port1 tso off gso off gro off
tc -n r1 qdisc add dev port0 root handle 1: tbf rate 1000000000bit burst 1578b limit 302800b overhead 24
tc -n r1 qdisc add dev port0 parent 1:1 handle 10: pfifo limit 200
tc -n r1 qdisc add dev port1 root handle 1: tbf rate 100000000bit burst 1578b limit 302800b overhead 24
tc -n r1 qdisc add dev port1 parent 1:1 handle 10: pfifo limit 200
ip netns exec r2 sysctl -w net.ipv4.ip_forward=1
ip netns exec r2 sysctl -w net.ipv4.tcp_no_metrics_save=1
ip netns exec r2 sysctl -w net.ipv4.tcp_rmem="4096 131072 33554432"
ip netns exec r2 sysctl -w net.ipv4.tcp_wmem="4096 16384 4194304"
ip -n r2 link set dev lo up
ip -n r2 link set dev port0 up
ip -n r2 address add 10.0.1.2/24 dev port0
ip -n r2 neighbour add 10.0.1.1 lladdr 02:00:0a:00:01:01 dev port0 nud permanent
ip -n r2 link set dev port1 up
ip -n r2 address add 10.0.2.2/24 dev port1
ip -n r2 neighbour add 10.0.2.1 lladdr 02:00:0a:00:02:01 dev port1 nud permanent
ip -n r2 route add 10.0.0.0/24 via 10.0.1.1 dev port0
ip -n r2 link add name tunnel0 type gre local 10.0.1.2 remote 10.0.1.1 ttl 64
ip -n r2 link set dev tunnel0 up
ip -n r2 route replace 10.0.0.0/24 dev tunnel0 src 10.0.2.2
ip netns exec r2 ethtool -K port0 tso off gso off gro off
ip netns exec r2 ethtool -K port1 tso off gso off gro off
tc -n r2 qdisc add dev port0 root handle 1: tbf rate 100000000bit burst 1578b limit 302800b overhead 24
tc -n r2 qdisc add dev port0 parent 1:1 handle 10: pfifo limit 200
tc -n r2 qdisc add dev port1 root handle 1: tbf rate 1000000000bit burst 1578b limit 302800b overhead 24
tc -n r2 qdisc add dev port1 parent 1:1 handle 10: pfifo limit 200
ip netns exec b iperf3 --server --daemon --one-off --port 5201
ip netns exec a iperf3 --client 10.0.2.1 --port 5201 --bytes 1000000 --congestion cubic
