//! Makes flows by the iperf3 of both hosts, if goodput's agent cannot run or is not wanted: a server, a client and a
//! TCP port for each flow, from the given port on.
//!
//! iperf3 reports tenths of seconds since its test began, but not that start. A flow is placed at its planned start.

use crate::login::agent::checked_ends;
use crate::login::agent::{End, FlowLoad, Look, Until};
use crate::login::{Bound, FieldError, Reason, Shell};
use crate::probe::iperf::{Version, patience};
use base::interrupt::interrupted;
use evidence::plain::quoted;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::process::{Child, ChildStdin};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Shortest interval of iperf3, s (MIN_INTERVAL, src/iperf.h).
pub const INTERVAL: Duration = Duration::from_millis(100);

/// Time that iperf3 may take beyond its flow, and to start listening.
const START_TIMEOUT: Duration = Duration::from_secs(20);

/// Interval between checks of a process.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Time for the output of an iperf3 that has ended to arrive.
const OUTPUT_TIMEOUT: Duration = Duration::from_secs(5);

/// Returns the largest document of a flow, which has a record for each interval, and one of the streams' sum.
fn bound(flow: &FlowLoad) -> Bound {
    let length = match flow.until {
        Until::Time(time) => time,
        Until::Bytes(_) => flow.limit,
    };
    Bound::for_counts(0, (2 * (length + START_TIMEOUT).as_millis() / INTERVAL.as_millis()) as usize)
}

/// Share of its byte limit from which a flow was cut by that limit.
const CUT: f64 = 0.98;

/// An iperf3 running on a host. It ends with its input, so with the ssh connection.
struct Running {
    process: Child,
    input: Option<ChildStdin>,
    output: Option<JoinHandle<String>>,
}

impl Running {
    fn start(shell: &Shell, command: &str, bound: Bound) -> Result<Running, FieldError> {
        let mut process = shell.spawn(&["sh", "-s"])?;
        let script = format!(
            "{{ exec 3<&0; {command} </dev/null 2>&1 & own=$!; (cat <&3; kill $own) >/dev/null 2>&1 & other=$!\n\
             wait $own; kill $other 2>/dev/null; exit 0; }}\n"
        );
        let mut input = process.stdin.take();
        // A process that reads nothing has ended, which is detected below.
        let _ = input.as_mut().map(|input| input.write_all(script.as_bytes()).and_then(|()| input.flush()));
        let output = process.stdout.take().map(|from| {
            thread::spawn(move || {
                let mut bytes = vec![];
                let _ = from.take(bound.bytes as u64 + 1).read_to_end(&mut bytes);
                if bound.admits(&bytes) { String::from_utf8_lossy(&bytes).into_owned() } else { String::new() }
            })
        });
        Ok(Running { process, input, output })
    }

    fn has_ended(&mut self) -> bool {
        !matches!(self.process.try_wait(), Ok(None))
    }

    /// Returns its output, once it has ended; nothing if that is more than such a flow has, or does not end.
    fn printed(&mut self) -> String {
        drop(self.input.take());
        let Some(reader) = self.output.take() else { return String::new() };
        let until = Instant::now() + OUTPUT_TIMEOUT;
        while !reader.is_finished() && Instant::now() < until {
            thread::sleep(POLL_INTERVAL);
        }
        if reader.is_finished() { reader.join().unwrap_or_default() } else { String::new() }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Makes flows, and returns the reports of their ends: the connecting host's, then the listening one's.
pub fn flows(
    shells: &[Shell; 2],
    version: Version,
    listening: SocketAddr,
    flows: &[FlowLoad],
    length: Duration,
) -> Result<[Vec<End>; 2], FieldError> {
    let ports = flows.iter().map(|flow| port(shells, listening, flow)).collect::<Result<Vec<u16>, _>>()?;
    let mut servers = flows
        .iter()
        .zip(&ports)
        .map(|(flow, port)| Running::start(&shells[1], &server(*port), bound(flow)))
        .collect::<Result<Vec<_>, _>>()?;
    listen(&shells[1], &ports)?;
    let began = Instant::now();
    let mut clients: Vec<Running> = vec![];
    let mut order: Vec<(&FlowLoad, u16)> = flows.iter().zip(ports).collect();
    order.sort_by_key(|(flow, _)| flow.start);
    for (flow, port) in &order {
        while began.elapsed() < flow.start {
            thread::sleep(POLL_INTERVAL.min(flow.start.saturating_sub(began.elapsed())));
            stop()?;
        }
        let command = client(version, SocketAddr::new(listening.ip(), *port), flow);
        clients.push(Running::start(&shells[0], &command, bound(flow))?);
    }
    let all = |running: &mut [Running]| running.iter_mut().all(Running::has_ended);
    while !all(&mut clients) && began.elapsed() < length + START_TIMEOUT {
        stop()?;
        thread::sleep(POLL_INTERVAL);
    }
    let told = Instant::now();
    while !all(&mut servers) && told.elapsed() < INTERVAL * 10 {
        thread::sleep(POLL_INTERVAL);
    }
    // A server whose client never came ends now.
    servers.iter_mut().for_each(|server| drop(server.input.take()));
    let mut ends = [vec![], vec![]];
    for ((flow, _), client) in order.iter().zip(&mut clients) {
        ends[0].push(end(flow, true, &client.printed()));
    }
    for (flow, server) in flows.iter().zip(&mut servers) {
        ends[1].push(end(flow, false, &server.printed()));
    }
    let [near, far] = ends;
    let lied = |n: usize| {
        let (target, doing) = (shells[n].target().clone(), "iperf3".to_owned());
        move |said| FieldError::Refused { target, doing, said }
    };
    Ok([checked_ends(near, flows).map_err(lied(0))?, checked_ends(far, flows).map_err(lied(1))?])
}

fn stop() -> Result<(), FieldError> {
    if interrupted() { Err(FieldError::Interrupted) } else { Ok(()) }
}

fn port(shells: &[Shell; 2], listening: SocketAddr, flow: &FlowLoad) -> Result<u16, FieldError> {
    let port = u16::try_from(flow.number).ok().and_then(|number| listening.port().checked_add(number));
    port.ok_or_else(|| {
        let said = format!(
            "iperf3 needs a port for each flow, and there is none for flow {}\n\nhint: pass a lower --port",
            flow.number
        );
        let (target, doing) = (shells[1].target().clone(), "listening".into());
        FieldError::Refused { target, doing, said: Reason::Own(said) }
    })
}

/// Waits until all servers listen.
fn listen(shell: &Shell, ports: &[u16]) -> Result<(), FieldError> {
    let ports: Vec<String> = ports.iter().map(u16::to_string).collect();
    let script = format!(
        "for port in {}; do i=0; until (ss -tln; netstat -an) 2>/dev/null | grep -q \"[.:]$port \"; do i=$((i+1)); \
         [ $i -lt 50 ] || {{ echo $port; exit 1; }}; sleep 0.1; done; done",
        ports.join(" ")
    );
    let ran = shell.run(&script)?;
    match ran.status {
        0 => Ok(()),
        _ => {
            let own = ports.iter().find(|port| *port == ran.stdout.trim());
            let port = own.map_or("one of its TCP ports".into(), |port| format!("TCP port {port}"));
            let said = format!(
                "iperf3 cannot listen on {port}: is it another program's?\n\nhint: pass a free one with --port"
            );
            let (target, doing) = (shell.target().clone(), "listening".into());
            Err(FieldError::Refused { target, doing, said: Reason::Own(said) })
        }
    }
}

/// Returns the command of a server.
pub fn server(port: u16) -> String {
    format!("iperf3 -s -1 -J -i {} -p {port}", INTERVAL.as_secs_f64())
}

/// Returns the command of a client. `-b` also enforces the byte limit: flows that reach it are discarded.
pub fn client(version: Version, to: SocketAddr, flow: &FlowLoad) -> String {
    let (until, most) = match flow.until {
        Until::Time(time) => {
            let seconds = time.as_secs().max(1);
            (format!("-t {seconds}"), Some(flow.most.saturating_mul(8) / seconds))
        }
        Until::Bytes(bytes) => (format!("-n {}", bytes.min(flow.most)), None),
    };
    let options = [
        (!flow.forward).then(|| "-R".to_owned()),
        flow.congestion.as_ref().map(|name| format!("-C {}", quoted(name))),
        flow.mss.map(|mss| format!("-M {mss}")),
        flow.send_buffer.or(flow.receive_buffer).map(|bytes| format!("-w {bytes}")),
        flow.rate.into_iter().chain(most.filter(|rate| *rate < HIGHEST)).min().map(|rate| format!("-b {rate}")),
    ];
    let options: String = options.into_iter().flatten().map(|option| format!(" {option}")).collect();
    format!(
        "iperf3 -c {} -p {} {until} -i {}{} -J{options}",
        to.ip(),
        to.port(),
        INTERVAL.as_secs_f64(),
        patience(version)
    )
}

/// Rate limit from which it is omitted because no host reaches it, bit/s.
const HIGHEST: u64 = 1_000_000_000_000;

/// Reads an end of a flow from its iperf3's output.
fn end(flow: &FlowLoad, is_near: bool, printed: &str) -> End {
    let sends = flow.forward == is_near;
    let start = nanoseconds(flow.start.as_secs_f64());
    let offset = if is_near { start } else { 0 };
    let none = End { number: flow.number, sends, ended: offset, ..End::default() };
    let none = if is_near { End { connecting: [start; 2], ..none } } else { none };
    let document: Value = match serde_json::from_str(printed.trim()) {
        Ok(document) => document,
        Err(_) => {
            let last = printed.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("iperf3 printed nothing");
            return End { broken: Some(last.trim().to_owned()), ..none };
        }
    };
    if let Some(error) = document["error"].as_str() {
        return End { broken: Some(format!("iperf3: {error}")), ..none };
    }
    let told = Told { document: &document, sends };
    let mut looks = told.looks(if let Until::Time(time) = flow.until { Some(time.as_secs_f64()) } else { None });
    looks.iter_mut().for_each(|look| look.time += offset);
    let bytes = document["end"][if sends { "sum_sent" } else { "sum_received" }]["bytes"].as_u64().unwrap_or(0);
    let is_timed = matches!(flow.until, Until::Time(_));
    End {
        ended: looks.last().map_or(offset, |look| look.time),
        bytes,
        was_cut: sends && is_timed && bytes as f64 >= CUT * flow.most as f64,
        // iperf3 fails if it cannot set the congestion control.
        congestion: told.congestion().or(flow.congestion.clone()).unwrap_or_default(),
        looks,
        ..none
    }
}

fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9).round() as u64
}

/// The output of an iperf3 about its end.
struct Told<'d> {
    document: &'d Value,
    sends: bool,
}

impl Told<'_> {
    fn congestion(&self) -> Option<String> {
        let key = if self.sends { "sender_tcp_congestion" } else { "receiver_tcp_congestion" };
        Some(self.document["end"][key].as_str()?.to_owned())
    }

    /// Returns the payload of a full segment, bytes; with -M iperf3 prints the requested value, which includes options
    /// of the header.
    fn mss(&self) -> u64 {
        let start = &self.document["start"];
        let found =
            ["tcp_mss", "tcp_mss_default"].into_iter().find_map(|key| start[key].as_u64().filter(|mss| *mss > 0));
        found.unwrap_or(1448)
    }

    /// Returns the final buffers on Linux; other systems count differently.
    fn memory(&self) -> [u32; 4] {
        let start = &self.document["start"];
        let is_linux = start["system_info"].as_str().is_some_and(|system| system.starts_with("Linux"));
        let was_asked = start["sock_bufsize"].as_u64().is_some_and(|bytes| bytes > 0);
        let bytes = |key: &str| start[key].as_u64().filter(|_| is_linux && was_asked).map_or(0, |bytes| bytes as u32);
        [bytes("sndbuf_actual"), 0, bytes("rcvbuf_actual"), 0]
    }

    /// Returns its samples at the end of each interval, the last one at the end of the flow.
    fn looks(&self, end: Option<f64>) -> Vec<Look> {
        let (mss, memory) = (self.mss(), self.memory());
        let (mut before, mut total, mut resent) = (0.0, 0.0, 0);
        let mut looks = vec![];
        for interval in self.document["intervals"].as_array().into_iter().flatten() {
            let stream = &interval["streams"][0];
            let (Some(until), Some(bytes)) = (stream["end"].as_f64(), stream["bytes"].as_f64()) else { continue };
            resent += stream["retransmits"].as_u64().unwrap_or(0);
            // An interval beyond the flow counts in proportion.
            let share =
                end.filter(|end| until > *end).map_or(1.0, |end| ((end - before) / (until - before)).clamp(0.0, 1.0));
            total += bytes * share;
            let time = nanoseconds(end.map_or(until, |end| until.min(end)));
            let fields = match self.sends {
                true => vec![
                    ("snd_mss", mss),
                    ("rtt", stream["rtt"].as_u64().unwrap_or(0)),
                    ("snd_cwnd", stream["snd_cwnd"].as_u64().unwrap_or(0) / mss),
                    ("total_retrans", resent),
                ],
                false => vec![("bytes_received", total.round() as u64)],
            };
            looks.push(Look::of_info(time, memory, &info(&fields)));
            before = until;
            if share < 1.0 {
                break;
            }
        }
        looks
    }
}

/// Returns a `struct tcp_info` with these fields, and 0 in all others.
fn info(fields: &[(&str, u64)]) -> Vec<u8> {
    let mut bytes = vec![];
    for column in wire::TCP_INFO {
        let value = fields.iter().find(|(name, _)| *name == column.name).map_or(0, |(_, value)| *value);
        bytes.extend(&value.to_le_bytes()[..column.kind.width()]);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(until: Until) -> FlowLoad {
        FlowLoad {
            number: 0,
            start: Duration::from_millis(500),
            forward: true,
            until,
            limit: Duration::from_secs(9),
            most: 1_000_000_000,
            congestion: Some("cubic".into()),
            mss: None,
            send_buffer: None,
            receive_buffer: None,
            rate: Some(8_000_000),
            sample: INTERVAL,
        }
    }

    fn field(look: &Look, name: &str) -> u64 {
        let before = wire::TCP_INFO.iter().take_while(|column| column.name != name).map(|column| column.kind.width());
        let at: usize = before.sum();
        u64::from(u32::from_le_bytes(look.info()[at..at + 4].try_into().unwrap()))
    }

    /// iperf3 3.1.3 has no rttvar, pmtu, buffers or congestion control; figures by hand.
    #[test]
    fn a_sender_of_3_1_is_read() {
        let document = r#"{"start": {"version": "iperf 3.1.3", "system_info": "Linux a", "tcp_mss_default": 1000},
            "intervals": [
                {"streams": [{"start": 0, "end": 0.1, "bytes": 500, "retransmits": 2, "snd_cwnd": 30000, "rtt": 700}]},
                {"streams": [{"start": 0.1, "end": 1.1, "bytes": 5000, "retransmits": 1, "snd_cwnd": 20000, "rtt": 900}]}],
            "end": {"sum_sent": {"bytes": 5500}, "sum_received": {"bytes": 5400}}}"#;
        let found = end(&flow(Until::Time(Duration::from_secs(1))), true, document);
        assert_eq!((found.bytes, found.was_cut, found.broken), (5500, false, None));
        assert_eq!(found.congestion, "cubic");
        let seen: Vec<[u64; 4]> = found
            .looks
            .iter()
            .map(|look| [look.time, field(look, "snd_cwnd"), field(look, "rtt"), field(look, "total_retrans")])
            .collect();
        assert_eq!(seen, [[600_000_000, 30, 700, 2], [1_500_000_000, 20, 900, 3]]);
    }

    /// An interval that extends beyond the flow counts for the part within it: 0.9 of it.
    #[test]
    fn received_bytes_end_with_the_flow() {
        let document = r#"{"start": {}, "intervals": [{"streams": [{"end": 0.1, "bytes": 100}]},
            {"streams": [{"end": 1.1, "bytes": 1000}]}], "end": {"sum_received": {"bytes": 1100}}}"#;
        let found = end(&flow(Until::Time(Duration::from_secs(1))), false, document);
        let got: Vec<(u64, u64)> = found.looks.iter().map(|look| (look.time, field(look, "bytes_received"))).collect();
        assert_eq!(got, [(100_000_000, 100), (1_000_000_000, 1000)]);
    }

    #[test]
    fn failures_are_quoted_from_iperf3() {
        let told = |text: &str| end(&flow(Until::Bytes(5)), true, text).broken.unwrap();
        assert_eq!(
            told(r#"{"error": "unable to set congestion control"}"#),
            "iperf3: unable to set congestion control"
        );
        assert_eq!(told("sh: iperf3: not found\n"), "sh: iperf3: not found");
        assert_eq!(told(""), "iperf3 printed nothing");
    }

    #[test]
    fn an_old_client_is_asked_for_what_it_knows() {
        let to = "192.0.2.1:5201".parse().unwrap();
        let of = |version| client(version, to, &flow(Until::Time(Duration::from_secs(2))));
        assert_eq!(of([3, 1]), "iperf3 -c 192.0.2.1 -p 5201 -t 2 -i 0.1 -J -C cubic -b 8000000");
        assert!(of([3, 20]).contains(" --connect-timeout 5000 -J"));
    }
}
