//! Writes a recording like the lab's from the reports of both ends of a trial's flows.
//!
//! Times are ns of the connecting host's clock since the order. The listening end counts from the first line that it
//! reads. That line left when connect(2) returned and took half of the handshake's round trip, if both directions are
//! alike: times of that end are wrong by no more than that.

use super::Budget;
use crate::login::agent::{self, End, FlowLoad, Look};
use base::folder::Folder;
use plan::recording::{Fills, Recorder, RecordingError};
use plan::{Flow, Scene, Teller, Traffic, Until};
use std::time::Duration;
use wire::{Message, Readback, frame};

/// Returns the shortest duration of a scene's flows, as far as it is specified.
pub fn length(scene: &Scene) -> Duration {
    let end = |flow: &Flow| match flow.until {
        Until::Duration(time) => flow.start + time,
        Until::Bytes(_) | Until::Exchanges(_) | Until::Exit => flow.start,
    };
    Duration::from_nanos(scene.flows.iter().map(end).max().unwrap_or(0))
}

/// Returns the longest duration of flows.
pub fn longest(loads: &[FlowLoad]) -> Duration {
    let end = |load: &FlowLoad| match load.until {
        agent::Until::Time(time) => load.start + time,
        agent::Until::Bytes(_) => load.start + load.limit,
    };
    loads.iter().map(end).max().unwrap_or_default()
}

/// Returns the flows of a scene for agents, with `connecting` as the connecting host, within the rest of a budget.
pub fn loads(scene: &Scene, connecting: &str, budget: Budget, max_rate: Option<u64>) -> Vec<FlowLoad> {
    let flows = scene.flows.len().max(1) as u64;
    let load = |(number, flow): (usize, &Flow)| {
        let Traffic::Bulk { tcp, send_rate, .. } = &flow.traffic else { return None };
        Some(FlowLoad {
            number: number as u32,
            start: Duration::from_nanos(flow.start),
            forward: flow.from == connecting,
            until: match flow.until {
                Until::Duration(time) => agent::Until::Time(Duration::from_nanos(time)),
                Until::Bytes(bytes) | Until::Exchanges(bytes) => agent::Until::Bytes(bytes),
                Until::Exit => return None,
            },
            limit: Duration::from_nanos(scene.record.limit).min(budget.time),
            most: budget.bytes / flows,
            congestion: tcp.congestion.clone(),
            mss: tcp.mss,
            send_buffer: tcp.send_buffer,
            receive_buffer: tcp.receive_buffer,
            rate: [*send_rate, max_rate.map(|rate| rate / flows)].into_iter().flatten().min(),
            sample: Duration::from_nanos(scene.record.interval).max(LEAST_SAMPLE),
        })
    };
    scene.flows.iter().enumerate().filter_map(load).collect()
}

/// Shortest sampling interval on hosts that others use.
const LEAST_SAMPLE: Duration = Duration::from_millis(1);

/// Returns SO_RCVBUF of the listening socket.
pub fn listening_buffer(loads: &[FlowLoad]) -> Option<u32> {
    loads.iter().find(|load| load.forward).and_then(|load| load.receive_buffer)
}

/// Describes a flow in words.
pub fn words(load: &FlowLoad) -> String {
    let until = match load.until {
        agent::Until::Time(time) => format!("{} s", time.as_secs_f64()),
        agent::Until::Bytes(bytes) => format!("{bytes} bytes"),
    };
    let options = [
        load.congestion.clone().map(|name| format!("TCP_CONGESTION {name}")),
        load.mss.map(|mss| format!("TCP_MAXSEG {mss}")),
        load.send_buffer.map(|bytes| format!("SO_SNDBUF {bytes}")),
        load.receive_buffer.map(|bytes| format!("SO_RCVBUF {bytes}")),
        load.rate.map(|rate| format!("at most {rate} bit/s")),
    ];
    let options: Vec<String> = options.into_iter().flatten().collect();
    let options = if options.is_empty() { String::new() } else { format!(", {}", options.join(", ")) };
    format!("flow {} sends for {until} from {} s on{options}", load.number, load.start.as_secs_f64())
}

/// A flow with both its ends on one clock.
struct Seen<'e> {
    load: &'e FlowLoad,
    /// Sending and receiving end, each with the offset of its times.
    ends: [Option<(&'e End, u64)>; 2],
    started: u64,
    ended: u64,
    broken: Option<String>,
}

impl<'e> Seen<'e> {
    fn new(load: &'e FlowLoad, ends: &'e [Vec<End>; 2]) -> Seen<'e> {
        let find = |side: usize| ends[side].iter().find(|end| end.number == load.number);
        let (near, far) = (find(0), find(1));
        let [began, connected] = near.map_or([0; 2], |near| near.connecting);
        let ahead = connected + connected.saturating_sub(began) / 2;
        let (near, far) = (near.map(|end| (end, 0)), far.map(|end| (end, ahead)));
        let ends = if load.forward { [near, far] } else { [far, near] };
        let started = if load.forward { began } else { ahead };
        let over = |end: Option<(&End, u64)>| end.map_or(started, |(end, ahead)| end.ended + ahead);
        let broken = ends.iter().flatten().find_map(|(end, _)| end.broken.clone());
        let ended = match load.until {
            agent::Until::Time(time) if broken.is_none() => started + time.as_nanos() as u64,
            agent::Until::Time(time) => over(ends[0]).min(started + time.as_nanos() as u64),
            agent::Until::Bytes(_) => over(ends[1]),
        };
        let lacks = ends.iter().any(Option::is_none).then(|| "one end of it was not heard of".to_owned());
        Seen { load, ends, started, ended, broken: broken.or(lacks) }
    }

    /// Returns the samples of both ends while it lasted: time, end, and sample.
    fn looks(&self) -> impl Iterator<Item = (u64, u32, &'e Look)> {
        let ended = self.ended;
        self.ends.iter().zip(0..).filter_map(|(end, number)| Some(((*end)?, number))).flat_map(
            move |((end, ahead), number)| {
                let timed = end.looks.iter().map(move |look| (look.time + ahead, number, look));
                timed.filter(move |(time, ..)| *time <= ended)
            },
        )
    }

    fn readbacks(&self) -> Vec<Readback> {
        let place = format!("flow {}", self.load.number);
        let back = |setting: &str, asked: String, got: String| Readback {
            place: place.clone(),
            setting: setting.into(),
            asked,
            got,
        };
        let [sender, receiver] = self.ends.map(|end| end.and_then(|(end, _)| Some((end, end.looks.last()?))));
        let load = self.load;
        [
            load.congestion
                .clone()
                .zip(sender)
                .map(|(asked, (end, _))| back("TCP_CONGESTION", asked, end.congestion.clone())),
            load.send_buffer.zip(sender).filter(|(_, (_, last))| last.memory[0] > 0).map(|(asked, (_, last))| {
                back("SO_SNDBUF", (2 * u64::from(asked)).to_string(), last.memory[0].to_string())
            }),
            load.receive_buffer.zip(receiver).filter(|(_, (_, last))| last.memory[2] > 0).map(|(asked, (_, last))| {
                back("SO_RCVBUF", (2 * u64::from(asked)).to_string(), last.memory[2].to_string())
            }),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// Writes the recording of a trial; `release` is that of the sending kernel.
pub fn write(
    folder: &Folder,
    loads: &[FlowLoad],
    ends: &[Vec<End>; 2],
    release: &str,
    teller: Teller,
) -> Result<(), RecordingError> {
    let seen: Vec<Seen> = loads.iter().map(|load| Seen::new(load, ends)).collect();
    let mut samples: Vec<(u64, u32, u32, &Look)> = seen
        .iter()
        .flat_map(|flow| flow.looks().map(|(time, end, look)| (time, flow.load.number, end, look)))
        .collect();
    samples.sort_by_key(|(time, flow, end, _)| (*time, *flow, *end));
    // The kernels of the two ends may fill different lengths.
    let filled = samples.iter().map(|(.., look)| look.info.len() / 2).min().unwrap_or(0);
    let numbers = loads.iter().filter(|_| teller == Teller::Iperf3).map(|load| load.number);
    let partial = numbers.flat_map(|flow| [([flow, 0], Fills::Iperf3Sent), ([flow, 1], Fills::Iperf3Received)]);
    let mut recorder = Recorder::new(folder).with_partial(partial.collect());
    // A host's HZ is not queried.
    let hello = [&wire::PROTOCOL.to_le_bytes()[..], &0u32.to_le_bytes(), release.as_bytes()].concat();
    recorder.take(frame::HELLO, &hello)?;
    let tell = |recorder: &mut Recorder, message: &Message| {
        recorder.take(frame::MESSAGE, &serde_json::to_vec(message).expect("plain data")).map(drop)
    };
    tell(&mut recorder, &Message::Readbacks(seen.iter().flat_map(Seen::readbacks).collect()))?;
    for (time, flow, end, look) in samples {
        let head = [flow, end].into_iter().chain(look.memory).flat_map(u32::to_le_bytes);
        let info = look.info();
        let record: Vec<u8> =
            time.to_le_bytes().into_iter().chain(head).chain(info[..filled].iter().copied()).collect();
        recorder.take(frame::SAMPLE, &record)?;
    }
    for flow in &seen {
        let (number, started, ended) = (flow.load.number, flow.started, flow.ended);
        tell(&mut recorder, &Message::Started { flow: number, time: started })?;
        tell(
            &mut recorder,
            &match flow.broken.clone() {
                None => Message::Ended { flow: number, time: ended },
                Some(why) => Message::Broken { flow: number, time: ended, why },
            },
        )?;
    }
    tell(&mut recorder, &Message::Done)?;
    recorder.finish().map(drop)
}
