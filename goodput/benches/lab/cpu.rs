//! Processor time, and which processor it was.

use std::fs;

/// The kernel shows times in hundredths of a second, whatever its own HZ (USER_HZ).
pub const TICK: f64 = 0.01;

/// Seconds of processor time of the children that we have waited for, and of theirs.
pub fn of_children() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The fields from the 3rd on follow the name, which stands in parentheses; cutime and cstime are 16 and 17.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    fields.split_whitespace().skip(13).take(2).filter_map(|n| n.parse::<f64>().ok()).sum::<f64>() * TICK
}

/// The machine in one line.
pub fn machine() -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let (processor, release, load) = (read("/proc/cpuinfo"), read("/proc/sys/kernel/osrelease"), read("/proc/loadavg"));
    let model = processor.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("an unknown processor");
    let cores = std::thread::available_parallelism().map_or(0, |n| n.get());
    let load: Vec<&str> = load.split(' ').take(3).collect();
    format!(
        "{cores} cores of {}, Linux {}; load {} at the end",
        model.trim_start_matches([' ', '\t', ':']),
        release.trim(),
        load.join(" ")
    )
}
