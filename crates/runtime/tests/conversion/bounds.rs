//! The annotations are never larger than what `gen-crds` computes from the schemas, and can be nearly as large.

use crd_channels_check::Document;
use crd_channels_runtime::conversion::{Convert, Kind, convert_root, round_trip};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResource;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

mod v1 {
    use super::*;

    #[derive(Clone, Convert, CustomResource, Debug, Deserialize, Serialize)]
    #[kube(
        group = "example.com",
        version = "v1",
        kind = "Box",
        schema = "disabled"
    )]
    pub struct BoxSpec {
        pub name: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub note: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub owner: Option<Owner>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub sides: Vec<Side>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub steps: Vec<Step>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub lid: Option<Lid>,
        pub weight: i64,
    }

    #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
    pub struct Owner {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub first: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub last: Option<String>,
    }

    #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
    pub struct Side {
        pub name: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub mark: Option<String>,
    }

    #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
    pub struct Step {
        pub text: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub seconds: Option<i32>,
    }

    #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
    #[serde(rename_all = "camelCase")]
    pub enum Lid {
        Open {},
        Shut { lock: Option<String> },
        Sealed { seal: Option<String> },
    }
}

mod v1beta1 {
    use super::*;

    #[derive(Clone, Convert, CustomResource, Debug, Deserialize, Serialize)]
    #[convert(hub = v1::BoxSpec, hub_only(note, weight))]
    #[kube(
        group = "example.com",
        version = "v1beta1",
        kind = "Box",
        schema = "disabled"
    )]
    pub struct BoxSpec {
        pub name: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub owner: Option<Owner>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub sides: Vec<Side>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub steps: Vec<Step>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub lid: Option<Lid>,
        #[convert(skip)]
        #[serde(skip_serializing_if = "Option::is_none")]
        pub color: Option<String>,
    }

    #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
    #[convert(hub = v1::Owner, hub_only(last))]
    pub struct Owner {
        #[serde(skip_serializing_if = "Option::is_none")]
        pub first: Option<String>,
    }

    #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
    #[convert(hub = v1::Side, hub_only(mark))]
    pub struct Side {
        pub name: String,
    }

    #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
    #[convert(hub = v1::Step, hub_only(seconds))]
    pub struct Step {
        pub text: String,
    }

    #[derive(Clone, Convert, Debug, Deserialize, Serialize)]
    #[convert(hub = v1::Lid, hub_only(Sealed => Open))]
    #[serde(rename_all = "camelCase")]
    pub enum Lid {
        Open {},
        Shut { lock: Option<String> },
    }
}

convert_root!(v1beta1::Box => v1::Box { spec });

/// The kind, with texts of at most this length.
fn crd(most: i64) -> CustomResourceDefinition {
    let text = || json!({ "type": "string", "maxLength": most });
    let object = |fields: Value| json!({ "type": "object", "properties": fields });
    let of = |mut fields: Value, hub: bool| {
        let whole = fields.as_object_mut().unwrap();
        let mut inner = json!({ "first": text() });
        let mut side = json!({ "name": text() });
        let mut step = json!({ "text": text() });
        let mut lid =
            json!({ "open": { "type": "object" }, "shut": object(json!({ "lock": text() })) });
        let mut branches = vec![
            json!({ "required": ["open"] }),
            json!({ "required": ["shut"] }),
        ];
        if hub {
            inner["last"] = text();
            side["mark"] = text();
            step["seconds"] = json!({ "type": "integer", "format": "int32" });
            lid["sealed"] = object(json!({ "seal": text() }));
            branches.push(json!({ "required": ["sealed"] }));
        }
        let mut side = object(side);
        side["required"] = json!(["name"]);
        let mut step = object(step);
        step["required"] = json!(["text"]);
        let mut lid = object(lid);
        lid["oneOf"] = branches.into();
        whole.extend([
            ("name".to_owned(), text()),
            ("owner".to_owned(), object(inner)),
            (
                "sides".to_owned(),
                json!({ "type": "array", "maxItems": 4, "items": side,
                "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] }),
            ),
            (
                "steps".to_owned(),
                json!({ "type": "array", "maxItems": 4, "items": step }),
            ),
            ("lid".to_owned(), lid),
        ]);
        let mut spec = object(fields);
        spec["required"] = if hub {
            json!(["name", "weight"])
        } else {
            json!(["name"])
        };
        let mut root = object(json!({ "metadata": { "type": "object" }, "spec": spec }));
        root["required"] = json!(["spec"]);
        root
    };
    let version = |name: &str, schema: Value| json!({ "name": name, "served": true, "storage": name == "v1", "schema": { "openAPIV3Schema": schema } });
    let hub = json!({ "note": text(), "weight": { "type": "integer" } });
    let crd = json!({ "apiVersion": "apiextensions.k8s.io/v1", "metadata": {}, "spec": {
        "group": "example.com", "names": { "kind": "Box", "plural": "boxes" }, "scope": "Cluster",
        "conversion": { "strategy": "Webhook" },
        "versions": [version("v1", of(hub, true)), version("v1beta1", of(json!({ "color": text() }), false))],
    } });
    serde_json::from_value(crd).unwrap()
}

fn kind(crd: &CustomResourceDefinition) -> Kind {
    let versions = Kind::with_hub::<v1::Box>(crd).spoke::<v1beta1::Box>();
    versions.build().unwrap()
}

/// The computed size; `None` if no schema bounds it.
pub fn most(crd: &CustomResourceDefinition) -> Option<usize> {
    let mut document = serde_json::to_value(crd).unwrap();
    document["kind"] = json!("CustomResourceDefinition");
    document["apiVersion"] = json!("apiextensions.k8s.io/v1");
    let most = Document::decode(&document).most_kept()?;
    Some(usize::try_from(most).unwrap())
}

/// The size of the annotations that the conversion writes.
pub fn kept(kind: &Kind, object: &Value) -> usize {
    let annotations = object["metadata"]["annotations"].as_object();
    let own = annotations.into_iter().flatten();
    let own = own.filter(|(name, _)| name.starts_with(&kind.annotation()));
    own.map(|(name, text)| name.len() + text.as_str().unwrap().len())
        .sum()
}

/// The same after a conversion.
fn kept_in(kind: &Kind, object: Value, from: &str, to: &str) -> usize {
    kept(kind, &kind.convert(object, from, to).unwrap().object)
}

#[test]
fn no_object_has_more_than_computed() {
    let mut runner = TestRunner::deterministic();
    for longest in [0, 1, 3] {
        let crd = crd(longest);
        let (kind, most) = (kind(&crd), most(&crd).unwrap());
        let mut largest = 0;
        for (from, to) in [("v1", "v1beta1"), ("v1beta1", "v1")] {
            let objects = round_trip::objects(&crd, from).unwrap();
            for _ in 0..500 {
                let object = objects.new_tree(&mut runner).unwrap().current();
                let kept = kept_in(&kind, object.clone(), from, to);
                assert!(kept <= most, "{kept} of {most}: {object:#}");
                largest = largest.max(kept);
            }
        }
        assert!(largest > most / 4, "{largest} of {most}");
    }
}

#[test]
fn the_largest_object_comes_close() {
    let crd = crd(200);
    let (kind, most) = (kind(&crd), most(&crd).unwrap());
    // What JSON writes as `\u0001`.
    let text = |number: usize| "\u{1}".repeat(199) + ["\u{1}", "\u{2}", "\u{3}", "\u{4}"][number];
    let side = |number| json!({ "name": text(number), "mark": text(0) });
    let step = |number| json!({ "text": text(number), "seconds": i32::MIN });
    let object = json!({
        "apiVersion": "example.com/v1", "kind": "Box", "metadata": { "name": "a" },
        "spec": {
            "name": text(0), "note": text(0), "owner": { "first": text(0), "last": text(0) },
            "sides": [side(0), side(1), side(2), side(3)], "steps": [step(0), step(1), step(2), step(3)],
            "lid": { "sealed": { "seal": text(0) } }, "weight": i64::MIN,
        },
    });
    let kept = kept_in(&kind, object, "v1", "v1beta1");
    assert!(kept <= most, "{kept} of {most}");
    assert!(most <= 3 * kept, "{kept} of {most}");
}

/// A part that would get one could take the field from whoever applied it.
#[test]
fn a_part_gets_no_default_of_what_only_the_hub_requires() {
    let kind = kind(&crd(8));
    for (spec, expected) in [
        (json!({ "sides": [] }), json!({ "sides": [] })),
        (json!({ "name": "a" }), json!({ "name": "a", "weight": 0 })),
    ] {
        let object = json!({ "apiVersion": "example.com/v1beta1", "kind": "Box", "spec": spec });
        let converted = kind.convert(object, "v1beta1", "v1").unwrap().object;
        assert_eq!(converted["spec"], expected);
    }
}
