//! Types with every attribute of serde and of the derive: what they read of a converted object is what they would be converted to.

mod versions;

use super::random::Dice;
use crd_channels_runtime::conversion::Kind;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde_json::{Map, Value, json};
use versions::{v1, v1beta1};

fn kind() -> Kind {
    let version = |name: &str| json!({ "name": name, "served": true, "storage": name == "v1" });
    let crd: CustomResourceDefinition = serde_json::from_value(json!({ "metadata": {}, "spec": {
        "group": "example.com", "names": { "kind": "Shape", "plural": "shapes" }, "scope": "Cluster",
        "versions": [version("v1"), version("v1beta1")],
    } }))
    .unwrap();
    Kind::with_hub::<v1::Shape>(&crd)
        .spoke::<v1beta1::Shape>()
        .build()
        .unwrap()
}

/// The JSON of an enum's variant, as serde writes it.
fn variant(
    dice: &mut Dice,
    tag: Option<&str>,
    content: Option<&str>,
    all: &[(&str, Value)],
) -> Value {
    let index = usize::try_from(dice.below(all.len().try_into().unwrap())).unwrap();
    let (name, inner) = &all[index];
    match (tag, content, inner) {
        (None, _, Value::Null) => json!(name),
        (None, _, inner) => json!({ *name: inner }),
        (Some(tag), Some(_), Value::Null) => json!({ tag: name }),
        (Some(tag), Some(content), inner) => json!({ tag: name, content: inner }),
        (Some(tag), None, inner) => {
            let mut all = inner.as_object().cloned().unwrap_or_default();
            all.insert(tag.to_owned(), json!(name));
            all.into()
        }
    }
}

/// The JSON of a spec in a version, with all that may be left out.
fn drawn(dice: &mut Dice, is_hub: bool) -> Value {
    let number = |dice: &mut Dice| json!(dice.below(9));
    let size = |dice: &mut Dice| match is_hub {
        true => number(dice),
        false => json!(format!("{}m", dice.below(9))),
    };
    let side = |dice: &mut Dice| match is_hub {
        true => json!({ "side": size(dice), "bent": true }),
        false => json!({ "edge": size(dice) }),
    };
    let variants = |dice: &mut Dice| match is_hub {
        true => [
            ("Off", Value::Null),
            ("On", side(dice)),
            (
                "Both",
                json!({ "left": number(dice), "right": number(dice) }),
            ),
            ("Hidden", json!({ "why": "w" })),
            ("Other", json!({ "left": number(dice) })),
        ],
        false => [
            ("none", Value::Null),
            ("On", side(dice)),
            (
                "Both",
                json!({ "first": number(dice), "2nd": number(dice) }),
            ),
            ("Former", json!({ "how": number(dice) })),
            ("Other", json!({ "first": number(dice) })),
        ],
    };
    let untagged = |dice: &mut Dice| match (dice.below(2), is_hub) {
        (0, _) => side(dice),
        (_, true) => json!({ "left": number(dice), "right": number(dice) }),
        (_, false) => json!({ "first": number(dice), "second": number(dice) }),
    };
    let taggings = match is_hub {
        true => [
            (None, None),
            (Some("type"), None),
            (Some("t"), Some("c")),
            (Some("flat"), None),
            (Some("held"), Some("holds")),
        ],
        false => [
            (Some("kind"), Some("of")),
            (None, None),
            (Some("type"), None),
            (Some("kind"), None),
            (Some("held"), Some("in")),
        ],
    };
    let [external, internal, adjacent, mut nested, held] = taggings.map(|(tag, content)| {
        let all = variants(dice);
        variant(dice, tag, content, &all)
    });
    nested["plain"] = number(dice);
    nested
        .as_object_mut()
        .unwrap()
        .extend(held.as_object().cloned().unwrap_or_default());
    let mut spec = json!({
        "nested": nested, "needed": number(dice), "spared": number(dice), "size": size(dice), "count": number(dice), "floor": number(dice),
        "external": external, "internal": internal, "adjacent": [adjacent], "untagged": { "a": untagged(dice), "é": untagged(dice) },
        "any": [1], "other.thing": null,
    });
    let more = match is_hub {
        true => json!({
            "name": "n", "owner": "o", "all": ["x"], "note": "t", "word": "w", "endpoint": { "host": "h", "port": 1 },
            "low": number(dice), "high": number(dice), "region": "r", "zone": "z", "level": 1, "bound": 1,
        }),
        false => json!({
            "title": "n", "word": "w", "host": "h", "port": 1, "range": [1, 2], "comment": "c", "must": true, "area": "r", "cell": "z",
        }),
    };
    let output = match (dice.below(2), is_hub) {
        (0, true) => ("registry", side(dice)),
        (0, false) => ("store", side(dice)),
        (_, true) => ("folder", json!({ "path": "p" })),
        (_, false) => ("folder", json!({ "place": "p" })),
    };
    let choice = match (dice.below(3), is_hub) {
        (0, _) => json!("Nothing"),
        (1, false) => json!({ "Former": { "how": number(dice) } }),
        _ => json!({ "On": side(dice) }),
    };
    let mark = match is_hub {
        true => json!({ "ink": number(dice) }),
        false => json!({ "mark": { "ink": number(dice) } }),
    };
    let fields = spec.as_object_mut().unwrap();
    fields.insert("choice".to_owned(), choice);
    fields.extend(mark.as_object().cloned().unwrap_or_default());
    fields.extend(more.as_object().cloned().unwrap_or_default());
    fields.insert(output.0.to_owned(), output.1);
    spec
}

/// Leaves out some fields, and sets some to `null`.
fn without_some(value: &mut Value, dice: &mut Dice) {
    match value {
        Value::Object(fields) => {
            let all = std::mem::take(fields);
            let left = all
                .into_iter()
                .filter_map(|(name, mut value)| match dice.below(60) {
                    0 => None,
                    1 => Some((name, Value::Null)),
                    _ => {
                        without_some(&mut value, dice);
                        Some((name, value))
                    }
                });
            fields.extend(left.collect::<Map<_, _>>());
        }
        Value::Array(items) => items.iter_mut().for_each(|item| without_some(item, dice)),
        _ => {}
    }
}

#[test]
fn types_read_of_a_converted_object_what_they_are_converted_to() {
    let kind = kind();
    let mut dice = Dice(1);
    let mut count = 0;
    for _ in 0..3_000 {
        for is_hub in [true, false] {
            let mut spec = drawn(&mut dice, is_hub);
            without_some(&mut spec, &mut dice);
            let (from, to) = if is_hub {
                ("v1", "v1beta1")
            } else {
                ("v1beta1", "v1")
            };
            let expected = match is_hub {
                true => serde_json::from_value(spec.clone())
                    .map(v1beta1::ShapeSpec::from_hub)
                    .map(|spec| format!("{spec:?}")),
                false => serde_json::from_value(spec.clone())
                    .map(v1beta1::ShapeSpec::into_hub)
                    .map(|spec| format!("{spec:?}")),
            };
            let Ok(expected) = expected else { continue };
            count += 1;
            let object = json!({ "apiVersion": format!("example.com/{from}"), "kind": "Shape", "metadata": {}, "spec": spec });
            let converted = kind.convert(object, from, to).unwrap().object["spec"].take();
            let read = match is_hub {
                true => serde_json::from_value::<v1beta1::ShapeSpec>(converted.clone())
                    .map(|spec| format!("{spec:?}")),
                false => serde_json::from_value::<v1::ShapeSpec>(converted.clone())
                    .map(|spec| format!("{spec:?}")),
            };
            let read =
                read.unwrap_or_else(|error| panic!("{error}\nof {converted:#}\nfrom {spec:#}"));
            assert_eq!(read, expected, "{converted:#}\nfrom {spec:#}");
        }
    }
    assert!(count > 1_000, "{count}");
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields.values().any(has_null),
        Value::Array(items) => items.iter().any(has_null),
        value => value.is_null(),
    }
}

/// A part that lacks a required field becomes a part of what the whole becomes.
#[test]
fn parts_become_parts() {
    let kind = kind();
    let mut dice = Dice(2);
    for _ in 0..500 {
        for is_hub in [true, false] {
            let (from, to) = if is_hub {
                ("v1", "v1beta1")
            } else {
                ("v1beta1", "v1")
            };
            let convert = |spec: &Value| {
                let object = json!({ "apiVersion": format!("example.com/{from}"), "kind": "Shape", "metadata": {}, "spec": spec });
                kind.convert(object, from, to).unwrap().object["spec"].take()
            };
            let mut spec = drawn(&mut dice, is_hub);
            spec.as_object_mut().unwrap().remove("other.thing");
            let mut whole = convert(&spec);
            // The only one for which `null` is a value.
            whole
                .as_object_mut()
                .unwrap()
                .retain(|name, _| name != "bound");
            assert!(!has_null(&whole), "{whole:#}");
            let fields = spec.as_object_mut().unwrap();
            fields.retain(|name, _| name != "name" && name != "title" && dice.below(4) > 0);
            let mut part = convert(&spec);
            part.as_object_mut().unwrap().remove("bound");
            for (name, value) in part.as_object().unwrap() {
                // Several fields become these.
                let is_one_of_several =
                    ["endpoint", "host", "port", "range", "low", "high"].contains(&&**name);
                assert!(
                    whole.get(name) == Some(value)
                        || is_one_of_several && whole.get(name).is_some(),
                    "{name}: {spec:#}\n{part:#}\n{whole:#}"
                );
            }
        }
    }
}

/// A variant without content is a text, whatever it stands for.
#[test]
fn a_variant_without_content_is_a_text() {
    for (spec, expected) in [
        (
            json!({ "choice": { "Former": { "how": 1 } } }),
            json!({ "choice": "Nothing" }),
        ),
        // A part of one that has some.
        (
            json!({ "external": { "kind": "Both" } }),
            json!({ "external": { "Both": {} } }),
        ),
    ] {
        let object = json!({ "apiVersion": "example.com/v1beta1", "kind": "Shape", "metadata": {}, "spec": spec });
        let converted = kind().convert(object, "v1beta1", "v1").unwrap().object;
        assert_eq!(converted["spec"], expected);
    }
}

/// A part may lack the tag of an enum. What all variants agree about is converted.
#[test]
fn a_part_without_its_tag_is_what_its_variants_agree_about() {
    let kind = kind();
    let convert = |spec: Value, from: &str, to: &str| {
        let object = json!({ "apiVersion": format!("example.com/{from}"), "kind": "Shape", "metadata": {}, "spec": spec });
        kind.convert(object, from, to)
            .map(|converted| converted.object["spec"].clone())
    };
    for (hub, spoke) in [
        (
            json!({ "nested": { "left": 1 } }),
            json!({ "nested": { "first": 1 } }),
        ),
        (
            json!({ "nested": { "right": 1, "plain": 2 } }),
            json!({ "nested": { "2nd": 1, "plain": 2 } }),
        ),
        (
            json!({ "nested": { "side": 1 } }),
            json!({ "nested": { "edge": "1m" } }),
        ),
        (
            json!({ "nested": { "side": 1, "left": 1 } }),
            json!({ "nested": { "edge": "1m", "first": 1 } }),
        ),
        (json!({ "nested": {} }), json!({ "nested": {} })),
        (json!({ "adjacent": [{}] }), json!({ "adjacent": [{}] })),
    ] {
        assert_eq!(
            convert(hub.clone(), "v1", "v1beta1"),
            Ok(spoke.clone()),
            "{hub}"
        );
        assert_eq!(convert(spoke.clone(), "v1beta1", "v1"), Ok(hub), "{spoke}");
    }
    // What is no value of the type is an error, and is not left out.
    for (spec, why) in [
        (
            json!({ "external": 1 }),
            "`spec.external`: neither a string nor an object",
        ),
        (json!({ "internal": 1 }), "`spec.internal`: not an object"),
        (
            json!({ "internal": { "type": 1 } }),
            "`spec.internal.type`: not a string",
        ),
        (
            json!({ "adjacent": [1] }),
            "`spec.adjacent[0]`: not an object",
        ),
        (
            json!({ "adjacent": [{ "t": 1 }] }),
            "`spec.adjacent[0].t`: not a string",
        ),
        (
            json!({ "external": { "Both": 1 } }),
            "`spec.external`: not an object",
        ),
        (
            json!({ "external": { "On": 1 } }),
            "`spec.external.On`: not an object",
        ),
        (json!({ "nested": 1 }), "`spec.nested`: not an object"),
        (
            json!({ "size": "1" }),
            "`spec.size`: invalid type: string \"1\", expected i64",
        ),
    ] {
        let error = convert(spec.clone(), "v1", "v1beta1").map_err(|error| error.to_string());
        assert_eq!(error, Err(why.to_owned()), "{spec}");
    }
}
