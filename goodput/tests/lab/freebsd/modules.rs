//! The modules of FreeBSD's congestion controls (`kernel/cc`) against the real ones, on senders to the same Linux host.

use super::{SECOND, called, record, tree};
use lab::kernel::Entry;

/// Goodput of a module over goodput of the real control, with one segment in `every` lost at 1 Gbit/s.
fn ratio(module: &str, [plain, kernel]: [&Entry; 2], real: &str, rtt: &str, every: u64) -> f64 {
    let path = format!("rate = \"1 Gbit/s\"\nrtt = \"{rtt}\"\nbuffer = \"4 BDP\"\nloss = {{ every = {every} }}");
    let goodput = |kernel: &Entry, stack: &str, congestion: &str| {
        let hosts = format!("[hosts]\nsender.stack = \"{stack}\"");
        let flow = format!("duration = \"60 s\"\ncongestion = \"{congestion}\"");
        record(kernel, &hosts, &path, &flow).unwrap().goodput(15 * SECOND, 60 * SECOND)
    };
    goodput(plain, "linux", module) / goodput(kernel, "freebsd", real)
}

#[test]
fn each_module_is_as_near_as_its_page_says() {
    if tree().is_none() {
        return;
    }
    let (Some(plain), Some(patched)) = (called("freebsd"), called("freebsd-d49540")) else { return };
    for (module, kernel, real) in [
        ("fbsd_newreno", &plain, "newreno"),
        ("fbsd_cubic_pre", &plain, "cubic"),
        ("fbsd_cubic", &patched, "cubic"),
        ("fbsd_htcp", &plain, "htcp"),
    ] {
        for (rtt, every) in [("100 ms", 10_000), ("20 ms", 1_000)] {
            let ratio = ratio(module, [&plain, kernel], real, rtt, every);
            assert!(
                (0.85..=1.18).contains(&ratio),
                "{module} has {ratio} of {real}'s goodput at {rtt}, 1 of {every} lost"
            );
        }
    }
}
