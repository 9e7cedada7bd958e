//! `guest`: builds walls around its own process and becomes a guest's kernel.

use crate::Failure;
use base::process::{Signal, die_with_parent};
use clap::Args;
use lab::engine::OWN_BYTES;
use lab::engine::loader::Loaded;
use lab::engine::walls::{self, Files, Wall};
use nix::sys::personality::{self, Persona};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::unistd::close;
use std::ffi::OsString;
use std::os::fd::RawFd;
use std::path::{Path, PathBuf};
use std::{fs, io};

#[derive(Args)]
pub struct Arguments {
    /// Print which walls can be built, as JSON.
    #[arg(long, exclusive = true)]
    probe: bool,
    /// Parent process; this process ends with it.
    #[arg(long, required = true, value_name = "PID")]
    parent: Option<u32>,
    /// Descriptor of the guest's RAM disk, which stays open.
    #[arg(long, required = true, value_name = "DESCRIPTOR")]
    ramdisk: Option<RawFd>,
    /// Folder with the loader and the C library to use instead of the host's.
    #[arg(long, value_name = "FOLDER")]
    loader: Option<PathBuf>,
    /// Largest file that the kernel may write, MiB, including its memory; its address space has a GiB besides.
    #[arg(long, value_name = "MIB")]
    most: Option<u64>,
    /// Wall not to build.
    #[arg(long, value_name = "WALL")]
    without: Vec<Wall>,
    /// Wall without which the kernel must not start.
    #[arg(long, value_name = "WALL")]
    needs: Vec<Wall>,
    /// The kernel and its arguments.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "KERNEL")]
    kernel: Vec<OsString>,
}

/// Distance by which a random heap shifts the guest memory behind it in the same file, MiB (arch_randomize_brk in
/// arch/x86/kernel/process.c).
const HEAP_RANDOM_MIB: u64 = 1024;

pub fn execute(arguments: Arguments) -> Result<u8, Failure> {
    if arguments.probe {
        out!("{}", serde_json::to_string(&walls::build(None, &[])?)?);
        return Ok(0);
    }
    let (Some(parent), Some(ramdisk), [kernel, rest @ ..]) =
        (arguments.parent, arguments.ramdisk, &arguments.kernel[..])
    else {
        return Err("guest needs --parent, --ramdisk and a kernel".into());
    };
    die_with_parent(parent, Signal::SIGKILL)?;
    // Fixed addresses help with debugging. A container may refuse them, which changes no recorded byte
    // (`goodput/tests/lab/determinism.rs`).
    let _ = personality::get().and_then(|own| personality::set(own | Persona::ADDR_NO_RANDOMIZE));
    if let Some(most) = arguments.most {
        let (_, hardest) = getrlimit(Resource::RLIMIT_FSIZE)?;
        let fixed = personality::get().is_ok_and(|own| own.contains(Persona::ADDR_NO_RANDOMIZE));
        let bytes = (most + if fixed { 0 } else { HEAP_RANDOM_MIB }).saturating_mul(1 << 20).min(hardest);
        setrlimit(Resource::RLIMIT_FSIZE, bytes, bytes)?;
        let (_, hardest) = getrlimit(Resource::RLIMIT_AS)?;
        let space = (bytes.saturating_add(OWN_BYTES)).min(hardest);
        setrlimit(Resource::RLIMIT_AS, space, space)?;
    }
    close_inherited(ramdisk)?;
    let (kernel, loader) = (Path::new(kernel), arguments.loader.as_deref());
    let failed = |error| format!("{}: {error}", kernel.display());
    let loaded = loader.map_or_else(|| Ok(Loaded::by_host(kernel)), |folder| Loaded::by(folder, kernel));
    let loaded = loaded.map_err(failed)?;
    let built = walls::build(Some(&Files { kernel, loader }), &arguments.without)?;
    if let Some(wall) = arguments.needs.iter().find(|wall| !built.contains(wall)) {
        return Err(format!("cannot build a wall that commands need: {}", wall.name()).into());
    }
    Err(failed(loaded.exec(rest)).into())
}

/// Closes inherited descriptors, for example of the shell or editor that started goodput: walls do not restrict files
/// that are already open. Only the job, the stream, the console and the RAM disk stay open. The calling process must
/// have nothing open itself.
fn close_inherited(ramdisk: RawFd) -> io::Result<()> {
    let open = fs::read_dir("/proc/self/fd")?.map(|entry| entry.map(|entry| entry.file_name()));
    let open = open.collect::<io::Result<Vec<OsString>>>()?;
    let numbers = open.iter().filter_map(|name| name.to_str()?.parse::<RawFd>().ok());
    // The descriptor of the listing is closed by now.
    numbers.filter(|number| *number > 2 && *number != ramdisk).for_each(|number| {
        let _ = close(number);
    });
    Ok(())
}
