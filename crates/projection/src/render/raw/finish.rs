//! Runs a raw node through all passes to a finished schema, and checks that it is structural.

use super::super::context::Context;
use super::super::kubernetes::{clean, is_int_or_string};
use super::super::{Convention, Renderer};
use super::passes::{
    replace_booleans, replace_null_and_const, replace_unevaluated, set_single_example,
    unwrap_optional,
};
use super::structural::rewrite;
use super::{Items, Raw};
use crd_channels_diagnostics::{Code, Sink};
use crd_channels_schema::{Additional, Bounds, JsonType, Junctors, Schema};
use serde_json::{Number, Value};
use std::sync::Arc;

/// A finished schema.
#[derive(Debug)]
pub(in super::super) struct Finished {
    /// The schema.
    pub schema: Schema,
    /// Whether the description may not be overridden.
    pub sticky: bool,
}

impl Renderer<'_> {
    /// Runs all passes on a node. Repairs what kube cannot make structural, or reports it if that is impossible.
    pub(in super::super) fn finish(&self, raw: Raw, context: &mut Context<'_>) -> Finished {
        if !raw.has_branches() {
            let finished = self.pass(raw, context).0;
            let schema = open_untyped(finished.schema);
            check_node(&schema, context);
            return Finished { schema, ..finished };
        }
        let mut sink = Sink::default();
        let mut aside = Context {
            sink: &mut sink,
            span: context.span,
            depth: context.depth,
        };
        let (mut finished, fits) = self.pass(raw.clone(), &mut aside);
        untitle_branches(&mut finished.schema);
        check_node(&finished.schema, &mut aside);
        if fits && !sink.has_errors() {
            context.sink.append(sink);
            return finished;
        }
        let finished = self.repair(raw, context);
        check_node(&finished.schema, context);
        finished
    }

    /// Runs all passes, and returns whether kube can too.
    fn pass(&self, mut raw: Raw, context: &mut Context<'_>) -> (Finished, bool) {
        let joined = raw.has_branches() || raw.not.is_some();
        if joined || raw.unevaluated.is_some() {
            replace_unevaluated(&mut raw);
        }
        replace_booleans(&mut raw);
        set_single_example(&mut raw);
        replace_null_and_const(&mut raw);
        let fits = rewrite(&mut raw);
        if joined {
            unwrap_optional(&mut raw);
        }
        let sticky = raw.sticky;
        let schema = self.raw_schema(raw, context);
        (Finished { schema, sticky }, fits)
    }

    /// Converts a raw node to a schema.
    pub(super) fn raw_schema(&self, raw: Raw, context: &mut Context<'_>) -> Schema {
        let Raw {
            boolean: _,
            types,
            nullable,
            values,
            constant: _,
            items,
            unevaluated: _,
            all_of,
            any_of,
            one_of,
            not,
            first_example: _,
            refused,
            sticky: _,
            mut node,
        } = raw;
        for keyword in refused {
            report_refused(keyword, context);
        }
        node.ty = types.only();
        if node.ty.is_none() && !types.is_empty() {
            context.report(
                Code::NonStructural,
                "the schema allows several types",
                "name one in `type`; for an integer or a string, set `x-kubernetes-int-or-string`",
            );
        }
        node.nullable = nullable == Some(true);
        // kube reads this into its own type, which treats `null` as absent.
        if let Some(notes) = &mut node.notes
            && notes.example == Some(Value::Null)
        {
            notes.example = None;
        }
        node.enum_values = values.unwrap_or_default();
        node.items = items.map(|items| match items {
            Items::Type(ty) => self.schema(&ty, context),
            Items::Raw(raw) => Arc::new(self.finish(*raw, context).schema),
        });
        let mut branches = |list: Option<Vec<Raw>>| -> Vec<Schema> {
            list.into_iter()
                .flatten()
                .map(|branch| self.raw_schema(branch, context))
                .collect()
        };
        let junctors = Junctors {
            all_of: branches(all_of),
            any_of: branches(any_of),
            one_of: branches(one_of),
            not: not.map(|not| Box::new(self.raw_schema(*not, context))),
        };
        if junctors != Junctors::default() {
            node.junctors = Some(Box::new(junctors));
        }
        match self.convention {
            Convention::Kube => {
                if let Some(bounds) = &mut node.bounds {
                    to_floats(bounds);
                }
                allow_null_for_int_or_string(&mut node);
            }
            Convention::Kubernetes => clean::clean_node(&mut node),
        }
        node
    }
}

/// Converts bounds to floating point numbers, as kube does.
fn to_floats(bounds: &mut Bounds) {
    for bound in [
        &mut bounds.minimum,
        &mut bounds.maximum,
        &mut bounds.multiple_of,
    ] {
        let float = bound.as_ref().and_then(Number::as_f64);
        if let Some(float) = float.and_then(Number::from_f64) {
            *bound = Some(float);
        }
    }
}

/// Lets an int-or-string be `null` unless it is required, as kube does.
fn allow_null_for_int_or_string(node: &mut Schema) {
    let Schema {
        properties,
        required,
        ..
    } = node;
    for (name, property) in properties {
        if property.int_or_string && !property.nullable && !required.contains(name) {
            Arc::make_mut(property).nullable = true;
        }
    }
}

/// Reports a refused keyword, and what to write instead.
pub(in super::super) fn report_refused(keyword: &str, context: &mut Context<'_>) {
    let help = match keyword {
        "patternProperties" => {
            "use `String` keys, and a CEL rule over the keys if they have a format"
        }
        "prefixItems" | "items: [..]" | "additionalItems" => {
            "write a struct with named fields, or `[T; N]` where all items have one type"
        }
        "uniqueItems" => "set `x-kubernetes-list-type` to `set`",
        "$ref" | "definitions" => "inline the schema where it is used",
        _ => "remove the keyword",
    };
    context.report(
        Code::NonStructural,
        format!("an API server rejects `{keyword}`"),
        help,
    );
}

/// Removes the titles of branches: they validate nothing, and servers refuse them.
fn untitle_branches(schema: &mut Schema) {
    for branch in schema.branches_mut() {
        branch.title = None;
        untitle_branches(branch);
    }
}

/// Checks what every node of a structural schema needs.
fn check_node(schema: &Schema, context: &mut Context<'_>) {
    if schema.ty.is_none() && !schema.preserve_unknown_fields && !schema.int_or_string {
        report_typeless(schema, context);
    }
    if schema.ty == Some(JsonType::Array) && schema.items.is_none() {
        context.report(
            Code::NonStructural,
            "an array needs a schema for its items",
            "name the items' type",
        );
    }
    let closed = match &schema.additional_properties {
        Some(Additional::Schema(_) | Additional::Allowed(false)) => !schema.properties.is_empty(),
        Some(Additional::Allowed(true)) | None => false,
    };
    if closed {
        context.report(
            Code::NonStructural,
            "an object has either fields or entries of one type, not both",
            "flatten a `BTreeMap<String, serde_json::Value>`, or put the map into a field of its own",
        );
    }
    if is_int_or_string(schema) {
        return;
    }
    for branch in schema.branches() {
        check_branch(branch, context);
    }
}

fn report_typeless(schema: &Schema, context: &mut Context<'_>) {
    let only_null = matches!(schema.enum_values.as_slice(), [value] if value.is_null());
    let (message, help) = if only_null {
        (
            "`null` alone is not a type of a CRD",
            "write `Variant {}` instead of `Variant`, an empty struct instead of `()`, or leave the field out",
        )
    } else {
        ("the schema has no type", "name it in `type`")
    };
    context.report(Code::NonStructural, message, help);
}

/// Preserves unknown fields if there is no type: any value is allowed, and servers require this to be explicit.
fn open_untyped(schema: Schema) -> Schema {
    let says_nothing = schema.ty.is_none()
        && !schema.int_or_string
        && schema.enum_values.is_empty()
        && schema.properties.is_empty()
        && schema.items.is_none()
        && schema.additional_properties.is_none()
        && schema.junctors.is_none();
    Schema {
        preserve_unknown_fields: schema.preserve_unknown_fields || says_nothing,
        ..schema
    }
}

/// Checks that a schema below a junctor only validates values.
fn check_branch(branch: &Schema, context: &mut Context<'_>) {
    if let Some(keyword) = beyond_checks(branch) {
        context.report(
            Code::NonStructural,
            format!("`{keyword}` is inside `allOf`, `anyOf`, `oneOf` or `not`, where an API server rejects it"),
            "flatten at most one enum into a struct, and nest enums as fields rather than as variants",
        );
        return;
    }
    for inner in branch.branches() {
        check_branch(inner, context);
    }
    for property in branch.properties.values() {
        check_branch(property, context);
    }
    if let Some(items) = &branch.items {
        check_branch(items, context);
    }
}

/// Returns the first keyword that does more than validate.
pub(super) fn beyond_checks(branch: &Schema) -> Option<&'static str> {
    let Schema {
        ty,
        format: _,
        title,
        description,
        nullable,
        default,
        enum_values: _,
        properties: _,
        required: _,
        additional_properties,
        items: _,
        bounds: _,
        junctors: _,
        merge,
        notes: _,
        rules,
        embedded_resource,
        int_or_string,
        preserve_unknown_fields,
        origin: _,
        levels: _,
        keys: _,
    } = branch;
    let closed = matches!(
        additional_properties,
        None | Some(Additional::Allowed(false))
    );
    [
        (ty.is_some(), "type"),
        (title.is_some(), "title"),
        (description.is_some(), "description"),
        (*nullable, "nullable"),
        (default.is_some(), "default"),
        (!closed, "additionalProperties"),
        (merge.is_some(), "x-kubernetes-list-type"),
        (!rules.is_empty(), "x-kubernetes-validations"),
        (*embedded_resource, "x-kubernetes-embedded-resource"),
        (*int_or_string, "x-kubernetes-int-or-string"),
        (
            *preserve_unknown_fields,
            "x-kubernetes-preserve-unknown-fields",
        ),
    ]
    .into_iter()
    .find_map(|(present, keyword)| present.then_some(keyword))
}
