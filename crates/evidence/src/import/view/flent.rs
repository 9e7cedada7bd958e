//! Reads flent's data files (`.flent.gz`, version 4): TCP's series, ping beside and before them, the host's settings.
//!
//! Rates are Mbit/s, RTTs milliseconds, cwnd packets of the series' `TCP_MSS`. netperf measures: an upload is what its
//! program wrote. Ping begins seconds before the transfers: until then it is the idle path's.

use super::json::{self, number};
use crate::import::Page;
use crate::{Connection, End, Evidence, Host, Ping, Place, Point, Seen, Setting, Source};
use serde_json::{Map, Value};

pub(super) fn read(page: &mut Page<'_>, evidence: &mut Evidence) {
    json::objects(page, &["\"metadata\""], |document, place| {
        let is_flent = document["x_values"].is_array() && document["metadata"]["FLENT_VERSION"].is_string();
        is_flent && take(document, place, evidence).is_some()
    });
}

fn take(document: &Value, place: &Place, evidence: &mut Evidence) -> Option<()> {
    let test = Test {
        times: document["x_values"].as_array()?.iter().map(|time| time.as_f64().unwrap_or(f64::NAN)).collect(),
        results: document["results"].as_object()?,
        metadata: &document["metadata"],
        place,
    };
    let group = evidence.next_group();
    let began = test.flows().filter_map(|(name, _)| test.measured(name).next()).map(|(time, _)| time).reduce(f64::min);
    let pings: Vec<(f64, f64)> = test
        .results
        .keys()
        .find(|name| name.starts_with("Ping (ms)"))
        .map_or(vec![], |name| test.measured(name).map(|(time, ms)| (time, ms / 1e3)).collect());
    // The first interval of a transfer begins before its value stands.
    let idle = pings.iter().filter(|(time, _)| began.is_none_or(|began| *time < began - BEFORE_START_S));
    let idle: Vec<f64> = idle.map(|(_, rtt)| *rtt).collect();
    let least = idle.iter().copied().reduce(f64::min);
    for (name, seen) in test.flows() {
        let Some(mut connection) = test.connection(name, seen, &pings) else { continue };
        connection.group = group;
        connection.rtt_base = least;
        evidence.connections.push(connection);
    }
    if !idle.is_empty() {
        evidence.pings.push(test.ping(idle));
    }
    evidence.hosts.extend(test.host());
    Some(())
}

/// Pings this close before the first value of a transfer may have met its packets, seconds.
const BEFORE_START_S: f64 = 0.5;

struct Test<'a> {
    times: Vec<f64>,
    results: &'a Map<String, Value>,
    metadata: &'a Value,
    place: &'a Place,
}

impl<'a> Test<'a> {
    /// The series of single TCP flows, with the end that flent is.
    fn flows(&self) -> impl Iterator<Item = (&'a str, Seen)> {
        let metadata = self.metadata;
        self.results.keys().filter_map(move |name| {
            let is_flow = name.starts_with("TCP ") && metadata["SERIES_META"][name]["UNITS"] == "Mbits/s";
            match () {
                () if is_flow && name.contains("upload") => Some((name.as_str(), Seen::Sender)),
                () if is_flow && name.contains("download") => Some((name.as_str(), Seen::Receiver)),
                () => None,
            }
        })
    }

    /// Times and values of a series, without its gaps.
    fn measured(&self, name: &str) -> impl Iterator<Item = (f64, f64)> {
        let values = self.results.get(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let values = self.times.iter().zip(values).filter_map(|(time, value)| Some((*time, value.as_f64()?)));
        values.filter(|(time, value)| time.is_finite() && value.is_finite() && *value >= 0.0)
    }

    fn at(&self, name: &str, time: f64) -> Option<f64> {
        let near = self.times.partition_point(|one| *one < time);
        let value = self.results.get(name)?.as_array()?.get(near)?.as_f64()?;
        (value.is_finite() && value >= 0.0).then_some(value)
    }

    fn connection(&self, name: &str, seen: Seen, pings: &[(f64, f64)]) -> Option<Connection> {
        let about = &self.metadata["SERIES_META"][name];
        let mut connection = Connection::new(self.place.clone(), Source::Flent, name, seen);
        let mss = number(about, "TCP_MSS").filter(|mss| *mss > 0.0);
        let of = |what: &str, time: f64| self.at(&format!("{name}::{what}"), time);
        let has_rtts = self.results.contains_key(&format!("{name}::tcp_rtt"));
        let mut rates = self.measured(name);
        let (first, _) = rates.next()?;
        connection.points.push(Point { time: first, ..Point::default() });
        for (time, rate) in rates {
            let before = connection.points.last().map_or(first, |last| last.time);
            if time <= before {
                continue;
            }
            let ping = || pings.get(pings.partition_point(|(at, _)| *at < time)).map(|(_, rtt)| *rtt);
            let srtt = of("tcp_rtt", time).map(|ms| ms / 1e3).filter(|rtt| *rtt > 0.0);
            connection.points.push(Point {
                time,
                bytes: Some(rate * 1e6 / 8.0 * (time - before)),
                cwnd: of("tcp_cwnd", time).zip(mss).map(|(packets, mss)| packets * mss),
                srtt: if has_rtts { srtt } else { ping() },
                rttvar: of("tcp_rtt_var", time).map(|ms| ms / 1e3),
                ..Point::default()
            });
        }
        let end = connection.points.last()?.time;
        if end <= first {
            return None;
        }
        let bytes: f64 = connection.points.iter().filter_map(|point| point.bytes).sum();
        connection.span = Some([first, end]);
        connection.bytes = Some(bytes);
        connection.goodput = Some(8.0 * bytes / (end - first));
        connection.written = seen == Seen::Sender;
        connection.mss = mss;
        connection.pmtu = number(about, "TCPI_PMTU").filter(|mtu| *mtu > 0.0);
        connection.congestion = about["CONG_CONTROL"].as_str().filter(|name| !name.is_empty()).map(str::to_owned);
        if seen == Seen::Sender {
            connection.retransmitted = number(about, "TCPI_TOTAL_RETRANS");
        }
        Some(connection)
    }

    fn ping(&self, rtts: Vec<f64>) -> Ping {
        let target = self.metadata["HOST"].as_str().unwrap_or("the host").to_owned();
        let count = Some(rtts.len() as u64);
        let address = target.parse().ok();
        Ping {
            place: self.place.clone(),
            target,
            address,
            payload: None,
            whole: false,
            sent: None,
            answered: count,
            rtts,
            too_big: None,
        }
    }

    /// The settings of the host that flent ran on, the sender's if every flow is an upload.
    fn host(&self) -> Option<Host> {
        let sysctls = self.metadata["SYSCTLS"].as_object().filter(|all| !all.is_empty())?;
        let value = |value: &Value| match value {
            Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
            other => other.to_string(),
        };
        let settings =
            sysctls.iter().map(|(key, held)| Setting::new(self.place.clone(), key.clone(), value(held))).collect();
        let end = match self.flows().map(|(_, seen)| seen).collect::<Vec<_>>() {
            all if all.is_empty() => None,
            all if all.iter().all(|seen| *seen == Seen::Sender) => Some(End::Sender),
            all if all.iter().all(|seen| *seen == Seen::Receiver) => Some(End::Receiver),
            _ => None,
        };
        let is_linux = self.metadata["KERNEL_NAME"] == "Linux";
        Some(Host {
            place: self.place.clone(),
            end,
            system: is_linux.then_some(crate::System::Linux),
            other_system: None,
            version: self.metadata["KERNEL_RELEASE"].as_str().map(str::to_owned),
            settings,
            interfaces: vec![],
            routes: vec![],
            counters: vec![],
            tunnels: vec![],
        })
    }
}
