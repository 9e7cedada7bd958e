//! Tables of an experiment's keys, written from the tables that read them.

use super::check;
use experiment::{self, KeyRow};

/// A generated table: its page and mark, the section whose rows it has, the subject of its last column, and a filter of
/// the rows.
type Printed = (&'static str, &'static str, &'static str, &'static str, fn(&KeyRow) -> bool);

const ALL: fn(&KeyRow) -> bool = |_| true;

const PRINTED: &[Printed] = &[
    ("experiment.md", "top", "", "meaning", ALL),
    ("experiment.md", "flows", "[[flows]]", "meaning", |row| row.kinds.is_empty()),
    ("experiment.md", "flows-tcp", "[[flows]]", "in the guest", |row| row.kinds == ["bulk", "requests"]),
    ("experiment.md", "flows-bulk", "[[flows]]", "in the guest", |row| {
        row.kinds.contains(&"bulk") && !row.kinds.contains(&"requests")
    }),
    ("experiment.md", "flows-requests", "[[flows]]", "meaning", |row| {
        row.kinds.contains(&"requests") && !row.kinds.contains(&"bulk")
    }),
    ("experiment.md", "flows-udp", "[[flows]]", "meaning", |row| row.kinds.contains(&"udp")),
    ("experiment.md", "flows-ping", "[[flows]]", "meaning", |row| row.kinds.contains(&"ping")),
    ("programs.md", "flows-program", "[[flows]]", "in the guest", |row| row.kinds == ["program"]),
    ("experiment.md", "hosts", "[hosts]", "in the guest", ALL),
    ("experiment.md", "host", "[hosts.a]", "in the guest", ALL),
    ("interfaces.md", "shape", "[hosts.shape]", "meaning", ALL),
    ("interfaces.md", "ports", "[switches.s.ports.a]", "in the guest", ALL),
    ("experiment.md", "switches", "[switches.s]", "in the guest", ALL),
    ("experiment.md", "routers", "[routers.r]", "in the guest", ALL),
    ("experiment.md", "run", "[[hosts.a.run]]", "meaning", ALL),
    ("experiment.md", "routes", "[[hosts.a.routes]]", "meaning", ALL),
    ("experiment.md", "nat", "[routers.r.nat]", "meaning", ALL),
    ("experiment.md", "mptcp", "[hosts.a.mptcp]", "meaning", ALL),
    ("profiles.md", "napi", "[hosts.napi]", "in the guest", ALL),
    ("trials.md", "search", "[search]", "meaning", ALL),
    ("trials.md", "repeat", "[repeat]", "meaning", ALL),
    ("trials.md", "until", "[repeat.until]", "meaning", ALL),
    ("trials.md", "compare", "[compare]", "meaning", ALL),
    ("trials.md", "record", "[record]", "meaning", ALL),
    ("trials.md", "expect", "[[expect]]", "meaning", ALL),
    ("trials.md", "published", "[[published]]", "meaning", ALL),
    ("links.md", "path", "[path]", "in the guest", ALL),
    ("links.md", "links", "[[links]]", "in the guest", ALL),
    ("links.md", "line", "[path.backward]", "in the guest", |row| !row.direction.is_empty()),
    ("links.md", "queue", "[path.queue]", "meaning", ALL),
    ("links.md", "trace", "[path.rate]", "meaning", ALL),
    ("links.md", "police", "[path.police]", "meaning", ALL),
    ("links.md", "shape", "[path.shape]", "meaning", ALL),
    ("links.md", "lengths", "[path.lengths]", "meaning", ALL),
    ("links.md", "loss", "[path.loss]", "in the guest", ALL),
    ("links.md", "outages", "[[path.outages]]", "meaning", ALL),
    ("links.md", "reorder", "[path.reorder]", "meaning", ALL),
    ("links.md", "jitter", "[path.jitter]", "meaning", ALL),
    ("links.md", "aggregate", "[path.aggregate]", "meaning", ALL),
    ("links.md", "changes", "[[path.changes]]", "meaning", ALL),
    ("links.md", "backward", "[path.backward]", "meaning", |row| row.direction.is_empty()),
    ("links.md", "tunnels", "[[tunnels]]", "in the guest", ALL),
];

/// This section's only key is described in the row of the key whose value the section is.
const IN_A_ROW: &str = "[hosts.input-loss]";

#[test]
fn every_table_of_keys_is_printed() {
    let tables = experiment::key_tables();
    for (page, mark, heading, last, has) in PRINTED {
        let table = tables.iter().find(|table| table.heading == *heading).expect(heading);
        let rows: Vec<&KeyRow> = table.rows.iter().filter(|row| has(row)).collect();
        let directed = rows.iter().any(|row| !row.direction.is_empty());
        let row = |r: &&KeyRow| {
            let direction = if directed { format!("{} | ", r.direction) } else { String::new() };
            format!("| `{}` | {} | {} | {direction}{} |\n", r.name, r.takes, r.default, r.meaning)
                .replace("|  |", "| |")
        };
        let rows: String = rows.iter().map(row).collect();
        let [direction, bar] = if directed { ["direction | ", "---|"] } else { [""; 2] };
        check(page, mark, &format!("| key | takes | default | {direction}{last} |\n|---|---|---|---|{bar}\n{rows}"));
    }
    for table in tables.iter().filter(|table| table.heading != IN_A_ROW) {
        let printed =
            |row: &&KeyRow| PRINTED.iter().any(|(_, _, heading, _, has)| *heading == table.heading && has(row));
        let missing: Vec<&str> = table.rows.iter().filter(|row| !printed(row)).map(|row| row.name).collect();
        assert!(missing.is_empty(), "{}: {missing:?} are in no table of the reference", table.heading);
    }
}
