//! The gates in one attribute: `#[experimental]` and `#[not_experimental]`, also inside `#[cfg_attr]`.

use super::edits::range;
use crd_channels_markers::{Item, RESERVED_FEATURE, items};
use quote::ToTokens;
use std::ops::Range;
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta, MetaList};

/// A gate attribute.
pub(super) struct GateAttribute {
    /// The feature.
    pub(super) feature: String,
    /// `true` for `#[experimental]`.
    pub(super) on: bool,
    /// The gated part.
    pub(super) part: GatedPart,
    /// Its position in a `#[cfg_attr(..)]`, if it is in one.
    pub(super) within: Option<CfgItem>,
}

/// The part of a node that an attribute gates.
#[derive(Clone)]
pub(super) enum GatedPart {
    /// The node itself.
    Node,
    /// The content of the attribute.
    Content(Content),
}

/// The content of a conditional attribute.
#[derive(Clone, Default)]
pub(super) struct Content {
    /// `doc = ".."`
    pub(super) docs: Vec<LitStr>,
    /// `schemars(..)` and similar lists.
    pub(super) lists: Vec<MetaList>,
}

/// The position of an item in a `#[cfg_attr(..)]`.
#[derive(Clone)]
pub(super) struct CfgItem {
    /// The item.
    pub(super) item: Range<usize>,
    /// The end of the previous item.
    pub(super) before: usize,
    /// Whether it is the only item after the predicate.
    pub(super) alone: bool,
}

impl Content {
    /// Whether it gates the status of a kind.
    pub(super) fn has_status(&self) -> bool {
        self.lists.iter().any(|list| {
            let name = list.path.get_ident().map(ToString::to_string);
            let mut inside = items(list, &mut Vec::new()).into_iter();
            inside.any(|item| is_status(name.as_deref().unwrap_or_default(), &item))
        })
    }

    /// The source text of each part.
    pub(super) fn texts(&self, text: &str) -> Vec<String> {
        let written = |range: Range<usize>| text.get(range).unwrap_or_default().to_owned();
        let docs = self.docs.iter();
        let docs = docs.map(|doc| format!("doc = {}", written(range(doc))));
        let lists = self.lists.iter().map(|list| written(range(list)));
        docs.chain(lists).collect()
    }
}

/// Whether an item of the list with that name gates the status of a kind: `kube(status)`.
pub(super) fn is_status(list: &str, item: &Item) -> bool {
    list == "kube" && matches!(item, Item::Word(word) if word.is_ident("status"))
}

/// The gates in an attribute. Invalid ones are reported when the types are read.
pub(super) fn gate_attributes(attr: &Attribute) -> Vec<GateAttribute> {
    if !attr.path().is_ident("cfg_attr") {
        return Vec::from_iter(gate_attribute(&attr.meta));
    }
    let Meta::List(list) = &attr.meta else {
        return Vec::new();
    };
    let all = items(list, &mut Vec::new());
    let mut found = Vec::new();
    for pair in all.windows(2) {
        let [before, item] = pair else { continue };
        let meta = syn::parse2(item.to_token_stream());
        if let Some(gate) = meta.ok().and_then(|meta| gate_attribute(&meta)) {
            let within = Some(CfgItem {
                item: range(item),
                before: range(before).end,
                alone: all.len() == 2,
            });
            found.push(GateAttribute { within, ..gate });
        }
    }
    found
}

fn gate_attribute(meta: &Meta) -> Option<GateAttribute> {
    let on = meta.path().is_ident("experimental");
    if !on && !meta.path().is_ident("not_experimental") {
        return None;
    }
    let mut feature = RESERVED_FEATURE.to_owned();
    let mut content = Content::default();
    if let Meta::List(list) = meta {
        for item in items(list, &mut Vec::new()) {
            match item {
                Item::List(list) => content.lists.push(list),
                Item::Value(path, _, value) => match text_value(&value) {
                    Some(text) if path.is_ident("feature") => feature = text.value(),
                    Some(text) => content.docs.push(text),
                    None => {}
                },
                Item::Word(_) | Item::Not(..) | Item::Literal(_) => {}
            }
        }
    }
    let part = if content.docs.is_empty() && content.lists.is_empty() {
        GatedPart::Node
    } else {
        GatedPart::Content(content)
    };
    Some(GateAttribute {
        feature,
        on,
        part,
        within: None,
    })
}

fn text_value(value: &Expr) -> Option<LitStr> {
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.clone()),
        Expr::Group(group) => text_value(&group.expr),
        _ => None,
    }
}
