//! Reading, and writing all or nothing.

mod sources;

pub use sources::{Disk, Memory, Read, SourceFile, Sources};
