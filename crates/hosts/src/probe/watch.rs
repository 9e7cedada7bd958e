//! Live connections of a host, sampled by ss.

use crate::login::{FieldError, Shell};
use base::show;
use diagnosis::diagnose::{self, Given};
use evidence::{Connection, Evidence, import};
use std::fmt::Write;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Largest number of rows in a table; a busy host has more connections.
const MAX_LINES: usize = 40;
const SCREEN: &str = "command -v ss >/dev/null || { echo 'ss is not installed: install iproute2' >&2; exit 1; }
ss -tinom state established | head -n 8000";

/// Watches a host until `show` returns false.
pub fn watch(shell: &Shell, interval: Duration, mut show: impl FnMut(&str) -> bool) -> Result<(), FieldError> {
    let mut before = look(shell)?;
    loop {
        thread::sleep(interval);
        let now = look(shell)?;
        if !show(&table(&format!("{before}{now}"))) {
            return Ok(());
        }
        before = now;
    }
}

/// Returns a screen after its time.
fn look(shell: &Shell) -> Result<String, FieldError> {
    let screen = shell.ask("reading its connections", SCREEN)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64());
    Ok(format!("{now:.3}\n{screen}\n"))
}

/// Returns a table of the connections on two screens, busiest first.
pub fn table(screens: &str) -> String {
    let mut found = Evidence::default();
    import::read("ss", screens.as_bytes(), &mut found);
    let mut seen: Vec<Connection> = found.connections.into_iter().filter(|seen| seen.span.is_some()).collect();
    seen.sort_by(|a, b| b.goodput.unwrap_or(0.0).total_cmp(&a.goodput.unwrap_or(0.0)));
    let mut rows = vec![HEAD.map(str::to_owned)];
    rows.extend(seen.iter().take(MAX_LINES).map(row));
    if rows.len() == 1 {
        return "no connections".into();
    }
    let widths: Vec<usize> =
        (0..HEAD.len()).map(|n| rows.iter().map(|row| row[n].chars().count()).max().unwrap_or(0)).collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = format!("{:width$}", row[0], width = widths[0]);
        for (cell, width) in row[1..HEAD.len() - 1].iter().zip(&widths[1..]) {
            let _ = write!(line, "  {cell:>width$}");
        }
        let _ = writeln!(text, "{line}  {}", row[HEAD.len() - 1]);
    }
    if seen.len() > MAX_LINES {
        let _ = writeln!(text, "{} more", seen.len() - MAX_LINES);
    }
    text
}

const HEAD: [&str; 8] = ["connection", "goodput", "retr", "RTT", "busy", "window", "send buffer", "limit"];

fn row(seen: &Connection) -> [String; 8] {
    let none = || "-".to_owned();
    let share =
        |of: fn(&evidence::Limits) -> f64| seen.limits.as_ref().map_or_else(none, |limits| show::share(of(limits)));
    let resent: f64 = seen.points.iter().filter_map(|point| point.retransmitted).sum();
    let rtt = seen.points.last().and_then(|point| point.srtt);
    let alone = Evidence { connections: vec![seen.clone()], ..Evidence::default() };
    let limit = diagnose::diagnose(&alone, Given::default());
    [
        seen.name.clone(),
        seen.goodput.map_or_else(none, show::rate),
        show::count(resent),
        rtt.map_or_else(none, show::time),
        share(|limits| limits.busy),
        share(|limits| limits.rwnd),
        share(|limits| limits.sndbuf),
        limit.top().map_or_else(none, |finding| finding.rule.to_owned()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A receive window of 64 kB over 100 ms: 5.24 Mbit/s, by arithmetic.
    #[test]
    fn a_connection_between_two_looks_is_a_row() {
        let screen = |time: f64, bytes: u64, ms: u64| {
            format!(
                "{time:.3}\nRecv-Q Send-Q Local Address:Port Peer Address:Port\n0 65536 10.0.0.1:40000 10.0.0.2:873\n\t cubic \
                 wscale:7,7 rto:304 rtt:100/1 mss:1448 pmtu:1500 advmss:1448 cwnd:100 bytes_sent:{bytes} bytes_acked:{bytes} \
                 segs_out:{} data_segs_out:{} busy:{ms}ms rwnd_limited:{ms}ms(100.0%) unacked:45 minrtt:100 snd_wnd:65536\n",
                bytes / 1448,
                bytes / 1448
            )
        };
        let text = table(&(screen(1_700_000_000.0, 10_000_000, 20_000) + &screen(1_700_000_002.0, 11_310_720, 22_000)));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        for part in ["10.0.0.1:40000 > 10.0.0.2:873", "5.24 Mbit/s", "100 ms", "100 %", "receiver-window"] {
            assert!(lines[1].contains(part), "{part}: {text}");
        }
        assert_eq!(table(""), "no connections");
    }
}
