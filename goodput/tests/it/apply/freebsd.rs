//! `goodput apply` and `undo` on FreeBSD: goodput itself over `jail:NAME`. A stand-in for jexec(8) enters a host
//! without /proc, whose sysctl, ifconfig, route, netstat and kldload are programs of `remedy/freebsd.sh`. No FreeBSD is
//! needed.

use crate::remedy::freebsd::Host;
use crate::skip::skip;
use evidence::System;
use goodput::apply::remedies;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const GOODPUT: &str = env!("CARGO_BIN_EXE_goodput");

fn is_possible() -> bool {
    let is_root = nix::unistd::geteuid().is_root();
    if !is_root {
        skip("it needs root");
    }
    is_root
}

/// Writes an executable from a process of its own: a program that another thread starts meanwhile would inherit the
/// open file, and a file open for writing cannot be executed (execve(2), ETXTBSY).
fn executable(path: &Path, text: &str) {
    let written =
        Command::new("sh").args(["-c", "printf %s \"$1\" > \"$2\" && chmod 755 \"$2\"", "sh", text]).arg(path).status();
    assert!(written.unwrap().success());
}

/// A host with jexec(8) in front of it.
fn jail() -> Host {
    let host = Host::new();
    let at = |name: &str| host.at(name).display().to_string();
    executable(&host.at("bin/uname"), "#!/bin/sh\necho FreeBSD\n");
    fs::write(host.at("state/sysctl/kern.boottime"), "{ sec = 1795902043, usec = 0 } Sat Nov 28 21:40:43 2026\n")
        .unwrap();
    fs::create_dir(host.at("front")).unwrap();
    let enter = format!(
        "#!/bin/sh\n[ \"$1\" = bsd ] || {{ echo \"jexec: jail \\\"$1\\\" not found\" >&2; exit 1; }}\nshift\n\
         exec unshare -m sh -c 'mount --make-rprivate / && mount -t tmpfs none /proc && PATH={}:$PATH && export PATH && exec \"$@\"' sh \"$@\"\n",
        at("bin")
    );
    executable(&host.at("front/jexec"), &enter);
    host
}

fn command(host: &Host, words: &[&str]) -> Command {
    let path = format!("{}:/usr/sbin:/usr/bin:/sbin:/bin", host.at("front").display());
    let mut command = Command::new(GOODPUT);
    command.args(words).args(["--state", host.at("kept").to_str().unwrap()]);
    command.env("PATH", path).env("FAKE_STATE", host.at("state")).env("SED", "/usr/bin/sed").stdin(Stdio::null());
    command
}

fn goodput(host: &Host, words: &[&str]) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = command(host, words).output().unwrap();
    (status.code(), super::text(&stdout) + &super::text(&stderr))
}

fn apply(host: &Host, words: &[&str]) -> (Option<i32>, String) {
    goodput(host, &[&["apply", "--host", "jail:bsd", "--within", "5s"], words].concat())
}

/// Settings of the stand-in programs, without the files that plain commands save.
fn settings(host: &Host) -> String {
    let state = host.state();
    let own = state.lines().take_while(|line| !line.starts_with("var/db/")).filter(|line| !line.contains("boottime"));
    own.map(|line| format!("{line}\n")).collect()
}

const WORDS: &[&str] = &[
    "net.inet.tcp.cc.algorithm=htcp",
    "net.inet.tcp.functions_default=rack",
    "kern.ipc.maxsockbuf=16777216",
    "net.inet.tcp.recvbuf_max=8388608",
    "net.inet.tcp.pmtud_blackhole_detection=1",
    "mtu@em0=1400",
    "tx,tso@em0=off",
    "tso@em0=off",
    "lro@em0=off",
    "vlanhwtso@em0=off",
    "route-mtu@10.5.0.0/16=1400",
    "route-mtu@10.4.0.0/16=1400,via=192.0.2.1",
    "route-mtu@default=1400",
];

/// The oracle is the commands that `diagnose` and `advise` print for FreeBSD, on the same programs.
#[test]
fn a_change_does_what_its_plain_commands_do_and_undo_takes_it_back() {
    if !is_possible() {
        return;
    }
    std::thread::scope(|scope| {
        for word in WORDS {
            scope.spawn(move || like_its_plain_commands(word));
        }
    });
}

fn like_its_plain_commands(word: &str) {
    let plain = Host::new();
    let before = settings(&plain);
    remedies(&[word.to_owned()], System::FreeBsd).unwrap()[0].steps().now.iter().for_each(|line| plain.run(line));
    let host = jail();
    let (code, said) = apply(&host, &[word]);
    assert_eq!(code, Some(0), "{word}: {said}");
    assert!(said.contains("Confirmed over a new connection."), "{word}: {said}");
    let applied = settings(&host);
    assert_eq!(applied, settings(&plain), "{word}: {said}");
    assert_ne!(applied, before, "{word}");
    let (code, said) = goodput(&host, &["undo", "jail:bsd"]);
    assert_eq!((code, settings(&host)), (Some(0), before), "{word}: {said}");
}

/// A socket takes no more than maxsockbuf allows, so that is raised as well.
#[test]
fn a_buffer_is_raised_with_its_cap() {
    if !is_possible() {
        return;
    }
    let host = jail();
    let (code, said) = apply(&host, &["receive-buffer=64MiB"]);
    assert_eq!(code, Some(0), "{said}");
    let number =
        |key: &str| -> u64 { fs::read_to_string(host.at("state/sysctl").join(key)).unwrap().trim().parse().unwrap() };
    assert_eq!(number("net.inet.tcp.recvbuf_max"), 64 << 20);
    assert!(number("kern.ipc.maxsockbuf") >= 72 << 20, "8/9 of it: {}", number("kern.ipc.maxsockbuf"));
    let (_, said) = goodput(&host, &["undo", "jail:bsd"]);
    assert!(said.contains("net.inet.tcp.recvbuf_max: back to 2097152"), "{said}");
    assert_eq!(number("kern.ipc.maxsockbuf"), 2_097_152);
}

#[test]
fn what_freebsd_has_not_is_refused_and_what_others_changed_is_left() {
    if !is_possible() {
        return;
    }
    let host = jail();
    for (word, what) in [
        ("qdisc@em0=fq", "is nothing of a device that goodput changes on FreeBSD"),
        ("net.ipv4.tcp_sack=0", "is nothing that goodput changes on FreeBSD"),
        ("mtu@em7=1400", "there is no device em7; here are: em0"),
        ("route-mtu@10.9.0.0/16=1400", "name its way, as in 1400,via=ADDRESS"),
        ("net.inet.tcp.rfc1323=0", "this kernel has no such setting"),
    ] {
        let (code, said) = apply(&host, &[word]);
        assert!(code == Some(2) && said.contains(what), "{word}: {said}");
    }
    let (_, said) = apply(&host, &["mtu@em0=1400", "--keep"]);
    assert!(said.contains("--keep cannot keep it"), "{said}");
    let (_, said) = apply(&host, &["receive-buffer=64MiB", "--dry-run"]);
    assert!(said.contains("sysctl net.inet.tcp.recvbuf_max=67108864"), "{said}");
    assert_eq!(apply(&host, &["mtu@em0=1400"]).0, Some(0));
    fs::write(host.at("state/mtu"), "1450\n").unwrap();
    let (_, said) = goodput(&host, &["undo", "jail:bsd"]);
    assert!(said.contains("ifmtu em0: left at 1450, which somebody else has set; it was 1500"), "{said}");
}

/// goodput is killed while the change is there and unconfirmed.
#[test]
fn the_watchdog_puts_back_without_proc() {
    if !is_possible() {
        return;
    }
    let host = jail();
    let before = settings(&host);
    let words = [
        "apply",
        "--host",
        "jail:bsd",
        "--within",
        "2s",
        "--pairs",
        "2",
        "--measure",
        "sleep 1; echo 5 Mbit/s",
        "mtu@em0=1400",
    ];
    let mut child = command(&host, &words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    let until = |what: &dyn Fn() -> bool| {
        while !what() {
            assert!(began.elapsed() < Duration::from_secs(30), "{}", settings(&host));
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    until(&|| settings(&host) != before);
    child.kill().unwrap();
    child.wait().unwrap();
    until(&|| settings(&host) == before && !host.at("kept/lock").exists());
    assert!(!host.at("kept/pending").exists() && !host.at("kept/undoing").exists());
}

/// Output recorded on FreeBSD 14.2: this host changes nothing, so each change is refused, naming the value that was
/// read.
#[test]
fn recorded_output_is_read() {
    if !is_possible() {
        return;
    }
    let words = [
        ("mtu@igb0=1400", "the host kept 1500"),
        ("vlanhwtso@igb0=off", "the host kept on"),
        ("route-mtu@10.4.0.0/16=1300", "the host kept 1400"),
        ("route-mtu@default=1300", "the host kept 1500"),
        ("lro@igb0=off", "Nothing to change"),
    ];
    std::thread::scope(|scope| {
        for (word, was) in words {
            scope.spawn(move || {
                let (_, said) = apply(&recorded(), &[word]);
                assert!(said.contains(was), "{word}: {said}");
            });
        }
    });
}

/// A host that prints recorded FreeBSD output.
fn recorded() -> Host {
    let host = jail();
    let recorded = concat!(env!("CARGO_MANIFEST_DIR"), "/../evidence/tests/hosts/freebsd.txt");
    let recorded = fs::read_to_string(recorded).unwrap();
    let printed = |command: &str| -> String {
        let (_, rest) = recorded.split_once(&format!("# {command}\n")).unwrap();
        let own = rest.split("root@").next().unwrap();
        // ifconfig(8) with a name prints that device alone.
        own.split("\nem0:").next().unwrap().to_owned() + "\n"
    };
    for (program, command) in [("netstat", "netstat -rnW"), ("ifconfig", "ifconfig -a")] {
        let path = host.at("bin").join(program);
        fs::remove_file(&path).unwrap();
        executable(&path, &format!("#!/bin/sh\ncat <<'END'\n{}END\n", printed(command)));
    }
    executable(&host.at("bin/route.new"), "#!/bin/sh\nexit 0\n");
    fs::rename(host.at("bin/route.new"), host.at("bin/route")).unwrap();
    host
}
