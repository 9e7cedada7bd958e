//! Describes the steps of a run, for a dry run.

use super::real_plan::{Planned, planned};
use super::{FieldRunError, FieldRunRequest, checked, iperf_flows, record, shuffle};
use crate::probe::Tool;
use base::show;
use evidence::counted;
use plan::{Teller, Trial};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

/// Version of an iperf3 that has not been queried yet.
const NEWEST_IPERF: [u32; 2] = [3, u32::MAX];

/// Placeholder for an address that is not known yet (RFC 5737).
const EXAMPLE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

/// Returns each step with the host that does it.
pub fn dry_run(request: &FieldRunRequest) -> Result<Vec<(String, String)>, FieldRunError> {
    let is_iperf3 = request.ends.tool == Tool::Iperf3;
    let Planned { mut plan, unused } = planned(request, if is_iperf3 { Teller::Iperf3 } else { Teller::Kernel })?;
    shuffle::in_blocks(&mut plan, 0, request.order);
    let [from, host] = request.ends.names();
    let mut lines: Vec<(String, String)> = unused.into_iter().map(|line| ("here".to_owned(), line)).collect();
    for (target, name) in [(&request.ends.from, &from), (&request.ends.host, &host)] {
        lines.push((name.clone(), "take the lock, and make a folder for programs; both go when goodput ends".into()));
        lines.push((name.clone(), checked::script()));
        if is_iperf3 {
            continue;
        }
        let own = if target.shares_files() { "goodput" } else { "FOLDER/goodput" };
        if !target.shares_files() {
            lines.push((name.clone(), "tee FOLDER/goodput (a copy of this program)".into()));
        }
        lines.push((name.clone(), format!("{own} field agent")));
    }
    if !is_iperf3 {
        lines.push((host.clone(), format!("listen on TCP port {}", request.ends.port)));
    }
    let mut trials: Vec<&Trial> = plan.trials.iter().collect();
    trials.sort_by_key(|trial| trial.index);
    for trial in trials {
        let loads = record::loads(&trial.scene, &request.names[0], request.budget, request.max_rate);
        for load in loads.iter().filter(|_| is_iperf3) {
            let port = request.ends.port.saturating_add(u16::try_from(load.number).unwrap_or(u16::MAX));
            let address = request.ends.address.unwrap_or(EXAMPLE);
            let client = iperf_flows::client(NEWEST_IPERF, SocketAddr::new(address, port), load);
            let client =
                if request.ends.address.is_none() { client.replace(&EXAMPLE.to_string(), "HOST") } else { client };
            lines.push((host.clone(), iperf_flows::server(port)));
            lines.push((from.clone(), client));
        }
        for load in loads.iter().filter(|_| !is_iperf3) {
            let sender = if load.forward { &from } else { &host };
            lines.push((sender.clone(), format!("trial {} ({}): {}", trial.index, trial.name(), record::words(load))));
        }
    }
    let length: Duration = plan.trials.iter().map(|trial| record::length(&trial.scene)).sum();
    let most = plan.most_trials();
    lines.push((
        "here".into(),
        format!(
            "{} of {} in all, up to {most} as their results ask for more; at most {} and {}",
            counted(plan.trials.len(), "trial", "trials"),
            show::time(length.as_secs_f64()),
            show::bytes(request.budget.bytes as f64),
            show::time(request.budget.time.as_secs_f64())
        ),
    ));
    Ok(lines)
}
