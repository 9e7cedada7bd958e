//! `[path]`, `[[links]]` and `[[tunnels]]`.

use super::line::{Delay, line, no_buffer, there_and_back_of};
use super::{RATES, inner};
use crate::experiment::leaf;
use crate::experiment::section::Section;
use crate::experiment::value::Value;
use crate::experiment::written::{Line, Link, Tunnel, Wrapper};
use crate::plan::{Bond, Cipher};
use evidence::unit::{self, Wrong};
use toml::Spanned;

/// The two hosts of `[path]`.
pub const PATH_HOSTS: [&str; 2] = ["sender", "receiver"];

/// `[path]` as the link that it stands for.
pub fn path(mut section: Section) -> Link {
    let rate = section.required("rate", |w| w.hint("add rate = \"1 Gbit/s\""), leaf::quantity(&unit::RATE, RATES));
    let rtt =
        section.required("rtt", |w| w.hint("add rtt = \"50 ms\""), leaf::quantity(&unit::TIME, 1..=2 * super::DAY));
    let buffer = section.required("buffer", no_buffer, leaf::buffer);
    let mtu = mtu(&mut section);
    let line = line(&mut section, Delay::RoundTrip);
    let backward = backward(section.section("backward"));
    let delay = rtt.as_ref().map(|rtt| Spanned::new(rtt.span(), split(&section, rtt, &backward)));
    let is_whole = rate.is_some() && delay.is_some() && buffer.is_some();
    let span = section.span.clone();
    section.finish();
    Link {
        between: Some(PATH_HOSTS.map(|name| Spanned::new(span.clone(), name.to_owned()))),
        span,
        mtu,
        bond: None,
        line: is_whole.then_some(Line { rate, delay, buffer, ..line }),
        backward,
    }
}

/// The delay each way; the way back may have one of its own, the rest is on the way there.
fn split(path: &Section, rtt: &Spanned<u64>, backward: &Line) -> [u64; 2] {
    let Some(delay) = &backward.delay else { return there_and_back_of(*rtt.get_ref()) };
    let [_, back] = *delay.get_ref();
    if back > *rtt.get_ref() {
        let wrong = Wrong::new(format!("delay {} is more than the rtt", path.reader().literal(delay.span())));
        path.reader().fault(delay.span(), wrong.note("it is the part of the rtt on the way back"));
    }
    [rtt.get_ref().saturating_sub(back), back]
}

/// `[[links]]`
pub fn link(mut section: Section) -> Link {
    let between = between(&mut section, "add between = [\"a\", \"b\"]: the two nodes that it joins");
    let rate = section.required("rate", |w| w.hint("add rate = \"1 Gbit/s\""), leaf::quantity(&unit::RATE, RATES));
    let delay = delay(&mut section);
    let buffer = section.optional("buffer", leaf::buffer);
    let mtu = mtu(&mut section);
    const BONDS: &[(&str, Bond)] =
        &[("balance-rr", Bond::BalanceRr), ("active-backup", Bond::ActiveBackup), ("balance-xor", Bond::BalanceXor)];
    let bond = section.optional("bond", leaf::word(BONDS));
    let line = line(&mut section, Delay::OneWay);
    let backward = backward(section.section("backward"));
    if !section.has("buffer") && backward.buffer.is_none() {
        let ends = between.as_ref().map(|ends| ends.each_ref().map(|end| end.get_ref().as_str()));
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
    let line = rate.map(|rate| Line { rate: Some(rate), delay, buffer, ..line });
    Link { span, between, mtu, bond, line, backward }
}

fn backward(mut section: Section) -> Line {
    let rate = section.optional("rate", leaf::quantity(&unit::RATE, RATES));
    let delay = delay(&mut section);
    let buffer = section.optional("buffer", leaf::buffer);
    let line = line(&mut section, Delay::OneWay);
    section.finish();
    Line { rate, delay, buffer, ..line }
}

fn delay(section: &mut Section) -> Option<Spanned<[u64; 2]>> {
    let delay = section.optional("delay", leaf::quantity(&unit::TIME, 0..=super::DAY))?;
    Some(Spanned::new(delay.span(), [*delay.get_ref(); 2]))
}

fn mtu(section: &mut Section) -> Option<Spanned<u64>> {
    section.optional("mtu", leaf::quantity(&unit::SIZE, 576..=65535))
}

/// Two different names.
fn between(section: &mut Section, hint: &str) -> Option<[Spanned<String>; 2]> {
    const DUE: &str = "two different names in brackets: [\"a\", \"b\"]";
    if !section.has("between") {
        section.lack("between", |wrong| wrong.hint(hint));
    }
    let names = section.list("between", DUE, leaf::text)?;
    let (span, names) = (names.span(), names.into_inner());
    let count = names.len();
    match <[Spanned<String>; 2]>::try_from(names) {
        Ok([one, other]) if one.get_ref() == other.get_ref() => {
            let wrong = Wrong::new(format!("between names \"{}\" twice", other.get_ref()));
            section.reader().fault(other.span(), wrong.accepted(DUE));
            None
        }
        Ok(names) => Some(names),
        Err(_) => {
            section.reader().fault(span, Wrong::new(format!("between has {count} names")).accepted(DUE));
            None
        }
    }
}

/// `[[tunnels]]`
pub fn tunnel(mut section: Section) -> Tunnel {
    const KINDS: &[(&str, Wrapper)] = &[
        ("esp", Wrapper::Esp { cipher: None, udp: None }),
        ("gre", Wrapper::Gre),
        ("vxlan", Wrapper::Vxlan),
        ("wireguard", Wrapper::Wireguard),
    ];
    let between = between(&mut section, "add between = [\"r1\", \"r2\"]: the two routers at its ends");
    let hint = |wrong: Wrong| wrong.accepted("esp, gre, vxlan, wireguard").hint("add kind = \"esp\"");
    let kind = inner(section.required("kind", hint, leaf::word(KINDS)));
    let cipher = section.optional("cipher", cipher);
    let udp = section.optional("udp", leaf::boolean);
    let kind = kind.map(|kind| match kind {
        Wrapper::Esp { .. } => Wrapper::Esp { cipher: inner(cipher), udp: inner(udp) },
        other => {
            for key in OF_ESP.into_iter().filter(|key| section.has(key)) {
                let wrong = Wrong::new(format!("{key} is no key of this kind of tunnel"));
                section
                    .reader()
                    .fault(section.place(key), wrong.note("only kind \"esp\" has it").hint(format!("remove {key}")));
            }
            other
        }
    });
    let span = section.span.clone();
    section.finish();
    Tunnel { span, between, kind }
}

/// Keys that only ESP has.
const OF_ESP: [&str; 2] = ["cipher", "udp"];

/// Whether tunnels of the kind of that name have a key.
pub fn tunnel_can_have(kind: Option<&str>, key: &str) -> bool {
    kind.is_none_or(|kind| kind == "esp") || !OF_ESP.contains(&key)
}

fn cipher(value: &Value) -> Result<Cipher, Wrong> {
    const CIPHERS: &[(&str, Cipher)] = &[
        ("aes-gcm-128", Cipher::AesGcm128),
        ("aes-gcm-256", Cipher::AesGcm256),
        ("aes-cbc-sha1", Cipher::AesCbcSha1),
        ("aes-cbc-sha256", Cipher::AesCbcSha256),
        ("chacha20-poly1305", Cipher::Chacha20Poly1305),
    ];
    leaf::word(CIPHERS)(value)
}
