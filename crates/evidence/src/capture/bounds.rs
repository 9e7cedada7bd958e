//! Limits of what a capture of any size keeps in memory.

/// Most live connections; beyond that, the longest idle ones are taken as ended.
pub(super) const MOST_LIVE: usize = 1 << 16;

/// Most connections in the result; the ones with the most payload are kept.
pub(super) const MOST_KEPT: usize = 10_000;

/// Most points of a time series and most exchanges, for one connection and for all together.
const POINTS: [usize; 2] = [10_000, 250_000];
const EXCHANGES: [usize; 2] = [100_000, 1_000_000];

/// Most segments whose fate is kept, on each side of the tap, for one connection and for all.
const PACKETS: [usize; 2] = [1 << 15, 1 << 18];

/// Most outstanding pieces, and most holes, in each direction, for one connection and for all.
const PIECES: [usize; 2] = [1 << 16, 1 << 21];

/// A connection's share of the limits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shares {
    pub points: usize,
    pub exchanges: usize,
    pub packets: usize,
    pub pieces: usize,
}

impl Shares {
    /// Returns equal shares for this many connections.
    pub fn among(connections: usize) -> Shares {
        let share = |[each, all]: [usize; 2]| (all / connections.max(1)).clamp(8, each);
        Shares { points: share(POINTS), exchanges: share(EXCHANGES), packets: share(PACKETS), pieces: share(PIECES) }
    }
}
