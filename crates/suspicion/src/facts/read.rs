//! From a facts file to a case; every error has its place.

use super::{Case, Fact, Facts, KEYS, Key, Origin, Role, Run, Value, repeated};
use crate::formula::{Interval, Kind};
use base::suggest::suggest;
use evidence::fault::{Errors, Fault, Span};
use evidence::unit::Wrong;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Longest facts file, bytes: a thousand pages of text.
pub const MAX_BYTES: usize = 1 << 20;

/// Most runs of a case. Pairs of runs are compared, so the work grows with their square.
pub const MAX_RUNS: usize = 100;

/// Reads a case. `file` names the text in errors.
pub fn read(file: &str, text: &str) -> Result<Case, Errors> {
    let failed = |text: &str, span: Span, wrong: Wrong| Errors::new(file, text, vec![Fault { span, wrong }]);
    if text.len() > MAX_BYTES {
        let wrong = Wrong::new("the file of facts is too long").accepted(format!("{MAX_BYTES} bytes at most"));
        return Err(failed("", 0..0, wrong));
    }
    let (document, errors) = DeTable::parse_recoverable(text);
    if let Some(error) = errors.first() {
        let message = error.message().replace('\n', ", ").replace('`', "\"");
        let wrong =
            Wrong::new(format!("not TOML: {message}")).hint("goodput facts new writes a file of facts to start from");
        return Err(failed(text, error.span().unwrap_or(0..0), wrong));
    }
    let mut reader = Reader { text, faults: vec![] };
    let case = reader.case(document.get_ref());
    match case {
        Some(case) if reader.faults.is_empty() => Ok(case),
        _ => Err(Errors::new(file, text, reader.faults)),
    }
}

/// Reads a setting that is given on the command line, such as `window=4MB`.
pub fn setting(key: &'static Key, text: &str) -> Result<Facts, Wrong> {
    let mut facts = Facts::default();
    match key.value {
        Value::Label => drop(facts.labels.insert(key.name, text.trim().to_owned())),
        Value::Number(kind) => {
            let interval = kind.parse(text)?;
            facts.numbers.insert(key.name, Fact { interval, text: text.into(), origin: Origin::Stated, quote: None });
        }
    }
    Ok(facts)
}

struct Reader<'t> {
    text: &'t str,
    faults: Vec<Fault>,
}

type Entry<'a> = Spanned<DeValue<'a>>;

/// Keys of a fact that is a table.
const FACT_KEYS: [&str; 3] = ["value", "origin", "quote"];

impl Reader<'_> {
    fn case(&mut self, document: &DeTable) -> Option<Case> {
        let mut case = Case::default();
        let mut runs: Option<&Entry> = None;
        for (key, value) in sorted(document) {
            match &**key.get_ref() {
                "says" => case.says = self.words("says", value),
                "path" => match value.get_ref().as_table() {
                    Some(table) => case.path = self.facts("[path]", table, &[Role::Path], &[]).0,
                    None => self.wrong(value.span(), "path is not a table", "[path] on a line of its own"),
                },
                "runs" => runs = Some(value),
                other => {
                    let wrong = Wrong::new(format!("the file has no key \"{other}\""));
                    self.fault(key.span(), suggest(wrong, other, ["says", "path", "runs"].into_iter()));
                }
            }
        }
        let Some(list) = runs.and_then(|runs| runs.get_ref().as_array()).filter(|list| !list.is_empty()) else {
            let span = runs.map_or(0..0, Spanned::span);
            let wrong = Wrong::new("no run is stated").accepted("[[runs]] on a line of its own, its facts below it");
            self.fault(span, wrong.hint("goodput facts new writes a file of facts to start from"));
            return None;
        };
        for (number, value) in list.iter().enumerate() {
            let Some(table) = value.get_ref().as_table() else {
                self.wrong(value.span(), "a run is not a table", "[[runs]] on a line of its own");
                continue;
            };
            if number == MAX_RUNS {
                self.wrong(value.span(), &format!("there are {} runs", list.len()), &format!("{MAX_RUNS} at most"));
                break;
            }
            let roles = [Role::Path, Role::Setting, Role::Stated, Role::Count];
            let (facts, name) = self.facts("[[runs]]", table, &roles, &["name"]);
            let name = name.unwrap_or_else(|| format!("run {}", number + 1));
            if case.runs.iter().any(|run| run.name == name) {
                let wrong = Wrong::new(format!("two runs are called \"{name}\"")).hint("give each run a name");
                self.fault(table.get("name").map_or(value.span(), Spanned::span), wrong);
            }
            case.runs.push(Run { name, facts });
        }
        Some(case)
    }

    /// Reads the facts of a table, and the word under the first of `others`.
    fn facts(&mut self, heading: &str, table: &DeTable, roles: &[Role], others: &[&str]) -> (Facts, Option<String>) {
        let (mut facts, mut word) = (Facts::default(), None);
        for (written, value) in sorted(table) {
            let name: &str = written.get_ref();
            if others.contains(&name) {
                word = self.words(name, value);
                continue;
            }
            let Some(key) = Key::find(name) else {
                let known = KEYS.iter().filter(|key| roles.contains(&key.role)).map(|key| key.name);
                let known = known.chain(others.iter().copied()).collect::<Vec<_>>();
                let wrong = Wrong::new(format!("{heading} has no fact \"{name}\""));
                self.fault(written.span(), suggest(wrong, name, known.into_iter()));
                continue;
            };
            if !roles.contains(&key.role) {
                let wrong = Wrong::new(format!("{heading} has no fact \"{name}\""));
                self.fault(written.span(), wrong.hint(format!("{name} is a fact of [[runs]]: {}", key.meaning)));
                continue;
            }
            match key.value {
                Value::Label => {
                    if let Some(text) = self.words(name, value) {
                        if key.name == "tunnel" && !["tcp", "udp"].contains(&text.as_str()) {
                            let wrong = Wrong::new(format!("tunnel \"{text}\" is neither tcp nor udp"));
                            let hint =
                                "WireGuard, VXLAN, Geneve and IPsec behind NAT run over udp, OpenVPN over either";
                            self.fault(value.span(), wrong.accepted("\"tcp\" or \"udp\"").hint(hint));
                        }
                        facts.labels.insert(key.name, text);
                    }
                }
                Value::Number(kind) => {
                    if let Some(fact) = self.fact(key, kind, value) {
                        facts.numbers.insert(key.name, fact);
                    }
                }
            }
        }
        (facts, word)
    }

    fn fact(&mut self, key: &Key, kind: Kind, value: &Entry) -> Option<Fact> {
        let Some(table) = value.get_ref().as_table() else {
            return self.number(key, kind, value).map(|(interval, text)| Fact {
                interval,
                text,
                origin: Origin::Stated,
                quote: None,
            });
        };
        for (name, _) in sorted(table).into_iter().filter(|(name, _)| !FACT_KEYS.contains(&&**name.get_ref())) {
            let wrong = Wrong::new(format!("{} has no key \"{}\"", key.name, name.get_ref()));
            self.fault(name.span(), suggest(wrong, name.get_ref(), FACT_KEYS.into_iter()));
        }
        let Some(inner) = table.get("value") else {
            self.wrong(value.span(), &format!("{} has no value", key.name), &kind.accepted());
            return None;
        };
        let origin = match table.get("origin").and_then(|value| Some((self.words("origin", value)?, value.span()))) {
            None => Origin::Stated,
            Some((word, span)) => match Origin::ALL.iter().find(|(name, _)| *name == word) {
                Some((_, origin)) => *origin,
                None => {
                    let wrong = Wrong::new(format!("origin \"{word}\" is unknown"));
                    self.fault(span, suggest(wrong, &word, Origin::ALL.into_iter().map(|(name, _)| name)));
                    return None;
                }
            },
        };
        let quote = table.get("quote").and_then(|value| self.words("quote", value));
        let (interval, text) = self.number(key, kind, inner)?;
        Some(Fact { interval, text, origin, quote })
    }

    /// Reads a number, and its text. A stated figure without an interval gets that of repeated runs.
    fn number(&mut self, key: &Key, kind: Kind, value: &Entry) -> Option<(Interval, String)> {
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(_) | DeValue::Float(_) => self.text[value.span()].to_owned(),
            _ => {
                self.wrong(value.span(), &format!("{} is not a number", key.name), &kind.accepted());
                return None;
            }
        };
        match kind.parse(&text) {
            Ok(interval) => Some((repeated(key, interval), text)),
            Err(wrong) => {
                let what = format!("{} \"{text}\" {}", key.name, wrong.what);
                self.fault(value.span(), Wrong { what, ..wrong });
                None
            }
        }
    }

    fn words(&mut self, name: &str, value: &Entry) -> Option<String> {
        match value.get_ref() {
            DeValue::String(text) => Some(evidence::plain::line(text).into_owned()),
            _ => {
                self.wrong(value.span(), &format!("{name} is not text"), "text in quotes");
                None
            }
        }
    }

    fn wrong(&mut self, span: Span, what: &str, accepted: &str) {
        self.fault(span, Wrong::new(what).accepted(accepted));
    }

    fn fault(&mut self, span: Span, wrong: Wrong) {
        self.faults.push(Fault { span, wrong });
    }
}

/// Returns the entries in the order written.
fn sorted<'d, 'a>(table: &'d DeTable<'a>) -> Vec<(&'d Spanned<std::borrow::Cow<'a, str>>, &'d Entry<'a>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}
