use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow;
use crate::diagnose::flow::Flow;
use crate::diagnose::next_limit;
use crate::diagnose::path_facts;
use crate::diagnose::queue_delay::TIMER_DELAY_S;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::unread;
use crate::diagnose::view::View;
use crate::remedy::Side;
use base::model::FULL_LINK_SHARE;
use base::model::buffer::{self, Scaling};
use base::show::{self, bytes, rate, share, time};
use base::stats::percentile;
use evidence::{End, Host, Setting};

/// Share of the time from which the window limits.
const MIN_BINDING_TIME_SHARE: f64 = 0.3;
/// Share of the time from which the window is named alongside another limit.
const MIN_NAMED_TIME_SHARE: f64 = 0.12;
/// Smallest share of the time with a full window if the limit is not counted, or is shared with a pacing timer.
const MIN_FULL_TIME_SHARE: f64 = 0.6;
/// Largest relative difference between window / RTT and a goodput that it explains.
const MAX_EXPLAINED_DIFFERENCE: f64 = 0.25;
/// Ratio of window / RTT to the goodput above which the window was not the limit.
const MAX_BINDING_RATIO: f64 = 3.0;
/// Smallest number of connections with the same rate, the largest relative difference of their rates, and the smallest
/// ratio of their RTTs.
const MIN_CONNECTIONS: usize = 3;
const MAX_SAME_RATE_DIFFERENCE: f64 = 0.03;
const MIN_RTT_RATIO: f64 = 2.0;
/// Largest window without scaling (RFC 9293, 3.1), bytes.
const UNSCALED_WINDOW_BYTES: f64 = 65_535.0;
/// Largest relative distance of a steady rate from its median.
const MAX_STEADY_VARIATION: f64 = 0.15;

/// The rule.
pub const RULE: Rule = Rule {
    name: "receiver-window",
    title: "Receive-window limited",
    needs: &[Need::BaseRtt, Need::Limits, Need::Window, Need::Settings],
    model: "At most one receive window can be in flight: goodput ≤ window / RTT. The window is the part of the receive \
            buffer meant for data: on Linux before 6.6 space − space/2^tcp_adv_win_scale, since 6.6 space × \
            scaling_ratio / 256, which starts at one half and follows len/truesize. Autotuning grows the buffer to tcp_rmem[2].",
    source: "net/ipv4/tcp_input.c (tcp_rcv_space_adjust), include/net/tcp.h (tcp_win_from_space); RFC 9293, 3.8.6",
    thresholds: || {
        vec![
            (
                format!(
                    "rwnd-limited {} of the time; from {} on it is named beside others",
                    show::plain_share(MIN_BINDING_TIME_SHARE),
                    show::plain_share(MIN_NAMED_TIME_SHARE)
                ),
                "below that, another limit costs more",
            ),
            (
                format!(
                    "or goodput within {} of window / RTT while cwnd has room; of a window computed from settings, a \
                     steady rate no more than {} above that",
                    show::plain_share(MAX_EXPLAINED_DIFFERENCE),
                    show::plain_share(MAX_EXPLAINED_DIFFERENCE / 2.0)
                ),
                "headers and delayed ACKs account for less than that",
            ),
            (
                format!("no limit where the base RTT is below {}", show::plain_time(flow::MIN_LIMITING_RTT_S)),
                "TCP_INFO counts microseconds, and loopback and veth have 1 to 15",
            ),
            (
                "a note: the stated rate over the base RTT needs more than the largest receive buffer".into(),
                "whatever limits now, the window does next",
            ),
        ]
    },
    confidence: "high if tcp_info counted it, in-flight data follows the window, or window / RTT is the goodput; medium if \
                 the window is computed from settings, and rate and RTT agree with it; low if it was counted and the window \
                 allows more than three times what was measured",
    confirm: &["ss -tinm dst HOST (rwnd_limited) at the sender", "ss -tinm (rb, rcv_ssthresh) at the receiver"],
    alike: &[
        ("receiver-not-reading", "the window closes: the buffer is full, not small"),
        ("send-buffer", "sndbuf_limited grows instead"),
        ("rate-cap", "more connections don't add up to more"),
    ],
    explains: &[],
    remedies: remedies::receive_buffer,
    assumed: 0.5,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let of = |flow| counted(flow, view).or_else(|| measured(flow, view)).or_else(|| computed(flow, view));
    let found: Vec<Finding> =
        view.flows.iter().filter_map(|flow| of(flow).or_else(|| find_secondary_limit(flow))).collect();
    if !found.is_empty() {
        return found;
    }
    unscaled(view).or_else(|| next(view)).into_iter().collect()
}

/// Notes the window to which autotuning may grow, if all hosts that may receive have the same setting.
fn next(view: &View) -> Option<Finding> {
    let caps = caps(view);
    let cap = caps.first().filter(|cap| caps.iter().all(|other| other.setting.value == cap.setting.value))?;
    let begins = format!("The receive window limits next: {} lets the buffer grow to", cap.setting.key);
    next_limit::limit(view, RULE.name, &begins, cap.buffer, cap.setting)
}

/// Notes disabled window scaling (RFC 7323): no window exceeds 65,535 bytes, whatever the buffers.
fn unscaled(view: &View) -> Option<Finding> {
    let keys = ["net.ipv4.tcp_window_scaling", "net.inet.tcp.rfc1323"];
    let off =
        keys.into_iter().flat_map(|key| view.settings(key)).map(|(_, setting)| setting).find(|s| s.value == "0")?;
    let says = format!("{} = 0: windows stay at or below 65,535 bytes, at 100 ms RTT 5.24 Mbit/s.", off.key);
    let finding = Finding::note(RULE.name, Confidence::High, says).setting(&*off.key, off);
    Some(finding.figure("window without scaling", "65,535 bytes", "RFC 9293, 3.1"))
}

/// Finds a window that the sender counted as the limit, or that its bytes in flight follow.
fn counted(flow: &Flow, view: &View) -> Option<Finding> {
    let limited = flow.seen.limits.map(|limits| limits.rwnd);
    let filled = flow.window_filled();
    let is_full = filled.is_some_and(|filled| filled > MIN_FULL_TIME_SHARE);
    // BBR's timer is due with the ACKs that open a full window, and the kernel charges the wait to either.
    let binds = limited.map_or(is_full, |limited| limited > MIN_BINDING_TIME_SHARE || flow.is_bbr() && is_full);
    if !binds || unread::is_closing(flow) || flow.fills(FULL_LINK_SHARE) == Some(true) {
        return None;
    }
    // A window allows so much per round trip: with equal rates over different RTTs it is not the limit.
    if is_same_over_any_rtt(flow, view) {
        return None;
    }
    let goodput = flow.seen.goodput?;
    let window = flow.seen.window;
    let loaded = flow.median(|p| p.srtt).or(flow.base());
    let usual = flow.median(|point| point.window).or(window.map(|window| window.largest));
    let most = usual.zip(loaded).map(|(usual, rtt)| usual * 8.0 / rtt);
    if limited.is_none() && most.is_some_and(|most| goodput < (1.0 - MAX_EXPLAINED_DIFFERENCE) * most) {
        return None;
    }
    let sum = window.and_then(|w| Some((w.largest, flow.base()?, flow.allowed_by(w.largest)?)));
    // A window that was larger before, or a short one on a single screen, is no bound.
    let sum = sum.filter(|(.., most)| goodput < (1.0 + MAX_EXPLAINED_DIFFERENCE) * most);
    let says = match sum {
        Some((window, rtt, most)) => format!(
            "Receive-window limited: {} / {} = {} at most; measured {}.",
            bytes(window),
            time(rtt),
            rate(most),
            rate(goodput)
        ),
        None => format!("Receive-window limited at {}.", rate(goodput)),
    };
    let apart = sum.is_some_and(|(.., most)| most > MAX_BINDING_RATIO * goodput);
    let confidence = if apart { Confidence::Low } else { Confidence::High };
    let mut finding =
        Finding::problem(RULE.name, confidence, limited.or(filled).unwrap_or(MIN_BINDING_TIME_SHARE), says);
    if let Some(limited) = limited {
        finding = finding.at("rwnd_limited (tcp_info)", share(limited), &flow.seen.place);
    }
    if let Some(window) = window {
        finding = finding.at("largest window", bytes(window.largest), &flow.seen.place);
    }
    if let Some(rtt) = &flow.rtt {
        finding = finding.figure("RTT", time(rtt.value), &rtt.from);
    }
    if flow.seen.scaled == Some(false) {
        finding = finding.figure("window scaling", "off: at most 65,535 bytes (RFC 7323)", &flow.seen.place);
    }
    if apart {
        let doubt = "The largest window allows several times the measured goodput. It was smaller for a while, for \
                     example because a program read too slowly, or it limits only part of the run.";
        let ask =
            "ss -tinm src PORT every second at the receiver: Recv-Q and rb tell a slow reader from a small buffer";
        return Some(finding.doubt(doubt).ask(ask).about_flow(flow));
    }
    Some(finding.about_flow(flow).with_remedies(proposed(flow, view)))
}

/// Whether the connection and others at the same time get the same rate over RTTs of which one is several times
/// another.
fn is_same_over_any_rtt(flow: &Flow, view: &View) -> bool {
    let of = |other: &Flow| Some((other.seen.goodput?, other.median(|point| point.srtt)?));
    let Some((own, _)) = of(flow) else { return false };
    let alike = view.group(flow).filter_map(of).filter(|(rate, _)| (rate / own - 1.0).abs() < MAX_SAME_RATE_DIFFERENCE);
    let times: Vec<f64> = alike.map(|(_, srtt)| srtt).collect();
    let [least, most] = times.iter().fold([f64::INFINITY, 0.0_f64], |[a, b], rtt| [a.min(*rtt), b.max(*rtt)]);
    times.len() >= MIN_CONNECTIONS && most > MIN_RTT_RATIO * least
}

/// Finds a window that limits for less of the time than another limit.
fn find_secondary_limit(flow: &Flow) -> Option<Finding> {
    let counted = flow.seen.limits.map(|limits| limits.rwnd);
    let limited = counted.or_else(|| reached(flow)).filter(|limited| *limited >= MIN_NAMED_TIME_SHARE)?;
    if counted.is_some_and(|limited| limited > MIN_BINDING_TIME_SHARE)
        || unread::is_closing(flow)
        || flow.fills(FULL_LINK_SHARE) == Some(true)
    {
        return None;
    }
    let largest = flow.seen.window?.largest;
    let says = format!(
        "The receive window ({}) limits as well, {} of the time. If you lift another limit, it limits for longer.",
        bytes(largest),
        share(limited)
    );
    let name = if counted.is_some() { "rwnd_limited (tcp_info)" } else { "samples in which it is reached" };
    let finding = Finding::problem(RULE.name, Confidence::Low, limited, says)
        .at(name, share(limited), &flow.seen.place)
        .at("largest window", bytes(largest), &flow.seen.place);
    Some(finding.about_flow(flow).with_remedies(remedies::unknown_window(Side::Receive, &Sizes::for_flow(flow))))
}

/// Returns the share of points at which cwnd has reached the receive window, though the link would carry more.
fn reached(flow: &Flow) -> Option<f64> {
    let line = flow.expected()?;
    let binds = |largest: f64| flow.allowed_by(largest).is_some_and(|most| most < FULL_LINK_SHARE * line.value);
    let window = flow.seen.window.filter(|window| binds(window.largest))?;
    let known: Vec<f64> = flow.after_start().filter_map(|p| p.cwnd).collect();
    let at = known.iter().filter(|cwnd| **cwnd + flow.mss >= window.largest).count();
    let filled = || flow.window_filled();
    if known.len() >= 5 { Some(at as f64 / known.len() as f64) } else { filled() }
}

/// Returns the remedies for the cause of the window's size, if the evidence shows it.
fn proposed(flow: &Flow, view: &View) -> Vec<crate::remedy::Remedy> {
    let sizes = Sizes::for_flow(flow);
    let largest = flow.seen.window.map_or(0.0, |window| window.largest);
    let off = view.settings("net.ipv4.tcp_window_scaling").any(|(_, setting)| setting.value.trim() == "0");
    if flow.seen.asked.is_some() {
        return remedies::asked();
    }
    if flow.seen.scaled == Some(false) || off && largest <= UNSCALED_WINDOW_BYTES {
        return remedies::scaling(&sizes);
    }
    // Settings may be of either end: autotuning limits the window if one of them gives about this size.
    let caps = caps(view);
    let holds = |cap: &Cap| (0.5..2.0).contains(&(cap.window / largest));
    if largest > 0.0 && caps.iter().any(|cap| cap.is_known) && !caps.iter().any(holds) {
        return remedies::asked();
    }
    // A window of unknown size may be small, or full of unread data.
    let is_open = largest == 0.0 && caps.is_empty();
    match is_open || largest > 0.0 && !caps.iter().any(holds) && !(caps.is_empty() && flow.seen.limits.is_some()) {
        true => remedies::unknown_window(Side::Receive, &sizes),
        false => remedies::receive_buffer(&sizes),
    }
}

/// Finds a receive window, as the sender saw it, that explains the goodput by the RTT under load, with a constant cwnd
/// and without a queue.
fn measured(flow: &Flow, view: &View) -> Option<Finding> {
    if flow.seen.limits.is_some() || flow.fills(FULL_LINK_SHARE) == Some(true) {
        return None;
    }
    let (rtt, goodput) = (flow.rtt.as_ref()?, flow.seen.goodput?);
    let window = flow.median(|p| p.window)?;
    let loaded = flow.median(|p| p.srtt)?;
    let most = window * 8.0 / loaded;
    let is_empty = loaded < 1.25 * rtt.value + flow.unqueued(rtt.value, TIMER_DELAY_S);
    let fits = (1.0 - MAX_EXPLAINED_DIFFERENCE..=1.0 + MAX_EXPLAINED_DIFFERENCE).contains(&(goodput / most));
    if !(flow.is_held() && is_empty && fits) {
        return None;
    }
    let says = format!(
        "Receive-window limited: {} / {} = {} at most; measured {}, and cwnd has room.",
        bytes(window),
        time(loaded),
        rate(most),
        rate(goodput)
    );
    let mut finding = Finding::problem(RULE.name, Confidence::High, RULE.assumed, says)
        .at("receiver's window (snd_wnd)", bytes(window), &flow.seen.place)
        .at("median RTT", time(loaded), &flow.seen.place)
        .at("mean cwnd", bytes(flow.cwnd.unwrap_or(0.0)), &flow.seen.place);
    if let Some(asked) = flow.seen.asked {
        finding = finding.at("socket buffers asked for with -w", bytes(asked), &flow.seen.place);
    } else {
        finding =
            finding.ask("sysctl net.ipv4.tcp_rmem net.ipv4.tcp_window_scaling at the receiver: which of them holds it");
    }
    Some(finding.about_flow(flow).with_remedies(proposed(flow, view)))
}

/// Finds a window allowed by settings that explains a steady rate which neither cwnd nor losses explain.
fn computed(flow: &Flow, view: &View) -> Option<Finding> {
    if flow.seen.limits.is_some() {
        return None;
    }
    let (rtt, goodput) = (flow.rtt.as_ref()?, flow.seen.goodput?);
    let rates = flow.rates()?;
    let settled = &rates[rates.len().min(flow.settled.max(2))..];
    let middle = percentile(settled.to_vec(), 0.5)?;
    let apart = settled.iter().filter(|r| (*r - middle).abs() > MAX_STEADY_VARIATION * middle).count();
    let steady = apart * 3 <= settled.len();
    // A cwnd that limits equals the bytes of a round trip.
    let cwnd = flow.cwnd?;
    let has_room = cwnd > 1.5 * middle * rtt.value / 8.0;
    if !(steady && has_room) {
        return None;
    }
    let caps = caps(view);
    let fits = caps.iter().find(|cap| {
        let Some(most) = flow.allowed_by(cap.window) else { return false };
        (1.0 - MAX_EXPLAINED_DIFFERENCE..=1.0 + MAX_EXPLAINED_DIFFERENCE / 2.0).contains(&(middle / most))
    })?;
    let most = flow.allowed_by(fits.window)?;
    let says = format!(
        "Receive-window limited: {} / {} = {} at most; measured {} ({} when steady), and cwnd has room.",
        bytes(fits.window),
        time(rtt.value),
        rate(most),
        rate(goodput),
        rate(middle)
    );
    let mut finding = Finding::problem(RULE.name, Confidence::Medium, RULE.assumed, says)
        .figure("window", bytes(fits.window), &fits.how)
        .figure("RTT", time(rtt.value), &rtt.from)
        .at("mean cwnd", bytes(cwnd), &flow.seen.place)
        .setting("receive buffer", fits.setting)
        .doubt("The text doesn't say whether these settings applied during the run.")
        .ask("ss -tinm dst HOST at the sender while it runs: rwnd_limited settles it");
    if !fits.is_known && caps.iter().any(|cap| cap.setting.value != fits.setting.value) {
        finding = finding.ask("--receiver FILE: which of these settings are the receiver's");
    }
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow)))
}

/// A window that a setting allows.
struct Cap<'a> {
    setting: &'a Setting,
    /// Whether the host is known to be the receiver.
    is_known: bool,
    /// Largest buffer of the setting, bytes.
    buffer: f64,
    window: f64,
    how: String,
}

/// Returns the window of each value of `tcp_rmem`, with the `tcp_adv_win_scale` nearest to it in the file.
fn caps<'a>(view: &View<'a>) -> Vec<Cap<'a>> {
    let of_receiver = |key| view.settings(key).filter(|(host, _)| host.may_be(End::Receiver));
    let linux = of_receiver("net.ipv4.tcp_rmem").filter_map(|(host, setting)| {
        let largest = path_facts::third(setting)?;
        let scale = scale_beside(host, setting).filter(|_| !host.since([6, 6]));
        let (scaling, how) = match scale {
            Some(scale) => (Scaling::AdvWinScale(scale), format!("tcp_rmem[2] with tcp_adv_win_scale {scale}")),
            None => (Scaling::Ratio(buffer::DEFAULT_SCALING_RATIO), "half of tcp_rmem[2]".into()),
        };
        let is_known = host.end.is_some();
        Some(Cap { setting, is_known, buffer: largest as f64, window: buffer::window(largest, scaling) as f64, how })
    });
    let freebsd = of_receiver("net.inet.tcp.recvbuf_max").filter_map(|(host, setting)| {
        let window = setting.value.trim().parse().ok()?;
        Some(Cap { setting, is_known: host.end.is_some(), buffer: window, window, how: "recvbuf_max".into() })
    });
    linux.chain(freebsd).collect()
}

fn scale_beside(host: &Host, setting: &Setting) -> Option<i8> {
    let scales = host.settings.iter().filter(|s| s.key == "net.ipv4.tcp_adv_win_scale");
    let next = scales.min_by_key(|s| s.place.line.abs_diff(setting.place.line))?;
    next.value.trim().parse().ok()
}
