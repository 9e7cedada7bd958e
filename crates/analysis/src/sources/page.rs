//! Summary of the files that were read, as `goodput import` prints it.

use base::show::{bytes, count, nothing_read, paragraph, rate, share, time, unread};
use evidence::ecn::{Ecn, Feedback};
use evidence::{Connection, Evidence};

/// Formats what was read and what was not, in lines of limited width.
pub fn page(evidence: &Evidence, width: usize) -> String {
    let contents = evidence.contents();
    if contents.is_empty() {
        return paragraph("Read: ", "nothing", width) + &nothing_read(&evidence.unread, width);
    }
    let mut text = paragraph("Read: ", &contents.join(", "), width);
    for connection in &evidence.connections {
        let told = format!("({}): {}", connection.place, connection_summary(connection));
        text += &paragraph(&format!("  {} ", connection.name), &told, width);
    }
    for table in &evidence.tables {
        text += &paragraph(&format!("  Table ({}): ", table.place), &table.columns.join(" | "), width);
        table.rows.iter().for_each(|row| text += &paragraph("    ", &row.join(" | "), width));
    }
    text + &unread(&evidence.unread, width)
}

fn connection_summary(connection: &Connection) -> String {
    let mut parts = vec![];
    let mut part = |name: &str, value: Option<String>| parts.extend(value.map(|value| format!("{name} {value}")));
    part("goodput", connection.goodput.map(rate));
    part("congestion control", connection.congestion.clone());
    part("retransmitted", connection.retransmitted.map(count));
    part("ECN", connection.ecn_detail.as_ref().and_then(ecn).map(str::to_owned));
    part("marked", connection.marked.filter(|marked| *marked > 0.0).map(share));
    part("min RTT", connection.rtt_min.or(connection.rtt_base).map(time));
    part("max cwnd", connection.points.iter().filter_map(|point| point.cwnd).reduce(f64::max).map(bytes));
    part("samples", (connection.points.len() > 1).then(|| connection.points.len().to_string()));
    parts.join(", ")
}

/// Returns the outcome of ECN, if an end asked for it.
fn ecn(ecn: &Ecn) -> Option<&'static str> {
    match (ecn.agreed?, ecn.asked) {
        (Feedback::Accurate, _) => Some("AccECN"),
        (Feedback::Classic, _) => Some("classic"),
        (Feedback::None, None | Some(Feedback::None)) => None,
        (Feedback::None, _) => Some(if ecn.withdrawn { "given up" } else { "refused" }),
    }
}
