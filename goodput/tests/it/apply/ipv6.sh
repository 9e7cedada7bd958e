# A host that is reached over IPv6 alone, by ssh.
set -u
mount --make-rprivate / && mount -t tmpfs -o mode=755 none /run && mkdir -m 700 /run/state || exit 98
ip netns add host || exit 98
ip netns exec host sleep 600 > /dev/null 2>&1 &
holder=$!
sleep 0.1
inside() { nsenter --net="/proc/$holder/ns/net" -- "$@"; }
ip link add peer type veth peer name eth0 netns "$holder" || exit 98
ip -6 addr add 2001:db8::1/64 dev peer nodad && ip link set peer up
inside sh -c 'ip link set lo up; ip -6 addr add 2001:db8::2/64 dev eth0 nodad; ip link set eth0 up; ip -6 route add default via 2001:db8::1'
mkdir -p /run/sshd /run/home && ssh-keygen -q -t ed25519 -N '' -f /run/home/key && cp /run/home/key.pub /run/keys || exit 97
ssh-keygen -q -t ed25519 -N '' -f /run/host_key
inside /usr/sbin/sshd -D -p 2222 -o ListenAddress=2001:db8::2 -o HostKey=/run/host_key -o AuthorizedKeysFile=/run/keys \
    -o StrictModes=no -o UsePAM=no -o PermitRootLogin=yes -o PidFile=none > /run/sshd.log 2>&1 &
sshd=$!
echo "[2001:db8::2]:2222 $(cat /run/host_key.pub)" > /run/home/known_hosts
printf 'Host there\nHostName 2001:db8::2\nPort 2222\nUser root\nIdentityFile /run/home/key\nUserKnownHostsFile /run/home/known_hosts\n' > /run/home/config
mkdir -p ~/.ssh && mount --bind /run/home ~/.ssh || exit 98
# What this machine has its logins do is not the test's.
for file in ~/.profile ~/.bash_profile ~/.bashrc; do [ ! -e "$file" ] || mount --bind /dev/null "$file"; done
tries=0
until inside ss -Hltn | grep -q 2222 || [ "$tries" -gt 50 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
state() { inside sh -c 'ip addr; ip route show table all; ip -6 route show table all; ip -6 rule; ip link; tc qdisc; sysctl -a 2> /dev/null | grep "^net.ipv6.conf.eth0"' | sed 's/ refcnt [0-9]*//'; }
while inside ip link | grep -q NO-CARRIER || inside ip addr | grep -q tentative; do sleep 0.05; done
state > /run/before
"$GOODPUT" apply --host there --state /run/state mtu@eth0=1200
ssh there echo there after refusal
"$GOODPUT" apply --host there --state /run/state --within 4s mtu@eth0=1400 route-mtu@2001:db8::1/128=1400,via=2001:db8::99,dev=eth0
tries=0
while [ -e /run/state/lock ] && [ "$tries" -lt 200 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
ssh there echo there after the watchdog
"$GOODPUT" undo --state /run/state there
state > /run/after
diff /run/before /run/after && echo as before
kill "$holder" "$sshd"
