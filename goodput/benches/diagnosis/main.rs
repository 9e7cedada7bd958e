//! How often the diagnosis is right: paths of known causes, run in the laboratory; docs/diagnosis-lab.md has the tables.
//!
//! `cargo bench --package goodput --bench diagnosis`, with names of causes for these alone; `-- --tuning` shows the half
//! that rules are made with, in place of the half that is held out, and each miss. It fails where the tables are not those
//! of the page; `BLESS=1` writes them.
#![forbid(unsafe_code)]

#[path = "../kept/mod.rs"]
mod kept;
mod tables;

use analysis::sources;
use diagnosis::diagnose::{self, Confidence, Diagnosis, Given, Severity};
use evidence::export;
use evidence::import;
use evidence::{Evidence, Ping, Place, Point, Seen};
use kept::Page;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The page of the tables.
const PAGE: Page = Page {
    path: "docs/diagnosis-lab.md",
    marks: ["<!-- begin tables -->\n", "<!-- end tables -->\n"],
    command: "make corpus",
    lasting: |tables| tables,
};

/// Longest run of 20 paths, seconds.
const MAX_RUN_S: u32 = 3600;

/// Correct diagnosis of a cause; `corpus/labels.toml`.
#[derive(Debug, Clone, Deserialize)]
pub struct Label {
    /// The finding that has to be first; `none` if nothing is wrong.
    pub finding: String,
    /// Others that an expert would accept.
    #[serde(default)]
    pub also: Vec<String>,
    /// Findings whose remedies do harm.
    #[serde(default)]
    pub harmful: Vec<String>,
}

/// Result of the diagnosis of a path.
pub struct Outcome {
    /// The cause's name.
    pub cause: String,
    /// The path's number.
    pub path: usize,
    /// The first finding; `none` if there is none, or on a healthy path no problem.
    pub found: String,
    /// How sure it is.
    pub confidence: Option<Confidence>,
    /// Whether it is the right one, or one that an expert would accept.
    pub right: bool,
    /// Findings of the diagnosis whose remedies would do harm.
    pub harm: Vec<String>,
}

/// Evidence of a kind that people have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// TCP_INFO of both ends every 10 ms, settings and offloads of all hosts.
    Everything,
    /// `ss -tin` at the sender once a second, and its settings.
    Sender,
    /// The text of iperf3, and `ping` before it.
    TextAndPing,
    /// The text of iperf3 alone.
    Text,
}

impl Tier {
    /// Name in the tables.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Everything => "TCP_INFO of both ends, settings of all hosts",
            Tier::Sender => "`ss -tin` at the sender every second, its settings",
            Tier::TextAndPing => "iperf3's text, and `ping` before it",
            Tier::Text => "iperf3's text",
        }
    }

    /// The part of the evidence in this tier; `None` if there is none.
    fn of(self, all: &Evidence) -> Option<Evidence> {
        match self {
            Tier::Everything => Some(all.clone()),
            Tier::Sender => Some(at_the_sender(all)),
            Tier::TextAndPing => {
                let mut evidence = Tier::Text.of(all)?;
                let rtts: Vec<f64> = all.connections.iter().filter_map(|c| c.rtt_min).collect();
                evidence.pings.extend((!rtts.is_empty()).then(|| ping(rtts)));
                Some(evidence)
            }
            Tier::Text => {
                let mut evidence = Evidence::default();
                import::read("iperf3.txt", export::iperf3(all)?.as_bytes(), &mut evidence);
                Some(evidence)
            }
        }
    }
}

fn ping(rtts: Vec<f64>) -> Ping {
    let place = Place { file: "ping.txt".into(), line: 1 };
    let answered = Some(rtts.len() as u64);
    Ping {
        place,
        target: "receiver".into(),
        address: None,
        payload: Some(56),
        whole: false,
        sent: answered,
        answered,
        rtts,
        too_big: None,
    }
}

fn at_the_sender(all: &Evidence) -> Evidence {
    let mut evidence = Evidence { connections: all.connections.clone(), ..Evidence::default() };
    evidence.hosts.extend(all.hosts.iter().take(1).cloned());
    for connection in &mut evidence.connections {
        connection.seen = Seen::Sender;
        connection.unread = None;
        connection.out_of_order = None;
        connection.exchanges.clear();
        connection.points = every_second(&connection.points);
    }
    evidence
}

fn every_second(points: &[Point]) -> Vec<Point> {
    let mut kept: Vec<Point> = vec![];
    let (mut bytes, mut retransmitted) = (0.0, 0.0);
    for point in points {
        bytes += point.bytes.unwrap_or(0.0);
        retransmitted += point.retransmitted.unwrap_or(0.0);
        if kept.last().is_none_or(|last| point.time - last.time >= 1.0 - 1e-6) {
            kept.push(Point { bytes: Some(bytes), retransmitted: Some(retransmitted), ..*point });
            (bytes, retransmitted) = (0.0, 0.0);
        }
    }
    kept
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let tuning = arguments.iter().any(|a| a == "--tuning");
    let names: Vec<&String> = arguments.iter().filter(|a| !a.starts_with("--")).collect();
    match measure(tuning, &names) {
        Ok(text) => {
            println!("{text}");
            if tuning || !names.is_empty() || PAGE.hold(&text) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn measure(tuning: bool, names: &[&String]) -> Result<String, String> {
    let labels =
        fs::read_to_string(Path::new(kept::page::ROOT).join("corpus/labels.toml")).map_err(|e| e.to_string())?;
    let labels: BTreeMap<String, Label> = toml::from_str(&labels).map_err(|e| e.to_string())?;
    let mut outcomes: BTreeMap<Tier, Vec<Outcome>> = BTreeMap::new();
    for (cause, label) in labels.iter().filter(|(cause, _)| names.is_empty() || names.contains(cause)) {
        eprintln!("{cause} …");
        let run = kept::run("corpus", cause, &spec(cause), MAX_RUN_S)?;
        let plan = run.plan().map_err(|e| e.to_string())?;
        for trial in plan.trials.iter().filter(|trial| (trial.index % 2 == 0) == tuning) {
            let name = format!("{cause}:{}", trial.index);
            let folder = run.trial(trial.index).map_err(|e| e.to_string())?;
            let all = sources::of_trial(trial, &folder, &name).map_err(|e| e.to_string())?;
            for tier in [Tier::Everything, Tier::Sender, Tier::TextAndPing, Tier::Text] {
                if let Some(evidence) = tier.of(&all) {
                    let diagnosis = diagnose::diagnose(&evidence, Given::default());
                    outcomes.entry(tier).or_default().push(outcome(cause, trial.index, label, &diagnosis));
                }
            }
        }
    }
    let mut text = tables::all(&outcomes, &labels);
    if tuning {
        text += &tables::misses(&outcomes);
    }
    Ok(text)
}

fn spec(cause: &str) -> PathBuf {
    Path::new(kept::page::ROOT).join(format!("corpus/{cause}.toml"))
}

fn outcome(cause: &str, path: usize, label: &Label, diagnosis: &Diagnosis) -> Outcome {
    let healthy = label.finding == "none";
    let own = || diagnosis.findings.iter().filter(|f| f.severity == Severity::Problem && f.follows.is_none());
    let first = if healthy { own().next() } else { diagnosis.findings.first() };
    let found = first.map_or("none", |finding| finding.rule).to_owned();
    Outcome {
        cause: cause.into(),
        path,
        right: found == label.finding || label.also.contains(&found),
        confidence: first.map(|finding| finding.confidence),
        harm: own()
            .filter(|finding| finding.remedies.iter().any(|remedy| !remedy.steps().now.is_empty()))
            .map(|finding| finding.rule.to_owned())
            .filter(|rule| label.harmful.contains(rule))
            .collect(),
        found,
    }
}
