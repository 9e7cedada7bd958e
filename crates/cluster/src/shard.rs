//! Shards: parts of a run's trials, one for each of several machines.

use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A part of a run: `2/8` is the second of eight. A trial's index decides its part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    number: usize,
    of: usize,
}

/// Most parts of a run: more than the tasks of any cluster's array.
pub(crate) const MAX_SHARDS: usize = 1_000_000;

impl Shard {
    /// Returns all parts of a run with `of` parts.
    pub fn all(of: usize) -> impl Iterator<Item = Shard> {
        (1..=of).map(move |number| Shard { number, of })
    }

    /// Returns the number of this part, from 1.
    pub fn number(self) -> usize {
        self.number
    }

    /// Returns the number of parts.
    pub fn count(self) -> usize {
        self.of
    }

    /// Returns the part that contains a trial, out of `of`.
    pub fn with(trial: usize, of: usize) -> Shard {
        Shard { number: trial % of + 1, of }
    }

    /// True if the part contains the trial.
    pub fn has(self, trial: usize) -> bool {
        self == Shard::with(trial, self.of)
    }

    /// Returns the path of its file, next to the run's folder.
    pub fn path_next_to(self, run: &Path) -> PathBuf {
        sibling_path(run, &format!(".{}-of-{}.tar", self.number, self.of))
    }

    /// Returns the run and the part that a file's name gives. `None` if the name gives none, or gives the file's own
    /// folder or its parent as the run.
    pub fn named(file: &Path) -> Option<(PathBuf, Shard)> {
        let (run, part) = file.file_name()?.to_str()?.strip_suffix(".tar")?.rsplit_once('.')?;
        let shard = part.replace("-of-", "/").parse().ok().filter(|_| !matches!(run, "" | "." | ".."))?;
        Some((file.with_file_name(run), shard))
    }
}

/// Returns the path of a file that belongs to a run but is outside its folder.
pub fn sibling_path(run: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(run);
    name.push(suffix);
    name.into()
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let shard = numbers.map(|(number, of)| Shard { number, of });
        let sound = |shard: &Shard| (1..=shard.of).contains(&shard.number) && shard.of <= MAX_SHARDS;
        shard
            .filter(sound)
            .ok_or_else(|| format!("M/N with M from 1 to N, and N up to {MAX_SHARDS}, is accepted, such as 2/8"))
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Shard, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_trial_is_in_one_part() {
        for of in 1..9 {
            for index in 0..50 {
                assert_eq!(Shard::all(of).filter(|shard| shard.has(index)).count(), 1);
            }
        }
    }

    #[test]
    fn names_tell_parts() {
        let shard: Shard = "2/8".parse().unwrap();
        let file = shard.path_next_to(Path::new("runs/aqm-1234abcd"));
        assert_eq!(file, Path::new("runs/aqm-1234abcd.2-of-8.tar"));
        assert_eq!(Shard::named(&file), Some((PathBuf::from("runs/aqm-1234abcd"), shard)));
        for other in ["x.tar", "x.0-of-8.tar", "x.9-of-8.tar", "x.1-of-0.tar", "x.1-of-2"] {
            assert_eq!(Shard::named(&Path::new("runs").join(other)), None, "{other}");
        }
        for folder in [".1-of-2.tar", "..1-of-2.tar", "...1-of-2.tar", "runs/...1-of-2.tar", "/"] {
            assert_eq!(Shard::named(Path::new(folder)), None, "{folder}");
        }
        for wrong in ["", "1", "0/3", "4/3", "1/0", "-1/2", "1/2/3", "a/b", "1/1000001"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
