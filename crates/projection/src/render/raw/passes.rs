//! Passes on raw nodes: schemars' for OpenAPI 3, and kube's for optional values.

use super::super::keywords;
use super::structural::keeps_description;
use super::{Raw, Types};
use crd_channels_diagnostics::Text;
use crd_channels_schema::Schema;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Replaces `unevaluatedProperties` with `additionalProperties`; declares the properties that branches name.
pub(super) fn replace_unevaluated(raw: &mut Raw) {
    raw.branches_mut().for_each(replace_unevaluated);
    let Some(unevaluated) = raw.unevaluated.take() else {
        return;
    };
    raw.node.additional_properties = Some(unevaluated);
    let mut names = BTreeSet::new();
    for branch in raw.branches_mut() {
        gather(branch, &mut names);
    }
    for name in names {
        raw.node
            .properties
            .entry(name)
            .or_insert_with(|| Arc::new(Schema::default()));
    }
}

fn gather(raw: &mut Raw, names: &mut BTreeSet<Text>) {
    names.extend(raw.node.properties.keys().cloned());
    for branch in raw.branches_mut() {
        gather(branch, names);
    }
}

/// Replaces `true` with `{}` and `false` with `{not: {}}`.
pub(super) fn replace_booleans(raw: &mut Raw) {
    raw.object();
    raw.branches_mut().for_each(replace_booleans);
    if let Some(not) = &mut raw.not {
        replace_booleans(not);
    }
}

/// Replaces `examples` with the first of them as `example`.
pub(super) fn set_single_example(raw: &mut Raw) {
    if let Some(example) = raw.first_example.take() {
        keywords::notes(&mut raw.node).example = Some(example);
    }
    raw.branches_mut().for_each(set_single_example);
    if let Some(not) = &mut raw.not {
        set_single_example(not);
    }
}

/// Replaces `null` among the types with `nullable`, and `const` with an `enum` of one.
pub(super) fn replace_null_and_const(raw: &mut Raw) {
    if raw.types.has(Types::NULL) {
        raw.nullable = Some(true);
        if raw.types == Types::NULL {
            raw.constant = Some(Value::Null);
        }
        raw.types = raw.types.without_null();
    }
    if let Some(value) = raw.constant.take() {
        raw.values = Some(vec![value]);
    }
    raw.branches_mut().for_each(replace_null_and_const);
    if let Some(not) = &mut raw.not {
        replace_null_and_const(not);
    }
}

/// Replaces `anyOf` of a schema and `null` with that schema, overlaid on the node, and `nullable`.
pub(super) fn unwrap_optional(raw: &mut Raw) {
    raw.branches_mut().for_each(unwrap_optional);
    if let Some(not) = &mut raw.not {
        unwrap_optional(not);
    }
    if optional(raw).is_none() {
        return;
    }
    let Some(mut first) = raw.any_of.take().and_then(|any| any.into_iter().next()) else {
        return;
    };
    if !keeps_description(&first) {
        first.node.description = None;
    }
    let sticky = first.node.description.is_some();
    raw.cover(first);
    raw.nullable = Some(true);
    raw.sticky |= sticky;
}

/// Returns the schema of `anyOf` if the other one is `null`.
pub(super) fn optional(raw: &mut Raw) -> Option<&mut Raw> {
    match raw.any_of.as_deref_mut() {
        Some([first, second]) if first.nullable.is_none() && is_null(second) => Some(first),
        _ => None,
    }
}

fn is_null(raw: &Raw) -> bool {
    raw.nullable == Some(true) && matches!(raw.values.as_deref(), Some([Value::Null]))
}
