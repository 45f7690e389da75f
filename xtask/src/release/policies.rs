//! Two policies that API servers enforce, written from what the bundle says: no bundle replaces a newer one or leads from a
//! channel to one with more experiments, and no object uses what is experimental without saying so.

use super::guardrails;
use crate::bundle::version::BundleVersion;
use crate::bundle::yaml;
use crate::compat::{Channel as Promise, Set};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The oldest minor version of Kubernetes 1 in which such policies are stable.
pub const SINCE: u32 = 30;

/// A channel as annotations name it, with the features that are on.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// The value of its annotation.
    pub annotation: String,
    /// Its features.
    pub features: BTreeSet<String>,
}

/// What policies are written from.
#[derive(Clone, Copy, Debug)]
pub struct Bundle<'a> {
    /// Its version.
    pub version: &'a BundleVersion,
    /// What stands before `/bundle-version` and `/channel` in annotations.
    pub prefix: &'a str,
    /// All channels.
    pub channels: &'a [Channel],
    /// Its CRDs.
    pub set: &'a Set,
}

/// The `policies.yaml` of a channel.
///
/// # Errors
/// When something is nested too deep to be written.
pub fn write(bundle: Bundle<'_>, channel: &Channel) -> Result<String, yaml::Error> {
    let mut documents = safe_upgrades(bundle, channel);
    if Promise::named(&channel.name) == Some(Promise::Experimental) {
        documents.extend(guardrails::write(bundle, channel));
    }
    documents.iter().map(yaml::to_string).collect()
}

/// A policy and the binding that puts it into force in the whole cluster.
pub(super) fn bound(bundle: Bundle<'_>, channel: &Channel, name: &str, spec: Value) -> [Value; 2] {
    let name = format!("{name}.{}", bundle.prefix);
    let mut annotations = json!({});
    annotations[format!("{}/bundle-version", bundle.prefix)] = json!(bundle.version.to_string());
    annotations[format!("{}/channel", bundle.prefix)] = json!(channel.annotation);
    let document = |kind: &str, spec: Value| {
        json!({
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": kind,
            "metadata": {"annotations": annotations, "name": name},
            "spec": spec,
        })
    };
    [
        document("ValidatingAdmissionPolicy", spec),
        document(
            "ValidatingAdmissionPolicyBinding",
            json!({"policyName": name, "validationActions": ["Deny"]}),
        ),
    ]
}

/// A text in CEL. What JSON escapes, CEL escapes alike.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn list<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let texts: Vec<String> = texts.into_iter().map(quoted).collect();
    format!("[{}]", texts.join(", "))
}

/// Our versions and nothing else: numbers without leading zeros, as semantic versions have them.
const VERSION: &str = r"^v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?$";

fn safe_upgrades(bundle: Bundle<'_>, channel: &Channel) -> Vec<Value> {
    let groups: BTreeSet<&str> = bundle
        .set
        .channels
        .values()
        .flat_map(|crds| crds.values())
        .map(|published| &*published.crd.group)
        .collect();
    let annotation = |name: &str| {
        let key = quoted(&format!("{}/{name}", bundle.prefix));
        format!(
            "[oldObject, object].map(o, o != null && has(o.metadata.annotations) && {key} in o.metadata.annotations ? o.metadata.annotations[{key}] : \"\")"
        )
    };
    // Numbers are compared as numbers: the shorter one is the smaller one, and of two that are as long texts decide. So a
    // length stands before each, and one text decides between versions. A space sorts before whatever a pre-release may
    // contain, and `~` behind it.
    let number = "string(size(n) + 100) + n";
    let key = format!(
        "variables.versions.map(v, !v.matches({version}) ? \"\" : \
         (v.contains(\"-\") ? v.substring(1, v.indexOf(\"-\")) : v.substring(1)).split(\".\").map(n, {number}).join(\"\") + \
         (v.contains(\"-\") ? \" \" + v.substring(v.indexOf(\"-\") + 1).split(\".\").map(n, n.matches(\"^[0-9]+$\") ? \"0\" + {number} : \"1\" + n).join(\" \") : \"~\"))",
        version = quoted(VERSION),
    );
    let downgrade = json!({
        "expression": "variables.keys[0] == \"\" || variables.keys[1] == \"\" || variables.keys[0] <= variables.keys[1]",
        "messageExpression": "\"bundle \" + variables.versions[1] + \" is older than \" + variables.versions[0] + \", which is installed\"",
        "message": "an older bundle would replace a newer one",
        "reason": "Forbidden",
    });
    let mut validations = vec![downgrade];
    for from in bundle.channels {
        let more = bundle
            .channels
            .iter()
            .filter(|to| !to.features.is_subset(&from.features));
        let more: Vec<&str> = more.map(|to| to.annotation.as_str()).collect();
        if more.is_empty() {
            continue;
        }
        let to = list(more);
        let from = quoted(&from.annotation);
        validations.push(json!({
            "expression": format!("variables.channels[0] != {from} || !(variables.channels[1] in {to})"),
            "messageExpression": format!("\"the \" + variables.channels[1] + \" channel has experiments that the \" + {from} + \" channel, which is installed, has not\""),
            "message": "a channel with experiments would replace one without",
            "reason": "Forbidden",
        }));
    }
    let spec = json!({
        "failurePolicy": "Fail",
        "matchConstraints": {"resourceRules": [{
            "apiGroups": ["apiextensions.k8s.io"],
            "apiVersions": ["v1"],
            "operations": ["UPDATE"],
            "resources": ["customresourcedefinitions"],
        }]},
        "matchConditions": [{
            "name": "of-this-bundle",
            "expression": format!("object.spec.group in {}", list(groups)),
        }],
        "variables": [
            {"name": "versions", "expression": annotation("bundle-version")},
            {"name": "channels", "expression": annotation("channel")},
            {"name": "keys", "expression": key},
        ],
        "validations": validations,
    });
    bound(bundle, channel, "safe-upgrades", spec).into()
}
