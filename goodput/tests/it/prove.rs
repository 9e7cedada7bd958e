//! `prove` without a comparable trial: it gives the reason, and prints the diagnosis. The figures come from the
//! listings: 348 MB in 60 s with CUBIC and with DCTCP; 91.8 over 1.40 Mbit/s.

use std::path::Path;
use std::process::{Command, Output};

fn prove(arguments: &[&str], cache: Option<&Path>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_goodput"));
    command.arg("prove").args(arguments).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    if let Some(folder) = cache {
        command.env("XDG_CACHE_HOME", folder);
    }
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn documents_without_intervals_get_the_diagnosis_alone() {
    let cap: &[&str] = &["Rate cap at 48.7 Mbit/s", "No TCP setting lifts the link"];
    let cases: &[(&str, &[&str], &str, &[&str])] = &[
        ("ipsec-tunnel", &[], "nothing tells the round-trip time", cap),
        ("ipsec-tunnel", &["--rtt", "10ms"], "a host runs FreeBSD, and no guest kernel here is called freebsd", cap),
        (
            "lro-jail",
            &[],
            "nothing tells the round-trip time",
            &["65.6 times", "ifconfig DEVICE -lro", "Side by side", "where via is what only line 21 passes"],
        ),
        ("mss-sweep", &[], "nothing in it tells of a TCP transfer", &["No cause found", "A round-robin bond"]),
    ];
    // Without a kernel, so that arithmetic alone compares the runs.
    let folder = tempfile::tempdir().unwrap();
    for (name, options, why, says) in cases {
        let listing = format!("examples/listings/{name}.txt");
        let output = prove(&[&[listing.as_str()], *options].concat(), Some(folder.path()));
        let page = text(&output.stdout);
        assert_eq!(output.status.code(), Some(3), "{name}: {page}");
        assert!(page.starts_with("Not proven as one transfer: ") && page.contains("To prove it: "), "{page}");
        assert!(page.contains(why) && says.iter().all(|what| page.contains(what)), "{name}: {page}");
    }
}

#[test]
fn evidence_without_a_proof_in_it_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let sysctl = file("sysctl.txt", "net.ipv4.tcp_rmem = 4096 131072 6291456\n");
    let real = |name: &str| format!("goodput/tests/it/diagnose/real/{name}");
    let (fast, rmem) = (real("rmem-0.json"), real("rmem-0.text"));
    let whole =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/diagnose/real/full-streams-0.text"));
    let early = |line: &&str| !(line.starts_with("[ 11]") && (6..12).any(|at| line.contains(&format!(" {at}.00-"))));
    let streams: String = whole.unwrap().lines().filter(early).map(|line| format!("{line}\n")).collect();
    let streams = file("streams.txt", &streams);
    let cases: &[(&[&str], &str, &str)] = &[
        (&[&sysctl], "nothing in it tells of a TCP transfer", "iperf3 -c HOST -t 10 -J"),
        (&[&fast, "--rate", "1Mbit/s"], "over a line that is said to carry 1.00 Mbit/s", "correct --rate"),
        (&[&rmem, "--rtt", "900ms"], "in flight, and", "ping the host that the transfer went to"),
        (&[&streams], "the 4 streams of", "start all streams with one command"),
        (&[&sysctl, "--add", &sysctl], "is none", "the folder of a proof first"),
    ];
    for (arguments, why, hint) in cases {
        let output = prove(arguments, None);
        let said = text(&[output.stdout, output.stderr].concat());
        assert!(output.status.code().is_some_and(|code| code > 1), "{arguments:?}: {said}");
        assert!(said.contains(why) && said.contains(hint), "{arguments:?}: {said}");
    }
}

#[test]
fn without_a_guest_kernel_it_says_how_to_get_one() {
    let empty = tempfile::tempdir().unwrap();
    let out = empty.path().join("proof");
    let listing = "goodput/tests/it/diagnose/real/rmem-0.json";
    let output = prove(&[listing, "--out", out.to_str().unwrap()], Some(empty.path()));
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("goodput kernel add"), "{said}");
}

#[test]
fn a_sweep_is_placed_to_its_steps_and_tested() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test-mtu-Kbytes-host");
    let rows = (10..=70).map(|at| at * 100).map(|mss| {
        let rate = if (2300..=2400).contains(&mss) { 150 } else { 214_478 };
        format!("{mss} {rate}\n")
    });
    std::fs::write(&path, rows.collect::<String>()).unwrap();
    let output = prove(&["examples/listings/mss-sweep.txt", path.to_str().unwrap()], Some(folder.path()));
    let page = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{page}");
    // A packet is 40 bytes longer than its segment, without the timestamps that both ends use.
    for part in [
        "Segments of 2300 to 2400 bytes, packets of 2340 to 2440",
        "$(seq 2200 10 2300) $(seq 2400 10 2500)",
        "Answer: lengths. A card, driver or device drops packets of a range of lengths",
        "mss=2200 B",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
}
