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
use crd_channels_syntax::tree::{Body, MacroDef, Style, TypeDef, UseDef};
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

/// Whether a module's private items and `use`s are visible: not for globs outside of the module.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(super) enum Visibility {
    Any,
    Exported,
}

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

/// The item with this name that the module itself defines, if it is visible.
pub(super) fn own_name(
    id: ModuleId,
    content: &Content,
    name: &Text,
    namespace: Namespace,
    visibility: Visibility,
) -> Option<Meaning> {
    let sees_all = visibility == Visibility::Any;
    let entry = content.types.get(name);
    let entry = entry.filter(|entry| sees_all || !entry.is_private());
    let type_ref = |def: &Arc<TypeDef>| TypeRef {
        module: id,
        def: Arc::clone(def),
    };
    let def = match namespace {
        Namespace::Types => match entry? {
            TypeEntry::Module { id, .. } => return Some(Meaning::Module(*id)),
            TypeEntry::Type(def) => Def::Type(type_ref(def)),
            TypeEntry::Alias(alias) => Def::Alias(id, Arc::clone(alias)),
            TypeEntry::Trait(def) => Def::Trait(id, Arc::clone(def)),
        },
        Namespace::Values => match (
            content
                .values
                .get(name)
                .filter(|value| sees_all || !value.is_private()),
            entry,
        ) {
            (Some(ValueEntry::Const(def)), _) => Def::Const(id, Arc::clone(def)),
            (Some(ValueEntry::Fn(def)), _) => Def::Fn(id, Arc::clone(def)),
            (None, Some(TypeEntry::Type(def))) if is_constructor(def) => Def::Type(type_ref(def)),
            (None, _) => return None,
        },
        Namespace::Attributes | Namespace::Calls => return None,
    };
    Some(Meaning::Def(def))
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

pub(super) fn is_visible(used: &UseDef, visibility: Visibility) -> bool {
    visibility == Visibility::Any || !used.private
}
