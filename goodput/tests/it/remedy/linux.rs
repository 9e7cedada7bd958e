//! Now, keep and undo in a network namespace of the test's own. Settings that belong to the whole machine are files of a
//! mount namespace there; paths of files that remedies write are below a temporary folder.

use super::{all, held, platform};
use diagnosis::remedy::{Before, Change, File, Remedy, Side};
use evidence::System;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// A device in a namespace with a default route, settings with known values, and a function that prints its state.
const SCENE: &str = r#"
set -u
also=
test "$(readlink /proc/self/ns/net)" != "$OUTER_NET" && test "$(readlink /proc/self/ns/mnt)" != "$OUTER_MNT" || exit 99
mount --make-rprivate / && mount -t tmpfs none /sys/module || exit 98
mkdir -p /sys/module/tcp_cubic/parameters && echo 1 > /sys/module/tcp_cubic/parameters/hystart
for folder in core ipv4; do
    case $folder in core) own=default_qdisc; value=pfifo_fast ;; ipv4) own=tcp_mem; value="285333 380444 570666" ;; esac
    if [ "$WHOLE" = "$own" ] && [ ! -e "/proc/sys/net/$folder/$own" ]; then
        mount -t tmpfs none "/proc/sys/net/$folder" || exit 98
        echo "$value" > "/proc/sys/net/$folder/$own"
    fi
done
mkdir -p "$ROOT/var/lib" "$ROOT/etc/sysctl.d" "$ROOT/etc/nftables.d" "$ROOT/etc/tmpfiles.d"
ip link set lo up
ip link add eth0 type veth peer name peer && ip addr add 192.0.2.2/24 dev eth0
ip link set eth0 up && ip link set peer up
while ip link | grep -q NO-CARRIER; do sleep 0.05; done
ip route add default via 192.0.2.1 dev eth0
ip -6 route add default via fe80::1 dev eth0 2> /dev/null
if [ -z "$WHOLE" ]; then
    sysctl -qw net.ipv4.tcp_rmem="4096 131072 6291456" net.ipv4.tcp_wmem="4096 16384 4194304"
fi
state() {
    grep . /proc/sys/net/ipv4/tcp_* /proc/sys/net/core/* 2> /dev/null
    read -r hystart < /sys/module/tcp_cubic/parameters/hystart; echo "hystart $hystart"
    tc qdisc show | sed 's/refcnt [0-9]*//'
    ip -4 route; ip -6 route | grep -v 'proto kernel'
    ip -o link | grep -o '^[0-9]*: [^ ]* .* mtu [0-9]*'
    [ -z "$also" ] || $also
    for saved in "$ROOT"/var/lib/*; do echo "saved $saved"; done
}
"#;

/// The commands with their files below a folder.
fn below(root: &Path, commands: &[String]) -> String {
    let moved = |command: &String| {
        let root = root.to_str().unwrap();
        command.replace("/var/lib/", &format!("{root}/var/lib/")).replace("/etc/", &format!("{root}/etc/"))
    };
    commands.iter().map(|command| moved(command) + "\n").collect()
}

/// Output and errors of a script in the namespace; `Err` if the machine cannot make such namespaces.
fn inside(root: &Path, whole: &str, script: &str) -> Result<(String, String), String> {
    let own = |name: &str| fs::read_link(format!("/proc/self/ns/{name}")).unwrap();
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n");
    let output = Command::new("unshare")
        .args(if is_root { ["-mn"].as_slice() } else { &["-rmn"] })
        .args(["sh", "-c", &format!("{SCENE}\n{script}")])
        .env("OUTER_NET", own("net"))
        .env("OUTER_MNT", own("mnt"))
        .env("ROOT", root)
        .env("WHOLE", whole)
        .output()
        .map_err(|error| format!("unshare: {error}"))?;
    let [out, errors] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    let refused = matches!(output.status.code(), Some(98)) || errors.contains("unshare failed");
    if refused { Err(errors) } else { Ok((out, errors)) }
}

/// On standard error itself, which the test's harness does not swallow.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "remedy::linux: {text}");
}

/// The setting of the whole machine that a remedy changes, which a namespace has not.
fn whole(remedy: &Remedy) -> &'static str {
    match (&remedy.change, remedy.key()) {
        (Change::TcpMemory, _) => "tcp_mem",
        (_, Some("net.core.default_qdisc")) => "default_qdisc",
        _ => "",
    }
}

/// Part of the machine that a remedy needs and that is missing: a program, or a part of the kernel.
fn lacks(remedy: &Remedy, errors: &str) -> Option<String> {
    let has = |program: &str| Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
    let program = match remedy.change {
        Change::OffloadsOff { .. } => "ethtool",
        Change::MssClamp(_) => "nft",
        _ => "sh",
    };
    if !has(program).is_ok_and(|found| found.status.success()) {
        return Some(format!("{program} is not installed"));
    }
    let unknown = ["Specified qdisc kind is unknown", "Operation not supported", "net.ipv4.tcp_congestion_control\": "];
    unknown.iter().find(|line| errors.contains(*line)).map(|line| format!("this kernel: {line}"))
}

fn states(printed: &str) -> Vec<&str> {
    printed.split("==== state\n").skip(1).collect()
}

/// Lines of one state that are not in the other.
fn differs(one: &str, other: &str) -> String {
    let only = |a: &str, b: &str, sign: &str| {
        let lines = a.lines().filter(|line| !b.lines().any(|other| other == *line));
        lines.map(|line| format!("{sign} {line}\n")).collect::<String>()
    };
    only(one, other, "-") + &only(other, one, "+")
}

/// Makes each change twice and undoes it; keeps it, and undoes that. Remedies share a namespace if it has their
/// settings, so undoing must restore the state.
fn tried(remedies: &[Remedy]) {
    for own in ["", "default_qdisc", "tcp_mem"] {
        let these: Vec<&Remedy> = remedies.iter().filter(|remedy| whole(remedy) == own).collect();
        if these.is_empty() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let script: String = these.iter().map(|remedy| trial(remedy, folder.path())).collect();
        let (out, errors) = match inside(folder.path(), own, &script) {
            Ok(done) => done,
            Err(refused) => return say(&format!("NOT TESTED, this machine refuses namespaces: {}", refused.trim())),
        };
        let told: Vec<&str> = out.split("==== remedy\n").skip(1).collect();
        assert_eq!(told.len(), these.len(), "{out}{errors}");
        these.iter().zip(told).for_each(|(remedy, told)| check(remedy, told));
    }
}

/// The script of a trial. It drops the commands' output, and marks their errors.
fn trial(remedy: &Remedy, root: &Path) -> String {
    let steps = remedy.steps();
    let [now, undo, removals] = [&steps.now, &steps.undo, &steps.removals()].map(|commands| below(root, commands));
    let mut script = format!("also='{}'\necho '==== remedy'\n", reads(remedy));
    let mut run = |commands: &str| {
        script += &format!("{{ {{ :; {commands}\n}} 3>&1 >&2 2>&3 | sed 's/^/!!/'; }} 2> /dev/null\n");
        script += "echo '==== state'; state\n";
    };
    run("");
    run(&now);
    run(&format!("({now}) 2> /dev/null"));
    run(&undo);
    run(&now);
    let mut loads = String::new();
    for (file, line) in &steps.keep {
        let path = root.join(file.path().trim_start_matches('/'));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        loads += &format!("cat > {} << 'EOF'\n# from elsewhere\n{}\nEOF\n", path.display(), file.line(line));
        loads += &load(file, &path);
    }
    run(&loads);
    run(&format!("{removals}{undo}"));
    script
}

/// Further command that prints the state that a remedy changes.
fn reads(remedy: &Remedy) -> &'static str {
    match remedy.change {
        Change::OffloadsOff { .. } => "ethtool -k eth0",
        Change::MssClamp(_) => "nft list ruleset",
        _ => "",
    }
}

/// Command that loads a file as at boot, if no daemon does that.
fn load(file: &File, path: &Path) -> String {
    let path = path.display();
    match file {
        File::SysctlD => format!("sysctl -p {path}\n"),
        File::Nftables => format!("nft -f {path}\n"),
        File::Tmpfiles => format!("grep ^w {path} | while read -r _ at _ _ _ _ value; do echo $value > $at; done\n"),
        _ => String::new(),
    }
}

fn check(remedy: &Remedy, told: &str) {
    let errors: String = told.lines().filter(|line| line.starts_with("!!")).map(|line| format!("{line}\n")).collect();
    if let Some(lacks) = lacks(remedy, &errors) {
        return say(&format!("{} not tested: {lacks}", remedy.what()));
    }
    let commands = format!("{remedy:?}\n{:#?}", remedy.steps());
    let unexpected = errors.lines().find(|line| !line.contains("Warning"));
    assert_eq!(unexpected, None, "{commands}");
    let [before, first, second, after, _, kept, gone] = states(told)[..] else { panic!("{commands}\n{told}") };
    let changes = before.lines().filter(is_state).ne(first.lines().filter(is_state));
    assert_eq!(has_effect(remedy), changes, "{commands}");
    assert_eq!(first, second, "twice is not once: {commands}\n{}", differs(first, second));
    assert_eq!(before, after, "not undone: {commands}\n{}", differs(before, after));
    assert_eq!(first, kept, "the files say something else: {commands}\n{}", differs(first, kept));
    assert_eq!(before, gone, "still kept: {commands}\n{}", differs(before, gone));
}

/// Whether a line is about the host's settings, and not about saved values.
fn is_state(line: &&str) -> bool {
    !line.starts_with("saved ")
}

/// A veth has neither LRO nor a cache of metrics to lose.
fn has_effect(remedy: &Remedy) -> bool {
    let lro = matches!(&remedy.change, Change::OffloadsOff { features, .. } if features.len() == 1);
    !lro && remedy.change != Change::ForgetMetrics
}

#[test]
fn undo_reverts_every_remedy() {
    tried(&all(System::Linux, "eth0"));
}

/// The congestion control that a new namespace inherits.
fn control() -> String {
    fs::read_to_string("/proc/sys/net/ipv4/tcp_congestion_control").unwrap().trim().into()
}

/// The values that the scene begins with.
#[test]
fn known_values_are_restored() {
    let known = all(System::Linux, "eth0").into_iter().filter_map(|mut remedy| {
        remedy.before = Some(match (&remedy.change, remedy.key()) {
            (_, Some(key @ "net.ipv4.tcp_rmem")) => held(key, "4096 131072 6291456"),
            (_, Some(key @ "net.ipv4.tcp_wmem")) => held(key, "4096 16384 4194304"),
            (_, Some(key @ "net.ipv4.tcp_congestion_control")) => held(key, &control()),
            (Change::Mtu { .. }, _) => Before::Mtu(1500),
            (Change::Parameter { .. }, _) => held("tcp_cubic.hystart", "1"),
            (Change::OffloadsOff { features, .. }, _) if features.len() > 1 => Before::OffloadsOn(features.to_vec()),
            _ => return None,
        });
        assert!(!remedy.steps().now.concat().contains("goodput-"), "nothing is saved: {remedy:?}");
        Some(remedy)
    });
    tried(&known.collect::<Vec<_>>());
}

/// Somebody has set more than is needed, a route of his own, or a queueing discipline.
#[test]
fn settings_of_others_are_left_alone() {
    let own = [
        "sysctl -qw net.ipv4.tcp_rmem='4096 87380 1000000000'; sysctl -qw net.ipv4.tcp_wmem='4096 16384 900000000'",
        "tc qdisc add dev eth0 root handle 7: pfifo limit 77",
        "ip route replace default via 192.0.2.1 dev eth0 mtu 1480 initcwnd 14 rto_min 30ms",
        "ip route add 10.5.0.0/16 via 192.0.2.7 dev eth0 advmss 1234",
    ];
    let folder = tempfile::tempdir().unwrap();
    let there: Vec<Remedy> = all(System::Linux, "eth0").into_iter().filter(|remedy| whole(remedy).is_empty()).collect();
    let script = |remedy: &Remedy| {
        let steps = remedy.steps();
        let [now, undo] = [&steps.now, &steps.undo].map(|commands| below(folder.path(), commands));
        let run = |commands: &str| format!("({commands}) > /dev/null 2>&1\necho '==== state'; state\n");
        format!(
            "also='{}'\necho '==== remedy'\n{}{}{}",
            reads(remedy),
            run(":"),
            run(&format!(":; {now}")),
            run(&format!(":; {undo}"))
        )
    };
    let script: String = there.iter().map(script).collect();
    let Ok((out, errors)) = inside(folder.path(), "", &format!("{}\n{script}", own.join("\n"))) else {
        return say("NOT TESTED, this machine refuses namespaces");
    };
    for (remedy, told) in there.iter().zip(out.split("==== remedy\n").skip(1)) {
        let [before, now, after] = states(told)[..] else { panic!("{remedy:?}\n{told}{errors}") };
        let commands = format!("{remedy:?}\n{:#?}", remedy.steps());
        let left = |state: &str| state.lines().filter(is_state).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(left(before), left(after), "{commands}\n{}", differs(before, after));
        if matches!(remedy.change, Change::Autotuning { .. } | Change::Qdisc { .. }) {
            assert_eq!(left(before), left(now), "{commands}\n{}", differs(before, now));
        }
    }
}

/// A buffer is never set below the evidence's value, nor kept below any kernel's default.
#[test]
fn buffers_only_grow() {
    let linux = platform(System::Linux);
    let mut small = diagnosis::remedy::catalogue::buffer(Side::Receive, 100_000, &linux).remove(0);
    assert_eq!(small.steps().keep[0].1, "net.ipv4.tcp_rmem = 4096 131072 33554432");
    small.before = Some(held("net.ipv4.tcp_rmem", "4096 87380 50000000"));
    // The buffer is large enough already. Its value before somebody set it is unknown, so `undo` restores the value
    // that `now` finds.
    let file = "/var/lib/goodput-net.ipv4.tcp_rmem";
    let save = format!("test -s {file} || sysctl net.ipv4.tcp_rmem > {file}");
    assert_eq!(small.steps().now, [&*save, "sysctl -w net.ipv4.tcp_rmem=\"4096 87380 50000000\""]);
    assert_eq!(small.steps().undo, [format!("sysctl -p {file} && rm {file}")]);
    let Change::Autotuning { floor, .. } = &mut small.change else { panic!("{small:?}") };
    *floor = 60_000_000;
    assert_eq!(small.steps().keep[0].1, "net.ipv4.tcp_rmem = 4096 87380 60000000");
    assert_eq!(small.steps().undo, ["sysctl -w net.ipv4.tcp_rmem=\"4096 87380 50000000\""]);
}
