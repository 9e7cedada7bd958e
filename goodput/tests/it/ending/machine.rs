//! Machines that lack something: the error and `goodput doctor` both name the path and the remedy.

use super::place::{Place, code};
use crate::skip::skip;

/// Changes to the machine, which need a user namespace, and goodput's messages for them.
const LACKS: &[(&str, &[&str])] = &[
    ("mount -t tmpfs none /proc", &["/proc is not mounted", "hint: sudo mount -t proc proc /proc"]),
    (
        "touch null; mount --bind null /dev/null",
        &["/dev/null is not a character device", "hint: sudo rm -f /dev/null; sudo mknod -m 666 /dev/null c 1 3"],
    ),
    (
        "mount --bind /dev/null /dev/null && mount -o remount,bind,nodev /dev/null",
        &["/dev/null cannot be opened: Permission denied", "hint: sudo rm -f /dev/null; sudo mknod"],
    ),
];

/// Every command that starts programs.
const STARTING: &[&str] = &[
    "run x.toml --no-cache --out new",
    "run x.toml --no-cache --out new --replay run",
    "run x.toml --shard 1/2",
    "rerun run",
    "trial alone/plan.json 0",
    "kernel add --from source.tar",
    "bisect expect.toml --tree . --good a --bad b",
    "doctor",
];

fn run(place: &Place, change: &str, command: &str) -> Option<(i32, String)> {
    let line = format!("{change}; exec \"$GOODPUT\" {command} 2>&1");
    let output = place.command("unshare").args(["-rm", "bash", "-c", &line]).output().unwrap();
    if String::from_utf8_lossy(&output.stderr).contains("unshare failed") {
        skip("this machine allows no user namespaces");
        return None;
    }
    Some((code(output.status), String::from_utf8_lossy(&output.stdout).into_owned()))
}

#[test]
fn things_a_machine_lacks_are_named_with_a_next_step() {
    let place = Place::with_guest("echo 'Kernel panic - not syncing: no memory' >&2");
    place.plan("alone");
    place.write("expect.toml", &(super::place::read(&place.path("x.toml")) + super::EXPECT));
    for (change, expected) in LACKS {
        for command in STARTING {
            let Some((code, said)) = run(&place, change, command) else { return };
            assert_eq!(code, 2, "{change}: {command}: {said}");
            for text in *expected {
                assert!(said.contains(text), "{change}: {command}: no {text:?} in\n{said}");
            }
        }
    }
}

/// Only its owner may write to this /dev/null, and goodput runs as another user: root without its privileges.
#[test]
fn a_mode_that_lets_nobody_write_to_nothing_is_named() {
    let place = Place::with_guest("echo 'Kernel panic - not syncing: no memory' >&2");
    place.plan("alone");
    place.write("expect.toml", &(super::place::read(&place.path("x.toml")) + super::EXPECT));
    let change = "mount -t tmpfs none bin && mknod -m 644 bin/null c 1 3 && chown 65534 bin/null";
    for command in STARTING {
        let line = format!(
            "{change} && mount --bind bin/null /dev/null && \
             exec setpriv --bounding-set=-all --inh-caps=-all \"$GOODPUT\" {command} 2>&1"
        );
        let output = place.command("unshare").args(["-m", "bash", "-c", &line]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        if !said.contains("/dev/null") {
            let why = String::from_utf8_lossy(&output.stderr);
            assert!(why.contains("not permitted") || why.contains("denied"), "{command}: {said}{why}");
            skip("only root makes devices");
            return;
        }
        assert_eq!(code(output.status), 2, "{command}: {said}");
        for text in ["/dev/null cannot be opened: Permission denied", "its mode is 0644", "hint: sudo chmod 666"] {
            assert!(said.contains(text), "{command}: no {text:?} in\n{said}");
        }
    }
}

/// goodput does not blame the compiler.
#[test]
fn a_build_without_a_place_for_temporary_files_says_so() {
    let place = Place::new();
    let output = place.goodput("kernel add --from source.tar").env("TMPDIR", "/nowhere").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(code(output.status), 2, "{said}");
    assert!(said.contains("cannot use /nowhere for temporary files") && said.contains("hint: set TMPDIR"), "{said}");
    assert!(!said.contains("gcc"), "{said}");
}

/// Neither diagnosis nor advice needs any of it.
#[test]
fn commands_without_the_lab_work_on_a_bare_machine() {
    let place = Place::new();
    for (change, _) in LACKS {
        for command in ["diagnose listing.txt", "advise --rate 1Gbit/s --rtt 210ms", "check x.toml"] {
            let Some((code, said)) = run(&place, change, command) else { return };
            assert_eq!(code, 0, "{change}: {command}: {said}");
        }
    }
}

#[test]
fn without_a_home_the_place_for_kernels_is_asked_for() {
    let place = Place::new();
    for command in ["kernel list", "kernel add --from source.tar", "run x.toml"] {
        let output = place.goodput(command).env_remove("HOME").env_remove("XDG_CACHE_HOME").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(code(output.status), 2, "{command}: {said}");
        assert!(
            said.contains("neither XDG_CACHE_HOME nor HOME is an absolute path\n\nhint: set XDG_CACHE_HOME"),
            "{said}"
        );
    }
}

/// A guest that is booted leaves a file.
#[test]
fn a_foreign_kernel_is_refused_before_a_search_boots_it() {
    let place = Place::with_guest("touch \"$XDG_CACHE_HOME/booted\"");
    let file = "cache/goodput/kernels/0123456789abcdef/kernel.json";
    let mut entry: serde_json::Value = serde_json::from_str(&super::place::read(&place.path(file))).unwrap();
    entry["recipe"] = "another".into();
    place.write(file, &entry.to_string());
    let evidence = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/diagnose/real/rmem-0.json");
    place.write("rmem-0.json", &super::place::read(std::path::Path::new(evidence)));
    for command in ["prove rmem-0.json --rate 100Mbit/s --rtt 20ms --out proof", "doctor"] {
        let output = place.goodput(command).output().unwrap();
        let [printed, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        let said = printed.clone() + &errors;
        assert_eq!(code(output.status), 2, "{command}: {said}");
        assert!(said.contains("was built by another version of goodput"), "{command}: {said}");
        assert!(said.contains("goodput kernel add") && !said.contains("candidates"), "{command}: {said}");
        assert!(!printed.contains("boots:") && !printed.contains("does not boot"), "{said}");
    }
    assert!(!place.path("cache/booted").exists() && !place.path("proof").exists());
}
