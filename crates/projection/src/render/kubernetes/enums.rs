//! Enums by tagging: one object with the properties of all variants, and checks of which belong together.

use super::super::Renderer;
use super::super::common::{anything, schema_of};
use super::super::context::Context;
use super::union;
use crd_channels_diagnostics::{Code, Text};
use crd_channels_schema::draft::{Content, Enum, Facets, Shape, Struct, Tagging, Variant};
use crd_channels_schema::{Additional, JsonType, Junctors, Origin, Schema};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The variants of the selection.
pub(super) type Present<'v> = Vec<&'v Variant>;

impl Renderer<'_> {
    pub(super) fn choice(&self, def: &Enum, context: &mut Context<'_>) -> Schema {
        let present: Present<'_> = def
            .variants
            .iter()
            .filter(|variant| self.selection.keeps(variant.gate.as_ref()))
            .collect();
        if present.is_empty() {
            self.empty(def.variants.is_empty(), context);
            return schema_of(JsonType::String);
        }
        let untagged = present.iter().filter(|variant| variant.untagged).count();
        if def.tagging == Tagging::Untagged || untagged == present.len() {
            return self.any_of_them(&present, context);
        }
        if let Some(variant) = present.iter().find(|variant| variant.untagged) {
            context.at(variant.span).report(
                Code::NonStructural,
                "an untagged variant beside tagged ones cannot be expressed in a CRD",
                "move it into an enum of its own, or tag it",
            );
            return anything();
        }
        match &def.tagging {
            Tagging::External | Tagging::Untagged => self.externally_tagged(&present, context),
            Tagging::Internal { tag } => self.tagged(&present, tag, None, context),
            Tagging::Adjacent { tag, content } => {
                self.tagged(&present, tag, Some(content), context)
            }
        }
    }

    /// Renders an externally tagged enum: each variant is a string, or an object with one property.
    fn externally_tagged(&self, present: &Present<'_>, context: &mut Context<'_>) -> Schema {
        let is_unit = |variant: &&&Variant| matches!(variant.content, Content::Unit);
        let units = present.iter().filter(is_unit).count();
        if units == present.len() {
            return Schema {
                enum_values: names(present),
                ..schema_of(JsonType::String)
            };
        }
        if let Some(variant) = present.iter().find(is_unit) {
            context.at(variant.span).report(
                Code::NonStructural,
                format!("`{0}` is serialized as a string, variants with data as objects", variant.name),
                format!("write `{0} {{}}` instead of `{0}`, or tag the enum: `#[serde(tag = \"type\")]`", variant.name),
            );
            return anything();
        }
        let mut schema = schema_of(JsonType::Object);
        let mut one_of = Vec::new();
        for variant in present {
            let mut context = context.at(variant.span);
            let mut property = self.carried(variant, &mut context);
            let facets = self.selection.resolve(&variant.facets);
            self.describe(&mut property, &facets, &mut context);
            property.origin = Origin(Some(variant.span));
            let property = Arc::new(property);
            union::insert(
                &mut schema.properties,
                &variant.name,
                property,
                &mut context,
            );
            one_of.push(Schema {
                required: vec![variant.name.clone()],
                ..Schema::default()
            });
        }
        schema.junctors = Some(Box::new(Junctors {
            one_of,
            ..Junctors::default()
        }));
        schema
    }

    /// Renders the content of a variant.
    pub(super) fn carried(&self, variant: &Variant, context: &mut Context<'_>) -> Schema {
        match &variant.content {
            Content::Unit => self.fields(&Struct::default(), context),
            Content::Newtype(field) => {
                let mut context = context.at(field.span);
                let mut schema = self.field_schema(field, &mut context);
                // The property identifies the variant, so `null` must not be dropped from it.
                schema.nullable |= matches!(field.ty.shape, Shape::Option(_));
                schema
            }
            Content::Tuple(_) => self.no_tuples(context),
            Content::Struct(body) => self.fields(body, context),
            Content::With(ty) => self.own_schema(ty, context),
        }
    }

    /// Renders a tagged enum: one property names the variant; the others are the variant's own, or nested in a property.
    fn tagged(
        &self,
        present: &Present<'_>,
        tag: &Text,
        place: Option<&Text>,
        context: &mut Context<'_>,
    ) -> Schema {
        let tag_schema = Schema {
            enum_values: names(present),
            origin: Origin(context.span),
            ..schema_of(JsonType::String)
        };
        let mut schema = schema_of(JsonType::Object);
        schema.properties.insert(tag.clone(), Arc::new(tag_schema));
        let has_data = |variant: &&Variant| !matches!(variant.content, Content::Unit);
        let data = place.filter(|_| present.iter().any(has_data));
        let mut branches = Vec::new();
        for variant in present {
            let mut context = context.at(variant.span);
            let facets = self.selection.resolve(&variant.facets);
            self.check_variant_facets(&facets, &mut context);
            let checks = if has_data(variant) {
                let content = self.carried(variant, &mut context);
                match place {
                    None => gather(&mut schema, content, &mut context),
                    Some(place) => gather_in(&mut schema, place, content, &mut context),
                }
            } else {
                data.map_or_else(Schema::default, without)
            };
            branches.push((variant.name.clone(), checks));
        }
        schema.required = common(&branches);
        let shared: BTreeSet<Text> = schema.required.iter().cloned().collect();
        schema.required.push(tag.clone());
        schema.required.sort();
        schema.required.dedup();
        for (_, checks) in &mut branches {
            checks
                .required
                .retain(|name| !shared.contains(name) && name != tag);
        }
        if branches
            .iter()
            .any(|(_, checks)| *checks != Schema::default())
        {
            let one_of = branches
                .into_iter()
                .map(|(name, checks)| with_tag(tag, &name, checks))
                .collect();
            schema.junctors = Some(Box::new(Junctors {
                one_of,
                ..Junctors::default()
            }));
        }
        schema
    }

    /// Reports facets of a tagged variant, which has no node of its own. Only its documentation is dropped without an error.
    fn check_variant_facets(&self, facets: &Facets, context: &mut Context<'_>) {
        if !facets.extend.is_empty() || !facets.rules.is_empty() {
            context.report(
                Code::InvalidAttribute,
                "a variant of a tagged enum has no node of its own for this",
                "write it on the enum or on a field of the variant",
            );
        }
    }
}

/// Returns the names as enum values, in source order.
fn names(present: &Present<'_>) -> Vec<Value> {
    present
        .iter()
        .map(|variant| Value::from(variant.name.as_ref()))
        .collect()
}

/// Moves a variant's properties into the object and returns the checks that apply if the variant is chosen.
pub(super) fn gather(schema: &mut Schema, content: Schema, context: &mut Context<'_>) -> Schema {
    if content.ty != Some(JsonType::Object) {
        context.report(
            Code::NonStructural,
            "only a value that is serialized as an object can have a tag beside it",
            "carry a struct, or set `content` beside `tag`",
        );
        return Schema::default();
    }
    if !content.rules.is_empty() {
        context.report(
            Code::NonStructural,
            "the rules of this type would apply to all variants",
            "write them on the enum, guarded by the tag: `self.type != 'Name' || ..`",
        );
    }
    let open = !matches!(
        content.additional_properties,
        None | Some(Additional::Allowed(false))
    );
    schema.preserve_unknown_fields |= content.preserve_unknown_fields || open;
    for (name, property) in content.properties {
        union::insert(&mut schema.properties, &name, property, context);
    }
    Schema {
        required: content.required,
        bounds: content.bounds,
        junctors: content.junctors,
        ..Schema::default()
    }
}

/// Does the same with the variant's properties nested in one property.
fn gather_in(
    schema: &mut Schema,
    place: &Text,
    content: Schema,
    context: &mut Context<'_>,
) -> Schema {
    let mut checks = Schema {
        required: vec![place.clone()],
        ..Schema::default()
    };
    let Some(known) = schema.properties.get_mut(place) else {
        let (property, inner) = split(content, context);
        schema.properties.insert(place.clone(), Arc::new(property));
        add_inner(&mut checks, place, inner);
        return checks;
    };
    let has_fields = |schema: &Schema| {
        schema.ty == Some(JsonType::Object) && schema.additional_properties.is_none()
    };
    if has_fields(known) && has_fields(&content) {
        let inner = gather(Arc::make_mut(known), content, context);
        add_inner(&mut checks, place, inner);
    } else {
        union::insert(&mut schema.properties, place, Arc::new(content), context);
    }
    checks
}

/// Splits a content into the part that all variants share and the checks of this variant.
fn split(content: Schema, context: &mut Context<'_>) -> (Schema, Schema) {
    if content.ty != Some(JsonType::Object) || content.additional_properties.is_some() {
        return (content, Schema::default());
    }
    let mut property = Schema {
        origin: content.origin,
        ..schema_of(JsonType::Object)
    };
    let inner = gather(&mut property, content, context);
    (property, inner)
}

fn add_inner(checks: &mut Schema, place: &Text, inner: Schema) {
    if inner != Schema::default() {
        checks.properties.insert(place.clone(), Arc::new(inner));
    }
}

/// Returns the check of a variant without data next to others whose data are in a property: serde refuses that property for it.
fn without(place: &Text) -> Schema {
    let present = Schema {
        required: vec![place.clone()],
        ..Schema::default()
    };
    Schema {
        junctors: Some(Box::new(Junctors {
            not: Some(Box::new(present)),
            ..Junctors::default()
        })),
        ..Schema::default()
    }
}

/// Returns the fields that every variant requires.
fn common(branches: &[(Text, Schema)]) -> Vec<Text> {
    let Some(((_, first), rest)) = branches.split_first() else {
        return Vec::new();
    };
    let in_all = |name: &&Text| {
        rest.iter()
            .all(|(_, checks)| checks.required.contains(name))
    };
    first.required.iter().filter(in_all).cloned().collect()
}

/// Returns the checks of one variant, applied if the tag names it.
fn with_tag(tag: &Text, name: &Text, mut checks: Schema) -> Schema {
    let named = Schema {
        enum_values: vec![Value::from(name.as_ref())],
        ..Schema::default()
    };
    checks.properties.insert(tag.clone(), Arc::new(named));
    checks
}
