use super::*;
use crate::formula::Kind;

const CASE: &str = r#"says = "one sentence"

[path]
rate = "1 Gbit/s"
rtt = { value = "200 to 220 ms", origin = "assumed", quote = "across an ocean" }

[[runs]]
name = "slow"
streams = 2
congestion = "cubic"
goodput = "70 Mbit/s"
cwnd = "1.5 to 2.2 MB"
"#;

#[test]
fn a_case_is_read_and_written_as_it_was() {
    let case = read("case.toml", CASE).unwrap();
    assert_eq!(text(&case), CASE);
    let slow = &case.runs[0];
    assert_eq!(case.number(slow, "rtt"), Some(Interval::new(0.2, 0.22)));
    assert_eq!(case.fact(slow, "rtt").unwrap().origin, Origin::Assumed);
    // A figure of one run stands for what repeats print.
    assert_eq!(case.number(slow, "goodput"), Some(Interval::new(59.5e6, 82.6e6)));
    assert_eq!((case.streams(slow), case.count()), (2.0, 2));
}

#[test]
fn the_skeleton_is_a_case() {
    let case = read("skeleton.toml", SKELETON).unwrap();
    assert_eq!(case.runs.len(), 2);
    let all = SKELETON.lines().map(|line| line.trim_start_matches("# "));
    let named = KEYS.iter().filter(|key| all.clone().any(|line| line.contains(&format!("{} = ", key.name))));
    assert!(named.count() > 15, "the skeleton shows most facts");
}

fn errors(text: &str) -> String {
    read("case.toml", text).unwrap_err().to_string()
}

#[test]
fn errors_have_a_place_and_a_way_out() {
    let rate = errors("[path]\nrate = \"150 kX/s\"\n[[runs]]\ngoodput = \"1 Mbit/s\"\n");
    assert!(rate.starts_with("case.toml:2:8: rate \"150 kX/s\" has an unknown unit \"kX/s\""), "{rate}");
    assert!(rate.contains("2 | rate = \"150 kX/s\""), "{rate}");
    let tunnel = errors("[path]\ntunnel = \"wireguard\"\n[[runs]]\ngoodput = \"1 Mbit/s\"\n");
    assert!(tunnel.contains("tunnel \"wireguard\" is neither tcp nor udp") && tunnel.contains("WireGuard"), "{tunnel}");
    let misspelt = errors("[[runs]]\ngodput = \"1 Mbit/s\"\n");
    assert!(
        misspelt.contains("case.toml:2:1: [[runs]] has no fact \"godput\"") && misspelt.contains("write \"goodput\"")
    );
    let elsewhere = errors("[path]\ngoodput = \"1 Mbit/s\"\n[[runs]]\n");
    assert!(elsewhere.contains("goodput is a fact of [[runs]]"), "{elsewhere}");
    let origin = errors("[[runs]]\ngoodput = { value = \"1 Mbit/s\", origin = \"mesured\" }\n");
    assert!(origin.contains("origin \"mesured\" is unknown") && origin.contains("write \"measured\""), "{origin}");
    assert!(errors("[path]\nrtt = \"1 ms\"\n").contains("no run is stated"));
    assert!(errors("rate = \n").contains("not TOML"));
    assert!(errors("[[runs]]\ngoodput = \"9 to 2 Mbit/s\"\n").contains("write \"2 to 9 Mbit/s\""));
    assert!(errors("[[runs]]\nname = \"a\"\n[[runs]]\nname = \"a\"\n").contains("two runs are called \"a\""));
}

/// 64 KiB and 1 MiB of window at 4.5 and 71.7 Mbit/s: 8 x 65536 / 4.5e6 is 117 ms, and so is 8 x 1048576 / 71.7e6.
#[test]
fn one_rtt_fits_all_windows() {
    let text = "[[runs]]\nname = \"a\"\nwindow = \"64 KiB\"\ngoodput = \"4.5 Mbit/s\"\n\
                [[runs]]\nname = \"b\"\nwindow = \"1 MiB\"\ngoodput = \"71.7 Mbit/s\"\n";
    let mut case = read("case.toml", text).unwrap();
    let sentences = derive(&mut case);
    let rtt = case.path.number("rtt").unwrap();
    assert!(rtt.low < 0.117 && rtt.high > 0.117, "{rtt:?}");
    assert_eq!(case.path.numbers["rtt"].origin, Origin::Derived);
    assert!(sentences[0].starts_with("all 2 windows fit one RTT of"), "{sentences:?}");
}

/// 22 MB in 25 s are 7.04 Mbit/s; 101 of 179,972 segments (69.6 Mbit/s for 30 s) are 0.056 %.
#[test]
fn goodput_and_shares_follow_from_counts() {
    let text = "[[runs]]\nname = \"a\"\ntransferred = \"22 MB\"\nduration = \"25 s\"\n\
                [[runs]]\nname = \"b\"\ngoodput = \"69.6 Mbit/s\"\nduration = \"30 s\"\nretransmissions = 101\n";
    let mut case = read("case.toml", text).unwrap();
    derive(&mut case);
    assert!(case.runs[0].facts.number("goodput").unwrap().meets(Interval::exactly(7.04e6)));
    let share = case.runs[1].facts.number("retransmitted").unwrap();
    assert!(share.low < 0.00056 && share.high > 0.00056 && share.high < 0.002, "{share:?}");
}

#[test]
fn contradictions_are_sentences() {
    let text = "[path]\nrate = \"100 Mbit/s\"\nrtt = \"1 ms\"\nmtu = \"1500 B\"\n\
                [[runs]]\nname = \"a\"\ngoodput = \"200 Mbit/s\"\nsrtt = \"299 us\"\nmss = \"1480 B\"\n";
    let all = contradictions(&read("case.toml", text).unwrap());
    assert_eq!(all.len(), 3, "{all:?}");
    assert!(
        all[0].starts_with("a: goodput of 170 to 236 Mbit/s is more than the path's rate of 100 Mbit/s"),
        "{all:?}"
    );
    assert!(all[1].contains("an idle RTT of 1 ms is stated, but srtt shows 254 to 353 us under load"), "{all:?}");
    let consistent = read("case.toml", CASE).unwrap();
    assert_eq!(contradictions(&consistent), Vec::<String>::new());
}

#[test]
fn units_in_json_are_those_of_the_table() {
    let json = as_json(&read("case.toml", CASE).unwrap());
    assert_eq!(json["path"]["rtt"]["unit"], "s");
    assert_eq!(json["path"]["rtt"]["origin"], "assumed");
    assert_eq!(json["runs"][0]["facts"]["cwnd"]["high"], 2.2e6);
    assert_eq!(Key::kind_of("cwnd"), Kind::Size);
}

/// A hand-made listing with two streams: their sum is the run's goodput, and the file and line its origin.
#[test]
fn listings_give_facts_with_their_place() {
    let listing = include_bytes!("../../../../examples/listings/hong-kong-new-york.txt");
    let mut evidence = evidence::Evidence::default();
    evidence::import::read("hk.txt", listing, &mut evidence);
    let case = of_evidence(&evidence);
    assert!(!case.runs.is_empty());
    for run in &case.runs {
        let goodput = &run.facts.numbers["goodput"];
        assert_eq!(goodput.origin, Origin::Measured);
        assert!(goodput.quote.as_ref().unwrap().starts_with("hk.txt:"));
    }
    assert_eq!(read("again.toml", &text(&case)).map(|case| case.runs.len()), Ok(case.runs.len()));
}

/// What the program prints as JSON is the same case to the next command.
#[test]
fn facts_as_json_read_back_as_the_same_case() {
    let case = read("case.toml", CASE).unwrap();
    let mut printed = as_json(&case);
    assert_eq!(from_json(&printed.to_string()), None, "without a schema it is somebody else's file");
    printed["schema"] = "goodput/facts/1".into();
    assert_eq!(from_json(&printed.to_string()), Some(case.clone()));
    let imported = serde_json::json!({ "schema": "goodput/import/2", "cases": [{ "facts": as_json(&case) }] });
    assert_eq!(from_json(&imported.to_string()), Some(case));
    assert_eq!(from_json("{ \"start\": {}"), None);
}

/// Both directions of one iperf3 run have the same two hosts, and another sender.
#[test]
fn both_directions_of_a_run_differ_in_direction_alone() {
    let text = "Connecting to host 10.0.0.2, port 5201\n\
        [  5] local 10.0.0.1 port 34956 connected to 10.0.0.2 port 5201\n\
        [  7] local 10.0.0.1 port 34970 connected to 10.0.0.2 port 5201\n\
        [ ID][Role] Interval           Transfer     Bitrate         Retr  Cwnd\n\
        [  5][TX-C]   0.00-1.00   sec  0.40 MBytes  3.36 Mbits/sec    3   8.74 KBytes\n\
        [  7][RX-C]   0.00-1.00   sec  1.08 GBytes  9.30 Gbits/sec\n\
        [  5][TX-C]   1.00-2.00   sec  0.00 Bytes  0.00 bits/sec    1   8.74 KBytes\n\
        [  7][RX-C]   1.00-2.00   sec  1.12 GBytes  9.65 Gbits/sec\n";
    let mut evidence = evidence::Evidence::default();
    evidence::import::read("both.txt", text.as_bytes(), &mut evidence);
    let case = of_evidence(&evidence);
    let of = |name: &str| case.runs.iter().map(|run| run.facts.label(name).unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(of("ends"), ["10.0.0.1 and 10.0.0.2"; 2]);
    assert_eq!(of("direction"), ["from 10.0.0.1", "from 10.0.0.2"]);
    assert_eq!(case.runs.iter().map(|run| &*run.name).collect::<Vec<_>>(), ["line 1", "line 1 from 10.0.0.2"]);
}

#[test]
fn facts_are_transfers_with_totals() {
    let text = "[path]\nrtt = \"40 ms\"\n[[runs]]\nname = \"fast\"\nkernel = \"FreeBSD 14.2\"\ngoodput = \"90 Mbit/s\"\n\
                [[runs]]\nname = \"slow\"\ngoodput = \"8 Mbit/s\"\nduration = \"10 s\"\nmss = \"1000 B\"\nretransmitted = \"2 %\"\n\
                streams = 4\n[[runs]]\nname = \"datagrams\"\ngoodput = \"1 Mbit/s\"\nlost = \"3 %\"\n";
    let case = read("case.toml", text).unwrap();
    let evidence = as_evidence(&case, "case.toml");
    let [slow] = &evidence.sums[..] else { panic!("one sum: {:?}", evidence.sums) };
    // 8 Mbit/s for 10 s are 10 MB, or 10,000 segments of 1,000 B, of which 2 % are 200.
    assert_eq!(slow.streams, Some(4));
    assert!((slow.bytes.unwrap() - 1e7).abs() < 1e6, "{:?}", slow.bytes);
    assert!((slow.retransmitted.unwrap() - 200.0).abs() < 40.0, "{:?}", slow.retransmitted);
    let [fast] = &evidence.connections[..] else { panic!("one connection") };
    assert_eq!((fast.goodput.unwrap() / 1e6).round(), 90.0);
    assert_eq!(evidence.hosts[0].system, Some(evidence::System::FreeBsd));
}

/// What sysctl printed before a run is the run's congestion control, and -l, or iperf3's 128 KiB, its writes.
#[test]
fn settings_and_writes_before_a_run_are_its_facts() {
    let run = |command: &str| {
        format!(
            "$ {command}\n[ ID] Interval           Transfer     Bitrate         Retr\n\
             [  5]   0.00-10.00  sec  1.25 GBytes  1.07 Gbits/sec    0             sender\n\
             [  5]   0.00-10.00  sec  1.25 GBytes  1.07 Gbits/sec                  receiver\n\n"
        )
    };
    let text = "net.ipv4.tcp_congestion_control = bbr\n".to_owned()
        + &run("iperf3 -c 10.0.0.2 -t 10 -l 1500")
        + "net.ipv4.tcp_congestion_control = cubic\n"
        + &run("iperf3 -c 10.0.0.2 -t 10");
    let mut evidence = evidence::Evidence::default();
    evidence::import::read("x.txt", text.as_bytes(), &mut evidence);
    let case = of_evidence(&evidence);
    let controls: Vec<_> = case.runs.iter().map(|run| run.facts.label("congestion")).collect();
    assert_eq!(controls, [Some("bbr"), Some("cubic")]);
    let writes: Vec<_> = case.runs.iter().map(|run| run.facts.number("write").map(|write| write.middle())).collect();
    assert_eq!(writes, [Some(1500.0), Some(131_072.0)]);
}
