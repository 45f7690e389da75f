//! Untagged enums, which are structural only if the variants share a type.

use super::super::Renderer;
use super::super::common::{anything, schema_of};
use super::super::context::Context;
use super::enums::{Present, gather};
use super::union;
use super::well_known::allow_both;
use crd_channels_diagnostics::Code;
use crd_channels_schema::draft::Content;
use crd_channels_schema::{Bounds, JsonType, Junctors, Schema};

impl Renderer<'_> {
    /// Renders an enum that may be any of its variants.
    pub(super) fn any_of_them(&self, present: &Present<'_>, context: &mut Context<'_>) -> Schema {
        let mut contents = Vec::new();
        for variant in present {
            let mut context = context.at(variant.span);
            if matches!(variant.content, Content::Unit) {
                context.report(
                    Code::NonStructural,
                    "an untagged variant without data is `null`, which a CRD cannot express",
                    "leave the variant out and make the field an `Option`",
                );
                return anything();
            }
            let mut schema = self.carried(variant, &mut context);
            let facets = self.selection.resolve(&variant.facets);
            self.describe(&mut schema, &facets, &mut context);
            schema.title = None;
            schema.description = None;
            contents.push(schema);
        }
        if let Some((first, rest)) = contents.split_first()
            && rest.iter().all(|schema| union::alike(first, schema))
        {
            return first.clone();
        }
        if all_of(&contents, &[JsonType::Object]) {
            return objects(contents, present, context);
        }
        if let Some(schema) = scalars(&contents) {
            return schema;
        }
        context.report(
            Code::NonStructural,
            "the variants of this untagged enum have no type in common",
            "tag the enum, use `IntOrString` for an integer or a string, or allow any value: `#[schemars(with = \"serde_json::Value\")]` on the field",
        );
        anything()
    }
}

/// Merges all properties into one object, and checks what each variant requires.
fn objects(contents: Vec<Schema>, present: &Present<'_>, context: &mut Context<'_>) -> Schema {
    let mut schema = schema_of(JsonType::Object);
    let any_of: Vec<Schema> = contents
        .into_iter()
        .zip(present)
        .map(|(content, variant)| gather(&mut schema, content, &mut context.at(variant.span)))
        .collect();
    // A variant without requirements accepts every object, so the other variants need no checks.
    if any_of.iter().all(|checks| *checks != Schema::default()) {
        schema.junctors = Some(Box::new(Junctors {
            any_of,
            ..Junctors::default()
        }));
    }
    schema
}

/// Returns true if all schemas have one of these types.
pub(in super::super) fn all_of(contents: &[Schema], types: &[JsonType]) -> bool {
    let mut all = contents.iter();
    all.all(|schema| schema.ty.is_some_and(|ty| types.contains(&ty)))
}

/// Merges several scalars: of one type, or integers and strings. Returns `None` if they have no common form.
pub(in super::super) fn scalars(contents: &[Schema]) -> Option<Schema> {
    for (ty, types) in [
        (JsonType::String, &[JsonType::String][..]),
        (JsonType::Integer, &[JsonType::Integer]),
        (JsonType::Number, &[JsonType::Integer, JsonType::Number]),
    ] {
        if all_of(contents, types) {
            return Some(same_type(ty, contents));
        }
    }
    let either = contents.iter().all(|schema| {
        schema.int_or_string || matches!(schema.ty, Some(JsonType::Integer | JsonType::String))
    });
    either.then(|| int_or_string(contents)).flatten()
}

/// Merges schemas of one type, with the checks of each variant.
fn same_type(ty: JsonType, contents: &[Schema]) -> Schema {
    let any_of: Vec<Schema> = contents.iter().cloned().map(checks_of).collect();
    let mut schema = schema_of(ty);
    if any_of.iter().all(|checks| *checks != Schema::default()) {
        schema.junctors = Some(Box::new(Junctors {
            any_of,
            ..Junctors::default()
        }));
    }
    schema
}

fn checks_of(content: Schema) -> Schema {
    Schema {
        format: content.format,
        enum_values: content.enum_values,
        bounds: content.bounds,
        junctors: content.junctors,
        ..Schema::default()
    }
}

/// Merges integers and strings. Bounds of integers and lengths of strings do not interfere at one node, so one of each kind may
/// have checks; an `enum` would apply to both.
fn int_or_string(contents: &[Schema]) -> Option<Schema> {
    let mut schema = Schema {
        int_or_string: true,
        ..Schema::default()
    };
    let checked = |wanted: JsonType| {
        let mut of_type = contents
            .iter()
            .filter(move |schema| schema.ty == Some(wanted));
        let first = of_type.next();
        (first, of_type.next().is_some())
    };
    let mut bounds = Bounds::default();
    for ty in [JsonType::Integer, JsonType::String] {
        let (Some(content), several) = checked(ty) else {
            continue;
        };
        if !content.enum_values.is_empty() || content.junctors.is_some() {
            return None;
        }
        if several {
            return None;
        }
        let Some(of_content) = content.bounds.as_deref() else {
            continue;
        };
        if ty == JsonType::Integer {
            bounds.minimum.clone_from(&of_content.minimum);
            bounds.maximum.clone_from(&of_content.maximum);
        } else {
            bounds.min_length = of_content.min_length;
            bounds.max_length = of_content.max_length;
            bounds.pattern.clone_from(&of_content.pattern);
        }
    }
    if bounds != Bounds::default() {
        schema.bounds = Some(Box::new(bounds));
    }
    allow_both(&mut schema);
    Some(schema)
}
