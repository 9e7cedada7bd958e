//! A part of a run's trials, for one of several machines.

use crate::plan::Trial;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// One of several parts: `2/8` is the second of eight. A trial belongs to the part that its index gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    of: usize,
}

/// More parts than any cluster's array has tasks.
const MOST: usize = 1_000_000;

impl Shard {
    /// All parts of so many.
    pub fn all(of: usize) -> impl Iterator<Item = Shard> {
        (1..=of).map(move |number| Shard { number, of })
    }

    /// Which part it is, from 1.
    pub fn number(self) -> usize {
        self.number
    }

    /// How many parts there are.
    pub fn of(self) -> usize {
        self.of
    }

    /// Whether a trial is in it.
    pub fn has(self, trial: &Trial) -> bool {
        trial.index % self.of == self.number - 1
    }

    /// Its folder: beside the run's.
    pub fn beside(self, run: &Path) -> PathBuf {
        beside(run, &format!(".{}-of-{}", self.number, self.of))
    }

    /// The run beside which a shard's folder lies, and which part it is; `None` if its name does not say.
    pub fn named(folder: &Path) -> Option<(PathBuf, Shard)> {
        let (run, part) = folder.file_name()?.to_str()?.rsplit_once('.')?;
        let shard = part.replace("-of-", "/").parse().ok()?;
        Some((folder.with_file_name(run), shard))
    }
}

/// What belongs to a run and does not lie in its folder.
pub fn beside(run: &Path, suffix: &str) -> PathBuf {
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
        let sound = |shard: &Shard| (1..=shard.of).contains(&shard.number) && shard.of <= MOST;
        shard.filter(sound).ok_or_else(|| "M/N with M from 1 to N is accepted, such as 2/8".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::sample;

    #[test]
    fn every_trial_is_in_one_part() {
        let trial = sample::plan(sample::four_kinds()).trials[0].clone();
        for of in 1..9 {
            for index in 0..50 {
                let trial = Trial { index, ..trial.clone() };
                assert_eq!(Shard::all(of).filter(|shard| shard.has(&trial)).count(), 1);
            }
        }
    }

    #[test]
    fn names_tell_parts() {
        let shard: Shard = "2/8".parse().unwrap();
        let folder = shard.beside(Path::new("runs/aqm-1234abcd"));
        assert_eq!(folder, Path::new("runs/aqm-1234abcd.2-of-8"));
        assert_eq!(Shard::named(&folder), Some((PathBuf::from("runs/aqm-1234abcd"), shard)));
        for other in ["runs/x", "runs/x.0-of-8", "runs/x.9-of-8", "runs/x.1-of-0", "runs/x.1", "/"] {
            assert_eq!(Shard::named(Path::new(other)), None, "{other}");
        }
        for wrong in ["", "1", "0/3", "4/3", "1/0", "-1/2", "1/2/3", "a/b", "1/1000001"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
