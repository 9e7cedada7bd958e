//! A link's rate or delay over time, as text in a job and as the kernel module takes it (`kernel/module/course.c`).
//!
//! A course is a list of points: a time and a value that is valid until the next point. Its text encodes the
//! differences between successive times and values in LEB128, values in zigzag, as base64 (RFC 4648, URL alphabet, no
//! padding).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

/// A time in ns, and a value.
pub type Point = [u64; 2];

/// Quantity that a course's values give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Follows {
    /// Rate, bit/s.
    Rate,
    /// Number of delivery opportunities at that time, each for 1,500 bytes of IP packets.
    Opportunities,
    /// Delay, ns.
    Delay,
}

/// Course of a link's device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Course {
    /// The link's device.
    pub device: String,
    /// Quantity that the values give.
    pub follows: Follows,
    /// Whether opportunities that find no packet are kept for later packets.
    pub keeps: bool,
    /// Period after which the course repeats, ns; 0 keeps the last value.
    pub period: u64,
    /// Position in the course at which the recording begins, ns.
    pub offset: u64,
    /// Points, encoded by [`encode`].
    pub points: String,
}

/// Encodes points as text.
pub fn encode(points: &[Point]) -> String {
    let mut bytes = vec![];
    let [mut time, mut value] = [0u64; 2];
    for &[t, v] in points {
        leb(t.wrapping_sub(time), &mut bytes);
        let rise = v.wrapping_sub(value) as i64;
        leb(((rise << 1) ^ (rise >> 63)) as u64, &mut bytes);
        [time, value] = [t, v];
    }
    URL_SAFE_NO_PAD.encode(bytes)
}

fn leb(mut number: u64, into: &mut Vec<u8>) {
    while number > 0x7f {
        into.push(number as u8 | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}

/// Decodes the points of a text; `None` if it is damaged or a time overflows.
pub fn decode(text: &str) -> Option<Vec<Point>> {
    let mut rest = URL_SAFE_NO_PAD.decode(text).ok()?.into_iter();
    let mut points: Vec<Point> = vec![];
    let [mut time, mut value] = [0u64; 2];
    while let Some(after) = number(&mut rest) {
        time = time.checked_add(after?)?;
        let zigzag = number(&mut rest)??;
        value = value.wrapping_add((zigzag >> 1) ^ (zigzag & 1).wrapping_neg());
        points.push([time, value]);
    }
    Some(points)
}

/// Reads the next number: `Some(None)` if it is cut off or too long, `None` at the end.
fn number(bytes: &mut impl Iterator<Item = u8>) -> Option<Option<u64>> {
    let mut number = 0u64;
    let mut byte = bytes.next()?;
    for shift in (0..64).step_by(7) {
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(Some(number));
        }
        match bytes.next() {
            Some(next) => byte = next,
            None => return Some(None),
        }
    }
    Some(None)
}

impl Course {
    /// Returns the head and the points as `/proc/goodput/course` takes them; `None` if the points are damaged or the
    /// device's name is too long.
    pub fn record(&self) -> Option<Vec<u8>> {
        const DEVICE: usize = 16;
        let points = decode(&self.points)?;
        let name = self.device.as_bytes();
        let device = (name.len() < DEVICE).then(|| {
            let mut bytes = [0; DEVICE];
            bytes[..name.len()].copy_from_slice(name);
            bytes
        })?;
        let mut record = device.to_vec();
        record.extend((self.follows as u32).to_le_bytes());
        record.extend(u32::from(self.keeps).to_le_bytes());
        record.extend([self.period, self.offset, points.len() as u64].map(u64::to_le_bytes).concat());
        record.extend(points.iter().flatten().flat_map(|number| number.to_le_bytes()));
        Some(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_come_back() {
        for points in [
            vec![],
            vec![[0, 0]],
            vec![[0, 1], [0, u64::MAX], [1, 0], [u64::MAX, 1 << 63]],
            (0..1000u64).map(|n| [n * n, n.wrapping_mul(0x9e37_79b9_7f4a_7c15)]).collect(),
        ] {
            assert_eq!(decode(&encode(&points)), Some(points));
        }
        // RFC 4648, section 10: the two bytes "f" and NUL.
        assert_eq!(encode(&[[102, 0]]), "ZgA");
    }

    #[test]
    fn foreign_text_is_refused() {
        for text in ["!", "A", "gA", "gICAgICAgICAgIAA", "____"] {
            assert_eq!(decode(text), None, "{text}");
        }
        assert_eq!(decode(""), Some(vec![]));
    }

    /// `struct course_head` of kernel/module/goodput.h and `struct point` of kernel/module/course.c.
    #[test]
    fn a_record_lies_as_the_module_lays_it() {
        let course = Course {
            device: "s-0".into(),
            follows: Follows::Delay,
            keeps: true,
            period: 3,
            offset: 4,
            points: encode(&[[5, 6]]),
        };
        let record = course.record().unwrap();
        assert_eq!(record.len(), 16 + 4 + 4 + 3 * 8 + 16);
        assert_eq!(
            (&record[..4], record[16], record[20], record[24], record[32], record[40]),
            (&b"s-0\0"[..], 2, 1, 3, 4, 1)
        );
        assert_eq!((record[48], record[56]), (5, 6));
        assert_eq!(Course { device: "x".repeat(16), ..course }.record(), None);
    }
}
