//! Captures of whole nodes, as pcapng with nanoseconds of virtual time (draft-ietf-opsawg-pcapng).

use crate::fetch::send_bytes;
use crate::sys::{self, Captured, Tap};
use wire::Job;

/// LINKTYPE_LINUX_SLL2: 20 bytes that name protocol, device and direction, then the packet.
const LINUX_SLL2: u16 = 276;
/// `if_tsresol`: 10^-9 s.
const NANOSECONDS: u8 = 9;

/// A node that is captured.
pub struct Capture {
    node: String,
    tap: Tap,
}

/// Begins the captures that the job asks for.
pub fn begin(job: &Job) -> Result<Vec<Capture>, String> {
    let begin = |node: &String| {
        let tap = sys::in_namespace(node, Tap::open)?.map_err(|e| format!("cannot capture {node}: {e}"))?;
        Ok(Capture { node: node.clone(), tap })
    };
    job.capture.iter().map(begin).collect()
}

/// Sends the captures as files, numbered from `first`. Their times count from `origin`, CLOCK_MONOTONIC in ns.
pub fn send_all(captures: Vec<Capture>, first: usize, origin: u64) -> Result<(), String> {
    let began = sys::real_ahead() + origin;
    for (number, Capture { node, tap }) in captures.iter().enumerate() {
        let mut file = File::new(node);
        let missed = sys::in_namespace(node, || tap.read(|packet| file.packet(&packet, began)))?;
        let missed = missed.map_err(|e| format!("cannot read the capture of {node}: {e}"))?;
        file.statistics(missed);
        send_bytes(&file.bytes, (first + number) as u32);
    }
    Ok(())
}

/// A pcapng file in memory.
struct File {
    bytes: Vec<u8>,
    /// Devices by their numbers: each is an interface of the file.
    interfaces: Vec<u32>,
    packets: u64,
}

impl File {
    fn new(node: &str) -> File {
        let mut file = File { bytes: vec![], interfaces: vec![], packets: 0 };
        let mut body = vec![];
        body.extend(0x1A2B_3C4D_u32.to_le_bytes());
        body.extend([1_u16, 0].map(u16::to_le_bytes).concat());
        body.extend(u64::MAX.to_le_bytes());
        option(&mut body, 2, format!("goodput: {node}").as_bytes());
        option(&mut body, 4, b"goodput");
        file.block(0x0A0D_0D0A, &body);
        file
    }

    fn packet(&mut self, packet: &Captured, began: u64) {
        let known = self.interfaces.iter().position(|interface| *interface == packet.interface);
        let interface = known.unwrap_or_else(|| self.interface(packet.interface));
        let time = packet.time.saturating_sub(began);
        let mut head = vec![];
        head.extend(packet.protocol.to_be_bytes());
        head.extend([0; 2]);
        head.extend(packet.interface.to_be_bytes());
        head.extend(packet.hardware.to_be_bytes());
        head.extend([packet.direction, packet.address.len() as u8]);
        head.extend(packet.address);
        head.resize(20, 0);
        let [captured, length] = [packet.data.len() as u32, packet.length].map(|bytes| bytes + head.len() as u32);
        let mut body = vec![];
        for word in [interface as u32, (time >> 32) as u32, time as u32, captured, length] {
            body.extend(word.to_le_bytes());
        }
        body.extend(head);
        body.extend(packet.data);
        body.resize(body.len().next_multiple_of(4), 0);
        self.block(6, &body);
        self.packets += 1;
    }

    /// Adds an interface; returns its number.
    fn interface(&mut self, device: u32) -> usize {
        let mut body = vec![];
        body.extend(LINUX_SLL2.to_le_bytes());
        body.extend([0; 6]);
        option(&mut body, 2, sys::device_name(device).unwrap_or_else(|| device.to_string()).as_bytes());
        option(&mut body, 9, &[NANOSECONDS]);
        self.block(1, &body);
        self.interfaces.push(device);
        self.interfaces.len() - 1
    }

    /// Adds how many packets arrived, and how many of them are not in the file.
    fn statistics(&mut self, missed: u32) {
        if self.interfaces.is_empty() {
            return;
        }
        let mut body = vec![0; 12];
        option(&mut body, 4, &(self.packets + u64::from(missed)).to_le_bytes());
        option(&mut body, 5, &u64::from(missed).to_le_bytes());
        self.block(5, &body);
    }

    /// Adds a block; one of the kinds with options ends them.
    fn block(&mut self, kind: u32, body: &[u8]) {
        let ended = if kind == 6 { &[][..] } else { &[0; 4] };
        let length = (12 + body.len() + ended.len()) as u32;
        for part in [&kind.to_le_bytes(), &length.to_le_bytes(), body, ended, &length.to_le_bytes()] {
            self.bytes.extend(part);
        }
    }
}

/// Adds an option, padded to 32 bits.
fn option(body: &mut Vec<u8>, code: u16, value: &[u8]) {
    body.extend(code.to_le_bytes());
    body.extend((value.len() as u16).to_le_bytes());
    body.extend(value);
    body.resize(body.len().next_multiple_of(4), 0);
}
