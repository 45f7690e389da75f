//! Conditions on the items of a list in a type's schema.

use super::pending::{Pending, UNSEEN, unseen};
use crate::eval::machine::{Machine, Run, Want, stop};
use crate::eval::std::Call;
use crate::eval::values::value::{MutPlace, Value};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::draft::ItemFilter;

impl Machine<'_> {
    /// Calls a method of an item, or of its value at a key.
    pub(super) fn item_method(
        &mut self,
        call: &Call<'_>,
        key: Option<&Text>,
        args: &[Value],
    ) -> Run {
        let same = |key: Option<&Text>| Value::reference(Pending::Item(key.cloned()).value());
        let perhaps = |value: Value| Ok(Pending::Perhaps(Box::new(value)).value());
        match (call.name, args) {
            ("get", [name]) => match (key, self.load(name).text()) {
                (None, Some(name)) => perhaps(same(Some(name))),
                _ => stop(call.span, UNSEEN),
            },
            ("as_str", []) => perhaps(same(key)),
            ("clone", []) => Ok(Pending::Item(key.cloned()).value()),
            _ => stop(call.span, UNSEEN),
        }
    }

    /// `item[key]`
    pub(super) fn item_indexed(&self, key: Option<&Text>, at: &Value, span: Span) -> Run {
        match (key, at.text()) {
            (None, Some(name)) => Ok(Pending::Item(Some(name.clone())).value()),
            _ => stop(span, UNSEEN),
        }
    }

    /// Calls a method of the iterator over such a list.
    pub(super) fn items_method(
        &mut self,
        call: &Call<'_>,
        (list, indexed): (&MutPlace, bool),
        args: &[Value],
    ) -> Run {
        let span = call.span;
        let item = || Value::reference(Pending::Item(None).value());
        let (test, item) = match (call.name, indexed, args) {
            ("enumerate", false, []) => return Ok(Pending::Items(list.clone(), true).value()),
            ("position", false, [test]) => (test, item()),
            ("find", true, [test]) => {
                let index = Value::Unknown(unseen(span));
                (test, Value::reference(Value::Tuple(vec![index, item()])))
            }
            _ => return stop(span, UNSEEN),
        };
        let answer = self.apply(test, vec![item], Want::any(), span)?;
        let filter = match self.load(&answer) {
            Value::Pending(pending) => match *pending {
                Pending::Test(filter) => ItemFilter {
                    first: true,
                    ..filter
                },
                _ => return stop(span, UNSEEN),
            },
            _ => return stop(span, UNSEEN),
        };
        let before = match self.at(list) {
            Some(Value::Pending(pending)) => match &**pending {
                Pending::Keyword(changes, _) => changes.len(),
                _ => return stop(span, UNSEEN),
            },
            _ => return stop(span, UNSEEN),
        };
        let index = Pending::Index(list.clone(), filter, before).value();
        let found = if indexed {
            Value::Tuple(vec![index, Value::reference(Pending::Item(None).value())])
        } else {
            index
        };
        Ok(Pending::Perhaps(Box::new(found)).value())
    }

    /// `item == value`, `item.get(key) != Some(value)`; returns `None` if neither side is an item.
    pub(in crate::eval) fn tested(
        &mut self,
        operator: &str,
        (left, right): (&Value, &Value),
        span: Span,
    ) -> Run<Option<Value>> {
        let (left, right) = (self.load(left), self.load(right));
        let (key, other) = match (item_of(&left), item_of(&right)) {
            (None, None) => return Ok(None),
            (Some(key), None) => (key, right),
            (None, Some(key)) => (key, left),
            (Some(_), Some(_)) => return stop(span, UNSEEN),
        };
        let is = match operator {
            "==" => true,
            "!=" => false,
            _ => return stop(span, UNSEEN),
        };
        let value = self.json(&other, span)?;
        // An absent value does not equal `null`, but a `null` one does.
        if value.is_null() {
            return stop(span, UNSEEN);
        }
        let filter = ItemFilter {
            key,
            value,
            is,
            first: false,
        };
        Ok(Some(Pending::Test(filter).value()))
    }
}

/// Returns the key of an item, if a value is an item or may be one.
fn item_of(value: &Value) -> Option<Option<Text>> {
    match value.through() {
        Value::Pending(pending) => match &**pending {
            Pending::Item(key) => Some(key.clone()),
            Pending::Perhaps(inner) => item_of(inner),
            _ => None,
        },
        _ => None,
    }
}
