//! Type expressions.

/// A type expression.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Ty {
    Named(usize),
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
}
