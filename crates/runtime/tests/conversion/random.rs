//! Kinds with random schemas, whose versions lack some of what another has: their edits lose nothing, and their annotations are
//! never larger than what `gen-crds` computes.

mod examples;
mod hostile;

use super::bounds::{kept, most};
use crd_channels_runtime::conversion::{Convert, Converter, Kind, Plan, Unconvertible, round_trip};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::CustomResource;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::cell::{Cell, RefCell};

pub const VERSIONS: [&str; 3] = ["v1", "v1beta1", "v1alpha1"];

/// A source of random numbers, the same in every run.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// A value as all versions together have it.
#[derive(Clone, Debug)]
pub enum Node {
    /// A schema that is the same in every version.
    Same(Value),
    /// The values of an enum, and the versions that have each. All have the first, which stands for the others.
    Enum(Vec<(String, [bool; 3])>),
    Object(Vec<Field>),
    /// An object of whose fields at most one is set.
    Union(Vec<Field>),
    /// An object of whose fields exactly one is set. All versions have the first, which stands for the others.
    OneOf(Vec<Field>),
    List(u64, Box<Node>),
    /// A list map with the key `name`.
    Keyed(u64, Vec<Field>),
    Map(Box<Node>),
    /// A list of which some versions do not show the elements whose field `hidden` is true.
    Hiding {
        most: u64,
        fields: Vec<Field>,
        there: [bool; 3],
        is_keyed: bool,
    },
    /// An object whose field `type` tells which other fields it has. All versions have the first variant, which has no fields
    /// and stands for the others.
    Tagged(Vec<Variant>),
    /// A number that becomes the number of conversions, always or only below zero, which the hub does not have.
    Counted {
        always: bool,
    },
    /// A number that has a default in the spokes, which have no zero.
    Defaulted,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// Its name in each version that has it.
    pub names: [Option<String>; 3],
    pub is_required: bool,
    pub node: Node,
}

#[derive(Clone, Debug)]
pub struct Variant {
    pub name: String,
    pub there: [bool; 3],
    pub fields: Vec<Field>,
}

/// How deep the fields of a spec nest.
const TOP: u64 = 3;

/// What decides which kinds are drawn.
#[derive(Clone, Copy)]
struct Wanted {
    /// The maximum length of texts.
    longest: u64,
    /// Whether versions lack something in maps and open objects too, which no schema bounds.
    is_unbounded: bool,
}

fn node(dice: &mut Dice, depth: u64, wanted: Wanted) -> Node {
    let text = json!({ "type": "string", "maxLength": wanted.longest });
    match dice.below(if depth == 0 { 6 } else { 14 }) {
        0 => Node::Same(json!({ "type": "integer", "format": "int32" })),
        1 => Node::Same(json!({ "type": "boolean" })),
        2 => Node::Same(json!({ "x-kubernetes-int-or-string": true, "maxLength": 4 })),
        3 => Node::Enum(
            (0..2 + dice.below(3))
                .map(|index| (format!("Value{index}"), versions(dice, index > 0)))
                .collect(),
        ),
        4 => Node::Same(json!({ "type": "integer", "nullable": true })),
        5 => Node::Same(text),
        // What no schema bounds is the same in all versions, and in no list or union of which something else is kept.
        6 | 13 if !wanted.is_unbounded && depth < TOP => Node::Same(text),
        6 => Node::Same(json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true })),
        7 | 8 => Node::Object(fields(dice, depth - 1, wanted)),
        9 => Node::Union(members(dice, depth - 1, wanted)),
        10 => {
            let mut members = members(dice, depth - 1, wanted);
            members.insert(
                0,
                Field {
                    names: everywhere("first"),
                    is_required: false,
                    node: Node::Object(Vec::new()),
                },
            );
            Node::OneOf(members)
        }
        11 => Node::List(1 + dice.below(4), Box::new(node(dice, depth - 1, wanted))),
        12 => {
            let mut fields = fields(dice, depth - 1, wanted);
            fields.push(Field {
                names: everywhere("name"),
                is_required: true,
                node: Node::Same(text),
            });
            Node::Keyed(1 + dice.below(4), fields)
        }
        _ => Node::Map(Box::new(match wanted.is_unbounded {
            true => node(dice, depth - 1, wanted),
            false => Node::Same(text),
        })),
    }
}

pub fn everywhere(name: &str) -> [Option<String>; 3] {
    [(); 3].map(|()| Some(name.to_owned()))
}

fn versions(dice: &mut Dice, may_lack: bool) -> [bool; 3] {
    [(); 3].map(|()| !may_lack || dice.below(4) > 0)
}

fn fields(dice: &mut Dice, depth: u64, wanted: Wanted) -> Vec<Field> {
    let fields = (0..1 + dice.below(4)).map(|index| {
        let node = node(dice, depth, wanted);
        let is_open = |node: &Node| {
            matches!(node, Node::Map(_)) || format!("{node:?}").contains("preserve-unknown")
        };
        let may_lack =
            wanted.is_unbounded || !is_open(&node) && !format!("{node:?}").contains("Map(");
        let there = versions(dice, may_lack);
        let is_renamed = dice.below(6) == 0 && may_lack;
        let mut names = [0, 1, 2].map(|version| there[version].then(|| format!("field{index}")));
        if is_renamed && let Some(name) = &mut names[1] {
            *name = format!("other{index}");
        }
        Field {
            names,
            is_required: there == [true; 3] && dice.below(3) == 0,
            node,
        }
    });
    fields.collect()
}

fn members(dice: &mut Dice, depth: u64, wanted: Wanted) -> Vec<Field> {
    let mut members = fields(dice, depth, wanted);
    members.extend(fields(dice, depth, wanted).into_iter().map(|mut field| {
        for name in field.names.iter_mut().flatten() {
            name.push_str("More");
        }
        field
    }));
    for member in &mut members {
        member.is_required = false;
    }
    members
}

impl Node {
    fn schema(&self, version: usize) -> Value {
        match self {
            Self::Same(schema) => schema.clone(),
            Self::Enum(values) => {
                let own = values.iter().filter(|(_, there)| there[version]);
                json!({ "type": "string", "enum": own.map(|(value, _)| value).collect::<Vec<_>>() })
            }
            Self::Object(fields) => object(fields, version),
            Self::Union(members) => {
                let mut schema = object(members, version);
                let names = members
                    .iter()
                    .filter_map(|member| member.names[version].as_ref());
                let count: Vec<String> = names
                    .map(|name| format!("(has(self.{name}) ? 1 : 0)"))
                    .collect();
                if !count.is_empty() {
                    let rule = format!("{} <= 1", count.join(" + "));
                    schema["x-kubernetes-validations"] = json!([{ "rule": rule }]);
                }
                schema
            }
            Self::OneOf(members) => {
                let mut schema = object(members, version);
                let names = members
                    .iter()
                    .filter_map(|member| member.names[version].as_ref());
                schema["oneOf"] = names.map(|name| json!({ "required": [name] })).collect();
                schema
            }
            Self::List(most, node) => {
                json!({ "type": "array", "maxItems": most, "items": node.schema(version) })
            }
            Self::Hiding {
                most,
                fields,
                is_keyed,
                ..
            } => {
                let mut schema =
                    json!({ "type": "array", "maxItems": most, "items": object(fields, version) });
                if *is_keyed {
                    schema["x-kubernetes-list-type"] = json!("map");
                    schema["x-kubernetes-list-map-keys"] = json!(["name"]);
                }
                schema
            }
            Self::Tagged(variants) => {
                let own = variants.iter().filter(|variant| variant.there[version]);
                let mut schema = object(&[], version);
                let mut names = Vec::new();
                let mut branches = Vec::new();
                for Variant { name, fields, .. } in own {
                    let mut branch = object(fields, version);
                    let properties = branch["properties"].take();
                    for (name, property) in properties.as_object().unwrap() {
                        schema["properties"][name] = property.clone();
                    }
                    let mut required = branch["required"].take();
                    required.as_array_mut().unwrap().push(json!("type"));
                    names.push(name);
                    branches.push(json!({ "properties": { "type": { "enum": [name] } }, "required": required }));
                }
                schema["properties"]["type"] = json!({ "type": "string", "enum": names });
                schema["required"] = json!(["type"]);
                schema["oneOf"] = branches.into();
                schema
            }
            Self::Keyed(most, fields) => json!({
                "type": "array", "maxItems": most, "items": object(fields, version),
                "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
            }),
            Self::Map(values) => {
                json!({ "type": "object", "additionalProperties": values.schema(version) })
            }
            Self::Defaulted if version > 0 => json!({ "type": "integer", "default": 5 }),
            Self::Defaulted => json!({ "type": "integer" }),
            Self::Counted { .. } if version > 0 => json!({ "type": "integer" }),
            Self::Counted { .. } => json!({ "type": "integer", "minimum": 0 }),
        }
    }

    fn convert(&self, value: Value, from: usize, to: usize) -> Value {
        match (self, value) {
            (Self::Enum(values), Value::String(value)) => {
                let is_there = values
                    .iter()
                    .any(|(known, there)| *known == value && there[to]);
                match is_there {
                    true => value.into(),
                    false => values
                        .first()
                        .map_or(Value::Null, |(first, _)| first.clone().into()),
                }
            }
            (Self::Object(fields) | Self::Union(fields), Value::Object(object)) => {
                convert(fields, object, from, to).into()
            }
            (Self::OneOf(members), Value::Object(object)) => {
                let was_empty = object.is_empty();
                let mut object = convert(members, object, from, to);
                if object.is_empty() && !was_empty {
                    object.insert("first".to_owned(), json!({}));
                }
                object.into()
            }
            (Self::List(_, node), Value::Array(items)) => items
                .into_iter()
                .map(|item| node.convert(item, from, to))
                .collect(),
            (Self::Keyed(_, fields), Value::Array(items)) => {
                let each = items.into_iter().map(|item| match item {
                    Value::Object(object) => convert(fields, object, from, to).into(),
                    other => other,
                });
                each.collect()
            }
            (Self::Tagged(variants), Value::Object(mut object)) => {
                let is_there =
                    |variant: &&Variant| object["type"] == *variant.name && variant.there[to];
                let known = variants.iter().find(is_there).or(variants.first());
                let tag = known.map(|variant| json!(variant.name));
                let own = variants.iter().flat_map(|variant| variant.fields.clone());
                object = convert(&own.collect::<Vec<_>>(), object, from, to);
                object.extend(tag.map(|tag| ("type".to_owned(), tag)));
                object.into()
            }
            (Self::Hiding { fields, there, .. }, Value::Array(items)) => {
                let visible = items
                    .into_iter()
                    .filter(|item| there[to] || item["hidden"] != true);
                let each = visible.map(|item| match item {
                    Value::Object(object) => convert(fields, object, from, to).into(),
                    other => other,
                });
                each.collect()
            }
            (Self::Map(node), Value::Object(entries)) => {
                let entries = entries
                    .into_iter()
                    .map(|(key, value)| (key, node.convert(value, from, to)));
                Value::Object(entries.collect())
            }
            (Self::Defaulted, value) if to > 0 && value == 0 => Value::Null,
            (Self::Counted { always }, value) if *always || value.as_i64() < Some(0) => {
                CONVERSIONS.with(|count| json!(count.replace(count.get() + 1)))
            }
            (_, value) => value,
        }
    }
}

fn object(fields: &[Field], version: usize) -> Value {
    let own = |field: &Field| Some((field.names[version].clone()?, field.node.schema(version)));
    let properties: Map<String, Value> = fields.iter().filter_map(own).collect();
    let required = fields
        .iter()
        .filter(|field| field.is_required)
        .filter_map(|field| field.names[version].as_ref());
    json!({ "type": "object", "properties": properties, "required": required.collect::<Vec<_>>() })
}

fn convert(
    fields: &[Field],
    mut object: Map<String, Value>,
    from: usize,
    to: usize,
) -> Map<String, Value> {
    let converted = fields.iter().filter_map(|field| {
        let value = object.remove(field.names[from].as_ref()?)?;
        Some((
            field.names[to].clone()?,
            field.node.convert(value, from, to),
        ))
    });
    converted.collect()
}

thread_local! {
    /// The specs of the kind that is built.
    static SPEC: RefCell<Node> = const { RefCell::new(Node::Object(Vec::new())) };
    static CONVERSIONS: Cell<u64> = const { Cell::new(0) };
}

fn plan(version: usize) -> Plan {
    let there = SPEC.with(|spec| spec.borrow().clone());
    let back = there.clone();
    let of_spec = move |mut object: Value, node: &Node, from, to| -> Result<Value, Unconvertible> {
        if let Some(spec) = object.get_mut("spec") {
            *spec = node.convert(spec.take(), from, to);
        }
        Ok(object)
    };
    Plan::functions(
        move |object: Value| of_spec(object, &there, version, 0),
        move |object: Value| of_spec(object, &back, 0, version),
    )
}

macro_rules! version {
    ($module:ident, $version:literal) => {
        mod $module {
            use super::*;

            #[derive(Clone, CustomResource, Debug, Deserialize, Serialize)]
            #[kube(group = "example.com", version = $version, kind = "Thing", schema = "disabled")]
            pub struct ThingSpec {}
        }
    };
}

version!(v1, "v1");
version!(v1beta1, "v1beta1");
version!(v1alpha1, "v1alpha1");

impl Convert<v1::Thing> for v1beta1::Thing {
    fn plan() -> Plan {
        plan(1)
    }
}

impl Convert<v1::Thing> for v1alpha1::Thing {
    fn plan() -> Plan {
        plan(2)
    }
}

/// The kind with this number.
fn drawn(number: u64, wanted: Wanted) -> (Kind, CustomResourceDefinition) {
    let mut dice = Dice(number.wrapping_mul(7919) + 1);
    let mut all = Vec::new();
    for index in 0..3 {
        all.extend(fields(&mut dice, TOP, wanted).into_iter().map(|mut field| {
            for name in field.names.iter_mut().flatten() {
                name.push_str(&index.to_string());
            }
            field
        }));
    }
    built(Node::Object(all))
}

/// A kind whose objects have this spec.
pub fn built(spec: Node) -> (Kind, CustomResourceDefinition) {
    let versions = [0, 1, 2].map(|version| {
        let root = json!({ "type": "object", "required": ["spec"], "properties": { "spec": spec.schema(version) } });
        json!({ "name": VERSIONS[version], "served": true, "storage": version == 0, "schema": { "openAPIV3Schema": root } })
    });
    let crd = json!({ "apiVersion": "apiextensions.k8s.io/v1", "metadata": { "name": "things.example.com" }, "spec": {
        "group": "example.com", "names": { "kind": "Thing", "plural": "things" }, "scope": "Cluster",
        "conversion": { "strategy": "Webhook" }, "versions": versions,
    } });
    let crd: CustomResourceDefinition = serde_json::from_value(crd).unwrap();
    SPEC.with(|place| place.replace(spec));
    let kind = Kind::with_hub::<v1::Thing>(&crd)
        .spoke::<v1beta1::Thing>()
        .spoke::<v1alpha1::Thing>();
    (kind.build().unwrap(), crd)
}

/// A value that is nearly as large as its schema lets it be.
fn large(schema: &Value, dice: &mut Dice) -> Value {
    let number = |name: &str| schema[name].as_u64().unwrap_or_default();
    if let Some(values) = schema["enum"].as_array() {
        return values[usize::try_from(dice.below(values.len().try_into().unwrap())).unwrap()]
            .clone();
    }
    // What JSON writes as `\u0001`.
    let text = |length: u64, dice: &mut Dice| {
        let control = |_| char::from(u8::try_from(1 + dice.below(4)).unwrap());
        Value::String((0..length).map(control).collect())
    };
    match schema["type"].as_str() {
        Some("integer") => json!(if schema["format"] == "int32" {
            i64::from(i32::MIN)
        } else {
            i64::MIN
        }),
        Some("boolean") => json!(false),
        Some("array") => {
            let items: Vec<Value> = (0..number("maxItems"))
                .map(|_| large(&schema["items"], dice))
                .collect();
            let mut seen = Vec::new();
            let is_map = schema["x-kubernetes-list-type"] == "map";
            let unique = items.into_iter().filter(|item| {
                let is_new = !is_map || !seen.contains(&item["name"]);
                seen.push(item["name"].clone());
                is_new
            });
            unique.collect()
        }
        Some("object") => {
            let is_union =
                schema.get("oneOf").is_some() || schema.get("x-kubernetes-validations").is_some();
            let properties = schema["properties"].as_object();
            let mut all: Vec<(&String, &Value)> = properties.into_iter().flatten().collect();
            if is_union && !all.is_empty() {
                let chosen = usize::try_from(dice.below(all.len().try_into().unwrap())).unwrap();
                all = vec![all[chosen]];
            }
            let required = |name: &String| {
                schema["required"]
                    .as_array()
                    .is_some_and(|all| all.contains(&json!(name)))
            };
            let fields = all.into_iter().filter_map(|(name, schema)| {
                let is_there = is_union || required(name) || dice.below(8) > 0;
                is_there.then(|| (name.clone(), large(schema, dice)))
            });
            Value::Object(fields.collect())
        }
        // A text or a number.
        _ => text(number("maxLength"), dice),
    }
}

/// How many kinds are drawn: as many as `RANDOM_KINDS` says.
fn kinds(most: u64) -> u64 {
    std::env::var("RANDOM_KINDS").map_or(most, |count| count.parse().unwrap())
}

#[test]
fn edits_of_random_kinds_lose_nothing() {
    let (most, mut checked) = (kinds(10), 0);
    for number in 0..most {
        let (kind, crd) = drawn(
            number,
            Wanted {
                longest: 4,
                is_unbounded: true,
            },
        );
        match round_trip::check(&Converter::new([kind]), &crd, super::count(20)) {
            Ok(()) => checked += 1,
            // Few objects of such a kind keep its rules.
            Err(round_trip::Failure::Undrawable(_)) => {}
            Err(failure) => panic!(
                "kind {number}: {failure}\n{:#}",
                serde_json::to_value(&crd).unwrap()
            ),
        }
    }
    assert!(checked * 10 >= most * 9, "{checked} of {most}");
}

#[test]
fn no_object_of_a_random_kind_has_larger_annotations_than_computed() {
    let mut runner = TestRunner::deterministic();
    let mut largest = 0.0_f64;
    for number in 0..kinds(40) {
        let wanted = Wanted {
            longest: number % 4,
            is_unbounded: false,
        };
        let (kind, crd) = drawn(number, wanted);
        let Some(most) = most(&crd) else {
            panic!(
                "kind {number} is unbounded: {:#}",
                serde_json::to_value(&crd).unwrap()
            )
        };
        for from in VERSIONS {
            let objects = round_trip::objects(&crd, from).unwrap();
            let schema = crd
                .spec
                .versions
                .iter()
                .find(|version| version.name == from);
            let schema =
                schema.and_then(|version| version.schema.as_ref()?.open_api_v3_schema.as_ref());
            let schema = serde_json::to_value(schema).unwrap();
            let mut dice = Dice(number);
            for index in 0..super::count(20) {
                let mut object = objects.new_tree(&mut runner).unwrap().current();
                if index % 2 == 0 {
                    object["spec"] = large(&schema["properties"]["spec"], &mut dice);
                }
                // What one version keeps stays while the object is converted on.
                for (over, to) in [(1, 2), (2, 1), (0, 1), (0, 2), (1, 0), (2, 0)] {
                    let mut there = object.clone();
                    let mut at = from;
                    for next in [VERSIONS[over], VERSIONS[to]] {
                        there = kind.convert(there, at, next).unwrap().object;
                        at = next;
                        let kept = kept(&kind, &there);
                        let said = || {
                            format!(
                                "kind {number}: {kept} of {most} in `{next}`: {object:#}\n{there:#}\n{:#}",
                                serde_json::to_value(&crd).unwrap()
                            )
                        };
                        assert!(kept <= most, "{}", said());
                        if most > 0 {
                            #[allow(clippy::cast_precision_loss, reason = "sizes are small")]
                            let share = kept as f64 / most as f64;
                            largest = largest.max(share);
                        }
                    }
                }
            }
        }
    }
    assert!(largest > 0.25, "{largest}");
}
