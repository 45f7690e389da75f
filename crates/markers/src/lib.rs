//! The attribute grammar: which content `#[experimental]`, `#[not_experimental]`, `#[tombstone]`, `#[crd]`, `#[conditions]`,
//! `#[condition]` and `#[reason]` may have, where they are allowed, and the messages about everything else. The derives and the
//! generator both read attributes with it, so they cannot disagree. The generator also describes other crates' attributes with
//! it.
#![doc = include_str!("../README.md")]

mod suggest;
mod grammar;
mod tables;
mod validation;
mod kube;
mod crd;
mod marks;
mod lints;
mod error;
mod item;
mod entries;
mod check;
mod node;
mod near;
mod declarations;
mod declared;
mod conditions;
mod reasons;

pub use check::{Check, RESERVED_FEATURE, feature_name};
pub use conditions::{Condition, Conditions, Polarity, Replaced, conditions};
pub use crd::{Convert, Count, Crd, Marks, Union};
pub use declarations::DECLARATIONS;
pub use declared::constant_name;
pub use entries::{Entry, Value, entries, missing, without_groups};
pub use error::{Error, ErrorKind, Extent};
pub use grammar::{Attribute, Form, Key, Keys, Others, Refused, Site, Target};
pub use item::{Item, items};
pub use lints::{Level, Lint, LintLevel};
pub use near::near_miss;
pub use node::{
    Conditional, Gate, NodeAttrs, Tombstone, VARIANT_SITE, field_site, is_root, read_node,
    read_type, type_site, union_error,
};
pub use reasons::{Reason, Reasons, Status, reasons};
pub use suggest::{alternatives, nearest};
pub use tables::ATTRIBUTES;

/// Keys and lists of keys shared with the descriptions of other crates' attributes.
pub mod keys {
    pub use crate::kube::*;
    pub use crate::validation::*;
}
