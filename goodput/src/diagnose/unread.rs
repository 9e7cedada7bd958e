//! Detects receive windows that close or shrink because a program does not read.

use super::flow::Flow;
use crate::stats::percentile;
use evidence::Point;

/// Variation of a window late in the run above which its reader does not keep up.
pub const MIN_READER_VARIATION: f64 = 0.02;
/// Share of the points with a closed window from which it is closed for long.
pub const MIN_CLOSED_POINTS_SHARE: f64 = 0.2;
/// Smallest share of the time in which a window limits, and share of its largest size below which it has shrunk.
pub const MIN_BINDING_SHARE: f64 = 0.5;
/// Bounds for a window filled with unread data: the largest remaining share of its earlier size, and the smallest
/// share and number of points with it.
pub const MAX_LEFT_WINDOW_SHARE: f64 = 0.2;
pub const MIN_TAKEN_POINTS_SHARE: f64 = 0.1;
pub const MIN_TAKEN_POINTS: usize = 3;
/// Retransmitted share below which losses do not limit.
const MAX_HARMLESS_LOSS_SHARE: f64 = 0.005;
/// Unread share from which a receive buffer is full.
pub const FULL_BUFFER_SHARE: f64 = 0.4;

/// Whether the window is closed at the end, or so small on average that no segment fits: a window with room for one,
/// and without a loss, is never that slow.
pub fn stays_closed(flow: &Flow) -> bool {
    let rtt = flow.median(|point| point.srtt).or(flow.base());
    let in_flight = flow.seen.goodput.zip(rtt).map(|(goodput, rtt)| goodput * rtt / 8.0);
    let limited = flow.seen.limits.is_some_and(|limits| limits.rwnd > MIN_BINDING_SHARE) && is_in_order(flow);
    flow.seen.probes || limited && in_flight.is_some_and(|bytes| bytes < flow.mss)
}

/// Returns how often the window was closed, if it closes repeatedly or for long: a busy host reads late once.
pub fn closures(flow: &Flow) -> u64 {
    let known: Vec<f64> = flow.seen.points.iter().filter_map(|point| point.window).collect();
    let closed = known.iter().filter(|window| **window < flow.mss).count();
    let long = known.is_empty() || closed as f64 >= MIN_CLOSED_POINTS_SHARE * known.len() as f64;
    let again = || flow.window_varies().is_some_and(|varies| varies > held_back(flow));
    flow.seen.window.filter(|_| long || again()).map_or(0, |window| window.zeros)
}

/// Whether the window closes, or varies as unread data fills the buffer.
pub fn is_closing(flow: &Flow) -> bool {
    let full = flow.seen.unread.map(|unread| unread > FULL_BUFFER_SHARE);
    is_closed(flow) || full.unwrap_or_else(|| shrinks(flow) || is_small(flow))
}

fn is_closed(flow: &Flow) -> bool {
    closures(flow) > 0 || stays_closed(flow)
}

/// Whether little of the window is left, mostly or repeatedly.
fn is_small(flow: &Flow) -> bool {
    stays_small(flow).is_some() || is_taken_up(flow)
}

/// Whether almost nothing of the window is left repeatedly.
fn is_taken_up(flow: &Flow) -> bool {
    let later = flow.later_half();
    let before = flow.seen.points.len() - later.len();
    // Autotuning raises the window all the while, so it is compared with its earlier size.
    let largest = flow.seen.points.iter().scan(0.0, |largest, point| {
        *largest = point.window.unwrap_or(0.0).max(*largest);
        Some(*largest)
    });
    let small = |(point, was): &(&Point, f64)| point.window.is_some_and(|left| left < MAX_LEFT_WINDOW_SHARE * was);
    let taken = later.iter().zip(largest.skip(before)).filter(small).count();
    taken >= MIN_TAKEN_POINTS && taken as f64 >= MIN_TAKEN_POINTS_SHARE * later.len() as f64
}

/// Whether the window falls by more than the data on its way to the program: two segments, and after a loss all that
/// waits for the lost one.
fn shrinks(flow: &Flow) -> bool {
    let largest = flow.seen.window.map_or(f64::INFINITY, |window| window.largest);
    let shows = |varies: f64| varies > MIN_READER_VARIATION && varies * largest > 2.0 * flow.mss;
    is_in_order(flow) && flow.window_varies().is_some_and(shows)
}

/// Whether no segment was lost or late, as far as known.
fn is_in_order(flow: &Flow) -> bool {
    [flow.seen.retransmitted, flow.seen.reordered].iter().all(|count| count.is_none_or(|n| n == 0.0))
}

/// Returns the share of the window that data behind a lost or late segment may fill.
fn held_back(flow: &Flow) -> f64 {
    if is_in_order(flow) { MIN_READER_VARIATION } else { MIN_BINDING_SHARE }
}

/// Returns the median window of the later half, bytes, if the window limits and this is less than half of its largest,
/// with hardly a loss that would hold data back. Unread data fills the rest.
pub fn stays_small(flow: &Flow) -> Option<f64> {
    let few = flow.retransmitted().is_some_and(|again| again < MAX_HARMLESS_LOSS_SHARE);
    let binds = flow.seen.limits.is_some_and(|limits| limits.rwnd > MIN_BINDING_SHARE);
    let later = flow.later_half();
    let largest = flow.seen.window?.largest;
    let window = percentile(later.iter().filter_map(|point| point.window).collect(), 0.5);
    window.filter(|window| few && binds && *window < MIN_BINDING_SHARE * largest)
}

/// Whether a closing window is the limit: a varying window is the weakest sign, and needs the kernel's count.
pub fn binds(flow: &Flow) -> bool {
    let limited = flow.seen.limits.map(|limits| limits.rwnd);
    let full = flow.seen.unread.is_some_and(|unread| unread > FULL_BUFFER_SHARE);
    let shows = is_closed(flow) || full || limited.is_some() || is_small(flow);
    // The kernel adds up a limit's time once the limit changes: while a window stays closed it has counted nothing
    // yet.
    flow.seen.probes || limited.is_none_or(|limited| limited >= 0.2) && is_closing(flow) && shows
}
