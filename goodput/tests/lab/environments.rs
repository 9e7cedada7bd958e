//! Odd environments: a run records the same bytes in each of them, or says at once what it lacks.

use crate::support::{CONTAINED, assert_identical, goodput, kernel};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const SPEC: &str = r#"
title = "one trial"
path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP", loss = "0.5 %" }
flows = [{ duration = "500 ms" }]
"#;

/// Outcome of a run.
enum End {
    Same,
    /// Refused before a guest boots, with these words.
    Refused(&'static str),
    /// The run is complete; its exit code shows that the table was not printed.
    Unprinted,
}
use End::{Refused, Same, Unprinted};

/// Name of an oddity, the line of bash that creates it and runs `"$@"`, and the outcome. `$HERE` is the run's folder.
const ENVIRONMENTS: &[(&str, &str, End)] = &[
    ("nothing odd", r#""$@""#, Same),
    ("an empty environment", r#"env -i XDG_CACHE_HOME="$XDG_CACHE_HOME" "$@""#, Same),
    ("no PATH", r#"env -u PATH "$@""#, Same),
    ("a PATH of nothing", r#"PATH=/nonexistent "$@""#, Same),
    ("a PATH with the working directory", r#"PATH=.:$PATH "$@""#, Same),
    ("no HOME", r#"env -u HOME "$@""#, Same),
    ("a HOME that is not there", r#"HOME=/nonexistent "$@""#, Same),
    ("a HOME that is a file", r#"HOME=/etc/hostname "$@""#, Same),
    ("a German locale", r#"LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 "$@""#, Same),
    ("a Turkish locale", r#"LC_ALL=tr_TR.UTF-8 "$@""#, Same),
    ("a locale without UTF-8", r#"LC_ALL=zh_CN.GB18030 "$@""#, Same),
    ("the C locale", r#"LC_ALL=C "$@""#, Same),
    ("another time zone", r#"TZ=Asia/Kathmandu "$@""#, Same),
    ("a time zone that is none", r#"TZ=:/nonexistent "$@""#, Same),
    ("a dumb terminal", r#"TERM=dumb "$@""#, Same),
    ("no colours", r#"NO_COLOR=1 "$@""#, Same),
    ("colours by force", r#"CLICOLOR_FORCE=1 FORCE_COLOR=1 "$@""#, Same),
    ("a narrow terminal", r#"COLUMNS=1 LINES=1 "$@""#, Same),
    ("a wide terminal", r#"COLUMNS=100000 "$@""#, Same),
    ("a temporary folder that is not there", r#"TMPDIR=/nonexistent "$@""#, Same),
    ("a temporary folder that is relative", r#"TMPDIR=. "$@""#, Same),
    ("a temporary folder with spaces", r#"mkdir -p 'a b' && TMPDIR="$PWD/a b" "$@""#, Same),
    ("no runtime folder", r#"env -u XDG_RUNTIME_DIR "$@""#, Same),
    ("backtraces", r#"RUST_BACKTRACE=full "$@""#, Same),
    ("logs", r#"RUST_LOG=trace "$@""#, Same),
    ("memory that is filled when freed", r#"MALLOC_PERTURB_=165 "$@""#, Same),
    ("one arena", r#"MALLOC_ARENA_MAX=1 "$@""#, Same),
    ("checks of the allocator", r#"GLIBC_TUNABLES=glibc.malloc.check=3:glibc.malloc.tcache_count=0 "$@""#, Same),
    ("functions bound at the start", r#"LD_BIND_NOW=1 "$@""#, Same),
    ("libraries that are not there", r#"LD_LIBRARY_PATH=/nonexistent "$@""#, Same),
    ("a variable of 100 kB", r#"LARGE=$(head -c 100000 /dev/zero | tr '\0' x) "$@""#, Same),
    ("a thousand variables", r#"env $(seq -f 'V%g=x' 1000) "$@""#, Same),
    ("a date for reproducible builds", r#"SOURCE_DATE_EPOCH=0 "$@""#, Same),
    ("64 files open at most", r#"ulimit -n 64 && "$@""#, Same),
    ("a million files open at most", r#"ulimit -n $(ulimit -Hn) && "$@""#, Same),
    ("a stack of 1 MB", r#"ulimit -s 1024 && "$@""#, Same),
    ("a stack without bound", r#"ulimit -s unlimited && "$@""#, Same),
    ("no core files", r#"ulimit -c 0 && "$@""#, Same),
    ("no locked memory", r#"ulimit -l 0 && "$@""#, Same),
    ("no pending signals", r#"ulimit -i 0 && "$@""#, Refused("a timer cannot be made")),
    ("no message queues", r#"ulimit -q 0 && "$@""#, Same),
    ("files of 100 MB at most", r#"ulimit -f 102400 && "$@""#, Refused("files may have 104 MB at most")),
    ("addresses of 16 GB at most", r#"ulimit -v 16777216 && "$@""#, Same),
    ("the lowest priority", r#"nice -n 19 "$@""#, Same),
    ("idle scheduling", r#"chrt --idle 0 "$@""#, Same),
    ("batch scheduling", r#"chrt --batch 0 "$@""#, Same),
    ("idle disks", r#"ionice -c 3 "$@""#, Same),
    ("one processor", r#"taskset -c 0 "$@""#, Same),
    ("the other processor", r#"taskset -c 1 "$@""#, Same),
    ("first to be killed", r#"choom -n 1000 -- "$@""#, Same),
    ("addresses that are not random", r#"setarch -R "$@""#, Same),
    ("the old layout of addresses", r#"setarch -L "$@""#, Same),
    ("every page readable is executable", r#"setarch -X "$@""#, Same),
    ("an old kernel's name", r#"setarch --uname-2.6 "$@""#, Same),
    ("SIGPIPE ignored", r#"trap '' PIPE && "$@""#, Same),
    ("SIGHUP ignored", r#"nohup "$@""#, Same),
    ("SIGINT and SIGTERM ignored", r#"trap '' INT TERM && "$@""#, Same),
    ("SIGCHLD ignored", r#"trap '' CHLD && exec "$@""#, Same),
    (
        "most signals blocked",
        r#"env --block-signal=HUP,INT,QUIT,USR1,USR2,PIPE,ALRM,TERM,CHLD,IO,VTALRM,WINCH "$@""#,
        Same,
    ),
    ("a session of its own", r#"setsid --wait "$@""#, Same),
    ("under timeout", r#"timeout 100 "$@""#, Same),
    ("a terminal", r#"script -qec "$(printf '%q ' "$@")" /dev/null"#, Same),
    ("buffers of one line", r#"stdbuf -oL "$@""#, Same),
    ("standard input closed", r#""$@" <&-"#, Same),
    ("standard input a folder", r#""$@" < ."#, Same),
    ("standard input without end", r#""$@" < /dev/zero"#, Same),
    ("standard output closed", r#""$@" >&-"#, Same),
    ("standard error closed", r#""$@" 2>&-"#, Same),
    ("all three closed", r#""$@" <&- >&- 2>&-"#, Same),
    ("standard output full", r#""$@" >/dev/full"#, Unprinted),
    ("a reader that leaves", r#""$@" | head -c 1; exit ${PIPESTATUS[0]}"#, Same),
    ("many descriptors open", r#"for n in {10..200}; do eval "exec $n</dev/null"; done; "$@""#, Same),
    ("files for everyone", r#"umask 000 && "$@""#, Same),
    ("files for nobody", r#"umask 777 && "$@""#, Refused("the umask is 0777")),
    ("files of one's own", r#"umask 077 && "$@""#, Same),
    ("a container's filter of system calls", r#"contained "$@""#, Same),
    ("no new privileges", r#"setpriv --no-new-privs "$@""#, Same),
    ("no capabilities", r#"setpriv --bounding-set=-all --inh-caps=-all "$@""#, Same),
    ("a user namespace", r#"inside "$@""#, Same),
    ("a user namespace without names", r#"unshare --user "$@""#, Same),
    ("no network", r#"inside --net "$@""#, Same),
    ("another host name", r#"inside --uts sh -c 'hostname "an odd name"; exec "$@"' - "$@""#, Same),
    ("processes of its own", r#"inside --pid --fork --mount-proc "$@""#, Same),
    ("a clock that is years ahead", r#"inside --time --boottime 100000000 --monotonic 100000000 "$@""#, Same),
    ("an IPC namespace", r#"inside --ipc "$@""#, Same),
    ("a cgroup namespace", r#"inside --cgroup "$@""#, Same),
    ("a read-only root", r#"mounted 'mount --bind . . && mount -o remount,bind,ro /; cd "$HERE"' "$@""#, Same),
    ("memory that is a disk of its own", r#"mounted 'mount -t tmpfs none /dev/shm' "$@""#, Same),
    ("no /sys", r#"mounted 'mount -t tmpfs none /sys' "$@""#, Same),
    ("no /dev/shm", r#"mounted 'mount -t tmpfs -o ro none /dev/shm' "$@""#, Same),
    ("no /proc", r#"mounted 'mount -t tmpfs none /proc' "$@""#, Refused("/proc is not mounted")),
    (
        "a /dev/null that is a file",
        r#"mounted 'echo x >null; mount --bind null /dev/null' "$@""#,
        Refused("/dev/null is not a character device"),
    ),
    ("a folder with spaces", r#"mkdir 'a  b' && cd 'a  b' && cp "$HERE/x.toml" . && "$@""#, Same),
    ("a folder with a line feed", r#"d=$'a\nb' && mkdir "$d" && cd "$d" && cp "$HERE/x.toml" . && "$@""#, Same),
    ("a folder not of UTF-8", r#"d=$'\xff\xfe' && mkdir "$d" && cd "$d" && cp "$HERE/x.toml" . && "$@""#, Same),
    (
        "a folder of 3,000 bytes",
        r#"for n in {1..15}; do d=$(printf "%0200d" $n); mkdir $d; cd $d; done; cp "$HERE/x.toml" . && "$@""#,
        Same,
    ),
    ("a folder behind a link", r#"mkdir real && ln -s real link && cd link && cp "$HERE/x.toml" . && "$@""#, Same),
    (
        "a folder that was removed",
        r#"mkdir gone && cd gone && rmdir ../gone && "$@""#,
        Refused("x.toml: No such file or directory"),
    ),
    (
        "memory as a disk",
        r#"cd "$(mktemp -d -p /dev/shm)" && cp "$HERE/x.toml" . && "$@"; code=$?; rm -r "$PWD"; exit $code"#,
        Same,
    ),
];

/// Mounts something in a mount namespace of its own, before the run.
const MOUNTED: &str = r#"mounted() { unshare --user --map-root-user --mount sh -c "$1; exec \"\$@\"" "$@"; }
inside() { unshare --user --map-root-user "$@"; }
"#;

fn run(folder: &Path, line: &str, command: &[&str]) -> Output {
    fs::create_dir(folder).unwrap();
    fs::write(folder.join("x.toml"), SPEC).unwrap();
    Command::new("bash")
        .args(["-c", &format!("{CONTAINED}{MOUNTED}{line}"), "-"])
        .args(command)
        .current_dir(folder)
        .env("HERE", folder)
        .env("XDG_CACHE_HOME", kernel().folder.ancestors().nth(3).unwrap())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[test]
fn the_same_bytes_or_the_reason() {
    let place = tempfile::tempdir().unwrap();
    let program = goodput().display().to_string();
    let name = &kernel().names[0];
    let (mut wrong, mut lacking) = (vec![], vec![]);
    let mut first = None;
    for (number, (what, line, end)) in ENVIRONMENTS.iter().enumerate() {
        let folder = place.path().join(number.to_string());
        // A machine may refuse to make an environment.
        if !run(&place.path().join(format!("{number}-made")), line, &["/bin/true"]).status.success() {
            lacking.push(*what);
            continue;
        }
        let out = folder.join("run").display().to_string();
        let output = run(&folder, line, &[&program, "run", "x.toml", "--no-cache", "--kernel", name, "--out", &out]);
        let said = String::from_utf8_lossy(&output.stderr);
        let trials = folder.join("run/trials");
        let as_expected = match end {
            Refused(words) => output.status.code() == Some(2) && said.contains(words) && !trials.join("0000").exists(),
            Same | Unprinted => {
                let code = if matches!(end, Same) { 0 } else { 2 };
                output.status.code() == Some(code) && trials.join("0000").exists()
            }
        };
        if !as_expected {
            wrong.push(format!("{what}: {}\n{said}", output.status));
        } else if !matches!(end, Refused(_)) {
            assert_identical(first.get_or_insert_with(|| trials.clone()), &trials);
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), ENVIRONMENTS.len(), wrong.join("\n"));
    println!("{} environments; this machine cannot make {lacking:?}", ENVIRONMENTS.len() - lacking.len());
    assert!(ENVIRONMENTS.len() - lacking.len() >= 70, "this machine cannot make {lacking:?}");
}
