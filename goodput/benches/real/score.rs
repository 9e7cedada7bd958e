//! Diagnosis of a path from each kind of evidence, against its label.

use crate::label::Label;
use crate::paths::Path;
use crate::record::Recorded;
use analysis::sources;
use diagnosis::diagnose::{self, Confidence, Diagnosis, Finding, Given, Severity};
use std::path::PathBuf;

/// Evidence of a kind that people have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// ping, and iperf3's text.
    Text,
    /// ping, and `iperf3 -J`.
    Json,
    /// `ss -tinm` every second, and the sender's settings.
    Sockets,
    /// A capture at the sender.
    Capture,
    /// All of these, and the settings of both ends.
    Everything,
}

impl Tier {
    /// From the poorest to the richest.
    pub const ALL: [Tier; 5] = [Tier::Text, Tier::Json, Tier::Sockets, Tier::Capture, Tier::Everything];

    /// Name in the tables.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Text => "`ping`, `iperf3`",
            Tier::Json => "`ping`, `iperf3 -J`",
            Tier::Sockets => "`ss -tinm` every second at the sender",
            Tier::Capture => "`tcpdump -s 96` at the sender",
            Tier::Everything => "all of these, settings of both ends",
        }
    }

    fn files(self, recorded: &Recorded) -> Vec<PathBuf> {
        let Recorded { text, json, ss, capture, receiver, .. } = recorded;
        let files: &[&PathBuf] = match self {
            Tier::Text => &[text],
            Tier::Json => &[json],
            Tier::Sockets => &[ss],
            Tier::Capture => &[capture],
            Tier::Everything => &[json, ss, capture, receiver],
        };
        files.iter().map(|file| (*file).clone()).collect()
    }
}

/// How right the first finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The main limit is named first; on a full link, no problem is named.
    Right,
    /// Something else that limited, or that an expert would accept.
    Acceptable,
    /// Nothing, though something limited.
    Undecided,
    /// Something that did not limit.
    Wrong,
}

/// Result of the diagnosis of a path.
pub struct Outcome {
    /// The path's name.
    pub path: String,
    /// The label's.
    pub label: String,
    /// The finding that the label asks for.
    pub wanted: &'static str,
    /// The first finding of a problem; `none` if there is none.
    pub found: &'static str,
    /// How sure it is.
    pub confidence: Option<Confidence>,
    /// Whether it is right.
    pub verdict: Verdict,
    /// Rules whose commands change settings that are not the cause.
    pub harmful: Vec<&'static str>,
    /// For two causes, whether both are named.
    pub second: Option<bool>,
}

/// Diagnoses the evidence of a kind.
pub fn outcome(path: &Path, recorded: &Recorded, label: &Label, tier: Tier, told: bool) -> Result<Outcome, String> {
    let given = Given { rate: told.then_some(path.rate * 1e6), rtt: None };
    let sources = sources::evidence(&tier.files(recorded)).map_err(|e| e.to_string())?;
    let found = &sources.first().ok_or("nothing was read")?.found;
    Ok(judged(path, label, &diagnose::diagnose(found, given)))
}

fn judged(path: &Path, label: &Label, diagnosis: &Diagnosis) -> Outcome {
    let top = diagnosis.top();
    let accepted = |finding: &Finding| {
        let doubtful = finding.confidence == Confidence::Low;
        label.first().any(|cause| {
            cause.finding == finding.rule
                || cause.also.contains(&finding.rule)
                || doubtful && cause.doubtful.contains(&finding.rule)
        })
    };
    let is_full = label.causes.is_empty();
    let verdict = match top {
        None if is_full => Verdict::Right,
        None => Verdict::Undecided,
        Some(finding) if Some(finding.rule) == label.causes.first().map(|cause| cause.finding) => Verdict::Right,
        Some(finding)
            if accepted(finding) || is_full && path.causes.iter().any(|cause| cause.also.contains(&finding.rule)) =>
        {
            Verdict::Acceptable
        }
        Some(_) => Verdict::Wrong,
    };
    let named = |cause: &&crate::paths::Cause| {
        diagnosis.findings.iter().any(|finding| cause.finding == finding.rule || cause.also.contains(&finding.rule))
    };
    Outcome {
        path: path.name.clone(),
        label: label.name(),
        wanted: label.finding(),
        found: top.map_or("none", |finding| finding.rule),
        confidence: top.map(|finding| finding.confidence),
        verdict,
        harmful: diagnosis.findings.iter().filter(|finding| is_harmful(path, label, finding)).map(|f| f.rule).collect(),
        second: label.is_pair().then(|| label.causes.iter().all(named)),
    }
}

/// Whether a problem's commands change settings that are not the cause, or choose BBR although it runs already or is no
/// remedy.
fn is_harmful(path: &Path, label: &Label, finding: &Finding) -> bool {
    if finding.severity != Severity::Problem || finding.follows.is_some() {
        return false;
    }
    let steps: Vec<String> = finding.remedies.iter().flat_map(|remedy| remedy.steps().now).collect();
    let of = |cause: &&crate::paths::Cause| {
        [cause.finding].iter().chain(cause.also).chain(cause.doubtful).any(|rule| *rule == finding.rule)
    };
    let is_cause = label.causes.iter().any(of);
    let helped = label.causes.iter().any(|cause| ["loss-response", "shallow-buffer"].contains(&cause.finding));
    let chooses_bbr = steps.iter().any(|step| step.contains("congestion_control=bbr"));
    !steps.is_empty() && !is_cause || chooses_bbr && (path.is_bbr() || !helped)
}
