//! Runs on a real Slurm: a controller and two nodes on this machine, without systemd. Left out where Debian's packages
//! slurmctld, slurmd, slurm-client and munge are not installed.

use crate::cache::{Place, stderr};
use crate::shards::recorded;
use crate::skip::skip;
use crate::study::SEARCH;
use crate::support::{assert_identical, goodput};
use goodput::part;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const SWEEP: &str = r#"
title = "twelve trials"
path = { rate = "10 Mbit/s", rtt = "10 ms", buffer = "1 BDP", loss = "1 %" }
flows = [{ duration = "20 s" }]
vary = { "flows.congestion" = ["cubic", "reno"] }
repeat = { seeds = 6 }
"#;

/// A program of a package that is on no user's PATH.
fn program(name: &str) -> Option<PathBuf> {
    ["/usr/sbin", "/usr/bin"].iter().map(|folder| Path::new(folder).join(name)).find(|path| path.exists())
}

/// A Slurm cluster of the test's own, and the ids of all its processes.
struct Cluster {
    folder: TempDir,
    /// munged, slurmctld, then each node's slurmd.
    pids: Vec<PathBuf>,
}

fn succeed(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", stderr(&output));
}

fn output(command: &mut Command) -> String {
    String::from_utf8_lossy(&command.output().unwrap().stdout).trim().to_owned()
}

/// Waits for something that takes seconds.
#[track_caller]
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(120), "{what} does not come");
        thread::sleep(Duration::from_millis(100));
    }
}

fn ports<const N: usize>() -> [u16; N] {
    let open = [(); N].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    open.map(|socket| socket.local_addr().unwrap().port())
}

impl Cluster {
    /// `None` without the packages.
    fn start() -> Option<Cluster> {
        let [munged, slurmctld, slurmd] =
            ["munged", "slurmctld", "slurmd"].map(program).into_iter().collect::<Option<Vec<_>>>()?.try_into().ok()?;
        program("sbatch")?;
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        for name in ["state", "n1", "n2"] {
            fs::create_dir(at.join(name)).unwrap();
        }
        let key: Vec<u8> = (0..128).map(|byte: u8| byte.wrapping_mul(151)).collect();
        fs::write(at.join("key"), key).unwrap();
        succeed(Command::new("chmod").args(["go=", "."]).current_dir(at));
        succeed(Command::new("chmod").args(["400", "key"]).current_dir(at));
        let [controller, one, two] = ports();
        let (host, user) = (output(Command::new("hostname").arg("-s")), output(Command::new("id").arg("-un")));
        let config = format!(
            "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={controller}\nSlurmUser={user}\nSlurmdUser={user}\n\
             AuthInfo=socket={at}/munge\nStateSaveLocation={at}/state\nSlurmdSpoolDir={at}/%n\nSlurmctldPidFile={at}/slurmctld.pid\n\
             SlurmdPidFile={at}/%n.pid\nSlurmctldLogFile={at}/slurmctld.log\nSlurmdLogFile={at}/%n.log\n\
             ProctrackType=proctrack/pgid\nTaskPlugin=task/none\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
             AccountingStorageType=accounting_storage/none\nJobAcctGatherType=jobacct_gather/none\nMpiDefault=none\n\
             ReturnToService=2\nSlurmdTimeout=5\nMaxArraySize=4\nEnforcePartLimits=ALL\n\
             NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={one} CPUs=1 RealMemory=1000\n\
             NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={two} CPUs=1 RealMemory=1000\n\
             PartitionName=main Nodes=n[1-2] Default=YES State=UP\n\
             PartitionName=short Nodes=n1 MaxTime=60\nPartitionName=physics Nodes=n1 AllowAccounts=physics\n",
            at = at.display()
        );
        fs::write(at.join("slurm.conf"), config).unwrap();
        let own = |name: &str| format!("--{name}-file={}/{name}", at.display());
        let mut munge = Command::new(munged);
        munge.args(["--force", &own("key"), &own("pid"), &own("log"), &own("seed")]);
        succeed(munge.arg(format!("--socket={}/munge", at.display())));
        let config = at.join("slurm.conf");
        succeed(Command::new(slurmctld).arg("-i").env("SLURM_CONF", &config));
        for node in ["n1", "n2"] {
            succeed(Command::new(&slurmd).args(["-N", node]).env("SLURM_CONF", &config));
        }
        let pids = ["pid", "slurmctld.pid", "n1.pid", "n2.pid"].map(|name| at.join(name)).to_vec();
        let cluster = Cluster { folder, pids };
        until("an idle node", || cluster.says("sinfo", &["--noheader", "--format=%T:%D"]).contains("idle:2"));
        Some(cluster)
    }

    fn config(&self) -> PathBuf {
        self.folder.path().join("slurm.conf")
    }

    fn says(&self, program: &str, arguments: &[&str]) -> String {
        output(Command::new(program).args(arguments).env("SLURM_CONF", self.config()))
    }

    /// A run of a place's experiment on the cluster.
    fn command(&self, place: &Place, out: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(goodput());
        command.args(["run", "spec.toml", "--out", out, "--no-cache", "--executor", "slurm"]).args(arguments);
        command.current_dir(place.path("")).env("XDG_CACHE_HOME", place.path("cache"));
        command.env("SLURM_CONF", self.config());
        command
    }

    #[track_caller]
    fn run(&self, place: &Place, out: &str, arguments: &[&str]) -> Output {
        let ran = self.command(place, out, arguments).output().unwrap();
        assert!(ran.status.success(), "{}", stderr(&ran));
        ran
    }

    /// A node loses its power: its daemon and all that runs on it.
    fn kill(&self, node: &str) {
        let pid = fs::read_to_string(self.folder.path().join(format!("{node}.pid"))).unwrap();
        let jobs = self.says("squeue", &["--noheader", "--format=%A", "--nodelist", node]);
        for step in jobs.lines().flat_map(|job| {
            self.says("pgrep", &["-f", &format!("slurmstepd: \\[{job}[.]")])
                .lines()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        }) {
            let tasks = output(Command::new("pgrep").args(["-P", &step]));
            for process in [step].into_iter().chain(tasks.lines().map(str::to_owned)) {
                let _ = Command::new("kill").args(["-KILL", &process]).status();
            }
        }
        succeed(Command::new("kill").args(["-KILL", pid.trim()]));
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = Command::new("scancel")
            .args(["--user", &output(Command::new("id").arg("-un"))])
            .env("SLURM_CONF", self.config())
            .status();
        for pid in self.pids.iter().rev().filter_map(|path| fs::read_to_string(path).ok()) {
            let _ = Command::new("kill").arg(pid.trim()).stderr(Stdio::null()).status();
        }
    }
}

fn cluster() -> Option<Cluster> {
    let cluster = Cluster::start();
    if cluster.is_none() {
        skip("slurmctld, slurmd, slurm-client and munge are not installed");
    }
    cluster
}

#[test]
fn a_search_goes_on_round_by_round() {
    let Some(cluster) = cluster() else { return };
    let place = Place::with(SEARCH);
    place.run("home", &["--no-cache"]);
    let ran = cluster.run(&place, "away", &["--parts", "2"]);
    let rounds = stderr(&ran).matches("job ").count();
    assert!(rounds >= 3, "{rounds} rounds: {}", stderr(&ran));
    assert_eq!(stderr(&ran).matches("2 of 2 parts are recorded").count(), rounds);
    assert_identical(&place.path("home"), &place.path("away"));
}

#[test]
fn two_runs_at_once_a_requeued_task_and_a_node_that_dies_change_no_byte() {
    let Some(cluster) = cluster() else { return };
    let place = Place::with(SWEEP);
    place.run("home", &["--no-cache"]);
    // An array has no more than three tasks here.
    let mut first = cluster
        .command(&place, "first", &["--parts", "100"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let second = cluster
        .command(&place, "second", &["--parts", "2"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until("a recorded trial", || recorded(&place.path("first.1-of-3.tar")) > 0);
    let jobs = cluster.says("squeue", &["--noheader", "--states=RUNNING", "--format=%A"]);
    succeed(
        Command::new("scontrol").args(["requeue", jobs.lines().next().unwrap()]).env("SLURM_CONF", cluster.config()),
    );
    // Whoever waits may leave; the jobs go on.
    first.kill().unwrap();
    first.wait().unwrap();
    until("a task on the second node", || !cluster.says("squeue", &["--noheader", "--nodelist=n2"]).is_empty());
    cluster.kill("n2");
    until("the loss of a node", || {
        cluster.says("sinfo", &["--noheader", "--nodes=n2", "--format=%T"]).contains("down")
    });
    cluster.run(&place, "first", &["--parts", "100"]);
    assert!(second.wait_with_output().unwrap().status.success());
    assert!(place.path("first.3-of-3.tar").exists() && !place.path("first.4-of-4.tar").exists());
    for out in ["first", "second"] {
        assert_identical(&place.path("home"), &place.path(out));
        assert!(!place.path(&format!("{out}.slurm.json")).exists());
        let left =
            (1..=3).filter(|part| !part::left(&place.path(&format!("{out}.{part}-of-3.tar"))).unwrap().is_empty());
        assert_eq!(left.count(), 0, "nothing of a lost task stays");
    }
}

#[test]
fn ctrl_c_leaves_the_jobs_and_cancel_ends_them() {
    let Some(cluster) = cluster() else { return };
    let place = Place::with(SWEEP);
    place.run("home", &["--no-cache"]);
    let queued = || cluster.says("squeue", &["--noheader", "--format=%T"]);
    let mut waiting = cluster.command(&place, "away", &["--parts", "2"]);
    let mut waiting = waiting.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let trials = || recorded(&place.path("away.1-of-2.tar"));
    until("a recorded trial", || trials() > 0);
    succeed(Command::new("kill").args(["-INT", &waiting.id().to_string()]));
    assert_eq!(waiting.wait().unwrap().code(), Some(130));
    let before = trials();
    until("another trial, of a job that went on", || trials() > before);
    assert!(queued().contains("RUNNING"), "{}", queued());
    cluster.run(&place, "away", &["--cancel"]);
    until("an empty queue", || queued().is_empty());
    cluster.run(&place, "away", &[]);
    assert_identical(&place.path("home"), &place.path("away"));
}

/// File and folder names that a shell, sbatch or goodput itself could misread.
#[test]
fn names_come_to_the_tasks_as_they_are() {
    let Some(cluster) = cluster() else { return };
    let (file, out) = ("-e '$(touch evil)' `touch evil`; #.toml", "a run's \"$(touch evil)\" %j %% ; touch evil");
    let place = Place::with(&SWEEP.replace("20 s", "200 ms"));
    fs::copy(place.path("spec.toml"), place.path(file)).unwrap();
    place.run("home", &["--no-cache"]);
    let mut command = Command::new(goodput());
    command.args(["run", "--no-cache", "--executor=slurm", "--parts=2", &format!("--out={out}"), "--", file]);
    command.current_dir(place.path("")).env("XDG_CACHE_HOME", place.path("cache"));
    let ran = command.env("SLURM_CONF", cluster.config()).output().unwrap();
    assert!(ran.status.success(), "{}", stderr(&ran));
    assert_identical(&place.path("home"), &place.path(out));
    let names = fs::read_dir(place.path("")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut logs: Vec<String> = names.filter(|name| name != out && !name.ends_with(".tar")).collect();
    logs.sort();
    let [one, two] = [1, 2].map(|task| format!("{out}.slurm-{task}.log"));
    assert_eq!(logs, [file, &one, &two, "cache", "home", "spec.toml"]);
}

#[test]
fn what_slurm_refuses_is_said_in_its_words() {
    let Some(cluster) = cluster() else { return };
    let place = Place::with(SEARCH);
    let refused = |command: &mut Command| {
        let ran = command.output().unwrap();
        assert_eq!(ran.status.code(), Some(2), "{}", stderr(&ran));
        stderr(&ran)
    };
    let cases = [
        (
            &["--partition", "nowhere"][..],
            "sbatch --partition=nowhere refused: ",
            "invalid partition specified: nowhere",
        ),
        (
            &["--partition", "physics", "--account", "chemistry"],
            "sbatch --partition=physics --account=chemistry refused: ",
            "Invalid account or account/partition combination specified",
        ),
        (
            &["--partition", "short", "--time", "99:00:00"],
            "sbatch --partition=short --time=99:00:00 refused: ",
            "Requested time limit is invalid (missing or exceeds some limit)",
        ),
        (&["--time", "soon"], "sbatch --time=soon refused: ", "Invalid --time specification"),
    ];
    for (options, placed, words) in cases {
        let said = refused(&mut cluster.command(&place, "run", &[&["--parts", "2"], options].concat()));
        assert!(said.contains(placed) && said.contains(words) && said.contains("hint: "), "{said}");
    }
    // A setting without a goodput option.
    let said = refused(cluster.command(&place, "run", &["--parts", "2"]).env("SBATCH_PARTITION", "elsewhere"));
    assert!(said.contains("sbatch refused: ") && said.contains("invalid partition specified: elsewhere"), "{said}");
    let said = refused(&mut cluster.command(&place, "run", &["--cancel"]));
    assert!(said.contains("no job of run is known"), "{said}");
    let said = refused(cluster.command(&place, "run", &["--parts", "2"]).env("PATH", "/nowhere"));
    assert!(said.contains("cannot start scontrol: ") && said.contains("hint: "), "{said}");
    // Without munge, the user of a request is unknown.
    let munged = fs::read_to_string(&cluster.pids[0]).unwrap();
    succeed(Command::new("kill").args(["-KILL", munged.trim()]));
    let said = refused(&mut cluster.command(&place, "run", &["--parts", "2"]));
    assert!(said.contains("scontrol refused: ") && said.to_lowercase().contains("auth"), "{said}");
    assert!(said.contains("hint: ") && said.contains("munged runs on this node") && !said.contains("sbatch"), "{said}");
}
