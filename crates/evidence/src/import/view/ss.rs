//! Reads `ss -ti`, once or in a loop; fields and units as in iproute2's `misc/ss.c`.
//!
//! A connection is an address pair. Its last screen has the totals; the screens before give points. Their times come
//! from the first of these sources that is known:
//! - the age of a connection that never received data (`lastrcv`) or never sent any (`lastsnd`): both count from the
//!   handshake (`lrcvtime` and `lsndtime` in net/ipv4/tcp_input.c and net/ipv4/tcp_minisocks.c);
//! - times printed between the screens;
//! - the `sleep` of the loop;
//! - the growth of the same two from one screen to the next, in any connection that received or sent nothing in
//!   between.
//!
//! Without a source only the last screen is used, and goodput and [`Limits`] are over `busy`.

mod screen;

use super::{clock, is_prompt};
use crate::import::Page;
use crate::{Connection, Evidence, Hole, Limits, Place, Point, Seen, Source, Window};
use screen::Screen;
use std::collections::HashMap;
use std::net::IpAddr;

/// Reads the output of ss.
pub(super) fn read(page: &mut Page<'_>, evidence: &mut Evidence) {
    let mut reader = Reader::default();
    for index in 0..page.lines.len() {
        let line = page.lines[index];
        if line.claimed {
            reader.broken = None;
            reader.close(page);
        } else {
            reader.line(page, index, line.text);
        }
    }
    reader.cut(page);
    reader.close(page);
    let interval = reader.interval;
    let clock = clock_of(&reader.watched);
    let first = evidence.next_group();
    let mut groups: HashMap<[String; 2], usize> = HashMap::new();
    let mut all: Vec<(Watched, Option<Times>)> = vec![];
    for mut watched in reader.watched {
        let times = watched.timed(interval, &clock);
        all.push((watched, times));
    }
    place(&mut all);
    for (watched, times) in all {
        let known = groups.len();
        let group = first + *groups.entry(watched.hosts()).or_insert(known);
        evidence.connections.push(Connection { group, ..watched.connection(times) });
    }
}

#[derive(Default)]
struct Reader<'a> {
    watched: Vec<Watched<'a>>,
    /// Index in `watched` of each address pair's latest connection.
    by_name: HashMap<[&'a str; 2], usize>,
    open: Option<Open<'a>>,
    /// Time of the next screen, seconds.
    stamp: Option<f64>,
    /// Seconds between screens.
    interval: Option<f64>,
    /// Number of the current screen.
    number: usize,
    /// Whether a head or a time follows its last connection.
    ended: bool,
    /// Lines that belong to ss if a connection follows soon.
    heads: Vec<usize>,
    /// A line that a mail has broken after the first of two addresses.
    broken: Option<(usize, &'a str)>,
    /// Whether a table's head was read, so that connections without details are recognized too.
    in_table: bool,
}

/// A partly read connection.
struct Open<'a> {
    lines: Vec<usize>,
    /// Whether nothing else is on its lines.
    whole: bool,
    screen: Screen<'a>,
}

/// A connection's screens.
struct Watched<'a> {
    place: Place,
    screens: Vec<Screen<'a>>,
    /// Whether the text ends within its last screen.
    cut_off: bool,
}

/// A head belongs to a table that begins at most this many lines later.
const MAX_HEAD_DISTANCE_LINES: usize = 4;

impl<'a> Reader<'a> {
    fn line(&mut self, page: &mut Page<'_>, index: usize, text: &'a str) {
        if text.trim().is_empty() {
            return;
        }
        let broken = self.broken.take();
        let goes_on = broken.filter(|_| text.split_whitespace().next().is_some_and(screen::is_end));
        if let Some((line, before)) = broken.filter(|_| goes_on.is_none()) {
            self.rest(page, line, before, &before.split_whitespace().collect::<Vec<_>>());
        }
        if let Some(seconds) = clock::stamp(text) {
            self.close(page);
            self.ended = true;
            self.stamp = Some(seconds);
            return self.heads.push(index);
        }
        let before = goes_on.map_or("", |(_, before)| before);
        let words: Vec<&str> = before.split_whitespace().chain(text.split_whitespace()).collect();
        if screen::breaks_off(&words) {
            self.close(page);
            self.broken = Some((index, text));
            return;
        }
        let starts: Vec<usize> = (0..words.len()).filter(|&at| screen::begins(&words[at..])).collect();
        let Some(&first) = starts.first() else {
            return self.rest(page, index, text, &words);
        };
        self.close(page);
        let before = &words[..first - usize::from(first > 0 && screen::is_state(words[first - 1]))];
        let stamp = Some(before.join(" ")).filter(|before| !before.is_empty()).and_then(|before| clock::stamp(&before));
        self.stamp = stamp.or(self.stamp);
        let whole = stamp.is_some() || before.iter().all(|word| screen::is_protocol(word));
        for (number, &start) in starts.iter().enumerate() {
            self.close(page);
            let end = starts.get(number + 1).copied().unwrap_or(words.len());
            let state = start.checked_sub(1).map(|at| words[at]).filter(|word| screen::is_state(word));
            let number = self.screen_of([words[start + 2], words[start + 3]]);
            let screen = Screen::new(&words[start..end], state, self.stamp).numbered(number);
            let lines = goes_on.map(|(line, _)| line).into_iter().chain([index]).collect();
            self.open = Some(Open { lines, whole, screen });
        }
    }

    /// Returns the screen number of the next connection: a new one after a head or a time, or if the current screen
    /// already has this address pair.
    fn screen_of(&mut self, ends: [&str; 2]) -> usize {
        let last = |at: &usize| self.watched[*at].last().number;
        let again = self.by_name.get(&ends).map(last) == Some(self.number);
        self.number += usize::from(self.ended || again);
        self.ended = false;
        self.number
    }

    /// Reads a line without an address pair.
    fn rest(&mut self, page: &mut Page<'_>, index: usize, text: &'a str, words: &[&'a str]) {
        let again = self.open.as_ref().is_some_and(|open| open.screen.is_repeated(words));
        if let Some(open) = self.open.as_mut().filter(|_| !again && words.iter().any(|word| screen::is_known(word))) {
            open.screen.details(words);
            return open.lines.push(index);
        }
        self.close(page);
        // People also paste the details alone.
        if screen::is_excerpt(words) || screen::is_stuck(words) {
            let number = self.screen_of([""; 2]);
            let screen = Screen::excerpt(words, self.stamp).numbered(number);
            self.open = Some(Open { lines: vec![index], whole: true, screen });
            return;
        }
        if text.contains("Local Address:Port") && text.contains("Peer Address:Port") {
            (self.in_table, self.ended) = (true, true);
            self.heads.push(index);
        } else if let Some(at) = text.find("ss -") {
            let before = &text[..at];
            let looped = ["while", "for", "watch"].iter().any(|word| before.contains(word));
            if looped || is_prompt(before) {
                self.interval = clock::interval(text).or(self.interval);
                self.heads.push(index);
            }
        } else {
            self.in_table = false;
        }
    }

    /// Drops the last word of a text that ends within a screen: half of it may be missing.
    fn cut(&mut self, page: &Page<'_>) {
        let last = page.lines.len().checked_sub(1).filter(|_| page.ends_within_line);
        let open = self.open.as_mut().filter(|open| open.lines.last().copied() == last);
        if let Some((open, line)) = open.zip(last) {
            open.screen.cut(page.lines[line].text.split_whitespace().next_back().unwrap_or(""));
        }
    }

    /// Ends the current connection, and claims its lines.
    fn close(&mut self, page: &mut Page<'_>) {
        let Some(open) = self.open.take() else { return };
        let (first, last) = (open.lines[0], open.lines[open.lines.len() - 1]);
        if !open.screen.has_details() && !self.in_table {
            return;
        }
        for head in self.heads.drain(..).filter(|head| first.saturating_sub(*head) <= MAX_HEAD_DISTANCE_LINES) {
            page.claim(head);
        }
        if let Err(why) = open.screen.check() {
            open.lines.iter().for_each(|&line| page.claim(line));
            return page.wrong(last, why);
        }
        if open.whole {
            open.lines.iter().for_each(|&line| page.claim(line));
        }
        let cut_off = open.screen.is_cut_off;
        // The screen before has all figures.
        if let Some(&at) = self.by_name.get(&open.screen.ends).filter(|_| cut_off) {
            self.watched[at].cut_off = true;
            return;
        }
        if !open.screen.is_connection() {
            return;
        }
        let name = open.screen.ends;
        let follows = |watched: &Watched| open.screen.follows(&watched.screens[watched.screens.len() - 1]);
        match self.by_name.get(&name).filter(|&&at| follows(&self.watched[at])) {
            Some(&at) => self.watched[at].screens.push(open.screen),
            None => {
                self.by_name.insert(name, self.watched.len());
                self.watched.push(Watched { place: page.place(first), screens: vec![open.screen], cut_off });
            }
        }
    }
}

/// Returns the times of screens by number, seconds, for the longest run of screens with known steps; its first is 0.
fn clock_of(watched: &[Watched]) -> HashMap<usize, f64> {
    let pairs = watched.iter().flat_map(|watched| watched.screens.windows(2));
    let steps: HashMap<usize, f64> = pairs
        .filter(|pair| pair[1].number == pair[0].number + 1)
        .filter_map(|pair| Some((pair[1].number, pair[1].since(&pair[0])?)))
        .collect();
    let mut numbers: Vec<usize> = steps.keys().copied().collect();
    numbers.sort_unstable();
    let runs = numbers.chunk_by(|a, b| a + 1 == *b);
    let Some(run) = runs.max_by_key(|run| run.len()) else { return HashMap::new() };
    let mut time = 0.0;
    let later = run.iter().map(|number| {
        time += steps[number];
        (*number, time)
    });
    later.chain([(run[0] - 1, 0.0)]).collect()
}

/// Gives all connections one zero, in order of appearance. Connections on the same screen share its time; one that
/// shares no screen is placed by printed times, else at the zero.
fn place(all: &mut [(Watched, Option<Times>)]) {
    let mut known: HashMap<usize, f64> = HashMap::new();
    let mut stamped: Option<f64> = None;
    for (watched, times) in all.iter_mut() {
        let Some(times) = times else { continue };
        let screens = || watched.screens.iter().zip(&times.seconds);
        let shared = screens().find_map(|(screen, own)| Some(known.get(&screen.number)? - own));
        let by_stamp = || screens().find_map(|(screen, own)| Some(screen.stamp? - stamped? - own));
        let began = shared.or_else(by_stamp).unwrap_or(0.0);
        stamped = stamped.or_else(|| screens().find_map(|(screen, own)| Some(screen.stamp? - began - own)));
        known.extend(screens().map(|(screen, own)| (screen.number, began + own)));
        times.began = began;
    }
    let least = all.iter().filter_map(|(_, times)| Some(times.as_ref()?.began)).fold(0.0, f64::min);
    all.iter_mut().filter_map(|(_, times)| times.as_mut()).for_each(|times| times.began -= least);
}

/// Times of a connection's screens.
struct Times {
    /// Own zero, seconds since the file's zero.
    began: f64,
    /// Time of each screen since the own zero, seconds.
    seconds: Vec<f64>,
    /// Whether the own zero is the handshake.
    from_start: bool,
}

impl Times {
    fn last(&self) -> f64 {
        self.seconds[self.seconds.len() - 1]
    }
}

impl Watched<'_> {
    fn last(&self) -> &Screen<'_> {
        &self.screens[self.screens.len() - 1]
    }

    /// Returns the hosts of both ends, sorted, so that both directions give the same pair.
    fn hosts(&self) -> [String; 2] {
        let mut hosts = self.last().ends.map(|end| address(end).rsplit_once(':').unwrap_or_default().0.to_owned());
        hosts.sort();
        hosts
    }

    /// Returns the times of its screens. Screens without a known time are dropped if the clock has several others.
    fn timed(&mut self, interval: Option<f64>, clock: &HashMap<usize, f64>) -> Option<Times> {
        let known = |screen: &Screen| clock.contains_key(&screen.number);
        self.times(interval, clock).or_else(|| {
            let several = self.screens.iter().filter(|screen| known(screen)).count() > 1;
            several.then(|| self.screens.retain(known))?;
            self.times(interval, clock)
        })
    }

    fn times(&self, interval: Option<f64>, clock: &HashMap<usize, f64>) -> Option<Times> {
        let rising = |seconds: &Vec<f64>| seconds.windows(2).all(|pair| pair[0] < pair[1]);
        let ages: Option<Vec<f64>> = self.screens.iter().map(Screen::age).collect();
        if let Some(seconds) = ages.filter(rising) {
            return Some(Times { began: 0.0, seconds, from_start: true });
        }
        let stamps: Option<Vec<f64>> = self.screens.iter().map(|screen| screen.stamp).collect();
        let since_first = |stamps: Vec<f64>| stamps.iter().map(|stamp| stamp - stamps[0]).collect();
        let by_interval = || interval.map(|step| (0..self.screens.len()).map(|n| n as f64 * step).collect());
        let by_clock =
            || -> Option<Vec<f64>> { self.screens.iter().map(|screen| clock.get(&screen.number).copied()).collect() };
        let seconds =
            stamps.filter(rising).map(since_first).or_else(by_interval).or_else(|| by_clock().map(since_first))?;
        Some(Times { began: 0.0, seconds, from_start: false })
    }

    fn connection(&self, times: Option<Times>) -> Connection {
        let (first, last) = (&self.screens[0], self.last());
        let seen = last.seen();
        let [local, peer] = last.ends.map(address);
        let sends = seen == Seen::Sender;
        let name = match (local.is_empty(), sends) {
            (true, _) => "connection".to_owned(),
            (false, true) => format!("{local} > {peer}"),
            (false, false) => format!("{peer} > {local}"),
        };
        let mut connection = Connection::new(self.place.clone(), Source::Ss, name, seen);
        let ends = host(&local).zip(host(&peer));
        connection.ends = ends.map(|(local, peer)| if sends { [local, peer] } else { [peer, local] });
        let from_start = times.as_ref().is_some_and(|times| times.from_start);
        let duration = times.as_ref().map(Times::last).filter(|&time| time > 0.0);
        let began = times.as_ref().map_or(0.0, |times| times.began);
        let grown = |count: &dyn Fn(&Screen) -> Option<f64>| {
            let before = if from_start { 0.0 } else { count(first)? };
            Some(count(last)? - before)
        };
        connection.span = duration.map(|seconds| [began, began + seconds]);
        connection.cut_off = self.cut_off;
        connection.screen = (self.screens.len() == 1).then_some(last.number);
        connection.bytes = last.bytes(seen);
        connection.goodput =
            grown(&|screen| screen.bytes(seen)).zip(duration).map(|(bytes, seconds)| 8.0 * bytes / seconds);
        if times.is_none() && sends {
            // A single screen gives the goodput over the time that data was outstanding.
            let busy = last.spent("busy").filter(|ms| *ms > 0.0);
            connection.goodput = last.bytes(seen).zip(busy).map(|(bytes, ms)| 8e3 * bytes / ms);
        }
        connection.ecn = last.flag("ecn");
        connection.sack = last.flag("sack");
        connection.scaled = Some(last.value("wscale").is_some()).filter(|scaled| *scaled || !last.is_excerpt());
        connection.rtt_min = last.number("minrtt").map(|ms| ms / 1e3);
        connection.idle = self.screens.len() == 1 && sends && last.is_idle();
        if sends {
            self.of_sender(&mut connection);
            connection.policed = times.as_ref().and_then(|times| self.policed(&times.seconds));
            connection.limits = match duration {
                Some(seconds) => {
                    Limits::from_spent(LIMITS.map(|name| grown(&|screen| screen.spent(name))), seconds * 1e3)
                }
                None => Limits::from_spent(LIMITS.map(|name| last.spent(name)), last.spent("busy").unwrap_or(0.0)),
            };
        } else {
            connection.mss = last.number("rcvmss").filter(|&mss| connection.bytes > Some(mss));
            connection.advmss = last.advertised();
            connection.out_of_order = last.out_of_order();
        }
        connection.stale = last.unread();
        connection.rcvbuf = last.memory("rb");
        connection.rcv_ssthresh = last.number("rcv_ssthresh");
        connection.rcv_space = last.number("rcv_space");
        connection.clock = times.as_ref().and_then(|times| self.clock(times));
        connection.points = self.points(seen, times);
        connection.window = self.window(seen);
        connection
    }

    /// Returns the time of day at the file's zero, if one was printed with a screen.
    fn clock(&self, times: &Times) -> Option<f64> {
        let screens = self.screens.iter().zip(&times.seconds);
        screens.filter_map(|(screen, own)| Some(screen.stamp? - times.began - own)).next()
    }

    /// Fills in figures from the sender's own counters.
    fn of_sender(&self, connection: &mut Connection) {
        let last = self.last();
        connection.congestion = last.congestion.map(str::to_owned);
        connection.mss = last.number("mss");
        // The largest is the initial MSS: probing for a path MTU lowers it.
        connection.advmss = self.screens.iter().filter_map(|screen| screen.number("mss")).reduce(f64::max);
        connection.pmtu = last.number("pmtu");
        connection.segments_sent = last.segments_sent();
        connection.retransmitted = last.retransmitted();
        connection.spurious = last.since_4_19("dsack_dups");
        connection.reordered = last.since_4_19("reord_seen");
        connection.hole = self.hole();
        connection.timeouts = last.number("total_rto");
        connection.timeout_time = last.number("total_rto_time").map(|ms| ms / 1e3);
        connection.marked = last.marked();
        connection.sndbuf = last.memory("tb");
        connection.probes = last.probes();
    }

    /// Returns the missing segment, if only one is missing and nothing else was sent since: SACK covers the rest (RFC
    /// 2018).
    fn hole(&self) -> Option<Hole> {
        /// Fields that do not change while one segment is missing.
        const STALLED_FIELDS: [&str; 3] = ["bytes_acked", "unacked", "sacked"];
        let last = self.last();
        let first = self
            .screens
            .iter()
            .find(|screen| STALLED_FIELDS.iter().all(|name| screen.value(name) == last.value(name)))?;
        let behind = last.number("sacked").filter(|behind| last.number("unacked") == Some(behind + 1.0))?;
        let again = last.retransmitted()? - first.retransmitted()?;
        let sent = last.number("bytes_retrans")? - first.number("bytes_retrans")?;
        let alone = last.number("bytes_sent")? - first.number("bytes_sent")? == sent && again > 0.0;
        alone.then(|| Hole { bytes: sent / again, again, behind })
    }

    /// Returns BBR's bandwidth, bit/s, if it stays unchanged for longer than its filter without probing for more.
    fn policed(&self, seconds: &[f64]) -> Option<f64> {
        /// Length of BBR's bandwidth filter, round trips.
        const BBR_FILTER_RTTS: f64 = 10.0;
        const MIN_SCREENS: usize = 4;
        let rtt = self.last().bbr("mrtt")? / 1e3;
        let cruising = |screen: &Screen| screen.bbr("bw").filter(|_| screen.bbr("pacing_gain") == Some(1.0));
        let known: Vec<(Option<f64>, f64)> = self.screens.iter().map(cruising).zip(seconds.iter().copied()).collect();
        let stands = known.chunk_by(|a, b| a.0 == b.0).find(|run| {
            let lasted = run[run.len() - 1].1 - run[0].1;
            run[0].0.is_some() && run.len() >= MIN_SCREENS && lasted > BBR_FILTER_RTTS * rtt
        });
        stands?[0].0
    }

    /// Returns a point for each screen; without times, one for the last.
    fn points(&self, seen: Seen, times: Option<Times>) -> Vec<Point> {
        let Some(times) = times else { return vec![self.last().point(seen, 0.0)] };
        let mut points: Vec<Point> = vec![];
        for (at, (screen, &time)) in self.screens.iter().zip(&times.seconds).enumerate() {
            let before = at.checked_sub(1).map(|at| &self.screens[at]);
            let grown = |count: &dyn Fn(&Screen) -> Option<f64>| match before {
                Some(before) => Some(count(screen)? - count(before)?),
                None => count(screen).filter(|_| times.from_start),
            };
            let bytes = grown(&|screen| screen.bytes(seen));
            let retransmitted = grown(&|screen| screen.retransmitted()).filter(|_| seen == Seen::Sender);
            let acks = grown(&|screen| screen.acks()).filter(|_| seen == Seen::Sender);
            let delivered = grown(&|screen| screen.number("delivered")).filter(|_| seen == Seen::Sender);
            let marked = grown(&|screen| screen.marks()).filter(|_| seen == Seen::Sender);
            let step = time - at.checked_sub(1).map_or(0.0, |at| times.seconds[at]);
            let spent = LIMITS.map(|name| grown(&|screen| screen.spent(name)));
            let limits = Limits::from_spent(spent, step * 1e3).filter(|_| seen == Seen::Sender && step > 0.0);
            let state = screen.point(seen, times.began + time);
            points.push(Point { bytes, retransmitted, delivered, acks, marked, limits, ..state });
        }
        points
    }

    /// Returns the field that tells a receiver's window. Before Linux 6.2 that is the most that it offers
    /// (net/ipv4/tcp_output.c, __tcp_select_window).
    fn offered_field(&self) -> &'static str {
        let told = self.screens.iter().any(|screen| screen.value("rcv_wnd").is_some());
        if told { "rcv_wnd" } else { "rcv_ssthresh" }
    }

    /// Returns the largest window, and how often it closed: ss does not print a window of 0.
    fn window(&self, seen: Seen) -> Option<Window> {
        let name = if seen == Seen::Sender { "snd_wnd" } else { self.offered_field() };
        let windows: Vec<f64> = self.screens.iter().map(|screen| screen.number(name).unwrap_or(0.0)).collect();
        let largest = windows.iter().copied().reduce(f64::max).filter(|&largest| largest > 0.0)?;
        let zeros = windows.windows(2).filter(|pair| pair[0] > 0.0 && pair[1] == 0.0).count();
        Some(Window { largest, zeros: zeros as u64 })
    }
}

const LIMITS: [&str; 3] = ["busy", "rwnd_limited", "sndbuf_limited"];

/// Parses the host in an address with port: `10.0.0.1%eth0:5201`, `[2001:db8::1]:5201`.
fn host(end: &str) -> Option<IpAddr> {
    let host = end.rsplit_once(':')?.0.split('%').next()?;
    host.trim_matches(['[', ']']).parse().ok()
}

/// Returns an address with port; an IPv4-mapped IPv6 address becomes IPv4 (RFC 4291, 2.5.5.2).
fn address(end: &str) -> String {
    match end.strip_prefix("[::ffff:").and_then(|rest| rest.split_once("]:")) {
        Some((address, port)) if address.contains('.') => format!("{address}:{port}"),
        _ => end.to_owned(),
    }
}
