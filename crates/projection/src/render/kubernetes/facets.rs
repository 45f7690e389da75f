//! Applies the attributes of a node in the `kubernetes` convention; attributes that do not fit the type are errors.

use super::super::Renderer;
use super::super::context::Context;
use super::super::kube::set_merge;
use super::super::raw::{Raw, plain_json, report_unread};
use super::super::text::title_and_description;
use super::super::{keywords, marks};
use super::clean;
use super::is_int_or_string;
use super::well_known::is_all_of_int_or_string;
use crd_channels_diagnostics::Code;
use crd_channels_schema::draft::{Edit, Facets, Literal};
use crd_channels_schema::{Additional, JsonType, Origin, Schema, formats};
use serde_json::Value;
use std::sync::Arc;

impl Renderer<'_> {
    /// Applies facets. Documentation at the place of use overrides that of the type.
    pub(super) fn describe(&self, schema: &mut Schema, facets: &Facets, context: &mut Context<'_>) {
        let Facets {
            deprecated: _,
            doc: _,
            title: _,
            description: _,
            example,
            min_length: _,
            max_length: _,
            minimum: _,
            maximum: _,
            pattern: _,
            format: _,
            inner: _,
            extend,
            extended_rules,
            edits,
            rules,
            list_type,
            list_map_keys: _,
            map_type,
            marks,
        } = facets;
        let (title, description) = title_and_description(facets);
        if title.is_some() {
            schema.title = title;
        }
        if description.is_some() {
            schema.description = description;
        }
        if example.is_some() {
            keywords::notes(schema).example.clone_from(example);
        }
        limit(schema, facets, context);
        let (extend, edits) = if self.bare {
            (&[][..], &[][..])
        } else {
            (&extend[..], &edits[..])
        };
        for (key, value) in extend {
            self.extend(schema, key, value, context);
        }
        schema.place_rules(extended_rules);
        for (key, edit) in edits {
            match edit {
                Edit::Set(value) => match plain_json(value) {
                    Ok(value) => self.extend(schema, key, &value, context),
                    Err(_) => report_unread(key, context),
                },
                Edit::Remove => keywords::unset(schema, key),
            }
        }
        schema.rules.extend(rules.iter().cloned());
        if list_type.is_some() || map_type.is_some() {
            set_merge(schema, facets);
        }
        if let Some(marks) = marks {
            marks::set(schema, marks);
        }
    }

    /// Sets a keyword exactly as written, unlike what is derived from Rust types.
    fn extend(&self, schema: &mut Schema, key: &str, value: &Value, context: &mut Context<'_>) {
        let fault = match keywords::set(schema, key, value.clone()) {
            Ok(()) => return,
            Err(fault) => fault,
        };
        let holds_schemas = matches!(
            key,
            "additionalProperties" | "allOf" | "anyOf" | "items" | "not" | "oneOf" | "properties"
        );
        let mut raw = Raw::default();
        if !holds_schemas || fault != keywords::Fault::Unknown {
            let literal = Literal::Value(value.clone());
            self.set_or_report(&mut raw, key, &literal, context);
            if let Some(keyword) = raw.refused.first() {
                super::super::raw::report_refused(keyword, context);
            }
            return;
        }
        let Schema {
            properties,
            additional_properties,
            items,
            junctors,
            ..
        } = match structural(key, value, schema.int_or_string) {
            Some(mut schema) => {
                place(&mut schema, Origin(context.span));
                schema
            }
            None => {
                // Suppresses the error about a missing type, which is set elsewhere.
                raw.node.preserve_unknown_fields = true;
                let literal = Literal::Value(value.clone());
                self.set_or_report(&mut raw, key, &literal, context);
                self.finish(raw, context).schema
            }
        };
        match key {
            "properties" => schema.properties = properties,
            "additionalProperties" => schema.additional_properties = additional_properties,
            "items" => schema.items = items,
            _ => {
                let more = junctors.unwrap_or_default();
                let known = schema.junctors.get_or_insert_default();
                match key {
                    "allOf" => known.all_of = more.all_of,
                    "anyOf" => known.any_of = more.any_of,
                    "oneOf" => known.one_of = more.one_of,
                    _ => known.not = more.not,
                }
            }
        }
    }
}

/// Reads a keyword with schemas in it if these are structural as they are written.
fn structural(key: &str, value: &Value, is_either: bool) -> Option<Schema> {
    let entries = std::iter::once((key.to_owned(), value.clone()));
    let schema = Schema::from_json(&Value::Object(entries.collect())).ok()?;
    let junctors = schema.junctors.as_deref();
    let fits = match junctors.filter(|it| is_either && is_all_of_int_or_string(&it.all_of)) {
        Some(junctors) => junctors.all_of.iter().skip(1).all(only_validates),
        None => fits_below(&schema),
    };
    fits.then_some(schema)
}

/// Sets the span of a node and of all below it.
fn place(schema: &mut Schema, origin: Origin) {
    schema.origin = origin;
    let values = match &mut schema.additional_properties {
        Some(Additional::Schema(values)) => Some(values),
        _ => None,
    };
    let below = schema.properties.values_mut().chain(&mut schema.items);
    below
        .chain(values)
        .for_each(|node| place(Arc::make_mut(node), origin));
    schema
        .branches_mut()
        .for_each(|branch| place(branch, origin));
}

/// Whether everything below a node is structural.
fn fits_below(schema: &Schema) -> bool {
    let is_whole = |node: &Schema| {
        let typed = node.ty.is_some() || node.int_or_string || node.preserve_unknown_fields;
        typed && fits_below(node)
    };
    let mut branches = schema.branches();
    schema.children().all(is_whole) && (is_int_or_string(schema) || branches.all(only_validates))
}

/// Whether a branch has only what servers allow in it.
fn only_validates(branch: &Schema) -> bool {
    let bare = Schema {
        enum_values: branch.enum_values.clone(),
        format: branch.format.clone(),
        required: branch.required.clone(),
        bounds: branch.bounds.clone(),
        properties: branch.properties.clone(),
        items: branch.items.clone(),
        junctors: branch.junctors.clone(),
        ..Schema::default()
    };
    bare == *branch
        && branch.children().all(only_validates)
        && branch.branches().all(only_validates)
}

/// Sets the validation keywords, each by its type.
fn limit(schema: &mut Schema, facets: &Facets, context: &mut Context<'_>) {
    let ty = schema.ty;
    let both = schema.int_or_string;
    let is_map = ty == Some(JsonType::Object) && schema.additional_properties.is_some();
    let text = ty == Some(JsonType::String) || both;
    let number = matches!(ty, Some(JsonType::Integer | JsonType::Number)) || both;
    if facets.min_length.is_some() || facets.max_length.is_some() {
        let (min, max) = (facets.min_length, facets.max_length);
        match ty {
            _ if text => {
                let bounds = keywords::bounds(schema);
                bounds.min_length = min.or(bounds.min_length);
                bounds.max_length = max.or(bounds.max_length);
            }
            Some(JsonType::Array) => {
                let bounds = keywords::bounds(schema);
                bounds.min_items = min.or(bounds.min_items);
                bounds.max_items = max.or(bounds.max_items);
            }
            _ if is_map => {
                let bounds = keywords::bounds(schema);
                bounds.min_properties = min.or(bounds.min_properties);
                bounds.max_properties = max.or(bounds.max_properties);
            }
            _ => misfit("length", schema, "strings, lists and maps", context),
        }
    }
    if facets.minimum.is_some() || facets.maximum.is_some() {
        if number {
            let bounds = keywords::bounds(schema);
            bounds.minimum = facets.minimum.clone().or(bounds.minimum.take());
            bounds.maximum = facets.maximum.clone().or(bounds.maximum.take());
            clean::write_whole(&mut bounds.minimum);
            clean::write_whole(&mut bounds.maximum);
        } else {
            misfit("range", schema, "numbers", context);
        }
    }
    if facets.pattern.is_some() {
        if text {
            keywords::bounds(schema).pattern.clone_from(&facets.pattern);
        } else {
            misfit("pattern", schema, "strings", context);
        }
    }
    if let Some(format) = &facets.format {
        if !text {
            misfit(format, schema, "strings", context);
        } else if formats::is_known(JsonType::String, format) {
            schema.format = Some(format.clone());
        }
    }
    if let Some(inner) = &facets.inner {
        match &mut schema.items {
            Some(items) => limit(Arc::make_mut(items), inner, context),
            None => misfit("inner", schema, "lists", context),
        }
    }
}

fn misfit(key: &str, schema: &Schema, fitting: &str, context: &mut Context<'_>) {
    let what = match schema.ty {
        Some(JsonType::Array) => "a list",
        Some(JsonType::Boolean) => "a boolean",
        Some(JsonType::Integer) => "an integer",
        Some(JsonType::Number) => "a number",
        Some(JsonType::Object) => "an object",
        Some(JsonType::String) => "a string",
        None => "a value of any type",
    };
    context.report(
        Code::InvalidAttribute,
        format!("`{key}` does not apply to {what}"),
        format!("`{key}` is for {fitting}; for anything else write a rule"),
    );
}
