//! Files that keep a change across reboots.

use serde::{Serialize, Serializer};

/// A file with persistent settings.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum File {
    /// sysctl.d(5) of Linux.
    SysctlD,
    /// sysctl.conf(5) of FreeBSD.
    SysctlConf,
    /// tmpfiles.d(5) of Linux, which writes module parameters at boot.
    Tmpfiles,
    /// loader.conf(5) of FreeBSD.
    Loader,
    /// rc.conf(5) of FreeBSD.
    Rc,
    /// systemd.link(5) file of an interface.
    Link(String),
    /// Drop-in for the systemd.network(5) file of an interface.
    Network(String),
    /// nftables file with a table.
    Nftables,
    /// pf.conf(5) of FreeBSD.
    Pf,
}

/// Mark after each line added to an existing file.
const MARK: &str = " # goodput";

impl Serialize for File {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.path())
    }
}

impl File {
    /// Returns its name among the files that advice writes, a path of its own.
    pub fn name(&self) -> String {
        match self {
            File::SysctlD => "sysctl.d/90-goodput.conf".into(),
            File::SysctlConf => "sysctl.conf".into(),
            File::Tmpfiles => "tmpfiles.d/goodput.conf".into(),
            File::Loader => "loader.conf".into(),
            File::Rc => "rc.conf".into(),
            File::Link(interface) => format!("systemd/network/10-goodput-{interface}.link"),
            File::Network(interface) => format!("systemd/network/{interface}.network.d/goodput.conf"),
            File::Nftables => "nftables.d/goodput.nft".into(),
            File::Pf => "pf.conf".into(),
        }
    }

    pub fn path(&self) -> String {
        let folder = if *self == File::Loader { "/boot" } else { "/etc" };
        format!("{folder}/{}", self.name())
    }

    /// Whether its lines are added to an existing file, rather than being a separate file.
    pub(crate) fn is_addition(&self) -> bool {
        matches!(self, File::SysctlConf | File::Loader | File::Rc | File::Pf)
    }

    /// Returns a line as the file has it: marked if the file has others.
    pub fn line(&self, line: &str) -> String {
        if self.is_addition() { format!("{line}{MARK}") } else { line.to_owned() }
    }

    /// Returns the command that removes a line, or the file if goodput owns all of it.
    pub(crate) fn removal(&self, line: &str) -> String {
        let path = self.path();
        let head = line.split(['=', ' ']).next().unwrap_or_default();
        match self {
            File::SysctlD => format!("sed -i '/^{head} /d' {path}"),
            _ if self.is_addition() => format!("sed -i '' '/^{head}.*{MARK}$/d' {path}"),
            _ => format!("rm -f {path}"),
        }
    }

    /// Returns a hint about the file.
    pub fn hint(&self) -> Option<String> {
        match self {
            File::Link(_) => Some("systemd reads only the first .link file that matches an interface".into()),
            File::Network(interface) => Some(format!(
                "name the directory after the Network File that `networkctl status {interface}` shows, plus .d"
            )),
            File::Nftables => Some("include \"/etc/nftables.d/goodput.nft\" from /etc/nftables.conf".into()),
            File::Pf => Some("after `set`, before all other rules: the first scrub rule that matches wins".into()),
            _ => None,
        }
    }
}
