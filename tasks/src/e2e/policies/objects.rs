//! The policy for objects: experimental fields need the annotation, and objects that have them may keep them.

use super::{ALL, CRD, MERGE, PREFIX, create, is_refused, wait_until_refused};
use crate::e2e::install::described;
use crate::published::NAMESPACE;
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::Api;
use serde_json::{Value, json};

/// Checks objects that use something experimental, in every possible place.
pub fn places(api: Api, crd: &Value, report: &mut Report) -> Result<(), Failure> {
    create(api, crd, "v0.2.0", "experimental")?;
    let path = format!("/apis/{PREFIX}/v1/namespaces/{NAMESPACE}/gauges");
    let object = |spec: &Value, allowed: bool| {
        let mut metadata = json!({"name": "one"});
        if allowed {
            metadata["annotations"] = json!({format!("{PREFIX}/experimental"): "allowed"});
        }
        json!({"apiVersion": format!("{PREFIX}/v1"), "kind": "Gauge", "metadata": metadata, "spec": spec})
    };
    let dry = format!("{path}?dryRun=All&fieldValidation=Strict");
    let trial = json!({"trial": {"a": "x"}});
    wait_until_refused(|| api.post(&dry, &object(&trial, false)))?;
    for (spec, names) in [
        (json!({}), None),
        (
            json!({"mode": "Plain", "items": [{"a": "x"}, {}], "named": {"a": {"a": "x"}, "b": null}}),
            None,
        ),
        (trial.clone(), Some("spec.trial")),
        (json!({"trial": {}}), Some("spec.trial")),
        (json!({"mode": "Fancy"}), Some("spec.mode: Fancy")),
        (json!({"odd-name": 1}), Some("spec.odd-name")),
        (
            json!({"items": [{"a": "x"}, {"b": "x"}]}),
            Some("spec.items[].b"),
        ),
        (
            json!({"named": {"a": null, "x y": {"b": ""}}}),
            Some("spec.named{}.b"),
        ),
        (
            json!({"open": "A", "short": "abcd", "plain": "a", "few": [0, 9], "half": 0.6, "pairs": {"a": "b"}}),
            None,
        ),
        (json!({"open": "B"}), Some("spec.open: another value")),
        (
            json!({"short": "äöüßé"}),
            Some("spec.short: over maxLength 4"),
        ),
        (json!({"short": "a"}), Some("spec.short: under minLength 2")),
        (
            json!({"plain": "a1"}),
            Some("spec.plain: not of the pattern ^[a-z]*$"),
        ),
        (json!({"few": [1, 2, 3]}), Some("spec.few: over maxItems 2")),
        (json!({"few": []}), Some("spec.few: under minItems 1")),
        (json!({"few": [1, 10]}), Some("spec.few[]: over maximum 9")),
        (json!({"few": [-1]}), Some("spec.few[]: under minimum 0")),
        (json!({"half": 0.5}), Some("spec.half: under minimum 0.5")),
        (json!({"half": 0}), Some("spec.half: under minimum 0.5")),
        (
            json!({"pairs": {"a": "b", "c": "d"}}),
            Some("spec.pairs: over maxProperties 1"),
        ),
        (
            json!({"trial": {}, "mode": "Fancy"}),
            Some("spec.mode: Fancy, spec.trial"),
        ),
    ] {
        let answers = [
            api.post(&dry, &object(&spec, false))?,
            api.post(&dry, &object(&spec, true))?,
        ];
        let [plain, allowed] = &answers;
        let found = match (is_refused(plain), names) {
            (true, Some(names)) if plain.text.contains(&format!("{names} is experimental")) => {
                "as it should"
            }
            (false, None) if plain.status == 201 => "as it should",
            _ => &described(plain),
        };
        report.check(
            format!(
                "policies: {spec} is {} without the annotation",
                if names.is_some() {
                    "refused"
                } else {
                    "accepted"
                }
            ),
            "as it should",
            found,
        );
        report.check(
            format!("policies: {spec} is accepted with it"),
            "201",
            described(allowed),
        );
    }
    ratchet(api, &path, &object(&trial, true), report)
}

/// An object keeps the experimental fields that it has, even without the annotation, but cannot get more.
fn ratchet(api: Api, path: &str, object: &Value, report: &mut Report) -> Result<(), Failure> {
    api.post(path, object)?;
    let place = format!("{path}/one");
    let patch = |body: Value| api.send("PATCH", &place, &MERGE, &body.to_string());
    let gone = json!({"metadata": {"annotations": null, "labels": {"a": "b"}}});
    report.check(
        "policies: what an object uses it may keep without the annotation",
        "200",
        described(&patch(gone)?),
    );
    let more = patch(json!({"spec": {"odd-name": 1}}))?;
    report.check("policies: more of it is refused", true, is_refused(&more));
    let status = api.send(
        "PATCH",
        &format!("{place}/status"),
        &MERGE,
        &json!({"status": {"b": "x"}}).to_string(),
    )?;
    report.check(
        "policies: controllers write status as before",
        "200",
        described(&status),
    );
    let deleted = api.delete(&place)?;
    report.check(
        "policies: the object may be deleted",
        "200",
        described(&deleted),
    );
    api.delete(CRD)?;
    Ok(())
}

/// A kind and a version that are experimental as a whole: new objects need the annotation, existing ones may be changed.
pub fn wholes(api: Api, gauge: &Value, trial: &Value, report: &mut Report) -> Result<(), Failure> {
    create(api, gauge, "v0.2.0", "experimental")?;
    create(api, trial, "v0.2.0", "experimental")?;
    for (kind, plural, version) in [
        ("Trial", "trials", "v1alpha1"),
        ("Gauge", "gauges", "v2alpha1"),
    ] {
        let path = format!("/apis/{PREFIX}/{version}/namespaces/{NAMESPACE}/{plural}");
        let object = json!({"apiVersion": format!("{PREFIX}/{version}"), "kind": kind, "metadata": {"name": "one"}, "spec": {"a": "x"}});
        let mut allowed = object.clone();
        allowed["metadata"]["annotations"] = json!({format!("{PREFIX}/experimental"): "allowed"});
        let dry = format!("{path}?dryRun=All");
        wait_until_refused(|| api.post(&dry, &object))?;
        let refused = api.post(&dry, &object)?;
        report.check(
            format!("policies: {kind} {version} is experimental as a whole"),
            true,
            is_refused(&refused)
                && refused
                    .text
                    .contains(&format!("{kind} {version} is experimental")),
        );
        let created = api.post(&path, &allowed)?;
        report.check(
            format!("policies: {kind} {version} is accepted with the annotation"),
            "201",
            described(&created),
        );
        let body = json!({"metadata": {"annotations": null}, "spec": {"a": "y"}});
        let place = format!("{path}/one");
        let changed = api.send("PATCH", &place, &MERGE, &body.to_string())?;
        report.check(
            format!("policies: a {kind} {version} that is there may be changed"),
            "200",
            described(&changed),
        );
        api.delete(&place)?;
    }
    api.delete(&format!("{ALL}/trials.{PREFIX}"))?;
    api.delete(CRD)?;
    Ok(())
}
