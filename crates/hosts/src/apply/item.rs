//! A change as the script of `host/` takes it: kind, subject, value.

use base::model::tunnel;
use diagnosis::remedy::{Change, Discipline, Remedy, Side, catalogue};

/// A change of a host, and its typed form.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// Typed form: `net.ipv4.tcp_congestion_control=bbr`.
    pub word: String,
    pub remedy: Remedy,
    /// Kind, subject and value.
    pub(super) item: [String; 3],
}

/// The reach of a change: one destination, one device, or all connections of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    Destination,
    Device,
    Host,
}

impl Asked {
    pub fn reach(&self) -> Reach {
        match self.remedy.change {
            Change::Route { .. } => Reach::Destination,
            Change::Qdisc { .. } | Change::OffloadsOff { .. } | Change::Mtu { .. } => Reach::Device,
            _ => Reach::Host,
        }
    }

    /// Creates a change of a Linux host; `None` if it is not one.
    pub fn of_linux(word: String, remedy: Remedy) -> Option<Asked> {
        let item = item(&remedy)?;
        Some(Asked { word, remedy, item })
    }
}

fn item(remedy: &Remedy) -> Option<[String; 3]> {
    let three = |kind: &str, subject: String, value: String| Some([kind.to_owned(), subject, value]);
    let key = || remedy.key().map(sysctl);
    match &remedy.change {
        Change::Sysctl { value, .. } => three("file", key()?, value.clone()),
        Change::Raise { least, .. } => three("least", key()?, least.to_string()),
        Change::Congestion(name) => three("file", key()?, (*name).into()),
        Change::TcpMemory => three("memory", key()?, "-".into()),
        Change::Autotuning { side, window, floor } => three("third", key()?, space(remedy, *side, *window, *floor)?),
        Change::Parameter { module, name, value } => {
            three("file", format!("/sys/module/{module}/parameters/{name}"), (*value).into())
        }
        Change::Qdisc { device, discipline } => three("qdisc", device.clone(), tc(*discipline)?),
        Change::Route { route, attribute, value } => {
            let family = if route.ipv6 { 6 } else { 4 };
            let way = [("via", &route.via), ("dev", &route.interface)];
            let way: String =
                way.iter().filter_map(|(name, value)| Some(format!(" {name} {}", value.as_ref()?))).collect();
            three("route", format!("{family} {} {}{way}", route.prefix, attribute.word()), value.clone())
        }
        Change::MssClamp(mtu) => {
            let [four, six] = [false, true].map(|ipv6| tunnel::mss(*mtu, ipv6));
            three("clamp", "-".into(), format!("{four} {six}"))
        }
        Change::OffloadsOff { device, features } => {
            let [feature] = features else { return None };
            three("offload", format!("{device} {} {}", feature.word(), feature.ethtool()?), "off".into())
        }
        Change::Mtu { device, bytes } => three("mtu", device.clone(), (*bytes)?.to_string()),
        Change::ForgetMetrics => three("once", "-".into(), "-".into()),
        Change::Stack(_)
        | Change::Socket(_)
        | Change::Streams(_)
        | Change::BottleneckBuffer(_)
        | Change::Words { .. } => None,
    }
}

fn space(remedy: &Remedy, side: Side, window: u64, floor: u64) -> Option<String> {
    Some(catalogue::space(side, window, remedy.platform.as_ref()?).max(floor).to_string())
}

fn sysctl(key: &str) -> String {
    format!("/proc/sys/{}", key.replace('.', "/"))
}

fn tc(discipline: Discipline) -> Option<String> {
    Some(match discipline {
        Discipline::Fq => "fq".into(),
        Discipline::Cake(rate) => format!("cake bandwidth {}kbit", rate? / 1000),
        Discipline::Tbf(rate) => format!("tbf rate {}kbit burst 16kb latency 50ms", rate? / 1000),
    })
}
