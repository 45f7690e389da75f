//! Functions.

use super::conversions::convert;
use super::{Answer, Evaluation, Stop, Val, library};
use crate::ast::{Expression, Kind, Name};
use crate::macros::macro_called;

impl<'e> Evaluation<'e> {
    pub(super) fn call(
        &self,
        target: Option<&'e Expression>,
        function: &'e Name,
        arguments: &'e [Expression],
    ) -> Answer {
        let name = &*function.text;
        let Some(target) = target else {
            return match (name, arguments) {
                ("has", [argument]) => self.has(argument),
                _ => global(name, &self.values(arguments)?),
            };
        };
        if let Kind::Identifier { name: library, .. } = &target.kind
            && &*library.text == "optional"
        {
            return match (name, self.values(arguments)?.as_slice()) {
                ("of", [value]) => Ok(Val::Optional(Some(Box::new(value.clone())))),
                ("none", []) => Ok(Val::Optional(None)),
                _ => Err(Stop::Unknown),
            };
        }
        if let Kind::Identifier { name: library, .. } = &target.kind
            && &*library.text == "sets"
        {
            return library::of_sets(name, &self.values(arguments)?);
        }
        let target = self.value(target)?;
        match macro_called(name, true, arguments.len()) {
            Some(row) => self.expand(row, &target, arguments),
            None => member(name, &target, &self.values(arguments)?),
        }
    }

    fn values(&self, arguments: &'e [Expression]) -> Result<Vec<Val>, Stop> {
        arguments.iter().map(|value| self.value(value)).collect()
    }

    /// `has(operand.field)`
    fn has(&self, argument: &'e Expression) -> Answer {
        let Kind::Select {
            operand,
            field,
            optional: false,
        } = &argument.kind
        else {
            return Err(Stop::Unknown);
        };
        let name = super::unescape(&field.text).ok_or(Stop::Unknown)?;
        match self
            .value(operand)?
            .select(&Val::String(name.into_owned()), true)?
        {
            Val::Optional(found) => Ok(Val::Bool(found.is_some())),
            _ => Err(Stop::Unknown),
        }
    }
}

fn global(name: &str, arguments: &[Val]) -> Answer {
    match (name, arguments) {
        ("size", [value]) => size(value),
        (name, [value]) => match convert(name, value) {
            Some(answer) => answer,
            None => library::global(name, arguments).unwrap_or(Err(Stop::Unknown)),
        },
        _ => library::global(name, arguments).unwrap_or(Err(Stop::Unknown)),
    }
}

fn size(value: &Val) -> Answer {
    let size = match value {
        Val::String(text) => text.chars().count(),
        Val::List(items) | Val::Unordered(items) => items.len(),
        Val::Map(entries) => entries.len(),
        _ => return Err(Stop::Unknown),
    };
    i64::try_from(size).map(Val::Int).map_err(|_| Stop::Unknown)
}

fn member(name: &str, target: &Val, arguments: &[Val]) -> Answer {
    match (name, target, arguments) {
        ("size", value, []) => size(value),
        ("contains", Val::String(text), [Val::String(part)]) => {
            Ok(Val::Bool(text.contains(part.as_str())))
        }
        ("startsWith", Val::String(text), [Val::String(part)]) => {
            Ok(Val::Bool(text.starts_with(part.as_str())))
        }
        ("endsWith", Val::String(text), [Val::String(part)]) => {
            Ok(Val::Bool(text.ends_with(part.as_str())))
        }
        ("matches", Val::String(text), [Val::String(pattern)]) => {
            let pattern = crate::go_regexp::compile(pattern).ok_or(Stop::Unknown)?;
            Ok(Val::Bool(pattern.is_match(text)))
        }
        ("lowerAscii", Val::String(text), []) => Ok(Val::String(text.to_ascii_lowercase())),
        ("upperAscii", Val::String(text), []) => Ok(Val::String(text.to_ascii_uppercase())),
        ("hasValue", Val::Optional(inner), []) => Ok(Val::Bool(inner.is_some())),
        ("value", Val::Optional(inner), []) => inner.as_deref().cloned().ok_or(Stop::Error),
        ("orValue", Val::Optional(inner), [other]) => Ok(inner.as_deref().unwrap_or(other).clone()),
        (_, Val::String(text), _) => library::of_text(name, text, arguments),
        (_, Val::List(items) | Val::Unordered(items), _) => {
            library::of_list(name, items, arguments)
        }
        _ => Err(Stop::Unknown),
    }
}
