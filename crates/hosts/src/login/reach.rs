//! Reachability of hosts: addresses, pings, and the path MTU by pings.

use super::{FieldError, Limits, Reason, Shell, Ssh, Target};
use std::net::{IpAddr, ToSocketAddrs};
use std::process::Stdio;
use std::time::Duration;

/// Returns the address at which another host reaches this one; `peer` is that host's, if known.
pub fn address(shell: &Shell, ssh: &Ssh, peer: Option<IpAddr>) -> Result<IpAddr, FieldError> {
    let target = shell.target();
    let none = |said: &str| FieldError::Unreachable {
        target: target.clone(),
        said: Reason::Own(said.into()),
        hint: "name the address at which the other host reaches it: --address ADDRESS".into(),
    };
    if let Target::Ssh(destination) = target {
        let name = host_name(ssh, destination).ok_or_else(|| none("ssh -G names no host"))?;
        let found = (name.trim_matches(['[', ']']), 0).to_socket_addrs();
        let found = found.map_err(|error| none(&format!("{name} has no address: {error}")))?;
        return found.map(|address| address.ip()).next().ok_or_else(|| none("it has no address"));
    }
    let text = shell.ask("reading its addresses", ADDRESSES)?;
    let all: Vec<IpAddr> = text.split_whitespace().filter_map(|word| word.split('/').next()?.parse().ok()).collect();
    let alike = all.iter().find(|own| peer.is_none_or(|peer| peer.is_ipv4() == own.is_ipv4()));
    alike.or(all.first()).copied().ok_or_else(|| none("it has no global address"))
}

const ADDRESSES: &str = "ip -o addr show scope global 2>/dev/null | awk '{print $4}' ||
    ifconfig -a | awk '$1 ~ /^inet6?$/ && $2 !~ /^(127|::1|fe80)/ {print $2}'";

/// Returns the address from which a host reaches another.
pub fn source(shell: &Shell, to: IpAddr) -> Result<IpAddr, FieldError> {
    let script = format!(
        "ip route get {to} 2>/dev/null | sed -n 's/.* src \\([^ ]*\\).*/\\1/p' | head -n 1; \
         device=$(route -n get {to} 2>/dev/null | sed -n 's/.*interface: //p'); \
         [ -z \"$device\" ] || ifconfig \"$device\" | awk '$1 ~ /^inet6?$/ {{print $2; exit}}'"
    );
    let said = shell.ask("reading its route", &script)?;
    said.split_whitespace().find_map(|word| word.parse().ok()).ok_or_else(|| FieldError::Unreachable {
        target: shell.target().clone(),
        said: Reason::Own(format!("it has no route to {to}")),
        hint: format!("`ip route get {to}` there must name an address"),
    })
}

/// Returns the host name behind an alias of the user's config.
fn host_name(ssh: &Ssh, destination: &str) -> Option<String> {
    let output = ssh.program().args(["-G", "--", destination]).stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().find_map(|line| Some(line.strip_prefix("hostname ")?.trim().to_owned()))
}

/// Number of pings on an idle path, and seconds between them: the shortest interval for an ordinary user.
pub const PINGS: u32 = 20;
const PING_STEP: f64 = 0.2;

/// Returns a script that pings a host.
pub fn ping_script(to: IpAddr) -> String {
    let family = if to.is_ipv6() { "-6 " } else { "" };
    format!(
        "echo '$ ping -n -c {PINGS} -i {PING_STEP} {to}'\n\
         ping -n -c {PINGS} -i {PING_STEP} {to} 2>/dev/null || ping {family}-c 5 {to} 2>/dev/null || ping6 -n -c 5 {to}\n\
         exit 0"
    )
}

/// Largest and smallest packet tried, bytes: jumbo frames, and the MTU of every IPv6 link (RFC 8200).
const LARGEST_PACKET: u32 = 9000;
const SMALLEST_PACKET: u32 = 1280;

/// Returns a script that finds the path MTU by pings that may not be fragmented. It prints the largest that was
/// answered and the smallest that was not. An answer can be lost, so each size is tried twice.
pub fn mtu_script(to: IpAddr) -> String {
    let headers = if to.is_ipv6() { 48 } else { 28 };
    let family = if to.is_ipv6() { "inet6" } else { "inet" };
    format!("to={to} family={family} headers={headers} largest={LARGEST_PACKET} smallest={SMALLEST_PACKET}\n{MTU}")
}

const MTU: &str = include_str!("path_mtu.sh");

/// Runs such a script; twelve sizes, each of which may wait two seconds.
pub fn pinged(shell: &Shell, script: &str) -> Result<String, FieldError> {
    /// Thirteen sizes or twenty answers have a few kB.
    const MAX_BYTES: usize = 128 << 10;
    Ok(shell.run_within(script, Limits { time: Duration::from_secs(60), bytes: MAX_BYTES })?.stdout)
}
