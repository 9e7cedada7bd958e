//! FreeBSD's stack beside Linux's. `make kernels` builds the kernel `freebsd` where FREEBSD_SRC names a tree; without one
//! these tests are left out.

use crate::support::{Recorded, assert_identical, try_record_on};
use goodput::engine::TrialError;
use goodput::kernel::{self, Entry};
use goodput::recording::SAMPLES;

const SECOND: u64 = 1_000_000_000;
/// Of the bytes on the wire: 1448 of 1500, and 38 of Ethernet.
const PAYLOAD_SHARE: f64 = 1448.0 / 1538.0;

/// The kernel; says so where there is none to build.
fn kernel() -> Option<Entry> {
    if std::env::var_os("FREEBSD_SRC").is_none_or(|tree| tree.is_empty()) {
        eprintln!("left out: FREEBSD_SRC names no tree");
        return None;
    }
    Some(kernel::find(Some("freebsd")).unwrap_or_else(|error| panic!("{error}\n\nhint: make kernels builds it")))
}

fn record(kernel: &Entry, hosts: &str, path: &str, flow: &str) -> Result<Recorded, TrialError> {
    let spec = format!("title = \"FreeBSD\"\n{hosts}\n[path]\n{path}\n[[flows]]\n{flow}\n");
    try_record_on(&spec, kernel.clone())
}

const BOTH: &str = "hosts = { stack = \"freebsd\" }";
const SENDER: &str = "hosts = { sender = { stack = \"freebsd\" } }";
const RECEIVER: &str = "hosts = { receiver = { stack = \"freebsd\" } }";

/// Half of two BDPs is one: NewReno fills a line behind a buffer of one BDP.
#[test]
fn a_line_is_filled_from_freebsd_to_linux_and_back() {
    let Some(kernel) = kernel() else { return };
    for (hosts, congestion) in [(BOTH, "newreno"), (SENDER, "newreno"), (RECEIVER, "reno")] {
        let path = "rate = \"100 Mbit/s\"\nrtt = \"20 ms\"\nbuffer = \"1 BDP\"";
        let flow = format!("duration = \"20 s\"\ncongestion = \"{congestion}\"");
        let run = record(&kernel, hosts, path, &flow).unwrap();
        let goodput = run.goodput(10 * SECOND, 20 * SECOND);
        let most = 100e6 * PAYLOAD_SHARE;
        assert!(goodput >= 0.95 * most && goodput <= 1.005 * most, "{hosts}: {goodput} of {most}");
        // FreeBSD counts round trips in ticks of 1 ms, begun ones included.
        let [rtt, end] = run.columns(SAMPLES, ["rtt", "end"]);
        let srtt: Vec<u64> =
            rtt.into_iter().zip(end).filter(|(rtt, end)| *end == 0 && *rtt > 0).map(|(rtt, _)| rtt).collect();
        let [least, largest] = [srtt.iter().min(), srtt.iter().max()].map(|us| *us.expect("a sample"));
        assert!(least >= 20_000 && largest <= 20_000 + 20_700 + 2_000, "{hosts}: SRTT {least} to {largest} us");
    }
}

#[test]
fn all_bytes_arrive() {
    let Some(kernel) = kernel() else { return };
    for hosts in [BOTH, SENDER, RECEIVER] {
        let path = "rate = \"20 Mbit/s\"\nrtt = \"30 ms\"\nbuffer = \"20 packets\"\nloss = \"0.5 %\"";
        let run = record(&kernel, hosts, path, "bytes = \"5 MB\"\ncongestion = \"cubic\"").unwrap();
        let [received] = run.last_of(0, 1, ["bytes_received"]);
        // Linux counts the FIN (tcp_rcv_nxt_update, net/ipv4/tcp_input.c).
        assert_eq!(received - u64::from(hosts == SENDER), 5_000_000, "{hosts}");
        let [start, end] = run.series.facts.span(0);
        let least = 5e6 * 8.0 / (20e6 * PAYLOAD_SHARE);
        assert!((end - start) as f64 / 1e9 >= least, "{hosts}: faster than the line");
    }
}

/// Mathis, Semke, Mahdavi and Ott 1997: sqrt(3/2) MSS / (RTT sqrt(p)) without delayed ACKs, which FreeBSD makes up for by
/// byte counting (RFC 3465, net.inet.tcp.abc_l_var 2).
#[test]
fn newreno_follows_the_square_root_law() {
    let Some(kernel) = kernel() else { return };
    let path = "rate = \"100 Mbit/s\"\nrtt = \"20 ms\"\nbuffer = \"10 BDP\"\nloss = \"0.1 %\"";
    let run = record(&kernel, BOTH, path, "duration = \"100 s\"\ncongestion = \"newreno\"").unwrap();
    let goodput = run.goodput(5 * SECOND, 100 * SECOND);
    let law = 1.5_f64.sqrt() * 1448.0 * 8.0 / (0.020 * 0.001_f64.sqrt());
    assert!((goodput / law - 1.0).abs() < 0.15, "{goodput} bit/s, the law says {law}");
}

/// RFC 8312, section 5.1, equation 6: 1.054 (RTT / p)^0.75 packets per RTT, where that is more than Reno's.
#[test]
fn cubic_follows_its_response_function() {
    let Some(kernel) = kernel() else { return };
    let path = "rate = \"1 Gbit/s\"\nrtt = \"100 ms\"\nbuffer = \"1 BDP\"\nloss = \"0.01 %\"";
    let hosts = "hosts = { stack = \"freebsd\", sysctl = { \"net.inet.tcp.reass.maxqueuelen\" = 10000 } }";
    let run = record(&kernel, hosts, path, "duration = \"600 s\"\ncongestion = \"cubic\"").unwrap();
    let goodput = run.goodput(30 * SECOND, 600 * SECOND);
    let law = 1.054 * (0.1_f64 / 1e-4).powf(0.75) * 1448.0 * 8.0 / 0.1;
    assert!((goodput / law - 1.0).abs() < 0.25, "{goodput} bit/s, the response function says {law}");
}

#[test]
fn the_same_bytes_come_again() {
    let Some(kernel) = kernel() else { return };
    for hosts in [BOTH, SENDER, RECEIVER] {
        let path = "rate = \"50 Mbit/s\"\nrtt = \"10 ms\"\nbuffer = \"1 BDP\"\nloss = \"0.2 %\"";
        let run = || record(&kernel, hosts, path, "duration = \"3 s\"\ncongestion = \"cubic\"").unwrap();
        let (first, again) = (run(), run());
        assert_identical(first.path(), again.path());
    }
}

#[test]
fn a_sysctl_is_what_the_stack_has() {
    let Some(kernel) = kernel() else { return };
    let path = "rate = \"10 Mbit/s\"\nrtt = \"10 ms\"\nbuffer = \"1 BDP\"";
    let with = |sysctl: &str| {
        let hosts = format!("hosts = {{ stack = \"freebsd\", sysctl = {{ {sysctl} }} }}");
        record(&kernel, &hosts, path, "duration = \"1 s\"")
    };
    let run = with("\"net.inet.tcp.cc.algorithm\" = \"htcp\", \"net.inet.tcp.initcwnd_segments\" = 3").unwrap();
    let got: Vec<&str> = run.series.facts.readbacks.iter().map(|readback| readback.got.as_str()).collect();
    assert!(got.contains(&"htcp") && got.contains(&"3"), "{got:?}");
    let unknown = with("\"net.inet.tcp.no_such_thing\" = 1").map(drop).unwrap_err().to_string();
    assert!(unknown.contains("FreeBSD's stack has no net.inet.tcp.no_such_thing"), "{unknown}");
    let fixed = with("\"net.inet.tcp.pcbcount\" = 1").map(drop).unwrap_err().to_string();
    assert!(fixed.contains("net.inet.tcp.pcbcount cannot be changed"), "{fixed}");
}
