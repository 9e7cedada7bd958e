//! The report in a real browser: Debian's Chromium, headless. A probe that is added to a copy of the page uses it as a
//! reader does, and writes down what it saw. Left out where there is no Chromium.

use crate::cache::Place;
use crate::skip::skip;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const EXPERIMENT: &str = r#"
title = "two controls"
path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP", loss = "0.1 %" }
flows = [{ duration = "2 s" }]
vary = { "flows.congestion" = ["cubic", "bbr"] }
repeat = { seeds = 2 }
[[expect]]
measure = "goodput"
at-least = "1 Mbit/s"
"#;

/// Before anything of the page: errors and what the console was told.
const WATCH: &str = include_str!("browser/watch.html");

/// After the page has loaded: the mouse over a plot, a zoom and its reset, another seed, a line switched off.
const PROBE: &str = include_str!("browser/probe.html");

/// Chromium, if the machine has one.
fn chromium() -> Option<PathBuf> {
    let found = ["chromium", "chromium-browser", "google-chrome"].iter().find_map(lab::kernel::find_program);
    if found.is_none() {
        skip("Chromium is not installed");
    }
    found
}

/// The page's elements after `settings`, as the browser has them in the end.
fn opened(browser: &Path, page: &Path, width: u32, settings: &[&str]) -> String {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new("timeout");
    command.arg("120").arg(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=20000"]);
    // No name is resolved: what leaves the file fails.
    command.arg("--host-resolver-rules=MAP * ~NOTFOUND").arg(format!("--window-size={width},2000")).args(settings);
    command.arg("--dump-dom").arg(format!("file://{}", page.display())).env("HOME", home.path());
    let output = command.stderr(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{browser:?} ended with {}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_report_is_read_zoomed_and_switched_in_a_browser() {
    let Some(browser) = chromium() else { return };
    let place = Place::with(EXPERIMENT);
    let out = place.path("out");
    let ran = place.command(&["run", "spec.toml", "--out"]).arg(&out).stdout(Stdio::null()).status().unwrap();
    assert!(ran.success());
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    let probed =
        report.replacen("<head>", &format!("<head>{WATCH}"), 1).replacen("</body>", &format!("{PROBE}</body>"), 1);
    assert!(probed.contains(WATCH) && probed.contains(PROBE), "the page has a head and a body");
    let page = place.path("probed.html");
    fs::write(&page, probed).unwrap();
    let mut papers = vec![];
    for width in [1280, 390] {
        for scheme in ["--blink-settings=preferredColorScheme=1", "--blink-settings=preferredColorScheme=0"] {
            let elements = opened(&browser, &page, width, &[scheme]);
            let seen = elements.rsplit_once("id=\"probe\">").and_then(|(_, rest)| rest.split_once("</pre>"));
            let seen = seen.unwrap_or_else(|| panic!("no probe in {} bytes", elements.len())).0;
            let seen: Value =
                serde_json::from_str(&seen.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")).unwrap();
            let at = format!("{width} px, {scheme}: {seen}");
            assert_eq!(seen["faults"], serde_json::json!([]), "{at}");
            assert_eq!(seen["fetched"], serde_json::json!([]), "{at}");
            assert!(seen["plots"].as_u64() >= Some(3) && seen["drawn"] == true, "{at}");
            assert!(seen["page"].as_u64() <= seen["width"].as_u64(), "the page scrolls sideways: {at}");
            assert!(seen["before"] == "" && seen["readout"] != "", "{at}");
            assert!(seen["zoomed"] == true && seen["reset"] == true, "{at}");
            assert!(seen["seeds"] == 3 && seen["other"] == true && seen["off"] == 1, "{at}");
            assert_eq!(seen["figures"], serde_json::json!(["goodput-over-delay", "operating-point"]), "{at}");
            let files = seen["figures"].as_array().unwrap().iter().filter_map(Value::as_str);
            let files: Vec<String> =
                files.flat_map(|name| ["csv", "png", "svg"].map(|end| format!("{name}.{end}"))).collect();
            assert_eq!(seen["saved"], serde_json::json!(files), "{at}");
            assert_eq!(seen["strips"], 1, "where the time went: {at}");
            assert!(seen["unreachable"] == 0 && seen["nameless"] == 0, "{at}");
            papers.push(seen["paper"].as_str().unwrap_or_default().to_owned());
        }
    }
    holds_littles_law(&report);
    assert!(papers[0] != papers[1] && papers[..2] == papers[2..], "light and dark: {papers:?}");
}

/// What is in flight is the rate times the RTT (Little 1961): the operating point's figures are read at each sample, the rate
/// over the round trip after it, the RTT at its end.
fn holds_littles_law(report: &str) {
    /// Payload of a segment with timestamps on Ethernet, bytes.
    const MSS: f64 = 1448.0;
    let data = report.split_once("<script id=\"data\" type=\"application/json\">").unwrap().1;
    let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    let pictures = data["pictures"].as_array().unwrap();
    let point = pictures.iter().find(|picture| picture["name"] == "operating-point").unwrap();
    let number = |row: &Value, column: usize| row[column].as_str().unwrap().parse::<f64>().unwrap();
    let rows = point["rows"].as_array().unwrap();
    let over = rows.iter().map(|row| number(row, 3) * 1e6 * number(row, 2) / 1e3 / (8.0 * MSS) / number(row, 1));
    let mut over: Vec<f64> = over.collect();
    over.sort_by(f64::total_cmp);
    let middle = over[over.len() / 2];
    assert!(over.len() > 10 && (0.9..1.1).contains(&middle), "rate × RTT over data in flight: {over:?}");
}
