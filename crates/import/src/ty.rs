//! Type expressions.

use crate::merged::{Keywords, Node};

/// A type expression.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Ty {
    Named(usize),
    /// A type that is there already, by its path.
    Used(String),
    /// A type of Kubernetes, by its index.
    Known(usize),
    Bool,
    I32,
    I64,
    F64,
    String,
    /// Any JSON.
    Value,
    /// Any object.
    Object,
    IntOrString,
    Quantity,
    Option(Box<Ty>),
    List(Box<Ty>),
    Map(Box<Ty>),
}

impl Ty {
    /// The definition that it names, if it does.
    pub(crate) fn named(&self) -> Option<usize> {
        match self {
            Ty::Named(id) => Some(*id),
            Ty::Option(inner) | Ty::List(inner) | Ty::Map(inner) => inner.named(),
            _ => None,
        }
    }

    /// The path of the type that is there already, if it has one.
    pub(crate) fn used(&self) -> Option<&str> {
        match self {
            Ty::Used(path) => Some(path),
            Ty::Option(inner) | Ty::List(inner) | Ty::Map(inner) => inner.used(),
            _ => None,
        }
    }
}

/// The Rust type of a schema, and what it does not say.
pub(crate) struct Typed {
    pub(crate) ty: Ty,
    /// The keywords that the type does not say.
    pub(crate) left: Keywords,
    /// The functions that remove what it says too much.
    pub(crate) transform: Vec<&'static str>,
}

impl Typed {
    pub(crate) fn says_all(&self) -> bool {
        self.left.is_empty() && self.transform.is_empty()
    }

    /// Takes the format of a number if it is the one of its type. `extend` says another one, over what the type says.
    pub(crate) fn formatted(&mut self, node: &Node, ty: Ty, of_type: &str) -> Ty {
        match node.same("format").and_then(serde_json::Value::as_str) {
            None => self.transform.push("no_format"),
            Some(format) if format == of_type => drop(self.left.remove("format")),
            Some(_) => {}
        }
        ty
    }
}
