//! Any text as an experiment; the commands of its network.
#![no_main]

use plan::network;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match experiment::plan("fuzz.toml", text, &[]) {
        Ok(plan) => {
            assert_eq!(plan::check(&plan), Ok(()), "an experiment makes plans that can be read");
            plan.trials.iter().take(4).for_each(|trial| drop(network::commands(&trial.scene)));
        }
        Err(errors) => drop(errors.to_string()),
    }
});
