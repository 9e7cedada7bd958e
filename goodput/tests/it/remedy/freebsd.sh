#!/bin/sh
# As much of FreeBSD's programs as remedies use, by the name that it is called with. The state is files under $STATE; what
# the programs do not take is refused.
set -u
STATE=${FAKE_STATE:-${STATE-}}
refuse() { echo "$name: $*" >&2; exit 64; }
name=${0##*/}

set_sysctl() {
    key=${1%%=*}; value=${1#*=}
    [ "$key" = net.inet.tcp.hostcache.purgenow ] && return
    [ -e "$STATE/sysctl/$key" ] || refuse "unknown oid '$key'"
    case $key=$value in
    net.inet.tcp.cc.algorithm=newreno | net.inet.tcp.cc.algorithm=cubic) ;;
    net.inet.tcp.cc.algorithm=*) [ -e "$STATE/modules/cc_$value" ] || refuse "$value: No such process" ;;
    net.inet.tcp.functions_default=freebsd) ;;
    net.inet.tcp.functions_default=*) [ -e "$STATE/modules/tcp_$value" ] || refuse "$value: No such file" ;;
    *) case $value in '' | *[!0-9]*) refuse "invalid integer '$value'" ;; esac ;;
    esac
    echo "$value" > "$STATE/sysctl/$key"
}

# Replaces a word of the options, or adds it.
option() {
    grep -vx "$2" "$STATE/options" > "$STATE/rest"
    mv "$STATE/rest" "$STATE/options"
    [ "$1" = off ] || echo "$2" >> "$STATE/options"
    sort -o "$STATE/options" "$STATE/options"
}

has() { grep -qx "$1" "$STATE/options"; }

case $name in
sysctl)
    case ${1-} in
    -n) [ $# = 2 ] || refuse "$*"; cat "$STATE/sysctl/$2" ;;
    -e) [ $# = 2 ] || refuse "$*"; echo "$2=$(cat "$STATE/sysctl/$2")" ;;
    -f) sed 's/#.*//; s/ *$//' "$2" | grep . | while read -r line; do set_sysctl "$line" || exit 1; done ;;
    -*) refuse "illegal option $1" ;;
    *=*) [ $# = 1 ] || refuse "$*"; set_sysctl "$1" ;;
    *) refuse "$*" ;;
    esac ;;
kldload)
    [ "${1-}" = -n ] && [ $# = 2 ] || refuse "$*"
    case $2 in cc_* | tcp_* | pf) touch "$STATE/modules/$2" ;; *) refuse "can't load $2: No such file" ;; esac ;;
ifconfig)
    [ "${1-}" != -l ] || { echo em0; exit; }
    [ "${1-}" = em0 ] || refuse "interface ${1-} does not exist"
    shift
    if [ $# = 0 ]; then
        echo "em0: flags=1008843<UP,BROADCAST,RUNNING,SIMPLEX,MULTICAST,LOWER_UP> metric 0 mtu $(cat "$STATE/mtu")"
        printf '\toptions=4e524bb<%s>\n' "$(paste -sd, "$STATE/options")"
    fi
    while [ $# -gt 0 ]; do
        case $1 in
        mtu) shift; case $1 in *[!0-9]*) refuse "$1: bad value" ;; esac; echo "$1" > "$STATE/mtu" ;;
        # ifnet drivers drop TSO with the checksum, and refuse it without.
        -txcsum) option off TXCSUM; option off TSO4 ;;
        txcsum) option on TXCSUM ;;
        tso4) has TXCSUM || refuse "enable txcsum first"; option on TSO4 ;;
        -tso4) option off TSO4 ;;
        tso6) option on TSO6 ;;
        -tso6) option off TSO6 ;;
        lro) option on LRO ;;
        -lro) option off LRO ;;
        vlanhwtso) option on VLAN_HWTSO ;;
        -vlanhwtso) option off VLAN_HWTSO ;;
        *) refuse "$1: bad value" ;;
        esac
        shift
    done ;;
route)
    # Lines of the table: prefix, gateway, MTU, interface.
    [ "${1-}" = -6 ] && shift
    verb=$1; shift
    case $1 in -net) prefix=$2; shift 2 ;; default) prefix=default; shift ;; *) refuse "$*" ;; esac
    line=$(grep "^$prefix " "$STATE/routes")
    set_line() { grep -v "^$prefix " "$STATE/routes" > "$STATE/rest"; echo "$1" >> "$STATE/rest"; sort -o "$STATE/routes" "$STATE/rest"; rm "$STATE/rest"; }
    gateway=$(echo "$line" | cut -d' ' -f2); mtu=$(echo "$line" | cut -d' ' -f3)
    while [ $# -gt 0 ]; do
        case $1 in
        -interface) gateway=link#1; shift 2 ;;
        -mtu) mtu=$2; shift 2 ;;
        [0-9a-f]*) gateway=$1; shift ;;
        *) refuse "bad keyword: $1" ;;
        esac
    done
    case $verb in
    add) [ -z "$line" ] || refuse "route already in table"; set_line "$prefix $gateway ${mtu:-1500} em0" ;;
    change) [ -n "$line" ] || refuse "not in table"; set_line "$prefix $gateway $mtu em0" ;;
    delete)
        [ -n "$line" ] || refuse "not in table"
        grep -v "^$prefix " "$STATE/routes" > "$STATE/rest"; mv "$STATE/rest" "$STATE/routes" ;;
    *) refuse "$verb" ;;
    esac ;;
netstat)
    [ "$1 $2" = "-rnW -f" ] || refuse "$*"
    printf 'Routing tables\n\nInternet:\nDestination Gateway Flags Nhop# Mtu Netif Expire\n'
    while read -r prefix gateway mtu device; do echo "$prefix $gateway UGS 5 $mtu $device"; done < "$STATE/routes" ;;
pfctl)
    [ -e "$STATE/modules/pf" ] || refuse "/dev/pf: No such file or directory"
    case "$*" in
    '-s info') printf 'Status: %s\n' "$(cat "$STATE/pf")" ;;
    '-f '*) grep -E '^(scrub|block|pass) ' "$2" | sed 's/ *#.*//' > "$STATE/rules" ;;
    -e) [ "$(cat "$STATE/pf")" = Disabled ] || refuse "pf already enabled"; echo Enabled > "$STATE/pf" ;;
    '-F all') : > "$STATE/rules" ;;
    -d) [ "$(cat "$STATE/pf")" = Enabled ] || refuse "pf not enabled"; echo Disabled > "$STATE/pf" ;;
    *) refuse "$*" ;;
    esac ;;
# FreeBSD's takes the suffix of the backup as a word of its own.
sed) if [ "${1-}" = -i ]; then [ -z "$2" ] || refuse "backup $2"; shift 2; exec "$SED" -i "$@"; fi; exec "$SED" "$@" ;;
esac
