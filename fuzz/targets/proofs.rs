//! Any text as what is kept of a proof.
#![no_main]

use prove::trials::Asked;
use prove::{self, Verdict};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = serde_json::from_str::<Asked>(text);
    if let Ok(verdict) = serde_json::from_str::<Verdict>(text) {
        prove::page(&verdict, 80);
    }
});
