//! Adding a kernel, from a request to an entry of the cache.

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use sha2::{Digest, Sha256};

use super::build::{Build, NEEDED, STEPS};
use super::cache::Cache;
use super::entry::{Entry, Patch};
use super::error::AddError;
use super::progress::Progress;
use super::recipe::{Recipe, digest};
use super::source::{Material, Source};
use super::tools::{Toolchain, free_bytes};
use super::version::Version;
use crate::sums::file_sha256;

/// Which kernel to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// What to call it; its version unless given.
    pub name: Option<String>,
    /// Where its source comes from.
    pub source: Source,
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
        request.name.as_deref().map_or(Ok(()), check_name)?;
        let _held = self.hold(progress)?;
        fs::create_dir_all(self.sources()).map_err(AddError::file("create", &self.sources()))?;
        let material = request.source.fetch(&self.sources(), progress)?;
        let hash = digest(&[
            material.record.identity.clone(),
            recipe.hash(),
            toolchain.compiler.clone(),
            toolchain.linker.clone(),
        ]);
        match self.built(&hash) {
            Some(Ok(entry)) => return self.call(entry, request.name.as_deref()),
            Some(Err(damage)) => {
                progress.note(&format!("building it anew: {} ({})", damage.folder.display(), damage.what))
            }
            None => {}
        }
        // A name given is looked at before the work, one taken from the version as soon as that is known.
        request.name.as_deref().map_or(Ok(()), |name| self.check_free(name, &hash))?;

        let added = self.make(request, recipe, toolchain, &material, hash, progress);
        // What cannot be removed now goes before the next build.
        let _ = self.sweep();
        added
    }

    /// Builds a kernel in a private folder and shows it to everybody when it is whole.
    fn make(
        &self,
        request: &Request,
        recipe: &Recipe,
        toolchain: &Toolchain,
        material: &Material,
        hash: String,
        progress: &mut Progress,
    ) -> Result<Entry, AddError> {
        let work = self.build(&hash);
        remove_folder(&work)?;
        fs::create_dir_all(&work).map_err(AddError::file("create", &work))?;
        if let Some(free) = free_bytes(&work).filter(|free| *free < NEEDED) {
            return Err(AddError::NoSpace { folder: work, free, needed: NEEDED });
        }
        let name = material.record.description.clone();
        let tree = work.join("tree");
        progress.stage(format!("unpacking {name}"));
        material.unpack(&tree).map_err(|said| unpack_error(&name, said, &work))?;
        let version = version_of(&tree, name)?;
        let name = match &request.name {
            Some(name) => name.clone(),
            None => self.retire(version.to_string(), &hash)?,
        };
        self.check_free(&name, &hash)?;

        let log = work.join("build.log");
        let mut build = Build { tree: tree.clone(), version: version.clone(), log: log.clone(), progress };
        if material.may_be_built_in() {
            build.clean()?;
        }
        let built = build.follow(recipe, self.steps())?;

        let kept = work.join("kept");
        fs::create_dir(&kept).map_err(AddError::file("create", &kept))?;
        for (from, to) in [(tree.join("linux"), "linux"), (tree.join(".config"), "config"), (log, "build.log")] {
            fs::rename(&from, kept.join(to)).map_err(AddError::file("keep", &from))?;
        }
        let sha256 = |name: &str| file_sha256(&kept.join(name)).map_err(AddError::file("read", &kept));
        let entry = Entry {
            names: vec![name],
            version: version.to_string(),
            source: material.record.clone(),
            recipe: recipe.hash(),
            patches: recipe.patches.iter().map(|patch| record(&patch.name, &patch.text)).collect(),
            dropped: built.dropped,
            compiler: toolchain.compiler.clone(),
            linker: toolchain.linker.clone(),
            linux_sha256: sha256("linux")?,
            config_sha256: sha256("config")?,
            built_at: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
            steps: built.steps,
            folder: kept,
            hash,
        };
        entry.write().map_err(AddError::file("write", &entry.folder))?;
        self.publish(entry)
    }

    fn publish(&self, entry: Entry) -> Result<Entry, AddError> {
        let folder = self.kernel(&entry.hash);
        remove_folder(&folder)?;
        fs::create_dir_all(folder.parent().unwrap_or(&folder)).map_err(AddError::file("create", &folder))?;
        fs::rename(&entry.folder, &folder).map_err(AddError::file("create", &folder))?;
        Ok(Entry { folder, ..entry })
    }

    /// Gives an entry one more name.
    fn call(&self, mut entry: Entry, name: Option<&str>) -> Result<Entry, AddError> {
        if let Some(name) = name.filter(|name| !entry.names.iter().any(|own| own == name)) {
            self.check_free(name, &entry.hash)?;
            entry.names.push(name.to_owned());
            entry.write().map_err(AddError::file("write", &entry.folder))?;
        }
        Ok(entry)
    }

    /// A name belongs to one kernel.
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

    fn check_free(&self, name: &str, hash: &str) -> Result<(), AddError> {
        match self.named(name)? {
            Some(other) if other.hash != hash => {
                Err(AddError::NameTaken { name: name.to_owned(), hash: other.short_hash().to_owned() })
            }
            _ => Ok(()),
        }
    }

    /// How many steps a build may take.
    fn steps(&self) -> usize {
        let last = self.list().ok().and_then(|listing| listing.entries.into_iter().max_by_key(|entry| entry.built_at));
        last.map_or(STEPS, |entry| entry.steps)
    }
}

fn unpack_error(source_name: &str, said: String, folder: &Path) -> AddError {
    if said.contains("No space left on device") {
        return AddError::no_space(folder);
    }
    AddError::Unpack { source_name: source_name.to_owned(), said }
}

/// The version of a tree that is a kernel for us.
fn version_of(tree: &Path, source_name: String) -> Result<Version, AddError> {
    let not_linux = |missing| AddError::NotLinux { source_name: source_name.clone(), missing };
    let makefile = fs::read(tree.join("Makefile")).unwrap_or_default();
    let version = Version::of_makefile(&String::from_utf8_lossy(&makefile))
        .ok_or_else(|| not_linux("Makefile that states VERSION and PATCHLEVEL"))?;
    if !tree.join("arch/um").is_dir() {
        return Err(not_linux("arch/um"));
    }
    if version < Version::OLDEST {
        return Err(AddError::TooOld { source_name, version });
    }
    Ok(version)
}

fn check_name(name: &str) -> Result<(), AddError> {
    let good = name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    if good { Ok(()) } else { Err(AddError::BadName { name: name.to_owned() }) }
}

fn record(name: &str, text: &str) -> Patch {
    Patch { name: name.to_owned(), sha256: format!("{:x}", Sha256::digest(text)) }
}

fn remove_folder(folder: &Path) -> Result<(), AddError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(AddError::file("remove", folder)(error)),
        _ => Ok(()),
    }
}
