//! From syn's items to our own: evaluates `cfg`, and keeps only items that a path can refer to.

#![expect(
    clippy::collapsible_match,
    reason = "an arm says what the item is, the condition below it whether it is there"
)]

pub(crate) mod bodies;
mod imports;
pub(crate) mod lowering;
pub(crate) mod macro_uses;
mod nested;
pub(crate) mod readable;
mod types;
pub(crate) mod values;
pub(crate) mod versioned;

use super::cfg::{Hidden, Presence, Report};
use super::known::macros::{VERSIONED, is_include};
use super::lower_syn::{generics, name, path, tokens, ty};
use super::tree::{AliasDef, Expr, ExprKind, ImplDef, Item, MacroDef, MacroUse, ModDef};
use crd_channels_diagnostics::{Span, Text};
use imports::renames;
use lowering::{Lowering, has, visibility};
use quote::ToTokens;
use readable::is_readable;
use std::collections::BTreeSet;
use std::sync::Arc;
use syn::{Attribute, Meta};
use values::or_undecided;

impl Lowering<'_> {
    /// The items of a whole file.
    pub(super) fn file(mut self, mut file: syn::File) -> Vec<Item> {
        let present = self.present(&mut file.attrs, Report::IfStrict, || Text::from("*"));
        renames(&file.items, &mut self.renamed);
        if !present {
            return self.hidden.drain(..).map(Item::Hidden).collect();
        }
        let mut blocks = Vec::new();
        if self.may_nest {
            nested::find(file.to_token_stream(), &mut blocks);
        }
        let mut items = self.items(file.items);
        if !blocks.is_empty() {
            let unread = self.not_among(&items, blocks);
            items.extend(unread);
        }
        items
    }

    /// Returns the blocks that are not among the items, unread.
    fn not_among(&self, items: &[Item], blocks: Vec<nested::Found>) -> Vec<Item> {
        let mut seen = BTreeSet::new();
        starts_of_blocks(items, &mut seen);
        let unread = blocks.into_iter().filter_map(|found| {
            let span = self.span(found.start);
            let header = tokens(self.file, found.header);
            let block = || ImplDef::unread(span, found.function, header);
            (!seen.contains(&span.start)).then(|| Item::Impl(Arc::new(block())))
        });
        unread.collect()
    }

    pub(super) fn items(&mut self, items: Vec<syn::Item>) -> Vec<Item> {
        let mut lowered = Vec::with_capacity(items.len());
        for item in items {
            self.item(item, &mut lowered);
            lowered.append(&mut self.bodies);
            lowered.extend(self.hidden.drain(..).map(Item::Hidden));
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
                    called: false,
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
                if self.present(&mut item.attrs, Report::Attributes, || name(&item.ident)) {
                    into.push(Item::Alias(Arc::new(AliasDef {
                        name: name(&item.ident),
                        visibility: visibility(&item.vis),
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
                    let mut constant = self.constant(&item.ident, &item.ty, &item.expr, macros);
                    constant.visibility = visibility(&item.vis);
                    constant.value = undecided.unwrap_or(constant.value);
                    into.push(Item::Const(Arc::new(constant)));
                }
            }
            syn::Item::Static(mut item) => {
                if let Some(undecided) = self.standing(&mut item.attrs) {
                    self.items_in(&name(&item.ident), &mut item.expr);
                    let macros = self.macros(&item.attrs);
                    let mut constant = self.constant(&item.ident, &item.ty, &item.expr, macros);
                    constant.visibility = visibility(&item.vis);
                    constant.value = undecided.unwrap_or(constant.value);
                    into.push(Item::Const(Arc::new(constant)));
                }
            }
            syn::Item::Fn(mut item) => {
                let Some(undecided) = self.standing(&mut item.attrs) else {
                    return;
                };
                if is_readable(&item.sig) {
                    let macros = self.macros(&item.attrs);
                    let mut function = self.function(&item.sig, &mut item.block, macros);
                    function.visibility = visibility(&item.vis);
                    into.push(Item::Fn(Arc::new(or_undecided(function, undecided))));
                } else {
                    self.inside(&name(&item.sig.ident), &mut item.block);
                }
            }
            syn::Item::Trait(mut item) => {
                if self.present(&mut item.attrs, Report::Attributes, || name(&item.ident)) {
                    let definition = self.trait_definition(item);
                    into.push(Item::Trait(Arc::new(definition)));
                }
            }
            syn::Item::Impl(item) => into.extend(self.implementation(item)),
            syn::Item::Use(item) => self.use_item(item, into),
            syn::Item::ExternCrate(item) => into.extend(self.extern_crate(item)),
            syn::Item::Mod(item) => into.extend(self.module(item)),
            syn::Item::Macro(item) => self.macro_item(item, into),
            _ => {}
        }
    }

    fn module(&mut self, mut item: syn::ItemMod) -> Option<Item> {
        if !self.present(&mut item.attrs, Report::IfStrict, || name(&item.ident)) {
            return None;
        }
        let around = self.around.len();
        let own = self.macros(&item.attrs).into_iter().filter(|used| {
            used.above == 0 && !self.around.iter().any(|(of, _)| of.path == used.path)
        });
        let own: Vec<_> = own.map(|used| (used, self.depth)).collect();
        self.around.extend(own);
        self.depth += 1;
        // What is inside is in the folder of this module.
        let folder = self.folder.take();
        let inline = item.content.map(|(_, items)| self.items(items));
        self.folder.clone_from(&folder);
        self.depth -= 1;
        self.around.truncate(around);
        Some(Item::Mod(Arc::new(ModDef {
            name: name(&item.ident),
            visibility: visibility(&item.vis),
            span: self.span(item.ident.span()),
            path: item.attrs.iter().find_map(path_value),
            folder,
            macro_use: has(&item.attrs, "macro_use"),
            inline,
            body: false,
        })))
    }

    /// Definitions and calls keep their tokens; calls are expanded when their items are needed. The items of an included file
    /// replace its call.
    fn macro_item(&mut self, mut item: syn::ItemMacro, into: &mut Vec<Item>) {
        // A definition matters only if it is used.
        let report = match item.ident {
            Some(_) => Report::Attributes,
            None => Report::IfStrict,
        };
        let undecided = match self.presence(&mut item.attrs, report) {
            Presence::Present => false,
            Presence::Absent => return,
            Presence::Undecided { .. } => true,
        };
        // With `local_inner_macros`, the names of macros inside are not those at the call.
        let exported = item
            .attrs
            .iter()
            .find(|attr| attr.path().is_ident("macro_export"));
        let undecided =
            undecided || exported.is_some_and(|attr| matches!(attr.meta, Meta::List(_)));
        let called = path(self.file, &item.mac.path);
        let span = Span {
            end: self.span(item.mac.delimiter.span().close()).end,
            ..called.span
        };
        let defined = item.ident.as_ref().map(name);
        if !undecided
            && defined.is_none()
            && is_include(&called)
            && !self.renamed.contains_key("include")
        {
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
            undecided,
            tokens: tokens(self.file, item.mac.tokens),
            span,
            name: defined.unwrap_or_else(|| called.to_string().into()),
            path: called,
        })));
    }

    /// Whether a field or a variant exists. An unknown predicate is a finding of its type.
    fn described(&mut self, attrs: &mut Vec<Attribute>) -> bool {
        let present = matches!(self.presence(attrs, Report::Always), Presence::Present);
        if present {
            self.documented(attrs);
        }
        present
    }

    /// Reads documentation from included files, and remembers the macros that documentation calls.
    fn documented(&mut self, attrs: &mut Vec<Attribute>) {
        for attr in attrs.iter() {
            if let Meta::NameValue(pair) = &attr.meta
                && attr.path().is_ident("doc")
            {
                self.called_in(&pair.value, 0);
            }
        }
        if let Some(includes) = self.includes {
            includes.resolve(attrs, self.file, self.sink);
        }
    }

    pub(super) fn present(
        &mut self,
        attrs: &mut Vec<Attribute>,
        report: Report,
        name: impl FnOnce() -> Text,
    ) -> bool {
        match self.presence(attrs, report) {
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
        self.standing_or(attrs, Report::Attributes)
    }

    pub(super) fn standing_or(
        &mut self,
        attrs: &mut Vec<Attribute>,
        report: Report,
    ) -> Option<Option<Expr>> {
        match self.presence(attrs, report) {
            Presence::Present => Some(None),
            Presence::Absent => None,
            Presence::Undecided { cfg, span } => Some(Some(Expr {
                kind: ExprKind::Undecided(cfg),
                span,
            })),
        }
    }

    pub(super) fn presence(&mut self, attrs: &mut Vec<Attribute>, report: Report) -> Presence {
        self.scope.resolve(attrs, self.file, report, self.sink)
    }
}

/// Collects where the `impl` blocks among items begin.
fn starts_of_blocks(items: &[Item], into: &mut BTreeSet<u32>) {
    for item in items {
        match item {
            Item::Impl(block) => drop(into.insert(block.span.start)),
            Item::Mod(module) => {
                starts_of_blocks(module.inline.as_deref().unwrap_or_default(), into)
            }
            _ => {}
        }
    }
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
