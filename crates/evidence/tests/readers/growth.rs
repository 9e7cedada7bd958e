//! Readers take time in proportion to the text: 8 times as much text takes at most 24 times as long. A quadratic reader
//! would take 64 times as long. Noise of the machine stays far below both.

use std::fs;
use std::time::{Duration, Instant};

/// Bytes of the shorter text: enough to show faster growth, and few enough to finish.
const TEXT_BYTES: usize = 50_000;

/// Ratio of the lengths of both texts, and largest ratio of their times.
const LENGTH_RATIO: usize = 8;
const MAX_TIME_RATIO: u32 = 24;

/// Shortest time that is more than noise.
const MIN_TIME: Duration = Duration::from_millis(5);

/// Tries, one of which must succeed, since other programs use caches and memory too.
const TRIES: usize = 5;

/// Asserts that a reader takes time in proportion to the size of its text.
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

/// Time that this thread ran, unaffected by the machine's load, or else the time of day if the kernel does not report
/// it.
enum Clock {
    Ran(Duration),
    Wall(Instant),
}

impl Clock {
    /// The first field is the time spent running, ns (Documentation/scheduler/sched-stats.rst).
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

/// Repeats a piece up to a size.
pub fn repeated(piece: &str) -> impl Fn(usize) -> String {
    let piece = piece.to_owned();
    move |size| piece.repeat(size / piece.len())
}

/// Makes a line for each number, up to a size.
pub fn numbered(line: impl Fn(usize) -> String) -> impl Fn(usize) -> String {
    move |size| (0..size / line(0).len()).map(&line).collect()
}

/// Repeats a piece after a head, up to a size.
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
