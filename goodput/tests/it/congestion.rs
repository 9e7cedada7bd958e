//! The arithmetic of FreeBSD's congestion controls (`kernel/cc/freebsd.h`) against the formulas that it implements.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Payload of a full segment, bytes, and with its timestamp option.
const MSS: i64 = 1448;
const MAXSEG: i64 = 1460;

/// The header, compiled for a rate of ticks.
struct Arithmetic {
    folder: tempfile::TempDir,
}

impl Arithmetic {
    /// Arithmetic at FreeBSD's default clock, 1000 ticks/s.
    fn new() -> Arithmetic {
        Arithmetic::at(1000)
    }

    /// Whatever C leaves undefined ends the program.
    fn at(hz: u32) -> Arithmetic {
        let folder = tempfile::tempdir().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernel/cc/tests/freebsd.c");
        let output = Command::new("gcc")
            .args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror"])
            .args(["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"])
            .arg(format!("-DFREEBSD_HZ={hz}"))
            .arg("-o")
            .arg(folder.path().join("freebsd"))
            .arg(source)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Arithmetic { folder }
    }

    /// The values of a function for each list of its arguments.
    fn all<const N: usize>(&self, function: &str, arguments: impl IntoIterator<Item = [i64; N]>) -> Vec<i64> {
        let line = |arguments: [i64; N]| {
            let given = arguments.into_iter().chain([0; 4]).take(4);
            let words: Vec<String> = given.map(|number| number.to_string()).collect();
            format!("{function} {}\n", words.join(" "))
        };
        let input: String = arguments.into_iter().map(line).collect();
        let mut program = Command::new(self.folder.path().join("freebsd"));
        let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let lines = input.lines().count();
        let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).unwrap());
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert!(output.status.success(), "{function}: {}", output.status);
        let values: Vec<i64> =
            String::from_utf8(output.stdout).unwrap().lines().map(|value| value.parse().unwrap()).collect();
        assert_eq!(values.len(), lines);
        values
    }

    fn one<const N: usize>(&self, function: &str, arguments: [i64; N]) -> i64 {
        self.all(function, [arguments])[0]
    }
}

/// Relative error of a value.
fn error(value: f64, exact: f64) -> f64 {
    (value / exact - 1.0).abs()
}

#[test]
fn the_cube_root_is_within_two_and_a_half_percent() {
    let cubes: Vec<i64> =
        (5..40).flat_map(|bits| [1 << bits, (1 << bits) + (1 << (bits - 2)), (2 << bits) - 1]).collect();
    for (cube, root) in cubes.iter().zip(Arithmetic::new().all("cube_root", cubes.iter().map(|&cube| [cube]))) {
        let exact = (*cube as f64 / 256.0).cbrt();
        assert!(error(root as f64 / 256.0, exact) < 0.025, "{cube}/256: {root}/256 for {exact}");
    }
}

#[test]
fn k_by_hand() {
    let arithmetic = Arithmetic::new();
    // 1000 * 77 * 256 / 102 = 193254; four eighths of it are 47; 50 + 98 - 4 = 144, doubled four times: 9.0 s for 9.09.
    assert_eq!(arithmetic.one("cubic_k_pre", [1000]), 2304);
    // 300 * 65536 / 102 = 192752: the same eighths.
    assert_eq!(arithmetic.one("cubic_k", [1000, 700]), 2304);
    assert_eq!(arithmetic.one("cubic_k", [700, 700]), 0);
    assert_eq!(arithmetic.one("cubic_k", [699, 700]), 0);
    // From W_max to 0.7 of it, as RFC 9438's figure 2 has it.
    for (w_max, k) in (1..300).map(|n| n * 97).zip(arithmetic.all("cubic_k_pre", (1..300).map(|n| [n * 97]))) {
        assert!(error(k as f64 / 256.0, (w_max as f64 * 0.3 / 0.4).cbrt()) < 0.03, "{w_max}: {k}");
    }
}

#[test]
fn k_wraps_at_65536_segments() {
    let arithmetic = Arithmetic::new();
    assert!(error(arithmetic.one("cubic_k", [65_535, 0]) as f64 / 256.0, (65_535.0 / 0.4_f64).cbrt()) < 0.025);
    assert_eq!(arithmetic.one("cubic_k", [65_536, 0]), arithmetic.one("cube_root", [0]));
    // With W_max = UINT_MAX, as a connection has it before its first loss, 2966165 segments are 2966165 - 45 * 65536 = 17045.
    let k = arithmetic.one("cubic_k", [i64::from(u32::MAX) / MSS, 0]);
    assert_eq!(k, arithmetic.one("cubic_k", [17_045, 0]));
}

#[test]
fn the_cubic_window_is_w_max_and_whole_segments() {
    let arithmetic = Arithmetic::new();
    let (w_max, k) = (3_539 * MSS, 14 * 256);
    let seconds = |s: i64| arithmetic.one("cubic_window", [s * 1_000_000, w_max, MSS, k]) - w_max;
    assert_eq!(seconds(14), 0);
    assert_eq!(seconds(15), 0, "C is 0.398 segments, rounded down");
    assert_eq!(seconds(16), 3 * MSS, "0.398 * 8 = 3.19");
    assert_eq!(seconds(13), -MSS, "-0.398, rounded down");
    assert_eq!(seconds(4), -399 * MSS, "-398.4");
    for ms in (0..60_000).step_by(377) {
        let steps = (ms as f64 * 0.256).floor() - 14.0 * 256.0;
        // Towards zero, as C divides: a step less before K.
        let steps = if steps < 0.0 && (ms * 256) % 1000 != 0 { steps + 1.0 } else { steps };
        let exact = (steps.powi(3) * 102.0 / 2f64.powi(32)).floor() as i64 * MSS + w_max;
        assert_eq!(arithmetic.one("cubic_window", [ms * 1000, w_max, MSS, k]), exact.max(0), "{ms} ms");
    }
}

#[test]
fn the_cubic_window_ends_where_its_cube_would() {
    let arithmetic = Arithmetic::new();
    // 448845/256 = 1753.3 s.
    let after = |s: i64| arithmetic.one("cubic_window", [s * 1_000_000, 0, 1, 0]);
    assert!(error(after(1753) as f64, 0.3984 * 1753f64.powi(3)) < 0.001);
    assert_eq!(after(1754), i64::from(i32::MAX));
    assert_eq!(arithmetic.one("cubic_window", [0, 1_000_000, MSS, 448_846]), 0);
    assert_eq!(arithmetic.one("cubic_window", [0, 1_000_000, MSS, 256 * 100]), 0, "never below 0");
}

#[test]
fn before_the_patch_an_epoch_begins_at_seven_tenths() {
    let arithmetic = Arithmetic::new();
    for segments in [100, 1_240, 3_539, 20_000, 100_000] {
        let w_max = segments * MAXSEG;
        let k = arithmetic.one("cubic_k_pre", [segments]);
        let begins = arithmetic.one("cubic_window", [0, w_max, MAXSEG, k]) as f64 / w_max as f64;
        // Thrice the error of K, of 0.3.
        assert!((begins - 0.7).abs() < 3.0 * 0.025 * 0.3 + 1.0 / segments as f64, "{segments}: {begins}");
    }
}

#[test]
fn before_the_patch_the_reno_estimate_grows_with_time() {
    let arithmetic = Arithmetic::new();
    let estimate =
        |t_ms: i64, rtt_us: i64| arithmetic.one("cubic_reno_pre", [t_ms * 1000, rtt_us, 1000 * MAXSEG, MAXSEG]);
    assert_eq!(estimate(0, 40_000), 1000 * MAXSEG * 179 / 256);
    for (t_ms, rtt_us) in [(400, 40_000), (1, 312), (10, 312), (30_000, 600), (60_000, 200_000)] {
        let exact = MAXSEG as f64 * (1000.0 * 0.69922 + 0.53103 * (t_ms * 1000) as f64 / rtt_us as f64);
        assert!(error(estimate(t_ms, rtt_us) as f64, exact) < 1e-4, "{t_ms} ms");
    }
    // 435 times a mean round trip from 4.94 s on is negative in 32 bits: the increase vanishes.
    assert!(estimate(60_000, 4_900_000) > estimate(0, 4_900_000) + 6 * MAXSEG);
    assert_eq!(estimate(60_000, 4_940_000), estimate(0, 4_940_000));
    assert_eq!(estimate(1000, 0), estimate(0, 1), "no round trip, no increase");
}

#[test]
fn after_the_patch_an_ack_adds_256ths_of_a_segment() {
    let arithmetic = Arithmetic::new();
    let step = |cwnd: i64, target: i64| arithmetic.one("cubic_step", [cwnd, target, MSS]);
    let cwnd = 5_000_000;
    assert_eq!(step(cwnd, cwnd + 19_531), 0, "nothing while the way is less than 1/256 of the window");
    assert_eq!(step(cwnd, cwnd + 19_532), 5, "1448/256 = 5.66");
    assert_eq!(step(cwnd, cwnd + 2 * 19_532), 11);
    assert_eq!(step(cwnd, cwnd - 1), 0);
    assert_eq!(step(cwnd, 2 * cwnd), MSS / 2, "at most half of the window a round trip");
    assert_eq!(step(0, 10), 0);
    for percent in 1..50 {
        let exact = (percent * 256 / 100 * MSS) >> 8;
        assert_eq!(step(100_000, 100_000 + 1000 * percent), exact);
    }
}

#[test]
fn after_the_patch_32_bits_wrap() {
    let arithmetic = Arithmetic::new();
    let cwnd = 1 << 26;
    assert_eq!(arithmetic.one("cubic_step", [cwnd, cwnd + (1 << 24) - 1, MSS]), 63 * MSS / 256);
    assert_eq!(arithmetic.one("cubic_step", [cwnd, cwnd + (1 << 24), MSS]), 0);
    // 179 * 23994230 is just below 2^32.
    assert_eq!(arithmetic.one("cubic_ssthresh", [23_994_230]), 16_777_215);
    assert_eq!(arithmetic.one("cubic_ssthresh", [23_994_231]), 0);
    assert_eq!(arithmetic.one("cubic_ssthresh", [5_000_000]), 3_496_093);
}

#[test]
fn loss_arithmetic_gives_the_expected_windows() {
    let arithmetic = Arithmetic::new();
    assert_eq!(arithmetic.one("cubic_w_max", [5_000_000, 5_000_000]), 5_000_000);
    assert_eq!(arithmetic.one("cubic_w_max", [5_000_000, 5_000_001]), 4_238_281, "fast convergence: 217/256");
    assert_eq!(arithmetic.one("share", [4_000_000_000, 179]), 2_796_875_000, "in 64 bits");
    assert_eq!(arithmetic.one("newreno_decrease", [10 * MSS, MSS]), 5 * MSS);
    assert_eq!(arithmetic.one("newreno_decrease", [11 * MSS + 700, MSS]), 5 * MSS, "whole segments");
    assert_eq!(arithmetic.one("newreno_decrease", [MSS, MSS]), 2 * MSS);
    assert_eq!(arithmetic.one("timeout_ssthresh", [100 * MSS, 50 * MSS, 179, MSS]), 34 * MSS, "0.699 * 50 = 34.96");
    assert_eq!(arithmetic.one("timeout_ssthresh", [20 * MSS, 50 * MSS, 128, MSS]), 10 * MSS);
    assert_eq!(arithmetic.one("timeout_ssthresh", [0, 0, 179, MSS]), 2 * MSS);
    assert_eq!(arithmetic.one("refill", [7 * MSS, MSS]), 8 * MSS);
    assert_eq!(arithmetic.one("refill", [0, MSS]), 2 * MSS);
}

#[test]
fn bytes_are_counted_as_rfc_3465_says() {
    let arithmetic = Arithmetic::new();
    assert_eq!(arithmetic.one("slow_start", [MSS, MSS, 0]), MSS);
    assert_eq!(arithmetic.one("slow_start", [45 * MSS, MSS, 0]), 2 * MSS, "L = 2");
    assert_eq!(arithmetic.one("slow_start", [45 * MSS, MSS, 1]), MSS, "after a timeout L = 1");
    assert_eq!(arithmetic.one("slow_start", [100, MSS, 0]), 100);
    // Left-over bytes are carried to the next ACK; -1 - n means a full window and n bytes left over.
    assert_eq!(arithmetic.one("abc_full", [9 * MSS, MSS - 1, 10 * MSS]), 10 * MSS - 1);
    assert_eq!(arithmetic.one("abc_full", [9 * MSS, 3 * MSS, 10 * MSS]), -1 - 2 * MSS);
}

#[test]
fn round_trips_are_taken_in_ticks() {
    for hz in [1000, 100] {
        let arithmetic = Arithmetic::at(hz);
        let ticks = |rtt: i64| arithmetic.all("rtt_ticks", (0..1000).map(|n| [1_000_000_000 + n * 1_017, rtt]));
        let mean = |rtt| ticks(rtt).iter().sum::<i64>() as f64 / 1000.0;
        if hz == 1000 {
            assert!(ticks(600).iter().all(|ticks| [0, 1].contains(ticks)));
            assert!((mean(600) - 0.6).abs() < 0.01 && (mean(40_300) - 40.3).abs() < 0.01, "the mean is right");
        } else {
            assert!(ticks(9_000).iter().all(|&ticks| ticks == 0), "and a tick of 10 ms is rounded down");
            assert!((mean(41_000) - 4.0).abs() < 0.01);
        }
        let srtt = |ticks: i64| (0..200).fold(0, |srtt, _| arithmetic.one("srtt_next", [srtt, ticks]));
        let us = |ticks: i64| arithmetic.one("srtt_us", [srtt(ticks)]);
        let tick = 1_000_000 / i64::from(hz);
        // Missing eighths are rounded down, so up to 7/32 of a tick remain.
        assert!((0..=tick * 7 / 32).contains(&(us(41) - 41 * tick)), "{}", us(41));
        assert!(us(0) <= tick * 7 / 32 && us(0) > 0, "and never 0");
    }
    assert_eq!(Arithmetic::new().one("srtt_next", [0, 41]), 42 * 32, "the first counts a tick more");
}

#[test]
fn an_epoch_of_more_than_2147_s_is_dragged_along() {
    let arithmetic = Arithmetic::new();
    let age = |now: i64, epoch: i64| arithmetic.one("epoch_age", [now, epoch]);
    assert_eq!(age(41, 1), 40_000);
    assert_eq!(age(5, i64::from(u32::MAX) - 4), 10_000, "ticks wrap");
    assert_eq!(age(2_147_483, 0), 2_147_483_000);
    assert_eq!(age(2_147_484, 0), i64::from(i32::MAX));
    assert_eq!(arithmetic.one("epoch_age", [2_147_484, 0, 1]), (1_i64 << 32) + 2_147_484 - i64::from(i32::MAX));
}

#[test]
fn h_tcp_increases_by_its_quadratic() {
    for hz in [100, 1000] {
        let arithmetic = Arithmetic::at(hz);
        let hz = i64::from(hz);
        let alpha = |ticks: i64| arithmetic.one("htcp_alpha", [ticks, 7]);
        assert_eq!([alpha(0), alpha(hz), alpha(hz + 1)], [1, 1, 1], "the first second is NewReno's");
        assert_eq!([alpha(2 * hz), alpha(3 * hz), alpha(5 * hz)], [11, 22, 45], "1 + 10 d + (d/2)^2");
        for seconds in 2..60 {
            let d = seconds as f64 + 0.7 - 1.0;
            let value = alpha(seconds * hz + hz * 7 / 10) as f64;
            // One factor of the square is in whole seconds, the other in quarters of a second.
            let exact = 1.0 + 10.0 * d + d.floor() * (4.0 * d).floor() / 16.0;
            assert!((exact - 1.1..=exact).contains(&value), "{seconds} s: {value} for {exact}");
        }
        assert_eq!(alpha(hz + i64::from(i32::MAX) / 160), 7, "it rests before it would overflow");
    }
}
