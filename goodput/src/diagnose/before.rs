//! What held before a remedy, as far as the evidence says.

use super::finding::Figure;
use crate::remedy::{Change, Feature, Remedy};
use evidence::{Evidence, Host, Place, Setting, System};

/// Completes a remedy by what its host was set to at the run that the finding is about, and by what no buffer is set
/// below.
pub fn complete(remedy: &mut Remedy, evidence: &Evidence, run: Option<&Place>, figures: &[Figure]) {
    let Some(system) = remedy.system() else { return };
    let hosts: Vec<&Host> =
        evidence.hosts.iter().filter(|host| host.system.is_none_or(|known| known == system)).collect();
    if let Some(key) = remedy.key() {
        let rests_on = settings(&hosts, key).find(|setting| figures.iter().any(|figure| is_of(figure, setting)));
        let known = rests_on.map(|setting| setting.value.as_str()).or_else(|| in_force(&hosts, key, run));
        remedy.before = known.map(str::to_owned);
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
        Change::Parameter { module, name, .. } => in_force(&hosts, &format!("{module}.{name}"), run).map(str::to_owned),
        Change::Mtu { device, .. } => interface(device).and_then(|known| known.mtu).map(|mtu| mtu.to_string()),
        Change::OffloadsOff { device, features } if system == System::Linux => interface(device).and_then(|known| {
            let was = |feature: &Feature| Some((feature.word(), known.offload(feature.ethtool()?)?));
            let was: Option<Vec<(&str, bool)>> = features.iter().map(was).collect();
            let on: Vec<&str> = was?.into_iter().filter(|(_, on)| *on).map(|(word, _)| word).collect();
            Some(on.join(" "))
        }),
        _ => None,
    };
}

fn settings<'a>(hosts: &[&'a Host], key: &str) -> impl Iterator<Item = &'a Setting> {
    hosts.iter().flat_map(|host| &host.settings).filter(move |setting| setting.key == key)
}

/// Whether a figure of the finding is this setting.
fn is_of(figure: &Figure, setting: &Setting) -> bool {
    figure.value == setting.value && figure.from == setting.place.to_string()
}

/// The last of three values, or the only one.
fn largest(value: &str) -> Option<u64> {
    value.split_whitespace().last()?.parse().ok()
}

/// The value that held at a run: the nearest before it in its file. A later one may be what somebody tried next. Of other
/// files, and where no run is concerned, one that nothing contradicts.
fn in_force<'a>(hosts: &[&'a Host], key: &str, run: Option<&Place>) -> Option<&'a str> {
    let all = || settings(hosts, key);
    if let Some(run) = run {
        let earlier = all().filter(|setting| setting.place.file == run.file && setting.place.line <= run.line);
        if let Some(nearest) = earlier.max_by_key(|setting| setting.place.line) {
            return Some(&nearest.value);
        }
    }
    let mut others = all().filter(|setting| run.is_none_or(|run| setting.place.file != run.file));
    let first = others.next()?;
    others.all(|setting| setting.value == first.value).then_some(&first.value)
}
