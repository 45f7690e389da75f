//! Methods of `Option` and `Result`.

use super::{Call, argument};
use crate::eval::machine::{Machine, Run, Want, panics, stop};
use crate::eval::values::kinds::SeqKind;
use crate::eval::values::value::{PlaceElem, Seq, Value, Via};

/// The content of an option or a result.
enum Held {
    /// `Some(x)`, `Ok(x)`
    Value(Value),
    /// `None`
    Nothing,
    /// `Err(x)`
    Error(Value),
}

/// An option or a result, and its content.
struct Receiver {
    value: Value,
    held: Held,
}

impl Receiver {
    /// Returns `Some(x)` for an option, `Ok(x)` for a result.
    fn wrap(&self, content: Value) -> Value {
        match self.value {
            Value::Option(_) => Value::some(content),
            _ => Value::ok(content),
        }
    }
}

impl Machine<'_> {
    pub(super) fn option_or_result_method(
        &mut self,
        call: &Call<'_>,
        value: Value,
        args: &[Value],
    ) -> Run {
        if let Some(done) = self.changed_option(call, &value, args)? {
            return Ok(done);
        }
        let held = match value.clone() {
            Value::Option(Some(inner)) | Value::Result(Ok(inner)) => Held::Value(*inner),
            Value::Option(None) => Held::Nothing,
            Value::Result(Err(error)) => Held::Error(*error),
            other => return call.unsupported(&other),
        };
        let this = Receiver { value, held };
        match call.name {
            "is_some" | "is_ok" | "is_none" | "is_err" | "is_some_and" | "is_ok_and"
            | "is_none_or" | "is_err_and" => self.holds(call, this.held, args),
            "unwrap" | "expect" | "unwrap_err" | "expect_err" | "unwrap_or" | "unwrap_or_else"
            | "unwrap_or_default" | "map_or" | "map_or_else" => {
                self.unwrapped(call, this.held, args)
            }
            "map" | "map_err" | "context" | "with_context" | "filter" | "inspect"
            | "inspect_err" => self.mapped(call, this, args),
            "and" | "and_then" | "or" | "or_else" | "xor" | "zip" => {
                self.combined(call, this, args)
            }
            "ok" | "err" | "ok_or" | "ok_or_else" | "flatten" | "unzip" | "transpose" => {
                self.restructured(call, this, args)
            }
            _ => self.viewed(call, this),
        }
    }

    /// `is_some()`, `is_ok_and(f)` and the like.
    fn holds(&mut self, call: &Call<'_>, held: Held, args: &[Value]) -> Run {
        let holds = match (call.name, held) {
            ("is_some" | "is_ok", held) => matches!(held, Held::Value(_)),
            ("is_none" | "is_err", held) => !matches!(held, Held::Value(_)),
            ("is_some_and" | "is_ok_and" | "is_none_or", Held::Value(content))
            | ("is_err_and", Held::Error(content)) => {
                self.asks(&argument(args, 0), vec![content], call.span)?
            }
            (name, _) => name == "is_none_or",
        };
        Ok(Value::Bool(holds))
    }

    /// Returns the content, or what replaces it.
    fn unwrapped(&mut self, call: &Call<'_>, held: Held, args: &[Value]) -> Run {
        let span = call.span;
        match (call.name, held) {
            (
                "unwrap" | "expect" | "unwrap_or_default" | "unwrap_or" | "unwrap_or_else",
                Held::Value(inner),
            ) => Ok(inner),
            ("unwrap_err" | "expect_err", Held::Error(error)) => Ok(error),
            ("unwrap" | "expect" | "unwrap_err" | "expect_err", _) => {
                panics(span, "there is nothing to unwrap")
            }
            ("unwrap_or_default", _) => match call.want.ty {
                Some(ty) => self.default_of(ty, span),
                None => stop(span, "the type of this default is not known"),
            },
            ("map_or" | "map_or_else", Held::Value(inner)) => {
                self.apply(&argument(args, 1), vec![inner], call.want, span)
            }
            ("unwrap_or" | "map_or", _) => Ok(argument(args, 0)),
            (_, held) => self.instead(call, held, args),
        }
    }

    /// Calls the function for a missing content, with the error if there is one.
    fn instead(&mut self, call: &Call<'_>, held: Held, args: &[Value]) -> Run {
        let given = match held {
            Held::Error(error) => vec![error],
            Held::Value(_) | Held::Nothing => Vec::new(),
        };
        self.apply(&argument(args, 0), given, call.want, call.span)
    }

    /// Applies a function to the content or to the error.
    fn mapped(&mut self, call: &Call<'_>, this: Receiver, args: &[Value]) -> Run {
        let span = call.span;
        let is_option = matches!(this.value, Value::Option(_));
        match (call.name, &this.held) {
            ("map", Held::Value(inner)) => {
                let want = call.want.argument(0);
                let made = self.apply(&argument(args, 0), vec![inner.clone()], want, span)?;
                Ok(this.wrap(made))
            }
            ("map_err", Held::Error(error)) => {
                let want = call.want.argument(1);
                let made = self.apply(&argument(args, 0), vec![error.clone()], want, span)?;
                Ok(Value::err(made))
            }
            ("map_err", _) if is_option => call.unsupported(&this.value),
            ("context" | "with_context", Held::Value(inner)) => Ok(Value::ok(inner.clone())),
            // The error is wrapped in a type of another crate.
            ("context" | "with_context", _) => Ok(Value::err(Value::Named(
                "anyhow::Error".into(),
                serde_json::Value::Null,
            ))),
            ("filter", Held::Value(inner)) => {
                let given = vec![Value::reference(inner.clone())];
                let kept = self.asks(&argument(args, 0), given, span)?;
                Ok(Value::option(kept.then(|| inner.clone())))
            }
            ("inspect", Held::Value(inner)) => {
                let given = vec![Value::reference(inner.clone())];
                self.apply(&argument(args, 0), given, Want::any(), span)?;
                Ok(this.value)
            }
            ("inspect_err", Held::Error(_)) => call.unsupported(&this.value),
            _ => Ok(this.value),
        }
    }

    /// Combines an option or a result with another.
    fn combined(&mut self, call: &Call<'_>, this: Receiver, args: &[Value]) -> Run {
        let other = argument(args, 0);
        Ok(match (call.name, this.held) {
            ("and_then", Held::Value(inner)) => {
                self.apply(&other, vec![inner], call.want, call.span)?
            }
            ("and", Held::Value(_)) => other,
            ("and_then" | "and", _) | ("or" | "or_else", Held::Value(_)) => this.value,
            ("or", _) => other,
            ("or_else", held) => self.instead(call, held, args)?,
            ("xor", held) => match (held, other) {
                (Held::Value(inner), Value::Option(None)) => Value::some(inner),
                (Held::Nothing, other @ Value::Option(Some(_))) => other,
                _ => Value::Option(None),
            },
            (_, held) => match (held, other) {
                (Held::Value(left), Value::Option(Some(right))) => {
                    Value::some(Value::Tuple(vec![left, *right]))
                }
                _ => Value::Option(None),
            },
        })
    }

    /// Turns an option into a result or the other way round, or moves layers.
    fn restructured(&mut self, call: &Call<'_>, this: Receiver, args: &[Value]) -> Run {
        Ok(match (call.name, this.held) {
            ("ok", Held::Value(inner)) => Value::some(inner),
            ("ok", _) => Value::Option(None),
            ("err", Held::Error(error)) => Value::some(error),
            ("err", _) => Value::Option(None),
            ("ok_or" | "ok_or_else", Held::Value(inner)) => Value::ok(inner),
            ("ok_or", _) => Value::err(argument(args, 0)),
            ("ok_or_else", _) => {
                Value::err(self.apply(&argument(args, 0), Vec::new(), Want::any(), call.span)?)
            }
            ("flatten", Held::Value(inner)) => inner,
            ("flatten", _) => this.value,
            ("unzip", Held::Value(Value::Tuple(pair))) => {
                Value::Tuple(pair.into_iter().map(Value::some).collect())
            }
            ("transpose", Held::Value(Value::Result(Ok(inner)))) => Value::ok(Value::some(*inner)),
            ("transpose", Held::Value(Value::Result(Err(error)))) => Value::err(*error),
            ("transpose", Held::Value(Value::Option(inner))) => {
                Value::option(inner.map(|inner| Value::ok(*inner)))
            }
            ("transpose", Held::Error(error)) => Value::some(Value::err(error)),
            ("transpose", Held::Nothing) => Value::ok(Value::Option(None)),
            _ => return call.unsupported(&this.value),
        })
    }

    /// Returns a reference to the content, a copy of what it refers to, or an iterator over it.
    fn viewed(&mut self, call: &Call<'_>, this: Receiver) -> Run {
        Ok(match (call.name, &this.held) {
            ("cloned" | "copied", Held::Value(inner)) => {
                let inner = self.cloned(inner, call.span)?;
                this.wrap(inner)
            }
            ("cloned" | "copied", _) => this.value,
            ("as_ref", Held::Value(inner)) => this.wrap(Value::reference(inner.clone())),
            ("as_ref" | "as_deref", Held::Error(error)) => {
                Value::err(Value::reference(error.clone()))
            }
            ("as_ref" | "as_mut" | "as_deref" | "as_deref_mut", Held::Nothing) => this.value,
            ("as_mut", Held::Value(_)) => {
                this.wrap(Value::MutPlace(call.place.part(PlaceElem::Content)))
            }
            ("as_deref", Held::Value(inner)) => {
                let inner = self.dereferenced(call, inner)?;
                this.wrap(inner)
            }
            ("iter" | "into_iter" | "iter_mut", _) => {
                let list = match (call.name, call.via) {
                    ("iter_mut", _) | ("into_iter", Via::Mutable) => {
                        Value::MutPlace(call.place.clone())
                    }
                    ("into_iter", Via::Owned) => this.value,
                    _ => Value::reference(this.value),
                };
                Value::Iter(Box::new(self.iterate(list, call.span)?))
            }
            _ => return call.unsupported(&this.value),
        })
    }

    /// Returns a reference to what the content dereferences to.
    fn dereferenced(&mut self, call: &Call<'_>, content: &Value) -> Run {
        Ok(match self.load(content) {
            Value::String(text) | Value::Str(text) => Value::Str(text),
            Value::Seq(seq) => Value::reference(Value::Seq(Seq {
                kind: SeqKind::Slice,
                ..seq
            })),
            Value::Wrapped(wrapper, inner) if wrapper.derefs() => Value::reference(*inner),
            other => match self.user_deref(&other, call.span)? {
                Some(inner) => inner,
                None => return call.unsupported(&other),
            },
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
        let content = || Value::MutPlace(call.place.part(PlaceElem::Content));
        let (new, given) = match (call.name, args) {
            ("take", []) => (Value::Option(None), value.clone()),
            ("replace", [new]) => (Value::some(new.clone()), value.clone()),
            ("insert", [new]) => (Value::some(new.clone()), content()),
            ("get_or_insert", [new]) => {
                let kept = old.clone().map_or_else(|| new.clone(), |old| *old);
                (Value::some(kept), content())
            }
            ("get_or_insert_with", [function]) => {
                let kept = match old {
                    Some(old) => Value::clone(old),
                    None => self.apply(function, Vec::new(), Want::any(), span)?,
                };
                (Value::some(kept), content())
            }
            ("take_if", [function]) => match old {
                Some(_) if self.asks(function, vec![content()], span)? => {
                    (Value::Option(None), value.clone())
                }
                _ => return Ok(Some(Value::Option(None))),
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
