//! Adds a kernel: from a request to an entry of the cache.

use nix::libc;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::additions::{Additions, AdditionsError};
use super::build::{Build, BuildError, Built, DEFAULT_STEPS, NEEDED_BYTES};
use super::cache::{Cache, CacheError};
use super::congestion;
use super::entry::Entry;
use super::error::{FileError, MORE_SPACE};
use super::freebsd::{self, FreeBsdError};
use super::progress::Progress;
use super::recipe::{Recipe, RecipeError, digest};
use super::source::{Material, Source, SourceError};
use super::store::{Store, StoreError, Tree, move_checkout};
use super::tools::{Toolchain, ToolsError, free_bytes};
use base::interrupt::interrupted;
use base::process;
use base::sums::file_sha256;
use evidence::platform::Version;

/// A request to add a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddKernelRequest {
    /// Its name; its version by default. A kernel with additions must have a name.
    pub name: Option<String>,
    /// Its source.
    pub source: Source,
    /// Additions to goodput's recipe.
    pub additions: Additions,
    /// True to take the name from the kernel that has it.
    pub replace: bool,
}

/// Why a kernel could not be added.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AddError {
    /// The name cannot name a folder.
    #[error(
        "\"{name}\" cannot be a kernel's name\n\n\
         hint: use letters, digits, dots, dashes and underscores, a letter or digit first"
    )]
    BadName { name: String },
    /// Another kernel has the name.
    #[error(
        "another kernel is already called {name} ({hash})\n\n\
         hint: choose another name, or pass --replace to give this one to the new kernel"
    )]
    NameTaken {
        name: String,
        /// Start of the other kernel's hash.
        hash: String,
    },
    /// A kernel with additions has no name.
    #[error("a kernel with your own patches, configuration or modules needs a name\n\nhint: goodput kernel add NAME …")]
    NoName,
    /// The source is not Linux.
    #[error(
        "{source_name} is not a Linux source tree: it has no {missing}\n\n\
         hint: pass the complete source of Linux {} or newer, with arch/um",
        Version::OLDEST_HOST
    )]
    NotLinux {
        source_name: String,
        /// File or folder that every Linux source has.
        missing: &'static str,
    },
    /// The kernel is too old.
    #[error(
        "{source_name} is Linux {version}, and goodput needs {} or newer\n\n\
         hint: `goodput kernel add` alone takes Debian's newest kernel",
        Version::OLDEST_HOST
    )]
    TooOld { source_name: String, version: Version },
    /// The disk is too full for a build.
    #[error(
        "{} has {} MB free, and this build needs about {} MB\n\nhint: {MORE_SPACE}",
        folder.display(), free / 1_000_000, needed / 1_000_000
    )]
    NoSpace {
        /// Folder for the build.
        folder: PathBuf,
        /// Free bytes.
        free: u64,
        /// Bytes that a build needs.
        needed: u64,
    },
    #[error("interrupted\n\nhint: run the same command again; it keeps what was fetched and compiled")]
    Interrupted,
    /// The source is not available.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The user's additions cannot be read or built in.
    #[error(transparent)]
    Additions(#[from] AdditionsError),
    /// FreeBSD's tree is not available, or cannot be built.
    #[error(transparent)]
    FreeBsd(#[from] FreeBsdError),
    /// goodput's changes or the user's do not apply to the source.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    #[error(transparent)]
    Build(#[from] BuildError),
    /// This machine cannot build.
    #[error(transparent)]
    Tools(#[from] ToolsError),
    /// The store of sources cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The cache cannot be used.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// A file or folder cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

impl AddError {
    /// True if the error comes from this commit of the source: another commit may work, and this one never will.
    pub(crate) fn is_of_the_source(&self) -> bool {
        use BuildError::{Dropped, Ignored, Stage};
        use RecipeError::{Applied, NoHook, OwnPatch, Patch};
        match self {
            AddError::NotLinux { .. } | AddError::TooOld { .. } => true,
            AddError::Recipe(error) => {
                matches!(error, OwnPatch { .. } | Patch { .. } | Applied { .. } | NoHook { .. })
            }
            AddError::Build(error) => matches!(error, Dropped { .. } | Ignored { .. } | Stage { .. }),
            _ => false,
        }
    }
}

/// Time for programs to clean up after a signal.
const CLEANUP_TIME: Duration = Duration::from_millis(400);

/// Adds a kernel to the user's cache, or finds the one with the same inputs. A signal ends all programs of the build.
pub fn add(request: &AddKernelRequest, progress: &mut Progress) -> Result<Entry, AddError> {
    let added = process::ending_programs(CLEANUP_TIME, || {
        Cache::of_user()?.add(request, &Recipe::embedded(), &Toolchain::examine()?, progress)
    });
    added.map_err(|error| if interrupted() { AddError::Interrupted } else { error })
}

impl Cache {
    /// Adds a kernel built by a recipe, or finds the one with the same inputs.
    pub fn add(
        &self,
        request: &AddKernelRequest,
        recipe: &Recipe,
        toolchain: &Toolchain,
        progress: &mut Progress,
    ) -> Result<Entry, AddError> {
        match &request.name {
            Some(name) => check_name(name)?,
            None if request.additions == Additions::default() => {}
            None => return Err(AddError::NoName),
        }
        let _held = self.hold(progress)?;
        fs::create_dir_all(self.sources()).map_err(FileError::on("create", &self.sources()))?;
        let store = Store::open(self.sources().join("git"))?;
        let additions = &request.additions;
        let freebsd = additions.freebsd.as_ref().map(|given| given.fetch(&store)).transpose()?;
        let material = request.source.fetch(&self.sources(), &store, progress)?;
        let hash = hash(&material, recipe, toolchain, additions, freebsd.as_ref());
        match self.built(&hash) {
            Some(Ok(entry)) => return self.call(entry, request),
            Some(Err(damage)) => {
                progress.note(&format!("rebuilding {}: {}", damage.folder.display(), damage.what));
            }
            None => {}
        }
        // Check a given name before the work, and a version's name as soon as the version is known.
        request.name.as_deref().map_or(Ok(()), |name| self.check_free(name, &hash, request.replace))?;

        let job = Job { cache: self, request, recipe, toolchain, store: &store, material: &material, freebsd, hash };
        let added = job.make(progress);
        // If something cannot be removed now, the next build removes it.
        let _ = self.sweep();
        added
    }

    fn publish(&self, entry: Entry) -> Result<Entry, AddError> {
        let folder = self.kernel(&entry.hash);
        remove_folder(&folder)?;
        fs::create_dir_all(folder.parent().unwrap_or(&folder)).map_err(FileError::on("create", &folder))?;
        fs::rename(&entry.folder, &folder).map_err(FileError::on("create", &folder))?;
        Ok(Entry { folder, ..entry })
    }

    /// Gives an entry the requested name, or its version's.
    fn call(&self, mut entry: Entry, request: &AddKernelRequest) -> Result<Entry, AddError> {
        let name = match &request.name {
            Some(name) => name.clone(),
            None => self.retire(entry.version.clone(), &entry.hash)?,
        };
        if !entry.is_called(&name) {
            self.check_free(&name, &entry.hash, request.replace)?;
            self.take_from_other(&name, &entry.hash)?;
            entry.names.push(name);
            entry.write().map_err(FileError::on("write", &entry.folder))?;
        }
        Ok(entry)
    }

    /// Takes a name from another kernel that has it.
    fn take_from_other(&self, name: &str, hash: &str) -> Result<(), AddError> {
        match self.named(name)?.filter(|other| other.hash != hash) {
            Some(other) => {
                let folder = other.folder.clone();
                Ok(self.take_name(other, name).map_err(FileError::on("change", &folder))?)
            }
            None => Ok(()),
        }
    }

    /// Frees a version's name for the kernel with that hash. The older kernel gets a name with its own hash.
    fn retire(&self, version: String, hash: &str) -> Result<String, AddError> {
        if let Some(mut older) = self.named(&version)?.filter(|older| older.hash != hash) {
            let own = format!("{version}-{}", &older.short_hash()[..8]);
            older.names.retain(|name| *name != version && *name != own);
            older.names.push(own);
            older.write().map_err(FileError::on("write", &older.folder))?;
        }
        Ok(version)
    }

    /// Checks that no other kernel has the name.
    fn check_free(&self, name: &str, hash: &str, replace: bool) -> Result<(), AddError> {
        match self.named(name)? {
            Some(other) if other.hash != hash && !replace => {
                Err(AddError::NameTaken { name: name.to_owned(), hash: other.short_hash().to_owned() })
            }
            _ => Ok(()),
        }
    }

    /// Returns the estimated number of steps of a whole build.
    fn steps(&self) -> usize {
        self.list()
            .ok()
            .and_then(|listing| listing.entries.iter().map(|entry| entry.steps).max())
            .unwrap_or(DEFAULT_STEPS)
    }
}

/// Copies a file that a build has made: no link, which could lead out of its folder.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut file = File::options().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(from)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("the build has made something that is no file"));
    }
    let mut copy = File::create_new(to)?;
    io::copy(&mut file, &mut copy)?;
    copy.set_permissions(metadata.permissions())
}

/// A kernel to build.
struct Job<'a> {
    cache: &'a Cache,
    request: &'a AddKernelRequest,
    recipe: &'a Recipe,
    toolchain: &'a Toolchain,
    store: &'a Store,
    material: &'a Material,
    freebsd: Option<freebsd::Material>,
    hash: String,
}

impl Job<'_> {
    /// Builds the kernel, and publishes it once it is complete.
    fn make(&self, progress: &mut Progress) -> Result<Entry, AddError> {
        let work = self.cache.build(&self.hash);
        remove_folder(&work)?;
        fs::create_dir_all(&work).map_err(FileError::on("create", &work))?;
        let (source, unpacked) = self.material.tree(self.store, &work, progress)?;
        let version = version_of(self.store, &source, &self.material.record.description)?;
        let name = self.name(&version)?;

        let tree = self.cache.tree(&version.series());
        if let Some(unpacked) = unpacked {
            move_checkout(&unpacked, &tree).map_err(FileError::on("move", &unpacked))?;
        }
        let is_first = !tree.join("linux").exists();
        check_space(&work, NEEDED_BYTES[usize::from(!is_first)])?;
        let prepared = self.recipe.prepare(self.store, &source, &version, &self.request.additions)?;
        progress.stage(format!("updating the tree of Linux {}", version.series()));
        self.store.check_out(&prepared.tree, &tree)?;
        let log = work.join("build.log");
        let additions = &self.request.additions;
        let freebsd = self.freebsd.as_ref().map(|freebsd| self.check_out(freebsd)).transpose()?;
        let programs = self.toolchain;
        let configs = additions.configs.iter().map(|config| config.text.clone());
        let configured = [prepared.tree.id, programs.compiler.clone(), programs.linker.clone()].into_iter();
        let configured: Vec<String> = configured.chain([self.recipe.fragment.clone()]).chain(configs).collect();
        let mut build = Build {
            tree: tree.clone(),
            version: version.clone(),
            log: log.clone(),
            additions,
            configuration: digest(&configured),
            freebsd,
            progress,
        };
        let built = build.follow(&self.recipe.fragment, is_first.then(|| self.cache.steps()))?;

        let kept = work.join("kept");
        fs::create_dir(&kept).map_err(FileError::on("create", &kept))?;
        for (from, to) in [(tree.join("linux"), "linux"), (tree.join(".config"), "config"), (log, "build.log")] {
            copy(&from, &kept.join(to)).map_err(FileError::on("keep", &from))?;
        }
        let entry = self.entry(kept, &name, &version, prepared.patches, built)?;
        entry.write().map_err(FileError::on("write", &entry.folder))?;
        self.cache.take_from_other(&name, &entry.hash)?;
        let entry = self.cache.publish(entry)?;
        remove_folder(&work)?;
        Ok(entry)
    }

    /// Checks FreeBSD's tree out into the folder of its last build.
    fn check_out(&self, freebsd: &freebsd::Material) -> Result<PathBuf, AddError> {
        let folder = self.cache.tree(&format!("freebsd-{}", freebsd.stack.version));
        self.store.check_out(&freebsd.tree, &folder)?;
        Ok(folder)
    }

    /// Returns the requested name, or the version's, and checks that it is free.
    fn name(&self, version: &Version) -> Result<String, AddError> {
        let name = match &self.request.name {
            Some(name) => name.clone(),
            None => self.cache.retire(version.to_string(), &self.hash)?,
        };
        self.cache.check_free(&name, &self.hash, self.request.replace)?;
        Ok(name)
    }

    /// Makes the contents of `kernel.json` for the kernel whose files are in a folder.
    fn entry(
        &self,
        folder: PathBuf,
        name: &str,
        version: &Version,
        own_patches: Vec<String>,
        Built { dropped, steps }: Built,
    ) -> Result<Entry, AddError> {
        let sha256 = |name: &str| file_sha256(&folder.join(name)).map_err(FileError::on("read", &folder));
        let config = fs::read_to_string(folder.join("config")).map_err(FileError::on("read", &folder))?;
        Ok(Entry {
            names: vec![name.to_owned()],
            version: version.to_string(),
            source: self.material.record.clone(),
            recipe: self.recipe.hash_with(self.freebsd.is_some()),
            own_patches,
            additions: self.request.additions.records(),
            dropped,
            congestion_controls: congestion_controls(&config, self.recipe, version, &self.request.additions)?,
            freebsd: self.freebsd.as_ref().map(|material| material.stack.clone()),
            compiler: self.toolchain.compiler.clone(),
            linker: self.toolchain.linker.clone(),
            linux_sha256: sha256("linux")?,
            config_sha256: sha256("config")?,
            built_at: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
            steps,
            folder: folder.clone(),
            hash: self.hash.clone(),
        })
    }
}

/// Hashes everything that determines a kernel's bytes.
fn hash(
    material: &Material,
    recipe: &Recipe,
    toolchain: &Toolchain,
    additions: &Additions,
    freebsd: Option<&freebsd::Material>,
) -> String {
    let inputs =
        [material.record.identity.clone(), recipe.hash(), toolchain.compiler.clone(), toolchain.linker.clone()];
    let records = additions.records().into_iter();
    let additions = records.flat_map(|addition| [addition.kind.name().to_owned(), addition.sha256]);
    let freebsd = freebsd.into_iter().flat_map(freebsd::Material::inputs);
    digest(&inputs.into_iter().chain(additions).chain(freebsd).collect::<Vec<_>>())
}

fn check_space(folder: &Path, needed: u64) -> Result<(), AddError> {
    match free_bytes(folder).filter(|free| *free < needed) {
        Some(free) => Err(AddError::NoSpace { folder: folder.to_owned(), free, needed }),
        None => Ok(()),
    }
}

/// Returns the version of a tree, if it is a Linux that can be a guest kernel.
fn version_of(store: &Store, tree: &Tree, source_name: &str) -> Result<Version, AddError> {
    let not_linux = |missing| AddError::NotLinux { source_name: source_name.to_owned(), missing };
    let makefile = store.text(tree, "Makefile").unwrap_or_default();
    let version =
        Version::of_makefile(&makefile).ok_or_else(|| not_linux("Makefile that states VERSION and PATCHLEVEL"))?;
    if !store.has(tree, "arch/um") {
        return Err(not_linux("arch/um"));
    }
    if version < Version::OLDEST_HOST {
        return Err(AddError::TooOld { source_name: source_name.to_owned(), version });
    }
    Ok(version)
}

/// Returns the congestion controls of the configuration, of goodput and of the user, in alphabetical order. A kernel
/// can register a name only once.
fn congestion_controls(
    config: &str,
    recipe: &Recipe,
    version: &Version,
    additions: &Additions,
) -> Result<Vec<String>, AdditionsError> {
    let mut names = congestion::configured(config);
    names.extend(recipe.congestion_controls(version));
    for module in &additions.modules {
        for name in &module.congestion_controls {
            if names.contains(name) {
                let what = format!("it registers the congestion control \"{name}\", which the kernel already has");
                return Err(AdditionsError::Module { folder: module.folder.clone(), what });
            }
            names.push(name.clone());
        }
    }
    names.sort();
    Ok(names)
}

fn check_name(name: &str) -> Result<(), AddError> {
    let good = name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    if good { Ok(()) } else { Err(AddError::BadName { name: name.to_owned() }) }
}

fn remove_folder(folder: &Path) -> Result<(), FileError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(FileError::on("remove", folder)(error)),
        _ => Ok(()),
    }
}
