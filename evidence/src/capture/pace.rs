//! Who sets the pace of a sender: the acknowledgments that come, or its program and pacer.

/// What an acknowledgment lets go leaves sooner than this, and what leaves together is closer together, ns.
const PROMPT: i64 = 150_000;

/// Fewer bursts tell nothing.
const MIN_BURSTS: u64 = 20;

/// Where an acknowledgment has just come for more of the time than this, one says nothing.
const MAX_JUST_ACKED_SHARE: f64 = 0.7;

/// Packets that leave together are a burst; each leaves at an acknowledgment or by itself.
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
    /// An acknowledgment comes.
    pub fn hear(&mut self, now: i64) {
        let before = self.heard.replace(now).filter(|_| self.began.is_some());
        self.covered += before.map_or(0, |before| (now - before).clamp(0, PROMPT));
    }

    /// A packet leaves, a full segment or more: less than one waits for an acknowledgment in any case (RFC 896).
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

    /// The share of bursts that leave by themselves, over what it would be if they heeded no acknowledgment.
    pub fn own(&self) -> Option<f64> {
        let bursts = self.prompted + self.alone;
        let lasted = self.heard? - self.began?;
        let just = self.covered as f64 / lasted as f64;
        let tells = bursts >= MIN_BURSTS && lasted > 0 && just < MAX_JUST_ACKED_SHARE;
        tells.then(|| (self.alone as f64 / bursts as f64 / (1.0 - just)).min(1.0))
    }
}
