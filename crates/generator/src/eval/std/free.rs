//! Functions of std's modules: `std::mem::take`, `std::iter::once`.

use crate::eval::machine::{Machine, Run, Want};
use crate::eval::values::iterator::Iter;
use crate::eval::values::kinds::SeqKind;
use crate::eval::values::path_segments::{first_of, last_of, last_two};
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::Value;
use crd_channels_diagnostics::Span;
use serde_json::Value as Json;

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
        let (module, name) = last_two(path);
        let iter = |iter: Iter| Some(Value::Iter(Box::new(iter)));
        if path.starts_with("serde_json::") {
            return Ok(match (name, args) {
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
                            match (first_of(path), last_of(path)) {
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
                ("to_string", [value]) => {
                    let json = self.json(value, span)?;
                    match json {
                        Json::Object(ref map) if map.len() > 1 => None,
                        json => Some(Value::ok(Value::string(json.to_string()))),
                    }
                }
                _ => None,
            });
        }
        if !path.starts_with("std::") {
            return Ok(None);
        }
        Ok(match (module, name, args) {
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
                if first { both.pop() } else { right }
            }
            ("convert", "identity", [value]) => Some(value.clone()),
            ("mem", "drop", [_]) => Some(Value::unit()),
            ("mem", "replace", [Value::MutPlace(place), new]) => {
                let old = self.at(place).cloned();
                if let Some(old) = &old {
                    let ty = self.type_of(old);
                    let new = self.refined(new.clone(), &ty, span)?;
                    self.write(place, new, span)?;
                }
                old
            }
            ("mem", "take", [Value::MutPlace(place)]) => {
                let old = self.at(place).cloned();
                if let Some(old) = &old {
                    let ty = self.type_of(old);
                    let new = match old {
                        Value::Option(_) => Value::Option(None),
                        Value::Seq(seq) => Value::Seq(crate::eval::values::value::Seq {
                            items: std::sync::Arc::default(),
                            ..seq.clone()
                        }),
                        Value::Map(map) => Value::Map(crate::eval::values::value::Map {
                            entries: std::sync::Arc::default(),
                            ..map.clone()
                        }),
                        _ => self.default_of(&ty, span)?,
                    };
                    self.write(place, new, span)?;
                }
                old
            }
            ("mem", "swap", [Value::MutPlace(left), Value::MutPlace(right)]) => {
                let (old_left, old_right) = (self.at(left).cloned(), self.at(right).cloned());
                if let (Some(old_left), Some(old_right)) = (old_left, old_right) {
                    self.write(left, old_right, span)?;
                    self.write(right, old_left, span)?;
                }
                Some(Value::unit())
            }
            ("iter", "once", [value]) => iter(Iter::of([value.clone()])),
            ("iter", "empty", []) => iter(Iter::of([])),
            ("iter", "repeat", [value]) => iter(Iter::Repeat(value.clone())),
            ("iter", "repeat_n", [value, count]) => {
                let count = self.count_of(count, span)?;
                iter(Iter::Take(Box::new(Iter::Repeat(value.clone())), count))
            }
            ("iter", "from_fn", [function]) => iter(Iter::FromFn(function.clone())),
            ("iter", "successors", [Value::Option(first), function]) => iter(Iter::Successors(
                first.clone().map(|first| *first),
                function.clone(),
            )),
            ("iter", "zip", [left, right]) => {
                let (left, right) = (
                    self.iterate(left.clone(), span)?,
                    self.iterate(right.clone(), span)?,
                );
                iter(Iter::Zip(Box::new(left), Box::new(right)))
            }
            ("array", "from_fn", [function]) => {
                let length = match (want.ty, types) {
                    (Some(Concrete::Array(_, length)), _) => Some(*length),
                    (_, [_, Concrete::Number(length), ..]) => u64::try_from(*length).ok(),
                    _ => None,
                };
                match length.and_then(|length| usize::try_from(length).ok()) {
                    Some(length) => {
                        self.check_size(length, span)?;
                        let mut items = Vec::with_capacity(length);
                        for index in 0..length {
                            let index = self.size(index, span)?;
                            items.push(self.apply(function, vec![index], Want::any(), span)?);
                        }
                        Some(Value::seq(SeqKind::Array, items))
                    }
                    None => None,
                }
            }
            _ => None,
        })
    }
}
