//! Policies that API servers enforce, generated from the bundle: for its CRDs, for objects that use experimental parts or
//! deprecated fields, and for the annotations of conversion webhooks.

use super::policy::{Bundle, Channel};
use super::{deprecated_fields, guardrails, kept_annotations, upgrades};
use crd_channels_compat::Channel as Promise;
use crd_channels_projection::bundle::yaml;
use serde_json::Value;

/// The oldest minor of Kubernetes 1 in which validating admission policies are stable.
pub const SINCE: u32 = 30;

/// The file of the policy for CRDs.
const UPGRADES: &str = "safe-upgrades.yaml";

/// The file of the policy for objects.
const GUARDRAILS: &str = "guardrails.yaml";

/// The file of the policy for annotations.
pub const KEPT: &str = "conversion-kept.yaml";

/// The file of the policy for deprecated fields.
const DEPRECATED: &str = "deprecated-fields.yaml";

/// Returns the policies of a channel as files, each with its binding: name and text.
///
/// # Errors
/// Fails if a value is nested too deeply to be written.
pub fn write(
    bundle: Bundle<'_>,
    channel: &Channel,
) -> Result<Vec<(&'static str, String)>, yaml::Error> {
    let mut files = vec![(UPGRADES, upgrades::write(bundle, channel))];
    if Promise::from_name(&channel.name) == Some(Promise::Experimental) {
        files.extend(guardrails::write(bundle, channel).map(|documents| (GUARDRAILS, documents)));
    }
    files.extend(kept_annotations::write(bundle, channel).map(|documents| (KEPT, documents)));
    let deprecated = deprecated_fields::write(bundle, channel);
    files.extend(deprecated.map(|documents| (DEPRECATED, documents)));
    let written = |(file, documents): (_, [Value; 2])| {
        let texts: Result<String, _> = documents.iter().map(yaml::to_string).collect();
        Ok((file, texts?))
    };
    files.into_iter().map(written).collect()
}
