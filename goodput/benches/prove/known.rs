//! Listings of paths that are known, and the founding documents, as a table of docs/prove.md.

use super::goodput;
use base::show;
use prove::trials;
use prove::{Explanation, Verdict};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Output of a real iperf3 or ss on paths of scripts/real-programs, and the path's settings.
const REAL: &[(&str, &str)] = &[
    ("rmem-0.json", "receive buffer 87,380 B; line 20 Mbit/s"),
    ("rmem-0.ss", "the same"),
    ("wmem-0.json", "send buffer 100,000 B; line 20 Mbit/s"),
    ("window-0.text", "`-w 64K`; line 30 Mbit/s"),
    ("cap-0.text", "`-b 5M`; line 30 Mbit/s"),
    ("policer-0.text", "policer 10 Mbit/s, 40 kB; line 50 Mbit/s"),
    ("loss-0.json", "loss 1 %; line 30 Mbit/s"),
    ("two-0.json", "loss 0.5 % and receive buffer 65,536 B; line 40 Mbit/s"),
    ("full-0.json", "line 20 Mbit/s, queue 1 BDP"),
    ("full-deep-0.json", "line 20 Mbit/s, queue 4 BDP"),
    ("outage-0.json", "outage of 3 s; line 20 Mbit/s"),
    ("reorder-0.json", "jitter of 5 ms that reorders; line 30 Mbit/s"),
    ("black-hole-0.text", "MTU 1400 behind a router that tells nobody; line 20 Mbit/s"),
    ("full-streams-0.json", "`-P 4`; line 20 Mbit/s"),
];
const FOUNDING: &[&str] =
    &["hong-kong-new-york", "ipsec-tunnel", "lro-jail", "mss-sweep", "rate-cap-cubic", "rate-cap-dctcp"];

/// The listing whose author states the RTT and the rate of the line.
const HONG_KONG: &str = "hong-kong-new-york.txt";

/// Proves all of them and prints a row for each.
pub fn table() -> ExitCode {
    println!("| listing | true | explained by | distance | first change | trials |\n|---|---|---|---|---|---|");
    let mut all_well = true;
    for (listing, true_of) in listings() {
        let name = listing.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let row = row(&listing);
        all_well &= row.is_ok();
        println!("| `{name}` | {true_of} | {} |", row.unwrap_or_else(|error| format!("failed: {error}")));
    }
    if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The files, and the settings of their paths.
pub fn listings() -> Vec<(PathBuf, &'static str)> {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let real = REAL.iter().map(|(name, held)| (root.join("goodput/tests/it/diagnose/real").join(name), *held));
    let founding = FOUNDING.iter().map(|name| (root.join(format!("examples/listings/{name}.txt")), ""));
    real.chain(founding).collect()
}

fn row(listing: &Path) -> Result<String, String> {
    let name = listing.file_name().unwrap_or_default();
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("prove-known").join(name);
    let mut command = Command::new(goodput());
    command.arg("prove").arg(listing).arg("--out").arg(&out).args(["--jobs", "1"]).stdin(Stdio::null());
    if name == HONG_KONG {
        command.args(["--rtt", "210ms", "--rate", "1Gbit/s"]);
    }
    let done = command.output().map_err(|error| error.to_string())?;
    if trials::is_kept(&out) {
        return Ok(cells(&trials::kept(&out).map_err(|error| error.to_string())?));
    }
    let page = String::from_utf8_lossy(&done.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    match page.strip_prefix("Not proven as one transfer: ").and_then(|rest| rest.split(". ").next()) {
        Some(why) => Ok(format!("handed over to the diagnosis: {} | | | 0", why.rsplit(": ").next().unwrap_or(why))),
        None => Err(String::from_utf8_lossy(&done.stderr).lines().last().unwrap_or("no word").to_owned()),
    }
}

fn cells(verdict: &Verdict) -> String {
    let each = |of: &dyn Fn(&Explanation) -> String| verdict.explanations.iter().map(of).collect::<Vec<_>>().join("; ");
    let explained = match verdict.explanations.is_empty() {
        true => "not reproduced".to_owned(),
        false => each(&|one| format!("{} ({})", one.name, one.candidate.described())),
    };
    let distance = each(&|one| format!("{:.2}", one.fit.d));
    let change = verdict.best().map_or("none helps".to_owned(), |best| {
        let [low, high] = best.goodput().map(show::rate);
        let till = if best.is_open() { " or more".to_owned() } else { format!(" to {high}") };
        format!("{}: {low}{till} of {}", best.name, show::rate(verdict.goodput))
    });
    format!("{explained} | {distance} | {change} | {}", verdict.trials)
}
