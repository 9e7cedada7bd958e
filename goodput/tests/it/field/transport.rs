use super::path::{B, Lan, USERS, is_possible};
use hosts::login::{FieldError, Limits, Shell, Ssh, Target};
use std::thread;
use std::time::{Duration, Instant};

fn here() -> Shell {
    Shell::open(&Target::Local, &Ssh::default()).unwrap()
}

#[test]
fn a_script_gives_both_streams_and_its_status() {
    let ran = here().run("echo out; echo err >&2; cat; (exit 7)").unwrap();
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str(), ran.status, ran.is_cut), ("out\n", "err\n", 7, false));
    let locale = here().run("echo $LC_ALL; printf %.1f 0.5").unwrap();
    assert_eq!(locale.stdout, "C\n0.5");
}

#[test]
fn script_output_is_cut_at_its_limits() {
    let limits = Limits { bytes: 1000, ..Limits::default() };
    let ran = here().run_within("i=0; while [ $i -lt 9999 ]; do echo $i; i=$((i+1)); done; exit 3", limits).unwrap();
    assert!(ran.is_cut && ran.stdout.starts_with("0\n1\n") && ran.stdout.len() <= 1000 && ran.status == 3, "{ran:?}");
    let began = Instant::now();
    let slow = here().run_within("sleep 600", Limits { time: Duration::from_millis(300), ..limits });
    assert!(matches!(slow, Err(FieldError::TimedOut { .. })) && began.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_shell_that_dies_at_work_is_seen() {
    let cut = here().run("echo half; kill -9 $$");
    assert!(matches!(cut, Err(FieldError::CutOff { .. } | FieldError::NoShell { .. })), "{cut:?}");
}

#[test]
fn one_goodput_has_a_host() {
    let lock = here().lock().unwrap();
    let second = here().lock();
    assert!(
        matches!(&second, Err(FieldError::Locked { holder, .. }) if holder.to_string().contains("process")),
        "{second:?}"
    );
    drop(lock);
    drop(here().lock().unwrap());
}

#[test]
fn a_namespace_that_is_not_there_says_where_to_look() {
    let none = Shell::open(&Target::Namespace("nowhere".into()), &Ssh::default()).unwrap().run("true");
    let said = none.unwrap_err().to_string();
    assert!(said.starts_with("netns:nowhere: ") && said.contains("\n\nhint: "), "{said}");
}

/// Every login shell, one that greets on both streams among them, over a real sshd with a banner.
#[test]
fn ssh_runs_scripts_whatever_the_login_shell() {
    if !is_possible() {
        return;
    }
    let lan = Lan::new();
    lan.within(|| {
        thread::scope(|scope| {
            for (user, _) in USERS {
                let lan = &lan;
                scope.spawn(move || lan.within(|| a_user_works(lan, user)));
            }
        });
    });
    refusals(&lan);
    lan.within(|| a_cut_line_is_told(&lan));
}

fn a_user_works(lan: &Lan, user: &str) {
    let shell = lan.shell(user);
    let ran = shell.run("id -un; echo \"it's $((6*7))!\" >&2; exit 4").unwrap();
    assert_eq!((ran.stdout.trim(), ran.stderr.as_str(), ran.status), (user, "it's 42!\n", 4), "{user}");
    let bytes: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    let path = format!("/tmp/goodput-test-{user}-{}", std::process::id());
    shell.put(&path, &bytes, true).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(shell.anew().unwrap().run("echo again").unwrap().stdout, "again\n");
    assert!(shell.spawn(&["echo", "a b"]).is_err(), "a login shell would split it");
}

fn refusals(lan: &Lan) {
    let refused = |destination: &str, config: &str| {
        let ssh = Ssh { config: Some(lan.at(config)), ..Ssh::default() };
        lan.within(|| Shell::open(&Target::parse(destination).unwrap(), &ssh).unwrap_err().to_string())
    };
    let said = refused(&format!("plain@{B}"), "config_stranger");
    assert!(said.contains("Permission denied") && said.contains("ssh-copy-id"), "{said}");
    assert!(refused("nowhere.invalid", "config").contains("it must be in DNS"));
    assert!(refused(&format!("ssh://{B}:2223"), "config").contains("no sshd listens there"));
    // Known by its key as another host.
    let said = refused(&format!("ssh://plain@{B}:2222"), "config_none");
    assert!(said.contains("hint: "), "{said}");
    lan.sh(0, "ip addr add 10.91.1.77/24 dev eth0");
    let said = refused("plain@10.91.1.77", "config");
    assert!(said.contains("goodput never accepts a host key"), "{said}");
}

fn a_cut_line_is_told(lan: &Lan) {
    let shell = lan.shell("plain");
    thread::scope(|scope| {
        let waiting = scope.spawn(|| shell.run("echo begun; sleep 60"));
        thread::sleep(Duration::from_secs(1));
        lan.sh(2, "ip link set eth0 down");
        let began = Instant::now();
        let cut = waiting.join().unwrap().unwrap_err();
        assert!(matches!(cut, FieldError::CutOff { .. }), "{cut}");
        assert!(began.elapsed() < Duration::from_secs(30));
    });
}
