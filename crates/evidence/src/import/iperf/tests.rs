use super::command::{self, Command};
use super::row::{self, Columns, IperfRow};
use super::{json, read, summary};
use crate::fault::Span;
use crate::listing::{Protocol, Reading};
use crate::unit::Wrong;
use proptest::prelude::*;
use serde_json::json;

const TEXT: &str = include_str!("../../../tests/import/two-flows.txt");
const DOCUMENT: &str = include_str!("../../../tests/import/two-flows.json");
const EVENTS: &str = include_str!("../../../tests/import/stream.jsonl");
const PROSE: &str = include_str!("../../../tests/import/ipsec-tunnel-article.txt");
const UDP: &str = include_str!("../../../tests/import/iperf2-udp.txt");

const LISTINGS: [&str; 5] = [TEXT, DOCUMENT, EVENTS, PROSE, UDP];

fn command(line: &str) -> Command {
    command::find(line).unwrap_or_else(|| panic!("{line}"))
}

#[test]
fn a_command_ends_where_its_options_end() {
    for (line, words) in [
        ("$ iperf3 -c host -t 60 -P 10 --congestion cubic", "iperf3 -c host -t 60 -P 10 --congestion cubic"),
        ("I ran `iperf3 -c host -R` and saw:", "iperf3 -c host -R"),
        ("I ran iperf3 -c host -t 30 and saw:", "iperf3 -c host -t 30"),
        ("/usr/bin/iperf3 --client=host|tee log", "iperf3 --client=host"),
        ("receiver: iperf3 -s -p 5201 sender: iperf3 -c ${dst} -VC cubic", "iperf3 -c ${dst} -VC cubic"),
        ("DIMENS=$(iperf -c $4 -w 1M -l 24K -M $i -f K | grep '3\\]')", "iperf -c $4 -w 1M -l 24K -M $i -f K"),
    ] {
        assert_eq!(command(line).words, words);
    }
    for line in ["使用 iperf3 测试专线带宽", "iperf3 -v", "iperf3: error - -c", "xiperf33 -c host", "iperf3"] {
        assert_eq!(command::find(line), None, "{line}");
    }
}

#[test]
fn a_command_says_what_it_asks_for() {
    let seed = command("iperf3 -B ${src} --cport ${port} -c ${dst} -p 5201 -l 1M -t 300 -i 1 -f m -VC ${name}");
    assert_eq!((seed.block, seed.duration, seed.congestion.as_deref()), (Some(1 << 20), Some(300.0), Some("${name}")));
    let joined = command("iperf3 -t60 --set-mss=1400 -uRc host --bidir");
    assert_eq!((joined.duration, joined.mss, joined.protocol), (Some(60.0), Some(1400), Some(Protocol::Udp)));
    assert!(joined.reverse && joined.bidirectional && !joined.server);
    let older = command("iperf -C -c host -t nan -M x");
    assert_eq!((older.congestion, older.duration, older.mss, older.is_iperf2), (None, None, None, true));
}

fn near(reading: Option<Reading>, value: f64, half_width: f64) -> bool {
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs();
    reading.is_some_and(|reading| close(reading.value, value) && close(reading.half_width, half_width))
}

fn parse(line: &str) -> Result<Option<IperfRow>, (Span, Wrong)> {
    row::bracket(line).map_or(Ok(None), |bracket| row::parse(line, &bracket, Columns::default(), false))
}

#[test]
fn a_figure_keeps_the_resolution_with_which_it_was_printed() {
    let row = |line: &str| parse(line).unwrap().unwrap().period;
    let period = row("[  5]   0.00-60.01  sec  32.6 MBytes  4.56 Mbits/sec  2425            sender");
    assert!(near(period.bytes, 32.6 * 1048576.0, 0.05 * 1048576.0) && near(period.rate, 4.56e6, 5e3), "{period:?}");
    assert!(near(Some(period.start), 0.0, 0.0) && near(Some(period.end), 60.01, 0.005), "{period:?}");
    let period = row("[SUM] 1.00-2.00 sec 1.25 GBytes 2120 MBytes/sec");
    assert!(near(period.rate, 2120.0 * 8.0 * 1048576.0, 4.0 * 1048576.0), "{period:?}");
    let period = row("[  5] 0.00-1.00 sec 0.00 Bytes 0.00 bits/sec 3 1.41 KBytes");
    assert!(near(period.bytes, 0.0, 0.005) && near(period.cwnd, 1443.84, 5.12), "{period:?}");
    assert_eq!(period.retransmits, Some(3), "a window follows only a count of retransmits");
    let period = row("[  5] 0.00-1.00 sec 1.25 MBytes -nan bits/sec 7");
    assert_eq!((period.rate, period.retransmits), (None, None), "nothing says what 7 counts");
}

#[test]
fn lines_that_are_no_rows_parse_to_none() {
    for line in [
        "[  5] local 127.0.0.1 port 42288 connected to 127.0.0.1 port 45999",
        "[  5] 0.0-1.0 sec  3 datagrams received out-of-order",
        "[  5] (sender statistics not available)",
        "[x] 0.00-1.00 sec 1 MBytes 8 Mbits/sec",
        "- - - - -",
        "[99999999999]",
        "[",
    ] {
        assert_eq!(parse(line), Ok(None), "{line}");
    }
}

#[test]
fn a_broken_row_says_where() {
    let wrong = |line: &str| -> (String, String) {
        let (span, Wrong { what, .. }) = parse(line).unwrap_err();
        (line[span].to_owned(), what)
    };
    let (at, what) = wrong("[  5] 0.00-1.00 sec 1.25 MBytes 5.24 Mbit/s");
    assert_eq!((at.as_str(), what.as_str()), ("Mbit/s", "Bitrate has the unit \"Mbit/s\""));
    let (at, what) = wrong("[  5] 0.00-1.00 sec -3 MBytes 5.24 Mbits/sec");
    assert_eq!((at.as_str(), what.as_str()), ("-3", "Transfer has the number \"-3\""));
    assert_eq!(wrong("[  5] 3.00-1.00 sec 1 MBytes 1 Mbits/sec").0, "3.00-1.00");
}

#[test]
fn json_values_that_are_no_numbers_are_null() {
    let text = r#"{"start": -nan, "a": [nan, -nan(ind), inf, 1.#IND, 1e999, 01, -2.5e3, true], "b": "nan"} rest"#;
    let scanned = json::scan(text, 0);
    assert_eq!(&text[scanned.end..], " rest");
    let parts = scanned.parts().unwrap();
    assert_eq!(["start", "b"].map(|key| parts.value(key)), [json!(null), json!("nan")]);
    assert_eq!(parts.value("a"), json!([null, null, null, null, null, null, -2500.0, true]));
}

#[test]
fn figures_that_no_machine_prints_are_named_with_their_place() {
    let row = "[  5]   0.00-1.00   sec  9999999999999 GBytes  7 Mbits/sec\n";
    let document = |rate: &str| {
        let interval =
            format!(r#"{{"streams":[{{"socket":5,"start":0,"end":1,"bytes":1000,"bits_per_second":{rate}}}]}}"#);
        format!(r#"{{"start":{{"test_start":{{"protocol":"TCP"}}}},"intervals":[{interval}]}}"#)
    };
    let with = |what: &str, other: &str| document("1").replace(what, other);
    let times = ["1e30", "1e-300"].map(|end| with("\"end\":1", &format!("\"end\":{end}")));
    let counts = with("\"bytes\"", "\"retransmits\":18446744073709551615,\"bytes\"");
    for text in [row, &document("1e308"), &times[0], &times[1], &counts] {
        let said = read("x", format!("-\n{text}").as_bytes()).unwrap_err().to_string();
        assert!(said.starts_with("x:2:1: ") && said.contains("is more than any machine counts"), "{said}");
    }
    assert!(read("x", document("1e12").as_bytes()).is_ok());
}

#[test]
fn streams_that_would_fill_the_memory_are_refused() {
    let runs = "[1]0-1 sec 1 Bytes 1 bits/sec\n".repeat(50_000);
    let said = read("x", runs.as_bytes()).unwrap_err().to_string();
    assert!(said.contains("a file holds at most 20000 streams"), "{said}");
    let streams: String = (0..5000).map(|n| format!("[{n}]0-1 sec 1 Bytes 1 bits/sec\n")).collect();
    let said = read("x", streams.as_bytes()).unwrap_err().to_string();
    assert!(said.contains("has more than 4096 streams"), "{said}");
    let end = r#"{"":0},"#.repeat(200_000);
    let sound = r#"{"streams":[{"socket":1,"start":0,"end":1}]}"#;
    let odd = format!(r#"{{"odd":[{end}0]}}"#);
    let document = |more: &str, end: &str| format!(r#"{{"start":{{}},"intervals":[{sound},{more}],"end":{end}}}"#);
    let event = |name: &str, data: &str| format!("{{\"event\":\"{name}\",\"data\":{data}}}\n");
    let events = [event("start", "{}"), event("interval", sound), event("end", &odd)].concat();
    for text in [document(&odd, "0"), document("{}", &odd), events] {
        let said = read("x", text.as_bytes()).unwrap_err().to_string();
        assert!(said.contains("or a member of JSON beyond 1 MiB; these were not read"), "{said}");
    }
}

#[test]
fn text_is_read_in_the_encodings_that_people_have() {
    let utf16: Vec<u8> = [0xFEFF].into_iter().chain(TEXT.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let mail = TEXT.replace('=', "=3D").replace(".00", "=2E00");
    let mail16: Vec<u8> = [0xFEFF].into_iter().chain(mail.encode_utf16()).flat_map(u16::to_be_bytes).collect();
    let returns = TEXT.replace('\n', "\r");
    let expected = read("x", TEXT.as_bytes()).unwrap();
    for bytes in [utf16, mail.into_bytes(), mail16, returns.into_bytes()] {
        assert_eq!(read("x", &bytes).unwrap(), expected);
    }
}

#[test]
fn a_document_that_was_cut_off_keeps_what_is_whole() {
    let text = r#"{"start":{"a":1},"intervals":[{"streams":[{"b":2},{"b":3,"c":4"#;
    let scanned = json::scan(text, 0);
    let parts = scanned.parts().unwrap();
    assert_eq!(parts.value("start"), json!({"a": 1}));
    assert_eq!(parts.value("intervals"), json!([{"streams": [{"b": 2}, {}]}]));
}

/// Reads, prints the errors, and computes everything; none of it may panic.
fn try_all(bytes: &[u8]) {
    match read("fuzzed", bytes) {
        Err(errors) => assert!(errors.to_string().starts_with("fuzzed:"), "an error has its place"),
        Ok(listings) => {
            assert!(!listings.is_empty());
            for listing in &listings {
                let summary = summary::summary(listing);
                if let Some(index) = summary.flows.and_then(|flows| flows.jain()) {
                    assert!(index.value > 0.0 && index.value < 1.0 + 1e-9, "{index:?}");
                }
                let _ = summary.retransmitted.map(|again| (again.ratio(), again.share()));
                let _ = summary::rate_cap(listing, &listings[0]);
            }
        }
    }
}

#[test]
fn a_listing_that_ends_anywhere_is_read_or_refused() {
    for text in LISTINGS {
        let last = text.len().saturating_sub(4000);
        for end in (0..last).step_by(97).chain(last..text.len()) {
            try_all(&text.as_bytes()[..end]);
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        try_all(&bytes);
    }

    #[test]
    fn any_signs_of_a_listing_are_read_or_refused(text in r#"([\[\]{}":,. \n0-9a-z-]|\[ {2}5\]|0\.00-1\.00 sec|[KM]Bytes|Mbits/sec|sender|"start"|"intervals"|iperf3 -c|nan){0,120}"#) {
        try_all(text.as_bytes());
    }

    #[test]
    fn a_listing_with_changed_bytes_is_read_or_refused(
        which in 0..LISTINGS.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = LISTINGS[which].as_bytes().to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        try_all(&bytes);
        let cut = cut.index(bytes.len());
        bytes.drain(cut..(cut + 40).min(bytes.len()));
        try_all(&bytes);
    }
}

/// Output of iperf 2.1.8 with -e.
#[test]
fn enhanced_iperf2_reports_have_retransmissions_cwnd_and_rtt() {
    let text = "Client connecting to 127.0.0.1, TCP port 5009 with pid 28009 (1 flows)\n\
        [  1] local 127.0.0.1%lo port 59182 connected with 127.0.0.1 port 5009 (sock=3) (icwnd/mss/irtt=319/32741/27)\n\
        [ ID] Interval            Transfer    Bandwidth       Write/Err  Rtry     Cwnd/RTT(var)        NetPwr\n\
        [  1] 0.0000-0.5000 sec  1.13 MBytes  18.9 Mbits/sec  9/0          0     1151K/1728(2960) us  1365\n\
        [  1] 0.5000-1.0000 sec  1.25 MBytes  21.0 Mbits/sec  10/0          3     -1K/259(355) us  10121\n\
        [  1] 0.0000-1.0407 sec  2.38 MBytes  20.4 Mbits/sec  19/0          3     1151K/2606(4994) us  979\n";
    let listings = read("x", text.as_bytes()).unwrap();
    let counts = &listings[0].streams[0].counts;
    let told: Vec<_> =
        counts.intervals.iter().map(|one| (one.retransmits, one.cwnd.map(|c| c.value), one.rtt)).collect();
    assert_eq!(told, [(Some(0), Some(1151.0 * 1024.0), Some(1728e-6)), (Some(3), None, Some(259e-6))]);
    assert_eq!(counts.intervals[0].rttvar, Some(2960e-6));
    assert_eq!(counts.sender.and_then(|total| total.retransmits), Some(3));
}

/// Output of iperf3 3.12 with -d before each row.
#[test]
fn debug_output_tells_the_rtt_of_each_interval() {
    let text = "Connecting to host 127.0.0.1, port 5010\n\
        [  5] local 127.0.0.1 port 35924 connected to 127.0.0.1 port 5010\n\
        sent 131072 bytes of 131072, pending 0, total 131072\n\
        tcpi_snd_cwnd 12 tcpi_snd_mss 1326 tcpi_rtt 2358\n\
        interval_len 1.000027 bytes_transferred 2621440\n\
        [ ID] Interval           Transfer     Bitrate         Retr  Cwnd\n\
        [  5]   0.00-1.00   sec  2.50 MBytes  21.0 Mbits/sec    4    767 KBytes       \n";
    let listings = read("x", text.as_bytes()).unwrap();
    assert_eq!((listings[0].mss, listings[0].streams[0].counts.intervals[0].rtt), (Some(1326), Some(2358e-6)));
}

/// Two totals of iperf 2 in a ticket, with a sentence between them.
#[test]
fn two_totals_with_text_between_are_two_runs() {
    let text = "[ ID] Interval       Transfer     Bandwidth\n\
        [  3]  0.0-10.0 sec   592 MBytes   496 Mbits/sec\n\n\
        and inside a container\n\n\
        [ ID] Interval       Transfer     Bandwidth\n\
        [  3]  0.0-10.1 sec  42.1 MBytes  35.1 Mbits/sec\n";
    let listings = read("x", text.as_bytes()).unwrap();
    let rate =
        |at: usize| listings[at].streams[0].counts.intervals.first().or(listings[at].streams[0].counts.sender.as_ref());
    let rates: Vec<f64> = (0..listings.len()).filter_map(|at| Some(rate(at)?.rate?.value)).collect();
    assert_eq!(rates, [496e6, 35.1e6]);
}

/// esnet/iperf issue 1170 and OpenVPN/tap-windows6 issue 147: what `-V` prints before a run.
#[test]
fn a_verbose_run_tells_version_time_and_target() {
    let text = "iperf 3.10.1\nServer listening on 5201 (test #1)\nTime: Wed, 23 Jun 2021 16:42:50 UTC\n\
        Accepted connection from 10.1.1.70, port 61596\n      Target Bitrate: 600000000\n\
        [  5] local 10.1.1.218 port 5201 connected to 10.1.1.70 port 56804\n\
        [ ID] Interval           Transfer     Bitrate\n[  5]   0.00-1.00   sec  71.1 MBytes   596 Mbits/sec\n";
    let listings = super::read("x", text.as_bytes()).unwrap();
    let [listing] = &listings[..] else { panic!("{listings:?}") };
    assert_eq!((listing.version.as_deref(), listing.threads(), listing.target), (Some("3.10.1"), Some(1), Some(6e8)));
    assert_eq!(listing.clock, Some(1_624_466_570.0));
    let threads = text
        .replace("3.10.1", "3.16")
        .replace("[  5]   0", "[  7]   0.00-1.00   sec  71.1 MBytes   596 Mbits/sec\n[  5]   0");
    assert_eq!(super::read("x", threads.as_bytes()).unwrap()[0].threads(), Some(2));
    assert!(super::read("x", b"iperf 3.10.1 is slow\n").is_err());
}

#[test]
fn a_command_tells_its_window_and_that_nagle_is_off() {
    let row = "[  3]  0.0-10.0 sec  1.10 GBytes   941 Mbits/sec\n";
    let text = format!(
        "$ iperf -c 10.0.0.1 -N -w 208K\nClient connecting to 10.0.0.1, TCP port 5001\n\
         TCP window size:  416 KByte (WARNING: requested  208 KByte)\n{row}"
    );
    let listings = super::read("x", text.as_bytes()).unwrap();
    assert_eq!((listings[0].nodelay, listings[0].asked), (true, Some(208 * 1024)));
    assert_eq!(listings[0].buffers, Some([Some(416 * 1024), None]));
    let failed = super::read("x", b"$ iperf -c 10.0.0.1\nconnect failed: Connection refused\n");
    assert!(failed.unwrap_err().to_string().contains("Connection refused"));
}
