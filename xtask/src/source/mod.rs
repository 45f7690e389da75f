//! From files to items: walk, parse, resolve names, read attributes. syn stops here.

pub mod attrs;
mod graph;
mod lower_syn;
pub mod tree;

pub use graph::{Cfgs, Crate, CrateId, Def, Graph, ModuleId, Resolved, TypeRef};
