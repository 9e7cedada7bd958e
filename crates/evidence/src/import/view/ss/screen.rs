//! Parses one connection on one screen of ss.

use crate::import::view::{leading, whole};
use crate::{Point, Seen};

/// A connection's addresses and details, as printed.
pub(super) struct Screen<'a> {
    /// Number of its screen.
    pub number: usize,
    /// Local and peer address, with ports.
    pub ends: [&'a str; 2],
    /// Time at which it was printed, seconds.
    pub stamp: Option<f64>,
    /// Congestion control.
    pub congestion: Option<&'a str>,
    /// Whether the text ends within it, so that what it lacks is not zero.
    pub is_cut_off: bool,
    state: Option<&'a str>,
    receive_queue: f64,
    send_queue: f64,
    /// Details with a colon: `rtt:0.063/0.04`.
    values: Vec<(&'a str, &'a str)>,
    /// Details without a colon: `ts`, `sack`, `app_limited`.
    flags: Vec<&'a str>,
}

/// Each connection has at least one of these details.
const USUAL_DETAILS: &[&str] =
    &["rto:", "rtt:", "cwnd:", "mss:", "wscale:", "skmem:(", "bytes_acked:", "bytes_received:", "segs_out:", "timer:("];

/// Details that are numbers, or begin with one.
const NUMERIC_DETAILS: &[&str] = &[
    "rto",
    "rtt",
    "mss",
    "pmtu",
    "rcvmss",
    "advmss",
    "cwnd",
    "ssthresh",
    "bytes_sent",
    "bytes_retrans",
    "bytes_acked",
    "bytes_received",
    "segs_out",
    "segs_in",
    "data_segs_out",
    "data_segs_in",
    "lastsnd",
    "lastrcv",
    "lastack",
    "busy",
    "rwnd_limited",
    "sndbuf_limited",
    "unacked",
    "retrans",
    "dsack_dups",
    "reord_seen",
    "notsent",
    "minrtt",
    "ato",
    "backoff",
    "lost",
    "sacked",
    "rcv_rtt",
    "rcv_space",
    "rcv_ssthresh",
    "rehash",
    "rcv_ooopack",
    "snd_wnd",
    "rcv_wnd",
    "delivered",
    "delivered_ce",
];

/// Options of the handshake that `ss -o` prints before the congestion control.
const HANDSHAKE_OPTIONS: &[&str] = &["ts", "sack", "ecn", "ecnseen", "fastopen"];

const STATES: &[&str] = &[
    "ESTAB",
    "SYN-SENT",
    "SYN-RECV",
    "FIN-WAIT-1",
    "FIN-WAIT-2",
    "TIME-WAIT",
    "CLOSE-WAIT",
    "LAST-ACK",
    "CLOSING",
    "UNCONN",
    "LISTEN",
];

pub(super) fn is_state(word: &str) -> bool {
    STATES.contains(&word)
}

pub(super) fn is_protocol(word: &str) -> bool {
    matches!(word, "tcp" | "tcp6" | "mptcp")
}

pub(super) fn is_detail(word: &str) -> bool {
    let is_number = |(name, value): (&str, &str)| NUMERIC_DETAILS.contains(&name) && leading(value).is_some();
    USUAL_DETAILS.iter().any(|detail| word.starts_with(detail)) || word.split_once(':').is_some_and(is_number)
}

/// True if a word occurs among details. A rate has a blank before its value, so its name alone counts.
pub(super) fn is_known(word: &str) -> bool {
    is_detail(word) || matches!(word, "pacing_rate" | "delivery_rate" | "app_limited")
}

/// True if two queues and two addresses begin here.
pub(super) fn begins(words: &[&str]) -> bool {
    let count = |at: usize| words.get(at).is_some_and(|word| whole(word).is_some());
    let end = |at: usize| words.get(at).is_some_and(|word| is_end(word));
    count(0) && count(1) && end(2) && end(3)
}

/// True if a line ends after two queues and one address.
pub(super) fn breaks_off(words: &[&str]) -> bool {
    let Some([received, sent, end]) = words.last_chunk() else { return false };
    let before = &words[..words.len() - 3];
    let begins = before.iter().all(|word| is_state(word) || is_protocol(word));
    begins && whole(received).is_some() && whole(sent).is_some() && is_end(end)
}

/// True if a line has enough details of a connection to be read without an address.
pub(super) fn is_excerpt(words: &[&str]) -> bool {
    let details = words.iter().filter(|word| is_detail(word)).count();
    details >= MIN_DETAILS && words.iter().any(|word| word.starts_with("cwnd:") || word.starts_with("rtt:"))
}

/// True if a line begins with a state and has the timer that probes a closed window.
pub(super) fn is_stuck(words: &[&str]) -> bool {
    words.first().is_some_and(|word| is_state(word)) && words.iter().any(|word| word.starts_with("timer:(persist,"))
}

/// First message of iperf3's client on each stream, bytes (COOKIE_SIZE in its src/iperf_api.h).
const IPERF3_COOKIE_BYTES: f64 = 37.0;

/// Least number of details in a line without an address; prose has fewer.
const MIN_DETAILS: usize = 3;

/// True for an address and a port; `*` may replace each.
pub(super) fn is_end(word: &str) -> bool {
    let of_name = |c: char| c.is_ascii_alphanumeric() || "-_*".contains(c);
    let of_address = |c: char| of_name(c) || ".:[]%".contains(c);
    word.rsplit_once(':').is_some_and(|(address, port)| {
        !address.is_empty() && !port.is_empty() && address.chars().all(of_address) && port.chars().all(of_name)
    })
}

/// Returns a value that a field of tcp_info cannot reach, in the unit that ss prints (include/uapi/linux/tcp.h: 32 bits
/// of ms or us, 64 of bytes).
fn bound(name: &str) -> f64 {
    const BITS_32: f64 = 4_294_967_296.0;
    match name {
        "lastsnd" | "lastrcv" | "lastack" | "cwnd" | "ssthresh" | "mss" => BITS_32,
        "rtt" | "minrtt" => BITS_32 / 1e3,
        _ => BITS_32 * BITS_32,
    }
}

impl<'a> Screen<'a> {
    /// Builds a screen from the words from the queues on.
    pub fn new(words: &[&'a str], state: Option<&'a str>, stamp: Option<f64>) -> Screen<'a> {
        let [receive_queue, send_queue] = [0, 1].map(|at| whole(words[at]).unwrap_or(0) as f64);
        let mut screen = Screen { state, receive_queue, send_queue, ..Screen::excerpt(&words[4..], stamp) };
        screen.ends = [words[2], words[3]];
        screen
    }

    pub fn excerpt(words: &[&'a str], stamp: Option<f64>) -> Screen<'a> {
        let ends = ["", ""];
        let mut screen = Screen {
            number: 0,
            ends,
            stamp,
            congestion: None,
            is_cut_off: false,
            state: None,
            receive_queue: 0.0,
            send_queue: 0.0,
            values: vec![],
            flags: vec![],
        };
        screen.details(words);
        screen
    }

    /// Sets the number of its screen.
    pub fn numbered(self, number: usize) -> Screen<'a> {
        Screen { number, ..self }
    }

    /// True if it has no addresses, only details, any of which may be missing.
    pub fn is_excerpt(&self) -> bool {
        self.ends[0].is_empty()
    }

    /// True if these details begin another screen: a screen has each detail only once.
    pub fn is_repeated(&self, words: &[&str]) -> bool {
        let first = words.iter().find_map(|word| word.split_once(':').filter(|_| is_detail(word)));
        self.is_excerpt() && first.is_some_and(|(name, _)| self.value(name).is_some())
    }

    /// Adds printed details.
    pub fn details(&mut self, words: &[&'a str]) {
        for word in words {
            match word.split_once(':') {
                Some((name, value)) if !name.is_empty() => {
                    let first = matches!(name, "wscale" | "rto" | "cwnd") && self.congestion.is_none();
                    if let Some(last) = self.flags.last().filter(|last| first && is_algorithm(last)) {
                        self.congestion = Some(last);
                    }
                    self.values.push((name, value));
                }
                _ => self.flags.push(word),
            }
        }
    }

    /// Drops the last word of a text that ends with it, unless nearly all of a screen is there: `minrtt` is among the
    /// last that ss prints (iproute2, misc/ss.c, tcp_stats_print).
    pub fn cut(&mut self, last: &str) {
        if self.value("minrtt").is_some() || !self.has_details() {
            return;
        }
        self.is_cut_off = true;
        match last.split_once(':') {
            Some(both) if self.values.last() == Some(&both) => drop(self.values.pop()),
            _ if self.flags.last() == Some(&last) => drop(self.flags.pop()),
            _ => {}
        }
    }

    /// Returns the zero that ss leaves out, if the whole screen is there.
    fn left_out(&self, shown: Option<f64>) -> Option<f64> {
        shown.filter(|_| !self.is_cut_off).map(|_| 0.0)
    }

    pub fn value(&self, name: &str) -> Option<&'a str> {
        self.values.iter().find(|(known, _)| *known == name).map(|&(_, value)| value)
    }

    pub fn number(&self, name: &str) -> Option<f64> {
        self.value(name).and_then(leading)
    }

    /// Returns an error for the first detail that should be a number and is none, or is too large for the kernel.
    pub fn check(&self) -> Result<(), String> {
        let numbers = || self.values.iter().filter(|(name, _)| NUMERIC_DETAILS.contains(name));
        if let Some((name, value)) = numbers().find(|(_, value)| leading(value).is_none()) {
            return Err(format!("expected a number after {name}:, not \"{value}\""));
        }
        let too_large = numbers().find(|(name, value)| leading(value).is_some_and(|number| number >= bound(name)));
        too_large.map_or(Ok(()), |(name, value)| Err(format!("no kernel counts as far as {value} after {name}:")))
    }

    pub fn has_details(&self) -> bool {
        self.values.iter().any(|(name, _)| USUAL_DETAILS.iter().any(|detail| detail.split(':').next() == Some(*name)))
    }

    /// True if it is past its handshake and has details.
    pub fn is_connection(&self) -> bool {
        let counted = self.number("rtt").is_some() || self.is_excerpt() && self.spent("busy").is_some();
        self.state != Some("LISTEN") && (counted || self.probes())
    }

    /// True if this can be the connection of an earlier screen: no count is lower.
    pub fn follows(&self, before: &Screen) -> bool {
        let counts = ["bytes_acked", "bytes_received", "segs_out", "segs_in"];
        counts.iter().all(|name| self.number(name).unwrap_or(0.0) >= before.number(name).unwrap_or(0.0))
    }

    /// Returns the end at which it was observed, by the direction of more bytes.
    pub fn seen(&self) -> Seen {
        if self.probes() {
            return Seen::Sender;
        }
        let sent = self.number("bytes_sent").or(self.number("bytes_acked")).or(self.number("data_segs_out"));
        let received = self.number("bytes_received").or(self.number("data_segs_in"));
        if received.unwrap_or(0.0) > sent.unwrap_or(0.0) { Seen::Receiver } else { Seen::Sender }
    }

    /// Returns seconds since an earlier screen, if nothing was received or nothing sent in between.
    pub fn since(&self, before: &Screen) -> Option<f64> {
        [("bytes_received", "lastrcv"), ("bytes_sent", "lastsnd")].into_iter().find_map(|(count, age)| {
            let same = self.number("segs_out").is_some() && self.number(count) == before.number(count);
            Some((self.number(age)? - before.number(age)?) / 1e3).filter(|seconds| same && *seconds > 0.0)
        })
    }

    /// Returns seconds since the handshake, if only one direction has data, apart from iperf3's greeting.
    pub fn age(&self) -> Option<f64> {
        let nothing = |names: &[&str]| names.iter().all(|name| self.number(name).unwrap_or(0.0) == 0.0);
        self.number("segs_out")?;
        let greeted =
            self.number("bytes_received") == Some(IPERF3_COOKIE_BYTES) && self.number("data_segs_in") == Some(1.0);
        let ms = if greeted || nothing(&["bytes_received", "data_segs_in"]) {
            self.number("lastrcv")
        } else if nothing(&["bytes_sent", "data_segs_out"]) {
            self.number("lastsnd")
        } else {
            None
        };
        // Nothing happened before the handshake.
        let ages = || ["lastsnd", "lastrcv", "lastack"].into_iter().filter_map(|name| self.number(name));
        ms.filter(|ms| ages().all(|age| age <= *ms)).map(|ms| ms / 1e3)
    }

    /// Returns the bytes that its program has not read, and seconds since the last of them came.
    pub fn unread(&self) -> Option<[f64; 2]> {
        Some([self.receive_queue, self.number("lastrcv")? / 1e3]).filter(|[bytes, _]| *bytes > 0.0)
    }

    /// True if its program has nothing to send, and everything sent was acknowledged.
    pub fn is_idle(&self) -> bool {
        let waits = self.send_queue > 0.0 || ["unacked", "notsent"].iter().any(|name| self.value(name).is_some());
        !self.is_excerpt() && !waits && self.flags.contains(&"app_limited")
    }

    /// True if the timer that probes a closed window runs: `ss -o` names it, else it backs off with nothing in flight.
    pub fn probes(&self) -> bool {
        let backs_off = self.number("backoff").is_some() && self.value("unacked").is_none();
        let timer = self.value("timer").filter(|timer| timer.starts_with("(persist,"));
        // Pacing may also leave nothing in flight: the timer then runs too, but never for long.
        let long = timer.is_some_and(|timer| timer.contains("sec") || timer.contains("min"));
        long || backs_off && (timer.is_some() || self.value("notsent").is_some())
    }

    /// Returns received segments without payload.
    pub fn acks(&self) -> Option<f64> {
        Some(self.number("segs_in")? - self.number("data_segs_in").unwrap_or(0.0))
    }

    pub fn bytes(&self, seen: Seen) -> Option<f64> {
        // ss leaves out zeros. Linux counts both segments and bytes since 4.2, so a count of segments implies one of
        // bytes.
        let name = if seen == Seen::Receiver { "bytes_received" } else { "bytes_acked" };
        self.number(name).or(self.left_out(self.number("segs_out")))
    }

    /// Returns retransmitted segments: the second number of `retrans`, which is printed if there are any.
    pub fn retransmitted(&self) -> Option<f64> {
        match self.value("retrans") {
            Some(both) => both.split_once('/').and_then(|(_, total)| leading(total)),
            None => self.left_out(self.number("segs_out")),
        }
    }

    /// Returns a count that Linux has since 4.19, as it has `bytes_sent`; ss leaves it out if it is 0.
    pub fn since_4_19(&self, name: &str) -> Option<f64> {
        self.number(name).or(self.left_out(self.number("bytes_sent")))
    }

    /// Returns segments with data, including retransmissions; if they are not printed, estimated from the retransmitted
    /// share of bytes.
    pub fn segments_sent(&self) -> Option<f64> {
        let by_bytes = || {
            let [sent, again] =
                [self.number("bytes_sent")?, self.number("bytes_retrans").filter(|bytes| *bytes > 0.0)?];
            Some(self.retransmitted()? * sent / again)
        };
        self.number("data_segs_out").or_else(by_bytes)
    }

    /// Returns milliseconds for which data was outstanding or a limit applied. Linux counts them since 4.10,
    /// `delivered` since 4.18, and ss leaves out zeros.
    pub fn spent(&self, name: &str) -> Option<f64> {
        let busy = self.number("busy").or_else(|| self.busy_by_share());
        let own = if name == "busy" { busy } else { self.number(name) };
        own.or(self.left_out(busy.or(self.number("delivered"))))
    }

    /// Returns `busy`, if it was cut off, from `rwnd_limited:146880ms(95.7%)`, whose share is of it.
    fn busy_by_share(&self) -> Option<f64> {
        ["rwnd_limited", "sndbuf_limited"].into_iter().find_map(|name| {
            let (ms, rest) = self.value(name)?.split_once("ms(")?;
            let share = leading(rest).filter(|percent| *percent > 0.0)? / 100.0;
            Some(leading(ms)? / share)
        })
    }

    /// Whether an option was negotiated; `None` unless `-o` printed any.
    pub fn flag(&self, name: &str) -> Option<bool> {
        let shown = self.flags.iter().any(|flag| HANDSHAKE_OPTIONS.contains(flag));
        shown.then(|| self.flags.contains(&name))
    }

    /// Returns packets delivered with an ECN mark.
    pub fn marks(&self) -> Option<f64> {
        self.number("delivered_ce").or(self.flag("ecn").filter(|&ecn| ecn).map(|_| 0.0))
    }

    /// Returns ECN marks over packets delivered.
    pub fn marked(&self) -> Option<f64> {
        let delivered = self.number("delivered").filter(|&delivered| delivered > 0.0)?;
        Some(self.marks()? / delivered)
    }

    /// Returns segments out of order over those received. Linux counts them since 5.4, which also has `snd_wnd`.
    pub fn out_of_order(&self) -> Option<f64> {
        let all = self.number("data_segs_in").filter(|&all| all > 0.0)?;
        let late = self.number("rcv_ooopack").or(self.number("snd_wnd").map(|_| 0.0))?;
        Some(late / all)
    }

    /// Returns the MSS that this end advertised. `advmss` is less by the room for timestamps
    /// (tcp_rcv_synsent_state_process). Timestamps are known from `-o`, or from what MTU and MSS leave for headers.
    pub fn advertised(&self) -> Option<f64> {
        let stamped = self.flag("ts").or_else(|| {
            let headers = self.number("pmtu")? - self.number("mss")?;
            let bare = if self.ends[0].starts_with('[') && !self.ends[0].contains('.') { 60.0 } else { 40.0 };
            Some(headers - bare).filter(|&rest| rest == 0.0 || rest == 12.0).map(|rest| rest > 0.0)
        });
        Some(self.number("advmss")? + if stamped? { 12.0 } else { 0.0 })
    }

    /// Returns a part of `skmem:(r0,rb131072,…)`, bytes.
    pub fn memory(&self, name: &str) -> Option<f64> {
        let parts = self.value("skmem")?.strip_prefix('(')?.trim_end_matches(')').split(',');
        parts
            .filter_map(|part| part.strip_prefix(name))
            .find_map(|rest| whole(rest).filter(|_| !rest.is_empty()))
            .map(|bytes| bytes as f64)
    }

    /// Returns a part of `bbr:(bw:11204336bps,mrtt:30.2,…)`.
    pub fn bbr(&self, name: &str) -> Option<f64> {
        let parts = self.value("bbr")?.strip_prefix('(')?.trim_end_matches(')').split(',');
        parts
            .filter_map(|part| part.split_once(':'))
            .find(|(known, _)| *known == name)
            .and_then(|(_, rest)| leading(rest))
    }

    /// Returns the state at the time of the screen. cwnd and ssthresh count packets. Send-Q is all data that is not
    /// acknowledged, `notsent` the part of it that was not sent.
    pub fn point(&self, seen: Seen, time: f64) -> Point {
        if seen != Seen::Sender {
            return Point { time, window: self.number("rcv_wnd"), ..Point::default() };
        }
        let packets = |name: &str| Some(self.number(name)? * self.number("mss")?);
        let unsent = self.since_4_19("notsent");
        // The queues are printed with the addresses.
        let queued = unsent.filter(|_| !self.is_excerpt());
        Point {
            time,
            cwnd: packets("cwnd"),
            ssthresh: packets("ssthresh"),
            srtt: self.number("rtt").map(|ms| ms / 1e3),
            rttvar: self.value("rtt").and_then(|both| leading(both.split_once('/')?.1)).map(|ms| ms / 1e3),
            in_flight: queued.map(|unsent| (self.send_queue - unsent).max(0.0)).or(packets("unacked")),
            window: self.number("snd_wnd"),
            unsent,
            quiet: self.number("lastack").map(|ms| ms / 1e3),
            ..Point::default()
        }
    }
}

/// True for a name such as `cubic` that is no option of the handshake.
fn is_algorithm(word: &str) -> bool {
    let named = word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte));
    named && word.starts_with(|c: char| c.is_ascii_lowercase()) && !HANDSHAKE_OPTIONS.contains(&word)
}
