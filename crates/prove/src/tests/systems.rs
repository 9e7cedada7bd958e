//! Ends that run FreeBSD: their own names of settings, their congestion controls, their commands.

use super::*;

/// FreeBSD's settings at the sender, whose output the transfer is.
const SENDER: &str = "FreeBSD 14.2-RELEASE\nkern.ipc.maxsockbuf: 2097152\nnet.inet.tcp.sendbuf_max: 2097152\n";

fn case(settings: &str) -> Case {
    let listing = settings.to_owned() + PING + &iperf3(&[5.0; 10]);
    Case::from_evidence(&read(&[("x", &listing)]), NOTHING).unwrap()
}

fn experiment(case: &Case, base: &Candidate) -> String {
    let cases = [("fitted".to_owned(), base.keys())];
    let (title, question) = ("A transfer".to_owned(), String::new());
    let nothing = Candidate::of_cases();
    let design = Design {
        case,
        title,
        question,
        base: &nothing,
        axis: "candidate",
        cases: &cases,
        seeds: 1,
        first: 1,
        predicted: vec![],
        beside: Beside::Nothing,
    };
    design.text()
}

#[test]
fn a_freebsd_sender_has_its_own_settings_and_default_control() {
    let case = case(SENDER);
    assert_eq!([case.systems.sender, case.systems.receiver], [System::FreeBsd, System::Linux]);
    // CUBIC is FreeBSD's default since 14.0, NewReno before; autotuning takes 8/9 of maxsockbuf at most.
    assert_eq!((case.congestion.as_str(), case.wmem), ("cubic", Some(1_864_135)));
    let older = self::case(&SENDER.replace("14.2", "13.2"));
    assert_eq!(older.congestion, "reno");
    let text = experiment(&older, &Candidate::line(20e6, 100.0).with(Mechanism::ReceiveWindow, &[512_000.0]));
    for line in [
        "kernel   = \"freebsd\"",
        "[hosts.sender]\nstack = \"freebsd\"",
        "sysctl.\"net.inet.tcp.sendbuf_max\" = 1864135",
        "congestion = \"newreno\"",
        "\"hosts.receiver.sysctl.net.ipv4.tcp_rmem\" = \"4096 131072 512000\"",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(!text.contains("tcp_wmem"), "{text}");
    let said = case.notes.join(" ");
    assert!(said.contains("The receiver's system is not known: in the lab it runs Linux."), "{said}");
}

#[test]
fn a_freebsd_receiver_has_the_window_of_linux_s_buffer() {
    let receiver = "FreeBSD 13.2-RELEASE\nnet.inet.tcp.recvbuf_max: 65536\n";
    let own = PING.to_owned() + &iperf3(&[5.0; 10]);
    let evidence = read(&[("x", &own), ("y", receiver)]);
    let case = Case::from_evidence(&evidence, NOTHING).unwrap();
    assert_eq!([case.systems.sender, case.systems.receiver], [System::Linux, System::FreeBsd]);
    let text = experiment(&case, &Candidate::line(20e6, 100.0));
    assert!(text.contains("sysctl.\"net.inet.tcp.recvbuf_max\" = 65536\n"), "{text}");
    assert!(
        text.contains("congestion = \"cubic\"") && text.contains("[hosts.receiver]\nstack = \"freebsd\""),
        "{text}"
    );
    // 316 kB of Linux's buffer are a window of 158/256 of it: 195,031 B, and the first buffer stays FreeBSD's.
    let text = experiment(&case, &Candidate::line(20e6, 100.0).with(Mechanism::ReceiveWindow, &[316_000.0]));
    let own = "\"hosts.receiver.sysctl.net.inet.tcp.recvbuf_max\" = 195031\n\"hosts.receiver.sysctl.net.inet.tcp.recvspace\" = 65536\n";
    assert!(text.contains(own), "{text}");
}

#[test]
fn changes_of_a_freebsd_sender_are_freebsd_s() {
    let case = case(&SENDER.replace("14.2", "13.2"));
    let all = proposals(&case, &[], &[ChangePlace::Sender, ChangePlace::Path]);
    let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["cubic", "bbr", "rack", "larger send buffer"]);
    assert!(all.iter().flat_map(|one| &one.remedies).all(|one| one.system() == Some(System::FreeBsd)));
    let keys = |name: &str| {
        let one = all.iter().find(|one| one.name == name).unwrap();
        case.systems.keys(&one.keys).unwrap().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(keys("rack"), ["\"hosts.sender.sysctl.net.inet.tcp.functions_default\" = \"rack\""]);
    assert!(keys("bbr").contains(&"\"hosts.sender.sysctl.net.inet.tcp.functions_default\" = \"bbr\"".to_owned()));
    // The lab ends slow start of Linux alone.
    let excluded = Clues::from_case(&case).excluded();
    let why = excluded.iter().find(|one| one.kind == Mechanism::EarlyExit).map(|one| one.why.as_str());
    assert_eq!(why, Some("the lab ends slow start of Linux alone"));
    let asked = case.systems.in_own_names("`sysctl net.ipv4.tcp_wmem` on the sender");
    assert_eq!(asked, "`sysctl net.inet.tcp.sendbuf_max kern.ipc.maxsockbuf` on the sender");
    assert_eq!(case.platform(End::Sender).map(|one| one.system), Some(System::FreeBsd));
}

#[test]
fn a_setting_that_allows_the_window_is_not_raised() {
    let case = case(SENDER);
    let larger = |case: &Case| {
        let all = proposals(case, &[], &[ChangePlace::Receiver]);
        all.iter().any(|one| one.name == "larger receive buffer")
    };
    assert!(larger(&case));
    // 4 MiB are a window of 2.6 MB, more than twice the BDP of 5 Mbit/s and 80 ms can ask for.
    assert!(!larger(&Case { rmem: Some(4 << 20), ..case }));
}
