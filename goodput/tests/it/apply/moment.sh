# One change of a host that something ends after DELAY seconds: KIND says what, HOST how goodput gets there (netns or ssh).
# `trial` is netns, with a transfer that is measured without and with the change. Prints what the host has once its watchdog
# is done: `before`, `after` or what differs, with files and exit code.
set -u
DELAY_DIGITS=${DELAY#*.}
mount --make-rprivate / && mount -t tmpfs none /run || exit 98
state=/run/state-$$
mkdir "$state" && mount -t tmpfs -o size=256k,mode=700 none "$state" || exit 98
ip netns add host || exit 98
ip netns exec host sleep 100 > /dev/null 2>&1 &
holder=$!
sleep 0.05
inside() { nsenter --net="/proc/$holder/ns/net" -- "$@"; }
ip link add peer type veth peer name eth0 netns "$holder" && ip addr add 192.0.2.1/24 dev peer && ip link set peer up || exit 98
inside sh -c '
ip link set lo up && ip addr add 192.0.2.2/24 dev eth0 && ip link set eth0 up
ip route add default via 192.0.2.1 dev eth0 && ip route add 10.5.0.0/16 via 192.0.2.9
echo "4096 131072 6291456" > /proc/sys/net/ipv4/tcp_rmem' || exit 98
settings() {
    inside sh -c 'ip route; cat /proc/sys/net/ipv4/tcp_rmem /proc/sys/net/ipv4/tcp_congestion_control; ip -o link show eth0 | grep -o "mtu [0-9]*"'
}
settings > /run/before
sed 's/6291456/67108864/; s/^[a-z]*$/reno/; s/^mtu 1500/mtu 1400/; /^10.5/s/ *$/ mtu 1300 /' /run/before > /run/after
[ "$(sed 's/ *$//' /run/before)" != "$(sed 's/ *$//' /run/after)" ] || exit 97

sshd=
if [ "$HOST" = ssh ]; then
    mkdir -p /run/sshd /run/home && ssh-keygen -q -t ed25519 -N '' -f /run/home/key && cp /run/home/key.pub /run/keys || exit 97
    ssh-keygen -q -t ed25519 -N '' -f /run/host_key
    nsenter --net="/proc/$holder/ns/net" -- /usr/sbin/sshd -D -p 2222 -o ListenAddress=192.0.2.2 -o HostKey=/run/host_key -o AuthorizedKeysFile=/run/keys \
        -o StrictModes=no -o UsePAM=no -o PermitRootLogin=yes -o PidFile=none > /run/sshd.log 2>&1 &
    sshd=$!
    echo "[192.0.2.2]:2222 $(cat /run/host_key.pub)" > /run/home/known_hosts
    printf 'Host there\nHostName 192.0.2.2\nPort 2222\nUser root\nIdentityFile /run/home/key\nUserKnownHostsFile /run/home/known_hosts\n' \
        > /run/home/config
    mkdir -p ~/.ssh && mount --bind /run/home ~/.ssh || exit 98
    # What this machine has its logins do is not the test's.
    for file in ~/.profile ~/.bash_profile ~/.bashrc; do [ ! -e "$file" ] || mount --bind /dev/null "$file"; done
    tries=0
    until inside ss -Hltn | grep -q 2222 || [ "$tries" -gt 50 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    there=there within=5s
else
    there=netns:host within=3s
fi
set --
# Twice as fast with the change, and a little noise.
[ "$HOST" != trial ] || set -- --pairs 2 --measure "
    sleep 0.2
    nsenter --net=/proc/$holder/ns/net -- grep -q 67108864 /proc/sys/net/ipv4/tcp_rmem && rate=9 || rate=4
    echo \$rate.9\$(date +%N | cut -c 1) Mbit/s"

"$GOODPUT" apply --host "$there" --state "$state" --within "$within" "$@" route-mtu@10.5.0.0/16=1300 mtu@eth0=1400 \
    receive-buffer=64MiB net.ipv4.tcp_congestion_control=reno > /run/out 2> /run/err &
goodput=$!
sleep "$DELAY"
children() { cat /proc/"$1"/task/*/children 2> /dev/null; }
is_watchdog() { grep -qs goodput-watch "/proc/$1/cmdline"; }
# All that came of a process, but for the watchdog and what it runs.
below() {
    for child in $(children "$1"); do
        is_watchdog "$child" || { echo "$child"; below "$child"; }
    done
}
watchdogs() { for process in $(pgrep -f "goodput-watch $state "); do echo "$process"; done; }
end() { [ $# -eq 0 ] || kill -9 "$@" 2> /dev/null; }
case $KIND in
none) ;;
goodput) end "$goodput" ;;
# The local sh or ssh.
shell) end $(children "$goodput") ;;
all) end "$goodput" $(below "$goodput") ;;
# The sessions of sshd and their shells.
remote) end $(below "$sshd") ;;
term) kill -TERM "$goodput" ;;
parent)
    for process in $(watchdogs); do
        parent=$(awk '/^PPid/ { print $2 }' "/proc/$process/status" 2> /dev/null)
        [ "${parent:-1}" = 1 ] || is_watchdog "$parent" || end "$parent"
    done
    ;;
disk) dd if=/dev/zero of="$state/full" bs=4096 2> /dev/null ;;
namespace) ip netns del host ;;
device) inside ip link del eth0 ;;
line) ip link set peer down ;;
watchdog) end $(watchdogs) ;;
# Nobody is left to put anything back.
orphan) end "$goodput" $(below "$goodput") $(below "${sshd:-$goodput}") $(watchdogs) ;;
# The watchdog ends at its work.
late)
    end "$goodput" $(below "$goodput")
    sleep "2.$DELAY_DIGITS"
    sleep 1
    end $(watchdogs)
    ;;
esac
# Nobody waits for a line that is cut: ssh does so for its own time.
[ "$KIND" != line ] || { sleep 8; end "$goodput" $(below "$goodput"); }
wait "$goodput"
code=$?
tries=0
while [ -n "$(watchdogs)" ] && [ "$tries" -lt 200 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
rm -f "$state/full"
# The next goodput finishes what was left, and takes back what was confirmed.
case $KIND in orphan | late) "$GOODPUT" undo --state "$state" "$there" >> /run/out 2>> /run/err ;; esac
[ "$KIND" != line ] || ip link set peer up
settings > /run/now 2> /dev/null
trim() { sed 's/ *$//; s/ linkdown//' "$1"; }
same() { [ "$(trim "$1")" = "$(trim "$2")" ]; }
applied=$(ls "$state" | grep -c '^applied')
open=$(ls "$state" | grep -c '^pending\|^undoing')
if same /run/now /run/before; then
    echo "before $applied $open $code"
elif same /run/now /run/after; then
    echo "after $applied $open $code"
else
    echo "half $applied $open $code"
fi
diff /run/before /run/now
ls -la "$state"
cat "$state/log" /run/out /run/err /run/sshd.log 2> /dev/null
end "$holder" $sshd
