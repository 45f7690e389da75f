//! `use` and `extern crate`.

use super::lowering::{Lowering, has, visibility};
use crate::cfg::{Hidden, Presence, Report};
use crate::known::derives::STEERING;
use crate::lower_syn::{name, uses};
use crate::tree::{Item, Path, Segment, UseDef};
use crd_channels_diagnostics::{Span, Text};
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Lowering<'_> {
    pub(super) fn use_item(&mut self, mut item: syn::ItemUse, into: &mut Vec<Item>) {
        let start = self.span(item.use_token.span);
        let place = Span {
            end: self.span(item.semi_token.span).end,
            ..start
        };
        let first = into.len();
        for import in uses(place, &item) {
            into.push(Item::Use(Arc::new(UseDef {
                path: import.path,
                name: import.name,
                is_self: import.is_self,
                visibility: visibility(&item.vis),
                macro_use: false,
                span: place,
            })));
        }
        // One cfg applies to all names of the item, so it is evaluated once and recorded for each.
        if let Some((cfg, at)) = match self.presence(&mut item.attrs, Report::IfStrict) {
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
    pub(super) fn extern_crate(&mut self, mut item: syn::ItemExternCrate) -> Option<Item> {
        let bound = item.rename.as_ref().map_or(&item.ident, |(_, to)| to);
        let bound = name(bound);
        if !self.present(&mut item.attrs, Report::IfStrict, || bound.clone()) {
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
            is_self: false,
            visibility: visibility(&item.vis),
            macro_use: has(&item.attrs, "macro_use"),
            span: Span {
                end: self.span(item.semi_token.span).end,
                ..start
            },
        })))
    }
}

/// The names that `use`s introduce for others, anywhere in the file.
pub(super) fn renames(items: &[syn::Item], into: &mut FxHashMap<String, String>) {
    fn names(tree: &syn::UseTree, into: &mut FxHashMap<String, String>) {
        match tree {
            syn::UseTree::Path(step) => names(&step.tree, into),
            syn::UseTree::Group(group) => group.items.iter().for_each(|inner| names(inner, into)),
            // What such a name means depends on the module, and is checked there.
            syn::UseTree::Rename(leaf) if STEERING.iter().any(|known| leaf.rename == known) => {}
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
