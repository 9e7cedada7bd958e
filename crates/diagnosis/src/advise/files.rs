//! Files that advice installs.

use super::Advice;
use super::request::asked;
use crate::remedy::File;
use std::collections::BTreeMap;

/// A file, ready to be installed.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Written {
    /// Path of the installed file: `/etc/sysctl.d/90-goodput.conf`.
    pub path: String,
    /// Name among the files, a relative path.
    pub name: String,
    /// Whether its lines are added to an existing file.
    pub addition: bool,
    /// Hint about the file.
    pub hint: Option<String>,
    pub text: String,
    /// Commands that remove it.
    pub removals: Vec<String>,
}

/// Returns the files of an advice by name, each line once.
pub fn written(advice: &Advice) -> Vec<Written> {
    let mut files: BTreeMap<File, Vec<String>> = BTreeMap::new();
    let mut removals: BTreeMap<File, Vec<String>> = BTreeMap::new();
    for remedy in &advice.remedies {
        for (file, line) in remedy.steps().keep {
            let removals = removals.entry(file.clone()).or_default();
            let removal = if file.is_addition() { file.removal(&line) } else { format!("rm {}", file.path()) };
            if !removals.contains(&removal) {
                removals.push(removal);
            }
            let line = file.line(&line);
            let lines = files.entry(file).or_default();
            if lines.contains(&line) {
                continue;
            }
            let headline = format!("# {}, {}", remedy.what(), remedy.at.name());
            if !lines.contains(&headline) {
                lines.push(headline);
            }
            lines.push(line);
        }
    }
    let head = format!("# goodput advise {}", asked(&advice.request));
    files
        .into_iter()
        .map(|(file, lines)| Written {
            path: file.path(),
            name: file.name(),
            addition: file.is_addition(),
            hint: file.hint(),
            text: format!("{head}\n{}\n", lines.join("\n")),
            removals: removals.remove(&file).unwrap_or_default(),
        })
        .collect()
}
