# Two senders into one switch with 125 kB of packet memory
# valid: 1 trial, 1 point with 1 seed

# trial 0: seed 1
# An approximation: the lab's links are exact; tbf sends a packet at once if the link is idle, and netem rounds delays to 64 ns and stops at 274 s.
# Profiles of hosts: n1 plain, n2 plain, receiver plain
sysctl -w net.ipv4.tcp_mem="16777216 16777216 16777216"
sysctl -w net.core.netdev_max_backlog=10000000
ip netns add n1
ip netns add n2
ip netns add receiver
ip netns add switch
ip netns add wire
ip -n wire link add name nic address 02:00:0a:00:00:01 mtu 1500 netns n1 type veth peer name n1 mtu 1500
ip -n wire link add name port0 mtu 1500 netns switch type veth peer name switch-0 mtu 1500
ip -n wire link add name nic address 02:00:0a:00:00:02 mtu 1500 netns n2 type veth peer name n2 mtu 1500
ip -n wire link add name port1 mtu 1500 netns switch type veth peer name switch-1 mtu 1500
ip -n wire link add name port2 mtu 1500 netns switch type veth peer name switch-2 mtu 1500
ip -n wire link add name nic address 02:00:0a:00:00:03 mtu 1500 netns receiver type veth peer name receiver mtu 1500
ip -n wire link set dev n1 up
ip -n wire link set dev switch-0 up
ip -n wire link set dev n2 up
ip -n wire link set dev switch-1 up
ip -n wire link set dev switch-2 up
ip -n wire link set dev receiver up
ip netns exec wire ethtool -K n1 tso off gso off gro off
ip netns exec wire ethtool -K switch-0 tso off gso off gro off
ip netns exec wire ethtool -K n2 tso off gso off gro off
ip netns exec wire ethtool -K switch-1 tso off gso off gro off
ip netns exec wire ethtool -K switch-2 tso off gso off gro off
ip netns exec wire ethtool -K receiver tso off gso off gro off
tc -n wire qdisc add dev n1 clsact
tc -n wire filter add dev n1 ingress matchall action mirred egress redirect dev switch-0
tc -n wire qdisc add dev switch-0 root handle 1: netem rate 10tbit limit 10000000
tc -n wire qdisc add dev switch-0 clsact
tc -n wire filter add dev switch-0 ingress matchall action mirred egress redirect dev n1
tc -n wire qdisc add dev n1 root handle 1: netem rate 10tbit limit 10000000
tc -n wire qdisc add dev n2 clsact
tc -n wire filter add dev n2 ingress matchall action mirred egress redirect dev switch-1
tc -n wire qdisc add dev switch-1 root handle 1: netem rate 10tbit limit 10000000
tc -n wire qdisc add dev switch-1 clsact
tc -n wire filter add dev switch-1 ingress matchall action mirred egress redirect dev n2
tc -n wire qdisc add dev n2 root handle 1: netem rate 10tbit limit 10000000
tc -n wire qdisc add dev switch-2 clsact
tc -n wire filter add dev switch-2 ingress matchall action mirred egress redirect dev receiver
tc -n wire qdisc add dev receiver root handle 1: netem delay 5000us limit 10000000
tc -n wire qdisc add dev receiver clsact
tc -n wire filter add dev receiver ingress matchall action mirred egress redirect dev switch-2
tc -n wire qdisc add dev switch-2 root handle 1: netem delay 5000us limit 10000000
ip netns exec n1 sysctl -w net.ipv4.tcp_no_metrics_save=1
ip netns exec n1 sysctl -w net.ipv4.tcp_rmem="4096 131072 33554432"
ip netns exec n1 sysctl -w net.ipv4.tcp_wmem="4096 16384 4194304"
ip -n n1 link set dev lo up
ip -n n1 link set dev nic up
ip -n n1 address add 10.0.0.1/24 dev nic
ip -n n1 neighbour add 10.0.0.2 lladdr 02:00:0a:00:00:02 dev nic nud permanent
ip -n n1 neighbour add 10.0.0.3 lladdr 02:00:0a:00:00:03 dev nic nud permanent
ip netns exec n1 ethtool -K nic tso off gso off gro off
tc -n n1 qdisc add dev nic root handle 1: tbf rate 1000000000bit burst 3092b limit 4294967295b overhead 24
ip netns exec n2 sysctl -w net.ipv4.tcp_no_metrics_save=1
ip netns exec n2 sysctl -w net.ipv4.tcp_rmem="4096 131072 33554432"
ip netns exec n2 sysctl -w net.ipv4.tcp_wmem="4096 16384 4194304"
ip -n n2 link set dev lo up
ip -n n2 link set dev nic up
ip -n n2 address add 10.0.0.2/24 dev nic
ip -n n2 neighbour add 10.0.0.1 lladdr 02:00:0a:00:00:01 dev nic nud permanent
ip -n n2 neighbour add 10.0.0.3 lladdr 02:00:0a:00:00:03 dev nic nud permanent
ip netns exec n2 ethtool -K nic tso off gso off gro off
tc -n n2 qdisc add dev nic root handle 1: tbf rate 1000000000bit burst 3092b limit 4294967295b overhead 24
ip netns exec receiver sysctl -w net.ipv4.tcp_no_metrics_save=1
ip netns exec receiver sysctl -w net.ipv4.tcp_rmem="4096 131072 33554432"
ip netns exec receiver sysctl -w net.ipv4.tcp_wmem="4096 16384 4194304"
ip -n receiver link set dev lo up
ip -n receiver link set dev nic up
ip -n receiver address add 10.0.0.3/24 dev nic
ip -n receiver neighbour add 10.0.0.1 lladdr 02:00:0a:00:00:01 dev nic nud permanent
ip -n receiver neighbour add 10.0.0.2 lladdr 02:00:0a:00:00:02 dev nic nud permanent
ip netns exec receiver ethtool -K nic tso off gso off gro off
tc -n receiver qdisc add dev nic root handle 1: tbf rate 1000000000bit burst 3092b limit 4294967295b overhead 24
ip -n switch link set dev lo up
ip -n switch link add name bridge type bridge stp_state 0 mcast_snooping 0
ip -n switch link set dev port0 master bridge
ip -n switch link set dev port0 type bridge_slave learning off flood off mcast_flood off bcast_flood off
ip -n switch link set dev port0 up
ip -n switch link set dev port1 master bridge
ip -n switch link set dev port1 type bridge_slave learning off flood off mcast_flood off bcast_flood off
ip -n switch link set dev port1 up
ip -n switch link set dev port2 master bridge
ip -n switch link set dev port2 type bridge_slave learning off flood off mcast_flood off bcast_flood off
ip -n switch link set dev port2 up
ip -n switch link set dev bridge up
bridge -n switch fdb add 02:00:0a:00:00:01 dev port0 master static
bridge -n switch fdb add 02:00:0a:00:00:02 dev port1 master static
bridge -n switch fdb add 02:00:0a:00:00:03 dev port2 master static
ip netns exec switch ethtool -K port0 tso off gso off gro off
ip netns exec switch ethtool -K port1 tso off gso off gro off
ip netns exec switch ethtool -K port2 tso off gso off gro off
tc -n switch qdisc add dev port0 root handle 1: tbf rate 1000000000bit burst 1578b limit 125000b overhead 24
tc -n switch qdisc add dev port0 parent 1:1 handle 10: bfifo limit 125000b
tc -n switch qdisc add dev port1 root handle 1: tbf rate 1000000000bit burst 1578b limit 125000b overhead 24
tc -n switch qdisc add dev port1 parent 1:1 handle 10: bfifo limit 125000b
tc -n switch qdisc add dev port2 root handle 1: tbf rate 1000000000bit burst 1578b limit 125000b overhead 24
tc -n switch qdisc add dev port2 parent 1:1 handle 10: bfifo limit 125000b
# switch: its ports share 125000 bytes of packet memory; Linux has no such queue, and each port has all of it
ip netns exec receiver iperf3 --server --daemon --one-off --port 5201
ip netns exec n1 iperf3 --client 10.0.0.3 --port 5201 --time 10 --congestion cubic &
ip netns exec receiver iperf3 --server --daemon --one-off --port 5202
(sleep 1; ip netns exec n2 iperf3 --client 10.0.0.3 --port 5202 --time 10 --congestion cubic) &
