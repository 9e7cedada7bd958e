//! First finding of the diagnosis against the router's settings.

use super::{files, name, unpacked};
use analysis::sources;
use diagnosis::diagnose::{self, Confidence, Diagnosis, Given};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Behaviour of a router, and the correct rules for it.
const RIGHT: &[(&str, &[&str])] = &[
    ("policer", &["policer"]),
    ("policer-xt", &["policer"]),
    ("shaper", &["bufferbloat", "shallow-buffer", "rate-cap"]),
    ("loss", &["loss-response"]),
];

/// Rules whose commands do no harm behind these routers.
const HARMLESS: &[&str] = &["policer", "bufferbloat", "shallow-buffer", "rate-cap", "loss-response", "timeouts"];

/// A row of labels.csv.
struct Router<'a> {
    does: &'a str,
    /// bit/s.
    rate: &'a str,
    /// Size of the bucket or the queue, bytes; empty for the router's default.
    holds: &'a str,
}

impl<'a> Router<'a> {
    /// Reads the row of a capture.
    fn of(row: &'a str) -> Option<(&'a str, Router<'a>)> {
        let [capture, does, rate, holds, ..] = row.split(',').collect::<Vec<_>>()[..] else { return None };
        Some((capture, Router { does, rate, holds }))
    }
}

#[derive(Default)]
struct Tally {
    captures: usize,
    first: usize,
    silent: usize,
    other: usize,
    harmful: usize,
    policers: usize,
    sure: [usize; 2],
}

/// Prints both tables. True if nine of ten policers are the first finding and nothing else is called a policer.
pub fn holds(folder: &Path) -> io::Result<bool> {
    let labels = fs::read_to_string(folder.join("labels.csv"))?;
    let known: BTreeMap<&str, Router> = labels.lines().filter_map(Router::of).collect();
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    println!(
        "| capture | first | confidence | says | router: bit/s, bytes | token bucket, fitted |\n|---|---|---|---|---|---|"
    );
    for path in files(folder, "xz")? {
        let file = name(&path);
        let Some(router) = known.get(file.as_str()) else { continue };
        let mut plain = tempfile::Builder::new().suffix(".pcap").tempfile()?;
        plain.write_all(&unpacked(&path, "xz")?)?;
        let read = sources::evidence(&[plain.path().to_path_buf()]).map_err(io::Error::other)?;
        let found = diagnose::diagnose(&read[0].found, Given::default());
        count(tallies.entry(router.does).or_default(), router, &file, &found);
    }
    println!(
        "\n| router | captures | named first | nothing found | other first | called a policer | harmful | high confidence: right of |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (cause, t) in &tallies {
        println!(
            "| {cause} | {} | {} | {} | {} | {} | {} | {} of {} |",
            t.captures, t.first, t.silent, t.other, t.policers, t.harmful, t.sure[0], t.sure[1]
        );
    }
    let harmful: usize = tallies.values().map(|tally| tally.harmful).sum();
    let hit = tallies.get("policer").is_some_and(|tally| tally.first * 10 >= (tally.captures - tally.silent) * 9);
    let wrong: usize =
        ["shaper", "loss"].iter().filter_map(|cause| tallies.get(cause)).map(|tally| tally.policers).sum();
    Ok(hit && wrong == 0 && harmful == 0)
}

fn count(tally: &mut Tally, router: &Router, file: &str, found: &Diagnosis) {
    let right = RIGHT.iter().find(|(known, _)| *known == router.does).map_or(&[][..], |(_, right)| right);
    tally.captures += 1;
    tally.policers += usize::from(found.findings.iter().any(|finding| finding.rule == "policer"));
    tally.harmful += usize::from(found.findings.iter().any(|finding| {
        !finding.remedies.is_empty()
            && (!HARMLESS.contains(&finding.rule) || finding.rule == "policer" && !right.contains(&"policer"))
    }));
    let Some(top) = found.top() else {
        tally.silent += 1;
        println!("| {file} | — | | | {}, {} | |", router.rate, router.holds);
        return;
    };
    let is_right = right.contains(&top.rule);
    tally.first += usize::from(is_right);
    tally.other += usize::from(!is_right);
    if top.confidence == Confidence::High {
        tally.sure[0] += usize::from(is_right);
        tally.sure[1] += 1;
    }
    let bucket = top.figures.iter().find(|figure| figure.name == "token bucket").map_or("", |figure| &figure.value);
    println!(
        "| {file} | {} | {} | {} | {}, {} | {bucket} |",
        top.rule,
        top.confidence.word(),
        top.says,
        router.rate,
        router.holds
    );
}
