//! A place where every command has its inputs but no guest: a run that was never recorded, a file in place of a kernel,
//! and programs that hang.

use base::sums;
use lab::kernel::Recipe;
use plan::Plan;
use plan::recording::Recorder;
use plan::run_folder::{Claim, ENVIRONMENT, RunFolder};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use wire::{Message, frame};

/// The program.
pub const GOODPUT: &str = env!("CARGO_BIN_EXE_goodput");

const EXPERIMENT: &str = r#"
title = "two trials"
path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }
flows = [{ duration = "200 ms" }]
repeat = { seeds = 2 }
"#;

/// A guest that neither ends nor prints anything.
const HANGING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/ending/hanging.c");

const KERNEL: &str = "cache/goodput/kernels/0123456789abcdef";
const LINUX: &str = "cache/goodput/kernels/0123456789abcdef/linux";

const LISTING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/evidence/tests/import/ipsec-tunnel-article.txt");

pub struct Place {
    folder: TempDir,
}

impl Place {
    pub fn new() -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        place.write("x.toml", EXPERIMENT);
        place.write("wrong.toml", "path = { rate = 5 }\n");
        fs::copy(LISTING, place.path("listing.txt")).unwrap();
        place.write("agent", "not a program");
        place.write("source.tar", "not a tarball");
        for program in ["gcc", "ld", "make", "flex", "bison", "bc", "xz"] {
            place.program(&format!("bin/{program}"), "exit 0");
        }
        place.record("x.toml", "run");
        place
    }

    /// A place with a guest kernel, which is the given script.
    pub fn with_guest(script: &str) -> Place {
        let place = Place::new();
        place.program(LINUX, script);
        place.enter_kernel();
        place
    }

    /// A place with a guest kernel that hangs.
    pub fn with_hanging_guest() -> Place {
        let place = Place::new();
        fs::create_dir_all(place.path(KERNEL)).unwrap();
        let built = Command::new("cc").args(["-static", "-o"]).arg(place.path(LINUX)).arg(HANGING).status();
        assert!(built.unwrap().success());
        place.enter_kernel();
        place
    }

    /// A place with a guest kernel that sends `stream` as a recording, and `console` to its console.
    pub fn with_guest_telling(stream: &[u8], console: &str) -> Place {
        let place = Place::new();
        fs::create_dir_all(place.path(KERNEL)).unwrap();
        let source = format!(
            "#include <unistd.h>\nstatic const char stream[] = {{{}}}, console[] = {{{}}};\n\
             int main(void) {{ return write(1, stream, sizeof(stream)) + write(2, console, sizeof(console)) < 0; }}\n",
            list(stream),
            list(console.as_bytes())
        );
        place.write("guest.c", &source);
        let flags = ["-static", "-Wno-overflow", "-o"];
        let built = Command::new("cc").args(flags).args([place.path(LINUX), place.path("guest.c")]).status();
        assert!(built.unwrap().success());
        place.enter_kernel();
        place
    }

    /// Makes a kernel of the program.
    fn enter_kernel(&self) {
        self.write(&format!("{KERNEL}/config"), "");
        let sum = |name: &str| sums::file_sha256(&self.path(KERNEL).join(name)).unwrap();
        let entry = serde_json::json!({
            "names": ["7.3.4"], "version": "7.3.4", "hash": "0123456789abcdef0123456789abcdef",
            "source": { "description": "no Linux", "identity": "none" }, "recipe": Recipe::embedded().hash(),
            "dropped": [], "compiler": "", "linker": "", "built_at": 0, "steps": 1,
            "linux_sha256": sum("linux"), "config_sha256": sum("config"),
        });
        self.write(&format!("{KERNEL}/kernel.json"), &entry.to_string());
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A shell script among the programs.
    pub fn program(&self, name: &str, text: &str) {
        self.write(name, &format!("#!/bin/sh\n{text}\n"));
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Makes a finished run of an experiment, with empty recordings.
    pub fn record(&self, experiment: &str, run: &str) {
        let text = fs::read_to_string(self.path(experiment)).unwrap();
        let plan: Plan = experiment::plan(experiment, &text, &[]).unwrap();
        let run = RunFolder::open(&self.path(run), &plan).unwrap();
        let agent = lab::engine::agent::Agent::read(self.path("agent")).unwrap();
        run.write_json(ENVIRONMENT, &lab::environment::examine(&[], &agent).unwrap()).unwrap();
        for trial in &plan.trials {
            let Claim::Ours(unfinished) = run.claim(trial.index).unwrap() else { panic!("it is ours") };
            let mut recorder = Recorder::new(unfinished.folder());
            for message in [Message::Started { flow: 0, time: 0 }, Message::Ended { flow: 0, time: 200_000_000 }] {
                recorder.take(frame::MESSAGE, &serde_json::to_vec(&message).unwrap()).unwrap();
            }
            recorder.finish().unwrap();
            sums::write(unfinished.folder()).unwrap();
            unfinished.finish().unwrap();
        }
        let folder = run.path().to_path_buf();
        drop(run);
        // Programs that other tests have just started share the lock until they are executed.
        let lock = fs::File::open(folder).unwrap();
        lock.lock().and_then(|()| lock.unlock()).unwrap();
    }

    /// A folder with nothing but the plan of the experiment.
    pub fn plan(&self, folder: &str) {
        let plan = self.goodput("check x.toml --json").output().unwrap();
        self.write(&format!("{folder}/plan.json"), &String::from_utf8_lossy(&plan.stdout));
        fs::create_dir_all(self.path(folder).join("trials")).unwrap();
    }

    /// A command here; all its processes have the place in their arguments or environment. Signals have their default
    /// actions, whether the tests run under nohup(1), in the background of a script or on a terminal.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new("env");
        command.arg("--default-signal").arg(program);
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .current_dir(self.folder.path())
            .env("PATH", format!("{}:{path}", self.path("bin").display()))
            .env("GOODPUT", GOODPUT)
            .env("GOODPUT_AGENT", self.path("agent"))
            .env("XDG_CACHE_HOME", self.path("cache"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub fn goodput(&self, arguments: &str) -> Command {
        let mut command = self.command(GOODPUT);
        command.args(arguments.split_whitespace());
        command
    }

    /// A line of the shell, in which `$GOODPUT` is goodput.
    pub fn shell(&self, line: &str) -> Command {
        let mut command = self.command("bash");
        command.args(["-c", line]);
        command
    }

    /// The processes of this place, by arguments, environment or working directory, as their command lines.
    pub fn processes(&self) -> Vec<String> {
        let place = self.folder.path().display().to_string();
        let read = |path: PathBuf, name: &str| {
            String::from_utf8_lossy(&fs::read(path.join(name)).unwrap_or_default()).replace('\0', " ")
        };
        let processes = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
            let line = read(entry.path(), "cmdline");
            let all = line.clone() + &read(entry.path(), "environ");
            let here = fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(self.folder.path()));
            (here || all.contains(&place)).then(|| format!("{} {line}", entry.file_name().display()))
        });
        processes.collect()
    }

    /// Waits until there is a process with this text in its command line.
    pub fn wait_for(&self, text: &str) {
        let began = Instant::now();
        while !self.processes().iter().any(|line| line.contains(text)) {
            assert!(began.elapsed() < Duration::from_secs(120), "no {text} among {:?}", self.processes());
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Asserts that soon no process of this place is left; those that would stay by themselves run for minutes.
    #[track_caller]
    pub fn assert_empty(&self, when: &str) {
        let began = Instant::now();
        while !self.processes().is_empty() && began.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(self.processes(), [""; 0], "{when}");
    }
}

impl Drop for Place {
    /// Ends processes that a failed test left.
    fn drop(&mut self) {
        for process in self.processes() {
            if let Some(id) = process.split(' ').next() {
                let _ = signal("KILL", id);
            }
        }
    }
}

/// Bytes as C has them.
fn list(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| byte.to_string()).collect::<Vec<_>>().join(",")
}

/// Sends a signal to a process, or to a group if its id begins with a dash.
pub fn signal(name: &str, id: &str) -> ExitStatus {
    Command::new("kill").args(["-s", name, "--", id]).stderr(Stdio::null()).status().unwrap()
}

/// How a process ended: its exit code, or 1000 and the signal that ended it.
pub fn code(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| 1000 + status.signal().unwrap_or_default())
}

/// Waits for a process, and kills it after `limit`. Returns its exit code, the time it took, and its standard error.
pub fn wait(mut child: Child, limit: Duration) -> (i32, Duration, String) {
    let began = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if began.elapsed() > limit => {
                child.kill().unwrap();
                break child.wait().unwrap();
            }
            None => thread::sleep(Duration::from_millis(2)),
        }
    };
    let took = began.elapsed();
    let mut said = String::new();
    if let Some(stderr) = &mut child.stderr {
        // A process that is left may have the pipe's other end open.
        let mut bytes = vec![0; 1 << 16];
        let read = std::io::Read::read(stderr, &mut bytes).unwrap_or_default();
        said = String::from_utf8_lossy(&bytes[..read]).into_owned();
    }
    (code(status), took, said)
}

pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}
