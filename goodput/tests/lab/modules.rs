//! Congestion controls that misbehave end their trials with the kernel's own words, and harm no other trial. They are in the kernel
//! `misbehaving`, which `make kernels-all` builds from `goodput/tests/modules/misbehaving`.

use crate::support::{extra_kernel, goodput};
use std::fs;
use std::process::Command;

/// Error of the first failed trial of a congestion control, if the kernel exists.
fn last_words(control: &str) -> Option<String> {
    extra_kernel("misbehaving")?;
    let folder = tempfile::tempdir().unwrap();
    let spec = format!(
        r#"
        title = "a module that misbehaves"
        kernel = "misbehaving"
        path = {{ rate = "100 Mbit/s", rtt = "20 ms", buffer = "2 BDP" }}
        flows = [{{ duration = "2 s" }}]
        vary = {{ "flows.congestion" = ["reno", "{control}"] }}
        repeat = {{ seeds = 1 }}
        "#
    );
    fs::write(folder.path().join("spec.toml"), spec).unwrap();
    let output =
        Command::new(goodput()).args(["run", "spec.toml", "--out", "run"]).current_dir(folder.path()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(folder.path().join("run/trials/0000/samples.parquet").exists(), "reno has its recording: {text}");
    let (_, failure) =
        text.split_once(&format!("trial 1 ({control}, seed 1) failed: ")).unwrap_or_else(|| panic!("{text}"));
    Some(failure.to_owned())
}

#[test]
fn a_division_by_zero_is_told() {
    let Some(words) = last_words("bad_divide") else { return };
    assert!(words.contains("SIGFPE, division by zero") && words.contains("at bad_divide_cong_avoid+"), "{words}");
}

#[test]
fn a_null_pointer_is_told() {
    let Some(words) = last_words("bad_null") else { return };
    assert!(words.starts_with("the guest died after ") && words.contains("Kernel panic - not syncing: "), "{words}");
    assert!(words.contains("at tcp_ack+"), "{words}");
}

#[test]
fn a_bug_is_told_with_its_line() {
    let Some(words) = last_words("bad_bug") else { return };
    assert!(words.contains("BUG: failure at drivers/goodput/modules/misbehaving/bad_bug.c:"), "{words}");
}

#[test]
fn a_window_of_zero_is_told() {
    let Some(words) = last_words("bad_zero") else { return };
    assert!(words.contains("WARNING: ") && words.contains("bad_zero_cong_avoid+"), "{words}");
}

#[test]
fn a_loop_without_end_is_ended_and_its_function_told() {
    let Some(words) = last_words("bad_loop") else { return };
    assert!(words.starts_with("the guest hung after ") && words.contains("at bad_loop_cong_avoid+"), "{words}");
}
