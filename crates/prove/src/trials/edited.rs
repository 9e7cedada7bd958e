//! Edits to the experiments of a proof since it wrote them.

use super::ProofError;
use base::folder::{FileError, Folder, MAX_TEXT_BYTES};
use evidence::plain;
use std::collections::BTreeMap;
use std::path::Path;

/// The experiments as they were written, by name.
pub const WRITTEN: &str = "experiments.json";

/// Returns a sentence for each edited experiment of a proof; none for a proof without the list.
pub fn edited(proof: &Folder) -> Result<Vec<String>, ProofError> {
    let mut all = vec![];
    for (name, text) in written(proof)? {
        all.extend(change(proof, &name, &text)?);
    }
    Ok(all)
}

/// Returns that sentence for one experiment, if it is in the folder of a proof.
pub fn edit(experiment: &Path) -> Option<String> {
    let (folder, name) = (experiment.parent()?, experiment.file_name()?.to_str()?);
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let proof = Folder::open(folder).ok()?;
    let text = written(&proof).ok()?.remove(name)?;
    change(&proof, name, &text).ok()?
}

fn written(proof: &Folder) -> Result<BTreeMap<String, String>, ProofError> {
    if !proof.has(WRITTEN) {
        return Ok(BTreeMap::new());
    }
    let damaged =
        |error: serde_json::Error| ProofError::Damaged { path: proof.place(WRITTEN), what: error.to_string() };
    serde_json::from_slice(&proof.read(WRITTEN, MAX_TEXT_BYTES)?).map_err(damaged)
}

fn change(proof: &Folder, name: &str, text: &str) -> Result<Option<String>, FileError> {
    let name = plain::line(name);
    let now = match proof.read(&*name, MAX_TEXT_BYTES) {
        Err(error) if error.is_missing() => return Ok(Some(format!("{name} is missing"))),
        read => read?,
    };
    let now = String::from_utf8_lossy(&now);
    if now == text {
        return Ok(None);
    }
    let (mut before, mut after) = (text.lines(), now.lines());
    let lines = std::iter::from_fn(|| match (before.next(), after.next()) {
        (None, None) => None,
        both => Some(both),
    });
    let first = lines.enumerate().find(|(_, (before, after))| before != after);
    let told = |line: Option<&str>| line.map_or("nothing".into(), |line| format!("`{}`", plain::line(line.trim())));
    Ok(Some(match first {
        Some((at, (before, after))) => {
            format!("{name}:{} says {} where the proof wrote {}", at + 1, told(after), told(before))
        }
        None => format!("{name} has other white space"),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn edits_of_a_proof_are_named_by_line() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path()).unwrap();
        let file = |name: &str| place.path().join(name);
        assert!(edited(&folder).unwrap().is_empty(), "a proof without the list");
        let text = "[path]\nbuffer = \"30 packets\"\n";
        let list: BTreeMap<&str, &str> = ["1a.toml", "1b.toml"].into_iter().map(|name| (name, text)).collect();
        fs::write(file(WRITTEN), serde_json::to_string(&list).unwrap()).unwrap();
        fs::write(file("1a.toml"), text).unwrap();
        fs::write(file("1b.toml"), text).unwrap();
        assert!(edited(&folder).unwrap().is_empty() && edit(&file("1a.toml")).is_none());
        fs::write(file("1a.toml"), text.replace("30", "60")).unwrap();
        fs::remove_file(file("1b.toml")).unwrap();
        let line = "1a.toml:2 says `buffer = \"60 packets\"` where the proof wrote `buffer = \"30 packets\"`";
        assert_eq!(edited(&folder).unwrap(), [line, "1b.toml is missing"]);
        assert_eq!(edit(&file("1a.toml")).as_deref(), Some(line));
        fs::write(file("1a.toml"), format!("{text}seeds = 9\n")).unwrap();
        assert_eq!(edit(&file("1a.toml")).unwrap(), "1a.toml:3 says `seeds = 9` where the proof wrote nothing");
        fs::write(file(WRITTEN), "{").unwrap();
        assert!(edited(&folder).unwrap_err().to_string().contains("experiments.json"));
    }
}
