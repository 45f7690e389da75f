//! Every keyword of a schema in one table. Code that treats all keywords alike is made from it.

/// Calls a macro with a row for each keyword, in alphabetical order: the part of a `Schema` that the keyword is in, `own` if it
/// is the schema itself, its name, the function that writes its value, and its fields.
#[macro_export]
macro_rules! keywords {
    ($call:ident) => {
        $call! {
            (own "additionalProperties" some additional_properties)
            (junctors "allOf" list all_of)
            (junctors "anyOf" list any_of)
            (own "default" some default)
            (own "description" text description)
            (own "enum" list enum_values)
            (notes "example" some example)
            (bounds "exclusiveMaximum" flag exclusive_maximum)
            (bounds "exclusiveMinimum" flag exclusive_minimum)
            (notes "externalDocs" docs docs_url docs_description)
            (own "format" text format)
            (own "items" shared items)
            (bounds "maxItems" some max_items)
            (bounds "maxLength" some max_length)
            (bounds "maxProperties" some max_properties)
            (bounds "maximum" some maximum)
            (bounds "minItems" some min_items)
            (bounds "minLength" some min_length)
            (bounds "minProperties" some min_properties)
            (bounds "minimum" some minimum)
            (bounds "multipleOf" some multiple_of)
            (junctors "not" some not)
            (own "nullable" flag nullable)
            (junctors "oneOf" list one_of)
            (bounds "pattern" text pattern)
            (own "properties" map properties)
            (own "required" texts required)
            (own "title" text title)
            (own "type" some ty)
            (own "x-kubernetes-embedded-resource" flag embedded_resource)
            (own "x-kubernetes-int-or-string" flag int_or_string)
            (merge "x-kubernetes-list-map-keys" texts list_map_keys)
            (merge "x-kubernetes-list-type" some list_type)
            (merge "x-kubernetes-map-type" some map_type)
            (own "x-kubernetes-preserve-unknown-fields" flag preserve_unknown_fields)
            (own "x-kubernetes-validations" list rules)
        }
    };
}

macro_rules! names {
    ($(($part:ident $keyword:literal $write:ident $($field:ident)+))*) => {
        /// The names of all keywords.
        pub const KEYWORDS: &[&str] = &[$($keyword,)*];
    };
}

keywords!(names);
