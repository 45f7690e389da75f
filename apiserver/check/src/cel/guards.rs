//! The optional fields that a rule reads without a presence test.
//!
//! Evaluates a rule with each such field absent and the others in all relevant combinations: presence is known, values are not.
//! An error in that evaluation is an unguarded read. As in CEL, `&&` and `||` ignore the errors of one side if the other side
//! decides.

use super::shape::{Shape, property_named};
use crd_channels_cel::ast::{Binary, Expression, Literal, Logic, Name, Unary};
use crd_channels_cel::calls::{Comprehension, Function, Selection};
use crd_channels_cel::domain::{Domain, Indexing, interpret};
use crd_channels_cel::macros::Macro;
use std::collections::BTreeMap;
use std::ops::Range;

/// A read of a field that may be absent.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Unguarded {
    /// The span of the read in the text.
    pub range: Range<usize>,
    /// The span of the object that it reads from.
    pub operand: Range<usize>,
    /// The field, as written.
    pub field: String,
}

/// The maximum number of other fields that are tried present and absent. The presence of further fields is unknown.
const MOST_FIELDS: usize = 6;

/// The unguarded reads of a rule on a node, each field once. `old` is the node again, unless `oldSelf` is an optional.
pub fn unguarded<S: Shape>(
    text: &str,
    expression: &Expression,
    itself: S,
    old: Option<S>,
) -> Vec<Unguarded> {
    let of = |shape, way: &str| Reached {
        shape,
        way: way.to_owned(),
    };
    let rule = Rule {
        text,
        expression,
        itself: of(itself, "self"),
        old: old.map(|old| of(old, "oldSelf")),
    };
    let (_, reads) = rule.tried("", BTreeMap::new());
    let fails = |absent, presence| rule.tried(absent, presence).0.has(ERROR);
    let mut found: Vec<Unguarded> = Vec::new();
    for (way, read) in &reads {
        let Some(read) = read else { continue };
        // Most reads are guarded regardless of other fields.
        if !fails(way, BTreeMap::new()) {
            continue;
        }
        let others = reads.keys().filter(|other| *other != way);
        let others: Vec<&String> = others.take(MOST_FIELDS).collect();
        let mut ways = 0..1_u32 << others.len();
        let fails = ways.any(|bits| {
            let others = others.iter().enumerate();
            let presence = others.map(|(nth, way)| (way.as_str(), bits >> nth & 1 == 1));
            fails(way, presence.collect())
        });
        if fails {
            found.push(read.clone());
        }
    }
    found.sort_by_key(|read| read.range.start);
    found
}

/// Optional fields by path, each with its first read, if any.
type Reads = BTreeMap<String, Option<Unguarded>>;

/// A rule to evaluate.
struct Rule<'t, S> {
    text: &'t str,
    expression: &'t Expression,
    itself: Reached<S>,
    old: Option<Reached<S>>,
}

impl<S: Shape> Rule<'_, S> {
    /// The outcome if one field is absent and the presence of some others is known, and the optional fields of the rule.
    fn tried(&self, absent: &str, presence: BTreeMap<&str, bool>) -> (Outcome, Reads) {
        let variables = vec![
            ("self", (ANY, Some(self.itself.clone()))),
            ("oldSelf", (ANY, self.old.clone())),
        ];
        let mut trial = Trial {
            rule: self,
            reads: BTreeMap::new(),
            absent,
            presence,
        };
        let (outcome, _) = interpret(&mut trial, self.expression, variables);
        (outcome, trial.reads)
    }
}

/// The set of possible outcomes of an expression.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Outcome(u8);

const TRUE: Outcome = Outcome(1);
const FALSE: Outcome = Outcome(2);
const TRUTH: Outcome = Outcome(3);
/// A value that is not a boolean.
const OTHER: Outcome = Outcome(4);
const ANY: Outcome = Outcome(7);
const ERROR: Outcome = Outcome(8);

impl Outcome {
    fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn error(self) -> Self {
        Self(self.0 & ERROR.0)
    }

    fn when(self, holds: bool) -> Self {
        if holds { self } else { Self(0) }
    }

    /// The outcome as a condition: a value that is not known to be a boolean may still be one.
    fn truth(self) -> Self {
        if self.has(OTHER) {
            TRUTH.or(self.error())
        } else {
            self
        }
    }

    fn not(self) -> Self {
        let this = self.truth();
        let turned = FALSE.when(this.has(TRUE)).or(TRUE.when(this.has(FALSE)));
        turned.or(this.error())
    }

    fn and(self, other: Self) -> Self {
        let (one, other) = (self.truth(), other.truth());
        let goes_on = |side: Self| side.has(TRUE) || side.has(ERROR);
        let error = (one.has(ERROR) && goes_on(other)) || (other.has(ERROR) && goes_on(one));
        TRUE.when(one.has(TRUE) && other.has(TRUE))
            .or(FALSE.when(one.has(FALSE) || other.has(FALSE)))
            .or(ERROR.when(error))
    }

    fn equals(self, other: Self) -> Self {
        let error = self.error().or(other.error());
        if self.has(OTHER) || other.has(OTHER) {
            return TRUTH.or(error);
        }
        let same = (self.has(TRUE) && other.has(TRUE)) || (self.has(FALSE) && other.has(FALSE));
        let differ = (self.has(TRUE) && other.has(FALSE)) || (self.has(FALSE) && other.has(TRUE));
        TRUE.when(same).or(FALSE.when(differ)).or(error)
    }
}

/// A node and the path by which an expression reaches it.
#[derive(Clone)]
struct Reached<S> {
    shape: S,
    way: String,
}

type Value<S> = (Outcome, Option<Reached<S>>);

/// An evaluation with one field absent.
struct Trial<'t, S> {
    rule: &'t Rule<'t, S>,
    reads: Reads,
    /// The absent field; empty while fields are only collected.
    absent: &'t str,
    presence: BTreeMap<&'t str, bool>,
}

/// The errors of several parts.
fn errors<S>(values: &[Value<S>]) -> Outcome {
    let values = values.iter();
    values.fold(Outcome(0), |all, (outcome, _)| all.or(outcome.error()))
}

impl<'e, S: Shape> Domain<'e> for Trial<'_, S> {
    type Value = Value<S>;

    fn unknown(&mut self) -> Value<S> {
        (ANY, None)
    }

    fn literal(&mut self, literal: &'e Literal, _: &'e Expression) -> Value<S> {
        let outcome = match literal {
            Literal::Bool(true) => TRUE,
            Literal::Bool(false) => FALSE,
            _ => OTHER,
        };
        (outcome, None)
    }

    fn select(&mut self, selection: Selection<'e>, (outcome, place): Value<S>) -> Value<S> {
        let field = selection.field;
        let error = outcome.error();
        let Some(place) = place.filter(|_| !selection.optional) else {
            return (ANY.or(error), None);
        };
        let Some(property) = property_named(place.shape, &field.text) else {
            return (ANY.or(error), None);
        };
        let way = format!("{}.{}", place.way, field.text);
        if property.optional {
            let read = self.reads.entry(way.clone()).or_default();
            read.get_or_insert_with(|| Unguarded {
                range: selection.whole.range.clone(),
                operand: selection.operand.range.clone(),
                field: field.text.to_string(),
            });
            if way == self.absent {
                return (ERROR, None);
            }
            if self.presence.get(way.as_str()) == Some(&false) {
                return (ANY.or(error), None);
            }
        }
        let shape = property.shape;
        (ANY.or(error), Some(Reached { shape, way }))
    }

    fn has(&mut self, selection: Selection<'e>, (outcome, place): Value<S>) -> Value<S> {
        let field = selection.field;
        let error = outcome.error();
        let found = place.and_then(|place| {
            let property = property_named(place.shape, &field.text)?;
            Some((property.optional, place.way))
        });
        let Some((optional, above)) = found else {
            return (TRUTH.or(error), None);
        };
        if !optional {
            return (TRUE.or(error), None);
        }
        let way = format!("{above}.{}", field.text);
        let present = if way == self.absent {
            Some(false)
        } else {
            self.presence.get(way.as_str()).copied()
        };
        self.reads.entry(way).or_default();
        let outcome = match present {
            Some(true) => TRUE,
            Some(false) => FALSE,
            None => TRUTH,
        };
        (outcome.or(error), None)
    }

    fn index(&mut self, of: Indexing<'e>, operand: Value<S>, key: Value<S>) -> Value<S> {
        let (outcome, place) = operand;
        let error = outcome.error().or(key.0.error());
        let key = self
            .rule
            .text
            .get(of.index.range.clone())
            .unwrap_or_default();
        let element = place.filter(|_| !of.optional).and_then(|place| {
            let shape = place.shape.items().or(place.shape.values())?;
            let way = format!("{}[{key}]", place.way);
            Some(Reached { shape, way })
        });
        (ANY.or(error), element)
    }

    fn unary(&mut self, operator: Unary, (outcome, _): Value<S>) -> Value<S> {
        let outcome = match operator {
            Unary::Not => outcome.not(),
            Unary::Negate => OTHER.or(outcome.error()),
        };
        (outcome, None)
    }

    fn binary(
        &mut self,
        operator: Binary,
        _: [&'e Expression; 2],
        [(left, _), (right, _)]: [Value<S>; 2],
    ) -> Value<S> {
        let errors = left.error().or(right.error());
        let outcome = match operator {
            Binary::Equal => left.equals(right),
            Binary::NotEqual => left.equals(right).not(),
            Binary::Less
            | Binary::LessEqual
            | Binary::Greater
            | Binary::GreaterEqual
            | Binary::In => TRUTH.or(errors),
            Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Modulo => {
                OTHER.or(errors)
            }
        };
        (outcome, None)
    }

    fn logic(&mut self, operator: Logic, operands: Vec<Value<S>>) -> Value<S> {
        let outcomes = operands.into_iter().map(|(outcome, _)| outcome);
        let outcome = match operator {
            Logic::And => outcomes.reduce(Outcome::and),
            Logic::Or => outcomes
                .map(Outcome::not)
                .reduce(Outcome::and)
                .map(Outcome::not),
        };
        (outcome.unwrap_or(TRUTH), None)
    }

    fn choice(
        &mut self,
        (condition, _): Value<S>,
        (then, _): Value<S>,
        (otherwise, _): Value<S>,
    ) -> Value<S> {
        let condition = condition.truth();
        let outcome = then
            .when(condition.has(TRUE))
            .or(otherwise.when(condition.has(FALSE)))
            .or(condition.error());
        (outcome, None)
    }

    fn list(&mut self, elements: Vec<(Value<S>, bool)>) -> Value<S> {
        let elements: Vec<Value<S>> = elements.into_iter().map(|(value, _)| value).collect();
        self.message(elements)
    }

    fn map(&mut self, entries: Vec<(Value<S>, Value<S>, bool)>) -> Value<S> {
        let entries = entries.into_iter();
        let parts: Vec<Value<S>> = entries.flat_map(|(key, value, _)| [key, value]).collect();
        self.message(parts)
    }

    fn message(&mut self, fields: Vec<Value<S>>) -> Value<S> {
        (OTHER.or(errors(&fields)), None)
    }

    fn function(&mut self, _: &Function<'e>, given: Vec<Value<S>>) -> Value<S> {
        (ANY.or(errors(&given)), None)
    }

    fn elements(&mut self, of: &Comprehension<'e>, (_, place): &Value<S>) -> Vec<Value<S>> {
        // The content of an optional is not tracked.
        let is_optional = matches!(of.row.expands_to, Macro::OptMap | Macro::OptFlatMap);
        let target = place.as_ref().filter(|_| !is_optional);
        let count = of.variables.len();
        let element = |(nth, name): (usize, &&Name)| {
            // The variable of a map is its key; the second of two is the value.
            let shape = target.and_then(|target| {
                let items = target.shape.items().filter(|_| nth + 1 == count);
                items.or(target.shape.values().filter(|_| nth == 1))
            });
            let place = shape.map(|shape| Reached {
                shape,
                way: format!("{}@{}", name.text, of.function.range.start),
            });
            (ANY, place)
        };
        of.variables.iter().enumerate().map(element).collect()
    }

    fn comprehension(
        &mut self,
        of: &Comprehension<'e>,
        (target, _): Value<S>,
        bodies: Vec<Value<S>>,
    ) -> Value<S> {
        let body = bodies.last().map_or(ANY, |(outcome, _)| *outcome);
        let outcome = match of.row.expands_to {
            Macro::All => TRUE.or(FALSE.when(body.truth().has(FALSE))),
            Macro::Exists => FALSE.or(TRUE.when(body.truth().has(TRUE))),
            Macro::ExistsOne => TRUTH,
            _ => OTHER,
        };
        (outcome.or(errors(&bodies)).or(target.error()), None)
    }
}
