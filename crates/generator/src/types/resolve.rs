//! Type expressions: resolves paths, follows aliases, and replaces type parameters by their arguments.

use super::{Concrete, Finding, Instance, Scope};
use crate::reader::Reader;
use crd_channels_diagnostics::{Code, Diagnostic, Span, Text};
use crd_channels_source::tree::{ExprKind, Path, Ty, TyKind};
use crd_channels_source::{Def, Resolved};
use std::sync::Arc;

/// The reader's name for a `_` length.
const INFERRED: &str = "an unknown expression";

/// The maximum number of aliases in a row, and the maximum depth of type arguments.
const MAX_DEPTH: usize = 64;

/// The purpose of resolving a type expression.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Purpose {
    /// A schema: what has none is an error.
    Schema,
    /// Values: what is not known is left open.
    Values,
}

impl Reader<'_> {
    /// Resolves a type expression, without references, as the source of a schema.
    ///
    /// # Errors
    ///
    /// `unresolved-path`, or `unsupported-type` for types that cannot have a schema.
    pub(crate) fn concrete(&self, ty: &Ty, scope: &Scope) -> Result<Concrete, Finding> {
        let ty = self.concrete_at(ty, scope, Purpose::Schema, 0)?;
        Ok(ty.erased())
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
            TyKind::Reference(of, mutable) => Ok(Concrete::Ref(Box::new(inner(of)?), *mutable)),
            TyKind::Slice(item) => Ok(Concrete::Slice(Box::new(inner(item)?))),
            TyKind::Array(_, length) if matches!(&length.kind, ExprKind::Other(words) if &**words == INFERRED) => {
                Ok(Concrete::Infer)
            }
            TyKind::Array(item, length) => {
                let item = Box::new(inner(item)?);
                Ok(Concrete::Array(item, self.number(length, scope)?))
            }
            TyKind::Tuple(items) => {
                let items = items.iter().map(inner);
                Ok(Concrete::Tuple(items.collect::<Result<_, _>>()?))
            }
            TyKind::Qualified(..) if why == Purpose::Values => Ok(Concrete::Infer),
            TyKind::Qualified(own, _, name) => Err(no_associated(ty.span, &inner(own)?, name)),
            TyKind::Const(_) => Err(unsupported(
                ty.span,
                "a constant in place of a type",
                "name a type without constant parameters",
            )),
            TyKind::Macro(path, _) => Err(unsupported(
                ty.span,
                &format!("the type that `{path}!` expands to"),
                "name the type itself",
            )),
            TyKind::Other(_) if why == Purpose::Values => Ok(Concrete::Infer),
            TyKind::Other(words) => Err(unsupported(
                ty.span,
                words,
                "use a type that derives `JsonSchema`, or name an equivalent type with `#[schemars(with = \"..\")]`",
            )),
        }
    }

    /// Resolves a path with its arguments: a parameter, a known type, a definition, or what an alias stands for.
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
                [] => Ok(concrete.clone()),
                _ if why == Purpose::Values => Ok(Concrete::Infer),
                [only] => Err(no_associated(path.span, concrete, &only.name)),
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
        let resolved = self.graph.resolve_type(scope.module, path)?;
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
            Resolved::Def(Def::Trait(..)) if why == Purpose::Values => Ok(Concrete::Infer),
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
