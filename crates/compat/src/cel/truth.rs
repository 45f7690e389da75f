//! Whether an expression is true of every value of a schema, by evaluation over sets of values.
//!
//! A value is a node of the schema, a range of numbers, a constant, or unknown. Evaluation may fail, for example when an
//! optional field is read without a presence test, and a rule that fails rejects the object; so failures are tracked too.

use super::abstract_value::{Abstract, Values, binary, constant, either, of_value};
use super::facts::Facts;
use crate::findings::verdict::Answer;
use crate::values::{Local, size};
use crd_channels_cel::calls::{Comprehension, Function, Selection};
use crd_channels_cel::canonical;
use crd_channels_cel::domain::{Domain, Indexing, interpret};
use crd_channels_cel::evaluate::Val;
use crd_channels_cel::functions::{MATCHES, SIZE};
use crd_channels_cel::macros::Macro;
use crd_channels_check::cel::Expression;
use crd_channels_check::cel::ast::{Binary, Kind, Literal, Logic, Unary};
use crd_channels_schema::{Additional, Schema};
use serde_json::Value;

/// `Yes` if the expression is true of every value, `No` if it is true of none.
pub(super) fn truth(expression: &Expression, schema: &Schema) -> Answer {
    let mut sets = Sets {
        root: schema,
        facts: vec![Facts::default()],
    };
    let variables = vec![("self", Abstract::of_schema(sets.root))];
    let result = interpret(&mut sets, expression, variables);
    match (result.answer(), result.fails) {
        (Answer::Yes, true) => Answer::Unknown,
        (answer, _) => answer,
    }
}

/// The state of an evaluation.
struct Sets<'a> {
    /// The schema of `self`.
    root: &'a Schema,
    /// The facts that hold for the current part, the innermost last.
    facts: Vec<Facts>,
}

impl<'a> Sets<'a> {
    fn is_there(&self, field: &Expression) -> bool {
        let facts = self.facts.last();
        facts.is_some_and(|facts| facts.is_there(&canonical(field)))
    }

    /// The minimum size of an expression, as far as conditions imply it.
    fn least(&self, of: &Expression) -> u64 {
        let facts = self.facts.last();
        facts.map_or(0, |facts| facts.size(&canonical(of)))
    }
}

impl<'a, 'e> Domain<'e> for Sets<'a> {
    type Value = Abstract<'a>;

    fn unknown(&mut self) -> Abstract<'a> {
        Abstract::unknown()
    }

    fn literal(&mut self, literal: &'e Literal, _: &'e Expression) -> Abstract<'a> {
        constant(literal)
    }

    fn select(&mut self, selection: Selection<'e>, operand: Abstract<'a>) -> Abstract<'a> {
        let (Values::Of(schema), false) = (&operand.values, selection.optional) else {
            return Abstract::unknown();
        };
        let field = &*selection.field.text;
        let there = self.is_there(selection.whole);
        match schema.properties.get(field) {
            Some(property) => {
                let certain = there || certain(schema, field, property);
                Abstract::of_schema(property).failing(operand.fails || !certain)
            }
            None => match &schema.additional_properties {
                Some(Additional::Schema(values)) => {
                    Abstract::of_schema(values).failing(operand.fails || !there)
                }
                _ => Abstract::unknown(),
            },
        }
    }

    fn has(&mut self, selection: Selection<'e>, operand: Abstract<'a>) -> Abstract<'a> {
        let name = &selection.field.text;
        let Values::Of(schema) = operand.values else {
            return Abstract {
                values: Values::Bool(Answer::Unknown),
                fails: true,
            };
        };
        let open = schema.additional_properties.is_some() || schema.preserve_unknown_fields;
        let answer = match schema.properties.get(name) {
            _ if self.is_there(selection.whole) => Answer::Yes,
            Some(property) => {
                if certain(schema, name, property) {
                    Answer::Yes
                } else {
                    Answer::Unknown
                }
            }
            None if open => Answer::Unknown,
            None => Answer::No,
        };
        Abstract {
            values: Values::Bool(answer),
            fails: operand.fails,
        }
    }

    fn index(&mut self, of: Indexing<'e>, list: Abstract<'a>, _: Abstract<'a>) -> Abstract<'a> {
        let (Values::Of(schema), Kind::Literal(Literal::Int(at)), false) =
            (&list.values, &of.index.kind, of.optional)
        else {
            return Abstract::unknown();
        };
        let Some(items) = &schema.items else {
            return Abstract::unknown();
        };
        let least = size::allowed_sizes(schema).min.max(self.least(of.operand));
        let inside = u64::try_from(*at).is_ok_and(|at| at < least);
        Abstract::of_schema(items).failing(list.fails || !inside)
    }

    fn unary(&mut self, operator: Unary, operand: Abstract<'a>) -> Abstract<'a> {
        match operator {
            Unary::Not => Abstract {
                values: Values::Bool(operand.answer().not()),
                fails: operand.fails,
            },
            Unary::Negate => Abstract::unknown(),
        }
    }

    fn binary(
        &mut self,
        operator: Binary,
        [left, right]: [&'e Expression; 2],
        [one, other]: [Abstract<'a>; 2],
    ) -> Abstract<'a> {
        let same = canonical(left) == canonical(right);
        Abstract {
            values: binary(operator, &one, &other, same),
            fails: one.fails || other.fails,
        }
    }

    fn logic(&mut self, operator: Logic, operands: Vec<Abstract<'a>>) -> Abstract<'a> {
        // The value of an operand that decides the result alone.
        let deciding = match operator {
            Logic::And => Answer::No,
            Logic::Or => Answer::Yes,
        };
        let decides = |known: &Abstract<'a>| known.answer() == deciding && !known.fails;
        if operands.iter().any(decides) {
            return Abstract::sure(Values::Bool(deciding));
        }
        let answers = operands.iter().map(Abstract::answer);
        let answer = answers.fold(deciding.not(), |all, answer| match operator {
            Logic::And => all.and(answer),
            Logic::Or => all.or(answer),
        });
        Abstract {
            values: Values::Bool(answer),
            fails: operands.iter().any(|known| known.fails),
        }
    }

    fn choice(
        &mut self,
        condition: Abstract<'a>,
        then: Abstract<'a>,
        otherwise: Abstract<'a>,
    ) -> Abstract<'a> {
        let result = match condition.answer() {
            Answer::Yes => then,
            Answer::No => otherwise,
            Answer::Unknown => either(then, otherwise),
        };
        result.failing(condition.fails)
    }

    fn list(&mut self, elements: Vec<(Abstract<'a>, bool)>) -> Abstract<'a> {
        if elements.iter().any(|(_, optional)| *optional) {
            return Abstract::unknown();
        }
        let elements: Vec<Abstract<'a>> =
            elements.into_iter().map(|(element, _)| element).collect();
        let fails = elements.iter().any(|element| element.fails);
        Abstract {
            values: Values::List(elements),
            fails,
        }
    }

    fn map(&mut self, _: Vec<(Abstract<'a>, Abstract<'a>, bool)>) -> Abstract<'a> {
        Abstract::unknown()
    }

    fn message(&mut self, _: Vec<Abstract<'a>>) -> Abstract<'a> {
        Abstract::unknown()
    }

    fn function(&mut self, function: &Function<'e>, given: Vec<Abstract<'a>>) -> Abstract<'a> {
        let fails = given.iter().any(|known| known.fails);
        let values: Option<Vec<Val>> = given.iter().map(Abstract::value).collect();
        if let Some(values) = values {
            return of_value(function.run(&values)).failing(fails);
        }
        match (given.as_slice(), function.arguments.as_slice()) {
            ([known], [of]) if function.is(SIZE) => self.size(known, of),
            ([text, pattern], _) if function.is(MATCHES) => matches(text, pattern).failing(fails),
            _ if function.asks_texts() => Abstract {
                values: Values::Bool(Answer::Unknown),
                fails,
            },
            _ => Abstract::unknown(),
        }
    }

    fn elements(&mut self, of: &Comprehension<'e>, target: &Abstract<'a>) -> Vec<Abstract<'a>> {
        let Values::Of(schema) = target.values else {
            return of.variables.iter().map(|_| Abstract::unknown()).collect();
        };
        let key = || Abstract::sure(Values::Unknown);
        let place = |schema: Option<&'a Schema>| schema.map_or_else(key, Abstract::of_schema);
        match (of.variables.len(), &schema.items) {
            (1, items) => vec![place(items.as_deref())],
            (_, Some(items)) => vec![key(), Abstract::of_schema(items)],
            (_, None) => vec![key(), place(schema.values().map(|values| &**values))],
        }
    }

    /// The result of `all` or `exists`, given the body's for every element. One element can decide alone, but only if there is
    /// one.
    fn comprehension(
        &mut self,
        of: &Comprehension<'e>,
        target: Abstract<'a>,
        bodies: Vec<Abstract<'a>>,
    ) -> Abstract<'a> {
        let decisive = match of.row.expands_to {
            Macro::All => Answer::No,
            Macro::Exists => Answer::Yes,
            _ => return Abstract::unknown(),
        };
        let (Values::Of(schema), [body]) = (&target.values, bodies.as_slice()) else {
            return Abstract::unknown();
        };
        let answer = match body.answer() {
            answer if answer == decisive && size::allowed_sizes(schema).min == 0 => Answer::Unknown,
            answer => answer,
        };
        Abstract {
            values: Values::Bool(answer),
            fails: target.fails || body.fails,
        }
    }

    fn enter(&mut self) {
        let known = self.facts.last().cloned().unwrap_or_default();
        self.facts.push(known);
    }

    fn leave(&mut self) {
        self.facts.pop();
    }

    fn assume(&mut self, condition: &'e Expression, holds: bool) {
        if let Some(facts) = self.facts.last_mut() {
            facts.learn(condition, holds);
        }
    }

    fn shadow(&mut self, name: &'e str) {
        if let Some(facts) = self.facts.last_mut() {
            facts.forget(name);
        }
    }
}

impl<'a> Sets<'a> {
    fn size(&self, known: &Abstract<'a>, of: &Expression) -> Abstract<'a> {
        let (low, high) = match &known.values {
            Values::Of(schema) => {
                let count = size::allowed_sizes(schema);
                let least = count.min.max(self.least(of));
                (i128::from(least), count.max.map(i128::from))
            }
            Values::List(elements) => (elements.len() as i128, Some(elements.len() as i128)),
            _ => (0, None),
        };
        Abstract {
            values: Values::Range(Some(low), high),
            fails: known.fails,
        }
    }
}

/// Whether all values of a schema match a pattern.
fn matches<'a>(text: &Abstract<'a>, pattern: &Abstract<'a>) -> Abstract<'a> {
    let (Values::Of(schema), Values::Constant(Value::String(pattern))) =
        (&text.values, &pattern.values)
    else {
        return Abstract::unknown();
    };
    let all = Local::from_schema(schema)
        .not_matching(&pattern.as_str().into())
        .some()
        .not();
    // That some elements do not match implies nothing for all.
    let answer = if all == Answer::No {
        Answer::Unknown
    } else {
        all
    };
    Abstract::sure(Values::Bool(answer))
}

/// Whether every object has a property. A null counts as absent.
fn certain(schema: &Schema, name: &str, property: &Schema) -> bool {
    let there = property.default.is_some() || schema.required.iter().any(|known| **known == *name);
    there && !property.nullable
}
