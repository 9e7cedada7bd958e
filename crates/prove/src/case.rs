//! The transfer to explain, taken from evidence, or the reason why it cannot be explained.

use super::diagnosed::Diagnosed;
use super::distance::largest;
use super::hosts::{at_run, receive_buffer, send_buffer};
use super::other_runs::{Measured, is_of_run};
use super::refusal::{HOW_TO_MEASURE, Refusal, refuse};
use super::sampling::{self, unprinted, with_even_intervals, with_few_intervals};
use super::scale::Scale;
use super::settings::PAYLOAD_SHARE;
use super::streams;
use super::systems::Systems;
use super::trace::{Instrument, Trace};
use base::model::{LEAST_INTERVALS, response, segment};
use base::show;
use base::stats::median;
use diagnosis::diagnose::{self, Given};
use diagnosis::remedy::lab::Key;
use evidence::headers::Ip;
use evidence::platform::Platform;
use evidence::{Connection, End, Evidence, Host, Point, Source, System};
use serde::Serialize;

/// A transfer, its path and its hosts, as far as known.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Case {
    /// Place and name of the transfer.
    pub name: String,
    /// IP version.
    pub ip: Ip,
    /// The figures that the instrument printed.
    pub seen: Trace,
    /// How the instrument sampled the transfer.
    pub instrument: Instrument,
    /// Round-trip time of the idle path, seconds.
    pub rtt: f64,
    /// Rate of the bottleneck link, bit/s, if given.
    pub rate: Option<f64>,
    /// Queue of a printed shaper at whose rate the transfer runs, packets.
    pub queue: Option<f64>,
    /// Whether the link is faster than the lab, so that `rate` is the lab's limit.
    pub faster: bool,
    /// The sender's congestion control.
    pub congestion: String,
    /// Streams at the same time (iperf3 -P).
    pub streams: usize,
    /// Rate that the program was told to keep in each stream (iperf3 -b), bit/s.
    pub target: Option<f64>,
    /// Socket buffers that the program asked for, bytes.
    pub asked: Option<f64>,
    /// The third value of the receiver's tcp_rmem, bytes, converted to the same window on the lab's kernel.
    pub rmem: Option<u64>,
    /// The third value of the sender's tcp_rmem, bytes, converted likewise.
    pub alike: Option<u64>,
    /// The third value of the sender's tcp_wmem, bytes.
    pub wmem: Option<u64>,
    /// Whether ECN was negotiated, as far as the evidence shows.
    pub ecn: bool,
    /// Why the program may have written less than TCP would have taken.
    pub idle: Option<String>,
    /// Pings sent, in series without a loss.
    pub pings: u64,
    /// Other runs, to compare predictions with.
    pub measured: Vec<Measured>,
    /// The diagnosis of the same evidence.
    pub diagnosed: Option<Diagnosed>,
    /// The systems of both ends.
    pub systems: Systems,
    /// Systems and versions for which commands are printed.
    #[serde(skip)]
    pub platforms: Vec<Platform>,
    /// Notes on evidence of more, or less, than one transfer.
    pub notes: Vec<String>,
}

/// A connection that carries less than this share of the largest is no transfer.
const MIN_BULK_SHARE: f64 = 0.01;
/// Other runs of a document that a note lists.
const MAX_OTHER_RUNS: usize = 4;
/// The fastest transfer that the lab runs within a minute, bit/s.
const MAX_LAB_RATE: f64 = 2e9;

impl Case {
    /// Takes the transfer from the evidence.
    pub fn from_evidence(evidence: &Evidence, given: Given) -> Result<Case, Refusal> {
        let bulk = bulk(evidence);
        let run = transfer(evidence, &bulk)?;
        let explained = &streams::together(&run.streams)?;
        let measured = Measured::all(evidence, explained, &run.streams, &bulk);
        let mut notes = notes_on_others(&measured, explained);
        let seen = &with_few_intervals(with_even_intervals(explained));
        if unprinted(&explained.points).is_some() {
            notes.push(
                "iperf3 did not print the last interval that -O leaves out: it is taken as those beside it.".into(),
            );
        }
        if explained.cut_off {
            notes.push(format!(
                "{} was cut off: its totals are sums over the intervals that it printed. Let a run end by itself.",
                explained.place
            ));
        }
        let pinged = pinged(seen, evidence);
        if let (Some(pinged), Some(counted), None) = (pinged, seen.rtt_min, given.rtt)
            && pinged > CONFLICT_RATIO * counted
        {
            notes.push(format!(
                "The ping took {} at least and the transfer's own RTT fell to {}: the ping is not of this path.",
                show::time(pinged),
                show::time(counted)
            ));
        }
        let ip = if is_ipv6(seen, evidence) { Ip::V6 } else { Ip::V4 };
        let systems = Systems::at_run(evidence, seen, &mut notes);
        let Some(rtt) = base_rtt(seen, evidence, given) else {
            let ask = match queued_rtt(seen) {
                Some(rtt) => format!(
                    "add --rtt with that of the idle path, or a ping taken while nothing was sent; cwnd over goodput allows \
                     at most {}",
                    show::time(rtt)
                ),
                None => "add --rtt, or a ping taken while nothing was sent".into(),
            };
            return refuse("nothing tells the round-trip time of the idle path", ask);
        };
        let instrument = sampling::instrument(seen, evidence, ip, &mut notes)?;
        let beside = evidence.connections.iter().filter(|other| other.source == Source::Ss && other.limits.is_some());
        let beside = beside.max_by(|a, b| a.bytes.unwrap_or(0.0).total_cmp(&b.bytes.unwrap_or(0.0)));
        let mut trace = Trace::of_evidence(seen, beside, &instrument);
        trace.each = each(&run.streams);
        if trace.bytes.iter().sum::<f64>() <= 0.0 {
            return refuse(format!("nothing arrived over {}, {}", seen.place, seen.name), HOW_TO_MEASURE);
        }
        if trace.received > MAX_LAB_RATE {
            let why = format!("{} is more than the laboratory can show in a minute", show::rate(trace.received));
            return refuse(why, "`goodput diagnose` has no such limit");
        }
        let shaped = diagnose::shaped_line(evidence, trace.received);
        let line = || diagnose::line_rate(seen, evidence, given).filter(|rate| !rate.from.is_bound());
        let by_shaper = shaped.map(|shaped| shaped.rate).filter(|_| given.rate.is_none());
        let diagnosis = diagnose::diagnose(evidence, given);
        let diagnosed = Diagnosed::from_diagnosis(&diagnosis);
        let is_slow = diagnosis.speed.as_ref().is_some_and(|speed| speed.slow == Some(true));
        let mut rate = by_shaper.or_else(|| Some(line()?.value));
        if let Some(expected) = rate.filter(|_| is_slow && diagnosed.as_ref().is_some_and(Diagnosed::blames_line)) {
            notes.push(format!(
                "Something on the path carries less than {}: the lab looks for its rate.",
                show::rate(expected)
            ));
            rate = None;
        }
        contradiction(seen, &trace, rtt, rate)?;
        let faster = rate.is_some_and(|rate| rate > MAX_LAB_RATE);
        if let Some(rate) = rate.filter(|_| faster) {
            notes.push(format!(
                "The line carries {}; the laboratory shows it as {}, so what a change brings is the least.",
                show::rate(rate),
                show::rate(MAX_LAB_RATE)
            ));
        }
        // Without timestamps, or with jumbo frames, a line carries more payload than the lab's.
        let needed = trace.received / PAYLOAD_SHARE;
        if let Some(rate) = rate.filter(|rate| *rate < needed) {
            notes.push(format!(
                "{} of payload take {} of line in the lab, whose segments carry {:.0} B in {:.0}: it stands for {}.",
                show::rate(trace.received),
                show::rate(needed),
                segment::FULL_SEGMENT,
                segment::FULL_FRAME,
                show::rate(rate)
            ));
        }
        let answered = |ping: &evidence::Ping| ping.sent.filter(|sent| ping.answered == Some(*sent));
        Ok(Case {
            name: format!("{}, {}", seen.place, seen.name),
            ip,
            seen: trace,
            rtt,
            rate: rate.map(|rate| rate.max(needed).min(MAX_LAB_RATE.max(needed))),
            queue: shaped.and_then(|shaped| shaped.queue),
            faster,
            congestion: control(seen, evidence, &systems),
            streams: run.count,
            target: seen.target,
            asked: seen.asked,
            rmem: at_run(evidence, seen, End::Receiver, receive_buffer),
            alike: at_run(evidence, seen, End::Sender, receive_buffer),
            wmem: at_run(evidence, seen, End::Sender, send_buffer),
            ecn: is_marked(seen, beside),
            idle: idle(seen, beside),
            pings: diagnose::pings(seen, evidence).filter_map(answered).sum(),
            measured,
            diagnosed,
            systems,
            platforms: diagnose::platforms(&evidence.hosts),
            notes,
            instrument,
        })
    }

    /// Time at which the program begins to write, seconds after the flow's start: after the handshake, and with -b when
    /// the next block is due.
    pub fn begins(&self) -> f64 {
        let due = |period: f64| (self.rtt / period).ceil() * period;
        self.target.map_or(self.rtt, |rate| due(self.instrument.block * 8.0 / rate))
    }

    /// The start of the flow that goodput omits, ns: the time that iperf3 -O omits, and the time before the program
    /// writes.
    pub fn omits(&self) -> f64 {
        ((self.begins() + self.instrument.omitted) * 1e9).round()
    }

    /// Refuses a congestion control that the lab's kernel lacks; another run's is not predicted then.
    pub fn with_controls(mut self, known: &[String]) -> Result<Case, Refusal> {
        let systems = self.systems.clone();
        let is_known = |name: &str| systems.has_control(name, known);
        if !is_known(&self.congestion) {
            let why = format!("the sender ran {}, which the lab's kernel does not have", self.congestion);
            return refuse(why, format!("run it again with one of {}", known.join(", ")));
        }
        for run in &mut self.measured {
            let control = |key: &Key| key.path == "flows.congestion" && !key.value.as_str().is_some_and(is_known);
            if run.keys.iter().flatten().any(control) {
                run.keys = None;
            }
        }
        Ok(self)
    }

    /// Says what its goodput counts: what `-O` omits is left out, and a sender's total has what is still on its way.
    pub fn figure(&self) -> String {
        let Instrument { sent, omitted, .. } = self.instrument;
        let what = if sent { "what the sender wrote" } else { "what arrived" };
        let of = if self.streams > 1 { format!(" in all {} streams", self.streams) } else { String::new() };
        let after =
            if omitted > 0.0 { format!(", without the first {} (-O)", show::time(omitted)) } else { String::new() };
        format!("{what}{of} in {}{after}", show::time(self.instrument.seconds() - omitted))
    }

    /// Whether the transfer got the rate set with -b, so that nothing on the path limits it.
    pub fn is_served(&self) -> bool {
        const SERVED_SHARE: f64 = 0.97;
        self.target.is_some_and(|target| self.seen.received > SERVED_SHARE * target * self.streams as f64)
    }

    /// Returns the system and version of an end, for its commands.
    pub fn platform(&self, end: End) -> Option<&Platform> {
        let own = self.platforms.iter().find(|platform| platform.system == self.systems.of(end));
        own.or(self.platforms.first())
    }

    /// Whether nothing was retransmitted, so that seeds hardly differ.
    pub fn is_steady(&self) -> bool {
        self.seen.retransmitted.as_ref().is_some_and(|all| all.iter().sum::<f64>() == 0.0)
    }

    /// Returns cwnd over what is in flight if BBR never left its startup: for most of the time cwnd is near its startup's
    /// gain times what is in flight, and not the two BDPs of later phases. Only samples that the sender's lack of data
    /// limits do not count there (bbr_check_full_bw_reached in net/ipv4/tcp_bbr.c), so the path was never full.
    pub fn startup_gain(&self) -> Option<f64> {
        /// Between the gains of startup, 2.89, and of later phases, 2 (bbr_high_gain, bbr_cwnd_gain).
        const MIN_STARTUP_GAIN: f64 = 2.6;
        let cwnd = self.seen.cwnd.as_ref().filter(|_| response::is_bbr(&self.congestion) && self.streams == 1)?;
        let bdp = |at: usize| (self.seen.bytes[at] / self.instrument.step * self.rtt / self.instrument.mss).max(1.0);
        let usual = median(&(1..cwnd.len()).map(|at| cwnd[at] / bdp(at)).collect::<Vec<_>>());
        (usual > MIN_STARTUP_GAIN).then_some(usual)
    }

    /// Returns the scale of distances.
    pub fn scale(&self) -> Scale {
        Scale { steady: self.is_steady(), starved: self.startup_gain().is_some(), ..self.units() }
    }

    /// Returns the same scale, assuming that seeds differ.
    pub fn units(&self) -> Scale {
        let Instrument { step, block, mss, .. } = self.instrument;
        Scale {
            rtt: self.rtt,
            streams: self.streams,
            block: sampling::block_of_all(block, self.streams),
            mss,
            step,
            steady: false,
            whole: self.instrument.first == Some(step) && !self.instrument.total,
            blocks: self.target.is_some(),
            paced: response::is_bbr(&self.congestion),
            left_out: (self.instrument.omitted / self.instrument.step).round() as usize,
            total: self.instrument.total,
            starved: false,
            lump: 0.0,
        }
    }
}

/// Returns the sender's congestion control by its name on Linux; its system's default if nothing names one.
fn control(seen: &Connection, evidence: &Evidence, systems: &Systems) -> String {
    let of_sender = || diagnose::platforms(&evidence.hosts).into_iter().find(|one| one.system == systems.sender);
    let default = || of_sender().map_or("cubic", |platform| platform.default_control()).to_owned();
    let name = diagnose::control(seen, evidence).map_or_else(default, |control| control.name);
    if systems.stack.as_deref() == Some("bbr") {
        return "bbr".into();
    }
    if name == "newreno" { "reno".into() } else { name }
}

/// Returns the connections that carry data.
fn bulk(evidence: &Evidence) -> Vec<&Connection> {
    // Skip control connections.
    let most = evidence.connections.iter().filter_map(|c| c.bytes).fold(0.0, f64::max);
    let carries = |c: &Connection| c.bytes.is_none_or(|bytes| bytes >= MIN_BULK_SHARE * most);
    // A download is one exchange.
    let is_bulk = |c: &&Connection| c.exchanges.len() <= 1 && c.goodput.is_some() && carries(c);
    let all: Vec<&Connection> = evidence.connections.iter().filter(is_bulk).collect();
    let told: Vec<&Connection> = all.iter().copied().filter(|c| c.source != Source::Ss).collect();
    match (told.is_empty(), all.is_empty()) {
        (false, _) => told,
        (true, false) => all,
        (true, true) => evidence.sums.iter().filter(|sum| sum.goodput.is_some()).collect(),
    }
}

/// The streams of the explained run.
struct Run<'e> {
    streams: Vec<&'e Connection>,
    /// How many they are; more than were printed if the listing has the sum alone.
    count: usize,
}

/// A later run with less than this share of the first one's goodput is what a document is about.
const MUCH_SLOWER_SHARE: f64 = 0.2;

/// Returns the streams of a run. If a document has several runs, it is the first, as later runs are mostly attempts at a
/// fix; but if a later one is far slower, the first shows what the path can do, and the slow one is explained.
fn transfer<'e>(evidence: &'e Evidence, bulk: &[&'e Connection]) -> Result<Run<'e>, Refusal> {
    if let Some(first) = bulk.first() {
        let of_run = |own: &Connection| -> Vec<&'e Connection> {
            bulk.iter().filter(|one| is_of_run(one, own)).copied().collect()
        };
        let goodput = |run: &[&Connection]| run.iter().filter_map(|one| one.goodput).sum::<f64>();
        let usual = goodput(&of_run(first));
        let runs = bulk.iter().map(|one| of_run(one)).filter(|run| goodput(run) < MUCH_SLOWER_SHARE * usual);
        let slower = runs.min_by(|a, b| goodput(a).total_cmp(&goodput(b)));
        let streams = slower.unwrap_or_else(|| of_run(first));
        let first = streams[0];
        let Some(count) = streams::count(evidence, &streams) else {
            let why = format!("{} prints the sum of several streams and not how many they are", first.place);
            return refuse(why, "add the command line of iperf above it, with its `-P`");
        };
        return Ok(Run { count, streams });
    }
    if let Some(sweep) = evidence.sweeps.first() {
        let why = format!("{}: a sweep over lengths has a total for each, and none went on in intervals", sweep.place);
        return refuse(
            why,
            "run `iperf3 -c HOST -t 10 -J -M BYTES` with one length inside what is slow, and ping beside it",
        );
    }
    refuse("nothing in it tells of a TCP transfer", HOW_TO_MEASURE)
}

/// Returns the goodput of each of several streams, bit/s.
fn each(streams: &[&Connection]) -> Option<Vec<f64>> {
    let all = || streams.iter().map(|one| one.goodput).collect::<Option<Vec<f64>>>();
    if streams.len() > 1 { all() } else { None }
}

/// Writes notes on the other transfers of the evidence.
fn notes_on_others(measured: &[Measured], explained: &Connection) -> Vec<String> {
    if measured.is_empty() {
        return vec![];
    }
    let runs: Vec<String> = measured.iter().take(MAX_OTHER_RUNS).map(Measured::description).collect();
    vec![
        format!("Of {} transfers one is explained, {}.", measured.len() + 1, explained.place),
        format!("What the others came to is set beside predictions for the same change: {}.", runs.join("; ")),
    ]
}

/// Figures of one path that differ by more than this ratio conflict: cwnd is sampled once an interval, and RTTs are smoothed.
const CONFLICT_RATIO: f64 = 1.5;

/// Whether the transfer ran over IPv6, according to its addresses, the command, or the pings in the same file.
fn is_ipv6(seen: &Connection, evidence: &Evidence) -> bool {
    let is_address = |word: &str| word.trim_matches(['[', ']']).parse::<std::net::Ipv6Addr>().is_ok();
    let listing = evidence.listings.iter().find(|printed| printed.place == seen.place);
    let command = listing.and_then(|printed| printed.listing.command.as_deref()).unwrap_or_default();
    let pings = evidence.pings.iter().filter(|ping| ping.place.file == seen.place.file);
    seen.ip() == Ip::V6
        || command.split_whitespace().any(|word| word == "-6" || is_address(word))
        || pings.clone().next().is_some() && pings.clone().all(|ping| ping.ip() == Ip::V6)
}

/// Returns a note if the sender ran another kernel series than the lab, of its system.
pub fn other_kernel(evidence: &Evidence, system: System, used: &str) -> Option<String> {
    let series = |version: &str| version.split(['.', '-']).take(2).map(str::to_owned).collect::<Vec<_>>();
    let name = if system == System::Linux { "Linux" } else { "FreeBSD" };
    let is_sender = |host: &&Host| host.system == Some(system) && host.end != Some(End::Receiver);
    let ran = evidence.hosts.iter().filter(is_sender).find_map(|host| host.version.as_deref())?;
    (series(ran) != series(used)).then(|| {
        format!("The sender ran {name} {ran}; trials run {name} {used}, the newest guest kernel here: what changed between them shows as a distance.")
    })
}

/// Refuses evidence that contradicts itself.
fn contradiction(seen: &Connection, trace: &Trace, rtt: f64, rate: Option<f64>) -> Result<(), Refusal> {
    let place = &seen.place;
    if let Some(rate) = rate.filter(|rate| *rate < trace.received) {
        let why =
            format!("{} arrived over a line that is said to carry {}", show::rate(trace.received), show::rate(rate));
        return refuse(why, "correct --rate: it is that of the narrowest link, with all headers");
    }
    let counted = trace.rtt.iter().flatten().copied().filter(|rtt| *rtt > 0.0).reduce(f64::min);
    if let Some(counted) = counted.filter(|counted| rtt > CONFLICT_RATIO * counted) {
        let why = format!(
            "{place} counted an RTT of {}, less than the {} that the idle path is said to have",
            show::time(counted),
            show::time(rtt)
        );
        return refuse(why, "correct --rtt, or ping the host that the transfer went to");
    }
    let in_flight = trace.received * rtt / 8.0;
    let allowed = trace.cwnd.as_ref().map(|cwnd| largest(cwnd) * seen.mss.unwrap_or(segment::FULL_SEGMENT));
    if let Some(allowed) = allowed.filter(|allowed| in_flight > CONFLICT_RATIO * allowed) {
        let why = format!(
            "{} at an RTT of {} takes {} in flight, and {place} counted a cwnd of {} at most",
            show::rate(trace.received),
            show::time(rtt),
            show::bytes(in_flight),
            show::bytes(allowed)
        );
        return refuse(why, "the RTT is not of this path: ping the host that the transfer went to, or give --rtt");
    }
    Ok(())
}

/// Returns the shortest ping of the transfer's path, seconds.
fn pinged(seen: &Connection, evidence: &Evidence) -> Option<f64> {
    diagnose::pings(seen, evidence).flat_map(|ping| ping.rtts.iter().copied()).reduce(f64::min)
}

/// Returns the RTT of the idle path, seconds: as given, else the shortest RTT pinged or counted.
fn base_rtt(seen: &Connection, evidence: &Evidence, given: Given) -> Option<f64> {
    let pinged = pinged(seen, evidence);
    let known = diagnose::base_rtt(seen, evidence, given)?.value;
    Some(if given.rtt.is_some() { known } else { pinged.map_or(known, |pinged| pinged.min(known)) })
}

/// Returns the longest RTT that cwnd allows, seconds: one cwnd is sent per round trip. It is the median of the
/// intervals.
fn queued_rtt(seen: &Connection) -> Option<f64> {
    let pairs = seen.points.windows(2);
    let trips: Vec<f64> = pairs
        .filter_map(|pair| {
            Some(pair[1].cwnd? * (pair[1].time - pair[0].time) / pair[1].bytes.filter(|sent| *sent > 0.0)?)
        })
        .collect();
    (trips.len() >= LEAST_INTERVALS).then(|| median(&trips))
}

/// Whether ECN was negotiated: as `ss` or its count of marks says, else if cwnd fell without a retransmission (RFC
/// 3168, 6.1.2).
fn is_marked(seen: &Connection, beside: Option<&Connection>) -> bool {
    /// cwnd below this share of its last value has fallen: CUBIC reduces it to 0.7 (RFC 9438, 4.6), and it grows until sampled.
    const ECN_FALL_RATIO: f64 = 0.9;
    let both = || [Some(seen), beside].into_iter().flatten();
    let marked = both().find_map(|one| one.marked).filter(|marked| *marked > 0.0).map(|_| true);
    marked.or_else(|| both().find_map(|one| one.ecn)).unwrap_or_else(|| {
        let points = || seen.points.iter().filter(|point| point.bytes.is_some());
        let counted = |of: fn(&Point) -> Option<f64>| points().map(of).collect::<Option<Vec<f64>>>();
        let lossless = counted(|point| point.retransmitted).is_some_and(|all| all.iter().sum::<f64>() == 0.0);
        let cwnd = counted(|point| point.cwnd).unwrap_or_default();
        lossless && cwnd.windows(2).filter(|pair| pair[1] < ECN_FALL_RATIO * pair[0]).count() > 1
    })
}

/// Returns why the sender waited for its program, if it did: it was not busy, or nothing was unsent.
fn idle(seen: &Connection, beside: Option<&Connection>) -> Option<String> {
    const MAX_IDLE_BUSY_SHARE: f64 = 0.9;
    const MAX_IDLE_UNSENT_SHARE: f64 = 0.2;
    let counted = [Some(seen), beside].into_iter().flatten();
    let limits = counted.clone().find_map(|one| one.limits).filter(|limits| limits.busy < MAX_IDLE_BUSY_SHARE);
    let unsent: Vec<f64> = counted.flat_map(|one| &one.points).filter_map(|point| point.unsent).collect();
    let waiting = unsent.iter().filter(|bytes| **bytes > 0.0).count() as f64;
    match limits {
        Some(limits) => Some(format!("the sender was busy for {} of the time", show::share(limits.busy))),
        None if unsent.len() >= LEAST_INTERVALS && waiting < MAX_IDLE_UNSENT_SHARE * unsent.len() as f64 => {
            Some("nothing waited to be sent".into())
        }
        None => None,
    }
}
