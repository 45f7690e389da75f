//! Schemas that can be converted to structural ones.

use crate::document::model::{Additional, Items, Schema};

/// Whether the server can convert a schema to a structural one; some keywords prevent it.
pub(crate) fn is_convertible(schema: &Schema<'_>) -> bool {
    let plain = schema.id.is_empty()
        && schema.dollar_schema.is_empty()
        && schema.reference.is_none_or(str::is_empty)
        && schema.pattern_properties.is_empty()
        && schema.dependencies.is_empty()
        && schema.additional_items.is_none()
        && schema.definitions.is_empty()
        && schema.preserve_unknown_fields != Some(false);
    plain
        && children(schema).all(is_convertible)
        && !matches!(schema.items.as_ref(), Some(Items::Several(_)))
}

/// The schemas directly below, except those of rejected keywords.
fn children<'s, 'a>(schema: &'s Schema<'a>) -> impl Iterator<Item = &'s Schema<'a>> {
    let values = match schema.additional_properties.as_ref() {
        Some(Additional::Schema(values)) => Some(&**values),
        _ => None,
    };
    let junctors = [&schema.all_of, &schema.any_of, &schema.one_of];
    schema
        .item()
        .into_iter()
        .chain(values)
        .chain(schema.not.as_deref())
        .chain(schema.properties.iter().map(|(_, property)| property))
        .chain(junctors.into_iter().flat_map(|junctor| junctor.iter()))
}
