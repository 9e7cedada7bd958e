//! Lines that a record on a host may have: the items that words of the tables stand for. The script puts back nothing else.

use diagnosis::remedy::{word, word_freebsd};

/// Value of a setting, as a kernel prints it.
const VALUE: &str = "[A-Za-z0-9_. -]+";
const NUMBER: &str = "[0-9]+";
const DEVICE: &str = "[A-Za-z0-9:][A-Za-z0-9._:@+,%-]*";
const PREFIX: &str = "(default|[0-9A-Fa-f:.]+(/[0-9]+)?)";
const OPTION: &str = "[a-zA-Z0-9_-]+";

/// Returns the extended regular expression (POSIX) of an item.
pub fn pattern() -> String {
    let any = |names: &[String]| format!("({})", names.join("|").replace('.', "\\."));
    let settings = word::settings();
    let files: Vec<String> = settings.iter().map(|(file, _)| file.clone()).collect();
    let kept = settings.iter().map(|(file, key)| match key {
        Some(key) => entry("/etc/sysctl.d/90-goodput.conf", key, &format!("{key} = {VALUE}")),
        None => entry("/etc/tmpfiles.d/goodput.conf", &format!("w {file}"), &format!("w {file} - - - - {VALUE}")),
    });
    let attributes: Vec<String> = word::attributes().map(str::to_owned).collect();
    let (files, attributes) = (any(&files), any(&attributes));
    let sysctls = any(&word_freebsd::sysctls().map(str::to_owned).collect::<Vec<_>>());
    let list = "/proc/sys/net/ipv4/tcp_allowed_congestion_control";
    let kinds = [
        three("file", &files, VALUE, VALUE),
        three("sysctl", &sysctls, VALUE, VALUE),
        three("allowed", &format!("{list} {OPTION}"), "-", OPTION),
        three("(mtu|mtu6|qlen|ifmtu)", DEVICE, NUMBER, NUMBER),
        three("qdisc", DEVICE, "-", "(fq|cake bandwidth [0-9]+kbit|tbf rate [0-9]+kbit burst 16kb latency 50ms)"),
        three("offload", &format!("{DEVICE} {OPTION} {OPTION}( {OPTION})*"), "(on|off)", "off"),
        three("ifoption", &format!("{DEVICE} {OPTION} [A-Z0-9_]+"), "(on|off)", "off"),
        three("route", &format!("[46] {PREFIX} {attributes}( [A-Za-z0-9._:@+%/-]+)*"), VALUE, VALUE),
        three("ifroute", &format!("[46] {PREFIX}( [A-Za-z0-9._:@+%-]+)*"), VALUE, NUMBER),
        three("clamp", "-", "-", "[0-9]+ [0-9]+"),
        three("(once|hostcache)", "-", "-", "-"),
    ];
    format!("^[0-9]+\\|({})$", kinds.into_iter().chain(kept).collect::<Vec<_>>().join("|"))
}

fn three(kind: &str, subject: &str, was: &str, new: &str) -> String {
    format!("{kind}\\|{subject}\\|{was}\\|{new}")
}

/// A line of a file that `--keep` writes.
fn entry(file: &str, key: &str, line: &str) -> String {
    let [file, key] = [file, key].map(|text| text.replace('.', "\\."));
    let line = line.replacen(key.replace("\\.", ".").as_str(), &key, 1);
    three("entry", &format!("{file} {key}"), &format!("(-|{line})"), &line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::process::{Command, Stdio};

    /// The lines that grep(1) finds with the pattern.
    fn matching(lines: &[&str]) -> Vec<String> {
        let mut grep = Command::new("grep");
        grep.args(["-E", "--", &pattern()]).env("LC_ALL", "C").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut grep = grep.spawn().unwrap();
        grep.stdin.take().unwrap().write_all((lines.join("\n") + "\n").as_bytes()).unwrap();
        let output = grep.wait_with_output().unwrap();
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_record_says_what_the_table_of_words_says() {
        let lines = [
            "1|file|/proc/sys/net/ipv4/tcp_rmem|4096 131072 6291456|4096 131072 67108864",
            "1|file|/proc/sys/net/ipv4/tcp_congestion_control|cubic|bbr",
            "1|file|/sys/module/tcp_cubic/parameters/hystart|1|0",
            "12|mtu|enp3s0f1.100|1500|1400",
            "1|mtu6|eth0|1480|1400",
            "1|qdisc|eth0|-|tbf rate 95000kbit burst 16kb latency 50ms",
            "1|offload|eth0 tso tcp-segmentation-offload tx-tcp-segmentation tx-tcp6-segmentation|on|off",
            "2|route|4 10.5.0.0/16 congctl via inet6 fe80::1 dev eth0 src 192.0.2.2 mtu lock 1400 onlink|-|reno",
            "2|route|6 default rto_min via fe80::1 dev eth0 metric 1024 pref medium|none|10ms",
            "2|route|4 default mtu|lock 1450|1400",
            "3|clamp|-|-|1360 1340",
            "3|once|-|-|-",
            "3|sysctl|net.inet.tcp.cc.algorithm|cubic|htcp",
            "3|ifroute|4 10.4.0.0/16 -interface em0|-|1400",
            "4|entry|/etc/sysctl.d/90-goodput.conf net.ipv4.tcp_sack|-|net.ipv4.tcp_sack = 1",
            "4|entry|/etc/sysctl.d/90-goodput.conf net.ipv4.tcp_sack|net.ipv4.tcp_sack = 0|net.ipv4.tcp_sack = 1",
            "4|entry|/etc/tmpfiles.d/goodput.conf w /sys/module/tcp_cubic/parameters/hystart|-|w /sys/module/tcp_cubic/parameters/hystart - - - - 0",
        ];
        assert_eq!(matching(&lines), lines);
    }

    #[test]
    fn a_record_says_nothing_else() {
        let lines = [
            "1|file|/etc/profile|-|evil",
            "1|file|/proc/sys/kernel/core_pattern|core|x",
            "1|file|/proc/sys/net/ipv4/tcp_sack|1 ; evil|0",
            "1|file|/proc/sys/net/ipv4/tcpXsack/../../../kernel/core_pattern|1|0",
            "1|entry|/etc/profile evil|evil now|-",
            "1|entry|/etc/sysctl.d/90-goodput.conf kernel.core_pattern|-|kernel.core_pattern = x",
            "1|entry|/etc/sysctl.d/90-goodput.conf net.ipv4.tcp_sack|kernel.core_pattern = 1|net.ipv4.tcp_sack = 1",
            "1|entry|/etc/sysctl.d/90-goodput.conf netXipv4Xtcp_sack|-|netXipv4Xtcp_sack = 1",
            "1|allowed|/etc/passwd root|-|root",
            "1|mtu|-eth0|1500|1400",
            "1|mtu|eth0 down|1500|1400",
            "1|qdisc|eth0|-|netem loss 100%",
            "1|route|4 default nexthop via 192.0.2.1|-|1400",
            "1|once|evil|-|-",
            "1|command|reboot|-|-",
            "x|mtu|eth0|1500|1400",
            "1|mtu|eth0|1500|1400|more",
        ];
        assert_eq!(matching(&lines), Vec::<String>::new());
    }
}
