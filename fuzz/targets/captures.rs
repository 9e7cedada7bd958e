//! Any bytes as a capture of pcap or pcapng.
#![no_main]

use evidence::capture;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match capture::read("fuzz", bytes) {
        Ok(captured) => drop(captured),
        Err(error) => drop(error.to_string()),
    }
});
