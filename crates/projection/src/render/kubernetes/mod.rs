//! The `kubernetes` convention: builds structural schemas directly, as API reviewers expect them.

pub(super) mod clean;
mod enums;
mod facets;
mod flatten;
pub(super) mod union;
mod untagged;
mod well_known;

pub(super) use flatten::both;
pub(super) use untagged::{all_of, scalars};
pub(super) use well_known::{is_int_or_string, merge_lists};

use super::common::{anything, inside_option, report_tuple, schema_of, with_more};
use super::context::Context;
use super::text::read_doc;
use super::{Renderer, keywords, marks, scalars};
use crd_channels_diagnostics::Code;
use crd_channels_schema::draft::{Draft, Field, KindFacets, Literal, Scalar, Shape, Struct, Type};
use crd_channels_schema::{Additional, JsonType, ListType, Origin, Schema};
use std::sync::Arc;

impl Renderer<'_> {
    /// Renders the root of a version: its own fields and those of every Kubernetes object.
    pub(super) fn kubernetes_root(
        &self,
        draft: &Draft,
        root: &Arc<Type>,
        kind: &KindFacets,
        context: &mut Context<'_>,
    ) -> Schema {
        let mut schema = self.kubernetes(root, context);
        let doc = kind.doc.clone().map(|doc| with_more(doc, draft));
        if let Some(doc) = doc.or_else(|| draft.more_doc.clone()) {
            let (title, description) = read_doc(&doc);
            schema.title = title.filter(|text| !text.is_empty()).or(schema.title);
            schema.description = description.filter(|text| !text.is_empty());
        }
        schema.rules.extend(kind.rules.iter().cloned());
        if draft.written_object {
            return schema;
        }
        for (name, property) in well_known::of_every_object() {
            schema
                .properties
                .entry(name)
                .or_insert_with(|| Arc::new(property));
        }
        schema
    }

    /// Renders a type.
    pub(super) fn kubernetes(&self, ty: &Arc<Type>, context: &mut Context<'_>) -> Schema {
        let Some(mut context) = context.inside(ty.span) else {
            return anything();
        };
        let context = &mut context;
        let mut schema = match ty.well_known {
            Some(known) => self.well_known(known, ty, context),
            None => self.shape(ty, context),
        };
        schema
            .rules
            .extend(self.keep_immutable(ty, &schema.properties));
        let facets = self.selection.resolve(&ty.facets);
        self.describe(&mut schema, &facets, context);
        if ty.span.is_some() {
            schema.origin = Origin(ty.span);
        }
        schema
    }

    fn shape(&self, ty: &Arc<Type>, context: &mut Context<'_>) -> Schema {
        match &ty.shape {
            Shape::Any => anything(),
            Shape::Unit => {
                context.report(
                    Code::UnsupportedType,
                    format!(
                        "`{}` can only be `null`, which a CRD cannot express",
                        ty.name
                    ),
                    "write an empty struct, `struct Name {}`, or leave the field out",
                );
                schema_of(JsonType::Object)
            }
            Shape::Scalar(scalar) => {
                let mut schema = scalars::scalar(*scalar);
                clean::clean_node(&mut schema);
                schema
            }
            Shape::Option(inner) => self.own_schema(inside_option(inner), context),
            Shape::List {
                items,
                unique,
                length,
            } => self.list(items, *unique, *length, context),
            Shape::Map { key, value } => {
                self.check_key(key, context);
                Schema {
                    additional_properties: Some(Additional::Schema(self.element(value, context))),
                    keys: self.keys(key, context),
                    ..schema_of(JsonType::Object)
                }
            }
            Shape::Struct(body) => self.fields(body, context),
            Shape::Newtype(field) => {
                let schema = self.field_schema(field, &mut context.at(field.span));
                Schema {
                    nullable: false,
                    ..schema
                }
            }
            Shape::Tuple(_) => self.no_tuples(context),
            Shape::Enum(def) => self.choice(def, context),
            Shape::IntegerEnum(variants) => {
                let enum_values = self.integers(variants, context);
                Schema {
                    enum_values,
                    ..schema_of(JsonType::Integer)
                }
            }
            Shape::Literal(literal) => self.written(literal, context),
        }
    }

    fn written(&self, literal: &Literal, context: &mut Context<'_>) -> Schema {
        let raw = self.literal(literal, context);
        self.finish(raw, context).schema
    }

    /// Renders the element of a list or map: an `Option` there allows `null`.
    fn element(&self, ty: &Arc<Type>, context: &mut Context<'_>) -> Arc<Schema> {
        let mut schema = self.schema(inside_option(ty), context);
        if matches!(ty.shape, Shape::Option(_)) {
            Arc::make_mut(&mut schema).nullable = true;
        }
        schema
    }

    fn list(
        &self,
        items: &Arc<Type>,
        unique: bool,
        length: Option<u64>,
        context: &mut Context<'_>,
    ) -> Schema {
        let items = self.element(items, context);
        let mut schema = schema_of(JsonType::Array);
        if let Some(length) = length {
            let bounds = keywords::bounds(&mut schema);
            bounds.min_items = Some(length);
            bounds.max_items = Some(length);
        }
        if unique && is_scalar(&items) {
            keywords::merge(&mut schema).list_type = Some(ListType::Set);
        }
        schema.items = Some(items);
        schema
    }

    /// Checks a key type. Keys are strings in JSON, whatever they are in Rust. The schema does not list allowed keys: with a
    /// fixed set of properties, the API server would prune all other keys instead of refusing them.
    fn check_key(&self, key: &Arc<Type>, context: &mut Context<'_>) {
        let schema = self.schema(key, context);
        let text = schema.ty == Some(JsonType::String) && !schema.nullable;
        let integer = schema.ty == Some(JsonType::Integer);
        let flag = matches!(key.shape, Shape::Scalar(Scalar::Bool));
        if !(text || integer || flag) {
            context.report(
                Code::UnsupportedType,
                format!("`{}` cannot be the key of a map", key.name),
                "use `String` or a type that is serialized as a string",
            );
        }
    }

    fn no_tuples(&self, context: &mut Context<'_>) -> Schema {
        report_tuple(context);
        anything()
    }

    /// Renders a struct's fields. The API server prunes unknown ones, so denying them has no effect.
    fn fields(&self, body: &Struct, context: &mut Context<'_>) -> Schema {
        let mut schema = schema_of(JsonType::Object);
        for field in &body.fields {
            if !self.selection.keeps(field.gate.as_ref()) {
                continue;
            }
            let mut context = context.at(field.span);
            if field.flatten {
                self.flattened(&mut schema, field, &mut context);
                continue;
            }
            let property = Arc::new(self.field_schema(field, &mut context));
            union::insert(&mut schema.properties, &field.name, property, &mut context);
            if !field.optional {
                schema.required.push(field.name.clone());
            }
        }
        schema.required.sort();
        schema.required.dedup();
        schema
    }

    /// Renders a field: its type's schema with its facets applied.
    fn field_schema(&self, field: &Field, context: &mut Context<'_>) -> Schema {
        let mut schema = self.own_schema(inside_option(self.type_itself(field)), context);
        schema.default = field
            .default
            .clone()
            .filter(|value| !value.is_null())
            .map(Box::new);
        schema.origin = Origin(Some(field.span));
        let facets = self.selection.resolve(&field.facets);
        self.describe(&mut schema, &facets, context);
        schema.nullable |= field.nullable;
        if let Some(marks) = &field.facets.always.marks {
            marks::set_finished(&mut schema, marks, self.selection);
        }
        schema
    }
}

fn is_scalar(schema: &Schema) -> bool {
    let scalar = matches!(
        schema.ty,
        Some(JsonType::Boolean | JsonType::Integer | JsonType::Number | JsonType::String)
    );
    scalar && !schema.nullable
}
