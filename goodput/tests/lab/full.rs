//! A disk that becomes full after any of a run's writes: the run reports it, loses nothing, and continues once there is
//! room. The disk is a tmpfs, whose bytes and names the host's kernel counts.

use crate::support::{assert_identical, goodput, kernel};
use std::fs;
use std::path::Path;
use std::process::Command;

const SPEC: &str = r#"
title = "two trials"
path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP", loss = "0.5 %" }
flows = [{ duration = "500 ms" }]
repeat = { seeds = 2 }
"#;

/// The system's error message, and goodput's hint.
pub const NO_SPACE: &str = "No space left on device";
pub const HINT: &str = "free some space and run the same command again; finished trials are kept";

/// Runs on a disk with the given options, then with room, then writes the report again on a full disk. Exit codes and
/// output are stored next to the run. In the last step no other file fits, once the removed ones are gone.
const SCRIPT: &str = r#"
mkdir disk && mount -t tmpfs -o "$1" none disk && shift
"$@" >first.out 2>first; echo $? >first.code
mount -o remount,size=32m,nr_inodes=1000 disk
"$@" >second.out 2>second; echo $? >second.code
cp -r disk/run run
until mount -o remount,nr_inodes=$(find disk | wc -l) disk 2>/dev/null; do sleep 0.1; done
"$1" report disk/run >third.out 2>third; echo $? >third.code
cmp disk/run/report.html run/report.html 2>>third
"#;

fn on_disk(folder: &Path, options: &str) {
    fs::create_dir(folder).unwrap();
    fs::write(folder.join("x.toml"), SPEC).unwrap();
    let status = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", SCRIPT, "-", options])
        .arg(goodput())
        .args(["run", "x.toml", "--no-cache", "--kernel", &kernel().names[0], "--out", "disk/run"])
        .current_dir(folder)
        .status()
        .unwrap();
    assert!(status.success(), "this machine mounts no tmpfs in a user namespace, or the report was damaged: {status}");
}

#[test]
fn a_full_disk_costs_nothing_that_was_recorded() {
    let place = tempfile::tempdir().unwrap();
    let (mut reference, mut full) = (None, 0);
    let sizes = (1..=60).map(|pages| format!("size={}k", 4 * pages));
    let names = (2..=30).map(|names| format!("nr_inodes={names}"));
    for (number, options) in sizes.chain(names).enumerate() {
        let folder = place.path().join(number.to_string());
        on_disk(&folder, &options);
        let [first, second, third] = ["first", "second", "third"].map(|name| {
            let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
            (read(&format!("{name}.code")).trim().to_owned(), read(name))
        });
        if first.0 != "0" {
            full += 1;
            assert!(
                first.0 == "2" && first.1.contains(NO_SPACE) && !first.1.contains("panicked"),
                "{options}: {first:?}"
            );
            let hint = first.1.split_once("\n\nhint: ").map(|(_, hint)| hint.trim_end());
            assert_eq!(hint, Some(HINT), "{options}: {first:?}");
        }
        assert!(second.0 == "0", "{options}: {second:?}");
        assert!(
            third.0 == "2" && third.1.contains(NO_SPACE) && third.1.contains("\n\nhint: free some space"),
            "{options}: {third:?}"
        );
        let run = folder.join("run");
        assert_identical(reference.get_or_insert_with(|| run.clone()), &run);
    }
    assert!(full >= 30, "only {full} disks were full");
}
