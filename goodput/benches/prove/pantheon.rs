//! Paths that Pantheon measured (Yan et al., USENIX ATC 2018; its tables of 10 runs of 30 s): a link that reproduces
//! the row of CUBIC, the result of Vegas on it, and Vegas's published result.

use super::{Failed, goodput};
use base::show;
use base::stats::mean;
use diagnosis::remedy::lab::Key;
use prove::{Candidate, Mechanism};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

/// Result of a scheme on a path: Mbit/s and one-way ms (95 %), means and standard deviations of 10 runs.
struct Row {
    throughput: [f64; 2],
    delay: [f64; 2],
}

struct Path {
    name: &'static str,
    /// Pantheon's published parameters: Mbit/s, queue in packets, share of loss; and the one-way delay in ms, which is
    /// taken as known.
    published: [f64; 3],
    one_way: f64,
    cubic: Row,
    /// Share of CUBIC's packets that were lost.
    lost: f64,
    vegas: Row,
}

const fn row(throughput: [f64; 2], delay: [f64; 2]) -> Row {
    Row { throughput, delay }
}

const PATHS: [Path; 5] = [
    Path {
        name: "AWS Brazil to Brazil",
        published: [97.11, 366.0, 0.0],
        one_way: 1.0,
        cubic: row([97.47, 0.01], [42.7, 0.3]),
        lost: 0.0077,
        vegas: row([96.09, 0.92], [4.7, 0.4]),
    },
    Path {
        name: "India to AWS India",
        published: [117.65, 144.0, 0.0],
        one_way: 13.0,
        cubic: row([89.9, 8.3], [27.2, 1.6]),
        lost: 0.0028,
        vegas: row([75.3, 9.7], [26.7, 2.4]),
    },
    Path {
        name: "China to AWS Korea",
        published: [6.25, 362.0, 0.0025],
        one_way: 152.0,
        cubic: row([3.96, 2.29], [235.5, 77.0]),
        lost: 0.028,
        vegas: row([1.41, 0.73], [255.0, 81.0]),
    },
    Path {
        name: "AWS Brazil to Colombia",
        published: [5.65, 3665.0, 0.0026],
        one_way: 88.0,
        cubic: row([5.62, 0.58], [3169.0, 1070.0]),
        lost: 0.088,
        vegas: row([5.02, 1.29], [304.0, 150.0]),
    },
    Path {
        name: "Nepal to AWS India",
        published: [13.38, 37.0, 0.003],
        one_way: 32.0,
        cubic: row([4.76, 1.16], [43.6, 41.0]),
        lost: 0.0054,
        vegas: row([4.10, 0.97], [92.0, 84.0]),
    },
];

/// Pantheon counts bytes of IP, its emulator's parameters count packets of 1504 bytes, the lab counts frames.
const FRAME: f64 = 1538.0;
const PACKET: f64 = 1500.0;
const IP: f64 = PACKET / 1448.0;
const FRAMES: f64 = FRAME / 1504.0;
const SEEDS: usize = 2;
/// Uncertainty of a row in addition to its spread: shares of throughput and delay; for loss, which has no published
/// spread, a factor of e.
const FLOOR: [f64; 3] = [0.02, 0.05, 1.0];
const LEAST_LOST: f64 = 1e-4;
/// A fit within this of the best misfit is as good: χ² with one degree of freedom exceeds it in 5 % of all cases.
const MAX_MISFIT_GAP: f64 = 3.84;

/// Result of the lab: Mbit/s of IP, one-way ms, share of retransmissions; means over seeds.
type Shown = [f64; 3];

struct Tried {
    line: Candidate,
    shown: Shown,
    misfit: f64,
}

/// Prints a row for each path.
pub fn table() -> ExitCode {
    println!(
        "| path | CUBIC: Mbit/s, ms, lost | the fit | CUBIC with it | off, sd | Vegas: Mbit/s, ms | predicted | of fits not told apart \
         | off, sd of the path | with Pantheon's parameters: CUBIC; Vegas |\n|---|---|---|---|---|---|---|---|---|---|"
    );
    let mut all_well = true;
    for (at, path) in PATHS.iter().enumerate() {
        let cells = path.cells(at);
        all_well &= cells.is_ok();
        println!("| {} | {} |", path.name, cells.unwrap_or_else(|error| format!("failed: {error}")));
    }
    if all_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl Path {
    fn cells(&self, at: usize) -> Result<String, Failed> {
        let mut tried = self.fitted(at)?;
        tried.sort_by(|a, b| a.misfit.total_cmp(&b.misfit));
        let best = &tried[0];
        let open: Vec<Candidate> =
            tried.iter().filter(|one| one.misfit < best.misfit + MAX_MISFIT_GAP).map(|one| one.line.clone()).collect();
        let vegas = self.shown(at, "vegas", &open)?;
        let ends = |of: usize| {
            let all = vegas.iter().map(|shown| shown[of]);
            let [low, high] = all.fold([f64::INFINITY, 0.0], |[a, b], x| [x.min(a), x.max(b)]);
            format!("{} to {}", show::number(low), show::number(high))
        };
        let [rate, queue, loss] = self.published;
        let published = [line(rate * 1e6 * FRAMES, queue, loss)];
        let [cubic, also] =
            [self.shown(at, "cubic", &published)?.remove(0), self.shown(at, "vegas", &published)?.remove(0)];
        let off = |shown: f64, [mean, spread]: [f64; 2]| show::number((shown - mean).abs() / spread);
        let Row { throughput, delay } = &self.vegas;
        let cells = [
            format!("{}, {}, {}", plus(self.cubic.throughput), plus(self.cubic.delay), show::share(self.lost)),
            best.line.described(),
            format!("{}, {}, {}", show::number(best.shown[0]), show::number(best.shown[1]), show::share(best.shown[2])),
            format!("{:.2}", (best.misfit / FLOOR.len() as f64).sqrt()),
            format!("{}, {}", plus(*throughput), plus(*delay)),
            format!("{}, {}", show::number(vegas[0][0]), show::number(vegas[0][1])),
            format!("{}; {} of {}", ends(0), ends(1), open.len()),
            format!("{}, {}", off(vegas[0][0], *throughput), off(vegas[0][1], *delay)),
            format!(
                "{}, {}; {}, {}",
                show::number(cubic[0]),
                show::number(cubic[1]),
                show::number(also[0]),
                show::number(also[1])
            ),
        ];
        Ok(cells.join(" | "))
    }

    /// Fits links around the row's first estimate, then around the nearest of them.
    fn fitted(&self, at: usize) -> Result<Vec<Tried>, Failed> {
        const NEAREST: usize = 2;
        const FACTORS: [f64; 4] = [1.4, 1.2, 1.1, 1.05];
        let rate = self.cubic.throughput[0] * 1e6 * FRAME / PACKET;
        let waited = (self.cubic.delay[0] - self.one_way).max(1.0) / 1e3;
        let mut lines = vec![];
        for times in [1.0, 1.1, 2.0] {
            for part in [0.7, 1.0, 1.4] {
                let queue = part * waited * rate * times / (8.0 * FRAME);
                lines.extend([0.0, 0.2, 0.6].map(|part| line(rate * times, queue, part * self.lost)));
            }
        }
        let mut tried = self.tried(at, &[], lines)?;
        for factor in FACTORS {
            tried.sort_by(|a: &Tried, b| a.misfit.total_cmp(&b.misfit));
            let of = |from: &Tried| -> Vec<Candidate> {
                let count = from.line.quantities().len();
                let beside = |at: usize, by: f64| {
                    from.line.times(&(0..count).map(|other| if other == at { by } else { 1.0 }).collect::<Vec<_>>())
                };
                (0..count).flat_map(|at| [beside(at, factor), beside(at, 1.0 / factor)]).collect()
            };
            let beside: Vec<Candidate> = tried.iter().take(NEAREST).flat_map(of).collect();
            let more = self.tried(at, &tried, beside)?;
            tried.extend(more);
        }
        Ok(tried)
    }

    /// How near lines come that were not tried.
    fn tried(&self, at: usize, known: &[Tried], mut lines: Vec<Candidate>) -> Result<Vec<Tried>, Failed> {
        let told = |line: &Candidate| line.keys().iter().map(Key::to_string).collect::<Vec<_>>();
        let mut met: BTreeSet<Vec<String>> = known.iter().map(|one| told(&one.line)).collect();
        lines.retain(|line| met.insert(told(line)));
        let shown = self.shown(at, "cubic", &lines)?;
        let Row { throughput, delay } = &self.cubic;
        let misfit = |shown: &Shown| {
            let of =
                |shown: f64, [mean, spread]: [f64; 2], floor: f64| (shown / mean).ln() / floor.hypot(spread / mean);
            let lost = ((shown[2] + LEAST_LOST) / (self.lost + LEAST_LOST)).ln() / FLOOR[2];
            of(shown[0], *throughput, FLOOR[0]).powi(2) + of(shown[1], *delay, FLOOR[1]).powi(2) + lost.powi(2)
        };
        Ok(lines.into_iter().zip(shown).map(|(line, shown)| Tried { misfit: misfit(&shown), line, shown }).collect())
    }

    /// Results of a congestion control on links.
    fn shown(&self, at: usize, control: &str, lines: &[Candidate]) -> Result<Vec<Shown>, Failed> {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pantheon");
        fs::create_dir_all(&folder)?;
        let mut text = format!(
            "title = {:?}\n[path]\nrate = \"1 Mbit/s\"\nbuffer = \"10 packets\"\nrtt = \"{} ms\"\n[[flows]]\ncongestion = \
             {control:?}\nduration = \"30 s\"\n[repeat]\nseeds = {SEEDS}\n",
            self.name,
            2.0 * self.one_way
        );
        for (number, line) in lines.iter().enumerate() {
            let _ = writeln!(text, "[vary.line.c{number:03}]");
            line.keys().iter().for_each(|key| text += &format!("{key}\n"));
        }
        let [file, out] = ["toml", "run"].map(|end| folder.join(format!("{at}.{end}")));
        fs::write(&file, text)?;
        let _ = fs::remove_dir_all(&out);
        let mut command = Command::new(goodput());
        let done = command.arg("run").arg(&file).arg("--out").arg(&out).stdin(Stdio::null()).output()?;
        if !done.status.success() {
            return Err(String::from_utf8_lossy(&done.stderr).into_owned().into());
        }
        let measures: Value = serde_json::from_slice(&fs::read(out.join("measures.json"))?)?;
        let trials = measures["trials"].as_array().ok_or("measures.json has no trials")?;
        let of = |trial: &Value, name: &str| {
            let all = trial["values"].as_array().into_iter().flatten();
            all.filter(|one| one["measure"] == name).find_map(|one| one["value"].as_f64()).unwrap_or_default()
        };
        let mean_of =
            |of_case: &[Value], name: &str| mean(&of_case.iter().map(|one| of(one, name)).collect::<Vec<_>>());
        let case = |trials: &[Value]| {
            let delay = mean_of(trials, "rtt-p95") * 1e3 - self.one_way;
            [mean_of(trials, "goodput") * IP / 1e6, delay, mean_of(trials, "retransmitted")]
        };
        Ok(trials.chunks(SEEDS).map(case).collect())
    }
}

fn line(rate: f64, queue: f64, loss: f64) -> Candidate {
    let line = Candidate::line(rate, queue.max(1.0));
    if loss > 0.0 { line.with(Mechanism::Loss, &[loss]) } else { line }
}

fn plus([mean, spread]: [f64; 2]) -> String {
    format!("{mean} ± {spread}")
}
