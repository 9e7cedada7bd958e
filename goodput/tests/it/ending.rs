//! How commands end: with closed outputs and full ones.

mod pipes;
mod place;

const EXPECT: &str = "\n[[expect]]\nmeasure = \"goodput\"\nat-least = \"1 Mbit/s\"\n";
