//! The answer as a page for a browser: the transfer's figures alongside the lab's, and the effect of each change.

use super::explain::Explanation;
use super::remarks::{of_idle, of_row};
use super::row::ChangeRow;
use super::text_page::{
    advice, answer, distance, first_measurement, fitted_quantities, gain, goodput, how_to_read, of_best,
    of_comparisons, of_explanation, of_nothing, of_what_is_open,
};
use super::words::{Statement, two_digits};
use super::{Case, Verdict};
use base::show;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use results::report::{POLICY, STYLE};

/// Writes the page, which needs no other file.
pub fn report(case: &Case, verdict: &Verdict) -> String {
    let title = format!("Proof: {}", verdict.transfer);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY.trim());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                link rel="icon" href="data:,";
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (title) }
                    p.question {
                        (show::rate(verdict.goodput)) " over a path of " (show::time(verdict.rtt))
                        @if let Some(rate) = verdict.rate { " and " (show::rate(rate)) }
                    }
                }
                section.answer aria-label="Answer" {
                    (statements(first_measurement(verdict).into_iter().collect()))
                    p { (show::capital(&answer(verdict))) }
                    (statements(of_comparisons(verdict)))
                }
                @if !verdict.notes.is_empty() { ul.caveats { @for note in &verdict.notes { li { (note) } } } }
                section {
                    @for one in &verdict.explanations { (explanation(case, one, verdict)) }
                    @if verdict.explanations.is_empty() {
                        (statements(of_nothing(verdict)))
                    } @else {
                        (statements(of_what_is_open(verdict)))
                    }
                }
                @if !verdict.rows.is_empty() { section { (remedies(verdict)) } }
                @if let Some(best) = verdict.best() { section { (commands(best, verdict)) } }
                @if !verdict.explanations.is_empty() { section { (statements(of_best(verdict))) } }
                section.details { (tried(verdict)) }
            }
        }
    };
    evidence::plain::text(&page.into_string()).into_owned()
}

fn statements(all: Vec<Statement>) -> Markup {
    html! {
        @for one in all {
            p {
                @if one.head.is_empty() { (show::capital(&one.says)) } @else { strong { (show::capital(one.head)) } (one.says) }
            }
        }
    }
}

fn explanation(case: &Case, one: &Explanation, verdict: &Verdict) -> Markup {
    html! {
        h2 { (show::capital(&one.name)) }
        p { (show::capital(&fitted_quantities(one, verdict.rate))) "." }
        (statements(of_explanation(one)))
        @if !case.instrument.total { (figure(case, one)) }
        @if let Some(seen) = &case.seen.cwnd {
            (cwnd(case, seen, one))
        }
        details {
            summary { "Every figure that was compared" }
            table {
                thead { tr { th { "figure" } th.number { "seen less laboratory, sd" } } }
                tbody { @for (name, z) in &one.fit.z { tr { th { (name) } td.number { (format!("{z:+.2}")) } } } }
            }
        }
    }
}

const CHART_WIDTH: f64 = 640.0;
const CHART_HEIGHT: f64 = 160.0;
const CHART_LEFT: f64 = 84.0;

fn figure(case: &Case, one: &Explanation) -> Markup {
    let seen: Vec<f64> = case.seen.bytes.iter().map(|bytes| bytes * 8.0 / case.instrument.step).collect();
    curves("Goodput of every interval", show::rate, case, &seen, &one.goodput)
}

fn cwnd(case: &Case, segments: &[f64], one: &Explanation) -> Markup {
    let seen: Vec<f64> = segments.iter().map(|segments| segments * case.instrument.mss).collect();
    curves("cwnd at the end of every interval", show::bytes, case, &seen, &one.cwnd)
}

/// Draws a value in every interval: the transfer's, thick, over those of the lab's seeds, thin.
fn curves(what: &str, unit: fn(f64) -> String, case: &Case, seen: &[f64], seeds: &[Vec<f64>]) -> Markup {
    let most = seeds.iter().flatten().chain(seen).copied().fold(1.0, f64::max);
    let across = |at: usize| CHART_LEFT + (at as f64 + 0.5) * (CHART_WIDTH - CHART_LEFT) / seen.len() as f64;
    let points = |all: &[f64]| {
        let point = |(at, rate): (usize, &f64)| format!("{:.1},{:.1}", across(at), CHART_HEIGHT * (1.0 - rate / most));
        all.iter().enumerate().map(point).collect::<Vec<_>>().join(" ")
    };
    html! {
        svg viewBox={ "0 -12 " (CHART_WIDTH) " " (CHART_HEIGHT + 36.0) } width=(CHART_WIDTH) style="max-width:100%" role="img"
            aria-label={ (what) ", seen and in the laboratory" } fill="none" stroke="currentColor"
            font-size="12" {
            path d={ "M" (CHART_LEFT) " 0V" (CHART_HEIGHT) "H" (CHART_WIDTH) } stroke-opacity="0.3" {}
            @for seed in seeds { polyline points=(points(seed)) stroke="#0072b2" stroke-opacity="0.5" {} }
            polyline points=(points(seen)) stroke-width="2.5" {}
            g fill="currentColor" stroke="none" {
                text x=(CHART_LEFT - 6.0) y="4" text-anchor="end" { (unit(most)) }
                text x=(CHART_LEFT - 6.0) y=(CHART_HEIGHT) text-anchor="end" { "0" }
                text x=(CHART_WIDTH) y=(CHART_HEIGHT + 18.0) text-anchor="end" { (show::time(case.instrument.seconds())) }
            }
        }
        p.key { (what) ": seen (thick), and " (seeds.len()) " seeds of the laboratory (thin)." }
    }
}

const TABLE_COLUMNS: usize = 6;

fn remedies(verdict: &Verdict) -> Markup {
    let range = |[low, high]: [String; 2]| if low == high { low } else { format!("{low} to {high}") };
    html! {
        h2 { "What each change brings" }
        table.remedies {
            thead {
                tr {
                    th { "remedy" }
                    th.number { "goodput" }
                    th.number { "gain" }
                    th.number { "p95 RTT, ms" }
                    th.number { "retransmitted, %" }
                    th { "confidence" }
                }
            }
            tbody {
                @for row in verdict.rows.iter().filter(|row| !row.is_idle()) {
                    tr {
                        th { (row.name) }
                        td.number { (goodput(row)) }
                        td.number { (gain(row)) }
                        td.number { (range(row.p95().map(|rtt| show::number(rtt * 1e3)))) }
                        td.number { (range(row.retransmitted().map(|share| two_digits(share * 100.0)))) }
                        td { (row.confidence().word()) }
                    }
                    @for note in of_row(row, verdict) {
                        tr.note { td colspan=(TABLE_COLUMNS) { (note.head) (note.says) } }
                    }
                }
            }
        }
        (statements(of_idle(verdict)))
        (chart(verdict))
        p.key { (how_to_read(verdict)) }
    }
}

/// Height of a row of the chart.
const ROW_HEIGHT: f64 = 22.0;
/// Width of the column of names.
const NAMES_WIDTH: f64 = 240.0;

/// Draws the predicted goodput of each change, as a range, and measured runs.
fn chart(verdict: &Verdict) -> Markup {
    let rows: Vec<&ChangeRow> = verdict.rows.iter().filter(|row| !row.is_idle()).collect();
    let most = rows.iter().map(|row| row.goodput()[1]).chain([verdict.goodput]).fold(1.0, f64::max);
    let across = |rate: f64| NAMES_WIDTH + (CHART_WIDTH - NAMES_WIDTH) * rate / most;
    let high = ROW_HEIGHT * rows.len() as f64;
    html! {
        svg viewBox={ "0 0 " (CHART_WIDTH) " " (high + 20.0) } width=(CHART_WIDTH) style="max-width:100%" role="img"
            aria-label="Goodput that each change is predicted to bring" font-size="12" fill="currentColor" {
            @for (at, row) in rows.iter().enumerate() {
                @let [low, high] = row.goodput();
                @let middle = ROW_HEIGHT * (at as f64 + 0.5);
                text x=(NAMES_WIDTH - 8.0) y=(middle + 4.0) text-anchor="end" { (shortened(&row.name)) }
                rect x=(across(low)) y=(middle - 6.0) width=((across(high) - across(low)).max(2.0)) height="12" fill="#0072b2" {}
                @if row.is_open() { path d={ "M" (across(high)) " " (middle - 6.0) "l8 6l-8 6z" } fill="#0072b2" {} }
            }
            path d={ "M" (across(verdict.goodput)) " 0V" (high) } stroke="currentColor" stroke-dasharray="3 3" {}
            text x=(NAMES_WIDTH) y=(high + 14.0) { "0" }
            text x=(CHART_WIDTH) y=(high + 14.0) text-anchor="end" { (show::rate(most)) }
        }
        p.key { "Predicted goodput of the next run (bars) and what was measured (dashed)." }
    }
}

/// Shortens a name to fit the chart.
fn shortened(name: &str) -> String {
    const MAX_NAME_CHARS: usize = 38;
    if name.chars().count() <= MAX_NAME_CHARS {
        name.to_owned()
    } else {
        name.chars().take(MAX_NAME_CHARS - 1).chain(['…']).collect()
    }
}

fn commands(best: &ChangeRow, verdict: &Verdict) -> Markup {
    html! {
        h2 { "How to: " (best.name) }
        (statements(vec![advice(best, verdict)]))
        table {
            @for (verb, lines) in [("run", &best.apply), ("now", &best.now), ("keep", &best.keep), ("undo", &best.undo)] {
                @if !lines.is_empty() { tr { th { (verb) } td { pre { (lines.join("\n")) } } } }
            }
        }
    }
}

fn tried(verdict: &Verdict) -> Markup {
    html! {
        details {
            summary { "Everything that was tried, the nearest of each" }
            table { @for (what, fit) in &verdict.tried { tr { th { (what) } td { (distance(fit)) } } } }
        }
    }
}
