//! `[path]`, `[[links]]` and `[[tunnels]]`

use super::Line;
use crate::experiment::source::Span;
use crate::plan::{Bond, Cipher};
use toml::Spanned;

/// `[[links]]`, or the link between sender and receiver that `[path]` stands for.
#[derive(Debug)]
pub struct Link {
    /// Where it is written.
    pub span: Span,
    /// The names of its two ends, which differ.
    pub between: Option<[Spanned<String>; 2]>,
    /// Bytes.
    pub mtu: Option<Spanned<u64>>,
    /// How packets are spread over this link and those beside it.
    pub bond: Option<Spanned<Bond>>,
    pub line: Option<Line>,
    /// What is written for the direction from the second end to the first alone.
    pub backward: Line,
}

/// `[[tunnels]]`
#[derive(Debug)]
pub struct Tunnel {
    /// Where it is written.
    pub span: Span,
    /// The names of its two ends, which differ.
    pub between: Option<[Spanned<String>; 2]>,
    /// What wraps the packets.
    pub kind: Option<Wrapper>,
}

/// What wraps the packets of a tunnel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrapper {
    /// `esp`
    Esp {
        /// Its cipher and integrity check.
        cipher: Option<Cipher>,
        udp: Option<bool>,
    },
    /// `gre`
    Gre,
    /// `vxlan`
    Vxlan,
    /// `wireguard`
    Wireguard,
}
