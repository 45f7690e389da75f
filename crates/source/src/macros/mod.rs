//! Macros: what a name of a macro means, and what its calls expand to.

pub(crate) mod calls;
pub(crate) mod expand;
pub(crate) mod expansions;
pub(crate) mod include_str;
pub(crate) mod meanings;
pub(crate) mod resolve;
pub(crate) mod values;
