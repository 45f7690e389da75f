//! Types built by hand and schemas as JSON, for the tests of both conventions.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod json;
mod shared;
mod oracle;
mod kube;
mod kube_enums;
mod kube_repaired;
mod dice;
mod random;
mod kubernetes;
mod kubernetes_enums;
mod marks;

use super::context::Context;
use super::{Cache, Convention, Renderer, Selection};
use crd_channels_diagnostics::{Diagnostic, FileId, Sink, Span, Text};
use crd_channels_schema::Schema;
use crd_channels_schema::draft::{
    Conditional, Content, Enum, Facets, Field, Gate, IntKind, Scalar, Shape, Struct, Tagging, Type,
    Variant,
};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::{Arc, Once};

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Returns what kube makes of something, or `None` if it panics; suppresses the panic message.
pub(super) fn unless_it_panics<T>(make: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                loud(info);
            }
        }));
    });
    QUIET.set(true);
    let made = std::panic::catch_unwind(std::panic::AssertUnwindSafe(make));
    QUIET.set(false);
    made.ok()
}

/// Returns a span that identifies a test: `at(3)` is the third byte.
pub(super) fn span_at(start: u32) -> Span {
    Span {
        file: FileId(0),
        start,
        end: start + 1,
    }
}

pub(super) fn made(name: &str, shape: Shape) -> Arc<Type> {
    Arc::new(Type {
        gated: true,
        nodes: 1,
        ..Type::new(name, None, shape)
    })
}

pub(super) fn doc(text: &str) -> Conditional<Facets> {
    always(Facets {
        doc: Some(text.into()),
        ..Facets::default()
    })
}

pub(super) fn always(facets: Facets) -> Conditional<Facets> {
    Conditional {
        always: facets,
        when: Vec::new(),
    }
}

pub(super) fn with_doc(ty: &Arc<Type>, text: &str) -> Arc<Type> {
    Arc::new(Type {
        facets: doc(text),
        ..Type::clone(ty)
    })
}

pub(super) fn with_facets(ty: &Arc<Type>, facets: Facets) -> Arc<Type> {
    Arc::new(Type {
        facets: always(facets),
        ..Type::clone(ty)
    })
}

pub(super) fn scalar(scalar: Scalar) -> Arc<Type> {
    made("scalar", Shape::Scalar(scalar))
}

pub(super) fn string() -> Arc<Type> {
    scalar(Scalar::String)
}

pub(super) fn int(bits: u8, signed: bool) -> Arc<Type> {
    scalar(Scalar::Int(IntKind {
        bits,
        signed,
        non_zero: false,
    }))
}

pub(super) fn non_zero(bits: u8, signed: bool) -> Arc<Type> {
    scalar(Scalar::Int(IntKind {
        bits,
        signed,
        non_zero: true,
    }))
}

pub(super) fn any() -> Arc<Type> {
    made("Value", Shape::Any)
}

pub(super) fn option(inner: Arc<Type>) -> Arc<Type> {
    made("Option<_>", Shape::Option(inner))
}

pub(super) fn list(items: Arc<Type>) -> Arc<Type> {
    made(
        "Vec<_>",
        Shape::List {
            items,
            unique: false,
            length: None,
        },
    )
}

pub(super) fn set(items: Arc<Type>) -> Arc<Type> {
    made(
        "BTreeSet<_>",
        Shape::List {
            items,
            unique: true,
            length: None,
        },
    )
}

pub(super) fn map(key: Arc<Type>, value: Arc<Type>) -> Arc<Type> {
    made("BTreeMap<_, _>", Shape::Map { key, value })
}

pub(super) fn field(name: &str, ty: Arc<Type>) -> Field {
    Field::new(name, ty, span_at(0))
}

pub(super) fn flat(ty: Arc<Type>) -> Field {
    Field {
        flatten: true,
        ..field("flat", ty)
    }
}

pub(super) fn documented(name: &str, ty: Arc<Type>, text: &str) -> Field {
    Field {
        facets: doc(text),
        ..field(name, ty)
    }
}

pub(super) fn limited(name: &str, ty: Arc<Type>, facets: Facets) -> Field {
    Field {
        facets: always(facets),
        ..field(name, ty)
    }
}

pub(super) fn body(fields: impl IntoIterator<Item = Field>) -> Struct {
    Struct {
        fields: fields.into_iter().collect(),
        deny_unknown: false,
    }
}

pub(super) fn structure(fields: impl IntoIterator<Item = Field>) -> Arc<Type> {
    made("Struct", Shape::Struct(body(fields)))
}

pub(super) fn denying(fields: impl IntoIterator<Item = Field>) -> Arc<Type> {
    made(
        "Struct",
        Shape::Struct(Struct {
            deny_unknown: true,
            ..body(fields)
        }),
    )
}

pub(super) fn variant(name: &str, content: Content) -> Variant {
    Variant {
        name: name.into(),
        span: span_at(u32::from(name.bytes().next().unwrap_or_default())),
        gate: None,
        facets: Conditional::default(),
        untagged: false,
        content,
    }
}

pub(super) fn unit(name: &str) -> Variant {
    variant(name, Content::Unit)
}

pub(super) fn carrying(name: &str, ty: Arc<Type>) -> Variant {
    variant(name, Content::Newtype(Box::new(field("0", ty))))
}

pub(super) fn holding(name: &str, fields: impl IntoIterator<Item = Field>) -> Variant {
    variant(name, Content::Struct(body(fields)))
}

pub(super) fn documented_variant(variant: Variant, text: &str) -> Variant {
    Variant {
        facets: doc(text),
        ..variant
    }
}

pub(super) fn choice(tagging: Tagging, variants: impl IntoIterator<Item = Variant>) -> Arc<Type> {
    made(
        "Enum",
        Shape::Enum(Enum {
            tagging,
            variants: variants.into_iter().collect(),
            deny_unknown: false,
            skipped: Vec::new(),
        }),
    )
}

pub(super) fn gate(feature: &str, on: bool) -> Gate {
    Gate {
        feature: feature.into(),
        on,
        span: span_at(1),
    }
}

/// Returns a type's schema and the findings.
pub(super) fn render_with(
    convention: Convention,
    selection: Selection<'_>,
    ty: &Arc<Type>,
) -> (Arc<Schema>, Vec<Diagnostic>) {
    let cache = Cache::default();
    let renderer = Renderer::new(convention, selection, &cache);
    let mut sink = Sink::default();
    let schema = renderer.schema(ty, &mut Context::new(&mut sink, Some(span_at(0))));
    (schema, sink.into_diagnostics())
}

pub(super) fn render(convention: Convention, ty: &Arc<Type>) -> (Arc<Schema>, Vec<Diagnostic>) {
    render_with(convention, Selection::Everything, ty)
}

pub(super) fn features(names: &[&str]) -> BTreeSet<Text> {
    names.iter().map(|name| Text::from(*name)).collect()
}
