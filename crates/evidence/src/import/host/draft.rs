//! Builds up a [`Host`] while its listings are read.

use super::row::Command;
use crate::{COUNTERS, Counter, Host, Interface, Offload, Place, System, UNNAMED};
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
    names: HashMap<String, usize>,
    /// Commands whose output was read for an interface without a name.
    unnamed: Vec<&'static str>,
    wrong: Vec<(usize, String)>,
    /// Whether Linux, and whether FreeBSD, printed something.
    seen: [bool; 2],
    versions: Vec<(System, String)>,
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
            names: HashMap::new(),
            unnamed: vec![],
            wrong: vec![],
            seen: [false; 2],
            versions: vec![],
        }
    }

    /// Returns the host, and the unreadable lines with reasons. If the file has output of both systems, the host gets
    /// neither; if it has several versions, the host gets none.
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

    /// Records the system and version that a line reports.
    pub fn version(&mut self, system: System, version: &str) {
        self.seen(system);
        let version = (system, version.to_owned());
        if self.versions.len() < 2 && !self.versions.contains(&version) {
            self.versions.push(version);
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
        self.unnamed.push(command);
        if !self.is_unnamed(command) {
            self.wrong(index, format!("no interface name: `{command}` gives it"));
            return None;
        }
        Some(UNNAMED)
    }

    /// True if that command's output was read exactly once without an interface name.
    pub fn is_unnamed(&self, command: &'static str) -> bool {
        self.unnamed.iter().filter(|known| **known == command).count() == 1
    }

    /// Returns the interface with this name, creating it if necessary.
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

    /// Adds a protocol counter, if a rule uses it.
    pub fn counter(&mut self, index: usize, name: impl Into<String>, value: u64) {
        let counter = Counter { place: self.place(index), name: name.into(), value };
        if COUNTERS.contains(&counter.name.as_str()) {
            self.host.counters.push(counter);
        }
    }

    /// Adds to a protocol counter.
    pub fn add(&mut self, index: usize, name: &str, count: u64) {
        match self.host.counters.iter_mut().find(|counter| counter.name == name) {
            Some(known) => known.value = known.value.saturating_add(count),
            None => self.counter(index, name, count),
        }
    }

    /// Adds an interface counter.
    pub fn count(&mut self, index: usize, interface: &str, name: impl Into<String>, value: u64) {
        let counter = Counter { place: self.place(index), name: name.into(), value };
        self.interface(index, interface).counters.push(counter);
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
