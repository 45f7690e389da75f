//! A former release does not know a member of each kind of union. The versions of the newer one have one name for it or two. The
//! objects are not edited.

use crd_channels_runtime::conversion::{Convert, Kind, Unconvertible, convert_root};
use crd_channels_runtime::validation::Validator;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResource;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The types of a release, with the members that it has more than the other one.
macro_rules! release {
    (
        $release:ident, one { $($one:tt)* } { $($beta_one:tt)* } text { $($text:tt)* } { $($beta_text:tt)* }
        external { $($external:tt)* } { $($beta_external:tt)* }
        how { $($how:tt)* } { $($beta_how:tt)* }
    ) => {
        mod $release {
            use super::*;

            mod v1 {
                use super::*;

                #[derive(Clone, Convert, CustomResource, Debug, Deserialize, Serialize)]
                #[kube(group = "example.com", version = "v1", kind = "Job", schema = "disabled")]
                pub struct JobSpec {
                    #[serde(skip_serializing_if = "Option::is_none")]
                    pub one: Option<One>,
                    pub text: Option<Text>,
                    pub external: Option<External>,
                    pub tagged: Option<Tagged>,
                    pub adjacent: Option<Adjacent>,
                    pub untagged: Option<Untagged>,
                    pub single: Option<Single>,
                    #[serde(flatten)]
                    pub how: How,
                }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                pub struct One {
                    pub git: Option<String>,
                    pub image: Option<String>,
                    $($one)*
                }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                pub enum Text { Low, High, $($text)* }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                #[serde(rename_all = "camelCase")]
                pub enum External { Git(String), Image(String), $($external)* }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                #[serde(rename_all = "camelCase")]
                pub enum Single { Git(String), $($external)* }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                #[serde(tag = "type")]
                pub enum Tagged { Git { git: String }, Image { image: String }, $($how)* }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                #[serde(tag = "type", content = "of")]
                pub enum Adjacent { Git(String), Image(String), $($external)* }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                #[serde(untagged)]
                pub enum Untagged { Git { git: String }, Image { image: String }, $($how)* }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                #[serde(rename_all = "camelCase")]
                pub enum How { Run { command: String }, Wait { command: String }, $($how)* }
            }

            mod v1beta1 {
                use super::*;

                #[derive(Clone, Convert, CustomResource, Debug, Deserialize, Serialize)]
                #[kube(group = "example.com", version = "v1beta1", kind = "Job", schema = "disabled")]
                #[convert(hub = v1::JobSpec)]
                pub struct JobSpec {
                    #[convert(rename = one)]
                    pub source: Option<One>,
                    pub text: Option<Text>,
                    pub external: Option<External>,
                    pub tagged: Option<Tagged>,
                    pub adjacent: Option<Adjacent>,
                    pub untagged: Option<Untagged>,
                    pub single: Option<Single>,
                    #[serde(flatten)]
                    pub how: How,
                }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                #[convert(hub = v1::One)]
                pub struct One {
                    pub git: Option<String>,
                    pub image: Option<String>,
                    $($beta_one)*
                }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                #[convert(hub = v1::Text)]
                pub enum Text { Low, High, $($beta_text)* }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                #[convert(hub = v1::External)]
                #[serde(rename_all = "camelCase")]
                pub enum External { Git(String), Image(String), $($beta_external)* }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                #[convert(hub = v1::Single)]
                #[serde(rename_all = "camelCase")]
                pub enum Single { Git(String), $($beta_external)* }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                #[convert(hub = v1::Tagged)]
                #[serde(tag = "type")]
                pub enum Tagged { Git { git: String }, Image { image: String }, $($beta_how)* }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                #[convert(hub = v1::Adjacent)]
                #[serde(tag = "type", content = "of")]
                pub enum Adjacent { Git(String), Image(String), $($beta_external)* }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                #[convert(hub = v1::Untagged)]
                #[serde(untagged)]
                pub enum Untagged { Git { git: String }, Image { image: String }, $($beta_how)* }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                #[convert(hub = v1::How)]
                #[serde(rename_all = "camelCase")]
                pub enum How { Run { command: String }, Wait { command: String }, $($beta_how)* }
            }

            convert_root!(v1beta1::Job => v1::Job { spec });

            pub fn kind(crd: &CustomResourceDefinition) -> Kind {
                Kind::with_hub::<v1::Job>(crd).spoke::<v1beta1::Job>().build().unwrap()
            }
        }
    };
}

release! { former, one {} {} text {} {} external {} {} how {} {} }

release! {
    alike,
    one { pub oci: Option<String>, } { pub oci: Option<String>, }
    text { Extreme } { Extreme }
    external { Oci(String) } { Oci(String) }
    how { Oci { oci: String } } { Oci { oci: String } }
}

release! {
    renamed,
    one { pub oci: Option<String>, } { #[convert(rename = oci)] pub registry: Option<String>, }
    text { Extreme } { #[convert(rename = Extreme)] Most }
    external { Oci(String) } { #[convert(rename = Oci)] Registry(String) }
    how { Oci { oci: String } } { #[convert(rename = Oci)] Registry { #[convert(rename = oci)] registry: String } }
}

/// What a release calls the member in each kind of union.
type Names = [&'static str; 3];

const HUB: Names = ["oci", "Oci", "Extreme"];
const RENAMED: Names = ["registry", "Registry", "Most"];

/// The CRD of a release, with the names in `v1beta1` if it has the member.
fn crd(newer: Option<Names>) -> CustomResourceDefinition {
    let text = json!({ "type": "string" });
    let version = |name: &str, one: &str, [oci, tag, most]: Names| {
        let all = |all: &[&str]| -> Vec<String> {
            all[..if newer.is_some() { 3 } else { 2 }]
                .iter()
                .map(|name| (*name).to_owned())
                .collect()
        };
        let names = ["git", "image", oci];
        let object = |own: &[&str], schema: &Value| {
            let own = all(own).into_iter().map(|name| (name, schema.clone()));
            json!({ "type": "object", "properties": own.collect::<serde_json::Map<_, _>>() })
        };
        let required = |own: &[&str]| -> Value {
            all(own)
                .iter()
                .map(|name| json!({ "required": [name] }))
                .collect()
        };
        let mut of_rule = object(&names, &text);
        let asked: Vec<String> = all(&names)
            .iter()
            .map(|name| format!("has(self.{name})"))
            .collect();
        let rule = format!("[{}].filter(x, x == true).size() == 1", asked.join(", "));
        of_rule["x-kubernetes-validations"] = json!([{ "rule": rule }]);
        let mut external = object(&names, &text);
        external["oneOf"] = required(&names);
        let mut tagged = object(&names, &text);
        tagged["properties"]["type"] =
            json!({ "type": "string", "enum": all(&["Git", "Image", tag]) });
        let tags = all(&["Git", "Image", tag]);
        let branches = tags.iter().zip(names);
        tagged["oneOf"] = branches.map(|(tag, name)| {
            json!({ "required": ["type", name], "properties": { "type": { "enum": [tag] } } })
        }).collect();
        let adjacent = json!({ "type": "object", "required": ["type", "of"], "properties": {
            "type": { "type": "string", "enum": tags }, "of": text,
        } });
        let mut single = external.clone();
        single["oneOf"].as_array_mut().unwrap().remove(1);
        single["properties"]
            .as_object_mut()
            .unwrap()
            .remove("image");
        let mut untagged = object(&names, &text);
        untagged["anyOf"] = required(&names);
        let mut spec = object(
            &["run", "wait", oci],
            &object(&["command", "command", oci], &text),
        );
        spec["oneOf"] = required(&["run", "wait", oci]);
        let own = [
            (one, of_rule),
            (
                "text",
                json!({ "type": "string", "enum": all(&["Low", "High", most]) }),
            ),
            ("external", external),
            ("tagged", tagged),
            ("adjacent", adjacent),
            ("untagged", untagged),
            ("single", single),
        ];
        own.into_iter()
            .for_each(|(name, schema)| spec["properties"][name] = schema);
        let root =
            json!({ "type": "object", "required": ["spec"], "properties": { "spec": spec } });
        json!({ "name": name, "served": true, "storage": name == "v1", "schema": { "openAPIV3Schema": root } })
    };
    serde_json::from_value(json!({ "apiVersion": "apiextensions.k8s.io/v1", "metadata": { "name": "jobs.example.com" }, "spec": {
        "group": "example.com", "scope": "Cluster", "names": { "kind": "Job", "plural": "jobs" },
        "versions": [version("v1", "one", HUB), version("v1beta1", "source", newer.unwrap_or(HUB))],
    } }))
    .unwrap()
}

/// Reads an object in another version by one release and writes it back by another. Returns it, and whether one of them said that
/// it does not know something.
fn written(
    by: [&Kind; 2],
    object: &Value,
    [stored, other]: [&str; 2],
) -> Result<(Value, bool), Unconvertible> {
    let shown = by[0].convert(object.clone(), stored, other)?;
    let back = by[1].convert(shown.object, other, stored)?;
    let said = shown.unrestored.into_iter().chain(back.unrestored);
    Ok((back.object, said.count() > 0))
}

/// Every order in which two releases read and write an object twice, and what becomes of a member that the former one does not
/// know: it refuses it, or says so and keeps it for the newer one.
#[test]
fn a_member_that_the_former_release_does_not_know_is_there_for_the_newer_one() {
    let former = former::kind(&crd(None));
    for (kind, names) in [(alike::kind as fn(&_) -> _, HUB), (renamed::kind, RENAMED)] {
        let crd = crd(Some(names));
        is_there_for_the_newer_one([&former, &kind(&crd)], &crd);
    }
}

fn is_there_for_the_newer_one([former, newer]: [&Kind; 2], crd: &CustomResourceDefinition) {
    let document = serde_json::to_value(crd).unwrap();
    let run = |field: &str, value: Value| json!({ "run": { "command": "c" }, field: value });
    for (spec, is_refused) in [
        (run("one", json!({ "oci": "s" })), false),
        (run("text", json!("Extreme")), true),
        (run("external", json!({ "oci": "s" })), true),
        (run("single", json!({ "oci": "s" })), true),
        (run("tagged", json!({ "type": "Oci", "oci": "s" })), true),
        (run("adjacent", json!({ "type": "Oci", "of": "s" })), true),
        (run("untagged", json!({ "oci": "s" })), false),
        (json!({ "oci": { "oci": "s" } }), false),
    ] {
        let object = json!({ "apiVersion": "example.com/v1", "kind": "Job", "metadata": { "name": "a" }, "spec": spec });
        let beta = newer.convert(object.clone(), "v1", "v1beta1").unwrap();
        for (object, versions) in [
            (object, ["v1", "v1beta1"]),
            (beta.object, ["v1beta1", "v1"]),
        ] {
            let validator = Validator::new(&document, versions[0]).unwrap();
            for order in 0..16 {
                let by = |place: u8| {
                    if order >> place & 1 == 0 {
                        former
                    } else {
                        newer
                    }
                };
                let mut now = object.clone();
                for by in [[by(0), by(1)], [by(2), by(3)], [newer, newer]] {
                    match written(by, &now, versions) {
                        Ok((next, is_said)) => {
                            let is_valid = validator.create(&next).violations.is_empty();
                            assert!(is_valid || is_said, "{order} {now} {next}");
                            now = next;
                        }
                        Err(why) => assert!(is_refused, "{order} {now} {why}"),
                    }
                }
                assert_eq!(now, object, "{order}");
            }
            let shown = written([former, former], &object, versions);
            assert_eq!(shown.is_err(), is_refused, "{object} {shown:?}");
            assert!(
                shown.is_ok_and(|(_, is_said)| is_said) != is_refused,
                "{object}"
            );
        }
    }
}
