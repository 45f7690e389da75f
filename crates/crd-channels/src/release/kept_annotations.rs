//! The policy for the annotations in which a conversion webhook keeps what a version lacks: only the webhook writes them.
//!
//! A server converts the old and the new object to the version of the request before it asks, so what a client sends back as it
//! read it is equal. Creation is not refused, because a backup restores objects with their annotations.

use super::policy::{Action, Bundle, Channel, bound, quoted};
use crd_channels_schema::{Conversion, Crd};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The first part of the policy's name.
pub const NAME: &str = "conversion-kept";

/// The name of the annotations after the group: that of the first format, and the beginning of all others.
const ANNOTATION: &str = "conversion-kept";

/// Returns the policy and its binding; `None` if no kind of the channel has a webhook that converts it.
pub(super) fn write(bundle: Bundle<'_>, channel: &Channel) -> Option<[Value; 2]> {
    let mut plurals: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for published in bundle.crds(channel) {
        let crd = &published.crd;
        if is_converted(crd) {
            let kinds = plurals.entry(&crd.group).or_default();
            kinds.push(&crd.names.plural);
        }
    }
    if plurals.is_empty() {
        return None;
    }
    let rules = plurals.iter().map(|(group, plurals)| {
        json!({
            "apiGroups": [group],
            "apiVersions": ["*"],
            "operations": ["UPDATE"],
            // A write of `/status` or `/scale` leaves the annotations of an object as they are.
            "resources": plurals,
        })
    });
    let rules: Vec<Value> = rules.collect();
    let spec = json!({
        "failurePolicy": "Fail",
        // Each version has annotations of its own.
        "matchConstraints": {"matchPolicy": "Exact", "resourceRules": rules},
        "variables": variables(),
        "validations": [{
            "expression": "variables.written.size() == 0",
            // Servers iterate over maps in any order; the first name in alphabetical order is always the same.
            "messageExpression": format!("\"the annotation \" + variables.written.min() + {}", quoted(HELP)),
            "message": format!("an annotation{HELP}"),
            "reason": "Forbidden",
        }],
    });
    Some(bound(bundle, channel, NAME, spec, Action::Deny))
}

const HELP: &str = " may not be added or changed, since the conversion webhook keeps fields of another version in it. Read the object again and send the annotation back as it is, or remove it; to change the fields, write the object in the version that has them";

fn is_converted(crd: &Crd) -> bool {
    matches!(crd.conversion, Conversion::Webhook(_)) && crd.versions.len() > 1
}

/// Lists have the old value first.
fn variables() -> Value {
    let variable = |name: &str, expression: &str| json!({"name": name, "expression": expression});
    let name = format!(
        "object.apiVersion.split(\"/\")[0] + {}",
        quoted(&format!("/{ANNOTATION}"))
    );
    json!([
        variable("name", &name),
        variable(
            "annotations",
            "[oldObject, object].map(o, has(o.metadata.annotations) ? o.metadata.annotations : {})",
        ),
        variable(
            "changed",
            "variables.annotations[1].filter(k, (k == variables.name || k.startsWith(variables.name + \".\")) && !(k in variables.annotations[0] && variables.annotations[0][k] == variables.annotations[1][k]))",
        ),
        // A server-side apply may change the annotations without writing them: the server removes, in another version, what
        // the manager no longer applies, and the webhook converts the rest anew. No manager owns such a change, while a client owns
        // every annotation that it writes. Without managed fields there was no apply.
        variable(
            "managers",
            "has(object.metadata.managedFields) ? object.metadata.managedFields : []",
        ),
        variable(
            "written",
            "variables.changed.filter(k, variables.managers.size() == 0 || variables.managers.exists(m, m.apiVersion == object.apiVersion && has(m.fieldsV1) && \"f:metadata\" in m.fieldsV1 && \"f:annotations\" in m.fieldsV1[\"f:metadata\"] && \"f:\" + k in m.fieldsV1[\"f:metadata\"][\"f:annotations\"]))",
        ),
    ])
}
