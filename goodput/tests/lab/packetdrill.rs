//! `goodput packetdrill`: scripts of our own, whose verdict RFC 9293 gives, by the packetdrill of this machine.

use crate::program_flows::has;
use std::fs;
use std::process::Command;

/// A three-way handshake with the peer: the SYN-ACK acknowledges the SYN's number and one.
fn handshake(acknowledged: u32) -> String {
    format!(
        "`./settings.sh`\n\
         0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3\n\
         +0 setsockopt(3, SOL_SOCKET, SO_REUSEADDR, [1], 4) = 0\n\
         +0 bind(3, ..., ...) = 0\n\
         +0 listen(3, 1) = 0\n\
         +0 < S 0:0(0) win 65535 <mss 1000>\n\
         +0 > S. 0:0(0) ack {acknowledged} <...>\n\
         +.1 < . 1:1(0) ack 1 win 65535\n\
         +0 accept(3, ..., ...) = 4\n"
    )
}

#[test]
fn scripts_pass_or_fail_by_what_they_expect_and_say_so_each_time() {
    if !has("packetdrill") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("settings.sh", "#!/bin/sh\nsysctl -q net.ipv4.tcp_timestamps=0\n");
    write("right.pkt", &handshake(1));
    write("wrong.pkt", &handshake(2));
    write("six.pkt", &format!("--ip_version=ipv6\n{}", handshake(1)));
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_goodput"))
            .arg("packetdrill")
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (output.status.code(), out, err)
    };
    let (code, out, err) = run(&["right.pkt", "six.pkt"]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.ends_with(": 2 scripts passed of 2\n"), "{out}");
    let (code, out, _) = run(&[".", "--junit", "junit.xml"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.starts_with("failed  wrong\n"), "{out}");
    for version in ["ipv4", "ipv6", "ipv4-mapped-ipv6"] {
        let said = format!("{version}: wrong.pkt:7: error handling packet");
        assert!(out.contains(&said), "{said}\n{out}");
    }
    assert!(out.ends_with(": 2 scripts passed of 3, 1 failed\n"), "{out}");
    let junit = fs::read_to_string(folder.path().join("junit.xml")).unwrap();
    let counts = ["tests=\"3\"", "failures=\"1\"", "errors=\"0\"", "name=\"wrong\""];
    assert!(counts.iter().all(|count| junit.contains(count)), "{junit}");
    assert_eq!(run(&["."]).1, out, "the same verdict each time");
    let (code, out, _) = run(&["wrong.pkt", "--ip-version", "ipv4"]);
    assert!(code == Some(1) && !out.contains("ipv6: "), "{out}");
    let (code, _, err) = run(&["absent.pkt"]);
    assert!(code == Some(2) && err.contains("absent.pkt"), "{err}");
}
