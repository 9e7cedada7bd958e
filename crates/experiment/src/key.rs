//! Keys as rows of tables. From one table come the struct of a section, the code that reads it, its table in
//! docs/reference, and the values that `goodput/tests/it/keys` tries.

use super::section::Section;
use super::source::Span;
use super::value::Value;
use evidence::unit::Wrong;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use toml::Spanned;

/// A type of value that a key accepts.
pub trait Takes {
    type Value;

    /// Reads the value of `key`; `None` if it is missing or wrong.
    fn read(&self, section: &mut Section, key: &'static str) -> Option<Spanned<Self::Value>>;

    /// Describes the accepted values, for the reference.
    fn words(&self) -> String;

    /// Returns values to try: at the bounds, just beyond them, and with a wrong unit or type.
    fn trials(&self) -> Vec<Trial>;

    /// Returns a JSON Schema of the value, as TOML writes it: unless told otherwise, the types of the values to try.
    fn schema(&self) -> Json {
        types_of(&self.trials())
    }
}

/// A type of value that is a single TOML value.
pub trait Leaf {
    type Value;

    fn parse(&self, value: &Value) -> Result<Self::Value, Wrong>;
    fn words(&self) -> String;
    fn trials(&self) -> Vec<Trial>;

    fn schema(&self) -> Json {
        types_of(&self.trials())
    }
}

/// Returns a schema that allows the types of the accepted values; any value if there are none.
fn types_of(trials: &[Trial]) -> Json {
    let accepted = trials.iter().filter(|trial| trial.wrong.is_none());
    let types: BTreeSet<&str> = accepted.filter_map(|trial| json_type(&trial.toml)).collect();
    if types.is_empty() { json!({}) } else { json!({ "type": types }) }
}

fn json_type(toml: &str) -> Option<&'static str> {
    let table: toml::Table = format!("value = {toml}").parse().ok()?;
    Some(match table.get("value")? {
        toml::Value::String(_) | toml::Value::Datetime(_) => "string",
        toml::Value::Integer(_) | toml::Value::Float(_) => "number",
        toml::Value::Boolean(_) => "boolean",
        toml::Value::Array(_) => "array",
        toml::Value::Table(_) => "object",
    })
}

impl<L: Leaf> Takes for L {
    type Value = L::Value;

    fn read(&self, section: &mut Section, key: &'static str) -> Option<Spanned<L::Value>> {
        section.optional(key, |value| self.parse(value))
    }

    fn words(&self) -> String {
        Leaf::words(self)
    }

    fn trials(&self) -> Vec<Trial> {
        Leaf::trials(self)
    }

    fn schema(&self) -> Json {
        Leaf::schema(self)
    }
}

/// A type of value whose default is the same everywhere, so the reference can show it.
pub trait Shown: Takes {
    /// Formats a value for the reference.
    fn show(&self, value: &Self::Value) -> String;
}

/// A value that tests try.
#[derive(Debug, Clone)]
pub struct Trial {
    /// The value in TOML syntax.
    pub toml: String,
    /// End of the error about the value, or the words that follow the value in it; `None` if the key accepts it.
    pub wrong: Option<&'static str>,
}

impl Trial {
    pub fn good(toml: impl Into<String>) -> Trial {
        Trial { toml: toml.into(), wrong: None }
    }

    pub fn bad(toml: impl Into<String>, wrong: &'static str) -> Trial {
        Trial { toml: toml.into(), wrong: Some(wrong) }
    }
}

/// A row: one key and all that is known of it.
#[derive(Debug, Clone, Copy)]
pub struct Key<T> {
    pub about: About,
    pub takes: T,
}

/// A row without the type of its value.
#[derive(Debug, Clone, Copy)]
pub struct About {
    pub name: &'static str,
    /// Kinds of the section that have the key; empty means all.
    pub kinds: &'static [&'static str],
    /// Further limits on the value, printed after its bounds.
    limit: &'static str,
    /// Description of the default, for defaults that are not a plain value.
    default: &'static str,
    /// Directions of a link to which the key applies.
    direction: &'static str,
    /// For a required key, what to add to the error if it is missing.
    pub required: Option<fn(Wrong) -> Wrong>,
    meaning: &'static str,
}

/// Returns the row of an optional key.
pub fn key<T>(name: &'static str, takes: T) -> Key<T> {
    Key { about: About { name, kinds: &[], limit: "", default: "", direction: "", required: None, meaning: "" }, takes }
}

impl<T: Takes> Key<T> {
    pub fn kinds(mut self, kinds: &'static [&'static str]) -> Key<T> {
        self.about.kinds = kinds;
        self
    }

    pub fn limit(mut self, limit: &'static str) -> Key<T> {
        self.about.limit = limit;
        self
    }

    pub fn default(mut self, default: &'static str) -> Key<T> {
        self.about.default = default;
        self
    }

    pub fn direction(mut self, direction: &'static str) -> Key<T> {
        self.about.direction = direction;
        self
    }

    pub fn required(mut self, why: fn(Wrong) -> Wrong) -> Key<T> {
        self.about.required = Some(why);
        self.default("required")
    }

    pub fn meaning(mut self, meaning: &'static str) -> Key<T> {
        self.about.meaning = meaning;
        self
    }

    /// Reads the key's value in a section. A missing key that only some kinds require is left to [`check_kinds`].
    pub fn read(&self, section: &mut Section) -> Option<Spanned<T::Value>> {
        let About { name, kinds, required, .. } = self.about;
        if let Some(why) = required.filter(|_| kinds.is_empty() && !section.has(name)) {
            section.lack(name, why);
        }
        self.takes.read(section, name)
    }

    /// Returns the row of the reference; `default` is the default if it is a plain value.
    pub fn row(&self, default: Option<String>) -> KeyRow {
        let About { name, kinds, limit, default: said, direction, meaning, .. } = self.about;
        KeyRow {
            name,
            kinds,
            takes: self.takes.words() + limit,
            default: default.unwrap_or_else(|| said.to_owned()),
            direction,
            meaning,
            trials: self.takes.trials(),
            schema: self.takes.schema(),
        }
    }
}

/// A row as the reference and the tests use it.
#[derive(Debug, Clone)]
pub struct KeyRow {
    pub name: &'static str,
    /// Kinds that have the key; empty means all.
    pub kinds: &'static [&'static str],
    pub takes: String,
    pub default: String,
    /// Directions of a link to which the key applies; empty for other keys.
    pub direction: &'static str,
    pub meaning: &'static str,
    pub trials: Vec<Trial>,
    /// JSON Schema of the value.
    pub schema: Json,
}

/// The rows of one section.
#[derive(Debug, Clone)]
pub struct KeyTable {
    /// The section's header.
    pub heading: &'static str,
    /// The key that selects the section's kind.
    pub kind: Option<&'static str>,
    pub rows: Vec<KeyRow>,
}

/// Returns the value without its position.
pub fn value_of<T: Copy>(value: &Option<Spanned<T>>) -> Option<T> {
    value.as_ref().map(|value| *value.get_ref())
}

/// Reports keys that belong to other kinds, and missing keys that this kind requires. If the kind was written, keys of
/// other kinds also drop out of the accepted list.
pub fn check_kinds(section: &mut Section, what: &str, [by, kind]: [&str; 2], is_written: bool, keys: &[About]) {
    for About { name, kinds, required, .. } in keys.iter().filter(|key| !key.kinds.is_empty()) {
        if kinds.contains(&kind) {
            if let Some(why) = required.filter(|_| !section.has(name)) {
                section.lack(name, why);
            }
            continue;
        }
        if section.has(name) {
            let wrong = Wrong::new(format!("{name} is no key of {what} of {by} \"{kind}\""));
            let having: Vec<String> = kinds.iter().map(|kind| format!("\"{kind}\"")).collect();
            let wrong = wrong.note(match &having[..] {
                [one] => format!("only {by} {one} has it"),
                [first @ .., last] => format!("only {by}s {} and {last} have it", first.join(", ")),
                [] => String::new(),
            });
            let hint = match is_written {
                true => format!("remove {name}, or write another {by}"),
                false => format!("add {by} = {}", having[0]),
            };
            section.reader().fault(section.place(name), wrong.hint(hint));
        }
        if section.has(name) || is_written {
            section.dismiss(name);
        }
    }
}

/// True if tables of the kind have the key.
pub fn has_key(kind: &str, key: &str, keys: &[About]) -> bool {
    let row = keys.iter().find(|row| row.name == key);
    row.is_none_or(|row| row.kinds.is_empty() || row.kinds.contains(&kind))
}

/// A section as written in the experiment.
pub trait Table: Sized {
    /// Returns the section's position in the text.
    fn span(&self) -> Span;

    /// Returns the rows without the types of their values.
    fn keys() -> Vec<About>;

    /// Returns the rows for the reference.
    fn rows() -> Vec<KeyRow>;
}

/// A table that exists only if all its required keys do.
pub trait Whole: Table {
    /// Reads the keys in the order of the rows.
    fn read(section: &mut Section) -> Option<Self>;

    /// Reads a table that has no keys but these.
    fn whole(mut section: Section) -> Option<Self> {
        let table = Self::read(&mut section);
        section.finish();
        table
    }
}

/// Declares a table of keys. Each line names a field, the type of value, and the row. The field is an `Option` with the
/// value and its position; after `else` it is the bare value, or that default. With `or None` the struct exists only if
/// all `required` keys do.
macro_rules! keys {
    ($(#[$about:meta])* pub struct $table:ident { $($rows:tt)* }) => {
        keys! { @struct $(#[$about])* $table { $($rows)* } }
        keys! { @read $table { $($rows)* } }
    };
    ($(#[$about:meta])* pub struct $table:ident or None { $($rows:tt)* }) => {
        keys! { @struct $(#[$about])* $table { $($rows)* } }
        keys! { @whole $table { $($rows)* } }
    };
    (@struct $(#[$about:meta])* $table:ident {
        $($field:ident: $takes:ty = $key:expr $(, $rest:tt $($default:expr)?)?;)*
    }) => {
        $(#[$about])*
        #[derive(Debug, Clone)]
        pub struct $table {
            span: $crate::source::Span,
            $(pub $field: keys!(@type $takes $(, $rest)?),)*
        }

        impl $table {
            $(pub fn $field() -> $crate::key::Key<$takes> {
                $key
            })*
        }

        impl $crate::key::Table for $table {
            fn span(&self) -> $crate::source::Span {
                self.span.clone()
            }

            fn keys() -> Vec<$crate::key::About> {
                vec![$($table::$field().about),*]
            }

            fn rows() -> Vec<$crate::key::KeyRow> {
                vec![$($table::$field().row(keys!(@shown $table $field $(, $rest $($default)?)?))),*]
            }
        }
    };
    (@read $table:ident { $($field:ident: $takes:ty = $key:expr $(, $rest:tt $($default:expr)?)?;)* }) => {
        impl $table {
            /// Reads the keys in the order of the rows.
            pub fn read(section: &mut $crate::section::Section) -> $table {
                $(let $field = $table::$field().read(section);)*
                $table { span: section.span.clone(), $($field: keys!(@value $field $(, $rest $($default)?)?),)* }
            }
        }
    };
    (@whole $table:ident { $($field:ident: $takes:ty = $key:expr $(, $rest:tt $($default:expr)?)?;)* }) => {
        impl $crate::key::Whole for $table {
            fn read(section: &mut $crate::section::Section) -> Option<$table> {
                $(let $field = $table::$field().read(section);)*
                Some($table { span: section.span.clone(), $($field: keys!(@value $field $(, $rest $($default)?)?),)* })
            }
        }
    };
    (@type $takes:ty) => { Option<toml::Spanned<<$takes as $crate::key::Takes>::Value>> };
    (@type $takes:ty, required) => { toml::Spanned<<$takes as $crate::key::Takes>::Value> };
    (@type $takes:ty, else) => { <$takes as $crate::key::Takes>::Value };
    (@value $read:ident) => { $read };
    (@value $read:ident, required) => { $read? };
    (@value $read:ident, else $default:expr) => { $read.map_or($default, toml::Spanned::into_inner) };
    (@shown $table:ident $field:ident) => { None };
    (@shown $table:ident $field:ident, required) => { None };
    (@shown $table:ident $field:ident, else $default:expr) => {
        Some($crate::key::Shown::show(&$table::$field().takes, &$default))
    };
}
pub(super) use keys;
