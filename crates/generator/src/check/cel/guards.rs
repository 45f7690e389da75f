//! Which optional fields a rule reads where they may be absent.
//!
//! A rule is evaluated with each such field absent and everything else in all ways, as far as that matters: presence is
//! known, values are not. What ends in an error then is a read that nothing guards. As in CEL, `&&` and `||` swallow the
//! errors of one side where the other decides.

use super::shape::{Shape, named};
use crd_channels_cel::ast::{Binary, Expression, Kind, Literal, Logic, Name, Unary};
use crd_channels_cel::macros::{Macro, macro_called};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

/// A read of a field that may be absent.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Unguarded {
    /// Where the read stands in the text.
    pub range: Range<usize>,
    /// What is read from, in the text.
    pub operand: Range<usize>,
    /// The field, as it is written.
    pub field: String,
}

/// How many other fields are tried present and absent. The presence of more is unknown.
const MOST_FIELDS: usize = 6;

/// The unguarded reads of a rule on a node, each field once. `old` is the node again where `oldSelf` is not an optional.
pub fn unguarded<S: Shape>(
    text: &str,
    expression: &Expression,
    itself: S,
    old: Option<S>,
) -> Vec<Unguarded> {
    let of = |shape, way: &str| Place {
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
        // Most reads are guarded whatever else is there.
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

/// Optional fields by the ways to them; of those that are read the first read.
type Reads = BTreeMap<String, Option<Unguarded>>;

/// What is evaluated.
struct Rule<'t, S> {
    text: &'t str,
    expression: &'t Expression,
    itself: Place<S>,
    old: Option<Place<S>>,
}

impl<S: Shape> Rule<'_, S> {
    /// What it gives where one field is absent and the presence of some others is known, and the optional fields in it.
    fn tried(&self, absent: &str, presence: BTreeMap<&str, bool>) -> (Outcome, Reads) {
        let variables = vec![
            ("self", Some(self.itself.clone())),
            ("oldSelf", self.old.clone()),
        ];
        let trial = Trial {
            text: self.text,
            variables: RefCell::new(variables),
            reads: RefCell::default(),
            absent,
            presence,
        };
        let (outcome, _) = trial.value(self.expression);
        (outcome, trial.reads.take())
    }
}

/// All that an expression may give.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Outcome(u8);

const TRUE: Outcome = Outcome(1);
const FALSE: Outcome = Outcome(2);
const TRUTH: Outcome = Outcome(3);
/// What is not a truth value.
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

    /// What of it a condition sees: a value that is not a truth value for sure may still be one.
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

/// A node and the way that an expression goes to it.
#[derive(Clone)]
struct Place<S> {
    shape: S,
    way: String,
}

type Value<S> = (Outcome, Option<Place<S>>);

/// Variables, the innermost last; none for what is not followed.
type Variables<'t, S> = Vec<(&'t str, Option<Place<S>>)>;

/// One evaluation.
struct Trial<'t, S> {
    text: &'t str,
    /// The variables in reach.
    variables: RefCell<Variables<'t, S>>,
    reads: RefCell<Reads>,
    /// The field that is absent; empty while fields are only collected.
    absent: &'t str,
    presence: BTreeMap<&'t str, bool>,
}

impl<'t, S: Shape> Trial<'t, S> {
    fn value(&self, expression: &'t Expression) -> Value<S> {
        match &expression.kind {
            Kind::Literal(Literal::Bool(true)) => (TRUE, None),
            Kind::Literal(Literal::Bool(false)) => (FALSE, None),
            Kind::Literal(_) => (OTHER, None),
            Kind::Identifier { name, .. } => (ANY, self.variable(name)),
            Kind::Select {
                operand,
                field,
                optional,
            } => self.select(operand, field, *optional, &expression.range),
            Kind::Index {
                operand,
                index,
                optional,
            } => {
                let (outcome, place) = self.value(operand);
                let error = outcome.error().or(self.value(index).0.error());
                let key = self.text.get(index.range.clone()).unwrap_or_default();
                let element = place.filter(|_| !optional).and_then(|place| {
                    let shape = place.shape.items().or(place.shape.values())?;
                    let way = format!("{}[{key}]", place.way);
                    Some(Place { shape, way })
                });
                (ANY.or(error), element)
            }
            Kind::Call {
                target,
                function,
                arguments,
            } => (self.call(target.as_deref(), function, arguments), None),
            Kind::Unary { operator, operand } => {
                let outcome = self.value(operand).0;
                let outcome = match operator {
                    Unary::Not => outcome.not(),
                    Unary::Negate => OTHER.or(outcome.error()),
                };
                (outcome, None)
            }
            Kind::Binary {
                operator,
                left,
                right,
            } => (self.binary(*operator, left, right), None),
            Kind::Logic {
                operator, operands, ..
            } => {
                let outcomes = operands.iter().map(|operand| self.value(operand).0);
                let outcome = match operator {
                    Logic::And => outcomes.reduce(Outcome::and),
                    Logic::Or => outcomes
                        .map(Outcome::not)
                        .reduce(Outcome::and)
                        .map(Outcome::not),
                };
                (outcome.unwrap_or(TRUTH), None)
            }
            Kind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.value(condition).0.truth();
                let then = self.value(then).0;
                let otherwise = self.value(otherwise).0;
                let outcome = Outcome(then.0 * u8::from(condition.has(TRUE)))
                    .or(Outcome(otherwise.0 * u8::from(condition.has(FALSE))))
                    .or(condition.error());
                (outcome, None)
            }
            Kind::List(_) | Kind::Map(_) | Kind::Message { .. } => {
                let children = expression.kind.children().into_iter();
                (OTHER.or(self.errors(children)), None)
            }
        }
    }

    fn variable(&self, name: &Name) -> Option<Place<S>> {
        let variables = self.variables.borrow();
        let mut reach = variables.iter().rev();
        reach.find(|(known, _)| **known == *name.text)?.1.clone()
    }

    fn errors(&self, expressions: impl Iterator<Item = &'t Expression>) -> Outcome {
        expressions.fold(Outcome(0), |all, one| all.or(self.value(one).0.error()))
    }

    fn select(
        &self,
        operand: &'t Expression,
        field: &Name,
        optional: bool,
        range: &Range<usize>,
    ) -> Value<S> {
        let (outcome, place) = self.value(operand);
        let error = outcome.error();
        let Some(place) = place.filter(|_| !optional) else {
            return (ANY.or(error), None);
        };
        let Some(property) = named(place.shape, &field.text) else {
            return (ANY.or(error), None);
        };
        let way = format!("{}.{}", place.way, field.text);
        if property.optional {
            self.reads
                .borrow_mut()
                .entry(way.clone())
                .or_default()
                .get_or_insert_with(|| Unguarded {
                    range: range.clone(),
                    operand: operand.range.clone(),
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
        (ANY.or(error), Some(Place { shape, way }))
    }

    /// `has(operand.field)`
    fn has(&self, argument: &'t Expression) -> Outcome {
        let Kind::Select {
            operand,
            field,
            optional: false,
        } = &argument.kind
        else {
            return TRUTH.or(self.value(argument).0.error());
        };
        let (outcome, place) = self.value(operand);
        let error = outcome.error();
        let found = place.and_then(|place| {
            let property = named(place.shape, &field.text)?;
            Some((property.optional, place.way))
        });
        let Some((optional, above)) = found else {
            return TRUTH.or(error);
        };
        if !optional {
            return TRUE.or(error);
        }
        let way = format!("{above}.{}", field.text);
        let present = if way == self.absent {
            Some(false)
        } else {
            self.presence.get(way.as_str()).copied()
        };
        self.reads.borrow_mut().entry(way).or_default();
        match present {
            Some(true) => TRUE.or(error),
            Some(false) => FALSE.or(error),
            None => TRUTH.or(error),
        }
    }

    fn call(
        &self,
        target: Option<&'t Expression>,
        function: &'t Name,
        arguments: &'t [Expression],
    ) -> Outcome {
        let name = &*function.text;
        let Some(target) = target else {
            return match (name, arguments) {
                ("has", [argument]) => self.has(argument),
                _ => ANY.or(self.errors(arguments.iter())),
            };
        };
        let (outcome, place) = self.value(target);
        let error = outcome.error();
        let Some(row) = macro_called(name, true, arguments.len()) else {
            return ANY.or(error).or(self.errors(arguments.iter()));
        };
        // What is in an optional is not followed.
        let is_optional = matches!(row.expands_to, Macro::OptMap | Macro::OptFlatMap);
        let element = place.filter(|_| !is_optional);
        let body = self.with_variables(function, row.variables, arguments, element.as_ref());
        match row.expands_to {
            Macro::All => TRUE.or(FALSE.when(body.truth().has(FALSE))),
            Macro::Exists => FALSE.or(TRUE.when(body.truth().has(TRUE))),
            Macro::ExistsOne => TRUTH,
            _ => OTHER,
        }
        .or(body.error())
        .or(error)
    }

    /// What the bodies of a macro give with its variables bound: the outcome of the last, the errors of all.
    fn with_variables(
        &self,
        function: &Name,
        count: usize,
        arguments: &'t [Expression],
        target: Option<&Place<S>>,
    ) -> Outcome {
        let Some((variables, bodies)) = arguments.split_at_checked(count) else {
            return ANY;
        };
        let outer = self.variables.borrow().len();
        for (nth, variable) in variables.iter().enumerate() {
            let Kind::Identifier { name, .. } = &variable.kind else {
                continue;
            };
            // Of a map one variable is the key, of two the second is the value.
            let element = target.and_then(|target| {
                let items = target.shape.items().filter(|_| nth + 1 == count);
                let values = target.shape.values().filter(|_| nth == 1);
                items.or(values)
            });
            let element = element.map(|shape| Place {
                shape,
                way: format!("{}@{}", name.text, function.range.start),
            });
            self.variables.borrow_mut().push((&name.text, element));
        }
        let mut outcome = ANY;
        let mut errors = Outcome(0);
        for body in bodies {
            outcome = self.value(body).0;
            errors = errors.or(outcome.error());
        }
        self.variables.borrow_mut().truncate(outer);
        outcome.or(errors)
    }

    fn binary(&self, operator: Binary, left: &'t Expression, right: &'t Expression) -> Outcome {
        let (left, right) = (self.value(left).0, self.value(right).0);
        let errors = left.error().or(right.error());
        match operator {
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
        }
    }
}
