//! Edits of the entries of a part, which is then gathered; checksums of entries are right.
#![no_main]

mod edits;
#[path = "../../goodput/tests/it/hostile/recorded.rs"]
mod recorded;

use analysis::Measures;
use base::folder::Folder;
use cluster::part::{Begun, Head, Outline, Writer};
use cluster::gather;
use libfuzzer_sys::fuzz_target;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

/// A block of a tar archive, bytes.
const BLOCK: usize = 512;

struct Base {
    folder: PathBuf,
    /// Headers of entries, and what follows each, in turn.
    pieces: Vec<Vec<u8>>,
}

static BASE: LazyLock<Base> = LazyLock::new(|| {
    let folder = edits::folder();
    let plan = experiment::plan("fuzz.toml", edits::EXPERIMENT, &[]).unwrap();
    let environment = serde_json::from_str(recorded::ENVIRONMENT).unwrap();
    let head = Head { shard: "1/1".parse().unwrap(), outline: Outline::new(&plan, 1, vec![]), environment };
    recorded::record(&folder.join("recording"), 1);
    fs::create_dir(folder.join("scratch")).unwrap();
    let open = |name: &str| Folder::open(&folder.join(name)).unwrap();
    let part = folder.join("sound.1-of-1.tar");
    let Ok(Begun::Open(mut writer)) = Writer::begin(&part, head, &open("scratch")) else { panic!("nothing is there") };
    writer.add(0, &open("recording")).unwrap();
    writer.finish().unwrap();
    gather::gather(std::slice::from_ref(&part), None, &mut Measures::default()).unwrap();
    let bytes = fs::read(&part).unwrap();
    let mut archive = tar::Archive::new(&bytes[..]);
    let heads = archive.entries().unwrap().map(|entry| entry.unwrap().raw_header_position() as usize);
    let heads: Vec<usize> = heads.chain([bytes.len()]).collect();
    let pieces = heads.windows(2).flat_map(|ends| {
        let (head, rest) = bytes[ends[0]..ends[1]].split_at(BLOCK);
        [head.to_vec(), rest.to_vec()]
    });
    Base { folder, pieces: pieces.collect() }
});

/// Makes the checksum of a header right: the sum of its bytes, those of itself taken as spaces.
fn summed(header: &mut [u8]) {
    if header.len() == BLOCK {
        header[148..156].fill(b' ');
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Base { folder, pieces } = &*BASE;
    let mut changed = pieces.clone();
    edits::apply(bytes, &mut changed);
    changed.iter_mut().step_by(2).for_each(|header| summed(header));
    let (part, out) = (folder.join("part.1-of-1.tar"), folder.join("out"));
    fs::write(&part, changed.concat()).unwrap();
    let _ = fs::remove_dir_all(&out);
    if let Err(error) = gather::gather(&[part], Some(&out), &mut Measures::default()) {
        let _ = error.to_string();
    }
});
