//! Tests that this machine cannot run: each says why, and `make test` counts them.

use std::fs::OpenOptions;
use std::io::{Write, stderr};

/// Notes why the running test is left out: as a line of reason, tab and test in the file that GOODPUT_SKIPPED names,
/// else on standard error itself, which libtest does not capture. `scripts/skipped-tests` counts the lines.
pub fn skip(reason: &str) {
    let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
    let thread = std::thread::current();
    match std::env::var_os("GOODPUT_SKIPPED") {
        Some(path) => {
            let file = OpenOptions::new().create(true).append(true).open(path);
            let line = format!("{reason}\t{}\n", thread.name().unwrap_or("a thread of a test"));
            file.and_then(|mut file| file.write_all(line.as_bytes()))
                .expect("GOODPUT_SKIPPED names a file to append to");
        }
        None => drop(stderr().write_all(format!("skipped: {reason}\n").as_bytes())),
    }
}
