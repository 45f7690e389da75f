//! Whether a value is valid, as comparisons ask, against what servers say of the value.

use super::enumeration::{Dice, random, values};
use crate::values::valid;
use crate::verdict::Answer;
use crd_channels_schema::Schema;
use crd_channels_validation::value::{complete, violations};
use serde_json::Value;

/// Whether a value meets an enum in one of the two ways that comparisons do not follow: servers reject null beside any enum,
/// and cut the fraction off a number before they look for it among whole ones.
fn is_peculiar(schema: &Schema, value: &Value) -> bool {
    match value {
        Value::Null => schema.nullable && !schema.enum_values.is_empty(),
        Value::Number(number) => number.is_f64() && !schema.enum_values.is_empty(),
        Value::Array(items) => {
            let mut items = items.iter().zip(schema.items.iter().cycle());
            items.any(|(item, schema)| is_peculiar(schema, item))
        }
        Value::Object(members) => members.iter().any(|(name, value)| {
            let schema = schema.member(name);
            schema.is_some_and(|schema| is_peculiar(schema, value))
        }),
        Value::Bool(_) | Value::String(_) => false,
    }
}

#[test]
fn values_are_valid_where_servers_accept_them() {
    let mut dice = Dice(0x5eed);
    let (mut accepted, mut rejected) = (0, 0);
    for _ in 0..400 {
        let json = random(&mut dice, 2, true);
        let schema = Schema::from_json(&json).unwrap();
        let decoded = crd_channels_check::schema(&schema);
        for value in values(&json, 0, &mut dice) {
            if is_peculiar(&schema, &value) {
                continue;
            }
            let mut stored = value.clone();
            complete(&mut stored, &decoded);
            let is_valid = violations(&stored, &decoded, None).is_empty();
            assert_eq!(
                valid(&schema, &value),
                Answer::from(is_valid),
                "{json}\n{value}"
            );
            *(if is_valid {
                &mut accepted
            } else {
                &mut rejected
            }) += 1;
        }
    }
    assert!(accepted > 1000 && rejected > 1000, "{accepted} {rejected}");
}
