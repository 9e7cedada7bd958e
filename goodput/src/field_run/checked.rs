//! What hosts have, compared with what an experiment asks for: before the first trial, and after each.

use super::FieldRunError;
use crate::field::agent::{End, FlowLoad};
use crate::field::{FieldError, Shell, Target};
use crate::plan::{Plan, Traffic};
use crate::probe::Ends;

/// What is asked of a host.
pub const FACTS: &str = "echo release $(uname -r); echo user $(id -u)
cd /proc/sys/net && for key in ipv4/tcp_available_congestion_control ipv4/tcp_allowed_congestion_control core/rmem_max core/wmem_max
do [ ! -r $key ] || echo $key $(cat $key); done";

/// A host as far as flows depend on it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    target: String,
    pub release: String,
    is_root: bool,
    available: Vec<String>,
    allowed: Vec<String>,
    /// SO_RCVBUF and SO_SNDBUF at most, bytes, where the host says.
    receive_most: Option<u64>,
    send_most: Option<u64>,
}

impl Facts {
    pub fn of(shell: &Shell) -> Result<Facts, FieldError> {
        let text = shell.ask("reading what TCP may do there", FACTS)?;
        Ok(Facts { target: shell.target().to_string(), ..Facts::read(&text) })
    }

    fn read(text: &str) -> Facts {
        let values = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
        let names = |key: &str| values(key).unwrap_or("").split_whitespace().map(str::to_owned).collect();
        let number = |key: &str| values(key)?.trim().parse().ok();
        Facts {
            target: String::new(),
            release: values("release").unwrap_or("").trim().to_owned(),
            is_root: values("user").is_some_and(|user| user.trim() == "0"),
            available: names("ipv4/tcp_available_congestion_control"),
            allowed: names("ipv4/tcp_allowed_congestion_control"),
            receive_most: number("core/rmem_max"),
            send_most: number("core/wmem_max"),
        }
    }

    /// What keeps a flow from this congestion control. Root's sockets load what is not there (tcp_ca_find_autoload,
    /// net/ipv4/tcp_cong.c).
    fn lacks(&self, name: &str) -> Option<String> {
        let has = |names: &[String]| names.iter().any(|own| own == name);
        if self.is_root || self.available.is_empty() || has(&self.allowed) {
            return None;
        }
        let hint = match has(&self.available) {
            true => format!(
                "allow it there: sudo sysctl net.ipv4.tcp_allowed_congestion_control=\"{} {name}\"",
                self.allowed.join(" ")
            ),
            false => format!(
                "load and allow it there: sudo modprobe tcp_{name}; sudo sysctl net.ipv4.tcp_allowed_congestion_control=\"{} {name}\"",
                self.allowed.join(" ")
            ),
        };
        Some(format!("an ordinary user may not use congestion control {name}\n\nhint: {hint}"))
    }
}

/// Refuses a plan that the hosts cannot run.
pub fn check(plan: &Plan, names: &[String; 2], facts: &[Facts; 2]) -> Result<(), FieldRunError> {
    let refused = |host: &Facts, said: String| {
        let target = Target::parse(&host.target).unwrap_or(Target::Local);
        Err(FieldError::Refused { target, doing: "what the experiment asks for".into(), said }.into())
    };
    for flow in plan.trials.iter().flat_map(|trial| &trial.scene.flows) {
        let Traffic::Bulk { tcp, .. } = &flow.traffic else { continue };
        let host = |name: &String| &facts[usize::from(*name == names[1])];
        let (sender, receiver) = (host(&flow.from), host(&flow.to));
        if let Some(said) = tcp.congestion.as_deref().and_then(|name| sender.lacks(name)) {
            return refused(sender, said);
        }
        let buffers = [
            (sender, tcp.send_buffer, sender.send_most, "net.core.wmem_max"),
            (receiver, tcp.receive_buffer, receiver.receive_most, "net.core.rmem_max"),
        ];
        for (host, asked, most, key) in buffers {
            if let (Some(asked), Some(most)) = (asked.map(u64::from), most)
                && asked > most
            {
                let said = format!(
                    "a buffer of {asked} bytes is more than {key} allows ({most})\n\nhint: raise it there: sudo sysctl {key}={asked}"
                );
                return refused(host, said);
            }
        }
    }
    Ok(())
}

/// Refuses flows that could not be made, or that the kernel made otherwise than asked.
pub fn made(hosts: &Ends, loads: &[FlowLoad], ends: &[Vec<End>; 2]) -> Result<(), FieldError> {
    let targets = [&hosts.from, &hosts.host];
    for (side, own) in ends.iter().enumerate() {
        for end in own {
            let failed = |said: String| {
                let (target, doing) = (targets[side].clone(), format!("flow {}", end.number));
                Err(FieldError::Refused { target, doing, said })
            };
            let Some(last) = end.looks.last() else {
                let why = end.broken.clone().unwrap_or("nothing was seen of it".into());
                return failed(why);
            };
            let Some(load) = loads.iter().find(|load| load.number == end.number) else { continue };
            if let Some(asked) = load.congestion.as_ref().filter(|asked| end.sends && **asked != end.congestion) {
                return failed(format!("it was to have {asked}, and has {}", end.congestion));
            }
            let (asked, got) = match end.sends {
                true => (load.send_buffer, last.memory[0]),
                false => (load.receive_buffer, last.memory[2]),
            };
            // Linux doubles what it is told (sk_setsockopt, net/core/sock.c).
            if let Some(asked) = asked.filter(|asked| got < asked.saturating_mul(2)) {
                let key = if end.sends { "net.core.wmem_max" } else { "net.core.rmem_max" };
                return failed(format!(
                    "a buffer of {asked} bytes became {}\n\nhint: raise it there: sudo sysctl {key}={asked}",
                    got / 2
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_says_what_an_ordinary_user_may_not() {
        let page = "release 6.1.0-18\nuser 1000\nipv4/tcp_available_congestion_control reno cubic bbr\n\
                    ipv4/tcp_allowed_congestion_control reno cubic\ncore/rmem_max 212992\n";
        let facts = Facts::read(page);
        assert_eq!((facts.release.as_str(), facts.receive_most, facts.send_most), ("6.1.0-18", Some(212_992), None));
        assert_eq!(facts.lacks("cubic"), None);
        let said = facts.lacks("bbr").unwrap();
        assert!(said.ends_with("sudo sysctl net.ipv4.tcp_allowed_congestion_control=\"reno cubic bbr\""), "{said}");
        assert!(facts.lacks("vegas").unwrap().contains("sudo modprobe tcp_vegas"));
        assert_eq!(Facts { is_root: true, ..facts }.lacks("vegas"), None);
    }
}
