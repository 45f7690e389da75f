//! From syn's items to our own: evaluates `cfg`, and keeps only items that a path can refer to.

#![expect(
    clippy::collapsible_match,
    reason = "an arm says what the item is, the condition below it whether it is there"
)]

pub(crate) mod bodies;
pub(crate) mod lazy_statics;
pub(crate) mod lowering;
pub(crate) mod macro_uses;
pub(crate) mod readable;
pub(crate) mod values;
pub(crate) mod versioned;

use super::cfg::{Hidden, Presence};
use super::derives;
use super::derives::DerivedItems;
use super::derives::educe;
use super::derives::fragment;
use super::derives::strum;
use super::known::macros::{VERSIONED, is_include};
use super::lower_syn::{generics, name, path, tokens, ty, uses};
use super::read_attrs::read_type;
use super::tree::{
    AliasDef, Expr, ExprKind, Item, MacroDef, MacroUse, ModDef, Path, Segment, TypeDef, UseDef,
};
use crd_channels_diagnostics::{Sink, Span, Text};
use lazy_statics::lazy_statics;
use lowering::Lowering;
use readable::is_readable;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use syn::punctuated::{Pair, Punctuated};
use syn::{Attribute, Meta};
use values::or_undecided;

impl Lowering<'_> {
    /// The items of a whole file, and the items that unknown predicates removed.
    pub(super) fn file(mut self, mut file: syn::File) -> (Vec<Item>, Vec<Hidden>) {
        let present = self.present(&mut file.attrs, true, || Text::from("*"));
        renames(&file.items, &mut self.renamed);
        let items = if present {
            self.items(file.items)
        } else {
            Vec::new()
        };
        (items, self.hidden)
    }

    pub(super) fn items(&mut self, items: Vec<syn::Item>) -> Vec<Item> {
        let mut lowered = Vec::with_capacity(items.len());
        for item in items {
            self.item(item, &mut lowered);
            lowered.append(&mut self.bodies);
        }
        lowered
    }

    fn item(&mut self, item: syn::Item, into: &mut Vec<Item>) {
        if let Some((attr, versions)) = versioned::expanded(&item) {
            self.around.push((
                MacroUse {
                    path: path(self.file, &attr),
                    above: 0,
                    read_as: VERSIONED,
                    unread: None,
                    helps: false,
                },
                self.depth,
            ));
            for version in versions {
                self.item(version, into);
            }
            self.around.pop();
            return;
        }
        match item {
            syn::Item::Struct(item) => self.structure(item, into),
            syn::Item::Enum(item) => self.enumeration(item, into),
            syn::Item::Type(mut item) => {
                if self.present(&mut item.attrs, false, || name(&item.ident)) {
                    into.push(Item::Alias(Arc::new(AliasDef {
                        name: name(&item.ident),
                        span: self.span(item.ident.span()),
                        generics: generics(&item.generics),
                        ty: ty(self.file, &item.ty),
                        macros: self.macros(&item.attrs),
                    })));
                }
            }
            syn::Item::Const(mut item) => {
                let Some(undecided) = self.standing(&mut item.attrs) else {
                    return;
                };
                self.items_in(&name(&item.ident), &mut item.expr);
                if item.ident != "_" {
                    let macros = self.macros(&item.attrs);
                    let value = (&*item.expr, undecided);
                    into.push(self.constant(&item.ident, &item.ty, value, macros));
                }
            }
            syn::Item::Static(mut item) => {
                if let Some(undecided) = self.standing(&mut item.attrs) {
                    self.items_in(&name(&item.ident), &mut item.expr);
                    let macros = self.macros(&item.attrs);
                    let value = (&*item.expr, undecided);
                    into.push(self.constant(&item.ident, &item.ty, value, macros));
                }
            }
            syn::Item::Fn(mut item) => {
                let Some(undecided) = self.standing(&mut item.attrs) else {
                    return;
                };
                if is_readable(&item.sig) {
                    let macros = self.macros(&item.attrs);
                    let function = self.function(&item.sig, &mut item.block, macros);
                    into.push(Item::Fn(Arc::new(or_undecided(function, undecided))));
                } else {
                    self.inside(&name(&item.sig.ident), &mut item.block);
                }
            }
            syn::Item::Trait(mut item) => {
                if self.present(&mut item.attrs, false, || name(&item.ident)) {
                    let definition = self.trait_definition(item);
                    into.push(Item::Trait(Arc::new(definition)));
                }
            }
            syn::Item::Impl(item) => into.extend(self.implementation(item)),
            syn::Item::Use(item) => self.use_item(item, into),
            syn::Item::ExternCrate(item) => into.extend(self.extern_crate(item)),
            syn::Item::Mod(item) => into.extend(self.module(item)),
            syn::Item::Macro(item) => match lazy_statics(&item) {
                Some(statics) => {
                    let lazy = MacroUse {
                        path: path(self.file, &item.mac.path),
                        above: 0,
                        read_as: &["lazy_static::lazy_static"],
                        unread: None,
                        helps: false,
                    };
                    for mut of in statics {
                        let Some(undecided) = self.standing(&mut of.attrs) else {
                            continue;
                        };
                        let mut macros = self.enclosing_macros();
                        macros.push(lazy.clone());
                        let value = (&of.expr, undecided);
                        into.push(self.constant(&of.ident, &of.ty, value, macros));
                    }
                }
                None => self.macro_item(item, into),
            },
            _ => {}
        }
    }

    fn structure(&mut self, mut item: syn::ItemStruct, into: &mut Vec<Item>) {
        if !self.present(&mut item.attrs, true, || name(&item.ident)) {
            return;
        }
        let outside = std::mem::take(self.sink);
        self.documented(&mut item.attrs);
        let macros = self.macros_of_fields(&mut item.attrs, &mut item.fields);
        let extents = self.fields(&mut item.fields);
        // Generated after disabled fields are removed, as by derives.
        let mut beside: Vec<DerivedItems> = fragment::derived_items(&item).into_iter().collect();
        beside.extend(educe::default_of_struct(&item));
        let input = syn::DeriveInput {
            attrs: item.attrs,
            vis: item.vis,
            ident: item.ident,
            generics: item.generics,
            data: syn::Data::Struct(syn::DataStruct {
                struct_token: item.struct_token,
                fields: item.fields,
                semi_token: item.semi_token,
            }),
        };
        self.with_beside((input, vec![extents]), macros, outside, beside, into);
    }

    fn enumeration(&mut self, mut item: syn::ItemEnum, into: &mut Vec<Item>) {
        if !self.present(&mut item.attrs, true, || name(&item.ident)) {
            return;
        }
        let outside = std::mem::take(self.sink);
        self.documented(&mut item.attrs);
        let macros = self.macros_of_variants(&mut item.attrs, &mut item.variants);
        let mut extents = Vec::with_capacity(item.variants.len());
        for pair in std::mem::take(&mut item.variants).into_pairs() {
            let (mut variant, comma) = pair.into_tuple();
            if self.described(&mut variant.attrs, || name(&variant.ident)) {
                extents.push(self.fields(&mut variant.fields));
                let comma = Some(comma.unwrap_or_default());
                item.variants.extend([Pair::new(variant, comma)]);
            }
        }
        let mut beside = strum::derived_items(&item);
        beside.extend(educe::default_of_enum(&item));
        let input = syn::DeriveInput {
            attrs: item.attrs,
            vis: item.vis,
            ident: item.ident,
            generics: item.generics,
            data: syn::Data::Enum(syn::DataEnum {
                enum_token: item.enum_token,
                brace_token: item.brace_token,
                variants: item.variants,
            }),
        };
        self.with_beside((input, extents), macros, outside, beside, into);
    }

    /// A type, and the items that its derives generate. Diagnostics about its attributes stay with it; `outside` are those
    /// reported before.
    fn with_beside(
        &mut self,
        (input, extents): (syn::DeriveInput, Vec<Vec<Span>>),
        macros: Vec<MacroUse>,
        outside: Sink,
        beside: Vec<DerivedItems>,
        into: &mut Vec<Item>,
    ) {
        let derives = derives::derives(&input.attrs);
        let derived = derives::names(&derives).into_iter();
        let derived: Vec<String> = derived.map(|name| self.resolve_rename(name)).collect();
        let def = read_type(input, extents, &derives, &derived, self.file, self.sink);
        let found = std::mem::replace(self.sink, outside);
        let Some(def) = def else {
            self.sink.append(found);
            return;
        };
        into.push(Item::Type(Arc::new(TypeDef {
            macros,
            findings: found.into_diagnostics(),
            ..def
        })));
        for DerivedItems {
            derive,
            names,
            items,
        } in beside
        {
            self.around.push((
                MacroUse {
                    path: path(self.file, &derive),
                    above: 0,
                    read_as: names,
                    unread: None,
                    helps: false,
                },
                self.depth,
            ));
            for item in items {
                self.item(item, into);
            }
            self.around.pop();
        }
    }

    /// Removes disabled fields, and returns the extents of the others.
    fn fields(&mut self, fields: &mut syn::Fields) -> Vec<Span> {
        let list = match fields {
            syn::Fields::Named(named) => &mut named.named,
            syn::Fields::Unnamed(unnamed) => &mut unnamed.unnamed,
            syn::Fields::Unit => return Vec::new(),
        };
        let mut extents = Vec::with_capacity(list.len());
        let mut kept = Punctuated::new();
        for pair in std::mem::take(list).into_pairs() {
            let (mut field, comma) = pair.into_tuple();
            let extent = self.extent(&field, comma.as_ref());
            let label = || field.ident.as_ref().map_or_else(Text::default, name);
            if self.described(&mut field.attrs, label) {
                extents.push(extent);
                kept.extend([Pair::new(field, Some(comma.unwrap_or_default()))]);
            }
        }
        *list = kept;
        extents
    }

    /// The whole field with its attributes, and the following comma if there is one.
    fn extent(&self, field: &syn::Field, comma: Option<&syn::Token![,]>) -> Span {
        let visibility = match &field.vis {
            syn::Visibility::Public(token) => Some(token.span),
            syn::Visibility::Restricted(restricted) => Some(restricted.pub_token.span),
            syn::Visibility::Inherited => None,
        };
        let first = field.attrs.first().map(|attr| attr.pound_token.span);
        let first = first.or(visibility);
        let first = first.or_else(|| field.ident.as_ref().map(syn::Ident::span));
        let start = match first {
            Some(first) => self.span(first),
            None => ty(self.file, &field.ty).span,
        };
        let end = match comma {
            Some(comma) => self.span(comma.span).end,
            None => ty(self.file, &field.ty).span.end,
        };
        Span { end, ..start }
    }

    fn use_item(&mut self, mut item: syn::ItemUse, into: &mut Vec<Item>) {
        let start = self.span(item.use_token.span);
        let place = Span {
            end: self.span(item.semi_token.span).end,
            ..start
        };
        let first = into.len();
        for (path, name) in uses(place, &item) {
            into.push(Item::Use(Arc::new(UseDef {
                path,
                name,
                private: matches!(item.vis, syn::Visibility::Inherited),
                macro_use: false,
                span: place,
            })));
        }
        // One cfg applies to all names of the item, so it is evaluated once and recorded for each.
        if let Some((cfg, at)) = match self.presence(&mut item.attrs, true) {
            Presence::Present => return,
            Presence::Absent => None,
            Presence::Undecided { cfg, span } => Some((cfg, span)),
        } {
            for item in into.iter().skip(first) {
                if let Item::Use(def) = item {
                    self.hidden.push(Hidden {
                        name: def.name.clone().unwrap_or_else(|| Text::from("*")),
                        cfg: cfg.clone(),
                        span: at,
                    });
                }
            }
        }
        into.truncate(first);
    }

    /// Lowers `extern crate a as b` to `use ::a as b`.
    fn extern_crate(&mut self, mut item: syn::ItemExternCrate) -> Option<Item> {
        let bound = item.rename.as_ref().map_or(&item.ident, |(_, to)| to);
        let bound = name(bound);
        if !self.present(&mut item.attrs, true, || bound.clone()) {
            return None;
        }
        let start = self.span(item.extern_token.span);
        let own = item.ident == "self";
        Some(Item::Use(Arc::new(UseDef {
            path: Path {
                leading: !own,
                segments: vec![Segment {
                    name: if own {
                        Text::from("crate")
                    } else {
                        name(&item.ident)
                    },
                    args: Vec::new(),
                }],
                span: self.span(item.ident.span()),
            },
            name: Some(bound),
            private: matches!(item.vis, syn::Visibility::Inherited),
            macro_use: has(&item.attrs, "macro_use"),
            span: Span {
                end: self.span(item.semi_token.span).end,
                ..start
            },
        })))
    }

    fn module(&mut self, mut item: syn::ItemMod) -> Option<Item> {
        if !self.present(&mut item.attrs, true, || name(&item.ident)) {
            return None;
        }
        let around = self.around.len();
        let own = self.macros(&item.attrs).into_iter();
        let own = own.filter(|used| {
            used.above == 0 && !self.around.iter().any(|(of, _)| of.path == used.path)
        });
        let own: Vec<_> = own.map(|used| (used, self.depth)).collect();
        self.around.extend(own);
        self.depth += 1;
        let inline = item.content.map(|(_, items)| self.items(items));
        self.depth -= 1;
        self.around.truncate(around);
        Some(Item::Mod(Arc::new(ModDef {
            name: name(&item.ident),
            span: self.span(item.ident.span()),
            path: item.attrs.iter().find_map(path_value),
            folder: self.folder.clone(),
            macro_use: has(&item.attrs, "macro_use"),
            inline,
            body: false,
        })))
    }

    /// Definitions and calls keep their tokens; calls are expanded when their items are needed. The items of an included file
    /// replace its call.
    fn macro_item(&mut self, mut item: syn::ItemMacro, into: &mut Vec<Item>) {
        if !self.present(&mut item.attrs, false, Text::default) {
            return;
        }
        let called = path(self.file, &item.mac.path);
        let span = Span {
            end: self.span(item.mac.delimiter.span().close()).end,
            ..called.span
        };
        let defined = item.ident.as_ref().map(name);
        if defined.is_none() && is_include(&called) && !self.renamed.contains_key("include") {
            match self.included(&item.mac, span) {
                Ok(items) => {
                    into.extend(items);
                    return;
                }
                Err(why) => self.unread_include(why, span),
            }
        }
        into.push(Item::Macro(Arc::new(MacroDef {
            defines: defined.is_some(),
            exported: has(&item.attrs, "macro_export"),
            tokens: tokens(self.file, item.mac.tokens),
            span,
            name: defined.unwrap_or_else(|| called.to_string().into()),
            path: called,
        })));
    }

    /// Whether an item exists whose documentation is part of a schema. If an unknown predicate removes it, its name is
    /// recorded.
    fn described(&mut self, attrs: &mut Vec<Attribute>, name: impl FnOnce() -> Text) -> bool {
        let present = self.present(attrs, true, name);
        if present {
            self.documented(attrs);
        }
        present
    }

    /// Reads documentation from included files.
    fn documented(&mut self, attrs: &mut Vec<Attribute>) {
        if let Some(includes) = self.includes {
            includes.resolve(attrs, self.file, self.sink);
        }
    }

    pub(super) fn present(
        &mut self,
        attrs: &mut Vec<Attribute>,
        reported: bool,
        name: impl FnOnce() -> Text,
    ) -> bool {
        match self.presence(attrs, reported) {
            Presence::Present => true,
            Presence::Absent => false,
            Presence::Undecided { cfg, span } => {
                self.hidden.push(Hidden {
                    name: name(),
                    cfg,
                    span,
                });
                false
            }
        }
    }

    /// Whether an item exists whose value may be needed. With an unknown cfg it does, and evaluating it reports the cfg.
    pub(super) fn standing(&mut self, attrs: &mut Vec<Attribute>) -> Option<Option<Expr>> {
        match self.presence(attrs, false) {
            Presence::Present => Some(None),
            Presence::Absent => None,
            Presence::Undecided { cfg, span } => Some(Some(Expr {
                kind: ExprKind::Undecided(cfg),
                span,
            })),
        }
    }

    pub(super) fn presence(&mut self, attrs: &mut Vec<Attribute>, reported: bool) -> Presence {
        self.scope.resolve(attrs, self.file, reported, self.sink)
    }
}

/// The names that `use`s introduce for others, anywhere in the file.
fn renames(items: &[syn::Item], into: &mut FxHashMap<String, String>) {
    fn names(tree: &syn::UseTree, into: &mut FxHashMap<String, String>) {
        match tree {
            syn::UseTree::Path(step) => names(&step.tree, into),
            syn::UseTree::Group(group) => group.items.iter().for_each(|inner| names(inner, into)),
            syn::UseTree::Rename(leaf) => {
                into.insert(leaf.rename.to_string(), leaf.ident.to_string());
            }
            syn::UseTree::Name(leaf) if leaf.ident == "include" => {
                into.insert("include".to_owned(), "include".to_owned());
            }
            syn::UseTree::Name(_) | syn::UseTree::Glob(_) => {}
        }
    }
    for item in items {
        match item {
            syn::Item::Use(item) => names(&item.tree, into),
            // A local macro with a name that the reader treats specially.
            syn::Item::Macro(item) => {
                let name = item.ident.iter().map(ToString::to_string);
                into.extend(
                    name.filter(|name| name == "include")
                        .map(|name| (name.clone(), name)),
                );
            }
            syn::Item::Mod(item) => {
                let inner = item.content.iter();
                inner.for_each(|(_, items)| renames(items, into));
            }
            _ => {}
        }
    }
}

/// Whether the attributes include a built-in one.
fn has(attrs: &[Attribute], name: &str) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident(name))
}

/// The value of `#[path = ".."]`.
fn path_value(attr: &Attribute) -> Option<Text> {
    let Meta::NameValue(pair) = &attr.meta else {
        return None;
    };
    let syn::Expr::Lit(syn::ExprLit {
        lit: syn::Lit::Str(value),
        ..
    }) = &pair.value
    else {
        return None;
    };
    pair.path
        .is_ident("path")
        .then(|| Text::from(value.value()))
}
