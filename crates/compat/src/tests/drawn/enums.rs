//! Schemas of Rust enums as serde tags them, and what becomes of such an enum: another variant, one less, another field.

use super::Dice;
use super::plain;
use serde_json::{Map, Value, json};

/// How serde tells variants apart.
#[derive(Clone, Copy)]
pub(in crate::tests) enum Tagging {
    External,
    Internal,
    Adjacent,
    Untagged,
}

const TAGGINGS: [Tagging; 4] = [
    Tagging::External,
    Tagging::Internal,
    Tagging::Adjacent,
    Tagging::Untagged,
];

#[derive(Clone)]
struct Field {
    name: &'static str,
    schema: Value,
    is_required: bool,
}

#[derive(Clone)]
struct Variant {
    name: &'static str,
    fields: Vec<Field>,
}

/// An enum, and how it is used.
#[derive(Clone)]
pub(in crate::tests) struct Enum {
    tagging: Tagging,
    variants: Vec<Variant>,
    /// Fields of the struct into which it is flattened.
    beside: Vec<Field>,
    is_nullable: bool,
    /// Whether the branches are inside of `allOf`, as those of one of several flattened enums.
    is_inside: bool,
}

const VARIANTS: [&str; 5] = ["a", "b", "c", "d", "e"];

fn field(dice: &mut Dice, name: &'static str) -> Field {
    Field {
        name,
        schema: plain::random(dice, 0, false),
        is_required: dice.one_in(2),
    }
}

fn variant(dice: &mut Dice, tagging: Tagging, name: &'static str) -> Variant {
    let names: &[&str] = match tagging {
        Tagging::External | Tagging::Adjacent => &["x", "y"],
        // The fields of all variants are those of one object.
        Tagging::Internal | Tagging::Untagged => &[],
    };
    let mut fields: Vec<Field> = Vec::new();
    for name in names {
        if dice.one_in(2) {
            fields.push(field(dice, name));
        }
    }
    if let Tagging::Internal | Tagging::Untagged = tagging {
        let mut own = field(dice, name);
        own.is_required |= matches!(tagging, Tagging::Untagged);
        fields.push(own);
    }
    Variant { name, fields }
}

/// An enum with some variants.
pub(in crate::tests) fn random(dice: &mut Dice) -> Enum {
    let tagging = *dice.pick(&TAGGINGS);
    let count = 1 + usize::try_from(dice.roll(3)).unwrap();
    let names = VARIANTS.iter().take(count);
    let variants = names.map(|name| variant(dice, tagging, name)).collect();
    Enum {
        tagging,
        variants,
        beside: match dice.one_in(3) {
            true => vec![field(dice, "p")],
            false => Vec::new(),
        },
        is_nullable: dice.one_in(4),
        is_inside: dice.one_in(4),
    }
}

/// The same enum with one more variant.
pub(in crate::tests) fn grown(dice: &mut Dice, of: &Enum) -> Enum {
    let mut new = of.clone();
    let name = VARIANTS[of.variants.len()];
    new.variants.push(variant(dice, of.tagging, name));
    new
}

/// The same enum, changed in some way.
pub(in crate::tests) fn mutated(dice: &mut Dice, of: &Enum) -> Enum {
    let mut new = of.clone();
    let at = usize::try_from(dice.roll(of.variants.len() as u64)).unwrap();
    match dice.roll(7) {
        0 => return grown(dice, of),
        1 if new.variants.len() > 1 => _ = new.variants.remove(at),
        2 => new.variants[at] = variant(dice, of.tagging, new.variants[at].name),
        // A variant is renamed.
        3 => {
            let name = VARIANTS[4];
            let fields = new.variants[at].fields.clone();
            let is_renamed = matches!(of.tagging, Tagging::External | Tagging::Adjacent);
            new.variants[at] = match is_renamed {
                true => Variant { name, fields },
                false => variant(dice, of.tagging, name),
            };
        }
        4 => new.is_nullable = !of.is_nullable,
        5 => new.is_inside = !of.is_inside,
        _ => new.beside = vec![field(dice, "q")],
    }
    new
}

fn fields_of<'f>(
    fields: impl Iterator<Item = &'f Field>,
) -> (Map<String, Value>, Vec<&'static str>) {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in fields {
        properties.insert(field.name.to_owned(), field.schema.clone());
        if field.is_required {
            required.push(field.name);
        }
    }
    (properties, required)
}

fn struct_of(fields: &[Field]) -> Value {
    let (properties, required) = fields_of(fields.iter());
    object(properties, &required)
}

fn object(properties: Map<String, Value>, required: &[&str]) -> Value {
    let mut schema = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

/// The schema in the form that a server takes: properties outside of the branches, which only require them.
pub(in crate::tests) fn schema(of: &Enum) -> Value {
    let (mut properties, mut required) = fields_of(of.beside.iter());
    let mut branches = Vec::new();
    let names: Vec<&str> = of.variants.iter().map(|variant| variant.name).collect();
    for Variant { name, fields } in &of.variants {
        match of.tagging {
            Tagging::External => {
                properties.insert((*name).to_owned(), struct_of(fields));
                branches.push(json!({"required": [name]}));
            }
            Tagging::Internal => {
                let (own, mut needed) = fields_of(fields.iter());
                properties.extend(own);
                needed.push("type");
                branches.push(json!({
                    "properties": {"type": {"enum": [name]}}, "required": needed,
                }));
            }
            Tagging::Adjacent => {
                let (own, needed) = fields_of(fields.iter());
                let content = properties.entry("content");
                let content = content.or_insert(json!({"type": "object", "properties": {}}));
                for (name, schema) in own {
                    let known = content["properties"].as_object_mut().unwrap();
                    known.entry(name).or_insert(schema);
                }
                let mut branch = json!({
                    "properties": {"type": {"enum": [name]}}, "required": ["type", "content"],
                });
                if !needed.is_empty() {
                    branch["properties"]["content"] = json!({"required": needed});
                }
                branches.push(branch);
            }
            Tagging::Untagged => {
                let (own, needed) = fields_of(fields.iter());
                properties.extend(own);
                branches.push(json!({"required": needed}));
            }
        }
    }
    if let Tagging::Internal | Tagging::Adjacent = of.tagging {
        properties.insert("type".to_owned(), json!({"type": "string", "enum": names}));
        required.push("type");
    }
    let mut schema = object(properties, &required);
    let list = match of.tagging {
        Tagging::Untagged => "anyOf",
        _ => "oneOf",
    };
    match of.is_inside {
        true => schema["allOf"] = json!([{list: branches}]),
        false => schema[list] = json!(branches),
    }
    if of.is_nullable {
        schema["nullable"] = json!(true);
    }
    schema
}
