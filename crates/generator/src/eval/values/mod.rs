//! Values and their types, and the paths that name types.

pub(in crate::eval) mod value;
pub(in crate::eval) mod ty;
pub(in crate::eval) mod callable;
pub(in crate::eval) mod iterator;
pub(in crate::eval) mod trait_key;
pub(in crate::eval) mod kinds;
pub(in crate::eval) mod path_segments;
pub(in crate::eval) mod number;
