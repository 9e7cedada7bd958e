//! Failures that programs reported, and what to try next.

use evidence::Evidence;
use serde::Serialize;

/// A run that failed, or a host that did not answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failed {
    /// Place and error message.
    pub says: String,
    /// Next step to try.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<&'static str>,
}

/// Error messages in lower case, and what to try.
const FAILURES: &[(&str, &str)] = &[
    (
        "connection refused",
        "nothing listens there, or a firewall rejects it: run iperf3 -s on the server; ss -ltn there shows the ports that are open",
    ),
    (
        "timed out",
        "something drops the packets, most often a firewall: open the port, or try one that is known to be open (-p)",
    ),
    ("no route to host", "ip route get HOST; a firewall that rejects by ICMP says the same"),
    ("unreachable", "ip route get HOST: there is no way to it from here"),
    ("server is busy", "wait for the other test to end, or run a second server on another port (-p)"),
    ("broken pipe", "the other end closed the connection: its own output says why"),
    (
        "connection reset",
        "the other end, or something between, closed the connection: the other end's own output says whether it was",
    ),
];

/// Returns all failures in the evidence.
pub fn failures(evidence: &Evidence) -> Vec<Failed> {
    let runs = evidence.listings.iter().filter_map(|run| {
        let error = run.listing.error.as_ref()?;
        let lower = error.to_lowercase();
        let next = FAILURES.iter().find(|(words, _)| lower.contains(words)).map(|(_, next)| *next);
        Some(Failed { says: format!("{}: {error}", run.place), next })
    });
    let programs = evidence.errors.iter().map(|error| {
        let lower = error.says.to_lowercase();
        let next = FAILURES.iter().find(|(words, _)| lower.contains(words)).map(|(_, next)| *next);
        Failed { says: format!("{}: {}: {}", error.place, error.program, error.says), next }
    });
    runs.chain(programs).chain(silent(evidence)).collect()
}

/// Reports pings without a single answer, if the evidence has no connection.
fn silent(evidence: &Evidence) -> Option<Failed> {
    let first = evidence.pings.first().filter(|_| evidence.connections.is_empty())?;
    let asked: u64 =
        evidence.pings.iter().filter(|ping| ping.answered == Some(0)).map(|ping| ping.sent).sum::<Option<u64>>()?;
    evidence.pings.iter().all(|ping| ping.answered == Some(0) && ping.too_big.is_none()).then(|| Failed {
        says: format!("{}: none of {asked} pings was answered", first.place),
        next: Some(
            "the host may be down, or something drops pings alone: iperf3 -c HOST tells whether TCP gets through, traceroute HOST \
             how far packets come",
        ),
    })
}
