//! A template: a cause of slow TCP as data, from a TOML text. Every error has its place.

use crate::differs::{FAMILIES, Family};
use crate::facts::{KEYS, Key, Role};
use crate::formula::{Expression, Interval, KINDS, Kind};
use base::suggest::suggest;
use evidence::fault::{Errors, Fault, Span};
use evidence::unit::Wrong;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Names that formulas may use besides the template's parameters, with their meaning.
pub const VARIABLES: &[(&str, &str)] = &[
    ("rate", "rate of the path"),
    ("rtt", "RTT of the idle path"),
    ("mtu", "MTU"),
    ("mss", "payload of a segment: what the run sets, at most MTU - 52"),
    ("line", "payload that the path's rate carries"),
    ("streams", "connections of the run"),
    ("duration", "time of the run; 10 s if not stated"),
    ("window", "-w of the run; without end if not stated"),
    ("receive_max", "tcp_rmem[2]; without end if not stated"),
    ("send_buffer", "send buffer that the program asks for; without end if not stated"),
    ("offered", "rate of a UDP run; without end for TCP"),
    ("messages", "messages that wait for one another; 1 if not stated"),
    ("bbr", "1 if the run uses a version of BBR, else 0"),
    ("reno", "1 if the run uses Reno, else 0"),
];

/// Keys of a template, with their meaning.
pub const TEMPLATE_KEYS: &[(&str, &str)] = &[
    ("says", "what the cause is, one sentence"),
    ("fix", "what removes it"),
    ("source", "where the formulas are from"),
    ("families", "properties that it shares with other causes: what differs between runs leaves or rules them out"),
    ("seeds", "seeds of a trial; 3 where chance decides, else 1"),
    ("tcp", "true if it has no effect on UDP"),
    (
        "place",
        "facts that may switch it on: it then acts only in runs that share the slowest run's; via, host, direction and day by default",
    ),
    ("inside", "true if it is usual inside a host or a box that forwards; else somebody must have put it there"),
    ("rare", "what must be unusual for it to be the cause, a clause"),
    ("needs", "facts of which a run must have one, such as early or \"tunnel = tcp\""),
    ("acts", "comparison: where it is false in all runs, the cause does nothing"),
    ("parameters", "free parameters: kind, from, to, and perhaps usual, resolution, fact"),
    ("derived", "further names for the experiment: kind, as"),
    ("predicts", "a formula for each fact that it predicts, with _ for -"),
    ("experiment", "text: the experiment, with $names; without it the cause is tried by arithmetic alone"),
];

/// Names that experiments of templates may use besides parameters and what is derived, with their meaning.
pub const NAMES: &[(&str, &str)] = &[
    ("rate", "rate of the path"),
    ("fast", "a rate above it, for links that are not the bottleneck"),
    ("rtt", "RTT of the path"),
    ("half", "half of it"),
    ("mtu", "MTU of the path"),
    ("buffer", "buffer of the path; 1 BDP if not stated"),
    ("duration", "time that the lab runs: at most that of the run"),
];

/// True for a name that a parameter cannot have.
fn is_reserved(name: &str) -> bool {
    NAMES.iter().any(|(known, _)| *known == name)
}

/// Longest template, bytes.
const MAX_BYTES: usize = 100_000;

/// Most parameters: each doubles the boxes that arithmetic looks at.
const MAX_PARAMETERS: usize = 6;

/// Ratio of a parameter's ends below which arithmetic does not divide it further.
const RESOLUTION: f64 = 1.2;

/// Facts that may switch a mechanism on where a template names none.
pub(super) const USUAL_PLACES: [&str; 4] = ["via", "host", "direction", "day"];

/// A cause of slow TCP.
#[derive(Debug, Clone)]
pub struct Template {
    pub name: String,
    pub says: String,
    pub fix: String,
    pub source: String,
    pub families: Vec<Family>,
    pub seeds: u32,
    /// Whether it has no effect on UDP.
    pub tcp: bool,
    /// Facts that may switch it on.
    pub place: Vec<&'static str>,
    /// What must be unusual for it to be the cause; empty if nothing.
    pub rare: String,
    /// Whether it is usual inside a host or a box that forwards.
    pub inside: bool,
    /// Facts of which a run must have one, and the label that it must have.
    pub needs: Vec<(&'static str, Option<String>)>,
    pub acts: Option<Expression>,
    pub parameters: Vec<Parameter>,
    pub derived: Vec<(String, Kind, Expression)>,
    /// Facts that it predicts.
    pub predicts: Vec<(&'static str, Expression)>,
    /// Text of its experiment, with $names; `None` without one.
    pub experiment: Option<String>,
}

/// A free parameter.
#[derive(Debug, Clone)]
pub struct Parameter {
    pub name: String,
    pub kind: Kind,
    pub range: Interval,
    /// Values that are seen in practice.
    pub usual: Option<Interval>,
    pub resolution: f64,
    /// Whether it divides runs at a threshold, so that its exact value counts.
    pub is_threshold: bool,
    /// Fact that fixes it, if a run states it.
    pub fact: Option<&'static str>,
}

/// The templates that are built in, by name.
const BUILT_IN: &[(&str, &str)] = &[
    ("ack-path", include_str!("templates/ack-path.toml")),
    ("burst-loss", include_str!("templates/burst-loss.toml")),
    ("cap-at-sender", include_str!("templates/cap-at-sender.toml")),
    ("cap-per-flow", include_str!("templates/cap-per-flow.toml")),
    ("cap-shaper", include_str!("templates/cap-shaper.toml")),
    ("credit-window", include_str!("templates/credit-window.toml")),
    ("flows-beside", include_str!("templates/flows-beside.toml")),
    ("iperf-default-rate", include_str!("templates/iperf-default-rate.toml")),
    ("lengths", include_str!("templates/lengths.toml")),
    ("lengths-one-member", include_str!("templates/lengths-one-member.toml")),
    ("merge-forwarding", include_str!("templates/merge-forwarding.toml")),
    ("mtu-hole", include_str!("templates/mtu-hole.toml")),
    ("mtu-hole-probed", include_str!("templates/mtu-hole-probed.toml")),
    ("nagle-delayed-ack", include_str!("templates/nagle-delayed-ack.toml")),
    ("overrun-small-buffer", include_str!("templates/overrun-small-buffer.toml")),
    ("policer", include_str!("templates/policer.toml")),
    ("random-loss", include_str!("templates/random-loss.toml")),
    ("receive-window", include_str!("templates/receive-window.toml")),
    ("receiver-input-loss", include_str!("templates/receiver-input-loss.toml")),
    ("reordering", include_str!("templates/reordering.toml")),
    ("send-buffer", include_str!("templates/send-buffer.toml")),
    ("shaper-at-sender", include_str!("templates/shaper-at-sender.toml")),
    ("shaper-with-burst", include_str!("templates/shaper-with-burst.toml")),
    ("slow-reader", include_str!("templates/slow-reader.toml")),
    ("slow-start-ends-early", include_str!("templates/slow-start-ends-early.toml")),
    ("slow-start-overshoots", include_str!("templates/slow-start-overshoots.toml")),
    ("tcp-over-tcp", include_str!("templates/tcp-over-tcp.toml")),
    ("tso-forwarding", include_str!("templates/tso-forwarding.toml")),
    ("udp-tunnel", include_str!("templates/udp-tunnel.toml")),
];

/// Returns the built-in templates, by name.
pub fn built_in() -> Vec<Template> {
    BUILT_IN.iter().map(|(name, text)| read(&format!("{name}.toml"), text).expect("a built-in template")).collect()
}

/// Returns the line alone: what a run has without a mechanism.
pub(super) fn line() -> Template {
    read("line.toml", include_str!("templates/line.toml")).expect("a built-in template")
}

/// Reads a template. Its name is that of the file.
pub fn read(file: &str, text: &str) -> Result<Template, Errors> {
    let failed = |text: &str, span: Span, wrong: Wrong| Errors::new(file, text, vec![Fault { span, wrong }]);
    if text.len() > MAX_BYTES {
        let wrong = Wrong::new("the template is too long").accepted(format!("{MAX_BYTES} bytes at most"));
        return Err(failed("", 0..0, wrong));
    }
    let (document, errors) = DeTable::parse_recoverable(text);
    if let Some(error) = errors.first() {
        let message = error.message().replace('\n', ", ").replace('`', "\"");
        let wrong = Wrong::new(format!("not TOML: {message}"));
        return Err(failed(text, error.span().unwrap_or(0..0), wrong));
    }
    let name = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".toml");
    let mut reader = Reader { text, faults: vec![] };
    let template = reader.template(name, document.get_ref());
    match template {
        Some(template) if reader.faults.is_empty() => Ok(template),
        _ => Err(Errors::new(file, text, reader.faults)),
    }
}

struct Reader<'t> {
    text: &'t str,
    faults: Vec<Fault>,
}

type Entry<'a> = Spanned<DeValue<'a>>;
type Named<'d, 'a> = (&'d Spanned<std::borrow::Cow<'a, str>>, &'d Entry<'a>);

impl Reader<'_> {
    fn template(&mut self, name: &str, document: &DeTable) -> Option<Template> {
        self.known(document, "the template", &TEMPLATE_KEYS.iter().map(|key| key.0).collect::<Vec<_>>());
        let parameters = self.parameters(document);
        let names: Vec<&str> =
            VARIABLES.iter().map(|(name, _)| *name).chain(parameters.iter().map(|one| one.name.as_str())).collect();
        let derived = self.derived(document, &names);
        let predicts = self.predicts(document, &names);
        let acts = document.get("acts").and_then(|value| self.formula("acts", value, &names));
        let families = self.listed(document, "families", |text| {
            let found = FAMILIES.iter().find(|(name, ..)| *name == text);
            found.map(|(_, family, _)| *family).ok_or_else(|| FAMILIES.iter().map(|row| row.0).collect())
        });
        let place = self.listed(document, "place", |text| {
            let settings = || KEYS.iter().filter(|key| key.role == Role::Setting).map(|key| key.name);
            settings().find(|name| *name == text).ok_or_else(|| settings().collect())
        });
        let needs = self.listed(document, "needs", |text| {
            let (name, label) = text.split_once('=').map_or((text, None), |(name, label)| (name, Some(label)));
            let key = Key::find(name.trim()).ok_or_else(|| KEYS.iter().map(|key| key.name).collect::<Vec<_>>())?;
            Ok((key.name, label.map(|label| label.trim().to_owned())))
        });
        let experiment = document.get("experiment").and_then(|value| {
            let table = value.get_ref().as_table()?;
            self.known(table, "[experiment]", &["text"]);
            table.get("text").and_then(|value| self.words("text", value))
        });
        if predicts.is_empty() && self.faults.is_empty() {
            let wrong = Wrong::new("the template predicts nothing").accepted("[predicts] with a formula for a fact");
            self.fault(0..0, wrong.hint("goodput = \"min(line, 8 * mss / rtt)\""));
        }
        let says = self.required(document, "says");
        let mut word = |key: &str| document.get(key).and_then(|value| self.words(key, value)).unwrap_or_default();
        let (fix, source, rare) = (word("fix"), word("source"), word("rare"));
        let is_true = |key| document.get(key).is_some_and(|value| matches!(value.get_ref(), DeValue::Boolean(true)));
        Some(Template {
            name: name.to_owned(),
            says: says?,
            fix,
            source,
            families,
            seeds: self.seeds(document),
            tcp: is_true("tcp"),
            rare,
            inside: is_true("inside"),
            place: if place.is_empty() { USUAL_PLACES.to_vec() } else { place },
            needs,
            acts,
            parameters,
            derived,
            predicts,
            experiment,
        })
    }

    fn seeds(&mut self, document: &DeTable) -> u32 {
        /// Most seeds of a trial: each costs as much as the first.
        const MAX_SEEDS: u32 = 20;
        let Some(value) = document.get("seeds") else { return 1 };
        match self.text[value.span()].parse::<u32>() {
            Ok(seeds) if (1..=MAX_SEEDS).contains(&seeds) => seeds,
            _ => {
                self.fault(value.span(), Wrong::new("seeds is out of range").accepted(format!("1 to {MAX_SEEDS}")));
                1
            }
        }
    }

    fn parameters(&mut self, document: &DeTable) -> Vec<Parameter> {
        let mut all = vec![];
        for (name, value) in self.table(document, "parameters") {
            if all.len() == MAX_PARAMETERS {
                self.fault(
                    name.span(),
                    Wrong::new("there are too many parameters").accepted(format!("{MAX_PARAMETERS} at most")),
                );
                break;
            }
            all.extend(self.parameter(name, value));
        }
        all
    }

    fn parameter(&mut self, name: &Spanned<std::borrow::Cow<str>>, value: &Entry) -> Option<Parameter> {
        self.fresh(name)?;
        let table = value.get_ref().as_table();
        let Some(table) = table else {
            let due = "{ kind = \"size\", from = \"4 kB\", to = \"60 MB\" }";
            self.fault(value.span(), Wrong::new(format!("{} is not a table", name.get_ref())).accepted(due));
            return None;
        };
        self.known(table, name.get_ref(), &["kind", "from", "to", "usual", "resolution", "fact"]);
        let kind = self.kind(name.get_ref(), table, value.span())?;
        let [from, to] = ["from", "to"].map(|key| match table.get(key) {
            Some(value) => self.quantity(key, kind, value),
            None => {
                self.fault(
                    value.span(),
                    Wrong::new(format!("{} has no {key}", name.get_ref())).accepted(kind.accepted()),
                );
                None
            }
        });
        let (from, to) = (from?.low, to?.high);
        if !(from > 0.0 && from < to && to.is_finite()) {
            let wrong = Wrong::new(format!("{} has no range", name.get_ref())).accepted("from above 0, to above from");
            self.fault(value.span(), wrong);
            return None;
        }
        let usual = table.get("usual").and_then(|value| self.quantity("usual", kind, value));
        let resolution = table.get("resolution").map(|value| self.text[value.span()].parse::<f64>());
        if let Some(Err(_)) = resolution {
            let wrong = Wrong::new("resolution is not a number").accepted("a ratio above 1, such as 1.01");
            self.fault(value.span(), wrong);
        }
        let fact = table.get("fact").and_then(|value| Some((self.words("fact", value)?, value.span())));
        let fact = fact.and_then(|(word, span)| match Key::find(&word) {
            Some(key) => Some(key.name),
            None => {
                let wrong = Wrong::new(format!("no fact \"{word}\""));
                self.fault(span, suggest(wrong, &word, KEYS.iter().map(|key| key.name)));
                None
            }
        });
        Some(Parameter {
            name: name.get_ref().to_string(),
            kind,
            range: Interval::new(from, to),
            usual,
            resolution: resolution.and_then(Result::ok).filter(|ratio| *ratio > 1.0).unwrap_or(RESOLUTION),
            is_threshold: table.contains_key("resolution"),
            fact,
        })
    }

    fn derived(&mut self, document: &DeTable, names: &[&str]) -> Vec<(String, Kind, Expression)> {
        let mut all = vec![];
        for (name, value) in self.table(document, "derived") {
            let Some(table) = value.get_ref().as_table() else {
                let due = "{ kind = \"size\", as = \"window_size * 2\" }";
                self.fault(value.span(), Wrong::new(format!("{} is not a table", name.get_ref())).accepted(due));
                continue;
            };
            self.known(table, name.get_ref(), &["kind", "as"]);
            let kind = self.kind(name.get_ref(), table, value.span());
            let formula = table.get("as").and_then(|value| self.formula("as", value, names));
            if let (Some(kind), Some(formula), Some(())) = (kind, formula, self.fresh(name)) {
                all.push((name.get_ref().to_string(), kind, formula));
            }
        }
        all
    }

    fn predicts(&mut self, document: &DeTable, names: &[&str]) -> Vec<(&'static str, Expression)> {
        let mut all = vec![];
        let stated = || KEYS.iter().filter(|key| key.role == Role::Stated);
        for (name, value) in self.table(document, "predicts") {
            match stated().find(|key| key.name.replace('-', "_") == **name.get_ref()) {
                Some(key) => all.extend(self.formula(key.name, value, names).map(|formula| (key.name, formula))),
                None => {
                    let wrong = Wrong::new(format!("no run states \"{}\"", name.get_ref()));
                    let known: Vec<String> = stated().map(|key| key.name.replace('-', "_")).collect();
                    self.fault(name.span(), suggest(wrong, name.get_ref(), known.iter().map(String::as_str)));
                }
            }
        }
        all
    }

    /// Reads a formula; the place of an error in it is that in the file.
    fn formula(&mut self, key: &str, value: &Entry, names: &[&str]) -> Option<Expression> {
        let text = self.words(key, value)?;
        match Expression::parse(&text, names) {
            Ok(formula) => Some(formula),
            Err(Fault { span, wrong }) => {
                // The text stands in quotes; an escape would shift the place, and no formula needs one.
                let start = value.span().start + 1;
                self.fault(start + span.start..start + span.end, wrong);
                None
            }
        }
    }

    /// True, as a fault if not, for a name that formulas and experiments do not know yet.
    fn fresh(&mut self, name: &Spanned<std::borrow::Cow<str>>) -> Option<()> {
        let own: &str = name.get_ref();
        let is_word = own.starts_with(|sign: char| sign.is_ascii_lowercase())
            && own.bytes().all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == b'_');
        if is_word && !VARIABLES.iter().any(|(known, _)| *known == own) && !is_reserved(own) {
            return Some(());
        }
        let wrong = Wrong::new(format!("{own} cannot be a name here"));
        self.fault(name.span(), wrong.accepted("small letters, digits and _, and no name that formulas know already"));
        None
    }

    fn kind(&mut self, name: &str, table: &DeTable, span: Span) -> Option<Kind> {
        let known = || KINDS.iter().map(|(name, _)| *name);
        let Some(value) = table.get("kind") else {
            self.fault(
                span,
                Wrong::new(format!("{name} has no kind")).accepted(known().collect::<Vec<_>>().join(", ")),
            );
            return None;
        };
        let word = self.words("kind", value)?;
        match KINDS.iter().find(|(name, _)| *name == word) {
            Some((_, kind)) => Some(*kind),
            None => {
                self.fault(value.span(), suggest(Wrong::new(format!("no kind {word}")), &word, known()));
                None
            }
        }
    }

    fn quantity(&mut self, key: &str, kind: Kind, value: &Entry) -> Option<Interval> {
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            _ => self.text[value.span()].to_owned(),
        };
        kind.parse(&text)
            .map_err(|wrong| {
                let what = format!("{key} \"{text}\" {}", wrong.what);
                self.fault(value.span(), Wrong { what, ..wrong });
            })
            .ok()
    }

    fn listed<T>(
        &mut self,
        document: &DeTable,
        key: &str,
        read: impl Fn(&str) -> Result<T, Vec<&'static str>>,
    ) -> Vec<T> {
        let Some(value) = document.get(key) else { return vec![] };
        let Some(list) = value.get_ref().as_array() else {
            self.fault(value.span(), Wrong::new(format!("{key} is not a list")).accepted("[\"one\", \"two\"]"));
            return vec![];
        };
        let mut all = vec![];
        for item in list.iter() {
            let Some(word) = self.words(key, item) else { continue };
            match read(&word) {
                Ok(value) => all.push(value),
                Err(known) => {
                    self.fault(
                        item.span(),
                        suggest(Wrong::new(format!("{key} has no \"{word}\"")), &word, known.into_iter()),
                    );
                }
            }
        }
        all
    }

    fn table<'d, 'a>(&mut self, document: &'d DeTable<'a>, key: &str) -> Vec<Named<'d, 'a>> {
        let Some(value) = document.get(key) else { return vec![] };
        let Some(table) = value.get_ref().as_table() else {
            self.fault(
                value.span(),
                Wrong::new(format!("{key} is not a table")).accepted(format!("[{key}] on a line of its own")),
            );
            return vec![];
        };
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        entries
    }

    fn known(&mut self, table: &DeTable, what: &str, keys: &[&str]) {
        for (key, _) in table.iter().filter(|(key, _)| !keys.contains(&&**key.get_ref())) {
            let wrong = Wrong::new(format!("{what} has no key \"{}\"", key.get_ref()));
            self.fault(key.span(), suggest(wrong, key.get_ref(), keys.iter().copied()));
        }
    }

    fn required(&mut self, document: &DeTable, key: &str) -> Option<String> {
        match document.get(key) {
            Some(value) => self.words(key, value),
            None => {
                self.fault(0..0, Wrong::new(format!("the template has no {key}")).accepted("one sentence in quotes"));
                None
            }
        }
    }

    fn words(&mut self, name: &str, value: &Entry) -> Option<String> {
        match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            _ => {
                self.fault(value.span(), Wrong::new(format!("{name} is not text")).accepted("text in quotes"));
                None
            }
        }
    }

    fn fault(&mut self, span: Span, wrong: Wrong) {
        self.faults.push(Fault { span, wrong });
    }
}
