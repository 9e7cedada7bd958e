//! Reads what Windows' own tools print in English: netsh, `netstat -s` and `-e`, and PowerShell's cmdlets about adapters
//! and TCP.
//!
//! Settings get keys that Windows has no names for: `windows.tcp.` and netsh's name of the option, with the template in
//! between where `Get-NetTCPSetting` has several; `windows.adapter.`, the adapter and the property's name.

use super::draft::Draft;
use super::row::HostRow;
use crate::import::view::figure;
use crate::{OtherSystem, Setting};

pub(super) fn read(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let taken = [command, netsh, template, subinterfaces, table, statistics, traffic]
        .iter()
        .map(|read| read(rows, draft))
        .find(|taken| *taken > 0)
        .unwrap_or(0);
    if taken > 0 {
        draft.seen_other(OtherSystem::Windows);
    }
    taken
}

/// Programs whose output is read, in lower case.
const PROGRAMS: &[&str] = &["netsh", "netstat", "get-netadapter", "get-nettcpsetting", "get-netoffload"];

/// Recognizes a command behind the prompt of cmd or of PowerShell: `C:\Users\me>netsh int tcp show global`.
fn command(rows: &[HostRow<'_>], _: &mut Draft<'_>) -> usize {
    let text = rows[0].text.trim();
    let text = text.strip_prefix("PS").map_or(text, str::trim_start);
    let Some((path, command)) = text.split_once('>') else { return 0 };
    let is_prompt = path.is_empty() || path.len() < 200 && path.get(1..3) == Some(":\\");
    let program = command.split_whitespace().next().unwrap_or("").to_ascii_lowercase();
    usize::from(is_prompt && PROGRAMS.iter().any(|known| program.starts_with(known)))
}

/// Titles of netsh's lists of settings.
const TITLES: &[&str] = &["TCP Global Parameters", "TCP Window Scaling heuristics Parameters"];

/// Names that netsh prints, and the options that set them.
const OPTIONS: &[(&str, &str)] = &[
    ("Receive-Side Scaling State", "rss"),
    ("Chimney Offload State", "chimney"),
    ("NetDMA State", "netdma"),
    ("Direct Cache Access (DCA)", "dca"),
    ("Receive Window Auto-Tuning Level", "autotuninglevel"),
    ("Add-On Congestion Control Provider", "congestionprovider"),
    ("ECN Capability", "ecncapability"),
    ("RFC 1323 Timestamps", "timestamps"),
    ("Initial RTO", "initialrto"),
    ("Receive Segment Coalescing State", "rsc"),
    ("Window Scaling heuristics", "heuristics"),
    ("TCP Fast Open", "fastopen"),
    ("Proportional Rate Reduction", "prr"),
];

/// Reads `netsh interface tcp show global` and `show heuristics`.
fn netsh(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let before = usize::from(rows[0].text.trim() == "Querying active state...");
    let titled = |row: &HostRow<'_>| !row.prompt && TITLES.contains(&row.text.trim());
    if !rows.get(before).is_some_and(titled) || !rows.get(before + 1).is_some_and(|row| is_rule(row.text)) {
        return 0;
    }
    let mut taken = before + 2;
    for row in together(&rows[taken..]) {
        match pair(row.text) {
            Some((name, value)) => {
                let known = OPTIONS.iter().find(|(printed, _)| *printed == name);
                let option = known.map_or_else(|| plain(name), |(_, option)| (*option).to_owned());
                set(row.index, format!("windows.tcp.{option}"), value, draft);
            }
            // What overrides the level, behind two stars.
            None if row.text.trim_start().starts_with("**") => {}
            None => break,
        }
        taken += 1;
    }
    taken
}

fn is_rule(text: &str) -> bool {
    let text = text.trim();
    text.len() > 3 && text.bytes().all(|byte| byte == b'-')
}

/// Returns the rows up to the next blank line or prompt.
fn together<'r, 'a>(rows: &'r [HostRow<'a>]) -> impl Iterator<Item = &'r HostRow<'a>> {
    let first = rows.first().map_or(0, |row| row.index);
    rows.iter().enumerate().take_while(move |(at, row)| !row.prompt && row.index == first + at).map(|(_, row)| row)
}

/// Splits `Name   : value`; the value may be missing.
fn pair(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once(':')?;
    let (name, value) = (name.trim(), value.trim());
    let named = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.len() <= MAX_NAME_BYTES;
    let is_path = value.starts_with('\\');
    (named && !is_path && value.split_whitespace().count() <= 2).then_some((name, value))
}

/// Longest name of a setting, bytes.
const MAX_NAME_BYTES: usize = 60;

/// Returns a name in small letters without blanks and units: `minrto` of `MinRto(ms)`.
fn plain(name: &str) -> String {
    let name = name.split('(').next().unwrap_or(name);
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

fn set(index: usize, key: String, value: &str, draft: &mut Draft<'_>) {
    let place = draft.place(index);
    draft.host.settings.push(Setting::new(place, key, value));
}

/// Reads a template of `Get-NetTCPSetting`; its settings without a value are left out.
fn template(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let Some(("SettingName", name)) = pair(rows[0].text).filter(|_| !rows[0].prompt) else { return 0 };
    let mut taken = 1;
    for row in together(&rows[1..]) {
        let Some((key, value)) = pair(row.text).filter(|(key, _)| *key != "SettingName") else { break };
        taken += 1;
        if !value.is_empty() {
            set(row.index, format!("windows.tcp.{}.{}", plain(name), plain(key)), value, draft);
        }
    }
    taken
}

/// Reads `netsh interface ipv4 show subinterfaces`.
fn subinterfaces(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    const COLUMNS: [&str; 7] = ["MTU", "MediaSenseState", "Bytes", "In", "Bytes", "Out", "Interface"];
    if rows[0].prompt || !rows[0].words().eq(COLUMNS) || rows.get(1).is_none_or(|row| underlines(row).is_none()) {
        return 0;
    }
    let mut taken = 2;
    for row in together(&rows[2..]) {
        let mut words = row.words();
        let figures: Vec<Option<u64>> = words.by_ref().take(4).map(|word| word.parse().ok()).collect();
        let ([Some(mtu), Some(_), Some(received), Some(sent)], name) =
            (&figures[..], words.collect::<Vec<_>>().join(" "))
        else {
            break;
        };
        if name.is_empty() {
            break;
        }
        // 4294967295 is that of loopback: none.
        draft.interface(row.index, &name).mtu = u32::try_from(*mtu).ok().filter(|mtu| *mtu < u32::MAX);
        draft.count(row.index, &name, "rx_bytes", *received);
        draft.count(row.index, &name, "tx_bytes", *sent);
        taken += 1;
    }
    taken
}

/// Returns where columns begin, from the line of dashes below their names, in characters.
fn underlines(row: &HostRow<'_>) -> Option<Vec<usize>> {
    let dashes = row.text.trim();
    if row.prompt || !dashes.starts_with('-') || !dashes.bytes().all(|byte| byte == b'-' || byte == b' ') {
        return None;
    }
    let begins = row
        .text
        .bytes()
        .enumerate()
        .filter(|(at, byte)| *byte == b'-' && (*at == 0 || row.text.as_bytes()[at - 1] != b'-'));
    Some(begins.map(|(at, _)| at).collect())
}

/// Splits a line at the columns' beginnings. A figure at the right of its column may begin further left than its name.
fn cells(text: &str, columns: &[usize]) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let is_blank = |at: usize| characters.get(at).is_none_or(|c| *c == ' ');
    let begins = |from: usize| match is_blank(from) {
        true => from.min(characters.len()),
        false => (0..from).rev().take_while(|at| !is_blank(*at)).last().unwrap_or(from),
    };
    let begins: Vec<usize> = columns.iter().map(|from| begins(*from)).collect();
    let ends = begins[1..].iter().copied().chain([characters.len()]);
    let cell = |(from, to): (usize, usize)| -> String {
        characters.get(from..to.max(from)).unwrap_or_default().iter().collect()
    };
    begins.iter().copied().zip(ends).map(|ends| cell(ends).trim().to_owned()).collect()
}

/// What a row of a table is about.
type Take = fn(&[String], &[String], usize, &mut Draft<'_>);

/// Columns by which a cmdlet's table is recognized.
const TABLES: &[(&[&str], Take)] = &[
    (&["Name", "DisplayName", "DisplayValue"], property),
    (&["Name", "InterfaceDescription", "LinkSpeed"], adapter),
    (&["Name", "ReceivedBytes", "SentBytes"], counts),
    (&["Name", "IPv4Enabled", "IPv4OperationalState"], coalescing),
];

/// Reads a cmdlet's table: names of columns, dashes below them, and rows.
fn table(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let [head, line, ..] = rows else { return 0 };
    let Some(columns) = underlines(line).filter(|columns| !head.prompt && columns.len() > 1) else { return 0 };
    let names = cells(head.text, &columns);
    let fits = |(wanted, _): &&(&[&str], Take)| wanted.iter().all(|name| names.iter().any(|known| known == name));
    let Some((_, take)) = TABLES.iter().find(fits) else { return 0 };
    let mut taken = 2;
    for row in together(&rows[2..]) {
        let cells = cells(row.text, &columns);
        if cells[0].is_empty() || cells[1..].iter().all(String::is_empty) || command(&[*row], draft) > 0 {
            break;
        }
        take(&names, &cells, row.index, draft);
        taken += 1;
    }
    taken
}

/// Returns a row's cell in the named column.
fn cell<'c>(names: &[String], cells: &'c [String], name: &str) -> &'c str {
    names.iter().position(|known| known == name).and_then(|at| cells.get(at)).map_or("", String::as_str)
}

/// Takes a row of `Get-NetAdapterAdvancedProperty`.
fn property(names: &[String], cells: &[String], index: usize, draft: &mut Draft<'_>) {
    let [name, property, value] = ["Name", "DisplayName", "DisplayValue"].map(|column| cell(names, cells, column));
    if name.is_empty() || property.is_empty() {
        return;
    }
    set(index, format!("windows.adapter.{name}.{property}"), value, draft);
    let property = property.to_ascii_lowercase();
    let has = |words: &str| property.contains(words);
    let is_on = value.contains("Enabled");
    let six = has("ipv6");
    if has("large send offload") {
        draft.offload(index, name, if six { "tx-tcp6-segmentation" } else { "tx-tcp-segmentation" }, is_on, false);
    } else if has("segment coalescing") && !six {
        draft.offload(index, name, "large-receive-offload", is_on, false);
    } else if has("tcp checksum offload") && !six {
        // "Rx & Tx Enabled", "Tx Enabled", "Disabled".
        let both = is_on && !value.contains("Rx") && !value.contains("Tx");
        draft.offload(index, name, "rx-checksumming", both || is_on && value.contains("Rx"), false);
        draft.offload(index, name, "tx-checksumming", both || is_on && value.contains("Tx"), false);
    } else if has("speed & duplex") {
        let half = value.contains("Half");
        let interface = draft.interface(index, name);
        if half || value.contains("Full") {
            interface.half_duplex = Some(half);
            let unit = value.find("bps").map(|at| at + "bps".len());
            interface.rate = unit.and_then(|end| figure::rate(&value[..end])).or(interface.rate);
        }
    } else if has("jumbo") {
        // The largest frame without its check sequence: 14 bytes of header, then the packet.
        let frame = value.split_whitespace().next().and_then(|bytes| bytes.parse::<u32>().ok());
        let interface = draft.interface(index, name);
        interface.mtu = frame.and_then(|bytes| bytes.checked_sub(14)).filter(|mtu| *mtu >= 1500).or(interface.mtu);
    }
}

/// Takes a row of `Get-NetAdapter`.
fn adapter(names: &[String], cells: &[String], index: usize, draft: &mut Draft<'_>) {
    let [name, speed, status] = ["Name", "LinkSpeed", "Status"].map(|column| cell(names, cells, column));
    // The speed of one that is disconnected is none that carries anything.
    let rate = figure::rate(speed).filter(|rate| *rate > 0.0 && matches!(status, "" | "Up"));
    let interface = draft.interface(index, name);
    interface.rate = rate.or(interface.rate);
}

/// Counters of `Get-NetAdapterStatistics`, and ip's names for them.
const COUNTS: &[(&str, &str)] = &[
    ("ReceivedBytes", "rx_bytes"),
    ("ReceivedUnicastPackets", "rx_packets"),
    ("ReceivedDiscardedPackets", "rx_dropped"),
    ("ReceivedPacketErrors", "rx_errors"),
    ("SentBytes", "tx_bytes"),
    ("SentUnicastPackets", "tx_packets"),
    ("OutboundDiscardedPackets", "tx_dropped"),
    ("OutboundPacketErrors", "tx_errors"),
];

fn counts(names: &[String], cells: &[String], index: usize, draft: &mut Draft<'_>) {
    for (column, counter) in COUNTS {
        if let Ok(value) = cell(names, cells, column).parse() {
            draft.count(index, cell(names, cells, "Name"), *counter, value);
        }
    }
}

/// Takes a row of `Get-NetAdapterRsc`.
fn coalescing(names: &[String], cells: &[String], index: usize, draft: &mut Draft<'_>) {
    let on = match cell(names, cells, "IPv4OperationalState") {
        "True" => true,
        "False" => false,
        _ => return,
    };
    draft.offload(index, cell(names, cells, "Name"), "large-receive-offload", on, false);
}

/// Headings of `netstat -s`, and what nstat calls their counters.
const SECTIONS: &[(&str, &[(&str, &str)])] = &[
    (
        "TCP Statistics",
        &[
            ("Segments Received", "TcpInSegs"),
            ("Segments Sent", "TcpOutSegs"),
            ("Segments Retransmitted", "TcpRetransSegs"),
        ],
    ),
    ("UDP Statistics", &[("Datagrams Received", "UdpInDatagrams"), ("Receive Errors", "UdpInErrors")]),
    ("IPv4 Statistics", &[]),
    ("IPv6 Statistics", &[]),
];

/// Reads a section of `netstat -s`. Counters of IPv4 and of IPv6 add up.
fn statistics(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let heading = rows[0].text.trim();
    let section = SECTIONS.iter().find(|(begins, _)| heading.starts_with(begins));
    let Some((begins, counters)) = section.filter(|_| !rows[0].prompt) else { return 0 };
    if !["", " for IPv4", " for IPv6"].contains(&&heading[begins.len()..]) {
        return 0;
    }
    let mut taken = 1;
    for row in together(&rows[1..]) {
        let Some((name, value)) = row.text.split_once(" = ") else { break };
        let Ok(value) = value.trim().parse::<u64>() else { break };
        taken += 1;
        if let Some((_, counter)) = counters.iter().find(|(printed, _)| *printed == name.trim()) {
            match heading.ends_with("IPv6") {
                true => draft.add(row.index, counter, value),
                false => draft.counter(row.index, *counter, value),
            }
        }
    }
    if taken > 1 { taken } else { 0 }
}

/// Rows of `netstat -e`: received and sent, and ip's names for them.
const TRAFFIC: &[(&str, &str)] =
    &[("Bytes", "bytes"), ("Unicast packets", "packets"), ("Discards", "dropped"), ("Errors", "errors")];

/// Reads `netstat -e`, which names no interface: it counts all of them together.
fn traffic(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let [title, head, body @ ..] = rows else { return 0 };
    if title.prompt || title.text.trim() != "Interface Statistics" || !head.words().eq(["Received", "Sent"]) {
        return 0;
    }
    let name = draft.unnamed(title.index, "netstat -e");
    let mut taken = 2;
    for row in body.iter().take_while(|row| !row.prompt) {
        let mut words = row.words().rev();
        let [sent, received] = [words.next(), words.next()].map(|word| word.and_then(|word| word.parse::<u64>().ok()));
        let label = words.rev().collect::<Vec<_>>().join(" ");
        if label.is_empty() && sent.is_none() || received.is_none() && !row.text.trim().starts_with("Unknown protocols")
        {
            break;
        }
        taken += 1;
        let known = TRAFFIC.iter().find(|(printed, _)| *printed == label).and_then(|(_, known)| Some((name?, known)));
        if let (Some((name, known)), Some(received), Some(sent)) = (known, received, sent) {
            draft.count(row.index, name, format!("rx_{known}"), received);
            draft.count(row.index, name, format!("tx_{known}"), sent);
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::super::tests::{host, read};
    use crate::OtherSystem;

    /// Microsoft's documentation of `Get-NetAdapterAdvancedProperty` and public listings: an adapter's table has 16
    /// characters and three dots of a long keyword.
    #[test]
    fn properties_of_an_adapter_become_offloads_duplex_and_mtu() {
        let host = host(
            "PS C:\\> Get-NetAdapterAdvancedProperty -Name \"Ethernet 2\"\n\n\
             Name                      DisplayName                    DisplayValue                   RegistryKeyword RegistryValue\n\
             ----                      -----------                    ------------                   --------------- -------------\n\
             Ethernet 2                Large Send Offload V2 (IPv4)   Disabled                       *LsoV2IPv4      {0}\n\
             Ethernet 2                Recv Segment Coalescing (IPv4) Enabled                        *RscIPv4        {1}\n\
             Ethernet 2                TCP Checksum Offload (IPv4)    Tx Enabled                     *TCPChecksum... {1}\n\
             Ethernet 2                Speed & Duplex                 100 Mbps Half Duplex           *SpeedDuplex    {3}\n\
             Ethernet 2                Jumbo Packet                   9014 Bytes                     *JumboPacket    {9014}\n",
        );
        let [adapter] = &host.interfaces[..] else { panic!("{host:?}") };
        assert_eq!((adapter.name.as_str(), adapter.half_duplex, adapter.rate), ("Ethernet 2", Some(true), Some(1e8)));
        assert_eq!(adapter.mtu, Some(9000));
        let offloads = ["tx-tcp-segmentation", "large-receive-offload", "rx-checksumming", "tx-checksumming"];
        assert_eq!(offloads.map(|name| adapter.offload(name)), [Some(false), Some(true), Some(false), Some(true)]);
        assert_eq!(host.setting("windows.adapter.Ethernet 2.Jumbo Packet").unwrap().value, "9014 Bytes");
        assert_eq!((host.system, host.other_system), (None, Some(OtherSystem::Windows)));
    }

    /// The table of an adapter that is up and one that is not, from a public listing.
    #[test]
    fn adapters_that_are_up_have_a_rate() {
        let host = host(
            "Name                       InterfaceDescription                     ifIndex Status       MacAddress             LinkSpeed\n\
             ----                       --------------------                     ------- ------       ----------             ---------\n\
             Ethernet 2                 ASIX AX88772B USB2.0 to Fast Ethernet…        55 Up           90-EB-78-14-21-7F       100 Mbps\n\
             Wi-Fi                      Intel(R) Wireless-AC 9560 160MHz              12 Disconnected 8E-36-6A-7A-BA-6A     866.7 Mbps\n",
        );
        let rates: Vec<_> = host.interfaces.iter().map(|adapter| (adapter.name.as_str(), adapter.rate)).collect();
        assert_eq!(rates, [("Ethernet 2", Some(1e8)), ("Wi-Fi", None)]);
    }

    #[test]
    fn protocol_counters_of_both_versions_add_up() {
        let host = host(
            "C:\\>netstat -s\n\nTCP Statistics for IPv4\n\n  Active Opens                        = 64644\n  \
             Segments Received                   = 19099006\n  Segments Sent                       = 18364045\n  \
             Segments Retransmitted              = 24199\n\nTCP Statistics for IPv6\n\n  \
             Segments Received                   = 104587\n  Segments Sent                       = 100502\n  \
             Segments Retransmitted              = 4152\n",
        );
        assert_eq!((host.counter("TcpRetransSegs"), host.counter("TcpOutSegs")), (Some(28_351), Some(18_464_547)));
    }

    /// The tail of netsh's list, and the head of the next command's: the template's settings are its own.
    #[test]
    fn a_list_ends_where_the_next_command_begins() {
        let host = host(
            "TCP Window Scaling heuristics Parameters\n----------------------------------------------\nWindow Scaling heuristics         : disabled\n\n\
             PS C:\\Users\\acs> Get-NetTCPSetting\n\nSettingName                   : Internet\nMinRto(ms)                    : 300\n",
        );
        let settings: Vec<_> =
            host.settings.iter().map(|setting| (setting.key.as_str(), setting.value.as_str())).collect();
        assert_eq!(settings, [("windows.tcp.heuristics", "disabled"), ("windows.tcp.internet.minrto", "300")]);
    }

    #[test]
    fn an_mtu_is_read_from_the_list_of_interfaces() {
        let host = host(
            "   MTU  MediaSenseState   Bytes In  Bytes Out  Interface\n------  ---------------  ---------  ---------  -------------\n\
             4294967295                1          0          0  Loopback Pseudo-Interface 1\n  1400                1  48917261    9821734  Ethernet 2\n",
        );
        let mtus: Vec<_> = host.interfaces.iter().map(|adapter| (adapter.name.as_str(), adapter.mtu)).collect();
        assert_eq!(mtus, [("Loopback Pseudo-Interface 1", None), ("Ethernet 2", Some(1400))]);
    }

    #[test]
    fn prose_is_none_of_it() {
        for text in [
            "C:\\> is a prompt",
            "TCP Global Parameters",
            "TCP Statistics for IPv4 are below",
            "Name  Value\n----  -----\na     b\n",
            "SettingNames : Internet",
            "> netsh is a program",
        ] {
            let read = read(text).filter(|(host, _)| !host.settings.is_empty() || !host.interfaces.is_empty());
            assert_eq!(read, None, "{text}");
        }
    }
}
