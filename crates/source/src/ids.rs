//! What modules, definitions and the answers about them are called; a graph has what they stand for.

use super::tree::{AliasDef, ConstDef, FnDef, TraitDef, TypeDef};
use crd_channels_diagnostics::Text;
use std::sync::Arc;

/// One library or binary target.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct CrateId(pub u32);

/// One module of one crate.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct ModuleId(pub u32);

/// A type definition and the module it stands in.
#[derive(Clone, Debug)]
pub struct TypeRef {
    /// Where its own paths are resolved.
    pub module: ModuleId,
    /// The definition.
    pub def: Arc<TypeDef>,
}

/// Something a path can lead to, and the module it stands in.
#[derive(Clone, Debug)]
pub enum Def {
    /// A struct or enum.
    Type(TypeRef),
    /// An alias; the caller substitutes its parameters.
    Alias(ModuleId, Arc<AliasDef>),
    /// A constant.
    Const(ModuleId, Arc<ConstDef>),
    /// A function.
    Fn(ModuleId, Arc<FnDef>),
    /// A trait.
    Trait(ModuleId, Arc<TraitDef>),
    /// A variant of an enum, by index.
    Variant(TypeRef, usize),
    /// An associated item of a type that the graph knows: the caller looks into its impls.
    Associated(TypeRef, Text),
}

/// What a path leads to.
#[derive(Clone, Debug)]
pub enum Resolved {
    /// Something in source.
    Def(Def),
    /// Something that is known by name and never read: `std` (`core` and `alloc` are reported as `std`), primitives
    /// (`u8`, `str`, as one segment), the prelude (by its full path), and crates whose types are built in. The full path,
    /// `::` between segments: `std::collections::HashMap`, `serde_json::Value`.
    External(Text),
}
