//! The settings of a kind that may differ by channel.

use super::{Column, Rule, Scale};
use crd_channels_diagnostics::{Span, Spanned, Text};

/// The settings of a kind that may differ by channel; before its rules are evaluated, they are expressions.
#[derive(Clone, Debug, PartialEq)]
pub struct KindFacets<R = Rule> {
    /// Short names; an overlay adds to them.
    pub short_names: Vec<Spanned<Text>>,
    /// Categories; an overlay adds to them.
    pub categories: Vec<Spanned<Text>>,
    /// Printer columns; an overlay adds to them.
    pub columns: Vec<Spanned<Column>>,
    /// Selectable fields; an overlay adds to them.
    pub selectable_fields: Vec<Spanned<Text>>,
    /// Whether the version is deprecated; an overlay replaces it.
    pub deprecated: Option<Deprecation>,
    /// The scale subresource; an overlay replaces it.
    pub scale: Option<Spanned<Scale>>,
    /// Rules on the root; an overlay adds to them.
    pub rules: Vec<R>,
    /// The root's description (`#[kube(doc = "..")]`); an overlay replaces it.
    pub doc: Option<Text>,
}

impl<R> Default for KindFacets<R> {
    fn default() -> Self {
        Self {
            short_names: Vec::new(),
            categories: Vec::new(),
            columns: Vec::new(),
            selectable_fields: Vec::new(),
            deprecated: None,
            scale: None,
            rules: Vec::new(),
            doc: None,
        }
    }
}

impl<R> KindFacets<R> {
    /// Converts the rules.
    #[must_use]
    pub fn with_rules<S>(&self, of: impl FnMut(&R) -> Option<S>) -> KindFacets<S> {
        KindFacets {
            short_names: self.short_names.clone(),
            categories: self.categories.clone(),
            columns: self.columns.clone(),
            selectable_fields: self.selectable_fields.clone(),
            deprecated: self.deprecated.clone(),
            scale: self.scale.clone(),
            rules: self.rules.iter().filter_map(of).collect(),
            doc: self.doc.clone(),
        }
    }
}

impl KindFacets {
    /// Overlays `over`.
    pub fn overlay(&mut self, over: &Self) {
        let KindFacets {
            short_names,
            categories,
            columns,
            selectable_fields,
            deprecated,
            scale,
            rules,
            doc,
        } = over;
        self.short_names.extend(short_names.iter().cloned());
        self.categories.extend(categories.iter().cloned());
        self.columns.extend(columns.iter().cloned());
        self.selectable_fields
            .extend(selectable_fields.iter().cloned());
        if deprecated.is_some() {
            self.deprecated.clone_from(deprecated);
        }
        if scale.is_some() {
            self.scale.clone_from(scale);
        }
        self.rules.extend(rules.iter().cloned());
        if doc.is_some() {
            self.doc.clone_from(doc);
        }
    }
}

/// The spans of the names in the attributes of a version; `None` for those that follow from others.
#[derive(Clone, Copy, Debug, Default)]
pub struct NameSpans {
    /// The group.
    pub group: Option<Span>,
    /// The version.
    pub version: Option<Span>,
    /// The kind.
    pub kind: Option<Span>,
    /// The plural name.
    pub plural: Option<Span>,
    /// The singular name.
    pub singular: Option<Span>,
    /// The list kind.
    pub list_kind: Option<Span>,
}

/// `#[kube(deprecated)]`, `#[kube(deprecated = "..")]`
#[derive(Clone, Debug, PartialEq)]
pub struct Deprecation {
    /// The warning's text; if it is absent, one is composed of `removed_in` and `replaced_by`, else the server's own is used.
    pub warning: Option<Text>,
    /// The span of the attribute.
    pub span: Span,
}
