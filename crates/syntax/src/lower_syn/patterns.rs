//! Patterns of `match`, `if let` and `matches!`.

use super::Base;
use super::exprs::expr_at;
use super::lits;
use super::paths::path_at;
use super::{MAX_DEPTH, name, span};
use crate::tree::{Expr, ExprKind, Path, Pattern, Segment};
use crd_channels_diagnostics::Text;
use syn::spanned::Spanned;
use syn::{Pat, RangeLimits};

/// Lowers a pattern. An unsupported one becomes [`Pattern::Other`], described in words.
pub(crate) fn pattern(base: impl Into<Base>, pat: &Pat, depth: usize) -> Pattern {
    let base = base.into();
    let refused = |words: &str| Pattern::Other(Text::from(words), span(base, pat.span()));
    if depth > MAX_DEPTH {
        return refused("a pattern nested too deep to follow");
    }
    let inner = |pat: &Pat| pattern(base, pat, depth + 1);
    let all = |pats: &mut dyn Iterator<Item = &Pat>| pats.map(inner).collect::<Vec<_>>();
    match pat {
        Pat::Wild(_) => Pattern::Any,
        Pat::Rest(_) => Pattern::Rest,
        Pat::Ident(ident) if ident.by_ref.is_some() => {
            let behind = ident.subpat.as_ref();
            Pattern::Borrowed(
                name(&ident.ident),
                ident.mutability.is_some(),
                behind.map(|(_, behind)| Box::new(inner(behind))),
            )
        }
        Pat::Ident(ident) => {
            let segment = Segment {
                name: name(&ident.ident),
                args: Vec::new(),
            };
            let path = Path {
                leading: false,
                segments: vec![segment],
                span: span(base, ident.ident.span()),
            };
            let behind = ident.subpat.as_ref();
            Pattern::Name(path, behind.map(|(_, behind)| Box::new(inner(behind))))
        }
        Pat::Path(path) if path.qself.is_none() => Pattern::Path(path_at(base, &path.path, depth)),
        Pat::Lit(literal) => match lits::lit(&literal.lit) {
            Some(lit) => Pattern::Value(Expr {
                kind: ExprKind::Lit(lit),
                span: span(base, literal.lit.span()),
            }),
            None => refused("an unknown literal"),
        },
        Pat::Range(range) => {
            let end = |end: &Option<Box<syn::Expr>>| {
                let end = end.as_ref();
                end.map(|end| expr_at(base, end, depth + 1))
            };
            let closed = matches!(range.limits, RangeLimits::Closed(_));
            Pattern::Range(end(&range.start), end(&range.end), closed)
        }
        Pat::TupleStruct(tuple) if tuple.qself.is_none() => Pattern::Tuple(
            path_at(base, &tuple.path, depth),
            all(&mut tuple.elems.iter()),
        ),
        Pat::Struct(named) if named.qself.is_none() => {
            let fields = named.fields.iter().map(|field| {
                let name = match &field.member {
                    syn::Member::Named(ident) => name(ident),
                    syn::Member::Unnamed(index) => Text::from(index.index.to_string()),
                };
                (name, inner(&field.pat))
            });
            Pattern::Struct(path_at(base, &named.path, depth), fields.collect())
        }
        Pat::Tuple(tuple) => Pattern::Items(all(&mut tuple.elems.iter())),
        Pat::Slice(slice) => Pattern::Slice(all(&mut slice.elems.iter())),
        Pat::Or(or) => Pattern::Either(all(&mut or.cases.iter())),
        Pat::Guard(guarded) => Pattern::If(
            Box::new(inner(&guarded.pat)),
            Box::new(expr_at(base, &guarded.guard, depth + 1)),
        ),
        Pat::Reference(reference) => Pattern::Reference(Box::new(inner(&reference.pat))),
        Pat::Paren(paren) => inner(&paren.pat),
        Pat::Type(typed) => inner(&typed.pat),
        _ => refused("an unknown pattern"),
    }
}
