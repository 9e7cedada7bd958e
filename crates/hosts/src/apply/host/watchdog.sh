# Puts settings back: what was set, by one process at a time, when nobody confirms it.

put_back() {
    case $kind in once | hostcache) return 0 ;; esac
    now=$(get "$kind" "$subject")
    [ "$now" != "$was" ] || return 0
    is_new "$kind" "$now" "$new" || return 0
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
    case $kind in once | hostcache) return 0 ;; esac
    now=$(get "$kind" "$subject")
    if [ "$now" = "$was" ]; then
        [ "$kind" = entry ] || say back "$number" "$was"
    elif is_new "$kind" "$now" "$new"; then
        say stuck "$number" "$why"
        log "$TOKEN" "NOT put back: $subject is $now: $why"
        failed=1
    else
        say left "$number" "$now"
        log "$TOKEN" "left, somebody else changed it: $subject is $now"
    fi
}

put_all_back() {
    why=
    each put_back "$(reversed "$1")"
    each put_back "$1"
}

# Puts back what still has the value that was set, and says so. Once in the opposite order, once in the same: offloads depend on one
# another.
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

# Sets STATE and BOOT. A network namespace has settings of its own, and so a folder of its own; where the first one cannot be
# seen, each has.
home() {
    STATE=$1
    if [ -z "$STATE" ]; then
        case $(id -u):$(uname) in
        0:FreeBSD) STATE=/var/db/goodput ;;
        0:*) STATE=/var/lib/goodput ;;
        *) STATE=${XDG_STATE_HOME:-${HOME:-/tmp}/.local/state}/goodput ;;
        esac
        own=$(readlink /proc/self/ns/net 2> /dev/null) first=$(readlink /proc/1/ns/net 2> /dev/null)
        [ -z "$own" ] || [ "$first" = "$own" ] || STATE=$STATE/net-$(printf '%s' "$own" | tr -dc 0-9)
    fi
    BOOT=$(cat /proc/sys/kernel/random/boot_id 2> /dev/null || sysctl -n kern.boottime 2> /dev/null || echo -)
}

lock() {
    if ! error=$(mkdir -p "$STATE" 2>&1); then
        say fail 0 "$error"
        return 1
    fi
    mine="$STATE/lock.$$"
    error=$( (printf '%s %s\n' "$$" "$(began $$)" > "$mine") 2>&1)
    if [ ! -s "$mine" ]; then
        rm -f "$mine"
        say fail 0 "cannot write to $STATE: ${error:-the disk is full}"
        return 1
    fi
    tries=0
    until ln "$mine" "$STATE/lock" 2> /dev/null; do
        holder=$(cat "$STATE/lock" 2> /dev/null)
        tries=$((tries + 1))
        if [ "$tries" -gt 5 ] || is_alive "$holder"; then
            rm -f "$mine"
            say busy 0 "$holder"
            return 1
        fi
        # Its process ended without removing it. Whoever moves another lock than the one looked at gives it back.
        mv "$STATE/lock" "$STATE/stale.$$" 2> /dev/null && {
            [ "$(cat "$STATE/stale.$$")" = "$holder" ] || ln "$STATE/stale.$$" "$STATE/lock"
            rm -f "$STATE/stale.$$"
        }
    done
    rm -f "$mine"
    recover
}

unlock() {
    rm -f "$STATE/lock"
}

# The items of a change: behind its token and the boot that it was made in.
items_of() {
    sed 1,2d "$1"
}

# Puts back what a change has left whose processes have all ended.
recover() {
    for name in undoing pending; do
        [ -e "$STATE/$name" ] || continue
        TOKEN=$(sed -n 1p "$STATE/$name")
        say recovered 0 "$TOKEN"
        if [ "$(sed -n 2p "$STATE/$name")" != "$BOOT" ] || restore "$(items_of "$STATE/$name")" > /dev/null; then
            rm -f "$STATE/$name"
        fi
    done
    rm -f "$STATE"/new.* "$STATE/beat" "$STATE/quiet"
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
    left=$seconds
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
    if restore "$items" > /dev/null; then rm -f "$STATE/undoing"; fi
    rm -f "$STATE/beat" "$STATE/quiet"
    unlock
}

# Starts it in a session of its own.
arm() {
    set -- sh -c "$LIB$NL"'watch "$@"' goodput-watch "$STATE" "$TOKEN" "$1" "$2" "$(cat "$STATE/lock")"
    if command -v setsid > /dev/null; then
        setsid "$@" < /dev/null > /dev/null 2>&1 &
    else
        nohup "$@" < /dev/null > /dev/null 2>&1 &
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
