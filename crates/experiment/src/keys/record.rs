//! Keys of `[record]`.

use crate::key::{key, keys};
use crate::takes::{Boolean, BoundedQuantity, DAY, time};

keys! {
    /// `[record]`
    pub struct Record {
        interval: BoundedQuantity = key("interval", time(100_000, 10_000_000_000))
            .meaning("from one sample to the next"), else 10_000_000;
        acks: Boolean = key("acks", Boolean).meaning("[a row for each ACK](recording.md#acksparquet)"), else false;
        drops: Boolean = key("drops", Boolean).meaning("[a row for each drop](recording.md#dropsparquet)"), else false;
        limit: BoundedQuantity = key("limit", time(1, DAY))
            .limit(", at least up to the last planned end or start")
            .default(
                "10 s after the last planned end or start; if a flow ends by volume, or a command runs in the \
                 foreground, 1 hour after the last start if that is later",
            )
            .meaning("when the trial fails if it has not ended");
    }
}
