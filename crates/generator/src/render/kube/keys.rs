//! Which keys a map takes, as schemars reads it off the key type's schema.

use super::super::raw::{Raw, Types};
use crate::Text;
use crate::schema::JsonType;
use serde_json::Value;
use std::collections::BTreeSet;

/// The keys of a map.
#[derive(Debug, Default, Eq, PartialEq)]
pub(super) struct Keys {
    /// Any string.
    pub open: bool,
    /// Strings of some form: integers, or a pattern.
    pub patterned: bool,
    /// These strings.
    pub names: BTreeSet<Text>,
}

impl Keys {
    /// What the key type's schema says.
    pub fn of(key: &Raw) -> Self {
        let mut keys = Self::default();
        match &key.any_of {
            _ if key.boolean.is_some() => keys.open = true,
            Some(options) if options.iter().all(|option| option.boolean.is_none()) => {
                options.iter().for_each(|option| keys.add(option));
            }
            _ => keys.add(key),
        }
        keys
    }

    fn add(&mut self, option: &Raw) {
        let bounds = option.node.bounds.as_deref();
        let pattern = bounds.and_then(|bounds| bounds.pattern.as_ref());
        if option.types == Types::one(JsonType::Integer) {
            self.patterned = true;
        } else if option.types != Types::one(JsonType::String) {
            self.open = true;
        } else if pattern.is_some() {
            self.patterned = true;
        } else if let Some(names) = option.values.as_deref().and_then(names) {
            self.names.extend(names);
        } else {
            self.open = true;
        }
    }
}

fn names(values: &[Value]) -> Option<Vec<Text>> {
    values
        .iter()
        .map(|value| value.as_str().map(Text::from))
        .collect()
}
