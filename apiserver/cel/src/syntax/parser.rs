//! Parses the words of a CEL expression into a tree: the parser's state, and all operators.

use super::SyntaxError;
use super::ast::{Binary, Expression, Kind, Logic, Unary};
use super::lexer::tokens;
use super::token::{Token, Word};
use std::ops::Range;

/// The maximum number of code points on an API server.
const MAX_SIZE: usize = 100_000;

/// The maximum depth of an expression on an API server: of each rule of its grammar, and of the nodes that it counts.
const MAX_DEPTH: usize = 250;

/// The maximum height of a tree here, which bounds recursion over it. Servers do not count all nodes.
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
        relations: 0,
        calculations: 0,
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
    /// The depth of two rules of the servers' grammar; no other rule is deeper. The right side of an operator is inside of the
    /// rule, the left side is not.
    relations: usize,
    calculations: usize,
}

/// A binary operator.
enum Operator {
    Logic(Logic),
    Binary(Binary),
}

/// The precedence of comparisons; that of calculations is higher.
const RELATION: u8 = 2;

fn too_deep(offset: usize, most: usize) -> SyntaxError {
    SyntaxError {
        offset,
        message: format!("the expression is nested deeper than {most}"),
    }
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
            Word::Identifier(name) | Word::Quoted(name) => format!("`{name}`"),
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
        let (mut height, mut depth) = (0, 0);
        for child in kind.children() {
            height = height.max(child.height);
            depth = depth.max(child.depth);
        }
        let depth = depth + usize::from(kind.is_counted());
        self.node_of_height(height + 1, depth, kind, start, at)
    }

    fn node_of_height(
        &self,
        height: usize,
        depth: usize,
        kind: Kind,
        start: usize,
        at: usize,
    ) -> Parsed {
        if depth > MAX_DEPTH {
            return Err(too_deep(at, MAX_DEPTH));
        }
        if height > MAX_HEIGHT {
            return Err(too_deep(at, MAX_HEIGHT));
        }
        Ok(Expression {
            kind,
            range: start..self.end(),
            at,
            height,
            depth,
        })
    }

    /// Parses what is inside of rules of the grammar.
    fn inside(
        &mut self,
        relations: usize,
        calculations: usize,
        parse: impl FnOnce(&mut Self) -> Parsed,
    ) -> Parsed {
        let outside = (self.relations, self.calculations);
        self.relations += relations;
        self.calculations += calculations;
        if self.relations.max(self.calculations) > MAX_DEPTH {
            return Err(too_deep(self.here().start, MAX_DEPTH));
        }
        let parsed = parse(self);
        (self.relations, self.calculations) = outside;
        parsed
    }

    /// `a ? b : c`; the middle is not itself a conditional.
    pub(super) fn expression(&mut self) -> Parsed {
        self.inside(1, 1, Self::conditional)
    }

    fn conditional(&mut self) -> Parsed {
        let start = self.here().start;
        let condition = self.operators(0)?;
        match self.take("?") {
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
        }
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
            let (relations, calculations) = match level {
                ..RELATION => (0, 0),
                RELATION => (1, 0),
                _ => (0, 1),
            };
            let right = self.inside(relations, calculations, |parser| {
                parser.operators(level + 1)
            })?;
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
                let depth = left.depth.max(right.depth);
                operands.push(right);
                operators.push(at);
                let kind = Kind::Logic {
                    operator,
                    operands,
                    operators,
                };
                self.node_of_height(height, depth, kind, start, left.at)
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
            "==" => binary(Binary::Equal, RELATION),
            "!=" => binary(Binary::NotEqual, RELATION),
            "<" => binary(Binary::Less, RELATION),
            "<=" => binary(Binary::LessEqual, RELATION),
            ">" => binary(Binary::Greater, RELATION),
            ">=" => binary(Binary::GreaterEqual, RELATION),
            "in" => binary(Binary::In, RELATION),
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
