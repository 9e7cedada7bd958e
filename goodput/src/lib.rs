//! The JSON Schemas of what the command line prints. All else is in the wings below `crates/`; ARCHITECTURE.md is the map.

#![forbid(unsafe_code)]

pub mod schema;
