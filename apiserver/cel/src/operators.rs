//! The operators, with the server's names of their functions.

use crate::syntax::ast::Binary;

pub(crate) const CONDITIONAL: &str = "_?_:_";
pub(crate) const AND: &str = "_&&_";
pub(crate) const OR: &str = "_||_";
pub(crate) const NOT: &str = "!_";
pub(crate) const NEGATE: &str = "-_";
pub(crate) const EQUAL: &str = "_==_";
pub(crate) const NOT_EQUAL: &str = "_!=_";
pub(crate) const LESS: &str = "_<_";
pub(crate) const LESS_EQUAL: &str = "_<=_";
pub(crate) const GREATER: &str = "_>_";
pub(crate) const GREATER_EQUAL: &str = "_>=_";
pub(crate) const IN: &str = "@in";
pub(crate) const ADD: &str = "_+_";
pub(crate) const SUBTRACT: &str = "_-_";
pub(crate) const MULTIPLY: &str = "_*_";
pub(crate) const DIVIDE: &str = "_/_";
pub(crate) const MODULO: &str = "_%_";
pub(crate) const INDEX: &str = "_[_]";
pub(crate) const OPTIONAL_INDEX: &str = "_[?_]";
/// The condition for continuing a loop: anything but `false`.
pub(crate) const NOT_FALSE: &str = "@not_strictly_false";
pub(crate) const INSERT: &str = "cel.@mapInsert";
pub(crate) const SORT_BY: &str = "@sortByAssociatedKeys";

/// The function of a binary operator.
pub(crate) fn function_name(operator: Binary) -> &'static str {
    match operator {
        Binary::Equal => EQUAL,
        Binary::NotEqual => NOT_EQUAL,
        Binary::Less => LESS,
        Binary::LessEqual => LESS_EQUAL,
        Binary::Greater => GREATER,
        Binary::GreaterEqual => GREATER_EQUAL,
        Binary::In => IN,
        Binary::Add => ADD,
        Binary::Subtract => SUBTRACT,
        Binary::Multiply => MULTIPLY,
        Binary::Divide => DIVIDE,
        Binary::Modulo => MODULO,
    }
}

/// An operator as expressions write it.
pub(crate) fn operator_text(function: &str) -> &str {
    match function {
        CONDITIONAL => "? :",
        INDEX => "[ ]",
        OPTIONAL_INDEX => "[? ]",
        IN => "in",
        SORT_BY => "sortBy",
        NOT => "!",
        NEGATE => "-",
        other => other.trim_matches('_'),
    }
}
