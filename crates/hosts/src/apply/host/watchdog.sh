# Puts settings back: what was set, by one process at a time, when nobody confirms it.

# Kinds that are done once, and that nothing puts back.
is_silent() {
    case $1 in once | hostcache) return 0 ;; esac
    return 1
}

put_back() {
    ! is_silent "$kind" || return 0
    now=$(get "$kind" "$subject")
    [ "$now" != "$was" ] || return 0
    is_new "$kind" "$now" "$new" "$subject" || return 0
    error=$(put "$kind" "$subject" "$was" 2>&1 > /dev/null) && return
    error=$(not_taken "$subject" "$was" "$error")
    # Each setting is tried twice.
    case $why in *"$error"*) ;; *) why="${why:+$why; }$error" ;; esac
}

# SETTING VALUE ERROR: why the kernel did not take a value. A shell's printf does not say which error it was.
not_taken() {
    case $1 in
    */tcp_congestion_control)
        printf 'the kernel does not take %s: net.ipv4.tcp_available_congestion_control is %s, and tcp_allowed_congestion_control is %s' \
            "$2" "$(get file "${1%/*}/tcp_available_congestion_control")" "$(get file "${1%/*}/tcp_allowed_congestion_control")"
        ;;
    /proc/* | /sys/*) printf 'the kernel does not take this value (%s)' "${3##*: }" ;;
    *) printf '%s' "$3" ;;
    esac
}

tell_back() {
    ! is_silent "$kind" || return 0
    now=$(get "$kind" "$subject")
    if [ "$now" = "$was" ]; then
        say back "$number" "$kind|$subject|$was"
    elif is_new "$kind" "$now" "$new" "$subject"; then
        say stuck "$number" "$kind|$subject|$why"
        log "$TOKEN" "NOT put back: $subject is $now: $why"
        failed=1
    else
        say left "$number" "$kind|$subject|$now"
        log "$TOKEN" "left, somebody else changed it: $subject is $now"
    fi
}

# Routes come before devices: with the MTU of a device the kernel raises that of its IPv6 routes. Devices and offloads depend on one
# another in either order.
put_all_back() {
    why=
    each put_back "$1"
    each put_back "$(reversed "$1")"
    each put_back "$1"
}

# Puts back what still has the value that was set, and says so.
restore() {
    put_all_back "$1"
    failed=0
    each tell_back "$1"
    [ "$failed" = 1 ] || log "$TOKEN" "put back what still was as set"
    return "$failed"
}

# When a process began, so that a number that is used again is not taken for it.
began() {
    stat=$(cat "/proc/$1/stat" 2> /dev/null) || return
    stat=${stat##*) }
    set -- $stat
    case $1 in Z | X) return 1 ;; esac
    printf '%s' "${20}"
}

is_alive() {
    set -- $1
    if [ -e /proc/self/stat ]; then
        [ $# -ge 2 ] && [ "$(began "$1")" = "$2" ]
    else
        [ $# -ge 1 ] && kill -0 "$1" 2> /dev/null
    fi
}

# FILE: the items that --keep has kept: over a reboot no others hold.
kept_items() {
    numbers=$(items_of "$1" | sed -n 's/^\([0-9]*|\)entry|.*/^\1/p')
    [ -z "$numbers" ] || items_of "$1" | grep "$numbers"
}

# What an end of all processes of a change has left: settings of this boot, or lines that --keep wrote.
recover() {
    for name in undoing pending; do
        [ -e "$STATE/$name" ] || continue
        TOKEN=$(sed -n 1p "$STATE/$name")
        items=$(items_of "$STATE/$name")
        say recovered 0 "$TOKEN"
        each tell_item "$items"
        if is_of_now "$STATE/$name"; then
            ! restore "$items" || rm -f "$STATE/$name"
            compare_with_before
        else
            say rebooted 0
            ! restore "$(kept_items "$STATE/$name")" || rm -f "$STATE/$name"
        fi
    done
    rm -f "$STATE"/new.* "$STATE/beat" "$STATE/quiet"
}

# Says and logs how the host differs from its state before the change.
compare_with_before() {
    devices_of "$items"
    if [ "$(sed -n 1p "$STATE/before" 2> /dev/null)" = "$TOKEN" ]; then compare "$(sed 1d "$STATE/before")"; fi
}

tell_item() {
    ! is_silent "$kind" || return 0
    say item "$number" "$(get "$kind" "$subject")|$item"
}

# STATE TOKEN SECONDS ITEMS LOCK: puts the items back unless the change is confirmed, and beats keep coming until it is. The items
# are in its memory: it needs no disk.
watch() {
    IFS=$BLANKS STATE=$1 TOKEN=$2 seconds=$3 items=$4 maker=$5
    trap '' HUP INT PIPE
    trap 'expire; exit' TERM
    printf '%s %s %s\n' "$$" "$(began $$)" "$TOKEN" > "$STATE/lock.$$"
    [ "$(cat "$STATE/lock" 2> /dev/null)" = "$maker" ] && [ -s "$STATE/lock.$$" ] && mv -f "$STATE/lock.$$" "$STATE/lock" || {
        rm -f "$STATE/lock.$$"
        exit
    }
    left=$seconds before=
    [ "$(sed -n 1p "$STATE/before" 2> /dev/null)" != "$TOKEN" ] || before=$(sed 1d "$STATE/before")
    while [ -e "$STATE/pending" ] && [ "$left" -gt 0 ]; do
        sleep 1
        left=$((left - 1))
        mv "$STATE/beat" "$STATE/quiet" 2> /dev/null && left=$seconds
    done
    expire
}

expire() {
    if mv "$STATE/pending" "$STATE/undoing" 2> /dev/null; then
        log "$TOKEN" "not confirmed within $seconds s"
        # The shell that makes the change has been stopped for as long.
        ! is_alive "$maker" || { kill -9 "${maker%% *}" && sleep 1; } 2> /dev/null
    else
        # Confirmed, or put back by whoever made the change; unless that has ended too, or the disk is gone.
        tries=0
        while [ -e "$STATE/undoing" ] && [ "$tries" -lt 5 ]; do
            sleep 1
            tries=$((tries + 1))
        done
        if [ -e "$STATE/applied.$TOKEN" ] || { [ -e "$STATE/lock" ] && [ ! -e "$STATE/undoing" ]; }; then
            unlock
            return
        fi
    fi
    put_all_back "$items"
    # A program that was setting something meanwhile has ended by now.
    sleep 1
    said=$(
        say watchdog 0 "$TOKEN"
        each tell_item "$items"
        restore "$items" && rm -f "$STATE/undoing"
        devices_of "$items"
        [ -z "$before" ] || compare "$before"
    )
    # For the next `goodput undo`.
    printf '%s\n' "$said" > "$STATE/report"
    rm -f "$STATE/beat" "$STATE/quiet"
    unlock
}

# Starts it in a session of its own.
arm() {
    set -- sh -c "$LIB$NL"'watch "$@"' goodput-watch "$STATE" "$TOKEN" "$1" "$2" "$(cat "$STATE/lock")"
    if command -v setsid > /dev/null; then
        setsid "$@" < /dev/null > /dev/null 2>&1 9>&- &
    else
        nohup "$@" < /dev/null > /dev/null 2>&1 9>&- &
    fi
    tries=0
    while [ "$tries" -lt 50 ]; do
        case $(cat "$STATE/lock" 2> /dev/null) in
        *" $TOKEN") return 0 ;;
        esac
        nap
        tries=$((tries + 1))
    done
    return 1
}
