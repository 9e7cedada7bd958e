//! Reads ethtool: offloads, statistics, driver and link rate.

use super::draft::Draft;
use super::row::HostRow;
use crate::System;
use crate::import::view::figure;

/// Suffixes by which an offload is recognized if the listing names no interface.
const OFFLOADS: &[&str] = &["-offload", "-checksumming", "-segmentation"];

pub(super) fn read(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let row = &rows[0];
    if row.prompt {
        return 0;
    }
    let text = row.text.trim();
    let asked = asked(draft);
    let taken = if let Some(name) = named(text, "Features for ") {
        1 + features(&rows[1..], Some(name), draft)
    } else if let Some(name) = named(text, "Settings for ") {
        1 + settings(&rows[1..], name, draft)
    } else if let Some(name) = named(text, "Pause parameters for ") {
        1 + pause(&rows[1..], name, draft)
    } else if let Some(name) = named(text, "Standard stats for ") {
        1 + statistics(&rows[1..], row.index, Some(name), draft)
    } else if matches!(text, "NIC statistics:" | "PHY statistics:") {
        1 + statistics(&rows[1..], row.index, asked, draft)
    } else if text.starts_with("driver: ") && (asked.is_some() || is_driver(rows)) {
        driver(rows, asked, draft)
    } else if feature(text).is_some_and(|(name, ..)| asked.is_some() || OFFLOADS.iter().any(|end| name.ends_with(end)))
    {
        features(rows, asked, draft)
    } else {
        return 0;
    };
    draft.seen(System::Linux);
    taken
}

/// Returns the interface of a heading: `Features for eth0:`.
fn named<'a>(text: &'a str, before: &str) -> Option<&'a str> {
    let name = text.strip_prefix(before)?.strip_suffix(':')?;
    (!name.is_empty() && !name.contains(char::is_whitespace)).then_some(name)
}

/// Returns the interface that the preceding command asked about.
fn asked<'a>(draft: &Draft<'a>) -> Option<&'a str> {
    let mut words = draft.command?.arguments_of("ethtool")?;
    words.find(|word| !word.starts_with('-')).filter(|word| !word.starts_with(['|', '>', '<']))
}

/// Parses `large-receive-offload: off [fixed]`: name, whether it is on, and whether it is fixed.
fn feature(text: &str) -> Option<(&str, bool, bool)> {
    let (name, value) = text.trim().split_once(':')?;
    let mut words = value.split_whitespace();
    let on = match words.next()? {
        "on" => true,
        "off" => false,
        _ => return None,
    };
    let note = words.next();
    let good = matches!(note, None | Some("[fixed]" | "[requested" | "[not"));
    let plain =
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_".contains(&b));
    (good && plain).then_some((name, on, note == Some("[fixed]")))
}

fn features(rows: &[HostRow<'_>], interface: Option<&str>, draft: &mut Draft<'_>) -> usize {
    let mut taken = 0;
    for row in rows.iter().take_while(|row| !row.prompt) {
        let Some((name, on, fixed)) = feature(row.text) else { break };
        match interface {
            Some(interface) => draft.offload(row.index, interface, name, on, fixed),
            None => draft.wrong(row.index, "no interface name: `ethtool -k NAME` gives it"),
        }
        taken += 1;
    }
    taken
}

fn statistics(rows: &[HostRow<'_>], head: usize, interface: Option<&str>, draft: &mut Draft<'_>) -> usize {
    let interface = interface.or_else(|| draft.unnamed(head, "ethtool -S NAME"));
    let mut taken = 0;
    for row in rows.iter().take_while(|row| !row.prompt) {
        let Some((name, value)) = row.text.rsplit_once(':') else { break };
        let (name, value) = (name.trim(), value.trim());
        if value.is_empty() || !value.bytes().all(|b| b.is_ascii_digit()) || name.is_empty() {
            break;
        }
        let value = draft.number(row.index, "the counter", value);
        if let (Some(interface), Some(value)) = (interface, value) {
            draft.count(row.index, interface, name, value);
        }
        taken += 1;
    }
    taken
}

/// Reads `ethtool -a`. `RX negotiated` is what both ends agreed on; `RX` is what holds without negotiation, and what is
/// offered with it (ethtool, netlink/pause.c).
fn pause(rows: &[HostRow<'_>], interface: &str, draft: &mut Draft<'_>) -> usize {
    let mut told: [[Option<bool>; 2]; 2] = [[None; 2]; 2];
    let mut negotiates = false;
    let mut taken = 0;
    for row in rows.iter().take_while(|row| !row.prompt) {
        let Some((name, state)) = row.text.split_once(':') else { break };
        let state = match state.trim() {
            "on" => Some(true),
            "off" => Some(false),
            "" if name.trim() == "Statistics" => None,
            count if row.indented() && count.bytes().all(|b| b.is_ascii_digit()) => None,
            _ => break,
        };
        match name.trim() {
            "Autonegotiate" => negotiates = state == Some(true),
            "RX" => told[0][0] = state,
            "TX" => told[0][1] = state,
            "RX negotiated" => told[1][0] = state,
            "TX negotiated" => told[1][1] = state,
            _ if row.indented() || name.trim() == "Statistics" => {}
            _ => break,
        }
        taken += 1;
    }
    let of_both = |[receives, sends]: [Option<bool>; 2]| Some([receives?, sends?]);
    draft.interface(rows.first().map_or(0, |row| row.index), interface).pause =
        of_both(told[1]).or_else(|| of_both(told[0]).filter(|_| !negotiates));
    taken
}

fn is_driver(rows: &[HostRow<'_>]) -> bool {
    rows.get(1).is_some_and(|row| row.text.trim_start().starts_with("version: "))
}

/// First words of the other lines of `ethtool -i`.
const DRIVER: &[&str] = &["version:", "firmware-version:", "expansion-rom-version:", "bus-info:"];

fn driver(rows: &[HostRow<'_>], interface: Option<&str>, draft: &mut Draft<'_>) -> usize {
    let row = &rows[0];
    match (interface, row.words().nth(1)) {
        (Some(interface), Some(driver)) => draft.interface(row.index, interface).driver = Some(driver.to_owned()),
        (Some(_), None) => {}
        (None, _) => draft.wrong(row.index, "no interface name: `ethtool -i NAME` gives it"),
    }
    let further =
        |row: &&HostRow<'_>| !row.prompt && (DRIVER.contains(&row.first()) || row.first().starts_with("supports-"));
    1 + rows[1..].iter().take_while(further).count()
}

/// First words of the lines that `ethtool` prints without options.
const SETTINGS: &[&str] = &[
    "Supported",
    "Supports",
    "Advertised",
    "Link",
    "Speed:",
    "Duplex:",
    "Auto-negotiation:",
    "Port:",
    "PHYAD:",
    "Transceiver:",
    "MDI-X:",
    "Wake-on:",
    "Current",
    "drv",
    "probe",
    "Cannot",
    "Lanes:",
];

fn settings(rows: &[HostRow<'_>], interface: &str, draft: &mut Draft<'_>) -> usize {
    let own = |row: &&HostRow<'_>| !row.prompt && (row.indented() || SETTINGS.contains(&row.first()));
    let mut taken = 0;
    for row in rows.iter().take_while(own) {
        if let Some(speed) = row.text.trim_start().strip_prefix("Speed: ") {
            draft.interface(row.index, interface).rate = figure::rate(speed).or_else(|| {
                let known = speed.starts_with("Unknown");
                if !known {
                    draft.wrong(row.index, "the speed is not in Mb/s");
                }
                None
            });
        }
        if let Some(duplex) = row.text.trim_start().strip_prefix("Duplex: ") {
            draft.interface(row.index, interface).half_duplex = match duplex.trim() {
                "Half" => Some(true),
                "Full" => Some(false),
                _ => None,
            };
        }
        taken += 1;
    }
    draft.interface(rows.first().map_or(0, |row| row.index), interface);
    taken
}

#[cfg(test)]
mod tests {
    use super::super::tests::{host, read};

    #[test]
    fn a_line_of_grep_belongs_to_the_interface_of_the_command() {
        let host = host("# ethtool -k enp216s0f0 | grep large-receive-offload\nlarge-receive-offload: off\n");
        let interface = &host.interfaces[0];
        assert_eq!((interface.name.as_str(), interface.offload("large-receive-offload")), ("enp216s0f0", Some(false)));
        assert!(!interface.offloads[0].fixed);
    }

    #[test]
    fn a_line_of_which_nobody_says_the_interface_is_wrong() {
        let (host, unread) = read("generic-receive-offload: on\n").unwrap();
        assert!(host.interfaces.is_empty());
        assert!(unread[0].why.as_ref().unwrap().contains("ethtool -k"), "{unread:?}");
        assert_eq!(read("power: on\nLRO: off\nlarge-receive-offload: should be off\n"), None);
    }

    #[test]
    fn features_settings_driver_and_statistics_are_read() {
        let host = host(
            "Features for eth0:\nrx-checksumming: on [fixed]\ntx-checksumming: on\n\ttx-checksum-ipv4: off [fixed]\n\
             tcp-segmentation-offload: off [requested on]\n\nroot@vm:~# ethtool eth0\nSettings for eth0:\n\
             \tSupported ports: [ TP ]\n\t                        1000baseT/Full\n\tSpeed: 1000Mb/s\n\tDuplex: Full\n\
             root@vm:~# ethtool -i eth0\ndriver: r8169\nversion: 6.1.0\nsupports-statistics: yes\n\
             root@vm:~# ethtool -S eth0\nNIC statistics:\n     tx_packets: 12\n     rx_queue_0_drops: 3\n",
        );
        let eth0 = &host.interfaces[0];
        let offloads: Vec<_> = eth0.offloads.iter().map(|o| (o.name.as_str(), o.on, o.fixed)).collect();
        let expected = [
            ("rx-checksumming", true, true),
            ("tx-checksumming", true, false),
            ("tx-checksum-ipv4", false, true),
            ("tcp-segmentation-offload", false, false),
        ];
        assert_eq!(offloads, expected);
        assert_eq!((eth0.driver.as_deref(), eth0.rate), (Some("r8169"), Some(1e9)));
        let counters: Vec<_> = eth0.counters.iter().map(|c| (c.name.as_str(), c.value)).collect();
        assert_eq!(counters, [("tx_packets", 12), ("rx_queue_0_drops", 3)]);
    }

    /// raspberrypi/linux issue 2996; without a negotiation that ended, what is offered says nothing.
    #[test]
    fn pause_frames_are_those_that_both_ends_agreed_on() {
        let pause = |text: &str| host(text).interfaces[0].pause;
        let negotiated = "Pause parameters for eth0:\nAutonegotiate:\ton\nRX:\t\ton\nTX:\t\ton\n";
        assert_eq!(pause(&format!("{negotiated}RX negotiated:\toff\nTX negotiated:\toff\n")), Some([false, false]));
        assert_eq!(pause(negotiated), None);
        assert_eq!(pause(&negotiated.replace("Autonegotiate:\ton", "Autonegotiate:\toff")), Some([true, true]));
    }

    /// The example of Linux' commit that gave bnxt these counters: both names of one thing.
    #[test]
    fn standard_statistics_are_read_by_their_groups() {
        let host = host(
            "$ ethtool -S eth0 --groups eth-mac\nStandard stats for eth0:\neth-mac-FramesTransmittedOK: 902623288966\n\
             eth-mac-FramesReceivedOK: 28727667047\neth-mac-FrameCheckSequenceErrors: 1\neth-mac-AlignmentErrors: 0\n",
        );
        assert_eq!(host.interfaces[0].counter("eth-mac-FrameCheckSequenceErrors").unwrap().value, 1);
    }

    #[test]
    fn a_later_listing_tells_what_was_counted_between() {
        let listing = |crc: u32| format!("# ethtool -S eth0\nNIC statistics:\n     rx_crc_errors: {crc}\n");
        let host = host(&[listing(7), "$ iperf3 -c h\n".into(), listing(19)].concat());
        let [counter] = &host.interfaces[0].counters[..] else { panic!("{host:?}") };
        assert_eq!((counter.value, counter.was, counter.counted(), counter.place.line), (19, Some(7), 12, 7));
        let twice = super::super::tests::host("# ethtool -S a\nNIC statistics:\n     q: 1\n     q: 2\n");
        assert_eq!(twice.interfaces[0].counters.len(), 2);
    }

    #[test]
    fn the_last_word_on_an_offload_holds() {
        let host = host("Features for a:\nlarge-receive-offload: on\nFeatures for a:\nlarge-receive-offload: off\n");
        assert_eq!(host.interfaces[0].offload("large-receive-offload"), Some(false));
        assert_eq!(host.interfaces[0].offloads.len(), 1);
    }
}
