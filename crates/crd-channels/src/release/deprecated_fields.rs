//! The policy that warns of new uses of deprecated fields: those whose descriptions say so.

use super::policy::{Action, Bundle, Channel, bound, of_kind};
use super::way::{self, Way};
use crd_channels_schema::{Crd, Version, deprecation};
use serde_json::{Value, json};

/// The first part of the policy's name.
pub const NAME: &str = "deprecated-fields";

/// Returns the policy and its binding; `None` if no field of the channel is deprecated.
pub(super) fn write(bundle: Bundle<'_>, channel: &Channel) -> Option<[Value; 2]> {
    let (mut rules, mut variables, mut validations) = (Vec::new(), Vec::new(), Vec::new());
    for published in bundle.crds(channel) {
        let crd = &published.crd;
        let mut versions: Vec<&str> = Vec::new();
        for version in &crd.versions {
            let fields = fields(version);
            if !fields.is_empty() {
                versions.push(&version.name);
            }
            for DeprecatedField { uses, message } in fields {
                let variable = format!("uses{}", variables.len());
                validations.push(validation(&variable, crd, version, &message));
                variables.push(json!({
                    "name": variable,
                    "expression": format!("[oldObject, object].map(o, o == null ? [] : {uses})"),
                }));
            }
        }
        if !versions.is_empty() {
            rules.push(json!({
                "apiGroups": [&*crd.group],
                "apiVersions": versions,
                "operations": ["CREATE", "UPDATE"],
                "resources": [&*crd.names.plural],
            }));
        }
    }
    if rules.is_empty() {
        return None;
    }
    let spec = json!({
        // It never refuses anything, even if it cannot be evaluated.
        "failurePolicy": "Ignore",
        // Users are warned of what they write.
        "matchConstraints": {"matchPolicy": "Exact", "resourceRules": rules},
        "variables": variables,
        "validations": validations,
    });
    Some(bound(bundle, channel, NAME, spec, Action::Warn))
}

/// A deprecated field.
struct DeprecatedField {
    /// A CEL expression: a list with what an object `o` has there; empty if the field is absent.
    uses: String,
    /// The warning.
    message: String,
}

fn fields(version: &Version) -> Vec<DeprecatedField> {
    let mut found = Vec::new();
    let Some(schema) = version.schema.as_deref() else {
        return found;
    };
    way::walk(version, schema, None, &mut |schema, _, way| {
        // The whole object has the description of its kind.
        let description = schema.description.as_deref().filter(|_| way.is_below());
        let instead = description.and_then(deprecation);
        found.extend(instead.map(|instead| DeprecatedField {
            uses: uses(way),
            message: format!("{} is deprecated: {instead}", way.path),
        }));
        true
    });
    found
}

/// In lists and maps it only counts whether the field is used: most lists have no keys, so CEL cannot tell which item was which.
fn uses(way: &Way) -> String {
    let value = match way.depth {
        0 => way.value(),
        _ => "true",
    };
    format!("{} ? [{value}] : []", way.holds("true"))
}

/// An object may keep what it has.
fn validation(variable: &str, crd: &Crd, version: &Version, message: &str) -> Value {
    let of_kind = of_kind(crd, version);
    let uses = format!("variables.{variable}");
    json!({
        "expression": format!("!({of_kind}) || {uses}[1] == [] || {uses}[1] == {uses}[0]"),
        "message": message,
    })
}
