//! Reads bcc's tcplife: a line for each connection that ended, with its payload and its life.
//!
//! Columns as the head names them; KB are 1024 bytes, MS milliseconds, a time before them optional.

use super::{decimal, whole};
use crate::import::Page;
use crate::{Connection, Evidence, Seen, Source};
use std::net::IpAddr;

/// Least payload of a connection that can say something about throughput, bytes: some tens of segments.
const MIN_PAYLOAD_BYTES: f64 = 64.0 * 1024.0;

/// Columns from the local address on; in between and before are others, as options ask.
const COLUMNS: [&str; 7] = ["LADDR", "LPORT", "RADDR", "RPORT", "TX_KB", "RX_KB", "MS"];

pub(super) fn read(page: &mut Page<'_>, evidence: &mut Evidence) {
    let mut columns = None;
    for index in 0..page.lines.len() {
        let line = page.lines[index];
        let words: Vec<&str> = line.text.split_whitespace().collect();
        if line.claimed || words.is_empty() {
            continue;
        }
        if words.ends_with(&COLUMNS) && words.contains(&"COMM") {
            columns = Some(words.len());
            page.claim(index);
        } else if let Some(row) = columns.filter(|count| words.len() >= *count).and_then(|_| row(&words)) {
            page.claim(index);
            if let Some(mut connection) = row.filter(|row| row.bytes >= MIN_PAYLOAD_BYTES).map(Row::connection) {
                connection.place = page.place(index);
                connection.group = evidence.next_group();
                evidence.connections.push(connection);
            }
        }
    }
}

struct Row {
    local: (IpAddr, u64),
    remote: (IpAddr, u64),
    sends: bool,
    bytes: f64,
    seconds: f64,
}

/// Reads a row; `None` inside for a connection without a time.
fn row(words: &[&str]) -> Option<Option<Row>> {
    let [local, local_port, remote, remote_port, sent, received, ms] = *words.last_chunk::<7>()?;
    let end = |address: &str, port: &str| Some((address.parse().ok()?, whole(port)?));
    let (sent, received, ms) = (whole(sent)?, whole(received)?, decimal(ms)?);
    let (local, remote) = (end(local, local_port)?, end(remote, remote_port)?);
    let bytes = sent.max(received) as f64 * 1024.0;
    Some((ms > 0.0).then_some(Row { local, remote, sends: sent >= received, bytes, seconds: ms / 1e3 }))
}

impl Row {
    fn connection(self) -> Connection {
        let (from, to) = if self.sends { (self.local, self.remote) } else { (self.remote, self.local) };
        let shown = |(address, port): (IpAddr, u64)| match address {
            IpAddr::V4(four) => format!("{four}:{port}"),
            IpAddr::V6(six) => format!("[{six}]:{port}"),
        };
        let seen = if self.sends { Seen::Sender } else { Seen::Receiver };
        let place = crate::Place { file: "".into(), line: 0 };
        let mut connection = Connection::new(place, Source::Tcplife, format!("{} > {}", shown(from), shown(to)), seen);
        connection.ends = Some([from.0, to.0]);
        connection.bytes = Some(self.bytes);
        connection.span = Some([0.0, self.seconds]);
        connection.goodput = Some(8.0 * self.bytes / self.seconds);
        connection
    }
}
