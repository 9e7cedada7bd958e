//! `make install` and `make uninstall`: the installation works, and uninstalling leaves nothing.

use crate::support::goodput;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The folder of the programs that are installed, which `make build` makes.
fn programs() -> PathBuf {
    let folder = goodput().parent().unwrap().with_file_name("release");
    assert!(folder.join("goodput").exists(), "{}: make build", folder.display());
    folder
}

fn make(target: &str, prefix: &Path) {
    let output = Command::new("make")
        .arg(target)
        .arg(format!("PREFIX={}", prefix.display()))
        .arg(format!("PROGRAMS={}", programs().display()))
        .env_remove("MAKEFLAGS")
        .current_dir(ROOT)
        .output()
        .unwrap();
    assert!(output.status.success(), "make {target}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn an_installed_goodput_runs_and_uninstalls() {
    let folder = tempfile::tempdir().unwrap();
    let prefix = folder.path().join("of its own");
    make("install", &prefix);
    for file in [
        "bin/goodput-agent",
        "share/man/man1/goodput.1",
        "share/man/man1/goodput-diagnose.1",
        "share/bash-completion/completions/goodput",
        "share/zsh/site-functions/_goodput",
        "share/fish/vendor_completions.d/goodput.fish",
    ] {
        assert!(prefix.join(file).metadata().is_ok_and(|file| file.len() > 0), "{file}");
    }
    let run = Command::new(prefix.join("bin/goodput"))
        .args(["run", "smoke.toml", "--no-cache", "--out"])
        .arg(folder.path().join("run"))
        .current_dir(Path::new(ROOT).join("examples"))
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));

    make("uninstall", &prefix);
    let mut left = vec![];
    let mut open = vec![prefix];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { open.push(path) } else { left.push(path) }
        }
    }
    assert!(left.is_empty(), "{left:?}");
}

/// Every tool: a tunnel of WireGuard, netem's tables, a switch, loss by nftables.
const TOOLS: &str = r#"
title = "every tool"
hosts = { a = {}, b = {}, c = {} }
switches = { s = {} }
routers = { r1 = {}, r2 = {} }
links = [
    { between = ["a", "s"], rate = "100 Mbit/s", buffer = "50 kB" },
    { between = ["b", "s"], rate = "100 Mbit/s", buffer = "50 kB" },
    { between = ["s", "r1"], rate = "100 Mbit/s", buffer = "50 kB", delay = "1 ms",
      jitter = { by = "100 us", distribution = "normal" } },
    { between = ["r1", "r2"], rate = "50 Mbit/s", delay = "5 ms", buffer = "100 kB", loss = { every = 100 } },
    { between = ["r2", "c"], rate = "100 Mbit/s", buffer = "50 kB" },
]
tunnels = [{ between = ["r1", "r2"], kind = "wireguard" }]
flows = [{ from = "a", to = "c", duration = "1 s" }, { from = "b", to = "c", duration = "1 s" }]
"#;

/// Lists the tools that a command finds; its own program and libraries are the host's.
const COMMAND: &str = r#"
title = "a command"
hosts = { a = { run = ["for tool in ip tc bridge nft wg; do command -v $tool; $tool -V >&2; done; ip route"] }, b = {} }
links = [{ between = ["a", "b"], rate = "100 Mbit/s", buffer = "50 kB" }]
"#;

/// BBR draws in which phase it begins to probe.
const DRAWING: &str = r#"
title = "random numbers"
path = { rate = "20 Mbit/s", rtt = "20 ms", buffer = "2 BDP" }
flows = [{ duration = "3 s", congestion = "bbr" }]
"#;

/// A machine that cannot load the kernel.
const NO_LOADER: &str = "mount --bind /dev/null /lib64/ld-linux-x86-64.so.2";

/// Machines that have fewer files for a guest to find.
const REMOVALS: [&str; 3] = [
    "mount -t tmpfs none /etc",
    "mount -t tmpfs none /etc && touch /etc/services",
    "mount -t tmpfs none /etc && mkdir /etc/iproute2 /etc/alternatives",
];

/// Output of `readelf` for a file.
fn elf(option: &str, file: &Path) -> String {
    let output = Command::new("readelf").args(["--wide", option]).arg(file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The libraries that a file names.
fn libraries(file: &Path) -> Vec<String> {
    let text = elf("--dynamic", file);
    let named = |line: &str| Some(line.split_once("(NEEDED)")?.1.split(['[', ']']).nth(1)?.to_owned());
    text.lines().filter_map(named).collect()
}

/// Programs need no library, the kernel the host's C library in a version that Debian 12, Ubuntu 22.04 and RHEL 9 have,
/// and tools the libraries next to them.
fn needs_little_of_its_host(unpacked: &Path) {
    for program in ["bin/goodput", "bin/goodput-agent"] {
        let program = unpacked.join(program);
        assert!(!elf("--program-headers", &program).contains("INTERP") && libraries(&program).is_empty());
    }
    let kernels = unpacked.join("lib/goodput/kernels");
    let kernel = std::fs::read_dir(kernels).unwrap().next().unwrap().unwrap().path().join("linux");
    assert_eq!(libraries(&kernel), ["libc.so.6"]);
    let versions = elf("--version-info", &kernel);
    let versions = versions.split("GLIBC_").skip(1).map(|rest| {
        let version = rest.split(|c: char| c != '.' && !c.is_ascii_digit()).next().unwrap();
        version.split('.').map(|number| number.parse().unwrap()).collect::<Vec<u32>>()
    });
    assert_eq!(versions.max(), Some(vec![2, 34]));
    let tools = unpacked.join("lib/goodput/tools");
    for name in ["ip", "tc", "bridge", "nft", "wg"] {
        let tool = tools.join(name);
        assert!(elf("--program-headers", &tool).contains("interpreter: /tools/ld-linux-x86-64.so.2]"), "{name}");
        for library in libraries(&tool) {
            assert!(tools.join(&library).exists(), "{name} needs {library}");
        }
    }
}

/// Commands that read evidence and advise need only the program itself: no library, no file of a system, no kernel.
fn reads_where_there_is_nothing_else(unpacked: &Path) {
    let root = unpacked.with_file_name("alone");
    std::fs::create_dir(&root).unwrap();
    std::fs::copy(unpacked.join("bin/goodput"), root.join("goodput")).unwrap();
    for listing in ["hong-kong-new-york.txt", "rate-cap-cubic.txt", "rate-cap-dctcp.txt"] {
        std::fs::copy(Path::new(ROOT).join("examples/listings").join(listing), root.join(listing)).unwrap();
    }
    for arguments in [
        "diagnose hong-kong-new-york.txt",
        "explain loss-response",
        "import hong-kong-new-york.txt",
        "advise --rate 1Gbit/s --rtt 210ms",
        "compare rate-cap-cubic.txt rate-cap-dctcp.txt",
    ] {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "chroot"]).arg(&root).arg("/goodput").args(arguments.split(' '));
        let ran = command.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        // A comparison of two transfers remains open.
        let read = matches!(ran.status.code(), Some(0 | 3)) && !ran.stdout.is_empty();
        assert!(read && said.is_empty(), "{arguments}: {said}");
    }
}

/// Processor time of a start, s; other load affects it less than elapsed time.
fn start(unpacked: &Path) -> f64 {
    let mut command = Command::new("bash");
    command.args(["-c", "TIMEFORMAT='%U %S'; time \"$0\" --version >/dev/null"]);
    let timed = command.arg(unpacked.join("bin/goodput")).output().unwrap();
    String::from_utf8(timed.stderr).unwrap().split_whitespace().map(|part| part.parse::<f64>().unwrap()).sum()
}

/// The shell steps of the GitHub Action, as a runner calls them: the first unpacks the tarball, the other runs an experiment.
fn the_action_runs(tarball: &Path, home: &Path) {
    let steps = include_str!("../../../action.yml").split("      run: |\n").skip(1);
    let mut path = "/usr/sbin:/usr/bin:/sbin:/bin".to_owned();
    for step in steps {
        let script: Vec<&str> = step.lines().map_while(|line| line.strip_prefix("        ")).collect();
        let mut command = Command::new("bash");
        command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &script.join("\n")]).current_dir(home);
        command.env_clear().env("HOME", home).env("PATH", &path).env("TARBALL", tarball).env("RUNNER_TEMP", home);
        command.env("GITHUB_PATH", "path").env("GITHUB_STEP_SUMMARY", "summary.md").env("JUNIT", "goodput.xml");
        command
            .env("EXPERIMENT", Path::new(ROOT).join("examples/smoke.toml"))
            .env("ARGUMENTS", "--no-cache --out action");
        let ran = command.output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        path = format!("{}:{path}", std::fs::read_to_string(home.join("path")).unwrap().trim());
    }
    let read = |file: &str| std::fs::read_to_string(home.join(file)).unwrap();
    assert!(read("summary.md").contains("goodput") && read("goodput.xml").starts_with("<?xml"));
    assert!(home.join("goodput/bin/goodput").exists() && home.join("action/verdict.json").exists());
}

/// Nothing but the tarball: no cache, no kernel of one's own, and tools that came with it.
#[test]
fn a_package_brings_its_kernel_and_its_tools() {
    let folder = tempfile::tempdir().unwrap();
    let packed = Command::new(Path::new(ROOT).join("scripts/package"))
        .args([programs().as_path(), folder.path()])
        .env_remove("MAKEFLAGS")
        .output()
        .unwrap();
    assert!(packed.status.success(), "{}", String::from_utf8_lossy(&packed.stderr));
    let tarball = folder.path().join(format!("goodput-{}-x86_64-linux.tar.gz", env!("CARGO_PKG_VERSION")));
    let [program, size] = [&programs().join("goodput"), &tarball].map(|file| file.metadata().unwrap().len());
    assert!(program < 30_000_000 && size < 40_000_000, "{program} {size}");
    let home = folder.path().join("home");
    std::fs::create_dir(&home).unwrap();
    assert!(Command::new("tar").arg("xf").arg(&tarball).current_dir(&home).status().unwrap().success());
    let unpacked = home.join(tarball.file_name().unwrap().to_str().unwrap().trim_end_matches(".tar.gz"));
    let first = start(&unpacked);
    assert!(first < 0.05, "{first} s");
    needs_little_of_its_host(&unpacked);
    reads_where_there_is_nothing_else(&unpacked);
    let call = |arguments: &[&str], tools: Option<&str>| {
        let mut command = Command::new(unpacked.join("bin/goodput"));
        command.args(arguments).env_clear().env("HOME", &home).env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        command.envs(tools.map(|tools| ("GOODPUT_TOOLS", tools))).current_dir(&home).output().unwrap()
    };
    let record = |experiment: &str, name: &str, tools: Option<&str>| {
        std::fs::write(home.join("x.toml"), experiment).unwrap();
        let run = call(&["run", "x.toml", "--allow-commands", "--no-cache", "--out", name], tools);
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    };
    let read = |file: &str| std::fs::read_to_string(home.join(file)).unwrap();
    record(COMMAND, "command", None);
    let found = ["ip", "tc", "bridge", "nft", "wg"].map(|name| format!("/tools/{name}"));
    let printed = read("command/trials/0000/trial.json");
    assert!(found.iter().all(|tool| printed.contains(tool)), "{printed}");

    // The package's tools are this machine's, so they do the same to the byte.
    for (name, tools, versions) in [("own", None, "\"iproute2 "), ("hosts", Some(""), "\"ip utility, iproute2-")] {
        record(TOOLS, name, tools);
        assert!(read(&format!("{name}/environment.json")).contains(versions));
    }
    let [own, hosts] = ["own", "hosts"].map(|name| read(&format!("{name}/trials/0000/SHA256SUMS")));
    assert!(own.lines().count() > 2 && own == hosts, "{own}{hosts}");

    // A machine whose C library cannot load the kernel: musl's, or an older one. The host's loader then loads no file.
    let elsewhere = |change: &str, name: &str, tools: Option<&str>| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-c", &format!("{change} && exec \"$0\" \"$@\"")]);
        command.arg(unpacked.join("bin/goodput")).args(["run", "x.toml", "--no-cache", "--out", name]);
        command.current_dir(&home).env_clear().env("HOME", &home).env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        command.envs(tools.map(|tools| ("GOODPUT_TOOLS", tools))).output().unwrap()
    };
    let refused = elsewhere(NO_LOADER, "old", Some(""));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(
        said.contains("needs a newer C library than this machine has\n  = /lib64/ld-linux-x86-64.so.2: "),
        "{said}"
    );
    assert!(said.contains("hint: use the tarball") && !home.join("old").exists(), "{said}");
    let ran = elsewhere(NO_LOADER, "old", None);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert_eq!(read("old/trials/0000/SHA256SUMS"), own);

    // The host's files do not influence the kernel's random numbers.
    record(DRAWING, "drawn", None);
    for (number, change) in REMOVALS.into_iter().enumerate() {
        let name = format!("drawn-{number}");
        let ran = elsewhere(change, &name, None);
        assert!(ran.status.success(), "{change}: {}", String::from_utf8_lossy(&ran.stderr));
        let sums = |run: &str| read(&format!("{run}/trials/0000/SHA256SUMS"));
        assert_eq!(sums(&name), sums("drawn"), "{change}");
    }
    // Neither do the owner of the tools, nor the time their loader takes to find libraries, which depends on the
    // processor.
    let longer = home.join("longer");
    assert!(
        Command::new("cp").arg("-r").arg(unpacked.join("lib/goodput/tools")).arg(&longer).status().unwrap().success()
    );
    for tool in ["ip", "tc", "nft"] {
        let mut patchelf = Command::new("patchelf");
        patchelf.args(["--force-rpath", "--set-rpath", "/tools/glibc:/tools/hwcaps:/tools/x86-64-v5:/tools"]);
        assert!(patchelf.arg(longer.join(tool)).status().unwrap().success(), "{tool}");
    }
    for (name, tools) in [("drawn-by-hosts", ""), ("drawn-longer", longer.to_str().unwrap())] {
        record(DRAWING, name, Some(tools));
        let sums = |run: &str| read(&format!("{run}/trials/0000/SHA256SUMS"));
        assert_eq!(sums(name), sums("drawn"), "{name}");
    }

    the_action_runs(&tarball, &home);
    let checks = String::from_utf8(call(&["doctor"], None).stdout).unwrap();
    assert_eq!(checks.matches("goodput's own, in ").count(), 5, "{checks}");
    let kernel = |arguments: &[&str]| call(&[&["kernel"], arguments].concat(), None);
    let listed = String::from_utf8(kernel(&["list"]).stdout).unwrap();
    let kernels: Vec<&str> = listed.lines().skip(1).take_while(|line| !line.is_empty()).collect();
    let [line] = kernels[..] else { panic!("one kernel came with it: {listed}") };
    let name = line.split_whitespace().next().unwrap();
    assert_eq!(kernel(&["remove", name]).status.code(), Some(2), "what came with the program stays");
    assert_eq!(kernel(&["show", name]).status.code(), Some(0));
}
