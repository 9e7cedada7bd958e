//! The programs that set a network up, goodput's own or the host's, run in the thread's namespace.

use crate::sys;
use std::io::{ErrorKind, Write};
use std::process::{Child, Command, Stdio};
use wire::Tool;

/// Search path of programs: `wire::TOOLS`, then the host's folders.
const PATH: &str = "/tools:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Environment of every program. `tc` looks for netem's distributions in TC_LIB_DIR (`get_tc_lib` of iproute2).
pub const ENVIRONMENT: [(&str, &str); 2] = [("PATH", PATH), ("TC_LIB_DIR", wire::TOOLS)];

/// Runs a tool on its lines; returns its output, or the line that it refused and why. Its loader's library search takes
/// virtual time that depends on the processor (glibc-hwcaps, ld.so(8)), so the tool gets its lines at a settled time.
pub fn run(tool: Tool, lines: &[String]) -> Result<String, String> {
    if lines.is_empty() {
        return Ok(String::new());
    }
    let ready = start(tool)?;
    sys::settle();
    ready.take(lines)
}

/// Returns the output of `nft -json list counters`.
pub fn counters() -> Result<String, String> {
    call("nft", &["-json", "list", "counters"])
}

/// A tool that waits for its lines; `wg` takes none and is called for each.
pub enum Ready {
    Batch(Tool, Child),
    Calls(&'static str),
}

/// Starts a tool in the thread's namespace.
pub fn start(tool: Tool) -> Result<Ready, String> {
    let args: &[&str] = match tool {
        Tool::Ip | Tool::Tc | Tool::Bridge => &["-json", "-batch", "-"],
        Tool::Nft => &["-f", "-"],
        Tool::Wg => return Ok(Ready::Calls(name(tool))),
    };
    Ok(Ready::Batch(tool, spawn(name(tool), args)?))
}

fn name(tool: Tool) -> &'static str {
    match tool {
        Tool::Ip => "ip",
        Tool::Tc => "tc",
        Tool::Bridge => "bridge",
        Tool::Nft => "nft",
        Tool::Wg => "wg",
    }
}

impl Ready {
    /// Gives the tool all its lines and waits for its end.
    pub fn take(self, lines: &[String]) -> Result<String, String> {
        match self {
            Ready::Batch(tool, child) => converse(child, lines).map_err(|stderr| match tool {
                Tool::Nft => format!("`nft -f` failed: {}", refused(&stderr, lines)),
                _ => format!("`{} -batch` failed: {}", name(tool), blamed(&stderr, lines)),
            }),
            Ready::Calls(program) => {
                let call = |line: &String| call(program, &line.split_whitespace().collect::<Vec<_>>());
                lines.iter().map(call).collect()
            }
        }
    }
}

fn call(program: &str, args: &[&str]) -> Result<String, String> {
    let command = || format!("{program} {}", args.join(" "));
    converse(spawn(program, args)?, &[]).map_err(|stderr| format!("`{}` failed: {}", command(), stderr.trim()))
}

fn spawn(program: &str, args: &[&str]) -> Result<Child, String> {
    Command::new(program)
        .args(args)
        .envs(ENVIRONMENT)
        .env("LD_LIBRARY_PATH", wire::TOOLS)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("cannot run `{program}`: {e}"))
}

/// Feeds the lines to a program; returns its standard output, or its standard error if it failed.
fn converse(mut child: Child, lines: &[String]) -> Result<String, String> {
    if let Some(mut stdin) = child.stdin.take() {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        match stdin.write_all(text.as_bytes()) {
            // The program refused an earlier line and closed its input; its standard error says why.
            Err(e) if e.kind() != ErrorKind::BrokenPipe => return Err(e.to_string()),
            _ => {}
        }
    }
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

/// Names the line that iproute2 refused, from `Command failed -:LINE` at the end of its error.
fn blamed(stderr: &str, lines: &[String]) -> String {
    let number = stderr.lines().find_map(|l| l.strip_prefix("Command failed -:"));
    let line = number.and_then(|n| numbered(n, lines));
    match line {
        Some(line) => format!("`{line}`: {}", stderr.lines().next().unwrap_or("").trim()),
        None => stderr.trim().to_string(),
    }
}

/// Names the line that nft refused, from `/dev/stdin:LINE:COLUMNS: Error: WHY`.
fn refused(stderr: &str, lines: &[String]) -> String {
    let parts = stderr.lines().find_map(|l| {
        let (number, rest) = l.strip_prefix("/dev/stdin:")?.split_once(':')?;
        let (_, why) = rest.split_once(": ")?;
        Some((numbered(number, lines)?, why))
    });
    match parts {
        Some((line, why)) => format!("`{}`: {}", line.trim(), why.strip_prefix("Error: ").unwrap_or(why)),
        None => stderr.trim().to_string(),
    }
}

/// Returns the line of this number; one element may contain several lines.
fn numbered<'a>(number: &str, lines: &'a [String]) -> Option<&'a str> {
    let number: usize = number.trim().parse().ok()?;
    lines.iter().flat_map(|line| line.split('\n')).nth(number.checked_sub(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_tools_come_first() {
        assert_eq!(PATH.split(':').next(), Some(wire::TOOLS));
    }

    #[test]
    fn the_refused_line_is_named() {
        let lines = ["table ip t {".to_string(), "  chain c {\n    bogus\n  }\n}".to_string()];
        let stderr = "/dev/stdin:3:5-9: Error: syntax error, unexpected string\n    bogus\n    ^^^^^\n";
        assert_eq!(refused(stderr, &lines), "`bogus`: syntax error, unexpected string");
        let stderr = "RTNETLINK answers: File exists\nCommand failed -:1\n";
        assert_eq!(blamed(stderr, &lines), "`table ip t {`: RTNETLINK answers: File exists");
    }
}
