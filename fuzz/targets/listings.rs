//! Any bytes as what iperf3 and iperf print.
#![no_main]

use evidence::import::iperf::{self, summary};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match iperf::read("fuzz", bytes) {
        Ok(listings) => listings.iter().for_each(|listing| drop(summary::summary(listing))),
        Err(errors) => drop(errors.to_string()),
    }
});
