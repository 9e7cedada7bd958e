# The path MTU to a host by pings that may not be fragmented. An answer can be lost, so each size is sent twice.
# goodput sets: to, family (inet, inet6), headers (bytes of IP and ICMP), largest and smallest (bytes).

case $(uname -s) in
Linux)
	device=$(ip route get "$to" 2>/dev/null | sed -n 's/.* dev \([^ ]*\).*/\1/p' | head -n 1)
	top=$(cat "/sys/class/net/$device/mtu" 2>/dev/null)
	whole() { echo "$ ping -M do -n -c 2 -i 0.2 -W 1 -s $1 $to"; ping -M do -n -c 2 -i 0.2 -W 1 -s "$1" "$to" 2>&1; } ;;
FreeBSD)
	device=$(route -n get "-$family" "$to" 2>/dev/null | sed -n 's/.*interface: //p')
	top=$(ifconfig "$device" 2>/dev/null | sed -n 's/.* mtu \([0-9]*\).*/\1/p' | head -n 1)
	whole() { echo "$ ping -D -n -c 2 -t 2 -s $1 $to"; ping -D -n -c 2 -t 2 -s "$1" "$to" 2>&1; } ;;
esac
passes() {
	said=$(whole "$1") && return 0
	case $said in
	*nvalid*option*|*nrecognized*option*|*sage:*) echo "# goodput: this ping cannot forbid fragments: no path MTU"; exit 0 ;;
	esac
	return 1
}
[ "${top:-0}" -gt 0 ] 2>/dev/null || top=1500
[ "$top" -le "$largest" ] || top=$largest
high=$((top - headers)) low=$((smallest - headers))
if passes $high; then
	echo "$said"
elif refused=$said; passes $low; then
	good=$said bad=$refused
	while [ $((high - low)) -gt 1 ]; do
		# An ICMP error may say what fits.
		told=$(echo "$refused" | sed -n 's/.*mtu *= *\([0-9]*\).*/\1/p' | head -n 1)
		size=$(((high + low) / 2)) refused=
		[ -z "$told" ] || size=$((told - headers))
		[ $size -gt $low ] && [ $size -lt $high ] || size=$(((high + low) / 2))
		if passes $size; then
			low=$size good=$said
			next=$((low + 1))
			[ -z "$told" ] || [ $next -ge $high ] || { passes $next && low=$next good=$said || high=$next bad=$said; }
		else
			high=$size bad=$said refused=$said
		fi
	done
	echo "$good"
	echo "$bad"
	echo "# goodput: the path MTU to $to is $((low + headers))"
else
	echo "# goodput: $to answers no ping of $((low + headers)) bytes: no path MTU"
fi
exit 0
