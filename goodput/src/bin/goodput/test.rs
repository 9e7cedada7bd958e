//! `test` and `calculate`: a suspicion against a few numbers.

use crate::{Failure, Jobs, note_width, values, width};
use base::access::AccessError;
use base::show;
use base::suggest::suggest;
use clap::Args;
use evidence::unit::Wrong;
use goodput::schema;
use lab::kernel;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use suspicion::facts::{self, KEYS, Key, Role};
use suspicion::formula::{FORMULAS, Formula, Interval};
use suspicion::trials::{Lab, LabError};
use suspicion::{self, Question, Template};

/// Test a suspicion against a few numbers: which causes they allow, and what to measure next
///
/// Write down what you know with `goodput facts new`: the path, two runs that differ in one thing, the numbers. First
/// come the runs that differ in least, then arithmetic over all numbers, which alone excludes a cause, then the lab, for
/// what is left.
#[derive(Args)]
pub struct TestArguments {
    /// Files of facts, or saved output of iperf3, ping, ss, …
    #[arg(required = true, value_name = "CASE")]
    case: Vec<PathBuf>,
    /// The suspected cause: the name or file of a template, and narrower parameters, e.g.
    /// "random-loss,p=0.001 to 0.01 %" [default: every cause].
    #[arg(long, value_name = "TEMPLATE[,NAME=INTERVAL]")]
    that: Vec<String>,
    /// A rival to test as well, in the same form.
    #[arg(long, value_name = "TEMPLATE[,NAME=INTERVAL]")]
    against: Vec<String>,
    /// Predict a change of the slowest run under every cause that is left, e.g. congestion=bbr, "window=4 MB".
    #[arg(long, value_name = "FACT=VALUE")]
    fix: Vec<String>,
    /// Core time for the lab, about.
    ///
    /// The budget counts the computed cost of trials, so the answer is the same on every machine.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = values::budget, allow_hyphen_values = true)]
    budget: f64,
    /// Stop after the arithmetic; needs no kernel.
    #[arg(long)]
    arithmetic: bool,
    /// Guest kernel [default: the newest].
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    #[command(flatten)]
    jobs: Jobs,
    /// Print the answer as JSON.
    #[arg(long)]
    json: bool,
}

/// Calculate a formula over values or intervals, or list them all
#[derive(Args)]
pub struct CalculateArguments {
    /// Name of the formula; omit it to list all of them.
    formula: Option<String>,
    /// Its parameters, e.g. mss=1448B "rtt=200 to 220 ms" "p=at most 0.01 %".
    #[arg(value_name = "NAME=INTERVAL")]
    parameters: Vec<String>,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

pub fn test(arguments: TestArguments) -> Result<u8, Failure> {
    let case = crate::facts::load(&arguments.case)?;
    let mut templates = vec![];
    for asked in arguments.that.iter().chain(&arguments.against) {
        templates.push(template(asked)?);
    }
    if templates.is_empty() {
        templates = suspicion::built_in();
    }
    let fixes = arguments.fix.iter().map(|fix| change(fix)).collect::<Result<_, _>>()?;
    let mut lab = open(&arguments)?;
    let question = Question { templates, fixes, budget: if lab.is_none() { 0.0 } else { arguments.budget } };
    let answer = suspicion::test(&case, &question, lab.as_mut())?;
    if arguments.json {
        out!("{}", crate::as_json(&schema::TEST, &answer)?);
    } else {
        out!("{}", suspicion::page(&answer, width()).trim_end());
    }
    Ok(if answer.names_one() || answer.is_line_enough() { 0 } else { INCONCLUSIVE })
}

/// Exit code for no cause or several.
const INCONCLUSIVE: u8 = 3;

/// Opens the lab, unless arithmetic alone is asked for or no kernel can run a trial.
fn open(arguments: &TestArguments) -> Result<Option<Lab>, LabError> {
    if arguments.arithmetic {
        return Ok(None);
    }
    if arguments.kernel.is_none() && kernel::find_current(None).is_none() {
        note!("Arithmetic alone: no guest kernel can run trials here. `goodput kernel add` builds one.");
        return Ok(None);
    }
    Lab::open(arguments.jobs.number(), arguments.kernel.clone(), note_width()).map(Some)
}

/// Returns a template with narrower parameters: NAME[,PARAMETER=INTERVAL]….
fn template(asked: &str) -> Result<Template, Failure> {
    let mut parts = asked.split(',');
    let name = parts.next().unwrap_or_default();
    let mut found = if name.ends_with(".toml") {
        let path = Path::new(name);
        let text = fs::read_to_string(path).map_err(AccessError::reading(path))?;
        suspicion::read(name, &text)?
    } else {
        let all = suspicion::built_in();
        let names: Vec<String> = all.iter().map(|one| one.name.clone()).collect();
        let wrong = || suggest(Wrong::new(format!("no template {name}")), name, names.iter().map(String::as_str));
        all.into_iter().find(|one| one.name == name).ok_or_else(|| Failure(values::words(wrong())))?
    };
    for part in parts {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let names: Vec<String> = found.parameters.iter().map(|one| one.name.clone()).collect();
        let Some(parameter) = found.parameters.iter_mut().find(|one| one.name == key.trim()) else {
            let wrong = Wrong::new(format!("{name} has no parameter {}", key.trim()));
            return Err(Failure(values::words(suggest(wrong, key.trim(), names.iter().map(String::as_str)))));
        };
        let read = parameter
            .kind
            .parse(value)
            .map_err(|wrong| Failure(format!("{key}=\"{value}\" {}", values::words(wrong))))?;
        let Some(range) = parameter.range.within(read) else {
            let range = parameter.kind.show(parameter.range);
            return Err(Failure(format!(
                "{key}=\"{value}\" is outside of the template's range\n  accepted: within {range}"
            )));
        };
        parameter.range = range;
    }
    Ok(found)
}

/// Congestion controls that --fix takes without the name of their fact.
const CONTROLS: [&str; 12] =
    ["bbr", "bbr2", "bbr3", "cubic", "reno", "newreno", "dctcp", "vegas", "htcp", "westwood", "illinois", "prague"];

/// Returns a change of a run: a fact that can be set, or the name of a congestion control alone.
fn change(fix: &str) -> Result<(String, facts::Facts), Failure> {
    let (name, value) = fix.split_once('=').unwrap_or(("congestion", fix));
    if fix == value && !CONTROLS.contains(&fix) {
        let facts = KEYS.iter().map(|key| key.name).chain(CONTROLS.iter().copied());
        let wrong =
            Wrong::new(format!("{fix} is no congestion control")).accepted("FACT=VALUE, or a congestion control");
        return Err(Failure(values::words(suggest(wrong, fix, facts))));
    }
    let settable = || KEYS.iter().filter(|key| matches!(key.role, Role::Setting | Role::Path)).map(|key| key.name);
    let Some(key) = Key::find(name.trim()).filter(|key| settable().any(|known| known == key.name)) else {
        let wrong = Wrong::new(format!("{} cannot be set", name.trim()));
        return Err(Failure(values::words(suggest(wrong, name.trim(), settable()))));
    };
    let facts =
        facts::setting(key, value).map_err(|wrong| Failure(format!("{name}=\"{value}\" {}", values::words(wrong))))?;
    Ok((fix.to_owned(), facts))
}

pub fn calculate(arguments: &CalculateArguments) -> Result<u8, Failure> {
    let Some(name) = &arguments.formula else {
        for formula in FORMULAS {
            let names: Vec<&str> = formula.parameters.iter().map(|one| one.name).collect();
            let head = format!("{:14} ", formula.name);
            out!(
                "{}",
                show::hanging(&head, &format!("{} ({})", formula.meaning, names.join(", ")), width()).trim_end()
            );
        }
        return Ok(0);
    };
    let Some(formula) = Formula::find(name) else {
        let wrong = Wrong::new(format!("no formula {name}"));
        return Err(Failure(values::words(suggest(wrong, name, FORMULAS.iter().map(|one| one.name)))));
    };
    let given = arguments.parameters.iter().map(|text| text.split_once('=').unwrap_or((text, "")));
    for (key, _) in given.clone() {
        if !formula.parameters.iter().any(|one| one.name == key.trim()) {
            let wrong = Wrong::new(format!("{name} takes no {key}"));
            let names = formula.parameters.iter().map(|one| one.name);
            return Err(Failure(values::words(suggest(wrong, key, names))));
        }
    }
    let mut intervals: Vec<Interval> = vec![];
    for one in formula.parameters {
        let Some((_, value)) = given.clone().find(|(key, _)| key.trim() == one.name) else {
            let what = format!("{name} needs {}", one.name);
            return Err(Failure(format!("{what}\n\nhint: add {}=…: {}", one.name, one.kind.accepted())));
        };
        let read = one.kind.parse(value);
        intervals.push(read.map_err(|wrong| Failure(format!("{}=\"{value}\" {}", one.name, values::words(wrong))))?);
    }
    let result = formula.over(&intervals);
    if arguments.json {
        let end = |value: f64| value.is_finite().then_some(value);
        let output = json!({
            "formula": formula.name, "low": end(result.low), "high": end(result.high), "unit": formula.kind.unit(),
            "text": formula.text, "source": formula.source,
        });
        out!("{}", crate::as_json(&schema::CALCULATE, &output)?);
    } else {
        out!("{}", formula.kind.show(result));
        out!("{}", show::paragraph("", &format!("{} = {}", formula.name, formula.text), width()).trim_end());
        out!("{}", show::paragraph("Source: ", formula.source, width()).trim_end());
    }
    Ok(0)
}
