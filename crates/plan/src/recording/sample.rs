//! A sample of one end of a TCP flow, as analysis and evidence read it.

use super::read::{batches, damaged, numbers};
use super::{RecordingError, SAMPLES};
use base::folder::Folder;

/// Value of snd_ssthresh before it is set (TCP_INFINITE_SSTHRESH, include/net/tcp.h).
pub const NO_SSTHRESH: u64 = 0x7fff_ffff;

/// Value of min_rtt before the first round trip (`~0U`, net/ipv4/tcp.c).
const NO_RTT: u64 = 0xffff_ffff;

/// Bits of `tcpi_options` (TCPI_OPT_*, include/uapi/linux/tcp.h).
pub mod options {
    /// Timestamps.
    pub const TIMESTAMPS: u64 = 1;
    /// Selective acknowledgments.
    pub const SACK: u64 = 2;
    /// Window scaling.
    pub const SCALED: u64 = 4;
    /// Explicit congestion notification.
    pub const ECN: u64 = 8;
}

/// Rows in memory at a time: about a megabyte.
const BATCH_ROWS: usize = 1 << 12;

macro_rules! sample {
    (every kernel: $($field:ident)* ; some: $($late:ident)*) => {
        /// A row of `samples.parquet` in the kernel's units; fields have the columns' names.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub struct Sample {
            $(pub $field: u64,)*
            /// `None` if the kernel does not fill it.
            $(pub $late: Option<u64>,)*
        }

        /// Passes each sample of a recording to `take`, in order; none if nothing was sampled.
        pub fn samples(folder: &Folder, mut take: impl FnMut(&Sample)) -> Result<(), RecordingError> {
            let path = folder.place(SAMPLES);
            let mut rows: Vec<Sample> = vec![];
            let names = [$(stringify!($field),)* $(stringify!($late),)*];
            for batch in batches(folder, SAMPLES, &names, BATCH_ROWS)? {
                let batch = batch?;
                rows.clear();
                rows.resize(batch.num_rows(), Sample::default());
                $(
                    let array = batch.column_by_name(stringify!($field));
                    let array = array.ok_or_else(|| damaged(&path, concat!("no column ", stringify!($field))))?;
                    numbers(array, |row, value| rows[row].$field = value)
                        .ok_or_else(|| damaged(&path, concat!("column ", stringify!($field), " is not numeric")))?;
                )*
                $(
                    if let Some(array) = batch.column_by_name(stringify!($late)) {
                        numbers(array, |row, value| rows[row].$late = Some(value))
                            .ok_or_else(|| damaged(&path, concat!("column ", stringify!($late), " is not numeric")))?;
                    }
                )*
                rows.iter().for_each(&mut take);
            }
            Ok(())
        }
    };
}

sample! {
    every kernel:
        flow end time options snd_mss pmtu advmss unacked sacked lost retrans rtt rttvar snd_ssthresh snd_cwnd
        ca_state total_retrans bytes_acked bytes_received bytes_sent bytes_retrans notsent_bytes min_rtt data_segs_in data_segs_out
        pacing_rate busy_time rwnd_limited sndbuf_limited dsack_dups reord_seen rcv_ooopack snd_wnd rcvbuf rmem_alloc sndbuf
        wmem_queued delivered delivered_ce;
    some:
        total_rto total_rto_time delivered_e1_bytes delivered_e0_bytes delivered_ce_bytes ecn_mode
}

impl Sample {
    /// True if a bit of `tcpi_options` is set.
    pub fn has(&self, option: u64) -> bool {
        self.options & option != 0
    }

    /// Returns the slow-start threshold, packets, once it is set.
    pub fn ssthresh(&self) -> Option<u64> {
        Some(self.snd_ssthresh).filter(|packets| *packets < NO_SSTHRESH)
    }

    /// Returns the smallest round-trip time, us, after the first round trip.
    pub fn min_rtt(&self) -> Option<u64> {
        Some(self.min_rtt).filter(|us| *us != NO_RTT)
    }
}
