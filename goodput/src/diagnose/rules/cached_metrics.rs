use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use crate::show::bytes;
use evidence::Source;

/// The rule.
pub const RULE: Rule = Rule {
    name: "cached-metrics",
    title: "ssthresh cached from an earlier connection",
    needs: &[Need::Window],
    model: "Linux (ip tcp_metrics) and FreeBSD (net.inet.tcp.hostcache) cache RTT, ssthresh and reordering per \
            destination. A new connection starts with the ssthresh of a bad one and leaves slow start there; and runs that \
            you compare are not independent.",
    source: "net/ipv4/tcp_metrics.c (tcp_init_metrics); FreeBSD tcp_hostcache.c",
    thresholds: || {
        vec![
            ("ssthresh is set in the first sample, before any retransmission".into(), "a fresh connection has none"),
            ("and cwnd is still the initial window".into(), "later, HyStart may have set it"),
            (
                "tcp_no_ssthresh_metrics_save is not known to be 1".into(),
                "the default since Linux 5.6, and ssthresh is then not cached",
            ),
        ]
    },
    confidence: "high: the first sample shows it",
    confirm: &[
        "ip tcp_metrics show HOST",
        "sysctl net.inet.tcp.hostcache.list (FreeBSD)",
        "ip tcp_metrics flush HOST, then run again",
    ],
    alike: &[("slow-start-exit", "ssthresh appears some RTTs later")],
    explains: &["slow-start-exit", "short-flows", "loss-response", "shallow-buffer"],
    remedies: remedies::metrics,
    assumed: 0.4,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let flows = view.flows.iter().filter_map(|flow| {
        let first = flow.seen.points.iter().find(|p| p.cwnd.is_some())?;
        // A single screen of ss, or the first of a running connection, does not show its start.
        let known =
            first.retransmitted.is_none_or(|n| n == 0.0) && (first.bytes.is_some() || flow.seen.source != Source::Ss);
        let is_start = flow.seen.points.len() > 1 && known;
        let ssthresh = first.ssthresh.filter(|_| is_start)?;
        // The connection is observed from its first window on.
        let early = first.cwnd.is_some_and(|cwnd| cwnd <= 12.0 * flow.mss);
        // Marks end slow start as losses do, without a retransmission.
        let marked = flow.seen.marked.is_some_and(|share| share > 0.0);
        let kept = view.settings("net.ipv4.tcp_no_ssthresh_metrics_save").last();
        let early = early && !marked && kept.is_none_or(|(_, setting)| setting.value != "1");
        let largest = flow.seen.points.iter().filter_map(|p| p.cwnd).fold(0.0, f64::max);
        (early && ssthresh < 0.8 * largest).then(|| {
            let says = format!(
                "The connection started with ssthresh {}, cached from an earlier one; cwnd later reached {}.",
                bytes(ssthresh),
                bytes(largest)
            );
            let finding = Finding::problem(RULE.name, Confidence::High, RULE.assumed, says)
                .at("ssthresh in the first sample", bytes(ssthresh), &flow.seen.place)
                .at("largest cwnd later", bytes(largest), &flow.seen.place);
            finding.of(flow).sized(Sizes::of(flow))
        })
    });
    flows.collect()
}
