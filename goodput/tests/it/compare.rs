//! `goodput compare` on the iperf3 output under `goodput/tests/compare/`; `BLESS=1 cargo test -p goodput --test it
//! compare::` records what it prints.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const KEPT_IN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/compare");
const IMPORTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/evidence/tests/import");
const LISTINGS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/listings");

fn goodput(folder: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_goodput")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Name, arguments (listings under `crates/evidence/tests/import/`) and exit code of each comparison; 3 is inconclusive.
const COMPARISONS: &[(&str, &[&str], i32)] = &[
    ("two-of-a-document", &["ipsec-tunnel-article.txt:1", "ipsec-tunnel-article.txt:2"], 3),
    ("one-measure", &["ipsec-tunnel-article.txt:1", "ipsec-tunnel-article.txt:2", "--measure", "goodput"], 3),
    ("json", &["ipsec-tunnel-article.txt:1", "ipsec-tunnel-article.txt:2", "--json"], 3),
    ("several-of-a-file", &["ipsec-tunnel-article.txt", "hong-kong-new-york-runs.txt"], 3),
    ("several-and-one", &["ipsec-tunnel-article.txt", "two-flows.txt"], 3),
    ("udp-and-tcp", &["udp.txt", "two-flows.txt"], 3),
    ("text-and-json", &["two-flows.txt", "two-flows.json"], 3),
    ("cut-off", &["two-flows.txt", "killed.txt"], 3),
    ("itself", &["ipsec-tunnel-article.txt", "ipsec-tunnel-article.txt"], 2),
    ("itself-by-number", &["ipsec-tunnel-article.txt:2", "./ipsec-tunnel-article.txt:2"], 2),
    ("part-of-itself", &["ipsec-tunnel-article.txt", "ipsec-tunnel-article.txt:2"], 2),
    ("no-such-number", &["ipsec-tunnel-article.txt:3", "two-flows.txt"], 2),
    ("no-number", &["ipsec-tunnel-article.txt:", "two-flows.txt"], 2),
    ("nothing-there", &["two-flows.txt", "nowhere"], 2),
    ("no-run", &["two-flows.txt", "."], 2),
    ("no-listing", &["two-flows.txt", "prose.txt"], 2),
    ("failed", &["two-flows.txt", "refused.json"], 2),
    ("no-measure", &["two-flows.txt", "udp.txt", "--measure", "goodputt"], 2),
    ("no-measure-of-a-listing", &["two-flows.txt", "udp.txt", "--measure", "rtt-p95"], 2),
    ("margin-of-nothing", &["two-flows.txt", "udp.txt", "--margin", "0"], 2),
];

#[test]
fn comparisons_of_listings_match_the_kept_output() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = vec![];
    for (name, arguments, code) in COMPARISONS {
        let output = goodput(IMPORTED, &[&["compare"], *arguments].concat());
        assert_eq!(output.status.code(), Some(*code), "{name}: {}", text(&output.stderr));
        let (found, other) =
            if *code == 2 { (&output.stderr, &output.stdout) } else { (&output.stdout, &output.stderr) };
        assert!(other.is_empty(), "{name}: {}", text(other));
        let (kept, found) = (Path::new(KEPT_IN).join(format!("{name}.txt")), text(found));
        if bless {
            fs::create_dir_all(KEPT_IN).unwrap();
            fs::write(&kept, &found).unwrap();
        }
        if fs::read_to_string(&kept).unwrap_or_default() != found {
            wrong.push(format!("{}:\n{found}", kept.display()));
        }
    }
    assert!(wrong.is_empty(), "{}\nhint: BLESS=1 cargo test -p goodput --test it compare::", wrong.join("\n"));
}

/// "DCTCP is clearly superior", a user wrote about these listings.
#[test]
fn two_listings_of_one_run_each_show_what_they_show() {
    let output = goodput(LISTINGS, &["compare", "rate-cap-cubic.txt", "rate-cap-dctcp.txt"]);
    let said = text(&output.stdout);
    let unwrapped = said.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "Goodput is equal to the printed precision: 48.7 Mbit/s each.",
        // 0.0747 of all sent is 0.0807 of the payload, and 0.0863 is 0.0944.
        "dctcp retransmitted 14.5 % less than cubic for the same payload: 20476 vs 24159 segments",
        "Jain's index is 0.993 for the 10 flows of cubic (4.14 to 5.61 Mbit/s), and 0.997 for the 10 flows of dctcp",
        "what a rate cap looks like",
        "Caveat: One run of each is one sample",
        "congestion: cubic and dctcp",
    ] {
        assert!(unwrapped.contains(part), "{part}: {said}");
    }
    let whole = goodput(IMPORTED, &["compare", "ipsec-tunnel-article.txt:1", "ipsec-tunnel-article.txt:2"]);
    assert_eq!(text(&whole.stdout), said, "the whole document says the same");
    assert_eq!(output.status.code(), Some(3));
}
