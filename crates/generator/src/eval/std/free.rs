//! Functions of std's modules: `std::mem::take`, `std::iter::once`.

use crate::eval::machine::{Machine, Run, Want};
use crate::eval::values::iterator::Iter;
use crate::eval::values::kinds::SeqKind;
use crate::eval::values::path_segments::{first_segment, last_segment, last_two_segments};
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::{Map, Seq, Value};
use crd_channels_diagnostics::Span;
use serde_json::Value as Json;
use std::sync::Arc;

impl Machine<'_> {
    /// Calls a function that belongs to no type; returns `None` if the table lacks it.
    pub(super) fn free_function(
        &mut self,
        path: &str,
        types: &[Concrete],
        args: &[Value],
        want: Want<'_>,
        span: Span,
    ) -> Run<Option<Value>> {
        let (module, name) = last_two_segments(path);
        if path.starts_with("serde_json::") {
            return self.serde_json_function(name, types, args, want, span);
        }
        if !path.starts_with("std::") {
            return Ok(None);
        }
        match (module, name, args) {
            ("cmp", "max" | "min", [left, right]) => {
                let order = self.order(left, right, span)?;
                let first = if name == "max" {
                    order.is_gt()
                } else {
                    order.is_le()
                };
                let mut both = vec![left.clone(), right.clone()];
                self.same_numbers(&mut both);
                let right = both.pop();
                Ok(if first { both.pop() } else { right })
            }
            ("convert", "identity", [value]) => Ok(Some(value.clone())),
            ("mem", _, _) => self.mem_function(name, args, span),
            ("iter", _, _) => {
                let iter = self.iter_function(name, args, span)?;
                Ok(iter.map(|iter| Value::Iter(Box::new(iter))))
            }
            ("array", "from_fn", [function]) => self.array_from_fn(function, types, want, span),
            _ => Ok(None),
        }
    }

    /// `serde_json::from_str("{}")`, `serde_json::to_value(x)`
    fn serde_json_function(
        &mut self,
        name: &str,
        types: &[Concrete],
        args: &[Value],
        want: Want<'_>,
        span: Span,
    ) -> Run<Option<Value>> {
        Ok(match (name, args) {
            ("from_str" | "from_value", [source]) => {
                let json = match self.load(source) {
                    json @ Value::Json(_) => Some(json),
                    source => source
                        .text()
                        .and_then(|text| serde_json::from_str(text).ok())
                        .map(|json| Value::json(&json)),
                };
                match (json, want.argument(0).ty.or(types.first())) {
                    (Some(json), Some(Concrete::External(path, _))) => {
                        match (first_segment(path), last_segment(path)) {
                            // In a schema, its JSON is equivalent to it.
                            ("serde_json", "Value") => Some(Value::ok(json)),
                            ("schemars", "Schema") => self.schema_from(json).map(Value::ok),
                            _ => None,
                        }
                    }
                    _ => None,
                }
            }
            ("to_value", [value]) => Some(Value::ok(self.as_json(value, span)?)),
            ("to_string", [value]) => match self.json(value, span)? {
                Json::Object(ref map) if map.len() > 1 => None,
                json => Some(Value::ok(Value::string(json.to_string()))),
            },
            _ => None,
        })
    }

    /// `std::mem::take(&mut x)` and the like.
    fn mem_function(&mut self, name: &str, args: &[Value], span: Span) -> Run<Option<Value>> {
        Ok(match (name, args) {
            ("drop", [_]) => Some(Value::unit()),
            ("replace", [Value::MutPlace(place), new]) => {
                let old = self.at(place).cloned();
                if let Some(old) = &old {
                    let ty = self.type_of(old);
                    let new = self.refined(new.clone(), &ty, span)?;
                    self.write(place, new, span)?;
                }
                old
            }
            ("take", [Value::MutPlace(place)]) => {
                let old = self.at(place).cloned();
                if let Some(old) = &old {
                    let new = self.default_like(old, span)?;
                    self.write(place, new, span)?;
                }
                old
            }
            ("swap", [Value::MutPlace(left), Value::MutPlace(right)]) => {
                let (old_left, old_right) = (self.at(left).cloned(), self.at(right).cloned());
                if let (Some(old_left), Some(old_right)) = (old_left, old_right) {
                    self.write(left, old_right, span)?;
                    self.write(right, old_left, span)?;
                }
                Some(Value::unit())
            }
            _ => None,
        })
    }

    /// Returns the default of a value's type, even if the types of a collection's items are not known.
    fn default_like(&mut self, value: &Value, span: Span) -> Run {
        match value {
            Value::Option(_) => Ok(Value::Option(None)),
            Value::Seq(seq) => Ok(Value::Seq(Seq {
                items: Arc::default(),
                ..seq.clone()
            })),
            Value::Map(map) => Ok(Value::Map(Map {
                entries: Arc::default(),
                ..map.clone()
            })),
            _ => self.default_of(&self.type_of(value), span),
        }
    }

    /// `std::iter::once(x)` and the like.
    fn iter_function(&mut self, name: &str, args: &[Value], span: Span) -> Run<Option<Iter>> {
        Ok(Some(match (name, args) {
            ("once", [value]) => Iter::of([value.clone()]),
            ("empty", []) => Iter::of([]),
            ("repeat", [value]) => Iter::Repeat(value.clone()),
            ("repeat_n", [value, count]) => {
                let count = self.count_of(count, span)?;
                Iter::Take(Box::new(Iter::Repeat(value.clone())), count)
            }
            ("from_fn", [function]) => Iter::FromFn(function.clone()),
            ("successors", [Value::Option(first), function]) => {
                Iter::Successors(first.clone().map(|first| *first), function.clone())
            }
            ("zip", [left, right]) => {
                let left = self.iterate(left.clone(), span)?;
                let right = self.iterate(right.clone(), span)?;
                Iter::Zip(Box::new(left), Box::new(right))
            }
            _ => return Ok(None),
        }))
    }

    /// `std::array::from_fn(|index| ..)`
    fn array_from_fn(
        &mut self,
        function: &Value,
        types: &[Concrete],
        want: Want<'_>,
        span: Span,
    ) -> Run<Option<Value>> {
        let length = match (want.ty, types) {
            (Some(Concrete::Array(_, length)), _) => Some(*length),
            (_, [_, Concrete::Number(length), ..]) => u64::try_from(*length).ok(),
            _ => None,
        };
        let Some(length) = length.and_then(|length| usize::try_from(length).ok()) else {
            return Ok(None);
        };
        self.check_size(length, span)?;
        let mut items = Vec::with_capacity(length);
        for index in 0..length {
            let index = self.size(index, span)?;
            items.push(self.apply(function, vec![index], Want::any(), span)?);
        }
        Ok(Some(Value::seq(SeqKind::Array, items)))
    }
}
