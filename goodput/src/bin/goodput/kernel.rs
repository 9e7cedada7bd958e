//! `kernel` and its commands.

use crate::{Failure, row_width};
use base::show;
use clap::{Args, Subcommand};
use goodput::schema;
use lab::doctor;
use lab::kernel::{self, AddKernelRequest, Additions, AdditionsError, Progress, Source};
use std::path::PathBuf;

#[derive(Args)]
pub struct AdditionArguments {
    /// Patch to apply (git diff or diff -u); may be repeated.
    #[arg(long = "patch", value_name = "FILE")]
    patches: Vec<PathBuf>,
    /// Config fragment to merge, with lines such as CONFIG_HZ_250=y; may be repeated.
    #[arg(long = "config", value_name = "FILE")]
    configs: Vec<PathBuf>,
    /// Folder of C files to build in, or one C file, such as your own congestion control; may be repeated.
    #[arg(long = "module", value_name = "DIR|FILE")]
    modules: Vec<PathBuf>,
    /// Tree to build FreeBSD's stack from, in addition to Linux's: a checkout of freebsd-src or F-Stack, with FreeBSD
    /// 13.0 or later.
    #[arg(long, value_name = "TREE")]
    freebsd: Option<PathBuf>,
    /// Patch to that tree; may be repeated.
    #[arg(long = "freebsd-patch", value_name = "FILE", requires = "freebsd")]
    freebsd_patches: Vec<PathBuf>,
}

impl AdditionArguments {
    pub fn read(&self) -> Result<Additions, AdditionsError> {
        let additions = Additions::read(&self.patches, &self.configs, &self.modules)?;
        additions.with_freebsd(self.freebsd.clone(), &self.freebsd_patches)
    }
}

#[derive(Subcommand)]
pub enum Command {
    /// Build a guest kernel, from Debian's source or your own
    ///
    /// Without --from it fetches the newest kernel source that apt can reach. Needs no root. A build runs programs of the
    /// tree, so a patch, a module or a tree is code of its author on this machine: it runs without network and without
    /// your home, and writes only below its own folder, if the machine has Landlock.
    Add {
        /// Name to use in experiments [default: its version].
        name: Option<String>,
        /// Source: a Debian package (linux-source-6.12), a tarball, a kernel tree, or GIT-TREE@REVISION
        /// [default: Debian's newest].
        #[arg(long, value_name = "SOURCE")]
        from: Option<String>,
        #[command(flatten)]
        additions: AdditionArguments,
        /// Build even if NAME is taken; the name moves to the new kernel.
        #[arg(long)]
        replace: bool,
        /// Do nothing if this goodput already built it; without NAME, if it built any kernel.
        #[arg(long, conflicts_with = "replace")]
        if_missing: bool,
    },
    /// Show one kernel: version, patches, config and congestion controls
    Show {
        /// Name of the kernel.
        name: String,
        /// Print it as JSON.
        #[arg(long)]
        json: bool,
    },
    /// List guest kernels
    List {
        /// Print them as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Remove a guest kernel
    Remove {
        /// Name of the kernel.
        name: String,
    },
    /// Free disk space: remove kernel sources and object files, keep the kernels
    ///
    /// The next build fetches and compiles everything again.
    Clean,
}

pub fn execute(command: Command) -> Result<u8, Failure> {
    match command {
        Command::Add { if_missing: true, name, .. } if kernel::find_current(name.as_deref()).is_some() => {}
        Command::Add { name, from, additions, replace, .. } => {
            let source = Source::parse(from.as_deref().unwrap_or("apt"))?;
            let additions = additions.read()?;
            doctor::can_start()?;
            let mut progress = Progress::stderr();
            let added = kernel::add(&AddKernelRequest { name, source, additions, replace }, &mut progress);
            // Removes the bar from the terminal.
            drop(progress);
            out!("{}", line(&added?));
        }
        Command::Show { name, json: true } => {
            out!("{}", crate::as_json(&schema::KERNEL_SHOW, &kernel::find(Some(&name))?)?)
        }
        Command::Show { name, json: false } => {
            let rows = kernel::find(Some(&name))?.rows();
            let widest = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
            let say = |name: &str, value: &str| show::hanging(&format!("{name:widest$}  "), value, row_width());
            rows.iter().for_each(|(name, value)| out!("{}", say(name, value).trim_end()));
        }
        Command::List { json: true } => {
            let kernels = kernel::list()?.entries;
            out!("{}", crate::as_json(&schema::KERNEL_LIST, &serde_json::json!({ "kernels": kernels }))?)
        }
        Command::List { json: false } => {
            let listing = kernel::list()?;
            let mut rows = vec![["name", "hash", "source"].map(str::to_owned)];
            let default = listing.entries.last().map(|entry| entry.hash.clone());
            rows.extend(listing.entries.iter().map(|entry| row(entry, default.as_deref())));
            let widest = [0, 1].map(|at| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or_default());
            for [names, hash, source] in &rows {
                let [of_names, of_hash] = widest;
                let head = format!("{names:of_names$}  {hash:of_hash$}  ");
                out!("{}", show::hanging(&head, source, row_width()).trim_end());
            }
            out!("\nMore: goodput kernel add NAME --from SOURCE, where SOURCE is");
            for (source, such) in SOURCES {
                out!("  {source:24}{such}");
            }
            listing.damaged.iter().for_each(|damage| note!("{damage}"));
        }
        Command::Remove { name } => kernel::remove(&name, &mut Progress::stderr())?,
        Command::Clean => kernel::clean(&mut Progress::stderr())?,
    }
    Ok(0)
}

/// Accepted sources of a kernel.
const SOURCES: [(&str, &str); 4] = [
    ("linux-source-6.12", "a kernel source package of Debian; `apt-cache search ^linux-source-` lists them"),
    ("linux-6.18.tar.xz", "a tarball, such as from kernel.org; Linux 6.1 or later"),
    ("TREE or TREE@REVISION", "a kernel tree, such as one with BBRv3; --patch, --config and --module add to it"),
    ("(none)", "the newest source that apt can reach"),
];

/// Returns names, hash, and the source with additions and notes.
fn row(entry: &kernel::Entry, default: Option<&str>) -> [String; 3] {
    let is_default = default == Some(entry.hash.as_str());
    let notes = [(is_default, "default"), (!entry.is_current(), "built by another version of goodput: add it again")];
    let notes = notes.into_iter().filter(|(is_so, _)| *is_so).map(|(_, note)| note.to_owned());
    let source = std::iter::once(source(entry)).chain(notes).collect::<Vec<_>>().join("; ");
    [entry.names.join(", "), entry.short_hash().to_string(), source]
}

/// Describes the source and additions of a kernel.
fn source(entry: &kernel::Entry) -> String {
    let additions = entry.additions.iter().map(|addition| format!(" + {}", addition.path.display()));
    let freebsd = entry.freebsd.iter().map(|stack| format!(" + FreeBSD {} ({})", stack.version, stack.tree.display()));
    entry.source.description.clone() + &freebsd.chain(additions).collect::<String>()
}

fn line(entry: &kernel::Entry) -> String {
    format!("{}  {}  {}", entry.names.join(", "), entry.short_hash(), source(entry))
}
