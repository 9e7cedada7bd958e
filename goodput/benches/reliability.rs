//! goodput under kills and with large files; docs/explanation/reliability.md has the figures.
//!
//! `cargo bench -p goodput --bench reliability`: 1,000 kills, a listing of 2 GB, and a day of JSON; `-- --quick` a fiftieth.
#![forbid(unsafe_code)]

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::{BufWriter, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const GOODPUT: &str = env!("CARGO_BIN_EXE_goodput");

const EXPERIMENT: &str = r#"
title = "eight short trials"
path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP", loss = "0.1 %" }
flows = [{ duration = "500 ms" }]
vary = { "flows.congestion" = ["cubic", "bbr"] }
repeat = { seeds = 4 }
"#;

const LINE: &str = "cubic wscale:7,7 rto:204 rtt:3.4/1.2 mss:1448 cwnd:10 bytes_acked:1 segs_out:2 retrans:0/0\n";

/// No signal reaches a run before this, nor later than this after it began.
const WINDOW: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(1500)];

/// Longest time for killed processes to disappear.
const MAX_EXIT_TIME: Duration = Duration::from_secs(2);

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// Target of a kill.
#[derive(Clone, Copy, PartialEq)]
enum Victim {
    Run,
    Group,
    Trial,
    Kernel,
}

impl Victim {
    const ALL: [Victim; 4] = [Victim::Run, Victim::Group, Victim::Trial, Victim::Kernel];

    fn name(self) -> &'static str {
        match self {
            Victim::Run => "`goodput run`",
            Victim::Group => "it and its process group",
            Victim::Trial => "a `goodput trial`",
            Victim::Kernel => "a guest's kernel",
        }
    }

    /// Whether a process of the run's is one of these.
    fn is(self, line: &str) -> bool {
        match self {
            Victim::Run | Victim::Group => false,
            Victim::Trial => line.contains("goodput trial "),
            Victim::Kernel => line.contains("/linux ") && line.contains("initrd="),
        }
    }
}

#[derive(Default)]
struct Count {
    kills: usize,
    left: usize,
}

fn main() -> Outcome {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let part = if quick { 50 } else { 1 };
    document(86_400 / part)?;
    listing(2_000_000_000 / part)?;
    kills(1000 / part as usize)
}

/// A listing larger than any that a person keeps.
fn listing(size: u64) -> Outcome {
    let file = tempfile::Builder::new().suffix(".txt").tempfile()?;
    let mut out = BufWriter::new(file.as_file());
    for _ in 0..size / LINE.len() as u64 {
        out.write_all(LINE.as_bytes())?;
    }
    out.flush()?;
    drop(out);
    diagnose("a listing", file.path())
}

/// Output of `iperf3 -J` for `seconds`.
fn document(seconds: u64) -> Outcome {
    let file = tempfile::Builder::new().suffix(".json").tempfile()?;
    let mut out = BufWriter::new(file.as_file());
    out.write_all(br#"{"start":{"test_start":{"protocol":"TCP"}},"intervals":["#)?;
    for second in 0..seconds {
        let times =
            format!(r#""start":{second},"end":{},"seconds":1,"bytes":1250000,"bits_per_second":1e7"#, second + 1);
        let of_sender = r#""retransmits":0,"omitted":false,"sender":true"#;
        let socket = r#""snd_cwnd":98000,"snd_wnd":3145728,"rtt":20000,"rttvar":900,"pmtu":1500"#;
        let comma = if second == 0 { "" } else { "," };
        write!(
            out,
            r#"{comma}{{"streams":[{{"socket":5,{times},{of_sender},{socket}}}],"sum":{{{times},{of_sender}}}}}"#
        )?;
    }
    out.write_all(br#"],"end":{}}"#)?;
    out.flush()?;
    drop(out);
    diagnose("JSON", file.path())
}

fn diagnose(what: &str, file: &Path) -> Outcome {
    let began = Instant::now();
    let output = Command::new(GOODPUT).arg("diagnose").arg(file).output()?;
    let took = began.elapsed().as_secs_f64();
    let memory = getrusage(UsageWho::RUSAGE_CHILDREN)?.max_rss() / 1024;
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.lines().next().unwrap_or("its page").replace(&file.display().to_string(), "FILE");
    println!(
        "`goodput diagnose` of {what} of {:.1} MB: {} after {took:.1} s, {memory} MB; {said}\n",
        fs::metadata(file)?.len() as f64 / 1e6,
        output.status
    );
    Ok(())
}

/// Kills parts of a run at random moments, repeatedly, and continues the run.
fn kills(all: usize) -> Outcome {
    let place = tempfile::tempdir()?;
    fs::write(place.path().join("x.toml"), EXPERIMENT)?;
    let whole = place.path().join("whole");
    if !start(&place, "whole")?.wait()?.success() {
        return Err("the experiment does not run here; see goodput doctor".into());
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    let (mut runs, mut different) = (0, 0);
    let mut done = 0;
    while done < all {
        let out = format!("run-{runs}");
        loop {
            let mut run = start(&place, &out)?;
            let victim = Victim::ALL[random.next_u64() as usize % Victim::ALL.len()];
            sleep(WINDOW[0] + Duration::from_nanos(random.next_u64() % (WINDOW[1] - WINDOW[0]).as_nanos() as u64));
            let hit = hit(victim, &mut run, &place, &mut random)?;
            let count = counts.entry(victim.name()).or_default();
            if hit {
                count.kills += 1;
                done += 1;
            }
            let status = run.wait()?;
            count.left += left(&place);
            if status.success() {
                break;
            }
        }
        runs += 1;
        different += usize::from(files(&whole)? != files(&place.path().join(&out))?);
    }
    println!("| killed | times | processes that stayed for {} s |\n|---|---|---|", MAX_EXIT_TIME.as_secs());
    for (name, Count { kills, left }) in &counts {
        println!("| {name} | {kills} | {left} |");
    }
    println!(
        "\nThe {runs} runs were gone on with until they ended: {different} differ from one that nobody disturbed."
    );
    Ok(())
}

fn start(place: &TempDir, out: &str) -> Outcome<Child> {
    let mut command = Command::new(GOODPUT);
    command.args(["run", "x.toml", "--no-cache", "--out", out]).current_dir(place).process_group(0);
    Ok(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?)
}

/// Kills one of a run's processes, or none where there is none: whether it did.
fn hit(victim: Victim, run: &mut Child, place: &TempDir, random: &mut Xoshiro256PlusPlus) -> Outcome<bool> {
    if run.try_wait()?.is_some() {
        return Ok(false);
    }
    let own = Pid::from_raw(run.id().try_into()?);
    let target = match victim {
        Victim::Run => own,
        Victim::Group => Pid::from_raw(-own.as_raw()),
        _ => {
            let found: Vec<i32> =
                processes(place).into_iter().filter(|(_, line)| victim.is(line)).map(|(id, _)| id).collect();
            match found.len() {
                0 => return Ok(false),
                several => Pid::from_raw(found[random.next_u64() as usize % several]),
            }
        }
    };
    Ok(kill(target, Signal::SIGKILL).is_ok())
}

/// Processes that use the place: their ids and command lines.
fn processes(place: &TempDir) -> Vec<(i32, String)> {
    let text = |path: PathBuf| String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).replace('\0', " ");
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let here = entries.filter(|entry| fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(place)));
    here.filter_map(|entry| {
        let id = entry.file_name().to_str()?.parse().ok()?;
        Some((id, text(entry.path().join("cmdline"))))
    })
    .collect()
}

/// How many processes of the place stay.
fn left(place: &TempDir) -> usize {
    let began = Instant::now();
    loop {
        let left = processes(place).len();
        if left == 0 || began.elapsed() > MAX_EXIT_TIME {
            return left;
        }
        sleep(Duration::from_millis(10));
    }
}

/// The files below a folder, and their bytes.
fn files(folder: &Path) -> Outcome<BTreeMap<PathBuf, Vec<u8>>> {
    let mut all = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else {
                all.insert(path.strip_prefix(folder)?.to_path_buf(), fs::read(&path)?);
            }
        }
    }
    Ok(all)
}
