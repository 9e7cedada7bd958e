//! Settings of a point of a sweep, and how a point is called.

use crate::KERNEL;
use base::show::capital;
use evidence::plain;
use serde::{Deserialize, Serialize};

/// A key of the experiment and its value as text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Setting {
    /// The key's path in the experiment, or the name of the cases.
    pub key: String,
    pub value: String,
}

impl Setting {
    /// Returns the value; a value that says nothing alone gets the last part of the key before it.
    pub fn label(&self) -> String {
        let version = self.key == KERNEL && self.value.starts_with(|c: char| c.is_ascii_digit());
        let bare = matches!(self.value.as_str(), "true" | "false" | "none") || self.value.parse::<f64>().is_ok();
        match self.key.rsplit('.').next() {
            Some(name) if bare || version => format!("{name} {}", self.value),
            _ => self.value.clone(),
        }
    }
}

/// Formats a point by its values.
pub fn label(point: &[Setting]) -> String {
    labels(point).join(", ")
}

/// Returns the labels of a point's settings. If there are several, one that contains commas gets parentheses.
pub fn labels(point: &[Setting]) -> Vec<String> {
    let set_off = |label: String| if point.len() > 1 && label.contains(", ") { format!("({label})") } else { label };
    point.iter().map(|setting| set_off(plain::line(&setting.label()).into_owned())).collect()
}

/// Returns the settings of a point that a name leaves open. Names are like `cubic`, `every 100, cubic` or
/// `congestion=cubic`; `None` if it names another point.
pub fn left_open(point: &[Setting], name: &str) -> Option<Vec<Setting>> {
    if label(point) == name {
        return Some(vec![]);
    }
    let mut open = point.to_vec();
    for part in name.split(',').map(str::trim) {
        let (key, value) = part.split_once('=').map_or((None, part), |(key, value)| (Some(key.trim()), value.trim()));
        let is = |setting: &Setting| {
            let last = setting.key.rsplit('.').next();
            let of_key = key.is_none_or(|key| setting.key == key || last == Some(key));
            of_key && (setting.value == value || setting.label() == value)
        };
        open.remove(open.iter().position(is)?);
    }
    Some(open)
}

/// Puts the point before a sentence.
pub fn about(point: &[Setting], sentence: &str) -> String {
    if point.is_empty() { sentence.to_owned() } else { format!("{}: {sentence}", label(point)) }
}

/// Puts the point before a sentence, and capitalizes the sentence if there is no point.
pub fn at(point: &[Setting], sentence: &str) -> String {
    if point.is_empty() { capital(sentence) } else { about(point, sentence) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_called_by_what_says_something() {
        let setting = |(key, value): (&str, &str)| Setting { key: key.into(), value: value.into() };
        let point = [("hosts.ecn", "false"), ("flows.count", "4"), ("path.buffer", "1 BDP")].map(setting);
        assert_eq!(label(&point), "ecn false, count 4, 1 BDP");
        let point = [("run", "command ip route, at 1 s"), ("path.changes", "none"), ("path.offloads", "tso, gso")];
        let point = point.map(setting);
        assert_eq!(label(&point), "(command ip route, at 1 s), changes none, (tso, gso)");
        assert_eq!(label(&point[..1]), "command ip route, at 1 s");
    }

    #[test]
    fn a_point_is_found_by_its_name_or_a_part_of_it() {
        let setting = |(key, value): (&str, &str)| Setting { key: key.into(), value: value.into() };
        let point = [("path.loss", "every 100"), ("flows.congestion", "cubic"), ("flows.count", "4")].map(setting);
        let open = |name: &str| {
            left_open(&point, name)
                .map(|open| open.into_iter().map(|setting| setting.key).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(open("every 100, cubic, count 4").as_deref(), Some(""));
        assert_eq!(open("cubic").as_deref(), Some("path.loss flows.count"));
        assert_eq!(open("congestion=cubic, count 4").as_deref(), Some("path.loss"));
        assert_eq!(open("flows.count = 4").as_deref(), Some("path.loss flows.congestion"));
        assert_eq!([open("bbr"), open("loss=cubic"), open("cubic, cubic")], [None, None, None]);
    }
}
