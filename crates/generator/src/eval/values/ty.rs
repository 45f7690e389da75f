//! Resolved types: paths resolved, aliases followed, type parameters replaced by their arguments.

use super::kinds::is_wrapper;
use super::path_segments::last_segment;
use super::value::Value;
use crate::eval::Reader;
use crd_channels_diagnostics::{Code, Diagnostic, Span, Text};
use crd_channels_source::tree::{Expr, ExprKind, ImplDef, Path, TraitDef, Ty, TyKind};
use crd_channels_source::{Def, ModuleId, Resolved, TypeRef};
use std::fmt::{self, Display};
use std::sync::Arc;

/// An error about one type or expression.
pub(crate) type Finding = Box<Diagnostic>;

/// The reader's name for a `_` length.
const INFERRED: &str = "an unknown expression";

/// The maximum number of aliases in a row, and the maximum depth of type arguments.
const MAX_DEPTH: usize = 64;

/// A trait of the source, with its module.
pub(crate) type TraitRef = (ModuleId, Arc<TraitDef>);

/// A resolved type.
#[derive(Clone, Debug)]
pub(crate) enum Concrete {
    /// A type known by name, with its arguments: `std::vec::Vec`, `u8`.
    External(Text, Vec<Concrete>),
    /// A struct or enum in source.
    Def(Arc<Instance>),
    /// `[T; N]`
    Array(Box<Concrete>, u64),
    /// `(A, B)`
    Tuple(Vec<Concrete>),
    /// The value of a constant parameter.
    Number(i128),
    /// `&T`, `&mut T`, and whether it is mutable. Only [`Reader::typed`] returns it, since schemas have no references.
    Ref(Box<Concrete>, bool),
    /// `[T]`; only [`Reader::typed`] returns it.
    Slice(Box<Concrete>),
    /// `[T; N]` whose length is a parameter.
    Sized(Box<Concrete>, Box<Concrete>),
    /// An unbound parameter.
    Param(Text),
    /// `_`, and parts of types that values do not determine.
    Infer,
    /// A type without values here, described in words: a function, a trait object.
    Opaque(Text),
}

/// A struct or enum with its arguments.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// The definition.
    pub(crate) ty: TypeRef,
    /// One for each type parameter.
    pub(crate) args: Vec<Concrete>,
}

/// The scope of a path: the names that it may use besides those of its module.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// The module.
    pub(crate) module: ModuleId,
    /// The type parameters in scope.
    pub(crate) params: Arc<[(Text, Concrete)]>,
    /// The type of `Self`.
    pub(crate) this: Option<Concrete>,
    /// The function, for messages.
    pub(crate) function: Option<Text>,
    /// The traits in scope besides those of the module: those of bounds, and the block's own.
    pub(crate) traits: Arc<[TraitRef]>,
}

impl Scope {
    /// Creates the scope of a module, outside any type.
    pub(crate) fn module(module: ModuleId) -> Self {
        Self {
            module,
            params: Arc::from([]),
            this: None,
            function: None,
            traits: Arc::from([]),
        }
    }

    /// Creates the scope of a module, with bindings of type parameters.
    pub(crate) fn with(module: ModuleId, params: Arc<[(Text, Concrete)]>) -> Self {
        Self {
            params,
            ..Self::module(module)
        }
    }

    /// Creates the scope of a type's definition.
    pub(crate) fn of(instance: &Arc<Instance>) -> Self {
        let names = instance.ty.def.generics.iter().cloned();
        Self {
            module: instance.ty.module,
            params: names.zip(instance.args.iter().cloned()).collect(),
            this: Some(Concrete::Def(Arc::clone(instance))),
            ..Self::module(instance.ty.module)
        }
    }

    /// Creates the scope of a type's `impl` block. Binds the block's parameters if the header uses them directly.
    pub(crate) fn of_impl(instance: &Arc<Instance>, module: ModuleId, block: &ImplDef) -> Self {
        let header = match &block.for_.kind {
            TyKind::Path(path) => path.segments.last().map_or(&[][..], |last| &last.args),
            _ => &[],
        };
        let bound = header.iter().zip(&instance.args).filter_map(|(ty, arg)| {
            let TyKind::Path(path) = &ty.kind else {
                return None;
            };
            let name = single(path)?;
            block
                .generics
                .contains(name)
                .then(|| (name.clone(), arg.clone()))
        });
        Self {
            params: bound.collect(),
            this: Some(Concrete::Def(Arc::clone(instance))),
            ..Self::module(module)
        }
    }

    /// Returns the same scope inside a function.
    pub(crate) fn within(self, function: &Text) -> Self {
        Self {
            function: Some(function.clone()),
            ..self
        }
    }

    /// Resolves a name that belongs to no module: a type parameter, or `Self`.
    pub(crate) fn local(&self, name: &str) -> Option<&Concrete> {
        if name == "Self" {
            return self.this.as_ref();
        }
        let param = self.params.iter().find(|(param, _)| &**param == name);
        param.map(|(_, concrete)| concrete)
    }
}

/// Returns the name of a path with a single segment.
pub(crate) fn single(path: &Path) -> Option<&Text> {
    match &path.segments[..] {
        [only] if !path.leading && only.args.is_empty() => Some(&only.name),
        _ => None,
    }
}

impl Display for Concrete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list(f: &mut fmt::Formatter<'_>, items: &[Concrete]) -> fmt::Result {
            for (index, item) in items.iter().enumerate() {
                let comma = if index == 0 { "" } else { ", " };
                write!(f, "{comma}{item}")?;
            }
            Ok(())
        }
        let (name, args) = match self {
            Concrete::External(path, args) => (last_segment(path), args),
            Concrete::Def(instance) => (&*instance.ty.def.name, &instance.args),
            Concrete::Number(number) => return write!(f, "{number}"),
            Concrete::Ref(inner, mutable) => {
                return write!(f, "&{}{inner}", if *mutable { "mut " } else { "" });
            }
            Concrete::Slice(item) => return write!(f, "[{item}]"),
            Concrete::Sized(item, length) => return write!(f, "[{item}; {length}]"),
            Concrete::Param(name) | Concrete::Opaque(name) => return f.write_str(name),
            Concrete::Infer => return f.write_str("_"),
            Concrete::Array(item, length) => return write!(f, "[{item}; {length}]"),
            Concrete::Tuple(items) => {
                f.write_str("(")?;
                list(f, items)?;
                return f.write_str(")");
            }
        };
        f.write_str(name)?;
        if !args.is_empty() {
            f.write_str("<")?;
            list(f, args)?;
            f.write_str(">")?;
        }
        Ok(())
    }
}

impl Concrete {
    /// A type known by name.
    pub(crate) fn external(path: &str) -> Self {
        Concrete::External(path.into(), Vec::new())
    }

    /// Returns a text that identifies the type.
    pub(crate) fn key(&self) -> String {
        let mut key = String::new();
        self.write_key(&mut key);
        key
    }

    fn write_key(&self, key: &mut String) {
        let args = match self {
            Concrete::External(path, args) => {
                key.push_str(path);
                args
            }
            Concrete::Def(instance) => {
                let Instance { ty, args } = &**instance;
                let Span { file, start, .. } = ty.def.span;
                key.push_str(&format!(
                    "{}@{}:{}:{start}",
                    ty.def.name, ty.module.0, file.0
                ));
                args
            }
            Concrete::Number(number) => {
                key.push_str(&number.to_string());
                return;
            }
            Concrete::Array(item, length) => {
                key.push_str(&format!("[{length};"));
                item.write_key(key);
                key.push(']');
                return;
            }
            Concrete::Tuple(items) => {
                key.push('(');
                items
            }
            Concrete::Ref(inner, mutable) => {
                key.push_str(if *mutable { "&mut " } else { "&" });
                inner.write_key(key);
                return;
            }
            Concrete::Slice(item) => {
                key.push('[');
                item.write_key(key);
                key.push(']');
                return;
            }
            Concrete::Sized(item, length) => {
                key.push('[');
                item.write_key(key);
                key.push(';');
                length.write_key(key);
                key.push(']');
                return;
            }
            Concrete::Param(name) | Concrete::Opaque(name) => {
                key.push('`');
                key.push_str(name);
                return;
            }
            Concrete::Infer => {
                key.push('_');
                return;
            }
        };
        key.push('<');
        for arg in args {
            arg.write_key(key);
            key.push(',');
        }
        key.push('>');
    }

    /// Returns the type as a schema sees it: without references, and slices as lists.
    pub(crate) fn erased(&self) -> Concrete {
        let all = |types: &[Concrete]| types.iter().map(Concrete::erased).collect();
        match self {
            Concrete::External(name, args) => Concrete::External(name.clone(), all(args)),
            Concrete::Def(instance) => Concrete::Def(Arc::new(Instance {
                ty: instance.ty.clone(),
                args: all(&instance.args),
            })),
            Concrete::Array(item, length) => Concrete::Array(Box::new(item.erased()), *length),
            Concrete::Sized(item, length) => {
                Concrete::Sized(Box::new(item.erased()), length.clone())
            }
            Concrete::Tuple(items) => Concrete::Tuple(all(items)),
            Concrete::Ref(inner, _) => inner.erased(),
            Concrete::Slice(item) => {
                Concrete::External("std::vec::Vec".into(), vec![item.erased()])
            }
            Concrete::Number(_) | Concrete::Param(_) | Concrete::Infer | Concrete::Opaque(_) => {
                self.clone()
            }
        }
    }

    /// Returns the type inside boxes, reference counts and cells, which neither serde nor schemars shows.
    pub(crate) fn peel(&self) -> &Concrete {
        let mut ty = self;
        while let Concrete::External(path, args) = ty {
            match (is_wrapper(path), args.first()) {
                (true, Some(inner)) => ty = inner,
                _ => break,
            }
        }
        ty
    }

    /// Returns the first argument of a type known by name: the item type of a list, the inner type of an option.
    pub(crate) fn item(&self) -> Option<&Concrete> {
        match self.peel() {
            Concrete::External(_, args) => args.first(),
            Concrete::Array(item, _) | Concrete::Slice(item) => Some(item),
            _ => None,
        }
    }

    /// Returns the full path of a type known by name.
    pub(crate) fn external_path(&self) -> Option<&str> {
        match self.peel() {
            Concrete::External(path, _) => Some(path),
            _ => None,
        }
    }

    /// Returns the last segment of the path of a type known by name.
    pub(crate) fn external_name(&self) -> Option<&str> {
        self.external_path().map(last_segment)
    }
}

/// The purpose of resolving a type expression.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Purpose {
    /// A schema, in which references and slices leave no trace.
    Schema,
    /// Values, which know their types.
    Values,
}

impl Reader<'_> {
    /// Resolves a type expression, without references, as the source of a schema.
    ///
    /// # Errors
    ///
    /// `unresolved-path`, or `unsupported-type` for types that cannot have a schema.
    pub(crate) fn concrete(&self, ty: &Ty, scope: &Scope) -> Result<Concrete, Finding> {
        self.concrete_at(ty, scope, Purpose::Schema, 0)
    }

    /// Resolves a type expression, as values have it.
    ///
    /// # Errors
    ///
    /// As for [`Reader::concrete`].
    pub(crate) fn typed(&self, ty: &Ty, scope: &Scope) -> Result<Concrete, Finding> {
        self.concrete_at(ty, scope, Purpose::Values, 0)
    }

    fn concrete_at(
        &self,
        ty: &Ty,
        scope: &Scope,
        why: Purpose,
        depth: usize,
    ) -> Result<Concrete, Finding> {
        if depth > MAX_DEPTH {
            return Err(unsupported(
                ty.span,
                "a type that aliases and arguments nest too deep",
                "name the type without the chain of aliases",
            ));
        }
        let inner = |ty: &Ty| self.concrete_at(ty, scope, why, depth + 1);
        match &ty.kind {
            TyKind::Path(path) => self.concrete_path(path, scope, why, depth),
            TyKind::Reference(of, mutable) => match why {
                Purpose::Schema => inner(of),
                Purpose::Values => Ok(Concrete::Ref(Box::new(inner(of)?), *mutable)),
            },
            TyKind::Slice(item) => {
                let item = inner(item)?;
                Ok(match why {
                    Purpose::Schema => Concrete::External("std::vec::Vec".into(), vec![item]),
                    Purpose::Values => Concrete::Slice(Box::new(item)),
                })
            }
            TyKind::Array(item, length) => {
                let item = Box::new(inner(item)?);
                if let ExprKind::Path(path) = &length.kind
                    && let Some(open @ (Concrete::Param(_) | Concrete::Infer)) =
                        single(path).and_then(|name| scope.local(name))
                {
                    return Ok(Concrete::Sized(item, Box::new(open.clone())));
                }
                if matches!(&length.kind, ExprKind::Other(words) if &**words == INFERRED) {
                    return Ok(Concrete::Sized(item, Box::new(Concrete::Infer)));
                }
                Ok(Concrete::Array(item, self.number(length, scope)?))
            }
            TyKind::Tuple(items) => {
                let items = items.iter().map(inner);
                Ok(Concrete::Tuple(items.collect::<Result<_, _>>()?))
            }
            TyKind::Qualified(own, of, name) => {
                let own = self.concrete_at(own, scope, Purpose::Values, depth + 1)?;
                let found = self.associated_type(&own, (of.as_ref(), name), scope)?;
                match (found, why) {
                    (Some(found), Purpose::Schema) => Ok(found.erased()),
                    (Some(found), Purpose::Values) => Ok(found),
                    (None, Purpose::Schema) => Err(no_associated(ty.span, &own, name)),
                    (None, Purpose::Values) => Ok(Concrete::Infer),
                }
            }
            TyKind::Const(value) => self.constant_argument(value, scope),
            TyKind::Macro(path, tokens) => {
                let made = self.graph.expanded_type(scope.module, path, tokens);
                let made = made.ok_or_else(|| {
                    unsupported(
                        ty.span,
                        &format!("the type that `{path}!` expands to"),
                        "name the type itself",
                    )
                })?;
                self.concrete_at(&made, scope, why, depth + 1)
            }
            TyKind::Other(words) if why == Purpose::Values => Ok(match &**words {
                "an inferred type" | "an `impl Trait` type" => Concrete::Infer,
                _ => Concrete::Opaque(words.clone()),
            }),
            TyKind::Other(words) => Err(unsupported(
                ty.span,
                words,
                "use a type that derives `JsonSchema`, or name an equivalent type with `#[schemars(with = \"..\")]`",
            )),
        }
    }

    fn concrete_path(
        &self,
        path: &Path,
        scope: &Scope,
        why: Purpose,
        depth: usize,
    ) -> Result<Concrete, Finding> {
        if let (Some(first), false) = (path.segments.first(), path.leading)
            && let Some(concrete) = scope.local(&first.name)
        {
            return match &path.segments[1..] {
                [] => Ok(match why {
                    Purpose::Schema => concrete.erased(),
                    Purpose::Values => concrete.clone(),
                }),
                [only] => {
                    let found = self.associated_type(concrete, (None, &only.name), scope)?;
                    match (found, why) {
                        (Some(found), Purpose::Schema) => Ok(found.erased()),
                        (Some(found), Purpose::Values) => Ok(found),
                        (None, Purpose::Schema) => {
                            Err(no_associated(path.span, concrete, &only.name))
                        }
                        (None, Purpose::Values) => Ok(Concrete::Infer),
                    }
                }
                _ => Err(unsupported(
                    path.span,
                    &format!("an associated type of `{concrete}`"),
                    "name the type itself",
                )),
            };
        }
        let args = || {
            let written = path.segments.last().map_or(&[][..], |last| &last.args);
            let args = written
                .iter()
                .map(|arg| self.concrete_at(arg, scope, why, depth + 1));
            args.collect::<Result<Vec<_>, _>>()
        };
        let resolved = match self.graph.resolve_type(scope.module, path) {
            Ok(resolved) => resolved,
            // A constant among type arguments looks like a type.
            Err(finding) => {
                let value = Expr {
                    kind: ExprKind::Path(path.clone()),
                    span: path.span,
                };
                return match depth {
                    0 => Err(finding),
                    _ => self.constant_argument(&value, scope).map_err(|_| finding),
                };
            }
        };
        match resolved {
            Resolved::External(name) => Ok(Concrete::External(name, args()?)),
            Resolved::Def(Def::Type(ty)) => {
                let mut args = args()?;
                // `Wrapper::new(..)`: arguments and results determine the arguments omitted here.
                if why == Purpose::Values && args.is_empty() && depth == 0 {
                    args = vec![Concrete::Infer; ty.def.generics.len()];
                }
                let left_out = ty.def.fallbacks.get(args.len()..).unwrap_or_default();
                for fallback in left_out.iter().map_while(Option::as_ref) {
                    let names = ty.def.generics.iter().cloned();
                    let params = names.zip(args.iter().cloned()).collect();
                    let scope = Scope::with(ty.module, params);
                    args.push(self.concrete_at(fallback, &scope, why, depth + 1)?);
                }
                check_arguments(&ty.def.name, &ty.def.generics, args.len(), path.span)?;
                Ok(Concrete::Def(Arc::new(Instance { ty, args })))
            }
            Resolved::Def(Def::Alias(module, alias)) => {
                let args = args()?;
                check_arguments(&alias.name, &alias.generics, args.len(), path.span)?;
                let params = alias.generics.iter().cloned().zip(args).collect();
                let scope = Scope::with(module, params);
                self.concrete_at(&alias.ty, &scope, why, depth + 1)
            }
            Resolved::Def(Def::Trait(..)) if why == Purpose::Values => {
                Ok(Concrete::Opaque("a trait object".into()))
            }
            Resolved::Def(
                Def::Const(..)
                | Def::Fn(..)
                | Def::Variant(..)
                | Def::Associated(..)
                | Def::Trait(..),
            ) => Err(unsupported(
                path.span,
                "something that is not a type",
                "name a struct, an enum or an alias",
            )),
        }
    }

    fn constant_argument(&self, value: &Expr, scope: &Scope) -> Result<Concrete, Finding> {
        match self.eval(value, scope, None)? {
            Value::Int(int) => Ok(Concrete::Number(int.value)),
            Value::Bool(value) => Ok(Concrete::Number(i128::from(value))),
            _ => Err(unsupported(
                value.span,
                "a constant that is not an integer in place of a type",
                "name the type without the parameter",
            )),
        }
    }
}

fn check_arguments(
    name: &Text,
    generics: &[Text],
    given: usize,
    span: Span,
) -> Result<(), Finding> {
    if given == generics.len() {
        return Ok(());
    }
    let wanted = generics.join(", ");
    Err(unsupported(
        span,
        &format!(
            "`{name}` with {given} of its {} type arguments",
            generics.len()
        ),
        &format!("write all of them: `{name}<{wanted}>`"),
    ))
}

fn no_associated(span: Span, own: &Concrete, name: &str) -> Finding {
    unsupported(
        span,
        &format!("the associated type `{name}` of `{own}`"),
        "name the type itself",
    )
}

/// `unsupported-type`
pub(crate) fn unsupported(span: Span, what: &str, help: &str) -> Finding {
    Box::new(
        Diagnostic::new(
            Code::UnsupportedType,
            span,
            format!("{what} cannot be expressed in a CRD"),
        )
        .with_help(help),
    )
}
