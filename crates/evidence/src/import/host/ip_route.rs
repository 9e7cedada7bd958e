//! Reads `ip route`, and the metrics that the kernel caches for peers.

use super::draft::Draft;
use super::row::HostRow;
use crate::{Route, System};
use std::net::IpAddr;

/// Route types; a route without a type is `unicast`.
const TYPES: &[&str] =
    &["anycast", "blackhole", "broadcast", "local", "multicast", "prohibit", "throw", "unicast", "unreachable"];

/// Keys that precede a value (iproute2, ip/iproute.c and ip/tcp_metrics.c).
const KEYS: &[&str] = &[
    "advmss",
    "age",
    "cc",
    "congctl",
    "cwnd",
    "dev",
    "encap",
    "error",
    "expires",
    "fastopen_no_cookie",
    "features",
    "fo_cookie",
    "fo_mss",
    "from",
    "hoplimit",
    "iif",
    "initcwnd",
    "initrwnd",
    "metric",
    "mtu",
    "nexthop",
    "nhid",
    "pref",
    "proto",
    "quickack",
    "realm",
    "realms",
    "reordering",
    "rto_min",
    "rtt",
    "rttvar",
    "scope",
    "source",
    "src",
    "ssthresh",
    "table",
    "tos",
    "uid",
    "via",
    "weight",
    "window",
];

const FLAGS: &[&str] = &["cache", "dead", "linkdown", "offload", "onlink", "pervasive", "trap"];

pub(super) fn read(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let row = &rows[0];
    if row.prompt {
        return 0;
    }
    let mut words = row.words().peekable();
    let kind = words.next_if(|word| TYPES.contains(word));
    let Some(to) = words.next().filter(|to| *to == "default" || is_address(to)) else { return 0 };
    let Some(pairs) = pairs(words) else { return 0 };
    let told = |key: &str| pairs.iter().any(|(known, _)| *known == key);
    let cached = told("age") || told("source");
    let next = rows.get(1).filter(|next| is_further(next));
    if !(told("dev") || told("via") || cached || kind.is_some() || next.is_some_and(|next| next.first() == "nexthop")) {
        return 0;
    }
    draft.seen(System::Linux);
    let place = draft.place(row.index);
    let mut route = Route { place, to: to.to_owned(), via: None, device: None, mtu: None, attributes: vec![] };
    if let Some(kind) = kind.filter(|kind| *kind != "unicast") {
        route.attributes.push(("type".to_owned(), kind.to_owned()));
    }
    fill(&mut route, row.index, &pairs, draft);
    if cached {
        route.attributes.push(("metrics".to_owned(), "cached".to_owned()));
    }
    let mut taken = 1;
    for further in rows[1..].iter().take_while(|row| is_further(row)) {
        let Some(pairs) = self::pairs(further.words()) else { break };
        fill(&mut route, further.index, &pairs, draft);
        taken += 1;
    }
    draft.host.routes.push(route);
    taken
}

/// True for an IP address or prefix: `10.0.0.0/8`, `fe80::1`.
pub(super) fn is_address(word: &str) -> bool {
    let (address, length) = word.split_once('/').unwrap_or((word, "0"));
    address.parse::<IpAddr>().is_ok() && length.parse::<u8>().is_ok()
}

fn is_further(row: &HostRow<'_>) -> bool {
    !row.prompt && row.indented() && matches!(row.first(), "nexthop" | "cache")
}

/// Returns keys with their values, and `lock` with KEY as its value for `KEY lock`; `None` if a word is neither.
fn pairs<'a>(words: impl Iterator<Item = &'a str>) -> Option<Vec<(&'a str, &'a str)>> {
    let mut words = words.peekable();
    let mut pairs = vec![];
    while let Some(word) = words.next() {
        if word == "nexthop" || FLAGS.contains(&word) {
            pairs.push((word, ""));
        } else if KEYS.contains(&word) {
            if words.next_if_eq(&"lock").is_some() {
                pairs.push(("lock", word));
            }
            if word == "via" {
                words.next_if(|word| matches!(*word, "inet" | "inet6"));
            }
            pairs.push((word, words.next()?));
        } else if !(word.starts_with('<') && word.ends_with('>')) {
            return None;
        }
    }
    Some(pairs)
}

fn fill(route: &mut Route, index: usize, pairs: &[(&str, &str)], draft: &mut Draft<'_>) {
    for (key, value) in pairs {
        match *key {
            "via" if route.via.is_none() => route.via = Some((*value).to_owned()),
            "dev" if route.device.is_none() => route.device = Some((*value).to_owned()),
            "mtu" => route.mtu = draft.number(index, "the MTU", value),
            "nexthop" | "cache" => {}
            _ => route.attributes.push(((*key).to_owned(), (*value).to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{host, read};

    fn attribute<'a>(route: &'a super::Route, key: &str) -> Option<&'a str> {
        route.attributes.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// iproute2 6.1 on Linux 6.18.
    #[test]
    fn routes_have_their_attributes() {
        let host = host(
            "default via 192.0.2.1 dev eth0 \n10.0.0.0/24 dev v1 proto kernel scope link src 10.0.0.1 \n\
             10.4.0.0/16 via 10.0.0.2 dev v1 mtu 1400 ssthresh 100 advmss 1360 initcwnd 20 features ecn rto_min lock 50ms congctl cubic \n\
             10.5.0.0/16 via 10.0.0.2 dev v1 mtu lock 1300 window 65535 initrwnd 30 quickack 1 \n\
             10.6.0.0/16 \n\tnexthop via 10.0.0.2 dev v1 weight 1 \n\tnexthop via 10.0.0.3 dev v1 weight 1 \n\
             blackhole 10.7.0.0/16 \n10.4.1.1 via 10.0.0.2 dev v1 src 10.0.0.1 uid 0 \n    cache expires 300sec mtu 1300 \n",
        );
        let [default, local, tuned, locked, many, hole, got] = &host.routes[..] else { panic!("{host:?}") };
        assert_eq!(
            (default.to.as_str(), default.via.as_deref(), default.device.as_deref()),
            ("default", Some("192.0.2.1"), Some("eth0"))
        );
        assert_eq!((local.via.as_deref(), attribute(local, "src")), (None, Some("10.0.0.1")));
        assert_eq!(
            (tuned.mtu, attribute(tuned, "advmss"), attribute(tuned, "initcwnd")),
            (Some(1400), Some("1360"), Some("20"))
        );
        assert_eq!((attribute(tuned, "rto_min"), attribute(tuned, "lock")), (Some("50ms"), Some("rto_min")));
        assert_eq!((attribute(tuned, "congctl"), attribute(tuned, "ssthresh")), (Some("cubic"), Some("100")));
        assert_eq!((locked.mtu, attribute(locked, "lock")), (Some(1300), Some("mtu")));
        assert_eq!((many.via.as_deref(), attribute(many, "via")), (Some("10.0.0.2"), Some("10.0.0.3")));
        assert_eq!(attribute(hole, "type"), Some("blackhole"));
        assert_eq!((got.to.as_str(), got.mtu, attribute(got, "expires")), ("10.4.1.1", Some(1300), Some("300sec")));
    }

    #[test]
    fn cached_metrics_of_a_peer_are_marked_cached() {
        let host = host("203.0.113.80 age 193.408sec cwnd 19 ssthresh 12 rtt 1883us rttvar 2666us source 192.0.2.2\n");
        let route = &host.routes[0];
        assert_eq!((route.to.as_str(), route.device.as_deref()), ("203.0.113.80", None));
        assert_eq!((attribute(route, "metrics"), attribute(route, "ssthresh")), (Some("cached"), Some("12")));
    }

    #[test]
    fn prose_is_no_route() {
        for text in
            ["default", "default via the gateway", "10.0.0.1", "10.0.0.1 is dev eth0", "10.0.0.1 mtu 1400", "local dev"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
