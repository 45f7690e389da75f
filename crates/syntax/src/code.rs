//! Expressions, patterns and statements that may be read as values and schemas.

use crd_channels_diagnostics::{Span, Text};
use std::fmt;
use std::sync::Arc;

/// An expression that may be evaluated as a constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The kind of expression.
    pub kind: ExprKind,
    /// Its span.
    pub span: Span,
}

impl Expr {
    /// The path, if the expression is one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match &self.kind {
            ExprKind::Path(path) => Some(path),
            _ => None,
        }
    }

    /// The name, if the expression is only a name.
    #[must_use]
    pub fn name(&self) -> Option<&Text> {
        self.path()?.name()
    }

    /// The path of the function and the arguments of `f(a, b)`.
    #[must_use]
    pub fn call(&self) -> Option<(&Path, &[Expr])> {
        match &self.kind {
            ExprKind::Call(function, args) => Some((function.path()?, args)),
            _ => None,
        }
    }

    /// The receiver, the name and the arguments of `x.f(a)`, whatever its type arguments are.
    #[must_use]
    pub fn method(&self) -> Option<(&Expr, &str, &[Expr])> {
        match &self.kind {
            ExprKind::Method {
                receiver,
                name,
                args,
                ..
            } => Some((receiver, name, args)),
            _ => None,
        }
    }
}

/// The kinds of expressions that can be evaluated, and `Other`.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A literal.
    Lit(Lit),
    /// A path.
    Path(Path),
    /// `<T as Trait>::NAME`, `<T>::NAME`
    Qualified(Box<Ty>, Option<Path>, Segment),
    /// `-x`, `!x`, `*x`
    Unary(char, Box<Expr>),
    /// `a + b`, by the operator's text
    Binary(Text, Box<Expr>, Box<Expr>),
    /// `f(a, b)`
    Call(Box<Expr>, Vec<Expr>),
    /// `x.f::<T>(a)`
    Method {
        /// The receiver.
        receiver: Box<Expr>,
        /// The method.
        name: Text,
        /// `::<T>`
        types: Vec<Ty>,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `x.name`
    Field(Box<Expr>, Text),
    /// `Path { a: x, ..rest }`
    Struct {
        /// The type or variant.
        path: Path,
        /// The fields.
        fields: Vec<(Text, Expr)>,
        /// `..rest`
        rest: Option<Box<Expr>>,
    },
    /// `[a, b]`
    Array(Vec<Expr>),
    /// `[a; n]`
    Repeat(Box<Expr>, Box<Expr>),
    /// `(a, b)`
    Tuple(Vec<Expr>),
    /// `&x`
    Reference(Box<Expr>),
    /// `&mut x`
    Borrow(Box<Expr>),
    /// `x as T`
    Cast(Box<Expr>, Box<Ty>),
    /// `{ stmts; tail }`
    Block(Vec<Stmt>, Option<Box<Expr>>),
    /// `name!(..)`
    Macro(Path, Vec<Token>),
    /// `|a| body`
    Closure(Arc<Closure>),
    /// `if condition { .. } else { .. }`
    If(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
    /// `let pattern = x` in a condition
    Is(Box<Pattern>, Box<Expr>),
    /// `x?`
    Try(Box<Expr>),
    /// `place = x`
    Assign(Box<Expr>, Box<Expr>),
    /// An expression behind an unknown cfg; the span is the expression's.
    Undecided(Text),
    /// Anything else, described in words: "a loop".
    Other(Text),
}

/// `|a, b| body`
#[derive(Clone, Debug, PartialEq)]
pub struct Closure {
    /// Its parameters.
    pub params: Vec<Pattern>,
    /// Its body.
    pub body: Expr,
}

/// The input of `json!` and similar macros.
#[derive(Clone, Debug, PartialEq)]
pub enum JsonNode {
    /// `null`
    Null,
    /// `[..]`
    Array(Vec<JsonNode>),
    /// `{..}`: keys are expressions as well.
    Object(Vec<(Expr, JsonNode)>),
    /// Anything else, literals included.
    Value(Expr),
}

/// A pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// `name`, `mut name`, `ref mut name`
    Name(Text),
    /// `Path(a, b)`
    Tuple(Path, Vec<Pattern>),
    /// `(a, b)`
    Parts(Vec<Pattern>),
    /// Anything else.
    Other,
}

impl Pattern {
    /// The name, if the pattern is only a name.
    #[must_use]
    pub fn name(&self) -> Option<&Text> {
        match self {
            Pattern::Name(name) => Some(name),
            _ => None,
        }
    }

    /// The path and the name of `Path(name)`.
    #[must_use]
    pub fn only(&self) -> Option<(&Path, &Text)> {
        match self {
            Pattern::Tuple(path, inner) => match &inner[..] {
                [Pattern::Name(name)] => Some((path, name)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A statement in a block.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// `let name: Type = value;`, `let mut ..`
    Let(Text, Option<Ty>, Expr),
    /// `const NAME: Type = value;`, before the statements of its block
    Const(Text, Ty, Expr),
    /// An expression followed by `;`.
    Expr(Expr),
    /// Anything else, described in words.
    Other(Text, Span),
}

/// A literal.
#[derive(Clone, Debug, PartialEq)]
pub enum Lit {
    /// A string.
    Str(Text),
    /// A byte string.
    Bytes(Arc<[u8]>),
    /// A character.
    Char(char),
    /// An integer's digits, in decimal and without underscores, and its suffix.
    Int(Text, Option<Text>),
    /// A float's digits, without underscores, and its suffix.
    Float(Text, Option<Text>),
    /// `true` or `false`
    Bool(bool),
}

/// A path with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Whether it starts with `::`.
    pub leading: bool,
    /// Its segments; at least one.
    pub segments: Vec<Segment>,
    /// The whole path.
    pub span: Span,
}

impl Path {
    /// Creates the path of a single name.
    pub fn of_name(name: impl Into<Text>, span: Span) -> Self {
        let name = name.into();
        Self {
            leading: false,
            segments: vec![Segment {
                name,
                args: Vec::new(),
            }],
            span,
        }
    }

    /// The name, if the path is only a name.
    #[must_use]
    pub fn name(&self) -> Option<&Text> {
        match &self.segments[..] {
            [only] if !self.leading && only.args.is_empty() => Some(&only.name),
            _ => None,
        }
    }
}

impl fmt::Display for Path {
    /// The names, without arguments: `a::B`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = if self.leading { "::" } else { "" };
        for segment in &self.segments {
            write!(formatter, "{separator}{}", segment.name)?;
            separator = "::";
        }
        Ok(())
    }
}

/// One segment of a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// The name; raw identifiers without `r#`.
    pub name: Text,
    /// The type arguments; lifetimes and bindings are dropped.
    pub args: Vec<Ty>,
}

/// A type as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Ty {
    /// The kind of type.
    pub kind: TyKind,
    /// Its span.
    pub span: Span,
}

impl From<Path> for Expr {
    fn from(path: Path) -> Self {
        Self {
            span: path.span,
            kind: ExprKind::Path(path),
        }
    }
}

impl From<Path> for Ty {
    fn from(path: Path) -> Self {
        Self {
            span: path.span,
            kind: TyKind::Path(path),
        }
    }
}

/// The kinds of types that a schema can have.
#[derive(Clone, Debug, PartialEq)]
pub enum TyKind {
    /// `a::B<C>`
    Path(Path),
    /// `<T as Trait>::Name`: the type, the trait, the name.
    Qualified(Box<Ty>, Option<Path>, Text),
    /// `&T`, `&mut T`; `true` if it is mutable
    Reference(Box<Ty>, bool),
    /// `[T; N]`
    Array(Box<Ty>, Box<Expr>),
    /// `[T]`
    Slice(Box<Ty>),
    /// `(A, B)`; `()` is empty.
    Tuple(Vec<Ty>),
    /// A constant used as a type argument.
    Const(Box<Expr>),
    /// `name!(..)` used as a type
    Macro(Path, Vec<Token>),
    /// A type without a schema, described in words: functions, pointers, trait objects, macros.
    Other(Text),
}

/// A token of a macro's input.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// `(..)`, `[..]`, `{..}`; the character is the opening bracket, or a space for an invisible group.
    Group(char, Vec<Token>, Span),
    /// An identifier, without `r#`.
    Ident(Text, Span),
    /// A punctuation character, and whether it is joint with the next one.
    Punct(char, bool, Span),
    /// A literal.
    Lit(Lit, Span),
}

impl Token {
    /// The span of the token.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Token::Group(_, _, span)
            | Token::Ident(_, span)
            | Token::Punct(_, _, span)
            | Token::Lit(_, span) => *span,
        }
    }
}
