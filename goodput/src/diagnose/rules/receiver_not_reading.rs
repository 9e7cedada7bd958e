use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::unread;
use crate::diagnose::unread::{FULL_BUFFER_SHARE, MIN_READER_VARIATION, binds, closures, stays_closed, stays_small};
use crate::diagnose::view::View;
use crate::show::{self, bytes, rate, share};

/// The rule.
pub const RULE: Rule = Rule {
    name: "receiver-not-reading",
    title: "Receiving application reads too slowly",
    needs: &[Need::Limits],
    model: "Data that arrived and was not read takes up the receive buffer; the window shrinks by it, finally to 0. A larger \
            buffer fills up, too.",
    source: "RFC 9293, 3.8.6; Recv-Q of ss and netstat",
    thresholds: || {
        vec![
            (
                format!(
                    "the window closed after data had arrived, at {} of the points or late in the run as well",
                    show::plain_share(unread::MIN_CLOSED_POINTS_SHARE)
                ),
                "a window that is merely small never does; a busy host reads late now and then",
            ),
            (
                "or the sender probes it, or less than a segment is in flight on the mean while it binds, and none is \
                 sent again"
                    .into(),
                "a window that is merely small has room for a segment in each round trip",
            ),
            (
                format!(
                    "or it binds for {} of the time and more, and is mostly less than half of what it was",
                    show::plain_share(unread::MIN_BINDING_SHARE)
                ),
                "buffers grow; what is not read takes them up",
            ),
            (
                format!(
                    "or at {} of the points late in the run, and {} or more, it is less than {} of what it was",
                    show::plain_share(unread::MIN_TAKEN_POINTS_SHARE),
                    unread::MIN_TAKEN_POINTS,
                    show::plain_share(unread::MAX_LEFT_WINDOW_SHARE)
                ),
                "a hole holds the window where it is until it is filled; a reader that keeps up then empties the \
                 buffer at once",
            ),
            (
                format!(
                    "or in the median the receive queue fills more than {} of the buffer",
                    show::plain_share(unread::FULL_BUFFER_SHARE)
                ),
                "a reader that keeps up leaves it nearly empty",
            ),
        ]
    },
    confidence: "high with a closed window or a full receive queue; medium with a window that varies by 2 % or more late in the run and counted rwnd-limited time",
    confirm: &[
        "ss -tn at the receiver, several times: Recv-Q stays large",
        "top, iostat and strace at the receiver: disk or CPU",
    ],
    alike: &[("receiver-window", "Recv-Q is near 0 and the window is steady")],
    explains: &["receiver-window", "application-limited", "idle-restart"],
    remedies: remedies::reader,
    assumed: 0.5,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    view.flows.iter().filter_map(of).collect()
}

/// Describes the change of the window late in the run.
fn late(flow: &Flow) -> Option<(&'static str, String)> {
    let small = || {
        let largest = bytes(flow.seen.window?.largest);
        Some(("window, late in the run", format!("{}, once {largest}", bytes(stays_small(flow)?))))
    };
    let falls = |varies: f64| ("largest late fall of the window", share(varies));
    flow.window_varies().filter(|varies| *varies > MIN_READER_VARIATION).map(falls).or_else(small)
}

fn of(flow: &Flow) -> Option<Finding> {
    if !binds(flow) {
        return None;
    }
    let limited = flow.seen.limits.map(|limits| limits.rwnd);
    let closed = closures(flow);
    let full = flow.seen.unread.filter(|unread| *unread > FULL_BUFFER_SHARE);
    let stands = stays_closed(flow);
    let confidence = if closed > 0 || full.is_some() || stands { Confidence::High } else { Confidence::Medium };
    let shows = match confidence {
        Confidence::High => "its buffer is full",
        _ => "the window shrinks as unread data piles up",
    };
    let measured = flow.seen.goodput.map_or(String::new(), |goodput| format!(" Measured {}.", rate(goodput)));
    if measured.is_empty() && !flow.seen.probes {
        return None;
    }
    let says = format!("Receiving application reads too slowly: {shows}.{measured}");
    let mut finding = Finding::problem(RULE.name, confidence, limited.unwrap_or(RULE.assumed), says);
    if stands && closed == 0 {
        let shows =
            if flow.seen.probes { "probes a closed window" } else { "less than a segment in flight on the mean" };
        finding = finding.at("sender", shows.to_owned(), &flow.seen.place);
    }
    if closed > 0 {
        finding = finding.at("samples with zero window", closed.to_string(), &flow.seen.place);
    }
    if let Some(full) = full {
        finding = finding.at("receive buffer unread", share(full), &flow.seen.place);
    } else if let Some(shown) = late(flow).filter(|_| !stands) {
        finding = finding
            .at(shown.0, shown.1, &flow.seen.place)
            .ask("ss -tn at the receiver, several times: Recv-Q stays large");
    }
    if let Some(limited) = limited {
        finding = finding.at("rwnd_limited (tcp_info)", share(limited), &flow.seen.place);
    }
    Some(finding.of(flow).sized(Sizes::of(flow)))
}
