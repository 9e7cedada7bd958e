//! How commands end: by a signal, with closed outputs, on machines that lack something. Nothing stays behind.

mod machine;
mod pipes;
pub mod place;
mod processes;
mod signals;

const EXPECT: &str = "\n[[expect]]\nmeasure = \"goodput\"\nat-least = \"1 Mbit/s\"\n";
