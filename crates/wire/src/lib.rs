//! The vocabulary between goodput and its agent in the guest kernel: the [`Job`] that goes in, and the [`frame`]s of
//! the recording that come out. No I/O happens here.
#![forbid(unsafe_code)]

mod course;
mod fields;
pub mod frame;
mod host;
mod job;
mod message;
mod traffic;

pub use course::{Course, Follows, Point, decode, encode};
pub use fields::{
    ACK, ACK_OF_FREEBSD, BBR, Column, ColumnType, DCTCP, DROP, DUALPI2, ECN, EXCHANGE, FREEBSD, OF_FREEBSD, PROGRAM,
    QUEUE, SAMPLE, SUBFLOW, TCP_INFO, TUNNEL, VEGAS, WAIT,
};
pub use host::{FILES as HOST_FILES, FOLDERS as HOST_FOLDERS, TOOLS};
pub use job::{ChangeJob, CommandJob, FlowJob, Inside, Job, QueueJob, Step, Tool, TunnelJob};
pub use message::{
    CAPTURE_PACKETS, CAPTURE_RING, CAPTURE_SLOT, Device, Exchange, MOST_FETCHED, Message, Ran, Readback,
};
pub use traffic::{ProgramEnd, Tcp, Traffic, Until, Writes};

/// The version of everything in this crate; host, agent and guest kernel must agree on it.
pub const PROTOCOL: u32 = 7;
