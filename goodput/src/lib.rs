//! The JSON Schemas of what the command line prints and of the files that it reads. All else is in the wings below `crates/`; ARCHITECTURE.md is the map.

#![forbid(unsafe_code)]

pub mod file_schema;
pub mod schema;
