//! Validation of values against schemas.

mod change;
mod defaults;
mod keywords;
mod lists;
mod numbers;
mod prune;
pub mod resources;

pub use change::{Change, OldItems};
pub use defaults::complete;
pub use keywords::{default_violations, is_of_type, violations, violations_at};
pub use lists::uniqueness;
pub use prune::prune;
