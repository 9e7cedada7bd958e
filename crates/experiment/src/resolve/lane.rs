//! One direction of a link: everything that a packet meets on it.

use crate::key::value_of;
use crate::leaf::{MAX_QDISC_TIME, MIN_QDISC_TIME, MOST_QUEUED};
use crate::reader::Reader;
use crate::traces::Followed;
use crate::written::{self, Extent, Follow, Line, Outage, Pace, Side, TwoStates};
use evidence::headers::{ETHERNET, FRAMING};
use evidence::unit::{MICRO, ONE, RATE, SIZE, TIME, Wrong};
use plan::{Buffer, Change, Discipline, Distribution, DualPi2, Jitter, Lane, Loss, Mark, Queue, Stage, Step, Trace};
use toml::Spanned;
use wire::Follows;

/// Keys that apply to one direction of a link.
#[derive(Debug)]
pub struct Way<'s> {
    /// Keys for both directions.
    pub both: &'s Side,
    /// Keys for the backward direction only; `None` for the forward direction.
    pub own: Option<&'s Side>,
}

impl<'s> Way<'s> {
    /// Returns a key that applies to both directions unless the backward direction has its own.
    fn shared<T>(&self, get: impl Fn(&'s Line) -> &'s Option<T>) -> Option<&'s T> {
        self.own.and_then(|own| get(&own.line).as_ref()).or_else(|| get(&self.both.line).as_ref())
    }

    /// Returns a key that applies to the forward direction only; the backward direction needs its own.
    fn single<T>(&self, get: impl Fn(&'s Line) -> &'s Option<T>) -> Option<&'s T> {
        get(&self.own.unwrap_or(self.both).line).as_ref()
    }

    /// Returns the rate, bit/s. A trace's rate is its mean, or 0 if it cannot be followed.
    pub fn rate(&self, reader: &Reader) -> u64 {
        match self.shared(|line| &line.rate).map(Spanned::get_ref) {
            Some(Pace::Fixed(rate)) => *rate,
            Some(Pace::Follows(follow)) => match followed(reader, follow, Followable::Rate) {
                Some(Ok(points)) => trace(follow, points).mean() as u64,
                _ => 0,
            },
            None => 0,
        }
    }

    /// True if the rate follows a trace.
    pub fn is_traced(&self) -> bool {
        self.shared(|line| &line.rate).is_some_and(|rate| matches!(rate.get_ref(), Pace::Follows(_)))
    }

    fn rate_trace(&self, reader: &Reader) -> Option<Trace> {
        let Pace::Follows(follow) = self.shared(|line| &line.rate)?.get_ref() else { return None };
        traced(reader, follow, Followable::Rate)
    }

    fn delay_trace(&self, reader: &Reader) -> Option<Trace> {
        traced(reader, self.shared(|line| &line.delays)?.get_ref().as_ref()?, Followable::Delay)
    }

    /// Returns the propagation delay, ns.
    pub fn delay(&self) -> u64 {
        let delay = self.own.and_then(|own| own.delay.as_ref()).or(self.both.delay.as_ref());
        delay.map_or(0, |delay| delay.get_ref()[usize::from(self.own.is_some())])
    }
}

/// Properties of a lane that its parts need.
#[derive(Clone, Copy)]
struct Facts {
    rate: u64,
    /// Longest round trip between hosts through the link, ns.
    round_trip: u64,
    mtu: u64,
    overhead: u64,
}

impl Facts {
    /// Returns the size of the largest Ethernet frame, as the kernel counts it, bytes.
    fn frame(&self) -> u64 {
        self.mtu + u64::from(ETHERNET)
    }

    /// Returns the time that an extent of the queue takes to serialize, ns.
    fn time(&self, reader: &Reader, key: &str, extent: &Spanned<Extent>) -> u64 {
        let bytes = match *extent.get_ref() {
            Extent::Time(time) => return time,
            Extent::Bytes(bytes) => bytes,
            Extent::Packets(packets) => packets.saturating_mul(self.frame() + self.overhead),
        };
        let rate = u128::from(self.rate.max(1));
        let time = (u128::from(bytes) * 8_000_000_000 + rate / 2) / rate;
        let time = u64::try_from(time).unwrap_or(u64::MAX);
        if !(MIN_QDISC_TIME..=MAX_QDISC_TIME).contains(&time) {
            let wrong = Wrong::new(format!("{key} {} takes {}", reader.literal(extent.span()), TIME.show(time)));
            reader.fault(
                extent.span(),
                wrong.note("at the rate of this line").accepted(TIME.show_range(&(MIN_QDISC_TIME..=MAX_QDISC_TIME))),
            );
        }
        time
    }
}

/// Properties of a line that can follow a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Followable {
    Rate,
    Delay,
}

/// Returns the points to follow; `None` if the file was not read, or if the profile has no such values.
fn followed<'r>(reader: &Reader<'r>, follow: &Follow, what: Followable) -> Option<Result<&'r Followed, &'r String>> {
    match (&follow.profile, what) {
        (Some(profile), Followable::Rate) => Some(Ok(profile.get_ref().rates())),
        (Some(profile), Followable::Delay) => profile.get_ref().delays().map(Ok),
        (None, _) => reader.trace(follow.trace.as_ref()?.get_ref()).map(Result::as_ref),
    }
}

fn trace(follow: &Follow, followed: &Followed) -> Trace {
    let file = follow.trace.as_ref().map(|file| file.get_ref().clone());
    let profile = || follow.profile.as_ref().map_or("", |profile| profile.get_ref().name());
    Trace {
        file: file.unwrap_or_else(|| profile().to_owned()),
        follows: followed.follows,
        points: followed.points.clone(),
        repeats: follow.end,
        keeps: follow.unused,
        offset: follow.offset.unwrap_or(0),
        by_seed: follow.offset.is_none(),
    }
}

/// Returns the trace; notes a fault if it cannot be followed.
fn traced(reader: &Reader, follow: &Follow, what: Followable) -> Option<Trace> {
    let written = follow.profile.as_ref().map(|profile| ("profile", profile.span()));
    let (word, place) = written.or_else(|| Some(("trace", follow.trace.as_ref()?.span())))?;
    let fault = |wrong: String| Wrong::new(format!("{word} {} {wrong}", reader.literal(place.clone())));
    let trace = match followed(reader, follow, what) {
        None if follow.profile.is_some() => {
            let wrong = fault("has rates, and a delay is to follow it".into());
            reader.fault(place.clone(), wrong.hint("write \"starlink\", which has delays, or follow a file"));
            return None;
        }
        None => {
            reader.fault(place.clone(), fault("is not at hand".into()).hint("run the experiment from its own file"));
            return None;
        }
        Some(Err(why)) => {
            reader.fault(place.clone(), fault("cannot be followed".into()).note(why.clone()));
            return None;
        }
        Some(Ok(points)) => trace(follow, points),
    };
    let is_rate = what == Followable::Rate;
    let last = trace.points.list().last().map_or(0, |last| last[1]);
    let wrong = if is_rate == (trace.follows == Follows::Delay) {
        let [found, what] = if is_rate { ["delays", "rate"] } else { ["rates", "delay"] };
        fault(format!("has {found}, and a {what} is to follow it"))
    } else if trace.follows == Follows::Opportunities && !trace.repeats {
        fault("is mahimahi's, whose opportunities would come to an end".into()).hint("remove end = \"hold\"")
    } else if trace.follows != Follows::Opportunities && trace.keeps {
        fault("has no opportunities that could be kept".into()).hint("remove unused = \"kept\"")
    } else if is_rate && !trace.repeats && last == 0 {
        fault("ends at a rate of 0, at which nothing is ever sent again".into()).hint("remove end = \"hold\"")
    } else if is_rate && trace.mean() < 8.0 {
        fault("has a mean rate below 8 bit/s".into())
    } else {
        return Some(trace);
    };
    reader.fault(place, wrong);
    None
}

/// Resolves a lane; `round_trip` is the longest round trip through it.
pub fn lane(reader: &Reader, way: &Way, mtu: u64, round_trip: u64, has_queue: bool) -> Lane {
    let rate_trace = way.rate_trace(reader);
    let of_packets = rate_trace.as_ref().is_some_and(|trace| trace.follows == Follows::Opportunities);
    // Trace opportunities count IP packets, so there is no framing overhead.
    let usual = if of_packets { 0 } else { u64::from(FRAMING) };
    let overhead = way.shared(|line| &line.overhead).map_or(usual, |overhead| *overhead.get_ref());
    let facts = Facts { rate: way.rate(reader), round_trip, mtu, overhead };
    check_changes(reader, way);
    Lane {
        delay_trace: way.delay_trace(reader),
        rate_trace,
        delay: way.delay(),
        jitter: jitter(reader, way),
        stages: stages(reader, way, &facts),
        rate: facts.rate,
        overhead: overhead as u32,
        queue: if has_queue { queue(reader, way, &facts) } else { None },
        changes: changes(way),
    }
}

fn share(grains: u64) -> f64 {
    grains as f64 / ONE as f64
}

/// Noise of paths between clouds: standard deviation of the delay each way, ns, and share of lost packets, in grains.
/// Source: 1,819 transfers that a window limits (docs/reference/links.md, `noise`).
const NOISE_JITTER: u64 = 200_000;
const NOISE_LOSS: u64 = ONE / 100_000;

fn is_noisy(way: &Way) -> bool {
    way.shared(|line| &line.noise).is_some_and(|noise| *noise.get_ref())
}

fn jitter(reader: &Reader, way: &Way) -> Option<Jitter> {
    let Some(jitter) = way.single(|line| &line.jitter) else {
        let by = NOISE_JITTER.min(way.delay());
        let may = is_noisy(way) && by > 0 && way.delay() <= MAX_QDISC_TIME;
        return may.then_some(Jitter { by, distribution: Distribution::Normal, reorder: false });
    };
    let &written::Jitter { ref by, distribution, reorder, .. } = jitter.get_ref();
    let by = *by.get_ref();
    if by > way.delay() {
        let wrong = Wrong::new(format!("jitter {} is more than the delay", reader.literal(jitter.span())));
        let wrong =
            wrong.note(format!("the delay is {} in this direction, and none is below 0", TIME.show(way.delay())));
        reader.fault(jitter.span(), wrong.hint("write a longer delay, or a smaller jitter"));
    }
    if by > 0 && way.delay() > MAX_QDISC_TIME {
        let wrong = Wrong::new(format!("the delay of {} is too long to vary", TIME.show(way.delay())));
        reader.fault(jitter.span(), wrong.note(format!("netem knows {} at most", TIME.show(MAX_QDISC_TIME))));
    }
    (by > 0).then_some(Jitter { by, distribution, reorder })
}

/// Returns the stages in the order in which a packet meets them.
fn stages(reader: &Reader, way: &Way, facts: &Facts) -> Vec<Stage> {
    let mut stages = Vec::new();
    if let Some(bucket) = way.single(|line| &line.police).and_then(|police| police.get_ref().as_ref()) {
        check_size(reader, "burst", &bucket.burst, facts.mtu, "the mtu");
        stages.push(Stage::Police { rate: *bucket.rate.get_ref(), burst: *bucket.burst.get_ref() });
    }
    if let Some(shape) = way.single(|line| &line.shape).and_then(|shape| shape.get_ref().as_ref()) {
        check_size(reader, "burst", &shape.burst, facts.frame(), FRAME_WORDS);
        let rate = *shape.rate.get_ref();
        let buffer = capacity(reader, &shape.buffer, &Facts { rate, ..*facts });
        stages.push(Stage::Shape { rate, burst: *shape.burst.get_ref(), buffer });
    }
    if let Some(lengths) = way.single(|line| &line.lengths).and_then(|lengths| lengths.get_ref().as_ref()) {
        let [from, to] = [&lengths.from, &lengths.to].map(|length| *length.get_ref() as u32);
        stages.push(Stage::Lengths { from, to, effect: lengths.effect_at_rate() });
    }
    stages.extend(loss(reader, way).map(Stage::Loss));
    let outages = outages(reader, way);
    if !outages.is_empty() {
        stages.push(Stage::Outages(outages));
    }
    let shares = [way.single(|line| &line.corrupt), way.single(|line| &line.duplicate)];
    for (grains, stage) in shares.into_iter().zip([Stage::Corrupt as fn(f64) -> Stage, Stage::Duplicate]) {
        let grains = grains.map(|grains| *grains.get_ref());
        stages.extend(grains.filter(|grains| *grains > 0).map(|grains| stage(share(grains))));
    }
    if let Some(reorder) = way.single(|line| &line.reorder).and_then(|reorder| reorder.get_ref().as_ref()) {
        let by = facts.time(reader, "by", &reorder.by);
        let grains = *reorder.share.get_ref();
        if grains > 0 {
            stages.push(Stage::Reorder { share: share(grains), by });
        }
    }
    if let Some(aggregate) = way.shared(|line| &line.aggregate).and_then(|aggregate| aggregate.get_ref().as_ref()) {
        if let Some(bytes) = &aggregate.bytes {
            check_size(reader, "bytes", bytes, facts.frame(), FRAME_WORDS);
        }
        let [packets, bytes] =
            [&aggregate.packets, &aggregate.bytes].map(|most| value_of(most).map(|most| most as u32));
        stages.push(Stage::Aggregate { every: *aggregate.every.get_ref(), packets, bytes });
    }
    stages
}

/// Describes a packet's length as the kernel counts it, for errors.
const FRAME_WORDS: &str = "the mtu and 14 B of Ethernet header";

/// Checks that a size has room for at least one packet.
fn check_size(reader: &Reader, key: &str, size: &Spanned<u64>, least: u64, what: &str) {
    if *size.get_ref() < least {
        let wrong = Wrong::new(format!("{key} {} does not hold one packet", reader.literal(size.span())));
        reader.fault(size.span(), wrong.accepted(format!("at least {least} B: {what}")));
    }
}

/// Returns random or numbered loss. If loss changes later, there must be a share to change, so it may be 0.
fn loss(reader: &Reader, way: &Way) -> Option<Loss> {
    let loss = way.single(|line| &line.loss);
    let changed = way.single(|line| &line.changes).map(Spanned::get_ref);
    let changed = changed.into_iter().flatten().filter_map(|change| change.loss.as_ref());
    let changed: Vec<&Spanned<u64>> = changed.collect();
    let of_a_share = matches!(loss.map(Spanned::get_ref), None | Some(written::Loss::Random(_)));
    for change in changed.iter().filter(|_| !of_a_share) {
        let wrong = Wrong::new("loss changes, but does not start as a share of the packets");
        let wrong = wrong.note(format!("it is {}", loss.map_or("", |loss| reader.literal(loss.span()))));
        reader.fault(change.span(), wrong.hint("write loss as a share, or remove it here"));
    }
    let rare = written::Loss::Random(if is_noisy(way) { NOISE_LOSS } else { 0 });
    match loss.map_or(&rare, Spanned::get_ref) {
        written::Loss::Random(0) if changed.is_empty() => None,
        written::Loss::Random(grains) => Some(Loss::Random(share(*grains))),
        written::Loss::Every(n) => Some(Loss::Every(*n as u32)),
        written::Loss::Packets(numbers) => Some(Loss::Packets(numbers.iter().map(|&number| number as u32).collect())),
        written::Loss::GilbertElliott(TwoStates { p, r, bad, good, .. }) => {
            let [p, r, bad, good] = [*p.get_ref(), *r.get_ref(), *bad, *good].map(share);
            Some(Loss::GilbertElliott { p, r, bad, good })
        }
        written::Loss::Bursts(_) => None,
    }
}

/// Returns outages and bursts of loss in order of time; adjacent ones are joined.
fn outages(reader: &Reader, way: &Way) -> Vec<(u64, u64)> {
    let bursts = match way.single(|line| &line.loss).map(Spanned::get_ref) {
        Some(written::Loss::Bursts(bursts)) => &bursts[..],
        _ => &[],
    };
    let outages = way.shared(|line| &line.outages).map(Spanned::get_ref);
    let mut all: Vec<&Outage> = outages.into_iter().flatten().chain(bursts).collect();
    all.sort_by_key(|outage| *outage.at.get_ref());
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for outage in all {
        let [at, lasts] = [&outage.at, &outage.lasts].map(|time| *time.get_ref());
        match merged.last_mut() {
            Some((start, length)) if *start + *length > at => {
                let wrong = Wrong::new(format!("the outage at {} begins before the previous one ends", TIME.show(at)));
                let note = format!("the one before it ends at {}", TIME.show(*start + *length));
                reader.fault(outage.at.span(), wrong.note(note));
            }
            Some((start, length)) if *start + *length == at => *length += lasts,
            _ => merged.push((at, lasts)),
        }
    }
    merged
}

/// Checks that no rate both follows a trace and changes.
fn check_changes(reader: &Reader, way: &Way) {
    let changes = way.shared(|line| &line.changes).map(Spanned::get_ref).into_iter().flatten();
    for rate in changes.filter_map(|change| change.rate.as_ref()).filter(|_| way.is_traced() && way.own.is_none()) {
        let wrong = Wrong::new(format!("rate {} changes what follows a trace", reader.literal(rate.span())));
        reader.fault(rate.span(), wrong.hint("write the change into the trace, or write a rate in its place"));
    }
}

/// Returns the changes of a direction. The backward direction shares changes of rate and delay unless it has a rate or
/// delay of its own.
fn changes(way: &Way) -> Vec<Change> {
    let own = way.own.filter(|own| own.line.changes.is_none());
    let side = usize::from(way.own.is_some());
    let change = |change: &written::Change| Change {
        at: *change.at.get_ref(),
        rate: value_of(&change.rate).filter(|_| own.is_none_or(|own| own.line.rate.is_none())),
        delay: change.delays().map(|delay| delay[side]).filter(|_| own.is_none_or(|own| own.delay.is_none())),
        loss: change.loss.as_ref().filter(|_| own.is_none()).map(|grains| share(*grains.get_ref())),
    };
    let changes = way.shared(|line| &line.changes).map(Spanned::get_ref).into_iter().flatten().map(change);
    changes.filter(|change| change.rate.is_some() || change.delay.is_some() || change.loss.is_some()).collect()
}

fn queue(reader: &Reader, way: &Way, facts: &Facts) -> Option<Queue> {
    let buffer = capacity(reader, way.shared(|line| &line.buffer)?, facts);
    let Some(queue) = way.shared(|line| &line.queue) else {
        return Some(Queue { buffer, discipline: Discipline::DropTail, mark: None });
    };
    let written = queue.get_ref();
    let mark = written
        .mark_above
        .as_ref()
        .map(|above| Mark { above: facts.time(reader, "mark-above", above), ect1_alone: written.mark_only });
    Some(Queue { buffer, discipline: discipline(reader, queue, buffer, facts), mark })
}

const MS: u64 = 1_000_000;

/// Returns the discipline with its parameters. Defaults are those of the tc pages (tc-codel(8), tc-fq_codel(8),
/// tc-pie(8), tc-cake(8)); dualpi2's are the kernel's. RED has none there, so it gets a sixth and a half of the queue.
fn discipline(reader: &Reader, written: &Spanned<written::Queue>, buffer: Buffer, facts: &Facts) -> Discipline {
    let written::Queue { discipline, min, max, probability, target, interval, rtt, ecn, above, .. } = written.get_ref();
    let time = |target_default, interval_default| {
        (value_of(target).unwrap_or(target_default * MS), value_of(interval).unwrap_or(interval_default * MS))
    };
    let ecn = |default| value_of(ecn).unwrap_or(default);
    match *discipline.get_ref() {
        written::Discipline::DropTail => Discipline::DropTail,
        written::Discipline::Red => {
            let held = held(buffer, facts);
            let [least, most] = [(min, held / 6), (max, held / 2)]
                .map(|(bound, default)| bound.as_ref().map_or(default, |bound| *bound.get_ref()));
            let place = min.as_ref().or(max.as_ref()).map_or(written.span(), Spanned::span);
            let fault = |what: &str| {
                let [least, most, held] = [least, most, held].map(|bytes| SIZE.show(bytes));
                let note = format!("min is {least}, max {most}, and the queue holds {held}");
                reader.fault(
                    place.clone(),
                    Wrong::new(what).note(note).accepted("min below max, and max within the queue"),
                );
            };
            let probability = share(*probability);
            if least >= most {
                fault("red has its min above its max");
            } else if most > held {
                fault("red has its max beyond the queue");
            } else if let Some(wrong) = beyond_red(most, held, probability / (most - least) as f64, facts.rate) {
                reader.fault(place.clone(), wrong);
            }
            Discipline::Red { min: least, max: most, probability, ecn: ecn(false) }
        }
        written::Discipline::Codel => {
            let (target, interval) = time(5, 100);
            Discipline::Codel { target, interval, ecn: ecn(false) }
        }
        written::Discipline::FqCodel => {
            let (target, interval) = time(5, 100);
            Discipline::FqCodel { target, interval, ecn: ecn(true) }
        }
        written::Discipline::Pie => {
            let (target, interval) = time(15, 15);
            Discipline::Pie { target, interval, ecn: ecn(false) }
        }
        written::Discipline::Cake => {
            if let Some(wrong) = beyond_bytes("cake", held(buffer, facts)) {
                reader.fault(written.span(), wrong);
            }
            Discipline::Cake { rtt: *rtt }
        }
        written::Discipline::Fq => Discipline::Fq,
        written::Discipline::Threshold => {
            Discipline::Threshold { above: above.as_ref().map_or(0, |above| facts.time(reader, "above", above)) }
        }
        written::Discipline::DualPi2 => Discipline::DualPi2(dualpi2(reader, written.get_ref())),
    }
}

/// Longest step and interval, ns: the kernel keeps them in ns in 32 bits (convert_us_to_nsec() in
/// net/sched/sch_dualpi2.c).
const DUALPI2_LONGEST: u64 = 4_000_000_000;

/// Resolves dualpi2, with the defaults of dualpi2_reset_default() in net/sched/sch_dualpi2.c.
fn dualpi2(reader: &Reader, written: &written::Queue) -> DualPi2 {
    let short = |key: &str, time: Option<&Spanned<u64>>, default: u64| {
        let Some(time) = time else { return default };
        if *time.get_ref() > DUALPI2_LONGEST {
            let wrong = Wrong::new(format!("{key} {} is too long for dualpi2", reader.literal(time.span())));
            reader.fault(time.span(), wrong.accepted(format!("at most {}", TIME.show(DUALPI2_LONGEST))));
        }
        *time.get_ref()
    };
    let gain = |gain: &Option<Spanned<u64>>, default: u32| {
        value_of(gain).map_or(default, |grains| (grains as f64 * 256.0 / MICRO as f64).round() as u32)
    };
    let step = written.step.as_ref().map(|step| match *step.get_ref() {
        Extent::Time(time) => Step::Time(short("step", Some(&Spanned::new(step.span(), time)), 0)),
        Extent::Packets(packets) | Extent::Bytes(packets) => Step::Packets(packets as u32),
    });
    DualPi2 {
        target: value_of(&written.target).unwrap_or(15 * MS),
        interval: short("interval", written.interval.as_ref(), 16 * MS),
        alpha: gain(&written.alpha, 41),
        beta: gain(&written.beta, 819),
        step: step.unwrap_or(Step::Time(MS)),
        coupling: written.coupling as u8,
        protection: written.protection.as_ref().map_or(10, |share| whole_percent(reader, share)),
        drops: written.overload,
        early: written.drop_at,
        any_ect: written.low_latency,
    }
}

fn whole_percent(reader: &Reader, share: &Spanned<u64>) -> u8 {
    const ONE_PERCENT: u64 = ONE / 100;
    if !share.get_ref().is_multiple_of(ONE_PERCENT) {
        let wrong = Wrong::new(format!("protection {} is no whole per cent", reader.literal(share.span())));
        reader.fault(share.span(), wrong.note("dualpi2 counts it in whole per cent").hint("write \"10 %\""));
    }
    (*share.get_ref() / ONE_PERCENT) as u8
}

/// Returns the fault of a queue that is too long for a discipline that counts bytes in 32 bits.
fn beyond_bytes(name: &str, held: u64) -> Option<Wrong> {
    (held > u64::from(u32::MAX)).then(|| {
        let wrong = Wrong::new(format!("{name} counts bytes, and the queue holds {}", SIZE.show(held)));
        wrong.accepted(format!("a buffer of at most {}", SIZE.show(MOST_QUEUED)))
    })
}

/// Returns the fault of RED parameters that tc or the kernel does not accept.
fn beyond_red(max: u64, held: u64, slope: f64, rate: u64) -> Option<Wrong> {
    /// Largest max, bytes: the average queue has a bit less than 32 (red_check_params in include/net/red.h).
    const MOST_MAX: u64 = (1 << 30) - 1;
    /// Smallest probability per byte between min and max, as a binary fraction (tc_red_eval_P in tc/tc_red.c).
    const LEAST_SLOPE: f64 = 1.0 / (1u32 << 31) as f64;
    /// Highest rate, bit/s: tc counts bytes per second in 32 bits (get_rate in tc/tc_util.c).
    const MOST_RATE: u64 = u32::MAX as u64 * 8;
    let shown = |bytes: u64| SIZE.show(bytes);
    if max > MOST_MAX {
        let wrong = Wrong::new(format!("red has a max of {}", shown(max)));
        return Some(wrong.accepted(format!("at most {}", shown(MOST_MAX))));
    }
    if let Some(wrong) = beyond_bytes("red", held) {
        return Some(wrong);
    }
    if slope <= LEAST_SLOPE {
        let wrong = Wrong::new("red has a probability that is too small for the way from min to max");
        return Some(wrong.hint("write a larger probability, or min and max that are closer together"));
    }
    (rate > MOST_RATE).then(|| {
        let wrong = Wrong::new(format!("red stands at a rate of {}", RATE.show(rate)));
        wrong.accepted(format!("a rate of at most {}: tc counts bytes per second in 32 bits", RATE.show(MOST_RATE)))
    })
}

/// Returns the most bytes that a queue can contain.
fn held(buffer: Buffer, facts: &Facts) -> u64 {
    match buffer {
        Buffer::Packets(packets) => u64::from(packets) * facts.frame(),
        Buffer::Bytes(bytes) => bytes,
    }
}

fn capacity(reader: &Reader, buffer: &Spanned<written::Buffer>, facts: &Facts) -> Buffer {
    let wrong = |what| Wrong::new(format!("buffer {} {what}", reader.literal(buffer.span())));
    let bytes = match *buffer.get_ref() {
        written::Buffer::Packets(packets) => return Buffer::Packets(packets),
        written::Buffer::Bytes(bytes) => bytes,
        written::Buffer::Bdp(_) if facts.round_trip == 0 => {
            let wrong = wrong("needs a path with delay").note("no route through this link has one");
            reader.fault(buffer.span(), wrong.hint("write delay, or the buffer in packets: \"100 packets\""));
            return Buffer::Bytes(0);
        }
        written::Buffer::Bdp(share) => product(facts.rate, facts.round_trip, share),
    };
    let here = |wrong: Wrong| match buffer.get_ref() {
        written::Buffer::Bdp(_) => wrong.note(format!("that is {} on this path", SIZE.show(bytes))),
        _ => wrong,
    };
    if bytes < facts.frame() {
        let least = format!("at least {} B: the mtu and {ETHERNET} B of Ethernet header", facts.frame());
        reader.fault(buffer.span(), here(wrong("does not hold one packet")).accepted(least));
    }
    if bytes > MOST_QUEUED {
        let most = format!("at most {}", SIZE.show(MOST_QUEUED));
        reader.fault(buffer.span(), here(wrong("is too large")).accepted(most));
    }
    Buffer::Bytes(bytes)
}

/// Returns rate times RTT times a share in millionths, rounded to whole bytes.
fn product(rate: u64, rtt: u64, share: u64) -> u64 {
    const BITS_NS: u128 = 8 * 1_000_000_000;
    let bits_ns = (u128::from(rate) * u128::from(rtt)).saturating_mul(u128::from(share)) / u128::from(MICRO);
    u64::try_from((bits_ns + BITS_NS / 2) / BITS_NS).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_product_is_rounded_to_the_nearest_byte() {
        assert_eq!(product(1_000_000_000, 210_000_000, MICRO), 26_250_000);
        assert_eq!(product(12, 1_000_000_000, MICRO), 2);
        assert_eq!(product(100_000_000_000_000, 86_400_000_000_000, 1000 * MICRO), u64::MAX);
    }
}
