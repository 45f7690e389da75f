//! Changes of an object in one drawn place, most of which make it invalid.

use crate::objects::dice::Dice;
use crate::objects::faults;
use crate::objects::field::Field;
use crate::objects::valid;
use crd_channels_validation::schema::{Schema, is_meta};
use serde_json::{Map, Value, json};

/// How often a place is drawn that the change fits.
const DRAWS: usize = 60;

/// The changes that are not of a keyword.
const OTHERS: [&str; 12] = [
    "metadata",
    "null",
    "removed",
    "unknown field",
    "member added",
    "another value",
    "number",
    "long text",
    "text of a format",
    "key",
    "null item",
    "embedded resource",
];

/// Texts that are almost of a format, or of one in some versions of Go.
const TEXTS: [&str; 40] = [
    "2024-02-30",
    "2024-2-9",
    "2024-02-29T12:30:00",
    "2024-02-29T12:30:60Z",
    "2024-02-29T24:00:00Z",
    "2024-02-29t12:30:00z",
    "2024-02-29 12:30:00Z",
    "2024-02-29T12:30:00.123456789+23:59",
    "2024-02-29T12:30:00+24:00",
    "1h",
    "1 h",
    "1.5h3m",
    "P1D",
    "1d",
    "-1s",
    "1",
    "+.5s",
    "Zm9v",
    "Zm9",
    "Zm9=",
    "Zm-_",
    "Zm9v\n",
    "7D444840-9DC0-41D1-B245-5FFDCE74FAD2",
    "7d4448409dc041d1b2455ffdce74fad2",
    "{7d444840-9dc0-41d1-b245-5ffdce74fad2}",
    "192.0.2.256",
    "192.0.02.1",
    "192.0.2.1/24",
    "::ffff:192.0.2.1",
    "2001:db8::g",
    "fe80::1%eth0",
    "a@b",
    "A <a@example.com>",
    "-a.example.com",
    "a_b",
    "http://[::1",
    "/relative",
    "mailto:a@b",
    "02-00-5e-10-00-00",
    "",
];

/// A changed object, and what the change is.
pub struct Damage {
    pub what: &'static str,
    pub object: Value,
}

/// Draws a change.
pub fn draw(schema: &Schema<'_>, object: &Value, dice: &mut Dice) -> Damage {
    let mut places = Vec::new();
    collect(schema, object, Field::default(), &mut places);
    for _ in 0..DRAWS {
        let what = match dice.chance(1, 2) {
            true => "keyword",
            false => dice.pick(&OTHERS).unwrap(),
        };
        let damage = match what {
            "keyword" => of_keyword(schema, object, dice),
            "metadata" => Some(of_metadata(object, dice)),
            _ => (0..DRAWS).find_map(|_| {
                let place = dice.pick(&places)?;
                other(what, place, object, dice)
            }),
        };
        if let Some(damage) = damage.filter(|damage| damage.object != *object) {
            return damage;
        }
    }
    Damage {
        what: "nothing",
        object: object.clone(),
    }
}

/// A value with its schema.
struct Place<'s, 'a, 'v> {
    field: Field,
    schema: &'s Schema<'a>,
    value: &'v Value,
}

fn collect<'s, 'a, 'v>(
    schema: &'s Schema<'a>,
    value: &'v Value,
    field: Field,
    places: &mut Vec<Place<'s, 'a, 'v>>,
) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let below = schema.properties.get(name).or_else(|| schema.values());
                // The fields of every object are changed as `metadata`.
                let is_own = field.0.is_empty() && is_meta(name);
                if let Some(below) = below.filter(|_| !is_own) {
                    collect(below, value, field.name(name), places);
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                if let Some(below) = schema.item() {
                    collect(below, item, field.index(index), places);
                }
            }
        }
        _ => {}
    }
    places.push(Place {
        field,
        schema,
        value,
    });
}

/// A change that is to violate a keyword; each keyword is as likely as the others.
fn of_keyword(schema: &Schema<'_>, object: &Value, dice: &mut Dice) -> Option<Damage> {
    let mut changes = faults::changes(schema, object);
    let own = ["apiVersion", "kind", "metadata"];
    changes.retain(|change| !own.iter().any(|name| change.field.is_below(name)));
    let mut keywords: Vec<&str> = changes.iter().map(|change| change.keyword).collect();
    keywords.sort_unstable();
    keywords.dedup();
    let keyword = *dice.pick(&keywords)?;
    changes.retain(|change| change.keyword == keyword);
    let change = dice.pick(&changes)?;
    Some(Damage {
        what: change.keyword,
        object: change.apply(object)?,
    })
}

fn other(
    what: &'static str,
    place: &Place<'_, '_, '_>,
    object: &Value,
    dice: &mut Dice,
) -> Option<Damage> {
    let Place {
        field,
        schema,
        value,
    } = place;
    let mut changed = object.clone();
    if what == "removed" {
        field.remove(&mut changed)?;
        return Some(Damage {
            what,
            object: changed,
        });
    }
    let fields = || match value {
        Value::Object(fields) => Some(fields.clone()),
        _ => None,
    };
    let new = match (what, *value) {
        ("null", _) if !field.0.is_empty() => Value::Null,
        ("unknown field", Value::Object(fields)) => {
            let mut fields = fields.clone();
            let name = dice.pick(&["unknownField", "x.y", "", "a[0]"])?;
            fields.insert((*name).to_owned(), json!({"a": 1}));
            Value::Object(fields)
        }
        ("member added", Value::Object(_)) => {
            let mut fields = fields()?;
            let names: Vec<&str> = schema.properties.iter().map(|(name, _)| *name).collect();
            let name = *dice.pick(&names)?;
            if fields.contains_key(name) || (field.0.is_empty() && is_meta(name)) {
                return None;
            }
            let member = valid::decoded(schema.properties.get(name)?, dice)?;
            fields.insert(name.to_owned(), member);
            Value::Object(fields)
        }
        ("another value", _) if !field.0.is_empty() => valid::decoded(schema, dice)?,
        ("text of a format", Value::String(_)) if !schema.format.is_empty() => {
            json!(dice.pick(&TEXTS)?)
        }
        ("key", Value::Object(_)) if schema.values().is_some() => {
            let mut fields = fields()?;
            let key = *dice.pick(&["", ".", ".a", "a.b", "a[0]", "[", "a/b", "\u{e9}", "a b"])?;
            let value = match dice.chance(1, 2) {
                true => json!([7]),
                false => valid::decoded(schema.values()?, dice)?,
            };
            fields.insert(key.to_owned(), value);
            Value::Object(fields)
        }
        ("null item", Value::Array(items)) => {
            let mut items = items.clone();
            items.insert(dice.roll(items.len() + 1), Value::Null);
            Value::Array(items)
        }
        ("embedded resource", Value::Object(_)) if schema.embedded_resource => {
            let mut resource = Value::Object(fields()?);
            match dice.roll(4) {
                0 => {
                    let field = *dice.pick(&["apiVersion", "kind", "metadata"])?;
                    resource.as_object_mut()?.remove(field);
                }
                1 => {
                    let values = [
                        json!(""),
                        json!("a/b/c"),
                        json!("A B"),
                        json!("a/"),
                        json!(7),
                    ];
                    let field = *dice.pick(&["apiVersion", "kind"])?;
                    resource[field] = dice.pick(&values)?.clone();
                }
                _ => {
                    resource = of_metadata(&resource, dice).object;
                    if dice.chance(1, 6) {
                        resource["metadata"] = Value::Null;
                    }
                }
            }
            resource
        }
        ("number", Value::Number(_)) => {
            let numbers = [
                json!(2_147_483_648_i64),
                json!(-2_147_483_649_i64),
                json!(9_223_372_036_854_775_807_i64),
                json!(18_446_744_073_709_551_615_u64),
                json!(1e20),
                json!(1e300),
                json!(1.5),
                json!(1.0),
                json!(-0.0),
                json!(1e2),
                json!(0.1),
            ];
            dice.pick(&numbers)?.clone()
        }
        ("long text", Value::String(_)) => {
            let unit = dice.pick(&["a", "\u{e9}", "0123456789", "a\"b\n"])?;
            json!(unit.repeat(1 + dice.roll(1200)))
        }
        _ => return None,
    };
    *field.get_mut(&mut changed)? = new;
    Some(Damage {
        what,
        object: changed,
    })
}

/// A change of what every object has.
fn of_metadata(object: &Value, dice: &mut Dice) -> Damage {
    let owner = |uid: &str| json!({"apiVersion": "v1", "kind": "Pod", "name": "a", "uid": uid});
    let without = |name: &str| {
        let mut owner = owner("u");
        owner.as_object_mut().unwrap().remove(name);
        owner
    };
    let with = |name: &str, value: Value| {
        let mut owner = owner("u");
        owner[name] = value;
        owner
    };
    let controller = |uid: &str| {
        let mut owner = owner(uid);
        owner["controller"] = true.into();
        owner
    };
    let values = [
        ("labels", json!({"a b": "c"})),
        ("labels", json!({"-a": "c", "example.com/b/c": "d"})),
        ("labels", json!({"a": "b c", "d": "-"})),
        ("labels", json!({"a": "b".repeat(64)})),
        ("labels", json!({"a".repeat(64): "b", "": "c"})),
        ("labels", json!({"Example.com/a": "b"})),
        ("labels", json!({"a": 1})),
        ("labels", json!({"a": null})),
        ("labels", json!(["a"])),
        ("labels", json!({"a": "b"})),
        ("labels", json!({})),
        ("labels", Value::Null),
        ("generation", json!(-1)),
        ("annotations", json!({"a b": "c"})),
        ("annotations", json!({"A/b": "c", "a/": "d"})),
        ("annotations", json!({"a": true})),
        ("annotations", json!({"a": "b".repeat(300_000)})),
        ("annotations", json!({"a": "\u{0}\u{1f600}"})),
        ("finalizers", json!(["a"])),
        ("finalizers", json!(["example.com", "example.com/a"])),
        ("finalizers", json!(["a b", "-"])),
        ("finalizers", json!(["orphan", "foregroundDeletion"])),
        ("finalizers", json!(["orphan"])),
        ("finalizers", json!([1])),
        ("finalizers", json!("a")),
        ("finalizers", json!(["example.com/a", "example.com/a"])),
        ("ownerReferences", json!([owner("u")])),
        ("ownerReferences", json!([owner("u"), owner("u")])),
        ("ownerReferences", json!([without("uid")])),
        ("ownerReferences", json!([without("name")])),
        ("ownerReferences", json!([without("kind")])),
        ("ownerReferences", json!([without("apiVersion")])),
        (
            "ownerReferences",
            json!([with("apiVersion", json!("a/b/c"))]),
        ),
        ("ownerReferences", json!([with("kind", json!("Event"))])),
        ("ownerReferences", json!([with("other", json!(1))])),
        ("ownerReferences", json!([with("controller", json!("yes"))])),
        ("ownerReferences", json!([controller("u"), controller("v")])),
        ("ownerReferences", json!({})),
        ("unknownField", json!(1)),
        ("creationTimestamp", json!("yesterday")),
        ("creationTimestamp", Value::Null),
        ("generation", json!("1")),
        ("managedFields", json!([{"manager": 1}])),
        ("generateName", json!("A_")),
        ("selfLink", json!("/a")),
        ("uid", json!(1)),
        ("namespace", json!("default")),
        ("namespace", json!("other_")),
        ("name", json!("Upper")),
        ("name", json!("a".repeat(254))),
        ("name", json!("a..b")),
        ("name", json!("")),
        ("name", Value::Null),
        ("name", json!(1)),
    ];
    let mut object = object.clone();
    // An update has the name of what it updates.
    let few = if object["metadata"]["resourceVersion"].is_null() {
        values.len()
    } else {
        values.len() - 6
    };
    let (name, value) = &values[dice.roll(few)];
    let is_namespaced = !object["metadata"]["namespace"].is_null();
    if *name == "namespace" && is_namespaced {
        // It would be an object of another path.
        return Damage {
            what: "metadata",
            object,
        };
    }
    let metadata = object["metadata"].as_object_mut();
    metadata
        .unwrap_or(&mut Map::new())
        .insert((*name).to_owned(), value.clone());
    Damage {
        what: "metadata",
        object,
    }
}
