use crate::advise::folklore::FOLKLORE;
use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding, Severity};
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use base::show;
use evidence::{Host, Setting, System};

/// The rule.
pub const RULE: Rule = Rule {
    name: "void-setting",
    title: "Setting has no effect, or not the intended one",
    needs: &[Need::Settings],
    model: "Kernels still accept settings that they now ignore, and settings that only work together with something else.",
    source: "each belief with its source, as in goodput advise --explain",
    thresholds: || {
        vec![(
            "the setting is there, and the condition under which it is void holds or is not known to fail".into(),
            "see each setting",
        )]
    },
    confidence: "high; medium for DCTCP chosen in settings alone",
    confirm: &["the same run with the setting at its default"],
    alike: &[],
    explains: &[],
    remedies: remedies::nothing,
    assumed: 0.3,
    find,
};

/// A setting, and whether a value reflects a mistaken belief; a default does not.
type When = (&'static str, fn(&Host, &str) -> bool);

const WHEN: &[When] = &[
    ("net.ipv4.tcp_adv_win_scale", |host, value| host.since([6, 6]) && value != "1"),
    ("net.ipv4.tcp_tw_recycle", |_, _| true),
    ("net.ipv4.tcp_timestamps", |_, value| value == "0"),
    ("net.ipv4.tcp_sack", |_, value| value == "0"),
    ("net.core.rmem_default", |_, value| value != "212992"),
    ("net.core.netdev_max_backlog", |_, value| value != "1000"),
    ("net.inet.tcp.mssdflt", |_, value| value != "536"),
    ("net.inet.tcp.abc_l_var", |_, value| value != "2"),
    ("net.inet.tcp.sendbuf_inc", |_, value| value != "8192"),
    ("net.inet.tcp.sack.enable", |_, value| value == "0"),
];

fn find(view: &View) -> Vec<Finding> {
    let of_settings = view.evidence.hosts.iter().flat_map(|host| {
        let known = host.settings.iter().filter_map(move |setting| Some((setting, find_on_host(host, setting)?)));
        known.filter(|(setting, _)| host.setting(&setting.key) == Some(setting)).map(|(_, finding)| finding)
    });
    of_settings.chain(dctcp(view)).chain(asked(view)).collect()
}

fn find_on_host(host: &Host, setting: &Setting) -> Option<Finding> {
    WHEN.iter().find(|(key, when)| *key == setting.key && when(host, &setting.value))?;
    let belief = FOLKLORE.iter().find(|belief| belief.settings.contains(&setting.key.as_str()))?;
    let says = format!("{} = {}: {}.", setting.key, setting.value, belief.wrong);
    let finding = Finding::note(RULE.name, Confidence::High, says);
    Some(finding.setting(&*setting.key, setting).figure("said", belief.said, belief.source))
}

/// Notes that rmem_max and wmem_max cap what applications request by name, not connections that autotune.
fn asked(view: &View) -> Vec<Finding> {
    let of = |host: &Host, core: &str, tcp: &str, option: &str| {
        let (core, tcp) = (host.setting(core)?, host.setting(tcp)?);
        let largest: f64 = tcp.value.split_whitespace().nth(2)?.parse().ok()?;
        let limit: f64 = core.value.trim().parse().ok()?;
        // The kernel's own defaults were not set by anybody.
        (limit < largest && ![212_992.0, 4_194_304.0].contains(&limit)).then(|| {
            let says = format!(
                "{} = {} does not limit {}: it caps what an application requests with {option}; autotuned buffers grow to \
                 {}.",
                core.key, core.value, tcp.key, show::value(base::units::Unit::Bytes, largest)
            );
            Finding::note(RULE.name, Confidence::High, says)
                .setting(&*core.key, core)
                .setting(&*tcp.key, tcp)
        })
    };
    let linux = view.evidence.hosts.iter().filter(|host| host.system != Some(System::FreeBsd));
    linux
        .flat_map(|host| {
            [
                of(host, "net.core.rmem_max", "net.ipv4.tcp_rmem", "SO_RCVBUF"),
                of(host, "net.core.wmem_max", "net.ipv4.tcp_wmem", "SO_SNDBUF"),
            ]
        })
        .flatten()
        .collect()
}

/// Finds DCTCP on a connection without ECN, where it is Reno.
fn dctcp(view: &View) -> Option<Finding> {
    let keys = ["net.inet.tcp.ecn.enable", "net.ipv4.tcp_ecn"];
    let asks = |host: &Host| keys.iter().any(|key| host.setting(key).is_some_and(|s| s.value == "1"));
    let seen = view.flows.iter().find(|f| f.seen.congestion.as_deref() == Some("dctcp") && f.seen.ecn == Some(false));
    if let Some(flow) = seen {
        let says = "DCTCP without ECN: on this connection it reacts to loss like Reno and sees no queue.";
        let mut finding = Finding::problem(RULE.name, Confidence::High, RULE.assumed, says)
            .at("congestion control", "dctcp", &flow.seen.place)
            .at("ECN", "not negotiated", &flow.seen.place);
        if flow.seen.marked == Some(0.0) {
            finding = finding.at("packets marked", "none", &flow.seen.place);
        }
        return Some(finding.about_flow(flow).with_remedies(remedies::ecn(&Sizes::for_flow(flow))));
    }
    let chosen = view.evidence.hosts.iter().find_map(|host| {
        let key = ["net.inet.tcp.cc.algorithm", "net.ipv4.tcp_congestion_control"];
        let setting = key.iter().find_map(|key| host.setting(key)).filter(|s| s.value == "dctcp")?;
        (!asks(host)).then_some((host, setting))
    });
    let printed = view.flows.iter().find(|f| f.seen.congestion.as_deref() == Some("dctcp") && f.seen.ecn.is_none());
    let says = "DCTCP needs ECN marks from the network. Without ECN on the connection, the default for clients, it is Reno; on the \
                internet, where no switch marks as in a data center, it is no better.";
    let finding = Finding::note(RULE.name, Confidence::Medium, says);
    let finding = match (chosen, printed) {
        (Some((_, setting)), _) => finding.setting("congestion control", setting),
        (None, Some(flow)) => finding.at("congestion control", "dctcp", &flow.seen.place),
        (None, None) => return None,
    };
    let mut finding = finding
        .figure("ECN", "by default accepted, not requested", "net.inet.tcp.ecn.enable and net.ipv4.tcp_ecn are 2")
        .ask("ss -tin (ecn) on Linux; netstat -s -p tcp | grep ECN on FreeBSD");
    finding.severity = Severity::Note;
    Some(finding.with_remedies(remedies::ecn(&Sizes::default())))
}
