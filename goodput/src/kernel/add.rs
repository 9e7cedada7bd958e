//! Adding a kernel, from a request to an entry of the cache.

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::additions::Additions;
use super::build::{Build, Built, NEEDED, STEPS};
use super::cache::Cache;
use super::congestion;
use super::entry::Entry;
use super::error::AddError;
use super::progress::Progress;
use super::recipe::{Recipe, digest};
use super::source::{Material, Source};
use super::store::{Store, Tree, move_checkout};
use super::tools::{Toolchain, free_bytes};
use crate::sums::file_sha256;
use evidence::platform::Version;

/// Which kernel to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// What to call it; its version unless given. One with additions must have a name.
    pub name: Option<String>,
    /// Where its source comes from.
    pub source: Source,
    /// What is added to goodput's recipe.
    pub additions: Additions,
    /// Take the name from the kernel that has it.
    pub replace: bool,
}

/// Adds a kernel to the user's cache, or finds it there if it was built from the same before.
pub fn add(request: &Request, progress: &mut Progress) -> Result<Entry, AddError> {
    Cache::of_user()?.add(request, &Recipe::embedded(), &Toolchain::examine()?, progress)
}

impl Cache {
    /// Adds a kernel built by a recipe, or finds it if it was built from the same before.
    pub fn add(
        &self,
        request: &Request,
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
        fs::create_dir_all(self.sources()).map_err(AddError::file("create", &self.sources()))?;
        let store = Store::open(self.sources().join("git"))?;
        let material = request.source.fetch(&self.sources(), &store, progress)?;
        let inputs =
            [material.record.identity.clone(), recipe.hash(), toolchain.compiler.clone(), toolchain.linker.clone()];
        let additions = request
            .additions
            .records()
            .into_iter()
            .flat_map(|addition| [addition.kind.name().to_owned(), addition.sha256]);
        let hash = digest(&inputs.into_iter().chain(additions).collect::<Vec<_>>());
        match self.built(&hash) {
            Some(Ok(entry)) => return self.call(entry, request),
            Some(Err(damage)) => {
                progress.note(&format!("building it anew: {} ({})", damage.folder.display(), damage.what))
            }
            None => {}
        }
        // A name given is looked at before the work, one taken from the version as soon as that is known.
        request.name.as_deref().map_or(Ok(()), |name| self.check_free(name, &hash, request.replace))?;

        let added = self.make(request, recipe, toolchain, &store, &material, hash, progress);
        // What cannot be removed now goes before the next build.
        let _ = self.sweep();
        added
    }

    /// Builds a kernel and shows it to everybody when it is whole.
    #[expect(clippy::too_many_arguments)]
    fn make(
        &self,
        request: &Request,
        recipe: &Recipe,
        toolchain: &Toolchain,
        store: &Store,
        material: &Material,
        hash: String,
        progress: &mut Progress,
    ) -> Result<Entry, AddError> {
        let work = self.build(&hash);
        remove_folder(&work)?;
        fs::create_dir_all(&work).map_err(AddError::file("create", &work))?;
        let (source, unpacked) = material.tree(store, &work, progress)?;
        let version = version_of(store, &source, material.record.description.clone())?;
        let name = match &request.name {
            Some(name) => name.clone(),
            None => self.retire(version.to_string(), &hash)?,
        };
        self.check_free(&name, &hash, request.replace)?;

        let tree = self.tree(&version.series());
        if let Some(unpacked) = unpacked {
            move_checkout(&unpacked, &tree).map_err(AddError::file("move", &unpacked))?;
        }
        let is_first = !tree.join("linux").exists();
        let needed = NEEDED[usize::from(!is_first)];
        if let Some(free) = free_bytes(&work).filter(|free| *free < needed) {
            return Err(AddError::NoSpace { folder: work, free, needed });
        }
        let prepared = recipe.prepare(store, &source, &version, &request.additions)?;
        progress.stage(format!("changing the files of Linux {} that differ", version.series()));
        store.check_out(&prepared.tree, &tree)?;
        let log = work.join("build.log");
        let mut build = Build {
            tree: tree.clone(),
            version: version.clone(),
            log: log.clone(),
            additions: &request.additions,
            progress,
        };
        let Built { dropped, steps } = build.follow(&recipe.fragment, is_first.then(|| self.steps()))?;

        let kept = work.join("kept");
        fs::create_dir(&kept).map_err(AddError::file("create", &kept))?;
        for (from, to) in [(tree.join("linux"), "linux"), (tree.join(".config"), "config"), (log, "build.log")] {
            fs::copy(&from, kept.join(to)).map_err(AddError::file("keep", &from))?;
        }
        let sha256 = |name: &str| file_sha256(&kept.join(name)).map_err(AddError::file("read", &kept));
        let config = fs::read_to_string(kept.join("config")).map_err(AddError::file("read", &kept))?;
        let entry = Entry {
            names: vec![name.clone()],
            version: version.to_string(),
            source: material.record.clone(),
            recipe: recipe.hash(),
            own_patches: prepared.patches,
            additions: request.additions.records(),
            dropped,
            congestion_controls: congestion_controls(&config, recipe, &request.additions)?,
            compiler: toolchain.compiler.clone(),
            linker: toolchain.linker.clone(),
            linux_sha256: sha256("linux")?,
            config_sha256: sha256("config")?,
            built_at: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
            steps,
            folder: kept,
            hash,
        };
        entry.write().map_err(AddError::file("write", &entry.folder))?;
        self.take_from_other(&name, &entry.hash)?;
        let entry = self.publish(entry)?;
        remove_folder(&work)?;
        Ok(entry)
    }

    fn publish(&self, entry: Entry) -> Result<Entry, AddError> {
        let folder = self.kernel(&entry.hash);
        remove_folder(&folder)?;
        fs::create_dir_all(folder.parent().unwrap_or(&folder)).map_err(AddError::file("create", &folder))?;
        fs::rename(&entry.folder, &folder).map_err(AddError::file("create", &folder))?;
        Ok(Entry { folder, ..entry })
    }

    /// Gives an entry one more name.
    fn call(&self, mut entry: Entry, request: &Request) -> Result<Entry, AddError> {
        if let Some(name) = request.name.as_deref().filter(|name| !entry.is_called(name)) {
            self.check_free(name, &entry.hash, request.replace)?;
            self.take_from_other(name, &entry.hash)?;
            entry.names.push(name.to_owned());
            entry.write().map_err(AddError::file("write", &entry.folder))?;
        }
        Ok(entry)
    }

    /// Takes a name from the kernel that has it, if that is another one.
    fn take_from_other(&self, name: &str, hash: &str) -> Result<(), AddError> {
        match self.named(name)?.filter(|other| other.hash != hash) {
            Some(other) => {
                let folder = other.folder.clone();
                self.take_name(other, name).map_err(AddError::file("change", &folder))
            }
            None => Ok(()),
        }
    }

    /// Frees a version's name for the kernel of that hash: the one that had it bears its own hash from now on.
    fn retire(&self, version: String, hash: &str) -> Result<String, AddError> {
        if let Some(mut older) = self.named(&version)?.filter(|older| older.hash != hash) {
            let own = format!("{version}-{}", &older.short_hash()[..8]);
            older.names.retain(|name| *name != version && *name != own);
            older.names.push(own);
            older.write().map_err(AddError::file("write", &older.folder))?;
        }
        Ok(version)
    }

    /// A name belongs to one kernel.
    fn check_free(&self, name: &str, hash: &str, replace: bool) -> Result<(), AddError> {
        match self.named(name)? {
            Some(other) if other.hash != hash && !replace => {
                Err(AddError::NameTaken { name: name.to_owned(), hash: other.short_hash().to_owned() })
            }
            _ => Ok(()),
        }
    }

    /// How many steps the build of a whole kernel may take.
    fn steps(&self) -> usize {
        self.list().ok().and_then(|listing| listing.entries.iter().map(|entry| entry.steps).max()).unwrap_or(STEPS)
    }
}

/// The version of a tree that is a kernel for us.
fn version_of(store: &Store, tree: &Tree, source_name: String) -> Result<Version, AddError> {
    let not_linux = |missing| AddError::NotLinux { source_name: source_name.clone(), missing };
    let makefile = store.text(tree, "Makefile").unwrap_or_default();
    let version =
        Version::of_makefile(&makefile).ok_or_else(|| not_linux("Makefile that states VERSION and PATCHLEVEL"))?;
    if !store.has(tree, "arch/um") {
        return Err(not_linux("arch/um"));
    }
    if version < Version::OLDEST {
        return Err(AddError::TooOld { source_name, version });
    }
    Ok(version)
}

/// Those of the configuration, of goodput and of the user, in alphabetical order. The kernel registers a name once.
fn congestion_controls(config: &str, recipe: &Recipe, additions: &Additions) -> Result<Vec<String>, AddError> {
    let mut names = congestion::configured(config);
    names.extend(recipe.congestion_controls());
    for module in &additions.modules {
        for name in &module.congestion_controls {
            if names.contains(name) {
                let what = format!("it registers the congestion control \"{name}\", which the kernel has already");
                return Err(AddError::Module { folder: module.folder.clone(), what });
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

fn remove_folder(folder: &Path) -> Result<(), AddError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(AddError::file("remove", folder)(error)),
        _ => Ok(()),
    }
}
