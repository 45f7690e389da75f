//! The closed language of values: literals, and what has one meaning without inferring types, choosing traits or running code.
//!
//! An expression is read for a place whose type the source names. Whatever is not in the language is `not-constant` at the
//! expression, and the compiled program is asked for it. `docs/values.md` lists the language, and why each row of it cannot be
//! misread.

mod value;
mod number;
mod reading;
mod numerals;
mod names;
mod constructors;
mod calls;
mod blocks;
mod methods;
mod parsed;
mod patterns;
mod collected;
mod macros;
mod format;
mod default;
mod predicates;
mod literals;
mod overridden;
mod entry;

pub(crate) use calls::pair;
pub(crate) use literals::Literals;
pub(crate) use names::Named;
pub(crate) use numerals::{not_known, open_type};
pub(crate) use overridden::DEFAULT_HELP;
pub(crate) use reading::{Env, Reading, Run, Variable, stop};
pub(crate) use value::{Adt, Value, integer, not_constant};
