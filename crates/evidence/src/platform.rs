//! Operating systems and their versions.

use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// An operating system whose settings are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum System {
    Linux,
    FreeBsd,
}

/// An operating system that is recognized, but whose settings goodput does not change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum OtherSystem {
    Windows,
    MacOs,
}

/// Prefixes of keys that only one system has.
const SYSTEMS: &[(&str, System)] = &[
    ("net.core.", System::Linux),
    ("net.ipv4.", System::Linux),
    ("net.ipv6.", System::Linux),
    ("net.mptcp.", System::Linux),
    ("net.netfilter.", System::Linux),
    ("net.unix.", System::Linux),
    ("abi.", System::Linux),
    ("fs.", System::Linux),
    ("kernel.", System::Linux),
    ("hw.", System::FreeBsd),
    ("kern.", System::FreeBsd),
    ("machdep.", System::FreeBsd),
    ("net.inet.", System::FreeBsd),
    ("net.inet6.", System::FreeBsd),
    ("net.isr.", System::FreeBsd),
    ("net.link.", System::FreeBsd),
    ("net.route.", System::FreeBsd),
    ("vfs.", System::FreeBsd),
];

impl System {
    /// Returns the system that has a setting of that name, if only one has.
    pub fn of_setting(key: &str) -> Option<System> {
        SYSTEMS.iter().find(|(begins, _)| key.starts_with(begins)).map(|(_, system)| *system)
    }
}

/// An operating system and its version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Platform {
    pub system: System,
    /// `6.12`, `14.2-RELEASE`.
    #[serde(serialize_with = "as_text")]
    pub version: Version,
}

fn as_text<S: Serializer>(version: &Version, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(version)
}

impl Platform {
    /// True if its version is this one or a later one.
    pub fn is_since(&self, version: &str) -> bool {
        version.parse::<Version>().is_ok_and(|version| self.version >= version)
    }

    /// Returns the default congestion control: CUBIC on Linux since 2.6.19, on FreeBSD since 14.0.
    pub fn default_control(&self) -> &'static str {
        match self.system {
            System::Linux => "cubic",
            System::FreeBsd if self.is_since("14.0") => "cubic",
            System::FreeBsd => "newreno",
        }
    }
}

/// A version as the kernel's own Makefile states it: `7.3.4`, `7.4.0-rc2`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Version {
    numbers: [u32; 3],
    extra: String,
}

impl Version {
    /// The oldest version that the laboratory runs on.
    pub const OLDEST_HOST: Version = Version { numbers: [6, 1, 0], extra: String::new() };

    /// Reads VERSION, PATCHLEVEL, SUBLEVEL and EXTRAVERSION from the head of a kernel's Makefile; `None` if it is
    /// another Makefile.
    pub fn of_makefile(text: &str) -> Option<Version> {
        let value = |key: &str| {
            text.lines().take(20).find_map(|line| {
                let (name, value) = line.split_once('=')?;
                (name.trim() == key).then(|| value.trim())
            })
        };
        Some(Version {
            numbers: [
                value("VERSION")?.parse().ok()?,
                value("PATCHLEVEL")?.parse().ok()?,
                value("SUBLEVEL").unwrap_or("0").parse().ok()?,
            ],
            extra: value("EXTRAVERSION").unwrap_or_default().to_owned(),
        })
    }

    /// Returns the series, whose versions differ only by fixes: `7.3`.
    pub fn series(&self) -> String {
        let [major, minor, _] = self.numbers;
        format!("{major}.{minor}")
    }

    fn is_candidate(&self) -> bool {
        self.extra.starts_with("-rc")
    }
}

impl FromStr for Version {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (plain, extra) = text.split_at(text.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(text.len()));
        let mut numbers = [0; 3];
        for (number, part) in numbers.iter_mut().zip(plain.split('.')) {
            *number = part.parse()?;
        }
        Ok(Version { numbers, extra: extra.to_owned() })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [major, minor, patch] = self.numbers;
        write!(f, "{major}.{minor}.{patch}{}", self.extra)
    }
}

impl Ord for Version {
    /// Orders a release candidate before its release.
    fn cmp(&self, other: &Self) -> Ordering {
        let numbers = self.numbers.cmp(&other.numbers);
        let candidates = other.is_candidate().cmp(&self.is_candidate());
        numbers.then(candidates).then_with(|| self.extra.cmp(&other.extra))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_as_numbers() {
        let written = ["6.1.0", "6.12.95", "7.3.4", "7.9", "7.10.0-rc1", "7.10.0-rc2", "7.10", "7.10.0-lab"];
        let versions: Vec<Version> = written.map(|text| text.parse().unwrap()).to_vec();
        assert!(versions.is_sorted(), "{versions:?}");
        assert!("linux".parse::<Version>().is_err());
    }

    #[test]
    fn the_makefile_states_the_version() {
        let text =
            "# SPDX-License-Identifier: GPL-2.0\nVERSION = 7\nPATCHLEVEL = 3\nSUBLEVEL = 4\nEXTRAVERSION = -rc1\n";
        assert_eq!(Version::of_makefile(text).unwrap().to_string(), "7.3.4-rc1");
        assert_eq!(Version::of_makefile("all:\n\techo\n"), None);
    }
}
