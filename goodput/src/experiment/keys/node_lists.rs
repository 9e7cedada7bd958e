//! Lists of tables under a node: `run` and `routes`.

use crate::experiment::key::{Whole, key, keys};
use crate::experiment::leaf;
use crate::experiment::section::Section;
use crate::experiment::takes::{Boolean, DAY, Quantity, Text, time};
use crate::experiment::value::Value;
use crate::experiment::written::{Run, Via};
use toml::Spanned;

/// Commands, at a time or at once.
pub fn run(node: &mut Section, key: &'static str) -> Option<Spanned<Vec<Run>>> {
    const DUE: &str = "a list of commands: [\"ip route\", { at = \"2 s\", command = \"ss -ti\" }]";
    let mut commands = Vec::new();
    let span = node.place(key);
    for item in node.items(key, DUE).unwrap_or_default() {
        if item.section.is_there() {
            let Some(Timed { command, at, background, .. }) = Timed::whole(item.section) else { continue };
            commands.push(Run { command, at, background });
        } else {
            let text = |value: &Value| match value.toml.as_str() {
                Some(_) => leaf::text(value),
                None => {
                    Err(value.is_not("a command in quotes, or a table such as { at = \"2 s\", command = \"ss -ti\" }"))
                }
            };
            let command = node.reader().parse(key, item.value, text);
            commands.extend(command.map(|command| Run { command, at: 0, background: false }));
        }
    }
    Timed::whole(node.nowhere(key));
    Some(Spanned::new(span, commands))
}

keys! {
    /// An element of `run`.
    pub struct Timed or None {
        command: Text = key("command", Text("text, for `sh -c`"))
            .required(|w| w.hint("add command = \"ss -ti\"")), required;
        at: Quantity = key("at", time(0, DAY)).meaning("when it starts"), else 0;
        background: Boolean = key("background", Boolean).meaning("whether the trial does not wait for it"), else false;
    }
}

/// Routes by way of a router.
pub fn routes(node: &mut Section, key: &'static str) -> Option<Spanned<Vec<Via>>> {
    const DUE: &str = "a list of routes: [{ to = \"server\", via = \"r2\" }]";
    let mut routes = Vec::new();
    let span = node.place(key);
    for item in node.items(key, DUE).unwrap_or_default() {
        let Some(Route { to, via, .. }) = Route::whole(item.section) else { continue };
        routes.push(Via { to, via });
    }
    Route::whole(node.nowhere(key));
    Some(Spanned::new(span, routes))
}

keys! {
    /// An element of `routes`.
    pub struct Route or None {
        to: Text = key("to", Text("a node"))
            .required(|w| w.hint("add to = \"…\": the node that packets are for")), required;
        via: Text = key("via", Text("a router"))
            .required(|w| w.hint("add via = \"…\": the router next to this node that gets them")), required;
    }
}
