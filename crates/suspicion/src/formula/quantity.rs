//! Quantities as people write them: a value or an interval, with a unit.

use super::interval::Interval;
use evidence::unit::{self, ONE, Wrong};

/// A kind of quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// bit/s.
    Rate,
    /// Seconds.
    Time,
    /// Bytes.
    Size,
    /// Share of 1.
    Share,
    /// A number without a unit.
    Count,
}

/// Kinds with their names in templates.
pub const KINDS: &[(&str, Kind)] =
    &[("rate", Kind::Rate), ("time", Kind::Time), ("size", Kind::Size), ("share", Kind::Share), ("count", Kind::Count)];

/// Factor by which "about" may be off, either way.
const ABOUT_FACTOR: f64 = 1.2;

/// Units of programs that count bytes, with the bits of each.
const BYTE_RATES: &[(&str, f64)] = &[
    ("GiB/s", 8.0 * 1024.0 * 1024.0 * 1024.0),
    ("MiB/s", 8.0 * 1024.0 * 1024.0),
    ("KiB/s", 8.0 * 1024.0),
    ("GB/s", 8e9),
    ("MB/s", 8e6),
    ("kB/s", 8e3),
    ("KB/s", 8e3),
    ("B/s", 8.0),
];

/// Returns a rate that is written in bytes, bit/s.
fn bytes_in_a_second(text: &str) -> Option<f64> {
    let (unit, bits) = BYTE_RATES.iter().find(|(unit, _)| text.trim().ends_with(unit))?;
    let number: f64 = text.trim().strip_suffix(unit)?.trim().parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some(number * bits)
}

impl Kind {
    /// Returns how its values are written, and a grain in its unit.
    fn written(self) -> Option<(&'static unit::Kind, f64)> {
        match self {
            Kind::Rate => Some((&unit::RATE, 1.0)),
            Kind::Time => Some((&unit::TIME, 1e-9)),
            Kind::Size => Some((&unit::SIZE, 1.0)),
            Kind::Share => Some((&unit::RATIO, 1.0 / ONE as f64)),
            Kind::Count => None,
        }
    }

    /// Returns the unit of its values in JSON.
    pub fn unit(self) -> &'static str {
        match self {
            Kind::Rate => "bit/s",
            Kind::Time => "s",
            Kind::Size => "B",
            Kind::Share | Kind::Count => "",
        }
    }

    /// Describes what is accepted.
    pub fn accepted(self) -> String {
        let example = match self {
            Kind::Rate => "\"69.6 Mbit/s\", \"62 to 77 Mbit/s\", \"at least 400 Mbit/s\"",
            Kind::Time => "\"210 ms\", \"200 to 220 ms\", \"at most 0.5 ms\"",
            Kind::Size => "\"4 MiB\", \"1.5 to 2.2 MB\", \"about 64 KiB\"",
            Kind::Share => "\"0.1 %\", \"0.05 to 0.3 %\", \"at most 0.01 %\"",
            Kind::Count => "10, \"2 to 4\", \"at least 2\"",
        };
        format!("a value or an interval: {example}")
    }

    fn single(self, text: &str) -> Result<f64, Wrong> {
        match self.written() {
            Some((kind, grain)) => match (self, bytes_in_a_second(text)) {
                (Kind::Rate, Some(rate)) => Ok(rate),
                _ => kind.parse(text).map(|grains| grains as f64 * grain),
            },
            None => match text.trim().parse::<f64>() {
                Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
                _ => Err(Wrong::new("is not a number").accepted(self.accepted())),
            },
        }
    }

    /// Reads a value or an interval. The lower end of "62 to 77 Mbit/s" has the unit of the upper one.
    pub fn parse(self, text: &str) -> Result<Interval, Wrong> {
        let text = text.trim();
        if let Some(most) = text.strip_prefix("at most ") {
            return Ok(Interval { low: 0.0, high: self.single(most)? });
        }
        if let Some(least) = text.strip_prefix("at least ") {
            return Ok(Interval { low: self.single(least)?, high: f64::INFINITY });
        }
        if let Some(about) = text.strip_prefix("about ") {
            return Ok(Interval::around(self.single(about)?, ABOUT_FACTOR));
        }
        let Some((low, high)) = text.split_once(" to ") else { return self.single(text).map(Interval::exactly) };
        let is_bare = low.trim().parse::<f64>().is_ok();
        let unit = high.trim().trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == '.');
        let low = if is_bare { self.single(&format!("{} {unit}", low.trim()))? } else { self.single(low)? };
        let high = self.single(high)?;
        if low > high {
            return Err(
                Wrong::new("ends below its start").hint(format!("write \"{}\"", self.exact(Interval::new(low, high))))
            );
        }
        Ok(Interval { low, high })
    }

    /// Writes an interval so that it reads back as the same.
    pub fn exact(self, interval: Interval) -> String {
        let one = |value: f64| match self.written() {
            Some((kind, grain)) => kind.show((value / grain).round() as u64),
            None => value.to_string(),
        };
        self.ends(interval, one)
    }

    /// Shows an interval for people, with three digits.
    pub fn show(self, interval: Interval) -> String {
        self.ends(interval, |value| self.rounded(value))
    }

    fn ends(self, interval: Interval, one: impl Fn(f64) -> String) -> String {
        match interval {
            Interval { low, high } if low == high => one(low),
            Interval { low, high } if high.is_infinite() && low == 0.0 => "anything".into(),
            Interval { low, high } if high.is_infinite() => format!("at least {}", one(low)),
            Interval { low: 0.0, high } => format!("at most {}", one(high)),
            Interval { low, high } => {
                let [low, high] = [one(low), one(high)];
                match (low.rsplit_once(' '), high.rsplit_once(' ')) {
                    _ if low == high => high,
                    (Some((number, unit)), Some((_, other))) if unit == other => format!("{number} to {high}"),
                    _ => format!("{low} to {high}"),
                }
            }
        }
    }

    fn rounded(self, value: f64) -> String {
        let scales: &[(&str, f64)] = match self {
            Kind::Rate => &[("Gbit/s", 1e9), ("Mbit/s", 1e6), ("kbit/s", 1e3), ("bit/s", 1.0)],
            Kind::Time => &[("s", 1.0), ("ms", 1e-3), ("us", 1e-6)],
            Kind::Size => &[("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("B", 1.0)],
            Kind::Share => &[("%", 0.01)],
            Kind::Count => &[("", 1.0)],
        };
        if value.is_infinite() {
            return "without end".into();
        }
        let fits = |scale: &&(&str, f64)| value >= scale.1 * 0.9995;
        let (unit, size) = scales.iter().find(fits).unwrap_or(&scales[scales.len() - 1]);
        format!("{} {unit}", digits(value / size)).trim_end().to_owned()
    }
}

/// Formats three significant digits without trailing zeros or exponent.
fn digits(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let power = value.abs().log10().floor() as i32;
    let decimals = (2 - power).clamp(0, 12) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_intervals_are_read() {
        let read = |kind: Kind, text: &str| kind.parse(text).map(|i| [i.low, i.high]);
        assert_eq!(read(Kind::Rate, "69.6 Mbit/s"), Ok([69.6e6, 69.6e6]));
        assert_eq!(read(Kind::Rate, "62 to 77 Mbit/s"), Ok([62e6, 77e6]));
        assert_eq!(read(Kind::Rate, "150 kB/s"), Ok([1.2e6, 1.2e6]));
        assert_eq!(read(Kind::Rate, "1 to 2 MiB/s"), Ok([8_388_608.0, 16_777_216.0]));
        assert_eq!(read(Kind::Rate, "900 kbit/s to 1.1 Mbit/s"), Ok([900e3, 1.1e6]));
        assert_eq!(read(Kind::Time, "at most 0.5 ms"), Ok([0.0, 500_000.0 * 1e-9]));
        assert_eq!(read(Kind::Size, "at least 4 KiB"), Ok([4096.0, f64::INFINITY]));
        assert_eq!(read(Kind::Size, "about 12 kB"), Ok([10_000.0, 14_400.0]));
        assert_eq!(read(Kind::Count, "2 to 4"), Ok([2.0, 4.0]));
        assert_eq!(read(Kind::Share, "0.05 to 0.3 %"), Ok([0.0005, 0.003]));
    }

    #[test]
    fn wrong_values_say_what_to_write() {
        let wrong = |kind: Kind, text: &str| kind.parse(text).unwrap_err();
        assert_eq!(wrong(Kind::Rate, "77 to 62 Mbit/s").hint.unwrap(), "write \"62 to 77 Mbit/s\"");
        assert_eq!(wrong(Kind::Count, "ten").what, "is not a number");
        assert_eq!(wrong(Kind::Time, "at most 5").what, "has no unit");
    }

    #[test]
    fn exact_text_reads_back_as_the_same() {
        let texts = ["62 to 77 Mbit/s", "at most 0.5 ms", "at least 4096 B", "0.002 %", "1.5 to 2.2 MB", "2 to 4"];
        let kinds = [Kind::Rate, Kind::Time, Kind::Size, Kind::Share, Kind::Size, Kind::Count];
        for (text, kind) in texts.iter().zip(kinds) {
            let read = kind.parse(text).unwrap();
            assert_eq!(kind.parse(&kind.exact(read)), Ok(read), "{text}");
        }
    }

    #[test]
    fn people_see_three_digits() {
        assert_eq!(Kind::Rate.show(Interval::new(61.96e6, 77.04e6)), "62 to 77 Mbit/s");
        assert_eq!(Kind::Rate.show(Interval::exactly(999.9e6)), "1000 Mbit/s".replace("1000 M", "1 G"));
        assert_eq!(Kind::Share.show(Interval::new(0.0, 0.00002)), "at most 0.002 %");
        assert_eq!(Kind::Size.show(Interval::new(3e3, 2e6)), "3 kB to 2 MB");
    }
}
