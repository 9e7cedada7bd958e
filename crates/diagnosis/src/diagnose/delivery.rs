//! Delivery rates of a connection.

use super::flow::{Flow, near_middle};
use evidence::Point;

/// Shortest span for a rate, seconds; a shorter one measures a burst.
pub(crate) const MIN_SPAN_S: f64 = 0.05;

impl Flow<'_> {
    /// Returns the bytes delivered between the previous point and this one; the bytes acknowledged if deliveries were
    /// not counted.
    pub(crate) fn delivered(&self, point: &Point) -> Option<f64> {
        point.delivered.map(|segments| segments * self.mss).or(point.bytes)
    }

    /// Returns the rates at which data was acknowledged, bit/s, over spans of two round trips, or of one interval if
    /// that is longer.
    pub fn rates(&self) -> Option<Vec<f64>> {
        self.rates_by(|point| point.bytes)
    }

    /// Returns the rates at which data was delivered, retransmissions included, over the same spans, bit/s.
    pub(crate) fn delivery_rates(&self) -> Option<Vec<f64>> {
        self.rates_by(|point| self.delivered(point))
    }

    /// Returns the share of delivery rates within the given relative distance of the median.
    pub(crate) fn steady_delivery(&self, within: f64) -> Option<f64> {
        near_middle(self.delivery_rates()?, within)
    }

    fn rates_by(&self, came: impl Fn(&Point) -> Option<f64>) -> Option<Vec<f64>> {
        let span = (2.0 * self.base().unwrap_or(0.0)).max(MIN_SPAN_S);
        let mut rates = vec![];
        let (mut from, mut bytes) = (self.seen.points.first()?.time, 0.0);
        for point in &self.seen.points[1..] {
            bytes += came(point)?;
            if point.time - from >= span - 1e-9 {
                rates.push(bytes * 8.0 / (point.time - from));
                (from, bytes) = (point.time, 0.0);
            }
        }
        (rates.len() > 2).then_some(rates)
    }
}
