//! ECN marks: the response of a sender's congestion control, and the window that a share of marks leaves.

use super::flow::Flow;
use base::model::response;
use base::show::rounded;
use evidence::Seen;
use evidence::ecn::Feedback;

/// Response of a congestion control to a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Same response as to a loss, once per round trip (RFC 3168, 5).
    Classic,
    /// Response in proportion to the share of marked packets (RFC 9331, 4.3; RFC 8257).
    Scalable,
}

/// A sender and its response to marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Marked {
    pub answer: Answer,
    /// Congestion control; `None` if only the ECN field of its packets is known.
    pub control: Option<String>,
    /// Source of the answer.
    pub from: String,
}

impl Flow<'_> {
    /// Returns the sender's response to marks, by its congestion control or else by the ECN field of its packets.
    /// `None` if neither is known, and for BBR, whose first version ignores marks.
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

    /// Returns the mean number of marks per round trip.
    pub(crate) fn marks_per_round_trip(&self, marked: f64) -> Option<f64> {
        let rtt = self.queueing().map(|[_, middle, _]| middle).or(self.base())?;
        Some(marked * self.seen.goodput? * rtt / (8.0 * self.mss))
    }

    /// Returns the share of a classic sender's segments that report a lower cwnd: each has CWR (RFC 3168, 6.1.2).
    pub(crate) fn reductions(&self) -> Option<f64> {
        let fell = self.seen.ecn_detail.as_ref()?.cwr.filter(|fell| *fell > 0)?;
        Some(fell as f64 / self.seen.segments_sent.filter(|sent| *sent > 0.0)?)
    }
}

/// The event that a share of marks counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counts {
    /// Each mark: AccECN, or the receiver's side.
    Marks,
    /// Acknowledgments with ECE, about one round trip of them for each answered mark.
    Echoes,
    /// Either of these.
    Unknown,
}

impl Flow<'_> {
    /// Returns what the connection's share of marks counts.
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
    /// Returns a sender with nothing known about it.
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

    /// Returns the smallest window that a share of marks leaves, segments. A sender that answers several marks of one
    /// round trip as one keeps a larger window.
    pub fn window(&self, marked: f64, rtt: Option<f64>) -> f64 {
        match self.answer {
            Answer::Classic => response::reno_window(marked),
            Answer::Scalable => response::scalable_window(marked) * self.share_of_round(rtt),
        }
    }

    /// Returns the marks per round trip in a scalable control's steady state.
    pub fn steady(&self, rtt: Option<f64>) -> Option<f64> {
        self.is_scalable().then(|| response::scalable_window(1.0) * self.share_of_round(rtt))
    }

    /// Returns the share of a round trip for Prague, which grows and shrinks as if round trips took at least 25 ms;
    /// else 1.
    fn share_of_round(&self, rtt: Option<f64>) -> f64 {
        let least = response::PRAGUE_RTT_S;
        rtt.filter(|rtt| self.is_prague() && *rtt < least).map_or(1.0, |rtt| rtt / least)
    }

    /// Returns the kind, as figures print it.
    pub fn kind(&self) -> &'static str {
        match self.answer {
            Answer::Classic => "classic",
            Answer::Scalable => "scalable",
        }
    }

    /// Returns the name, as sentences print it.
    pub fn name(&self) -> String {
        match self.control.as_deref() {
            Some("prague") => "Prague".into(),
            Some("reno" | "newreno") => "Reno".into(),
            Some("htcp") => "H-TCP".into(),
            Some(name) => name.to_uppercase(),
            None => "the sender".into(),
        }
    }

    /// Returns a sentence on the effect of a mark.
    pub fn meaning(&self) -> String {
        let subject = base::show::capital(&self.name());
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
