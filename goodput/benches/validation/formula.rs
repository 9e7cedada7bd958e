//! Published formulas, calculated here independently of goodput. Windows are segments, times seconds, rates bit/s.

/// Payload of a segment with timestamps on a path of 1500 bytes.
const MSS: f64 = 1448.0;

fn rate(window: f64, rtt: f64) -> f64 {
    window * MSS * 8.0 / rtt
}

/// Mean windows of RFC 9438, section 5.1, where every 1/p-th packet is lost: Reno's, on which its tables rest.
pub fn reno_window(p: f64) -> f64 {
    1.2 / p.sqrt()
}

/// CUBIC's, equation 6 with C = 0.4 and beta = 0.7, and never less than Reno's.
pub fn cubic_window(p: f64, rtt: f64) -> f64 {
    let [c, beta] = [0.4_f64, 0.7];
    let curve = (c * (3.0 + beta) / (4.0 * (1.0 - beta))).powf(0.25) * (rtt / p).powf(0.75);
    curve.max(reno_window(p))
}

/// Reno in whole segments with every n-th packet lost: a window with such a packet is halved, rounded down and at least
/// 2, and constant for the round trip of its recovery; any other grows by one. This chain is ours.
pub fn every_nth(n: usize) -> f64 {
    const ROUNDS: usize = 100_000;
    let [mut window, mut sent, mut recovers] = [10, 0, 0];
    for _ in 0..ROUNDS {
        let loses = (sent + window) / n > sent / n && recovers == 0;
        sent += window;
        (window, recovers) = match (loses, recovers) {
            (true, _) => ((window / 2).max(2), 1),
            (false, 1) => (window, 0),
            _ => (window + 1, 0),
        };
    }
    sent as f64 / ROUNDS as f64
}

/// Mathis et al. 1997, equation 3, with the constant of table 1 for random loss and an ACK for each packet, which is
/// equivalent to counting the bytes that an ACK covers.
pub fn mathis(p: f64, rtt: f64) -> f64 {
    rate(1.31 / p.sqrt(), rtt)
}

/// The same process in whole segments, without timeouts: per round trip a window w loses something with the probability
/// 1 - (1 - p)^w; then half of it, rounded down and at least 2, is sent in a round trip of recovery, and it grows by one
/// otherwise. This chain is ours: its mean rate by iteration to its stationary distribution.
pub fn whole_segments(p: f64, rtt: f64) -> f64 {
    let most = (8.0 / p.sqrt()) as usize + 10;
    let loses = |window: usize| 1.0 - (1.0 - p).powi(window as i32);
    let half = |window: usize| (window / 2).max(2);
    let mut shares = vec![0.0; most + 1];
    shares[2] = 1.0;
    for _ in 0..20 * most {
        let mut next = vec![0.0; most + 1];
        for (window, share) in shares.iter().enumerate().skip(2) {
            next[(window + 1).min(most)] += share * (1.0 - loses(window));
            next[half(window)] += share * loses(window);
        }
        shares = next;
    }
    let over = |of: &dyn Fn(usize) -> f64| -> f64 { shares.iter().enumerate().map(|(w, share)| share * of(w)).sum() };
    let sent = over(&|window| window as f64 + loses(window) * half(window) as f64);
    let rounds = over(&|window| 1.0 + loses(window));
    rate((1.0 - p) * sent / rounds, rtt)
}

/// Padhye et al. 1998, equation 30, without the receiver's limit, with b = 1 and Linux's least timeout above the RTT.
pub fn padhye(p: f64, rtt: f64) -> f64 {
    let timeout = rtt + 0.2;
    let timeouts = timeout * (3.0 * (3.0 * p / 8.0).sqrt()).min(1.0) * p * (1.0 + 32.0 * p * p);
    rate(1.0, rtt * (2.0 * p / 3.0).sqrt() + timeouts)
}

/// Payload rate of a line that carries full frames of 1538 bytes back to back.
pub fn line(rate: f64) -> f64 {
    rate * MSS / 1538.0
}

/// Share of one BBR flow against loss-based ones (Ware et al. 2019, section 5): p = 1/2 - 1/2X - 4/q is the others'
/// share between its probes, X the buffer in BDPs and q in packets; a probe every 10 s takes the time to drain the
/// buffer, 200 ms and an RTT.
pub fn ware(line: f64, rtt: f64, x: f64) -> f64 {
    let queue = x * line * rtt / 8.0;
    let theirs = 0.5 - 1.0 / (2.0 * x) - 4.0 / (queue / 1514.0);
    let probe = queue * 8.0 / line + 0.2 + rtt;
    (1.0 - theirs) * (1.0 - probe / 10.0)
}

/// Mean queue of `flows` synchronous DCTCP flows at a threshold of k packets (Alizadeh et al. 2010, section 3.3): from
/// k + N down by the amplitude of equation 8, sqrt(2 N (C RTT + k))/2; `pipe` is C RTT in packets.
pub fn dctcp_queue(k: f64, flows: f64, pipe: f64) -> f64 {
    let amplitude = (2.0 * flows * (pipe + k)).sqrt() / 2.0;
    k + flows - amplitude / 2.0
}

/// Inner MTU of ESP at 1500 bytes (RFC 4303, tunnel mode over IPv4; RFC 3948 in UDP): the largest packet that fits
/// after padding, with two bytes of trailer, to whole blocks.
pub fn esp(iv: u32, icv: u32, block: u32, udp: bool) -> f64 {
    let header = 20 + 8 + iv + icv + if udp { 8 } else { 0 };
    f64::from((1500 - header) / block * block - 2)
}
