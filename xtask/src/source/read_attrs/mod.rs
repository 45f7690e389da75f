//! Structs and enums with what their attributes say.

use super::lower_syn::{expr, name, path, span, ty};
use super::tree::{Body, FieldDef, Style, TypeDef, VariantDef};
use crate::Text;
use crate::diag::{FileId, Sink, Span};

/// Reads a struct or an enum whose `cfg`s are resolved. `extents` has the place of every field, attributes and comma
/// included: one list for a struct, one per variant for an enum.
pub(super) fn read_type(
    input: syn::DeriveInput,
    extents: Vec<Vec<Span>>,
    file: FileId,
    _sink: &mut Sink,
) -> Option<TypeDef> {
    let mut derives = Vec::new();
    for attr in &input.attrs {
        if attr.path().is_ident("derive") {
            let _ = attr.parse_nested_meta(|meta| {
                derives.push(path(file, &meta.path));
                Ok(())
            });
        }
    }
    let mut extents = extents.into_iter();
    let body = match &input.data {
        syn::Data::Struct(data) => {
            let (style, fields) = fields(file, &data.fields, extents.next().unwrap_or_default());
            Body::Struct(style, fields)
        }
        syn::Data::Enum(data) => Body::Enum(
            data.variants
                .iter()
                .map(|variant| {
                    let (style, fields) =
                        fields(file, &variant.fields, extents.next().unwrap_or_default());
                    VariantDef {
                        name: name(&variant.ident),
                        span: span(file, variant.ident.span()),
                        style,
                        fields,
                        discriminant: variant.discriminant.as_ref().map(|(_, e)| expr(file, e)),
                        attrs: Default::default(),
                    }
                })
                .collect(),
        ),
        syn::Data::Union(_) => return None,
    };
    Some(TypeDef {
        name: name(&input.ident),
        span: span(file, input.ident.span()),
        generics: input
            .generics
            .type_params()
            .map(|p| name(&p.ident))
            .collect(),
        derives,
        body,
        attrs: Default::default(),
    })
}

fn fields(file: FileId, fields: &syn::Fields, extents: Vec<Span>) -> (Style, Vec<FieldDef>) {
    let style = match fields {
        syn::Fields::Named(_) => Style::Named,
        syn::Fields::Unnamed(fields) if fields.unnamed.len() == 1 => Style::Newtype,
        syn::Fields::Unnamed(_) => Style::Tuple,
        syn::Fields::Unit => Style::Unit,
    };
    let defs = fields
        .iter()
        .zip(extents)
        .enumerate()
        .map(|(index, (field, extent))| {
            let ty = ty(file, &field.ty);
            FieldDef {
                name: match &field.ident {
                    Some(ident) => name(ident),
                    None => Text::from(index.to_string()),
                },
                span: field
                    .ident
                    .as_ref()
                    .map_or(ty.span, |ident| span(file, ident.span())),
                extent,
                ty,
                attrs: Default::default(),
            }
        });
    (style, defs.collect())
}
