//! From syn's tree to ours: types, expressions, paths and tokens, in the thread that parsed them.

mod exprs;
mod lits;
mod paths;
mod places;
mod tokens;
mod types;

pub(super) use exprs::{block, expr, parameter};
pub(super) use paths::path;
pub(super) use places::{span, with_text};
pub(super) use tokens::tokens;
pub(super) use types::ty;

use crate::Text;
use places::join;

/// How deep types and expressions are followed. What is nested deeper becomes `Other`, so that nobody who walks the
/// tree later has to fear for the stack.
const MAX_DEPTH: usize = 128;

/// An identifier without `r#`.
pub(super) fn name(ident: &syn::Ident) -> Text {
    let written = ident.to_string();
    Text::from(written.strip_prefix("r#").unwrap_or(&written))
}
