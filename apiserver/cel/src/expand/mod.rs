//! Expands the macros of an expression.

mod loops;

use crate::Text;
use crate::core::{CoreNode, Id, Kind, Tree};
use crate::diagnostic::{Code, Diagnostic};
use crate::macros::macro_called;
use crate::operators::{AND, CONDITIONAL, INDEX, NEGATE, NOT, OPTIONAL_INDEX, OR, function_name};
use crate::syntax::ast::{self, Expression, Literal, Logic, Unary};
use std::ops::Range;

/// Macros may copy their targets, so a chain of them grows exponentially with its length.
const MAX_NODES: usize = 200_000;

/// The accumulator variable of a loop, which expressions cannot name.
const ACCUMULATOR: &str = "@result";

/// Expands all macros.
///
/// # Errors
///
/// If a macro is misused.
pub fn expand(expression: &Expression) -> Result<Tree, Diagnostic> {
    let mut expansion = Expansion { nodes: Vec::new() };
    let root = expansion.expression(expression)?;
    Ok(Tree::new(expansion.nodes, root))
}

struct Expansion {
    nodes: Vec<CoreNode>,
}

type Expanded = Result<Id, Diagnostic>;

/// The origin of generated nodes: their macro.
#[derive(Clone, Copy)]
struct Origin<'e>(&'e Expression);

impl Origin<'_> {
    fn range(self) -> Range<usize> {
        self.0.range.clone()
    }
}

impl Expansion {
    fn push(&mut self, kind: Kind, place: Origin<'_>) -> Expanded {
        if self.nodes.len() >= MAX_NODES {
            let message = "the expression is too large once its macros are expanded";
            return Err(Diagnostic::new(
                Code::Macro,
                place.range(),
                place.0.at,
                message,
            ));
        }
        self.nodes.push(CoreNode {
            kind,
            range: place.range(),
            at: place.0.at,
        });
        Ok(Id(self.nodes.len() - 1))
    }

    fn literal(&mut self, literal: Literal, place: Origin<'_>) -> Expanded {
        self.push(Kind::Literal(literal), place)
    }

    fn name(&mut self, name: &str, place: Origin<'_>) -> Expanded {
        self.push(Kind::Identifier(name.into()), place)
    }

    fn call(&mut self, function: &str, arguments: Vec<Id>, place: Origin<'_>) -> Expanded {
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
        place: Origin<'_>,
    ) -> Expanded {
        let kind = Kind::Call {
            function: function.into(),
            target: Some(target),
            arguments,
        };
        self.push(kind, place)
    }

    fn expression(&mut self, expression: &Expression) -> Expanded {
        let place = Origin(expression);
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
                self.call(function_name(*operator), operands, place)
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
        self.push(kind, Origin(expression))
    }

    /// A chain of one operator, as a balanced tree.
    fn logic(&mut self, operator: Logic, operands: &[Expression], place: Origin<'_>) -> Expanded {
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

    fn balanced(&mut self, function: &str, operands: &[Id], place: Origin<'_>) -> Expanded {
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
        place: Origin<'_>,
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

    fn has(&mut self, arguments: &[Expression], place: Origin<'_>) -> Expanded {
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
            // The server treats the inner macro as the selection that it expanded to.
            Some(ast::Kind::Call {
                target: None,
                function,
                arguments,
            }) if &*function.text == "has" && arguments.len() == 1 => self.has(arguments, place),
            _ => {
                let at = arguments.first().map_or(place.0.at, |argument| argument.at);
                let message = "`has(..)` takes a field selection, such as `has(self.field)`";
                Err(Diagnostic::new(Code::Macro, place.range(), at, message))
            }
        }
    }
}
