//! `#[derive(Conditions)]` and `#[derive(Reasons)]`: the constants and the impls of the traits in
//! `crd_channels_runtime::conditions`.

use crd_channels_markers::{
    self as markers, Condition, Error, ErrorKind, Extent, Polarity, Reason, Status,
};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Path, Variant, parse_quote};

/// Derives the constants of an enum of conditions and its `Conditions`.
pub(crate) fn conditions(input: &DeriveInput) -> Result<TokenStream, Vec<Error>> {
    let mut errors = Vec::new();
    let markers::Conditions { runtime, types, .. } = markers::conditions(input, &mut errors);
    check_enum(input, &mut errors);
    if errors.is_empty() {
        check_deprecated(input, &types, &mut errors);
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let name = &input.ident;
    let runtime = module(runtime);
    let value = |of: &Condition| value(of, &runtime);
    let by_variant = |wanted: &str| {
        types
            .iter()
            .find(|of| of.variant.unraw() == wanted)
            .map(value)
    };
    let declared = types.iter().map(|of| {
        let Condition {
            optional,
            reasons,
            docs,
            ..
        } = of;
        let value = value(of);
        let replaced = of.replaced.as_ref().and_then(|replaced| {
            let by = by_variant(&replaced.by.value())?;
            let until = &replaced.until;
            Some(quote!(.replaced(#by, #until)))
        });
        let optional = optional.then(|| quote!(.optional()));
        quote! {
            #runtime::Declared::new(#value, <#reasons as #runtime::Reasons>::DECLARED, #docs) #optional #replaced
        }
    });
    let constants = constants(
        types.iter().map(|of| (&of.variant, documented(of))),
        types.iter().map(value),
        &quote!(#runtime::ConditionType),
    );
    let variants = || types.iter().map(|of| &of.variant);
    let (of, reason_of) = (variants(), variants());
    let values = types.iter().map(value);
    Ok(quote! {
        #[automatically_derived]
        #[allow(dead_code)]
        impl #name {
            #constants
        }

        #[automatically_derived]
        #[allow(deprecated)]
        impl #runtime::Conditions for #name {
            const DECLARED: &'static [#runtime::Declared] = &[#(#declared),*];

            fn condition_type(&self) -> #runtime::ConditionType {
                match self {
                    #(Self::#of(_) => #values,)*
                }
            }

            fn status_reason(&self) -> #runtime::StatusReason<'_> {
                match self {
                    #(Self::#reason_of(reason) => #runtime::Reasons::status_reason(reason),)*
                }
            }
        }
    })
}

/// Derives the constants of an enum of reasons and its `Reasons`.
pub(crate) fn reasons(input: &DeriveInput) -> Result<TokenStream, Vec<Error>> {
    let mut errors = Vec::new();
    let markers::Reasons {
        runtime,
        all: reasons,
    } = markers::reasons(input, &mut errors);
    check_enum(input, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let name = &input.ident;
    let runtime = module(runtime);
    let status = |status: Status| status_of(status, &runtime);
    let declared = |of: &Reason| declared(of, &runtime);
    let constants = constants(
        reasons.iter().map(|of| {
            let docs = &of.docs;
            (&of.variant, quote!(#[doc = #docs]))
        }),
        reasons.iter().map(declared),
        &quote!(#runtime::DeclaredReason),
    );
    let declared_all = reasons.iter().map(declared);
    let arms = reasons.iter().map(|of| {
        let variant = &of.variant;
        let value = declared(of);
        let status = status(of.status);
        match of.name {
            Some(_) => quote!(Self::#variant => #runtime::StatusReason::declared(&#value)),
            None => quote! {
                Self::#variant(code) =>
                    #runtime::StatusReason::coded(#status, ::core::convert::AsRef::<str>::as_ref(code))
            },
        }
    });
    Ok(quote! {
        #[automatically_derived]
        #[allow(dead_code)]
        impl #name {
            #constants
        }

        #[automatically_derived]
        impl #runtime::Reasons for #name {
            const DECLARED: &'static [#runtime::DeclaredReason] = &[#(#declared_all),*];

            fn status_reason(&self) -> #runtime::StatusReason<'_> {
                match self {
                    #(#arms,)*
                }
            }
        }
    })
}

/// Checks that rustc warns of deprecated types: only their author can mark a variant.
fn check_deprecated(input: &DeriveInput, types: &[Condition], errors: &mut Vec<Error>) {
    let Data::Enum(data) = &input.data else {
        return;
    };
    for of in types {
        let Some(text) = deprecation(of) else {
            continue;
        };
        let is_marked = |variant: &Variant| {
            let mut attributes = variant.attrs.iter();
            attributes.any(|attribute| attribute.path().is_ident("deprecated"))
        };
        let mut variants = data.variants.iter();
        if variants.any(|variant| variant.ident == of.variant && !is_marked(variant)) {
            let message = format!(
                "rustc does not warn of `{}`, which is deprecated",
                of.variant
            );
            let error = Error::new(ErrorKind::Invalid, Extent::of(&of.variant), message);
            errors.push(error.with_help(format!("add `#[deprecated = \"{text}\"]`")));
        }
    }
}

/// What rustc says of a deprecated type.
fn deprecation(of: &Condition) -> Option<String> {
    let replaced = of.replaced.as_ref()?;
    let (by, until) = (replaced.by.value(), replaced.until.value());
    Some(format!("replaced by `{by}`, removed in {until}"))
}

/// The attributes of the constant of a type.
fn documented(of: &Condition) -> TokenStream {
    let docs = &of.docs;
    let deprecated = deprecation(of).map(|text| quote!(#[deprecated = #text]));
    quote!(#[doc = #docs] #deprecated)
}

/// Checks the gate and the tombstones of an enum.
fn check_enum(input: &DeriveInput, errors: &mut Vec<Error>) {
    drop(markers::read_node(
        &input.attrs,
        markers::type_site(input),
        errors,
    ));
}

/// The module of conditions in the runtime.
fn module(runtime: Option<Path>) -> TokenStream {
    let runtime = runtime.unwrap_or_else(|| parse_quote!(::crd_channels_runtime));
    quote!(#runtime::conditions)
}

fn value(of: &Condition, runtime: &TokenStream) -> TokenStream {
    let name = &of.name;
    match of.polarity {
        Polarity::Positive => quote!(#runtime::ConditionType::positive(#name)),
        Polarity::Negative => quote!(#runtime::ConditionType::negative(#name)),
    }
}

fn declared(of: &Reason, runtime: &TokenStream) -> TokenStream {
    let name = option(of.name.as_ref().map(|name| quote!(#name)));
    let status = status_of(of.status, runtime);
    let docs = &of.docs;
    quote!(#runtime::DeclaredReason::new(#name, #status, #docs))
}

fn status_of(status: Status, runtime: &TokenStream) -> TokenStream {
    let name = format_ident!("{}", status.name());
    quote!(#runtime::Status::#name)
}

fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

/// Returns a constant for each variant, except those whose name a variant or another constant has.
fn constants<'v>(
    variants: impl Iterator<Item = (&'v Ident, TokenStream)> + Clone,
    values: impl Iterator<Item = TokenStream>,
    ty: &TokenStream,
) -> TokenStream {
    let mut taken: Vec<String> = variants
        .clone()
        .map(|(variant, _)| variant.to_string())
        .chain(["DECLARED".to_owned()])
        .collect();
    let mut made = TokenStream::new();
    for ((variant, attributes), value) in variants.zip(values) {
        let name = markers::constant_name(&variant.unraw().to_string());
        if taken.contains(&name) {
            continue;
        }
        let ident = Ident::new(&name, variant.span());
        made.extend(quote! {
            #attributes
            pub const #ident: #ty = #value;
        });
        taken.push(name);
    }
    made
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{conditions, reasons};
    use syn::parse_quote;

    #[test]
    fn nothing_names_the_runtime_but_by_its_path() {
        let made = [
            conditions(&parse_quote! {
                #[conditions(crate = platform::runtime)]
                enum RouteCondition {
                    /// Accepted.
                    #[condition(positive)]
                    Accepted(AcceptedReason),
                }
            }),
            reasons(&parse_quote! {
                #[reasons(crate = platform::runtime)]
                enum AcceptedReason {
                    /// Accepted.
                    #[reason(True)]
                    Accepted,
                }
            }),
        ];
        for made in made {
            let text = made.unwrap().to_string();
            assert!(text.contains("platform :: runtime :: conditions"), "{text}");
            assert!(!text.contains("crd_channels_runtime"), "{text}");
        }
    }
}
