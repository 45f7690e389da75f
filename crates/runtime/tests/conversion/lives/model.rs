//! The object as people think of it: all fields of all versions, under one name each. It has never heard of a conversion.

use super::super::random::{Field, Node, Variant};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The name of a field in the model.
pub fn name_of(field: &Field) -> Option<&String> {
    field.names.iter().flatten().next()
}

fn fields_of(node: &Node) -> Option<&[Field]> {
    match node {
        Node::Object(fields) | Node::Union(fields) | Node::OneOf(fields) => Some(fields),
        _ => None,
    }
}

/// A server replaces `null` by the default.
fn is_absent(field: &Field, value: &Value) -> bool {
    matches!(field.node, Node::Defaulted) && value.is_null()
}

/// The fields of all variants.
fn all_of(variants: &[Variant]) -> Vec<Field> {
    variants
        .iter()
        .flat_map(|variant| variant.fields.clone())
        .collect()
}

/// What a version sends, under the names of the model.
pub fn wide(node: &Node, value: &Value, version: usize) -> Value {
    let object = |fields: &[Field], object: &Map<String, Value>| {
        let named = fields.iter().filter_map(|field| {
            let value = object.get(field.names[version].as_ref()?)?;
            let is_there = !is_absent(field, value);
            is_there.then_some((name_of(field)?.clone(), wide(&field.node, value, version)))
        });
        named.collect::<Map<_, _>>()
    };
    match (node, value) {
        (Node::List(_, node), Value::Array(items)) => {
            items.iter().map(|item| wide(node, item, version)).collect()
        }
        (Node::Map(node), Value::Object(entries)) => {
            let all = entries
                .iter()
                .map(|(key, value)| (key.clone(), wide(node, value, version)));
            Value::Object(all.collect())
        }
        (Node::Keyed(_, fields) | Node::Hiding { fields, .. }, Value::Array(items)) => {
            let each = items.iter().map(|item| match item {
                Value::Object(item) => object(fields, item).into(),
                other => other.clone(),
            });
            each.collect()
        }
        (Node::Tagged(variants), Value::Object(value)) => {
            let mut own = object(&all_of(variants), value);
            own.insert("type".to_owned(), value["type"].clone());
            own.into()
        }
        (node, Value::Object(value)) if fields_of(node).is_some() => {
            object(fields_of(node).unwrap_or_default(), value).into()
        }
        (_, value) => value.clone(),
    }
}

/// What a version shows of the object, under the names of the model.
pub fn shown(node: &Node, model: &Value, version: usize) -> Value {
    let object = |fields: &[Field], model: &Map<String, Value>| {
        let own = fields.iter().filter_map(|field| {
            field.names[version].as_ref()?;
            let name = name_of(field)?;
            let value = shown(&field.node, model.get(name)?, version);
            (!is_absent(field, &value)).then_some((name.clone(), value))
        });
        own.collect::<Map<_, _>>()
    };
    match (node, model) {
        (Node::Enum(values), Value::String(text)) => {
            let is_there = |(value, there): &&(String, [bool; 3])| value == text && there[version];
            let known = values.iter().find(is_there).or(values.first());
            known.map_or(Value::Null, |(value, _)| json!(value))
        }
        (Node::OneOf(members), Value::Object(model)) => {
            let mut own = object(members, model);
            if own.is_empty() && !model.is_empty() {
                own.insert("first".to_owned(), json!({}));
            }
            own.into()
        }
        (Node::List(_, node), Value::Array(items)) => items
            .iter()
            .map(|item| shown(node, item, version))
            .collect(),
        (Node::Map(node), Value::Object(entries)) => {
            let all = entries
                .iter()
                .map(|(key, value)| (key.clone(), shown(node, value, version)));
            Value::Object(all.collect())
        }
        (Node::Keyed(_, fields), Value::Array(items)) => {
            let each = items.iter().filter_map(Value::as_object);
            each.map(|item| Value::from(object(fields, item))).collect()
        }
        (Node::Hiding { fields, there, .. }, Value::Array(items)) => {
            let visible = items
                .iter()
                .filter(|item| there[version] || item["hidden"] != true);
            visible
                .filter_map(Value::as_object)
                .map(|item| Value::from(object(fields, item)))
                .collect()
        }
        (Node::Tagged(variants), Value::Object(model)) => {
            let mut own = object(&all_of(variants), model);
            let is_there =
                |variant: &&Variant| model["type"] == *variant.name && variant.there[version];
            let known = variants.iter().find(is_there).or(variants.first());
            own.extend(known.map(|variant| ("type".to_owned(), json!(variant.name))));
            own.into()
        }
        (Node::Defaulted, model) if version > 0 && *model == 0 => Value::Null,
        (node, Value::Object(model)) if fields_of(node).is_some() => {
            object(fields_of(node).unwrap_or_default(), model).into()
        }
        (_, model) => model.clone(),
    }
}

/// The merge of what a client saw and sent back into an object.
pub struct Merge {
    pub version: usize,
    /// Whether it is not said where a hidden element is now: the element that it followed is gone.
    pub is_unclear: bool,
}

impl Merge {
    pub fn merged(
        &mut self,
        node: &Node,
        was: Option<&Value>,
        saw: Option<&Value>,
        sent: Option<&Value>,
    ) -> Option<Value> {
        if saw == sent {
            return was.cloned();
        }
        let (Some(was), Some(saw), Some(sent)) = (was, saw, sent) else {
            return sent.cloned();
        };
        Some(match (node, was, saw, sent) {
            (Node::Object(fields), Value::Object(was), Value::Object(saw), Value::Object(sent)) => {
                self.fields(fields, [was, saw, sent]).into()
            }
            (
                Node::Union(members) | Node::OneOf(members),
                Value::Object(was),
                Value::Object(saw),
                Value::Object(sent),
            ) => {
                let is_rule = matches!(node, Node::Union(_));
                let chosen = |object: &Map<String, Value>| -> BTreeSet<String> {
                    let chosen = object
                        .iter()
                        .filter(|(_, value)| !is_rule || !value.is_null());
                    chosen.map(|(name, _)| name.clone()).collect()
                };
                // A member that stood for one that the client did not see is written.
                let is_written = saw
                    .iter()
                    .any(|(name, saw)| !was.contains_key(name) && sent.get(name) != Some(saw));
                if chosen(saw) == chosen(sent) && (is_rule || !is_written) {
                    return Some(self.fields(members, [was, saw, sent]).into());
                }
                // A new member replaces the one that the client did not see. Rules do not count a member that is `null`.
                let mut all = sent.clone();
                let unseen = was
                    .iter()
                    .filter(|(name, value)| is_rule && value.is_null() && !saw.contains_key(*name));
                for (name, value) in unseen {
                    all.entry(name).or_insert(value.clone());
                }
                all.into()
            }
            (
                Node::Tagged(variants),
                Value::Object(was),
                Value::Object(saw),
                Value::Object(sent),
            ) => {
                let is_member = |name: &String| {
                    all_of(variants)
                        .iter()
                        .any(|field| field.is_required && name_of(field) == Some(name))
                };
                let chosen = |object: &Map<String, Value>| -> BTreeSet<String> {
                    object
                        .keys()
                        .filter(|name| is_member(name))
                        .cloned()
                        .collect()
                };
                let mut all = self.fields(&all_of(variants), [was, saw, sent]);
                let tag = match saw["type"] == sent["type"] && chosen(saw) == chosen(sent) {
                    true => &was["type"],
                    false => {
                        all.retain(|name, _| !is_member(name) || sent.contains_key(name));
                        &sent["type"]
                    }
                };
                all.insert("type".to_owned(), tag.clone());
                all.into()
            }
            (Node::Map(node), Value::Object(was), Value::Object(saw), Value::Object(sent)) => {
                let keys: BTreeSet<&String> = was.keys().chain(sent.keys()).collect();
                let all = keys.into_iter().filter_map(|key| {
                    Some((
                        key.clone(),
                        self.merged(node, was.get(key), saw.get(key), sent.get(key))?,
                    ))
                });
                Value::Object(all.collect())
            }
            (Node::Keyed(_, fields), Value::Array(was), Value::Array(saw), Value::Array(sent)) => {
                let find = |list: &[Value], name: &Value| {
                    list.iter().find(|item| item["name"] == *name).cloned()
                };
                let node = Node::Object(fields.clone());
                let each = sent.iter().map(|sent| {
                    let (was, saw) = (find(was, &sent["name"]), find(saw, &sent["name"]));
                    self.merged(&node, was.as_ref(), saw.as_ref(), Some(sent))
                        .unwrap_or_default()
                });
                each.collect()
            }
            (Node::List(..), Value::Array(was), Value::Array(saw), Value::Array(sent)) => {
                let was: Vec<(Value, &[Value])> =
                    was.iter().map(|was| (was.clone(), &[][..])).collect();
                Self::elements(&was, saw, sent).0
            }
            (
                Node::Hiding {
                    there,
                    fields,
                    is_keyed: true,
                    ..
                },
                Value::Array(was),
                Value::Array(saw),
                Value::Array(sent),
            ) => {
                let node = Node::Keyed(0, fields.clone());
                let (was, saw, sent) = (was.clone(), saw.clone(), sent.clone());
                let sent_names: Vec<Value> = sent.iter().map(|item| item["name"].clone()).collect();
                let is_hidden = |item: &Value| {
                    !there[self.version]
                        && item["hidden"] == true
                        && !sent_names.contains(&item["name"])
                };
                let (hidden, visible): (Vec<Value>, Vec<Value>) =
                    was.into_iter().partition(is_hidden);
                let merged = self.merged(
                    &node,
                    Some(&visible.into()),
                    Some(&saw.into()),
                    Some(&sent.into()),
                );
                let mut all = merged
                    .as_ref()
                    .and_then(Value::as_array)
                    .cloned()
                    .unwrap_or_default();
                all.extend(hidden);
                all.into()
            }
            (
                Node::Hiding { there, .. },
                Value::Array(was),
                Value::Array(saw),
                Value::Array(sent),
            ) => {
                // Each visible element, and the hidden ones that follow it.
                let is_hidden = |item: &Value| !there[self.version] && item["hidden"] == true;
                let first = was.iter().take_while(|item| is_hidden(item)).count();
                let mut visible = Vec::new();
                let mut rest = &was[first..];
                while let [item, more @ ..] = rest {
                    let count = more.iter().take_while(|item| is_hidden(item)).count();
                    visible.push((item.clone(), &more[..count]));
                    rest = &more[count..];
                }
                let (all, is_unclear) = Self::elements(&visible, saw, sent);
                self.is_unclear |= is_unclear;
                was[..first]
                    .iter()
                    .chain(all.as_array().into_iter().flatten())
                    .cloned()
                    .collect()
            }
            _ => sent.clone(),
        })
    }

    fn fields(
        &mut self,
        fields: &[Field],
        [was, saw, sent]: [&Map<String, Value>; 3],
    ) -> Map<String, Value> {
        let all = fields.iter().filter_map(|field| {
            let name = name_of(field)?;
            Some((
                name.clone(),
                self.merged(&field.node, was.get(name), saw.get(name), sent.get(name))?,
            ))
        });
        all.collect()
    }

    /// An element without a key is the one that looks the same; their order distinguishes equal ones. Also says whether an
    /// element is gone that hidden ones follow.
    fn elements(was: &[(Value, &[Value])], saw: &[Value], sent: &[Value]) -> (Value, bool) {
        let mut all = Vec::new();
        let mut found = 0;
        for (index, element) in sent.iter().enumerate() {
            let nth = sent[..index]
                .iter()
                .filter(|other| *other == element)
                .count();
            let mut before = saw.iter().zip(was).filter(|(saw, _)| *saw == element);
            match before.nth(nth) {
                Some((_, (was, hidden))) => {
                    all.push(was.clone());
                    all.extend(hidden.iter().cloned());
                    found += hidden.len();
                }
                None => all.push(element.clone()),
            }
        }
        let gone = was.iter().map(|(_, hidden)| hidden.len()).sum::<usize>() != found;
        (all.into(), gone)
    }
}

/// Adds the defaults of a version to an object as a server does, except where the object has a value that the version hides.
/// `named` finds the name of a field that the version has.
pub fn with_defaults(
    node: &Node,
    model: &mut Value,
    version: usize,
    named: fn(&Field, usize) -> Option<&String>,
) {
    let below = |fields: &[Field], model: &mut Map<String, Value>| {
        for field in fields {
            let Some(name) = named(field, version) else {
                continue;
            };
            if matches!(field.node, Node::Defaulted)
                && version > 0
                && model.get(name).is_none_or(Value::is_null)
            {
                model.insert(name.clone(), json!(5));
            }
            if let Some(value) = model.get_mut(name) {
                with_defaults(&field.node, value, version, named);
            }
        }
    };
    match (node, model) {
        (Node::Tagged(variants), Value::Object(model)) => below(&all_of(variants), model),
        (Node::List(_, node), Value::Array(items)) => {
            items
                .iter_mut()
                .for_each(|item| with_defaults(node, item, version, named));
        }
        (Node::Map(node), Value::Object(entries)) => {
            entries
                .values_mut()
                .for_each(|value| with_defaults(node, value, version, named));
        }
        (Node::Keyed(_, fields), Value::Array(items)) => {
            items
                .iter_mut()
                .filter_map(Value::as_object_mut)
                .for_each(|item| below(fields, item));
        }
        (Node::Hiding { fields, there, .. }, Value::Array(items)) => {
            let visible = items
                .iter_mut()
                .filter(|item| there[version] || item["hidden"] != true);
            visible
                .filter_map(Value::as_object_mut)
                .for_each(|item| below(fields, item));
        }
        (node, Value::Object(model)) => below(fields_of(node).unwrap_or_default(), model),
        _ => {}
    }
}

/// The same object with the elements of list maps of which some are hidden in the order of their names.
pub fn sorted(node: &Node, value: &Value) -> Value {
    let object = |fields: &[Field], value: &Value| -> Value {
        let mut value = value.clone();
        for field in fields {
            if let Some(below) = name_of(field).and_then(|name| value.get_mut(name)) {
                *below = sorted(&field.node, below);
            }
        }
        value
    };
    match (node, value) {
        (
            Node::Hiding {
                fields, is_keyed, ..
            },
            Value::Array(items),
        ) => {
            let mut items: Vec<Value> = items.iter().map(|item| object(fields, item)).collect();
            if *is_keyed {
                items.sort_by_key(|item| item["name"].to_string());
            }
            items.into()
        }
        (Node::Keyed(_, fields), Value::Array(items)) => {
            items.iter().map(|item| object(fields, item)).collect()
        }
        (Node::List(_, node), Value::Array(items)) => {
            items.iter().map(|item| sorted(node, item)).collect()
        }
        (Node::Map(node), Value::Object(entries)) => Value::Object(
            entries
                .iter()
                .map(|(key, value)| (key.clone(), sorted(node, value)))
                .collect(),
        ),
        (Node::Tagged(variants), value) => object(&all_of(variants), value),
        (node, value) => object(fields_of(node).unwrap_or_default(), value),
    }
}

/// What can be seen of an object: its values, and which fields, keys and elements are there.
pub fn facts(node: &Node, value: &Value, path: &str, all: &mut BTreeSet<String>) {
    let below = |fields: &[Field], value: &Value, path: &str, all: &mut BTreeSet<String>| {
        for field in fields {
            let Some(name) = name_of(field) else { continue };
            if let Some(value) = value.get(name) {
                facts(&field.node, value, &format!("{path}/{name}"), all);
            }
        }
    };
    match node {
        Node::Tagged(variants) => {
            all.insert(format!("{path}={}", value["type"]));
            below(&all_of(variants), value, path, all);
        }
        Node::Map(node) => {
            all.insert(path.to_owned());
            for (key, value) in value.as_object().into_iter().flatten() {
                facts(node, value, &format!("{path}/{key}"), all);
            }
        }
        Node::Keyed(_, fields)
        | Node::Hiding {
            fields,
            is_keyed: true,
            ..
        } => {
            all.insert(path.to_owned());
            for item in value.as_array().into_iter().flatten() {
                below(fields, item, &format!("{path}/{}", item["name"]), all);
            }
        }
        Node::List(..) | Node::Hiding { .. } => {
            all.insert(path.to_owned());
            let items = value.as_array().into_iter().flatten();
            for (index, item) in items.clone().enumerate() {
                let nth = items
                    .clone()
                    .take(index)
                    .filter(|other| *other == item)
                    .count();
                all.insert(format!("{path}/{item}/{nth}"));
            }
        }
        node => match fields_of(node) {
            Some(fields) if value.is_object() => {
                all.insert(path.to_owned());
                below(fields, value, path, all);
            }
            _ => drop(all.insert(format!("{path}={value}"))),
        },
    }
}
