//! Random calls of macros.

use super::generate::{Generator, PLAIN, one_of};
use crd_channels_cel::macros::{MACROS, Macro, Row};
use crd_channels_cel::types::Type;

/// A list or a map to loop over, and the types of the variables.
struct Range {
    text: String,
    variables: Vec<Type>,
}

impl Generator<'_> {
    /// A call of a macro with a value of a given type.
    pub fn with_macro(&mut self, ty: &Type, depth: usize) -> String {
        let fitting: Vec<&Row> = MACROS.iter().filter(|row| gives(row, ty)).collect();
        match fitting.len() {
            0 => self.leaf(ty),
            many => {
                let row = fitting[self.dice.roll(many)];
                self.of_macro(row, ty, depth)
            }
        }
    }

    /// A call of a macro, with the type of its value.
    pub fn macro_call(&mut self, row: &Row) -> (String, Type) {
        let plain = one_of(self.dice, &PLAIN);
        let types = [
            Type::Bool,
            Type::list(plain.clone()),
            Type::map(Type::Int, plain.clone()),
            Type::optional(plain),
        ];
        let fits = types.into_iter().find(|ty| gives(row, ty));
        let ty = fits.unwrap_or(Type::Bool);
        (self.of_macro(row, &ty, 2), ty)
    }

    fn of_macro(&mut self, row: &Row, ty: &Type, depth: usize) -> String {
        let known = self.variables.len();
        let text = match (row.expands_to, ty) {
            (Macro::Has, _) => return self.presence(),
            (Macro::OptMap | Macro::OptFlatMap, Type::Optional(inner)) => {
                let of = self.type_to_read();
                let target = self.value(&Type::optional(of.clone()), depth.min(1));
                let name = self.variable(&of);
                let body = match row.expands_to {
                    Macro::OptMap => self.value(inner, depth),
                    _ => self.value(ty, depth),
                };
                format!("({target}).{}({name}, {body})", row.name)
            }
            _ => self.of_loop(row, ty, depth),
        };
        self.variables.truncate(known);
        self.ways.retain(|(of, _)| *of < known);
        text
    }

    fn presence(&mut self) -> String {
        let is_presence = |way: &&(usize, (String, Type))| way.1.0.starts_with("has(");
        let texts: Vec<&String> = self
            .ways
            .iter()
            .filter(is_presence)
            .map(|(_, (text, _))| text)
            .collect();
        match texts.len() {
            0 => "has({'a': 1}.a)".to_owned(),
            many => texts[self.dice.roll(many)].clone(),
        }
    }

    fn of_loop(&mut self, row: &Row, ty: &Type, depth: usize) -> String {
        let wanted = match (row.expands_to, ty) {
            (Macro::Filter | Macro::SortBy, Type::List(item)) => Some((**item).clone()),
            (Macro::TransformMap, Type::Map(entry)) => Some(entry.0.clone()),
            _ => None,
        };
        let only_lists = row.expands_to == Macro::SortBy;
        let range = self.range(row.variables, wanted.as_ref(), only_lists, depth.min(1));
        let names: Vec<String> = range.variables.iter().map(|ty| self.variable(ty)).collect();
        let names = names.join(", ");
        let rest = match (row.expands_to, ty) {
            (Macro::SortBy, _) => {
                let key = one_of(self.dice, &PLAIN);
                self.value(&key, depth)
            }
            (Macro::TransformMapEntry, Type::Map(entry)) => {
                let (key, value) = (self.value(&entry.0, 0), self.value(&entry.1, depth));
                format!("{{{key}: {value}}}")
            }
            (Macro::Map, Type::List(item)) => self.value(item, depth),
            (Macro::TransformMap, Type::Map(entry)) => self.value(&entry.1, depth),
            _ => self.value(&Type::Bool, depth),
        };
        let has_condition = row.arguments == row.variables + 2;
        let condition = has_condition.then(|| self.value(&Type::Bool, depth) + ", ");
        let condition = condition.unwrap_or_default();
        format!("{}.{}({names}, {condition}{rest})", range.text, row.name)
    }

    /// The range of a loop: a read of a variable, or a list literal. `wanted` is the type of the first variable.
    fn range(
        &mut self,
        variables: usize,
        wanted: Option<&Type>,
        only_lists: bool,
        depth: usize,
    ) -> Range {
        let of = |ty: &Type| {
            let all = match ty {
                Type::List(item) if variables == 1 => vec![(**item).clone()],
                Type::List(item) => vec![Type::Int, (**item).clone()],
                Type::Map(entry) if !only_lists => {
                    let both = [entry.0.clone(), entry.1.clone()];
                    both.into_iter().take(variables).collect()
                }
                _ => return None,
            };
            let fits = wanted.is_none_or(|wanted| all.first() == Some(wanted));
            fits.then_some(all)
        };
        let read: Vec<Range> = self
            .ways
            .iter()
            .filter_map(|(_, (text, ty))| {
                let (text, variables) = (text.clone(), of(ty)?);
                Some(Range { text, variables })
            })
            .collect();
        if !read.is_empty() && !self.dice.one_in(3) {
            let at = self.dice.roll(read.len());
            return read.into_iter().nth(at).unwrap();
        }
        let plain = one_of(self.dice, &PLAIN);
        let (ty, variables) = match wanted {
            None if variables == 1 => (Type::list(plain.clone()), vec![plain]),
            Some(item) if variables == 1 => (Type::list(item.clone()), vec![item.clone()]),
            None | Some(Type::Int) => (Type::list(plain.clone()), vec![Type::Int, plain]),
            Some(key) => (
                Type::map(key.clone(), plain.clone()),
                vec![key.clone(), plain],
            ),
        };
        let text = self.value(&ty, depth);
        let text = format!("({text})");
        Range { text, variables }
    }
}

/// Whether a call of a macro can have a given type.
fn gives(row: &Row, ty: &Type) -> bool {
    match row.expands_to {
        Macro::Has | Macro::All | Macro::Exists | Macro::ExistsOne => *ty == Type::Bool,
        Macro::Map | Macro::Filter | Macro::SortBy => matches!(ty, Type::List(_)),
        Macro::TransformMap | Macro::TransformMapEntry => match ty {
            Type::Map(entry) => {
                matches!(entry.0, Type::Int | Type::String | Type::Bool | Type::Uint)
            }
            _ => false,
        },
        Macro::OptMap | Macro::OptFlatMap => matches!(ty, Type::Optional(_)),
    }
}
