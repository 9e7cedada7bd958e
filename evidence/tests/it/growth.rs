//! Readers take time in proportion to the text: 8 times as much text takes at most 24 times as long, where what looks at
//! every line for each line takes 64 times as long. The machine's own noise stays far from both.

use std::fs;
use std::time::{Duration, Instant};

/// Bytes of the shorter text: enough that what grows faster shows, and few enough that it ends.
const TEXT_BYTES: usize = 50_000;

/// Length of the long text over the short one, and the largest ratio of their times.
const LENGTH_RATIO: usize = 8;
const MAX_TIME_RATIO: u32 = 24;

/// Shorter times are noise.
const MIN_TIME: Duration = Duration::from_millis(5);

/// Others use caches and memory too: it is enough that it holds once.
const TRIES: usize = 5;

/// Holds a reader to it, for texts of a size.
pub fn takes_time_in_proportion(what: &str, text: impl Fn(usize) -> String, read: impl Fn(&str)) {
    let [short, long] = [TEXT_BYTES, LENGTH_RATIO * TEXT_BYTES].map(text);
    let time = |text: &str| {
        let start = Clock::start();
        read(text);
        start.elapsed()
    };
    let mut least = [Duration::MAX; 2];
    for _ in 0..TRIES {
        least = [least[0].min(time(&short)), least[1].min(time(&long))];
        if least[1] <= MAX_TIME_RATIO * least[0].max(MIN_TIME) {
            return;
        }
    }
    panic!("{what:?}: {} bytes take {:?}, and {LENGTH_RATIO} times as many {:?}", short.len(), least[0], least[1]);
}

/// The time that this thread ran, which no load of the machine adds to; where the kernel does not tell, the time of day.
enum Clock {
    Ran(Duration),
    Wall(Instant),
}

impl Clock {
    /// Documentation/scheduler/sched-stats.rst: nanoseconds spent running come first.
    fn ran() -> Option<Duration> {
        let stat = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(Duration::from_nanos(stat.split_whitespace().next()?.parse().ok()?))
    }

    fn start() -> Clock {
        Clock::ran().map_or_else(|| Clock::Wall(Instant::now()), Clock::Ran)
    }

    fn elapsed(&self) -> Duration {
        match self {
            Clock::Ran(start) => Clock::ran().map_or(Duration::ZERO, |now| now.saturating_sub(*start)),
            Clock::Wall(start) => start.elapsed(),
        }
    }
}

/// A piece again and again, up to a size.
pub fn repeated(piece: &str) -> impl Fn(usize) -> String {
    let piece = piece.to_owned();
    move |size| piece.repeat(size / piece.len())
}

/// A line for each number, up to a size.
pub fn numbered(line: impl Fn(usize) -> String) -> impl Fn(usize) -> String {
    move |size| (0..size / line(0).len()).map(&line).collect()
}

/// A head, and a piece again and again behind it.
pub fn behind(head: &str, piece: &str) -> impl Fn(usize) -> String {
    let (head, piece) = (head.to_owned(), repeated(piece));
    move |size| head.clone() + &piece(size)
}

#[test]
#[should_panic(expected = "8 times as many")]
fn a_reader_that_looks_back_at_every_line_is_found() {
    let last_alike = |lines: &[&str], n: usize| lines[..n].iter().rposition(|line| line.is_empty());
    takes_time_in_proportion("a line", repeated(&format!("{:9}\n", "x")), |text| {
        let lines: Vec<&str> = text.lines().collect();
        assert!((0..lines.len()).all(|n| last_alike(&lines, n).is_none()));
    });
}
