//! Looks for a value that was accepted and is refused.

use super::candidates::candidates;
use super::valid::{decoded, is_valid, keeps};
use crate::findings::verdict::Answer;
use crd_channels_check::schema as served;
use crd_channels_schema::Schema;
use crd_channels_validation::rules::Rules;
use serde_json::Value;
use std::cell::OnceCell;

/// A value that `old` accepts, with its rules, and that a constraint refuses once a server has read it with `new`; `None` if
/// none was found.
pub(crate) fn refused(old: &Schema, new: &Schema, constraint: &Schema) -> Option<Value> {
    let (before, after, only) = (served(old), served(new), served(constraint));
    let is_resource = before.embedded_resource;
    // Few values come so far.
    let rules = OnceCell::new();
    let keeps_rules = |value: &Value| {
        let rules = rules.get_or_init(|| Rules::compile(&before, is_resource).ok());
        let rules = rules.as_ref();
        rules.is_some_and(|rules| keeps(rules, &before, value, is_resource) == Answer::Yes)
    };
    let mut values = candidates(old, &[constraint]);
    // Whether null is dropped or refused depends on its place.
    values.retain(|value| !value.is_null());
    values.into_iter().find_map(|value| {
        let value = decoded(&before, &value).into_owned();
        let is_refused = is_valid(&before, &value) && !is_valid(&only, &decoded(&after, &value));
        (is_refused && keeps_rules(&value)).then_some(value)
    })
}
