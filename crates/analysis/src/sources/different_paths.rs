//! Detects files that were given as one path's but cannot be.

use base::show::{rate, time};
use evidence::{Connection, Evidence, Place, Printed, Quantity, Said};
use std::collections::{HashMap, HashSet};
use std::net::IpAddr;

/// Stated figures that differ by less than this ratio may be of one path.
const MAX_SAME_PATH_RATIO: f64 = 1.5;

/// Hosts of the traffic in a file.
struct Between<'e> {
    place: &'e Place,
    hosts: [IpAddr; 2],
}

/// Returns the signs that two files are of different paths, one clause for each kind of sign.
pub(super) fn signs(found: &Evidence) -> Vec<String> {
    let stated = |what| found.said.iter().filter(move |said| said.what == what).collect::<Vec<_>>();
    let connections = found.connections.iter().filter_map(of_connection);
    let all: Vec<Between> = found.listings.iter().filter_map(of_listing).chain(connections).collect();
    let of_line = |said: &Said| format!("{} tells of a line of {}", said.place, rate(said.value));
    let of_path = |said: &Said| format!("{} tells of an RTT of {}", said.place, time(said.value));
    let between = |one: &Between| format!("{} is between {} and {}", one.place, one.hosts[0], one.hosts[1]);
    [
        strangers(&stated(Quantity::LineRate), |said| &said.place, have_alike).map(|pair| pair.map(of_line)),
        strangers(&stated(Quantity::Rtt), |said| &said.place, have_alike).map(|pair| pair.map(of_path)),
        strangers(&all.iter().collect::<Vec<_>>(), |one| one.place, may_share_hosts).map(|pair| pair.map(between)),
    ]
    .into_iter()
    .flatten()
    .map(|pair| pair.join(", "))
    .collect()
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

/// Returns one item from each of the first two files that have nothing in common. `all` is sorted by file.
fn strangers<'e, T>(
    all: &[&'e T],
    place: fn(&T) -> &Place,
    share: impl Fn(&[&T], &[&T]) -> bool,
) -> Option<[&'e T; 2]> {
    let mut files: Vec<Vec<&T>> = vec![];
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    for one in all {
        let at = *by_name.entry(&*place(one).file).or_insert(files.len());
        if at == files.len() {
            files.push(vec![]);
        }
        files[at].push(one);
    }
    let pairs = files.iter().enumerate().flat_map(|(n, a)| files[n + 1..].iter().map(move |b| [a, b]));
    pairs.into_iter().find(|[a, b]| !share(a, b)).map(|[a, b]| [a[0], b[0]])
}

/// True if any figures of the two files are within the ratio. After sorting, the nearest are adjacent.
fn have_alike(a: &[&Said], b: &[&Said]) -> bool {
    let mut all: Vec<(f64, bool)> = a.iter().map(|one| (one.value, true)).collect();
    all.extend(b.iter().map(|one| (one.value, false)));
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    all.windows(2).any(|pair| pair[0].1 != pair[1].1 && pair[1].0 / pair[0].0 < MAX_SAME_PATH_RATIO)
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
    fn runs_between_other_hosts_are_named_but_not_two_ends_of_one() {
        let (ours, theirs) = (run("10.0.0.1", "10.0.0.2", 162), run("10.7.0.1", "10.7.0.2", 99));
        let expected = "a:1 is between 10.0.0.1 and 10.0.0.2, b:1 is between 10.7.0.1 and 10.7.0.2";
        assert_eq!(told(&[("a", &ours), ("b", &theirs)]), [expected]);
        let none: [&str; 0] = [];
        assert_eq!(told(&[("a", &ours), ("b", &run("10.0.0.2", "10.0.0.1", 99))]), none, "the way back");
        assert_eq!(told(&[("a", &ours), ("b", &run("2001:db8::1", "2001:db8::2", 99))]), none, "another version of IP");
        assert_eq!(told(&[("a", &ours), ("b", &run("192.168.0.7", "203.0.113.9", 162))]), none, "behind a NAT");
        assert_eq!(told(&[("a", &[ours, theirs].concat())]), none, "one document");
    }

    /// Comparing all pairs of lines, 10^8, would take too long.
    #[test]
    fn files_of_thousands_of_figures_are_compared_as_two() {
        let lines =
            |ms: u32| (0..10_000).map(|_| format!("The RTT is {ms} ms.\n")).collect::<String>() + "The RTT is 90 ms.\n";
        assert!(told(&[("a", &lines(10)), ("b", &lines(400))]).is_empty());
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
