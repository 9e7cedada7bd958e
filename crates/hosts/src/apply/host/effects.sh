# What the kernel changes besides a setting: refused where it could not be put back, else an item of its own. The table is in
# goodput/src/apply/effects.rs.

# KIND SUBJECT WAS NEW: an item for what the kernel changes by itself, behind all others: it can be put back only then.
add_besides() {
    besides="$besides$number|$1|$2|$3|$4$NL"
}

# DEVICE: the devices that take its MTU over when it falls, and keep it: those on top of it, and on top of these
# (NETDEV_CHANGEMTU in net/8021q/vlan.c, drivers/net/macvlan.c, drivers/net/ipvlan/ipvlan_main.c, drivers/net/macsec.c).
on_top() (
    kinds='vlan macvlan macvtap ipvlan ipvtap macsec'
    bridge=$(ip -o link show dev "$1" | sed -n 's/.* master \([^ ]*\) .*/\1/p')
    # A bridge takes the least MTU of its ports over, and gives it up by itself (br_mtu_auto_adjust, net/bridge/br_if.c).
    [ -z "$bridge" ] || [ -z "$(ip -o link show type bridge dev "$bridge")" ] || on_top "$bridge"
    for type in $kinds; do ip -o link show type "$type"; done | while read -r index name rest; do
        case $name in
        *@"$1":)
            printf '%s\n' "${name%@*}"
            on_top "${name%@*}"
            ;;
        esac
    done
) 2> /dev/null

# INDEX: the same of devices that were moved to other namespaces, as containers have them: `NAME in NAMESPACE`.
on_top_elsewhere() (
    for inode in $(ls -l /proc/[0-9]*/ns/net | sed -n 's|.*/proc/\([0-9]*\)/ns/net -> net:\[\([0-9]*\)\].*|\2:\1|p' | sort -u -t : -k 1,1); do
        [ "${inode%:*}" != "$own" ] || continue
        for type in vlan macvlan macvtap ipvlan ipvtap macsec; do
            nsenter --net="/proc/${inode#*:}/ns/net" ip -o link show type "$type"
        done | sed -n "s/^[0-9]*: \([^@]*\)@if$1: .*/\1 in the namespace of process ${inode#*:}/p"
    done
) 2> /dev/null

# DEVICE MTU WAS
check_mtu() {
    device=$1 to=$2 from=$3 least=$2
    [ "$from" -ge "$to" ] || least=$from
    above=$(on_top "$device")
    for one in $above; do
        case " $ASKED_MTU " in *" $one "*) continue ;; esac
        value=$(get mtu "$one")
        [ "$value" -le "$to" ] || refuse "$one on top of it has MTU $value: it would take $to over, and keep it after undo; change it in the same command: mtu@$one=$to"
    done
    if [ "$to" -lt "$from" ]; then
        elsewhere=$(on_top_elsewhere "$(cat "/sys/class/net/$device/ifindex" 2> /dev/null || ip -o link show dev "$device" | sed 's/:.*//')" | tr '\n' ' ')
        [ -z "$elsewhere" ] || refuse "another namespace has a device on top of it, which would take $to over and keep it after undo: $elsewhere"
    fi
    for one in $(ip -o link show master "$device" 2> /dev/null | sed 's/^[0-9]*: \([^@:]*\).*/\1/'); do
        [ -z "$(ip -o link show type bridge dev "$device" 2> /dev/null)" ] || break
        value=$(get mtu "$one")
        [ "$value" = "$from" ] || refuse "$one, which it joins, has MTU $value, and would take over that of $device"
    done
    for one in $device $above; do
        conf=/proc/sys/net/ipv6/conf/$one
        [ -d "$conf" ] || continue
        if [ "$to" -lt 1280 ]; then
            refuse "below 1280 the kernel takes IPv6 off $one, with its addresses, routes and settings, and undo could not bring them back"
            return
        fi
        own_mtu=$(get file "$conf/mtu")
        # fib6_nh_mtu_change in net/ipv6/route.c
        line=$(ip -6 -o route show table all dev "$one" 2> /dev/null |
            sed -n 's/$/ /; s/.* mtu \([0-9]*\) .*/\1 &/p' | awk -v least="$least" -v own="$own_mtu" '$1 >= least || $1 == own { $1 = ""; print; exit }')
        if [ -n "$line" ]; then
            refuse "the kernel would change the MTU of an IPv6 route along $one, and not back:$line; change routes instead: route-mtu@PREFIX=BYTES"
            return
        fi
        case "$NL$besides" in *"|mtu6|$one|"*) continue ;; esac
        [ "$own_mtu" = "$(get mtu "$one")" ] || add_besides mtu6 "$one" "$own_mtu" "$to"
    done
}

# DEVICE: the kernel makes a queueing discipline anew when ours goes, by its default of then (net/sched/sch_generic.c).
check_qdisc() {
    default=$(get file /proc/sys/net/core/default_qdisc)
    there=$(tc qdisc show dev "$1" | sed -n 's/^qdisc \([^ ]*\) 0: .*/\1/p' | sort -u | grep -vx -e noqueue -e mq | tr '\n' ' ')
    case $default:${there% } in
    -:* | *: | "${there% }:${there% }") ;;
    *)
        refuse "its queueing discipline is ${there% }, and the kernel would make it anew as $default (net.core.default_qdisc)"
        return
        ;;
    esac
    # qdisc_create in net/sched/sch_api.c
    [ "$(get qlen "$1")" != 0 ] || add_besides qlen "$1" 0 1000
}

# FILE CONTROL: setting it also allows it to every user (tcp_set_default_congestion_control in net/ipv4/tcp_cong.c).
add_allowed() {
    list=${1%/*}/tcp_allowed_congestion_control
    [ ! -w "$list" ] || is_in "$2" "$(get file "$list")" || add_besides allowed "$list $2" - "$2"
}

# DEVICE GROUP: its features that are on; switching a group on would switch on more.
features_on() {
    ethtool -k "$1" 2> /dev/null | awk -v group="$2:" '/^[^\t]/ { is_in = $1 == group } /^\t/ && is_in && $2 == "on" && !/fixed/ { sub(":", "", $1); printf " %s", $1 }'
}
