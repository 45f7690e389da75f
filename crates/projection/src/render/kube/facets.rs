//! Applies the attributes of a node as schemars and kube do.

use super::super::Renderer;
use super::super::context::Context;
use super::super::raw::{Items, Raw, Types};
use super::super::text::title_and_description;
use super::super::{keywords, marks};
use crd_channels_schema::draft::{Facets, Literal};
use crd_channels_schema::{JsonType, Schema};
use serde_json::Value;

impl Renderer<'_> {
    /// Applies facets: documentation and validation, then the default, then `extend`, then rules and merge keywords.
    pub(super) fn apply(
        &self,
        raw: &mut Raw,
        facets: &Facets,
        default: Option<&Value>,
        context: &mut Context<'_>,
    ) {
        self.apply_first(raw, facets, default, context);
        self.apply_last(raw, facets, context);
    }

    /// Applies the facets of the only field and those of its newtype or variant: schemars applies `extend` and transforms of
    /// both last.
    pub(super) fn apply_both(
        &self,
        raw: &mut Raw,
        field: &Facets,
        around: &Facets,
        context: &mut Context<'_>,
    ) {
        self.apply_first(raw, field, None, context);
        self.apply_first(raw, around, None, context);
        self.apply_last(raw, field, context);
        self.apply_last(raw, around, context);
    }

    /// Applies documentation, validation and the default. Validation keywords are set only if the schema has their type.
    fn apply_first(
        &self,
        raw: &mut Raw,
        facets: &Facets,
        default: Option<&Value>,
        context: &mut Context<'_>,
    ) {
        let Facets {
            deprecated: _,
            doc: _,
            title: _,
            description: _,
            example,
            min_length: _,
            max_length: _,
            minimum: _,
            maximum: _,
            pattern: _,
            format: _,
            inner: _,
            extend: _,
            extended_rules: _,
            edits: _,
            rules: _,
            list_type: _,
            list_map_keys: _,
            map_type: _,
            marks: _,
        } = facets;
        let (title, description) = title_and_description(facets);
        if title.is_some() {
            raw.object().node.title = title;
        }
        if description.is_some() {
            raw.object().node.description = description;
        }
        if example.is_some() {
            raw.object().first_example.clone_from(example);
        }
        self.validate(raw, facets, context);
        if let Some(default) = default {
            raw.object().node.default = (!default.is_null()).then(|| Box::new(default.clone()));
        }
    }

    fn apply_last(&self, raw: &mut Raw, facets: &Facets, context: &mut Context<'_>) {
        let Facets {
            extend,
            extended_rules,
            edits,
            rules,
            list_type,
            map_type,
            marks,
            ..
        } = facets;
        let (extend, edits) = if self.bare {
            (&[][..], &[][..])
        } else {
            (&extend[..], &edits[..])
        };
        for (key, value) in extend {
            let value = Literal::Value(value.clone());
            self.set_or_report(raw.object(), key, &value, context);
        }
        if !extended_rules.is_empty() {
            raw.object().node.place_rules(extended_rules);
        }
        for (key, edit) in edits {
            self.edit(raw, key, edit, context);
        }
        if !rules.is_empty() {
            raw.object().node.rules.extend(rules.iter().cloned());
        }
        if list_type.is_some() || map_type.is_some() {
            set_merge(&mut raw.object().node, facets);
        }
        if let Some(marks) = marks {
            marks::set(&mut raw.object().node, marks);
        }
    }

    fn validate(&self, raw: &mut Raw, facets: &Facets, context: &mut Context<'_>) {
        let has = |raw: &Raw, ty| raw.types.has(Types::one(ty));
        if facets.min_length.is_some() || facets.max_length.is_some() {
            if has(raw, JsonType::String) {
                let bounds = keywords::bounds(&mut raw.node);
                bounds.min_length = facets.min_length.or(bounds.min_length);
                bounds.max_length = facets.max_length.or(bounds.max_length);
            }
            if has(raw, JsonType::Array) {
                let bounds = keywords::bounds(&mut raw.node);
                bounds.min_items = facets.min_length.or(bounds.min_items);
                bounds.max_items = facets.max_length.or(bounds.max_items);
            }
        }
        let ranged = facets.minimum.is_some() || facets.maximum.is_some();
        if ranged && (has(raw, JsonType::Number) || has(raw, JsonType::Integer)) {
            let bounds = keywords::bounds(&mut raw.node);
            if facets.minimum.is_some() {
                bounds.minimum.clone_from(&facets.minimum);
            }
            if facets.maximum.is_some() {
                bounds.maximum.clone_from(&facets.maximum);
            }
        }
        if facets.pattern.is_some() && has(raw, JsonType::String) {
            keywords::bounds(&mut raw.node)
                .pattern
                .clone_from(&facets.pattern);
        }
        if facets.format.is_some() {
            raw.object().node.format.clone_from(&facets.format);
        }
        if let Some(inner) = &facets.inner
            && let Some(items) = raw.items.take()
        {
            let mut items = match items {
                Items::Type(ty) => self.raw(&ty, context),
                Items::Raw(items) => *items,
            };
            self.validate(&mut items, inner, context);
            raw.items = Some(Items::Raw(Box::new(items)));
        }
    }
}

/// Sets the merge keywords of the facets.
pub(in super::super) fn set_merge(node: &mut Schema, facets: &Facets) {
    let merge = keywords::merge(node);
    if facets.list_type.is_some() {
        merge.list_type = facets.list_type;
        merge.list_map_keys.clone_from(&facets.list_map_keys);
    }
    if facets.map_type.is_some() {
        merge.map_type = facets.map_type;
    }
}
