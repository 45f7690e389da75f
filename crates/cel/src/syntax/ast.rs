//! The tree of a CEL expression: every node with its place, macros left as the calls that they are written as.

use crate::Text;
use std::ops::Range;

/// An expression. All offsets are bytes from the start of the text that was parsed.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// What it is.
    pub kind: Kind,
    /// All of its text, without the parentheses around it.
    pub range: Range<usize>,
    /// Where a checker points: the operator, the dot, the opening bracket, else the first byte.
    pub at: usize,
    /// How many nodes lie on the longest way down, this one included. Bounded, so that recursion over a tree is safe.
    pub height: usize,
}

/// A name and where it stands.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Name {
    /// The name as written.
    pub text: Text,
    /// Its place.
    pub range: Range<usize>,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `1`, `'text'`, `true`, `null`
    Literal(Literal),
    /// `name`, or `.name`, which skips the variables of macros.
    Identifier {
        /// The name.
        name: Name,
        /// Whether a dot stands before it.
        rooted: bool,
    },
    /// `operand.field` or `operand.?field`
    Select {
        /// The object.
        operand: Box<Expression>,
        /// The field, still escaped.
        field: Name,
        /// Whether it is `.?`.
        optional: bool,
    },
    /// `operand[index]` or `operand[?index]`
    Index {
        /// The list or map.
        operand: Box<Expression>,
        /// The index or key.
        index: Box<Expression>,
        /// Whether it is `[?`.
        optional: bool,
    },
    /// `function(arguments)` or `target.function(arguments)`; macros too.
    Call {
        /// What stands before the dot; for `sets.contains(..)` the name `sets`.
        target: Option<Box<Expression>>,
        /// The function.
        function: Name,
        /// What it is given.
        arguments: Vec<Expression>,
    },
    /// `!operand` or `-operand`; an even number of them is none.
    Unary {
        /// Which one.
        operator: Unary,
        /// What it applies to.
        operand: Box<Expression>,
    },
    /// `left operator right`
    Binary {
        /// Which one.
        operator: Binary,
        /// The left side.
        left: Box<Expression>,
        /// The right side.
        right: Box<Expression>,
    },
    /// `a && b && c` or `a || b || c`
    Logic {
        /// Which one.
        operator: Logic,
        /// Two or more.
        operands: Vec<Expression>,
        /// Where each operator stands, one fewer than the operands.
        operators: Vec<usize>,
    },
    /// `condition ? then : otherwise`
    Conditional {
        /// What decides.
        condition: Box<Expression>,
        /// The value if true.
        then: Box<Expression>,
        /// The value if false.
        otherwise: Box<Expression>,
    },
    /// `[a, ?b]`
    List(Vec<Element>),
    /// `{key: value, ?key: value}`
    Map(Vec<Entry>),
    /// `a.b.Name{field: value}`
    Message {
        /// The name with its dots.
        name: Name,
        /// What is set.
        fields: Vec<Field>,
    },
}

/// A constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// `1`, `-1`, `0x1f`
    Int(i64),
    /// `1u`
    Uint(u64),
    /// `1.5`, `1e3`
    Double(f64),
    /// Any form of string, with its escapes resolved.
    String(Text),
    /// Any form of bytes, with their escapes resolved.
    Bytes(Vec<u8>),
}

/// An element of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// Whether a `?` stands before it: an optional that is left out if empty.
    pub optional: bool,
    /// The value.
    pub value: Expression,
}

/// An entry of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Whether a `?` stands before it: the value is an optional, and the entry is left out if that is empty.
    pub optional: bool,
    /// The key.
    pub key: Expression,
    /// Where the colon stands.
    pub at: usize,
    /// The value.
    pub value: Expression,
}

/// A field that a message sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Whether a `?` stands before it.
    pub optional: bool,
    /// The field.
    pub name: Name,
    /// Where the colon stands.
    pub at: usize,
    /// The value.
    pub value: Expression,
}

/// The operators with one side.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Unary {
    /// `!`
    Not,
    /// `-`
    Negate,
}

/// The operators with two sides that both have to be evaluated.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Binary {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `in`
    In,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
}

/// The operators whose sides need not all be evaluated.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Logic {
    /// `&&`
    And,
    /// `||`
    Or,
}

impl Kind {
    /// The nodes directly below.
    pub fn children(&self) -> Vec<&Expression> {
        match self {
            Self::Literal(_) | Self::Identifier { .. } => Vec::new(),
            Self::Select { operand, .. } | Self::Unary { operand, .. } => vec![operand],
            Self::Index { operand, index, .. } => vec![operand, index],
            Self::Call {
                target, arguments, ..
            } => target.as_deref().into_iter().chain(arguments).collect(),
            Self::Binary { left, right, .. } => vec![left, right],
            Self::Logic { operands, .. } => operands.iter().collect(),
            Self::Conditional {
                condition,
                then,
                otherwise,
            } => vec![condition, then, otherwise],
            Self::List(elements) => elements.iter().map(|element| &element.value).collect(),
            Self::Map(entries) => entries
                .iter()
                .flat_map(|entry| [&entry.key, &entry.value])
                .collect(),
            Self::Message { fields, .. } => fields.iter().map(|field| &field.value).collect(),
        }
    }
}
