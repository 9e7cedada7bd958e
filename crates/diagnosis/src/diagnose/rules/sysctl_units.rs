use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding, Severity};
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use base::show::{self, bytes};
use evidence::{OUT_OF_TCP_MEMORY, Setting};

/// Size of a page of x86 and arm64, bytes.
const PAGE_BYTES: f64 = 4096.0;
/// Memory limit below which it is a mistake, bytes: the kernel's own is at least 4.7 % of the memory.
const MIN_TCP_MEMORY_BYTES: f64 = 64e6;

/// Counters of a host that ran out of memory for TCP, or dropped received data for lack of it.
const PRESSURE_COUNTERS: [&str; 4] =
    ["TcpExtTCPMemoryPressures", "TcpExtPruneCalled", "TcpExtTCPRcvCollapsed", OUT_OF_TCP_MEMORY];

/// Largest window without scaling, bytes.
const UNSCALED_WINDOW_BYTES: f64 = 65_535.0;

/// Largest ratio of tcp_mem's last value to its second: a page at first and more than that is tcp_rmem's.
const MAX_TCP_MEM_STEP: f64 = 10.0;

/// The rule.
pub const RULE: Rule = Rule {
    name: "sysctl-units",
    title: "Setting in the wrong unit",
    needs: &[Need::Settings],
    model: "tcp_mem counts pages of 4096 bytes, for all connections together: below the first value nothing is limited, above \
            the second windows shrink, at the third allocations fail. tcp_rmem and tcp_wmem count bytes, per connection. \
            Copying numbers from one to the other limits the host to megabytes, or not at all.",
    source: "Documentation/networking/ip-sysctl.rst (tcp_mem); net/ipv4/tcp.c (tcp_init_mem: 4.7, 6.25 and 9.4 % of memory)",
    thresholds: || {
        vec![
            (
                format!("the second value of tcp_mem stands for less than {}", show::plain_bytes(MIN_TCP_MEMORY_BYTES)),
                "the kernel's own value on a host with 1 GB",
            ),
            (
                format!(
                    "or its values look like tcp_rmem: first the bytes of a page, then growing more than {} times",
                    MAX_TCP_MEM_STEP
                ),
                "the kernel's three are within a factor of two",
            ),
            ("or the maximum of tcp_rmem or tcp_wmem is below the default".into(), "nobody wants buffers that shrink"),
        ]
    },
    confidence: "high: arithmetic",
    confirm: &[
        "cat /proc/net/sockstat (mem, in pages)",
        "nstat -az TcpExtTCPMemoryPressures TcpExtPruneCalled TcpExtTCPRcvCollapsed",
    ],
    alike: &[],
    explains: &[
        "void-setting",
        "receiver-window",
        "timeouts",
        "loss-response",
        "receiver-not-reading",
        "application-limited",
        "shallow-buffer",
        "send-buffer",
        "slow-start-exit",
        "outage",
        "short-flows",
        "rate-cap",
    ],
    remedies: remedies::tcp_mem,
    assumed: 0.9,
    find,
};

fn values(setting: &Setting) -> Option<Vec<f64>> {
    setting.value.split_whitespace().map(|v| v.parse().ok()).collect()
}

fn find(view: &View) -> Vec<Finding> {
    let memory = view.settings("net.ipv4.tcp_mem").filter_map(|(_, setting)| find_in_tcp_mem(setting, view));
    let buffers = ["net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"].into_iter().flat_map(|key| view.settings(key));
    memory.chain(buffers.filter_map(|(_, setting)| of_buffer(setting))).collect()
}

/// Finds a largest buffer below the first one: the value counts kilobytes or pages.
fn of_buffer(setting: &Setting) -> Option<Finding> {
    let values = values(setting).filter(|v| v.len() == 3)?;
    let (first, largest) = (values[1], values[2]);
    if largest >= first {
        return None;
    }
    let says = format!(
        "{} counts bytes: {} caps buffers at {}, below the default of {}. Probably {} kilobytes or pages were meant.",
        setting.key,
        setting.value,
        bytes(largest),
        bytes(first),
        show::count(largest)
    );
    let finding = Finding::problem(RULE.name, Confidence::High, RULE.assumed, says)
        .setting(&*setting.key, setting)
        .figure("window without scaling", bytes(UNSCALED_WINDOW_BYTES), "RFC 9293, 3.1");
    let sizes = Sizes::default();
    let proposed =
        if setting.key.ends_with("rmem") { remedies::receive_buffer(&sizes) } else { remedies::send_buffer(&sizes) };
    Some(finding.with_remedies(proposed))
}

/// Prints memory in the units of the kernel's documents.
fn memory(bytes: f64) -> String {
    let (size, unit) = if bytes >= GIB { (GIB, "GiB") } else { (GIB / 1024.0, "MiB") };
    format!("{} {unit}", show::number(bytes / size))
}

const GIB: f64 = 1_073_741_824.0;

fn find_in_tcp_mem(setting: &Setting, view: &View) -> Option<Finding> {
    let pages = values(setting).filter(|v| v.len() == 3)?;
    let sizes: Vec<f64> = pages.iter().map(|n| n * PAGE_BYTES).collect();
    // Three values in the kernel's own ratio are the kernel's, even on a small machine.
    let near = |value: f64, due: f64| (value - due).abs() <= 0.02 * due;
    if near(pages[2], 2.0 * pages[0]) && near(pages[1], 4.0 / 3.0 * pages[0]) {
        return None;
    }
    let little = sizes[1] < MIN_TCP_MEMORY_BYTES;
    let copied = pages[0] == 4096.0 && pages[2] > MAX_TCP_MEM_STEP * pages[1];
    if !little && !copied {
        return None;
    }
    let says = format!(
        "tcp_mem counts pages, for all connections together: {} is {}, {} and {}. {}",
        setting.value,
        memory(sizes[0]),
        memory(sizes[1]),
        memory(sizes[2]),
        if copied { "These numbers are meant for tcp_rmem, in bytes." } else { "Above the second, windows shrink." }
    );
    let pressure = view.evidence.hosts.iter().flat_map(|host| &host.counters);
    let pressure =
        pressure.filter(|counter| PRESSURE_COUNTERS.contains(&counter.name.as_str())).find(|counter| counter.value > 0);
    let mut finding = Finding::problem(RULE.name, Confidence::High, if little { RULE.assumed } else { 0.0 }, says)
        .setting("net.ipv4.tcp_mem", setting)
        .figure("in bytes", sizes.iter().map(|size| memory(*size)).collect::<Vec<_>>().join(", "), "pages × 4096");
    // The limit has no effect until the host's connections hold that much.
    let finding = match pressure.filter(|_| little) {
        Some(counter) => finding.at(counter.name.clone(), show::count(counter.value as f64), &counter.place),
        None => {
            let doubt = "Nothing shows that it limits yet: that takes connections that together hold this much.";
            finding.severity = Severity::Note;
            finding.doubt(doubt)
        }
    };
    Some(finding.sized(Sizes::default()))
}
