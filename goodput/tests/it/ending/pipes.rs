//! Closed outputs are no error, and a full one is: every command on every end that its output can have.

use super::place::{Place, code};
use std::process::Output;

/// Exit codes of a command: when all is well, and when its input is bad, with those arguments.
struct Row {
    good: (&'static str, i32),
    bad: &'static str,
}

const fn row(good: &'static str, code: i32, bad: &'static str) -> Row {
    Row { good: (good, code), bad }
}

/// Every command that needs no guest for its success. Nobody sends in these recordings, so that nothing is concluded.
const ROWS: &[Row] = &[
    row("diagnose listing.txt", 0, "diagnose nowhere.txt"),
    row("advise --rate 1Gbit/s --rtt 210ms", 0, "advise --rate 1"),
    row("explain", 0, "explain nothing"),
    row("import listing.txt", 0, "import nowhere.txt"),
    row("run x.toml --no-cache --out new --replay run", 0, "run wrong.toml"),
    row("run x.toml --dry-run --replay run", 0, "run nowhere.toml --dry-run"),
    row("run expect.toml --no-cache --out other --replay expected", 1, "run wrong.toml --json"),
    row("check x.toml", 0, "check wrong.toml"),
    row("compare listing.txt:1 listing.txt:2", 3, "compare listing.txt nowhere.txt"),
    row("report run", 0, "report nowhere"),
    row("report run --json", 0, "report run --csv nowhere/all.csv"),
    row("kernel list", 0, "kernel show none"),
    row("completions bash", 0, "completions none"),
    row("--help", 0, "--nothing"),
    row("--version", 0, "nothing"),
];

/// Commands whose success would need a guest or depend on this machine.
const BAD: &[&str] = &[
    "rerun nowhere",
    "export nowhere:0 --to iperf3",
    "bisect x.toml --tree nowhere --good a --bad b",
    "kernel add --from nowhere",
    "kernel remove none",
    "trial nowhere/plan.json 0",
    "doctor --nothing",
];

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn place() -> Place {
    let place = Place::new();
    place.write("expect.toml", &(super::place::read(&place.path("x.toml")) + super::EXPECT));
    place.record("expect.toml", "expected");
    place
}

#[test]
fn commands_end_with_their_code_whoever_reads() {
    let place = place();
    for Row { good: (arguments, expected), bad } in ROWS {
        for end in ["", ">&-", "2>&-", ">&- 2>&-", "2>/dev/full", "| true", "| head -1", "<&- >&- 2>&-"] {
            let line = format!("set -o pipefail; \"$GOODPUT\" {arguments} {end}");
            let output = place.shell(&line).output().unwrap();
            // `head` and `true` have ended by themselves, so the code is goodput's.
            assert_eq!(code(output.status), *expected, "{arguments} {end}: {}", said(&output));
            assert!(!said(&output).contains("panicked"), "{}", said(&output));
        }
        for end in ["", ">&-", "2>&-", ">/dev/full", "2>/dev/full"] {
            let output = place.shell(&format!("\"$GOODPUT\" {bad} {end}")).output().unwrap();
            assert_eq!(code(output.status), 2, "{bad} {end}: {}", said(&output));
        }
    }
    for bad in BAD {
        let output = place.goodput(bad).output().unwrap();
        assert_eq!(code(output.status), 2, "{bad}: {}", said(&output));
        assert!(said(&output).starts_with("goodput: ") || said(&output).starts_with("error: "), "{}", said(&output));
    }
}

#[test]
fn data_that_cannot_be_written_are_an_error() {
    let place = place();
    for Row { good: (arguments, _), .. } in ROWS.iter().filter(|row| !row.good.0.starts_with("kernel list")) {
        let output = place.shell(&format!("\"$GOODPUT\" {arguments} >/dev/full")).output().unwrap();
        assert_eq!(code(output.status), 2, "{arguments}: {}", said(&output));
        assert!(
            said(&output).contains("cannot write to standard output: No space left on device"),
            "{}",
            said(&output)
        );
    }
}

#[test]
fn a_run_that_nobody_watches_leaves_its_results() {
    let place = place();
    for (number, end) in [">&-", "2>&-", ">/dev/full", "2>/dev/full", "| true", ">&- 2>&-"].iter().enumerate() {
        let folder = format!("unwatched-{number}");
        let line = format!("\"$GOODPUT\" run x.toml --no-cache --out {folder} --replay run {end}");
        place.shell(&line).output().unwrap();
        assert!(place.path(&folder).join("report.html").exists(), "{end}");
    }
}
