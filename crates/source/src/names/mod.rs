//! The kinds of items that a name may refer to, and the item it refers to in one module.

pub(crate) mod impls;
mod in_module;
pub(crate) mod named;
pub(crate) mod resolve;
pub(crate) mod scope;
pub(crate) mod unresolved;

use super::ids::{Def, ModuleId, TypeRef};
use super::modules::{Content, TypeEntry, ValueEntry};
use crd_channels_diagnostics::Text;
use crd_channels_syntax::tree::{Body, MacroDef, Style, TypeDef, Visibility};
use std::sync::Arc;

/// The namespaces.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(super) enum Namespace {
    /// Types, modules, crates.
    Types,
    /// Constants, functions, constructors.
    Values,
    /// Attributes and derives, which belong to other crates.
    Attributes,
    /// Macros that are called, including those that `macro_rules!` exports.
    Calls,
}

impl Namespace {
    pub(super) fn is_macros(self) -> bool {
        matches!(self, Self::Attributes | Self::Calls)
    }
}

/// The item that a part of a path refers to.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Module(ModuleId),
    Def(Def),
    External(Text),
    Macro(ModuleId, Arc<MacroDef>),
}

impl Meaning {
    /// Whether both are one item.
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Module(one), Self::Module(other)) => one == other,
            (Self::External(one), Self::External(other)) => one == other,
            (Self::Macro(_, one), Self::Macro(_, other)) => Arc::ptr_eq(one, other),
            (Self::Def(one), Self::Def(other)) => match (one, other) {
                (Def::Type(one), Def::Type(other)) => Arc::ptr_eq(&one.def, &other.def),
                (Def::Alias(_, one), Def::Alias(_, other)) => Arc::ptr_eq(one, other),
                (Def::Const(_, one), Def::Const(_, other)) => Arc::ptr_eq(one, other),
                (Def::Fn(_, one), Def::Fn(_, other)) => Arc::ptr_eq(one, other),
                (Def::Trait(_, one), Def::Trait(_, other)) => Arc::ptr_eq(one, other),
                (Def::Variant(one, index), Def::Variant(other, second)) => {
                    Arc::ptr_eq(&one.def, &other.def) && index == second
                }
                _ => false,
            },
            _ => false,
        }
    }
}

/// The modules whose code asks for a name of another one: that of a glob that leads there, and the first one. Both have to see
/// it.
pub(super) type Askers = [ModuleId; 2];

/// The macro that a path refers to.
#[derive(Clone, Debug)]
pub(super) enum Macro {
    /// A `macro_rules!` and its module.
    Rules(ModuleId, Arc<MacroDef>),
    /// A macro identified by its full name such as `serde_with::serde_as`, if it is known at all.
    Named(Text),
}

/// The expansion in progress while a macro is resolved, which must not be queried for its result.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Making {
    /// Nothing.
    Nothing,
    /// The calls in a module. Their result so far is available.
    In(ModuleId),
    /// Any expansion may be in progress.
    Anything,
}

/// The item with this name that the module itself defines, and which code sees it.
pub(super) fn own_name<'c>(
    id: ModuleId,
    content: &'c Content,
    name: &Text,
    namespace: Namespace,
) -> Option<(Meaning, &'c Visibility)> {
    let entry = content.types.get(name);
    let type_ref = |def: &Arc<TypeDef>| TypeRef {
        module: id,
        def: Arc::clone(def),
    };
    let (def, visibility) = match namespace {
        Namespace::Types => match entry? {
            TypeEntry::Module { id, visibility } => {
                return Some((Meaning::Module(*id), visibility));
            }
            TypeEntry::Type(def) => (Def::Type(type_ref(def)), &def.visibility),
            TypeEntry::Alias(alias) => (Def::Alias(id, Arc::clone(alias)), &alias.visibility),
            TypeEntry::Trait(def) => (Def::Trait(id, Arc::clone(def)), &def.visibility),
        },
        Namespace::Values => match (content.values.get(name), entry) {
            (Some(ValueEntry::Const(def)), _) => (Def::Const(id, Arc::clone(def)), &def.visibility),
            (Some(ValueEntry::Fn(def)), _) => (Def::Fn(id, Arc::clone(def)), &def.visibility),
            (None, Some(TypeEntry::Type(def))) if is_constructor(def) => {
                (Def::Type(type_ref(def)), &def.constructor)
            }
            (None, _) => return None,
        },
        Namespace::Attributes | Namespace::Calls => return None,
    };
    Some((Meaning::Def(def), visibility))
}

/// Whether a type's name is also a value.
pub(super) fn is_constructor(def: &TypeDef) -> bool {
    matches!(
        def.body,
        Body::Struct(Style::Newtype | Style::Tuple | Style::Unit, _)
    )
}

pub(super) fn variant(def: &TypeDef, name: &str) -> Option<usize> {
    match &def.body {
        Body::Enum(variants) => variants.iter().position(|variant| &*variant.name == name),
        Body::Struct(..) => None,
    }
}
