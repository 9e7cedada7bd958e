//! Throughput of all processors together, and whether other programs used them.

use crate::cpu::cores;
use std::fs;
use std::thread;
use std::time::Duration;

/// The kernel shows times in hundredths of a second, whatever its own HZ (USER_HZ).
const TICK: f64 = 0.01;

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
