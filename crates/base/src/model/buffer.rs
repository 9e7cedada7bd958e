//! Windows that socket buffers give, and their limits, for each system and version.
//!
//! Sizes are bytes.

use evidence::System;
use evidence::platform::Platform;
use serde::Serialize;

/// Conversion from the space of a receive buffer to a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Scaling {
    /// Linux before 6.6, by the sysctl tcp_adv_win_scale: space - space/2^n, or space/2^-n if n is not positive
    /// (include/net/tcp.h, tcp_win_from_space).
    AdvWinScale(i8),
    /// Linux from 6.6 on, in parts of 256: data over memory in the packets received. A connection starts at
    /// [`DEFAULT_SCALING_RATIO`]; the ratio is updated whenever a larger segment arrives (net/ipv4/tcp_input.c,
    /// tcp_measure_rcv_mss).
    Ratio(u8),
    /// FreeBSD: the buffer counts the bytes of data.
    Bytes,
}

/// Ratio at which each connection starts (include/net/tcp.h, TCP_DEFAULT_SCALING_RATIO).
pub const DEFAULT_SCALING_RATIO: u8 = 128;

/// Returns the ratio of packets with `len` bytes of data in `truesize` bytes of memory. For 1448 B in a driver's
/// buffer of 2 KiB with its skb of 256 B it is 160 (63 %), in one of 4 KiB 85 (33 %); GRO merges buffers and keeps the
/// ratio.
pub fn ratio(len: u32, truesize: u32) -> u8 {
    (u64::from(len) * 256 / u64::from(truesize.max(1))).clamp(1, 255) as u8
}

/// Returns the window of a receive buffer.
pub fn window(space: u64, scaling: Scaling) -> u64 {
    match scaling {
        Scaling::AdvWinScale(n @ 1..) => space - space.checked_shr(n as u32).unwrap_or(0),
        Scaling::AdvWinScale(n) => space.checked_shr(u32::from(n.unsigned_abs())).unwrap_or(0),
        Scaling::Ratio(parts) => (u128::from(space) * u128::from(parts) / 256) as u64,
        Scaling::Bytes => space,
    }
}

/// Returns the smallest receive buffer with this window; `u64::MAX` if there is none.
pub fn space(window: u64, scaling: Scaling) -> u64 {
    let (wide, one) = (u128::from(window), 1u128);
    let found = match scaling {
        // space - floor(space/2^n) = ceil(space (2^n - 1)/2^n), and has reached the window at this space.
        Scaling::AdvWinScale(n @ 1..) => {
            (wide.saturating_sub(1) << n.min(63)) / ((one << n.min(63)) - 1) + one.min(wide)
        }
        Scaling::AdvWinScale(n) => wide << n.unsigned_abs().min(63),
        Scaling::Ratio(parts) => (wide * 256).div_ceil(u128::from(parts.max(1))),
        Scaling::Bytes => wide,
    };
    u64::try_from(found).unwrap_or(u64::MAX)
}

/// Largest window that TCP can announce: 65535 times 2^14 (RFC 7323, 2.3).
pub const LARGEST_WINDOW: u64 = 65_535 << 14;

/// Largest buffer that a sysctl of either system takes: an int.
pub const LARGEST_BUFFER: u64 = i32::MAX as u64;

/// Space for headers that Linux reserves in each segment, bytes (include/net/tcp.h, MAX_TCP_HEADER): 128 and
/// MAX_HEADER of include/linux/netdevice.h in whole cache lines. A kernel with wireless drivers, as distributions
/// deliver it, has 320; one without has 256, like the laboratory's and many in clouds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderRoom {
    /// CONFIG_WLAN is set.
    Wireless = 320,
    /// CONFIG_WLAN is not set.
    Wired = 256,
}

/// Returns the memory that Linux counts for each segment of cwnd when it sizes a send buffer (net/ipv4/tcp_input.c,
/// tcp_sndbuf_expand): payload, space for headers and 320 B of skb_shared_info, up to a power of two, and an skb of
/// 256 B. At an MSS of 1448 it is 4352 B with wireless drivers and 2304 B without.
pub(crate) fn send_truesize(mss: u64, headers: HeaderRoom) -> u64 {
    let data = mss.saturating_add(headers as u64 + 320);
    data.checked_next_power_of_two().unwrap_or(u64::MAX).saturating_add(256)
}

/// Returns the send buffer that Linux wants for a cwnd of so many segments, before tcp_wmem caps it: space for two
/// windows, and for at least ten segments.
pub(crate) fn autotuned_send(segments: u64, mss: u64, headers: HeaderRoom) -> u64 {
    send_truesize(mss, headers).saturating_mul(segments.max(10)).saturating_mul(2)
}

/// Returns the largest share of a send buffer that cwnd takes while autotuning sizes it, for any kernel: 0.31 at an
/// MSS of 1448.
pub fn autotuned_share(mss: f64) -> f64 {
    mss / autotuned_send(10, mss as u64, HeaderRoom::Wired) as f64 * 10.0
}

/// Bytes of send buffer to provide for each byte in it, on Linux. An skb takes about 1280 B in addition to its data
/// (net/ipv4/tcp.c, tcp_stream_alloc_skb): 0.9 of one segment of 1448 B, 0.02 of the 64 kB that TSO puts together.
pub const SEND_OVERHEAD: u64 = 2;

/// Returns the part of kern.ipc.maxsockbuf that a FreeBSD buffer can have: 2048 of 2048 + 256, a cluster of a cluster
/// and its mbuf (sys/kern/uipc_sockbuf.c, sb_max_adj). A buffer that would grow beyond it does not grow.
pub fn maxsockbuf_usable(maxsockbuf: u64) -> u64 {
    (u128::from(maxsockbuf) * 2048 / 2304) as u64
}

/// Returns the smallest kern.ipc.maxsockbuf for a buffer.
pub fn maxsockbuf_for(buffer: u64) -> u64 {
    u64::try_from((u128::from(buffer) * 2304).div_ceil(2048)).unwrap_or(u64::MAX)
}

/// Returns pages of 4 KiB, in which Linux counts tcp_mem.
pub fn pages(bytes: u64) -> u64 {
    bytes.div_ceil(4096)
}

/// Share of the memory free at boot in the third value of tcp_mem (net/ipv4/tcp.c, tcp_init_mem): 1.5/16.
pub const TCP_MEM_MOST: f64 = 1.5 / 16.0;

/// Default limits of a system's buffers.
#[derive(Debug, PartialEq, Serialize)]
pub struct Limits {
    pub system: System,
    /// First version with these limits.
    pub since: &'static str,
    /// Initial receive buffer: `tcp_rmem[1]`; recvspace.
    pub receive_first: u64,
    /// Largest receive buffer by autotuning: `tcp_rmem[2]`, and on machines with less than 768 MiB a 128th of their
    /// memory; recvbuf_max.
    pub receive: u64,
    /// Initial send buffer: `tcp_wmem[1]`; sendspace.
    pub send_first: u64,
    /// Largest send buffer by autotuning: `tcp_wmem[2]`; sendbuf_max.
    pub send: u64,
    /// Largest buffer that a program can request: rmem_max and wmem_max, which the kernel doubles; maxsockbuf.
    pub asked: u64,
    /// Conversion from buffer to window.
    pub scaling: Scaling,
    pub source: &'static str,
}

impl Limits {
    /// Returns a platform's default limits; the oldest known ones for earlier versions.
    pub fn for_platform(platform: &Platform) -> &'static Limits {
        let mut known = LIMITS.iter().filter(|limits| limits.system == platform.system);
        known.clone().rfind(|limits| platform.is_since(limits.since)).or_else(|| known.next()).unwrap_or(&LIMITS[0])
    }

    /// Returns the largest window of a connection without any setting.
    pub fn window(&self) -> u64 {
        let space = match self.system {
            System::Linux => self.receive,
            System::FreeBsd => self.receive.min(maxsockbuf_usable(self.asked)),
        };
        window(space, self.scaling).min(LARGEST_WINDOW)
    }

    /// Returns the most data that a send buffer can contain without any setting, with TSO.
    pub fn in_flight(&self) -> u64 {
        match self.system {
            System::Linux => self.send,
            System::FreeBsd => self.send.min(maxsockbuf_usable(self.asked)),
        }
    }
}

const MIB: u64 = 1 << 20;

/// Default limits; the oldest of each system first.
pub const LIMITS: &[Limits] = &[
    Limits {
        system: System::Linux,
        since: "2.6.17",
        receive_first: 87_380,
        receive: 4 * MIB,
        send_first: 16_384,
        send: 4 * MIB,
        asked: 124_928,
        scaling: Scaling::AdvWinScale(2),
        source: "CentOS 6, 2.6.32, as its users print it",
    },
    Limits {
        system: System::Linux,
        since: "3.4",
        receive_first: 87_380,
        receive: 6 * MIB,
        send_first: 16_384,
        send: 4 * MIB,
        asked: 212_992,
        scaling: Scaling::AdvWinScale(1),
        source: "CentOS 7, 3.10, as its users print it; 3.4 is the commit b49960a05e32, from memory",
    },
    Limits {
        system: System::Linux,
        since: "4.20",
        receive_first: 131_072,
        receive: 6 * MIB,
        send_first: 16_384,
        send: 4 * MIB,
        asked: 212_992,
        scaling: Scaling::AdvWinScale(1),
        source: "Linux 6.1, net/ipv4/tcp.c and net/core/sock.c; 4.20 from memory",
    },
    Limits {
        system: System::Linux,
        since: "6.6",
        receive_first: 131_072,
        receive: 6 * MIB,
        send_first: 16_384,
        send: 4 * MIB,
        asked: 212_992,
        scaling: Scaling::Ratio(DEFAULT_SCALING_RATIO),
        source: "Linux 6.12, net/ipv4/tcp.c and net/core/sock.c",
    },
    Limits {
        system: System::Linux,
        since: "6.16",
        receive_first: 131_072,
        receive: 32 * MIB,
        send_first: 16_384,
        send: 4 * MIB,
        asked: 212_992,
        scaling: Scaling::Ratio(DEFAULT_SCALING_RATIO),
        source: "commit 572be9bf9d0d",
    },
    Limits {
        system: System::Linux,
        since: "6.18",
        receive_first: 131_072,
        receive: 32 * MIB,
        send_first: 16_384,
        send: 4 * MIB,
        asked: 4 * MIB,
        scaling: Scaling::Ratio(DEFAULT_SCALING_RATIO),
        source: "a host with 6.18; Linux 7.3, net/ipv4/tcp.c and net/core/sock.c",
    },
    Limits {
        system: System::FreeBsd,
        since: "13.0",
        receive_first: 65_536,
        receive: 2 * MIB,
        send_first: 32_768,
        send: 2 * MIB,
        asked: 2 * MIB,
        scaling: Scaling::Bytes,
        source: "sysctl -a of 15.0-CURRENT of December 2023; sys/sys/sockbuf.h",
    },
    Limits {
        system: System::FreeBsd,
        since: "15.0",
        receive_first: 65_536,
        receive: 8 * MIB,
        send_first: 32_768,
        send: 8 * MIB,
        asked: 2 * MIB,
        scaling: Scaling::Bytes,
        source: "tcp_output.c 0c964205c6ad of main; that 15.0 has it, and its maxsockbuf, are not checked",
    },
];
