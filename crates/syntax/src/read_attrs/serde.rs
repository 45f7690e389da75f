//! serde's attributes, read with the crate that serde and schemars use for them.

use super::overlay;
use super::overlay::Listed;
use super::reader::Reader;
use crate::attrs::{ContainerSerde, FieldSerde, SerdeDefault, VariantWriting};
use crate::lower_syn::{expr, name, ty};
use crate::tree::Expr;
use crd_channels_diagnostics::{Code, Diagnostic, Text, nearest};
use crd_channels_markers::Extent;
use crd_channels_markers::keys::SERDE;
use crd_channels_schema::draft::Tagging;
use proc_macro2::Span;
use quote::ToTokens;
use serde_derive_internals::ast::{Container, Data, Field, Variant};
use serde_derive_internals::attr::{Default as SerdesDefault, TagType};
use serde_derive_internals::name::MultiName;
use serde_derive_internals::{Ctxt, Derive};
use syn::{Attribute, DeriveInput, ExprPath, Fields, Ident};

/// serde's attributes of a type.
#[derive(Default)]
pub(super) struct Serde {
    /// Those of the type itself.
    pub(super) container: ContainerSerde,
    /// Those of a struct's fields.
    pub(super) fields: Vec<FieldSerde>,
    /// Those of an enum's variants.
    pub(super) variants: Vec<VariantSerde>,
}

/// serde's attributes of a variant.
#[derive(Default)]
pub(super) struct VariantSerde {
    /// The name that it is deserialized from.
    pub(super) name: Text,
    /// `skip`, `skip_deserializing`
    pub(super) skip: bool,
    /// `untagged`
    pub(super) untagged: bool,
    /// How serde itself serializes it.
    pub(super) writing: VariantWriting,
    /// Its fields.
    pub(super) fields: Vec<FieldSerde>,
}

/// Keys that only serde has, for suggestions.
const SERDE_OWN_KEYS: [&str; 11] = [
    "alias",
    "borrow",
    "crate",
    "deserialize_with",
    "expecting",
    "field_identifier",
    "getter",
    "other",
    "serialize_with",
    "variant_identifier",
    "with",
];

/// serde's attributes of a type with a derive that reads them, given its schemars attributes.
pub(super) fn serde(
    input: &DeriveInput,
    schemars: &[Vec<Listed>],
    reader: &mut Reader<'_>,
) -> Serde {
    if !overlay::needed(schemars) {
        return read_serde(input, reader);
    }
    // serde itself reads the source, schemars the overlay; both may reject it.
    let own = read_serde(input, reader);
    let laid = overlay::laid_over(input, reader);
    let mut serde = read_serde(&laid, reader);
    serde.container.own = Some(Box::new(own.container));
    keep_own(&mut serde.fields, own.fields);
    for (laid, own) in serde.variants.iter_mut().zip(own.variants) {
        laid.writing = own.writing;
        keep_own(&mut laid.fields, own.fields);
    }
    serde
}

fn keep_own(laid: &mut [FieldSerde], own: Vec<FieldSerde>) {
    for (laid, own) in laid.iter_mut().zip(own) {
        laid.own = Some(Box::new(own));
    }
}

/// The names as in Rust, for a type without serde derives.
pub(super) fn unread(input: &DeriveInput) -> Serde {
    let fields = |fields: &Fields| -> Vec<FieldSerde> {
        let named = fields.iter().enumerate();
        named
            .map(|(index, field)| FieldSerde {
                name: match &field.ident {
                    Some(ident) => name(ident),
                    None => Text::from(index.to_string()),
                },
                ..FieldSerde::default()
            })
            .collect()
    };
    match &input.data {
        syn::Data::Struct(data) => Serde {
            fields: fields(&data.fields),
            ..Serde::default()
        },
        syn::Data::Enum(data) => Serde {
            variants: data
                .variants
                .iter()
                .map(|variant| VariantSerde {
                    name: name(&variant.ident),
                    writing: VariantWriting {
                        name: name(&variant.ident),
                        ..VariantWriting::default()
                    },
                    fields: fields(&variant.fields),
                    ..VariantSerde::default()
                })
                .collect(),
            ..Serde::default()
        },
        syn::Data::Union(_) => Serde::default(),
    }
}

/// The first name that serde's derive cannot rename: by `camelCase` it changes the first byte, and panics if that is not a letter.
fn unnameable(input: &DeriveInput) -> Option<&Ident> {
    fn of_fields(fields: &Fields) -> impl Iterator<Item = (&Ident, &[Attribute])> {
        let fields = fields.iter();
        fields.filter_map(|field| Some((field.ident.as_ref()?, &field.attrs[..])))
    }
    let mut names: Vec<(&Ident, &[Attribute])> = match &input.data {
        syn::Data::Struct(data) => of_fields(&data.fields).collect(),
        syn::Data::Enum(data) => {
            let variants = data.variants.iter();
            let names = variants.flat_map(|variant| {
                let own = std::iter::once((&variant.ident, &variant.attrs[..]));
                own.chain(of_fields(&variant.fields))
            });
            names.collect()
        }
        syn::Data::Union(_) => Vec::new(),
    };
    let says = |attr: &Attribute, word: &str| attr.to_token_stream().to_string().contains(word);
    names.retain(|(name, attrs)| {
        let is_ascii = name.to_string().starts_with(|first: char| first.is_ascii());
        !is_ascii && !attrs.iter().any(|attr| says(attr, "rename"))
    });
    let (name, _) = names.first()?;
    let all = input.to_token_stream().to_string();
    all.contains("\"camelCase\"").then_some(*name)
}

fn read_serde(input: &DeriveInput, reader: &mut Reader<'_>) -> Serde {
    if let Some(name) = unnameable(input) {
        reader.find(
            Code::InvalidAttribute,
            Extent::of(name),
            format!("serde cannot rename `{name}` to `camelCase`"),
            "write `#[serde(rename = \"..\")]` instead of `rename_all`",
        );
        return unread(input);
    }
    let context = Ctxt::new();
    // The name is only used in generated code.
    let private = Ident::new("__private", Span::call_site());
    let container = Container::from_ast(&context, input, Derive::Deserialize, &private);
    if let Err(errors) = context.check() {
        for error in errors {
            refused(&error, input, reader);
        }
    }
    let Some(container) = container else {
        return unread(input);
    };
    let attrs = &container.attrs;
    let tag = match attrs.tag() {
        TagType::External => Tagging::External,
        TagType::Internal { tag } => Tagging::Internal {
            tag: Text::from(tag.as_str()),
        },
        TagType::Adjacent { tag, content } => Tagging::Adjacent {
            tag: Text::from(tag.as_str()),
            content: Text::from(content.as_str()),
        },
        TagType::None => Tagging::Untagged,
    };
    let own = ContainerSerde {
        tag,
        default: default(attrs.default(), reader),
        deny_unknown: attrs.deny_unknown_fields(),
        transparent: attrs.transparent(),
        from: attrs
            .type_from()
            .or(attrs.type_try_from())
            .map(|from| ty(reader.file, from)),
        remote: attrs.remote().is_some(),
        into: attrs.type_into().map(|into| ty(reader.file, into)),
        name: Text::from(attrs.name().serialize_name().value.as_str()),
        schema_name: match attrs.remote().and_then(|of| of.segments.last()) {
            Some(last) => Text::from(last.ident.to_string()),
            None => Text::from(attrs.name().deserialize_name().value.as_str()),
        },
        own: None,
    };
    let mut serde = Serde {
        container: own,
        ..Serde::default()
    };
    match &container.data {
        Data::Struct(_, fields) => serde.fields = self::fields(fields, reader),
        Data::Enum(variants) => {
            serde.variants = variants.iter().map(|v| variant(v, reader)).collect();
        }
    }
    serde
}

fn variant(variant: &Variant<'_>, reader: &mut Reader<'_>) -> VariantSerde {
    let attrs = &variant.attrs;
    VariantSerde {
        name: Text::from(attrs.name().deserialize_name().value.as_str()),
        skip: attrs.skip_deserializing(),
        untagged: attrs.untagged(),
        writing: VariantWriting {
            name: Text::from(attrs.name().serialize_name().value.as_str()),
            skip: attrs.skip_serializing(),
            untagged: attrs.untagged(),
            serialize_with: followed(attrs.serialize_with(), reader),
        },
        fields: fields(&variant.fields, reader),
    }
}

fn fields(fields: &[Field<'_>], reader: &mut Reader<'_>) -> Vec<FieldSerde> {
    let mut found = Vec::with_capacity(fields.len());
    for Field { attrs, .. } in fields {
        found.push(FieldSerde {
            name: Text::from(attrs.name().deserialize_name().value.as_str()),
            serialize_name: serialize_name(attrs.name()),
            skip_deserializing: attrs.skip_deserializing(),
            skip_serializing: attrs.skip_serializing(),
            skip_serializing_if: followed(attrs.skip_serializing_if(), reader),
            default: default(attrs.default(), reader),
            flatten: attrs.flatten(),
            serialize_with: followed(attrs.serialize_with(), reader),
            transparent: attrs.transparent(),
            own: None,
        });
    }
    found
}

/// The name that is serialized, if it differs from the deserialized one.
fn serialize_name(names: &MultiName) -> Option<Text> {
    let written = names.serialize_name();
    (written != names.deserialize_name()).then(|| Text::from(written.value.as_str()))
}

fn default(default: &SerdesDefault, reader: &mut Reader<'_>) -> SerdeDefault {
    match default {
        SerdesDefault::None => SerdeDefault::None,
        SerdesDefault::Default => SerdeDefault::Default,
        SerdesDefault::Path(path) => {
            followed(Some(path), reader).map_or(SerdeDefault::Default, SerdeDefault::Function)
        }
    }
}

/// The function that a path refers to, with its type and trait if it has them.
fn followed(function: Option<&ExprPath>, reader: &Reader<'_>) -> Option<Expr> {
    let function = syn::Expr::Path(function?.clone());
    Some(expr(reader.file, &function))
}

/// Reports an error with serde's own message and span.
fn refused(error: &syn::Error, input: &DeriveInput, reader: &mut Reader<'_>) {
    let message = error.to_string();
    let mut place = reader.place(Extent::at(error.span()));
    if place.start == place.end {
        // An error without a token refers to the type.
        place = reader.place(Extent::of(&input.ident));
    }
    let mut found = Diagnostic::new(Code::SerdeAttribute, place, message.as_str());
    let known = || SERDE.iter().chain(&SERDE_OWN_KEYS).copied();
    if message.starts_with("unknown serde ")
        && let Some(given) = message.split('`').nth(1)
        && let Some(near) = nearest(given, known())
    {
        found = found.with_help(format!("did you mean `{near}`?"));
    }
    reader.sink.push(found);
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::{SERDE, SERDE_OWN_KEYS};
    use std::fs;
    use std::path::Path;

    /// Keys that the random types of the oracle do not use.
    const NOT_DRAWN: [(&str, &str); 4] = [
        ("borrow", "is about lifetimes, which no kind has"),
        ("field_identifier", "serde derives no `Serialize` beside it"),
        ("getter", "is about private fields of other crates"),
        (
            "variant_identifier",
            "serde derives no `Serialize` beside it",
        ),
    ];

    #[test]
    fn every_key_is_documented_and_compared_with_the_compiled_types() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let page = fs::read_to_string(root.join("docs/attributes.md")).unwrap();
        let row = page
            .lines()
            .find(|line| line.starts_with("| `#[serde(..)]`"));
        let row = row.unwrap();
        let oracle: String = fs::read_dir(root.join("oracle/tests/attributes"))
            .unwrap()
            .map(|file| fs::read_to_string(file.unwrap().path()).unwrap())
            .collect();
        for key in SERDE.iter().chain(&SERDE_OWN_KEYS) {
            assert!(
                row.contains(&format!("`{key}`")),
                "docs/attributes.md does not name `{key}` of `#[serde(..)]`"
            );
            let starts = [format!("serde({key}"), format!(", {key} = ")];
            let is_drawn = starts.iter().any(|start| oracle.contains(start));
            let reason = NOT_DRAWN.iter().find(|(not_drawn, _)| not_drawn == key);
            assert!(
                is_drawn != reason.is_some(),
                "`{key}`: oracle/tests/attributes/grammar.txt draws it, or `NOT_DRAWN` says why not"
            );
        }
    }
}
