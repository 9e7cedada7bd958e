//! Packet times of a capture, corrected for a clock that was set meanwhile and for joined captures.

/// Largest disorder of packets that several queues or processors captured, ns.
const OUT_OF_ORDER: i64 = 100_000_000;

/// Longest believable wait for the next packet, ns.
const MAX_SILENCE_NS: i64 = 86_400_000_000_000;

/// Longest capture, ns, so that differences of times do not overflow.
const MAX_CAPTURE_NS: i64 = i64::MAX / 4;

/// Time since the first packet, ns, without impossible waits.
#[derive(Debug, Default)]
pub(super) struct Clock {
    /// The last packet's time in the file, and its corrected time.
    last: Option<Moment>,
    /// The packet before the clock last went ahead.
    before: Option<Moment>,
    /// Number of times that the clock was set back, and ahead.
    pub back: u64,
    pub ahead: u64,
}

#[derive(Debug, Clone, Copy)]
struct Moment {
    printed: i64,
    now: i64,
}

impl Moment {
    fn after(self, printed: i64) -> i64 {
        self.now.saturating_add(printed.saturating_sub(self.printed)).clamp(-MAX_CAPTURE_NS, MAX_CAPTURE_NS)
    }
}

impl Clock {
    /// Returns the corrected time of the next packet, ns.
    pub fn time(&mut self, printed: i64) -> i64 {
        let last = self.last.unwrap_or(Moment { printed, now: 0 });
        let step = printed.saturating_sub(last.printed);
        let now = if step < -OUT_OF_ORDER {
            self.back += 1;
            // A single packet may have been ahead of its neighbours.
            self.before
                .take()
                .filter(|before| before.printed <= printed)
                .map_or(last.now, |before| before.after(printed))
        } else if step > MAX_SILENCE_NS {
            self.ahead += 1;
            last.now
        } else {
            if step > OUT_OF_ORDER {
                self.before = Some(last);
            }
            last.after(printed)
        };
        self.last = Some(Moment { printed, now });
        now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(printed: &[i64]) -> (Vec<i64>, u64, u64) {
        let mut clock = Clock::default();
        let times =
            printed.iter().map(|seconds| clock.time(seconds.saturating_mul(1_000_000_000)) / 1_000_000_000).collect();
        (times, clock.back, clock.ahead)
    }

    #[test]
    fn time_goes_on_where_the_clock_was_set() {
        assert_eq!(seconds(&[100, 101, 105, 106]), (vec![0, 1, 5, 6], 0, 0));
        assert_eq!(seconds(&[100, 101, 40, 41]), (vec![0, 1, 1, 2], 1, 0), "set back");
        assert_eq!(seconds(&[100, 101, 90_000_101, 90_000_102]), (vec![0, 1, 1, 2], 0, 1), "set ahead");
        assert_eq!(seconds(&[100, 101, 3701, 102, 103]), (vec![0, 1, 3601, 2, 3], 1, 0), "one packet ahead");
        assert_eq!(seconds(&[100, 101, 90_000_101, 102, 103]), (vec![0, 1, 1, 2, 3], 1, 1), "one far ahead");
        assert_eq!(seconds(&[i64::MIN, i64::MAX, i64::MIN]).1, 1);
    }

    #[test]
    fn packets_of_several_queues_keep_their_times() {
        let mut clock = Clock::default();
        let times: Vec<i64> = [0, 5_000_000, 4_000_000, 6_000_000].map(|ns| clock.time(ns)).to_vec();
        assert_eq!((times, clock.back), (vec![0, 5_000_000, 4_000_000, 6_000_000], 0));
    }
}
