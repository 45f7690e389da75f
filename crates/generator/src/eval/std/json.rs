//! Methods of `serde_json::Value` and of its numbers.

use super::Call;
use crate::eval::machine::{Machine, Run, stop};
use crate::eval::serde::json_value::{concrete_json, entry, indexed};
use crate::eval::values::number::{Float, Int, IntType};
use crate::eval::values::value::{PlaceElem, Value, Via};
use serde_json::Value as Json;

impl Machine<'_> {
    pub(super) fn json_method(&mut self, call: &Call<'_>, value: Value, args: Vec<Value>) -> Run {
        let content = match &value {
            Value::Json(content) => &**content,
            Value::Named(_, Json::Number(_)) => &value,
            _ => return call.unsupported(&value),
        };
        if let Some(done) = number_method(call.name, content) {
            return Ok(done);
        }
        if let Value::Named(..) = value {
            return call.unsupported(&value);
        }
        let is = |found: bool| Ok(Value::Bool(found));
        let list = matches!(content, Value::Seq(_));
        let object = matches!(content, Value::Map(_));
        match (call.name, &args[..]) {
            ("is_null", []) => is(matches!(content, Value::Tuple(_))),
            ("is_boolean", []) => is(matches!(content, Value::Bool(_))),
            ("is_number", []) => is(matches!(content, Value::Named(..))),
            ("is_string", []) => is(matches!(content, Value::String(_))),
            ("is_array", []) => is(list),
            ("is_object", []) => is(object),
            ("as_null", []) => Ok(Value::option(
                matches!(content, Value::Tuple(_)).then(Value::unit),
            )),
            ("as_bool", []) => Ok(Value::option(
                matches!(content, Value::Bool(_)).then(|| content.clone()),
            )),
            ("as_str", []) => Ok(Value::option(match content {
                Value::String(text) => Some(Value::Str(text.clone())),
                _ => None,
            })),
            ("as_array", []) => Ok(shared(list, content)),
            ("as_object", []) => Ok(shared(object, content)),
            ("as_array_mut", []) => self.json_inside(call, list),
            ("as_object_mut", []) => self.json_inside(call, object),
            ("get", [key]) => {
                let key = self.load(key);
                Ok(Value::option(match (content, key.text()) {
                    (Value::Map(map), Some(key)) => entry(map, key).cloned().map(Value::reference),
                    (Value::Seq(_), None) => {
                        let found = indexed(content, &key);
                        let length = self.json_length(content);
                        let exists = matches!(key, Value::Int(at) if at.value < length);
                        exists.then(|| Value::reference(found))
                    }
                    _ => None,
                }))
            }
            ("get_mut", [key]) if call.via != Via::Shared => {
                let key = self.load(key);
                let found = self.json_part(call.place, &key, false, call.span)?;
                Ok(Value::option(found.map(Value::MutPlace)))
            }
            ("pointer", [path]) => match (concrete_json(content), path.text()) {
                (Some(json), Some(path)) => {
                    let found = json.pointer(path).map(Value::json);
                    Ok(Value::option(found.map(Value::reference)))
                }
                _ => call.unsupported(&value),
            },
            ("take", []) if call.via != Via::Shared => {
                self.write(call.place, Value::json(&Json::Null), call.span)?;
                Ok(value)
            }
            _ => call.unsupported(&value),
        }
    }

    fn json_length(&self, content: &Value) -> i128 {
        match content {
            Value::Seq(seq) => i128::try_from(seq.items.len()).unwrap_or(i128::MAX),
            _ => 0,
        }
    }

    /// Returns `Some(&mut x)` for the content of the variant.
    fn json_inside(&mut self, call: &Call<'_>, fits: bool) -> Run {
        if call.via == Via::Shared {
            return stop(call.span, "the value that this changes is not known");
        }
        let content = || Value::MutPlace(call.place.part(PlaceElem::Content));
        Ok(Value::option(fits.then(content)))
    }
}

fn shared(fits: bool, content: &Value) -> Value {
    Value::option(fits.then(|| Value::reference(content.clone())))
}

/// Calls a method of a number, or of a value that is a number; returns `None` for any other method.
fn number_method(name: &str, content: &Value) -> Option<Value> {
    let number = match content {
        Value::Named(_, Json::Number(number)) => Some(number),
        _ => None,
    };
    let int = |value: Option<i128>, name: &str| {
        let int = value.zip(IntType::from_name(name));
        Value::option(int.map(|(value, ty)| Value::Int(Int::new(value, ty))))
    };
    Some(match name {
        "as_i64" => int(number.and_then(|it| it.as_i64()).map(i128::from), "i64"),
        "as_u64" => int(number.and_then(|it| it.as_u64()).map(i128::from), "u64"),
        "as_f64" => {
            let float = number.and_then(|it| it.as_f64());
            Value::option(float.map(|float| Value::Float(Float::F64(float))))
        }
        "is_i64" => Value::Bool(number.is_some_and(|it| it.is_i64())),
        "is_u64" => Value::Bool(number.is_some_and(|it| it.is_u64())),
        "is_f64" => Value::Bool(number.is_some_and(|it| it.is_f64())),
        _ => return None,
    })
}
