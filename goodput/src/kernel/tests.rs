//! The whole way from a request to an entry, with a toy in place of Linux.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;

const MAKEFILE: &str = "\
VERSION = 7
PATCHLEVEL = 3
SUBLEVEL = 4
EXTRAVERSION =

tinyconfig:
	echo CONFIG_TINY=y >.config
olddefconfig:
	grep -v CONFIG_UNKNOWN .config >.config.new; mv .config.new .config
linux:
	grep -q goodput/ drivers/Makefile && grep -q goodput/Kconfig drivers/Kconfig && cat drivers/goodput/goodput.c
	@test ! -e broken || { echo 'a.c:1:1: error: no such thing'; exit 1; }
	echo '  CC      a.o'; cp greeting linux; echo $$KBUILD_BUILD_USER >>linux
mrproper:
	rm -f linux
";

const PATCH: &str = "--- a/greeting\n+++ b/greeting\n@@ -1 +1 @@\n-hello\n+goodbye\n";

struct Toy {
    folder: tempfile::TempDir,
    recipe: Recipe,
}

impl Toy {
    fn new() -> Toy {
        let folder = tempfile::tempdir().unwrap();
        let toy = Toy {
            folder,
            recipe: Recipe {
                fragment: "CONFIG_NET=y\n# CONFIG_SMP is not set\n".into(),
                patches: vec![text("0001-greeting.patch", PATCH)],
                module: vec![text("goodput.c", "int goodput;\n"), text("Kconfig", ""), text("Makefile", "")],
            },
        };
        toy.write("Makefile", MAKEFILE);
        toy.write("greeting", "hello\n");
        toy.write("arch/um/Kconfig", "");
        toy.write("drivers/Makefile", "obj-y += net/");
        toy.write("drivers/Kconfig", "menu \"Device Drivers\"\nendmenu\n");
        toy.write("scripts/kconfig/merge_config.sh", "#!/bin/sh\ncat \"$3\" >>.config\n");
        let script = toy.tree().join("scripts/kconfig/merge_config.sh");
        fs::set_permissions(script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        toy
    }

    fn tree(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.tree().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn cache(&self) -> Cache {
        Cache::at(self.folder.path().join("cache"))
    }

    fn add(&self, name: Option<&str>) -> Result<Entry, AddError> {
        let request = Request { name: name.map(str::to_owned), source: Source::Folder(self.tree()) };
        let toolchain = Toolchain { compiler: "gcc 1".into(), linker: "ld 1".into() };
        self.cache().add(&request, &self.recipe, &toolchain, &mut Progress::quiet())
    }

    /// What a failed or finished build leaves in its private folder.
    fn left(&self) -> Vec<String> {
        let mut left: Vec<String> = fs::read_dir(self.folder.path().join("cache/build"))
            .unwrap()
            .flat_map(|folder| fs::read_dir(folder.unwrap().path()).unwrap())
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        left
    }
}

fn text(name: &str, text: &str) -> Text {
    Text { name: name.into(), text: text.into() }
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_kernel_is_built_once_and_found() {
    let toy = Toy::new();
    let entry = toy.add(None).unwrap();
    assert_eq!((entry.names.as_slice(), entry.version.as_str()), (["7.3.4".to_owned()].as_slice(), "7.3.4"));
    assert_eq!(read(entry.linux()), "goodbye\ngoodput\n");
    assert_eq!(read(entry.folder.join("config")), "CONFIG_TINY=y\nCONFIG_NET=y\n# CONFIG_SMP is not set\n");
    assert!(read(entry.folder.join("build.log")).contains("int goodput;"));
    assert!(toy.left().is_empty());
    assert_eq!(read(toy.tree().join("greeting")), "hello\n");

    let written = fs::metadata(entry.folder.join("kernel.json")).unwrap().modified().unwrap();
    assert_eq!(toy.add(None).unwrap(), entry);
    assert_eq!(fs::metadata(entry.folder.join("kernel.json")).unwrap().modified().unwrap(), written);
    assert_eq!(toy.cache().find(None).unwrap(), entry);
    assert_eq!(toy.cache().find(Some("7.3.4")).unwrap(), entry);
}

#[test]
fn versions_and_names_live_side_by_side() {
    let mut toy = Toy::new();
    let old = toy.add(Some("old")).unwrap();
    toy.write("Makefile", &MAKEFILE.replace("PATCHLEVEL = 3", "PATCHLEVEL = 10"));
    let new = toy.add(None).unwrap();
    assert_eq!(toy.cache().find(None).unwrap(), new);
    assert_eq!(toy.cache().find(Some("old")).unwrap(), old);

    let error = toy.add(Some("old")).unwrap_err().to_string();
    assert!(error.contains(old.short_hash()) && error.contains("goodput kernel remove old"), "{error}");
    toy.recipe.fragment += "CONFIG_MORE=y\n";
    let newer = toy.add(None).unwrap();
    let retired = format!("7.10.4-{}", &new.short_hash()[..8]);
    assert_eq!(toy.cache().find(Some("7.10.4")).unwrap(), newer);
    assert_eq!(toy.cache().find(Some(&retired)).unwrap().hash, new.hash);
    toy.cache().remove(&retired).unwrap();
    assert!(toy.left().is_empty());
    toy.recipe.fragment += "CONFIG_YET_MORE=y\n";
    let more = toy.add(Some("more")).unwrap();
    assert_eq!(toy.add(Some("again")).unwrap().names, ["more", "again"]);

    toy.cache().remove("more").unwrap();
    assert_eq!(toy.cache().find(Some("again")).unwrap().hash, more.hash);
    toy.cache().remove("again").unwrap();
    let error = toy.cache().find(Some("again")).unwrap_err().to_string();
    assert_eq!(error, "no guest kernel is called again; there is old, 7.10.4\n\nhint: goodput kernel add again");
    assert!(matches!(toy.cache().remove("again"), Err(RemoveError::Unknown { .. })));
}

#[test]
fn a_failed_build_says_why_and_keeps_its_log() {
    let toy = Toy::new();
    toy.write("Makefile", &MAKEFILE.replace("test ! -e broken", "false"));
    let error = toy.add(None).unwrap_err().to_string();
    assert!(error.starts_with("make linux failed\n  a.c:1:1: error: no such thing\n  make: ***"), "{error}");
    assert_eq!(toy.left(), ["build.log"]);
    assert!(matches!(toy.cache().find(None), Err(FindError::Empty)));

    toy.write("Makefile", MAKEFILE);
    toy.add(None).unwrap();
}

#[test]
fn a_dropped_option_stops_the_build_unless_it_is_optional() {
    let mut toy = Toy::new();
    toy.recipe.fragment += "CONFIG_UNKNOWN=y\n";
    let error = toy.add(None).unwrap_err().to_string();
    assert!(error.contains("it dropped CONFIG_UNKNOWN=y\n"), "{error}");
    assert_eq!(toy.left(), ["build.log", "config"]);

    toy.recipe.fragment = "CONFIG_NET=y\n\n# optional\nCONFIG_UNKNOWN=y\n".into();
    assert_eq!(toy.add(None).unwrap().dropped, ["CONFIG_UNKNOWN=y"]);
}

#[test]
fn a_patch_that_does_not_apply_is_named() {
    let mut toy = Toy::new();
    toy.recipe.patches.push(text("0002-other.patch", PATCH));
    let error = toy.add(None).unwrap_err().to_string();
    assert!(error.starts_with("0002-other.patch does not apply to Linux 7.3.4\n  patching file greeting\n"), "{error}");
}

#[test]
fn what_is_no_kernel_for_us_is_refused() {
    let toy = Toy::new();
    toy.write("Makefile", &MAKEFILE.replace("VERSION = 7", "VERSION = 5"));
    assert!(toy.add(None).unwrap_err().to_string().contains("is Linux 5.3.4, and goodput needs 6.1.0 or newer"));
    fs::remove_dir_all(toy.tree().join("arch")).unwrap();
    toy.write("Makefile", MAKEFILE);
    assert!(toy.add(None).unwrap_err().to_string().contains("it has no arch/um\n"));
    toy.write("Makefile", "all:\n");
    assert!(matches!(toy.add(None), Err(AddError::NotLinux { .. })));
    assert!(matches!(toy.add(Some("../x")), Err(AddError::BadName { .. })));
}

#[test]
fn a_damaged_kernel_is_reported_and_can_be_built_anew() {
    let toy = Toy::new();
    let entry = toy.add(None).unwrap();
    fs::write(entry.linux(), "changed").unwrap();
    let error = toy.cache().find(None).unwrap_err().to_string();
    assert!(error.contains("linux is not the file that was built") && error.contains("remove 7.3.4,"), "{error}");
    assert_eq!(read(toy.add(None).unwrap().linux()), "goodbye\ngoodput\n");

    fs::write(entry.folder.join("kernel.json"), "{}").unwrap();
    assert_eq!(toy.cache().list().unwrap().damaged.len(), 1);
    assert!(matches!(toy.cache().find(None), Err(FindError::Damaged(_))));
    toy.cache().remove(entry.short_hash()).unwrap();
    assert!(matches!(toy.cache().find(None), Err(FindError::Empty)));
}

#[test]
fn an_interrupted_build_is_swept_away() {
    let toy = Toy::new();
    let leftover = toy.folder.path().join("cache/build/0123456789abcdef/tree");
    fs::create_dir_all(&leftover).unwrap();
    toy.add(None).unwrap();
    assert!(!leftover.exists() && toy.left().is_empty());
}

#[test]
fn two_at_once_build_one_kernel() {
    let toy = Toy::new();
    toy.write("Makefile", &MAKEFILE.replace("cp greeting", "sleep 0.3; cp greeting"));
    let built = std::thread::scope(|scope| {
        [scope.spawn(|| toy.add(None).unwrap()), scope.spawn(|| toy.add(None).unwrap())]
            .map(|thread| thread.join().unwrap())
    });
    assert_eq!(built[0], built[1]);
}

#[test]
fn nothing_is_removed_while_somebody_builds() {
    let toy = Toy::new();
    let entry = toy.add(None).unwrap();
    let _held = toy.cache().hold(&mut Progress::quiet()).unwrap();
    let error = toy.cache().remove("7.3.4").unwrap_err().to_string();
    assert!(error.contains(&format!("process {}", std::process::id())), "{error}");
    assert!(entry.check().is_ok());
}
