//! An expression without macros, which is typed and priced.

use crate::Text;
use crate::syntax::ast::Literal;
use std::ops::Range;

/// A node of a tree.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Id(pub(crate) usize);

/// A node and its place.
#[derive(Clone, Debug)]
pub struct CoreNode {
    /// Its kind.
    pub kind: Kind,
    /// Its source text, in bytes.
    pub range: Range<usize>,
    /// The offset at which a checker points, in bytes.
    pub at: usize,
}

/// The kinds of nodes.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A constant.
    Literal(Literal),
    /// A variable or a type.
    Identifier(Text),
    /// `operand.field`
    Select {
        /// The object.
        operand: Id,
        /// The field, escaped.
        field: Text,
        /// Whether it is a presence test: `has(operand.field)`.
        is_test: bool,
    },
    /// `operand.?field`
    OptionalSelect {
        /// The object.
        operand: Id,
        /// The field, escaped.
        field: Text,
    },
    /// A function or an operator.
    Call {
        /// Its name; operators have the server's function names.
        function: Text,
        /// The expression before the dot.
        target: Option<Id>,
        /// Its arguments.
        arguments: Vec<Id>,
    },
    /// A list; the flags mark optional elements.
    List(Vec<(Id, bool)>),
    /// A map: keys, values, and flags that mark optional entries.
    Map(Vec<(Id, Id, bool)>),
    /// A protocol buffer message.
    Message {
        /// Its type.
        name: Text,
        /// The fields, with their offsets, values, and flags that mark optional ones.
        fields: Vec<(Text, usize, Id, bool)>,
    },
    /// A loop.
    Fold(Box<Fold>),
}

impl Kind {
    /// The direct subnodes, in evaluation order.
    #[must_use]
    pub fn children(&self) -> Vec<Id> {
        match self {
            Self::Literal(_) | Self::Identifier(_) => Vec::new(),
            Self::Select { operand, .. } | Self::OptionalSelect { operand, .. } => vec![*operand],
            Self::Call {
                target, arguments, ..
            } => target.iter().chain(arguments).copied().collect(),
            Self::List(elements) => elements.iter().map(|(element, _)| *element).collect(),
            Self::Map(entries) => entries
                .iter()
                .flat_map(|(key, value, _)| [*key, *value])
                .collect(),
            Self::Message { fields, .. } => fields.iter().map(|(_, _, value, _)| *value).collect(),
            Self::Fold(fold) => vec![
                fold.range,
                fold.start,
                fold.condition,
                fold.step,
                fold.result,
            ],
        }
    }
}

/// The expansion of a macro over elements.
#[derive(Clone, Debug)]
pub struct Fold {
    /// The list or map to loop over.
    pub range: Id,
    /// The variable of the element, or of the key or index.
    pub variable: Text,
    /// The variable of the value, in a loop with two.
    pub second: Option<Text>,
    /// The variable of the accumulated result.
    pub accumulator: Text,
    /// The initial result.
    pub start: Id,
    /// The condition for continuing.
    pub condition: Id,
    /// The result after an element.
    pub step: Id,
    /// The value of the loop.
    pub result: Id,
}

/// A tree.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<CoreNode>,
    /// Its root.
    pub root: Id,
}

impl Tree {
    pub(crate) fn new(nodes: Vec<CoreNode>, root: Id) -> Self {
        Self { nodes, root }
    }

    /// A node. Ids of other trees return an arbitrary node or `None`.
    #[must_use]
    pub fn node(&self, id: Id) -> Option<&CoreNode> {
        self.nodes.get(id.0)
    }

    /// The number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it has no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes, children before their parents.
    pub fn nodes(&self) -> impl Iterator<Item = (Id, &CoreNode)> {
        let numbered = self.nodes.iter().enumerate();
        numbered.map(|(nth, node)| (Id(nth), node))
    }

    /// The dotted name that a node consists of, if it is only that.
    pub(crate) fn qualified(&self, id: Id) -> Option<String> {
        let mut names = Vec::new();
        let mut next = id;
        loop {
            match &self.node(next)?.kind {
                Kind::Identifier(name) => {
                    names.push(&**name);
                    names.reverse();
                    return Some(names.join("."));
                }
                Kind::Select {
                    operand,
                    field,
                    is_test: false,
                } => {
                    names.push(field);
                    next = *operand;
                }
                _ => return None,
            }
        }
    }
}
