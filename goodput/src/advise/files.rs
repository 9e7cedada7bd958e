//! Files that advice installs.

use super::Advice;
use super::remedy::File;
use evidence::System;
use std::collections::BTreeMap;

/// A file, ready to be installed.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Written {
    /// Where it belongs: `/etc/sysctl.d/90-goodput.conf`.
    pub path: String,
    /// Its name among the others: a relative path.
    pub name: String,
    /// Whether its lines are added to a file that is there.
    pub addition: bool,
    /// What has to be known of it.
    pub hint: Option<String>,
    /// What is in it.
    pub text: String,
}

/// The files of an advice, by their names; the same line stands once.
pub fn written(advice: &Advice) -> Vec<Written> {
    let mut files: BTreeMap<&File, Vec<String>> = BTreeMap::new();
    for remedy in &advice.remedies {
        for (file, line) in &remedy.keep {
            let lines = files.entry(file).or_default();
            if lines.contains(line) {
                continue;
            }
            let headline = format!("# {}: {}", remedy.what, remedy.at.name());
            if !lines.contains(&headline) {
                lines.push(headline);
            }
            lines.push(line.clone());
        }
    }
    let head = format!("# goodput advise {}", super::render::asked(&advice.request));
    let text = |lines: &[String]| format!("{head}\n{}\n", lines.join("\n"));
    files
        .into_iter()
        .map(|(file, lines)| Written {
            path: file.path(),
            name: file.name(),
            addition: file.is_addition(),
            hint: file.hint(),
            text: text(&lines),
        })
        .collect()
}

/// Commands that save what the advice changes, and that bring it back.
pub fn saved(advice: &Advice) -> Option<[String; 2]> {
    let mut keys: Vec<&str> = vec![];
    for key in advice.remedies.iter().flat_map(|remedy| &remedy.keys) {
        if !keys.contains(key) {
            keys.push(key);
        }
    }
    let keys = (!keys.is_empty()).then(|| keys.join(" "))?;
    Some(match advice.request.platform.system {
        System::Linux => [format!("sysctl {keys} > before-goodput.conf"), "sysctl -p before-goodput.conf".into()],
        System::FreeBsd => [format!("sysctl -e {keys} > before-goodput.conf"), "sysctl -f before-goodput.conf".into()],
    })
}
