//! Writes comments on packets into a pcapng file (draft-ietf-opsawg-pcapng, 3.5: `opt_comment`).

use super::file::{self, Frame};
use super::packet::{self, Segment};
use super::{CaptureError, End};
use std::collections::{BTreeMap, HashMap};

/// What to say of a TCP segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// When it was last seen, ns; the packet was captured before.
    pub time: u64,
    /// Source and destination port.
    pub ports: [u16; 2],
    pub seq: u32,
    /// Its payload, bytes.
    pub payload: u32,
    pub text: String,
}

/// A capture with comments.
#[derive(Debug)]
pub struct Annotated {
    pub bytes: Vec<u8>,
    /// Remarks whose packet is in the capture.
    pub commented: usize,
}

/// Types of blocks: an enhanced packet, and the section header with its byte order.
const ENHANCED_PACKET: u32 = 6;
/// Bytes of an enhanced packet block before its data, and of its end.
const HEAD: usize = 28;
const TAIL: usize = 4;

/// A captured segment: the number of its packet, and what tells it.
struct Sent {
    packet: usize,
    time: u64,
    seq: u32,
    payload: u32,
}

/// Adds each remark to the last packet before it that has all its payload. One without payload has no single packet: its
/// sequence number is also that of other acknowledgments. The file has little-endian blocks without options of packets,
/// as the lab writes it.
pub fn annotate(capture: &[u8], remarks: &[Remark]) -> Result<Annotated, CaptureError> {
    let mut sent: HashMap<[u16; 2], Vec<Sent>> = HashMap::new();
    let mut packets = 0;
    let end = file::frames(capture, |frame: Frame| {
        if let Ok(Segment { from, to, seq, payload, .. }) = packet::segment(&frame) {
            let time = frame.time.unwrap_or(0).max(0) as u64;
            let ports = [from.port(), to.port()];
            sent.entry(ports).or_default().push(Sent { packet: packets, time, seq, payload });
        }
        packets += 1;
    })?;
    if end != End::Whole {
        return Err(CaptureError::Head);
    }
    let mut comments: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for remark in remarks.iter().filter(|remark| remark.payload > 0) {
        let before =
            sent.get(&remark.ports).map_or(&[][..], |all| &all[..all.partition_point(|s| s.time <= remark.time)]);
        if let Some(found) = before.iter().rev().find(|sent| sent.has(remark)) {
            comments.entry(found.packet).or_default().push(&remark.text);
        }
    }
    let commented = comments.values().map(Vec::len).sum();
    Ok(Annotated { bytes: written(capture, &comments).ok_or(CaptureError::Head)?, commented })
}

impl Sent {
    fn has(&self, remark: &Remark) -> bool {
        let into = remark.seq.wrapping_sub(self.seq);
        into < self.payload && remark.payload <= self.payload - into
    }
}

/// Copies all blocks, and adds to packets their comments.
fn written(capture: &[u8], comments: &BTreeMap<usize, Vec<&str>>) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(capture.len());
    let (mut rest, mut packet) = (capture, 0);
    while let Some((kind, length)) = rest.first_chunk::<8>().map(|head| (word(&head[..4]), word(&head[4..]))) {
        let block = rest.get(..length as usize).filter(|block| block.len() >= HEAD.min(12))?;
        rest = &rest[block.len()..];
        let own = comments.get(&packet).filter(|_| kind == ENHANCED_PACKET);
        packet += usize::from(kind == ENHANCED_PACKET);
        let Some(own) = own else {
            bytes.extend(block);
            continue;
        };
        let captured = word(block.get(20..24)?) as usize;
        let data = block.get(..HEAD + captured.next_multiple_of(4)).filter(|data| data.len() + TAIL == block.len())?;
        let start = bytes.len();
        bytes.extend(data);
        own.iter().for_each(|text| option(&mut bytes, text));
        bytes.extend([0; 4]);
        let length = (bytes.len() - start + TAIL) as u32;
        bytes.extend(length.to_le_bytes());
        bytes[start + 4..start + 8].copy_from_slice(&length.to_le_bytes());
    }
    rest.is_empty().then_some(bytes)
}

fn option(bytes: &mut Vec<u8>, text: &str) {
    const COMMENT: u16 = 1;
    bytes.extend(COMMENT.to_le_bytes());
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(4), 0);
}

fn word(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(<[u8; 4]>::try_from(bytes).unwrap_or_default())
}
