//! Settings in force before a remedy, as far as the evidence shows.

use super::finding::{Finding, Severity};
use crate::remedy::{At, Before, Change, Feature, Held, Remedy, When};
use evidence::{End, Evidence, Host, Place, Seen, Setting, System};

/// Withdraws remedies for settings that applied to no run of their document, and adds a caveat: they belong to another
/// host or another time.
pub fn withdraw(finding: &mut Finding, evidence: &Evidence) {
    if finding.about.is_some() {
        return;
    }
    let all = evidence.hosts.iter().flat_map(|host| host.settings.iter().map(move |setting| (host, setting)));
    let mut own = all.filter(|(_, setting)| finding.settings.contains(setting));
    let Some((_, setting)) = own.next().filter(|(host, setting)| is_of_no_run(host, setting, evidence)) else { return };
    finding.severity = Severity::Note;
    finding.remedies.clear();
    finding.caveats.push(format!(
        "No transfer in this document used it: {} is set after all of them, and replaces an earlier value.",
        setting.place
    ));
}

/// Whether a setting follows all runs of its document, and an earlier value of it as well: that earlier value applied
/// to the runs.
fn is_of_no_run(host: &Host, setting: &Setting, evidence: &Evidence) -> bool {
    let mut runs = evidence.connections.iter().filter(|run| run.place.file == setting.place.file).peekable();
    let is_behind = |place: &Place| setting.place.line > place.line;
    let earlier =
        |known: &Setting| known.key == setting.key && known.place.file == setting.place.file && is_behind(&known.place);
    runs.peek().is_some() && runs.all(|run| is_behind(&run.place)) && host.settings.iter().any(earlier)
}

/// Completes a remedy with its host's settings at the finding's run, and with the value below which no buffer is set.
/// Values of unknown hosts are not restored: `now` saves the current value.
pub fn complete(remedy: &mut Remedy, evidence: &Evidence, run: Option<&Place>, rests_on: &[Setting]) {
    let Some(system) = remedy.system() else { return };
    let end = match remedy.at {
        At::Sender => Some(End::Sender),
        At::Receiver => Some(End::Receiver),
        At::Ends | At::Forwarder | At::Program => None,
    };
    let is_there =
        |host: &&Host| host.system.is_none_or(|known| known == system) && end.is_none_or(|end| host.may_be(end));
    let hosts: Vec<&Host> = evidence.hosts.iter().filter(is_there).collect();
    if let Some(key) = remedy.key() {
        let is_own = |host: &&Host| run.is_none_or(|run| end.is_none_or(|end| is_end(host, end, run, evidence)));
        let own: Vec<&Host> = hosts.iter().copied().filter(is_own).collect();
        let rested = settings(&own, key).find(|setting| rests_on.contains(setting));
        let known = rested.map(|setting| (setting, When::AtRun)).or_else(|| in_force(&own, key, run));
        remedy.before = known.map(|(setting, when)| Before::Setting(held(setting, when, remedy, &own)));
        if let Change::Autotuning { floor, .. } = &mut remedy.change {
            *floor = settings(&hosts, key).filter_map(|setting| largest(&setting.value)).fold(*floor, u64::max);
        }
        return;
    }
    let interface = |name: &str| {
        let mut named = hosts.iter().flat_map(|host| &host.interfaces).filter(|interface| interface.name == name);
        named.next().filter(|_| named.next().is_none())
    };
    remedy.before = match &remedy.change {
        Change::Parameter { module, name, .. } => in_force(&hosts, &format!("{module}.{name}"), run)
            .map(|(setting, when)| Before::Setting(held(setting, when, remedy, &hosts))),
        Change::Mtu { device, .. } => interface(device).and_then(|known| known.mtu).map(Before::Mtu),
        Change::OffloadsOff { device, features } if system == System::Linux => interface(device).and_then(|known| {
            let was = |feature: &Feature| Some((*feature, known.offload(feature.ethtool()?)?));
            let was: Option<Vec<(Feature, bool)>> = features.iter().map(was).collect();
            Some(Before::OffloadsOn(was?.into_iter().filter(|(_, on)| *on).map(|(feature, _)| feature).collect()))
        }),
        _ => None,
    };
}

/// Whether a host is known to be an end of a run: by statement, or because it appears in the file that this end
/// printed.
fn is_end(host: &Host, end: End, run: &Place, evidence: &Evidence) -> bool {
    let printed = |seen: Seen| matches!((seen, end), (Seen::Sender, End::Sender) | (Seen::Receiver, End::Receiver));
    let seen = evidence.connections.iter().find(|known| known.place == *run).map(|known| known.seen);
    match host.end {
        Some(known) => known == end,
        None => host.place.file == run.file && seen.is_some_and(printed),
    }
}

fn settings<'a>(hosts: &[&'a Host], key: &str) -> impl Iterator<Item = &'a Setting> {
    hosts.iter().flat_map(|host| &host.settings).filter(move |setting| setting.key == key)
}

/// Returns the value that a host had: that of a setting, or the one it replaced if the remedy sets the current value.
fn held(setting: &Setting, when: When, remedy: &Remedy, hosts: &[&Host]) -> Held {
    let key = setting.key.clone();
    let replaced = settings(hosts, &key).filter(|other| other.value == setting.value).find_map(|other| {
        let was = other.was.as_ref().filter(|was| **was != other.value)?;
        remedy.sets(&other.value).then(|| was.clone())
    });
    match replaced {
        Some(value) => Held { key, value, when: When::Replaced },
        None => Held { key, value: setting.value.clone(), when },
    }
}

/// Returns the last of three values, or the only one.
fn largest(value: &str) -> Option<u64> {
    value.split_whitespace().last()?.parse().ok()
}

/// Returns the value in force at a run: the nearest before it in its file, because a later one may be the next
/// attempt. In other files, and without a run, only an uncontradicted value counts.
fn in_force<'a>(hosts: &[&'a Host], key: &str, run: Option<&Place>) -> Option<(&'a Setting, When)> {
    let all = || settings(hosts, key);
    if let Some(run) = run {
        let earlier = all().filter(|setting| setting.place.file == run.file && setting.place.line <= run.line);
        if let Some(nearest) = earlier.max_by_key(|setting| setting.place.line) {
            return Some((nearest, When::AtRun));
        }
    }
    let mut others = all().filter(|setting| run.is_none_or(|run| setting.place.file != run.file));
    let first = others.next()?;
    others.all(|setting| setting.value == first.value).then_some((first, When::Undated))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::remedy::Side;
    use crate::remedy::catalogue;
    use base::model::usual_platforms;

    const KEY: &str = "net.ipv4.tcp_congestion_control";

    fn place(file: &str, line: usize) -> Place {
        Place { file: file.into(), line }
    }

    fn host(settings: &[(&str, usize, &str, &str)]) -> Host {
        let mut host = Host::new(place("x", 1));
        host.settings =
            settings.iter().map(|(file, line, key, value)| Setting::new(place(file, *line), *key, *value)).collect();
        host
    }

    /// In the sequence cubic, run, bbr, run, each run had the value before it; a later value is not restored.
    #[test]
    fn a_run_had_what_stands_before_it() {
        let known = host(&[("x", 10, KEY, "cubic"), ("x", 30, KEY, "bbr")]);
        let value = |known: Option<(&Setting, When)>| known.map(|(setting, _)| setting.value.clone());
        let at = |line| value(in_force(&[&known], KEY, Some(&place("x", line))));
        assert_eq!([at(5), at(20), at(40)].each_ref().map(Option::as_deref), [None, Some("cubic"), Some("bbr")]);
        let other = in_force(&[&known], KEY, Some(&place("y", 1)));
        assert_eq!((other, in_force(&[&known], KEY, None)), (None, None), "two values, and nothing says which");
        let one = host(&[("x", 10, KEY, "cubic"), ("z", 1, KEY, "cubic")]);
        assert_eq!(value(in_force(&[&one], KEY, Some(&place("y", 1)))).as_deref(), Some("cubic"));
    }

    /// In the sequence value, two runs, another value, third value, the runs had the first value, or the one after
    /// them if there was none before.
    #[test]
    fn a_value_set_after_all_runs_is_of_no_run() {
        let text = |before: &str, behind: &str| {
            let run = "Connecting to host b, port 5201\n[  5] local a port 1 connected to b port 5201\n\
                       [ ID] Interval           Transfer     Bitrate\n\
                       [  5]   0.00-1.00   sec  1.00 MBytes  8.39 Mbits/sec\n";
            format!("{before}\n{run}\n{behind}\n")
        };
        let is_of_none = |text: String| {
            let mut evidence = Evidence::default();
            evidence::import::read("x", text.as_bytes(), &mut evidence);
            assert_eq!(evidence.connections.len(), 1, "{text}");
            let host = &evidence.hosts[0];
            is_of_no_run(host, host.setting("net.ipv4.tcp_mem").unwrap(), &evidence)
        };
        let [one, other] = ["net.ipv4.tcp_mem = 1 2 3", "net.ipv4.tcp_mem = 4096 87380 4194304"];
        assert!(!is_of_none(text("", other)), "it may have held");
        assert!(!is_of_none(text(other, "")));
        assert!(!is_of_none(text(&format!("{one}\n{other}"), "")));
        assert!(is_of_none(text(one, other)));
        assert!(is_of_none(text("", &format!("{one}\n{other}"))));
    }

    #[test]
    fn undo_restores_the_setting_that_a_finding_rests_on() {
        let rmem = "net.ipv4.tcp_rmem";
        let mut known = host(&[("x", 10, rmem, "4096 87380 4194304"), ("x", 20, rmem, "4096 87380 90000000")]);
        known.end = Some(End::Receiver);
        let mut evidence = Evidence { hosts: vec![known], ..Evidence::default() };
        let linux = usual_platforms().into_iter().find(|platform| platform.system == System::Linux).unwrap();
        let mut remedy = catalogue::buffer(Side::Receive, 1_000_000, &linux).remove(0);
        let rests_on = [Setting::new(place("x", 10), rmem, "4096 87380 4194304")];
        complete(&mut remedy, &evidence, Some(&place("x", 40)), &rests_on);
        let held = Held { key: rmem.into(), value: "4096 87380 4194304".into(), when: When::AtRun };
        assert_eq!(remedy.before, Some(Before::Setting(held)));
        // A larger value set since is not lowered.
        assert_eq!(remedy.steps().now, ["sysctl -w net.ipv4.tcp_rmem=\"4096 87380 90000000\""]);
        assert_eq!(remedy.steps().undo, ["sysctl -w net.ipv4.tcp_rmem=\"4096 87380 4194304\""]);
        // A host that may also be the sender does not show the receiver's previous value.
        evidence.hosts[0].end = None;
        complete(&mut remedy, &evidence, Some(&place("x", 40)), &rests_on);
        assert_eq!(remedy.before, None);
        assert!(remedy.steps().now[0].ends_with("sysctl net.ipv4.tcp_rmem > /var/lib/goodput-net.ipv4.tcp_rmem"));
        let mut words = catalogue::words("loss", At::Ends, "");
        complete(&mut words, &evidence, None, &[]);
        assert_eq!(words.before, None);
    }
}
