use super::path::{B, B6, Lan, has_iperf3, is_possible};
use analysis::sources;
use evidence::{Connection, Evidence, Source};
use std::fs;
use std::process::Output;

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// A probe from `a` to `b` for some time, with more options.
fn probe(lan: &Lan, out: &str, options: &[&str]) -> Output {
    let (host, out) = (format!("netns:{}", lan.hosts[2]), lan.at(out));
    lan.goodput(&[&["probe", &host, "--out", out.to_str().unwrap(), "--time"], options].concat())
}

/// The same over ssh, as an ordinary user of `b`.
fn over_ssh(lan: &Lan, out: &str, options: &[&str]) -> Output {
    let (config, out, host) = (lan.at("config"), lan.at(out), format!("plain@{B}"));
    let fixed =
        ["probe", &host, "--ssh-config", config.to_str().unwrap(), "--time", "2s", "--out", out.to_str().unwrap()];
    lan.goodput(&[&fixed[..], options].concat())
}

fn read(lan: &Lan, out: &str) -> Vec<Evidence> {
    let folder = lan.at(out);
    sources::evidence(&[folder]).unwrap().into_iter().map(|source| source.found).collect()
}

fn of(evidence: &Evidence, source: Source) -> &Connection {
    let mut found = evidence.connections.iter().filter(|connection| connection.source == source);
    found.next().unwrap_or_else(|| panic!("{:?}", evidence.connections))
}

/// TCP payload rate behind a TBF of 20 Mbit/s, bit/s: frames of 1514 bytes carry 1448 bytes of data.
const RATE: f64 = 20e6 * 1448.0 / 1514.0;

#[test]
fn a_probe_finds_the_rate_of_each_direction_and_leaves_nothing() {
    if !is_possible() {
        return;
    }
    let lan = Lan::new();
    // Room for the largest packets that TSO makes.
    lan.sh(1, "tc qdisc add dev right root tbf rate 20mbit burst 16k limit 200k");
    lan.sh(1, "tc qdisc add dev left root tbf rate 10mbit burst 16k limit 200k");
    let printed = probe(&lan, "p", &["2s", "--rate", "20Mbit/s"]);
    assert!(printed.status.success(), "{}", text(&printed));
    let found = read(&lan, "p");
    assert_eq!(found.len(), 2);
    for (evidence, rate) in found.iter().zip([RATE, RATE / 2.0]) {
        let (listed, watched) = (of(evidence, Source::Iperf3), of(evidence, Source::Ss));
        for seen in [listed, watched] {
            let goodput = seen.goodput.unwrap();
            assert!((goodput / rate - 1.0).abs() < 0.08, "{goodput} and not {rate}: {seen:?}");
        }
        // Every 10 ms for two seconds, on a machine that may be busy.
        assert!(watched.points.len() > 50, "{}", watched.points.len());
        assert_eq!(watched.mss, Some(1448.0));
        assert!(evidence.unread.is_empty(), "{:?}", evidence.unread);
        assert_eq!(evidence.hosts.iter().filter(|host| host.end.is_some()).count(), 2);
        assert!(evidence.pings.iter().any(|ping| ping.answered == Some(20)), "{:?}", evidence.pings);
    }
    let json = lan.goodput(&["diagnose", lan.at("p:download").to_str().unwrap(), "--json"]);
    assert!(json.status.success(), "{}", text(&json));
    // A probe's rate varies if other programs use the processors: one correct result of three is enough.
    let is_told = |folder: &str| {
        assert!(folder == "p" || probe(&lan, folder, &["2s", "--rate", "20Mbit/s"]).status.success());
        ["upload", "download"].iter().all(|direction| names_the_shaper(&lan, &format!("{folder}:{direction}")))
    };
    assert!(["p", "q", "r"].into_iter().any(is_told), "no probe of three names the shaper");
    left_nothing(&lan);
}

/// Whether the queue counts as the connection's own and the shaper is named as the limit, whatever the link rate given.
fn names_the_shaper(lan: &Lan, direction: &str) -> bool {
    let page = text(&lan.goodput(&["diagnose", lan.at(direction).to_str().unwrap(), "--rate", "100Mbit/s"]));
    let is_own = !page.contains("(cross-traffic");
    is_own && (page.contains("(rate-cap") || page.contains("a slower link is on the path"))
}

/// Neither files nor processes nor sockets that listen.
fn left_nothing(lan: &Lan) {
    let lock = "ls -d /run/goodput/field-$(readlink /proc/self/ns/net | tr -cd 0-9).lock 2>/dev/null || true";
    assert_eq!(lan.sh(2, lock), "");
    assert!(!lan.sh(2, "ss -Htln").contains(":5201 "));
}

#[test]
fn the_path_mtu_is_found_with_icmp_and_without() {
    if !is_possible() {
        return;
    }
    let lan = Lan::new();
    lan.sh(1, "ip link set right mtu 1400");
    lan.sh(2, "ip link set eth0 mtu 1400; sysctl -qw net.ipv4.tcp_mtu_probing=0");
    let printed = probe(&lan, "with", &["1s"]);
    assert!(printed.status.success(), "{}", text(&printed));
    let told = |out: &str| fs::read_to_string(lan.at(out).join("mtu-from.txt")).unwrap();
    assert!(told("with").contains("the path MTU to 10.91.2.2 is 1400"), "{}", told("with"));
    assert!(told("with").contains("mtu"), "{}", told("with"));
    lan.sh(0, "ip route flush cache");
    lan.sh(
        1,
        "nft add table ip t; nft add chain ip t out '{ type filter hook output priority 0; }'; \
               nft add rule ip t out icmp type destination-unreachable drop",
    );
    let printed = probe(&lan, "without", &["1s"]);
    let page = text(&printed);
    assert!(told("without").contains("the path MTU to 10.91.2.2 is 1400"), "{}", told("without"));
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(page.contains("MTU black hole: packets of 1400 bytes get through, those of 1401 bytes vanish"), "{page}");
}

#[test]
fn a_probe_goes_over_ipv6_and_between_two_other_hosts() {
    if !is_possible() {
        return;
    }
    let lan = Lan::new();
    lan.sh(1, "tc qdisc add dev right root tbf rate 20mbit burst 16k limit 60k");
    let [a, _, b] = &lan.hosts;
    let out = lan.at("six");
    let printed = lan.goodput(&[
        "probe",
        &format!("netns:{b}"),
        "--from",
        &format!("netns:{a}"),
        "--address",
        B6,
        "--time",
        "2s",
        "--out",
        out.to_str().unwrap(),
    ]);
    assert!(printed.status.success(), "{}", text(&printed));
    let found = read(&lan, "six");
    let goodput = of(&found[0], Source::Iperf3).goodput.unwrap();
    assert!((goodput / (20e6 * 1428.0 / 1514.0) - 1.0).abs() < 0.08, "{goodput}");
}

#[test]
fn obstacles_to_a_probe_are_named_before_the_transfer() {
    if !is_possible() {
        return;
    }
    let lan = Lan::new();
    lan.sh(
        2,
        "nft add table inet f; nft add chain inet f in '{ type filter hook input priority 0; }'; \
               nft add rule inet f in tcp dport 5201 drop",
    );
    let said = text(&probe(&lan, "filtered", &["1s"]));
    assert!(said.contains("TCP port 5201 is filtered"), "{said}");
    assert!(!lan.at("filtered").exists());
    // Another program answers at the address, as a proxy would.
    let stranger = lan.within(|| std::net::TcpListener::bind("10.91.1.1:5303").unwrap());
    let accepting = std::thread::spawn(move || drop(stranger.accept()));
    let said = text(&probe(&lan, "proxied", &["2s", "--address", "10.91.1.1", "--port", "5303"]));
    assert!(said.contains("localhost does not reach 10.91.1.1:5303: another program answers there"), "{said}");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("--from netns:NAME") && said.contains(&format!("netns:{}", lan.hosts[0])), "{said}");
    accepting.join().unwrap();
    lan.sh(0, "ip route add unreachable 10.91.2.9");
    let said = text(&probe(&lan, "routed", &["2s", "--address", "10.91.2.9"]));
    assert!(said.contains("there is no route to 10.91.2.9"), "{said}");
    assert!(said.contains("accept") || said.contains("ACCEPT"), "{said}");
    let said = text(&over_ssh(&lan, "taken", &["--port", "2222"]));
    assert!(said.contains("TCP port 2222 is another program's") && said.contains("--port 2223"), "{said}");
    let shell = lan.within(|| lan.shell("plain"));
    let lock = shell.lock().unwrap();
    let said = text(&over_ssh(&lan, "locked", &["--port", "5300"]));
    assert!(said.contains("another goodput is at work there"), "{said}");
    drop(lock);
    fs::create_dir(lan.at("full")).unwrap();
    fs::write(lan.at("full/letter"), "").unwrap();
    let said = text(&probe(&lan, "full", &["2s", "--port", "5300"]));
    assert!(said.contains("it is not empty"), "{said}");
    let said = text(&probe(&lan, "control", &["2s", "--port", "5300", "--congestion", "nonsense"]));
    assert!(said.contains("congestion control nonsense") && said.contains("cubic"), "{said}");
    let said = text(&lan.goodput(&["probe", "netns:nope", "--dry-run", "--rate", "0"]));
    assert!(said.contains("is out of range") && !said.contains("write \"0"), "{said}");
    let said = text(&lan.goodput(&["probe", "netns:nope"]));
    assert!(said.contains("Cannot open network namespace") && said.contains(&lan.hosts[2]), "{said}");
    let printed = over_ssh(&lan, "dry", &["--dry-run"]);
    assert!(text(&printed).contains("ping -n -c 20") && !lan.at("dry").exists(), "{}", text(&printed));
    left_nothing(&lan);
}

#[test]
fn a_probe_over_ssh_leaves_nothing_even_if_it_is_killed() {
    if !is_possible() {
        return;
    }
    let lan = Lan::new();
    let printed = over_ssh(&lan, "whole", &[]);
    assert!(printed.status.success(), "{}", text(&printed));
    assert!(read(&lan, "whole").iter().all(|found| of(found, Source::Iperf3).goodput > Some(50e6)));
    left_nothing(&lan);
    let config = lan.at("config");
    let words =
        ["netns", "exec", &lan.hosts[0], env!("CARGO_BIN_EXE_goodput"), "probe", &format!("plain@{B}"), "--ssh-config"];
    let mut command = std::process::Command::new("ip");
    command.args(words).arg(config).arg("--out").arg(lan.at("killed")).args(["--time", "60s"]);
    let mut child = command.stderr(std::process::Stdio::null()).spawn().unwrap();
    let began = std::time::Instant::now();
    while !lan.sh(2, "ss -Htn").contains(":5201 ") {
        assert!(began.elapsed().as_secs() < 60 && child.try_wait().unwrap().is_none(), "no transfer began");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let ended = || !lan.sh(2, "ss -Htln").contains(":5201 ") && !lan.sh(2, "ls /tmp").contains(&lan.lock_name());
    while !ended() {
        assert!(began.elapsed().as_secs() < 90, "{}", lan.sh(2, "ls /tmp; ss -tanp"));
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    left_nothing(&lan);
}

/// iperf3 on both hosts replaces the agent, with `ss` at the same time.
#[test]
fn iperf3_makes_the_traffic_too() {
    if !is_possible() || !has_iperf3() {
        return;
    }
    let lan = Lan::new();
    lan.sh(1, "tc qdisc add dev right root tbf rate 20mbit burst 16k limit 60k");
    lan.sh(1, "tc qdisc add dev left root tbf rate 10mbit burst 16k limit 60k");
    let printed = probe(&lan, "iperf", &["3s", "--tool", "iperf3"]);
    assert!(printed.status.success(), "{}", text(&printed));
    for (evidence, rate) in read(&lan, "iperf").iter().zip([RATE, RATE / 2.0]) {
        let goodput = of(evidence, Source::Iperf3).goodput.unwrap();
        assert!((goodput / rate - 1.0).abs() < 0.1, "{goodput} and not {rate}");
        assert!(of(evidence, Source::Ss).points.len() > 5);
    }
    let watched = lan.goodput(&["field", "watch", &format!("netns:{}", lan.hosts[2]), "--once"]);
    assert!(text(&watched).contains("no connections"), "{}", text(&watched));
    left_nothing(&lan);
}

/// script(1) is the terminal.
#[test]
fn a_watch_is_redrawn_on_a_terminal_and_nowhere_else() {
    if !std::path::Path::new("/usr/bin/script").exists() {
        return;
    }
    let watch = format!("timeout 3 '{}' field watch localhost --interval 1s", env!("CARGO_BIN_EXE_goodput"));
    let printed =
        |command: &mut std::process::Command| text(&command.stdin(std::process::Stdio::null()).output().unwrap());
    let drawn = printed(std::process::Command::new("script").args(["-qec", &watch, "/dev/null"]));
    assert!(drawn.matches("\u{1b}[H\u{1b}[J").count() >= 2 && drawn.contains("localhost, 20"), "{drawn:?}");
    let plain = printed(std::process::Command::new("sh").args(["-c", &watch]));
    assert!(!plain.contains('\u{1b}') && !plain.is_empty(), "{plain:?}");
}

/// 10 ms each way through a relay. Expected: one window for each round trip.
#[test]
fn a_window_over_a_round_trip_time_is_told_by_arithmetic() {
    if !is_possible() {
        return;
    }
    let lan = Lan::new();
    if !lan.delay(10) {
        return;
    }
    lan.sh(2, "sysctl -qw net.ipv4.tcp_rmem='4096 131072 131072'");
    // If other programs use the processors, the receiver reads late: one correct result of three is enough.
    let mut wrong = vec![];
    let is_told = |out: &str| wrong_by_arithmetic(&lan, out).map(|what| wrong.push(what)).is_none();
    assert!(["p", "q", "r"].into_iter().any(is_told), "{wrong:?}");
}

/// Deviations of a probe over 20 ms from one receive window for each RTT.
fn wrong_by_arithmetic(lan: &Lan, out: &str) -> Option<String> {
    let printed = probe(lan, out, &["1s", "--rate", "1Gbit/s"]);
    assert!(printed.status.success(), "{}", text(&printed));
    let found = read(lan, out);
    let idle = found[0].pings[0].rtts.iter().copied().fold(f64::INFINITY, f64::min);
    let watched = of(&found[0], Source::Ss);
    let mut srtts: Vec<f64> = watched.points.iter().filter_map(|point| point.srtt).collect();
    srtts.sort_by(f64::total_cmp);
    let rtt = srtts[srtts.len() / 2];
    let [window, goodput] = [watched.window.as_ref().unwrap().largest, watched.goodput.unwrap()];
    let is_right = (0.020..0.024).contains(&idle)
        && (0.75..1.1).contains(&(goodput / (window * 8.0 / rtt)))
        && text(&printed).contains("(receiver-window");
    (!is_right)
        .then(|| format!("{goodput} bit/s by a window of {window} B over {rtt} s, idle {idle} s: {}", text(&printed)))
}

/// Half of a budget of 5 MB is 2.5 MB, for each direction. A probe that a signal ends leaves what it has read.
#[test]
fn a_probe_that_ended_early_says_what_it_lacks_and_can_be_read() {
    let script = format!(
        "{}ip netns add server || exit 98
        ip link set peer netns server
        ip netns exec server sh -c 'ip addr add 192.0.2.1/24 dev peer; ip link set peer up; ip link set lo up'
        tc qdisc add dev eth0 root tbf rate 20mbit burst 16k limit 60k || exit 98
        cd /run
        set -- probe netns:server --address 192.0.2.1
        \"$GOODPUT\" \"$@\" --budget 5MB --out spent; echo \"code $?\"
        \"$GOODPUT\" \"$@\" --time 60s --out ended 2> ended.err & probing=$!
        until grep -q '^upload: ' ended.err; do sleep 0.1; done
        kill -INT $probing; wait $probing; echo \"code $?\"
        cat ended.err
        \"$GOODPUT\" diagnose ended; echo \"code $?\"
        \"$GOODPUT\" diagnose spent:upload --json",
        crate::apply::SCENE
    );
    let Some(output) = crate::apply::inside(&script, &[]) else { return };
    let said = text(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(said.matches("when it had sent 2.50 MB, its half of the budget").count(), 3, "{said}");
    assert!(said.contains("code 130") && said.contains("Next: goodput diagnose ended"), "{said}");
    let lacking = "Not whole: The probe ended before this transfer was over";
    assert!(said.matches(lacking).count() == 2 && said.matches("code 0").count() == 2, "{said}");
}
