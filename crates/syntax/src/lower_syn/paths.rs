//! Paths and their type arguments.

use super::Base;
use super::types;
use super::{join, name, span};
use crate::tree::{Path, Segment, Ty};
use crd_channels_diagnostics::Span;
use syn::{GenericArgument, PathArguments};

/// A path with its type arguments; lifetimes and bindings are dropped.
pub fn path(base: impl Into<Base>, path: &syn::Path) -> Path {
    path_at(base.into(), path, 0)
}

pub(super) fn path_at(base: Base, path: &syn::Path, depth: usize) -> Path {
    let mut whole: Option<Span> = path
        .leading_colon
        .as_ref()
        .and_then(|colons| colons.spans.first())
        .map(|first| span(base, *first));
    let mut segments = Vec::with_capacity(path.segments.len());
    for segment in &path.segments {
        let ident = span(base, segment.ident.span());
        let (args, end) = arguments(base, &segment.arguments, depth);
        whole = Some(join(whole.unwrap_or(ident), end.unwrap_or(ident)));
        segments.push(Segment {
            name: name(&segment.ident),
            args,
        });
    }
    Path {
        leading: path.leading_colon.is_some(),
        segments,
        span: whole.unwrap_or(Span {
            file: base.file,
            start: 0,
            end: 0,
        }),
    }
}

/// The type arguments, and the span of their end.
fn arguments(base: Base, arguments: &PathArguments, depth: usize) -> (Vec<Ty>, Option<Span>) {
    match arguments {
        PathArguments::None => (Vec::new(), None),
        PathArguments::AngleBracketed(angle) => (
            type_arguments(base, angle, depth),
            Some(span(base, angle.gt_token.span)),
        ),
        // `Fn(A) -> B` names a trait, and no type with a schema is written like this.
        PathArguments::Parenthesized(round) => {
            let end = match &round.output {
                syn::ReturnType::Default => span(base, round.paren_token.span.close()),
                syn::ReturnType::Type(_, ty) => types::ty_at(base, ty, depth + 1).span,
            };
            (Vec::new(), Some(end))
        }
    }
}

pub(super) fn type_arguments(
    base: Base,
    angle: &syn::AngleBracketedGenericArguments,
    depth: usize,
) -> Vec<Ty> {
    let types = angle.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(types::ty_at(base, ty, depth + 1)),
        GenericArgument::Const(value) => Some(types::const_argument_at(base, value, depth + 1)),
        _ => None,
    });
    types.collect()
}
