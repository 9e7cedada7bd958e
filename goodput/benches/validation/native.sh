# Behind namespaces/row.sh: a line of $4 kbit/s and a queue of $5 packets towards the last namespace. The flow has congestion
# control $3, every $6th packet lost (0: none), a receive buffer of $7 bytes and an MSS of $8.
ethtool --version >/dev/null
# A namespace takes no congestion control from a sysctl unless the host allows it; from a route it does.
inside source ip route add default via 10.0.1.2 congctl "$3"
inside sink ip route add default via 10.0.2.2 advmss "$8"
inside middle tc qdisc add dev right root handle 1: tbf rate "$4kbit" burst 1578 limit 1000000 overhead 24
inside middle tc qdisc add dev right parent 1:1 pfifo limit "$5"
if [ "$6" -gt 0 ]; then
	inside middle nft "add table ip loss; add chain ip loss in { type filter hook prerouting priority 0; }
		add rule ip loss in iifname left numgen inc mod $6 $(($6 - 1)) drop"
fi
for name in source sink; do
	inside "$name" sh -c 'echo 1 >/proc/sys/net/ipv4/tcp_no_metrics_save
		echo "4096 16384 4194304" >/proc/sys/net/ipv4/tcp_wmem'
done
inside source sh -c 'echo "4096 131072 33554432" >/proc/sys/net/ipv4/tcp_rmem'
inside sink sh -c "echo '4096 $(($7 < 131072 ? $7 : 131072)) $7' >/proc/sys/net/ipv4/tcp_rmem"

flow "$1" "$2"
