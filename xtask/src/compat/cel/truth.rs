//! Whether an expression is true of every value of a schema: evaluation over sets of values.
//!
//! A value is a place in the schema, a range of numbers, a constant, or nothing that is known. Evaluation may fail, as
//! where an optional field is read unasked, and a rule that fails refuses; so that is followed too.

use super::canonical::written;
use super::facts::Facts;
use crate::check::cel::ast::{Binary, Expression, Kind, Literal, Logic, Unary};
use crate::compat::values::{Local, size, valid};
use crate::compat::verdict::Answer;
use crate::schema::{Additional, Schema};
use serde_json::Value;

/// Yes where the expression is true of every value, no where it is true of none.
pub(super) fn truth(expression: &Expression, schema: &Schema) -> Answer {
    let evaluator = Evaluator {
        variables: vec![("self", Known::place(schema))],
        facts: Facts::default(),
    };
    let result = evaluator.evaluate(expression);
    match (result.answer(), result.fails) {
        (Answer::Yes, true) => Answer::Unknown,
        (answer, _) => answer,
    }
}

/// What is known of a value, if evaluation does not fail.
#[derive(Clone, Debug)]
enum What<'a> {
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
struct Known<'a> {
    what: What<'a>,
    /// Whether evaluation may fail.
    fails: bool,
}

impl<'a> Known<'a> {
    fn sure(what: What<'a>) -> Self {
        Self { what, fails: false }
    }

    fn place(schema: &'a Schema) -> Self {
        Self::sure(What::Place(schema))
    }

    fn unknown() -> Self {
        Self {
            what: What::Unknown,
            fails: true,
        }
    }

    fn failing(self, fails: bool) -> Self {
        Self {
            fails: self.fails || fails,
            ..self
        }
    }

    fn answer(&self) -> Answer {
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

#[derive(Clone)]
struct Evaluator<'a, 'e> {
    /// The variables in reach, the innermost last.
    variables: Vec<(&'e str, Known<'a>)>,
    facts: Facts,
}

impl<'a, 'e> Evaluator<'a, 'e> {
    /// The same, where a condition holds, or where it does not.
    fn given(&self, condition: &Expression, holds: bool) -> Self {
        let mut given = self.clone();
        given.facts.learn(condition, holds);
        given
    }

    fn evaluate(&self, expression: &'e Expression) -> Known<'a> {
        match &expression.kind {
            Kind::Literal(literal) => constant(literal),
            Kind::Identifier { name, .. } => {
                let known = self.variables.iter().rev();
                known
                    .into_iter()
                    .find(|(variable, _)| **variable == *name.text)
                    .map_or_else(Known::unknown, |(_, known)| known.clone())
            }
            Kind::Select {
                operand,
                field,
                optional: false,
            } => self.select(expression, operand, &field.text),
            Kind::Index {
                operand,
                index,
                optional: false,
            } => self.index(operand, index),
            Kind::Call {
                target,
                function,
                arguments,
            } => self.call(target.as_deref(), &function.text, arguments),
            Kind::Unary {
                operator: Unary::Not,
                operand,
            } => {
                let operand = self.evaluate(operand);
                Known {
                    what: What::Bool(operand.answer().not()),
                    fails: operand.fails,
                }
            }
            Kind::Binary {
                operator,
                left,
                right,
            } => {
                let (one, other) = (self.evaluate(left), self.evaluate(right));
                let fails = one.fails || other.fails;
                let same = written(left) == written(right);
                Known {
                    what: binary(*operator, &one, &other, same),
                    fails,
                }
            }
            Kind::Logic {
                operator, operands, ..
            } => self.logic(*operator, operands),
            Kind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let decided = self.evaluate(condition);
                let then = || self.given(condition, true).evaluate(then);
                let otherwise = || self.given(condition, false).evaluate(otherwise);
                let result = match decided.answer() {
                    Answer::Yes => then(),
                    Answer::No => otherwise(),
                    Answer::Unknown => either(then(), otherwise()),
                };
                result.failing(decided.fails)
            }
            Kind::List(elements) if elements.iter().all(|element| !element.optional) => {
                let elements = elements.iter().map(|element| self.evaluate(&element.value));
                let elements: Vec<Known<'a>> = elements.collect();
                let fails = elements.iter().any(|element| element.fails);
                Known {
                    what: What::List(elements),
                    fails,
                }
            }
            Kind::Select { .. }
            | Kind::Index { .. }
            | Kind::Unary { .. }
            | Kind::List(_)
            | Kind::Map(_)
            | Kind::Message { .. } => Known::unknown(),
        }
    }

    fn select(&self, whole: &Expression, operand: &'e Expression, field: &str) -> Known<'a> {
        let operand = self.evaluate(operand);
        let What::Place(schema) = operand.what else {
            return Known::unknown();
        };
        let there = self.facts.is_there(&written(whole));
        match schema.properties.get(field) {
            Some(property) => {
                let certain = there || certain(schema, field, property);
                Known::place(property).failing(operand.fails || !certain)
            }
            None => match &schema.additional_properties {
                Some(Additional::Schema(values)) => {
                    Known::place(values).failing(operand.fails || !there)
                }
                _ => Known::unknown(),
            },
        }
    }

    fn index(&self, operand: &'e Expression, index: &'e Expression) -> Known<'a> {
        let list = self.evaluate(operand);
        let (What::Place(schema), Kind::Literal(Literal::Int(at))) = (&list.what, &index.kind)
        else {
            return Known::unknown();
        };
        let Some(items) = &schema.items else {
            return Known::unknown();
        };
        let least = size::of(schema).min.max(self.facts.size(&written(operand)));
        let inside = u64::try_from(*at).is_ok_and(|at| at < least);
        Known::place(items).failing(list.fails || !inside)
    }

    fn logic(&self, operator: Logic, operands: &'e [Expression]) -> Known<'a> {
        // The value of an operand that decides alone.
        let deciding = match operator {
            Logic::And => Answer::No,
            Logic::Or => Answer::Yes,
        };
        let mut evaluator = self.clone();
        let mut answer = deciding.not();
        let mut fails = false;
        for operand in operands {
            let known = evaluator.evaluate(operand);
            if known.answer() == deciding && !known.fails {
                return Known::sure(What::Bool(deciding));
            }
            answer = match operator {
                Logic::And => answer.and(known.answer()),
                Logic::Or => answer.or(known.answer()),
            };
            fails |= known.fails;
            // What follows counts only where this one did not decide.
            evaluator = evaluator.given(operand, operator == Logic::And);
        }
        Known {
            what: What::Bool(answer),
            fails,
        }
    }

    fn call(
        &self,
        target: Option<&'e Expression>,
        function: &str,
        arguments: &'e [Expression],
    ) -> Known<'a> {
        match (target, function, arguments) {
            (None, "has", [field]) => self.has(field),
            (None, "size", [of]) | (Some(of), "size", []) => self.size(of),
            (Some(list), "all", [variable, body]) => {
                self.quantified((list, variable, body), Answer::No)
            }
            (Some(list), "exists", [variable, body]) => {
                self.quantified((list, variable, body), Answer::Yes)
            }
            (Some(text), "matches", [pattern]) => self.matches(text, pattern),
            (Some(text), "startsWith", [part]) => {
                self.part(text, part, |text, part| text.starts_with(part))
            }
            (Some(text), "endsWith", [part]) => {
                self.part(text, part, |text, part| text.ends_with(part))
            }
            (Some(text), "contains", [part]) => {
                self.part(text, part, |text, part| text.contains(part))
            }
            _ => Known::unknown(),
        }
    }

    fn has(&self, field: &'e Expression) -> Known<'a> {
        let Kind::Select {
            operand,
            field: name,
            ..
        } = &field.kind
        else {
            return Known::unknown();
        };
        let operand = self.evaluate(operand);
        let What::Place(schema) = operand.what else {
            return Known {
                what: What::Bool(Answer::Unknown),
                fails: true,
            };
        };
        let open = schema.additional_properties.is_some() || schema.preserve_unknown_fields;
        let answer = match schema.properties.get(&name.text) {
            _ if self.facts.is_there(&written(field)) => Answer::Yes,
            Some(property) => {
                if certain(schema, &name.text, property) {
                    Answer::Yes
                } else {
                    Answer::Unknown
                }
            }
            None if open => Answer::Unknown,
            None => Answer::No,
        };
        Known {
            what: What::Bool(answer),
            fails: operand.fails,
        }
    }

    fn size(&self, of: &'e Expression) -> Known<'a> {
        let known = self.evaluate(of);
        let (low, high) = match &known.what {
            What::Place(schema) => {
                let count = size::of(schema);
                let least = count.min.max(self.facts.size(&written(of)));
                (i128::from(least), count.max.map(i128::from))
            }
            What::Constant(Value::String(text)) => {
                let length = text.chars().count() as i128;
                (length, Some(length))
            }
            What::List(elements) => (elements.len() as i128, Some(elements.len() as i128)),
            _ => (0, None),
        };
        Known {
            what: What::Range(Some(low), high),
            fails: known.fails,
        }
    }

    /// The evaluator with a macro's variable bound to what a list or map has, and that.
    fn each(&self, list: &Known<'a>, variable: &'e Expression) -> Option<(Self, bool)> {
        let What::Place(schema) = list.what else {
            return None;
        };
        let Kind::Identifier { name, .. } = &variable.kind else {
            return None;
        };
        let element = match (&schema.items, &schema.additional_properties) {
            (Some(items), _) => Known::place(items),
            // The keys of a map.
            (None, _) => Known::sure(What::Unknown),
        };
        let mut inner = self.clone();
        inner.facts.forget(&name.text);
        inner.variables.push((&name.text, element));
        Some((inner, size::of(schema).min > 0))
    }

    /// What `all` and `exists` say of a body for every element. One element decides with `decisive`, so that is certain
    /// only where there is an element.
    fn quantified(
        &self,
        (list, variable, body): (&'e Expression, &'e Expression, &'e Expression),
        decisive: Answer,
    ) -> Known<'a> {
        let list = self.evaluate(list);
        let Some((inner, some)) = self.each(&list, variable) else {
            return Known::unknown();
        };
        let body = inner.evaluate(body);
        let answer = match body.answer() {
            answer if answer == decisive && !some => Answer::Unknown,
            answer => answer,
        };
        Known {
            what: What::Bool(answer),
            fails: list.fails || body.fails,
        }
    }

    /// A test of one text by another, where both are known.
    fn part(
        &self,
        text: &'e Expression,
        part: &'e Expression,
        test: fn(&str, &str) -> bool,
    ) -> Known<'a> {
        let (text, part) = (self.evaluate(text), self.evaluate(part));
        let answer = match (text.only(), part.only()) {
            (Some(Value::String(text)), Some(Value::String(part))) => test(text, part).into(),
            _ => Answer::Unknown,
        };
        Known {
            what: What::Bool(answer),
            fails: text.fails || part.fails,
        }
    }

    fn matches(&self, text: &'e Expression, pattern: &'e Expression) -> Known<'a> {
        let (text, pattern) = (self.evaluate(text), self.evaluate(pattern));
        let fails = text.fails || pattern.fails;
        let What::Constant(Value::String(pattern)) = pattern.what else {
            return Known::unknown();
        };
        let answer = match text.what {
            What::Place(schema) if text.only().is_none() => Local::of(schema)
                .not_matching(&pattern.as_str().into())
                .some()
                .not(),
            _ => match text.only() {
                Some(Value::String(text)) => {
                    return Known {
                        what: What::Bool(crate::compat::values::matches(&pattern, text)),
                        fails,
                    };
                }
                _ => Answer::Unknown,
            },
        };
        // That some do not match says nothing of all.
        let answer = if answer == Answer::No {
            Answer::Unknown
        } else {
            answer
        };
        Known {
            what: What::Bool(answer),
            fails,
        }
    }
}

/// Whether every object has a property. A null counts as missing.
fn certain(schema: &Schema, name: &str, property: &Schema) -> bool {
    let there = property.default.is_some() || schema.required.iter().any(|known| **known == *name);
    there && !property.nullable
}

fn constant<'a>(literal: &Literal) -> Known<'a> {
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

fn either<'a>(one: Known<'a>, other: Known<'a>) -> Known<'a> {
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

fn binary<'a>(operator: Binary, one: &Known<'a>, other: &Known<'a>, same: bool) -> What<'a> {
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
        return crate::compat::values::same(one, other).into();
    }
    match (&one.what, &other.what) {
        (What::Constant(one), What::Constant(other)) => {
            crate::compat::values::same(one, other).into()
        }
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
        [only] if !schema.nullable => crate::compat::values::same(only, value).into(),
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
