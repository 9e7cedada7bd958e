//! `packetdrill`: scripts that test a TCP stack packet by packet, each in a guest of its own.

use crate::{Failure, Jobs};
use base::access::AccessError;
use base::output;
use clap::{Args, ValueEnum};
use evidence::{counted, plain};
use lab::run::{self, Files, RunError, RunRequest};
use lab::{doctor, kernel};
use plan::recording;
use results::junit::{self, Case, Outcome};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

#[derive(Args)]
pub struct Arguments {
    /// Scripts (.pkt), or folders of them.
    #[arg(required = true, value_name = "SCRIPT")]
    scripts: Vec<PathBuf>,
    /// Guest kernel; several are compared with the first [default: the newest].
    #[arg(long = "kernel", value_name = "NAME")]
    kernels: Vec<String>,
    /// IP version; several are tried one after the other [default: the script's own, else all].
    #[arg(long = "ip-version", value_enum, value_name = "VERSION")]
    versions: Vec<IpVersion>,
    #[command(flatten)]
    jobs: Jobs,
    /// Write the result of every script as JUnit XML, for CI.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Folder for the recordings, which must be new [default: none is kept].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum IpVersion {
    Ipv4,
    Ipv6,
    #[value(name = "ipv4-mapped-ipv6")]
    Mapped,
}

/// Options of an IP version, as the kernel's own runner gives them (tools/testing/selftests/net/packetdrill/ksft_runner.sh).
const VERSIONS: [(IpVersion, &str, &str); 3] = [
    (
        IpVersion::Ipv4,
        "ipv4",
        "--local_ip=192.168.0.1 --gateway_ip=192.168.0.1 --netmask_ip=255.255.0.0 --remote_ip=192.0.2.1 \
         -D TFO_COOKIE=3021b9d889017eeb -D TFO_COOKIE_ZERO=b7c12350a90dc8f5 -D CMSG_LEVEL_IP=SOL_IP \
         -D CMSG_TYPE_RECVERR=IP_RECVERR",
    ),
    (
        IpVersion::Ipv6,
        "ipv6",
        "--mtu=1520 --local_ip=fd3d:0a0b:17d6::1 --gateway_ip=fd3d:0a0b:17d6:8888::1 --remote_ip=fd3d:fa7b:d17d::1 \
         -D TFO_COOKIE=c1d1e9742a47a9bc -D TFO_COOKIE_ZERO=82af1a8f9a205c34 -D CMSG_LEVEL_IP=SOL_IPV6 \
         -D CMSG_TYPE_RECVERR=IPV6_RECVERR",
    ),
    (
        IpVersion::Mapped,
        "ipv4-mapped-ipv6",
        "--local_ip=192.168.0.1 --gateway_ip=192.168.0.1 --netmask_ip=255.255.0.0 --remote_ip=192.0.2.1 \
         -D TFO_COOKIE=3021b9d889017eeb -D TFO_COOKIE_ZERO=b7c12350a90dc8f5 -D CMSG_LEVEL_IP=SOL_IPV6 \
         -D CMSG_TYPE_RECVERR=IPV6_RECVERR",
    ),
];

/// Longest script, and longest file beside it that it may call, bytes: all together are one word of a command line
/// (MAX_ARG_STRLEN of Linux is 128 KiB).
const MAX_FILE_BYTES: u64 = 32 << 10;
const MAX_COMMAND_BYTES: usize = 120 << 10;
/// Names of files beside scripts that they call.
const HELPERS: [&str; 2] = ["sh", "py"];
/// Kept end of packetdrill's output, bytes.
const SAID_BYTES: u32 = 1500;
/// IPv6 as any kernel has it: in the lab it is off until a device turns it on.
const IPV6: &str = "echo 0 > /proc/sys/net/ipv6/conf/default/disable_ipv6";
/// Begins the line after each run of packetdrill.
const MARK: &str = "goodput: packetdrill";

/// A script that is to run.
struct Script {
    name: String,
    versions: Vec<IpVersion>,
    command: String,
}

/// Results of a script in one kernel, by IP version: whether it passed, and what packetdrill said. Without any it did
/// not run.
type Results = BTreeMap<IpVersion, (bool, String)>;

pub fn execute(arguments: Arguments) -> Result<u8, Failure> {
    let program = kernel::find_program("packetdrill").ok_or_else(|| {
        Failure(
            "packetdrill is not installed\n\nhint: build it from https://github.com/google/packetdrill and copy it to \
             /usr/local/bin; docs/how-to/packetdrill.md has the commands"
                .into(),
        )
    })?;
    if !program.starts_with("/usr") {
        let place = program.display();
        return Err(Failure(format!(
            "{place} is not below /usr, and a guest sees no other program\n\nhint: copy it to /usr/local/bin"
        )));
    }
    doctor::can_start()?;
    let scripts = scripts(&arguments)?;
    let all = run_all(&arguments, &scripts)?;
    let code = print(&scripts, &all);
    if let Some(file) = &arguments.junit {
        output::file(file, &junit::xml("packetdrill", &cases(&scripts, &all))).map_err(AccessError::writing(file))?;
    }
    Ok(code)
}

fn scripts(arguments: &Arguments) -> Result<Vec<Script>, Failure> {
    let mut files = vec![];
    for path in &arguments.scripts {
        if path.is_dir() {
            let found = fs::read_dir(path).map_err(AccessError::reading(path))?;
            let mut found: Vec<PathBuf> = found.filter_map(|entry| Some(entry.ok()?.path())).collect();
            found.retain(|file| has_extension(file, "pkt"));
            if found.is_empty() {
                return Err(Failure(format!("{} has no scripts (.pkt)", plain::path(path))));
            }
            found.sort();
            files.extend(found);
        } else {
            files.push(path.clone());
        }
    }
    let mut seen = BTreeSet::new();
    let scripts = files.iter().map(|file| script(file, &arguments.versions));
    let scripts: Vec<Script> = scripts.collect::<Result<_, _>>()?;
    match scripts.iter().find(|script| !seen.insert(&script.name)) {
        Some(twice) => {
            Err(Failure(format!("two scripts are called {}\n\nhint: run them one after the other", twice.name)))
        }
        None => Ok(scripts),
    }
}

fn has_extension(file: &Path, extension: &str) -> bool {
    file.extension().is_some_and(|own| own == extension)
}

/// Whether a name needs no quotes in a shell or in TOML.
fn is_plain(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
}

fn script(file: &Path, asked: &[IpVersion]) -> Result<Script, Failure> {
    let text = read(file)?;
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if !is_plain(&name) || name.is_empty() {
        return Err(Failure(format!(
            "{}: its name has other characters than letters, digits, _, - and .",
            plain::path(file)
        )));
    }
    let own = own_version(&text);
    let versions = match (own, asked) {
        (Some(own), []) => vec![own],
        (Some(own), asked) => asked.iter().copied().filter(|version| *version == own).collect(),
        (None, []) => VERSIONS.map(|(version, ..)| version).into(),
        (None, asked) => asked.to_vec(),
    };
    let command = command(&name, file, &text, &versions)?;
    if command.len() > MAX_COMMAND_BYTES {
        return Err(Failure(format!("{} and the files that it may call are too long", plain::path(file))));
    }
    Ok(Script { name, versions, command })
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    let length = fs::metadata(file).map_err(AccessError::reading(file))?.len();
    if length > MAX_FILE_BYTES {
        return Err(Failure(format!("{} has {length} bytes, accepted: up to {MAX_FILE_BYTES}", plain::path(file))));
    }
    Ok(fs::read(file).map_err(AccessError::reading(file))?)
}

/// Returns the IP version that a script asks for with an option of its own.
fn own_version(text: &[u8]) -> Option<IpVersion> {
    let text = String::from_utf8_lossy(text);
    let word = text.lines().find_map(|line| line.strip_prefix("--ip_version="))?.trim().to_owned();
    VERSIONS.iter().find(|(_, name, _)| *name == word).map(|(version, ..)| *version)
}

/// Returns the command that writes a script and what it calls into the guest, and runs it in a namespace for each IP
/// version.
fn command(name: &str, file: &Path, text: &[u8], versions: &[IpVersion]) -> Result<String, Failure> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut command = "mkdir -p pd/own pd/common && cd pd/own || exit 1\n".to_owned();
    for (from, to) in [(folder.to_owned(), "."), (folder.join("../common"), "../common")] {
        for helper in helpers(&from) {
            let called = helper.file_name().unwrap_or_default().to_string_lossy().into_owned();
            put(&mut command, &format!("{to}/{called}"), &read(&helper)?);
        }
    }
    put(&mut command, "script.pkt", text);
    for version in versions {
        let (_, word, options) = VERSIONS.iter().find(|(own, ..)| own == version).expect("the table has all");
        let _ = writeln!(
            command,
            "unshare -n sh -c '{IPV6}; exec packetdrill --ip_version={word} {options} script.pkt' > said 2>&1; status=$?\n\
             tail -c {SAID_BYTES} said | sed 's/script.pkt/{name}.pkt/g'; echo; echo '{MARK} {word}' $status"
        );
    }
    Ok(command)
}

/// Returns the files in a folder that its scripts may call, in name order.
fn helpers(folder: &Path) -> Vec<PathBuf> {
    let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = fs::read_dir(place).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let is_helper = |file: &PathBuf| {
        let is_called = is_plain(&file.file_name().unwrap_or_default().to_string_lossy());
        HELPERS.iter().any(|extension| has_extension(file, extension)) && file.is_file() && is_called
    };
    let mut all: Vec<PathBuf> = entries.filter(is_helper).collect();
    all.sort();
    all
}

/// Adds a file to a command, as the format of a printf, with octal escapes where a byte is not plain.
fn put(command: &mut String, name: &str, bytes: &[u8]) {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        match byte {
            b'\n' => text.push('\n'),
            b'%' => text.push_str("%%"),
            b'\'' | b'\\' => drop(write!(text, "\\{byte:03o}")),
            b'\t' | b' '..=b'~' => text.push(char::from(*byte)),
            _ => drop(write!(text, "\\{byte:03o}")),
        }
    }
    let _ = writeln!(command, "printf -- '{text}' > {name} && chmod +x {name}");
}

/// Returns the experiment, a case for each script. packetdrill is the network of the host that it runs on, so the link
/// is of no account.
fn experiment(scripts: &[Script], kernels: &[String]) -> String {
    let mut text =
        "title = \"packetdrill\"\nfamily = \"both\"\n[path]\nrate = \"1 Gbit/s\"\nrtt = \"1 ms\"\nbuffer = \"1 BDP\"\n\
                    [hosts.sender]\nrun = [\"true\"]\n[repeat]\nseeds = 1\n"
            .to_owned();
    if kernels.len() > 1 {
        let _ = writeln!(text, "[vary]\nkernel = {kernels:?}");
    }
    for script in scripts {
        let command = serde_json::to_string(&script.command).expect("a text");
        let _ = writeln!(text, "[vary.script.\"{}\"]\n\"hosts.sender.run\" = [{command}]", script.name);
    }
    text
}

/// Runs all scripts in all kernels; returns the kernels, and the results of each script by kernel.
fn run_all(arguments: &Arguments, scripts: &[Script]) -> Result<(Vec<String>, Vec<Vec<Results>>), Failure> {
    let folder = TempDir::with_prefix("goodput-packetdrill-").map_err(AccessError::writing(&std::env::temp_dir()))?;
    let file = folder.path().join("packetdrill.toml");
    fs::write(&file, experiment(scripts, &arguments.kernels)).map_err(AccessError::writing(&file))?;
    let request = RunRequest {
        experiment: file,
        out: Some(arguments.out.clone().unwrap_or_else(|| folder.path().join("run"))),
        jobs: arguments.jobs.number(),
        replay: None,
        cache: false,
        kernel: if let [only] = &arguments.kernels[..] {
            Some(only.clone()).filter(|name| !name.is_empty())
        } else {
            None
        },
        seeds: None,
        vary: vec![],
        files: Files::Beside,
        allow_commands: false,
    };
    let run = run::record(&request)?;
    let plan = run.plan().map_err(RunError::from)?;
    let kernels = plan.kernels().into_iter().map(str::to_owned).collect::<Vec<_>>();
    let mut all: Vec<Vec<Results>> = scripts.iter().map(|_| vec![Results::new(); kernels.len()]).collect();
    for trial in plan.trials.iter().filter(|trial| run.is_finished(trial.index)) {
        let recording = run.trial(trial.index).map_err(recording::RecordingError::from).map_err(RunError::from)?;
        let facts = recording::facts(&recording).map_err(RunError::from)?;
        let own = |setting: &plan::Setting| setting.key == "script";
        let name = trial.point.iter().find(|setting| own(setting)).map(|setting| setting.value.as_str());
        let place = scripts.iter().position(|script| Some(script.name.as_str()) == name).unwrap_or(0);
        let at = kernels.iter().position(|kernel| *kernel == trial.kernel).unwrap_or(0);
        all[place][at] = facts.ran.first().map(|ran| results(&ran.output)).unwrap_or_default();
    }
    Ok((kernels, all))
}

/// Reads what packetdrill said and how it ended, for each IP version.
fn results(output: &str) -> Results {
    let mut all = Results::new();
    let mut said = String::new();
    for line in output.lines() {
        let ended = line.strip_prefix(MARK).and_then(|rest| rest.trim().split_once(' '));
        let version = ended.and_then(|(word, status)| {
            let (version, ..) = VERSIONS.iter().find(|(_, name, _)| *name == word)?;
            Some((*version, status))
        });
        match version {
            Some((version, status)) => drop(all.insert(version, (status == "0", said.trim().to_owned()))),
            None if line.trim().is_empty() => continue,
            None => {
                said += line;
                said.push('\n');
                continue;
            }
        }
        said.clear();
    }
    all
}

fn word(version: IpVersion) -> &'static str {
    VERSIONS.iter().find(|(own, ..)| *own == version).map_or("", |(_, word, _)| word)
}

/// Returns the outcome of a script in a kernel, and why it is not a pass.
fn outcome(script: &Script, results: &Results) -> (Outcome, String) {
    if results.len() < script.versions.len() {
        return (Outcome::Inconclusive, "did not run to its end".into());
    }
    let failed = results.iter().filter(|(_, (passed, _))| !passed);
    let why: Vec<String> = failed.map(|(version, (_, said))| format!("{}: {said}", word(*version))).collect();
    let outcome = if why.is_empty() { Outcome::Passed } else { Outcome::Failed };
    (outcome, why.join("\n"))
}

/// Prints the scripts that did not pass, and the counts for each kernel; returns the exit code.
fn print(scripts: &[Script], (kernels, all): &(Vec<String>, Vec<Vec<Results>>)) -> u8 {
    let mut code = 0;
    for (at, kernel) in kernels.iter().enumerate() {
        let outcomes: Vec<(Outcome, String)> =
            scripts.iter().zip(all).map(|(script, results)| outcome(script, &results[at])).collect();
        for (script, (outcome, why)) in
            scripts.iter().zip(&outcomes).filter(|(_, (outcome, _))| *outcome != Outcome::Passed)
        {
            let mark = if *outcome == Outcome::Failed { "failed" } else { "error " };
            out!("{mark}  {}", script.name);
            why.lines().for_each(|line| out!("        {}", plain::line(line)));
        }
        let count = |of: Outcome| outcomes.iter().filter(|(outcome, _)| *outcome == of).count();
        let [passed, failed, errors] = [Outcome::Passed, Outcome::Failed, Outcome::Inconclusive].map(count);
        let called = if kernel.is_empty() { "the newest kernel" } else { kernel };
        let mut rest = String::new();
        for (number, what) in [(failed, "failed"), (errors, "did not run to their end")] {
            if number > 0 {
                let _ = write!(rest, ", {number} {what}");
            }
        }
        out!("{called}: {} passed of {}{rest}", counted(passed, "script", "scripts"), scripts.len());
        code = code.max(match (errors, failed) {
            (0, 0) => 0,
            (0, _) => 1,
            _ => crate::COULD_NOT_RUN,
        });
    }
    for (at, kernel) in kernels.iter().enumerate().skip(1) {
        let passes = |script: &Script, results: &Results| outcome(script, results).0 == Outcome::Passed;
        let changed = |from: usize, to: usize| -> Vec<&str> {
            let both = scripts.iter().zip(all);
            both.filter(|(script, own)| passes(script, &own[from]) && !passes(script, &own[to]))
                .map(|(script, _)| script.name.as_str())
                .collect()
        };
        for (what, names) in [("fails", changed(0, at)), ("passes", changed(at, 0))] {
            if !names.is_empty() {
                out!("{kernel} {what}, unlike {}: {}", kernels[0], names.join(", "));
            }
        }
    }
    code
}

fn cases(scripts: &[Script], (kernels, all): &(Vec<String>, Vec<Vec<Results>>)) -> Vec<Case> {
    let of_kernel = |(at, kernel): (usize, &String)| {
        let case = |(script, results): (&Script, &Vec<Results>)| {
            let (outcome, text) = outcome(script, &results[at]);
            let name = if kernels.len() > 1 { format!("{}, {kernel}", script.name) } else { script.name.clone() };
            Case { name, outcome, text }
        };
        scripts.iter().zip(all).map(case).collect::<Vec<_>>()
    };
    kernels.iter().enumerate().flat_map(of_kernel).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_arrives_byte_for_byte_whatever_it_contains() {
        let bytes: Vec<u8> = b"--".iter().copied().chain(1..=255).chain(*b"it's 100 % \\n\n").collect();
        let folder = TempDir::new().unwrap();
        let mut command = String::new();
        put(&mut command, "file", &bytes);
        let status = std::process::Command::new("sh").arg("-c").arg(&command).current_dir(folder.path()).status();
        assert!(status.unwrap().success());
        assert_eq!(fs::read(folder.path().join("file")).unwrap(), bytes);
    }

    #[test]
    fn what_packetdrill_said_belongs_to_its_ip_version() {
        let output = "\n\ngoodput: packetdrill ipv4 0\nx.pkt:9: error\nsent 1\n\ngoodput: packetdrill ipv6 1\n";
        let found = results(output);
        assert_eq!(found[&IpVersion::Ipv4], (true, String::new()));
        assert_eq!(found[&IpVersion::Ipv6], (false, "x.pkt:9: error\nsent 1".into()));
        let script =
            |versions: &[IpVersion]| Script { name: "x".into(), versions: versions.into(), command: String::new() };
        let both = script(&[IpVersion::Ipv4, IpVersion::Ipv6]);
        assert_eq!(outcome(&both, &found), (Outcome::Failed, "ipv6: x.pkt:9: error\nsent 1".into()));
        let three = script(&[IpVersion::Ipv4, IpVersion::Ipv6, IpVersion::Mapped]);
        assert_eq!(outcome(&three, &found).0, Outcome::Inconclusive);
    }

    #[test]
    fn a_script_may_ask_for_one_ip_version() {
        assert_eq!(own_version(b"// x\n--ip_version=ipv6\n"), Some(IpVersion::Ipv6));
        assert_eq!(own_version(b"--mss=9000\n"), None);
    }
}
