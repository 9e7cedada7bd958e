//! Exports the measures of a run for other programs: `measures.json`, and one tidy table as CSV.

use analysis::{Caveat, Measure, Measures, TrialMeasures, Value, Values};
use base::units::Subject;
use base16ct::lower::encode_string as hex;
use evidence::plain;
use evidence::unit::{BDP, Kind, MICRO, ONE, PACKETS, RATE, RATIO, SIZE, TIME};
use plan::network::topology::Step;
use plan::{KERNEL, Plan, Scene, Setting, Trial};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// Kinds of quantities, each with the number of its grains in the unit of measures: bit/s, s, bytes, shares of 1,
/// packets and multiples of the BDP.
const KINDS: [(&Kind, u64); 6] =
    [(&RATE, 1), (&TIME, 1_000_000_000), (&SIZE, 1), (&RATIO, ONE), (&PACKETS, 1), (&BDP, MICRO)];

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
enum Cell {
    Number(f64),
    Text(String),
}

/// Returns the values of an axis by their texts: numbers if all are plain numbers or quantities of one kind, else
/// texts.
fn cells<'p>(key: &str, texts: &'p [String]) -> BTreeMap<&'p str, Cell> {
    let all =
        |number: &dyn Fn(&str) -> Option<f64>| texts.iter().map(|text| number(text)).collect::<Option<Vec<f64>>>();
    let plain = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
    let quantity = |(kind, unit): (&Kind, u64)| all(&|text| Some(kind.parse(text).ok()? as f64 / unit as f64));
    let numbers = all(&plain).or_else(|| KINDS.into_iter().find_map(quantity)).filter(|_| key != KERNEL);
    let texts = texts.iter().map(String::as_str);
    match numbers {
        Some(numbers) => texts.zip(numbers.into_iter().map(Cell::Number)).collect(),
        None => texts.map(|text| (text, Cell::Text(text.to_owned()))).collect(),
    }
}

/// Cells of all axes of a plan, by key.
struct Axes<'p>(BTreeMap<&'p str, BTreeMap<&'p str, Cell>>);

impl<'p> Axes<'p> {
    fn from_plan(plan: &'p Plan) -> Axes<'p> {
        Axes(plan.vary.iter().map(|axis| (axis.key.as_str(), cells(&axis.key, &axis.values))).collect())
    }

    fn cell(&self, Setting { key, value }: &Setting) -> Cell {
        let known = self.0.get(key.as_str()).and_then(|cells| cells.get(value.as_str()));
        known.cloned().unwrap_or_else(|| Cell::Text(value.clone()))
    }
}

/// Returns the measured trials of a plan, in its order.
fn rows<'m>(plan: &'m Plan, measures: &'m Measures) -> impl Iterator<Item = (&'m Trial, &'m TrialMeasures)> {
    plan.trials.iter().filter_map(|trial| Some((trial, measures.get(trial.index)?)))
}

/// Content of `measures.json`.
#[derive(Debug, Serialize)]
pub struct Document<'m> {
    #[serde(rename = "trials", serialize_with = "row_by_row")]
    run: (&'m Plan, &'m Measures),
}

#[derive(Debug, Serialize)]
struct TrialRow<'m> {
    index: usize,
    point: BTreeMap<&'m str, Cell>,
    seed: u64,
    /// Names of the flows, in the order of their numbers.
    flows: Vec<String>,
    recording: Option<String>,
    values: &'m Values,
    caveats: &'m [Caveat],
}

/// Returns all measures of a run, each trial with its point and seed.
pub fn json<'m>(plan: &'m Plan, measures: &'m Measures) -> Document<'m> {
    Document { run: (plan, measures) }
}

/// Serializes trials one at a time, so that the rows of a large run are never in memory together.
fn row_by_row<'m, S: Serializer>((plan, measures): &(&'m Plan, &'m Measures), to: S) -> Result<S::Ok, S::Error> {
    let axes = Axes::from_plan(plan);
    let row = |(trial, own): (&'m Trial, &'m TrialMeasures)| TrialRow {
        index: trial.index,
        point: trial.point.iter().map(|setting| (setting.key.as_str(), axes.cell(setting))).collect(),
        seed: trial.seed,
        flows: (0..trial.scene.flows.len()).map(|flow| trial.scene.called(flow)).collect(),
        recording: own.recording.map(|sum| hex(&sum)),
        values: &own.values,
        caveats: &own.caveats,
    };
    to.collect_seq(rows(plan, measures).map(row))
}

/// Returns one tidy table: a row for each value, a column for each axis. Flow number, name and direction are empty for
/// measures of all flows of the load.
pub fn csv(plan: &Plan, measures: &Measures) -> String {
    let axes = Axes::from_plan(plan);
    let mut table = csv::Writer::from_writer(vec![]);
    let keys = plan.vary.iter().map(|axis| axis.key.as_str());
    let head = keys.chain(["seed", "flow", "name", "direction", "measure", "value", "unit"]);
    let mut write = |row: Vec<String>| {
        let cells = row.iter().map(|cell| plain::line(cell).into_owned());
        table.write_record(cells).expect("every row has the same columns");
    };
    write(head.map(str::to_owned).collect());
    for (trial, own) in rows(plan, measures) {
        let point: Vec<String> = trial.point.iter().map(|setting| text(axes.cell(setting))).collect();
        for Value { measure, subject, number, value } in own.values.iter() {
            let none = String::new;
            let [flow, name, direction] = match subject {
                Subject::Flow => [number.to_string(), trial.scene.called(number), none()],
                Subject::Lane => [none(), none(), direction(number, &trial.scene)],
                Subject::Trial => [none(), none(), none()],
            };
            let unit = Measure::unit_of(measure).name().to_owned();
            let own = [trial.seed.to_string(), flow, name, direction, measure.to_owned(), value.to_string(), unit];
            write(point.iter().cloned().chain(own).collect());
        }
    }
    String::from_utf8(table.into_inner().expect("memory takes all")).expect("cells are text")
}

fn text(cell: Cell) -> String {
    match cell {
        Cell::Number(number) => number.to_string(),
        Cell::Text(text) => text,
    }
}

/// Names the direction of a lane, for example "s to c".
fn direction(number: usize, scene: &Scene) -> String {
    let Step { link, lane } = Step { link: number / 2, lane: number % 2 };
    let ends = &scene.links[link].ends;
    format!("{} to {}", ends[lane].node, ends[1 - lane].node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::{TrialMeasures, fixture};

    fn run() -> (Plan, Measures) {
        let scene = fixture::four_kinds();
        let plan = fixture::varied("path.loss", vec![("0 %", vec![scene.clone()]), ("0.25 %", vec![scene])]);
        let value = |measure, subject, number, value| Value { measure, subject, number, value };
        let values = [
            value("goodput", Subject::Flow, 0, 9.5e6),
            value("goodput", Subject::Trial, 0, 1e7),
            value("queue-delay-mean", Subject::Lane, 4, 0.0012),
        ];
        let values: Values = values.into_iter().collect();
        let trial = |index| TrialMeasures { index, recording: None, values: values.clone(), caveats: vec![].into() };
        (plan, [trial(1), trial(0)].into_iter().collect())
    }

    #[test]
    fn axis_values_are_numbers_if_all_are_of_one_kind() {
        let of = |key: &str, texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
            let cells = cells(key, &texts);
            texts.iter().map(|value| text(cells[value.as_str()].clone())).collect::<Vec<String>>()
        };
        assert_eq!(of("path.rtt", &["10 ms", "2 s"]), ["0.01", "2"]);
        assert_eq!(of("path.rate", &["1 Gbit/s"]), ["1000000000"]);
        assert_eq!(of("flows.count", &["4", "10"]), ["4", "10"]);
        assert_eq!(of("path.buffer", &["0.5 BDP", "2 BDP"]), ["0.5", "2"]);
        assert_eq!(of("path.buffer", &["0.5 BDP", "100 packets"]), ["0.5 BDP", "100 packets"]);
        assert_eq!(of("flows.congestion", &["cubic", "bbr"]), ["cubic", "bbr"]);
        assert_eq!(of("kernel", &["6.12", "7.3"]), ["6.12", "7.3"]);
        assert_eq!(cells("kernel", &["6.12".into()])["6.12"], Cell::Text("6.12".into()), "a name");
    }

    #[test]
    fn every_trial_has_its_point_and_seed() {
        let (plan, measures) = run();
        let document = serde_json::to_value(json(&plan, &measures)).unwrap();
        let second = &document["trials"][1];
        assert_eq!((&second["index"], &second["seed"]), (&1.into(), &1.into()));
        assert_eq!(second["point"], serde_json::json!({ "path.loss": 0.0025 }));
        let of_lane =
            serde_json::json!({ "measure": "queue-delay-mean", "subject": "direction", "number": 4, "value": 0.0012 });
        assert_eq!(second["values"][2], of_lane);
        assert_eq!(second["values"].as_array().unwrap().len(), 3);
    }

    #[test]
    fn a_table_has_a_row_for_each_value() {
        let (mut plan, measures) = run();
        let table = csv(&plan, &measures);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(
            lines[..4],
            [
                "path.loss,seed,flow,name,direction,measure,value,unit",
                "0,1,0,flow 0,,goodput,9500000,bit/s",
                "0,1,,,,goodput,10000000,bit/s",
                "0,1,,,s to c,queue-delay-mean,0.0012,s",
            ]
        );
        assert_eq!((lines.len(), lines[4]), (7, "0.0025,1,0,flow 0,,goodput,9500000,bit/s"));
        plan.vary[0].values[0] = "run ip, at 1 s".into();
        plan.trials[0].point[0].value = "run ip, at 1 s".into();
        assert!(csv(&plan, &measures).lines().nth(1).unwrap().starts_with("\"run ip, at 1 s\",1,"));
    }
}
