//! Reads settings: sysctl's output, its commands, and its file.

use super::assignment::{Assignment, assignment, is_key};
use super::draft::Draft;
use super::row::{self, HostRow};
use crate::{Route, Setting, System};

/// FreeBSD's tables: the table's key, and the key of the setting that column D marks.
const TABLES: &[(&str, &str)] = &[
    ("net.inet.tcp.cc.available", "net.inet.tcp.cc.algorithm"),
    ("net.inet.tcp.functions_available", "net.inet.tcp.functions_default"),
];

const HOST_CACHE: &str = "net.inet.tcp.hostcache.list";

pub(super) fn read(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let row = &rows[0];
    if let Some(found) = asked(row, draft) {
        push(draft, row.index, &found.0, &found.1);
        return 1;
    }
    let text = row::program(row.text);
    match text.split_whitespace().next() {
        Some("sysctl:") => {
            draft.wrong(row.index, "an error of sysctl");
            return 1;
        }
        Some("sysctl") if is_command(text) && rows.get(1).is_none_or(|next| next.index != row.index) => {
            let prints = rows.get(1).is_some_and(|next| !next.prompt && assignment(next.text.trim_start()).is_some());
            return usize::from(!prints && is_quiet(text));
        }
        Some("echo") => return usize::from(written(row.index, text, draft)),
        Some("EOF") if row.text.trim() == "EOF" => {
            return usize::from(draft.command.is_some_and(|c| c.text.contains("<<")));
        }
        _ if row.prompt => return 0,
        _ => {}
    }
    let Some(found) = assignment(row.text.trim_start()) else { return 0 };
    let Some(value) = value(&found, is_next(row, draft)) else { return 0 };
    if found.printed && value.is_empty() {
        return 1 + below(rows, found.key, draft);
    }
    push(draft, row.index, found.key, &value);
    if let Some(setting) = draft.host.settings.last_mut().filter(|setting| setting.key == found.key) {
        setting.was = replaced(found.value);
    }
    // The second line of `kern.version` says where it was built.
    let built = |next: &HostRow<'_>| next.index == row.index + 1 && next.indented() && !next.prompt;
    1 + usize::from(found.key == "kern.version" && rows.get(1).is_some_and(built))
}

/// Returns the value with single blanks between fields; `None` for prose. With `next`, the line before is a setting as
/// well, so any text can be a value.
fn value(found: &Assignment<'_>, next: bool) -> Option<String> {
    let mut text = found.value.trim();
    if let Some(quoted) = text.strip_prefix(['"', '\'']) {
        text = quoted.split(['"', '\'']).next().unwrap_or(quoted);
    } else if !text.starts_with(['|', '#']) {
        let ends = ["\t#", " #", " && ", " | ", " ; ", " >"].iter().filter_map(|sign| text.find(sign)).min();
        text = text[..ends.unwrap_or(text.len())].trim_end().trim_end_matches(';');
    }
    if let Some((_, new)) = text.rsplit_once("->") {
        text = new;
    }
    let joined: Vec<&str> = text.split_whitespace().collect();
    let strict = found.key.starts_with("net.") || found.key.starts_with("kern.ipc.");
    let good = joined.is_empty() || is_plain(&joined) || is_list(found.key, &joined);
    (good || next && !strict).then(|| joined.join(" "))
}

/// Returns the old value in `old -> new`.
fn replaced(text: &str) -> Option<String> {
    let fields: Vec<&str> = text.rsplit_once("->")?.0.split_whitespace().collect();
    (!fields.is_empty() && is_plain(&fields)).then(|| fields.join(" "))
}

/// True for numbers, or one word.
fn is_plain(fields: &[&str]) -> bool {
    let number = |field: &&str| field.strip_prefix('-').unwrap_or(field).starts_with(|c: char| c.is_ascii_digit());
    let signs = |field: &&str| field.bytes().all(|b| b.is_ascii_alphanumeric() || b"-+._,:/%".contains(&b));
    let name = |c: char| c.is_ascii_lowercase() || c == '/';
    match fields {
        [word] if word.starts_with(name) || *word == "NONE" || *word == "FreeBSD" || *word == "Linux" => signs(word),
        _ => fields.iter().all(|field| number(field) && signs(field)),
    }
}

/// True for a list of algorithm names.
fn is_list(key: &str, fields: &[&str]) -> bool {
    let last = key.rsplit('.').next().unwrap_or(key);
    let named =
        |field: &&str| field.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-,".contains(&b));
    (last.contains("available") || last.contains("allowed")) && fields.iter().all(named)
}

/// True if a setting ends directly before this row.
fn is_next(row: &HostRow<'_>, draft: &Draft<'_>) -> bool {
    let before = draft.last.is_some_and(|last| last == row.index || last + 1 == row.index);
    before && !draft.host.settings.is_empty()
}

/// Suffixes of keys whose values are secret and not kept.
const SECRETS: &[&str] = &["fastopen_key", "stable_secret"];

fn push(draft: &mut Draft<'_>, index: usize, key: &str, value: &str) {
    let system = System::of_setting(key);
    match (key, system) {
        ("kern.osrelease", _) => draft.version(System::FreeBsd, value),
        ("kernel.osrelease", _) => draft.version(System::Linux, value),
        (_, Some(system)) => draft.seen(system),
        _ => {}
    }
    if SECRETS.iter().any(|secret| key.ends_with(secret)) {
        return;
    }
    draft.host.settings.push(Setting::new(draft.place(index), key, value));
}

/// Reads the lines that FreeBSD prints below a key: a table, or text up to the next setting. Returns the number of
/// rows.
fn below(rows: &[HostRow<'_>], key: &str, draft: &mut Draft<'_>) -> usize {
    let adjacent = |pair: &[HostRow<'_>]| pair[1].index <= pair[0].index + 1 && !pair[1].prompt;
    let last =
        rows.windows(2).take_while(|pair| adjacent(pair) && assignment(pair[1].text.trim_start()).is_none()).count();
    let (row, body) = (&rows[0], &rows[1..=last]);
    if let Some((_, default)) = TABLES.iter().find(|(table, _)| *table == key) {
        let lines = body.iter().take_while(|row| is_table(row)).count();
        let names: Vec<&str> = body[..lines].iter().skip(1).map(HostRow::first).collect();
        push(draft, row.index, key, &names.join(" "));
        for line in &body[..lines] {
            if line.words().nth(1) == Some("*") {
                push(draft, line.index, default, line.first());
            }
        }
        return lines;
    }
    if key == HOST_CACHE {
        return cached(body, draft);
    }
    let ends_before_setting = rows.get(last + 1).is_some_and(|next| next.index <= rows[last].index + 1 && !next.prompt);
    let is_version = key == "kern.version";
    let lines = if is_version || ends_before_setting { body.len() } else { 0 };
    let text: Vec<&str> = body[..lines].iter().flat_map(HostRow::words).collect();
    push(draft, row.index, key, &text.join(" "));
    lines
}

/// True for a table's rows: `CCmod D PCB count`, `cubic * 38`.
fn is_table(row: &HostRow<'_>) -> bool {
    let head = matches!(row.first(), "CCmod" | "Stack");
    head || row.words().count() >= 2 && row.words().next_back().is_some_and(|count| count.parse::<u64>().is_ok())
}

/// Reads the host cache, one line per peer; returns the number of rows.
fn cached(body: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let Some((head, lines)) = body.split_first().filter(|(head, _)| head.text.trim_start().starts_with("IP address"))
    else {
        return 0;
    };
    let columns: Vec<String> = head.words().skip(2).map(str::to_lowercase).collect();
    let whole = |row: &&HostRow<'_>| row.words().count() == columns.len() + 1;
    let mut taken = 1;
    for line in lines.iter().take_while(whole) {
        let place = draft.place(line.index);
        let mut route =
            Route { place, to: line.first().to_owned(), via: None, device: None, mtu: None, attributes: vec![] };
        for (column, value) in columns.iter().zip(line.words().skip(1)).filter(|(_, value)| *value != "0") {
            match column.as_str() {
                "mtu" => route.mtu = draft.number(line.index, "the MTU", value),
                // FreeBSD's spelling.
                "sstresh" => route.attributes.push(("ssthresh".to_owned(), value.to_owned())),
                _ => route.attributes.push((column.clone(), value.to_owned())),
            }
        }
        route.attributes.push(("metrics".to_owned(), "cached".to_owned()));
        draft.host.routes.push(route);
        taken += 1;
    }
    taken
}

/// Returns the setting if a command asked for one key, so that only the value is printed.
fn asked(row: &HostRow<'_>, draft: &Draft<'_>) -> Option<(String, String)> {
    let command = draft.command.filter(|command| !row.prompt && draft.last.is_none_or(|last| last <= command.index))?;
    let key = if let Some(mut words) = command.arguments_of("cat") {
        words.next()?.strip_prefix("/proc/sys/")?.replace('/', ".")
    } else {
        let mut words = command.arguments_of("sysctl")?;
        words.next().filter(|word| *word == "-n")?;
        words.next()?.to_owned()
    };
    let found = Assignment { key: &key, value: row.text, printed: false };
    let value = value(&found, false).filter(|value| is_key(&key) && !value.is_empty())?;
    Some((key, value))
}

/// True if all arguments of a command are files, options or keys of sysctl.
fn is_command(text: &str) -> bool {
    let plain = |word: &str| word.starts_with('-') || word.contains('/') || word.ends_with(".conf") || is_key(word);
    text.split_whitespace().skip(1).take_while(|word| !word.contains(['|', '>', ';', '&'])).all(plain)
}

/// True if a command prints nothing.
fn is_quiet(text: &str) -> bool {
    text.split_whitespace().nth(1).is_some_and(|option| matches!(option, "-p" | "--system" | "-q" | "-f"))
}

/// Reads `echo 'net.inet.tcp.cc.algorithm=dctcp' | sudo tee -a /etc/sysctl.conf` or `echo 1 >
/// /proc/sys/net/ipv4/ip_forward`; true if the line is one of these.
fn written(index: usize, text: &str, draft: &mut Draft<'_>) -> bool {
    let Some((said, file)) = text["echo".len()..].split_once(['|', '>']) else { return false };
    let said = said.trim().trim_start_matches("-e ").trim().trim_matches(['"', '\'']);
    if let Some((_, key)) = file.split_once("/proc/sys/") {
        let key = key.split_whitespace().next().unwrap_or("").replace('/', ".");
        let found = Assignment { key: &key, value: said, printed: false };
        let value = value(&found, false).filter(|value| is_key(&key) && !value.is_empty());
        return value.map(|value| push(draft, index, &key, &value)).is_some();
    }
    if !file.contains("sysctl") && !file.contains("loader.conf") {
        return false;
    }
    let found = assignment(said).filter(|found| !found.printed);
    let found = found.and_then(|found| Some((found.key, value(&found, false)?)));
    found.map(|(key, value)| push(draft, index, key, &value)).is_some()
}
