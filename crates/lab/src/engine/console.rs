//! Extracts the lines of a guest's console that explain its end.

/// Words in the first line of a kernel fault.
const FAULT_MARKS: &[&str] = &["BUG:", "Oops", "WARNING:", "Bus error", "Kernel panic"];

/// Functions that report a fault and are not part of it (kernel/panic.c, arch/um/kernel/trap.c,
/// arch/um/os-Linux/signal.c).
const REPORTING_FUNCTIONS: &[&str] = &[
    "panic",
    "vpanic",
    "add_taint",
    "check_panic_on_warn",
    "__warn",
    "warn_slowpath_fmt",
    "relay_signal",
    "sig_handler_common",
    "sig_handler",
    "hard_handler",
];

/// Meaning of the signals on which the kernel panics (signal(7)).
const SIGNALS: &[(&str, &str)] = &[
    ("Kernel mode signal 4", "SIGILL, illegal instruction"),
    ("Kernel mode signal 7", "SIGBUS, host out of memory"),
    ("Kernel mode signal 8", "SIGFPE, division by zero"),
];

/// Most lines and functions to show.
const MAX_SHOWN: usize = 10;

/// Returns the kernel's message about a fault and its location, or the end of the console if there is none.
pub fn words(console: &str) -> String {
    indented(fault(console))
}

/// Returns the kernel's location when it was stopped.
pub fn place(console: &str) -> String {
    indented(functions(console))
}

/// True if the kernel ended because the machine lets it neither filter nor trace its programs' system calls
/// (arch/um/os-Linux/start_up.c).
pub fn has_no_hold(console: &str) -> bool {
    ["check_ptrace :", "check_sysemu :", "start_ptraced_child :"].iter().any(|place| console.contains(place))
}

fn indented(lines: Vec<String>) -> String {
    match &lines[..] {
        [] => "  (console is empty)".into(),
        lines => lines.iter().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n"),
    }
}

fn fault(text: &str) -> Vec<String> {
    let is_mark = |line: &&str| FAULT_MARKS.iter().any(|mark| line.contains(mark));
    let marked: Vec<&str> = text.lines().filter(is_mark).collect();
    if marked.is_empty() {
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        return lines[lines.len().saturating_sub(MAX_SHOWN)..].iter().map(|line| line.to_string()).collect();
    }
    let mut all: Vec<String> = marked.into_iter().take(MAX_SHOWN).map(explained).collect();
    all.extend(functions(text));
    all
}

fn explained(line: &str) -> String {
    let meaning = SIGNALS.iter().find(|(signal, _)| line.ends_with(signal));
    meaning.map_or(line.to_owned(), |(_, meaning)| format!("{line} ({meaning})"))
}

/// Returns the function at fault and its callers. The list may have extra entries: the kernel prints every code address
/// on the stack.
fn functions(text: &str) -> Vec<String> {
    let at = text.lines().filter_map(|line| line.strip_prefix("RIP: ")?.split_once(':')).map(|(_, at)| at.trim());
    let trace = text.lines().skip_while(|line| !line.starts_with("Call Trace:")).skip(1);
    let callers = trace.map_while(|line| line.trim_start().strip_prefix("[<")?.split_once(">] "));
    let callers = callers.map(|(_, caller)| caller.trim_start_matches("? "));
    let tells = |place: &&str| REPORTING_FUNCTIONS.contains(&place.split(['+', '.']).next().unwrap_or_default());
    let mut all: Vec<&str> = at.take(1).chain(callers).filter(|place| !tells(place)).collect();
    all.dedup();
    all.into_iter().take(MAX_SHOWN).map(|place| format!("at {place}")).collect()
}

#[cfg(test)]
#[path = "console/tests.rs"]
mod tests;
