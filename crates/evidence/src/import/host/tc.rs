//! Reads `tc qdisc`.

use super::draft::Draft;
use super::row::HostRow;
use crate::{QDISC_FLOW_LIMIT, QDISC_SENT, System, UNNAMED};

const TC_COMMAND: &str = "tc qdisc show dev NAME";

/// Counters of `-s` whose name precedes the number, and goodput's names for them.
const LEADING_NAMES: &[(&str, &str)] =
    &[("dropped", "qdisc_dropped"), ("overlimits", "qdisc_overlimits"), ("requeues", "qdisc_requeues")];

/// Counters whose name follows the number: packets sent, and fq's drops because one flow used up its share of the queue
/// (net/sched/sch_fq.c, stat_flows_plimit).
const LEADING_NUMBERS: &[(&str, &str)] = &[("pkt", QDISC_SENT), ("flows_plimit", QDISC_FLOW_LIMIT)];

pub(super) fn read(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let row = &rows[0];
    let mut words = row.words().peekable();
    if row.prompt || words.next() != Some("qdisc") {
        return 0;
    }
    let (Some(kind), Some(handle)) = (words.next(), words.next()) else { return 0 };
    if !handle.ends_with(':') {
        return 0;
    }
    draft.seen(System::Linux);
    let told = words.next_if_eq(&"dev").and_then(|_| words.next()).or_else(|| asked(draft));
    let at = words.next().unwrap_or("");
    let device = match told {
        Some(device) => Some(device.to_owned()),
        None if at == "root" => draft.unnamed(row.index, TC_COMMAND).map(str::to_owned),
        None => draft.is_unnamed(TC_COMMAND).then(|| UNNAMED.to_owned()),
    };
    let leaf = at == "parent" && !words.next().unwrap_or("").starts_with("ffff:");
    if words.next_if_eq(&"refcnt").is_some() {
        words.next();
    }
    let words: Vec<&str> = [kind].into_iter().chain(words).collect();
    let qdisc = words.join(" ");
    match &device {
        Some(device) if at == "root" => draft.root_qdisc(row.index, device, qdisc),
        Some(device) if leaf => draft.leaf_qdisc(row.index, device, &qdisc),
        Some(_) => {}
        None if at == "root" => {}
        None => draft.wrong(row.index, format!("no interface name: `{TC_COMMAND}` gives it")),
    }
    let body = rows[1..].iter().take_while(|row| is_further(row)).count();
    for row in &rows[1..=body] {
        if let Some(device) = device.as_deref().filter(|_| at == "root") {
            count(row, device, draft);
        }
    }
    1 + body
}

/// Returns the interface that the preceding command asked about.
fn asked<'a>(draft: &Draft<'a>) -> Option<&'a str> {
    draft.command?.arguments_of("tc")?.skip_while(|word| *word != "dev").nth(1)
}

fn is_further(row: &HostRow<'_>) -> bool {
    !row.prompt && (row.indented() && row.first() != "qdisc" || matches!(row.first(), "Sent" | "backlog"))
}

/// Reads `Sent 0 bytes 0 pkt (dropped 0, overlimits 0 requeues 0)` and `0 gc, 0 highprio, 0 throttled, 0 flows_plimit`.
fn count(row: &HostRow<'_>, device: &str, draft: &mut Draft<'_>) {
    let words: Vec<&str> = row.words().map(|word| word.trim_matches(['(', ')', ','])).collect();
    // The backlog line repeats the requeues.
    let counted = if row.first() == "Sent" { LEADING_NAMES } else { &[] };
    for pair in words.windows(2) {
        let before = counted.iter().find(|(printed, _)| *printed == pair[0]).map(|(_, name)| (name, pair[1]));
        let behind = LEADING_NUMBERS.iter().find(|(printed, _)| *printed == pair[1]).map(|(_, name)| (name, pair[0]));
        if let Some((name, number)) = before.or(behind)
            && let Some(value) = draft.number(row.index, "the counter", number)
        {
            draft.count(row.index, device, *name, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{host, read};
    use crate::{QDISC_FLOW_LIMIT, QDISC_SENT};

    #[test]
    fn a_qdisc_has_its_parameters_and_drops() {
        let host = host(
            "qdisc netem 8001: dev enp1s0 root refcnt 2 limit 1000 delay 40ms loss 0.1%\n \
             Sent 2726465 bytes 34200 pkt (dropped 12, overlimits 0 requeues 3) \n backlog 0b 0p requeues 0\n\
             qdisc mq 0: dev eth0 root \nqdisc fq 0: dev eth0 parent :2 limit 10000p\nqdisc fq 0: dev eth0 parent :1 limit 10000p\n\
             qdisc clsact ffff: dev eth0 parent ffff:fff1\n",
        );
        let [enp1s0, eth0] = &host.interfaces[..] else { panic!("{host:?}") };
        assert_eq!(enp1s0.qdisc.as_deref(), Some("netem limit 1000 delay 40ms loss 0.1%"));
        let counters: Vec<_> = enp1s0.counters.iter().map(|c| (c.name.as_str(), c.value)).collect();
        assert_eq!(
            counters,
            [("qdisc_sent", 34200), ("qdisc_dropped", 12), ("qdisc_overlimits", 0), ("qdisc_requeues", 3)]
        );
        assert_eq!(eth0.qdisc.as_deref(), Some("mq / fq limit 10000p"));
    }

    #[test]
    fn the_command_names_the_interface() {
        let found = host("# tc qdisc show dev enp1s0\nqdisc netem 8001: root refcnt 2 limit 1000 delay 40ms\n");
        assert_eq!(
            (found.interfaces[0].name.as_str(), found.interfaces[0].qdisc.as_deref()),
            ("enp1s0", Some("netem limit 1000 delay 40ms"))
        );
        let lone = "qdisc tbf 1: root refcnt 2 rate 30Mbit\n Sent 99 bytes 9 pkt (dropped 2, overlimits 0 requeues 0)\n\
                    qdisc netem 10: parent 1:1 limit 900 loss 2%\n";
        let (unnamed, unread) = read(lone).unwrap();
        let [device] = &unnamed.interfaces[..] else { panic!("{unnamed:?}") };
        assert_eq!(
            (device.name.as_str(), device.qdisc.as_deref()),
            ("DEVICE", Some("tbf rate 30Mbit / netem limit 900 loss 2%"))
        );
        assert_eq!((device.counters[1].value, unread.len()), (2, 0));
        let (two, unread) = read(&format!("{lone}{lone}")).unwrap();
        assert_eq!((two.interfaces.len(), unread.iter().filter(|unread| unread.why.is_some()).count()), (1, 2));
        assert_eq!(read("qdisc is a word"), None);
    }

    #[test]
    fn fq_tells_what_a_flow_s_share_drops() {
        let host = host(
            "qdisc fq 8005: dev eth0 root refcnt 2 limit 10000p flow_limit 100p buckets 1024\n Sent 1251234567 bytes 912345 pkt (dropped \
             45231, overlimits 0 requeues 12) \n backlog 0b 0p requeues 12\n  1203 flows (1200 inactive, 0 throttled)\n  0 gc, 2 \
             highprio, 3456 throttled, 45230 flows_plimit\n",
        );
        let of = |name| host.interfaces[0].counters.iter().find(|counter| counter.name == name).unwrap().value;
        assert_eq!([QDISC_SENT, "qdisc_dropped", QDISC_FLOW_LIMIT].map(of), [912_345, 45_231, 45_230]);
    }

    #[test]
    fn ip_link_does_not_take_the_parameters_away() {
        let host = host("qdisc fq 1: dev eth0 root refcnt 2 limit 10p\n2: eth0: <UP> mtu 1500 qdisc fq state UP\n");
        assert_eq!(host.interfaces[0].qdisc.as_deref(), Some("fq limit 10p"));
    }
}
