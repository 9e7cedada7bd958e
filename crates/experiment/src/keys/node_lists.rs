//! Tables under a node: the lists `run` and `routes`, and the tables `nat` and `mptcp`.

use super::loss::is_in_order;
use crate::key::{Whole, key, keys};
use crate::leaf;
use crate::section::Section;
use crate::takes::{Boolean, BoundedQuantity, DAY, List, Text, Words, table_or_none, time};
use crate::value::Value;
use crate::written::{Run, Via};
use toml::Spanned;

/// Reads `run`: commands, each with an optional start time.
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
        at: BoundedQuantity = key("at", time(0, DAY)).meaning("when it starts"), else 0;
        background: Boolean = key("background", Boolean).meaning("whether the trial does not wait for it"), else false;
    }
}

/// Reads `routes`: the router to use for each destination.
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

const PORTS: &[(&str, bool)] = &[("kept", false), ("random", true)];
const UNKNOWN_PORTS: &[(&str, bool)] = &[("answered", false), ("dropped", true)];

keys! {
    /// `nat`
    pub struct Nat or None {
        outside: Text = key("outside", Text("a node that a link joins to the router"))
            .required(|w| w.hint("add outside = \"…\": the node next to the router that is to see its address alone"))
            .meaning("what leaves over the link to it has the router's address"), required;
        random_ports: Words<bool> = key("ports", Words(PORTS))
            .meaning("the source port of a new mapping: the sender's where that is free, or `fully-random`"), else false;
        drops_unknown: Words<bool> = key("unknown", Words(UNKNOWN_PORTS))
            .meaning(
                "what comes from outside without a mapping: the router takes it for its own, and resets TCP; or `ct state \
                 new drop`",
            ),
            else false;
        forgets: List<BoundedQuantity> = key("forgets", List { each: time(0, DAY), due: TIMES_DUE, words: TIMES_WORDS })
            .default("never")
            .meaning("when all mappings are lost (`conntrack -F`)");
    }
}

const TIMES_DUE: &str = "a list of times: [\"5 s\"]";
const TIMES_WORDS: &str = "list of times, each 0 ns to 1 day, ascending";

/// Reads `nat`.
pub fn nat(router: &mut Section, key: &'static str) -> Option<Spanned<Option<Nat>>> {
    table_or_none(router, key, nat_table, "{ outside = \"isp\" }")
}

fn nat_table(mut section: Section) -> Option<Nat> {
    let nat = Nat::read(&mut section);
    if let Some(forgets) = nat.as_ref().and_then(|nat| nat.forgets.as_ref()) {
        is_in_order(&section, forgets.get_ref());
    }
    section.finish();
    nat
}

keys! {
    /// `mptcp`
    pub struct Mptcp {
        backup: List<Text> = key("backup", NEIGHBOURS)
            .default("none")
            .meaning("neighbours over whose links subflows are for when no other is left (`backup`)");
        unused: List<Text> = key("unused", NEIGHBOURS)
            .default("none")
            .meaning("neighbours over whose links there are no more subflows than the first");
    }
}

const NEIGHBOURS: List<Text> = List {
    each: Text("a node"),
    due: "a list of nodes that links join to the host: [\"lte\"]",
    words: "list of nodes that links join to the host",
};

/// Reads `mptcp`.
pub fn mptcp(host: &mut Section, key: &'static str) -> Option<Spanned<Mptcp>> {
    let mut section = host.section(key);
    let (span, mptcp) = (section.span.clone(), Mptcp::read(&mut section));
    section.finish();
    Some(Spanned::new(span, mptcp))
}
