//! What is known of the values of an expression, and of what operators make of them.

use crate::values::{size, valid};
use crate::verdict::Answer;
use crd_channels_cel::evaluate::{Stop, Val};
use crd_channels_check::cel::ast::{Binary, Literal};
use crd_channels_schema::Schema;
use serde_json::Value;

/// What is known of a value, if evaluation does not fail.
#[derive(Clone, Debug)]
pub(super) enum What<'a> {
    /// Any value of a schema.
    Place(&'a Schema),
    Bool(Answer),
    /// A whole number between two ends.
    Range(Option<i128>, Option<i128>),
    Constant(Value),
    /// A list that is written out.
    List(Vec<Known<'a>>),
    Unknown,
}

/// What is known of an expression.
#[derive(Clone, Debug)]
pub(super) struct Known<'a> {
    pub(super) what: What<'a>,
    /// Whether evaluation may fail.
    pub(super) fails: bool,
}

impl<'a> Known<'a> {
    pub(super) fn sure(what: What<'a>) -> Self {
        Self { what, fails: false }
    }

    pub(super) fn place(schema: &'a Schema) -> Self {
        Self::sure(What::Place(schema))
    }

    pub(super) fn unknown() -> Self {
        Self {
            what: What::Unknown,
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
        match &self.what {
            What::Bool(answer) => *answer,
            _ => match self.only() {
                Some(Value::Bool(value)) => (*value).into(),
                _ => Answer::Unknown,
            },
        }
    }

    /// The value, if there is only one.
    fn only(&self) -> Option<&Value> {
        match &self.what {
            What::Constant(value) => Some(value),
            What::Place(schema) if !schema.nullable => match schema.enum_values.as_slice() {
                [only] => Some(only),
                _ => None,
            },
            _ => None,
        }
    }

    /// The value as expressions see it, if there is only one and it is told here.
    pub(super) fn value(&self) -> Option<Val> {
        if let What::Place(schema) = &self.what
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

    /// The ends between which a number lies.
    fn range(&self) -> Option<(Option<i128>, Option<i128>)> {
        match &self.what {
            What::Range(low, high) => Some((*low, *high)),
            What::Constant(Value::Number(number)) => {
                let number = number.as_i128()?;
                Some((Some(number), Some(number)))
            }
            What::Place(schema) => size::numbers(schema),
            _ => None,
        }
    }
}

/// What a function gives for values.
pub(super) fn of_value<'a>(result: Result<Val, Stop>) -> Known<'a> {
    Known::sure(match result {
        Ok(Val::Bool(value)) => What::Bool(value.into()),
        Ok(Val::Int(value)) => What::Constant(Value::from(value)),
        Ok(Val::Double(value)) => What::Constant(Value::from(value)),
        Ok(Val::String(text)) => What::Constant(Value::from(&*text)),
        Ok(_) => What::Unknown,
        Err(_) => return Known::unknown(),
    })
}

pub(super) fn constant<'a>(literal: &Literal) -> Known<'a> {
    Known::sure(What::Constant(match literal {
        Literal::Null => Value::Null,
        Literal::Bool(value) => Value::from(*value),
        Literal::Int(value) => Value::from(*value),
        Literal::Uint(value) => Value::from(*value),
        Literal::Double(value) => Value::from(*value),
        Literal::String(value) => Value::from(&**value),
        Literal::Bytes(_) => return Known::sure(What::Unknown),
    }))
}

pub(super) fn either<'a>(one: Known<'a>, other: Known<'a>) -> Known<'a> {
    let fails = one.fails || other.fails;
    let what = match (one.range(), other.range()) {
        (Some((low, high)), Some((other_low, other_high))) => What::Range(
            low.zip(other_low).map(|(one, other)| one.min(other)),
            high.zip(other_high).map(|(one, other)| one.max(other)),
        ),
        _ if one.answer() == other.answer() => What::Bool(one.answer()),
        _ => What::Unknown,
    };
    Known { what, fails }
}

pub(super) fn binary<'a>(
    operator: Binary,
    one: &Known<'a>,
    other: &Known<'a>,
    same: bool,
) -> What<'a> {
    match operator {
        Binary::Equal if same => What::Bool(Answer::Yes),
        Binary::NotEqual if same => What::Bool(Answer::No),
        Binary::Equal => What::Bool(equal(one, other)),
        Binary::NotEqual => What::Bool(equal(one, other).not()),
        Binary::In => What::Bool(within(one, other)),
        Binary::Less => What::Bool(less(one, other, false)),
        Binary::LessEqual => What::Bool(less(one, other, true)),
        Binary::Greater => What::Bool(less(other, one, false)),
        Binary::GreaterEqual => What::Bool(less(other, one, true)),
        Binary::Add | Binary::Subtract => {
            let (Some((low, high)), Some((other_low, other_high))) = (one.range(), other.range())
            else {
                return What::Unknown;
            };
            let sum = |one: Option<i128>, other: Option<i128>| one?.checked_add(other?);
            let difference = |one: Option<i128>, other: Option<i128>| one?.checked_sub(other?);
            if operator == Binary::Add {
                What::Range(sum(low, other_low), sum(high, other_high))
            } else {
                What::Range(difference(low, other_high), difference(high, other_low))
            }
        }
        Binary::Multiply | Binary::Divide | Binary::Modulo => What::Unknown,
    }
}

fn less(one: &Known<'_>, other: &Known<'_>, or_equal: bool) -> Answer {
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

fn equal(one: &Known<'_>, other: &Known<'_>) -> Answer {
    if let (Some(one), Some(other)) = (one.only(), other.only()) {
        return crate::values::same(one, other).into();
    }
    match (&one.what, &other.what) {
        (What::Constant(one), What::Constant(other)) => crate::values::same(one, other).into(),
        (What::Place(schema), What::Constant(value))
        | (What::Constant(value), What::Place(schema)) => is(schema, value),
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

/// Whether the values of a schema are this one.
fn is(schema: &Schema, value: &Value) -> Answer {
    if valid(schema, value) == Answer::No {
        return Answer::No;
    }
    match schema.enum_values.as_slice() {
        [only] if !schema.nullable => crate::values::same(only, value).into(),
        _ => Answer::Unknown,
    }
}

fn within(one: &Known<'_>, list: &Known<'_>) -> Answer {
    let What::List(elements) = &list.what else {
        return Answer::Unknown;
    };
    if let What::Place(schema) = &one.what
        && !schema.enum_values.is_empty()
        && !schema.nullable
    {
        let each = schema.enum_values.iter().map(|value| {
            let value = Known::sure(What::Constant(value.clone()));
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
