//! Limits of an agent's answers. A host may run anything in its place: figures that no transfer of the order can have
//! are refused, before they are added up or written.

use super::flow::{End, FlowLoad};
use super::transfer::{BLOCK, READ_OUT_TIMEOUT};
use super::{Load, Received, Sent};
use crate::login::{Bound, Reason};
use std::ops::RangeInclusive;
use std::time::Duration;

/// Time that a transfer may take beyond its own: for connecting, and for what was written last.
const SLACK: Duration = READ_OUT_TIMEOUT.saturating_add(Duration::from_secs(20));

/// Clocks of hosts, seconds since the epoch: until the year 2286.
const CLOCK: RangeInclusive<f64> = 0.0..=1e10;

/// CPUs that a program can keep busy.
const BUSY: RangeInclusive<f64> = 0.0..=8192.0;

/// Longest name of a congestion control (TCP_CA_NAME_MAX, include/net/tcp.h).
const NAME_BYTES: usize = 16;

/// Returns the number of samples that fit in a time.
fn samples(time: Duration, interval: Duration) -> usize {
    let count = (time + SLACK).as_nanos() / interval.as_nanos().max(1);
    usize::try_from(count).unwrap_or(usize::MAX).saturating_add(2)
}

impl Load {
    /// Returns the largest answer about this transfer.
    pub fn bound(&self) -> Bound {
        let intervals = (self.time + SLACK).as_secs() as usize + super::transfer::INTERVALS as usize;
        Bound::for_counts(samples(self.time, self.sample), intervals)
    }
}

/// Returns the largest answer about these flows.
pub fn bound_of_flows(flows: &[FlowLoad]) -> Bound {
    let all = flows.iter().map(|flow| samples(flow.longest(), flow.sample));
    Bound::for_counts(all.fold(0, usize::saturating_add), flows.len())
}

/// Returns a name of a congestion control, or nothing in place of what is none.
fn name(text: &str) -> String {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    let is_sound = text.len() < NAME_BYTES && text.bytes().all(is_name);
    if is_sound { text.to_owned() } else { String::new() }
}

/// A claim, whether it may be, and in words.
type Claim = (bool, String);

fn first_false(claims: impl IntoIterator<Item = Claim>) -> Result<(), Reason> {
    match claims.into_iter().find(|(may_be, _)| !may_be) {
        None => Ok(()),
        Some((_, what)) => Err(Reason::Own(format!("it claims {what}, which no such transfer has"))),
    }
}

fn time(seconds: f64, load: &Load) -> Claim {
    ((0.0..=(load.time + SLACK).as_secs_f64()).contains(&seconds), format!("a time of {seconds:e} s"))
}

fn bytes(count: u64, load: &Load) -> Claim {
    (count <= load.bytes, format!("{count} bytes"))
}

fn busy(busy: f64) -> Claim {
    (BUSY.contains(&busy), format!("{busy:e} busy CPUs"))
}

impl Sent {
    /// Returns this report, if it may be of such a transfer.
    pub fn checked(self, load: &Load) -> Result<Sent, Reason> {
        first_false([time(self.seconds, load), bytes(self.bytes, load), busy(self.busy)])?;
        first_false([(CLOCK.contains(&self.began), format!("a clock of {:e} s", self.began))])?;
        let total = self.intervals.iter().try_fold(0u64, |sum, own| sum.checked_add(own.bytes));
        first_false([(total.is_some_and(|sum| sum <= load.bytes), "more bytes in its intervals".into())])?;
        let ends = [0.0].into_iter().chain(self.intervals.iter().map(|own| own.end)).collect::<Vec<f64>>();
        first_false(ends.windows(2).map(|pair| (pair[0] <= pair[1], "intervals that go back in time".into())))?;
        first_false(ends.iter().map(|end| time(*end, load)))?;
        first_false(self.screens.iter().map(|own| (CLOCK.contains(&own.at), format!("a clock of {:e} s", own.at))))?;
        Ok(Sent { congestion: name(&self.congestion), ..self })
    }
}

impl Received {
    /// Returns this report, if it may be of such a transfer.
    pub fn checked(self, load: &Load) -> Result<Received, Reason> {
        first_false([time(self.seconds, load), bytes(self.bytes, load), busy(self.busy)])?;
        Ok(self)
    }
}

/// Returns the ends of flows, if they may be of such flows. iperf3 writes whole blocks, and keeps its limit by a rate.
pub fn checked_ends(ends: Vec<End>, flows: &[FlowLoad]) -> Result<Vec<End>, Reason> {
    let mut seen = vec![];
    ends.into_iter().map(|end| checked_end(end, flows, &mut seen)).collect()
}

fn checked_end(end: End, flows: &[FlowLoad], seen: &mut Vec<u32>) -> Result<End, Reason> {
    let number = end.number;
    let flow = flows.iter().find(|flow| flow.number == number).filter(|_| !seen.contains(&number));
    let Some(flow) = flow else { return Err(Reason::Own(format!("it claims flow {number}, which was not asked for"))) };
    seen.push(number);
    let most = (flow.start + flow.longest() + SLACK).as_nanos();
    let times = end.connecting.into_iter().chain([end.ended]).chain(end.looks.iter().map(|look| look.time));
    first_false(times.map(|time| (u128::from(time) <= most, format!("a time of {time} ns"))))?;
    let is_ordered = end.connecting[0] <= end.connecting[1] && end.looks.is_sorted_by_key(|look| look.time);
    first_false([(is_ordered, "samples that go back in time".into())])?;
    let bytes = flow.bytes().saturating_mul(2).saturating_add(BLOCK as u64);
    first_false([(end.bytes <= bytes, format!("{} bytes", end.bytes))])?;
    let broken = end.broken.map(|why| Reason::Host(why).to_string());
    Ok(End { congestion: name(&end.congestion), broken, ..end })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::login::agent::{Interval, Look, Screen, Until};

    fn load() -> Load {
        Load { time: Duration::from_secs(10), bytes: 1000, congestion: None, sample: Duration::from_millis(10) }
    }

    fn flow() -> FlowLoad {
        FlowLoad {
            number: 3,
            start: Duration::ZERO,
            forward: true,
            until: Until::Time(Duration::from_secs(10)),
            limit: Duration::from_secs(60),
            most: 1000,
            congestion: None,
            mss: None,
            send_buffer: None,
            receive_buffer: None,
            rate: None,
            sample: Duration::from_millis(10),
        }
    }

    #[test]
    fn what_no_transfer_has_is_refused() {
        let interval = |end: f64, bytes: u64| Interval { end, bytes, ..Interval::default() };
        let good = Sent {
            began: 1.7e9,
            seconds: 10.1,
            bytes: 1000,
            intervals: vec![interval(1.0, 400), interval(10.1, 600)],
            congestion: "cubic".into(),
            ..Sent::default()
        };
        assert_eq!(good.clone().checked(&load()), Ok(good.clone()));
        let screen = Screen { at: f64::MAX, ..Screen::default() };
        let lies = [
            Sent { seconds: 1e308, ..good.clone() },
            Sent { seconds: -1.0, ..good.clone() },
            Sent { began: 1e308, ..good.clone() },
            Sent { busy: 1e308, ..good.clone() },
            Sent { bytes: u64::MAX, ..good.clone() },
            Sent { intervals: vec![interval(1.0, u64::MAX), interval(2.0, u64::MAX)], ..good.clone() },
            Sent { intervals: vec![interval(2.0, 1), interval(1.0, 1)], ..good.clone() },
            Sent { intervals: vec![interval(1e308, 1)], ..good.clone() },
            Sent { screens: vec![screen], ..good.clone() },
        ];
        for lie in lies {
            let said = lie.clone().checked(&load()).expect_err(&format!("{lie:?}")).to_string();
            assert!(said.starts_with("it claims ") && said.len() < 80, "{said}");
        }
        let odd = Sent { congestion: "x\nhint: y".into(), ..good };
        assert_eq!(odd.checked(&load()).unwrap().congestion, "");
        assert!(Received { seconds: 1e300, ..Received::default() }.checked(&load()).is_err());
    }

    #[test]
    fn what_no_flow_has_is_refused() {
        let look = |time: u64| Look { time, ..Look::default() };
        let good = End { number: 3, looks: vec![look(1), look(2)], bytes: 1000, ..End::default() };
        let checked = |ends: Vec<End>| checked_ends(ends, &[flow()]);
        assert_eq!(checked(vec![good.clone()]), Ok(vec![good.clone()]));
        let lies = [
            End { number: 4, ..good.clone() },
            End { ended: u64::MAX, ..good.clone() },
            End { connecting: [2, 1], ..good.clone() },
            End { connecting: [u64::MAX; 2], ..good.clone() },
            End { looks: vec![look(2), look(1)], ..good.clone() },
            End { looks: vec![look(u64::MAX)], ..good.clone() },
            End { bytes: 1 << 20, ..good.clone() },
        ];
        lies.into_iter().for_each(|lie| assert!(checked(vec![lie]).is_err()));
        assert!(checked(vec![good.clone(), good.clone()]).is_err(), "one end twice");
        let broken = End { broken: Some("no\n\nhint: x".into()), ..good };
        assert_eq!(checked(vec![broken]).unwrap()[0].broken.as_deref(), Some("\"no\\n\\nhint: x\""));
    }

    #[test]
    fn an_answer_may_be_as_long_as_what_was_asked_for() {
        assert!(load().bound().bytes < 8 << 20, "{:?}", load().bound());
        assert_eq!(bound_of_flows(&[flow()]).bytes, Bound::for_counts(4002, 1).bytes);
        let long = Load { time: Duration::from_secs(600), ..load() };
        assert!(long.bound().bytes >= 42_000_000, "ten minutes of samples");
    }
}
