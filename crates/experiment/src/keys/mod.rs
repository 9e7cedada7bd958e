//! The keys of each section: their names, their values, and which of them are required.

mod expect;
pub(super) mod flow;
pub(super) mod line;
pub(super) mod link;
pub(super) mod loss;
pub(super) mod node;
pub(super) mod node_lists;
mod offloads;
pub(super) mod queue;
pub(super) mod record;
mod sweep;

use super::key::{Key, KeyTable, Table, Whole, key, keys};
use super::reader::Reader;
use super::section::Section;
use super::takes::{KernelName, Prose, Text, Words};
use super::written::{Experiment, Flow, Link, Record, Setup, Tunnel};
use evidence::unit::Wrong;
use plan::Family;
use toml::Spanned;
use toml::de::DeTable;

keys! {
    /// Keys above all sections.
    pub struct Top or None {
        title: Text = key("title", Text("non-empty text"))
            .required(|w| w.hint("add title = \"What the report is called\""))
            .meaning("what the report is called"), required;
        question: Prose = key("question", Prose).default("none").meaning("the question that it answers");
    }
}

/// Row of `kernel`. It is read with the set-up, so it may vary.
fn kernel() -> Key<KernelName> {
    key("kernel", KernelName).default("the newest kernel").meaning("[of all trials](#kernel), or of each point")
}

const FAMILIES: &[(&str, Family)] = &[("ipv4", Family::Ipv4), ("ipv6", Family::Ipv6), ("both", Family::Both)];

/// Row of `family`, which may vary too.
fn family() -> Key<Words<Family>> {
    key("family", Words(FAMILIES))
        .default("ipv4")
        .meaning("[the IP of all nodes](#family); with both, each flow has one")
}

/// Reads everything in a document except what [`setup`] reads.
pub fn experiment<'a>(reader: &'a Reader<'a>, document: &'a Spanned<DeTable<'a>>) -> Experiment<'a> {
    let mut root = Section::root(reader, document);
    root.leave(&[
        "title", "question", "kernel", "family", "path", "hosts", "switches", "routers", "links", "tunnels", "flows",
    ]);
    root.leave(&["vary", "search", "repeat", "compare", "record", "expect", "published"]);
    let top = Top::read(&mut root);
    let (title, question) = top.map_or_else(Default::default, |top| (top.title.into_inner(), inner(top.question)));
    let experiment = Experiment {
        title,
        question,
        vary: sweep::vary(root.section("vary")),
        search: sweep::search(root.section("search")),
        repeat: sweep::repeat(root.section("repeat")),
        compare: sweep::compare(root.section("compare")),
        expect: root.sections("expect").into_iter().filter_map(expect::expect).collect(),
        published: root.sections("published").into_iter().filter_map(expect::published).collect(),
    };
    root.finish();
    experiment
}

/// Reads the sections that may vary; `None` if they describe no network.
pub fn setup<'a>(reader: &'a Reader<'a>, document: &'a Spanned<DeTable<'a>>) -> Option<Setup> {
    let mut root = Section::root(reader, document);
    let kernel = kernel().read(&mut root);
    let family = family().read(&mut root);
    let [has_path, has_links] = ["path", "links"].map(|key| root.has_some(key));
    let of_path = has_path && !has_links;
    let mut links = links(&mut root, has_links);
    if !has_links {
        links.push(link::path(root.section("path")));
    } else if has_path {
        link::path(root.section("path"));
    }
    let (hosts, mut nodes) = node::hosts(root.section("hosts"), of_path);
    let of_two = has_path || !has_links || nodes.len() == 2;
    let (switches, routers) = (node::switches(root.section("switches")), node::routers(root.section("routers")));
    let mut tunnels = tunnels(&mut root);
    if of_path {
        refuse_beside_path(&root);
        tunnels.clear();
    } else {
        nodes.extend(switches);
        nodes.extend(routers);
    }
    let has_commands = nodes.iter().any(|node| !node.run.is_empty());
    let flows = flows(&mut root, of_two, has_commands);
    let record = record(root.section("record"));
    if has_path == has_links {
        root.reader().fault(if has_path { root.place("links") } else { 0..0 }, unclear(has_path));
        return None;
    }
    Some(Setup { kernel, family, hosts, nodes, links, tunnels, flows, record })
}

fn unclear(has_both: bool) -> Wrong {
    if has_both {
        Wrong::new("the experiment has both [path] and [[links]]")
            .note("[path] is one link between the hosts sender and receiver, [[links]] any network")
            .hint("write the path as one of the [[links]], or remove them")
    } else {
        Wrong::new("the experiment has neither [path] nor [[links]]")
            .hint("add [path] with rate, rtt and buffer, or [[links]] between hosts of your own")
    }
}

fn refuse_beside_path(root: &Section) {
    for key in ["switches", "routers", "tunnels"].into_iter().filter(|key| root.has(key)) {
        let wrong = Wrong::new(format!("[path] has no {key}: it is one link between two hosts"));
        root.reader().fault(root.place(key), wrong.hint("write the network as [[links]] in place of [path]"));
    }
}

fn links(root: &mut Section, is_written: bool) -> Vec<Link> {
    let links = root.sections("links").into_iter().map(link::link).collect();
    if is_written {
        link::link(root.nowhere("links"));
    }
    links
}

fn tunnels(root: &mut Section) -> Vec<Tunnel> {
    let tunnels = root.sections("tunnels").into_iter().map(link::tunnel).collect();
    link::tunnel(root.nowhere("tunnels"));
    tunnels
}

fn flows(root: &mut Section, of_two: bool, has_commands: bool) -> Vec<Flow> {
    let flows = root.sections("flows").into_iter().map(|section| flow::flow(section, of_two)).collect();
    flow::flow(root.nowhere("flows"), of_two);
    if !root.has_some("flows") && !has_commands {
        root.fault(Wrong::new("the experiment has no [[flows]]").hint("add [[flows]] with duration = \"30 s\""));
    }
    flows
}

/// True if a table of a list can have a key, judged by its other keys: a flow's or tunnel's kind, or whether a link
/// belongs to a bond.
pub fn can_have(list: &str, table: &DeTable, key: &str) -> bool {
    let kind = table.get("kind").and_then(|kind| kind.get_ref().as_str());
    match list {
        "flows" => flow::can_have(kind, key),
        "tunnels" => link::tunnel_can_have(kind, key),
        "links" => !["bond", "miimon"].contains(&key) || table.contains_key("bond"),
        _ => true,
    }
}

fn record(mut section: Section) -> Record {
    let record = Record::read(&mut section);
    section.finish();
    record
}

/// Tables of all sections that consist of rows.
pub fn tables() -> Vec<KeyTable> {
    let table = |heading, rows| KeyTable { heading, kind: None, rows };
    let flows = KeyTable { kind: Some("kind"), ..table("[[flows]]", Flow::rows()) };
    let own = vec![
        table("", Top::rows().into_iter().chain([kernel().row(None), family().row(None)]).collect()),
        flows,
        table("[record]", Record::rows()),
    ];
    [own, link::tables(), line::tables(), node::tables(), sweep::tables(), expect::tables()].concat()
}

fn inner<T>(spanned: Option<Spanned<T>>) -> Option<T> {
    spanned.map(Spanned::into_inner)
}
