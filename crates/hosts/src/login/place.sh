# Folders that nobody else can put anything into. POSIX sh.

OWN=$(id -u)
# Owner of /: root, or who it is in a user namespace.
TOP=$(ls -ldn / | sed 's/^[^ ]* *[^ ]* *\([^ ]*\).*/\1/')

# PATH: whether nobody but root and this user can put something else there. Else $error says who.
is_safe() {
    set -f
    set -- "$1" $(ls -ldn -- "$1" 2> /dev/null)
    set +f
    case ${4-} in
    "$OWN" | 0 | "$TOP") ;;
    *)
        error="$1 belongs to user ${4-?}"
        return 1
        ;;
    esac
    case $2 in
    # In a folder with the sticky bit nobody moves what is another's.
    l* | d????????[tT]*) ;;
    ?????w* | ????????w*)
        error="others than its owner may write to $1: chmod go-w $1"
        return 1
        ;;
    esac
}

# FOLDER: whether it is this user's own, and it and every folder on the way to it are safe. Else $error says why.
is_safe_folder() {
    set -f
    set -- "$1" $(ls -ldn -- "$1" 2> /dev/null)
    set +f
    case ${2-}:${4-} in
    d????-??-*:"$OWN") ;;
    *)
        error="$1 is no folder that is this user's alone: ls -ld $1"
        return 1
        ;;
    esac
    for path in "$1" "$(cd -P "$1" && pwd -P)"; do
        while [ -n "$path" ]; do
            is_safe "$path" || return
            path=${path%/*}
        done
    done
}
