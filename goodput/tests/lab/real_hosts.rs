//! The same experiment in the lab and between two namespaces: a shaper, a window and an MSS limit both alike. Arithmetic is
//! the third party. Needs root and openssh-server.

#[allow(dead_code)]
#[path = "../it/field/path.rs"]
mod path;

use crate::support;
use path::{Lan, is_possible};
use serde_json::Value;
use std::fs;
use std::process::{Command, Output};

/// TBF of Linux at 20 Mbit/s behind veth, and the lab's shaper.
const SHAPER: &str = "tc qdisc add dev right root tbf rate 20mbit burst 16k limit 60k";
const SPEC: &str = r#"
title = "Shaper, window and MSS"
path = { rate = "1 Gbit/s", rtt = "100 us", buffer = "1000 packets", shape = { rate = "20 Mbit/s", burst = "16 KiB", buffer = "60 kB" } }
flows = [{ duration = "3 s", omit = "1 s", congestion = "cubic" }]
vary = { "flows.receive-buffer" = ["auto", "16 KiB"], "flows.mss" = ["536 B", "1448 B"] }
"#;

fn json(output: &Output) -> Value {
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}"))
}

fn means(json: &Value, measure: &str) -> Vec<f64> {
    let columns = json["table"]["columns"].as_array().unwrap();
    let column = columns.iter().position(|column| column["name"] == measure).unwrap();
    let rows = json["table"]["rows"].as_array().unwrap();
    rows.iter().map(|row| row["cells"][column]["centre"]["value"].as_f64().unwrap()).collect()
}

#[test]
fn lab_and_real_hosts_agree_on_shaper_window_and_mss_limits() {
    if !is_possible() {
        return;
    }
    let lan = Lan::new();
    lan.sh(1, SHAPER);
    fs::write(lan.at("x.toml"), SPEC).unwrap();
    let hosts = format!("sender=netns:{},receiver=netns:{}", lan.hosts[0], lan.hosts[2]);
    let spec = lan.at("x.toml");
    let [there, here] = ["real", "lab"].map(|name| lan.at(name).to_str().unwrap().to_owned());
    let real = lan.goodput(&[
        "field",
        "run",
        spec.to_str().unwrap(),
        "--hosts",
        &hosts,
        "--seeds",
        "3",
        "--out",
        &there,
        "--json",
    ]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_goodput"));
    command.arg("run").arg(&spec).args(["--kernel", &support::kernel().hash, "--seeds", "3", "--out", &here, "--json"]);
    let lab = command.output().unwrap();
    let [real, lab] = [json(&real), json(&lab)];
    // Frames at the shaper's rate, with 66 bytes of headers each.
    let segments = [524.0, 1436.0, 524.0, 1436.0];
    for world in [&real, &lab] {
        assert_eq!(means(world, "mss"), segments);
        for (goodput, mss) in means(world, "goodput").into_iter().zip(segments) {
            let due = 20e6 * mss / (mss + 66.0);
            assert!((goodput / due - 1.0).abs() < 0.02, "{goodput} and not {due}");
        }
        let limited = means(world, "limited-rwnd");
        assert!(
            limited[..2].iter().all(|share| *share < 0.05) && limited[2..].iter().all(|share| *share > 0.95),
            "{limited:?}"
        );
    }
    // If no window limits the flow, the queue is as long in both: a sawtooth under 60 kB. The size of a limiting window
    // depends on the memory of a device's packets, so its queue agrees only to a third.
    for (point, tolerance) in [0.1, 0.1, 0.35, 0.35].into_iter().enumerate() {
        let [real, lab] = [&real, &lab].map(|world| means(world, "rtt-p50")[point]);
        assert!((real / lab - 1.0).abs() < tolerance, "point {point}: {real} and {lab}");
    }
    for point in 0..2 {
        let [real, lab] = [&real, &lab].map(|world| means(world, "cwnd-max")[point]);
        assert!((real / lab - 1.0).abs() < 0.15, "point {point}: {real} and {lab}");
    }
    let compared = lan.goodput(&["compare", &here, &there]);
    let said = String::from_utf8_lossy(&compared.stdout).replace('\n', " ");
    assert!(compared.status.success(), "{said}");
    assert_eq!(said.matches("are equivalent within 2 %").count(), 4, "{said}");
}
