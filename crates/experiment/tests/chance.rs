//! Whether a trial depends on its seed.

use plan::draws;

fn drawn(path: &str, flow: &str) -> bool {
    let spec = format!(
        "title = 't'\npath = {{ rate = '1 Mbit/s', rtt = '10 ms', buffer = '9 packets'{path} }}\nflows = [{{ duration = '1 s'{flow} }}]"
    );
    let plan = experiment::plan("chance.toml", &spec, &[]).unwrap_or_else(|errors| panic!("{errors}"));
    draws(&plan.trials[0].scene)
}

#[test]
fn plans_that_depend_on_the_seed_are_recognized() {
    for (path, flow) in [
        ("", ""),
        (", loss = { every = 100 }", ""),
        (", loss = '0 %'", ", congestion = 'reno'"),
        (", queue = 'codel'", ""),
        (", police = { rate = '100 kbit/s', burst = '9 kB' }", ", kind = 'requests'"),
        ("", ", kind = 'udp', rate = '10 kbit/s'"),
    ] {
        assert!(!drawn(path, flow), "{path} {flow}");
    }
    for (path, flow) in [
        (", loss = '0.01 %'", ""),
        (", loss = { p = '1 %', r = '10 %' }", ""),
        (", jitter = '1 ms'", ""),
        (", duplicate = '1 %'", ""),
        (", reorder = { share = '1 %', by = '5 ms' }", ""),
        (", queue = 'fq_codel'", ""),
        (", queue = 'pie'", ""),
        (", queue = 'dualpi2'", ""),
        (", changes = [{ at = '1 ms', loss = '1 %' }]", ""),
        ("", ", congestion = 'bbr'"),
        ("", ", congestion = 'mine'"),
    ] {
        assert!(drawn(path, flow), "{path} {flow}");
    }
}
