//! FreeBSD's TCP: its timing and its effect on a path, against its sources and against formulas.

use super::{BOTH_HOSTS, SECOND, SENDER, kernel, record};
use crate::support::{Recorded, close, try_record_on};

const MS: u64 = 1_000_000;

/// TCPTV_RTOBASE, 1 s (sys/netinet/tcp_timer.h:80), then its double and so on (tcp_backoff, tcp_timer.c:260), each with 200 ms
/// on top (TCPT_RANGESET, tcp_rexmit_slop): after 1, 2.2, 4.2 and 8.2 s. A request takes the handshake's round trip and one
/// of its own; a timer ends with the tick in which it is due.
#[test]
fn a_syn_is_sent_again_when_freebsd_says() {
    let Some(kernel) = kernel() else { return };
    for (outage, syn) in [("500 ms", 1_000), ("2 s", 3_200), ("5 s", 7_400), ("10 s", 15_600)] {
        let loss = format!("loss = {{ at = [\"90 ms\"], for = \"{outage}\" }}");
        let path = format!("rate = \"100 Mbit/s\"\nrtt = \"20 ms\"\nbuffer = \"1 BDP\"\n{loss}");
        let flow = "kind = \"requests\"\nstart = \"100 ms\"\nresponse = \"1 kB\"\nrequests = 1";
        let (start, end) = record(&kernel, SENDER, &path, flow).unwrap().exchanges(0)[0];
        let most = (syn + 40) * MS + MS / 2;
        assert!((most - 4 * MS..=most).contains(&(end - start)), "outage of {outage}: {} ns", end - start);
    }
}

/// TCPTV_DELACK is hz/25, 40 ms (sys/netinet/tcp_timer.h:122): a lone segment waits for its ACK until the fortieth tick.
#[test]
fn a_lone_segment_is_acknowledged_after_40_ms() {
    let Some(kernel) = kernel() else { return };
    for (sysctl, ticks) in
        [("", 40), ("\"net.inet.tcp.delacktime\" = 100", 100), ("\"net.inet.tcp.delayed_ack\" = 0", 0)]
    {
        let hosts = format!("hosts = {{ receiver = {{ stack = \"freebsd\", sysctl = {{ {sysctl} }} }} }}");
        let path = "rate = \"100 Mbit/s\"\nrtt = \"20 ms\"\nbuffer = \"1 BDP\"";
        let run = record(&kernel, &hosts, path, "duration = \"20 s\"\nsend-rate = \"40 kbit/s\"").unwrap();
        let [rtt] = run.last(["rtt"]);
        // 1,538 bytes and the ACK's 90 take 130 us.
        let [least, most] = [20_000 + u64::saturating_sub(ticks, 1) * 1000, 20_000 + ticks * 1000 + 150];
        assert!((least..=most).contains(&rtt), "{sysctl}: SRTT of Linux's sender {rtt} us");
    }
}

/// DELAY_ACK (sys/netinet/tcp_input.c): every second segment is acknowledged at once.
#[test]
fn every_second_segment_is_acknowledged() {
    let Some(kernel) = kernel() else { return };
    let acks = |sysctl: &str| {
        let hosts = format!("hosts = {{ receiver = {{ stack = \"freebsd\", sysctl = {{ {sysctl} }} }} }}");
        let path = "rate = \"100 Mbit/s\"\nrtt = \"20 ms\"\nbuffer = \"10 BDP\"";
        let run = record(&kernel, &hosts, path, "bytes = \"4344 kB\"").unwrap();
        run.sent_by("receiver")
    };
    // 3,000 segments, SYN-ACK and FIN; the end of a burst waits for the delayed-ACK timer.
    let delayed = acks("");
    assert!((1500..=1550).contains(&delayed), "{delayed}");
    let all = acks("\"net.inet.tcp.delayed_ack\" = 0");
    assert!((3000..=3010).contains(&all), "{all}");
}

/// A link with an MTU of 1,400 bytes behind a router that sends ICMP or does not.
fn over_a_narrow_link(icmp: bool, sysctl: &str) -> Option<Recorded> {
    let kernel = kernel()?;
    let link = |between: &str, mtu: u32| {
        format!(
            "[[links]]\nbetween = [{between}]\nmtu = \"{mtu} B\"\nrate = \"100 Mbit/s\"\ndelay = \"5 ms\"\nbuffer = \"500 packets\"\n"
        )
    };
    let spec = [
        format!(
            "title = \"PMTU\"\n[hosts]\nbsd = {{ stack = \"freebsd\", sysctl = {{ {sysctl} }} }}\nlinux = {{}}\n\
             [routers]\nnear = {{ icmp = {icmp} }}\nfar = {{}}\n"
        ),
        link("\"bsd\", \"near\"", 1500),
        link("\"near\", \"far\"", 1400),
        link("\"far\", \"linux\"", 1500),
        "[[flows]]\nfrom = \"bsd\"\nto = \"linux\"\nduration = \"10 s\"\n".to_owned(),
    ]
    .concat();
    Some(try_record_on(&spec, kernel).unwrap_or_else(|error| panic!("{error}")))
}

/// RFC 1191: segments of 1,400 less 40 of headers and 12 of timestamps.
#[test]
fn a_path_mtu_is_learnt_from_icmp() {
    let Some(run) = over_a_narrow_link(true, "") else { return };
    assert_eq!(run.last(["snd_mss"]), [1348]);
    let most = 100e6 * 1348.0 / 1438.0;
    let goodput = run.goodput(5 * SECOND, 10 * SECOND);
    assert!(goodput > 0.8 * most && goodput <= 1.005 * most, "{goodput} of {most}");
}

/// With net.inet.tcp.pmtud_blackhole_detection at 0 (sys/netinet/tcp_timer.c:172) no data ever arrives. With 1 the
/// second timeout lowers the MSS to net.inet.tcp.pmtud_blackhole_mss, but only after a full segment, which for
/// tcp_output.c:767 is one without options: a timeout retransmits one segment with them (cc_cong_signal).
#[test]
fn freebsd_finds_a_black_hole_if_enabled_without_timestamps() {
    const PMTU_DETECTION: &str = "\"net.inet.tcp.pmtud_blackhole_detection\" = 1";
    for sysctl in ["", PMTU_DETECTION] {
        let Some(run) = over_a_narrow_link(false, sysctl) else { return };
        assert_eq!((run.last(["snd_mss"]), run.last_of(0, 1, ["bytes_received"])), ([1448], [0]));
    }
    let run = over_a_narrow_link(false, &format!("{PMTU_DETECTION}, \"net.inet.tcp.rfc1323\" = 0")).expect("a kernel");
    assert_eq!(run.last(["snd_mss"]), [1200]);
    assert!(run.goodput(5 * SECOND, 10 * SECOND) > 10e6);
}

/// Segments per round trip, over whole periods, with one segment in `every` lost at regular intervals.
fn window(congestion: &str, every: u64, rate: &str, rtt: f64, seconds: u64) -> Option<f64> {
    let kernel = kernel()?;
    let path =
        format!("rate = \"{rate}\"\nrtt = \"{} ms\"\nbuffer = \"4 BDP\"\nloss = {{ every = {every} }}", rtt * 1e3);
    let sysctl = "\"net.inet.tcp.reass.maxqueuelen\" = 10000, \"kern.ipc.maxsockbuf\" = 33554432, \
                  \"net.inet.tcp.sendbuf_max\" = 16777216, \"net.inet.tcp.recvbuf_max\" = 16777216";
    let hosts = BOTH_HOSTS.replace(" }", &format!(", sysctl = {{ {sysctl} }} }}"));
    let flow = format!("duration = \"{seconds} s\"\ncongestion = \"{congestion}\"");
    let run = record(&kernel, &hosts, &path, &flow).unwrap();
    Some(run.goodput(seconds / 4 * SECOND, seconds * SECOND) * rtt / 8.0 / 1448.0)
}

/// Two decades of loss. Mathis, Semke, Mahdavi and Ott 1997, for losses at regular intervals and an ACK's growth for each
/// segment: sqrt(3/2) / sqrt(p).
#[test]
fn newreno_has_its_window_over_two_decades_of_loss() {
    for (every, seconds) in [(100, 60), (1_000, 60), (10_000, 200)] {
        let Some(got) = window("newreno", every, "1 Gbit/s", 0.020, seconds) else { return };
        close(got, (1.5 * every as f64).sqrt(), 0.15, &format!("one of {every} lost"));
    }
}

/// RFC 8312, equation 6, of losses at regular intervals: 1.054 (RTT / p)^0.75, where that is more than Reno's.
#[test]
fn cubic_has_its_window_over_two_decades_of_loss() {
    for (every, seconds) in [(1_000, 60), (10_000, 120), (100_000, 300)] {
        let Some(got) = window("cubic", every, "1 Gbit/s", 0.100, seconds) else { return };
        let own = 1.054 * (0.1 * every as f64).powf(0.75);
        close(got, own.max((1.5 * every as f64).sqrt()), 0.25, &format!("one of {every} lost"));
    }
}
