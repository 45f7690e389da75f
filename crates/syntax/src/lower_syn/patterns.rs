//! Patterns of parameters, `let` and `if let`.

use super::Base;
use super::paths::path_at;
use super::{MAX_DEPTH, name};
use crate::tree::Pattern;
use syn::Pat;

/// Lowers a pattern.
pub(crate) fn pattern(base: impl Into<Base>, pat: &Pat, depth: usize) -> Pattern {
    let base = base.into();
    if depth > MAX_DEPTH {
        return Pattern::Other;
    }
    match pat {
        Pat::Ident(ident) if ident.subpat.is_none() => Pattern::Name(name(&ident.ident)),
        Pat::TupleStruct(tuple) if tuple.qself.is_none() => {
            let inner = tuple.elems.iter().map(|pat| pattern(base, pat, depth + 1));
            Pattern::Tuple(path_at(base, &tuple.path, depth), inner.collect())
        }
        Pat::Tuple(tuple) => {
            let inner = tuple.elems.iter().map(|pat| pattern(base, pat, depth + 1));
            Pattern::Parts(inner.collect())
        }
        Pat::Paren(paren) => pattern(base, &paren.pat, depth + 1),
        Pat::Type(typed) => pattern(base, &typed.pat, depth + 1),
        _ => Pattern::Other,
    }
}
