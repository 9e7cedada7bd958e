//! Any text through the readers of connections and paths: no panic, no hang. Seeds are in `goodput/tests/views/`.

#![no_main]

use goodput::evidence::Evidence;
use goodput::import::{Page, view};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut page = Page::new("test-mtu-Kbytes", text);
    view::read(&mut page, &mut Evidence::default());
    page.unread();
});
