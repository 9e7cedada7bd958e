//! A part of a run that came by mail: `gather` joins it, or reports what is wrong with it, and touches no other file.

use super::made::{Made, Said, TRIALS};
use super::words::{EVIL, has_no_signs};
use super::{is_untouched, recorded, victim};
use base::folder::Folder;
use cluster::part::{Begun, Head, Outline, Writer};
use plan::Plan;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A part with all trials of a run, recorded in an environment.
pub fn written(run: &Made, environment: &Value) -> PathBuf {
    let place = run.path().join("..");
    let plan: Plan = serde_json::from_slice(&fs::read(run.path().join("plan.json")).unwrap()).unwrap();
    let head = Head {
        shard: "1/1".parse().unwrap(),
        outline: Outline::new(&plan, plan.trials.len(), vec![]),
        environment: serde_json::from_value(environment.clone()).unwrap(),
    };
    fs::create_dir(place.join("scratch")).unwrap();
    let scratch = Folder::open(&place.join("scratch")).unwrap();
    let part = place.join("other.1-of-1.tar");
    let Ok(Begun::Open(mut writer)) = Writer::begin(&part, head, &scratch) else { panic!("nothing is there") };
    for trial in &plan.trials {
        writer.add(trial.index, &Folder::open(&run.trial(trial.index)).unwrap()).unwrap();
    }
    writer.finish().unwrap();
    part
}

fn part(run: &Made) -> PathBuf {
    written(run, &serde_json::from_str(recorded::ENVIRONMENT).unwrap())
}

fn gather(run: &Made) -> Said {
    run.goodput(&["gather", "other.1-of-1.tar"])
}

/// An entry of an archive, as any program may write it.
#[derive(Clone)]
struct Entry {
    name: Vec<u8>,
    kind: u8,
    target: Option<&'static str>,
    /// Size that the entry's header declares, if it differs.
    size: Option<u64>,
    bytes: Vec<u8>,
}

impl Entry {
    fn new(name: &str, bytes: impl Into<Vec<u8>>) -> Entry {
        Entry { name: name.into(), kind: b'0', target: None, size: None, bytes: bytes.into() }
    }
}

fn entries(part: &Path) -> Vec<Entry> {
    let mut archive = tar::Archive::new(fs::File::open(part).unwrap());
    let read = |entry: std::io::Result<tar::Entry<fs::File>>| {
        let mut entry = entry.unwrap();
        let name = String::from_utf8(entry.path_bytes().into_owned()).unwrap();
        let mut bytes = vec![];
        entry.read_to_end(&mut bytes).unwrap();
        Entry::new(&name, bytes)
    };
    archive.entries().unwrap().map(read).collect()
}

fn write(part: &Path, entries: &[Entry]) {
    let mut all = vec![];
    for Entry { name, kind, target, size, bytes } in entries {
        let mut header = tar::Header::new_ustar();
        header.as_mut_bytes()[..name.len()].copy_from_slice(name);
        header.as_mut_bytes()[156] = *kind;
        header.set_mode(0o4777);
        header.set_size(size.unwrap_or(bytes.len() as u64));
        target.iter().for_each(|target| header.set_link_name_literal(target).unwrap());
        header.set_cksum();
        all.extend(header.as_bytes());
        all.extend(bytes);
        all.resize(all.len().next_multiple_of(512), 0);
    }
    all.resize(all.len() + 1024, 0);
    fs::write(part, all).unwrap();
}

/// Output of `gather` for a changed part. No file that the part names is touched, and no run is made.
fn refused(change: impl Fn(&mut Vec<Entry>)) -> Said {
    let run = Made::new();
    let victim = victim(&run);
    let part = part(&run);
    let mut all = entries(&part);
    change(&mut all);
    write(&part, &all);
    let said = gather(&run);
    is_untouched(&victim);
    let place = run.path().join("..");
    assert!(!place.join("evil").exists() && !place.join("other/verdict.json").exists(), "{said:?}");
    assert!(said.code == 2 && said.stderr.contains("\n\nhint: "), "{said:?}");
    has_no_signs(&said);
    said
}

#[test]
fn a_part_that_was_written_is_gathered() {
    let run = Made::new();
    let path = part(&run);
    write(&path, &entries(&path));
    let said = gather(&run);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(run.path().join("../other/verdict.json").exists());
}

#[test]
fn no_name_in_a_part_leads_out_of_the_run() {
    for name in [
        "/tmp/evil",
        "../evil",
        "../victim/letters.txt",
        "trials/../../evil",
        "trials/0000/../../../evil",
        "trials/0000/SHA256SUMS/../evil",
        "trials/0006/SHA256SUMS",
        "trials/00000/SHA256SUMS",
        "trials/18446744073709551616/SHA256SUMS",
        "trials/-1/SHA256SUMS",
        "plan.json",
        "",
    ] {
        // Among the trials, and as a file of one.
        for at in [1, 2, 3] {
            let said = refused(|all| all.insert(at, Entry::new(name, "evil")));
            assert!(said.stderr.contains("is damaged at byte "), "{name}: {said:?}");
        }
    }
    for name in ["../../evil", "/tmp/evil", "..", ".", "SHA256SUMS", "trial.json/evil", ""] {
        let said = refused(|all| {
            let list = &mut all[1].bytes;
            list.extend(format!("{}  {name}\n", "0".repeat(64)).bytes());
            all.insert(2, Entry::new(&format!("trials/0000/{name}"), "evil"));
        });
        assert!(said.stderr.contains("is damaged at byte "), "{name}: {said:?}");
    }
}

/// Entries other than files, before a file and in place of one: links, devices, folders, names of the next entry.
#[test]
fn only_files_come_out_of_a_part() {
    for (kind, target) in
        [(b'1', Some("../victim/letters.txt")), (b'2', Some("../victim")), (b'3', None), (b'5', None), (b'6', None)]
    {
        for at in [1, 2, 3] {
            let said = refused(|all| {
                let name = String::from_utf8(all[at].name.clone()).unwrap();
                all.insert(at, Entry { kind, target, ..Entry::new(&name, "") });
            });
            assert!(said.stderr.contains("is no file"), "{}: {said:?}", kind as char);
        }
    }
    for kind in *b"LKxgS" {
        let said = refused(|all| all.insert(2, Entry { kind, ..Entry::new("././@LongLink", "../evil\0") }));
        assert!(said.stderr.contains("is no file"), "{}: {said:?}", kind as char);
    }
}

/// Sizes beyond the archive, and beyond the largest number.
#[test]
fn a_size_is_not_believed() {
    for size in [1 << 20, 8 << 30, 1 << 60, u64::MAX - 1024, u64::MAX] {
        for at in [0, 1, 2, 3] {
            let said = refused(|all| all[at].size = Some(size));
            assert!(
                ["is damaged", "is cut off", "is no part"].iter().any(|words| said.stderr.contains(words)),
                "{said:?}"
            );
        }
    }
}

/// The same trial twice is no harm where it is the same; a file twice is none of the trial's.
#[test]
fn duplicate_trials_are_equal_or_refused() {
    let run = Made::new();
    let path = part(&run);
    let mut all = entries(&path);
    let files = all[1..].iter().take_while(|entry| !entry.name.starts_with(b"trials/0001")).count();
    let again = all[1..=files].to_vec();
    all.splice(1..1, again.clone());
    write(&path, &all);
    assert_eq!(gather(&run).code, 0, "{:?}", gather(&run));
    let said = refused(|all| all.insert(3, all[2].clone()));
    assert!(said.stderr.contains("is damaged at byte "), "{said:?}");
    let said = refused(|all| {
        let mut other = again.clone();
        other[0].bytes.extend(format!("{}  evil\n", "0".repeat(64)).bytes());
        other.push(Entry::new("trials/0000/evil", "evil"));
        all.splice(1 + files..1 + files, other);
    });
    assert!(said.stderr.contains("trial 0 is not the same in "), "{said:?}");
}

/// A part's description of itself cannot change its experiment's plan, nor fill memory.
#[test]
fn a_parts_description_of_itself_is_checked() {
    let head = |change: &dyn Fn(&mut Value)| {
        refused(|all| {
            let mut head: Value = serde_json::from_slice(&all[0].bytes).unwrap();
            change(&mut head);
            all[0].bytes = head.to_string().into_bytes();
        })
    };
    for first in [json!(0), json!(TRIALS - 1), json!(TRIALS + 1), json!(u64::MAX), json!(-1), json!(null)] {
        head(&|head| head["outline"]["first"] = first.clone());
    }
    for shard in ["1/1000000", "2/2", "0/1", "1/0", "x"] {
        head(&|head| head["shard"] = json!(shard));
    }
    for more in [json!([{}]), json!({})] {
        head(&|head| head["outline"]["more"] = more.clone());
    }
    head(&|head| head["outline"]["spec"] = json!(EVIL));
    head(&|head| head["outline"]["spec"] = json!("#".repeat(17 << 20)));
    head(&|head| head["outline"]["kernels"] = json!([{ "names": EVIL }]));
    head(&|head| head["environment"] = json!(EVIL));
    head(&|head| *head = json!(null));
    for text in ["[".repeat(1 << 20), String::new(), "{}".into(), format!("\"{EVIL}\"")] {
        refused(|all| all[0].bytes = text.clone().into_bytes());
    }
}

/// A mail of a few kilobytes whose entries claim most of a gigabyte.
#[test]
fn a_part_with_holes_does_not_fill_the_memory() {
    for at in [0, 1] {
        let run = Made::new();
        let path = part(&run);
        let mut all = entries(&path);
        all.truncate(at);
        let size = 900 << 20;
        let name = ["part.json", "trials/0000/SHA256SUMS"][at];
        all.push(Entry { size: Some(size), ..Entry::new(name, "") });
        write(&path, &all);
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_len(file.metadata().unwrap().len() + size).unwrap();
        // Limit of the address space, in kB; a file that is read takes its size of it.
        let line =
            format!("ulimit -v 500000; exec timeout 10 '{}' gather other.1-of-1.tar", env!("CARGO_BIN_EXE_goodput"));
        let said = run.said(&mut Command::new("sh"), &["-c", &line]);
        assert!(said.code == 2 && said.stderr.contains("\n\nhint: "), "{name}: {said:?}");
    }
}

/// A hole of zeros takes no space on disk.
#[test]
fn a_part_with_holes_does_not_fill_the_disk() {
    let run = Made::new();
    let path = part(&run);
    let mut all = entries(&path);
    let zeros = vec![0; 32 << 20];
    all[1].bytes.extend(format!("{:x}  hole\n", Sha256::digest(&zeros)).bytes());
    let files = all[1..].iter().take_while(|entry| !entry.name.starts_with(b"trials/0001")).count();
    all.insert(1 + files, Entry::new("trials/0000/hole", zeros.clone()));
    write(&path, &all);
    gather(&run);
    let hole = run.path().join("../other/trials/0000/hole");
    assert!(fs::read(&hole).unwrap() == zeros);
    assert!(hole.metadata().unwrap().blocks() * 512 < 1 << 20, "{:?}", hole.metadata());
}

#[test]
fn a_part_that_is_no_regular_file_is_refused() {
    let run = Made::new();
    let path = run.path().join("../other.1-of-1.tar");
    let make: [(&str, &dyn Fn()); 4] = [
        ("it is no file", &|| assert!(Command::new("mkfifo").arg(&path).status().unwrap().success())),
        ("it is no file", &|| drop(UnixListener::bind(&path).unwrap())),
        ("it is no file", &|| symlink("/dev/zero", &path).unwrap()),
        ("it is a folder", &|| symlink("/etc", &path).unwrap()),
    ];
    for (what, make) in make {
        make();
        let said = gather(&run);
        assert!(said.code == 2 && said.stderr.contains(&format!("is no part of a run: {what}")), "{said:?}");
        fs::remove_file(&path).unwrap();
    }
}

/// Links inside the run's folder are not followed, whatever their targets contain.
#[test]
fn a_part_is_gathered_into_no_link() {
    for make in [
        (&|place: &Path| symlink("../victim", place.join("trials")).unwrap()) as &dyn Fn(&Path),
        &|place| {
            fs::create_dir(place.join("trials")).unwrap();
            symlink("../../victim", place.join("trials/0000")).unwrap();
            symlink("../../victim", place.join("trials/0001.unfinished")).unwrap();
        },
        &|place| symlink("../victim/letters.txt", place.join("plan.json.partial")).unwrap(),
        &|place| symlink("../victim/letters.txt", place.join("environment.json")).unwrap(),
    ] {
        let run = Made::new();
        let victim = victim(&run);
        part(&run);
        let place = run.path().join("../other");
        fs::create_dir(&place).unwrap();
        fs::copy(run.path().join("plan.json"), place.join("plan.json")).unwrap();
        make(&place);
        let said = gather(&run);
        is_untouched(&victim);
        has_no_signs(&said);
    }
}
