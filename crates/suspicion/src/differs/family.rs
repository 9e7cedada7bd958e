//! Families of causes: what a difference between runs can leave or rule out.

/// A property that causes share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    Losses,
    Dropped,
    Line,
    Bursts,
    Order,
    Merging,
    Lengths,
    Window,
    Buffer,
    SendBuffer,
    Receiver,
    Tunnel,
    Program,
    Reader,
    Timer,
    Shared,
    Queue,
    Bucket,
    Beside,
    Sender,
    EachFlow,
    Start,
    Asked,
}

/// Families with their names in templates, and what their causes have in common.
pub const FAMILIES: &[(&str, Family, &str)] = &[
    ("losses", Family::Losses, "packets are lost"),
    ("dropped", Family::Dropped, "a share of packets is dropped, whatever their rate"),
    ("line", Family::Line, "frames are damaged or lost on a line"),
    ("bursts", Family::Bursts, "packets are lost many at a time"),
    ("order", Family::Order, "packets come out of order"),
    ("merging", Family::Merging, "packets are merged on the way"),
    ("lengths", Family::Lengths, "packets are treated by their length"),
    ("window", Family::Window, "so many bytes in each RTT"),
    ("buffer", Family::Buffer, "a socket's buffer is the window"),
    ("send-buffer", Family::SendBuffer, "a sending socket's buffer is the window"),
    ("receiver", Family::Receiver, "the receiver's window is the limit"),
    ("tunnel", Family::Tunnel, "one connection carries all others"),
    ("program", Family::Program, "a program is the limit"),
    ("reader", Family::Reader, "the receiving program is the limit"),
    ("timer", Family::Timer, "somebody waits for a timer"),
    ("shared", Family::Shared, "all streams share the limit"),
    ("queue", Family::Queue, "a queue stands in front of the line"),
    ("bucket", Family::Bucket, "a bucket of tokens lets a burst pass"),
    ("beside", Family::Beside, "other traffic is the limit"),
    ("sender", Family::Sender, "the sending host is the limit"),
    ("each-flow", Family::EachFlow, "each flow has a limit of its own"),
    ("asked", Family::Asked, "the sender was not asked for more"),
    ("start", Family::Start, "the start of the connection decides"),
];

/// Causes that a sentence leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effect {
    /// Only causes of one of these families are left; empty for all.
    pub leaves: &'static [Family],
    /// Causes of these families are ruled out.
    pub rules_out: &'static [Family],
}

impl Effect {
    /// An effect that leaves every cause.
    pub const NONE: Effect = Effect { leaves: &[], rules_out: &[] };

    /// Returns the effect that only these are left.
    pub const fn leaves(leaves: &'static [Family]) -> Effect {
        Effect { leaves, ..Effect::NONE }
    }

    /// Returns the effect that these are ruled out.
    pub const fn rules_out(rules_out: &'static [Family]) -> Effect {
        Effect { rules_out, ..Effect::NONE }
    }

    /// True if a cause of these families is left.
    pub fn allows(&self, families: &[Family]) -> bool {
        let has = |of: &[Family]| of.iter().any(|family| families.contains(family));
        (self.leaves.is_empty() || has(self.leaves)) && !has(self.rules_out)
    }
}
