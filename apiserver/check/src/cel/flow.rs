//! The flow of values through functions, by the types of their rows in the table of functions.

use super::value::{Shared, Value, any, union};
use crd_channels_cel::functions::Overload;
use crd_channels_cel::types::Type;
use std::collections::BTreeMap;

/// The values that the types of a row stand for in a call. Values of the same type variable are alike, and so are texts: a
/// function that takes two texts compares them, and one that returns text derives it from its arguments.
pub(super) struct Flow<'a> {
    variables: BTreeMap<usize, Vec<Shared<'a>>>,
    texts: Vec<Shared<'a>>,
    /// Arguments of any type.
    open: Vec<Shared<'a>>,
}

impl<'a> Flow<'a> {
    pub(super) fn of_call(row: &Overload, given: &[Shared<'a>]) -> Self {
        let mut flow = Self {
            variables: BTreeMap::new(),
            texts: Vec::new(),
            open: Vec::new(),
        };
        for (ty, value) in row.takes.iter().zip(given) {
            flow.take(ty, value.clone());
        }
        flow
    }

    fn take(&mut self, ty: &Type, value: Shared<'a>) {
        match ty {
            Type::Variable(number) => self.variables.entry(*number).or_default().push(value),
            Type::String => self.texts.push(value),
            Type::Dyn => self.open.push(with_all_items(value)),
            Type::List(item) => self.take(item, value.items()),
            Type::Map(entry) => {
                self.take(&entry.0, value.keys());
                self.take(&entry.1, value.values());
            }
            Type::Optional(inner) => self.take(inner, value.unwrapped()),
            _ => {}
        }
    }

    /// Groups of values that are alike.
    pub(super) fn alike(&self) -> impl Iterator<Item = Shared<'a>> {
        let kinds = self.variables.values().chain([&self.texts]);
        let several = kinds.filter(|kind| kind.len() > 1);
        several.map(|kind| any(kind.iter().cloned()))
    }

    /// The result of a call.
    pub(super) fn result(&self, row: &Overload) -> Shared<'a> {
        self.give(&row.gives)
    }

    fn give(&self, ty: &Type) -> Shared<'a> {
        let open = || self.open.iter().cloned();
        match ty {
            Type::Variable(number) => {
                any(self.variables.get(number).into_iter().flatten().cloned())
            }
            Type::String => any(self.texts.iter().cloned().chain(open())),
            Type::Dyn => {
                let variables = self.variables.values().flatten().cloned();
                any(variables.chain(self.texts.iter().cloned()).chain(open()))
            }
            Type::List(item) => Value::list(self.give(item)),
            Type::Map(entry) => Value::map(self.give(&entry.0), self.give(&entry.1)),
            Type::Optional(inner) => Value::optional(self.give(inner)),
            _ => Value::unknown(),
        }
    }
}

/// A value with everything inside it, if it is a list of lists.
fn with_all_items(value: Shared<'_>) -> Shared<'_> {
    let mut all = value.clone();
    let mut level = value.items();
    for _ in 0..u8::MAX {
        if level.pairs.is_empty() && !level.is_list() && level.constants.is_empty() {
            break;
        }
        all = union(&all, &level);
        level = level.items();
    }
    all
}
