//! The house: which room may use which, that no file imports in a circle, and which rooms see nothing outside.

mod imports;

use crate::tidy::{grep_own, is_impure, report, sources, text};
use imports::{Import, circles, imports};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

/// Crates, and the files that they begin with.
const CRATES: &[(&str, &str)] = &[
    ("wire", "wire/src/lib.rs"),
    ("evidence", "evidence/src/lib.rs"),
    ("goodput", "goodput/src/lib.rs"),
    ("bin", "goodput/src/bin/goodput/main.rs"),
    ("agent", "agent/src/main.rs"),
];

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Neither sees nor changes anything outside: no clock, file, host or environment.
const PURE: bool = true;
const WORLD: bool = false;

/// Every room, from the ground up: a room may use those in its row, which are listed above it.
const ROOMS: &[(&str, bool, &str)] = &[
    ("wire", PURE, ""),
    ("evidence", PURE, ""),
    ("evidence/capture", WORLD, "evidence"),
    ("evidence/import", PURE, "evidence"),
    ("export", PURE, "evidence"),
    ("folder", WORLD, "evidence"),
    ("interrupt", WORLD, ""),
    ("field", WORLD, "evidence interrupt"),
    ("junit", PURE, ""),
    ("measure", PURE, "wire"),
    ("model", PURE, "evidence"),
    ("output", WORLD, "evidence folder"),
    ("plan", PURE, "wire evidence"),
    ("network", PURE, "wire evidence model plan"),
    ("process", WORLD, "interrupt"),
    ("scratch", WORLD, "folder"),
    ("sums", WORLD, "folder"),
    ("recording", WORLD, "wire evidence folder sums"),
    ("runner", WORLD, "plan process"),
    ("show", PURE, "evidence measure plan"),
    ("schema", PURE, ""),
    ("shard", PURE, ""),
    ("suggest", PURE, "evidence"),
    ("formula", PURE, "evidence model suggest"),
    ("facts", PURE, "evidence suggest formula"),
    ("differs", PURE, "show facts formula"),
    ("suspicion", PURE, "evidence model show suggest formula facts differs"),
    ("access", WORLD, "suggest evidence"),
    ("remedy", PURE, "suggest evidence model"),
    ("advise", PURE, "evidence measure model show remedy"),
    ("stats", PURE, ""),
    ("analyze", PURE, "wire evidence folder measure model plan network recording show stats"),
    ("data", PURE, "evidence measure plan network analyze"),
    ("quantity", PURE, "evidence model stats"),
    ("diagnose", PURE, "evidence evidence/import measure model show remedy advise stats quantity"),
    ("study", PURE, "plan analyze stats"),
    ("experiment", PURE, "wire evidence evidence/import measure plan network suggest analyze stats study"),
    ("judge", PURE, "measure plan show analyze diagnose stats study"),
    ("prove", PURE, "evidence model recording measure show remedy analyze stats diagnose judge"),
    ("apply", WORLD, "evidence evidence/import field interrupt measure model show remedy analyze stats judge"),
    ("table", PURE, "wire evidence measure plan network show analyze stats study"),
    ("terminal", PURE, "evidence measure show stats table"),
    ("report", PURE, "evidence measure plan show analyze stats judge table"),
    ("kernel", WORLD, "evidence suggest sums interrupt output process"),
    ("run_folder", WORLD, "access evidence folder plan sums"),
    (
        "sources",
        WORLD,
        "wire access evidence evidence/capture evidence/import folder plan recording show analyze run_folder",
    ),
    ("probe", WORLD, "evidence evidence/import folder show diagnose sources field"),
    ("engine", WORLD, "wire evidence folder plan network recording kernel run_folder process"),
    ("environment", WORLD, "evidence kernel engine"),
    ("cache", WORLD, "folder plan sums kernel environment"),
    ("part", WORLD, "evidence folder plan shard sums study experiment environment"),
    ("doctor", WORLD, "kernel cache engine"),
    ("trust", WORLD, "plan kernel environment"),
    ("estimate", WORLD, "wire model plan network analyze"),
    ("present", PURE, "wire evidence folder junit plan network recording show analyze judge table report environment"),
    ("schedule", WORLD, "plan recording runner analyze run_folder cache interrupt"),
    ("dry_run", WORLD, "plan cache estimate schedule"),
    ("progress", WORLD, "evidence measure plan recording show analyze engine estimate schedule output"),
    (
        "run",
        WORLD,
        "access evidence folder interrupt plan process recording runner analyze data diagnose study experiment judge report sums kernel run_folder sources engine environment cache doctor estimate present schedule scratch dry_run progress trust shard part",
    ),
    (
        "suspicion_lab",
        WORLD,
        "access evidence output measure plan recording show analyze formula suspicion sources run_folder run",
    ),
    (
        "field_run",
        WORLD,
        "wire evidence field folder interrupt measure plan sums recording show stats analyze study experiment run_folder probe environment run",
    ),
    (
        "proof",
        WORLD,
        "access evidence folder plan sums recording show analyze stats prove run_folder environment output run trust",
    ),
    ("bisect", WORLD, "interrupt process judge kernel present schedule run"),
    (
        "compare",
        WORLD,
        "access evidence evidence/import measure plan show analyze stats judge run_folder environment run",
    ),
    ("rerun", WORLD, "folder trust plan runner kernel run_folder engine environment schedule progress run doctor"),
    ("gather", WORLD, "evidence folder plan sums analyze shard experiment run_folder part run"),
    ("slurm", WORLD, "evidence folder output analyze network shard part dry_run run gather"),
    ("agent/sys", WORLD, "wire"),
    ("agent", WORLD, "wire agent/sys"),
    (
        "bin",
        WORLD,
        "access suggest evidence export field folder junit model plan network analyze data show remedy advise diagnose prove apply terminal experiment field_run kernel run_folder engine doctor present dry_run progress run schema shard gather slurm proof bisect compare rerun sources trust interrupt output process probe formula facts differs suspicion suspicion_lab",
    ),
];

/// A crate whose inner folders are no rooms of their own, with the exceptions.
const ONE_ROOM: (&str, &str) = ("agent", "agent/sys");

#[test]
fn no_files_import_one_another_in_a_circle() {
    let circles = circles(&HOUSE);
    report(
        circles.iter().flatten().map(|import| format!("{}: imports {} for {}", import.from, import.to, import.path)),
        "move what both need into a file below both",
    );
}

#[test]
fn rooms_use_what_their_row_names() {
    let rows = rows(ROOMS);
    report(crossings(&HOUSE, &rows), "move it to where it may be used, or name the room in the row of ROOMS");
    report(climbs(ROOMS), "a room stands below those that it uses: sort ROOMS");
}

#[test]
fn every_room_has_a_row_and_every_row_its_use() {
    let rows = rows(ROOMS);
    let files = files();
    let rooms: BTreeSet<&str> = files.iter().filter_map(|file| room(file)).collect();
    let named: BTreeSet<&str> = rows.keys().copied().collect();
    report(
        rooms.symmetric_difference(&named).map(|room| room.to_string()),
        "give it a row in ROOMS, or remove the row",
    );
    let used: BTreeSet<(&str, &str)> =
        HOUSE.iter().filter_map(|import| Some((room(&import.from)?, room(&import.to)?))).collect();
    let allowed = rows.iter().flat_map(|(room, uses)| uses.iter().map(move |other| (*room, *other)));
    let idle = allowed.filter(|pair| !used.contains(pair)).map(|(room, other)| format!("{room} does not use {other}"));
    report(idle, "remove it from the row of ROOMS");
}

#[test]
fn pure_rooms_see_nothing_outside() {
    let pure: BTreeSet<&str> = ROOMS.iter().filter(|(_, pure, _)| *pure).map(|(room, ..)| *room).collect();
    let files = files().into_iter().filter(|file| room(file).is_some_and(|room| pure.contains(room)));
    let found = files.flat_map(|file| grep_own(&file, is_impure));
    report(found, "hand the value in from a room that may look outside (run, bin, engine, recording)");
}

/// The rooms that use one, directly or through others, and itself.
fn users<'t>(rows: &BTreeMap<&'t str, BTreeSet<&'t str>>, room: &'t str) -> BTreeSet<&'t str> {
    let mut users = BTreeSet::from([room]);
    loop {
        let more = rows.iter().filter(|(_, uses)| !uses.is_disjoint(&users)).map(|(user, _)| *user);
        let all: BTreeSet<&str> = more.chain(users.iter().copied()).collect();
        if all == users {
            return users;
        }
        users = all;
    }
}

#[test]
fn make_check_runs_the_units_of_every_room_that_a_change_reaches() {
    let rows = rows(ROOMS);
    let elsewhere =
        |room: &str| room == "bin" || ["wire", "agent", "evidence"].contains(&room.split('/').next().unwrap());
    for (room, file) in
        [("stats", "goodput/src/stats/mod.rs"), ("wire", "wire/src/job.rs"), ("slurm", "goodput/src/slurm.rs")]
    {
        let mut script = Command::new(Path::new(ROOT).join("scripts/check-changes"));
        let planned = script.args(["--list", "--changed", file]).output().unwrap();
        let planned = String::from_utf8(planned.stdout).unwrap();
        let units = planned.lines().find_map(|line| line.split_once("--package goodput --lib -- "));
        let units: BTreeSet<&str> =
            units.map_or("", |(_, units)| units).split_whitespace().map(|unit| unit.trim_end_matches("::")).collect();
        let due: BTreeSet<&str> = users(&rows, room).into_iter().filter(|room| !elsewhere(room)).collect();
        assert_eq!(units, due, "{file}: {planned}");
    }
}

/// A topic that is in neither list of `scripts/check-changes` would run for no change but its own.
#[test]
fn make_check_knows_every_topic() {
    let script = text("scripts/check-changes");
    let block = |from: &str| script.split_once(from).and_then(|(_, rest)| rest.split_once('\'')).unwrap().0;
    let (table, tree) = (block("TOPICS='"), block("TREE='"));
    let known: BTreeSet<&str> = ROOMS.iter().map(|(room, ..)| *room).collect();
    let about = table.lines().flat_map(|line| line.split_whitespace().skip(1));
    report(
        about.filter(|room| !known.contains(room)).map(str::to_owned),
        "name a room of ROOMS in scripts/check-changes",
    );
    let topics = table.lines().filter_map(|line| line.split_whitespace().next());
    let named: BTreeSet<&str> = topics.chain(tree.split(' ').filter_map(|test| test.split("::").next())).collect();
    let main = text("goodput/tests/it/main.rs");
    let modules = main.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    report(
        modules.filter(|module| !named.contains(module)).map(str::to_owned),
        "give it a line in TOPICS of scripts/check-changes, with the rooms that it is about",
    );
}

/// The rooms that each may use.
fn rows<'t>(table: &[(&'t str, bool, &'t str)]) -> BTreeMap<&'t str, BTreeSet<&'t str>> {
    table.iter().map(|(room, _, uses)| (*room, uses.split(' ').filter(|room| !room.is_empty()).collect())).collect()
}

/// Imports from rooms that a row does not name.
fn crossings(imports: &BTreeSet<Import>, rows: &BTreeMap<&str, BTreeSet<&str>>) -> Vec<String> {
    let crosses = |import: &&Import| match (room(&import.from), room(&import.to)) {
        (Some(from), Some(to)) => from != to && !rows.get(from).is_some_and(|uses| uses.contains(to)),
        _ => false,
    };
    imports.iter().filter(crosses).map(|import| format!("{}: uses {}", import.from, import.path)).collect()
}

/// Rows that name a room that is not listed above them.
fn climbs(table: &[(&str, bool, &str)]) -> Vec<String> {
    let mut above = BTreeSet::new();
    let mut climbs = vec![];
    for (room, _, uses) in table {
        let higher = uses.split(' ').filter(|other| !other.is_empty() && !above.contains(other));
        climbs.extend(higher.map(|other| format!("{room} uses {other}, which stands below it")));
        above.insert(*room);
    }
    climbs
}

/// The room of a file; none of the file that only names the modules of goodput.
fn room(file: &str) -> Option<&str> {
    let (krate, rest) = file.split_once("/src/")?;
    let first = rest.split('/').next()?;
    match krate {
        "goodput" => Some(first.trim_end_matches(".rs")).filter(|room| *room != "lib"),
        _ if krate == ONE_ROOM.0 && !file.starts_with(&ONE_ROOM.1.replace('/', "/src/")) => Some(krate),
        _ if first == rest => Some(krate),
        _ => ROOMS.iter().map(|(room, ..)| *room).find(|room| *room == format!("{krate}/{first}")),
    }
}

/// Files of the crates, but for their tests.
fn files() -> Vec<String> {
    let own = |path: &String| {
        let inside =
            CRATES.iter().any(|(_, first)| path.starts_with(first.split_once("/src/").map_or("", |(krate, _)| krate)));
        inside && path.contains("/src/") && !path.ends_with("/tests.rs") && !path.contains("/tests/")
    };
    sources(".rs").into_iter().filter(own).collect()
}

static HOUSE: LazyLock<BTreeSet<Import>> = LazyLock::new(|| {
    let known: BTreeSet<String> = sources(".rs").into_iter().collect();
    imports(CRATES, |path| known.contains(path).then(|| text(path)))
});

/// A house of five files, in which `a` and `b` import each other, and the ground its roof.
const PLANTED: &[(&str, &str)] = &[
    ("goodput/src/lib.rs", "pub mod ground; pub mod roof;"),
    (
        "goodput/src/ground.rs",
        "pub fn plan() -> u8 { let text = \"crate::roof::a\"; crate::roof::a(text) } // crate::roof",
    ),
    ("goodput/src/roof/mod.rs", "mod a;\nmod b;\npub use a::{a, Kind as Sort};\npub enum Face {}\n"),
    (
        "goodput/src/roof/a.rs",
        "use super::b::{self, deep::{Thing}};\nuse super::Face;\npub fn a(_: &str) -> u8 { b::b() }\npub enum Kind {}\n\
         #[cfg(test)]\nmod tests { use crate::ground; }\n#[cfg(test)]\nuse crate::{ground};\n",
    ),
    ("goodput/src/roof/b.rs", "use crate::roof::Sort;\npub mod deep { pub struct Thing; }\npub fn b() -> u8 { 0 }\n"),
];

fn planted(change: impl Fn(&str) -> String) -> BTreeSet<Import> {
    let read = |path: &str| PLANTED.iter().find(|(file, _)| *file == path).map(|(_, text)| change(text));
    imports(&[("goodput", "goodput/src/lib.rs")], read)
}

#[test]
fn a_planted_circle_is_found() {
    let imports = planted(str::to_owned);
    let found: Vec<Vec<&str>> =
        circles(&imports).iter().map(|circle| circle.iter().map(|import| import.path.as_str()).collect()).collect();
    assert_eq!(found, [["super::b", "super::b::b", "super::b::deep::Thing", "crate::roof::Sort"]]);
    assert_eq!(circles(&planted(|text| text.replace("use crate::roof::Sort;", ""))), Vec::<Vec<&Import>>::new());
}

#[test]
fn a_planted_climb_is_found() {
    let table = [("ground", PURE, ""), ("roof", PURE, "ground")];
    assert_eq!(crossings(&planted(str::to_owned), &rows(&table)), ["goodput/src/ground.rs: uses crate::roof::a"]);
    assert_eq!(climbs(&[("ground", PURE, "roof"), ("roof", PURE, "")]), ["ground uses roof, which stands below it"]);
    assert!(climbs(&table).is_empty());
}
