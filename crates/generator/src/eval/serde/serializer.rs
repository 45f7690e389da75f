//! serde's serializer, as hand-written `serialize` functions call it.

use crate::eval::machine::{Machine, Run, stop};
use crate::eval::std::Call;
use crate::eval::values::iterator::Iter;
use crate::eval::values::kinds::SeqKind;
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::{Compound, CompoundShape, Value};
use crd_channels_diagnostics::{Span, Text};
use serde_json::{Map, Value as Json};

/// Returns the result of a serializer.
fn done(json: Json) -> Run {
    Ok(Value::ok(Value::json(&json)))
}

impl Machine<'_> {
    /// `serializer.serialize_str(x)` and the like.
    pub(in crate::eval) fn serializer_method(&mut self, call: &Call<'_>, args: Vec<Value>) -> Run {
        let span = call.span;
        let started = |shape, variant| {
            Ok(Value::ok(Value::Compound(Compound {
                shape,
                entries: Vec::new(),
                variant,
            })))
        };
        let variant = |value: Option<&Value>| match value.and_then(Value::text) {
            Some(name) => Ok(name.clone()),
            None => stop(span, "the name of this variant is not known"),
        };
        match (call.name, &args[..]) {
            ("serialize_none" | "serialize_unit", []) | ("serialize_unit_struct", [_]) => {
                done(Json::Null)
            }
            ("is_human_readable", []) => Ok(Value::Bool(true)),
            ("collect_str", [shown]) => {
                let text = self.displayed(shown, span)?;
                done(Json::String(text))
            }
            ("collect_seq", [list]) => {
                let iter = self.iterate(list.clone(), span)?;
                let items = self.all_of(iter, span)?;
                self.handed_on(&Value::seq(SeqKind::Vec, items), span)
            }
            ("collect_map", [list]) => {
                let iter = self.iterate(list.clone(), span)?;
                let items = self.all_of(iter, span)?;
                let mut map = Map::new();
                for (key, value) in self.pairs(&items, span)? {
                    let key = self.key_text(&key, span)?;
                    let value = self.json(&value, span)?;
                    map.insert(key, value);
                }
                done(Json::Object(map))
            }
            ("serialize_newtype_struct", [_, value]) => self.handed_on(value, span),
            ("serialize_unit_variant", [_, _, name]) => {
                let name = variant(Some(name))?;
                done(Json::String(name.to_string()))
            }
            ("serialize_newtype_variant", [_, _, name, value]) => {
                let name = variant(Some(name))?;
                let value = self.json(value, span)?;
                let mut map = Map::new();
                map.insert(name.to_string(), value);
                done(Json::Object(map))
            }
            ("serialize_struct" | "serialize_map", _) => started(CompoundShape::Object, None),
            ("serialize_seq" | "serialize_tuple" | "serialize_tuple_struct", _) => {
                started(CompoundShape::List, None)
            }
            ("serialize_struct_variant", [_, _, name, _]) => {
                started(CompoundShape::Object, Some(variant(Some(name))?))
            }
            ("serialize_tuple_variant", [_, _, name, _]) => {
                started(CompoundShape::List, Some(variant(Some(name))?))
            }
            (
                "serialize_str" | "serialize_bool" | "serialize_char" | "serialize_some"
                | "serialize_u8" | "serialize_u16" | "serialize_u32" | "serialize_u64"
                | "serialize_i8" | "serialize_i16" | "serialize_i32" | "serialize_i64"
                | "serialize_f32" | "serialize_f64",
                [value],
            ) => {
                let value = self.of_kind(call.name, value, span)?;
                self.handed_on(&value, span)
            }
            _ => stop(
                span,
                format!("`.{}()` on a serializer is not evaluated", call.name),
            ),
        }
    }

    /// Literals adopt the function's parameter type.
    fn of_kind(&mut self, name: &str, value: &Value, span: Span) -> Run {
        let ty = name.strip_prefix("serialize_").unwrap_or_default();
        match self.load(value) {
            number @ (Value::Int(_) | Value::Float(_)) => {
                let ty = Concrete::external(ty);
                self.coerce(number, &ty, span)
            }
            other => Ok(other),
        }
    }

    fn handed_on(&mut self, value: &Value, span: Span) -> Run {
        match self.serialize_value(value, span)? {
            Ok(json) => done(json),
            Err(why) => Ok(Value::err(Value::str(why))),
        }
    }

    fn all_of(&mut self, mut iter: Iter, span: Span) -> Run<Vec<Value>> {
        let mut items = Vec::new();
        while let Some(item) = self.next(&mut iter, span)? {
            items.push(item);
            self.check_size(items.len(), span)?;
        }
        Ok(items)
    }

    fn key_text(&mut self, key: &Value, span: Span) -> Run<String> {
        match self.json(key, span)? {
            Json::String(key) => Ok(key),
            other @ (Json::Number(_) | Json::Bool(_)) => Ok(other.to_string()),
            _ => stop(span, "a map's key is not a string"),
        }
    }

    /// `state.serialize_field("key", &value)` and the like.
    pub(in crate::eval) fn compound_method(
        &mut self,
        call: &Call<'_>,
        value: Value,
        args: Vec<Value>,
    ) -> Run {
        let span = call.span;
        let Value::Compound(mut compound) = value else {
            return stop(span, "the value that is written here is not known");
        };
        match (call.name, &args[..]) {
            ("end", []) => return done(finished(compound)),
            ("skip_field", [_]) => {}
            ("serialize_field" | "serialize_entry", [key, value]) => {
                let key = self.key_text(key, span)?;
                let value = self.json(value, span)?;
                compound.entries.push((key.into(), value));
            }
            ("serialize_element" | "serialize_field", [value]) => {
                let value = self.json(value, span)?;
                compound.entries.push((Text::default(), value));
            }
            ("serialize_key", [key]) => {
                let key = self.key_text(key, span)?;
                compound.entries.push((key.into(), Json::Null));
            }
            ("serialize_value", [value]) => {
                let value = self.json(value, span)?;
                match compound.entries.last_mut() {
                    Some((_, last)) => *last = value,
                    None => return stop(span, "this value has no key"),
                }
            }
            _ => {
                return stop(
                    span,
                    format!("`.{}()` on a serializer is not evaluated", call.name),
                );
            }
        }
        self.write(call.place, Value::Compound(compound), span)?;
        Ok(Value::ok(Value::unit()))
    }
}

fn finished(compound: Compound) -> Json {
    let Compound {
        shape,
        entries,
        variant,
    } = compound;
    let json = match shape {
        CompoundShape::Object => {
            let entries = entries.into_iter();
            Json::Object(
                entries
                    .map(|(key, value)| (key.to_string(), value))
                    .collect(),
            )
        }
        CompoundShape::List => Json::Array(entries.into_iter().map(|(_, value)| value).collect()),
    };
    match variant {
        Some(name) => {
            let mut map = Map::new();
            map.insert(name.to_string(), json);
            Json::Object(map)
        }
        None => json,
    }
}
