//! Computes the measures of a flow, of a direction of a link and of the load.

use super::data::{FlowData, LaneData, LoadData};
use super::measures::{Computed, MEASURES, Measure, Over};
use super::sender::sender;
use base::units::TrafficKind;
use plan::Teller;

/// Measures with their values.
pub type Named = Vec<(&'static str, f64)>;

/// Returns the measures whose value is finite; a share of nothing is no value.
fn known(of: impl Fn(&Measure) -> Option<f64>) -> Named {
    let value = |measure: &'static Measure| Some((measure.name, of(measure).filter(|value| value.is_finite())?));
    MEASURES.iter().filter_map(value).collect()
}

/// Measures of a TCP flow that FreeBSD sends; all others need columns that its samples lack.
const SENT_BY_FREEBSD: [&str; 23] = [
    "goodput",
    "goodput-steady",
    "completion",
    "fair-share",
    "exchanges",
    "unanswered",
    "exchange-p50",
    "exchange-p95",
    "exchange-max",
    "retransmitted",
    "rtt-p50",
    "rtt-p95",
    "rtt-p99",
    "queued-p50",
    "queued-p95",
    "queued-p99",
    "queue-share",
    "cwnd-mean",
    "cwnd-max",
    "buffer-delay",
    "power",
    "steady-from",
    "mss",
];

/// Measures that can be computed from the intervals of iperf3.
pub const TOLD_BY_IPERF3: [&str; 13] = [
    "goodput",
    "goodput-steady",
    "completion",
    "jain",
    "jain-1s",
    "convergence",
    "fair-share",
    "rtt-p50",
    "rtt-p95",
    "rtt-p99",
    "cwnd-mean",
    "cwnd-max",
    "steady-from",
];

/// Returns the measures that a TCP flow can have; `None` if it can have all.
fn those_of(data: &FlowData) -> Option<&'static [&'static str]> {
    data.flow.tcp()?;
    match data.scene.record.teller {
        Teller::Iperf3 => Some(&TOLD_BY_IPERF3),
        Teller::Kernel => sender(data.scene, data.flow).is_freebsd().then_some(&SENT_BY_FREEBSD),
    }
}

/// Returns the measures of a flow that have a value.
pub fn of_flow(data: &FlowData) -> Named {
    let kind = TrafficKind::from_traffic(&data.flow.traffic);
    let those = those_of(data);
    known(|measure| match measure.computed {
        Computed::Flow { .. } if those.is_some_and(|those| !those.contains(&measure.name)) => None,
        Computed::Flow { kinds, of, .. } if kinds.contains(&kind) => Some(of(data)),
        _ => None,
    })
}

/// Returns the measures of a direction of a link that have a value.
pub fn of_lane(data: &LaneData) -> Named {
    known(|measure| if let Computed::Lane(of) = measure.computed { Some(of(data)) } else { None })
}

/// Returns the measures of the load that have a value.
pub fn of_load(data: &LoadData) -> Named {
    let has =
        |measure: &Measure| data.flows.iter().all(|flow| those_of(flow).is_none_or(|own| own.contains(&measure.name)));
    known(|measure| match measure.computed {
        Computed::Load(of) | Computed::Flow { over: Over::Load(of), .. } => Some(of(data)),
        Computed::Flow { kinds, over: Over::Pooled(of), .. } => {
            let is_of = |flow: &&FlowData| kinds.contains(&TrafficKind::from_traffic(&flow.flow.traffic));
            (has(measure) && data.flows.iter().all(is_of)).then(|| of(data))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_freebsd_and_iperf3_measures_exist() {
        assert!(SENT_BY_FREEBSD.iter().chain(&TOLD_BY_IPERF3).all(|name| Measure::find(name).is_some()));
    }
}
