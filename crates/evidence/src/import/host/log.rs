//! Reads kernel log lines: `dmesg`, `journalctl -k`, /var/log/messages.

use super::draft::Draft;
use super::row::HostRow;
use crate::import::view::figure;
use crate::{CHECKSUM_FAILURE, CONNTRACK_FULL, OUT_OF_TCP_MEMORY, SUSPECT_GRO, System, TRANSMIT_HUNG};

/// Whether a line contains the message.
type Says = fn(&HostRow<'_>) -> bool;

/// Messages that are counted.
const COUNTED_MESSAGES: &[(&str, Says)] = &[
    (CONNTRACK_FULL, is_full),
    (TRANSMIT_HUNG, is_hung),
    (CHECKSUM_FAILURE, |row| row.text.trim_end().ends_with(": hw csum failure")),
    (SUSPECT_GRO, |row| row.text.contains("TCP: ") && row.text.contains(": Driver has suspect GRO implementation")),
    (OUT_OF_TCP_MEMORY, |row| row.text.contains("TCP: out of memory -- consider tuning tcp_mem")),
];

pub(super) fn read(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    if rows[0].prompt {
        return 0;
    }
    if let Some(link) = Link::parse(rows[0].text) {
        link.note(rows[0].index, draft);
        return 1;
    }
    let count = |says: Says| rows.iter().take_while(|row| !row.prompt && says(row)).count();
    let Some((name, taken)) =
        COUNTED_MESSAGES.iter().map(|(name, says)| (*name, count(*says))).find(|(_, taken)| *taken > 0)
    else {
        return 0;
    };
    draft.seen(System::Linux);
    draft.add(rows[0].index, name, taken as u64);
    taken
}

/// Matches `NETDEV WATCHDOG: eth0 (e1000e): transmit queue 0 timed out`, with processor and time since Linux 6.5.
fn is_hung(row: &HostRow<'_>) -> bool {
    row.text
        .split_once(TRANSMIT_HUNG)
        .is_some_and(|(_, rest)| rest.contains("transmit queue") && rest.contains(" timed out"))
}

/// Matches `[17592.3] nf_conntrack: table full, dropping packet`; before Linux 3.0 it ends in a full stop, or names
/// `ip_conntrack`.
fn is_full(row: &HostRow<'_>) -> bool {
    let text = row.text.trim_end().trim_end_matches('.');
    let said = CONNTRACK_FULL.trim_start_matches("nf_");
    text.strip_suffix(said).is_some_and(|before| before.ends_with("nf_") || before.ends_with("ip_"))
}

/// A link that came up.
#[derive(Debug, PartialEq)]
struct Link<'a> {
    name: &'a str,
    rate: f64,
    half_duplex: Option<bool>,
    pause: Option<[bool; 2]>,
}

impl<'a> Link<'a> {
    /// Parses `eth0: Link is Up - 100Mbps/Full - flow control rx/tx` (drivers/net/phy/phy.c, phy_print_status) and
    /// `e1000e 0000:00:19.0 eth0: NIC Link is Up 1000 Mbps Full Duplex, Flow Control: None` of Intel's drivers.
    fn parse(text: &'a str) -> Option<Link<'a>> {
        let (before, told) = text.split_once("Link is Up")?;
        let name = before.trim_end().trim_end_matches("NIC").trim_end();
        let name = name.rsplit(char::is_whitespace).next()?.trim_end_matches(':');
        let told = told.trim_start_matches([' ', '-']);
        let unit = told.find("bps")? + "bps".len();
        let rate = figure::rate(&told[..unit])?;
        let told = told[unit..].to_ascii_lowercase();
        let has = |word: &str| told.contains(word);
        let half_duplex = (has("half") || has("full")).then(|| has("half"));
        let pause = told.split_once("flow control").map(|(_, control)| control.trim_matches([' ', ':']));
        let pause = pause.map(|control| [control.starts_with("rx"), control.ends_with("tx")]);
        let is_name = !name.is_empty() && name.starts_with(|c: char| c.is_ascii_lowercase());
        is_name.then_some(Link { name, rate, half_duplex, pause })
    }

    /// The last line about a link holds.
    fn note(self, index: usize, draft: &mut Draft<'_>) {
        draft.seen(System::Linux);
        let interface = draft.interface(index, self.name);
        interface.rate = Some(self.rate);
        interface.half_duplex = self.half_duplex.or(interface.half_duplex);
        interface.pause = self.pause.or(interface.pause);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{host, read};
    use crate::{CHECKSUM_FAILURE, CONNTRACK_FULL, OUT_OF_TCP_MEMORY, SUSPECT_GRO, TRANSMIT_HUNG};

    #[test]
    fn lines_of_a_full_table_are_counted() {
        let host = host(
            "[ 812.4] nf_conntrack: table full, dropping packet\n[ 812.9] nf_conntrack: table full, dropping packet\n\
             [ 813.0] eth0: link up\nNov 26 04:00:01 gw kernel: ip_conntrack: table full, dropping packet.\n",
        );
        assert_eq!(host.counter(CONNTRACK_FULL), Some(3));
        let hung = "[ 2792.0] dwmac eth0: NETDEV WATCHDOG: CPU: 0: transmit queue 0 timed out 5176 ms\n";
        assert_eq!(super::super::tests::host(hung).counter(TRANSMIT_HUNG), Some(1));
        assert_eq!(read("the table full, dropping packet\n"), None);
    }

    /// Lines of netdev's mails about ravb, and of the Intel drivers'.
    #[test]
    fn faults_of_checksums_and_of_merging_are_counted() {
        let host = host(
            "[   34.391956] eth0: hw csum failure\n[   34.396044] skb len=168 headroom=142 headlen=168 tailroom=15754\n\
             [   40.1] eth0: hw csum failure\n\
             [   14.801347] TCP: tun0: Driver has suspect GRO implementation, TCP performance may be compromised.\n\
             [  900.0] TCP: out of memory -- consider tuning tcp_mem\n",
        );
        let counters = [CHECKSUM_FAILURE, SUSPECT_GRO, OUT_OF_TCP_MEMORY].map(|name| host.counter(name));
        assert_eq!(counters, [Some(2), Some(1), Some(1)]);
        assert_eq!(read("we saw a hw csum failure in the log\n"), None);
    }

    #[test]
    fn a_link_that_came_up_has_rate_duplex_and_pause_frames() {
        for (line, expected) in [
            (
                "[ 9.1] fec 30be0000.ethernet eth0: Link is Up - 100Mbps/Half - flow control off",
                (100e6, true, [false; 2]),
            ),
            ("[ 3.5] smsc95xx eth0: Link is Up - 1Gbps/Full - flow control rx/tx", (1e9, false, [true; 2])),
            (
                "e1000e 0000:00:19.0 eth0: NIC Link is Up 1000 Mbps Full Duplex, Flow Control: Rx",
                (1e9, false, [true, false]),
            ),
            ("e1000e: eth0 NIC Link is Up 10 Mbps Half Duplex, Flow Control: None", (10e6, true, [false; 2])),
        ] {
            let host = host(line);
            let eth0 = &host.interfaces[0];
            let told = (eth0.rate.unwrap(), eth0.half_duplex.unwrap(), eth0.pause.unwrap());
            assert_eq!((eth0.name.as_str(), told), ("eth0", expected), "{line}");
        }
        let ixgbe = "[    5.2] ixgbe 0000:01:00.0 eth2: NIC Link is Up 10 Gbps, Flow Control: RX/TX";
        let eth2 = &host(ixgbe).interfaces[0];
        assert_eq!((eth2.rate, eth2.half_duplex, eth2.pause), (Some(1e10), None, Some([true, true])));
        assert_eq!(read("The Link is Up for 10 Mbps"), None);
    }
}
