//! Any text as what programs print about a host: every line is either claimed or unread.
#![no_main]

use evidence::import::{Page, host};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut page = Page::new("fuzz", &text);
    host::read(&mut page);
    let open: Vec<usize> =
        page.unclaimed().filter(|(_, line)| !line.trim().is_empty()).map(|(index, _)| index + 1).collect();
    let unread = page.unread();
    let mut runs = unread.iter().filter(|unread| unread.why.is_none()).peekable();
    for line in open {
        while runs.next_if(|run| run.to < line).is_some() {}
        assert!(runs.peek().is_some_and(|run| run.place.line <= line), "line {line} is lost");
    }
});
