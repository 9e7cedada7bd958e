//! Response functions of congestion controls, from loss to rate, and their inverses.
//!
//! `mss` is bytes of payload, `rtt` seconds, rates are bit/s of payload, and `p` is loss *events* per packet sent: the
//! packets lost within one round trip are one event. For `p` = 0 a rate is infinite.

use serde::Serialize;

/// Factor of Reno's mean window in the tables of RFC 9438 (5.1): 1.2/sqrt(p).
const RENO_FACTOR: f64 = 1.2;

/// Factor of CUBIC's mean window with C = 0.4 and beta = 0.7 (RFC 9438, 5.1, equation 6): 1.054 (RTT/p)^0.75.
const CUBIC_FACTOR: f64 = 1.054;

/// Factor of CUBIC's window at a loss (RFC 9438, 4.6).
pub const CUBIC_BETA: f64 = 0.7;

/// Increase of CUBIC's Reno-friendly estimate (RFC 9438, 4.3): 3 (1 - beta)/(1 + beta) = 0.529.
const CUBIC_ALPHA: f64 = 3.0 * (1.0 - CUBIC_BETA) / (1.0 + CUBIC_BETA);

/// Whether it is a version of BBR: `bbr`, `bbr2`, `bbr3`.
pub fn is_bbr(control: &str) -> bool {
    control.starts_with("bbr")
}

/// Whether it responds to the share of marks (RFC 9331, 4.3): DCTCP (RFC 8257), TCP Prague.
pub fn is_scalable(control: &str) -> bool {
    matches!(control, "dctcp" | "prague")
}

/// Returns the share of its window that a congestion control keeps at a loss; `None` if it has no fixed share.
pub fn leaves(control: &str) -> Option<f64> {
    match control {
        "cubic" => Some(CUBIC_BETA),
        "reno" | "newreno" => Some(0.5),
        _ => None,
    }
}

/// Returns the payload rate of a mean window in segments.
pub fn rate(segments: f64, mss: f64, rtt: f64) -> f64 {
    segments * mss * 8.0 / rtt
}

/// Returns the mean window, in segments, for a payload rate.
pub fn segments(rate: f64, mss: f64, rtt: f64) -> f64 {
    rate * rtt / (mss * 8.0)
}

/// Returns the rate by Mathis et al. 1997: MSS/RTT C/sqrt(p), with C sqrt(3/2) if each packet has its ACK, and
/// sqrt(3/4) with delayed ACKs.
pub fn mathis(mss: f64, rtt: f64, p: f64, c: f64) -> f64 {
    rate(c / p.sqrt(), mss, rtt)
}

/// Returns Reno's rate, as in the tables of RFC 9438 (5.1).
pub fn reno(mss: f64, rtt: f64, p: f64) -> f64 {
    mathis(mss, rtt, p, RENO_FACTOR)
}

/// Returns Reno's mean window, segments.
pub fn reno_window(p: f64) -> f64 {
    RENO_FACTOR / p.sqrt()
}

/// Returns Reno's mean window if a share `m` of all segments is acknowledged with ECE, segments. Classic feedback
/// repeats a mark for about a round trip (RFC 3168, 6.1.3), so there are m/W events per segment, and W =
/// 1.2/sqrt(m/W).
pub fn echoed_window(m: f64) -> f64 {
    RENO_FACTOR * RENO_FACTOR / m
}

/// Returns a scalable control's mean window at a share `p` of marked packets, segments: two marks a round trip (De
/// Schepper et al., PI2, CoNEXT 2016).
pub fn scalable_window(p: f64) -> f64 {
    2.0 / p
}

/// Shortest period in which Prague's window grows and shrinks once, seconds
/// (draft-briscoe-iccrg-prague-congestion-control).
pub const PRAGUE_RTT_S: f64 = 0.025;

/// Returns the share of loss events at which Reno has this rate.
pub fn reno_loss(mss: f64, rtt: f64, to: f64) -> f64 {
    (RENO_FACTOR / segments(to, mss, rtt)).powi(2)
}

/// Returns the rate by Padhye et al. 1998, short form with a delayed ACK and timeouts of `rto` (RFC 3819, 8.5).
pub fn padhye(mss: f64, rtt: f64, rto: f64, p: f64) -> f64 {
    let timeouts = rto * p * (1.0 + 32.0 * p * p) * (3.0 * (0.75 * p).sqrt()).min(1.0);
    mss * 8.0 / (rtt * (1.33 * p).sqrt() + timeouts)
}

/// Returns the factor of the mean window, segments, of additive increase `alpha` and multiplicative decrease `beta`
/// (RFC 9438, 4.3).
fn aimd(alpha: f64, beta: f64) -> f64 {
    (alpha * (1.0 + beta) / (2.0 * (1.0 - beta))).sqrt()
}

/// Returns CUBIC's rate by RFC 9438: the mean of its curve (5.1), and never less than its Reno-friendly estimate
/// (4.3).
pub fn cubic(mss: f64, rtt: f64, p: f64) -> f64 {
    let curve = CUBIC_FACTOR * (rtt / p).powf(0.75);
    rate(curve.max(aimd(CUBIC_ALPHA, CUBIC_BETA) / p.sqrt()), mss, rtt)
}

/// Returns the share of loss events at which CUBIC has this rate.
pub fn cubic_loss(mss: f64, rtt: f64, to: f64) -> f64 {
    let window = segments(to, mss, rtt);
    let curve = rtt * (CUBIC_FACTOR / window).powf(4.0 / 3.0);
    curve.max((aimd(CUBIC_ALPHA, CUBIC_BETA) / window).powi(2))
}

/// Returns the mean window in segments, and the number of packets, of H-TCP's cycle between two losses `t` seconds
/// apart.
///
/// FreeBSD's defaults (cc_htcp.c 023681d62755: no adaptive backoff, no RTT scaling): the window is halved, then grows
/// by alpha segments a round trip. alpha is 1 in the first second, then 1 + 10 d + (d/2)^2 with d the seconds since.
/// The window is taken as continuous, and the cycle as periodic: this integral is ours.
fn htcp_cycle(rtt: f64, t: f64) -> (f64, f64) {
    let d = (t - 1.0).max(0.0);
    let early = t.min(1.0);
    let grown = early + d + 5.0 * d.powi(2) + d.powi(3) / 12.0;
    let area = early.powi(2) / 2.0 + d + d.powi(2) / 2.0 + 5.0 / 3.0 * d.powi(3) + d.powi(4) / 48.0;
    let packets = (grown * t + area) / (rtt * rtt);
    (packets * rtt / t, packets)
}

/// Longest cycle considered, seconds.
const HTCP_LONGEST: f64 = 1e7;

/// Returns H-TCP's rate with FreeBSD's defaults.
pub fn htcp(mss: f64, rtt: f64, p: f64) -> f64 {
    if p <= 0.0 {
        return f64::INFINITY;
    }
    let t = falling(rtt * 1e-3, HTCP_LONGEST, |t| 1.0 / p - htcp_cycle(rtt, t).1);
    rate(htcp_cycle(rtt, t).0, mss, rtt)
}

/// Returns the share of loss events at which H-TCP has this rate.
pub(crate) fn htcp_loss(mss: f64, rtt: f64, to: f64) -> f64 {
    let t = falling(rtt * 1e-3, HTCP_LONGEST, |t| segments(to, mss, rtt) - htcp_cycle(rtt, t).0);
    1.0 / htcp_cycle(rtt, t).1
}

/// Loss share up to which BBR v1 keeps the link rate (Cardwell et al. 2017, figure 8).
pub(crate) const BBR1_HOLDS: f64 = 0.15;

/// Loss share beyond which its gain of 1.25 cannot make up for the losses: 1 - 1/1.25.
pub(crate) const BBR1_FAILS: f64 = 0.20;

/// Share of the link that a remedy promises for BBR v1 at single losses: figure 8 has more than this up to 5 %.
pub const BBR1_PROMISE: f64 = 0.9;

/// Smallest window of BBR v1, segments (Linux net/ipv4/tcp_bbr.c, bbr_cwnd_min_target).
const BBR1_LEAST: f64 = 4.0;

/// Returns BBR v1's rate on a link with `line` bit/s available: all but the losses up to [`BBR1_HOLDS`]; its smallest
/// window from [`BBR1_FAILS`] on; a straight line between the two, which no theory supports. Here `p` is the share of
/// lost packets.
pub(crate) fn bbr1(line: f64, mss: f64, rtt: f64, p: f64) -> f64 {
    let least = rate(BBR1_LEAST, mss, rtt).min(line) * (1.0 - p).max(0.0);
    let holding = |p: f64| line * (1.0 - p);
    let left = ((BBR1_FAILS - p) / (BBR1_FAILS - BBR1_HOLDS)).clamp(0.0, 1.0);
    (holding(p.min(BBR1_HOLDS)) * left).max(least).min(holding(p).max(0.0))
}

/// Share of packets lost in a round above which BBR v3 reduces its window (draft-ietf-ccwg-bbr, BBR.LossThresh).
pub(crate) const BBR3_HOLDS: f64 = 0.02;

/// Returns BBR v3's rate: all but the losses up to [`BBR3_HOLDS`]; `None` beyond, where no formula is known.
pub(crate) fn bbr3(line: f64, p: f64) -> Option<f64> {
    (p <= BBR3_HOLDS).then_some(line * (1.0 - p))
}

/// Returns the zero of a falling function between `low` and `high`, by halving the exponent; the nearer end if there
/// is none.
fn falling(low: f64, high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (low.ln(), high.ln());
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if f(middle.exp()) > 0.0 { low = middle } else { high = middle }
    }
    ((low + high) / 2.0).exp()
}

/// The path as one flow has it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Path {
    /// Payload rate available to the flow, bit/s.
    pub rate: f64,
    /// RTT, s.
    pub rtt: f64,
    /// Payload of a segment, bytes.
    pub mss: f64,
}

/// A system's name for an algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Name {
    /// A congestion control: `tcp_congestion_control`, `cc.algorithm`.
    Control(&'static str),
    /// A TCP stack of FreeBSD: `functions_default`.
    Stack(&'static str),
}

/// A congestion control with its response to loss.
#[derive(Debug)]
pub struct Algorithm {
    pub name: &'static str,
    pub linux: Option<Name>,
    /// First Linux version that has it.
    pub linux_since: &'static str,
    pub freebsd: Option<Name>,
    /// Payload rate of one flow at a loss share, bit/s; `None` if unknown.
    pub response: fn(&Path, f64) -> Option<f64>,
    /// Loss share at which it still has all of the path's rate.
    pub tolerates: fn(&Path) -> f64,
    /// Caution before it is chosen.
    pub note: &'static str,
    /// Source of the response.
    pub source: &'static str,
}

/// Congestion controls with a known response to loss.
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
