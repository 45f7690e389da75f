//! What the reader keeps of a file: items, types and expressions as plain values that may cross threads. No syn here.

pub use super::code::*;

use super::attrs::{ContainerAttrs, Declaration, FieldAttrs, VariantAttrs};
use crd_channels_diagnostics::{Diagnostic, Span, Text};
use std::path::PathBuf;
use std::sync::Arc;

/// One item that types, values or paths can lead to. Items that nothing can lead to are not kept.
#[derive(Clone, Debug)]
pub enum Item {
    /// A struct or an enum.
    Type(Arc<TypeDef>),
    /// `type Name<..> = ..;`
    Alias(Arc<AliasDef>),
    /// A `const` or a `static`.
    Const(Arc<ConstDef>),
    /// A function.
    Fn(Arc<FnDef>),
    /// A trait.
    Trait(Arc<TraitDef>),
    /// An `impl` block, of a trait or inherent.
    Impl(Arc<ImplDef>),
    /// One name that a `use` brings in, or one glob.
    Use(Arc<UseDef>),
    /// A module.
    Mod(Arc<ModDef>),
    /// A `macro_rules!` definition, or a macro call in item position.
    Macro(Arc<MacroDef>),
}

/// A macro by whose word an item was read: an attribute of it, an attribute around it, or a derive. The path is resolved
/// where somebody needs the item.
#[derive(Clone, Debug, PartialEq)]
pub struct MacroUse {
    /// The macro.
    pub path: Path,
    /// How many modules stand between the item's own and the one in which the path is read.
    pub above: u32,
    /// The full names of the macros by which the item was read; none where nothing was done.
    pub read_as: &'static [&'static str],
    /// Why it could not be done.
    pub unread: Option<&'static str>,
    /// Whether this may be an attribute of a derive that stands beside it.
    pub helps: bool,
}

/// A struct or an enum, with what its attributes say.
#[derive(Clone, Debug)]
pub struct TypeDef {
    /// Its name.
    pub name: Text,
    /// Its identifier.
    pub span: Span,
    /// Its type and constant parameters, in order (lifetimes are dropped).
    pub generics: Vec<Text>,
    /// What its parameters are where a use leaves them out; one for each of them.
    pub fallbacks: Vec<Option<Ty>>,
    /// The parameters that are bound to be `Serialize`.
    pub serialized: Vec<Text>,
    /// The paths inside its `#[derive(..)]`s.
    pub derives: Vec<Path>,
    /// The first of the attributes that `ApiType` makes legal, on it or inside.
    pub ours: Option<(Text, Span)>,
    /// Whether serde's attributes were read.
    pub reads_serde: bool,
    /// The macros that may rewrite it.
    pub macros: Vec<MacroUse>,
    /// What it is made of.
    pub body: Body,
    /// Its own attributes.
    pub attrs: ContainerAttrs,
    /// The conditions or the reasons that it declares.
    pub declares: Option<Declaration>,
    /// What is wrong with its attributes: of interest only where the type is.
    pub findings: Vec<Diagnostic>,
}

impl TypeDef {
    /// Whether kube-derive makes a kind of this type. Its attribute tells as well, where a `use` renames the derive.
    #[must_use]
    pub fn is_kind(&self) -> bool {
        let derives = |path: &Path| {
            let last = path.segments.last();
            last.is_some_and(|last| &*last.name == "CustomResource")
        };
        self.attrs.kube.is_some() || self.derives.iter().any(derives)
    }
}

/// What a type is made of.
#[derive(Clone, Debug)]
pub enum Body {
    /// A struct.
    Struct(Style, Vec<FieldDef>),
    /// An enum.
    Enum(Vec<VariantDef>),
}

/// How fields are written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Style {
    /// `{ a: A }`
    Named,
    /// `(A)`
    Newtype,
    /// `(A, B)`, `()`
    Tuple,
    /// Nothing.
    Unit,
}

/// A field.
#[derive(Clone, Debug)]
pub struct FieldDef {
    /// Its Rust name, or its index.
    pub name: Text,
    /// Its identifier, or its type in a tuple.
    pub span: Span,
    /// The whole field with its attributes, and the comma behind it if there is one.
    pub extent: Span,
    /// Its type.
    pub ty: Ty,
    /// Its attributes.
    pub attrs: FieldAttrs,
}

/// A variant.
#[derive(Clone, Debug)]
pub struct VariantDef {
    /// Its Rust name.
    pub name: Text,
    /// Its identifier.
    pub span: Span,
    /// How its fields are written.
    pub style: Style,
    /// Its fields.
    pub fields: Vec<FieldDef>,
    /// `= ..`
    pub discriminant: Option<Expr>,
    /// Its attributes.
    pub attrs: VariantAttrs,
}

/// A type alias.
#[derive(Clone, Debug)]
pub struct AliasDef {
    /// Its name.
    pub name: Text,
    /// Its identifier.
    pub span: Span,
    /// Its type parameters.
    pub generics: Vec<Text>,
    /// What it stands for.
    pub ty: Ty,
    /// The macros that may rewrite it.
    pub macros: Vec<MacroUse>,
}

/// A constant or a static.
#[derive(Clone, Debug)]
pub struct ConstDef {
    /// Its name.
    pub name: Text,
    /// Its identifier.
    pub span: Span,
    /// Its type.
    pub ty: Ty,
    /// Its value.
    pub value: Expr,
    /// The macros that may rewrite it.
    pub macros: Vec<MacroUse>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct FnDef {
    /// Its name.
    pub name: Text,
    /// Its identifier.
    pub span: Span,
    /// Its type parameters.
    pub generics: Vec<Text>,
    /// The traits that its type parameters have.
    pub bounds: Vec<(Text, Path)>,
    /// How it takes `self`, where it does.
    pub receiver: Option<Receiver>,
    /// The names of its parameters (`_` for patterns); `self` first where it has one.
    pub params: Vec<Text>,
    /// Its parameters as patterns, one for each.
    pub patterns: Vec<Pattern>,
    /// Their types, one for each; none for `self`.
    pub param_types: Vec<Option<Ty>>,
    /// What it returns.
    pub returns: Option<Ty>,
    /// The module that stands for the items inside its body, if there are any.
    pub inside: Option<Text>,
    /// Its body: an [`ExprKind::Block`].
    pub body: Expr,
    /// The macros that may rewrite it.
    pub macros: Vec<MacroUse>,
}

/// How a function takes `self`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Receiver {
    /// `self`
    Value,
    /// `&self`
    Shared,
    /// `&mut self`
    Mutable,
    /// `self: Box<Self>` and the like.
    Other,
}

/// A trait: what `impl` blocks are of.
#[derive(Clone, Debug)]
pub struct TraitDef {
    /// Its name.
    pub name: Text,
    /// Its type and constant parameters.
    pub generics: Vec<Text>,
    /// The traits that whoever has it has as well.
    pub supers: Vec<Path>,
    /// The names of its functions that every block has to write.
    pub required: Vec<Text>,
    /// How each of these takes `self`, where it does.
    pub receivers: Vec<(Text, Option<Receiver>)>,
    /// Its functions that have a body.
    pub fns: Vec<FnDef>,
    /// Its constants that have a value.
    pub consts: Vec<ConstDef>,
    /// The names of all its constants.
    pub const_names: Vec<Text>,
    /// The macros that may rewrite it.
    pub macros: Vec<MacroUse>,
}

impl TraitDef {
    /// Whether it has a function of that name.
    #[must_use]
    pub fn has_fn(&self, name: &str) -> bool {
        self.required.iter().any(|known| &**known == name)
            || self.fns.iter().any(|function| &*function.name == name)
    }
}

/// An `impl` block.
#[derive(Clone, Debug)]
pub struct ImplDef {
    /// The type parameters it introduces.
    pub generics: Vec<Text>,
    /// The traits that those parameters have.
    pub bounds: Vec<(Text, Path)>,
    /// The trait, where it implements one.
    pub of: Option<Path>,
    /// The type.
    pub for_: Ty,
    /// Its functions.
    pub fns: Vec<FnDef>,
    /// Its constants.
    pub consts: Vec<ConstDef>,
    /// Its associated types.
    pub types: Vec<(Text, Ty)>,
    /// What is in it that could not be read, in words: a macro's call, functions of which only the names are kept.
    pub unread: Vec<Text>,
    /// The macros that may rewrite it.
    pub macros: Vec<MacroUse>,
    /// The header.
    pub span: Span,
}

/// One name that a `use` brings in, or one glob. `use a::{b, c as d, e::*}` is three of them.
#[derive(Clone, Debug)]
pub struct UseDef {
    /// The path, without the glob's `*`.
    pub path: Path,
    /// The name it gets; none for a glob. `_` names nothing.
    pub name: Option<Text>,
    /// Whether no `pub` of any kind stands before it, so that globs elsewhere do not bring it in.
    pub private: bool,
    /// `#[macro_use] extern crate`: the crate's macros are known everywhere.
    pub macro_use: bool,
    /// The whole `use` item.
    pub span: Span,
}

/// A module.
#[derive(Clone, Debug)]
pub struct ModDef {
    /// Its name.
    pub name: Text,
    /// Its identifier.
    pub span: Span,
    /// Its items, where it is inline.
    pub inline: Option<Vec<Item>>,
    /// `#[path = ".."]`
    pub path: Option<Text>,
    /// The folder of the file that the item stands in, where another file includes that one.
    pub folder: Option<PathBuf>,
    /// `#[macro_use]`: its macros are known behind it.
    pub macro_use: bool,
    /// Whether it stands for the items inside a function's body. Its names are seen there only, those around it as well.
    pub body: bool,
}

/// A macro.
#[derive(Clone, Debug)]
pub struct MacroDef {
    /// The name that `macro_rules!` defines, or the path that is called.
    pub name: Text,
    /// The path that is called.
    pub path: Path,
    /// The whole item.
    pub span: Span,
    /// Whether this is a definition.
    pub defines: bool,
    /// `#[macro_export]`
    pub exported: bool,
    /// What stands inside.
    pub tokens: Vec<Token>,
}
