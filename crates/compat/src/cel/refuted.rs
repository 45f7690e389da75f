//! Searches the values that a schema accepts for one that a rule rejects.

use super::compiled::{Compiled, outcome};
use super::samples::{Dice, Words, sample};
use crate::findings::verdict::Answer;
use crate::values::{fits, keeps};
use crd_channels_check::cel::ast::Expression;
use crd_channels_check::schema as served;
use crd_channels_schema::Schema;
use crd_channels_validation::rules::Rules;
use crd_channels_validation::value::complete;
use serde_json::{Value, json};

/// The number of values that are tried.
const TRIES: u64 = 48;

/// The maximum number of steps in which a counterexample is shrunk.
const MOST_CUTS: usize = 24;

/// A value that a schema with its rules accepts and of which an expression is not true; `None` if none was found. Whole objects
/// have the metadata that every object has.
pub(super) fn refused(
    expression: &Expression,
    schema: &Schema,
    is_whole_object: bool,
) -> Option<Value> {
    let served = served(schema);
    let compiled = Compiled::compile(schema, &served)?;
    let is_resource = is_whole_object || served.embedded_resource;
    let rules = Rules::compile(&served, is_resource).ok()?;
    let mut words = Words::default();
    words.add_constants(expression);
    let is_refused = |value: &Value| {
        let is_named = !is_whole_object || value.pointer("/metadata/name").is_some();
        is_named
            && outcome(expression, value, &served, is_resource) == Some(false)
            && fits(&served, value)
            && keeps(&rules, &served, value, is_resource) == Answer::Yes
    };
    let mut tries = 0..TRIES;
    let found = tries.find_map(|seed| {
        let mut value = sample(&compiled, &words, &mut Dice::new(seed))?;
        if let Some(fields) = value.as_object_mut().filter(|_| is_whole_object) {
            fields.insert("metadata".to_owned(), json!({"name": "a"}));
        }
        is_refused(&value).then_some(value)
    })?;
    let is_refused = |value: &Value| {
        let mut value = value.clone();
        complete(&mut value, &served);
        is_refused(&value)
    };
    Some(shrunk(found, is_refused))
}

/// Removes everything from a counterexample that it does not need.
fn shrunk(mut value: Value, is_one: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..MOST_CUTS {
        match cuts(&value).into_iter().find(&is_one) {
            Some(less) => value = less,
            None => break,
        }
    }
    value
}

/// The value with one item or member removed, for every item and member at any depth.
fn cuts(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(items) => {
            let without = (0..items.len()).map(|gone| {
                let kept = items.iter().enumerate().filter(|(place, _)| *place != gone);
                kept.map(|(_, item)| item.clone()).collect()
            });
            let inside = items.iter().enumerate().flat_map(|(place, item)| {
                cuts(item).into_iter().map(move |less| {
                    let mut items = items.clone();
                    items.splice(place..=place, [less]);
                    Value::Array(items)
                })
            });
            without.chain(inside).collect()
        }
        Value::Object(members) => {
            let without = members.keys().map(|gone| {
                let mut members = members.clone();
                members.remove(gone);
                Value::Object(members)
            });
            let inside = members.iter().flat_map(|(name, member)| {
                cuts(member).into_iter().map(move |less| {
                    let mut members = members.clone();
                    members.insert(name.clone(), less);
                    Value::Object(members)
                })
            });
            without.chain(inside).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use crate::cel::counterexample;
    use crd_channels_schema::Schema;
    use serde_json::{Value, json};

    /// The counterexample to a rule on a schema.
    fn found(rule: &str, schema: &Value) -> Option<Value> {
        counterexample(rule, &Schema::from_json(schema).unwrap(), false)
    }

    #[test]
    fn rules_are_refuted_by_the_smallest_value_at_hand() {
        let filter = json!({"type": "object", "required": ["type"], "properties": {
            "type": {"type": "string", "enum": ["Mirror", "Redirect", "Cors"]},
            "cors": {"type": "object", "properties": {"age": {"type": "integer", "minimum": 1}}},
            "mirror": {"type": "object"},
        }, "x-kubernetes-validations": [
            {"rule": "has(self.cors) == (self.type == 'Cors')"},
            {"rule": "has(self.mirror) == (self.type == 'Mirror')"},
        ]});
        let filters = json!({"type": "array", "items": filter, "maxItems": 16});
        let once = "self.filter(f, f.type == 'Cors').size() <= 1";
        let twice = json!([{"type": "Cors", "cors": {}}, {"type": "Cors", "cors": {}}]);
        assert_eq!(found(once, &filters), Some(twice));
        assert_eq!(
            found("self.all(f, f.type != 'Cors' || has(f.cors))", &filters),
            None
        );
    }

    /// Servers take bounds that no value on a machine reaches.
    #[test]
    fn what_is_too_large_to_make_is_not_found() {
        let longest = json!({"type": "string", "minLength": i64::MAX});
        assert_eq!(found("self == ''", &longest), None);
        let mut lists =
            json!({"type": "array", "minItems": i64::MAX, "items": {"type": "integer"}});
        assert_eq!(found("self.size() == 0", &lists), None);
        lists = json!({"type": "integer"});
        for _ in 0..9 {
            lists = json!({"type": "array", "minItems": 30, "items": lists});
        }
        assert_eq!(found("self.size() == 0", &lists), None);
    }

    #[test]
    fn what_a_default_fills_in_is_there() {
        let schema = json!({"type": "object", "properties": {
            "mode": {"type": "string", "enum": ["On", "Off"], "default": "On"},
            "note": {"type": "string"},
        }});
        assert_eq!(found("has(self.mode)", &schema), None);
        assert_eq!(
            found("self.mode == 'Off' || has(self.note)", &schema),
            Some(json!({}))
        );
    }

    #[test]
    fn what_a_list_has_once_only_does_not_repeat() {
        let item = json!({"type": "object", "required": ["name"], "properties": {
            "name": {"type": "string", "maxLength": 3},
        }});
        let rule = "self.all(a, self.exists_one(b, a.name == b.name))";
        let list = json!({"type": "array", "items": item});
        assert!(found(rule, &list).is_some());
        let map = json!({"type": "array", "items": item,
            "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]});
        assert_eq!(found(rule, &map), None);
        let set =
            json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"});
        assert_eq!(found("self.all(a, self.exists_one(b, a == b))", &set), None);
    }

    #[test]
    fn maps_have_entries() {
        let labels = json!({"type": "object", "additionalProperties": {"type": "string"}});
        let rule = "self.all(key, key.matches('^[a-z]*$'))";
        assert!(found(rule, &labels).is_some());
    }
}
