//! Marks and headers: predictions of arithmetic alone.

use super::{Published, Row, Section, Why};
use crate::formula;
use crate::observe::Ours;

pub fn sections() -> Vec<Section> {
    vec![dctcp(), esp(), tunnels()]
}

const DEEPER: Why = Why {
    text: "the top of the sawtooth is where it should be (95th percentiles), its bottom is deeper than the formula's. After a cut Linux keeps its window for a round trip (CWR), which the formula leaves out; whether it is that was not tried.",
    by: &[],
};

fn dctcp() -> Section {
    /// 1 Gbit/s for 100 us, in frames of 1538 bytes.
    const PIPE: f64 = 1e9 * 100e-6 / 8.0 / 1538.0;
    let row = |what, at, k: f64, flows: f64| {
        Row::new(what, "dctcp-queue", at, Ours::Queue, Published::Is(formula::dctcp_queue(k, flows, PIPE)))
            .because(DEEPER)
    };
    /// Time of a frame, s.
    const FRAME: f64 = 1538.0 * 8.0 / 1e9;
    let top = |what, at, published| {
        Row::new(what, "dctcp-queue", at, Ours::Load("queue-delay-p95"), Published::Is(published)).per(FRAME)
    };
    Section {
        title: "DCTCP's queue",
        source: "Alizadeh et al. 2010 (SIGCOMM), section 3.3, equations 7 to 9: a sawtooth from K + N down by √(2N(C·RTT + K))/2; figure 13 has the same queue at K = 20 and 1 Gbit/s.",
        about: "is 1 Gbit/s and 100 µs, and a port that marks what waited longer than K packets take (codel's ce_threshold); the mean is of the second half of 1 s, the percentile of all of it.",
        unit: "queue, packets",
        rows: vec![
            top("95th percentile: K + N; N = 2, K = 20", &["2", "discipline threshold, above 20 packets"], 22.0),
            top("95th percentile, N = 10, K = 20", &["10", "discipline threshold, above 20 packets"], 30.0),
            top("95th percentile, N = 2, K = 65", &["2", "discipline threshold, above 65 packets"], 67.0),
            top("95th percentile, N = 10, K = 65", &["10", "discipline threshold, above 65 packets"], 75.0),
            row("mean, N = 2, K = 20", &["2", "discipline threshold, above 20 packets"], 20.0, 2.0),
            row("mean, N = 10, K = 20", &["10", "discipline threshold, above 20 packets"], 20.0, 10.0),
            row("mean, N = 2, K = 65", &["2", "discipline threshold, above 65 packets"], 65.0, 2.0),
            row("mean, N = 10, K = 65", &["10", "discipline threshold, above 65 packets"], 65.0, 10.0),
        ],
    }
}

fn esp() -> Section {
    let row = |what, at, published| Row::new(what, "esp-mtu", at, Ours::Load("pmtu"), Published::Is(published));
    let [plain, udp] = [false, true];
    Section {
        title: "ESP",
        source: "RFC 4303, section 2: 8 B of header, IV, padding to whole blocks with 2 B of trailer, ICV, in 20 B of IPv4. AES-GCM RFC 4106, ChaCha20-Poly1305 RFC 7634, AES-CBC RFC 3602, HMAC-SHA1-96 RFC 2404, HMAC-SHA256-128 RFC 4868; in UDP RFC 3948.",
        about: "is a tunnel between two routers; the sender learns its path MTU by ICMP.",
        unit: "path MTU, bytes",
        rows: vec![
            row("AES-GCM, 128 bits", &["aes-gcm-128", "false"], formula::esp(8, 16, 4, plain)),
            row("AES-GCM, 256 bits", &["aes-gcm-256", "false"], formula::esp(8, 16, 4, plain)),
            row("ChaCha20-Poly1305", &["chacha20-poly1305", "false"], formula::esp(8, 16, 4, plain)),
            row("AES-CBC, SHA1", &["aes-cbc-sha1", "false"], formula::esp(16, 12, 16, plain)),
            row("AES-CBC, SHA256", &["aes-cbc-sha256", "false"], formula::esp(16, 16, 16, plain)),
            row("AES-GCM, 128 bits, in UDP", &["aes-gcm-128", "true"], formula::esp(8, 16, 4, udp)),
            row("AES-CBC, SHA1, in UDP", &["aes-cbc-sha1", "true"], formula::esp(16, 12, 16, udp)),
            row("AES-CBC, SHA256, in UDP", &["aes-cbc-sha256", "true"], formula::esp(16, 16, 16, udp)),
        ],
    }
}

fn tunnels() -> Section {
    let row =
        |what, at, headers: f64| Row::new(what, "tunnel-mtu", at, Ours::Load("pmtu"), Published::Is(1500.0 - headers));
    Section {
        title: "Other tunnels",
        source: "GRE RFC 2784: 20 + 4 B. VXLAN RFC 7348: 20 + 8 + 8 + 14 B. WireGuard: Donenfeld 2017 (NDSS), section 5.4: 16 + 16 + 8 B, and 40 B of IPv6, for which wg-quick leaves room over IPv4 as well.",
        about: "is the same.",
        unit: "path MTU, bytes",
        rows: vec![row("GRE", &["gre"], 24.0), row("VXLAN", &["vxlan"], 50.0), row("WireGuard", &["wireguard"], 80.0)],
    }
}
