//! `prove` where no trial can be compared: it says why, and hands over to the diagnosis. The figures are those of the
//! listings: 348 MB in 60 s with CUBIC and with DCTCP; 91.8 over 1.40 Mbit/s; 150 KB/s at 2300 to 2400 B.

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
fn a_document_without_a_transfer_in_intervals_gets_what_the_diagnosis_knows() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("ipsec-tunnel", "10 streams at once", &["Rate cap at 48.7 Mbit/s", "No TCP setting changes it"]),
        ("lro-jail", "2 streams at once", &["65.6 times", "ifconfig DEVICE -lro"]),
        ("mss-sweep", "a sweep over lengths", &["Packets of 2300 to 2400 bytes", "mtu 2299"]),
    ];
    for (name, why, says) in cases {
        let output = prove(&[&format!("examples/listings/{name}.txt")], None);
        let page = text(&output.stdout);
        assert_eq!(output.status.code(), Some(3), "{name}: {page}");
        assert!(page.starts_with("Not tried in the lab: ") && page.contains("To prove it: "), "{page}");
        assert!(page.contains(why) && says.iter().all(|what| page.contains(what)), "{name}: {page}");
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
