//! States of a step: what limits a transfer for that time.

use serde::Serialize;

/// What limits a transfer in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    SlowStart,
    Climbing,
    Recovering,
    Queue,
    HeldByReceiver,
    HeldBySender,
    Program,
    Silence,
    FixedRate,
    Shared,
    Other,
}

/// Number of states.
pub const STATES: usize = 11;

/// A value for each state, in the order of the table.
pub type PerState = [f64; STATES];

/// A row of the table: state, letter in the strip, name, meaning.
type Row = (State, char, &'static str, &'static str);

/// All states, in order.
pub const TABLE: [Row; STATES] = [
    (State::SlowStart, 'S', "slow start", "cwnd grows with each acknowledgment"),
    (State::Climbing, 'C', "climbing", "cwnd is full and grows; nothing has lowered it"),
    (State::Recovering, 'R', "recovering", "cwnd is full, and below its value at the last loss event or mark"),
    (State::Queue, 'Q', "queue", "the link is full, and what cwnd gains waits in its queue"),
    (State::HeldByReceiver, 'W', "held by the receiver", "the receive window is full"),
    (State::HeldBySender, 'B', "held by the sender", "the send buffer is full"),
    (State::Program, 'P', "program", "the program writes no faster"),
    (State::Silence, '_', "silence", "nothing comes through"),
    (State::FixedRate, 'F', "fixed rate", "the same rate in each step, without a queue: a policer, a shaper, a pacer"),
    (State::Shared, 'X', "shared", "cwnd is full and a queue stands, but the rate is not the link's: others use it"),
    (State::Other, '?', "other", "none of these explains what was seen"),
];

/// The states in which cwnd is not the limit.
pub const HELD: [State; 3] = [State::HeldByReceiver, State::HeldBySender, State::Program];

impl State {
    /// Returns the letter in the strip.
    pub fn letter(self) -> char {
        TABLE[self as usize].1
    }

    /// Returns the name, a few words.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].2
    }

    /// Returns what the state says about a step.
    pub fn meaning(self) -> &'static str {
        TABLE[self as usize].3
    }
}
