//! Processes and memory of a guest on its machine, and their limits.

use base::process::{children_of, is_subreaper};
use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt;

/// The most that a guest may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Most {
    /// Processes: its kernel, and its programs, which are a process each.
    pub processes: usize,
    /// Memory, bytes, its own RAM included.
    pub bytes: u64,
}

/// Most processes of a guest. The busiest example has 40.
pub const MAX_PROCESSES: usize = 1000;

/// Memory of a guest's kernel and programs besides its RAM, bytes: code, stacks and page tables.
pub const OWN_BYTES: u64 = 1 << 30;

/// Size of a page, bytes, on x86-64.
const PAGE_BYTES: u64 = 4096;

/// Unit of `st_blocks`, bytes (stat(2)).
const BLOCK_BYTES: u64 = 512;

impl Most {
    /// Returns what the guest has too much of, in words.
    pub fn exceeded(self, guest: u32) -> Option<String> {
        let members = members(guest);
        if members.len() > self.processes {
            return Some(format!("more than {} processes", self.processes));
        }
        let mut files = HashSet::new();
        let bytes: u64 = members.iter().map(|member| anonymous(*member) + unnamed(*member, &mut files)).sum();
        (bytes > self.bytes).then(|| format!("more than {} MiB of memory", self.bytes >> 20))
    }
}

/// Returns the guest's processes, also those whose parent has ended, if they come to this process then.
fn members(guest: u32) -> Vec<u32> {
    let mut all = if is_subreaper() { children_of(std::process::id()) } else { vec![guest] };
    let mut at = 0;
    while let Some(parent) = all.get(at).copied() {
        all.extend(children_of(parent));
        at += 1;
    }
    all
}

/// Returns the memory that a process shares with no file, bytes (/proc/PID/statm: proc_pid_statm(5)).
fn anonymous(process: u32) -> u64 {
    let pages = || {
        let text = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
        let mut fields = text.split(' ').skip(1).map(|field| field.parse::<u64>().ok());
        Some(fields.next()??.saturating_sub(fields.next()??))
    };
    pages().unwrap_or(0) * PAGE_BYTES
}

/// Returns the memory of the open files that have no name, such as those of memfd_create(2), bytes; each file counts
/// once.
fn unnamed(process: u32, seen: &mut HashSet<(u64, u64)>) -> u64 {
    let open = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    let files = open.filter_map(|entry| fs::metadata(entry.path()).ok());
    let files = files.filter(|file| file.is_file() && file.nlink() == 0);
    files.filter(|file| seen.insert((file.dev(), file.ino()))).map(|file| file.blocks() * BLOCK_BYTES).sum()
}
