//! `serde_json::Value`: an enum whose variants contain ordinary values.

use crate::eval::machine::{Machine, Run, panics, stop};
use crate::eval::schemas::{Pending, is_pending};
use crate::eval::values::kinds::{MapKind, SeqKind};
use crate::eval::values::value::{Map, MutPlace, PlaceElem, Value};
use crd_channels_diagnostics::Span;
use serde_json::{Number, Value as Json};

/// The path of `serde_json::Number`.
const NUMBER: &str = "serde_json::Number";

impl Value {
    /// `serde_json::Value`
    pub(crate) fn json(json: &Json) -> Self {
        Value::Json(Box::new(content(json)))
    }

    /// `serde_json::Map`, without duplicate keys.
    pub(crate) fn json_map(entries: Vec<(Value, Value)>) -> Self {
        Value::map(MapKind::Json, entries)
    }
}

/// Converts an integer as serde_json does; `None` beyond 64 bits.
pub(crate) fn integer(int: i128) -> Option<Number> {
    match i64::try_from(int) {
        Ok(int) => Some(Number::from(int)),
        Err(_) => u64::try_from(int).ok().map(Number::from),
    }
}

/// Returns the content of a variant of `serde_json::Value`.
fn content(json: &Json) -> Value {
    match json {
        Json::Null => Value::unit(),
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(_) => Value::Named(NUMBER.into(), json.clone()),
        Json::String(text) => Value::string(text.as_str()),
        Json::Array(items) => Value::seq(SeqKind::Vec, items.iter().map(Value::json).collect()),
        Json::Object(map) => {
            let entries = map.iter();
            Value::json_map(
                entries
                    .map(|(key, value)| (Value::string(key.as_str()), Value::json(value)))
                    .collect(),
            )
        }
    }
}

/// Returns the JSON of the content of a `serde_json::Value`; `None` if it is unknown until a CRD is written.
pub(crate) fn concrete_json(content: &Value) -> Option<Json> {
    Some(match content {
        Value::Tuple(items) if items.is_empty() => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Named(_, json) => json.clone(),
        Value::String(text) => Json::String(text.to_string()),
        Value::Seq(seq) => Json::Array(seq.items.iter().map(concrete_json).collect::<Option<_>>()?),
        Value::Map(map) => {
            let entries = map.entries.iter();
            let entries =
                entries.map(|(key, value)| Some((key.text()?.to_string(), concrete_json(value)?)));
            Json::Object(entries.collect::<Option<_>>()?)
        }
        Value::Json(content) => return concrete_json(content),
        _ => return None,
    })
}

/// Returns the variant of `serde_json::Value` for a content; `None` if it is unknown until a CRD is written.
pub(crate) fn variant(content: &Value) -> Option<&'static str> {
    Some(match content {
        Value::Tuple(_) => "Null",
        Value::Bool(_) => "Bool",
        Value::Named(..) => "Number",
        Value::String(_) => "String",
        Value::Seq(_) => "Array",
        Value::Map(_) => "Object",
        _ => return None,
    })
}

/// Returns the value at a key or index, or `null` if there is none.
pub(crate) fn indexed(content: &Value, key: &Value) -> Value {
    let found = match (content, key.through()) {
        (Value::Seq(seq), Value::Int(at)) => {
            let at = usize::try_from(at.value).ok();
            at.and_then(|at| seq.items.get(at))
        }
        (Value::Map(map), key) => key.text().and_then(|key| entry(map, key)),
        _ => None,
    };
    found.cloned().unwrap_or_else(|| Value::json(&Json::Null))
}

/// Returns the value of a text key.
pub(crate) fn entry<'m>(map: &'m Map, key: &str) -> Option<&'m Value> {
    let mut entries = map.entries.iter();
    let found = entries.find(|(known, _)| known.text().is_some_and(|known| **known == *key));
    found.map(|(_, value)| value)
}

impl Machine<'_> {
    /// `json!(value)`, `to_value(value)`: the JSON that serde writes for a value.
    pub(crate) fn as_json(&mut self, value: &Value, span: Span) -> Run {
        match self.load(value) {
            json @ Value::Json(_) => Ok(json),
            value if is_pending(&value) => self.pending_json(&value, span),
            value => Ok(Value::json(&self.json(&value, span)?)),
        }
    }

    /// `Value::from(x)`; `None` if serde_json has no such conversion.
    pub(crate) fn json_from(&self, value: &Value) -> Option<Value> {
        let content = match value {
            Value::Json(_) => return Some(value.clone()),
            Value::Schema(inner) | Value::Option(Some(inner)) => return self.json_from(inner),
            Value::Option(None) => Value::unit(),
            Value::Tuple(items) if items.is_empty() => Value::unit(),
            Value::Bool(_) => value.clone(),
            Value::Int(int) => Value::Named(NUMBER.into(), Json::Number(integer(int.value)?)),
            Value::Float(float) => match Number::from_f64(float.with_default_type().wide()) {
                Some(number) => Value::Named(NUMBER.into(), Json::Number(number)),
                None => Value::unit(),
            },
            Value::Map(map) if map.kind == MapKind::Json => value.clone(),
            Value::Named(path, Json::Number(_)) if path.starts_with("serde_json") => value.clone(),
            Value::Seq(seq) if seq.kind.is_slice() => {
                let items = seq.items.iter();
                let items = items.map(|item| self.json_from(&self.load(item)));
                Value::seq(SeqKind::Vec, items.collect::<Option<_>>()?)
            }
            value => Value::String(value.text()?.clone()),
        };
        Some(Value::Json(Box::new(content)))
    }

    /// Converts an object, `true` or `false` to a schema.
    pub(crate) fn schema_from(&self, value: Value) -> Option<Value> {
        let content = match value {
            Value::Json(content) => *content,
            schema @ Value::Schema(_) => return Some(schema),
            other => other,
        };
        let fits = match &content {
            Value::Bool(_) | Value::Map(_) => true,
            Value::Pending(pending) => matches!(**pending, Pending::Schema(_)),
            Value::Record(_) => return Some(Value::Schema(Box::new(content))),
            _ => false,
        };
        fits.then(|| Value::Schema(Box::new(Value::Json(Box::new(content)))))
    }

    /// Collects items to an array, or pairs to an object.
    pub(crate) fn json_of_items(&mut self, items: &[Value], span: Span) -> Run {
        let is_pair = |item: &Value| matches!(item, Value::Tuple(pair) if pair.len() == 2);
        if !items.is_empty() && items.iter().all(is_pair) {
            let pairs = self.pairs(items, span)?;
            let map = self.json_entries(pairs, span)?;
            return Ok(Value::Json(Box::new(map)));
        }
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            let item = self.load(item);
            match self.json_from(&item) {
                Some(item) => values.push(item),
                None => return stop(span, format!("{} does not become JSON here", item.kind())),
            }
        }
        let list = Value::seq(SeqKind::Vec, values);
        Ok(Value::Json(Box::new(list)))
    }

    /// Returns the place of a part of a JSON value. If there is none, creates it, as `value[key] = x` does, or reports it.
    pub(crate) fn json_part(
        &mut self,
        place: &MutPlace,
        at: &Value,
        makes: bool,
        span: Span,
    ) -> Run<Option<MutPlace>> {
        let Some(Value::Json(content)) = self.at(place) else {
            return Ok(None);
        };
        let content_place = place.part(PlaceElem::Content);
        let part = |index: usize| Ok(Some(content_place.part(PlaceElem::Item(index))));
        match (&**content, at.through()) {
            (Value::Seq(seq), Value::Int(at)) => {
                let at = usize::try_from(at.value).ok();
                match at.filter(|at| *at < seq.items.len()) {
                    Some(at) => part(at),
                    None if makes => panics(span, "this index is out of bounds"),
                    None => Ok(None),
                }
            }
            (Value::Map(_) | Value::Tuple(_), key) if key.text().is_some() => {
                let entries = match &**content {
                    Value::Map(map) => &map.entries[..],
                    _ => &[],
                };
                let text = key.text().cloned().unwrap_or_default();
                let known = |(known, _): &(Value, Value)| known.text() == Some(&text);
                if let Some(index) = entries.iter().position(known) {
                    return part(index);
                }
                if !makes {
                    return Ok(None);
                }
                let mut entries = entries.to_vec();
                let index = entries.len();
                entries.push((Value::String(text), Value::json(&Json::Null)));
                self.write(&content_place, Value::json_map(entries), span)?;
                part(index)
            }
            _ if makes => stop(span, "the value that this changes is not known"),
            _ => Ok(None),
        }
    }

    /// Builds a `serde_json::Map` from keys and values.
    pub(crate) fn json_entries(&mut self, pairs: Vec<(Value, Value)>, span: Span) -> Run {
        let mut entries = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            let (key, value) = (self.load(&key), self.load(&value));
            let (Some(key), Some(value)) = (key.text().cloned(), self.json_from(&value)) else {
                return stop(span, "this does not become a JSON object");
            };
            entries.push((Value::String(key), value));
        }
        self.mapping(MapKind::Json, entries, span)
    }
}
