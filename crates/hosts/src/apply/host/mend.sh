# Addresses, routes and neighbors that a device lost with a change: a driver may take it down and up again for one.

# LINES: makes again what is missing (-) along the devices. What has a lifetime is renewed by whoever gave it.
mend() {
    for device in $DEVICES; do
        printf '%s\n' "$1" | sed -n "s/^-address [0-9]*: \($device .*\)/\1/p" | while read -r line; do mend_address $line; done
    done
    # A route may need another one, to its next hop.
    for turn in 1 2; do
        for device in $DEVICES; do
            printf '%s\n' "$1" | grep -E "^-route .* dev $device( |$)" | grep -v ' proto ra ' | while read -r word family line; do
                ip "$family" route add $(takeable "$line" | tr -d '\\')
            done
        done
    done
    for device in $DEVICES; do
        printf '%s\n' "$1" | sed -n "s/^-neighbor \([^ ]* dev $device lladdr [^ ]*\) .*/\1/p" | while read -r line; do
            ip neigh replace $line nud permanent
        done
    done
} 2> /dev/null

# DEVICE FAMILY ADDRESS [WORD]...: as `ip -o addr` has it.
mend_address() {
    device=$1 address=$3 words= label=
    shift 3
    while [ $# -gt 0 ]; do
        case $1 in
        dynamic) return ;;
        peer | brd | scope | metric | proto)
            words="$words $1 ${2-}"
            shift
            ;;
        noprefixroute | home | mngtmpaddr | nodad | autojoin) words="$words $1" ;;
        "$device" | "$device":*) label="label $1" ;;
        esac
        shift
    done
    ip addr add "$address" dev "$device" $words $label
}
