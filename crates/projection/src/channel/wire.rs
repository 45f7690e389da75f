//! The types that a type consists of, each with the path segments that lead to it.

use crd_channels_diagnostics::Span;
use crd_channels_schema::draft::{
    Content, Enum, Field, Gate, Literal, Shape, Struct, Tagging, Type,
};
use crd_channels_schema::marks::Marks;
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
    /// The gates of the field and its variant.
    pub(super) gates: Vec<&'t Gate>,
    /// What `#[crd(..)]` says of the field.
    pub(super) marks: Option<&'t Marks>,
}

impl<'t> Below<'t> {
    fn new(segments: Vec<Segment<&'t str>>, ty: &'t Arc<Type>) -> Self {
        Self {
            segments,
            ty,
            span: None,
            gates: Vec::new(),
            marks: None,
        }
    }

    fn of_field(segments: Vec<Segment<&'t str>>, field: &'t Field) -> Self {
        Self {
            gates: field.gate.iter().collect(),
            marks: field.facets.always.marks.as_deref(),
            ..Self::new(segments, &field.ty)
        }
    }
}

/// Returns the types inside a type.
pub(super) fn inside(ty: &Type) -> Vec<Below<'_>> {
    match &ty.shape {
        Shape::Any | Shape::Unit | Shape::Scalar(_) | Shape::IntegerEnum(_) => Vec::new(),
        Shape::Literal(literal) => {
            let mut found = Vec::new();
            of_literal(&[], literal, &mut found);
            found
        }
        Shape::Option(inner) => vec![Below::new(Vec::new(), inner)],
        Shape::List { items, .. } => vec![Below::new(vec![Segment::Items], items)],
        Shape::Map { value, .. } => vec![Below::new(vec![Segment::Values], value)],
        Shape::Newtype(field) => vec![Below::of_field(Vec::new(), field)],
        Shape::Tuple(fields) => fields
            .iter()
            .map(|field| Below::of_field(vec![Segment::Items], field))
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
            ..Below::of_field(segments, field)
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
        let of_variant = |below| Below {
            span: (!before.is_empty()).then_some(variant.span),
            ..below
        };
        let mut content = match &variant.content {
            Content::Unit => Vec::new(),
            Content::With(ty) => vec![of_variant(Below::new(before.clone(), ty))],
            Content::Newtype(field) => vec![of_variant(Below::of_field(before.clone(), field))],
            Content::Tuple(items) => {
                let mut segments = before.clone();
                segments.push(Segment::Items);
                let items = items.iter();
                items
                    .map(|field| Below::of_field(segments.clone(), field))
                    .collect()
            }
            Content::Struct(body) => fields(&before, body),
        };
        for below in &mut content {
            below.gates.extend(&variant.gate);
        }
        found.append(&mut content);
    }
    found
}

/// Adds the types inside a hand-written schema, as far as their place in objects follows from its keywords.
fn of_literal<'t>(before: &[Segment<&'t str>], literal: &'t Literal, found: &mut Vec<Below<'t>>) {
    match literal {
        Literal::Value(_) | Literal::Array(_) => {}
        Literal::Object(entries) => entries
            .iter()
            .for_each(|(key, value)| of_keyword(before, key, value, found)),
        Literal::Schema(ty, edits) => {
            found.push(Below::new(before.to_vec(), ty));
            for (key, value) in edits
                .iter()
                .filter_map(|(key, edit)| Some((key, edit.value()?)))
            {
                of_keyword(before, key, value, found);
            }
        }
    }
}

fn of_keyword<'t>(
    before: &[Segment<&'t str>],
    key: &str,
    value: &'t Literal,
    found: &mut Vec<Below<'t>>,
) {
    let below = |segment| [before, &[segment]].concat();
    match (key, value) {
        ("properties", Literal::Object(properties)) => {
            for (name, value) in properties {
                of_literal(&below(Segment::Property(&**name)), value, found);
            }
        }
        ("items", _) => of_literal(&below(Segment::Items), value, found),
        ("additionalProperties", _) => of_literal(&below(Segment::Values), value, found),
        ("allOf" | "anyOf" | "oneOf", Literal::Array(all)) => {
            all.iter().for_each(|one| of_literal(before, one, found));
        }
        _ => {}
    }
}
