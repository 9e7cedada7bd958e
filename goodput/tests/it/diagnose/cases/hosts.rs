//! Cases of rules that look at hosts alone.

use super::{Case, NOTHING, problem, read};
use diagnosis::diagnose::Given;
use evidence::{Counter, Evidence, Setting};

pub const CASES: &[Case] = &[
    problem("duplex-mismatch", || read(&["duplex.txt"]), |evidence| evidence.hosts[0].interfaces.clear()),
    Case {
        // serverfault, question 328105.
        name: "collisions and damaged frames",
        ..problem(
            "duplex-mismatch",
            || read(&["collisions.txt"]),
            |evidence| counter(evidence, "tx_collisions").value = 20,
        )
    },
    // stmmac in a box of Firewalla's, from firewalla's tests of SysInfo.
    problem("damaged-frames", || read(&["damaged-frames.txt"]), |evidence| evidence.hosts[0].interfaces.clear()),
    // Linux 6.18 behind raw sockets that change a byte of one full frame in 400.
    problem("checksum-errors", || read(&["checksum-errors.txt"]), |evidence| evidence.hosts[0].counters.clear()),
    Case {
        given: Given { rtt: Some(0.08), ..NOTHING },
        ..problem("receive-autotuning", autotuning_restricted, |evidence| level(evidence).value = "normal".into())
    },
];

/// Windows Server 2012 of ask.wireshark.org, question 43102, at another level.
fn autotuning_restricted() -> Evidence {
    let mut evidence = read(&["windows-tcp.txt"]);
    level(&mut evidence).value = "highlyrestricted".into();
    evidence
}

fn level(evidence: &mut Evidence) -> &mut Setting {
    evidence.hosts[0].settings.iter_mut().find(|setting| setting.key == "windows.tcp.autotuninglevel").unwrap()
}

/// A counter of the first interface.
fn counter<'e>(evidence: &'e mut Evidence, name: &str) -> &'e mut Counter {
    evidence.hosts[0].interfaces[0].counters.iter_mut().find(|counter| counter.name == name).unwrap()
}
