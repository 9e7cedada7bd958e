//! Reads the JSON of iproute2 and ethtool, a list of objects, and of nstat, an object of objects.

use super::draft::Draft;
use super::ip_link::kind;
use super::row::HostRow;
use crate::{Route, System};
use serde_json::{Map, Value};

type Object = Map<String, Value>;

pub(super) fn read(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    if draft.endless || !begins(rows) {
        return 0;
    }
    let (mut taken, mut known) = (0, false);
    let mut scan = Scan::default();
    for row in rows.iter().take_while(|row| !row.prompt) {
        taken += 1;
        scan.line(row, |index, text| {
            let object = serde_json::from_str::<Object>(text).ok();
            known |= object.is_some_and(|object| take(&object, index, draft));
        });
        if scan.depth == 0 {
            return if known { taken } else { 0 };
        }
    }
    if known {
        draft.wrong(rows[taken - 1].index, "the JSON is truncated");
        return taken;
    }
    draft.endless = true;
    0
}

/// True if a list of objects begins here, or `{"kernel":`.
fn begins(rows: &[HostRow<'_>]) -> bool {
    let row = &rows[0];
    let text = row.text.trim_start();
    if row.prompt || !text.starts_with(['[', '{']) {
        return false;
    }
    let texts = rows.iter().take(3).flat_map(|row| row.text.bytes()).filter(|b| !b.is_ascii_whitespace());
    let start: Vec<u8> = texts.take(10).collect();
    start.starts_with(b"[{\"") || start.starts_with(b"{\"kernel\":")
}

/// Cuts a document into its objects: the list's elements, or the document itself.
#[derive(Default)]
struct Scan {
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// True if the document is a list.
    is_list: bool,
    object: String,
    index: usize,
}

impl Scan {
    fn line(&mut self, row: &HostRow<'_>, mut whole: impl FnMut(usize, &str)) {
        let mut kept = 0;
        let text = row.text;
        for (at, byte) in text.bytes().enumerate() {
            if self.in_string {
                self.in_string = self.escaped || byte != b'"';
                self.escaped = !self.escaped && byte == b'\\';
                continue;
            }
            match byte {
                b'"' => self.in_string = true,
                b'[' | b'{' => {
                    if self.depth == 0 {
                        self.is_list = byte == b'[';
                    }
                    if byte == b'{' && self.depth == usize::from(self.is_list) {
                        self.object.clear();
                        (kept, self.index) = (at, row.index);
                    }
                    self.depth += 1;
                }
                b']' | b'}' => {
                    self.depth = self.depth.saturating_sub(1);
                    if byte == b'}' && self.depth == usize::from(self.is_list) {
                        self.object.push_str(&text[kept..=at]);
                        whole(self.index, &self.object);
                        kept = at + 1;
                    }
                    if self.depth == 0 {
                        return;
                    }
                }
                _ => {}
            }
        }
        self.object.push_str(&text[kept..]);
        self.object.push('\n');
    }
}

/// Reads one object; true if its kind is known.
fn take(object: &Object, index: usize, draft: &mut Draft<'_>) -> bool {
    let known = if let Some(name) = string(object, "ifname").or_else(|| ethtool_name(object)) {
        interface(object, name, index, draft);
        true
    } else if let Some(to) = string(object, "dst") {
        draft.host.routes.push(route(object, to, index, draft));
        true
    } else if let Some(Value::Object(counters)) = object.get("kernel") {
        for (name, value) in counters {
            if let Some(value) = value.as_u64() {
                draft.counter(index, name, value);
            }
        }
        true
    } else {
        false
    };
    if known {
        draft.seen(System::Linux);
    }
    known
}

fn string<'a>(object: &'a Object, key: &str) -> Option<&'a str> {
    object.get(key).and_then(Value::as_str)
}

/// Returns the name in ethtool's objects, which sometimes lack `ifname`.
fn ethtool_name(object: &Object) -> Option<&str> {
    object.get("features")?.as_object()?;
    string(object, "name")
}

fn number(object: &Object, key: &str) -> Option<u32> {
    object.get(key).and_then(Value::as_u64).and_then(|number| number.try_into().ok())
}

fn object<'a>(object: &'a Object, key: &str) -> Option<&'a Object> {
    object.get(key).and_then(Value::as_object)
}

fn objects<'a>(object: &'a Object, key: &str) -> impl Iterator<Item = &'a Object> {
    object.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object)
}

fn interface(link: &Object, name: &str, index: usize, draft: &mut Draft<'_>) {
    if let Some(qdisc) = string(link, "qdisc") {
        draft.qdisc(index, name, qdisc);
    }
    let known = draft.interface(index, name);
    known.mtu = number(link, "mtu").or(known.mtu);
    known.master = string(link, "master").map(str::to_owned).or(known.master.take());
    if let Some(info) = object(link, "linkinfo") {
        let printed = string(info, "info_kind");
        known.kind = printed.map(|printed| kind(printed).unwrap_or(printed).to_owned()).or(known.kind.take());
        let mode = object(info, "info_data").and_then(|data| string(data, "mode"));
        known.bond_mode = mode.filter(|_| printed == Some("bond")).map(str::to_owned).or(known.bond_mode.take());
    }
    for address in objects(link, "addr_info") {
        if let (Some(local), Some(length)) = (string(address, "local"), number(address, "prefixlen")) {
            known.addresses.push(format!("{local}/{length}"));
        }
    }
    let features = object(link, "features").unwrap_or(link);
    for (feature, state) in features.iter().filter_map(|(name, value)| Some((name, value.as_object()?))) {
        if let Some(on) = state.get("active").and_then(Value::as_bool) {
            let fixed = state.get("fixed").and_then(Value::as_bool).unwrap_or(false);
            draft.offload(index, name, feature, on, fixed);
        }
    }
    if let Some(stats) = object(link, "stats64").or_else(|| object(link, "stats")) {
        for (direction, counters) in stats.iter().filter_map(|(name, value)| Some((name, value.as_object()?))) {
            for (counter, value) in counters.iter().filter_map(|(name, value)| Some((name, value.as_u64()?))) {
                draft.count(index, name, format!("{direction}_{counter}"), value);
            }
        }
    }
}

/// Attributes whose names differ between iproute2's JSON and its text.
const NAMES: &[(&str, &str)] = &[("congestion", "congctl"), ("prefsrc", "src"), ("protocol", "proto")];

fn route(told: &Object, to: &str, index: usize, draft: &Draft<'_>) -> Route {
    let hops: Vec<&Object> = objects(told, "nexthops").collect();
    let first = hops.first().copied().unwrap_or(told);
    let owned = |key: &str| string(told, key).or_else(|| string(first, key)).map(str::to_owned);
    let kind = string(told, "type").filter(|kind| *kind != "unicast").map(|kind| ("type".to_owned(), kind.to_owned()));
    let mut attributes: Vec<(String, String)> = kind.into_iter().collect();
    let mut mtu = None;
    for (key, value) in told.iter().chain(objects(told, "metrics").flatten()) {
        let name = NAMES.iter().find(|(json, _)| json == key).map_or(key.as_str(), |(_, text)| text);
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Null => String::new(),
            _ => continue,
        };
        match name {
            "dst" | "gateway" | "dev" | "type" => {}
            "mtu" => mtu = value.parse().ok(),
            "rto_min" | "rtt" | "rttvar" => attributes.push((name.to_owned(), format!("{value}ms"))),
            "ecn" => attributes.push(("features".to_owned(), "ecn".to_owned())),
            _ => attributes.push((name.to_owned(), value)),
        }
    }
    let via = hops.iter().skip(1).filter_map(|hop| string(hop, "gateway"));
    attributes.extend(via.map(|via| ("via".to_owned(), via.to_owned())));
    let place = draft.place(index);
    Route { place, to: to.to_owned(), via: owned("gateway"), device: owned("dev"), mtu, attributes }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{host, read};

    /// iproute2 6.1 on Linux 6.18, shortened.
    const LINK: &str = r#"[{"ifindex":1,"ifname":"lo","mtu":65536,"qdisc":"noqueue","addr_info":[{"family":"inet","local":"127.0.0.1","prefixlen":8}]},{"ifindex":4,"link":"v1","ifname":"v0","mtu":1500,"qdisc":"htb","master":"br0","linkinfo":{"info_kind":"veth","info_slave_kind":"bridge"},"stats64":{"rx":{"bytes":76,"dropped":3},"tx":{"bytes":54,"dropped":0}}},{"ifname":"bond0","linkinfo":{"info_kind":"bond","info_data":{"mode":"balance-rr","miimon":100}}}]"#;

    #[test]
    fn links_of_json_are_those_of_text() {
        let host = host(LINK);
        let [lo, v0, bond0] = &host.interfaces[..] else { panic!("{host:?}") };
        assert_eq!((lo.mtu, lo.addresses[0].as_str()), (Some(65536), "127.0.0.1/8"));
        assert_eq!(
            (v0.kind.as_deref(), v0.master.as_deref(), v0.qdisc.as_deref()),
            (Some("veth"), Some("br0"), Some("htb"))
        );
        assert_eq!((v0.counters[1].name.as_str(), v0.counters[1].value), ("rx_dropped", 3));
        assert_eq!(bond0.bond_mode.as_deref(), Some("balance-rr"));
    }

    #[test]
    fn of_a_document_that_is_cut_off_the_whole_objects_are_read() {
        let cut = &LINK[..LINK.find("\"stats64\"").unwrap()];
        let (host, unread) = read(&format!("$ ip -d -j link\n{cut}")).unwrap();
        assert_eq!(host.interfaces.len(), 1);
        assert_eq!(unread[0].why.as_deref(), Some("the JSON is truncated"));
        assert_eq!(read("[{\"a\": 1}]\n"), None);
        assert_eq!(read("[{\"ifname\": \n"), None);
    }

    #[test]
    fn pretty_json_is_read_over_its_lines() {
        let host = host(
            "[ {\n        \"ifindex\": 1,\n        \"ifname\": \"lo\",\n        \"flags\": [ \"LOOPBACK\" ],\n        \"mtu\": 65536\n    },{\n        \"ifname\": \"br0\",\n        \"linkinfo\": {\n            \"info_kind\": \"bridge\"\n        }\n    } ]\nprose\n",
        );
        assert_eq!(host.interfaces.len(), 2);
        assert_eq!(host.interfaces[1].kind.as_deref(), Some("bridge"));
    }

    #[test]
    fn routes_of_json_are_those_of_text() {
        let host = host(
            r#"[{"type":"unicast","dst":"10.4.0.0/16","gateway":"10.0.0.2","dev":"v1","flags":[],"metrics":[{"mtu":1400,"advmss":1360,"ecn":null,"rto_min":50,"congestion":"cubic"}]},{"type":"blackhole","dst":"10.7.0.0/16"},{"dst":"10.6.0.0/16","nexthops":[{"gateway":"10.0.0.2","dev":"v1"},{"gateway":"10.0.0.3","dev":"v1"}]}]"#,
        );
        let [tuned, hole, many] = &host.routes[..] else { panic!("{host:?}") };
        assert_eq!(
            (tuned.via.as_deref(), tuned.device.as_deref(), tuned.mtu),
            (Some("10.0.0.2"), Some("v1"), Some(1400))
        );
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        for expected in
            [pair("advmss", "1360"), pair("rto_min", "50ms"), pair("congctl", "cubic"), pair("features", "ecn")]
        {
            assert!(tuned.attributes.contains(&expected), "{expected:?}");
        }
        assert_eq!(hole.attributes, [pair("type", "blackhole")]);
        assert_eq!((many.via.as_deref(), &many.attributes[..]), (Some("10.0.0.2"), &[pair("via", "10.0.0.3")][..]));
    }

    #[test]
    fn counters_and_offloads_of_json_are_read() {
        let counted = host(r#"{"kernel":{"TcpRetransSegs":29,"TcpExtTCPTimeouts":6}}"#);
        assert_eq!((counted.counter("TcpRetransSegs"), counted.counter("TcpExtTCPTimeouts")), (Some(29), Some(6)));
        let offloads = host(
            r#"[ { "ifname": "eth0", "large-receive-offload": {"active": false, "fixed": true, "requested": null} } ]"#,
        );
        assert_eq!(offloads.interfaces[0].offload("large-receive-offload"), Some(false));
        assert!(offloads.interfaces[0].offloads[0].fixed);
    }
}
