//! The script of `goodput apply` on kernels that have what a builder's may lack: VLANs, bonds, qdiscs and their defaults. The oracle
//! is what ip, tc and the kernel's files print before and after.

use crate::support::record;
use hosts::apply::script;

/// Devices of a router, changes of each kind, and changes that are refused: kind, subject, value, separated by `|`.
const SCENE: &str = r##"
    mkdir -m 700 /tmp/state
    ip link add eth8 type veth peer name eth9; ip link set eth9 up; ip link set eth8 up
    ip addr add 192.0.2.2/24 dev eth8; ip -6 addr add 2001:db8::2/64 dev eth8 nodad
    ip link add link eth8 name eth8.5 type vlan id 5; ip link set eth8.5 up; ip addr add 198.51.100.2/24 dev eth8.5
    ip -6 addr add 2001:db8:5::2/64 dev eth8.5 nodad
    ip link add link eth8.5 name inner type vlan id 6; ip link set inner up
    ip link add bond8 type bond mode active-backup; ip link add slave8 type dummy; ip link set slave8 master bond8; ip link set bond8 up
    ip link add link bond8 name bond8.7 type vlan id 7; ip link set bond8.7 up
    ip route add default via 192.0.2.1 dev eth8 src 192.0.2.2 metric 7
    sleep 3
    state() {
        ip -d link | sed 's/ state [A-Z]*//; s/,LOWER_UP//; s/ [a-z_]*_timer *[0-9.]*//g; s/ promiscuity [0-9]*//'
        ip addr | sed 's/valid_lft.*//; s/ state [A-Z]*//; s/ tentative//'
        for family in 4 6; do ip -$family rule; ip -$family route show table all; done
        tc qdisc | sed 's/ refcnt [0-9]*//'
        grep . /proc/sys/net/ipv4/tcp_* /proc/sys/net/ipv6/conf/*/mtu
    } 2> /dev/null
    change() {
        echo "# $*"
        before=$(state)
        IFS='|'
        set -- $*
        IFS=$BLANKS
        said=$(begin /tmp/state 0 60 "$@")
        case $said in
        *armed*changed*)
            token=$(printf '%s\n' "$said" | sed -n 's/^armed\t60\t//p')
            case $(confirm /tmp/state "$token") in *confirmed*) echo made ;; esac
            [ "$before" != "$(state)" ] || echo nothing changed
            undo /tmp/state | grep -v '^change\|^item\|^back\|^done'
            ;;
        *) printf '%s\n' "$said" | grep -v '^was\|^new' ;;
        esac
        after=$(state)
        [ "$before" = "$after" ] || { printf '%s\n' "$before" > /tmp/before; printf '%s\n' "$after" | diff /tmp/before -; }
    }
    change 'mtu|eth8.5|1400|mtu|inner|1400'
    change 'mtu|eth8|1400|mtu|eth8.5|1400|mtu|inner|1400'
    change 'mtu|inner|1300|mtu|eth8.5|1400|mtu|eth8|1450'
    change 'mtu|bond8|1400|mtu|bond8.7|1400'
    change 'qdisc|eth8|fq'
    change 'qdisc|slave8|cake bandwidth 95000kbit'
    change 'route|4 10.5.0.0/16 mtu|1400'
    change 'file|/proc/sys/net/ipv4/tcp_sack|0'
    change 'mtu|eth8|1400'
    change 'mtu|eth8|1400|mtu|eth8.5|1400'
    change 'mtu|bond8|1400'
    change 'mtu|inner|1000'
    ip link set slave8 mtu 1480
    change 'mtu|bond8|1400|mtu|bond8.7|1400'
"##;

#[test]
fn vlans_and_bonds_are_put_back_to_the_line() {
    let command = script(&["eval", SCENE]);
    let run = record(&format!(
        "title = \"apply\"\nfamily = \"both\"\npath = {{ rate = \"10 Mbit/s\", rtt = \"20 ms\", buffer = \"20 packets\" }}\n\
         flows = [{{ kind = \"ping\", family = \"ipv4\", interval = \"10 s\", duration = \"120 s\" }}]\n\
         [hosts.sender]\nrun = [{command:?}]\n"
    ));
    let [ran] = &run.series.facts.ran[..] else { panic!("{:?}", run.series.facts.ran) };
    let said: Vec<&str> = ran.output.split("# ").skip(1).map(str::trim_end).collect();
    assert_eq!(said.len(), 13, "{}", ran.output);
    for change in &said[..8] {
        assert!(change.ends_with("\nmade"), "{change}");
    }
    let refused = [
        "eth8.5 on top of it has MTU 1500: it would take 1400 over, and keep it after undo; change it in the same command: mtu@eth8.5=1400",
        "inner on top of it has MTU 1500",
        "bond8.7 on top of it has MTU 1500",
        "below 1280 the kernel takes IPv6 off inner",
        "slave8, which it joins, has MTU 1480",
    ];
    for (change, why) in said[8..].iter().zip(refused) {
        assert!(change.contains(why) && !change.contains("\n<") && !change.contains("\n>"), "{change}");
    }
}
