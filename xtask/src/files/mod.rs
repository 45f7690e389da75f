//! Reading, and writing all or nothing.

mod sources;
mod plan;
mod journal;
mod write;
mod diff;
mod fault;

pub use diff::diff;
pub use journal::{Recovered, recover};
pub use plan::{Applied, Change, ChangeKind, Plan};
pub use sources::{Disk, Memory, Read, SourceFile, Sources};
pub use write::{Entry, Write};
