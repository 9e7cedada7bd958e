//! Files that people have, into [`Evidence`]: what programs printed, between prose, cut off, from any version.
//!
//! Each reader takes from a [`Page`] the lines that it knows, and claims them; what nobody claims is listed as unread.

pub mod iperf;
mod page;

pub use page::{Line, Page};
