//! FreeBSD's stack next to Linux's. `make kernels` builds the kernel `freebsd`, and `make kernels-all` those with
//! patches, if FREEBSD_SRC names a tree or goodput's cache has one; otherwise these tests are left out.

mod congestion;
mod fits;
mod modules;
mod offloads;
mod paths;
mod physics;
mod prove;
mod records;
mod state;
mod traffic;

use crate::determinism::random_addresses_change_no_byte_of;
use crate::kernel_cache::{KernelCache, newest_series, shared};
use crate::skip::skip;
use crate::support::{self, Recorded, assert_identical, try_record_on};
use lab::engine::TrialError;
use lab::kernel::Entry;
use plan::recording::SAMPLES;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

const SECOND: u64 = 1_000_000_000;
/// Payload share of the bytes on the wire: 1448 of 1500, and 38 of Ethernet.
const PAYLOAD_SHARE: f64 = 1448.0 / 1538.0;

/// The tree that FREEBSD_SRC names, else `freebsd-src` in goodput's cache; without either the test is skipped.
pub fn tree() -> Option<PathBuf> {
    let named = std::env::var_os("FREEBSD_SRC").filter(|tree| !tree.is_empty());
    let named = named.map(|tree| Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(tree));
    let tree = named.or_else(|| Some(shared("freebsd-src")).filter(|tree| tree.is_dir()));
    if tree.is_none() {
        skip("no tree with FreeBSD's stack: FREEBSD_SRC names none and goodput's cache has no freebsd-src");
    }
    tree
}

/// The folder of a tree that has FreeBSD's `sys`: F-Stack calls it `freebsd`.
fn system(tree: &Path) -> &'static str {
    if tree.join("freebsd").is_dir() { "freebsd" } else { "sys" }
}

fn kernel() -> Option<Entry> {
    tree().and_then(|_| called("freebsd"))
}

fn called(name: &str) -> Option<Entry> {
    support::extra_kernel(name)
}

/// Runs `goodput kernel add` on a tree, with a cache of the test's own and the kernel source of the user's cache.
fn add(cache: &KernelCache, freebsd: &Entry, name: &str, words: &[&str]) -> Output {
    let sources = fs::read_dir(shared("sources")).unwrap().map(|entry| entry.unwrap().path());
    let source = &freebsd.source.description;
    let version = source.rsplit(' ').next().unwrap().replace(':', "%3a");
    let tarball = sources.into_iter().find(|path| path.to_string_lossy().ends_with(&format!("_{version}.tar.xz")));
    let tarball = tarball.expect("the source of the kernel \"freebsd\" is in the cache").display().to_string();
    cache.kernel(&[&["add", name, "--from", &tarball], words].concat())
}

fn record(kernel: &Entry, hosts: &str, path: &str, flow: &str) -> Result<Recorded, TrialError> {
    let spec = format!("title = \"FreeBSD\"\n{hosts}\n[path]\n{path}\n[[flows]]\n{flow}\n");
    try_record_on(&spec, kernel.clone())
}

const BOTH_HOSTS: &str = "hosts = { stack = \"freebsd\" }";
const SENDER: &str = "hosts = { sender = { stack = \"freebsd\" } }";
const RECEIVER: &str = "hosts = { receiver = { stack = \"freebsd\" } }";

/// Half of two BDPs is one: NewReno fills a line behind a buffer of one BDP.
#[test]
fn a_line_is_filled_from_freebsd_to_linux_and_back() {
    let Some(kernel) = kernel() else { return };
    for (hosts, congestion) in [(BOTH_HOSTS, "newreno"), (SENDER, "newreno"), (RECEIVER, "reno")] {
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
    for hosts in [BOTH_HOSTS, SENDER, RECEIVER] {
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
    let run = record(&kernel, BOTH_HOSTS, path, "duration = \"100 s\"\ncongestion = \"newreno\"").unwrap();
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

/// A window for each round trip: of kern.ipc.maxsockbuf data get MCLBYTES of MSIZE + MCLBYTES, 2048 of 2304 bytes
/// (sys/kern/uipc_sockbuf.c, sb_max_adj).
#[test]
fn a_send_buffer_limits_to_itself_over_the_round_trip() {
    let Some(kernel) = kernel() else { return };
    let path = "rate = \"1 Gbit/s\"\nrtt = \"40 ms\"\nbuffer = \"1 BDP\"";
    let sysctl = "\"kern.ipc.maxsockbuf\" = 2304000, \"net.inet.tcp.sendbuf_max\" = 2304000";
    let hosts = format!("hosts = {{ sender = {{ stack = \"freebsd\", sysctl = {{ {sysctl} }} }} }}");
    let run = record(&kernel, &hosts, path, "duration = \"10 s\"\ncongestion = \"newreno\"").unwrap();
    let goodput = run.goodput(5 * SECOND, 10 * SECOND);
    let most = 2_048_000.0 * 8.0 / 0.040;
    assert!(goodput <= most && goodput >= 0.97 * most, "{goodput} of {most}");
}

/// RFC 6928: ten segments before the first ACK of data (net.inet.tcp.initcwnd_segments). One more takes a round trip more.
#[test]
fn ten_segments_start() {
    let Some(kernel) = kernel() else { return };
    let path = "rate = \"1 Gbit/s\"\nrtt = \"100 ms\"\nbuffer = \"1 BDP\"";
    let seconds = |segments: u64| {
        let run = record(&kernel, SENDER, path, &format!("bytes = \"{} B\"", segments * 1448)).unwrap();
        let [start, end] = run.series.facts.span(0);
        (end - start) as f64 / 1e9
    };
    let more = seconds(11) - seconds(10);
    assert!((0.099..0.102).contains(&more), "{more} s more");
}

/// TCPTV_MIN, 30 ms, and TCPTV_CPU_VAR, 200 ms (sys/netinet/tcp_timer.h): no RTO is shorter, and one of a short path is that.
#[test]
fn the_least_rto_is_230_ms() {
    let Some(kernel) = kernel() else { return };
    let path = "rate = \"100 Mbit/s\"\nrtt = \"1 ms\"\nbuffer = \"10 packets\"";
    let run = record(&kernel, SENDER, path, "duration = \"2 s\"").unwrap();
    let [rto, rtt, end] = run.columns(SAMPLES, ["rto", "rtt", "end"]);
    let measured = rto.into_iter().zip(rtt).zip(end).filter(|((_, rtt), end)| *end == 0 && *rtt > 0);
    assert_eq!(measured.map(|((rto, _), _)| rto).min(), Some(230_000));
}

#[test]
fn the_same_bytes_come_again() {
    let Some(kernel) = kernel() else { return };
    for hosts in [BOTH_HOSTS, SENDER, RECEIVER] {
        let path = "rate = \"50 Mbit/s\"\nrtt = \"10 ms\"\nbuffer = \"1 BDP\"\nloss = \"0.2 %\"";
        let run = || record(&kernel, hosts, path, "duration = \"3 s\"\ncongestion = \"cubic\"").unwrap();
        let (first, again) = (run(), run());
        assert_identical(first.path(), again.path());
    }
}

#[test]
fn random_addresses_change_no_byte() {
    let Some(kernel) = kernel() else { return };
    let path = "rate = \"50 Mbit/s\"\nrtt = \"10 ms\"\nbuffer = \"1 BDP\"\nloss = \"0.2 %\"";
    for hosts in [BOTH_HOSTS, SENDER, RECEIVER] {
        let flow = "duration = \"2 s\"\ncongestion = \"cubic\"";
        let spec = format!("title = \"FreeBSD\"\n{hosts}\n[path]\n{path}\n[[flows]]\n{flow}\n");
        random_addresses_change_no_byte_of(&spec, &kernel);
    }
}

/// The stack boots with its first host: a kernel that has it and runs none records the same bytes.
#[test]
fn a_stack_that_is_not_used_changes_no_byte() {
    let Some(kernel) = kernel() else { return };
    let path = "rate = \"50 Mbit/s\"\nrtt = \"10 ms\"\nbuffer = \"1 BDP\"\nloss = \"0.2 %\"";
    let flow = "duration = \"3 s\"\n[[flows]]\nkind = \"requests\"\nduration = \"3 s\"";
    let [with, without] = [kernel, support::kernel()].map(|kernel| record(&kernel, "", path, flow).unwrap());
    assert_identical(with.path(), without.path());
}

/// Hosts of both systems behind a switch with shared memory, a router and a fair queue, in both directions. Every trial
/// also checks that no packet vanishes.
#[test]
fn hosts_of_both_systems_share_switches_routers_and_queues() {
    let Some(kernel) = kernel() else { return };
    let link = |between: &str, more: &str| format!("[[links]]\nbetween = [{between}]\ndelay = \"5 ms\"\n{more}\n");
    let flow = |ends: &str| format!("[[flows]]\n{ends}\nduration = \"5 s\"\n");
    let nodes = "title = \"Both\"\n[hosts]\nbsd1.stack = \"freebsd\"\nbsd2.stack = \"freebsd\"\nlinux1 = {}\nlinux2 = {}\n\
                 [switches.s]\nmemory = \"125 kB\"\n[routers.r]\n";
    let port = "rate = \"1 Gbit/s\"\nbuffer = \"125 kB\"";
    let spec = [
        nodes.to_owned(),
        link("\"bsd1\", \"s\"", port),
        link("\"linux1\", \"s\"", port),
        link("\"s\", \"r\"", "rate = \"200 Mbit/s\"\nbuffer = \"125 kB\"\nloss = \"0.05 %\""),
        link("\"r\", \"bsd2\"", "rate = \"100 Mbit/s\"\nbuffer = \"200 packets\""),
        link(
            "\"r\", \"linux2\"",
            "rate = \"100 Mbit/s\"\nbuffer = \"1000 packets\"\nqueue = { discipline = \"fq_codel\" }",
        ),
        flow("from = \"bsd1\"\nto = \"linux2\""),
        flow("from = \"linux1\"\nto = \"bsd2\""),
        flow("from = \"bsd1\"\nto = \"bsd2\"\ndirection = \"both\""),
    ]
    .concat();
    let run = || try_record_on(&spec, kernel.clone()).unwrap();
    let (first, again) = (run(), run());
    assert_identical(first.path(), again.path());
    let rates: Vec<f64> = (0..4)
        .map(|flow| {
            let [received] = first.last_of(flow, 1, ["bytes_received"]);
            received as f64 * 8.0 / 5.0
        })
        .collect();
    assert!(rates.iter().all(|rate| *rate > 1e6), "{rates:?}");
    // Into bsd2, and into linux2; the flow back has the other directions for itself.
    assert!(rates[1] + rates[2] <= 100e6 * PAYLOAD_SHARE && rates[0] <= 100e6 * PAYLOAD_SHARE, "{rates:?}");
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

/// cwnd after each congestion event as a share of cwnd before; the first event differs and is skipped.
fn shares(run: &Recorded) -> Vec<f64> {
    let [cwnd, ssthresh, end] = run.columns(SAMPLES, ["snd_cwnd", "snd_ssthresh", "end"]);
    let samples: Vec<(u64, u64)> =
        cwnd.into_iter().zip(ssthresh).zip(end).filter(|(_, end)| *end == 0).map(|(sample, _)| sample).collect();
    let event = |pair: &[(u64, u64)]| (pair[1].1 < pair[0].0).then(|| pair[1].1 as f64 / pair[0].0 as f64);
    samples.windows(2).filter(|pair| pair[0].1 != pair[1].1).filter_map(event).skip(1).collect()
}

/// CUBIC decreases cwnd to 0.7 (RFC 9438, section 4.6), and to 0.5 with the patch. Fast convergence takes off more
/// (section 4.7), and cwnd may have grown since the last sample, so each share is one of these or less.
#[test]
fn a_patch_compiles_what_it_changes_and_shows() {
    let (Some(tree), Some(freebsd)) = (tree(), kernel()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let patch = folder.path().join("half.patch");
    let place = "sys/netinet/cc/cc_cubic.c";
    let text =
        format!("--- a/{place}\n+++ b/{place}\n@@ -118,0 +119,2 @@\n+#undef CUBIC_BETA\n+#define CUBIC_BETA 128\n");
    fs::write(&patch, text).unwrap();
    let [tree, patch] = [tree, patch].map(|path| path.to_str().unwrap().to_owned());
    let name = "freebsd-test-half";
    let cache = KernelCache::with_tree(&[], &newest_series());
    let added = add(&cache, &freebsd, name, &["--freebsd", &tree, "--freebsd-patch", &patch]);
    assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
    let half = cache.find(name);

    let log = fs::read_to_string(half.folder.join("build.log")).unwrap();
    let compiled: Vec<&str> = log.lines().filter_map(|line| line.strip_prefix("  CC      freebsd/")).collect();
    assert!(compiled.contains(&"sys/netinet/cc/cc_cubic.o"), "{compiled:?}");
    let shown = String::from_utf8(cache.kernel(&["show", name]).stdout).unwrap();
    for word in ["13.0", &patch, &half.hash, &half.linux_sha256] {
        assert!(shown.contains(word), "{word}: {shown}");
    }

    let path = "rate = \"100 Mbit/s\"\nrtt = \"40 ms\"\nbuffer = \"4 BDP\"\nloss = { every = 20000 }";
    let flow = "duration = \"60 s\"\ncongestion = \"cubic\"";
    let largest = |kernel: &Entry| {
        let shares = shares(&record(kernel, SENDER, path, flow).unwrap());
        assert!(shares.len() >= 5, "{shares:?}");
        shares.into_iter().fold(0.0, f64::max)
    };
    let [before, after] = [freebsd, half].map(|kernel| largest(&kernel));
    assert!((0.67..0.71).contains(&before) && (0.47..0.51).contains(&after), "{before}, {after}");
}

#[test]
fn a_misfit_patch_or_tree_is_refused_with_its_place() {
    let (Some(tree), Some(freebsd)) = (tree(), kernel()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).unwrap();
        folder.path().join(name).to_str().unwrap().to_owned()
    };
    let cache = KernelCache::with(&[]);
    let refusal = |tree: &Path, patch: &str| {
        let output = add(&cache, &freebsd, "refused", &["--freebsd", tree.to_str().unwrap(), "--freebsd-patch", patch]);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let patch = |file: &str| format!("--- a/sys/{file}\n+++ b/sys/{file}\n@@ -7 +7 @@\n-no such line\n+another\n");
    let misfit = file("misfit.patch", &patch("netinet/cc/cc_cubic.c"));
    let said = refusal(&tree, &misfit);
    assert!(said.contains("misfit.patch:3: hunk 1 for sys/netinet/cc/cc_cubic.c does not apply"), "{said}");
    let lost = file("lost.patch", &patch("netinet/cc/cc_none.c"));
    assert!(refusal(&tree, &lost).contains("no such file: sys/netinet/cc/cc_none.c"));
    let text = file("text.patch", "no patch\n");
    assert!(refusal(&tree, &text).contains("text.patch: git cannot read this patch"));
    let system = system(&tree);
    let said = refusal(&tree.join(system), &misfit);
    assert!(said.contains(&format!("{system}/sys/sys/param.h: no such file")), "{said}");
}

/// A checkout of freebsd-src has the same files below `sys`, without F-Stack's: the kernel is the same.
#[test]
fn a_tree_laid_out_as_freebsd_src_is_the_same_kernel() {
    let (Some(tree), Some(freebsd)) = (tree(), kernel()) else { return };
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(fs::canonicalize(tree.join(system(&tree))).unwrap(), folder.path().join("sys")).unwrap();
    let name = "freebsd-test-layout";
    let cache = KernelCache::with(&["freebsd"]);
    let added = add(&cache, &freebsd, name, &["--freebsd", folder.path().to_str().unwrap()]);
    assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
    assert_eq!(cache.find(name).hash, freebsd.hash);
    assert!(cache.kernel(&["remove", name]).status.success());
    assert_eq!(cache.find("freebsd").hash, freebsd.hash, "a kernel stays while it has a name");
}

/// D49540 makes CUBIC behave as NewReno where its own curve is slower: the write-up's two rows are the same at 1 % (814
/// Mbit/s).
#[test]
fn the_patched_cubic_is_newreno_where_round_trips_are_short() {
    let (Some(kernel), Some(patched)) = (kernel(), called("freebsd-d49540")) else { return };
    let path = "rate = \"100 Mbit/s\"\nrtt = \"5 ms\"\nbuffer = \"100 packets\"\nloss = \"0.3 %\"";
    let goodput = |kernel: &Entry, congestion: &str| {
        let run = record(kernel, SENDER, path, &format!("duration = \"60 s\"\ncongestion = \"{congestion}\"")).unwrap();
        run.goodput(SECOND, 60 * SECOND)
    };
    let [newreno, before, after] = [goodput(&kernel, "newreno"), goodput(&kernel, "cubic"), goodput(&patched, "cubic")];
    assert!((after / newreno - 1.0).abs() < 0.03, "{after}, NewReno {newreno}");
    assert!((before / newreno - 1.0).abs() > 0.05, "{before}, NewReno {newreno}");
}
