//! Isolates a guest's kernel from its machine, whatever code runs in it.
//!
//! The kernel is an ordinary process, so code that takes it over from inside has its rights. The process that becomes
//! the kernel therefore gives up all rights that a guest does not need, for itself and all its children:
//!
//! - *Landlock*: it executes no file but the kernel and its loader, reads no file but the host's programs, writes none,
//!   and reaches no process but its own. The guest's RAM disk is not a file of the machine, but memory that nobody can
//!   write to.
//! - *seccomp*: about a hundred system calls are allowed, none that opens a socket or creates or changes a file's name.
//! - *namespaces*: it has its own user namespace, without capabilities on the host, and a network without devices.
//!
//! [`super::uml`] describes when the guest's user space can reach the kernel's own system calls.

use super::loader;
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use nix::libc;
use nix::sched::{CloneFlags, unshare};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::str::FromStr;

/// A wall around the guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wall {
    /// Access to files by Landlock's rules (Linux 5.13).
    Landlock,
    /// Signals, by Landlock's scopes (Linux 6.12).
    Scopes,
    /// A filter for system calls.
    Seccomp,
    /// A user namespace and network of its own.
    Namespaces,
}

impl Wall {
    /// All walls, in the order in which they are built.
    pub const ALL: [Wall; 4] = [Wall::Namespaces, Wall::Landlock, Wall::Scopes, Wall::Seccomp];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Wall::Landlock => "landlock",
            Wall::Scopes => "scopes",
            Wall::Seccomp => "seccomp",
            Wall::Namespaces => "namespaces",
        }
    }

    /// True for walls that an experiment's commands need, unless the user allows them without. Together, these two keep
    /// commands from all files and networks.
    pub fn is_needed(self) -> bool {
        matches!(self, Wall::Landlock | Wall::Seccomp)
    }
}

impl FromStr for Wall {
    type Err = String;

    fn from_str(name: &str) -> Result<Wall, String> {
        Wall::ALL.into_iter().find(|wall| wall.name() == name).ok_or_else(|| format!("no wall is called {name}"))
    }
}

/// Files of a guest's kernel besides the host's programs.
#[derive(Debug)]
pub struct Files<'a> {
    /// The kernel, which is executed.
    pub kernel: &'a Path,
    /// Folder of the loader and library that replace the host's.
    pub loader: Option<&'a Path>,
}

/// Lists walls in a sentence.
pub fn names(walls: &[Wall]) -> String {
    walls.iter().map(|wall| wall.name()).collect::<Vec<_>>().join(", ")
}

/// Returns the walls that this machine can build: a child process, `goodput guest --probe`, builds them around itself.
pub fn probe(program: &Path) -> Vec<Wall> {
    let output = Command::new(program).args(["guest", "--probe"]).stdin(Stdio::null()).output();
    output.ok().and_then(|output| serde_json::from_slice(&output.stdout).ok()).unwrap_or_default()
}

/// Builds the walls around this process, for good, except those in `without`. Returns the walls that were built.
pub fn build(files: Option<&Files>, without: &[Wall]) -> io::Result<Vec<Wall>> {
    nix::sys::prctl::set_no_new_privs()?;
    let mut built = vec![];
    for wall in Wall::ALL.into_iter().filter(|wall| !without.contains(wall)) {
        match wall {
            Wall::Namespaces => built.extend(unshare(NAMESPACES).is_ok().then_some(wall)),
            Wall::Landlock => built.extend(landlock(files).map_err(io::Error::other)?),
            // Built together with Landlock.
            Wall::Scopes => {}
            Wall::Seccomp => built.extend(seccompiler::apply_filter(&filter()).is_ok().then_some(wall)),
        }
    }
    Ok(built)
}

const NAMESPACES: CloneFlags =
    CloneFlags::CLONE_NEWUSER.union(CloneFlags::CLONE_NEWNET).union(CloneFlags::CLONE_NEWIPC);

/// Version of Landlock's rules; an older kernel ignores those that it lacks. Scopes came with this version.
const LANDLOCK: ABI = ABI::V6;

fn landlock(own: Option<&Files>) -> Result<Vec<Wall>, RulesetError> {
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(LANDLOCK))?
        .handle_access(AccessNet::from_all(LANDLOCK))?
        .scope(Scope::from_all(LANDLOCK))?
        .create()?;
    let mut ruleset = open(ruleset, wire::HOST_FOLDERS, AccessFs::ReadFile | AccessFs::ReadDir)?;
    // The console's input, and the processor features that the kernel may use.
    let files = wire::HOST_FILES
        .iter()
        .map(|name| format!("/etc/{name}"))
        .chain(["/dev/null", "/proc/cpuinfo"].map(str::to_owned));
    ruleset = open(ruleset, files, AccessFs::ReadFile.into())?;
    if let Some(own) = own {
        let loads = match own.loader {
            Some(folder) => loader::PACKAGED_LOADER.map(|name| folder.join(name)).to_vec(),
            None => vec![loader::HOST_LOADER.into()],
        };
        ruleset = open(ruleset, loads.into_iter().chain([own.kernel.into()]), AccessFs::Execute | AccessFs::ReadFile)?;
    }
    Ok(match ruleset.restrict_self()?.ruleset {
        RulesetStatus::FullyEnforced => vec![Wall::Landlock, Wall::Scopes],
        RulesetStatus::PartiallyEnforced => vec![Wall::Landlock],
        RulesetStatus::NotEnforced => vec![],
    })
}

/// Allows an access to those paths that exist.
fn open<P: AsRef<Path>>(
    ruleset: RulesetCreated,
    paths: impl IntoIterator<Item = P>,
    access: landlock::BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let there = paths.into_iter().filter_map(|path| PathFd::new(path.as_ref()).ok());
    there.map(|path| PathBeneath::new(path, access)).try_fold(ruleset, |ruleset, rule| ruleset.add_rule(rule))
}

/// System calls that a running guest makes, by its kernel and its user processes. Any other call fails with ENOSYS.
const ALLOWED_CALLS: &[i64] = &[
    // files that are open, or that Landlock lets it open
    libc::SYS_access,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_dup,
    libc::SYS_dup2,
    libc::SYS_dup3,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_fcntl,
    libc::SYS_fdatasync,
    libc::SYS_fstat,
    libc::SYS_fstatfs,
    libc::SYS_getdents64,
    libc::SYS_lseek,
    libc::SYS_lstat,
    libc::SYS_newfstatat,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_read,
    libc::SYS_readlink,
    libc::SYS_readlinkat,
    libc::SYS_readv,
    libc::SYS_stat,
    libc::SYS_statfs,
    libc::SYS_statx,
    libc::SYS_write,
    libc::SYS_writev,
    // memory
    libc::SYS_brk,
    libc::SYS_fallocate,
    libc::SYS_ftruncate,
    libc::SYS_madvise,
    libc::SYS_memfd_create,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_msync,
    libc::SYS_munmap,
    // processes of its own
    libc::SYS_arch_prctl,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_fork,
    libc::SYS_futex,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_gettid,
    libc::SYS_kill,
    libc::SYS_personality,
    libc::SYS_prctl,
    libc::SYS_ptrace,
    libc::SYS_rseq,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_yield,
    libc::SYS_seccomp,
    libc::SYS_set_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_tgkill,
    libc::SYS_tkill,
    libc::SYS_vfork,
    libc::SYS_wait4,
    libc::SYS_waitid,
    // signals, time and events
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_epoll_create,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_wait,
    libc::SYS_eventfd,
    libc::SYS_eventfd2,
    libc::SYS_getitimer,
    libc::SYS_gettimeofday,
    libc::SYS_nanosleep,
    libc::SYS_pause,
    libc::SYS_pipe,
    libc::SYS_pipe2,
    libc::SYS_poll,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_restart_syscall,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_select,
    libc::SYS_setitimer,
    libc::SYS_sigaltstack,
    libc::SYS_signalfd,
    libc::SYS_signalfd4,
    libc::SYS_time,
    libc::SYS_timer_create,
    libc::SYS_timer_delete,
    libc::SYS_timer_getoverrun,
    libc::SYS_timer_gettime,
    libc::SYS_timer_settime,
    // how the kernel hands memory to its user space (arch/um/os-Linux/skas/process.c)
    libc::SYS_recvmsg,
    libc::SYS_sendmsg,
    // what it asks about itself and the machine
    libc::SYS_capget,
    libc::SYS_getcwd,
    libc::SYS_getegid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getpgrp,
    libc::SYS_getpgid,
    libc::SYS_getrandom,
    libc::SYS_getrlimit,
    libc::SYS_getuid,
    libc::SYS_sysinfo,
    libc::SYS_uname,
];

/// An argument's index, a mask of its bits, and their required value.
type Bound = (u8, u64, u64);

/// System calls that are allowed only with these bits in their arguments.
const BOUNDED_CALLS: &[(i64, &[Bound])] = &[
    (libc::SYS_open, &[(1, WRITE_FLAGS, 0)]),
    (libc::SYS_openat, &[(2, WRITE_FLAGS, 0)]),
    (libc::SYS_clone, &[(0, NEW_NAMESPACES, 0)]),
    // isatty() uses this request. No terminal may take input or settings from a guest.
    (libc::SYS_ioctl, &[(1, INT_BITS, libc::TCGETS)]),
    // Only its own limits: without CPU time, another process of the user would be killed.
    (libc::SYS_prlimit64, &[(0, INT_BITS, 0)]),
    // Only stream pairs: a datagram could be sent to another socket of the machine.
    (libc::SYS_socketpair, &[(0, INT_BITS, libc::AF_UNIX as u64), (1, SOCKET_TYPE, libc::SOCK_STREAM as u64)]),
];

const INT_BITS: u64 = u32::MAX as u64;

/// The type without SOCK_CLOEXEC and SOCK_NONBLOCK (SOCK_TYPE_MASK in include/linux/net.h).
const SOCKET_TYPE: u64 = 0xf;

const WRITE_FLAGS: u64 = (libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC | libc::O_APPEND) as u64
    | (libc::O_TMPFILE & !libc::O_DIRECTORY) as u64;

const NEW_NAMESPACES: u64 = (libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWUTS) as u64;

fn filter() -> BpfProgram {
    let whole = |call: &i64| (*call, vec![]);
    let condition = |&(argument, bits, value): &(u8, u64, u64)| {
        SeccompCondition::new(argument, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(bits), value)
    };
    let bounded = |(call, conditions): &(i64, &[(u8, u64, u64)])| {
        let rule = conditions.iter().map(condition).collect::<Result<_, _>>().and_then(SeccompRule::new);
        (*call, vec![rule.expect("arguments from 0 to 5")])
    };
    let rules: BTreeMap<i64, Vec<SeccompRule>> =
        ALLOWED_CALLS.iter().map(whole).chain(BOUNDED_CALLS.iter().map(bounded)).collect();
    let refused = SeccompAction::Errno(libc::ENOSYS as u32);
    SeccompFilter::new(rules, refused, SeccompAction::Allow, TargetArch::x86_64)
        .and_then(BpfProgram::try_from)
        .expect("a filter of fewer than 4096 instructions")
}
