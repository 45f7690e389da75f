//! What an edit in another version should lead to: a merge of three objects that knows nothing of what is kept, or how.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
    JSONSchemaProps, JSONSchemaPropsOrArray, JSONSchemaPropsOrBool,
};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// An object, and what another version shows of it before and after an edit, in the terms of the object's own version.
#[derive(Clone, Copy)]
pub(super) struct Shown<'v> {
    pub(super) was: &'v Value,
    pub(super) before: &'v Value,
    pub(super) after: &'v Value,
}

/// The object after the edit; `None` if it is not clear which elements of a list belong together, because some are equal or
/// hidden.
pub(super) fn expected(shown: Shown<'_>, schema: &JSONSchemaProps) -> Option<Value> {
    let Shown { was, before, after } = shown;
    let (was, before, after) = (Some(was), Some(before), Some(after));
    let mut merge = Merge { is_clear: true };
    let merged = merge.merged(was, before, after, Some(schema));
    merged.filter(|_| merge.is_clear)
}

struct Merge {
    is_clear: bool,
}

impl Merge {
    fn merged(
        &mut self,
        was: Option<&Value>,
        before: Option<&Value>,
        after: Option<&Value>,
        schema: Option<&JSONSchemaProps>,
    ) -> Option<Value> {
        if before == after {
            return was.cloned();
        }
        if was == before {
            return after.cloned();
        }
        match (was, before, after) {
            (Some(Value::Object(was)), Some(Value::Object(before)), Some(Value::Object(after))) => {
                Some(self.fields(was, before, after, schema).into())
            }
            (Some(Value::Array(was)), Some(Value::Array(before)), Some(Value::Array(after))) => {
                let keys = schema.and_then(|schema| schema.x_kubernetes_list_map_keys.as_ref());
                Some(match keys {
                    Some(keys) => self.keyed(was, before, after, keys, element_of(schema)),
                    None => self.elements(was, before, after),
                })
            }
            _ => after.cloned(),
        }
    }

    fn fields(
        &mut self,
        was: &Map<String, Value>,
        before: &Map<String, Value>,
        after: &Map<String, Value>,
        schema: Option<&JSONSchemaProps>,
    ) -> Map<String, Value> {
        let names: BTreeSet<&String> = was
            .keys()
            .chain(before.keys())
            .chain(after.keys())
            .collect();
        // Another member of a union is chosen: nothing of what was there before belongs to it.
        let members = schema.map(members).unwrap_or_default();
        let is_chosen_anew = members.iter().any(|name| {
            let is_tag = schema.is_some_and(|schema| is_tag(schema, name));
            match (before.get(name), after.get(name)) {
                (Some(before), Some(after)) => is_tag && before != after,
                (before, after) => before.is_some() != after.is_some(),
            }
        });
        let merged = names.into_iter().filter_map(|name| {
            let value = match is_chosen_anew && members.contains(name) {
                true => match was.contains_key(name) && before.contains_key(name) {
                    true => self
                        .merged(
                            was.get(name),
                            before.get(name),
                            after.get(name),
                            field_of(schema, name),
                        )
                        .filter(|_| after.contains_key(name)),
                    false => after.get(name).cloned(),
                },
                false => self.merged(
                    was.get(name),
                    before.get(name),
                    after.get(name),
                    field_of(schema, name),
                ),
            };
            Some((name.clone(), value?))
        });
        merged.collect()
    }

    fn keyed(
        &mut self,
        was: &[Value],
        before: &[Value],
        after: &[Value],
        keys: &[String],
        schema: Option<&JSONSchemaProps>,
    ) -> Value {
        let find = |list: &'_ [Value], element: &Value| {
            list.iter()
                .find(|other| key(other, keys) == key(element, keys))
                .cloned()
        };
        let mut all = Vec::new();
        for element in after {
            let (was, before) = (find(was, element), find(before, element));
            all.extend(self.merged(was.as_ref(), before.as_ref(), Some(element), schema));
        }
        for element in was {
            if find(before, element).is_none() && find(after, element).is_none() {
                all.push(element.clone());
            }
        }
        all.into()
    }

    /// An element that is as it was shown, and the only one that is like that, is what it was.
    fn elements(&mut self, was: &[Value], before: &[Value], after: &[Value]) -> Value {
        let count =
            |list: &[Value], element: &Value| list.iter().filter(|other| *other == element).count();
        let all = after.iter().map(|element| {
            let index = before.iter().position(|shown| shown == element);
            let is_shown = count(before, element);
            self.is_clear &= is_shown < 2 && was.len() == before.len();
            let is_clear = is_shown == 1 && count(after, element) == 1;
            match index.filter(|_| is_clear).and_then(|index| was.get(index)) {
                Some(was) => was.clone(),
                None => element.clone(),
            }
        });
        all.collect()
    }
}

/// The fields that the branches of `oneOf` and `anyOf` name.
fn members(schema: &JSONSchemaProps) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for branch in branches(schema) {
        names.extend(branch.required.iter().flatten().cloned());
        names.extend(
            branch
                .properties
                .iter()
                .flatten()
                .map(|(name, _)| name.clone()),
        );
    }
    names
}

/// The fields that rules may exclude: those whose presence a rule asks for.
fn in_rules(schema: &JSONSchemaProps) -> BTreeSet<String> {
    let rules = schema.x_kubernetes_validations.iter().flatten();
    let asked = rules.flat_map(|rule| rule.rule.split("has(self.").skip(1));
    let names = asked.filter_map(|rest| rest.split(')').next());
    names.map(str::to_owned).collect()
}

/// Whether an edit of another version writes a value, or chooses a member of a union, in place of which `shown`, which is what
/// this version can show of the edit, has another: then this version does not tell what was there before. `schema` is that of the
/// other version.
pub(super) fn is_edit_hidden(
    [before, after, shown]: [&Value; 3],
    schema: Option<&JSONSchemaProps>,
) -> bool {
    match (before, after, shown) {
        _ if before == after => false,
        (Value::Object(before), Value::Object(after), Value::Object(shown)) => {
            let of = |fields: &Map<String, Value>, name: &String| match fields.get(name) {
                Some(value) if schema.is_some_and(|schema| is_tag(schema, name)) => {
                    Some(value.clone())
                }
                value => value.map(|_| Value::Null),
            };
            let is_hidden = |name: &String| {
                let chosen = of(after, name);
                chosen != of(before, name) && chosen != of(shown, name)
            };
            let of_branches = schema.map(members).unwrap_or_default();
            let in_rules = schema.map(in_rules).unwrap_or_default();
            of_branches.union(&in_rules).any(is_hidden)
                || after.iter().any(|(name, after)| {
                    let (Some(before), Some(shown)) = (before.get(name), shown.get(name)) else {
                        return false;
                    };
                    is_edit_hidden([before, after, shown], field_of(schema, name))
                })
        }
        (Value::Array(before), Value::Array(after), Value::Array(shown)) => {
            let keys = schema.and_then(|schema| schema.x_kubernetes_list_map_keys.as_ref());
            let schema = element_of(schema);
            // Which elements belong together is not looked at: any of the former may have been this one.
            after.iter().enumerate().any(|(index, after)| {
                let shown = shown.get(index).unwrap_or(&Value::Null);
                let is_hidden = match keys {
                    Some(_) => before
                        .iter()
                        .any(|before| is_edit_hidden([before, after, shown], schema)),
                    // Only its content tells which element it is.
                    None => after != shown,
                };
                is_hidden && !before.contains(after)
            })
        }
        (_, after, shown) => after != shown,
    }
}

fn is_tag(schema: &JSONSchemaProps, name: &str) -> bool {
    branches(schema).any(|branch| {
        let property = branch.properties.as_ref().and_then(|all| all.get(name));
        property.is_some_and(|property| property.enum_.is_some())
    })
}

fn branches(schema: &JSONSchemaProps) -> impl Iterator<Item = &JSONSchemaProps> {
    [&schema.one_of, &schema.any_of]
        .into_iter()
        .flatten()
        .flatten()
}

fn field_of<'s>(schema: Option<&'s JSONSchemaProps>, name: &str) -> Option<&'s JSONSchemaProps> {
    let schema = schema?;
    let field = schema
        .properties
        .as_ref()
        .and_then(|fields| fields.get(name));
    field.or(match &schema.additional_properties {
        Some(JSONSchemaPropsOrBool::Schema(values)) => Some(values),
        _ => None,
    })
}

fn element_of(schema: Option<&JSONSchemaProps>) -> Option<&JSONSchemaProps> {
    match &schema?.items {
        Some(JSONSchemaPropsOrArray::Schema(element)) => Some(element),
        _ => None,
    }
}

/// The key of an element, as far as it has one.
fn key(element: &Value, keys: &[String]) -> Vec<Option<Value>> {
    keys.iter().map(|key| element.get(key).cloned()).collect()
}

/// The path of the first thing that is expected and not there. Elements of a list map may have another order, and an object may
/// have more than is expected where equal elements cannot be told apart.
pub(super) fn lost(expected: &Value, result: &Value, schema: &JSONSchemaProps) -> Option<String> {
    lost_at(expected, Some(result), Some(schema), "")
}

fn lost_at(
    expected: &Value,
    result: Option<&Value>,
    schema: Option<&JSONSchemaProps>,
    path: &str,
) -> Option<String> {
    match (expected, result) {
        (expected, Some(result)) if expected == result => None,
        (Value::Object(expected), Some(Value::Object(result))) => {
            let missing = expected.iter().find_map(|(name, value)| {
                let path = format!("{path}.{name}");
                lost_at(value, result.get(name), field_of(schema, name), &path)
            });
            missing.or_else(|| {
                let is_more = |name: &&String| !expected.contains_key(*name);
                let more = result.keys().find(is_more)?;
                Some(format!("{path}.{more}"))
            })
        }
        (Value::Array(expected), Some(Value::Array(result))) => {
            let keys = schema.and_then(|schema| schema.x_kubernetes_list_map_keys.as_ref());
            // Elements that the other version hides may be between them.
            let is_longer = result.len() > expected.len();
            expected.iter().enumerate().find_map(|(index, element)| {
                let found = match keys {
                    Some(keys) => result
                        .iter()
                        .find(|other| key(other, keys) == key(element, keys)),
                    None if is_longer => result.iter().find(|other| *other == element),
                    None => result.get(index),
                };
                let is_repeated = expected.iter().filter(|other| *other == element).count() > 1;
                match keys.is_none() && is_repeated {
                    true => None,
                    false => lost_at(
                        element,
                        found,
                        element_of(schema),
                        &format!("{path}[{index}]"),
                    ),
                }
            })
        }
        _ => Some(path.to_owned()),
    }
}

/// The path of the first difference between two values.
pub(super) fn difference(one: &Value, other: &Value) -> Option<String> {
    difference_at(one, other, "")
}

fn difference_at(one: &Value, other: &Value, path: &str) -> Option<String> {
    match (one, other) {
        _ if one == other => None,
        (Value::Object(one), Value::Object(other)) => {
            one.keys().chain(other.keys()).find_map(|name| {
                let path = format!("{path}.{name}");
                match (one.get(name), other.get(name)) {
                    (Some(one), Some(other)) => difference_at(one, other, &path),
                    _ => Some(path),
                }
            })
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let pairs = one.iter().zip(other).enumerate();
            pairs.into_iter().find_map(|(index, (one, other))| {
                difference_at(one, other, &format!("{path}[{index}]"))
            })
        }
        _ => Some(path.to_owned()),
    }
}

/// Returns a value without the fields that another lacks: a round trip may add defaults of the other version.
pub(super) fn without_more(value: &Value, other: &Value) -> Value {
    match (value, other) {
        (Value::Object(value), Value::Object(other)) => {
            let common = other.iter().filter_map(|(name, other)| {
                Some((name.clone(), without_more(value.get(name)?, other)))
            });
            Value::Object(common.collect())
        }
        (Value::Array(value), Value::Array(other)) if value.len() == other.len() => {
            let pairs = value.iter().zip(other);
            pairs
                .map(|(value, other)| without_more(value, other))
                .collect()
        }
        (value, _) => value.clone(),
    }
}

/// The path of a field of a part that the whole does not have. Values may differ: several fields may become one.
pub(super) fn is_part_of(part: &Value, whole: &Value) -> Option<String> {
    fn missing_at(part: &Value, whole: &Value, path: &str) -> Option<String> {
        let (Value::Object(part), Value::Object(whole)) = (part, whole) else {
            return None;
        };
        part.iter().find_map(|(name, value)| {
            let path = format!("{path}.{name}");
            match whole.get(name) {
                Some(whole) => missing_at(value, whole, &path),
                None if path == ".metadata" => None,
                None => Some(path),
            }
        })
    }
    missing_at(part, whole, "")
}

#[cfg(test)]
mod tests {
    use super::{Map, Shown, expected, is_edit_hidden, lost};
    use serde_json::{Value, json};

    /// The object after an edit, by hand: what was not shown or not touched stays.
    #[test]
    fn an_edit_changes_what_it_touches() {
        let schema = json!({ "type": "object", "properties": {
            "one": { "type": "string" }, "other": { "type": "string" }, "tags": { "type": "array", "items": { "type": "string" } },
            "ports": { "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] },
            "git": { "type": "string" }, "oci": { "type": "string" }, "http": { "type": "string" },
        }, "oneOf": [{ "required": ["git"] }, { "required": ["oci"] }, { "required": ["http"] }] });
        let schema = serde_json::from_value(schema).unwrap_or_default();
        let port = |name: &str| json!({ "name": name, "port": 1 });
        for (was, before, after, merged) in [
            (
                json!({ "one": "a", "other": "b" }),
                json!({ "one": "a" }),
                json!({ "one": "c" }),
                json!({ "one": "c", "other": "b" }),
            ),
            (
                json!({ "one": "a", "other": "b" }),
                json!({ "one": "a" }),
                json!({}),
                json!({ "other": "b" }),
            ),
            (
                json!({ "one": "a" }),
                json!({ "one": "x" }),
                json!({ "one": "x", "other": "b" }),
                json!({ "one": "a", "other": "b" }),
            ),
            (
                json!({ "ports": [port("a"), port("b")] }),
                json!({ "ports": [{ "name": "a" }, { "name": "b" }] }),
                json!({ "ports": [{ "name": "b" }] }),
                json!({ "ports": [port("b")] }),
            ),
            (
                json!({ "ports": [port("a"), port("b")] }),
                json!({ "ports": [{ "name": "a" }] }),
                json!({ "ports": [] }),
                json!({ "ports": [port("b")] }),
            ),
            (
                json!({ "tags": ["a", "b"] }),
                json!({ "tags": ["x", "b"] }),
                json!({ "tags": ["x", "c"] }),
                json!({ "tags": ["a", "c"] }),
            ),
            (
                json!({ "git": "a", "one": "b" }),
                json!({ "one": "b" }),
                json!({ "one": "c" }),
                json!({ "git": "a", "one": "c" }),
            ),
            // Another member of the union is chosen, so the hidden one goes.
            (
                json!({ "git": "a", "one": "b" }),
                json!({}),
                json!({ "oci": "c" }),
                json!({ "oci": "c", "one": "b" }),
            ),
        ] {
            let shown = Shown {
                was: &was,
                before: &before,
                after: &after,
            };
            assert_eq!(
                expected(shown, &schema),
                Some(merged.clone()),
                "{was} {before} {after}"
            );
            assert_eq!(lost(&merged, &merged, &schema), None);
            let mut other = merged.clone();
            for value in other.as_object_mut().into_iter().flat_map(Map::values_mut) {
                match value.as_array_mut().and_then(|items| items.first_mut()) {
                    Some(first) => *first = json!("else"),
                    None => *value = json!("else"),
                }
            }
            assert!(lost(&merged, &other, &schema).is_some());
            let nothing = Value::Object(Map::new());
            assert!(lost(&merged, &nothing, &schema).is_some());
        }
    }

    const KEYS: &str = "x-kubernetes-list-map-keys";

    /// What one version shows of a choice that only another can make tells nothing of what the choice excludes.
    #[test]
    fn a_choice_that_is_not_shown_is_hidden() {
        let text = json!({ "type": "string" });
        let fields = json!({ "one": text, "other": text, "third": text });
        let unions = [
            json!({ "oneOf": [{ "required": ["one"] }, { "required": ["other"] }] }),
            json!({ "x-kubernetes-validations": [{ "rule": "!has(self.one) || !has(self.other)" }] }),
        ];
        for union in unions {
            let mut schema = union.clone();
            schema["properties"] = fields.clone();
            let list = json!({ "items": schema });
            let mut map = list.clone();
            map[KEYS] = json!(["name"]);
            for schema in [schema, list, map] {
                let in_list = |value: Value| match schema.get("items") {
                    Some(_) => json!([value]),
                    None => value,
                };
                let read = serde_json::from_value(schema.clone()).unwrap_or_default();
                for (before, after, shown, is_hidden) in [
                    (json!({}), json!({ "one": "a" }), json!({}), true),
                    (
                        json!({}),
                        json!({ "one": "a" }),
                        json!({ "one": "a" }),
                        false,
                    ),
                    (
                        json!({ "one": "a" }),
                        json!({ "other": "b" }),
                        json!({}),
                        true,
                    ),
                    (
                        json!({}),
                        json!({ "third": "a" }),
                        json!({}),
                        // Nothing but its content tells which element it is.
                        schema.get("items").is_some() && schema.get(KEYS).is_none(),
                    ),
                    (
                        json!({ "third": "a" }),
                        json!({ "third": "b" }),
                        json!({ "third": "c" }),
                        true,
                    ),
                ] {
                    let values = [before, after, shown].map(in_list);
                    let [before, after, shown] = &values;
                    assert_eq!(
                        is_edit_hidden([before, after, shown], Some(&read)),
                        is_hidden,
                        "{schema} {values:?}"
                    );
                }
            }
        }
    }
}
