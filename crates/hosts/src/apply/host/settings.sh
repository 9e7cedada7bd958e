# Settings of a host: read, changed, put back. POSIX sh, the files of /proc/sys, and ip, tc, nft and ethtool where a change
# needs them.
#
# An item is `number of the change|kind|subject|was|new`; `-` stands for nothing. Files of $STATE: `lock` names the process that holds the host,
# `pending` is the record of a change that nobody has confirmed, `applied.TOKEN` that of one that is confirmed, `undoing`
# that of one that is being put back; `before` has the state of the host before the change that is pending. A file gets and loses
# each of these names in one rename, so that one process wins.
set -u
umask 077
LC_ALL=C
export LC_ALL
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin
NL='
'
BLANKS=' 	
'
IFS=$BLANKS

# A line of the answer: word, number of the change, text.
say() {
    printf '%s\t%s\t%s\n' "$1" "$2" "$(printf '%s' "${3-}" | tr '\n\t' '  ')"
}

log() {
    printf '%s %s %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$1" "$2" >> "$STATE/log"
} 2> /dev/null

nap() {
    sleep 0.1 2> /dev/null || sleep 1
}

get() (
    set -f
    kind=$1
    set -- $2
    case $kind in
    file)
        set -- $(cat "$1" 2> /dev/null)
        printf '%s' "${*:--}"
        ;;
    sysctl)
        set -- $(sysctl -n "$1" 2> /dev/null)
        printf '%s' "${*:--}"
        ;;
    ifmtu)
        attribute mtu "$(ifconfig "$1" 2> /dev/null | sed -n 1p)"
        ;;
    ifoption)
        case $(ifconfig "$1" 2> /dev/null | sed -n 's/^[[:blank:]]*options=[^<]*<\([^>]*\)>.*/,\1,/p') in
        *",$3,"*) printf on ;;
        *) printf off ;;
        esac
        ;;
    ifroute)
        family=inet
        [ "$1" = 4 ] || family=inet6
        value=$(netstat -rnW -f "$family" 2> /dev/null | awk -v prefix="$2" '$1 == prefix { print $5; exit }')
        printf '%s' "${value:--}"
        ;;
    mtu)
        attribute mtu "$(ip -o link show dev "$1" 2> /dev/null)"
        ;;
    mtu6)
        value=$(cat "/proc/sys/net/ipv6/conf/$1/mtu" 2> /dev/null)
        printf '%s' "${value:--}"
        ;;
    qlen)
        value=$(attribute qlen "$(ip -o link show dev "$1" 2> /dev/null)")
        [ "$value" != none ] || value=0
        printf '%s' "$value"
        ;;
    allowed)
        if is_in "$2" "$(get file "$1")"; then printf '%s' "$2"; else printf -- -; fi
        ;;
    offload)
        value=$(ethtool -k "$1" 2> /dev/null | sed -n "s/^$3: \([a-z]*\).*/\1/p")
        printf '%s' "${value:--}"
        ;;
    qdisc)
        value=$(tc qdisc show dev "$1" 2> /dev/null | sed -n 's/^qdisc \([^ ]*\) \([^ ]*\) root.*/\1 \2/p' | sed 1q)
        case $value in
        *' 600d:') printf '%s' "${value% *}" ;;
        '' | *' 0:') printf -- - ;;
        *) printf '%s' "$value" ;;
        esac
        ;;
    route)
        line=$(takeable "$(route "$1" "$2")")
        if [ -n "$line" ]; then attribute "$3" "$line"; else printf -- -; fi
        ;;
    clamp)
        table=$(nft list table inet goodput 2> /dev/null)
        set -- $(printf '%s' "$table" | sed -n 's/.*size set \([0-9]*\)$/\1/p')
        if [ -z "$table" ]; then
            printf -- -
        elif [ $# = 2 ] && [ "$(printf '%s\n' "$table" | grep -c .)" = 7 ]; then
            printf '%s' "$*"
        else
            printf 'other rules'
        fi
        ;;
    entry)
        file=$1
        shift
        value=$(grep "^$* " "$file" 2> /dev/null | sed 1q)
        printf '%s' "${value:--}"
        ;;
    *) printf -- - ;;
    esac
)

put() (
    set -f
    kind=$1 value=$3
    set -- $2
    case $kind in
    file) printf '%s\n' "$value" > "$1" ;;
    sysctl)
        # A module that is there already, or built in, is no error.
        case $1 in
        net.inet.tcp.cc.algorithm) kldload -n "cc_$value" 2> /dev/null ;;
        net.inet.tcp.functions_default) kldload -n "tcp_$value" 2> /dev/null ;;
        esac
        sysctl "$1=$value" > /dev/null
        ;;
    ifmtu) ifconfig "$1" mtu "$value" ;;
    ifoption) if [ "$value" = on ]; then ifconfig "$1" "$2"; else ifconfig "$1" "-$2"; fi ;;
    ifroute) put_ifroute "$value" "$@" ;;
    hostcache) sysctl net.inet.tcp.hostcache.purgenow=1 > /dev/null ;;
    mtu) ip link set dev "$1" mtu "$value" ;;
    mtu6) printf '%s\n' "$value" > "/proc/sys/net/ipv6/conf/$1/mtu" ;;
    qlen) ip link set dev "$1" txqueuelen "$value" ;;
    allowed) printf '%s\n' "$(get file "$1" | tr ' ' '\n' | grep -vx "$2" | tr '\n' ' ')" > "$1" ;;
    offload) put_offload "$value" "$@" ;;
    qdisc)
        if [ "$value" = - ]; then
            tc qdisc del dev "$1" root handle 600d:
        else
            tc qdisc add dev "$1" root handle 600d: $value
        fi
        ;;
    route) put_route "$value" "$@" ;;
    clamp) put_clamp "$value" ;;
    entry) put_entry "$value" "$@" ;;
    once) ip tcp_metrics flush ;;
    esac
)

# VALUE DEVICE WORD NAME [FEATURE]...: a group of features off, or those on again that were on.
put_offload() {
    value=$1 device=$2 word=$3
    shift 4
    [ "$value" = on ] && [ $# -gt 0 ] || set -- "$word"
    turned=
    for feature in "$@"; do turned="$turned $feature $value"; done
    ethtool -K "$device" $turned
}

# VALUE FAMILY PREFIX [WAY]: the MTU of a route of FreeBSD, of the one that is there or of a new one.
put_ifroute() {
    value=$1 option=
    [ "$2" = 4 ] || option=-6
    if [ "$3" = default ]; then to=default; else to="-net $3"; fi
    shift 3
    if [ "$value" = - ]; then
        command route $option delete $to
    else
        command route $option change $to -mtu "$value" 2> /dev/null || command route $option add $to "$@" -mtu "$value"
    fi
}

# The kernel lowers an MSS and never raises one (net/netfilter/nft_exthdr.c).
put_clamp() {
    if [ "$1" = - ]; then
        nft delete table inet goodput
        return
    fi
    rule='tcp flags syn tcp option maxseg size set'
    {
        printf 'table inet goodput {\n chain forward {\n  type filter hook forward priority mangle;\n'
        printf '  meta nfproto ipv4 %s %s\n  meta nfproto ipv6 %s %s\n }\n}\n' "$rule" "${1% *}" "$rule" "${1#* }"
    } | nft -f -
}

# VALUE FILE KEY...: a line of a file of goodput's own.
put_entry() {
    value=$1 file=$2
    shift 2
    folder=${file%/*}
    [ "$value" = - ] || mkdir -p "$folder" || return
    rest=$(grep -v "^$* " "$file" 2> /dev/null)
    [ "$value" = - ] || rest="${rest:+$rest$NL}$value"
    if [ -z "$rest" ]; then
        rm -f "$file"
    else
        (umask 022 && printf '%s\n' "$rest" > "$file.new" && [ "$(cat "$file.new")" = "$rest" ]) && mv -f "$file.new" "$file"
    fi
}

# KIND NOW NEW SUBJECT: whether a value is what was set: of a qdisc with our handle the kind says enough, and a device's MTU sets that
# of its IPv6.
is_new() {
    case $1 in
    qdisc) [ "$2" = "${3%% *}" ] ;;
    mtu6) [ "$2" = "$3" ] || [ "$2" = "$(get mtu "$4")" ] ;;
    *) [ "$2" = "$3" ] ;;
    esac
}

# Kinds that the kernel sets besides another.
is_besides() {
    case $1 in mtu6 | qlen | allowed) return 0 ;; esac
    return 1
}

is_in() {
    case " $2 " in *" $1 "*) return 0 ;; esac
    return 1
}

# Parts of an item.
take() {
    number=${1%%|*} rest=${1#*|}
    kind=${rest%%|*} rest=${rest#*|}
    subject=${rest%%|*} rest=${rest#*|}
    was=${rest%%|*} new=${rest#*|}
}

# Calls a function for each item of a list.
each() {
    IFS=$NL
    set -f
    for item in $2; do
        IFS=$BLANKS
        take "$item"
        "$1"
        IFS=$NL
    done
    IFS=$BLANKS
    set +f
}

reversed() {
    turned=
    each add_in_front "$1"
    printf '%s' "$turned"
}

add_in_front() {
    turned="$item$NL$turned"
}
