//! The syntax tree of a CEL expression: every node has its span, and macros are not expanded.

use crate::Text;
use std::ops::Range;

/// An expression. All offsets are bytes from the start of the text that was parsed.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// Its kind.
    pub kind: Kind,
    /// Its span, without enclosing parentheses.
    pub range: Range<usize>,
    /// The offset at which a checker points: the operator, the dot, the opening bracket, else the first byte.
    pub at: usize,
    /// The number of nodes on the longest path down, including this one. Bounded, so that recursion over a tree is safe.
    pub height: usize,
    /// The same for the nodes that API servers count: conditionals, binary operators, selections, indexes and calls with a
    /// target.
    pub depth: usize,
}

/// A name and its span.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Name {
    /// The name as written.
    pub text: Text,
    /// Its span.
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
        /// Whether it has a leading dot.
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
        /// The expression before the dot; for `sets.contains(..)` the name `sets`.
        target: Option<Box<Expression>>,
        /// The function.
        function: Name,
        /// The arguments.
        arguments: Vec<Expression>,
    },
    /// `!operand` or `-operand`; an even number of operators cancels out.
    Unary {
        /// The operator.
        operator: Unary,
        /// The operand.
        operand: Box<Expression>,
    },
    /// `left operator right`
    Binary {
        /// The operator.
        operator: Binary,
        /// The left side.
        left: Box<Expression>,
        /// The right side.
        right: Box<Expression>,
    },
    /// `a && b && c` or `a || b || c`
    Logic {
        /// The operator.
        operator: Logic,
        /// Two or more.
        operands: Vec<Expression>,
        /// The offset of each operator, one fewer than the operands.
        operators: Vec<usize>,
    },
    /// `condition ? then : otherwise`
    Conditional {
        /// The condition.
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
        /// The fields that are set.
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
    /// Whether it is marked with `?`: an optional that is omitted if empty.
    pub optional: bool,
    /// The value.
    pub value: Expression,
}

/// An entry of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Whether it is marked with `?`: the value is an optional, and the entry is omitted if that is empty.
    pub optional: bool,
    /// The key.
    pub key: Expression,
    /// The offset of the colon.
    pub at: usize,
    /// The value.
    pub value: Expression,
}

/// A field that a message sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Whether it is marked with `?`.
    pub optional: bool,
    /// The field.
    pub name: Name,
    /// The offset of the colon.
    pub at: usize,
    /// The value.
    pub value: Expression,
}

/// The unary operators.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Unary {
    /// `!`
    Not,
    /// `-`
    Negate,
}

/// The binary operators that always evaluate both sides.
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

/// The operators that may skip operands.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Logic {
    /// `&&`
    And,
    /// `||`
    Or,
}

impl Kind {
    /// Whether API servers count the node for the depth of an expression.
    pub(super) fn is_counted(&self) -> bool {
        match self {
            Self::Select { .. }
            | Self::Index { .. }
            | Self::Binary { .. }
            | Self::Conditional { .. } => true,
            Self::Call { target, .. } => target.is_some(),
            Self::Literal(_)
            | Self::Identifier { .. }
            | Self::Unary { .. }
            | Self::Logic { .. }
            | Self::List(_)
            | Self::Map(_)
            | Self::Message { .. } => false,
        }
    }

    /// The direct subexpressions.
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
