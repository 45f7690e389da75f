//! Collecting and totalling iterators.

use super::Call;
use crate::eval::machine::{Machine, Run, Want, stop};
use crate::eval::values::iterator::Iter;
use crate::eval::values::kinds::{MapKind, SeqKind, Wrapper};
use crate::eval::values::number::{Int, IntType};
use crate::eval::values::path_segments::last_segment;
use crate::eval::values::trait_key::TraitKey;
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::Value;
use crd_channels_diagnostics::Span;
use std::time::Duration;

impl Machine<'_> {
    /// `iter.collect::<T>()`
    pub(crate) fn collected(&mut self, iter: Iter, ty: &Concrete, span: Span) -> Run {
        let refused = || stop(span, format!("collecting into `{ty}` is not evaluated"));
        let Concrete::External(path, args) = ty else {
            return match ty {
                Concrete::Def(instance) => {
                    let of = TraitKey::Known("std::iter::FromIterator".into());
                    let blocks = self.reader.trait_blocks(ty, &of, instance.ty.module);
                    match &blocks[..] {
                        [block] => {
                            let iter = Value::Iter(Box::new(iter));
                            self.call_block(block, "from_iter", vec![iter], Want::of(ty), span)
                        }
                        _ => refused(),
                    }
                }
                Concrete::Tuple(items) if items.is_empty() => {
                    self.drained(iter, span)?;
                    Ok(Value::unit())
                }
                _ => refused(),
            };
        };
        let first = args.first().unwrap_or(&Concrete::Infer);
        let last = last_segment(path);
        if let Some(kind) = SeqKind::named(path) {
            let items = self.drained(iter, span)?;
            let made = self.collection(kind, items, span)?;
            return self.coerce(made, ty, span);
        }
        if let Some(kind) = MapKind::named(path) {
            let items = self.drained(iter, span)?;
            let pairs = self.pairs(&items, span)?;
            let made = match kind {
                MapKind::Json => self.json_entries(pairs, span)?,
                kind => self.mapping(kind, pairs, span)?,
            };
            return self.coerce(made, ty, span);
        }
        match (&**path, last) {
            ("std::string::String", _) => {
                let mut text = String::new();
                for item in self.drained(iter, span)? {
                    match (self.load(&item), item.text()) {
                        (_, Some(part)) => text.push_str(part),
                        (Value::Char(c), _) => text.push(c),
                        (Value::Wrapped(_, inner), _) if inner.text().is_some() => {
                            text.push_str(inner.text().map_or("", |text| text));
                        }
                        _ => return refused(),
                    }
                    self.check_size(text.len(), span)?;
                }
                Ok(Value::string(text))
            }
            ("std::option::Option" | "std::result::Result", _) => {
                self.collected_all(iter, first, ty, span)
            }
            (path, "Result") if path.starts_with("std::") || path.starts_with("anyhow") => {
                self.collected_all(iter, first, ty, span)
            }
            ("serde_json::Value" | "serde_json::value::Value", _) => {
                let items = self.drained(iter, span)?;
                self.json_of_items(&items, span)
            }
            _ => match Wrapper::named(path) {
                Some(wrapper @ (Wrapper::Box | Wrapper::Rc | Wrapper::Arc | Wrapper::Cow)) => {
                    let inner = match first {
                        Concrete::Slice(_) => Value::seq(SeqKind::Slice, self.drained(iter, span)?),
                        Concrete::External(name, _) if &**name == "str" => {
                            let string = Concrete::external("std::string::String");
                            let text = self.collected(iter, &string, span)?;
                            match text.text() {
                                Some(text) => Value::Str(text.clone()),
                                None => return refused(),
                            }
                        }
                        _ => return refused(),
                    };
                    Ok(Value::Wrapped(wrapper, Box::new(inner)))
                }
                _ => refused(),
            },
        }
    }

    /// Collects options or results of items to one of a collection; stops at the first `None` or `Err`.
    fn collected_all(
        &mut self,
        mut iter: Iter,
        inner: &Concrete,
        ty: &Concrete,
        span: Span,
    ) -> Run {
        let mut items = Vec::new();
        let is_option = ty.external_name() == Some("Option");
        while let Some(item) = self.next(&mut iter, span)? {
            match item {
                Value::Option(Some(item)) if is_option => items.push(*item),
                Value::Result(Ok(item)) if !is_option => items.push(*item),
                left @ (Value::Option(None) | Value::Result(Err(_))) => return Ok(left),
                other => {
                    let why = format!("{} cannot be collected into `{ty}`", other.kind());
                    return stop(span, why);
                }
            }
            self.check_size(items.len(), span)?;
        }
        if inner.is_blank() {
            return stop(span, "the type that this is collected into is not known");
        }
        let made = self.collected(Iter::of(items), inner, span)?;
        Ok(if is_option {
            Value::some(made)
        } else {
            Value::ok(made)
        })
    }

    /// `iter.sum()`, `iter.product()`
    pub(super) fn totalled(&mut self, call: &Call<'_>, iter: Iter, ty: Option<Concrete>) -> Run {
        let span = call.span;
        let operator = if call.name == "sum" { "+" } else { "*" };
        let items = self.drained(iter, span)?;
        let name = ty.as_ref().and_then(Concrete::external_path);
        let int = name.and_then(IntType::from_name);
        let start = match (int, name) {
            (Some(int), _) => Some(Value::Int(Int::new(i128::from(call.name != "sum"), int))),
            (None, Some("std::time::Duration")) => Some(Value::Duration(Duration::ZERO)),
            _ => None,
        };
        let mut items = items
            .into_iter()
            .map(|item| self.load(&item))
            .collect::<Vec<_>>();
        if let (Some(ty), true) = (&ty, int.is_some() || matches!(name, Some("f32" | "f64"))) {
            for item in &mut items {
                *item = self.coerce(item.clone(), ty, span)?;
            }
        }
        let numbers =
            |value: &Value| matches!(value, Value::Int(_) | Value::Float(_) | Value::Duration(_));
        if !items.iter().all(numbers) {
            return stop(span, "only numbers can be summed here");
        }
        let mut items = items.into_iter();
        let mut total = match start.or_else(|| items.next()) {
            Some(total) => total,
            None => return stop(span, "the type of this total is not known"),
        };
        for item in items {
            total = self.operate(operator, total, item, Want::any(), span)?;
        }
        Ok(total)
    }
}
