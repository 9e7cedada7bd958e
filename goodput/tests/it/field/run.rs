//! `goodput field run` between two namespaces. The oracles are TBF's rate, header arithmetic, and Little's law.

use super::path::{B, Lan, is_possible};
use serde_json::Value;
use std::fs;
use std::process::Output;

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Runs an experiment from `a` to `b`.
fn run(lan: &Lan, spec: &str, out: &str, options: &[&str]) -> Output {
    let [a, _, b] = &lan.hosts;
    fs::write(lan.at("x.toml"), spec).unwrap();
    let hosts = format!("sender=netns:{a},receiver=netns:{b}");
    let (spec, out) = (lan.at("x.toml"), lan.at(out));
    let fixed = ["field", "run", spec.to_str().unwrap(), "--hosts", &hosts, "--out", out.to_str().unwrap()];
    lan.goodput(&[&fixed[..], options].concat())
}

const HEAD: &str = "title = \"t\"\npath = { rate = \"20 Mbit/s\", rtt = \"1 ms\", buffer = \"60 kB\" }\n";

/// Bits per second of frames that TBF lets pass, headers of Ethernet, IP, TCP and timestamps included.
const SHAPED: f64 = 20e6;
const HEADERS: f64 = 14.0 + 20.0 + 20.0 + 12.0;

/// A measure of each point: its setting and the mean over its seeds.
fn means(output: &Output, measure: &str) -> Vec<f64> {
    let json: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", text(output)));
    let columns = json["table"]["columns"].as_array().unwrap();
    let column = columns.iter().position(|column| column["name"] == measure).unwrap();
    let rows = json["table"]["rows"].as_array().unwrap();
    rows.iter().map(|row| row["cells"][column]["centre"]["value"].as_f64().unwrap()).collect()
}

/// Limited by the shaper: goodput is its rate less headers. Limited by the window: the same, and the queue is no longer than
/// what the window holds (Little 1961).
#[test]
fn shaper_window_and_mss_are_measured_as_arithmetic_has_them() {
    if !is_possible() {
        return;
    }
    let lan = Lan::new();
    // Room for the largest packets that TSO makes.
    lan.sh(1, "tc qdisc add dev right root tbf rate 20mbit burst 16k limit 200k");
    let spec = format!(
        "{HEAD}[[flows]]\nduration = \"1 s\"\ncongestion = \"cubic\"\n[vary]\n\"flows.mss\" = [\"536 B\", \"1448 B\"]\n\
         \"flows.receive-buffer\" = [\"auto\", \"16 KiB\"]\n"
    );
    let ran = run(&lan, &spec, "f", &["--seeds", "2", "--json"]);
    assert!(ran.status.success(), "{}", text(&ran));
    // TCP_MAXSEG counts the 12 bytes of timestamps.
    let segments = [524.0, 524.0, 1436.0, 1436.0];
    assert_eq!(means(&ran, "mss"), segments);
    // Nothing is faster than the shaper. What a window limits loses nothing; slow start without one overshoots, and repairs.
    for ((goodput, mss), least) in means(&ran, "goodput").into_iter().zip(segments).zip([0.6, 0.95, 0.6, 0.95]) {
        let due = SHAPED * mss / (mss + HEADERS);
        assert!((least..1.02).contains(&(goodput / due)), "{goodput} and not {due}");
    }
    let rtts = means(&ran, "rtt-p50");
    let limited = means(&ran, "limited-rwnd");
    for (point, mss) in [(1, 524.0), (3, 1436.0)] {
        assert!(limited[point] > 0.95, "{limited:?}");
        // 16 KiB, doubled by Linux, of which headers and overhead leave a half to three quarters; and what TBF lets pass at once.
        let of = |bytes: f64| bytes / mss * (mss + HEADERS) * 8.0 / SHAPED;
        assert!((of(14_000.0) - 0.0066..of(26_000.0)).contains(&rtts[point]), "{} of {}", rtts[point], of(16_384.0));
    }
    for point in [0, 2] {
        assert!(limited[point] < 0.05 && rtts[point] > 0.012, "{limited:?} {rtts:?}");
    }
    reads_on(&lan);
}

/// The other commands take the folder for what it is.
fn reads_on(lan: &Lan) {
    let folder = lan.at("f").to_str().unwrap().to_owned();
    let told = text(&lan.goodput(&["report", &folder]));
    assert!(told.contains("2 seeds") && !told.contains("The lab does not model"), "{told}");
    let exported = text(&lan.goodput(&["export", &format!("{folder}:0"), "--to", "iperf3"]));
    assert!(exported.contains("Mbits/sec"), "{exported}");
    let told = text(&lan.goodput(&["diagnose", &folder]));
    assert!(told.contains("receiver-window"), "{told}");
    // 1436 of 1502 bytes are 7.7 % more than 524 of 590; a busy machine moves each by some per cent.
    let compared = lan.goodput(&["compare", &format!("{folder}:536 B, 16 KiB"), &format!("{folder}:1448 B, 16 KiB")]);
    let compared = text(&compared);
    let higher =
        compared.split("goodput is ").nth(1).and_then(|rest| rest.split_once(" % higher")?.0.parse::<f64>().ok());
    assert!(higher.is_some_and(|higher| (4.0..12.0).contains(&higher)), "{compared}");
    let refused = text(&lan.goodput(&["rerun", &folder]));
    assert!(refused.contains("measured on real hosts"), "{refused}");
    let refused = text(&run(lan, "title = \"t\"", "f", &[]));
    assert!(refused.contains("x.toml"), "{refused}");
    // 0000 is the trial that ran first, and every block has all four.
    let plan: Value = serde_json::from_str(&fs::read_to_string(lan.at("f/plan.json")).unwrap()).unwrap();
    let mut seeds: Vec<(u64, u64)> = plan["trials"]
        .as_array()
        .unwrap()
        .iter()
        .map(|trial| (trial["index"].as_u64().unwrap(), trial["seed"].as_u64().unwrap()))
        .collect();
    seeds.sort_unstable();
    assert_eq!(seeds.iter().map(|(_, seed)| *seed).collect::<Vec<_>>(), [1, 1, 1, 1, 2, 2, 2, 2]);
}

#[test]
fn directions_several_flows_bytes_and_rates_are_as_asked_over_ssh() {
    if !is_possible() {
        return;
    }
    let lan = Lan::new();
    let config = lan.at("config");
    let spec = format!(
        "{HEAD}[[flows]]\nname = \"up\"\ncongestion = \"reno\"\nduration = \"1 s\"\ncount = 2\nsend-rate = \"8 Mbit/s\"\nsend-buffer = \"64 KiB\"\n\
         [[flows]]\nname = \"down\"\ncongestion = \"reno\"\ndirection = \"reverse\"\nbytes = \"3 MB\"\nsend-rate = \"40 Mbit/s\"\nreceive-buffer = \"64 KiB\"\n\
         [repeat]\nseeds = 1\n"
    );
    fs::write(lan.at("x.toml"), spec).unwrap();
    let (spec, out) = (lan.at("x.toml"), lan.at("f"));
    let hosts = format!("sender=localhost,receiver=plain@{B}");
    let words = ["field", "run", spec.to_str().unwrap(), "--ssh-config", config.to_str().unwrap()];
    let ran = lan.goodput(&[&words[..], &["--hosts", &hosts, "--out", out.to_str().unwrap(), "--all"]].concat());
    assert!(ran.status.success(), "{}", text(&ran));
    let trial: Value = serde_json::from_str(&fs::read_to_string(out.join("trials/0000/trial.json")).unwrap()).unwrap();
    let seconds =
        |flow: &str| (trial["ended"][flow].as_f64().unwrap() - trial["started"][flow].as_f64().unwrap()) / 1e9;
    assert_eq!([seconds("0"), seconds("1")], [1.0, 1.0]);
    // 24 Mbit at 40 Mbit/s and no faster; a busy machine writes late.
    assert!((0.59..0.9).contains(&seconds("2")), "{}", seconds("2"));
    let buffers: Vec<&Value> =
        trial["readbacks"].as_array().unwrap().iter().filter(|r| r["setting"] != "TCP_CONGESTION").collect();
    assert_eq!(buffers.len(), 3, "{trial:#}");
    assert!(buffers.iter().all(|read| read["got"] == "131072"), "{buffers:?}");
    let page = text(&ran);
    for due in ["Measured ", "UTC", "random order", "[path] is not used"] {
        assert!(page.contains(due), "{due}: {page}");
    }
    for (flow, due) in [("up, flow 0", 7.6..8.2), ("up, flow 1", 7.6..8.2), ("down", 26.0..40.5)] {
        let row = page.lines().find(|line| line.starts_with(flow)).unwrap();
        let goodput: f64 = row
            .split("receiver")
            .last()
            .unwrap()
            .split("sender")
            .last()
            .unwrap()
            .split_whitespace()
            .next()
            .unwrap()
            .parse()
            .unwrap();
        assert!(due.contains(&goodput), "{row}");
    }
    assert!(!lan.sh(2, "ls /tmp").contains(&lan.lock_name()));
}

#[test]
fn what_real_hosts_cannot_do_is_refused_at_its_place_and_budgets_are_kept() {
    if !is_possible() {
        return;
    }
    let lan = Lan::new();
    let bulk = "[[flows]]\nduration = \"1 s\"\n";
    for (rest, place, what) in [
        (
            format!("{bulk}[vary]\n\"path.rate\" = [\"1 Mbit/s\", \"2 Mbit/s\"]\n"),
            "x.toml:6:1",
            "cannot vary on real hosts",
        ),
        (format!("{bulk}[vary]\n\"hosts.sack\" = [true, false]\n"), "x.toml:6:1", "cannot vary on real hosts"),
        ("[[flows]]\nkind = \"ping\"\nduration = \"1 s\"\n".into(), "x.toml:4:1", "bulk flows alone"),
        (format!("{bulk}read-rate = \"1 Mbit/s\"\n"), "x.toml:5:1", "a slow reader"),
        (
            format!(
                "{bulk}[search]\nfind = \"maximum\"\nkey = \"path.rtt\"\nfrom = \"1 ms\"\nto = \"9 ms\"\nresolution = \"1 ms\"\n"
            ),
            "x.toml:5:2",
            "a search is for the lab",
        ),
    ] {
        let said = text(&run(&lan, &format!("{HEAD}{rest}"), "no", &[]));
        assert!(said.contains(place) && said.contains(what), "{place} {what}: {said}");
    }
    let said = text(&run(&lan, &format!("{HEAD}{bulk}congestion = \"nosuch\"\n"), "no", &[]));
    assert!(said.contains("nosuch"), "{said}");
    assert!(!lan.at("no").exists() || !lan.at("no/verdict.json").exists());
    let [a, ..] = &lan.hosts;
    let said =
        text(&lan.goodput(&["field", "run", "x.toml", "--hosts", &format!("sender=netns:{a},nobody=netns:{a}")]));
    assert!(said.contains("nobody is no host of the experiment") && said.contains("receiver"), "{said}");
    let dry = text(&run(&lan, &format!("{HEAD}{bulk}"), "no", &["--dry-run", "--max-rate", "5Mbit/s"]));
    assert!(
        dry.contains("TCP port 5201") && dry.contains("at most 5000000 bit/s") && dry.contains("3 trials"),
        "{dry}"
    );
    // 1 s at 16 Mbit/s are 2 MB: two trials fit into 5 MB, three do not.
    let ran = run(&lan, &format!("{HEAD}{bulk}"), "b", &["--budget", "5MB", "--max-rate", "16Mbit/s", "--json"]);
    assert!(text(&ran).contains("the budget is spent after 2 trials"), "{}", text(&ran));
    let ran = run(&lan, &format!("{HEAD}{bulk}"), "c", &["--budget", "1MB", "--max-rate", "16Mbit/s"]);
    assert!(text(&ran).contains("raise --budget"), "{}", text(&ran));
}
