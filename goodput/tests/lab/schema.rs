//! Output of `--json` for runs and kernels conforms to its schema; `goodput/tests/it/schema.rs` has the outputs that
//! need no guest.

#[path = "../it/schema/conforms.rs"]
mod conforms;

use crate::cache::{Place, stderr};
pub use conforms::conforming;

/// Two named flows, a bound that is met and one that is not, and a published figure.
const SPEC: &str = r#"
title = "two flows"
path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP", loss = "0.1 %" }
flows = [{ name = "first", duration = "500 ms" }, { name = "second", duration = "500 ms" }]
vary = { "flows.congestion" = ["cubic", "bbr"] }
repeat = { seeds = 3 }

[[expect]]
measure  = "goodput"
at-least = "1 Mbit/s"

[[expect]]
measure  = "goodput"
at-least = "90 Mbit/s"
"#;

#[test]
fn json_of_runs_and_kernels_conforms_to_its_schema() {
    let place = Place::with(SPEC);
    let printed = |name: &str, arguments: &[&str], code: i32| {
        let output = place.goodput(&[arguments, &["--json"]].concat());
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
        conforming(name, &output.stdout)
    };
    let run = ["run", "spec.toml", "--out", "run"];
    let dry = printed("dry-run", &[&run[..], &["--dry-run"]].concat(), 0);
    assert_eq!(dry["waiting"], 6);
    let ran = printed("run", &run, 1);
    assert_eq!(printed("run", &["report", "run"], 1), ran);
    let again = printed("rerun", &["rerun", "run"], 0);
    assert_eq!(again["different"], serde_json::json!([]));
    printed("diagnose", &["diagnose", "run"], 0);
    printed("import", &["import", "run:0"], 0);
    let kernels = printed("kernel-list", &["kernel", "list"], 0);
    let newest = kernels["kernels"].as_array().and_then(|kernels| kernels.last()).expect("a kernel");
    printed("kernel-show", &["kernel", "show", newest["names"][0].as_str().unwrap()], 0);
    printed("doctor", &["doctor"], 0);
}
