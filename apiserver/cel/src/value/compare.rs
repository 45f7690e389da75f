//! Equality and order of values.

use super::{Hidden, Object, Stop, Val};
use std::cmp::Ordering;
use std::sync::Arc;

impl Val {
    /// `==`
    pub(crate) fn equals(&self, other: &Self) -> Result<bool, Stop> {
        // Servers compare fields in any order, so one with an unknown result may be the first.
        let all = |pairs: &mut dyn Iterator<Item = Result<bool, Stop>>| {
            let mut all = true;
            for equal in pairs {
                all &= equal?;
            }
            Ok(all)
        };
        match (self, other) {
            (Self::Opaque | Self::Broken | Self::Shuffled(_), _)
            | (_, Self::Opaque | Self::Broken | Self::Shuffled(_)) => Err(Stop::Unknown),
            // The first list determines whether the order matters.
            (Self::List(one), Self::List(other) | Self::Unordered(other)) => {
                let pairs = one.iter().zip(other.iter());
                let mut pairs = pairs.map(|(one, other)| one.equals(other));
                Ok(one.len() == other.len() && all(&mut pairs)?)
            }
            (Self::Unordered(one), Self::Unordered(other) | Self::List(other)) => {
                // Servers find the items of a set by their raw form, and others by their keys.
                let is_known = |item: &Self| item.is_written() || matches!(item, Self::Object(_));
                if !one.iter().chain(other.iter()).all(is_known) {
                    return Err(Stop::Unknown);
                }
                let mut found = other.iter().map(|item| any_equals(one, item));
                Ok(one.len() == other.len() && all(&mut found)?)
            }
            (Self::Object(one), Self::Object(other)) => objects_equal(one, other),
            // The map may be an object whose schema was lost.
            (Self::Object(one), Self::Map(_))
                if one.hidden.iter().any(|(_, hidden)| *hidden != Hidden::Null) =>
            {
                Err(Stop::Unknown)
            }
            (Self::Object(one), Self::Map(other)) => objects_equal(one, &Object::plain(other)),
            (Self::Map(one), Self::Object(other)) => objects_equal(&Object::plain(one), other),
            (Self::Map(one), Self::Map(other)) => {
                let mut entries = one.iter().map(|(key, value)| {
                    let found = other.iter().find(|(known, _)| known == key);
                    found.map_or(Ok(false), |(_, other)| value.equals(other))
                });
                Ok(one.len() == other.len() && all(&mut entries)?)
            }
            (Self::Optional(Some(one)), Self::Optional(Some(other))) => one.equals(other),
            (Self::Quantity(one), Self::Quantity(other)) => Ok(one.order(other)?.is_eq()),
            (Self::Semver(one), Self::Semver(other)) => Ok(one.cmp_precedence(other).is_eq()),
            // Different spellings may be the same URL.
            (Self::Url(one), Self::Url(other)) if one != other => Err(Stop::Unknown),
            // Comparing a value of a library with one of another type is an error for only one of the operand orders.
            (one, other) if one.is_of_library() != other.is_of_library() => Err(Stop::Unknown),
            (one, other) => match numeric(one, other) {
                Some(order) => Ok(order == Some(Ordering::Equal)),
                None => Ok(one == other),
            },
        }
    }

    /// Whether a value equals its raw form.
    pub(crate) fn is_written(&self) -> bool {
        match self {
            Self::Bool(_) | Self::Int(_) | Self::String(_) => true,
            // Whole numbers are written without a fraction.
            Self::Double(number) => number.fract() != 0.0,
            _ => false,
        }
    }

    pub(crate) fn is_of_library(&self) -> bool {
        matches!(
            self,
            Self::Quantity(_)
                | Self::Ip(_)
                | Self::Cidr(..)
                | Self::Url(_)
                | Self::Semver(_)
                | Self::Format(_)
        )
    }
}

impl Object {
    /// An object without hidden fields.
    fn plain(fields: &Arc<[(Val, Val)]>) -> Self {
        Self {
            seen: fields.clone(),
            hidden: Arc::default(),
        }
    }

    fn len(&self) -> usize {
        self.seen.len() + self.hidden.len()
    }

    fn hidden(&self, name: &str) -> Option<&Hidden> {
        let mut hidden = self.hidden.iter();
        let found = hidden.find(|(known, _)| **known == *name);
        found.map(|(_, hidden)| hidden)
    }
}

/// Servers iterate over the fields of the first object.
fn objects_equal(one: &Object, other: &Object) -> Result<bool, Stop> {
    let mut hidden = one.hidden.iter().chain(other.hidden.iter());
    if hidden.any(|(_, hidden)| *hidden == Hidden::Untyped(None)) {
        return Err(Stop::Unknown);
    }
    let metadata = |object: &Object| {
        let mut hidden = object.hidden.iter().map(|(_, hidden)| hidden.clone());
        hidden.find(|hidden| matches!(hidden, Hidden::Metadata(_)))
    };
    match (metadata(one), metadata(other)) {
        (None, None) => {}
        // Equal ones change equally, and different ones may become equal.
        (one, other) if one == other => return Ok(true),
        _ => return Err(Stop::Unknown),
    }
    if one.len() != other.len() {
        return Ok(false);
    }
    let mut all = true;
    for (name, value) in one.seen.iter() {
        let found = other.seen.iter().find(|(known, _)| known == name);
        all &= match found {
            Some((_, other)) => value.equals(other)?,
            // Such a field exists, but is unknown here.
            None => match name {
                Val::String(name) if matches!(other.hidden(name), Some(Hidden::Untyped(_))) => {
                    return Err(Stop::Unknown);
                }
                _ => false,
            },
        };
    }
    for (name, hidden) in one.hidden.iter() {
        let is_seen = other.seen.iter().any(|(known, _)| match known {
            Val::String(known) => known == name,
            _ => false,
        });
        all &= match (hidden, other.hidden(name)) {
            (Hidden::Null, None | Some(Hidden::Null)) => !is_seen,
            // Without a schema only the common fields are compared.
            (Hidden::Unknown(_), None) => true,
            (Hidden::Unknown(one), Some(Hidden::Unknown(other)))
            | (Hidden::Untyped(Some(one)), Some(Hidden::Untyped(Some(other)))) => one == other,
            _ => false,
        };
    }
    Ok(all)
}

/// The order of two values, for `<` and the functions of lists.
pub(crate) fn order(left: &Val, right: &Val) -> Result<Ordering, Stop> {
    match (left, right) {
        (Val::String(left), Val::String(right)) => Ok(left.cmp(right)),
        (Val::Bytes(left), Val::Bytes(right)) => Ok(left.cmp(right)),
        (Val::Bool(left), Val::Bool(right)) => Ok(left.cmp(right)),
        (Val::Timestamp(left), Val::Timestamp(right)) => {
            Ok(left.nanoseconds.cmp(&right.nanoseconds))
        }
        _ => match numeric(left, right) {
            // NaN has no order.
            Some(order) => order.ok_or(Stop::Error),
            None => Err(Stop::Unknown),
        },
    }
}

/// The order of two numbers or of two durations: `None` for other values, `Some(None)` if one is NaN.
fn numeric(left: &Val, right: &Val) -> Option<Option<Ordering>> {
    Some(match (left, right) {
        (Val::Zero, Val::Zero) => Some(Ordering::Equal),
        (Val::Zero, Val::Duration(span)) => Some(0.cmp(span)),
        (Val::Duration(span), Val::Zero) => Some(span.cmp(&0)),
        (Val::Duration(left), Val::Duration(right)) => Some(left.cmp(right)),
        (Val::Zero, other) => return numeric(&Val::Int(0), other),
        (other, Val::Zero) => return numeric(other, &Val::Int(0)),
        (Val::Int(left), Val::Int(right)) => Some(left.cmp(right)),
        (Val::Uint(left), Val::Uint(right)) => Some(left.cmp(right)),
        (Val::Int(left), Val::Uint(right)) => Some(i128::from(*left).cmp(&i128::from(*right))),
        (Val::Uint(left), Val::Int(right)) => Some(i128::from(*left).cmp(&i128::from(*right))),
        // Servers compare integers with other numbers as floating-point numbers.
        (left, right) => float(left)?.partial_cmp(&float(right)?),
    })
}

/// A number as a floating-point number.
#[allow(clippy::cast_precision_loss, reason = "servers lose as much")]
pub(crate) fn float(value: &Val) -> Option<f64> {
    match value {
        Val::Int(value) => Some(*value as f64),
        Val::Uint(value) => Some(*value as f64),
        Val::Double(value) => Some(*value),
        Val::Zero => Some(0.0),
        _ => None,
    }
}

/// Whether one of the values is equal to a value.
pub(crate) fn any_equals(values: &[Val], sought: &Val) -> Result<bool, Stop> {
    for value in values {
        if value.equals(sought)? {
            return Ok(true);
        }
    }
    Ok(false)
}
