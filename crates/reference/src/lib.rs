//! The reference of an API: what its CRDs say about every field, in which channel, and since which bundle.
#![doc = include_str!("../README.md")]

mod anchor;
mod api;
mod facts;
mod fields;
mod life;
mod markdown;
mod pages;
mod site;
mod survey;
mod text;
mod view;

pub use anchor::{explained, href, id, visible};
pub use api::{Api, Release, UNRELEASED};
pub use facts::{Fact, facts, type_name};
pub use fields::{Node, NodeIn, nodes};
pub use life::{Lives, Place, Presence, Transition, change_in, is_of_above, lives};
pub use markdown::markdown;
pub use pages::{
    ColumnShown, FactSaid, FieldRow, FieldValue, KindPage, Said, VersionIn, VersionPage, kind_page,
};
pub use site::{Look, site};
pub use text::{Shown, show, status};
