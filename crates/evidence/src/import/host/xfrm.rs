//! Reads `ip xfrm state`, without keys.

use super::draft::Draft;
use super::row::HostRow;
use crate::{System, Tunnel};

/// First words of continuation lines, for text that lost its indentation.
const CONTINUATION_WORDS: &[&str] = &[
    "aead",
    "anti-replay",
    "auth",
    "auth-trunc",
    "comp",
    "crypto",
    "dir",
    "enc",
    "encap",
    "if_id",
    "lastused",
    "lifetime",
    "mark",
    "output-mark",
    "proto",
    "replay-window",
    "sel",
];

pub(super) fn read(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let row = &rows[0];
    let words: Vec<&str> = row.words().take(4).collect();
    let ["src", from, "dst", to] = words[..] else { return 0 };
    if row.prompt || !rows.get(1).is_some_and(|next| !next.prompt && next.first() == "proto") {
        return 0;
    }
    draft.seen(System::Linux);
    let mut tunnel = Tunnel {
        place: draft.place(row.index),
        ends: [from, to].map(str::to_owned),
        mode: None,
        algorithms: vec![],
        icv_bits: None,
        in_udp: false,
    };
    let own = |row: &&HostRow<'_>| !row.prompt && (row.indented() || CONTINUATION_WORDS.contains(&row.first()));
    let body = rows[1..].iter().take_while(own).count();
    for row in &rows[1..=body] {
        line(row, &mut tunnel);
    }
    draft.host.tunnels.push(tunnel);
    1 + body
}

fn line(row: &HostRow<'_>, tunnel: &mut Tunnel) {
    let mut words = row.words();
    match (words.next(), words.next()) {
        (Some("proto"), Some(_)) => tunnel.mode = words.skip_while(|word| *word != "mode").nth(1).map(str::to_owned),
        (Some(kind @ ("aead" | "auth" | "auth-trunc" | "enc")), Some(name)) => {
            tunnel.algorithms.push(name.trim_matches(['\'', '"']).to_owned());
            // After the key, such a line may end in the length of the check value.
            let bits = words.next_back().and_then(|bits| bits.parse().ok());
            tunnel.icv_bits = bits.filter(|_| matches!(kind, "aead" | "auth-trunc")).or(tunnel.icv_bits);
        }
        (Some("encap"), Some("type")) => tunnel.in_udp = words.next().is_some_and(|kind| kind.starts_with("espinudp")),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{host, read};

    /// libreswan issues 993 and 713 and moby issue 45635, with other keys; `encap` as iproute2's ip/ipxfrm.c prints it.
    const STATES: &str = "\
src 192.168.44.101 dst 192.168.44.102
\tproto esp spi 0xcf79b7a1 reqid 16389 mode tunnel
\treplay-window 0
\taead rfc4106(gcm(aes)) 0x5ec2e75ec2e75ec2e75ec2e75ec2e75ec2e70000 128
\tencap type espinudp sport 4500 dport 4500 addr 0.0.0.0
\tanti-replay context: seq 0x0, oseq 0x0, bitmap 0x00000000
\tsel src 192.168.44.101/32 dst 192.168.44.102/32
src 2001:db8:1:2::45 dst 2001:db8:1:2::23
\tproto esp spi 0x08f08721 reqid 16389 mode transport
\tauth-trunc hmac(sha1) 0x5ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2 96
\tenc cbc(aes) 0x5ec2e75ec2e75ec2e75ec2e75ec2e75e
\tanti-replay esn context:
\t seq-hi 0x0, seq 0x1, oseq-hi 0x0, oseq 0x0
src 10.1.11.45 dst 10.1.11.29
\tproto esp spi 0xf4faae1b(4110069275) reqid 13681891(0x00d0c4e3) mode transport
\taead rfc4106(gcm(aes)) 0x5ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2 (160 bits) 64
\tlifetime config:
\t  limit: soft (INF)(bytes), hard (INF)(bytes)
";

    #[test]
    fn states_have_ends_mode_and_algorithms() {
        let host = host(STATES);
        let [gcm, cbc, short] = &host.tunnels[..] else { panic!("{host:?}") };
        assert_eq!(gcm.ends, ["192.168.44.101", "192.168.44.102"]);
        assert_eq!((gcm.mode.as_deref(), gcm.icv_bits, gcm.in_udp), (Some("tunnel"), Some(128), true));
        assert_eq!(
            (&cbc.algorithms[..], cbc.icv_bits),
            (&["hmac(sha1)".to_owned(), "cbc(aes)".to_owned()][..], Some(96))
        );
        assert_eq!((short.algorithms[0].as_str(), short.icv_bits), ("rfc4106(gcm(aes))", Some(64)));
        assert!(!cbc.in_udp);
    }

    #[test]
    fn no_key_is_kept() {
        let (host, unread) = read(STATES).unwrap();
        assert!(!format!("{host:?}{unread:?}").contains("5ec2e7"));
    }

    #[test]
    fn a_policy_is_no_state() {
        assert_eq!(read("src 10.0.0.0/24 dst 10.1.0.0/24\n\tdir out priority 2344\n"), None);
        assert_eq!(read("src 10.0.0.1 dst 10.1.0.1"), None);
    }
}
