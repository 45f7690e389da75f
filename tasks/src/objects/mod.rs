//! Objects from a CRD's schema: valid ones, and ones that are broken in exactly one place.

pub mod dice;
pub mod faults;
pub mod field;
pub mod valid;
pub mod validate;
mod text;

#[cfg(test)]
mod tests;
