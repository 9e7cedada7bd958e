//! A rule: one limit, how it is recognized, and what lifts it.

use super::finding::Finding;
use super::need::Need;
use super::view::View;
use crate::model;
use crate::remedy::Remedy;
use evidence::platform::Platform;

/// One limit. Everything that is said of it, here, in `goodput explain` and in the reference, is in its row.
pub struct Rule {
    /// As `goodput explain` takes it.
    pub name: &'static str,
    /// In a few words.
    pub title: &'static str,
    /// Evidence without which it can't tell; a test holds it to what its function looks at.
    pub needs: &'static [Need],
    /// The model behind it.
    pub model: &'static str,
    /// Where the model is from.
    pub source: &'static str,
    /// Each threshold, and why it is what it is.
    pub thresholds: &'static [(&'static str, &'static str)],
    /// What each level of confidence takes.
    pub confidence: &'static str,
    /// What would confirm it.
    pub confirm: &'static [&'static str],
    /// What else looks the same, and how to tell them apart.
    pub alike: &'static [(&'static str, &'static str)],
    /// Rules whose findings follow from this one's.
    pub explains: &'static [&'static str],
    /// What to do, for the sizes that the finding knows.
    pub remedies: fn(&Sizes) -> Vec<Remedy>,
    /// The share of goodput that it is taken to cost where nothing measures it; findings are ordered by it.
    pub assumed: f64,
    /// Looks at the evidence.
    pub find: fn(&View) -> Vec<Finding>,
}

/// Sizes that a remedy is for; the default is the Hong Kong–New York line, which `goodput explain` shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Sizes {
    /// Bytes to be outstanding: the BDP.
    pub window: f64,
    /// MTU that fits, bytes.
    pub mtu: u32,
    /// Rate of the bottleneck, bit/s.
    pub rate: Option<f64>,
    /// Round-trip time, s.
    pub rtt: f64,
    /// What a congestion control that fills the line would come to, in times of the goodput, if a model says so.
    pub gain: Option<f64>,
    /// The interface concerned.
    pub interface: Option<String>,
    /// The destination concerned.
    pub prefix: String,
    /// The systems that it is for.
    pub platforms: Vec<Platform>,
}

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes {
            window: 2.0 * 1e9 * 0.21 / 8.0,
            mtu: 1400,
            rate: None,
            rtt: 0.21,
            gain: Some(10.0),
            interface: None,
            prefix: "default".into(),
            platforms: model::usual_platforms(),
        }
    }
}
