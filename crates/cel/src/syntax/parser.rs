//! Parses the words of a CEL expression into a tree: the parser's state, and all operators.

use super::SyntaxError;
use super::ast::{Binary, Expression, Kind, Logic, Unary};
use super::lexer::tokens;
use super::token::{Token, Word};
use std::ops::Range;

/// The maximum number of code points on an API server.
const MAX_SIZE: usize = 100_000;

/// The maximum nesting of brackets, which API servers count similarly.
const MAX_NESTING: usize = 250;

/// The maximum height of a tree. API servers allow 250 operators of one kind in a row; kinds can be mixed, so this is more.
const MAX_HEIGHT: usize = 500;

/// Parses an expression as API servers do, including optional syntax.
///
/// # Errors
///
/// The first place at which the text is not an expression, or exceeds the limits of an API server.
pub fn parse(text: &str) -> Result<Expression, SyntaxError> {
    let size = text.chars().count();
    if size > MAX_SIZE {
        return Err(SyntaxError {
            offset: 0,
            message: format!(
                "the expression has {size} characters, API servers accept at most {MAX_SIZE}"
            ),
        });
    }
    let mut parser = Parser {
        tokens: tokens(text)?,
        next: 0,
        nesting: 0,
    };
    let expression = parser.expression()?;
    match parser.peek() {
        Word::End => Ok(expression),
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

pub(super) struct Parser {
    tokens: Vec<Token>,
    pub(super) next: usize,
    nesting: usize,
}

/// A binary operator.
enum Operator {
    Logic(Logic),
    Binary(Binary),
}

pub(super) type Parsed = Result<Expression, SyntaxError>;

impl Parser {
    pub(super) fn peek(&self) -> &Word {
        self.peek_after(0)
    }

    pub(super) fn peek_after(&self, count: usize) -> &Word {
        self.tokens
            .get(self.next + count)
            .map_or(&Word::End, |token| &token.word)
    }

    /// The span of the next word, or the end of the text.
    pub(super) fn here(&self) -> Range<usize> {
        self.tokens
            .get(self.next)
            .or(self.tokens.last())
            .map_or(0..0, |token| token.range.clone())
    }

    /// The end of the last consumed word.
    pub(super) fn end(&self) -> usize {
        self.next
            .checked_sub(1)
            .and_then(|last| self.tokens.get(last))
            .map_or(0, |token| token.range.end)
    }

    pub(super) fn is(&self, symbol: &str) -> bool {
        matches!(self.peek(), Word::Symbol(found) if *found == symbol)
    }

    /// Consumes a symbol if it comes next, and returns its offset.
    pub(super) fn take(&mut self, symbol: &str) -> Option<usize> {
        if !self.is(symbol) {
            return None;
        }
        let at = self.here().start;
        self.next += 1;
        Some(at)
    }

    pub(super) fn need(&mut self, symbol: &str) -> Result<usize, SyntaxError> {
        self.take(symbol)
            .ok_or_else(|| self.unexpected(&format!("`{symbol}`")))
    }

    pub(super) fn unexpected(&self, wanted: &str) -> SyntaxError {
        let found = match self.peek() {
            Word::End => "the end".to_owned(),
            Word::Symbol(symbol) => format!("`{symbol}`"),
            Word::Identifier(name) => format!("`{name}`"),
            Word::Int(_) | Word::Uint(_) | Word::Double(_) => "a number".to_owned(),
            Word::String(_) => "a string".to_owned(),
            Word::Bytes(_) => "bytes".to_owned(),
        };
        SyntaxError {
            offset: self.here().start,
            message: format!("expected {wanted}, found {found}"),
        }
    }

    /// Makes a node that spans from `start` to the last consumed word.
    pub(super) fn node(&self, kind: Kind, start: usize, at: usize) -> Parsed {
        let below = kind.children().into_iter().map(|child| child.height).max();
        self.node_of_height(below.unwrap_or(0) + 1, kind, start, at)
    }

    fn node_of_height(&self, height: usize, kind: Kind, start: usize, at: usize) -> Parsed {
        if height > MAX_HEIGHT {
            return Err(SyntaxError {
                offset: at,
                message: format!("the expression is nested deeper than {MAX_HEIGHT}"),
            });
        }
        Ok(Expression {
            kind,
            range: start..self.end(),
            at,
            height,
        })
    }

    /// `a ? b : c`; the middle is not itself a conditional.
    pub(super) fn expression(&mut self) -> Parsed {
        if self.nesting >= MAX_NESTING {
            return Err(SyntaxError {
                offset: self.here().start,
                message: format!("the expression is nested deeper than {MAX_NESTING}"),
            });
        }
        self.nesting += 1;
        let start = self.here().start;
        let condition = self.operators(0)?;
        let result = match self.take("?") {
            None => Ok(condition),
            Some(at) => {
                let then = self.operators(0)?;
                self.need(":")?;
                let otherwise = self.expression()?;
                let kind = Kind::Conditional {
                    condition: Box::new(condition),
                    then: Box::new(then),
                    otherwise: Box::new(otherwise),
                };
                self.node(kind, start, at)
            }
        };
        self.nesting -= 1;
        result
    }

    /// Binary operators that bind at least as tightly as `lowest`, left-associative.
    fn operators(&mut self, lowest: u8) -> Parsed {
        let start = self.here().start;
        let mut left = self.unary()?;
        // The operator of the chain in `left`, unless it is in parentheses.
        let mut chain = None;
        while let Some((operator, level)) = self.operator().filter(|(_, level)| *level >= lowest) {
            let at = self.here().start;
            self.next += 1;
            let right = self.operators(level + 1)?;
            left = match operator {
                Operator::Logic(operator) => {
                    let continued = chain.replace(operator) == Some(operator);
                    self.chained(operator, left, right, start, at, continued)?
                }
                Operator::Binary(operator) => {
                    chain = None;
                    let kind = Kind::Binary {
                        operator,
                        left: Box::new(left),
                        right: Box::new(right),
                    };
                    self.node(kind, start, at)?
                }
            };
        }
        Ok(left)
    }

    /// Joins an operand to the expression on its left. An existing chain grows in place, so that a long one takes linear time.
    fn chained(
        &self,
        operator: Logic,
        left: Expression,
        right: Expression,
        start: usize,
        at: usize,
        continued: bool,
    ) -> Parsed {
        match left.kind {
            Kind::Logic {
                mut operands,
                mut operators,
                ..
            } if continued => {
                let height = left.height.max(right.height + 1);
                operands.push(right);
                operators.push(at);
                let kind = Kind::Logic {
                    operator,
                    operands,
                    operators,
                };
                self.node_of_height(height, kind, start, left.at)
            }
            kind => {
                let left = Expression { kind, ..left };
                let kind = Kind::Logic {
                    operator,
                    operands: vec![left, right],
                    operators: vec![at],
                };
                self.node(kind, start, at)
            }
        }
    }

    /// The next operator, and its precedence.
    fn operator(&self) -> Option<(Operator, u8)> {
        let Word::Symbol(symbol) = self.peek() else {
            return None;
        };
        let binary = |operator, level| Some((Operator::Binary(operator), level));
        match *symbol {
            "||" => Some((Operator::Logic(Logic::Or), 0)),
            "&&" => Some((Operator::Logic(Logic::And), 1)),
            "==" => binary(Binary::Equal, 2),
            "!=" => binary(Binary::NotEqual, 2),
            "<" => binary(Binary::Less, 2),
            "<=" => binary(Binary::LessEqual, 2),
            ">" => binary(Binary::Greater, 2),
            ">=" => binary(Binary::GreaterEqual, 2),
            "in" => binary(Binary::In, 2),
            "+" => binary(Binary::Add, 3),
            "-" => binary(Binary::Subtract, 3),
            "*" => binary(Binary::Multiply, 4),
            "/" => binary(Binary::Divide, 4),
            "%" => binary(Binary::Modulo, 4),
            _ => None,
        }
    }

    fn unary(&mut self) -> Parsed {
        let at = self.here().start;
        let (symbol, operator) = if self.is("!") {
            ("!", Unary::Not)
        } else if self.is("-") && !self.is_negative_number() {
            ("-", Unary::Negate)
        } else {
            return self.member();
        };
        let mut count = 0_usize;
        while self.is(symbol) {
            self.next += 1;
            count += 1;
        }
        let operand = Box::new(self.member()?);
        if count.is_multiple_of(2) {
            return Ok(*operand);
        }
        self.node(Kind::Unary { operator, operand }, at, at)
    }

    pub(super) fn is_negative_number(&self) -> bool {
        self.is("-") && matches!(self.peek_after(1), Word::Int(_) | Word::Double(_))
    }
}
