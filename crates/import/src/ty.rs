//! Type expressions.

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
