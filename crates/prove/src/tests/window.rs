//! A receive window that the hosts' settings give, and how a paced sender waits for it.

use super::*;

#[test]
fn a_paced_sender_waits_for_its_window_or_its_timer() {
    let waits = |rwnd: f64| Trace { limits: Some(Limits { busy: 1.0, rwnd, sndbuf: 0.0 }), ..trace(20e6, 250.0) };
    // Eight BBR transfers of one path in namespaces, under one window: 0.31 to 0.42; the lab, without jitter: 0.57.
    for seen in [0.313, 0.361, 0.315, 0.326, 0.306, 0.376, 0.383, 0.418] {
        let z = |paced: bool| {
            let fit = distance(&waits(seen), &vec![waits(0.57); 6], &Scale { paced, ..SCALE }).unwrap();
            fit.z.into_iter().find(|(name, _)| name == "time limited by the receive window").unwrap().1.abs()
        };
        assert!(z(true) < 1.5 && z(false) > 2.5, "{} {}", z(true), z(false));
    }
}

#[test]
fn a_window_that_the_receiver_is_known_to_have_is_the_limit() {
    let case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    // 50,000 B of window, as above; the settings of the receiver and the rate of the line are printed.
    let known = Case { rmem: Some(100_000), rate: Some(100e6), ..case };
    let verdict = prove(&known, &request(), &mut Formula { share: 0.5, asked: vec![] }).unwrap();
    let [one] = &verdict.explanations[..] else { panic!("{:?}", verdict.explanations) };
    assert_eq!((one.name.as_str(), &one.candidate.parts), ("receive window", &vec![]));
    let text = page(&verdict, 80);
    assert!(text.contains("Answer: the receive window; larger receive buffer brings "), "{text}");
    assert!(text.contains("Receive window: the receiver's tcp_rmem as it is set."), "{text}");
    // The larger send buffer beside it brings nothing more.
    assert!(!text.contains("larger send buffer +"), "{text}");
    // With twice the window the line limits, and the same settings are no cause.
    let wide = Case { rmem: Some(4_000_000), rate: Some(5e6 / PAYLOAD_SHARE), ..known };
    let verdict = prove(&wide, &request(), &mut Formula { share: 0.5, asked: vec![] }).unwrap();
    assert!(verdict.explanations.iter().all(|one| !one.names("receive window")), "{:?}", verdict.explanations);
}
