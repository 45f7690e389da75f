//! One policy: what it is written from, its binding, and the parts that policies share.

use crd_channels_compat::Set;
use crd_channels_projection::bundle::version::BundleVersion;
use serde_json::{Value, json};
use std::collections::BTreeSet;

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

/// The name of a policy: names have no namespace, and a cluster may have several bundles.
pub(super) fn policy_name(name: &str, bundle: Bundle<'_>) -> String {
    format!("{name}.{}", bundle.prefix)
}

/// A policy and the binding that puts it into force in the whole cluster.
pub(super) fn bound(bundle: Bundle<'_>, channel: &Channel, name: &str, spec: Value) -> [Value; 2] {
    let name = policy_name(name, bundle);
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
