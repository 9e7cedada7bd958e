//! Makes traffic by the iperf3 of both hosts, if goodput's agent cannot run or is not wanted. Versions since 3.1 have
//! all that is needed.

use crate::login::agent::Load;
use crate::login::{Bound, FieldError, Limits, Reason, Shell};
use evidence::plain::quoted;
use std::net::SocketAddr;
use std::process::Child;
use std::thread;
use std::time::Duration;

/// Major and minor version.
pub type Version = [u32; 2];

/// Oldest usable version: it added congestion control on FreeBSD (RELNOTES.md).
const OLDEST_IPERF: Version = [3, 1];

/// First version with `--connect-timeout`.
const CONNECT_TIMEOUT: Version = [3, 2];

/// Returns the option for a client's connect timeout, if its version has it.
pub(crate) fn patience(version: Version) -> &'static str {
    if version >= CONNECT_TIMEOUT { " --connect-timeout 5000" } else { "" }
}

/// The output of a transfer.
pub(super) struct Printed {
    /// Document of iperf3.
    pub document: String,
    /// Screens of the sender's ss, each after its time; empty without ss.
    pub screens: String,
}

/// Returns the version of a host's iperf3, if it is new enough.
pub(super) fn check(shell: &Shell) -> Result<Version, FieldError> {
    let said = shell.run("iperf3 --version 2>&1 | head -n 1")?.stdout;
    let why = match version(&said) {
        Some(version) if version >= OLDEST_IPERF => return Ok(version),
        Some([major, minor]) => format!("its iperf3 is {major}.{minor}"),
        None => "it has no iperf3".into(),
    };
    Err(FieldError::NoTraffic { target: shell.target().clone(), why })
}

/// Parses, for example, `iperf 3.12 (cJSON 1.7.15)`.
fn version(said: &str) -> Option<Version> {
    let mut words = said.split_whitespace();
    let number = words.find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    let mut parts = number.split(['.', '-', '+']).map(|part| part.parse().ok());
    said.contains("iperf").then_some([parts.next()??, parts.next()??])
}

/// Makes one transfer to the second host, or from it. iperf3 keeps to the time; the bytes are not bounded.
pub(super) fn transfer(
    shells: &[Shell; 2],
    version: Version,
    listening: SocketAddr,
    forward: bool,
    load: &Load,
) -> Result<Printed, FieldError> {
    let port = listening.port().to_string();
    let mut server = shells[1].spawn(&["iperf3", "-s", "-1", "-p", &port])?;
    let listens = format!(
        "i=0; until (ss -tln; netstat -an) 2>/dev/null | grep -q '[.:]{port} '; do i=$((i+1)); [ $i -lt 30 ] || exit 1; sleep 0.1; done"
    );
    let waited = shells[1].run(&listens);
    let ended = matches!(server.try_wait(), Ok(Some(_)));
    if ended || !waited.is_ok_and(|ran| ran.status == 0) {
        let said = format!(
            "iperf3 cannot listen on TCP port {port}: is it another program's?\n\nhint: pass a free one with --port"
        );
        end(server);
        let (target, doing) = (shells[1].target().clone(), "listening".into());
        return Err(FieldError::Refused { target, doing, said: Reason::Own(said) });
    }
    let seconds = load.time.as_secs().max(1);
    let limits = Limits { time: load.time + Duration::from_secs(30), ..Limits::default() };
    let (documents, screens) = (document_bound(seconds), Bound::for_counts(10 * seconds as usize, 0));
    let within = |bound: Bound| Limits { bytes: bound.bytes, ..limits };
    let sender = &shells[usize::from(!forward)];
    let sampled = sampling(listening.port(), seconds);
    let (ran, screens) = thread::scope(|scope| {
        let screens = scope.spawn(|| sender.run_within(&sampled, within(screens)));
        let ran = shells[0].run_within(&client(version, listening, forward, load), within(documents));
        (ran, screens.join())
    });
    end(server);
    let ran = ran?;
    if ran.is_cut || !documents.admits(ran.stdout.as_bytes()) {
        let (target, doing) = (shells[0].target().clone(), "iperf3".into());
        return Err(FieldError::TooMuch { target, doing, bytes: documents.bytes });
    }
    let error = serde_json::from_str::<serde_json::Value>(&ran.stdout).ok();
    let error = error.and_then(|document| Some(document.get("error")?.as_str()?.to_owned()));
    if let Some(said) = error {
        let hint = format!("let TCP port {port} of {} pass, or name another with --port", listening.ip());
        let (from, to) = (shells[0].target().clone(), listening.to_string());
        return Err(FieldError::NoPath { from, to, said: Reason::Host(said), hint });
    }
    let screens = screens.ok().and_then(Result::ok).map_or(String::new(), |ran| ran.stdout);
    Ok(Printed { document: ran.stdout, screens })
}

/// Returns the largest document of a test of so many seconds, which has a record for each stream and their sum.
fn document_bound(seconds: u64) -> Bound {
    /// Records besides: who is connected, and the ends.
    const RECORDS: usize = 32;
    Bound::for_counts(0, 2 * seconds as usize + RECORDS)
}

fn client(version: Version, listening: SocketAddr, forward: bool, load: &Load) -> String {
    let control = load.congestion.as_ref().map_or(String::new(), |name| format!(" -C {}", quoted(name)));
    let reverse = if forward { "" } else { " -R" };
    format!(
        "iperf3 -c {} -p {} -t {}{} -J{reverse}{control}",
        listening.ip(),
        listening.port(),
        load.time.as_secs().max(1),
        patience(version)
    )
}

/// Returns a script that prints ss of the connections over a port every 0.1 s.
fn sampling(port: u16, seconds: u64) -> String {
    format!(
        "command -v ss >/dev/null || exit 0\nend=$(($(date +%s) + {seconds}))\n\
         while [ $(date +%s) -lt $end ]; do date +%s.%N | cut -c1-14; ss -tinmH state established \"( sport = :{port} or dport = :{port} )\"; sleep 0.1; done"
    )
}

fn end(mut server: Child) {
    let _ = server.kill();
    let _ = server.wait();
}

/// Returns the commands of a transfer, for a dry run: the listening host's, and the other's.
pub(super) fn shown(listening: SocketAddr, forward: bool, load: &Load) -> [String; 2] {
    [format!("iperf3 -s -1 -p {}", listening.port()), client(CONNECT_TIMEOUT, listening, forward, load)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 3.1 fails if it gets an option that it does not know.
    #[test]
    fn an_old_client_is_asked_for_what_it_knows() {
        let load = Load { time: Duration::from_secs(3), bytes: 1, congestion: None, sample: Duration::ZERO };
        let listening = "192.0.2.1:5201".parse().unwrap();
        let [old, new] = [[3, 1], [3, 2]].map(|version| client(version, listening, true, &load));
        assert_eq!(old, "iperf3 -c 192.0.2.1 -p 5201 -t 3 -J");
        assert_eq!(new, "iperf3 -c 192.0.2.1 -p 5201 -t 3 --connect-timeout 5000 -J");
    }

    #[test]
    fn versions_are_read_as_iperf3_prints_them() {
        assert_eq!(version("iperf 3.12 (cJSON 1.7.15)"), Some([3, 12]));
        assert_eq!(version("iperf 3.0.11"), Some([3, 0]));
        assert_eq!(version("iperf 3.1b3"), None);
        assert_eq!(version("sh: iperf3: not found"), None);
    }
}
