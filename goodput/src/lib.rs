//! goodput finds out why TCP is slow on a path, and proves the fix before anybody touches production.
#![forbid(unsafe_code)]

pub mod measure;
pub mod plan;
