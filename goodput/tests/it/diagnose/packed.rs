//! Compressed evidence, packed by gzip, zstd, xz and bzip2 themselves.

use crate::skip::skip;
use analysis::sources;
use evidence::Evidence;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const GOODPUT: &str = env!("CARGO_BIN_EXE_goodput");
const CAPTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/evidence/tests/captures/loss-sender.pcap");
const LISTING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/listings/hong-kong-new-york.txt");

/// Each program with the options that make its files as different as they get.
const PROGRAMS: [(&str, &[&str]); 8] = [
    ("gzip", &["-c"]),
    ("gzip", &["-n", "-1c"]),
    ("zstd", &["-qc", "--long=27"]),
    ("zstd", &["-qc", "-1", "--no-check"]),
    ("xz", &["-c"]),
    ("xz", &["-1c", "--check=sha256"]),
    ("bzip2", &["-c"]),
    ("bzip2", &["-1c"]),
];

/// The programs that this machine has.
fn programs() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    PROGRAMS.into_iter().filter(|(program, _)| {
        let is_here = Command::new(program).arg("--version").stdin(Stdio::null()).output().is_ok();
        if !is_here {
            skip(&format!("no {program}"));
        }
        is_here
    })
}

fn packed(program: &str, options: &[&str], file: &Path) -> Vec<u8> {
    let done = Command::new(program).args(options).arg(file).output().unwrap();
    assert!(done.status.success(), "{program}: {}", String::from_utf8_lossy(&done.stderr));
    done.stdout
}

fn read(path: &Path) -> Result<Evidence, String> {
    sources::evidence(&[path.to_path_buf()]).map(|mut all| all.remove(0).found).map_err(|error| error.to_string())
}

/// What was read, without the names of its files.
fn told(path: &Path) -> Value {
    fn nameless(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.remove("file");
                fields.values_mut().for_each(nameless);
            }
            Value::Array(values) => values.iter_mut().for_each(nameless),
            _ => {}
        }
    }
    let mut value = json!(read(path).unwrap());
    nameless(&mut value);
    value
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evidence");
    (folder, file)
}

#[test]
fn packed_evidence_is_the_evidence_itself() {
    let (_folder, file) = folder();
    for source in [CAPTURE, LISTING].map(Path::new) {
        let due = told(source);
        let bytes = fs::read(source).unwrap();
        let halves = bytes.split_at(bytes.len() / 2);
        for (program, options) in programs() {
            let whole = packed(program, options, source);
            fs::write(&file, &whole).unwrap();
            assert_eq!(told(&file), due, "{program} {options:?}");
            // Logs are rotated by appending: a file of several members is all of them.
            let members = [halves.0, halves.1].map(|half| {
                fs::write(&file, half).unwrap();
                packed(program, options, &file)
            });
            fs::write(&file, members.concat()).unwrap();
            assert_eq!(told(&file), due, "{program} {options:?}, two members");
        }
    }
}

#[test]
fn packed_evidence_comes_from_a_pipe_and_is_compared() {
    let (folder, file) = folder();
    let packed = packed("gzip", &["-c"], Path::new(LISTING));
    fs::write(&file, &packed).unwrap();
    let run = |from: &Path, arguments: &[&str]| {
        let input = Stdio::from(fs::File::open(from).unwrap());
        let mut command = Command::new(GOODPUT);
        let done = command.args(arguments).current_dir(folder.path()).stdin(input).output().unwrap();
        String::from_utf8(done.stdout).unwrap()
    };
    let given = ["diagnose", "-", "--rate", "1Gbit/s", "--rtt", "210ms"];
    let piped = run(&file, &given);
    assert!(piped.starts_with("Loss-limited"), "{piped}");
    assert_eq!(piped, run(Path::new(LISTING), &given));
    let compared = |a: &str| {
        let page = run(&file, &["compare", a, &format!("{LISTING}:2")]);
        page.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let due = compared(&format!("{LISTING}:1")).replace("hong-kong-new-york.txt:1", "evidence:1");
    assert!(due.contains("47.2 % higher"), "{due}");
    assert_eq!(compared("evidence:1"), due);
}

#[test]
fn a_packed_file_that_ends_early_gives_what_was_before() {
    let (_folder, file) = folder();
    let whole = told(Path::new(CAPTURE));
    for (program, options) in programs() {
        let packed = packed(program, options, Path::new(CAPTURE));
        fs::write(&file, &packed[..packed.len() - packed.len() / 8]).unwrap();
        let found = read(&file).unwrap();
        let notes: Vec<&str> = found.unread.iter().filter_map(|unread| unread.why.as_deref()).collect();
        let due = format!("the {program} data end early; what was before is read");
        assert!(notes.contains(&due.as_str()), "{program}: {notes:?}");
        assert_ne!(json!(found.connections), whole["connections"], "{program}");
    }
}

#[test]
fn damaged_and_nested_files_are_named_with_what_to_do() {
    let (_folder, file) = folder();
    for (program, options) in programs().filter(|(_, options)| !options.contains(&"--no-check")) {
        let mut bytes = packed(program, options, Path::new(CAPTURE));
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x10;
        fs::write(&file, &bytes).unwrap();
        let error = read(&file).expect_err(program);
        assert!(error.contains(&format!("the {program} data are damaged: ")), "{program} {options:?}: {error}");
        assert!(error.contains(&format!("{program} -dc FILE")), "{error}");
        let once = packed(program, options, Path::new(LISTING));
        fs::write(&file, once).unwrap();
        fs::write(&file, packed("gzip", &["-c"], &file)).unwrap();
        let error = read(&file).expect_err(program);
        assert!(error.contains(&format!("compressed twice: gzip around {program}")), "{error}");
    }
}

/// 300 MiB of zeros, from a few kB.
#[test]
fn a_bomb_is_refused_by_its_unpacked_size() {
    let (folder, file) = folder();
    for (program, options) in programs().filter(|(_, options)| options.contains(&"-1c") || options.contains(&"-1")) {
        let zeros = folder.path().join("zeros");
        fs::File::create(&zeros).unwrap().set_len(300 << 20).unwrap();
        let bomb = packed(program, options, &zeros);
        assert!(bomb.len() < 4 << 20, "{program}: {}", bomb.len());
        fs::write(&file, bomb).unwrap();
        let error = read(&file).expect_err(program);
        assert!(error.contains("evidence is larger than 256 MiB"), "{program}: {error}");
    }
}
