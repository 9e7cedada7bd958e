//! The vocabulary between goodput and its agent in the guest kernel.
#![forbid(unsafe_code)]
