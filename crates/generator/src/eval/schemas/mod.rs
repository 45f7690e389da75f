//! schemars' own types: its generator, its `Schema`, and the schemas of types, whose content is read only when a CRD is
//! written.

mod pending;
mod keywords;
mod items;
mod perhaps;
mod structs;
mod records;
mod variants;
mod settings;
mod door;

pub(crate) use door::{AskedType, HELP};
pub(crate) use pending::{Pending, UNSEEN, Unsure};
pub(crate) use structs::Record;

pub(in crate::eval) use keywords::{is_pending, negated};
pub(in crate::eval) use structs::{instance_type, is_group};
