//! Reads the operating system and its version.

use super::draft::Draft;
use super::row::HostRow;
use crate::{OtherSystem, System};

pub(super) fn read(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let row = &rows[0];
    if let Some((system, version)) = other(row.text).filter(|_| !row.prompt) {
        draft.other_version(system, version);
        return 1;
    }
    let found = if row.prompt { None } else { printed(row.text).or_else(|| alone(row, draft)) };
    let Some((system, version)) = found else { return 0 };
    draft.version(system, version);
    1
}

/// Recognizes `uname -a` of macOS and of Cygwin, which iperf3 -V prints too, and the banner of Windows' cmd.
fn other(text: &str) -> Option<(OtherSystem, &str)> {
    if let Some(version) = text.trim().strip_prefix("Microsoft Windows [Version ") {
        return Some((OtherSystem::Windows, version.strip_suffix(']')?)).filter(|(_, version)| is_version(version));
    }
    let mut words = text.split_whitespace();
    let (first, third) = (words.next()?, words.nth(1)?);
    if first == "Darwin" && text.contains(" Darwin Kernel Version ") {
        return Some((OtherSystem::MacOs, third));
    }
    let ported = ["CYGWIN_NT-", "MSYS_NT-", "MINGW64_NT-", "MINGW32_NT-"];
    let version = ported.iter().find_map(|begins| first.strip_prefix(begins))?;
    is_version(version).then_some((OtherSystem::Windows, version))
}

/// Recognizes a line that names system and version.
fn printed(text: &str) -> Option<(System, &str)> {
    if let Some((_, banner)) = text.split_once("(GNU/Linux ") {
        let version = banner.split_once(')')?.0.split_whitespace().next()?;
        return is_version(version).then_some((System::Linux, version));
    }
    let mut words = text.split_whitespace();
    let [first, second, third] = [words.next()?, words.next()?, words.next().unwrap_or("")];
    match first {
        // `uname -a`, /proc/version.
        "Linux" if second == "version" && is_version(third) => Some((System::Linux, third)),
        "Linux" if is_version(third) && words.any(|word| word.starts_with('#')) => Some((System::Linux, third)),
        "FreeBSD" if is_release(second) && (third.is_empty() || third.starts_with(['(', '#', '|'])) => {
            Some((System::FreeBsd, second))
        }
        "FreeBSD"
            if is_release(second) && third.contains('-') && words.next().is_some_and(|word| word.starts_with('#')) =>
        {
            Some((System::FreeBsd, second))
        }
        "FreeBSD" if is_release(third) && words.next() == Some("FreeBSD") => Some((System::FreeBsd, third)),
        _ => None,
    }
}

/// Recognizes the output of `uname -r` and `freebsd-version`: a version and nothing else.
fn alone<'a>(row: &HostRow<'a>, draft: &Draft<'_>) -> Option<(System, &'a str)> {
    let command = draft.command?;
    let asked = command.arguments_of("freebsd-version").is_some()
        || command.arguments_of("uname").is_some_and(|mut words| words.any(|w| w == "-r"));
    let mut words = row.words();
    let version = words.next()?;
    if !asked || words.next().is_some() {
        return None;
    }
    match version {
        _ if is_release(version) => Some((System::FreeBsd, version)),
        _ if is_version(version) && command.arguments_of("uname").is_some() => Some((System::Linux, version)),
        _ => None,
    }
}

/// True for `6.8.0-55-generic`.
fn is_version(word: &str) -> bool {
    let (major, rest) = word.split_once('.').unwrap_or(("", ""));
    !major.is_empty() && major.bytes().all(|b| b.is_ascii_digit()) && rest.starts_with(|c: char| c.is_ascii_digit())
}

/// True for `14.2-RELEASE-p1`, `15.0-CURRENT`.
fn is_release(word: &str) -> bool {
    let branches = ["-RELEASE", "-CURRENT", "-STABLE", "-ALPHA", "-BETA", "-RC", "-PRERELEASE"];
    is_version(word) && branches.iter().any(|branch| word.contains(branch))
}

#[cfg(test)]
mod tests {
    use super::super::tests::host;
    use super::*;

    #[test]
    fn the_shapes_in_which_a_version_is_printed_are_read() {
        let table = [
            ("Linux vm 6.18.44-fc-v669 #1 SMP PREEMPT_DYNAMIC @0 x86_64 GNU/Linux", System::Linux, "6.18.44-fc-v669"),
            ("Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org) (gcc-12)", System::Linux, "6.1.0-18-amd64"),
            ("Ubuntu server 24.04.2 LTS (GNU/Linux 6.8.0-55-generic x86_64) |", System::Linux, "6.8.0-55-generic"),
            ("$ uname -r\n5.10.0-8-amd64", System::Linux, "5.10.0-8-amd64"),
            ("FreeBSD 15.0-CURRENT (GENERIC) #0 main-6f6c07813b38: Fri Mar 21 2025 |", System::FreeBsd, "15.0-CURRENT"),
            (
                "FreeBSD box 14.2-RELEASE FreeBSD 14.2-RELEASE releng/14.2-n269506 GENERIC amd64",
                System::FreeBsd,
                "14.2-RELEASE",
            ),
            ("# freebsd-version -k\n14.1-RELEASE-p5\n", System::FreeBsd, "14.1-RELEASE-p5"),
            ("kern.osrelease: 14.2-STABLE", System::FreeBsd, "14.2-STABLE"),
        ];
        for (text, system, version) in table {
            let host = host(text);
            assert_eq!((host.system, host.version.as_deref()), (Some(system), Some(version)), "{text}");
        }
    }

    #[test]
    fn other_systems_are_recognized_by_the_same_line() {
        let table = [
            (
                "Darwin MacBook-Pro.local 19.6.0 Darwin Kernel Version 19.6.0: Thu May  6 00:48:39 PDT 2021; root:xnu-6153.141.33~1/RELEASE_X86_64 x86_64",
                OtherSystem::MacOs,
                "19.6.0",
            ),
            ("CYGWIN_NT-10.0 WIN-HOST 2.5.1(0.297/5/3) 2016-04-21 22:14 x86_64", OtherSystem::Windows, "10.0"),
            ("Microsoft Windows [Version 10.0.19045.3930]", OtherSystem::Windows, "10.0.19045.3930"),
        ];
        for (text, system, version) in table {
            let host = host(text);
            assert_eq!((host.system, host.other_system), (None, Some(system)), "{text}");
            assert_eq!(host.version.as_deref(), Some(version), "{text}");
        }
    }

    #[test]
    fn prose_about_versions_is_no_version() {
        for text in [
            "FreeBSD 14.X is slow",
            "FreeBSD 14.2-RELEASE works",
            "After 13.2-RELEASE",
            "Linux is 6.8",
            "Linux kernel 6.8.0 was used",
            "14.2-RELEASE",
            "6.8.0",
        ] {
            assert_eq!(super::super::tests::read(text), None, "{text}");
        }
    }

    #[test]
    fn a_file_about_two_systems_is_about_neither() {
        let host = host("FreeBSD 15.0-CURRENT\nLinux vm 6.8.0 #1 SMP x86_64 GNU/Linux");
        assert_eq!((host.system, host.version), (None, None));
        let host = super::super::tests::host("Linux a 6.8.0 #1 SMP\nLinux b 6.11.0 #1 SMP");
        assert_eq!((host.system, host.version), (Some(System::Linux), None));
    }
}
