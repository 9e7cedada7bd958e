use super::*;
use crate::facts::read as read_facts;
use std::convert::Infallible;

/// A lab that must not be used.
struct NoLab;

impl Laboratory for NoLab {
    type Error = Infallible;

    fn run(&mut self, trial: &Trial) -> Result<Option<BTreeMap<&'static str, Interval>>, Infallible> {
        panic!("a trial: {}", trial.text)
    }

    fn say(&mut self, _: &str) {}
}

fn case(text: &str) -> Case {
    read_facts("case.toml", text).unwrap()
}

/// A number of one run that physics gives for a cause at a value, and one that it cannot give.
struct Physics {
    template: &'static str,
    /// Facts of path and run.
    path: &'static str,
    run: &'static str,
    parameters: &'static [f64],
    fact: &'static str,
    right: f64,
    wrong: f64,
}

const PHYSICS: &[Physics] = &[
    // iperf(1): UDP is sent at 1 Mbit/s of 1024 x 1024 bits by default, and printed as 1.05 Mbits/sec.
    Physics {
        template: "iperf-default-rate",
        path: "rate = \"1 Gbit/s\"\nrtt = \"1 ms\"",
        run: "datagram = \"1470 B\"",
        parameters: &[1_048_576.0],
        fact: "goodput",
        right: 1.05e6,
        wrong: 2.1e6,
    },
    // RFC 9438, table 1: RTT 0.1 s, p = 1e-4: 187 segments, 21.7 Mbit/s of 1448 B. Ten times that needs another p.
    Physics {
        template: "random-loss",
        path: "rate = \"1 Gbit/s\"\nrtt = \"100 ms\"",
        run: "",
        parameters: &[1e-4],
        fact: "goodput",
        right: 187.0 * 1448.0 * 80.0,
        wrong: 217e6,
    },
    // The same table for Reno: 120 segments.
    Physics {
        template: "random-loss",
        path: "rate = \"1 Gbit/s\"\nrtt = \"100 ms\"",
        run: "congestion = \"reno\"",
        parameters: &[1e-4],
        fact: "goodput",
        right: 120.0 * 1448.0 * 80.0,
        wrong: 217e6,
    },
    Physics {
        template: "random-loss",
        path: "rate = \"1 Gbit/s\"\nrtt = \"100 ms\"",
        run: "",
        parameters: &[0.01],
        fact: "retransmitted",
        right: 0.01,
        wrong: 0.1,
    },
    // An event of 30 packets in 1e5: 21.7 Mbit/s as at p = 1e-4, but 0.3 % sent again.
    Physics {
        template: "burst-loss",
        path: "rate = \"1 Gbit/s\"\nrtt = \"100 ms\"",
        run: "",
        parameters: &[1e-4],
        fact: "retransmitted",
        right: 0.003,
        wrong: 1e-4,
    },
    // RFC 7323, 1.1: a window of 64 KiB at 100 ms is 5.24 Mbit/s.
    Physics {
        template: "receive-window",
        path: "rate = \"1 Gbit/s\"\nrtt = \"100 ms\"",
        run: "",
        parameters: &[65_536.0],
        fact: "goodput",
        right: 5.24e6,
        wrong: 10.5e6,
    },
    Physics {
        template: "send-buffer",
        path: "rate = \"1 Gbit/s\"\nrtt = \"100 ms\"",
        run: "",
        parameters: &[65_536.0],
        fact: "goodput",
        right: 5.24e6,
        wrong: 1e6,
    },
    // 32 KiB asked for, once a round trip of 100 ms: 2.6 Mbit/s.
    Physics {
        template: "credit-window",
        path: "rate = \"1 Gbit/s\"\nrtt = \"100 ms\"",
        run: "",
        parameters: &[32_768.0],
        fact: "goodput",
        right: 2.6e6,
        wrong: 5.3e6,
    },
    Physics {
        template: "slow-reader",
        path: "rate = \"1 Gbit/s\"\nrtt = \"100 ms\"",
        run: "",
        parameters: &[20e6],
        fact: "goodput",
        right: 20e6,
        wrong: 25e6,
    },
    // 1448 of 1538 B: a line of 100 Mbit/s carries 94.1 at most.
    Physics {
        template: "cap-shaper",
        path: "rate = \"1 Gbit/s\"\nrtt = \"10 ms\"",
        run: "",
        parameters: &[100e6, 0.1],
        fact: "goodput",
        right: 94e6,
        wrong: 99e6,
    },
    // A full queue of 100 ms on an idle RTT of 10 ms.
    Physics {
        template: "cap-shaper",
        path: "rate = \"1 Gbit/s\"\nrtt = \"10 ms\"",
        run: "",
        parameters: &[100e6, 0.1],
        fact: "ping",
        right: 0.11,
        wrong: 0.5,
    },
    // UDP at 200 Mbit/s into 100: half is lost.
    Physics {
        template: "cap-shaper",
        path: "rate = \"1 Gbit/s\"\nrtt = \"10 ms\"",
        run: "offered = \"200 Mbit/s\"",
        parameters: &[100e6, 0.1],
        fact: "lost",
        right: 0.5,
        wrong: 0.3,
    },
    Physics {
        template: "cap-at-sender",
        path: "rate = \"1 Gbit/s\"\nrtt = \"10 ms\"",
        run: "",
        parameters: &[100e6],
        fact: "goodput",
        right: 94.1e6,
        wrong: 99e6,
    },
    Physics {
        template: "cap-per-flow",
        path: "rate = \"40 Gbit/s\"\nrtt = \"1 ms\"",
        run: "streams = 4",
        parameters: &[5e9],
        fact: "goodput",
        right: 19.6e9,
        wrong: 5e9,
    },
    // RFC 2697: in 10 s a bucket of 1.25 MB adds 1 Mbit/s to a rate of 10.
    Physics {
        template: "policer",
        path: "rate = \"1 Gbit/s\"\nrtt = \"20 ms\"",
        run: "",
        parameters: &[10e6, 1.25e6],
        fact: "goodput",
        right: 9e6,
        wrong: 12e6,
    },
    // kubernetes-sigs: tbf rate 10 Mbit, burst 256 Mb = 268 MB: 1.99 Gbit/s in the first second, then 10.5 (posting k8s-burst).
    Physics {
        template: "shaper-with-burst",
        path: "rate = \"10 Gbit/s\"\nrtt = \"0.5 ms\"",
        run: "",
        parameters: &[10.5e6, 268e6],
        fact: "early",
        right: 1.99e9,
        wrong: 4e9,
    },
    Physics {
        template: "shaper-with-burst",
        path: "rate = \"10 Gbit/s\"\nrtt = \"0.5 ms\"",
        run: "",
        parameters: &[10.5e6, 268e6],
        fact: "late",
        right: 10.2e6,
        wrong: 40e6,
    },
    Physics {
        template: "overrun-small-buffer",
        path: "rate = \"1 Gbit/s\"\nrtt = \"1 ms\"",
        run: "",
        parameters: &[300e6, 20e3],
        fact: "goodput",
        right: 35e6,
        wrong: 300e6,
    },
    // RFC 2923, 2.1: full-size packets of 1500 B do not pass a hole from 1400 B on; those of 1300 B do.
    Physics {
        template: "mtu-hole",
        path: "rate = \"100 Mbit/s\"\nrtt = \"10 ms\"",
        run: "",
        parameters: &[1400.0],
        fact: "goodput",
        right: 10e3,
        wrong: 50e6,
    },
    Physics {
        template: "mtu-hole",
        path: "rate = \"100 Mbit/s\"\nrtt = \"10 ms\"",
        run: "mss = \"1248 B\"",
        parameters: &[1400.0],
        fact: "goodput",
        right: 90e6,
        wrong: 10e3,
    },
    Physics {
        template: "lengths-one-member",
        path: "rate = \"2 Gbit/s\"\nrtt = \"0.3 ms\"\nbond = \"balance-rr\"\nmtu = \"7200 B\"",
        run: "mss = \"2338 B\"",
        parameters: &[2350.0, 2450.0],
        fact: "goodput",
        right: 1.2e6,
        wrong: 1.5e9,
    },
    Physics {
        template: "lengths",
        path: "rate = \"2 Gbit/s\"\nrtt = \"0.3 ms\"\nmtu = \"7200 B\"",
        run: "mss = \"2338 B\"\nduration = \"10 s\"",
        parameters: &[2350.0, 2450.0],
        fact: "goodput",
        // Twice 1 MB of a socket buffer in 10 s.
        right: 1.6e6,
        wrong: 50e6,
    },
    // A window of one to eight segments of 1448 B in 40 ms: 0.3 to 2.3 Mbit/s.
    Physics {
        template: "merge-forwarding",
        path: "rate = \"100 Mbit/s\"\nrtt = \"40 ms\"",
        run: "",
        parameters: &[1e-4],
        fact: "goodput",
        right: 1.4e6,
        wrong: 92e6,
    },
    Physics {
        template: "merge-forwarding",
        path: "rate = \"100 Mbit/s\"\nrtt = \"40 ms\"",
        run: "",
        parameters: &[1e-4],
        fact: "cwnd",
        right: 2.0 * 1448.0,
        wrong: 64e3,
    },
    // Founding document 001: 4 % dropped behind GRO at 0.7 ms: Reno 599 Mbit/s; 1 % on a line would allow Reno 199.
    Physics {
        template: "receiver-input-loss",
        path: "rate = \"1 Gbit/s\"\nrtt = \"0.7 ms\"",
        run: "congestion = \"reno\"",
        parameters: &[0.04, 1e-4],
        fact: "goodput",
        right: 599e6,
        wrong: 5e6,
    },
    // RFC 9438, 4.2: 0.4 t^3 segments: from 100 kB, after 10 s at most 400 segments more, 679 kB in 100 ms.
    Physics {
        template: "slow-start-ends-early",
        path: "rate = \"1 Gbit/s\"\nrtt = \"100 ms\"",
        run: "duration = \"10 s\"",
        parameters: &[100e3],
        fact: "goodput",
        right: 25e6,
        wrong: 200e6,
    },
    // Three flows beside one: a quarter of 94.1 Mbit/s.
    Physics {
        template: "flows-beside",
        path: "rate = \"100 Mbit/s\"\nrtt = \"20 ms\"",
        run: "",
        parameters: &[3.0],
        fact: "goodput",
        right: 23.5e6,
        wrong: 90e6,
    },
    // Linux TCP_DELACK_MIN: 40 ms; 2500 messages take up to 100 s.
    Physics {
        template: "nagle-delayed-ack",
        path: "rate = \"1 Gbit/s\"\nrtt = \"0.1 ms\"",
        run: "messages = 2500",
        parameters: &[0.04],
        fact: "time",
        right: 100.0,
        wrong: 500.0,
    },
    Physics {
        template: "nagle-delayed-ack",
        path: "rate = \"1 Gbit/s\"\nrtt = \"0.1 ms\"",
        run: "messages = 2500",
        parameters: &[0.04],
        fact: "stall",
        right: 0.04,
        wrong: 0.2,
    },
    // RFC 7323 for the outer connection: 64 KiB at 100 ms.
    Physics {
        template: "tcp-over-tcp",
        path: "rate = \"1 Gbit/s\"\nrtt = \"100 ms\"\ntunnel = \"tcp\"",
        run: "",
        parameters: &[65_536.0],
        fact: "goodput",
        right: 5.24e6,
        wrong: 20e6,
    },
    // Segments of 1448 B that arrive alone, one to eight in 40 ms: 0.3 to 2.3 Mbit/s.
    Physics {
        template: "tso-forwarding",
        path: "rate = \"100 Mbit/s\"\nrtt = \"40 ms\"",
        run: "",
        parameters: &[1e-4],
        fact: "goodput",
        right: 1.4e6,
        wrong: 92e6,
    },
    // Native, Linux 6.18: tbf rate 10mbit burst 5000000: 70.4 Mbit/s in the first second (iperf3), then 9.57 of 1448 in 1514 B.
    Physics {
        template: "shaper-at-sender",
        path: "rate = \"10 Gbit/s\"\nrtt = \"0.1 ms\"",
        run: "duration = \"6 s\"",
        parameters: &[10e6, 5e6],
        fact: "late",
        right: 9.57e6,
        wrong: 12e6,
    },
    Physics {
        template: "shaper-at-sender",
        path: "rate = \"10 Gbit/s\"\nrtt = \"0.1 ms\"",
        run: "duration = \"6 s\"",
        parameters: &[10e6, 5e6],
        fact: "goodput",
        right: 15.8e6,
        wrong: 9e6,
    },
    // RFC 8985, 6.2: RACK waits for what is a little late, so the line is full; at 1 % taken for lost, Reno gets 7 Mbit/s.
    Physics {
        template: "reordering",
        path: "rate = \"1 Gbit/s\"\nrtt = \"20 ms\"",
        run: "",
        parameters: &[0.01, 1e-4],
        fact: "goodput",
        right: 940e6,
        wrong: 300e3,
    },
    Physics {
        template: "reordering",
        path: "rate = \"1 Gbit/s\"\nrtt = \"20 ms\"",
        run: "",
        parameters: &[0.01, 1e-4],
        fact: "retransmitted",
        right: 0.01,
        wrong: 0.1,
    },
    // Timeouts after 0.2, 0.6, 1.4 and 3.0 s, then probes: 7 of 10 s are left, with segments of 1024 B: 64 Mbit/s at most.
    Physics {
        template: "mtu-hole-probed",
        path: "rate = \"100 Mbit/s\"\nrtt = \"10 ms\"",
        run: "",
        parameters: &[1400.0],
        fact: "goodput",
        right: 63e6,
        wrong: 90e6,
    },
    Physics {
        template: "mtu-hole-probed",
        path: "rate = \"100 Mbit/s\"\nrtt = \"10 ms\"",
        run: "",
        parameters: &[1400.0],
        fact: "early",
        right: 10e3,
        wrong: 50e6,
    },
    // RFC 3449, 2.1: 1 Mbit/s carry 1389 ACKs of 90 B a second, each for two segments of 1448 B: 32 Mbit/s.
    Physics {
        template: "ack-path",
        path: "rate = \"100 Mbit/s\"\nrtt = \"20 ms\"",
        run: "",
        parameters: &[1e6],
        fact: "goodput",
        right: 32e6,
        wrong: 8e6,
    },
    // RFC 9406, 1: a window of BDP and buffer, 1.375 MB, is lost once in 117 MB.
    Physics {
        template: "slow-start-overshoots",
        path: "rate = \"100 Mbit/s\"\nrtt = \"100 ms\"",
        run: "duration = \"10 s\"",
        parameters: &[125e3],
        fact: "retransmitted",
        right: 0.0117,
        wrong: 0.3,
    },
    // WireGuard over IPv4: 1368 B of payload in 1538 B on the wire.
    Physics {
        template: "udp-tunnel",
        path: "rate = \"100 Mbit/s\"\nrtt = \"10 ms\"\ntunnel = \"udp\"",
        run: "",
        parameters: &[],
        fact: "goodput",
        right: 88.9e6,
        wrong: 94.1e6,
    },
];

#[test]
fn predictions_hold_what_physics_gives_and_not_what_it_forbids() {
    let (all, line) = (built_in(), template::line());
    for one in PHYSICS {
        let template = all.iter().find(|template| template.name == one.template).unwrap();
        let case = case(&format!("[path]\n{}\n[[runs]]\n{}\n", one.path, one.run));
        let hypothesis = Hypothesis { template, place: vec![], line: &line };
        let point: Vec<Interval> = one.parameters.iter().map(|value| Interval::exactly(*value)).collect();
        let predicted = hypothesis.predict(&case, &case.runs[0], &axes(template, &case), &point)[one.fact];
        let holds = |value: f64| predicted.meets(Interval::exactly(value));
        assert!(holds(one.right), "{} {}: {} is not in {predicted:?}", one.template, one.fact, one.right);
        assert!(!holds(one.wrong), "{} {}: {} is in {predicted:?}", one.template, one.fact, one.wrong);
    }
    let untested: Vec<&str> = all
        .iter()
        .map(|template| template.name.as_str())
        .filter(|name| !PHYSICS.iter().any(|one| one.template == *name))
        .collect();
    assert_eq!(untested, Vec::<&str>::new());
}

/// Every template's experiment is one, at the middle of its ranges, for a TCP run and what it needs.
#[test]
fn experiments_of_templates_are_valid() {
    let line = template::line();
    let facts = "[path]\nrate = \"100 Mbit/s\"\nrtt = \"20 ms\"\nbond = \"balance-rr\"\ntunnel = \"tcp\"\n\
                 [[runs]]\nname = \"a\"\nstreams = 2\nmss = \"1400 B\"\nwindow = \"4 MiB\"\nreceive-max = \"6 MB\"\n\
                 congestion = \"bbr\"\nduration = \"60 s\"\ngoodput = \"8 Mbit/s\"\nping = \"90 ms\"\nloss = \"1 %\"\n\
                 [[runs]]\nname = \"b\"\noffered = \"50 Mbit/s\"\nlost = \"10 %\"\n";
    let case = case(facts);
    let mut rendered = 0;
    for template in built_in().iter().chain([&line]) {
        let hypothesis = Hypothesis { template, place: vec![], line: &line };
        let axes = axes(template, &case);
        let point: Vec<f64> = axes.iter().map(|axis| axis.range.middle()).collect();
        for run in &case.runs {
            let Some(trial) = render::render(&hypothesis, &case, run, &axes, &point) else { continue };
            rendered += 1;
            if let Err(errors) = experiment::plan(&template.name, &trial.text, &[]) {
                panic!("{errors}\n{}", trial.text);
            }
            assert!(!trial.text.contains('$') && trial.cost > 0.0, "{}", trial.text);
        }
    }
    assert!(rendered >= 36, "{rendered}");
}

#[test]
fn wrong_templates_say_where_and_what() {
    let errors = |text: &str| read("mine.toml", text).unwrap_err().to_string();
    let template = "says = \"x\"\n[parameters]\np = { kind = \"share\", from = \"1 %\", to = \"2 %\" }\n[predicts]\n";
    let text = errors(&format!("{template}goodput = \"8 * mms / rtt\"\n"));
    assert!(text.contains("mine.toml:5:16: no name mms") && text.contains("hint: write \"mss\""), "{text}");
    let text = errors(&format!("{template}godput = \"1\"\n"));
    assert!(text.contains("no run states \"godput\"") && text.contains("write \"goodput\""), "{text}");
    let text = errors(&template.replace("share", "part"));
    assert!(text.contains("no kind part"), "{text}");
    let text = errors(&template.replace("\"1 %\"", "\"3 %\""));
    assert!(text.contains("p has no range"), "{text}");
    let text = errors("says = \"x\"\n");
    assert!(text.contains("the template predicts nothing"), "{text}");
    let text = errors(&template.replace("p =", "rtt ="));
    assert!(text.contains("rtt cannot be a name here"), "{text}");
}

#[test]
fn fewer_than_three_numbers_stop_after_arithmetic() {
    let case = case("[path]\nrate = \"1 Gbit/s\"\n[[runs]]\ngoodput = \"35 Mbit/s\"\n");
    let question = Question { templates: built_in(), fixes: vec![], budget: 60.0 };
    let answer = test(&case, &question, Some(&mut NoLab)).unwrap();
    assert!(answer.stopped.as_ref().unwrap().contains("1 of the 3 numbers"), "{:?}", answer.stopped);
    assert!(page(&answer, 80).contains("causes are left, and these numbers cannot tell them apart"));
}

/// 4 MB in place of 64 KiB at 100 ms would be 336 Mbit/s: the line is the limit then, and 10 Gbit/s of it is not.
#[test]
fn a_fix_is_predicted_under_what_is_left() {
    let templates: Vec<Template> = built_in().into_iter().filter(|one| one.name == "random-loss").collect();
    let case = case(
        "[path]\nrate = \"100 Mbit/s\"\nrtt = \"100 ms\"\n[[runs]]\ngoodput = \"5 Mbit/s\"\nretransmitted = \"0.05 to 0.2 %\"\ncongestion = \"cubic\"\n",
    );
    let bbr = crate::facts::setting(crate::facts::Key::find("congestion").unwrap(), "bbr").unwrap();
    let question = Question { templates, fixes: vec![("bbr".into(), bbr)], budget: 0.0 };
    let answer = test::<NoLab>(&case, &question, None).unwrap();
    let [before, after] = answer.fixes[0].by_formula.clone().unwrap();
    assert!(before.ends_with("Mbit/s") && after.contains("94.1 Mbit/s"), "{before} {after}");
}

/// Linux 6.6 measures the share of a buffer that is window: it matters to a window, and 5.15 is before it.
#[test]
fn a_ticket_with_an_older_kernel_hears_what_changed_since() {
    let case = case(
        "[path]\nrate = \"1 Gbit/s\"\nrtt = \"100 ms\"\n[[runs]]\nname = \"a\"\nkernel = \"Linux 5.15.0-91\"\n\
         goodput = \"5 Mbit/s\"\nretransmitted = \"0 %\"\nsrtt = \"100 ms\"\n",
    );
    let question = Question { templates: template::built_in(), fixes: vec![], budget: 0.0 };
    let answer = test::<NoLab>(&case, &question, None).unwrap();
    assert!(answer.kernels.is_empty(), "no trial was run");
    let said = kernels::compared(&case, &answer.causes(), Some("7.3.4"));
    assert!(said[0].starts_with("Linux 5.15 is stated and the lab ran 7.3: since 6.6 the share of a"), "{said:?}");
    assert!(said[0].contains("the lab runs 6.1 and newer"), "{said:?}");
    assert_eq!(kernels::compared(&case, &answer.causes(), Some("5.15.9")), Vec::<String>::new());
}
