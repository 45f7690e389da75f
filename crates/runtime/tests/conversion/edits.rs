//! Edits in a narrower version, one story each.

use crd_channels_runtime::conversion::{Convert, Converter, Kind, convert_root, round_trip};
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
        kind = "Build",
        schema = "disabled"
    )]
    #[serde(rename_all = "camelCase")]
    pub struct BuildSpec {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub times: Option<i32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub retries: Option<i32>,
        /// Exactly one of its members is set.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub source: Option<Source>,
        #[serde(flatten)]
        pub output: Output,
        #[serde(default)]
        pub steps: Vec<Step>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub endpoint: Option<Endpoint>,
        pub owner: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub level: Option<String>,
    }

    #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
    pub struct Source {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub git: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub image: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub inline: Option<String>,
    }

    #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
    pub enum Output {
        #[serde(rename = "registry")]
        Registry(Registry),
        #[serde(rename = "folder")]
        Folder { path: String },
    }

    #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
    pub struct Registry {
        pub url: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub secret: Option<String>,
    }

    #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
    pub struct Step {
        pub run: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub weight: Option<i32>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        pub hidden: bool,
    }

    #[derive(Clone, Debug, Deserialize, Serialize)]
    pub struct Endpoint {
        pub host: String,
        pub port: u16,
    }
}

mod v1beta1 {
    use super::*;

    #[derive(Clone, Convert, CustomResource, Debug, Deserialize, Serialize)]
    #[kube(
        group = "example.com",
        version = "v1beta1",
        kind = "Build",
        schema = "disabled"
    )]
    #[convert(
        hub = v1::BuildSpec,
        hub_only(retries, owner, level),
        map((host, port) => endpoint, with = endpoint)
    )]
    pub struct BuildSpec {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub times: Option<i32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub source: Option<Source>,
        #[serde(flatten)]
        pub output: Output,
        #[convert(with = steps)]
        #[serde(default)]
        pub steps: Vec<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub host: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub port: Option<u16>,
    }

    #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
    #[convert(hub = v1::Source, hub_only(inline))]
    pub struct Source {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub git: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub image: Option<String>,
    }

    #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
    #[convert(hub = v1::Output)]
    pub enum Output {
        #[serde(rename = "registry")]
        Registry(Registry),
        #[serde(rename = "folder")]
        Folder { path: String },
    }

    #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
    #[convert(hub = v1::Registry, hub_only(secret))]
    pub struct Registry {
        pub url: String,
    }

    mod steps {
        use super::v1::Step;
        use crd_channels_runtime::conversion::Unconvertible;

        pub fn to_hub(steps: Vec<String>) -> Result<Vec<Step>, Unconvertible> {
            let step = |run| Step {
                run,
                weight: None,
                hidden: false,
            };
            Ok(steps.into_iter().map(step).collect())
        }

        pub fn from_hub(steps: Vec<Step>) -> Result<Vec<String>, Unconvertible> {
            let visible = steps.into_iter().filter(|step| !step.hidden);
            Ok(visible.map(|step| step.run).collect())
        }
    }

    mod endpoint {
        use super::v1::Endpoint;
        use crd_channels_runtime::conversion::Unconvertible;

        type Parts = (Option<String>, Option<u16>);

        pub fn to_hub(
            host: Option<String>,
            port: Option<u16>,
        ) -> Result<Option<Endpoint>, Unconvertible> {
            Ok(host.map(|host| Endpoint {
                host,
                port: port.unwrap_or(80),
            }))
        }

        pub fn from_hub(endpoint: Option<Endpoint>) -> Result<Parts, Unconvertible> {
            Ok(endpoint.map_or((None, None), |endpoint| {
                (Some(endpoint.host), Some(endpoint.port))
            }))
        }
    }

    convert_root!(Build => v1::Build { spec });
}

fn crd() -> CustomResourceDefinition {
    let text = json!({ "type": "string", "maxLength": 8 });
    let number = json!({ "type": "integer", "format": "int32" });
    let port = json!({ "type": "integer", "format": "int32", "minimum": 1, "maximum": 65535 });
    let source = |names: &[&str]| {
        let properties: serde_json::Map<_, _> = names
            .iter()
            .map(|name| ((*name).to_owned(), text.clone()))
            .collect();
        let count: Vec<String> = names
            .iter()
            .map(|name| format!("(has(self.{name}) ? 1 : 0)"))
            .collect();
        json!({ "type": "object", "properties": properties, "x-kubernetes-validations": [
            { "rule": format!("{} <= 1", count.join(" + ")) },
        ] })
    };
    let one_of = json!([{ "required": ["registry"] }, { "required": ["folder"] }]);
    let folder = json!({ "type": "object", "required": ["path"], "properties": { "path": text } });
    let registry = |properties: Value| json!({ "type": "object", "required": ["url"], "properties": properties });
    let step = json!({ "type": "object", "required": ["run"], "properties": {
        "run": text, "weight": number, "hidden": { "type": "boolean" },
    } });
    let hub = json!({
        "type": "object", "required": ["owner"], "oneOf": one_of, "properties": {
            "times": number, "retries": number, "owner": { "type": "string" },
            "source": source(&["git", "image", "inline"]),
            "registry": registry(json!({ "url": text, "secret": text })), "folder": folder,
            "steps": { "type": "array", "items": step },
            "endpoint": { "type": "object", "required": ["host", "port"], "properties": { "host": text, "port": port } },
            "level": { "type": "string", "enum": ["low", "high"] },
        },
    });
    let spoke = json!({
        "type": "object", "oneOf": one_of, "properties": {
            "times": number, "source": source(&["git", "image"]),
            "registry": registry(json!({ "url": text })), "folder": folder,
            "steps": { "type": "array", "items": text }, "host": text, "port": port,
        },
        "x-kubernetes-validations": [{ "rule": "has(self.host) == has(self.port)" }],
    });
    let version = |name: &str, spec: Value| {
        let schema =
            json!({ "type": "object", "required": ["spec"], "properties": { "spec": spec } });
        json!({ "name": name, "served": true, "storage": name == "v1", "schema": { "openAPIV3Schema": schema } })
    };
    serde_json::from_value(json!({ "metadata": { "name": "builds.example.com" }, "spec": {
        "group": "example.com", "scope": "Cluster", "names": { "kind": "Build", "plural": "builds" },
        "versions": [version("v1", hub), version("v1beta1", spoke)],
    } }))
    .unwrap()
}

fn kind() -> Kind {
    let kind = Kind::with_hub::<v1::Build>(&crd()).spoke::<v1beta1::Build>();
    kind.build().unwrap()
}

fn converter() -> Converter {
    Converter::new([kind()])
}

fn build(version: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": format!("example.com/{version}"), "kind": "Build", "metadata": { "name": "a" }, "spec": spec,
    })
}

/// The spec after an edit in `v1beta1`.
fn edited(spec: &Value, edit: impl Fn(&mut Value)) -> Value {
    let mut old = converter().convert(build("v1", spec), "v1beta1").unwrap();
    edit(&mut old["spec"]);
    converter().convert(old, "v1").unwrap()["spec"].clone()
}

#[test]
fn random_edits_lose_nothing() {
    round_trip::check(&converter(), &crd(), super::count(1000))
        .unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn another_member_of_a_union_takes_the_place_of_a_hidden_one() {
    let spec = json!({ "owner": "o", "source": { "inline": "text" }, "folder": { "path": "p" }, "steps": [] });
    let after = edited(&spec, |spec| spec["source"]["image"] = json!("img"));
    assert_eq!(after["source"], json!({ "image": "img" }));
    assert_eq!(edited(&spec, |_| {}), spec);
}

#[test]
fn a_flattened_enum_does_not_take_the_rest_of_its_struct_with_it() {
    let spec = json!({
        "owner": "o", "times": 1, "retries": 7, "registry": { "url": "u", "secret": "s" }, "steps": [],
    });
    let mut expected = spec.clone();
    expected["times"] = json!(2);
    assert_eq!(edited(&spec, |spec| spec["times"] = json!(2)), expected);

    let mut expected = spec.clone();
    expected["registry"]["url"] = json!("v");
    let after = edited(&spec, |spec| spec["registry"]["url"] = json!("v"));
    assert_eq!(after, expected, "the member is still the same one");

    let after = edited(&spec, |spec| {
        spec.as_object_mut().unwrap().remove("registry");
        spec["folder"] = json!({ "path": "p" });
    });
    let expected =
        json!({ "owner": "o", "times": 1, "retries": 7, "folder": { "path": "p" }, "steps": [] });
    assert_eq!(after, expected);
}

#[test]
fn elements_keep_what_is_theirs_beside_hidden_ones() {
    let steps = json!([
        { "run": "a", "weight": 1 }, { "run": "h", "hidden": true }, { "run": "b", "weight": 2 }, { "run": "c", "weight": 3 },
    ]);
    let spec = json!({ "owner": "o", "folder": { "path": "p" }, "steps": steps });
    let after = edited(&spec, |spec| {
        spec["steps"].as_array_mut().unwrap().push(json!("d"));
    });
    let mut expected = steps.clone();
    expected.as_array_mut().unwrap().push(json!({ "run": "d" }));
    assert_eq!(after["steps"], expected);

    let after = edited(&spec, |spec| spec["steps"] = json!(["x", "c", "a"]));
    let expected = json!([
        { "run": "x" }, { "run": "c", "weight": 3 }, { "run": "a", "weight": 1 }, { "run": "h", "hidden": true },
    ]);
    assert_eq!(after["steps"], expected);
}

/// Equal elements are told apart by their order.
#[test]
fn equal_elements_keep_what_is_theirs_in_their_order() {
    let steps = json!([{ "run": "a" }, { "run": "a", "weight": 1 }, { "run": "a", "weight": 2 }]);
    let spec = json!({ "owner": "o", "folder": { "path": "p" }, "steps": steps });
    let after = edited(&spec, |spec| spec["steps"] = json!(["x", "a", "a", "a"]));
    let expected = json!([{ "run": "x" }, { "run": "a" }, { "run": "a", "weight": 1 }, { "run": "a", "weight": 2 }]);
    assert_eq!(after["steps"], expected);
}

/// A value that a later program kept is not known here. It takes no other with it, and is there for that program.
#[test]
fn each_part_is_tried_by_itself_and_what_is_not_restored_is_said() {
    let mut fields: Vec<(String, Value)> = (0..60)
        .map(|index| {
            (
                format!("future{index}"),
                json!({ "value": { "was": index } }),
            )
        })
        .collect();
    fields.push(("level".to_owned(), json!({ "value": { "was": "extreme" } })));
    fields.push(("retries".to_owned(), json!({ "value": { "was": 3 } })));
    let fields: serde_json::Map<String, Value> = fields.into_iter().collect();
    let lost = json!({ "fields": { "spec": { "fields": fields } } });
    let kept = json!({ "format": 2, "versions": { "v1": lost } }).to_string();
    let mut object = build(
        "v1beta1",
        &json!({ "folder": { "path": "p" }, "steps": [] }),
    );
    object["metadata"]["annotations"] = json!({ "example.com/conversion-kept": kept });

    let converted = kind().convert(object, "v1beta1", "v1").unwrap();
    assert_eq!(converted.object["spec"]["retries"], 3);
    assert_eq!(converted.object["spec"]["future59"], 59);
    assert_eq!(converted.object["spec"].get("level"), None);
    let said: Vec<String> = converted
        .unrestored
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        said,
        ["`/spec/level` is left out: \"extreme\" is not a value of the enum: \"low\", \"high\""]
    );

    // The object is stored in `v1beta1` again, and the later program finds it there.
    let stored = kind().convert(converted.object, "v1", "v1beta1").unwrap();
    let kept =
        stored.object["metadata"]["annotations"]["example.com/conversion-kept.v1.later.spec.level"]
            .as_str()
            .unwrap();
    let kept: Value = serde_json::from_str(kept).unwrap();
    let level = &kept["versions"]["v1.later"]["fields"]["spec"]["fields"]["level"]["value"];
    assert_eq!(level, &json!({ "was": "extreme" }));
}

/// A member of a union that only a later program knows. What is chosen now excludes it or not: that program can tell.
#[test]
fn an_unknown_member_waits_for_a_later_program_if_others_are_chosen_now() {
    let blob = json!({ "shown": [{ "git": null }], "members": { "blob": { "was": "b" } } });
    let source = json!({ "source": { "members": [[blob], {}] } });
    let lost = json!({ "fields": { "spec": { "fields": source } } });
    let kept = json!({ "format": 2, "versions": { "v1": lost } }).to_string();
    for (now, is_restored) in [
        (json!({ "git": "g" }), true),
        (json!({ "image": "i" }), false),
        (json!({}), false),
        (Value::Null, false),
    ] {
        let mut object = build("v1beta1", &json!({ "source": now }));
        object["metadata"]["annotations"] = json!({ "example.com/conversion-kept": kept });
        let converted = kind().convert(object, "v1beta1", "v1").unwrap();
        let blob = converted.object["spec"]["source"].get("blob");
        assert_eq!(blob, is_restored.then_some(&json!("b")), "{now}");
        let later = converted.object["metadata"]["annotations"].to_string();
        assert_eq!(later.contains("v1.later"), !is_restored, "{now}");
        assert_eq!(converted.unrestored.is_empty(), is_restored, "{now}");
    }
}

#[test]
fn an_annotation_of_a_later_format_is_never_overwritten() {
    let spec = json!({ "owner": "o", "retries": 3, "folder": { "path": "p" }, "steps": [] });
    let mut object = build("v1", &spec);
    for later in [
        r#"{"format":9,"anything":1}"#,
        r#"{"format":9,"versions":{}}"#,
    ] {
        object["metadata"]["annotations"] = json!({ kind().annotation(): later });
        let error = kind().convert(object.clone(), "v1", "v1beta1").unwrap_err();
        assert_eq!(
            error.to_string(),
            "`metadata`: the annotation `example.com/conversion-kept` is of a later program, which has to convert the object"
        );
    }
    // One that nobody can read is of no program.
    object["metadata"]["annotations"] =
        json!({ kind().annotation(): r#"{"format":2,"anything":1}"# });
    assert!(kind().convert(object, "v1", "v1beta1").is_ok());
}

#[test]
fn parts_are_converted_as_far_as_they_go() {
    for (part, expected) in [
        (
            json!({ "metadata": { "name": "a" } }),
            json!({ "metadata": { "name": "a" } }),
        ),
        (json!({}), json!({ "metadata": {} })),
        (json!({ "spec": {} }), json!({ "metadata": {}, "spec": {} })),
        (
            json!({ "spec": { "source": { "git": "g" } } }),
            json!({ "metadata": {}, "spec": { "source": { "git": "g" } } }),
        ),
        (
            json!({ "spec": { "endpoint": { "host": "h" } } }),
            json!({ "metadata": {}, "spec": {} }),
        ),
        (
            json!({ "spec": { "endpoint": { "host": "h", "port": 1 } } }),
            json!({ "metadata": {}, "spec": { "host": "h", "port": 1 } }),
        ),
        (
            json!({ "spec": { "registry": {} } }),
            json!({ "metadata": {}, "spec": { "registry": {} } }),
        ),
    ] {
        let mut object = part.clone();
        object["apiVersion"] = json!("example.com/v1");
        object["kind"] = json!("Build");
        let mut converted = converter().convert(object, "v1beta1").unwrap();
        let fields = converted.as_object_mut().unwrap();
        assert_eq!(
            fields.remove("apiVersion"),
            Some(json!("example.com/v1beta1"))
        );
        assert_eq!(fields.remove("kind"), Some(json!("Build")));
        fields
            .get_mut("metadata")
            .unwrap()
            .as_object_mut()
            .unwrap()
            .remove("annotations");
        assert_eq!(converted, expected, "{part}");
    }
}

/// What a manager leaves of an object may be empty or `null`, also where a function converts it.
#[test]
fn what_is_empty_stays_empty_and_what_is_absent_stays_absent() {
    let there = |spec: &Value, from: &str, to: &str| {
        let mut object = build(from, spec);
        object["spec"] = spec.clone();
        converter().convert(object, to).unwrap()["spec"].clone()
    };
    let (empty, null) = (
        json!({ "steps": [], "source": {} }),
        json!({ "steps": null, "source": null }),
    );
    for (from, to) in [("v1", "v1beta1"), ("v1beta1", "v1")] {
        let without_owner = |mut spec: Value| {
            spec.as_object_mut().unwrap().remove("owner");
            spec
        };
        assert_eq!(without_owner(there(&empty, from, to)), empty, "{from}");
        // A function that takes a list is not called.
        assert_eq!(
            without_owner(there(&null, from, to)),
            json!({ "source": null }),
            "{from}"
        );
        assert_eq!(
            without_owner(there(&json!({}), from, to)),
            json!({}),
            "{from}"
        );
    }
    // Split fields.
    assert_eq!(
        there(&json!({ "endpoint": null }), "v1", "v1beta1"),
        json!({})
    );
    assert_eq!(
        there(&json!({ "host": null }), "v1beta1", "v1"),
        json!({ "owner": "" })
    );
}

/// A server writes `null` for a map whose fields a manager no longer applies.
#[test]
fn what_is_kept_comes_back_where_nothing_else_is_left() {
    let spec = json!({ "owner": "o", "retries": 3, "folder": { "path": "p" }, "steps": [] });
    let mut old = converter().convert(build("v1", &spec), "v1beta1").unwrap();
    old["spec"] = Value::Null;
    let after = converter().convert(old, "v1").unwrap();
    // The old version shows an owner in whole objects only.
    assert_eq!(after["spec"], json!({ "retries": 3 }));

    // A member of a union as well, and a field beside one that is required.
    let spec = json!({ "source": { "inline": "text" }, "registry": { "url": "u", "secret": "s" } });
    let after = edited(&spec, |spec| {
        spec["source"] = Value::Null;
        spec["registry"] = Value::Null;
    });
    assert_eq!(after["source"], spec["source"]);
    assert_eq!(after["registry"], json!({ "secret": "s" }));
}

/// The hub's required field is defaulted in a whole object.
#[test]
fn what_only_the_hub_requires_is_there_in_whole_objects() {
    let whole = build(
        "v1beta1",
        &json!({ "folder": { "path": "p" }, "steps": ["a"] }),
    );
    let converted = converter().convert(whole, "v1").unwrap();
    let expected = json!({ "owner": "", "folder": { "path": "p" }, "steps": [{ "run": "a" }] });
    assert_eq!(converted["spec"], expected);
}

#[test]
fn the_status_can_be_left_out() {
    let kind = Kind::with_hub::<v1::Build>(&crd()).spoke::<v1beta1::Build>();
    let kind = kind.without_status().build().unwrap();
    let lost = json!({ "fields": { "status": { "value": { "was": { "forged": true } } } } });
    let kept = json!({ "format": 2, "versions": { "v1": lost } }).to_string();
    let mut object = build("v1beta1", &json!({ "folder": { "path": "p" } }));
    object["metadata"]["annotations"] = json!({ "example.com/conversion-kept": kept });
    let converted = kind.convert(object, "v1beta1", "v1").unwrap();
    assert_eq!(converted.object.get("status"), None);
}
