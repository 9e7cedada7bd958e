//! `diagnose`, `explain`, `import` and `export`.

use crate::{COULD_NOT_RUN, Failure, width};
use clap::{Args, ValueEnum};
use evidence::unit::{self, Kind};
use evidence::{Evidence, plain};
use goodput::diagnose::{self, Diagnosis, Given, RULES, Severity, Style};
use goodput::export;
use goodput::sources::{self, Source};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Arguments {
    /// Saved output of iperf3, ss, sysctl, …; pcap or pcapng files; run folders; `-` for standard input.
    ///
    /// Also reads iperf, ethtool, ip, ifconfig, netstat, ping, tracepath and siftr, alone or all in one file, as in a
    /// ticket or a blog post. RUN is the folder of a lab run, RUN:N is its trial N. Files given together are taken as
    /// evidence of one case.
    #[arg(required = true, value_name = "FILE|RUN")]
    sources: Vec<PathBuf>,
    /// Expected rate of the link, e.g. 1Gbit/s.
    ///
    /// Without it goodput cannot tell whether the path is slow at all.
    #[arg(long, value_name = "RATE", value_parser = |text: &str| quantity(text, &unit::RATE, 1.0))]
    rate: Option<f64>,
    /// RTT of the idle path, e.g. 210ms.
    ///
    /// Overrides what ping and TCP say in the evidence.
    #[arg(long, value_name = "TIME", value_parser = |text: &str| quantity(text, &unit::TIME, 1e-9))]
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

pub fn quantity(text: &str, kind: &'static Kind, grain: f64) -> Result<f64, String> {
    let value = kind.parse(text).map_err(|wrong| [vec![wrong.what], wrong.notes].concat().join("; "))?;
    if value > 0 { Ok(value as f64 * grain) } else { Err("is 0, and has to be more".into()) }
}

pub fn execute(arguments: Arguments) -> Result<u8, Failure> {
    let given = Given { rate: arguments.rate, rtt: arguments.rtt };
    let mut diagnoses = vec![];
    for evidence in sources::evidence(&arguments.sources)? {
        let diagnosis = diagnose::diagnose(&evidence.found, given);
        diagnoses.push((evidence.name, diagnosis));
    }
    if arguments.json {
        let all: Vec<_> = diagnoses.iter().map(|(name, d)| serde_json::json!({ "of": name, "diagnosis": d })).collect();
        out!("{}", crate::as_json(&all)?);
    } else {
        let style = Style { width: width(), verbose: arguments.verbose };
        for (number, (name, diagnosis)) in diagnoses.iter().enumerate() {
            if diagnoses.len() > 1 {
                out!("{}{}\n", if number > 0 { "\n" } else { "" }, plain::line(name));
            }
            out!("{}", diagnose::page(diagnosis, style).trim_end());
        }
    }
    if diagnoses.iter().all(|(_, diagnosis)| diagnosis.read.is_empty()) {
        return Ok(COULD_NOT_RUN);
    }
    let fails = |diagnosis: &Diagnosis| match arguments.fail_on {
        Some(FailOn::Problem) => diagnosis.findings.iter().any(|f| f.severity == Severity::Problem),
        Some(FailOn::Note) => !diagnosis.findings.is_empty(),
        None => false,
    };
    Ok(u8::from(diagnoses.iter().any(|(_, diagnosis)| fails(diagnosis))))
}

pub fn explain(name: Option<&str>) -> Result<u8, Failure> {
    let Some(name) = name else {
        let width = RULES.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
        RULES.iter().for_each(|rule| out!("{:width$}  {}", rule.name, rule.title));
        return Ok(0);
    };
    let Some(rule) = RULES.iter().find(|rule| rule.name == name) else {
        let names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
        let text = format!("no rule {name}\n\naccepted: {}", names.join(", "));
        return Err(Failure(text));
    };
    out!("{}", diagnose::explain(rule, width()).trim_end());
    Ok(0)
}

pub fn import(sources: &[PathBuf], json: bool) -> Result<u8, Failure> {
    let all: Vec<Source> = sources::evidence(sources)?;
    if json {
        let found: Vec<&Evidence> = all.iter().map(|source| &source.found).collect();
        out!("{}", crate::as_json(&found)?);
        return Ok(0);
    }
    for source in &all {
        out!("{}", sources::page(&source.found, width()).trim_end());
    }
    Ok(0)
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
