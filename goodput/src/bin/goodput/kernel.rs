//! `kernel` and its commands.

use crate::Failure;
use clap::{Args, Subcommand};
use goodput::kernel::{self, AddError, Additions, Progress, Request, Source};
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub struct AdditionArguments {
    /// A patch to apply, as `git diff` or `diff -u` prints it; may be given several times.
    #[arg(long = "patch", value_name = "FILE")]
    patches: Vec<PathBuf>,
    /// A config fragment to merge, lines such as CONFIG_HZ_250=y; may be given several times.
    #[arg(long = "config", value_name = "FILE")]
    configs: Vec<PathBuf>,
    /// A folder of C files to compile into the kernel, such as a congestion control of your own; may be given several
    /// times.
    #[arg(long = "module", value_name = "DIR")]
    modules: Vec<PathBuf>,
}

impl AdditionArguments {
    pub fn read(&self) -> Result<Additions, AddError> {
        Additions::read(&self.patches, &self.configs, &self.modules)
    }
}

#[derive(Subcommand)]
pub enum Command {
    /// Build a guest kernel: Debian's newest source that apt can reach, or a source of your own.
    Add {
        /// Its name in experiments [default: its version].
        name: Option<String>,
        /// A Debian package such as linux-source-7.2, a tarball, a kernel tree, or a git tree with @REVISION
        /// [default: Debian's newest].
        #[arg(long, value_name = "SOURCE")]
        from: Option<String>,
        #[command(flatten)]
        additions: AdditionArguments,
        /// Take the name from the kernel that has it.
        #[arg(long)]
        replace: bool,
        /// Build nothing if this goodput has built a kernel of that name, or any without a name.
        #[arg(long, conflicts_with = "replace")]
        if_missing: bool,
    },
    /// Show one guest kernel: its version, patches, options and congestion controls.
    Show {
        /// Its name.
        name: String,
        /// Print it as JSON.
        #[arg(long)]
        json: bool,
    },
    /// List the guest kernels.
    List {
        /// Print them as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Remove a guest kernel.
    Remove {
        /// Its name.
        name: String,
    },
    /// Remove sources and objects that make the next build quick, and no kernel.
    Clean,
}

pub fn execute(command: Command) -> Result<u8, Failure> {
    match command {
        Command::Add { if_missing: true, name, .. }
            if kernel::find(name.as_deref()).is_ok_and(|kernel| kernel.is_current()) => {}
        Command::Add { name, from, additions, replace, .. } => {
            let source = Source::parse(from.as_deref().unwrap_or("apt"))?;
            let additions = additions.read()?;
            let mut progress = Progress::stderr();
            let added = kernel::add(&Request { name, source, additions, replace }, &mut progress);
            // Takes the bar off the terminal.
            drop(progress);
            out!("{}", line(&added?));
        }
        Command::Show { name, json: true } => {
            out!("{}", serde_json::to_string_pretty(&kernel::find(Some(&name))?)?)
        }
        Command::Show { name, json: false } => {
            let rows = kernel::find(Some(&name))?.rows();
            let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
            rows.iter().for_each(|(name, value)| out!("{name:width$}  {value}"));
        }
        Command::List { json: true } => out!("{}", serde_json::to_string_pretty(&kernel::list()?.entries)?),
        Command::List { json: false } => {
            let listing = kernel::list()?;
            for entry in &listing.entries {
                out!("{}", line(entry));
            }
            listing.damaged.iter().for_each(|damage| eprintln!("{damage}"));
        }
        Command::Remove { name } => kernel::remove(&name)?,
        Command::Clean => kernel::clean()?,
    }
    Ok(0)
}

fn line(entry: &kernel::Entry) -> String {
    let additions: String = entry.additions.iter().map(|addition| format!(" + {}", addition.path.display())).collect();
    let stale = if entry.is_current() { "" } else { "  (of another goodput)" };
    format!("{}  {}  {}{additions}{stale}", entry.names.join(", "), entry.short_hash(), entry.source.description)
}
