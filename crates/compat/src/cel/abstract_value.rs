//! Abstract values: the values that an expression may have, and how operators combine them.

use crate::findings::verdict::Answer;
use crate::values::{Kinds, kinds, size, valid};
use crd_channels_cel::evaluate::{Stop, Val};
use crd_channels_check::cel::ast::{Binary, Literal};
use crd_channels_schema::Schema;
use serde_json::Value;

/// The values that an expression may have, if evaluation does not fail.
#[derive(Clone, Debug)]
pub(super) enum Values<'a> {
    /// Any value of a schema.
    Of(&'a Schema),
    Bool(Answer),
    /// A whole number between two ends.
    Range(Option<i128>, Option<i128>),
    Constant(Value),
    /// A list that is written out.
    List(Vec<Abstract<'a>>),
    Unknown,
}

/// The possible results of an expression.
#[derive(Clone, Debug)]
pub(super) struct Abstract<'a> {
    pub(super) values: Values<'a>,
    /// Whether evaluation may fail.
    pub(super) fails: bool,
}

impl<'a> Abstract<'a> {
    pub(super) fn sure(values: Values<'a>) -> Self {
        Self {
            values,
            fails: false,
        }
    }

    pub(super) fn of_schema(schema: &'a Schema) -> Self {
        Self::sure(Values::Of(schema))
    }

    pub(super) fn unknown() -> Self {
        Self {
            values: Values::Unknown,
            fails: true,
        }
    }

    pub(super) fn failing(self, fails: bool) -> Self {
        Self {
            fails: self.fails || fails,
            ..self
        }
    }

    pub(super) fn answer(&self) -> Answer {
        match &self.values {
            Values::Bool(answer) => *answer,
            _ => match self.only() {
                Some(Value::Bool(value)) => (*value).into(),
                _ => Answer::Unknown,
            },
        }
    }

    /// The value, if there is only one.
    fn only(&self) -> Option<&Value> {
        match &self.values {
            Values::Constant(value) => Some(value),
            Values::Of(schema) if !schema.nullable => match schema.enum_values.as_slice() {
                [only] => Some(only),
                _ => None,
            },
            _ => None,
        }
    }

    /// The value as expressions see it, if there is only one and it can be represented.
    pub(super) fn value(&self) -> Option<Val> {
        if let Values::Of(schema) = &self.values
            && (schema.format.is_some() || schema.int_or_string)
        {
            return None;
        }
        match self.only()? {
            Value::Bool(value) => Some(Val::Bool(*value)),
            Value::Number(number) => number.as_i64().map(Val::Int),
            Value::String(text) => Some(Val::text(text.as_str())),
            _ => None,
        }
    }

    /// The bounds of a number.
    fn range(&self) -> Option<(Option<i128>, Option<i128>)> {
        match &self.values {
            Values::Range(low, high) => Some((*low, *high)),
            Values::Constant(Value::Number(number)) => {
                let number = number.as_i128()?;
                Some((Some(number), Some(number)))
            }
            Values::Of(schema) => size::numbers(schema),
            _ => None,
        }
    }
}

/// The abstract value of a function's result.
pub(super) fn of_value<'a>(result: Result<Val, Stop>) -> Abstract<'a> {
    Abstract::sure(match result {
        Ok(Val::Bool(value)) => Values::Bool(value.into()),
        Ok(Val::Int(value)) => Values::Constant(Value::from(value)),
        Ok(Val::Double(value)) => Values::Constant(Value::from(value)),
        Ok(Val::String(text)) => Values::Constant(Value::from(&*text)),
        Ok(_) => Values::Unknown,
        Err(_) => return Abstract::unknown(),
    })
}

pub(super) fn constant<'a>(literal: &Literal) -> Abstract<'a> {
    Abstract::sure(Values::Constant(match literal {
        Literal::Null => Value::Null,
        Literal::Bool(value) => Value::from(*value),
        Literal::Int(value) => Value::from(*value),
        Literal::Uint(value) => Value::from(*value),
        Literal::Double(value) => Value::from(*value),
        Literal::String(value) => Value::from(&**value),
        Literal::Bytes(_) => return Abstract::sure(Values::Unknown),
    }))
}

pub(super) fn either<'a>(one: Abstract<'a>, other: Abstract<'a>) -> Abstract<'a> {
    let fails = one.fails || other.fails;
    let values = match (one.range(), other.range()) {
        (Some((low, high)), Some((other_low, other_high))) => Values::Range(
            low.zip(other_low).map(|(one, other)| one.min(other)),
            high.zip(other_high).map(|(one, other)| one.max(other)),
        ),
        _ if one.answer() == other.answer() => Values::Bool(one.answer()),
        _ => Values::Unknown,
    };
    Abstract { values, fails }
}

pub(super) fn binary<'a>(
    operator: Binary,
    one: &Abstract<'a>,
    other: &Abstract<'a>,
    same: bool,
) -> Values<'a> {
    match operator {
        Binary::Equal if same => Values::Bool(Answer::Yes),
        Binary::NotEqual if same => Values::Bool(Answer::No),
        Binary::Equal => Values::Bool(equal(one, other)),
        Binary::NotEqual => Values::Bool(equal(one, other).not()),
        Binary::In => Values::Bool(within(one, other)),
        Binary::Less => Values::Bool(less(one, other, false)),
        Binary::LessEqual => Values::Bool(less(one, other, true)),
        Binary::Greater => Values::Bool(less(other, one, false)),
        Binary::GreaterEqual => Values::Bool(less(other, one, true)),
        Binary::Add | Binary::Subtract => {
            let (Some((low, high)), Some((other_low, other_high))) = (one.range(), other.range())
            else {
                return Values::Unknown;
            };
            let sum = |one: Option<i128>, other: Option<i128>| one?.checked_add(other?);
            let difference = |one: Option<i128>, other: Option<i128>| one?.checked_sub(other?);
            if operator == Binary::Add {
                Values::Range(sum(low, other_low), sum(high, other_high))
            } else {
                Values::Range(difference(low, other_high), difference(high, other_low))
            }
        }
        Binary::Multiply | Binary::Divide | Binary::Modulo => Values::Unknown,
    }
}

/// Whether all possible values of one side are less than those of the other; `Unknown` if only some are.
fn less(one: &Abstract<'_>, other: &Abstract<'_>, or_equal: bool) -> Answer {
    let (Some((low, high)), Some((other_low, other_high))) = (one.range(), other.range()) else {
        return Answer::Unknown;
    };
    let below = |one: i128, other: i128| one < other || (or_equal && one == other);
    if high
        .zip(other_low)
        .is_some_and(|(one, other)| below(one, other))
    {
        return Answer::Yes;
    }
    if low
        .zip(other_high)
        .is_some_and(|(one, other)| !below(one, other))
    {
        return Answer::No;
    }
    Answer::Unknown
}

/// Whether two values are equal whatever they are; `Unknown` if that depends on the object.
fn equal(one: &Abstract<'_>, other: &Abstract<'_>) -> Answer {
    if let (Some(one), Some(other)) = (one.only(), other.only()) {
        return crate::values::same(one, other).into();
    }
    match (&one.values, &other.values) {
        (Values::Constant(one), Values::Constant(other)) => crate::values::same(one, other).into(),
        (Values::Of(schema), Values::Constant(value))
        | (Values::Constant(value), Values::Of(schema)) => is(schema, value),
        _ => {
            let apart = less(one, other, false).or(less(other, one, false));
            let (Some(one), Some(other)) = (one.range(), other.range()) else {
                return Answer::Unknown;
            };
            match apart {
                Answer::Yes => Answer::No,
                _ if one == other && one.0.is_some() && one.0 == one.1 => Answer::Yes,
                _ => Answer::Unknown,
            }
        }
    }
}

/// Whether every value of a schema is in its enum. Servers truncate fractions before they compare with whole members.
fn lists_all(schema: &Schema) -> bool {
    !schema.enum_values.is_empty() && !kinds(schema).meets(Kinds::FRACTION)
}

/// Whether every value of a schema equals this one.
fn is(schema: &Schema, value: &Value) -> Answer {
    if valid(schema, value) == Answer::No {
        return Answer::No;
    }
    match schema.enum_values.as_slice() {
        [only] if lists_all(schema) => crate::values::same(only, value).into(),
        _ => Answer::Unknown,
    }
}

/// Whether a list contains the value whatever it is.
fn within(one: &Abstract<'_>, list: &Abstract<'_>) -> Answer {
    let Values::List(elements) = &list.values else {
        return Answer::Unknown;
    };
    if let Values::Of(schema) = &one.values
        && lists_all(schema)
    {
        let each = schema.enum_values.iter().map(|value| {
            let value = Abstract::sure(Values::Constant(value.clone()));
            Answer::any(elements.iter().map(|element| equal(&value, element)))
        });
        let each: Vec<Answer> = each.collect();
        if each.iter().all(|answer| *answer == Answer::Yes) {
            return Answer::Yes;
        }
        if each.iter().all(|answer| *answer == Answer::No) {
            return Answer::No;
        }
        return Answer::Unknown;
    }
    Answer::any(elements.iter().map(|element| equal(one, element)))
}
