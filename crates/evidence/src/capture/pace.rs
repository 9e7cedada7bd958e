//! Whether acknowledgments clock a sender, or its application and pacer do.

/// Longest time from an acknowledgment to the packet it releases, and between packets of one burst, ns.
const PROMPT: i64 = 150_000;

/// Fewest bursts that show the pace.
const MIN_BURSTS: u64 = 20;

/// If an acknowledgment has just come for more than this share of the time, the bursts show nothing.
const MAX_JUST_ACKED_SHARE: f64 = 0.7;

/// Bursts of packets that leave together, each after an acknowledgment or by itself.
#[derive(Debug, Default)]
pub(super) struct Pace {
    began: Option<i64>,
    heard: Option<i64>,
    sent: Option<i64>,
    /// Time for which an acknowledgment had just come, ns.
    covered: i64,
    prompted: u64,
    alone: u64,
}

impl Pace {
    /// Takes an acknowledgment.
    pub fn hear(&mut self, now: i64) {
        let before = self.heard.replace(now).filter(|_| self.began.is_some());
        self.covered += before.map_or(0, |before| (now - before).clamp(0, PROMPT));
    }

    /// Takes a packet that leaves. Less than a full segment waits for an acknowledgment in any case (RFC 896).
    pub fn send(&mut self, now: i64, full: bool) {
        self.began.get_or_insert(now);
        let together = self.sent.replace(now).is_some_and(|sent| now - sent <= PROMPT);
        let prompted = self.heard.is_some_and(|heard| now - heard < PROMPT);
        match (together, prompted) {
            (false, true) => self.prompted += u64::from(full),
            (false, false) => self.alone += 1,
            (true, _) => {}
        }
    }

    /// Returns the share of bursts that leave by themselves, relative to the share expected without ACK clocking.
    pub fn own(&self) -> Option<f64> {
        let bursts = self.prompted + self.alone;
        let lasted = self.heard? - self.began?;
        let just = self.covered as f64 / lasted as f64;
        let tells = bursts >= MIN_BURSTS && lasted > 0 && just < MAX_JUST_ACKED_SHARE;
        tells.then(|| (self.alone as f64 / bursts as f64 / (1.0 - just)).min(1.0))
    }
}
