//! Changes of files that are sound, so that a fuzzer gets beyond their first bytes.

/// Changes pieces by edits: which piece (1 byte), where (2, negative from its end), how many bytes make room (1), how many
/// stand there instead (1), and these.
pub fn apply(mut edits: &[u8], pieces: &mut [Vec<u8>]) {
    while let Some(([which, low, high, gone, count], rest)) = edits.split_first_chunk() {
        let (new, rest) = rest.split_at((*count as usize).min(rest.len()));
        let piece = &mut pieces[*which as usize % pieces.len()];
        let at = match i16::from_le_bytes([*low, *high]) {
            at @ 0.. => at.unsigned_abs() as usize,
            at => piece.len().saturating_sub(at.unsigned_abs() as usize),
        };
        let from = at.min(piece.len());
        let to = (from + *gone as usize).min(piece.len());
        piece.splice(from..to, new.iter().copied());
        edits = rest;
    }
}

/// A folder of this process's own.
pub fn folder() -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("goodput-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    folder
}

/// One trial of two seconds.
pub const EXPERIMENT: &str = r#"
title = "Fuzz"
path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }
flows = [{ duration = "2 s" }]
"#;
