//! From files to items: walk, parse, resolve names, read attributes. syn stops here.

pub mod tree;
pub mod attrs;
mod graph;
mod impls;
mod outline;
mod crates;
mod files;
mod modules;
mod scan;
mod parse;
mod cfg;
mod includes;
mod target;
mod versioned;
mod bodies;
mod derives;
mod fragment;
mod educe;
mod strum;
mod lower_items;
mod readable;
mod lower_syn;
mod read_attrs;
mod resolve;
mod lost;
mod kinds;
mod probes;
mod named;
mod made;
mod expand;
mod expansions;
mod known;
mod graduate;
#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]
pub(crate) mod fixture;
#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]
mod tests;

pub use graduate::graduate;
pub use graph::{Cfgs, Crate, CrateId, Def, Graph, ModuleId, Resolved, TypeRef};
pub use outline::{FileRead, Outline, TypeName};
pub use probes::{Probed, Probes};
