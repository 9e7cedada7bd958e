//! Exact quantities with units. A quantity is a whole number of its kind's grain; any other is refused, so that no
//! precision is lost between the file and the kernel.

/// A kind of quantity: how it is written, and the grain in which it is stored.
#[derive(Debug)]
pub struct Kind {
    /// Units that a hint suggests for a bare number, the most usual first.
    pub usual: &'static [&'static str],
    /// Units and their sizes in grains, the smallest first.
    pub units: &'static [(&'static str, u64)],
    /// Other spellings of the units, and what to write instead.
    aliases: &'static [(&'static str, &'static str)],
    /// The smallest step, as an error names it.
    grain: &'static str,
}

/// Rate, bit/s.
pub const RATE: Kind = Kind {
    usual: &["Mbit/s"],
    units: &[
        ("bit/s", 1),
        ("kbit/s", 1_000),
        ("Mbit/s", 1_000_000),
        ("Gbit/s", 1_000_000_000),
        ("Tbit/s", 1_000_000_000_000),
    ],
    aliases: &[
        ("bps", "bit/s"),
        ("bit", "bit/s"),
        ("kbps", "kbit/s"),
        ("kb/s", "kbit/s"),
        ("kbit", "kbit/s"),
        ("k", "kbit/s"),
        ("mbps", "Mbit/s"),
        ("mb/s", "Mbit/s"),
        ("mbit", "Mbit/s"),
        ("m", "Mbit/s"),
        ("gbps", "Gbit/s"),
        ("gb/s", "Gbit/s"),
        ("gbit", "Gbit/s"),
        ("g", "Gbit/s"),
        ("tbps", "Tbit/s"),
        ("tbit", "Tbit/s"),
    ],
    grain: "bit/s",
};

/// Time, ns.
pub const TIME: Kind = Kind {
    usual: &["ms", "s"],
    units: &[("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("min", 60_000_000_000)],
    aliases: &[
        ("nsec", "ns"),
        ("usec", "us"),
        ("msec", "ms"),
        ("millis", "ms"),
        ("milliseconds", "ms"),
        ("sec", "s"),
        ("secs", "s"),
        ("second", "s"),
        ("seconds", "s"),
        ("m", "min"),
        ("mins", "min"),
        ("minute", "min"),
        ("minutes", "min"),
    ],
    grain: "ns",
};

/// Size, bytes.
pub const SIZE: Kind = Kind {
    usual: &["B"],
    units: &[
        ("B", 1),
        ("kB", 1_000),
        ("KiB", 1 << 10),
        ("MB", 1_000_000),
        ("MiB", 1 << 20),
        ("GB", 1_000_000_000),
        ("GiB", 1 << 30),
    ],
    aliases: &[
        ("byte", "B"),
        ("bytes", "B"),
        ("k", "kB"),
        ("m", "MB"),
        ("g", "GB"),
        ("ki", "KiB"),
        ("mi", "MiB"),
        ("gi", "GiB"),
    ],
    grain: "bytes",
};

/// Share of one, in parts of 10^12: dividing by [`ONE`] gives the double nearest to the written value.
pub const RATIO: Kind = Kind {
    usual: &["%"],
    units: &[("%", ONE / 100)],
    aliases: &[("percent", "%"), ("pct", "%")],
    grain: "steps of 0.0000000001 %",
};

/// The ratio of one, in grains of [`RATIO`].
pub const ONE: u64 = 1_000_000_000_000;

/// Frequency, in millionths of a hertz.
pub const FREQUENCY: Kind = Kind {
    usual: &["Hz"],
    units: &[("Hz", MICRO)],
    aliases: &[("hz", "Hz"), ("hertz", "Hz"), ("/s", "Hz")],
    grain: "steps of 0.000001 Hz",
};

/// Whole number of packets.
pub const PACKETS: Kind =
    Kind { usual: &["packets"], units: &[("packets", 1)], aliases: PACKET_ALIASES, grain: "packets" };

/// Mean number of packets, in parts of [`MICRO`].
pub const MEAN_PACKETS: Kind = Kind {
    usual: &["packets"],
    units: &[("packets", MICRO)],
    aliases: PACKET_ALIASES,
    grain: "steps of 0.000001 packets",
};

const PACKET_ALIASES: &[(&str, &str)] =
    &[("packet", "packets"), ("pkts", "packets"), ("pkt", "packets"), ("p", "packets")];

/// Multiples of the bandwidth-delay product, in parts of [`MICRO`].
pub const BDP: Kind = Kind { usual: &["BDP"], units: &[("BDP", MICRO)], aliases: &[], grain: "steps of 0.000001 BDP" };

/// Grains in one BDP, packet or hertz, for [`BDP`], [`MEAN_PACKETS`] and [`FREQUENCY`].
pub const MICRO: u64 = 1_000_000;

/// Description of a wrong value, printed after its key and the value itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wrong {
    /// The rest of the headline: `has no unit`.
    pub what: String,
    /// Reasons, such as accepted values, each in a line.
    pub notes: Vec<String>,
    /// Advice on what to write instead.
    pub hint: Option<String>,
}

impl Wrong {
    /// Returns a description without notes or hint.
    pub fn new(what: impl Into<String>) -> Wrong {
        Wrong { what: what.into(), ..Wrong::default() }
    }

    /// Adds a note.
    pub fn note(mut self, note: impl Into<String>) -> Wrong {
        self.notes.push(note.into());
        self
    }

    /// Adds a note about accepted values.
    pub fn accepted(mut self, what: impl std::fmt::Display) -> Wrong {
        self.notes.push(format!("accepted: {what}"));
        self
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Wrong {
        self.hint = Some(hint.into());
        self
    }
}

impl Kind {
    /// Reads the quantity that `text` states, in grains.
    pub fn parse(&self, text: &str) -> Result<u64, Wrong> {
        parse_any(text, &[self]).map(|(_, grains)| grains)
    }

    /// Writes a quantity exactly, in the largest unit that reads well.
    pub fn show(&self, grains: u64) -> String {
        let written = |&(unit, size): &(&'static str, u64)| Some((decimal(grains, size)?, unit));
        let in_units = || self.units.iter().rev().filter(|(_, size)| decimal_unit(*size));
        let short = in_units().filter(|(_, size)| reads_well(grains, *size)).find_map(written);
        let smallest = || Some((decimal(grains, self.units[0].1)?, self.units[0].0));
        let (number, unit) = short.or_else(smallest).unwrap_or_default();
        format!("{number} {unit}")
    }

    fn unit(&self, name: &str) -> Option<u64> {
        let ascii = name.replace(['µ', 'μ'], "u");
        self.units.iter().find(|(unit, _)| *unit == ascii).map(|&(_, size)| size)
    }

    /// Writes a range of quantities.
    pub fn show_range(&self, range: &std::ops::RangeInclusive<u64>) -> String {
        let (least, most) = (self.show(*range.start()), self.show(*range.end()));
        let unit = |text: &str| text.split(' ').nth(1).map(str::to_owned);
        match least.split_once(' ') {
            Some((number, _)) if unit(&least) == unit(&most) => format!("{number} to {most}"),
            _ => format!("{least} to {most}"),
        }
    }

    /// Returns the unit that `name` seems to mean.
    fn meant(&self, name: &str) -> Option<&'static str> {
        let same = |spelling: &str| spelling.eq_ignore_ascii_case(name);
        let unit = self.units.iter().map(|&(unit, _)| unit).find(|unit| same(unit));
        unit.or_else(|| self.aliases.iter().find(|(alias, _)| same(alias)).map(|&(_, unit)| unit))
    }
}

/// Reads a quantity of one of several kinds whose units all differ: returns the index of its kind, and its grains.
pub fn parse_any(text: &str, kinds: &[&Kind]) -> Result<(usize, u64), Wrong> {
    let (number, unit) = split(text.trim_matches(' '));
    if number.is_empty() && unit.starts_with('-') && unit[1..].starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return Err(Wrong::new("is negative").accepted("numbers from 0 on"));
    }
    let decimal = Decimal::parse(number).ok_or_else(|| not_a_number(text, kinds))?;
    if unit.is_empty() {
        let written: Vec<String> = kinds[0].usual.iter().map(|unit| format!("\"{number} {unit}\"")).collect();
        let hint = format!("write {}", written.join(" or "));
        return Err(Wrong::new("has no unit").accepted(units(kinds)).hint(hint));
    }
    let found = kinds.iter().enumerate().find_map(|(i, kind)| Some((i, kind.unit(unit)?)));
    let (index, size) = found.ok_or_else(|| unknown_unit(number, unit, kinds))?;
    match decimal.times(size) {
        Product::Whole(grains) => Ok((index, grains)),
        Product::Fraction => Err(Wrong::new(format!("is not a whole number of {}", kinds[index].grain))),
        Product::TooLarge => Err(Wrong::new("is too large")),
    }
}

fn unknown_unit(number: &str, unit: &str, kinds: &[&Kind]) -> Wrong {
    let wrong = Wrong::new(format!("has an unknown unit \"{unit}\"")).accepted(units(kinds));
    if unit.starts_with(['e', 'E']) && unit[1..].starts_with(|c: char| c.is_ascii_digit() || "+-".contains(c)) {
        return Wrong::new("has an exponent").accepted("digits, optionally with a decimal point, and a unit");
    }
    if unit.ends_with("B/s") {
        return wrong.hint("rates count bits: 1 MB/s is \"8 Mbit/s\"");
    }
    match kinds.iter().find_map(|kind| kind.meant(unit)) {
        Some(meant) => wrong.hint(format!("write \"{number} {meant}\"")),
        None => wrong,
    }
}

fn not_a_number(text: &str, kinds: &[&Kind]) -> Wrong {
    let wrong = Wrong::new("is not a number with a unit");
    let plain = text.trim().replace('_', "");
    let plain = if plain.matches(',').count() == 1 && !thousands(&plain) {
        plain.replace(',', ".")
    } else {
        plain.replace(',', "")
    };
    let understood = plain != text.trim() && parse_any(&plain, kinds).is_ok();
    if understood {
        return Wrong::new("has a separator inside its number").hint(format!("write \"{plain}\""));
    }
    if text.trim().is_empty() {
        return Wrong::new("is empty").accepted(example(kinds));
    }
    wrong.accepted(example(kinds))
}

fn thousands(text: &str) -> bool {
    let after = text.split(',').nth(1).unwrap_or("");
    after.chars().take_while(char::is_ascii_digit).count() == 3
}

fn example(kinds: &[&Kind]) -> String {
    format!("a number and one of {}", units(kinds))
}

/// Lists the units of these kinds for an error.
pub fn units(kinds: &[&Kind]) -> String {
    let names: Vec<&str> = kinds.iter().flat_map(|kind| kind.units).map(|&(name, _)| name).collect();
    names.join(", ")
}

/// Splits `text` into the number at its start and the unit after it.
fn split(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '_'))).unwrap_or(text.len());
    (&text[..end], text[end..].trim_start_matches(' '))
}

/// `digits` over ten to the power of `decimals`.
struct Decimal {
    digits: Option<u128>,
    decimals: u32,
}

enum Product {
    Whole(u64),
    Fraction,
    TooLarge,
}

impl Decimal {
    fn parse(text: &str) -> Option<Decimal> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let plain = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !plain(whole) || !plain(fraction) {
            return None;
        }
        let fraction = fraction.trim_end_matches('0');
        let digits = format!("{whole}{fraction}").parse().ok();
        Some(Decimal { digits, decimals: fraction.len() as u32 })
    }

    fn times(&self, size: u64) -> Product {
        // A whole number of grains has at most 30 decimal places (1 B in GiB); this scale overflows beyond 38.
        let Some(scale) = 10u128.checked_pow(self.decimals) else { return Product::Fraction };
        let Some(product) = self.digits.and_then(|digits| digits.checked_mul(u128::from(size))) else {
            return Product::TooLarge;
        };
        if !product.is_multiple_of(scale) {
            return Product::Fraction;
        }
        u64::try_from(product / scale).map_or(Product::TooLarge, Product::Whole)
    }
}

/// Returns `value / size` as a decimal, if it terminates.
fn decimal(value: u64, size: u64) -> Option<String> {
    let (whole, mut rest) = (value / size, u128::from(value % size));
    let mut text = whole.to_string();
    let size = u128::from(size);
    for place in 0..40 {
        if rest == 0 {
            return Some(text);
        }
        if place == 0 {
            text.push('.');
        }
        rest *= 10;
        text.push(char::from(b'0' + (rest / size) as u8));
        rest %= size;
    }
    None
}

/// True for at least one unit with at most three decimals; units below a million grains get none, since an MTU is 1500
/// B, not 1.5 kB.
fn reads_well(grains: u64, size: u64) -> bool {
    let decimals = if size >= 1_000_000 { 1000 } else { 1 };
    grains >= size && (u128::from(grains) * decimals).is_multiple_of(u128::from(size))
}

/// True for powers of ten: sizes are shown in powers of 1000, times in ns to s.
fn decimal_unit(size: u64) -> bool {
    let mut left = size;
    while left.is_multiple_of(10) {
        left /= 10;
    }
    left == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KINDS: [&Kind; 7] = [&RATE, &TIME, &SIZE, &RATIO, &PACKETS, &MEAN_PACKETS, &BDP];

    #[test]
    fn accepted() {
        let table: &[(&Kind, &str, u64)] = &[
            (&RATE, "1 Gbit/s", 1_000_000_000),
            (&RATE, "69.6 Mbit/s", 69_600_000),
            (&RATE, "0.001 kbit/s", 1),
            (&RATE, "18446744073709551615 bit/s", u64::MAX),
            (&TIME, "210 ms", 210_000_000),
            (&TIME, "0.1 ms", 100_000),
            (&TIME, "0.000000001 s", 1),
            (&TIME, "5µs", 5_000),
            (&TIME, "5 us", 5_000),
            (&TIME, "1.5min", 90_000_000_000),
            (&TIME, " 0 s ", 0),
            (&SIZE, "125 kB", 125_000),
            (&SIZE, "3 MiB", 3 << 20),
            (&SIZE, "0.5 KiB", 512),
            (&SIZE, "1.0000 B", 1),
            (&RATIO, "0.002 %", ONE / 50_000),
            (&RATIO, "100 %", ONE),
            (&PACKETS, "200 packets", 200),
            (&MEAN_PACKETS, "12.5 packets", 12_500_000),
            (&BDP, "1 BDP", MICRO),
            (&BDP, "0.25 BDP", MICRO / 4),
        ];
        for (kind, text, grains) in table {
            assert_eq!(kind.parse(text), Ok(*grains), "{text}");
        }
    }

    #[test]
    fn refused() {
        let table: &[(&Kind, &str, &str)] = &[
            (&RATE, "50", "has no unit"),
            (&RATE, "-5 Mbit/s", "is negative"),
            (&RATE, "1.5 bit/s", "is not a whole number of bit/s"),
            (&RATE, "18446744073709551616 bit/s", "is too large"),
            (&RATE, "1 mbit/s", "has an unknown unit \"mbit/s\""),
            (&RATE, "1e3 bit/s", "has an exponent"),
            (&RATE, "1_000 bit/s", "has a separator inside its number"),
            (&RATE, "1,000 bit/s", "has a separator inside its number"),
            (&RATE, "", "is empty"),
            (&TIME, "0.5 ns", "is not a whole number of ns"),
            (&TIME, "1.0000000001 s", "is not a whole number of ns"),
            (&TIME, "5. ms", "is not a number with a unit"),
            (&TIME, ".5 ms", "is not a number with a unit"),
            (&TIME, "1.2.3 ms", "is not a number with a unit"),
            (&TIME, "+5 ms", "is not a number with a unit"),
            (&TIME, "ms", "is not a number with a unit"),
            (&TIME, "5\nms", "has an unknown unit \"\nms\""),
            (&SIZE, "0.3 KiB", "is not a whole number of bytes"),
            (&RATIO, "0.00000000001 %", "is not a whole number of steps of 0.0000000001 %"),
            (&PACKETS, "2.5 packets", "is not a whole number of packets"),
        ];
        for (kind, text, what) in table {
            assert_eq!(kind.parse(text).map_err(|wrong| wrong.what), Err((*what).to_owned()), "{text}");
        }
    }

    #[test]
    fn misspelt_units_hint_the_right_spelling() {
        let table: &[(&Kind, &str, &str)] = &[
            (&RATE, "50", "50 Mbit/s"),
            (&RATE, "50 mbit/s", "50 Mbit/s"),
            (&RATE, "50 Mbps", "50 Mbit/s"),
            (&RATE, "1,000 bit/s", "1000 bit/s"),
            (&RATE, "1,5 Gbit/s", "1.5 Gbit/s"),
            (&TIME, "5 sec", "5 s"),
            (&TIME, "5 MS", "5 ms"),
            (&SIZE, "5 KB", "5 kB"),
            (&SIZE, "5 bytes", "5 B"),
            (&PACKETS, "1 packet", "1 packets"),
        ];
        for (kind, text, hint) in table {
            assert_eq!(kind.parse(text).map_err(|wrong| wrong.hint), Err(Some(format!("write \"{hint}\""))), "{text}");
        }
    }

    #[test]
    fn shown() {
        let table: &[(&Kind, u64, &str)] = &[
            (&RATE, 1_000_000_000, "1 Gbit/s"),
            (&RATE, 69_600_000, "69.6 Mbit/s"),
            (&RATE, 1_234_567, "1234567 bit/s"),
            (&TIME, 210_000_000, "210 ms"),
            (&TIME, 0, "0 ns"),
            (&TIME, 90_000_000_000, "90 s"),
            (&SIZE, 1500, "1500 B"),
            (&SIZE, 26_250_000, "26.25 MB"),
            (&SIZE, 3 << 20, "3145728 B"),
            (&RATIO, ONE / 50_000, "0.002 %"),
            (&BDP, MICRO / 2, "0.5 BDP"),
        ];
        for (kind, grains, text) in table {
            assert_eq!(kind.show(*grains), *text);
        }
    }

    proptest! {
        #[test]
        fn shown_quantities_parse_to_the_same_value(kind in 0..KINDS.len(), grains: u64, shift in 0..64u32) {
            let grains = grains >> shift;
            let shown = KINDS[kind].show(grains);
            prop_assert_eq!(KINDS[kind].parse(&shown), Ok(grains), "{}", shown);
        }

        #[test]
        fn round_values_are_short(digits in 1..1000u64, unit in 0..5usize) {
            let (name, size) = RATE.units[unit];
            let digits = if digits % 10 == 0 { digits + 1 } else { digits };
            prop_assert_eq!(RATE.show(digits * size), format!("{digits} {name}"));
        }

        #[test]
        fn nothing_panics(kind in 0..KINDS.len(), text in "[-+0-9.,_eE ]{0,50}[a-zA-Zµ/% ]{0,8}|.*") {
            let _ = KINDS[kind].parse(&text);
        }
    }
}
