//! Reads files, and writes them all or nothing.
#![doc = include_str!("../README.md")]

mod read;
mod plan;
mod commit;
mod journal;
mod steps;
mod lock;
mod write;
mod diff;
mod fingerprint;
mod line_ends;
mod conflict;
mod state;
mod cache;
mod visit;
mod fault;

pub use cache::cache_folder;
pub use commit::{Recovered, recover, recover_locked};
pub use conflict::conflict;
pub use diff::diff;
pub use fault::{shown_path, slashed};
pub use fingerprint::{Fingerprint, digest};
pub use journal::{Purpose, is_aside};
pub use line_ends::with_unix_line_ends;
pub use lock::{Lock, hold};
pub use plan::{Applied, Change, ChangeKind, Plan};
pub use read::{DEEPEST_FOLDER, Disk, Memory, Read, is_left_out, text_of};
pub use state::{keep, recall};
pub use visit::visit;
pub use write::{Entry, Write};

#[cfg(test)]
mod tests;
