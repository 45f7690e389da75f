//! Merges raw nodes, or overlays one with another, keyword by keyword.

use super::{Raw, Types};
use crd_channels_schema::{Additional, Bounds, Merge, Notes, Schema};

/// The value to keep if both nodes have a keyword.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Winner {
    /// The overlay's.
    Above,
    /// The existing one.
    Below,
}

impl Winner {
    fn of<T>(self, below: &mut Option<T>, above: Option<T>) {
        if above.is_some() && (self == Winner::Above || below.is_none()) {
            *below = above;
        }
    }

    fn of_list<T>(self, below: &mut Vec<T>, above: Vec<T>) {
        if !above.is_empty() && (self == Winner::Above || below.is_empty()) {
            *below = above;
        }
    }

    fn of_boxed<T: Default>(
        self,
        below: &mut Option<Box<T>>,
        above: Option<Box<T>>,
        each: impl FnOnce(Self, &mut T, T),
    ) {
        if let Some(above) = above {
            match below {
                Some(below) => each(self, below, *above),
                None => *below = Some(above),
            }
        }
    }

    /// Merges the keywords that have no rule of their own.
    fn of_keywords(self, below: &mut Schema, above: Schema) {
        let Schema {
            ty,
            format,
            title,
            description,
            nullable,
            default,
            enum_values,
            properties: _,
            required: _,
            additional_properties,
            items,
            bounds,
            junctors: _,
            merge,
            notes,
            rules,
            embedded_resource,
            int_or_string,
            preserve_unknown_fields,
            origin: _,
            levels,
            keys,
        } = above;
        self.of(&mut below.ty, ty);
        self.of(&mut below.format, format);
        self.of(&mut below.title, title);
        self.of(&mut below.description, description);
        below.nullable |= nullable;
        self.of(&mut below.default, default);
        self.of_list(&mut below.enum_values, enum_values);
        self.of(&mut below.additional_properties, additional_properties);
        self.of(&mut below.items, items);
        self.of_boxed(&mut below.bounds, bounds, Self::of_bounds);
        self.of_boxed(&mut below.merge, merge, Self::of_merge);
        self.of_boxed(&mut below.notes, notes, Self::of_notes);
        self.of_list(&mut below.rules, rules);
        below.embedded_resource |= embedded_resource;
        below.int_or_string |= int_or_string;
        below.preserve_unknown_fields |= preserve_unknown_fields;
        below.levels.0.extend(levels.0);
        self.of(&mut below.keys.0, keys.0);
    }

    fn of_bounds(self, below: &mut Bounds, above: Bounds) {
        let Bounds {
            minimum,
            exclusive_minimum,
            maximum,
            exclusive_maximum,
            multiple_of,
            min_length,
            max_length,
            pattern,
            min_items,
            max_items,
            min_properties,
            max_properties,
        } = above;
        self.of(&mut below.minimum, minimum);
        below.exclusive_minimum |= exclusive_minimum;
        self.of(&mut below.maximum, maximum);
        below.exclusive_maximum |= exclusive_maximum;
        self.of(&mut below.multiple_of, multiple_of);
        self.of(&mut below.min_length, min_length);
        self.of(&mut below.max_length, max_length);
        self.of(&mut below.pattern, pattern);
        self.of(&mut below.min_items, min_items);
        self.of(&mut below.max_items, max_items);
        self.of(&mut below.min_properties, min_properties);
        self.of(&mut below.max_properties, max_properties);
    }

    fn of_merge(self, below: &mut Merge, above: Merge) {
        let Merge {
            list_type,
            list_map_keys,
            map_type,
        } = above;
        self.of(&mut below.list_type, list_type);
        self.of_list(&mut below.list_map_keys, list_map_keys);
        self.of(&mut below.map_type, map_type);
    }

    fn of_notes(self, below: &mut Notes, above: Notes) {
        let Notes {
            example,
            docs_url,
            docs_description,
        } = above;
        self.of(&mut below.example, example);
        self.of(&mut below.docs_url, docs_url);
        self.of(&mut below.docs_description, docs_description);
    }

    fn of_types(self, below: &mut Types, above: Types) {
        if !above.is_empty() && (self == Winner::Above || below.is_empty()) {
            *below = above;
        }
    }
}

impl Raw {
    /// Overlays another node: its keywords replace those of this one.
    pub fn cover(&mut self, above: Raw) {
        let Raw {
            boolean: _,
            types,
            nullable,
            values,
            constant,
            items,
            unevaluated,
            all_of,
            any_of,
            one_of,
            not,
            first_example,
            refused,
            sticky,
            mut node,
        } = above;
        let winner = Winner::Above;
        winner.of_types(&mut self.types, types);
        winner.of(&mut self.nullable, nullable);
        winner.of(&mut self.values, values);
        winner.of(&mut self.constant, constant);
        winner.of(&mut self.items, items);
        winner.of(&mut self.unevaluated, unevaluated);
        winner.of(&mut self.all_of, all_of);
        winner.of(&mut self.any_of, any_of);
        winner.of(&mut self.one_of, one_of);
        winner.of(&mut self.not, not);
        winner.of(&mut self.first_example, first_example);
        self.refused.extend(refused);
        self.sticky |= sticky;
        if !node.properties.is_empty() {
            self.node.properties = std::mem::take(&mut node.properties);
        }
        winner.of_list(&mut self.node.required, std::mem::take(&mut node.required));
        winner.of_keywords(&mut self.node, node);
    }

    /// Merges the schema of a flattened field into that of the struct around it.
    pub fn absorb(&mut self, other: Raw) {
        match other.boolean {
            Some(false) => return,
            Some(true) => {
                if self.node.additional_properties.is_none() && self.unevaluated.is_none() {
                    let all = Some(Additional::Allowed(true));
                    if self.has_branches() {
                        self.unevaluated = all;
                    } else {
                        self.node.additional_properties = all;
                    }
                }
                return;
            }
            None => {}
        }
        let mut other = other;
        let here = self.unevaluated.is_some() || self.has_branches();
        if other.unevaluated.is_some() || other.has_branches() {
            self.widen();
        }
        if here || self.unevaluated.is_some() {
            other.widen();
        }
        let Raw {
            boolean: _,
            types,
            nullable,
            values,
            constant,
            items,
            unevaluated,
            all_of,
            any_of,
            one_of,
            not,
            first_example,
            refused,
            sticky: _,
            mut node,
        } = other;
        let winner = Winner::Below;
        winner.of_types(&mut self.types, types);
        winner.of(&mut self.nullable, nullable);
        winner.of(&mut self.values, values);
        winner.of(&mut self.constant, constant);
        winner.of(&mut self.items, items);
        winner.of(&mut self.unevaluated, unevaluated);
        winner.of(&mut self.not, not);
        winner.of(&mut self.first_example, first_example);
        self.refused.extend(refused);
        if let Some(more) = all_of {
            self.all_of.get_or_insert_default().extend(more);
        }
        self.join(any_of, |raw| &mut raw.any_of);
        self.join(one_of, |raw| &mut raw.one_of);
        self.node
            .properties
            .append(&mut std::mem::take(&mut node.properties));
        self.node
            .required
            .append(&mut std::mem::take(&mut node.required));
        winner.of_keywords(&mut self.node, node);
    }

    /// Joins two lists of alternatives as two entries of `allOf`, the only way to require both.
    fn join(&mut self, more: Option<Vec<Raw>>, list: fn(&mut Raw) -> &mut Option<Vec<Raw>>) {
        let Some(more) = more else { return };
        let Some(known) = list(self).take() else {
            *list(self) = Some(more);
            return;
        };
        let both = [known, more].map(|alternatives| {
            let mut entry = Raw::default();
            *list(&mut entry) = Some(alternatives);
            entry
        });
        self.all_of.get_or_insert_default().extend(both);
    }

    fn widen(&mut self) {
        if let Some(additional) = self.node.additional_properties.take() {
            self.unevaluated = Some(additional);
        }
    }
}
