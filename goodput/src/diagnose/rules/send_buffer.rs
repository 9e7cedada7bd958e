use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding, Severity};
use crate::diagnose::flow;
use crate::diagnose::flow::{Flow, MIN_BUSY_SHARE};
use crate::diagnose::next_limit;
use crate::diagnose::path_facts;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::settings_owner;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::speed;
use crate::diagnose::view::View;
use crate::model::FULL_LINK_SHARE;
use crate::model::buffer::Limits;
use crate::remedy::{Remedy, Side};
use crate::show::{self, bytes, rate, share, time};
use evidence::{End, Setting};

/// Share of the time from which the buffer limits.
const MIN_BINDING_TIME_SHARE: f64 = 0.3;
/// Largest ratio of the bytes in flight to the receive window, and to cwnd, if the buffer limits instead.
const MIN_HELD_IN_FLIGHT_SHARE: f64 = 0.75;
/// Largest ratio of a buffer's memory to its payload: overhead is up to three times the payload (sk_buff truesize).
const MAX_MEMORY_PER_PAYLOAD: f64 = 4.0;
/// Smallest part that the buffer causes, segments; smaller parts are a program's own writes.
const MIN_PART_SEGMENTS: f64 = 4.0;
/// Retransmitted share below which losses do not limit.
const MAX_LOSSLESS_SHARE: f64 = 0.001;
/// Bounds in a capture: the largest mean share of the window in flight if it is refilled in parts (a cwnd that limits
/// reaches 0.83 and more), and the largest share of bursts that a sender which waits for ACKs starts by itself.
const MAX_PARTS_IN_FLIGHT_SHARE: f64 = 0.82;
const MAX_OWN_BURSTS_SHARE: f64 = 0.1;
/// Share of a cwnd in flight without a loss or a mark: a cwnd that limits reaches 0.95 and more.
const MAX_UNFILLED_SHARE: f64 = 0.94;

/// The rule.
pub const RULE: Rule = Rule {
    name: "send-buffer",
    title: "Send-buffer limited",
    needs: &[Need::Limits],
    model: "Unacknowledged data stays in the send buffer, so at most one send buffer can be in flight. Linux grows it with \
            cwnd up to tcp_wmem[2]; SO_SNDBUF, capped at wmem_max and then doubled by the kernel, fixes its size and turns \
            autotuning off.",
    source: "net/ipv4/tcp_input.c (tcp_sndbuf_expand); tcp(7); tcpi_sndbuf_limited",
    thresholds: || {
        vec![
            (
                format!("sndbuf-limited {} of the time", show::plain_share(MIN_BINDING_TIME_SHARE)),
                "below that, another limit costs more",
            ),
            (
                "or a send buffer, overhead included, that is smaller than cwnd".into(),
                "autotuning gives it twice cwnd; what a write overdraws is sent in bursts, which nothing counts",
            ),
            (
                format!(
                    "or iperf3 without -b keeps less than {} of cwnd and of the receive window in flight, with no \
                     loss and no queue",
                    show::plain_share(MIN_HELD_IN_FLIGHT_SHARE)
                ),
                "only the send buffer remains; the CPU is idle",
            ),
            (
                format!(
                    "captures: the same in flight, within {}, for {} of the time, below {} of the receive window, \
                     fewer than {} retransmitted, a line with room, packets that leave when ACKs arrive",
                    show::plain_share(flow::SAME_IN_FLIGHT_SHARE),
                    show::plain_share(flow::MIN_SAME_POINTS_SHARE),
                    show::plain_share(MIN_HELD_IN_FLIGHT_SHARE),
                    show::plain_share(MAX_LOSSLESS_SHARE)
                ),
                "a congestion window would grow",
            ),
            (
                format!(
                    "or {} of the most in flight on the mean ({} with no loss and no mark at all), and fewer than {} \
                     of the bursts at the program's own time, with no loss later",
                    show::plain_share(MAX_PARTS_IN_FLIGHT_SHARE),
                    show::plain_share(MAX_UNFILLED_SHARE),
                    show::plain_share(MAX_OWN_BURSTS_SHARE)
                ),
                "a program that is woken when a third of its buffer is free refills it in parts; a congestion window \
                 is full all the time",
            ),
            (
                "a note: the stated rate over the base RTT needs more than the largest send buffer".into(),
                "whatever limits now, the buffer does next",
            ),
        ]
    },
    confidence: "high if tcp_info counts it; medium by its size, or by elimination; low from a capture, or, as a note, if the sender's own interface may be full",
    confirm: &["ss -tinm dst HOST (sndbuf_limited, tb)"],
    alike: &[("application-limited", "the buffer is empty, not full")],
    explains: &["rate-cap"],
    remedies: remedies::send_buffer,
    assumed: 0.5,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let of = |flow| {
        let counted = counted(flow, view).or_else(|| outgrown(flow, view));
        counted.or_else(|| measured(flow, view)).or_else(|| captured(flow, view))
    };
    let found: Vec<Finding> = view.flows.iter().filter_map(of).collect();
    if !found.is_empty() {
        return found;
    }
    next(view).into_iter().collect()
}

/// Returns the third value of each tcp_wmem, with its setting.
fn caps<'a>(view: &View<'a>) -> Vec<(f64, &'a Setting)> {
    let of_sender = view.settings("net.ipv4.tcp_wmem").filter(|(host, _)| host.may_be(End::Sender));
    of_sender.filter_map(|(_, setting)| Some((path_facts::third(setting)? as f64, setting))).collect()
}

/// Notes the size to which autotuning may grow, if all hosts that may send have the same setting.
fn next(view: &View) -> Option<Finding> {
    let caps = caps(view);
    let &(cap, setting) = caps.first().filter(|(cap, _)| caps.iter().all(|(other, _)| other == cap))?;
    next_limit::limit(view, RULE.name, "The send buffer limits next: tcp_wmem lets it grow to", cap, setting)
}

/// Proposes to raise autotuning's maximum if the buffer reached it, else to change the program's own request.
fn proposed(flow: &Flow, view: &View, buffer: f64) -> Vec<Remedy> {
    let sizes = Sizes::of(flow).beyond_flight(flow);
    let caps: Vec<f64> = caps(view).into_iter().map(|(cap, _)| cap).collect();
    if flow.seen.asked.is_some() {
        return remedies::asked();
    }
    let usual = || sizes.platforms.iter().map(|platform| Limits::of(platform).send as f64).collect();
    let is_at_its_end = match flow.seen.sndbuf {
        Some(size) => {
            let caps: Vec<f64> = if caps.is_empty() { usual() } else { caps };
            caps.iter().any(|cap| settings_owner::is_at_its_end(size, *cap))
        }
        None => caps.iter().any(|cap| *cap <= MAX_MEMORY_PER_PAYLOAD * buffer),
    };
    if is_at_its_end { remedies::send_buffer(&sizes) } else { remedies::unknown_window(Side::Send, &sizes) }
}

/// Finds a sender with data that keeps less in flight than both windows allow, without a loss: only its buffer remains
/// as the limit.
fn measured(flow: &Flow, view: &View) -> Option<Finding> {
    if flow.seen.limits.is_some()
        || flow.seen.target.is_some()
        || !flow.seen.written
        || flow.fills(FULL_LINK_SHARE) == Some(true)
    {
        return None;
    }
    let goodput = flow.seen.goodput?;
    let (window, cwnd, loaded) = (flow.median(|p| p.window)?, flow.median(|p| p.cwnd)?, flow.median(|p| p.srtt)?);
    let in_flight = goodput * loaded / 8.0;
    let lossless = flow.seen.retransmitted == Some(0.0);
    if !(flow.is_held()
        && lossless
        && in_flight < MIN_HELD_IN_FLIGHT_SHARE * window
        && in_flight < MIN_HELD_IN_FLIGHT_SHARE * cwnd)
    {
        return None;
    }
    let idle = flow.seen.processors[0].is_none_or(|used| used < 0.8);
    // A sender with a full interface of its own leaves its windows as empty.
    let known = flow.seen.asked.is_some()
        || caps(view).iter().any(|(cap, _)| (1.0..MAX_MEMORY_PER_PAYLOAD).contains(&(cap / in_flight)));
    let sure = known || !speed::may_be_own_interface(flow);
    let says = format!(
        "Send-buffer limited: {} in flight ({} × {}), below cwnd ({}) and the receiver's window ({}), without a loss.",
        bytes(in_flight),
        rate(goodput),
        time(loaded),
        bytes(cwnd),
        bytes(window)
    );
    let confidence = if sure && idle { Confidence::Medium } else { Confidence::Low };
    let mut finding = Finding::problem(RULE.name, confidence, RULE.assumed, says)
        .figure("in flight", bytes(in_flight), "goodput × RTT")
        .at("cwnd", bytes(cwnd), &flow.seen.place)
        .at("receiver's window", bytes(window), &flow.seen.place)
        .ask("ss -tinm dst HOST at the sender while it runs: sndbuf_limited and tb settle it");
    if !sure {
        finding.severity = Severity::Note;
        finding = finding.doubt("A sender whose own interface is full looks the same: pass --rate.");
    }
    Some(finding.of(flow).with_remedies(proposed(flow, view, in_flight)))
}

/// Finds a capture of a sender with constant bytes in flight, below the receive window and without a loss, though the
/// link has room: a cwnd would grow.
fn captured(flow: &Flow, view: &View) -> Option<Finding> {
    let own =
        flow.own_burst().filter(|_| flow.seen.busy.is_some_and(|busy| busy >= MIN_BUSY_SHARE) && !flow.is_bbr())?;
    let window = flow.median(|point| point.window)?;
    let few = flow.retransmitted().is_some_and(|again| again < MAX_LOSSLESS_SHARE);
    // All of the window may leave at once.
    let queued = flow.is_raised(2.0 * own) == Some(true);
    let same = flow.held_in_flight().filter(|_| few && !queued);
    let held = same.or_else(|| refilled_in_parts(flow))?;
    let own_time = flow.is_at_its_own_time();
    if own_time || held > MIN_HELD_IN_FLIGHT_SHARE * window || held < MIN_PART_SEGMENTS * flow.mss {
        return None;
    }
    let says = format!(
        "Send-buffer limited: never more than {} in flight, though the receiver's window ({}) and the line have room.",
        bytes(held),
        bytes(window)
    );
    let finding = Finding::problem(RULE.name, Confidence::Low, RULE.assumed, says)
        .at("in flight, median", bytes(held), &flow.seen.place)
        .at("receiver's window", bytes(window), &flow.seen.place)
        .doubt("A program that paces itself keeps as little in flight.")
        .ask("ss -tinm dst HOST at the sender while it runs: sndbuf_limited and tb settle it");
    Some(finding.of(flow).with_remedies(proposed(flow, view, held)))
}

/// Returns the bytes in flight of a sender that follows the ACKs and lets its window run low between them: its program
/// wakes when a third of the buffer is free (include/net/sock.h, sk_stream_write_space). A loss lets it run low as
/// well.
fn refilled_in_parts(flow: &Flow) -> Option<f64> {
    let heeds = flow.seen.own_pace.is_some_and(|own| own < MAX_OWN_BURSTS_SHARE);
    let few = flow.retransmitted_later().is_some_and(|again| again < MAX_LOSSLESS_SHARE);
    let marked = flow.seen.marked.is_some_and(|marked| marked > 0.0);
    let lossless = flow.seen.retransmitted == Some(0.0) && !marked;
    let least = if lossless { MAX_UNFILLED_SHARE } else { MAX_PARTS_IN_FLIGHT_SHARE };
    let in_parts = flow.flight_used().is_some_and(|used| used < least);
    flow.median(|point| point.in_flight).filter(|_| heeds && few && in_parts && !flow.is_often_reordered())
}

/// Finds a cwnd that exceeds a buffer which may not grow.
fn outgrown(flow: &Flow, view: &View) -> Option<Finding> {
    let [held, cwnd] = flow.outgrown()?;
    // A sender without data to send needs no buffer space.
    let idle = flow.busy().is_some_and(|busy| busy < MIN_BUSY_SHARE);
    // Data that arrived behind a late packet stays in the buffer as well.
    let reordered = flow.is_often_reordered();
    if idle || reordered || flow.fills(FULL_LINK_SHARE) == Some(true) {
        return None;
    }
    let says = format!(
        "Send-buffer limited at {}: the buffer takes {} of memory, less than cwnd ({}).",
        rate(flow.seen.goodput?),
        bytes(held),
        bytes(cwnd)
    );
    let finding = Finding::problem(RULE.name, Confidence::Medium, RULE.assumed, says)
        .at("send buffer (memory)", bytes(held), &flow.seen.place)
        .at("median cwnd", bytes(cwnd), &flow.seen.place);
    Some(finding.of(flow).with_remedies(proposed(flow, view, held)))
}

/// Finds a limit that the kernel counted.
fn counted(flow: &Flow, view: &View) -> Option<Finding> {
    let limited = flow.seen.limits.map(|limits| limits.sndbuf).filter(|limited| *limited > MIN_BINDING_TIME_SHARE)?;
    let says = format!("Send-buffer limited {} of the time at {}.", share(limited), rate(flow.seen.goodput?));
    let mut finding = Finding::problem(RULE.name, Confidence::High, limited, says).at(
        "sndbuf_limited (tcp_info)",
        share(limited),
        &flow.seen.place,
    );
    if let Some(size) = flow.seen.sndbuf {
        finding = finding.at("send buffer (memory)", bytes(size), &flow.seen.place);
    }
    if let Some(rtt) = &flow.rtt {
        finding = finding.figure("RTT", time(rtt.value), &rtt.from);
    }
    let held = flow.seen.sndbuf.unwrap_or(0.0);
    Some(finding.of(flow).with_remedies(proposed(flow, view, held)))
}
