//! AccECN in captures against the kernel's own tests: packetdrill scripts (`tcp_accecn_*.pkt` of
//! tools/testing/selftests/net/packetdrill), whose packets are read as a capture at the host under test.
//!
//! Two figures are compared: the feedback that the host has received about its own data (`tcpi_delivered_ce` and bytes,
//! if a script asserts them), and the feedback that it sends (ACE and options of its packets, against the CE-marked
//! packets that it has received).

use crate::{files, name};
use evidence::capture;
use evidence::ecn::Heard;
use std::io;
use std::path::Path;

/// The host that is tested, and the other; ports differ as addresses do.
const LOCAL: u8 = 1;
const REMOTE: u8 = 2;

/// Initial sequence numbers, by the sender.
const INITIAL_SEQUENCES: [u32; 3] = [0, 1000, 5_000_000];

/// A line of a script.
enum Step {
    Packet(Packet),
    /// A counter of `struct tcp_info`, and its expected value.
    Due(String, u64),
}

struct Packet {
    time: f64,
    from: u8,
    ecn: u8,
    flags: u16,
    seq: u32,
    payload: u32,
    ack: Option<u32>,
    window: u16,
    options: Vec<u8>,
}

const SYN: u16 = 2;
const ACK: u16 = 16;
const CE: u8 = 3;

/// Compares every script of a folder, and prints a table.
pub fn holds(folder: &Path) -> io::Result<bool> {
    let (mut compared, mut scripts, mut holds) = (0, 0, true);
    for path in files(folder, "pkt")? {
        let script = std::fs::read_to_string(&path)?;
        let steps = steps(&script);
        let before = compared;
        for (what, due, found, agrees) in of_assertions(&steps).into_iter().chain(of_answers(&steps)) {
            compared += 1;
            holds &= agrees;
            if !agrees {
                println!("{}: {what} is {found}, due {due}", name(&path));
            }
        }
        scripts += usize::from(compared > before);
    }
    println!("packetdrill: {compared} figures of {scripts} scripts compared");
    Ok(holds && compared > 0)
}

/// Name of a figure, expected value, value found, and whether they agree.
type Figure = (String, u64, String, bool);

fn of_assertions(steps: &[Step]) -> Vec<Figure> {
    let mut figures = vec![];
    for (at, step) in steps.iter().enumerate() {
        let Step::Due(counter, due) = step else { continue };
        let Some(heard) = heard(&steps[..at], LOCAL) else { continue };
        let found = counted(counter, &heard);
        figures.push((counter.clone(), *due, format!("{found:?}"), (found[0]..=found[1]).contains(due)));
    }
    figures
}

/// A counter of `struct tcp_info` as the capture has it, at the least and at the most.
fn counted(counter: &str, heard: &Heard) -> [u64; 2] {
    let bytes = heard.bytes.unwrap_or_default();
    match counter {
        "tcpi_delivered_ce" => heard.marked.unwrap_or_default(),
        "tcpi_delivered_ce_bytes" => [bytes.ce; 2],
        "tcpi_delivered_e0_bytes" => [bytes.ect0; 2],
        _ => [bytes.ect1; 2],
    }
}

/// Until the last packet that the tested host is to send.
fn of_answers(steps: &[Step]) -> Option<Figure> {
    let is_local = |step: &Step| matches!(step, Step::Packet(packet) if packet.from == LOCAL);
    let end = steps.iter().rposition(is_local)?;
    let heard = heard(&steps[..=end], REMOTE)?;
    let mut marked = 0;
    let mut syn_acks = false;
    for step in &steps[..end] {
        let Step::Packet(packet) = step else { continue };
        if packet.from != REMOTE || packet.ecn != CE || packet.flags & (SYN | ACK) == SYN {
            continue;
        }
        // RFC 9768, 3.2.2.2: of SYN-ACKs with CE one counts.
        marked += u64::from(packet.flags & SYN == 0 || !std::mem::replace(&mut syn_acks, true));
    }
    let found = heard.marked.unwrap_or_default();
    Some(("packets with CE".into(), marked, format!("{found:?}"), (found[0]..=found[1]).contains(&marked)))
}

/// AccECN feedback to an end, if that end sends the data.
fn heard(steps: &[Step], sender: u8) -> Option<Heard> {
    let packets = steps.iter().filter_map(|step| match step {
        Step::Packet(packet) => Some(packet),
        Step::Due(..) => None,
    });
    let read = capture::read("script", &pcap(packets)[..]).expect("a capture");
    let connection = read.connections.into_iter().next()?;
    let from = connection.ends?[0];
    let is_of_sender = from.to_string().ends_with(&format!(".{sender}"));
    connection.ecn_detail?.heard.filter(|_| is_of_sender)
}

/// The packets as a pcap of IPv4 with headers alone.
fn pcap<'p>(packets: impl Iterator<Item = &'p Packet>) -> Vec<u8> {
    const RAW_IP: u32 = 101;
    let mut bytes = vec![];
    for word in [0xA1B2_C3D4, 0x0004_0002, 0, 0, 65_535, RAW_IP] {
        bytes.extend(u32::to_le_bytes(word));
    }
    for (id, packet) in (1_u16..).zip(packets) {
        let header = packet.header(id);
        let micros = (packet.time * 1e6) as u32;
        let length = header.len() as u32;
        for word in [micros / 1_000_000, micros % 1_000_000, length, length + packet.payload] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(header);
    }
    bytes
}

impl Packet {
    /// Its headers of IPv4 and TCP.
    fn header(&self, id: u16) -> Vec<u8> {
        let to = LOCAL + REMOTE - self.from;
        let mut options = self.options.clone();
        options.resize(options.len().next_multiple_of(4), 1);
        let tcp = 20 + options.len() as u16;
        let total = 20 + tcp + self.payload as u16;
        let mut bytes = vec![0x45, self.ecn];
        bytes.extend([total.to_be_bytes(), id.to_be_bytes(), [0x40, 0]].concat());
        bytes.extend([64, 6, 0, 0, 10, 0, 0, self.from, 10, 0, 0, to]);
        bytes.extend([0, self.from, 0, to]);
        bytes.extend(INITIAL_SEQUENCES[usize::from(self.from)].wrapping_add(self.seq).to_be_bytes());
        bytes.extend(self.ack.map_or(0, |ack| INITIAL_SEQUENCES[usize::from(to)].wrapping_add(ack)).to_be_bytes());
        bytes.extend(
            [((tcp / 4 * 4096) | self.flags).to_be_bytes(), self.window.to_be_bytes(), [0; 2], [0; 2]].concat(),
        );
        bytes.extend(options);
        bytes
    }
}

/// Packets and assertions in their order; system calls and comments are left out.
fn steps(script: &str) -> Vec<Step> {
    let mut time = 0.0;
    let mut steps = vec![];
    for line in script.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
        if let Some((_, assertion)) = line.split_once("assert ") {
            let mut words = assertion.split([' ', ',']);
            if let (Some(counter), Some("=="), Some(Ok(due))) =
                (words.next(), words.next(), words.next().map(str::parse))
            {
                steps.push(Step::Due(counter.to_owned(), due));
            }
            continue;
        }
        let at = line.split_whitespace().next().unwrap_or_default();
        let rest = line[at.len()..].trim();
        let since = at.split('~').next().unwrap_or_default().trim_start_matches('+').parse::<f64>();
        let Ok(since) = since else { continue };
        time += since;
        let packet = [("<", REMOTE), (">", LOCAL)]
            .into_iter()
            .find_map(|(arrow, from)| packet(rest.strip_prefix(arrow)?.trim(), from, time));
        steps.extend(packet.map(Step::Packet));
    }
    steps
}

/// `[ect0] W. 1:1(0) ack 1 win 264 <ECN e0b 1 ceb 0 e1b 1,nop>`.
fn packet(text: &str, from: u8, time: f64) -> Option<Packet> {
    let (head, options) = text.split_once('<').unwrap_or((text, ""));
    let options = options.split('>').next().unwrap_or_default();
    let mut words = head.split_whitespace().peekable();
    let ecn = match *words.peek()? {
        "[ect1]" => 1,
        "[ect0]" => 2,
        "[ce]" => CE,
        _ => 0,
    };
    words.next_if(|word| word.starts_with('['));
    let flags = words.next()?.chars().map(flag).sum();
    let (seq, rest) = words.next()?.split_once(':')?;
    let payload = rest.split_once('(')?.1.trim_end_matches(')').parse().ok()?;
    let rest: Vec<&str> = words.collect();
    let after = |word: &str| rest.iter().position(|one| *one == word).and_then(|at| rest.get(at + 1)?.parse().ok());
    let to = LOCAL + REMOTE - from;
    Some(Packet {
        time,
        from,
        ecn,
        flags,
        seq: seq.parse().ok()?,
        payload,
        ack: after("ack"),
        window: after("win").unwrap_or(1000) as u16,
        options: options.split(',').flat_map(|option| bytes(option.trim(), to)).collect(),
    })
}

/// A flag's bit; a digit is a value of ACE.
fn flag(letter: char) -> u16 {
    match letter {
        'F' => 1,
        'S' => SYN,
        'R' => 4,
        'P' => 8,
        '.' => ACK,
        'E' => 64,
        'W' => 128,
        'A' => 256,
        digit => digit.to_digit(10).map_or(0, |value| (value as u16) << 6),
    }
}

/// Bytes of an option; `to` is the end whose data SACK blocks acknowledge.
fn bytes(option: &str, to: u8) -> Vec<u8> {
    let words: Vec<&str> = option.split_whitespace().collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u32>().ok()).unwrap_or(0);
    match words.as_slice() {
        ["mss", ..] => [&[2, 4][..], &(number(1) as u16).to_be_bytes()].concat(),
        ["sackOK"] => vec![4, 2],
        ["wscale", ..] => vec![3, 3, number(1) as u8],
        ["TS", ..] => [&[8, 10][..], &number(2).to_be_bytes(), &number(4).to_be_bytes()].concat(),
        ["sack", blocks @ ..] => {
            let edges = blocks.iter().flat_map(|block| block.split(':')).filter_map(|edge| edge.parse::<u32>().ok());
            let edges: Vec<u8> =
                edges.flat_map(|edge| INITIAL_SEQUENCES[usize::from(to)].wrapping_add(edge).to_be_bytes()).collect();
            [&[5, 2 + edges.len() as u8][..], &edges].concat()
        }
        ["ECN", fields @ ..] => {
            let kind = if fields.first() == Some(&"e1b") { 174 } else { 172 };
            let values: Vec<u8> =
                (0..fields.len() / 2).flat_map(|n| number(2 + 2 * n).to_be_bytes()[1..].to_vec()).collect();
            [&[kind, 2 + values.len() as u8][..], &values].concat()
        }
        ["nop"] => vec![1],
        _ => vec![],
    }
}
