# Behind namespaces/row.sh: one flow at full speed.
# A namespace takes no congestion control from a sysctl unless the host allows it; from a route it does.
inside source ip route add default via 10.0.1.2 congctl cubic
inside sink ip route add default via 10.0.2.2
for name in source sink; do
	inside "$name" sh -c 'echo "4096 131072 33554432" >/proc/sys/net/ipv4/tcp_rmem
		echo "4096 16384 33554432" >/proc/sys/net/ipv4/tcp_wmem'
done

flow "$1" "$2"
