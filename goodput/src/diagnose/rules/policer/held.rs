//! A policer that BBR has found by itself.

use super::{BY_UDP, FULL, OR_A_LINK, RULE};
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::remedies;
use crate::diagnose::view::View;
use crate::show::{rate, share};

/// What is sent again at the least: BBR takes a path for policed at 20 % within a few round trips, and keeps to it for 48
/// (net/ipv4/tcp_bbr.c, bbr_lt_loss_thresh and bbr_lt_bw_max_rtts).
const AGAIN: f64 = 0.01;

pub(super) fn of(flow: &Flow, view: &View) -> Option<Finding> {
    let held = flow.seen.policed?;
    let again = flow.retransmitted().filter(|again| *again >= AGAIN)?;
    if flow.is_limited() || flow.fills(FULL) == Some(true) {
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
        .ask(BY_UDP)
        .doubt(OR_A_LINK);
    Some(finding.of(flow).with_remedies(remedies::policer_unless_told(Some(total))))
}
