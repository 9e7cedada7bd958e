//! Any text as what programs print about connections and paths, and what people write of them.

#![no_main]

use evidence::Evidence;
use evidence::import::{Page, view};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut page = Page::new("test-mtu-Kbytes", text);
    view::read(&mut page, &mut Evidence::default());
    page.unread();
});
