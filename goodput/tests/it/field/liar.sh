#!/bin/sh
# Stands in for ssh: a host that answers at once, and lies. The file $LIE replaces functions.

# What the login runs, and what the lock and every script print; a script's status is the function's.
login() { cat; }
lock() { echo "goodput-lock: taken /tmp/goodput-lie"; cat >/dev/null; }
copy() { cat >/dev/null; }
script() {
	case $script in
	*'uname -sm'*) uname -sm ;;
	*'command -v gzip'*) return 1 ;;
	*'ping -n -c 20'*) pinged ;;
	*'family=inet'*) measured ;;
	*'for file in /proc/sys'*) facts ;;
	esac
}
facts() { uname -a; }
pinged() { :; }
measured() { :; }

# What the agent answers to each order.
listen() { echo '{"listening":{"port":5201}}'; }
greet() { echo '{"greeted":{"local":"127.0.0.1:1","seen":"127.0.0.1:1"}}'; }
ends='["127.0.0.1:1","127.0.0.1:2"]'
interval='{"end":1.0,"bytes":1000000,"retransmitted":0,"cwnd":14480,"rtt":1000,"rttvar":10,"pmtu":1500,"window":null}'
sent() {
	echo "{\"sent\":{\"ends\":$ends,\"congestion\":\"${congestion-cubic}\",\"mss\":1448,\"began\":${began-1700000000},\"seconds\":${seconds-1.0},\"bytes\":${bytes-1000000},\"busy\":0.1,\"intervals\":[${intervals-$interval}],\"screens\":[${screens-}]}}"
}
received() { echo '{"received":{"bytes":1000000,"seconds":1.0,"busy":0.1}}'; }
agent() {
	reports=0
	while IFS= read -r order; do
		case $order in
		'{"listen"'*) listen ;;
		'{"greet"'*) greet ;;
		'{"send"'*) sent ;;
		'{"receive"'*) received ;;
		'"report"'*) reports=$((reports+1)); [ $reports = 1 ] && received || sent ;;
		esac
	done
}

. "$LIE"

for word; do
	case $word in
	-V) exit 0 ;;
	-G) echo hostname 127.0.0.1; exit ;;
	esac
done
while [ "$1" != -- ]; do shift; done
shift 2
case "$*" in
cat) login ;;
dd*) copy ;;
*'field agent') agent ;;
'sh -s')
	mark='' script=''
	while IFS= read -r line; do
		case $line in
		*'-begin; echo '*) mark=${line#*echo } mark=${mark%%-begin*} ;;
		'{') lock; exit ;;
		*'status >&2; exit 0; }') break ;;
		*) script="$script$line
" ;;
		esac
	done
	echo "$mark-begin"
	echo "$mark-begin" >&2
	script
	status=$?
	printf '\n%s-end %s\n' "$mark" $status
	printf '\n%s-end %s\n' "$mark" $status >&2
	;;
iperf3*) sleep 20 ;;
esac
