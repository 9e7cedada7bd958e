//! Changes of a FreeBSD host as the script of `host/` takes them: kind, subject, value.

use diagnosis::remedy::{Attribute, Change, Remedy, catalogue};

/// Returns the settings of a change, each with its word; `None` if `goodput apply` does not make the change there.
pub fn items(word: &str, remedy: &Remedy) -> Option<Vec<(String, [String; 3])>> {
    let item = |kind: &str, subject: String, value: String| (word.to_owned(), [kind.to_owned(), subject, value]);
    let key = || remedy.key().map(str::to_owned);
    let platform = remedy.platform.as_ref()?;
    Some(match &remedy.change {
        Change::Sysctl { value, .. } => vec![item("sysctl", key()?, value.clone())],
        Change::Congestion(name) | Change::Stack(name) => vec![item("sysctl", key()?, (*name).into())],
        Change::Raise { least, .. } => vec![item("raise", key()?, least.to_string())],
        // The cap of the socket's buffer comes first.
        Change::Autotuning { side, floor, .. } => {
            let raised = |own: Remedy| {
                let least = match own.change {
                    Change::Raise { least, .. } => least,
                    _ => *floor,
                };
                Some(item("raise", own.key()?.to_owned(), least.to_string()))
            };
            catalogue::buffer(*side, *floor, platform).into_iter().map(raised).collect::<Option<_>>()?
        }
        Change::Mtu { device, bytes } => vec![item("ifmtu", device.clone(), (*bytes)?.to_string())],
        Change::OffloadsOff { device, features } => {
            let options = features.iter().flat_map(|feature| feature.options());
            let off = |(option, flag): &(&str, &str)| {
                (
                    format!("{option}@{device}=off"),
                    ["ifoption".into(), format!("{device} {option} {flag}"), "off".into()],
                )
            };
            options.map(off).collect()
        }
        Change::Route { route, attribute: Attribute::Mtu, value } => {
            let family = if route.ipv6 { 6 } else { 4 };
            let way = match (&route.via, &route.interface) {
                (Some(via), _) => format!(" {via}"),
                (None, Some(interface)) => format!(" -interface {interface}"),
                (None, None) => String::new(),
            };
            vec![item("ifroute", format!("{family} {}{way}", route.prefix), value.clone())]
        }
        Change::ForgetMetrics => vec![item("hostcache", "-".into(), "-".into())],
        _ => return None,
    })
}
