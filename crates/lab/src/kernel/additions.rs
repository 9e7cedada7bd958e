//! A user's additions to a kernel: patches, configuration, and congestion controls.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

pub use plan::environment::{Addition, AdditionKind};
use sha2::{Digest, Sha256};

use super::congestion;
use super::error::FileError;

/// Additions to goodput's recipe, in the order given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Additions {
    /// Patches, applied after goodput's own.
    pub patches: Vec<Given>,
    /// Config fragments, merged over goodput's own.
    pub configs: Vec<Given>,
    /// Folders whose C files are compiled into the kernel.
    pub modules: Vec<Module>,
    /// FreeBSD's stack alongside Linux's.
    pub freebsd: Option<FreeBsd>,
}

/// FreeBSD's source tree, and patches to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeBsd {
    pub tree: PathBuf,
    /// Patches, applied in this order.
    pub patches: Vec<Given>,
}

/// A file from the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    pub path: PathBuf,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The file's name.
    pub name: String,
    pub text: String,
}

/// A folder of C files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    pub folder: PathBuf,
    /// Its name, also that of its folder in the kernel's tree.
    pub name: String,
    /// Its `.c` and `.h` files, in name order.
    pub files: Vec<Text>,
    /// Congestion controls that it registers.
    pub congestion_controls: Vec<String>,
}

/// Why additions cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AdditionsError {
    /// A folder is not a module.
    #[error(
        "{} cannot be a module: {what}\n\n\
         hint: a module is a folder of C files to compile into the kernel, such as examples/congestion",
        folder.display()
    )]
    Module { folder: PathBuf, what: String },
    /// Two modules would be one folder in the kernel's tree.
    #[error(
        "{} and {} are both called {name}\n\nhint: rename one of the folders",
        folders[0].display(), folders[1].display()
    )]
    SameName { name: String, folders: [PathBuf; 2] },
    /// A file or folder cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Folder of the user's modules in the kernel's tree.
pub(super) const FOLDER: &str = "drivers/goodput/modules";

impl Additions {
    pub fn read(patches: &[PathBuf], configs: &[PathBuf], modules: &[PathBuf]) -> Result<Additions, AdditionsError> {
        let given = |paths: &[PathBuf]| paths.iter().map(|path| Given::read(path)).collect::<Result<_, _>>();
        let modules: Vec<Module> = modules.iter().map(|path| Module::read(path)).collect::<Result<_, _>>()?;
        for (number, module) in modules.iter().enumerate() {
            if let Some(other) = modules[..number].iter().find(|other| other.name == module.name) {
                let folders = [other.folder.clone(), module.folder.clone()];
                return Err(AdditionsError::SameName { name: module.name.clone(), folders });
            }
        }
        Ok(Additions { patches: given(patches)?, configs: given(configs)?, modules, freebsd: None })
    }

    /// Adds FreeBSD's stack from a tree, if one is given.
    pub fn with_freebsd(self, tree: Option<PathBuf>, patches: &[PathBuf]) -> Result<Additions, AdditionsError> {
        let patches = patches.iter().map(|path| Given::read(path)).collect::<Result<_, _>>()?;
        Ok(Additions { freebsd: tree.map(|tree| FreeBsd { tree, patches }), ..self })
    }

    /// Returns each addition as `kernel.json` keeps it. Together with recipe and source, they identify a kernel.
    pub fn records(&self) -> Vec<Addition> {
        let given =
            |kind, given: &[Given]| given.iter().map(|file| addition(kind, &file.path, &file.text)).collect::<Vec<_>>();
        let modules = self.modules.iter().map(|module| {
            let text: String =
                module.files.iter().map(|file| format!("{} {}\n{}", file.name, file.text.len(), file.text)).collect();
            addition(AdditionKind::Module, &module.folder, &format!("{}\n{text}", module.name))
        });
        let of_freebsd = self.freebsd.as_ref().map_or(&[][..], |freebsd| &freebsd.patches);
        let patches = [given(AdditionKind::Patch, &self.patches), given(AdditionKind::Config, &self.configs)].concat();
        [patches, modules.collect(), given(AdditionKind::FreeBsdPatch, of_freebsd)].concat()
    }
}

fn addition(kind: AdditionKind, path: &Path, text: &str) -> Addition {
    Addition { kind, path: path.to_owned(), sha256: format!("{:x}", Sha256::digest(text)) }
}

impl Given {
    fn read(path: &Path) -> Result<Given, AdditionsError> {
        let text = fs::read_to_string(path).map_err(FileError::on("read", path))?;
        Ok(Given { path: path.to_owned(), text })
    }

    /// Formats the path for display.
    pub fn shown(&self) -> String {
        self.path.display().to_string()
    }
}

impl Module {
    /// Reads a folder, or one C file as a module of its own.
    fn read(path: &Path) -> Result<Module, AdditionsError> {
        if path.is_file() { Module::of_file(path) } else { Module::of_folder(path) }
    }

    fn of_file(path: &Path) -> Result<Module, AdditionsError> {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let wrong = |what: &str| AdditionsError::Module { folder: path.to_owned(), what: what.into() };
        let (Some(name), Some(file)) = (path.file_stem().and_then(OsStr::to_str), path.file_name()) else {
            return Err(wrong("its name is not text"));
        };
        if path.extension().is_none_or(|ending| ending != "c") || path.is_symlink() {
            return Err(wrong("it is no C file"));
        }
        if !is_module_name(name) {
            return Err(wrong("its name has characters other than letters, digits, - and _"));
        }
        let text = fs::read_to_string(path).map_err(FileError::on("read", path))?;
        let congestion_controls = congestion::registered(&text);
        let files = vec![Text { name: file.to_string_lossy().into_owned(), text }];
        Ok(Module { folder: parent.to_owned(), name: name.to_owned(), files, congestion_controls })
    }

    fn of_folder(folder: &Path) -> Result<Module, AdditionsError> {
        let absolute = fs::canonicalize(folder).map_err(FileError::on("read", folder))?;
        let name = absolute.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let wrong = |what: String| AdditionsError::Module { folder: folder.to_owned(), what };
        if !is_module_name(&name) {
            return Err(wrong(format!("\"{name}\" has characters other than letters, digits, - and _")));
        }
        let mut files = Vec::new();
        for entry in fs::read_dir(folder).map_err(FileError::on("read", folder))? {
            let path = entry.map_err(FileError::on("read", folder))?.path();
            let is_source = path.extension().is_some_and(|ending| ending == "c" || ending == "h");
            if is_source && path.is_symlink() {
                return Err(wrong(format!("{} is a symbolic link: copy the file", path.display())));
            }
            if is_source && path.is_file() {
                let text = fs::read_to_string(&path).map_err(FileError::on("read", &path))?;
                files.push(Text { name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(), text });
            }
        }
        files.sort_by(|a, b| a.name.cmp(&b.name));
        if !files.iter().any(|file| file.name.ends_with(".c")) {
            return Err(wrong("it has no C file".into()));
        }
        let congestion_controls = files.iter().flat_map(|file| congestion::registered(&file.text)).collect();
        Ok(Module { folder: folder.to_owned(), name, files, congestion_controls })
    }

    /// Returns its folder in the kernel's tree.
    pub(super) fn place(&self) -> String {
        format!("{FOLDER}/{}", self.name)
    }
}

fn is_module_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}

/// Returns a Makefile that compiles every C file into the kernel.
pub(super) fn makefile(files: &[Text]) -> String {
    let objects = files.iter().filter_map(|file| Some(format!("obj-y += {}.o\n", file.name.strip_suffix(".c")?)));
    objects.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTROL: &str = "static struct tcp_congestion_ops mine = {\n\t.name = \"mine\",\n};\n";

    fn module(files: &[(&str, &str)]) -> (tempfile::TempDir, Result<Module, AdditionsError>) {
        let folder = tempfile::tempdir().unwrap();
        let module = folder.path().join("my-cc");
        fs::create_dir(&module).unwrap();
        for (name, text) in files {
            fs::write(module.join(name), text).unwrap();
        }
        let read = Module::read(&module);
        (folder, read)
    }

    #[test]
    fn a_module_is_its_c_files_and_headers() {
        let (_folder, module) = module(&[("b.c", CONTROL), ("a.h", ""), ("Makefile", "obj-m := b.o\n"), ("b.o", "")]);
        let module = module.unwrap();
        assert_eq!((module.name.as_str(), module.place().as_str()), ("my-cc", "drivers/goodput/modules/my-cc"));
        assert_eq!(module.files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(), ["a.h", "b.c"]);
        assert_eq!(module.congestion_controls, ["mine"]);
        assert_eq!(makefile(&module.files), "obj-y += b.o\n");
    }

    #[test]
    fn a_folder_without_c_files_is_no_module() {
        let (_folder, module) = module(&[("a.h", "")]);
        assert!(module.unwrap_err().to_string().contains("it has no C file"));
    }

    /// A folder that somebody sent must not bring my files into a kernel.
    #[test]
    fn a_link_is_no_file_of_a_module() {
        let (folder, _) = module(&[("b.c", CONTROL)]);
        let own = folder.path().join("my-cc");
        std::os::unix::fs::symlink("/etc/hostname", own.join("a.c")).unwrap();
        let said = Module::read(&own).unwrap_err().to_string();
        assert!(said.contains("a.c is a symbolic link: copy the file"), "{said}");
    }

    #[test]
    fn everything_added_is_in_the_records() {
        let (_folder, module) = module(&[("b.c", CONTROL)]);
        let module = module.unwrap();
        let file = |text: &str| Given { path: "x".into(), text: text.into() };
        let patched = |text| Some(FreeBsd { tree: "t".into(), patches: vec![file(text)] });
        let base = Additions {
            patches: vec![file("p")],
            configs: vec![file("c")],
            modules: vec![module.clone()],
            freebsd: patched("f"),
        };
        let mut other_module = module;
        other_module.files[0].text.push('\n');
        let others = [
            Additions { patches: vec![file("q")], ..base.clone() },
            Additions { patches: vec![file("c")], configs: vec![file("p")], ..base.clone() },
            Additions { configs: vec![], ..base.clone() },
            Additions { modules: vec![other_module], ..base.clone() },
            Additions { freebsd: patched("g"), ..base.clone() },
        ];
        for other in others {
            assert_ne!(base.records(), other.records());
        }
    }
}
