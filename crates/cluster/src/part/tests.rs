//! Writes, reads, truncates and rewrites parts.

use super::*;
use analysis::fixture;
use analysis::study;
use base::folder::Folder;
use base::sums;
use plan::environment;
use plan::{Plan, Trial};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const TRIALS: usize = 6;

fn plan() -> Plan {
    let plan = fixture::plan(fixture::four_kinds());
    let trial = plan.trials[0].clone();
    let trials = (0..TRIALS).map(|index| Trial { index, seed: index as u64, ..trial.clone() }).collect();
    Plan { trials, ..plan }
}

fn head(shard: &str) -> Head {
    let environment = environment::sample(&[("7.3.4", "a")]);
    Head { shard: shard.parse().unwrap(), outline: Outline::new(&plan(), TRIALS, vec![]), environment }
}

/// A folder with recordings; their contents follow from a number and a word.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn folder(&self, name: &str) -> Folder {
        fs::create_dir_all(self.at(name)).unwrap();
        Folder::open(&self.at(name)).unwrap()
    }

    fn recording(&self, index: usize, word: &str) -> Folder {
        let folder = self.folder(&format!("{word}-{index}"));
        if !folder.has(sums::SUMS) {
            folder.write("trial.json", format!("{{\"{word}\": {index}}}")).unwrap();
            folder.write("samples.parquet", word.repeat(700 * index)).unwrap();
            sums::write(&folder).unwrap();
        }
        folder
    }

    fn begin(&self, part: &str) -> Writer {
        match Writer::begin(&self.at("run.1-of-2.tar"), head(part), &self.folder("scratch")) {
            Ok(Begun::Open(writer)) => writer,
            Ok(Begun::Whole(_)) => panic!("it is whole"),
            Err(error) => panic!("{error}"),
        }
    }

    fn write(&self, trials: &[usize]) -> PathBuf {
        let mut writer = self.begin("1/2");
        trials.iter().for_each(|index| writer.add(*index, &self.recording(*index, "x")).unwrap());
        writer.finish().unwrap();
        self.at("run.1-of-2.tar")
    }

    fn left(&self) -> Vec<PathBuf> {
        left(&self.at("run.1-of-2.tar")).unwrap()
    }
}

/// Unpacks the trials of a part, and compares each with its recording.
fn unpacked(place: &Place, part: &Path) -> Result<Vec<usize>, PartError> {
    let mut seen = vec![];
    let part = Part::begun(part)?;
    part.each(|packed| -> Result<(), PartError> {
        let (folder, index) = (place.folder("into"), packed.index());
        folder.empty()?;
        packed.unpack(&folder)?;
        sums::check(&folder).unwrap();
        let own = place.recording(index, "x");
        assert_eq!(sums::fingerprint(&folder)?, sums::fingerprint(&own)?);
        assert_eq!(sums::fingerprint(&own)?, Some(packed.fingerprint()));
        seen.push(index);
        Ok(())
    })?;
    Ok(seen)
}

#[test]
fn a_packed_part_unpacks_and_tar_lists_the_same() {
    let place = Place::new();
    let part = place.write(&[4, 0, 2]);
    assert_eq!(unpacked(&place, &part).unwrap(), [4, 0, 2]);
    let part = Part::open(&part).unwrap();
    assert_eq!((part.end().unwrap().trials, part.fingerprints().unwrap().len()), (3, 3));
    assert_eq!(part.head().shard, "1/2".parse().unwrap());
    assert_eq!(place.left(), Vec::<PathBuf>::new());
    let listed = Command::new("tar").arg("tf").arg(part.path()).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let names: Vec<&str> = listed.lines().collect();
    assert_eq!(names.len(), 2 + 3 * 3, "{names:?}");
    assert_eq!(names[..3], ["part.json", "trials/0004/SHA256SUMS", "trials/0004/samples.parquet"]);
    assert_eq!(names.last(), Some(&"end.json"));
}

#[test]
fn a_part_that_is_cut_off_anywhere_is_refused_with_its_place() {
    let place = Place::new();
    let part = place.write(&[0, 2]);
    let whole = fs::read(&part).unwrap();
    let cut = place.at("cut.1-of-2.tar");
    let mut most = 0;
    for length in (0..whole.len()).step_by(256).chain([whole.len() - 1]) {
        fs::write(&cut, &whole[..length]).unwrap();
        match Part::open(&cut).unwrap_err() {
            PartError::Cut { at, trials, path } => {
                assert_eq!((at, path), (length as u64, cut.clone()));
                assert!(trials >= most && trials <= 2, "{length}: {trials}");
                most = trials;
            }
            PartError::NoPart { what, .. } => assert!(what.contains("cut off") && most == 0, "{length}: {what}"),
            other => panic!("{length}: {other}"),
        }
    }
    assert_eq!(most, 2);
    let said = Part::open(&cut).unwrap_err().to_string();
    assert!(said.contains("is cut off at byte ") && said.contains(", after 2 whole trials\n\nhint: "), "{said}");
}

#[test]
fn no_byte_of_a_trial_changes_unseen() {
    let place = Place::new();
    let part = place.write(&[0, 2]);
    let whole = fs::read(&part).unwrap();
    for at in (0..whole.len() - 4 * 512).step_by(97) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(&part, &bytes).unwrap();
        // A change in padding or in a file's metadata affects no recording.
        match unpacked(&place, &part) {
            Ok(trials) => assert_eq!(trials, [0, 2], "{at}"),
            Err(PartError::Damaged { at: told, .. }) => assert!((told as usize) < bytes.len(), "{told} and {at}"),
            Err(PartError::NoPart { .. }) => assert!(at < whole.len() / 2, "{at}"),
            Err(other) => panic!("{at}: {other}"),
        }
    }
    let at = whole.windows(6).rposition(|bytes| bytes == b"xxxxxx").unwrap();
    let mut bytes = whole;
    bytes[at] = b'y';
    fs::write(&part, &bytes).unwrap();
    let said = unpacked(&place, &part).unwrap_err().to_string();
    assert!(said.contains("trial 2: samples.parquet is not what was recorded\n\nhint: "), "{said}");
}

/// Other entry types of tar: links, devices, folders, and extensions that change the next entry's name or give it
/// holes.
#[test]
fn entries_that_are_not_files_are_not_unpacked() {
    let place = Place::new();
    let part = place.write(&[0, 2]);
    let whole = fs::read(&part).unwrap();
    let mut archive = tar::Archive::new(&whole[..]);
    let heads: Vec<usize> =
        archive.entries().unwrap().map(|entry| entry.unwrap().raw_header_position() as usize).collect();
    for at in &heads[1..heads.len() - 1] {
        for kind in *b"1234567KLSVgx" {
            let mut bytes = whole.clone();
            let header = &mut bytes[*at..*at + 512];
            header[156] = kind;
            let mut header = tar::Header::from_byte_slice(header).clone();
            header.set_cksum();
            bytes[*at..*at + 512].copy_from_slice(header.as_bytes());
            fs::write(&part, &bytes).unwrap();
            let said = unpacked(&place, &part).unwrap_err().to_string();
            assert!(said.contains(&format!("damaged at byte {at}: ")) && said.contains("is no file"), "{kind}: {said}");
        }
    }
}

#[test]
fn an_outline_with_too_many_trials_is_refused() {
    let text = serde_json::to_string(&head("1/2").outline).unwrap();
    for first in [0, TRIALS - 1, TRIALS + 1, usize::MAX] {
        let text = text.replace(&format!("\"first\":{TRIALS}"), &format!("\"first\":{first}"));
        let text = text.replace("\"more\":[]", "\"more\":[{\"point\":[],\"seed\":1}]");
        let outline: Outline = serde_json::from_str(&text).unwrap();
        assert!(outline.trials() >= first);
        assert!(outline.first_round(Path::new("part")).is_err());
    }
}

#[test]
fn recordings_of_an_interrupted_writer_are_taken_over() {
    let place = Place::new();
    let mut killed = place.begin("1/2");
    killed.add(0, &place.recording(0, "x")).unwrap();
    killed.add(2, &place.recording(2, "x")).unwrap();
    drop(killed);
    // The last file is truncated, as after a power failure.
    let [torn] = place.left().try_into().unwrap();
    let bytes = fs::read(&torn).unwrap();
    fs::write(&torn, &bytes[..bytes.len() - 1024 - 700]).unwrap();
    fs::write(place.at("run.1-of-2.aaaaaa.unfinished"), "").unwrap();
    let mut writer = place.begin("1/2");
    assert_eq!(writer.trials().collect::<Vec<_>>(), [0]);
    writer.add(2, &place.recording(2, "x")).unwrap();
    writer.finish().unwrap();
    assert_eq!(unpacked(&place, &place.at("run.1-of-2.tar")).unwrap(), [0, 2]);
    assert_eq!(place.left(), Vec::<PathBuf>::new(), "nothing else is left");
    let again = Writer::begin(&place.at("run.1-of-2.tar"), head("1/2"), &place.folder("scratch")).unwrap();
    assert!(matches!(again, Begun::Whole(_)));
}

#[test]
fn two_writers_of_a_part_come_to_the_same() {
    let place = Place::new();
    let [mut one, mut two] = [place.begin("1/2"), place.begin("1/2")];
    for (first, second) in [(0, 4), (2, 2), (4, 0)] {
        one.add(first, &place.recording(first, "x")).unwrap();
        two.add(second, &place.recording(second, "x")).unwrap();
    }
    assert_eq!(place.left().len(), 2, "each has a name of its own");
    one.finish().unwrap();
    two.finish().unwrap();
    assert_eq!(unpacked(&place, &place.at("run.1-of-2.tar")).unwrap(), [4, 2, 0]);
    assert_eq!(place.left(), Vec::<PathBuf>::new());

    // A third writer began earlier with other contents: the existing part stays.
    fs::remove_file(place.at("run.1-of-2.tar")).unwrap();
    let mut other = place.begin("1/2");
    place.write(&[0]);
    other.add(0, &place.recording(0, "y")).unwrap();
    let said = other.finish().unwrap_err().to_string();
    assert!(said.contains("meanwhile, and trial 0 is not the same there\n\nhint: "), "{said}");
    assert_eq!(unpacked(&place, &place.at("run.1-of-2.tar")).unwrap(), [0]);
}

#[test]
fn a_slow_writer_overtaken_by_another_loses_no_trial() {
    let place = Place::new();
    let mut slow = place.begin("1/2");
    slow.add(0, &place.recording(0, "x")).unwrap();
    place.write(&[2]);
    assert_eq!(unpacked(&place, &place.at("run.1-of-2.tar")).unwrap(), [0, 2]);
    slow.add(2, &place.recording(2, "x")).unwrap();
    slow.finish().unwrap();
    assert_eq!(unpacked(&place, &place.at("run.1-of-2.tar")).unwrap(), [0, 2]);
}

#[test]
fn parts_of_another_run_are_refused() {
    let place = Place::new();
    place.write(&[0]);
    let refused = |head: Head| match Writer::begin(&place.at("run.1-of-2.tar"), head, &place.folder("scratch")) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("it is accepted"),
    };
    let other = Plan { spec: "another".into(), ..plan() };
    let said = refused(Head { outline: Outline::new(&other, TRIALS, vec![]), ..head("1/2") });
    assert!(said.contains("is a part of another experiment"), "{said}");
    let said = refused(Head { environment: environment::sample(&[("7.3.4", "b")]), ..head("1/2") });
    assert!(said.contains("different environment") && said.contains("guest kernel"), "{said}");
}

#[test]
fn errors_say_why_a_file_is_no_part() {
    let place = Place::new();
    place.folder("run.1-of-2");
    fs::write(place.at("text"), "letters").unwrap();
    let said = |name: &str| Part::open(&place.at(name)).unwrap_err().to_string();
    assert!(said("run.1-of-2").contains("is no part of a run: it is a folder\n\nhint: "), "{}", said("run.1-of-2"));
    assert!(said("text").contains("it is no tar archive"), "{}", said("text"));
    assert!(said("nowhere").contains("No such file"), "{}", said("nowhere"));
    let tar = |from: &str| {
        Command::new("tar").arg("cf").arg(place.at("other.tar")).arg("-C").arg(place.0.path()).arg(from).status()
    };
    assert!(tar("text").unwrap().success());
    assert!(said("other.tar").contains("it does not begin with part.json"), "{}", said("other.tar"));
}

#[test]
fn an_outline_makes_its_plan_again_round_by_round() {
    let spec = r#"
title = "an outline"
path = { rate = "10 Mbit/s", rtt = "10 ms", buffer = "1 BDP", loss = "1 %" }
flows = [{ duration = "1 s" }]
vary = { "path.rtt" = ["10 ms", "20 ms"] }
repeat = { seeds = 10, until = { measure = "goodput", interval = "1 %", at-most = 12 } }
"#;
    let kernel = |name: &str| experiment::Kernel {
        names: vec![name.into()],
        congestion_controls: vec![],
        freebsd: None,
        lacks: vec![],
        is_stale: false,
    };
    let first = experiment::plan("x.toml", spec, &[kernel("a"), kernel("b")]).unwrap_or_else(|error| panic!("{error}"));
    let wanted = |seed| {
        first.points().iter().map(|point| study::Wanted { point: point[0].point.clone(), seed }).collect::<Vec<_>>()
    };
    let grow =
        |plan: &Plan, seed| experiment::grown("x.toml", plan.clone(), &wanted(seed)).unwrap_or_else(|e| panic!("{e}"));
    let second = grow(&first, 11);
    let third = grow(&second, 12);
    let outlines = [&first, &second, &third].map(|plan| Outline::new(plan, 20, vec![kernel("b")]));
    assert_eq!(outlines.each_ref().map(Outline::trials), [20, 22, 24]);
    let file = Path::new("part");
    for (outline, plan) in outlines.iter().zip([&first, &second, &third]) {
        let start = outline.first_round(file).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(start, first);
        assert_eq!(outline.grown(start, file).unwrap_or_else(|e| panic!("{e}")), *plan);
        assert!(outline.is_of(&first) && outline.is_of(&third) && outlines[2].begins_with(outline));
    }
    assert!(!outlines[0].begins_with(&outlines[1]));
    let other =
        experiment::plan("x.toml", &spec.replace("20 ms", "30 ms"), &[kernel("b")]).unwrap_or_else(|e| panic!("{e}"));
    assert!(!outlines[0].is_of(&other));
    let elsewhere = Outline::new(&first, 20, vec![kernel("c")]);
    assert!(matches!(elsewhere.first_round(file), Err(OutlineError::Other)), "the kernel has another name");
    // Seeds that were asked for are not in the experiment's text.
    let seeds = "101..103".parse().ok();
    let asked = experiment::plan_of_seeds("x.toml", spec, &[kernel("b")], seeds).unwrap_or_else(|e| panic!("{e}"));
    let outline: Outline =
        serde_json::from_str(&serde_json::to_string(&Outline::new(&asked, 6, vec![kernel("b")])).unwrap()).unwrap();
    assert_eq!(outline.first_round(file).unwrap_or_else(|error| panic!("{error}")), asked);
    assert!(!outlines[0].is_of(&asked));
}
