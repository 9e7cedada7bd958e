//! Keys of `[path]`, `[[links]]` and `[[tunnels]]`.

use super::line::{Line, no_buffer, there_and_back_of};
use crate::key::{Key, KeyTable, Table, check_kinds, has_key, key, keys};
use crate::leaf;
use crate::section::Section;
use crate::source::Span;
use crate::takes::{Boolean, BoundedQuantity, DAY, Nested, Or, Words, nested, size, time};
use evidence::unit::Wrong;
use plan::{Bond, Cipher};
use toml::Spanned;

/// Names of the two hosts of `[path]`.
pub const PATH_HOSTS: [&str; 2] = ["sender", "receiver"];

/// A `[[links]]`, or the link between sender and receiver that `[path]` describes.
#[derive(Debug)]
pub struct Link {
    /// Position in the text.
    pub span: Span,
    /// Names of its two different ends.
    pub between: Option<Ends>,
    /// MTU, bytes.
    pub mtu: Option<Spanned<u64>>,
    /// How the bond spreads packets over this link and its parallel links.
    pub bond: Option<Spanned<Bond>>,
    /// Interval at which the bond checks its links' carrier, ns.
    pub miimon: Option<Spanned<Option<u64>>>,
    /// Keys for both directions; `None` if required ones, such as the rate, are missing.
    pub side: Option<Side>,
    /// Keys for the direction from the second end to the first only.
    pub backward: Side,
}

/// Names of the two ends.
type Ends = [Spanned<String>; 2];

/// Keys for one direction, or for both.
#[derive(Debug, Clone, Default)]
pub struct Side {
    pub line: Line,
    /// Propagation delay forward and backward, ns.
    pub delay: Option<Spanned<[u64; 2]>>,
}

/// MTU of a device, bytes: from the least that RFC 791 demands of hosts to the largest IPv4 packet.
const MTUS: BoundedQuantity = size(576, 65535);

keys! {
    /// Keys that `[path]` has besides those of a line.
    pub struct Path {
        rtt: BoundedQuantity = key("rtt", time(1, 2 * DAY))
            .required(|w| w.hint("add rtt = \"50 ms\""))
            .meaning("half of it as [`delay`](#links) in each direction");
        mtu: BoundedQuantity = key("mtu", MTUS).default("1500 B").meaning("`ip link add … mtu` of every device");
        backward: Nested<Side> = key("backward", nested("section [`[path.backward]`](#backward)", backward))
            .default("as forward");
    }
}

/// Reads `[path]` as a link.
pub fn path(mut section: Section) -> Link {
    need_rate(&mut section);
    let Path { rtt, mtu, backward, .. } = Path::read(&mut section);
    if !section.has("buffer") {
        section.lack("buffer", no_buffer);
    }
    let line = Line::read(&mut section);
    let backward = backward.map(Spanned::into_inner).unwrap_or_default();
    let delay = rtt.as_ref().map(|rtt| Spanned::new(rtt.span(), split(&section, rtt, &backward)));
    let is_whole = line.rate.is_some() && delay.is_some() && line.buffer.is_some();
    let span = section.span.clone();
    section.finish();
    Link {
        between: Some(PATH_HOSTS.map(|name| Spanned::new(span.clone(), name.to_owned()))),
        span,
        mtu,
        bond: None,
        miimon: None,
        side: is_whole.then_some(Side { line, delay }),
        backward,
    }
}

fn need_rate(section: &mut Section) {
    if !section.has("rate") {
        section.lack("rate", |w| w.hint("add rate = \"1 Gbit/s\""));
    }
}

/// Splits the RTT into both directions. A delay of `backward` is taken off it; the rest is forward.
fn split(path: &Section, rtt: &Spanned<u64>, backward: &Side) -> [u64; 2] {
    let Some(delay) = &backward.delay else { return there_and_back_of(*rtt.get_ref()) };
    let [_, back] = *delay.get_ref();
    if back > *rtt.get_ref() {
        let wrong = Wrong::new(format!("delay {} is more than the rtt", path.reader().literal(delay.span())));
        path.reader().fault(delay.span(), wrong.note("it is the part of the rtt on the way back"));
    }
    [rtt.get_ref().saturating_sub(back), back]
}

/// Nanoseconds per millisecond.
pub const MS: u64 = 1_000_000;

const BONDS: &[(&str, Bond)] =
    &[("balance-rr", Bond::BalanceRr), ("active-backup", Bond::ActiveBackup), ("balance-xor", Bond::BalanceXor)];

keys! {
    /// Keys that `[[links]]` has besides those of a line.
    pub struct LinkKeys {
        between: Nested<Ends> = key("between", nested("two different names: `[\"a\", \"b\"]`", |section, key| {
            between(section, key, "add between = [\"a\", \"b\"]: the two nodes that it joins")
        }))
            .default("required")
            .meaning("`ip link add … type veth` for each end, with its peer in `wire`");
        delay: BoundedQuantity = delay().meaning("our module: [the line](#the-line)");
        mtu: BoundedQuantity =
            key("mtu", MTUS).default("1500 B").meaning("`ip link add … mtu` of every device of the link");
        bond: Words<Bond> = key("bond", Words(BONDS))
            .default("not a bond member")
            .meaning("[`ip link add … type bond mode`](#bonds)");
        miimon: Or<BoundedQuantity> = key("miimon", Or("off", time(MS, 1000 * MS)))
            .limit(", whole ms; only with `bond`")
            .default("off")
            .meaning("`ip link add … type bond … miimon`: how often a bond [looks at its links](#bonds)");
        backward: Nested<Side> = key("backward", nested("table [`backward`](#backward)", backward))
            .default("as forward");
    }
}

fn delay() -> Key<BoundedQuantity> {
    key("delay", time(0, DAY)).limit(", each way").default("0 ns")
}

/// Reads a `[[links]]`.
pub fn link(mut section: Section) -> Link {
    let LinkKeys { between, delay, mtu, bond, miimon, backward, .. } = LinkKeys::read(&mut section);
    need_rate(&mut section);
    let line = Line::read(&mut section);
    let backward = backward.map(Spanned::into_inner).unwrap_or_default();
    if !section.has("buffer") && backward.line.buffer.is_none() {
        let ends = between.as_ref().map(|ends| ends.get_ref().each_ref().map(|end| end.get_ref().as_str()));
        let way = ends.map(|[a, b]| format!(", neither from \"{a}\" to \"{b}\" nor back")).unwrap_or_default();
        section.lack("buffer", |wrong| {
            let what = wrong.what.clone() + &way;
            no_buffer(
                Wrong { what, ..wrong }.note("buffer holds for both directions, that of backward for the way back"),
            )
        });
    }
    let span = section.span.clone();
    section.finish();
    let side = line.rate.is_some().then_some(Side { line, delay: delay.map(each_way) });
    Link { span, between: between.map(Spanned::into_inner), mtu, bond, miimon, side, backward }
}

fn each_way(delay: Spanned<u64>) -> Spanned<[u64; 2]> {
    Spanned::new(delay.span(), [*delay.get_ref(); 2])
}

keys! {
    /// Keys that `backward` has besides those of a line.
    pub struct Backward {
        delay: BoundedQuantity = delay()
            .limit("; under `[path]` the backward part of the rtt, no more than the rtt")
            .default("as forward");
    }
}

/// Reads `backward`, even if it is not written, so that its keys are known.
fn backward(section: &mut Section, key: &'static str) -> Option<Spanned<Side>> {
    let mut section = section.section(key);
    let side = side(&mut section);
    let span = section.span.clone();
    section.finish();
    Some(Spanned::new(span, side))
}

fn side(section: &mut Section) -> Side {
    let Backward { delay, .. } = Backward::read(section);
    Side { line: Line::read(section), delay: delay.map(each_way) }
}

/// Reads two different names.
fn between(section: &mut Section, key: &'static str, hint: &str) -> Option<Spanned<Ends>> {
    const DUE: &str = "two different names in brackets: [\"a\", \"b\"]";
    if !section.has(key) {
        section.lack(key, |wrong| wrong.hint(hint));
    }
    let names = section.list(key, DUE, leaf::text)?;
    let (span, names) = (names.span(), names.into_inner());
    let count = names.len();
    match <[Spanned<String>; 2]>::try_from(names) {
        Ok([one, other]) if one.get_ref() == other.get_ref() => {
            let wrong = Wrong::new(format!("between names \"{}\" twice", other.get_ref()));
            section.reader().fault(other.span(), wrong.accepted(DUE));
            None
        }
        Ok(names) => Some(Spanned::new(span, names)),
        Err(_) => {
            section.reader().fault(span, Wrong::new(format!("between has {count} names")).accepted(DUE));
            None
        }
    }
}

/// Encapsulation of a tunnel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrapper {
    Esp,
    Gre,
    Vxlan,
    Wireguard,
    Geneve,
    Ipip,
    SixInFour,
    Pppoe,
    Vlan,
    Qinq,
    Tcp,
}

const KINDS: &[(&str, Wrapper)] = &[
    ("esp", Wrapper::Esp),
    ("gre", Wrapper::Gre),
    ("vxlan", Wrapper::Vxlan),
    ("wireguard", Wrapper::Wireguard),
    ("geneve", Wrapper::Geneve),
    ("ipip", Wrapper::Ipip),
    ("6in4", Wrapper::SixInFour),
    ("pppoe", Wrapper::Pppoe),
    ("vlan", Wrapper::Vlan),
    ("qinq", Wrapper::Qinq),
    ("tcp", Wrapper::Tcp),
];

/// Words of `outer`; true for IPv6.
const OUTER: &[(&str, bool)] = &[("ipv4", false), ("ipv6", true)];

const CIPHERS: &[(&str, Cipher)] = &[
    ("aes-gcm-128", Cipher::AesGcm128),
    ("aes-gcm-256", Cipher::AesGcm256),
    ("aes-cbc-sha1", Cipher::AesCbcSha1),
    ("aes-cbc-sha256", Cipher::AesCbcSha256),
    ("chacha20-poly1305", Cipher::Chacha20Poly1305),
];

const ESP: &[&str] = &["esp"];
const OVER_IP: &[&str] = &["esp", "gre", "vxlan", "wireguard", "geneve", "ipip", "6in4", "tcp"];

keys! {
    /// `[[tunnels]]`
    pub struct Tunnel {
        between: Nested<Ends> = key("between", nested("the routers at its ends: `[\"r1\", \"r2\"]`", |section, key| {
            between(section, key, "add between = [\"r1\", \"r2\"]: the two routers at its ends")
        }))
            .default("required");
        kind: Words<Wrapper> = key("kind", Words(KINDS))
            .required(|w| w.accepted("esp, gre, vxlan, wireguard, geneve, ipip, 6in4, pppoe, vlan, qinq, tcp").hint("add kind = \"esp\""))
            .meaning("see below");
        outer: Words<bool> = key("outer", Words(OUTER))
            .kinds(OVER_IP)
            .limit("; not of pppoe, vlan and qinq")
            .default("the network's [`family`](experiment.md#family); ipv4 if that is both")
            .meaning("the IP that carries it");
        cipher: Words<Cipher> = key("cipher", Words(CIPHERS))
            .kinds(ESP)
            .limit("; esp only")
            .meaning("`ip xfrm state add … aead`, or `enc … auth-trunc`"),
            else Cipher::AesGcm128;
        udp: Boolean = key("udp", Boolean)
            .kinds(ESP)
            .limit("; esp only")
            .meaning("`encap espinudp 4500 4500 0.0.0.0`"),
            else false;
    }
}

/// Reads a `[[tunnels]]`.
pub fn tunnel(mut section: Section) -> Tunnel {
    let kind = Tunnel::kind().read(&mut section);
    if let Some((name, _)) = kind.and_then(|kind| KINDS.iter().find(|known| known.1 == *kind.get_ref())) {
        check_kinds(&mut section, "a tunnel", ["kind", name], true, &Tunnel::keys());
    }
    let tunnel = Tunnel::read(&mut section);
    section.finish();
    tunnel
}

/// True if tunnels of the named kind have the key. A tunnel of an unknown kind has every key.
pub fn tunnel_can_have(kind: Option<&str>, key: &str) -> bool {
    let kind = kind.filter(|kind| KINDS.iter().any(|(known, _)| known == kind));
    kind.is_none_or(|kind| has_key(kind, key, &Tunnel::keys()))
}

/// Tables of links and tunnels, for the reference.
pub fn tables() -> Vec<KeyTable> {
    let table = |heading, rows| KeyTable { heading, kind: None, rows };
    vec![
        table("[path]", Path::rows()),
        table("[[links]]", LinkKeys::rows()),
        table("[path.backward]", Backward::rows().into_iter().chain(Line::rows()).collect()),
        KeyTable { kind: Some("kind"), ..table("[[tunnels]]", Tunnel::rows()) },
    ]
}
