//! FreeBSD's congestion controls, with ECN and without, each against its paper.

use super::{BOTH_HOSTS, PAYLOAD_SHARE, RECEIVER, SECOND, SENDER, kernel, record};
use crate::support::{Recorded, close};
use plan::recording::FREEBSD;

fn mean_queue(run: &Recorded) -> f64 {
    let packets = &run.queue(0, 0).packets;
    packets.iter().sum::<u64>() as f64 / packets.len() as f64
}

fn share_of(run: &Recorded, rate: f64) -> f64 {
    run.goodput(10 * SECOND, 30 * SECOND) / (rate * PAYLOAD_SHARE)
}

/// Vegas keeps 1 to 3 segments queued (Brakmo and Peterson 1995; cc_vegas.c). CDG, CHD and HD back off when delays grow
/// (Hayes and Armitage 2011; 2010; Budzisz and others 2009). All use the link, and queue less than a tenth of what
/// controls that fill a buffer of four BDPs queue. FreeBSD's Vegas measures RTTs in ticks of 1 ms (h_ertt.c): if most
/// span one tick more than the shortest, it keeps 1 to 3 segments of 21 back, a window of 21 to 63 segments of the 83
/// that fill the link.
#[test]
fn those_that_heed_delay_keep_the_queue_short() {
    let Some(kernel) = kernel() else { return };
    let run = |congestion: &str| {
        let path = "rate = \"50 Mbit/s\"\nrtt = \"20 ms\"\nbuffer = \"4 BDP\"";
        let run =
            record(&kernel, SENDER, path, &format!("duration = \"30 s\"\ncongestion = \"{congestion}\"")).unwrap();
        let names = run.texts(FREEBSD, "congestion");
        assert!(names.iter().all(|name| name == congestion), "{names:?}");
        (share_of(&run, 50e6), mean_queue(&run))
    };
    for congestion in ["newreno", "cubic", "htcp"] {
        let (share, queue) = run(congestion);
        assert!(share > 0.97 && queue > 83.0, "{congestion}: {share} of the line, {queue} packets queued");
    }
    for (congestion, least) in [("vegas", 21.0 / 83.0), ("cdg", 0.8), ("chd", 0.8), ("hd", 0.8)] {
        let (share, queue) = run(congestion);
        assert!(share > least && queue < 20.0, "{congestion}: {share} of the line, {queue} packets queued");
    }
}

/// RFC 3168, with FreeBSD at either end and at both: the queue marks packets instead of dropping them, and the window
/// is halved all the same.
#[test]
fn a_mark_is_heeded_in_place_of_a_drop() {
    let Some(kernel) = kernel() else { return };
    let path = "rate = \"100 Mbit/s\"\nrtt = \"20 ms\"\nbuffer = \"5000 packets\"\n\
                queue = { discipline = \"codel\", ecn = true }";
    let other = ", receiver = { ecn = true } }";
    let sender =
        format!("hosts = {{ sender = {{ stack = \"freebsd\", sysctl = {{ \"net.inet.tcp.ecn.enable\" = 1 }} }}{other}");
    let both = BOTH_HOSTS.replace(" }", ", sysctl = { \"net.inet.tcp.ecn.enable\" = 1 } }");
    let receiver = "hosts = { sender = { ecn = true }, receiver = { stack = \"freebsd\" } }".to_owned();
    let off = BOTH_HOSTS.replace(" }", ", sysctl = { \"net.inet.tcp.ecn.enable\" = 0 } }");
    for (hosts, congestion, marks) in
        [(sender, "newreno", true), (both, "newreno", true), (receiver, "reno", true), (off, "newreno", false)]
    {
        let run =
            record(&kernel, &hosts, path, &format!("duration = \"10 s\"\ncongestion = \"{congestion}\"")).unwrap();
        let dropped = *run.queue(0, 0).drops.last().unwrap();
        assert_eq!(dropped == 0, marks, "{hosts}: {dropped} packets dropped");
        let goodput = run.goodput(3 * SECOND, 10 * SECOND);
        let most = 100e6 * PAYLOAD_SHARE;
        assert!(goodput > 0.75 * most && goodput < 0.97 * most, "{hosts}: {goodput} of {most}");
    }
}

/// Marks from a quarter of a BDP on. NewReno goes from 1.25 BDP to half of that, and in a round trip of max(1, W) sends W: 0.893
/// of the line. DCTCP cuts by alpha / 2, and with more than a seventh of a BDP keeps the line full at that queue (Alizadeh
/// and others 2010, sections 3.1 and 3.4).
#[test]
fn dctcp_cuts_by_its_share_of_marks() {
    let Some(kernel) = kernel() else { return };
    let path = "rate = \"100 Mbit/s\"\nrtt = \"20 ms\"\nbuffer = \"1000 packets\"\n\
                queue = { discipline = \"threshold\", above = \"62500 B\" }";
    let hosts = BOTH_HOSTS.replace(" }", ", sysctl = { \"net.inet.tcp.ecn.enable\" = 1 } }");
    let run = |congestion: &str| {
        let run =
            record(&kernel, &hosts, path, &format!("duration = \"30 s\"\ncongestion = \"{congestion}\"")).unwrap();
        assert_eq!(run.queue(0, 0).drops.last(), Some(&0), "{congestion}");
        run
    };
    close(share_of(&run("newreno"), 100e6), 0.893, 0.02, "NewReno's share of the line");
    let dctcp = run("dctcp");
    close(share_of(&dctcp, 100e6), 1.0, 0.01, "DCTCP's share of the line");
    let [end, alpha] = dctcp.columns(FREEBSD, ["end", "dctcp_alpha"]);
    let late = alpha.into_iter().zip(end).filter(|(_, end)| *end == 0).skip(500);
    let [least, most] = late.fold([u64::MAX, 0], |[least, most], (alpha, _)| [least.min(alpha), most.max(alpha)]);
    assert!(least > 0 && most < 512, "alpha {least} to {most} of 1024");
    let queue = mean_queue(&dctcp) * 1514.0;
    assert!((0.5 * 62_500.0..1.1 * 62_500.0).contains(&queue), "{queue} bytes queued");
}

/// Leith and Shorten's draft-leith-tcp-htcp-06: 1 segment a round trip until a second after a congestion event, then
/// 1 + 10 (t - 1) + ((t - 1) / 2)^2; half of the window is left.
#[test]
fn htcp_grows_by_the_time_since_a_loss() {
    let Some(kernel) = kernel() else { return };
    // Windows of some 400 segments; the path carries 3,000 without a queue.
    let path = "rate = \"1 Gbit/s\"\nrtt = \"40 ms\"\nbuffer = \"4 BDP\"\nloss = { every = 20000 }";
    let run = record(&kernel, SENDER, path, "duration = \"40 s\"\ncongestion = \"htcp\"").unwrap();
    let [time, end, recovery, alpha, beta] =
        run.columns(FREEBSD, ["time", "end", "recovery", "htcp_alpha", "htcp_beta"]);
    let (mut event, mut recovers, mut held) = (None, false, 0);
    for row in (0..time.len()).filter(|row| end[*row] == 0) {
        if recovery[row] > 0 && !recovers {
            event = Some(time[row]);
        }
        recovers = recovery[row] > 0;
        let Some(event) = event.filter(|_| !recovers) else { continue };
        assert_eq!(beta[row], 128);
        let since = (time[row] - event) as f64 / 1e9 - 1.0;
        let law = |since: f64| 1.0 + 10.0 * since.max(0.0) + (since.max(0.0) / 2.0).powi(2);
        if (-0.5..0.0).contains(&since) {
            assert_eq!(alpha[row], 1, "{since} s");
        } else if since > 0.0 {
            // Whole segments, counted afresh once in a window of 40 ms, and samples every 10 ms.
            let allowed = law(since - 0.1) - 1.0..law(since) + 1.2;
            assert!(allowed.contains(&(alpha[row] as f64)), "{since} s: {}, not in {allowed:?}", alpha[row]);
            held += 1;
        }
    }
    assert!(held > 300, "{held} samples of growth");
}

/// RFC 7323: without scaling 65,535 bytes for each round trip, in whole segments, which have no timestamps: 1,460 bytes.
#[test]
fn without_rfc_1323_a_window_has_16_bits() {
    let Some(kernel) = kernel() else { return };
    let path = "rate = \"100 Mbit/s\"\nrtt = \"40 ms\"\nbuffer = \"1 BDP\"";
    for hosts in [BOTH_HOSTS, SENDER, RECEIVER] {
        let hosts = hosts.replace("\"freebsd\"", "\"freebsd\", sysctl = { \"net.inet.tcp.rfc1323\" = 0 }");
        let run = record(&kernel, &hosts, path, "duration = \"4 s\"").unwrap();
        assert_eq!(run.last(["snd_mss"]), [1460], "{hosts}");
        let goodput = run.goodput(SECOND, 4 * SECOND);
        let [least, most] = [(65_535 / 1460 * 1460) as f64 / 0.0405, 65_535.0 / 0.040].map(|rate| rate * 8.0);
        assert!(goodput >= 0.99 * least && goodput <= most, "{hosts}: {goodput} of {most}");
    }
}
