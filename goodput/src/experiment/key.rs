//! Keys as rows of tables. A table makes the struct that keeps a section as it is written, the reading of that section,
//! its table in docs/reference, and the values that `goodput/tests/it/keys` tries.

use super::section::Section;
use super::source::Span;
use super::value::Value;
use evidence::unit::Wrong;
use toml::Spanned;

/// What a key takes.
pub trait Takes {
    type Value;

    /// The value of `key`, if it is there and can be read.
    fn read(&self, section: &mut Section, key: &'static str) -> Option<Spanned<Self::Value>>;

    /// In words, for the reference.
    fn words(&self) -> String;

    /// Values at its bounds, just beyond them, and of another unit or type.
    fn trials(&self) -> Vec<Trial>;
}

/// What a key takes that is one value of TOML.
pub trait Leaf {
    type Value;

    fn parse(&self, value: &Value) -> Result<Self::Value, Wrong>;
    fn words(&self) -> String;
    fn trials(&self) -> Vec<Trial>;
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
}

/// Has a default that is the same everywhere.
pub trait Shown: Takes {
    /// A value as the reference shows it.
    fn show(&self, value: &Self::Value) -> String;
}

/// A value to try.
#[derive(Debug, Clone)]
pub struct Trial {
    /// As TOML has it.
    pub toml: String,
    /// How the error about it ends, or goes on after the value; `None` if the key takes it.
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

/// A row: a key, and all that is to be known of it.
#[derive(Debug, Clone, Copy)]
pub struct Key<T> {
    pub about: About,
    pub takes: T,
}

/// What a row says beside what the key takes.
#[derive(Debug, Clone, Copy)]
pub struct About {
    pub name: &'static str,
    /// Words of the section's kind that have the key; all if none is named.
    pub kinds: &'static [&'static str],
    /// What else holds of its value, after its bounds.
    limit: &'static str,
    /// What holds where it is not written.
    default: &'static str,
    /// Directions of a link for which it holds.
    direction: &'static str,
    /// What to add to the error if it is missing, of keys that must be there.
    pub required: Option<fn(Wrong) -> Wrong>,
    meaning: &'static str,
}

/// The row of a key that may be left out.
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

    /// Its value in a section. [`check_kinds`] says that a key of some kinds is missing.
    pub fn read(&self, section: &mut Section) -> Option<Spanned<T::Value>> {
        let About { name, kinds, required, .. } = self.about;
        if let Some(why) = required.filter(|_| kinds.is_empty() && !section.has(name)) {
            section.lack(name, why);
        }
        self.takes.read(section, name)
    }

    /// The row of the reference; `default` is one that is a value.
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
        }
    }
}

/// A row as the reference and the tests have it.
#[derive(Debug, Clone)]
pub struct KeyRow {
    pub name: &'static str,
    /// The kinds that have it; all if none is named.
    pub kinds: &'static [&'static str],
    pub takes: String,
    pub default: String,
    /// Directions of a link for which it holds; nothing for other keys.
    pub direction: &'static str,
    pub meaning: &'static str,
    pub trials: Vec<Trial>,
}

/// The rows of a section.
#[derive(Debug, Clone)]
pub struct KeyTable {
    /// How the section is headed.
    pub heading: &'static str,
    /// The key that says of what kind it is.
    pub kind: Option<&'static str>,
    pub rows: Vec<KeyRow>,
}

/// What is written, without its place.
pub fn value_of<T: Copy>(value: &Option<Spanned<T>>) -> Option<T> {
    value.as_ref().map(|value| *value.get_ref())
}

/// Notes keys of other kinds, and those of its own that a section must have. If the kind is written, keys of others are
/// not even accepted.
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

/// Whether tables of a kind have a key.
pub fn has_key(kind: &str, key: &str, keys: &[About]) -> bool {
    let row = keys.iter().find(|row| row.name == key);
    row.is_none_or(|row| row.kinds.is_empty() || row.kinds.contains(&kind))
}

/// A section as it is written.
pub trait Table: Sized {
    /// Where it is written.
    fn span(&self) -> Span;

    /// What its rows say beside what the keys take.
    fn keys() -> Vec<About>;

    /// Its rows for the reference.
    fn rows() -> Vec<KeyRow>;
}

/// A table that is only there if the keys are that it must have.
pub trait Whole: Table {
    /// Reads the keys in their order.
    fn read(section: &mut Section) -> Option<Self>;

    /// Reads a table that has no other keys.
    fn whole(mut section: Section) -> Option<Self> {
        let table = Self::read(&mut section);
        section.finish();
        table
    }
}

/// A table of keys: a field, what its key takes, and its row. What is written under the key is there with its place, if
/// it is; with `else` it is the value, or that default. The struct of a table `or None` is there only if all `required`
/// keys are.
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
            span: $crate::experiment::source::Span,
            $(pub $field: keys!(@type $takes $(, $rest)?),)*
        }

        impl $table {
            $(pub fn $field() -> $crate::experiment::key::Key<$takes> {
                $key
            })*
        }

        impl $crate::experiment::key::Table for $table {
            fn span(&self) -> $crate::experiment::source::Span {
                self.span.clone()
            }

            fn keys() -> Vec<$crate::experiment::key::About> {
                vec![$($table::$field().about),*]
            }

            fn rows() -> Vec<$crate::experiment::key::KeyRow> {
                vec![$($table::$field().row(keys!(@shown $table $field $(, $rest $($default)?)?))),*]
            }
        }
    };
    (@read $table:ident { $($field:ident: $takes:ty = $key:expr $(, $rest:tt $($default:expr)?)?;)* }) => {
        impl $table {
            /// Reads the keys in their order.
            pub fn read(section: &mut $crate::experiment::section::Section) -> $table {
                $(let $field = $table::$field().read(section);)*
                $table { span: section.span.clone(), $($field: keys!(@value $field $(, $rest $($default)?)?),)* }
            }
        }
    };
    (@whole $table:ident { $($field:ident: $takes:ty = $key:expr $(, $rest:tt $($default:expr)?)?;)* }) => {
        impl $crate::experiment::key::Whole for $table {
            fn read(section: &mut $crate::experiment::section::Section) -> Option<$table> {
                $(let $field = $table::$field().read(section);)*
                Some($table { span: section.span.clone(), $($field: keys!(@value $field $(, $rest $($default)?)?),)* })
            }
        }
    };
    (@type $takes:ty) => { Option<toml::Spanned<<$takes as $crate::experiment::key::Takes>::Value>> };
    (@type $takes:ty, required) => { toml::Spanned<<$takes as $crate::experiment::key::Takes>::Value> };
    (@type $takes:ty, else) => { <$takes as $crate::experiment::key::Takes>::Value };
    (@value $read:ident) => { $read };
    (@value $read:ident, required) => { $read? };
    (@value $read:ident, else $default:expr) => { $read.map_or($default, toml::Spanned::into_inner) };
    (@shown $table:ident $field:ident) => { None };
    (@shown $table:ident $field:ident, required) => { None };
    (@shown $table:ident $field:ident, else $default:expr) => {
        Some($crate::experiment::key::Shown::show(&$table::$field().takes, &$default))
    };
}
pub(super) use keys;
