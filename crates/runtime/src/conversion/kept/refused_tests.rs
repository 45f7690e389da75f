//! What the schema refuses of the kept parts: tests with a schema that refuses some texts.

use super::restore::{self, Restored};
use super::tests::shape;
use super::{Fault, KnownShape, Lost, Shape};
use serde_json::{Value, json};
use std::cell::Cell;

/// What another version shows: nothing of the fields `f` and `g`.
fn shown(value: &Value) -> Value {
    without(value, &|name, _| name == "f" || name == "g")
}

fn without(value: &Value, is_left_out: &dyn Fn(&str, &Value) -> bool) -> Value {
    match value {
        Value::Object(fields) => {
            let mut fields = fields.clone();
            fields.retain(|name, value| !is_left_out(name, value));
            for value in fields.values_mut() {
                *value = without(value, is_left_out);
            }
            fields.into()
        }
        Value::Array(items) => items
            .iter()
            .map(|item| without(item, is_left_out))
            .collect(),
        other => other.clone(),
    }
}

/// A fault where a text is `bad`, one of the object around `conflict`, and one without a place for `unreadable`.
fn faults(value: &Value) -> Vec<Fault> {
    fn collect(value: &Value, at: &[String], found: &mut Vec<Fault>) {
        let mut below =
            |name: &str, value| collect(value, &[at, &[name.to_owned()]].concat(), found);
        match value {
            Value::Object(fields) => fields.iter().for_each(|(name, value)| below(name, value)),
            Value::Array(items) => {
                let items = items.iter().enumerate();
                items.for_each(|(index, item)| below(&index.to_string(), item));
            }
            Value::String(text) => found.push(Fault {
                at: match &**text {
                    "bad" => at.to_owned(),
                    "conflict" => at
                        .split_last()
                        .map(|(_, above)| above.to_owned())
                        .unwrap_or_default(),
                    "unreadable" => Vec::new(),
                    _ => return,
                },
                reason: text.clone(),
                is_for_later: text == "unreadable",
            }),
            _ => {}
        }
    }
    let mut found = Vec::new();
    collect(value, &[], &mut found);
    found
}

fn is_refused(value: &Value) -> bool {
    ["bad", "conflict", "unreadable"]
        .iter()
        .any(|text| value == text)
}

fn list_map(items: &Value) -> Value {
    json!({ "items": items, "x-kubernetes-list-map-keys": ["n"] })
}

/// Restores an object from what another version shows of it. Returns how often the schema was asked as well.
fn restored(was: &Value, shape: &Shape) -> (Restored, usize) {
    let shape = KnownShape(Some(shape));
    let now = shown(was);
    let asked = Cell::new(0);
    let count = |object: &Value| {
        asked.set(asked.get() + 1);
        faults(object)
    };
    let lost = Lost::of(was, &now, [None; 2], shape, &|_| None).unwrap_or(Lost::Fields([].into()));
    (
        restore::restore(&lost, &now, None, false, shape, &count),
        asked.get(),
    )
}

/// What a program that refuses nothing makes of it.
fn later(restored: &Restored, shape: &Shape) -> Value {
    let object = restored.object.clone();
    let later = restored.later.as_ref();
    let later = later.map(|later| {
        restore::restore(
            later,
            &object,
            None,
            false,
            KnownShape(Some(shape)),
            &|_| Vec::new(),
        )
    });
    later.map_or(object, |later| later.object)
}

/// Only what is refused is not restored, and all of it waits, except what an edit around it speaks against.
#[test]
fn what_is_refused_waits_wherever_it_is() {
    let inner = json!({ "properties": { "inner": list_map(&json!({})) } });
    let shape = shape(json!({ "properties": { "outer": list_map(&inner) } }));
    let was = json!({
        "outer": [
            { "n": "b", "inner": [{ "n": "y", "f": "bad", "g": 1 }, { "n": "x", "f": 1, "g": "unreadable" }] },
            { "n": "a", "f": "bad", "g": "conflict", "inner": [{ "n": "y", "f": 1, "g": "bad" }] },
        ],
        "list": [{ "k": 1, "f": "bad" }, { "k": 2, "f": 2 }, { "k": 3, "f": "unreadable" }],
        "below": { "f": "unreadable", "g": 1, "deeper": { "f": "bad" } },
        "f": "conflict", "g": 1,
    });
    let (restored, _) = restored(&was, &shape);
    assert_eq!(
        restored.object,
        without(&was, &|_, value| is_refused(value))
    );
    let waiting = without(&was, &|_, value| value == "conflict");
    assert_eq!(later(&restored, &shape), waiting);
    let mut paths: Vec<&str> = restored
        .unrestored
        .iter()
        .map(|(path, _)| &**path)
        .collect();
    paths.sort_unstable();
    let expected = [
        "/below/deeper/f",
        "/below/f",
        "/f",
        "/list/0",
        "/list/2",
        "/outer/[\"a\"]/f",
        "/outer/[\"a\"]/g",
        "/outer/[\"a\"]/inner/[\"y\"]/g",
        "/outer/[\"b\"]/inner/[\"x\"]/g",
        "/outer/[\"b\"]/inner/[\"y\"]/f",
    ];
    assert_eq!(paths, expected);
}

/// A few parts that are refused do not cost a try for each of the others, whether the fault is theirs or that of what is around.
#[test]
fn few_refused_parts_cost_few_tries() {
    let good: serde_json::Map<String, Value> = (0..256)
        .map(|index| (format!("name{index}"), json!({ "f": index })))
        .collect();
    for text in ["bad", "conflict"] {
        let was = json!({ "good": good, "one": { "f": text }, "other": { "f": text } });
        let (restored, asked) = restored(&was, &Shape::default());
        assert_eq!(
            restored.object,
            without(&was, &|_, value| is_refused(value))
        );
        assert!(asked < 12, "{text}: {asked}");
    }
}

/// Any writer can write parts of which each has to be tried: most of a large object's are not, and wait.
#[test]
fn what_is_too_much_to_try_waits() {
    let text = "x".repeat(restore::VALIDATED / 8);
    let parts: serde_json::Map<String, Value> = (0..64)
        .map(|index| {
            let f = if index % 2 == 0 {
                json!("bad")
            } else {
                json!(index)
            };
            (format!("name{index}"), json!({ "f": f }))
        })
        .collect();
    let was = json!({ "text": text, "parts": parts });
    let (restored, asked) = restored(&was, &Shape::default());
    assert!((8..16).contains(&asked), "{asked}");
    assert_eq!(later(&restored, &Shape::default()), was);
}

/// A client of another version may have written what the schema refuses, and a hidden element moves it.
#[test]
fn a_fault_that_was_there_before_is_none_of_a_hidden_element() {
    let hidden = |index: usize, was: &str| json!([index, { "was": was }]);
    let lost = json!({ "fields": { "list": { "items": [hidden(0, "a"), hidden(1, "bad"), hidden(2, "c")] } } });
    let lost = serde_json::from_value(lost).unwrap_or(Lost::Fields([].into()));
    let now = json!({ "list": ["bad"] });
    let restored = restore::restore(&lost, &now, None, false, KnownShape(None), &faults);
    assert_eq!(restored.object, json!({ "list": ["a", "c", "bad"] }));
    assert!(restored.later.is_some());
}

/// A server-side apply leaves `null` of an object without its own fields. What is missing there is no fault of the kept part.
#[test]
fn what_a_part_lacks_already_is_no_fault_of_what_is_restored() {
    let shape = shape(json!({ "properties": {
        "list": list_map(&json!({ "properties": { "part": {} } })), "nullable": { "nullable": true },
    } }));
    let shape = KnownShape(Some(&shape));
    let lacks = |at: &[&str], value: Option<&Value>| -> Option<Fault> {
        let is_lacking = value?.is_object() && value?.get("y").is_none();
        is_lacking.then(|| Fault {
            at: at.iter().map(|name| (*name).to_owned()).collect(),
            reason: "it lacks `y`".to_owned(),
            is_for_later: false,
        })
    };
    let faults = |object: &Value| -> Vec<Fault> {
        let part = lacks(&["list", "0", "part"], object.pointer("/list/0/part"));
        let nullable = lacks(&["nullable"], object.get("nullable"));
        part.into_iter().chain(nullable).collect()
    };
    let x = json!({ "fields": { "x": { "value": { "was": 1 } } } });
    let list = json!({ "keyed": { "[1]": { "fields": { "part": x } } } });
    let nullable = json!({ "value": { "was": {}, "shown": null } });
    let lost = json!({ "fields": { "list": list, "nullable": nullable } });
    let now = json!({ "list": [{ "n": 1, "part": null }], "nullable": null });
    let lost = serde_json::from_value(lost).unwrap_or(Lost::Fields([].into()));
    let restored = restore::restore(&lost, &now, None, false, shape, &faults);
    let expected = json!({ "list": [{ "n": 1, "part": { "x": 1 } }], "nullable": null });
    assert_eq!(restored.object, expected);
}
