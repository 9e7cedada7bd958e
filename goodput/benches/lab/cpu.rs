//! Processor time, and which processor it was.

use std::fs;
use std::thread;
use std::time::Duration;

/// The kernel shows times in hundredths of a second, whatever its own HZ (USER_HZ).
const TICK: f64 = 0.01;

/// Seconds of processor time of the children that we have waited for, and of theirs.
pub fn of_children() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The fields from the 3rd on follow the name, which stands in parentheses; cutime and cstime are 16 and 17.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    fields.split_whitespace().skip(13).take(2).filter_map(|n| n.parse::<f64>().ok()).sum::<f64>() * TICK
}

/// Seconds that all processors together were busy since boot: a packet is forwarded in interrupts, which belong to no
/// process.
pub fn of_machine() -> f64 {
    let stat = fs::read_to_string("/proc/stat").unwrap_or_default();
    let ticks: Vec<f64> = stat.lines().next().unwrap_or_default().split_whitespace().flat_map(str::parse).collect();
    // user nice system idle iowait irq softirq
    [0, 1, 2, 5, 6].iter().filter_map(|n| ticks.get(*n)).sum::<f64>() * TICK
}

/// The share of all processors that is busy while this process does nothing.
pub fn busy() -> f64 {
    const SECOND: Duration = Duration::from_secs(1);
    let before = of_machine();
    thread::sleep(SECOND);
    (of_machine() - before) / SECOND.as_secs_f64() / cores() as f64
}

/// Whether others left the machine alone, before and after.
pub fn quiet(busy: [f64; 2]) -> String {
    const QUIET: f64 = 0.05;
    let [before, after] = busy.map(|share| format!("{:.0} %", share * 100.0));
    let said = if busy.iter().all(|share| *share <= QUIET) { "Quiet" } else { "NOT QUIET" };
    format!("{said}: others kept the processors busy for {before} of the time before and {after} after it.")
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, |n| n.get())
}

/// What makes the native stack fast or slow: the measures against the processor's leaks that cost something, and how it
/// idles.
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
