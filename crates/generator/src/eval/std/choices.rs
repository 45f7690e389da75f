//! Methods of `Option` and `Result`.

use super::Call;
use crate::eval::machine::{Machine, Run, Want, panics, stop};
use crate::eval::values::value::Via;
use crate::eval::values::value::{PlaceElem, Value};

/// An option or a result: its content, or what it has instead.
enum Held {
    /// `Some(x)`, `Ok(x)`
    Value(Value),
    /// `None`
    Nothing,
    /// `Err(x)`
    Error(Value),
}

impl Machine<'_> {
    pub(super) fn choice_method(&mut self, call: &Call<'_>, value: Value, args: Vec<Value>) -> Run {
        let span = call.span;
        let is_option = matches!(value, Value::Option(_));
        if let Some(done) = self.changed_option(call, &value, &args)? {
            return Ok(done);
        }
        let held = match value.clone() {
            Value::Option(Some(inner)) | Value::Result(Ok(inner)) => Held::Value(*inner),
            Value::Option(None) => Held::Nothing,
            Value::Result(Err(error)) => Held::Error(*error),
            other => return call.unsupported(&other),
        };
        let wrap = |value: Value| {
            if is_option {
                Value::some(value)
            } else {
                Value::ok(value)
            }
        };
        let absent = || panics(span, "there is nothing to unwrap");
        let first = || args.first().cloned().unwrap_or_else(Value::unit);
        Ok(match (call.name, held) {
            ("is_some" | "is_ok", held) => Value::Bool(matches!(held, Held::Value(_))),
            ("is_none" | "is_err", held) => Value::Bool(!matches!(held, Held::Value(_))),
            ("is_some_and" | "is_ok_and", Held::Value(inner)) => {
                Value::Bool(self.asks(&first(), vec![inner], span)?)
            }
            ("is_some_and" | "is_ok_and", _) => Value::Bool(false),
            ("is_none_or", Held::Value(inner)) => {
                Value::Bool(self.asks(&first(), vec![inner], span)?)
            }
            ("is_none_or", _) => Value::Bool(true),
            ("is_err_and", Held::Error(error)) => {
                Value::Bool(self.asks(&first(), vec![error], span)?)
            }
            ("is_err_and", _) => Value::Bool(false),
            (
                "unwrap" | "expect" | "unwrap_or_default" | "unwrap_or" | "unwrap_or_else",
                Held::Value(inner),
            ) => inner,
            ("unwrap" | "expect", _) => return absent(),
            ("unwrap_err" | "expect_err", Held::Error(error)) => error,
            ("unwrap_err" | "expect_err", _) => return absent(),
            ("unwrap_or", _) => first(),
            ("unwrap_or_else", Held::Error(error)) => {
                self.apply(&first(), vec![error], call.want, span)?
            }
            ("unwrap_or_else", _) => self.apply(&first(), Vec::new(), call.want, span)?,
            ("unwrap_or_default", _) => match call.want.ty {
                Some(ty) => self.default_of(ty, span)?,
                None => return stop(span, "the type of this default is not known"),
            },
            ("map", Held::Value(inner)) => {
                wrap(self.apply(&first(), vec![inner], call.want.argument(0), span)?)
            }
            ("map_err", Held::Error(error)) => {
                Value::err(self.apply(&first(), vec![error], call.want.argument(1), span)?)
            }
            ("map" | "map_err" | "inspect_err" | "context" | "with_context", _)
                if !is_option || call.name == "map" =>
            {
                match (call.name, &value) {
                    // The error is wrapped in a type of another crate.
                    ("context" | "with_context", Value::Result(Err(_))) => Value::err(
                        Value::Named("anyhow::Error".into(), serde_json::Value::Null),
                    ),
                    ("inspect_err", Value::Result(Err(_))) => return call.unsupported(&value),
                    _ => value,
                }
            }
            ("context" | "with_context", Held::Value(inner)) => Value::ok(inner),
            ("context" | "with_context", _) => Value::err(Value::Named(
                "anyhow::Error".into(),
                serde_json::Value::Null,
            )),
            ("map_or", Held::Value(inner)) => {
                let function = args.get(1).cloned().unwrap_or_else(Value::unit);
                self.apply(&function, vec![inner], call.want, span)?
            }
            ("map_or", _) => first(),
            ("map_or_else", Held::Value(inner)) => {
                let function = args.get(1).cloned().unwrap_or_else(Value::unit);
                self.apply(&function, vec![inner], call.want, span)?
            }
            ("map_or_else", Held::Error(error)) => {
                self.apply(&first(), vec![error], call.want, span)?
            }
            ("map_or_else", _) => self.apply(&first(), Vec::new(), call.want, span)?,
            ("and_then", Held::Value(inner)) => {
                self.apply(&first(), vec![inner], call.want, span)?
            }
            ("and", Held::Value(_)) => first(),
            ("and_then" | "and", _) => value,
            ("or" | "or_else", Held::Value(_)) => value,
            ("or", _) => first(),
            ("or_else", Held::Error(error)) => {
                self.apply(&first(), vec![error], call.want, span)?
            }
            ("or_else", _) => self.apply(&first(), Vec::new(), call.want, span)?,
            ("xor", held) => match (held, first()) {
                (Held::Value(inner), Value::Option(None)) => Value::some(inner),
                (Held::Nothing, other @ Value::Option(Some(_))) => other,
                _ => Value::Option(None),
            },
            ("filter", Held::Value(inner)) => {
                let kept = self.asks(&first(), vec![Value::reference(inner.clone())], span)?;
                Value::option(kept.then_some(inner))
            }
            ("filter", _) => value,
            ("ok", Held::Value(inner)) => Value::some(inner),
            ("ok", _) => Value::Option(None),
            ("err", Held::Error(error)) => Value::some(error),
            ("err", _) => Value::Option(None),
            ("ok_or" | "ok_or_else", Held::Value(inner)) => Value::ok(inner),
            ("ok_or", _) => Value::err(first()),
            ("ok_or_else", _) => Value::err(self.apply(&first(), Vec::new(), Want::any(), span)?),
            ("cloned" | "copied", Held::Value(inner)) => wrap(self.cloned(&inner, span)?),
            ("cloned" | "copied", _) => value,
            ("as_ref", Held::Value(inner)) => match call.via {
                Via::Mutable => wrap(Value::reference(inner)),
                _ => wrap(Value::reference(inner)),
            },
            ("as_ref", Held::Error(error)) => Value::err(Value::reference(error)),
            ("as_ref" | "as_mut" | "as_deref" | "as_deref_mut", Held::Nothing) => value,
            ("as_mut", Held::Value(_)) => wrap(Value::MutPlace(call.place.part(PlaceElem::Inside))),
            ("as_deref", Held::Value(inner)) => {
                let inner = match self.load(&inner) {
                    Value::String(text) | Value::Str(text) => Value::Str(text),
                    Value::Seq(seq) => {
                        Value::reference(Value::Seq(crate::eval::values::value::Seq {
                            kind: crate::eval::values::kinds::SeqKind::Slice,
                            ..seq
                        }))
                    }
                    Value::Wrapped(wrapper, inner) if wrapper.derefs() => Value::reference(*inner),
                    other => match self.user_deref(&other, span)? {
                        Some(inner) => inner,
                        None => return call.unsupported(&other),
                    },
                };
                wrap(inner)
            }
            ("as_deref", Held::Error(error)) => Value::err(Value::reference(error)),
            ("flatten", Held::Value(inner)) => inner,
            ("flatten", _) => value,
            ("zip", held) => match (held, first()) {
                (Held::Value(left), Value::Option(Some(right))) => {
                    Value::some(Value::Tuple(vec![left, *right]))
                }
                _ => Value::Option(None),
            },
            ("unzip", Held::Value(Value::Tuple(pair))) => {
                Value::Tuple(pair.into_iter().map(Value::some).collect())
            }
            ("inspect", Held::Value(inner)) => {
                self.apply(&first(), vec![Value::reference(inner)], Want::any(), span)?;
                value
            }
            ("inspect" | "inspect_err", _) => value,
            ("iter" | "into_iter" | "iter_mut", _) => {
                let list = match (call.name, call.via) {
                    ("iter_mut", _) | ("into_iter", Via::Mutable) => {
                        Value::MutPlace(call.place.clone())
                    }
                    ("into_iter", Via::Owned) => value,
                    _ => Value::reference(value),
                };
                let iter = self.iterate(list, span)?;
                Value::Iter(Box::new(iter))
            }
            ("transpose", Held::Value(Value::Result(Ok(inner)))) => Value::ok(Value::some(*inner)),
            ("transpose", Held::Value(Value::Result(Err(error)))) => Value::err(*error),
            ("transpose", Held::Value(Value::Option(inner))) => {
                Value::option(inner.map(|inner| Value::ok(*inner)))
            }
            ("transpose", Held::Error(error)) => Value::some(Value::err(error)),
            ("transpose", Held::Nothing) => Value::ok(Value::Option(None)),
            _ => return call.unsupported(&value),
        })
    }

    /// Calls a method that changes an option; returns `None` for any other method.
    fn changed_option(
        &mut self,
        call: &Call<'_>,
        value: &Value,
        args: &[Value],
    ) -> Run<Option<Value>> {
        let Value::Option(old) = value else {
            return Ok(None);
        };
        let span = call.span;
        let (new, given) = match (call.name, args) {
            ("take", []) => (Value::Option(None), value.clone()),
            ("replace", [new]) => (Value::some(new.clone()), value.clone()),
            ("insert", [new]) => (
                Value::some(new.clone()),
                Value::MutPlace(call.place.part(PlaceElem::Inside)),
            ),
            ("get_or_insert", [new]) => {
                let kept = old.clone().map_or_else(|| new.clone(), |old| *old);
                (
                    Value::some(kept),
                    Value::MutPlace(call.place.part(PlaceElem::Inside)),
                )
            }
            ("get_or_insert_with", [function]) => {
                let kept = match old {
                    Some(old) => Value::clone(old),
                    None => self.apply(function, Vec::new(), Want::any(), span)?,
                };
                (
                    Value::some(kept),
                    Value::MutPlace(call.place.part(PlaceElem::Inside)),
                )
            }
            ("take_if", [function]) => match old {
                Some(_) => {
                    let inner = Value::MutPlace(call.place.part(PlaceElem::Inside));
                    if self.asks(function, vec![inner], span)? {
                        (Value::Option(None), value.clone())
                    } else {
                        return Ok(Some(Value::Option(None)));
                    }
                }
                None => return Ok(Some(Value::Option(None))),
            },
            _ => return Ok(None),
        };
        if call.via == Via::Shared {
            return stop(span, "the value that this changes is not known");
        }
        self.write(call.place, new, span)?;
        Ok(Some(given))
    }
}
