//! `diagnose`, `explain`, `import` and `export`.

use crate::{COULD_NOT_RUN, Failure, facts, values, width};
use analysis::sources::{self, OfTrial, Source};
use analysis::{CaptureExport, commented_capture};
use base::output;
use base::show;
use base::suggest::suggest;
use clap::{Args, ValueEnum};
use diagnosis::diagnose::{self, Diagnosis, Given, Need, RULES, Severity, Style, Told};
use evidence::export;
use evidence::unit::Wrong;
use evidence::{Evidence, plain};
use goodput::schema;
use results::terminal;
use serde::Serialize;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use suspicion::Question;
use suspicion::differs::{self, Differs};
use suspicion::facts as case;
use suspicion::formula::Interval;

#[derive(Args)]
pub struct Arguments {
    /// Saved output of iperf3, ss, sysctl, …; pcap or pcapng files; run folders; files of facts; `-` for standard input.
    ///
    /// Also reads iperf, nuttcp, ethtool, ip, ifconfig, netstat, ping, tracepath and siftr, alone or all in one file,
    /// as in a ticket or a blog post. Files given together are taken as evidence of one case. RUN is the folder of a
    /// lab run, RUN:N its trial N, RUN:POINT the trials of a point, such as RUN:cubic; trials with the same diagnosis
    /// share a page. The folder of a probe has two cases: DIR:upload and DIR:download. Facts, in TOML or JSON, are taken with
    /// the runs of the files beside them.
    #[arg(required_unless_present_any = ["sender", "receiver"], value_name = "FILE|RUN|-")]
    sources: Vec<PathBuf>,
    /// Output saved on the sender: its settings, interfaces, routes.
    ///
    /// A listing does not say whose settings it shows, and only the receiver's tcp_rmem matters.
    #[arg(long, value_name = "FILE")]
    sender: Vec<PathBuf>,
    /// Output saved on the receiver.
    #[arg(long, value_name = "FILE")]
    receiver: Vec<PathBuf>,
    /// Expected rate of the link, e.g. 1Gbit/s.
    ///
    /// Without it goodput cannot tell whether the path is slow at all.
    #[arg(long, value_name = "RATE", value_parser = values::rate, allow_hyphen_values = true)]
    rate: Option<f64>,
    /// RTT of the idle path, e.g. 210ms.
    ///
    /// Overrides what ping and TCP say in the evidence.
    #[arg(long, value_name = "TIME", value_parser = values::rtt, allow_hyphen_values = true)]
    rtt: Option<f64>,
    /// Exit with 1 if there is a finding of at least this severity.
    #[arg(long, value_name = "SEVERITY")]
    fail_on: Option<FailOn>,
    /// Print all figures, how to keep and undo each fix, and what was not read.
    #[arg(short, long)]
    verbose: bool,
    /// Show why: each step with what was seen in it, what each rule asked, and why others were not chosen.
    #[arg(long)]
    why: bool,
    /// Draw cwnd and goodput over time.
    #[arg(long, conflicts_with = "json")]
    plot: bool,
    /// Print the findings as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum FailOn {
    Note,
    Problem,
}

pub fn execute(arguments: Arguments) -> Result<u8, Failure> {
    let (stated, paths) = facts::stated(&arguments.sources)?;
    let of_ends = sources::of_ends(&arguments.sender, &arguments.receiver);
    let sources = sources::evidence_with(&paths, &of_ends)?;
    let stated = stated.unwrap_or_default();
    if sources.is_empty() {
        return of_facts(&stated, arguments.json);
    }
    let of_path = |name| stated.path.number(name).map(Interval::middle);
    let given = Given { rate: arguments.rate.or(of_path("rate")), rtt: arguments.rtt.or(of_path("rtt")) };
    let diagnosed = |source: Source| {
        let mut diagnosis = diagnose::diagnose(&source.found, given);
        // A trial is already recorded: the only missing input that a user can add is the rate of its link.
        diagnosis.blind.retain(|blind| source.trial.is_none() || blind.need == Need::LinkRate);
        let is_one_path = source.trial.is_none() && source.apart.is_empty();
        let differs = is_one_path.then(|| differences(&source, &stated, given)).flatten();
        let Source { name, trial, apart, lacks, .. } = source;
        Case { name, trial, apart, lacks, differs, diagnosis }
    };
    let cases: Vec<Case> = sources.into_iter().map(diagnosed).collect();
    let is_void = cases.iter().all(|case| case.diagnosis.is_void());
    if is_void && !stated.runs.is_empty() {
        return of_facts(&stated, arguments.json);
    }
    if arguments.json {
        let one = |Case { name, trial, apart, lacks, differs, diagnosis }: &Case| {
            let mut one = serde_json::json!({ "of": name, "diagnosis": diagnosis });
            if let Some(OfTrial { index, point, seed, .. }) = trial {
                one["trial"] = serde_json::json!({ "index": index, "point": point, "seed": seed });
            }
            if !apart.is_empty() {
                one["apart"] = serde_json::json!(apart);
            }
            if let Some(lacks) = lacks {
                one["lacks"] = serde_json::json!(lacks);
            }
            if let Some(differs) = differs {
                one["differs"] = serde_json::json!(differs);
            }
            one
        };
        let all: Vec<_> = cases.iter().map(one).collect();
        out!("{}", crate::as_json(&schema::DIAGNOSE, &serde_json::json!({ "cases": all }))?);
    } else {
        let more = More { why: arguments.why, plot: arguments.plot };
        print(&cases, Style { width: width(), verbose: arguments.verbose }, more);
    }
    if is_void {
        return Ok(COULD_NOT_RUN);
    }
    let fails = |diagnosis: &Diagnosis| match arguments.fail_on {
        Some(FailOn::Problem) => diagnosis.findings.iter().any(|f| f.severity == Severity::Problem),
        Some(FailOn::Note) => !diagnosis.findings.is_empty(),
        None => false,
    };
    Ok(u8::from(cases.iter().any(|case| fails(&case.diagnosis))))
}

/// Returns what differs between the runs of a source and those that are stated, if it says anything.
fn differences(source: &Source, stated: &case::Case, given: Given) -> Option<Differs> {
    let mut all = stated.clone();
    all.state("rate", given.rate);
    all.state("rtt", given.rtt);
    all.add(case::of_evidence(&source.found));
    Some(facts::differences(&all)).filter(|differs| differs.near().is_some() || differs.opening().next().is_some())
}

/// Prints what facts alone allow: what differs, then arithmetic.
fn of_facts(stated: &case::Case, json: bool) -> Result<u8, Failure> {
    let question = Question { templates: suspicion::built_in(), fixes: vec![], budget: 0.0 };
    let answer = suspicion::test(stated, &question, None::<&mut suspicion::trials::Lab>)?;
    if json {
        out!("{}", crate::as_json(&schema::TEST, &answer)?);
    } else {
        out!("{}", suspicion::page(&answer, width()).trim_end());
    }
    Ok(0)
}

/// Prints the diagnosis of a folder of evidence.
pub fn of_folder(folder: &Path, rate: Option<f64>, json: bool) -> Result<u8, Failure> {
    let sources = vec![folder.to_owned()];
    let (sender, receiver) = (vec![], vec![]);
    let (rtt, fail_on, verbose, why, plot) = (None, None, false, false, false);
    execute(Arguments { sources, sender, receiver, rate, rtt, fail_on, verbose, why, plot, json })
}

/// Evidence given together, and its diagnosis.
struct Case {
    name: String,
    trial: Option<OfTrial>,
    apart: Vec<String>,
    lacks: Option<String>,
    /// Runs that differ in least.
    differs: Option<Differs>,
    diagnosis: Diagnosis,
}

impl Case {
    fn run(&self) -> Option<&str> {
        self.trial.as_ref().map(|trial| trial.run.as_str())
    }
}

/// What is printed besides the pages.
#[derive(Clone, Copy)]
struct More {
    why: bool,
    plot: bool,
}

/// Prints files as one case, and each run as one, with trials of the same diagnosis grouped.
fn print(cases: &[Case], style: Style, more: More) {
    let runs: Vec<&[Case]> = cases.chunk_by(|a, b| a.trial.is_some() && a.run() == b.run()).collect();
    for (number, run) in runs.iter().enumerate() {
        let first = &run[0];
        if runs.len() > 1 {
            let name = first.run().filter(|_| run.len() > 1).unwrap_or(&first.name);
            out!("{}{}\n", if number > 0 { "\n" } else { "" }, plain::line(name));
        }
        if !first.apart.is_empty() {
            let doubt = format!("{}. {ONE_PATH}", first.apart.join("; "));
            out!("{}", show::paragraph("Not of one path: ", &doubt, style.width));
        }
        if let Some(lacks) = &first.lacks {
            out!("{}", show::paragraph("Not whole: ", &plain::line(lacks), style.width));
        }
        if let Some(differs) = first.differs.as_ref().filter(|differs| differs.near().is_none()) {
            out!("{}", differs::opening(differs, style.width));
        }
        let told = run.iter().filter_map(|Case { trial, diagnosis, .. }| {
            let OfTrial { index, point, seed, .. } = trial.clone()?;
            Some(Told { trial: index, point, seed, diagnosis: diagnosis.clone() })
        });
        let page = match first.trial {
            Some(_) => diagnose::pages(&told.collect::<Vec<_>>(), style),
            None => diagnose::page(&first.diagnosis, style),
        };
        out!("{}", page.trim_end());
        let has_cause = first.diagnosis.findings.iter().any(|finding| finding.severity == Severity::Problem);
        if let Some(pair) = first.differs.as_ref().filter(|_| !has_cause).and_then(Differs::near) {
            let says = format!(
                "{} and {} differ in {}: `goodput test` with the same files says what that leaves.",
                pair.slow,
                pair.fast,
                pair.differ.join(" and ")
            );
            out!("\n{}", show::paragraph("", &says, style.width).trim_end());
        }
        if more.plot {
            out!("{}", terminal::plot_transfers(&first.diagnosis.time, style.width).trim_end());
        }
        let explained = run.iter().filter(|case| more.why && !case.diagnosis.is_void());
        explained.for_each(|case| out!("\n{}", diagnose::why(&case.diagnosis, style.width).trim_end()));
    }
}

const ONE_PATH: &str = "What follows mixes them: give the files of each path to a `goodput diagnose` of their own.";

pub fn explain(name: Option<&str>) -> Result<u8, Failure> {
    let Some(name) = name else {
        let width = RULES.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
        RULES.iter().for_each(|rule| out!("{:width$}  {}", rule.name, rule.title));
        return Ok(0);
    };
    let Some(rule) = RULES.iter().find(|rule| rule.name == name) else {
        if let Some(cause) = suspicion::built_in().into_iter().find(|cause| cause.name == name) {
            out!("{}", show::paragraph(&format!("{name}: "), &format!("{}.", cause.says), width()).trim_end());
            out!("{}", show::paragraph("Fix: ", &format!("{}.", cause.fix), width()).trim_end());
            out!("{}", show::paragraph("Source: ", &format!("{}.", cause.source), width()).trim_end());
            return Ok(0);
        }
        let (wrong, names) = (Wrong::new(format!("no rule {name}")), RULES.iter().map(|rule| rule.name));
        let part = names.clone().find(|known| known.split('-').any(|word| word == name));
        return Err(Failure(values::words(suggest(wrong, part.unwrap_or(name), names))));
    };
    out!("{}", diagnose::explain(rule, width()).trim_end());
    Ok(0)
}

/// Output of `import`: the evidence of each case, and its facts as `diagnose` and `test` take them.
#[derive(Serialize)]
struct Imported<'s> {
    cases: Vec<ImportedCase<'s>>,
}

#[derive(Serialize)]
struct ImportedCase<'s> {
    #[serde(flatten)]
    evidence: &'s Evidence,
    facts: serde_json::Value,
}

pub fn import(sources: &[PathBuf], json: bool) -> Result<u8, Failure> {
    let all: Vec<Source> = sources::evidence(sources)?;
    if json {
        let mut cases = vec![];
        for source in &all {
            cases.push(ImportedCase {
                evidence: &source.found,
                facts: case::as_json(&case::of_evidence(&source.found)),
            });
        }
        out!("{}", crate::as_json(&schema::IMPORT, &Imported { cases })?);
    } else {
        all.iter().for_each(|source| out!("{}", sources::page(&source.found, width()).trim_end()));
    }
    let is_void = all.iter().all(|source| source.found.contents().is_empty());
    Ok(if is_void { COULD_NOT_RUN } else { 0 })
}

/// A program whose output format a trial can be exported in.
#[derive(Clone, Copy, ValueEnum)]
pub enum Program {
    /// Output of the iperf3 client
    Iperf3,
    /// Screens of `ss -tin` on the sender, one each second
    Ss,
    /// A data file of flent: it opens FILE.flent, and FILE.flent.gz
    Flent,
    /// A qlog file: congestion window, round-trip times and losses over time, for qvis
    Qlog,
    /// The packets of a node with capture = true, for Wireshark; dropped ones have a comment
    Pcapng,
}

#[derive(Args)]
pub struct ExportArguments {
    /// The trial, as RUN:N, or a file of evidence.
    source: PathBuf,
    /// Output format.
    #[arg(long, value_name = "PROGRAM")]
    to: Program,
    /// Node whose packets to export as pcapng [default: the first with capture = true].
    #[arg(long, value_name = "NAME")]
    node: Option<String>,
}

pub fn export(ExportArguments { source, to, node }: &ExportArguments) -> Result<u8, Failure> {
    if let Some(node) = node.as_ref().filter(|_| !matches!(to, Program::Pcapng)) {
        return Err(Failure(format!("--node {node} needs --to pcapng: other formats have no nodes")));
    }
    if matches!(to, Program::Pcapng) {
        return export_capture(source, node.as_deref());
    }
    for trial in sources::evidence(std::slice::from_ref(source))? {
        let text = match to {
            Program::Iperf3 => export::iperf3(&trial.found),
            Program::Ss => export::ss(&trial.found),
            Program::Flent => evidence::flent(&trial.found, &trial.name),
            Program::Qlog => evidence::qlog(&trial.found, &trial.name),
            Program::Pcapng => unreachable!("it is written above"),
        };
        let text = text.ok_or_else(|| format!("{}: no bulk data, so nothing that it would show", trial.name))?;
        out!("{}", text.trim_end());
    }
    Ok(0)
}

/// Writes a node's capture on standard output.
fn export_capture(source: &Path, node: Option<&str>) -> Result<u8, Failure> {
    let Some((trial, folder)) = sources::one_trial(source)? else {
        let what = format!("{} is no trial of a run, so it has no capture of a node", plain::path(source));
        return Err(Failure(format!("{what}\n\naccepted: RUN:N")));
    };
    let CaptureExport { bytes, commented, drops } = commented_capture(&trial, &folder, node)?;
    if std::io::stdout().is_terminal() {
        return Err(Failure("a capture is not for a terminal\n\nhint: add > FILE.pcapng".into()));
    }
    output::bytes(&bytes);
    match drops {
        Some(drops) => note!("{commented} of {drops} dropped packets are in this capture and have a comment"),
        None => note!("no comments: the run has no record.drops = true"),
    }
    Ok(0)
}
