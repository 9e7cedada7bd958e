//! Flows of users' programs: what is counted, against what the programs print and against arithmetic, and what is said of
//! programs that fail.

use crate::skip::skip;
use crate::support::{Recorded, close, record, try_record};
use plan::recording::{PROGRAMS, SUBFLOWS};
use serde_json::Value;

const SECOND: f64 = 1e9;

/// Whether a program is here; without it the test is left out with a note.
pub fn has(program: &str) -> bool {
    let found = lab::kernel::find_program(program).is_some();
    if !found {
        skip(&format!("{program} is not installed"));
    }
    found
}

/// A flow of two programs on 10 Mbit/s, with more keys of the path and of the flow.
fn spec(path: &str, flow: &str) -> String {
    format!(
        "title = \"programs\"\npath = {{ rate = \"10 Mbit/s\", rtt = \"20 ms\", buffer = \"1 BDP\" {path} }}\n\
         [[flows]]\nkind = \"program\"\n{flow}"
    )
}

/// Counters at the end of the trial, of the end that sends and of the other.
fn last<const N: usize>(run: &Recorded, flow: u64, end: u64, names: [&str; N]) -> [u64; N] {
    let [flows, ends] = run.columns(PROGRAMS, ["flow", "end"]);
    let row = (0..flows.len()).rfind(|row| flows[*row] == flow && ends[*row] == end).expect("a sample of that end");
    run.columns(PROGRAMS, names).map(|column| column[row])
}

fn output(run: &Recorded, command: u32) -> String {
    let ran = run.series.facts.ran.iter().find(|ran| ran.command == command).expect("it ran");
    ran.output.clone()
}

fn measured(run: &Recorded, name: &str) -> f64 {
    let trial = plan::Trial { scene: run.scene.clone(), ..first_trial() };
    let measures = analysis::measure_trial(&trial, &run.series);
    measures.get(name, base::units::Subject::Flow, 0).unwrap_or_else(|| panic!("{name} has no value"))
}

fn first_trial() -> plan::Trial {
    crate::support::plan(&spec("", "server = \"{port}\"\nclient = \"{port}\"")).trials.remove(0)
}

/// iperf3 counts what it sent and received itself (`iperf3 --json`). Beside the data there is its control connection, a few
/// hundred bytes.
#[test]
fn iperf3_counts_the_same_bytes() {
    if !has("iperf3") {
        return;
    }
    let run = record(&spec(
        "",
        r#"server = "exec iperf3 --server --one-off --port {port}"
           sends = "client"
           client = "exec iperf3 --client {address} --port {port} --time 4 --parallel 2 --json""#,
    ));
    let told: Value = serde_json::from_str(&output(&run, 1)).expect("iperf3 prints JSON");
    let bytes = |key: &str| told["end"][key]["bytes"].as_f64().expect("bytes");
    let [received] = last(&run, 0, 1, ["bytes_received"]);
    close(received as f64, bytes("sum_received"), 0.001, "bytes received");
    let retransmits = told["end"]["sum_sent"]["retransmits"].as_f64().expect("retransmits");
    let [again] = run.last_of(0, 0, ["total_retrans"]);
    assert!((again as f64 - retransmits).abs() <= 2.0, "{again} retransmissions, iperf3 says {retransmits}");
    // Both streams and the control connection, each at both ends.
    let [end, port] = run.columns(SUBFLOWS, ["end", "subflow"]);
    let of = |which: u64| {
        let rows = end.iter().zip(&port).filter(|(end, _)| **end == which);
        rows.map(|(_, port)| *port).collect::<std::collections::BTreeSet<u64>>()
    };
    assert_eq!((of(0).len(), of(0)), (3, of(1)), "connections");
    close(
        measured(&run, "goodput"),
        received as f64 * 8.0 * SECOND / run.series.facts.ended[&0] as f64,
        0.001,
        "goodput",
    );
}

/// 1,000 datagrams of 1,000 B, every tenth lost: 900 kB arrive in the second that they take, and 20 ms.
const DATAGRAMS: &str = r#"
server = """exec python3 -c '
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("0.0.0.0", {port}))
while True: s.recvfrom(2000)'"""
sends = "client"
client = """exec python3 -c '
import socket, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for n in range(1000):
    s.sendto(bytes(1000), ("{address}", {port}))
    time.sleep(0.001)
time.sleep(0.02)'"""
"#;

#[test]
fn datagrams_by_arithmetic() {
    if !has("python3") {
        return;
    }
    let run = record(&spec(", loss = { every = 10 }", DATAGRAMS));
    assert_eq!(last(&run, 0, 0, ["bytes_sent", "packets_sent", "packets_received"]), [1_000_000, 1000, 0]);
    assert_eq!(last(&run, 0, 1, ["bytes_received", "packets_received", "ce_received"]), [900_000, 900, 0]);
    assert_eq!(measured(&run, "lost"), 0.1);
    let seconds = run.series.facts.ended[&0] as f64 / SECOND;
    assert!((1.02..1.2).contains(&seconds), "{seconds} s");
    close(measured(&run, "goodput"), 900_000.0 * 8.0 / seconds, 1e-9, "goodput");
    assert_eq!(measured(&run, "completion"), seconds);
}

/// QUIC sends several datagrams in one call (GSO). Each is counted by itself: what did not arrive is what the queue dropped,
/// and what left the queue is the payload with 42 B of UDP, IPv4 and Ethernet each.
#[test]
fn every_datagram_of_quic_is_where_the_queue_says() {
    if ![has("gtlsserver"), has("gtlsclient"), has("openssl")].iter().all(|found| *found) {
        return;
    }
    let run = record(&spec(
        "",
        r#"direction = "reverse"
        server = """mkdir -p www && truncate -s 4M www/file && \
        openssl req -config /dev/null -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=lab \
        -keyout key -out cert 2>&1 && exec gtlsserver --quiet --no-pmtud --htdocs=www '*' {port} key cert"""
        client = "exec gtlsclient --quiet --exit-on-all-streams-close {address} {port} https://lab/file""#,
    ));
    let [sent] = last(&run, 0, 0, ["packets_sent"]);
    let [bytes, packets] = last(&run, 0, 1, ["bytes_received", "packets_received"]);
    let queue = run.queue(0, 0);
    let drops = *queue.drops.last().unwrap();
    assert!(drops > 0 && sent - packets == drops, "{sent} sent, {packets} received, {drops} dropped");
    assert_eq!(*queue.sent_packets.last().unwrap(), packets);
    assert_eq!(*queue.sent_bytes.last().unwrap(), bytes + 42 * packets);
    // 4 MiB and what QUIC adds to them.
    assert!((4_194_304..4_600_000).contains(&bytes), "{bytes} bytes");
}

/// Over IPv6 too, and each flow with an address, a port and a seed of its own.
#[test]
fn commands_are_filled_in() {
    if !has("iperf3") {
        return;
    }
    let run = record(
        r#"
        title = "filled in"
        family = "both"
        path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }
        [[flows]]
        kind   = "program"
        family = "ipv6"
        server = "exec iperf3 --server --port {port}"
        client = "echo {address} {port} {seed}; exec iperf3 --client {address} --port {port} --time 1 --reverse"
        [[flows]]
        kind   = "program"
        family = "ipv4"
        server = "exec iperf3 --server --port {port}"
        client = "echo {address} {port} {seed}; exec iperf3 --client {address} --port {port} --time 1 --udp --bitrate 1M --reverse"
        "#,
    );
    assert!(output(&run, 1).starts_with("fd00::2 6201 1\n"), "{}", output(&run, 1));
    assert!(output(&run, 3).starts_with("10.0.0.2 6202 1\n"), "{}", output(&run, 3));
    // 1 Mbit/s of payload for a second.
    let [received] = last(&run, 1, 1, ["bytes_received"]);
    close(received as f64, 125_000.0, 0.05, "datagrams of iperf3");
    let [six] = last(&run, 0, 1, ["bytes_received"]);
    assert!((600_000..1_250_000).contains(&six), "{six} bytes over IPv6 beside it");
}

/// The same programs make the same bytes.
#[test]
fn programs_are_repeatable() {
    if !has("iperf3") {
        return;
    }
    let once = || {
        let run = record(&spec(
            r#", loss = "1 %""#,
            "server = \"exec iperf3 --server --port {port}\"\n\
             client = \"exec iperf3 --client {address} --port {port} --time 2 --reverse\"",
        ));
        let file = |name: &str| std::fs::read(run.path().join(name)).expect("a file of the recording");
        [PROGRAMS, SUBFLOWS, plan::recording::TRIAL].map(file)
    };
    assert!(once() == once());
}

fn refused(flow: &str) -> String {
    try_record(&spec("", flow)).map(|_| ()).expect_err("it fails").to_string()
}

#[test]
fn programs_that_cannot_serve_are_named_with_what_they_said() {
    let client = "client = \"sleep 1 {port}\"";
    let missing = refused(&format!("server = \"no-such-server {{port}}\"\n{client}"));
    assert!(missing.contains("the server \"no-such-server 6201\" cannot be run: "), "{missing}");
    assert!(missing.contains("not found"), "{missing}");
    let early = refused(&format!("server = \"echo {{port}} bad certificate; exit 3\"\n{client}"));
    assert!(early.contains("ended with status 3: 6201 bad certificate"), "{early}");
    let never = refused(&format!("server = \"echo hello; sleep 100 # {{port}}\"\n{client}"));
    assert!(never.contains("does not listen on UDP or TCP port 6201 after 10 s; nothing there listens"), "{never}");
    let gone = refused(&format!("server = \"echo {{port}} is in the background\"\n{client}"));
    assert!(gone.contains("has ended, does not listen") && gone.contains(": 6201 is in the background"), "{gone}");
    if has("iperf3") {
        let other = refused(&format!("server = \"exec iperf3 --server --port 7777 # {{port}}\"\n{client}"));
        assert!(other.contains("receiver there listens on TCP 7777"), "{other}");
        let lacks = refused("server = \"exec iperf3 --server --port {port}\"\nclient = \"no-such-client {port}\"");
        assert!(
            lacks.contains("the client \"no-such-client 6201\" cannot be run: ") && lacks.contains("not found"),
            "{lacks}"
        );
    }
}

#[test]
fn programs_that_fail_later_break_their_flow_and_not_the_trial() {
    if !has("iperf3") {
        return;
    }
    let server = "server = \"exec iperf3 --server --port {port}\"";
    let broken = |flow: &str| {
        let run = record(&spec("", flow));
        run.series.facts.broken.get(&0).cloned().unwrap_or_default()
    };
    let failed = broken(&format!("{server}\nclient = \"echo {{port}}; echo no route >&2; exit 7\""));
    assert!(failed.ends_with("ended with status 7: 6201 | no route"), "{failed}");
    let killed = broken(&format!("{server}\nclient = \"kill -11 $$ # {{port}}\""));
    assert!(killed.contains("was ended by signal 11"), "{killed}");
    let died = broken(
        "server = \"(sleep 1; pkill iperf3 -9; echo out of memory; exit 9) & exec iperf3 --server --port {port}\"\n\
         client = \"sleep 3; echo {port}\"",
    );
    assert!(died.contains("the server") && died.contains("was ended by signal 9"), "{died}");
    let endless = broken(&format!("{server}\nclient = \"echo {{port}} waits; sleep 9999\""));
    assert!(endless.ends_with("had not ended at the trial's time limit"), "{endless}");
    // A gigabyte of output: the beginning is kept, and the end is told.
    let loud = broken(&format!("{server}\nclient = \"yes | head -c 300M; echo at last {{port}}; exit 1\""));
    assert!(loud.ends_with("y | y | y | y | at last 6201"), "{loud}");
    // What forks away ends its flow at once, and nothing was delivered.
    let run = record(&spec("", &format!("{server}\nclient = \"sleep 5 {{port}} & exit 0\"")));
    let doubts =
        analysis::measure_trial(&plan::Trial { scene: run.scene.clone(), ..first_trial() }, &run.series).caveats;
    assert!(doubts.contains(&analysis::Caveat::NothingDelivered { flow: 0 }), "{doubts:?}");
}

/// A command that looks at a clock until 200 ms are over.
fn spins(look: &str) -> Recorded {
    record(&format!(
        r#"
        title = "spins"
        path = {{ rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }}
        [hosts.sender]
        run = ["""exec python3 -c '
import os, resource
def look(): return {look}
first = look()
while look() < first + 0.2: pass'"""]
        "#
    ))
}

#[test]
fn a_program_that_spins_on_any_clock_comes_to_an_end() {
    if !has("python3") {
        return;
    }
    for look in [
        "os.times()[4]",
        "resource.getrusage(resource.RUSAGE_SELF).ru_utime + resource.getrusage(resource.RUSAGE_SELF).ru_stime",
        "float(open(\"/proc/uptime\").read().split()[0])",
    ] {
        let took = spins(look).series.facts.ran[0].time as f64 / SECOND;
        assert!((0.19..0.35).contains(&took), "{look}: {took} s");
    }
}

#[test]
fn devices_that_programs_expect_are_there() {
    if !has("python3") {
        return;
    }
    let run = record(
        r#"
        title = "devices"
        path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }
        [hosts.sender]
        run = ["""exec python3 -c '
import os, fcntl, struct, mmap
for name in ["null", "zero", "urandom", "shm", "net/tun"]: assert os.path.exists("/dev/" + name), name
leader, follower = os.openpty()
os.write(leader, b"x\\n")
assert os.read(follower, 2) == b"x\\n"
tun = os.open("/dev/net/tun", os.O_RDWR)
fcntl.ioctl(tun, 0x400454ca, struct.pack("16sH22x", b"mine", 0x1001))
open("/dev/shm/x", "w").write("y")
print(open("/proc/sys/net/ipv4/tcp_syncookies").read().strip())'"""]
        "#,
    );
    assert_eq!(output(&run, 0), "1\n");
}
