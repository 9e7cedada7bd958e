# Backups slow by two orders of magnitude behind a bridge
# valid: 45 trials, 9 points with 5 seeds each
# switches.host.coalesce = 125 us, 250 us, 500 us
# nic = lro, lro, no tso, no lro

# trial 0: switches.host.coalesce = 125 us, nic = lro, seed 1
# An approximation: the lab's links are exact; tbf sends a packet at once if the link is idle, and netem rounds delays to 64 ns and stops at 274 s.
# Profiles of hosts: remote plain, jail plain
sysctl -w net.ipv4.tcp_mem="16777216 16777216 16777216"
sysctl -w net.core.netdev_max_backlog=10000000
ip netns add remote
ip netns add jail
ip netns add host
ip netns add isp
ip netns add wire
ip -n wire link add name nic address 02:00:0a:00:00:01 mtu 1500 netns remote type veth peer name remote mtu 1500
ip -n wire link add name port0 address 02:00:0a:00:00:02 mtu 1500 netns isp type veth peer name isp-0 mtu 1500
ip -n wire link add name port1 address 02:00:0a:00:01:03 mtu 1500 netns isp type veth peer name isp-1 mtu 1500
ip -n wire link add name port0 mtu 1500 netns host type veth peer name host-0 mtu 1500
ip -n wire link add name loss_2 mtu 1500 type veth peer name loss_2o mtu 1500
ip -n wire link add name port1 mtu 1500 netns host type veth peer name host-1 mtu 1500
ip -n wire link add name nic address 02:00:0a:00:01:01 mtu 1500 netns jail type veth peer name jail mtu 1500
ip -n wire link set dev remote up
ip -n wire link set dev isp-0 up
ip -n wire link set dev isp-1 up
ip -n wire link set dev host-0 up
ip -n wire link set dev loss_2 up
ip -n wire link set dev loss_2o up
ip -n wire link set dev host-1 up
ip -n wire link set dev jail up
ip netns exec wire ethtool -K remote tso off gso off gro off
ip netns exec wire ethtool -K isp-0 tso off gso off gro off
ip netns exec wire ethtool -K isp-1 tso off gso off gro off
ip netns exec wire ethtool -K host-0 tso off gso off gro off
ip netns exec wire ethtool -K loss_2 tso off gso off gro off
ip netns exec wire ethtool -K loss_2o tso off gso off gro off
ip netns exec wire ethtool -K host-1 tso off gso off gro off
ip netns exec wire ethtool -K jail tso off gso off gro off
tc -n wire qdisc add dev remote clsact
tc -n wire filter add dev remote ingress matchall action mirred egress redirect dev isp-0
tc -n wire qdisc add dev isp-0 root handle 1: netem rate 10tbit limit 10000000
tc -n wire qdisc add dev isp-0 clsact
tc -n wire filter add dev isp-0 ingress matchall action mirred egress redirect dev remote
tc -n wire qdisc add dev remote root handle 1: netem rate 10tbit limit 10000000
tc -n wire qdisc add dev isp-1 clsact
tc -n wire filter add dev isp-1 ingress matchall action mirred egress redirect dev loss_2
tc -n wire qdisc add dev loss_2 root handle 1: netem loss random 0.01% limit 10000000
tc -n wire qdisc add dev loss_2o clsact
tc -n wire filter add dev loss_2o ingress matchall action mirred egress redirect dev host-0
tc -n wire qdisc add dev host-0 root handle 1: netem delay 10000us limit 10000000
tc -n wire qdisc add dev host-0 clsact
tc -n wire filter add dev host-0 ingress matchall action mirred egress redirect dev isp-1
tc -n wire qdisc add dev isp-1 root handle 1: netem delay 10000us limit 10000000
tc -n wire qdisc add dev host-1 clsact
tc -n wire filter add dev host-1 ingress matchall action mirred egress redirect dev jail
tc -n wire qdisc add dev jail root handle 1: netem rate 10tbit limit 10000000
tc -n wire qdisc add dev jail clsact
tc -n wire filter add dev jail ingress matchall action mirred egress redirect dev host-1
tc -n wire qdisc add dev host-1 root handle 1: netem rate 10tbit limit 10000000
ip netns exec remote sysctl -w net.ipv4.tcp_no_metrics_save=1
ip netns exec remote sysctl -w net.ipv4.tcp_rmem="4096 131072 33554432"
ip netns exec remote sysctl -w net.ipv4.tcp_wmem="4096 16384 4194304"
ip -n remote link set dev lo up
ip -n remote link set dev nic up
ip -n remote address add 10.0.0.1/24 dev nic
ip -n remote neighbour add 10.0.0.2 lladdr 02:00:0a:00:00:02 dev nic nud permanent
ip -n remote route add 10.0.1.0/24 via 10.0.0.2 dev nic
ip netns exec remote ethtool -K nic tso off gso on gro off
tc -n remote qdisc add dev nic root handle 1: tbf rate 1000000000bit burst 1578b limit 4294967295b overhead 24
ip netns exec jail sysctl -w net.ipv4.tcp_no_metrics_save=1
ip netns exec jail sysctl -w net.ipv4.tcp_rmem="4096 131072 33554432"
ip netns exec jail sysctl -w net.ipv4.tcp_wmem="4096 16384 4194304"
ip -n jail link set dev lo up
ip -n jail link set dev nic up
ip -n jail address add 10.0.1.1/24 dev nic
ip -n jail neighbour add 10.0.1.3 lladdr 02:00:0a:00:01:03 dev nic nud permanent
ip -n jail neighbour add 10.0.1.2 lladdr 02:00:0a:00:01:02 dev nic nud permanent
ip -n jail route add 10.0.0.0/24 via 10.0.1.3 dev nic
ip netns exec jail ethtool -K nic tso off gso off gro off
tc -n jail qdisc add dev nic root handle 1: tbf rate 10000000000bit burst 25000b limit 4294967295b overhead 24
ip netns exec host sysctl -w net.ipv4.tcp_no_metrics_save=1
ip netns exec host sysctl -w net.ipv4.tcp_rmem="4096 131072 33554432"
ip netns exec host sysctl -w net.ipv4.tcp_wmem="4096 16384 4194304"
ip -n host link set dev lo up
ip -n host link add name bridge type bridge stp_state 0 mcast_snooping 0
ip -n host link set dev port0 master bridge
ip -n host link set dev port0 type bridge_slave learning off flood off mcast_flood off bcast_flood off
ip -n host link set dev port0 up
ip -n host link set dev port1 master bridge
ip -n host link set dev port1 type bridge_slave learning off flood off mcast_flood off bcast_flood off
ip -n host link set dev port1 up
ip -n host link set dev bridge address 02:00:0a:00:01:02
ip -n host link set dev bridge up
ip -n host address add 10.0.1.2/24 dev bridge
ip -n host neighbour add 10.0.1.3 lladdr 02:00:0a:00:01:03 dev bridge nud permanent
ip -n host neighbour add 10.0.1.1 lladdr 02:00:0a:00:01:01 dev bridge nud permanent
ip -n host route add 10.0.0.0/24 via 10.0.1.3 dev bridge
bridge -n host fdb add 02:00:0a:00:01:03 dev port0 master static
bridge -n host fdb add 02:00:0a:00:01:01 dev port1 master static
ip netns exec host ethtool -K port0 tso off gso off gro on
ip netns exec host ethtool -K port1 tso off gso off gro on
tc -n host qdisc add dev port0 root handle 1: tbf rate 100000000bit burst 1578b limit 151400b overhead 24
tc -n host qdisc add dev port0 parent 1:1 handle 10: pfifo limit 100
tc -n host qdisc add dev port1 root handle 1: tbf rate 10000000000bit burst 1578b limit 1000000b overhead 24
tc -n host qdisc add dev port1 parent 1:1 handle 10: bfifo limit 1000000b
ip netns exec host sh -c 'echo 125000 >/sys/class/net/port0/gro_flush_timeout'
ip netns exec host sh -c 'echo 1 >/sys/class/net/port0/napi_defer_hard_irqs'
# host: port0 forwards what it has merged as one packet; Linux undoes it (ethtool -K port0 lro on, on a NIC that has it)
ip netns exec host sh -c 'echo 125000 >/sys/class/net/port1/gro_flush_timeout'
ip netns exec host sh -c 'echo 1 >/sys/class/net/port1/napi_defer_hard_irqs'
# host: port1 forwards what it has merged as one packet; Linux undoes it (ethtool -K port1 lro on, on a NIC that has it)
ip netns exec isp sysctl -w net.ipv4.ip_forward=1
ip netns exec isp sysctl -w net.ipv4.tcp_no_metrics_save=1
ip netns exec isp sysctl -w net.ipv4.tcp_rmem="4096 131072 33554432"
ip netns exec isp sysctl -w net.ipv4.tcp_wmem="4096 16384 4194304"
ip -n isp link set dev lo up
ip -n isp link set dev port0 up
ip -n isp address add 10.0.0.2/24 dev port0
ip -n isp neighbour add 10.0.0.1 lladdr 02:00:0a:00:00:01 dev port0 nud permanent
ip -n isp link set dev port1 up
ip -n isp address add 10.0.1.3/24 dev port1
ip -n isp neighbour add 10.0.1.1 lladdr 02:00:0a:00:01:01 dev port1 nud permanent
ip -n isp neighbour add 10.0.1.2 lladdr 02:00:0a:00:01:02 dev port1 nud permanent
ip netns exec isp ethtool -K port0 tso off gso off gro off
ip netns exec isp ethtool -K port1 tso off gso off gro off
tc -n isp qdisc add dev port0 root handle 1: tbf rate 1000000000bit burst 1578b limit 302800b overhead 24
tc -n isp qdisc add dev port0 parent 1:1 handle 10: pfifo limit 200
tc -n isp qdisc add dev port1 root handle 1: tbf rate 100000000bit burst 1578b limit 151400b overhead 24
tc -n isp qdisc add dev port1 parent 1:1 handle 10: pfifo limit 100
ip netns exec host iperf3 --server --daemon --one-off --port 5201
ip netns exec host iperf3 --server --daemon --one-off --port 5202
ip netns exec jail iperf3 --server --daemon --one-off --port 5203
ip netns exec jail iperf3 --server --daemon --one-off --port 5204
(sleep 0.003681895; ip netns exec remote iperf3 --client 10.0.1.2 --port 5201 --time 30 --congestion cubic) &
(sleep 0.005267179; ip netns exec remote iperf3 --client 10.0.1.2 --port 5202 --time 30 --congestion cubic) &
(sleep 31.006924455; ip netns exec remote iperf3 --client 10.0.1.1 --port 5204 --time 30 --congestion cubic) &
(sleep 31.007376992; ip netns exec remote iperf3 --client 10.0.1.1 --port 5203 --time 30 --congestion cubic) &
