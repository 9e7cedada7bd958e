use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::view::View;
use crate::show::rate;
use evidence::import::iperf::summary;

/// The rule.
pub const RULE: Rule = Rule {
    name: "few-samples",
    title: "Too few runs to compare",
    needs: &[],
    model: "One run of each is one sample: what happened once. The intervals within a run show how steady that run was, not \
            how the next one will do.",
    source: "Jain, The Art of Computer Systems Performance Analysis, 13; docs/explanation/statistics.md",
    thresholds: || {
        vec![(
            "two runs that differ in congestion control, one of each".into(),
            "a verdict takes several of both, interleaved",
        )]
    },
    confidence: "high: runs are counted",
    confirm: &[
        "for i in $(seq 10); do iperf3 -c HOST -C A; iperf3 -c HOST -C B; done; goodput compare A B",
        "goodput run: the same in the lab, over several seeds",
    ],
    alike: &[],
    explains: &[],
    remedies: remedies::nothing,
    assumed: 0.0,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let listings = &view.evidence.listings;
    let controls: Vec<_> = listings.iter().filter_map(|p| Some((p, p.listing.congestion.clone()?))).collect();
    let pair = controls.iter().enumerate().find_map(|(n, (a, first))| {
        let (b, second) = controls[n + 1..].iter().next()?;
        let alone = |name: &str| controls.iter().filter(|(_, other)| other == name).count() == 1;
        (alone(first) && alone(second)).then_some(((*a, first), (*b, second)))
    });
    let tables: Vec<_> =
        view.evidence.tables.iter().filter(|table| table.rows.len() > 1 && table.has_rates()).collect();
    let rows: usize = tables.iter().map(|table| table.rows.len()).sum();
    let of_tables = (!tables.is_empty()).then(|| {
        let says = format!(
            "{rows} rows of results with one figure per case: run-to-run variation is unknown, so small differences mean \
             nothing."
        );
        let finding = tables.iter().fold(Finding::note(RULE.name, Confidence::High, says), |finding, table| {
            let heads = table.columns.iter().filter(|head| !head.is_empty()).cloned().collect::<Vec<_>>().join(", ");
            finding.at(format!("{} rows", table.rows.len()), heads, &table.place)
        });
        finding
            .ask("goodput run examples/loss-resilience.toml: such a table over seeds, with intervals")
    });
    let of_pair = pair.map(|((a, first), (b, second))| {
        let goodput = |printed: &evidence::Printed| summary::goodput(&printed.listing).map(|g| rate(g.rate.value));
        let says = format!("One run with {first} and one with {second} cannot show which is better.");
        Finding::note(RULE.name, Confidence::High, says)
            .at(format!("goodput with {first}"), goodput(a).unwrap_or_default(), &a.place)
            .at(format!("goodput with {second}"), goodput(b).unwrap_or_default(), &b.place)
            .ask("goodput compare A B, with ten interleaved runs of each")
    });
    of_pair.into_iter().chain(of_tables).collect()
}
