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

fn measured(connection: &Connection, rtt: Option<f64>) -> Measured<'_> {
    Measured::from_connection(connection, Path { rtt, mss: MSS, ..Path::default() })
}

fn account(connection: &Connection) -> Account {
    Account::new(&measured(connection, None)).unwrap()
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
    assert!(account.share_of(&HELD) > 0.9, "{account:?}");
}

#[test]
fn behind_a_loss_event_cubic_recovers() {
    let seconds: Vec<_> =
        (0..12).map(|t| (cubic(2000.0, f64::from(t)), 300.0, 1.0, if t == 1 { 80.0 } else { 0.0 })).collect();
    let account = account(&transfer(&seconds));
    assert_eq!(account.most().0, State::Recovering, "{account:?}");
}

/// After an end of slow start without a loss, CUBIC has K = 0: W(t) = W0 + 0.4 t^3.
#[test]
fn without_a_loss_cubic_climbs() {
    let seconds: Vec<_> = (0..12).map(|t| (1500.0 + 0.4 * f64::from(t).powi(3), 140.0, 1.0, 0.0)).collect();
    let account = account(&transfer(&seconds));
    assert_eq!(account.most().0, State::Climbing, "{account:?}");
    let late = measured(&transfer(&seconds), None).counted().count();
    assert_eq!(late, 11);
}

/// On a full link cwnd = rate × RTT, whatever cwnd is.
#[test]
fn rtt_follows_cwnd_on_a_full_link_only() {
    let slope = |rtt: fn(f64) -> f64| {
        let seconds: Vec<_> =
            (0..12).map(|t| 200.0 + 8.0 * f64::from(t)).map(|cwnd| (cwnd, rtt(cwnd), 1.0, 0.0)).collect();
        let connection = transfer(&seconds);
        let transfer = measured(&connection, Some(0.05));
        transfer.rtt_slope().unwrap().value
    };
    assert!((slope(|cwnd| cwnd / 2.0) - 1.0).abs() < 0.1);
    assert!(slope(|_| 100.0).abs() < 1e-9);
}

#[test]
fn without_rtts_quantities_and_account_are_unknown() {
    let mut connection = transfer(&[(100.0, 20.0, 1.0, 0.0); 12]);
    connection.points.iter_mut().for_each(|point| point.srtt = None);
    let transfer = measured(&connection, None);
    assert!(!Account::new(&transfer).unwrap().tells_cwnd);
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
    let share = measured(&connection, None).mean_over_peak().unwrap();
    assert!((share - 0.75).abs() < 0.01, "{share}");
}

#[test]
fn overshoot_counts_the_first_loss_event_alone() {
    let mut seconds = vec![(400.0, 100.0, 1.0, 0.0); 12];
    (seconds[3].3, seconds[4].3, seconds[8].3) = (150.0, 50.0, 90.0);
    let connection = transfer(&seconds);
    let share = measured(&connection, None).overshoot().unwrap();
    assert!((share - 0.5).abs() < 1e-9, "{share}");
}

/// Of a full link cwnd = rate × RTT: 100 Mbit/s, 20 ms, and a cwnd that grows by 40 segments a second.
#[test]
fn what_a_full_link_does_not_carry_waits_in_its_queue() {
    let rtt = |cwnd: f64| cwnd * MSS / 12.5e6 * 1e3;
    let seconds: Vec<_> =
        (0..15).map(|t| 260.0 + 40.0 * f64::from(t)).map(|cwnd| (cwnd, rtt(cwnd), 1.0, 0.0)).collect();
    let account = Account::new(&measured(&transfer(&seconds), Some(0.02))).unwrap();
    assert!(account.share(State::Queue) > 0.8, "{:?}", account.ranked());
}

/// A bucket of tokens passes the same in each second, drops what exceeds it, and delays nothing.
#[test]
fn a_rate_that_losses_and_cwnd_do_not_move_is_fixed() {
    let cwnd = [90.0, 110.0, 70.0, 100.0, 80.0];
    let seconds: Vec<_> =
        (0..15).map(|t| (cwnd[t % 5], 30.0, 91.0 / ((cwnd[(t + 4) % 5] + cwnd[t % 5]) / 2.0), 6.0)).collect();
    let account = Account::new(&measured(&transfer(&seconds), Some(0.03))).unwrap();
    assert!(account.share(State::FixedRate) > 0.8, "{:?}", account.ranked());
}

/// The kernel's counters decide in the steps that they are of, and nowhere else.
#[test]
fn counters_tell_of_their_own_step() {
    let mut connection = transfer(&[(1000.0, 100.0, 0.6, 0.0); 13]);
    for (at, point) in connection.points.iter_mut().enumerate() {
        let share = |limited: bool| if limited { 1.0 } else { 0.0 };
        let [rwnd, sndbuf] = [share(at <= 6), share(at > 6)];
        point.limits = Some(evidence::Limits { busy: 1.0, rwnd, sndbuf });
    }
    let account = account(&connection);
    let likeliest: Vec<State> = account.steps.iter().map(|step| step.likeliest().0).collect();
    assert_eq!(likeliest[1..5], [State::HeldByReceiver; 4], "{likeliest:?}");
    assert_eq!(likeliest[8..12], [State::HeldBySender; 4], "{likeliest:?}");
}

#[test]
fn seconds_without_data_are_silent_and_probabilities_add_up() {
    let mut seconds = vec![(300.0, 50.0, 1.0, 0.0); 15];
    seconds[6..10].iter_mut().for_each(|second| (second.0, second.2, second.3) = (1.0, 0.0, 1.0));
    let account = account(&transfer(&seconds));
    for (at, step) in account.steps.iter().enumerate() {
        assert!((step.probability.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{step:?}");
        assert_eq!(step.likeliest().0 == State::Silence, (5..9).contains(&at), "{at}: {:?}", step.likeliest());
    }
}

/// What `ss` prints beside a text of iperf3 tells which window was full.
#[test]
fn another_view_fills_what_one_does_not_print() {
    let text = transfer(&[(1000.0, 100.0, 0.6, 0.0); 12]);
    let mut beside = text.clone();
    (beside.source, beside.goodput) = (evidence::Source::Ss, Some(1e6));
    beside.points.iter_mut().for_each(|point| point.window = Some(600.0 * MSS));
    let text = Connection { goodput: Some(1.05e6), ..text };
    let (mut own, other) = (measured(&text, None), measured(&beside, None));
    assert!(own.may_be(&other) && !own.may_be(&own.clone()));
    let without = Account::new(&own).unwrap().share(State::HeldByReceiver);
    own.take(&other);
    let with = Account::new(&own).unwrap().share(State::HeldByReceiver);
    assert!(without < 0.6 && with > 0.9, "{without} {with}");
}
