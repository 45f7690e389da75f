//! What a server drops from objects once another schema is installed: fields and enum values that the new schema lacks.

use serde_json::Value;
use std::fmt;

/// A place in the objects of a version whose content is dropped.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Lost {
    steps: Vec<Step>,
    /// Only this value is dropped; `None` means the whole field.
    value: Option<Value>,
    /// The default of the field, which says nothing about what users wrote.
    default: Option<Value>,
}

#[derive(Clone, Debug, Eq, PartialEq)]
enum Step {
    Field(String),
    /// Any item of a list.
    Items,
    /// Any value of a map.
    Values,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, step) in self.steps.iter().enumerate() {
            match step {
                Step::Field(name) if number == 0 => f.write_str(name)?,
                Step::Field(name) => write!(f, ".{name}")?,
                Step::Items => f.write_str("[]")?,
                Step::Values => f.write_str("{}")?,
            }
        }
        match &self.value {
            Some(value) => write!(f, ": {value}"),
            None => Ok(()),
        }
    }
}

impl Lost {
    /// Whether an object has it.
    pub(super) fn is_in(&self, object: &Value) -> bool {
        self.is_below(object, &self.steps)
    }

    fn is_below(&self, value: &Value, steps: &[Step]) -> bool {
        let Some((step, rest)) = steps.split_first() else {
            return match &self.value {
                Some(lost) => value == lost,
                None => !value.is_null() && Some(value) != self.default.as_ref(),
            };
        };
        let is_below = |value: &Value| self.is_below(value, rest);
        match step {
            Step::Field(name) => value.get(name).is_some_and(is_below),
            Step::Items => value.as_array().is_some_and(|all| all.iter().any(is_below)),
            Step::Values => {
                let all = value.as_object();
                all.is_some_and(|all| all.values().any(is_below))
            }
        }
    }
}

/// Returns what objects lose if a schema replaces another one.
pub(super) fn lost(before: &Value, after: &Value) -> Vec<Lost> {
    let mut lost = Vec::new();
    compare(before, after, &mut Vec::new(), &mut lost);
    lost
}

fn compare(before: &Value, after: &Value, steps: &mut Vec<Step>, lost: &mut Vec<Lost>) {
    let mut drop = |steps: &[Step], value: Option<&Value>, default: Option<&Value>| {
        lost.push(Lost {
            steps: steps.to_vec(),
            value: value.cloned(),
            default: default.cloned(),
        });
    };
    let values = |schema: &Value| schema.get("enum").and_then(Value::as_array).cloned();
    if let (Some(before), Some(after)) = (values(before), values(after)) {
        for value in before.iter().filter(|value| !after.contains(value)) {
            drop(steps, Some(value), None);
        }
    }
    let is_on = |flag: &str| after.get(flag) == Some(&Value::Bool(true));
    let keeps_all = is_on("x-kubernetes-preserve-unknown-fields");
    // Servers keep these whatever the schema says.
    let is_object = steps.is_empty() || is_on("x-kubernetes-embedded-resource");
    let is_kept = |name: &str| is_object && matches!(name, "apiVersion" | "kind" | "metadata");
    let other = |schema: &Value| {
        let values = schema.get("additionalProperties");
        values
            .filter(|it| !matches!(it, Value::Bool(false)))
            .cloned()
    };
    let (others_before, others) = (other(before), other(after));
    let fields = before.get("properties").and_then(Value::as_object);
    for (name, field) in fields.into_iter().flatten() {
        let known = after.get("properties").and_then(|all| all.get(name));
        steps.push(Step::Field(name.clone()));
        match known.or(others.as_ref()) {
            Some(now) => compare(field, now, steps, lost),
            None if keeps_all || is_kept(name) => {}
            None => lost.push(Lost {
                steps: steps.clone(),
                value: None,
                default: field.get("default").cloned(),
            }),
        }
        steps.pop();
    }
    for (step, before, now) in [
        (Step::Items, before.get("items"), after.get("items")),
        (Step::Values, others_before.as_ref(), others.as_ref()),
    ] {
        let is_map = step == Step::Values;
        steps.push(step);
        match (before, now) {
            (Some(before), Some(now)) => compare(before, now, steps, lost),
            (Some(_), None) if is_map && !keeps_all => lost.push(Lost {
                steps: steps.clone(),
                value: None,
                default: None,
            }),
            _ => {}
        }
        steps.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::lost;
    use serde_json::{Value, json};

    fn spec(fields: Value) -> Value {
        json!({"type": "object", "properties": {"spec": {"type": "object", "properties": fields}}})
    }

    fn paths(before: Value, after: Value) -> Vec<String> {
        let all = lost(&spec(before), &spec(after));
        all.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn fields_and_values_that_are_gone_are_lost() {
        let text = || json!({"type": "string"});
        let list = |item: Value| json!({"type": "array", "items": item});
        let map = |value: Value| json!({"type": "object", "additionalProperties": value});
        let object = |fields: Value| json!({"type": "object", "properties": fields});
        for (before, after, expected) in [
            (json!({"a": text()}), json!({"a": text()}), &[][..]),
            (json!({"a": text()}), json!({"a": text(), "b": text()}), &[]),
            (
                json!({"a": text(), "b": text()}),
                json!({"a": text()}),
                &["spec.b"],
            ),
            (
                json!({"a": list(object(json!({"b": text()})))}),
                json!({"a": list(object(json!({})))}),
                &["spec.a[].b"],
            ),
            (
                json!({"a": map(object(json!({"b": text()})))}),
                json!({"a": map(object(json!({})))}),
                &["spec.a{}.b"],
            ),
            (
                json!({"a": map(text())}),
                json!({"a": object(json!({}))}),
                &["spec.a{}"],
            ),
            (
                json!({"a": {"type": "string", "enum": ["x", "y"]}}),
                json!({"a": {"type": "string", "enum": ["x"]}}),
                &["spec.a: \"y\""],
            ),
            (
                json!({"a": object(json!({"b": text()}))}),
                json!({"a": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}),
                &[],
            ),
        ] {
            assert_eq!(paths(before.clone(), after), expected, "{before}");
        }
        let meta =
            json!({"properties": {"metadata": {"type": "object"}, "status": {"type": "object"}}});
        let all = lost(&meta, &json!({}));
        assert_eq!(
            all.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["status"]
        );
    }

    #[test]
    fn objects_use_what_they_have_unless_it_is_the_default() {
        let before = spec(json!({
            "rules": {"type": "array", "items": {"properties": {"timeout": {"type": "string", "default": "30s"}}}},
            "mode": {"type": "string", "enum": ["a", "b"]},
        }));
        let after = spec(json!({
            "rules": {"type": "array", "items": {"properties": {}}},
            "mode": {"type": "string", "enum": ["a"]},
        }));
        let used = |object: Value| {
            let all = lost(&before, &after).into_iter();
            all.filter(|it| it.is_in(&object))
                .map(|it| it.to_string())
                .collect::<Vec<_>>()
        };
        let object = |timeout: &str, mode: &str| json!({"spec": {"rules": [{}, {"timeout": timeout}], "mode": mode}});
        assert_eq!(used(object("30s", "a")), [""; 0]);
        assert_eq!(used(object("1s", "a")), ["spec.rules[].timeout"]);
        assert_eq!(used(object("30s", "b")), ["spec.mode: \"b\""]);
        assert_eq!(used(json!({"spec": null})), [""; 0]);
    }
}
