//! A single policy: its input, its binding, and the parts that policies share.

use crd_channels_compat::{Channel as Promise, Published, Set};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_schema::{Crd, Version};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A channel as annotations name it, with its features.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// The value of its annotation.
    pub annotation: String,
    /// Its features.
    pub features: BTreeSet<String>,
}

/// The bundle that policies are generated from.
#[derive(Clone, Copy, Debug)]
pub struct Bundle<'a> {
    /// Its version.
    pub version: &'a BundleVersion,
    /// The part of annotations before `/bundle-version` and `/channel`.
    pub prefix: &'a str,
    /// All channels.
    pub channels: &'a [Channel],
    /// Its CRDs.
    pub set: &'a Set,
}

impl<'a> Bundle<'a> {
    /// The CRDs of a channel.
    pub(super) fn crds(self, channel: &Channel) -> impl Iterator<Item = &'a Published> {
        let name = &*channel.name;
        let crds = match Promise::from_name(name) {
            Some(promise) => self.set.channel(promise),
            None => self.set.others.get(name),
        };
        crds.into_iter().flat_map(|crds| crds.values())
    }
}

/// Returns the name of a policy. Policies are cluster-scoped, and a cluster may have several bundles.
pub(super) fn policy_name(name: &str, bundle: Bundle<'_>) -> String {
    format!("{name}.{}", bundle.prefix)
}

/// What a server does if a validation fails.
#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    /// It refuses the request.
    Deny,
    /// It warns the client.
    Warn,
}

/// Returns a policy and the binding that applies it to the whole cluster.
pub(super) fn bound(
    bundle: Bundle<'_>,
    channel: &Channel,
    name: &str,
    spec: Value,
    action: Action,
) -> [Value; 2] {
    let action = match action {
        Action::Deny => "Deny",
        Action::Warn => "Warn",
    };
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
            json!({"policyName": name, "validationActions": [action]}),
        ),
    ]
}

/// Returns a CEL expression: whether `object` is of a version of a kind.
pub(super) fn of_kind(crd: &Crd, version: &Version) -> String {
    format!(
        "object.kind == {} && object.apiVersion == {}",
        quoted(&crd.names.kind),
        quoted(&format!("{}/{}", crd.group, version.name))
    )
}

/// Quotes a text for CEL. JSON's escapes are valid in CEL.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
