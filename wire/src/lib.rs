//! The vocabulary between goodput and its agent in the guest kernel: the [`Job`] that goes in, and the [`frame`]s of
//! the recording that come out. No I/O happens here.
#![forbid(unsafe_code)]

mod fields;
pub mod frame;
mod job;
mod message;

pub use fields::{ACK, Column, DROP, Kind, QUEUE, SAMPLE, TCP_INFO};
pub use job::{FlowJob, Inside, Job, QueueJob};
pub use message::{Device, Message, Readback};

/// The version of everything in this crate; host, agent and guest kernel must agree on it.
pub const PROTOCOL: u32 = 1;
