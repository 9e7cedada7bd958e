//! Attributes a sender's busy time to its limits. Linux counts the time limited by the receive window and by the send
//! buffer, but starts the latter only if the application already sleeps when TCP sends (tcp_cwnd_validate in
//! net/ipv4/tcp_output.c). Samples of the socket decide about the busy time that neither counter covers.

use super::sender::{congestion, sender};
use base::model::response;
use plan::recording::Sample;
use plan::{Flow, HostQdisc, Role, Scene};
use std::ops::{Index, IndexMut};

/// A possible limit of a sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// Unacknowledged data fills the congestion window.
    Cwnd,
    /// Unacknowledged data fills the receive window.
    Rwnd,
    /// The send buffer is full, and all of its data has been sent.
    Sndbuf,
    /// Data waits for the pacing timer.
    Pacing,
    /// The application has given it nothing more to send.
    App,
    /// Data waits although none of these limits it, such as when TCP Small Queues hold it back from the host's own
    /// interface.
    Unknown,
}

/// Busy time of a sender by limit, us.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Held([u64; 6]);

impl Index<Hold> for Held {
    type Output = u64;

    fn index(&self, by: Hold) -> &u64 {
        &self.0[by as usize]
    }
}

impl IndexMut<Hold> for Held {
    fn index_mut(&mut self, by: Hold) -> &mut u64 {
        &mut self.0[by as usize]
    }
}

/// True if a timer spaces the segments of a flow's sender: BBR paces itself, and tc-fq(8) paces every flow.
pub fn paced(scene: &Scene, flow: &Flow) -> bool {
    let fq = matches!(&sender(scene, flow).role, Role::Host(host) if host.qdisc == HostQdisc::Fq);
    fq || congestion(scene, flow).is_some_and(response::is_bbr)
}

/// Returns the busy time that neither of Linux's counters covers, us.
fn open(sample: &Sample) -> u64 {
    sample.busy_time.saturating_sub(sample.rwnd_limited).saturating_sub(sample.sndbuf_limited)
}

impl Held {
    /// Adds without overflow, as a guest may report any counters.
    fn add(&mut self, by: Hold, us: u64) {
        self[by] = self[by].saturating_add(us);
    }

    /// Adds the uncounted busy time between two samples to the sender's limit at the second.
    pub fn take(&mut self, before: &Sample, now: &Sample, paced: bool) {
        self.add(hold(now, paced), open(now).saturating_sub(open(before)));
    }
}

/// Returns the limit of a sender for most of the sampled time; `None` without two samples.
pub fn mostly(samples: &[Sample]) -> Option<Hold> {
    let (first, last) = (samples.first()?, samples.last()?);
    let mut held = Held::default();
    samples.windows(2).for_each(|pair| held.take(&pair[0], &pair[1], true));
    let since = |of: fn(&Sample) -> u64| of(last).saturating_sub(of(first));
    held.add(Hold::Rwnd, since(|s| s.rwnd_limited));
    held.add(Hold::Sndbuf, since(|s| s.sndbuf_limited));
    held.add(Hold::App, (since(|s| s.time) / 1000).saturating_sub(since(|s| s.busy_time)));
    let all = [Hold::Cwnd, Hold::Rwnd, Hold::Sndbuf, Hold::Pacing, Hold::App, Hold::Unknown];
    all.into_iter().max_by_key(|by| held[*by]).filter(|_| samples.len() > 1)
}

/// Returns how many segments must fit into the windows before TCP sends any, whatever its interface offloads: as many
/// as it would send in a millisecond, more if the RTT is short, at most a third of the windows (tcp_tso_autosize and
/// tcp_tso_should_defer in net/ipv4/tcp_output.c, with the defaults of tcp_tso_rtt_log, tcp_min_tso_segs and
/// tcp_tso_win_divisor).
fn large_send(s: &Sample) -> u64 {
    const GSO_MAX_SIZE: u64 = 65_536;
    const RECOVERY: u64 = 3;
    if s.ca_state >= RECOVERY {
        return 1;
    }
    let near = s.min_rtt().and_then(|us| GSO_MAX_SIZE.checked_shr((us >> 9) as u32)).unwrap_or(0);
    let autosize = ((s.pacing_rate >> 10) + near).min(GSO_MAX_SIZE) / s.snd_mss.max(1);
    let third = s.snd_wnd.min(s.snd_cwnd * s.snd_mss) / 3;
    autosize.max(2).min(third.div_ceil(s.snd_mss.max(1))).max(1)
}

/// Returns the limit of a busy sender from the state of its socket.
fn hold(s: &Sample, paced: bool) -> Hold {
    let in_flight = (s.unacked + s.retrans).saturating_sub(s.sacked + s.lost);
    // Less than a segment waits for more data (Nagle), not for room.
    let waits = s.notsent_bytes >= s.snd_mss.max(1) || s.lost > s.retrans;
    if !waits {
        // A writer that found the buffer full sleeps until a third of it is free (sk_stream_min_wspace in
        // include/net/sock.h).
        let full = 3 * s.wmem_queued > 2 * s.sndbuf;
        return match (in_flight >= s.snd_cwnd, full) {
            (true, _) => Hold::Cwnd,
            (_, true) => Hold::Sndbuf,
            _ => Hold::App,
        };
    }
    let large = large_send(s);
    if in_flight + large > s.snd_cwnd {
        Hold::Cwnd
    } else if (s.unacked + large) * s.snd_mss > s.snd_wnd {
        Hold::Rwnd
    } else if paced {
        Hold::Pacing
    } else {
        Hold::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::four_kinds;

    /// Returns a sender with 90 of 722 packets in flight, nothing waiting, and room in the buffer.
    fn at_ease() -> Sample {
        Sample {
            snd_mss: 1448,
            snd_cwnd: 722,
            unacked: 90,
            snd_wnd: 3_000_000,
            sndbuf: 262_144,
            wmem_queued: 100_000,
            min_rtt: 100_000,
            ..Sample::default()
        }
    }

    #[test]
    fn the_window_holds_only_what_fills_it() {
        let waits = Sample { notsent_bytes: 14_480, ca_state: 3, ..at_ease() };
        assert_eq!(hold(&Sample { unacked: 722, ..waits }, false), Hold::Cwnd);
        assert_eq!(hold(&Sample { unacked: 721, ..waits }, false), Hold::Unknown);
        assert_eq!(hold(&Sample { unacked: 721, ..waits }, true), Hold::Pacing);
        assert_eq!(hold(&Sample { unacked: 722, ..at_ease() }, false), Hold::Cwnd, "whatever waits");
    }

    #[test]
    fn a_large_send_waits_for_room() {
        // A millisecond of 60 Mbit/s is 7324 B, five segments; a third of 7 segments is three.
        let far = Sample { pacing_rate: 7_500_000, ..at_ease() };
        assert_eq!(large_send(&far), 5);
        assert_eq!(large_send(&Sample { snd_cwnd: 7, ..far }), 3);
        assert_eq!(large_send(&Sample { snd_wnd: 3 * 1448, ..far }), 1);
        assert_eq!(large_send(&at_ease()), 2);
        // A round trip of 512 us adds half of 64 KiB.
        assert_eq!(large_send(&Sample { min_rtt: 512, ..far }), 27);
        let waits = |unacked| Sample { unacked, notsent_bytes: 14_480, ..far };
        assert_eq!([717, 718].map(|unacked| hold(&waits(unacked), false)), [Hold::Unknown, Hold::Cwnd]);
        assert_eq!(hold(&Sample { ca_state: 3, ..waits(718) }, false), Hold::Unknown, "nothing waits in recovery");
    }

    /// SACKed and lost segments have left the network; retransmitted ones are in it (RFC 6675, pipe).
    #[test]
    fn in_recovery_the_pipe_counts() {
        let lossy = Sample { unacked: 722, sacked: 300, lost: 100, retrans: 100, snd_cwnd: 422, ..at_ease() };
        assert_eq!(hold(&lossy, false), Hold::Cwnd);
        assert_eq!(hold(&Sample { snd_cwnd: 423, ..lossy }, false), Hold::App);
        // One lost segment waits for its retransmission.
        assert_eq!(hold(&Sample { snd_cwnd: 423, retrans: 99, ..lossy }, false), Hold::Unknown);
    }

    /// The values are from a sender whose tcp_wmem ends at 128 KiB, with an RTT of 20 ms at 10 Gbit/s.
    #[test]
    fn a_full_send_buffer_is_no_window() {
        let full = Sample { sndbuf: 131_072, wmem_queued: 205_000, ..at_ease() };
        assert_eq!(hold(&full, false), Hold::Sndbuf);
        let third = |wmem_queued| hold(&Sample { sndbuf: 150_000, wmem_queued, ..at_ease() }, false);
        assert_eq!([100_000, 100_001].map(third), [Hold::App, Hold::Sndbuf]);
        // Less than a segment cannot be sent.
        assert_eq!(hold(&Sample { notsent_bytes: 1447, ..at_ease() }, false), Hold::App);
    }

    #[test]
    fn the_receive_window_holds_what_fills_it() {
        let waits = Sample { notsent_bytes: 14_480, ca_state: 3, ..at_ease() };
        // 91 segments of 1448 B are 131,768 B.
        let of = |snd_wnd| hold(&Sample { snd_wnd, ..waits }, true);
        assert_eq!([131_767, 131_768].map(of), [Hold::Rwnd, Hold::Pacing]);
    }

    #[test]
    fn every_open_microsecond_is_held_by_something() {
        let mut held = Held::default();
        let at = |busy_time, rwnd_limited, unacked| Sample { busy_time, rwnd_limited, unacked, ..at_ease() };
        let samples =
            [at(0, 0, 722), at(4000, 0, 722), at(9000, 3000, 722), at(10_000, 4000, 90), at(12_000, 4000, 90)];
        for pair in samples.windows(2) {
            held.take(&pair[0], &pair[1], false);
        }
        assert_eq!((held[Hold::Cwnd], held[Hold::App]), (6000, 2000));
        assert_eq!(held.0.iter().sum::<u64>(), open(&samples[4]));
    }

    /// Guests may report any counters.
    #[test]
    fn counters_that_no_kernel_has_add_up() {
        let at = |busy_time, rwnd_limited| Sample { busy_time, rwnd_limited, sndbuf_limited: u64::MAX, ..at_ease() };
        assert_eq!(open(&at(u64::MAX, u64::MAX)), 0);
        let free = Sample { busy_time: u64::MAX, ..at_ease() };
        let back_and_forth = [at(0, 0), free, at(0, 0), free];
        assert_eq!(mostly(&back_and_forth), Some(hold(&free, true)));
    }

    #[test]
    fn bbr_and_fq_pace() {
        let mut scene = four_kinds();
        let both = |scene: &Scene| [0, 1].map(|flow| paced(scene, &scene.flows[flow]));
        assert_eq!(both(&scene), [false, true]);
        let Role::Host(host) = &mut scene.nodes[0].role else { unreachable!() };
        host.qdisc = HostQdisc::Fq;
        assert_eq!(both(&scene), [true, true]);
    }
}
