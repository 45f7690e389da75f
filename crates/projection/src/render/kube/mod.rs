//! The `kube` convention: what schemars writes for each shape, before kube's passes.

mod enums;
mod facets;
mod flatten;
mod keys;

pub(super) use facets::set_merge;

use super::common::{inside_option, report_tuple, with_more};
use super::context::Context;
use super::kubernetes::merge_lists;
use super::raw::{Items, Raw, Types};
use super::text::read_doc;
use super::{Renderer, marks, scalars};
use crd_channels_diagnostics::Text;
use crd_channels_schema::draft::generated_doc;
use crd_channels_schema::draft::{Draft, Field, KindFacets, Shape, Struct, Type, WellKnown};
use crd_channels_schema::{Additional, JsonType, Origin, Schema};
use serde_json::Value;
use std::sync::Arc;

impl Renderer<'_> {
    /// Renders the root of a version, as the struct that kube-derive generates.
    pub(super) fn kube_root(
        &self,
        draft: &Draft,
        root: &Arc<Type>,
        kind: &KindFacets,
        context: &mut Context<'_>,
    ) -> Schema {
        let mut raw = self.raw(root, context);
        let node = &mut raw.object().node;
        // A root with a hand-written schema ignores its documentation.
        if matches!(root.shape, Shape::Struct(_)) {
            let doc = kind.doc.clone();
            let doc = doc.unwrap_or_else(|| generated_doc(&draft.spec_name));
            let doc = with_more(doc, draft);
            let (title, description) = read_doc(&doc);
            let said = |text: &Text| !text.is_empty();
            if let Some(title) = title.filter(said) {
                node.title = Some(title);
            }
            if let Some(description) = description.filter(said) {
                node.description = Some(description);
            }
            node.rules.extend(kind.rules.iter().cloned());
        }
        node.title.get_or_insert_with(|| draft.root_name.clone());
        self.finish(raw, context).schema
    }

    /// Renders a type as schemars does.
    pub(super) fn kube_raw(&self, ty: &Arc<Type>, context: &mut Context<'_>) -> Raw {
        let Some(mut context) = context.inside(ty.span) else {
            return Raw::default();
        };
        let context = &mut context;
        let mut raw = match &ty.shape {
            Shape::Any => Raw::boolean(true),
            Shape::Unit => Raw::of_types(Types::NULL),
            Shape::Scalar(scalar) => Raw::from_schema(scalars::scalar(*scalar)),
            Shape::Option(inner) => allow_null(self.raw(inner, context)),
            Shape::List {
                items,
                unique: _,
                length,
            } => list(items, *length),
            Shape::Map { key, value } => self.map(key, value, context),
            Shape::Struct(body) => self.structure(body, body.deny_unknown, context),
            Shape::Newtype(field) => self.type_of(field, &mut context.at(field.span)),
            Shape::Tuple(fields) => self.tuple(fields, context),
            Shape::Enum(def) => self.enumeration(def, context),
            Shape::IntegerEnum(variants) => {
                let values = self.integers(variants, context);
                Raw {
                    values: Some(values),
                    ..Raw::of_types(Types::one(JsonType::Integer))
                }
            }
            Shape::Literal(literal) => self.literal(literal, context),
        };
        // Types inside a hand-written schema are rendered here under both conventions.
        if self.convention.choices().merges_known_lists
            && let Some(WellKnown::Lists(lists)) = ty.well_known
        {
            merge_lists(&mut raw.node, lists);
        }
        let kept = self.keep_immutable(ty, &raw.node.properties);
        if !kept.is_empty() {
            raw.object().node.rules.extend(kept);
        }
        let facets = self.selection.resolve(&ty.facets);
        if let Shape::Newtype(field) = &ty.shape {
            let inner = self.selection.resolve(&field.facets);
            self.apply_both(&mut raw, &inner, &facets, context);
        } else {
            self.apply(&mut raw, &facets, None, context);
        }
        if ty.span.is_some() {
            raw.node.origin = Origin(ty.span);
        }
        raw
    }

    /// Renders a field: its type's schema with its facets applied.
    fn field(&self, field: &Field, default: Option<&Value>, context: &mut Context<'_>) -> Raw {
        let mut raw = self.type_of(field, context);
        let facets = self.selection.resolve(&field.facets);
        self.apply(&mut raw, &facets, default, context);
        raw.from(Some(field.span))
    }

    /// Renders the type of a field, without the field's facets.
    fn type_of(&self, field: &Field, context: &mut Context<'_>) -> Raw {
        let ty = self.type_itself(field);
        let ty = if field.force_required {
            inside_option(ty)
        } else {
            ty
        };
        self.raw(ty, context).from(Some(field.span))
    }

    /// A struct with named fields.
    fn structure(&self, body: &Struct, deny_unknown: bool, context: &mut Context<'_>) -> Raw {
        let mut raw = Raw::of_types(Types::one(JsonType::Object));
        if deny_unknown {
            raw.node.additional_properties = Some(Additional::Allowed(false));
        }
        for field in &body.fields {
            if !self.selection.keeps(field.gate.as_ref()) {
                continue;
            }
            let mut context = context.at(field.span);
            if field.flatten {
                self.flatten(&mut raw, field, &mut context);
                continue;
            }
            let mut property = self.field(field, field.default.as_ref(), &mut context);
            let marks = field.facets.always.marks.as_ref();
            if marks.is_some_and(|marks| marks.embedded_resource) && property.types.is_empty() {
                property.object().types = Types::one(JsonType::Object);
            }
            let mut property = self.finish(property, &mut context).schema;
            if let Some(marks) = marks {
                marks::set_finished(&mut property, marks, self.selection);
            }
            raw.node
                .properties
                .insert(field.name.clone(), Arc::new(property));
            if !field.optional {
                raw.node.required.push(field.name.clone());
            }
        }
        raw
    }

    fn map(&self, key: &Arc<Type>, value: &Arc<Type>, context: &mut Context<'_>) -> Raw {
        let keys = keys::Keys::allowed_by(&self.raw(key, context));
        let mut raw = Raw::of_types(Types::one(JsonType::Object));
        raw.node.keys = self.keys(key, context);
        if keys.open {
            raw.node.additional_properties = Some(match self.raw(value, context).boolean {
                Some(all) => Additional::Allowed(all),
                None => Additional::Schema(self.schema(value, context)),
            });
            return raw;
        }
        if !keys.names.is_empty() {
            let value = self.schema(value, context);
            let named = |name| (name, value.clone());
            raw.node.properties = keys.names.into_iter().map(named).collect();
        }
        raw.node.additional_properties = Some(Additional::Allowed(false));
        raw
    }

    fn tuple(&self, fields: &[Field], context: &mut Context<'_>) -> Raw {
        report_tuple(context);
        let mut raw = Raw::of_types(Types::one(JsonType::Array));
        raw.items = fields.first().map(|field| Items::Type(field.ty.clone()));
        raw
    }
}

fn list(items: &Arc<Type>, length: Option<u64>) -> Raw {
    let mut node = Schema::default();
    if let Some(length) = length {
        let bounds = super::keywords::bounds(&mut node);
        bounds.max_items = Some(length);
        bounds.min_items = (length > 0).then_some(length);
    }
    Raw {
        items: (length != Some(0)).then(|| Items::Type(items.clone())),
        node,
        ..Raw::of_types(Types::one(JsonType::Array))
    }
}

/// Makes a schema nullable, as `Option` does.
fn allow_null(mut raw: Raw) -> Raw {
    match raw.boolean {
        Some(true) => return raw,
        Some(false) => return Raw::of_types(Types::NULL),
        None => {}
    }
    if let Some(any) = raw.any_of.take() {
        let nullable = any.iter().any(|branch| branch.types.has(Types::NULL));
        let alone = raw == Raw::default();
        raw.any_of = Some(any);
        if nullable && alone {
            return raw;
        }
    }
    if raw.has_branches() {
        return Raw {
            any_of: Some(vec![raw, Raw::of_types(Types::NULL)]),
            ..Raw::default()
        };
    }
    if !raw.types.is_empty() {
        raw.types = raw.types.with(Types::NULL);
    }
    match raw.constant.take() {
        Some(Value::Null) => {}
        Some(value) => raw.values = Some(vec![value, Value::Null]),
        None => {
            if let Some(values) = &mut raw.values
                && !values.contains(&Value::Null)
            {
                values.push(Value::Null);
            }
        }
    }
    raw
}
