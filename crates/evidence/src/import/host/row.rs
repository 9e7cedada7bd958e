//! Splits a page into rows: lines without prompts, and the parts of lines that a page has joined.

use super::assignment::assignment;
use crate::import::Page;

/// A line without its prompt, or one part of a joined line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HostRow<'a> {
    /// Index of the line in the page.
    pub index: usize,
    /// The row's text, with leading but without trailing blanks.
    pub text: &'a str,
    /// True if a prompt preceded the text.
    pub prompt: bool,
}

impl<'a> HostRow<'a> {
    /// Splits the text into words; a non-breaking space separates them as well.
    pub fn words(&self) -> impl DoubleEndedIterator<Item = &'a str> + Clone + use<'a> {
        self.text.split_whitespace()
    }

    /// Returns the first word, or an empty text.
    pub fn first(&self) -> &'a str {
        self.words().next().unwrap_or("")
    }

    /// True if the text begins with a blank.
    pub fn indented(&self) -> bool {
        self.text.starts_with(char::is_whitespace)
    }
}

/// A command whose output may follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Command<'a> {
    /// Index of the line in the page.
    pub index: usize,
    /// Command line from the program's name on.
    pub text: &'a str,
}

impl<'a> Command<'a> {
    /// Returns the arguments if the command runs this program.
    pub fn arguments_of(&self, program: &str) -> Option<impl Iterator<Item = &'a str> + use<'a>> {
        let mut words = self.text.split_whitespace();
        (words.next()? == program).then_some(words)
    }
}

/// Programs that are recognized without a prompt.
const PROGRAMS: &[&str] =
    &["cat", "ethtool", "freebsd-version", "ifconfig", "ip", "netstat", "nstat", "sysctl", "tc", "uname"];

/// Programs that run the program after them.
const PREFIX_PROGRAMS: &[&str] = &["sudo", "doas"];

/// Returns the row's command, if it has one.
pub(super) fn command<'a>(row: &HostRow<'a>) -> Option<Command<'a>> {
    let text = program(row.text);
    let first = text.split_whitespace().next()?;
    let bare = || PROGRAMS.contains(&first) && text.split_whitespace().nth(1).is_none_or(is_argument);
    (row.prompt || first == "==>" || bare()).then_some(Command { index: row.index, text })
}

/// True if a word is more likely an argument than prose.
fn is_argument(word: &str) -> bool {
    IP_SUBJECTS.contains(&word) || word.bytes().any(|b| !b.is_ascii_alphabetic()) && !word.ends_with([',', '.', ':'])
}

/// Subcommands of `ip` and `tc`.
const IP_SUBJECTS: &[&str] = &["a", "addr", "address", "l", "link", "qdisc", "r", "route", "tcp_metrics", "xfrm"];

/// Returns a command line from its program's name on.
pub(super) fn program(text: &str) -> &str {
    let mut text = text.trim_start();
    while let Some((first, rest)) = text.split_once(char::is_whitespace) {
        if !PREFIX_PROGRAMS.contains(&first) {
            break;
        }
        text = rest.trim_start();
    }
    text
}

/// Returns the rows of all unclaimed lines, without blank rows. A joined line is split even if it is claimed, because
/// it contains the output of several programs.
pub(super) fn rows<'a>(page: &Page<'a>) -> Vec<HostRow<'a>> {
    let mut rows = vec![];
    for (index, line) in page.lines.iter().enumerate() {
        let before = rows.len();
        unfold(index, line.text, &mut rows);
        if line.claimed && rows.len() <= before + 1 {
            rows.truncate(before);
        }
    }
    rows
}

fn unfold<'a>(index: usize, line: &'a str, rows: &mut Vec<HostRow<'a>>) {
    let mut start = 0;
    let mut prompts = line.match_indices('@').filter_map(|(at, _)| prompt_around(line, at));
    loop {
        let next = prompts.find(|(begins, _)| *begins > start && !line[start..*begins].trim().is_empty());
        let end = next.map_or(line.len(), |(begins, _)| begins);
        let text = &line[start..end];
        match prompt(text) {
            Some(length) => parts(HostRow { index, text: &text[length..], prompt: true }, rows),
            None => parts(HostRow { index, text, prompt: false }, rows),
        }
        match next {
            Some((begins, _)) => start = begins,
            None => break,
        }
    }
}

/// Returns where the prompt around the `@` at `at` begins and ends: `user@host:~ #`, `[user@host ~]$`.
fn prompt_around(line: &str, at: usize) -> Option<(usize, usize)> {
    // A word with two `@` is no prompt.
    let ends = |(_, c): &(usize, char)| c.is_whitespace() || *c == '@';
    let begins = match line[..at].char_indices().rev().take(MAX_PROMPT_CHARS).find(ends) {
        Some((_, '@')) => return None,
        Some((blank, c)) => blank + c.len_utf8(),
        None if at < MAX_PROMPT_CHARS => 0,
        None => return None,
    };
    let after = at + 1;
    let first_ends = match line[after..].char_indices().take(MAX_PROMPT_CHARS).find(ends) {
        Some((_, '@')) => return None,
        Some((blank, _)) => after + blank,
        None if line.len() - at < MAX_PROMPT_CHARS => line.len(),
        None => return None,
    };
    let first = &line[begins..first_ends];
    if at == begins && !first.starts_with('[') {
        return None;
    }
    if first.ends_with(['#', '$', '%']) {
        return Some((begins, first_ends));
    }
    let (second, second_ends) = word_at(line, first_ends)?;
    let closed = second.contains(']') || first.ends_with(']') && second.len() == 2;
    let bracket = first.starts_with('[') && closed && second.ends_with(['#', '$', '%']);
    (bracket || first.contains(':') && matches!(second, "#" | "$" | "%")).then_some((begins, second_ends))
}

/// Most characters of a prompt.
const MAX_PROMPT_CHARS: usize = 200;

/// Returns the next word and where it ends.
fn word_at(line: &str, from: usize) -> Option<(&str, usize)> {
    let rest = &line[from..];
    let begins = from + rest.find(|c: char| !c.is_whitespace())?;
    let ends = line[begins..].find(char::is_whitespace).map_or(line.len(), |blank| begins + blank);
    Some((&line[begins..ends], ends))
}

/// Returns the length of the prompt at the beginning of a text, including the blanks before it.
fn prompt(text: &str) -> Option<usize> {
    let (first, ends) = word_at(text, 0)?;
    if matches!(first, "#" | "$" | "%") {
        return Some(ends);
    }
    let begins = ends - first.len();
    if let Some(at) = first.find('@') {
        return prompt_around(text, begins + at).filter(|(from, _)| *from == begins).map(|(_, ends)| ends);
    }
    let name = first.strip_suffix(['#', '$', '%'])?;
    let named = name.starts_with(|c: char| c.is_ascii_alphabetic()) && ends < text.len();
    (named && name.chars().all(|c| c.is_ascii_alphanumeric() || ":~/.-_".contains(c))).then_some(ends)
}

/// Splits a row that has several settings or qdiscs.
fn parts<'a>(row: HostRow<'a>, rows: &mut Vec<HostRow<'a>>) {
    let text = row.text.trim_end();
    if text.trim_start().is_empty() {
        return;
    }
    let first = program(text).split_whitespace().next().unwrap_or("");
    let begins: fn(&str, usize) -> bool = match first {
        "tc" | "qdisc" => begins_qdisc,
        "sysctl" => begins_setting,
        _ if !row.prompt && begins_setting(text, text.len() - text.trim_start().len()) => begins_setting,
        _ => return rows.push(HostRow { text, ..row }),
    };
    let (mut start, mut at) = (0, 0);
    let mut prompt = row.prompt;
    while let Some((word, ends)) = word_at(text, at) {
        let word_begins = ends - word.len();
        if begins(text, word_begins) && !text[start..word_begins].trim().is_empty() {
            rows.push(HostRow { index: row.index, text: text[start..word_begins].trim_end(), prompt });
            (start, prompt) = (word_begins, false);
        }
        at = ends;
    }
    rows.push(HostRow { index: row.index, text: &text[start..], prompt });
}

/// True if `qdisc fq_codel 8001:` begins here.
fn begins_qdisc(text: &str, at: usize) -> bool {
    let mut words = text[at..].split_whitespace();
    words.next() == Some("qdisc") && words.nth(1).is_some_and(|handle| handle.ends_with(':'))
}

/// True if a key and `=` or `:` begin here.
fn begins_setting(text: &str, at: usize) -> bool {
    assignment(&text[at..]).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<(String, bool)> {
        let page = Page::new("x", text);
        rows(&page).iter().map(|row| (row.text.to_owned(), row.prompt)).collect()
    }

    fn owned(rows: &[(&str, bool)]) -> Vec<(String, bool)> {
        rows.iter().map(|(text, prompt)| ((*text).to_owned(), *prompt)).collect()
    }

    #[test]
    fn prompts_of_all_kinds_are_taken_away() {
        let table = [
            ("# ip route", " ip route", true),
            ("$ nstat", " nstat", true),
            ("[lhop@localhost ~]$ sysctl -p", " sysctl -p", true),
            ("[root@freenas] ~# ifconfig -v", " ifconfig -v", true),
            ("root@host:~# ethtool eth0", " ethtool eth0", true),
            ("cc@Linux:~ % sudo sysctl -p", " sudo sysctl -p", true),
            ("server# netstat -s", " netstat -s", true),
            ("root@host:~\u{a0}#\u{a0}ip link", "\u{a0}ip link", true),
            ("    100% of it", "    100% of it", false),
            ("write to foo@example.org # now", "write to foo@example.org # now", false),
            ("\tinet 10.0.0.1", "\tinet 10.0.0.1", false),
        ];
        for (line, text, prompt) in table {
            assert_eq!(texts(line), owned(&[(text, prompt)]), "{line}");
        }
    }

    #[test]
    fn a_joined_line_is_taken_apart() {
        let line = "cc@Linux:~ % sudo tc qdisc add dev enp1s0 root netem delay 40ms cc@Linux:~ % tc qdisc show dev enp1s0 \
                    qdisc netem 8001: root refcnt 2 limit 1000 delay 40ms cc@Linux:~ % root@n1fbsd:~ # sysctl -f x.conf \
                    net.inet.tcp.hostcache.enable: 0 -> 0 kern.ipc.maxsockbuf: 1 -> 2 root@n1fbsd:~ #";
        let rows = [
            (" sudo tc qdisc add dev enp1s0 root netem delay 40ms", true),
            (" tc qdisc show dev enp1s0", true),
            ("qdisc netem 8001: root refcnt 2 limit 1000 delay 40ms", false),
            (" sysctl -f x.conf", true),
            ("net.inet.tcp.hostcache.enable: 0 -> 0", false),
            ("kern.ipc.maxsockbuf: 1 -> 2", false),
        ];
        assert_eq!(texts(line), owned(&rows));
    }

    #[test]
    fn settings_on_one_line_are_taken_apart_and_prose_is_not() {
        let rows = [("net.core.rmem_max = 1", false), ("net.core.wmem_max = 2", false)];
        assert_eq!(texts("net.core.rmem_max = 1 net.core.wmem_max = 2"), owned(&rows));
        let prose = "We found net.core.rmem_max = 1 and net.core.wmem_max = 2";
        assert_eq!(texts(prose), owned(&[(prose, false)]));
    }

    #[test]
    fn a_claimed_line_has_no_rows_unless_it_is_joined() {
        let mut page = Page::new("x", "net.core.rmem_max = 1\nnet.core.rmem_max = 1 net.core.wmem_max = 2");
        page.claim(0);
        page.claim(1);
        assert_eq!(rows(&page).iter().map(|row| row.index).collect::<Vec<_>>(), [1, 1]);
    }
}
