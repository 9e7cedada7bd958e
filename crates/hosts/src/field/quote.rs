//! Quotes words for a POSIX shell (XCU 2.2).

/// Quotes a text as one word of a script that `sh` reads. Removes NUL, which no argument can contain.
pub fn quoted(text: &str) -> String {
    match is_plain(text) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\0', "").replace('\'', r"'\''")),
    }
}

/// Whether any login shell takes a text as one word without quotes: sh, csh and fish alike.
pub fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('-')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._+:@-".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::process::Command;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        /// The shell itself is the oracle.
        #[test]
        fn sh_gives_back_what_was_quoted(text in "[^\0]*") {
            let script = format!("printf %s {}", quoted(&text));
            let output = Command::new("sh").arg("-c").arg(script).output().unwrap();
            prop_assert_eq!(String::from_utf8(output.stdout).unwrap(), text);
        }
    }

    #[test]
    fn an_option_and_an_empty_word_are_quoted() {
        assert_eq!(
            ["-n", "", "a b", "it's", "10.0.0.1:5201"].map(quoted),
            ["'-n'", "''", "'a b'", r"'it'\''s'", "10.0.0.1:5201"]
        );
    }
}
