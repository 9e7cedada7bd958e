use super::super::picture::{Picture, pictures};
use super::super::{OperatingPoint, Report, figures, html};
use super::sample;
use crate::report::index::{Listed, index};
use crate::terminal;
use base::units::Shown;

fn named(report: &Report, name: &str) -> Option<Picture> {
    pictures(report).into_iter().find(|picture| picture.name == name)
}

fn numbers(picture: &Picture, column: usize) -> Vec<f64> {
    picture.rows.iter().map(|row| row[column].parse().unwrap()).collect()
}

#[test]
fn pictures_are_chosen_by_what_is_asked() {
    let names = |report: &Report| pictures(report).iter().map(|picture| picture.name).collect::<Vec<_>>();
    assert_eq!(names(&sample::cliff()), ["sweep"]);
    assert_eq!(names(&sample::loss()), ["sweep"], "names and quantities are lines, no map");
    assert_eq!(names(&sample::report()), [] as [&str; 0]);
    let mut asked = sample::report();
    let rtt = asked.table.columns.iter().position(|column| column.name == "rtt-p50").unwrap();
    asked.table.columns[rtt].shown = Shown::Asked;
    asked.traces.iter_mut().for_each(|trace| trace.flows[0].rtts = (0..=100).map(|p| 210.0 + f64::from(p)).collect());
    assert_eq!(names(&asked), ["rtt-distribution"]);
    let shares = numbers(&named(&asked, "rtt-distribution").unwrap(), 2);
    assert!(shares.chunk_by(|a, b| a <= b).all(|line| line.last() == Some(&100.0)) && shares.len() == 2 * 5 * 101);
}

#[test]
fn the_operating_point_has_both_limits_of_the_window() {
    let mut report = sample::report();
    // 1,000 packets a second and 1,448 bytes each, by Little's law.
    let at = |in_flight: f64| OperatingPoint { in_flight, rtt: in_flight, rate: 1448.0 * 8e3 / 1e6 };
    report.traces.iter_mut().for_each(|trace| trace.flows[0].operating = [100.0, 200.0].map(at).to_vec());
    let picture = named(&report, "operating-point").unwrap();
    // The sample's BDP is 17,080 packets, its buffer 17,300.
    assert!(picture.svg.contains(">BDP<") && picture.svg.contains(">BDP + buffer<"));
    assert!(["link rate 1", "base RTT 210"].iter().all(|limit| picture.svg.contains(limit)), "{}", picture.svg);
    let [flight, rtt, rate] = [1, 2, 3].map(|column| numbers(&picture, column));
    assert!((0..4).all(|n| (rate[n] * 1e6 / 8.0 / 1448.0 * rtt[n] / 1e3 - flight[n]).abs() < 1e-9));
    let another = report.traces[0].flows[0].clone();
    report.traces[0].flows.push(another);
    assert_eq!(named(&report, "operating-point"), None, "two windows share the path");
}

#[test]
fn a_flow_that_has_all_of_two_has_half_the_fairness() {
    let mut report = sample::sweep();
    report.table.columns[0].name = "jain".into();
    for trace in &mut report.traces {
        trace.flows[1].goodput.y.iter_mut().for_each(|rate| *rate = Some(0.0));
    }
    report.table.points.truncate(2);
    report.table.rows.retain(|row| row.point < 2);
    report.traces.retain(|trace| trace.point < 2);
    let picture = named(&report, "fairness").unwrap();
    // At the first second both send nothing.
    assert!(picture.rows.len() == 2 * 29 && numbers(&picture, 2).iter().all(|jain| *jain == 0.5), "{:?}", picture.rows);
}

#[test]
fn a_map_has_its_darkest_cell_where_the_measure_is_largest() {
    let mut report = sample::loss();
    for point in &mut report.table.points {
        let rate = ["cubic", "reno", "bbr", "dctcp"].iter().position(|name| *name == point.values[0]).unwrap();
        point.values[0] = format!("{} Mbit/s", 10 * (rate + 1));
    }
    report.table.keys[0] = "path.rate".into();
    let picture = named(&report, "heat-map").unwrap();
    let cells = picture.svg.matches("stroke=\"#fff\"/>").count();
    assert_eq!((cells, picture.rows.len()), (24, 24));
    let darkest = picture.svg.split("#00548a").count() - 1;
    let most = numbers(&picture, 3).into_iter().fold(0.0, f64::max);
    assert_eq!(darkest, numbers(&picture, 3).iter().filter(|value| **value == most).count());
}

#[test]
fn what_has_no_order_is_a_trade_off_of_goodput_and_delay() {
    let mut report = sample::report();
    report.table.columns[2].name = "rtt-p95".into();
    let picture = named(&report, "goodput-over-delay").unwrap();
    assert_eq!(picture.rows.iter().map(|row| row[0].as_str()).collect::<Vec<_>>(), ["cubic", "bbr"]);
    let rates = numbers(&picture, 2);
    assert!((rates[0] - 72.1).abs() < 1e-9 && (rates[1] - 824.0).abs() < 1e-9, "{rates:?}");
    for svg in pictures(&report).iter().map(|picture| &picture.svg) {
        assert!(!svg.contains("NaN") && !svg.contains("inf") && roxmltree::Document::parse(svg).is_ok());
    }
    let page = html(&report);
    assert!(page.contains("data-name=\"goodput-over-delay\"") && page.contains("Better is up and to the left."));
    assert!(figures(&report).iter().any(|(name, _)| name == "goodput-over-delay.svg"));
}

#[test]
fn twelve_lines_of_one_control_differ_in_colour_or_dashes() {
    let names: Vec<String> = (0..12).map(|n| format!("{n} ms")).collect();
    let values: Vec<[&str; 1]> = names.iter().map(|name| [name.as_str()]).collect();
    let report = sample::over_key("path.rtt", &values.iter().map(|value| &value[..]).collect::<Vec<_>>());
    let looks: std::collections::BTreeSet<_> =
        super::lines(&report).into_iter().map(|line| (line.light, line.dash)).collect();
    assert_eq!(looks.len(), 12);
}

#[test]
fn curves_fit_a_terminal_without_colours() {
    let text = terminal::plot(&sample::report(), 80);
    assert!(text.lines().all(|line| line.chars().count() <= 80) && !text.contains('\u{1b}'), "{text}");
    assert_eq!(text.matches("cwnd, packets").count(), 2, "{text}");
    // cwnd rises to 14,510, goodput to 870.
    assert!(text.contains("14,5") && text.contains("870"), "{text}");
    assert_eq!(terminal::plot(&sample::silent(), 80), "");
}

#[test]
fn a_list_of_runs_links_their_reports() {
    let run = Listed {
        word: "runs/a".into(),
        folder: "a".into(),
        page: "a/report.html".into(),
        title: "A <b>".into(),
        answer: "BBR is better.".into(),
        trials: 3,
        kernels: "7.3.4".into(),
        day: "2026-11-30".into(),
    };
    let page = index(&[run]);
    assert!(page.contains("<a href=\"a/report.html\">A &lt;b&gt;</a>") && page.contains("<h1>1 run</h1>"));
}
