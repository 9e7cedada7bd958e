//! `goodput diagnose` on published listings: the first finding of each, and whole pages as `tests/diagnose/NAME.out`.
//! `BLESS=1` records new output; check the figures by hand.

mod any;
mod captures;
mod cases;
mod clouds;
mod flent;
mod kept;
mod marks;
mod native;
mod packed;
mod paste;
mod paths;
mod posts;
mod qlog;
mod real;
mod rules;
mod scale;
mod short;
mod undo;

use analysis::sources;
use diagnosis::diagnose::{self, Confidence, Diagnosis, Given, RULES, Severity, Style};
use diagnosis::remedy::Before;
use evidence::{End, Evidence, import};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const LISTINGS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/listings");
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/diagnose");
const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/diagnose/cases");

/// A published listing, as if it lay in the current folder, with what its author writes about the path.
fn of(name: &str) -> Diagnosis {
    let given = match name {
        "hong-kong-new-york" => Given { rate: Some(1e9), rtt: Some(0.21) },
        "freebsd-cubic-patch" => Given { rate: Some(1e9), rtt: Some(0.04) },
        "lro-jail" => Given { rate: Some(100e6), rtt: None },
        _ => Given::default(),
    };
    told(name, given)
}

/// Diagnosis of a listing, with facts about the path that the user gives.
fn told(name: &str, given: Given) -> Diagnosis {
    let mut evidence = Evidence::default();
    import::read(
        &format!("{name}.txt"),
        &fs::read(Path::new(LISTINGS).join(format!("{name}.txt"))).unwrap(),
        &mut evidence,
    );
    import::join(&mut evidence);
    diagnose::diagnose(&evidence, given)
}

#[track_caller]
fn says(diagnosis: &Diagnosis, rule: &str, severity: Severity, words: &[&str]) {
    let finding = diagnosis.findings.iter().find(|finding| {
        finding.rule == rule && finding.severity == severity && words.iter().all(|word| finding.says.contains(word))
    });
    assert!(finding.is_some(), "{:#?}", diagnosis.findings.iter().map(|f| (f.rule, &f.says)).collect::<Vec<_>>());
}

#[test]
fn ipsec_tunnel_is_a_rate_cap_and_its_route_fits_every_cipher() {
    let found = of("ipsec-tunnel");
    assert_eq!(found.top().map(|top| (top.rule, top.confidence)), Some(("rate-cap", Confidence::High)));
    says(&found, "rate-cap", Severity::Problem, &["48.7 Mbit/s", "No difference in throughput"]);
    says(&found, "tunnel-mtu", Severity::Note, &["10.4.0.0/16", "MTU of 1400 (MSS 1360)", "1406"]);
    says(&found, "few-samples", Severity::Note, &["cannot show which is better"]);
}

#[test]
fn freebsd_cubic_patch_is_read_into_tables() {
    let mut evidence = Evidence::default();
    import::read("x", &fs::read(Path::new(LISTINGS).join("freebsd-cubic-patch.txt")).unwrap(), &mut evidence);
    let rows: Vec<usize> = evidence.tables.iter().map(|table| table.rows.len()).collect();
    assert_eq!(rows[..2], [5, 8]);
    let loss = &evidence.tables[1];
    assert!(loss.columns.iter().any(|head| head == "3% loss rate"), "{:?}", loss.columns);
    assert!(loss.rows[0].contains(&"53.1 Mbits/sec".to_owned()), "{:?}", loss.rows[0]);
    let found = of("freebsd-cubic-patch");
    says(&found, "timeouts", Severity::Problem, &["by a factor of 33.6 to 37.9", "freebsd"]);
}

/// The page's own RACK rows, calculated by hand: 552, 515, 462 against 854, 814, 814 Mbit/s at 1 %, 185, 181, 163
/// against 53.1, 45.1, 40.4 at 3 %; at 2 % they overlap.
#[test]
fn rack_is_proposed_with_what_the_same_table_has_of_it() {
    let proposes = |text: &str| {
        let mut evidence = Evidence::default();
        import::read("x", text.as_bytes(), &mut evidence);
        let found = diagnose::diagnose(&evidence, Given::default());
        let timeouts = found.findings.iter().find(|finding| finding.rule == "timeouts").unwrap().clone();
        let figure =
            timeouts.figures.iter().find(|figure| figure.name == "RACK in the same table").map(|f| f.value.clone());
        let commands: Vec<String> = timeouts.remedies.iter().flat_map(|remedy| remedy.steps().now).collect();
        (figure, commands.iter().any(|command| command.ends_with("functions_default=rack")))
    };
    let text = fs::read_to_string(Path::new(LISTINGS).join("freebsd-cubic-patch.txt")).unwrap();
    let said = "slower at 1.00 % (462 to 552 Mbit/s, not 814 to 854 Mbit/s), faster from 3.00 % on (163 to 185 Mbit/s, not 40.4 \
                to 53.1 Mbit/s)";
    assert_eq!(proposes(&text), (Some(said.into()), true));

    let faster = [("353 Mbits", "22.9 Mbits"), ("337 Mbits", "21.5 Mbits"), ("281 Mbits", "20 Mbits")];
    let later = [
        ("185 M", "19 M"),
        ("181 M", "18 M"),
        ("163 M", "17 M"),
        ("130 M", "16 M"),
        ("127 M", "15 M"),
        ("118 M", "14 M"),
    ];
    let slow = faster.iter().chain(&later).fold(text.clone(), |text, (had, has)| text.replacen(had, has, 1));
    let said = "slower at 4.00 % (14.0 to 16.0 Mbit/s, not 21.5 to 24.2 Mbit/s)";
    assert_eq!(proposes(&slow), (Some(said.into()), false));

    let (before, after) = (
        text.find("CUBIC in freebsd RACK stack |\nbefore patch |\n552").unwrap(),
        text.find("CUBIC in Linux |\nkernel 6.8.0 |\n665").unwrap(),
    );
    assert_eq!(proposes(&format!("{}{}", &text[..before], &text[after..])), (None, true));
}

/// What the loop in the document writes, by the figures of its author: 214478 and 150 KB/s, at 2300 to 2400 bytes.
const LOOP: &str = "2200 214478\n2250 214478\n2300 150\n2350 150\n2400 150\n2450 214478\n2500 214478\n";

#[test]
fn mss_sweep_is_a_length_fault() {
    let alone = of("mss-sweep");
    assert_eq!(alone.top(), None, "its results are in a sentence");
    says(&alone, "reordering", Severity::Note, &["round-robin bond"]);
    let mut evidence = Evidence::default();
    import::read("mss-sweep.txt", &fs::read(Path::new(LISTINGS).join("mss-sweep.txt")).unwrap(), &mut evidence);
    import::read("test-mtu-Kbytes-HOST-iteration-1", LOOP.as_bytes(), &mut evidence);
    let found = diagnose::diagnose(&evidence, Given::default());
    assert_eq!(found.top().map(|top| top.rule), Some("packet-length"));
    says(&found, "packet-length", Severity::Problem, &["2300 to 2400 bytes", "1430 times"]);
    let bond = found.findings.iter().find(|finding| finding.rule == "reordering").unwrap();
    assert_eq!(bond.follows, Some("packet-length"));
}

#[test]
fn hong_kong_new_york_is_bound_by_losses_then_receive_window() {
    let found = of("hong-kong-new-york");
    assert_eq!(found.top().map(|top| top.rule), Some("loss-response"));
    says(
        &found,
        "loss-response",
        Severity::Problem,
        &["3 to 13 loss events in 179,590", "210 ms RTT cap CUBIC at 23.0 to 69.0 Mbit/s", "measured 69.3 Mbit/s"],
    );
    says(
        &found,
        "receiver-window",
        Severity::Problem,
        &["3.15 MB / 210 ms = 120 Mbit/s at most", "measured 102 Mbit/s"],
    );
    says(&found, "sysctl-units", Severity::Note, &["16.0 MiB, 341 MiB and 16.0 GiB"]);
}

#[test]
fn lro_jail_is_a_host_that_merges_what_it_bridges() {
    let found = of("lro-jail");
    assert_eq!(found.top().map(|top| top.rule), Some("offload-forwarding"));
    says(&found, "offload-forwarding", Severity::Problem, &["1.40 Mbit/s", "91.8 Mbit/s", "65.6 times"]);
    let commands: Vec<String> = found.top().unwrap().remedies.iter().flat_map(|remedy| remedy.steps().now).collect();
    assert_eq!(commands.last().map(String::as_str), Some("ifconfig DEVICE -lro -tso4 -tso6 -vlanhwtso"));
    says(&found, "void-setting", Severity::Note, &["mssdflt = 1220"]);
}

#[test]
fn pages_are_as_they_were_checked() {
    let mut wrong = vec![];
    for name in ["ipsec-tunnel", "freebsd-cubic-patch", "mss-sweep", "hong-kong-new-york", "lro-jail"] {
        for (verbose, ending) in [(false, "out"), (true, "verbose.out")] {
            let page = diagnose::page(&of(name), Style { verbose, ..Style::default() });
            let path = Path::new(FOLDER).join(format!("{name}.{ending}"));
            if fs::read_to_string(&path).ok().as_ref() != Some(&page) {
                wrong.push(path.display().to_string());
                if std::env::var_os("BLESS").is_some() {
                    fs::write(&path, page).unwrap();
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "BLESS=1 writes what is found");
}

#[test]
fn the_guide_shows_a_page_as_it_is() {
    let guide = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/how-to/diagnose.md")).unwrap();
    let page = fs::read_to_string(Path::new(FOLDER).join("hong-kong-new-york.out")).unwrap();
    assert!(guide.contains(&format!("```text\n{page}```")), "docs/how-to/diagnose.md has another page than\n{page}");
}

/// A page of 80 columns that is read without a scroll.
#[test]
fn a_short_page_fits_a_terminal() {
    let listings = ["ipsec-tunnel", "freebsd-cubic-patch", "mss-sweep", "hong-kong-new-york", "lro-jail"].map(of);
    let cases = cases::cases().map(|case| diagnose::diagnose(&(case.evidence)(), case.given));
    for diagnosis in listings.into_iter().chain(cases) {
        let page = diagnose::page(&diagnosis, Style::default());
        assert!(page.lines().count() <= 24, "{} lines:\n{page}", page.lines().count());
        // A command is not broken within its quotes.
        let wide = |line: &&str| line.chars().count() > 80 && !line.contains('\'');
        assert_eq!(page.lines().find(wide), None, "{page}");
    }
}

/// Every line fits a terminal, except those of files that remedies write.
#[test]
fn a_rule_explained_fits_a_terminal() {
    for rule in RULES.iter() {
        let page = diagnose::explain(rule, 80);
        let wide = |line: &&str| line.chars().count() > 80 && !line.ends_with("# goodput");
        assert_eq!(page.lines().find(wide), None, "{page}");
    }
}

#[test]
fn nothing_read_is_said_with_what_to_bring() {
    let found = diagnose::diagnose(&Evidence::default(), Given::default());
    assert_eq!(found.findings, []);
    assert!(found.blind.iter().any(|blind| blind.ask.contains("ss -tin")), "{:?}", found.blind);
    assert!(diagnose::page(&found, Style::default()).starts_with("Nothing to diagnose."));
}

/// A rate alone does not show whether a transfer is slow, so goodput asks first for the facts that decide it.
#[test]
fn without_a_rate_the_first_question_is_the_rate() {
    let evidence = cases::read(&["sixty-seven.txt"]);
    let found = diagnose::diagnose(&evidence, Given::default());
    assert_eq!(found.speed.as_ref().map(|speed| speed.slow), Some(None));
    let asked: Vec<&str> = found.blind.iter().map(|blind| blind.ask).collect();
    assert_eq!(asked[..2], ["--rate 1Gbit/s", "ping -c 10 HOST"]);
    let page = diagnose::page(&found, Style::default());
    assert!(page.starts_with("Is 66.8 Mbit/s slow? goodput does not know the link rate: pass it"), "{page}");
    assert!(!page.contains("Not slow"), "{page}");
    let gigabit = Given { rate: Some(1e9), rtt: None };
    let slow = diagnose::diagnose(&evidence, gigabit);
    assert_eq!(slow.speed.as_ref().map(|speed| speed.slow), Some(Some(true)));
    assert!(
        diagnose::page(&slow, Style::default()).starts_with("Slow: 66.8 Mbit/s is 6.68 % of the 1.00 Gbit/s link.")
    );
}

/// A rate above the given link rate and an RTT below the measured one are impossible.
#[test]
fn contradictions_with_given_rate_or_rtt_come_first() {
    let mut evidence = cases::read(&["../../../../examples/listings/hong-kong-new-york.txt"]);
    let ping = "PING US_NY_VM_01 (10.0.0.2) 56(84) bytes of data.\n\
                64 bytes from 10.0.0.2: icmp_seq=1 ttl=64 time=210 ms\n64 bytes from 10.0.0.2: icmp_seq=2 ttl=64 time=210 ms\n";
    import::read("ping.txt", ping.as_bytes(), &mut evidence);
    let read = |given| diagnose::diagnose(&evidence, given);
    let told = |given| read(given).conflicts;
    assert_eq!(told(Given { rate: Some(1e9), rtt: Some(0.21) }), Vec::<String>::new());
    assert_eq!(told(Given::default()), Vec::<String>::new());
    let slow = told(Given { rate: Some(40e6), rtt: None });
    assert!(
        slow[0].starts_with("102 Mbit/s arrived (") && slow[0].contains("the link should carry at most 40.0 Mbit/s"),
        "{slow:?}"
    );
    let near = told(Given { rate: None, rtt: Some(0.005) });
    assert!(near[0].starts_with("--rtt gives 5.00 ms, but the evidence 210 ms (ping, "), "{near:?}");
    let page = diagnose::page(&read(Given { rate: Some(40e6), rtt: Some(0.005) }), Style::default());
    assert!(page.starts_with("Contradiction: 102 Mbit/s arrived"), "{page}");
    assert_eq!(page.matches("Contradiction: ").count(), 2, "{page}");
}

/// Ten connections of iperf3 without intervals, 24,159 of some 276,000 segments sent again (358 MB of 1448 bytes, and those).
#[test]
fn retransmissions_are_reported_if_no_cause_is_found() {
    let page = diagnose::page(&of("rate-cap-cubic"), Style::default());
    assert!(
        page.contains("Seen: 8.") && page.contains(" % of the segments are sent again on 10 connections"),
        "{page}"
    );
    assert!(page.contains("To decide: repeat with -P 1: "), "{page}");
}

/// Written at once, then nothing, without a retransmission: the shape of esnet/iperf issue 970.
#[test]
fn a_stalled_transfer_without_retransmissions_lost_nothing() {
    let row =
        |second: u32, sent: &str| format!("[  4]   {second}.00-{}.00   sec  {sent}    0   33.9 KBytes\n", second + 1);
    let mut text = "[ ID] Interval           Transfer     Bandwidth       Retr  Cwnd\n".to_owned();
    text += &row(0, "32.5 MBytes   272 Mbits/sec");
    text.extend((1..10).map(|second| row(second, "0.00 Bytes  0.00 bits/sec")));
    let mut evidence = Evidence::default();
    import::read("stands.txt", text.as_bytes(), &mut evidence);
    let page = diagnose::page(&diagnose::diagnose(&evidence, Given::default()), Style::default());
    assert!(page.contains("Seen: Nothing arrives for 9.00 s and nothing is sent again meanwhile."), "{page}");
}

/// AES-GCM in UDP leaves 1438 bytes of 1500, by arithmetic; here something takes 50 more, as pings show.
#[test]
fn pings_through_a_tunnel_say_more_than_its_arithmetic() {
    const XFRM: &str = "src 198.51.100.1 dst 203.0.113.9\n\tproto esp spi 0xc1a2b3c4 reqid 1 mode tunnel\n\
        \treplay-window 0 flag af-unspec\n\taead rfc4106(gcm(aes)) 0x0102030405060708090a0b0c0d0e0f1011121314 128\n\
        \tencap type espinudp sport 4500 dport 4500 addr 0.0.0.0\n";
    let ping = |payload: u32, answered: u32| {
        format!(
            "root@app1:~# ping -c 4 -M do -s {payload} 10.20.0.5\nPING 10.20.0.5 (10.20.0.5) {payload}({}) bytes of data.\n\n\
             --- 10.20.0.5 ping statistics ---\n4 packets transmitted, {answered} received, {}% packet loss, time 3070ms\n",
            payload + 28,
            100 - 25 * answered
        )
    };
    let row = |second: u32, sent: &str| format!("[  5]   {second}.00-{}.00   sec  {sent}   1.41 KBytes\n", second + 1);
    let mut iperf = "[ ID] Interval           Transfer     Bitrate         Retr  Cwnd\n".to_owned();
    iperf += &row(0, "84.8 KBytes   695 Kbits/sec    2");
    iperf.extend((1..10).map(|second| row(second, &format!("0.00 Bytes  0.00 bits/sec    {}", second % 2))));
    let page = |pings: &str| {
        let mut evidence = Evidence::default();
        for text in [XFRM, &iperf, pings] {
            import::read("ticket.txt", text.as_bytes(), &mut evidence);
        }
        diagnose::page(&diagnose::diagnose(&evidence, Given::default()), Style::default())
    };
    let told = page(&(ping(1410, 0) + &ping(1360, 4)));
    assert!(told.contains("pings of 1438 bytes vanish and 1388") && told.contains("=1388"), "{told}");
    let larger = page(&(ping(1472, 0) + &ping(1360, 4)));
    assert!(larger.contains("=1438") && !larger.contains("pings of"), "{larger}");
}

/// The jail gets 1.40 Mbit/s, its host 91.8: the page describes the speed of the slow transfer.
#[test]
fn the_speed_is_that_of_the_transfer_that_is_slow() {
    let page = diagnose::page(&of("lro-jail"), Style { verbose: true, ..Style::default() });
    assert!(!page.contains("Not slow") && page.contains("1.40 Mbit/s is 1.40 % of the 100 Mbit/s link"), "{page}");
}

/// ethtool reports 1 Gbit/s, so 934 Mbit/s is not slow. A lower rate leaves that open.
#[test]
fn the_speed_of_an_interface_bounds_the_link() {
    let mut evidence = cases::read(&["gigabit.txt"]);
    let found = diagnose::diagnose(&evidence, Given::default());
    assert_eq!(found.speed.as_ref().map(|speed| speed.slow), Some(Some(false)));
    assert!(diagnose::page(&found, Style::default()).starts_with("Not slow: 934 Mbit/s is 93.4 %"), "{found:?}");
    evidence.connections[0].goodput = Some(67e6);
    let slower = diagnose::diagnose(&evidence, Given::default());
    assert_eq!(slower.speed.as_ref().map(|speed| speed.slow), Some(None));
    assert_eq!(slower.blind.first().map(|blind| blind.need), Some(diagnose::Need::LinkRate));
}

#[test]
fn rules_name_rules_and_say_all_that_explain_prints() {
    let names: BTreeSet<&str> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!(names.len(), RULES.len());
    for rule in RULES {
        let others = rule.explains.iter().chain(rule.alike.iter().map(|(other, _)| other));
        let unknown: Vec<_> = others.filter(|other| !names.contains(*other)).collect();
        assert!(unknown.is_empty(), "{}: {unknown:?}", rule.name);
        assert!(!rule.explains.contains(&rule.name), "{} explains itself", rule.name);
        let told = !(rule.thresholds)().is_empty() && !rule.confirm.is_empty() && !rule.source.is_empty();
        assert!(told && !rule.confidence.is_empty(), "{}", rule.name);
        let remedies = (rule.remedies)(&Default::default()).len();
        let explained = diagnose::explain(rule, 80);
        let fixed = explained.split("  Fix, for").nth(1).is_some_and(|fix| fix.lines().count() > remedies);
        assert_eq!(fixed, remedies > 0, "{explained}");
        assert_eq!(explained.contains("Ranking: "), rule.assumed > 0.0, "{explained}");
    }
}

/// No findings explain each other in a circle: of two rules that each explain the other the first one in the table does.
#[test]
fn findings_follow_from_others_and_never_back() {
    let at = |name: &str| RULES.iter().position(|rule| rule.name == name).unwrap();
    let explains = |a: usize, b: usize| {
        RULES[a].explains.contains(&RULES[b].name) && (a < b || !RULES[b].explains.contains(&RULES[a].name))
    };
    let mut left: BTreeSet<usize> = RULES.iter().map(|rule| at(rule.name)).collect();
    while let Some(root) = left.iter().copied().find(|b| !left.iter().any(|a| explains(*a, *b))) {
        left.remove(&root);
    }
    let circle: Vec<&str> = left.iter().map(|rule| RULES[*rule].name).collect();
    assert_eq!(circle, Vec::<&str>::new());
}

#[test]
fn an_unreadable_file_is_an_error_that_names_it() {
    let missing = sources::evidence(&[PathBuf::from("/nowhere/at/all.txt")]).err().unwrap().to_string();
    assert!(missing.starts_with("/nowhere/at/all.txt: "), "{missing}");
}

/// The receiver's tcp_rmem gives the measured window and the sender's is the default. The receiver's window limits the
/// flow, so its file is named, and only a file from the receiver gives the value before.
#[test]
fn settings_are_of_the_end_that_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let ss = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/diagnose/real/rmem-0.ss");
    let listing = std::fs::read_to_string(ss).unwrap();
    let screens: String = listing.lines().filter(|line| !line.starts_with("net.")).map(|l| format!("{l}\n")).collect();
    let ss = file("ss.txt", &screens);
    let window: f64 = {
        let found = sources::evidence(std::slice::from_ref(&ss)).unwrap();
        found[0].found.connections.iter().filter_map(|c| Some(c.window?.largest)).fold(0.0, f64::max)
    };
    let small = format!("net.ipv4.tcp_rmem = 4096 16384 {}\n", 2.0 * window);
    let (small, usual) = (file("a.txt", &small), file("b.txt", "net.ipv4.tcp_rmem = 4096 131072 33554432\n"));
    let before = |receiver: &PathBuf, sender: &PathBuf| {
        let ends = [(End::Receiver, receiver.clone()), (End::Sender, sender.clone())];
        let found = sources::evidence_with(std::slice::from_ref(&ss), &ends).unwrap();
        let diagnosis = diagnose::diagnose(&found[0].found, Given::default());
        let top = diagnosis.top().cloned().unwrap();
        assert_eq!(top.rule, "receiver-window");
        let sysctls = top.remedies.iter().filter(|remedy| remedy.key() == Some("net.ipv4.tcp_rmem"));
        sysctls.filter_map(|remedy| remedy.before.clone()).next()
    };
    let Some(Before::Setting(held)) = before(&small, &usual) else { panic!("no setting") };
    assert_eq!((&*held.key, held.value), ("net.ipv4.tcp_rmem", format!("4096 16384 {}", 2.0 * window)));
    // A receiver whose buffer may grow this far runs a program that asked for less.
    assert_eq!(before(&usual, &small), None);
}
