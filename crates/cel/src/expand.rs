//! From an expression as it is written to one without macros.

use crate::Text;
use crate::core::{Fold, Id, Kind, Node, Tree};
use crate::diagnostic::{Code, Diagnostic};
use crate::macros::{Macro, Row, macro_called};
use crate::operators::{
    ADD, AND, CONDITIONAL, DIVIDE, EQUAL, GREATER, GREATER_EQUAL, IN, INDEX, INSERT, LESS,
    LESS_EQUAL, MODULO, MULTIPLY, NEGATE, NOT, NOT_EQUAL, NOT_FALSE, OPTIONAL_INDEX, OR, SORT_BY,
    SUBTRACT,
};
use crate::syntax::ast::{self, Binary, Expression, Literal, Logic, Unary};
use crate::syntax::qualified;
use std::ops::Range;

/// Macros may copy what they are called on, so that a chain of them grows as a power of its length.
const MAX_NODES: usize = 200_000;

/// The variable of what a loop found so far. No expression can name it.
pub(crate) const ACCUMULATOR: &str = "@result";
const SORTED: &str = "@__sortBy_input__";
const UNUSED: &str = "#unused";

/// Expands all macros.
///
/// # Errors
///
/// Where a macro is not used as it has to be.
pub fn expand(expression: &Expression) -> Result<Tree, Diagnostic> {
    let mut expansion = Expansion { nodes: Vec::new() };
    let root = expansion.expression(expression)?;
    Ok(Tree::new(expansion.nodes, root))
}

struct Expansion {
    nodes: Vec<Node>,
}

type Expanded = Result<Id, Diagnostic>;

/// Where made-up nodes stand: the macro that they come from.
#[derive(Clone, Copy)]
struct Place<'e>(&'e Expression);

impl Place<'_> {
    fn range(self) -> Range<usize> {
        self.0.range.clone()
    }
}

impl Expansion {
    fn push(&mut self, kind: Kind, place: Place<'_>) -> Expanded {
        if self.nodes.len() >= MAX_NODES {
            let message = "the expression is too large once its macros are expanded";
            return Err(Diagnostic::new(
                Code::Macro,
                place.range(),
                place.0.at,
                message,
            ));
        }
        self.nodes.push(Node {
            kind,
            range: place.range(),
            at: place.0.at,
        });
        Ok(Id(self.nodes.len() - 1))
    }

    fn literal(&mut self, literal: Literal, place: Place<'_>) -> Expanded {
        self.push(Kind::Literal(literal), place)
    }

    fn name(&mut self, name: &str, place: Place<'_>) -> Expanded {
        self.push(Kind::Identifier(name.into()), place)
    }

    fn call(&mut self, function: &str, arguments: Vec<Id>, place: Place<'_>) -> Expanded {
        let function = function.into();
        let kind = Kind::Call {
            function,
            target: None,
            arguments,
        };
        self.push(kind, place)
    }

    fn member(
        &mut self,
        function: &str,
        target: Id,
        arguments: Vec<Id>,
        place: Place<'_>,
    ) -> Expanded {
        let kind = Kind::Call {
            function: function.into(),
            target: Some(target),
            arguments,
        };
        self.push(kind, place)
    }

    fn expression(&mut self, expression: &Expression) -> Expanded {
        let place = Place(expression);
        match &expression.kind {
            ast::Kind::Literal(literal) => self.literal(literal.clone(), place),
            ast::Kind::Identifier { name, rooted } => {
                let dot = if *rooted { "." } else { "" };
                let name = format!("{dot}{}", name.text);
                self.name(&name, place)
            }
            ast::Kind::Select {
                operand,
                field,
                optional,
            } => {
                let operand = self.expression(operand)?;
                let field = field.text.clone();
                let kind = if *optional {
                    Kind::OptionalSelect { operand, field }
                } else {
                    Kind::Select {
                        operand,
                        field,
                        is_test: false,
                    }
                };
                self.push(kind, place)
            }
            ast::Kind::Index {
                operand,
                index,
                optional,
            } => {
                let operands = vec![self.expression(operand)?, self.expression(index)?];
                let function = if *optional { OPTIONAL_INDEX } else { INDEX };
                self.call(function, operands, place)
            }
            ast::Kind::Call {
                target,
                function,
                arguments,
            } => self.call_or_macro(target.as_deref(), &function.text, arguments, place),
            ast::Kind::Unary { operator, operand } => {
                let operand = vec![self.expression(operand)?];
                let function = match operator {
                    Unary::Not => NOT,
                    Unary::Negate => NEGATE,
                };
                self.call(function, operand, place)
            }
            ast::Kind::Binary {
                operator,
                left,
                right,
            } => {
                let operands = vec![self.expression(left)?, self.expression(right)?];
                self.call(binary(*operator), operands, place)
            }
            ast::Kind::Logic {
                operator, operands, ..
            } => self.logic(*operator, operands, place),
            ast::Kind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                let operands = vec![
                    self.expression(condition)?,
                    self.expression(then)?,
                    self.expression(otherwise)?,
                ];
                self.call(CONDITIONAL, operands, place)
            }
            ast::Kind::List(_) | ast::Kind::Map(_) | ast::Kind::Message { .. } => {
                self.aggregate(expression)
            }
        }
    }

    /// Lists, maps and messages.
    #[inline(never)]
    fn aggregate(&mut self, expression: &Expression) -> Expanded {
        let kind = match &expression.kind {
            ast::Kind::List(elements) => {
                let mut found = Vec::with_capacity(elements.len());
                for element in elements {
                    found.push((self.expression(&element.value)?, element.optional));
                }
                Kind::List(found)
            }
            ast::Kind::Map(entries) => {
                let mut found = Vec::with_capacity(entries.len());
                for entry in entries {
                    let key = self.expression(&entry.key)?;
                    found.push((key, self.expression(&entry.value)?, entry.optional));
                }
                Kind::Map(found)
            }
            ast::Kind::Message { name, fields } => {
                let mut found = Vec::with_capacity(fields.len());
                for field in fields {
                    let value = self.expression(&field.value)?;
                    found.push((field.name.text.clone(), field.at, value, field.optional));
                }
                Kind::Message {
                    name: name.text.clone(),
                    fields: found,
                }
            }
            _ => Kind::List(Vec::new()),
        };
        self.push(kind, Place(expression))
    }

    /// A chain of one operator, as a tree that is as low as it can be.
    fn logic(&mut self, operator: Logic, operands: &[Expression], place: Place<'_>) -> Expanded {
        let function = match operator {
            Logic::And => AND,
            Logic::Or => OR,
        };
        let operands: Result<Vec<Id>, _> = operands
            .iter()
            .map(|operand| self.expression(operand))
            .collect();
        self.balanced(function, &operands?, place)
    }

    fn balanced(&mut self, function: &str, operands: &[Id], place: Place<'_>) -> Expanded {
        match operands {
            [one] => Ok(*one),
            _ => {
                let (left, right) = operands.split_at(operands.len().div_ceil(2));
                let both = vec![
                    self.balanced(function, left, place)?,
                    self.balanced(function, right, place)?,
                ];
                self.call(function, both, place)
            }
        }
    }

    fn call_or_macro(
        &mut self,
        target: Option<&Expression>,
        function: &Text,
        arguments: &[Expression],
        place: Place<'_>,
    ) -> Expanded {
        if let Some(row) = macro_called(function, target.is_some(), arguments.len()) {
            return match target {
                Some(target) => self.of_target(row, target, arguments, place),
                None => self.has(arguments, place),
            };
        }
        let target = target.map(|target| self.expression(target)).transpose()?;
        let arguments: Result<_, _> = arguments
            .iter()
            .map(|argument| self.expression(argument))
            .collect();
        let kind = Kind::Call {
            function: function.clone(),
            target,
            arguments: arguments?,
        };
        self.push(kind, place)
    }

    fn has(&mut self, arguments: &[Expression], place: Place<'_>) -> Expanded {
        let selected = arguments.first().map(|argument| &argument.kind);
        match selected {
            Some(ast::Kind::Select {
                operand,
                field,
                optional: false,
            }) => {
                let kind = Kind::Select {
                    operand: self.expression(operand)?,
                    field: field.text.clone(),
                    is_test: true,
                };
                self.push(kind, place)
            }
            // The server takes the inner macro for the selection that it was made to.
            Some(ast::Kind::Call {
                target: None,
                function,
                arguments,
            }) if &*function.text == "has" && arguments.len() == 1 => self.has(arguments, place),
            _ => {
                let at = arguments.first().map_or(place.0.at, |argument| argument.at);
                let message = "`has(..)` takes the selection of a field, such as `has(self.field)`";
                Err(Diagnostic::new(Code::Macro, place.range(), at, message))
            }
        }
    }

    fn of_target(
        &mut self,
        row: &Row,
        target: &Expression,
        arguments: &[Expression],
        place: Place<'_>,
    ) -> Expanded {
        let (variables, bodies) = arguments
            .split_at_checked(row.variables)
            .unwrap_or_default();
        let names = names(row, variables)?;
        let Some(first) = names.first().cloned() else {
            return self.expression(target);
        };
        let second = names.get(1).cloned();
        match row.expands_to {
            Macro::OptMap | Macro::OptFlatMap => {
                let flat = row.expands_to == Macro::OptFlatMap;
                self.of_optional(target, first, bodies, flat, place)
            }
            Macro::SortBy => self.sorted(target, &first, bodies, place),
            _ => {
                let range = self.expression(target)?;
                let element = variables
                    .first()
                    .filter(|_| row.expands_to == Macro::Filter);
                let variables = (first, second);
                self.fold(row.expands_to, range, variables, element, bodies, place)
            }
        }
    }

    /// The loops over elements.
    fn fold(
        &mut self,
        kind: Macro,
        range: Id,
        (variable, second): (Text, Option<Text>),
        element: Option<&Expression>,
        bodies: &[Expression],
        place: Place<'_>,
    ) -> Expanded {
        let mut made = Vec::with_capacity(2);
        for body in bodies {
            made.push(self.expression(body)?);
        }
        if let Some(element) = element {
            made.push(self.expression(element)?);
        }
        let body = match made.as_slice() {
            [.., body] => *body,
            [] => range,
        };
        let condition_of_body = match made.as_slice() {
            [condition, _] => Some(*condition),
            _ => None,
        };
        let start = match kind {
            Macro::All => self.literal(Literal::Bool(true), place)?,
            Macro::Exists => self.literal(Literal::Bool(false), place)?,
            Macro::ExistsOne => self.literal(Literal::Int(0), place)?,
            Macro::TransformMap | Macro::TransformMapEntry => {
                self.push(Kind::Map(Vec::new()), place)?
            }
            _ => self.push(Kind::List(Vec::new()), place)?,
        };
        let condition = self.condition(kind, place)?;
        let step = match kind {
            Macro::All => self.joined(AND, body, place)?,
            Macro::Exists => self.joined(OR, body, place)?,
            Macro::ExistsOne => {
                let one = self.literal(Literal::Int(1), place)?;
                let more = self.joined(ADD, one, place)?;
                self.if_so(body, more, place)?
            }
            _ => {
                let more = self.grown(kind, &variable, body, place)?;
                match condition_of_body {
                    Some(condition) => self.if_so(condition, more, place)?,
                    None => more,
                }
            }
        };
        let found = self.name(ACCUMULATOR, place)?;
        let result = if kind == Macro::ExistsOne {
            let one = self.literal(Literal::Int(1), place)?;
            self.call(EQUAL, vec![found, one], place)?
        } else {
            found
        };
        let fold = Fold {
            range,
            variable,
            second,
            accumulator: ACCUMULATOR.into(),
            start,
            condition,
            step,
            result,
        };
        self.push(Kind::Fold(Box::new(fold)), place)
    }

    /// Whether a loop goes on.
    fn condition(&mut self, kind: Macro, place: Place<'_>) -> Expanded {
        match kind {
            Macro::All => {
                let found = self.name(ACCUMULATOR, place)?;
                self.call(NOT_FALSE, vec![found], place)
            }
            Macro::Exists => {
                let found = self.name(ACCUMULATOR, place)?;
                let not = self.call(NOT, vec![found], place)?;
                self.call(NOT_FALSE, vec![not], place)
            }
            _ => self.literal(Literal::Bool(true), place),
        }
    }

    /// The result so far, joined with something.
    fn joined(&mut self, operator: &str, with: Id, place: Place<'_>) -> Expanded {
        let found = self.name(ACCUMULATOR, place)?;
        self.call(operator, vec![found, with], place)
    }

    /// The changed result if something holds, else the result so far.
    fn if_so(&mut self, condition: Id, changed: Id, place: Place<'_>) -> Expanded {
        let same = self.name(ACCUMULATOR, place)?;
        self.call(CONDITIONAL, vec![condition, changed, same], place)
    }

    /// The list or map so far with one more element.
    fn grown(&mut self, kind: Macro, key: &str, value: Id, place: Place<'_>) -> Expanded {
        match kind {
            Macro::TransformMap => {
                let found = self.name(ACCUMULATOR, place)?;
                let key = self.name(key, place)?;
                self.call(INSERT, vec![found, key, value], place)
            }
            Macro::TransformMapEntry => self.joined(INSERT, value, place),
            _ => {
                let one = self.push(Kind::List(vec![(value, false)]), place)?;
                self.joined(ADD, one, place)
            }
        }
    }

    /// `target.hasValue() ? optional.of(body) : optional.none()`, with the value in a variable.
    fn of_optional(
        &mut self,
        target: &Expression,
        variable: Text,
        bodies: &[Expression],
        flat: bool,
        place: Place<'_>,
    ) -> Expanded {
        let asked = self.expression(target)?;
        let has_value = self.member("hasValue", asked, Vec::new(), place)?;
        let copy = self.expression(target)?;
        let value = self.member("value", copy, Vec::new(), place)?;
        let body = match bodies.first() {
            Some(body) => self.expression(body)?,
            None => value,
        };
        let bound = self.bound(variable, value, body, place)?;
        let some = if flat {
            bound
        } else {
            self.call("optional.of", vec![bound], place)?
        };
        let none = self.call("optional.none", Vec::new(), place)?;
        self.call(CONDITIONAL, vec![has_value, some, none], place)
    }

    /// The list is put in a variable, and sorted by what the body makes of it.
    fn sorted(
        &mut self,
        target: &Expression,
        variable: &Text,
        bodies: &[Expression],
        place: Place<'_>,
    ) -> Expanded {
        if matches!(
            target.kind,
            ast::Kind::Literal(_) | ast::Kind::Map(_) | ast::Kind::Message { .. }
        ) {
            let message = "`sortBy(..)` is called on something that is no list";
            return Err(Diagnostic::new(
                Code::Macro,
                place.range(),
                target.at,
                message,
            ));
        }
        let list = self.expression(target)?;
        let range = self.name(SORTED, place)?;
        let variables = (variable.clone(), None);
        let keys = self.fold(Macro::Map, range, variables, None, bodies, place)?;
        let again = self.name(SORTED, place)?;
        let sorted = self.member(SORT_BY, again, vec![keys], place)?;
        self.bound(SORTED.into(), list, sorted, place)
    }

    /// A loop that does not loop: it only names a value.
    fn bound(&mut self, variable: Text, value: Id, body: Id, place: Place<'_>) -> Expanded {
        let range = self.push(Kind::List(Vec::new()), place)?;
        let condition = self.literal(Literal::Bool(false), place)?;
        let step = self.name(&variable, place)?;
        let fold = Fold {
            range,
            variable: UNUSED.into(),
            second: None,
            accumulator: variable,
            start: value,
            condition,
            step,
            result: body,
        };
        self.push(Kind::Fold(Box::new(fold)), place)
    }
}

/// The names of a macro's variables.
fn names(row: &Row, variables: &[Expression]) -> Result<Vec<Text>, Diagnostic> {
    let mut found: Vec<Text> = Vec::with_capacity(2);
    for variable in variables {
        let refuse = |message: String| {
            Diagnostic::new(Code::Macro, variable.range.clone(), variable.at, message)
        };
        let plain = matches!(variable.kind, ast::Kind::Identifier { .. });
        let Some(name) = qualified(variable).filter(|_| plain) else {
            let message = format!("`{}(..)` takes a plain name for its variable", row.name);
            return Err(refuse(message));
        };
        if name == "__result__" {
            let message = "`__result__` cannot be a variable, macros use it".to_owned();
            return Err(refuse(message));
        }
        if found.iter().any(|known| **known == *name) {
            return Err(refuse(format!("both variables are called `{name}`")));
        }
        found.push(name.into());
    }
    Ok(found)
}

fn binary(operator: Binary) -> &'static str {
    match operator {
        Binary::Equal => EQUAL,
        Binary::NotEqual => NOT_EQUAL,
        Binary::Less => LESS,
        Binary::LessEqual => LESS_EQUAL,
        Binary::Greater => GREATER,
        Binary::GreaterEqual => GREATER_EQUAL,
        Binary::In => IN,
        Binary::Add => ADD,
        Binary::Subtract => SUBTRACT,
        Binary::Multiply => MULTIPLY,
        Binary::Divide => DIVIDE,
        Binary::Modulo => MODULO,
    }
}
