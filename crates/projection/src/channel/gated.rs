//! The items that a feature gates, by their field paths.

use super::kinds::Kind;
use super::walk::members;
use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::draft::{
    Conditional, Content, Draft, Facets, Field, Gate, KindFacets, Shape, Struct, Tagging, Type,
    Variant,
};
use crd_channels_schema::path::{Segment, push};
use std::collections::BTreeSet;
use std::fmt;

/// The kind of item that a gate is on.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum GatedItem {
    /// A version of a kind.
    Version,
    /// A field.
    Field,
    /// An enum value.
    Value,
    /// A CEL rule.
    Rule,
    /// A bound, pattern or format.
    Validation,
    /// A condition type, or a reason of one.
    Condition,
    /// Text.
    Documentation,
    /// A printer column, selectable field, name or deprecation.
    Column,
    /// The scale subresource.
    Subresource,
}

impl fmt::Display for GatedItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Version => "version",
            Self::Field => "field",
            Self::Value => "value",
            Self::Rule => "rule",
            Self::Validation => "validation",
            Self::Condition => "condition",
            Self::Documentation => "documentation",
            Self::Column => "column",
            Self::Subresource => "subresource",
        })
    }
}

/// An item that a feature gates.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Gated {
    /// The kind.
    pub kind: Text,
    /// The group of the kind.
    pub group: Text,
    /// The API version.
    pub version: Text,
    /// The path, such as `spec.rules[].timeouts`; `.` for the root.
    pub path: String,
    /// The kind of item.
    pub what: GatedItem,
    /// The rule, the value or the like, if the path does not identify it.
    pub detail: String,
    /// Whether the item is present with the feature, rather than without it.
    pub on: bool,
    /// The gate.
    pub span: Span,
}

/// Returns everything that a feature gates in some kinds, by kind, version and path.
#[must_use]
pub fn gated(kinds: &[Kind], feature: &str) -> Vec<Gated> {
    let mut found = BTreeSet::new();
    for draft in kinds.iter().flat_map(|kind| &kind.versions) {
        let mut walk = Walk {
            draft,
            feature,
            found: &mut found,
        };
        walk.version();
        if let Some(root) = &draft.root {
            walk.ty(root, "");
        }
    }
    found.into_iter().collect()
}

struct Walk<'a> {
    draft: &'a Draft,
    feature: &'a str,
    found: &'a mut BTreeSet<Gated>,
}

impl Walk<'_> {
    fn add(&mut self, gate: &Gate, path: &str, what: GatedItem, detail: impl Into<String>) {
        if *gate.feature != *self.feature {
            return;
        }
        self.found.insert(Gated {
            kind: self.draft.kind.clone(),
            group: self.draft.group.clone(),
            version: self.draft.version.clone(),
            path: if path.is_empty() { "." } else { path }.to_owned(),
            what,
            detail: detail.into(),
            on: gate.on,
            span: gate.span,
        });
    }

    fn version(&mut self) {
        let draft = self.draft;
        if let Some(gate) = &draft.gate {
            self.add(gate, "", GatedItem::Version, "");
        }
        // In Rust types, the field of the status has its gate.
        let root = draft.root.as_ref().map(|root| members(root).fields);
        let is_field = root.is_some_and(|fields| {
            let mut fields = fields.iter();
            fields.any(|(_, field)| *field.name == *"status" && field.gate.is_some())
        });
        if let Some(gate) = draft.status_gate.as_ref().filter(|_| !is_field) {
            self.add(gate, "", GatedItem::Subresource, "status");
        }
        for (gate, facets) in &draft.facets.when {
            let KindFacets {
                short_names,
                categories,
                columns,
                selectable_fields,
                deprecated,
                scale,
                rules,
                doc,
            } = facets;
            let columns = columns.iter().map(|column| &column.value.name);
            let texts = [selectable_fields, short_names, categories];
            let texts = texts.into_iter().flatten().map(|text| &text.value);
            for name in columns.chain(texts) {
                self.add(gate, "", GatedItem::Column, &**name);
            }
            if deprecated.is_some() {
                self.add(gate, "", GatedItem::Column, "deprecated");
            }
            if scale.is_some() {
                self.add(gate, "", GatedItem::Subresource, "scale");
            }
            for rule in rules {
                self.add(gate, "", GatedItem::Rule, &*rule.rule);
            }
            if doc.is_some() {
                self.add(gate, "", GatedItem::Documentation, "");
            }
        }
    }

    fn facets(&mut self, facets: &Conditional<Facets>, path: &str) {
        let conditions = facets.always.conditions().into_iter();
        for of in conditions.flat_map(|conditions| &conditions.types) {
            for gate in &of.gates {
                self.add(gate, path, GatedItem::Condition, &*of.name);
            }
            for reason in &of.reasons.all {
                let name = reason.name.as_deref().unwrap_or("an error code");
                for gate in &reason.gates {
                    self.add(
                        gate,
                        path,
                        GatedItem::Condition,
                        format!("{}: {name}", of.name),
                    );
                }
            }
        }
        for (gate, facets) in &facets.when {
            for rule in &facets.rules {
                self.add(gate, path, GatedItem::Rule, &*rule.rule);
            }
            if facets.doc.is_some() {
                self.add(gate, path, GatedItem::Documentation, "");
            }
            let mut rest = facets.clone();
            rest.rules.clear();
            rest.doc = None;
            if rest != Facets::default() {
                self.add(gate, path, GatedItem::Validation, "");
            }
        }
    }

    /// Adds the gated items of a type at a path. Types do not contain themselves, so the recursion ends.
    fn ty(&mut self, ty: &Type, path: &str) {
        if !ty.gated {
            return;
        }
        self.facets(&ty.facets, path);
        match &ty.shape {
            Shape::Option(inner) => self.ty(inner, path),
            Shape::List { items, .. } => self.ty(items, &format!("{path}[]")),
            Shape::Map { value, .. } => self.ty(value, &format!("{path}{{}}")),
            Shape::Struct(body) => self.fields(body, path),
            Shape::Newtype(field) => self.content(field, path),
            Shape::Tuple(fields) => {
                for field in fields {
                    self.content(field, &format!("{path}[]"));
                }
            }
            Shape::Enum(def) => {
                for variant in &def.variants {
                    self.variant(variant, &def.tagging, path);
                }
            }
            Shape::IntegerEnum(_) => {
                for variant in members(ty).integers {
                    if let Some(gate) = &variant.gate {
                        self.add(gate, path, GatedItem::Value, variant.value.to_string());
                    }
                }
            }
            Shape::Literal(literal) => {
                for ty in super::walk::literal_types(literal) {
                    self.ty(ty, path);
                }
            }
            Shape::Any | Shape::Unit | Shape::Scalar(_) => {}
        }
    }

    fn fields(&mut self, body: &Struct, path: &str) {
        for field in &body.fields {
            let below = if field.flatten {
                path.to_owned()
            } else {
                join(path, &field.name)
            };
            if let Some(gate) = &field.gate {
                self.add(gate, &below, GatedItem::Field, "");
            }
            self.content(field, &below);
        }
    }

    fn content(&mut self, field: &Field, path: &str) {
        self.facets(&field.facets, path);
        self.ty(&field.ty, path);
    }

    fn variant(&mut self, variant: &Variant, tagging: &Tagging, path: &str) {
        let plain = matches!(variant.content, Content::Unit);
        let (below, what) = match tagging {
            Tagging::External if !plain => (join(path, &variant.name), GatedItem::Field),
            Tagging::Internal { tag } => (join(path, tag), GatedItem::Value),
            Tagging::Adjacent { tag, .. } => (join(path, tag), GatedItem::Value),
            Tagging::External | Tagging::Untagged => (path.to_owned(), GatedItem::Value),
        };
        if let Some(gate) = &variant.gate {
            let name = if what == GatedItem::Value {
                &*variant.name
            } else {
                ""
            };
            self.add(gate, &below, what, name);
        }
        self.facets(&variant.facets, &below);
        let inside = match tagging {
            Tagging::External => below,
            Tagging::Internal { .. } | Tagging::Untagged => path.to_owned(),
            Tagging::Adjacent { content, .. } => join(path, content),
        };
        match &variant.content {
            Content::Unit => {}
            Content::Newtype(field) => self.content(field, &inside),
            Content::Tuple(fields) => {
                for field in fields {
                    self.content(field, &format!("{inside}[]"));
                }
            }
            Content::Struct(body) => self.fields(body, &inside),
            Content::With(ty) => self.ty(ty, &inside),
        }
    }
}

fn join(path: &str, name: &str) -> String {
    let mut below = path.to_owned();
    push(&mut below, Segment::Property(name));
    below
}
