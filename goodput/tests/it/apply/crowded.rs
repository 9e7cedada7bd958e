//! Side effects of settings, on a host with both families, a VLAN, macvlans, a bridge, policy routes, rules of
//! others. The oracle is what ip, tc, nft, ethtool and the kernel's files print before and after.

use super::{inside, text};
use hosts::apply::effects::{Answer, EFFECTS};
use std::fmt::Write as _;
use std::thread;

const CROWD: &str = include_str!("crowd.sh");

/// Output of a script on the crowded host, with errors.
fn crowd(script: &str) -> Option<String> {
    let output = inside(&format!("{CROWD}exec 2>&1\n{script}"), &[])?;
    Some(text(&output.stdout) + &text(&output.stderr))
}

/// Changes that are made there.
const MADE: &[&str] = &[
    "receive-buffer=64MiB",
    "send-buffer=32MiB",
    "net.ipv4.tcp_congestion_control=reno",
    "net.ipv4.tcp_ecn=1",
    "net.ipv4.tcp_mtu_probing=1",
    "net.ipv4.tcp_sack=0",
    "net.ipv4.tcp_slow_start_after_idle=0",
    "mtu@mac1=1400",
    "mtu@mac0=1400",
    "mtu@eth0=1400 mtu@mac0=1400 mtu@eth0.5=1400",
    "mtu@mac0=1400 mtu@eth0.5=1400 mtu@eth0=1400",
    "mtu@port0=1400 mtu@mac1=1400",
    "mtu@eth0=9000",
    "qdisc@eth0=tbf,95Mbit/s",
    "qdisc@br0=tbf,95Mbit/s",
    "tx,tso,gso@eth0=off",
    "tso@eth0=off",
    "mss-clamp=1400",
    "route-mtu@10.4.0.0/16=1400,via=192.0.2.1,dev=eth0",
    "route-mtu@10.4.0.0/16=1400,via=198.51.100.9,dev=mac0",
    "route-mtu@192.0.2.77/32=1400",
    "route-congctl@192.0.2.7/32=reno",
    "route-mtu@10.8.3.0/24=1400",
    "route-mtu@10.8.0.0/16=1400",
    "route-initcwnd@default=20",
    "route-rto_min@default=10ms",
    "route-mtu@::/0=1400",
    "route-congctl@2001:db8:5::/48=reno",
    "route-congctl@2001:db8::9/128=reno",
    "route-mtu@10.4.0.0/16=1400 mtu@mac1=1400 net.ipv4.tcp_mtu_probing=1",
];

/// Namespaces side by side.
const AT_ONCE: usize = 4;

#[test]
fn every_word_is_taken_back_to_the_line() {
    let made = |words: &[&str]| -> Option<String> {
        let mut script = String::new();
        for word in words {
            let _ = writeln!(
                script,
                "word='{word}'\nip link show eth0.5 > /dev/null 2>&1 || word=$(echo \"$word\" | sed 's/ mtu@eth0.5=1400//')\n\
                 before=$(state); said=$(apply $word); now=$(state); undone=$(undo); after=$(state)\n\
                 case $said in *'code 0'*) ;; *) echo \"NOT MADE $word: $said\" ;; esac\n\
                 [ \"$before\" != \"$now\" ] || echo \"NO CHANGE $word\"\n\
                 case $undone in *differs*) echo \"DIFFERS $word: $undone\" ;; *'code 0'*) ;; *) echo \"FAILED $word: $undone\" ;; esac\n\
                 difference=$(same \"$before\" \"$after\") || echo \"NOT AS BEFORE $word: $difference\""
            );
        }
        crowd(&format!("{script}ls /run/state\n"))
    };
    let said: Vec<Option<String>> = thread::scope(|scope| {
        let parts: Vec<_> =
            MADE.chunks(MADE.len().div_ceil(AT_ONCE)).map(|words| scope.spawn(move || made(words))).collect();
        parts.into_iter().map(|part| part.join().unwrap()).collect()
    });
    for said in said.into_iter().flatten() {
        assert_eq!(said, "log\n");
    }
}

/// A word that is refused, what is set up first, and what is said.
const REFUSED: &[(&str, &str, &str)] = &[
    ("mtu@eth0=1200", "", "below 1280 the kernel takes IPv6 off eth0, with its addresses, routes and settings"),
    ("mtu@eth0=1400", "", "mac0 on top of it has MTU 1500: it would take 1400 over, and keep it after undo"),
    ("mtu@port0=1400", "", "change it in the same command: mtu@mac1=1400"),
    (
        "mtu@port1=1400",
        "ip link add link port1 name far type macvlan; unshare -n sleep 30 > /dev/null & sleep 0.5; ip link set far netns $!",
        "another namespace has a device on top of it, which would take 1400 over and keep it after undo: far in the namespace",
    ),
    (
        "mtu@mac1=1400",
        "ip -6 route add 2001:db8:9::/48 via fe80::1 dev mac1 mtu 1450",
        "the kernel would change the MTU of an IPv6 route along mac1, and not back: 2001:db8:9::/48 via fe80::1",
    ),
    ("route-mtu@10.7.0.0/16=1400", "", "the route to 10.7.0.0/16 is not changed: it has several next hops"),
    ("route-mtu@10.7.1.0/24=1400", "", "it has several next hops: 10.7.0.0/16"),
    ("route-mtu@10.6.0.0/16=1400", "", "it leads to no other host"),
    (
        "route-mtu@10.5.0.0/16=1400",
        "ip route add 10.5.0.0/24 via 198.51.100.7",
        "a rule or a longer route sends 10.5.0.0 elsewhere",
    ),
    ("route-mtu@100.64.0.1/32=1400", "", "a rule or a longer route sends 100.64.0.1 elsewhere"),
    ("route-mtu@192.0.2.2/32=1400", "", "a rule or a longer route sends 192.0.2.2 elsewhere"),
    ("route-mtu@2001:db8:7::/48=1400", "", "it is from a router advertisement and expires, as a changed one would not"),
    (
        "route-mtu@2001:db8:7:1::/64=1400",
        "",
        "it is from a router advertisement and expires, as a changed one would not",
    ),
    (
        "route-mtu@default=1400",
        "ip route del default; ip route del default 2> /dev/null",
        "no route in the main table covers default",
    ),
    (
        "route-mtu@10.44.0.0/16=1400",
        "ip route del default; ip route del default 2> /dev/null",
        "no route in the main table covers",
    ),
    ("route-mtu@10.44.0.0/16=1400,dev=mac1", "", "does not go dev mac1; name the next hop"),
    ("qdisc@mac0=tbf,95Mbit/s", "", "somebody has chosen its queueing discipline (tbf 5:)"),
    ("mss-clamp=1400", "nft add table inet goodput", "a table inet goodput is there already"),
];

#[test]
fn what_could_not_be_put_back_is_refused_and_changes_nothing() {
    let rows = EFFECTS.iter().filter(|effect| effect.answer == Answer::Refused);
    for effect in rows {
        let head = effect.word.split(['@', '…']).next().unwrap();
        assert!(REFUSED.iter().any(|(word, ..)| word.starts_with(head)), "no case of {effect:?}");
    }
    let refused = |cases: &[(&str, &str, &str)]| -> Option<String> {
        let mut script = String::new();
        for (word, first, says) in cases {
            let _ = writeln!(
                script,
                "wrong=$( {first}\nbefore=$(state); said=$(COLUMNS=1000 apply {word} 2>&1); after=$(state)\n\
                 case $(echo $said) in *\"{says}\"*'code 2'*) ;; *) echo \"{word}: $said\" ;; esac\n\
                 same \"$before\" \"$after\" ); [ -z \"$wrong\" ] || echo \"$wrong\"\n\
                 ip route add default via 192.0.2.1 dev eth0 src 192.0.2.2 metric 100 2> /dev/null"
            );
        }
        crowd(&script)
    };
    let said: Vec<Option<String>> = thread::scope(|scope| {
        let parts: Vec<_> =
            REFUSED.chunks(REFUSED.len().div_ceil(AT_ONCE)).map(|cases| scope.spawn(move || refused(cases))).collect();
        parts.into_iter().map(|part| part.join().unwrap()).collect()
    });
    for said in said.into_iter().flatten() {
        assert_eq!(said, "");
    }
}

/// `ip route show` is the oracle: source, metric, MSS and next hop are those of the route that covers the prefix.
#[test]
fn a_new_route_has_all_that_the_route_has_that_covers_it() {
    let cases = [
        ("route-congctl@192.0.2.7/32=reno", "192.0.2.7", "dev eth0 scope link src 192.0.2.2 congctl reno"),
        (
            "route-congctl@10.44.0.0/16=reno",
            "10.44.0.0/16",
            "via 192.0.2.1 dev eth0 src 192.0.2.2 metric 100 mtu 1450 advmss 1400 congctl reno",
        ),
        (
            "route-mtu@10.45.0.0/16=1400",
            "10.45.0.0/16",
            "via 192.0.2.1 dev eth0 src 192.0.2.2 metric 100 mtu 1400 advmss 1400",
        ),
        (
            "route-mtu@10.46.0.0/16=1400,via=192.0.2.1,dev=eth0",
            "10.46.0.0/16",
            "via 192.0.2.1 dev eth0 src 192.0.2.2 metric 100 mtu 1400 advmss 1400",
        ),
        ("route-mtu@10.47.0.0/16=1400,via=198.51.100.9,dev=mac0", "10.47.0.0/16", "via 198.51.100.9 dev mac0 mtu 1400"),
        ("route-mtu@10.8.3.0/24=1400", "10.8.3.0/24", "via inet6 fe80::1 dev eth0 mtu 1400"),
        (
            "route-congctl@2001:db8:5::/48=reno",
            "2001:db8:5::/48",
            "via fe80::1 dev eth0 metric 1024 mtu 1280 congctl reno pref medium",
        ),
    ];
    let script: String = cases
        .iter()
        .map(|(word, prefix, _)| {
            let family = if prefix.contains(':') { 6 } else { 4 };
            format!("apply {word} > /run/said || cat /run/said\nip -{family} route show {prefix}\nundo > /dev/null\n")
        })
        .collect();
    let Some(said) = crowd(&script) else { return };
    let due: String = cases.iter().map(|(_, prefix, rest)| format!("{prefix} {rest}\n")).collect();
    let trimmed: String = said.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    assert_eq!(trimmed, due);
}

/// A rule of somebody else in goodput's table, and a route that goes while the change holds.
#[test]
fn undo_says_how_the_host_differs_from_before() {
    let script = "apply mtu@mac1=1400 net.ipv4.tcp_mtu_probing=1 > /dev/null
        echo 1350 > /proc/sys/net/ipv6/conf/mac1/mtu
        ip link set mac1 mtu 1450
        undo";
    let Some(said) = crowd(script) else { return };
    for line in [
        "mtu mac1: left at 1450, which somebody else has set; it was 1500",
        "net.ipv4.tcp_mtu_probing: back to 0",
        "The host differs from its state before (- is missing, + is new):",
        "-/proc/sys/net/ipv6/conf/mac1/mtu:1500",
        "code 0",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
}

/// A driver that takes its device down and up for another MTU, with which addresses of IPv6 and routes go. An `ip` in front of the
/// real one does so.
#[test]
fn what_a_driver_takes_away_is_made_again() {
    let script = r#"
        ip addr del 2001:db8::3/64 dev eth0; ip -6 route del 2001:db8:7::/48
        mkdir /run/bin
        cat > /run/bin/ip << END
#!/bin/sh
case "\$*" in 'link set dev eth0 mtu '*) $(command -v ip) link set dev eth0 down; $(command -v ip) "\$@"; exec $(command -v ip) link set dev eth0 up ;; esac
exec $(command -v ip) "\$@"
END
        chmod 755 /run/bin/ip
        before=$(state | sort)
        (PATH=/run/bin:$PATH; apply mtu@eth0=1400 mtu@mac0=1400)
        settled() { while ip link | grep -q NO-CARRIER || ip addr | grep -q tentative; do sleep 0.05; done; }
        settled
        same "$before" "$(state | sort)" && echo as before
        apply mtu@eth0=1400 mtu@mac0=1400 > /dev/null
        (PATH=/run/bin:$PATH; undo)
        settled
        same "$before" "$(state | sort)" && echo as before"#;
    let script = script
        .replace("mtu@mac0=1400", "mtu@mac0=1400 $(ip link show eth0.5 > /dev/null 2>&1 && echo mtu@eth0.5=1400)");
    let Some(said) = crowd(&script) else { return };
    assert!(said.contains("the kernel took away what it should not: address "), "{said}");
    assert!(said.matches("as before").count() == 2 && !said.contains("differs"), "{said}");
}

/// A default of the kernel that the host's own list does not allow to everybody. Files stand in for the kernel's, which are not the
/// test's to change.
#[test]
fn a_control_that_was_not_allowed_is_not_allowed_after_undo() {
    let script = "
        for name in congestion_control allowed_congestion_control available_congestion_control; do
            case $name in congestion*) echo cubic ;; allowed*) echo 'reno cubic' ;; *) echo 'reno cubic bbr' ;; esac > /run/$name
            mount --bind /run/$name /proc/sys/net/ipv4/tcp_$name || exit 98
        done
        apply net.ipv4.tcp_congestion_control=bbr > /dev/null
        echo 'reno cubic bbr' > /run/allowed_congestion_control
        undo
        cat /run/congestion_control /run/allowed_congestion_control";
    let Some(said) = crowd(script) else { return };
    let said = said.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    assert!(said.ends_with("code 0\ncubic\nreno cubic"), "{said}");
}
