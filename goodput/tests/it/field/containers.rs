//! `docker:` and `jail:` with stand-ins for docker(1) and jexec(8), which run their arguments in a namespace. No
//! container or jail is needed.

use super::path::{Lan, has_iperf3, is_possible};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};

/// Writes stand-ins with the arguments and errors of docker(1) and jexec(8).
fn stand_ins(lan: &Lan) {
    let enter = format!("exec ip netns exec {} \"$@\"", lan.hosts[2]);
    let docker = format!(
        "[ \"$1 $2\" = 'exec -i' ] || exit 125\n[ \"$3\" = web ] || {{ echo \"Error response from daemon: No such container: $3\" >&2; exit 1; }}\n\
         shift 3\n{enter}"
    );
    let jexec = format!("[ \"$1\" = bsd ] && {{ shift; PATH={}:$PATH; {enter}; }}\n", lan.at("freebsd").display())
        + &format!("[ \"$1\" = db ] || {{ echo \"jexec: jail \\\"$1\\\" not found\" >&2; exit 1; }}\nshift\n{enter}");
    fs::create_dir(lan.at("bin")).unwrap();
    for (name, body) in [("docker", docker), ("jexec", jexec)] {
        let path = lan.at("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

fn goodput(lan: &Lan, words: &[&str]) -> Output {
    let path = format!("{}:/usr/sbin:/usr/bin:/sbin:/bin", lan.at("bin").display());
    let mut command = Command::new(env!("CARGO_BIN_EXE_goodput"));
    command.args(words).env("PATH", path).current_dir(lan.at("")).stdin(Stdio::null()).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn a_container_and_a_jail_are_reached_by_their_programs() {
    if !is_possible() {
        return;
    }
    let lan = Lan::new();
    stand_ins(&lan);
    for host in ["docker:web", "jail:db"] {
        let page = text(&goodput(&lan, &["field", "collect", host]));
        assert!(page.contains("net.ipv4.tcp_rmem"), "{page}");
    }
    let said = text(&goodput(&lan, &["field", "collect", "docker:none"]));
    assert!(said.contains("No such container: none") && said.contains("`docker ps` shows"), "{said}");
    let said = text(&goodput(&lan, &["field", "collect", "jail:none"]));
    assert!(said.contains("not found") && said.contains("`jls` shows"), "{said}");
    let spec = "title = \"t\"\npath = { rate = \"1 Gbit/s\", rtt = \"1 ms\", buffer = \"9 packets\" }\n\
                flows = [{ duration = \"1 s\", send-rate = \"8 Mbit/s\" }]\n";
    fs::write(lan.at("x.toml"), spec).unwrap();
    let hosts = format!("sender=netns:{},receiver=docker:web", lan.hosts[0]);
    let ran = goodput(&lan, &["field", "run", "x.toml", "--hosts", &hosts, "--seeds", "1", "--out", "f"]);
    assert!(ran.status.success(), "{}", text(&ran));
    assert!(!lan.sh(2, "ls /tmp").contains(&lan.lock_name()));
}

/// On a host whose uname(1) prints FreeBSD, the agent does not run, and iperf3 makes the flows.
#[test]
fn iperf3_makes_the_flows_if_the_agent_cannot_run() {
    if !is_possible() || !has_iperf3() {
        return;
    }
    let lan = Lan::new();
    stand_ins(&lan);
    fs::create_dir(lan.at("freebsd")).unwrap();
    let uname = lan.at("freebsd/uname");
    fs::write(
        &uname,
        "#!/bin/sh\ncase ${1-} in -sm) echo FreeBSD amd64 ;; -r) echo 14.2-RELEASE ;; *) echo FreeBSD ;; esac\n",
    )
    .unwrap();
    fs::set_permissions(&uname, fs::Permissions::from_mode(0o755)).unwrap();
    let spec = "title = \"t\"\npath = { rate = \"1 Gbit/s\", rtt = \"1 ms\", buffer = \"9 packets\" }\n\
                flows = [{ duration = \"1 s\", send-rate = \"8 Mbit/s\" }]\n";
    fs::write(lan.at("x.toml"), spec).unwrap();
    let hosts = format!("sender=netns:{},receiver=jail:bsd", lan.hosts[0]);
    let ran = goodput(&lan, &["field", "run", "x.toml", "--hosts", &hosts, "--seeds", "1", "--out", "f"]);
    let said = text(&ran);
    assert!(
        ran.status.success() && said.contains("iperf3 makes the traffic: jail:bsd: it is \"FreeBSD amd64\""),
        "{said}"
    );
    let environment = fs::read_to_string(lan.at("f/environment.json")).unwrap();
    assert!(environment.contains("jail:bsd, FreeBSD 14.2-RELEASE, listens"), "{environment}");
    assert!(said.contains("iperf3 made the flows"), "{said}");
}
