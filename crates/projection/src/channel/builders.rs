//! Builders of drafts, types and kinds for tests. Tests of the program include this file.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use crate::channel::config::{Channel, Config};
use crate::channel::{Kind, Run, Stamp, group};
use crate::render::Cache;
use crd_channels_diagnostics::{FileId, Sink, Span, Spanned};
use crd_channels_schema::draft::{
    Conditional, Content, Draft, Enum, Facets, Field, Gate, NameSpans, Scalar, Shape, Struct,
    Tagging, Tombstone, Type, Variant,
};
use crd_channels_schema::{Origin, Rule, Scope};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Returns a span that identifies a node.
pub fn span_at(start: u32) -> Span {
    Span {
        file: FileId(0),
        start,
        end: start + 1,
    }
}

/// Returns a span that no other node has.
pub fn somewhere() -> Span {
    static NEXT: AtomicU32 = AtomicU32::new(1000);
    span_at(NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Wraps a value with a fresh span.
pub fn spanned<T>(value: impl Into<T>) -> Spanned<T> {
    Spanned {
        value: value.into(),
        span: somewhere(),
    }
}

/// Returns the result of a function and the diagnostics that it reports, each as `code: message`.
pub fn findings<T>(run: impl FnOnce(&mut Sink) -> T) -> (T, Vec<String>) {
    let mut sink = Sink::default();
    let value = run(&mut sink);
    let found = sink.into_diagnostics();
    let found = found.iter().map(|finding| {
        assert!(finding.help.is_some(), "no help: {finding:?}");
        format!("{}: {}", finding.code.record().id, finding.message)
    });
    (value, found.collect())
}

/// `#[experimental(feature = "..")]`
pub fn gate(feature: &str) -> Gate {
    Gate {
        feature: feature.into(),
        on: true,
        span: somewhere(),
    }
}

/// `#[not_experimental(feature = "..")]`
pub fn not(feature: &str) -> Gate {
    Gate {
        on: false,
        ..gate(feature)
    }
}

/// A namespaced kind without a schema; served, and the storage version.
pub fn draft(group: &str, version: &str, kind: &str) -> Draft {
    let singular = kind.to_lowercase();
    let plural = if singular.ends_with('s') {
        format!("{singular}es")
    } else {
        format!("{singular}s")
    };
    Draft {
        span: somewhere(),
        spec_name: format!("{kind}Spec").into(),
        module: format!("api::{version}").into(),
        root_name: kind.into(),
        group: group.into(),
        version: version.into(),
        kind: kind.into(),
        plural: plural.into(),
        singular: singular.into(),
        list_kind: None,
        spans: NameSpans::default(),
        scope: Scope::Namespaced,
        served: true,
        storage: true,
        gate: None,
        annotations: BTreeMap::new(),
        labels: BTreeMap::new(),
        status: false,
        status_gate: None,
        conversion: None,
        facets: Conditional::default(),
        deprecated_in: None,
        removed_in: None,
        replaced_by: None,
        written_object: false,
        more_doc: None,
        root: None,
    }
}

/// Returns the kind that the drafts are versions of.
pub fn kind(drafts: Vec<Draft>) -> Kind {
    let mut kinds = group(drafts, &mut Sink::default());
    assert_eq!(kinds.len(), 1);
    kinds.pop().unwrap()
}

/// A `Gateway` of `v1` whose spec has these fields.
pub fn gateway(fields: Vec<Field>) -> Draft {
    Draft {
        root: Some(root(vec![field("spec", object("GatewaySpec", fields))])),
        ..draft("example.com", "v1", "Gateway")
    }
}

/// The root type, as kube-derive generates it.
pub fn root(fields: Vec<Field>) -> Arc<Type> {
    object("Gateway", fields)
}

/// A type.
pub fn named_type(name: &str, shape: Shape) -> Arc<Type> {
    Arc::new(Type {
        gated: true,
        nodes: 1,
        ..Type::new(name, Some(somewhere()), shape)
    })
}

/// A type with a tombstone of a name that `v0.2.0` removed.
pub fn with_tombstone(ty: &Type, name: &str) -> Arc<Type> {
    let mut ty = ty.clone();
    ty.tombstones.push(Tombstone {
        name: name.into(),
        removed: "v0.2.0".into(),
        reason: "too vague".into(),
        span: somewhere(),
    });
    Arc::new(ty)
}

/// A struct.
pub fn object(name: &str, fields: Vec<Field>) -> Arc<Type> {
    named_type(
        name,
        Shape::Struct(Struct {
            fields,
            deny_unknown: false,
        }),
    )
}

/// `String`
pub fn string() -> Arc<Type> {
    Arc::new(Type {
        span: None,
        gated: false,
        ..Type::clone(&named_type("String", Shape::Scalar(Scalar::String)))
    })
}

/// `Option<T>`
pub fn option(inner: Arc<Type>) -> Arc<Type> {
    unnamed(format!("Option<{}>", inner.name), Shape::Option(inner))
}

/// `Vec<T>`
pub fn list(items: Arc<Type>) -> Arc<Type> {
    let shape = Shape::List {
        items: items.clone(),
        unique: false,
        length: None,
    };
    unnamed(format!("Vec<{}>", items.name), shape)
}

/// `BTreeMap<String, T>`
pub fn map(value: Arc<Type>) -> Arc<Type> {
    let shape = Shape::Map {
        key: string(),
        value: value.clone(),
    };
    unnamed(format!("BTreeMap<String, {}>", value.name), shape)
}

fn unnamed(name: String, shape: Shape) -> Arc<Type> {
    Arc::new(Type {
        span: None,
        ..Type::clone(&named_type(&name, shape))
    })
}

/// An enum.
pub fn choice(name: &str, tagging: Tagging, variants: Vec<Variant>) -> Arc<Type> {
    named_type(
        name,
        Shape::Enum(Enum {
            tagging,
            variants,
            deny_unknown: false,
            skipped: Vec::new(),
        }),
    )
}

/// An enum of unit variants.
pub fn values(name: &str, variants: Vec<Variant>) -> Arc<Type> {
    choice(name, Tagging::External, variants)
}

/// A unit variant.
pub fn variant(name: &str) -> Variant {
    Variant {
        name: name.into(),
        span: somewhere(),
        gate: None,
        facets: Conditional::default(),
        untagged: false,
        content: Content::Unit,
    }
}

/// A field; required unless its type is an `Option`.
pub fn field(name: &str, ty: Arc<Type>) -> Field {
    Field::new(name, ty, somewhere())
}

/// An optional string.
pub fn text(name: &str) -> Field {
    field(name, option(string()))
}

/// Attributes, which fields, variants and types have in common.
pub trait Attributed: Sized {
    /// Adds a gate.
    fn gated(self, gate: Gate) -> Self;
    /// Returns the facets that the attributes set.
    fn facets(&mut self) -> &mut Conditional<Facets>;
    /// Gives it a doc comment.
    fn doc(mut self, text: &str) -> Self {
        self.facets().always.doc = Some(text.into());
        self
    }
    /// Adds a rule.
    fn rule(mut self, text: &str) -> Self {
        self.facets().always.rules.push(rule(text));
        self
    }
    /// Adds facets with a gate.
    fn when(mut self, gate: Gate, facets: Facets) -> Self {
        self.facets().when.push((gate, facets));
        self
    }
    /// Changes the facets without a gate.
    fn with(mut self, change: impl FnOnce(&mut Facets)) -> Self {
        change(&mut self.facets().always);
        self
    }
}

impl Attributed for Field {
    fn gated(self, gate: Gate) -> Self {
        Field {
            gate: Some(gate),
            ..self
        }
    }
    fn facets(&mut self) -> &mut Conditional<Facets> {
        &mut self.facets
    }
}

impl Attributed for Variant {
    fn gated(self, gate: Gate) -> Self {
        Variant {
            gate: Some(gate),
            ..self
        }
    }
    fn facets(&mut self) -> &mut Conditional<Facets> {
        &mut self.facets
    }
}

impl Attributed for Arc<Type> {
    fn gated(self, gate: Gate) -> Self {
        Arc::new(Type {
            gate: Some(gate),
            ..Type::clone(&self)
        })
    }
    fn facets(&mut self) -> &mut Conditional<Facets> {
        &mut Arc::make_mut(self).facets
    }
}

/// Gives a field a default.
pub fn defaulted(field: Field, default: Value) -> Field {
    Field {
        default: Some(default),
        optional: true,
        ..field
    }
}

/// A rule.
pub fn rule(text: &str) -> Rule {
    Rule {
        rule: text.into(),
        origin: Origin(Some(somewhere())),
        ..Rule::default()
    }
}

/// A channel with these features.
pub fn channel(name: &str, features: &[&str]) -> Channel {
    Channel::new(name, features.iter().copied())
}

/// Runs a function with an empty configuration.
pub fn with_run<T>(run: impl FnOnce(Run<'_>) -> T) -> T {
    with_config(&Config::default(), run)
}

/// Runs a function with a configuration.
pub fn with_config<T>(config: &Config, run: impl FnOnce(Run<'_>) -> T) -> T {
    let stamp = Stamp {
        version: "0.1.0".into(),
        prefix: "example.com".into(),
    };
    let cache = Cache::default();
    run(Run {
        config,
        stamp: &stamp,
        cache: &cache,
    })
}

/// Runs a function with an empty configuration, and returns its diagnostics too.
pub fn run<T>(run: impl FnOnce(Run<'_>, &mut Sink) -> T) -> (T, Vec<String>) {
    with_run(|all| findings(|sink| run(all, sink)))
}
