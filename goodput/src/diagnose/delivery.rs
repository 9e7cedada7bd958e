//! Rates at which a connection brings data.

use super::flow::{Flow, near_middle};
use evidence::Point;

/// Over shorter spans a rate is that of a burst, seconds.
pub(crate) const MIN_SPAN_S: f64 = 0.05;

impl Flow<'_> {
    /// What came through by a point since the one before, bytes: what was acknowledged, where nothing counts more.
    pub(crate) fn delivered(&self, point: &Point) -> Option<f64> {
        point.delivered.map(|segments| segments * self.mss).or(point.bytes)
    }

    /// Delivery rates over spans of two round trips, or of an interval where these are longer, bit/s: acknowledged.
    pub fn rates(&self) -> Option<Vec<f64>> {
        self.rates_by(|point| point.bytes)
    }

    /// The same of what came through, a repair or not.
    pub(crate) fn delivery_rates(&self) -> Option<Vec<f64>> {
        self.rates_by(|point| self.delivered(point))
    }

    /// The share of these that is within so much of the middle one.
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
