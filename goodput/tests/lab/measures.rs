//! Measures against their arithmetic.

use crate::support::{Recorded, close, record};
use analysis::{Measures, TrialMeasures, bottleneck, lane_number};
use base::units::Subject;

const SECOND: u64 = 1_000_000_000;

/// Payload of a full segment over its bytes on the wire.
const PAYLOAD_SHARE: f64 = 1448.0 / 1538.0;

pub struct Measured {
    pub run: Recorded,
    measures: TrialMeasures,
}

pub fn measured(spec: &str) -> Measured {
    let run = record(spec);
    let plan = crate::support::plan(spec);
    let folder = run.path().to_path_buf();
    let mut one = plan;
    one.trials.truncate(1);
    let measures = analysis::measure(&one, Measures::default(), |_| base::folder::Folder::open(&folder))
        .expect("a recording")
        .trials
        .remove(0);
    Measured { run, measures }
}

impl Measured {
    pub fn known(&self, name: &str, flow: usize) -> Option<f64> {
        let subject = analysis::Measure::find(name).expect("a measure").subject();
        let number = match subject {
            Subject::Flow => flow,
            Subject::Lane => lane_number(bottleneck(&self.run.scene).expect("a bottleneck")),
            Subject::Trial => 0,
        };
        self.measures.get(name, subject, number)
    }

    #[track_caller]
    pub fn of(&self, name: &str) -> f64 {
        self.known(name, 0).unwrap_or_else(|| panic!("{name} has no value: {:?}", self.measures))
    }
}

/// NewReno on a line with a buffer of one bandwidth-delay product: the window falls from W = BDP + buffer to W/2 = BDP,
/// so that the line never idles, and grows by a segment each round trip of w/C: 3/8 W^2 packets from one loss to the
/// next.
#[test]
fn a_sawtooth_of_reno_is_that_of_its_arithmetic() {
    let measured = measured(
        r#"
        title = "sawtooth"
        path = { rate = "20 Mbit/s", rtt = "60 ms", buffer = "98 packets" }
        flows = [{ duration = "60 s", congestion = "reno" }]
        "#,
    );
    let line = 20e6 / 8.0 / 1538.0;
    // 97.5 packets under way, and 98 and the one that is being sent in the queue.
    let peak = line * 0.060 + 99.0;
    let period = 3.0 / 8.0 * peak * peak / line;
    close(measured.of("cwnd-peak"), peak, 0.03, "peak");
    close(measured.of("cwnd-period"), period, 0.06, "period");
    let events = measured.of("loss-events");
    assert!((events - 60.0 / period).abs() <= 2.0, "{events} events, one each {period} s");
    // Each window lasts as long as it is large: the mean of w weighed by w from W/2 to W is 7/9 W.
    close(measured.of("cwnd-mean"), 7.0 / 9.0 * peak, 0.04, "mean over time");
    close(measured.of("goodput-steady"), 20e6 * PAYLOAD_SHARE, 0.01, "the line is never idle");
    let from = measured.of("steady-from");
    assert!(from > 0.5 && from < 2.0 * period, "slow start and its overshoot, not more: {from} s");
    close(measured.of("transfer-time-ratio"), 1.0, 0.03, "an ideal path");
    // The queue is w - BDP packets, weighted by w: 7/9 W - W/2 packets, relative to W/2.
    close(measured.of("buffer-delay"), 7.0 / 9.0 * 2.0 * peak / 196.5 - 1.0, 0.1, "buffer delay");
    let power = 1.0 / (measured.of("transfer-time-ratio") * (1.0 + measured.of("buffer-delay")));
    close(measured.of("power"), power, 1e-9, "power");
    let waits = measured.of("queue-delay-p95");
    assert!(waits > measured.of("queue-delay-mean") && waits < 99.0 / line * 1.01, "{waits} s");
    assert_eq!(measured.known("burst", 0), None, "no ACKs were recorded");
    assert_eq!(measured.known("completion", 0), None, "it ends at a time");
}

#[test]
fn acks_and_samples_tell_of_the_same_losses() {
    let spec = |record: &str| {
        format!(
            r#"
            title = "events"
            path = {{ rate = "20 Mbit/s", rtt = "60 ms", buffer = "50 packets" }}
            flows = [{{ duration = "30 s", congestion = "reno" }}]
            record = {{ interval = "10 ms", {record} }}
            "#
        )
    };
    let samples = measured(&spec("acks = false"));
    let acks = measured(&spec("acks = true"));
    assert_eq!(samples.of("loss-events"), acks.of("loss-events"));
    close(samples.of("cwnd-peak"), acks.of("cwnd-peak"), 0.02, "peak");
    // An ACK for two segments lets these two go, and at most a third: the window grows by one each round trip.
    let burst = acks.of("burst");
    assert!((2.0..=3.0).contains(&burst), "{burst} segments at once");
    // The initial window of ten leaves at once (RFC 6928).
    assert!(acks.of("burst-max") >= 10.0, "{}", acks.of("burst-max"));
    // Reno's window rises by a packet at a time.
    assert_eq!([acks.of("cwnd-step"), acks.of("cwnd-step-max")], [1.0, 1.0]);
    assert_eq!(samples.known("cwnd-step", 0), None, "no ACKs were recorded");
}

#[test]
fn acks_that_come_together_make_bursts() {
    let measured = measured(
        r#"
        title = "bursts"
        path = { rate = "100 Mbit/s", rtt = "20 ms", buffer = "200 packets" }
        hosts.sender = { offloads = ["gro"], coalesce = "2 ms" }
        flows = [{ duration = "5 s", congestion = "reno" }]
        record = { acks = true }
        "#,
    );
    // The link sends 16.25 packets in 2 ms; the sender's interface delivers their ACKs at once.
    let burst = measured.of("burst");
    assert!((15.0..=24.0).contains(&burst), "{burst} segments at once");
}

#[test]
fn two_equal_flows_share_equally() {
    let measured = measured(
        r#"
        title = "equal"
        path = { rate = "20 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }
        flows = [{ duration = "60 s", congestion = "reno", count = 2, stagger = "5 s" }]
        "#,
    );
    assert!(measured.of("jain") > 0.97, "{}", measured.of("jain"));
    let windows = measured.of("jain-1s");
    assert!(windows > 0.9 && windows <= 1.0, "{windows}");
    let shares = [0, 1].map(|flow| measured.known("fair-share", flow).expect("a share"));
    close(shares[0] + shares[1], 2.0, 1e-9, "shares of two");
    // From W and 0 the shares halve their distance with each loss of both. A sawtooth of both lasts 3/8 W^2 / 2 packets
    // of 67 in all: half a second; ten of them are enough for less than a tenth, and a second is the least.
    let convergence = measured.of("convergence");
    assert!((1.0..20.0).contains(&convergence), "{convergence} s");
}

#[test]
fn a_flow_that_another_starves_is_never_fair() {
    let measured = measured(
        r#"
        title = "unequal"
        path = { rate = "20 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }
        flows = [
            { duration = "20 s", congestion = "reno" },
            { duration = "20 s", congestion = "reno", send-rate = "1 Mbit/s" },
        ]
        "#,
    );
    assert_eq!(measured.known("convergence", 0), None);
    // A flow with 1 Mbit/s of 18.8 in total.
    let [large, small] = [17.8f64, 1.0];
    close(measured.of("jain"), (large + small).powi(2) / 2.0 / (large * large + small * small), 0.02, "Jain's index");
    close(measured.known("fair-share", 1).expect("a share"), 2.0 / 18.8, 0.05, "share of the slow one");
}

#[test]
fn one_lost_of_n_is_an_efficiency_of_one_less_one_nth() {
    let measured = measured(
        r#"
        title = "efficiency"
        path = { rate = "50 Mbit/s", rtt = "5 ms", buffer = "1000 packets", loss = { every = 50 } }
        flows = [{ bytes = "20 MB" }]
        "#,
    );
    close(measured.of("tcp-efficiency"), 0.98, 0.001, "efficiency");
    close(measured.of("tcp-efficiency"), 1.0 - measured.of("retransmitted"), 1e-12, "its complement");
    let [started, ended] = measured.run.series.span(0);
    close(measured.of("completion"), (ended - started) as f64 / SECOND as f64, 1e-9, "completion");
    close(measured.of("goodput") * measured.of("completion"), 160e6, 1e-9, "all of it arrived");
}

/// A window W that limits the flow keeps W/RTT constant; its excess over the BDP is queued.
#[test]
fn a_window_beyond_the_path_is_buffer_delay() {
    let measured = measured(
        r#"
        title = "buffer delay"
        path = { rate = "10 Mbit/s", rtt = "40 ms", buffer = "1000 packets" }
        flows = [{ duration = "60 s", receive-buffer = "200 kB" }]
        "#,
    );
    let [window] = measured.run.last(["snd_wnd"]);
    let rtt = (window / 1448 * 1538) as f64 * 8.0 / 10e6;
    close(measured.of("buffer-delay"), rtt / 0.040 - 1.0, 0.05, "buffer delay");
    close(measured.of("transfer-time-ratio"), 1.0, 0.02, "the line is full");
    close(measured.of("power"), 0.040 / rtt, 0.05, "power");
    assert_eq!(measured.of("loss-events"), 0.0);
    assert_eq!(measured.known("cwnd-peak", 0), None);
}

#[test]
fn time_behind_a_black_hole_is_time_of_timeouts() {
    let measured = measured(
        r#"
        title = "black hole"
        path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "100 packets", outages = [{ at = "4 s", for = "100 s" }] }
        flows = [{ duration = "10 s" }]
        "#,
    );
    // All but the first timeout of the 6 s that it is there; that one comes 200 ms and a round trip or two after 4 s.
    let share = measured.of("rto-time");
    assert!((0.52..=0.585).contains(&share), "{share} of the time");
    assert!(measured.of("rto") >= 4.0);
    // The queue's 100 packets take 123 ms to drain; batches are 100 ms.
    let from = measured.of("steady-from");
    assert!((4.1..4.25).contains(&from), "nothing comes from {from} s on");
    assert_eq!(measured.of("goodput-steady"), 0.0);
}

#[test]
fn a_flow_of_one_packet_has_measures_and_no_nonsense() {
    let measured = measured(
        r#"
        title = "mice"
        path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "100 packets" }
        flows = [{ bytes = "1 B" }, { kind = "ping", requests = 3 }, { kind = "udp", rate = "1 Mbit/s", duration = "1 s" }]
        "#,
    );
    assert!(measured.measures.values.iter().all(|value| value.value.is_finite()));
    // The handshake, the byte, and its acknowledgement.
    let completion = measured.of("completion");
    assert!((0.030..0.062).contains(&completion), "{completion} s");
    assert_eq!(measured.known("steady-from", 0), None);
    assert_eq!(measured.known("jain", 0), None);
}
