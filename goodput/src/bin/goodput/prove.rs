//! `prove`.

use crate::run::{agree, is_at_terminal};
use crate::{Failure, Jobs, facts, note_width, values, width};
use analysis::sources::{self, Source};
use base::show;
use clap::Args;
use diagnosis::diagnose::{self, Diagnosis, Given, Style};
use evidence::{Evidence, Sweep, System, plain};
use goodput::schema;
use lab::engine::Refusal as Refused;
use lab::kernel;
use lab::trust;
use prove::trials;
use prove::trials::Asked;
use prove::{self, Case, ChangePlace, HOW_TO_MEASURE, Mechanism, ProveRequest, Refusal, Verdict};
use std::cell::LazyCell;
use std::path::{Path, PathBuf};
use suspicion::facts as case;
use suspicion::formula::Interval;
use suspicion::trials::Lab;
use suspicion::{Answer, Question};

/// Find the mechanism that reproduces a slow transfer in the lab, and the change that helps
///
/// Reads the evidence of one TCP transfer, as `diagnose` does: best `iperf3 -J` and a ping. goodput runs each
/// mechanism that could be the cause as an experiment in the lab. Mechanisms that reproduce the transfer, within the
/// variation between seeds, explain it. Then goodput tries each change on all of them. The folder keeps the
/// experiments.
#[derive(Args)]
pub struct Arguments {
    /// Saved output of iperf3, ping, ss, sysctl, …; files of facts; `-` for standard input; the folder of a probe; or the folder of an
    /// earlier proof, to show it.
    #[arg(required = true, value_name = "FILE|DIR|-")]
    sources: Vec<PathBuf>,
    /// Output saved on the sender: its settings, interfaces, routes.
    #[arg(long, value_name = "FILE")]
    sender: Vec<PathBuf>,
    /// Output saved on the receiver.
    #[arg(long, value_name = "FILE")]
    receiver: Vec<PathBuf>,
    /// Rate of the bottleneck link, e.g. 1Gbit/s.
    ///
    /// Without it, a prediction has no upper end unless the evidence shows a queue.
    #[arg(long, value_name = "RATE", value_parser = values::rate, allow_hyphen_values = true)]
    rate: Option<f64>,
    /// RTT of the idle path, e.g. 210ms.
    #[arg(long, value_name = "TIME", value_parser = values::rtt, allow_hyphen_values = true)]
    rtt: Option<f64>,
    /// Places that may be changed: sender, receiver, path.
    #[arg(long, value_name = "PLACES", value_delimiter = ',', default_value = "sender,receiver", value_parser = place)]
    may: Vec<ChangePlace>,
    /// Also show the goodput of a competing flow with this congestion control: now, after the change, and if both
    /// change; e.g. cubic.
    #[arg(long, value_name = "CONTROL")]
    neighbour: Option<String>,
    /// Test whether this mechanism alone explains the transfer, e.g. random-loss, receive-window.
    #[arg(long, value_name = "MECHANISM", value_parser = mechanism)]
    only: Vec<Mechanism>,
    /// Add evidence to the proof in DIR, without repeating its trials.
    ///
    /// --rate and --rtt with DIR do the same.
    #[arg(long, value_name = "FILE")]
    add: Vec<PathBuf>,
    /// Approximate time on two cores.
    ///
    /// The budget counts the computed cost of trials, so the answer is the same on every machine.
    #[arg(long, value_name = "TIME", default_value = "2min", value_parser = values::budget, allow_hyphen_values = true)]
    budget: f64,
    /// Folder for the proof [default: runs/prove-NAME-HASH].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the commands of a proof that somebody else made. That person wrote the commands.
    #[arg(long)]
    allow_commands: bool,
    #[command(flatten)]
    jobs: Jobs,
    /// Print the verdict as JSON.
    ///
    /// If the lab cannot try the transfer, prints the diagnosis, as `diagnose --json` does.
    #[arg(long)]
    json: bool,
}

fn place(text: &str) -> Result<ChangePlace, String> {
    values::named(text, ChangePlace::ALL.iter().map(|(name, place)| (name.to_string(), *place)))
}

fn mechanism(text: &str) -> Result<Mechanism, String> {
    let name = |kind: Mechanism| kind.name().replace(' ', "-").to_lowercase();
    values::named(text, Mechanism::ALL.into_iter().map(|kind| (name(kind), kind)))
}

pub fn execute(arguments: Arguments) -> Result<u8, Failure> {
    let kept = match arguments.sources.as_slice() {
        [folder] => trials::home(folder),
        _ => None,
    };
    let is_more = !arguments.add.is_empty() || arguments.rate.is_some() || arguments.rtt.is_some();
    let (asked, before, folder) = match kept {
        Some(folder) if !is_more => {
            let (verdict, is_own) = trials::kept_by(&folder)?;
            let edits = trials::edits(&folder)?;
            if !edits.is_empty() {
                let what = format!("{}. The page is of the experiments as the proof wrote them.", edits.join("; "));
                note!("{}", show::paragraph("Edited since: ", &what, note_width()).trim_end());
            }
            return print(if is_own { verdict } else { elsewhere(verdict, &arguments) }, &folder, arguments.json);
        }
        Some(folder) => {
            let before = trials::kept(&folder)?.explanations.into_iter().map(|one| one.name).collect();
            (with_more(trials::asked(&folder)?, &folder, &arguments)?, before, Some(folder))
        }
        None if !arguments.add.is_empty() => {
            let first = arguments.sources[0].display();
            let what = format!("--add goes on with a proof, and {first} is none");
            return Err(Failure(format!("{what}\n\nhint: give all files at once, or the folder of a proof first")));
        }
        None => (asked(&arguments), vec![], arguments.out.clone()),
    };
    // If this fails, goodput asks again when evidence is added.
    let _ = trust::remember_evidence(&asked.files());
    let Read { mut all, given, stated } = evidence(&asked)?;
    if let Some(slower) = sources::slower(&all) {
        all = vec![all.swap_remove(slower)];
        note!("Of the probe's directions the slower that was measured: {}.", plain::line(&all[0].name));
    }
    if all.len() > 1 {
        return Err(Failure(format!("{} cases in it, and prove takes one\n\nhint: name a trial as RUN:N", all.len())));
    }
    let Some(source) = all.pop() else { return Err(Failure("nothing to read".into())) };
    if !source.apart.is_empty() {
        let what = format!("not of one path, and prove takes one: {}", source.apart.join("; "));
        return Err(Failure(format!("{what}\n\nhint: {ONE_PATH}")));
    }
    if let Some(lacks) = &source.lacks {
        note!("{}", show::paragraph("Not whole: ", &plain::line(lacks), note_width()).trim_end());
    }
    match source.found.contents() {
        none if none.is_empty() => note!("{}", show::unread(&source.found.unread, width()).trim_end()),
        contents => note!("Read: {}.", contents.join(", ")),
    }
    let diagnosis = diagnose::diagnose(&source.found, given);
    if !diagnosis.in_vain.is_empty() {
        note!("Nothing recognized in: {}.", diagnosis.in_vain.join(", "));
    }
    let side_by_side = LazyCell::new(|| side_by_side(stated, &source, given));
    let compared = || side_by_side.as_ref().map(|case| comparison(case, &source.found, &arguments)).transpose();
    let hand_over = |refusal: &Refusal| {
        let compared = compared()?;
        handed_over(refusal, &source.name, &diagnosis, compared.as_ref(), arguments.json)
    };
    let case = match Case::from_evidence(&source.found, given) {
        Ok(case) => case,
        Err(refusal) => return hand_over(&refusal),
    };
    if case.instrument.total && asked.request.only.is_empty() && side_by_side.is_some() {
        let why = "it printed totals alone, which much fits, and another run of the same document is far faster";
        return hand_over(&Refusal { why: why.into(), hint: HOW_TO_MEASURE.into() });
    }
    let named = case.systems.any_freebsd().then_some(prove::FREEBSD_KERNEL);
    let kernel = match kernel::find(named) {
        Err(_) if named.is_some() => return hand_over(&no_freebsd_kernel()),
        found => found.map_err(|error| Failure(error.to_string()))?,
    };
    // No trial of the search would boot.
    if !kernel.is_current() {
        return Err(Refused::Stale { names: kernel.names.join(", "), again: kernel.again() }.into());
    }
    let (version, controls) = match &kernel.freebsd {
        Some(stack) if case.systems.sender == System::FreeBsd => (&stack.version, &stack.congestion_controls),
        _ => (&kernel.version, &kernel.congestion_controls),
    };
    if let Some(control) = &asked.request.neighbour {
        let known = controls.iter().map(|name| (name.clone(), ()));
        values::named(control, known).map_err(|wrong| Failure(format!("--neighbour {control}: {wrong}")))?;
    }
    let mut case = match case.with_controls(controls) {
        Ok(case) => case,
        Err(refusal) => return hand_over(&refusal),
    };
    case.notes.extend(prove::other_kernel(&source.found, case.systems.sender, version));
    let folder = folder.unwrap_or_else(|| trials::folder(&asked.sources[0], &case, &asked.request));
    let jobs = arguments.jobs.number();
    let verdict = trials::prove(&case, &source.found, &asked, before, &folder, jobs, note_width())?;
    let is_reproduced = !verdict.explanations.is_empty();
    let code = print(verdict, &folder, arguments.json)?;
    if is_reproduced || arguments.json {
        return Ok(code);
    }
    // What differs between runs may decide what one of them leaves open.
    let Some(compared) = compared()? else { return Ok(code) };
    print_side_by_side(&compared);
    Ok(if compared.names_one() { 0 } else { code })
}

/// Refuses FreeBSD's transfers where no guest kernel has its stack.
fn no_freebsd_kernel() -> Refusal {
    let name = prove::FREEBSD_KERNEL;
    Refusal {
        why: format!("a host runs FreeBSD, and no guest kernel here is called {name}"),
        hint: format!("`goodput kernel add {name} --freebsd TREE` builds one from FreeBSD's sources (docs/freebsd.md)"),
    }
}

/// What the files say.
struct Read {
    all: Vec<Source>,
    given: Given,
    /// Facts that files of facts state.
    stated: case::Case,
}

/// Reads the evidence. Facts beside listings state the path; facts alone are a case of their own.
fn evidence(asked: &Asked) -> Result<Read, Failure> {
    let (stated, listings) = facts::stated(&asked.sources)?;
    let of_ends = sources::of_ends(&asked.sender, &asked.receiver);
    let mut all = sources::evidence_with(&listings, &of_ends)?;
    let stated = stated.unwrap_or_default();
    let of_path = |name| stated.path.number(name).map(Interval::middle);
    let given = Given { rate: asked.rate.or(of_path("rate")), rtt: asked.rtt.or(of_path("rtt")) };
    if listings.is_empty() && !stated.runs.is_empty() {
        let name = asked.sources[0].display().to_string();
        let stated = case::as_evidence(&stated, &name);
        match all.first_mut() {
            Some(of_ends) => {
                of_ends.found.connections.extend(stated.connections);
                of_ends.found.sums.extend(stated.sums);
                of_ends.found.hosts.extend(stated.hosts);
            }
            None => all.push(Source { name, found: stated, trial: None, apart: vec![], lacks: None }),
        }
    }
    Ok(Read { all, given, stated })
}

/// Share of the time for a proof that a comparison of runs takes.
const COMPARISON_SHARE: f64 = 0.5;

/// Tests every cause against several runs. The lab needs a kernel; without one arithmetic answers.
fn comparison(case: &case::Case, evidence: &Evidence, arguments: &Arguments) -> Result<Answer, Failure> {
    let has_kernel = kernel::find_current(None).is_some();
    let mut lab = has_kernel.then(|| Lab::open(arguments.jobs.number(), None, note_width())).transpose()?;
    let budget = if has_kernel { COMPARISON_SHARE * arguments.budget } else { 0.0 };
    let question = Question { templates: suspicion::built_in(), fixes: fixes(evidence), budget };
    Ok(suspicion::test(case, &question, lab.as_mut())?)
}

/// Returns the runs that are stated, or else those that were read, if one is slower than another: a sweep, or runs that
/// differ.
fn side_by_side(mut case: case::Case, source: &Source, given: Given) -> Option<case::Case> {
    if case.runs.is_empty() {
        case.add(case::of_evidence(&source.found));
    }
    let is_slower = !facts::differences(&case).contrasts.is_empty();
    case.state("rate", given.rate);
    case.state("rtt", given.rtt);
    is_slower.then_some(case)
}

/// Returns the changes to predict for a sweep over lengths: the last segment that passes below the slow ones.
fn fixes(evidence: &Evidence) -> Vec<(String, case::Facts)> {
    let below = |sweep: &Sweep| {
        let slow = sweep.points.iter().map(|point| point.1).reduce(f64::min)?;
        let pair = sweep.points.windows(2).find(|pair| pair[1].1 <= slow && pair[0].1 > SLOW_RATIO * slow)?;
        let text = format!("{} B", pair[0].0);
        let key = case::Key::find("mss").filter(|_| sweep.mss)?;
        Some((format!("mss={text}"), case::setting(key, &text).ok()?))
    };
    evidence.sweeps.iter().filter_map(below).collect()
}

/// A length of a sweep is slow if its neighbour gets this many times as much.
const SLOW_RATIO: f64 = 5.0;

fn asked(arguments: &Arguments) -> Asked {
    let request = ProveRequest {
        places: arguments.may.clone(),
        budget: arguments.budget,
        neighbour: arguments.neighbour.clone(),
        only: arguments.only.clone(),
    };
    let Arguments { sources, sender, receiver, rate, rtt, .. } = arguments;
    let [sources, sender, receiver] = [sources, sender, receiver].map(Clone::clone);
    Asked { sources, sender, receiver, rate: *rate, rtt: *rtt, request }
}

/// Returns the request for a proof with more evidence. An added file that the proof already has is not read twice.
/// Files that only a folder from elsewhere names are not read without asking.
fn with_more(asked: Asked, folder: &Path, arguments: &Arguments) -> Result<Asked, Failure> {
    // A pipe or a device can be read only once.
    let gone = |path: &&PathBuf| path.as_os_str() == "-" || !sources::is_there(path);
    let files = asked.files();
    if let Some(source) = files.iter().find(gone) {
        let what = format!("the proof was made from {}, which is not there to be read again", plain::path(source));
        return Err(Failure(format!("{what}\n\nhint: prove anew, with all files at once")));
    }
    if !trust::knows_evidence(&files) {
        let names: Vec<String> = files.iter().map(|path| format!("  {}", plain::path(path))).collect();
        let what =
            format!("{} names files that you have not given to prove before:\n{}", folder.display(), names.join("\n"));
        let is_agreed = is_at_terminal() && {
            note!("{what}");
            agree("Read them? [y/N] ")
        };
        if !is_agreed {
            let hint = "give prove the files that you have, all at once";
            return Err(Failure(format!("{what}\n\nhint: {hint}")));
        }
    }
    note!("Read again: {}.", files.iter().map(|path| plain::path(path)).collect::<Vec<_>>().join(", "));
    let new = arguments.add.iter().filter(|file| !files.contains(file)).cloned();
    Ok(Asked {
        sources: asked.sources.iter().cloned().chain(new).collect(),
        rate: arguments.rate.or(asked.rate),
        rtt: arguments.rtt.or(asked.rtt),
        ..asked
    })
}

/// Prints the diagnosis of evidence that is not one transfer to reproduce, and what its runs say side by side; as JSON, in
/// the form of `diagnose`.
fn handed_over(
    refusal: &Refusal,
    name: &str,
    diagnosis: &Diagnosis,
    compared: Option<&Answer>,
    json: bool,
) -> Result<u8, Failure> {
    let Refusal { why, hint } = refusal;
    let is_silent = compared.is_none() && diagnosis.is_void();
    if is_silent || compared.is_none() && diagnosis.findings.is_empty() && diagnosis.speed.is_none() {
        return Err(Failure(format!("cannot be reproduced: {why}\n\nhint: {hint}")));
    }
    let instead = match compared {
        None => "What follows is from `goodput diagnose` alone: no trial was run.",
        Some(_) => "What follows is from `goodput diagnose`, and from `goodput test` of its runs side by side.",
    };
    let not_tried = show::paragraph("Not proven as one transfer: ", &format!("{why}. {instead}"), width());
    let code = if compared.is_some_and(Answer::names_one) { 0 } else { NOT_REPRODUCED };
    if json {
        note!("{}", not_tried.trim_end());
        let mut case = serde_json::json!({ "of": name, "diagnosis": diagnosis });
        if let Some(compared) = compared {
            case["test"] = serde_json::json!(compared);
        }
        out!("{}", crate::as_json(&schema::DIAGNOSE, &serde_json::json!({ "cases": [case] }))?);
        return Ok(code);
    }
    out!("{not_tried}");
    out!("{}", diagnose::page(diagnosis, Style { width: width(), verbose: false }).trim_end());
    compared.into_iter().for_each(print_side_by_side);
    out!("\n{}", show::paragraph("To prove it: ", &format!("{hint}."), width()).trim_end());
    Ok(code)
}

fn print_side_by_side(compared: &Answer) {
    out!("\nSide by side\n\n{}", suspicion::page(compared, width()).trim_end());
}

/// Returns the verdict of a proof that this user's goodput did not make. Its sender wrote its commands, so they are
/// shown and asked about before goodput prints them as advice.
fn elsewhere(verdict: Verdict, arguments: &Arguments) -> Verdict {
    let verdict = verdict.in_lines();
    let commands = verdict.commands();
    if arguments.allow_commands {
        note!("{}", show::paragraph("Made elsewhere: ", "somebody else wrote its text and its commands.", width()));
        return verdict;
    }
    if is_at_terminal() && !arguments.json && !commands.is_empty() {
        note!("This proof was made elsewhere. Whoever sent it wrote these commands:");
        commands.iter().for_each(|command| note!("  {}", plain::line(command)));
        if agree("Print them as its remedy? [y/N] ") {
            return verdict;
        }
    }
    note!("{}", show::paragraph("Not of this goodput: ", WITHHELD_NOTE, width()));
    verdict.without_commands()
}

const WITHHELD_NOTE: &str = "its verdict.json was changed, or somebody else's goodput wrote it, and its figures may be false. Its \
     commands are left out. \
     `goodput prove` with the evidence makes a proof of your own; --allow-commands prints what was sent.";

fn print(verdict: Verdict, folder: &Path, json: bool) -> Result<u8, Failure> {
    if json {
        out!("{}", crate::as_json(&schema::PROVE, &verdict)?);
    } else {
        out!("{}", prove::page(&verdict, width()).trim_end());
        out!(
            "\n{}",
            show::paragraph(
                "Proof: ",
                &format!(
                    "{}/proof, one experiment for each way the path may be; each holds each change against what is predicted of that \
                     way alone",
                    folder.display()
                ),
                width()
            )
            .trim_end()
        );
        let report = format!("{}/proof/report.html", plain::path(folder));
        out!("{}", show::paragraph("Report: ", &report, width()).trim_end());
        if !verdict.explanations.is_empty() {
            out!("Confirm: goodput run {}/proof/1a-*.toml --seeds {CHECK_SEEDS}", plain::word(folder));
        }
    }
    Ok(if verdict.explanations.is_empty() { NOT_REPRODUCED } else { 0 })
}

/// Hint for files that differ but may describe one path: goodput takes one file for one path.
const ONE_PATH: &str = "give the files of each path to a `goodput prove` of their own; if they are of one path all the same, \
                        `cat` them into one file";

/// Seeds that no proof uses.
const CHECK_SEEDS: &str = "201..210";

/// Exit code, the same as for an inconclusive result.
const NOT_REPRODUCED: u8 = 3;
