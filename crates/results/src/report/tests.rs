mod pictures;
mod sample;

use proptest::prelude::*;
use sha2::{Digest, Sha256};

use super::lines::{lines, shades};
use super::sweep::sweeps;
use super::{Report, decimate, figures, html, svg};
use crate::judge::Outcome;
use crate::table::Mode;
use base::units::Shown;

proptest! {
    #[test]
    fn decimation_keeps_ends_extremes_and_gaps(
        y in prop::collection::vec(prop::option::weighted(0.9, -1e9..1e9f64), 0..3000),
        most in 5usize..500,
    ) {
        let kept = decimate(&y, most);
        prop_assert!(kept.len() <= most);
        prop_assert!(kept.windows(2).all(|pair| pair[0] < pair[1]));
        prop_assert_eq!(kept.first().copied(), (!y.is_empty()).then_some(0));
        prop_assert_eq!(kept.last().copied(), y.len().checked_sub(1));
        let thinned: Vec<Option<f64>> = kept.iter().map(|&i| y[i]).collect();
        prop_assert_eq!(extreme(&thinned, f64::min), extreme(&y, f64::min));
        prop_assert_eq!(extreme(&thinned, f64::max), extreme(&y, f64::max));
        prop_assert_eq!(thinned.contains(&None), y.contains(&None));
        if y.len() <= most {
            prop_assert_eq!(kept.len(), y.len());
        }
    }
}

fn extreme(y: &[Option<f64>], pick: fn(f64, f64) -> f64) -> Option<f64> {
    y.iter().flatten().copied().reduce(pick)
}

#[test]
fn the_same_report_gives_the_same_bytes() {
    assert_eq!(html(&sample::report()), html(&sample::report()));
    assert_eq!(svg::cwnd(&sample::report()), svg::cwnd(&sample::report()));
    assert_eq!(svg::throughput(&sample::report()), svg::throughput(&sample::report()));
}

#[test]
fn the_page_fetches_nothing() {
    let page = html(&sample::report());
    let addresses: Vec<&str> = page.match_indices("://").map(|(at, _)| line_around(&page, at)).collect();
    assert_eq!(addresses.len(), 1);
    assert!(addresses[0].ends_with("/*! https://github.com/leeoniya/uPlot (v1.6.32) */"), "{addresses:?}");
    for fetch in [" src=", "url(", "@import", "fetch(", "XMLHttpRequest", "import(", "WebSocket", "<link rel=\"style"] {
        assert!(!page.contains(fetch), "{fetch}");
    }
    assert!(page.contains("default-src 'none'"));
}

fn line_around(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    &text[start..end]
}

#[test]
fn text_stays_text() {
    let mut report = sample::report();
    let nasty = "</script><script>alert(1)</script><!-- & \"{{data}}\"";
    report.title = nasty.into();
    report.answer = vec![nasty.into()];
    report.table.points[0].values[0] = nasty.into();
    report.table.columns[0].definition = nasty.into();
    report.traces[0].flows[0].name = nasty.into();
    report.table.published[0].source = nasty.into();
    report.environment[0].1 = nasty.into();
    let (clean, page) = (html(&sample::report()), html(&report));
    assert_eq!(page.matches("<script").count(), clean.matches("<script").count());
    assert_eq!(page.matches("</script").count(), clean.matches("</script").count());
    assert_eq!(page.matches("<!--").count(), clean.matches("<!--").count());
    assert!(page.contains(
        "<title>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!-- &amp; &quot;{{data}}&quot;</title>"
    ));
    assert!(!svg::cwnd(&report).contains("<script"));
}

#[test]
fn the_data_of_the_page_is_json() {
    let page = html(&sample::report());
    let (_, after) = page.split_once("id=\"data\" type=\"application/json\">").unwrap();
    let data: serde_json::Value = serde_json::from_str(after.split_once("</script>").unwrap().0).unwrap();
    assert_eq!(data["traces"].as_array().unwrap().len(), 10);
    assert_eq!(data["lines"][1]["label"], "bbr");
}

#[test]
fn a_report_without_a_run_is_still_a_page() {
    let mut report = sample::report();
    report.traces.clear();
    report.table.published.clear();
    report.table.rows.clear();
    assert!(html(&report).contains("</html>"));
    assert!(svg::cwnd(&report).ends_with("</svg>\n"));
}

#[test]
fn colours_follow_the_congestion_control() {
    let colour = |congestion: [&str; 2]| {
        let mut report = sample::report();
        for trace in &mut report.traces {
            trace.flows[0].congestion = congestion[trace.point].into();
        }
        lines(&report).into_iter().map(|line| line.light).collect::<Vec<_>>()
    };
    assert_eq!(colour(["cubic", "bbr"]), ["#0072b2", "#d55e00"]);
    assert_eq!(colour(["reno", "cubic"])[1], "#0072b2");
    let [pale, dark] = colour(["bbr", "bbr"]).try_into().unwrap();
    assert_ne!(pale, dark);
}

/// Before and after a patch, and Linux: three times CUBIC.
#[test]
fn three_lines_of_one_control_have_three_hues() {
    let hue = ([0x00, 0x72, 0xb2], [0x4d, 0xae, 0xe8]);
    let light: Vec<String> = shades(&[hue; 3]).into_iter().map(|[light, _]| light).collect();
    assert_eq!(light, ["#0072b2", "#d55e00", "#009e73"]);
}

#[test]
fn several_flows_are_named_and_their_lane_stands_apart() {
    let lines = lines(&sample::sweep());
    let labels: Vec<&str> = lines[..3].iter().map(|line| line.label.as_str()).collect();
    assert_eq!(
        labels,
        ["0.1 BDP, 0.0005 %: flow 1, cubic", "0.1 BDP, 0.0005 %: flow 2, bbr", "0.1 BDP, 0.0005 %: sender to receiver"]
    );
    assert_eq!(lines.len(), 36);
    assert!(lines.iter().all(|line| line.flow.is_some() != line.lane.is_some()));
    let colours: std::collections::BTreeSet<&str> = lines.iter().map(|line| line.light.as_str()).collect();
    assert_eq!(colours.len(), 36);
}

#[test]
fn figures_show_what_has_a_window_or_a_goodput() {
    let report = sample::kinds();
    for figure in [svg::cwnd(&report), svg::throughput(&report)] {
        assert!(figure.contains("flow 0, cubic, a to c") && figure.contains("flow 1, requests, cubic, c to b"));
        assert!(!figure.contains("udp") && !figure.contains("ping"));
    }
}

#[test]
fn flows_and_links_have_own_tables_if_they_have_rows() {
    let page = html(&sample::kinds());
    let tables: Vec<&str> = page.split("<table class=\"measures down\">").skip(1).collect();
    let [flows, links] = tables.try_into().unwrap();
    let links = links.split_once("</table>").unwrap().0;
    assert!(
        flows.contains("<th>flow</th>") && flows.contains("flow 3, ping") && !flows.contains("utilisation <small>")
    );
    assert!(links.contains("<th>link</th>") && links.contains(">s to c</th>") && links.contains("utilisation <small>"));
    assert!(!links.contains("flow 0"));
    assert_eq!(html(&sample::report()).matches("<table class=\"measures down\">").count(), 1);
}

#[test]
fn the_key_explains_what_the_tables_show_and_no_more() {
    let two = "x ×n is a group of n seeds around x";
    let mut report = sample::report();
    let page = html(&report);
    assert!(page.contains("a diamond for a published figure") && page.contains(" Intervals of means: "), "{page}");
    assert!(!page.contains(two) && !page.contains("too few"));
    report.table.published.clear();
    for cell in report.table.rows.iter_mut().flat_map(|row| &mut row.cells).flatten() {
        let group = Mode { centre: cell.centre.clone(), seeds: 2 };
        (cell.interval, cell.modes) = (None, Some([group.clone(), group]));
    }
    let page = html(&report);
    assert!(page.contains(two) && page.contains("too few for a point"), "{page}");
    assert!(!page.contains("a diamond") && !page.contains("Intervals of"));
}

#[test]
fn command_output_is_a_section_if_there_is_any() {
    let mut report = sample::kinds();
    report.outputs[1].command = "</pre><script>".into();
    let page = html(&report);
    assert!(page.contains("<pre>IP 10.0.0.1 &gt; 10.0.0.3: &lt;mss 1460&gt;\n</pre>"));
    assert!(page.contains(
        "<h3>a: <code>&lt;/pre&gt;&lt;script&gt;</code> <small>from 0 s to 30.5 s, ended with the trial</small></h3>"
    ));
    assert_eq!(page.matches("mss 1460").count(), 1, "the data for the plots does not hold it too");
    assert!(!html(&sample::report()).contains("own commands"));
}

#[test]
fn a_trial_in_which_nothing_flows_is_still_a_page() {
    let report = sample::silent();
    assert_eq!(lines(&report), []);
    assert!(html(&report).contains("ss --tcp --info"));
    assert!(svg::throughput(&report).ends_with("</svg>\n"));
}

#[test]
fn the_vendored_files_are_those_of_the_package() {
    let readme = include_str!("../../../../report/vendor/README.md");
    for file in [
        include_str!("../../../../report/vendor/uPlot.iife.min.js"),
        include_str!("../../../../report/vendor/uPlot.min.css"),
    ] {
        let sum: String = Sha256::digest(file).iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(readme.contains(&sum));
    }
}

#[test]
fn a_numeric_key_is_an_axis_with_a_line_per_combination() {
    let cliff = sweeps(&sample::cliff());
    let [sweep] = cliff.as_slice() else { panic!("one axis") };
    assert_eq!((sweep.label.as_str(), sweep.lines.len(), sweep.ticks.is_none()), ("flows.mss", 1, true));
    let sizes: Vec<f64> = sweep.lines[0].rows.iter().map(|row| sweep.x[*row]).collect();
    assert!(sizes.len() == 82 && sizes.is_sorted() && sizes[0] == 536.0, "{sizes:?}");
    let marks: Vec<_> = sweep.marks.iter().map(|mark| (mark.from, mark.to)).collect();
    assert_eq!(marks, [(2299.0, 2300.0), (2400.0, 2401.0)]);

    let loss = sweeps(&sample::loss());
    let [sweep] = loss.as_slice() else { panic!("one axis") };
    let lines: Vec<_> =
        sweep.lines.iter().map(|line| (line.label.as_str(), line.light.as_str(), line.rows[0])).collect();
    let expected = [("cubic", "#0072b2", 0), ("reno", "#009e73", 6), ("bbr", "#d55e00", 12), ("dctcp", "#b85a92", 18)];
    assert_eq!((sweep.label.as_str(), lines), ("path.loss, %", expected.to_vec()));

    let two = sweeps(&sample::sweep());
    assert_eq!(two.iter().map(|sweep| sweep.label.as_str()).collect::<Vec<_>>(), ["path.loss, %", "path.buffer, BDP"]);
    assert_eq!(two[0].lines[1].label, "0.1 BDP: flow 2, bbr");
    assert!(sweeps(&sample::report()).is_empty() && sweeps(&sample::kinds()).is_empty());
}

#[test]
fn a_run_along_a_key_of_quantities_has_a_figure_of_it() {
    fn names(report: &Report) -> Vec<String> {
        figures(report).into_iter().map(|(name, _)| name).collect()
    }
    assert_eq!(names(&sample::report()), ["cwnd.svg", "throughput.svg"]);
    assert_eq!(names(&sample::cliff()), ["cwnd.svg", "throughput.svg", "sweep.svg"]);
    let (figure, ..) = svg::sweep(&sample::cliff()).unwrap();
    assert!(
        figure.contains("falls between 2299 and 2300 B")
            && figure.contains("Mean or median over 3 seeds (95 % interval)")
    );
    assert!(!figure.contains("NaN") && !figure.contains("inf"));
    let mut report = sample::cliff();
    report.table.rows.iter_mut().for_each(|row| row.cells.fill(None));
    assert_eq!(svg::sweep(&report), None);
    report.table.rows.clear();
    assert_eq!(svg::sweep(&report), None);
}

#[test]
fn a_sweep_over_two_keys_is_a_grid_on_the_page() {
    let page = html(&sample::loss());
    let grids: Vec<&str> = page.split("<table class=\"grid\"").skip(1).collect();
    assert!(grids.len() > 1 && grids[0].contains("<details"), "all but the first are folded");
    let first = grids[0].split_once("</table>").unwrap().0;
    assert!(first.contains("<caption>goodput, Mbit/s: mean over 10 seeds (95 % interval)</caption>"));
    assert_eq!((first.matches("<data ").count(), first.matches("</tr>").count()), (24, 6));
    assert!(!html(&sample::cliff()).contains("<table class=\"grid\""));
}

#[test]
fn many_sentences_measures_and_comparisons_are_folded() {
    let mut report = sample::loss();
    report.answer = (0..11).map(|i| format!("Sentence {i}.")).collect();
    assert!(html(&report).contains("<p>Sentence 4.</p><details class=\"more\"><summary>6 more sentences</summary>"));
    report.answer.truncate(10);
    assert!(!html(&report).contains("more sentences"));
    for column in &mut report.table.columns[2..] {
        column.shown = Shown::Report;
    }
    let page = html(&report);
    assert!(page.contains("<summary>4 more measures</summary>") && !page.contains("comparisons:"));
    // What the experiment compares, expects or publishes stands first.
    report.table.columns[0].shown = Shown::Asked;
    let page = html(&report);
    assert!(page.contains("<summary>4 more measures</summary>"));
    for tag in ["better", "worse", "equivalent", "inconclusive"] {
        assert!(page.contains(&format!("<span class=\"tag {tag}\">{tag}</span>")), "{tag}");
    }
    let mut row = report.comparisons[0].clone();
    (row.interval, row.p, row.outcome) = (String::new(), String::new(), Outcome::Inconclusive);
    report.comparisons.extend(std::iter::repeat_n(row, 9));
    assert!(
        html(&report).contains("<summary>13 comparisons: 1 better, 1 worse, 1 equivalent, 10 inconclusive</summary>")
    );
    report.comparisons.clear();
    assert!(!html(&report).contains("class=\"comparisons\""));
}

#[test]
fn a_large_table_has_on_the_page_what_people_ask_for_first() {
    let mut report = sample::cliff();
    report.table.columns[3].shown = Shown::Report;
    let rows: Vec<_> = report.table.rows.iter().flat_map(|row| std::iter::repeat_n(row.clone(), 50)).collect();
    assert!(html(&report).contains("cwnd-max<small>"));
    report.table.rows = rows;
    assert!(!html(&report).contains("cwnd-max<small>"));
}

#[test]
fn when_flows_are_steady_stands_in_the_figure_of_throughput() {
    let report = sample::report();
    let figure = svg::throughput(&report);
    assert!(figure.contains("dotted: start of steady state"));
    assert_eq!(figure.matches("stroke-dasharray=\"2 3\"").count(), 2);
    assert!(!svg::cwnd(&report).contains("steady"));
}

#[test]
fn figures_draw_the_first_of_many_flows() {
    let mut report = sample::report();
    let legend = |figure: &str| figure.matches("(seed ").count();
    let before = legend(&svg::cwnd(&report));
    assert!(before <= 6 && !svg::cwnd(&report).contains("first"), "{before}");
    let flow = report.traces[0].flows[0].clone();
    report.traces[0].flows.extend(std::iter::repeat_n(flow, 40));
    for figure in [svg::cwnd(&report), svg::throughput(&report)] {
        assert_eq!(legend(&figure), 6);
        assert!(figure.contains("; first 6 of "));
    }
}
