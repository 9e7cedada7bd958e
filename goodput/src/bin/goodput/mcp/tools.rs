//! The tools, each a row, and how arguments become the command line of goodput itself.
//!
//! What is no row cannot be asked for: nothing here changes a host, logs in to one, or adds a kernel.

use serde_json::{Map, Value, json};
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// A tool: the words of its command, and what it takes.
pub struct Tool {
    pub name: &'static str,
    about: &'static str,
    command: &'static [&'static str],
    takes: &'static [Argument],
    /// Longest time, seconds.
    seconds: u64,
}

struct Argument {
    name: &'static str,
    about: &'static str,
    form: Form,
    is_required: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// Texts with names: files of the command.
    Texts,
    /// Paths below the server's folder: files, runs.
    Paths,
    /// One experiment, as text.
    Experiment,
    /// A word of the command.
    Word,
    /// Several words `NAME=VALUE` of the command.
    Settings,
    /// `--name=VALUE`.
    Option,
    /// `--name`, if true.
    Flag,
}

const fn optional(name: &'static str, form: Form, about: &'static str) -> Argument {
    Argument { name, about, form, is_required: false }
}

const fn required(name: &'static str, form: Form, about: &'static str) -> Argument {
    Argument { name, about, form, is_required: true }
}

const TEXTS: Argument = optional("texts", Form::Texts, "what programs printed, or a whole ticket, word by word");
const PATHS: Argument =
    optional("paths", Form::Paths, "files and runs below the server's folder; RUN:POINT is a part of a run");
const RATE: Argument = optional("rate", Form::Option, "what the link should carry, \"1 Gbit/s\"");
const RTT: Argument = optional("rtt", Form::Option, "RTT of the idle path, \"20 ms\"");
const BUDGET: Argument = optional("budget", Form::Option, "core time for the lab, \"60s\"");
const JSON: Argument = optional("json", Form::Flag, "answer in JSON, by `goodput schema TOOL`, in place of a page");

/// Longest time of what needs no lab, and of what does, seconds.
const PURE_S: u64 = 60;
const LAB_S: u64 = 900;

pub const TOOLS: &[Tool] = &[
    Tool {
        name: "read",
        about: "Show what goodput reads in output of iperf3, ss, ping, sysctl, captures, flent and others, and the lines that it cannot read.",
        command: &["import"],
        takes: &[TEXTS, PATHS, JSON],
        seconds: PURE_S,
    },
    Tool {
        name: "diagnose",
        about: "Find what limits a TCP transfer: the cause, its figures with file and line, the fix, the next measurement.",
        command: &["diagnose"],
        takes: &[TEXTS, PATHS, RATE, RTT, optional("verbose", Form::Flag, "all figures, undo, unread lines"), JSON],
        seconds: PURE_S,
    },
    Tool {
        name: "facts",
        about: "Take the facts of listings as a file of facts, to complete and to test.",
        command: &["facts"],
        takes: &[TEXTS, PATHS, JSON],
        seconds: PURE_S,
    },
    Tool {
        name: "calculate",
        about: "Calculate a formula of TCP over values or intervals; without arguments, list the formulas.",
        command: &["calculate"],
        takes: &[
            optional("formula", Form::Word, "its name"),
            optional("settings", Form::Settings, "\"mss=1448B\", \"rtt=200 to 220 ms\""),
            JSON,
        ],
        seconds: PURE_S,
    },
    Tool {
        name: "test",
        about: "Test which causes a file of facts allows: arithmetic over all runs, then the lab; what to measure next.",
        command: &["test"],
        takes: &[
            TEXTS,
            PATHS,
            optional("that", Form::Option, "the suspected template, \"random-loss,p=0.001 to 0.01 %\""),
            optional("against", Form::Option, "a rival template"),
            optional("fix", Form::Option, "a change to predict, \"congestion=bbr\""),
            optional("arithmetic", Form::Flag, "no lab, no kernel"),
            BUDGET,
            JSON,
        ],
        seconds: LAB_S,
    },
    Tool {
        name: "check",
        about: "Check an experiment without running it: errors with line and column, the network's commands.",
        command: &["check"],
        takes: &[required("experiment", Form::Experiment, "the experiment file, TOML"), JSON],
        seconds: PURE_S,
    },
    Tool {
        name: "run",
        about: "Run an experiment in the lab, real TCP in virtual time; none with commands of its own. The run's folder stays below the server's.",
        command: &["run", "--yes"],
        takes: &[
            required("experiment", Form::Experiment, "the experiment file, TOML"),
            optional("seeds", Form::Option, "\"5\" or \"101..110\""),
            optional("dry-run", Form::Flag, "only say how many trials and how long"),
            JSON,
        ],
        seconds: LAB_S,
    },
    Tool {
        name: "compare",
        about: "Compare two runs, two points of a run, or two listings of iperf3, the first being the baseline.",
        command: &["compare"],
        takes: &[TEXTS, PATHS, optional("margin", Form::Option, "percent below which nothing differs"), JSON],
        seconds: PURE_S,
    },
    Tool {
        name: "prove",
        about: "Find the mechanisms that reproduce a transfer in the lab, and the change that helps under all of them.",
        command: &["prove"],
        takes: &[TEXTS, PATHS, RATE, RTT, BUDGET, JSON],
        seconds: LAB_S,
    },
    Tool {
        name: "advise",
        about: "Say what to set for a path: buffers, congestion control, MTU, and what that brings. It sets nothing.",
        command: &["advise"],
        takes: &[
            required("rate", Form::Option, "rate of the bottleneck"),
            required("rtt", Form::Option, "RTT of the idle path"),
            optional("flows", Form::Option, "flows that share it"),
            optional("loss", Form::Option, "loss event rate, \"0.01 %\""),
            optional("os", Form::Option, "linux or freebsd"),
            optional("tunnel", Form::Option, "\"wireguard\", \"vxlan,wireguard\""),
            JSON,
        ],
        seconds: PURE_S,
    },
    Tool {
        name: "explain",
        about: "Explain a rule of the diagnosis: signs, causes, fixes, commands; without a name, list the rules.",
        command: &["explain"],
        takes: &[optional("rule", Form::Word, "its name, as diagnose prints it")],
        seconds: PURE_S,
    },
];

/// Why a call cannot start.
#[derive(Debug)]
pub struct Refused(pub String);

/// A command line, and the time that it has.
pub struct Work {
    pub arguments: Vec<OsString>,
    /// Whether it leaves a folder below the server's.
    pub leaves: bool,
    pub limit: Duration,
}

impl Tool {
    pub fn find(name: &str) -> Option<&'static Tool> {
        TOOLS.iter().find(|tool| tool.name == name)
    }

    pub fn described(&self) -> Value {
        let properties: Map<String, Value> = self.takes.iter().map(|one| (one.name.to_owned(), one.schema())).collect();
        let required: Vec<&str> = self.takes.iter().filter(|one| one.is_required).map(|one| one.name).collect();
        json!({
            "name": self.name,
            "description": self.about,
            "inputSchema": {
                "type": "object", "properties": properties, "required": required, "additionalProperties": false
            },
            "annotations": { "readOnlyHint": self.name != "run" && self.name != "prove", "openWorldHint": false },
        })
    }

    /// Returns the command line for arguments. Texts become files in `scratch`; paths lie below `folder`.
    pub fn work(&self, given: &Map<String, Value>, folder: &Path, scratch: &Path) -> Result<Work, Refused> {
        if let Some(other) = given.keys().find(|key| !self.takes.iter().any(|one| one.name == *key)) {
            let known: Vec<&str> = self.takes.iter().map(|one| one.name).collect();
            return Err(Refused(format!(
                "{} has no argument \"{other}\"\n\naccepted: {}",
                self.name,
                known.join(", ")
            )));
        }
        if let Some(lacks) = self.takes.iter().find(|one| one.is_required && !given.contains_key(one.name)) {
            return Err(Refused(format!("{} needs {}: {}", self.name, lacks.name, lacks.about)));
        }
        let leaves = ["run", "prove"].contains(&self.name);
        // The pages of a command name its texts as they stand in its folder.
        let beside = if leaves { scratch } else { Path::new("") };
        let (mut options, mut words) = (vec![], vec![]);
        for argument in self.takes {
            let Some(value) = given.get(argument.name).filter(|value| !value.is_null()) else { continue };
            let wrong = || Refused(format!("{} is not {}", argument.name, argument.kind()));
            match argument.form {
                Form::Texts => words.extend(texts(value, scratch)?.into_iter().map(|name| beside.join(name).into())),
                Form::Paths => {
                    for path in value.as_array().ok_or_else(wrong)? {
                        words.push(below(path.as_str().ok_or_else(wrong)?, folder)?.into());
                    }
                }
                Form::Experiment => {
                    let name = experiment(value.as_str().ok_or_else(wrong)?, self.name == "run", scratch)?;
                    words.push(beside.join(name).into());
                }
                Form::Word => words.push(word(value.as_str().ok_or_else(wrong)?)?),
                Form::Settings => {
                    for setting in value.as_array().ok_or_else(wrong)? {
                        words.push(word(setting.as_str().ok_or_else(wrong)?)?);
                    }
                }
                Form::Option => {
                    let text = value.as_str().map(str::to_owned).or_else(|| value.as_number().map(|n| n.to_string()));
                    options.push(format!("--{}={}", argument.name, text.ok_or_else(wrong)?).into());
                }
                Form::Flag if value.as_bool().ok_or_else(wrong)? => options.push(format!("--{}", argument.name).into()),
                Form::Flag => {}
            }
        }
        let command = self.command.iter().map(OsString::from);
        Ok(Work {
            arguments: command.chain(options).chain(words).collect(),
            leaves,
            limit: Duration::from_secs(self.seconds),
        })
    }
}

impl Argument {
    fn kind(&self) -> &'static str {
        match self.form {
            Form::Texts => "a list of { name, text }",
            Form::Paths | Form::Settings => "a list of texts",
            Form::Experiment | Form::Word => "a text",
            Form::Option => "a text or a number",
            Form::Flag => "true or false",
        }
    }

    fn schema(&self) -> Value {
        let text = json!({ "type": "string" });
        let mut schema = match self.form {
            Form::Texts => json!({
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": { "name": text, "text": text },
                    "required": ["name", "text"],
                    "additionalProperties": false
                }
            }),
            Form::Paths | Form::Settings => json!({ "type": "array", "items": text }),
            Form::Experiment | Form::Word => text,
            Form::Option => json!({ "type": ["string", "number"] }),
            Form::Flag => json!({ "type": "boolean" }),
        };
        schema["description"] = self.about.into();
        schema
    }
}

/// A word that cannot be taken for an option.
fn word(text: &str) -> Result<OsString, Refused> {
    match text.starts_with('-') || text.is_empty() {
        true => Err(Refused(format!("\"{text}\" is no name"))),
        false => Ok(text.into()),
    }
}

/// Longest name of a text, characters.
const MAX_NAME_CHARS: usize = 80;

fn texts(value: &Value, scratch: &Path) -> Result<Vec<OsString>, Refused> {
    let wrong = || Refused("texts is a list of { name, text }".into());
    let mut names: Vec<OsString> = vec![];
    for one in value.as_array().ok_or_else(wrong)? {
        let (name, text) = one["name"].as_str().zip(one["text"].as_str()).ok_or_else(wrong)?;
        let is_plain = name.len() <= MAX_NAME_CHARS
            && name.starts_with(|c: char| c.is_ascii_alphanumeric())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
            && !names.contains(&name.into());
        if !is_plain {
            return Err(Refused(format!(
                "\"{name}\" is no name of a text\n\naccepted: letters, digits, . _ -, each name once"
            )));
        }
        put(&scratch.join(name), text)?;
        names.push(name.into());
    }
    Ok(names)
}

fn put(path: &Path, text: &str) -> Result<(), Refused> {
    fs::write(path, text).map_err(|error| Refused(format!("the text cannot be kept: {error}")))
}

/// Returns the whole path of a file or run below the folder; `RUN:POINT` names a part of it.
fn below(text: &str, folder: &Path) -> Result<PathBuf, Refused> {
    let refused = || Refused(format!("\"{text}\" is no file or run below the server's folder"));
    let path = Path::new(text);
    if path.components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir)) || text.starts_with('-')
    {
        return Err(refused());
    }
    let (own, part) = match folder.join(path).exists() {
        true => (text, None),
        false => text.split_once(':').map(|(own, part)| (own, Some(part))).ok_or_else(refused)?,
    };
    let whole = folder.join(own).canonicalize().map_err(|_| refused())?;
    if !whole.starts_with(folder) {
        return Err(refused());
    }
    Ok(match part {
        None => whole,
        Some(part) => format!("{}:{part}", whole.display()).into(),
    })
}

const EXPERIMENT: &str = "experiment.toml";

/// Writes an experiment to a file. One with commands of its own does not run through this door.
fn experiment(text: &str, runs: bool, scratch: &Path) -> Result<&'static str, Refused> {
    if runs {
        let plan = experiment::plan(EXPERIMENT, text, &[]).map_err(|errors| Refused(errors.to_string()))?;
        if plan.trials.iter().any(|trial| trial.scene.has_commands()) {
            let says = "the experiment has commands of its own (run)\n\nhint: a person runs it, goodput run EXPERIMENT";
            return Err(Refused(says.into()));
        }
    }
    put(&scratch.join(EXPERIMENT), text)?;
    Ok(EXPERIMENT)
}
