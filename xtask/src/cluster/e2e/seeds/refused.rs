//! CRDs that the two designs forbid: each is refused, at the field that is wrong.

use super::GROUP;
use crate::cluster::Failure;
use crate::cluster::e2e::rules::causes;
use crate::cluster::http::Api;
use crate::cluster::report::Report;
use serde_json::{Value, json};

/// Checks every statement; nothing is installed.
pub fn check(api: Api, report: &mut Report) -> Result<(), Failure> {
    let scale = |spec: &str, status: &str, selector: &str| {
        json!({"subresources": {"scale": {
            "specReplicasPath": spec, "statusReplicasPath": status, "labelSelectorPath": selector,
        }}})
    };
    let at_scale = |name: &str| format!("spec.subresources.scale.{name}");
    let warning = |text: &str| json!({"deprecated": true, "deprecationWarning": text});
    let at_warning = || "spec.versions[0].deprecationWarning".to_owned();
    let cases: [(&str, Value, String); 9] = [
        (
            "status subresource: oneOf at the root of the schema is refused",
            json!({"subresources": {"status": {}}, "schema": {"openAPIV3Schema": {"type": "object", "oneOf": [{}]}}}),
            "spec.validation.openAPIV3Schema".to_owned(),
        ),
        (
            "scale subresource: specReplicasPath is required",
            json!({"subresources": {"scale": {"statusReplicasPath": ".status.n"}}}),
            at_scale("specReplicasPath"),
        ),
        (
            "scale subresource: specReplicasPath is under .spec",
            scale(".status.n", ".status.n", ".spec.s"),
            at_scale("specReplicasPath"),
        ),
        (
            "scale subresource: statusReplicasPath is under .status",
            scale(".spec.n", ".spec.n", ".spec.s"),
            at_scale("statusReplicasPath"),
        ),
        (
            "scale subresource: labelSelectorPath is under .spec or .status",
            scale(".spec.n", ".status.n", ".metadata.labels"),
            at_scale("labelSelectorPath"),
        ),
        (
            "deprecation: deprecationWarning may only be set when deprecated is true",
            json!({"deprecationWarning": "x"}),
            at_warning(),
        ),
        (
            "deprecation: deprecationWarning has at most 256 bytes",
            warning(&"x".repeat(257)),
            at_warning(),
        ),
        (
            "deprecation: deprecationWarning is printable",
            warning("one\ntwo"),
            at_warning(),
        ),
        (
            "deprecation: deprecationWarning is not empty",
            warning(""),
            at_warning(),
        ),
    ];
    for (name, fields, field) in cases {
        let answer = api.post(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All",
            &crd(&fields),
        )?;
        let mut fields: Vec<String> = causes(&answer)
            .into_iter()
            .map(|cause| cause.field)
            .collect();
        fields.dedup();
        report.check(
            name,
            format!("422 at {field}"),
            format!("{} at {}", answer.status, fields.join(", ")),
        );
    }
    Ok(())
}

/// A CRD whose only version has these fields.
fn crd(fields: &Value) -> Value {
    let mut version = json!({
        "name": "v1", "served": true, "storage": true,
        "schema": {"openAPIV3Schema": {"type": "object"}},
    });
    for (name, value) in fields.as_object().into_iter().flatten() {
        version[name] = value.clone();
    }
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("refuseds.{GROUP}")},
        "spec": {
            "group": GROUP, "scope": "Namespaced",
            "names": {"plural": "refuseds", "singular": "refused", "kind": "Refused"},
            "versions": [version],
        },
    })
}
