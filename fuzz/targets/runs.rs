//! Edits of the files of a finished run, which is then read by all that reads runs; sums are right.
#![no_main]

mod edits;
#[path = "../../goodput/tests/it/hostile/recorded.rs"]
mod recorded;

use base::folder::Folder;
use lab::run;
use analysis::sources;
use base::sums;
use libfuzzer_sys::fuzz_target;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

struct Base {
    run: PathBuf,
    files: Vec<PathBuf>,
    pieces: Vec<Vec<u8>>,
}

static BASE: LazyLock<Base> = LazyLock::new(|| {
    let run = edits::folder().join("run");
    let trial = run.join("trials/0000");
    fs::create_dir_all(run.join("trials")).unwrap();
    let plan = experiment::plan("fuzz.toml", edits::EXPERIMENT, &[]).unwrap();
    assert_eq!(plan.trials.len(), 1);
    fs::write(run.join("plan.json"), serde_json::to_vec(&plan).unwrap()).unwrap();
    fs::write(run.join("environment.json"), recorded::ENVIRONMENT).unwrap();
    recorded::record(&trial, 1);
    run::report_again(&run).unwrap();
    let mut files = vec![run.join("plan.json"), run.join("environment.json")];
    files.extend(Folder::open(&trial).unwrap().names().unwrap().iter().map(|name| trial.join(name)));
    files.retain(|file| !file.ends_with(sums::SUMS));
    let pieces = files.iter().map(|file| fs::read(file).unwrap()).collect();
    Base { run, files, pieces }
});

fuzz_target!(|bytes: &[u8]| {
    let Base { run, files, pieces } = &*BASE;
    let mut changed = pieces.clone();
    edits::apply(bytes, &mut changed);
    files.iter().zip(&changed).for_each(|(file, bytes)| fs::write(file, bytes).unwrap());
    sums::write(&Folder::open(&run.join("trials/0000")).unwrap()).unwrap();
    if let Err(error) = run::report_again(run) {
        let _ = error.to_string();
    }
    if let Err(error) = sources::evidence(std::slice::from_ref(run)) {
        let _ = error.to_string();
    }
});
