//! Reads rc.conf and loader.conf: `NAME="VALUE"`.

use super::draft::Draft;
use super::row::{self, HostRow};
use super::{ifconfig, offload};
use crate::{Route, Setting, System};

/// Prefixes of known settings; suffixes and whole names follow.
const NAME_PREFIXES: &[&str] = &["ifconfig_", "route_", "ipv6_route_", "create_args_"];

const NAME_SUFFIXES: &[&str] = &["_load", "_enable"];

const WHOLE_NAMES: &[&str] =
    &["autobridge_interfaces", "cloned_interfaces", "defaultrouter", "ipv6_defaultrouter", "kld_list", "static_routes"];

pub(super) fn read(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let row = &rows[0];
    let text = row::program(row.text);
    let first = text.split_whitespace().next().unwrap_or("");
    let text = match first {
        "sysrc" => text[first.len()..].trim_start_matches(|c: char| c.is_whitespace()),
        "echo" if text.contains(".conf") => text[first.len()..].trim().trim_start_matches(['\'', '"']),
        _ if row.prompt => return 0,
        _ => text.trim_start(),
    };
    let text = match text.strip_prefix("-f ") {
        Some(rest) if first == "sysrc" => rest.trim_start().split_once(' ').map_or("", |(_, rest)| rest),
        _ => text,
    };
    let mut rest = text;
    let mut taken = 0;
    while let Some((name, value, after)) = assignment(rest) {
        taken = 1;
        take(row.index, name, value, draft);
        rest = after.trim_start();
    }
    taken
}

/// Parses `NAME="VALUE"` at the beginning: name, value, and the text after it.
fn assignment(text: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = text.split_once('=')?;
    let plain = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let known = NAME_PREFIXES.iter().any(|begins| name.starts_with(begins))
        || NAME_SUFFIXES.iter().any(|ends| name.ends_with(ends))
        || WHOLE_NAMES.contains(&name);
    if !plain || !known {
        return None;
    }
    if let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let (value, after) = rest[1..].split_once(quote)?;
        return Some((name, value, after));
    }
    let ends = rest.find(|c: char| c.is_whitespace() || c == '\'').unwrap_or(rest.len());
    let (value, after) = rest.split_at(ends);
    (!value.is_empty() && value.bytes().all(|b| b.is_ascii_graphic())).then_some((name, value, after))
}

fn take(index: usize, name: &str, value: &str, draft: &mut Draft<'_>) {
    draft.seen(System::FreeBsd);
    let route = name.strip_prefix("ipv6_route_").or_else(|| name.strip_prefix("route_"));
    if route.is_some() {
        match self::route(value) {
            Some(route) => draft.host.routes.push(Route { place: draft.place(index), ..route }),
            None => draft.wrong(index, "a route without a destination"),
        }
        return;
    }
    let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some(interface) = name.strip_prefix("ifconfig_") {
        configure(index, interface, &value, draft);
    }
    let setting = Setting::new(draft.place(index), name, value);
    draft.host.settings.push(setting);
}

/// Applies `ifconfig_NAME`. `ifconfig_em0_alias0` belongs to em0 too.
fn configure(index: usize, name: &str, value: &str, draft: &mut Draft<'_>) {
    let interface = name.split('_').next().unwrap_or(name);
    if interface.is_empty() || interface == "DEFAULT" {
        return;
    }
    let mut words = value.split(' ').peekable();
    let mut family = None;
    while let Some(word) = words.next() {
        if let Some((offload, on)) = offload::argument(word) {
            draft.offload(index, interface, offload, on, false);
            continue;
        }
        match word {
            "mtu" => {
                if let Some(mtu) = words.next().and_then(|mtu| draft.number(index, "the MTU", mtu)) {
                    draft.interface(index, interface).mtu = Some(mtu);
                }
            }
            "laggproto" => {
                let mode = words.next().and_then(offload::mode).map(str::to_owned);
                let bond = draft.interface(index, interface);
                (bond.kind, bond.bond_mode) = (Some("bond".to_owned()), mode);
            }
            "laggport" | "addm" => {
                let kind = if word == "addm" { "bridge" } else { "bond" };
                draft.interface(index, interface).kind = Some(kind.to_owned());
                if let Some(member) = words.next() {
                    draft.interface(index, member).master = Some(interface.to_owned());
                }
            }
            "inet" | "inet6" => family = Some(word),
            _ if family.is_some() && word.contains(['.', ':']) => {
                let mask = matches!(words.peek(), Some(&"netmask" | &"prefixlen")).then(|| words.nth(1)).flatten();
                let address = ifconfig::address(word, mask);
                draft.interface(index, interface).addresses.push(address);
                family = None;
            }
            _ => {}
        }
    }
}

/// Parses the arguments of `route add`: `-net 10.4.0.0/16 -interface vtnet0 -mtu 1400`. The caller sets the place.
fn route(arguments: &str) -> Option<Route> {
    let mut words = arguments.split_whitespace();
    let (mut to, mut via, mut device, mut mtu) = (None, None, None, None);
    let mut attributes = vec![];
    while let Some(word) = words.next() {
        match word {
            "-interface" | "-iface" | "-ifp" => device = words.next(),
            "-mtu" => mtu = words.next().and_then(|mtu| mtu.parse().ok()),
            "-netmask" | "-prefixlen" | "-fib" | "-ssthresh" | "-rtt" | "-rttvar" | "-sendpipe" | "-recvpipe" => {
                attributes.push((word[1..].to_owned(), words.next()?.to_owned()));
            }
            _ if word.starts_with('-') => {}
            _ if to.is_none() => to = Some(word),
            _ if via.is_none() => via = Some(word),
            _ => {}
        }
    }
    let [via, device] = [via, device].map(|name| name.map(str::to_owned));
    let place = crate::Place { file: "".into(), line: 0 };
    Some(Route { place, to: to?.to_owned(), via, device, mtu, attributes })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{host, read};

    #[test]
    fn a_route_of_rc_conf_has_its_mtu() {
        let host = host("static_routes=\"aws\"\nroute_aws=\"10.4.0.0/16 -interface vtnet0 -mtu 1400\"\n");
        assert_eq!(host.setting("static_routes").unwrap().value, "aws");
        let route = &host.routes[0];
        assert_eq!(
            (route.to.as_str(), route.device.as_deref(), route.mtu),
            ("10.4.0.0/16", Some("vtnet0"), Some(1400))
        );
        assert_eq!((route.place.line, route.via.as_deref()), (2, None));
    }

    #[test]
    fn an_interface_of_rc_conf_has_what_is_set() {
        let host = host(
            "ifconfig_ix0=\"inet 10.0.0.1 netmask 255.255.255.0 mtu 9000 -lro -tso4 -vlanhwtso\"\n\
             ifconfig_ix0_alias0=\"inet 10.0.1.1/32\"\n\
             cloned_interfaces=\"lagg0 bridge0\"\nifconfig_lagg0=\"laggproto roundrobin laggport ix0 laggport ix1\"\n\
             ifconfig_bridge0=\"addm lagg0 up\"\nsshd_enable=\"YES\"",
        );
        let ix0 = &host.interfaces[0];
        assert_eq!((ix0.mtu, ix0.master.as_deref()), (Some(9000), Some("lagg0")));
        assert_eq!(ix0.addresses, ["10.0.0.1/24", "10.0.1.1/32"]);
        assert_eq!(ix0.offload("large-receive-offload"), Some(false));
        assert_eq!(ix0.offload("tcp-segmentation-offload"), Some(false));
        let lagg0 = &host.interfaces[1];
        assert_eq!((lagg0.name.as_str(), lagg0.bond_mode.as_deref()), ("lagg0", Some("balance-rr")));
        assert_eq!(lagg0.master.as_deref(), Some("bridge0"));
    }

    #[test]
    fn commands_that_write_files_are_read() {
        let host = host(
            "echo 'cc_dctcp_load=\"YES\"' | sudo tee -a /boot/loader.conf\n\
             # sysrc ifconfig_em0=\"-lro\"\n# sysrc -f /boot/loader.conf cc_htcp_load=YES\n",
        );
        let settings: Vec<_> = host.settings.iter().map(|s| (s.key.as_str(), s.value.as_str())).collect();
        assert_eq!(settings, [("cc_dctcp_load", "YES"), ("ifconfig_em0", "-lro"), ("cc_htcp_load", "YES")]);
        assert_eq!(read("hostname=\"x\"\nMODULE=\"y\"\nVERSION_ID=\"24.04\"\n\"ifconfig_em0\"\n"), None);
    }

    #[test]
    fn a_route_without_destination_is_wrong() {
        let (host, unread) = read("route_aws=\"-interface vtnet0\"").unwrap();
        assert!(host.routes.is_empty());
        assert_eq!(unread[0].why.as_deref(), Some("a route without a destination"));
    }
}
