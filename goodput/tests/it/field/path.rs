//! Two hosts and a router as network namespaces of this machine, with an sshd at each host whose users have shells of
//! several kinds. Needs root and openssh-server.

use crate::skip::skip;
use hosts::login::{Shell, Ssh, Target};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// IPv4 and IPv6 addresses of the host `b`; `a` has 1.
pub const B: &str = "10.91.2.2";
pub const B6: &str = "fd00:91:2::2";
const PORT: u16 = 2222;
const UID: u32 = 61_234;

/// Users of both hosts, with their login shells.
pub const USERS: &[(&str, &str)] = &[
    ("plain", "/bin/sh"),
    ("bash", "/bin/bash"),
    ("csh", "/bin/tcsh"),
    ("fish", "/usr/bin/fish"),
    ("loud", "/bin/bash"),
];

pub struct Lan {
    /// Names of `a`, the router and `b`.
    pub hosts: [String; 3],
    folder: TempDir,
    sshd: Vec<Child>,
    relays: Mutex<Vec<Child>>,
}

/// Whether such hosts can be made here; prints the reason if not.
pub fn is_possible() -> bool {
    let is_root = nix::unistd::geteuid().is_root();
    let missing = ["/usr/sbin/sshd", "/usr/sbin/ip", "/usr/bin/ping", "/bin/tcsh", "/usr/bin/fish"]
        .into_iter()
        .find(|path| !Path::new(path).exists());
    if !is_root || missing.is_some() {
        skip(&missing.map_or("it needs root".into(), |path| format!("{path} is not installed")));
    }
    is_root && missing.is_none()
}

/// Whether iperf3 is installed; the test is skipped without it.
pub fn has_iperf3() -> bool {
    let is_installed = Path::new("/usr/bin/iperf3").exists();
    if !is_installed {
        skip("iperf3 is not installed");
    }
    is_installed
}

pub fn done(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn ip(words: &str) {
    done(Command::new("ip").args(words.split_whitespace()));
}

/// goodput as small as a release, until the build is another; the build's own without strip(1).
static STRIPPED: LazyLock<PathBuf> = LazyLock::new(|| {
    let own = Path::new(env!("CARGO_BIN_EXE_goodput"));
    let small = Path::new(env!("CARGO_TARGET_TMPDIR")).join("goodput");
    let built = |path: &Path| path.metadata().and_then(|meta| meta.modified()).ok();
    if built(&small) > built(own) {
        return small;
    }
    let new = small.with_extension(std::process::id().to_string());
    let stripped = Command::new("strip").arg("-o").arg(&new).arg(own).status();
    let is_there = stripped.is_ok_and(|status| status.success()) && fs::rename(&new, &small).is_ok();
    if is_there { small } else { own.to_owned() }
});

/// The program that tests copy to hosts.
pub fn small() -> &'static Path {
    &STRIPPED
}

/// The relay of `scripts/native-paths`: a path in user space between two TUN interfaces. `None` without a compiler.
static RELAY: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/native-paths/relay.c");
    let relay = Path::new(env!("CARGO_TARGET_TMPDIR")).join("relay");
    let new = relay.with_extension(std::process::id().to_string());
    let built = Command::new("cc").args(["-O2", "-o"]).arg(&new).arg(source).arg("-lm").status();
    let is_there = built.is_ok_and(|status| status.success()) && fs::rename(&new, &relay).is_ok();
    is_there.then_some(relay)
});

static NUMBER: AtomicUsize = AtomicUsize::new(0);

impl Lan {
    /// The hosts, joined by links without faults.
    pub fn new() -> Lan {
        let number = NUMBER.fetch_add(1, Ordering::SeqCst);
        let hosts = ["a", "r", "b"].map(|name| format!("gp{}n{number}{name}", std::process::id()));
        let folder = tempfile::tempdir_in("/tmp").unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let mut lan = Lan { hosts, folder, sshd: vec![], relays: Mutex::default() };
        lan.hosts.iter().for_each(|host| ip(&format!("netns add {host}")));
        let [a, r, b] = &lan.hosts;
        for (host, net, device) in [(a, 1, "left"), (b, 2, "right")] {
            ip(&format!("-n {host} link add eth0 type veth peer name {device} netns {r}"));
            for (node, device, last) in [(host, "eth0", if net == 1 { 1 } else { 2 }), (r, device, 254)] {
                ip(&format!("-n {node} addr add 10.91.{net}.{last}/24 dev {device}"));
                ip(&format!("-n {node} addr add fd00:91:{net}::{last:x}/64 dev {device} nodad"));
                ip(&format!("-n {node} link set {device} up"));
                ip(&format!("-n {node} link set lo up"));
            }
            ip(&format!("-n {host} route add default via 10.91.{net}.254"));
            ip(&format!("-n {host} route add default via fd00:91:{net}::fe"));
        }
        lan.sh(1, "sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1");
        lan.keys();
        lan.sshd = vec![lan.start_sshd(0), lan.start_sshd(2)];
        lan
    }

    /// Adds a delay of `one_way` ms in each direction at the router, for IPv4; false, with the reason printed, if that
    /// is impossible.
    pub fn delay(&self, one_way: u32) -> bool {
        let Some(relay) = RELAY.as_ref().filter(|_| Path::new("/dev/net/tun").exists()) else {
            skip("a round-trip time needs a C compiler and /dev/net/tun");
            return false;
        };
        self.sh(
            1,
            "for i in 0 1; do ip tuntap add tun$i mode tun && ip link set tun$i txqueuelen 20000 up && \
             ip route add default dev tun$i table 1$i || exit 1; done; ip rule add iif left lookup 10; \
             ip rule add iif right lookup 11; for i in all tun0 tun1; do sysctl -qw net.ipv4.conf.$i.rp_filter=0; done",
        );
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.hosts[1], "chrt", "-f", "50"]).arg(relay).arg(self.at("relay.json"));
        command.args(["tun0", "tun1"]).args([format!("fwd.delay={one_way}"), format!("rev.delay={one_way}")]);
        // The relay exits when its standard input closes, and the child has the other end.
        let relay = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        self.relays.lock().unwrap().push(relay);
        let began = Instant::now();
        while !self.sh(1, "ip link show tun1").contains("LOWER_UP") {
            assert!(began.elapsed() < Duration::from_secs(20), "the relay does not start");
            thread::sleep(Duration::from_millis(20));
        }
        true
    }

    /// Runs a script as root in a namespace: 0 is `a`, 1 the router, 2 `b`.
    pub fn sh(&self, host: usize, script: &str) -> String {
        done(Command::new("ip").args(["netns", "exec", &self.hosts[host], "sh", "-c", script]))
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn keys(&self) {
        for key in ["host", "user", "stranger"] {
            done(Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(self.at(key)));
        }
        let public = fs::read_to_string(self.at("host.pub")).unwrap();
        let public: Vec<&str> = public.split_whitespace().collect();
        let known: String = ["10.91.1.1", B, "fd00:91:1::1", B6]
            .map(|host| format!("[{host}]:{PORT} {} {}\n", public[0], public[1]))
            .concat();
        fs::write(self.at("known_hosts"), known).unwrap();
        let mut accounts = fs::read_to_string("/etc/passwd").unwrap();
        for (number, (user, shell)) in USERS.iter().enumerate() {
            let (id, home) = (UID as usize + number, self.at(user));
            accounts += &format!("{user}:*:{id}:{id}::{}:{shell}\n", home.display());
            fs::create_dir_all(home.join(".ssh")).unwrap();
            fs::copy(self.at("user.pub"), home.join(".ssh/authorized_keys")).unwrap();
            std::os::unix::fs::chown(&home, Some(id as u32), Some(id as u32)).unwrap();
        }
        fs::write(self.at("loud/.bashrc"), "echo 'Welcome to b'; echo 'mind the gap' >&2\n").unwrap();
        fs::write(self.at("passwd"), accounts).unwrap();
        let root = self.at("authorized_root");
        fs::copy(self.at("user.pub"), &root).unwrap();
        let sshd = format!(
            "Port {PORT}\nHostKey {host}\nAuthorizedKeysFile .ssh/authorized_keys {root}\nUsePAM no\nStrictModes no\n\
             PasswordAuthentication no\nPermitRootLogin yes\nBanner {banner}\nPidFile none\n",
            host = self.at("host").display(),
            root = root.display(),
            banner = self.at("banner").display(),
        );
        fs::write(self.at("sshd_config"), sshd).unwrap();
        fs::write(self.at("banner"), "Authorised use only.\n").unwrap();
        for (name, key) in [("config", "user"), ("config_stranger", "stranger")] {
            let config = format!(
                "UserKnownHostsFile {}\nGlobalKnownHostsFile /dev/null\nIdentityFile {}\nIdentitiesOnly yes\n\
                 StrictHostKeyChecking yes\nPort {PORT}\n",
                self.at("known_hosts").display(),
                self.at(key).display()
            );
            fs::write(self.at(name), config).unwrap();
        }
    }

    /// An sshd that knows the users above: in its mount namespace /etc/passwd is ours.
    fn start_sshd(&self, host: usize) -> Child {
        let script = format!(
            "mkdir -p /run/sshd; mount --make-rprivate /; mount --bind {} /etc/passwd && exec /usr/sbin/sshd -D -f {} -E {}",
            self.at("passwd").display(),
            self.at("sshd_config").display(),
            self.at(&format!("sshd{host}.log")).display()
        );
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.hosts[host], "sh", "-c", &script]);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let began = Instant::now();
        while !self.sh(host, "ss -Htln").contains(&format!(":{PORT} ")) {
            assert!(began.elapsed() < Duration::from_secs(20), "sshd does not listen");
            thread::sleep(Duration::from_millis(20));
        }
        child
    }

    /// The user's ssh with a key that the hosts know; a broken connection is detected after three seconds.
    pub fn ssh(&self) -> Ssh {
        Ssh { config: Some(self.at("config")), alive: 1 }
    }

    /// The part of a lock's name that identifies `b`.
    pub fn lock_name(&self) -> String {
        self.sh(2, "readlink /proc/self/ns/net | tr -cd 0-9").trim().to_owned()
    }

    /// goodput in the namespace of `a`, without debug information, because it is copied over ssh.
    pub fn goodput(&self, words: &[&str]) -> Output {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.hosts[0]]).arg(&*STRIPPED).args(words);
        command.current_dir(self.folder.path()).stdin(Stdio::null()).output().unwrap()
    }

    /// Runs a closure in the namespace of `a`, in a thread of its own.
    pub fn within<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        let namespace = fs::File::open(format!("/run/netns/{}", self.hosts[0])).unwrap();
        thread::scope(|scope| {
            let inside = scope.spawn(move || {
                nix::sched::setns(namespace, nix::sched::CloneFlags::CLONE_NEWNET).unwrap();
                work()
            });
            inside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    pub fn shell(&self, user: &str) -> Shell {
        Shell::open(&Target::parse(&format!("{user}@{B}")).unwrap(), &self.ssh()).unwrap()
    }
}

impl Drop for Lan {
    fn drop(&mut self) {
        for host in &self.hosts {
            // sshd and its sessions, which survive a broken connection.
            let pids = Command::new("ip").args(["netns", "pids", host]).output().unwrap();
            for pid in String::from_utf8_lossy(&pids.stdout).split_whitespace() {
                let _ = Command::new("kill").args(["-9", pid]).output();
            }
        }
        let relays = self.relays.get_mut().unwrap();
        relays.iter_mut().chain(&mut self.sshd).for_each(|child| drop(child.wait()));
        for host in &self.hosts {
            let _ = Command::new("ip").args(["netns", "del", host]).output();
        }
    }
}
