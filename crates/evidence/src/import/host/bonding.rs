//! Reads /proc/net/bonding (Linux, drivers/net/bonding/bond_procfs.c).

use super::draft::Draft;
use super::row::HostRow;
use crate::System;

/// Bonding modes: the printed name, and the name that `ip` and the module take.
const MODES: &[(&str, &str)] = &[
    ("load balancing (round-robin)", "balance-rr"),
    ("fault-tolerance (active-backup)", "active-backup"),
    ("load balancing (xor)", "balance-xor"),
    ("fault-tolerance (broadcast)", "broadcast"),
    ("IEEE 802.3ad Dynamic link aggregation", "802.3ad"),
    ("transmit load balancing", "balance-tlb"),
    ("adaptive load balancing", "balance-alb"),
];

/// First words of the file's lines.
const LINE_WORDS: &[&str] = &[
    "802.3ad",
    "ARP",
    "Active",
    "Actor",
    "Aggregator",
    "Bonding",
    "Currently",
    "Delivered",
    "Down",
    "Duplex:",
    "Ethernet",
    "LACP",
    "Link",
    "MII",
    "Min",
    "NS",
    "Number",
    "Partner",
    "Peer",
    "Permanent",
    "Primary",
    "Queue",
    "Slave",
    "Speed:",
    "System",
    "Transmit",
    "Up",
    "bond",
    "details",
    "oper",
    "port",
    "system",
];

pub(super) fn read(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let head = &rows[0];
    if head.prompt || !head.text.trim_start().starts_with("Ethernet Channel Bonding Driver:") {
        return 0;
    }
    draft.seen(System::Linux);
    let file = draft.command.and_then(|command| command.text.split_once("/proc/net/bonding/"));
    let bond = file.and_then(|(_, name)| name.split_whitespace().next()).unwrap_or("bond").to_owned();
    draft.interface(head.index, &bond).kind = Some("bond".to_owned());
    let mut member = None;
    let own = |row: &&HostRow<'_>| !row.prompt && (row.indented() || LINE_WORDS.contains(&row.first()));
    let mut taken = 1;
    for row in rows[1..].iter().take_while(own) {
        let text = row.text.trim();
        if text.starts_with("Ethernet Channel Bonding Driver:") {
            break;
        }
        taken += 1;
        match text.split_once(": ") {
            Some(("Bonding Mode", mode)) => {
                match MODES.iter().find(|(printed, _)| mode.starts_with(printed)) {
                    Some((_, mode)) => draft.interface(row.index, &bond).bond_mode = Some((*mode).to_owned()),
                    None => draft.wrong(row.index, "the mode of the bond is unknown"),
                };
            }
            Some(("Slave Interface", name)) => {
                draft.interface(row.index, name).master = Some(bond.clone());
                member = Some(name);
            }
            Some(("Speed", speed)) => {
                let rate = speed.strip_suffix(" Mbps").and_then(|rate| rate.parse::<u32>().ok());
                if let (Some(member), Some(rate)) = (member, rate) {
                    draft.interface(row.index, member).rate = Some(f64::from(rate) * 1e6);
                }
            }
            _ => {}
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::super::tests::{host, read};

    const ROUND_ROBIN: &str = "\
Ethernet Channel Bonding Driver: v3.7.1 (April 27, 2011)

Bonding Mode: load balancing (round-robin)
MII Status: up
MII Polling Interval (ms): 100
Up Delay (ms): 0
Down Delay (ms): 0

Slave Interface: eth1
MII Status: up
Speed: 1000 Mbps
Duplex: full
Link Failure Count: 0
Permanent HW addr: 00:0c:29:f5:b7:11
Slave queue ID: 0

Slave Interface: eth2
MII Status: up
Speed: Unknown
";

    #[test]
    fn a_bond_has_its_mode_and_members() {
        let host = host(&format!("# cat /proc/net/bonding/bond0\n{ROUND_ROBIN}"));
        let [bond, eth1, eth2] = &host.interfaces[..] else { panic!("{host:?}") };
        assert_eq!((bond.name.as_str(), bond.bond_mode.as_deref()), ("bond0", Some("balance-rr")));
        assert_eq!((eth1.master.as_deref(), eth1.rate), (Some("bond0"), Some(1e9)));
        assert_eq!((eth2.master.as_deref(), eth2.rate), (Some("bond0"), None));
    }

    #[test]
    fn a_bond_without_its_name_and_an_unknown_mode_are_said() {
        let (host, unread) = read(&ROUND_ROBIN.replace("round-robin", "magic")).unwrap();
        assert_eq!((host.interfaces[0].name.as_str(), host.interfaces[0].bond_mode.as_deref()), ("bond", None));
        assert_eq!(unread[0].place.line, 3);
    }

    #[test]
    fn every_mode_is_known() {
        for (printed, mode) in super::MODES {
            let host = host(&format!("Ethernet Channel Bonding Driver: v6.1.0\nBonding Mode: {printed}\n"));
            assert_eq!(host.interfaces[0].bond_mode.as_deref(), Some(*mode));
        }
    }
}
