//! Reads results of M-Lab's NDT (ndt7): JSON with the server's `tcp_info` over time.
//!
//! Times and limits are microseconds, cwnd and data in flight packets, the receive window bytes. In an upload the
//! server receives: the limits of its own socket say nothing about the client's.

use crate::import::Page;
use crate::{Connection, Evidence, Limits, Place, Point, Seen, Source, Window};
use serde_json::{Deserializer, Value};

/// Bytes at the start of a document in which its key is searched.
const HEAD_BYTES: usize = 4096;
const NDT_KEY: &str = "\"ServerMeasurements\"";

/// TCP_INFINITE_SSTHRESH of `include/net/tcp.h`: no loss yet.
const NO_THRESHOLD: f64 = 2_147_483_647.0;

/// TCPI_OPT_SACK, TCPI_OPT_WSCALE and TCPI_OPT_ECN of `include/uapi/linux/tcp.h`.
const SACK: u64 = 2;
const WSCALE: u64 = 4;
const ECN: u64 = 8;

/// Claims documents, and adds a connection for each of their tests.
pub fn read(page: &mut Page<'_>, evidence: &mut Evidence) {
    if !page.unclaimed().any(|(_, line)| line.contains(NDT_KEY)) {
        return;
    }
    let lines: Vec<&str> = page.lines.iter().map(|line| line.text).collect();
    let text = lines.join("\n");
    let mut starts = vec![0];
    starts.extend(lines.iter().scan(0, |at, line| {
        *at += line.len() + 1;
        Some(*at)
    }));
    let mut from = 0;
    while let Some(index) = (from..lines.len()).find(|index| !page.lines[*index].claimed) {
        from = index + 1;
        let rest = &text[starts[index]..];
        if !lines[index].trim_start().starts_with('{') || !is_result(rest) {
            continue;
        }
        let mut documents = Deserializer::from_str(rest).into_iter::<Value>();
        match documents.next() {
            Some(Ok(document)) => {
                let end = starts[index] + documents.byte_offset();
                from = starts.partition_point(|start| *start < end);
                let found = tests(&document, &page.place(index));
                if found.is_empty() {
                    page.wrong(index, "a result of NDT without tcp_info");
                }
                let group = evidence.next_group();
                evidence.connections.extend(found.into_iter().map(|found| Connection { group, ..found }));
                (index..from).for_each(|line| page.claim(line));
            }
            Some(Err(error)) => page.wrong(index, format!("a result of NDT that is no JSON: {error}")),
            None => {}
        }
    }
}

fn is_result(document: &str) -> bool {
    let head = &document.as_bytes()[..document.len().min(HEAD_BYTES)];
    head.windows(NDT_KEY.len()).any(|window| window == NDT_KEY.as_bytes())
}

/// Returns the tests of a document that have a measurement.
fn tests(document: &Value, place: &Place) -> Vec<Connection> {
    let end = |address: &str, port: &str| {
        let address = document[address].as_str().unwrap_or("?");
        let address = if address.contains(':') { format!("[{address}]") } else { address.to_owned() };
        match document[port].as_u64() {
            Some(port) => format!("{address}:{port}"),
            None => address,
        }
    };
    let (server, client) = (end("ServerIP", "ServerPort"), end("ClientIP", "ClientPort"));
    let one = |key: &str, seen: Seen| {
        let measured = document[key]["ServerMeasurements"].as_array()?;
        let series: Vec<&Value> =
            measured.iter().map(|one| &one["TCPInfo"]).filter(|info| time(info).is_some()).collect();
        let name = match seen {
            Seen::Sender => format!("{server} > {client}"),
            _ => format!("{client} > {server}"),
        };
        let mut connection = with_snapshots(&series, Connection::new(place.clone(), Source::Ndt, name, seen))?;
        // The kernel reports BBR's estimates only for sockets that run BBR.
        let estimates = |one: &Value| ["BW", "MaxBandwidth"].iter().any(|key| number(&one["BBRInfo"], key) > Some(0.0));
        if seen == Seen::Sender && measured.iter().any(estimates) {
            connection.congestion = Some("bbr".into());
        }
        Some(connection)
    };
    [one("Download", Seen::Sender), one("Upload", Seen::Receiver)].into_iter().flatten().collect()
}

fn number(info: &Value, key: &str) -> Option<f64> {
    info[key].as_f64()
}

fn seconds(info: &Value, key: &str) -> Option<f64> {
    number(info, key).filter(|us| *us > 0.0).map(|us| us / 1e6)
}

/// Returns seconds since the connection was opened.
fn time(info: &Value) -> Option<f64> {
    seconds(info, "ElapsedTime")
}

/// Fills in a connection from its series of snapshots; `None` if there are none.
fn with_snapshots(series: &[&Value], mut connection: Connection) -> Option<Connection> {
    let last = *series.last()?;
    let sends = connection.seen == Seen::Sender;
    let end = time(last)?;
    let count = |key: &str| number(last, key);
    let option = |bit: u64| last["Options"].as_u64().map(|options| options & bit != 0);
    connection.span = Some([0.0, end]);
    connection.bytes = bytes(last, sends);
    connection.goodput = connection.bytes.map(|bytes| bytes * 8.0 / end);
    connection.rtt_min = seconds(last, "MinRTT");
    (connection.sack, connection.scaled, connection.ecn) = (option(SACK), option(WSCALE), option(ECN));
    if sends {
        connection.mss = count("SndMSS").filter(|mss| *mss > 0.0);
        connection.pmtu = count("PMTU").filter(|mtu| *mtu > 0.0);
        connection.segments_sent = count("DataSegsOut");
        connection.retransmitted = count("TotalRetrans");
        connection.spurious = count("DSackDups");
        connection.reordered = count("ReordSeen");
        let marked = || Some(count("DeliveredCE")? / count("Delivered").filter(|delivered| *delivered > 0.0)?);
        connection.marked = connection.ecn.filter(|ecn| *ecn).and_then(|_| marked());
        connection.limits = Limits::from_spent(LIMITS.map(count), end * 1e6);
        let windows = || series.iter().filter_map(|info| number(info, "SndWnd"));
        let zeros = windows().zip(windows().skip(1)).filter(|(before, after)| *before > 0.0 && *after == 0.0).count();
        let largest = windows().reduce(f64::max).filter(|largest| *largest > 0.0);
        connection.window = largest.map(|largest| Window { largest, zeros: zeros as u64 });
    } else {
        connection.mss = count("RcvMSS").filter(|mss| *mss > 0.0);
        connection.out_of_order =
            count("RcvOooPack").zip(count("DataSegsIn")).filter(|(_, all)| *all > 0.0).map(|(late, all)| late / all);
    }
    connection.points = points(series, sends);
    Some(connection)
}

/// Microseconds for which data was outstanding, and for which each limit applied.
const LIMITS: [&str; 3] = ["BusyTime", "RWndLimited", "SndBufLimited"];

fn bytes(info: &Value, sends: bool) -> Option<f64> {
    number(info, if sends { "BytesAcked" } else { "BytesReceived" })
}

/// Returns received segments without payload.
fn acks(info: &Value) -> Option<f64> {
    Some(number(info, "SegsIn")? - number(info, "DataSegsIn")?)
}

/// Returns a point for each snapshot that is later than the one before.
fn points(series: &[&Value], sends: bool) -> Vec<Point> {
    let mut points: Vec<Point> = vec![];
    let mut before: Option<&Value> = None;
    for info in series {
        let Some(time) = time(info).filter(|time| points.last().is_none_or(|last| *time > last.time)) else { continue };
        let grown = |now: Option<f64>, then: &dyn Fn(&Value) -> Option<f64>| {
            Some((now? - before.map_or(Some(0.0), then)?).max(0.0))
        };
        let received = Point {
            time,
            bytes: grown(bytes(info, sends), &|then| bytes(then, sends)),
            srtt: seconds(info, "RcvRTT"),
            ..Point::default()
        };
        let mss = number(info, "SndMSS");
        let counted = |key: &str| grown(number(info, key), &|then| number(then, key));
        let step = time - before.and_then(self::time).unwrap_or(0.0);
        let packets = |key: &str| Some(number(info, key)? * mss?);
        points.push(match sends {
            false => received,
            true => Point {
                retransmitted: counted("TotalRetrans"),
                delivered: counted("Delivered"),
                marked: counted("DeliveredCE"),
                limits: Limits::from_spent(LIMITS.map(counted), step * 1e6),
                acks: grown(acks(info), &acks),
                cwnd: packets("SndCwnd"),
                ssthresh: packets("SndSsThresh").filter(|_| number(info, "SndSsThresh") < Some(NO_THRESHOLD)),
                srtt: seconds(info, "RTT"),
                rttvar: seconds(info, "RTTVar"),
                in_flight: packets("Unacked"),
                window: number(info, "SndWnd"),
                unsent: number(info, "NotsentBytes"),
                ..received
            },
        });
        before = Some(info);
    }
    points
}
