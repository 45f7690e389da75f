//! The policy for CRDs: no CRD of the bundle may become older, more experimental, or different from its annotations.
//!
//! The server writes the status of CRDs through the same policy. Every rule therefore compares two states and holds if they are
//! equal.

use super::policy::{Action, Bundle, Channel, bound, policy_name, quoted};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The first part of the policy's name.
pub const NAME: &str = "safe-upgrades";

/// Matches only versions of bundles: semantic versions without leading zeros, perhaps with a pre-release or a build.
const VERSION: &str = r"^v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?(\+[0-9A-Za-z.-]+)?$";

/// Returns the policy and its binding.
pub(super) fn write(bundle: Bundle<'_>, channel: &Channel) -> [Value; 2] {
    let crds = || bundle.set.channels.values().flat_map(|crds| crds.iter());
    let groups: BTreeSet<&str> = crds().map(|(_, published)| &*published.crd.group).collect();
    let names: BTreeSet<&str> = crds().map(|(name, _)| &**name).collect();
    let spec = json!({
        "failurePolicy": "Fail",
        "matchConstraints": {"resourceRules": [{
            "apiGroups": ["apiextensions.k8s.io"],
            "apiVersions": ["v1"],
            "operations": ["CREATE", "UPDATE"],
            // Servers allow a write of the status to change annotations.
            "resources": ["customresourcedefinitions", "customresourcedefinitions/status"],
        }]},
        "matchConditions": [{
            "name": "of-this-bundle",
            "expression": format!("object.spec.group in {}", json!(groups)),
        }],
        "variables": variables(bundle, channel, &names),
        "validations": validations(bundle),
    });
    bound(bundle, channel, NAME, spec, Action::Deny)
}

/// Lists have the old value first. On creation, and if the installed CRD lacks an annotation, the policy's own version and
/// channel count as installed.
fn variables(bundle: Bundle<'_>, channel: &Channel, names: &BTreeSet<&str>) -> Value {
    let annotation_values = |annotation: &str| {
        let key = quoted(&key(bundle, annotation));
        format!(
            "[oldObject, object].map(o, o != null && has(o.metadata.annotations) && {key} in o.metadata.annotations ? o.metadata.annotations[{key}] : \"\")"
        )
    };
    // Compares versions as texts: each number gets its length as a prefix, because a shorter number is smaller and numbers of
    // equal length compare as texts. A space sorts before every character of a pre-release, and `~` after.
    let number = "string(size(n) + 100) + n";
    let order = format!(
        "[variables.version, variables.versions[1]].map(v, v == \"\" ? \"\" : \
         (v.contains(\"-\") ? v.substring(1, v.indexOf(\"-\")) : v.substring(1)).split(\".\").map(n, {number}).join(\"\") + \
         (v.contains(\"-\") ? \" \" + v.substring(v.indexOf(\"-\") + 1).split(\".\").map(n, n.matches(\"^[0-9]+$\") ? \"0\" + {number} : \"1\" + n).join(\" \") : \"~\"))",
    );
    let more: Map<String, Value> = bundle
        .channels
        .iter()
        .map(|from| {
            let channels = bundle.channels.iter();
            let more = channels.filter(|to| !to.features.is_subset(&from.features));
            let more: Vec<&str> = more.map(|to| to.annotation.as_str()).collect();
            (from.annotation.clone(), json!(more))
        })
        .collect();
    let own_version = quoted(&bundle.version.to_string());
    let own_channel = quoted(&channel.annotation);
    let variable = |name: &str, expression: String| json!({"name": name, "expression": expression});
    json!([
        variable("saidVersions", annotation_values("bundle-version")),
        variable("channels", annotation_values("channel")),
        variable(
            "versions",
            format!(
                "variables.saidVersions.map(v, v.matches({}) ? v.split(\"+\")[0] : \"\")",
                quoted(VERSION)
            )
        ),
        // The channels with features that this channel lacks.
        variable("more", Value::from(more).to_string()),
        variable(
            "version",
            format!("variables.versions[0] != \"\" ? variables.versions[0] : {own_version}")
        ),
        variable(
            "channel",
            format!(
                "variables.channels[0] in variables.more ? variables.channels[0] : {own_channel}"
            )
        ),
        variable("order", order),
        variable(
            "ours",
            format!(
                "oldObject == null && object.metadata.name in {}",
                json!(names)
            )
        ),
    ])
}

fn validations(bundle: Bundle<'_>) -> Value {
    let delete = format!(
        "delete the policy first: kubectl delete validatingadmissionpolicy {}",
        policy_name(NAME, bundle)
    );
    let validation = |expression: &str, message: &str, message_expression: String| {
        json!({
            "expression": expression,
            "messageExpression": message_expression,
            "message": format!("{message}. To do it nevertheless, {delete}"),
            "reason": "Forbidden",
        })
    };
    let unreadable = |annotation: &str, new: &str, why: &str| {
        format!(
            "\"the annotation {} \" + ({new} == \"\" ? \"is missing\" : \"says \" + {new} + \", {why}\") + {}",
            key(bundle, annotation),
            quoted(&format!(
                ". Apply a CRD of a bundle as it was released. To do without, {delete}"
            ))
        )
    };
    json!([
        validation(
            "variables.versions[1] != \"\" || !(variables.ours || variables.versions[0] != \"\")",
            "the CRD would not say which bundle it is of",
            unreadable(
                "bundle-version",
                "variables.saidVersions[1]",
                "which is not a version of a bundle",
            ),
        ),
        validation(
            "variables.channels[1] in variables.more || !(variables.ours || variables.channels[0] in variables.more)",
            "the CRD would not say which channel it is of",
            unreadable(
                "channel",
                "variables.channels[1]",
                "which this policy does not know",
            ),
        ),
        validation(
            "variables.order[1] == \"\" || variables.order[0] <= variables.order[1]",
            "an older bundle would replace a newer one",
            format!(
                "\"bundle \" + variables.versions[1] + \" is older than \" + variables.version + (variables.versions[0] == \"\" ? \", which this policy is of\" : \", which is installed\") + {}",
                quoted(&format!(". To go back, {delete}"))
            ),
        ),
        validation(
            "!(variables.channels[1] in variables.more[variables.channel])",
            "a channel would be replaced by one that adds experimental features",
            format!(
                "(variables.channels[0] == variables.channel ? \"the \" + variables.channel + \" channel is installed\" : \"this policy is of the \" + variables.channel + \" channel\") + \"; the \" + variables.channels[1] + \" channel adds experimental features\" + {}",
                quoted(&format!(". To switch, {delete}"))
            ),
        ),
        // Pre-releases promise nothing, and their CRDs change while a bundle is in development. The certificate of a webhook is
        // written into `conversion`.
        validation(
            "variables.versions[0] == \"\" || variables.versions[0].contains(\"-\") || variables.versions[0] != variables.versions[1] || variables.channels[0] != variables.channels[1] || oldObject.spec.versions == object.spec.versions && oldObject.spec.names == object.spec.names",
            "the CRD would not be what its annotations say",
            format!(
                "\"the annotations would still claim bundle \" + variables.saidVersions[1] + \", but the CRD would differ from it\" + {}",
                quoted(&format!(
                    ". Apply a CRD of a bundle with its annotations. To change this one, {delete}"
                ))
            ),
        ),
    ])
}

/// Returns the full name of an annotation.
fn key(bundle: Bundle<'_>, annotation: &str) -> String {
    format!("{}/{annotation}", bundle.prefix)
}
