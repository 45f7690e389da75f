//! serde: the JSON that it writes for a value, by derives, hand-written code and adapters.

mod serialize;
mod open_object;
mod serializer;
pub(crate) mod serde_with;
pub(in crate::eval) mod json_value;
