//! Suggests the correct name for a misspelt one: in experiments, on the command line, among files.

use evidence::unit::Wrong;

/// Adds the closest name as a hint, or lists all names as accepted.
pub fn suggest<'n>(wrong: Wrong, name: &str, names: impl Iterator<Item = &'n str> + Clone) -> Wrong {
    match closest(name, names.clone()) {
        Some(meant) => wrong.hint(format!("write \"{meant}\"")),
        None => wrong.accepted(names.collect::<Vec<_>>().join(", ")),
    }
}

/// Returns the name that was probably meant.
pub fn closest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let lower = name.to_lowercase();
    let (edits, meant) = names.map(|other| (strsim::levenshtein(&lower, &other.to_lowercase()), other)).min()?;
    let last = name.rsplit('.').next().unwrap_or(name);
    let length = last.chars().count();
    (edits <= 1 + length / 4 && edits < length).then_some(meant)
}
