//! Writes outcomes as JUnit XML for CI servers.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Text of the expectation; servers use it to identify the case.
    pub name: String,
    pub outcome: Outcome,
    /// Explanation; servers list its first line.
    pub text: String,
}

/// The outcome of an expectation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    /// The expectation does not hold.
    Failed,
    /// The data show neither. Servers have no word for this, so it is reported as an error, which nobody overlooks.
    Inconclusive,
}

/// Returns the XML document: one suite, named after the experiment.
pub fn xml(title: &str, cases: &[Case]) -> String {
    let mut suite = TestSuite::new(title);
    suite.add_test_cases(cases.iter().map(|case| {
        let mut test = TestCase::new(case.name.as_str(), status(case));
        test.set_classname(title);
        if case.outcome == Outcome::Passed {
            test.set_system_out(case.text.as_str());
        }
        test
    }));
    let mut report = Report::new(title);
    report.add_test_suite(suite);
    // XML excludes these two characters (XML 1.0, section 2.2); the library lets them through.
    report.to_string().expect("a String takes any text").replace(['\u{fffe}', '\u{ffff}'], "")
}

fn status(case: &Case) -> TestCaseStatus {
    let (kind, word) = match case.outcome {
        Outcome::Passed => return TestCaseStatus::success(),
        Outcome::Failed => (NonSuccessKind::Failure, "failed"),
        Outcome::Inconclusive => (NonSuccessKind::Error, "inconclusive"),
    };
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(word).set_message(case.text.lines().next().unwrap_or_default()).set_description(case.text.as_str());
    status
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use roxmltree::{Document, Node};

    fn case(name: &str, outcome: Outcome, text: &str) -> Case {
        Case { name: name.into(), outcome, text: text.into() }
    }

    fn elements<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
        node.children().filter(Node::is_element)
    }

    #[track_caller]
    fn has(node: Node, name: &str, attributes: &[(&str, &str)]) {
        assert_eq!(node.tag_name().name(), name);
        for (key, value) in attributes {
            assert_eq!(node.attribute(*key), Some(*value), "{name} {key}");
        }
    }

    #[test]
    fn cases_are_counted_and_told_apart() {
        let text = xml(
            "Line \"A\" & B",
            &[
                case("goodput of bbr", Outcome::Passed, "held (817 to 828 Mbit/s)"),
                case("goodput of cubic", Outcome::Failed, "139 Mbit/s < 300 Mbit/s\nin 5 of 5 seeds"),
                case("rtt-p95", Outcome::Inconclusive, "in 2 of 5 seeds"),
            ],
        );
        let document = Document::parse(&text).unwrap();
        let suites = document.root_element();
        let totals = [("name", "Line \"A\" & B"), ("tests", "3"), ("failures", "1"), ("errors", "1")];
        has(suites, "testsuites", &totals);
        let suite = elements(suites).next().unwrap();
        has(suite, "testsuite", &totals);
        let why = |message, kind| vec![("message", message), ("type", kind)];
        let due = [
            ("goodput of bbr", "system-out", vec![], "held (817 to 828 Mbit/s)"),
            (
                "goodput of cubic",
                "failure",
                why("139 Mbit/s < 300 Mbit/s", "failed"),
                "139 Mbit/s < 300 Mbit/s\nin 5 of 5 seeds",
            ),
            ("rtt-p95", "error", why("in 2 of 5 seeds", "inconclusive"), "in 2 of 5 seeds"),
        ];
        assert_eq!(elements(suite).count(), due.len());
        for (test, (name, element, attributes, text)) in elements(suite).zip(due) {
            has(test, "testcase", &[("classname", "Line \"A\" & B"), ("name", name)]);
            let result = elements(test).next().unwrap();
            has(result, element, &attributes);
            assert_eq!(result.text(), Some(text));
        }
    }

    proptest! {
        #[test]
        fn any_text_comes_through(title in "\\PC{1,20}", name in "\\PC{1,20}", text in "\\PC{1,60}", passed: bool) {
            let outcome = if passed { Outcome::Passed } else { Outcome::Failed };
            let written = xml(&title, &[case(&name, outcome, &text)]);
            let document = Document::parse(&written).unwrap();
            let found = document.descendants().find(|node| node.has_tag_name("testcase")).unwrap();
            prop_assert_eq!(found.attribute("name"), Some(&*name));
            prop_assert_eq!(found.attribute("classname"), Some(&*title));
            let read = found.first_element_child().unwrap().text().unwrap_or_default();
            prop_assert_eq!(read, text);
        }

        #[test]
        fn control_characters_leave_a_document_whole(text in "(?s).{0,60}", passed: bool) {
            let outcome = if passed { Outcome::Passed } else { Outcome::Failed };
            prop_assert!(Document::parse(&xml(&text, &[case(&text, outcome, &text)])).is_ok());
        }
    }

    #[test]
    fn characters_outside_xml_are_left_out() {
        let text = xml("a\u{fffe}b", &[case("\u{ffff}", Outcome::Failed, "c\u{1}d\u{fffe}")]);
        let document = Document::parse(&text).unwrap();
        assert_eq!(document.root_element().attribute("name"), Some("ab"));
        assert_eq!(document.descendants().find(|node| node.has_tag_name("failure")).unwrap().text(), Some("cd"));
    }
}
