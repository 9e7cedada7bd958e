//! A documentation page whose tables a benchmark writes and checks.

use std::fs;
use std::path::Path;

/// The repository.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// A page with tables between two marks.
pub struct Page {
    /// Path in the repository.
    pub path: &'static str,
    /// The lines before and behind the tables.
    pub marks: [&'static str; 2],
    /// Command that writes the page with `BLESS=1`.
    pub command: &'static str,
    /// Part of the tables that is the same in each run.
    pub lasting: fn(&str) -> &str,
}

impl Page {
    /// Compares the page with the tables, or writes them into it.
    pub fn hold(&self, tables: &str) -> bool {
        let Page { path: name, marks, command, lasting } = self;
        let path = Path::new(ROOT).join(name);
        let page = fs::read_to_string(&path).unwrap_or_default();
        let parts = page.split_once(marks[0]).and_then(|(before, rest)| {
            let (held, after) = rest.split_once(marks[1])?;
            Some((before, held, after))
        });
        let Some((before, held, after)) = parts else {
            eprintln!("{name} lacks the lines {} and {}", marks[0].trim(), marks[1].trim());
            return false;
        };
        if std::env::var_os("BLESS").is_some() {
            let written = fs::write(&path, format!("{before}{}{tables}{}{after}", marks[0], marks[1]));
            return written.map_err(|error| eprintln!("{}: {error}", path.display())).is_ok();
        }
        let same = lasting(held) == lasting(tables);
        if !same {
            eprintln!(
                "the tables differ from those of {name}\n\nhint: BLESS=1 {command}, and look at what has changed"
            );
        }
        same
    }
}
