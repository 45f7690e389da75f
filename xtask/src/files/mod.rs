//! Reading, and writing all or nothing.

mod sources;
mod plan;
mod commit;
mod journal;
mod steps;
mod lock;
mod write;
mod diff;
mod fault;

pub use commit::{Recovered, recover};
pub use diff::diff;
pub use plan::{Applied, Change, ChangeKind, Plan};
pub use sources::{Disk, Memory, Read, SourceFile, Sources};
pub use write::{Entry, Write};

#[cfg(test)]
mod tests;
