//! What the kernel logs: `dmesg`, `journalctl -k`, /var/log/messages.

use super::draft::Draft;
use super::row::Row;
use crate::{CONNTRACK_FULL, System};

pub(super) fn read(rows: &[Row<'_>], draft: &mut Draft<'_>) -> usize {
    let taken = rows.iter().take_while(|row| !row.prompt && is_full(row)).count();
    if taken > 0 {
        draft.seen(System::Linux);
        draft.add(rows[0].index, CONNTRACK_FULL, taken as u64);
    }
    taken
}

/// `[17592.3] nf_conntrack: table full, dropping packet`; before Linux 3.0 with a full stop, or of `ip_conntrack`.
fn is_full(row: &Row<'_>) -> bool {
    let text = row.text.trim_end().trim_end_matches('.');
    let said = CONNTRACK_FULL.trim_start_matches("nf_");
    text.strip_suffix(said).is_some_and(|before| before.ends_with("nf_") || before.ends_with("ip_"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{host, read};
    use crate::CONNTRACK_FULL;

    #[test]
    fn lines_of_a_full_table_are_counted() {
        let host = host(
            "[ 812.4] nf_conntrack: table full, dropping packet\n[ 812.9] nf_conntrack: table full, dropping packet\n\
             [ 813.0] eth0: link up\nNov 26 04:00:01 gw kernel: ip_conntrack: table full, dropping packet.\n",
        );
        assert_eq!(host.counter(CONNTRACK_FULL), Some(3));
        assert_eq!(read("the table full, dropping packet\n"), None);
    }
}
