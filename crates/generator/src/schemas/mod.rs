//! The closed language of hand-written schemas: the bodies of `impl JsonSchema`, of `schema_with` functions and of transforms.
//!
//! A body consists of JSON, the schemas of types, and statements that set or remove keywords. The schema of a type is left open,
//! since it depends on the channel; the edits of its keywords are kept in order.

mod records;
mod body;
mod functions;
mod parts;
mod lists;
mod calls;
mod statements;
mod door;

pub(crate) use body::AskedType;
pub(crate) use door::HELP;
