//! kube's rewriting of enums: what branches say of properties, types and values moves up to the node.

use super::super::context::Context;
use super::{Raw, Types};
use crate::Text;
use crate::diag::{Code, Diagnostic};
use crate::schema::{Additional, Schema};
use std::sync::Arc;

/// Rewrites a node and the branches in it.
pub(super) fn rewrite(raw: &mut Raw, context: &mut Context<'_>) {
    for branch in raw.branches_mut() {
        rewrite(branch, context);
    }
    if let Some(not) = &mut raw.not {
        rewrite(not, context);
    }
    if let Some(mut branches) = raw.one_of.take() {
        hoist_properties(raw, &mut branches, true, context);
        hoist_values(raw, &mut branches, context);
        raw.one_of = (!branches.is_empty()).then_some(branches);
    }
    if let Some(mut branches) = raw.any_of.take() {
        hoist_properties(raw, &mut branches, false, context);
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
}

/// Whether a node says anything about objects.
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

/// Whether a node says anything about arrays.
fn says_array(raw: &Raw) -> bool {
    let bounded = raw
        .node
        .bounds
        .as_ref()
        .is_some_and(|bounds| bounds.min_items.is_some() || bounds.max_items.is_some());
    bounded || raw.items.is_some() || raw.refused.contains(&"prefixItems")
}

fn hoist_properties(
    raw: &mut Raw,
    branches: &mut [Raw],
    keep_description: bool,
    context: &mut Context<'_>,
) {
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
                insert(raw, branch, name, property, context);
            }
            branch.node.additional_properties = None;
            let ty = std::mem::take(&mut branch.types);
            hoist_type(raw, branch, ty, context);
        } else if branch.values.is_none()
            && branch.any_of.is_none()
            && branch.one_of.is_none()
            && !says_array(branch)
        {
            branch.types = Types::default();
            branch.node.description = None;
            branch.node.default = None;
        }
    }
}

fn insert(
    raw: &mut Raw,
    branch: &Raw,
    name: Text,
    property: Arc<Schema>,
    context: &mut Context<'_>,
) {
    let Some(known) = raw.node.properties.get(&name) else {
        raw.node.properties.insert(name, property);
        return;
    };
    if *known == property {
        return;
    }
    let is_tag = known.enum_values.len() == 1 && property.enum_values.len() == 1;
    let help = if is_tag {
        "tag the enum from outside, or set `conventions = \"kubernetes\"` in `channels/bundle.toml`"
            .to_owned()
    } else {
        format!("rename one `{name}`, or make both alike, documentation included")
    };
    let mut finding = Diagnostic::new(
        Code::PropertyConflict,
        branch.node.origin.0.or(context.span),
        format!("this variant gives the property `{name}` another schema than a variant before it"),
    )
    .with_help(help);
    if let Some(span) = known.origin.0 {
        finding = finding.with_label(span, "the first schema comes from here");
    }
    context.sink.push(finding);
}

fn hoist_type(raw: &mut Raw, branch: &Raw, ty: Types, context: &mut Context<'_>) {
    if raw.types.is_empty() {
        raw.types = ty;
    } else if !ty.is_empty() && ty != raw.types {
        report_mixed(branch, context);
    }
}

fn hoist_values(raw: &mut Raw, branches: &mut Vec<Raw>, context: &mut Context<'_>) {
    branches.retain_mut(|branch| {
        let Some(values) = branch.values.take() else {
            return true;
        };
        hoist_type(raw, branch, branch.types, context);
        raw.values.get_or_insert_default().extend(values);
        false
    });
}

fn report_mixed(branch: &Raw, context: &mut Context<'_>) {
    context.sink.push(
        Diagnostic::new(
            Code::NonStructural,
            branch.node.origin.0.or(context.span),
            "this variant has another JSON type than a variant before it",
        )
        .with_help(
            "give every variant the same type: where some carry data, write `Variant {}` in place of `Variant`",
        ),
    );
}
