//! Reads tcp_info of a socket through sock_diag(7), which needs no root, and prints it as `ss -tinm` does.
//!
//! Layouts: include/uapi/linux/inet_diag.h and include/uapi/linux/tcp.h. The kernel appends fields and moves none, so
//! fields that an older one lacks are omitted. By hand because `netlink-packet-sock-diag` 0.5 refuses the whole answer of
//! a kernel whose SK_MEMINFO has no drops yet, and returns tcp_info as bytes, whose fields are most of this file.

use nix::sys::socket::{AddressFamily, MsgFlags, NetlinkAddr, SockFlag, SockProtocol, SockType, recv, sendto, socket};
use std::fmt::Write;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::{AsRawFd, OwnedFd};

/// A connection of this network namespace.
#[derive(Debug)]
pub struct Watched {
    netlink: OwnedFd,
    request: Vec<u8>,
}

/// The kernel's view of a connection at one time.
#[derive(Debug, Clone, Default)]
pub struct TcpInfo {
    info: Vec<u8>,
    memory: Vec<u8>,
    congestion: String,
    queues: [u32; 2],
}

const SOCK_DIAG_BY_FAMILY: u16 = 20;
const NLM_F_REQUEST: u16 = 1;
const NLMSG_ERROR: u16 = 2;
/// Attributes; a request has the bit of their number less one.
const INFO: u16 = 2;
const CONG: u16 = 4;
const SKMEMINFO: u16 = 7;
const HEADER: usize = 16;
const INET_DIAG_MSG: usize = 72;

impl Watched {
    pub fn new(local: SocketAddr, peer: SocketAddr) -> io::Result<Watched> {
        let protocol = SockProtocol::NetlinkSockDiag;
        let netlink = socket(AddressFamily::Netlink, SockType::Raw, SockFlag::SOCK_CLOEXEC, protocol)?;
        let watched = Watched { netlink, request: request(local, peer) };
        watched.look().map(|_| watched)
    }

    pub fn look(&self) -> io::Result<TcpInfo> {
        sendto(self.netlink.as_raw_fd(), &self.request, &NetlinkAddr::new(0, 0), MsgFlags::empty())?;
        let mut answer = [0; 4096];
        let length = recv(self.netlink.as_raw_fd(), &mut answer, MsgFlags::empty())?;
        parsed(&answer[..length])
    }
}

/// Returns the lines of a connection between two ends as `ss -tinmH` prints them.
pub fn screen([local, peer]: &[SocketAddr; 2], info: &TcpInfo) -> String {
    format!("ESTAB {} {} {local} {peer}\n\t{}\n", info.queues[0], info.queues[1], info.details())
}

fn request(local: SocketAddr, peer: SocketAddr) -> Vec<u8> {
    let mut body = vec![if local.is_ipv4() { 2 } else { 10 }, 6];
    body.push((1 << (INFO - 1)) | (1 << (CONG - 1)) | (1 << (SKMEMINFO - 1)));
    body.push(0);
    body.extend(u32::MAX.to_ne_bytes());
    body.extend([local.port(), peer.port()].into_iter().flat_map(u16::to_be_bytes));
    for end in [local, peer] {
        let mut address = match end.ip() {
            IpAddr::V4(address) => address.octets().to_vec(),
            IpAddr::V6(address) => address.octets().to_vec(),
        };
        address.resize(16, 0);
        body.extend(address);
    }
    body.extend(scope(local).to_ne_bytes());
    // An all-ones cookie matches any socket.
    body.extend([0xff; 8]);
    let mut message = ((HEADER + body.len()) as u32).to_ne_bytes().to_vec();
    message.extend([SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST].into_iter().flat_map(u16::to_ne_bytes));
    message.extend([0; 8]);
    message.extend(body);
    message
}

fn scope(address: SocketAddr) -> u32 {
    match address {
        SocketAddr::V6(address) => address.scope_id(),
        SocketAddr::V4(_) => 0,
    }
}

fn parsed(answer: &[u8]) -> io::Result<TcpInfo> {
    let short = || io::Error::other("sock_diag answered less than a message");
    let kind = answer.get(4..6).map(|kind| u16::from_ne_bytes([kind[0], kind[1]])).ok_or_else(short)?;
    if kind == NLMSG_ERROR {
        let code = u32_at(answer, HEADER).unwrap_or(0).cast_signed();
        return Err(io::Error::from_raw_os_error(code.saturating_neg()));
    }
    let body = answer.get(HEADER..).ok_or_else(short)?;
    let queue = |at| u32_at(body, at).unwrap_or(0);
    let mut found = TcpInfo { queues: [queue(56), queue(60)], ..TcpInfo::default() };
    let mut at = INET_DIAG_MSG;
    while let Some(head) = body.get(at..at + 4) {
        let length = usize::from(u16::from_ne_bytes([head[0], head[1]]));
        let Some(value) = body.get(at + 4..at + length) else { break };
        match u16::from_ne_bytes([head[2], head[3]]) {
            INFO => found.info = value.to_vec(),
            SKMEMINFO => found.memory = value.to_vec(),
            CONG => found.congestion = String::from_utf8_lossy(value).trim_end_matches('\0').into(),
            _ => {}
        }
        at += length.next_multiple_of(4).max(4);
    }
    Ok(found)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// Fields of 32 bits that ss prints unchanged, with their offsets.
const COUNTS: &[(&str, usize)] = &[
    ("segs_out", 136),
    ("segs_in", 140),
    ("data_segs_out", 156),
    ("data_segs_in", 152),
    ("unacked", 24),
    ("sacked", 28),
    ("lost", 32),
    ("delivered", 192),
    ("delivered_ce", 196),
    ("dsack_dups", 216),
    ("reord_seen", 220),
    ("rcv_ooopack", 224),
    ("notsent", 144),
    ("rcv_space", 96),
    ("rcv_ssthresh", 64),
    ("snd_wnd", 228),
    ("rcv_wnd", 232),
    ("rehash", 236),
];

/// Fields of 64 bits that ss prints unchanged, with their offsets.
const BYTES: &[(&str, usize)] =
    &[("bytes_sent", 200), ("bytes_retrans", 208), ("bytes_acked", 120), ("bytes_received", 128)];

/// Slow start threshold from which ss does not print it; one that was never set is TCP_INFINITE_SSTHRESH.
const SSTHRESH: u32 = 0xffff;

impl TcpInfo {
    fn u32(&self, at: usize) -> Option<u32> {
        u32_at(&self.info, at)
    }

    fn u64(&self, at: usize) -> Option<u64> {
        Some(u64::from_ne_bytes(self.info.get(at..at + 8)?.try_into().ok()?))
    }

    /// Creates the view with these bytes of `struct tcp_info` and of SK_MEMINFO_*.
    pub fn from_bytes(info: Vec<u8>, memory: Vec<u8>, congestion: &str, queues: [u32; 2]) -> TcpInfo {
        TcpInfo { info, memory, congestion: congestion.into(), queues }
    }

    /// Returns the bytes in the receive and the send queue.
    pub fn queues(&self) -> [u32; 2] {
        self.queues
    }

    /// Returns the kernel's SK_MEMINFO_*.
    pub fn raw_memory(&self) -> &[u8] {
        &self.memory
    }

    /// Returns the kernel's `struct tcp_info`.
    pub fn raw(&self) -> &[u8] {
        &self.info
    }

    /// Returns sk_sndbuf, sk_wmem_queued, sk_rcvbuf and the memory of the receive queue, bytes (SK_MEMINFO_*,
    /// include/uapi/linux/sock_diag.h).
    pub fn memory(&self) -> [u32; 4] {
        [3, 5, 1, 0].map(|number| u32_at(&self.memory, 4 * number).unwrap_or(0))
    }

    pub fn congestion(&self) -> &str {
        &self.congestion
    }

    /// Returns the sender's segment size, bytes.
    pub fn mss(&self) -> u32 {
        self.u32(16).unwrap_or(0)
    }

    /// Returns the number of retransmitted segments.
    pub fn retransmitted(&self) -> u32 {
        self.u32(100).unwrap_or(0)
    }

    /// Returns the smoothed RTT and its variation, us.
    pub fn rtt(&self) -> [u32; 2] {
        [68, 72].map(|at| self.u32(at).unwrap_or(0))
    }

    /// Returns cwnd, bytes.
    pub fn cwnd(&self) -> u64 {
        u64::from(self.u32(80).unwrap_or(0)) * u64::from(self.mss())
    }

    pub fn pmtu(&self) -> u32 {
        self.u32(60).unwrap_or(0)
    }

    /// Returns the peer's window, bytes; since Linux 5.4.
    pub fn window(&self) -> Option<u32> {
        self.u32(228)
    }

    /// Prints the fields like tcp_show_info() in iproute2's misc/ss.c.
    fn details(&self) -> String {
        let mut text = String::new();
        let memory: Vec<u32> = (0..9).filter_map(|n| u32_at(&self.memory, 4 * n)).collect();
        if let [r, rb, t, tb, f, w, o, bl, d] = memory[..] {
            let _ = write!(text, " skmem:(r{r},rb{rb},t{t},tb{tb},f{f},w{w},o{o},bl{bl},d{d})");
        }
        let options = self.info.get(5).copied().unwrap_or(0);
        for (bit, name) in [(1, "ts"), (2, "sack"), (8, "ecn"), (16, "ecnseen")] {
            if options & bit != 0 {
                let _ = write!(text, " {name}");
            }
        }
        let _ = write!(text, " {}", self.congestion);
        if let (Some(scale), true) = (self.info.get(6), options & 4 != 0) {
            let _ = write!(text, " wscale:{},{}", scale & 15, scale >> 4);
        }
        let ms = |us: u32| f64::from(us) / 1e3;
        let [rtt, rttvar] = self.rtt();
        let own = |at| self.u32(at).unwrap_or(0);
        let _ = write!(text, " rto:{}", ms(own(8)));
        if rtt > 0 {
            let _ = write!(text, " rtt:{}/{}", ms(rtt), ms(rttvar));
        }
        let _ = write!(text, " mss:{} pmtu:{} rcvmss:{} advmss:{}", own(16), own(60), own(20), own(84));
        let _ = write!(text, " cwnd:{}", own(80));
        if own(76) < SSTHRESH {
            let _ = write!(text, " ssthresh:{}", own(76));
        }
        for (name, at) in BYTES {
            if let Some(value) = self.u64(*at).filter(|value| *value > 0) {
                let _ = write!(text, " {name}:{value}");
            }
        }
        self.more(&mut text, ms);
        text.trim_start().to_owned()
    }

    fn more(&self, text: &mut String, ms: impl Fn(u32) -> f64) {
        for (name, at) in COUNTS {
            if let Some(value) = self.u32(*at).filter(|value| *value > 0) {
                let _ = write!(text, " {name}:{value}");
            }
        }
        let own = |at| self.u32(at).unwrap_or(0);
        let _ = write!(text, " lastsnd:{} lastrcv:{} lastack:{}", own(44), own(52), own(56));
        for (name, at) in [("pacing_rate", 104), ("delivery_rate", 160)] {
            // An unlimited rate is all ones.
            if let Some(rate) = self.u64(at).filter(|rate| *rate > 0 && *rate < u64::MAX) {
                let _ = write!(text, " {name} {}bps", rate.saturating_mul(8));
            }
        }
        if self.info.get(7).is_some_and(|flags| flags & 1 != 0) {
            text.push_str(" app_limited");
        }
        let busy = self.u64(168).unwrap_or(0);
        for (name, at) in [("busy", 168), ("rwnd_limited", 176), ("sndbuf_limited", 184)] {
            let Some(us) = self.u64(at).filter(|us| *us > 0) else { continue };
            let share = if at == 168 { String::new() } else { format!("({:.1}%)", 100.0 * us as f64 / busy as f64) };
            let _ = write!(text, " {name}:{}ms{share}", us / 1000);
        }
        if self.retransmitted() > 0 || own(36) > 0 {
            let _ = write!(text, " retrans:{}/{}", own(36), self.retransmitted());
        }
        if let Some(us) = self.u32(92).filter(|us| *us > 0) {
            let _ = write!(text, " rcv_rtt:{}", ms(us));
        }
        if let Some(us) = self.u32(148).filter(|us| *us > 0 && *us < u32::MAX) {
            let _ = write!(text, " minrtt:{}", ms(us));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write as _};
    use std::net::{TcpListener, TcpStream};
    use std::process::Command;

    /// `ss` itself is the oracle, on the same idle connection.
    #[test]
    fn a_connection_is_shown_as_ss_shows_it() {
        let Ok(listener) = TcpListener::bind("127.0.0.1:0") else { return };
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut server, _) = listener.accept().unwrap();
        client.write_all(&[7; 100_000]).unwrap();
        server.read_exact(&mut [0; 100_000]).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(300));
        let ends = [client.local_addr().unwrap(), client.peer_addr().unwrap()];
        let watched = Watched::new(ends[0], ends[1]).unwrap();
        let filter = format!("sport = :{}", ends[0].port());
        let Ok(ss) = Command::new("ss").args(["-tinmoH", "state", "established", &filter]).output() else { return };
        let ss = String::from_utf8(ss.stdout).unwrap();
        let own = screen(&ends, &watched.look().unwrap());
        let known: Vec<&str> = ss.split_whitespace().collect();
        let steady = |word: &&str| !word.starts_with("last") && !word.starts_with("delivery_rate");
        let odd: Vec<&str> =
            own.split_whitespace().skip(1).filter(steady).filter(|word| !known.contains(word)).collect();
        // ss may print rates with a prefix, and that of an older iproute2 knows fewer fields.
        let newer = |word: &str| word.starts_with("rcv_wnd:") || word.starts_with("rehash:");
        let odd: Vec<&str> = odd.into_iter().filter(|word| !word.ends_with("bps") && !newer(word)).collect();
        assert!(odd.is_empty(), "{odd:?}\n{own}\n{ss}");
        assert!(
            own.contains("bytes_acked:100001") && own.contains("cubic") | own.contains("reno") | own.contains("bbr")
        );
    }

    #[test]
    fn a_connection_that_is_gone_is_an_error() {
        let address = "127.0.0.1:9".parse().unwrap();
        assert!(Watched::new(address, address).is_err());
    }
}
