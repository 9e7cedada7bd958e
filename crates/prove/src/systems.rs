//! The systems of both ends. A case and its candidates have Linux's settings; an experiment has those of each end's system.

use super::hosts::{LAB_WINDOW_SCALING, is_of_end};
use super::settings::UNLIMITED_BUFFER_BYTES;
use base::model::buffer;
use diagnosis::remedy::lab::Key;
use evidence::{Connection, End, Evidence, System};
use serde::Serialize;
use toml::Value;

/// The guest kernel with FreeBSD's stack, as docs/freebsd.md names it.
pub const FREEBSD_KERNEL: &str = "freebsd";

/// The system of each end; Linux unless the evidence says otherwise.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Systems {
    pub sender: System,
    pub receiver: System,
    /// The sender's TCP stack, if it is not FreeBSD's default one: `rack`.
    pub stack: Option<String>,
}

/// kern.ipc.maxsockbuf of a FreeBSD end, bytes: the limits are those of autotuning.
const MAX_SOCKET_BUFFER_BYTES: i64 = 4 * UNLIMITED_BUFFER_BYTES as i64;
/// The first receive buffer of FreeBSD (net.inet.tcp.recvspace), and the most that a send buffer begins with here, bytes.
const FIRST_BUFFER_BYTES: u64 = 65_536;
const ENDS: [(&str, End); 2] = [("sender", End::Sender), ("receiver", End::Receiver)];
const STACK: &str = "net.inet.tcp.functions_default";
const DEFAULT_STACK: &str = "freebsd";

impl Systems {
    /// Returns the systems at a run.
    pub fn at_run(evidence: &Evidence, run: &Connection, notes: &mut Vec<String>) -> Systems {
        let at = |end: End| evidence.hosts.iter().filter(move |host| is_of_end(host, run, end));
        let known = [End::Sender, End::Receiver].map(|end| at(end).find_map(|host| host.system));
        let [sender, receiver] = known.map(|system| system.unwrap_or(System::Linux));
        for (system, end) in known.into_iter().zip(["sender", "receiver"]) {
            if system.is_none() && known.contains(&Some(System::FreeBsd)) {
                notes.push(format!("The {end}'s system is not known: in the lab it runs Linux."));
            }
        }
        if known.contains(&Some(System::FreeBsd)) {
            notes.push(
                "tcp_rmem and tcp_wmem are Linux's names: at a FreeBSD end the lab sets net.inet.tcp.recvbuf_max to the \
                 same window, and net.inet.tcp.sendbuf_max."
                    .into(),
            );
        }
        let chosen = at(End::Sender).find_map(|host| host.setting_at(STACK, &run.place));
        let stack = chosen.map(|stack| stack.value.clone()).filter(|stack| stack != DEFAULT_STACK);
        Systems { sender, receiver, stack: stack.filter(|_| sender == System::FreeBsd) }
    }

    /// Returns the system of an end.
    pub fn of(&self, end: End) -> System {
        if end == End::Receiver { self.receiver } else { self.sender }
    }

    /// Whether the sender has a congestion control: its system's kernel, or for BBR its TCP stack.
    pub fn has_control(&self, name: &str, known: &[String]) -> bool {
        let own = match (self.sender, name) {
            (System::FreeBsd, "bbr") => return true,
            (System::FreeBsd, "reno") => "newreno",
            _ => name,
        };
        known.iter().any(|one| one == own)
    }

    /// Whether an end runs FreeBSD.
    pub fn any_freebsd(&self) -> bool {
        [self.sender, self.receiver].contains(&System::FreeBsd)
    }

    /// Names the settings to look up as the system of their end calls them.
    pub fn in_own_names(&self, text: &str) -> String {
        const SEND: [&str; 2] = ["net.ipv4.tcp_wmem", "net.inet.tcp.sendbuf_max kern.ipc.maxsockbuf"];
        const RECEIVE: [&str; 2] =
            ["net.ipv4.tcp_rmem net.ipv4.tcp_adv_win_scale", "net.inet.tcp.recvbuf_max kern.ipc.maxsockbuf"];
        let all = [(self.sender, SEND), (self.receiver, RECEIVE)];
        let of_freebsd = all.into_iter().filter(|(system, _)| *system == System::FreeBsd);
        of_freebsd.fold(text.to_owned(), |text, (_, [linux, freebsd])| text.replace(linux, freebsd))
    }

    /// Returns the keys that make each end run its system.
    pub fn own_keys(&self) -> Vec<Key> {
        let ends = ENDS.into_iter().filter(|(_, end)| self.of(*end) == System::FreeBsd);
        let mut keys: Vec<Key> = ends
            .flat_map(|(end, _)| {
                let stack = Key::new(format!("hosts.{end}.stack"), "freebsd");
                [stack, sysctl(end, "kern.ipc.maxsockbuf", MAX_SOCKET_BUFFER_BYTES)]
            })
            .collect();
        keys.extend(self.stack.iter().map(|stack| sysctl("sender", STACK, stack.clone())));
        keys
    }

    /// Returns keys as the systems of the ends have them; `None` if one has nothing alike.
    pub fn keys(&self, keys: &[Key]) -> Option<Vec<Key>> {
        Some(keys.iter().map(|key| self.key(key)).collect::<Option<Vec<_>>>()?.concat())
    }

    fn key(&self, key: &Key) -> Option<Vec<Key>> {
        let sender_runs_freebsd = self.sender == System::FreeBsd;
        match (key.path.as_str(), key.value.as_str()) {
            ("flows.congestion", Some("reno")) if sender_runs_freebsd => {
                return Some(vec![Key::new("flows.congestion", "newreno")]);
            }
            ("flows.congestion", Some("bbr")) if sender_runs_freebsd => {
                return Some(vec![Key::new("flows.congestion", "newreno"), sysctl("sender", STACK, "bbr")]);
            }
            ("flows.slow-start-ends", _) if sender_runs_freebsd => return None,
            _ => {}
        }
        let of_end = ENDS.iter().find_map(|(name, end)| {
            let rest = key.path.strip_prefix("hosts.")?.strip_prefix(name)?.strip_prefix('.')?;
            (self.of(*end) == System::FreeBsd).then_some((*name, rest))
        });
        let Some((end, name)) = of_end else { return Some(vec![key.clone()]) };
        let most = || key.value.as_str()?.split_whitespace().nth(2)?.parse::<u64>().ok();
        let switch = || key.value.as_bool().map(i64::from);
        let buffer = |which: &str, most: u64| {
            let first = most.min(FIRST_BUFFER_BYTES);
            [(format!("net.inet.tcp.{which}buf_max"), most), (format!("net.inet.tcp.{which}space"), first)]
                .map(|(name, bytes)| sysctl(end, &name, i64::try_from(bytes).unwrap_or(i64::MAX)))
                .to_vec()
        };
        Some(match name {
            // FreeBSD's buffer is a window in full.
            "sysctl.net.ipv4.tcp_rmem" => buffer("recv", buffer::window(most()?, LAB_WINDOW_SCALING)),
            "sysctl.net.ipv4.tcp_wmem" => buffer("send", most()?),
            "ecn" => vec![sysctl(end, "net.inet.tcp.ecn.enable", switch()?)],
            "mtu-probing" => vec![sysctl(end, "net.inet.tcp.pmtud_blackhole_detection", switch()?)],
            "recovery" => vec![sysctl(end, STACK, "rack")],
            "nic" => vec![key.clone()],
            _ => return None,
        })
    }
}

fn sysctl(end: &str, name: &str, value: impl Into<Value>) -> Key {
    Key::new(format!("hosts.{end}.sysctl.{name}"), value)
}
