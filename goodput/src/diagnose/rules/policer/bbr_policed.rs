//! Finds a policer that BBR itself detected.

use super::{ASK_UDP, NEARLY_FULL_LINK_SHARE, OR_A_LINK_NOTE, RULE};
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::remedies;
use crate::diagnose::view::View;
use crate::show::{rate, share};

/// Smallest retransmitted share. BBR considers a path policed at 20 % within a few round trips, and keeps that rate
/// for 48 (net/ipv4/tcp_bbr.c, bbr_lt_loss_thresh and bbr_lt_bw_max_rtts).
pub(super) const MIN_RETRANSMITTED_SHARE: f64 = 0.01;

pub(super) fn of(flow: &Flow, view: &View) -> Option<Finding> {
    let held = flow.seen.policed?;
    let again = flow.retransmitted().filter(|again| *again >= MIN_RETRANSMITTED_SHARE)?;
    if flow.is_limited() || flow.fills(NEARLY_FULL_LINK_SHARE) == Some(true) {
        return None;
    }
    let several = super::together(view.group(flow).count());
    let total = flow.total.unwrap_or(held);
    let says = format!(
        "Policed at about {}{several}: BBR takes the path for policed and keeps to {}, after {} of its segments had to be sent again.",
        rate(total),
        rate(held),
        share(again)
    );
    let finding = Finding::problem(RULE.name, Confidence::Medium, RULE.assumed.max(again), says)
        .at("BBR's bandwidth, the same all along", rate(held), &flow.seen.place)
        .at("retransmitted", share(again), &flow.seen.place)
        .ask(ASK_UDP)
        .doubt(OR_A_LINK_NOTE);
    Some(finding.of(flow).with_remedies(remedies::policer_unless_told(Some(total))))
}
