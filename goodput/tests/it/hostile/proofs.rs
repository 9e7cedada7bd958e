//! The folder of somebody else's proof: `prove DIR` shows it.

use super::made::Made;
use super::{ODDITIES, is_untouched, victim};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

fn proof(beside: &Made) -> PathBuf {
    let proof = beside.path().join("proof");
    fs::create_dir(&proof).unwrap();
    proof
}

#[test]
fn what_is_no_file_of_a_proof_is_named_and_not_read() {
    for (what, make) in ODDITIES {
        let run = Made::new();
        let proof = proof(&run);
        make(&proof.join("verdict.json"));
        for arguments in [vec!["prove", &run.name()], vec!["prove", &run.name(), "--json"]] {
            let said = run.goodput(&arguments);
            assert!(said.code == 2 && said.stderr.contains(what) && said.stderr.contains("verdict.json"), "{said:?}");
        }
    }
}

#[test]
fn a_link_for_a_proof_leads_nowhere() {
    let run = Made::new();
    let victim = victim(&run);
    symlink("../victim", run.path().join("proof")).unwrap();
    symlink("../victim", run.path().join("rounds")).unwrap();
    run.goodput(&["prove", &run.name()]);
    is_untouched(&victim);
}

#[test]
fn a_proof_that_makes_no_sense_is_refused_in_words() {
    let run = Made::new();
    let proof = proof(&run);
    for text in ["", "{}", "[]", "null", &"[".repeat(100_000), r#"{"transfer": "\u001b[31m"}"#] {
        fs::write(proof.join("verdict.json"), text).unwrap();
        let said = run.goodput(&["prove", &run.name()]);
        assert!(said.code == 2 && said.stderr.contains("verdict.json: ") && said.stderr.contains("hint: "), "{said:?}");
        assert!(!said.stderr.contains('\u{1b}'), "{said:?}");
    }
}
