use crate::diagnose::cure;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::need::Need;
use crate::diagnose::rule::Rule;
use crate::diagnose::view::View;
use crate::show::{bytes, rate, share, time};

/// A limit that holds for less of the time than this is not what binds.
const BINDS: f64 = 0.3;

/// See its row.
pub const RULE: Rule = Rule {
    name: "send-buffer",
    title: "Send-buffer limited",
    needs: &[Need::Limits],
    model: "Unacknowledged data stays in the send buffer, so at most one send buffer can be in flight. Linux grows it with \
            cwnd up to tcp_wmem[2]; SO_SNDBUF fixes it at twice the value, wmem_max at most.",
    source: "net/ipv4/tcp_input.c (tcp_sndbuf_expand); tcp(7); tcpi_sndbuf_limited",
    thresholds: &[("sndbuf-limited 30 % of the time", "below that, another limit costs more")],
    confidence: "high: tcp_info counts it; nothing else shows it",
    confirm: &["ss -tinm dst HOST (sndbuf_limited, tb)"],
    alike: &[("application-limited", "the buffer is empty, not full")],
    explains: &[],
    cure: cure::send_buffer,
    assumed: 0.0,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    view.flows.iter().filter_map(of).collect()
}

fn of(flow: &Flow) -> Option<Finding> {
    let limited = flow.seen.limits.map(|limits| limits.sndbuf).filter(|limited| *limited > BINDS)?;
    let says = format!("Send-buffer limited {} of the time at {}.", share(limited), rate(flow.seen.goodput?));
    let mut finding = Finding::problem(RULE.name, Confidence::High, limited, says).at(
        "time sndbuf-limited",
        share(limited),
        &flow.seen.place,
    );
    if let Some(size) = flow.seen.sndbuf {
        finding = finding.at("send buffer (memory)", bytes(size), &flow.seen.place);
    }
    if let Some(rtt) = &flow.rtt {
        finding = finding.figure("RTT", time(rtt.value), &rtt.from);
    }
    Some(finding.of(flow).cured_by(cure::send_buffer(&cure::sizes(flow))))
}
