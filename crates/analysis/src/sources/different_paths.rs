//! Detects files that were given as one path's but cannot be.

use evidence::{Connection, Evidence, Place, Printed};
use std::collections::{HashMap, HashSet};
use std::net::IpAddr;

/// Hosts of the traffic in a file.
struct Between<'e> {
    place: &'e Place,
    hosts: [IpAddr; 2],
}

/// Returns the sign that two files are of different paths, as a clause.
pub(super) fn sign(found: &Evidence) -> Option<String> {
    let connections = found.connections.iter().filter_map(of_connection);
    let all: Vec<Between> = found.listings.iter().filter_map(of_listing).chain(connections).collect();
    let between = |one: &Between| format!("{} is between {} and {}", one.place, one.hosts[0], one.hosts[1]);
    strangers(&all).map(|pair| pair.map(between).join(", "))
}

/// Returns the hosts of a listing. If both ends printed the run, it is skipped: each may see the other under a
/// translated address.
fn of_listing(printed: &Printed) -> Option<Between<'_>> {
    let [own, other] = printed.listing.hosts.as_ref().filter(|_| printed.other_end.is_none())?;
    Some(Between { place: &printed.place, hosts: [own.parse().ok()?, other.parse().ok()?] })
}

fn of_connection(connection: &Connection) -> Option<Between<'_>> {
    let captured = connection.source == evidence::Source::Capture;
    Some(Between { place: &connection.place, hosts: connection.ends.filter(|_| captured)? })
}

/// Returns one item from each of the first two files whose traffic has no host in common. `all` is sorted by file.
fn strangers<'b, 'e>(all: &'b [Between<'e>]) -> Option<[&'b Between<'e>; 2]> {
    let mut files: Vec<Vec<&Between>> = vec![];
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    for one in all {
        let at = *by_name.entry(&*one.place.file).or_insert(files.len());
        if at == files.len() {
            files.push(vec![]);
        }
        files[at].push(one);
    }
    let pairs = files.iter().enumerate().flat_map(|(n, a)| files[n + 1..].iter().map(move |b| [a, b]));
    pairs.into_iter().find(|[a, b]| !may_share_hosts(a, b)).map(|[a, b]| [a[0], b[0]])
}

/// True if the two files may be of the same hosts, which may have an address of each IP version.
fn may_share_hosts(a: &[&Between], b: &[&Between]) -> bool {
    let is_v4 = |one: &&Between| one.hosts[0].is_ipv4();
    let hosts: HashSet<IpAddr> = a.iter().flat_map(|one| one.hosts).collect();
    let all_of = |version| a.iter().chain(b).all(|one| is_v4(one) == version);
    !(all_of(true) || all_of(false)) || b.iter().flat_map(|one| one.hosts).any(|host| hosts.contains(&host))
}

#[cfg(test)]
mod tests {
    use super::*;
    use evidence::import;

    fn sign_in(files: &[(&str, &str)]) -> Option<String> {
        let mut found = Evidence::default();
        files.iter().for_each(|(name, text)| import::read(name, text.as_bytes(), &mut found));
        import::join(&mut found);
        sign(&found)
    }

    fn run(from: &str, to: &str, mbytes: u32) -> String {
        format!(
            "[  5] local {from} port 40000 connected to {to} port 5201\n\
             [ ID] Interval           Transfer     Bitrate\n\
             [  5]   0.00-10.00  sec   {mbytes} MBytes   136 Mbits/sec                  receiver\n"
        )
    }

    #[test]
    fn runs_between_other_hosts_are_named_but_not_two_ends_of_one() {
        let (ours, theirs) = (run("10.0.0.1", "10.0.0.2", 162), run("10.7.0.1", "10.7.0.2", 99));
        let expected = "a:1 is between 10.0.0.1 and 10.0.0.2, b:1 is between 10.7.0.1 and 10.7.0.2";
        assert_eq!(sign_in(&[("a", &ours), ("b", &theirs)]).as_deref(), Some(expected));
        let none = None;
        assert_eq!(sign_in(&[("a", &ours), ("b", &run("10.0.0.2", "10.0.0.1", 99))]), none, "the way back");
        assert_eq!(
            sign_in(&[("a", &ours), ("b", &run("2001:db8::1", "2001:db8::2", 99))]),
            none,
            "another version of IP"
        );
        assert_eq!(sign_in(&[("a", &ours), ("b", &run("192.168.0.7", "203.0.113.9", 162))]), none, "behind a NAT");
        assert_eq!(sign_in(&[("a", &[ours, theirs].concat())]), none, "one document");
    }
}
