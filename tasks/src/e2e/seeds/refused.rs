//! CRDs that the two designs forbid: each is refused, at the invalid field.

use super::GROUP;
use crate::e2e::install::CRDS;
use crate::e2e::rules::causes;
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::Api;
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
    let at_root = |name: &str, value: Value| {
        let mut schema = json!({"type": "object"});
        schema[name] = value;
        json!({"subresources": {"status": {}}, "schema": {"openAPIV3Schema": schema}})
    };
    let root = || "spec.validation.openAPIV3Schema".to_owned();
    let cases = [
        (
            "status subresource: oneOf at the root of the schema is refused",
            at_root("oneOf", json!([{}])),
            root(),
        ),
        (
            "status subresource: anyOf at the root of the schema is refused",
            at_root("anyOf", json!([{}])),
            root(),
        ),
        (
            "status subresource: allOf at the root of the schema is refused",
            at_root("allOf", json!([{}])),
            root(),
        ),
        (
            "status subresource: not at the root of the schema is refused",
            at_root("not", json!({})),
            root(),
        ),
        (
            "status subresource: minProperties at the root of the schema is refused",
            at_root("minProperties", json!(1)),
            root(),
        ),
        (
            "scale subresource: specReplicasPath is required",
            json!({"subresources": {"scale": {"statusReplicasPath": ".status.n"}}}),
            at_scale("specReplicasPath"),
        ),
        (
            "scale subresource: statusReplicasPath is required, unlike the design",
            json!({"subresources": {"scale": {"specReplicasPath": ".spec.n"}}}),
            at_scale("statusReplicasPath"),
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
            "scale subresource: labelSelectorPath is under .spec or .status, unlike the design, which has .spec alone",
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
        let answer = api.post(&format!("{CRDS}?dryRun=All"), &crd(&fields))?;
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
    subresources(api, report)
}

/// Checks what a version may have besides the two, and where junctors may be.
fn subresources(api: Api, report: &mut Report) -> Result<(), Failure> {
    let junctor =
        json!({"type": "object", "properties": {"spec": {"type": "object", "oneOf": [{}]}}});
    for (name, fields, expected) in [
        (
            "status subresource: oneOf below a property is accepted",
            json!({"subresources": {"status": {}}, "schema": {"openAPIV3Schema": junctor}}),
            201,
        ),
        (
            "subresources: there are no others",
            json!({"subresources": {"log": {}}}),
            400,
        ),
        (
            "scale subresource: a CRD has no field for the version of its payload, unlike the design",
            json!({"subresources": {"scale": {
                "specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n", "groupVersion": "autoscaling/v1",
            }}}),
            400,
        ),
    ] {
        let place = format!("{CRDS}?dryRun=All&fieldValidation=Strict");
        let answer = api.post(&place, &crd(&fields))?;
        report.check(name, expected, answer.status);
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
