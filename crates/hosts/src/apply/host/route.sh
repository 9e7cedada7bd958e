# Routes of the main table: an attribute of one that is there, or a new one, made of the route that covers it.

# FAMILY PREFIX: the first route of a prefix, as ip(8) prints it.
route() {
    ip -"$1" -o route show table main exact "$2" 2> /dev/null | sed -n '1{s/ *$//;p;}'
}

# LINE: without what ip(8) prints and does not take.
takeable() {
    printf '%s\n' "$1" | sed 's/ linkdown//; s/ dead//; s/rto_min lock /rto_min /'
}

# The value of an attribute in a line of ip(8).
attribute() (
    set -f
    name=$1
    set -- $2
    while [ $# -gt 1 ]; do
        if [ "$1" = "$name" ]; then
            if [ "$2" = lock ]; then printf 'lock %s' "${3-}"; else printf '%s' "$2"; fi
            exit
        fi
        shift
    done
    printf none
)

# A line of ip(8) without an attribute.
without() (
    set -f
    name=$1 rest=
    set -- $2
    while [ $# -gt 0 ]; do
        if [ "$1" = "$name" ]; then
            [ "${2-}" != lock ] || shift
            [ $# -lt 2 ] || shift
        else
            rest="$rest $1"
        fi
        shift
    done
    printf '%s' "${rest# }"
)

# LINE: why a route cannot be made anew as it is; nothing if it can.
unlike_others() {
    case " $1 " in
    *nexthop*) printf 'it has several next hops' ;;
    *' nhid '*) printf 'it goes over an object of `ip nexthop`' ;;
    *' encap '*) printf 'it encapsulates' ;;
    *' expires '* | *' proto ra '*) printf 'it is from a router advertisement and expires, as a changed one would not' ;;
    ' unreachable '* | ' blackhole '* | ' prohibit '* | ' throw '* | ' local '* | ' broadcast '* | ' multicast '* | ' anycast '*)
        printf 'it leads to no other host'
        ;;
    esac
}

# FAMILY PREFIX ATTRIBUTE [WAY]: refuses, or completes $subject with all that a new route has but the attribute.
check_route() {
    line=$(route "$1" "$2")
    if [ -n "$line" ]; then
        why=$(unlike_others "$line")
        if [ $# -gt 3 ] && [ -z "$why" ]; then
            case " $(takeable "$line") " in *" ${subject#* * * } "*) ;; *) why="it does not go ${subject#* * * }" ;; esac
        fi
        [ -z "$why" ] || refuse "the route to $2 is not changed: $why: $line"
        return
    fi
    family=$1 prefix=$2 name=$3
    shift 3
    way=$*
    matched=$(ip -"$family" -o route show table main match "$prefix" 2> /dev/null | longest | sed 's/ *$//')
    covering=
    if [ "$prefix" != default ]; then
        covering=$(ip -"$family" -o route get fibmatch "${prefix%/*}" 2> /dev/null | sed -n '1{s/ *$//;p;}')
    fi
    if [ -n "$way" ]; then
        case " $(takeable "$covering") " in
        *nexthop* | *' nhid '* | *' encap '*) covering= ;;
        *" $way "*) [ "$covering" = "$matched" ] || covering= ;;
        *) covering= ;;
        esac
        case $way:$covering in dev*:) refuse "the route that covers $prefix does not go $way; name the next hop: VALUE,via=ADDRESS,dev=DEVICE"; return ;; esac
    else
        hint="name its way: VALUE,via=ADDRESS,dev=DEVICE"
        if [ -z "$matched" ]; then
            refuse "no route in the main table covers $prefix; $hint"
            return
        elif [ "$covering" != "$matched" ]; then
            refuse "a rule or a longer route sends ${prefix%/*} elsewhere than the route that covers $prefix: ${covering:-nowhere}, not $matched; $hint"
            return
        fi
        why=$(unlike_others "$covering")
        if [ -n "$why" ]; then
            refuse "a route to $prefix cannot be made of the one that covers it: $why: $covering; $hint"
            return
        fi
        REACHED="$REACHED$number $family ${prefix%/*} $(reached "$family" "${prefix%/*}")$NL"
    fi
    [ -z "$covering" ] || way=$(without expires "$(without proto "$(takeable "${covering#* }")")")
    subject="$family $prefix $name $(without "$name" "$way")"
    subject=${subject% }
}

# The line with the longest prefix. A line may begin with a kind of route.
longest() {
    awk '
        { prefix = $1 ~ /^[a-z]+$/ && $1 != "default" ? $2 : $1 }
        { bits = prefix == "default" ? 0 : split(prefix, part, "/") > 1 ? part[2] + 0 : 128 }
        NR == 1 || bits > most { most = bits; line = $0 }
        END { print line }'
}

# FAMILY ADDRESS: next hop, device and source of its packets.
reached() {
    ip -"$1" -o route get "$2" 2> /dev/null | sed 1q | grep -oE '(via (inet6 )?[^ ]+|dev [^ ]+|src [^ ]+)' | tr '\n' ' '
}

# Whether packets to the destinations of new routes go as before.
check_reached() {
    printf '%s' "$REACHED" | while read -r number family address before; do
        after=$(reached "$family" "$address")
        [ "${after% }" = "${before% }" ] || {
            say refused "$number" "with the new route, packets to $address would go $after, not $before"
            exit 1
        }
    done
}

# VALUE FAMILY PREFIX ATTRIBUTE [WAY]: an attribute of the route that is there; else of a new one.
put_route() {
    value=$1 family=$2 prefix=$3 name=$4
    shift 4
    line=$(takeable "$(route "$family" "$prefix")")
    if [ "$value" = - ]; then
        ip -"$family" route del $line
        return
    fi
    [ -n "$line" ] || line="$prefix $*"
    line=$(without "$name" "$line")
    [ "$value" = none ] && set -- || set -- "$name" $value
    ip -"$family" route replace $line "$@"
}
