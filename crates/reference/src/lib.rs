//! The reference of an API: what its CRDs say about every field, in which channel, and since which bundle.
#![doc = include_str!("../README.md")]

mod anchor;
mod api;
mod costs;
mod facts;
mod features;
mod fields;
mod life;
mod markdown;
mod pages;
mod place;
mod recorded;
mod reserved;
mod site;
mod survey;
mod text;
mod view;
mod work;

pub use anchor::{explained, href, id, visible};
pub use api::{Api, Bundle, Example, Install, Release};
pub use crd_channels_released::history::{Presence, Transition, UNRELEASED};
pub use facts::{Fact, facts, type_name};
pub use features::{FeatureHistory, GateHistory, GatePlace};
pub use fields::{Node, NodeIn, nodes};
pub use life::{Lives, change_in, is_of_above, limited, lives, recorded, status};
pub use markdown::markdown;
pub use pages::{
    ColumnShown, FactSaid, FieldRow, FieldValue, KindPage, Said, VersionIn, VersionPage, kind_page,
};
pub use place::{OTHERS, Place};
pub use reserved::Reserved;
pub use site::{Look, site};
pub use survey::feature_history;
pub use text::{Shown, show};
