//! The limit that remains after a remedy.

use super::finding::{Confidence, Finding};
use super::flow::Flow;
use super::remedies;
use super::view::View;
use base::show::{bytes, rate, time};
use evidence::Setting;

/// Returns a note about the first connection whose link a buffer could not fill, even if all of what autotuning may
/// grow it to held data.
pub fn limit(view: &View, rule: &'static str, begins: &str, buffer: f64, setting: &Setting) -> Option<Finding> {
    let of = |flow: &Flow| {
        let most = most(flow, buffer).filter(|_| flow.seen.asked.is_none())?;
        let says = format!("{begins} {}, {} at most over {}.", bytes(buffer), rate(most), time(flow.base()?));
        let finding = Finding::note(rule, Confidence::Medium, says);
        let finding = finding.setting(&*setting.key, setting);
        Some(finding.about_flow(flow).with_remedies(remedies::next()))
    };
    view.flows.iter().find_map(of)
}

/// Returns the rate that a window allows, bit/s, if it exceeds the goodput but not the link rate.
fn most(flow: &Flow, window: f64) -> Option<f64> {
    let (line, goodput) = (flow.expected()?.value * flow.payload(), flow.seen.goodput?);
    let most = flow.allowed_by(window)?;
    (goodput < most && most < line).then_some(most)
}
