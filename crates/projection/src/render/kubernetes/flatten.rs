//! `#[serde(flatten)]`: merges one object's properties into another's.

use super::super::Renderer;
use super::super::common::inside_option;
use super::super::context::Context;
use super::union;
use crd_channels_diagnostics::Code;
use crd_channels_schema::draft::{Facets, Field, Shape};
use crd_channels_schema::{Additional, JsonType, Junctors, Schema};

impl Renderer<'_> {
    /// Merges a flattened field into the struct around it.
    pub(super) fn flattened(&self, schema: &mut Schema, field: &Field, context: &mut Context<'_>) {
        let facets: &Facets = &self.selection.resolve(&field.facets);
        if !facets.rules.is_empty() || facets.list_type.is_some() || facets.map_type.is_some() {
            context.report(
                Code::InvalidAttribute,
                "`#[x_kube(..)]` does not apply to a flattened field, which has no node of its own",
                "write it on the struct or on a field of the flattened type",
            );
        }
        let optional = matches!(field.ty.shape, Shape::Option(_)) && !field.force_required;
        let flat = self.schema(inside_option(self.type_itself(field)), context);
        self.take_in(schema, &flat, optional, context);
    }

    /// Merges an object's properties and checks. The checks of an optional object hold only if it is present, which its
    /// properties alone do not show, so only the properties are merged.
    fn take_in(
        &self,
        schema: &mut Schema,
        flat: &Schema,
        optional: bool,
        context: &mut Context<'_>,
    ) {
        if flat.ty != Some(JsonType::Object) {
            if flat.ty.is_none() && flat.preserve_unknown_fields {
                schema.preserve_unknown_fields = true;
                return;
            }
            context.report(
                Code::NonStructural,
                "only a type that is serialized as an object can be flattened",
                "use it as a field of its own; in an enum, write `Variant {}` instead of `Variant`",
            );
            return;
        }
        for (name, property) in &flat.properties {
            union::insert(&mut schema.properties, name, property.clone(), context);
        }
        schema.preserve_unknown_fields |= flat.preserve_unknown_fields;
        if !matches!(
            flat.additional_properties,
            None | Some(Additional::Allowed(false))
        ) {
            schema.preserve_unknown_fields = true;
        }
        if optional {
            if !flat.rules.is_empty() {
                context.report(
                    Code::NonStructural,
                    "the rules of this type would also apply where the optional, flattened value is absent",
                    "write them on the struct around it, guarded by `has(..)`",
                );
            }
            return;
        }
        schema.required.extend(flat.required.iter().cloned());
        schema.rules.extend(flat.rules.iter().cloned());
        if let Some(bounds) = &flat.bounds {
            schema.bounds.get_or_insert_with(|| bounds.clone());
        }
        if let Some(junctors) = &flat.junctors {
            both(schema, junctors);
        }
    }
}

/// Adds junctors that must hold in addition to the existing ones.
pub(in super::super) fn both(schema: &mut Schema, more: &Junctors) {
    let Some(known) = schema.junctors.take() else {
        schema.junctors = Some(Box::new(more.clone()));
        return;
    };
    let all_of = [entries(*known), entries(more.clone())].concat();
    schema.junctors = Some(Box::new(Junctors {
        all_of,
        ..Junctors::default()
    }));
}

/// Returns junctors as entries of `allOf`.
fn entries(junctors: Junctors) -> Vec<Schema> {
    if junctors.any_of.is_empty() && junctors.one_of.is_empty() && junctors.not.is_none() {
        return junctors.all_of;
    }
    vec![Schema {
        junctors: Some(Box::new(junctors)),
        ..Schema::default()
    }]
}
