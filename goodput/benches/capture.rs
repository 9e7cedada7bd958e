//! Speed and memory of reading captures, compared with tshark.
//!
//! Rates are bytes of the file per second of processor time. `cargo bench -p goodput --bench capture`: 1 GB of whole
//! packets and 250 MB of headers alone; `-- --quick` a tenth; `-- BYTES` sets the size of the former.
#![forbid(unsafe_code)]

use evidence::capture;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// Target rate on one core, bytes/s.
const TARGET: f64 = 200e6;

/// Bulk transfers at the same time, segments that each has in flight, and segments from one loss to the next.
const FLOWS: u32 = 200;
const WINDOW: u32 = 400;
const LOSS: u32 = 1000;

const MSS: u32 = 1448;

/// Segments in a packet that every fourth flow hands to its interface (TSO).
const TSO_SEGMENTS: u32 = 16;

fn main() -> io::Result<()> {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let given = std::env::args().find_map(|argument| argument.parse().ok());
    let size = given.unwrap_or(if quick { 100_000_000 } else { 1_000_000_000 });
    println!("| capture | bytes | packets | connections | goodput | peak memory | tshark -z conv,tcp | ratio |");
    println!("|---|---|---|---|---|---|---|---|");
    for (name, size, snap) in [("whole packets", size, u32::MAX), ("headers alone", size / 4, 96)] {
        let file = tempfile::Builder::new().suffix(".pcap").tempfile()?;
        write(file.path(), size, snap)?;
        measure(name, file.path())?;
    }
    Ok(())
}

fn measure(name: &str, path: &Path) -> io::Result<()> {
    let bytes = fs::metadata(path)?.len() as f64;
    let began = processor_time(OWN_TIME_FIELD)?;
    let read = capture::read("bench.pcap", File::open(path)?).map_err(io::Error::other)?;
    let took = processor_time(OWN_TIME_FIELD)? - began;
    let rate = bytes / took;
    let missed = if rate < TARGET { " (below 200 MB/s)" } else { "" };
    let (shark, ratio) = match tshark(path)? {
        Some(shark) => (format!("{:.0} MB/s", bytes / shark / 1e6), format!("{:.0}", shark / took)),
        None => ("not installed".into(), "—".into()),
    };
    println!(
        "| {name} | {:.0} MB | {} | {} | {:.0} MB/s{missed} | {} | {shark} | {ratio} |",
        bytes / 1e6,
        read.packets,
        read.connections.len(),
        rate / 1e6,
        peak()?
    );
    Ok(())
}

/// Seconds that tshark takes for its table of connections.
fn tshark(path: &Path) -> io::Result<Option<f64>> {
    let began = processor_time(CHILDREN_TIME_FIELD)?;
    let mut command = Command::new("tshark");
    command.args(["-q", "-z", "conv,tcp", "-r"]).arg(path).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(status) = command.status() else { return Ok(None) };
    let took = processor_time(CHILDREN_TIME_FIELD)? - began;
    Ok(status.success().then_some(took))
}

/// Fields of /proc/self/stat with the time in user space, and in the kernel, of this process and of those that ended
/// (proc_pid_stat(5)), after the name; and their unit.
const OWN_TIME_FIELD: usize = 11;
const CHILDREN_TIME_FIELD: usize = 13;
const TICKS: f64 = 100.0;

/// Seconds of a processor so far: others at work do not count.
fn processor_time(first: usize) -> io::Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields = stat.rsplit(") ").next().unwrap_or("").split(' ');
    let ticks: f64 = fields.skip(first).take(2).filter_map(|field| field.parse::<f64>().ok()).sum();
    Ok(ticks / TICKS)
}

/// The most memory that this process had.
fn peak() -> io::Result<String> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    Ok(line.map_or("unknown".into(), |line| line.trim().to_owned()))
}

/// A bulk transfer as its sender sees it.
struct Flow {
    number: u32,
    /// Segments sent, and acknowledged.
    sent: u32,
    acked: u32,
    /// A segment that was lost, and when it was sent again: by segments sent.
    lost: Option<(u32, Option<u32>)>,
}

/// A capture of transfers with losses, and of UDP between them.
fn write(path: &Path, size: u64, snap: u32) -> io::Result<()> {
    let mut out = Out { to: BufWriter::with_capacity(1 << 20, File::create(path)?), snap, bytes: 0, time: 0 };
    out.header()?;
    let mut flows: Vec<Flow> = (0..FLOWS).map(|number| Flow { number, sent: 0, acked: 0, lost: None }).collect();
    for flow in &flows {
        for (forward, flags) in [(true, 2), (false, 18), (true, 16)] {
            let hello = [2, 4, 5, 180, 4, 2, 3, 3, 9, 1, 1, 1];
            let options: &[u8] = if flags & 2 == 0 { &[] } else { &hello };
            let base = if flags & 2 == 0 { 0 } else { u32::MAX };
            out.packet(flow.number, forward, [base, if forward { base } else { 0 }], flags, options, 0)?;
        }
    }
    while out.bytes < size {
        for flow in &mut flows {
            flow.step(&mut out)?;
        }
        out.other()?;
    }
    out.to.flush()
}

impl Flow {
    fn step(&mut self, out: &mut Out) -> io::Result<()> {
        let large = if self.number.is_multiple_of(4) { TSO_SEGMENTS } else { 2 };
        let parts = if large == TSO_SEGMENTS { 1 } else { large };
        for part in 0..parts {
            let segments = large / parts;
            out.data(self.number, self.sent + part * segments, segments)?;
        }
        if self.lost.is_none() && self.sent / LOSS != (self.sent + large) / LOSS && self.sent > LOSS {
            self.lost = Some((self.sent, None));
        }
        self.sent += large;
        let heard = self.sent.saturating_sub(WINDOW);
        for edge in (self.acked + 2..=heard.max(self.acked)).step_by(2) {
            match self.lost {
                Some((lost, None)) if edge > lost + 6 => {
                    out.data(self.number, lost, 1)?;
                    self.lost = Some((lost, Some(self.sent)));
                }
                Some((_, Some(again))) if edge > again => self.lost = None,
                _ => {}
            }
            let gap = self.lost.filter(|(lost, _)| edge > *lost).map(|(lost, _)| lost);
            out.ack(self.number, gap.unwrap_or(edge), gap.map(|lost| (lost + 1, edge.max(lost + 2))))?;
            self.acked = edge;
        }
        Ok(())
    }
}

struct Out {
    to: BufWriter<File>,
    snap: u32,
    bytes: u64,
    /// µs.
    time: u64,
}

impl Out {
    fn header(&mut self) -> io::Result<()> {
        let words = [0xA1B2_C3D4_u32, 0x0004_0002, 0, 0, 262_144, 1];
        words.iter().try_for_each(|word| self.to.write_all(&word.to_le_bytes()))
    }

    fn data(&mut self, flow: u32, first: u32, segments: u32) -> io::Result<()> {
        self.packet(flow, true, [first.wrapping_mul(MSS), 0], 16, &[], segments * MSS)
    }

    fn ack(&mut self, flow: u32, edge: u32, sack: Option<(u32, u32)>) -> io::Result<()> {
        let mut block = [1, 1, 5, 10, 0, 0, 0, 0, 0, 0, 0, 0];
        if let Some((from, to)) = sack {
            block[4..8].copy_from_slice(&from.wrapping_mul(MSS).to_be_bytes());
            block[8..].copy_from_slice(&to.wrapping_mul(MSS).to_be_bytes());
        }
        let options: &[u8] = if sack.is_some() { &block } else { &[] };
        self.packet(flow, false, [0, edge.wrapping_mul(MSS)], 16, options, 0)
    }

    fn packet(
        &mut self,
        flow: u32,
        forward: bool,
        [seq, ack]: [u32; 2],
        flags: u8,
        options: &[u8],
        payload: u32,
    ) -> io::Result<()> {
        let stamp = (self.time / 1000) as u32;
        let total = 20 + 32 + options.len() as u32 + payload;
        let ends = [[10, 0, (flow >> 8) as u8, flow as u8], [10, 1, 0, 1]];
        let ports = [[0x9C, 0x40], [0x14, 0x51]];
        let side = usize::from(!forward);
        let mut head = Vec::with_capacity(96);
        head.extend([0; 12]);
        head.extend([8, 0, 0x45, 0, (total >> 8) as u8, total as u8, 0, 0, 0x40, 0, 64, 6, 0, 0]);
        head.extend([ends[side], ends[1 - side]].concat());
        head.extend([ports[side], ports[1 - side]].concat());
        head.extend(seq.to_be_bytes());
        head.extend(ack.to_be_bytes());
        head.extend([(8 + options.len() as u8 / 4) << 4, flags, 0x40, 0, 0, 0, 0, 0]);
        head.extend([1, 1, 8, 10]);
        head.extend([stamp.to_be_bytes(), stamp.saturating_sub(20).to_be_bytes()].concat());
        head.extend(options);
        self.frame(&head, 14 + total)
    }

    /// UDP.
    fn other(&mut self) -> io::Result<()> {
        let mut head = vec![0; 12];
        head.extend([8, 0, 0x45, 0, 1, 0, 0, 0, 0x40, 0, 64, 17, 0, 0, 10, 9, 9, 9, 10, 9, 9, 8]);
        self.frame(&head, 14 + 256)
    }

    fn frame(&mut self, head: &[u8], length: u32) -> io::Result<()> {
        static NOTHING: [u8; 1 << 16] = [0; 1 << 16];
        self.time += 7;
        let kept = length.min(self.snap);
        let [seconds, fraction] = [self.time / 1_000_000, self.time % 1_000_000].map(|part| part as u32);
        for word in [seconds, fraction, kept, length] {
            self.to.write_all(&word.to_le_bytes())?;
        }
        let head = &head[..head.len().min(kept as usize)];
        self.to.write_all(head)?;
        self.to.write_all(&NOTHING[..kept as usize - head.len()])?;
        self.bytes += 16 + u64::from(kept);
        Ok(())
    }
}
