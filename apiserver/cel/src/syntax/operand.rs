//! Parses operands: names, fields, calls, indexes, literals, lists and maps.

use super::SyntaxError;
use super::ast::{Element, Entry, Expression, Field, Kind, Literal, Name};
use super::parser::{Parsed, Parser};
use super::token::Word;

/// Names that are reserved for later versions of the language. They may name fields, but not variables or functions.
pub(crate) const RESERVED: [&str; 17] = [
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

impl Parser {
    /// A primary with its fields, calls and indexes, which bind tighter than any operator.
    pub(super) fn member(&mut self) -> Parsed {
        let start = self.here().start;
        let mut operand = self.primary()?;
        loop {
            operand = if let Some(at) = self.take(".") {
                let optional = self.take("?").is_some();
                let is_quoted = matches!(self.peek(), Word::Quoted(_));
                let name = self.field("the name of a field or function")?;
                if !optional && !is_quoted && self.is("(") {
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
            // With a leading dot it is always a function, never a macro.
            let text = if rooted {
                format!(".{}", name.text).into()
            } else {
                name.text
            };
            let kind = Kind::Call {
                target: None,
                function: Name { text, ..name },
                arguments,
            };
            return self.node(kind, start, at);
        }
        self.node(Kind::Identifier { name, rooted }, start, start)
    }

    fn name(&mut self, wanted: &str) -> Result<Name, SyntaxError> {
        match self.peek() {
            Word::Identifier(_) => self.field(wanted),
            _ => Err(self.unexpected(wanted)),
        }
    }

    /// A name, or one in backticks, which are part of its span only.
    fn field(&mut self, wanted: &str) -> Result<Name, SyntaxError> {
        let (Word::Identifier(text) | Word::Quoted(text)) = self.peek() else {
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

    /// The items between an opening bracket, which comes next, and its closing one; a trailing comma is allowed. A separate
    /// function, so that nesting without such brackets does not use its stack frame.
    #[inline(never)]
    fn separated<T>(
        &mut self,
        open: &str,
        close: &str,
        one: impl Fn(&mut Self) -> Result<T, SyntaxError>,
    ) -> Result<Vec<T>, SyntaxError> {
        self.need(open)?;
        let mut found = Vec::new();
        // A comma alone is allowed too.
        if self.take(",").is_some() {
            self.need(close)?;
            return Ok(found);
        }
        loop {
            if self.take(close).is_some() {
                return Ok(found);
            }
            found.push(one(self)?);
            if self.take(",").is_none() {
                self.need(close)?;
                return Ok(found);
            }
        }
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
                name: parser.field("the name of a field")?,
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
            Word::Identifier(_) | Word::Quoted(_) | Word::Symbol(_) | Word::End => {
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

/// The dotted name that an expression consists of, if it is only that.
#[must_use]
pub fn qualified(expression: &Expression) -> Option<String> {
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
