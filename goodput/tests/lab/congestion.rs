//! Congestion controls' own records, against arithmetic of the path.

use crate::support::{Recorded, close, record};
use plan::recording::{BBR, DCTCP, SAMPLES, VEGAS};

fn rows<const N: usize>(run: &Recorded, file: &str, columns: [&str; N]) -> [Vec<u64>; N] {
    run.columns(file, columns)
}

/// The sender's samples in samples.parquet: time and flow.
fn senders(run: &Recorded) -> Vec<(u64, u64)> {
    let [time, flow, end] = rows(run, SAMPLES, ["time", "flow", "end"]);
    time.into_iter().zip(flow).zip(end).filter(|(_, end)| *end == 0).map(|(row, _)| row).collect()
}

/// BBR alone on a path without loss: its bandwidth estimate is the link's rate of payload and TCP options (mss_cache),
/// its minimum RTT the path's.
#[test]
fn bbr_knows_the_bandwidth_and_the_round_trip_of_its_path() {
    let run = record(
        r#"
        title = "bbr"
        path = { rate = "50 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }
        flows = [{ congestion = "bbr", duration = "8 s" }]
        "#,
    );
    let [time, flow, bw, min_rtt, pacing_gain, cwnd_gain] =
        rows(&run, BBR, ["time", "flow", "bw", "min_rtt", "pacing_gain", "cwnd_gain"]);
    assert_eq!(time.iter().copied().zip(flow).collect::<Vec<_>>(), senders(&run), "a row with each sample");
    close(*bw.last().unwrap() as f64 * 8.0, 50e6 * 1448.0 / 1538.0, 0.02, "bandwidth");
    assert!((20_000..21_000).contains(min_rtt.last().unwrap()), "min_rtt {min_rtt:?}");
    // bbr_high_gain, bbr_drain_gain and bbr_pacing_gain, net/ipv4/tcp_bbr.c.
    assert!(pacing_gain.iter().all(|gain| [739, 88, 320, 192, 256].contains(gain)), "{pacing_gain:?}");
    assert!([739, 88, 320, 192].iter().all(|gain| pacing_gain.contains(gain)), "start-up, drain, and a cycle");
    assert_eq!((cwnd_gain[0], *cwnd_gain.last().unwrap()), (739, 512), "2/ln 2, then 2");
    assert!(!run.path().join(DCTCP).exists() && !run.path().join(VEGAS).exists());
}

/// A step threshold marks some packets: alpha is between 0 and 1024.
#[test]
fn dctcp_reports_its_alpha_and_ecn_negotiation() {
    let run = record(
        r#"
        title = "dctcp"
        path = { rate = "100 Mbit/s", rtt = "1 ms", buffer = "500 kB", queue = { discipline = "threshold", above = "50 kB" } }
        hosts = { ecn = true }
        flows = [{ congestion = "dctcp", duration = "2 s" }]
        "#,
    );
    let [time, enabled, alpha] = rows(&run, DCTCP, ["time", "enabled", "alpha"]);
    assert_eq!(time.len(), senders(&run).len());
    assert!(enabled.iter().all(|enabled| *enabled == 1));
    let last = *alpha.last().unwrap();
    assert!(0 < last && last < 1024, "alpha {last}/1024");
}

/// Vegas alone: its base round trip is the path's.
#[test]
fn vegas_knows_the_round_trip_of_its_path() {
    let run = record(
        r#"
        title = "vegas"
        path = { rate = "20 Mbit/s", rtt = "30 ms", buffer = "1 BDP" }
        flows = [{ congestion = "vegas", duration = "4 s" }]
        "#,
    );
    let [enabled, rtt] = rows(&run, VEGAS, ["enabled", "rtt"]);
    assert_eq!((enabled.len(), *enabled.last().unwrap()), (senders(&run).len(), 1));
    assert!((30_000..32_000).contains(rtt.last().unwrap()), "baseRTT {:?} us", rtt.last());
}

#[test]
fn cubic_has_nothing_to_say() {
    let run = record(
        r#"
        title = "cubic"
        path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }
        flows = [{ congestion = "cubic", duration = "1 s" }]
        "#,
    );
    assert!([BBR, VEGAS, DCTCP].iter().all(|file| !run.path().join(file).exists()));
}
