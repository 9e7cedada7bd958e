//! Decodes text that mail has encoded as quoted-printable (RFC 2045, 6.7), as list archives keep it, and saved
//! messages, whose bodies may also be in base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::collections::BTreeSet;

/// Decodes a message whose header declares an encoding, or a bare quoted-printable body; `None` if it is neither.
pub(super) fn decoded(bytes: &[u8]) -> Option<Vec<u8>> {
    of_message(bytes).or_else(|| {
        let Decoded { plain, invalid, sure } = decode(bytes);
        (sure && !invalid).then_some(plain)
    })
}

/// Encoding of a body.
#[derive(Clone, Copy)]
enum Code {
    QuotedPrintable,
    Base64,
}

impl Code {
    /// Decodes a body; one that does not decode to text stays as it is.
    fn decode(self, body: Vec<u8>) -> Vec<u8> {
        match self {
            Code::QuotedPrintable => decode(&body).plain,
            Code::Base64 => {
                let signs: Vec<u8> = body.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
                let plain = STANDARD.decode(signs).ok().filter(|plain| str::from_utf8(plain).is_ok());
                plain.map_or(body, |plain| [plain, vec![b'\n']].concat())
            }
        }
    }
}

/// Decodes the bodies of a message whose headers declare an encoding (RFC 2045, 6; RFC 2046, 5.1).
fn of_message(bytes: &[u8]) -> Option<Vec<u8>> {
    let lines = || bytes.split_inclusive(|byte| *byte == b'\n');
    lines().find_map(code)?;
    let mut plain = Vec::with_capacity(bytes.len());
    let (mut boundaries, mut body): (BTreeSet<String>, Vec<u8>) = (BTreeSet::new(), vec![]);
    let (mut told, mut inside): (Option<Code>, Option<Code>) = (None, None);
    for line in lines() {
        if let Some(code) = inside {
            if !(line.starts_with(b"From ") || is_boundary(line, &boundaries)) {
                body.extend(line);
                continue;
            }
            plain.extend(code.decode(std::mem::take(&mut body)));
            told = None;
        }
        plain.extend(line);
        told = code(line).or(told);
        boundaries.extend(boundary(&String::from_utf8_lossy(line)));
        inside = told.filter(|_| line.trim_ascii().is_empty());
    }
    plain.extend(inside.map(|code| code.decode(body)).unwrap_or_default());
    Some(plain)
}

/// Returns the encoding that a header line declares.
fn code(line: &[u8]) -> Option<Code> {
    const NAME: &[u8] = b"content-transfer-encoding:";
    let value = line.get(NAME.len()..).filter(|_| line[..NAME.len()].eq_ignore_ascii_case(NAME))?;
    match value.trim_ascii().to_ascii_lowercase().as_slice() {
        b"quoted-printable" => Some(Code::QuotedPrintable),
        b"base64" => Some(Code::Base64),
        _ => None,
    }
}

fn is_boundary(line: &[u8], boundaries: &BTreeSet<String>) -> bool {
    let rest = line.strip_prefix(b"--").and_then(|rest| str::from_utf8(rest.trim_ascii_end()).ok());
    rest.is_some_and(|rest| {
        boundaries.contains(rest) || rest.strip_suffix("--").is_some_and(|it| boundaries.contains(it))
    })
}

/// Returns the boundary between the parts of a message.
fn boundary(line: &str) -> Option<String> {
    const KEY: &str = "boundary=";
    let value = line.get(line.to_ascii_lowercase().find(KEY)? + KEY.len()..)?;
    let value = match value.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next()?,
        None => value.split([';', ' ', '\r', '\n']).next()?,
    };
    (!value.is_empty()).then(|| value.to_owned())
}

/// Result of decoding quoted-printable text.
struct Decoded {
    plain: Vec<u8>,
    /// True if an equals sign precedes something other than two hexadecimal digits or a line end.
    invalid: bool,
    /// True if one of the signs occurs only in quoted-printable text.
    sure: bool,
}

/// Joins broken lines, and adds blank lines so that the number of lines stays the same. Line ends
/// that the program encoded, as some do, are subtracted from those.
fn decode(bytes: &[u8]) -> Decoded {
    let (mut invalid, mut sure) = (false, false);
    let mut plain = Vec::with_capacity(bytes.len());
    // Number of lines by which the encoded text exceeds the plain one.
    let (mut at, mut more) = (0, 0_isize);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'=' => match sign(&bytes[at + 1..]) {
                None => {
                    invalid = true;
                    plain.push(b'=');
                }
                Some((Sign::Break, length)) => {
                    (sure, more) = (true, more + 1);
                    at += length;
                }
                Some((Sign::Byte(b'\r'), length)) => at += length,
                Some((Sign::Byte(b'\n'), length)) => {
                    more -= 1;
                    plain.push(b'\n');
                    at += length;
                }
                Some((Sign::Byte(coded), length)) => {
                    let ends = matches!(bytes.get(at + 1 + length), None | Some(b'\n' | b'\r'));
                    let is_blank = at > 0 && matches!(bytes[at - 1], b' ' | b'\t');
                    sure |= matches!(coded, b'=' | b'.') || coded == b' ' && ends && is_blank;
                    plain.push(coded);
                    at += length;
                }
            },
            b'\n' => {
                plain.extend(std::iter::repeat_n(b'\n', 1 + more.max(0) as usize));
                more = more.min(0);
            }
            _ => plain.push(byte),
        }
        at += 1;
    }
    Decoded { plain, invalid, sure }
}

enum Sign {
    /// A soft line break: the line continues below.
    Break,
    Byte(u8),
}

/// Parses the text after an equals sign; returns its meaning and length.
fn sign(after: &[u8]) -> Option<(Sign, usize)> {
    match after {
        [b'\n', ..] => Some((Sign::Break, 1)),
        [b'\r', b'\n', ..] => Some((Sign::Break, 2)),
        [high, low, ..] => {
            let digit = |byte: u8| (byte as char).to_digit(16).filter(|_| !byte.is_ascii_lowercase());
            let byte = (digit(*high)? * 16 + digit(*low)?) as u8;
            (byte >= b' ' || b"\t\r\n".contains(&byte)).then_some((Sign::Byte(byte), 2))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<String> {
        decoded(text.as_bytes()).map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn lines_are_whole_and_keep_their_numbers() {
        assert_eq!(
            of("0=2E00-1=2E00 sec  rec=\r\neiver =20\r\nnext\n").as_deref(),
            Some("0.00-1.00 sec  receiver  \r\n\nnext\n")
        );
        assert_eq!(of("caf=C3=A9 a =3D b").as_deref(), Some("café a = b"));
        assert_eq!(
            of("one=0D=0A=\ntwo =3D 2=0A=\n3\nlast").as_deref(),
            Some("one\ntwo = 2\n3\nlast"),
            "line ends as well"
        );
    }

    #[test]
    fn of_a_message_the_parts_are_decoded_that_say_so() {
        let saved = "Subject: slow\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n\
                     rec=\neiver =3D\n";
        assert_eq!(
            of(saved).as_deref().and_then(|text| text.split_once("\n\n")).map(|(_, body)| body),
            Some("receiver =\n\n")
        );
        let parts = "Content-Type: multipart/mixed; boundary=\"b1\"\n\n--b1\ncontent-transfer-encoding: Quoted-Printable\n\n\
                     a=3Db --- x=zz\n--b1\nContent-Type: text/plain\n\na=3Db\n--b1--\n";
        let plain = of(parts).unwrap();
        assert!(plain.contains("a=b --- x=zz\n--b1\n") && plain.ends_with("\n\na=3Db\n--b1--\n"), "{plain}");
    }

    #[test]
    fn of_a_message_the_text_in_base64_is_decoded() {
        let parts = "Content-Type: multipart/mixed; boundary=b1\n\n--b1\nContent-Transfer-Encoding: base64\n\nYSA9IDEK\nYmM=\n\n\
                     --b1\nContent-Transfer-Encoding: base64\n\n/9j/4AAQ\n--b1--\n";
        let plain = of(parts).unwrap();
        assert!(plain.contains("\n\na = 1\nbc\n--b1\n") && plain.ends_with("\n\n/9j/4AAQ\n--b1--\n"), "{plain}");
    }

    #[test]
    fn a_message_of_boundaries_takes_time_in_proportion() {
        let head = "Content-Transfer-Encoding: quoted-printable\n";
        let boundaries: String = (0..50_000).map(|n| format!("boundary=b{n}\n")).collect();
        let plain = of(&format!("{head}{boundaries}\n{}--b7--\n", "--x=3D\n".repeat(200_000))).unwrap();
        assert!(plain.ends_with("--x=\n--b7--\n"));
    }

    #[test]
    fn other_text_is_left_alone() {
        for text in
            ["bytes=32 time=64ms TTL=57\n", "a=20\nb=40\n", "time=1.2 ms =20\n", "=\nx=1", "no sign", "a=", "=1"]
        {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
