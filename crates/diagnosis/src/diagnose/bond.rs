//! Bonds that send packets over their members in turns.

use crate::diagnose::view::View;
use evidence::{Host, Interface};

/// Packets from which equal counters of two interfaces are no chance.
const MIN_EQUAL_PACKETS: u64 = 1000;

/// Returns the bonds in mode balance-rr.
pub fn in_turns<'a>(view: &'a View) -> impl Iterator<Item = &'a Interface> + use<'a> {
    let devices = view.evidence.hosts.iter().flat_map(|host| &host.interfaces);
    devices.filter(|device| device.bond_mode.as_deref() == Some("balance-rr"))
}

/// Returns a device that shows a bond in turns, and how: its mode, or two members that sent exactly as much.
pub fn round_robin<'a>(view: &'a View) -> Option<(&'a Interface, String)> {
    let told = in_turns(view).next().map(|device| (device, "mode balance-rr".to_owned()));
    let alike = || {
        let ([one, other], count) = view.evidence.hosts.iter().find_map(equal_senders)?;
        Some((one, format!("{} and {} sent exactly {count} packets each", one.name, other.name)))
    };
    told.or_else(alike)
}

/// Returns the names of two members of a bond: of one whose members are named, or by what they sent.
pub fn members(view: &View) -> Option<[String; 2]> {
    let named = |host: &Host| {
        let mut own = host.interfaces.iter().filter(|device| device.master.is_some());
        let first = own.next()?;
        let second = own.find(|device| device.master == first.master)?;
        let is_bond =
            |device: &&Interface| Some(&device.name) == first.master.as_ref() && device.kind.as_deref() == Some("bond");
        host.interfaces.iter().find(is_bond).map(|_| [first.name.clone(), second.name.clone()])
    };
    let alike = |host| equal_senders(host).map(|(two, _)| two.map(|device| device.name.clone()));
    let hosts = &view.evidence.hosts;
    hosts.iter().find_map(named).or_else(|| hosts.iter().find_map(alike))
}

/// Returns two interfaces of a host that sent the same number of packets, and that number.
fn equal_senders(host: &Host) -> Option<([&Interface; 2], u64)> {
    let sent = |device: &Interface| {
        device.counters.iter().find(|c| c.name == "TX-OK").map(|c| c.value).filter(|n| *n > MIN_EQUAL_PACKETS)
    };
    let all: Vec<_> = host.interfaces.iter().filter_map(|device| Some((device, sent(device)?))).collect();
    all.iter().enumerate().find_map(|(at, (one, count))| {
        let (other, _) = all[at + 1..].iter().find(|(_, other)| other == count)?;
        Some(([*one, *other], *count))
    })
}
