//! Any bytes as a file that somebody sends: what is read of it, every rule, and the page.
#![no_main]

use evidence::{Evidence, import};
use diagnosis::diagnose::{self, Given, Style};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut evidence = Evidence::default();
    import::read("fuzz", bytes, &mut evidence);
    import::join(&mut evidence);
    for rate in [None, Some(1e9)] {
        diagnose::page(&diagnose::diagnose(&evidence, Given { rate, rtt: None }), Style::default());
    }
});
