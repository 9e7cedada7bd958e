//! What a capture may keep in memory, whatever its size.

/// Live connections; of more, those idle longest are taken as ended.
pub(super) const MOST_LIVE: usize = 1 << 16;

/// Connections of the result: those with the most payload.
pub(super) const MOST_KEPT: usize = 10_000;

/// What a connection keeps over time, and what all of them keep together.
const POINTS: [usize; 2] = [10_000, 250_000];
const EXCHANGES: [usize; 2] = [100_000, 1_000_000];

/// Segments whose fate is kept, on each side of the tap.
const PACKETS: [usize; 2] = [1 << 15, 1 << 18];

/// Outstanding pieces, and holes, in each direction.
const PIECES: [usize; 2] = [1 << 16, 1 << 21];

/// A connection's share of what all may keep.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shares {
    pub points: usize,
    pub exchanges: usize,
    pub packets: usize,
    pub pieces: usize,
}

impl Shares {
    /// Equal shares for that many connections.
    pub fn among(connections: usize) -> Shares {
        let share = |[each, all]: [usize; 2]| (all / connections.max(1)).clamp(8, each);
        Shares { points: share(POINTS), exchanges: share(EXCHANGES), packets: share(PACKETS), pieces: share(PIECES) }
    }
}
