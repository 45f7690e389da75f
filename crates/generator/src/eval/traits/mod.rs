//! Traits: which `impl` blocks and derives a type has, and what std's traits do with a value.

pub(in crate::eval) mod impls;
pub(in crate::eval) mod derives;
mod default;
mod compare;
pub(in crate::eval) mod convert;
mod std_conversions;
mod parse;
pub(in crate::eval) mod display;
pub(in crate::eval) mod into_iterator;
pub(in crate::eval) mod next_item;
mod next_from_front;
mod next_from_back;
