use super::*;
use evidence::{Connection, Place, Point, Seen};

const MSS: f64 = 1448.0;

/// Returns a transfer in seconds: cwnd in segments, RTT in ms, bytes in flight over cwnd, segments retransmitted.
fn transfer(seconds: &[(f64, f64, f64, f64)]) -> Connection {
    let mut connection =
        Connection::new(Place { file: "run.json".into(), line: 1 }, evidence::Source::Iperf3, "stream 5", Seen::Sender);
    let mut before = seconds[0].0;
    for (at, (cwnd, rtt, used, again)) in seconds.iter().enumerate() {
        let window = (before + cwnd) / 2.0 * MSS;
        connection.points.push(Point {
            time: at as f64,
            bytes: Some(used * window / (rtt / 1e3)),
            cwnd: Some(cwnd * MSS),
            srtt: Some(rtt / 1e3),
            retransmitted: Some(*again),
            ..Point::default()
        });
        before = *cwnd;
    }
    connection.span = Some([0.0, seconds.len() as f64 - 1.0]);
    connection
}

fn account(connection: &Connection) -> Account {
    Account::from_transfer(&Transfer::from_connection(connection, Path { rtt: None, mss: MSS })).unwrap()
}

/// Returns W(t) = 0.4 (t − K)^3 + Wmax with K = cbrt(0.3 Wmax / 0.4) (RFC 9438, 4.2).
fn cubic(largest: f64, since: f64) -> f64 {
    0.4 * (since - (0.75 * largest).cbrt()).powi(3) + largest
}

/// An iperf3 run with a constant cwnd of 6 MB and 3 MB in flight that loses three segments.
#[test]
fn a_half_used_cwnd_is_held_though_three_segments_are_lost() {
    let mut seconds = vec![(4200.0, 300.0, 0.5, 0.0); 12];
    seconds[6].3 = 3.0;
    seconds[6..].iter_mut().for_each(|second| second.0 = 2940.0);
    seconds[6..].iter_mut().for_each(|second| second.2 = 0.7);
    let account = account(&transfer(&seconds));
    assert_eq!(account.most().0, Phase::Held);
    assert!(account.share(Phase::Held) > 0.9, "{account:?}");
}

#[test]
fn behind_a_loss_event_cubic_recovers() {
    let seconds: Vec<_> =
        (0..12).map(|t| (cubic(2000.0, f64::from(t)), 300.0, 1.0, if t == 1 { 80.0 } else { 0.0 })).collect();
    let account = account(&transfer(&seconds));
    assert_eq!(account.most().0, Phase::Recovering, "{account:?}");
}

/// After an end of slow start without a loss, CUBIC has K = 0: W(t) = W0 + 0.4 t^3.
#[test]
fn without_a_loss_cubic_climbs() {
    let seconds: Vec<_> = (0..12).map(|t| (1500.0 + 0.4 * f64::from(t).powi(3), 140.0, 1.0, 0.0)).collect();
    let account = account(&transfer(&seconds));
    assert_eq!(account.most().0, Phase::Climbing, "{account:?}");
    let late = Transfer::from_connection(&transfer(&seconds), Path { rtt: None, mss: MSS }).counted().count();
    assert_eq!(late, 11);
}

/// On a full link cwnd = rate × RTT, whatever cwnd is.
#[test]
fn rtt_follows_cwnd_on_a_full_link_only() {
    let slope = |rtt: fn(f64) -> f64| {
        let seconds: Vec<_> =
            (0..12).map(|t| 200.0 + 8.0 * f64::from(t)).map(|cwnd| (cwnd, rtt(cwnd), 1.0, 0.0)).collect();
        let connection = transfer(&seconds);
        let transfer = Transfer::from_connection(&connection, Path { rtt: Some(0.05), mss: MSS });
        transfer.rtt_slope().unwrap().value
    };
    assert!((slope(|cwnd| cwnd / 2.0) - 1.0).abs() < 0.1);
    assert!(slope(|_| 100.0).abs() < 1e-9);
}

#[test]
fn without_rtts_quantities_and_account_are_unknown() {
    let mut connection = transfer(&[(100.0, 20.0, 1.0, 0.0); 12]);
    connection.points.iter_mut().for_each(|point| point.srtt = None);
    let transfer = Transfer::from_connection(&connection, Path { rtt: None, mss: MSS });
    assert!(Account::from_transfer(&transfer).is_none());
    assert_eq!(transfer.window_used(), None);
    assert_eq!(transfer.mean_over_peak(), None);
    assert_eq!(transfer.rtt_slope(), None);
    assert_eq!(transfer.overshoot(), None);
}

#[test]
fn a_sawtooth_without_a_queue_has_a_mean_below_its_peak() {
    // Reno from 50 to 100 segments at a constant RTT: 75.
    let seconds: Vec<_> =
        (0..=102).map(|t| (50.0 + f64::from(t % 51), 100.0, 1.0, if t % 51 == 50 { 1.0 } else { 0.0 })).collect();
    let connection = transfer(&seconds);
    let share = Transfer::from_connection(&connection, Path { rtt: None, mss: MSS }).mean_over_peak().unwrap();
    assert!((share - 0.75).abs() < 0.01, "{share}");
}

#[test]
fn overshoot_counts_the_first_loss_event_alone() {
    let mut seconds = vec![(400.0, 100.0, 1.0, 0.0); 12];
    (seconds[3].3, seconds[4].3, seconds[8].3) = (150.0, 50.0, 90.0);
    let connection = transfer(&seconds);
    let share = Transfer::from_connection(&connection, Path { rtt: None, mss: MSS }).overshoot().unwrap();
    assert!((share - 0.5).abs() < 1e-9, "{share}");
}
