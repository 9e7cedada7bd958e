//! A host as it is being read.

use super::row::Command;
use crate::{COUNTERS, Counter, Host, Interface, Offload, Place, System, UNNAMED};
use std::collections::HashMap;
use std::str::FromStr;
use std::sync::Arc;

/// A host as it is being read, and what readers tell one another.
pub(super) struct Draft<'a> {
    /// What is known of it.
    pub host: Host,
    /// The command that stands right before the row, if there is one.
    pub command: Option<Command<'a>>,
    /// The index of the line that was taken last.
    pub last: Option<usize>,
    /// Whether a document of JSON has no end, so that no other can begin.
    pub endless: bool,
    names: HashMap<String, usize>,
    /// Commands of which the output of an interface without a name was read.
    unnamed: Vec<&'static str>,
    wrong: Vec<(usize, String)>,
    /// Whether Linux, and whether FreeBSD, has printed something.
    seen: [bool; 2],
    versions: Vec<(System, String)>,
}

/// Offloads kept of an interface: `ethtool -k` prints some 60.
const MAX_OFFLOADS: usize = 256;

impl Draft<'_> {
    /// A host of which nothing is known yet.
    pub fn new(file: Arc<str>) -> Draft<'static> {
        Draft {
            host: Host::new(Place { file, line: 0 }),
            command: None,
            last: None,
            endless: false,
            names: HashMap::new(),
            unnamed: vec![],
            wrong: vec![],
            seen: [false; 2],
            versions: vec![],
        }
    }

    /// The host, and the lines that could not be read with their reasons. A file that tells of two systems says of
    /// neither that it is the host's; of several versions none is.
    pub fn finish(mut self) -> (Host, Vec<(usize, String)>) {
        self.host.system = match self.seen {
            [true, false] => Some(System::Linux),
            [false, true] => Some(System::FreeBsd),
            _ => None,
        };
        self.versions.dedup();
        if let [(_, version)] = &mut self.versions[..] {
            self.host.version = self.host.system.and(Some(std::mem::take(version)));
        }
        (self.host, self.wrong)
    }

    /// The line of an index.
    pub fn place(&self, index: usize) -> Place {
        Place { file: self.host.place.file.clone(), line: index + 1 }
    }

    /// Says that a line cannot be read, and why.
    pub fn wrong(&mut self, index: usize, why: impl Into<String>) {
        self.wrong.push((index, why.into()));
    }

    /// Says that a line is printed by a system.
    pub fn seen(&mut self, system: System) {
        self.seen[usize::from(system == System::FreeBsd)] = true;
    }

    /// Says which version of a system printed a line.
    pub fn version(&mut self, system: System, version: &str) {
        self.seen(system);
        let version = (system, version.to_owned());
        if self.versions.len() < 2 && !self.versions.contains(&version) {
            self.versions.push(version);
        }
    }

    /// A number; where it is none, the line is wrong.
    pub fn number<T: FromStr>(&mut self, index: usize, what: &str, text: &str) -> Option<T> {
        let number = text.parse().ok();
        if number.is_none() {
            self.wrong(index, format!("{what} is not a valid number"));
        }
        number
    }

    /// The name of an interface that a command's output does not tell: the first of a file is one, a second is anybody's.
    pub fn unnamed(&mut self, index: usize, command: &'static str) -> Option<&'static str> {
        self.unnamed.push(command);
        if !self.is_unnamed(command) {
            self.wrong(index, format!("no interface name: `{command}` gives it"));
            return None;
        }
        Some(UNNAMED)
    }

    /// Whether that command's output was read of one interface without a name.
    pub fn is_unnamed(&self, command: &'static str) -> bool {
        self.unnamed.iter().filter(|known| **known == command).count() == 1
    }

    /// The interface of a name; made if it is not known yet.
    pub fn interface(&mut self, index: usize, name: &str) -> &mut Interface {
        let at = match self.names.get(name) {
            Some(at) => *at,
            None => {
                let place = self.place(index);
                self.host.interfaces.push(Interface::new(name, place));
                self.names.insert(name.to_owned(), self.host.interfaces.len() - 1);
                self.host.interfaces.len() - 1
            }
        };
        &mut self.host.interfaces[at]
    }

    /// A setting's or an option's last word on an offload.
    pub fn offload(&mut self, index: usize, interface: &str, name: &str, on: bool, fixed: bool) {
        let offload = Offload { place: self.place(index), name: name.to_owned(), on, fixed };
        let known = &mut self.interface(index, interface).offloads;
        match known.iter().position(|known| known.name == name) {
            Some(at) => known[at] = offload,
            None if known.len() < MAX_OFFLOADS => known.push(offload),
            None => self.wrong(index, "too many offloads for one interface"),
        }
    }

    /// A counter of the protocols, if a rule looks at it.
    pub fn counter(&mut self, index: usize, name: impl Into<String>, value: u64) {
        let counter = Counter { place: self.place(index), name: name.into(), value };
        if COUNTERS.contains(&counter.name.as_str()) {
            self.host.counters.push(counter);
        }
    }

    /// What a counter of the protocols grows by.
    pub fn add(&mut self, index: usize, name: &str, count: u64) {
        match self.host.counters.iter_mut().find(|counter| counter.name == name) {
            Some(known) => known.value = known.value.saturating_add(count),
            None => self.counter(index, name, count),
        }
    }

    /// A counter of an interface.
    pub fn count(&mut self, index: usize, interface: &str, name: impl Into<String>, value: u64) {
        let counter = Counter { place: self.place(index), name: name.into(), value };
        self.interface(index, interface).counters.push(counter);
    }

    /// The qdisc of an interface: with its parameters, if they have been told before.
    pub fn qdisc(&mut self, index: usize, interface: &str, qdisc: &str) {
        let known = &mut self.interface(index, interface).qdisc;
        let told = known.as_ref().is_some_and(|known| known.split(' ').next() == Some(qdisc));
        if !told {
            *known = Some(qdisc.to_owned());
        }
    }
}
