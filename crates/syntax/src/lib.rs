//! From files to items: parses a file, lowers syn's items to our own and reads their attributes.
#![doc = include_str!("../README.md")]

pub mod attrs;
pub mod cfg;
mod code;
mod derives;
pub mod includes;
pub mod known;
mod lower_items;
pub mod mentions;
mod words;
pub mod lower_syn;
mod nesting;
pub mod parse;
mod read_attrs;
pub mod tree;
