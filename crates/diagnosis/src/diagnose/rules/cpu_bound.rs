use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use base::show::{self, rate, share};

/// Share of its time from which a CPU is full; the scheduler takes the rest.
const FULL_PROCESSOR_SHARE: f64 = 0.93;

/// Shortest transfer whose processor time tells its limit, seconds: a shorter one is all set-up.
const MIN_DURATION_S: f64 = 0.5;

/// The rule.
pub const RULE: Rule = Rule {
    name: "cpu-bound",
    title: "CPU-bound",
    needs: &[Need::Processors],
    model: "iperf3 before 3.16 runs all streams in one thread, and one CPU handles all packets of a connection. Once that \
            CPU is at 100 %, nothing on the path matters.",
    source: "iperf3's cpu_utilization_percent (getrusage); fasterdata.es.net, iperf3 at 40 Gbit/s and above",
    thresholds: || {
        vec![(
            format!("{} of one CPU at either end", show::plain_share(FULL_PROCESSOR_SHARE)),
            "scheduler and interrupts take the rest",
        )]
    },
    confidence: "high: measured, though for the iperf3 process alone, without interrupts",
    confirm: &["mpstat -P ALL 1; top -H", "iperf3 -c HOST -Z; iperf3 3.16 or later with -P 4"],
    alike: &[("rate-cap", "the CPUs are idle")],
    explains: &["receiver-window", "application-limited", "send-buffer", "rate-cap", "receiver-not-reading"],
    remedies: remedies::processor,
    assumed: 0.0,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let of = view.flows.iter().filter_map(|flow| {
        let ends = ["sender", "receiver"].into_iter().zip(flow.seen.processors);
        let (end, used) = ends.filter_map(|(end, used)| Some((end, used?))).max_by(|a, b| a.1.total_cmp(&b.1))?;
        // iperf3 3.16 and later has a thread for each stream; more than one CPU's time shows it where no version is
        // printed.
        let told = flow.seen.threads.map(|threads| threads as f64);
        let threads = told.unwrap_or(if used > 1.1 { view.group(flow).count() as f64 } else { 1.0 });
        // A transfer without data has no limit.
        let moves = flow.seen.goodput.is_none_or(|goodput| goodput > 0.0);
        let lasts = flow.seconds.is_none_or(|seconds| seconds >= MIN_DURATION_S);
        (moves && lasts && used / threads >= FULL_PROCESSOR_SHARE).then(|| {
            let says = format!(
                "CPU-bound at the {end}: {} of one CPU at {}.",
                share(used),
                rate(flow.seen.goodput.unwrap_or(0.0))
            );
            Finding::problem(RULE.name, Confidence::High, used.min(1.0), says)
                .at(format!("CPU time of the {end}"), share(used), &flow.seen.place)
                .about_flow(flow)
                .sized(Sizes::for_flow(flow))
        })
    });
    of.take(1).collect()
}
