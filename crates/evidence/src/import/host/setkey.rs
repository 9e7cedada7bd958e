//! Reads `setkey -D` of FreeBSD (lib/libipsec/pfkey_dump.c), without keys.

use super::draft::Draft;
use super::ip_route::is_address;
use super::row::HostRow;
use crate::{System, Tunnel};

/// Algorithm names of setkey and of Linux; for combined algorithms, the length of the check value in bits (RFC 4106).
const ALGORITHMS: &[(&str, &str, Option<u32>)] = &[
    ("3des-cbc", "cbc(des3_ede)", None),
    ("aes-cbc", "cbc(aes)", None),
    ("aes-ctr", "rfc3686(ctr(aes))", None),
    ("aes-gcm-16", "rfc4106(gcm(aes))", Some(128)),
    ("chacha20-poly1305", "rfc7539esp(chacha20,poly1305)", Some(128)),
    ("hmac-sha1", "hmac(sha1)", None),
    ("hmac-sha2-256", "hmac(sha256)", None),
    ("hmac-sha2-384", "hmac(sha384)", None),
    ("hmac-sha2-512", "hmac(sha512)", None),
    ("rijndael-cbc", "cbc(aes)", None),
];

/// First words of continuation lines, for text that lost its indentation.
const CONTINUATION_WORDS: &[&str] = &["A:", "C:", "E:", "NAT:", "allocated:", "created:", "current:", "diff:", "last:"];

pub(super) fn read(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let row = &rows[0];
    let Some(ends) = ends(row).filter(|_| !row.prompt) else { return 0 };
    let Some(kind) = rows.get(1).filter(|next| !next.prompt) else { return 0 };
    let Some(mode) = kind.words().nth(1).and_then(|word| word.strip_prefix("mode=")) else { return 0 };
    if !matches!(kind.first(), "esp" | "esp-udp" | "ah" | "ipcomp") {
        return 0;
    }
    draft.seen(System::FreeBsd);
    let mut tunnel = Tunnel {
        place: draft.place(row.index),
        ends: ends.map(str::to_owned),
        mode: (mode != "any").then(|| mode.to_owned()),
        algorithms: vec![],
        icv_bits: None,
        in_udp: kind.first() == "esp-udp",
    };
    let further = |first: &str| {
        CONTINUATION_WORDS.contains(&first) || first.starts_with("seq=") || first.starts_with("sadb_seq=")
    };
    let own = |row: &&HostRow<'_>| !row.prompt && (row.indented() || further(row.first()));
    let body = rows[2..].iter().take_while(own).count();
    for row in &rows[2..2 + body] {
        let mut words = row.words();
        if let (Some("E:" | "A:"), Some(name)) = (words.next(), words.next())
            && name != "null"
        {
            let known = ALGORITHMS.iter().find(|(printed, ..)| *printed == name);
            tunnel.algorithms.push(known.map_or(name, |(_, name, _)| name).to_owned());
            tunnel.icv_bits = known.and_then(|(.., bits)| *bits).or(tunnel.icv_bits);
        }
    }
    draft.host.tunnels.push(tunnel);
    2 + body
}

/// Parses the addresses of `10.0.0.1[4500] 10.0.0.2[4500]`.
fn ends<'a>(row: &HostRow<'a>) -> Option<[&'a str; 2]> {
    let mut words = row.words().map(|word| word.split('[').next().unwrap_or(word));
    let ends = [words.next()?, words.next()?];
    (words.next().is_none() && ends.iter().all(|end| is_address(end))).then_some(ends)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{host, read};

    const STATES: &str = "\
10.0.0.1 10.0.0.2
\tesp mode=tunnel spi=3405691582(0xcafebabe) reqid=1(0x00000001)
\tE: aes-gcm-16  5ec2e75e c2e75ec2 e75ec2e7 5ec2e75e c2e70000
\tseq=0x00000000 replay=4 flags=0x00000000 state=mature
\tcreated: Mar 21 10:00:00 2025\tcurrent: Mar 21 10:05:00 2025
\tdiff: 300(s)\thard: 3600(s)\tsoft: 3240(s)
\tallocated: 0\thard: 0\tsoft: 0
\tsadb_seq=1 pid=1234 refcnt=1
10.0.0.2[4500] 10.0.0.1[4500]
\tesp-udp mode=any spi=3405691583(0xcafebabf) reqid=1(0x00000001)
\tE: rijndael-cbc  5ec2e75e c2e75ec2 e75ec2e7 5ec2e75e
\tA: hmac-sha2-256  5ec2e75e c2e75ec2 e75ec2e7 5ec2e75e
\tseq=0x00000000 replay=4 flags=0x00000000 state=mature
";

    #[test]
    fn states_have_ends_mode_and_algorithms() {
        let host = host(STATES);
        let [gcm, cbc] = &host.tunnels[..] else { panic!("{host:?}") };
        assert_eq!(
            (gcm.mode.as_deref(), gcm.algorithms[0].as_str(), gcm.icv_bits),
            (Some("tunnel"), "rfc4106(gcm(aes))", Some(128))
        );
        assert_eq!(
            (&cbc.ends, cbc.mode.as_deref(), cbc.in_udp),
            (&["10.0.0.2".to_owned(), "10.0.0.1".to_owned()], None, true)
        );
        assert_eq!(
            (&cbc.algorithms[..], cbc.icv_bits),
            (&["cbc(aes)".to_owned(), "hmac(sha256)".to_owned()][..], None)
        );
    }

    #[test]
    fn no_key_is_kept() {
        let (host, unread) = read(STATES).unwrap();
        assert!(!format!("{host:?}{unread:?}").contains("5ec2e7"));
        assert_eq!(read("10.0.0.1 10.0.0.2\nprose"), None);
    }
}
