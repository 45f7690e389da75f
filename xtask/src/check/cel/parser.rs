//! From the words of a CEL expression to its tree.

use super::SyntaxError;
use super::ast::{Binary, Element, Entry, Expression, Field, Kind, Literal, Logic, Name, Unary};
use super::lexer::{Token, Word, tokens};
use std::ops::Range;

/// How many code points an API server reads.
const MAX_SIZE: usize = 100_000;

/// How deep brackets may be nested. API servers count in a like way up to the same number.
const MAX_NESTING: usize = 250;

/// How high a tree may be. API servers stop at 250 operators of one kind in a row; kinds can be mixed, so this is more.
const MAX_HEIGHT: usize = 500;

/// Names that are kept for later versions of the language. They may name fields, not variables or functions.
const RESERVED: [&str; 17] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

/// Parses an expression as API servers do, optional syntax included.
///
/// # Errors
///
/// The first place where the text is no expression, or is larger or deeper than an API server takes.
pub fn parse(text: &str) -> Result<Expression, SyntaxError> {
    let size = text.chars().count();
    if size > MAX_SIZE {
        return Err(SyntaxError {
            offset: 0,
            message: format!("the expression has {size} characters, API servers take {MAX_SIZE}"),
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

struct Parser {
    tokens: Vec<Token>,
    next: usize,
    nesting: usize,
}

type Parsed = Result<Expression, SyntaxError>;

impl Parser {
    fn peek(&self) -> &Word {
        self.peek_after(0)
    }

    fn peek_after(&self, count: usize) -> &Word {
        self.tokens
            .get(self.next + count)
            .map_or(&Word::End, |token| &token.word)
    }

    /// Where the next word stands; behind the text it is the end.
    fn here(&self) -> Range<usize> {
        self.tokens
            .get(self.next)
            .or(self.tokens.last())
            .map_or(0..0, |token| token.range.clone())
    }

    /// Where the last word that was taken ends.
    fn end(&self) -> usize {
        self.next
            .checked_sub(1)
            .and_then(|last| self.tokens.get(last))
            .map_or(0, |token| token.range.end)
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self.peek(), Word::Symbol(found) if *found == symbol)
    }

    /// Takes a symbol if it comes next, and says where it stands.
    fn take(&mut self, symbol: &str) -> Option<usize> {
        if !self.is(symbol) {
            return None;
        }
        let at = self.here().start;
        self.next += 1;
        Some(at)
    }

    fn need(&mut self, symbol: &str) -> Result<usize, SyntaxError> {
        self.take(symbol)
            .ok_or_else(|| self.unexpected(&format!("`{symbol}`")))
    }

    fn unexpected(&self, wanted: &str) -> SyntaxError {
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
            message: format!("{found} stands where {wanted} is expected"),
        }
    }

    /// Makes a node of everything from `start` to the last word that was taken.
    fn node(&self, kind: Kind, start: usize, at: usize) -> Parsed {
        let below = kind.children().into_iter().map(|child| child.height).max();
        let height = below.unwrap_or(0) + 1;
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

    /// `a ? b : c`; the middle is no conditional itself.
    fn expression(&mut self) -> Parsed {
        if self.nesting >= MAX_NESTING {
            return Err(SyntaxError {
                offset: self.here().start,
                message: format!("the expression is nested deeper than {MAX_NESTING}"),
            });
        }
        self.nesting += 1;
        let start = self.here().start;
        let condition = self.logic(Logic::Or)?;
        let result = match self.take("?") {
            None => Ok(condition),
            Some(at) => {
                let then = self.logic(Logic::Or)?;
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

    fn logic(&mut self, operator: Logic) -> Parsed {
        let start = self.here().start;
        let (symbol, below): (_, fn(&mut Self) -> Parsed) = match operator {
            Logic::Or => ("||", |parser| parser.logic(Logic::And)),
            Logic::And => ("&&", |parser| parser.binary(0)),
        };
        let first = below(self)?;
        let Some(at) = self.take(symbol) else {
            return Ok(first);
        };
        let mut operators = vec![at];
        let mut operands = vec![first, below(self)?];
        while let Some(at) = self.take(symbol) {
            operators.push(at);
            operands.push(below(self)?);
        }
        let kind = Kind::Logic {
            operator,
            operands,
            operators,
        };
        self.node(kind, start, at)
    }

    /// Comparisons (level 0), sums (1) and products (2), each from left to right.
    fn binary(&mut self, level: u8) -> Parsed {
        if level > 2 {
            return self.unary();
        }
        let start = self.here().start;
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = self.operator(level) {
            let at = self.here().start;
            self.next += 1;
            let right = self.binary(level + 1)?;
            let kind = Kind::Binary {
                operator,
                left: Box::new(left),
                right: Box::new(right),
            };
            left = self.node(kind, start, at)?;
        }
        Ok(left)
    }

    fn operator(&self, level: u8) -> Option<Binary> {
        let Word::Symbol(symbol) = self.peek() else {
            return None;
        };
        let (found, at) = match *symbol {
            "==" => (Binary::Equal, 0),
            "!=" => (Binary::NotEqual, 0),
            "<" => (Binary::Less, 0),
            "<=" => (Binary::LessEqual, 0),
            ">" => (Binary::Greater, 0),
            ">=" => (Binary::GreaterEqual, 0),
            "in" => (Binary::In, 0),
            "+" => (Binary::Add, 1),
            "-" => (Binary::Subtract, 1),
            "*" => (Binary::Multiply, 2),
            "/" => (Binary::Divide, 2),
            "%" => (Binary::Modulo, 2),
            _ => return None,
        };
        (at == level).then_some(found)
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
        while self.is(symbol) && !self.is_negative_number() {
            self.next += 1;
            count += 1;
        }
        let operand = Box::new(self.member()?);
        if count.is_multiple_of(2) {
            return Ok(*operand);
        }
        self.node(Kind::Unary { operator, operand }, at, at)
    }

    fn is_negative_number(&self) -> bool {
        self.is("-") && matches!(self.peek_after(1), Word::Int(_) | Word::Double(_))
    }

    fn member(&mut self) -> Parsed {
        let start = self.here().start;
        let mut operand = self.primary()?;
        loop {
            operand = if let Some(at) = self.take(".") {
                let optional = self.take("?").is_some();
                let name = self.name("the name of a field or function")?;
                if !optional && self.is("(") {
                    let at = self.here().start;
                    let arguments = self.arguments()?;
                    let kind = Kind::Call {
                        target: Some(Box::new(operand)),
                        function: name,
                        arguments,
                    };
                    self.node(kind, start, at)?
                } else {
                    let kind = Kind::Select {
                        operand: Box::new(operand),
                        field: name,
                        optional,
                    };
                    self.node(kind, start, at)?
                }
            } else if let Some(at) = self.take("[") {
                let optional = self.take("?").is_some();
                let index = Box::new(self.expression()?);
                self.need("]")?;
                let kind = Kind::Index {
                    operand: Box::new(operand),
                    index,
                    optional,
                };
                self.node(kind, start, at)?
            } else if self.is("{") {
                let Some(name) = qualified(&operand) else {
                    return Ok(operand);
                };
                self.message(start, name)?
            } else {
                return Ok(operand);
            };
        }
    }

    fn primary(&mut self) -> Parsed {
        let start = self.here().start;
        match self.peek() {
            Word::Symbol("(") => {
                self.next += 1;
                let inner = self.expression()?;
                self.need(")")?;
                Ok(inner)
            }
            Word::Symbol("[") => self.list(),
            Word::Symbol("{") => self.map(),
            Word::Symbol(".") => {
                self.next += 1;
                self.identifier(start, true)
            }
            Word::Identifier(_) => self.identifier(start, false),
            _ => self.literal(),
        }
    }

    fn identifier(&mut self, start: usize, rooted: bool) -> Parsed {
        let name = self.name("a name")?;
        if RESERVED.contains(&&*name.text) {
            return Err(SyntaxError {
                offset: name.range.start,
                message: format!("`{}` is reserved and cannot be a variable", name.text),
            });
        }
        if self.is("(") {
            let at = self.here().start;
            let arguments = self.arguments()?;
            let kind = Kind::Call {
                target: None,
                function: name,
                arguments,
            };
            return self.node(kind, start, at);
        }
        self.node(Kind::Identifier { name, rooted }, start, start)
    }

    fn name(&mut self, wanted: &str) -> Result<Name, SyntaxError> {
        let Word::Identifier(text) = self.peek() else {
            return Err(self.unexpected(wanted));
        };
        let name = Name {
            text: text.clone(),
            range: self.here(),
        };
        self.next += 1;
        Ok(name)
    }

    fn arguments(&mut self) -> Result<Vec<Expression>, SyntaxError> {
        self.need("(")?;
        let mut found = Vec::new();
        if self.take(")").is_some() {
            return Ok(found);
        }
        loop {
            found.push(self.expression()?);
            if self.take(",").is_none() {
                self.need(")")?;
                return Ok(found);
            }
        }
    }

    /// What stands between an opening bracket, which comes next, and its closing one; a last comma is allowed.
    fn separated<T>(
        &mut self,
        open: &str,
        close: &str,
        one: impl Fn(&mut Self) -> Result<T, SyntaxError>,
    ) -> Result<Vec<T>, SyntaxError> {
        self.need(open)?;
        let mut found = Vec::new();
        while !self.is(close) && !(self.is(",") && found.is_empty()) {
            found.push(one(self)?);
            if !self.is(",") || matches!(self.peek_after(1), Word::Symbol(next) if *next == close) {
                break;
            }
            self.next += 1;
        }
        self.take(",");
        self.need(close)?;
        Ok(found)
    }

    fn list(&mut self) -> Parsed {
        let start = self.here().start;
        let elements = self.separated("[", "]", |parser| {
            Ok(Element {
                optional: parser.take("?").is_some(),
                value: parser.expression()?,
            })
        })?;
        self.node(Kind::List(elements), start, start)
    }

    fn map(&mut self) -> Parsed {
        let start = self.here().start;
        let entries = self.separated("{", "}", |parser| {
            Ok(Entry {
                optional: parser.take("?").is_some(),
                key: parser.expression()?,
                at: parser.need(":")?,
                value: parser.expression()?,
            })
        })?;
        self.node(Kind::Map(entries), start, start)
    }

    fn message(&mut self, start: usize, text: String) -> Parsed {
        let name = Name {
            text: text.into(),
            range: start..self.end(),
        };
        let at = self.here().start;
        let fields = self.separated("{", "}", |parser| {
            Ok(Field {
                optional: parser.take("?").is_some(),
                name: parser.name("the name of a field")?,
                at: parser.need(":")?,
                value: parser.expression()?,
            })
        })?;
        self.node(Kind::Message { name, fields }, start, at)
    }

    fn literal(&mut self) -> Parsed {
        let start = self.here().start;
        let negative = self.is_negative_number();
        if negative {
            self.next += 1;
        }
        let sign = if negative { "-" } else { "" };
        let unfit = |number: &str| SyntaxError {
            offset: start,
            message: format!("`{sign}{number}` does not fit its type"),
        };
        let literal = match self.peek() {
            Word::Int(number) => integer(sign, number)
                .map(Literal::Int)
                .ok_or_else(|| unfit(number))?,
            Word::Uint(number) => unsigned(number)
                .map(Literal::Uint)
                .ok_or_else(|| unfit(number))?,
            Word::Double(number) => format!("{sign}{number}")
                .parse()
                .ok()
                .filter(|value: &f64| value.is_finite())
                .map(Literal::Double)
                .ok_or_else(|| unfit(number))?,
            Word::String(text) => Literal::String(text.clone()),
            Word::Bytes(bytes) => Literal::Bytes(bytes.clone()),
            Word::Symbol("true") => Literal::Bool(true),
            Word::Symbol("false") => Literal::Bool(false),
            Word::Symbol("null") => Literal::Null,
            Word::Identifier(_) | Word::Symbol(_) | Word::End => {
                return Err(self.unexpected("an expression"));
            }
        };
        self.next += 1;
        self.node(Kind::Literal(literal), start, start)
    }
}

fn integer(sign: &str, number: &str) -> Option<i64> {
    match number.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(&format!("{sign}{digits}"), 16).ok(),
        None => format!("{sign}{number}").parse().ok(),
    }
}

fn unsigned(number: &str) -> Option<u64> {
    match number.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => number.parse().ok(),
    }
}

/// The dotted name that an expression spells, if it is nothing but that.
fn qualified(expression: &Expression) -> Option<String> {
    let mut names = Vec::new();
    let mut next = expression;
    loop {
        match &next.kind {
            Kind::Identifier { name, rooted } => {
                names.push(&*name.text);
                if *rooted {
                    names.push("");
                }
                names.reverse();
                return Some(names.join("."));
            }
            Kind::Select {
                operand,
                field,
                optional: false,
            } => {
                names.push(&*field.text);
                next = operand;
            }
            _ => return None,
        }
    }
}
