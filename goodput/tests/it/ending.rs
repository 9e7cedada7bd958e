//! How commands end: by a signal, with closed outputs and full ones. Nothing stays behind.

mod pipes;
mod place;
mod processes;
mod signals;

const EXPECT: &str = "\n[[expect]]\nmeasure = \"goodput\"\nat-least = \"1 Mbit/s\"\n";
