//! The figures, in the order of docs/explanation/performance.md.

use crate::Effort;
use crate::laboratory::{Experiment, Trial};
use crate::native;
use crate::table::Row;
use crate::table::Runs;
use crate::table::Target::{AtLeast, AtMost};
use lab::engine::walls::Wall;
use lab::kernel;
use plan::recording::{self, ACKS, SAMPLES};
use wire::Device;

const MICRO: f64 = 1e6;

fn micros(value: f64) -> String {
    format!("{value:.2} µs")
}

fn seconds(value: f64) -> String {
    format!("{value:.2} s")
}

fn times(value: f64) -> String {
    if value < 10.0 { format!("{value:.2} times") } else { format!("{value:.0} times") }
}

fn percent(value: f64) -> String {
    format!("{value:.0} %")
}

fn tenths(value: f64) -> String {
    format!("{value:.1} %")
}

fn megabytes(value: f64) -> String {
    format!("{:.0} MB", value / 1e6)
}

/// Real time and processor time of one delivered data packet with its ACK, seconds.
struct PacketCost {
    wall: f64,
    cpu: f64,
}

/// Cost of a packet in the laboratory, compared with the same stack on this machine.
pub fn cost_per_packet(effort: &Effort) -> Result<Vec<Row>, String> {
    let (mut lab, mut bare, mut host, mut refused) = (vec![], vec![], vec![], None);
    for _ in 0..effort.repetitions {
        match native_packet() {
            Ok(cost) => host.push(cost),
            Err(why) => refused = Some(why),
        }
        lab.push(lab_packet(effort, |as_is| as_is)?);
        bare.push(lab_packet(effort, Experiment::without_line_rates)?);
    }
    let shown = |name: &str, runs: &[PacketCost], of: fn(&PacketCost) -> f64| {
        Row::shown(name, &Runs::from(runs.iter().map(|cost| of(cost) * MICRO)), micros)
    };
    let mut rows = vec![];
    match refused {
        Some(why) => rows.push(Row::missing("a packet, relative to native", &why)),
        None => {
            let ratio = |lab: &[PacketCost], of: fn(&PacketCost) -> f64| {
                Runs::from(lab.iter().zip(&host).map(|(l, h)| of(l) / of(h)))
            };
            rows.push(Row::held("a packet, relative to native", &ratio(&lab, |c| c.wall), AtMost(1.0), times));
            rows.push(Row::shown("the same in CPU time", &ratio(&lab, |c| c.cpu), times));
            rows.push(Row::shown("the same without the NICs' line rates", &ratio(&bare, |c| c.wall), times));
            rows.push(Row::shown("both of these", &ratio(&bare, |c| c.cpu), times));
            rows.push(shown("native: real time per packet, all cores", &host, |c| c.wall));
            rows.push(shown("native: CPU time per packet", &host, |c| c.cpu));
        }
    }
    rows.push(shown("goodput: real time per packet, one core", &lab, |c| c.wall));
    rows.push(shown("goodput: CPU time per packet", &lab, |c| c.cpu));
    Ok(rows)
}

/// A figure that does not hang on the machine's speed: of the lab's processes, in user space.
pub fn instructions_per_packet(effort: &Effort) -> Result<Vec<Row>, String> {
    const FIGURE: &str = "goodput: instructions per packet";
    let count = |seconds| Experiment::bulk("1 Gbit/s", "40 ms", seconds).instructions();
    let packet = |_| {
        let ((short, few), (long, many)) = (count(effort.compared / 4)?, count(effort.compared * 3 / 2)?);
        Ok((many - few) / (long.packets()? - short.packets()?))
    };
    Ok(vec![match Runs::of(1, packet) {
        Ok(runs) => Row::shown(FIGURE, &runs, |count| format!("{count:.0}")),
        Err(why) => Row::missing(FIGURE, &why),
    }])
}

fn native_packet() -> Result<PacketCost, String> {
    const SECONDS: u32 = 3;
    let flow = native::flow(SECONDS)?;
    Ok(PacketCost { wall: flow.wall / flow.packets, cpu: flow.cpu / flow.packets })
}

/// Boot and set-up cancel out between a long trial and a short one.
fn lab_packet(effort: &Effort, hosts: impl Fn(Experiment) -> Experiment) -> Result<PacketCost, String> {
    let run = |seconds| hosts(Experiment::bulk("1 Gbit/s", "40 ms", seconds)).run();
    let (short, long) = (run(effort.compared / 4)?, run(effort.compared * 3 / 2)?);
    let packets = long.packets()? - short.packets()?;
    Ok(PacketCost { wall: (long.wall - short.wall) / packets, cpu: (long.cpu - short.cpu) / packets })
}

/// FreeBSD's stack compared with Linux's on one kernel, and that kernel with one that lacks FreeBSD's stack.
pub fn freebsd(effort: &Effort) -> Result<Vec<Row>, String> {
    const KERNEL: &str = "freebsd";
    const RELATIVE: &str = "a packet between FreeBSD hosts, relative to Linux hosts";
    if kernel::find(Some(KERNEL)).is_err() {
        return Ok(vec![Row::missing(
            RELATIVE,
            "no kernel \"freebsd\": make kernels builds it where FREEBSD_SRC names a tree",
        )]);
    }
    let (mut of_freebsd, mut beside, mut without) = (vec![], vec![], vec![]);
    for _ in 0..effort.repetitions {
        of_freebsd.push(lab_packet(effort, |bulk| bulk.on(KERNEL).of_freebsd())?);
        beside.push(lab_packet(effort, |bulk| bulk.on(KERNEL).with_large_buffers())?);
        without.push(lab_packet(effort, Experiment::with_large_buffers)?);
    }
    let ratio = |these: &[PacketCost], those: &[PacketCost], of: fn(&PacketCost) -> f64| {
        Runs::from(these.iter().zip(those).map(|(this, that)| of(this) / of(that)))
    };
    let unused = ratio(&beside, &without, |c| c.cpu);
    Ok(vec![
        Row::held(RELATIVE, &ratio(&of_freebsd, &beside, |c| c.wall), AtMost(1.5), times),
        Row::shown("the same in CPU time", &ratio(&of_freebsd, &beside, |c| c.cpu), times),
        Row::shown("a packet between Linux hosts with FreeBSD's stack unused, in CPU time", &unused, times),
    ])
}

/// Virtual time to real time, of whole trials.
pub fn speed(effort: &Effort) -> Result<Vec<Row>, String> {
    let of = |rate: &str, runs, target| -> Result<Row, String> {
        let faster = Runs::of(runs, |_| {
            let trial = Experiment::bulk(rate, "40 ms", effort.long).run()?;
            Ok(f64::from(effort.long) / trial.wall)
        })?;
        let figure = format!("{} s of {rate}, faster than real time", effort.long);
        Ok(Row::held(&figure, &faster, AtLeast(target), times))
    };
    Ok(vec![
        of("1 Gbit/s", 1, 9.0)?,
        of("100 Mbit/s", effort.repetitions, 90.0)?,
        of("10 Mbit/s", effort.repetitions, 600.0)?,
    ])
}

/// Hosts with TSO and GRO, and many flows.
pub fn crowds(effort: &Effort) -> Result<Vec<Row>, String> {
    let seconds = effort.compared / 4;
    let large = Experiment::bulk("10 Gbit/s", "20 ms", seconds).with_large_buffers().with_offloads();
    let faster = Runs::of(1, |_| Ok(f64::from(seconds) / large.run()?.wall))?;
    let count = |flows: u32| lab_packet(effort, |bulk| bulk.times(flows));
    let many = Runs::of(effort.repetitions, |_| Ok(count(100)?.wall / count(1)?.wall))?;
    let figure = format!("{seconds} s of 10 Gbit/s × 20 ms with TSO and GRO, faster than real time");
    Ok(vec![
        Row::held(&figure, &faster, AtLeast(3.0), times),
        Row::held("a packet of 100 flows at 1 Gbit/s, relative to that of one", &many, AtMost(1.3), times),
    ])
}

/// Time to start a trial, and its memory.
pub fn start_and_memory(effort: &Effort) -> Result<Vec<Row>, String> {
    let wall = |experiment: Experiment| Runs::of(3 * effort.repetitions, |_| experiment.run().map(|trial| trial.wall));
    let first = wall(Experiment::new("1 Gbit/s", "1 ms", "bytes = \"1 B\""))?;
    let short = wall(Experiment::bulk("10 Mbit/s", "40 ms", 2))?;
    let demo = Experiment::new("1 Gbit/s", "210 ms", "congestion = \"bbr\"\nduration = \"30 s\"").with_large_buffers();
    let memory = Runs::of(1, |_| demo.peak_memory().map(|bytes| bytes as f64))?;
    Ok(vec![
        Row::held("a whole trial of 1 byte: boots, sends, ends", &first, AtMost(0.1), seconds),
        Row::held("a whole trial of 2 s at 10 Mbit/s", &short, AtMost(0.3), seconds),
        Row::held("peak memory, BBR at 1 Gbit/s × 210 ms", &memory, AtMost(150e6), megabytes),
    ])
}

/// The ways to record that are compared.
const RECORD_PLAIN: &str = "interval = \"10 s\"";
const RECORD_SAMPLES: &str = "interval = \"1 ms\"";
const RECORD_ACKS: &str = "interval = \"10 s\"\nacks = true";
const RECORD_SAMPLES_AND_ACKS: &str = "interval = \"1 ms\"\nacks = true";

/// The round trip of a lone packet is its bytes over the rate, there and back, and the delay.
pub fn exactness(_: &Effort) -> Result<Vec<Row>, String> {
    const PAYLOAD: u64 = 1400;
    // ICMP 8, IP 20, Ethernet 14, framing 24
    const ON_THE_WIRE: u64 = PAYLOAD + 66;
    let off = |kbit: u64, rtt: u64| -> Result<f64, String> {
        let trial = Experiment::pings(&format!("{kbit} kbit/s"), &format!("{rtt} ns"), PAYLOAD).run()?;
        let exchanges = recording::exchanges(trial.folder()).map_err(|e| e.to_string())?;
        let arithmetic = 2 * 8 * ON_THE_WIRE * 1_000_000 / kbit + rtt;
        let took = exchanges.values().flatten().map(|ping| Some(ping.end? - ping.start));
        let off = took.map(|took| took.map_or(f64::INFINITY, |took| took.abs_diff(arithmetic) as f64 / 1e3));
        Ok(off.fold(0.0, f64::max))
    };
    let worst = |cases: &[(u64, u64)]| -> Result<Runs, String> {
        let all = cases.iter().map(|&(kbit, rtt)| off(kbit, rtt)).collect::<Result<Vec<f64>, _>>()?;
        Ok(Runs::from([all.into_iter().fold(0.0, f64::max)]))
    };
    const MS: u64 = 1_000_000;
    let rates = worst(&[100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000].map(|kbit| (kbit, 20 * MS)))?;
    let delays = worst(&[2, 333, 1_234_567, 600_000 * MS].map(|rtt| (10_000_000, rtt)))?;
    Ok(vec![
        Row::held("RTT of a lone packet, off its arithmetic, 0.1 to 10,000 Mbit/s", &rates, AtMost(1.0), micros),
        Row::held("the same over delays of 1 ns to 300 s", &delays, AtMost(1.0), micros),
    ])
}

/// Cost of samples and traces; they must not change the transfer.
pub fn cost_of_recording(effort: &Effort) -> Result<Vec<Row>, String> {
    let (mut sampled, mut traced, mut same, mut same_acks) = (vec![], vec![], true, true);
    for _ in 0..effort.repetitions {
        let run = |record| Experiment::bulk("1 Gbit/s", "40 ms", effort.compared).recorded(record).run();
        let (plain, samples, acks) = (run(RECORD_PLAIN)?, run(RECORD_SAMPLES)?, run(RECORD_ACKS)?);
        sampled.push((samples.wall / plain.wall - 1.0) * 100.0);
        traced.push((acks.wall / plain.wall - 1.0) * 100.0);
        let marks = [&plain, &samples, &acks].map(mark);
        let [plain, samples, traced_mark] = marks;
        same &= plain.clone()? == samples? && plain? == traced_mark?;
        same_acks &= bytes_of_acks(&acks)? == bytes_of_acks(&run(RECORD_SAMPLES_AND_ACKS)?)?;
    }
    Ok(vec![
        Row::held("added real time: a sample every 1 ms", &Runs::from(sampled), AtMost(10.0), percent),
        Row::held("added real time: a row per ACK", &Runs::from(traced), AtMost(50.0), percent),
        Row::proven("counters and last TCP_INFO do not depend on either", same),
        Row::proven("ACK trace byte-identical with and without samples", same_acks),
    ])
}

/// Cost of the walls around the guest's kernel, in pairs of alternating order, since an effect of 2 % is less than the
/// difference between runs.
pub fn cost_of_walls(effort: &Effort) -> Result<Vec<Row>, String> {
    let trial = Experiment::bulk("1 Gbit/s", "40 ms", effort.compared / 4);
    let with = || trial.record_without(&[]);
    let without = || trial.record_without(&Wall::ALL);
    let pair = |number: usize| {
        let (with, without) = if number.is_multiple_of(2) {
            let with = with()?;
            (with, without()?)
        } else {
            let without = without()?;
            (with()?, without)
        };
        Ok::<_, String>([0, 1].map(|time| (with[time] / without[time] - 1.0) * 100.0))
    };
    let pairs = (0..20 * effort.repetitions).map(pair).collect::<Result<Vec<_>, _>>()?;
    let [real, cpu] = [0, 1].map(|time| Runs::from(pairs.iter().map(|pair| pair[time])).around_the_median());
    let figure = "added real time: the walls around the guest, 95 % interval of the median";
    Ok(vec![
        Row::held(figure, &real, AtMost(2.0), percent),
        Row::shown("the same in CPU time of the guest", &cpu, tenths),
    ])
}

/// Final state of a trial's TCP: every device's counters, and the last sample of the sender and of the receiver.
#[derive(Clone, PartialEq)]
struct Mark {
    devices: Vec<Device>,
    last: Vec<(&'static str, u64, u64)>,
}

fn mark(trial: &Trial) -> Result<Mark, String> {
    let [ends] = recording::columns(trial.folder(), SAMPLES, ["end"]).map_err(|e| e.to_string())?;
    let last_of = |end| ends.iter().rposition(|e| *e == end).ok_or("an end of the flow has no sample");
    let (sender, receiver) = (last_of(0)?, last_of(1)?);
    // A kernel that fills less of TCP_INFO has fewer columns.
    let values = wire::SAMPLE.iter().chain(wire::TCP_INFO).filter_map(|column| {
        let [values] = recording::columns(trial.folder(), SAMPLES, [column.name]).ok()?;
        Some((column.name, values[sender], values[receiver]))
    });
    Ok(Mark { devices: trial.facts()?.devices, last: values.collect() })
}

fn bytes_of_acks(trial: &Trial) -> Result<Vec<u8>, String> {
    trial.folder().read(ACKS, 4 << 30).map_err(|e| e.to_string())
}
