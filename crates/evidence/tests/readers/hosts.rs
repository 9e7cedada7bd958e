//! Listings about hosts, as files: each FILE in `tests/hosts/` has a `FILE.out` with the host as JSON and the unread
//! lines. `BLESS=1 cargo test -p goodput-evidence --test it hosts::` writes the results; check the figures by hand.

use crate::growth::{behind, numbered, repeated, takes_time_in_proportion};
use evidence::Unread;
use evidence::import::Page;
use evidence::import::host::{self, READERS};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hosts");

#[test]
fn every_file_gives_what_stands_beside_it() {
    let bless = std::env::var_os("BLESS").is_some();
    for path in files() {
        let name = path.file_name().unwrap().to_str().unwrap();
        let found = dump(name, &fs::read_to_string(&path).unwrap());
        let golden = Path::new(FOLDER).join(format!("{name}.out"));
        if bless {
            fs::write(&golden, &found).unwrap();
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        let same = expected.lines().zip(found.lines()).take_while(|(old, new)| old == new).count();
        assert!(expected == found, "{}:{}: BLESS=1 accepts what is found", golden.display(), same + 1);
    }
}

fn files() -> Vec<PathBuf> {
    let files = fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_none_or(|ending| ending != "out")).collect();
    files.sort();
    assert!(files.len() > 10, "only {} files in {FOLDER}", files.len());
    files
}

/// The host, followed by a line for each run of unread lines.
fn dump(name: &str, text: &str) -> String {
    let mut page = Page::new(name, text);
    let host = host::read(&mut page);
    let mut out = serde_json::to_string_pretty(&host).unwrap();
    out += "\n";
    for Unread { place, to, why } in page.unread() {
        writeln!(out, "unread {} to {to}: {}", place.line, why.as_deref().unwrap_or("nobody knows them")).unwrap();
    }
    out
}

#[test]
fn the_reference_names_every_reader() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/hosts.md");
    let table: String =
        READERS.iter().map(|reader| format!("| {} | {} | {} |\n", reader.name, reader.prints, reader.gives)).collect();
    let text = fs::read_to_string(path).unwrap();
    let (head, rest) = text.split_once("|---|---|---|\n").unwrap();
    let ends = rest.find("\n\n").map_or(rest.len(), |end| end + 1);
    if std::env::var_os("BLESS").is_some() {
        fs::write(path, [head, "|---|---|---|\n", &table, &rest[ends..]].concat()).unwrap();
        return;
    }
    assert!(rest[..ends] == table, "{path}: BLESS=1 writes the table anew");
}

#[test]
fn readers_take_time_in_proportion_to_the_text() {
    let pieces = [
        "@",
        "a@b:c ",
        "a@b:c # ",
        "[@ ",
        "# ",
        "\n",
        "[",
        "[{\"",
        "[{\"\n",
        "[{\"ifname\":\"a\"}\n",
        "[{\"ifname\":\"a\"},\n",
        "{\"kernel\":\n",
        "net.a ",
        "net.a=1 ",
        "net.a=\n",
        "net.a:\n",
        "net.a:\nx\n",
        "kern.a:\n\tx\n",
        "sysctl ",
        "sysctl net.a=1\n",
        "tc qdisc ",
        "qdisc a 1: ",
        "qdisc a 1: dev a parent b\n",
        "Tcp:\n",
        "Tcp: A\n",
        "tcp:\n",
        "tcp:\n 1 a\n",
        "Features for a:\n",
        "lro-offload: on\n",
        "1: a: <>\n",
        "em0: flags=<\n",
        "\toptions=<LRO,\n",
        "1.1.1.1 dev a\n",
        "default via 1 dev 1 mtu 1 ",
        "\tnexthop\n",
        "Iface RX-OK\n",
        "Internet:\n",
        "Destination Gateway Flags Netif\n",
        "src 1 dst 1\nproto\n",
        "1.1.1.1 1.1.1.1\n",
        "a b b 1 ",
        "Ethernet Channel Bonding Driver:\n",
        "ifconfig_a=\"1\" ",
        "route_a=1 ",
        "collisions:1\n",
        "RX packets:1\n",
        "NIC statistics:\n a: 1\n",
        "Pause parameters for a:\nRX: on\n",
        "eth0: Link is Up - 1Gbps/Full\n",
        "SettingName : a\n",
        "TCP Statistics\n A = 1\n",
        "Name DisplayName DisplayValue\n---- ----------- ------------\na    b           c\n",
        "echo x > a.conf",
        "\u{a0}",
        "跨",
    ];
    let read = |text: &str| {
        let mut page = Page::new("large", text);
        drop(host::read(&mut page));
        drop(page.unread());
    };
    for piece in pieces {
        takes_time_in_proportion(piece, repeated(piece), read);
    }
    takes_time_in_proportion("interfaces", numbered(|n| format!("1: e{n:07}: <UP> mtu 1500\n")), read);
    let offloads = numbered(|n| format!("f{n:07}: on\n"));
    takes_time_in_proportion("offloads", move |size| "Features for a:\n".to_owned() + &offloads(size), read);
    takes_time_in_proportion("options", behind("em0: flags=<\n\tcapabilities=<LRO,", "LRO,"), read);
    takes_time_in_proportion("hops", behind("1.1.1.1\n", "\tnexthop via 1.1.1.1\n"), read);
    takes_time_in_proportion("leaves", numbered(|n| format!("qdisc fq 0: dev a parent :1 {n:07}\n")), read);
}
