//! The view of the evidence for rules: connections with derived values, and their groups.

use super::flow::Flow;
use super::group::{self, Groups};
use super::path_facts::Given;
use crate::quantity::Measured;
use evidence::{Connection, Evidence, Host, Setting};

/// Largest relative distance of a run's goodput from another run's target rate for the two to count as equal.
const SAME_TARGET_SHARE: f64 = 0.03;

/// The evidence as rules examine it.
pub struct View<'a> {
    /// The whole evidence.
    pub evidence: &'a Evidence,
    /// Path facts that the person states.
    pub given: Given,
    /// Connections that carry the data, with derived values; idle ones are omitted.
    pub flows: Vec<Flow<'a>>,
    /// Runs with only a known sum: rules about one connection do not apply.
    pub sums: Vec<Flow<'a>>,
    groups: Groups,
}

impl<'a> View<'a> {
    /// Derives the view of some evidence.
    pub fn new(evidence: &'a Evidence, given: Given) -> View<'a> {
        let flows = |all: &mut dyn Iterator<Item = &'a Connection>| {
            all.map(|seen| Flow::new(seen, evidence, given)).collect::<Vec<Flow<'a>>>()
        };
        let sums = flows(&mut evidence.sums.iter());
        let active = flows(&mut evidence.connections.iter().filter(|seen| !seen.idle));
        let idle = flows(&mut evidence.connections.iter().filter(|seen| seen.idle));
        let flows = joined(group::carrying(active, &idle));
        let groups = Groups::from_flows(&flows);
        View { evidence, given, flows, sums, groups }
    }

    /// Returns the connections at the same time over the same path, including this one.
    pub fn group(&self, flow: &Flow) -> impl Iterator<Item = &Flow<'a>> + use<'_, 'a> {
        let members = self.groups.find(flow).map_or(&[][..], |group| &group.members);
        members.iter().map(|number| &self.flows[*number])
    }

    /// Derives the flow of a part of a connection, or of a sum of several.
    pub fn flow<'c>(&self, seen: &'c Connection) -> Flow<'c> {
        Flow::new(seen, self.evidence, self.given)
    }

    /// Whether its rate is the target that another listing kept to.
    pub(crate) fn is_asked_for(&self, flow: &Flow) -> bool {
        let mut asked = self.flows.iter().filter(|other| other.keeps_to_rate()).filter_map(|other| other.seen.target);
        asked.any(|target| flow.seen.goodput.is_some_and(|goodput| (goodput / target - 1.0).abs() < SAME_TARGET_SHARE))
    }

    /// Whether the connections of its group fill the path together.
    pub fn is_full(&self, flow: &Flow) -> bool {
        self.groups.find(flow).is_some_and(|group| group.full)
    }

    /// Returns the joint delivery rates of its group, bit/s, if it has several connections.
    pub(crate) fn group_rates(&self, flow: &Flow) -> Option<Vec<f64>> {
        self.groups.find(flow)?.rates.clone()
    }

    /// Returns all values of a setting, in file order, with their hosts.
    pub fn settings(&self, key: &'a str) -> impl Iterator<Item = (&'a Host, &'a Setting)> + use<'a> {
        let all = self.evidence.hosts.iter();
        all.flat_map(move |h| h.settings.iter().filter(move |s| s.key == key).map(move |s| (h, s)))
    }
}

/// Gives each connection what other programs saw of the same transfer. If several connections of a program may be it,
/// none is.
fn joined(mut flows: Vec<Flow>) -> Vec<Flow> {
    let all: Vec<Measured> = flows.iter().map(|flow| flow.measured.clone()).collect();
    for (number, flow) in flows.iter_mut().enumerate() {
        let views: Vec<&Measured> = all.iter().filter(|other| all[number].may_be(other)).collect();
        let alone = |view: &&&Measured| views.iter().filter(|other| other.seen.source == view.seen.source).count() == 1;
        views.iter().filter(alone).for_each(|view| flow.measured.take(view));
    }
    flows
}
