//! The description of a type's JSON, as serde's attributes say it.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use serde_derive_internals::ast::{Container, Data, Field, Style, Variant};
use serde_derive_internals::attr::{Default, TagType};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Error, Ident, Member, Path, Result};

/// Implements `Description`.
pub(super) fn description_impl(json: &Container<'_>, runtime: &Path) -> Result<TokenStream> {
    let private = quote!(#runtime::conversion::__private);
    let name = &json.ident;
    let content = match &json.data {
        Data::Struct(style, fields) => structure(json, *style, fields, &private)?,
        Data::Enum(variants) => enumeration(json, variants, &private)?,
    };
    Ok(quote! {
        #[automatically_derived]
        impl #private::Description for #name { #content }
    })
}

/// The fields that have JSON.
pub(super) fn with_json<'f, 'a>(fields: &'f [Field<'a>]) -> impl Iterator<Item = &'f Field<'a>> {
    fields
        .iter()
        .filter(|field| !field.attrs.skip_deserializing())
}

/// The name of a field, as it is searched for.
pub(super) fn field_name(member: &Member) -> String {
    match member {
        Member::Named(name) => name.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

fn structure(
    json: &Container<'_>,
    style: Style,
    fields: &[Field<'_>],
    private: &TokenStream,
) -> Result<TokenStream> {
    refuse_tuples(style, &json.ident)?;
    let names = with_json(fields).map(|field| field_name(&field.member));
    let described = described(json, fields, private);
    Ok(quote! {
        const NAMES: &'static [&'static str] = &[#(#names),*];
        fn fields(_: ::core::option::Option<&str>) -> &'static [#private::DescribedField] {
            static FIELDS: &[#private::DescribedField] = &[#described];
            FIELDS
        }
    })
}

fn refuse_tuples(style: Style, at: &Ident) -> Result<()> {
    match style {
        Style::Tuple => Err(Error::new_spanned(
            at,
            "several fields without names are not supported: implement `Convert` by hand",
        )),
        _ => Ok(()),
    }
}

fn enumeration(
    json: &Container<'_>,
    variants: &[Variant<'_>],
    private: &TokenStream,
) -> Result<TokenStream> {
    let variants: Vec<&Variant<'_>> = variants
        .iter()
        .filter(|variant| !variant.attrs.skip_deserializing())
        .collect();
    let tagging = match json.attrs.tag() {
        TagType::External => quote!(External),
        TagType::Internal { tag } => quote!(Internal(#tag)),
        TagType::Adjacent { tag, content } => quote!(Adjacent(#tag, #content)),
        TagType::None => quote!(Untagged),
    };
    let names: Vec<String> = variants
        .iter()
        .map(|variant| variant.ident.unraw().to_string())
        .collect();
    let (mut described_variants, mut fields, mut of_variants) =
        (Vec::new(), Vec::new(), Vec::new());
    for (variant, rust) in variants.iter().zip(&names) {
        refuse_tuples(variant.style, &variant.ident)?;
        if variant.attrs.untagged() {
            return Err(Error::new_spanned(
                &variant.ident,
                "a variant without a tag among others is not supported: implement `Convert` by hand",
            ));
        }
        let name = variant.attrs.name().deserialize_name();
        let name = AsRef::<str>::as_ref(&name.value);
        let style = match variant.style {
            Style::Unit => quote!(Unit),
            Style::Newtype => quote!(Newtype),
            Style::Struct | Style::Tuple => quote!(Struct),
        };
        described_variants.push(quote! {
            #private::DescribedVariant { rust: #rust, json: #name, style: #private::Style::#style }
        });
        let described = described(json, &variant.fields, private);
        fields.push(quote! {
            ::core::option::Option::Some(#rust) => {
                static FIELDS: &[#private::DescribedField] = &[#described];
                FIELDS
            }
        });
        let own = with_json(&variant.fields).map(|field| field_name(&field.member));
        of_variants.push(quote!((#rust, &[#(#own),*])));
    }
    let untagged = matches!(json.attrs.tag(), TagType::None).then(|| {
        let arms = variants.iter().enumerate().map(|(index, variant)| {
            let ident = &variant.ident;
            quote!(::core::result::Result::Ok(Self::#ident { .. }) => ::core::option::Option::Some(#index),)
        });
        quote! {
            fn untagged(value: &#private::Value) -> ::core::option::Option<usize> {
                #[allow(unreachable_patterns)]
                match #private::from_value::<Self>(::core::clone::Clone::clone(value)) {
                    #(#arms)*
                    _ => ::core::option::Option::None,
                }
            }
        }
    });
    Ok(quote! {
        const NAMES: &'static [&'static str] = &[#(#names),*];
        const FIELDS_OF_VARIANTS: &'static [(&'static str, &'static [&'static str])] = &[#(#of_variants),*];
        const TAGGING: #private::Tagging = #private::Tagging::#tagging;
        fn variants() -> &'static [#private::DescribedVariant] {
            static VARIANTS: &[#private::DescribedVariant] = &[#(#described_variants),*];
            VARIANTS
        }
        fn fields(variant: ::core::option::Option<&str>) -> &'static [#private::DescribedField] {
            match variant { #(#fields)* _ => &[] }
        }
        #untagged
    })
}

fn described(json: &Container<'_>, fields: &[Field<'_>], private: &TokenStream) -> TokenStream {
    let described = with_json(fields).map(|field| {
        let rust = field_name(&field.member);
        let name = field.attrs.name().deserialize_name();
        let name = AsRef::<str>::as_ref(&name.value);
        let flatten = field.attrs.flatten();
        let ty = field.ty;
        let span = field.ty.span();
        let default = default(json, field);
        let is_required = match (&default, field.attrs.deserialize_with()) {
            (Some(_), _) => quote!(|| false),
            (None, Some(_)) => quote!(|| true),
            (None, None) => quote_spanned!(span=> #private::is_required::<#ty>),
        };
        // What is written by a function of its own need not be `Serialize`.
        let default = default.filter(|_| field.attrs.serialize_with().is_none());
        let absent = match default {
            Some(value) => quote_spanned!(span=> || #private::to_value(#value).ok()),
            None => quote!(|| ::core::option::Option::None),
        };
        quote! {
            #private::DescribedField {
                rust: #rust, json: #name, flatten: #flatten, is_required: #is_required, absent: #absent,
            },
        }
    });
    described.collect()
}

/// The value of a field that is absent, if it need not be there.
fn default(json: &Container<'_>, field: &Field<'_>) -> Option<TokenStream> {
    let ty = field.ty;
    let member = &field.member;
    let name = &json.ident;
    match field.attrs.default() {
        Default::Default => Some(quote!(<#ty as ::core::default::Default>::default())),
        Default::Path(path) => Some(quote!(#path())),
        Default::None => match json.attrs.default() {
            Default::None => None,
            Default::Default => {
                Some(quote!(&<#name as ::core::default::Default>::default().#member))
            }
            Default::Path(path) => Some(quote!(&#path().#member)),
        },
    }
}
