//! Checks that hosts can do what an experiment requires: before the first trial, and after each.

use super::FieldRunError;
use crate::login::agent::{End, FlowLoad};
use crate::login::controls::{self, Controls};
use crate::login::{FieldError, Reason, Shell, Target, is_plain};
use crate::probe::Ends;
use plan::{Plan, Traffic};

/// Returns the script that queries a host.
pub fn script() -> String {
    format!("{FACTS}\n{}", controls::SCRIPT)
}

const FACTS: &str = "echo system $(uname -s); echo release $(uname -r)
for key in rmem_max wmem_max
do [ ! -r /proc/sys/net/core/$key ] || echo $key $(cat /proc/sys/net/core/$key); done";

/// The facts of a host that flows depend on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    target: String,
    /// Output of `uname -s` and `uname -r`.
    pub system: String,
    pub release: String,
    controls: Controls,
    /// Largest SO_RCVBUF and SO_SNDBUF, bytes, if known.
    receive_most: Option<u64>,
    send_most: Option<u64>,
}

impl Facts {
    pub fn query(shell: &Shell) -> Result<Facts, FieldError> {
        let text = shell.ask("reading what TCP may do there", &script())?;
        Ok(Facts { target: shell.target().to_string(), ..Facts::read(&text) })
    }

    fn read(text: &str) -> Facts {
        let is_word = |word: &&str| word.len() < MAX_WORD && is_plain(word);
        let value = |key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
            line.map(str::trim).filter(is_word)
        };
        Facts {
            target: String::new(),
            system: value("system").unwrap_or("").to_owned(),
            release: value("release").unwrap_or("").to_owned(),
            controls: Controls::read(text),
            receive_most: value("rmem_max").and_then(|bytes| bytes.parse().ok()),
            send_most: value("wmem_max").and_then(|bytes| bytes.parse().ok()),
        }
    }
}

/// Longest name of a system or a release, bytes (`__NEW_UTS_LEN`, include/uapi/linux/utsname.h).
const MAX_WORD: usize = 65;

/// Refuses a plan that the hosts cannot run.
pub fn check(plan: &Plan, names: &[String; 2], facts: &[Facts; 2]) -> Result<(), FieldRunError> {
    let refused = |host: &Facts, said: String| {
        let target = Target::parse(&host.target).unwrap_or(Target::Local);
        let (doing, said) = ("what the experiment asks for".into(), Reason::Own(said));
        Err(FieldError::Refused { target, doing, said }.into())
    };
    for flow in plan.trials.iter().flat_map(|trial| &trial.scene.flows) {
        let Traffic::Bulk { tcp, .. } = &flow.traffic else { continue };
        let host = |name: &String| &facts[usize::from(*name == names[1])];
        let (sender, receiver) = (host(&flow.from), host(&flow.to));
        if let Some(said) = tcp.congestion.as_deref().and_then(|name| sender.controls.lacks(name)) {
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

/// Refuses flows that could not be made, or that the kernel made differently.
pub fn made(hosts: &Ends, loads: &[FlowLoad], ends: &[Vec<End>; 2]) -> Result<(), FieldError> {
    let targets = [&hosts.from, &hosts.host];
    for (side, own) in ends.iter().enumerate() {
        for end in own {
            let failed = |said: String| {
                let (target, doing) = (targets[side].clone(), format!("flow {}", end.number));
                Err(FieldError::Refused { target, doing, said: Reason::Own(said) })
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
            // Linux doubles the requested size (sk_setsockopt, net/core/sock.c); iperf3 does not report other systems'
            // buffers.
            if let Some(asked) = asked.filter(|asked| got > 0 && got < asked.saturating_mul(2)) {
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
    fn a_host_says_what_it_has() {
        let facts =
            Facts::read("system Linux\nrelease 6.1.0-18\nrmem_max 212992\nuser 1000\navailable reno cubic bbr\n");
        let Facts { system, release, receive_most, send_most, .. } = facts;
        assert_eq!((system.as_str(), release.as_str()), ("Linux", "6.1.0-18"));
        assert_eq!((receive_most, send_most), (Some(212_992), None));
    }
}
