//! Now, keep and undo by a shell that knows FreeBSD's grammar: `freebsd.sh`.

use super::{all, held, platform, route};
use diagnosis::remedy::{At, File, Remedy, catalogue};
use evidence::System;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

const PROGRAMS: &[&str] = &["sysctl", "kldload", "ifconfig", "route", "netstat", "pfctl", "sed"];

/// Settings of a host with 14.2, as its users print them.
const SYSCTLS: &[(&str, &str)] = &[
    ("kern.ipc.somaxconn", "256"),
    ("kern.ipc.maxsockbuf", "2097152"),
    ("net.inet.tcp.recvbuf_max", "2097152"),
    ("net.inet.tcp.sendbuf_max", "2097152"),
    ("net.inet.tcp.cc.algorithm", "cubic"),
    ("net.inet.tcp.functions_default", "freebsd"),
    ("net.inet.tcp.pmtud_blackhole_detection", "0"),
    ("net.inet.tcp.hostcache.enable", "1"),
    ("net.inet.tcp.ecn.enable", "2"),
];

const FILES: &[(&str, &str)] = &[
    ("etc/sysctl.conf", "kern.ipc.somaxconn=256\n"),
    ("etc/rc.conf", "ifconfig_em0=\"DHCP\"\nstatic_routes=\"office\"\n"),
    ("etc/pf.conf", "set skip on lo0\nblock in all\n"),
    ("boot/loader.conf", "autoboot_delay=\"3\"\n"),
];

pub struct Host {
    folder: tempfile::TempDir,
}

impl Host {
    pub fn new() -> Host {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["bin", "state/sysctl", "state/modules", "etc", "boot", "var/db"] {
            fs::create_dir_all(at(name)).unwrap();
        }
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/remedy/freebsd.sh");
        // A separate process copies the script, so that no other thread's child has it open for writing.
        let copied = Command::new("install").args(["-m", "755", script]).arg(at("bin/freebsd.sh")).status();
        assert!(copied.unwrap().success());
        for program in PROGRAMS {
            symlink("freebsd.sh", at("bin").join(program)).unwrap();
        }
        for (key, value) in SYSCTLS {
            fs::write(at("state/sysctl").join(key), format!("{value}\n")).unwrap();
        }
        fs::write(at("state/options"), "LRO\nRXCSUM\nTSO4\nTXCSUM\nVLAN_HWTSO\n").unwrap();
        fs::write(at("state/routes"), "10.5.0.0/16 192.0.2.7 1500 em0\ndefault 192.0.2.1 1500 em0\n").unwrap();
        for (name, text) in
            FILES.iter().chain(&[("state/mtu", "1500\n"), ("state/pf", "Disabled\n"), ("state/rules", "")])
        {
            fs::write(at(name), text).unwrap();
        }
        Host { folder }
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs a command, which has to succeed unless it is marked as optional.
    pub fn run(&self, command: &str) {
        let root = self.folder.path().to_str().unwrap();
        let mut moved = command.to_owned();
        for folder in ["/var/db/", "/etc/", "/boot/"] {
            moved = moved.replace(folder, &format!("{root}{folder}"));
        }
        let path = format!("{root}/bin:{}", std::env::var("PATH").unwrap());
        let real = Command::new("sh").args(["-c", "command -v sed"]).output().unwrap();
        let output = Command::new("sh")
            .args(["-c", &moved])
            .env("PATH", path)
            .env("STATE", self.at("state"))
            .env("SED", String::from_utf8_lossy(&real.stdout).trim())
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.is_empty() && output.status.code() != Some(64), "{command}\n{errors}");
    }

    /// All but loaded modules, which nothing uses then.
    pub fn state(&self) -> String {
        let mut text = String::new();
        for folder in ["state", "state/sysctl", "var/db"] {
            let mut files: Vec<PathBuf> =
                fs::read_dir(self.at(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
            files.sort();
            for file in files.iter().filter(|file| file.is_file()) {
                let name = file.strip_prefix(self.folder.path()).unwrap().display();
                text += &format!("{name}: {}\n", fs::read_to_string(file).unwrap().trim_end());
            }
        }
        text
    }

    fn keep(&self, keep: &[(File, String)]) {
        for (file, line) in keep {
            let path = self.folder.path().join(file.path().trim_start_matches('/'));
            let text = fs::read_to_string(&path).unwrap_or_default();
            fs::write(&path, format!("{text}{}\n", file.line(line))).unwrap();
        }
    }
}

fn settings(state: &str) -> Vec<&str> {
    state.lines().filter(|line| line.starts_with("state/sysctl")).collect()
}

fn tried(remedy: &Remedy, takes_effect: bool) {
    let steps = remedy.steps();
    let host = Host::new();
    let before = host.state();
    // Rules of pf are read from their file.
    host.keep(&steps.keep);
    let run = |commands: &[String]| commands.iter().for_each(|command| host.run(command));
    run(&steps.now);
    let first = host.state();
    assert_eq!(before != first, takes_effect, "{remedy:?}\n{first}");
    run(&steps.now);
    assert_eq!(first, host.state(), "twice is not once: {remedy:?}");
    run(&steps.removals());
    run(&steps.undo);
    assert_eq!(before, host.state(), "not undone: {remedy:?}");
    for (name, text) in FILES {
        assert_eq!(fs::read_to_string(host.at(name)).unwrap(), *text, "{remedy:?}");
    }
    let rebooted = Host::new();
    rebooted.keep(&steps.keep);
    for module in steps.keep.iter().filter(|(file, _)| *file == File::Loader) {
        rebooted.run(&format!("kldload -n {}", module.1.split_once("_load").unwrap().0));
    }
    rebooted.run("sysctl -f /etc/sysctl.conf");
    assert_eq!(settings(&rebooted.state()), settings(&first), "{remedy:?}");
}

#[test]
fn undo_reverts_every_remedy() {
    for remedy in all(System::FreeBsd, "em0") {
        tried(&remedy, !remedy.steps().undo.is_empty());
    }
}

#[test]
fn known_values_are_restored() {
    for mut remedy in all(System::FreeBsd, "em0") {
        let Some((_, value)) = remedy.key().and_then(|key| SYSCTLS.iter().find(|(known, _)| *known == key)) else {
            continue;
        };
        remedy.before = Some(held(remedy.key().unwrap(), value));
        assert!(!remedy.steps().now.concat().contains("goodput-"), "nothing is saved: {remedy:?}");
        tried(&remedy, true);
    }
}

/// Without a default gateway that is known, and over an IPsec policy.
#[test]
fn routes_of_every_kind() {
    let freebsd = platform(System::FreeBsd);
    for there in [
        route("10.4.0.0/16", None, Some("em0")),
        route("10.5.0.0/16", Some("192.0.2.9"), None),
        route("default", None, None),
        route("2001:db8::/32", Some("fe80::1"), None),
    ] {
        tried(&catalogue::route_mtu(&there, 1400, At::Ends, &freebsd), true);
    }
}
