//! Side effects of settings: those that a kernel has, and goodput's answer to each. The script's `host/effects.sh` and `host/route.sh` do it.

/// Answer of `goodput apply` to a side effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The change is refused, because the effect could not be put back.
    Refused,
    /// The effect is put back with the setting.
    PutBack,
    /// It ends with the setting by itself.
    Ends,
    /// It stays.
    Stays,
}

impl Answer {
    fn words(self) -> &'static str {
        match self {
            Answer::Refused => "refused",
            Answer::PutBack => "put back with it",
            Answer::Ends => "ends with it",
            Answer::Stays => "**stays**",
        }
    }
}

/// A side effect of a word.
#[derive(Debug)]
pub struct Effect {
    /// Form of the word.
    pub word: &'static str,
    /// Change of something else.
    pub effect: &'static str,
    pub answer: Answer,
}

const fn effect(word: &'static str, answer: Answer, effect: &'static str) -> Effect {
    Effect { word, effect, answer }
}

use Answer::{Ends, PutBack, Refused, Stays};

const MTU: &str = "mtu@DEVICE";
const ROUTE: &str = "route-…@PREFIX";
const QDISC: &str = "qdisc@DEVICE";
const OFFLOAD: &str = "tx, tso, gso, lro @DEVICE";
const CONTROL: &str = "net.ipv4.tcp_congestion_control";

/// All side effects, by word.
pub const EFFECTS: &[Effect] = &[
    effect(MTU, Refused, "below 1280, IPv6 goes from the device, with its addresses, routes and settings"),
    effect(
        MTU,
        Refused,
        "VLAN, macvlan, ipvlan and MACsec devices on top take a lower MTU over and keep it, also in other namespaces; \
         those that the same command changes are accepted",
    ),
    effect(MTU, Refused, "the members of a bond take its MTU over, and had another"),
    effect(MTU, Refused, "an IPv6 route with an MTU of its own gets another"),
    effect(MTU, PutBack, "`net.ipv6.conf.DEVICE.mtu`, which router advertisements may have set, becomes the new MTU"),
    effect(
        MTU,
        PutBack,
        "a driver may take the device down and up, with which addresses, routes and neighbors go; DHCP and router \
         advertisements renew those that have a lifetime",
    ),
    effect(MTU, Ends, "a bridge has the least MTU of its ports"),
    effect(ROUTE, Refused, "a route that expires would stay, and one of several next hops would be one of one"),
    effect(
        ROUTE,
        PutBack,
        "a route that is not there yet is made: of the route that covers it, with source, metrics and next hop, or refused",
    ),
    effect(QDISC, Refused, "when it goes, the kernel makes `net.core.default_qdisc`, and had made another"),
    effect(QDISC, PutBack, "a device without a queue gets a length of queue"),
    effect(
        OFFLOAD,
        PutBack,
        "a group stands for several features: those that were on are switched on again, and no more",
    ),
    effect(CONTROL, PutBack, "programs without privileges may choose it too (`tcp_allowed_congestion_control`)"),
    effect(
        CONTROL,
        Stays,
        "the kernel loads its module, also for `route-congctl`, `qdisc` and `net.core.default_qdisc`",
    ),
    effect("tcp-metrics=flush", Stays, "what the kernel knew of paths is gone; it learns it anew"),
];

/// Returns the table of the reference page.
pub fn table() -> String {
    let row = |one: &Effect| format!("| `{}` | {} | {} |\n", one.word, one.effect, one.answer.words());
    format!("| word | besides | goodput |\n|---|---|---|\n{}", EFFECTS.iter().map(row).collect::<String>())
}
