//! Reads kernel log lines: `dmesg`, `journalctl -k`, /var/log/messages.

use super::draft::Draft;
use super::row::HostRow;
use crate::{CONNTRACK_FULL, System, TRANSMIT_HUNG};

/// Whether a line contains the message.
type Says = fn(&HostRow<'_>) -> bool;

/// Messages that are counted.
const COUNTED_MESSAGES: &[(&str, Says)] = &[(CONNTRACK_FULL, is_full), (TRANSMIT_HUNG, is_hung)];

pub(super) fn read(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
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

#[cfg(test)]
mod tests {
    use super::super::tests::{host, read};
    use crate::{CONNTRACK_FULL, TRANSMIT_HUNG};

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
}
