//! What clients do to an object.

use proptest::prelude::prop;
use proptest::strategy::{Just, Strategy};
use serde_json::{Map, Value, json};

/// An edit of a spec. One that does not fit the version or the object does nothing.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The index of the field among those that are edited in this life of an object.
    field: usize,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    Unset,
    Empty,
    Set(u8),
    /// Adds, removes, changes or moves an element, or the value of a key. From 4 on, one with all its parts is added.
    Insert(u8),
    Remove(u8),
    Part(u8, u8, Option<u8>),
    Reverse,
    Rename(u8),
}

/// The fields by their names in the model.
const FIELDS: [&str; 11] = [
    "name", "comment", "quiet", "level", "mode", "source", "rules", "steps", "limits", "retries",
    "note",
];
const MEMBERS: [&str; 4] = ["git", "image", "inline", "oci"];
const NAMES: [&str; 3] = ["a", "b", "c"];

pub fn any_edit() -> impl Strategy<Value = Edit> {
    let small = 0..4_u8;
    let value = proptest::option::of(small.clone());
    let what = prop::strategy::Union::new([
        Just(What::Unset).boxed(),
        small.clone().prop_map(What::Set).boxed(),
        (0..8_u8).prop_map(What::Insert).boxed(),
        small.clone().prop_map(What::Remove).boxed(),
        (0..2_u8, small.clone(), value)
            .prop_map(|(at, part, value)| What::Part(at, part, value))
            .boxed(),
        Just(What::Reverse).boxed(),
        small.prop_map(What::Rename).boxed(),
        Just(What::Empty).boxed(),
    ]);
    (0..3_usize, what).prop_map(|(field, what)| Edit { field, what })
}

/// A few fields: edits that have to do with each other are rare among all.
pub fn fields() -> impl Strategy<Value = Vec<&'static str>> {
    proptest::collection::vec(prop::sample::select(&FIELDS[..]), 1..3)
}

/// The name of a field in a version.
fn named(field: &'static str, version: &str) -> &'static str {
    match (field, version) {
        ("name", "v1beta1") => "title",
        ("retries", "v1beta1") => "attempts",
        (field, _) => field,
    }
}

fn has(version: &str, field: &str) -> bool {
    let fields: &[&str] = match version {
        "v1" => &[
            "name", "quiet", "level", "mode", "source", "rules", "steps", "limits", "retries",
            "note",
        ],
        "v1beta1" => &[
            "title", "comment", "mode", "source", "rules", "steps", "limits", "attempts",
        ],
        _ => &["name", "rules", "steps"],
    };
    fields.contains(&field)
}

fn part_of(version: &str, field: &str) -> &'static [&'static str] {
    match (field, version) {
        ("rules", "v1") => &["backend", "weight", "level", "zone"],
        ("rules", "v1beta1") => &["service", "zone"],
        ("rules", _) => &["backend"],
        ("steps", "v1") => &["weight", "level", "wait"],
        ("steps", "v1beta1") => &["wait"],
        ("source", _) => &["depth"],
        ("limits", "v1") => &["most", "soft", "least"],
        ("limits", _) => &["most", "least"],
        _ => &[],
    }
}

fn of_part(part: &str, value: u8) -> Value {
    match part {
        "level" => json!(["low", "extreme"][usize::from(value % 2)]),
        "backend" | "service" | "zone" => json!(["x", "y"][usize::from(value % 2)]),
        _ => json!(value),
    }
}

fn scalar(version: &str, field: &str, value: u8) -> Value {
    let index = usize::from(value);
    match (field, version) {
        ("quiet", _) => json!(index % 2 == 0),
        ("retries" | "attempts", _) => json!(value),
        ("level", _) => json!(["low", "high", "extreme"][index % 3]),
        ("mode", "v1") => json!(["Forward", "Redirect", "Mirror", "Drop"][index % 4]),
        ("mode", _) => json!(["Forward", "Bounce"][index % 2]),
        ("source", "v1") => json!({ MEMBERS[index % 4]: "s" }),
        ("source", _) => json!({ ["git", "image", "oci"][index % 3]: "s" }),
        _ => json!(["p", "q", "r", ""][index % 4]),
    }
}

fn element(version: &str, field: &str, index: u8) -> Value {
    let name = NAMES[usize::from(index % 4) % 3];
    let mut element = match field {
        "rules" => json!({ "name": name }),
        "steps" => json!({ "run": name }),
        _ => json!({ "most": 1 }),
    };
    let parts = part_of(version, field).iter().filter(|_| index > 3);
    parts.for_each(|part| element[part] = of_part(part, index % 4));
    element
}

impl Edit {
    pub fn make(&self, fields: &[&'static str], spec: &mut Value, version: &str) {
        let (Some(field), Value::Object(spec)) =
            (fields.get(self.field % fields.len().max(1)), spec)
        else {
            return;
        };
        let field = named(field, version);
        if !has(version, field) {
            return;
        }
        let is_list = matches!(field, "rules" | "steps");
        let is_map = field == "limits";
        let name = |index: u8| NAMES[usize::from(index) % 3];
        match (&self.what, spec.get_mut(field)) {
            (What::Unset, _) => drop(spec.remove(field)),
            (What::Empty, _) if is_list => drop(spec.insert(field.to_owned(), json!([]))),
            (What::Empty, _) if is_map || field == "source" => {
                drop(spec.insert(field.to_owned(), json!({})))
            }
            (What::Set(value), Some(Value::Object(source))) if field == "source" => {
                source.retain(|name, _| name == "depth");
                source.extend(
                    scalar(version, field, *value)
                        .as_object()
                        .cloned()
                        .unwrap_or_default(),
                );
            }
            (What::Set(value), _) if !is_list && !is_map => {
                spec.insert(field.to_owned(), scalar(version, field, *value));
            }
            (What::Insert(index), there) if is_list => match there {
                None => {
                    drop(spec.insert(field.to_owned(), json!([element(version, field, *index)])))
                }
                Some(Value::Array(all)) => all.insert(
                    usize::from(*index % 4).min(all.len()),
                    element(version, field, *index),
                ),
                Some(_) => {}
            },
            (What::Insert(index), there) if is_map => match there {
                None => drop(spec.insert(
                    field.to_owned(),
                    json!({ name(*index % 4): element(version, field, *index) }),
                )),
                Some(all) => drop(
                    all.as_object_mut()
                        .unwrap()
                        .entry(name(*index % 4))
                        .or_insert_with(|| element(version, field, *index)),
                ),
            },
            (What::Remove(index), Some(Value::Array(all))) if usize::from(*index) < all.len() => {
                all.remove(usize::from(*index));
            }
            (What::Remove(index), Some(Value::Object(all))) if is_map => {
                drop(all.remove(name(*index)))
            }
            (What::Part(index, part, value), Some(all)) => {
                let parts = part_of(version, field);
                let part = parts.get(usize::from(*part) % parts.len().max(1));
                if let (Some(element), Some(part)) = (at(all, field, *index), part) {
                    match value {
                        Some(value) => {
                            drop(element.insert((*part).to_owned(), of_part(part, *value)))
                        }
                        None if *part != "most" => drop(element.remove(*part)),
                        None => {}
                    }
                }
            }
            (What::Reverse, Some(Value::Array(all))) => all.reverse(),
            (What::Rename(index), Some(Value::Array(all))) => {
                let key = if field == "rules" { "name" } else { "run" };
                if let Some(first) = all.first_mut() {
                    first[key] = json!(name(*index));
                }
            }
            (What::Rename(index), Some(Value::Object(all))) if is_map => {
                if let Some((_, value)) = all
                    .keys()
                    .next()
                    .cloned()
                    .and_then(|key| all.remove_entry(&key))
                {
                    all.insert(name(*index).to_owned(), value);
                }
            }
            _ => {}
        }
    }
}

fn at<'v>(all: &'v mut Value, field: &str, index: u8) -> Option<&'v mut Map<String, Value>> {
    let found = match all {
        all if field == "source" => Some(all),
        Value::Array(all) => all.get_mut(usize::from(index)),
        Value::Object(all) => all.get_mut(NAMES[usize::from(index) % 3]),
        _ => None,
    };
    found?.as_object_mut()
}
