//! Finds what limits the bulk flows of a point, such as cwnd, the receive window or the application.

use analysis::Measures;
use base::show;
use base::stats;
use base::units::{TrafficKind, Unit};
use diagnosis::diagnose::MAX_STARVED_SHARE;
use plan::setting;
use plan::{Setting, Trial};
use serde::{Deserialize, Serialize};

/// The limit in which bulk flows of a point spent most of their time; part of `verdict.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Limit {
    pub at: Vec<Setting>,
    /// Name of the flows; `None` for all of them, or for those without a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<String>,
    pub by: Limiter,
    /// Share of their time in this limit: mean over the flows and the seeds.
    pub share: f64,
    /// Host sysctl to raise, if an autotuned buffer limits the flows for most of their time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setting: Option<String>,
    /// The same as a sentence.
    pub sentence: String,
}

/// A possible limit of a sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limiter {
    /// Its congestion window.
    Cwnd,
    /// The receiver's window.
    Rwnd,
    Sndbuf,
    /// Its pacing timer.
    Pacing,
    /// Its application, which gives it nothing to send.
    App,
    /// A limit that TCP_INFO does not show, such as its own host's interface.
    Unknown,
}

/// Each limiter, its measure, and its name in a sentence.
const LIMITERS: [(Limiter, &str, &str); 6] = [
    (Limiter::Cwnd, "limited-cwnd", "the congestion window"),
    (Limiter::Rwnd, "limited-rwnd", "the receive window"),
    (Limiter::Sndbuf, "limited-sndbuf", "the send buffer"),
    (Limiter::Pacing, "limited-pacing", "pacing"),
    (Limiter::App, "limited-app", "the application"),
    (Limiter::Unknown, "limited-unknown", "what TCP_INFO does not show"),
];

/// Smallest share of the time in a buffer limit at which the host's setting, not the path, sets the speed.
const MIN_BUFFER_SHARE: f64 = 0.5;

impl Limiter {
    pub(super) fn name(self) -> &'static str {
        LIMITERS.iter().find(|limiter| limiter.0 == self).map_or("", |limiter| limiter.2)
    }
}

/// Returns the limit of a point's bulk flows, one for each name if there are several; empty without bulk flows.
pub(super) fn limits(trials: &[Trial], measures: &Measures) -> Vec<Limit> {
    let scene = &trials[0].scene;
    let names = scene.by_name(&analysis::of_kind(scene, TrafficKind::Bulk));
    let several = names.len() > 1;
    names
        .iter()
        .filter_map(|(name, flows)| limit(trials, measures, (name.filter(|_| several), flows), several))
        .collect()
}

fn limit(
    trials: &[Trial],
    measures: &Measures,
    (name, flows): (Option<&str>, &[usize]),
    several: bool,
) -> Option<Limit> {
    let shares = LIMITERS.iter().filter_map(|limiter| Some((limiter, mean(limiter.1, trials, (measures, flows))?)));
    let (&(by, _, what), share) = shares.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let (point, all) = (&trials[0].point, &trials[0].scene.flows);
    let limited = format!("limited by {what} {} of", show::value(Unit::Ratio, share));
    let kind = if flows.len() < all.len() { "bulk " } else { "" };
    let average = if flows.len() > 1 { ", on average" } else { "" };
    let own = || flows.iter().filter_map(|flow| all[*flow].tcp());
    let tuned = [own().all(|flow| flow.send_buffer.is_none()), own().all(|flow| flow.receive_buffer.is_none())];
    let setting = (share >= MIN_BUFFER_SHARE).then(|| setting(by, tuned)).flatten().map(str::to_owned);
    let starved = mean("fair-share", trials, (measures, flows)).filter(|share| *share < MAX_STARVED_SHARE);
    let starved =
        starved.map_or(String::new(), |share| format!(", with {} of an equal share", show::value(Unit::Ratio, share)));
    let raise = starved + &raised(setting.as_deref());
    let sentence = match (name, flows.len()) {
        (Some(name), _) => setting::about(point, &format!("{name} is {limited} the time{average}{raise}.")),
        (None, _) if several => {
            setting::at(point, &format!("flows without a name are {limited} the time{average}{raise}."))
        }
        (None, 1) if all.len() == 1 && !point.is_empty() => {
            format!("{} is {limited} the time{raise}.", setting::label(point))
        }
        (None, 1) => setting::at(point, &format!("the {kind}flow is {limited} the time{raise}.")),
        (None, _) => setting::at(point, &format!("the {kind}flows are {limited} the time{average}{raise}.")),
    };
    Some(Limit { at: point.to_vec(), flow: name.map(str::to_owned), by, share, setting, sentence })
}

/// Returns the host sysctl behind a buffer limit if that buffer autotunes; `None` for other limits.
fn setting(by: Limiter, [sends, receives]: [bool; 2]) -> Option<&'static str> {
    match by {
        Limiter::Sndbuf if sends => Some("net.ipv4.tcp_wmem"),
        Limiter::Rwnd if receives => Some("net.ipv4.tcp_rmem"),
        _ => None,
    }
}

/// Returns the end of a sentence that names the sysctl to raise; empty for `None`.
pub(super) fn raised(setting: Option<&str>) -> String {
    setting.map_or(String::new(), |key| format!(": the hosts' setting, not the path's; {key} raises it"))
}

/// Returns the mean over the seeds and the flows. Flows without a value, such as those that never
/// connected, do not count.
fn mean(name: &str, trials: &[Trial], (measures, flows): (&Measures, &[usize])) -> Option<f64> {
    let known = |trial: &Trial| {
        let none = measures.without(trial, name, flows);
        flows.iter().copied().filter(|flow| !none.contains(flow)).collect::<Vec<usize>>()
    };
    let value = |trial: &Trial| measures.over(trial, name, &known(trial));
    let values: Vec<f64> = trials.iter().filter_map(value).collect();
    (!values.is_empty()).then(|| stats::mean(&values))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ip-sysctl.rst: SO_SNDBUF and SO_RCVBUF turn autotuning off, so that its sysctls raise nothing.
    #[test]
    fn a_sysctl_raises_what_autotuning_sets() {
        assert_eq!(setting(Limiter::Sndbuf, [true, false]), Some("net.ipv4.tcp_wmem"));
        assert_eq!(setting(Limiter::Rwnd, [false, true]), Some("net.ipv4.tcp_rmem"));
        assert_eq!(setting(Limiter::Rwnd, [true, false]), None);
        assert_eq!(setting(Limiter::Cwnd, [true, true]), None);
    }
}
