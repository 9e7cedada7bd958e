//! All readers together; figures by hand.

use super::*;
use crate::import::Page;

/// What is read of a text.
pub(super) fn evidence(text: &str) -> Evidence {
    named("x.txt", text)
}

pub(super) fn named(file: &str, text: &str) -> Evidence {
    let mut page = Page::new(file, text);
    let mut evidence = Evidence::default();
    read(&mut page, &mut evidence);
    evidence.unread = page.unread();
    evidence
}
