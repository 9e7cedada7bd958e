use proptest::prelude::*;
use sha2::{Digest, Sha256};

use super::lines::lines;
use super::{decimate, html, sample, svg};

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
    assert_eq!(addresses, ["/*! https://github.com/leeoniya/uPlot (v1.6.32) */"]);
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
    report.points[0].values[0] = nasty.into();
    report.table.columns[0].definition = nasty.into();
    report.traces[0].flows[0].name = nasty.into();
    report.published[0].source = nasty.into();
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
    let (_, after) = page.split_once("id=\"data\">").unwrap();
    let data: serde_json::Value = serde_json::from_str(after.split_once("</script>").unwrap().0).unwrap();
    assert_eq!(data["report"]["traces"].as_array().unwrap().len(), 10);
    assert_eq!(data["lines"][1]["label"], "bbr");
}

#[test]
fn a_report_without_a_run_is_still_a_page() {
    let mut report = sample::report();
    report.traces.clear();
    report.published.clear();
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

#[test]
fn several_flows_are_named_and_their_lane_stands_apart() {
    let lines = lines(&sample::sweep());
    let labels: Vec<&str> = lines[..3].iter().map(|line| line.label.as_str()).collect();
    assert_eq!(labels, ["0.1 BDP, 0.0005 %: cubic", "0.1 BDP, 0.0005 %: bbr", "0.1 BDP, 0.0005 %: sender to receiver"]);
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
fn flows_and_links_have_tables_of_their_own_where_they_have_rows() {
    let page = html(&sample::kinds());
    let tables: Vec<&str> = page.split("<table class=\"measures\">").skip(1).collect();
    let [flows, links] = tables.try_into().unwrap();
    let links = links.split_once("</table>").unwrap().0;
    assert!(flows.contains("<th>flow</th>") && flows.contains("flow 3, ping") && !flows.contains("utilisation<small>"));
    assert!(
        links.contains("<th>link</th>") && links.contains("<th>s to c</th>") && links.contains("utilisation<small>")
    );
    assert!(!links.contains("flow 0"));
    assert_eq!(html(&sample::report()).matches("<table class=\"measures\">").count(), 1);
}

#[test]
fn what_commands_printed_is_a_section_if_there_are_any() {
    let mut report = sample::kinds();
    report.outputs[1].command = "</pre><script>".into();
    let page = html(&report);
    assert!(page.contains("<pre>IP 10.0.0.1 &gt; 10.0.0.3: &lt;mss 1460&gt;\n</pre>"));
    assert!(page.contains(
        "<h3>a: <code>&lt;/pre&gt;&lt;script&gt;</code> <small>from 0 s to 30.5 s, ended with the trial</small></h3>"
    ));
    assert_eq!(page.matches("mss 1460").count(), 1, "the data for the plots does not hold it too");
    assert!(!html(&sample::report()).contains("commands printed"));
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
    let readme = include_str!("../../../report/vendor/README.md");
    for file in
        [include_str!("../../../report/vendor/uPlot.iife.min.js"), include_str!("../../../report/vendor/uPlot.min.css")]
    {
        let sum: String = Sha256::digest(file).iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(readme.contains(&sum));
    }
}

/// Writes pages and figures to look at: `cargo test -p goodput write_sample -- --ignored`.
#[test]
#[ignore = "writes files"]
fn write_sample() {
    let samples = [
        ("report-sample", sample::report()),
        ("sweep-sample", sample::sweep()),
        ("kinds-sample", sample::kinds()),
        ("silent-sample", sample::silent()),
    ];
    for (name, report) in samples {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../target").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("report.html"), html(&report)).unwrap();
        std::fs::write(folder.join("cwnd.svg"), svg::cwnd(&report)).unwrap();
        std::fs::write(folder.join("throughput.svg"), svg::throughput(&report)).unwrap();
    }
}

#[test]
fn figures_draw_the_first_of_many_flows() {
    let mut report = sample::report();
    let legend = |figure: &str| figure.matches("(seed ").count();
    let before = legend(&svg::cwnd(&report));
    assert!(before < 20 && !svg::cwnd(&report).contains("the first"), "{before}");
    let flow = report.traces[0].flows[0].clone();
    report.traces[0].flows.extend(std::iter::repeat_n(flow, 40));
    for figure in [svg::cwnd(&report), svg::throughput(&report)] {
        assert_eq!(legend(&figure), 20);
        assert!(figure.contains("; the first 20 of "));
    }
}
