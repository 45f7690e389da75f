//! Finds leaks for tests: parts of a projected CRD that gates remove, derived from the drafts alone, node by node.

use super::kinds::Kind;
use super::walk;
use crate::render::{Selection, flowing};
use crd_channels_diagnostics::{Spanned, Text};
use crd_channels_schema::draft::{
    Conditional, Content, Draft, Facets, Gate, Shape, Struct, Tagging, Type,
};
use crd_channels_schema::marks::Conditions;
use crd_channels_schema::{Crd, Rule, Schema, Version};
use serde_json::Value;
use std::collections::BTreeSet;

/// The maximum depth to which types are followed.
const DEPTH: usize = 64;

/// A trace that a version leaves in a CRD. Paths start with the version's name.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Trace {
    Version(String),
    Field(String),
    Value(String, String),
    Rule(String, String),
    Doc(String, String),
    Column(String, String),
    Selectable(String, String),
    Status(String),
    Scale(String, String),
    Name(String),
}

/// Returns what the CRD contains although a channel with these features must not have it, in words; empty if nothing leaks.
///
/// Checks, at their paths: versions, fields, enum members, rules, descriptions, columns, selectable fields, subresources, names.
/// And anywhere in the CRD except in prose: names that only gated fields and values have.
#[must_use]
pub fn leaks(kind: &Kind, crd: &Crd, features: &BTreeSet<Text>) -> Vec<String> {
    let mut drafts = Drafts {
        selection: Selection::Features(features),
        kept: BTreeSet::new(),
        gone: BTreeSet::new(),
    };
    for draft in &kind.versions {
        drafts.version(draft);
    }
    let Drafts { kept, gone, .. } = drafts;
    let mut found = Contents::default();
    found.crd(crd);
    let mut leaks: Vec<String> = gone
        .difference(&kept)
        .filter(|trace| found.has(trace))
        .map(|trace| format!("{trace:?}"))
        .collect();
    let kept: BTreeSet<_> = kept.iter().filter_map(name).collect();
    for trace in &gone {
        if let Some(name) = name(trace)
            && !kept.contains(name)
            && found.words.contains(name)
        {
            leaks.push(format!("the name `{name}`"));
        }
    }
    leaks.dedup();
    leaks
}

/// Returns the name of a field or value.
fn name(trace: &Trace) -> Option<&str> {
    match trace {
        Trace::Field(path) => path.rsplit('.').next(),
        Trace::Value(_, value) => Some(value),
        _ => None,
    }
}

/// The contents of drafts, divided by whether the channel has them.
struct Drafts<'f> {
    selection: Selection<'f>,
    kept: BTreeSet<Trace>,
    gone: BTreeSet<Trace>,
}

impl Drafts<'_> {
    fn trace(&mut self, trace: Trace, kept: bool) {
        let all = if kept { &mut self.kept } else { &mut self.gone };
        all.insert(trace);
    }

    fn keeps(&self, gate: Option<&Gate>) -> bool {
        self.selection.keeps(gate)
    }

    fn version(&mut self, draft: &Draft) {
        let version = draft.version.to_string();
        let kept = self.keeps(draft.gate.as_ref());
        self.trace(Trace::Version(version.clone()), kept);
        let always = std::iter::once((None, &draft.facets.always));
        let gated = draft
            .facets
            .when
            .iter()
            .map(|(gate, facets)| (Some(gate), facets));
        for (gate, facets) in always.chain(gated) {
            let kept = kept && self.keeps(gate);
            for name in facets.short_names.iter().chain(&facets.categories) {
                self.trace(Trace::Name(name.value.to_string()), kept);
            }
            for Spanned { value: column, .. } in &facets.columns {
                self.trace(
                    Trace::Column(version.clone(), column.name.to_string()),
                    kept,
                );
            }
            for Spanned { value: path, .. } in &facets.selectable_fields {
                self.trace(Trace::Selectable(version.clone(), path.to_string()), kept);
            }
            if let Some(Spanned { value: scale, .. }) = &facets.scale {
                let replicas = scale.spec_replicas_path.to_string();
                self.trace(Trace::Scale(version.clone(), replicas), kept);
            }
            self.rules(&facets.rules, &version, kept);
        }
        if draft.status {
            let kept = kept && self.keeps(draft.status_gate.as_ref());
            self.trace(Trace::Status(version.clone()), kept);
        }
        if let Some(root) = &draft.root {
            self.ty(root, &version, kept, 0);
        }
    }

    fn rules(&mut self, rules: &[Rule], path: &str, kept: bool) {
        for rule in rules {
            self.trace(Trace::Rule(path.into(), rule.rule.to_string()), kept);
        }
    }

    fn facets(&mut self, facets: &Conditional<Facets>, path: &str, kept: bool) {
        let gated = facets
            .when
            .iter()
            .map(|(gate, facets)| (Some(gate), facets));
        for (gate, facets) in std::iter::once((None, &facets.always)).chain(gated) {
            let kept = kept && self.keeps(gate);
            self.rules(&facets.rules, path, kept);
            for text in facets.doc.iter().chain(&facets.description) {
                self.trace(Trace::Doc(path.into(), flowing(text)), kept);
            }
            if let Some(conditions) = facets.conditions() {
                self.conditions(conditions, path, kept);
            }
        }
    }

    /// Adds the condition types and their reasons, which are in the description of their list.
    fn conditions(&mut self, conditions: &Conditions, path: &str, kept: bool) {
        let named = |name: &str| Trace::Doc(path.into(), format!("`{name}`"));
        for of in &conditions.types {
            let holds = |gates: &[Gate]| gates.iter().all(|gate| self.selection.holds(gate));
            let type_kept = kept && holds(&of.gates);
            let reasons = of.reasons.all.iter().map(|reason| {
                let docs = Trace::Doc(path.into(), flowing(&reason.docs));
                let kept = type_kept && holds(&reason.gates);
                (docs, reason.name.as_deref().map(named), kept)
            });
            let reasons: Vec<_> = reasons.collect();
            self.trace(Trace::Doc(path.into(), flowing(&of.docs)), type_kept);
            self.trace(named(&of.name), type_kept);
            for (docs, name, kept) in reasons {
                self.trace(docs, kept);
                if let Some(name) = name {
                    self.trace(name, kept);
                }
            }
        }
    }

    fn ty(&mut self, ty: &Type, path: &str, kept: bool, depth: usize) {
        if depth > DEPTH {
            return;
        }
        let depth = depth + 1;
        let kept = kept && self.keeps(ty.gate.as_ref());
        self.facets(&ty.facets, path, kept);
        match &ty.shape {
            Shape::Option(inner) => self.ty(inner, path, kept, depth),
            Shape::List { items, .. } => self.ty(items, &format!("{path}[]"), kept, depth),
            Shape::Map { value, .. } => self.ty(value, &format!("{path}{{}}"), kept, depth),
            Shape::Struct(body) => self.fields(body, path, kept, depth),
            Shape::Newtype(field) => {
                self.facets(&field.facets, path, kept);
                self.ty(&field.ty, path, kept, depth);
            }
            Shape::Enum(def) => {
                for variant in &def.variants {
                    let kept = kept && self.keeps(variant.gate.as_ref());
                    let name = variant.name.to_string();
                    let own = format!("{path}.{name}");
                    let inside = match &def.tagging {
                        Tagging::External if matches!(variant.content, Content::Unit) => {
                            self.trace(Trace::Value(path.into(), name), kept);
                            path.to_owned()
                        }
                        Tagging::External => {
                            self.trace(Trace::Field(own.clone()), kept);
                            own
                        }
                        Tagging::Internal { tag } => {
                            self.trace(Trace::Value(format!("{path}.{tag}"), name), kept);
                            path.to_owned()
                        }
                        Tagging::Adjacent { tag, content } => {
                            self.trace(Trace::Value(format!("{path}.{tag}"), name), kept);
                            format!("{path}.{content}")
                        }
                        Tagging::Untagged => path.to_owned(),
                    };
                    self.facets(&variant.facets, &inside, kept);
                    match &variant.content {
                        Content::Unit | Content::Tuple(_) => {}
                        Content::Newtype(field) => self.ty(&field.ty, &inside, kept, depth),
                        Content::Struct(body) => self.fields(body, &inside, kept, depth),
                        Content::With(ty) => self.ty(ty, &inside, kept, depth),
                    }
                }
            }
            Shape::IntegerEnum(variants) => {
                for variant in variants {
                    let kept = kept && self.keeps(variant.gate.as_ref());
                    self.trace(Trace::Value(path.into(), variant.value.to_string()), kept);
                }
            }
            Shape::Literal(literal) => {
                // Types inside a hand-written schema have no known path; only their names are checked.
                for ty in walk::literal_types(literal) {
                    self.ty(ty, path, kept, depth);
                }
            }
            Shape::Any | Shape::Unit | Shape::Scalar(_) | Shape::Tuple(_) => {}
        }
    }

    fn fields(&mut self, body: &Struct, path: &str, kept: bool, depth: usize) {
        for field in &body.fields {
            let kept = kept && self.keeps(field.gate.as_ref());
            if field.flatten {
                self.ty(&field.ty, path, kept, depth);
                continue;
            }
            let path = format!("{path}.{}", field.name);
            self.trace(Trace::Field(path.clone()), kept);
            self.facets(&field.facets, &path, kept);
            self.ty(&field.ty, &path, kept, depth);
        }
    }
}

/// The contents of a CRD.
#[derive(Default)]
struct Contents {
    traces: BTreeSet<Trace>,
    /// Every word outside of prose.
    words: BTreeSet<String>,
}

impl Contents {
    fn has(&self, trace: &Trace) -> bool {
        match trace {
            Trace::Doc(path, text) => self.traces.iter().any(|found| match found {
                Trace::Doc(at, all) => at == path && !text.is_empty() && all.contains(text),
                _ => false,
            }),
            trace => self.traces.contains(trace),
        }
    }

    fn words(&mut self, text: &str) {
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'));
        self.words.extend(words.map(str::to_owned));
    }

    fn crd(&mut self, crd: &Crd) {
        for name in crd.names.short_names.iter().chain(&crd.names.categories) {
            self.traces.insert(Trace::Name(name.to_string()));
        }
        for version in &crd.versions {
            self.version(version);
        }
    }

    fn version(&mut self, version: &Version) {
        let name = version.name.to_string();
        self.traces.insert(Trace::Version(name.clone()));
        for column in &version.columns {
            self.traces
                .insert(Trace::Column(name.clone(), column.name.to_string()));
            self.words(&column.json_path);
        }
        for path in &version.selectable_fields {
            self.traces
                .insert(Trace::Selectable(name.clone(), path.to_string()));
            self.words(path);
        }
        let subresources = version.subresources.as_ref();
        if subresources.is_some_and(|all| all.status) {
            self.traces.insert(Trace::Status(name.clone()));
        }
        if let Some(scale) = subresources.and_then(|all| all.scale.as_ref()) {
            let replicas = scale.spec_replicas_path.to_string();
            self.traces.insert(Trace::Scale(name.clone(), replicas));
            self.words(&scale.spec_replicas_path);
            self.words(&scale.status_replicas_path);
            self.words(scale.label_selector_path.as_deref().unwrap_or_default());
        }
        if let Some(schema) = &version.schema {
            self.schema(schema, &name);
        }
    }

    fn schema(&mut self, schema: &Schema, path: &str) {
        if let Some(text) = &schema.description {
            self.traces.insert(Trace::Doc(path.into(), flowing(text)));
        }
        for value in &schema.enum_values {
            let text = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            self.words(&text);
            self.traces.insert(Trace::Value(path.into(), text));
        }
        for rule in &schema.rules {
            self.traces
                .insert(Trace::Rule(path.into(), rule.rule.to_string()));
            let more = rule.message_expression.iter().chain(&rule.field_path);
            for text in std::iter::once(&rule.rule).chain(more) {
                self.words(text);
            }
        }
        let keys = schema.merge.iter().flat_map(|merge| &merge.list_map_keys);
        for name in schema.required.iter().chain(keys) {
            self.words(name);
        }
        let example = schema
            .notes
            .as_ref()
            .and_then(|notes| notes.example.as_ref());
        for value in schema.default.as_deref().into_iter().chain(example) {
            self.value(value);
        }
        for (name, property) in &schema.properties {
            let path = format!("{path}.{name}");
            self.words(name);
            self.traces.insert(Trace::Field(path.clone()));
            self.schema(property, &path);
        }
        if let Some(items) = &schema.items {
            self.schema(items, &format!("{path}[]"));
        }
        if let Some(values) = schema.values() {
            self.schema(values, &format!("{path}{{}}"));
        }
        for branch in schema.branches() {
            self.schema(branch, path);
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Object(entries) => {
                for (key, value) in entries {
                    self.words(key);
                    self.value(value);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.value(item)),
            Value::String(text) => self.words(text),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}
