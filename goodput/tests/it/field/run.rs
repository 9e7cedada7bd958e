//! `goodput field run` between two namespaces. The oracles are TBF's rate, header arithmetic, and Little's law.

use super::path::{B, Lan, has_iperf3, is_possible};
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

/// If the shaper limits the flow, goodput is its rate less headers. If the window does, goodput is the same, and the
/// queue is no longer than the window (Little 1961).
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
    // No flow is faster than the shaper. A flow that its window limits loses nothing; without a window, slow start
    // overshoots and retransmits.
    for ((goodput, mss), least) in means(&ran, "goodput").into_iter().zip(segments).zip([0.6, 0.95, 0.6, 0.95]) {
        let due = SHAPED * mss / (mss + HEADERS);
        // The receiver's clock starts some ms late on a busy machine.
        assert!((least..1.04).contains(&(goodput / due)), "{goodput} and not {due}");
    }
    let rtts = means(&ran, "rtt-p50");
    let limited = means(&ran, "limited-rwnd");
    for (point, mss) in [(1, 524.0), (3, 1436.0)] {
        assert!(limited[point] > 0.95, "{limited:?}");
        // 16 KiB, doubled by Linux; headers and overhead leave a half to three quarters of it. TBF's burst adds to
        // that.
        let of = |bytes: f64| bytes / mss * (mss + HEADERS) * 8.0 / SHAPED;
        assert!((of(14_000.0) - 0.0066..of(26_000.0)).contains(&rtts[point]), "{} of {}", rtts[point], of(16_384.0));
    }
    for point in [0, 2] {
        assert!(limited[point] < 0.05 && rtts[point] > 0.012, "{limited:?} {rtts:?}");
    }
    reads_on(&lan);
}

/// The other commands read the folder as a field run.
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
fn flows_have_the_asked_direction_count_bytes_and_rate() {
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
fn keys_impossible_on_real_hosts_are_refused_and_budgets_kept() {
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

const MAX_WAIT_MS: u64 = 120_000;

/// Waits until a file is there.
fn awaited(path: &std::path::Path) {
    for _ in 0..MAX_WAIT_MS / 20 {
        if path.exists() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("{} is not there", path.display());
}

/// Starts a run of `x.toml` and sends it a signal once `trial` exists; returns its exit code and output.
fn ended_at(lan: &Lan, trial: &str, signal: nix::sys::signal::Signal) -> Output {
    let [a, _, b] = &lan.hosts;
    let hosts = format!("sender=netns:{a},receiver=netns:{b}");
    let child = std::process::Command::new(env!("CARGO_BIN_EXE_goodput"))
        .args(["field", "run", "x.toml", "--hosts", &hosts, "--out", "r"])
        .current_dir(lan.at(""))
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    awaited(&lan.at("r/trials").join(trial));
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(child.id() as i32), signal).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_run_that_was_ended_goes_on_and_keeps_what_it_has() {
    if !is_possible() {
        return;
    }
    let lan = Lan::new();
    let spec = |duration: &str| {
        format!(
            "{HEAD}[[flows]]\nduration = \"{duration}\"\nsend-rate = \"8 Mbit/s\"\n[vary]\n\"flows.mss\" = [\"536 B\", \"1448 B\"]\n"
        )
    };
    fs::write(lan.at("x.toml"), spec("500 ms")).unwrap();
    ended_at(&lan, "0001", nix::sys::signal::Signal::SIGKILL);
    let sums = |trial: &str| fs::read_to_string(lan.at("r/trials").join(trial).join("SHA256SUMS")).unwrap();
    let kept = [sums("0000"), sums("0001")];
    let ended = ended_at(&lan, "0003", nix::sys::signal::Signal::SIGINT);
    let said = text(&ended);
    assert_eq!(ended.status.code(), Some(130), "{said}");
    assert!(said.contains(" of 6 trials are there already") && said.contains("interrupted after "), "{said}");
    assert!(said.contains("To go on: ") && said.contains(" --out r"), "{said}");
    let read = text(&lan.goodput(&["report", "r"]));
    assert!(read.contains("goodput") && !read.contains("not finished"), "{read}");
    for (options, what) in [
        (["--order", "2"], "--order was 1 and is 2"),
        (["--max-rate", "5Mbit/s"], "--max-rate was none and is 5000000bit/s"),
    ] {
        let said = text(&run(&lan, &spec("500 ms"), "r", &options));
        assert!(said.contains("was measured otherwise") && said.contains(what), "{said}");
    }
    let said = text(&run(&lan, &spec("400 ms"), "r", &[]));
    assert!(said.contains("x.toml:4:1") && said.contains("duration = \"500 ms\""), "{said}");
    let whole = run(&lan, &spec("500 ms"), "r", &[]);
    let said = text(&whole);
    assert!(whole.status.success() && said.contains("It was continued at "), "{said}");
    assert_eq!([sums("0000"), sums("0001")], kept);
    let again = text(&run(&lan, &spec("500 ms"), "r", &[]));
    assert!(again.contains(" trials are there already") && !again.contains("seed 1: "), "{again}");
}

/// TBF's rate less headers is expected, whichever program counts.
#[test]
fn iperf3_makes_flows_and_refuses_keys_it_cannot_set() {
    if !is_possible() || !has_iperf3() {
        return;
    }
    let lan = Lan::new();
    lan.sh(1, "tc qdisc add dev right root tbf rate 20mbit burst 16k limit 60k; tc qdisc add dev left root tbf rate 10mbit burst 16k limit 60k");
    let spec = format!(
        "{HEAD}[[flows]]\nduration = \"1 s\"\nmss = \"1448 B\"\n[vary]\n\"flows.direction\" = [\"forward\", \"reverse\"]\n"
    );
    let ran = run(&lan, &spec, "f", &["--tool", "iperf3", "--seeds", "2", "--json"]);
    assert!(ran.status.success(), "{}", text(&ran));
    let due = SHAPED * 1436.0 / (1436.0 + HEADERS);
    for (goodput, due) in means(&ran, "goodput").into_iter().zip([due, due / 2.0]) {
        assert!((0.8..1.04).contains(&(goodput / due)), "{goodput} and not {due}");
    }
    // Little's law: a queue of 60 kB adds 24 ms at 20 Mbit/s, and 48 ms at 10 Mbit/s.
    for (rtt, most) in means(&ran, "rtt-p95").into_iter().zip([0.031, 0.061]) {
        assert!((0.004..most).contains(&rtt), "{rtt}");
    }
    let json: Value = serde_json::from_slice(&ran.stdout).unwrap();
    let columns: Vec<&str> =
        json["table"]["columns"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    assert!(!columns.contains(&"limited-rwnd") && !columns.contains(&"retransmitted"), "{columns:?}");
    let told = text(&lan.goodput(&["diagnose", "f"]));
    assert!(!told.contains("receive window limits"), "{told}");
    for (rest, place, what) in [
        ("[[flows]]\nduration = \"1.5 s\"\n", "x.toml:4:1", "iperf3 takes whole seconds"),
        ("[[flows]]\nduration = \"1 s\"\nreceive-buffer = \"64 KiB\"\n", "x.toml:5:1", "both buffers"),
        (
            "[[flows]]\nduration = \"1 s\"\n[[expect]]\nmeasure = \"limited-rwnd\"\nat-least = \"50 %\"\n",
            "x.toml:6:11",
            "iperf3 does not tell limited-rwnd",
        ),
    ] {
        let said = text(&run(&lan, &format!("{HEAD}{rest}"), "no", &["--tool", "iperf3"]));
        assert!(said.contains(place) && said.contains(what) && !said.contains("connecting"), "{place} {what}: {said}");
    }
    let dry = text(&run(&lan, &spec, "no", &["--tool", "iperf3", "--dry-run"]));
    assert!(dry.contains("iperf3 -s -1 -J -i 0.1 -p 5201") && dry.contains(" -R -C cubic -M 1448"), "{dry}");
    assert!(!lan.sh(2, "ss -Htln").contains(":5201 "));
}

/// 10 ms each way through a relay: twice the window brings twice the goodput, and no queue.
#[test]
fn over_a_round_trip_time_goodput_follows_the_window() {
    if !is_possible() {
        return;
    }
    let lan = Lan::new();
    if !lan.delay(10) {
        return;
    }
    let spec =
        format!("{HEAD}[[flows]]\nduration = \"1 s\"\n[vary]\n\"flows.receive-buffer\" = [\"32 KiB\", \"64 KiB\"]\n");
    let ran = run(&lan, &spec, "f", &["--seeds", "2", "--json"]);
    assert!(ran.status.success(), "{}", text(&ran));
    let [goodputs, rtts] = ["goodput", "rtt-p50"].map(|measure| means(&ran, measure));
    // On a busy machine the relay is late; the amount in flight is unaffected.
    let in_flight: Vec<f64> = goodputs.iter().zip(&rtts).map(|(goodput, rtt)| goodput * rtt).collect();
    assert!((1.7..2.3).contains(&(in_flight[1] / in_flight[0])), "{goodputs:?} {rtts:?}");
    for ((goodput, rtt), buffer) in goodputs.iter().zip(&rtts).zip([32.0 * 1024.0, 64.0 * 1024.0]) {
        assert!((0.020..0.030).contains(rtt), "{rtt}");
        // Linux doubles a buffer, and headers and overhead leave a half to seven eighths of it to the window.
        let window = goodput * rtt / 8.0 / (2.0 * buffer);
        assert!((0.4..0.9).contains(&window), "{goodput} bit/s over {rtt} s are {window} of the buffer");
    }
    assert!(means(&ran, "limited-rwnd").into_iter().all(|share| share > 0.8), "{}", text(&ran));
}
