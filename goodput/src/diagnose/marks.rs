//! What ECN marks mean to a sender: how its congestion control answers one, and which window so many of them leave it.

use super::flow::Flow;
use crate::model::response;
use crate::show::rounded;
use evidence::Seen;
use evidence::ecn::Feedback;

/// How a congestion control answers a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// As a loss, once in a round trip (RFC 3168, 5).
    Classic,
    /// By the share of packets that are marked (RFC 9331, 4.3; RFC 8257).
    Scalable,
}

/// A sender, and how it answers marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Marked {
    pub answer: Answer,
    /// Its congestion control; `None` if the ECN field of its packets alone tells.
    pub control: Option<String>,
    /// What tells it.
    pub from: String,
}

impl Flow<'_> {
    /// How the sender answers marks, by its congestion control or else by the ECN field of its packets; `None` if neither is
    /// known, and of BBR, whose first version ignores them.
    pub(crate) fn answers_marks(&self) -> Option<Marked> {
        if let Some(control) = self.control.as_ref() {
            let answer = if response::is_scalable(&control.name) { Answer::Scalable } else { Answer::Classic };
            let known = Marked { answer, control: Some(control.name.clone()), from: control.from.clone() };
            return (!self.is_bbr()).then_some(known);
        }
        let l4s = self.seen.ecn_detail.as_ref()?.is_l4s()?;
        let answer = if l4s { Answer::Scalable } else { Answer::Classic };
        let codepoint = if l4s { "ECT(1)" } else { "ECT(0)" };
        Some(Marked { answer, control: None, from: format!("{codepoint} in its packets, {}", self.seen.place) })
    }

    /// Marks in a round trip, on the mean.
    pub(crate) fn marks_per_round_trip(&self, marked: f64) -> Option<f64> {
        let rtt = self.queueing().map(|[_, middle, _]| middle).or(self.base())?;
        Some(marked * self.seen.goodput? * rtt / (8.0 * self.mss))
    }

    /// Times that a classic sender lowered cwnd, over its segments: each has CWR (RFC 3168, 6.1.2).
    pub(crate) fn reductions(&self) -> Option<f64> {
        let fell = self.seen.ecn_detail.as_ref()?.cwr.filter(|fell| *fell > 0)?;
        Some(fell as f64 / self.seen.segments_sent.filter(|sent| *sent > 0.0)?)
    }
}

/// What a share of marks counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counts {
    /// Each mark: AccECN, or the receiver's side.
    Marks,
    /// What was acknowledged with ECE, about a round trip for each mark that is answered.
    Echoes,
    /// One of these.
    Unknown,
}

impl Flow<'_> {
    /// What its share of marks counts.
    pub(crate) fn mark_counts(&self) -> Counts {
        match self.seen.ecn_detail.as_ref().and_then(|ecn| ecn.agreed) {
            _ if self.seen.seen == Seen::Receiver => Counts::Marks,
            Some(Feedback::Accurate) => Counts::Marks,
            Some(_) => Counts::Echoes,
            None => Counts::Unknown,
        }
    }
}

impl Marked {
    /// The sender of marks of which nothing is known.
    pub fn unknown() -> Marked {
        Marked {
            answer: Answer::Classic,
            control: None,
            from: "neither congestion control nor ECN field is known".into(),
        }
    }

    pub fn is_scalable(&self) -> bool {
        self.answer == Answer::Scalable
    }

    fn is_prague(&self) -> bool {
        self.control.as_deref() == Some("prague")
    }

    /// The window that a share of marks leaves at the least, segments: several marks of one round trip leave more to who
    /// answers them as one.
    pub fn window(&self, marked: f64, rtt: Option<f64>) -> f64 {
        match self.answer {
            Answer::Classic => response::reno_window(marked),
            Answer::Scalable => response::scalable_window(marked) * self.share_of_round(rtt),
        }
    }

    /// Its steady state, marks in a round trip.
    pub fn steady(&self, rtt: Option<f64>) -> Option<f64> {
        self.is_scalable().then(|| response::scalable_window(1.0) * self.share_of_round(rtt))
    }

    /// Prague grows and shrinks as if round trips took 25 ms at the least.
    fn share_of_round(&self, rtt: Option<f64>) -> f64 {
        let least = response::PRAGUE_RTT_S;
        rtt.filter(|rtt| self.is_prague() && *rtt < least).map_or(1.0, |rtt| rtt / least)
    }

    /// What a figure calls it.
    pub fn kind(&self) -> &'static str {
        match self.answer {
            Answer::Classic => "classic",
            Answer::Scalable => "scalable",
        }
    }

    /// Its name.
    pub fn name(&self) -> String {
        match self.control.as_deref() {
            Some("prague") => "Prague".into(),
            Some("reno" | "newreno") => "Reno".into(),
            Some("htcp") => "H-TCP".into(),
            Some(name) => name.to_uppercase(),
            None => "the sender".into(),
        }
    }

    /// What a mark does to it, as a sentence.
    pub fn meaning(&self) -> String {
        let subject = crate::show::capital(&self.name());
        let left = self.control.as_deref().and_then(response::leaves);
        match (self.answer, left) {
            (Answer::Scalable, _) => format!("{subject} is scalable: cwnd falls by half the share of marked packets."),
            (Answer::Classic, Some(left)) => format!(
                "{subject} is classic: a round trip with a mark lowers cwnd to {}, as one with a loss does.",
                rounded(left)
            ),
            (Answer::Classic, None) => {
                format!("{subject} is taken for classic: a round trip with a mark lowers cwnd as one with a loss does.")
            }
        }
    }
}
