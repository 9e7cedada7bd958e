# HTTP gets through the IPsec tunnel, Redis does not
# valid: 8 trials, 4 points with 2 seeds each
# hosts.client.route-mtu = 1500 B, 1447 B, 1446 B, 1400 B

# trial 0: hosts.client.route-mtu = 1500 B, seed 1
# An approximation: the lab's links are exact; tbf sends a packet at once if the link is idle, and netem rounds delays to 64 ns and stops at 274 s.
# Profiles of hosts: client plain, server plain
sysctl -w net.ipv4.tcp_mem="16777216 16777216 16777216"
sysctl -w net.core.netdev_max_backlog=10000000
ip netns add client
ip netns add server
ip netns add oracle
ip netns add aws
ip netns add wire
ip -n wire link add name nic address 02:00:0a:00:00:01 mtu 1500 netns client type veth peer name client mtu 1500
ip -n wire link add name port0 address 02:00:0a:00:00:02 mtu 1500 netns oracle type veth peer name oracle-0 mtu 1500
ip -n wire link add name port1 address 02:00:0a:00:01:01 mtu 1500 netns oracle type veth peer name oracle-1 mtu 1500
ip -n wire link add name port0 address 02:00:0a:00:01:02 mtu 1500 netns aws type veth peer name aws-0 mtu 1500
ip -n wire link add name port1 address 02:00:0a:00:02:02 mtu 1500 netns aws type veth peer name aws-1 mtu 1500
ip -n wire link add name nic address 02:00:0a:00:02:01 mtu 1500 netns server type veth peer name server mtu 1500
ip -n wire link set dev client up
ip -n wire link set dev oracle-0 up
ip -n wire link set dev oracle-1 up
ip -n wire link set dev aws-0 up
ip -n wire link set dev aws-1 up
ip -n wire link set dev server up
ip netns exec wire ethtool -K client tso off gso off gro off
ip netns exec wire ethtool -K oracle-0 tso off gso off gro off
ip netns exec wire ethtool -K oracle-1 tso off gso off gro off
ip netns exec wire ethtool -K aws-0 tso off gso off gro off
ip netns exec wire ethtool -K aws-1 tso off gso off gro off
ip netns exec wire ethtool -K server tso off gso off gro off
tc -n wire qdisc add dev client clsact
tc -n wire filter add dev client ingress matchall action mirred egress redirect dev oracle-0
tc -n wire qdisc add dev oracle-0 root handle 1: netem rate 10tbit limit 10000000
tc -n wire qdisc add dev oracle-0 clsact
tc -n wire filter add dev oracle-0 ingress matchall action mirred egress redirect dev client
tc -n wire qdisc add dev client root handle 1: netem rate 10tbit limit 10000000
tc -n wire qdisc add dev oracle-1 clsact
tc -n wire filter add dev oracle-1 ingress matchall action mirred egress redirect dev aws-0
tc -n wire qdisc add dev aws-0 root handle 1: netem delay 20000us limit 10000000
tc -n wire qdisc add dev aws-0 clsact
tc -n wire filter add dev aws-0 ingress matchall action mirred egress redirect dev oracle-1
tc -n wire qdisc add dev oracle-1 root handle 1: netem delay 20000us limit 10000000
tc -n wire qdisc add dev aws-1 clsact
tc -n wire filter add dev aws-1 ingress matchall action mirred egress redirect dev server
tc -n wire qdisc add dev server root handle 1: netem rate 10tbit limit 10000000
tc -n wire qdisc add dev server clsact
tc -n wire filter add dev server ingress matchall action mirred egress redirect dev aws-1
tc -n wire qdisc add dev aws-1 root handle 1: netem rate 10tbit limit 10000000
ip netns exec client sysctl -w net.ipv4.tcp_no_metrics_save=1
ip netns exec client sysctl -w net.ipv4.tcp_rmem="4096 131072 33554432"
ip netns exec client sysctl -w net.ipv4.tcp_wmem="4096 16384 4194304"
ip -n client link set dev lo up
ip -n client link set dev nic up
ip -n client address add 10.0.0.1/24 dev nic
ip -n client neighbour add 10.0.0.2 lladdr 02:00:0a:00:00:02 dev nic nud permanent
ip -n client route replace 10.0.0.0/24 dev nic src 10.0.0.1 mtu 1500
ip -n client route add 10.0.1.0/24 via 10.0.0.2 dev nic mtu 1500
ip -n client route add 10.0.2.0/24 via 10.0.0.2 dev nic mtu 1500
ip netns exec client ethtool -K nic tso off gso off gro off
tc -n client qdisc add dev nic root handle 1: tbf rate 1000000000bit burst 3092b limit 4294967295b overhead 24
ip netns exec server sysctl -w net.ipv4.tcp_no_metrics_save=1
ip netns exec server sysctl -w net.ipv4.tcp_rmem="4096 131072 33554432"
ip netns exec server sysctl -w net.ipv4.tcp_wmem="4096 16384 4194304"
ip -n server link set dev lo up
ip -n server link set dev nic up
ip -n server address add 10.0.2.1/24 dev nic
ip -n server neighbour add 10.0.2.2 lladdr 02:00:0a:00:02:02 dev nic nud permanent
ip -n server route add 10.0.0.0/24 via 10.0.2.2 dev nic
ip -n server route add 10.0.1.0/24 via 10.0.2.2 dev nic
ip netns exec server ethtool -K nic tso off gso off gro off
tc -n server qdisc add dev nic root handle 1: tbf rate 1000000000bit burst 3092b limit 4294967295b overhead 24
ip netns exec oracle sysctl -w net.ipv4.ip_forward=1
ip netns exec oracle sysctl -w net.ipv4.tcp_no_metrics_save=1
ip netns exec oracle sysctl -w net.ipv4.tcp_rmem="4096 131072 33554432"
ip netns exec oracle sysctl -w net.ipv4.tcp_wmem="4096 16384 4194304"
ip -n oracle link set dev lo up
ip -n oracle link set dev port0 up
ip -n oracle address add 10.0.0.2/24 dev port0
ip -n oracle neighbour add 10.0.0.1 lladdr 02:00:0a:00:00:01 dev port0 nud permanent
ip -n oracle link set dev port1 up
ip -n oracle address add 10.0.1.1/24 dev port1
ip -n oracle neighbour add 10.0.1.2 lladdr 02:00:0a:00:01:02 dev port1 nud permanent
ip -n oracle route add 10.0.2.0/24 via 10.0.1.2 dev port1
ip -n oracle xfrm state add src 10.0.1.1 dst 10.0.1.2 proto esp spi 0x100 mode tunnel aead 'rfc4106(gcm(aes))' 0x2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b 128
ip -n oracle xfrm state add src 10.0.1.2 dst 10.0.1.1 proto esp spi 0x101 mode tunnel aead 'rfc4106(gcm(aes))' 0x2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b 128
ip -n oracle xfrm policy add src 10.0.0.0/24 dst 10.0.2.0/24 dir out tmpl src 10.0.1.1 dst 10.0.1.2 proto esp mode tunnel
ip -n oracle xfrm policy add src 10.0.2.0/24 dst 10.0.0.0/24 dir in tmpl src 10.0.1.2 dst 10.0.1.1 proto esp mode tunnel
ip -n oracle xfrm policy add src 10.0.2.0/24 dst 10.0.0.0/24 dir fwd tmpl src 10.0.1.2 dst 10.0.1.1 proto esp mode tunnel
ip netns exec oracle ethtool -K port0 tso off gso off gro off
ip netns exec oracle ethtool -K port1 tso off gso off gro off
tc -n oracle qdisc add dev port0 root handle 1: tbf rate 1000000000bit burst 1578b limit 302800b overhead 24
tc -n oracle qdisc add dev port0 parent 1:1 handle 10: pfifo limit 200
tc -n oracle qdisc add dev port1 root handle 1: tbf rate 50000000bit burst 1578b limit 302800b overhead 24
tc -n oracle qdisc add dev port1 parent 1:1 handle 10: pfifo limit 200
ip netns exec oracle nft 'add table ip goodput'
ip netns exec oracle nft 'add chain ip goodput output { type filter hook output priority 0 ; }'
ip netns exec oracle nft 'add rule ip goodput output icmp type destination-unreachable icmp code frag-needed counter drop'
ip netns exec aws sysctl -w net.ipv4.ip_forward=1
ip netns exec aws sysctl -w net.ipv4.tcp_no_metrics_save=1
ip netns exec aws sysctl -w net.ipv4.tcp_rmem="4096 131072 33554432"
ip netns exec aws sysctl -w net.ipv4.tcp_wmem="4096 16384 4194304"
ip -n aws link set dev lo up
ip -n aws link set dev port0 up
ip -n aws address add 10.0.1.2/24 dev port0
ip -n aws neighbour add 10.0.1.1 lladdr 02:00:0a:00:01:01 dev port0 nud permanent
ip -n aws link set dev port1 up
ip -n aws address add 10.0.2.2/24 dev port1
ip -n aws neighbour add 10.0.2.1 lladdr 02:00:0a:00:02:01 dev port1 nud permanent
ip -n aws route add 10.0.0.0/24 via 10.0.1.1 dev port0
ip -n aws xfrm state add src 10.0.1.2 dst 10.0.1.1 proto esp spi 0x101 mode tunnel aead 'rfc4106(gcm(aes))' 0x2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b 128
ip -n aws xfrm state add src 10.0.1.1 dst 10.0.1.2 proto esp spi 0x100 mode tunnel aead 'rfc4106(gcm(aes))' 0x2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b 128
ip -n aws xfrm policy add src 10.0.2.0/24 dst 10.0.0.0/24 dir out tmpl src 10.0.1.2 dst 10.0.1.1 proto esp mode tunnel
ip -n aws xfrm policy add src 10.0.0.0/24 dst 10.0.2.0/24 dir in tmpl src 10.0.1.1 dst 10.0.1.2 proto esp mode tunnel
ip -n aws xfrm policy add src 10.0.0.0/24 dst 10.0.2.0/24 dir fwd tmpl src 10.0.1.1 dst 10.0.1.2 proto esp mode tunnel
ip netns exec aws ethtool -K port0 tso off gso off gro off
ip netns exec aws ethtool -K port1 tso off gso off gro off
tc -n aws qdisc add dev port0 root handle 1: tbf rate 50000000bit burst 1578b limit 302800b overhead 24
tc -n aws qdisc add dev port0 parent 1:1 handle 10: pfifo limit 200
tc -n aws qdisc add dev port1 root handle 1: tbf rate 1000000000bit burst 1578b limit 302800b overhead 24
tc -n aws qdisc add dev port1 parent 1:1 handle 10: pfifo limit 200
# flow 0: client makes requests for 5 s of 300 bytes to server (10.0.2.1), answered with 1000 bytes, 0.1 s apart
# flow 1: client makes requests for 5 s of 20000 bytes to server (10.0.2.1), answered with 1000 bytes, 0.1 s apart
