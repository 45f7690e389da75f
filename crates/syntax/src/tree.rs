//! The items, types and expressions of a file, as plain values that can be sent between threads. No syn here.

pub use super::code::*;

use super::attrs::{ContainerAttrs, Declaration, FieldAttrs, VariantAttrs};
use super::cfg::Hidden;
use crd_channels_diagnostics::{Diagnostic, Span, Text};
use std::path::PathBuf;
use std::sync::Arc;

/// An item that types, values or paths can refer to. Other items are not kept.
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
    /// One name that a `use` imports, or one glob.
    Use(Arc<UseDef>),
    /// A module.
    Mod(Arc<ModDef>),
    /// A `macro_rules!` definition, or a macro call in item position.
    Macro(Arc<MacroDef>),
    /// An item that an unknown `cfg` removed.
    Hidden(Hidden),
}

/// A macro that affects how an item is read: an attribute on it or on an enclosing module, a derive, or one that its
/// documentation calls. Its path is resolved when the item is needed.
#[derive(Clone, Debug, PartialEq)]
pub struct MacroUse {
    /// The macro.
    pub path: Path,
    /// The number of modules between the item's own and the one in which the path is resolved.
    pub above: u32,
    /// The full names of the macro that was assumed when the item was read; empty if no macro was applied.
    pub read_as: &'static [&'static str],
    /// Why it could not be applied.
    pub unread: Option<&'static str>,
    /// Whether this may be a helper attribute of a derive on the same item.
    pub helps: bool,
    /// Whether it is called, as `name!(..)`.
    pub called: bool,
}

/// Which code sees an item. Globs elsewhere do not import it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Visibility {
    /// `pub`
    Public,
    /// None, or `pub(self)`: that of its module; `pub(super)`: that of the module 1 above; and so on.
    Above(usize),
    /// `pub(in crate::a::b)`; without names, `pub(crate)`.
    Under(Vec<Text>),
}

/// A struct or an enum with its attributes.
#[derive(Clone, Debug)]
pub struct TypeDef {
    /// Its name.
    pub name: Text,
    /// Which code sees it.
    pub visibility: Visibility,
    /// Which code sees its constructor, if it is a tuple struct.
    pub constructor: Visibility,
    /// Its identifier.
    pub span: Span,
    /// Its type and constant parameters, in order (lifetimes are dropped).
    pub generics: Vec<Text>,
    /// The defaults of its parameters, one for each.
    pub fallbacks: Vec<Option<Ty>>,
    /// The trait bounds in the `impl` that schemars derives; `None` if they are not read.
    pub bounds: Option<Vec<(Ty, Path)>>,
    /// Whether a `#[serde(bound = ..)]` replaces the bounds in the `impl`s that serde derives.
    pub rebound: bool,
    /// The paths inside its `#[derive(..)]`s.
    pub derives: Vec<Path>,
    /// The attributes on it or inside that only a derive can make known to rustc, each where it is first used.
    pub helpers: Vec<(Text, Span)>,
    /// Whether serde's attributes were read.
    pub reads_serde: bool,
    /// The macros that may rewrite it.
    pub macros: Vec<MacroUse>,
    /// Its fields or variants.
    pub body: Body,
    /// Its own attributes.
    pub attrs: ContainerAttrs,
    /// The conditions or the reasons that it declares.
    pub declares: Option<Declaration>,
    /// The diagnostics about its attributes, which only matter if the type is used.
    pub findings: Vec<Diagnostic>,
}

impl TypeDef {
    /// Whether the type is a kind of kube-derive. A `#[kube(..)]` is sufficient, since a `use` may rename the derive.
    #[must_use]
    pub fn is_kind(&self) -> bool {
        let derives = |path: &Path| {
            let last = path.segments.last();
            last.is_some_and(|last| &*last.name == "CustomResource")
        };
        self.attrs.kube.is_some() || self.derives.iter().any(derives)
    }
}

/// The fields or variants of a type.
#[derive(Clone, Debug)]
pub enum Body {
    /// A struct.
    Struct(Style, Vec<FieldDef>),
    /// An enum.
    Enum(Vec<VariantDef>),
}

/// The syntax of fields.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Style {
    /// `{ a: A }`
    Named,
    /// `(A)`
    Newtype,
    /// `(A, B)`, `()`
    Tuple,
    /// No fields.
    Unit,
}

/// A field.
#[derive(Clone, Debug)]
pub struct FieldDef {
    /// Its Rust name, or its index.
    pub name: Text,
    /// Its identifier, or its type in a tuple.
    pub span: Span,
    /// The whole field with its attributes, and the following comma if there is one.
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
    /// The syntax of its fields.
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
    /// Which code sees it.
    pub visibility: Visibility,
    /// Its identifier.
    pub span: Span,
    /// Its type parameters.
    pub generics: Vec<Text>,
    /// The aliased type.
    pub ty: Ty,
    /// The macros that may rewrite it.
    pub macros: Vec<MacroUse>,
}

/// A constant or a static.
#[derive(Clone, Debug)]
pub struct ConstDef {
    /// Its name.
    pub name: Text,
    /// Which code sees it.
    pub visibility: Visibility,
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
    /// Which code sees it.
    pub visibility: Visibility,
    /// Its identifier.
    pub span: Span,
    /// Its type parameters.
    pub generics: Vec<Text>,
    /// The types of those that are constants, one for each of them.
    pub constants: Vec<Option<Ty>>,
    /// The trait bounds of its type parameters.
    pub bounds: Vec<(Text, Path)>,
    /// Whether it takes `self`.
    pub takes_self: bool,
    /// The names of its parameters (`_` for patterns), including `self`.
    pub params: Vec<Text>,
    /// Its parameters as patterns, one for each.
    pub patterns: Vec<Pattern>,
    /// Their types, one for each; `None` for `self`.
    pub param_types: Vec<Option<Ty>>,
    /// Its return type.
    pub returns: Option<Ty>,
    /// The module of the items inside its body, if there are any.
    pub inside: Option<Text>,
    /// Its body: an [`ExprKind::Block`].
    pub body: Expr,
    /// The macros that may rewrite it.
    pub macros: Vec<MacroUse>,
}

/// A trait.
#[derive(Clone, Debug)]
pub struct TraitDef {
    /// Its name.
    pub name: Text,
    /// Which code sees it.
    pub visibility: Visibility,
    /// The names of its functions.
    pub functions: Vec<Text>,
    /// Whether a macro makes more of them.
    pub has_unseen: bool,
    /// The macros that may rewrite it.
    pub macros: Vec<MacroUse>,
}

/// An `impl` block.
#[derive(Clone, Debug)]
pub struct ImplDef {
    /// Its type parameters.
    pub generics: Vec<Text>,
    /// The trait bounds of those parameters.
    pub bounds: Vec<(Text, Path)>,
    /// The trait; `None` for an inherent block.
    pub of: Option<Path>,
    /// The type.
    pub for_: Ty,
    /// Its functions.
    pub fns: Vec<FnDef>,
    /// Its constants.
    pub consts: Vec<ConstDef>,
    /// Members that could not be read, described in words: macro calls, functions of which only the names are kept.
    pub unread: Vec<Text>,
    /// The macros that may rewrite it.
    pub macros: Vec<MacroUse>,
    /// The header.
    pub span: Span,
}

/// Functions of traits before which one of the type itself comes, so that none may be overlooked.
pub const SHADOWING: [&str; 3] = ["default", "from", "json_schema"];

impl ImplDef {
    /// Returns true if it has a function, whether its body was read or not.
    #[must_use]
    pub fn has_function(&self, name: &str) -> bool {
        self.fns.iter().any(|function| &*function.name == name)
            || self.unread.iter().any(|unread| &**unread == name)
    }

    /// An inherent block for a type that is not known, whose name is among these tokens, with a function that is not read.
    #[must_use]
    pub fn unread(span: Span, function: &str, tokens: Vec<Token>) -> Self {
        Self {
            generics: Vec::new(),
            bounds: Vec::new(),
            of: None,
            for_: Ty {
                kind: TyKind::Macro(Path::of_name("impl", span), tokens),
                span,
            },
            span,
            fns: Vec::new(),
            consts: Vec::new(),
            unread: vec![function.into()],
            macros: Vec::new(),
        }
    }
}

/// One name that a `use` imports, or one glob. `use a::{b, c as d, e::*}` is three of them.
#[derive(Clone, Debug)]
pub struct UseDef {
    /// The path, without the glob's `*`.
    pub path: Path,
    /// The imported name; `None` for a glob. `_` imports no name.
    pub name: Option<Text>,
    /// `use a::{self}`, which imports no value and no macro.
    pub is_self: bool,
    /// Which code sees what it imports.
    pub visibility: Visibility,
    /// `#[macro_use] extern crate`: the crate's macros are visible everywhere.
    pub macro_use: bool,
    /// The whole `use` item.
    pub span: Span,
}

/// A module.
#[derive(Clone, Debug)]
pub struct ModDef {
    /// Its name.
    pub name: Text,
    /// Which code sees it.
    pub visibility: Visibility,
    /// Its identifier.
    pub span: Span,
    /// Its items, if it is inline.
    pub inline: Option<Vec<Item>>,
    /// `#[path = ".."]`
    pub path: Option<Text>,
    /// The folder of the file with the item, if another file includes that one.
    pub folder: Option<PathBuf>,
    /// `#[macro_use]`: its macros are visible after it.
    pub macro_use: bool,
    /// Whether it contains the items inside a function's body. Its names are visible only there, together with those around it.
    pub body: bool,
}

/// A macro definition or call.
#[derive(Clone, Debug)]
pub struct MacroDef {
    /// The name that `macro_rules!` defines, or the path of the call.
    pub name: Text,
    /// The path of the call.
    pub path: Path,
    /// The whole item.
    pub span: Span,
    /// Whether it is a definition.
    pub defines: bool,
    /// `#[macro_export]`
    pub exported: bool,
    /// Whether an unknown `cfg` decides if it exists, so that it is never expanded.
    pub undecided: bool,
    /// The tokens inside.
    pub tokens: Vec<Token>,
}
