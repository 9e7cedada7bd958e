use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding, Severity};
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::view::View;
use base::show::{self, bytes, rate};
use evidence::{End, Host, Setting};

/// Levels of Windows' autotuning that cap the window, and the scale factor that each leaves.
const CAPPED_LEVELS: [(&str, u32); 3] = [("disabled", 0), ("highlyrestricted", 2), ("restricted", 4)];

/// Largest window without scaling, bytes.
const UNSCALED_WINDOW_BYTES: f64 = 65_535.0;

/// Share of the cap from which a window in flight is at it.
const AT_CAP_SHARE: f64 = 0.5;

/// The rule.
pub const RULE: Rule = Rule {
    name: "receive-autotuning",
    title: "Windows keeps its receive window small",
    needs: &[Need::Settings],
    model: "Windows grows the receive window of a connection as the path needs. At the levels below `normal` it offers a smaller scale \
            factor in the handshake, and no connection gets more than 64 KiB times two to that power in a round trip.",
    source: "Microsoft, Performance tuning network adapters, TCP receive window autotuning (scale factor 8 at normal, 4 at restricted, \
             2 at highlyrestricted, none at disabled); RFC 7323, 2.2",
    thresholds: || {
        vec![(
            "netsh or Get-NetTCPSetting prints disabled, highlyrestricted or restricted".into(),
            "normal is the default since Windows Vista",
        )]
    },
    confidence: "high if a connection's window is at that limit; medium if nothing tells which end this host is, or no RTT is known",
    confirm: &["netsh interface tcp set global autotuninglevel=normal at the receiver, then a new connection"],
    alike: &[(
        "receiver-window",
        "a program asks for a buffer of its own size, which turns autotuning off for its sockets",
    )],
    explains: &["receiver-window", "window-or-buffer", "rate-cap"],
    remedies: remedies::autotuning_level,
    assumed: 0.5,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let hosts = view.evidence.hosts.iter().filter(|host| host.may_be(End::Receiver));
    hosts.filter_map(|host| find_on_host(host, view)).take(1).collect()
}

/// Returns the level in effect: of the template for the internet if a template is printed, else the one for all.
fn level(host: &Host) -> Option<&Setting> {
    let of_policy = host
        .setting("windows.tcp.internet.autotuningleveleffective")
        .is_some_and(|effective| effective.value.eq_ignore_ascii_case("grouppolicy"));
    let template = if of_policy { "autotuninglevelgrouppolicy" } else { "autotuninglevellocal" };
    host.setting("windows.tcp.autotuninglevel").or_else(|| host.setting(&format!("windows.tcp.internet.{template}")))
}

fn find_on_host(host: &Host, view: &View) -> Option<Finding> {
    let setting = level(host)?;
    let level = setting.value.to_ascii_lowercase().replace(' ', "");
    let (_, scale) = CAPPED_LEVELS.iter().find(|(known, _)| *known == level)?;
    let window = UNSCALED_WINDOW_BYTES * f64::from(1 << scale);
    // The receiver of the data offers the window; a connection that has more in flight has another receiver.
    let over = |goodput: f64, rtt: f64| goodput * rtt / 8.0;
    let flows = || view.flows.iter().chain(&view.sums).filter(|flow| flow.connections == 1);
    let known = || flows().filter_map(|flow| Some((flow, over(flow.seen.goodput?, flow.base()?))));
    if known().next().is_some() && known().all(|(_, in_flight)| in_flight > window) {
        return None;
    }
    let at_cap = known().find(|(_, in_flight)| *in_flight > AT_CAP_SHARE * window);
    let rtt = view.given.rtt.or_else(|| view.flows.iter().find_map(|flow| flow.base())).or_else(|| idle_ping(view));
    let allows = rtt.map(|rtt| format!(", {} over the RTT of {}", rate(window * 8.0 / rtt), show::time(rtt)));
    let says = format!(
        "Windows' receive-window autotuning is {}: a connection that this host receives gets a window of {} at most{}.",
        setting.value,
        bytes(window),
        allows.unwrap_or_default()
    );
    let confidence = if at_cap.is_some() { Confidence::High } else { Confidence::Medium };
    let mut finding = Finding::problem(RULE.name, confidence, RULE.assumed, says)
        .setting("autotuning level", setting)
        .figure("largest window", bytes(window), format!("65,535 bytes × 2^{scale}"));
    if let Some((flow, in_flight)) = at_cap {
        finding = finding.at("goodput × RTT", bytes(in_flight), &flow.seen.place);
    } else if host.end != Some(End::Receiver) {
        finding = finding.doubt("It limits what this host receives, not what it sends.");
    }
    // Far below the cap something else limits.
    let far_below = known().next().is_some() && at_cap.is_none();
    if far_below {
        finding.severity = Severity::Note;
    }
    Some(finding.with_remedies(remedies::autotuning_level(&Default::default())))
}

/// Returns the least RTT of all pings, seconds.
fn idle_ping(view: &View) -> Option<f64> {
    view.evidence.pings.iter().flat_map(|ping| ping.rtts.iter().copied()).filter(|rtt| *rtt > 0.0).reduce(f64::min)
}
