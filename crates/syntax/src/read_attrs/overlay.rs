//! `#[schemars(..)]` laid over `#[serde(..)]`: schemars' values of common keys take precedence, and `!key` removes a key.

use super::reader::Reader;
use crd_channels_diagnostics::Code;
use crd_channels_markers::keys::SERDE;
use crd_channels_markers::{Error, Extent, Item, items, without_groups};
use quote::quote;
use syn::parse::Parser;
use syn::{Attribute, Data, DeriveInput, Expr, ExprLit, Fields, Lit, LitStr, Meta, MetaList};

/// Keys that affect the schema besides [`SERDE`], but only as serde's own.
const SERDE_ONLY: [&str; 2] = ["serialize_with", "with"];

/// The items in one attribute's parentheses, with the syntax errors.
#[derive(Default)]
pub(super) struct Listed {
    pub(super) items: Vec<Item>,
    pub(super) errors: Vec<Error>,
}

impl Listed {
    pub(super) fn new(list: &MetaList) -> Self {
        let mut errors = Vec::new();
        let items = items(list, &mut errors);
        Self { items, errors }
    }
}

/// The items of the `#[schemars(..)]`s of every node of a type, in the order of [`nodes`]. They are parsed once, for serde's
/// keys and for schemars' own.
pub(super) fn schemars(input: &DeriveInput) -> Vec<Vec<Listed>> {
    nodes(input)
        .map(|attrs| lists(attrs, "schemars").map(Listed::new).collect())
        .collect()
}

/// Whether schemars overrides a serde key anywhere in the type.
pub(super) fn needed(schemars: &[Vec<Listed>]) -> bool {
    let mut items = schemars.iter().flatten().flat_map(|listed| &listed.items);
    items.any(|item| match item {
        Item::Not(..) => true,
        item => item.name().is_some_and(|name| is_overlaid(&name)),
    })
}

/// The type as schemars passes it to serde.
pub(super) fn laid_over(input: &DeriveInput, reader: &mut Reader<'_>) -> DeriveInput {
    let mut input = input.clone();
    node(&mut input.attrs, reader);
    match &mut input.data {
        Data::Struct(data) => fields(&mut data.fields, reader),
        Data::Enum(data) => {
            for variant in &mut data.variants {
                node(&mut variant.attrs, reader);
                fields(&mut variant.fields, reader);
            }
        }
        Data::Union(_) => {}
    }
    input
}

fn fields(fields: &mut Fields, reader: &mut Reader<'_>) {
    for field in fields {
        node(&mut field.attrs, reader);
    }
}

/// Replaces the `#[serde(..)]`s of one node by one with the effective keys.
fn node(attrs: &mut Vec<Attribute>, reader: &mut Reader<'_>) {
    let over = written(attrs, "schemars");
    let under = written(attrs, "serde");
    let (unset, over): (Vec<Item>, Vec<Item>) = over
        .into_iter()
        .partition(|item| matches!(item, Item::Not(..)));
    let unset = unsets(&unset, &over, &under, reader);
    let over: Vec<Item> = over
        .into_iter()
        .filter(|item| item.name().is_some_and(|name| is_overlaid(&name)))
        .collect();
    let set: Vec<String> = over.iter().filter_map(Item::name).collect();
    let is_set = |name: &str| {
        set.iter().any(|set| {
            set == name
                || (set == "skip" && matches!(name, "skip_serializing" | "skip_deserializing"))
        })
    };
    let under = under.into_iter().filter(|item| {
        item.name().is_some_and(|name| {
            name != "bound"
                && (is_overlaid(&name) || SERDE_ONLY.contains(&name.as_str()))
                && !is_set(&name)
                && !unset.contains(&name)
        })
    });
    let all: Vec<Item> = over.into_iter().chain(under).collect();
    attrs.retain(|attr| !attr.path().is_ident("serde"));
    if all.is_empty() {
        return;
    }
    match Attribute::parse_outer.parse2(quote!(#[serde(#(#all),*)])) {
        Ok(laid) => attrs.extend(laid),
        Err(error) => reader.find(
            Code::SerdeAttribute,
            Extent::at(error.span()),
            format!("serde cannot read this: {error}"),
            "write the key as serde defines it",
        ),
    }
}

/// The names that `!key` removes; those that remove nothing are reported.
fn unsets(unset: &[Item], over: &[Item], under: &[Item], reader: &mut Reader<'_>) -> Vec<String> {
    let has = |items: &[Item], name: &str| {
        items
            .iter()
            .any(|item| item.name().as_deref() == Some(name))
    };
    let mut names: Vec<String> = Vec::new();
    for item in unset {
        let Some(name) = item.name() else {
            continue;
        };
        let wrong = if !is_overlaid(&name) {
            Some(format!(
                "`!{name}` has no effect: schemars does not read serde's `{name}`"
            ))
        } else if names.contains(&name) {
            Some(format!("duplicate `!{name}`"))
        } else if has(over, &name) {
            Some(format!("`{name}` and `!{name}` are both set"))
        } else if has(under, &name) {
            None
        } else {
            Some(format!(
                "`!{name}` has no effect: no `#[serde(..)]` here has `{name}`"
            ))
        };
        if let Some(message) = wrong {
            let help = format!("remove `!{name}`");
            reader.find(Code::InvalidAttribute, Extent::of(item), message, help);
        }
        names.push(name);
    }
    names
}

/// Whether any node has a `#[serde(bound = ..)]`.
pub(super) fn has_bound(input: &DeriveInput) -> bool {
    let mut all = nodes(input).flat_map(|attrs| written(attrs, "serde"));
    all.any(|item| item.name().as_deref() == Some("bound"))
}

/// The string of serde's own `with`, which schemars reads as a type.
pub(super) fn serde_with(attrs: &[Attribute]) -> Option<LitStr> {
    let is_with = |item: &Item| item.name().as_deref() == Some("with");
    // It is rare, and parsing every attribute to find it is expensive.
    let may_be = |list: &&MetaList| list.tokens.to_string().contains("with");
    let all = lists(attrs, "serde").filter(may_be);
    all.flat_map(|list| items(list, &mut Vec::new()))
        .find_map(|item| match &item {
            Item::Value(_, _, value) if is_with(&item) => match without_groups(value) {
                Expr::Lit(ExprLit {
                    lit: Lit::Str(text),
                    ..
                }) => Some(text.clone()),
                _ => None,
            },
            _ => None,
        })
}

/// The items of all attributes of one name. Syntax errors are reported where the attribute itself is read.
fn written(attrs: &[Attribute], name: &str) -> Vec<Item> {
    lists(attrs, name)
        .flat_map(|list| items(list, &mut Vec::new()))
        .collect()
}

/// The attributes of one name that have parentheses.
fn lists<'a>(attrs: &'a [Attribute], name: &'a str) -> impl Iterator<Item = &'a MetaList> {
    let named = attrs.iter().filter(move |attr| attr.path().is_ident(name));
    named.filter_map(|attr| match &attr.meta {
        Meta::List(list) => Some(list),
        Meta::Path(_) | Meta::NameValue(_) => None,
    })
}

fn is_overlaid(name: &str) -> bool {
    SERDE.contains(&name)
}

/// The attributes of every node of a type: its own, then those of each field, or of each variant and its fields.
fn nodes(input: &DeriveInput) -> Box<dyn Iterator<Item = &[Attribute]> + '_> {
    let own = std::iter::once(input.attrs.as_slice());
    match &input.data {
        Data::Struct(data) => {
            let fields = data.fields.iter();
            Box::new(own.chain(fields.map(|field| field.attrs.as_slice())))
        }
        Data::Enum(data) => Box::new(own.chain(data.variants.iter().flat_map(|variant| {
            std::iter::once(variant.attrs.as_slice())
                .chain(variant.fields.iter().map(|field| field.attrs.as_slice()))
        }))),
        Data::Union(_) => Box::new(own),
    }
}
