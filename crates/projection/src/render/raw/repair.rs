//! Repairs what kube cannot make structural if the meaning is clear: alternatives with different schemas for one property, or
//! values of different types.

use super::super::Renderer;
use super::super::common::anything;
use super::super::context::Context;
use super::super::kubernetes::{all_of, both, scalars, union};
use super::finish::{Finished, beyond_checks};
use super::passes::{
    optional, replace_booleans, replace_null_and_const, set_single_example, unwrap_optional,
};
use super::structural::becomes_object;
use super::{Raw, Types};
use crd_channels_diagnostics::{Code, Text};
use crd_channels_schema::{Additional, Bounds, JsonType, Junctors, Schema};
use std::collections::BTreeSet;
use std::sync::Arc;

/// One alternative of a value.
enum Part {
    /// Any value.
    Anything,
    /// Only `null`.
    Null,
    /// Checks of values whose type is written elsewhere.
    Checks(Box<Schema>),
    /// Values that this schema allows.
    Finished(Box<Schema>),
}

impl Renderer<'_> {
    /// Returns the node with its alternatives merged into it: one object with all properties, and below the junctor only what
    /// distinguishes the alternatives. Reports what has no such form.
    pub(super) fn repair(&self, mut raw: Raw, context: &mut Context<'_>) -> Finished {
        replace_booleans(&mut raw);
        set_single_example(&mut raw);
        replace_null_and_const(&mut raw);
        if let Some(inner) = optional(&mut raw).filter(|inner| becomes_object(inner)) {
            inner.node.description = None;
        }
        unwrap_optional(&mut raw);
        let sticky = raw.sticky;
        if raw.unevaluated.take().is_some_and(|rest| is_open(&rest)) {
            raw.node.preserve_unknown_fields = true;
        }
        if !raw.node.properties.is_empty() || raw.has_branches() {
            let rest = raw.node.additional_properties.take();
            raw.node.preserve_unknown_fields |= rest.is_some_and(|rest| is_open(&rest));
        }
        let [all_of, any_of, one_of] =
            [&mut raw.all_of, &mut raw.any_of, &mut raw.one_of].map(Option::take);
        let mut schema = self.raw_schema(raw, context);
        let mut checks = Vec::new();
        for branch in all_of.into_iter().flatten() {
            let mut context = at_branch(&branch, context);
            match self.part(branch, &mut context) {
                Part::Anything | Part::Null => {}
                Part::Checks(part) => checks.push(*part),
                Part::Finished(part) => conjoin(&mut schema, *part, &mut context),
            }
        }
        if !checks.is_empty() {
            both(
                &mut schema,
                &Junctors {
                    all_of: checks,
                    ..Junctors::default()
                },
            );
        }
        for (branches, unique) in [(any_of, false), (one_of, true)] {
            if let Some(branches) = branches {
                let object = schema.ty == Some(JsonType::Object);
                let joined = self.any_branch(branches, unique, object, context);
                conjoin(&mut schema, joined, context);
            }
        }
        Finished { schema, sticky }
    }

    fn part(&self, mut branch: Raw, context: &mut Context<'_>) -> Part {
        branch.node.title = None;
        let alone = branch.node.properties.len() == 1 && !branch.sticky;
        let description = branch.node.description.take();
        let origin = std::mem::take(&mut branch.node.origin);
        if branch == Raw::default() {
            return Part::Anything;
        }
        if let Some(values) = &branch.values
            && branch.types == Types::default()
            && values.iter().all(serde_json::Value::is_null)
        {
            return Part::Null;
        }
        if only_checks(&branch) {
            return Part::Checks(Box::new(self.raw_schema(branch, context)));
        }
        branch.node.origin = origin;
        let mut schema = self.finish(branch, context).schema;
        if alone
            && description.is_some()
            && let Some(property) = schema.properties.values_mut().next()
        {
            Arc::make_mut(property).description = description;
        }
        Part::Finished(Box::new(schema))
    }

    /// Merges the branches as alternatives. If the node is an object, they come from a flattened field.
    fn any_branch(
        &self,
        branches: Vec<Raw>,
        unique: bool,
        object: bool,
        context: &mut Context<'_>,
    ) -> Schema {
        let (mut parts, mut checks) = (Vec::new(), Vec::new());
        let (mut nullable, mut optional) = (false, false);
        // Names of which all are skipped are none.
        let some = |branch: &Raw| branch.values.as_ref().is_none_or(|names| !names.is_empty());
        for branch in branches.into_iter().filter(some) {
            let mut context = at_branch(&branch, context);
            match self.part(branch, &mut context) {
                Part::Anything => optional = true,
                Part::Null => nullable = true,
                Part::Checks(part) => checks.push(*part),
                Part::Finished(part) => {
                    nullable |= part.nullable;
                    let nullable = false;
                    parts.push(Schema { nullable, ..*part });
                }
            }
        }
        if optional && !object {
            return anything();
        }
        let mut joined = match parts.is_empty() {
            true => Schema {
                junctors: Some(Box::new(alternatives(checks, unique))),
                ..Schema::default()
            },
            false => {
                // Beside schemas with a type, one without allows values of any.
                parts.extend(checks.into_iter().map(|checks| Schema {
                    preserve_unknown_fields: true,
                    ..checks
                }));
                join(parts, unique, context)
            }
        };
        if optional {
            make_optional(&mut joined, context);
        }
        // An object is never null, whatever is flattened into it.
        joined.nullable |= nullable && !object;
        joined
    }
}

/// Returns true if a branch only has checks, of which no type follows.
fn only_checks(branch: &Raw) -> bool {
    let Raw {
        boolean: None,
        types,
        nullable: None,
        values: None,
        constant: None,
        items: None,
        unevaluated: None,
        all_of,
        any_of,
        one_of,
        not,
        first_example: None,
        refused,
        sticky: _,
        node,
    } = branch
    else {
        return false;
    };
    let mut inner = [all_of, any_of, one_of].into_iter().flatten().flatten();
    types.is_empty()
        && refused.is_empty()
        && node.properties.is_empty()
        && node.additional_properties.is_none()
        && node.notes.is_none()
        && beyond_checks(node).is_none()
        && not.as_deref().is_none_or(only_checks)
        && inner.all(only_checks)
}

/// Returns the context at the span of a branch.
fn at_branch<'c>(branch: &Raw, context: &'c mut Context<'_>) -> Context<'c> {
    let span = branch.node.origin.0.or(context.span);
    Context {
        sink: &mut *context.sink,
        span,
        depth: context.depth,
    }
}

/// Returns true if fields without a declared name are allowed.
fn is_open(rest: &Additional) -> bool {
    !matches!(rest, Additional::Allowed(false))
}

/// Merges all parts into one schema; checks that distinguish them go below a junctor.
fn join(parts: Vec<Schema>, unique: bool, context: &mut Context<'_>) -> Schema {
    if let Some((first, rest)) = parts.split_first()
        && rest.iter().all(|part| union::alike(first, part))
    {
        return first.clone();
    }
    if all_of(&parts, &[JsonType::Object]) {
        return objects(parts, unique, context);
    }
    let is_any = |part: &Schema| part.ty.is_none() && part.preserve_unknown_fields;
    if parts.iter().any(is_any) {
        return anything();
    }
    if let Some(schema) = scalars(&parts) {
        return schema;
    }
    let object = |part: &Schema| part.ty == Some(JsonType::Object);
    if parts.iter().all(|part| has_names(part) || object(part)) {
        let (names, carried) = parts.into_iter().partition(has_names);
        return names_or_objects(names, carried, unique, context);
    }
    context.report(
        Code::NonStructural,
        "the variants of this untagged enum have no type in common",
        "use `IntOrString` for an integer or a string, else a tagged enum",
    );
    anything()
}

/// Merges names and objects, which have no common type. Keywords ignore values of other types: `pattern` checks the names and
/// the others check the objects; numbers, booleans and lists pass.
fn names_or_objects(
    names: Vec<Schema>,
    carried: Vec<Schema>,
    unique: bool,
    context: &mut Context<'_>,
) -> Schema {
    let names: Vec<String> = names
        .iter()
        .flat_map(|part| &part.enum_values)
        .filter_map(|name| name.as_str().map(quoted))
        .collect();
    // With `oneOf`, a name would match all objects.
    let mut joined = objects(carried, false, context);
    let bounds: &mut Bounds = joined.bounds.get_or_insert_default();
    bounds.pattern = Some(format!("^({})$", names.join("|")).into());
    if unique && joined.properties.len() > 1 {
        bounds.max_properties = Some(1);
    }
    Schema {
        ty: None,
        preserve_unknown_fields: true,
        ..joined
    }
}

/// Returns a regular expression that matches only this name.
fn quoted(name: &str) -> String {
    let mut quoted = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_ascii_punctuation() && c != '_' {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted
}

/// Merges the properties of objects, and checks what each of the objects requires.
fn objects(parts: Vec<Schema>, unique: bool, context: &mut Context<'_>) -> Schema {
    let mut joined = Schema {
        ty: Some(JsonType::Object),
        ..Schema::default()
    };
    for part in &parts {
        let stated = [
            (part.default.is_some(), "default"),
            (part.embedded_resource, "x-kubernetes-embedded-resource"),
        ];
        for (_, keyword) in stated.into_iter().filter(|(is_stated, _)| *is_stated) {
            context.report(
                Code::NonStructural,
                format!("`{keyword}` of one variant would apply to all"),
                "write it on the enum, or on the field that has it",
            );
        }
        if !part.rules.is_empty() {
            context.report(
                Code::NonStructural,
                "the rules of this type would apply to all variants",
                "write them on the enum, guarded by a condition that distinguishes the variants",
            );
        }
        widen(&mut joined, part, context);
    }
    let mut checks: Vec<Schema> = parts.iter().map(|part| narrow(part, &joined)).collect();
    joined.required = common(&checks);
    for checks in &mut checks {
        checks
            .required
            .retain(|name| !joined.required.contains(name));
    }
    // A part without checks accepts every object, so the other parts need no checks.
    if checks.contains(&Schema::default()) || checks.iter().all(only_names) {
        return joined;
    }
    joined.junctors = Some(Box::new(alternatives(checks, unique)));
    joined
}

fn alternatives(checks: Vec<Schema>, unique: bool) -> Junctors {
    let mut junctors = Junctors::default();
    match unique {
        true => junctors.one_of = checks,
        false => junctors.any_of = checks,
    }
    junctors
}

/// Returns true if checks only name the alternative, which the property's own values do as well.
fn only_names(checks: &Schema) -> bool {
    let alone = Schema {
        properties: checks.properties.clone(),
        ..Schema::default()
    };
    let named = |property: &Arc<Schema>| !property.enum_values.is_empty();
    *checks == alone && checks.properties.len() == 1 && checks.properties.values().all(named)
}

/// Adds the fields of another object.
fn widen(joined: &mut Schema, part: &Schema, context: &mut Context<'_>) {
    joined.preserve_unknown_fields |=
        part.preserve_unknown_fields || part.additional_properties.as_ref().is_some_and(is_open);
    for (name, property) in &part.properties {
        let Some(known) = joined.properties.get_mut(name) else {
            joined.properties.insert(name.clone(), property.clone());
            continue;
        };
        if union::alike(known, property) {
            continue;
        }
        if has_names(known) && has_names(property) && union::alike(&bare(known), &bare(property)) {
            let known = Arc::make_mut(known);
            for value in &property.enum_values {
                if !known.enum_values.contains(value) {
                    known.enum_values.push(value.clone());
                }
            }
        } else if has_fields(known) && has_fields(property) {
            let known = Arc::make_mut(known);
            *known = Schema {
                title: None,
                description: None,
                ..loose(known)
            };
            widen(known, property, context);
        } else {
            union::insert(&mut joined.properties, name, property.clone(), context);
        }
    }
}

/// Returns an object's fields, without its checks.
fn loose(schema: &Schema) -> Schema {
    Schema {
        required: Vec::new(),
        bounds: None,
        junctors: None,
        ..schema.clone()
    }
}

/// Returns the checks of an object that remain if its fields are in a wider one.
fn narrow(part: &Schema, joined: &Schema) -> Schema {
    let mut checks = Schema {
        required: part.required.clone(),
        bounds: part.bounds.clone(),
        junctors: part.junctors.clone(),
        ..Schema::default()
    };
    for (name, property) in &part.properties {
        let Some(wider) = joined.properties.get(name) else {
            continue;
        };
        if union::alike(wider, property) {
            continue;
        }
        let inner = if has_names(property) {
            Schema {
                enum_values: property.enum_values.clone(),
                ..Schema::default()
            }
        } else {
            narrow(property, wider)
        };
        if inner != Schema::default() {
            checks.properties.insert(name.clone(), Arc::new(inner));
        }
    }
    checks
}

/// Returns true for a string with a list of values.
fn has_names(schema: &Schema) -> bool {
    schema.ty == Some(JsonType::String) && !schema.enum_values.is_empty()
}

fn bare(schema: &Schema) -> Schema {
    Schema {
        enum_values: Vec::new(),
        ..schema.clone()
    }
}

fn has_fields(schema: &Schema) -> bool {
    schema.ty == Some(JsonType::Object)
        && schema.additional_properties.is_none()
        && schema.rules.is_empty()
        && schema.default.is_none()
        && !schema.nullable
}

/// Returns the fields that every part requires.
fn common(checks: &[Schema]) -> Vec<Text> {
    let mut required: Option<BTreeSet<&Text>> = None;
    for part in checks {
        let names: BTreeSet<&Text> = part.required.iter().collect();
        required = Some(match required {
            None => names,
            Some(known) => known.intersection(&names).copied().collect(),
        });
    }
    required.into_iter().flatten().cloned().collect()
}

/// Removes the checks of an optional flattened value, and reports its rules: they hold only if it is present, which its fields
/// alone do not show.
fn make_optional(schema: &mut Schema, context: &mut Context<'_>) {
    if !schema.rules.is_empty() {
        context.report(
            Code::NonStructural,
            "the rules of this type would also apply where the optional, flattened value is absent",
            "write them on the struct around it, guarded by `has(..)`",
        );
    }
    *schema = loose(schema);
}

/// Restricts a node to what another one allows too.
fn conjoin(schema: &mut Schema, part: Schema, context: &mut Context<'_>) {
    let objects = |schema: &Schema| !schema.properties.is_empty();
    if schema.ty.is_some() && part.ty.is_some() && schema.ty != part.ty
        || objects(schema)
            && part.ty.is_none()
            && !part.preserve_unknown_fields
            && part.junctors.is_none()
    {
        // A missing type has been reported already.
        if part.ty.is_some() {
            context.report(
                Code::NonStructural,
                "only a type that is serialized as an object can be flattened",
                "use it as a field of its own; in an enum, write `Variant {}` instead of `Variant`",
            );
        }
        return;
    }
    schema.ty = schema.ty.or(part.ty);
    for (name, property) in part.properties {
        union::insert(&mut schema.properties, &name, property, context);
    }
    schema.required.extend(part.required);
    schema.required.sort();
    schema.required.dedup();
    schema.nullable |= part.nullable;
    schema.int_or_string |= part.int_or_string;
    schema.preserve_unknown_fields |=
        part.preserve_unknown_fields || part.additional_properties.as_ref().is_some_and(is_open);
    schema.rules.extend(part.rules);
    schema.format = schema.format.take().or(part.format);
    schema.items = schema.items.take().or(part.items);
    if schema.enum_values.is_empty() {
        schema.enum_values = part.enum_values;
    }
    if let Some(bounds) = part.bounds {
        let known: &mut Bounds = schema.bounds.get_or_insert_default();
        if *known == Bounds::default() {
            *known = *bounds;
        } else if *known != *bounds {
            let more = Schema {
                bounds: Some(bounds),
                ..Schema::default()
            };
            let junctors = Junctors {
                all_of: vec![more],
                ..Junctors::default()
            };
            both(schema, &junctors);
        }
    }
    if let Some(junctors) = &part.junctors {
        both(schema, junctors);
    }
}
