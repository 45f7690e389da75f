//! A kind in two releases of a program. The newer one has more fields, values, members of a union and parts of elements.

use crd_channels_runtime::conversion::{Convert, Kind, convert_root};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResource;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The types of a release, with what it has more than the other one.
macro_rules! release {
    (
        $release:ident,
        spec { $($spec:tt)* } beta { $($beta:tt)* } missing { $($missing:tt)* } source { $($source:tt)* }
        rule { $($rule:tt)* } step { $($step:tt)* } limit { $($limit:tt)* } mode { $($mode:tt)* } shown { $($shown:tt)* }
    ) => {
        pub mod $release {
            use super::*;

            pub mod v1 {
                use super::*;

                #[derive(Clone, Convert, CustomResource, Debug, Deserialize, Serialize)]
                #[kube(group = "example.com", version = "v1", kind = "Site", schema = "disabled")]
                pub struct SiteSpec {
                    pub name: Option<String>,
                    pub quiet: Option<bool>,
                    pub level: Option<String>,
                    pub mode: Option<Mode>,
                    pub source: Option<Source>,
                    pub rules: Option<Vec<Rule>>,
                    pub steps: Option<Vec<Step>>,
                    pub limits: Option<BTreeMap<String, Limit>>,
                    $($spec)*
                }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                pub enum Mode {
                    Forward,
                    Redirect,
                    Mirror,
                    $($mode)*
                }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                pub struct Source {
                    pub git: Option<String>,
                    pub image: Option<String>,
                    pub inline: Option<String>,
                    $($source)*
                }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                pub struct Rule {
                    pub name: String,
                    pub backend: Option<String>,
                    pub weight: Option<i32>,
                    pub level: Option<String>,
                    $($rule)*
                }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                pub struct Step {
                    pub run: String,
                    pub weight: Option<i32>,
                    pub level: Option<String>,
                    $($step)*
                }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                pub struct Limit {
                    pub most: i32,
                    pub soft: Option<i32>,
                    $($limit)*
                }
            }

            pub mod v1beta1 {
                use super::*;

                #[derive(Clone, Convert, CustomResource, Debug, Deserialize, Serialize)]
                #[kube(group = "example.com", version = "v1beta1", kind = "Site", schema = "disabled")]
                #[convert(hub = v1::SiteSpec, hub_only(quiet, level $($missing)*))]
                pub struct SiteSpec {
                    #[convert(rename = name)]
                    pub title: Option<String>,
                    #[convert(skip)]
                    pub comment: Option<String>,
                    pub mode: Option<Mode>,
                    pub source: Option<Source>,
                    pub rules: Option<Vec<Rule>>,
                    pub steps: Option<Vec<Step>>,
                    pub limits: Option<BTreeMap<String, Limit>>,
                    $($beta)*
                }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                #[convert(hub = v1::Mode, hub_only(Mirror => Forward $($shown)*))]
                pub enum Mode {
                    Forward,
                    #[convert(rename = Redirect)]
                    Bounce,
                }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                #[convert(hub = v1::Source, hub_only(inline))]
                pub struct Source {
                    pub git: Option<String>,
                    pub image: Option<String>,
                    $($source)*
                }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                #[convert(hub = v1::Rule, hub_only(weight, level))]
                pub struct Rule {
                    pub name: String,
                    #[convert(rename = backend)]
                    pub service: Option<String>,
                    $($rule)*
                }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                #[convert(hub = v1::Step, hub_only(weight, level))]
                pub struct Step {
                    pub run: String,
                    $($step)*
                }

                #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
                #[convert(hub = v1::Limit, hub_only(soft))]
                pub struct Limit {
                    pub most: i32,
                    $($limit)*
                }
            }

            pub mod v1alpha1 {
                use super::*;

                release! { alpha $($missing)* }
            }

            convert_root!(v1beta1::Site => v1::Site { spec });
            convert_root!(v1alpha1::Site => v1::Site { spec });

            pub fn kind(crd: &CustomResourceDefinition) -> Kind {
                let versions = Kind::with_hub::<v1::Site>(crd);
                versions.spoke::<v1beta1::Site>().spoke::<v1alpha1::Site>().build().unwrap()
            }
        }
    };
    (alpha) => {
        release! { alpha of (quiet, level, mode, source, limits) {} }
    };
    (alpha , $($missing:tt)*) => {
        release! { alpha of (quiet, level, mode, source, limits, retries, $($missing)*) { $($missing)* } }
    };
    (alpha of ($($missing:tt)*) { $($newer:tt)* }) => {
        #[derive(Clone, Convert, CustomResource, Debug, Deserialize, Serialize)]
        #[kube(group = "example.com", version = "v1alpha1", kind = "Site", schema = "disabled")]
        #[convert(hub = v1::SiteSpec, hub_only($($missing)*))]
        pub struct SiteSpec {
            pub name: Option<String>,
            pub rules: Option<Vec<Rule>>,
            pub steps: Option<Vec<Step>>,
        }

        release! { elements { $($newer)* } }
    };
    (elements {}) => {
        release! { elements of (weight, level) (weight, level) }
    };
    (elements { $($newer:tt)+ }) => {
        release! { elements of (weight, level, zone) (weight, level, wait) }
    };
    (elements of ($($rule:tt)*) ($($step:tt)*)) => {
        #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
        #[convert(hub = v1::Rule, hub_only($($rule)*))]
        pub struct Rule {
            pub name: String,
            pub backend: Option<String>,
        }

        #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
        #[convert(hub = v1::Step, hub_only($($step)*))]
        pub struct Step {
            pub run: String,
        }
    };
}

release! {
    former,
    spec {} beta {} missing {} source {} rule {} step {} limit {} mode {} shown {}
}

release! {
    newer,
    spec {
        pub retries: Option<i32>,
        pub note: Option<String>,
    }
    beta {
        #[convert(rename = retries)]
        pub attempts: Option<i32>,
    }
    missing { , note }
    source { pub oci: Option<String>, pub depth: Option<i32>, }
    rule { pub zone: Option<String>, }
    step { pub wait: Option<i32>, }
    limit { pub least: Option<i32>, }
    mode { Drop, }
    shown { , Drop => Forward }
}

/// The CRD of a release.
pub fn crd(is_newer: bool) -> CustomResourceDefinition {
    let text = || json!({ "type": "string", "maxLength": 8 });
    let number = || json!({ "type": "integer", "format": "int32" });
    let object = |required: &[&str], fields: &[(&str, Value, bool)]| {
        let of_release = fields.iter().filter(|(_, _, newer)| is_newer || !newer);
        let fields = of_release.map(|(name, schema, _)| ((*name).to_owned(), schema.clone()));
        let properties: Map<String, Value> = fields.collect();
        json!({ "type": "object", "required": required, "properties": properties })
    };
    let values = |all: &[&str]| {
        let of_release = all
            .iter()
            .filter(|value| is_newer || !["Drop", "extreme"].contains(value));
        json!({ "type": "string", "enum": of_release.collect::<Vec<_>>() })
    };
    let union = |members: &[(&str, Value, bool)]| {
        let mut schema = object(&[], members);
        let names = schema["properties"].as_object().unwrap().keys();
        let count: Vec<String> = names
            .map(|name| format!("(has(self.{name}) ? 1 : 0)"))
            .collect();
        let rule = format!("{} <= 1", count.join(" + "));
        schema["x-kubernetes-validations"] = json!([{ "rule": rule }]);
        if is_newer {
            schema["properties"]["depth"] = number();
        }
        schema
    };
    let rules = |element: Value| {
        json!({
            "type": "array", "items": element, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
        })
    };
    let steps = |element: Value| json!({ "type": "array", "items": element });
    let limits = |values: Value| json!({ "type": "object", "additionalProperties": values });
    let (old, new) = (false, true);
    let level = || ("level", values(&["low", "high", "extreme"]), old);
    let member = |name| (name, text(), old);
    let oci = ("oci", text(), new);
    let hub = object(
        &[],
        &[
            ("name", text(), old),
            ("quiet", json!({ "type": "boolean" }), old),
            level(),
            (
                "mode",
                values(&["Forward", "Redirect", "Mirror", "Drop"]),
                old,
            ),
            (
                "source",
                union(&[
                    member("git"),
                    member("image"),
                    member("inline"),
                    oci.clone(),
                ]),
                old,
            ),
            (
                "rules",
                rules(object(
                    &["name"],
                    &[
                        member("name"),
                        member("backend"),
                        ("weight", number(), old),
                        level(),
                        ("zone", text(), new),
                    ],
                )),
                old,
            ),
            (
                "steps",
                steps(object(
                    &["run"],
                    &[
                        member("run"),
                        ("weight", number(), old),
                        level(),
                        ("wait", number(), new),
                    ],
                )),
                old,
            ),
            (
                "limits",
                limits(object(
                    &["most"],
                    &[
                        ("most", number(), old),
                        ("soft", number(), old),
                        ("least", number(), new),
                    ],
                )),
                old,
            ),
            ("retries", number(), new),
            ("note", text(), new),
        ],
    );
    let beta = object(
        &[],
        &[
            ("title", text(), old),
            ("comment", text(), old),
            ("mode", values(&["Forward", "Bounce"]), old),
            ("source", union(&[member("git"), member("image"), oci]), old),
            (
                "rules",
                rules(object(
                    &["name"],
                    &[member("name"), member("service"), ("zone", text(), new)],
                )),
                old,
            ),
            (
                "steps",
                steps(object(&["run"], &[member("run"), ("wait", number(), new)])),
                old,
            ),
            (
                "limits",
                limits(object(
                    &["most"],
                    &[("most", number(), old), ("least", number(), new)],
                )),
                old,
            ),
            ("attempts", number(), new),
        ],
    );
    let alpha = object(
        &[],
        &[
            ("name", text(), old),
            (
                "rules",
                rules(object(&["name"], &[member("name"), member("backend")])),
                old,
            ),
            ("steps", steps(object(&["run"], &[member("run")])), old),
        ],
    );
    let version = |name: &str, spec: Value| {
        let root =
            json!({ "type": "object", "required": ["spec"], "properties": { "spec": spec } });
        json!({ "name": name, "served": true, "storage": name == "v1", "schema": { "openAPIV3Schema": root } })
    };
    serde_json::from_value(json!({ "apiVersion": "apiextensions.k8s.io/v1", "metadata": { "name": "sites.example.com" }, "spec": {
        "group": "example.com", "scope": "Cluster", "names": { "kind": "Site", "plural": "sites" },
        "versions": [version("v1", hub), version("v1beta1", beta), version("v1alpha1", alpha)],
    } }))
    .unwrap()
}
