//! Ends of commands: by a signal, with closed outputs, on machines that lack something. No process or file is left.

mod machine;
mod pipes;
pub mod place;
mod processes;
mod signals;

const EXPECT: &str = "\n[[expect]]\nmeasure = \"goodput\"\nat-least = \"1 Mbit/s\"\n";
