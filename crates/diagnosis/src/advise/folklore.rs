//! Common mistakes in tuning TCP.

use evidence::System;
use evidence::platform::Platform;
use serde::Serialize;

#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Folklore {
    pub said: &'static str,
    /// Settings concerned, as sysctl or a command names them.
    pub settings: &'static [&'static str],
    pub wrong: &'static str,
    pub source: &'static str,
    pub topic: Topic,
    /// System concerned; `None` for both.
    #[serde(skip)]
    pub system: Option<System>,
    /// First version for which it is wrong.
    #[serde(skip)]
    pub since: &'static str,
}

/// The topic of a belief.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Topic {
    Buffers,
    /// Response of cwnd to loss.
    Congestion,
    Mtu,
    Connections,
    /// Meaning of a measurement.
    Measuring,
}

const ANY_VERSION: &str = "0";

pub(crate) const FOLKLORE: &[Folklore] = &[
    Folklore {
        said: "tcp_mem is set like tcp_rmem, in bytes",
        topic: Topic::Buffers,
        settings: &["net.ipv4.tcp_mem"],
        wrong: "it counts 4 KiB pages for all sockets together: \"4096 87380 4194304\" means pressure from 341 MiB and \
                a limit of 16 GiB",
        source: "Linux Documentation/networking/ip-sysctl.rst",
        system: Some(System::Linux),
        since: ANY_VERSION,
    },
    Folklore {
        said: "tcp_adv_win_scale sets the share of a buffer that is window",
        topic: Topic::Buffers,
        settings: &["net.ipv4.tcp_adv_win_scale"],
        wrong: "ignored since 6.6: each connection measures the share, starting at one half",
        source: "Linux include/net/tcp.h, tcp_scaling_ratio_init",
        system: Some(System::Linux),
        since: "6.6",
    },
    Folklore {
        said: "rmem_max and wmem_max have priority over tcp_rmem and tcp_wmem",
        topic: Topic::Buffers,
        settings: &["net.core.rmem_max", "net.core.wmem_max"],
        wrong: "they only cap what a program asks for with SO_RCVBUF and SO_SNDBUF; autotuning stops at the third value \
                of tcp_rmem and tcp_wmem",
        source: "Linux net/core/sock.c and net/ipv4/tcp_input.c",
        system: Some(System::Linux),
        since: ANY_VERSION,
    },
    Folklore {
        said: "rmem_default and wmem_default are the buffers that TCP starts with",
        topic: Topic::Buffers,
        settings: &["net.core.rmem_default", "net.core.wmem_default"],
        wrong: "TCP starts with the second value of tcp_rmem and tcp_wmem",
        source: "Linux net/ipv4/tcp.c, tcp_init_sock",
        system: Some(System::Linux),
        since: ANY_VERSION,
    },
    Folklore {
        said: "tcp_tw_recycle frees ports",
        topic: Topic::Connections,
        settings: &["net.ipv4.tcp_tw_recycle"],
        wrong: "it broke clients behind NAT and was removed in 4.12",
        source: "Linux commit 4396e46187ca",
        system: Some(System::Linux),
        since: "4.12",
    },
    Folklore {
        said: "netdev_max_backlog and txqueuelen must grow with the rate",
        topic: Topic::Buffers,
        settings: &["net.core.netdev_max_backlog", "txqueuelen"],
        wrong: "the backlog serves drivers without NAPI and steered packets: leave it alone unless the second column of \
                /proc/net/softnet_stat counts drops; fq and fq_codel ignore txqueuelen",
        source: "Linux net/core/dev.c, enqueue_to_backlog",
        system: Some(System::Linux),
        since: ANY_VERSION,
    },
    Folklore {
        said: "tcp_timestamps=0 saves bytes and time",
        topic: Topic::Congestion,
        settings: &["net.ipv4.tcp_timestamps", "net.inet.tcp.rfc1323"],
        wrong: "it saves 12 B in 1460 and gives up an RTT sample per ACK and protection against wrapped sequence \
                numbers (every 34 s at 1 Gbit/s)",
        source: "RFC 7323, sections 4 and 5",
        system: None,
        since: ANY_VERSION,
    },
    Folklore {
        said: "SACK costs CPU and can be switched off",
        topic: Topic::Congestion,
        settings: &["net.ipv4.tcp_sack", "net.inet.tcp.sack.enable"],
        wrong: "without it TCP repairs one loss per round trip instead of a whole window: on a long path a few losses \
                cost seconds",
        source: "RFC 2018, RFC 6675",
        system: None,
        since: ANY_VERSION,
    },
    Folklore {
        said: "mssdflt=1220 makes segments fit a tunnel",
        topic: Topic::Mtu,
        settings: &["net.inet.tcp.mssdflt", "net.inet.tcp.v6mssdflt"],
        wrong: "it is the MSS for a peer that announces none, and caps nothing: set the route's MTU, or clamp the MSS",
        source: "FreeBSD tcp(4)",
        system: Some(System::FreeBsd),
        since: ANY_VERSION,
    },
    Folklore {
        said: "abc_l_var=44 makes TCP faster",
        topic: Topic::Congestion,
        settings: &["net.inet.tcp.abc_l_var"],
        wrong: "in slow start one ACK may then open the window by up to 44 segments, in one burst; after slow start it \
                does nothing. RFC 3465 allows 2",
        source: "RFC 3465, section 2.3; FreeBSD cc_newreno.c",
        system: Some(System::FreeBsd),
        since: ANY_VERSION,
    },
    Folklore {
        said: "sendbuf_inc=16384 speeds up autotuning",
        topic: Topic::Buffers,
        settings: &["net.inet.tcp.sendbuf_inc"],
        wrong: "each segment sent may add 8 KiB already, more than the window grows by: sendbuf_max is the limit",
        source: "FreeBSD tcp_output.c, tcp_sndbuf_autoscale",
        system: Some(System::FreeBsd),
        since: ANY_VERSION,
    },
    Folklore {
        said: "DCTCP is the better algorithm for the internet",
        topic: Topic::Congestion,
        settings: &["net.inet.tcp.cc.algorithm=dctcp", "net.ipv4.tcp_congestion_control=dctcp"],
        wrong: "without ECN on the connection it is NewReno, which halves the window where CUBIC takes 0.3 off; with ECN \
                it is only for data centres (RFC 8257, section 5)",
        source: "FreeBSD cc_dctcp.c, Linux net/ipv4/tcp_dctcp.c",
        system: None,
        since: ANY_VERSION,
    },
    Folklore {
        said: "15 % fewer retransmissions prove the better algorithm",
        topic: Topic::Measuring,
        settings: &[],
        wrong: "one run of each is one sample, and an equal total with two algorithms is a rate cap: repeat, alternate \
                and use `goodput compare`",
        source: "docs/reference/compare.md",
        system: None,
        since: ANY_VERSION,
    },
    Folklore {
        said: "a slow long path with few losses has bufferbloat",
        topic: Topic::Measuring,
        settings: &[],
        wrong: "a bloated buffer shows as an RTT that rises under load; where it does not, rare losses at a long RTT are \
                enough to make CUBIC slow",
        source: "RFC 9438, section 5.1",
        system: None,
        since: ANY_VERSION,
    },
];

/// Returns the mistakes about these topics that concern a version of a system.
pub fn for_platform(platform: &Platform, topics: &[Topic]) -> Vec<&'static Folklore> {
    let concerns = |folklore: &&Folklore| {
        topics.contains(&folklore.topic)
            && folklore.system.is_none_or(|system| system == platform.system && platform.is_since(folklore.since))
    };
    FOLKLORE.iter().filter(concerns).collect()
}
