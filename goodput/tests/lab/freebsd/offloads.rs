//! TSO and LRO of FreeBSD's hosts.

use super::{kernel, record};
use crate::support::assert_identical;

const PATH: &str = "rate = \"1 Gbit/s\"\nrtt = \"10 ms\"\nbuffer = \"4 BDP\"";

fn host(end: &str, offloads: &str) -> String {
    format!("hosts = {{ {end} = {{ stack = \"freebsd\", nic = \"10 Gbit/s\", {offloads} }} }}")
}

/// Whatever FreeBSD hands its interface at once, on the line are frames of the MTU, and all bytes arrive.
#[test]
fn tso_is_cut_at_the_line() {
    let Some(kernel) = kernel() else { return };
    let run = |offloads: &str| record(&kernel, &host("sender", offloads), PATH, "bytes = \"14480 kB\"").unwrap();
    for offloads in ["offloads = []", "offloads = [\"tso\"]"] {
        let run = run(offloads);
        let [received] = run.last_of(0, 1, ["bytes_received"]);
        // Linux counts the FIN.
        assert_eq!(received, 14_480_001, "{offloads}");
        let queue = run.queue(0, 0);
        let [bytes, packets] = [&queue.sent_bytes, &queue.sent_packets].map(|all| *all.last().unwrap());
        assert!((10_000..=10_040).contains(&packets), "{offloads}: {packets} packets");
        assert!(bytes <= packets * 1514, "{offloads}: {bytes} bytes in {packets} packets");
    }
    let again = || run("offloads = [\"tso\"]");
    assert_identical(again().path(), again().path());
}

/// An ACK for each merged segment of two and more (DELAY_ACK): of the 10 packets that 125 us of 1 Gbit/s bring, one.
#[test]
fn lro_merges_what_an_interrupt_brings() {
    let Some(kernel) = kernel() else { return };
    let run = |offloads: &str| record(&kernel, &host("receiver", offloads), PATH, "bytes = \"43440 kB\"").unwrap();
    let acks = |offloads: &str| {
        let run = run(offloads);
        let [received] = run.last_of(0, 1, ["bytes_received"]);
        assert_eq!(received, 43_440_000, "{offloads}");
        run.sent_by("receiver")
    };
    let each = acks("offloads = []");
    assert!((15_000..16_000).contains(&each), "{each}");
    let merged = acks("offloads = [\"lro\"], coalesce = \"125 us\"");
    assert!((30_000 / 11..30_000 / 8).contains(&merged), "{merged}");
    let again = || run("offloads = [\"lro\"]");
    assert_identical(again().path(), again().path());
}
