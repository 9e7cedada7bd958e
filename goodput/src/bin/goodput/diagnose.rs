//! `diagnose`, `explain`, `import` and `export`.

use crate::{COULD_NOT_RUN, Failure, values, width};
use clap::{Args, ValueEnum};
use evidence::unit::Wrong;
use evidence::{End, Evidence, plain};
use goodput::diagnose::{self, Diagnosis, Given, Need, RULES, Severity, Style, Told};
use goodput::export;
use goodput::sources::{self, OfTrial, Source};
use goodput::suggest::suggest;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Arguments {
    /// Saved output of iperf3, ss, sysctl, …; pcap or pcapng files; run folders; `-` for standard input.
    ///
    /// Also reads iperf, ethtool, ip, ifconfig, netstat, ping, tracepath and siftr, alone or all in one file, as in a
    /// ticket or a blog post. Files given together are taken as evidence of one case. RUN is the folder of a lab run,
    /// RUN:N its trial N, RUN:POINT the trials of a point, such as RUN:cubic; trials that say the same have one page.
    #[arg(required_unless_present_any = ["sender", "receiver"], value_name = "FILE|RUN|-")]
    sources: Vec<PathBuf>,
    /// What the sender printed: its settings, interfaces, routes.
    ///
    /// A listing doesn't say which end's settings stand beside it, and tcp_rmem matters at the receiver alone.
    #[arg(long, value_name = "FILE")]
    sender: Vec<PathBuf>,
    /// What the receiver printed.
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
    let given = Given { rate: arguments.rate, rtt: arguments.rtt };
    let diagnosed = |source: Source| {
        let mut diagnosis = diagnose::diagnose(&source.found, given);
        // A trial has been recorded: all that can be brought beside it is what its link should carry.
        diagnosis.blind.retain(|blind| source.trial.is_none() || blind.need == Need::LinkRate);
        (source.name, source.trial, diagnosis)
    };
    let of = |end, files: &[PathBuf]| files.iter().map(|file| (end, file.clone())).collect::<Vec<_>>();
    let of_ends = [of(End::Sender, &arguments.sender), of(End::Receiver, &arguments.receiver)].concat();
    let sources = sources::evidence_with(&arguments.sources, &of_ends)?;
    let diagnoses: Vec<_> = sources.into_iter().map(diagnosed).collect();
    if arguments.json {
        let one = |(name, trial, diagnosis): &(String, Option<OfTrial>, Diagnosis)| {
            let mut one = serde_json::json!({ "of": name, "diagnosis": diagnosis });
            if let Some(OfTrial { index, point, seed, .. }) = trial {
                one["trial"] = serde_json::json!({ "index": index, "point": point, "seed": seed });
            }
            one
        };
        out!("{}", crate::as_json(&diagnoses.iter().map(one).collect::<Vec<_>>())?);
    } else {
        print(&diagnoses, Style { width: width(), verbose: arguments.verbose });
    }
    if diagnoses.iter().all(|(.., diagnosis)| diagnosis.is_void()) {
        return Ok(COULD_NOT_RUN);
    }
    let fails = |diagnosis: &Diagnosis| match arguments.fail_on {
        Some(FailOn::Problem) => diagnosis.findings.iter().any(|f| f.severity == Severity::Problem),
        Some(FailOn::Note) => !diagnosis.findings.is_empty(),
        None => false,
    };
    Ok(u8::from(diagnoses.iter().any(|(.., diagnosis)| fails(diagnosis))))
}

/// Files as one case, and each run as one, of whose trials those that say the same are told together.
fn print(diagnoses: &[(String, Option<OfTrial>, Diagnosis)], style: Style) {
    let run = |trial: &Option<OfTrial>| trial.as_ref().map(|trial| trial.run.clone());
    let cases: Vec<_> = diagnoses.chunk_by(|(_, a, _), (_, b, _)| a.is_some() && run(a) == run(b)).collect();
    for (number, case) in cases.iter().enumerate() {
        let (name, trial, diagnosis) = &case[0];
        if cases.len() > 1 {
            let name = run(trial).filter(|_| case.len() > 1).unwrap_or_else(|| name.clone());
            out!("{}{}\n", if number > 0 { "\n" } else { "" }, plain::line(&name));
        }
        let told = case.iter().filter_map(|(_, trial, diagnosis)| {
            let OfTrial { index, point, seed, .. } = trial.clone()?;
            Some(Told { trial: index, point, seed, diagnosis: diagnosis.clone() })
        });
        let page = match trial {
            Some(_) => diagnose::pages(&told.collect::<Vec<_>>(), style),
            None => diagnose::page(diagnosis, style),
        };
        out!("{}", page.trim_end());
    }
}

pub fn explain(name: Option<&str>) -> Result<u8, Failure> {
    let Some(name) = name else {
        let width = RULES.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
        RULES.iter().for_each(|rule| out!("{:width$}  {}", rule.name, rule.title));
        return Ok(0);
    };
    let Some(rule) = RULES.iter().find(|rule| rule.name == name) else {
        let names = RULES.iter().map(|rule| rule.name);
        return Err(Failure(values::words(suggest(Wrong::new(format!("no rule {name}")), name, names))));
    };
    out!("{}", diagnose::explain(rule, width()).trim_end());
    Ok(0)
}

pub fn import(sources: &[PathBuf], json: bool) -> Result<u8, Failure> {
    let all: Vec<Source> = sources::evidence(sources)?;
    if json {
        let found: Vec<&Evidence> = all.iter().map(|source| &source.found).collect();
        out!("{}", crate::as_json(&found)?);
    } else {
        all.iter().for_each(|source| out!("{}", sources::page(&source.found, width()).trim_end()));
    }
    let is_void = all.iter().all(|source| source.found.contents().is_empty());
    Ok(if is_void { COULD_NOT_RUN } else { 0 })
}

/// A program whose output a trial can be exported as.
#[derive(Clone, Copy, ValueEnum)]
pub enum Program {
    /// What the iperf3 client prints
    Iperf3,
}

pub fn export(source: &Path, to: Program) -> Result<u8, Failure> {
    for trial in sources::evidence(&[source.to_owned()])? {
        let text = match to {
            Program::Iperf3 => export::iperf3(&trial.found),
        };
        let text = text.ok_or_else(|| format!("{}: no bulk data, so nothing that iperf3 would measure", trial.name))?;
        out!("{}", text.trim_end());
    }
    Ok(0)
}
