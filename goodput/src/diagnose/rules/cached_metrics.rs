use crate::diagnose::cure;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::need::Need;
use crate::diagnose::rule::Rule;
use crate::diagnose::view::View;
use crate::show::bytes;

/// See its row.
pub const RULE: Rule = Rule {
    name: "cached-metrics",
    title: "A connection inherits what an earlier one met",
    needs: &[Need::Window],
    model: "Linux (ip tcp_metrics) and FreeBSD (net.inet.tcp.hostcache) keep RTT, ssthresh and reordering of each \
            destination. A new connection starts with the ssthresh of a bad hour and leaves slow start there; and runs that \
            are compared are not independent.",
    source: "net/ipv4/tcp_metrics.c (tcp_init_metrics); FreeBSD tcp_hostcache.c",
    thresholds: &[
        ("ssthresh is set in the first sample, before any retransmission", "a new connection has none"),
        ("and the window there is still the initial one", "later HyStart may have set it"),
        (
            "tcp_no_ssthresh_metrics_save is not known to be 1",
            "it is by default since Linux 5.6, and ssthresh is then not kept",
        ),
    ],
    confidence: "high: it is counted",
    confirm: &[
        "ip tcp_metrics show HOST",
        "sysctl net.inet.tcp.hostcache.list (FreeBSD)",
        "ip tcp_metrics flush HOST, and the same run",
    ],
    alike: &[("slow-start-exit", "ssthresh comes some round trips later")],
    explains: &["slow-start-exit", "short-flows", "loss-response", "shallow-buffer"],
    cure: cure::metrics,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let flows = view.flows.iter().filter_map(|flow| {
        let first = flow.seen.points.iter().find(|p| p.cwnd.is_some())?;
        let ssthresh = first.ssthresh.filter(|_| first.retransmitted.is_none_or(|n| n == 0.0))?;
        // A connection that is seen from its first window on.
        let early = first.cwnd.is_some_and(|cwnd| cwnd <= 12.0 * flow.mss);
        let kept = view.settings("net.ipv4.tcp_no_ssthresh_metrics_save").last();
        let early = early && kept.is_none_or(|(_, setting)| setting.value != "1");
        let largest = flow.seen.points.iter().filter_map(|p| p.cwnd).fold(0.0, f64::max);
        (early && ssthresh < 0.8 * largest).then(|| {
            let says = format!(
                "The connection began with a slow-start threshold of {}, which an earlier one left behind; the path bears {}.",
                bytes(ssthresh),
                bytes(largest)
            );
            let finding = Finding::problem(RULE.name, Confidence::High, 0.4, says)
                .at("ssthresh in the first sample", bytes(ssthresh), &flow.seen.place)
                .at("largest window later", bytes(largest), &flow.seen.place);
            finding.of(flow).cured_by(cure::metrics(&cure::sizes(flow)))
        })
    });
    flows.collect()
}
