//! Checks whether this machine can run the laboratory, and says how to fix what is missing.
//!
//! Each check looks at one thing and reports what it found. Checks change nothing and do not depend on each other.

use nix::sys::personality::{self, Persona};
use nix::sys::resource::{Resource, getrlimit};
use nix::sys::signal::{SigEvent, SigevNotify};
use nix::sys::timer::Timer;
use nix::time::ClockId;
use std::env;
use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::Path;
use std::thread::available_parallelism;

use serde::Serialize;

use crate::cache;
use crate::engine::loader;
use crate::engine::tools::Tools;
use crate::engine::walls::{self, Wall};
use crate::kernel::{self, Entry, FindError, Toolchain, find_program};

/// Guest memory that a trial may touch, bytes.
const TRIAL_MEMORY_BYTES: u64 = 300_000_000;

/// Largest guest memory, bytes. The guest's memory is a sparse file: only touched pages take space.
const GUEST_MEMORY_BYTES: u64 = 16 << 30;

/// One check and its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Name of the check, one or two words.
    pub name: &'static str,
    /// Whether the machine has what the laboratory needs.
    pub outcome: Outcome,
    /// Finding as a sentence without a full stop.
    pub detail: String,
}

/// The outcome of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Ok,
    /// The laboratory needs a change.
    Problem {
        /// Command or setting that fixes it.
        remedy: String,
    },
}

impl Check {
    /// True if the laboratory has what it needs.
    pub fn is_ok(&self) -> bool {
        self.outcome == Outcome::Ok
    }
}

type Seen = Result<String, Trouble>;

/// A problem that a check found, and its fix.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail}\n\nhint: {remedy}")]
pub struct Trouble {
    pub detail: String,
    /// Command or setting that fixes it.
    pub remedy: String,
}

type Look = fn() -> Seen;

const CHECKS: &[(&str, Look)] = &[
    ("machine", machine),
    ("cores", cores),
    ("memory", memory),
    ("/proc", processes),
    ("/dev/null", null),
    ("guest memory", guest_memory),
    ("limits", limits),
    ("seccomp", filters),
    ("sandbox", walls),
    ("addresses", addresses),
    ("ip", || tool("ip", "iproute2")),
    ("tc", || tool("tc", "iproute2")),
    ("bridge", || tool("bridge", "iproute2")),
    ("nft", || tool("nft", "nftables")),
    ("wg", || tool("wg", "wireguard-tools")),
    ("guest kernel", guest_kernel),
    ("C library", library),
    ("kernel build", kernel_build),
    ("trial cache", recordings),
];

/// Runs all checks except booting a kernel, which [`boots`] does.
pub fn examine() -> Vec<Check> {
    CHECKS.iter().map(|&(name, look)| check(name, look())).collect()
}

/// Returns an error if trials cannot be started.
pub fn can_start() -> Result<(), Trouble> {
    processes()?;
    null()?;
    Ok(())
}

/// Returns an error if no guest can be started, however little memory it needs.
pub(crate) fn can_boot() -> Result<(), Trouble> {
    can_start()?;
    guest_memory()?;
    limits()?;
    Ok(())
}

/// Returns an error if a guest has too little memory. Explains why a guest may have died.
pub(crate) fn has_memory() -> Result<(), Trouble> {
    memory().map(drop)
}

/// Boots a kernel with the given function. The function returns how long it took, or why it failed and the remedy if
/// it knows one.
pub fn boots(entry: &Entry, boot: impl FnOnce(&Entry) -> Result<String, String>) -> Check {
    let name = entry.names.first().map_or(entry.short_hash(), String::as_str);
    check(
        "boot",
        boot(entry).map(|seen| format!("Linux {name} boots: {seen}")).map_err(|why| {
            let rebuild = format!("rebuild it: goodput kernel remove {name}; goodput kernel add {name}");
            split(&format!("Linux {name} does not boot: {why}"), &rebuild)
        }),
    )
}

fn check(name: &'static str, seen: Seen) -> Check {
    let (outcome, detail) = match seen {
        Ok(detail) => (Outcome::Ok, detail),
        Err(Trouble { detail, remedy }) => (Outcome::Problem { remedy }, detail),
    };
    Check { name, outcome, detail }
}

fn problem(detail: impl Into<String>, remedy: impl Into<String>) -> Seen {
    Err(Trouble { detail: detail.into(), remedy: remedy.into() })
}

/// Checks what confines commands of experiments.
fn walls() -> Seen {
    let standing = env::current_exe().map(|program| walls::probe(&program)).unwrap_or_default();
    let lacking: Vec<Wall> = Wall::ALL.into_iter().filter(|wall| !standing.contains(wall)).collect();
    let detail = format!("experiment commands are confined by {}", walls::names(&standing));
    match lacking.iter().find(|wall| wall.is_needed()) {
        None if lacking.is_empty() => Ok(detail),
        None => Ok(format!("{detail}; this machine lacks {}", walls::names(&lacking))),
        Some(Wall::Landlock) => problem(
            "no Landlock: a guest that is taken over could read your files",
            "boot a kernel from 5.13 on with lsm=landlock,…; until then run commands of experiments that you trust with --allow-commands",
        ),
        Some(wall) => problem(
            format!("no {}: a guest that is taken over could reach the network", wall.name()),
            "allow seccomp filters (in a container: its security options); until then run commands of experiments that you trust with --allow-commands",
        ),
    }
}

fn machine() -> Seen {
    match (env::consts::OS, env::consts::ARCH) {
        ("linux", "x86_64") => Ok("Linux on x86-64".to_owned()),
        (os, arch) => problem(format!("{os} on {arch}"), "the guest kernel runs only on x86-64 Linux"),
    }
}

fn cores() -> Seen {
    Ok(format!("{}, which run as many trials in parallel", jobs()))
}

fn memory() -> Seen {
    let free = fs::read_to_string("/proc/meminfo").ok().as_deref().and_then(memory_available);
    match free {
        None => Ok("unknown: /proc/meminfo does not say".to_owned()),
        Some(free) if free < TRIAL_MEMORY_BYTES => problem(
            format!("{}, and a trial may take {}", megabytes(free), megabytes(TRIAL_MEMORY_BYTES)),
            "end other programs",
        ),
        Some(free) => Ok(room(free)),
    }
}

fn memory_available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}

/// Checks /proc, where processes look up themselves and their children.
fn processes() -> Seen {
    match fs::read_link("/proc/self").map(|own| own == Path::new(&std::process::id().to_string())) {
        Ok(true) => Ok("mounted".to_owned()),
        Ok(false) => problem("/proc is that of another PID namespace", "sudo mount -t proc proc /proc"),
        Err(_) => problem("/proc is not mounted", "sudo mount -t proc proc /proc"),
    }
}

/// Checks /dev/null, the input of programs that get none.
fn null() -> Seen {
    /// Read and write permission for everybody.
    const MODE_666: u32 = 0o666;
    const NULL_REMEDY: &str = "sudo rm -f /dev/null; sudo mknod -m 666 /dev/null c 1 3";
    match fs::OpenOptions::new().read(true).write(true).open("/dev/null").and_then(|null| null.metadata()) {
        Ok(data) if data.file_type().is_char_device() => Ok("readable and writable".to_owned()),
        Ok(_) => problem("/dev/null is not a character device", NULL_REMEDY),
        Err(error) => {
            let mode = fs::metadata("/dev/null").map_or(MODE_666, |data| data.permissions().mode() & 0o777);
            match mode & MODE_666 {
                MODE_666 => problem(format!("/dev/null cannot be opened: {error}"), NULL_REMEDY),
                _ => problem(
                    format!("/dev/null cannot be opened: {error}; its mode is {mode:04o}"),
                    "sudo chmod 666 /dev/null",
                ),
            }
        }
    }
}

/// Checks that programs can run from a memfd: the guest's memory is one (`kernel/patches/0007-um-memory.patch`).
fn guest_memory() -> Seen {
    match fs::read_to_string("/proc/sys/vm/memfd_noexec").unwrap_or_default().trim() {
        "2" => problem(
            "vm.memfd_noexec is 2: a guest runs programs in memory of its own",
            "sudo sysctl vm.memfd_noexec=1, which still lets programs ask for it",
        ),
        _ => Ok("in executable memfds".to_owned()),
    }
}

/// Checks the process's limits: files, timers, and the mode of files that it creates.
fn limits() -> Seen {
    let largest = getrlimit(Resource::RLIMIT_FSIZE).map_or(u64::MAX, |(soft, _)| soft);
    if largest < GUEST_MEMORY_BYTES {
        let detail = format!("files may have {} at most, and a guest's memory is a file", megabytes(largest));
        return problem(detail, "ulimit -f unlimited");
    }
    if let Err(error) = Timer::new(ClockId::CLOCK_MONOTONIC, SigEvent::new(SigevNotify::SigevNone)) {
        return problem(
            format!("a timer cannot be made: {error}"),
            "ulimit -i unlimited, the signals that may be pending",
        );
    }
    let mask = status("Umask").and_then(|mask| u32::from_str_radix(&mask, 8).ok()).unwrap_or_default();
    if mask & 0o600 != 0 {
        return problem(format!("the umask is {mask:04o}: files that are made here cannot be used"), "umask 022");
    }
    Ok("file size, timers and umask suffice".to_owned())
}

/// Returns a field of this process's status.
fn status(field: &str) -> Option<String> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let value = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
    Some(value.trim().to_owned())
}

/// Checks for seccomp. With a filter, the guest's programs trap into the guest's kernel; without one, the kernel
/// traces them, which is slower and records the same bytes.
fn filters() -> Seen {
    let actions = fs::read_to_string("/proc/sys/kernel/seccomp/actions_avail").unwrap_or_default();
    let standing = env::current_exe().map(|program| walls::probe(&program)).unwrap_or_default();
    if !actions.split_whitespace().any(|action| action == "trap") || !standing.contains(&Wall::Seccomp) {
        return Ok(
            "not available; guests' programs are traced, which is slower, and gives the same recordings".to_owned()
        );
    }
    let field = |name| status(name).unwrap_or_else(|| "unknown".to_owned());
    let seccomp = field("Seccomp");
    let mode = match seccomp.as_str() {
        "0" => "no filter on this process",
        "2" => "this process already has a filter, as in a container",
        other => other,
    };
    Ok(format!("available; {mode}; NoNewPrivs {}", field("NoNewPrivs")))
}

/// Checks that guest addresses can be fixed. Recorded bytes do not depend on them.
fn addresses() -> Seen {
    let fixed = personality::get().and_then(|own| personality::set(own | Persona::ADDR_NO_RANDOMIZE));
    Ok(match fixed.and_then(personality::set) {
        Ok(_) => "the same for every guest".to_owned(),
        Err(error) => format!("random for every guest, as personality(2) fails: {error}; recordings are the same"),
    })
}

fn program(name: &str, package: &str) -> Seen {
    match find_program(name) {
        Some(path) => Ok(path.display().to_string()),
        None => {
            problem(format!("{name} is not in PATH, /usr/sbin or /sbin"), format!("sudo apt-get install {package}"))
        }
    }
}

fn tools() -> Result<Tools, Trouble> {
    Tools::find().map_err(|error| split(&error.to_string(), "unpack or install goodput again"))
}

/// Checks a program that sets up the guest's network.
fn tool(name: &str, package: &str) -> Seen {
    let tools = tools()?;
    match (tools.version(name), tools.folder()) {
        (Some(version), Some(folder)) => Ok(format!("{version}, goodput's own, in {}", folder.display())),
        _ => program(name, package),
    }
}

fn guest_kernel() -> Seen {
    match kernel::find(None) {
        Ok(entry) if entry.is_current() => Ok(format!("Linux {}, named {}", entry.version, entry.names.join(", "))),
        Ok(entry) => problem(
            format!(
                "Linux {}, named {}, was built by another version of goodput",
                entry.version,
                entry.names.join(", ")
            ),
            "goodput kernel add",
        ),
        Err(FindError::Empty) => {
            problem("none yet", "goodput kernel add builds one; the tarball and the package goodput-lab bring one")
        }
        Err(error) => Err(split(&error.to_string(), "goodput kernel list")),
    }
}

/// Checks the loader of a guest kernel.
fn library() -> Seen {
    let Ok(entry) = kernel::find(None) else { return Ok("nothing to load before there is a guest kernel".to_owned()) };
    match loader::needed(&entry, &tools()?) {
        Ok(None) => Ok(format!("{} loads the guest kernel", loader::HOST_LOADER)),
        Ok(Some(folder)) => Ok(format!("goodput's own, in {}, loads the guest kernel", folder.display())),
        Err(refusal) => Err(split(&refusal.to_string().replacen("\n  = ", ": ", 1), "goodput kernel add")),
    }
}

/// Checks the tools that build a kernel. With a kernel at hand they are not needed.
fn kernel_build() -> Seen {
    let trouble = match Toolchain::examine() {
        Ok(Toolchain { compiler, .. }) => return Ok(format!("everything `goodput kernel add` needs, with {compiler}")),
        Err(error) => split(&error.to_string(), "sudo apt-get install gcc make"),
    };
    match kernel::find(None) {
        Ok(entry) if entry.is_current() => {
            Ok(format!("not here, which building another kernel would need: {}; {}", trouble.detail, trouble.remedy))
        }
        _ => Err(trouble),
    }
}

fn recordings() -> Seen {
    match cache::usage() {
        Some((folder, bytes)) => {
            let [bytes, limit] = [bytes, cache::MAX_CACHE_BYTES].map(megabytes);
            Ok(format!("{bytes} of at most {limit} in {}; safe to delete", folder.display()))
        }
        None => Ok("disabled: neither XDG_CACHE_HOME nor HOME is an absolute path".to_owned()),
    }
}

/// Splits an error into its headline and its hint.
fn split(error: &str, otherwise: &str) -> Trouble {
    let (detail, remedy) = error.split_once("\n\nhint: ").unwrap_or((error, otherwise));
    Trouble { detail: detail.to_owned(), remedy: remedy.to_owned() }
}

fn jobs() -> usize {
    available_parallelism().map_or(1, |jobs| jobs.get())
}

fn room(free: u64) -> String {
    format!(
        "{} free: room for {} parallel trials of up to {}",
        megabytes(free),
        free / TRIAL_MEMORY_BYTES,
        megabytes(TRIAL_MEMORY_BYTES)
    )
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes / 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_says_something() {
        let checks = examine();
        assert_eq!(checks.len(), CHECKS.len());
        for check in checks {
            assert!(!check.detail.is_empty() && !check.detail.contains("hint:"), "{check:?}");
        }
    }

    #[test]
    fn available_memory_is_read() {
        assert_eq!(memory_available("MemTotal: 9 kB\nMemAvailable:   2048 kB\n"), Some(2 << 20));
        assert_eq!(memory_available("MemTotal: 9 kB\n"), None);
    }
}
