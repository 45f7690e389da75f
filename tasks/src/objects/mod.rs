//! Objects generated from a CRD's schema: valid ones, and ones with exactly one fault.

pub mod dice;
pub mod faults;
pub mod field;
pub mod valid;
pub mod validate;
mod text;

#[cfg(test)]
mod tests;
