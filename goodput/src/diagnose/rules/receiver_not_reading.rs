use crate::diagnose::cure;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::need::Need;
use crate::diagnose::rule::Rule;
use crate::diagnose::view::View;
use crate::show::{rate, share};

/// See its row.
pub const RULE: Rule = Rule {
    name: "receiver-not-reading",
    title: "The receiving application does not read",
    needs: &[Need::Limits],
    model: "What arrived and was not read takes room in the receive buffer; the window shrinks by it, to 0 at last. A \
            larger buffer fills as well.",
    source: "RFC 9293, 3.8.6; Recv-Q of ss and netstat",
    thresholds: &[
        ("the window closed after data had come", "a window that is only small never does"),
        (
            "or the receive queue holds more than 40 % of the buffer, in the middle of the run",
            "a reader that keeps up leaves it near empty",
        ),
    ],
    confidence: "medium with a window that varies by 2 % and more late in the run, and the time that it bound, as the sender sees it; high with a closed window or a full receive queue and the time that the window bound",
    confirm: &[
        "ss -tn at the receiver, several times: Recv-Q stays large",
        "top, iostat and strace at the receiver: disk or processor",
    ],
    alike: &[("receiver-window", "then Recv-Q is near 0 and the window is steady")],
    explains: &["receiver-window", "application-limited"],
    cure: cure::reader,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    view.flows.iter().filter_map(of).collect()
}

/// A window that varies by more than this, late in the run, has a reader behind it that does not keep up.
const VARIES: f64 = 0.02;

/// Whether the window closes, or varies as what was not read fills the buffer.
pub fn is_closing(flow: &Flow) -> bool {
    let closed = flow.seen.window.is_some_and(|w| w.zeros > 0);
    let full = flow.seen.unread.map(|unread| unread > 0.4);
    closed || full.unwrap_or_else(|| flow.window_varies().is_some_and(|varies| varies > VARIES))
}

fn of(flow: &Flow) -> Option<Finding> {
    let limited = flow.seen.limits.map(|limits| limits.rwnd);
    if limited.is_some_and(|limited| limited < 0.2) || !is_closing(flow) {
        return None;
    }
    let closed = flow.seen.window.map_or(0, |w| w.zeros);
    let full = flow.seen.unread.filter(|unread| *unread > 0.4);
    // A window that varies is the least sign, and binds only if it was counted.
    if closed == 0 && full.is_none() && limited.is_none() {
        return None;
    }
    let confidence = if closed > 0 || full.is_some() { Confidence::High } else { Confidence::Medium };
    let says = format!(
        "The receiving application does not read fast enough: {}, and {} arrive.",
        if confidence == Confidence::High {
            "its buffer is full"
        } else {
            "its window shrinks as what was not read takes room"
        },
        rate(flow.seen.goodput?)
    );
    let mut finding = Finding::problem(RULE.name, confidence, limited.unwrap_or(0.5), says);
    if closed > 0 {
        finding = finding.at("samples in which the window was closed", closed.to_string(), &flow.seen.place);
    }
    if let Some(full) = full {
        finding = finding.at("of the receive buffer, not read", share(full), &flow.seen.place);
    } else if let Some(varies) = flow.window_varies() {
        finding = finding
            .at("largest fall of the window, late in the run", share(varies), &flow.seen.place)
            .ask("ss -tn at the receiver, several times: Recv-Q stays large");
    }
    if let Some(limited) = limited {
        finding = finding.at("time limited by the receiver's window", share(limited), &flow.seen.place);
    }
    Some(finding.of(flow).cured_by(cure::reader(&cure::sizes(flow))))
}
