use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::lost_by_size;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::silence;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use base::model::tunnel::{self, Outer};
use evidence::headers::{Ip, MTU};
use evidence::{Host, Interface, Ping, Place, Route, Tunnel};

/// The rule.
pub const RULE: Rule = Rule {
    name: "tunnel-mtu",
    title: "Tunnel overhead exceeds the MTU",
    needs: &[Need::Retransmissions, Need::Tunnels],
    model: "A tunnel adds its headers to each packet. Packets that no longer fit the outer MTU are fragmented or dropped. \
            ESP: inner MTU = outer − IP − ESP header − IV − ICV − UDP, rounded down to the cipher block, less 2.",
    source: "net/xfrm/xfrm_state.c (xfrm_state_mtu); RFC 4303, 2; RFC 2784; RFC 7348",
    thresholds: || {
        vec![
            ("full-size segments don't arrive and there is a tunnel".into(), "its overhead is the first suspect"),
            ("or a route has an MTU of its own below Ethernet's".into(), "somebody sized it for a tunnel"),
        ]
    },
    confidence: "high if segments vanish and tunnel and cipher are known; medium from the configuration alone",
    confirm: &[
        "ping -M do -s SIZE through the tunnel: INNER − 28 passes, one byte more doesn't",
        "ip xfrm state; ip -d link",
        "setkey -D (FreeBSD)",
    ],
    alike: &[("mtu-black-hole", "no known tunnel on the path")],
    explains: &[
        "mtu-black-hole",
        "outage",
        "timeouts",
        "loss-response",
        "application-limited",
        "slow-start-exit",
        "nagle-delayed-ack",
        "idle-restart",
        "short-flows",
        "receiver-window",
        "bufferbloat",
    ],
    remedies: remedies::path_mtu,
    assumed: 0.0,
    find,
};

/// A tunnel on the path, with the inner MTU that it leaves.
struct Passage {
    place: Place,
    what: String,
    inner: u32,
}

fn find(view: &View) -> Vec<Finding> {
    let hosts = &view.evidence.hosts;
    let Some(passage) = passages(hosts).min_by_key(|p| p.inner) else { return of_routes(hosts).into_iter().collect() };
    let stuck = view.flows.iter().find(|flow| {
        let vanishes = lost_by_size::is_stuck(flow);
        let lowered = flow.seen.timeouts.unwrap_or(0.0) >= 2.0
            && flow.seen.mss.zip(flow.seen.advmss).is_some_and(|(m, a)| m + 100.0 < a);
        vanishes || lowered
    });
    let Some(flow) = stuck.or_else(|| {
        view.flows.iter().find(|flow| {
            flow.longest_silence().is_some_and(|s| s > silence::TWO_TIMEOUTS_S)
                && flow.seen.timeouts.unwrap_or(0.0) >= 3.0
        })
    }) else {
        return of_routes(hosts).into_iter().collect();
    };
    let tried = tried(&view.evidence.pings).filter(|tried| tried.lost <= passage.inner);
    let inner = tried.as_ref().map_or(passage.inner, |tried| tried.passes);
    let ip = flow.seen.ip();
    let mss = ip.mss(inner);
    let says = match &tried {
        None => format!(
            "Full-size packets don't fit the tunnel: {} leaves an MTU of {inner} (MSS {mss}), and {}-byte segments are sent.",
            passage.what, flow.mss
        ),
        Some(Tried { passes, lost }) => format!(
            "Full-size packets don't fit the tunnel: {} would leave an MTU of {}, but pings of {lost} bytes vanish and {passes} \
             are answered (MSS {mss}); {}-byte segments are sent.",
            passage.what, passage.inner, flow.mss
        ),
    };
    let finding = Finding::problem(RULE.name, Confidence::High, 1.0, says)
        .at("tunnel", passage.what.clone(), &passage.place)
        .figure("inner MTU", format!("{} bytes", passage.inner), "1500 bytes less its overhead")
        .at("segment size", format!("{} bytes", flow.mss), &flow.seen.place)
        .doubt("Assumes an outer MTU of 1500.");
    let finding = match tried {
        Some(Tried { passes, lost }) => {
            let between = (passes + lost) / 2 - ip.datagram();
            finding.ask(format!("ping -M do -s {between} HOST, and so on between them: the largest that is answered"))
        }
        None => finding,
    };
    vec![finding.about_flow(flow).sized(Sizes::for_flow(flow).with_mtu(inner))]
}

/// Pings that may not be fragmented, bytes: the largest that was answered, and the smallest larger one that never was.
struct Tried {
    passes: u32,
    lost: u32,
}

fn tried(pings: &[Ping]) -> Option<Tried> {
    let whole = || pings.iter().filter(|ping| ping.whole && ping.sent.is_some_and(|sent| sent > 0));
    let passes = whole().filter(|ping| ping.answered > Some(0)).filter_map(Ping::length).max()?;
    let lost =
        whole().filter(|ping| ping.answered == Some(0)).filter_map(Ping::length).filter(|lost| *lost > passes).min()?;
    Some(Tried { passes, lost })
}

fn passages(hosts: &[Host]) -> impl Iterator<Item = Passage> + use<'_> {
    let of_states = hosts.iter().flat_map(|host| &host.tunnels).filter_map(of_state);
    let of_devices = hosts.iter().flat_map(|host| &host.interfaces).filter_map(of_device);
    of_states.chain(of_devices)
}

/// Returns an ESP tunnel by its algorithms, its mode and the address family of its ends.
fn of_state(state: &Tunnel) -> Option<Passage> {
    let suite = tunnel::named(esp_of(&state.algorithms)?).ok()?;
    let own = state.icv_bits.map(|bits| suite.with_icv(bits / 8));
    let suite = own.as_ref().unwrap_or(suite);
    let outer = Outer { mtu: MTU, ipv6: state.ends[0].contains(':'), nat_t: state.in_udp };
    let transport = state.mode.as_deref() == Some("transport");
    let inner = if transport { suite.transport_mtu(outer)? } else { suite.mtu(outer)? };
    let (udp, mode) = (if state.in_udp { " in UDP" } else { "" }, if transport { ", transport mode," } else { "" });
    let what = format!("ESP{udp}{mode} with {}", state.algorithms.join(" and "));
    Some(Passage { place: state.place.clone(), what, inner })
}

fn of_device(device: &Interface) -> Option<Passage> {
    let kind = device.kind.as_deref()?;
    let (tunnel, ipv6) = tunnel::of_device(kind)?;
    let inner = tunnel.mtu(Outer { mtu: MTU, ipv6, nat_t: false }).filter(|inner| *inner < MTU)?;
    Some(Passage { place: device.place.clone(), what: format!("{kind} ({})", device.name), inner })
}

/// Returns the name of the ESP suite with the given algorithms.
fn esp_of(algorithms: &[String]) -> Option<&'static str> {
    let has = |word: &str| algorithms.iter().any(|name| name.contains(word));
    Some(match () {
        () if has("gcm") => "esp-aes-gcm",
        () if has("chacha20") => "esp-chacha20-poly1305",
        () if has("sha1") => "esp-aes-cbc-sha1",
        () if has("sha512") => "esp-aes-cbc-sha512",
        () if has("sha256") || has("sha2-256") => "esp-aes-cbc-sha256",
        () => return None,
    })
}

/// Returns the inner MTU of a tunnel over IPv4 with an outer MTU of 1500 bytes.
fn inner_mtu(name: &str, nat_t: bool) -> Option<u32> {
    tunnel::named(name).ok()?.mtu(Outer { mtu: MTU, ipv6: false, nat_t })
}

fn sizes(name: &str) -> Option<String> {
    Some(format!("{} bytes, in UDP {}", inner_mtu(name, false)?, inner_mtu(name, true)?))
}

/// Notes a route with an MTU below 1500: somebody sized it for a tunnel, and the right size can be given.
fn of_routes(hosts: &[Host]) -> Option<Finding> {
    let of = |route: &Route| {
        let mtu = route.mtu.filter(|mtu| *mtu < MTU)?;
        let fits = inner_mtu("esp-aes-cbc-sha512", true)?;
        let says = if mtu <= fits {
            format!(
                "The route to {} has an MTU of {mtu} (MSS {}), which fits every ESP cipher over an outer MTU of 1500 (the \
                 smallest inner MTU is {fits}).",
                route.to,
                Ip::V4.mss(mtu)
            )
        } else {
            format!("The route to {} has an MTU of {mtu}; ESP with the largest overhead leaves {fits}.", route.to)
        };
        let finding = Finding::note(RULE.name, Confidence::Medium, says)
            .at("route", format!("{} mtu {mtu}", route.to), &route.place)
            .figure("inner MTU, AES-GCM", sizes("esp-aes-gcm")?, "1500 bytes less its overhead")
            .figure("inner MTU, AES-CBC and SHA-256", sizes("esp-aes-cbc-sha256")?, "1500 bytes less its overhead")
            .figure("inner MTU, AES-CBC and SHA-512", sizes("esp-aes-cbc-sha512")?, "1500 bytes less its overhead")
            .doubt("A route's MTU sets the MSS of this host's own connections, not of those it forwards: clamp the MSS for those.")
            .ask("ip xfrm state, or setkey -D: the cipher decides what fits")
            .ask(format!("ping -D -s {} HOST (Linux: -M do): the largest that must pass", mtu.saturating_sub(Ip::V4.datagram())));
        Some(finding)
    };
    hosts.iter().flat_map(|host| &host.routes).find_map(of)
}
