//! From a hypothesis at a point to an experiment: the template's text with its names filled in.

use super::predict::{Axis, Hypothesis, duration, is_bbr, mss, mtu, path_value};
use crate::facts::{Case, Run};
use crate::formula::{Interval, Kind};

/// Longest time that the lab runs, seconds.
const MAX_DURATION_S: f64 = 30.0;

/// Round trips and packets of a run that shows its mean, and the least time, seconds.
const MIN_ROUND_TRIPS: f64 = 40.0;
const MIN_PACKETS: f64 = 400e3;
const MIN_DURATION_S: f64 = 1.0;

/// RTT above which CUBIC's cubic curve decides; its K at a full line, with a margin, must fit into a run (RFC 9438, 4.2).
const CURVE_RTT_S: f64 = 0.02;
const CURVES: f64 = 2.2;

/// Rate that a link beside the bottleneck has at least, bit/s.
const FAST_RATE: f64 = 1e10;

/// Least and largest buffer of a path for which none is stated, bytes: 20 packets, and a GB.
const MIN_BUFFER_PACKETS: f64 = 20.0;
const MAX_BUFFER: f64 = 1e9;
/// RTT for which a buffer is sized at least, seconds.
const MIN_BUFFER_RTT_S: f64 = 0.002;

/// Core time of a trial without traffic, and of a packet with its ACK, seconds: docs/prove.md measures both.
const TRIAL_COST_S: f64 = 0.3;
const PACKET_COST_S: f64 = 4e-6;

/// An experiment of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    pub text: String,
    pub seeds: u32,
    /// Computed core time of its seeds, seconds.
    pub cost: f64,
    /// Whether first second and rest are asked for.
    pub wants_seconds: bool,
    /// Payload of a segment, bytes.
    pub mss: f64,
}

/// Writes a value of a kind as an experiment takes it.
fn written(kind: Kind, value: f64) -> String {
    let whole = |least: f64| value.round().max(least);
    match kind {
        Kind::Rate => format!("{} bit/s", whole(8.0)),
        Kind::Time => format!("{} ns", (value * 1e9).round().max(1.0)),
        Kind::Size => format!("{} B", whole(1.0)),
        Kind::Share => format!("{} %", three_digits(value * 100.0)),
        Kind::Count => format!("{}", whole(1.0)),
    }
}

/// Rounds to three digits, without exponent.
fn three_digits(value: f64) -> String {
    let rounded: f64 = format!("{value:.2e}").parse().unwrap_or(value);
    let text = format!("{rounded:.8}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns the experiment of a run at a point, or the first reason why there is none.
pub fn render(hypothesis: &Hypothesis, case: &Case, run: &Run, axes: &[Axis], point: &[f64]) -> Option<Trial> {
    let acts = hypothesis.acts_in(case, run);
    let template = if acts { hypothesis.template } else { hypothesis.line };
    let body = template.experiment.as_deref()?;
    let exact: Vec<Interval> = point.iter().map(|value| Interval::exactly(*value)).collect();
    let [rate, rtt] = ["rate", "rtt"].map(|name| path_value(case, run, axes, &exact, name).middle());
    let (mtu, mss) = (mtu(case, run), mss(case, run));
    let stated = run.facts.number("goodput");
    // A point may carry more than what is stated: the line alone usually does.
    let predicted = hypothesis.predict(case, run, axes, &exact).get("goodput").copied();
    let above = |end: fn(Interval) -> f64| {
        let stated = stated.map_or(rate, |goodput| goodput.high);
        stated.max(predicted.map_or(0.0, end)).min(rate)
    };
    let (expected, most) = (above(|goodput| goodput.low), above(|goodput| goodput.high));
    let time = lab_time(case, run, rate, rtt, expected);
    let usual = (rate * rtt.max(MIN_BUFFER_RTT_S) / 8.0).max(MIN_BUFFER_PACKETS * (mtu + 14.0)).min(MAX_BUFFER);
    let buffer = case.number(run, "buffer").map_or(usual, Interval::middle);
    let fast = if rate < FAST_RATE { FAST_RATE } else { rate * 10.0 };
    let mut names: Vec<(String, String)> = [
        ("rate", Kind::Rate, rate),
        ("fast", Kind::Rate, fast),
        ("rtt", Kind::Time, rtt),
        ("half", Kind::Time, rtt / 2.0),
        ("mtu", Kind::Size, mtu),
        ("buffer", Kind::Size, buffer),
        ("duration", Kind::Time, time),
    ]
    .map(|(name, kind, value)| (name.to_owned(), written(kind, value)))
    .to_vec();
    if acts {
        let values = hypothesis.values(case, run, axes, &exact);
        let own = &values[values.len() - template.parameters.len()..];
        names.extend(
            template.parameters.iter().zip(own).map(|(one, v)| (one.name.clone(), written(one.kind, v.middle()))),
        );
        let derived = template.derived.iter();
        names.extend(
            derived.map(|(name, kind, formula)| (name.clone(), written(*kind, formula.value(&values).middle()))),
        );
    }
    let mut text = body.replace("$PATH", PATH);
    let flow = flow(case, run, &after_flow(body), time);
    text = text.replace("$FLOW", &flow);
    if run.facts.has("offered") {
        text = without_tcp(&text);
    }
    if run.facts.has("ping") {
        text += PING;
    }
    if let Some(most) =
        run.facts.number("receive-max").filter(|_| !body.contains("[hosts") && !body.contains("receive-buffer"))
    {
        let most = most.middle().round();
        /// Default of tcp_wmem[2], bytes.
        const SEND_MAX: f64 = 4_194_304.0;
        let (rmem, wmem) = (format!("4096 131072 {most}"), format!("4096 16384 {}", most.max(SEND_MAX)));
        text = format!(
            "[hosts]\nsysctl = {{ \"net.ipv4.tcp_rmem\" = \"{rmem}\", \"net.ipv4.tcp_wmem\" = \"{wmem}\" }}\n{text}"
        );
    }
    // The longest first: a name may begin with another.
    names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    for (name, value) in &names {
        text = text.replace(&format!("${name}"), value);
    }
    let seeds = if acts { template.seeds } else { 1 };
    let packets = most * time / (8.0 * mss);
    let title = evidence::plain::line(&hypothesis.template.name).replace('"', "'");
    Some(Trial {
        text: format!("title = \"{title}\"\n{}\n[repeat]\nseeds = {seeds}\n", text.trim_start()),
        seeds,
        cost: f64::from(seeds) * (TRIAL_COST_S + PACKET_COST_S * packets),
        wants_seconds: run.facts.has("early") || run.facts.has("late"),
        mss,
    })
}

const PATH: &str = "[path]\nrate = \"$rate\"\nrtt = \"$rtt\"\nbuffer = \"$buffer\"\nmtu = \"$mtu\"";
const PING: &str = "\n[[flows]]\nname = \"ping\"\nkind = \"ping\"\nfrom = \"sender\"\nto = \"receiver\"\n\
                    interval = \"50 ms\"\nduration = \"$duration\"\n";

/// Returns the time that the lab runs: long enough for the mean, at most that of the run.
fn lab_time(case: &Case, run: &Run, rate: f64, rtt: f64, expected: f64) -> f64 {
    let whole = duration(case, run);
    if run.facts.number("goodput").is_none() {
        return whole.min(MAX_DURATION_S);
    }
    let mtu = mtu(case, run);
    /// Share of a full window that CUBIC grows back from: 0.3 / 0.4 of W (RFC 9438, 4.2).
    const CURVE_SHARE: f64 = 0.75;
    let curve = CURVES * (CURVE_SHARE * rate * rtt / 8.0 / (mtu - 52.0)).cbrt();
    let least = [
        MIN_ROUND_TRIPS * rtt,
        MIN_DURATION_S,
        if rtt > CURVE_RTT_S && !is_bbr(case, run) { curve } else { 0.0 },
        MIN_PACKETS * 8.0 * (mtu - 52.0) / expected.max(1e5),
    ];
    whole.min(least.into_iter().fold(0.0, f64::max)).min(MAX_DURATION_S)
}

/// Returns the keys that the template sets after $FLOW.
fn after_flow(body: &str) -> String {
    let after = body.split("$FLOW").nth(1).unwrap_or("");
    after.split("\n[").next().unwrap_or("").to_owned()
}

/// Returns the flow of a run, without keys that the template sets.
fn flow(case: &Case, run: &Run, set: &str, time: f64) -> String {
    let number = |name: &str| run.facts.number(name).map(Interval::middle);
    let whole = duration(case, run);
    let mut keys = vec![("count", format!("{}", case.streams(run).round())), ("duration", "\"$duration\"".to_owned())];
    let is_requests = set.contains("requests");
    /// Share of the lab's time that is left out where it is much shorter than the run's: slow start would decide.
    const OMITTED_SHARE: f64 = 1.0 / 3.0;
    if let Some(offered) = number("offered") {
        /// Payload of a datagram where none is stated, bytes: iperf3 takes the path's MTU.
        const USUAL_DATAGRAM: f64 = 1300.0;
        keys.push(("kind", "\"udp\"".into()));
        keys.push(("rate", format!("\"{} bit/s\"", offered.round())));
        keys.push(("size", format!("\"{} B\"", number("datagram").unwrap_or(USUAL_DATAGRAM).round())));
    } else {
        if time < whole / 2.0 && !is_requests {
            keys.push(("omit", format!("\"{} ns\"", (time * OMITTED_SHARE * 1e9).round())));
        }
        if let Some(mss) = number("mss") {
            // The key is what TCP announces: with the 12 B of timestamps.
            let most = mtu(case, run) - 40.0;
            keys.push(("mss", format!("\"{} B\"", (mss + 12.0).min(most).round())));
        }
        if let Some(control) = case.label(run, "congestion") {
            keys.push(("congestion", format!("\"{}\"", control.replace(['"', '\\'], ""))));
        }
        let window = number("window").map(|size| format!("\"{} B\"", size.round()));
        keys.extend(window.clone().map(|window| ("receive-buffer", window)));
        let own = number("send-buffer").map(|size| format!("\"{} B\"", size.round()));
        keys.extend(own.or(window).map(|size| ("send-buffer", size)));
    }
    let is_set = |key: &str| set.lines().any(|line| line.split('=').next().is_some_and(|name| name.trim() == key));
    let lines: Vec<String> =
        keys.iter().filter(|(key, _)| !is_set(key)).map(|(key, value)| format!("{key} = {value}")).collect();
    format!("[[flows]]\nname = \"x\"\n{}", lines.join("\n"))
}

/// Removes keys that a UDP flow has not.
fn without_tcp(text: &str) -> String {
    const TCP_KEYS: [&str; 4] = ["receive-buffer", "send-buffer", "read-rate", "slow-start-ends"];
    let is_tcp = |line: &&str| line.split('=').next().is_some_and(|name| TCP_KEYS.contains(&name.trim()));
    text.lines().filter(|line| !is_tcp(line)).map(|line| format!("{line}\n")).collect()
}
