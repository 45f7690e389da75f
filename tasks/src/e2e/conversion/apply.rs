//! Server-side apply by several managers in several versions: the server sends parts of objects to the webhook.

use super::super::kinds::Kind;
use crate::objects::dice::Dice;
use crate::objects::valid;
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::{Answer, Api};
use crd_channels_schema::Crd;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The number of random sequences.
const SEQUENCES: usize = 500;

/// The steps of each.
const STEPS: usize = 4;

/// What a user does.
enum Step {
    /// Applies a spec in a version, as a manager, with these labels.
    Apply(&'static str, &'static str, Value, Value),
    /// Changes the metadata of the object in a version by a merge patch.
    Patch(&'static str, Value),
}

/// Sequences that users of `kubectl apply --server-side`, Flux and Argo CD live through when they follow a deprecation warning.
fn sequences() -> Vec<(&'static str, Vec<Step>)> {
    use Step::{Apply, Patch};
    let old = |value: &str| json!({ "hostnames": [value] });
    let new = |value: &str| json!({ "hosts": [value] });
    let none = || json!({});
    let label = || json!({ "x": "1" });
    let team = || json!({ "annotations": { "team": "t" } });
    vec![
        (
            "one manager, from the old version to the new one",
            vec![
                Apply("user", "v1beta1", old("c"), none()),
                Apply("user", "v1", new("z"), none()),
            ],
        ),
        (
            "a controller adds a finalizer in between",
            vec![
                Apply("user", "v1beta1", old("c"), none()),
                Patch("v1", json!({ "finalizers": ["example.com/f"] })),
                Apply("user", "v1", new("z"), none()),
                Patch("v1", json!({ "finalizers": null })),
            ],
        ),
        (
            "another manager owns a label in the old version",
            vec![
                Apply("user", "v1beta1", old("c"), none()),
                Apply("other", "v1beta1", Value::Null, label()),
                Apply("user", "v1", new("z"), none()),
            ],
        ),
        (
            "another manager owns a label, from the new version to the old one",
            vec![
                Apply("user", "v1", new("c"), none()),
                Apply("other", "v1", Value::Null, label()),
                Apply("user", "v1beta1", old("z"), none()),
            ],
        ),
        (
            "there and back, with a label of another manager",
            vec![
                Apply("user", "v1", new("c"), none()),
                Apply("other", "v1beta1", Value::Null, label()),
                Apply("user", "v1beta1", old("z"), none()),
                Apply("user", "v1", new("y"), none()),
            ],
        ),
        (
            "an annotation in the new version in between",
            vec![
                Apply("user", "v1beta1", old("c"), none()),
                Patch("v1", team()),
                Apply("user", "v1", new("z"), none()),
            ],
        ),
        (
            "an annotation in the old version in between",
            vec![
                Apply("user", "v1beta1", old("c"), none()),
                Patch("v1beta1", team()),
                Apply("user", "v1", new("z"), none()),
            ],
        ),
        (
            "another manager owns what only the new version has",
            vec![
                Apply("user", "v1", new("c"), none()),
                Apply("other", "v1", json!({ "retries": 3 }), none()),
                Apply("user", "v1beta1", old("z"), none()),
            ],
        ),
        (
            "the same, with a label",
            vec![
                Apply("user", "v1", new("c"), label()),
                Apply("other", "v1", json!({ "retries": 3 }), none()),
                Apply("user", "v1beta1", old("z"), label()),
            ],
        ),
        (
            "a manager of labels alone changes the version",
            vec![
                Apply("other", "v1", new("c"), none()),
                Apply("user", "v1", Value::Null, label()),
                Apply("user", "v1beta1", Value::Null, json!({ "x": "2" })),
            ],
        ),
        (
            "labels and an annotation",
            vec![
                Apply("user", "v1beta1", old("c"), label()),
                Patch("v1", team()),
                Apply("user", "v1", new("z"), label()),
            ],
        ),
    ]
}

/// Runs all sequences. The CRD is that of the operator's routes.
pub fn check(api: Api, crd: &Crd, report: &mut Report) -> Result<(), Failure> {
    for (index, (title, steps)) in sequences().into_iter().enumerate() {
        let object = Object {
            api,
            crd,
            name: format!("applied-{index}"),
        };
        let mut refused = String::new();
        for step in steps {
            let answer = match step {
                Step::Apply(manager, version, spec, labels) => {
                    object.apply(manager, version, &spec, &labels)?
                }
                Step::Patch(version, metadata) => {
                    api.patch(&object.path(version), &json!({ "metadata": metadata }))?
                }
            };
            if !matches!(answer.status, 200 | 201) {
                refused = answer.text;
                break;
            }
        }
        report.check(format!("conversion: apply: {title}"), "", &*refused);
    }
    random(api, crd, report)
}

#[derive(Clone)]
struct Object<'c> {
    api: Api,
    crd: &'c Crd,
    name: String,
}

impl Object<'_> {
    fn path(&self, version: &str) -> String {
        let crd = self.crd;
        let plural = &crd.names.plural;
        let (group, name) = (&crd.group, &self.name);
        format!("/apis/{group}/{version}/namespaces/default/{plural}/{name}")
    }

    fn apply(
        &self,
        manager: &str,
        version: &str,
        spec: &Value,
        labels: &Value,
    ) -> Result<Answer, Failure> {
        let mut object = json!({
            "apiVersion": format!("{}/{version}", self.crd.group), "kind": &*self.crd.names.kind,
            "metadata": { "name": self.name, "namespace": "default" },
        });
        if labels.as_object().is_some_and(|labels| !labels.is_empty()) {
            object["metadata"]["labels"] = labels.clone();
        }
        // The schemas require a spec.
        if !spec.is_null() {
            object["spec"] = spec.clone();
        }
        let place = format!("{}?fieldManager={manager}&force=true", self.path(version));
        let apply = ("Content-Type", "application/apply-patch+yaml");
        self.api
            .send("PATCH", &place, &[apply], &object.to_string())
    }
}

/// The name in `v1` of a field of a spec.
fn in_hub(field: &str) -> &str {
    match field {
        "hostnames" => "hosts",
        "timeout" => "timeoutSeconds",
        other => other,
    }
}

/// Two managers apply random specs in random versions. What was applied last is there, and nothing else.
fn random(api: Api, crd: &Crd, report: &mut Report) -> Result<(), Failure> {
    let versions: Vec<Kind<'_>> = ["v1", "v1beta1"]
        .iter()
        .filter_map(|name| {
            let version = crd
                .versions
                .iter()
                .find(|version| *version.name == **name)?;
            Kind::of_version(api, "conversion", crd, version)
        })
        .collect();
    let mut dice = Dice::new("server-side apply");
    let (mut applied, mut right) = (0, 0);
    let mut first_wrong = String::new();
    for sequence in 0..SEQUENCES {
        let object = Object {
            api,
            crd,
            name: format!("random-{sequence}"),
        };
        let mut owned: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        let mut story = Vec::new();
        for _ in 0..STEPS {
            let Some(version) = dice.pick(&versions) else {
                continue;
            };
            let name = &*version.version.name;
            let Some(content) = valid::value(version.schema, &mut dice) else {
                continue;
            };
            // Not tried: empty lists and maps, which servers merge by rules of their own.
            let mut spec = content.get("spec").cloned().unwrap_or_else(|| json!({}));
            if let Some(fields) = spec.as_object_mut() {
                fields.retain(|_, value| !matches!(value.to_string().as_str(), "[]" | "{}"));
                // The schemas require hosts.
                if !fields.keys().any(|field| in_hub(field) == "hosts") {
                    continue;
                }
            }
            let manager = match dice.chance(1, 2) {
                true => "one",
                false => "two",
            };
            story.push(format!("{manager} {name} {spec}"));
            let answer = object.apply(manager, name, &spec, &json!({}))?;
            let fields = spec.as_object().cloned().unwrap_or_default();
            let names = fields.keys().map(|field| in_hub(field).to_owned());
            owned.insert(manager, names.collect());
            applied += 1;
            match wrong(&answer, &fields, &owned) {
                None => right += 1,
                Some(why) if first_wrong.is_empty() => {
                    first_wrong = format!("{why}\n{}", story.join("\n"));
                }
                Some(_) => {}
            }
        }
    }
    report.check(
        "conversion: apply: the first that is wrong",
        "",
        &*first_wrong,
    );
    report.check(
        "conversion: apply: random specs of two managers",
        applied,
        right,
    );
    Ok(())
}

/// What is wrong with the object after a manager applied some fields.
fn wrong(
    answer: &Answer,
    fields: &Map<String, Value>,
    owned: &BTreeMap<&str, BTreeSet<String>>,
) -> Option<String> {
    if !matches!(answer.status, 200 | 201) {
        return Some(answer.text.clone());
    }
    let spec = answer.json()["spec"].clone();
    for (name, value) in fields {
        // Elements of a list map are merged with those of the other manager.
        if name != "rules" && name != "labels" && spec.get(name) != Some(value) {
            return Some(format!("`{name}` is not as it was applied: {spec}"));
        }
    }
    let found: Vec<&str> = spec
        .as_object()
        .into_iter()
        .flat_map(Map::keys)
        .map(|name| in_hub(name))
        .collect();
    let nobodys = found
        .iter()
        .find(|name| !owned.values().any(|names| names.contains(**name)));
    nobodys.map(|name| format!("nobody applies `{name}` any more: {spec}"))
}
