//! Words that need no quotes for any login shell. A login shell reads the command of `ssh` before `sh` does, and csh and
//! fish quote otherwise than POSIX has it, as does no crate: so what they are to read is plain, and everything else goes
//! to `sh` as a script.

/// Whether any login shell takes a text as one word without quotes: sh, csh and fish alike.
pub fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('-')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._+:@-".contains(&byte))
}
