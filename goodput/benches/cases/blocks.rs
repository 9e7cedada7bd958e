//! The generated blocks of a case page: `<!-- begin KIND WHAT -->`, text, `<!-- end KIND -->`.

use base16ct::lower::encode_string as hex;
use sha2::{Digest, Sha256};

/// A block of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block<'p> {
    /// What is generated: `figures` or `answer` of an experiment, or a `command`'s output.
    pub kind: &'p str,
    /// The experiment, or the command: `goodput diagnose FILE`.
    pub of: &'p str,
    /// The experiment's hash when the block was written; empty for other kinds.
    pub hash: &'p str,
    /// Text between the marks.
    pub text: &'p str,
}

/// Kinds of blocks that an experiment fills.
pub const OF_EXPERIMENTS: [&str; 2] = ["figures", "answer"];

const BEGIN: &str = "<!-- begin ";
const CLOSE: &str = " -->\n";

/// Returns the page's text in turn: before a block, the block, and so on; the text after the last block has none.
fn parts(page: &str) -> Vec<(&str, Option<Block<'_>>)> {
    let (mut parts, mut rest) = (vec![], page);
    while let Some((before, block, after)) = next(rest) {
        parts.push((before, Some(block)));
        rest = after;
    }
    parts.push((rest, None));
    parts
}

fn next(page: &str) -> Option<(&str, Block<'_>, &str)> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (head, rest) = rest.split_once(CLOSE)?;
    let (kind, of) = head.split_once(' ')?;
    let (text, after) = rest.split_once(&format!("<!-- end {kind}{CLOSE}"))?;
    let (of, hash) = match OF_EXPERIMENTS.contains(&kind) {
        true => of.split_once(' ').unwrap_or((of, "")),
        false => (of, ""),
    };
    Some((before, Block { kind, of, hash, text }, after))
}

/// Returns the blocks of a page.
pub fn blocks(page: &str) -> Vec<Block<'_>> {
    parts(page).into_iter().filter_map(|(_, block)| block).collect()
}

/// Returns the page with blocks written anew: `write` returns a block's hash and text, or `None` to keep the block.
pub fn rewritten(page: &str, mut write: impl FnMut(&Block) -> Option<(String, String)>) -> String {
    let mut out = String::new();
    for (before, block) in parts(page) {
        out += before;
        let Some(block) = block else { continue };
        let (hash, text) = write(&block).unwrap_or_else(|| (block.hash.into(), block.text.into()));
        let Block { kind, of, .. } = block;
        let hash = if hash.is_empty() { hash } else { format!(" {hash}") };
        out += &format!("{BEGIN}{kind} {of}{hash}{CLOSE}{text}<!-- end {kind}{CLOSE}");
    }
    out
}

/// Returns the hash of an experiment that a block carries.
pub fn hash(experiment: &[u8]) -> String {
    hex(&Sha256::digest(experiment)[..4])
}

/// Returns the figures that a page shows: experiment and figure, of files called `EXPERIMENT-FIGURE.svg`.
pub fn figures(page: &str) -> Vec<(&str, &str)> {
    let targets = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let names = targets.filter(|target| !target.contains('/')).filter_map(|target| target.strip_suffix(".svg"));
    names.filter_map(|name| name.rsplit_once('-')).collect()
}
