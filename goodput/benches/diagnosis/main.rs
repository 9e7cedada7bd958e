//! How often the diagnosis is right: paths of known causes, run in the laboratory; docs/diagnosis.md has the tables.
//!
//! `cargo bench --package goodput --bench diagnosis`, with names of causes for these alone; `-- --tuning` shows the half
//! that rules are made with, in place of the half that is held out, and each miss. It fails where the tables are not those
//! of the page; `BLESS=1` writes them.
#![forbid(unsafe_code)]

mod tables;

use evidence::import;
use evidence::{Evidence, Ping, Place, Point, Seen};
use goodput::diagnose::{self, Confidence, Diagnosis, Given, Severity};
use goodput::run_folder::RunFolder;
use goodput::{environment, export, sources};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// What is right for a cause; `corpus/labels.toml`.
#[derive(Debug, Clone, Deserialize)]
pub struct Label {
    /// The finding that has to stand first; `none` where nothing is wrong.
    pub finding: String,
    /// Others that an expert would accept.
    #[serde(default)]
    pub also: Vec<String>,
    /// Those whose remedies do harm.
    #[serde(default)]
    pub harmful: Vec<String>,
}

/// What was found on a path.
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
    /// Findings whose remedies would do harm.
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
    /// The text of iperf3, and nothing else.
    Text,
}

impl Tier {
    /// As the tables name it.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Everything => "TCP_INFO of both ends, settings of all hosts",
            Tier::Sender => "`ss -tin` at the sender every second, its settings",
            Tier::TextAndPing => "iperf3's text, and `ping` before it",
            Tier::Text => "iperf3's text",
        }
    }

    /// What such evidence tells; `None` if there is none of the kind.
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
            if tuning || !names.is_empty() { ExitCode::SUCCESS } else { hold(&text) }
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn measure(tuning: bool, names: &[&String]) -> Result<String, String> {
    let labels = fs::read_to_string(Path::new(ROOT).join("corpus/labels.toml")).map_err(|e| e.to_string())?;
    let labels: BTreeMap<String, Label> = toml::from_str(&labels).map_err(|e| e.to_string())?;
    let mut outcomes: BTreeMap<Tier, Vec<Outcome>> = BTreeMap::new();
    for (cause, label) in labels.iter().filter(|(cause, _)| names.is_empty() || names.contains(cause)) {
        let run = run(cause)?;
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

/// Runs a cause's experiment, or takes it from where it was run before.
fn run(cause: &str) -> Result<RunFolder, String> {
    let spec = Path::new(ROOT).join(format!("corpus/{cause}.toml"));
    // A folder holds the run of one experiment.
    let text = fs::read(&spec).map_err(|e| format!("{}: {e}", spec.display()))?;
    let hash = environment::hex(&Sha256::digest(text)[..4]);
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("corpus").join(format!("{cause}-{hash}"));
    eprintln!("{cause} …");
    let mut command = Command::new(env!("CARGO_BIN_EXE_goodput"));
    command.arg("run").arg(&spec).arg("--out").arg(&out).arg("--json");
    let ended = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let ended = ended.map_err(|e| e.to_string())?;
    // 1 is an expectation that does not hold: the cause does not bind on each path.
    if !ended.success() {
        return Err(format!("goodput run {} ended with {ended}: its cause does not bind on each path", spec.display()));
    }
    RunFolder::existing(&out).map_err(|e| e.to_string())
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

const PAGE: &str = "docs/diagnosis.md";
const MARKS: [&str; 2] = ["<!-- begin tables -->\n", "<!-- end tables -->\n"];

/// Holds the page to the tables, or writes them into it.
fn hold(tables: &str) -> ExitCode {
    let path = Path::new(ROOT).join(PAGE);
    let page = fs::read_to_string(&path).unwrap_or_default();
    let parts = page.split_once(MARKS[0]).and_then(|(before, rest)| Some((before, rest.split_once(MARKS[1])?.1)));
    let Some((before, after)) = parts else {
        eprintln!("{PAGE} lacks the lines {} and {}", MARKS[0].trim(), MARKS[1].trim());
        return ExitCode::FAILURE;
    };
    let held = format!("{before}{}{tables}{}{after}", MARKS[0], MARKS[1]);
    if held == page {
        return ExitCode::SUCCESS;
    }
    if std::env::var_os("BLESS").is_none() {
        eprintln!("the tables differ from those of {PAGE}\n\nhint: BLESS=1 make corpus, and look at what has changed");
        return ExitCode::FAILURE;
    }
    match fs::write(&path, held) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            ExitCode::FAILURE
        }
    }
}
