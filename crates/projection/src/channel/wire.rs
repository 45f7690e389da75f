//! The types that a type consists of, each with the path segments that lead to it.

use crd_channels_diagnostics::Span;
use crd_channels_schema::draft::{Content, Enum, Field, Shape, Struct, Tagging, Type};
use crd_channels_schema::path::{Segment, push};
use std::sync::Arc;

/// Returns the path whose value names the variant of an enum, if that is a property of its own.
pub(super) fn tag_path(ty: &Type, at: &str) -> Option<String> {
    let Shape::Enum(Enum {
        tagging: Tagging::Internal { tag } | Tagging::Adjacent { tag, .. },
        ..
    }) = &ty.shape
    else {
        return None;
    };
    let mut path = at.to_owned();
    push(&mut path, Segment::Property(tag));
    Some(path)
}

/// A type inside another one.
pub(super) struct Below<'t> {
    pub(super) segments: Vec<Segment<&'t str>>,
    pub(super) ty: &'t Arc<Type>,
    /// The field or variant of the last segment.
    pub(super) span: Option<Span>,
}

impl<'t> Below<'t> {
    fn new(segments: Vec<Segment<&'t str>>, ty: &'t Arc<Type>) -> Self {
        let span = None;
        Self { segments, ty, span }
    }
}

/// Returns the types inside a type.
pub(super) fn inside(ty: &Type) -> Vec<Below<'_>> {
    match &ty.shape {
        Shape::Any | Shape::Unit | Shape::Scalar(_) | Shape::IntegerEnum(_) | Shape::Literal(_) => {
            Vec::new()
        }
        Shape::Option(inner) => vec![Below::new(Vec::new(), inner)],
        Shape::List { items, .. } => vec![Below::new(vec![Segment::Items], items)],
        Shape::Map { value, .. } => vec![Below::new(vec![Segment::Values], value)],
        Shape::Newtype(field) => vec![Below::new(Vec::new(), &field.ty)],
        Shape::Tuple(fields) => fields
            .iter()
            .map(|field| Below::new(vec![Segment::Items], &field.ty))
            .collect(),
        Shape::Struct(body) => fields(&[], body),
        Shape::Enum(def) => variants(def),
    }
}

fn fields<'t>(before: &[Segment<&'t str>], body: &'t Struct) -> Vec<Below<'t>> {
    let below = |field: &'t Field| {
        let mut segments = before.to_vec();
        if !field.flatten {
            segments.push(Segment::Property(&field.name));
        }
        Below {
            span: (!field.flatten).then_some(field.span),
            ..Below::new(segments, &field.ty)
        }
    };
    body.fields.iter().map(below).collect()
}

fn variants(def: &Enum) -> Vec<Below<'_>> {
    let mut found = Vec::new();
    for variant in &def.variants {
        let before = match &def.tagging {
            Tagging::External if !variant.untagged => vec![Segment::Property(&*variant.name)],
            Tagging::Adjacent { content, .. } => vec![Segment::Property(&**content)],
            Tagging::External | Tagging::Internal { .. } | Tagging::Untagged => Vec::new(),
        };
        let of_variant = |ty| Below {
            span: (!before.is_empty()).then_some(variant.span),
            ..Below::new(before.clone(), ty)
        };
        match &variant.content {
            Content::Unit => {}
            Content::With(ty) => found.push(of_variant(ty)),
            Content::Newtype(field) => found.push(of_variant(&field.ty)),
            Content::Tuple(items) => found.extend(items.iter().map(|field| {
                let mut segments = before.clone();
                segments.push(Segment::Items);
                Below::new(segments, &field.ty)
            })),
            Content::Struct(body) => found.extend(fields(&before, body)),
        }
    }
    found
}
