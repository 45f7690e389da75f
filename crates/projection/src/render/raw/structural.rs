//! kube's rewriting of enums: moves properties, types and values from branches up to the node.

use super::{Raw, Types};
use crd_channels_diagnostics::Text;
use crd_channels_schema::{Additional, Schema};
use std::sync::Arc;

/// Rewrites a node and its branches. Returns false if kube panics because two branches conflict.
pub(super) fn rewrite(raw: &mut Raw) -> bool {
    let mut fits = true;
    for branch in raw.branches_mut() {
        fits &= rewrite(branch);
    }
    if let Some(not) = &mut raw.not {
        fits &= rewrite(not);
    }
    if let Some(mut branches) = raw.one_of.take() {
        fits &= hoist_properties(raw, &mut branches, true);
        fits &= hoist_values(raw, &mut branches);
        raw.one_of = (!branches.is_empty()).then_some(branches);
    }
    if let Some(mut branches) = raw.any_of.take() {
        fits &= hoist_properties(raw, &mut branches, false);
        raw.any_of = Some(branches);
    }
    let node = &mut raw.node;
    if !node.properties.is_empty() {
        match node.additional_properties {
            Some(Additional::Allowed(true)) => {
                node.additional_properties = None;
                node.preserve_unknown_fields = true;
            }
            Some(Additional::Allowed(false)) => node.additional_properties = None,
            Some(Additional::Schema(_)) | None => {}
        }
    }
    node.required.sort();
    node.required.dedup();
    fits
}

/// Returns true if a node has keywords for objects.
fn says_object(raw: &Raw) -> bool {
    let node = &raw.node;
    let bounded = node
        .bounds
        .as_ref()
        .is_some_and(|bounds| bounds.min_properties.is_some() || bounds.max_properties.is_some());
    bounded
        || !node.properties.is_empty()
        || !node.required.is_empty()
        || node.additional_properties.is_some()
        || raw.refused.contains(&"patternProperties")
}

/// Returns true if a node has keywords for arrays.
fn says_array(raw: &Raw) -> bool {
    let bounded = raw
        .node
        .bounds
        .as_ref()
        .is_some_and(|bounds| bounds.min_items.is_some() || bounds.max_items.is_some());
    bounded || raw.items.is_some() || raw.refused.contains(&"prefixItems")
}

/// Returns true if a node has keywords for objects once those of its alternatives are moved up, which drops its documentation
/// where it is an alternative itself.
pub(super) fn becomes_object(raw: &Raw) -> bool {
    let mut branches = [&raw.any_of, &raw.one_of].into_iter().flatten().flatten();
    says_object(raw) || branches.any(becomes_object)
}

/// Returns true if kube keeps the documentation of a branch of `anyOf` in its place.
pub(super) fn keeps_description(branch: &Raw) -> bool {
    let has_alternatives = branch.any_of.is_some() || branch.one_of.is_some();
    !says_object(branch) && (branch.values.is_some() || has_alternatives || says_array(branch))
}

fn hoist_properties(raw: &mut Raw, branches: &mut [Raw], keep_description: bool) -> bool {
    let mut fits = true;
    for branch in branches {
        if says_object(branch) {
            let description = branch.node.description.take();
            let mut properties = std::mem::take(&mut branch.node.properties);
            let alone = properties.len() == 1;
            if let Some(description) = description.filter(|_| alone && keep_description)
                && !branch.sticky
                && let Some(property) = properties.values_mut().next()
            {
                Arc::make_mut(property).description = Some(description);
            }
            for (name, property) in properties {
                fits &= insert(raw, name, property);
            }
            branch.node.additional_properties = None;
            let ty = std::mem::take(&mut branch.types);
            fits &= hoist_type(raw, ty);
        } else if !keeps_description(branch) {
            branch.types = Types::default();
            branch.node.description = None;
            branch.node.default = None;
        }
    }
    fits
}

/// Adds a property; returns false if it conflicts with an existing one.
fn insert(raw: &mut Raw, name: Text, property: Arc<Schema>) -> bool {
    let known = raw
        .node
        .properties
        .entry(name)
        .or_insert_with(|| property.clone());
    *known == property
}

fn hoist_type(raw: &mut Raw, ty: Types) -> bool {
    if raw.types.is_empty() {
        raw.types = ty;
    }
    ty.is_empty() || ty == raw.types
}

fn hoist_values(raw: &mut Raw, branches: &mut Vec<Raw>) -> bool {
    let mut fits = true;
    branches.retain_mut(|branch| {
        let Some(values) = branch.values.take() else {
            return true;
        };
        fits &= hoist_type(raw, branch.types);
        raw.values.get_or_insert_default().extend(values);
        false
    });
    fits
}
