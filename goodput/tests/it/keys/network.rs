//! Keys of an experiment with `[[links]]`, and keys of tables written in full.

use super::Row;

pub const BASE: &str = r#"
title = "Test"
[hosts.a]
run = [{ command = "ip route", at = "1 s", background = false }, "ss"]
offloads = ["gro"]
#a
[hosts.b]
input-loss = { every = 10 }
offloads = ["gro"]
napi = { gro-flush-timeout = "30 us", defer-hard-irqs = 2 }
#b
[switches.s]
memory = "100 kB"
#s
[switches.t]
[routers.r]
#r
[routers.q]
nat = { outside = "t", ports = "random", unknown = "dropped", forgets = ["7 s"] }

[[links]]
between = ["s", "a"]
rate    = "110 Mbit/s"
delay   = "1 ms"
buffer  = "110 packets"
queue   = { discipline = "red", min = "11 kB", max = "33 kB", probability = "11 %", ecn = true }
loss    = { p = "21 %", r = "22 %", bad = "23 %", good = "24 %" }
#links.0

[[links]]
between   = ["s", "r"]
rate      = "120 Mbit/s"
delay     = "2 ms"
buffer    = "1 BDP"
queue     = { discipline = "codel", target = "21 ms", interval = "210 ms", ecn = true }
loss      = { packets = [3, 7] }
outages   = [{ at = "2 s", for = "200 ms", down = false }]
reorder   = { share = "2 %", by = "5 packets" }
jitter    = { by = "2 ms", distribution = "pareto", reorder = true }
lengths   = { from = "100 B", to = "200 B", effect = "slow", rate = "2 Mbit/s" }
police    = { rate = "20 Mbit/s", burst = "22 kB" }
shape     = { rate = "30 Mbit/s", burst = "33 kB", buffer = "20 packets" }
aggregate = { every = "4 ms", packets = 44, bytes = "44 kB" }
#links.1

[[links]]
between = ["r", "q"]
rate    = "130 Mbit/s"
delay   = "3 ms"
buffer  = "130 packets"
queue   = { discipline = "cake", rtt = "31 ms" }
loss    = { at = ["3 s", "4 s"], for = "300 ms" }
changes = [{ at = "3 s", rate = "31 Mbit/s", delay = "32 ms" }]

[[links]]
between = ["q", "t"]
rate    = "140 Mbit/s"
buffer  = "140 packets"
queue   = { discipline = "threshold", above = "41 ms" }
changes = [{ at = "4 s", loss = "4 %" }]
backward = { changes = [{ at = "5 s", delay = "50 ms" }] }

[[links]]
between = ["t", "b"]
rate    = "150 Mbit/s"
delay   = "5 ms"
buffer  = "150 packets"
queue   = { discipline = "pie", target = "51 ms", interval = "510 ms", ecn = true }
bond    = "balance-rr"

[[links]]
between = ["t", "b"]
rate    = "150 Mbit/s"
buffer  = "150 packets"
bond    = "balance-rr"

[[tunnels]]
between = ["r", "q"]
kind    = "esp"
#tunnels

[[flows]]
from  = "a"
to    = "b"
bytes = "1 MB"
on    = "1 s"
off   = "2 s"
count = 2
#bulk

[[flows]]
from     = "a"
to       = "b"
kind     = "requests"
requests = 10
#requests

[[flows]]
from     = "a"
to       = "b"
kind     = "udp"
rate     = "1 Mbit/s"
duration = "1 s"
#udp

[[flows]]
from     = "a"
to       = "b"
kind     = "ping"
requests = 10
#ping

[[flows]]
from     = "a"
to       = "b"
kind     = "program"
server   = "serve {port}"
client   = "fetch {address} {port}"
#program
"#;

pub const KEYS: &[Row] = &[
    // ---- links ----
    (
        "rate    = \"110 Mbit/s\"",
        "rate = \"80 Mbit/s\"",
        "nodes.0.role.host.nic links.0.forward.rate links.0.backward.rate",
    ),
    (
        "delay   = \"3 ms\"",
        "delay = \"4 ms\"",
        "links.2.forward.delay links.2.backward.delay links.1.forward.queue.buffer.bytes links.1.backward.queue.buffer.bytes",
    ),
    ("buffer  = \"110 packets\"", "buffer = \"90 packets\"", "links.0.forward.queue.buffer.packets"),
    (
        "buffer    = \"1 BDP\"",
        "buffer = \"2 BDP\"",
        "links.1.forward.queue.buffer.bytes links.1.backward.queue.buffer.bytes",
    ),
    ("#links.1", "mtu = \"1400 B\"", "links.1.mtu links.1.forward.stages.5.reorder.by"),
    ("#links.0", "overhead = \"0 B\"", "links.0.forward.overhead links.0.backward.overhead"),
    (
        "bond    = \"balance-rr\"\n\n[[links]]\nbetween = [\"t\", \"b\"]\nrate    = \"150 Mbit/s\"\nbuffer  = \"150 packets\"\nbond    = \"balance-rr\"",
        "bond = \"balance-xor\"\n\n[[links]]\nbetween = [\"t\", \"b\"]\nrate    = \"150 Mbit/s\"\nbuffer  = \"150 packets\"\nbond    = \"balance-xor\"",
        "links.4.bond links.5.bond",
    ),
    (
        "bond    = \"balance-rr\"\n\n[[links]]\nbetween = [\"t\", \"b\"]",
        "bond = \"balance-rr\"\nmiimon = \"70 ms\"\n\n[[links]]\nmiimon = \"70 ms\"\nbetween = [\"t\", \"b\"]",
        "links.4.miimon links.5.miimon",
    ),
    (
        "backward = { changes = [{ at = \"5 s\"",
        "backward = { rate = \"8 Mbit/s\", changes = [{ at = \"5 s\"",
        "links.3.backward.rate",
    ),
    // ---- queues ----
    (
        "discipline = \"red\", min = \"11 kB\", max = \"33 kB\", probability = \"11 %\", ecn = true",
        "discipline = \"fq\"",
        "links.0.forward.queue.discipline",
    ),
    ("min = \"11 kB\"", "min = \"12 kB\"", "links.0.forward.queue.discipline.red.min"),
    ("max = \"33 kB\"", "max = \"34 kB\"", "links.0.forward.queue.discipline.red.max"),
    ("probability = \"11 %\"", "probability = \"12 %\"", "links.0.forward.queue.discipline.red.probability"),
    ("\"11 %\", ecn = true", "\"11 %\", ecn = false", "links.0.forward.queue.discipline.red.ecn"),
    (
        "target = \"21 ms\"",
        "target = \"22 ms\"",
        "links.1.forward.queue.discipline.codel.target links.1.backward.queue.discipline.codel.target",
    ),
    (
        "interval = \"210 ms\"",
        "interval = \"220 ms\"",
        "links.1.forward.queue.discipline.codel.interval links.1.backward.queue.discipline.codel.interval",
    ),
    (
        "\"210 ms\", ecn = true",
        "\"210 ms\", ecn = false",
        "links.1.forward.queue.discipline.codel.ecn links.1.backward.queue.discipline.codel.ecn",
    ),
    (
        "rtt = \"31 ms\"",
        "rtt = \"32 ms\"",
        "links.2.forward.queue.discipline.cake.rtt links.2.backward.queue.discipline.cake.rtt",
    ),
    (
        "above = \"41 ms\"",
        "above = \"100 packets\"",
        "links.3.forward.queue.discipline.threshold.above links.3.backward.queue.discipline.threshold.above",
    ),
    ("target = \"51 ms\"", "target = \"52 ms\"", "links.4.forward.queue.discipline.pie.target"),
    ("interval = \"510 ms\"", "interval = \"520 ms\"", "links.4.forward.queue.discipline.pie.interval"),
    ("\"510 ms\", ecn = true", "\"510 ms\", ecn = false", "links.4.forward.queue.discipline.pie.ecn"),
    // ---- stages of a lane ----
    (" p = \"21 %\"", " p = \"25 %\"", "links.0.forward.stages.0.loss.gilbert-elliott.p"),
    (" r = \"22 %\"", " r = \"25 %\"", "links.0.forward.stages.0.loss.gilbert-elliott.r"),
    (" bad = \"23 %\"", " bad = \"25 %\"", "links.0.forward.stages.0.loss.gilbert-elliott.bad"),
    (" good = \"24 %\"", " good = \"25 %\"", "links.0.forward.stages.0.loss.gilbert-elliott.good"),
    (" packets = [3, 7]", " packets = [3, 8]", "links.1.forward.stages.3.loss.packets.1"),
    (
        "{ at = \"2 s\", for = \"200 ms\", down = false }",
        "{ at = \"3 s\", for = \"200 ms\", down = false }",
        "links.1.forward.stages.4.outages.0.0 links.1.backward.stages.0.outages.0.0",
    ),
    (
        "{ at = \"2 s\", for = \"200 ms\", down = false }",
        "{ at = \"2 s\", for = \"300 ms\", down = false }",
        "links.1.forward.stages.4.outages.0.1 links.1.backward.stages.0.outages.0.1",
    ),
    (" down = false", " down = true", "links.1.down"),
    (" share = \"2 %\"", " share = \"3 %\"", "links.1.forward.stages.5.reorder.share"),
    (" by = \"5 packets\"", " by = \"6 packets\"", "links.1.forward.stages.5.reorder.by"),
    (" by = \"2 ms\", dist", " by = \"1 ms\", dist", "links.1.forward.jitter.by"),
    (" distribution = \"pareto\"", " distribution = \"uniform\"", "links.1.forward.jitter.distribution"),
    (" reorder = true", " reorder = false", "links.1.forward.jitter.reorder"),
    (" from = \"100 B\"", " from = \"101 B\"", "links.1.forward.stages.2.lengths.from"),
    (" to = \"200 B\"", " to = \"201 B\"", "links.1.forward.stages.2.lengths.to"),
    (" effect = \"slow\", rate = \"2 Mbit/s\"", " effect = \"corrupt\"", "links.1.forward.stages.2.lengths.effect"),
    (" rate = \"2 Mbit/s\"", " rate = \"3 Mbit/s\"", "links.1.forward.stages.2.lengths.effect.slow"),
    (" rate = \"20 Mbit/s\"", " rate = \"21 Mbit/s\"", "links.1.forward.stages.0.police.rate"),
    (" burst = \"22 kB\"", " burst = \"23 kB\"", "links.1.forward.stages.0.police.burst"),
    (" rate = \"30 Mbit/s\"", " rate = \"31 Mbit/s\"", "links.1.forward.stages.1.shape.rate"),
    (" burst = \"33 kB\"", " burst = \"34 kB\"", "links.1.forward.stages.1.shape.burst"),
    (" buffer = \"20 packets\"", " buffer = \"21 packets\"", "links.1.forward.stages.1.shape.buffer.packets"),
    (
        " every = \"4 ms\"",
        " every = \"5 ms\"",
        "links.1.forward.stages.6.aggregate.every links.1.backward.stages.1.aggregate.every",
    ),
    (
        " packets = 44",
        " packets = 45",
        "links.1.forward.stages.6.aggregate.packets links.1.backward.stages.1.aggregate.packets",
    ),
    (
        " bytes = \"44 kB\"",
        " bytes = \"45 kB\"",
        "links.1.forward.stages.6.aggregate.bytes links.1.backward.stages.1.aggregate.bytes",
    ),
    (" at = [\"3 s\", \"4 s\"]", " at = [\"3 s\", \"5 s\"]", "links.2.forward.stages.0.outages.1.0"),
    (" for = \"300 ms\"", " for = \"400 ms\"", "links.2.forward.stages.0.outages.*.1"),
    // ---- changes ----
    ("{ at = \"3 s\", rate", "{ at = \"2 s\", rate", "links.2.forward.changes.0.at links.2.backward.changes.0.at"),
    (
        " rate = \"31 Mbit/s\"",
        " rate = \"32 Mbit/s\"",
        "links.2.forward.changes.0.rate links.2.backward.changes.0.rate",
    ),
    (" delay = \"32 ms\"", " delay = \"33 ms\"", "links.2.forward.changes.0.delay links.2.backward.changes.0.delay"),
    (" loss = \"4 %\"", " loss = \"5 %\"", "links.3.forward.changes.0.loss"),
    (" delay = \"50 ms\"", " delay = \"51 ms\"", "links.3.backward.changes.0.delay"),
    // ---- nodes ----
    (" command = \"ip route\"", " command = \"ip rule\"", "commands.0.command"),
    (" at = \"1 s\", back", " at = \"2 s\", back", "commands.0.at record.limit"),
    (" background = false", " background = true", "commands.0.background"),
    ("\"ss\"]", "\"ss\", \"nstat\"]", "commands.2"),
    ("#b", "run = [\"nstat\"]", "commands.2"),
    ("#b", "fetch = [\"/tmp/x.pcap\"]", "fetch"),
    ("#a", "capture = true", "capture"),
    ("offloads = [\"gro\"]", "offloads = [\"gro\", \"tso\"]", "nodes.0.offloads.tso"),
    ("#a", "coalesce = \"1 ms\"", "nodes.0.offloads.interrupts.moderated"),
    ("#a", "driver = \"r8169\"", "nodes.0.role.host.driver nodes.0.offloads.interrupts.*"),
    ("#a", "napi = { gro-flush-timeout = \"30 us\" }", "nodes.0.offloads.interrupts.*"),
    (
        " gro-flush-timeout = \"30 us\"",
        " gro-flush-timeout = \"40 us\"",
        "nodes.1.offloads.interrupts.polled.gro_flush_timeout",
    ),
    (" defer-hard-irqs = 2", " defer-hard-irqs = 3", "nodes.1.offloads.interrupts.polled.napi_defer_hard_irqs"),
    (" every = 10", " every = 11", "nodes.1.role.host.input_loss"),
    ("#a", "nic = \"1 Gbit/s\"", "nodes.0.role.host.nic links.0.backward.queue"),
    ("memory = \"100 kB\"", "memory = \"200 kB\"", "nodes.2.role.switch.memory"),
    ("#s", "offloads = [\"lro\"]", "nodes.2.offloads.gro nodes.2.offloads.lro nodes.2.offloads.interrupts"),
    ("#s", "sysctl = { \"net.ipv4.tcp_sack\" = 0 }", "nodes.2.sysctls.0"),
    ("#s", "run = [\"bridge link\"]", "commands.2"),
    ("#s", "offloads = [\"gro\"]\ncoalesce = \"1 ms\"", "nodes.2.offloads.gro nodes.2.offloads.interrupts"),
    ("#s", "ports = { a = { offloads = [\"lro\"] } }", "nodes.2.ports"),
    ("#s", "offloads = [\"gro\"]\nports = { a = { coalesce = \"1 ms\" } }", "nodes.2.offloads.* nodes.2.ports"),
    ("#r", "ports = { q = { offloads = [\"tso-fault\"] } }", "nodes.4.ports"),
    ("#r", "icmp = false", "nodes.4.role.router.icmp"),
    ("#r", "clamp-mss = true", "nodes.4.role.router.clamp_mss"),
    ("#r", "offloads = [\"gro\"]", "nodes.4.offloads.gro nodes.4.offloads.interrupts"),
    ("#r", "sysctl = { \"net.ipv4.tcp_sack\" = 0 }", "nodes.4.sysctls.4"),
    ("#r", "run = [\"nft list ruleset\"]", "commands.2"),
    ("#r", "nat = { outside = \"q\" }", "nodes.4.role.router.nat"),
    (" outside = \"t\"", " outside = \"r\"", "nodes.5.role.router.nat.outside"),
    (" ports = \"random\"", " ports = \"kept\"", "nodes.5.role.router.nat.random_ports"),
    (" unknown = \"dropped\"", " unknown = \"answered\"", "nodes.5.role.router.nat.drops_unknown"),
    (" forgets = [\"7 s\"]", " forgets = [\"8 s\"]", "nodes.5.role.router.nat.forgets.0"),
    ("#a", "mptcp = { backup = [\"s\"] }", "nodes.0.role.host.multipath"),
    ("#a", "mptcp = { unused = [\"s\"] }", "nodes.0.role.host.multipath"),
    ("#r", "routes = [{ to = \"b\", via = \"q\" }]", "routes"),
    // ---- tunnels ----
    ("kind    = \"esp\"", "kind = \"gre\"", "tunnels.0.kind"),
    ("#tunnels", "cipher = \"aes-cbc-sha1\"", "tunnels.0.kind.esp.cipher"),
    ("#tunnels", "udp = true", "tunnels.0.kind.esp.udp"),
    // ---- flows: two of bulk, then one of each kind ----
    ("bytes = \"1 MB\"", "bytes = \"2 MB\"", "flows.*.until.bytes"),
    ("on    = \"1 s\"", "on = \"3 s\"", "flows.*.traffic.bulk.on_off.0"),
    ("off   = \"2 s\"", "off = \"3 s\"", "flows.*.traffic.bulk.on_off.1"),
    ("#bulk", "stagger = \"1 s\"", "flows.1.start"),
    ("#requests", "request = \"1 kB\"", "flows.2.traffic.requests.request"),
    ("#requests", "response = \"1 kB\"", "flows.2.traffic.requests.response"),
    ("#requests", "think = \"1 s\"", "flows.2.traffic.requests.think"),
    ("#requests", "outstanding = 4", "flows.2.traffic.requests.outstanding"),
    ("#requests", "nodelay = true", "flows.2.traffic.requests.tcp.nodelay"),
    ("#requests", "max-rate = \"1 Mbit/s\"", "flows.2.traffic.requests.tcp.max_rate"),
    ("#requests", "write = \"50 B\"", "flows.2.traffic.requests.tcp.writes"),
    ("#bulk", "write = \"16 KiB\"\npause = \"1 ms\"", "flows.*.traffic.bulk.tcp.writes"),
    ("#requests", "congestion = \"bbr\"", "flows.2.traffic.requests.tcp.congestion"),
    ("#requests", "protocol = \"mptcp\"", "flows.2.traffic.requests.tcp.multipath"),
    ("#requests", "mss = \"500 B\"", "flows.2.traffic.requests.tcp.mss"),
    ("#requests", "send-buffer = \"1 MB\"", "flows.2.traffic.requests.tcp.send_buffer"),
    ("#requests", "receive-buffer = \"1 MB\"", "flows.2.traffic.requests.tcp.receive_buffer"),
    ("kind     = \"requests\"\nrequests = 10", "kind = \"requests\"\nrequests = 11", "flows.2.until.exchanges"),
    ("kind     = \"requests\"\nrequests = 10", "kind = \"requests\"\nduration = \"1 s\"", "flows.2.until.*"),
    ("rate     = \"1 Mbit/s\"", "rate = \"2 Mbit/s\"", "flows.3.traffic.udp.rate"),
    ("#udp", "size = \"1 kB\"", "flows.3.traffic.udp.size"),
    ("#ping", "size = \"1 kB\"", "flows.4.traffic.ping.size"),
    ("#ping", "interval = \"1 s\"", "flows.4.traffic.ping.interval"),
    ("kind     = \"ping\"\nrequests = 10", "kind = \"ping\"\nrequests = 11", "flows.4.until.exchanges"),
    ("server   = \"serve {port}\"", "server = \"other {port}\"", "flows.5.traffic.program.server"),
    ("client   = \"fetch {address} {port}\"", "client = \"other {port}\"", "flows.5.traffic.program.client"),
    ("#program", "sends = \"client\"", "flows.5.traffic.program.sends"),
    ("#program", "duration = \"5 s\"", "flows.5.until"),
    ("#program", "duration = \"5 s\"\nomit = \"1 s\"", "flows.5.until flows.5.omit"),
];

/// A path with a host that is no end of a flow.
pub const RELAY: &str = r#"
title = "Test"
[hosts.a]
[hosts.b]
[hosts.c]
[switches.s]
[[links]]
between = ["a", "s"]
rate    = "100 Mbit/s"
buffer  = "100 packets"
[[links]]
between = ["b", "s"]
rate    = "100 Mbit/s"
buffer  = "100 packets"
[[links]]
between = ["c", "s"]
rate    = "100 Mbit/s"
buffer  = "100 packets"
[[flows]]
from     = "a"
to       = "b"
duration = "1 s"
#flow
"#;

pub const KEYS_OF_RELAY: &[Row] = &[("#flow", "via = \"c\"", "flows.0.to flows.1")];
