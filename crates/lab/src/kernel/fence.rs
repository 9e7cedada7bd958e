//! Keeps a build in its folder: a patch's build runs programs of whoever wrote the patch.
//!
//! A thread gives up its rights for good, and starts the build: it reads the programs of the machine, writes its own
//! folder, and reaches no network. It needs Landlock (Linux 5.13) and seccomp; without them the build runs as it is.

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};
use nix::libc;
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};
use std::path::{Path, PathBuf};
use std::{env, io, thread};

/// Version of Landlock's rules; an older kernel ignores those that it lacks.
const LANDLOCK: ABI = ABI::V6;

/// Folders with programs, besides those of PATH: libraries, headers, and what compilers and interpreters load.
const PROGRAMS: &[&str] =
    &["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store"];

/// Files of the machine that programs read; of /proc nothing about processes.
const FACTS: &[&str] = &[
    "/etc/alternatives",
    "/etc/group",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/perl",
    "/etc/python3",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/version",
    "/sys/devices/system/cpu",
];

const DEVICES: &[&str] = &["/dev/full", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero"];

/// System calls that reach a network, or other ways around a filter of them.
const REFUSED_CALLS: &[i64] = &[
    libc::SYS_socket,
    libc::SYS_io_uring_setup,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_add_key,
    libc::SYS_keyctl,
    libc::SYS_request_key,
    libc::SYS_userfaultfd,
    libc::SYS_mount,
    libc::SYS_unshare,
    libc::SYS_setns,
];

/// Does work whose programs write only below a folder, and also read these.
pub(super) fn within<T: Send>(
    folder: &Path,
    read: &[PathBuf],
    work: impl FnOnce() -> io::Result<T> + Send,
) -> io::Result<T> {
    thread::scope(|scope| {
        let fenced = scope.spawn(|| {
            nix::sys::prctl::set_no_new_privs()?;
            landlock(folder, read).map_err(io::Error::other)?;
            // A kernel without seccomp refuses the filter.
            let _ = seccompiler::apply_filter(&filter());
            work()
        });
        fenced.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn landlock(folder: &Path, read: &[PathBuf]) -> Result<(), RulesetError> {
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(LANDLOCK))?
        .handle_access(AccessNet::from_all(LANDLOCK))?
        .scope(Scope::from_all(LANDLOCK))?
        .create()?;
    let paths = env::var_os("PATH").unwrap_or_default();
    let programs = PROGRAMS.iter().map(PathBuf::from).chain(env::split_paths(&paths).filter(|path| path.is_absolute()));
    let ruleset = open(ruleset, programs, AccessFs::Execute | AccessFs::ReadFile | AccessFs::ReadDir)?;
    let facts = FACTS.iter().map(PathBuf::from).chain(read.iter().cloned());
    let ruleset = open(ruleset, facts, AccessFs::ReadFile | AccessFs::ReadDir)?;
    let ruleset = open(ruleset, DEVICES.iter().map(PathBuf::from), AccessFs::ReadFile | AccessFs::WriteFile)?;
    open(ruleset, [folder.to_owned()], AccessFs::from_all(LANDLOCK))?.restrict_self().map(drop)
}

/// Allows an access to those paths that exist; to a file, as far as files have it.
fn open(
    ruleset: RulesetCreated,
    paths: impl IntoIterator<Item = PathBuf>,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let rules = paths.into_iter().filter_map(|path| {
        let access = if path.is_dir() { access } else { access & AccessFs::from_file(LANDLOCK) };
        Some(PathBeneath::new(PathFd::new(path).ok()?, access))
    });
    rules.into_iter().try_fold(ruleset, |ruleset, rule| ruleset.add_rule(rule))
}

fn filter() -> BpfProgram {
    let rules = REFUSED_CALLS.iter().map(|call| (*call, vec![])).collect();
    let refused = SeccompAction::Errno(libc::EPERM as u32);
    SeccompFilter::new(rules, SeccompAction::Allow, refused, TargetArch::x86_64)
        .and_then(BpfProgram::try_from)
        .expect("a filter of a few instructions")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::command::program;
    use std::fs;

    /// A build that does what an attacker's would; the compiler works in its folder.
    #[test]
    fn a_build_reaches_its_folder_and_no_more() {
        let place = tempfile::tempdir().unwrap();
        let [own, other] = ["own", "other"].map(|name| place.path().join(name));
        [&own, &other].into_iter().for_each(|folder| fs::create_dir(folder).unwrap());
        fs::write(other.join("letters"), "mine").unwrap();
        let ran = |script: &str, read: &[PathBuf]| {
            let mut command = program("sh");
            command.args(["-c", script]).current_dir(&own).env("OTHER", &other).env("TMPDIR", &own);
            within(&own, read, || command.output()).unwrap()
        };
        let works = "echo 'int main(void) { return 0; }' >a.c && cc -o a a.c && ./a && mkdir b && mv a b/a && \
                     (echo x | cat >/dev/null) && [ -r /proc/cpuinfo ] && ln -s b c && rm c";
        let output = ran(works, &[]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let attempts = [
            "cat $OTHER/letters",
            "echo x >$OTHER/letters",
            "touch $OTHER/new",
            "rm $OTHER/letters",
            "mv $OTHER/letters .",
            "ln -s $OTHER/letters l && cat l",
            "cat /etc/shadow",
            "ls $HOME",
            "cat /proc/$PPID/environ",
            "touch /tmp/goodput-was-here",
            "bash -c 'echo >/dev/tcp/127.0.0.1/22'",
            "perl -MSocket -e 'socket(my $s, AF_UNIX, SOCK_STREAM, 0) or exit 1'",
            "unshare -U true",
        ];
        for attempt in attempts {
            assert!(!ran(attempt, &[]).status.success(), "{attempt}");
        }
        assert_eq!(fs::read_to_string(other.join("letters")).unwrap(), "mine");
        assert!(
            ran("[ \"$(cat $OTHER/letters)\" = mine ] && ! touch $OTHER/new", std::slice::from_ref(&other))
                .status
                .success()
        );
        assert!(!fs::exists(other.join("new")).unwrap(), "this thread has its rights");
        fs::write(other.join("new"), "").unwrap();
    }
}
