//! Facts about a connection's path from outside its own counters, each with its origin.

use base::model;
use base::model::buffer::{self, Scaling};
use base::stats::percentile;
use evidence::platform::Platform;
use evidence::{CONGESTION_SETTINGS, Connection, End, Evidence, Host, Interface, Ping, Place, Setting, System};
use std::fmt::{self, Display, Formatter};
use std::net::IpAddr;

/// Path facts that the person states.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Given {
    /// Rate that the link should carry, bit/s.
    pub rate: Option<f64>,
    /// RTT of the idle path, seconds.
    pub rtt: Option<f64>,
}

/// A value and its origin.
#[derive(Debug, Clone, PartialEq)]
pub struct Known {
    /// Value in its unit.
    pub value: f64,
    /// Origin of the value.
    pub from: Origin,
}

/// Origin of a value, the most reliable first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The person who runs goodput.
    Given,
    /// The connection's own counters.
    Counted(Place),
    /// A ping near the connection.
    Pinged(Place),
    /// Output of `tracepath`, `traceroute` or `mtr`.
    Traced(Place),
    /// The experiment of a trial.
    Configured(Place),
    /// An interface of one of the hosts.
    Interface(Place),
}

impl Origin {
    /// Whether the value is only a bound: the path behind an interface may be slower.
    pub fn is_bound(&self) -> bool {
        matches!(self, Origin::Interface(_))
    }
}

impl Display for Origin {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Given => f.write_str("as given"),
            Origin::Counted(place) => write!(f, "{place}"),
            Origin::Pinged(place) => write!(f, "ping, {place}"),
            Origin::Traced(place) => write!(f, "traced, {place}"),
            Origin::Configured(place) => write!(f, "configured, {place}"),
            Origin::Interface(place) => write!(f, "link speed, {place}"),
        }
    }
}

impl Known {
    /// Returns the value if it is above 0 and finite.
    pub fn positive(value: f64, from: Origin) -> Option<Known> {
        (value > 0.0 && value.is_finite()).then_some(Known { value, from })
    }
}

/// A name and its origin.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// The name.
    pub name: String,
    /// Place of the name.
    pub from: String,
}

/// Returns the RTT of the idle path: as given, the connection's least, a ping's, a trace's, or the surrounding text's.
pub fn base_rtt(seen: &Connection, evidence: &Evidence, given: Given) -> Option<Known> {
    if let Some(rtt) = given.rtt {
        return Known::positive(rtt, Origin::Given);
    }
    let least = |ping: &Ping| ping.rtts.iter().copied().reduce(f64::min);
    let pings = pings(seen, evidence).filter_map(|ping| Some((&ping.place, least(ping)?)));
    let pinged = nearest(pings, &seen.place);
    if let Some(rtt) = seen.rtt_min.or(seen.rtt_base) {
        // A connection that fills a queue from its start on never sees the path without it; a ping before it does.
        let one_target = evidence.pings.windows(2).all(|pair| pair[0].target == pair[1].target);
        let of_path = |place: &Place| place.file == seen.place.file || one_target;
        let shorter = pinged.filter(|(place, ping)| *ping < rtt && of_path(place));
        return match shorter {
            Some((place, rtt)) => Known::positive(rtt, Origin::Pinged(place.clone())),
            None => Known::positive(rtt, Origin::Counted(seen.place.clone())),
        };
    }
    if let Some((place, rtt)) = pinged {
        return Known::positive(rtt, Origin::Pinged(place.clone()));
    }
    let traces = evidence.paths.iter().filter(|path| path.reached).filter_map(|path| Some((&path.place, path.rtt?)));
    let (place, rtt) = nearest(traces, &seen.place)?;
    Known::positive(rtt, Origin::Traced(place.clone()))
}

/// Returns the pings that may belong to a connection's path.
pub fn pings<'e>(seen: &'e Connection, evidence: &'e Evidence) -> impl Iterator<Item = &'e Ping> {
    evidence.pings.iter().filter(|ping| ping.may_be_of(seen))
}

/// Returns the median RTT of the nearest ping less its least, seconds.
pub fn jitter(seen: &Connection, evidence: &Evidence) -> Option<f64> {
    let pings = pings(seen, evidence).filter(|ping| ping.rtts.len() >= 3).map(|ping| (&ping.place, &ping.rtts));
    let (_, rtts) = nearest(pings, &seen.place)?;
    let least = rtts.iter().copied().reduce(f64::min)?;
    Some(percentile(rtts.clone(), 0.5)? - least)
}

/// Returns the rate that the link should carry: as given, or as the experiment of a trial configures it, else the slowest
/// interface speed of an end.
pub fn line_rate(seen: &Connection, evidence: &Evidence, given: Given) -> Option<Known> {
    if let Some(rate) = given.rate {
        return Known::positive(rate, Origin::Given);
    }
    if let Some(link) = &evidence.link_rate {
        return Known::positive(link.rate, Origin::Configured(link.place.clone()));
    }
    let rates = evidence.hosts.iter().filter_map(|host| interface_rate(host, seen));
    rates.min_by(|a, b| a.value.total_cmp(&b.value))
}

/// Returns the speed of the interface by which a connection leaves a host: the interface with one of its addresses,
/// else that of the default route, else the common speed of all.
fn interface_rate(host: &Host, seen: &Connection) -> Option<Known> {
    // veth reports 10 Gbit/s whatever it carries (veth_get_link_ksettings() in drivers/net/veth.c).
    let is_real = |device: &&Interface| device.kind.as_deref() != Some("veth");
    let fast = || host.interfaces.iter().filter(is_real).filter_map(|device| Some((device, device.rate?)));
    let known = |(device, rate): (&Interface, f64)| Known::positive(rate, Origin::Interface(device.place.clone()));
    let has_address = |device: &Interface| {
        let bare = |address: &str| address.split('/').next().and_then(|bare| bare.parse::<IpAddr>().ok());
        let own = |address: IpAddr| seen.addresses().is_some_and(|ends| ends.contains(&address));
        device.addresses.iter().filter_map(|address| bare(address)).any(own)
    };
    if let Some(own) = fast().find(|(device, _)| has_address(device)) {
        return known(own);
    }
    let default = host.routes.iter().find(|route| route.to == "default").and_then(|route| route.device.as_deref());
    if let Some(own) = fast().find(|(device, _)| Some(device.name.as_str()) == default) {
        return known(own);
    }
    let first = fast().next()?;
    fast().all(|(_, rate)| rate == first.1).then(|| known(first)).flatten()
}

/// Returns the item nearest before a place in its file, else the nearest behind it, else one in any file: people state
/// a figure before they use it.
fn nearest<'p, T: Copy>(all: impl Iterator<Item = (&'p Place, T)>, to: &Place) -> Option<(&'p Place, T)> {
    all.min_by_key(|(place, _)| (place.file != to.file, place.line > to.line, place.line.abs_diff(to.line)))
}

/// Returns the congestion control: as observed here or in another view of the same ends, else as the nearest setting
/// in the file chooses it.
pub fn control(seen: &Connection, evidence: &Evidence) -> Option<Named> {
    if let Some((name, place)) = named(seen).or_else(|| elsewhere(seen, evidence)) {
        return Some(Named { name: name.into(), from: place.to_string() });
    }
    let routes = evidence.hosts.iter().flat_map(|host| &host.routes).filter(|route| route.to == "default");
    let mut chosen = routes.flat_map(|route| route.attributes.iter().map(move |attribute| (attribute, &route.place)));
    if let Some(((_, name), place)) = chosen.find(|((key, _), _)| key == "congctl") {
        return Some(Named { name: name.clone(), from: place.to_string() });
    }
    let of_sender = evidence.hosts.iter().filter(|host| host.may_be(End::Sender));
    let chosen = of_sender.flat_map(|host| host.settings.iter().map(move |setting| (host, setting)));
    let chosen = chosen.filter(|(host, s)| {
        CONGESTION_SETTINGS.contains(&s.key.as_str()) && (host.end.is_some() || s.place.file == seen.place.file)
    });
    let chosen = chosen.map(|(_, setting)| setting);
    let (place, name) = nearest(chosen.map(|setting| (&setting.place, setting.value.as_str())), &seen.place)?;
    Some(Named { name: name.into(), from: place.to_string() })
}

fn named(seen: &Connection) -> Option<(&str, &Place)> {
    seen.congestion.as_deref().map(|name| (name, &seen.place))
}

/// Returns the name that all other views of the same ends with about as many bytes agree on: one of them is this
/// connection.
fn elsewhere<'e>(seen: &Connection, evidence: &'e Evidence) -> Option<(&'e str, &'e Place)> {
    let (ends, bytes) = (seen.ends?, seen.bytes?);
    let alike = |other: &&Connection| {
        other.ends == Some(ends) && other.bytes.is_some_and(|other| (0.5..2.0).contains(&(other / bytes)))
    };
    let mut known = evidence.connections.iter().filter(alike).filter_map(named);
    let first = known.next()?;
    known.all(|(name, _)| name == first.0).then_some(first)
}

/// Returns the last of a setting's three values.
pub fn third(setting: &Setting) -> Option<u64> {
    setting.value.split_whitespace().nth(2)?.parse().ok()
}

/// Returns how a host at a run turns a buffer into a window, if tcp_adv_win_scale is set; Linux 6.6 removed it.
pub fn scaling_at(host: &Host, run: &Place) -> Option<Scaling> {
    let scale = host.setting_at("net.ipv4.tcp_adv_win_scale", run).filter(|_| !host.since([6, 6]))?;
    scale.value.trim().parse().ok().map(Scaling::AdvWinScale)
}

/// Returns the receive window that the settings allow at a run, bytes: the receiver's settings, else those of a host
/// that may be the receiver.
pub fn allowed_window(seen: &Connection, evidence: &Evidence) -> Option<(f64, Place)> {
    let of = |host: &Host| {
        let rmem = host.setting_at("net.ipv4.tcp_rmem", &seen.place)?;
        let scaling = scaling_at(host, &seen.place).unwrap_or(Scaling::Ratio(buffer::DEFAULT_SCALING_RATIO));
        Some((buffer::window(third(rmem)?, scaling) as f64, rmem.place.clone()))
    };
    let hosts = || evidence.hosts.iter().filter(|host| host.may_be(End::Receiver));
    hosts().filter(|host| host.end.is_some()).find_map(of).or_else(|| hosts().find_map(of))
}

/// Returns the systems and versions of the hosts, each once; a current version if unknown.
pub fn platforms(hosts: &[Host]) -> Vec<Platform> {
    let usual = model::usual_platforms();
    let known = |system: System| hosts.iter().any(|host| host.system == Some(system));
    let version = |system: System| {
        let told = hosts.iter().filter(|host| host.system == Some(system));
        told.filter_map(|host| host.version.as_deref()?.parse().ok()).next_back()
    };
    let any = usual.iter().any(|platform| known(platform.system));
    usual
        .into_iter()
        .filter(|platform| !any || known(platform.system))
        .map(|platform| Platform { version: version(platform.system).unwrap_or(platform.version), ..platform })
        .collect()
}
