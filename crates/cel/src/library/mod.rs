//! What functions and operators give: each function here is named in the rows of [`crate::functions`], after which nobody
//! looks at types again.

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

/// What a function gives for values that fit what it takes.
pub type Run = fn(&[Val]) -> Answer;

/// For values that do not fit, which no row lets pass.
const UNFIT: Answer = Err(Stop::Unknown);

/// For operators that are evaluated on the tree, and for functions of values that no rule can have.
pub(crate) fn elsewhere(_: &[Val]) -> Answer {
    Err(Stop::Unknown)
}

/// The text that a function takes.
fn text(given: &[Val]) -> Result<&str, Stop> {
    match given {
        [Val::String(text)] => Ok(text),
        _ => Err(Stop::Unknown),
    }
}

/// The size of something, or where something is in it.
fn whole(number: usize) -> Answer {
    i64::try_from(number)
        .map(Val::Int)
        .map_err(|_| Stop::Unknown)
}
