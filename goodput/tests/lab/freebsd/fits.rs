//! Whether a tree fits, tried without a kernel: two hosts of its stack in one process (loop.c).

use super::{PAYLOAD_SHARE, tree};
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

#[test]
fn a_tree_runs_in_a_process() {
    let Some(tree) = tree() else { return };
    let folder = tempfile::tempdir().unwrap();
    let built = Command::new("scripts/freebsd-loop").arg(folder.path()).arg(tree).current_dir(ROOT).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let goodput = |words: [&str; 6]| -> f64 {
        let ran = Command::new(folder.path().join("loop")).args(words).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stdout).unwrap().trim().parse().unwrap()
    };
    // RACK of 13.1 takes longer to fill it.
    for (stack, least) in [("freebsd", 0.995), ("rack", 0.5)] {
        let share = goodput([stack, "newreno", "100e6", "20", "0", "10"]) / (100e6 * PAYLOAD_SHARE);
        assert!((least..1.005).contains(&share), "{stack}: {share} of a line of 100 Mbit/s");
    }
    // As in `newreno_follows_the_square_root_law`.
    let lossy = goodput(["freebsd", "newreno", "100e6", "20", "1000", "100"]);
    let law = 1.5_f64.sqrt() * 1448.0 * 8.0 / (0.020 * 0.001_f64.sqrt());
    assert!((lossy / law - 1.0).abs() < 0.15, "{lossy} bit/s, the law says {law}");
}
