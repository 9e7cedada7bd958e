//! From two hosts to a folder of evidence: what they are, how they reach one another, and a transfer each way.

mod iperf;
pub mod watch;

use crate::field::agent::{Answer, Kind, Load, Order, Received, Sent};
use crate::field::reach::{self, mtu_script, ping_script, pinged};
use crate::field::remote::Remote;
use crate::field::{FieldError, Lock, Scope, Shell, Ssh, Target, collect, listing, token};
use crate::folder::Folder;
use crate::sources::{PROBE, Probe, Transfer};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io, thread};

/// What is probed.
#[derive(Debug, Clone)]
pub struct Request {
    /// The host that listens.
    pub host: Target,
    /// The host that connects to it, and sends first.
    pub from: Target,
    /// Where `from` reaches `host`, if another address is meant than the one by which ssh does.
    pub address: Option<IpAddr>,
    pub port: u16,
    /// Of each transfer.
    pub load: Load,
    pub tool: Tool,
    pub ssh: Ssh,
    /// The folder for the evidence.
    pub out: PathBuf,
}

/// What makes traffic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// Our agent; iperf3 where it cannot run.
    Any,
    Iperf3,
}

/// The two hosts, ready for traffic.
struct Pair {
    shells: [Shell; 2],
    /// `None`: iperf3 makes the traffic.
    agents: Option<[Remote; 2]>,
    /// `host` as `from` reaches it.
    listening: SocketAddr,
    /// `from` as `host` sees it.
    seen: IpAddr,
    token: String,
    /// Held until the folder is written.
    _locks: Vec<Lock>,
}

/// An agent does what it is told in this time, beyond that of a transfer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Probes, and tells what it is doing; the folder has all of it. It goes again if nothing is in it.
pub fn probe(request: &Request, tell: &(dyn Fn(&str) + Sync)) -> Result<Probe, FieldError> {
    let folder = made(&request.out)?;
    probe_into(&folder, request, tell).inspect_err(|_| drop(fs::remove_dir(&request.out)))
}

fn probe_into(folder: &Folder, request: &Request, tell: &(dyn Fn(&str) + Sync)) -> Result<Probe, FieldError> {
    let mut pair = Pair::open(request, tell)?;
    let [from, host] = [&request.from, &request.host].map(Target::to_string);
    let ends = [pair.listening.ip(), pair.seen];
    tell("reading the settings, devices and routes of both hosts");
    let [of_from, of_host] = both(&pair.shells, |n, shell| collect(shell, Some(ends[n]), Scope::Facts));
    write(folder, "from.txt", &of_from?)?;
    write(folder, "host.txt", &of_host?)?;
    tell(&format!("{} pings each way, then the path MTU each way", reach::PINGS));
    let pings = both(&pair.shells, |n, shell| pinged(shell, &ping_script(ends[n])));
    let sizes = both(&pair.shells, |n, shell| pinged(shell, &mtu_script(ends[n])));
    let names = ["from", "host"];
    let mut paths: [Vec<String>; 2] = [vec![], vec![]];
    for (kind, texts) in [("ping", pings), ("mtu", sizes)] {
        for (n, text) in texts.into_iter().enumerate() {
            let (name, text) = (format!("{kind}-{}.txt", names[n]), text?);
            write(folder, &name, &text)?;
            // A host that answers no ping says nothing of the path.
            if text.contains(" bytes from ") {
                paths[n].push(name);
            }
        }
    }
    let facts = ["from.txt", "host.txt"].map(str::to_owned);
    let mut transfers = vec![];
    for (n, name) in ["upload", "download"].into_iter().enumerate() {
        let between = if n == 0 { [from.clone(), host.clone()] } else { [host.clone(), from.clone()] };
        tell(&format!("{name}: {} to {} for {} s", between[0], between[1], request.load.time.as_secs_f64()));
        let (document, screens) = pair.transfer(n == 0, &request.load)?;
        let mut files = vec![format!("{name}.json")];
        write(folder, &files[0], &document)?;
        if !screens.trim().is_empty() {
            files.push(format!("{name}-ss.txt"));
            write(folder, &files[1], &screens)?;
        }
        files.extend(paths[n].clone());
        let [sender, receiver] = if n == 0 { facts.clone() } else { [facts[1].clone(), facts[0].clone()] };
        transfers.push(Transfer { name: name.into(), between, files, sender: Some(sender), receiver: Some(receiver) });
    }
    let probe = Probe { goodput: env!("CARGO_PKG_VERSION").into(), transfers };
    write(folder, PROBE, &(serde_json::to_string_pretty(&probe).expect("plain data") + "\n"))?;
    Ok(probe)
}

/// An agent on each host.
fn started(shells: &[Shell; 2], locks: &[Lock]) -> Result<[Remote; 2], FieldError> {
    let (host, from) = (&locks[0], locks.last().expect("one at least"));
    Ok([Remote::start(&shells[0], from)?, Remote::start(&shells[1], host)?])
}

/// The same of both hosts at once.
fn both<T: Send>(shells: &[Shell; 2], of: impl Fn(usize, &Shell) -> T + Sync) -> [T; 2] {
    let resumed = |joined: thread::Result<T>| joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    thread::scope(|scope| {
        let first = scope.spawn(|| of(0, &shells[0]));
        let second = of(1, &shells[1]);
        [resumed(first.join()), second]
    })
}

fn here(path: &Path) -> impl FnOnce(io::Error) -> FieldError {
    let what = evidence::plain::path(path);
    move |error| FieldError::Here { what, error }
}

fn made(out: &Path) -> Result<Folder, FieldError> {
    fs::create_dir_all(out).map_err(here(out))?;
    if fs::read_dir(out).map_err(here(out))?.next().is_some() {
        let error = io::Error::other("it is not empty\n\nhint: choose another folder with --out");
        return Err(here(out)(error));
    }
    Folder::open(out).map_err(|refused| here(out)(refused.error))
}

fn write(folder: &Folder, name: &str, text: &str) -> Result<(), FieldError> {
    folder.write(name, text).map_err(|refused| here(&folder.place(name))(refused.error))
}

impl Pair {
    fn open(request: &Request, tell: &(dyn Fn(&str) + Sync)) -> Result<Pair, FieldError> {
        tell(&format!("connecting to {}", request.host));
        let shells = [Shell::open(&request.from, &request.ssh)?, Shell::open(&request.host, &request.ssh)?];
        let mut locks = vec![shells[1].lock()?];
        // With itself a host needs but one.
        let is_pair = request.from != request.host;
        locks.extend(is_pair.then(|| shells[0].lock()).transpose()?);
        let address = request.address.map_or_else(|| reach::address(&shells[1], &request.ssh, None), Ok)?;
        let listening = SocketAddr::new(address, request.port);
        let token = token();
        tell("starting what makes traffic on both hosts");
        let agents = match request.tool {
            Tool::Iperf3 => None,
            Tool::Any => match started(&shells, &locks) {
                Err(FieldError::NoTraffic { target, why }) => {
                    tell(&format!("iperf3 makes the traffic: {target}: {why}"));
                    None
                }
                agents => Some(agents?),
            },
        };
        let seen = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        let mut pair = Pair { shells, agents, listening, seen, token, _locks: locks };
        if pair.agents.is_some() {
            pair.listen()?;
            pair.greet()?;
        } else {
            pair.shells.iter().try_for_each(iperf::check)?;
            pair.seen = reach::source(&pair.shells[0], listening.ip())?;
        }
        Ok(pair)
    }

    fn agents(&mut self) -> &mut [Remote; 2] {
        self.agents.as_mut().expect("only asked where there are agents")
    }

    fn listen(&mut self) -> Result<(), FieldError> {
        let any = match self.listening {
            SocketAddr::V4(_) => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
            SocketAddr::V6(_) => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
        };
        let address = SocketAddr::new(any, self.listening.port());
        let order = Order::Listen { address, token: self.token.clone() };
        match self.agents()[1].order(&order, PATIENCE)? {
            Answer::Listening { .. } => Ok(()),
            Answer::Refused { kind: Kind::Taken, said } => Err(self.failed(
                1,
                "listening",
                format!(
                    "TCP port {} is another program's ({said})\n\nhint: pass a free one: --port {}",
                    address.port(),
                    address.port() + 1
                ),
            )),
            other => Err(self.unexpected(1, "listening", other)),
        }
    }

    fn greet(&mut self) -> Result<(), FieldError> {
        let order = Order::Greet { address: self.listening, token: self.token.clone() };
        match self.agents()[0].order(&order, PATIENCE)? {
            Answer::Greeted { seen, .. } => self.seen = seen.ip(),
            Answer::Refused { kind: kind @ (Kind::Silent | Kind::Closed), said } => {
                let port = self.listening.port();
                let firewall = self.shells[1].run(&FIREWALL.replace("@PORT@", &port.to_string())).map(|ran| ran.stdout);
                let hint = match kind {
                    Kind::Silent if said.contains("route") || said.contains("unreachable") => format!(
                        "there is no route to {to}, or a firewall rejects TCP port {port}: look at `ip route get {to}`; or {}",
                        firewall.unwrap_or_default().trim(),
                        to = self.listening.ip()
                    ),
                    Kind::Silent => format!(
                        "TCP port {port} is filtered: {}; or pass a port that is open: --port N",
                        firewall.unwrap_or_default().trim()
                    ),
                    _ => format!(
                        "the address may lead to another machine (NAT): pass --address with the host's own; or {}",
                        firewall.unwrap_or_default().trim()
                    ),
                };
                let (from, to) = (self.shells[0].target().clone(), self.listening.to_string());
                return Err(FieldError::NoPath { from, to, said, hint });
            }
            other => return Err(self.unexpected(0, "connecting", other)),
        }
        Ok(())
    }

    /// A transfer to the listening host, or from it: its document, and the screens of ss.
    fn transfer(&mut self, forward: bool, load: &Load) -> Result<(String, String), FieldError> {
        if self.agents.is_none() {
            let printed = iperf::transfer(&self.shells, self.listening, forward, load)?;
            return Ok((printed.document, printed.screens));
        }
        let (sent, received) = self.counted(forward, load)?;
        let document = serde_json::to_string_pretty(&listing::document(&sent, received.as_ref())).expect("plain data");
        Ok((document + "\n", sent.screens))
    }

    /// A transfer as both agents counted it.
    fn counted(&mut self, forward: bool, load: &Load) -> Result<(Sent, Option<Received>), FieldError> {
        let (address, token, load) = (self.listening, self.token.clone(), load.clone());
        let patience = load.time + PATIENCE;
        let order = match forward {
            true => Order::Send { address, token, load },
            false => Order::Receive { address, token, load },
        };
        let near = self.agents()[0].order(&order, patience)?;
        let far = self.agents()[1].order(&Order::Report, PATIENCE)?;
        match (near, far) {
            (Answer::Sent(sent), Answer::Received(received)) | (Answer::Received(received), Answer::Sent(sent)) => {
                Ok((*sent, Some(received)))
            }
            (Answer::Sent(sent), _) | (_, Answer::Sent(sent)) => Ok((*sent, None)),
            (refused @ Answer::Refused { .. }, _) => Err(self.unexpected(0, "the transfer", refused)),
            (_, other) => Err(self.unexpected(1, "the transfer", other)),
        }
    }

    fn failed(&self, n: usize, doing: &str, said: String) -> FieldError {
        FieldError::Refused { target: self.shells[n].target().clone(), doing: doing.into(), said }
    }

    fn unexpected(&self, n: usize, doing: &str, answer: Answer) -> FieldError {
        match answer {
            Answer::Refused { said, .. } => self.failed(n, doing, said),
            other => self.failed(n, doing, format!("{other:.200?}")),
        }
    }
}

/// The command that opens a port, by the firewall that is at work.
const FIREWALL: &str = r"
if ufw status 2>/dev/null | grep -q 'Status: active'; then echo 'run there: sudo ufw allow @PORT@/tcp'
elif firewall-cmd --state >/dev/null 2>&1; then echo 'run there: sudo firewall-cmd --add-port=@PORT@/tcp'
elif [ $(uname -s) = FreeBSD ]; then echo 'let pf or ipfw pass TCP port @PORT@ there'
elif nft list ruleset 2>/dev/null | grep -q 'hook input'; then
	chain=$(nft list chains 2>/dev/null | awk '/^table/ {t=$2 FS $3} /chain/ {c=$2} /hook input/ {print t, c; exit}')
	echo run there: sudo nft insert rule $chain tcp dport @PORT@ accept
else echo 'run there: sudo iptables -I INPUT -p tcp --dport @PORT@ -j ACCEPT'
fi
";

/// What a probe runs, in its order, each with the host that runs it.
pub fn dry_run(request: &Request) -> Vec<(String, String)> {
    let [from, host] = [&request.from, &request.host].map(Target::to_string);
    let shown = |target: &Target, words: &[&str]| ("here".to_owned(), Shell::shown(target, words));
    let ends = [request.address.map_or("HOST".into(), |address| address.to_string()), "FROM".to_owned()];
    let placed = |script: String, end: &str| script.replace("192.0.2.1", end);
    let example = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
    let load = &request.load;
    let mut steps = vec![shown(&request.from, &["sh", "-s"]), shown(&request.host, &["sh", "-s"])];
    for (n, name) in [&from, &host].into_iter().enumerate() {
        steps.push((
            name.clone(),
            "take the lock /tmp/goodput-field-*.lock, a folder that goes when goodput ends".into(),
        ));
        let target = [&request.from, &request.host][n];
        if request.tool == Tool::Iperf3 {
            continue;
        }
        let own = if target.shares_files() { "goodput" } else { "LOCK/goodput" };
        if !target.shares_files() {
            steps.push((name.clone(), "tee LOCK/goodput (a copy of this program)".into()));
        }
        steps.push((name.clone(), format!("{own} field agent")));
    }
    for (n, name) in [&from, &host].into_iter().enumerate() {
        steps.push((name.clone(), "the script of `goodput field collect`, without live connections".into()));
        steps.push((name.clone(), placed(ping_script(example), &ends[n])));
        steps.push((name.clone(), placed(mtu_script(example), &ends[n])));
    }
    let about = |a: &str, b: &str| {
        format!("TCP port {}: {a} to {b}, {} s or {} bytes", request.port, load.time.as_secs_f64(), load.bytes)
    };
    for (forward, said) in [(true, about(&from, &host)), (false, about(&host, &from))] {
        match request.tool {
            Tool::Any => steps.push((from.clone(), said)),
            Tool::Iperf3 => {
                let listening = SocketAddr::new(request.address.unwrap_or(example), request.port);
                let [server, client] = iperf::shown(listening, forward, load).map(|command| placed(command, &ends[0]));
                steps.extend([(host.clone(), server), (from.clone(), client)]);
            }
        }
    }
    steps
}
