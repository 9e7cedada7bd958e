//! What rules look at: the evidence, the connections with what follows from them, and their groups.

use super::flow::Flow;
use super::group::{self, Groups};
use super::path_facts::Given;
use evidence::{Connection, Evidence, Host, Setting};

/// Two runs with the same target rate come within this share of it.
const SAME_TARGET_SHARE: f64 = 0.03;

/// The evidence as rules see it.
pub struct View<'a> {
    /// All of it.
    pub evidence: &'a Evidence,
    /// What the person says.
    pub given: Given,
    /// The connections that carry the data, with what follows from them; of those that are idle nothing is known.
    pub flows: Vec<Flow<'a>>,
    /// Runs of which the sum alone is known: no rule of a connection holds for them.
    pub sums: Vec<Flow<'a>>,
    groups: Groups,
}

impl<'a> View<'a> {
    /// Of some evidence.
    pub fn of(evidence: &'a Evidence, given: Given) -> View<'a> {
        let flows = |all: &mut dyn Iterator<Item = &'a Connection>| {
            all.map(|seen| Flow::of(seen, evidence, given)).collect::<Vec<Flow<'a>>>()
        };
        let sums = flows(&mut evidence.sums.iter());
        let active = flows(&mut evidence.connections.iter().filter(|seen| !seen.idle));
        let flows = group::carrying(active);
        let groups = Groups::of(&flows);
        View { evidence, given, flows, sums, groups }
    }

    /// Connections at the same time over the same path as this one, itself among them.
    pub fn group(&self, flow: &Flow) -> impl Iterator<Item = &Flow<'a>> + use<'_, 'a> {
        let members = self.groups.find(flow).map_or(&[][..], |group| &group.members);
        members.iter().map(|number| &self.flows[*number])
    }

    /// A part of a connection, or a sum of several, as a flow.
    pub fn flow<'c>(&self, seen: &'c Connection) -> Flow<'c> {
        Flow::of(seen, self.evidence, self.given)
    }

    /// Whether its rate is one that another listing was told to keep to, and does.
    pub(crate) fn is_asked_for(&self, flow: &Flow) -> bool {
        let mut asked = self.flows.iter().filter(|other| other.keeps_to_rate()).filter_map(|other| other.seen.target);
        asked.any(|target| flow.seen.goodput.is_some_and(|goodput| (goodput / target - 1.0).abs() < SAME_TARGET_SHARE))
    }

    /// Whether the connections of its group fill the path together.
    pub fn is_full(&self, flow: &Flow) -> bool {
        self.groups.find(flow).is_some_and(|group| group.full)
    }

    /// What its group delivers together, bit/s, if there are several.
    pub(crate) fn group_rates(&self, flow: &Flow) -> Option<Vec<f64>> {
        self.groups.find(flow)?.rates.clone()
    }

    /// All values of a setting, in the order of the files, with their hosts.
    pub fn settings(&self, key: &'a str) -> impl Iterator<Item = (&'a Host, &'a Setting)> + use<'a> {
        let all = self.evidence.hosts.iter();
        all.flat_map(move |h| h.settings.iter().filter(move |s| s.key == key).map(move |s| (h, s)))
    }
}
