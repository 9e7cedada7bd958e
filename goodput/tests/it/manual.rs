//! Completions and man pages know every command and option.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

pub fn goodput(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_goodput")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Names of the commands that help lists below a command.
pub fn commands(path: &[&str]) -> Vec<String> {
    let help = goodput(&[path, &["-h"]].concat());
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = listed.take_while(|line| line.starts_with("  ")).filter(|line| !line.starts_with("   "));
    names.map(|line| line.split_whitespace().next().unwrap().to_owned()).filter(|name| name != "help").collect()
}

#[test]
fn every_command_has_a_man_page_with_its_options() {
    let folder = tempfile::tempdir().unwrap();
    goodput(&["man", folder.path().to_str().unwrap()]);
    let top = commands(&[]);
    assert!(top.iter().any(|name| name == "diagnose"), "{top:?}");
    let nested = commands(&["kernel"]);
    let paths = top.iter().map(|name| vec![name.as_str()]);
    let paths: Vec<Vec<&str>> = paths.chain(nested.iter().map(|name| vec!["kernel", name])).collect();
    for path in paths {
        let page = folder.path().join(format!("goodput-{}.1", path.join("-")));
        let page = fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
        let page = page.replace('\\', "");
        assert!(page.contains(".SH DESCRIPTION"), "{path:?}");
        let help = goodput(&[&path[..], &["-h"]].concat());
        let options = help.split_whitespace().filter(|word| word.starts_with("--"));
        for option in options.map(|word| word.trim_end_matches([',', ']'])) {
            assert!(page.contains(option), "{path:?} {option}");
        }
    }
}

#[test]
fn bash_completes_commands_and_options() {
    let script = goodput(&["completions", "bash"]);
    let completed = |words: &[&str]| {
        let (last, before) = (words.len() - 1, words.len() - 2);
        let ask = format!(
            "COMP_WORDS=({}); COMP_CWORD={last}; _goodput goodput '{}' '{}'; echo \"${{COMPREPLY[*]}}\"",
            words.join(" "),
            words[last],
            words[before]
        );
        let mut bash =
            Command::new("bash").arg("-s").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("bash");
        bash.stdin.take().unwrap().write_all(format!("{script}\n{ask}\n").as_bytes()).unwrap();
        String::from_utf8(bash.wait_with_output().unwrap().stdout).unwrap().trim().to_owned()
    };
    assert_eq!(completed(&["goodput", "diag"]), "diagnose");
    assert_eq!(completed(&["goodput", "kernel", "li"]), "list");
    assert_eq!(completed(&["goodput", "run", "--dry"]), "--dry-run");
}

#[test]
fn other_shells_get_scripts_of_their_own() {
    for (shell, mark) in [("zsh", "#compdef goodput"), ("fish", "complete -c goodput")] {
        let script = goodput(&["completions", shell]);
        assert!(script.contains(mark) && script.contains("diagnose"), "{shell}");
    }
}
