//! The plan of a spoke's type: which field or variant becomes which of the hub's.

use super::attributes::{Becomes, Container, Field, How, Map};
use super::description::{field_name, with_json};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use serde_derive_internals::ast;
use serde_derive_internals::ast::{Data, Style};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Error, Ident, Member, Path, Result};

/// Implements `Convert`.
pub(super) fn convert_impl(
    json: &ast::Container<'_>,
    container: &Container,
    hub: &Path,
) -> Result<TokenStream> {
    let writer = Writer {
        spoke: &json.ident,
        hub,
        runtime: &container.runtime,
    };
    let plan = match &json.data {
        Data::Struct(style, fields) => writer.structure(json, *style, fields, container)?,
        Data::Enum(variants) => writer.enumeration(variants, container)?,
    };
    let (spoke, runtime) = (&json.ident, &container.runtime);
    let private = writer.private();
    let Plan { plan, asserted } = plan;
    Ok(quote! {
        #asserted
        #[automatically_derived]
        impl #runtime::conversion::Convert<#hub> for #spoke {
            fn plan() -> #runtime::conversion::Plan {
                fn plan() -> &'static #private::TypePlan {
                    static PLAN: ::std::sync::OnceLock<#private::TypePlan> = ::std::sync::OnceLock::new();
                    PLAN.get_or_init(|| #plan)
                }
                #runtime::conversion::Plan::of_type(plan)
            }
        }
    })
}

/// The expression of a plan, and the items that check it.
struct Plan {
    plan: TokenStream,
    asserted: TokenStream,
}

/// The fields or variants of the hub that are mentioned.
type Named = Vec<String>;

struct Writer<'a> {
    spoke: &'a Ident,
    hub: &'a Path,
    runtime: &'a Path,
}

/// The variant whose fields are paired, in each version.
#[derive(Clone, Copy)]
struct InVariant<'a> {
    spoke: &'a Ident,
    hub: &'a Ident,
}

impl Writer<'_> {
    fn private(&self) -> TokenStream {
        let runtime = self.runtime;
        quote!(#runtime::conversion::__private)
    }

    fn structure(
        &self,
        json: &ast::Container<'_>,
        style: Style,
        fields: &[ast::Field<'_>],
        container: &Container,
    ) -> Result<Plan> {
        if let Some((_, Some(shown))) = container.hub_only.iter().find(|(_, shown)| shown.is_some())
        {
            return Err(Error::new_spanned(shown, "`=>` is for variants only"));
        }
        let private = self.private();
        let (spoke, hub) = (self.spoke, self.hub);
        let mapped: Vec<String> = container
            .maps
            .iter()
            .flat_map(|map| map.spoke.iter().map(|name| name.unraw().to_string()))
            .collect();
        let (mut pairs, mut named) = self.fields(fields, &mapped, None)?;
        for (member, _) in &container.hub_only {
            let name = field_name(member);
            let access = quote_spanned!(member.span()=> |hub: &#hub| ::core::option::Option::Some(&hub.#member));
            pairs.extend(quote_spanned!(member.span()=> .hub_only(#name, #access)));
            named.push(name);
        }
        for map in &container.maps {
            pairs.extend(self.map(map));
            named.extend(map.hub.iter().map(|name| name.unraw().to_string()));
        }
        let pairs = quote! {
            #private::Pairs::<#spoke, #hub>::of(::core::option::Option::None, ::core::option::Option::None) #pairs
        };
        let is_newtype = matches!(style, Style::Newtype) || json.attrs.transparent();
        let plan = match is_newtype {
            true => quote!(#private::TypePlan::Newtype(#pairs.newtype())),
            false => quote!(#private::TypePlan::Fields(#pairs.fields())),
        };
        let names = quote!(<#hub as #private::Description>::NAMES);
        let asserted = self.assert(
            &names,
            &named,
            "the hub has the field `",
            "`, and this type does not: add it here, or write `hub_only(..)` with its name",
        );
        Ok(Plan { plan, asserted })
    }

    fn enumeration(&self, variants: &[ast::Variant<'_>], container: &Container) -> Result<Plan> {
        let private = self.private();
        let (spoke, hub) = (self.spoke, self.hub);
        let (mut pairs, mut named, mut asserted) =
            (TokenStream::new(), Named::new(), TokenStream::new());
        for variant in variants {
            if variant.attrs.skip_deserializing() {
                continue;
            }
            let Becomes { name, one_way } = Becomes::read(variant.original)?;
            let (in_spoke, in_hub) = (variant.ident.unraw().to_string(), name.unraw().to_string());
            asserted.extend(self.exists(&name));
            if one_way {
                pairs.extend(quote!(.spoke_only(#in_spoke, #in_hub)));
                continue;
            }
            if named.contains(&in_hub) {
                return Err(Error::new_spanned(
                    name,
                    "several variants convert to this one: write `to = ..` on all but one of them",
                ));
            }
            let both = InVariant {
                spoke: &variant.ident,
                hub: &name,
            };
            let (fields, own) = self.fields(&variant.fields, &[], Some(both))?;
            let names = quote! {
                #private::fields_of(<#hub as #private::Description>::FIELDS_OF_VARIANTS, #in_hub)
            };
            asserted.extend(self.assert(
                &names,
                &own,
                "this variant of the hub has the field `",
                "`, and this type does not: add it here, or implement `Convert` by hand",
            ));
            let span = variant.ident.span();
            pairs
                .extend(quote_spanned!(span=> .variant(#in_spoke, #in_hub, |pairs| pairs #fields)));
            named.push(in_hub);
        }
        for (member, shown) in &container.hub_only {
            let (Some(shown), Member::Named(name)) = (shown, member) else {
                return Err(Error::new_spanned(
                    member,
                    "map a variant that only the hub has to one of this type: `Variant => Shown`",
                ));
            };
            asserted.extend(self.exists(name));
            let (in_hub, in_spoke) = (name.unraw().to_string(), shown.unraw().to_string());
            let is_there = variants.iter().any(|variant| variant.ident == *shown);
            if !is_there {
                return Err(Error::new_spanned(shown, "this type has no such variant"));
            }
            pairs.extend(quote!(.hub_only(#in_hub, #in_spoke)));
            named.push(in_hub);
        }
        let names = quote!(<#hub as #private::Description>::NAMES);
        asserted.extend(self.assert(
            &names,
            &named,
            "the hub has the variant `",
            "`, and this type does not: add it here, or write `hub_only(Variant => Shown)`",
        ));
        let plan = quote! {
            #private::TypePlan::Variants(
                <#private::VariantPairs::<#spoke, #hub> as ::core::default::Default>::default() #pairs .variants()
            )
        };
        Ok(Plan { plan, asserted })
    }

    /// The calls that pair fields, and the names of the hub's.
    fn fields(
        &self,
        fields: &[ast::Field<'_>],
        mapped: &[String],
        variant: Option<InVariant<'_>>,
    ) -> Result<(TokenStream, Named)> {
        let (mut pairs, mut named) = (TokenStream::new(), Named::new());
        for field in with_json(fields) {
            let member = &field.member;
            let name = field_name(member);
            if mapped.contains(&name) {
                continue;
            }
            let Field { rename, how } = Field::read(&field.original.attrs)?;
            let in_hub = rename.unwrap_or_else(|| member.clone());
            let span = field.ty.span();
            let spoke = self.access(false, member, variant, span);
            let hub_span = match &in_hub {
                Member::Named(name) => name.span(),
                Member::Unnamed(_) => span,
            };
            let hub = self.access(true, &in_hub, variant, hub_span);
            let hub_name = field_name(&in_hub);
            pairs.extend(match how {
                Some(How::Skip) => quote_spanned!(span=> .spoke_only(#name, #spoke)),
                Some(How::Same) => quote_spanned!(span=> .same(#name, #hub_name, #spoke, #hub)),
                None => quote_spanned!(span=> .field(#name, #hub_name, #spoke, #hub)),
                Some(How::With(module)) => {
                    if field.attrs.flatten() {
                        return Err(Error::new_spanned(
                            module,
                            "a flattened field has no JSON of its own: derive `Convert` on its type",
                        ));
                    }
                    quote_spanned! {module.span()=>
                        .with(#name, #hub_name, #spoke, #hub, #module::to_hub, #module::from_hub)
                    }
                }
            });
            if !matches!(Field::read(&field.original.attrs)?.how, Some(How::Skip)) {
                named.push(hub_name);
            }
        }
        Ok((pairs, named))
    }

    /// The function from a type to one of its fields.
    fn access(
        &self,
        of_hub: bool,
        member: &Member,
        variant: Option<InVariant<'_>>,
        span: Span,
    ) -> TokenStream {
        let ty = match of_hub {
            true => {
                let hub = self.hub;
                quote!(#hub)
            }
            false => {
                let spoke = self.spoke;
                quote!(#spoke)
            }
        };
        match variant {
            None => {
                quote_spanned!(span=> |value: &#ty| ::core::option::Option::Some(&value.#member))
            }
            Some(both) => {
                let variant = match of_hub {
                    true => both.hub,
                    false => both.spoke,
                };
                // An alias, since a path with generic arguments is not allowed in every pattern.
                quote_spanned! {span=> {
                    type Type = #ty;
                    #[allow(unreachable_patterns)]
                    |value: &Type| match value {
                        Type::#variant { #member: field, .. } => ::core::option::Option::Some(field),
                        _ => ::core::option::Option::None,
                    }
                }}
            }
        }
    }

    /// Fields that two functions convert together, and a function that is never called, which checks their types.
    fn map(&self, map: &Map) -> TokenStream {
        let Map { spoke, hub, module } = map;
        let (of_spoke, of_hub) = (self.spoke, self.hub);
        let names = |fields: &[Ident]| -> Vec<String> {
            fields.iter().map(|name| name.unraw().to_string()).collect()
        };
        let (spoke_names, hub_names) = (names(spoke), names(hub));
        let values = |count: usize| -> Vec<Ident> {
            (0..count)
                .map(|index| format_ident!("value_{index}"))
                .collect()
        };
        let (spoke_values, hub_values) = (values(spoke.len()), values(hub.len()));
        let result = |count: usize| match count {
            1 => quote!(.map(|value| (value,))),
            _ => quote!(),
        };
        let (to_hub, from_hub) = (result(hub.len()), result(spoke.len()));
        quote_spanned! {module.span()=>
            .together(
                &[#(#spoke_names),*],
                &[#(#hub_names),*],
                |(#(#spoke_values,)*)| #module::to_hub(#(#spoke_values),*) #to_hub,
                |(#(#hub_values,)*)| #module::from_hub(#(#hub_values),*) #from_hub,
                |spoke: #of_spoke| (#(spoke.#spoke,)*),
                |hub: #of_hub| (#(hub.#hub,)*),
            )
        }
    }

    /// Makes the compiler look for a variant of the hub.
    fn exists(&self, variant: &Ident) -> TokenStream {
        let hub = self.hub;
        quote_spanned! {variant.span()=>
            const _: fn(&#hub) -> bool = {
                type Type = #hub;
                |value| ::core::matches!(value, Type::#variant { .. })
            };
        }
    }

    fn assert(
        &self,
        names: &TokenStream,
        named: &[String],
        before: &str,
        after: &str,
    ) -> TokenStream {
        let runtime = self.runtime;
        quote_spanned! {self.hub.span()=>
            #runtime::__assert_named!(#names, [#(#named),*], #before, #after);
        }
    }
}
