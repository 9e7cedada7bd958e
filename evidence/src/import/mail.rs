//! Text that mail has encoded as quoted-printable (RFC 2045, 6.7), as archives of lists keep it.

/// What it encodes, if it is such: each equals sign stands before two hexadecimal digits or at the end of a line, and one of
/// them is what no other text has. A line that was broken is whole again, and blank ones follow in place of its pieces,
/// unless line ends were encoded as well, as some programs do: these are taken off.
pub(super) fn decoded(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut sure = false;
    let mut plain = Vec::with_capacity(bytes.len());
    // How many lines more the text has than what it encodes.
    let (mut at, mut more) = (0, 0_isize);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'=' => match sign(&bytes[at + 1..])? {
                (Sign::Break, length) => {
                    (sure, more) = (true, more + 1);
                    at += length;
                }
                (Sign::Byte(b'\r'), length) => at += length,
                (Sign::Byte(b'\n'), length) => {
                    more -= 1;
                    plain.push(b'\n');
                    at += length;
                }
                (Sign::Byte(coded), length) => {
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
    sure.then_some(plain)
}

enum Sign {
    /// The line goes on below.
    Break,
    Byte(u8),
}

/// What follows an equals sign, and its length.
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
    fn other_text_is_left_alone() {
        for text in
            ["bytes=32 time=64ms TTL=57\n", "a=20\nb=40\n", "time=1.2 ms =20\n", "=\nx=1", "no sign", "a=", "=1"]
        {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
