//! Types as written.

use super::Base;
use super::exprs::expr_at;
use super::paths::path_at;
use super::tokens::tokens;
use super::{MAX_DEPTH, join, name, span};
use crate::tree::{Path, Ty, TyKind};
use crd_channels_diagnostics::{Span, Text};
use quote::ToTokens;
use syn::Type;
use syn::spanned::Spanned;

/// Lowers a type as written. A type that cannot have a schema becomes [`TyKind::Other`].
pub(crate) fn ty(base: impl Into<Base>, ty: &Type) -> Ty {
    ty_at(base.into(), ty, 0)
}

pub(super) fn ty_at(base: Base, ty: &Type, depth: usize) -> Ty {
    if depth > MAX_DEPTH {
        return other(base, ty, "a type nested too deep to follow");
    }
    let inner = |ty: &Type| Box::new(ty_at(base, ty, depth + 1));
    match ty {
        Type::Path(path) => match &path.qself {
            None => path_at(base, &path.path, depth).into(),
            Some(qself) => qualified_ty(base, qself, &path.path, depth),
        },
        Type::Reference(reference) => {
            let elem = inner(&reference.elem);
            Ty {
                span: join(span(base, reference.and_token.span), elem.span),
                kind: TyKind::Reference(elem, reference.mutability.is_some()),
            }
        }
        Type::Array(array) => Ty {
            span: span(base, array.bracket_token.span.join()),
            kind: TyKind::Array(
                inner(&array.elem),
                Box::new(expr_at(base, &array.len, depth + 1)),
            ),
        },
        Type::Slice(slice) => Ty {
            span: span(base, slice.bracket_token.span.join()),
            kind: TyKind::Slice(inner(&slice.elem)),
        },
        Type::Tuple(tuple) => Ty {
            span: span(base, tuple.paren_token.span.join()),
            kind: TyKind::Tuple(
                tuple
                    .elems
                    .iter()
                    .map(|elem| ty_at(base, elem, depth + 1))
                    .collect(),
            ),
        },
        Type::Paren(paren) => Ty {
            span: span(base, paren.paren_token.span.join()),
            ..ty_at(base, &paren.elem, depth + 1)
        },
        Type::Group(group) => ty_at(base, &group.elem, depth + 1),
        Type::FnPtr(_) => other(base, ty, "a function pointer"),
        Type::Ptr(_) => other(base, ty, "a raw pointer"),
        Type::TraitObject(_) => other(base, ty, "a trait object"),
        Type::ImplTrait(_) => other(base, ty, "an `impl Trait` type"),
        Type::Infer(_) => other(base, ty, "an inferred type"),
        Type::Never(_) => other(base, ty, "the never type"),
        Type::Macro(call) => Ty {
            kind: TyKind::Macro(
                path_at(base, &call.mac.path, depth),
                tokens(base, call.mac.tokens.clone()),
            ),
            span: span(base, ty.span()),
        },
        _ => other(base, ty, "an unknown type"),
    }
}

/// A constant used as a type argument.
pub(crate) fn const_argument(base: impl Into<Base>, value: &syn::Expr) -> Ty {
    const_argument_at(base.into(), value, 0)
}

/// The names of type and constant parameters.
pub(crate) fn generics(generics: &syn::Generics) -> Vec<Text> {
    let names = generics
        .params
        .iter()
        .filter_map(|parameter| match parameter {
            syn::GenericParam::Type(of) => Some(name(&of.ident)),
            syn::GenericParam::Const(of) => Some(name(&of.ident)),
            _ => None,
        });
    names.collect()
}

/// The types of constant parameters, and `None` for each type parameter.
pub(crate) fn constants(base: impl Into<Base>, generics: &syn::Generics) -> Vec<Option<Ty>> {
    let base = base.into();
    let types = generics
        .params
        .iter()
        .filter_map(|parameter| match parameter {
            syn::GenericParam::Type(_) => Some(None),
            syn::GenericParam::Const(of) => Some(Some(ty(base, &of.ty))),
            syn::GenericParam::Lifetime(_) => None,
        });
    types.collect()
}

/// The trait bounds of type parameters.
pub(crate) fn bounds(base: impl Into<Base>, generics: &syn::Generics) -> Vec<(Text, Path)> {
    let base = base.into();
    let mut found = Vec::new();
    let mut take = |of: Text, bounds: &mut dyn Iterator<Item = &syn::TypeParamBound>| {
        for bound in bounds {
            if let syn::TypeParamBound::Trait(bound) = bound {
                found.push((of.clone(), path_at(base, &bound.path, 0)));
            }
        }
    };
    for parameter in &generics.params {
        if let syn::GenericParam::Type(of) = parameter {
            take(name(&of.ident), &mut of.bounds.iter());
        }
    }
    for predicate in generics.where_clause.iter().flat_map(|of| &of.predicates) {
        if let syn::WherePredicate::Type(of) = predicate {
            let parameter = match &of.bounded_ty {
                Type::Path(path) => path.path.get_ident().map(name),
                _ => None,
            };
            // A bound of another type has no name.
            take(parameter.unwrap_or_default(), &mut of.bounds.iter());
        }
    }
    found
}

/// A constant among type arguments. A path may be a type, so it stays a path.
pub(super) fn const_argument_at(base: Base, value: &syn::Expr, depth: usize) -> Ty {
    match value {
        syn::Expr::Path(path) if path.qself.is_none() => path_at(base, &path.path, depth).into(),
        other => Ty {
            kind: TyKind::Const(Box::new(expr_at(base, other, depth))),
            span: span(base, other.span()),
        },
    }
}

fn qualified_ty(base: Base, qself: &syn::QSelf, path: &syn::Path, depth: usize) -> Ty {
    let (own, of, name, span) = qualified(base, qself, path, depth);
    Ty {
        kind: TyKind::Qualified(Box::new(own), of, name),
        span,
    }
}

/// The parts of `<T as Trait>::Name`: the type, the trait, the name, and the span of all.
pub(super) fn qualified(
    base: Base,
    qself: &syn::QSelf,
    path: &syn::Path,
    depth: usize,
) -> (Ty, Option<Path>, Text, Span) {
    let own = ty_at(base, &qself.ty, depth + 1);
    let whole = path_at(base, path, depth);
    let last = path.segments.last().map(|last| name(&last.ident));
    let of = (qself.position > 0).then(|| {
        let mut of = whole.clone();
        of.segments.truncate(qself.position);
        if let Some(last) = path.segments.get(qself.position.saturating_sub(1)) {
            of.span = join(of.span, span(base, last.ident.span()));
        }
        of
    });
    // The trait may start before the whole path, but never ends after it.
    let place = join(span(base, qself.lt_token.span), whole.span);
    (own, of, last.unwrap_or_default(), place)
}

fn other(base: Base, ty: &impl ToTokens, what: &str) -> Ty {
    Ty {
        kind: TyKind::Other(Text::from(what)),
        span: span(base, ty.span()),
    }
}
