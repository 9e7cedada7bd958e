//! The same experiment gives the same bytes: with any number of jobs, under load, for any user, however it is sampled.

use crate::support::{CONTAINED, assert_identical, goodput, kernel, record};
use lab::kernel::Entry;
use plan::recording;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

const SPEC: &str = r#"
title = "two algorithms, two seeds"
path = { rate = "20 Mbit/s", rtt = "30 ms", buffer = "1 BDP", loss = "0.1 %" }
flows = [{ duration = "3 s", count = 2 }]
vary = { "flows.congestion" = ["cubic", "bbr"] }
repeat = { seeds = 2 }
record = { acks = true, drops = true }
"#;

fn run(folder: &Path, name: &str, arguments: &[&str]) -> Output {
    run_spec(SPEC, folder, name, arguments)
}

fn run_spec(spec: &str, folder: &Path, name: &str, arguments: &[&str]) -> Output {
    fs::write(folder.join("spec.toml"), spec).unwrap();
    let output = Command::new(goodput())
        .args(["run", "spec.toml", "--no-cache", "--kernel", &kernel().names[0], "--out", name])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

#[test]
fn one_job_or_two_idle_or_loaded_all_files_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "one", &["--jobs", "1"]);
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop()
                }
            });
        }
        run(folder.path(), "two", &["--jobs", "2"]);
        over.store(true, Ordering::Relaxed);
    });
    assert_identical(&folder.path().join("one"), &folder.path().join("two"));
}

/// Other seeds draw other losses; the same seed gives the same trial whatever range it is in.
#[test]
fn a_seed_is_the_same_trial_in_every_range_of_seeds() {
    const ONE: &str = r#"
title = "one seed"
path = { rate = "20 Mbit/s", rtt = "30 ms", buffer = "1 BDP", loss = "0.1 %" }
flows = [{ duration = "2 s" }]
"#;
    let folder = tempfile::tempdir().unwrap();
    let runs = [("few", "3"), ("third", "3..3"), ("later", "101..103")];
    runs.iter().for_each(|(name, seeds)| drop(run_spec(ONE, folder.path(), name, &["--seeds", seeds])));
    let trial = |run: &str, index: usize| folder.path().join(run).join(format!("trials/{index:04}"));
    assert_identical(&trial("few", 2), &trial("third", 0));
    let samples = |run: &str, index: usize| fs::read(trial(run, index).join("samples.parquet")).unwrap();
    for [a, b] in [[0, 0], [1, 1], [2, 2]] {
        assert_ne!(samples("few", a), samples("later", b));
    }
    let plan = |run: &str| plan::run_folder::RunFolder::existing(&folder.path().join(run)).unwrap().plan().unwrap();
    let seeds = |run: &str| plan(run).trials.iter().map(|trial| trial.seed).collect::<Vec<_>>();
    assert_eq!((seeds("few"), seeds("third"), seeds("later")), (vec![1, 2, 3], vec![3], vec![101, 102, 103]));
}

/// A network of all kinds of nodes, a bond and a tunnel, flows of all kinds, chance of every sort, changes and commands.
const EVERYTHING: &str = r#"
title = "everything at once"
hosts = { a = { run = ["ip route show", { at = "1 s", command = "ss --tcp --info" }] }, b = {}, c = { offloads = ["gro"] } }
switches = { s = { memory = "60 kB" } }
routers = { r1 = { clamp-mss = true }, r2 = {} }
links = [
    { between = ["a", "s"], rate = "100 Mbit/s", delay = "1 ms", buffer = "50 kB", bond = "balance-rr" },
    { between = ["a", "s"], rate = "100 Mbit/s", delay = "2 ms", buffer = "50 kB", bond = "balance-rr" },
    { between = ["b", "s"], rate = "100 Mbit/s", buffer = "50 kB", corrupt = "0.1 %", duplicate = "0.1 %" },
    { between = ["s", "r1"], rate = "100 Mbit/s", buffer = "50 kB", jitter = { by = "100 us", reorder = true }, delay = "1 ms" },
    { between = ["r1", "r2"], rate = "50 Mbit/s", delay = "5 ms", buffer = "100 kB", loss = { p = "0.1 %", r = "20 %" },
      queue = "fq_codel", changes = [{ at = "1500 ms", rate = "20 Mbit/s" }] },
    { between = ["r2", "c"], rate = "100 Mbit/s", buffer = "50 kB", reorder = { share = "1 %", by = "1 ms" } },
]
tunnels = [{ between = ["r1", "r2"], kind = "wireguard" }]
flows = [
    { from = "a", to = "c", duration = "2 s", count = 2 },
    { from = "b", to = "c", duration = "2 s", kind = "requests", response = "30 kB" },
    { from = "b", to = "c", duration = "2 s", kind = "udp", rate = "5 Mbit/s" },
    { from = "c", to = "a", duration = "2 s", kind = "ping", interval = "20 ms" },
]
repeat = { seeds = 2 }
record = { acks = true, drops = true }
"#;

#[test]
fn a_network_of_everything_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    run_spec(EVERYTHING, folder.path(), "one", &["--jobs", "1"]);
    run_spec(EVERYTHING, folder.path(), "two", &["--jobs", "2"]);
    assert_identical(&folder.path().join("one"), &folder.path().join("two"));
}

/// /dev/shm mounted noexec, as containers may have it.
const NOEXEC: &str =
    r#"unshare --user --map-root-user --mount sh -c 'mount -t tmpfs -o noexec none /dev/shm && exec "$0" "$@"'"#;

/// In a container guests have random addresses, and these change nothing that they record.
pub fn random_addresses_change_no_byte_of(spec: &str, kernel: &Entry) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("spec.toml"), spec).unwrap();
    for (name, within) in
        [("fixed", "\"$@\""), ("random", "contained \"$@\""), ("noexec", &format!("contained {NOEXEC} \"$@\""))]
    {
        let output = Command::new("bash")
            .args(["-c", &format!("{CONTAINED}{within}"), "-"])
            .arg(goodput())
            .args(["run", "spec.toml", "--no-cache", "--kernel", &kernel.names[0], "--out", name])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_identical(&folder.path().join("fixed"), &folder.path().join(name));
    }
}

#[test]
fn random_addresses_change_no_byte() {
    random_addresses_change_no_byte_of(EVERYTHING, &kernel());
}

/// Hosts with the same tools in other places, or with fewer or more files around them.
const ELSEWHERE: [(&str, &str); 6] = [
    ("no index of libraries", "mount --bind /dev/null /etc/ld.so.cache"),
    (
        "an index of libraries in a long path",
        r#"mkdir -p $DEEP && cp -L /lib/x86_64-linux-gnu/lib[a-m]*.so.[0-9] $DEEP && echo $DEEP >conf &&
           ldconfig -X -f conf -C cache && mount --bind cache /etc/ld.so.cache"#,
    ),
    ("libraries that are tried in a hundred folders", "export LD_LIBRARY_PATH=$(seq -s : -f /tmp/none/%g 100)"),
    ("tools in a long path", "mkdir -p $DEEP && cp $(which ip tc nft) $DEEP && export PATH=$DEEP:$PATH"),
    ("no file in /etc", "mount -t tmpfs none /etc"),
    (
        "more names of iproute2",
        "mount -t tmpfs none /etc/iproute2 && mkdir /etc/iproute2/rt_tables.d && echo 7 seven >/etc/iproute2/rt_tables.d/x.conf",
    ),
];

/// A guest without commands sees no file of the host, so neither connections' ports nor BBR's random numbers depend on
/// any.
#[test]
fn the_place_of_a_hosts_files_changes_no_byte() {
    let folder = tempfile::tempdir().unwrap();
    let record = |name: &str, change: &str| {
        let place = folder.path().join(name.replace([' ', '/'], "-"));
        fs::create_dir(&place).unwrap();
        fs::write(place.join("spec.toml"), SPEC).unwrap();
        let output = Command::new("unshare")
            .args(["--map-root-user", "--mount", "sh", "-c", &format!("{change} && exec \"$0\" \"$@\"")])
            .arg(goodput())
            .args(["run", "spec.toml", "--no-cache", "--kernel", &kernel().names[0], "--out", "run"])
            .env("DEEP", place.join(["a-long-name"; 12].join("/")))
            .env("XDG_CACHE_HOME", kernel().folder.ancestors().nth(3).unwrap())
            .current_dir(&place)
            .output()
            .unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        place.join("run/trials")
    };
    let here = record("here", "true");
    for (name, change) in ELSEWHERE {
        println!("{name}");
        assert_identical(&here, &record(name, change));
    }
}

/// A stage draws from its own sequence: the second link's losses do not depend on the first one's.
#[test]
fn a_stages_random_draws_depend_on_its_place_alone() {
    let lost = |first: &str| {
        let run = record(&format!(
            r#"
            title = "two links"
            hosts = {{ a = {{}}, b = {{}} }}
            routers = {{ r = {{}} }}
            links = [{{ between = ["a", "r"], rate = "1 Gbit/s", delay = "1 ms", buffer = "100 packets", {first} }},
                     {{ between = ["r", "b"], rate = "1 Gbit/s", buffer = "100 packets", loss = "1 %" }}]
            flows = [{{ kind = "udp", from = "a", to = "b", rate = "8 Mbit/s", size = "1000 B", duration = "5 s" }}]
            record = {{ drops = true }}
            "#
        ));
        let [time] = run.columns(recording::DROPS, ["time"]);
        let devices = run.texts(recording::DROPS, "device");
        time.into_iter().zip(devices).filter(|(_, device)| device == "loss_2").map(|(time, _)| time).collect::<Vec<_>>()
    };
    let alone = lost("");
    assert!((20..=90).contains(&alone.len()), "{} of 5,000 lost", alone.len());
    assert_eq!(alone, lost("duplicate = \"0.000001 %\""));
}

#[test]
fn another_seed_is_another_run() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "run", &[]);
    let acks = |trial: &str| fs::read(folder.path().join("run/trials").join(trial).join(recording::ACKS)).unwrap();
    assert_ne!(acks("0000"), acks("0001"));
}

#[test]
fn an_interrupted_run_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "whole", &[]);
    run(folder.path(), "torn", &[]);
    let torn = folder.path().join("torn");
    fs::remove_dir_all(torn.join("trials/0001")).unwrap();
    fs::create_dir(torn.join("trials/0001.unfinished")).unwrap();
    fs::write(torn.join("trials/0001.unfinished/samples.parquet"), "half").unwrap();
    fs::remove_file(torn.join("report.html")).unwrap();
    run(folder.path(), "torn", &[]);
    assert_identical(&folder.path().join("whole"), &torn);
}

#[test]
fn a_replay_gives_the_run_it_replays() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "run", &[]);
    run(folder.path(), "replayed", &["--replay", "run"]);
    assert_identical(&folder.path().join("run"), &folder.path().join("replayed"));
}

#[test]
fn rerun_says_identical() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "run", &[]);
    let again = Command::new(goodput()).args(["rerun", "run"]).current_dir(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&again.stdout);
    assert!(again.status.success() && said.starts_with("identical: "), "{said}");
    assert!(!folder.path().join("run/rerun").exists());
}

/// Sampling more often, or tracing, leaves TCP as it was.
#[test]
fn sampling_and_tracing_change_nothing() {
    let spec = |record: &str| {
        format!(
            r#"
            title = "watched"
            path = {{ rate = "50 Mbit/s", rtt = "20 ms", buffer = "0.5 BDP", loss = "0.05 %" }}
            flows = [{{ duration = "3 s" }}]
            record = {{ {record} }}
            "#
        )
    };
    let [slow, fast, bare] = ["interval = '100 ms', acks = true", "interval = '1 ms', acks = true, drops = true", ""]
        .map(|options| record(&spec(options)));
    let acks = |run: &crate::support::Recorded| fs::read(run.path().join(recording::ACKS)).unwrap();
    assert!(acks(&slow) == acks(&fast), "sampling every 1 ms changed an ACK");
    let counters = ["bytes_sent", "bytes_retrans", "segs_in", "delivered", "snd_cwnd", "rtt", "busy_time"];
    assert_eq!(slow.last(counters), fast.last(counters));
    assert_eq!(slow.last(counters), bare.last(counters), "tracing changed TCP");
    assert_eq!(slow.series.facts.devices, bare.series.facts.devices);
}

/// The laboratory needs no privilege: if the tests run as root, this run belongs to the user nobody.
#[test]
fn an_ordinary_user_gets_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "mine", &["--jobs", "2"]);
    let theirs = tempfile::tempdir().unwrap();
    let copy = |from: &Path, name: &str| {
        let to = theirs.path().join(name);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, &to).unwrap();
        to
    };
    let program = copy(&goodput(), "bin/goodput");
    copy(&goodput().with_file_name("goodput-agent"), "bin/goodput-agent");
    let kernel = kernel();
    let entry = kernel.folder.file_name().unwrap().to_str().unwrap();
    for file in ["linux", "config", "kernel.json"] {
        copy(&kernel.folder.join(file), &format!("cache/goodput/kernels/{entry}/{file}"));
    }
    fs::write(theirs.path().join("spec.toml"), SPEC).unwrap();
    let root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    if root {
        let given = Command::new("chown").args(["-R", "nobody"]).arg(theirs.path()).status().unwrap();
        assert!(given.success());
    }
    let mut command = Command::new(if root { "setpriv" } else { "env" });
    if root {
        command.args(["--reuid=nobody", "--clear-groups", "--no-new-privs", "--bounding-set=-all"]);
    }
    let output = command
        .arg(&program)
        .args(["run", "spec.toml", "--no-cache", "--kernel", &kernel.names[0], "--out", "run"])
        .current_dir(theirs.path())
        .env("XDG_CACHE_HOME", theirs.path().join("cache"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_identical(&folder.path().join("mine"), &theirs.path().join("run"));
}
