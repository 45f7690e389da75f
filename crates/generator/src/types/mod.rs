//! Types as expressions of the source name them: what a path resolves to, which `impl` blocks and derives a type has.

mod concrete;
mod resolve;
pub(crate) mod impls;
pub(crate) mod kinds;
pub(crate) mod numbers;
pub(crate) mod path_segments;

pub(crate) use concrete::{Concrete, Finding, Instance, Scope};
pub(crate) use impls::{Block, Fit, JSON_SCHEMA, SERIALIZE, derives, is_same_trait};
pub(crate) use kinds::{is_list, is_map, is_set, is_wrapper};
pub(crate) use resolve::unsupported;
