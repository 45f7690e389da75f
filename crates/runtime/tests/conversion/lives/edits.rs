//! What clients send: random values of a version, and random edits of what it shows.

use super::super::random::{Dice, Field, Node, Variant};
use serde_json::{Map, Value, json};

/// Keys that are hard to put into a path or into the name of an annotation.
const KEYS: [&str; 11] = [
    "",
    "a",
    "b",
    "ä",
    "日本",
    "a.b",
    "a/b",
    "~1",
    "~01",
    "a, b",
    "a key that is longer than the name of an annotation may be at most, and more",
];

const NAMES: [&str; 4] = ["a", "b", "\u{e9}", "a\"b"];

/// The client of one version.
pub struct Client<'d> {
    pub dice: &'d mut Dice,
    pub version: usize,
    /// A number that no value had yet.
    pub fresh: &'d mut i64,
}

fn chosen<'v, T>(dice: &mut Dice, all: &'v [T]) -> Option<&'v T> {
    let index = dice.below(u64::try_from(all.len().max(1)).ok()?);
    all.get(usize::try_from(index).ok()?)
}

impl Client<'_> {
    fn is(&mut self, one_in: u64) -> bool {
        self.dice.below(one_in) == 0
    }

    fn own<'f>(&self, fields: &'f [Field]) -> Vec<(&'f str, &'f Field)> {
        let own = fields
            .iter()
            .filter_map(|field| Some((&**field.names[self.version].as_ref()?, field)));
        own.collect()
    }

    /// A value that nothing had before, as far as there are such values.
    pub fn value(&mut self, node: &Node) -> Value {
        *self.fresh += 1;
        let fresh = *self.fresh;
        match node {
            Node::Same(schema) => match schema["type"].as_str() {
                Some("integer") if schema["nullable"] == true && self.is(3) => Value::Null,
                Some("integer") => json!(fresh),
                Some("boolean") => json!(self.is(2)),
                Some("object") => match self.is(3) {
                    true => json!({}),
                    false => json!({ "any": [fresh, { "~/": null }] }),
                },
                Some(_) => json!(format!("{fresh}é")),
                None => match self.is(2) {
                    true => json!(fresh),
                    false => json!(format!("{}", fresh % 1000)),
                },
            },
            Node::Enum(values) => {
                let own: Vec<&String> = values
                    .iter()
                    .filter(|(_, there)| there[self.version])
                    .map(|(value, _)| value)
                    .collect();
                json!(chosen(self.dice, &own))
            }
            Node::Object(fields) => self.object(fields).into(),
            Node::Union(members) => {
                let all = self.own(members);
                match self.is(4) {
                    true => json!({}),
                    false => self.member(&all),
                }
            }
            Node::OneOf(members) => {
                let all = self.own(members);
                self.member(&all)
            }
            Node::List(most, node) => (0..self.dice.below((*most).min(6) + 1))
                .map(|_| self.value(node))
                .collect(),
            Node::Tagged(variants) => {
                let own: Vec<&Variant> = variants
                    .iter()
                    .filter(|variant| variant.there[self.version])
                    .collect();
                let variant = chosen(self.dice, &own).copied();
                let mut object = variant
                    .map(|variant| self.object(&variant.fields))
                    .unwrap_or_default();
                object.extend(variant.map(|variant| ("type".to_owned(), json!(variant.name))));
                object.into()
            }
            Node::Hiding {
                fields,
                is_keyed: true,
                ..
            } => self.value(&Node::Keyed(0, fields.clone())),
            Node::Hiding { most, fields, .. } => (0..self.dice.below((*most).min(6) + 1))
                .map(|_| self.element(fields))
                .collect(),
            Node::Keyed(_, fields) => {
                let names: Vec<&str> = NAMES
                    .iter()
                    .filter(|_| self.dice.below(2) == 0)
                    .copied()
                    .collect();
                names.iter().map(|name| self.keyed(fields, name)).collect()
            }
            Node::Map(node) => {
                let keys: Vec<&str> = KEYS
                    .iter()
                    .filter(|_| self.dice.below(6) == 0)
                    .copied()
                    .collect();
                Value::Object(
                    keys.iter()
                        .map(|key| ((*key).to_owned(), self.value(node)))
                        .collect(),
                )
            }
            Node::Defaulted if self.version == 0 && self.is(2) => json!(0),
            Node::Counted { .. } | Node::Defaulted => json!(fresh + 5),
        }
    }

    fn member(&mut self, all: &[(&str, &Field)]) -> Value {
        let Some((name, field)) = chosen(self.dice, all).copied() else {
            return json!({});
        };
        json!({ name: self.value(&field.node) })
    }

    fn object(&mut self, fields: &[Field]) -> Map<String, Value> {
        let mut object = Map::new();
        for (name, field) in self.own(fields) {
            if field.is_required || self.is(2) {
                object.insert(name.to_owned(), self.value(&field.node));
            }
        }
        object
    }

    fn element(&mut self, fields: &[Field]) -> Value {
        self.object(fields).into()
    }

    fn keyed(&mut self, fields: &[Field], name: &str) -> Value {
        let mut element = self.object(fields);
        element.insert("name".to_owned(), json!(name));
        element.into()
    }

    /// Changes something.
    pub fn edit(&mut self, node: &Node, value: &mut Value) {
        match (node, &mut *value) {
            (Node::Object(fields), Value::Object(object)) => self.edit_fields(fields, object),
            (Node::Union(members) | Node::OneOf(members), Value::Object(object)) => {
                let all = self.own(members);
                let there = object.keys().next().cloned();
                let field = all.iter().find(|(name, _)| Some(*name) == there.as_deref());
                match (field, self.dice.below(3)) {
                    (Some((name, field)), 0 | 1) => {
                        if let Some(value) = object.get_mut(*name) {
                            self.edit(&field.node, value);
                        }
                    }
                    _ => *value = self.value(node),
                }
            }
            (Node::List(_, node), Value::Array(items)) => {
                self.edit_list(
                    items,
                    &mut |client| client.value(node),
                    &mut |client, item| client.edit(node, item),
                );
            }
            (
                Node::Hiding {
                    fields,
                    is_keyed: true,
                    ..
                },
                value,
            ) => self.edit(&Node::Keyed(0, fields.clone()), value),
            (Node::Tagged(variants), Value::Object(object)) if self.dice.below(3) > 0 => {
                let variant = variants
                    .iter()
                    .find(|variant| object["type"] == *variant.name);
                self.edit_fields(variant.map_or(&[], |variant| &variant.fields), object);
            }
            (Node::Hiding { fields, .. }, Value::Array(items)) => {
                let node = Node::Object(fields.clone());
                self.edit_list(
                    items,
                    &mut |client| client.element(fields),
                    &mut |client, item| client.edit(&node, item),
                );
            }
            (Node::Keyed(_, fields), Value::Array(items)) => {
                let there: Vec<Value> = items.iter().map(|item| item["name"].clone()).collect();
                let node = Node::Object(
                    fields
                        .iter()
                        .filter(|field| !field.is_required)
                        .cloned()
                        .collect(),
                );
                let new = NAMES
                    .iter()
                    .find(|name| !there.contains(&json!(name)))
                    .copied();
                self.edit_list(
                    items,
                    &mut |client| client.keyed(fields, new.unwrap_or("z")),
                    &mut |client, item| client.edit(&node, item),
                );
            }
            (Node::Map(node), Value::Object(entries)) => {
                let keys: Vec<String> = entries.keys().cloned().collect();
                let there = chosen(self.dice, &keys).cloned();
                match (self.dice.below(8), there) {
                    (0, Some(key)) => drop(entries.remove(&key)),
                    (1, Some(key)) => {
                        let new = chosen(self.dice, &KEYS).copied().unwrap_or_default();
                        let value = entries.remove(&key);
                        entries.extend(value.map(|value| (new.to_owned(), value)));
                    }
                    (2, _) => entries.clear(),
                    (3..=5, Some(key)) => {
                        if let Some(value) = entries.get_mut(&key) {
                            self.edit(node, value);
                        }
                    }
                    _ => {
                        let new = chosen(self.dice, &KEYS).copied().unwrap_or_default();
                        entries.insert(new.to_owned(), self.value(node));
                    }
                }
            }
            _ => *value = self.value(node),
        }
    }

    fn edit_fields(&mut self, fields: &[Field], object: &mut Map<String, Value>) {
        let all = self.own(fields);
        if self.is(5) && self.moved(&all, object) {
            return;
        }
        let Some((name, field)) = chosen(self.dice, &all).copied() else {
            return;
        };
        match (object.get_mut(name), self.dice.below(5)) {
            (Some(_), 0) if !field.is_required => drop(object.remove(name)),
            (Some(value), _) => self.edit(&field.node, value),
            (None, _) => drop(object.insert(name.to_owned(), self.value(&field.node))),
        }
    }

    /// Moves an element from one list to another with the same elements.
    fn moved(&mut self, all: &[(&str, &Field)], object: &mut Map<String, Value>) -> bool {
        let twin = |name: &str| format!("{name}Twin");
        let pairs = all
            .iter()
            .filter(|(name, _)| all.iter().any(|(other, _)| **other == twin(name)));
        let pairs: Vec<&str> = pairs.map(|(name, _)| *name).collect();
        let Some(name) = chosen(self.dice, &pairs).copied() else {
            return false;
        };
        let (mut from, mut to) = (name.to_owned(), twin(name));
        if self.is(2) {
            std::mem::swap(&mut from, &mut to);
        }
        let element = match object.get_mut(&from) {
            Some(Value::Array(items)) if !items.is_empty() => items.remove(items.len() / 2),
            _ => return false,
        };
        let place = object.entry(to).or_insert(json!([]));
        place
            .as_array_mut()
            .map(|items| items.push(element))
            .is_some()
    }

    fn edit_list(
        &mut self,
        items: &mut Vec<Value>,
        new: &mut dyn FnMut(&mut Self) -> Value,
        edit: &mut dyn FnMut(&mut Self, &mut Value),
    ) {
        let length = u64::try_from(items.len()).unwrap_or_default();
        let index = usize::try_from(self.dice.below(length.max(1))).unwrap_or_default();
        match self.dice.below(9) {
            0 => items.clear(),
            1 | 2 if index < items.len() => drop(items.remove(index)),
            3 => items.reverse(),
            4 if !items.is_empty() => items.rotate_left(1),
            5 | 6 => {
                if let Some(item) = items.get_mut(index) {
                    edit(self, item);
                }
            }
            7 if index < items.len() && items[index].get("name").is_none() => {
                items.insert(index, items[index].clone())
            }
            _ => {
                let item = new(self);
                items.insert(index.min(items.len()), item);
            }
        }
    }
}
