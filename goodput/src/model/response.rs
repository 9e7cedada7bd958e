//! From loss to rate: the response functions of congestion controls, and their inverses.
//!
//! `mss` is bytes of payload, `rtt` seconds, rates are bit/s of payload, and `p` is loss *events* per packet sent: the
//! packets that are lost within one round trip are one event. Where `p` is 0 a rate is infinite.

use serde::Serialize;

/// Reno's mean window in the tables of RFC 9438 (5.1): 1.2/sqrt(p).
const RENO_FACTOR: f64 = 1.2;

/// CUBIC's mean window with C = 0.4 and beta = 0.7 (RFC 9438, 5.1, equation 6): 1.054 (RTT/p)^0.75.
const CUBIC_FACTOR: f64 = 1.054;

/// Factor of CUBIC's window at a loss (RFC 9438, 4.6).
pub(crate) const CUBIC_BETA: f64 = 0.7;

/// Increase of CUBIC's Reno-friendly estimate (RFC 9438, 4.3): 3 (1 - beta)/(1 + beta) = 0.529.
const CUBIC_ALPHA: f64 = 3.0 * (1.0 - CUBIC_BETA) / (1.0 + CUBIC_BETA);

/// Whether it is a version of BBR: `bbr`, `bbr2`, `bbr3`.
pub fn is_bbr(control: &str) -> bool {
    control.starts_with("bbr")
}

/// Whether it answers marks by their share (RFC 9331, 4.3): DCTCP (RFC 8257), TCP Prague.
pub fn is_scalable(control: &str) -> bool {
    matches!(control, "dctcp" | "prague")
}

/// What a congestion control leaves of its window at a loss; `None` of one that is not held to a share.
pub fn leaves(control: &str) -> Option<f64> {
    match control {
        "cubic" => Some(CUBIC_BETA),
        "reno" | "newreno" => Some(0.5),
        _ => None,
    }
}

/// Payload rate of a mean window in segments.
pub fn rate(segments: f64, mss: f64, rtt: f64) -> f64 {
    segments * mss * 8.0 / rtt
}

/// The mean window, in segments, that a payload rate takes.
pub fn segments(rate: f64, mss: f64, rtt: f64) -> f64 {
    rate * rtt / (mss * 8.0)
}

/// Mathis et al. 1997: MSS/RTT C/sqrt(p), with C sqrt(3/2) where each packet has its ACK, and sqrt(3/4) with delayed ACKs.
pub fn mathis(mss: f64, rtt: f64, p: f64, c: f64) -> f64 {
    rate(c / p.sqrt(), mss, rtt)
}

/// Reno, as the tables of RFC 9438 (5.1) have it.
pub fn reno(mss: f64, rtt: f64, p: f64) -> f64 {
    mathis(mss, rtt, p, RENO_FACTOR)
}

/// Reno's mean window, segments.
pub fn reno_window(p: f64) -> f64 {
    RENO_FACTOR / p.sqrt()
}

/// Reno's mean window if `m` of all segments are acknowledged with ECE, segments: classic feedback repeats a mark for about a
/// round trip (RFC 3168, 6.1.3), so that there are m/W events for each segment, and W = 1.2/sqrt(m/W).
pub fn echoed_window(m: f64) -> f64 {
    RENO_FACTOR * RENO_FACTOR / m
}

/// A scalable control's mean window at a share `p` of marked packets, segments: two marks a round trip (De Schepper et al.,
/// PI2, CoNEXT 2016).
pub fn scalable_window(p: f64) -> f64 {
    2.0 / p
}

/// Prague's round trips take this long at the least, seconds: its window grows and shrinks once in it
/// (draft-briscoe-iccrg-prague-congestion-control).
pub const PRAGUE_RTT_S: f64 = 0.025;

/// The share of loss events at which Reno has this rate.
pub(crate) fn reno_loss(mss: f64, rtt: f64, to: f64) -> f64 {
    (RENO_FACTOR / segments(to, mss, rtt)).powi(2)
}

/// Padhye et al. 1998, short form with a delayed ACK and timeouts of `rto` (RFC 3819, 8.5).
pub fn padhye(mss: f64, rtt: f64, rto: f64, p: f64) -> f64 {
    let timeouts = rto * p * (1.0 + 32.0 * p * p) * (3.0 * (0.75 * p).sqrt()).min(1.0);
    mss * 8.0 / (rtt * (1.33 * p).sqrt() + timeouts)
}

/// Mean window of additive increase `alpha` and multiplicative decrease `beta`, segments (RFC 9438, 4.3).
fn aimd(alpha: f64, beta: f64) -> f64 {
    (alpha * (1.0 + beta) / (2.0 * (1.0 - beta))).sqrt()
}

/// CUBIC of RFC 9438: the mean of its curve (5.1), and never less than its Reno-friendly estimate (4.3).
pub fn cubic(mss: f64, rtt: f64, p: f64) -> f64 {
    let curve = CUBIC_FACTOR * (rtt / p).powf(0.75);
    rate(curve.max(aimd(CUBIC_ALPHA, CUBIC_BETA) / p.sqrt()), mss, rtt)
}

/// The share of loss events at which CUBIC has this rate.
pub(crate) fn cubic_loss(mss: f64, rtt: f64, to: f64) -> f64 {
    let window = segments(to, mss, rtt);
    let curve = rtt * (CUBIC_FACTOR / window).powf(4.0 / 3.0);
    curve.max((aimd(CUBIC_ALPHA, CUBIC_BETA) / window).powi(2))
}

/// A cycle of H-TCP between two losses `t` seconds apart: its mean window in segments, and the packets sent in it.
///
/// FreeBSD's defaults (cc_htcp.c 023681d62755: no adaptive backoff, no RTT scaling): the window is halved, grows by
/// alpha segments a round trip, and alpha is 1 in the first second, then 1 + 10 d + (d/2)^2 with d the seconds since.
/// The window is taken as continuous, and the cycle as periodic: this integral is ours.
fn htcp_cycle(rtt: f64, t: f64) -> (f64, f64) {
    let d = (t - 1.0).max(0.0);
    let early = t.min(1.0);
    let grown = early + d + 5.0 * d.powi(2) + d.powi(3) / 12.0;
    let area = early.powi(2) / 2.0 + d + d.powi(2) / 2.0 + 5.0 / 3.0 * d.powi(3) + d.powi(4) / 48.0;
    let packets = (grown * t + area) / (rtt * rtt);
    (packets * rtt / t, packets)
}

/// Longer cycles than this, in seconds, are not looked for.
const HTCP_LONGEST: f64 = 1e7;

/// H-TCP with FreeBSD's defaults.
pub fn htcp(mss: f64, rtt: f64, p: f64) -> f64 {
    if p <= 0.0 {
        return f64::INFINITY;
    }
    let t = falling(rtt * 1e-3, HTCP_LONGEST, |t| 1.0 / p - htcp_cycle(rtt, t).1);
    rate(htcp_cycle(rtt, t).0, mss, rtt)
}

/// The share of loss events at which H-TCP has this rate.
pub(crate) fn htcp_loss(mss: f64, rtt: f64, to: f64) -> f64 {
    let t = falling(rtt * 1e-3, HTCP_LONGEST, |t| segments(to, mss, rtt) - htcp_cycle(rtt, t).0);
    1.0 / htcp_cycle(rtt, t).1
}

/// Up to this share of loss BBR v1 keeps the rate of the line (Cardwell et al. 2017, figure 8).
pub(crate) const BBR1_HOLDS: f64 = 0.15;

/// Beyond this one its gain of 1.25 cannot make good what is lost: 1 - 1/1.25.
pub(crate) const BBR1_FAILS: f64 = 0.20;

/// The share of the line that a remedy promises of BBR v1 at single losses: figure 8 has more than this up to 5 %.
pub const BBR1_PROMISE: f64 = 0.9;

/// Its least window in segments (Linux net/ipv4/tcp_bbr.c, bbr_cwnd_min_target).
const BBR1_LEAST: f64 = 4.0;

/// BBR v1 on a line that has `line` bit/s for it: what is not lost, up to [`BBR1_HOLDS`]; from [`BBR1_FAILS`] on its
/// least window; a straight line between the two, which is nobody's theory. Here `p` is the share of lost packets.
pub(crate) fn bbr1(line: f64, mss: f64, rtt: f64, p: f64) -> f64 {
    let least = rate(BBR1_LEAST, mss, rtt).min(line) * (1.0 - p).max(0.0);
    let holding = |p: f64| line * (1.0 - p);
    let left = ((BBR1_FAILS - p) / (BBR1_FAILS - BBR1_HOLDS)).clamp(0.0, 1.0);
    (holding(p.min(BBR1_HOLDS)) * left).max(least).min(holding(p).max(0.0))
}

/// The share of packets lost in a round above which BBR v3 takes back its window (draft-ietf-ccwg-bbr, BBR.LossThresh).
pub(crate) const BBR3_HOLDS: f64 = 0.02;

/// BBR v3: what is not lost, up to [`BBR3_HOLDS`]; beyond it no formula is known.
pub(crate) fn bbr3(line: f64, p: f64) -> Option<f64> {
    (p <= BBR3_HOLDS).then_some(line * (1.0 - p))
}

/// Where a falling function passes zero between `low` and `high`, by halving the exponent; the nearer end if nowhere.
fn falling(low: f64, high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (low.ln(), high.ln());
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if f(middle.exp()) > 0.0 { low = middle } else { high = middle }
    }
    ((low + high) / 2.0).exp()
}

/// What one flow has of a line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Path {
    /// Payload rate that is there for it, bit/s.
    pub rate: f64,
    /// Round-trip time, s.
    pub rtt: f64,
    /// Payload of a segment, bytes.
    pub mss: f64,
}

/// What a system calls an algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Name {
    /// A congestion control: `tcp_congestion_control`, `cc.algorithm`.
    Control(&'static str),
    /// A TCP stack of FreeBSD's: `functions_default`.
    Stack(&'static str),
}

/// A congestion control and what it makes of loss.
#[derive(Debug)]
pub struct Algorithm {
    pub name: &'static str,
    pub linux: Option<Name>,
    /// The first Linux that has it.
    pub linux_since: &'static str,
    pub freebsd: Option<Name>,
    /// Payload rate of one flow at a share of loss, bit/s; `None` where nothing is known.
    pub response: fn(&Path, f64) -> Option<f64>,
    /// The share of loss at which it still has all of the path's rate.
    pub tolerates: fn(&Path) -> f64,
    /// What has to be known before it is chosen.
    pub note: &'static str,
    /// Where the response comes from.
    pub source: &'static str,
}

/// The congestion controls whose response to loss is known.
pub const ALGORITHMS: &[Algorithm] = &[
    Algorithm {
        name: "reno",
        linux: Some(Name::Control("reno")),
        linux_since: "2.6.13",
        freebsd: Some(Name::Control("newreno")),
        response: |path, p| Some(reno(path.mss, path.rtt, p).min(path.rate)),
        tolerates: |path| reno_loss(path.mss, path.rtt, path.rate).min(1.0),
        note: "",
        source: "RFC 9438, section 5.1: W = 1.2/sqrt(p)",
    },
    Algorithm {
        name: "cubic",
        linux: Some(Name::Control("cubic")),
        linux_since: "2.6.15",
        freebsd: Some(Name::Control("cubic")),
        response: |path, p| Some(cubic(path.mss, path.rtt, p).min(path.rate)),
        tolerates: |path| cubic_loss(path.mss, path.rtt, path.rate).min(1.0),
        note: "",
        source: "RFC 9438, sections 4.3 and 5.1: W = 1.054 (RTT/p)^0.75, at least 1.22/sqrt(p)",
    },
    Algorithm {
        name: "h-tcp",
        linux: None,
        linux_since: "2.6.13",
        freebsd: Some(Name::Control("htcp")),
        response: |path, p| Some(htcp(path.mss, path.rtt, p).min(path.rate)),
        tolerates: |path| htcp_loss(path.mss, path.rtt, path.rate).min(1.0),
        note: "is a model of FreeBSD's defaults; Linux' H-TCP also scales with the RTT",
        source: "FreeBSD cc_htcp.c: alpha = 1 + 10 d + (d/2)^2 after a second, beta 0.5; integrated over a cycle",
    },
    Algorithm {
        name: "bbr",
        linux: Some(Name::Control("bbr")),
        linux_since: "4.9",
        freebsd: Some(Name::Stack("bbr")),
        response: |path, p| Some(bbr1(path.rate, path.mss, path.rtt, p)),
        tolerates: |_| BBR1_HOLDS,
        note: "does not yield to loss: it takes from CUBIC flows beside it, and a full buffer drops what it sends",
        source: "Cardwell et al. 2017, figure 8: the rate that is not lost up to 15 %, next to none from 20 %; between them \
                 a straight line, which is nobody's theory",
    },
    Algorithm {
        name: "bbr3",
        linux: None,
        linux_since: "4.9",
        freebsd: None,
        response: |path, p| bbr3(path.rate, p),
        tolerates: |_| BBR3_HOLDS,
        note: "is in no released kernel",
        source: "draft-ietf-ccwg-bbr: the window is taken back where a round loses more than 2 %",
    },
];
