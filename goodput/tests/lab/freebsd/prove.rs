//! `prove` on a transfer between FreeBSD hosts: the trial is recorded here, and the proof sees its iperf3 listing alone.

use super::{PAYLOAD_SHARE, kernel};
use crate::cache::Place;
use crate::support::goodput;
use prove::trials;
use std::fs;
use std::process::{Command, Stdio};

/// A receive window of 64 KiB over 80 ms: 6.4 Mbit/s of a line of 20.
const EXPERIMENT: &str = r#"
title  = "FreeBSD's small receive buffer"
kernel = "freebsd"
[path]
rate   = "20 Mbit/s"
rtt    = "80 ms"
buffer = "1 BDP"
[hosts]
stack = "freebsd"
[hosts.receiver]
sysctl."net.inet.tcp.recvbuf_max" = 65536
[[flows]]
duration = "10 s"
congestion = "newreno"
"#;

#[test]
fn a_freebsd_receive_window_is_found_and_its_fix_is_freebsd_s() {
    if kernel().is_none() {
        return;
    }
    let place = Place::new();
    let file = |name: &str, text: &str| {
        fs::write(place.path(name), text).unwrap();
        place.path(name)
    };
    let experiment = file("small.toml", EXPERIMENT);
    let out = place.path("small");
    let ran = Command::new(goodput()).arg("run").arg(&experiment).arg("--out").arg(&out).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let trial = format!("{}:0", out.display());
    let listing = Command::new(goodput()).args(["export", "--to", "iperf3", &trial]).output().unwrap().stdout;
    let listing = String::from_utf8(listing).unwrap();
    let sender = file("sender.txt", &format!("FreeBSD 13.0-RELEASE\n{listing}"));
    let receiver = file("receiver.txt", "FreeBSD 13.0-RELEASE\n");
    let proof = place.path("proof");
    let mut command = Command::new(goodput());
    command.arg("prove").arg(sender).arg("--receiver").arg(receiver);
    command.args(["--rtt", "80ms", "--rate", "20Mbit/s", "--budget", "20s", "--may", "receiver", "--out"]).arg(&proof);
    assert!(command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success());
    let verdict = trials::kept(&proof).unwrap();
    let [one] = &verdict.explanations[..] else { panic!("{:?}", verdict.explanations) };
    assert_eq!(one.name, "receive window");
    // FreeBSD's buffer is the window; Linux's has 158/256 of tcp_rmem as payload.
    let [low, high] = one.ranges[2];
    assert!((low..=high).contains(&(65_536.0 * 256.0 / 158.0)), "{low} {high}");
    let best = verdict.best().expect("a larger buffer");
    assert!(best.goodput()[1] <= 20e6 * PAYLOAD_SHARE * 1.05 && best.gain()[1] > 1.5, "{:?}", best.goodput());
    let commands = verdict.commands().into_iter().collect::<Vec<_>>().join("\n");
    assert!(commands.contains("net.inet.tcp.recvbuf_max") && !commands.contains("tcp_rmem"), "{commands}");
}
