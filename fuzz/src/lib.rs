//! The modules that the fuzzers run, without the rest of goodput, whose instrumented build takes long.

#[path = "../../goodput/src/capture/mod.rs"]
pub mod capture;
#[path = "../../goodput/src/evidence/mod.rs"]
pub mod evidence;
#[path = "../../goodput/src/fault.rs"]
pub mod fault;
#[path = "../../goodput/src/import/mod.rs"]
pub mod import;
#[path = "../../goodput/src/unit.rs"]
pub mod unit;
