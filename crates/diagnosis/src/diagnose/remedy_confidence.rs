//! Confidence that a remedy's commands require: a change to every connection of a host or device has a cost if the
//! finding is wrong.

use super::finding::{Confidence, Finding};
use crate::remedy::{Change, Discipline, Remedy, catalogue};

/// Returns a finding's remedies; those that need more confidence become advice to test one connection first, or to
/// confirm first.
pub fn remedies(finding: &Finding) -> Vec<Remedy> {
    let proposed = finding.remedies.iter();
    proposed.filter_map(|remedy| in_place_of(remedy, finding.confidence, finding.rule)).collect()
}

/// Returns the confidence from which a change is worth its commands.
fn needs(remedy: &Remedy) -> Confidence {
    match &remedy.change {
        Change::Congestion(_) | Change::Qdisc { .. } => Confidence::High,
        Change::Sysctl { key: "net.core.default_qdisc", .. } => Confidence::High,
        _ => Confidence::Medium,
    }
}

fn in_place_of(remedy: &Remedy, confidence: Confidence, rule: &str) -> Option<Remedy> {
    if remedy.steps().now.is_empty() || confidence >= needs(remedy) {
        return Some(remedy.clone());
    }
    let then = format!("If that helps, goodput explain {rule} has the commands for all.");
    let says = match &remedy.change {
        Change::Congestion(name) => format!(
            "Run one connection with {name} first: iperf3 -c HOST -C {name}, as root. {} Not so behind a policer or on a full line. {then}",
            remedy.why.trim_start_matches(catalogue::NEW).trim_start()
        ),
        Change::Qdisc { discipline: Discipline::Tbf(Some(rate)), .. } => format!(
            "Pace one connection first: iperf3 -c HOST --fq-rate {rate}. Behind a policer next to nothing is then lost, for no less \
             goodput. {then}"
        ),
        Change::Qdisc { discipline: Discipline::Cake(Some(rate)), .. } => format!(
            "Pace one connection first, beside a ping: iperf3 -c HOST --fq-rate {rate}. If its own queue raised the \
             RTT, the RTT falls to that of the idle path. {then}"
        ),
        Change::Qdisc { discipline: Discipline::Fq, .. } => return None,
        Change::Sysctl { key: "net.core.default_qdisc", .. } => return None,
        _ => format!("Once that is sure: {} {}. {}", remedy.what(), remedy.at.name(), remedy.why),
    };
    Some(Remedy { platform: remedy.platform.clone(), ..catalogue::words(remedy.what(), remedy.at, &says) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::remedy::{At, Side};
    use base::model::usual_platforms;

    fn said(remedy: Remedy, confidence: Confidence) -> Option<(usize, String)> {
        let finding = Finding::problem("policer", confidence, 0.5, "").with_remedies(vec![remedy]);
        remedies(&finding).pop().map(|remedy| (remedy.steps().now.len(), remedy.why))
    }

    #[test]
    fn host_wide_remedies_below_high_confidence_try_one_flow() {
        let linux = &usual_platforms()[0];
        let shape = |discipline| catalogue::shape(discipline, "eth0", At::Sender, linux, "");
        for (remedy, first) in [
            (catalogue::congestion("bbr", linux), "iperf3 -c HOST -C bbr, as root."),
            (shape(Discipline::Tbf(Some(9_500_000))), "iperf3 -c HOST --fq-rate 9500000."),
            (shape(Discipline::Cake(Some(19_000_000))), "iperf3 -c HOST --fq-rate 19000000."),
        ] {
            assert!(said(remedy.clone(), Confidence::High).is_some_and(|(commands, _)| commands > 0));
            let (commands, why) = said(remedy, Confidence::Medium).unwrap();
            assert!(commands == 0 && why.contains(first) && why.ends_with("the commands for all."), "{why}");
        }
    }

    #[test]
    fn at_low_confidence_no_command_changes_anything() {
        let buffer = || catalogue::buffer(Side::Send, 1 << 20, &usual_platforms()[0]).remove(0);
        assert!(said(buffer(), Confidence::Medium).is_some_and(|(commands, _)| commands > 0));
        let (commands, why) = said(buffer(), Confidence::Low).unwrap();
        assert!(commands == 0 && why.starts_with("Once that is sure: send buffer on the sender. "), "{why}");
    }
}
