//! What a name may mean, and what it means in one module.

use super::ids::{Def, ModuleId, TypeRef};
use super::modules::{Content, TypeEntry, ValueEntry};
use super::tree::{Body, MacroDef, Style, TypeDef, UseDef};
use crd_channels_diagnostics::Text;
use std::sync::Arc;

/// The namespaces.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(super) enum Namespace {
    /// Types, modules, crates.
    Types,
    /// Constants, functions, constructors.
    Values,
    /// Attributes and derives: what other crates have.
    Attributes,
    /// Macros that are called: those, and what `macro_rules!` exports.
    Calls,
}

impl Namespace {
    pub(super) fn is_macros(self) -> bool {
        matches!(self, Self::Attributes | Self::Calls)
    }
}

/// What a part of a path leads to.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Module(ModuleId),
    Def(Def),
    External(Text),
    Macro(ModuleId, Arc<MacroDef>),
}

/// Whether the names of a module's private `use`s count: not for a glob that stands outside of the module.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(super) enum UseVisibility {
    Any,
    Exported,
}

/// What the path of a macro leads to.
#[derive(Clone, Debug)]
pub(super) enum Macro {
    /// A `macro_rules!`, and the module that it stands in.
    Rules(ModuleId, Arc<MacroDef>),
    /// A macro that is known by its full name, as `serde_with::serde_as`, if it is known at all.
    Named(Text),
}

/// What is being made while a macro is looked for: of it nobody may ask what has been made.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Making {
    /// Nothing.
    Nothing,
    /// What the calls in a module make. What they have made so far is at hand.
    In(ModuleId),
    /// Whatever it may be.
    Anything,
}

/// A name that a module itself defines.
pub(super) fn own_name(
    id: ModuleId,
    content: &Content,
    name: &Text,
    namespace: Namespace,
) -> Option<Meaning> {
    let entry = content.types.get(name);
    let type_ref = |def: &Arc<TypeDef>| TypeRef {
        module: id,
        def: Arc::clone(def),
    };
    let def = match namespace {
        Namespace::Types => match entry? {
            TypeEntry::Module(module) => return Some(Meaning::Module(*module)),
            TypeEntry::Type(def) => Def::Type(type_ref(def)),
            TypeEntry::Alias(alias) => Def::Alias(id, Arc::clone(alias)),
            TypeEntry::Trait(def) => Def::Trait(id, Arc::clone(def)),
        },
        Namespace::Values => match (content.values.get(name), entry) {
            (Some(ValueEntry::Const(def)), _) => Def::Const(id, Arc::clone(def)),
            (Some(ValueEntry::Fn(def)), _) => Def::Fn(id, Arc::clone(def)),
            (None, Some(TypeEntry::Type(def))) if is_constructor(def) => Def::Type(type_ref(def)),
            (None, _) => return None,
        },
        Namespace::Attributes | Namespace::Calls => return None,
    };
    Some(Meaning::Def(def))
}

/// Whether a type's name is a value as well.
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

pub(super) fn is_visible(used: &UseDef, visibility: UseVisibility) -> bool {
    visibility == UseVisibility::Any || !used.private
}
