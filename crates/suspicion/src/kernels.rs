//! The lab's kernel beside a ticket's: what changed between them for the causes that are left.

use super::template::built_in;
use crate::differs::Family;
use crate::facts::Case;

/// Major and minor number of a version of Linux.
type Release = [u32; 2];

/// A change of Linux that decides what a cause does.
struct Change {
    since: Release,
    family: Family,
    /// How it was before, and how it is since.
    text: &'static str,
    source: &'static str,
}

const CHANGES: &[Change] = &[
    Change {
        since: [4, 20],
        family: Family::Receiver,
        text: "a connection starts with a receive window of 64 kB, before with 29 kB",
        source: "net/ipv4/tcp.c, tcp_init: tcp_rmem[1]",
    },
    Change {
        since: [5, 6],
        family: Family::Start,
        text: "an earlier connection's ssthresh no longer ends slow start",
        source: "net.ipv4.tcp_no_ssthresh_metrics_save",
    },
    Change {
        since: [6, 6],
        family: Family::Receiver,
        text: "the share of a receive buffer that is window is measured, before tcp_adv_win_scale set it",
        source: "include/net/tcp.h, tcp_scaling_ratio_init",
    },
];

/// The oldest kernel that the lab runs.
const OLDEST: Release = [6, 1];

/// Returns a sentence for each kernel that a run states and the lab does not run, with what changed since.
pub fn compared(case: &Case, left: &[&str], lab: Option<&str>) -> Vec<String> {
    let Some(lab) = lab.and_then(release) else { return vec![] };
    let mut stated: Vec<Release> =
        case.runs.iter().filter_map(|run| release(case.label(run, "kernel")?)).filter(|own| *own != lab).collect();
    stated.sort();
    stated.dedup();
    let templates = built_in();
    let concerns = |family: Family| {
        let has = |name: &&str| templates.iter().any(|own| own.name == **name && own.families.contains(&family));
        left.iter().any(has)
    };
    let sentence = |own: Release| {
        let [stated, ran] = [own, lab].map(shown);
        let [older, newer] = if own < lab { [&own, &lab] } else { [&lab, &own] };
        let between =
            CHANGES.iter().filter(|change| *older < change.since && change.since <= *newer && concerns(change.family));
        let changes: Vec<String> = between
            .map(|change| format!("since {} {} ({})", shown(change.since), change.text, change.source))
            .collect();
        let reach = match own < OLDEST {
            true => format!("; the lab runs {} and newer", shown(OLDEST)),
            false => format!("; goodput kernel add --from linux-source-{stated} and --kernel run it"),
        };
        match &changes[..] {
            [] => format!("Linux {stated} is stated and the lab ran {ran}{reach}"),
            _ => format!("Linux {stated} is stated and the lab ran {ran}: {}{reach}", changes.join("; ")),
        }
    };
    stated.into_iter().map(sentence).collect()
}

fn shown([major, minor]: Release) -> String {
    format!("{major}.{minor}")
}

/// Returns the version of Linux in a label such as `5.15`, `Linux 5.15.0-91` or `6.12.54-flatcar`.
fn release(label: &str) -> Option<Release> {
    let is_other = ["bsd", "windows", "macos", "darwin"].iter().any(|system| label.to_lowercase().contains(system));
    let start = label.find(|sign: char| sign.is_ascii_digit()).filter(|_| !is_other)?;
    let number: String = label[start..].chars().take_while(|sign| sign.is_ascii_digit() || *sign == '.').collect();
    let mut parts = number.split('.').map(str::parse::<u32>);
    let (major, minor) = (parts.next()?.ok()?, parts.next()?.ok()?);
    (2..=9).contains(&major).then_some([major, minor])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_labels() {
        let read = |label: &str| release(label).map(shown);
        assert_eq!(read("Linux 5.15.0-91-generic").as_deref(), Some("5.15"));
        assert_eq!(read("6.12.54-flatcar").as_deref(), Some("6.12"));
        for label in ["FreeBSD 13.2", "Windows 10.0", "23.05", "newer", "5"] {
            assert_eq!(read(label), None, "{label}");
        }
    }
}
