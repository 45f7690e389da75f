//! Drops `unseen-deprecation` where users saw the deprecation in a bundle. The CRD itself cannot show it: a version is deprecated
//! while it is served, and unserved one bundle later.

use crate::commands::seen_deprecations::was_shown;
use crd_channels_check::{Finding, Rule};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_validation::path::PathElement;
use serde_json::Value;
use std::path::Path;

/// Drops the findings. `root` is the folder whose `channels/` has earlier bundles.
pub(super) fn drop_seen_deprecations(
    findings: &mut Vec<Finding>,
    name: &str,
    document: &Value,
    root: Option<&Path>,
) {
    // `release` refuses a version that no earlier bundle deprecated while it was served.
    let is_released = is_released(document);
    findings.retain(|finding| {
        let is_seen = || {
            let shown = |(root, version): (&Path, &str)| was_shown(name, version, root);
            is_released || root.zip(version(document, finding)).is_some_and(shown)
        };
        finding.rule != Rule::UnseenDeprecation || !is_seen()
    });
}

/// Whether a CRD is stamped as part of a released bundle.
fn is_released(crd: &Value) -> bool {
    let annotations = crd.pointer("/metadata/annotations");
    let annotations = annotations.and_then(Value::as_object).into_iter().flatten();
    let mut versions = annotations.filter_map(|(key, value)| {
        let (_, name) = key.split_once('/')?;
        (name == "bundle-version").then(|| value.as_str()?.parse::<BundleVersion>().ok())?
    });
    versions.any(|version| version.is_final())
}

/// Returns the name of the version that a finding is about.
fn version<'d>(crd: &'d Value, finding: &Finding) -> Option<&'d str> {
    let elements = finding.field.as_ref()?.elements().iter();
    let index = elements.into_iter().find_map(|element| match element {
        PathElement::Index(index) => Some(*index),
        _ => None,
    })?;
    crd["spec"]["versions"].get(index)?["name"].as_str()
}
