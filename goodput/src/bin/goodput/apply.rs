//! `apply` and `undo`.

use crate::card::APPLIED;
use crate::hosts::{PORT, SAMPLE_INTERVAL, SshArguments, seconds, target};
use crate::run::{agree, is_at_terminal};
use crate::{Failure, values, width};
use base::show;
use clap::Args;
use diagnosis::remedy::{At, Change, Remedy, Route, Typed, word, word_freebsd};
use evidence::{plain, unit};
use goodput::schema;
use hosts::apply::trial::{PAIRS, Tried, goodput_of, tried};
use hosts::apply::{self, ApplyRequest, Cause, Changed, End, Outcome, SECONDS, Undoing, Undone};
use hosts::login::agent::Load;
use hosts::login::{Shell, Target};
use hosts::probe::{self, Ends, Tool};
use prove::trials;
use prove::{ChangeRow, Verdict};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Change settings of a host, and put them back unless the change is confirmed
///
/// A change is a word as `diagnose`, `advise` and `prove` print it. goodput reads and saves the current settings,
/// starts a watchdog on the host, makes the change, reads the settings again, and confirms the change over a new
/// connection. If goodput is killed or the connection breaks before that, the watchdog puts everything back. `goodput
/// undo` does so at any later time.
///
/// With the folder of a proof, goodput makes the change that the proof recommends, measures without and with it in
/// turns, and keeps it only if goodput is better.
#[derive(Args)]
#[command(after_long_help = changes())]
pub struct Arguments {
    /// Changes such as net.ipv4.tcp_congestion_control=bbr or receive-buffer=64MiB; or the folder of a proof.
    #[arg(required = true, value_name = "CHANGE|PROOF")]
    what: Vec<String>,
    /// Host to change: localhost, netns:NAME, docker:NAME, jail:NAME, or an ssh destination.
    #[arg(long, value_name = "END", default_value = "localhost", value_parser = target)]
    host: Target,
    #[command(flatten)]
    ssh: SshArguments,
    /// End of the transfer that the host is: sender or receiver.
    #[arg(long, value_name = "END", default_value = "sender", value_parser = end)]
    at: ProofEnd,
    /// The other end of the path: goodput makes the transfers itself, as `goodput probe` does.
    ///
    /// Transfers go from the host to this end; with --at receiver, from this end to the host. The change is kept only
    /// if goodput is better.
    #[arg(long, value_name = "END", value_parser = target, conflicts_with_all = ["measure", "no_measure"])]
    to: Option<Target>,
    /// Address of that end, if it is not where ssh reaches it.
    #[arg(long, value_name = "ADDRESS", requires = "to")]
    address: Option<IpAddr>,
    /// Length of each transfer.
    #[arg(long, value_name = "TIME", default_value = "10s", requires = "to", value_parser = seconds, allow_hyphen_values = true)]
    time: Duration,
    /// Command that makes one transfer and prints it, e.g. "iperf3 -c HOST -J", or prints a rate as its last line.
    ///
    /// The command runs here, without and with the change in turns. The change is kept only if goodput is better.
    #[arg(long, value_name = "COMMAND", conflicts_with = "no_measure")]
    measure: Option<String>,
    /// Keep the change of a proof without measuring it.
    #[arg(long)]
    no_measure: bool,
    /// Number of measurements without the change, and with it.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = pairs, allow_hyphen_values = true)]
    pairs: usize,
    /// Put the change back if nobody confirms it within this time.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = within, allow_hyphen_values = true)]
    within: u64,
    /// Keep sysctls over a reboot: in /etc/sysctl.d/90-goodput.conf.
    #[arg(long)]
    keep: bool,
    /// Print the plain commands, and change nothing.
    #[arg(long)]
    dry_run: bool,
    /// Make the change of a proof that somebody else made. That person chose the change.
    #[arg(long)]
    allow_commands: bool,
    /// Print what was changed as JSON.
    #[arg(long)]
    json: bool,
    /// Folder on the host for the settings to put back.
    #[arg(long, value_name = "DIR", hide = true)]
    state: Option<String>,
}

/// Put back what `goodput apply` changed
///
/// A setting that somebody else has changed since is left as it is, and named.
#[derive(Args)]
pub struct UndoArguments {
    /// Host: localhost, netns:NAME, docker:NAME, jail:NAME, or an ssh destination.
    #[arg(value_name = "END", default_value = "localhost", value_parser = target, conflicts_with = "named")]
    host: Target,
    /// Host, as for `goodput apply`.
    #[arg(long = "host", id = "named", value_name = "END", value_parser = target)]
    named: Option<Target>,
    #[command(flatten)]
    ssh: SshArguments,
    /// Show what would be put back.
    #[arg(long)]
    dry_run: bool,
    /// Print it as JSON.
    #[arg(long)]
    json: bool,
    /// Folder on the host for the settings to put back.
    #[arg(long, value_name = "DIR", hide = true)]
    state: Option<String>,
}

/// Lists the accepted changes, for the end of the help.
fn changes() -> String {
    let line = |(form, more): &(&str, &str)| format!("  {form:30}  {more}").trim_end().to_owned();
    let forms: Vec<String> = word::FORMS.iter().chain(word_freebsd::FORMS).map(line).collect();
    format!("Changes:\n{}", forms.join("\n"))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProofEnd {
    Sender,
    Receiver,
}

impl ProofEnd {
    fn name(self) -> &'static str {
        if self == ProofEnd::Sender { "sender" } else { "receiver" }
    }

    fn other(self) -> ProofEnd {
        if self == ProofEnd::Sender { ProofEnd::Receiver } else { ProofEnd::Sender }
    }
}

fn end(text: &str) -> Result<ProofEnd, String> {
    let known = [ProofEnd::Sender, ProofEnd::Receiver];
    values::named(text, known.into_iter().map(|end| (end.name().to_owned(), end)))
}

fn within(text: &str) -> Result<u64, String> {
    let nanoseconds = unit::TIME.parse(text).map_err(values::words)?;
    let range = SECONDS.start() * 1_000_000_000..=SECONDS.end() * 1_000_000_000;
    match range.contains(&nanoseconds) {
        true => Ok(nanoseconds / 1_000_000_000),
        false => Err(values::words(unit::Wrong::new("is out of range").accepted(unit::TIME.show_range(&range)))),
    }
}

fn pairs(text: &str) -> Result<usize, String> {
    let accepted = || format!("is no number that fits\n  accepted: {} to {}", PAIRS.start(), PAIRS.end());
    text.parse().ok().filter(|number| PAIRS.contains(number)).ok_or_else(accepted)
}

/// Exit code if goodput measured the change and it is not better.
const NOT_BETTER: u8 = 1;
const INCONCLUSIVE: u8 = 3;

pub fn execute(arguments: &Arguments) -> Result<u8, Failure> {
    let proof = match arguments.what.as_slice() {
        [folder] if Path::new(folder).is_dir() => Some(of_proof(&PathBuf::from(folder), arguments)?),
        _ => None,
    };
    let words = proof.as_ref().map_or(&arguments.what, |proof| &proof.words);
    let wrong = |(word, wrong): (String, unit::Wrong)| wrong_word(&word, wrong);
    // Words that no system knows are refused before the host is asked anything.
    let guessed = apply::system_of(words);
    let remedies = apply::remedies(words, guessed).map_err(wrong)?;
    if arguments.dry_run && arguments.host == Target::Local {
        remedies.iter().for_each(|remedy| dry_run(remedy, arguments.keep));
        return Ok(0);
    }
    let is_measured = arguments.measure.is_some() || arguments.to.is_some();
    if proof.is_some() && !is_measured && !arguments.no_measure && !arguments.dry_run {
        let hint = "name the other end with --to, or the command that makes the transfer, as in --measure \"iperf3 -c HOST \
                    -J\"; --no-measure keeps the change untested";
        return Err(Failure(format!("how the transfer is measured is not said\n\nhint: {hint}")));
    }
    let shell = Shell::open(&arguments.host, &arguments.ssh.ssh())?;
    let system = apply::system(&shell)?;
    if arguments.dry_run {
        let remedies = apply::remedies(words, system).map_err(wrong)?;
        remedies.iter().for_each(|remedy| dry_run(remedy, arguments.keep));
        return Ok(0);
    }
    let changes = apply::asked(words, system).map_err(wrong)?;
    lines(&apply::recover(&shell, arguments.state.as_deref())?).iter().for_each(|line| note!("{line}"));
    let request =
        ApplyRequest { changes, seconds: arguments.within, keep: arguments.keep, state: arguments.state.clone() };
    if is_measured {
        return measured(&shell, &request, proof.as_ref(), arguments);
    }
    let (changed, outcome) = apply::apply(&shell, &request)?;
    print(&changed, &outcome, arguments)?;
    Ok(0)
}

fn wrong_word(word: &str, wrong: unit::Wrong) -> Failure {
    let word = plain::line(word).into_owned();
    Failure(format!("{word} {}", values::words(wrong)))
}

fn dry_run(remedy: &Remedy, keep: bool) {
    let steps = remedy.steps();
    remedy.word().iter().for_each(|word| out!("# {word}"));
    steps.now.iter().for_each(|command| out!("{command}"));
    if keep {
        for (file, line) in &steps.keep {
            out!("# keep in {}", file.path());
            file.line(line).lines().for_each(|line| out!("#   {line}"));
        }
    }
    steps.undo.iter().for_each(|command| out!("# undo: {command}"));
}

fn undo_command(host: &Target) -> String {
    match host {
        Target::Local => word::UNDO.into(),
        host => format!("goodput undo {host}"),
    }
}

fn print(changed: &[Changed], outcome: &Outcome, arguments: &Arguments) -> Result<(), Failure> {
    if arguments.json {
        out!("{}", crate::as_json(&schema::APPLY, &serde_json::json!({ "outcome": outcome, "changed": changed }))?);
        return Ok(());
    }
    for one in changed {
        let change = format!("{}: {} -> {}", one.change, nothing(&one.was), nothing(&one.new));
        out!("{}", show::hanging("", &plain::line(&change), width()).trim_end());
        one.kept.iter().for_each(|line| out!("  kept over a reboot: {}", plain::line(line)));
    }
    let undo = undo_command(&arguments.host);
    match outcome {
        Outcome::Nothing => out!("Nothing to change: it is so already."),
        Outcome::Applied => {
            let host = if arguments.host == Target::Local { "" } else { " over a new connection" };
            out!("Confirmed{host}. New connections use it. Undo: {undo}");
        }
        Outcome::PutBack => out!("Put back: everything is as it was."),
    }
    Ok(())
}

fn nothing(value: &str) -> &str {
    if value == "-" { "nothing" } else { value }
}

/// A change that a proof recommends for one of its ends.
struct OfProof {
    folder: PathBuf,
    words: Vec<String>,
    best: ChangeRow,
}

fn of_proof(folder: &Path, arguments: &Arguments) -> Result<OfProof, Failure> {
    let Some(folder) = trials::home(folder) else {
        let hint = "name the folder that `goodput prove` printed, or changes such as receive-buffer=64MiB";
        return Err(Failure(format!("{} is no proof\n\nhint: {hint}", plain::path(folder))));
    };
    let changed = trials::changed(&folder)?;
    if !changed.is_empty() {
        let what =
            format!("{} has been changed since `goodput prove` wrote it: {}", plain::path(&folder), changed.join(", "));
        return Err(Failure(format!(
            "{what}\n\nhint: run prove again with the evidence, or put back the files as they were"
        )));
    }
    let (verdict, is_own) = trials::kept_by(&folder)?;
    let verdict = verdict.in_lines();
    let Some(best) = verdict.best() else {
        let hint = "`goodput prove` with more evidence may find one";
        return Err(Failure(format!("this proof recommends no change\n\nhint: {hint}")));
    };
    let (own, other) = (arguments.at.name(), arguments.at.other());
    let (words, others) = (words_at(best, arguments.at), words_at(best, other));
    if words.is_empty() {
        let what = format!("\"{}\" changes nothing on the {own} that goodput can apply", best.name);
        let hint = match others.is_empty() {
            false => "name the other end: --at receiver, or --at sender",
            true => "its commands are in the proof: `goodput prove FOLDER`",
        };
        return Err(Failure(format!("{what}\n\nhint: {hint}")));
    }
    agreed(is_own, &words, &verdict, arguments)?;
    if !others.is_empty() {
        let end = other.name();
        note!("This is the {own}'s part. For the {end}'s: goodput apply {} --at {end}", plain::path(&folder));
    }
    Ok(OfProof { folder, words, best: best.clone() })
}

/// Shows the change of a proof from elsewhere and asks for agreement, as its sender chose it.
fn agreed(is_own: bool, words: &[String], verdict: &Verdict, arguments: &Arguments) -> Result<(), Failure> {
    if is_own || arguments.allow_commands {
        return Ok(());
    }
    note!("{} was made elsewhere, and asks for: {}", verdict.transfer, plain::line(&words.join(" ")));
    ways(words).iter().for_each(|way| note!("{}", show::hanging("  ", way, width()).trim_end()));
    if arguments.dry_run || is_at_terminal() && agree("Make this change? [y/N] ") {
        return Ok(());
    }
    let hint = "make a proof of your own with `goodput prove`, or pass --allow-commands";
    Err(Failure(format!("somebody else made this proof and chose its change\n\nhint: {hint}")))
}

/// Returns a sentence for each route that leads traffic another way, because whoever wrote the word chose that way.
fn ways(words: &[String]) -> Vec<String> {
    let route = |word: &String| match word::parse(word).or_else(|_| word_freebsd::parse(word)).ok()? {
        Change::Route { route, .. } => Some(route),
        _ => None,
    };
    let way = |route: Route| {
        let way = [("the gateway", route.via), ("the device", route.interface)];
        let way: Vec<String> = way.into_iter().filter_map(|(what, name)| Some(format!("{what} {}", name?))).collect();
        let traffic =
            if route.prefix == "default" { "all other traffic".into() } else { format!("traffic to {}", route.prefix) };
        (!way.is_empty()).then(|| {
            format!(
                "This sends {traffic} through {}, which whoever made the proof chose: a gateway can read and change it. `ip route get {}` shows the way that it takes now.",
                way.join(" and "),
                route.address
            )
        })
    };
    words.iter().filter_map(route).filter_map(way).collect()
}

/// Returns the changes of one end.
fn words_at(best: &ChangeRow, at: ProofEnd) -> Vec<String> {
    let own = if at == ProofEnd::Sender { At::Sender } else { At::Receiver };
    best.changes.iter().filter(|change| [own, At::Ends].contains(&change.at)).map(Typed::word).collect()
}

fn measured(
    shell: &Shell,
    request: &ApplyRequest,
    proof: Option<&OfProof>,
    arguments: &Arguments,
) -> Result<u8, Failure> {
    let result = tried(shell, request, arguments.pairs, |turn| -> Result<f64, Failure> {
        let printed = match (&arguments.to, &arguments.measure) {
            (Some(to), _) => own_transfer(to, arguments)?,
            (None, command) => transfer(command.as_deref().unwrap_or_default())?,
        };
        let goodput = goodput_of(&printed).ok_or_else(no_goodput)?;
        note!("{turn}: {}", show::rate(goodput));
        Ok(goodput)
    })?;
    let Some(tried) = result else {
        print(&[], &Outcome::Nothing, arguments)?;
        return Ok(0);
    };
    let sentence = tried.sentence();
    let Tried { changed, pairs, compared, outcome } = tried;
    let predicted = proof.map(|proof| proof.best.goodput());
    let all = serde_json::json!({
        "outcome": outcome, "changed": changed, "pairs": pairs, "compared": compared, "predicted": predicted
    });
    let all = crate::as_json(&schema::APPLY, &all)?;
    if let Some(proof) = proof {
        let file = proof.folder.join(APPLIED);
        let refused =
            |error| Failure(format!("the change is as said, but {} cannot be written: {error}", plain::path(&file)));
        base::output::file(&file, &(all.clone() + "\n")).map_err(refused)?;
    }
    let mean = |side: usize| pairs.iter().map(|pair| pair[side]).sum::<f64>() / pairs.len() as f64;
    if arguments.json {
        out!("{all}");
    } else {
        out!("Measured: {} without, {} with the change.", show::rate(mean(0)), show::rate(mean(1)));
        if let Some(proof) = proof {
            out!("{}", compare_with_prediction(&proof.best, mean(1)));
        }
        out!("{}", show::paragraph("", &sentence, width()).trim_end());
        print(&changed, &outcome, arguments)?;
    }
    Ok(match (compared.outcome.word(), outcome) {
        (_, Outcome::Applied) => 0,
        ("inconclusive", _) => INCONCLUSIVE,
        _ => NOT_BETTER,
    })
}

/// Compares the prediction with the outcome.
fn compare_with_prediction(best: &ChangeRow, goodput: f64) -> String {
    let [low, high] = best.goodput();
    let predicted = match best.is_open() {
        true => format!("{} or more", show::rate(low)),
        false => format!("{} to {}", show::rate(low), show::rate(high)),
    };
    let share = |of: f64| show::share((goodput / of - 1.0).abs());
    let came = match goodput {
        less if less < low => format!("{} below that", share(low)),
        more if more > high && !best.is_open() => format!("{} above that", share(high)),
        _ => "as predicted".into(),
    };
    format!("Predicted: {predicted}; measured {}: {came}.", show::rate(goodput))
}

/// Most bytes of a transfer that goodput makes itself.
const TRANSFER_BYTES: u64 = 2_500_000_000;

/// Makes a transfer between the host and the other end. Returns it as iperf3 would print it.
fn own_transfer(to: &Target, arguments: &Arguments) -> Result<Vec<u8>, Failure> {
    let ends = Ends {
        host: to.clone(),
        from: arguments.host.clone(),
        address: arguments.address,
        port: PORT,
        tool: Tool::Any,
        ssh: arguments.ssh.ssh(),
    };
    let load = Load { time: arguments.time, bytes: TRANSFER_BYTES, congestion: None, sample: SAMPLE_INTERVAL };
    Ok(probe::transfer(&ends, &load, arguments.at == ProofEnd::Sender)?.into_bytes())
}

/// Returns the output of one transfer.
fn transfer(command: &str) -> Result<Vec<u8>, Failure> {
    let ran = Command::new("sh").args(["-c", command]).stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let ran = ran.map_err(|error| Failure(format!("cannot start sh: {error}")))?;
    if !ran.status.success() {
        let hint = "run it by hand; everything is as it was";
        return Err(Failure(format!("`{}` failed with {}\n\nhint: {hint}", plain::line(command), ran.status)));
    }
    Ok(ran.stdout)
}

fn no_goodput() -> Failure {
    let hint = "let it print iperf3's output, best with -J, or a rate such as 94.1 Mbit/s in its last line";
    Failure(format!("the transfer printed no goodput\n\nhint: {hint}; everything is as it was"))
}

pub fn undo(arguments: &UndoArguments) -> Result<u8, Failure> {
    let host = arguments.named.as_ref().unwrap_or(&arguments.host);
    let shell = Shell::open(host, &arguments.ssh.ssh())?;
    let all = apply::undo(&shell, arguments.state.as_deref(), arguments.dry_run)?;
    if arguments.json {
        out!("{}", crate::as_json(&schema::UNDO, &all)?);
    } else if all == Undoing::default() {
        out!("Nothing to undo: goodput has changed nothing here, or it is undone.");
    } else {
        lines(&all).iter().for_each(|line| out!("{line}"));
    }
    let stuck = all.settings.iter().any(|one| matches!(one.end, End::Stuck(_)));
    Ok(if stuck { crate::COULD_NOT_RUN } else { 0 })
}

/// Says what became of changes: interrupted ones first, then what watchdogs did, then those that were confirmed.
fn lines(all: &Undoing) -> Vec<String> {
    let mut lines = vec![];
    for (cause, head) in [
        (Cause::Interrupted, "A change was interrupted with everything that could have put it back:"),
        (Cause::Watchdog, "The watchdog has put back a change that nobody confirmed:"),
        (Cause::Applied, ""),
    ] {
        let own: Vec<String> = all.settings.iter().filter(|one| one.cause == cause).map(outcome_of).collect();
        lines.extend((!own.is_empty() && !head.is_empty()).then(|| head.to_owned()));
        lines.extend(own);
    }
    if !all.differs.is_empty() {
        lines.push("The host differs from its state before (- is missing, + is new):".into());
        lines.extend(all.differs.iter().map(|line| plain::line(line).into_owned()));
    }
    lines.into_iter().map(|line| show::hanging("", &line, width()).trim_end().to_owned()).collect()
}

fn outcome_of(one: &Undone) -> String {
    let Undone { setting, now, was, end, .. } = one;
    let (now, was) = (nothing(now), nothing(was));
    let text = match end {
        End::Ours => format!("{setting}: {now} -> {was}"),
        End::PutBack => format!("{setting}: back to {was}"),
        End::Left(value) if nothing(value) == was => format!("{setting}: it is {was}, as before"),
        End::Left(value) => format!("{setting}: left at {}, which somebody else has set; it was {was}", nothing(value)),
        End::Stuck(why) => format!("{setting}: NOT put back, still {now}; it was {was}: {why}"),
        End::Rebooted => format!("{setting}: gone with the last reboot, or with its network namespace"),
    };
    plain::line(&text).into_owned()
}
