//! Files that keep a change over a reboot.

use serde::{Serialize, Serializer};

/// A file that settings are kept in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum File {
    /// Linux' sysctl.d(5).
    SysctlD,
    /// FreeBSD's sysctl.conf(5).
    SysctlConf,
    /// Linux' tmpfiles.d(5), which writes parameters of modules at boot.
    Tmpfiles,
    /// FreeBSD's loader.conf(5).
    Loader,
    /// FreeBSD's rc.conf(5).
    Rc,
    /// systemd.link(5) of an interface.
    Link(String),
    /// A drop-in for the systemd.network(5) of an interface.
    Network(String),
    /// A table of nftables.
    Nftables,
    /// FreeBSD's pf.conf(5).
    Pf,
}

/// Behind each line that is added to a file which is there already.
const MARK: &str = " # goodput";

impl Serialize for File {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.path())
    }
}

impl File {
    /// Its name among the files that advice writes: a path of its own.
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

    /// Whether its lines are added to a file that is there, rather than being a file of their own.
    pub(crate) fn is_addition(&self) -> bool {
        matches!(self, File::SysctlConf | File::Loader | File::Rc | File::Pf)
    }

    /// A line as it stands in the file: marked where the file has others.
    pub fn line(&self, line: &str) -> String {
        if self.is_addition() { format!("{line}{MARK}") } else { line.to_owned() }
    }

    /// The command that takes a line out again, or the file if it is all ours.
    pub(crate) fn removal(&self, line: &str) -> String {
        let path = self.path();
        let head = line.split(['=', ' ']).next().unwrap_or_default();
        match self {
            File::SysctlD => format!("sed -i '/^{head} /d' {path}"),
            _ if self.is_addition() => format!("sed -i '' '/^{head}.*{MARK}$/d' {path}"),
            _ => format!("rm -f {path}"),
        }
    }

    /// What to know about it.
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
