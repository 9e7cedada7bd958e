//! Data files of flent 2.1.1 as it wrote them, through 10 Mbit/s and a FIFO of 250 ms; figures are those that flent and
//! netperf print of the same runs.

use evidence::packed::Unpacked;
use evidence::{End, Evidence, Seen, import};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

fn evidence(name: &str) -> Evidence {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/flent").join(name);
    let mut bytes = vec![];
    Unpacked::new(BufReader::new(File::open(path).unwrap())).unwrap().read_to_end(&mut bytes).unwrap();
    let mut evidence = Evidence::default();
    import::read(name, &bytes, &mut evidence);
    evidence
}

#[track_caller]
fn is_near(found: Option<f64>, due: f64, share: f64) {
    assert!(found.is_some_and(|found| (found - due).abs() <= share * due), "{found:?} is not {due}");
}

#[test]
fn an_upload_has_its_rate_its_window_and_the_idle_path() {
    let evidence = evidence("upload.flent.gz");
    assert!(evidence.unread.is_empty(), "{:?}", evidence.unread);
    let [upload] = &evidence.connections[..] else { panic!("{evidence:?}") };
    assert_eq!((upload.seen, upload.name.as_str()), (Seen::Sender, "TCP upload"));
    // flent's own mean; the settings of the host; `TCP_MSS` of netperf.
    is_near(upload.goodput, 9.56e6, 0.03);
    assert_eq!((upload.mss, upload.pmtu), (Some(1448.0), Some(1500.0)));
    assert_eq!(upload.congestion.as_deref(), Some("bbr"));
    let most = |of: fn(&evidence::Point) -> Option<f64>| upload.points.iter().filter_map(of).fold(0.0, f64::max);
    // flent's 99th percentiles: 189.79 ms and 156 packets.
    is_near(Some(most(|point| point.srtt)), 0.18979, 0.02);
    is_near(Some(most(|point| point.cwnd)), 156.0 * 1448.0, 0.02);
    // veth between two namespaces: tens of microseconds until the transfer begins.
    assert!(upload.rtt_base.is_some_and(|rtt| rtt < 1e-3), "{:?}", upload.rtt_base);
    let [ping] = &evidence.pings[..] else { panic!("{:?}", evidence.pings) };
    assert!(ping.rtts.len() > 20 && ping.rtts.iter().all(|rtt| *rtt < 1e-3), "{ping:?}");
    let [host] = &evidence.hosts[..] else { panic!("{:?}", evidence.hosts) };
    assert_eq!(host.end, Some(End::Sender));
    let held = host.settings.iter().find(|setting| setting.key == "net.ipv4.tcp_wmem").unwrap();
    assert_eq!(held.value, "4096 16384 4194304");
}

#[test]
fn a_download_is_seen_by_its_receiver_and_has_the_pings_beside_it() {
    let evidence = evidence("download.flent.gz");
    let [download] = &evidence.connections[..] else { panic!("{evidence:?}") };
    assert_eq!((download.seen, evidence.hosts[0].end), (Seen::Receiver, Some(End::Receiver)));
    is_near(download.goodput, 9.56e6, 0.03);
    let beside = download.points.iter().filter_map(|point| point.srtt).fold(0.0, f64::max);
    is_near(Some(beside), 0.17663, 0.05);
}

/// What an archiver posts is one run: the merged result, and not what each participant counted.
#[test]
fn an_archived_run_of_perfsonar_is_one_connection() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/views/pscheduler-archived.json");
    let mut evidence = Evidence::default();
    import::read("run.json", &std::fs::read(path).unwrap(), &mut evidence);
    assert!(evidence.unread.is_empty() && evidence.listings.is_empty(), "{:?}", evidence.unread);
    let [connection] = &evidence.connections[..] else { panic!("{evidence:?}") };
    assert_eq!((connection.retransmitted, connection.bytes), (Some(974.0), Some(926_940_320.0)));
}
