//! Removes the status of a kind from `#[kube(..)]`.

use super::edits::range;
use crate::{RemovedItem, Writer};
use crd_channels_markers::{Item, items};
use syn::{Attribute, Expr, ExprLit, Lit};

impl Writer<'_> {
    /// Removes `status = ".."` from the attributes of a kind.
    pub(super) fn remove_status(&mut self, attrs: &[Attribute]) {
        let kube = attrs.iter().filter(|attr| attr.path().is_ident("kube"));
        let lists: Vec<(&Attribute, Vec<Item>)> = kube
            .filter_map(|attr| {
                let list = attr.meta.require_list().ok()?;
                Some((attr, items(list, &mut Vec::new())))
            })
            .collect();
        for (attr, inside) in &lists {
            let is_it = |item: &Item| item.name().as_deref() == Some("status");
            let Some(at) = inside.iter().position(is_it) else {
                continue;
            };
            let before = at.checked_sub(1).and_then(|before| inside.get(before));
            match (before, inside.get(at..)) {
                (None, Some([_])) => self.drop_attribute(attr),
                (Some(before), Some([status])) if !self.is_before_comma(status) => {
                    self.edits.delete(range(before).end..range(status).end);
                }
                (_, Some([status, ..])) => self.remove(range(status)),
                (_, Some([]) | None) => {}
            }
        }
        let all = || lists.iter().flat_map(|(_, inside)| inside);
        let named = |names: &[&str]| all().find_map(|item| text_of(item, names));
        if let Some(of) = named(&["root", "struct"]).or_else(|| named(&["kind"])) {
            let name = "status".to_owned();
            self.gone.push(RemovedItem::Field { of, name });
        }
    }

    fn is_before_comma(&self, item: &Item) -> bool {
        let behind = self.text.get(range(item).end..).unwrap_or_default();
        behind.trim_start().starts_with(',')
    }
}

/// The text of an item with one of these names.
fn text_of(item: &Item, names: &[&str]) -> Option<String> {
    match item {
        Item::Value(
            path,
            _,
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }),
        ) if names.iter().any(|name| path.is_ident(name)) => Some(text.value()),
        _ => None,
    }
}
