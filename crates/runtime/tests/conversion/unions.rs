//! Unions, lists without keys, and defaults that an API server adds on the way.

use crd_channels_runtime::conversion::{
    Convert, Converter, Kind, VersionMismatch, convert_root, round_trip,
};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResource;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

mod v1 {
    use super::*;

    #[derive(Clone, Convert, CustomResource, Debug, Deserialize, Serialize)]
    #[kube(
        group = "example.com",
        version = "v1",
        kind = "Job",
        schema = "disabled"
    )]
    pub struct JobSpec {
        pub mode: Mode,
        pub steps: Vec<Step>,
    }

    #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
    #[serde(tag = "type")]
    pub enum Mode {
        Forward,
        Redirect,
        Mirror { target: String },
        Delay { seconds: String },
        Pause { until: String },
    }

    #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
    pub struct Step {
        pub run: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub weight: Option<i32>,
    }
}

#[derive(Clone, Convert, CustomResource, Debug, Deserialize, Serialize)]
#[convert(hub = v1::JobSpec)]
#[kube(
    group = "example.com",
    version = "v1beta1",
    kind = "Job",
    schema = "disabled"
)]
struct JobSpec {
    mode: Mode,
    steps: Vec<Step>,
}

#[derive(Clone, Convert, Debug, Deserialize, Serialize)]
#[convert(hub = v1::Mode, hub_only(Mirror => Forward))]
#[serde(tag = "type")]
enum Mode {
    Forward,
    #[convert(rename = Redirect)]
    Bounce,
    Delay {
        #[convert(rename = seconds)]
        wait: String,
    },
    Pause {
        until: String,
    },
}

#[derive(Clone, Convert, Debug, Deserialize, Serialize)]
#[convert(hub = v1::Step, hub_only(weight))]
struct Step {
    run: String,
    #[convert(skip)]
    #[serde(skip_serializing_if = "Option::is_none")]
    retries: Option<i32>,
}

convert_root!(Job => v1::Job { spec });

/// A version that the CRD does not have.
mod later {
    use super::*;

    #[derive(Clone, Convert, CustomResource, Debug, Deserialize, Serialize)]
    #[convert(hub = v1::JobSpec)]
    #[kube(
        group = "example.com",
        version = "v2",
        kind = "Job",
        schema = "disabled"
    )]
    pub struct JobSpec {
        #[convert(same)]
        mode: v1::Mode,
        #[convert(same)]
        steps: Vec<v1::Step>,
    }

    convert_root!(Job => v1::Job { spec });
}

fn crd() -> CustomResourceDefinition {
    let variant = |name: &str, more: &[&str]| {
        let required: Vec<&str> = ["type"].iter().chain(more).copied().collect();
        json!({ "required": required, "properties": { "type": { "enum": [name] } } })
    };
    let mode = |variants: &[Value], names: &[&str], more: Value| {
        let mut properties = more;
        properties["type"] = json!({ "type": "string", "enum": names });
        json!({ "type": "object", "required": ["type"], "properties": properties, "oneOf": variants })
    };
    let version = |name: &str, mode: Value, step: Value| {
        let steps = json!({ "type": "array", "items": { "type": "object", "required": ["run"], "properties": step } });
        let spec = json!({ "type": "object", "required": ["mode", "steps"], "properties": { "mode": mode, "steps": steps } });
        let schema =
            json!({ "type": "object", "required": ["spec"], "properties": { "spec": spec } });
        json!({ "name": name, "served": true, "storage": name == "v1", "schema": { "openAPIV3Schema": schema } })
    };
    let text = json!({ "type": "string", "maxLength": 8 });
    let number = json!({ "type": "integer", "format": "int32" });
    let retries = json!({ "type": "integer", "format": "int32", "default": 5 });
    let versions = [
        version(
            "v1",
            mode(
                &[
                    variant("Forward", &[]),
                    variant("Redirect", &[]),
                    variant("Mirror", &["target"]),
                    variant("Delay", &["seconds"]),
                    variant("Pause", &["until"]),
                ],
                &["Forward", "Redirect", "Mirror", "Delay", "Pause"],
                json!({ "target": text, "seconds": text, "until": text }),
            ),
            json!({ "run": text, "weight": number }),
        ),
        version(
            "v1beta1",
            mode(
                &[
                    variant("Forward", &[]),
                    variant("Bounce", &[]),
                    variant("Delay", &["wait"]),
                    variant("Pause", &["until"]),
                ],
                &["Forward", "Bounce", "Delay", "Pause"],
                json!({ "wait": text, "until": text }),
            ),
            json!({ "run": text, "retries": retries }),
        ),
    ];
    serde_json::from_value(json!({ "metadata": { "name": "jobs.example.com" }, "spec": {
        "group": "example.com", "scope": "Namespaced", "names": { "kind": "Job", "plural": "jobs" }, "versions": versions,
    } }))
    .unwrap()
}

fn converter() -> Converter {
    let jobs = Kind::with_hub::<v1::Job>(&crd()).spoke::<Job>();
    Converter::new([jobs.build().unwrap()])
}

fn job(spec: &Value) -> Value {
    let metadata = json!({ "name": "a", "labels": { "b": "c" } });
    json!({ "apiVersion": "example.com/v1", "kind": "Job", "metadata": metadata, "spec": spec })
}

/// The parts of two forms do not fit together: a change of the form wins as a whole.
#[test]
fn a_union_comes_back_whole_or_not_at_all() {
    let object = job(&json!({ "mode": { "type": "Mirror", "target": "x" }, "steps": [] }));
    let mut old = converter().convert(object.clone(), "v1beta1").unwrap();
    assert_eq!(old["spec"]["mode"], json!({ "type": "Forward" }));
    assert_eq!(converter().convert(old.clone(), "v1").unwrap(), object);
    old["spec"]["mode"] = json!({ "type": "Bounce" });
    let changed = converter().convert(old, "v1").unwrap();
    assert_eq!(changed["spec"]["mode"], json!({ "type": "Redirect" }));
}

/// An API server adds the defaults of the version that a request is made in before it converts.
#[test]
fn defaults_of_the_other_version_do_not_cost_what_is_kept() {
    let object =
        job(&json!({ "mode": { "type": "Forward" }, "steps": [{ "run": "a", "weight": 1 }] }));
    let mut old = converter().convert(object.clone(), "v1beta1").unwrap();
    old["spec"]["steps"][0]["retries"] = json!(5);
    assert_eq!(
        converter().convert(old, "v1").unwrap()["spec"],
        object["spec"]
    );
}

#[test]
fn elements_without_keys_keep_what_is_theirs_where_they_are_as_they_were() {
    let steps = json!([{ "run": "a", "weight": 1 }, { "run": "b", "weight": 2 }]);
    let object = job(&json!({ "mode": { "type": "Forward" }, "steps": steps }));
    let mut old = converter().convert(object, "v1beta1").unwrap();
    old["spec"]["steps"] = json!([{ "run": "new" }, { "run": "b" }, { "run": "a" }]);
    let changed = converter().convert(old, "v1").unwrap();
    let steps = json!([{ "run": "new" }, { "run": "b", "weight": 2 }, { "run": "a", "weight": 1 }]);
    assert_eq!(changed["spec"]["steps"], steps);
}

#[test]
fn labels_stay_where_the_type_does_not_have_them() {
    let object = job(&json!({ "mode": { "type": "Forward" }, "steps": [] }));
    let old = converter().convert(object, "v1beta1").unwrap();
    assert_eq!(old["metadata"]["labels"], json!({ "b": "c" }));
}

/// A server-side apply sends what another manager leaves of an object: perhaps a field of a variant without the tag.
#[test]
fn a_field_without_its_tag_is_that_of_the_variant_that_has_it() {
    for (field, there) in [("seconds", "wait"), ("until", "until")] {
        let left = job(&json!({ "mode": { field: "5" } }));
        let converted = converter().convert(left.clone(), "v1beta1").unwrap();
        assert_eq!(converted["spec"], json!({ "mode": { there: "5" } }));
        assert_eq!(converter().convert(converted, "v1").unwrap(), left);
    }
}

/// What a manager leaves of an enum with a tag.
#[test]
fn an_enum_of_which_nothing_is_left_is_empty_in_every_version() {
    for (from, to) in [("v1", "v1beta1"), ("v1beta1", "v1")] {
        for left in [
            json!({ "mode": {} }),
            json!({ "mode": null }),
            json!({ "steps": [] }),
            json!({ "steps": null }),
            json!({}),
        ] {
            let mut object = job(&left);
            object["apiVersion"] = json!(format!("example.com/{from}"));
            let converted = converter().convert(object, to).unwrap();
            assert_eq!(converted["spec"], left, "{from}");
        }
    }
}

#[test]
fn random_objects_come_back_as_they_were() {
    round_trip::check(&converter(), &crd(), super::count(300))
        .unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn the_versions_are_those_of_the_crd() {
    let kind = || Kind::with_hub::<v1::Job>(&crd());
    let missing = VersionMismatch::Missing("v1beta1".to_owned());
    assert_eq!(kind().build().unwrap_err(), missing.clone());
    let mut of_other = crd();
    of_other.spec.group = "example.org".to_owned();
    let mut other = crd();
    other.spec.names.kind = "Task".to_owned();
    for crd in [of_other, other] {
        let built = Kind::with_hub::<v1::Job>(&crd).spoke::<Job>().build();
        let mismatch = VersionMismatch::OtherKind("Job.example.com".to_owned());
        assert_eq!(built.unwrap_err(), mismatch);
    }
    let mut stored = crd();
    stored.spec.versions[1].served = false;
    let without = |crd: &CustomResourceDefinition| Kind::with_hub::<v1::Job>(crd).build().err();
    assert_eq!(without(&stored), None, "neither served nor stored");
    stored.spec.versions[1].storage = true;
    assert_eq!(without(&stored), Some(missing));
    let twice = kind().spoke::<Job>().spoke::<Job>();
    assert_eq!(
        twice.build().unwrap_err().to_string(),
        "version `v1beta1` is converted twice"
    );
    let unknown = kind().spoke::<Job>().spoke::<later::Job>();
    assert_eq!(
        unknown.build().unwrap_err().to_string(),
        "the CRD does not have version `v2`"
    );
}
