//! Outcomes for CI servers: JUnit's XML, with the elements and attributes that GitLab and Jenkins read.

use crate::report::escape;
use std::fmt::Write;

/// One thing that was expected.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// What was expected; servers tell cases apart by it.
    pub name: String,
    /// How it came out.
    pub outcome: Outcome,
    /// Why: its first line is what servers show in a list; may be empty.
    pub text: String,
    /// How long its trials took, s.
    pub seconds: Option<f64>,
}

/// How a case came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It held.
    Passed,
    /// It did not hold.
    Failed,
    /// Neither was shown; servers have no word for it, and an error is what nobody overlooks.
    Inconclusive,
}

/// The document: one suite, which is named after the experiment.
pub fn xml(title: &str, cases: &[Case]) -> String {
    let count = |outcome| cases.iter().filter(|case| case.outcome == outcome).count();
    let seconds: Option<Vec<f64>> = cases.iter().map(|case| case.seconds).collect();
    let title = attribute(title);
    let totals = format!(
        "name=\"{title}\" tests=\"{}\" failures=\"{}\" errors=\"{}\"{}",
        cases.len(),
        count(Outcome::Failed),
        count(Outcome::Inconclusive),
        time(seconds.map(|all| all.into_iter().sum()))
    );
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {totals}>\n<testsuite {totals} skipped=\"0\">\n"
    );
    for Case { name, outcome, text, seconds } in cases {
        let (element, kind) = match outcome {
            Outcome::Passed => ("system-out", ""),
            Outcome::Failed => ("failure", "failed"),
            Outcome::Inconclusive => ("error", "inconclusive"),
        };
        let why = match outcome {
            Outcome::Passed => String::new(),
            _ => format!(" message=\"{}\" type=\"{kind}\"", attribute(text.lines().next().unwrap_or_default())),
        };
        writeln!(
            out,
            "<testcase classname=\"{title}\" name=\"{}\"{}><{element}{why}>{}</{element}></testcase>",
            attribute(name),
            time(*seconds),
            escape(&legal(text))
        )
        .unwrap();
    }
    out + "</testsuite>\n</testsuites>\n"
}

fn time(seconds: Option<f64>) -> String {
    seconds.map_or(String::new(), |seconds| format!(" time=\"{seconds:.3}\""))
}

/// On one line: parsers make spaces of line breaks in attributes.
fn attribute(text: &str) -> String {
    escape(&legal(text).replace(['\n', '\t'], " "))
}

/// With line feeds as ends of lines, as parsers read all of them (XML 1.0, 2.11), and without the characters that no
/// document may hold, escaped or not (production 2).
fn legal(text: &str) -> String {
    let allowed = |c: char| matches!(c, '\t' | '\n' | ' '..='\u{fffd}' | '\u{10000}'..);
    text.replace("\r\n", "\n")
        .replace('\r', "\n")
        .chars()
        .map(|c| if allowed(c) { c } else { char::REPLACEMENT_CHARACTER })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use roxmltree::{Document, Node};

    fn case(name: &str, outcome: Outcome, text: &str, seconds: Option<f64>) -> Case {
        Case { name: name.into(), outcome, text: text.into(), seconds }
    }

    fn attributes<'a>(node: Node<'a, '_>) -> Vec<(&'a str, &'a str)> {
        node.attributes().map(|attribute| (attribute.name(), attribute.value())).collect()
    }

    fn elements<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
        node.children().filter(Node::is_element)
    }

    #[test]
    fn cases_are_counted_timed_and_told_apart() {
        let text = xml(
            "Line \"A\" & B",
            &[
                case("goodput of bbr", Outcome::Passed, "held (817 to 828 Mbit/s)", Some(1.25)),
                case("goodput of cubic", Outcome::Failed, "139 Mbit/s < 300 Mbit/s\nin 5 of 5 seeds", Some(2.0)),
                case("rtt-p95", Outcome::Inconclusive, "in 2 of 5 seeds", Some(0.0004)),
            ],
        );
        let document = Document::parse(&text).unwrap();
        let suites = document.root_element();
        let totals =
            [("name", "Line \"A\" & B"), ("tests", "3"), ("failures", "1"), ("errors", "1"), ("time", "3.250")];
        assert_eq!((suites.tag_name().name(), attributes(suites)), ("testsuites", totals.to_vec()));
        let suite = elements(suites).next().unwrap();
        assert_eq!(suite.tag_name().name(), "testsuite");
        assert_eq!(attributes(suite), [&totals[..], &[("skipped", "0")]].concat());
        let cases: Vec<Node> = elements(suite).collect();
        let names: Vec<_> = cases.iter().map(|case| (case.tag_name().name(), attributes(*case))).collect();
        let expected = |name, time| ("testcase", vec![("classname", "Line \"A\" & B"), ("name", name), ("time", time)]);
        assert_eq!(
            names,
            [expected("goodput of bbr", "1.250"), expected("goodput of cubic", "2.000"), expected("rtt-p95", "0.000")]
        );
        let results: Vec<_> = cases
            .iter()
            .map(|case| elements(*case).next().unwrap())
            .map(|result| (result.tag_name().name(), attributes(result), result.text().unwrap()))
            .collect();
        let why = |message, kind| vec![("message", message), ("type", kind)];
        assert_eq!(
            results,
            [
                ("system-out", vec![], "held (817 to 828 Mbit/s)"),
                ("failure", why("139 Mbit/s < 300 Mbit/s", "failed"), "139 Mbit/s < 300 Mbit/s\nin 5 of 5 seeds"),
                ("error", why("in 2 of 5 seeds", "inconclusive"), "in 2 of 5 seeds"),
            ]
        );
    }

    #[test]
    fn an_unknown_time_is_not_told() {
        let text = xml("x", &[case("a", Outcome::Passed, "", None), case("b", Outcome::Passed, "", Some(1.0))]);
        assert_eq!(text.matches("time=").count(), 1);
        assert!(Document::parse(&xml("", &[])).unwrap().root_element().has_attribute("tests"));
    }

    proptest! {
        #[test]
        fn any_text_comes_through(title in "(?s).{0,20}", name in "(?s).{0,20}", text in "(?s).{0,60}", passed: bool) {
            let outcome = if passed { Outcome::Passed } else { Outcome::Failed };
            let written = xml(&title, &[case(&name, outcome, &text, None)]);
            let document = Document::parse(&written).unwrap();
            let found = document.descendants().find(|node| node.has_tag_name("testcase")).unwrap();
            let on_one_line = |text: &str| legal(text).replace(['\n', '\t'], " ");
            let read = |attribute: &str| found.attribute(attribute).map(str::to_owned);
            prop_assert_eq!(read("name"), Some(on_one_line(&name)));
            prop_assert_eq!(read("classname"), Some(on_one_line(&title)));
            prop_assert_eq!(found.first_element_child().unwrap().text().unwrap_or_default(), legal(&text));
        }
    }
}
