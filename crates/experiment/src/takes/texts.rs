//! Types of values: texts and names.

use crate::key::{Leaf, Trial};
use crate::ladder;
use crate::leaf;
use crate::value::Value;
use analysis::{MEASURES, Measure};
use base::suggest::suggest;
use evidence::unit::Wrong;
use plan::{is_congestion, is_fetchable, is_flow_name};
use toml::de::DeValue;

/// Non-empty text; the field describes it.
#[derive(Debug, Clone, Copy)]
pub struct Text(pub &'static str);

impl Leaf for Text {
    type Value = String;

    fn parse(&self, value: &Value) -> Result<String, Wrong> {
        leaf::text(value)
    }

    fn words(&self) -> String {
        self.0.to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        vec![Trial::good("\"x\""), Trial::bad("\" \"", "is empty"), Trial::bad("1", "is a number")]
    }
}

/// Any text, including the empty one.
#[derive(Debug, Clone, Copy)]
pub struct Prose;

impl Leaf for Prose {
    type Value = String;

    fn parse(&self, value: &Value) -> Result<String, Wrong> {
        value.toml.as_str().map(str::to_owned).ok_or_else(|| value.is_not("text in quotes"))
    }

    fn words(&self) -> String {
        "text".to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        vec![Trial::good("\"x\""), Trial::good("\"\""), Trial::bad("1", "is a number")]
    }
}

/// Name of a kernel, which may look like a number.
#[derive(Debug, Clone, Copy)]
pub struct KernelName;

impl Leaf for KernelName {
    type Value = String;

    fn parse(&self, value: &Value) -> Result<String, Wrong> {
        let is_number = matches!(value.toml, DeValue::Integer(_) | DeValue::Float(_));
        let written = || format!("write \"{}\"", value.plain());
        leaf::text(value).map_err(|wrong| if is_number { wrong.hint(written()) } else { wrong })
    }

    fn words(&self) -> String {
        "a name that `goodput kernel list` shows".to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        vec![Trial::good("\"6.12\""), Trial::bad("6.12", "is a number"), Trial::bad("\" \"", "is empty")]
    }
}

/// Name of a flow.
#[derive(Debug, Clone, Copy)]
pub struct FlowName;

impl Leaf for FlowName {
    type Value = String;

    fn parse(&self, value: &Value) -> Result<String, Wrong> {
        let name = leaf::text(value)?;
        if is_flow_name(&name) {
            return Ok(name);
        }
        let wrong = Wrong::new("is not the name of a flow");
        Err(wrong.accepted(
            "1 to 40 letters, digits, blanks, _, -, . and /; not \"flow \" and a number, which flows without a name \
             have",
        ))
    }

    fn words(&self) -> String {
        "1 to 40 letters, digits, blanks, `_`, `-`, `.` and `/`; not \"flow \" and a number".to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        let long = |length: usize| format!("\"{}\"", "x".repeat(length));
        let wrong = "is not the name of a flow";
        vec![
            Trial::good("\"x\""),
            Trial::good(long(40)),
            Trial::bad(long(41), wrong),
            Trial::bad("\"flow 1\"", wrong),
            Trial::bad("1", "is a number"),
        ]
    }
}

/// Name of a congestion control; only its form is checked.
#[derive(Debug, Clone, Copy)]
pub struct Congestion;

impl Leaf for Congestion {
    type Value = String;

    fn parse(&self, value: &Value) -> Result<String, Wrong> {
        let name = leaf::text(value)?;
        if is_congestion(&name) {
            return Ok(name);
        }
        let wrong = Wrong::new("is not the name of a congestion control").accepted("1 to 15 of a-z, 0-9, _ and -");
        let lower = name.trim().to_lowercase();
        Err(if is_congestion(&lower) { wrong.hint(format!("write \"{lower}\"")) } else { wrong })
    }

    fn words(&self) -> String {
        "1 to 15 of a-z, 0-9, _ and -".to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        let wrong = "is not the name of a congestion control";
        vec![
            Trial::good("\"cubic\""),
            Trial::good("\"a23456789-12_45\""),
            Trial::bad("\"a23456789-12_456\"", wrong),
            Trial::bad("\"CUBIC\"", wrong),
            Trial::bad("1", "is a number"),
        ]
    }
}

/// Name of a measure.
#[derive(Debug, Clone, Copy)]
pub struct MeasureName;

impl Leaf for MeasureName {
    type Value = &'static Measure;

    fn parse(&self, value: &Value) -> Result<&'static Measure, Wrong> {
        let name = leaf::text(value)?;
        let names = || MEASURES.iter().map(|measure| measure.name);
        Measure::find(&name).ok_or_else(|| suggest(Wrong::new("is unknown"), &name, names()))
    }

    fn words(&self) -> String {
        "the name of a [measure](measures.md)".to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        let names = MEASURES.iter().map(|measure| Trial::good(format!("\"{}\"", measure.name)));
        names.chain([Trial::bad("\"zzzzzzzz\"", "is unknown"), Trial::bad("1", "is a number")]).collect()
    }
}

/// A quantity of any unit, or a number.
#[derive(Debug, Clone, Copy)]
pub struct AnyQuantity(pub &'static str);

impl Leaf for AnyQuantity {
    type Value = ladder::Quantity;

    fn parse(&self, value: &Value) -> Result<ladder::Quantity, Wrong> {
        ladder::Quantity::read(value)
    }

    fn words(&self) -> String {
        self.0.to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        vec![
            Trial::good("\"1.5 ms\""),
            Trial::good("1"),
            Trial::bad("true", "is a boolean"),
            Trial::bad("\"x\"", "is not a number with a unit"),
        ]
    }
}

/// Text, or any other value as it is written.
#[derive(Debug, Clone, Copy)]
pub struct Plain(pub &'static str);

impl Leaf for Plain {
    type Value = String;

    fn parse(&self, value: &Value) -> Result<String, Wrong> {
        if value.toml.is_str() { leaf::text(value) } else { Ok(value.plain()) }
    }

    fn words(&self) -> String {
        self.0.to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        vec![Trial::good("\"x\""), Trial::good("1"), Trial::good("true"), Trial::bad("\" \"", "is empty")]
    }
}

/// Path of a file in the guest to copy into the recording.
#[derive(Debug, Clone, Copy)]
pub struct Fetchable;

impl Leaf for Fetchable {
    type Value = String;

    fn parse(&self, value: &Value) -> Result<String, Wrong> {
        let path = leaf::text(value)?;
        match is_fetchable(&path) {
            true => Ok(path),
            false => Err(Wrong::new("is not a file that can be fetched")
                .accepted("/tmp/ and a name of letters, digits, _, - and ., which does not begin with a dot")),
        }
    }

    fn words(&self) -> String {
        "`/tmp/` and a name".to_owned()
    }

    fn trials(&self) -> Vec<Trial> {
        let wrong = "is not a file that can be fetched";
        vec![Trial::good("\"/tmp/x.pcap\""), Trial::bad("\"/tmp/.x\"", wrong), Trial::bad("\"/etc/x\"", wrong)]
    }
}
