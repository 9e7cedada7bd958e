//! Records of FreeBSD's connections, besides the columns that Linux has too.

use super::{BOTH_HOSTS, SECOND, SENDER, called, kernel, record};
use crate::support::Recorded;
use lab::kernel::Entry;
use plan::recording::{ACKS, FREEBSD, SAMPLES};

/// Rows of columns at one end of flow 0.
fn rows<const N: usize>(run: &Recorded, which: u64, names: [&str; N]) -> Vec<[u64; N]> {
    let [end] = run.columns(FREEBSD, ["end"]);
    let columns = run.columns(FREEBSD, names);
    let rows = (0..end.len()).filter(|row| end[*row] == which);
    rows.map(|row| std::array::from_fn(|column| columns[column][row])).collect()
}

/// tcp_compute_pipe() (sys/netinet/tcp_input.c): bytes sent that are neither acknowledged nor SACKed, plus
/// retransmissions. Outside recovery a sender with data fills its window to within one segment.
#[test]
fn pipe_and_window_agree() {
    let Some(kernel) = kernel() else { return };
    let path = "rate = \"50 Mbit/s\"\nrtt = \"20 ms\"\nbuffer = \"1 BDP\"\nloss = \"0.1 %\"";
    let run = record(&kernel, BOTH_HOSTS, path, "duration = \"20 s\"\ncongestion = \"newreno\"").unwrap();
    let names = ["pipe", "snd_cwnd", "recovery", "sack_holes", "sacked", "sack_rexmit", "dupacks"];
    let sent = rows(&run, 0, names);
    let open = |row: &&[u64; 7]| row[2] == 0 && row[3] == 0;
    let full = |row: &&[u64; 7]| row[0] <= row[1] && row[0] + 2 * 1448 > row[1];
    let (all, filled) = (sent.iter().filter(open).count(), sent.iter().filter(open).filter(full).count());
    assert!(all > 500 && filled * 100 >= all * 95, "{filled} of {all}");
    // RFC 6675: recovery begins with the third duplicate ACK, or SACKs equal to it.
    let recovering: Vec<_> = sent.iter().filter(|row| row[2] & 1 == 1).collect();
    assert!(recovering.len() > 20, "{}", recovering.len());
    assert!(recovering.iter().any(|row| row[3] > 0 && row[4] > 0 && row[5] > 0 && row[6] >= 3));
    assert!(sent.iter().all(|row| row[3] > 0 || row[5] == 0), "retransmitted into no hole");
    // Packets in the columns that Linux has too.
    let [unacked, end] = run.columns(SAMPLES, ["unacked", "end"]);
    let packets: Vec<u64> = unacked.into_iter().zip(end).filter(|(_, end)| *end == 0).map(|(n, _)| n).collect();
    assert_eq!(packets.len(), sent.len());
    let same = packets.iter().zip(&sent).all(|(n, row)| (row[0] + row[4] - row[5]).div_ceil(1448) == *n);
    assert!(same, "pipe is what is outstanding");
}

/// Sampling more often changes nothing: rows of every 10 ms are also among the rows of every 100 us.
#[test]
fn samples_every_100_us_change_nothing() {
    let Some(kernel) = kernel() else { return };
    let sampled = |interval: &str| {
        let path = "rate = \"100 Mbit/s\"\nrtt = \"10 ms\"\nbuffer = \"1 BDP\"\nloss = \"0.2 %\"";
        let flow = format!("duration = \"2 s\"\ncongestion = \"cubic\"\n[record]\ninterval = \"{interval}\"");
        let run = record(&kernel, BOTH_HOSTS, path, &flow).unwrap();
        rows(&run, 0, ["time", "snd_cwnd", "snd_ssthresh", "pipe", "sack_holes", "cubic_w_max"])
    };
    let [often, seldom] = [sampled("100 us"), sampled("10 ms")];
    let pause = |pair: &[[u64; 6]]| pair[1][0] - pair[0][0];
    assert!(often.len() > 19_000 && often.windows(2).all(|pair| pause(pair) <= 100_000), "{} rows", often.len());
    assert!(seldom.len() > 190 && seldom.windows(2).all(|pair| pause(pair) <= 10_000_000), "{} rows", seldom.len());
    let missing: Vec<_> = seldom.iter().filter(|row| often.binary_search(row).is_err()).collect();
    assert!(missing.is_empty(), "of {} rows {missing:?}", seldom.len());
}

/// net.inet.tcp.reass.maxqueuelen (sys/netinet/tcp_reass.c:990) counts runs of segments with gaps before them: of 150 that every
/// second lost packet makes, 100.
#[test]
fn a_receiver_holds_100_runs_out_of_order() {
    let Some(kernel) = kernel() else { return };
    let every_second: Vec<String> = (0..150).map(|n| (1_500 + 2 * n).to_string()).collect();
    let path = format!(
        "rate = \"100 Mbit/s\"\nrtt = \"40 ms\"\nbuffer = \"4 BDP\"\nloss = {{ packets = [{}] }}",
        every_second.join(", ")
    );
    for (sysctl, most) in [("", 100), ("\"net.inet.tcp.reass.maxqueuelen\" = 1000", 150)] {
        let hosts = BOTH_HOSTS.replace(" }", &format!(", sysctl = {{ {sysctl} }} }}"));
        let run = record(&kernel, &hosts, &path, "duration = \"5 s\"\ncongestion = \"newreno\"").unwrap();
        let held = rows(&run, 1, ["reassembly"]).into_iter().map(|[held]| held).max().unwrap();
        assert!((most - 2..=most).contains(&held), "{sysctl}: {held}");
    }
}

/// The recording has a row for each ACK that reaches the sender, except the SYN's; in slow start each lets cwnd grow by
/// two segments at most (RFC 3465, net.inet.tcp.abc_l_var).
#[test]
fn each_ack_has_a_row() {
    let Some(kernel) = kernel() else { return };
    for hosts in [BOTH_HOSTS, SENDER] {
        let path = "rate = \"100 Mbit/s\"\nrtt = \"40 ms\"\nbuffer = \"4 BDP\"";
        let flow = "bytes = \"1500 kB\"\ncongestion = \"newreno\"\n[record]\nacks = true";
        let run = record(&kernel, hosts, path, flow).unwrap();
        let [flows, cwnd, acked, lost] = run.columns(ACKS, ["flow", "cwnd", "bytes_acked", "lost_out"]);
        let arrived = run.device("sender", "nic").rx_packets - 1;
        // The FIN's ACKs come when the flow is over.
        assert!(cwnd.len() as u64 <= arrived && cwnd.len() as u64 + 4 >= arrived, "{} of {arrived}", cwnd.len());
        assert_eq!((flows.iter().max(), cwnd[0], acked[0]), (Some(&0), 10, 0), "{hosts}");
        assert!(acked.windows(2).all(|pair| pair[0] <= pair[1]));
        assert!(cwnd.windows(2).all(|pair| pair[1] <= pair[0] + 2), "{hosts}: {cwnd:?}");
        assert!(*cwnd.last().unwrap() > 500, "{hosts}: slow start");
        assert!(lost.iter().all(|n| *n == 0), "absent");
    }
}

/// net.inet.tcp.functions_default, here a host's own. BBR keeps the queue short that loss-based control fills (Cardwell and
/// others 2016); RACK finds lost retransmissions without a timer (RFC 8985).
#[test]
fn a_host_runs_rack_or_bbr() {
    let Some(kernel) = kernel() else { return };
    let with = |functions: &str, path: &str, flow: &str| {
        let sysctl = format!("\"net.inet.tcp.functions_default\" = \"{functions}\"");
        let hosts = format!("hosts = {{ sender = {{ stack = \"freebsd\", sysctl = {{ {sysctl} }} }} }}");
        record(&kernel, &hosts, path, flow)
    };
    let path = "rate = \"100 Mbit/s\"\nrtt = \"20 ms\"\nbuffer = \"1 BDP\"";
    let queue = |functions: &str| {
        let run = with(functions, path, "duration = \"10 s\"").unwrap();
        let goodput = run.goodput(5_000_000_000, 10_000_000_000);
        assert!(goodput > 0.9e8 * 1448.0 / 1538.0, "{functions}: {goodput}");
        let queue = run.queue(0, 0);
        queue.packets.iter().sum::<u64>() as f64 / queue.packets.len() as f64
    };
    let [default, rack, bbr] = ["freebsd", "rack", "bbr"].map(queue);
    assert!(bbr < 0.5 * default && bbr < 0.5 * rack, "packets: default {default}, RACK {rack}, BBR {bbr}");

    // 3 of 100 packets are lost, and 3 % of their retransmissions again: one timeout of 230 ms in 1,111 packets, which
    // RACK avoids.
    let path = "rate = \"1 Gbit/s\"\nrtt = \"200 us\"\nbuffer = \"100 packets\"\nloss = \"3 %\"";
    let goodput = |functions: &str| {
        let run = with(functions, path, "duration = \"20 s\"\ncongestion = \"newreno\"").unwrap();
        run.goodput(1_000_000_000, 20_000_000_000)
    };
    let most = 1_111.0 * 1448.0 * 8.0 / 0.230;
    let [default, rack] = ["freebsd", "rack"].map(goodput);
    assert!(default < 1.2 * most && rack > 1.2 * most, "default {default}, RACK {rack}, of {most}");
    let unknown = with("none", path, "bytes = \"1 kB\"").map(drop).unwrap_err().to_string();
    assert!(unknown.contains("net.inet.tcp.functions_default"), "{unknown}");
}

/// The filter of SACK blocks takes an ACK of 2^31 bytes before for one that is ahead
/// (sys/netinet/tcp_stacks/sack_filter.c). At 117.7 MB/s that takes 18.3 s: until then the send buffer fits the path
/// and its queue, and nothing is lost. Then one packet in 50 is. If its retransmission is lost too, and SACKs are
/// ignored, each probe sends new data, and nothing times out.
#[test]
fn rack_sends_on_after_2_gb_without_loss_if_its_filter_is_told() {
    let (Some(plain), Some(patched)) = (kernel(), called("freebsd-rack")) else { return };
    let goodput = |kernel: &Entry| {
        let sysctl = "\"net.inet.tcp.functions_default\" = \"rack\", \"kern.ipc.maxsockbuf\" = 10485760, \
                      \"net.inet.tcp.sendbuf_max\" = 8388608";
        let rmem = "\"net.ipv4.tcp_rmem\" = \"4096 131072 31457280\"";
        let hosts = format!(
            "hosts = {{ sender = {{ stack = \"freebsd\", sysctl = {{ {sysctl} }} }}, receiver = {{ sysctl = {{ {rmem} }} }} }}"
        );
        let [some, none, again] = [("1 s", 1), ("1.1 s", 0), ("21 s", 2)]
            .map(|(at, share)| format!("{{ at = \"{at}\", loss = \"{share} %\" }}"));
        let path =
            format!("rate = \"1 Gbit/s\"\nrtt = \"2 ms\"\nbuffer = \"40 BDP\"\nchanges = [{some}, {none}, {again}]");
        let run = record(kernel, &hosts, &path, "duration = \"30 s\"\ncongestion = \"newreno\"").unwrap();
        let before = run.goodput(2 * SECOND, 21 * SECOND);
        assert!(before * 19.0 / 8.0 > (1_u64 << 31) as f64, "{before} bit/s before");
        run.goodput(25 * SECOND, 30 * SECOND)
    };
    // Mathis, Semke, Mahdavi and Ott 1997
    let law = 1.5_f64.sqrt() * 1448.0 * 8.0 / (0.002 * 0.02_f64.sqrt());
    let [silent, told] = [&plain, &patched].map(goodput);
    assert!(told > 0.5 * law, "{told} bit/s, the law says {law}");
    assert!(silent < 0.05 * law, "13.0 as it is: {silent} bit/s, with the patch {told}");
}
