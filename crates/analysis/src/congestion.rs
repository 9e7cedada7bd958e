//! Finds congestion events, at which a sender reduced cwnd, and the steps in which cwnd grew between them.

use super::mean;
use super::series::{Ack, FlowSeries};
use plan::recording::NO_SSTHRESH;

/// First state of congestion avoidance in which cwnd is reduced (TCP_CA_CWR, include/uapi/linux/tcp.h).
const CA_CWR: u64 = 2;
/// State after a retransmission timeout (TCP_CA_Loss).
const CA_LOSS: u64 = 4;
/// Every congestion control of Linux cuts cwnd to this share or less at a congestion event.
const LEAST_CUT: f64 = 0.9;

/// State of a sender at one time.
#[derive(Clone, Copy)]
struct Sender {
    time: u64,
    state: u64,
    cwnd: u64,
    ssthresh: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// Time when it was first seen, ns.
    pub time: u64,
    /// cwnd when the sender was last seen before the event, packets.
    pub before: u64,
    /// Whether it is part of a sawtooth: ssthresh was set before and after it, unlike at the end of the first slow
    /// start.
    pub tooth: bool,
}

/// Returns the congestion events of a flow: exact if ACKs were recorded, else as far as samples show them.
pub fn events(own: &FlowSeries) -> Vec<Event> {
    if own.acks.is_empty() {
        let sample = |n: usize| Some((*own.time.get(n)?, *own.state.get(n)?, *own.cwnd.get(n)?, *own.ssthresh.get(n)?));
        let samples = (0..own.time.len()).filter_map(sample);
        return events_from_states(samples.map(|(time, state, cwnd, ssthresh)| Sender { time, state, cwnd, ssthresh }));
    }
    events_from_states(own.acks.iter().map(|a| Sender {
        time: a.time,
        state: a.ca_state,
        cwnd: a.cwnd,
        ssthresh: a.ssthresh,
    }))
}

fn events_from_states(senders: impl Iterator<Item = Sender>) -> Vec<Event> {
    let mut all = vec![];
    let mut before = Sender { time: 0, state: 0, cwnd: 0, ssthresh: NO_SSTHRESH };
    for now in senders {
        if is_event(&before, &now) {
            let tooth = before.ssthresh < NO_SSTHRESH && now.ssthresh < NO_SSTHRESH;
            all.push(Event { time: now.time, before: before.cwnd, tooth });
        }
        before = now;
    }
    all
}

/// True if there was an event between two observations of a sender.
fn is_event(before: &Sender, now: &Sender) -> bool {
    match (before.state >= CA_CWR, now.state >= CA_CWR) {
        (false, true) => true,
        // Each event sets a new ssthresh. Repeated timeouts are one event.
        (true, true) => before.ssthresh != now.ssthresh && before.state.min(now.state) < CA_LOSS,
        (true, false) => false,
        // The event came and went unseen. After an idle time cwnd is smaller too, but below ssthresh.
        (false, false) => {
            let cut = (now.cwnd as f64) < before.cwnd as f64 * LEAST_CUT;
            cut && now.ssthresh < NO_SSTHRESH && now.cwnd >= now.ssthresh
        }
    }
}

/// Returns each increase of cwnd from one ACK to the next in congestion avoidance, packets.
pub fn steps(acks: &[Ack]) -> Vec<u64> {
    let avoids = |ack: &Ack| ack.ca_state < CA_CWR && ack.cwnd > ack.ssthresh;
    let pairs = acks.windows(2).filter(|pair| pair.iter().all(avoids) && pair[0].cwnd < pair[1].cwnd);
    pairs.map(|pair| pair[1].cwnd - pair[0].cwnd).collect()
}

/// Returns the mean cwnd before each event of a sawtooth, packets.
pub fn peak(events: &[Event]) -> f64 {
    let teeth: Vec<f64> = events.iter().filter(|event| event.tooth).map(|event| event.before as f64).collect();
    mean(teeth.into_iter())
}

/// Returns the mean time from one event of a sawtooth to the next, s.
pub fn period(events: &[Event]) -> f64 {
    let teeth: Vec<u64> = events.iter().filter(|event| event.tooth).map(|event| event.time).collect();
    mean(teeth.windows(2).map(|pair| pair[1].saturating_sub(pair[0]) as f64 / 1e9))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::Ack;

    /// Returns events as (time, cwnd before, whether in a sawtooth) of a sender seen as (state, cwnd, ssthresh) at 1,
    /// 2, 3….
    fn samples_of(seen: &[(u64, u64, u64)]) -> Vec<(u64, u64, bool)> {
        let sender = |(&(state, cwnd, ssthresh), time)| Sender { time, state, cwnd, ssthresh };
        let all = events_from_states(seen.iter().zip(1..).map(sender));
        all.into_iter().map(|event| (event.time, event.before, event.tooth)).collect()
    }

    const INF: u64 = NO_SSTHRESH;

    #[test]
    fn an_event_is_an_entry_into_cwr_recovery_or_loss() {
        assert_eq!(samples_of(&[(0, 10, INF), (1, 80, INF), (3, 60, 40), (3, 40, 40), (0, 41, 40)]), [(3, 80, false)]);
        assert_eq!(samples_of(&[(0, 41, 40), (2, 41, 20), (3, 22, 20), (4, 1, 20), (0, 20, 20)]), [(2, 41, true)]);
        assert_eq!(samples_of(&[(0, 41, 40), (1, 41, 40), (0, 42, 40)]), [], "disorder alone reduces nothing");
        assert_eq!(
            samples_of(&[(0, 90, INF), (3, 70, INF)]),
            [(2, 90, false)],
            "without a threshold there is no sawtooth"
        );
        assert_eq!(samples_of(&[]), []);
    }

    #[test]
    fn a_new_threshold_within_recovery_is_another_event() {
        assert_eq!(samples_of(&[(0, 41, 40), (3, 30, 20), (3, 15, 10)]), [(2, 41, true), (3, 30, true)]);
        assert_eq!(
            samples_of(&[(0, 41, 40), (3, 30, 20), (4, 1, 15)]).len(),
            2,
            "a timeout in recovery that cuts again"
        );
        assert_eq!(samples_of(&[(0, 41, 40), (4, 1, 20), (4, 2, 9)]).len(), 1, "repeated timeouts are one");
    }

    #[test]
    fn an_event_between_two_samples_is_seen_by_what_it_left() {
        assert_eq!(samples_of(&[(0, 41, 20), (0, 21, 20)]), [(2, 41, true)]);
        assert_eq!(samples_of(&[(0, 60, INF), (0, 60, 60), (0, 61, 60)]), [], "HyStart ends slow start without a loss");
        assert_eq!(samples_of(&[(0, 40, 20), (0, 10, 30)]), [], "an idle time (RFC 2861)");
        assert_eq!(samples_of(&[(0, 40, 20), (0, 39, 30)]), []);
    }

    #[test]
    fn acks_tell_more_than_samples() {
        let mut own = FlowSeries {
            time: vec![1, 5],
            state: vec![0, 0],
            cwnd: vec![10, 10],
            ssthresh: vec![5, 5],
            ..FlowSeries::default()
        };
        assert_eq!(events(&own), []);
        let ack = |time, ca_state| Ack { time, ca_state, cwnd: 10, ssthresh: 5, ..Ack::default() };
        own.acks = vec![ack(1, 0), ack(2, 3), ack(3, 0), ack(4, 3)];
        assert_eq!(events(&own).iter().map(|event| event.time).collect::<Vec<_>>(), [2, 4]);
    }

    #[test]
    fn a_sawtooth_by_hand() {
        let seconds = |all: [u64; 6]| all.map(|s| s * 1_000_000_000).to_vec();
        let own = FlowSeries {
            time: seconds([1, 2, 3, 5, 6, 9]),
            state: vec![0, 3, 0, 3, 0, 3],
            cwnd: vec![100, 50, 60, 40, 80, 40],
            ssthresh: vec![INF, 50, 50, 30, 30, 40],
            ..FlowSeries::default()
        };
        let all = events(&own);
        assert_eq!((all.len(), peak(&all), period(&all)), (3, 70.0, 4.0));
        let calm = FlowSeries { time: vec![1], state: vec![0], cwnd: vec![9], ssthresh: vec![INF], ..own };
        assert_eq!(events(&calm), []);
        assert!(peak(&[]).is_nan() && period(&[]).is_nan());
    }

    #[test]
    fn a_step_is_a_rise_in_congestion_avoidance() {
        let ack = |cwnd, ssthresh, ca_state| Ack { cwnd, ssthresh, ca_state, ..Ack::default() };
        let acks = [
            ack(10, 20, 0),
            ack(20, 20, 0),
            // The rise out of slow start does not count.
            ack(22, 20, 0),
            ack(22, 20, 0),
            ack(25, 20, 1),
            ack(24, 20, 0),
            ack(26, 20, 3),
            ack(28, 20, 0),
            ack(29, 20, 0),
        ];
        assert_eq!(steps(&acks), [3, 1]);
        assert_eq!(steps(&[]), [0; 0]);
    }
}
