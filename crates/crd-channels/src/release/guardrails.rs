//! The policy for objects: using something experimental requires an annotation. It is derived from the published CRDs:
//! everything that the stable channel of the same bundle lacks is experimental.

use super::policy::{Action, Bundle, Channel, bound, of_kind, quoted};
use super::stable_bounds::{StableBound, stable_bounds};
use super::way::{self, Way};
use crd_channels_compat::Channel as Promise;
use crd_channels_schema::{Crd, Schema, Version};
use serde_json::{Value, json};

/// The name of the annotation that opts in, after the prefix.
pub const ANNOTATION: &str = "experimental";

/// The value of the annotation.
pub const ALLOWED: &str = "allowed";

/// An experimental field, or an experimental value of one.
struct ExperimentalField {
    /// Its field path, such as `spec.rules[].timeouts`.
    path: String,
    /// A CEL expression: whether an object `o` uses it.
    used: String,
}

/// Returns the policy and its binding; `None` if nothing is experimental.
pub(super) fn write(bundle: Bundle<'_>, channel: &Channel) -> Option<[Value; 2]> {
    let stable = bundle.set.channel(Promise::Stable)?;
    let experimental = bundle.set.channel(Promise::Experimental)?;
    let key = quoted(&format!("{}/{ANNOTATION}", bundle.prefix));
    let mut rules = Vec::new();
    let mut variables = vec![json!({
        "name": "allowed",
        "expression": format!("has(object.metadata.annotations) && {key} in object.metadata.annotations && object.metadata.annotations[{key}] == {}", quoted(ALLOWED)),
    })];
    let mut validations = Vec::new();
    for (name, published) in experimental {
        let crd = &published.crd;
        let mut versions = Vec::new();
        for version in &crd.versions {
            let beside = stable
                .get(name)
                .and_then(|beside| same(&beside.crd, version));
            let Some(beside) = beside else {
                versions.push(&*version.name);
                validations.push(whole(bundle, crd, version));
                continue;
            };
            let places = places(version, beside);
            if places.is_empty() {
                continue;
            }
            versions.push(&*version.name);
            let variable = format!("used{}", validations.len());
            variables.push(used(&variable, &places));
            validations.push(validation(&variable, bundle, crd, version));
        }
        if !versions.is_empty() {
            rules.push(json!({
                "apiGroups": [&*published.crd.group],
                "apiVersions": versions,
                "operations": ["CREATE", "UPDATE"],
                "resources": [&*published.crd.names.plural],
            }));
        }
    }
    if rules.is_empty() {
        return None;
    }
    let spec = json!({
        "failurePolicy": "Fail",
        // Each version is validated as it was written.
        "matchConstraints": {"matchPolicy": "Exact", "resourceRules": rules},
        "variables": variables,
        "validations": validations,
    });
    Some(bound(bundle, channel, "guardrails", spec, Action::Deny))
}

/// Returns the variable with the fields that the old and the new object use.
fn used(name: &str, places: &[ExperimentalField]) -> Value {
    let each = places
        .iter()
        .map(|place| format!("({} ? [{}] : [])", place.used, quoted(&place.path)));
    let each: Vec<String> = each.collect();
    json!({
        "name": name,
        "expression": format!("[oldObject, object].map(o, o == null ? [] : {})", each.join(" + ")),
    })
}

/// An object may keep what it already used, so that the rest of it can still be changed.
fn validation(variable: &str, bundle: Bundle<'_>, crd: &Crd, version: &Version) -> Value {
    let of_kind = of_kind(crd, version);
    let used = format!("variables.{variable}");
    let help = help(bundle);
    json!({
        "expression": format!("!({of_kind}) || variables.allowed || {used}[1].all(p, p in {used}[0])"),
        "messageExpression": format!("{used}[1].filter(p, !(p in {used}[0])).join(\", \") + {}", quoted(&help)),
        "message": format!("something that the object uses{help}"),
        "reason": "Forbidden",
    })
}

/// The rule for a version, or a kind with all its versions, that the stable channel lacks. Existing objects may be changed.
fn whole(bundle: Bundle<'_>, crd: &Crd, version: &Version) -> Value {
    json!({
        "expression": format!("!({}) || variables.allowed || oldObject != null", of_kind(crd, version)),
        "message": format!("{} {}{}", crd.names.kind, version.name, help(bundle)),
        "reason": "Forbidden",
    })
}

fn help(bundle: Bundle<'_>) -> String {
    format!(
        " is experimental: annotate the object with {}/{ANNOTATION}: {ALLOWED}",
        bundle.prefix
    )
}

/// Returns the version with the same name.
fn same<'a>(crd: &'a Crd, version: &Version) -> Option<&'a Version> {
    crd.versions
        .iter()
        .find(|beside| beside.name == version.name)
}

fn places(version: &Version, beside: &Version) -> Vec<ExperimentalField> {
    let (Some(schema), Some(beside)) = (version.schema.as_deref(), beside.schema.as_deref()) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    way::walk(version, schema, Some(beside), &mut |schema, stable, way| {
        match stable {
            Some(stable) => found.extend(experimental_values(schema, stable, way)),
            None => found.extend(way.is_there.clone().map(|used| ExperimentalField {
                path: way.path.clone(),
                used,
            })),
        }
        stable.is_some()
    });
    found
}

/// Returns the experimental values of a node that the stable channel has too.
fn experimental_values(schema: &Schema, stable: &Schema, way: &Way) -> Vec<ExperimentalField> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let bounds = stable_bounds(schema, stable, way.value()).into_iter();
    let mut found: Vec<ExperimentalField> = bounds
        .map(|StableBound { shown, holds }| ExperimentalField {
            path: format!("{}: {shown}", way.path),
            used: way.holds(&holds),
        })
        .collect();
    if !stable.enum_values.is_empty() && schema.enum_values.is_empty() {
        let known: Vec<Value> = stable.enum_values.clone();
        found.push(ExperimentalField {
            path: format!("{}: another value", way.path),
            used: way.holds(&format!("!({} in {})", way.value(), Value::from(known))),
        });
    } else if !stable.enum_values.is_empty() {
        let new = schema.enum_values.iter();
        let new = new.filter(|value| !stable.enum_values.contains(value));
        found.extend(new.filter_map(text).map(|value| ExperimentalField {
            path: format!("{}: {value}", way.path),
            used: way.holds(&format!("{} == {}", way.value(), quoted(&value))),
        }));
    }
    found
}
