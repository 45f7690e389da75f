//! What waits for a later program, which knows more members of a union or more values.

use super::tests::shape;
use super::{Fault, KnownShape, Lost, restore, waiting};
use serde_json::{Value, json};

/// A former program that does not know all members of a union keeps them one by one, and does not know whether they are some.
#[test]
fn members_that_were_kept_one_by_one_come_back_together() {
    let union = |names: &[&str]| {
        let branches: Vec<Value> = names
            .iter()
            .map(|name| json!({ "required": [name] }))
            .collect();
        let known = ["a", "b", "c", "x", "bad"]
            .into_iter()
            .filter(|name| *name != "b" || names.contains(name));
        let fields: serde_json::Map<_, _> =
            known.map(|name| (name.to_owned(), json!({}))).collect();
        json!({ "properties": fields, "oneOf": branches })
    };
    let [former, newer] = [union(&["a"]), union(&["a", "b", "c"])].map(shape);
    let [former, newer] = [&former, &newer].map(|shape| KnownShape(Some(shape)));
    let is_valid = |shape: KnownShape<'_>, object: &Value| {
        let members = ["a", "b", "c"]
            .iter()
            .filter(|name| shape.has_field(name) && object.get(name).is_some());
        members.count() == 1
    };
    let faults = |shape: KnownShape<'_>, object: &Value| {
        let at = (!is_valid(shape, object)).then(Vec::new);
        // One that is refused with all that is around it, and one that is refused by itself.
        let bad = object.get("bad").map(|_| vec!["bad".to_owned()]);
        let conflict = object
            .get("x")
            .filter(|x| *x == "conflict")
            .map(|_| Vec::new());
        let reason = String::new();
        let fault = |at| Fault {
            at,
            reason: reason.clone(),
            is_for_later: false,
        };
        at.into_iter()
            .chain(bad)
            .chain(conflict)
            .map(fault)
            .collect::<Vec<_>>()
    };
    // The former one shows `a` for `b`, whatever else it restores or cannot restore.
    for (more, returns) in [
        (json!({}), json!({ "b": 1 })),
        (json!({ "x": 1 }), json!({ "b": 1, "x": 1 })),
        (json!({ "x": 1, "bad": 1 }), json!({ "b": 1, "x": 1 })),
        (json!({ "x": "conflict" }), json!({ "b": 1 })),
    ] {
        let (mut was, shown) = (more, json!({ "a": {} }));
        was["b"] = json!(1);
        let lost = Lost::of(&was, &shown, [None; 2], former, &|_| None);
        let lost = lost.unwrap_or(Lost::Fields([].into()));
        let first = restore(&lost, &shown, None, false, former, &|object| {
            faults(former, object)
        });
        assert!(is_valid(former, &first.object), "{was} {}", first.object);
        for lost in [Some(lost), first.later] {
            let lost = lost.unwrap_or(Lost::Fields([].into()));
            let last = restore(&lost, &first.object, None, false, newer, &|object| {
                faults(newer, object)
            });
            assert_eq!(last.object, returns, "{was} {lost:?}");
            let waits = last.later.is_some();
            assert_eq!(waits, was.get("bad").is_some(), "{was} {:?}", last.later);
        }
    }
}

/// What waits for a later program is over once something else is written there. What is missing may only be left out.
#[test]
fn what_waits_is_over_once_something_else_is_there() {
    let branch = |name: &str| json!({ "required": [name] });
    let two = json!({
        "properties": { "a": {}, "b": {}, "c": {}, "d": {}, "x": {} },
        "oneOf": [branch("a"), branch("b")], "anyOf": [branch("c"), branch("d")],
    });
    let tag = |name: &str| json!({ "required": ["t"], "properties": { "t": { "enum": [name] }, "o": {} } });
    let tagged = json!({ "properties": { "t": {}, "o": {} }, "oneOf": [tag("A"), tag("B")] });
    let list =
        json!({ "properties": { "l": { "x-kubernetes-list-map-keys": ["n"], "items": {} } } });
    let there = json!({ "l": [{ "n": 1 }] });
    for (schema, was, shown, waits, over) in [
        (
            &two,
            json!({ "a": 1 }),
            json!({ "b": {} }),
            [
                json!({ "b": {} }),
                json!({}),
                json!({ "b": {}, "d": 1 }),
                json!(null),
            ],
            [
                json!({ "b": 1 }),
                json!({ "a": 1 }),
                json!({ "a": 2, "b": {} }),
            ],
        ),
        (
            &tagged,
            json!({ "t": "A", "o": 1 }),
            json!({ "t": "A" }),
            [
                json!({ "t": "A" }),
                json!({}),
                json!(null),
                json!({ "o": null, "t": "A" }),
            ],
            [
                json!({ "t": "B" }),
                json!({ "o": 1, "t": "A" }),
                json!({ "o": 1 }),
            ],
        ),
        (
            &two,
            json!({ "x": 1 }),
            json!({}),
            [
                json!({}),
                json!({ "x": null }),
                json!({ "a": 1 }),
                json!(null),
            ],
            [json!({ "x": 2 }), json!({ "x": 1 }), json!({ "x": {} })],
        ),
        (
            &list,
            there.clone(),
            json!({ "l": [] }),
            [
                json!({}),
                json!({ "l": [] }),
                json!({ "l": null }),
                json!({ "l": [{ "n": 2 }] }),
            ],
            [
                there.clone(),
                json!({ "l": [{ "n": 2 }, { "n": 1 }] }),
                json!({ "l": [{ "n": 1, "x": 1 }] }),
            ],
        ),
    ] {
        let shape = shape(schema.clone());
        let shape = KnownShape(Some(&shape));
        let lost = Lost::of(&was, &shown, [None; 2], shape, &|_| None);
        let waiting = |now: &Value| lost.as_ref().and_then(|lost| waiting(lost, now, shape));
        for now in waits {
            assert_eq!(waiting(&now), lost, "{was} {now}");
        }
        for now in over {
            assert_eq!(waiting(&now), None, "{was} {now}");
        }
    }
}

/// A hidden member is not restored by a program that does not know whether the field that was set and is gone was another one.
#[test]
fn a_hidden_member_waits_if_an_unknown_field_beside_it_is_gone() {
    let union = |names: &[&str]| {
        let branches = names.iter().map(|name| json!({ "required": [name] }));
        let fields = names.iter().map(|name| ((*name).to_owned(), json!({})));
        let mut fields: serde_json::Map<_, _> = fields.collect();
        fields.insert("n".to_owned(), json!({}));
        json!({ "properties": fields, "anyOf": branches.collect::<Vec<_>>() })
    };
    let list = |element: Value| {
        let list = json!({ "x-kubernetes-list-map-keys": ["n"], "items": element });
        shape(json!({ "properties": { "l": list } }))
    };
    let element = |more: Value| {
        let mut element = json!({ "n": 1 });
        if let (Some(element), Value::Object(more)) = (element.as_object_mut(), more) {
            element.extend(more);
        }
        json!({ "l": [element] })
    };
    let [former, newer] = [list(union(&["a", "b"])), list(union(&["a", "b", "u"]))];
    let [former, newer] = [&former, &newer].map(|shape| KnownShape(Some(shape)));
    let (was, shown) = (element(json!({ "a": 1 })), element(json!({})));
    let with = element(json!({ "u": 1 }));
    // What the program knows of the other version is carried along as `null`, and is nothing that was set.
    let nothing = element(json!({ "u": null }));
    for (then, shape, carried, comes_back, waits) in [
        (Some(&with), former, Some(&with), true, false),
        (Some(&with), former, Some(&shown), false, true),
        (Some(&with), former, None, true, false),
        (Some(&nothing), former, Some(&shown), true, false),
        (None, former, Some(&shown), true, false),
        (None, former, Some(&with), true, false),
        (Some(&with), newer, Some(&shown), false, false),
    ] {
        let lost = Lost::of(&was, &shown, [None, then], former, &|_| None);
        let lost = lost.unwrap_or(Lost::Fields([].into()));
        let restored = restore(&lost, &shown, carried, false, shape, &|_| Vec::new());
        let expected = if comes_back { &was } else { &shown };
        assert_eq!(restored.object, *expected, "{then:?} {carried:?}");
        assert_eq!(restored.later.is_some(), waits, "{then:?} {carried:?}");
    }
}

/// Fields that are restored later may make an element look as it did.
#[test]
fn an_element_waits_only_while_the_list_is_a_part_and_lacks_it() {
    let lost = Lost::Fields(
        [(
            "l".to_owned(),
            Lost::Items(super::lists::lost(&[json!(2)], &[json!(1)], None, &|| None)),
        )]
        .into(),
    );
    for (now, partial, expected, waits) in [
        (json!(1), true, json!(2), false),
        (json!(3), true, json!(3), true),
        (json!(3), false, json!(3), false),
    ] {
        let now = json!({ "l": [now] });
        let restored = restore(&lost, &now, None, partial, KnownShape(None), &|_| {
            Vec::new()
        });
        assert_eq!(restored.object, json!({ "l": [expected] }), "{now}");
        assert_eq!(restored.later.is_some(), waits, "{now} {partial}");
    }
}
