//! Policies that API servers enforce, written from what the bundle says: one for its CRDs, one for objects that use what is
//! experimental.

use super::{guardrails, upgrades};
use crd_channels_compat::{Channel as Promise, Set};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::bundle::yaml;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The oldest minor version of Kubernetes 1 in which such policies are stable.
pub const SINCE: u32 = 30;

/// The file of the policy for CRDs.
const UPGRADES: &str = "safe-upgrades.yaml";

/// The file of the policy for objects.
const GUARDRAILS: &str = "guardrails.yaml";

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

/// The policies of a channel, each with its binding in a file of its own: name and text.
///
/// # Errors
/// When something is nested too deep to be written.
pub fn write(
    bundle: Bundle<'_>,
    channel: &Channel,
) -> Result<Vec<(&'static str, String)>, yaml::Error> {
    let mut files = vec![(UPGRADES, upgrades::write(bundle, channel))];
    if Promise::named(&channel.name) == Some(Promise::Experimental) {
        files.extend(guardrails::write(bundle, channel).map(|documents| (GUARDRAILS, documents)));
    }
    let written = |(file, documents): (_, [Value; 2])| {
        let texts: Result<String, _> = documents.iter().map(yaml::to_string).collect();
        Ok((file, texts?))
    };
    files.into_iter().map(written).collect()
}

/// The name of a policy: names have no namespace, and a cluster may have several bundles.
pub(super) fn named(name: &str, bundle: Bundle<'_>) -> String {
    format!("{name}.{}", bundle.prefix)
}

/// A policy and the binding that puts it into force in the whole cluster.
pub(super) fn bound(bundle: Bundle<'_>, channel: &Channel, name: &str, spec: Value) -> [Value; 2] {
    let name = named(name, bundle);
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
