//! Identifiers of modules and definitions, and the results of resolving paths. The graph maps them to their content.

use crd_channels_diagnostics::Text;
use crd_channels_syntax::tree::{AliasDef, ConstDef, FnDef, TraitDef, TypeDef};
use std::sync::Arc;

/// One library or binary target.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct CrateId(pub u32);

/// One module of one crate.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct ModuleId(pub u32);

/// A type definition and its module.
#[derive(Clone, Debug)]
pub struct TypeRef {
    /// The module in which its paths are resolved.
    pub module: ModuleId,
    /// The definition.
    pub def: Arc<TypeDef>,
}

/// The definition that a path refers to, with its module.
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
    /// An associated item of a type in the graph: the caller searches its impls.
    Associated(TypeRef, Text),
}

/// The result of resolving a path.
#[derive(Clone, Debug)]
pub enum Resolved {
    /// A definition in source.
    Def(Def),
    /// An item that is known by name and never read: of `std` (`core` and `alloc` are reported as `std`), a primitive (`u8`,
    /// `str`, as one segment), the prelude (by its full path), or a crate whose types are built in. The full path with `::`
    /// between segments: `std::collections::HashMap`, `serde_json::Value`.
    External(Text),
}
