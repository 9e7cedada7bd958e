//! Reads a host's settings from program output and configuration files into a [`Host`].
//!
//! `row` turns a page into rows: it removes prompts and splits lines that a page has joined. Each row is offered to the
//! [`READERS`] in order; the first that recognizes it takes it and the rows that belong to it.

mod assignment;
mod bonding;
mod counters;
mod draft;
mod ethtool;
mod ifconfig;
mod ip_json;
mod ip_link;
mod ip_route;
mod log;
mod netstat;
mod offload;
mod rc;
mod remark;
mod row;
mod sentence;
mod setkey;
mod sysctl;
mod system;
mod tc;
mod windows;
mod xfrm;

#[cfg(test)]
mod tests;

use super::Page;
use crate::Host;
use draft::Draft;
use row::HostRow;

/// A reader for the output of one program.
pub struct Reader {
    /// Name of the program or file.
    pub name: &'static str,
    /// Commands whose output it reads.
    pub prints: &'static str,
    pub gives: &'static str,
    /// Returns how many of the rows, from the first on, belong to this reader.
    read: fn(&[HostRow<'_>], &mut Draft<'_>) -> usize,
}

/// All readers, in the order in which they are tried.
pub const READERS: &[Reader] = &[
    Reader {
        name: "remark",
        prints: "`goodput field collect`: which program is missing on the host",
        gives: "nothing",
        read: remark::read,
    },
    Reader {
        name: "system",
        prints: "`uname -a`, `uname -r`, `freebsd-version`, /proc/version, the login banner of Ubuntu and FreeBSD; `uname -a` of macOS \
                 and Cygwin, the banner of cmd",
        gives: "system and version",
        read: system::read,
    },
    Reader {
        name: "sysctl",
        prints: "`sysctl -a`, `sysctl KEY`, `sysctl -n KEY`, `sysctl -w KEY=VALUE`, `sysctl -p`; `cat /proc/sys/KEY`; \
                 sysctl.conf, also as written by `echo` and `cat <<EOF`",
        gives: "settings; FreeBSD's host cache as routes with the attribute `metrics cached`",
        read: sysctl::read,
    },
    Reader {
        name: "rc.conf",
        prints: "rc.conf and loader.conf, also as written by `sysrc` and `echo`",
        gives: "settings; from `route_NAME` a route, from `ifconfig_NAME` MTU, offloads, members and addresses",
        read: rc::read,
    },
    Reader {
        name: "ethtool",
        prints: "`ethtool -k`, `ethtool -S` with `--groups` too, `ethtool -a`, `ethtool -i`, `ethtool`; a single line if the command precedes it",
        gives: "offloads, counters, pause frames, driver and rate of an interface; of `-S` without a name, the counters of `DEVICE`",
        read: ethtool::read,
    },
    Reader {
        name: "bonding",
        prints: "/proc/net/bonding/BOND",
        gives: "mode and members; a bond without a name before it is called `bond`",
        read: bonding::read,
    },
    Reader {
        name: "JSON",
        prints: "`ip -j link`, `ip -j addr`, `ip -j route` with `-d`, `-s` and `-p`; `nstat -j`; `ethtool --json -k`",
        gives: "interfaces, routes, counters, offloads; of truncated output, the complete entries",
        read: ip_json::read,
    },
    Reader {
        name: "ip link",
        prints: "`ip link` and `ip addr` with `-d`, `-s` and `-s -s`",
        gives: "interfaces with kind, master, MTU, qdisc, addresses and counters",
        read: ip_link::read,
    },
    Reader {
        name: "ip route",
        prints: "`ip route`, `ip route get`, `ip tcp_metrics`",
        gives: "routes; cached metrics of a peer have the attribute `metrics cached`",
        read: ip_route::read,
    },
    Reader {
        name: "tc",
        prints: "`tc qdisc` with `-s`",
        gives: "the qdisc of an interface with its parameters, those of its leaves after ` / `; its drops; `DEVICE` where no name is told",
        read: tc::read,
    },
    Reader {
        name: "ifconfig",
        prints: "`ifconfig -a` of FreeBSD, `ifconfig` of Linux net-tools, old and new, its counters alone too",
        gives: "interfaces with kind, master, mode of the bond, MTU, rate, offloads, addresses and counters; `DEVICE` where no name is told",
        read: ifconfig::read,
    },
    Reader {
        name: "netstat -i",
        prints: "`netstat -i` of Linux and FreeBSD",
        gives: "MTU and counters of interfaces; members of a bond where there is one",
        read: netstat::read_interfaces,
    },
    Reader {
        name: "netstat -r",
        prints: "`netstat -rn` of Linux and FreeBSD, with `-W` or `-6` too; `route -n`",
        gives: "routes, with MTU where it is printed",
        read: netstat::read_routes,
    },
    Reader {
        name: "counters",
        prints: "`nstat`, `netstat -s` of Linux and FreeBSD, /proc/net/snmp, /proc/net/netstat, /proc/net/snmp6",
        gives: "the counters that a rule looks at, under nstat's names",
        read: counters::read,
    },
    Reader {
        name: "kernel log",
        prints: "`dmesg`, `journalctl -k`, /var/log/messages: a full table of nf_conntrack, a hung transmit queue, wrong checksums and \
                 merging of a driver, TCP out of memory, links that came up",
        gives: "how often each was logged; rate, duplex and pause frames of a link",
        read: log::read,
    },
    Reader {
        name: "windows",
        prints: "in English: `netsh interface tcp show global` and `show heuristics`, `netsh interface ipv4 show subinterfaces`, \
                 `netstat -s`, `netstat -e`; `Get-NetTCPSetting`, `Get-NetAdapter`, `Get-NetAdapterAdvancedProperty`, \
                 `Get-NetAdapterStatistics`, `Get-NetAdapterRsc`",
        gives: "settings as `windows.tcp.OPTION` and `windows.adapter.NAME.PROPERTY`; rate, duplex, MTU, offloads and counters of \
                adapters; counters of TCP and UDP under nstat's names",
        read: windows::read,
    },
    Reader { name: "ip xfrm", prints: "`ip xfrm state` with `-s`", gives: "tunnels, without keys", read: xfrm::read },
    Reader { name: "setkey", prints: "`setkey -D`", gives: "tunnels, without keys", read: setkey::read },
];

/// Reads a host from a page; `None` if the page says nothing about one. Time and memory are proportional to the page.
pub fn read(page: &mut Page) -> Option<Host> {
    let rows = row::rows(page);
    let mut draft = Draft::new(page.place(0).file);
    let mut at = 0;
    let mut found = false;
    while at < rows.len() {
        let rest = &rows[at..];
        draft.begins = rest[0].index;
        let taken = READERS.iter().map(|reader| (reader.read)(rest, &mut draft)).find(|taken| *taken > 0).unwrap_or(0);
        let taken = taken.min(rest.len());
        for row in &rest[..taken] {
            page.claim(row.index);
        }
        if taken > 0 {
            found = true;
            if let Some(command) = draft.command {
                page.claim(command.index);
            }
            draft.last = Some(rest[taken - 1].index);
        } else {
            draft.command = row::command(&rest[0]);
        }
        at += taken.max(1);
    }
    let (host, wrong) = draft.finish();
    for (index, why) in wrong {
        page.wrong(index, why);
    }
    found.then_some(host)
}
