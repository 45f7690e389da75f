//! The methods that change a `String`.

use super::Call;
use crate::eval::machine::{Machine, Run, panics, stop};
use crate::eval::values::iterator::Iter;
use crate::eval::values::value::{Value, Via};

/// The changed text, and the method's result.
type Change = (String, Value);

fn no_boundary<T>(call: &Call<'_>) -> Run<T> {
    panics(call.span, "not a character boundary")
}

impl Machine<'_> {
    /// Calls a method that changes a `String`; returns `None` for any other method.
    pub(super) fn changed_text(
        &mut self,
        call: &Call<'_>,
        value: &Value,
        text: &str,
        args: &[Value],
    ) -> Run<Option<Value>> {
        if !matches!(value, Value::String(_)) {
            return Ok(None);
        }
        let change = match call.name {
            "reserve" | "shrink_to_fit" | "reserve_exact" | "shrink_to" => {
                return Ok(Some(Value::unit()));
            }
            "make_ascii_lowercase" => Some((text.to_ascii_lowercase(), Value::unit())),
            "make_ascii_uppercase" => Some((text.to_ascii_uppercase(), Value::unit())),
            "extend" => self.extended_text(call, value, text, args)?,
            _ => {
                let loaded: Vec<Value> = args.iter().map(|arg| self.load(arg)).collect();
                match self.longer_text(call, text, &loaded)? {
                    Some(change) => Some(change),
                    None => self.shorter_text(call, text, &loaded)?,
                }
            }
        };
        let Some((new, given)) = change else {
            return Ok(None);
        };
        if call.via == Via::Shared {
            return stop(call.span, "the value that this changes is not known");
        }
        self.write(call.place, Value::string(new), call.span)?;
        let given = match call.name {
            "write_str" | "write_char" => Value::ok(Value::unit()),
            _ => given,
        };
        Ok(Some(given))
    }

    /// Adds text.
    fn longer_text(&mut self, call: &Call<'_>, text: &str, args: &[Value]) -> Run<Option<Change>> {
        Ok(Some(match (call.name, args) {
            ("push_str" | "write_str", [more]) => match more.text() {
                Some(more) => {
                    self.check_size(text.len() + more.len(), call.span)?;
                    (format!("{text}{more}"), Value::unit())
                }
                None => return Ok(None),
            },
            ("push" | "write_char", [Value::Char(c)]) => (format!("{text}{c}"), Value::unit()),
            ("insert", [at, Value::Char(c)]) => {
                let at = self.count_of(at, call.span)?;
                match text.split_at_checked(at) {
                    Some((before, behind)) => (format!("{before}{c}{behind}"), Value::unit()),
                    None => return no_boundary(call),
                }
            }
            ("insert_str", [at, more]) => {
                let at = self.count_of(at, call.span)?;
                match (text.split_at_checked(at), more.text()) {
                    (Some((before, behind)), Some(more)) => {
                        (format!("{before}{more}{behind}"), Value::unit())
                    }
                    _ => return no_boundary(call),
                }
            }
            _ => return Ok(None),
        }))
    }

    /// Adds the texts of another collection or iterator.
    fn extended_text(
        &mut self,
        call: &Call<'_>,
        value: &Value,
        text: &str,
        args: &[Value],
    ) -> Run<Option<Change>> {
        let [list] = args else {
            return Ok(None);
        };
        let mut iter = self.iterate(list.clone(), call.span)?;
        let mut made = text.to_owned();
        while let Some(item) = self.next(&mut iter, call.span)? {
            match (self.load(&item), item.text()) {
                (_, Some(more)) => made.push_str(more),
                (Value::Char(c), _) => made.push(c),
                _ => return call.unsupported(value),
            }
            self.check_size(made.len(), call.span)?;
        }
        Ok(Some((made, Value::unit())))
    }

    /// Removes text.
    fn shorter_text(&mut self, call: &Call<'_>, text: &str, args: &[Value]) -> Run<Option<Change>> {
        Ok(Some(match (call.name, args) {
            ("clear", []) => (String::new(), Value::unit()),
            ("pop", []) => {
                let mut text = text.to_owned();
                let last = text.pop();
                (text, Value::option(last.map(Value::Char)))
            }
            ("truncate", [at]) => {
                let at = self.count_of(at, call.span)?;
                match text.get(..at.min(text.len())) {
                    Some(text) => (text.to_owned(), Value::unit()),
                    None => return no_boundary(call),
                }
            }
            ("remove", [at]) => {
                let at = self.count_of(at, call.span)?;
                let removed = text.get(at..).and_then(|rest| rest.chars().next());
                match removed {
                    Some(c) => {
                        let behind = text.get(at + c.len_utf8()..).unwrap_or_default();
                        let before = text.get(..at).unwrap_or_default();
                        (format!("{before}{behind}"), Value::Char(c))
                    }
                    None => return panics(call.span, "there is no character at that index"),
                }
            }
            ("retain", [function]) => {
                let mut kept = String::new();
                for c in text.chars() {
                    if self.asks(&function.clone(), vec![Value::Char(c)], call.span)? {
                        kept.push(c);
                    }
                }
                (kept, Value::unit())
            }
            ("split_off", [at]) => {
                let at = self.count_of(at, call.span)?;
                match text.split_at_checked(at) {
                    Some((before, behind)) => (before.to_owned(), Value::string(behind)),
                    None => return no_boundary(call),
                }
            }
            ("drain", [range]) => match self.bounds(range, text.len(), call.span)? {
                Some((from, to)) if text.get(from..to).is_some() => {
                    let drained = text.get(from..to).unwrap_or_default().to_owned();
                    let rest = format!(
                        "{}{}",
                        text.get(..from).unwrap_or_default(),
                        text.get(to..).unwrap_or_default()
                    );
                    let chars: Vec<Value> = drained.chars().map(Value::Char).collect();
                    (rest, Value::Iter(Box::new(Iter::of(chars))))
                }
                _ => return panics(call.span, "this range is out of bounds"),
            },
            _ => return Ok(None),
        }))
    }
}
