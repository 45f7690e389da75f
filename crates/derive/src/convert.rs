//! `#[derive(Convert)]`: converts a spoke's type to the hub's and back, field by field.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::meta::ParseNestedMeta;
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{
    Attribute, Data, DataEnum, DeriveInput, Error, Fields, Ident, Member, Path, Result, Token,
    Variant, parenthesized,
};

/// The arguments of `#[convert(..)]` on the type.
struct Container {
    hub: Path,
    /// Fields that only the hub's type has, or such variants, each with the variant that replaces it in the spoke.
    hub_only: Vec<(Member, Option<Ident>)>,
}

/// The arguments of `#[convert(..)]` on a field.
#[derive(Default)]
struct Field {
    rename: Option<Member>,
    how: Option<How>,
}

/// The conversion of a field, if not by its type's own [`Convert`].
enum How {
    /// Both versions have the same type.
    Same,
    /// By the functions `to_hub` and `from_hub` of a module.
    With(Path),
    /// The hub's type lacks it.
    Skip,
}

/// The variant of the hub's type that a variant is converted to.
struct Becomes {
    name: Ident,
    /// Whether the hub's variant is converted back to another one.
    one_way: bool,
}

/// The direction of a conversion.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Direction {
    ToHub,
    FromHub,
}

/// Derives both implementations.
pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    if let Some(first) = input.generics.params.first() {
        return Err(Error::new_spanned(
            first,
            "generic types are not supported: implement `Convert` by hand",
        ));
    }
    let container = container(input)?;
    let mut both = TokenStream::new();
    for direction in [Direction::ToHub, Direction::FromHub] {
        let body = match &input.data {
            Data::Struct(data) => structure(&container, &data.fields, direction)?,
            Data::Enum(data) => enumeration(&container, data, direction)?,
            Data::Union(data) => {
                return Err(Error::new(
                    data.union_token.span,
                    "unions are not supported: implement `Convert` by hand",
                ));
            }
        };
        both.extend(implementation(
            &input.ident,
            &container.hub,
            direction,
            &body,
        ));
    }
    Ok(both)
}

fn implementation(
    spoke: &Ident,
    hub: &Path,
    direction: Direction,
    body: &TokenStream,
) -> TokenStream {
    let (from, to) = match direction {
        Direction::ToHub => (quote!(#spoke), quote!(#hub)),
        Direction::FromHub => (quote!(#hub), quote!(#spoke)),
    };
    quote! {
        #[automatically_derived]
        impl ::crd_channels_runtime::conversion::Convert<#to> for #from {
            fn convert(self) -> ::core::result::Result<#to, ::crd_channels_runtime::conversion::Unconvertible> {
                // As aliases, since a path with generic arguments is not allowed everywhere.
                type __From = #from;
                type __To = #to;
                ::core::result::Result::Ok(#body)
            }
        }
    }
}

fn structure(container: &Container, fields: &Fields, direction: Direction) -> Result<TokenStream> {
    if let Some((_, Some(shown))) = container.hub_only.iter().find(|(_, shown)| shown.is_some()) {
        return Err(Error::new_spanned(shown, "`to` is for variants only"));
    }
    let hub_only: Vec<&Member> = container
        .hub_only
        .iter()
        .map(|(member, _)| member)
        .collect();
    let Arm { taken, given } = arm(fields, &hub_only, direction)?;
    Ok(quote!({ let __From { #taken } = self; __To { #given } }))
}

fn enumeration(
    container: &Container,
    data: &DataEnum,
    direction: Direction,
) -> Result<TokenStream> {
    let mut arms = Vec::new();
    let mut taken: Vec<Ident> = Vec::new();
    for variant in &data.variants {
        let spoke = &variant.ident;
        let Becomes { name, one_way } = becomes(variant)?;
        if !one_way && taken.contains(&name) {
            return Err(Error::new_spanned(
                name,
                "several variants convert to this one: write `to = ..` on all but one of them",
            ));
        }
        taken.extend((!one_way).then(|| name.clone()));
        let span = spoke.span();
        match (direction, one_way) {
            (Direction::ToHub, true) => {
                arms.push(quote_spanned!(span=> __From::#spoke { .. } => __To::#name {}));
            }
            (Direction::FromHub, true) => {}
            (_, false) => {
                let Arm { taken, given } = arm(&variant.fields, &[], direction)?;
                let (from, to) = match direction {
                    Direction::ToHub => (spoke, &name),
                    Direction::FromHub => (&name, spoke),
                };
                arms.push(quote_spanned!(span=> __From::#from { #taken } => __To::#to { #given }));
            }
        }
    }
    for (hub, shown) in &container.hub_only {
        let Some(shown) = shown else {
            return Err(Error::new_spanned(
                hub,
                "map a variant that only the hub has to one of this type: `Variant => Shown`",
            ));
        };
        if direction == Direction::FromHub {
            arms.push(quote_spanned!(hub.span()=> __From::#hub { .. } => __To::#shown {}));
        }
    }
    Ok(quote!(match self { #(#arms,)* }))
}

/// The pattern with the fields of one side, and the expression with those of the other.
struct Arm {
    taken: TokenStream,
    given: TokenStream,
}

fn arm(fields: &Fields, hub_only: &[&Member], direction: Direction) -> Result<Arm> {
    let (mut taken, mut given) = (TokenStream::new(), TokenStream::new());
    for (index, (member, declared)) in fields.members().zip(fields).enumerate() {
        let Field { rename, how } = field(&declared.attrs)?;
        let value = format_ident!("field_{index}", span = declared.span());
        let in_hub = rename.unwrap_or_else(|| member.clone());
        let (from, to) = match direction {
            Direction::ToHub => (&member, &in_hub),
            Direction::FromHub => (&in_hub, &member),
        };
        if let Some(How::Skip) = how {
            match direction {
                Direction::ToHub => taken.extend(quote!(#from: _,)),
                Direction::FromHub => {
                    given.extend(quote!(#to: ::core::default::Default::default(),));
                }
            }
            continue;
        }
        taken.extend(quote!(#from: #value,));
        let expression = converted(
            &value,
            &in_path(from),
            how.as_ref(),
            direction,
            declared.span(),
        );
        given.extend(quote!(#to: #expression,));
    }
    for member in hub_only {
        match direction {
            Direction::ToHub => given.extend(quote!(#member: ::core::default::Default::default(),)),
            Direction::FromHub => taken.extend(quote!(#member: _,)),
        }
    }
    Ok(Arm { taken, given })
}

fn converted(
    value: &Ident,
    name: &str,
    how: Option<&How>,
    direction: Direction,
    span: Span,
) -> TokenStream {
    let convert = match (how, direction) {
        (Some(How::Same | How::Skip), _) => return quote!(#value),
        (Some(How::With(module)), Direction::ToHub) => quote!(#module::to_hub(#value)),
        (Some(How::With(module)), Direction::FromHub) => quote!(#module::from_hub(#value)),
        (None, _) => quote_spanned! {span=>
            ::crd_channels_runtime::conversion::Convert::convert(#value)
        },
    };
    quote! {
        #convert.map_err(|error: ::crd_channels_runtime::conversion::Unconvertible| error.at(#name))?
    }
}

/// The name of a field in the path of an error.
fn in_path(member: &Member) -> String {
    match member {
        Member::Named(name) => name.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

fn container(input: &DeriveInput) -> Result<Container> {
    let (mut hub, mut hub_only) = (None, Vec::new());
    each_key(&input.attrs, |meta| {
        if meta.path.is_ident("hub") {
            return once(&mut hub, meta.value()?.parse()?, &meta);
        }
        if meta.path.is_ident("hub_only") {
            let inner;
            parenthesized!(inner in meta.input);
            let list = inner.parse_terminated(only_in_hub, Token![,])?;
            hub_only.extend(list);
            return Ok(());
        }
        Err(meta.error("unknown key: a type has `hub = Path` and `hub_only(..)`"))
    })?;
    let missing = || {
        Error::new_spanned(
            &input.ident,
            "the hub's type is missing: write `#[convert(hub = v1::Type)]`",
        )
    };
    Ok(Container {
        hub: hub.ok_or_else(missing)?,
        hub_only,
    })
}

/// Parses `name`, or `Variant => Shown`.
fn only_in_hub(input: ParseStream<'_>) -> Result<(Member, Option<Ident>)> {
    let member = input.parse()?;
    let shown = match input.parse::<Option<Token![=>]>>()? {
        Some(_) => Some(input.parse()?),
        None => None,
    };
    Ok((member, shown))
}

fn field(attributes: &[Attribute]) -> Result<Field> {
    let mut field = Field::default();
    each_key(attributes, |meta| {
        if meta.path.is_ident("rename") {
            return once(&mut field.rename, meta.value()?.parse()?, &meta);
        }
        let how = if meta.path.is_ident("same") {
            How::Same
        } else if meta.path.is_ident("skip") {
            How::Skip
        } else if meta.path.is_ident("with") {
            How::With(meta.value()?.parse()?)
        } else {
            return Err(meta.error(
                "unknown key: a field has `rename = name` and one of `same`, `with = module`, `skip`",
            ));
        };
        once(&mut field.how, how, &meta)
    })?;
    match (&field.rename, &field.how) {
        (Some(rename), Some(How::Skip)) => Err(Error::new_spanned(
            rename,
            "a field that the hub does not have cannot be renamed",
        )),
        _ => Ok(field),
    }
}

fn becomes(variant: &Variant) -> Result<Becomes> {
    let mut becomes = None;
    each_key(&variant.attrs, |meta| {
        let one_way = meta.path.is_ident("to");
        if !one_way && !meta.path.is_ident("rename") {
            return Err(meta.error("unknown key: a variant has `rename = Name` or `to = Name`"));
        }
        let name = meta.value()?.parse()?;
        once(&mut becomes, Becomes { name, one_way }, &meta)
    })?;
    Ok(becomes.unwrap_or_else(|| Becomes {
        name: variant.ident.clone(),
        one_way: false,
    }))
}

fn each_key(
    attributes: &[Attribute],
    mut read: impl FnMut(ParseNestedMeta<'_>) -> Result<()>,
) -> Result<()> {
    let mut own = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("convert"));
    own.try_for_each(|attribute| attribute.parse_nested_meta(&mut read))
}

fn once<T>(into: &mut Option<T>, value: T, meta: &ParseNestedMeta<'_>) -> Result<()> {
    match into.replace(value) {
        None => Ok(()),
        Some(_) => Err(meta.error("this key is repeated, or conflicts with another key")),
    }
}
