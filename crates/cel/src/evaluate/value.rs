//! The values of expressions.

use super::Stop;
use std::fmt;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Val {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number without a sign.
    Uint(u64),
    /// A floating-point number.
    Double(f64),
    /// A text.
    String(String),
    /// A list.
    List(Vec<Val>),
    /// A list whose order does not matter where it is compared: a set, or a list with keys.
    Unordered(Vec<Val>),
    /// A map, or an object with its fields.
    Map(Vec<(Val, Val)>),
    /// An object with fields that expressions do not see: null, or without a schema. They count where it is compared.
    Partial(Vec<(Val, Val)>),
    /// A value that may be absent.
    Optional(Option<Box<Val>>),
    /// A type, by its name.
    Type(&'static str),
    /// A point in time, in nanoseconds.
    Timestamp(i128),
    /// A span of time, in nanoseconds.
    Duration(i128),
    /// A value of a kind that is not looked into here: bytes, quantities.
    Opaque,
    /// A value that is not of its schema's kind: reading it is an error.
    Broken,
}

impl Val {
    /// What a text of the format `date-time` is for rules.
    pub fn of_date_time(text: &str) -> Self {
        crate::time::timestamp(text).map_or(Self::Opaque, Self::Timestamp)
    }

    /// `value.field`, `value[key]`; with `optional` a missing one is an optional without a value.
    pub(super) fn select(&self, key: &Self, optional: bool) -> Result<Self, Stop> {
        if let Self::Optional(inner) = self {
            return match inner {
                Some(inner) => inner.select(key, true),
                None => Ok(Self::Optional(None)),
            };
        }
        match self.entry(key) {
            Ok(Self::Broken) if optional => Err(Stop::Error),
            Ok(found) if optional => Ok(Self::Optional(Some(Box::new(found)))),
            Err(Stop::Error) if optional => Ok(Self::Optional(None)),
            found => found,
        }
    }

    /// The entry of a list or a map.
    pub(super) fn entry(&self, key: &Self) -> Result<Self, Stop> {
        match (self, key) {
            (Self::List(items) | Self::Unordered(items), Self::Int(index)) => {
                let index = usize::try_from(*index).map_err(|_| Stop::Error)?;
                items.get(index).cloned().ok_or(Stop::Error)
            }
            (Self::Map(entries) | Self::Partial(entries), key) if *key != Self::Opaque => {
                for (known, value) in entries {
                    if known.equals(key)? {
                        return Ok(value.clone());
                    }
                }
                Err(Stop::Error)
            }
            _ => Err(Stop::Unknown),
        }
    }

    /// `==`
    pub(super) fn equals(&self, other: &Self) -> Result<bool, Stop> {
        // Servers compare fields in any order, so one whose answer is unknown may be the first.
        let all = |pairs: &mut dyn Iterator<Item = Result<bool, Stop>>| {
            let mut all = true;
            for equal in pairs {
                all &= equal?;
            }
            Ok(all)
        };
        match (self, other) {
            (Self::Opaque | Self::Broken | Self::Partial(_), _)
            | (_, Self::Opaque | Self::Broken | Self::Partial(_)) => Err(Stop::Unknown),
            (Self::List(one), Self::List(other)) => {
                let mut pairs = one.iter().zip(other).map(|(one, other)| one.equals(other));
                Ok(one.len() == other.len() && all(&mut pairs)?)
            }
            (Self::Unordered(one), Self::Unordered(other)) => {
                let mut found = one.iter().map(|item| any_equals(other, item));
                Ok(one.len() == other.len() && all(&mut found)?)
            }
            // Which side comes first decides whether the order matters.
            (Self::Unordered(_), _) | (_, Self::Unordered(_)) => Err(Stop::Unknown),
            (Self::Map(one), Self::Map(other)) => {
                let mut entries = one.iter().map(|(key, value)| {
                    let found = other.iter().find(|(known, _)| known == key);
                    found.map_or(Ok(false), |(_, other)| value.equals(other))
                });
                Ok(one.len() == other.len() && all(&mut entries)?)
            }
            (Self::Optional(Some(one)), Self::Optional(Some(other))) => one.equals(other),
            _ => match self.number().zip(other.number()) {
                Some((one, other)) => Ok(one == other),
                None => Ok(self == other),
            },
        }
    }

    /// A number, as far as floating-point numbers tell them apart.
    #[allow(
        clippy::cast_precision_loss,
        reason = "large numbers are compared as integers before"
    )]
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Int(value) => Some(*value as f64),
            Self::Uint(value) => Some(*value as f64),
            Self::Double(value) => Some(*value),
            _ => None,
        }
    }

    /// What a macro goes through: the items of a list, the keys of a map.
    pub(super) fn elements(&self) -> Result<Vec<Self>, Stop> {
        match self {
            Self::List(items) | Self::Unordered(items) => Ok(items.clone()),
            Self::Map(entries) => Ok(entries.iter().map(|(key, _)| key.clone()).collect()),
            _ => Err(Stop::Unknown),
        }
    }
}

/// How many elements of a value are shown.
const SHOWN: usize = 4;

/// As an expression would write it, shortened.
impl fmt::Display for Val {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Uint(value) => write!(f, "{value}u"),
            Self::Double(value) => write!(f, "{value:?}"),
            Self::String(text) => write!(f, "{text:?}"),
            Self::List(items) | Self::Unordered(items) => {
                let shown = items.iter().take(SHOWN).map(Self::to_string);
                listed(f, ["[", "]"], shown, items.len())
            }
            Self::Map(entries) | Self::Partial(entries) => {
                let shown = entries.iter().take(SHOWN);
                let shown = shown.map(|(key, value)| format!("{key}: {value}"));
                listed(f, ["{", "}"], shown, entries.len())
            }
            Self::Optional(None) => f.write_str("optional.none()"),
            Self::Optional(Some(inner)) => write!(f, "optional.of({inner})"),
            Self::Type(name) => f.write_str(name),
            Self::Timestamp(_) => f.write_str("a timestamp"),
            Self::Duration(_) => f.write_str("a duration"),
            Self::Opaque => f.write_str("a value"),
            Self::Broken => f.write_str("a value of the wrong type"),
        }
    }
}

fn listed(
    f: &mut fmt::Formatter<'_>,
    [open, close]: [&str; 2],
    shown: impl Iterator<Item = String>,
    all: usize,
) -> fmt::Result {
    let shown: Vec<String> = shown.collect();
    let more = if all > SHOWN { ", .." } else { "" };
    write!(f, "{open}{}{more}{close}", shown.join(", "))
}

/// Whether one of the values is equal to a value.
fn any_equals(values: &[Val], sought: &Val) -> Result<bool, Stop> {
    for value in values {
        if value.equals(sought)? {
            return Ok(true);
        }
    }
    Ok(false)
}
