//! Imports between files: `use` lines and paths in the code of some crates, resolved to the files that define the
//! names. Code for tests alone is left out.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};

/// A file names something that another file defines.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Import {
    pub from: String,
    pub to: String,
    /// Path as written in the source.
    pub path: String,
}

/// A module, by its crate and the path in it.
type Name = (String, Vec<String>);

#[derive(Default)]
struct Module {
    file: String,
    children: BTreeSet<String>,
    uses: Vec<Use>,
    /// Paths of two names or more outside of `use`.
    paths: Vec<Vec<String>>,
}

struct Use {
    path: Vec<String>,
    name: String,
    public: bool,
}

/// Imports of crates, each given by its name and its first file. A file may use the declarations of the rooms around it
/// (mod.rs, lib.rs, main.rs): that is no import.
pub fn imports(crates: &[(&str, &str)], read: impl Fn(&str) -> Option<String>) -> BTreeSet<Import> {
    let mut modules = BTreeMap::new();
    for (name, file) in crates {
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        load(&mut modules, (name.to_string(), vec![]), file, folder, &read);
    }
    let mut imports = BTreeSet::new();
    for (name, module) in &modules {
        let faces: BTreeSet<&str> =
            (0..name.1.len()).map(|depth| modules[&(name.0.clone(), name.1[..depth].to_vec())].file.as_str()).collect();
        for path in named(module) {
            let to = resolve(&modules, name, &path, 0);
            if let Some(to) = to.filter(|to| *to != module.file && !faces.contains(to)) {
                imports.insert(Import { from: module.file.clone(), to: to.to_owned(), path: path.join("::") });
            }
        }
    }
    imports
}

fn load(
    modules: &mut BTreeMap<Name, Module>,
    name: Name,
    file: &str,
    folder: &str,
    read: &impl Fn(&str) -> Option<String>,
) {
    let text = read(file).unwrap_or_else(|| panic!("{file} is gone"));
    let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut module = Module { file: file.to_owned(), ..Module::default() };
    scan(tokens, &mut module);
    for child in &module.children {
        let inner = format!("{folder}/{child}");
        let file = [format!("{inner}.rs"), format!("{inner}/mod.rs")].into_iter().find(|file| read(file).is_some());
        let file = file.unwrap_or_else(|| panic!("{}: no file for mod {child}", module.file));
        load(modules, (name.0.clone(), [&name.1[..], std::slice::from_ref(child)].concat()), &file, &inner, read);
    }
    modules.insert(name, module);
}

/// Reads the modules, `use` lines and paths of a file or of a block in it.
fn scan(tokens: TokenStream, module: &mut Module) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        let end =
            |from: usize| tokens[from..].iter().position(|token| is(token, ';')).map_or(tokens.len(), |n| from + n);
        match &tokens[at] {
            TokenTree::Punct(mark) if mark.as_char() == '#' && is_group(tokens.get(at + 1), Delimiter::Bracket) => {
                let for_tests = tokens[at + 1].to_string().replace(' ', "") == "[cfg(test)]";
                at = if for_tests { after_item(&tokens, at + 2) } else { at + 2 };
            }
            TokenTree::Ident(word) if word == "use" => {
                let public = at > 0
                    && (tokens[at - 1].to_string() == "pub" || is_group(tokens.get(at - 1), Delimiter::Parenthesis));
                let line = at + 1..end(at);
                at = line.end + 1;
                use_tree(&tokens[line], &[], public, &mut module.uses);
            }
            TokenTree::Ident(word) if word == "mod" && tokens.get(at + 2).is_some_and(|token| is(token, ';')) => {
                module.children.insert(tokens[at + 1].to_string());
                at += 3;
            }
            TokenTree::Ident(_) => {
                let path = path_at(&tokens[at..]);
                at += 3 * path.len() - 2;
                module.paths.extend(Some(path).filter(|path| path.len() > 1));
            }
            TokenTree::Group(group) => {
                scan(group.stream(), module);
                at += 1;
            }
            _ => at += 1,
        }
    }
}

/// The names in `a::b::c`, with which some tokens begin.
fn path_at(tokens: &[TokenTree]) -> Vec<String> {
    let mut path = vec![tokens[0].to_string()];
    let mut rest = &tokens[1..];
    while let [first, second, name @ TokenTree::Ident(_), after @ ..] = rest {
        if !is(first, ':') || !is(second, ':') {
            break;
        }
        path.push(name.to_string());
        rest = after;
    }
    path
}

/// `a::{b, c::D as E}` as one use for each name.
fn use_tree(tokens: &[TokenTree], before: &[String], public: bool, uses: &mut Vec<Use>) {
    let mut path = before.to_vec();
    let mut name = None;
    let mut words = tokens.iter();
    while let Some(token) = words.next() {
        match token {
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                return inner.split(|token| is(token, ',')).for_each(|tree| use_tree(tree, &path, public, uses));
            }
            TokenTree::Ident(word) if word == "as" => name = words.next().map(TokenTree::to_string),
            TokenTree::Ident(word) if word == "self" && !path.is_empty() => {}
            TokenTree::Ident(word) => path.push(word.to_string()),
            _ => {}
        }
    }
    if let Some(last) = path.last() {
        uses.push(Use { name: name.unwrap_or_else(|| last.clone()), path, public });
    }
}

/// Index of the next item: after a block or a semicolon.
fn after_item(tokens: &[TokenTree], from: usize) -> usize {
    let is_use = tokens[from..].iter().take(3).any(|token| token.to_string() == "use");
    let ends = |token: &TokenTree| is(token, ';') || !is_use && is_group(Some(token), Delimiter::Brace);
    tokens[from..].iter().position(ends).map_or(tokens.len(), |n| from + n + 1)
}

fn is(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(found) if found.as_char() == mark)
}

fn is_group(token: Option<&TokenTree>, delimiter: Delimiter) -> bool {
    matches!(token, Some(TokenTree::Group(group)) if group.delimiter() == delimiter)
}

/// All paths of a module that may lead out of it. Re-exports are not its own use.
fn named(module: &Module) -> impl Iterator<Item = Vec<String>> + '_ {
    let uses = module.uses.iter().filter(|line| !line.public).map(|line| line.path.clone());
    let paths = module.paths.iter().map(|path| match module.uses.iter().find(|line| line.name == path[0]) {
        Some(line) => [&line.path[..], &path[1..]].concat(),
        None => path.clone(),
    });
    uses.chain(paths)
}

/// Returns the file that defines `path` as seen from a module; `None` if these crates do not define it.
fn resolve<'m>(modules: &'m BTreeMap<Name, Module>, from: &Name, path: &[String], depth: usize) -> Option<&'m str> {
    let (mut name, mut rest) = (from.clone(), path);
    match rest.first()?.as_str() {
        "crate" => (name.1, rest) = (vec![], &rest[1..]),
        "self" | "super" => {
            while let Some(word @ ("self" | "super")) = rest.first().map(String::as_str) {
                if word == "super" {
                    name.1.pop();
                }
                rest = &rest[1..];
            }
        }
        first if modules[from].children.contains(first) => {}
        first => (name, rest) = ((first.to_owned(), vec![]), &rest[1..]),
    }
    while let Some(child) = rest.first().filter(|child| modules.get(&name).is_some_and(|m| m.children.contains(*child)))
    {
        name.1.push(child.clone());
        rest = &rest[1..];
    }
    let module = modules.get(&name)?;
    let handed_on = rest.first().and_then(|item| module.uses.iter().find(|line| line.public && line.name == *item));
    let elsewhere = handed_on.filter(|_| depth < 9).and_then(|line| resolve(modules, &name, &line.path, depth + 1));
    Some(elsewhere.unwrap_or(&module.file))
}

/// The circles between files: each the imports that tie it.
pub fn circles(imports: &BTreeSet<Import>) -> Vec<Vec<&Import>> {
    let mut next: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for import in imports {
        next.entry(&import.from).or_default().insert(&import.to);
    }
    let reached = |from: &str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from.to_owned()]);
        while let Some(file) = open.pop() {
            let new = next.get(file.as_str()).into_iter().flatten().filter(|to| seen.insert(to.to_string()));
            open.extend(new.map(|to| to.to_string()));
        }
        seen
    };
    let reach: BTreeMap<&str, BTreeSet<String>> = next.keys().map(|file| (*file, reached(file))).collect();
    let both =
        |a: &str, b: &str| reach.get(a).is_some_and(|r| r.contains(b)) && reach.get(b).is_some_and(|r| r.contains(a));
    let mut circles: Vec<Vec<&Import>> = vec![];
    for import in imports.iter().filter(|import| both(&import.from, &import.to)) {
        match circles.iter_mut().find(|circle| both(&circle[0].from, &import.from)) {
            Some(circle) => circle.push(import),
            None => circles.push(vec![import]),
        }
    }
    circles
}
