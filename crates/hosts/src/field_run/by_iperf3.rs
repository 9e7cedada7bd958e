//! Parts of an experiment that iperf3 cannot do, located in its file.

use super::place::place;
use analysis::TOLD_BY_IPERF3;
use evidence::unit::Wrong;
use experiment::{Fault, Outline, Span};
use plan::{Flow, Plan, Traffic, Until};

/// Nanoseconds per second.
const NS_PER_SECOND: u64 = 1_000_000_000;

/// Returns the parts of a plan that iperf3 cannot do.
pub fn faults(plan: &Plan, outline: &Outline) -> Vec<Fault> {
    let mut faults: Vec<Fault> = vec![];
    let mut refuse = |span: Span, wrong: Wrong| {
        if !faults.iter().any(|fault| fault.span == span) {
            faults.push(Fault { span, wrong });
        }
    };
    for flow in plan.trials.iter().flat_map(|trial| trial.scene.flows.iter()) {
        if let Some((key, wrong)) = unlike(flow) {
            refuse(place(outline, key), wrong);
        }
    }
    if let Some((_, span)) = outline.varied.iter().find(|(key, _)| key == "record.interval") {
        let wrong = Wrong::new("\"record.interval\" cannot vary with iperf3: its shortest interval is 100 ms");
        refuse(span.clone(), wrong.hint("remove it from [vary]"));
    }
    let asked = [
        ("repeat", plan.repeat.until.iter().map(|enough| enough.measure.as_str()).collect::<Vec<_>>()),
        ("expect", plan.expect.iter().map(|expect| expect.measure.as_str()).collect()),
        ("published", plan.published.iter().map(|published| published.measure.as_str()).collect()),
    ];
    for (section, measures) in asked {
        for measure in measures.into_iter().filter(|measure| !TOLD_BY_IPERF3.contains(measure)) {
            let wrong = Wrong::new(format!("iperf3 does not tell {measure}")).accepted(TOLD_BY_IPERF3.join(", "));
            refuse(named_in(plan, outline, section, measure), wrong.hint(WITHOUT));
        }
    }
    faults
}

const WITHOUT: &str = "goodput's own agent does: leave --tool out";

/// Returns the place of a measure's name in a section.
fn named_in(plan: &Plan, outline: &Outline, section: &str, measure: &str) -> Span {
    let Some((_, own)) = outline.sections.iter().find(|(name, _)| name == section) else { return 0..0 };
    let rest = plan.spec.get(own.end..).unwrap_or("");
    let found =
        [format!("\"{measure}\""), measure.to_owned()].into_iter().find_map(|text| Some((rest.find(&text)?, text)));
    found.map_or(own.clone(), |(at, text)| own.end + at..own.end + at + text.len())
}

/// Returns the key of a flow that iperf3 cannot do, and the reason.
fn unlike(flow: &Flow) -> Option<(&'static str, Wrong)> {
    let Traffic::Bulk { tcp, .. } = &flow.traffic else { return None };
    if matches!(flow.until, Until::Duration(time) if time % NS_PER_SECOND != 0) {
        return Some(("duration", Wrong::new("iperf3 takes whole seconds").hint(WITHOUT)));
    }
    if tcp.send_buffer != tcp.receive_buffer {
        let key = if tcp.send_buffer.is_some() { "send-buffer" } else { "receive-buffer" };
        let wrong = Wrong::new("iperf3 -w sets both buffers of both ends");
        return Some((key, wrong.accepted("send-buffer and receive-buffer of the same size").hint(WITHOUT)));
    }
    None
}
