//! Failures as a user sees them; one failure does not cause another.

use crate::skip::skip;
use crate::support::{agent, goodput, kernel, plan, record, try_record};
use base::folder::Folder;
use lab::engine::uml::{Keeping, Uml};
use lab::engine::walls::Wall;
use lab::engine::{Engine, Patience, TrialError};
use lab::kernel::Entry;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

const SHORT_EXPERIMENT: &str = r#"
title = "short"
path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }
flows = [{ duration = "200 ms" }]
"#;

/// A kernel that is a shell script.
fn script(folder: &Path, text: &str) -> Entry {
    let path = folder.join("linux");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    Entry { folder: folder.into(), ..kernel() }
}

fn boot(text: &str, patience: Duration) -> TrialError {
    let [kernel, folder] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let trial = &plan(SHORT_EXPERIMENT).trials[0];
    let kernels = vec![(trial.kernel.clone(), script(kernel.path(), text))];
    let engine = Uml::new(kernels, agent())
        .with_program(env!("CARGO_BIN_EXE_goodput"))
        // A script needs its shell.
        .with_keeping(Keeping { without: Wall::ALL.to_vec(), ..Keeping::default() })
        .with_patience(Patience {
            cpu: patience,
            programs: patience,
            work: patience,
            asleep: patience,
            slept: patience,
        });
    engine.record(trial, &Folder::open(folder.path()).unwrap()).expect_err("this is no kernel")
}

#[test]
fn a_kernel_that_does_not_boot_has_the_last_word() {
    let error = boot("echo 'Kernel panic - not syncing: no init' >&2; exit 1", Duration::from_secs(60));
    assert!(matches!(error, TrialError::Died { .. }), "{error}");
    assert!(error.to_string().contains("Kernel panic - not syncing: no init"), "{error}");
}

#[test]
fn a_stream_that_is_not_ours_is_a_death() {
    let error = boot("echo 'hello from another program'", Duration::from_secs(60));
    assert!(matches!(error, TrialError::Died { .. }), "{error}");
}

#[test]
fn a_guest_that_hangs_is_ended() {
    let began = Instant::now();
    let error = boot("exec sleep 600", Duration::from_secs(1));
    assert!(matches!(error, TrialError::Hung { .. }), "{error}");
    assert!(began.elapsed() < Duration::from_secs(20));
}

/// Error of a trial in which a host runs `command`, and size of its console log. The trial is ended after its programs
/// have run for two seconds without progress.
fn failing(command: &str) -> (String, u64) {
    let command = serde_json::to_string(command).unwrap();
    let run = format!("hosts = {{ sender = {{ run = [{{ at = '100 ms', command = {command} }}] }} }}\n");
    let folder = tempfile::tempdir().unwrap();
    let trial = &plan(&(SHORT_EXPERIMENT.to_string() + &run)).trials[0];
    let patience = Patience { programs: Duration::from_secs(2), ..Patience::default() };
    let engine = Uml::new(vec![(trial.kernel.clone(), kernel())], agent())
        .with_program(env!("CARGO_BIN_EXE_goodput"))
        .with_patience(patience);
    let began = Instant::now();
    let error = engine.record(trial, &Folder::open(folder.path()).unwrap()).expect_err("it goes on").to_string();
    assert!(began.elapsed() < Duration::from_secs(120), "{error}");
    thread::sleep(Duration::from_millis(300));
    assert_eq!(processes_of(folder.path()), [""; 0]);
    (error, fs::metadata(folder.path().join("console.log")).map_or(0, |data| data.len()))
}

/// Computing takes no virtual time, so the trial would never end.
#[test]
fn a_command_that_computes_for_ever_is_ended() {
    let (error, _) = failing("while :; do :; done");
    assert!(error.contains("the guest hung") && error.contains("s of CPU time of its programs"), "{error}");
}

/// The agent's messages count as signs of life. A command is root as well and can write them too: here an empty list of
/// devices, in a frame of that kind and length.
#[test]
fn a_command_that_tells_for_ever_what_the_agent_would_is_ended() {
    let told = r#"while :; do printf '\040\0\0\0\016\0\0\0{"devices":[]}' > /proc/goodput/emit; done"#;
    let (error, _) = failing(told);
    assert!(error.contains("the guest hung") && error.contains("s of CPU time of its programs"), "{error}");
}

/// A console has no use for more than the guest's memory.
#[test]
fn a_command_that_fills_the_console_does_not_fill_the_disk() {
    let (error, console) = failing("mknod /tmp/console c 5 1; yes 'nothing that anybody wants to know' > /tmp/console");
    assert!(console < 400 << 20, "{console} bytes: {error}");
}

#[test]
fn a_flow_that_cannot_connect_says_so() {
    let run = record(
        r#"
        title = "cut"
        path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP", loss = "100 %" }
        flows = [{ bytes = "1 MB" }, { duration = "2 s" }, { duration = "2 s", send-rate = "1 Mbit/s" }]
        "#,
    );
    let facts = &run.series.facts;
    assert_eq!(facts.broken[&0], "cannot connect to 10.0.0.2 port 5201: Connection timed out (os error 110)");
    assert_eq!(facts.broken[&1], "not connected to 10.0.0.2 port 5202 in time");
    assert_eq!(facts.broken[&2], "not connected to 10.0.0.2 port 5203 in time");
    assert_eq!(facts.ended[&1] / 1_000_000, 2000);
    for (number, flow) in run.series.flows.iter().enumerate() {
        assert_eq!(flow.received.last().map_or(0, |(_, bytes)| *bytes), 0, "flow {number}");
    }
}

/// The link is down from 1 s on: only data sent before has arrived.
#[test]
fn a_flow_whose_path_breaks_keeps_what_it_carried() {
    let run = record(
        r#"
        title = "black hole"
        path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP", changes = [{ at = "1 s", loss = "100 %" }] }
        flows = [{ duration = "4 s" }, { bytes = "10 MB" }]
        hosts = { sysctl = { "net.ipv4.tcp_retries2" = 3 } }
        record = { limit = "30 s" }
        "#,
    );
    let facts = &run.series.facts;
    assert!(facts.broken[&1].starts_with("cannot send: Connection timed out"), "{:?}", facts.broken);
    assert!(facts.ended[&1] < 10_000_000_000);
    assert_eq!(facts.ended[&0] / 1_000_000, 4000);
    for flow in [0, 1] {
        let received = run.series.flows[flow].received.last().unwrap().1;
        assert!((100_000..1_250_000).contains(&received), "flow {flow}: {received}");
    }
}

#[test]
fn a_flow_unfinished_at_the_time_limit_fails_no_trial() {
    let run = record(
        r#"
        title = "too much"
        path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }
        flows = [{ bytes = "100 MB" }, { bytes = "100 MB", send-rate = "1 Mbit/s" }, { bytes = "1 kB" }]
        record = { limit = "2 s" }
        "#,
    );
    let facts = &run.series.facts;
    for flow in [0, 1] {
        assert_eq!(facts.broken[&flow], "not everything was sent before the trial's time limit");
        assert_eq!(facts.ended[&flow] / 1_000_000, 2000);
    }
    assert_eq!(facts.broken.len(), 2);
}

#[test]
fn a_buffer_that_the_kernel_caps_is_a_mismatch() {
    let error = try_record(
        r#"
        title = "capped"
        path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }
        hosts = { sysctl = { "net.core.rmem_max" = 100000 } }
        flows = [{ duration = "200 ms", receive-buffer = "1 MB" }]
        "#,
    );
    let text = error.err().expect("net.core.rmem_max caps it").to_string();
    assert!(text.contains("SO_RCVBUF should be 2000000, but the kernel has 200000"), "{text}");
    assert!(text.contains("hint: net.core.rmem_max"), "{text}");
}

#[test]
fn a_sysctl_that_does_not_exist_is_named() {
    let error = try_record(
        r#"
        title = "no such setting"
        path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }
        hosts = { sender = { sysctl = { "net.ipv4.tcp_magic" = 1 } } }
        flows = [{ duration = "200 ms" }]
        "#,
    );
    let text = error.err().expect("there is no such sysctl").to_string();
    let version = kernel().version;
    assert!(text.contains(&format!("sender: Linux {version} has no net.ipv4.tcp_magic\n\nhint: ")), "{text}");
}

fn run_in(folder: &Path, spec: &str) -> Output {
    fs::write(folder.join("spec.toml"), spec).unwrap();
    Command::new(goodput())
        .args(["run", "spec.toml", "--no-cache", "--out", "run"])
        .current_dir(folder)
        .output()
        .unwrap()
}

#[test]
fn an_unknown_congestion_control_lists_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let output = run_in(folder.path(), &SHORT_EXPERIMENT.replace("duration", "congestion = 'cubik', duration"));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(
        text.contains("spec.toml:4:25: congestion \"cubik\" is not") && text.contains("= accepted: bbr, bic, "),
        "{text}"
    );
    assert!(text.contains("hint: write \"cubic\""), "{text}");
    assert!(!folder.path().join("run").exists(), "nothing starts");
}

#[test]
fn a_failed_trial_hurts_no_other_point() {
    let folder = tempfile::tempdir().unwrap();
    let spec = SHORT_EXPERIMENT.to_string()
        + "vary = { \"hosts.sender.sysctl.net.ipv4.tcp_sack\" = [1, 300, 0, 400] }\n"
        + "repeat = { seeds = 2 }\n";
    let output = run_in(folder.path(), &spec);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("trial 2 (300, seed 1) failed: sender: cannot set net.ipv4.tcp_sack"), "{text}");
    assert!(text.contains("also failed:\n  trial 6 (400, seed 1)\n"), "{text}");
    for finished in ["0000", "0001", "0004", "0005"] {
        assert!(folder.path().join("run/trials").join(finished).join("samples.parquet").exists(), "{finished}: {text}");
    }
}

#[test]
fn a_full_disk_is_said_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let spec = SHORT_EXPERIMENT.replace("200 ms\" }", "20 s\" }").to_string() + "record = { interval = '100 us' }\n";
    fs::write(folder.path().join("spec.toml"), spec).unwrap();
    let shell = format!(
        "mount -t tmpfs -o size=3m none . && cd \"$PWD\" && cat <&3 >spec.toml && exec '{}' run spec.toml --no-cache --out run 3<&-",
        goodput().display()
    );
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c"])
        .arg(format!("exec 3<spec.toml; {shell}"))
        .current_dir(folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if text.contains("unshare failed") {
        skip("this machine allows no user namespaces");
        return;
    }
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("No space left on device") && text.contains("hint: free some space"), "{text}");
}

#[test]
fn ctrl_c_leaves_a_run_that_goes_on_and_no_process() {
    let folder = tempfile::tempdir().unwrap();
    let spec = SHORT_EXPERIMENT.replace("200 ms", "1000 s") + "repeat = { seeds = 2 }\n";
    fs::write(folder.path().join("spec.toml"), spec).unwrap();
    let child = Command::new(goodput())
        .args(["run", "spec.toml", "--no-cache", "--out", "run"])
        .current_dir(folder.path())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let samples = folder.path().join("run/trials/0000.unfinished/samples.parquet");
    while !samples.exists() {
        thread::sleep(Duration::from_millis(20));
    }
    let is_guest = |line: &String| line.contains("initrd=");
    assert!(processes_of(folder.path()).iter().any(is_guest), "{:?}", processes_of(folder.path()));
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("interrupted with 0 of 2 trials finished"), "{text}");
    thread::sleep(Duration::from_millis(300));
    assert_eq!(processes_of(folder.path()), [""; 0], "no guest outlives its run");
}

/// Command lines of the processes that name a folder, or have something open in it, as a guest's kernel has its console.
fn processes_of(folder: &Path) -> Vec<String> {
    let has_open = |process: &Path| {
        let open = fs::read_dir(process.join("fd")).into_iter().flatten().flatten();
        open.filter_map(|entry| fs::read_link(entry.path()).ok()).any(|path| path.starts_with(folder))
    };
    let all = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
        let line = String::from_utf8_lossy(&fs::read(entry.path().join("cmdline")).ok()?).replace('\0', " ");
        (line.contains(&folder.display().to_string()) || has_open(&entry.path())).then_some(line)
    });
    all.collect()
}

#[test]
fn a_text_that_is_no_experiment_ends_with_2() {
    let folder = tempfile::tempdir().unwrap();
    let output = run_in(folder.path(), "path = { rate = 5 }\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let missing = Command::new(goodput()).args(["run", "nowhere.toml"]).current_dir(folder.path()).output().unwrap();
    let text = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert_eq!(missing.status.code(), Some(2));
    assert!(text.contains("nowhere.toml: No such file"), "{text}");
}
