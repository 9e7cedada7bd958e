//! Builds up a [`Host`] while its listings are read.

use super::row::Command;
use crate::{COUNTERS, Counter, Host, Interface, Offload, OtherSystem, Place, System, UNNAMED};
use std::collections::HashMap;
use std::str::FromStr;
use std::sync::Arc;

/// A partly read host, and state that the readers share.
pub(super) struct Draft<'a> {
    /// Facts read so far.
    pub host: Host,
    /// The command line directly before the row, if any.
    pub command: Option<Command<'a>>,
    /// Index of the last line that a reader took.
    pub last: Option<usize>,
    /// True once a JSON document turned out to have no end; no other can begin then.
    pub endless: bool,
    /// Index of the first line of the listing that is read.
    pub begins: usize,
    names: HashMap<String, usize>,
    /// Index of each counter of each interface, by the index of the interface.
    counters: HashMap<(usize, String), usize>,
    /// How often each command's output was read for an interface without a name.
    unnamed: HashMap<&'static str, usize>,
    wrong: Vec<(usize, String)>,
    /// Whether Linux, and whether FreeBSD, printed something.
    seen: [bool; 2],
    /// The other system that printed something, and whether several did.
    seen_other: Option<OtherSystem>,
    seen_others: bool,
    versions: Vec<String>,
}

/// Most offloads kept per interface; `ethtool -k` prints about 60.
const MAX_OFFLOADS: usize = 256;

impl Draft<'_> {
    /// Creates an empty host.
    pub fn new(file: Arc<str>) -> Draft<'static> {
        Draft {
            host: Host::new(Place { file, line: 0 }),
            command: None,
            last: None,
            endless: false,
            begins: 0,
            names: HashMap::new(),
            counters: HashMap::new(),
            unnamed: HashMap::new(),
            wrong: vec![],
            seen: [false; 2],
            seen_other: None,
            seen_others: false,
            versions: vec![],
        }
    }

    /// Returns the host, and the unreadable lines with reasons. If the file has output of both systems, the host gets
    /// neither; if it has several versions, the host gets none.
    pub fn finish(mut self) -> (Host, Vec<(usize, String)>) {
        self.host.system = match self.seen {
            [true, false] if self.seen_other.is_none() => Some(System::Linux),
            [false, true] if self.seen_other.is_none() => Some(System::FreeBsd),
            _ => None,
        };
        self.host.other_system = self.seen_other.filter(|_| self.seen == [false; 2] && !self.seen_others);
        if let [version] = &mut self.versions[..]
            && (self.host.system.is_some() || self.host.other_system.is_some())
        {
            self.host.version = Some(std::mem::take(version));
        }
        (self.host, self.wrong)
    }

    /// Returns the place of the line at an index.
    pub fn place(&self, index: usize) -> Place {
        Place { file: self.host.place.file.clone(), line: index + 1 }
    }

    /// Records that a line is unreadable, and why.
    pub fn wrong(&mut self, index: usize, why: impl Into<String>) {
        self.wrong.push((index, why.into()));
    }

    /// Records which system printed a line.
    pub fn seen(&mut self, system: System) {
        self.seen[usize::from(system == System::FreeBsd)] = true;
    }

    /// Records which other system printed a line.
    pub fn seen_other(&mut self, system: OtherSystem) {
        self.seen_others |= self.seen_other.is_some_and(|known| known != system);
        self.seen_other = Some(system);
    }

    /// Records the system and version that a line reports.
    pub fn version(&mut self, system: System, version: &str) {
        self.seen(system);
        self.versioned(version);
    }

    /// Records the other system and version that a line reports.
    pub fn other_version(&mut self, system: OtherSystem, version: &str) {
        self.seen_other(system);
        self.versioned(version);
    }

    fn versioned(&mut self, version: &str) {
        if self.versions.len() < 2 && !self.versions.iter().any(|known| known == version) {
            self.versions.push(version.to_owned());
        }
    }

    /// Parses a number; if that fails, records the line as unreadable.
    pub fn number<T: FromStr>(&mut self, index: usize, what: &str, text: &str) -> Option<T> {
        let number = text.parse().ok();
        if number.is_none() {
            self.wrong(index, format!("{what} is not a valid number"));
        }
        number
    }

    /// Returns a placeholder name for an interface that the output does not name. A command's second unnamed output in
    /// a file is an error: it could be any interface.
    pub fn unnamed(&mut self, index: usize, command: &'static str) -> Option<&'static str> {
        *self.unnamed.entry(command).or_default() += 1;
        if !self.is_unnamed(command) {
            self.wrong(index, format!("no interface name: `{command}` gives it"));
            return None;
        }
        Some(UNNAMED)
    }

    /// True if that command's output was read exactly once without an interface name.
    pub fn is_unnamed(&self, command: &'static str) -> bool {
        self.unnamed.get(command) == Some(&1)
    }

    /// Returns the interface with this name, creating it if necessary.
    pub fn interface(&mut self, index: usize, name: &str) -> &mut Interface {
        let at = self.interface_at(index, name);
        &mut self.host.interfaces[at]
    }

    fn interface_at(&mut self, index: usize, name: &str) -> usize {
        match self.names.get(name) {
            Some(at) => *at,
            None => {
                let place = self.place(index);
                self.host.interfaces.push(Interface::new(name, place));
                self.names.insert(name.to_owned(), self.host.interfaces.len() - 1);
                self.host.interfaces.len() - 1
            }
        }
    }

    /// Sets the state of an offload; a later line replaces an earlier one.
    pub fn offload(&mut self, index: usize, interface: &str, name: &str, on: bool, fixed: bool) {
        let offload = Offload { place: self.place(index), name: name.to_owned(), on, fixed };
        let known = &mut self.interface(index, interface).offloads;
        match known.iter().position(|known| known.name == name) {
            Some(at) => known[at] = offload,
            None if known.len() < MAX_OFFLOADS => known.push(offload),
            None => self.wrong(index, "too many offloads for one interface"),
        }
    }

    /// Adds a protocol counter, if a rule uses it. A later listing of it replaces its value.
    pub fn counter(&mut self, index: usize, name: impl Into<String>, value: u64) {
        let counter = Counter::new(self.place(index), name, value);
        if !COUNTERS.contains(&counter.name.as_str()) {
            return;
        }
        match self.host.counters.iter_mut().find(|known| known.name == counter.name) {
            Some(known) => known.again(counter),
            None => self.host.counters.push(counter),
        }
    }

    /// Adds to a protocol counter.
    pub fn add(&mut self, index: usize, name: &str, count: u64) {
        match self.host.counters.iter_mut().find(|counter| counter.name == name) {
            Some(known) => known.value = known.value.saturating_add(count),
            None => self.counter(index, name, count),
        }
    }

    /// Adds an interface counter. A later listing of it replaces its value; a second line of that name in the same
    /// listing is a counter of its own.
    pub fn count(&mut self, index: usize, interface: &str, name: impl Into<String>, value: u64) {
        let counter = Counter::new(self.place(index), name, value);
        let at = self.interface_at(index, interface);
        let begins = self.begins;
        let counters = &mut self.host.interfaces[at].counters;
        match self.counters.get(&(at, counter.name.clone())).map(|known| &mut counters[*known]) {
            Some(known) if known.place.line <= begins => known.again(counter),
            _ => {
                self.counters.entry((at, counter.name.clone())).or_insert(counters.len());
                counters.push(counter);
            }
        }
    }

    /// Sets an interface's qdisc, unless the same qdisc is already known with its parameters.
    pub fn qdisc(&mut self, index: usize, interface: &str, qdisc: &str) {
        let known = &self.interface(index, interface).qdisc;
        let told = known.as_ref().is_some_and(|known| known.split(' ').next() == Some(qdisc));
        if !told {
            self.root_qdisc(index, interface, qdisc.to_owned());
        }
    }

    /// Sets an interface's qdisc with its parameters.
    pub fn root_qdisc(&mut self, index: usize, interface: &str, qdisc: String) {
        let place = self.place(index);
        let device = self.interface(index, interface);
        (device.qdisc, device.qdisc_places) = (Some(qdisc), vec![place]);
    }

    /// Adds a leaf to an interface's qdisc. A multiqueue card has one leaf per queue, all alike.
    pub fn leaf_qdisc(&mut self, index: usize, interface: &str, qdisc: &str) {
        let place = self.place(index);
        let device = self.interface(index, interface);
        let known = device.qdisc.get_or_insert_default();
        if !known.ends_with(qdisc) {
            known.push_str(" / ");
            known.push_str(qdisc);
            // A leaf without its root has the root's line, too.
            if device.qdisc_places.is_empty() {
                device.qdisc_places.push(place.clone());
            }
            device.qdisc_places.push(place);
        }
    }
}
