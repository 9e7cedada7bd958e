//! Axes that the command line gives, `--vary KEY=VALUE,VALUE`, written into the experiment's text: the plan, its hash and what is
//! run again later follow from the text alone.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use toml::Value;
use toml::de::{DeTable, DeValue};

/// A key of `[vary]` with its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    key: String,
    /// A list or a range, in TOML.
    values: String,
}

impl FromStr for Given {
    type Err = String;

    /// Reads `KEY=VALUE,VALUE`. Values that begin with `[` or `"` are TOML as they are: a list, or a range.
    fn from_str(text: &str) -> Result<Given, String> {
        let accepted = "KEY=VALUE, or KEY=VALUE,VALUE; such as flows.0.congestion=cubic,bbr";
        let (key, values) = text.split_once('=').ok_or(format!("there is no \"=\"; accepted: {accepted}"))?;
        let (key, values) = (key.trim(), values.trim());
        if key.is_empty() || values.split(',').any(|value| value.trim().is_empty()) {
            return Err(format!("a key or a value is missing; accepted: {accepted}"));
        }
        let values = match values.starts_with(['[', '"']) {
            true => values.to_owned(),
            false => {
                format!("[{}]", values.split(',').map(|value| in_toml(value.trim())).collect::<Vec<_>>().join(", "))
            }
        };
        let document = format!("values = {values}");
        match DeTable::parse(&document) {
            Ok(table) if table.get_ref().len() == 1 && !document.contains(['\n', '\r']) => {
                Ok(Given { key: key.to_owned(), values })
            }
            Ok(_) => Err("more than one line".into()),
            Err(error) => Err(format!("not TOML: {}", error.message().replace('\n', ", "))),
        }
    }
}

/// As an argument that reads back the same.
impl Display for Given {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{}={}", self.key, self.values)
    }
}

/// Returns a number or a truth value as it is, anything else as a text.
fn in_toml(value: &str) -> String {
    let is_number = value.parse::<i64>().is_ok()
        || value.parse::<f64>().is_ok_and(f64::is_finite) && value.starts_with(|sign: char| sign.is_ascii_digit());
    match is_number || ["true", "false"].contains(&value) {
        true => value.to_owned(),
        false => Value::String(value.to_owned()).to_string(),
    }
}

/// Returns an experiment's text with these axes in place of its own for the same keys. Text that is not TOML stays as it is: whoever
/// reads it says so.
pub fn varied(text: &str, given: &[Given]) -> String {
    given.iter().fold(text.to_owned(), |text, given| with(&text, given))
}

const HEADER: &str = "[vary]";

fn with(text: &str, Given { key, values }: &Given) -> String {
    let Ok(document) = DeTable::parse(text) else { return text.to_owned() };
    let vary = document.get_ref().get("vary");
    if let Some(DeValue::Table(axes)) = vary.map(|vary| vary.get_ref())
        && let Some(own) = axes.get(key.as_str())
    {
        let mut text = text.to_owned();
        text.replace_range(own.span(), values);
        return text;
    }
    let line = format!("{} = {values}\n", Value::String(key.clone()));
    let header = vary.and_then(|vary| header_end(text, vary.span().start));
    match header {
        Some(end) => [&text[..end], &line, &text[end..]].concat(),
        None => format!("{}\n\n{HEADER}\n{line}", text.trim_end()),
    }
}

/// Returns where the line after a `[vary]` at this place begins.
fn header_end(text: &str, start: usize) -> Option<usize> {
    let rest = text.get(start..)?;
    rest.starts_with(HEADER).then(|| rest.find('\n').map(|end| start + end + 1)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(text: &str) -> Given {
        text.parse().unwrap()
    }

    #[test]
    fn values_are_toml() {
        let values = |text: &str| given(text).values;
        assert_eq!(values("flows.0.congestion=cubic,bbr"), r#"["cubic", "bbr"]"#);
        assert_eq!(values("flows.0.count = 1, 2"), "[1, 2]");
        assert_eq!(values("hosts.ecn=true"), "[true]");
        assert_eq!(values("path.loss=0.1 %"), r#"["0.1 %"]"#);
        assert_eq!(values(r#"path.rtt="1 ms to 9 ms step 1 ms""#), r#""1 ms to 9 ms step 1 ms""#);
        let list = r#"["none", { share = "1 %", by = "3 packets" }]"#;
        assert_eq!(values(&format!("path.reorder={list}")), list);
        let range = given(r#"path.rtt="1 ms to 9 ms step 1 ms""#);
        assert_eq!(given(&range.to_string()), range);
        for wrong in ["flows.0.congestion", "=cubic", "path.loss=", "path.loss=1 %,", "path.rtt=[1", "a=[1]\nb=[2]"] {
            assert!(wrong.parse::<Given>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_axis_is_replaced_or_added() {
        let bbr = [given("flows.0.congestion=bbr")];
        let replaced = varied("[vary]\n\"flows.0.congestion\" = [\"cubic\",\n \"reno\"] # two\n", &bbr);
        assert_eq!(replaced, "[vary]\n\"flows.0.congestion\" = [\"bbr\"] # two\n");
        let added = varied("title = \"t\"\n[vary] # axes\n\"path.rtt\" = [\"1 ms\"]\n", &bbr);
        assert_eq!(
            added,
            "title = \"t\"\n[vary] # axes\n\"flows.0.congestion\" = [\"bbr\"]\n\"path.rtt\" = [\"1 ms\"]\n"
        );
        let appended = varied("[vary.case.a]\n\"path.rtt\" = \"1 ms\"\n", &bbr);
        assert_eq!(appended, "[vary.case.a]\n\"path.rtt\" = \"1 ms\"\n\n[vary]\n\"flows.0.congestion\" = [\"bbr\"]\n");
        assert!(DeTable::parse(&appended).is_ok());
        assert_eq!(varied("title =", &bbr), "title =");
        assert_eq!(varied("title = \"t\"", &[]), "title = \"t\"");
    }

    #[test]
    fn the_header_may_come_after_cases_and_in_a_text() {
        let bbr = [given("flows.0.congestion=bbr")];
        let text = "title = \"\"\"\n[vary]\n\"\"\"\n[vary.case.a]\n\"path.rtt\" = \"1 ms\"\n[vary]\n\"path.mtu\" = [\"1 kB\"]\n";
        let document = varied(text, &bbr);
        let table = DeTable::parse(&document).unwrap();
        let DeValue::Table(vary) = table.get_ref()["vary"].get_ref() else { panic!("{document}") };
        assert_eq!(vary.len(), 3, "{document}");
    }
}
