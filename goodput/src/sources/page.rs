//! What was read, as `goodput import` prints it.

use crate::show::{bytes, count, nothing_read, paragraph, rate, time, unread};
use evidence::{Connection, Evidence};

/// What was read, and what was not, in lines of so many columns.
pub fn page(evidence: &Evidence, width: usize) -> String {
    let contents = evidence.contents();
    if contents.is_empty() {
        return paragraph("Read: ", "nothing", width) + &nothing_read(&evidence.unread, width);
    }
    let mut text = paragraph("Read: ", &contents.join(", "), width);
    for connection in &evidence.connections {
        let told = format!("({}): {}", connection.place, told(connection));
        text += &paragraph(&format!("  {} ", connection.name), &told, width);
    }
    for table in &evidence.tables {
        text += &paragraph(&format!("  Table ({}): ", table.place), &table.columns.join(" | "), width);
        table.rows.iter().for_each(|row| text += &paragraph("    ", &row.join(" | "), width));
    }
    text + &unread(&evidence.unread, width)
}

fn told(connection: &Connection) -> String {
    let mut parts = vec![];
    let mut part = |name: &str, value: Option<String>| parts.extend(value.map(|value| format!("{name} {value}")));
    part("goodput", connection.goodput.map(rate));
    part("congestion control", connection.congestion.clone());
    part("retransmitted", connection.retransmitted.map(count));
    part("min RTT", connection.rtt_min.or(connection.rtt_base).map(time));
    part("max cwnd", connection.points.iter().filter_map(|point| point.cwnd).reduce(f64::max).map(bytes));
    part("samples", (connection.points.len() > 1).then(|| connection.points.len().to_string()));
    parts.join(", ")
}
