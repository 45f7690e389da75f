//! The arguments of `#[convert(..)]`.

use syn::meta::ParseNestedMeta;
use syn::parse::{Parse, ParseStream};
use syn::{
    Attribute, Data, DeriveInput, Error, Ident, Member, Path, Result, Token, parenthesized,
    parse_quote,
};

/// The arguments on the type.
pub(super) struct Container {
    /// The hub's type, unless this is one.
    pub(super) hub: Option<Path>,
    /// Fields that only the hub's type has, or such variants, each with the variant that replaces it in the spoke.
    pub(super) hub_only: Vec<(Member, Option<Ident>)>,
    /// Fields that two functions convert together.
    pub(super) maps: Vec<Map>,
    /// The crate of the runtime.
    pub(super) runtime: Path,
}

/// `map(address => (host, port), with = module)`
pub(super) struct Map {
    pub(super) spoke: Vec<Ident>,
    pub(super) hub: Vec<Ident>,
    pub(super) module: Path,
}

/// The arguments on a field.
#[derive(Default)]
pub(super) struct Field {
    pub(super) rename: Option<Member>,
    pub(super) how: Option<How>,
}

/// The conversion of a field, if not by its type's own `Convert`.
pub(super) enum How {
    /// Both versions have the same type.
    Same,
    /// By the functions `to_hub` and `from_hub` of a module.
    With(Path),
    /// The hub's type lacks it.
    Skip,
}

/// The variant of the hub's type that a variant is converted to.
pub(super) struct Becomes {
    pub(super) name: Ident,
    /// Whether the hub's variant is converted back to another one.
    pub(super) one_way: bool,
}

impl Container {
    pub(super) fn read(input: &DeriveInput) -> Result<Self> {
        let (mut hub, mut runtime) = (None, None);
        let (mut hub_only, mut maps) = (Vec::new(), Vec::new());
        each_key(&input.attrs, |meta| {
            if meta.path.is_ident("hub") {
                return once(&mut hub, meta.value()?.parse()?, &meta);
            }
            if meta.path.is_ident("crate") {
                return once(&mut runtime, meta.value()?.parse()?, &meta);
            }
            if meta.path.is_ident("hub_only") {
                let inner;
                parenthesized!(inner in meta.input);
                hub_only.extend(inner.parse_terminated(only_in_hub, Token![,])?);
                return Ok(());
            }
            if meta.path.is_ident("map") {
                let inner;
                parenthesized!(inner in meta.input);
                maps.push(map(&inner)?);
                return Ok(());
            }
            Err(meta.error(
                "unknown key: a type has `hub = Path`, `hub_only(..)`, `map(.. => .., with = module)`, `crate = path`",
            ))
        })?;
        let is_enum = matches!(input.data, Data::Enum(_));
        if let Some(Map { module, .. }) = maps.first().filter(|_| is_enum) {
            return Err(Error::new_spanned(module, "`map` is for fields of structs"));
        }
        Ok(Self {
            hub,
            hub_only,
            maps,
            runtime: runtime.unwrap_or_else(|| parse_quote!(::crd_channels_runtime)),
        })
    }
}

/// Refuses arguments that mean something only beside `hub`.
pub(super) fn without_hub(input: &DeriveInput, container: &Container) -> Result<()> {
    let on_fields: Vec<&Attribute> = match &input.data {
        Data::Struct(data) => data.fields.iter().flat_map(|field| &field.attrs).collect(),
        Data::Enum(data) => {
            let variants = data.variants.iter();
            variants
                .flat_map(|variant| {
                    let fields = variant.fields.iter().flat_map(|field| &field.attrs);
                    variant.attrs.iter().chain(fields)
                })
                .collect()
        }
        Data::Union(_) => Vec::new(),
    };
    let is_lost = !container.hub_only.is_empty()
        || !container.maps.is_empty()
        || on_fields.iter().any(|attribute| is_own(attribute));
    match is_lost {
        true => Err(Error::new_spanned(
            &input.ident,
            "the hub's type is missing: write `#[convert(hub = v1::Type)]`",
        )),
        false => Ok(()),
    }
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

fn map(input: ParseStream<'_>) -> Result<Map> {
    let spoke = names(input)?;
    input.parse::<Token![=>]>()?;
    let hub = names(input)?;
    input.parse::<Token![,]>()?;
    let with: Ident = input.parse()?;
    if with != "with" {
        return Err(Error::new_spanned(with, "write `with = module` here"));
    }
    input.parse::<Token![=]>()?;
    let module = input.parse()?;
    input.parse::<Option<Token![,]>>()?;
    Ok(Map { spoke, hub, module })
}

/// Parses `name`, or `(name, name)`.
fn names(input: ParseStream<'_>) -> Result<Vec<Ident>> {
    if !input.peek(syn::token::Paren) {
        return Ok(vec![input.parse()?]);
    }
    let inner;
    parenthesized!(inner in input);
    let names = inner.parse_terminated(<Ident as Parse>::parse, Token![,])?;
    Ok(names.into_iter().collect())
}

impl Field {
    pub(super) fn read(attributes: &[Attribute]) -> Result<Self> {
        let mut field = Self::default();
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
}

impl Becomes {
    pub(super) fn read(variant: &syn::Variant) -> Result<Self> {
        let mut becomes = None;
        each_key(&variant.attrs, |meta| {
            let one_way = meta.path.is_ident("to");
            if !one_way && !meta.path.is_ident("rename") {
                return Err(meta.error("unknown key: a variant has `rename = Name` or `to = Name`"));
            }
            let name = meta.value()?.parse()?;
            once(&mut becomes, Self { name, one_way }, &meta)
        })?;
        Ok(becomes.unwrap_or_else(|| Self {
            name: variant.ident.clone(),
            one_way: false,
        }))
    }
}

fn is_own(attribute: &Attribute) -> bool {
    attribute.path().is_ident("convert")
}

fn each_key(
    attributes: &[Attribute],
    mut read: impl FnMut(ParseNestedMeta<'_>) -> Result<()>,
) -> Result<()> {
    let mut own = attributes.iter().filter(|attribute| is_own(attribute));
    own.try_for_each(|attribute| attribute.parse_nested_meta(&mut read))
}

fn once<T>(into: &mut Option<T>, value: T, meta: &ParseNestedMeta<'_>) -> Result<()> {
    match into.replace(value) {
        None => Ok(()),
        Some(_) => Err(meta.error("this key is repeated, or conflicts with another key")),
    }
}
