//! Adds kernels from request to entry, with a toy in place of Linux.

use std::fs;
use std::path::{Path, PathBuf};
use std::slice::from_ref;
use std::time::Duration;

use super::*;

const MAKEFILE: &str = "\
VERSION = 7
PATCHLEVEL = 3
SUBLEVEL = 4
EXTRAVERSION =

.PHONY: tinyconfig olddefconfig linux
tinyconfig:
	echo CONFIG_TINY=y >.config
olddefconfig:
	grep -v CONFIG_UNKNOWN .config >.config.new; mv .config.new .config
linux:
	grep -q goodput/ drivers/Makefile && grep -q goodput/Kconfig drivers/Kconfig && cat drivers/goodput/goodput.c
	@! grep -sn '^broken' drivers/goodput/modules/*/*.c /dev/null || exit 1
	@test ! -e broken || { echo 'a.c:1:1: error: no such thing'; exit 1; }
	echo '  CC      a.o'; cat greeting $(wildcard drivers/goodput/modules/*/*.c) >linux; echo $$KBUILD_BUILD_USER >>linux
";

const CONTROL: &str = "struct tcp_congestion_ops ours = { .name = \"ours\" };\n";

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
                congestion: vec![text("ours.c", CONTROL)],
            },
        };
        toy.write("Makefile", MAKEFILE);
        toy.write("greeting", "hello\n");
        toy.write("arch/um/Kconfig", "");
        toy.write("drivers/Makefile", "obj-y += net/");
        toy.write("drivers/Kconfig", "menu \"Device Drivers\"\nendmenu\n");
        toy.write("scripts/kconfig/merge_config.sh", "#!/bin/sh\nshift 2\ncat \"$@\" >>.config\n");
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
        self.add_with(name, Additions::default(), false)
    }

    fn add_with(&self, name: Option<&str>, additions: Additions, replace: bool) -> Result<Entry, AddError> {
        let source = Source::Folder(self.tree());
        let request = AddKernelRequest { name: name.map(str::to_owned), source, additions, replace };
        let toolchain = Toolchain { compiler: "gcc 1".into(), linker: "ld 1".into() };
        self.cache().add(&request, &self.recipe, &toolchain, &mut Progress::quiet())
    }

    /// Writes a file next to the tree.
    fn given(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Returns the files that a failed or finished build leaves in its private folder.
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
fn a_configured_kernel_is_not_configured_again() {
    let mut toy = Toy::new();
    let configures = |entry: &Entry| read(entry.folder.join("build.log")).contains("tinyconfig");
    assert!(configures(&toy.add(None).unwrap()));
    toy.cache().remove("7.3.4", &mut Progress::quiet()).unwrap();
    assert!(!configures(&toy.add(None).unwrap()));
    toy.recipe.fragment += "CONFIG_MORE=y\n";
    assert!(configures(&toy.add(None).unwrap()));
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
    assert!(error.contains(old.short_hash()) && error.contains("--replace"), "{error}");
    toy.recipe.fragment += "CONFIG_MORE=y\n";
    let newer = toy.add(None).unwrap();
    let retired = format!("7.10.4-{}", &new.short_hash()[..8]);
    assert_eq!(toy.cache().find(Some("7.10.4")).unwrap(), newer);
    assert_eq!(toy.cache().find(Some(&retired)).unwrap().hash, new.hash);
    toy.cache().remove(&retired, &mut Progress::quiet()).unwrap();
    assert!(toy.left().is_empty());
    toy.recipe.fragment += "CONFIG_YET_MORE=y\n";
    let more = toy.add(Some("more")).unwrap();
    assert_eq!(toy.add(Some("again")).unwrap().names, ["more", "again"]);

    toy.cache().remove("more", &mut Progress::quiet()).unwrap();
    assert_eq!(toy.cache().find(Some("again")).unwrap().hash, more.hash);
    toy.cache().remove("again", &mut Progress::quiet()).unwrap();
    let error = toy.cache().find(Some("again")).unwrap_err().to_string();
    assert_eq!(
        error,
        "no guest kernel named again\n\naccepted: old, 7.10.4\n\nhint: goodput kernel add again --from SOURCE builds one, such as --from linux-source-6.12"
    );
    assert!(matches!(toy.cache().remove("again", &mut Progress::quiet()), Err(RemoveError::Unknown { .. })));
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
    assert!(error.contains("it lacks CONFIG_UNKNOWN=y\n"), "{error}");
    assert_eq!(toy.left(), ["build.log", "config"]);

    toy.recipe.fragment = "CONFIG_NET=y\n\n# optional\nCONFIG_UNKNOWN=y\n".into();
    assert_eq!(toy.add(None).unwrap().dropped, ["CONFIG_UNKNOWN=y"]);
}

#[test]
fn of_patches_with_one_number_the_first_that_fits_is_applied() {
    let mut toy = Toy::new();
    toy.recipe.patches.insert(
        0,
        text("0001-greeting.before-7.3.patch", &PATCH.replace("-hello", "-hullo").replace("+goodbye", "+other")),
    );
    assert_eq!(toy.add(None).unwrap().own_patches, ["0001-greeting.patch"]);

    toy.recipe.patches.push(text("0002-other.patch", PATCH));
    let error = toy.add(None).unwrap_err().to_string();
    let expected =
        "goodput's patches do not apply to Linux 7.3.4\n  0002-other.patch:3: hunk 1 for greeting does not apply\n";
    assert!(error.starts_with(expected), "{error}");
}

#[test]
fn patches_configurations_and_modules_are_added() {
    let toy = Toy::new();
    let patch = toy.given("my.patch", &PATCH.replace("-hello", "-goodbye").replace("+goodbye", "+farewell"));
    let config = toy.given("my.config", "CONFIG_MINE=y\n");
    toy.given("my-cc/cc.c", &CONTROL.replace("ours", "mine"));
    let module = toy.folder.path().join("my-cc");
    let read = || Additions::read(from_ref(&patch), from_ref(&config), from_ref(&module)).unwrap();
    let entry = toy.add_with(Some("mine"), read(), false).unwrap();
    assert_eq!(read_linux(&entry), format!("farewell\n{}goodput\n", CONTROL.replace("ours", "mine")));
    assert!(fs::read_to_string(entry.folder.join("config")).unwrap().ends_with("CONFIG_MINE=y\n"));
    assert_eq!(entry.congestion_controls, ["mine", "ours", "reno"]);
    assert_eq!(
        entry.additions.iter().map(|addition| addition.kind.name()).collect::<Vec<_>>(),
        ["patch", "config", "module"]
    );

    assert_eq!(toy.add_with(Some("mine"), read(), false).unwrap(), entry);
    let plain = toy.add(None).unwrap();
    assert_eq!(read_linux(&plain), "goodbye\ngoodput\n");
    assert_eq!(toy.cache().find(None).unwrap(), plain, "a kernel of one's own is taken by its name alone");
    assert!(matches!(toy.add_with(None, read(), false), Err(AddError::NoName)));

    toy.given("my.config", "CONFIG_MINE=y\nCONFIG_OTHER=y\n");
    let error = toy.add_with(Some("mine"), read(), false).unwrap_err().to_string();
    assert!(error.contains("another kernel is already called mine") && error.contains("--replace"), "{error}");
    let newer = toy.add_with(Some("mine"), read(), true).unwrap();
    assert_ne!(newer.hash, entry.hash);
    assert_eq!(toy.cache().find(Some("mine")).unwrap(), newer);
    assert!(!entry.folder.exists());
    toy.cache().clean(&mut Progress::quiet()).unwrap();
    assert_eq!(toy.cache().find(Some("mine")).unwrap(), newer);
}

fn read_linux(entry: &Entry) -> String {
    read(entry.linux())
}

#[test]
fn a_misfit_user_patch_names_its_hunk_and_place() {
    let toy = Toy::new();
    let add = |patch: &str| {
        let additions = Additions::read(&[toy.given("my.patch", patch)], &[], &[]).unwrap();
        toy.add_with(Some("mine"), additions, false).unwrap_err().to_string()
    };
    let at = toy.folder.path().join("my.patch").display().to_string();
    let other = PATCH.replace("-hello", "-hullo").replace("+goodbye", "+other");
    let error = add(&format!("diff --git a/greeting b/greeting\n{other}"));
    let expected =
        format!("{at}:4: hunk 1 for greeting does not apply\n    @@ -1 +1 @@\n    -hullo\n    +other\n\nhint: ");
    assert!(error.starts_with(&expected), "{error}");
    let error = add(&PATCH.replace("/greeting", "/missing"));
    assert!(error.starts_with(&format!("{at}: no such file: missing\n")), "{error}");
    let error = add(PATCH);
    assert!(error.starts_with(&format!("{at}: Linux 7.3.4 already has these changes\n")), "{error}");
    let error = add("no patch\n");
    assert!(error.starts_with(&format!("{at}: git cannot read this patch\n")), "{error}");
}

#[test]
fn a_user_config_must_keep_the_options_the_lab_needs() {
    let toy = Toy::new();
    let add = |config: &str| {
        let additions = Additions::read(&[], &[toy.given("my.config", config)], &[]).unwrap();
        toy.add_with(Some("mine"), additions, false).unwrap_err().to_string()
    };
    let at = toy.folder.path().join("my.config").display().to_string();
    let error = add("CONFIG_SMP=y\n");
    assert!(error.contains(&format!("it lacks CONFIG_SMP=n ({at}:1 overrides it)\n")), "{error}");
    let error = add("# mine\nCONFIG_UNKNOWN=y\nHZ_250=y\n");
    assert!(error.contains(&format!("{at}:3: HZ_250=y\n  {at}:2: CONFIG_UNKNOWN=y\n")), "{error}");
}

#[test]
fn a_congestion_control_has_a_name_of_its_own() {
    let toy = Toy::new();
    toy.given("my-cc/cc.c", CONTROL);
    let additions = Additions::read(&[], &[], &[toy.folder.path().join("my-cc")]).unwrap();
    let error = toy.add_with(Some("mine"), additions, false).unwrap_err().to_string();
    assert!(error.contains("registers the congestion control \"ours\", which the kernel already has"), "{error}");
}

#[test]
fn a_module_that_does_not_compile_is_placed_in_the_users_file() {
    let toy = Toy::new();
    toy.given("my-cc/cc.c", "/* mine */\nbroken error: no such thing\n");
    let module = toy.folder.path().join("my-cc");
    let additions = Additions::read(&[], &[], from_ref(&module)).unwrap();
    let error = toy.add_with(Some("mine"), additions, false).unwrap_err().to_string();
    assert!(error.contains(&format!("\n  {}/cc.c:2:broken error: no such thing\n", module.display())), "{error}");
}

#[test]
fn trees_that_are_no_supported_kernel_are_refused() {
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
    assert!(error.contains("linux was modified after the build") && error.contains("remove 7.3.4,"), "{error}");
    assert_eq!(read(toy.add(None).unwrap().linux()), "goodbye\ngoodput\n");

    fs::write(entry.folder.join("kernel.json"), "{}").unwrap();
    assert_eq!(toy.cache().list().unwrap().damaged.len(), 1);
    assert!(matches!(toy.cache().find(None), Err(FindError::Damaged(_))));
    toy.cache().remove(entry.short_hash(), &mut Progress::quiet()).unwrap();
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
fn a_removal_waits_until_nobody_builds() {
    let toy = Toy::new();
    let entry = toy.add(None).unwrap();
    let held = toy.cache().hold(&mut Progress::quiet()).unwrap();
    std::thread::scope(|scope| {
        let removal = scope.spawn(|| toy.cache().remove("7.3.4", &mut Progress::quiet()));
        std::thread::sleep(Duration::from_millis(200));
        assert!(entry.check().is_ok() && !removal.is_finished());
        drop(held);
        removal.join().unwrap().unwrap();
    });
    assert!(!entry.folder.exists());
}

#[test]
fn the_process_that_holds_the_cache_too_long_is_named() {
    let toy = Toy::new();
    let _held = toy.cache().hold(&mut Progress::quiet()).unwrap();
    let error = toy.cache().hold_within(&mut Progress::quiet(), Duration::ZERO).map(drop).unwrap_err().to_string();
    assert!(error.contains(&format!("ps {}", std::process::id())), "{error}");
    let unknown = toy.cache().remove("another", &mut Progress::quiet());
    assert!(matches!(unknown, Err(RemoveError::Unknown { .. })), "a misspelt name waits for nobody: {unknown:?}");
}
