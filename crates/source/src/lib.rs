//! From files to items: parses files, resolves names, reads attributes. No crate above uses syn.
#![doc = include_str!("../README.md")]

mod code;
pub mod tree;
pub mod attrs;
mod ids;
mod graph;
mod calls_read;
mod loading;
mod impls;
mod outline;
mod crates;
mod files;
mod answers;
mod modules;
mod scan;
mod parse;
mod cfg;
mod paths;
mod includes;
mod included;
mod lowering;
mod lower_includes;
mod versioned;
mod bodies;
mod derives;
mod fragment;
mod educe;
mod strum;
mod known_derives;
mod known_macros;
mod serde_with;
mod macro_uses;
mod lower_items;
mod lower_values;
mod lazy_statics;
mod literal;
mod readable;
mod lower_syn;
mod read_attrs;
mod resolve;
mod names;
mod scope;
mod resolve_macros;
mod macro_meanings;
mod unresolved;
mod named;
mod kinds;
mod probes;
mod mentioned;
mod derived_root;
mod expand;
mod expansions;
mod macro_values;
mod known;
mod ungate;
#[cfg(any(test, feature = "fixtures"))]
#[allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]
pub mod fixture;
#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]
mod tests;

pub use calls_read::{CalledMacro, Expanded};
pub use cfg::{Cfgs, unknown as unknown_cfg};
pub use graph::{Crate, FileRead, Graph};
pub use ids::{CrateId, Def, ModuleId, Resolved, TypeRef};
pub use macro_meanings::{Derive, Derived};
pub use outline::{Outline, TypeName};
pub use probes::{Probed, Probes};
pub use ungate::{
    FeatureEnd, Mention, MentionTarget, NewTombstone, RemovedItem, UngatedFile, add_tombstones,
    mentions, ungate,
};
