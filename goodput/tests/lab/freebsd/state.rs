//! Internal state of congestion controls and TCP stacks, against its expected values.

use super::{SENDER, kernel, record};
use crate::support::Recorded;
use plan::recording::FREEBSD;

/// Rows of the sender's columns; absent values are 0.
fn rows<const N: usize>(run: &Recorded, names: [&str; N]) -> Vec<[u64; N]> {
    let columns = run.columns(FREEBSD, names);
    (0..columns[0].len()).map(|row| std::array::from_fn(|column| columns[column][row])).collect()
}

fn with(functions: &str, path: &str, flow: &str) -> Option<Recorded> {
    let sysctl = format!("\"net.inet.tcp.functions_default\" = \"{functions}\"");
    let hosts = format!("hosts = {{ sender = {{ stack = \"freebsd\", sysctl = {{ {sysctl} }} }} }}");
    Some(record(&kernel()?, &hosts, path, flow).unwrap())
}

const PATH: &str = "rate = \"100 Mbit/s\"\nrtt = \"20 ms\"\nbuffer = \"1 BDP\"";

/// RFC 9438: W_max is cwnd before the event (section 4.6), or 0.85 of it (217 of 256) if W_max was more before (section 4.7); 0.7
/// of W_max are left; and W_cubic is there again after K, the cube root of W_max 0.3 / C segments (equation 2), with C 0.4. The
/// first event, out of slow start, has a rule of its own.
#[test]
fn cubic_keeps_the_window_before_a_loss() {
    let Some(kernel) = kernel() else { return };
    let path = "rate = \"100 Mbit/s\"\nrtt = \"40 ms\"\nbuffer = \"4 BDP\"\nloss = { every = 20000 }";
    let run = record(&kernel, SENDER, path, "duration = \"60 s\"\ncongestion = \"cubic\"").unwrap();
    let names = ["snd_cwnd", "snd_ssthresh", "cubic_w_max", "cubic_w_last_max", "cubic_k", "cubic_epoch"];
    let [mut events, mut converged] = [0, 0];
    for pair in rows(&run, names).windows(2).skip_while(|pair| pair[0][3] < 100_000) {
        let ([cwnd, _, before, ..], [_, ssthresh, w_max, last, k, epoch]) = (pair[0], pair[1]);
        if w_max == before {
            continue;
        }
        events += 1;
        // cwnd grows by less than 1 % from a sample to the event.
        let [may_converge, may_not] = [cwnd < before, cwnd * 101 >= before * 100];
        converged += u64::from(!may_not);
        let shares = [(may_converge, 217.0 / 256.0), (may_not, 1.0)];
        let [cwnd, ssthresh, segments] = [cwnd as f64, ssthresh as f64, w_max as f64 / 1448.0];
        let is_that = |share: f64| (w_max as f64 / (share * cwnd) - 1.0).abs() < 0.01;
        assert!(shares.iter().any(|(may, share)| *may && is_that(*share)), "W_max {w_max}, cwnd {cwnd}: {shares:?}");
        assert!((ssthresh / w_max as f64 / 0.7 - 1.0).abs() < 0.01, "ssthresh {ssthresh}, W_max {w_max}");
        let law = (segments * 0.3 / 0.4).cbrt();
        assert!((k as f64 / 256.0 / law - 1.0).abs() < 0.03, "K {k}/256 s, the equation says {law} s");
        assert!(last == before && epoch <= 10, "{last}, {before}; {epoch} ticks after the event");
    }
    assert!(converged >= 3, "{converged} of {events} converged");
    assert!(events >= 5, "{events} events");
    assert!(run.texts(FREEBSD, "congestion").iter().all(|name| name == "cubic"));
    assert!(run.texts(FREEBSD, "functions").iter().all(|name| name == "freebsd"));
}

#[test]
fn fields_of_other_congestion_controls_are_absent() {
    let Some(run) = with("freebsd", PATH, "duration = \"2 s\"\ncongestion = \"newreno\"") else { return };
    let names = ["cubic_w_max", "htcp_alpha", "dctcp_alpha", "rack_rtt", "rack_gp_bw", "bbr_state", "bbr_bw"];
    assert!(rows(&run, names).iter().all(|row| row.iter().all(|value| *value == 0)));
    assert!(run.texts(FREEBSD, "congestion").iter().all(|name| name == "newreno"));
}

/// A BBR that fills a line has its rate, and the path's round trip without a queue (Cardwell and others 2016).
#[test]
fn bbr_knows_the_path() {
    let Some(run) = with("bbr", PATH, "duration = \"10 s\"") else { return };
    let rows = rows(&run, ["bbr_state", "bbr_bw", "bbr_min_rtt", "bbr_pacing_gain"]);
    assert_eq!(rows.iter().map(|row| row[0]).find(|state| *state != 0), Some(1), "begins in STARTUP");
    let late: Vec<_> = rows.iter().skip(rows.len() / 2).collect();
    assert!(late.iter().any(|row| row[0] == 3), "PROBE_BW");
    let line = 100e6 / 8.0 * 1448.0 / 1538.0;
    for row in late {
        assert!((row[1] as f64 / line - 1.0).abs() < 0.15, "{} bytes/s, the line has {line}", row[1]);
        assert!((19_500..=22_000).contains(&row[2]), "{} us", row[2]);
        assert!((50..=800).contains(&row[3]), "{}/256", row[3]);
    }
}

/// RTTs in whole milliseconds between the path's and the full queue's, or one less: 13.0 stamps sent segments by
/// microuptime() (rack.c:11970), and an ACK by getmicrouptime() (rack.c:7474), which only changes at ticks.
#[test]
fn rack_measures_round_trips() {
    let Some(run) = with("rack", PATH, "duration = \"5 s\"\ncongestion = \"newreno\"") else { return };
    let rows = rows(&run, ["rack_rtt", "rack_min_rtt", "rack_reordered"]);
    let late: Vec<_> = rows.iter().skip(rows.len() / 2).collect();
    assert!(
        late.iter().all(|row| (19..=43).contains(&row[0]) && (19..=22).contains(&row[1]) && row[2] == 0),
        "{late:?}"
    );
}
