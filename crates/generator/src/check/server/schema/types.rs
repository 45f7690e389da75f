//! Which nodes exist for CEL: those that have a type all the way down.

use super::super::model::Schema;

/// Whether a value of the node can be read by rules.
pub(in super::super) fn has_type(schema: &Schema<'_>) -> bool {
    if schema.int_or_string {
        return true;
    }
    match schema.ty {
        "array" => schema.item().is_some_and(has_type),
        "object" => schema.values().is_none_or(has_type),
        "string" | "boolean" | "number" | "integer" => true,
        _ => false,
    }
}
