//! Checks that every plan from an experiment passes, and that a plan read from a file must pass too. Anybody may have
//! written that file, and later code relies on these checks.

use super::{
    Buffer, Change, Discipline, DualPi2, Family, Flow, HostShape, Interrupts, Lane, LengthEffect, Link, Loss, Node,
    Plan, Role, Router, Scene, Seeds, Setting, Stage, Step, Tcp, Trace, Traffic, Trial, Tunnel, Until, Writes,
};
use evidence::headers::Ip;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Display;
use std::ops::RangeInclusive;
use wire::Follows;

/// Either fine, or a sentence that says what is wrong and where.
type Sound = Result<(), String>;

/// Times of up to three days, ns: a flow starts within a day and lasts at most one.
const TIME_RANGE: RangeInclusive<u64> = 0..=259_200_000_000_000;
const POSITIVE_TIME_RANGE: RangeInclusive<u64> = 1..=*TIME_RANGE.end();
/// Rates, bit/s.
const RATE_RANGE: RangeInclusive<u64> = 1..=10_000_000_000_000_000;
/// Gains of dualpi2, 1/256 Hz (ALPHA_BETA_MAX in net/sched/sch_dualpi2.c).
const GAIN_MAX: u32 = (2 << 23) - 1;
/// Bytes, packets and other amounts.
const AMOUNT_RANGE: RangeInclusive<u64> = 1..=1_000_000_000_000_000;
const SHARE_RANGE: RangeInclusive<f64> = 0.0..=1.0;
/// Points of a trace.
const TRACE_POINTS_RANGE: RangeInclusive<usize> = 1..=100_000;
const TRIALS_RANGE: RangeInclusive<usize> = 1..=10_000_000;
const NODES_RANGE: RangeInclusive<usize> = 1..=250;
const LINKS_RANGE: RangeInclusive<usize> = 0..=1000;
/// Each flow has its own port.
const FLOWS_RANGE: RangeInclusive<usize> = 0..=60_000;
/// Seeds, values and steps.
const NUMBER_RANGE: RangeInclusive<u64> = 1..=10_000_000;

/// Returns the first fault of a plan, if any.
pub fn check(plan: &Plan) -> Sound {
    within("trials", plan.trials.len(), &TRIALS_RANGE)?;
    axes(plan).and_then(|()| design(plan)).and_then(|()| numbers(&plan.trials))?;
    let values: Vec<HashSet<&str>> =
        plan.vary.iter().map(|axis| axis.values.iter().map(String::as_str).collect()).collect();
    plan.trials.iter().try_for_each(|trial| {
        let own = point(plan, &values, &trial.point).and_then(|()| scene(&trial.scene));
        own.map_err(|what| format!("trial {}: {what}", trial.index))
    })
}

fn within<T: PartialOrd + Display>(what: &str, value: T, range: &RangeInclusive<T>) -> Sound {
    match range.contains(&value) {
        true => Ok(()),
        false => Err(format!("{what} is {value}, accepted: {} to {}", range.start(), range.end())),
    }
}

fn holds(is_so: bool, what: impl FnOnce() -> String) -> Sound {
    if is_so { Ok(()) } else { Err(what()) }
}

fn axes(plan: &Plan) -> Sound {
    let mut keys = HashSet::new();
    for (number, axis) in plan.vary.iter().enumerate() {
        let about = |what: &str| format!("vary: {:?} {what}", axis.key);
        holds(keys.insert(&axis.key), || about("stands there twice"))?;
        holds(!axis.values.is_empty(), || about("has no values"))?;
        let before = number.checked_sub(1).map(|before| plan.vary[before].values.len());
        holds(!axis.in_step || before == Some(axis.values.len()), || about("is in step with no axis"))?;
    }
    Ok(())
}

fn design(plan: &Plan) -> Sound {
    let (repeat, compare) = (&plan.repeat, &plan.compare);
    within("repeat: first", repeat.first, &Seeds::NUMBERS)?;
    within("repeat: seeds", repeat.seeds, &NUMBER_RANGE)?;
    within("repeat: spread", repeat.spread, &TIME_RANGE)?;
    if let Some(enough) = &repeat.until {
        within("repeat: at_most", enough.at_most, &NUMBER_RANGE)?;
        within("repeat: interval", enough.interval, &(1e-9..=1.0))?;
    }
    within("compare: margin", compare.margin, &SHARE_RANGE)?;
    let over = compare.over.as_ref().map(|over| plan.vary.iter().find(|axis| axis.key == *over));
    holds(over != Some(None), || "compare: over names no axis".into())?;
    if let Some(against) = &compare.against {
        let is_there = over.flatten().is_some_and(|axis| axis.values.contains(against));
        holds(is_there, || format!("compare: against is {against:?}, which that axis never is"))?;
    }
    let Some(search) = &plan.search else { return Ok(()) };
    let is_last = plan.vary.last().is_some_and(|axis| axis.key == search.key);
    holds(is_last, || format!("search: {:?} is not the last axis", search.key))?;
    within("search: at_most", search.at_most, &NUMBER_RANGE)?;
    let ladder = &search.ladder;
    within("search: step", ladder.step, &AMOUNT_RANGE)?;
    within("search: last", ladder.last, &(0..=*NUMBER_RANGE.end()))?;
    within("search: decimals", ladder.decimals, &(0..=18))?;
    let end = ladder.step.checked_mul(ladder.last).and_then(|way| way.checked_add(ladder.first));
    holds(end.is_some(), || "search: the ladder's end is no number".into())?;
    if let super::Find::Cliff { width, fall } = search.find {
        within("search: width", width, &NUMBER_RANGE)?;
        within("search: fall", fall, &SHARE_RANGE)?;
    }
    Ok(())
}

/// Checks that trials are numbered from 0, in any order.
fn numbers(trials: &[Trial]) -> Sound {
    let mut seen = vec![false; trials.len()];
    for trial in trials {
        let free = seen.get_mut(trial.index).filter(|seen| !**seen);
        *free.ok_or_else(|| format!("trial {} is one too many: there are {}", trial.index, trials.len()))? = true;
    }
    Ok(())
}

fn point(plan: &Plan, values: &[HashSet<&str>], point: &[Setting]) -> Sound {
    let keys = point.iter().map(|setting| &setting.key);
    holds(keys.eq(plan.vary.iter().map(|axis| &axis.key)), || "point: its keys are not those that vary".into())?;
    let stray = point.iter().zip(values).find(|(setting, values)| !values.contains(setting.value.as_str()));
    stray.map_or(Ok(()), |(Setting { key, value }, _)| Err(format!("point: {key:?} is never {value:?}")))
}

fn scene(scene: &Scene) -> Sound {
    within("nodes", scene.nodes.len(), &NODES_RANGE)?;
    within("links", scene.links.len(), &LINKS_RANGE)?;
    within("tunnels", scene.tunnels.len(), &(0..=*NODES_RANGE.end()))?;
    within("flows", scene.flows.len(), &FLOWS_RANGE)?;
    let mut nodes: HashMap<&str, usize> = HashMap::new();
    for (number, node) in scene.nodes.iter().enumerate() {
        self::node(node).map_err(|what| format!("node {number}: {what}"))?;
        holds(nodes.insert(&node.name, number).is_none(), || format!("node {number}: a second {:?}", node.name))?;
    }
    let known = |name: &str| nodes.get(name).copied().ok_or_else(|| format!("there is no node {name:?}"));
    each("link", &scene.links, |link| self::link(link, scene.family))?;
    joined(scene, &known)?;
    each("tunnel", &scene.tunnels, |tunnel| self::tunnel(scene, tunnel, &known))?;
    each("flow", &scene.flows, |flow| {
        let [from, to] = [known(&flow.from)?, known(&flow.to)?];
        holds(from != to, || "it leads to where it comes from".into())?;
        holds(scene.family.ips().contains(&flow.family()), || "the network lacks its IP".into())?;
        self::flow(flow)
    })?;
    for (number, flow) in scene.flows.iter().enumerate().filter(|(_, flow)| flow.onward) {
        let before = number.checked_sub(1).map(|before| &scene.flows[before]);
        let is_bulk = |flow: &Flow| matches!(flow.traffic, Traffic::Bulk { .. });
        let leads_here = |before: &Flow| {
            before.to == flow.from && before.start == flow.start && before.until == flow.until && !before.onward
        };
        let is_led = is_bulk(flow) && before.is_some_and(|before| is_bulk(before) && leads_here(before));
        holds(is_led, || format!("flow {number}: nothing leads to its relay"))?;
    }
    each("command", &scene.commands, |command| {
        known(&command.node)?;
        within("at", command.at, &TIME_RANGE)
    })?;
    let mut landing = HashSet::new();
    each("fetch", &scene.fetch, |path| {
        holds(super::is_fetchable(path), || format!("{path:?} is no path of a file under /tmp"))?;
        holds(landing.insert(super::fetched(path)), || format!("{path:?} has the name of another"))
    })?;
    let mut taps = HashSet::new();
    each("capture", &scene.capture, |node| {
        known(node)?;
        holds(taps.insert(node.clone()), || format!("{node} is named twice"))
    })?;
    let most = super::MAX_CAPTURES;
    holds(scene.capture.len() <= most, || format!("more than {most} nodes are captured"))?;
    within("record: interval", scene.record.interval, &POSITIVE_TIME_RANGE)?;
    within("record: limit", scene.record.limit, &POSITIVE_TIME_RANGE)
}

fn each<T>(what: &str, all: &[T], mut check: impl FnMut(&T) -> Sound) -> Sound {
    let numbered = |(number, one): (usize, &T)| check(one).map_err(|wrong| format!("{what} {number}: {wrong}"));
    all.iter().enumerate().try_for_each(numbered)
}

/// Checks a node. Its name names a namespace and, with a number, interfaces.
fn node(node: &Node) -> Sound {
    let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    let is_name = (1..=12).contains(&node.name.len()) && node.name.bytes().all(fits);
    holds(is_name, || format!("{:?} is no name: 1 to 12 of a-z, 0-9 and - are accepted", node.name))?;
    let ports = node.ports.iter().map(|port| port.offloads);
    for offloads in [node.offloads].into_iter().chain(ports) {
        match offloads.interrupts {
            Interrupts::Each => {}
            Interrupts::Moderated(ns) => within("coalesce", ns, &POSITIVE_TIME_RANGE)?,
            Interrupts::Polled(polling) => {
                within("gro_flush_timeout", polling.gro_flush_timeout.into(), &POSITIVE_TIME_RANGE)?
            }
        }
    }
    let odd =
        node.sysctls.iter().find(|(name, value)| !super::is_sysctl(name) || value.contains(|c: char| c.is_control()));
    odd.map_or(Ok(()), |(name, value)| Err(format!("{name:?} = {value:?} is no sysctl of its network")))?;
    if let Role::Host(host) = &node.role {
        congestion(&host.route.congestion)?;
        host.nic.map_or(Ok(()), |rate| within("nic", rate, &RATE_RANGE))?;
        host.route.mtu.map_or(Ok(()), |mtu| within("route mtu", mtu, &(1..=65535)))?;
        if let Some(HostShape { rate, burst, latency }) = host.shape {
            within("shape: rate", rate, &RATE_RANGE)?;
            within("shape: burst", burst, &AMOUNT_RANGE)?;
            within("shape: latency", latency, &TIME_RANGE)?;
        }
        host.input_loss.map_or(Ok(()), |every| within("input_loss", every, &(1..=u32::MAX)))?;
    }
    if let Role::Router(Router { nat: Some(nat), .. }) = &node.role {
        nat.forgets.iter().try_for_each(|at| within("nat: forgets", *at, &TIME_RANGE))?;
    }
    Ok(())
}

/// Checks a congestion control's name, which becomes a word of the guest's commands.
fn congestion(name: &Option<String>) -> Sound {
    let odd = name.as_deref().filter(|name| !super::is_congestion(name));
    odd.map_or(Ok(()), |name| Err(format!("{name:?} is no name of a congestion control")))
}

fn link(link: &Link, family: Family) -> Sound {
    let least = if family.has_ipv6() { Ip::V6.least_mtu() } else { 68 };
    within("mtu", link.mtu, &(least..=65535))?;
    link.miimon.map_or(Ok(()), |miimon| within("miimon", miimon, &(1_000_000..=1_000_000_000)))?;
    down(link)?;
    lane(&link.forward).map_err(|what| format!("forward: {what}"))?;
    lane(&link.backward).map_err(|what| format!("backward: {what}"))
}

/// Checks that nothing passes a link while it is down.
fn down(link: &Link) -> Sound {
    let is_outage = |lane: &Lane, down: &(u64, u64)| {
        let mut outages = lane.stages.iter().filter_map(|stage| match stage {
            Stage::Outages(outages) => Some(outages),
            _ => None,
        });
        let covers = |(at, lasts): &(u64, u64)| *at <= down.0 && at.checked_add(*lasts) >= down.0.checked_add(down.1);
        outages.any(|outages| outages.iter().any(covers))
    };
    let is_lost = |down: &(u64, u64)| [&link.forward, &link.backward].into_iter().all(|lane| is_outage(lane, down));
    holds(link.down.iter().all(is_lost), || "down: packets pass all the same".into())
}

/// Checks that the links join all nodes, that flows and tunnels have a path without a host in between, and that the
/// links of a bond are alike.
fn joined(scene: &Scene, known: &impl Fn(&str) -> Result<usize, String>) -> Sound {
    if scene.is_real() {
        let built = scene.routes.len() + scene.tunnels.len() + scene.commands.len();
        let are_hosts = scene.nodes.iter().all(|node| matches!(node.role, Role::Host(_)));
        return holds(built == 0 && are_hosts, || "links: there are none".into());
    }
    let mut edges: BTreeMap<([usize; 2], bool), Vec<&Link>> = BTreeMap::new();
    for (number, link) in scene.links.iter().enumerate() {
        let at = |what| format!("link {number}: {what}");
        let mut ends = [known(&link.ends[0].node).map_err(at)?, known(&link.ends[1].node).map_err(at)?];
        ends.sort_unstable();
        edges.entry((ends, link.bond.is_some())).or_default().push(link);
    }
    let mut beside: Vec<Vec<usize>> = vec![vec![]; scene.nodes.len()];
    for (&([one, other], bonded), links) in &edges {
        let names = || format!("{:?} and {:?}", scene.nodes[one].name, scene.nodes[other].name);
        let is_bond =
            links.len() > 1 && links.iter().all(|link| link.bond == links[0].bond && link.miimon == links[0].miimon);
        holds(!bonded || is_bond, || format!("links: those between {} are no bond", names()))?;
        beside[one].push(other);
        beside[other].push(one);
    }
    let is_host = |node: usize| matches!(scene.nodes[node].role, Role::Host(_));
    let reached = |from: usize, hosts_forward: bool| {
        let (mut reached, mut open) = (HashSet::from([from]), vec![from]);
        while let Some(node) = open.pop() {
            if node == from || hosts_forward || !is_host(node) {
                open.extend(beside[node].iter().copied().filter(|next| reached.insert(*next)));
            }
        }
        reached
    };
    holds(reached(0, true).len() == scene.nodes.len(), || "links: they do not join all nodes".into())?;
    let flows = scene.flows.iter().map(|flow| [&flow.from, &flow.to]);
    let pairs: HashSet<[&String; 2]> = flows.chain(scene.tunnels.iter().map(|tunnel| tunnel.ends.each_ref())).collect();
    let mut from: HashMap<usize, HashSet<usize>> = HashMap::new();
    for [one, other] in pairs {
        let (Ok(start), Ok(end)) = (known(one), known(other)) else { continue };
        let there = from.entry(start).or_insert_with(|| reached(start, false)).contains(&end);
        holds(there, || format!("links: no way leads from {one:?} to {other:?}"))?;
    }
    each("route", &scene.routes, |route| {
        known(&route.at).and_then(|_| known(&route.to)).and_then(|_| known(&route.via)).map(drop)
    })
}

fn tunnel(scene: &Scene, tunnel: &Tunnel, known: &impl Fn(&str) -> Result<usize, String>) -> Sound {
    let ends = [known(&tunnel.ends[0])?, known(&tunnel.ends[1])?];
    let routers = ends.iter().all(|end| matches!(scene.nodes[*end].role, Role::Router(_)));
    holds(routers && ends[0] != ends[1], || "it does not join two routers".into())?;
    if !tunnel.kind.is_of_link() {
        return Ok(());
    }
    let segments = super::segments(&scene.nodes, &scene.links);
    let on = |name: &String| -> HashSet<usize> {
        let at = scene.links.iter().zip(&segments).filter(|(link, _)| link.ends.iter().any(|end| end.node == *name));
        at.map(|(_, segment)| *segment).collect()
    };
    holds(!on(&tunnel.ends[0]).is_disjoint(&on(&tunnel.ends[1])), || "its ends are no neighbours".into())
}

fn lane(lane: &Lane) -> Sound {
    within("rate", lane.rate, &RATE_RANGE)?;
    within("delay", lane.delay, &TIME_RANGE)?;
    within("overhead", lane.overhead, &(0..=65535))?;
    lane.jitter.map_or(Ok(()), |jitter| within("jitter", jitter.by, &TIME_RANGE))?;
    each("stage", &lane.stages, stage)?;
    each("change", &lane.changes, |Change { at, rate, delay, loss }| {
        within("at", *at, &TIME_RANGE)?;
        rate.map_or(Ok(()), |rate| within("rate", rate, &RATE_RANGE))?;
        delay.map_or(Ok(()), |delay| within("delay", delay, &TIME_RANGE))?;
        loss.map_or(Ok(()), |loss| within("loss", loss, &SHARE_RANGE))
    })?;
    holds(lane.changes.is_sorted_by_key(|change| change.at), || "change: they are not in the order of time".into())?;
    [&lane.rate_trace, &lane.delay_trace].into_iter().flatten().try_for_each(trace)?;
    let Some(queue) = lane.queue else { return Ok(()) };
    buffer(queue.buffer)?;
    queue.mark.map_or(Ok(()), |mark| within("mark-above", mark.above, &TIME_RANGE))?;
    match queue.discipline {
        Discipline::DropTail | Discipline::Fq => Ok(()),
        Discipline::Red { min, max, probability, .. } => {
            within("max", max, &AMOUNT_RANGE)?;
            holds(min < max, || "min is not below max".into())?;
            within("probability", probability, &SHARE_RANGE)
        }
        Discipline::Codel { target, interval, .. }
        | Discipline::FqCodel { target, interval, .. }
        | Discipline::Pie { target, interval, .. } => {
            within("target", target, &TIME_RANGE).and_then(|()| within("interval", interval, &TIME_RANGE))
        }
        Discipline::Cake { rtt } => within("rtt", rtt, &TIME_RANGE),
        Discipline::Threshold { above } => within("above", above, &TIME_RANGE),
        Discipline::DualPi2(DualPi2 { target, interval, alpha, beta, step, coupling, protection, .. }) => {
            within("target", target, &TIME_RANGE)?;
            within("interval", interval, &POSITIVE_TIME_RANGE)?;
            within("alpha", alpha, &(1..=GAIN_MAX)).and_then(|()| within("beta", beta, &(1..=GAIN_MAX)))?;
            within("coupling", coupling, &(1..=u8::MAX)).and_then(|()| within("protection", protection, &(0..=100)))?;
            match step {
                Step::Time(time) => within("step", time, &TIME_RANGE),
                Step::Packets(packets) => within("step", packets, &(1..=u32::MAX)),
            }
        }
    }
}

fn trace(trace: &Trace) -> Sound {
    within("trace", trace.points.list().len(), &TRACE_POINTS_RANGE)?;
    within("trace", trace.end(), &POSITIVE_TIME_RANGE)?;
    within("offset", trace.offset, &TIME_RANGE)?;
    let ends = trace.repeats || trace.follows != Follows::Opportunities;
    holds(ends, || "trace: opportunities come to an end".into())?;
    let last = || trace.points.list().last().map_or(0, |last| last[1]);
    let moves = trace.follows == Follows::Delay || if trace.repeats { trace.mean() > 0.0 } else { last() > 0 };
    holds(moves, || "trace: nothing is ever sent again".into())?;
    let most = if trace.follows == Follows::Delay { *TIME_RANGE.end() } else { *RATE_RANGE.end() };
    let large = trace.points.list().iter().find(|point| point[1] > most);
    large.map_or(Ok(()), |point| Err(format!("trace: {} is too large", point[1])))
}

fn buffer(buffer: Buffer) -> Sound {
    match buffer {
        Buffer::Packets(packets) => within("buffer", u64::from(packets), &AMOUNT_RANGE),
        Buffer::Bytes(bytes) => within("buffer", bytes, &AMOUNT_RANGE),
    }
}

fn stage(stage: &Stage) -> Sound {
    match stage {
        Stage::Loss(loss) => self::loss(loss),
        Stage::Outages(outages) => outages.iter().try_for_each(|(at, lasts)| {
            within("outage", *at, &TIME_RANGE).and_then(|()| within("outage", *lasts, &TIME_RANGE))
        }),
        Stage::Corrupt(share) | Stage::Duplicate(share) => within("share", *share, &SHARE_RANGE),
        Stage::Reorder { share, by } => {
            within("share", *share, &SHARE_RANGE).and_then(|()| within("by", *by, &TIME_RANGE))
        }
        Stage::Lengths { from, to, effect } => {
            within("from", *from, &(0..=*to))?;
            match effect {
                LengthEffect::Slow(rate) => within("rate", *rate, &RATE_RANGE),
                LengthEffect::Drop | LengthEffect::Corrupt => Ok(()),
            }
        }
        Stage::Police { rate, burst } => {
            within("rate", *rate, &RATE_RANGE).and_then(|()| within("burst", *burst, &AMOUNT_RANGE))
        }
        Stage::Shape { rate, burst, buffer } => {
            within("rate", *rate, &RATE_RANGE)?;
            within("burst", *burst, &AMOUNT_RANGE)?;
            self::buffer(*buffer)
        }
        Stage::Aggregate { every, packets, bytes } => {
            within("every", *every, &POSITIVE_TIME_RANGE)?;
            [packets, bytes].into_iter().flatten().try_for_each(|most| within("released", *most, &(1..=u32::MAX)))
        }
    }
}

fn loss(loss: &Loss) -> Sound {
    match loss {
        Loss::Random(share) => within("loss", *share, &SHARE_RANGE),
        Loss::Every(every) => within("every", *every, &(1..=u32::MAX)),
        Loss::Packets(packets) => {
            holds(!packets.is_empty(), || "packets names none".into())?;
            packets.iter().try_for_each(|number| within("packets", *number, &(1..=u32::MAX)))
        }
        Loss::GilbertElliott { p, r, bad, good } => {
            [p, r, bad, good].into_iter().try_for_each(|share| within("loss", *share, &SHARE_RANGE))
        }
    }
}

fn flow(flow: &Flow) -> Sound {
    let wrong = flow.name.as_deref().filter(|name| !super::is_flow_name(name));
    wrong.map_or(Ok(()), |name| Err(format!("{name:?} is no name of a flow")))?;
    within("start", flow.start, &TIME_RANGE)?;
    match flow.until {
        Until::Duration(time) if flow.omit >= time => Err(format!("it omits {} ns of {time}", flow.omit))?,
        Until::Bytes(_) | Until::Exchanges(_) | Until::Exit if flow.omit > 0 => {
            Err("it omits time and has no duration".to_owned())?
        }
        Until::Duration(time) => within("duration", time, &POSITIVE_TIME_RANGE)?,
        Until::Bytes(bytes) => within("bytes", bytes, &AMOUNT_RANGE)?,
        Until::Exchanges(number) => within("exchanges", number, &AMOUNT_RANGE)?,
        Until::Exit => holds(flow.is_program(), || "no program ends it".into())?,
    }
    match &flow.traffic {
        Traffic::Bulk { tcp, on_off, send_rate, read_rate, slow_start_ends } => {
            self::tcp(tcp)?;
            slow_start_ends.map_or(Ok(()), |bytes| within("slow_start_ends", bytes, &AMOUNT_RANGE))?;
            on_off.map_or(Ok(()), |(on, off)| {
                within("on", on, &POSITIVE_TIME_RANGE).and_then(|()| within("off", off, &TIME_RANGE))
            })?;
            [send_rate, read_rate].into_iter().flatten().try_for_each(|rate| within("rate", *rate, &RATE_RANGE))
        }
        Traffic::Requests { tcp, request, response, think, outstanding } => {
            self::tcp(tcp)?;
            within("outstanding", *outstanding, &(1..=u32::MAX))?;
            within("request", *request, &AMOUNT_RANGE)?;
            within("response", *response, &AMOUNT_RANGE)?;
            within("think", *think, &TIME_RANGE)
        }
        Traffic::Udp { rate, size } => {
            within("rate", *rate, &RATE_RANGE).and_then(|()| within("size", *size, &(1..=65535)))
        }
        Traffic::Ping { interval, size } => {
            within("interval", *interval, &POSITIVE_TIME_RANGE).and_then(|()| within("size", *size, &(0..=65535)))
        }
        Traffic::Program { .. } => holds(matches!(flow.until, Until::Duration(_) | Until::Exit), || {
            "programs end after a time, or by themselves".into()
        }),
    }
}

fn tcp(tcp: &Tcp) -> Sound {
    congestion(&tcp.congestion)?;
    tcp.max_rate.map_or(Ok(()), |rate| within("max_rate", rate, &RATE_RANGE))?;
    if let Some(Writes { bytes, pause }) = tcp.writes {
        within("write", bytes, &AMOUNT_RANGE)?;
        within("pause", pause, &TIME_RANGE)?;
    }
    tcp.mss.map_or(Ok(()), |mss| within("mss", mss, &(1..=65535)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bond;
    use crate::fixture;

    fn wrong(damage: impl Fn(&mut Plan)) -> String {
        let scene = fixture::four_kinds();
        let mut plan = fixture::varied("path.loss", vec![("0 %", vec![scene.clone()]), ("0.25 %", vec![scene])]);
        assert_eq!(check(&plan), Ok(()));
        damage(&mut plan);
        check(&plan).expect_err("it is not sound")
    }

    #[test]
    fn faults_of_a_plan_are_named_with_their_place() {
        let scene = |plan: &mut Plan, change: fn(&mut Scene)| change(&mut plan.trials[1].scene);
        assert_eq!(wrong(|plan| plan.trials.clear()), "trials is 0, accepted: 1 to 10000000");
        assert_eq!(wrong(|plan| plan.trials[1].index = 0), "trial 0 is one too many: there are 2");
        assert_eq!(
            wrong(|plan| plan.trials[1].index = usize::MAX),
            format!("trial {} is one too many: there are 2", u64::MAX)
        );
        assert_eq!(wrong(|plan| plan.trials[1].point.clear()), "trial 1: point: its keys are not those that vary");
        assert_eq!(wrong(|plan| plan.vary[0].values.truncate(1)), "trial 1: point: \"path.loss\" is never \"0.25 %\"");
        assert_eq!(wrong(|plan| plan.compare.over = Some("x".into())), "compare: over names no axis");
        assert_eq!(
            wrong(|plan| scene(plan, |s| s.links[2].ends[1].node = "x".into())),
            "trial 1: link 2: there is no node \"x\""
        );
        assert_eq!(
            wrong(|plan| scene(plan, |s| s.flows[3].to = "x".into())),
            "trial 1: flow 3: there is no node \"x\""
        );
        assert_eq!(
            wrong(|plan| scene(plan, |s| s.fetch = vec!["/tmp/../etc/passwd".into()].into())),
            "trial 1: fetch 0: \"/tmp/../etc/passwd\" is no path of a file under /tmp"
        );
        assert_eq!(
            wrong(|plan| scene(plan, |s| s.fetch = vec!["/tmp/a/x".into(), "/tmp/b/x".into()].into())),
            "trial 1: fetch 1: \"/tmp/b/x\" has the name of another"
        );
        assert_eq!(
            wrong(|plan| scene(plan, |s| s.flows[1].name = Some("flow 0".into()))),
            "trial 1: flow 1: \"flow 0\" is no name of a flow"
        );
        assert_eq!(
            wrong(|plan| scene(plan, |s| s.flows[0].onward = true)),
            "trial 1: flow 0: nothing leads to its relay"
        );
        assert_eq!(wrong(|plan| scene(plan, |s| drop(s.links.pop()))), "trial 1: links: they do not join all nodes");
        assert_eq!(
            wrong(|plan| scene(plan, |s| s.links[0].bond = Some(Bond::BalanceRr))),
            "trial 1: links: those between \"a\" and \"s\" are no bond"
        );
        assert_eq!(
            wrong(|plan| scene(plan, |s| s.links[0].backward.rate = 0)),
            "trial 1: link 0: backward: rate is 0, accepted: 1 to 10000000000000000"
        );
        assert_eq!(
            wrong(|plan| scene(plan, |s| s.links[0].forward.stages = vec![Stage::Loss(Loss::Packets(vec![3, 0]))])),
            "trial 1: link 0: forward: stage 0: packets is 0, accepted: 1 to 4294967295"
        );
        assert_eq!(
            wrong(|plan| scene(plan, |s| s.nodes[0].name = "a; rm".into())),
            "trial 1: node 0: \"a; rm\" is no name: 1 to 12 of a-z, 0-9 and - are accepted"
        );
    }
}
