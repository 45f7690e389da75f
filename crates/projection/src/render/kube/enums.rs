//! Enums as schemars writes them, by their tagging.

use super::super::common::integer;
use super::super::context::Context;
use super::super::raw::{Raw, Types};
use super::super::{NO_VARIANTS_LEFT, Renderer};
use crd_channels_diagnostics::{Code, Text};
use crd_channels_schema::draft::{
    Content, Enum, Facets, IntegerVariant, SkippedVariant, Tagging, Variant,
};
use crd_channels_schema::{Additional, JsonType, Schema};
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Arc;

/// A variant of the selection, with its facets.
type Present<'v> = (&'v Variant, Cow<'v, Facets>);

impl Renderer<'_> {
    pub(super) fn enumeration(&self, def: &Enum, context: &mut Context<'_>) -> Raw {
        let present: Vec<Present<'_>> = def
            .variants
            .iter()
            .filter(|variant| self.selection.keeps(variant.gate.as_ref()))
            .map(|variant| (variant, self.selection.resolve(&variant.facets)))
            .collect();
        if present.is_empty() {
            return self.empty(def.variants.is_empty(), context);
        }
        let mut skipped = self.skipped(def);
        let unique = present.iter().all(|(variant, _)| !variant.untagged)
            && skipped.all(|variant| !variant.untagged);
        match &def.tagging {
            Tagging::External => self.external(def, &present, unique, context),
            Tagging::Internal { tag } => {
                self.branches(&present, unique, context, |entry, context| {
                    self.internal(def, tag, entry, context)
                })
            }
            Tagging::Adjacent { tag, content } => {
                self.branches(&present, unique, context, |entry, context| {
                    self.adjacent(def, tag, content, entry, context)
                })
            }
            Tagging::Untagged => self.branches(&present, false, context, |entry, context| {
                self.untagged(def, entry, context)
            }),
        }
    }

    /// Returns the variants of the selection that are never deserialized. schemars decides with them how it writes the others.
    fn skipped<'v>(&self, def: &'v Enum) -> impl Iterator<Item = &'v SkippedVariant> {
        let skipped = def.skipped.iter();
        skipped.filter(|variant| self.selection.keeps(variant.gate.as_ref()))
    }

    /// Returns the values of an integer enum in this selection, or reports that there are none.
    pub(in super::super) fn integers(
        &self,
        variants: &[IntegerVariant],
        context: &mut Context<'_>,
    ) -> Vec<Value> {
        let values: Vec<_> = variants
            .iter()
            .filter(|variant| self.selection.keeps(variant.gate.as_ref()))
            .map(|variant| integer(variant.value))
            .collect();
        if values.is_empty() {
            self.empty(variants.is_empty(), context);
        }
        values
    }

    /// Reports an enum without values, and returns its schema: whether no channel has any, or only this one.
    pub(in super::super) fn empty(&self, everywhere: bool, context: &mut Context<'_>) -> Raw {
        let (message, help) = match everywhere {
            true => (
                "serde writes no variant of this enum, so it has no schema that an API server accepts",
                "write a struct without fields, as in `pub struct Status {}`, or add a variant",
            ),
            false => (
                NO_VARIANTS_LEFT,
                "gate the fields that use it as well, or keep one variant",
            ),
        };
        context.report(Code::EmptyEnum, message, help);
        Raw::of_types(Types::one(JsonType::String))
    }

    /// Returns the variants as alternatives: `oneOf` if only one applies.
    fn branches(
        &self,
        present: &[Present<'_>],
        unique: bool,
        context: &mut Context<'_>,
        each: impl Fn(&Present<'_>, &mut Context<'_>) -> Raw,
    ) -> Raw {
        let branches = present
            .iter()
            .map(|entry| {
                let span = entry.0.span;
                each(entry, &mut context.at(span)).from(Some(span))
            })
            .collect();
        alternatives(branches, unique)
    }

    fn external(
        &self,
        def: &Enum,
        present: &[Present<'_>],
        unique: bool,
        context: &mut Context<'_>,
    ) -> Raw {
        let (plain, rich): (Vec<_>, Vec<_>) =
            present.iter().cloned().partition(|(variant, facets)| {
                matches!(variant.content, Content::Unit)
                    && !variant.untagged
                    && **facets == Facets::default()
            });
        let names = Raw {
            values: Some(plain.iter().map(|(variant, _)| name(variant)).collect()),
            ..Raw::of_types(Types::one(JsonType::String))
        };
        if rich.is_empty() && self.skipped(def).all(|variant| variant.is_plain) {
            return names;
        }
        let mut raw = self.branches(&rich, unique, context, |entry, context| {
            let (variant, facets) = entry;
            if variant.untagged {
                return self.untagged(def, entry, context);
            }
            let mut raw = if matches!(variant.content, Content::Unit) {
                constant(variant)
            } else {
                let content = self.content(def, variant, context);
                let content = self.finish(content, context);
                Raw {
                    sticky: content.sticky,
                    ..object_of(variant.name.clone(), content.schema)
                }
            };
            self.apply(&mut raw, facets, None, context);
            raw
        });
        if !plain.is_empty() || self.skipped(def).any(|variant| variant.is_plain) {
            let list = raw.one_of.as_mut().or(raw.any_of.as_mut());
            if let Some(list) = list {
                list.insert(0, names);
            }
        }
        raw
    }

    fn internal(
        &self,
        def: &Enum,
        tag: &Text,
        entry: &Present<'_>,
        context: &mut Context<'_>,
    ) -> Raw {
        let (variant, facets) = entry;
        if variant.untagged {
            return self.untagged(def, entry, context);
        }
        let mut raw = self.content(def, variant, context);
        if matches!(variant.content, Content::Newtype(_)) {
            raw.branches_mut().for_each(Raw::allow_unknown);
        }
        let raw_object = raw.object();
        let unit = raw_object.types == Types::NULL;
        raw_object.types = Types::one(JsonType::Object);
        let node = &mut raw_object.node;
        node.properties
            .insert(tag.clone(), self.tag_property(variant, context));
        node.required.insert(0, tag.clone());
        if unit && def.deny_unknown && node.additional_properties.is_none() {
            node.additional_properties = Some(Additional::Allowed(false));
        }
        self.apply(&mut raw, facets, None, context);
        raw
    }

    fn adjacent(
        &self,
        def: &Enum,
        tag: &Text,
        content: &Text,
        entry: &Present<'_>,
        context: &mut Context<'_>,
    ) -> Raw {
        let (variant, facets) = entry;
        if variant.untagged {
            return self.untagged(def, entry, context);
        }
        let mut raw = Raw::of_types(Types::one(JsonType::Object));
        raw.node
            .properties
            .insert(tag.clone(), self.tag_property(variant, context));
        raw.node.required.push(tag.clone());
        if !matches!(variant.content, Content::Unit) {
            let value = self.content(def, variant, context);
            let value = self.finish(value, context).schema;
            raw.node.properties.insert(content.clone(), Arc::new(value));
            raw.node.required.push(content.clone());
        }
        if def.deny_unknown {
            raw.node.additional_properties = Some(Additional::Allowed(false));
        }
        self.apply(&mut raw, facets, None, context);
        raw
    }

    fn untagged(&self, def: &Enum, entry: &Present<'_>, context: &mut Context<'_>) -> Raw {
        let (variant, facets) = entry;
        if let Content::Newtype(field) = &variant.content {
            let mut raw = self.type_of(field, &mut context.at(field.span));
            let inner = self.selection.resolve(&field.facets);
            self.apply_both(&mut raw, &inner, facets, context);
            return raw;
        }
        let mut raw = self.content(def, variant, context);
        self.apply(&mut raw, facets, None, context);
        raw
    }

    /// Returns the content of a variant, without its name.
    fn content(&self, def: &Enum, variant: &Variant, context: &mut Context<'_>) -> Raw {
        match &variant.content {
            Content::Unit => Raw::of_types(Types::NULL),
            Content::Newtype(field) => self.field(field, None, &mut context.at(field.span)),
            Content::Tuple(fields) => self.tuple(fields, context),
            Content::Struct(body) => self.structure(body, def.deny_unknown, context),
            Content::With(ty) => self.raw(ty, context),
        }
    }

    fn tag_property(&self, variant: &Variant, context: &mut Context<'_>) -> Arc<Schema> {
        Arc::new(self.finish(constant(variant), context).schema)
    }
}

/// Joins branches by `oneOf` or `anyOf`.
fn alternatives(branches: Vec<Raw>, unique: bool) -> Raw {
    let mut raw = Raw::default();
    if unique {
        raw.one_of = Some(branches);
    } else {
        raw.any_of = Some(branches);
    }
    raw
}

fn name(variant: &Variant) -> Value {
    Value::from(variant.name.as_ref())
}

fn constant(variant: &Variant) -> Raw {
    Raw {
        constant: Some(name(variant)),
        ..Raw::of_types(Types::one(JsonType::String))
    }
}

/// Returns an object with this one property, required.
fn object_of(name: Text, property: Schema) -> Raw {
    let mut raw = Raw::of_types(Types::one(JsonType::Object));
    raw.node.required.push(name.clone());
    raw.node.properties.insert(name, Arc::new(property));
    raw.node.additional_properties = Some(Additional::Allowed(false));
    raw
}
