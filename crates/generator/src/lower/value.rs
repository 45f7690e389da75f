//! Values that source alone tells, as Rust has them before serde writes them.

use super::concrete::{Concrete, Finding, Instance};
use crate::Text;
use crate::diag::{Code, Diagnostic, Span};
use serde_json::Value;
use std::cmp::Ordering;
use std::sync::Arc;

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Const {
    /// `true`, `false`
    Bool(bool),
    /// Any integer.
    Int(i128),
    /// Any float.
    Float(f64),
    /// Any string.
    Text(Text),
    /// A character.
    Char(char),
    /// `None`, `Some(x)`
    Option(Option<Box<Const>>),
    /// An array, a list, a set.
    List(Vec<Const>),
    /// A tuple; `()` is empty.
    Tuple(Vec<Const>),
    /// A map, in the order of insertion.
    Map(Vec<(Const, Const)>),
    /// A struct; the fields of a tuple struct are named by their indexes.
    Struct(Arc<Instance>, Vec<(Text, Const)>),
    /// A variant of an enum, by index, with its fields.
    Variant(Arc<Instance>, usize, Vec<(Text, Const)>),
    /// JSON: `json!(..)`, and types known by name that serde writes so.
    Json(Value),
    /// `Err(x)`, and the type of what it stands in the place of, where that is known. `Ok(x)` is `x`.
    Failed(Box<Const>, Option<Concrete>),
    /// A variable's value: `&mut x.a.b`, the index of the variable and the fields.
    Borrowed(usize, Vec<Text>),
    /// What a type's `serialize` is given to write to.
    Serializer,
    /// A field whose value cannot be told. It does no harm until somebody asks for it.
    Unknown(Finding),
}

impl Const {
    /// A string.
    pub(super) fn text(text: &str) -> Self {
        Const::Text(text.into())
    }

    /// What to call it in a message.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Const::Bool(_) => "a boolean",
            Const::Int(_) => "an integer",
            Const::Float(_) => "a float",
            Const::Text(_) => "a string",
            Const::Char(_) => "a character",
            Const::Option(_) => "an option",
            Const::List(_) => "a list",
            Const::Tuple(_) => "a tuple",
            Const::Map(_) => "a map",
            Const::Struct(..) => "a struct",
            Const::Variant(..) => "a variant of an enum",
            Const::Json(_) => "a JSON value",
            Const::Failed(..) => "an error",
            Const::Borrowed(..) => "a borrow",
            Const::Serializer => "a serializer",
            Const::Unknown(_) => "something unknown",
        }
    }

    /// Whether two values of one type are equal; none where a part of them is not known.
    pub(super) fn same(&self, other: &Const) -> Option<bool> {
        fn all<'c>(mut pairs: impl Iterator<Item = (&'c Const, &'c Const)>) -> Option<bool> {
            pairs.try_fold(true, |same, (left, right)| Some(same && left.same(right)?))
        }
        fn fields(left: &[(Text, Const)], right: &[(Text, Const)]) -> Option<bool> {
            left.iter()
                .try_fold(left.len() == right.len(), |same, (name, value)| match right
                    .iter()
                    .find(|(other, _)| other == name)
                {
                    Some((_, other)) => Some(same && value.same(other)?),
                    None => Some(false),
                })
        }
        match (self, other) {
            (Const::Unknown(_) | Const::Serializer, _)
            | (_, Const::Unknown(_) | Const::Serializer) => None,
            (Const::Option(left), Const::Option(right)) => match (left, right) {
                (Some(left), Some(right)) => left.same(right),
                (left, right) => Some(left.is_none() && right.is_none()),
            },
            (Const::List(left), Const::List(right)) | (Const::Tuple(left), Const::Tuple(right)) => {
                let same = all(left.iter().zip(right))?;
                Some(same && left.len() == right.len())
            }
            (Const::Map(left), Const::Map(right)) => {
                left.iter()
                    .try_fold(left.len() == right.len(), |same, (key, value)| {
                        let other = right
                            .iter()
                            .find(|(other, _)| other.same(key) == Some(true));
                        match other {
                            Some((_, other)) => Some(same && value.same(other)?),
                            None => Some(false),
                        }
                    })
            }
            (Const::Struct(_, left), Const::Struct(_, right)) => fields(left, right),
            (Const::Variant(_, left, mine), Const::Variant(_, right, theirs)) => {
                Some(left == right && fields(mine, theirs)?)
            }
            (Const::Json(left), Const::Json(right)) => Some(left == right),
            (Const::Failed(left, _), Const::Failed(right, _)) => left.same(right),
            _ => Some(self.compare(other) == Some(Ordering::Equal)),
        }
    }

    /// The order of two scalars of one type.
    pub(super) fn compare(&self, other: &Const) -> Option<Ordering> {
        match (self, other) {
            (Const::Bool(left), Const::Bool(right)) => Some(left.cmp(right)),
            (Const::Int(left), Const::Int(right)) => Some(left.cmp(right)),
            (Const::Float(left), Const::Float(right)) => left.partial_cmp(right),
            (Const::Text(left), Const::Text(right)) => Some(left.cmp(right)),
            (Const::Char(left), Const::Char(right)) => Some(left.cmp(right)),
            _ => None,
        }
    }

    /// Whether it is a collection or a string without anything in it; none where the question has no sense.
    pub(super) fn length(&self) -> Option<usize> {
        match self {
            Const::Text(text) => Some(text.len()),
            Const::List(items) => Some(items.len()),
            Const::Map(entries) => Some(entries.len()),
            Const::Json(Value::Object(map)) => Some(map.len()),
            Const::Json(Value::Array(items)) => Some(items.len()),
            _ => None,
        }
    }

    /// Puts an entry into a map, over one of the same key.
    pub(super) fn insert(entries: &mut Vec<(Const, Const)>, key: Const, value: Const) {
        match entries
            .iter_mut()
            .find(|(known, _)| known.same(&key) == Some(true))
        {
            Some((_, known)) => *known = value,
            None => entries.push((key, value)),
        }
    }
}

/// A map's entries from the pairs of a list; gives the value back where it is no list of pairs.
pub(super) fn entries(value: Const) -> Result<Vec<(Const, Const)>, Const> {
    let Const::List(items) = value else {
        return Err(value);
    };
    let mut entries = Vec::with_capacity(items.len());
    for item in &items {
        match item {
            Const::Tuple(pair) => match &pair[..] {
                [key, value] => Const::insert(&mut entries, key.clone(), value.clone()),
                _ => return Err(Const::List(items)),
            },
            _ => return Err(Const::List(items)),
        }
    }
    Ok(entries)
}

/// A value as a collection of the expected type: a map from pairs, a set without repeats, else itself.
pub(super) fn collected(value: Const, expected: Option<&Concrete>) -> Const {
    match expected.and_then(Concrete::external_name) {
        Some("BTreeMap" | "HashMap" | "IndexMap" | "Map") => {
            entries(value).map_or_else(|value| value, Const::Map)
        }
        _ => value,
    }
}

/// `not-constant` at an expression, with the reason.
pub(super) fn not_constant(span: Span, why: impl Into<String>) -> Finding {
    Box::new(Diagnostic::new(Code::NotConstant, span, why.into()))
}
