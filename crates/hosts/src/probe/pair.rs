//! Two hosts that are ready to send to each other.

use super::iperf;
use crate::field::agent::{Answer, End, FlowLoad, Load, Order, Received, RefusalKind, Sent};
use crate::field::remote::Remote;
use crate::field::{FieldError, Lock, Shell, Ssh, Target, listing, namespaces, reach, token};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::thread;
use std::time::Duration;

/// Two hosts, and the way from one to the other.
#[derive(Debug, Clone)]
pub struct Ends {
    /// Listening host.
    pub host: Target,
    /// Host that connects to it.
    pub from: Target,
    /// Address at which `from` reaches `host`, if not the one by which ssh does.
    pub address: Option<IpAddr>,
    pub port: u16,
    pub tool: Tool,
    pub ssh: Ssh,
}

impl Ends {
    /// Returns the names of both: the connecting host's, and the listening one's.
    pub fn names(&self) -> [String; 2] {
        [&self.from, &self.host].map(Target::to_string)
    }
}

/// The tool that makes traffic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// Goodput's agent; iperf3 if it cannot run.
    Any,
    /// Goodput's agent only.
    Agent,
    Iperf3,
}

/// Two hosts, ready for traffic.
pub struct Pair {
    /// Agents; `None` if iperf3 makes the traffic.
    agents: Option<[Remote; 2]>,
    /// Version of the connecting host's iperf3, if that makes the traffic.
    pub iperf3: Option<iperf::Version>,
    /// Locks, released while the connections are still open.
    _locks: Vec<Lock>,
    pub shells: [Shell; 2],
    /// Address of `host` as `from` reaches it.
    pub listening: SocketAddr,
    /// Address of `from` as `host` sees it.
    pub seen: IpAddr,
    token: String,
}

/// Time for an agent to follow an order, beyond that of a transfer.
const ORDER_TIMEOUT: Duration = Duration::from_secs(30);

impl Pair {
    pub fn open(request: &Ends, tell: &(dyn Fn(&str) + Sync)) -> Result<Pair, FieldError> {
        tell(&format!("connecting to {}", request.host));
        let shells = [Shell::open(&request.from, &request.ssh)?, Shell::open(&request.host, &request.ssh)?];
        let mut locks = vec![shells[1].lock()?];
        // A host paired with itself needs only one.
        let is_pair = request.from != request.host;
        locks.extend(is_pair.then(|| shells[0].lock()).transpose()?);
        let address = request.address.map_or_else(|| reach::address(&shells[1], &request.ssh, None), Ok)?;
        let listening = SocketAddr::new(address, request.port);
        let token = token();
        tell("starting what makes traffic on both hosts");
        let agents = match request.tool {
            Tool::Iperf3 => None,
            tool @ (Tool::Any | Tool::Agent) => match started(&shells, &locks) {
                Err(FieldError::NoTraffic { target, why }) if tool == Tool::Any => {
                    tell(&format!("iperf3 makes the traffic: {target}: {why}"));
                    None
                }
                agents => Some(agents?),
            },
        };
        let seen = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        let mut pair = Pair { shells, agents, iperf3: None, listening, seen, token, _locks: locks };
        if pair.agents.is_some() {
            pair.listen(None)?;
            pair.greet()?;
        } else {
            let [near, far] = pair.shells.each_ref().map(iperf::check);
            far?;
            pair.iperf3 = Some(near?);
            pair.seen = reach::source(&pair.shells[0], listening.ip())?;
        }
        Ok(pair)
    }

    fn agents(&mut self) -> &mut [Remote; 2] {
        self.agents.as_mut().expect("only asked where there are agents")
    }

    /// Listens, anew if it does already.
    fn listen(&mut self, receive_buffer: Option<u32>) -> Result<(), FieldError> {
        let any = match self.listening {
            SocketAddr::V4(_) => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
            SocketAddr::V6(_) => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
        };
        let address = SocketAddr::new(any, self.listening.port());
        let order = Order::Listen { address, token: self.token.clone(), receive_buffer };
        match self.agents()[1].order(&order, ORDER_TIMEOUT)? {
            Answer::Listening { .. } => Ok(()),
            Answer::Refused { kind: RefusalKind::Taken, said } => Err(self.failed(
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
        match self.agents()[0].order(&order, ORDER_TIMEOUT)? {
            Answer::Greeted { seen, .. } => self.seen = seen.ip(),
            Answer::Refused {
                kind: kind @ (RefusalKind::Silent | RefusalKind::Closed | RefusalKind::Stranger),
                said,
            } => {
                let (from, to) = (self.shells[0].target().clone(), self.listening.to_string());
                let port = self.listening.port();
                let firewall = self.shells[1].run(&FIREWALL.replace("@PORT@", &port.to_string())).map(|ran| ran.stdout);
                let hint = match kind {
                    RefusalKind::Silent if said.contains("route") || said.contains("unreachable") => format!(
                        "there is no route to {to}, or a firewall rejects TCP port {port}: look at `ip route get {to}`; or {}",
                        firewall.unwrap_or_default().trim(),
                        to = self.listening.ip()
                    ),
                    RefusalKind::Silent => format!(
                        "TCP port {port} is filtered: {}; or pass a port that is open: --port N",
                        firewall.unwrap_or_default().trim()
                    ),
                    RefusalKind::Stranger => {
                        "the address may lead to another machine, or through a proxy: pass --address with the host's own"
                            .into()
                    }
                    _ => format!(
                        "the address may lead to another machine (NAT): pass --address with the host's own; or {}",
                        firewall.unwrap_or_default().trim()
                    ),
                };
                let hint = match (&from, self.shells[1].target()) {
                    (Target::Local, host @ Target::Namespace(_)) => format!("{}; {hint}", from_within(host)),
                    _ => hint,
                };
                return Err(FieldError::NoPath { from, to, said, hint });
            }
            other => return Err(self.unexpected(0, "connecting", other)),
        }
        Ok(())
    }

    /// Makes a transfer to the listening host, or from it, and returns its document and the screens of ss.
    pub fn transfer(&mut self, forward: bool, load: &Load) -> Result<(String, String), FieldError> {
        if let Some(version) = self.iperf3 {
            let printed = iperf::transfer(&self.shells, version, self.listening, forward, load)?;
            return Ok((printed.document, printed.screens));
        }
        let (sent, received) = self.counted(forward, load)?;
        let document = serde_json::to_string_pretty(&listing::document(&sent, received.as_ref())).expect("plain data");
        Ok((document + "\n", sent.screens))
    }

    /// Makes a transfer and returns the counts of both agents.
    fn counted(&mut self, forward: bool, load: &Load) -> Result<(Sent, Option<Received>), FieldError> {
        let (address, token, load) = (self.listening, self.token.clone(), load.clone());
        let patience = load.time + ORDER_TIMEOUT;
        let order = match forward {
            true => Order::Send { address, token, load },
            false => Order::Receive { address, token, load },
        };
        let near = self.agents()[0].order(&order, patience)?;
        let far = self.agents()[1].order(&Order::Report, ORDER_TIMEOUT)?;
        match (near, far) {
            (Answer::Sent(sent), Answer::Received(received)) | (Answer::Received(received), Answer::Sent(sent)) => {
                Ok((*sent, Some(received)))
            }
            (Answer::Sent(sent), _) | (_, Answer::Sent(sent)) => Ok((*sent, None)),
            (refused @ Answer::Refused { .. }, _) => Err(self.unexpected(0, "the transfer", refused)),
            (_, other) => Err(self.unexpected(1, "the transfer", other)),
        }
    }

    /// Makes flows, and returns the reports of their ends: the connecting host's, then the listening one's.
    /// `receive_buffer` is that of flows to the listening host.
    pub fn flows(
        &mut self,
        flows: &[FlowLoad],
        receive_buffer: Option<u32>,
        length: Duration,
    ) -> Result<[Vec<End>; 2], FieldError> {
        self.listen(receive_buffer)?;
        let order = Order::Flows { address: self.listening, token: self.token.clone(), flows: flows.to_vec() };
        let near = match self.agents()[0].order(&order, length + ORDER_TIMEOUT)? {
            Answer::Ends(ends) => ends,
            other => return Err(self.unexpected(0, "the flows", other)),
        };
        // A flow that was never connected has no other end.
        let count = near.iter().filter(|end| end.ends.is_some()).count();
        match self.agents()[1].order(&Order::Ends { count, within: ORDER_TIMEOUT / 2 }, ORDER_TIMEOUT)? {
            Answer::Ends(far) => Ok([near, far]),
            other => Err(self.unexpected(1, "the flows", other)),
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

/// Returns the hint for a namespace that this machine's own does not reach: the other end to pass.
fn from_within(host: &Target) -> String {
    let others = namespaces().into_iter().map(|name| format!("netns:{name}"));
    let others: Vec<String> = others.filter(|name| *name != host.to_string()).collect();
    let present = if others.is_empty() { String::new() } else { format!(" (there are: {})", others.join(", ")) };
    format!(
        "without --from the other end is this machine itself: if another namespace reaches {host}, pass it: --from netns:NAME{present}"
    )
}

/// Command that opens a port, for the active firewall.
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

/// Starts an agent on each host.
fn started(shells: &[Shell; 2], locks: &[Lock]) -> Result<[Remote; 2], FieldError> {
    let (host, from) = (&locks[0], locks.last().expect("one at least"));
    Ok([Remote::start(&shells[0], from)?, Remote::start(&shells[1], host)?])
}

/// Does the same for both hosts at the same time.
pub fn both<T: Send>(shells: &[Shell; 2], of: impl Fn(usize, &Shell) -> T + Sync) -> [T; 2] {
    let resumed = |joined: thread::Result<T>| joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    thread::scope(|scope| {
        let first = scope.spawn(|| of(0, &shells[0]));
        let second = of(1, &shells[1]);
        [resumed(first.join()), second]
    })
}
