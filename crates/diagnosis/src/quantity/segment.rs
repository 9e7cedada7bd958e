//! Infers the MSS from the values of cwnd, which Linux keeps in segments.

use evidence::Connection;

/// Range of a segment's payload on real paths, bytes: IPv4's minimum MTU (RFC 9293, 3.7.1) to Ethernet without options.
const MSS_RANGE: std::ops::RangeInclusive<u64> = 536..=1460;
/// Smallest number of distinct values of cwnd: fewer may share a divisor by chance.
const MIN_VALUES: usize = 3;
/// Number of significant digits that listings print, in KBytes or MBytes.
const PRINTED_DIGITS: i32 = 3;
/// Largest plausible cwnd, bytes: no path has more in flight.
const MAX_CWND_BYTES: f64 = 1e12;
const KBYTE_BYTES: f64 = 1024.0;
/// Largest relative difference between sizes that count as one.
const ONE_SIZE: f64 = 0.01;

/// Returns the MSS of which all values of cwnd are multiples, bytes, if it is unique.
pub fn mss_by_cwnd(seen: &Connection) -> Option<f64> {
    let known = |cwnd: &f64| (1.0..MAX_CWND_BYTES).contains(cwnd);
    let mut windows: Vec<f64> = seen.points.iter().filter_map(|point| point.cwnd).filter(known).collect();
    windows.sort_by(f64::total_cmp);
    windows.dedup();
    if windows.len() < MIN_VALUES {
        return None;
    }
    if windows.iter().all(|cwnd| cwnd.fract() == 0.0 && *cwnd % KBYTE_BYTES != 0.0) {
        exact(&windows)
    } else {
        rounded(&windows)
    }
}

/// Returns the MSS for values in bytes: their greatest common divisor, or the largest part of it that is a possible
/// segment.
fn exact(windows: &[f64]) -> Option<f64> {
    let divisor = windows.iter().map(|cwnd| *cwnd as u64).reduce(gcd)?;
    let parts = (1..=divisor / MSS_RANGE.start()).filter(|parts| divisor % parts == 0).map(|parts| divisor / parts);
    parts.into_iter().find(|size| MSS_RANGE.contains(size)).map(|size| size as f64)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Returns the MSS for rounded values: the size of which all are multiples to within half of their last digit.
fn rounded(windows: &[f64]) -> Option<f64> {
    let fits = |size: &f64| {
        windows.iter().all(|cwnd| {
            let digits = (cwnd / KBYTE_BYTES).log10().floor() as i32;
            let error = 0.5 * KBYTE_BYTES * 10f64.powi(digits + 1 - PRINTED_DIGITS);
            let segments = (cwnd / size).round();
            segments >= 1.0 && (cwnd - segments * size).abs() <= error
        })
    };
    let sizes: Vec<f64> = MSS_RANGE.map(|size| size as f64).filter(fits).collect();
    let last = sizes.last()?;
    let near = |size: &&f64, of: f64| (of / *size - 1.0).abs() < ONE_SIZE;
    let first = sizes.iter().find(|size| near(size, *last))?;
    // If all are multiples of a size, half of it fits as well; any other size leaves the MSS open.
    if sizes.iter().any(|size| !near(&size, *last) && !near(&size, last / 2.0)) {
        return None;
    }
    (last / first < 1.0 + ONE_SIZE).then_some((first + last) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use evidence::{Evidence, import};

    fn listing(windows: &[f64], print: fn(f64) -> String) -> Connection {
        let mut text = String::from("[ ID] Interval           Transfer     Bitrate         Retr  Cwnd\n");
        for (at, cwnd) in windows.iter().enumerate() {
            let line =
                format!("[  5] {at}.00-{}.00   sec  1.00 MBytes  8.39 Mbits/sec    0   {}\n", at + 1, print(*cwnd));
            text += &line;
        }
        let mut found = Evidence::default();
        import::read("iperf3.txt", text.as_bytes(), &mut found);
        found.connections.remove(0)
    }

    /// An MTU of 1,280 bytes less 40 of headers and 12 of timestamps.
    #[test]
    fn a_window_of_a_few_segments_tells_a_tunnel() {
        let kbytes = |cwnd: f64| format!("{:.1} KBytes", cwnd / 1024.0);
        let windows: Vec<f64> = [10.0, 13.0, 17.0, 9.0, 22.0].map(|segments| segments * 1228.0).to_vec();
        let mss = mss_by_cwnd(&listing(&windows, kbytes)).unwrap();
        assert!((mss / 1228.0 - 1.0).abs() < 0.01, "{mss}");
    }

    #[test]
    fn windows_of_megabytes_do_not() {
        let mbytes = |cwnd: f64| format!("{:.2} MBytes", cwnd / 1048576.0);
        let windows: Vec<f64> = [2000.0, 2100.0, 2333.0, 1800.0].map(|segments| segments * 1228.0).to_vec();
        assert_eq!(mss_by_cwnd(&listing(&windows, mbytes)), None);
    }

    #[test]
    fn windows_in_bytes_have_a_divisor() {
        assert_eq!(exact(&[12280.0, 24560.0, 28244.0]), Some(1228.0));
        assert_eq!(exact(&[5712.0, 11424.0, 17136.0]), Some(1428.0));
        assert_eq!(exact(&[5000.0, 7001.0, 9003.0]), None);
    }
}
