# Where changes are recorded, whom the records belong to, and what they may say.
#
# A record has the token of its change, the boot and network namespace that it was made in, an item a line, and the lines of the
# host's state that the change took away (-) or added (+).

# FILE: whether a record is a file of this user's alone and says only what the table of words can say ($ITEM).
is_record() {
    set -f
    set -- "$1" $(ls -ldn -- "$1" 2> /dev/null)
    set +f
    case ${2-}:${3-}:${4-} in
    -????-??-*:1:"$OWN") ;;
    *)
        error="$1 is no file of this user's alone: ls -l $1"
        return 1
        ;;
    esac
    ! wrong=$(sed '1,2d; /^[-+]/d' "$1" | grep -vE "$ITEM" | sed 1q | grep .) || {
        error="$1 has a line that goodput does not write: $wrong"
        return 1
    }
}

# Sets STATE and BOOT. A network namespace has settings of its own, and so a folder of its own; where the first one cannot be
# seen, each has.
home() {
    STATE=$1 BASE=
    own=$(readlink /proc/self/ns/net 2> /dev/null | tr -dc 0-9) first=$(readlink /proc/1/ns/net 2> /dev/null | tr -dc 0-9)
    boot=$(cat /proc/sys/kernel/random/boot_id 2> /dev/null || sysctl -n kern.boottime 2> /dev/null || echo -)
    BOOT="$boot $own $(birth)"
    case $STATE in
    /*) return ;;
    ?*)
        STATE=$PWD/$STATE
        return
        ;;
    esac
    case $OWN:$(uname):${XDG_STATE_HOME-}:${HOME-} in
    0:FreeBSD:*) BASE=/var/db/goodput ;;
    0:*) BASE=/var/lib/goodput ;;
    *:/*:*) BASE=$XDG_STATE_HOME/goodput ;;
    *:/?*) BASE=$HOME/.local/state/goodput ;;
    *)
        say fail 0 "there is no safe place to keep what is there: HOME is not set"
        return 1
        ;;
    esac
    STATE=$BASE
    [ -z "$own" ] || [ "$first" = "$own" ] || STATE=$BASE/net-$(printf '%s' "$BOOT" | tr -c '0-9a-f\n' -)
}

# Number of the namespace's loopback device in a sysfs of its own. A boot gives each number once (fs/kernfs/dir.c), and inodes of
# namespaces again and again. Who may not mount has the sysfs of a container, which is that of its namespace.
birth() {
    own_sysfs='mount --make-rprivate / && mount -t sysfs none /sys && ls -diL /sys/class/net/lo'
    number=$(unshare -m sh -c "$own_sysfs" 2> /dev/null) || number=$(ls -diL /sys/class/net/lo 2> /dev/null)
    number=$(printf '%s' "$number" | tr -d ' /[:alpha:]')
    printf '%s' "${number:--}"
}

# Removes the folders of namespaces that are gone: of another boot, or held by no process, mount or open file.
drop_gone() {
    [ -n "$BASE" ] && [ "$OWN" = 0 ] || return 0
    live=
    for folder in "$BASE"/net-*; do
        [ -d "$folder" ] && [ ! -h "$folder" ] && [ "$folder" != "$STATE" ] || continue
        case ${folder##*/} in
        "net-$boot-"*)
            [ -n "$live" ] || live=$(live_namespaces)
            inode=${folder##*/net-"$boot"-}
            case "$NL$live$NL" in *"$NL${inode%%-*}$NL"*) [ "${inode%%-*}" = "$own" ] || continue ;; esac
            ;;
        esac
        rm -rf "$folder"
    done
}

live_namespaces() {
    {
        ls -l /proc/[0-9]*/ns/net /proc/[0-9]*/fd
        cat /proc/[0-9]*/mountinfo
    } 2> /dev/null | sed -n 's/.*net:\[\([0-9]*\)\].*/\1/p' | sort -u
}

# Onto the disk, so that a record outlives the kernel.
to_disk() {
    fsync "$@" 2> /dev/null || sync "$@"
} 2> /dev/null

lock() {
    umask 077
    if ! error=$(mkdir -p "$STATE" 2>&1) || ! is_safe_folder "$STATE"; then
        say fail 0 "$error"
        return 1
    fi
    mine="$STATE/lock.$$"
    error=$( (rm -f "$mine" && printf '%s %s\n' "$$" "$(began $$)" > "$mine") 2>&1)
    if [ ! -s "$mine" ]; then
        rm -f "$mine"
        say fail 0 "cannot write to $STATE: ${error:-the disk is full}"
        return 1
    fi
    tries=0
    until ln "$mine" "$STATE/lock" 2> /dev/null; do
        holder=$(holder)
        tries=$((tries + 1))
        if [ "$tries" -gt 5 ] || is_alive "$holder"; then
            rm -f "$mine"
            say busy 0 "$holder"
            return 1
        fi
        # Its process ended without removing it. Whoever moves another lock than the one looked at gives it back.
        mv "$STATE/lock" "$STATE/stale.$$" 2> /dev/null && {
            [ "$(holder stale.$$)" = "$holder" ] || ln "$STATE/stale.$$" "$STATE/lock"
            rm -f "$STATE/stale.$$"
        }
    done
    rm -f "$mine"
    if ! check_records; then
        unlock
        say fail 0 "$error"
        return 1
    fi
    drop_gone
    recover
}

# [NAME]: number and start of the process that holds the lock.
holder() {
    sed -n '1s/^\([0-9][0-9]*\( [0-9][0-9]*\)\{0,1\}\).*/\1/p' "$STATE/${1:-lock}" 2> /dev/null
}

check_records() {
    for file in "$STATE/pending" "$STATE/undoing" "$STATE"/applied.*; do
        [ ! -e "$file" ] && [ ! -h "$file" ] || is_record "$file" || return
    done
}

unlock() {
    rm -f "$STATE/before" "$STATE/beat" "$STATE/quiet" "$STATE/lock"
}

# The items of a record, and the lines of the host's state that its change took away (-) or added (+).
items_of() {
    sed '1,2d; /^[-+]/d' "$1"
}

lines_of() {
    sed -n '1,2d; /^[-+]/p' "$1"
}

# FILE: whether its change was made in this boot and this network namespace.
is_of_now() {
    [ "$(sed -n 2p "$1")" = "$BOOT" ]
}
