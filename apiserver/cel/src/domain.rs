//! One traversal of expressions for analyses that do not run them. A [`Domain`] defines the value of each part: everything that
//! it may read, whether it may fail, which values it may have.

use crate::ast::{Binary, Expression, Kind, Literal, Logic, Unary};
use crate::calls::{Call, Comprehension, Function, Selection};

/// `operand[index]` or `operand[?index]`
#[derive(Clone, Copy, Debug)]
pub struct Indexing<'e> {
    /// The list or map.
    pub operand: &'e Expression,
    /// The index or key.
    pub index: &'e Expression,
    /// Whether it is `[?`.
    pub optional: bool,
}

/// An interpretation of expressions. Every part is visited once, children first; operands are visited even if a server would
/// not evaluate them.
pub trait Domain<'e> {
    /// The abstract value of a part.
    type Value: Clone;

    /// A name without a variable in scope.
    fn unknown(&mut self) -> Self::Value;
    /// A constant.
    fn literal(&mut self, literal: &'e Literal, part: &'e Expression) -> Self::Value;
    /// `operand.field`
    fn select(&mut self, selection: Selection<'e>, operand: Self::Value) -> Self::Value;
    /// `has(operand.field)`
    fn has(&mut self, selection: Selection<'e>, operand: Self::Value) -> Self::Value;
    /// `operand[key]`
    fn index(&mut self, of: Indexing<'e>, operand: Self::Value, key: Self::Value) -> Self::Value;
    /// `!operand`, `-operand`
    fn unary(&mut self, operator: Unary, operand: Self::Value) -> Self::Value;
    /// `left == right` and the like.
    fn binary(
        &mut self,
        operator: Binary,
        sides: [&'e Expression; 2],
        values: [Self::Value; 2],
    ) -> Self::Value;
    /// `a && b`, `a || b`
    fn logic(&mut self, operator: Logic, operands: Vec<Self::Value>) -> Self::Value;
    /// `condition ? then : otherwise`
    fn choice(
        &mut self,
        condition: Self::Value,
        then: Self::Value,
        otherwise: Self::Value,
    ) -> Self::Value;
    /// `[a, ?b]`; the flags mark optional elements.
    fn list(&mut self, elements: Vec<(Self::Value, bool)>) -> Self::Value;
    /// `{a: b, ?c: d}`; the flags mark optional entries.
    fn map(&mut self, entries: Vec<(Self::Value, Self::Value, bool)>) -> Self::Value;
    /// `Name{field: value}`
    fn message(&mut self, fields: Vec<Self::Value>) -> Self::Value;
    /// A function with the values of its arguments.
    fn function(&mut self, function: &Function<'e>, arguments: Vec<Self::Value>) -> Self::Value;
    /// The values of a macro's variables.
    fn elements(&mut self, of: &Comprehension<'e>, target: &Self::Value) -> Vec<Self::Value>;
    /// A macro with the values of its bodies.
    fn comprehension(
        &mut self,
        of: &Comprehension<'e>,
        target: Self::Value,
        bodies: Vec<Self::Value>,
    ) -> Self::Value;

    /// Starts a scope with additional assumptions, which ends at the next [`leave`](Self::leave).
    fn enter(&mut self) {}
    /// Ends such a scope.
    fn leave(&mut self) {}
    /// Assumes, in the current scope, that a condition is true, or that it is not.
    fn assume(&mut self, _condition: &'e Expression, _holds: bool) {}
    /// A name is rebound in the current scope.
    fn shadow(&mut self, _name: &'e str) {}
}

/// The value of an expression in a domain, given its variables.
pub fn interpret<'e, D: Domain<'e>>(
    domain: &mut D,
    expression: &'e Expression,
    variables: Vec<(&'e str, D::Value)>,
) -> D::Value {
    let globals = variables.len();
    let mut interpreter = Interpreter {
        domain,
        variables,
        globals,
    };
    interpreter.value(expression)
}

struct Interpreter<'d, 'e, D: Domain<'e>> {
    domain: &'d mut D,
    /// The variables in scope, the innermost last.
    variables: Vec<(&'e str, D::Value)>,
    /// The number of variables that do not belong to macros.
    globals: usize,
}

impl<'e, D: Domain<'e>> Interpreter<'_, 'e, D> {
    fn value(&mut self, expression: &'e Expression) -> D::Value {
        match &expression.kind {
            Kind::Literal(literal) => self.domain.literal(literal, expression),
            Kind::Identifier { name, rooted } => self.variable(&name.text, *rooted),
            Kind::Select { .. } => match expression.selection() {
                Some(selection) => {
                    let operand = self.value(selection.operand);
                    self.domain.select(selection, operand)
                }
                None => self.domain.unknown(),
            },
            Kind::Index {
                operand,
                index,
                optional,
            } => {
                let of = Indexing {
                    operand,
                    index,
                    optional: *optional,
                };
                let operand = self.value(operand);
                let key = self.value(index);
                self.domain.index(of, operand, key)
            }
            Kind::Call { .. } => self.call(expression),
            Kind::Unary { operator, operand } => {
                let operand = self.value(operand);
                self.domain.unary(*operator, operand)
            }
            Kind::Binary {
                operator,
                left,
                right,
            } => {
                let values = [self.value(left), self.value(right)];
                self.domain.binary(*operator, [left, right], values)
            }
            Kind::Logic {
                operator, operands, ..
            } => self.logic(*operator, operands),
            Kind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let decides = self.value(condition);
                let then = self.given(condition, true, then);
                let otherwise = self.given(condition, false, otherwise);
                self.domain.choice(decides, then, otherwise)
            }
            Kind::List(_) | Kind::Map(_) | Kind::Message { .. } => self.aggregate(expression),
        }
    }

    /// A leading dot skips the variables of macros.
    fn variable(&mut self, name: &str, rooted: bool) -> D::Value {
        let reach = if rooted {
            self.variables.get(..self.globals).unwrap_or_default()
        } else {
            &self.variables
        };
        let known = reach.iter().rev().find(|(known, _)| *known == name);
        match known {
            Some((_, value)) => value.clone(),
            None => self.domain.unknown(),
        }
    }

    /// The value of an expression under the assumption that a condition is true, or that it is not.
    fn given(
        &mut self,
        condition: &'e Expression,
        holds: bool,
        expression: &'e Expression,
    ) -> D::Value {
        self.domain.enter();
        self.domain.assume(condition, holds);
        let value = self.value(expression);
        self.domain.leave();
        value
    }

    #[inline(never)]
    fn logic(&mut self, operator: Logic, operands: &'e [Expression]) -> D::Value {
        self.domain.enter();
        let mut values = Vec::with_capacity(operands.len());
        for operand in operands {
            values.push(self.value(operand));
            // The next operand only matters if this one does not decide.
            self.domain.assume(operand, operator == Logic::And);
        }
        self.domain.leave();
        self.domain.logic(operator, values)
    }

    #[inline(never)]
    fn aggregate(&mut self, expression: &'e Expression) -> D::Value {
        match &expression.kind {
            Kind::List(elements) => {
                let mut values = Vec::with_capacity(elements.len());
                for element in elements {
                    values.push((self.value(&element.value), element.optional));
                }
                self.domain.list(values)
            }
            Kind::Map(entries) => {
                let mut values = Vec::with_capacity(entries.len());
                for entry in entries {
                    let key = self.value(&entry.key);
                    values.push((key, self.value(&entry.value), entry.optional));
                }
                self.domain.map(values)
            }
            _ => {
                let fields = expression.subexpressions();
                let fields = fields.into_iter().map(|field| self.value(field)).collect();
                self.domain.message(fields)
            }
        }
    }

    #[inline(never)]
    fn call(&mut self, expression: &'e Expression) -> D::Value {
        match expression.call() {
            Some(Call::Has(selection)) => {
                let operand = self.value(selection.operand);
                self.domain.has(selection, operand)
            }
            Some(Call::Macro(of)) => self.comprehension(&of),
            Some(Call::Function(function)) => {
                let given = function.arguments.iter();
                let given = given.map(|argument| self.value(argument)).collect();
                self.domain.function(&function, given)
            }
            None => self.domain.unknown(),
        }
    }

    fn comprehension(&mut self, of: &Comprehension<'e>) -> D::Value {
        let target = self.value(of.target);
        let elements = self.domain.elements(of, &target);
        let outer = self.variables.len();
        self.domain.enter();
        for (name, element) in of.variables.iter().zip(elements) {
            self.domain.shadow(&name.text);
            self.variables.push((&name.text, element));
        }
        let bodies = of.bodies.iter().map(|body| self.value(body)).collect();
        self.domain.leave();
        self.variables.truncate(outer);
        self.domain.comprehension(of, target, bodies)
    }
}
