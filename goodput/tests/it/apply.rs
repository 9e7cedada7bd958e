//! `goodput apply` and `undo` in network namespaces: a change does the same as its plain commands, and interrupting it
//! at any moment leaves the host as it was, or changed and confirmed.

mod crowded;
mod freebsd;
mod records;

use crate::skip::skip;
use hosts::apply::remedies;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};
use std::thread;

const GOODPUT: &str = env!("CARGO_BIN_EXE_goodput");

/// A namespace with a device and routes, and a function that prints its state.
pub const SCENE: &str = r#"
set -u
test "$(readlink /proc/self/ns/net)" != "$OUTER_NET" || exit 98
mount --make-rprivate / && mount -t tmpfs none /run || exit 98
mkdir /run/state
ip link set lo up
ip link add eth0 type veth peer name peer && ip addr add 192.0.2.2/24 dev eth0 || exit 98
ip link set eth0 up && ip link set peer up
ip -6 addr add 2001:db8::2/64 dev eth0 nodad
while ip link | grep -q NO-CARRIER || ip addr | grep -q tentative; do sleep 0.05; done
ip route add default via 192.0.2.1 dev eth0
ip -6 route add default via fe80::1 dev eth0
echo "4096 131072 6291456" > /proc/sys/net/ipv4/tcp_rmem
echo "4096 16384 4194304" > /proc/sys/net/ipv4/tcp_wmem
state() {
    echo "==== $1"
    grep . /proc/sys/net/ipv4/tcp_* 2> /dev/null | grep -v fastopen_key
    ip -4 route; ip -6 route | grep -v 'proto kernel'
    ip -o link | grep -o '^[0-9]*: [^ ]* .* mtu [0-9]*'
    tc qdisc show | sed 's/refcnt [0-9]*//'
    ethtool -k eth0 2> /dev/null | grep -E '^(tx-checksumming|tcp-seg|generic-seg|large-rec)'
    nft list ruleset 2> /dev/null
}
"#;

fn is_root() -> bool {
    nix_uid() == 0
}

fn nix_uid() -> u32 {
    let id = Command::new("id").arg("-u").output().unwrap();
    String::from_utf8_lossy(&id.stdout).trim().parse().unwrap()
}

/// A script in namespaces of its own; `None` where the machine refuses them.
pub fn inside(script: &str, variables: &[(&str, &str)]) -> Option<Output> {
    let own = fs::read_link("/proc/self/ns/net").unwrap();
    let output = Command::new("unshare")
        .args(if is_root() { ["-mn"].as_slice() } else { &["-rmn"] })
        .args(["sh", "-c", script])
        .env("OUTER_NET", own)
        .env("GOODPUT", GOODPUT)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let refused =
        output.status.code() == Some(98) || String::from_utf8_lossy(&output.stderr).contains("unshare failed");
    if refused {
        skip("this machine allows no namespaces");
    }
    (!refused).then_some(output)
}

/// On standard error itself, which the test's harness does not swallow.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "apply: {text}");
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The states that a script printed, by name.
fn states(printed: &str) -> BTreeMap<&str, &str> {
    printed.split("==== ").skip(1).filter_map(|part| part.split_once('\n')).collect()
}

/// Every change that a network namespace can make. Few builders' kernels have `fq` and `cake`.
const WORDS: &[&str] = &[
    "receive-buffer=64MiB",
    "send-buffer=32MiB",
    "net.ipv4.tcp_congestion_control=reno",
    "net.ipv4.tcp_mtu_probing=1",
    "net.ipv4.tcp_slow_start_after_idle=0",
    "mtu@eth0=1400",
    "qdisc@eth0=tbf,95Mbit/s",
    "tx,tso,gso@eth0=off",
    "mss-clamp=1400",
    "route-mtu@10.4.0.0/16=1400,via=192.0.2.1,dev=eth0",
    "route-mtu@10.5.0.0/16=1400",
    "route-initcwnd@default=20",
    "route-rto_min@default=10ms",
    "route-advmss@192.0.2.77/32=1360",
    "route-congctl@::/0=reno",
    "route-mtu@2001:db8:5::/48=1400,via=fe80::1,dev=eth0",
];

/// The oracle is the commands that goodput printed before it had `apply`: sysctl, ip, tc, nft and ethtool as their manuals have
/// them.
#[test]
fn changes_match_their_plain_commands_and_undo_reverts_them() {
    let wrong: Vec<String> = thread::scope(|scope| {
        let tried: Vec<_> = WORDS.iter().map(|word| scope.spawn(|| unlike_its_plain_commands(word))).collect();
        tried.into_iter().filter_map(|word| word.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

/// How a word does otherwise than its plain commands.
fn unlike_its_plain_commands(word: &str) -> Option<String> {
    let mut wrong = String::new();
    let root = tempfile::tempdir().unwrap();
    let moved = |command: &String| command.replace("/var/lib/", &format!("{}/", root.path().display()));
    let remedies = remedies(&[word.to_owned()], evidence::System::Linux).unwrap();
    let plain = |of: fn(&diagnosis::remedy::Steps) -> &Vec<String>| -> String {
        remedies.iter().flat_map(|one| of(&one.steps()).clone()).map(|line| moved(&line) + "\n").collect()
    };
    let (now, back) = (plain(|steps| &steps.now), plain(|steps| &steps.undo));
    let apply = format!("\"$GOODPUT\" apply --state /run/state --within 5s {word} >&2 || echo FAILED");
    let undo = "\"$GOODPUT\" undo --state /run/state >&2 || echo FAILED";
    let script = format!(
        "{SCENE}state before\n{{ {now}\n}} > /dev/null\nstate plain\n{{ {back}\n}} > /dev/null\nstate again\n\
             {apply}\nstate applied\n{undo}\nstate undone\nls /run/state >&2"
    );
    let output = inside(&script, &[])?;
    let (printed, errors) = (text(&output.stdout), text(&output.stderr));
    let states = states(&printed);
    let [before, plain, applied, undone] = ["before", "plain", "applied", "undone"].map(|name| states[name]);
    if ["Specified qdisc kind is unknown", "is not installed"].iter().any(|lacks| errors.contains(lacks)) {
        skip(&format!("this machine cannot make the change {word}"));
        return None;
    }
    if plain == before {
        let _ = writeln!(wrong, "{word}: the plain commands change nothing\n{errors}");
    }
    if applied != plain {
        let _ = writeln!(wrong, "{word}: by its plain commands\n{plain}\nby goodput\n{applied}\n{errors}");
    }
    if undone != before || printed.contains("FAILED") {
        let _ = writeln!(wrong, "{word}: before\n{before}\nundone\n{undone}\n{errors}");
    }
    (!wrong.is_empty()).then_some(wrong)
}

/// How goodput reaches the host, and how the change is interrupted.
const KINDS: &[(&str, &str)] = &[
    ("netns", "goodput"),
    ("ssh", "line"),
    ("trial", "all"),
    ("netns", "shell"),
    ("ssh", "all"),
    ("netns", "term"),
    ("netns", "disk"),
    ("ssh", "remote"),
    ("netns", "parent"),
    ("trial", "goodput"),
    ("netns", "namespace"),
    ("ssh", "shell"),
    ("netns", "device"),
    ("ssh", "goodput"),
    ("netns", "all"),
    ("trial", "shell"),
    ("ssh", "parent"),
    ("trial", "term"),
    ("netns", "watchdog"),
    ("netns", "orphan"),
    ("ssh", "watchdog"),
    ("netns", "late"),
    ("trial", "watchdog"),
    ("ssh", "orphan"),
];

/// Moments in `make test`; `GOODPUT_TEST_MOMENTS` of them in `make test-all`.
const MOMENTS: usize = 3;

/// Side by side: most of the time they wait for the watchdog.
const AT_ONCE: usize = 5;

static MOMENT: LazyLock<String> = LazyLock::new(|| {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/apply/moment.sh")).unwrap()
});

/// State of the host after an interrupted change.
#[derive(Debug, PartialEq)]
struct After {
    settings: String,
    applied: usize,
    open: usize,
    code: i32,
}

/// Interrupts a change after `delay` seconds; `None` if the machine lacks what the test needs.
fn after(host: &str, kind: &str, delay: f64) -> Option<Result<After, String>> {
    let output = inside(&MOMENT, &[("HOST", host), ("KIND", kind), ("DELAY", &format!("{delay:.3}"))])?;
    let printed = text(&output.stdout);
    let words: Vec<&str> = printed.lines().next().unwrap_or_default().split(' ').collect();
    let [settings, applied, open, code] = words[..] else {
        return Some(Err(format!("{printed}{}", text(&output.stderr))));
    };
    let after = After {
        settings: settings.into(),
        applied: applied.parse().unwrap(),
        open: open.parse().unwrap(),
        code: code.parse().unwrap(),
    };
    let is_sound = match after.settings.as_str() {
        // Without a device nothing is as before, and nothing of the change is left.
        _ if kind == "device" => after.open == 0,
        // The script has run `undo` since.
        settings if kind == "orphan" || kind == "late" => settings == "before" && after.applied == 0 && after.open == 0,
        "before" => after.applied == 0 && after.code != 0,
        "after" => after.applied == 1,
        _ => false,
    };
    Some(if is_sound { Ok(after) } else { Err(printed) })
}

/// SplitMix64 (Steele, Lea & Flood 2014), of a constant seed: the moments are the same in every run.
fn random(number: usize) -> f64 {
    let mut z = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

#[test]
fn a_kill_leaves_a_host_unchanged_or_changed_and_confirmed() {
    let began = std::time::Instant::now();
    let Some(whole) = after("netns", "none", 0.0) else { return };
    let whole = whole.unwrap();
    assert_eq!((whole.settings.as_str(), whole.code), ("after", 0), "{whole:?}");
    // Upper bound of the change's duration, s. Delays are drawn up to it; those after its end count as well.
    let length = began.elapsed().as_secs_f64().min(4.0);
    let has_sshd = is_root() && Path::new("/usr/sbin/sshd").exists();
    if !has_sshd {
        skip("a part over ssh: it needs root and /usr/sbin/sshd");
    }
    let moments = std::env::var("GOODPUT_TEST_MOMENTS").map_or(MOMENTS, |number| number.parse().unwrap());
    let next = AtomicUsize::new(0);
    let all = Mutex::new(vec![]);
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::SeqCst);
                    if number >= moments {
                        return;
                    }
                    let (host, kind) = KINDS[number % KINDS.len()];
                    let host = if has_sshd || kind == "line" || kind == "remote" { host } else { "netns" };
                    if host != "ssh" || has_sshd {
                        let delay = length * random(number) * if host == "netns" { 1.0 } else { 2.0 };
                        let after = after(host, kind, delay);
                        all.lock().unwrap().push((format!("{kind} over {host}"), delay, after));
                    }
                }
            });
        }
    });
    let all = all.into_inner().unwrap();
    let wrong: Vec<String> = all
        .iter()
        .filter_map(|(kind, delay, after)| Some(format!("{kind} at {delay:.3} s: {}", after.as_ref()?.as_ref().err()?)))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
    let kept = all.iter().filter(|(_, _, after)| matches!(after, Some(Ok(after)) if after.settings == "after")).count();
    say(&format!("{} moments: {kept} confirmed, {} as before, none half", all.len(), all.len() - kept));
    assert!(kept < all.len(), "no moment was within the change");
}

/// Standard output and standard error of a script in a namespace with [`SCENE`].
fn scene(script: &str) -> Option<(String, String)> {
    let output = inside(
        &format!("{SCENE}apply() {{ \"$GOODPUT\" apply --state /run/state \"$@\"; echo \"code $?\"; }}\n{script}"),
        &[],
    )?;
    Some((text(&output.stdout), text(&output.stderr)))
}

#[test]
fn settings_changed_by_others_meanwhile_are_left_and_named() {
    let script = "apply mtu@eth0=1400 net.ipv4.tcp_mtu_probing=1
        ip link set eth0 mtu 1450
        \"$GOODPUT\" undo --state /run/state --dry-run; \"$GOODPUT\" undo --state /run/state; \"$GOODPUT\" undo --state /run/state
        cat /proc/sys/net/ipv4/tcp_mtu_probing /run/state/log; ip -o link show eth0; ls /run/state";
    let Some((said, errors)) = scene(script) else { return };
    for line in [
        "mtu@eth0=1400: 1500 -> 1400\nnet.ipv4.tcp_mtu_probing=1: 0 -> 1\nConfirmed. New connections use it. Undo: sudo goodput undo\ncode 0\n",
        "mtu eth0: left at 1450, which somebody else has set; it was 1500\nnet.ipv4.tcp_mtu_probing: 1 -> 0\n",
        "net.ipv4.tcp_mtu_probing: back to 0\nThe host differs from its state before (- is missing, + is new):\n-link ",
        "\nNothing to undo",
        "\n0\n",
        "mtu 1450 ",
        "left, somebody else changed it: eth0 is 1450\n",
    ] {
        assert!(said.contains(line), "{line}\n{said}{errors}");
    }
}

#[test]
fn impossible_changes_are_refused_before_any_is_made() {
    let script = "tc qdisc add dev eth0 root handle 1: pfifo limit 10
        state before
        apply mtu@eth7=1400 net.ipv4.tcp_mtu_probing=1
        apply qdisc@eth0=tbf,95Mbit/s
        apply net.core.rmem_max=67108864
        apply kernel.core_pattern=x
        apply net.ipv4.tcp_mtu_probing=0
        state after";
    let Some((said, errors)) = scene(script) else { return };
    let states = states(&said);
    let after = states["after"];
    assert!(states["before"].starts_with(after), "{said}");
    for line in [
        "mtu@eth7=1400: there is no device eth7; here are: ",
        "qdisc@eth0=tbf,95Mbit/s: somebody has chosen its queueing discipline (pfifo 1:); it is not replaced",
        "net.core.rmem_max=67108864: ",
        "kernel.core_pattern=x is nothing that goodput changes",
        "hint: ",
    ] {
        assert!(errors.contains(line), "{line}\n{errors}");
    }
    assert!(said.contains("Nothing to change") && said.matches("code 2").count() == 4, "{said}");
}

/// Heartbeats keep a trial alive that takes longer than the watchdog waits; the measured rates show no gain.
#[test]
fn one_apply_runs_at_a_time_and_reverts_without_a_gain() {
    let script = "state before
        apply net.ipv4.tcp_mtu_probing=1 --within 2s --pairs 2 --measure 'sleep 1.4; echo 5 Mbit/s' > /run/first 2>&1 &
        sleep 2
        apply mtu@eth0=1400
        wait
        cat /run/first
        state after
        ls /run/state";
    let Some((said, errors)) = scene(script) else { return };
    assert!(said.contains("Measured: 5.00 Mbit/s without, 5.00 Mbit/s with the change."), "{said}{errors}");
    assert!(said.contains("Put back: everything is as it was.\ncode 1"), "{said}{errors}");
    assert!(errors.contains("another goodput is changing this host (process ") && said.contains("code 2"), "{errors}");
    let states = states(&said);
    let (before, after) = (states["before"], states["after"]);
    let settings =
        |state: &str| state.lines().filter(|line| line.contains("mtu")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(settings(before.split("code").next().unwrap()), settings(after), "{said}");
    assert!(!after.contains("pending") && !after.contains("lock"), "{said}");
}

/// A receive window of 2 kB against autotuning, by real transfers of iperf3 between two namespaces.
#[test]
fn a_change_that_helps_is_kept_by_what_was_measured() {
    if !Path::new("/usr/bin/iperf3").exists() {
        return skip("iperf3 is not installed");
    }
    let script = "ip netns add server || exit 98
        ip link set peer netns server
        server() { ip netns exec server \"$@\"; }
        server ip addr add 192.0.2.1/24 dev peer; server ip link set peer up; server ip link set lo up
        server sh -c 'echo 4096 4096 4096 > /proc/sys/net/ipv4/tcp_rmem'
        ip netns exec server iperf3 -s -p 5999 > /dev/null 2>&1 & listener=$!
        sleep 0.5
        apply receive-buffer=64MiB --host netns:server --pairs 3 --measure 'iperf3 -c 192.0.2.1 -p 5999 -t 1 -J'
        server cat /proc/sys/net/ipv4/tcp_rmem
        \"$GOODPUT\" undo netns:server --state /run/state
        apply receive-buffer=64MiB --host netns:server --at receiver --pairs 2 --to localhost --address 192.0.2.2 --time 1s
        kill $listener";
    let Some((said, errors)) = scene(script) else { return };
    assert!(said.contains("higher") || said.contains("times"), "{said}{errors}");
    assert!(said.contains("Confirmed over a new connection.") && said.contains("code 0"), "{said}{errors}");
    assert!(said.contains("4096\t4096\t67108864"), "{said}{errors}");
    assert_eq!(said.matches("Measured: ").count(), 2, "{said}{errors}");
}

/// The folder of a proof with these changes, each of an end.
fn proof(changes: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("proof");
    fs::create_dir(&own).unwrap();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/proof/verdict.json");
    let mut verdict: serde_json::Value = serde_json::from_str(&fs::read_to_string(sample).unwrap()).unwrap();
    let change = |(at, word): &(&str, &str)| {
        let (setting, value) = word.split_once('=').unwrap();
        serde_json::json!({ "at": at, "setting": setting, "value": value, "command": format!("sudo goodput apply {word}") })
    };
    for row in verdict["rows"].as_array_mut().unwrap() {
        row["changes"] = changes.iter().map(change).collect();
    }
    fs::write(own.join("verdict.json"), verdict.to_string()).unwrap();
    fs::write(own.join("case.json"), "{}").unwrap();
    fs::write(own.join("1a-now.toml"), "title = \"t\"\n").unwrap();
    let listed = Command::new("sh").args(["-c", "sha256sum * > SHA256SUMS"]).current_dir(&own).status();
    assert!(listed.unwrap().success());
    folder
}

#[test]
fn the_change_of_a_proof_stands_beside_its_prediction() {
    let folder = proof(&[
        ("Sender", "net.ipv4.tcp_congestion_control=reno"),
        ("Sender", "send-buffer=64MiB"),
        ("Receiver", "receive-buffer=64MiB"),
    ]);
    let script = "apply \"$PROOF\" --dry-run --at receiver
        apply \"$PROOF\" --no-measure < /dev/null
        apply \"$PROOF\" --allow-commands
        apply \"$PROOF\" --allow-commands --pairs 2 --measure 'echo 5 Mbit/s'";
    let path = folder.path().to_str().unwrap();
    let Some((said, errors)) = scene(&script.replace("$PROOF", path)) else { return };
    assert!(said.starts_with("# receive-buffer=64MiB\n") && said.contains("sysctl net.ipv4.tcp_rmem | awk"), "{said}");
    assert!(errors.contains("somebody else made this proof and chose its change"), "{errors}");
    assert!(errors.contains("how the transfer is measured is not said"), "{errors}");
    assert!(
        said.contains("Predicted: ") && said.contains("measured 5.00 Mbit/s: ") && said.contains(" below that."),
        "{said}"
    );
    assert!(said.contains("Put back: everything is as it was.\ncode 1"), "{said}{errors}");
}

#[test]
fn no_proof_has_a_host_do_what_is_not_in_the_table() {
    for word in ["kernel.core_pattern=|evil", "mtu@eth0=1400;evil", "$(evil)=1", "route-mtu@default=1400,via=`evil`"] {
        let folder = proof(&[("Sender", word)]);
        let output =
            Command::new(GOODPUT).args(["apply", "--allow-commands", "--no-measure"]).arg(folder.path()).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(2), "{word}: {}{}", text(&output.stdout), text(&output.stderr));
    }
}

/// An experiment that somebody edited in a proof is named: experiments are meant to be edited.
#[test]
fn a_proof_that_was_edited_is_refused_with_the_files_name() {
    let folder = proof(&[("Sender", "send-buffer=64MiB")]);
    let said = || {
        let output = Command::new(GOODPUT).args(["apply", "--dry-run"]).arg(folder.path()).output().unwrap();
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    fs::write(folder.path().join("proof/1a-now.toml"), "title = \"mine\"\n").unwrap();
    let (code, told) = said();
    assert!(code == Some(0) && told.contains("# send-buffer=64MiB"), "{told}");
    fs::write(folder.path().join("proof/case.json"), "{ }").unwrap();
    let (code, told) = said();
    assert!(
        code == Some(2) && told.contains("since `goodput prove` wrote it: case.json\n\nhint: run prove again"),
        "{told}"
    );
}

/// A congestion control that this kernel lacks, as a page of another host may propose it, and one that it has and does not
/// allow. The kernel's lists are the oracle, and its setting stays.
#[test]
fn a_forbidden_congestion_control_is_refused_with_advice() {
    let list = |which: &str| {
        let text = fs::read_to_string(format!("/proc/sys/net/ipv4/tcp_{which}_congestion_control")).unwrap();
        text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let [available, allowed] = ["available", "allowed"].map(list);
    let not_allowed = available.iter().find(|name| !allowed.contains(name)).cloned();
    let lacks = (!available.contains(&"lp".to_owned())).then(|| "lp".to_owned());
    for control in [not_allowed, lacks].into_iter().flatten() {
        let key = "net.ipv4.tcp_congestion_control";
        let script = format!(
            "cat /proc/sys/net/ipv4/tcp_congestion_control; apply {key}={control}; cat /proc/sys/net/ipv4/tcp_congestion_control"
        );
        let Some((said, errors)) = scene(&script) else { return };
        let lines: Vec<&str> = said.lines().collect();
        assert!(lines.len() == 3 && lines[0] == lines[2] && lines[1] == "code 2", "{said}{errors}");
        let load = if available.contains(&control) { String::new() } else { format!("sudo modprobe tcp_{control}; ") };
        let allowed = allowed.join(" ");
        for part in [
            format!("{control} is not allowed in this network namespace"),
            format!("tcp_allowed_congestion_control is {allowed}"),
            format!("{load}sudo sysctl net.ipv4.tcp_allowed_congestion_control=\"{allowed} {control}\""),
        ] {
            let errors = errors.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(errors.contains(&part), "{part}: {errors}");
        }
        assert!(!errors.contains("printf"), "{errors}");
    }
}

/// A namespace has the host's default, which it may not set itself. Files stand in for the kernel's: the host's default is
/// not the test's to change.
#[test]
fn a_control_that_could_not_be_put_back_is_not_replaced() {
    let script = "echo other > /run/control
        mount --bind /run/control /proc/sys/net/ipv4/tcp_congestion_control || exit 98
        apply net.ipv4.tcp_congestion_control=reno
        cat /run/control; ls /run/state";
    let Some((said, errors)) = scene(script) else { return };
    assert_eq!(said, "code 2\nother\n", "{errors}");
    assert!(errors.contains("other, which is set now, could not be put back in this network namespace"), "{errors}");
}
