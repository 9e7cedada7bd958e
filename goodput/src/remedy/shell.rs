//! Folds shell commands into lines.

/// Folds a command into lines of a width, each but the last ending in a backslash: after an operator if there is one,
/// else between words. Within quotes only a sed or awk program longer than a line is folded, because a newline also
/// separates its commands (POSIX).
pub fn folded(command: &str, width: usize) -> Vec<String> {
    let words = words(command, width);
    let mut rest: &[Word] = &words;
    let mut lines = vec![];
    while !rest.is_empty() {
        let indent = if lines.is_empty() { "" } else { "  " };
        let end = |count: usize| if count < rest.len() { rest[count - 1].fold } else { "" };
        let fits = |count: &usize| {
            let length: usize = rest[..*count].iter().map(|word| word.text.len() + 1).sum();
            indent.len() + length - 1 + end(*count).len() <= width
        };
        let most = (1..=rest.len()).take_while(fits).last().unwrap_or(1);
        let text = |count: usize| rest[count - 1].text;
        let is_outside = |count: usize| rest[count - 1].fold == LINE_CONTINUATION;
        let ends = |count: &usize| {
            is_outside(*count) && (["||", "&&", "|"].contains(&text(*count)) || text(*count).ends_with(';'))
        };
        let count = if most == rest.len() {
            most
        } else {
            // A redirection stays with its file.
            let least = if most > 1 && text(most) == ">" { most - 1 } else { most };
            (1..=most).rev().find(ends).unwrap_or(least)
        };
        let line: Vec<&str> = rest[..count].iter().map(|word| word.text).collect();
        lines.push(format!("{indent}{}{}", line.join(" "), end(count)));
        rest = &rest[count..];
    }
    lines
}

/// End of a folded line outside of quotes, where a newline alone would end the command.
const LINE_CONTINUATION: &str = " \\";
const NO_CONTINUATION: &str = "";

/// A word, and the end of a line after it.
struct Word<'c> {
    text: &'c str,
    fold: &'static str,
}

/// Splits a command at blanks outside of quotes, and a quoted program that fits no line of this width into its
/// commands.
fn words(command: &str, width: usize) -> Vec<Word<'_>> {
    let (mut words, mut from, mut quote) = (vec![], 0, None);
    let mut end = |from: &mut usize, to: usize| {
        words.extend(parts(&command[*from..to], width));
        *from = to + 1;
    };
    for (at, sign) in command.char_indices() {
        match quote {
            None if sign == ' ' => end(&mut from, at),
            None if sign == '\'' || sign == '"' => quote = Some(sign),
            Some(open) if open == sign => quote = None,
            _ => {}
        }
    }
    end(&mut from, command.len());
    words
}

fn parts(word: &str, width: usize) -> Vec<Word<'_>> {
    if !word.starts_with('\'') || word.len() + "  ".len() + LINE_CONTINUATION.len() <= width {
        return vec![Word { text: word, fold: LINE_CONTINUATION }];
    }
    let mut parts = vec![];
    let mut rest = word;
    while let Some(at) = ["; ", "} "].iter().filter_map(|end| rest.find(end)).min() {
        parts.push(Word { text: &rest[..=at], fold: NO_CONTINUATION });
        rest = &rest[at + 2..];
    }
    parts.push(Word { text: rest, fold: LINE_CONTINUATION });
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_command_is_broken_between_words() {
        let command = "one 'two  three' four \"five six\" seven";
        assert_eq!(folded(command, 80), [command]);
        let lines = folded(command, 22);
        assert_eq!(lines, ["one 'two  three' \\", "  four \"five six\" \\", "  seven"]);
        assert_eq!(folded("test -s file || print it > file", 24), ["test -s file || \\", "  print it > file"]);
        assert_eq!(folded("print it > /some/file", 14), ["print it \\", "  > /some/file"]);
    }

    #[test]
    fn a_long_program_is_broken_between_its_commands() {
        let command = "sed 's/one//; s/two//; s/three//; q' file";
        assert_eq!(folded(command, 80), [command]);
        assert_eq!(folded(command, 24), ["sed 's/one//; s/two//;", "  s/three//; q' file"]);
        assert_eq!(folded("awk '/a/ { print } /b/ { next }' file", 20), ["awk '/a/ { print }", "  /b/ { next }' file"]);
    }
}
