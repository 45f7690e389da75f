//! Types as expressions of the source name them: what a path resolves to, which `impl` blocks and derives a type has.

mod concrete;
mod resolve;
mod trait_key;
pub(crate) mod derives;
pub(crate) mod impls;
pub(crate) mod kinds;
pub(crate) mod numbers;
pub(crate) mod path_segments;

pub(crate) use concrete::{Concrete, Finding, Instance, Scope, TraitRef, single};
pub(crate) use derives::derives;
pub(crate) use impls::{Fit, path_expr};
pub(crate) use kinds::is_wrapper;
pub(crate) use resolve::unsupported;
pub(crate) use trait_key::TraitKey;
