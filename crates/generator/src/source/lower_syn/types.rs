//! Types as written.

use super::exprs::expr_at;
use super::paths::path_at;
use super::tokens::tokens;
use super::{MAX_DEPTH, join, name, span};
use crate::Text;
use crate::diag::{FileId, Span};
use crate::source::tree::{Path, Ty, TyKind};
use quote::ToTokens;
use syn::Type;
use syn::spanned::Spanned;

/// A type as written. What can have no schema is [`TyKind::Other`].
pub(in crate::source) fn ty(file: FileId, ty: &Type) -> Ty {
    ty_at(file, ty, 0)
}

pub(super) fn ty_at(file: FileId, ty: &Type, depth: usize) -> Ty {
    if depth > MAX_DEPTH {
        return other(file, ty, "a type nested too deep to follow");
    }
    let inner = |ty: &Type| Box::new(ty_at(file, ty, depth + 1));
    match ty {
        Type::Path(path) => match &path.qself {
            None => {
                let path = path_at(file, &path.path, depth);
                let span = path.span;
                Ty {
                    kind: TyKind::Path(path),
                    span,
                }
            }
            Some(qself) => qualified_ty(file, qself, &path.path, depth),
        },
        Type::Reference(reference) => {
            let elem = inner(&reference.elem);
            Ty {
                span: join(span(file, reference.and_token.span), elem.span),
                kind: TyKind::Reference(elem, reference.mutability.is_some()),
            }
        }
        Type::Array(array) => Ty {
            span: span(file, array.bracket_token.span.join()),
            kind: TyKind::Array(
                inner(&array.elem),
                Box::new(expr_at(file, &array.len, depth + 1)),
            ),
        },
        Type::Slice(slice) => Ty {
            span: span(file, slice.bracket_token.span.join()),
            kind: TyKind::Slice(inner(&slice.elem)),
        },
        Type::Tuple(tuple) => Ty {
            span: span(file, tuple.paren_token.span.join()),
            kind: TyKind::Tuple(
                tuple
                    .elems
                    .iter()
                    .map(|elem| ty_at(file, elem, depth + 1))
                    .collect(),
            ),
        },
        Type::Paren(paren) => Ty {
            span: span(file, paren.paren_token.span.join()),
            ..ty_at(file, &paren.elem, depth + 1)
        },
        Type::Group(group) => ty_at(file, &group.elem, depth + 1),
        Type::FnPtr(_) => other(file, ty, "a function pointer"),
        Type::Ptr(_) => other(file, ty, "a raw pointer"),
        Type::TraitObject(_) => other(file, ty, "a trait object"),
        Type::ImplTrait(_) => other(file, ty, "an `impl Trait` type"),
        Type::Infer(_) => other(file, ty, "an inferred type"),
        Type::Never(_) => other(file, ty, "the never type"),
        Type::Macro(call) => Ty {
            kind: TyKind::Macro(
                path_at(file, &call.mac.path, depth),
                tokens(file, call.mac.tokens.clone()),
            ),
            span: span(file, ty.span()),
        },
        _ => other(file, ty, "a type that the reader does not know"),
    }
}

/// A constant in the place of a type argument.
pub(in crate::source) fn const_argument(file: FileId, value: &syn::Expr) -> Ty {
    const_argument_at(file, value, 0)
}

/// The names of type and constant parameters.
pub(in crate::source) fn generics(generics: &syn::Generics) -> Vec<Text> {
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

/// The traits that type parameters are bound to have.
pub(in crate::source) fn bounds(file: FileId, generics: &syn::Generics) -> Vec<(Text, Path)> {
    let mut found = Vec::new();
    let mut take = |of: Text, bounds: &mut dyn Iterator<Item = &syn::TypeParamBound>| {
        for bound in bounds {
            if let syn::TypeParamBound::Trait(bound) = bound {
                found.push((of.clone(), path_at(file, &bound.path, 0)));
            }
        }
    };
    for parameter in &generics.params {
        if let syn::GenericParam::Type(of) = parameter {
            take(name(&of.ident), &mut of.bounds.iter());
        }
    }
    for predicate in generics.where_clause.iter().flat_map(|of| &of.predicates) {
        if let syn::WherePredicate::Type(of) = predicate
            && let Type::Path(path) = &of.bounded_ty
            && let Some(ident) = path.path.get_ident()
        {
            take(name(ident), &mut of.bounds.iter());
        }
    }
    found
}

/// A constant among type arguments: a path may be a type's after all, anything else stands as itself.
pub(super) fn const_argument_at(file: FileId, value: &syn::Expr, depth: usize) -> Ty {
    match value {
        syn::Expr::Path(path) if path.qself.is_none() => {
            let path = path_at(file, &path.path, depth);
            Ty {
                span: path.span,
                kind: TyKind::Path(path),
            }
        }
        other => Ty {
            kind: TyKind::Const(Box::new(expr_at(file, other, depth))),
            span: span(file, other.span()),
        },
    }
}

fn qualified_ty(file: FileId, qself: &syn::QSelf, path: &syn::Path, depth: usize) -> Ty {
    let (own, of, name, span) = qualified(file, qself, path, depth);
    Ty {
        kind: TyKind::Qualified(Box::new(own), of, name),
        span,
    }
}

/// The parts of `<T as Trait>::Name`: the type, the trait, the name behind it, the whole place.
pub(super) fn qualified(
    file: FileId,
    qself: &syn::QSelf,
    path: &syn::Path,
    depth: usize,
) -> (Ty, Option<Path>, Text, Span) {
    let own = ty_at(file, &qself.ty, depth + 1);
    let whole = path_at(file, path, depth);
    let last = path.segments.last().map(|last| name(&last.ident));
    let of = (qself.position > 0).then(|| {
        let mut of = whole.clone();
        of.segments.truncate(qself.position);
        if let Some(last) = path.segments.get(qself.position.saturating_sub(1)) {
            of.span = join(of.span, span(file, last.ident.span()));
        }
        of
    });
    // The trait may stand before the whole path's own start, never behind its end.
    let place = join(span(file, qself.lt_token.span), whole.span);
    (own, of, last.unwrap_or_default(), place)
}

fn other(file: FileId, ty: &impl ToTokens, what: &str) -> Ty {
    Ty {
        kind: TyKind::Other(Text::from(what)),
        span: span(file, ty.span()),
    }
}
