//! Reads rates with their units.

/// Units of rates, and their sizes in bit/s. In bytes per second, `KB` and `KBytes` are powers of 1024, as iperf counts;
/// `kB` is 1000 bytes (ISO 80000-1).
const RATE_UNITS: &[(&str, f64)] = &[
    ("bit/s", 1.0),
    ("bits/s", 1.0),
    ("bits/sec", 1.0),
    ("bps", 1.0),
    ("kbit/s", 1e3),
    ("kbits/s", 1e3),
    ("kbits/sec", 1e3),
    ("kbps", 1e3),
    ("kb/s", 1e3),
    ("Kbit/s", 1e3),
    ("Kbits/s", 1e3),
    ("Kbits/sec", 1e3),
    ("Kbps", 1e3),
    ("Kb/s", 1e3),
    ("mbit/s", 1e6),
    ("mbps", 1e6),
    ("Mbit/s", 1e6),
    ("Mbits/s", 1e6),
    ("Mbits/sec", 1e6),
    ("Mbps", 1e6),
    ("Mb/s", 1e6),
    ("gbit/s", 1e9),
    ("gbps", 1e9),
    ("Gbit/s", 1e9),
    ("Gbits/s", 1e9),
    ("Gbits/sec", 1e9),
    ("Gbps", 1e9),
    ("Gb/s", 1e9),
    ("B/s", 8.0),
    ("Bytes/sec", 8.0),
    ("bytes/s", 8.0),
    ("kB/s", 8e3),
    ("KB/s", 8.0 * 1024.0),
    ("KiB/s", 8.0 * 1024.0),
    ("KBytes/s", 8.0 * 1024.0),
    ("KBytes/sec", 8.0 * 1024.0),
    ("Kbytes/s", 8.0 * 1024.0),
    ("kbytes/s", 8.0 * 1024.0),
    ("MB/s", 8e6),
    ("MiB/s", 8.0 * 1_048_576.0),
    ("MBytes/s", 8.0 * 1_048_576.0),
    ("MBytes/sec", 8.0 * 1_048_576.0),
    ("Mbytes/s", 8.0 * 1_048_576.0),
    ("mbytes/s", 8.0 * 1_048_576.0),
    ("GB/s", 8e9),
];

/// Returns the size of a rate unit, bit/s: `Mbits/sec`. `Kbytes` counts as `Kbytes/s`, so call this only for rates.
pub(super) fn rate_unit(word: &str) -> Option<f64> {
    let is_named = word.len() > 1 && word.starts_with(char::is_alphabetic);
    let is_it = |unit: &str| unit == word || unit.strip_suffix("/s") == Some(word);
    is_named.then(|| RATE_UNITS.iter().find(|(unit, _)| is_it(unit)).map(|(_, size)| *size)).flatten()
}

/// Parses a text that is one rate, bit/s: `53.1 Mbits/sec`, `1000Mb/s`, `1,5 Mbit/s`.
pub(in crate::import) fn rate(text: &str) -> Option<f64> {
    let text = text.trim();
    let digits = text.find(|c: char| !(c.is_ascii_digit() || ".,".contains(c)))?;
    let (number, unit) = text.split_at(digits);
    let size =
        RATE_UNITS.iter().find(|(name, _)| *name == unit.trim_start_matches([' ', '\u{a0}'])).map(|(_, size)| size)?;
    Some(self::number(number)? * size)
}

/// Parses `1.5`, `1,5` and `214,478`.
fn number(text: &str) -> Option<f64> {
    let grouped = text.split(',').skip(1).all(|group| group.split('.').next().is_some_and(|whole| whole.len() == 3));
    super::decimal(&text.replace(',', if grouped { "" } else { "." }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_with_their_units() {
        assert_eq!(rate_unit("Kbytes"), Some(8192.0));
        assert_eq!(rate_unit("s"), None);
        let rates = ["53.1 Mbits/sec", " 1000Mb/s", "1,5 Mbit/s", "214,478 kB/s"].map(rate);
        assert_eq!(rates, [Some(53.1e6), Some(1e9), Some(1.5e6), Some(214_478.0 * 8e3)]);
        let others = ["x Mbits/sec", "about 3 Mbit/s", "3", "Mbit/s", "3 apples", "1 Mbit/s or so", ""].map(rate);
        assert_eq!(others, [None; 7]);
    }
}
