//! Processor time, and which processor it was.

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike};
use std::fs;
use std::thread;

/// Seconds of processor time of the children that we have waited for, and of theirs.
pub fn of_children() -> f64 {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("every process has a usage");
    let seconds = |time: TimeVal| time.num_microseconds() as f64 / 1e6;
    seconds(usage.user_time()) + seconds(usage.system_time())
}

pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, |n| n.get())
}

/// Conditions that make the native stack fast or slow: mitigations of processor leaks that cost time, and the idle
/// states.
fn conditions() -> String {
    let read = |path: &str| fs::read_to_string(path).map(|text| text.trim().to_owned());
    let leaks = fs::read_dir("/sys/devices/system/cpu/vulnerabilities").into_iter().flatten().flatten();
    let mut mitigated: Vec<String> = leaks
        .filter(|leak| fs::read_to_string(leak.path()).is_ok_and(|text| text.starts_with("Mitigation")))
        .filter_map(|leak| leak.file_name().into_string().ok())
        .collect();
    mitigated.sort();
    let mitigated = if mitigated.is_empty() { "none".into() } else { mitigated.join(", ") };
    let idle = read("/sys/devices/system/cpu/cpuidle/current_driver").unwrap_or_else(|_| "unknown".into());
    let governor = read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").unwrap_or_else(|_| "unknown".into());
    format!("mitigations: {mitigated}; idle driver {idle}, frequency governor {governor}")
}

/// The machine in two lines.
pub fn machine() -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let (processor, release, load) = (read("/proc/cpuinfo"), read("/proc/sys/kernel/osrelease"), read("/proc/loadavg"));
    let model = processor.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("an unknown processor");
    let load: Vec<&str> = load.split(' ').take(3).collect();
    format!(
        "{} cores of {}, Linux {}; load {} at the end\n{}",
        cores(),
        model.trim_start_matches([' ', '\t', ':']),
        release.trim(),
        load.join(" "),
        conditions()
    )
}
