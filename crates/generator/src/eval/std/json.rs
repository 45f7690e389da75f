//! Methods of `serde_json::Value` and of its maps.

use super::Call;
use crate::eval::machine::{Machine, Run, stop};
use crate::eval::methods::Via;
use crate::eval::number::{Float, Int, IntType};
use crate::eval::value::{SeqKind, Value};
use serde_json::Value as Json;

/// What stands inside of a variant of `serde_json::Value`.
pub(crate) fn content(json: &Json) -> Value {
    match json {
        Json::Null => Value::unit(),
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(_) => Value::Named("serde_json::Number".into(), json.clone()),
        Json::String(text) => Value::string(text.as_str()),
        Json::Array(items) => Value::seq(
            SeqKind::Vec,
            items.iter().cloned().map(Value::Json).collect(),
        ),
        Json::Object(_) => Value::Named("serde_json::Map".into(), json.clone()),
    }
}

/// `json[key]`: `null` where there is no such part.
pub(crate) fn indexed(json: &Json, key: &Value) -> Json {
    let found = match key.through() {
        Value::Int(at) => usize::try_from(at.value).ok().and_then(|at| json.get(at)),
        key => key.text().and_then(|key| json.get(&**key)),
    };
    found.cloned().unwrap_or(Json::Null)
}

impl Machine<'_> {
    pub(super) fn json_method(&mut self, call: &Call<'_>, value: Value, args: Vec<Value>) -> Run {
        let (path, json) = match &value {
            Value::Json(json) => (None, json),
            Value::Named(path, json) => (Some(path.clone()), json),
            _ => return call.refused(&value),
        };
        let int = |value: Option<i128>, name: &str| {
            let ty = IntType::named(name);
            Value::option(
                value
                    .zip(ty)
                    .map(|(value, ty)| Value::Int(Int::new(value, ty))),
            )
        };
        let loaded: Vec<Value> = args.iter().map(|arg| self.load(arg)).collect();
        let refused = || call.refused(&value);
        Ok(match (call.name, &loaded[..]) {
            ("is_null", []) => Value::Bool(json.is_null()),
            ("is_boolean", []) => Value::Bool(json.is_boolean()),
            ("is_number", []) => Value::Bool(json.is_number()),
            ("is_string", []) => Value::Bool(json.is_string()),
            ("is_array", []) => Value::Bool(json.is_array()),
            ("is_object", []) => Value::Bool(json.is_object()),
            ("as_bool", []) => Value::option(json.as_bool().map(Value::Bool)),
            ("as_str", []) => Value::option(json.as_str().map(Value::str)),
            ("as_i64", []) => int(json.as_i64().map(i128::from), "i64"),
            ("as_u64", []) => int(json.as_u64().map(i128::from), "u64"),
            ("as_f64", []) => {
                Value::option(json.as_f64().map(|float| Value::Float(Float::F64(float))))
            }
            ("as_array", []) => {
                Value::option(json.is_array().then(|| Value::reference(content(json))))
            }
            ("as_object", []) => {
                Value::option(json.is_object().then(|| Value::reference(content(json))))
            }
            ("len", []) => match json {
                Json::Array(items) => self.size(items.len(), call.span)?,
                Json::Object(map) => self.size(map.len(), call.span)?,
                _ => return refused(),
            },
            ("is_empty", []) => match json {
                Json::Array(items) => Value::Bool(items.is_empty()),
                Json::Object(map) => Value::Bool(map.is_empty()),
                _ => return refused(),
            },
            ("get", [key]) => {
                let found = match key {
                    Value::Int(at) => usize::try_from(at.value).ok().and_then(|at| json.get(at)),
                    key => match key.text() {
                        Some(key) => json.get(&**key),
                        None => return refused(),
                    },
                };
                Value::option(found.cloned().map(Value::Json).map(Value::reference))
            }
            ("pointer", [path]) => match path.text() {
                Some(path) => {
                    let found = json.pointer(path).cloned();
                    Value::option(found.map(Value::Json).map(Value::reference))
                }
                None => return refused(),
            },
            ("contains_key", [key]) => match (json, key.text()) {
                (Json::Object(map), Some(key)) => Value::Bool(map.contains_key(&**key)),
                _ => return refused(),
            },
            ("insert", [key, _]) if path.is_some() => {
                let (Some(key), Json::Object(map)) = (key.text(), json) else {
                    return refused();
                };
                if call.via == Via::Shared {
                    return stop(call.span, "the value that this changes is not known");
                }
                let mut map = map.clone();
                let new = match args.get(1) {
                    Some(new) => self.json(new, call.span)?,
                    None => return refused(),
                };
                let old = map.insert(key.to_string(), new);
                let path = path.unwrap_or_default();
                self.write(call.place, Value::Named(path, Json::Object(map)), call.span)?;
                Value::option(old.map(Value::Json))
            }
            _ => return refused(),
        })
    }
}
