//! Keys of an experiment with a `[path]`.

use super::Row;

pub const BASE: &str = r#"
title = "Test"
#root
[path]
rate   = "100 Mbit/s"
rtt    = "50 ms"
buffer = "100 packets"
#path
[path.backward]
#backward
[hosts]
#hosts
[hosts.sender]
#hosts.sender
[hosts.receiver]
#hosts.receiver
[[flows]]
duration = "10 s"
#flows
[[flows]]
congestion = "bbr"
bytes = "1 MB"
[repeat]
seeds = 1
[record]
#record
[vary]
"hosts.nic" = ["2 Gbit/s", "3 Gbit/s"]
[[expect]]
measure = "goodput"
at-least = "1 Mbit/s"
#expect
[[published]]
source = "nobody"
measure = "goodput"
value = "1 Mbit/s"
#published
"#;

pub const KEYS: &[Row] = &[
    ("title = \"Test\"", "title = \"Other\"", "/title"),
    ("#root", "question = \"Why?\"", "/question"),
    ("#root", "kernel = \"before\"", "/trials.*.kernel"),
    // ---- both directions ----
    ("rate   = \"100 Mbit/s\"", "rate = \"10 Mbit/s\"", "links.0.forward.rate links.0.backward.rate"),
    ("rtt    = \"50 ms\"", "rtt = \"60 ms\"", "links.0.forward.delay links.0.backward.delay"),
    (
        "buffer = \"100 packets\"",
        "buffer = \"99 packets\"",
        "links.0.forward.queue.buffer.packets links.0.backward.queue.buffer.packets",
    ),
    ("#path", "mtu = \"1400 B\"", "links.0.mtu"),
    ("#path", "overhead = \"38 B\"", "links.0.forward.overhead links.0.backward.overhead"),
    ("#path", "queue = \"dualpi2\"", "links.0.forward.queue.discipline links.0.backward.queue.discipline"),
    (
        "#path",
        "queue = { discipline = \"dualpi2\", alpha = \"1 Hz\" }",
        "links.0.forward.queue.discipline links.0.backward.queue.discipline",
    ),
    (
        "#path",
        "queue = { discipline = \"dualpi2\", beta = \"1 Hz\" }",
        "links.0.forward.queue.discipline links.0.backward.queue.discipline",
    ),
    (
        "#path",
        "queue = { discipline = \"dualpi2\", step = \"9 packets\" }",
        "links.0.forward.queue.discipline links.0.backward.queue.discipline",
    ),
    (
        "#path",
        "queue = { discipline = \"dualpi2\", coupling = 1 }",
        "links.0.forward.queue.discipline links.0.backward.queue.discipline",
    ),
    (
        "#path",
        "queue = { discipline = \"dualpi2\", protection = \"9 %\" }",
        "links.0.forward.queue.discipline links.0.backward.queue.discipline",
    ),
    (
        "#path",
        "queue = { discipline = \"dualpi2\", overload = \"overflow\" }",
        "links.0.forward.queue.discipline links.0.backward.queue.discipline",
    ),
    (
        "#path",
        "queue = { discipline = \"dualpi2\", drop-at = \"enqueue\" }",
        "links.0.forward.queue.discipline links.0.backward.queue.discipline",
    ),
    (
        "#path",
        "queue = { discipline = \"dualpi2\", low-latency = \"any-ect\" }",
        "links.0.forward.queue.discipline links.0.backward.queue.discipline",
    ),
    (
        "#path",
        "queue = { discipline = \"fq_codel\", mark-above = \"3 ms\" }",
        "links.0.forward.queue.discipline links.0.forward.queue.mark links.0.backward.queue.discipline links.0.backward.queue.mark",
    ),
    (
        "#path",
        "queue = { discipline = \"fq_codel\", mark-above = \"3 ms\", mark-only = \"ect1\" }",
        "links.0.forward.queue.discipline links.0.forward.queue.mark links.0.backward.queue.discipline links.0.backward.queue.mark",
    ),
    (
        "rate   = \"100 Mbit/s\"",
        "rate = { trace = \"t\" }",
        "links.0.forward.rate links.0.forward.rate_trace links.0.forward.overhead links.0.backward.rate links.0.backward.rate_trace links.0.backward.overhead",
    ),
    (
        "rate   = \"100 Mbit/s\"",
        "rate = { trace = \"t\", unused = \"kept\" }",
        "links.0.forward.rate links.0.forward.rate_trace links.0.forward.overhead links.0.backward.rate links.0.backward.rate_trace links.0.backward.overhead",
    ),
    (
        "rate   = \"100 Mbit/s\"",
        "rate = { trace = \"t\", offset = \"1 ms\" }",
        "links.0.forward.rate links.0.forward.rate_trace links.0.forward.overhead links.0.backward.rate links.0.backward.rate_trace links.0.backward.overhead",
    ),
    ("#path", "delays = { trace = \"d\", end = \"hold\" }", "links.0.forward.delay_trace links.0.backward.delay_trace"),
    ("#path", "queue = \"codel\"", "links.0.forward.queue.discipline links.0.backward.queue.discipline"),
    ("#path", "outages = [{ at = \"2 s\", for = \"1 s\" }]", "links.0.forward.stages.0 links.0.backward.stages.0"),
    ("#path", "aggregate = { every = \"5 ms\" }", "links.0.forward.stages.0 links.0.backward.stages.0"),
    (
        "#path",
        "noise = \"clouds\"",
        "links.0.forward.jitter links.0.backward.jitter links.0.forward.stages.0 links.0.backward.stages.0",
    ),
    (
        "#path",
        "changes = [{ at = \"2 s\", rate = \"8 Mbit/s\" }]",
        "links.0.forward.changes.0 links.0.backward.changes.0",
    ),
    ("#path", "changes = [{ at = \"2 s\", rtt = \"8 ms\" }]", "links.0.forward.changes.0 links.0.backward.changes.0"),
    ("#path", "changes = [{ at = \"2 s\", delay = \"8 ms\" }]", "links.0.forward.changes.0 links.0.backward.changes.0"),
    // ---- the forward direction ----
    ("#path", "changes = [{ at = \"2 s\", loss = \"8 %\" }]", "links.0.forward.changes.0 links.0.forward.stages.0"),
    ("#path", "loss = \"1 %\"", "links.0.forward.stages.0"),
    ("#path", "loss = { every = 100 }", "links.0.forward.stages.0"),
    ("#path", "corrupt = \"1 %\"", "links.0.forward.stages.0"),
    ("#path", "duplicate = \"1 %\"", "links.0.forward.stages.0"),
    ("#path", "reorder = { share = \"1 %\", by = \"5 ms\" }", "links.0.forward.stages.0"),
    ("#path", "jitter = \"1 ms\"", "links.0.forward.jitter"),
    ("#path", "lengths = { from = \"1 B\", to = \"99 B\", effect = \"drop\" }", "links.0.forward.stages.0"),
    ("#path", "police = { rate = \"8 Mbit/s\", burst = \"9 kB\" }", "links.0.forward.stages.0"),
    ("#path", "shape = { rate = \"8 Mbit/s\", burst = \"9 kB\", buffer = \"9 packets\" }", "links.0.forward.stages.0"),
    // ---- the way back ----
    ("#backward", "rate = \"8 Mbit/s\"", "links.0.backward.rate"),
    ("#backward", "delay = \"20 ms\"", "links.0.forward.delay links.0.backward.delay"),
    ("#backward", "buffer = \"9 packets\"", "links.0.backward.queue.buffer.packets"),
    ("#backward", "overhead = \"0 B\"", "links.0.backward.overhead"),
    ("#backward", "queue = \"fq\"", "links.0.backward.queue.discipline"),
    ("#backward", "outages = [{ at = \"2 s\", for = \"1 s\" }]", "links.0.backward.stages.0"),
    ("#backward", "aggregate = { every = \"5 ms\" }", "links.0.backward.stages.0"),
    ("#backward", "noise = \"clouds\"", "links.0.backward.jitter links.0.backward.stages.0"),
    ("#backward", "changes = [{ at = \"2 s\", rate = \"8 Mbit/s\" }]", "links.0.backward.changes.0"),
    ("#backward", "loss = \"1 %\"", "links.0.backward.stages.0"),
    ("#backward", "corrupt = \"1 %\"", "links.0.backward.stages.0"),
    ("#backward", "duplicate = \"1 %\"", "links.0.backward.stages.0"),
    ("#backward", "reorder = { share = \"1 %\", by = \"5 ms\" }", "links.0.backward.stages.0"),
    ("#backward", "jitter = \"1 ms\"", "links.0.backward.jitter"),
    ("#backward", "lengths = { from = \"1 B\", to = \"99 B\", effect = \"drop\" }", "links.0.backward.stages.0"),
    ("#backward", "police = { rate = \"8 Mbit/s\", burst = \"9 kB\" }", "links.0.backward.stages.0"),
    ("#backward", "shape = { rate = \"8 Mbit/s\", burst = \"9 kB\", buffer = \"9 kB\" }", "links.0.backward.stages.0"),
    // ---- hosts ----
    (
        "#hosts",
        "sysctl = { \"net.ipv4.tcp_rmem\" = \"4096 87380 6291456\" }",
        "nodes.0.sysctls.1.1 nodes.1.sysctls.1.1",
    ),
    ("#hosts.sender", "sysctl = { \"net.ipv4.tcp_rmem\" = \"4096 87380 6291456\" }", "nodes.0.sysctls.1.1"),
    ("#hosts.receiver", "sysctl = { \"net.ipv4.tcp_rmem\" = \"4096 87380 6291456\" }", "nodes.1.sysctls.1.1"),
    (
        "#hosts",
        "profile = \"debian-12\"",
        "nodes.*.role.host.profile nodes.*.role.host.qdisc nodes.*.offloads.tso nodes.*.offloads.gso \
         nodes.*.offloads.gro nodes.*.offloads.interrupts nodes.*.sysctls.1.1 nodes.*.sysctls.3 nodes.*.sysctls.4",
    ),
    (
        "#hosts.receiver",
        "profile = \"rhel-9\"",
        "nodes.1.role.host.profile nodes.1.role.host.qdisc nodes.1.offloads.tso nodes.1.offloads.gso \
         nodes.1.offloads.gro nodes.1.offloads.interrupts nodes.1.sysctls.1.1 nodes.1.sysctls.3 nodes.1.sysctls.4",
    ),
    (
        "#hosts.sender",
        "driver = \"mlx5_core\"",
        "nodes.0.role.host.driver nodes.0.offloads.tso nodes.0.offloads.gso nodes.0.offloads.gro \
         nodes.0.offloads.interrupts",
    ),
    ("#hosts.sender", "nic = \"unlimited\"", "nodes.0.role.host.nic"),
    ("#hosts.receiver", "nic = \"unlimited\"", "nodes.1.role.host.nic"),
    (
        "#hosts",
        "stack = \"freebsd\"",
        "nodes.*.role.host.stack nodes.*.sysctls.0.0 nodes.*.sysctls.0.1 nodes.*.sysctls.1.0 nodes.*.sysctls.1.1 nodes.*.sysctls.2.0 nodes.*.sysctls.2.1 flows.0.traffic.bulk.tcp.congestion",
    ),
    (
        "#hosts.receiver",
        "stack = \"freebsd\"",
        "nodes.1.role.host.stack nodes.1.sysctls.0.0 nodes.1.sysctls.0.1 nodes.1.sysctls.1.0 nodes.1.sysctls.1.1 nodes.1.sysctls.2.0 nodes.1.sysctls.2.1",
    ),
    ("#hosts", "qdisc = \"fq\"", "nodes.*.role.host.qdisc"),
    ("#hosts.sender", "qdisc = \"fq\"", "nodes.0.role.host.qdisc"),
    ("#hosts", "offloads = [\"tso\"]", "nodes.*.offloads.tso"),
    (
        "#hosts.sender",
        "shape = { rate = \"10 Mbit/s\", burst = \"1 MB\", latency = \"9 ms\" }",
        "nodes.0.role.host.shape",
    ),
    ("#hosts.sender", "offloads = [\"gso\"]", "nodes.0.offloads.gso"),
    ("#hosts.sender", "offloads = [\"gro\"]", "nodes.0.offloads.gro nodes.0.offloads.interrupts"),
    ("#hosts", "route-mtu = \"1400 B\"", "nodes.*.role.host.route.mtu"),
    ("#hosts.sender", "route-mtu = \"1400 B\"", "nodes.0.role.host.route.mtu"),
    ("#hosts", "initial-cwnd = \"4 packets\"", "nodes.*.role.host.route.initial_cwnd"),
    ("#hosts.sender", "initial-cwnd = \"4 packets\"", "nodes.0.role.host.route.initial_cwnd"),
    ("#hosts", "route-congestion = \"bbr\"", "nodes.*.role.host.route.congestion flows.0.traffic.bulk.tcp.congestion"),
    (
        "#hosts.sender",
        "route-congestion = \"bbr\"",
        "nodes.0.role.host.route.congestion flows.0.traffic.bulk.tcp.congestion",
    ),
    (
        "#hosts",
        "recovery = \"freebsd-default\"",
        "nodes.*.sysctls.3 nodes.*.sysctls.4 nodes.*.sysctls.5 nodes.*.sysctls.6 nodes.*.sysctls.7 nodes.*.sysctls.8",
    ),
    (
        "#hosts.sender",
        "recovery = \"freebsd-rack\"",
        "nodes.0.sysctls.3 nodes.0.sysctls.4 nodes.0.sysctls.5 nodes.0.sysctls.6 nodes.0.sysctls.7",
    ),
    ("#hosts", "rack = false", "nodes.*.sysctls.3"),
    ("#hosts.sender", "rack = false", "nodes.0.sysctls.3"),
    ("#hosts.sender", "tlp = false", "nodes.0.sysctls.3"),
    ("#hosts.sender", "sack = false", "nodes.0.sysctls.3"),
    ("#hosts.sender", "ecn = true", "nodes.0.sysctls.3"),
    ("#hosts.sender", "mtu-probing = true", "nodes.0.sysctls.3"),
    ("#hosts", "input-loss = { every = 100 }", "nodes.*.role.host.input_loss"),
    ("#hosts.receiver", "input-loss = { every = 100 }", "nodes.1.role.host.input_loss"),
    // ---- flows ----
    ("#flows", "name = \"first\"", "flows.0.name"),
    ("#flows", "congestion = \"reno\"", "flows.0.traffic.bulk.tcp.congestion"),
    ("#flows", "start = \"1 s\"", "flows.0.start record.limit"),
    ("#flows", "send-buffer = \"1 MB\"", "flows.0.traffic.bulk.tcp.send_buffer"),
    ("#flows", "receive-buffer = \"1 MB\"", "flows.0.traffic.bulk.tcp.receive_buffer"),
    ("#flows", "mss = \"500 B\"", "flows.0.traffic.bulk.tcp.mss"),
    ("#flows", "on = \"1 s\"\noff = \"1 s\"", "flows.0.traffic.bulk.on_off"),
    ("#flows", "send-rate = \"1 Mbit/s\"", "flows.0.traffic.bulk.send_rate"),
    ("#flows", "read-rate = \"1 Mbit/s\"", "flows.0.traffic.bulk.read_rate"),
    ("#flows", "slow-start-ends = \"1 MB\"", "flows.0.traffic.bulk.slow_start_ends"),
    ("#flows", "omit = \"3 s\"", "flows.0.omit"),
    ("#flows", "direction = \"reverse\"", "flows.0.from flows.0.to"),
    ("#flows", "from = \"receiver\"\nto = \"sender\"", "flows.0.from flows.0.to"),
    ("#flows", "scatter = \"1 s\"", "flows.0.start record.limit"),
    ("#flows", "kind = \"requests\"", "flows.0.traffic.*"),
    ("duration = \"10 s\"", "duration = \"11 s\"", "flows.0.until.duration"),
    ("bytes = \"1 MB\"", "bytes = \"2 MB\"", "flows.1.until.bytes"),
    // ---- the experiment ----
    ("seeds = 1", "seeds = 1\nspread = \"1 s\"", "/repeat.spread flows.*.start record.limit"),
    ("#record", "interval = \"1 ms\"", "record.interval"),
    ("#record", "acks = true", "record.acks"),
    ("#record", "drops = true", "record.drops"),
    ("#record", "limit = \"1 min\"", "record.limit"),
    (
        "[\"2 Gbit/s\", \"3 Gbit/s\"]",
        "[\"2 Gbit/s\", \"4 Gbit/s\"]",
        "/vary.0.values.1 /trials.1.point.0.value /trials.1.scene.nodes.*.role.host.nic",
    ),
    (
        "measure = \"goodput\"\nat-least = \"1 Mbit/s\"",
        "measure = \"queue-mean\"\nat-least = \"1 kB\"",
        "/expect.0.measure /expect.0.at_least",
    ),
    ("at-least = \"1 Mbit/s\"", "at-least = \"2 Mbit/s\"", "/expect.0.at_least"),
    ("#expect", "at-most = \"2 Mbit/s\"", "/expect.0.at_most"),
    ("at-least = \"1 Mbit/s\"", "between = [\"1 Mbit/s\", \"3 Mbit/s\"]", "/expect.0.at_most"),
    ("#expect", "share = \"90 %\"", "/expect.0.share"),
    ("#expect", "where = { \"hosts.nic\" = \"2 Gbit/s\" }", "/expect.0.at.0"),
    ("#expect", "flow = \"flow 1\"", "/expect.0.flow"),
    ("#published", "flow = \"flow 1\"", "/published.0.flow"),
    ("source = \"nobody\"", "source = \"somebody\"", "/published.0.source"),
    ("value = \"1 Mbit/s\"", "value = \"2 Mbit/s\"", "/published.0.value"),
    ("#published", "where = { \"hosts.nic\" = \"3 Gbit/s\" }", "/published.0.at.0"),
];
