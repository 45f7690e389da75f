//! `#[versioned(..)]` of Stackable: one definition that defines a type in several versions. Each version becomes a module of
//! its own name, as in that macro's expansion; the types inside keep their source spans.

use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, Fields, Ident, Item, ItemMod, Lit, Meta, Token};

/// Expands items with the attribute to one module for each version.
///
/// Also returns the attribute's path. `None` if the attribute is absent or has no version.
pub(crate) fn expanded(item: &Item) -> Option<(syn::Path, Vec<Item>)> {
    let (attrs, vis) = match item {
        Item::Mod(item) => (&item.attrs, &item.vis),
        Item::Struct(item) => (&item.attrs, &item.vis),
        Item::Enum(item) => (&item.attrs, &item.vis),
        _ => return None,
    };
    let macro_path = attrs.iter().find(|attr| is_versioned(attr))?.path().clone();
    let arguments = arguments(attrs)?;
    let versions: Vec<String> = arguments
        .iter()
        .filter(|meta| meta.path().is_ident("version"))
        .filter_map(|meta| text_of_key(&inside(meta)?, "name"))
        .collect();
    if versions.is_empty() {
        return None;
    }
    let inner: Vec<Item> = match item {
        Item::Mod(module) => module.content.as_ref()?.1.clone(),
        other => vec![other.clone()],
    };
    let mut modules = Vec::with_capacity(versions.len());
    for (at, version) in versions.iter().enumerate() {
        let version = Version {
            at,
            name: version,
            all: &versions,
        };
        let mut made: Vec<Item> = vec![
            syn::parse2(quote!(
                use super::*;
            ))
            .ok()?,
        ];
        for item in &inner {
            match item {
                // A module with a version's name adds items to that version.
                Item::Mod(module) if versions.iter().any(|name| module.ident == name) => {
                    if module.ident == version.name {
                        made.extend(module.content.iter().flat_map(|(_, items)| items.clone()));
                    }
                }
                item => made.push(version.item(item.clone())),
            }
        }
        let name = Ident::new(version.name, item.span());
        modules.push(Item::Mod(
            syn::parse2(quote!(#vis mod #name { #(#made)* })).ok()?,
        ));
    }
    let items = match item {
        Item::Mod(module) if preserves(&arguments) => vec![Item::Mod(ItemMod {
            attrs: Vec::new(),
            content: module.content.as_ref().map(|(brace, _)| (*brace, modules)),
            ..module.clone()
        })],
        _ => modules,
    };
    Some((macro_path, items))
}

type Metas = Punctuated<Meta, Token![,]>;

/// The arguments of all `#[versioned(..)]`s.
fn arguments(attrs: &[Attribute]) -> Option<Metas> {
    let mut all = Metas::new();
    for attr in attrs.iter().filter(|attr| is_versioned(attr)) {
        let arguments = attr.parse_args_with(Arguments::parse).ok()?;
        all.extend(arguments.0);
    }
    (!all.is_empty()).then_some(all)
}

/// Attribute arguments whose values may also be types: `from_type = Vec<u8>`.
struct Arguments(Metas);

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Metas::parse_terminated(input).map(Self)
    }
}

fn is_versioned(attr: &Attribute) -> bool {
    let last = attr.path().segments.last();
    last.is_some_and(|last| last.ident == "versioned")
}

fn preserves(arguments: &Metas) -> bool {
    arguments.iter().any(|meta| {
        meta.path().is_ident("options")
            && inside(meta).is_some_and(|options| {
                options
                    .iter()
                    .any(|option| option.path().is_ident("preserve_module"))
            })
    })
}

/// The arguments in the parentheses of `key(..)`.
fn inside(meta: &Meta) -> Option<Metas> {
    let Meta::List(list) = meta else {
        return None;
    };
    list.parse_args_with(Metas::parse_terminated).ok()
}

/// The text of `key = ".."`.
fn text_of_key(metas: &Metas, key: &str) -> Option<String> {
    metas.iter().find_map(|meta| match meta {
        Meta::NameValue(pair) if pair.path.is_ident(key) => match &pair.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => Some(text.value()),
            Expr::Path(path) => Some(path.to_token_stream().to_string()),
            _ => None,
        },
        _ => None,
    })
}

/// A version among all versions.
struct Version<'v> {
    at: usize,
    name: &'v str,
    all: &'v [String],
}

impl Version<'_> {
    /// The item in this version.
    fn item(&self, mut item: Item) -> Item {
        match &mut item {
            Item::Struct(item) => {
                self.attributes(&mut item.attrs, &item.ident);
                self.fields(&mut item.fields);
            }
            Item::Enum(item) => {
                self.attributes(&mut item.attrs, &item.ident);
                let variants = std::mem::take(&mut item.variants);
                for mut variant in variants {
                    if let Some(change) =
                        self.change(&mut variant.attrs, &variant.ident, "Deprecated")
                    {
                        variant.ident = change.name;
                        self.fields(&mut variant.fields);
                        item.variants.push(variant);
                    }
                }
            }
            _ => {}
        }
        item
    }

    /// Turns `#[versioned(crd(..))]` into the `#[kube(..)]` of this version.
    fn attributes(&self, attrs: &mut Vec<Attribute>, name: &Ident) {
        let arguments = arguments(attrs).unwrap_or_default();
        let crd = arguments.iter().find(|meta| meta.path().is_ident("crd"));
        attrs.retain(|attr| !is_versioned(attr));
        let Some(keys) = crd.and_then(inside) else {
            return;
        };
        let place = crd.map_or_else(|| name.span(), |crd| crd.path().span());
        let version = self.name;
        let kind = name.to_string();
        let kind = kind.strip_suffix("Spec").unwrap_or(&kind);
        let kind = match keys.iter().any(|key| key.path().is_ident("kind")) {
            true => quote!(),
            false => quote_spanned!(place=> kind = #kind,),
        };
        let keys = keys.iter().filter(|key| !key.path().is_ident("skip"));
        let kube = quote_spanned!(place=> kube(version = #version, #kind #(#keys),*));
        if let Ok(meta) = syn::parse2(kube) {
            attrs.push(Attribute {
                pound_token: Token![#](place),
                style: syn::AttrStyle::Outer,
                bracket_token: syn::token::Bracket(place),
                meta,
            });
        }
    }

    fn fields(&self, fields: &mut Fields) {
        let Fields::Named(named) = fields else {
            return;
        };
        for mut field in std::mem::take(&mut named.named) {
            let Some(name) = field.ident.clone() else {
                continue;
            };
            if let Some(change) = self.change(&mut field.attrs, &name, "deprecated_") {
                field.ident = Some(change.name);
                if let Some(ty) = change.ty {
                    field.ty = ty;
                }
                named.named.push(field);
            }
        }
    }

    /// The name and the type of a field or variant in this version; `None` if it does not exist yet.
    fn change(&self, attrs: &mut Vec<Attribute>, name: &Ident, mark: &str) -> Option<Change> {
        let actions = arguments(attrs).unwrap_or_default();
        attrs.retain(|attr| !is_versioned(attr));
        let mut change = Change {
            name: name.clone(),
            ty: None,
        };
        let since = |action: &Metas| {
            let since = text_of_key(action, "since")?;
            self.all.iter().position(|version| *version == since)
        };
        let written = name.to_string();
        let mut later = Vec::new();
        for action in &actions {
            let Some(keys) = inside(action) else { continue };
            let Some(from) = since(&keys) else { continue };
            if action.path().is_ident("added") && self.at < from {
                return None;
            }
            if action.path().is_ident("deprecated") {
                let plain = written.strip_prefix(mark).unwrap_or(&written);
                if self.at < from {
                    change.name = Ident::new(plain, name.span());
                }
            }
            if action.path().is_ident("changed") && self.at < from {
                later.push((from, keys));
            }
        }
        // The earliest change after this version determines the state before it.
        later.sort_by_key(|(from, _)| std::cmp::Reverse(*from));
        for (_, keys) in later {
            if let Some(before) = text_of_key(&keys, "from_name") {
                change.name = Ident::new(&before, name.span());
            }
            if let Some(before) = text_of_key(&keys, "from_type") {
                change.ty = syn::parse_str(&before).ok().or(change.ty);
            }
        }
        Some(change)
    }
}

/// The state of a field or variant in a version.
struct Change {
    name: Ident,
    ty: Option<syn::Type>,
}
