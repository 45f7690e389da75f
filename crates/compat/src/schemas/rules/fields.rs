//! Every keyword of a schema by name. Destructuring schemas here, field by field, ensures that a new keyword is not forgotten.

use crate::values::{key, key_of_member, keys, same, same_number};
use crd_channels_schema::{Bounds, JsonType, Junctors, Merge, Notes, Rule, Schema};
use serde_json::{Number, Value};

macro_rules! fields {
    ($($field:ident: $($keyword:literal),+;)*) => {
        /// The subject of one or more rules: a keyword, the keywords that form one bound, or a part of a keyword.
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        pub enum Field {
            $(
                #[doc = concat!($("`", $keyword, "` ",)+)]
                $field,
            )*
        }

        impl Field {
            #[cfg(test)]
            pub(crate) const ALL: &'static [Self] = &[$(Self::$field,)*];

            /// The keywords, as schemas spell them.
            #[must_use]
            pub fn keywords(self) -> &'static [&'static str] {
                match self {
                    $(Self::$field => &[$($keyword,)+],)*
                }
            }
        }
    };
}

fields! {
    Type: "type";
    Format: "format";
    Title: "title";
    Description: "description";
    Nullable: "nullable";
    Default: "default";
    Enum: "enum";
    Properties: "properties";
    Required: "required";
    AdditionalProperties: "additionalProperties";
    Items: "items";
    Minimum: "minimum", "exclusiveMinimum";
    Maximum: "maximum", "exclusiveMaximum";
    MultipleOf: "multipleOf";
    MinLength: "minLength";
    MaxLength: "maxLength";
    Pattern: "pattern";
    MinItems: "minItems";
    MaxItems: "maxItems";
    MinProperties: "minProperties";
    MaxProperties: "maxProperties";
    AllOf: "allOf";
    AnyOf: "anyOf";
    OneOf: "oneOf";
    Not: "not";
    ListType: "x-kubernetes-list-type";
    ListMapKeys: "x-kubernetes-list-map-keys";
    MapType: "x-kubernetes-map-type";
    Example: "example";
    ExternalDocs: "externalDocs";
    Rule: "x-kubernetes-validations";
    RuleMessage: "x-kubernetes-validations";
    RuleReason: "x-kubernetes-validations";
    RuleFieldPath: "x-kubernetes-validations";
    RuleOptionalOldSelf: "x-kubernetes-validations";
    EmbeddedResource: "x-kubernetes-embedded-resource";
    IntOrString: "x-kubernetes-int-or-string";
    PreserveUnknownFields: "x-kubernetes-preserve-unknown-fields";
}

/// The keywords that differ at a node. Children that both sides have are nodes of their own.
pub(crate) fn differing(old: &Schema, new: &Schema) -> Vec<Field> {
    let Schema {
        ty,
        format,
        title,
        description,
        nullable,
        default,
        enum_values,
        properties,
        required,
        additional_properties,
        items,
        bounds,
        junctors,
        merge,
        notes,
        rules,
        embedded_resource,
        int_or_string,
        preserve_unknown_fields,
        origin: _,
        levels: _,
        keys: _,
    } = old;
    let additional_differs = match (additional_properties, &new.additional_properties) {
        (Some(old), Some(new)) => {
            std::mem::discriminant(old) != std::mem::discriminant(new)
                || (old != new && !matches!(old, crd_channels_schema::Additional::Schema(_)))
        }
        (old, new) => old.is_some() != new.is_some(),
    };
    let mut found = Vec::new();
    let mut note = |field, differs: bool| {
        if differs {
            found.push(field);
        }
    };
    note(Field::Type, *ty != new.ty);
    note(Field::Format, *format != new.format);
    note(Field::Title, *title != new.title);
    note(Field::Description, *description != new.description);
    note(Field::Nullable, *nullable != new.nullable);
    note(
        Field::Default,
        !alike(default.as_deref(), new.default.as_deref(), same),
    );
    let key = member_key(old);
    note(
        Field::Enum,
        keys(enum_values, key) != keys(&new.enum_values, key),
    );
    note(
        Field::Properties,
        !properties.keys().eq(new.properties.keys()),
    );
    note(Field::Required, *required != new.required);
    note(Field::AdditionalProperties, additional_differs);
    note(Field::Items, items.is_some() != new.items.is_some());
    note(
        Field::EmbeddedResource,
        *embedded_resource != new.embedded_resource,
    );
    note(Field::IntOrString, *int_or_string != new.int_or_string);
    note(
        Field::PreserveUnknownFields,
        *preserve_unknown_fields != new.preserve_unknown_fields,
    );
    if *bounds != new.bounds {
        let none = Bounds::default();
        bound_fields(
            bounds.as_deref().unwrap_or(&none),
            new.bounds.as_deref().unwrap_or(&none),
            &mut note,
        );
    }
    if *junctors != new.junctors {
        let none = Junctors::default();
        let Junctors {
            all_of,
            any_of,
            one_of,
            not,
        } = junctors.as_deref().unwrap_or(&none);
        let new = new.junctors.as_deref().unwrap_or(&none);
        note(Field::AllOf, *all_of != new.all_of);
        note(Field::AnyOf, *any_of != new.any_of);
        note(Field::OneOf, *one_of != new.one_of);
        note(Field::Not, *not != new.not);
    }
    if *merge != new.merge {
        let none = Merge::default();
        let Merge {
            list_type,
            list_map_keys,
            map_type,
        } = merge.as_deref().unwrap_or(&none);
        let new = new.merge.as_deref().unwrap_or(&none);
        note(Field::ListType, *list_type != new.list_type);
        note(Field::ListMapKeys, *list_map_keys != new.list_map_keys);
        note(Field::MapType, *map_type != new.map_type);
    }
    if *notes != new.notes {
        let none = Notes::default();
        let Notes {
            example,
            docs_url,
            docs_description,
        } = notes.as_deref().unwrap_or(&none);
        let new = new.notes.as_deref().unwrap_or(&none);
        let docs = *docs_url != new.docs_url || *docs_description != new.docs_description;
        let example_differs = !alike(example.as_ref(), new.example.as_ref(), same);
        note(Field::Example, example_differs);
        note(Field::ExternalDocs, docs);
    }
    if *rules != new.rules {
        rule_fields(rules, &new.rules, &mut note);
    }
    found
}

/// Whether both are absent, or both are present and the same.
fn alike<T>(old: Option<&T>, new: Option<&T>, is_same: impl Fn(&T, &T) -> bool) -> bool {
    match (old, new) {
        (Some(old), Some(new)) => is_same(old, new),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// The key by which members of a schema's enum are the same.
pub(super) fn member_key(schema: &Schema) -> fn(&Value) -> String {
    match schema.ty {
        Some(JsonType::Number) => key_of_member,
        _ => key,
    }
}

fn bound_fields(old: &Bounds, new: &Bounds, note: &mut impl FnMut(Field, bool)) {
    let Bounds {
        minimum,
        exclusive_minimum,
        maximum,
        exclusive_maximum,
        multiple_of,
        min_length,
        max_length,
        pattern,
        min_items,
        max_items,
        min_properties,
        max_properties,
    } = old;
    let numbers_differ = |old: &Option<Number>, new: &Option<Number>| {
        !alike(old.as_ref(), new.as_ref(), same_number)
    };
    let lower =
        numbers_differ(minimum, &new.minimum) || *exclusive_minimum != new.exclusive_minimum;
    let upper =
        numbers_differ(maximum, &new.maximum) || *exclusive_maximum != new.exclusive_maximum;
    note(Field::Minimum, lower);
    note(Field::Maximum, upper);
    note(
        Field::MultipleOf,
        numbers_differ(multiple_of, &new.multiple_of),
    );
    note(Field::MinLength, *min_length != new.min_length);
    note(Field::MaxLength, *max_length != new.max_length);
    note(Field::Pattern, *pattern != new.pattern);
    note(Field::MinItems, *min_items != new.min_items);
    note(Field::MaxItems, *max_items != new.max_items);
    note(Field::MinProperties, *min_properties != new.min_properties);
    note(Field::MaxProperties, *max_properties != new.max_properties);
}

fn rule_fields(old: &[Rule], new: &[Rule], note: &mut impl FnMut(Field, bool)) {
    let parts = |rule: &Rule| {
        let Rule {
            rule,
            message,
            message_expression,
            reason,
            field_path,
            optional_old_self,
            origin: _,
            rule_written: _,
            message_written: _,
        } = rule.clone();
        (
            rule,
            (message, message_expression),
            reason,
            field_path,
            optional_old_self,
        )
    };
    let old: Vec<_> = old.iter().map(parts).collect();
    let new: Vec<_> = new.iter().map(parts).collect();
    let pairs = || old.iter().zip(&new);
    let longer = old.len() != new.len();
    note(
        Field::Rule,
        longer || pairs().any(|(old, new)| old.0 != new.0),
    );
    note(Field::RuleMessage, pairs().any(|(old, new)| old.1 != new.1));
    note(Field::RuleReason, pairs().any(|(old, new)| old.2 != new.2));
    note(
        Field::RuleFieldPath,
        pairs().any(|(old, new)| old.3 != new.3),
    );
    note(
        Field::RuleOptionalOldSelf,
        pairs().any(|(old, new)| old.4 != new.4),
    );
}
