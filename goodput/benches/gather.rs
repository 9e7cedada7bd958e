//! Time and memory of `goodput gather` for many trials: `cargo bench -p goodput --bench gather -- POINTS SEEDS PARTS`.
//! A few trials are recorded in the lab, and copied for the rest.

use base::folder::Folder;
use cluster::part::{Begun, Head, Part, PartError, Writer};
use cluster::shard::Shard;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use std::{env, fs};

/// Trials that are recorded.
const RECORDED: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Vec<usize> = env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [points, seeds, parts] = numbers[..] else {
        return Err("POINTS, SEEDS and PARTS are wanted, such as 1000 100 100".into());
    };
    let place = tempfile::Builder::new().prefix("gather-").tempdir()?;
    let spec = format!(
        "title = \"many trials\"\npath = {{ rate = \"20 Mbit/s\", rtt = \"30 ms\", buffer = \"1 BDP\", loss = \"0.1 %\" }}\n\
         flows = [{{ duration = \"1 s\" }}]\nvary = {{ \"path.rtt\" = \"1 ms to {points} ms step 1 ms\" }}\n\
         repeat = {{ seeds = {seeds} }}\nrecord = {{ interval = \"100 ms\" }}\n"
    );
    let file = place.path().join("many.toml");
    fs::write(&file, spec)?;
    let trials = points * seeds;
    let sample = Shard::all(trials / RECORDED).next().ok_or("too few trials")?;
    goodput(place.path(), &["run", "many.toml", "--out", "sample", "--yes", "--shard", &sample.to_string()])?;
    let (head, recordings) = recordings(&sample.path_next_to(&place.path().join("sample")), place.path())?;

    let began = Instant::now();
    let files: Vec<PathBuf> = Shard::all(parts).map(|shard| shard.path_next_to(&place.path().join("run"))).collect();
    for (shard, file) in Shard::all(parts).zip(&files) {
        write(file, Head { shard, ..head.clone() }, &recordings, trials, place.path())?;
    }
    let bytes: u64 = files.iter().map(|file| file.metadata().map_or(0, |data| data.len())).sum();
    println!(
        "{trials} trials in {parts} parts, {:.2} GB, written in {:.1} s",
        bytes as f64 / 1e9,
        began.elapsed().as_secs_f64()
    );

    let names: Vec<&str> = files.iter().filter_map(|file| file.file_name()?.to_str()).collect();
    for (what, names) in [("all but the first part", &names[1..]), ("all parts", &names[..])] {
        let (began, before) = (Instant::now(), processor()?);
        goodput(place.path(), &[&["gather"], names].concat())?;
        let (took, busy) = (began.elapsed().as_secs_f64(), processor()? - before);
        // Peak of the largest child so far, KiB; earlier children were smaller.
        let most = getrusage(UsageWho::RUSAGE_CHILDREN)?.max_rss();
        println!("gather {what}: {took:.1} s, {busy:.1} s of CPU time, {} MB", most * 1024 / 1_000_000);
    }
    Ok(())
}

/// CPU time of all children so far, s.
fn processor() -> Result<f64, Box<dyn Error>> {
    let used = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok(seconds(used.user_time()) + seconds(used.system_time()))
}

/// Ends with 3 where something is missing.
fn goodput(place: &Path, arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    let ran = Command::new(env!("CARGO_BIN_EXE_goodput")).args(arguments).current_dir(place).output()?;
    let said = String::from_utf8_lossy(&ran.stderr);
    if matches!(ran.status.code(), Some(0 | 1 | 3)) { Ok(()) } else { Err(format!("{arguments:?}: {said}").into()) }
}

fn recordings(part: &Path, place: &Path) -> Result<(Head, Vec<Folder>), Box<dyn Error>> {
    let part = Part::open(part)?;
    let mut folders = vec![];
    part.each(|packed| -> Result<(), PartError> {
        let folder = Folder::open(place)?.make(format!("recording-{}", packed.index()))?;
        packed.unpack(&folder)?;
        folders.push(folder);
        Ok(())
    })?;
    Ok((part.head().clone(), folders))
}

fn write(file: &Path, head: Head, recordings: &[Folder], trials: usize, place: &Path) -> Result<(), Box<dyn Error>> {
    let shard = head.shard;
    let Begun::Open(mut writer) = Writer::begin(file, head, &Folder::open(place)?.make("scratch")?)? else {
        return Err("it is there already".into());
    };
    for index in (0..trials).filter(|index| shard.has(*index)) {
        writer.add(index, &recordings[index % recordings.len()])?;
    }
    Ok(writer.finish()?)
}
