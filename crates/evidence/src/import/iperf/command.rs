//! Finds iperf command lines anywhere in a text; options as in iperf3's manual page.

use crate::listing::Protocol;

/// A command and its options.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Command {
    /// Words of the command, separated by single blanks.
    pub words: String,
    /// True for iperf 2.
    pub is_iperf2: bool,
    pub server: bool,
    pub reverse: bool,
    pub bidirectional: bool,
    pub protocol: Option<Protocol>,
    pub congestion: Option<String>,
    pub duration: Option<f64>,
    pub omit: Option<f64>,
    pub target: Option<f64>,
    pub mss: Option<u32>,
    pub block: Option<u64>,
    pub asked: Option<u64>,
    pub nodelay: bool,
}

/// Options that take a value: short and long names; an empty name means none.
const VALUE_OPTIONS: &[(&str, &str)] = &[
    ("A", "affinity"),
    ("B", "bind"),
    ("C", "congestion"),
    ("F", "file"),
    ("I", "pidfile"),
    ("L", "flowlabel"),
    ("M", "set-mss"),
    ("O", "omit"),
    ("P", "parallel"),
    ("S", "tos"),
    ("T", "title"),
    ("X", "xbind"),
    ("b", "bitrate"),
    ("b", "bandwidth"),
    ("c", "client"),
    ("f", "format"),
    ("i", "interval"),
    ("k", "blockcount"),
    ("l", "length"),
    ("n", "bytes"),
    ("p", "port"),
    ("t", "time"),
    ("w", "window"),
    ("", "bind-dev"),
    ("", "connect-timeout"),
    ("", "cport"),
    ("", "dscp"),
    ("", "extra-data"),
    ("", "fq-rate"),
    ("", "linux-congestion"),
    ("", "logfile"),
    ("", "nstreams"),
    ("", "pacing-timer"),
    ("", "rcv-timeout"),
    ("", "snd-timeout"),
];

/// Returns the last command in a line that starts a client, or else a server.
pub(super) fn find(line: &str) -> Option<Command> {
    let starts = line.rmatch_indices("iperf").take(MAX_COMMANDS_PER_LINE).map(|(at, _)| &line[at..]);
    let mut commands: Vec<Command> = starts.filter_map(read).collect();
    let client = commands.iter().position(|command| !command.server);
    (!commands.is_empty()).then(|| commands.swap_remove(client.unwrap_or(0)))
}

/// Most commands read per line, so that a long line costs one pass.
const MAX_COMMANDS_PER_LINE: usize = 4;

/// Most words of a command.
const MAX_COMMAND_WORDS: usize = 64;

/// Characters that end a command: shell operators, markup and punctuation.
const COMMAND_ENDS: &[char] = &['`', '|', ';', ')', '&', '>', '<', '，', '。', '、'];

/// Parses the command at the start of a text, up to the first word that is no option.
fn read(text: &str) -> Option<Command> {
    let text = text.split(COMMAND_ENDS).next()?;
    let mut words = text.split_whitespace().take(MAX_COMMAND_WORDS).peekable();
    let program = words.next()?;
    let is_iperf2 = match program {
        "iperf3" | "iperf3.exe" => false,
        "iperf" | "iperf2" | "iperf.exe" => true,
        _ => return None,
    };
    let mut command = Command { words: program.to_owned(), is_iperf2, ..Command::default() };
    let mut has_end = false;
    while let Some(word) = words.next_if(|word| is_option(word)) {
        command.words += &format!(" {word}");
        for (name, inline) in options(word) {
            let value = match inline {
                None if takes_value(name) => words.next_if(|word| !is_option(word)).inspect(|word| {
                    command.words += &format!(" {word}");
                }),
                inline => inline,
            };
            has_end |= matches!(name, "c" | "client" | "s" | "server");
            command.take(name, value);
        }
    }
    has_end.then_some(command)
}

fn takes_value(name: &str) -> bool {
    VALUE_OPTIONS.iter().any(|(short, long)| name == *short || name == *long)
}

fn is_option(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c == '-' || c.is_ascii_alphanumeric()))
}

/// Returns the options in a word, each with the value that is part of the word: `--time=60`, `-t60`; `-VC` contains
/// two.
fn options(word: &str) -> Vec<(&str, Option<&str>)> {
    if let Some(long) = word.strip_prefix("--") {
        let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
        return vec![(name, value)];
    }
    let mut found = vec![];
    for (at, letter) in word.char_indices().skip(1).take(MAX_COMMAND_WORDS) {
        let (name, rest) = word[at..].split_at(letter.len_utf8());
        let takes = takes_value(name);
        found.push((name, Some(rest).filter(|rest| takes && !rest.is_empty())));
        if takes {
            break;
        }
    }
    found
}

impl Command {
    fn take(&mut self, name: &str, value: Option<&str>) {
        let number = || value.and_then(|value| value.parse::<f64>().ok()).filter(|n| n.is_finite() && *n > 0.0);
        match name {
            "s" | "server" => self.server = true,
            "R" | "reverse" => self.reverse = true,
            "bidir" => self.bidirectional = true,
            "u" | "udp" => self.protocol = Some(Protocol::Udp),
            "sctp" => self.protocol = Some(Protocol::Sctp),
            // In iperf 2, -C means compatibility mode.
            "C" if self.is_iperf2 => {}
            "C" | "congestion" | "linux-congestion" => self.congestion = value.map(str::to_owned),
            "t" | "time" => self.duration = number(),
            "O" | "omit" if !self.is_iperf2 => self.omit = number(),
            "M" | "set-mss" => self.mss = value.and_then(|value| value.parse().ok()),
            "b" | "bitrate" | "bandwidth" | "fq-rate" => self.target = value.and_then(rate),
            "l" | "length" => self.block = value.and_then(size),
            "w" | "window" => self.asked = value.and_then(size),
            "N" | "no-delay" | "nodelay" => self.nodelay = true,
            _ => {}
        }
    }
}

/// Returns the digits, and the power that iperf's suffix means.
fn scaled(text: &str) -> Option<(&str, u32)> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let power = match &text[digits.len()..] {
        "" => 0,
        "k" | "K" => 1,
        "m" | "M" => 2,
        "g" | "G" => 3,
        _ => return None,
    };
    Some((digits, power))
}

/// Parses bytes with suffixes that are powers of 1024. A trailing `B` is ignored.
fn size(text: &str) -> Option<u64> {
    let (digits, power) = scaled(text.strip_suffix('B').unwrap_or(text))?;
    digits.parse::<u64>().ok()?.checked_mul(1024_u64.pow(power))
}

/// Parses bit/s with suffixes that are powers of 1000, optionally followed by a slash and a burst.
fn rate(text: &str) -> Option<f64> {
    let (digits, power) = scaled(text.split('/').next()?)?;
    digits.parse().ok().map(|number: f64| number * 1000_f64.powi(power as i32)).filter(|rate| *rate > 0.0)
}
