//! The guest's root: its own files, the RAM disk's tools and, for commands, the host's files that programs need. The
//! host's files are read-only, and no user's files are among them.

use super::{check, mount, tun};
use std::ffi::CString;
use std::fs::{self, Permissions};
use std::io::Error;
use std::os::unix::fs::{PermissionsExt, symlink};

/// Folder in which the new root is made; [`new`] names a path in it.
const NEW_ROOT: &str = "/new";

/// Folder of all host files while the needed ones are mounted.
const HOST_ROOT: &str = "/host";

/// The guest's own files in /etc. `tc` needs `iproute2/ematch_map` for its filters (include/uapi/linux/pkt_cls.h).
const OWN_FILES: [(&str, &str); 6] = [
    ("iproute2/ematch_map", "1 cmp\n3 u32\n4 meta\n"),
    ("passwd", "root:x:0:0::/tmp:/bin/sh\nnobody:x:65534:65534::/:/bin/false\ntcpdump:x:100:100::/:/bin/false\n"),
    ("group", "root:x:0:\nnogroup:x:65534:\ntcpdump:x:100:\n"),
    ("hosts", "127.0.0.1 localhost\n"),
    ("nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\nprotocols: files\nservices: files\n"),
    ("host.conf", "multi on\n"),
];

/// Name and minor number of the memory devices, of major number 1 (Documentation/admin-guide/devices.txt).
const DEVICES: [(&str, u32); 5] = [("null", 3), ("zero", 5), ("full", 7), ("random", 8), ("urandom", 9)];

/// Makes the root and enters it.
pub fn enter_root() -> Result<(), String> {
    fs::create_dir_all(NEW_ROOT).map_err(|e| format!("cannot make {NEW_ROOT}: {e}"))?;
    // Unlike tmpfs, ramfs draws no random numbers, which would change the guest's later ones.
    mount(c"ramfs", &text(NEW_ROOT), c"ramfs", 0, c"")?;
    for folder in ["proc", "run", "tmp", "etc/iproute2", "dev"] {
        make_folder(folder)?;
    }
    mount(c"proc", &text(&new("/proc")), c"proc", 0, c"")?;
    mount(c"tmpfs", &text(&new("/run")), c"tmpfs", 0, c"")?;
    mount(c"tmpfs", &text(&new("/tmp")), c"tmpfs", 0, c"")?;
    share_tools().map_err(|e| format!("cannot share {}: {e}", wire::TOOLS))?;
    for (name, text) in OWN_FILES {
        fs::write(new(&format!("/etc/{name}")), text).map_err(|e| format!("cannot write /etc/{name}: {e}"))?;
    }
    devices()?;
    // SAFETY: a NUL-terminated path.
    check(unsafe { libc::chroot(text(NEW_ROOT).as_ptr()) })
        .map_err(|e| format!("cannot change root to {NEW_ROOT}: {e}"))?;
    std::env::set_current_dir("/").map_err(|e| format!("cannot enter the new root: {e}"))
}

/// Forbids further mounts of the host's files, and makes the root read-only.
pub fn seal_root() -> Result<(), String> {
    fs::write("/proc/goodput/control", "seal").map_err(|e| format!("cannot seal the host's files: {e}"))?;
    mount(c"ramfs", c"/", c"ramfs", libc::MS_REMOUNT | libc::MS_RDONLY, c"")
}

fn make_folder(name: &str) -> Result<(), String> {
    fs::create_dir_all(new(&format!("/{name}"))).map_err(|e| format!("cannot make /{name}: {e}"))
}

/// Returns the path of a guest's file before the guest enters its root.
fn new(path: &str) -> String {
    format!("{NEW_ROOT}{path}")
}

fn text(path: &str) -> CString {
    CString::new(path).expect("our own paths have no NUL")
}

/// Mounts the host's folders and files at the same paths, except missing ones, and makes the devices that programs open.
pub fn share_host() -> Result<(), String> {
    terminals()?;
    tun::make_device().map_err(|e| format!("cannot make {}: {e}", tun::DEVICE))?;
    fs::create_dir(HOST_ROOT).map_err(|e| format!("cannot make {HOST_ROOT}: {e}"))?;
    mount(c"none", &text(HOST_ROOT), c"hostfs", libc::MS_RDONLY, c"/")?;
    let files = wire::HOST_FILES.map(|name| format!("/etc/{name}"));
    for path in wire::HOST_FOLDERS.iter().copied().chain(files.iter().map(String::as_str)) {
        share_path(path).map_err(|e| format!("cannot share {path}: {e}"))?;
    }
    // SAFETY: a NUL-terminated path.
    check(unsafe { libc::umount2(text(HOST_ROOT).as_ptr(), libc::MNT_DETACH) })
        .and_then(|_| fs::remove_dir(HOST_ROOT))
        .map_err(|e| format!("cannot unmount {HOST_ROOT}: {e}"))
}

fn share_path(path: &str) -> Result<(), Error> {
    let from = format!("{HOST_ROOT}{path}");
    let Ok(found) = fs::symlink_metadata(&from) else { return Ok(()) };
    if found.is_symlink() {
        // The guest's own folder takes precedence over a host's link.
        if fs::symlink_metadata(path).is_ok() {
            return Ok(());
        }
        return symlink(fs::read_link(&from)?, path);
    }
    if found.is_dir() {
        fs::create_dir_all(path)?
    } else {
        fs::write(path, "")?
    }
    mount(&text(&from), &text(path), c"none", libc::MS_BIND, c"").map_err(Error::other)
}

/// Mounts the tools of the RAM disk.
fn share_tools() -> Result<(), Error> {
    fs::create_dir(new(wire::TOOLS))?;
    mount(&text(wire::TOOLS), &text(&new(wire::TOOLS)), c"none", libc::MS_BIND, c"").map_err(Error::other)
}

/// Makes pseudo-terminals, if the kernel has them (Documentation/filesystems/devpts.rst).
fn terminals() -> Result<(), String> {
    let failed = |e: Error| format!("cannot make /dev/pts: {e}");
    if !fs::read_to_string("/proc/filesystems").map_err(failed)?.contains("\tdevpts\n") {
        return Ok(());
    }
    fs::create_dir("/dev/pts").map_err(failed)?;
    mount(c"devpts", c"/dev/pts", c"devpts", libc::MS_NOSUID | libc::MS_NOEXEC, c"ptmxmode=666,mode=620")?;
    symlink("pts/ptmx", "/dev/ptmx").map_err(failed)
}

fn devices() -> Result<(), String> {
    for (name, minor) in DEVICES {
        let path = text(&new(&format!("/dev/{name}")));
        // SAFETY: a NUL-terminated path.
        check(unsafe { libc::mknod(path.as_ptr(), libc::S_IFCHR | 0o666, libc::makedev(1, minor)) })
            .and_then(|_| fs::set_permissions(new(&format!("/dev/{name}")), Permissions::from_mode(0o666)))
            .map_err(|e| format!("cannot make /dev/{name}: {e}"))?;
    }
    for (name, target) in
        [("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2"), ("shm", "/tmp")]
    {
        symlink(target, new(&format!("/dev/{name}"))).map_err(|e| format!("cannot make /dev/{name}: {e}"))?;
    }
    Ok(())
}
