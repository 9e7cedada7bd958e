//! Whatever is read, nothing reaches a terminal that it would obey.

use super::made::{EXPERIMENT, Made, Said};
use super::plans::places;
use crate::ending::place::{self, Place};
use base::folder::Folder;
use base::sums;
use lab::run;
use serde_json::Value;
use std::fs;
use wire::{Message, Readback, frame};

/// A title for the window, a colour, a bell, the same by a C1 control, an override of the direction, a return and a
/// line of its own, that looks like ours.
pub const EVIL: &str = "\u{1b}]0;owned\u{7}\u{1b}[31mred\u{9b}31m\u{7f}\u{202e}\u{2066}\r\nReport: /elsewhere";

/// Control characters as an experiment may write them.
const ESCAPED: &str = r"\u001b]0;owned\u0007\u001b[31mred\u009b31m\u007f\u202e\u2066\r\nReport: /elsewhere";

fn is_plain(said: &Said, of: &[impl AsRef<str>]) {
    has_no_signs(said);
    let of: Vec<&str> = of.iter().map(AsRef::as_ref).collect();
    for text in [&said.stdout, &said.stderr] {
        assert!(
            !text.lines().any(|line| line.trim_start_matches(['#', ' ']).starts_with("Report: /elsewhere")),
            "{of:?}: {text}"
        );
    }
}

pub fn has_no_signs(said: &Said) {
    for text in [&said.stdout, &said.stderr] {
        let obeyed = |c: char| {
            c != '\n' && c != '\t' && (c.is_control() || "\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}".contains(c))
        };
        assert!(!text.contains(obeyed), "{text:?}");
    }
    assert!(!is_forged(&said.stderr), "{}", said.stderr);
}

/// Whether a text has lines of [`EVIL`] that look like goodput's own.
fn is_forged(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("Report: /elsewhere"))
}

/// An experiment that is evil where a text is taken.
fn experiment() -> String {
    EXPERIMENT
        .replace("Made by hand", ESCAPED)
        .replace("title =", &format!("question = \"{ESCAPED}\"\ntitle ="))
        .replace("[vary]\n", &format!("[vary.\"{ESCAPED}\"]\n\"{ESCAPED}\" = {{ \"flows.congestion\" = \"cubic\" }}\nother = {{ \"flows.congestion\" = \"reno\" }}\n[old]\n"))
        .replace("[old]\n\"flows.congestion\" = [\"cubic\", \"reno\"]\n", "")
        + &format!("[[published]]\nsource = \"{ESCAPED}\"\nmeasure = \"goodput\"\nwhere = {{ \"{ESCAPED}\" = \"other\" }}\nvalue = \"9 Mbit/s\"\n")
}

#[test]
fn a_run_cannot_write_to_the_terminal() {
    let run = Made::of(&experiment());
    let title = fs::read_to_string(run.path().join("plan.json")).unwrap();
    assert!(title.contains("owned"), "{title}");
    let mut commands = super::commands(&run);
    commands.push(vec!["check".into(), run.experiment()]);
    commands.push(vec!["check".into(), run.experiment(), "--json".into()]);
    let again = run.path().join("../again2").display().to_string();
    commands.push(
        ["run", &run.experiment(), "--replay", &run.name(), "--out", &again, "--dry-run"].map(str::to_owned).into(),
    );
    for command in &commands {
        let said = run.goodput(command);
        is_plain(&said, command);
        let is_json = command.iter().any(|word| word == "--json");
        assert!(!is_json || said.code == 2 || serde_json::from_str::<Value>(&said.stdout).is_ok(), "{said:?}");
    }
}

#[test]
fn an_error_cannot_write_to_the_terminal() {
    let run = Made::new();
    let place = run.path().join("../evil.toml");
    let texts = [
        format!("title = {EVIL}\n"),
        format!("title = \"{EVIL}\"\n"),
        format!("'{EVIL}' = 3\n"),
        EXPERIMENT.replace("\"10 Mbit/s\"", &format!("\"{ESCAPED}\"")),
        EXPERIMENT.replace("[path]", &format!("\"{ESCAPED}\" = 3\n[path]")),
        EXPERIMENT.replace("flows.congestion\" =", &format!("flows.{ESCAPED}\" =")),
        EXPERIMENT.replace("\"cubic\"", &format!("\"{ESCAPED}\"")),
        EXPERIMENT.replace("[path]", "[[hosts]]\nname = \"a\"") + &format!("[[hosts]]\nname = \"{ESCAPED}\"\n"),
    ];
    for text in texts {
        fs::write(&place, &text).unwrap();
        let command = ["check", place.to_str().unwrap()];
        let said = run.goodput(&command);
        is_plain(&said, &command);
    }
    let name = run.path().join(format!("../{}.toml", EVIL.replace('/', ":")));
    fs::write(&name, "title = 3").unwrap();
    let typed = EVIL.replace(['\r', '\n'], "");
    for command in [
        vec!["check", name.to_str().unwrap()],
        vec!["import", name.to_str().unwrap()],
        vec!["diagnose", name.to_str().unwrap()],
        vec!["compare", name.to_str().unwrap(), &typed],
        vec!["report", name.to_str().unwrap()],
        vec![&typed],
        vec!["diagnose", "--rate", &typed, "x"],
        vec!["explain", &typed],
        vec!["kernel", "show", &typed],
        vec!["advise", "--rate", "1Gbit/s", "--rtt", &typed],
    ] {
        let said = run.goodput(&command);
        assert_ne!(said.code, 101, "{said:?}");
        is_plain(&said, &command);
    }
}

#[test]
fn stored_program_output_cannot_write_to_the_terminal() {
    let run = Made::new();
    let one_line = EVIL.replace(['\r', '\n'], " ");
    let mut listings = vec![];
    for folder in ["../examples/listings", "../crates/evidence/tests/views", "../crates/evidence/tests/hosts"] {
        let folder = format!("{}/{folder}", env!("CARGO_MANIFEST_DIR"));
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
        listings.extend(files.filter_map(|path| fs::read_to_string(path).ok()));
    }
    assert!(listings.len() > 20);
    let place = run.path().join("../kept.txt");
    let place = place.to_str().unwrap();
    for (number, text) in listings.iter().enumerate() {
        // Insert in the middle of every word that is no number, and at the end of every line.
        let evil = |line: &str| match number % 2 {
            0 => format!("{line} {one_line}"),
            _ => line
                .replace("eth", &format!("e{one_line}"))
                .replace("cubic", &one_line)
                .replace("10.", &format!("{one_line}.")),
        };
        fs::write(place, text.lines().map(evil).collect::<Vec<_>>().join("\n")).unwrap();
        for command in [vec!["import", place], vec!["diagnose", place, "--verbose"], vec!["diagnose", place, "--json"]]
        {
            let said = run.goodput(&command);
            assert!(matches!(said.code, 0 | 2), "{said:?}");
            is_plain(&said, &command);
        }
        let said = run.goodput(&["compare", place, place]);
        is_plain(&said, &["compare", place]);
    }
}

#[test]
fn a_plan_cannot_write_to_the_terminal() {
    let run = Made::new();
    let plan = run.path().join("plan.json");
    let text = fs::read_to_string(&plan).unwrap();
    for (old, new) in [
        ("\"Made by hand\"", EVIL),
        ("\"cubic\"", EVIL),
        ("\"flows.congestion\"", EVIL),
        ("\"sender\"", EVIL),
        ("\"title\"", EVIL),
    ] {
        fs::write(&plan, text.replace(old, &serde_json::to_string(new).unwrap())).unwrap();
        for command in super::commands(&run) {
            let said = run.goodput(&command);
            assert_ne!(said.code, 101, "{command:?}: {said:?}");
            is_plain(&said, &command);
        }
    }
}

#[test]
fn a_report_is_whole_whatever_the_experiment_says() {
    let run = Made::of(&experiment());
    let again = run.path().join("../again");
    let [out, xml, csv] = ["", "cases.xml", "all.csv"].map(|name| again.join(name).display().to_string());
    let said = run.goodput(&[
        "run",
        &run.experiment(),
        "--replay",
        &run.name(),
        "--out",
        &out,
        "--no-cache",
        "--junit",
        &xml,
        "--csv",
        &csv,
    ]);
    assert!(matches!(said.code, 0 | 3), "{said:?}");
    for name in ["cases.xml", "cwnd.svg", "throughput.svg"] {
        let text = fs::read_to_string(again.join(name)).unwrap();
        assert!(roxmltree::Document::parse(&text).is_ok(), "{name}: {text:.300}");
    }
    let csv = fs::read_to_string(csv).unwrap();
    assert!(!csv.contains(|c: char| c != '\n' && c.is_control()), "{csv}");
    let page = fs::read_to_string(again.join("report.html")).unwrap();
    assert!(!page.contains('\u{1b}') && !page.contains('\u{202e}'));
}

/// Errors about a file quote words from it.
#[test]
fn an_error_has_no_line_that_somebody_else_wrote() {
    let run = Made::beginning(EXPERIMENT, 1);
    let mut refused = 0;
    for file in ["plan.json", "environment.json", "trials/0000/trial.json"] {
        let place = run.path().join(file);
        let original = fs::read(&place).unwrap();
        let sound: Value = serde_json::from_slice(&original).unwrap();
        let mut all = vec![];
        places(&sound, String::new(), &mut all);
        for at in all {
            let mut made = sound.clone();
            *made.pointer_mut(&at).unwrap() = EVIL.into();
            fs::write(&place, made.to_string()).unwrap();
            sums::write(&Folder::open(&run.trial(0)).unwrap()).unwrap();
            if let Err(error) = run::report_again(&run.path()) {
                refused += 1;
                assert!(!is_forged(&error.to_string()), "{file}{at}: {error}");
            }
        }
        fs::write(&place, original).unwrap();
        sums::write(&Folder::open(&run.trial(0)).unwrap()).unwrap();
    }
    assert!(refused > 30, "{refused}");
    fs::write(run.trial(0).join("x\nhint: evil"), "").unwrap();
    let said = run.goodput(&["report", &run.name()]);
    assert!(said.stderr.contains(r"x\nhint: evil was not recorded"), "{said:?}");
}

/// Text from the guest, which any command in it may have written.
#[test]
fn a_recording_cannot_write_to_the_terminal() {
    let run = Made::new();
    let facts = run.trial(0).join("trial.json");
    let mut value: Value = serde_json::from_slice(&fs::read(&facts).unwrap()).unwrap();
    value["release"] = EVIL.into();
    value["broken"] = serde_json::json!({ "0": EVIL });
    value["readbacks"] = serde_json::json!([{ "place": EVIL, "setting": EVIL, "asked": EVIL, "got": EVIL }]);
    value["qdiscs"] = serde_json::json!({ EVIL: EVIL });
    value["counters"] = serde_json::json!({ EVIL: EVIL });
    value["devices"][0]["namespace"] = EVIL.into();
    value["devices"][0]["device"] = EVIL.into();
    value["ran"] = serde_json::json!([{ "command": 0, "time": 1, "status": 0, "output": EVIL }]);
    fs::write(&facts, value.to_string()).unwrap();
    sums::write(&Folder::open(&run.trial(0)).unwrap()).unwrap();
    for command in super::commands(&run) {
        let said = run.goodput(&command);
        let is_fine = matches!(said.code, 0 | 3) || ["rerun", "run"].contains(&command[0].as_str());
        assert!(is_fine, "{command:?}: {said:?}");
        is_plain(&said, &command);
    }
}

#[test]
fn a_guest_that_fails_cannot_write_to_the_terminal() {
    let message = |message: Message| frame::encode(frame::MESSAGE, &serde_json::to_vec(&message).unwrap());
    let evil = || EVIL.to_owned();
    let readback = Readback { place: evil(), setting: evil(), asked: evil(), got: "else".into() };
    let failures = [
        (vec![], format!("Kernel panic - {EVIL}\nRIP: 0033:{EVIL}\n")),
        (vec![], evil()),
        (message(Message::Failed { what: format!("no\n\nhint: {EVIL}") }), evil()),
        ([message(Message::Readbacks(vec![readback])), message(Message::Done)].concat(), evil()),
        (frame::encode(frame::MESSAGE, &serde_json::to_vec(&format!("no\n\nhint: {EVIL}")).unwrap()), evil()),
    ];
    for (stream, console) in failures {
        let place = Place::with_guest_telling(&stream, &console);
        let text = place::read(&place.path("x.toml")) + "hosts.sender.run = ['true']\n";
        place.write("x.toml", &text.replace("repeat = { seeds = 2 }", ""));
        place.plan("alone");
        for command in
            ["run x.toml --no-cache --out new --junit new/cases.xml", "trial alone/plan.json 0 --allow-commands"]
        {
            let output = place.goodput(command).output().unwrap();
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let said =
                Said { code: place::code(output.status), stdout: text(&output.stdout), stderr: text(&output.stderr) };
            assert_eq!(said.code, 2, "{command}: {said:?}");
            assert!((said.stdout.clone() + &said.stderr).contains("owned"), "{command}: {said:?}");
            has_no_signs(&said);
            // Text from the guest is indented.
            let lines = || said.stdout.lines().chain(said.stderr.lines());
            let forged =
                |line: &str| line.starts_with("Report: ") || line.starts_with("hint: ") && line.contains("owned");
            assert!(!lines().any(forged), "{command}: {said:?}");
        }
        let cases = place::read(&place.path("new/cases.xml"));
        assert!(cases.is_empty() || roxmltree::Document::parse(&cases).is_ok(), "{cases}");
    }
}

/// A tar by mail can contain a file with any name.
#[test]
fn file_names_stay_in_one_line_and_one_shell_word() {
    let run = Made::new();
    let damaged = run.path().join("x.pcap\n\nhint: evil");
    fs::write(&damaged, b"\xd4\xc3\xb2\xa1\x02\0").unwrap();
    let folder = run.path().join("pf;evil|sh\nhint: evil");
    fs::create_dir_all(folder.join("proof")).unwrap();
    fs::write(folder.join("proof/verdict.json"), "{").unwrap();
    for (command, path) in
        [("diagnose", &damaged), ("import", &damaged), ("gather", &damaged), ("diagnose", &folder), ("report", &folder)]
    {
        let said = run.goodput(&[command, path.to_str().unwrap()]);
        assert!(said.code != 0 && said.stderr.contains("\\nhint: evil"), "{said:?}");
        assert!(!said.stderr.lines().any(|line| line.starts_with("hint: evil")), "{said:?}");
        let is_quoted = ["goodput prove '", "goodput prove \""].iter().any(|quoted| said.stderr.contains(quoted));
        assert!(is_quoted || !said.stderr.contains("prove"), "{said:?}");
    }
}
