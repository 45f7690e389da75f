//! What a program knows in both versions, and a former one did not.

use super::lists::{by_key, element_key};
use super::shapes::KnownShape;
use serde_json::Value;
use std::collections::BTreeSet;

/// Why an object with restored parts is invalid.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Fault {
    /// The path to the invalid value.
    pub(crate) at: Vec<String>,
    pub(crate) reason: String,
    /// Whether what leads to it waits, wherever it is: the program cannot read it, or has not tried it.
    pub(crate) is_for_later: bool,
}

/// Adds to a value what a round trip through the other version brings back because it was restored there. The release that kept it
/// did not know it in this version. The three trips are the value after a round trip without what was restored, after one with
/// it, and after a second one with it.
pub(in super::super) fn with_restored(
    was: Option<Value>,
    trips: [Option<&Value>; 3],
    shape: KnownShape<'_>,
) -> Option<Value> {
    let [alone, returned, again] = trips;
    if was.as_ref() == alone && returned == again {
        return returned.cloned();
    }
    match (
        was,
        trips.map(|trip| trip?.as_object()),
        trips.map(|trip| trip?.as_array()),
    ) {
        (Some(Value::Object(mut was)), [Some(alone), Some(returned), Some(again)], _) => {
            let names: BTreeSet<String> = was.keys().chain(returned.keys()).cloned().collect();
            for name in names {
                let trips = [alone, returned, again].map(|trip| trip.get(&name));
                let value = with_restored(was.remove(&name), trips, shape.field(&name));
                was.extend(value.map(|value| (name, value)));
            }
            Some(was.into())
        }
        (Some(Value::Array(was)), _, [Some(alone), Some(returned), Some(again)]) => {
            let trips = [alone, returned, again];
            let is_as_long = trips.iter().all(|trip| trip.len() == was.len());
            let keyed = shape
                .keys()
                .map(|keys| (keys, trips.map(|trip| by_key(trip, keys))));
            let elements = was.into_iter().enumerate().filter_map(|(index, was)| {
                let trips = match &keyed {
                    Some((keys, keyed)) => {
                        let key = element_key(&was, keys);
                        keyed
                            .each_ref()
                            .map(|trip| trip.get(key.as_ref()?).copied())
                    }
                    None => trips.map(|trip| trip.get(index).filter(|_| is_as_long)),
                };
                with_restored(Some(was), trips, shape.element())
            });
            Some(elements.collect())
        }
        (was, ..) => was,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::shape;
    use super::{KnownShape, with_restored};
    use serde_json::{Value, json};

    fn added(was: &Value, [alone, returned, again]: [&Value; 3]) -> Value {
        let list = json!({ "x-kubernetes-list-map-keys": ["k"], "items": {} });
        let shape = shape(json!({ "properties": { "keyed": list } }));
        let trips = [Some(alone), Some(returned), Some(again)];
        with_restored(Some(was.clone()), trips, KnownShape(Some(&shape))).unwrap_or_default()
    }

    #[test]
    fn what_was_restored_elsewhere_is_added_wherever_it_is() {
        let nothing = json!({ "o": {}, "l": [{ "k": 1 }], "a": 1 });
        let restored = json!({ "o": { "f": 1 }, "l": [{ "k": 1, "f": [2] }], "a": 1, "f": {} });
        // What another version does not show is no such field, nor is what this one has already.
        let own = json!({ "o": { "f": 2 }, "l": [{ "k": 1, "f": 2 }], "a": 1, "f": 2 });
        let changed = json!({ "o": { "f": 3 }, "l": [{ "k": 1, "f": 3 }], "a": 3, "f": 3 });
        let other = json!({ "o": {}, "l": [{ "k": 1 }], "a": 3 });
        // Which elements belong together is not known.
        let more = json!({ "l": [{ "f": 1 }, { "f": 2 }], "own": 1 });
        let [less, same] = [json!({ "l": [{}] }), json!({ "l": [{}, {}] })];
        let [one, two] = [less.clone(), same.clone()].map(|mut list| {
            list["own"] = json!(2);
            list
        });
        for (was, alone, returned, expected) in [
            (&nothing, &nothing, &restored, &restored),
            (&restored, &restored, &nothing, &nothing),
            (&own, &nothing, &restored, &own),
            (&nothing, &own, &changed, &other),
            (&two, &less, &more, &two),
            (&one, &same, &more, &one),
            (&less, &less, &more, &more),
            (&same, &same, &less, &less),
        ] {
            assert_eq!(
                added(was, [alone, returned, returned]),
                *expected,
                "{was} {alone} {returned}"
            );
        }
        // What does not survive another trip is what this version shows in place of something else.
        let again = json!({ "o": { "f": 1 }, "l": [{ "k": 1 }], "a": 1 });
        assert_eq!(added(&nothing, [&nothing, &restored, &again]), again);
    }

    #[test]
    fn elements_of_a_list_map_are_known_by_their_keys() {
        let keyed = |all: Value| json!({ "keyed": all });
        let was = keyed(json!([{ "k": "hidden" }, { "k": "a" }, { "k": "b", "f": 2 }]));
        let alone = keyed(json!([{ "k": "b" }, { "k": "a" }]));
        let returned =
            keyed(json!([{ "k": "b", "f": 1 }, { "k": "a", "f": 1 }, { "k": "c", "f": 1 }]));
        let expected =
            keyed(json!([{ "k": "hidden" }, { "k": "a", "f": 1 }, { "k": "b", "f": 2 }]));
        assert_eq!(added(&was, [&alone, &returned, &returned]), expected);
    }
}
