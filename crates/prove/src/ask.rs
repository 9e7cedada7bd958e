//! The measurements that settle what the evidence leaves open.

use super::candidate::Mechanism;
use super::distance;
use super::explain::{self, Assumes, Explanation};
use super::row::ChangeRow;
use base::stats::mean;

/// Names measurements that tell explanations apart, and one that settles most of what is open under each.
pub fn ask(explanations: &[Explanation], rows: &[ChangeRow]) -> Option<String> {
    let all: Vec<String> = telling(explanations, rows).into_iter().chain(closing(rows)).collect();
    (!all.is_empty()).then(|| all.join("; and "))
}

/// Returns measurements that tell explanations apart.
pub fn telling(explanations: &[Explanation], rows: &[ChangeRow]) -> Vec<String> {
    const ASK_PACKET_SIZE: &str = "the largest packet that passes: `tracepath HOST`, or `ping -M do -s SIZE HOST`";
    const ASK_REORDERING: &str = "`ss -tin dst HOST` in a loop while it runs: reord_seen and dsack_dups count what came late and \
                        was taken for lost";
    const ASK_STREAMS: &str = "`iperf3 -c HOST -P 8` once: on a line of its own eight streams get together what one gets, on a \
                            shared one several times as much";
    let has = |kind| explanations.iter().filter(move |one| one.candidate.has(kind)).count();
    let hole = (has(Mechanism::Hole) > 0).then(|| ASK_PACKET_SIZE.to_owned());
    let decides = |kind, how: &str| (1..explanations.len()).contains(&has(kind)).then(|| how.to_owned());
    let [late, shared] = [decides(Mechanism::Reordering, ASK_REORDERING), decides(Mechanism::Shared, ASK_STREAMS)];
    [hole, late, shared, apart(explanations, rows)].into_iter().flatten().collect()
}

/// Measurements decide only between predictions that differ by more than this ratio.
const MIN_TELLING_RATIO: f64 = 1.15;

/// Returns the change that the explanations predict most differently.
fn apart(explanations: &[Explanation], rows: &[ChangeRow]) -> Option<String> {
    let of_row = |row: &ChangeRow| {
        let of = |at: usize| row.effects.iter().find(|e| e.explanation == at && e.assumes == Assumes::Nothing);
        let means: Vec<f64> = (0..explanations.len()).filter_map(|at| Some(mean(&of(at)?.goodput))).collect();
        let least = means.iter().copied().fold(f64::INFINITY, f64::min).max(1.0);
        (distance::largest(&means) / least, row.name.clone(), means)
    };
    // A change that helps under no explanation differs by chance.
    let helps =
        |row: &&ChangeRow| row.effects.iter().any(|e| e.assumes == Assumes::Nothing && e.gain >= explain::MIN_GAIN);
    let single = rows.iter().skip(1).filter(|row| !row.name.contains(" + ")).filter(helps).map(of_row);
    let (_, name, means) =
        single.filter(|(ratio, ..)| *ratio > MIN_TELLING_RATIO).max_by(|a, b| a.0.total_cmp(&b.0))?;
    let told: Vec<String> = explanations
        .iter()
        .zip(&means)
        .map(|(one, mean)| format!("{} {}", one.name, base::show::rate(*mean)))
        .collect();
    Some(format!("one run with \"{name}\", for which they predict: {}", told.join(", ")))
}

/// Returns the measurement of path or hosts on which predictions depend most.
fn closing(rows: &[ChangeRow]) -> Option<String> {
    let mut best: (f64, Option<&str>) = (MIN_TELLING_RATIO, None);
    for (assumes, ask) in MEASUREMENTS {
        for row in rows.iter().skip(1) {
            for effect in row.effects.iter().filter(|effect| effect.assumes == *assumes) {
                let usual =
                    row.effects.iter().find(|e| e.explanation == effect.explanation && e.assumes == Assumes::Nothing);
                let ratio = usual.map_or(1.0, |usual| mean(&usual.goodput) / mean(&effect.goodput).max(1.0));
                let ratio = ratio.max(1.0 / ratio.max(1e-9));
                if ratio > best.0 {
                    best = (ratio, Some(ask));
                }
            }
        }
    }
    best.1.map(str::to_owned)
}

const ASK_RATE: &str = "the rate of the line: give it as --rate, or run `iperf3 -c HOST -P 8` once";
/// The measurement that settles each assumption.
pub const MEASUREMENTS: &[(Assumes, &str)] = &[
    (Assumes::Slower, ASK_RATE),
    (Assumes::Faster, ASK_RATE),
    (Assumes::Alike, "`sysctl net.ipv4.tcp_rmem net.ipv4.tcp_adv_win_scale` on the receiver, in a file of its own"),
    (
        Assumes::ReceiveWindow,
        "`sysctl net.ipv4.tcp_rmem net.ipv4.tcp_adv_win_scale` on the receiver, in a file of its own",
    ),
    (Assumes::SendBuffer, "`sysctl net.ipv4.tcp_wmem` on the sender, in the file of the transfer"),
];
