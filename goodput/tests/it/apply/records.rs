//! Records that `goodput apply` keeps on a host: where, whose they are, what they may say, and what becomes of them when everything is killed, the
//! host boots, or a namespace ends.

use super::{GOODPUT, is_root, say, scene, text};
use std::process::Command;

/// A record of a change of this boot and namespace; `$ITEM` is its line.
const PLANT: &str = r#"
    apply net.ipv4.tcp_mtu_probing=1 > /dev/null
    record=$(ls /run/state/applied.*)
    echo untouched > /run/victim
    refused() {
        "$GOODPUT" undo --state "${STATE:-/run/state}" "$@"; echo "code $?"
        cat /run/victim /proc/sys/net/ipv4/tcp_mtu_probing
    }
"#;

#[test]
fn a_record_that_others_could_have_made_is_refused() {
    let cases = [
        ("chmod 666 $record", "is no file of this user's alone"),
        ("chmod 620 $record", "is no file of this user's alone"),
        ("mv $record /run/moved; ln -s /run/moved $record", "is no file of this user's alone"),
        ("ln $record /run/second", "is no file of this user's alone"),
        ("mkfifo /run/state/pending", "is no file of this user's alone"),
        ("chmod 777 /run/state", "is no folder that is this user's alone"),
        ("chmod 1777 /run/state", "is no folder that is this user's alone"),
        (
            "mkdir -m 777 /run/open; mv /run/state /run/open/; STATE=/run/open/state",
            "others than its owner may write to /run/open",
        ),
        (
            "mkdir /run/real; mv /run/state /run/real; ln -s /run/real/state /run/state; chmod 777 /run/real",
            "is no folder that is this user's alone",
        ),
        (
            "sed -i 's/^1|.*/1|file|\\/run\\/victim|evil|untouched/' $record",
            "has a line that goodput does not write: 1|file|/run/victim|evil|untouched",
        ),
        (
            "echo '1|entry|/run/victim untouched|untouched evil|-' >> $record",
            "has a line that goodput does not write: 1|entry|/run/victim untouched|untouched evil|-",
        ),
        (
            "echo '1|file|/proc/sys/net/ipv4/tcp_sack|1 > /run/victim|0' >> $record",
            "has a line that goodput does not write",
        ),
    ];
    for (plant, says) in cases {
        for look in ["", "--dry-run"] {
            let Some((said, errors)) = scene(&format!("{PLANT}{plant}\nrefused {look}")) else { return };
            let errors = errors.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(errors.contains(says), "{plant} {look}: {said}{errors}");
            assert_eq!(said, "code 2\nuntouched\n1\n", "{plant} {look}: {errors}");
        }
    }
}

#[test]
fn another_users_folders_and_records_are_refused() {
    if !is_root() {
        return say("records of other users NOT TESTED without root");
    }
    for plant in ["chown 1000 $record", "chown 1000 /run/state", "chown -h 1000 /run"] {
        let Some((said, errors)) = scene(&format!("{PLANT}{plant}\nrefused")) else { return };
        assert!(errors.contains("alone") || errors.contains("belongs to user 1000"), "{plant}: {errors}");
        assert_eq!(said, "code 2\nuntouched\n1\n", "{plant}: {errors}");
    }
}

/// Without HOME the folder had been in /tmp, where another user's may be.
#[test]
fn without_a_safe_place_nothing_is_changed() {
    if !is_root() {
        return say("an ordinary user without HOME NOT TESTED without root");
    }
    let script = "cp \"$GOODPUT\" /run/goodput; mount -t tmpfs none /tmp; mkdir -p /tmp/.local/state/goodput
        user() { env -u XDG_STATE_HOME \"$@\"; echo \"code $?\"; }
        for home in '-u HOME' HOME=/ HOME=relative; do
            user $home setpriv --reuid=1000 --clear-groups /run/goodput apply net.ipv4.tcp_mtu_probing=1
            user $home setpriv --reuid=1000 --clear-groups /run/goodput undo
        done
        find /tmp/.local | wc -l";
    let Some((said, errors)) = scene(script) else { return };
    assert_eq!(said, format!("{}3\n", "code 2\n".repeat(6)), "{errors}");
    assert_eq!(errors.matches("there is no safe place to keep what is there: HOME is not set").count(), 6, "{errors}");
}

/// Half of the lines that `--keep` writes are there when everything ends, and the host boots with them.
#[test]
fn lines_of_a_change_that_was_not_confirmed_do_not_outlive_a_boot() {
    let script = r#"
        mount -t tmpfs none /etc/sysctl.d && mkdir -p /etc/tmpfiles.d && mount -t tmpfs none /etc/tmpfiles.d || exit 98
        setsid "$GOODPUT" apply --state /run/state --keep --measure 'touch /run/half; exec sleep 1000' \
            net.ipv4.tcp_mtu_probing=1 net.ipv4.tcp_sack=0 > /dev/null 2>&1 &
        goodput=$!
        until [ -e /run/half ]; do sleep 0.05; done
        kill -9 $(cut -d ' ' -f 1 /run/state/lock) -$goodput
        echo 'net.ipv4.tcp_mtu_probing = 1' > /etc/sysctl.d/90-goodput.conf
        echo 1 > /proc/sys/net/ipv4/tcp_mtu_probing
        echo 00000000-0000-0000-0000-000000000000 > /run/boot
        mount --bind /run/boot /proc/sys/kernel/random/boot_id
        apply net.ipv4.tcp_ecn=1 > /dev/null
        cat /proc/sys/net/ipv4/tcp_mtu_probing
        ls /etc/sysctl.d"#;
    let Some((said, errors)) = scene(script) else { return };
    assert_eq!(said, "0\n", "{errors}");
    assert!(errors.contains("net.ipv4.tcp_mtu_probing: back to 0"), "{errors}");
}

/// goodput, its shell and the watchdog are killed at once between two settings: the program that sets the second one waits.
#[test]
fn a_change_that_was_killed_half_way_is_undone_and_named_by_the_next_goodput() {
    let script = r#"
        mkdir /run/bin
        printf '#!/bin/sh\ncase "$*" in "link set dev eth0 mtu 1400") touch /run/half; exec sleep 1000 ;; esac\nexec %s "$@"\n' "$(command -v ip)" > /run/bin/ip
        chmod 755 /run/bin/ip
        state before
        half() {
            rm -f /run/half
            PATH=/run/bin:$PATH setsid "$GOODPUT" apply --state /run/state net.ipv4.tcp_mtu_probing=1 mtu@eth0=1400 receive-buffer=64MiB mtu@eth0=1400 > /dev/null 2>&1 &
            goodput=$!
            until [ -e /run/half ]; do sleep 0.05; done
            kill -9 $(cut -d ' ' -f 1 /run/state/lock) -$goodput
            wait $goodput 2> /dev/null
        }
        half
        echo "==== half"
        "$GOODPUT" undo --state /run/state --dry-run
        apply net.ipv4.tcp_sack=0
        "$GOODPUT" undo --state /run/state
        state after
        echo "==== booted"
        ls /run/state
        half
        echo 00000000-0000-0000-0000-000000000000 > /run/boot
        mount --bind /run/boot /proc/sys/kernel/random/boot_id
        "$GOODPUT" undo --state /run/state
        ls /run/state"#;
    // Devices come before what changes all connections.
    let script = script.replace(
        "mtu@eth0=1400 receive-buffer=64MiB mtu@eth0=1400",
        "receive-buffer=64MiB mtu@peer=1400 mtu@eth0=1400",
    );
    let Some((said, errors)) = scene(&script) else { return };
    let states = super::states(&said);
    for line in [
        "A change was interrupted with everything that could have put it back:\n",
        "mtu peer: 1400 -> 1500\n",
        "mtu eth0: it is 1500, as before\n",
    ] {
        assert!(states["half"].contains(line), "{line}\n{said}{errors}");
    }
    assert!(errors.contains("mtu peer: back to 1500\n") && !errors.contains("differs"), "{errors}");
    assert_eq!(states["before"], states["after"], "{said}{errors}");
    let booted = states["booted"];
    assert!(booted.contains("mtu peer: gone with the last reboot"), "{booted}{errors}");
    assert!(booted.starts_with("log\n") && booted.ends_with("\nlog\n"), "{booted}");
}

/// Inodes of namespaces are used again: this record has the inode of the namespace, and was made in another one.
#[test]
fn a_namespace_has_no_records_of_one_that_is_gone() {
    if !is_root() {
        return say("records of namespaces NOT TESTED without root");
    }
    let script = r#"
        mount -t tmpfs none /var/lib
        ip netns add first && ip netns add second && ip netns add third || exit 98
        for name in first second third; do ip netns exec $name ip link set lo up; "$GOODPUT" apply --host netns:$name net.ipv4.tcp_mtu_probing=1 > /dev/null || exit 1; done
        inode() { ip netns exec $1 readlink /proc/self/ns/net | tr -dc 0-9; }
        boot=$(cat /proc/sys/kernel/random/boot_id)
        old=$(echo /var/lib/goodput/net-$boot-$(inode first)-*)
        echo "$(ls /var/lib/goodput | wc -l) folders"
        # The first is gone, and the third has its inode.
        ip netns del first
        forged=/var/lib/goodput/net-$boot-$(inode third)-1
        mv "$old" "$forged"
        sed -i "2s/.*/$boot $(inode third) 1/" "$forged"/applied.*
        mkdir -m 700 /var/lib/goodput/net-00000000-0000-0000-0000-000000000000-1-1
        "$GOODPUT" undo netns:third
        "$GOODPUT" undo netns:third
        ip netns exec second cat /proc/sys/net/ipv4/tcp_mtu_probing
        echo "$(ls /var/lib/goodput | wc -l) folders"
        # A record of another namespace in its own folder: a container that was started anew, say.
        sed -i "2s/.*/$boot $(inode second) 1/" /var/lib/goodput/net-$boot-$(inode second)-*/applied.*
        "$GOODPUT" undo netns:second
        ip netns exec second cat /proc/sys/net/ipv4/tcp_mtu_probing"#;
    let Some((said, errors)) = scene(script) else { return };
    let said = said.replace("network\nnamespace", "network namespace");
    let due = "3 folders\nnet.ipv4.tcp_mtu_probing: back to 0\nNothing to undo: goodput has changed nothing here, or it is undone.\n1\n\
               2 folders\nnet.ipv4.tcp_mtu_probing: gone with the last reboot, or with its network namespace\n1\n";
    assert_eq!(said, due, "{errors}");
}

/// The host is reached over IPv6 alone, by ssh. The first change would take IPv6 away, the second sends what the host answers to
/// a neighbour that is not there.
#[test]
fn a_change_locks_nobody_out_who_comes_over_ipv6() {
    if !is_root() || !std::path::Path::new("/usr/sbin/sshd").exists() {
        return say("over IPv6 NOT TESTED: that needs root and /usr/sbin/sshd");
    }
    let Some(output) = super::inside(include_str!("ipv6.sh"), &[]) else { return };
    let (said, errors) = (text(&output.stdout), text(&output.stderr));
    let joined = (said.clone() + &errors).split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "below 1280 the kernel takes IPv6 off eth0, with its addresses, routes and settings",
        "there after refusal",
        "there after the watchdog",
        "The watchdog has put back a change that nobody confirmed:",
        "route -6 2001:db8::1/128 mtu: back to nothing",
        "as before",
    ] {
        assert!(joined.contains(part), "{part}\n{said}{errors}");
    }
    assert!(!joined.contains("differs") && !joined.contains("Confirmed"), "{said}{errors}");
}

#[test]
fn a_host_that_is_silent_at_the_lock_holds_nobody_up() {
    let folder = tempfile::tempdir().unwrap();
    // Answers every script but the one that takes the lock.
    let docker = "#!/bin/sh\nshift 3\nscript=$(cat)\ncase $script in *goodput-lock*) exec sleep 300 ;; esac\nprintf '%s\\n' \"$script\" | sh -s\n";
    let path = folder.path().join("docker");
    let written = Command::new("sh")
        .args(["-c", "printf %s \"$1\" > \"$2\" && chmod 755 \"$2\"", "sh", docker])
        .arg(&path)
        .status();
    assert!(written.unwrap().success());
    let search = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let began = std::time::Instant::now();
    let output = Command::new(GOODPUT)
        .args(["probe", "docker:silent", "--time", "1s"])
        .current_dir(folder.path())
        .env("PATH", search)
        .output()
        .unwrap();
    let errors = text(&output.stderr);
    assert!(errors.contains("20 s"), "{}{errors}", text(&output.stdout));
    assert!(began.elapsed().as_secs() < 60, "{errors}");
}
