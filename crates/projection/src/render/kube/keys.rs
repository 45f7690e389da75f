//! The keys of maps, as schemars derives them from the key type's schema.

use super::super::raw::{Raw, Types};
use crd_channels_diagnostics::Text;
use crd_channels_schema::JsonType;
use serde_json::Value;
use std::collections::BTreeSet;

/// The keys of a map.
#[derive(Debug, Default, Eq, PartialEq)]
pub(super) struct Keys {
    /// Whether other keys are allowed: any string, or strings of a form that a CRD cannot express, such as integers or a
    /// pattern.
    pub open: bool,
    /// The allowed keys, if all are known.
    pub names: BTreeSet<Text>,
}

impl Keys {
    /// Returns the keys that the key type's schema allows.
    pub fn allowed_by(key: &Raw) -> Self {
        let mut keys = Self::default();
        match &key.any_of {
            _ if key.boolean.is_some() => keys.open = true,
            Some(options) if options.iter().all(|option| option.boolean.is_none()) => {
                options.iter().for_each(|option| keys.add(option));
            }
            _ => keys.add(key),
        }
        if keys.open {
            keys.names.clear();
        }
        keys
    }

    fn add(&mut self, option: &Raw) {
        let bounds = option.node.bounds.as_deref();
        let pattern = bounds.and_then(|bounds| bounds.pattern.as_ref());
        let text = option.types == Types::one(JsonType::String) && pattern.is_none();
        match option.values.as_deref().filter(|_| text).and_then(names) {
            Some(names) => self.names.extend(names),
            None => self.open = true,
        }
    }
}

fn names(values: &[Value]) -> Option<Vec<Text>> {
    values
        .iter()
        .map(|value| value.as_str().map(Text::from))
        .collect()
}
