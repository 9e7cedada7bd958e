# A change: planned, made, tried in turns, confirmed, put back, undone.

refuse() {
    say refused "$number" "$1"
    refusals=1
}

# FILE NEW WAS: refuses a congestion control that this network namespace may not set, or could not put back. The kernel lets the first
# namespace set all that it has, and the others those that are allowed there (net/ipv4/tcp_cong.c, tcp_set_default_congestion_control).
# The list of the first one alone can be written.
check_control() {
    list=${1%/*}/tcp_allowed_congestion_control
    allowed=$(get file "$list")
    [ "$allowed" != - ] && [ ! -w "$list" ] || return 0
    if ! is_in "$2" "$allowed"; then
        refuse "$2 is not allowed in this network namespace: net.ipv4.tcp_allowed_congestion_control is $allowed$(not_there "$1" "$2")"
        advise_control "$1" "$allowed" "$2"
    elif ! is_in "$3" "$allowed"; then
        refuse "$3, which is set now, could not be put back in this network namespace: net.ipv4.tcp_allowed_congestion_control is $allowed"
        advise_control "$1" "$allowed" "$3"
    fi
}

# FILE CONTROL: whether the kernel has it without loading a module.
is_available() {
    is_in "$2" "$(get file "${1%/*}/tcp_available_congestion_control")"
}

# FILE CONTROL: what the kernel has instead of a control that it does not have.
not_there() {
    is_available "$@" || printf ', and the kernel has %s' "$(get file "${1%/*}/tcp_available_congestion_control")"
}

# FILE ALLOWED CONTROL: the commands that allow it.
advise_control() {
    load=
    is_available "$1" "$3" || load="sudo modprobe tcp_$3; "
    say advice "$number" "on the host, outside of the namespace: ${load}sudo sysctl net.ipv4.tcp_allowed_congestion_control=\"$2 $3\""
}

# KIND SUBJECT VALUE: appends an item to $items, or says why it cannot be changed.
plan() {
    kind=$1 subject=$2 new=$3
    set -f
    set -- $subject
    set +f
    case $kind in
    third | least | memory) target=file ;;
    raise) target=sysctl ;;
    *) target=$kind ;;
    esac
    was=$(get "$target" "$subject")
    case $target in
    file)
        [ -e "$1" ] || { refuse "this kernel, or this network namespace, has no such setting"; return; }
        if [ ! -w "$1" ]; then
            if [ "$(id -u)" = 0 ]; then refuse "this network namespace can only read it"; else refuse "needs root"; fi
            return
        fi
        case $1 in
        */tcp_congestion_control)
            check_control "$1" "$new" "$was"
            add_allowed "$1" "$new"
            ;;
        esac
        ;;
    sysctl)
        [ "$was" != - ] || { refuse "this kernel has no such setting"; return; }
        [ "$(id -u)" = 0 ] || { refuse "needs root"; return; }
        ;;
    entry) [ "$(id -u)" = 0 ] || { refuse "needs root"; return; } ;;
    *)
        case $target in
        mtu | route | once) tool=ip ;;
        qdisc) tool=tc ;;
        offload) tool=ethtool ;;
        clamp) tool=nft ;;
        ifmtu | ifoption) tool=ifconfig ;;
        ifroute) tool=netstat ;;
        hostcache) tool=sysctl ;;
        esac
        command -v "$tool" > /dev/null || { refuse "$tool is not installed"; return; }
        [ "$(id -u)" = 0 ] || { refuse "needs root"; return; }
        ;;
    esac
    case $target in
    mtu | offload | qdisc)
        if ! ip link show dev "$1" > /dev/null 2>&1; then
            refuse "there is no device $1; here are: $(ip -o link show | sed 's/^[0-9]*: \([^:@]*\).*/\1/' | tr '\n' ' ')"
            return
        fi
        ;;
    esac
    case $target in
    ifmtu | ifoption)
        ifconfig "$1" > /dev/null 2>&1 || { refuse "there is no device $1; here are: $(ifconfig -l)"; return; }
        if [ "$target" = ifmtu ] && [ "$new" -lt 1280 ] && ifconfig "$1" | grep -q inet6; then
            refuse "IPv6 needs 1280 (RFC 8200), and $1 has addresses of it"
            return
        fi
        ;;
    ifroute)
        if [ "$was" = - ] && [ $# -lt 3 ]; then
            refuse "no route to $2 is there: name its way, as in $new,via=ADDRESS"
            return
        fi
        ;;
    esac
    case $kind in
    third)
        set -- $was
        [ $# = 3 ] || { refuse "it has not three values: $was"; return; }
        most=$3
        [ "$new" -gt "$most" ] || new=$most
        [ "$new" -ge "$2" ] || new=$2
        new="$1 $2 $new"
        ;;
    least | raise) [ "$new" -gt "$was" ] || new=$was ;;
    memory)
        # A sixteenth of the memory in pages of 4 KiB, times 3/4, 1 and 3/2 (net/ipv4/tcp.c, tcp_init_mem).
        pages=$(sed -n 's/^MemTotal: *\([0-9]*\).*/\1/p' /proc/meminfo)
        pages=$((pages / 256))
        new="$((3 * pages)) $((4 * pages)) $((6 * pages))"
        ;;
    qdisc)
        if [ "$was" = "${new%% *}" ]; then
            say same "$number" "$was"
            return
        fi
        [ "$was" = - ] || { refuse "somebody has chosen its queueing discipline ($was); it is not replaced"; return; }
        check_qdisc "$1"
        ;;
    mtu) [ "$was" = "$new" ] || check_mtu "$1" "$new" "$was" ;;
    clamp)
        if [ "$was" = "$new" ]; then
            say same "$number" "$was"
            return
        fi
        [ "$was" = - ] || { refuse "a table inet goodput is there already, with MSS $was; it is not replaced"; return; }
        ;;
    offload)
        [ "$was" != - ] || { refuse "$1 has no $3"; return; }
        subject="$subject$(features_on "$1" "$3")"
        ;;
    route) check_route "$@" ;;
    esac
    if [ "$was" = "$new" ] && [ "$target" != once ] && [ "$target" != hostcache ]; then
        say same "$number" "$was"
    else
        say was "$number" "$was"
        say new "$number" "$new"
        items="$items$number|$target|$subject|$was|$new$NL"
    fi
    [ "$KEEP" != 1 ] || keep "$target" "$subject" "$new"
}

# Adds the item that keeps a setting over a reboot.
keep() {
    case $STATE:$1:$2 in
    */net-[0-9]*) refuse "--keep cannot keep it: the settings of a network namespace end with it" ;;
    *:file:/proc/sys/*)
        key=$(printf '%s' "${2#/proc/sys/}" | tr / .)
        plan_entry "/etc/sysctl.d/90-goodput.conf $key" "$key = $3"
        ;;
    *:file:*) plan_entry "/etc/tmpfiles.d/goodput.conf w $2" "w $2 - - - - $3" ;;
    *) refuse "--keep cannot keep it; goodput prints the lines that do with --dry-run" ;;
    esac
}

plan_entry() {
    was=$(get entry "$1")
    [ "$was" != "$2" ] || return 0
    items="$items$number|entry|$1|$was|$2$NL"
    say keeps "$number" "$2"
}

# Whether the watchdog has not begun to put back; it waits anew.
still_pending() {
    mv "$STATE/quiet" "$STATE/beat" 2> /dev/null
    [ -e "$STATE/pending" ]
}

put_new() {
    ! is_besides "$kind" && [ "$kind" != entry ] || return 0
    [ "$failed" = 0 ] && still_pending || { failed=1; return 0; }
    error=$(put "$kind" "$subject" "$new" 2>&1 > /dev/null) || {
        say refused "$number" "$(not_taken "$subject" "$new" "${error:-it cannot be set}")"
        case $subject in
        */tcp_congestion_control) is_available "$subject" "$new" || say advice "$number" "choose one of these, or install the module: \`sudo modprobe tcp_$new\` must find it" ;;
        esac
        failed=1
    }
}

check_new() {
    ! is_silent "$kind" && ! is_besides "$kind" && [ "$kind" != entry ] || return 0
    now=$(get "$kind" "$subject")
    is_new "$kind" "$now" "$new" "$subject" || {
        say lost "$number" "$now"
        failed=1
    }
}

# STATE KEEP SECONDS [KIND SUBJECT VALUE]...: reads, keeps, arms the watchdog, changes, reads again.
begin() {
    home "$1" || return
    KEEP=$2 seconds=$3
    shift 3
    lock || return
    if [ -e "$STATE/undoing" ] || [ -e "$STATE/pending" ]; then
        unlock
        say fail 0 "what an earlier change left cannot be put back: goodput undo says what"
        return
    fi
    items= besides= refusals=0 number=0 REACHED= ASKED_MTU=$(asked_mtu "$@")
    while [ $# -ge 3 ]; do
        number=$((number + 1))
        plan "$1" "$2" "$3"
        shift 3
    done
    if [ "$refusals" = 1 ] || [ -z "$items" ]; then
        [ "$refusals" = 1 ] || say nothing 0
        unlock
        return
    fi
    items=$items$besides
    if wrong=$(printf '%s' "$items" | grep -vE "$ITEM" | sed 1q | grep .); then
        say refused "${wrong%%|*}" "it could not be kept to be put back: $wrong"
        unlock
        return
    fi
    devices_of "$items"
    before=$(snapshot)
    TOKEN=$(date -u +%Y%m%dT%H%M%SZ)-$$
    all="$TOKEN$NL$BOOT$NL$items"
    error=$( (printf '%s' "$all" > "$STATE/new.$$" && printf '%s\n%s\n' "$TOKEN" "$before" > "$STATE/before" && : > "$STATE/quiet") 2>&1)
    if [ -n "$error" ] || [ "$(cat "$STATE/new.$$" 2> /dev/null)$NL" != "$all" ] || ! mv "$STATE/new.$$" "$STATE/pending"; then
        rm -f "$STATE/new.$$" "$STATE/before" "$STATE/quiet"
        say fail 0 "cannot write to $STATE: ${error:-the disk is full}"
        unlock
        return
    fi
    # Lines go into the record whatever its name is by then.
    exec 9>> "$STATE/pending"
    to_disk "$STATE/pending" "$STATE"
    if ! arm "$seconds" "$items"; then
        rm -f "$STATE/pending"
        unlock
        say fail 0 "the watchdog did not start"
        return
    fi
    say armed "$seconds" "$TOKEN"
    failed=0
    each put_new "$items"
    [ "$failed" = 1 ] || each check_new "$items"
    [ "$failed" = 1 ] || check_reached || failed=1
    if [ "$failed" = 0 ]; then
        lines=$(differences "$before" "$(snapshot)")
        check_lost "$lines" || failed=1
        [ -z "$lines" ] || printf '%s\n' "$lines" >&9 2> /dev/null || failed=1
        to_disk "$STATE/pending"
    fi
    still_pending || failed=1
    if [ "$failed" = 1 ]; then give_up; else say changed 0; fi
}

# [KIND SUBJECT VALUE]...: devices whose MTU is changed.
asked_mtu() {
    while [ $# -ge 3 ]; do
        [ "$1" != mtu ] || printf '%s ' "$2"
        shift 3
    done
}

# LINES: whether addresses and routes of the devices are still there, but for routes that were to change.
check_lost() {
    of='address|route'
    case $items in *'|route|'*) of=address ;; esac
    for device in $DEVICES; do
        lost=$(printf '%s\n' "$1" | grep -E "^-($of) .* $device( |$)" | sed 1q)
        [ -z "$lost" ] || {
            say refused 1 "the kernel took away what it should not: ${lost#-}"
            return 1
        }
    done
}

# Puts a pending change back at once.
give_up() {
    if mv "$STATE/pending" "$STATE/undoing" 2> /dev/null; then
        restore "$items"
        is_whole=$?
        compare_with_before
        [ "$is_whole" != 0 ] || rm -f "$STATE/undoing"
        say returned 0
        settle
    else
        # What was set after the watchdog had begun.
        [ -e "$STATE/applied.$TOKEN" ] || restore "$items" > /dev/null
        gone
    fi
}

# Until the watchdog has ended.
settle() {
    tries=0
    while [ -e "$STATE/lock" ] && [ "$tries" -lt 30 ]; do
        nap
        tries=$((tries + 1))
    done
}

# What became of a change that is not pending.
gone() {
    if [ -e "$STATE/applied.$TOKEN" ]; then
        say confirmed 0
    else
        say gone 0 "$(grep " $TOKEN " "$STATE/log" 2> /dev/null | tail -n 1)"
    fi
}

# STATE TOKEN: sets items and TOKEN if the change is pending.
pending() {
    home "$1" || return
    TOKEN=$2
    if [ "$(sed -n 1p "$STATE/pending" 2> /dev/null)" != "$TOKEN" ]; then
        gone
        return 1
    fi
    items=$(items_of "$STATE/pending")
}

beat() {
    pending "$@" || return
    mv "$STATE/quiet" "$STATE/beat" 2> /dev/null
    say beat 0
}

# STATE TOKEN old|new: the settings as they were, or as they shall be, while the change is pending.
turn() {
    pending "$1" "$2" || return
    mv "$STATE/quiet" "$STATE/beat" 2> /dev/null
    failed=0 why=
    if [ "$3" = old ]; then
        put_all_back "$(printf '%s' "$items" | grep -v '^[0-9]*|entry|')"
    else
        each put_new_again "$items"
        each check_new "$items"
        still_pending || { give_up; return; }
    fi
    say turned "$failed" "$3"
}

put_new_again() {
    ! is_silent "$kind" && ! is_besides "$kind" && [ "$kind" != entry ] || return 0
    now=$(get "$kind" "$subject")
    still_pending || return 0
    # A route that is there for another of its attributes has this one not yet.
    [ "$now" = "$was" ] || [ "$was$now" = -none ] || return 0
    put "$kind" "$subject" "$new" > /dev/null 2>&1
}

put_entries() {
    [ "$kind" = entry ] && still_pending || return 0
    error=$(put entry "$subject" "$new" 2>&1 > /dev/null) || say unkept "$number" "$error"
}

# STATE TOKEN: ends a change for good, if it holds.
confirm() {
    pending "$@" || return
    failed=0
    each check_new "$items"
    if [ "$failed" = 1 ]; then
        give_up
        return
    fi
    each put_entries "$items"
    if mv "$STATE/pending" "$STATE/applied.$TOKEN" 2> /dev/null; then
        to_disk "$STATE"
        log "$TOKEN" confirmed
        settle
        say confirmed 0
    else
        # The watchdog has put back what it found.
        restore "$(printf '%s\n' "$items" | grep '|entry|')" > /dev/null
        gone
    fi
}

# STATE TOKEN
back() {
    pending "$@" && give_up
}

# STATE: what an interrupted change has left.
left_over() {
    home "$1" && lock || return
    unlock
    say done 0
}

# STATE [look]: what an interrupted change left, what the watchdog has put back since, and all confirmed changes, the last first.
undo() {
    home "$1" || return
    if [ "${2-}" = look ]; then
        look
        return
    fi
    lock || return
    if [ -e "$STATE/report" ]; then
        cat "$STATE/report"
        rm -f "$STATE/report"
    fi
    each_applied take_back
    unlock
    say done 0
}

# FUNCTION: called for each confirmed change, the last first.
each_applied() {
    found=
    for file in "$STATE"/applied.*; do
        [ ! -e "$file" ] || found="$file$NL$found"
    done
    IFS=$NL
    for file in $found; do
        IFS=$BLANKS
        TOKEN=${file##*/applied.}
        items=$(items_of "$file")
        say change 0 "$TOKEN"
        each tell_item "$items"
        "$1"
    done
    IFS=$BLANKS
}

take_back() {
    if is_of_now "$file"; then
        devices_of "$items"
        expected=$(without_change "$(snapshot)" "$(lines_of "$file")")
        ! restore "$items" || rm -f "$file"
        compare "$expected"
    else
        say rebooted 0
        ! restore "$(kept_items "$file")" || rm -f "$file"
    fi
}

look() {
    if [ -e "$STATE" ]; then
        if ! is_safe_folder "$STATE" || ! check_records; then
            say fail 0 "$error"
            return
        fi
        if ! is_alive "$(holder)"; then
            for name in undoing pending; do
                [ -e "$STATE/$name" ] || continue
                say recovered 0 "$(sed -n 1p "$STATE/$name")"
                each tell_item "$(items_of "$STATE/$name")"
            done
        fi
        [ ! -e "$STATE/report" ] || cat "$STATE/report"
        each_applied :
    fi
    say done 0
}
