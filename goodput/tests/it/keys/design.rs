//! Keys of comparisons, repetitions and searches.

use super::Row;

pub const GRID: &str = r#"
title = "Test"
[path]
rate   = "100 Mbit/s"
rtt    = "50 ms"
buffer = "100 packets"
[[flows]]
duration = "10 s"
[vary]
"flows.congestion" = ["cubic", "bbr"]
"path.loss" = ["0 %", "1 %"]
[repeat]
seeds = 10
until = { interval = "2 %" }
[compare]
#compare
"#;

pub const KEYS_OF_GRID: &[Row] = &[
    ("#compare", "over = \"path.loss\"", "/compare.over /compare.against"),
    ("#compare", "over = \"flows.congestion\"\nagainst = \"bbr\"", "/compare.against"),
    ("#compare", "measures = [\"jain\", \"rtt-p95\"]", "/compare.measures.*"),
    ("#compare", "margin = \"3 %\"", "/compare.margin"),
    ("#compare", "flow = \"flow 0\"", "/compare.flows"),
    ("interval = \"2 %\"", "interval = \"3 %\"", "/repeat.until.interval"),
    ("interval = \"2 %\"", "interval = \"2 %\", at-most = 30", "/repeat.until.at_most"),
    ("interval = \"2 %\"", "interval = \"2 %\", measure = \"jain\"", "/repeat.until.measure"),
    ("until = { interval = \"2 %\" }", "", "/repeat.until"),
];

pub const SEARCH: &str = r#"
title = "Test"
[path]
rate   = "100 Mbit/s"
rtt    = "50 ms"
buffer = "100 packets"
[[flows]]
duration = "10 s"
[search]
key        = "flows.mss"
from       = "600 B"
to         = "1400 B"
resolution = "10 B"
find       = "cliff"
#search
[compare]
#compare
"#;

pub const KEYS_OF_SEARCH: &[Row] = &[
    (
        "key        = \"flows.mss\"",
        "key = \"path.mtu\"",
        "/search.key /vary.0.key /trials.*.point.0.key flows.0.traffic.bulk.tcp.mss links.0.mtu",
    ),
    (
        "from       = \"600 B\"",
        "from = \"605 B\"",
        "/search.ladder.first /search.ladder.last /vary.0.values.* /trials.*.point.0.value flows.0.traffic.bulk.tcp.mss /trials.80",
    ),
    ("to         = \"1400 B\"", "to = \"1390 B\"", "/search.ladder.last /vary.0.values.80 /trials.80"),
    (
        "resolution = \"10 B\"",
        "resolution = \"20 B\"",
        "/search.ladder.step /search.ladder.last /vary.0.values.* /trials.*.point.0.value flows.0.traffic.bulk.tcp.mss /trials.*",
    ),
    (
        "find       = \"cliff\"",
        "find = \"maximum\"",
        "/search.find /vary.0.values.* /trials.*.point.0.value flows.0.traffic.bulk.tcp.mss /trials.*",
    ),
    (
        "find       = \"cliff\"",
        "find = \"threshold\"\nat-least = \"1 Mbit/s\"\nat-most = \"2 Mbit/s\"",
        "/search.find.* /vary.0.values.* /trials.*.point.0.value flows.0.traffic.bulk.tcp.mss /trials.*",
    ),
    (
        "#search",
        "width = \"20 B\"",
        "/search.find.cliff.width /vary.0.values.* /trials.*.point.0.value flows.0.traffic.bulk.tcp.mss /trials.*",
    ),
    ("#search", "fall = \"20 %\"", "/search.find.cliff.fall"),
    ("#search", "measure = \"jain\"", "/search.measure"),
    ("#search", "points = 99", "/search.at_most"),
];
