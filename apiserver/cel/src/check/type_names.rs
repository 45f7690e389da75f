//! The names of types.

use crate::types::{Library, Type};

/// The types with names. Values of the last ones only exist in messages.
const TYPES: [(&str, Type); 16] = [
    ("bool", Type::Bool),
    ("bytes", Type::Bytes),
    ("double", Type::Double),
    ("duration", Type::Duration),
    ("google.protobuf.Any", Type::Dyn),
    ("google.protobuf.Duration", Type::Duration),
    ("google.protobuf.Empty", Type::Library(Library::Empty)),
    ("google.protobuf.Timestamp", Type::Timestamp),
    ("google.protobuf.Value", Type::Dyn),
    ("int", Type::Int),
    ("net.CIDR", Type::Library(Library::Cidr)),
    ("net.IP", Type::Library(Library::Ip)),
    ("null_type", Type::Null),
    ("string", Type::String),
    ("timestamp", Type::Timestamp),
    ("uint", Type::Uint),
];

/// The wrapper messages of scalars.
const WRAPPERS: [(&str, Type); 9] = [
    ("BoolValue", Type::Bool),
    ("BytesValue", Type::Bytes),
    ("DoubleValue", Type::Double),
    ("FloatValue", Type::Double),
    ("Int32Value", Type::Int),
    ("Int64Value", Type::Int),
    ("StringValue", Type::String),
    ("UInt32Value", Type::Uint),
    ("UInt64Value", Type::Uint),
];

/// The type of a given name.
pub(super) fn named_type(name: &str) -> Option<Type> {
    if let Some((_, ty)) = TYPES.iter().find(|(known, _)| *known == name) {
        return Some(ty.clone());
    }
    if let Some(message) = name.strip_prefix("google.protobuf.") {
        let wrapper = WRAPPERS.iter().find(|(known, _)| *known == message);
        let wrapped = wrapper.map(|(_, ty)| Type::Nullable(ty.clone().into()));
        return wrapped.or(match message {
            "ListValue" => Some(Type::list(Type::Dyn)),
            "Struct" => Some(Type::map(Type::String, Type::Dyn)),
            _ => None,
        });
    }
    match name {
        "list" => Some(Type::list(Type::Dyn)),
        "map" => Some(Type::map(Type::Dyn, Type::Dyn)),
        "type" => Some(Type::Type(None)),
        "optional_type" => Some(Type::optional(Type::Dyn)),
        _ => None,
    }
}

/// Whether servers find a type of that name when they build a program. The other names only work in messages.
pub(crate) fn is_found_at_run_time(name: &str) -> bool {
    match name.strip_prefix("google.protobuf.") {
        Some(message) => matches!(message, "Duration" | "Timestamp"),
        None => !matches!(name, "duration" | "timestamp") && named_type(name).is_some(),
    }
}
