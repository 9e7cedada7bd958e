//! From a set-up as written to a scene in which nothing is open. Every default is here.

use super::keys::MSS_MIN;
use super::leaf::MOST_QUEUED;
use super::reader::Reader;
use super::written::{self, Hosts, Setup};
use crate::plan::{Buffer, End, Flow, Host, Lane, Link, Loss, Record, Scene};
use crate::unit::{MICRO, ONE, SIZE, TIME, Wrong};
use std::net::Ipv4Addr;
use toml::Spanned;

/// What every host is given first, so that a result does not hang on the memory of the machine that computes it: the
/// defaults of Linux 6.16 and later on a host with 4 GiB or more (Documentation/networking/ip-sysctl.rst).
/// No connection learns from an earlier one.
pub const BASELINE: &[(&str, &str)] = &[
    ("net.ipv4.tcp_no_metrics_save", "1"),
    ("net.ipv4.tcp_rmem", "4096 131072 33554432"),
    ("net.ipv4.tcp_wmem", "4096 16384 4194304"),
];

const SENDER: (&str, Ipv4Addr) = ("sender", Ipv4Addr::new(10, 0, 0, 1));
const RECEIVER: (&str, Ipv4Addr) = ("receiver", Ipv4Addr::new(10, 0, 0, 2));

const MTU: u64 = 1500;
/// FCS, preamble with start delimiter, and inter-frame gap: 4, 8 and 12 bytes (IEEE 802.3).
const OVERHEAD: u64 = 24;
/// The Ethernet header, which the kernel counts as part of a packet.
const HEADER: u64 = 14;
/// Headers of IPv4 and TCP without options.
const HEADERS: u64 = 40;
const NIC: u64 = 10_000_000_000;
const CONGESTION: &str = "cubic";
const INTERVAL: u64 = 10_000_000;
/// How long a trial may go on after the last flow with a duration should have ended.
const GRACE: u64 = 10_000_000_000;
/// How long flows that carry a number of bytes may take.
const PATIENCE: u64 = 3_600_000_000_000;

/// The scene of a set-up, before the starts of its flows are spread.
pub fn scene(reader: &Reader, setup: &Setup, spread: u64) -> Scene {
    let Setup { path, hosts, flows, record } = setup;
    let mtu = path.mtu.unwrap_or(MTU);
    let flows: Vec<Flow> = flows.iter().flat_map(|flow| connections(reader, flow, mtu)).collect();
    Scene {
        hosts: both(hosts, mtu, *path.rate.get_ref()),
        links: vec![link(reader, path, mtu)],
        record: recorded(reader, record, &flows, spread),
        flows,
    }
}

fn both(hosts: &Hosts, mtu: u64, rate: u64) -> Vec<Host> {
    let Hosts { both, sender, receiver } = hosts;
    let nic = NIC.max(if rate > NIC / 10 { rate * 10 } else { 0 });
    let host = |(name, address): (&str, Ipv4Addr), own: &written::Host| {
        let written::Host { nic: own_nic, sysctls } = own;
        Host {
            name: name.to_owned(),
            address,
            mtu: mtu as u32,
            nic: own_nic.or(both.nic).unwrap_or(Some(nic)),
            sysctls: settled(both.sysctls.iter().chain(sysctls)),
        }
    };
    vec![host(SENDER, sender), host(RECEIVER, receiver)]
}

/// The baseline and what was written, each name once, where it first stands, with its last value.
fn settled<'s>(written: impl Iterator<Item = &'s (String, String)>) -> Vec<(String, String)> {
    let mut settled: Vec<(String, String)> = BASELINE.iter().map(|&(n, v)| (n.to_owned(), v.to_owned())).collect();
    for (name, value) in written {
        match settled.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => old.clone_from(value),
            None => settled.push((name.clone(), value.clone())),
        }
    }
    settled
}

fn link(reader: &Reader, path: &written::Path, mtu: u64) -> Link {
    let written::Path { rate, rtt, buffer, loss, mtu: _, overhead } = path;
    let (rate, rtt) = (*rate.get_ref(), *rtt.get_ref());
    let lane = |delay, loss| Lane {
        delay,
        loss,
        rate,
        overhead: overhead.unwrap_or(OVERHEAD) as u32,
        buffer: queue(reader, buffer, rate, rtt, mtu),
    };
    let loss = match *loss {
        None => Loss::None,
        Some(written::Loss::Random(0)) => Loss::None,
        Some(written::Loss::Random(share)) => Loss::Random(share as f64 / ONE as f64),
        Some(written::Loss::Every(n)) => Loss::Every(n as u32),
    };
    Link {
        ends: [SENDER.0.to_owned(), RECEIVER.0.to_owned()],
        forward: lane(rtt - rtt / 2, loss),
        backward: lane(rtt / 2, Loss::None),
    }
}

fn queue(reader: &Reader, buffer: &Spanned<written::Buffer>, rate: u64, rtt: u64, mtu: u64) -> Buffer {
    let bytes = match *buffer.get_ref() {
        written::Buffer::Packets(packets) => return Buffer::Packets(packets),
        written::Buffer::Bytes(bytes) => bytes,
        written::Buffer::Bdp(share) => product(rate, rtt, share),
    };
    let wrong = |what| Wrong::new(format!("buffer {} {what}", reader.literal(buffer.span())));
    let here = |wrong: Wrong| match buffer.get_ref() {
        written::Buffer::Bdp(_) => wrong.note(format!("that is {} on this path", SIZE.show(bytes))),
        _ => wrong,
    };
    if bytes < mtu + HEADER {
        let least = format!("at least {} B: the mtu and {HEADER} B of Ethernet header", mtu + HEADER);
        reader.fault(buffer.span(), here(wrong("does not hold one packet")).accepted(least));
    }
    if bytes > MOST_QUEUED {
        let most = format!("at most {}", SIZE.show(MOST_QUEUED));
        reader.fault(buffer.span(), here(wrong("is too large")).accepted(most));
    }
    Buffer::Bytes(bytes)
}

/// So many millionths of rate times rtt, in whole bytes, to the nearest.
fn product(rate: u64, rtt: u64, share: u64) -> u64 {
    const BITS_NS: u128 = 8 * 1_000_000_000;
    let bits_ns = u128::from(rate) * u128::from(rtt) * u128::from(share) / u128::from(MICRO);
    u64::try_from((bits_ns + BITS_NS / 2) / BITS_NS).unwrap_or(u64::MAX)
}

fn connections(reader: &Reader, flow: &written::Flow, mtu: u64) -> impl Iterator<Item = Flow> + use<> {
    let written::Flow { congestion, count, start, end, send_buffer, receive_buffer, mss } = flow;
    if let Some(mss) = mss.as_ref().filter(|mss| *mss.get_ref() > mtu - HEADERS) {
        let wrong = Wrong::new(format!("mss {} does not fit the mtu", reader.literal(mss.span())));
        let most = format!("{MSS_MIN} B to {} B: the mtu of {mtu} B less {HEADERS} B of headers", mtu - HEADERS);
        reader.fault(mss.span(), wrong.accepted(most));
    }
    let connection = Flow {
        from: SENDER.0.to_owned(),
        to: RECEIVER.0.to_owned(),
        congestion: congestion.clone().unwrap_or_else(|| CONGESTION.to_owned()),
        start: start.unwrap_or(0),
        end: *end,
        send_buffer: *send_buffer,
        receive_buffer: *receive_buffer,
        mss: mss.as_ref().map(|mss| *mss.get_ref() as u32),
    };
    std::iter::repeat_n(connection, count.unwrap_or(1) as usize)
}

fn recorded(reader: &Reader, record: &written::Record, flows: &[Flow], spread: u64) -> Record {
    let written::Record { interval, acks, drops, limit } = record;
    let timed = |flow: &Flow| match flow.end {
        End::Duration(duration) => Some(flow.start + duration + spread),
        End::Bytes(_) => None,
    };
    let last = flows.iter().filter_map(timed).max().unwrap_or(0);
    let started = flows.iter().map(|flow| flow.start + spread).max().unwrap_or(0);
    if let Some(limit) = limit {
        check_limit(reader, limit, last.max(started));
    }
    let counted = flows.iter().any(|flow| matches!(flow.end, End::Bytes(_)));
    let patience = if counted { started + PATIENCE } else { 0 };
    Record {
        interval: interval.unwrap_or(INTERVAL),
        acks: acks.unwrap_or(false),
        drops: drops.unwrap_or(false),
        limit: limit.as_ref().map_or(patience.max(last + GRACE), |limit| *limit.get_ref()),
    }
}

fn check_limit(reader: &Reader, limit: &Spanned<u64>, last: u64) {
    if *limit.get_ref() < last {
        let wrong = Wrong::new(format!("limit {} is over before the flows are", reader.literal(limit.span())));
        reader.fault(limit.span(), wrong.accepted(format!("at least {}, spread included", TIME.show(last))));
    }
}

/// How much later the flow of that number starts with that seed: a uniform draw from 0 up to `spread`.
pub fn jitter(seed: u64, flow: usize, spread: u64) -> u64 {
    let draw = splitmix64(splitmix64(seed).wrapping_add(flow as u64));
    ((u128::from(draw) * u128::from(spread)) >> 64) as u64
}

/// The output function of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
fn splitmix64(state: u64) -> u64 {
    let z = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix64_gives_its_published_first_outputs() {
        // The reference code's first two outputs from the state 0, whose increments are those of the function's constant.
        assert_eq!(splitmix64(0), 0xE220_A839_7B1D_CDAF);
        assert_eq!(splitmix64(0x9E37_79B9_7F4A_7C15), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn jitter_fills_the_spread_evenly() {
        let draws: Vec<u64> = (0..1000).map(|seed| jitter(seed, 0, 1000)).collect();
        assert!(draws.iter().all(|&draw| draw < 1000));
        let mean = draws.iter().sum::<u64>() / 1000;
        // The standard error of the mean of 1000 uniform draws from 0 to 1000 is 9.
        assert!((470..530).contains(&mean), "{mean}");
        assert_eq!(jitter(1, 0, 0), 0);
    }

    #[test]
    fn the_product_is_rounded_to_the_nearest_byte() {
        assert_eq!(product(1_000_000_000, 210_000_000, MICRO), 26_250_000);
        assert_eq!(product(12, 1_000_000_000, MICRO), 2);
        assert_eq!(product(100_000_000_000_000, 86_400_000_000_000, 1000 * MICRO), u64::MAX);
    }
}
