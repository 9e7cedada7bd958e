//! Compressed input: told by its first bytes, unpacked while it is read, and bounded.

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::io::{self, BufRead, Cursor, ErrorKind, Read};
use thiserror::Error;

/// Most bytes that a compressed file may unpack to: captures of a busy day. 1 MB of zstd can unpack to 100 GB.
pub const MAX_UNPACKED_BYTES: u64 = 8 << 30;

/// Most memory for what a compressed file refers back to: `zstd --long=27` and `xz -9` need 128 MiB and 65 MiB.
const MAX_WINDOW_BYTES: u64 = 128 << 20;

/// A way to compress a file.
struct Packing {
    name: &'static str,
    /// First bytes of a file (RFC 1952, 2.3.1; RFC 8878, 3.1.1; the .xz file format, 2.1.1.1; bzip2's header).
    magic: &'static [u8],
    /// The command that unpacks to standard output.
    command: &'static str,
    open: fn(Input) -> Box<dyn Read>,
}

type Input = Box<dyn BufRead>;

const PACKINGS: &[Packing] = &[
    Packing {
        name: "gzip",
        magic: &[0x1F, 0x8B],
        command: "gzip -dc",
        open: |input| Box::new(MultiGzDecoder::new(input)),
    },
    Packing {
        name: "zstd",
        magic: &[0x28, 0xB5, 0x2F, 0xFD],
        command: "zstd -dc",
        open: |input| Box::new(Frames::new(input)),
    },
    Packing {
        name: "xz",
        magic: &[0xFD, b'7', b'z', b'X', b'Z', 0],
        command: "xz -dc",
        open: |input| Box::new(XzReader::new_mem_limit(input, true, (MAX_WINDOW_BYTES >> 10) as u32)),
    },
    Packing { name: "bzip2", magic: b"BZh", command: "bzip2 -dc", open: |input| Box::new(MultiBzDecoder::new(input)) },
];

/// Longest of the magic numbers, bytes.
const MAGIC_BYTES: usize = 6;

fn packing(first: &[u8]) -> Option<&'static Packing> {
    PACKINGS.iter().find(|packing| first.starts_with(packing.magic))
}

/// Why a compressed file cannot be read to its end.
#[derive(Debug, Error)]
pub enum PackedError {
    #[error(
        "the {packing} data are damaged: {why}\n\nhint: copy the file again; `{command} FILE > NEW` tells the same"
    )]
    Damaged { packing: &'static str, command: &'static str, why: String },
    #[error("compressed twice: {outer} around {inner}\n\nhint: unpack it once, `{command} FILE > NEW`")]
    Twice { outer: &'static str, inner: &'static str, command: &'static str },
    #[error(
        "unpacks to more than {most} bytes, the most that goodput unpacks\n\n\
         hint: if you trust it, `{command} FILE | goodput diagnose -`"
    )]
    Bomb { most: u64, command: &'static str },
}

impl From<PackedError> for io::Error {
    fn from(error: PackedError) -> io::Error {
        io::Error::new(ErrorKind::InvalidData, error)
    }
}

/// A file's bytes, unpacked if it is compressed.
pub struct Unpacked {
    input: Box<dyn Read>,
    packing: Option<&'static Packing>,
    left: u64,
    most: u64,
    ends_early: bool,
}

impl Unpacked {
    pub fn new(input: impl BufRead + 'static) -> io::Result<Unpacked> {
        Unpacked::bounded(input, MAX_UNPACKED_BYTES)
    }

    fn bounded(mut input: impl BufRead + 'static, most: u64) -> io::Result<Unpacked> {
        let mut head = vec![];
        input.by_ref().take(MAGIC_BYTES as u64).read_to_end(&mut head)?;
        let packing = packing(&head);
        let whole: Input = Box::new(Cursor::new(head).chain(input));
        let Some(packing) = packing else {
            return Ok(Unpacked { input: whole, packing: None, left: 0, most, ends_early: false });
        };
        let input = (packing.open)(whole);
        let mut unpacked = Unpacked { input, packing: Some(packing), left: most, most, ends_early: false };
        let mut head = vec![];
        unpacked.by_ref().take(MAGIC_BYTES as u64).read_to_end(&mut head)?;
        if let Some(inner) = self::packing(&head) {
            let (outer, command) = (packing.name, packing.command);
            return Err(PackedError::Twice { outer, inner: inner.name, command }.into());
        }
        unpacked.left = most;
        unpacked.input = Box::new(Cursor::new(head).chain(unpacked.input));
        Ok(unpacked)
    }

    /// Returns a sentence if the compressed data ended before their own end, as in a file that is still written.
    pub fn note(&self) -> Option<String> {
        let name = self.packing.filter(|_| self.ends_early)?.name;
        Some(format!("the {name} data end early; what was before is read"))
    }
}

impl Read for Unpacked {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let Some(packing) = self.packing else { return self.input.read(into) };
        if self.ends_early {
            return Ok(0);
        }
        match self.input.read(into) {
            Ok(read) => {
                let bomb = PackedError::Bomb { most: self.most, command: packing.command };
                self.left = self.left.checked_sub(read as u64).ok_or(bomb)?;
                Ok(read)
            }
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                self.ends_early = true;
                Ok(0)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted || error.raw_os_error().is_some() => Err(error),
            Err(error) => {
                let (packing, command) = (packing.name, packing.command);
                Err(PackedError::Damaged { packing, command, why: error.to_string() }.into())
            }
        }
    }
}

/// All frames of a zstd file, one after the other: ruzstd reads one, and leaves its checksum to the caller.
struct Frames {
    decoder: FrameDecoder,
    input: Watched,
    is_within: bool,
}

impl Frames {
    fn new(input: Input) -> Frames {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MAX_WINDOW_BYTES);
        Frames { decoder, input: Watched { input, has_ended: false }, is_within: false }
    }

    /// Begins the next frame, past those to skip; false at the end of the file.
    fn next(&mut self) -> io::Result<bool> {
        while !self.input.input.fill_buf()?.is_empty() {
            match self.decoder.init(&mut self.input) {
                Ok(()) => {
                    self.is_within = true;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    io::copy(&mut (&mut self.input).take(length.into()), &mut io::sink())?;
                }
                Err(error) => return Err(self.failed(error)),
            }
        }
        Ok(false)
    }

    fn failed(&self, error: FrameDecoderError) -> io::Error {
        let kind = if self.input.has_ended { ErrorKind::UnexpectedEof } else { ErrorKind::InvalidData };
        io::Error::new(kind, error)
    }
}

impl Read for Frames {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.is_within && !self.next()? {
                return Ok(0);
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let decoded = self.decoder.decode_blocks(&mut self.input, BlockDecodingStrategy::UptoBlocks(1));
                decoded.map_err(|error| self.failed(error))?;
            }
            let read = self.decoder.read(into)?;
            if read > 0 || into.is_empty() {
                return Ok(read);
            }
            self.is_within = false;
            let told = self.decoder.get_checksum_from_data();
            if told.is_some() && told != self.decoder.get_calculated_checksum() {
                return Err(io::Error::new(ErrorKind::InvalidData, "the checksum of a frame is wrong"));
            }
        }
    }
}

/// An input that knows whether somebody read past its end.
struct Watched {
    input: Input,
    has_ended: bool,
}

impl Read for Watched {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(into)?;
        self.has_ended |= read == 0 && !into.is_empty();
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::read::GzEncoder;

    fn gzip(bytes: u64) -> Cursor<Vec<u8>> {
        let mut packed = vec![];
        GzEncoder::new(io::repeat(b'x').take(bytes), Compression::fast()).read_to_end(&mut packed).unwrap();
        Cursor::new(packed)
    }

    #[test]
    fn what_unpacks_is_bounded_to_the_byte() {
        let read = |bytes: u64| {
            let mut unpacked = Unpacked::bounded(gzip(bytes), 100_000).unwrap();
            io::copy(&mut unpacked, &mut io::sink()).map_err(|error| error.to_string())
        };
        assert_eq!(read(100_000), Ok(100_000));
        let error = read(100_001).unwrap_err();
        assert!(error.starts_with("unpacks to more than 100000 bytes"), "{error}");
        assert!(error.contains("`gzip -dc FILE | goodput diagnose -`"), "{error}");
    }

    /// A window of 2 GiB (RFC 8878, 3.1.1.1.2): 1 kB << 21.
    #[test]
    fn a_header_cannot_ask_for_the_memory() {
        let zstd = [0x28, 0xB5, 0x2F, 0xFD, 0, 21 << 3, 0, 0, 0, 0, 0, 0];
        let error = Unpacked::new(Cursor::new(zstd)).map(drop).unwrap_err().to_string();
        assert!(error.starts_with("the zstd data are damaged: Specified window_size is too big"), "{error}");
    }

    #[test]
    fn no_bytes_behind_a_magic_number_make_it_panic() {
        let mut state = 1_u32;
        for packing in PACKINGS {
            for length in 0..400 {
                let noise = (0..length).map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 24) as u8
                });
                let bytes: Vec<u8> = packing.magic.iter().copied().chain(noise).collect();
                let _ =
                    Unpacked::bounded(Cursor::new(bytes), 1 << 20).map(|mut all| io::copy(&mut all, &mut io::sink()));
            }
        }
    }
}
