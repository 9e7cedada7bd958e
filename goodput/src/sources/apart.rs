//! Files that were given together as of one path, and cannot be.

use crate::show::{rate, time};
use evidence::{Connection, Evidence, Place, Printed, Quantity, Said};
use std::net::IpAddr;

/// Figures of one path that people state differ by less.
const SAME: f64 = 1.5;

/// Hosts between which a file tells of traffic.
struct Between<'e> {
    place: &'e Place,
    hosts: [IpAddr; 2],
}

impl Between<'_> {
    /// Whether both may be of the same hosts: these may have an address of each version.
    fn may_be(&self, other: &Between) -> bool {
        self.hosts[0].is_ipv4() != other.hosts[0].is_ipv4() || self.hosts.iter().any(|host| other.hosts.contains(host))
    }
}

/// What tells that two files are of different paths, a clause for each kind of sign.
pub(super) fn signs(found: &Evidence) -> Vec<String> {
    let stated = |what| found.said.iter().filter(move |said| said.what == what).collect::<Vec<_>>();
    let alike = |a: &Said, b: &Said| (a.value / b.value).max(b.value / a.value) < SAME;
    let connections = found.connections.iter().filter_map(of_connection);
    let all: Vec<Between> = found.listings.iter().filter_map(of_listing).chain(connections).collect();
    let of_line = |said: &Said| format!("{} tells of a line of {}", said.place, rate(said.value));
    let of_path = |said: &Said| format!("{} tells of an RTT of {}", said.place, time(said.value));
    let between = |one: &Between| format!("{} is between {} and {}", one.place, one.hosts[0], one.hosts[1]);
    [
        strangers(&stated(Quantity::LineRate), |said| &said.place, alike).map(|pair| pair.map(of_line)),
        strangers(&stated(Quantity::Rtt), |said| &said.place, alike).map(|pair| pair.map(of_path)),
        strangers(&all.iter().collect::<Vec<_>>(), |one| one.place, |a, b| a.may_be(b)).map(|pair| pair.map(between)),
    ]
    .into_iter()
    .flatten()
    .map(|pair| pair.join(", "))
    .collect()
}

/// Of a run that both ends have printed each may know the other by an address that is translated between them.
fn of_listing(printed: &Printed) -> Option<Between<'_>> {
    let [own, other] = printed.listing.hosts.as_ref().filter(|_| printed.other_end.is_none())?;
    Some(Between { place: &printed.place, hosts: [own.parse().ok()?, other.parse().ok()?] })
}

fn of_connection(connection: &Connection) -> Option<Between<'_>> {
    let captured = connection.source == "capture";
    Some(Between { place: &connection.place, hosts: connection.ends.filter(|_| captured)? })
}

/// One of each of the first two files of which none of one is like any of the other.
fn strangers<'e, T>(all: &[&'e T], place: fn(&T) -> &Place, alike: impl Fn(&T, &T) -> bool) -> Option<[&'e T; 2]> {
    let of_file = |file: &Place| all.iter().copied().filter(|one| place(one).file == file.file).collect::<Vec<_>>();
    let pairs = all.iter().enumerate().flat_map(|(n, a)| all[n + 1..].iter().map(move |b| [*a, *b]));
    let mut apart = pairs.filter(|[a, b]| place(a).file != place(b).file);
    apart.find(|[a, b]| {
        let (of_a, of_b) = (of_file(place(a)), of_file(place(b)));
        !of_a.iter().any(|one| of_b.iter().any(|other| alike(one, other)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use evidence::import;

    fn told(files: &[(&str, &str)]) -> Vec<String> {
        let mut found = Evidence::default();
        files.iter().for_each(|(name, text)| import::read(name, text.as_bytes(), &mut found));
        import::join(&mut found);
        signs(&found)
    }

    fn run(from: &str, to: &str, mbytes: u32) -> String {
        format!(
            "[  5] local {from} port 40000 connected to {to} port 5201\n\
             [ ID] Interval           Transfer     Bitrate\n\
             [  5]   0.00-10.00  sec   {mbytes} MBytes   136 Mbits/sec                  receiver\n"
        )
    }

    #[test]
    fn runs_between_other_hosts_are_told_and_both_ends_of_one_are_not() {
        let (ours, theirs) = (run("10.0.0.1", "10.0.0.2", 162), run("10.7.0.1", "10.7.0.2", 99));
        let expected = "a:1 is between 10.0.0.1 and 10.0.0.2, b:1 is between 10.7.0.1 and 10.7.0.2";
        assert_eq!(told(&[("a", &ours), ("b", &theirs)]), [expected]);
        let none: [&str; 0] = [];
        assert_eq!(told(&[("a", &ours), ("b", &run("10.0.0.2", "10.0.0.1", 99))]), none, "the way back");
        assert_eq!(told(&[("a", &ours), ("b", &run("2001:db8::1", "2001:db8::2", 99))]), none, "another version of IP");
        assert_eq!(told(&[("a", &ours), ("b", &run("192.168.0.7", "203.0.113.9", 162))]), none, "behind a NAT");
        assert_eq!(told(&[("a", &[ours, theirs].concat())]), none, "one document");
    }

    #[test]
    fn figures_of_paths_that_differ_are_told() {
        let rtt = |ms: u32| format!("The RTT is {ms} ms.\n");
        assert_eq!(
            told(&[("a", &rtt(210)), ("b", &rtt(40))]),
            ["a:1 tells of an RTT of 210 ms, b:1 tells of an RTT of 40.0 ms"]
        );
        assert!(told(&[("a", &rtt(210)), ("b", &rtt(220))]).is_empty());
    }
}
