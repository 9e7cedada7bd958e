//! Measures bursts: segments that a sender without pacing sends at once.

use super::path::base_rtt;
use super::sender_limit::paced;
use super::series::Ack;
use plan::{Flow, Scene};

/// Returns the largest burst of each RTT, segments, sorted. Empty unless ACKs were recorded at the end that sends most.
/// Empty also if a timer spaces the segments, as with BBR or tc-fq(8): the recording does not show when these left.
pub fn bursts(scene: &Scene, flow: &Flow, acks: &[Ack]) -> Vec<u64> {
    if paced(scene, flow) || flow.sending_end() != 0 {
        return vec![];
    }
    let mut bursts = largest(acks, base_rtt(scene, flow));
    bursts.sort_unstable();
    bursts
}

/// Returns the largest burst of each RTT, segments; the first is the number sent before the first ACK.
fn largest(acks: &[Ack], base_rtt: u64) -> Vec<u64> {
    let Some(first) = acks.first() else { return vec![] };
    let mut all = vec![first.packets_out];
    // All segments sent so far: those outstanding, and those that the cumulative ACK covers.
    let left = |ack: &Ack| ack.packets_out.saturating_add(ack.delivered).saturating_sub(ack.sacked_out);
    let mut instants = acks.chunk_by(|a, b| a.time == b.time).map(|together| together[0]).peekable();
    let mut end = 0;
    while let Some(now) = instants.next() {
        let Some(next) = instants.peek() else { break };
        let burst = left(next).saturating_sub(left(&now));
        if now.time >= end {
            let round = if now.srtt > 0 { now.srtt.saturating_mul(1000) } else { base_rtt };
            end = now.time.saturating_add(round);
            all.push(burst);
        } else if let Some(most) = all.last_mut() {
            *most = burst.max(*most);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{bulk, four_kinds};
    use plan::{HostQdisc, Role};

    const MS: u64 = 1_000_000;

    /// Returns an ACK at a time, ms, when `left` segments had been sent and `delivered` of them delivered.
    fn ack(ms: u64, left: u64, delivered: u64) -> Ack {
        Ack { time: ms * MS, srtt: 10_000, packets_out: left - delivered, delivered, ..Ack::default() }
    }

    #[test]
    fn the_largest_of_each_round_trip() {
        let acks = [
            ack(10, 10, 0),
            // An ACK for two segments lets three go, then two, then two ACKs at once four.
            ack(11, 13, 2),
            ack(12, 15, 4),
            ack(12, 17, 6),
            ack(15, 19, 8),
            // The next round trip.
            ack(20, 20, 9),
            ack(21, 26, 10),
            ack(22, 27, 11),
        ];
        assert_eq!(largest(&acks, 0), [10, 4, 6]);
        assert_eq!(largest(&acks[..1], 0), [10]);
        assert_eq!(largest(&[], 0), [0; 0]);
    }

    #[test]
    fn sacked_segments_count_once_as_having_left() {
        let sacked = Ack { time: 11 * MS, srtt: 9000, packets_out: 10, sacked_out: 4, delivered: 4, ..Ack::default() };
        let passed = Ack { time: 12 * MS, packets_out: 2, sacked_out: 0, delivered: 9, ..sacked };
        assert_eq!(largest(&[ack(10, 10, 0), sacked, passed], 0), [10, 1]);
    }

    #[test]
    fn timer_paced_senders_have_no_bursts() {
        let mut scene = four_kinds();
        let acks = [ack(10, 10, 0), ack(11, 13, 2)];
        let known = |scene: &Scene| bursts(scene, &scene.flows[0], &acks);
        assert_eq!(known(&scene), [3, 10]);
        scene.flows[0].traffic = bulk("bbr");
        assert_eq!(known(&scene), [0; 0]);
        scene.flows[0].traffic = bulk("reno");
        let Role::Host(host) = &mut scene.nodes[0].role else { unreachable!() };
        host.qdisc = HostQdisc::Fq;
        assert_eq!(known(&scene), [0; 0]);
    }
}
