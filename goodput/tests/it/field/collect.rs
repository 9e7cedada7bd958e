use super::path::{Lan, is_possible};
use crate::skip::skip;
use evidence::{Evidence, import};
use hosts::login::{SCRIPT, Scope, Shell, Ssh, Target, collect};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;

fn read(page: &str) -> Evidence {
    let mut evidence = Evidence::default();
    import::read("host.txt", page.as_bytes(), &mut evidence);
    assert!(evidence.unread.is_empty(), "{:?}\n{page}", evidence.unread);
    evidence
}

/// The oracle is /proc.
#[test]
fn every_line_of_this_machine_is_read() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (mut server, _) = listener.accept().unwrap();
    client.write_all(&[1; 50_000]).unwrap();
    server.read_exact(&mut [0; 50_000]).unwrap();
    let shell = Shell::open(&Target::Local, &Ssh::default()).unwrap();
    let evidence = read(&collect(&shell, Some("192.0.2.1".parse().unwrap()), Scope::All).unwrap());
    let host = &evidence.hosts[0];
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    assert_eq!(host.version.as_deref(), Some(release.trim()));
    let rmem = std::fs::read_to_string("/proc/sys/net/ipv4/tcp_rmem").unwrap();
    let rmem: Vec<&str> = rmem.split_whitespace().collect();
    let read = host.settings.iter().find(|setting| setting.key == "net.ipv4.tcp_rmem").unwrap();
    assert_eq!(read.value, rmem.join(" "));
    let port = format!(":{}", client.local_addr().unwrap().port());
    assert!(evidence.connections.iter().any(|seen| seen.name.contains(&port)), "{:?}", evidence.connections);
}

#[test]
fn a_namespace_without_traffic_is_read_too() {
    if !is_possible() {
        return;
    }
    let lan = Lan::new();
    let shell = Shell::open(&Target::Namespace(lan.hosts[1].clone()), &Ssh::default()).unwrap();
    let evidence = read(&collect(&shell, None, Scope::All).unwrap());
    let names: Vec<&str> = evidence.hosts[0].interfaces.iter().map(|own| own.name.as_str()).collect();
    assert!(["left", "right"].iter().all(|name| names.contains(name)), "{names:?}");
}

/// busybox's sh and tools alone on PATH: goodput names the missing programs and still reads the rest.
#[test]
fn missing_programs_of_a_host_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let tools = ["cat", "echo", "grep", "head", "ls", "sed", "sh", "tail", "tr", "uname"];
    let Some(busybox) =
        ["/bin/busybox", "/usr/bin/busybox"].into_iter().find(|path| std::path::Path::new(path).exists())
    else {
        return skip("busybox is not installed");
    };
    for tool in tools {
        std::os::unix::fs::symlink(busybox, folder.path().join(tool)).unwrap();
    }
    let script = SCRIPT.replace("PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin", "");
    let mut command = Command::new(busybox);
    let output = command.args(["sh", "-c", &script]).env("PATH", folder.path()).output().unwrap();
    let page = String::from_utf8(output.stdout).unwrap();
    for tool in ["ip", "ethtool", "ss", "tc"] {
        assert!(page.contains(&format!("# goodput: {tool} is not installed")), "{page}");
    }
    assert!(read(&page).hosts[0].settings.iter().any(|setting| setting.key == "net.ipv4.tcp_wmem"));
}

/// FreeBSD's branch on stand-in programs with FreeBSD's output, since no FreeBSD runs here.
#[test]
fn freebsd_has_a_branch_and_keeps_its_keys() {
    let programs = [
        ("uname", "[ $1 = -s ] && echo FreeBSD || echo 'FreeBSD b 14.1-RELEASE FreeBSD 14.1-RELEASE GENERIC amd64'"),
        (
            "sysctl",
            "case $* in *hostcache.list*) exit 1 ;; esac\n\
             printf 'kern.ipc.maxsockbuf: 2097152\\nnet.inet.tcp.recvbuf_max: 2097152\\nnet.inet.tcp.x.key: deadbeef\\n'",
        ),
        (
            "ifconfig",
            "printf 'em0: flags=1008843<UP,RUNNING> metric 0 mtu 1400\\n\\toptions=48505bb<RXCSUM,TSO4,LRO>\\n\\tinet 192.0.2.5 \
             netmask 0xffffff00 broadcast 192.0.2.255\\n\\tmedia: Ethernet autoselect (1000baseT <full-duplex>)\\n'",
        ),
        ("netstat", "exit 0"),
        (
            "setkey",
            "printf '192.0.2.5 192.0.2.9\\n\\tesp mode=tunnel spi=1(0x1) reqid=1(0x1)\\n\\tE: aes-cbc  deadbeef\\n'",
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (name, body) in programs {
        use std::os::unix::fs::PermissionsExt;
        let path = folder.path().join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    let output = Command::new("sh").args(["-c", SCRIPT]).env("PATH", path).output().unwrap();
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(!page.contains("deadbeef"), "{page}");
    let host = &read(&page).hosts[0];
    assert_eq!(host.version.as_deref(), Some("14.1-RELEASE"), "{host:?}");
    assert_eq!(host.interfaces[0].mtu, Some(1400));
    assert!(host.settings.iter().any(|setting| setting.key == "net.inet.tcp.recvbuf_max"));
}
