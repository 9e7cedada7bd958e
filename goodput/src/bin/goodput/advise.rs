//! `goodput advise`.

use crate::{Failure, values, width};
use base::access::AccessError;
use base::model::tunnel::{self, Outer, Tunnel};
use base::output;
use clap::{Args, ValueEnum};
use diagnosis::advise::{self, Advice, AdviseRequest};
use diagnosis::remedy::Route;
use evidence::System;
use evidence::platform::{Platform, Version};
use evidence::unit::Wrong;
use goodput::schema;
use std::fs;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

/// Print what to set for a path: buffers, congestion control, MTU, offloads
///
/// Gives the expected goodput, the commands to apply now, the files that keep the change over a reboot, and the commands
/// that undo it. Changes nothing itself.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// Bottleneck rate, e.g. 1Gbit/s.
    #[arg(long, value_name = "RATE", value_parser = values::rate, allow_hyphen_values = true)]
    rate: f64,
    /// RTT of the idle path, e.g. 210ms.
    #[arg(long, value_name = "TIME", value_parser = values::rtt, allow_hyphen_values = true)]
    rtt: f64,
    /// Number of flows that share the bottleneck.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000), allow_hyphen_values = true)]
    flows: u32,
    /// Loss event rate, e.g. 0.01%.
    ///
    /// Count bursts, not packets: 100 packets lost together are one event. Without it goodput can only say how much loss
    /// each congestion control tolerates.
    #[arg(long, value_name = "SHARE", value_parser = values::share, allow_hyphen_values = true)]
    loss: Option<f64>,
    /// Operating system of the hosts.
    #[arg(long, value_name = "SYSTEM", value_enum, default_value_t = Os::Linux)]
    os: Os,
    /// Kernel or release version [default: 6.12 for Linux, 14.2 for FreeBSD].
    #[arg(long, value_name = "VERSION", value_parser = version)]
    version: Option<Version>,
    /// Tunnel on the path: esp-aes-gcm, wireguard, gre, …; for nested tunnels the innermost first:
    /// vxlan,wireguard,pppoe.
    #[arg(long, value_name = "KIND", value_parser = tunnel_named, value_delimiter = ',')]
    tunnel: Vec<&'static Tunnel>,
    /// ESP runs over UDP (NAT traversal).
    #[arg(long)]
    nat_t: bool,
    /// The outer packets of the tunnel are IPv6.
    #[arg(long)]
    ipv6_outside: bool,
    /// Path MTU; with --tunnel, of the path that carries the tunnel.
    #[arg(long, value_name = "BYTES", default_value_t = 1500, value_parser = clap::value_parser!(u32).range(576..=65535), allow_hyphen_values = true)]
    mtu: u32,
    /// The host also routes or bridges, e.g. for jails or containers.
    #[arg(long)]
    forwards: bool,
    /// Network interface that the commands are for.
    #[arg(long, value_name = "NAME", value_parser = interface)]
    interface: Option<String>,
    /// Destination behind the tunnel: 10.4.0.0/16, or default.
    #[arg(long, value_name = "PREFIX", value_parser = prefix, requires = "tunnel")]
    route: Option<Prefix>,
    /// Next hop of that route.
    #[arg(long, value_name = "ADDRESS", requires = "route")]
    via: Option<IpAddr>,
    /// Concurrent connections, for the memory estimate [default: as many as --flows].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000_000), allow_hyphen_values = true)]
    connections: Option<u32>,
    /// Show the arithmetic and its sources.
    #[arg(long)]
    explain: bool,
    /// Print the advice as JSON.
    #[arg(long)]
    json: bool,
    /// Also write the config files into this folder.
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
}

pub fn execute(arguments: &Arguments) -> Result<u8, Failure> {
    let request = arguments.request().map_err(values::words)?;
    let advice = advise::advise(&request);
    if arguments.json {
        out!("{}", crate::as_json(&schema::ADVISE, &advice)?);
    } else {
        out!("{}", advise::render(&advice, arguments.explain, width()).trim_end());
    }
    if let Some(folder) = &arguments.write {
        write(folder, &advice)?;
    }
    Ok(0)
}

fn write(folder: &Path, advice: &Advice) -> Result<(), Failure> {
    let written = advise::written(advice);
    if written.is_empty() {
        note!("nothing to write: no setting needs to change");
    }
    let places: Vec<PathBuf> = written.iter().map(|file| folder.join(&file.name)).collect();
    if let Some(there) = places.iter().find(|place| place.exists()) {
        let text = format!("{} exists and is not overwritten\n\nhint: name another directory", there.display());
        return Err(Failure(text));
    }
    for (place, file) in places.iter().zip(&written) {
        place.parent().map_or(Ok(()), fs::create_dir_all).map_err(AccessError::writing(folder))?;
        output::file(place, &file.text).map_err(AccessError::writing(place))?;
        note!("wrote {}", place.display());
    }
    Ok(())
}

/// An operating system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Os {
    /// Linux.
    Linux,
    /// FreeBSD.
    Freebsd,
}

impl Arguments {
    /// Returns the request, or says which arguments do not go together.
    fn request(&self) -> Result<AdviseRequest, Wrong> {
        let platform = self.platform()?;
        let outer = Outer { mtu: self.mtu, ipv6: self.ipv6_outside, nat_t: self.nat_t };
        let esp = self.tunnel.iter().any(|tunnel| tunnel.is_esp());
        match self.tunnel.first() {
            Some(_) if self.nat_t && !esp => {
                return Err(Wrong::new(format!("--nat-t is for ESP, and --tunnel is {}", tunnel::names(&self.tunnel))));
            }
            None if self.nat_t => return Err(Wrong::new("--nat-t needs --tunnel").hint("add --tunnel esp-aes-gcm")),
            None if self.ipv6_outside => {
                return Err(Wrong::new("--ipv6-outside needs --tunnel").hint("add --tunnel wireguard"));
            }
            _ => {}
        }
        let route = self.route.as_ref().map(|prefix| self.route_of(prefix, platform.system)).transpose()?;
        Ok(AdviseRequest {
            rate: self.rate,
            rtt: self.rtt,
            flows: self.flows,
            loss: self.loss,
            platform,
            tunnel: self.tunnel.first().copied(),
            carriers: self.tunnel.iter().skip(1).copied().collect(),
            outer,
            forwards: self.forwards,
            interface: self.interface.clone(),
            route,
            connections: self.connections.unwrap_or(self.flows),
        })
    }

    fn platform(&self) -> Result<Platform, Wrong> {
        let (system, usual, oldest) = match self.os {
            Os::Linux => (System::Linux, "6.12", "2.6.32"),
            Os::Freebsd => (System::FreeBsd, "14.2", "13.0"),
        };
        let version = self.version.clone().map_or_else(|| usual.parse(), Ok).map_err(|_| Wrong::new("no version"))?;
        let platform = Platform { system, version };
        if !platform.is_since(oldest) {
            let of = if system == System::Linux { "Linux" } else { "FreeBSD" };
            return Err(Wrong::new(format!("--version {} of {of} is not supported", platform.version))
                .accepted(format!("{oldest} and later")));
        }
        Ok(platform)
    }

    fn route_of(&self, prefix: &Prefix, system: System) -> Result<Route, Wrong> {
        let default_ipv6 = self.via.is_some_and(|via| via.is_ipv6());
        let ipv6 = prefix.address.map_or(default_ipv6, |address| address.is_ipv6());
        if self.via.is_some_and(|via| via.is_ipv6() != ipv6) {
            return Err(Wrong::new("--via and --route differ in IP version"));
        }
        let told = self.via.is_some() || self.interface.is_some() || prefix.address.is_none();
        if system == System::FreeBsd && !told {
            return Err(Wrong::new("--route on FreeBSD needs a next hop or an interface")
                .hint("add --via ADDRESS, or --interface NAME if an IPsec policy takes the packets"));
        }
        Ok(Route {
            prefix: prefix.text.clone(),
            address: prefix.address.map_or("default".into(), |address| address.to_string()),
            ipv6,
            via: self.via.map(|via| via.to_string()),
            interface: self.interface.clone(),
        })
    }
}

/// A prefix, or the default route.
#[derive(Debug, Clone)]
struct Prefix {
    text: String,
    address: Option<IpAddr>,
}

fn version(text: &str) -> Result<Version, String> {
    let wrong =
        |_| values::words(Wrong::new("is not a valid version").accepted("6.12, 6.8.0-55-generic, 14.2-RELEASE"));
    text.parse().map_err(wrong)
}

fn tunnel_named(name: &str) -> Result<&'static Tunnel, String> {
    tunnel::named(name).map_err(values::words)
}

/// Checks an interface name, which ends up in commands and in file names.
fn interface(name: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-@".contains(c);
    if !name.is_empty() && name.len() <= 15 && name.chars().all(plain) && !name.starts_with(['.', '-']) {
        return Ok(name.into());
    }
    Err(values::words(
        Wrong::new("is not an interface name").accepted("up to 15 letters, digits and . _ - @: eth0, ix0, enp3s0f1"),
    ))
}

fn prefix(text: &str) -> Result<Prefix, String> {
    if text == "default" {
        return Ok(Prefix { text: text.into(), address: None });
    }
    let wrong = || Wrong::new("is not a prefix").accepted("10.4.0.0/16, 2001:db8::/32, default");
    let (address, length) =
        text.split_once('/').ok_or_else(|| values::words(wrong().hint(format!("write {text}/32"))))?;
    let address: IpAddr = address.parse().map_err(|_| values::words(wrong()))?;
    let length: u32 = length.parse().map_err(|_| values::words(wrong()))?;
    let first = match address {
        IpAddr::V4(v4) if length <= 32 => {
            IpAddr::V4((v4.to_bits() & u32::MAX.checked_shl(32 - length).unwrap_or(0)).into())
        }
        IpAddr::V6(v6) if length <= 128 => {
            IpAddr::V6((v6.to_bits() & u128::MAX.checked_shl(128 - length).unwrap_or(0)).into())
        }
        _ => return Err(values::words(wrong())),
    };
    if first != address {
        return Err(values::words(wrong().hint(format!("write {first}/{length}"))));
    }
    Ok(Prefix { text: format!("{first}/{length}"), address: Some(first) })
}
