//! What a version cannot represent: found, kept in an annotation, and restored.

pub(super) mod annotation;
#[cfg(test)]
mod later_tests;
mod lists;
mod lost;
#[cfg(test)]
mod refused_tests;
mod restore;
mod restored;
mod shapes;
mod unions;

pub(super) use restore::{restore, waiting};
pub(super) use restored::Fault;
pub(super) use restored::with_restored;
pub(super) use shapes::{KnownShape, Shape};

use lists::LostItem;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;
use unions::LostUnion;

/// The difference between an object and its round trip through another version.
///
/// It is restored only where the object still shows what it showed then: a change in the narrower version takes precedence.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Lost {
    /// Fields of an object.
    Fields(BTreeMap<String, Lost>),
    /// Fields of an object with unions.
    Members(Vec<LostUnion>, BTreeMap<String, Lost>),
    /// Elements of a list.
    Items(Vec<(usize, LostItem)>),
    /// Elements of a list map, by their keys, as JSON.
    Keyed(BTreeMap<String, Lost>),
    /// An element of a list map that a round trip drops, and its index.
    Gone(usize, Value),
    /// A value that a round trip changes or drops.
    Value(LostValue),
}

/// A value and its round trip. A missing member is a missing value; `null` is a value.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct LostValue {
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    was: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    shown: Option<Value>,
    /// The round trip if a server adds the defaults of the other version, if that differs.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    defaulted: Option<Value>,
}

impl LostValue {
    fn is_shown(&self, now: Option<&Value>) -> bool {
        now == self.shown.as_ref() || self.defaulted.is_some() && now == self.defaulted.as_ref()
    }
}

/// Reads an existing member, even `null`.
fn present<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

/// A value before a round trip and after it.
#[derive(Clone, Copy)]
struct Trip<'v> {
    was: Option<&'v Value>,
    shown: Option<&'v Value>,
    /// The value after a round trip in which a server adds the defaults of the other version.
    defaulted: Option<&'v Value>,
    /// The value after a round trip that carries along what the program does not know of the other version.
    carried: Option<&'v Value>,
}

/// The round trip of objects that differ in one list.
#[derive(Clone, Copy)]
struct Again<'a> {
    whole: &'a Value,
    /// The length of its JSON.
    size: &'a OnceCell<usize>,
    /// How much JSON may still take another round trip, in bytes: all lists of the object share it.
    left: &'a Cell<usize>,
    round_trip: &'a dyn Fn(Value) -> Option<Value>,
}

/// How much JSON takes another round trip at most for one object, in bytes.
const AGAIN: usize = 8 * 1024 * 1024;

impl Again<'_> {
    /// What becomes of each element of a list that has no other elements; `None` if that is not known.
    fn alone(self, pointer: &str, elements: &[Value]) -> Option<Vec<Vec<Value>>> {
        let size = *self.size.get_or_init(|| self.whole.to_string().len());
        let left = self.left.get();
        self.left
            .set(left.checked_sub(size.saturating_mul(elements.len()))?);
        let alone = elements.iter().map(|element| {
            let mut object = self.whole.clone();
            *object.pointer_mut(pointer)? = Value::Array(vec![element.clone()]);
            let returned = (self.round_trip)(object)?;
            returned.pointer(pointer)?.as_array().cloned()
        });
        alone.collect()
    }
}

impl Lost {
    /// Compares an object with its round trip; `None` if they are equal. `defaulted` is the round trip in which a server adds
    /// the defaults of the other version, `carried` the one that carries along what the program does not know of it. `again` makes
    /// the round trip of a similar object.
    pub(super) fn of(
        was: &Value,
        shown: &Value,
        [defaulted, carried]: [Option<&Value>; 2],
        shape: KnownShape<'_>,
        again: &dyn Fn(Value) -> Option<Value>,
    ) -> Option<Self> {
        let trip = Trip {
            was: Some(was),
            shown: Some(shown),
            defaulted,
            carried,
        };
        let again = Again {
            whole: was,
            size: &OnceCell::new(),
            left: &Cell::new(AGAIN),
            round_trip: again,
        };
        lost::lost_in(trip, shape, again, "")
    }
}

#[cfg(test)]
mod tests {
    use super::shapes::Union;
    use super::{AGAIN, Again, KnownShape, Lost, Shape, restore};
    use serde_json::{Value, json};
    use std::cell::{Cell, OnceCell};

    /// Of all lists together: an object may have many, and its writer must not hold up the webhook.
    #[test]
    fn elements_are_tried_alone_up_to_a_size() {
        let whole = json!({ "list": [] });
        for (size, is_tried) in [(AGAIN / 2, true), (AGAIN / 2 + 1, false)] {
            let again = Again {
                whole: &whole,
                size: &OnceCell::from(size),
                left: &Cell::new(AGAIN),
                round_trip: &Some,
            };
            let alone = again.alone("/list", &[json!(1), json!(2)]);
            let each = is_tried.then(|| vec![vec![json!(1)], vec![json!(2)]]);
            assert_eq!(alone, each, "{size}");
            let more = again.alone("/list", &[json!(3)]);
            assert_eq!(more.is_some(), !is_tried, "{size}");
        }
    }

    pub(super) fn shape(schema: Value) -> Shape {
        let schema = json!({ "openAPIV3Schema": schema });
        let version = json!({ "name": "v1", "served": true, "storage": true, "schema": schema });
        let names = json!({ "kind": "A", "plural": "as" });
        let spec =
            json!({ "group": "a", "names": names, "scope": "Cluster", "versions": [version] });
        let crd = serde_json::from_value(json!({ "metadata": {}, "spec": spec }));
        let shapes = crd.map(|crd| Shape::of(&crd)).unwrap_or_default();
        shapes.into_values().next().unwrap_or_default()
    }

    #[test]
    fn a_schema_knows_its_fields_and_what_may_be_null() {
        let of = shape(json!({ "properties": { "a": { "nullable": true }, "b": {} } }));
        let of = KnownShape(Some(&of));
        assert!(of.has_field("a") && of.has_field("b") && !of.has_field("c"));
        assert!(of.field("a").is_nullable() && !of.field("b").is_nullable());
        let map = shape(json!({ "additionalProperties": { "nullable": true } }));
        assert!(KnownShape(Some(&map)).field("any").is_nullable());
        assert!(!KnownShape(None).has_field("a"));
        assert_eq!(KnownShape(Some(&map)).keys(), None);
        for (inner, expected) in [(json!({ "default": 1 }), true), (json!({}), false)] {
            let outer = json!({ "properties": { "a": { "properties": { "b": inner } } } });
            assert_eq!(shape(outer).has_defaults(), expected);
        }
    }

    /// The names of the members of each union, and its tags.
    fn unions(schema: Value) -> Vec<(String, String)> {
        let text = |names: &std::collections::BTreeSet<String>| {
            names.iter().cloned().collect::<Vec<_>>().join(" ")
        };
        let shape = shape(schema);
        let all = KnownShape(Some(&shape)).unions();
        let names = |union: &Union| (text(&union.members), text(&union.tags));
        all.iter().map(names).collect()
    }

    #[test]
    fn unions_are_found_where_schemas_say_them() {
        let found = |members: &str, tags: &str| vec![(members.to_owned(), tags.to_owned())];
        let one_each = json!([{ "required": ["a"] }, { "required": ["b"] }]);
        assert_eq!(unions(json!({ "oneOf": one_each })), found("a b", ""));
        let none = json!([{ "not": { "anyOf": [{ "required": ["a"] }, { "required": ["b"] }] } }, { "required": ["a"] }]);
        assert_eq!(unions(json!({ "oneOf": none })), found("a b", ""));
        let everywhere = json!([{ "required": ["a", "x"] }, { "required": ["b", "x"] }]);
        assert_eq!(unions(json!({ "anyOf": everywhere })), found("a b", ""));
        // A later program may have more.
        let one = json!({ "oneOf": [{ "required": ["a"] }] });
        assert_eq!(unions(one), found("a", ""));
        let tagged = json!([
            { "required": ["t"], "properties": { "t": { "enum": ["A"] }, "o": {} } },
            { "required": ["t", "b"], "properties": { "t": { "enum": ["B"] } } },
        ]);
        assert_eq!(unions(json!({ "oneOf": tagged })), found("b o t", "t"));
        // Those with a common member are one.
        let more = json!([{ "required": ["b"] }, { "required": ["c"] }]);
        let both = json!({ "oneOf": one_each, "anyOf": more });
        let of_both = shape(both.clone());
        let null = KnownShape(Some(&of_both)).unions().first();
        assert_eq!(null.map(|union| union.null.len()), Some(3));
        assert_eq!(unions(both), found("a b c", ""));
        let both = json!({ "oneOf": tagged, "anyOf": more });
        assert_eq!(unions(both), found("b c o t", "t"));
        let one = json!([{ "required": ["a"] }, { "not": { "required": ["a"] } }]);
        assert_eq!(unions(json!({ "oneOf": one })), []);
        for rule in [
            "[has(self.a), has(self.b)].filter(x, x == true).size() == 1",
            "[has(self.a),has(self.b)].filter(x,x).size() <= 1",
            "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) <= 1",
        ] {
            let rules = json!({ "x-kubernetes-validations": [{ "rule": rule }] });
            assert_eq!(unions(rules), found("a b", ""), "{rule}");
        }
    }

    /// What an object is once what was lost of it is restored, and whether something waits for a later program.
    fn after(
        schema: &Value,
        [was, shown]: [&Value; 2],
        defaulted: Option<&Value>,
        now: &Value,
    ) -> (Value, bool) {
        let shape = shape(schema.clone());
        let shape = KnownShape(Some(&shape));
        let lost = Lost::of(was, shown, [defaulted, None], shape, &|_| None);
        let restored = lost.map(|lost| restore(&lost, now, None, false, shape, &|_| Vec::new()));
        restored.map_or((now.clone(), false), |restored| {
            (restored.object, restored.later.is_some())
        })
    }

    /// The members of a union come back together while the same ones are chosen, and what was written over them stays.
    #[test]
    fn members_come_back_while_the_same_are_chosen() {
        let branch = |name: &str| json!({ "required": [name] });
        let two = json!({
            "properties": { "a": {}, "b": {}, "c": {}, "d": {}, "x": {} },
            "oneOf": [branch("a"), branch("b")], "anyOf": [branch("c"), branch("d")],
        });
        let tag = |name: &str| json!({ "required": ["t"], "properties": { "t": { "enum": [name] }, "o": {} } });
        let tagged = json!({ "properties": { "t": {}, "o": {} }, "oneOf": [tag("A"), tag("B")] });
        for (schema, was, shown, now, expected, waits) in [
            // A hidden member, while its union and others change.
            (
                &two,
                json!({ "a": 1, "c": 1 }),
                json!({ "c": 1 }),
                json!({ "c": 1 }),
                json!({ "a": 1, "c": 1 }),
                false,
            ),
            (
                &two,
                json!({ "a": 1, "c": 1 }),
                json!({ "c": 1 }),
                json!({ "d": 1 }),
                json!({ "a": 1, "d": 1 }),
                false,
            ),
            (
                &two,
                json!({ "a": 1 }),
                json!({}),
                json!({ "b": 2 }),
                json!({ "b": 2 }),
                false,
            ),
            // A member that stands for the hidden one, and is written.
            (
                &two,
                json!({ "a": 1 }),
                json!({ "b": {} }),
                json!({ "b": {} }),
                json!({ "a": 1 }),
                false,
            ),
            (
                &two,
                json!({ "a": 1 }),
                json!({ "b": {} }),
                json!({ "b": { "y": 1 } }),
                json!({ "b": { "y": 1 } }),
                false,
            ),
            // Part of a member beside another that is hidden.
            (
                &two,
                json!({ "a": { "y": 1 }, "b": 1 }),
                json!({ "a": {} }),
                json!({ "a": {} }),
                json!({ "a": { "y": 1 }, "b": 1 }),
                false,
            ),
            // A field that may be a member of either union.
            (
                &two,
                json!({ "a": 1, "c": 1, "u": 1 }),
                json!({ "a": 1, "c": 1 }),
                json!({ "a": 2, "c": 1 }),
                json!({ "a": 2, "c": 1, "u": 1 }),
                false,
            ),
            (
                &two,
                json!({ "a": 1, "c": 1, "u": 1 }),
                json!({ "a": 1, "c": 1 }),
                json!({ "b": 1, "c": 1 }),
                json!({ "b": 1, "c": 1 }),
                true,
            ),
            (
                &two,
                json!({ "a": 1, "c": 1, "u": 1 }),
                json!({ "a": 1, "c": 1 }),
                json!({ "a": 1, "d": 1 }),
                json!({ "a": 1, "d": 1 }),
                true,
            ),
            (
                &two,
                json!({ "a": 1, "c": 1, "u": 1 }),
                json!({ "a": 1, "c": 1 }),
                json!({ "b": 1, "u": 2 }),
                json!({ "b": 1, "u": 2 }),
                false,
            ),
            // Part of one that the schema does not know.
            (
                &two,
                json!({ "a": 1, "u": { "y": 1 } }),
                json!({ "a": 1, "u": {} }),
                json!({ "b": 1, "u": {} }),
                json!({ "b": 1, "u": { "y": 1 } }),
                false,
            ),
            // A field that is none, whatever is chosen.
            (
                &two,
                json!({ "a": 1, "x": 1 }),
                json!({ "a": 1 }),
                json!({ "b": 1 }),
                json!({ "b": 1, "x": 1 }),
                false,
            ),
            // The tag is shown, and changes.
            (
                &tagged,
                json!({ "t": "A", "o": 1 }),
                json!({ "t": "A" }),
                json!({ "t": "A" }),
                json!({ "t": "A", "o": 1 }),
                false,
            ),
            (
                &tagged,
                json!({ "t": "A", "o": 1 }),
                json!({ "t": "A" }),
                json!({ "t": "B" }),
                json!({ "t": "B" }),
                false,
            ),
        ] {
            let found = after(schema, [&was, &shown], None, &now);
            assert_eq!(found, (expected, waits), "{was} {shown} {now}");
        }
        // A server adds a member.
        let (was, defaulted) = (json!({ "a": 1 }), json!({ "b": 5 }));
        for now in [json!({}), defaulted.clone()] {
            let found = after(&two, [&was, &json!({})], Some(&defaulted), &now);
            assert_eq!(found, (was.clone(), false), "{now}");
        }
        // In an element of a list map.
        let list = json!({ "x-kubernetes-list-map-keys": ["n"], "items": two });
        let (was, shown) = (
            json!([{ "n": 1, "a": 1, "u": 1 }]),
            json!([{ "n": 1, "a": 1 }]),
        );
        let now = json!([{ "n": 1, "b": 1 }]);
        assert_eq!(
            after(&list, [&was, &shown], None, &now),
            (now.clone(), true)
        );
        // A default that a server adds is not an edit; another value is.
        let (was, defaulted) = (json!({ "x": 1 }), json!({ "x": 5 }));
        for (now, expected) in [(&defaulted, 1), (&json!({ "x": 7 }), 7)] {
            let found = after(&two, [&was, &json!({})], Some(&defaulted), now);
            assert_eq!(found, (json!({ "x": expected }), false), "{now}");
        }
    }

    /// What is kept of a list map belongs to its elements in any order, and an order that a round trip changes comes back.
    #[test]
    fn elements_are_known_by_their_keys_in_any_order() {
        let list_map = json!({ "x-kubernetes-list-map-keys": ["n"], "items": {} });
        for (was, shown, now, expected) in [
            (
                json!([{ "n": "b", "x": 1 }, { "n": "a", "x": 2 }]),
                json!([{ "n": "b" }, { "n": "a" }]),
                json!([{ "n": "a", "y": 3 }, { "n": "b" }]),
                json!([{ "n": "a", "y": 3, "x": 2 }, { "n": "b", "x": 1 }]),
            ),
            (
                json!([{ "n": "a" }, { "n": "b" }]),
                json!([{ "n": "b" }, { "n": "a" }]),
                json!([{ "n": "b" }, { "n": "a" }]),
                json!([{ "n": "a" }, { "n": "b" }]),
            ),
            (
                json!([{ "n": "z" }, { "n": "b" }, { "n": "a" }]),
                json!([{ "n": "b" }]),
                json!([{ "n": "b", "y": 1 }]),
                json!([{ "n": "z" }, { "n": "b", "y": 1 }, { "n": "a" }]),
            ),
        ] {
            let found = after(&list_map, [&was, &shown], None, &now);
            assert_eq!(found, (expected, false), "{was} {shown} {now}");
        }
    }

    /// What becomes of an element by itself tells which one is shown, wherever the list is.
    #[test]
    fn elements_are_tried_alone_where_they_are() {
        let of = |list: Value| json!({ "a/b": { "~": [{ "k": 1, "list": list }] } });
        let (was, shown) = (of(json!(["hidden", "small"])), of(json!(["LARGE"])));
        let again = |object: Value| {
            let list = object.pointer("/a~1b/~0/0/list")?.as_array()?;
            let visible = list.iter().filter(|element| *element != "hidden");
            Some(of(visible.map(|_| json!("LARGE")).collect()))
        };
        let shape = shape(json!({ "properties": { "a/b": { "properties": {
            "~": { "x-kubernetes-list-map-keys": ["k"], "items": {} },
        } } } }));
        let shape = KnownShape(Some(&shape));
        let lost = Lost::of(&was, &shown, [None; 2], shape, &again);
        let now = of(json!(["written"]));
        let restored = lost.map(|lost| restore(&lost, &now, None, false, shape, &|_| Vec::new()));
        let found = restored.map(|restored| restored.object);
        assert_eq!(found, Some(of(json!(["hidden", "written"]))));
    }

    #[test]
    fn a_null_of_its_own_is_no_empty_object() {
        let (was, shown) = (json!({ "a": { "x": 1 } }), json!({ "a": {} }));
        let now = json!({ "a": null });
        for (nullable, expected) in [(false, &was), (true, &now)] {
            let schema = json!({ "properties": { "a": { "nullable": nullable } } });
            let found = after(&schema, [&was, &shown], None, &now);
            assert_eq!(found, (expected.clone(), false), "{nullable}");
        }
    }

    /// The first of two is preferred, and nothing of either is forgotten.
    #[test]
    fn kept_parts_are_put_together() {
        let lost = |text: Value| serde_json::from_value::<Lost>(text).ok();
        let value = |was: &str| json!({ "value": { "was": was } });
        let fields = |all: Value| json!({ "fields": all });
        let keyed = |all: Value| json!({ "keyed": all });
        let union = |name: &str| json!({ "shown": [{}], "members": { name: { "was": 1 } } });
        let members = |unions: Value, all: Value| json!({ "members": [unions, all] });
        let (one, other) = (
            json!({ "x": value("1") }),
            json!({ "x": value("2"), "y": value("2") }),
        );
        let both = json!({ "x": value("1"), "y": value("2") });
        let (a, b) = (json!([union("a")]), json!([union("b")]));
        for (one, other, both) in [
            (
                fields(one.clone()),
                fields(other.clone()),
                fields(both.clone()),
            ),
            (
                keyed(one.clone()),
                keyed(other.clone()),
                keyed(both.clone()),
            ),
            (
                members(a.clone(), one.clone()),
                fields(other.clone()),
                members(a.clone(), both.clone()),
            ),
            (
                fields(one.clone()),
                members(a.clone(), other.clone()),
                members(a.clone(), both.clone()),
            ),
            (
                members(a, one),
                members(b, other),
                members(json!([union("a"), union("b")]), both),
            ),
            (value("1"), value("2"), value("1")),
            (value("1"), fields(json!({})), value("1")),
        ] {
            let found = Lost::both(lost(one.clone()), lost(other.clone()));
            assert!(found.is_some(), "{one} {other}");
            assert_eq!(found, lost(both), "{one} {other}");
        }
    }
}
