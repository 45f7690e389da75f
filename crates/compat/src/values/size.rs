//! The bounds of the sizes and numbers of a schema.

use super::numbers::whole;
use crd_channels_schema::{JsonType, Schema};

/// The allowed number of items, characters or members.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Count {
    pub(crate) min: u64,
    pub(crate) max: Option<u64>,
}

impl Count {
    pub(crate) const ANY: Self = Self { min: 0, max: None };

    pub(super) fn new(min: Option<u64>, max: Option<u64>) -> Self {
        Self {
            min: min.unwrap_or(0),
            max,
        }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.max.is_some_and(|max| max < self.min)
    }

    pub(super) fn has(self, number: u64) -> bool {
        number >= self.min && self.max.is_none_or(|max| number <= max)
    }

    pub(super) fn at_least(&mut self, min: u64) {
        self.min = self.min.max(min);
    }

    pub(super) fn at_most(&mut self, max: u64) {
        self.max = Some(self.max.map_or(max, |known| known.min(max)));
    }
}

/// The allowed sizes of the strings, lists or objects of a schema.
pub(crate) fn allowed_sizes(schema: &Schema) -> Count {
    let bounds = schema.bounds.as_deref();
    let count = |min: Option<u64>, max| Count {
        min: min.unwrap_or(0),
        max,
    };
    let bounded = bounds.map(|bounds| match schema.ty {
        Some(JsonType::String) => count(bounds.min_length, bounds.max_length),
        Some(JsonType::Array) => count(bounds.min_items, bounds.max_items),
        Some(JsonType::Object) => count(bounds.min_properties, bounds.max_properties),
        _ => Count::ANY,
    });
    let mut count = bounded.unwrap_or(Count::ANY);
    let lengths: Option<Vec<u64>> = schema
        .enum_values
        .iter()
        .map(|value| Some(value.as_str()?.chars().count() as u64))
        .collect();
    if let Some(lengths) = lengths.filter(|lengths| !lengths.is_empty()) {
        count.min = count.min.max(lengths.iter().copied().min().unwrap_or(0));
        count.max = lengths.iter().copied().max();
    }
    count
}

/// The bounds of the whole numbers of a schema; `None` if the numbers need not be whole.
pub(crate) fn numbers(schema: &Schema) -> Option<(Option<i128>, Option<i128>)> {
    if schema.ty != Some(JsonType::Integer) || schema.nullable {
        return None;
    }
    let listed: Option<Vec<i128>> = schema
        .enum_values
        .iter()
        .map(|value| whole(value.as_number()?))
        .collect();
    if let Some(listed) = listed.filter(|listed| !listed.is_empty()) {
        return Some((listed.iter().copied().min(), listed.iter().copied().max()));
    }
    let bounds = schema.bounds.as_deref();
    let end = |number: Option<&serde_json::Number>, excluded: bool, inwards: i128| {
        let number = whole(number?)?;
        Some(if excluded { number + inwards } else { number })
    };
    Some((
        bounds.and_then(|bounds| end(bounds.minimum.as_ref(), bounds.exclusive_minimum, 1)),
        bounds.and_then(|bounds| end(bounds.maximum.as_ref(), bounds.exclusive_maximum, -1)),
    ))
}
