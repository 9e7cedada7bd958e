//! `facts`, `differs`, `test` and `calculate` on the command line, and their reference pages.

use crate::reference::check;
use crate::schema::conforms::conforming;
use goodput::schema;
use std::path::Path;
use std::process::{Command, Output};
use suspicion::differs::{DIFFERENCES, FAMILIES};
use suspicion::facts::{self, KEYS, Role, Value};
use suspicion::formula::FORMULAS;
use suspicion::trials::Lab;
use suspicion::{self, NAMES, Question, TEMPLATE_KEYS, VARIABLES, Verdict, built_in, test};

fn goodput(arguments: &[&str]) -> Output {
    let cache = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_goodput"));
    command.args(arguments).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).env("XDG_CACHE_HOME", cache.path());
    command.output().unwrap()
}

fn said(output: &Output) -> String {
    let all = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&all).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn table(head: [&str; 2], rows: impl Iterator<Item = (String, String)>) -> String {
    let rows: String = rows.map(|(name, text)| format!("| {name} | {text} |\n")).collect();
    format!("| {} | {} |\n|---|---|\n{rows}", head[0], head[1])
}

#[test]
fn every_fact_and_template_key_is_described() {
    let role = |role: Role| match role {
        Role::Path => "path",
        Role::Setting => "setting",
        Role::Stated => "stated",
        Role::Count => "count",
    };
    let kind = |value: Value| match value {
        Value::Number(kind) => format!("{kind:?}").to_lowercase(),
        Value::Label => "text".to_owned(),
    };
    let row = |key: &suspicion::facts::Key| {
        format!("| {} | {} | {} | {} |\n", key.name, role(key.role), kind(key.value), key.meaning)
    };
    let rows: String = KEYS.iter().map(row).collect();
    check("facts.md", "facts", &format!("| fact | part | value | meaning |\n|---|---|---|---|\n{rows}"));
    let named = |pairs: &[(&str, &str)]| {
        table(["name", "meaning"], pairs.iter().map(|(name, text)| (format!("`{name}`"), (*text).to_owned())))
    };
    check("templates.md", "template-keys", &named(TEMPLATE_KEYS).replace("| name |", "| key |"));
    check("templates.md", "template-names", &named(VARIABLES));
    check("templates.md", "template-experiment", &named(NAMES));
    let formulas = FORMULAS.iter().map(|formula| {
        let names: Vec<&str> = formula.parameters.iter().map(|one| one.name).collect();
        (
            format!("`{}({})`", formula.name.replace('-', "_"), names.join(", ")),
            format!("{} `{}`. {}", formula.meaning, formula.text, formula.source),
        )
    });
    check("templates.md", "formulas", &table(["formula", "meaning, formula, source"], formulas));
    let families = FAMILIES.iter().map(|(name, family, meaning)| {
        let own = built_in().into_iter().filter(|one| one.families.contains(family)).map(|one| one.name);
        (format!("`{name}`"), format!("{meaning}: {}", own.collect::<Vec<_>>().join(", ")))
    });
    check("templates.md", "families", &table(["family", "what its causes share"], families));
    let differences = DIFFERENCES.iter().map(|row| (row.key.to_owned(), row.changes.to_owned()));
    check("templates.md", "differences", &table(["difference", "can change"], differences));
}

#[test]
fn every_template_has_a_source_and_a_family() {
    for one in built_in() {
        assert!(!one.source.is_empty() && !one.families.is_empty() && !one.fix.is_empty(), "{}", one.name);
        assert!(!one.says.ends_with('.') && !one.fix.ends_with('.'), "{}: the page adds the full stop", one.name);
    }
}

/// The skeleton is a case that the next command takes.
#[test]
fn facts_new_writes_a_case_that_differs_takes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("case.toml");
    std::fs::write(&file, goodput(&["facts", "new"]).stdout).unwrap();
    let output = goodput(&["differs", file.to_str().unwrap()]);
    // One stream with 8 Mbit/s and ten with 75.
    assert!(
        said(&output).contains("10 streams carry 9.38 times what 1 stream does: a limit of each stream"),
        "{}",
        said(&output)
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn listings_become_facts_with_file_and_line() {
    let output = goodput(&["facts", "examples/listings/hong-kong-new-york.txt"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("origin = \"measured\", quote = \"examples/listings/hong-kong-new-york.txt:"), "{text}");
    assert!(text.contains("retransmissions = "), "{text}");
}

/// Host 91.8 and jail 1.4 Mbit/s: the page opens with the contrast, and merging stays possible.
#[test]
fn a_case_is_tested_by_arithmetic_without_a_kernel() {
    let output = goodput(&["test", "examples/cases/slow-jail.toml", "--arithmetic", "--fix", "bbr"]);
    let page = String::from_utf8(output.stdout.clone()).unwrap();
    let opens = "jail: 1.1 to 1.7 Mbit/s. host: 87 to 96 Mbit/s, 67 times as fast. They differ in host and via.";
    assert!(said(&output).starts_with(opens), "{page}");
    assert!(
        page.contains("merge-forwarding")
            && said(&output).contains("With bbr: nothing changes if it is merge-forwarding"),
        "{page}"
    );
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    assert!(said(&output).contains("Answer: two causes are left. merge-forwarding: "), "{page}");
    assert!(said(&output).contains("Allowed too, but unusual: cap-shaper"), "{page}");
    assert_eq!(output.status.code(), Some(3), "two causes need nothing unusual: merging at the box, or its TSO");
}

/// Founding document 002 by arithmetic alone: a fault of lengths, of one member of the bond or of the whole.
#[test]
fn the_cliff_in_the_mss_leaves_a_fault_of_lengths() {
    let output = goodput(&["test", "examples/cases/mss-cliff.toml", "--arithmetic"]);
    assert!(said(&output).contains("Answer: two causes are left. lengths: "), "{}", said(&output));
    assert!(said(&output).contains("length 2.25 to 2.38 kB"), "M2200 passes and M2350 does not: {}", said(&output));
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_template_of_a_user_is_tested_and_a_wrong_one_is_placed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    let template = "says = \"A proxy sends one piece in each RTT\"\nfamilies = [\"window\"]\n[parameters]\n\
                    piece = { kind = \"size\", from = \"1 kB\", to = \"1 MB\" }\n[predicts]\n\
                    goodput = \"min(line, 8 * piece / rtt)\"\n";
    let tested = |template: &str, option: &str| {
        std::fs::write(&file, template).unwrap();
        let that = format!("{}{option}", file.display());
        goodput(&["test", "examples/cases/long-fat-line.toml", "--arithmetic", "--that", &that])
    };
    // 62 Mbit/s at 210 ms are 1.6 MB in each RTT: more than a piece may have.
    let output = tested(template, "");
    assert!(said(&output).contains("mine: ") && said(&output).contains("excluded"), "{}", said(&output));
    let output = tested(&template.replace("8 * piece", "8 * peice"), "");
    assert!(
        said(&output).contains("mine.toml:6:26: no name peice") && output.status.code() == Some(2),
        "{}",
        said(&output)
    );
    let output = tested(template, ",pice=3 kB");
    assert!(said(&output).contains("no parameter pice") && said(&output).contains("piece"), "{}", said(&output));
}

#[test]
fn formulas_are_calculated_over_intervals() {
    // 8 x 65536 B / 0.1 s.
    let output = goodput(&["calculate", "window-rate", "window=64KiB", "rtt=100ms"]);
    assert!(said(&output).starts_with("5.24 Mbit/s"), "{}", said(&output));
    let output = goodput(&["calculate", "bdp", "rate=1 Gbit/s", "rtt=at most 210 ms"]);
    assert!(
        said(&output).starts_with("at most 26.2 MB") || said(&output).starts_with("at most 26.3 MB"),
        "{}",
        said(&output)
    );
    let wrong: &[(&[&str], &str)] = &[
        (&["calculate", "bpd"], "bdp"),
        (&["calculate", "bdp", "rate=1 Gbit/s"], "bdp needs rtt"),
        (&["calculate", "bdp", "rate=1", "rtt=1 s"], "has no unit"),
        (&["calculate", "bdp", "rat=1 Gbit/s"], "bdp takes no rat"),
    ];
    for (arguments, words) in wrong {
        let output = goodput(arguments);
        assert!(said(&output).contains(words) && output.status.code() == Some(2), "{}", said(&output));
    }
    assert!(said(&goodput(&["calculate"])).contains("cubic-k"));
}

#[test]
fn bad_input_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("case.toml");
    std::fs::write(&file, "[path]\nrate = \"1\"\n[[runs]]\ngoodput = \"1 Mbit/s\"\n").unwrap();
    let wrong: &[(&[&str], &str)] = &[
        (&["test", file.to_str().unwrap()], "case.toml:2:8: rate \"1\" has no unit"),
        (&["test", "no-such.toml"], "no-such.toml"),
        (&["test", "examples/cases/slow-jail.toml", "--that", "randm-loss"], "random-loss"),
        (&["test", "examples/cases/slow-jail.toml", "--fix", "goodput=3"], "goodput cannot be set"),
        (&["facts", "docs/reference/facts.md"], "hint: goodput facts new"),
    ];
    for (arguments, words) in wrong {
        let output = goodput(arguments);
        assert!(said(&output).contains(words) && output.status.code() == Some(2), "{arguments:?}: {}", said(&output));
    }
}

/// A case with the cause that whoever settled it found; none if no template has it.
struct Settled {
    file: &'static str,
    source: &'static str,
    causes: &'static [&'static str],
}

const fn settled(file: &'static str, source: &'static str, causes: &'static [&'static str]) -> Settled {
    Settled { file, source, causes }
}

const CASES: &[Settled] = &[
    settled("examples/cases/dctcp-or-cubic", "founding document 000", &["policer", "cap-shaper"]),
    settled("examples/cases/switch-40ms", "founding document 001", &["overrun-small-buffer"]),
    settled("examples/cases/receiver-loss", "founding document 001", &["receiver-input-loss"]),
    settled("examples/cases/mss-cliff", "founding document 002", &["lengths-one-member"]),
    settled("examples/cases/long-fat-line", "founding document 003", &["random-loss", "burst-loss"]),
    settled("examples/cases/slow-jail", "founding document 004", &["merge-forwarding"]),
    settled("examples/cases/slow-jail-bbr", "founding document 004", &["merge-forwarding"]),
    settled("goodput/tests/cases/subnet-router", "SierraSoftworks/tailscale-unifi 205", &["tso-forwarding"]),
    settled("goodput/tests/cases/k8s-burst", "kubernetes 90838", &["shaper-with-burst"]),
    settled("goodput/tests/cases/okhttp-40ms", "lysine-dev/okhttp 4784", &["nagle-delayed-ack"]),
    settled("goodput/tests/cases/mux-duplex", "serverfault 328105", &["random-loss", "burst-loss"]),
    settled("goodput/tests/cases/upload-ping", "trofi.github.io 217", &["cap-shaper"]),
    settled("goodput/tests/cases/windows-window", "esnet/iperf 481", &["receive-window"]),
    settled("goodput/tests/cases/macbook-udp", "esnet/iperf 1170: another line", &[]),
    settled("goodput/tests/cases/mtu9000", "esnet/iperf 1021", &["mtu-hole"]),
    settled("goodput/tests/cases/pi3b", "raspberrypi/linux 2996", &["overrun-small-buffer"]),
    settled("goodput/tests/cases/sftp-100ms", "pkg/sftp 158", &["credit-window"]),
    settled("goodput/tests/cases/openvpn-tcp", "angristan/openvpn-install 352", &["tcp-over-tcp"]),
    settled("goodput/tests/cases/tap-stall", "OpenVPN/tap-windows6 147: a checksum flag", &[]),
    settled("goodput/tests/cases/sendbuf", "plantegg.github.io 2020/09/28", &["send-buffer"]),
];

/// Columns and lines of a page on one screen.
const SCREEN: [usize; 2] = [80, 48];

/// Bytes of an answer as JSON.
const MAX_JSON_BYTES: usize = 8_000;

/// Arithmetic and what differs keep the true cause of every case; the page of cases has how many others they keep.
#[test]
fn no_true_cause_is_excluded_or_ruled_out() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let (mut rows, mut wrong) = (String::new(), vec![]);
    for Settled { file, source, causes } in CASES {
        let text = std::fs::read_to_string(root.join(format!("{file}.toml"))).unwrap();
        let case = facts::read(file, &text).unwrap_or_else(|errors| panic!("{errors}"));
        let question = Question { templates: built_in(), fixes: vec![], budget: 0.0 };
        let answer = test::<Lab>(&case, &question, None).unwrap();
        let left = answer.causes();
        let mut allowed: Vec<&str> = left.clone();
        let ruled_out = answer.hypotheses.iter().filter(|one| one.verdict == Verdict::RuledOut);
        allowed.extend(ruled_out.map(|one| one.name.as_str()));
        allowed.sort_unstable();
        allowed.dedup();
        let keeps = |left: &[&str]| causes.is_empty() || causes.iter().any(|cause| left.contains(cause));
        if answer.numbers > 0 && !keeps(&allowed) {
            wrong.push(format!("{file}: arithmetic excludes {causes:?}: {:?}", answer.excluded));
        }
        let differs: Vec<&str> = answer.differs.left.iter().map(String::as_str).collect();
        if !keeps(&differs) {
            wrong.push(format!("{file}: what differs rules out {causes:?}, and leaves {differs:?}"));
        }
        let page = suspicion::page(&answer, SCREEN[0]);
        let fits = page.lines().count() <= SCREEN[1] && page.lines().all(|line| line.chars().count() <= SCREEN[0]);
        let json = serde_json::to_string_pretty(&schema::TEST.output(&answer)).unwrap();
        if !fits || json.len() > MAX_JSON_BYTES || answer != test::<Lab>(&case, &question, None).unwrap() {
            wrong.push(format!("{file}: {} B of JSON, or a page that is no screen:\n{page}", json.len()));
        }
        conforming("test", json.as_bytes());
        let name = file.rsplit('/').next().unwrap();
        // The site has the examples and not the tests.
        let link = if file.starts_with("examples") {
            format!("[{name}](../../{file}.toml)")
        } else {
            format!("`{file}.toml`")
        };
        let truth = if causes.is_empty() { "no template".to_owned() } else { causes.join(", ") };
        let likely = answer.likely();
        if answer.numbers > 0 && !keeps(&likely) {
            wrong.push(format!("{file}: {causes:?} would be unusual: {:?}", answer.hypotheses));
        }
        let cells = [answer.numbers, allowed.len(), differs.len(), left.len(), likely.len()];
        let cells = cells.map(|number| number.to_string());
        rows += &format!("| {link} | {source} | {truth} | {} |\n", cells.join(" | "));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let head = "| case | source | true cause | numbers | arithmetic leaves | what differs leaves | both leave | of these usual |\n";
    let head = format!("{head}|---|---|---|---|---|---|---|---|\n");
    check("cases.md", "cases", &format!("{head}{rows}"));
}

#[test]
fn other_outputs_conform() {
    let cases: &[(&str, &[&str])] = &[
        ("differs", &["differs", "examples/cases/slow-jail.toml", "--json"]),
        ("differs", &["compare", "examples/cases/slow-jail.toml", "examples/cases/long-fat-line.toml", "--json"]),
        ("test", &["diagnose", "examples/cases/slow-jail.toml", "--json"]),
        ("facts", &["facts", "examples/cases/long-fat-line.toml", "--json"]),
        ("facts", &["facts", "examples/listings/hong-kong-new-york.txt", "--json"]),
        ("calculate", &["calculate", "bdp", "rate=1 Gbit/s", "rtt=at least 1 ms", "--json"]),
        ("test", &["test", "examples/cases/slow-jail.toml", "--arithmetic", "--fix", "bbr", "--json"]),
    ];
    for (schema, arguments) in cases {
        let output = goodput(arguments);
        conforming(schema, &output.stdout);
    }
}

/// A sentence between two totals, as in tickets: the page opens with the contrast, and facts beside it name the place.
#[test]
fn a_page_about_two_runs_opens_with_what_differs() {
    let folder = tempfile::tempdir().unwrap();
    let [listing, facts] = ["ticket.txt", "host.toml"].map(|name| folder.path().join(name));
    let total = |row: &str| format!("[ ID] Interval       Transfer     Bandwidth\n[  3]  0.0-10.0 sec  {row}\n");
    let client = "Client connecting to 10.0.0.2, TCP port 5001\n";
    let server = "Server listening on UDP port 5001\n";
    let udp = "[ ID] Interval Transfer Bandwidth Jitter Lost/Total Datagrams\n\
               [ 3] 0.0-10.0 sec 1.25 MBytes 1.05 Mbits/sec 0.284 ms 0/ 893 (0%)\n";
    std::fs::write(&listing, format!("{client}{}\n{server}{udp}", total("592 MBytes  496 Mbits/sec"))).unwrap();
    let page = said(&goodput(&["diagnose", listing.to_str().unwrap()]));
    assert!(
        page.starts_with("line 5: 1.05 Mbit/s. line 1: 496 Mbit/s, 472 times as fast. They differ in protocol."),
        "{page}"
    );
    assert!(page.contains("iperf sends that much if no -b asks for more"), "{page}");
    std::fs::write(&facts, "[[runs]]\nname = \"host\"\nhost = \"host\"\ngoodput = \"940 Mbit/s\"\n").unwrap();
    let beside = said(&goodput(&["diagnose", listing.to_str().unwrap(), facts.to_str().unwrap()]));
    assert!(beside.contains("host: 940 Mbit/s"), "{beside}");
    let imported = goodput(&["import", listing.to_str().unwrap(), "--json"]);
    let json = folder.path().join("imported.json");
    std::fs::write(&json, &imported.stdout).unwrap();
    let again = said(&goodput(&["differs", json.to_str().unwrap()]));
    assert!(again.starts_with("line 5: 1.05 Mbit/s. line 1: 496 Mbit/s"), "{again}");
}

/// Two runs without a loss that differ in congestion control alone: it is the sender that paces. As in
/// kata-containers/packaging#1067, whose authors found BBR's timers to fill a processor.
#[test]
fn bbr_that_is_slow_without_a_loss_is_the_senders_own_limit() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("case.toml");
    let text = "[[runs]]\nname = \"bbr\"\ncongestion = \"bbr\"\ngoodput = \"20 to 24 Gbit/s\"\nretransmissions = 0\n\
                transferred = \"78 GB\"\n[[runs]]\nname = \"cubic\"\ncongestion = \"cubic\"\n\
                goodput = \"36 to 40 Gbit/s\"\nretransmissions = 0\ntransferred = \"138 GB\"\n";
    std::fs::write(&file, text).unwrap();
    // There is no kernel: arithmetic answers, and says so.
    let output = goodput(&["test", file.to_str().unwrap()]);
    let page = said(&output);
    assert!(page.contains("Arithmetic alone: no guest kernel can run trials here."), "{page}");
    assert!(page.contains("nothing is sent again in either, so neither losses nor a full queue decides"), "{page}");
    assert!(page.contains("Answer: cap-at-sender, where congestion is bbr."), "{page}");
    assert_eq!(output.status.code(), Some(0), "{page}");
}
