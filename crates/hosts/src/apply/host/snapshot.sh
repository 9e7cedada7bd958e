# The state of the host that a change could reach, a line each: compared before and after, and after it is put back.

# Without what changes by itself: states of lines, timers, lifetimes, counters, what the kernel derives from addresses, what a
# routing daemon puts in and takes out, and modules.
snapshot() {
    if [ "$(uname)" = FreeBSD ]; then
        for device in $(ifconfig -l); do ifconfig "$device" | sed "/^[[:blank:]]*\(status\|media\):/d; s/^/ifconfig $device /"; done
        for family in inet inet6; do netstat -rnW -f "$family" | awk 'NF >= 6 { print "netstat", $1, $2, $3, $5, $6 }'; done
        for name in $NAMES; do echo "sysctl $name $(sysctl -n "$name")"; done
        return
    fi
    ip -d -o link show | sed 's/NO-CARRIER,//; s/,LOWER_UP//; s/,M-DOWN//; s/ state [A-Z]*//; s/ qdisc [^ ]*//; s/ promiscuity [0-9]*//
        s/ allmulti [0-9]*//; s/ [a-z_]*_timer *[0-9.]*//g; s/^/link /'
    ip -o addr show | sed 's/\\ *valid_lft.*//; s/ tentative//; s/^/address /'
    for family in 4 6; do
        ip -"$family" rule show | sed "s/^/rule -$family /"
        ip -"$family" -o route show table all |
            sed -E "/ table local proto kernel/d; s/ (linkdown|dead)//g; s/ expires [^ ]*//; / proto (bgp|bird|zebra|ospf|isis|rip|babel|eigrp) /d; s/^/route -$family /"
    done
    ip neigh show nud permanent | sed 's/^/neighbor /'
    tc qdisc show | sed 's/ refcnt [0-9]*//; s/^/tc /'
    tc qdisc show | sed -n 's/^qdisc [^ ]* \([1-9a-f][0-9a-f]*\): dev \([^ ]*\) .*/\2/p' | sort -u | while read -r device; do
        tc class show dev "$device"
        for side in root ingress egress; do tc filter show dev "$device" "$side" | sed "s/^/$side /"; done
    done | sed 's/^/tc /'
    for device in $DEVICES; do
        for of in k c g; do ethtool -"$of" "$device" | sed "1d; s/^/ethtool -$of $device /"; done
        grep . /proc/sys/net/ipv[46]/conf/"$device"/*
    done
    grep . /proc/sys/net/ipv4/tcp_* /proc/sys/net/core/[rw]mem_max /proc/sys/net/core/default_qdisc \
        /sys/module/tcp_cubic/parameters/hystart | grep -v -e /tcp_fastopen_key -e /tcp_available_
    nft -s -t list ruleset | sed 's/^/nft /'
} 2> /dev/null

# ITEMS: sets DEVICES to those that the items are about, and those on top of them, which follow.
devices_of() {
    DEVICES=
    each add_device "$1"
    DEVICES=$(printf '%s\n' $DEVICES | sort -u)
}

add_device() {
    case $kind in mtu | offload | qdisc) DEVICES="$DEVICES ${subject%% *} $(on_top "${subject%% *}")" ;; esac
}

SPLIT='==== and then ===='

# BEFORE AFTER: lines that only the first (-) or only the second (+) has.
differences() {
    printf '%s\n%s\n%s\n' "$1" "$SPLIT" "$2" | awk -v split_line="$SPLIT" '
        $0 == split_line { is_second = 1; next }
        !is_second { count[$0]++; line[++lines] = $0; next }
        count[$0] > 0 { count[$0]--; next }
        { print "+" $0 }
        END { for (i = 1; i <= lines; i++) if (count[line[i]] > 0) { count[line[i]]--; print "-" line[i] } }'
}

# STATE LINES: a state without the lines that a change added, and with those that it took away.
without_change() {
    printf '%s\n%s\n%s\n' "$2" "$SPLIT" "$1" | awk -v split_line="$SPLIT" '
        $0 == split_line { is_state = 1; next }
        !is_state && /^\+/ { added[substr($0, 2)]++; next }
        !is_state { if (/^-/) print substr($0, 2); next }
        added[$0] > 0 { added[$0]--; next }
        { print }'
}

# BEFORE: makes again what devices lost, then says, and logs, how the host differs from it. It has two seconds to settle: a device
# that begins anew, say.
compare() {
    tries=0
    while :; do
        differs=$(differences "$1" "$(snapshot)")
        [ -n "$differs" ] && [ "$tries" -lt 10 ] || break
        mend "$differs"
        sleep 0.2 2> /dev/null || sleep 1
        tries=$((tries + 1))
    done
    [ -n "$differs" ] || return 0
    count=$(printf '%s\n' "$differs" | grep -c .)
    [ "$count" -le 40 ] || differs="$(printf '%s\n' "$differs" | sed 40q)$NL and $((count - 40)) more lines"
    IFS=$NL
    set -f
    for line in $differs; do
        IFS=$BLANKS
        say differs 0 "$line"
        log "$TOKEN" "NOT as before: $line"
        IFS=$NL
    done
    IFS=$BLANKS
    set +f
}
