//! The implementations of functions and operators. The rows in [`crate::functions`] refer to them, and have checked the types.

pub(crate) mod addresses;
pub(crate) mod conversions;
pub(crate) mod format;
pub(crate) mod formats;
pub(crate) mod lists;
pub(crate) mod operators;
pub(crate) mod optionals;
pub(crate) mod quantities;
pub(crate) mod texts;
pub(crate) mod times;
pub(crate) mod urls;
pub(crate) mod versions;

use crate::value::{Answer, Stop, Val};

/// Computes the result for values that match the argument types.
pub type Run = fn(&[Val]) -> Answer;

/// For values that do not match, which no row passes on.
const UNFIT: Answer = Err(Stop::Unknown);

/// For operators that are evaluated on the tree, and for functions of values that rules cannot have.
pub(crate) fn elsewhere(_: &[Val]) -> Answer {
    Err(Stop::Unknown)
}

/// The text that a function takes.
fn text_arg(given: &[Val]) -> Result<&str, Stop> {
    match given {
        [Val::String(text)] => Ok(text),
        _ => Err(Stop::Unknown),
    }
}

/// A size or an index.
fn whole(number: usize) -> Answer {
    i64::try_from(number)
        .map(Val::Int)
        .map_err(|_| Stop::Unknown)
}
