//! Merges raw nodes, or overlays one with another, keyword by keyword.

use super::Raw;
use crd_channels_schema::{Additional, Schema, keywords};
use std::mem::take;

/// The value to keep if both nodes have a keyword.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Winner {
    /// The overlay's.
    Above,
    /// The existing one.
    Below,
}

impl Winner {
    /// Merges two values; the default one is absent.
    fn merge_values<T: Default + PartialEq>(self, below: &mut T, above: T) {
        let absent = T::default();
        if above != absent && (self == Winner::Above || *below == absent) {
            *below = above;
        }
    }

    fn of_keywords(self, below: &mut Schema, mut above: Schema) {
        macro_rules! merge_keyword {
            // These are in `Raw`.
            (junctors $($row:tt)+) => {};
            (own $keyword:literal $write:ident $field:ident) => {
                self.merge_values(&mut below.$field, take(&mut above.$field))
            };
            ($part:ident $keyword:literal $write:ident $($field:ident)+) => {
                if let Some(above) = &mut above.$part {
                    let below = below.$part.get_or_insert_default();
                    $(self.merge_values(&mut below.$field, take(&mut above.$field));)+
                }
            };
        }
        macro_rules! merge_keywords {
            ($($row:tt)*) => { $(merge_keyword! $row;)* };
        }
        keywords!(merge_keywords);
        below.levels.0.extend(above.levels.0);
        self.merge_values(&mut below.keys.0, above.keys.0);
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
            node,
        } = above;
        let winner = Winner::Above;
        winner.merge_values(&mut self.types, types);
        winner.merge_values(&mut self.nullable, nullable);
        winner.merge_values(&mut self.values, values);
        winner.merge_values(&mut self.constant, constant);
        winner.merge_values(&mut self.items, items);
        winner.merge_values(&mut self.unevaluated, unevaluated);
        winner.merge_values(&mut self.all_of, all_of);
        winner.merge_values(&mut self.any_of, any_of);
        winner.merge_values(&mut self.one_of, one_of);
        winner.merge_values(&mut self.not, not);
        winner.merge_values(&mut self.first_example, first_example);
        self.refused.extend(refused);
        self.sticky |= sticky;
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
        winner.merge_values(&mut self.types, types);
        winner.merge_values(&mut self.nullable, nullable);
        winner.merge_values(&mut self.values, values);
        winner.merge_values(&mut self.constant, constant);
        winner.merge_values(&mut self.items, items);
        winner.merge_values(&mut self.unevaluated, unevaluated);
        winner.merge_values(&mut self.not, not);
        winner.merge_values(&mut self.first_example, first_example);
        self.refused.extend(refused);
        if let Some(more) = all_of {
            self.all_of.get_or_insert_default().extend(more);
        }
        self.join(any_of, |raw| &mut raw.any_of);
        self.join(one_of, |raw| &mut raw.one_of);
        self.node.properties.append(&mut node.properties);
        self.node.required.append(&mut node.required);
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
