//! Commands as text.

/// A value as a word of a command.
pub fn quoted(value: &str) -> String {
    if value.contains(' ') { format!("\"{value}\"") } else { value.to_owned() }
}

/// A command in lines of a width, each but the last ending in a backslash: broken behind an operator if there is one,
/// else between words; nothing within quotes is broken.
pub fn folded(command: &str, width: usize) -> Vec<String> {
    let mut rest: &[&str] = &words(command);
    let mut lines = vec![];
    while !rest.is_empty() {
        let indent = if lines.is_empty() { "" } else { "  " };
        let fits = |count: &usize| {
            let length: usize = rest[..*count].iter().map(|word| word.len() + 1).sum();
            let end = if *count < rest.len() { " \\".len() } else { 0 };
            indent.len() + length - 1 + end <= width
        };
        let most = (1..=rest.len()).take_while(fits).last().unwrap_or(1);
        let ends = |count: &usize| ["||", "&&", "|"].contains(&rest[count - 1]) || rest[count - 1].ends_with(';');
        let count = if most == rest.len() {
            most
        } else {
            // A redirection stays with its file.
            let least = if most > 1 && rest[most - 1] == ">" { most - 1 } else { most };
            (1..=most).rev().find(ends).unwrap_or(least)
        };
        let end = if count < rest.len() { " \\" } else { "" };
        lines.push(format!("{indent}{}{end}", rest[..count].join(" ")));
        rest = &rest[count..];
    }
    lines
}

/// What stands between blanks outside of quotes.
fn words(command: &str) -> Vec<&str> {
    let (mut words, mut from, mut quote) = (vec![], 0, None);
    for (at, sign) in command.char_indices() {
        match quote {
            None if sign == ' ' => {
                words.push(&command[from..at]);
                from = at + 1;
            }
            None if sign == '\'' || sign == '"' => quote = Some(sign),
            Some(open) if open == sign => quote = None,
            _ => {}
        }
    }
    words.push(&command[from..]);
    words
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
}
