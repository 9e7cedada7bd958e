//! Sizes of a path from which remedies are computed.

use super::flow::Flow;
use crate::remedy::{DEVICE, Route};
use base::model::response::BBR1_PROMISE;
use base::model::{self, WINDOW_PER_BDP};
use base::show;
use evidence::Host;
use evidence::platform::Platform;
use std::net::IpAddr;

/// Ratio of buffers to what a connection uses now if the link rate is unknown.
const UNKNOWN_LINK_HEADROOM: f64 = 4.0;

/// Ratio of a shaper's rate to the bottleneck's that moves the queue to the shaper.
const SHAPER_RATE_SHARE: f64 = 0.95;

/// Share of its rate below which a link is not the bottleneck.
const MIN_BOTTLENECK_LINK_SHARE: f64 = 0.7;

/// Smallest gain in goodput that a change must promise if the receive window would limit next.
const MIN_WINDOW_GAIN: f64 = 1.5;

/// Sizes for a remedy; the default is the Hong Kong–New York line, which `goodput explain` shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Sizes {
    /// Bytes to keep in flight: the BDP.
    pub window: f64,
    /// MTU that fits, bytes.
    pub mtu: u32,
    /// Rate of the bottleneck, bit/s.
    pub rate: Option<f64>,
    /// RTT, s.
    pub rtt: f64,
    /// Goodput of a congestion control that fills the link over the current one, if a model predicts it.
    pub gain: Option<f64>,
    /// Gain until the receive window limits, and that window, if a setting shows it.
    pub before: Option<(f64, String)>,
    /// Interface concerned.
    pub interface: Option<String>,
    /// Destination of the data.
    pub destination: Option<IpAddr>,
    /// Systems that remedies are for.
    pub platforms: Vec<Platform>,
}

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes {
            window: 2.0 * 1e9 * 0.21 / 8.0,
            mtu: 1400,
            rate: None,
            rtt: 0.21,
            gain: Some(10.0),
            before: None,
            interface: None,
            destination: None,
            platforms: model::usual_platforms(),
        }
    }
}

impl Sizes {
    /// Returns the sizes for a connection's path: its BDP, or four times what it carries now.
    pub fn for_flow(flow: &Flow) -> Sizes {
        let rtt = flow.base().unwrap_or(0.1);
        let rate = flow.expected().map(|line| line.value);
        let now = flow.seen.goodput.map(|goodput| goodput * UNKNOWN_LINK_HEADROOM);
        let window = rate.or(now).map(|rate| WINDOW_PER_BDP * rate * rtt / 8.0).filter(|w| *w > 65_536.0);
        // On an unknown link, the bytes in flight show only the window that limits them.
        let flights = flow.seen.points.iter().filter_map(|point| point.in_flight);
        let in_flight = flights.reduce(f64::max).filter(|_| rate.is_none()).map_or(0.0, |bytes| WINDOW_PER_BDP * bytes);
        let window = window.map(|window| window.max(in_flight));
        let full = rate.zip(flow.seen.goodput).filter(|(rate, goodput)| *goodput > MIN_BOTTLENECK_LINK_SHARE * rate);
        let gain = rate.zip(flow.seen.goodput).and_then(|(rate, goodput)| {
            let line = BBR1_PROMISE * rate * flow.payload();
            // No congestion control sends more than the receive window per round trip.
            let window = flow.seen.window.and_then(|window| flow.allowed_by(window.largest)).unwrap_or(f64::INFINITY);
            let gain = line.min(window) / goodput;
            (window > line || gain > MIN_WINDOW_GAIN).then_some(gain)
        });
        let allowed = flow.allowed.as_ref().filter(|_| flow.seen.window.is_none());
        let before = allowed.zip(flow.seen.goodput).zip(gain).and_then(|(((window, place), goodput), gain)| {
            let most = flow.allowed_by(*window)? / goodput;
            (most < gain).then(|| (most, format!("{} if the receiver is set as in {place}", show::bytes(*window))))
        });
        Sizes {
            window: window.unwrap_or(65_536.0 * UNKNOWN_LINK_HEADROOM),
            before,
            rate: full.map(|(rate, _)| rate),
            rtt,
            // A program that keeps to a rate gets no more.
            gain: gain.filter(|_| !flow.is_bbr() && flow.seen.target.is_none()),
            destination: flow.seen.ends.map(|[_, receiver]| receiver),
            platforms: flow.platforms.clone(),
            ..Sizes::default()
        }
    }

    /// Makes the window larger than the bytes in flight: the buffer that limits them has to grow, whatever the BDP.
    pub(crate) fn beyond_flight(self, flow: &Flow) -> Sizes {
        let flights = flow.seen.points.iter().filter_map(|point| point.in_flight);
        let window = flights.reduce(f64::max).map_or(self.window, |most| self.window.max(WINDOW_PER_BDP * most));
        Sizes { window, ..self }
    }

    /// Sets the destination.
    pub(crate) fn towards(self, destination: Option<IpAddr>) -> Sizes {
        Sizes { destination, ..self }
    }

    /// Sets the MTU.
    pub(crate) fn with_mtu(self, mtu: u32) -> Sizes {
        Sizes { mtu, ..self }
    }

    /// Sets an MTU that keeps packets below a length.
    pub fn below(self, length: f64) -> Sizes {
        self.with_mtu((length.ceil() as u32).saturating_sub(1))
    }

    /// Sets the rate of the bottleneck, bit/s.
    pub(crate) fn at_rate(self, rate: f64) -> Sizes {
        Sizes { rate: Some(rate), ..self }
    }

    /// Sets the gain of a congestion control that fills the link, in times of the goodput.
    pub(crate) fn with_gain(self, gain: f64) -> Sizes {
        Sizes { gain: Some(gain), ..self }
    }

    /// Removes the gain if no model predicts it.
    pub(crate) fn without_gain(self) -> Sizes {
        Sizes { gain: None, ..self }
    }

    /// Sets a device of a host, and the host's own system if known.
    pub fn on(self, host: &Host, device: &str) -> Sizes {
        let told = host.version.as_deref().and_then(|version| version.parse().ok());
        let usual = |system| self.platforms.iter().find(|p| p.system == system).map(|p| p.version.clone());
        let known = host.system.and_then(|system| Some(Platform { system, version: told.or_else(|| usual(system))? }));
        let platforms = known.map_or_else(|| self.platforms.clone(), |platform| vec![platform]);
        Sizes { interface: Some(device.into()), platforms, ..self }
    }

    pub(super) fn device(&self) -> &str {
        self.interface.as_deref().unwrap_or(DEVICE)
    }

    pub(super) fn shaped(&self) -> Option<u64> {
        self.rate.map(|rate| (SHAPER_RATE_SHARE * rate) as u64)
    }

    pub(super) fn route(&self) -> Route {
        Route { interface: self.interface.clone(), ..Route::to(self.destination) }
    }
}
