use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::{Flow, MIN_BUSY_SHARE};
use crate::diagnose::losses::MIN_SUSPICIOUS_LOSS_SHARE;
use crate::diagnose::lost_by_size;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use base::show::{self, rate, share, time};
use base::units::Unit;
use evidence::{System, Table};

/// Share of the time above which timeouts limit.
const MIN_TIMEOUT_TIME_SHARE: f64 = 0.15;
/// Share of its rate from which connections fill the link; some then always wait for a timer.
const NEARLY_FULL_LINK_SHARE: f64 = 0.85;
/// Duration of a timeout if unknown, seconds (RTO_MIN of Linux and, with its slop, of FreeBSD).
const DEFAULT_RTO_S: f64 = 0.2;

/// The rule.
pub const RULE: Rule = Rule {
    name: "timeouts",
    title: "Loss recovery waits for RTOs",
    needs: &[Need::Retransmissions],
    model: "A loss that neither duplicate ACKs nor SACK reveal (small windows, lost retransmissions, tails of transfers, no \
            SACK) waits for the retransmission timer: 200 ms or more whatever the RTT, then slow start from one segment.",
    source: "RFC 6298; RFC 8985 (RACK-TLP); Padhye et al., SIGCOMM 1998",
    thresholds: || {
        vec![
            (
                format!("RTOs take {} of the time or more", show::plain_share(MIN_TIMEOUT_TIME_SHARE)),
                "below that, fast recovery does most of the work",
            ),
            (
                format!("at {} each where their time is not counted", show::plain_time(DEFAULT_RTO_S)),
                "RTO_MIN of Linux; FreeBSD has 30 ms and 200 ms of slop",
            ),
        ]
    },
    confidence: "high with counted RTOs and their time; medium with their number alone, or where its program leaves it idle",
    confirm: &[
        "nstat -az TcpTimeouts TcpExtTCPLossProbes TcpExtTCPSackRecovery",
        "ss -tin dst HOST (rto, backoff, lost)",
    ],
    alike: &[
        ("mtu-black-hole", "no full-size segment ever arrives"),
        ("outage", "one long stall"),
        ("loss-response", "losses are repaired within an RTT"),
    ],
    explains: &[
        "loss-response",
        "application-limited",
        "idle-restart",
        "slow-start-exit",
        "shallow-buffer",
        "policer",
        "rate-cap",
        "short-flows",
        "nagle-delayed-ack",
    ],
    remedies: remedies::recovery,
    assumed: 0.6,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let of_tables = view.evidence.tables.iter().filter_map(of_table);
    let found: Vec<Finding> = view.flows.iter().filter_map(|flow| find_in_flow(flow, view)).chain(of_tables).collect();
    if found.is_empty() { of_counters(view).into_iter().collect() } else { found }
}

/// Smallest number of a host's retransmissions for a share of timeouts, and the smallest such share.
const MIN_RETRANSMISSIONS: u64 = 100;
const MIN_TIMEOUT_SHARE: f64 = 0.3;

/// Finds a host with a timeout for a large share of its retransmissions.
fn of_counters(view: &View) -> Option<Finding> {
    let (host, again, timeouts) = view.evidence.hosts.iter().find_map(|host| {
        let (again, timeouts) = (host.counter("TcpRetransSegs")?, host.counter("TcpExtTCPTimeouts")?);
        (again >= MIN_RETRANSMISSIONS && timeouts as f64 > MIN_TIMEOUT_SHARE * again as f64).then_some((
            host,
            again as f64,
            timeouts as f64,
        ))
    })?;
    let says = format!(
        "{} RTOs for {} retransmitted segments on this host: much of its loss recovery waits for the timer.",
        show::count(timeouts),
        show::count(again)
    );
    let finding = Finding::note(RULE.name, Confidence::Medium, says)
        .at("TcpExtTCPTimeouts", show::count(timeouts), &host.place)
        .at("TcpRetransSegs", show::count(again), &host.place)
        .doubt("Counters since boot, of all connections.")
        .ask("nstat -n; iperf3 -c HOST; nstat TcpRetransSegs TcpExtTCPTimeouts");
    Some(finding.sized(Sizes::default()))
}

/// Finds rows of a table over loss rates with a goodput that falls faster than any response function: Reno's falls as
/// 1/sqrt(p), timeouts make it fall as 1/p and faster (Padhye).
fn of_table(table: &Table) -> Option<Finding> {
    let columns: Vec<(usize, f64)> = (0..table.columns.len()).filter_map(|n| Some((n, table.loss(n)?))).collect();
    let (first, last) = (columns.first()?, columns.last()?);
    let times = last.1 / first.1;
    let falls = |row: usize| Some(table.rate(row, first.0)? / table.rate(row, last.0)?);
    let falls = (0..table.rows.len()).filter_map(|row| Some((row, falls(row)?)));
    let steep: Vec<(usize, f64)> = falls.filter(|(_, fall)| *fall > 2.0 * times).collect();
    if times < 2.0 || steep.is_empty() {
        return None;
    }
    let name = |row: usize| table.rows[row].iter().take(first.0).map(String::as_str).collect::<Vec<_>>().join(", ");
    let names: Vec<String> = steep.iter().map(|(row, _)| name(*row)).collect();
    let says = format!(
        "Loss recovery waits for RTOs: from {} to {} loss, goodput drops by a factor of {} ({}); with recovery within an RTT, by {} at \
         most (goodput ~ 1/sqrt(p)).",
        share(first.1),
        share(last.1),
        show::times(&steep.iter().map(|(_, fall)| *fall).collect::<Vec<_>>()),
        names.join("; "),
        show::number(times.sqrt())
    );
    let mut finding = Finding::problem(RULE.name, Confidence::Medium, RULE.assumed, says).figure(
        "with recovery in an RTT",
        format!("{} times", show::number(times.sqrt())),
        "goodput ~ 1/sqrt(p)",
    );
    let mut sizes = Sizes::default();
    let (rack, others): (Vec<usize>, Vec<usize>) = (0..table.rows.len()).partition(|row| is_rack(&name(*row)));
    let others: Vec<usize> = others.into_iter().filter(|row| steep.iter().any(|(steep, _)| steep == row)).collect();
    let beside = Beside::compare_stacks(table, &columns, &rack, &others);
    if let Some(beside) = &beside {
        finding = finding.at("RACK in the same table", beside.says(), &table.place);
    }
    if others.is_empty() || beside.is_some_and(|beside| beside.faster.is_none()) {
        sizes.platforms.retain(|platform| platform.system != System::FreeBsd);
    }
    for (row, fall) in &steep {
        let [from, to] = [first, last].map(|(column, _)| &table.rows[*row][*column]);
        finding = finding.at(name(*row), format!("{from} to {to}, {} times", show::number(*fall)), &table.place);
    }
    let doubt = "One figure per case: run-to-run variation is unknown.";
    Some(finding.doubt(doubt).ask("netstat -s -p tcp | grep -i timeout, before and after a run").sized(sizes))
}

/// Whether a row of a table is for FreeBSD's RACK stack. Linux has RACK in every row.
fn is_rack(name: &str) -> bool {
    let name = name.to_lowercase();
    name.contains("rack") && !name.contains("linux")
}

/// The table's own evidence on FreeBSD's RACK stack, which the rule proposes.
struct Beside {
    /// Cell with the highest loss rate at which all RACK rows are slower than the others.
    slower: Option<Cell>,
    /// Cell with the lowest loss rate from which all RACK rows are faster.
    faster: Option<Cell>,
}

/// A loss rate with the lowest and highest goodput of the RACK rows and of the others.
#[derive(Clone, Copy)]
struct Cell {
    loss: f64,
    rack: [f64; 2],
    others: [f64; 2],
}

impl Beside {
    fn compare_stacks(table: &Table, columns: &[(usize, f64)], rack: &[usize], others: &[usize]) -> Option<Beside> {
        let span = |column: usize, rows: &[usize]| {
            let rates = || rows.iter().filter_map(|row| table.rate(*row, column));
            Some([rates().reduce(f64::min)?, rates().reduce(f64::max)?])
        };
        let cell = |(column, loss): &(usize, f64)| {
            Some(Cell { loss: *loss, rack: span(*column, rack)?, others: span(*column, others)? })
        };
        let cells: Vec<Cell> = columns.iter().filter_map(cell).collect();
        let slower = cells.iter().rev().find(|cell| cell.rack[1] < cell.others[0]).copied();
        let faster = cells.iter().rev().take_while(|cell| cell.rack[0] > cell.others[1]).last().copied();
        (slower.is_some() || faster.is_some()).then_some(Beside { slower, faster })
    }

    fn says(&self) -> String {
        let said = |cell: Option<Cell>, head: &str, tail: &str| {
            let Cell { loss, rack, others } = cell?;
            let [rack, others] = [rack, others].map(|[low, high]| show::range(Unit::BitsPerSecond, low, high));
            Some(format!("{head} {}{tail} ({rack}, not {others})", share(loss)))
        };
        let both = [said(self.slower, "slower at", ""), said(self.faster, "faster from", " on")];
        both.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

fn find_in_flow(flow: &Flow, view: &View) -> Option<Finding> {
    let timeouts = flow.seen.timeouts.filter(|n| *n >= 2.0)?;
    let seconds = flow.seconds?;
    let counted = flow.seen.timeout_time;
    let least = timeouts * DEFAULT_RTO_S.max(flow.base().unwrap_or(0.0));
    let spent = counted.unwrap_or(0.0).max(silences(flow).unwrap_or(least)).min(seconds);
    let share_of = spent / seconds;
    // A program that reached its rate caught up on the missed data.
    let keeps_up = flow.keeps_to_rate() || view.is_asked_for(flow);
    let full = view.is_full(flow) || view.group(flow).count() > 1 && flow.fills(NEARLY_FULL_LINK_SHARE) == Some(true);
    if share_of < MIN_TIMEOUT_TIME_SHARE || lost_by_size::is_stuck(flow) || full || keeps_up {
        return None;
    }
    let says = format!(
        "Loss recovery waits for RTOs: {} of them take {} of the time. Measured {}.",
        show::count(timeouts),
        share(share_of),
        rate(flow.seen.goodput?)
    );
    let forwarders =
        view.evidence.hosts.iter().filter(|host| host.interfaces.iter().any(|i| !i.offloads.is_empty())).count() > 1;
    let many = flow.retransmitted()? >= MIN_SUSPICIOUS_LOSS_SHARE && !forwarders;
    let idles = flow.busy().is_some_and(|busy| busy < MIN_BUSY_SHARE);
    let confidence = if counted.is_some() && !many && !idles { Confidence::High } else { Confidence::Medium };
    let mut finding = Finding::problem(RULE.name, confidence, share_of, says)
        .at("RTOs", show::count(timeouts), &flow.seen.place)
        .at("time spent in them", time(spent), &flow.seen.place)
        .at("retransmitted", share(flow.retransmitted()?), &flow.seen.place);
    if let Some(rtt) = &flow.rtt {
        finding = finding.figure("RTT", time(rtt.value), &rtt.from);
    }
    if flow.seen.sack == Some(false) {
        finding = finding.at("SACK", "not negotiated", &flow.seen.place);
    }
    if let Some(cwnd) = flow.cwnd {
        finding = finding.at("mean cwnd", format!("{} segments", show::number(cwnd / flow.mss)), &flow.seen.place);
    }
    if many {
        // Better recovery does not help if something drops by design.
        return Some(
            finding
                .doubt(
                    "With this many retransmissions, find what drops the packets: LRO on a forwarding host looks the \
                     same.",
                )
                .ask(
                    "ethtool -k DEVICE and ip -d link, or ifconfig -a, on each host that routes or bridges on the path",
                )
                .about_flow(flow)
                .with_remedies(remedies::line(&Sizes::for_flow(flow))),
        );
    }
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow)))
}

/// Returns the time in silences as long as a timeout, less the time with nothing outstanding.
fn silences(flow: &Flow) -> Option<f64> {
    let least = DEFAULT_RTO_S.max(1.5 * flow.base().unwrap_or(0.0));
    let silences = flow.silences().filter(|_| !flow.seen.points.is_empty())?;
    let idle = flow.busy().zip(flow.seconds).map_or(0.0, |(busy, seconds)| (1.0 - busy) * seconds);
    let silent: f64 = silences.into_iter().filter(|silence| *silence >= least).sum();
    Some((silent - idle).max(0.0))
}
