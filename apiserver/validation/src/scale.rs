//! The scale subresource: validates the values at its paths.

use crate::path::{FieldPath, Path};
use crate::violation::{Reason, Violation, Violations};
use serde_json::{Map, Value};

/// The paths of `subresources.scale`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale<'a> {
    spec_replicas: &'a str,
    status_replicas: &'a str,
    label_selector: Option<&'a str>,
}

impl<'a> Scale<'a> {
    /// `None` if the CRD does not have the subresource.
    pub(crate) fn read(scale: &'a Value) -> Option<Self> {
        let path = |name| scale.get(name).and_then(Value::as_str);
        Some(Self {
            spec_replicas: path("specReplicasPath")?,
            status_replicas: path("statusReplicasPath")?,
            label_selector: path("labelSelectorPath").filter(|path| !path.is_empty()),
        })
    }

    /// Sets the replicas as a write of the subresource does: objects on the way that are missing are added.
    ///
    /// # Errors
    /// A value on the way is not an object.
    pub(crate) fn set(&self, replicas: i32, object: &mut Value) -> Result<(), Violation> {
        let path = self.spec_replicas;
        let mut value = object;
        for name in names(path) {
            let Value::Object(fields) = value else {
                let message = format!("{value} is not an object, so it has no `{name}`");
                let at = Path::root(path).into();
                return Err(Violation::new(Reason::InternalError, at, message));
            };
            value = fields
                .entry(name)
                .or_insert_with(|| Value::Object(Map::new()));
        }
        *value = replicas.into();
        Ok(())
    }

    /// Adds the values that are invalid for the subresource.
    pub(crate) fn violations(&self, object: &Value, found: &mut Violations) {
        replicas_at(object, self.spec_replicas, found);
        self.status_violations(object, found);
    }

    /// Adds those of the status.
    pub(crate) fn status_violations(&self, object: &Value, found: &mut Violations) {
        replicas_at(object, self.status_replicas, found);
        let Some(path) = self.label_selector else {
            return;
        };
        let fault = match value_at_path(object, path) {
            Ok(value) => value
                .filter(|value| !value.is_string())
                .map(|value| format!("{value} is not a string")),
            Err(message) => Some(message),
        };
        if let Some(message) = fault {
            refuse(path, message, found);
        }
    }
}

fn replicas_at(object: &Value, path: &str, found: &mut Violations) {
    let fault = match value_at_path(object, path) {
        Ok(None) => None,
        Ok(Some(value)) => replicas(value),
        Err(message) => Some(message),
    };
    if let Some(message) = fault {
        refuse(path, message, found);
    }
}

/// Servers name the whole path as if it were one field.
fn refuse(path: &str, message: String, found: &mut Violations) {
    let value = names(path).fold(FieldPath::default(), FieldPath::child);
    found.0.push(Violation {
        unnamed: Some(value),
        ..Violation::new(Reason::Invalid, Path::root(path).into(), message)
    });
}

fn replicas(value: &Value) -> Option<String> {
    let fits = value
        .as_i64()
        .is_some_and(|replicas| (0..=i64::from(i32::MAX)).contains(&replicas));
    (!fits).then(|| format!("{value} is not an integer from 0 to {}", i32::MAX))
}

fn names(path: &str) -> impl Iterator<Item = &str> {
    path.strip_prefix('.').unwrap_or(path).split('.')
}

/// The value at a path of names separated by dots, if there is one.
fn value_at_path<'v>(object: &'v Value, path: &str) -> Result<Option<&'v Value>, String> {
    let mut value = object;
    for name in names(path) {
        value = match value {
            Value::Null => return Ok(None),
            Value::Object(fields) => match fields.get(name) {
                Some(value) => value,
                None => return Ok(None),
            },
            other => return Err(format!("{other} is not an object, so it has no `{name}`")),
        };
    }
    Ok(Some(value))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use crate::Validator;
    use serde_json::{Value, json};

    fn validator(subresources: &Value) -> Validator {
        let spec = json!({"type": "object", "properties": {
            "workers": {"type": "object", "properties": {"n": {"type": "integer", "maximum": 5}}},
            "fixed": {"type": "boolean"},
        }, "x-kubernetes-validations": [{"rule": "!self.fixed || self == oldSelf"}]});
        let schema = json!({"type": "object", "properties": {"spec": spec}});
        let crd = json!({"spec": {
            "group": "example.com", "scope": "Namespaced", "names": {"kind": "Pool"},
            "versions": [{"name": "v1", "subresources": subresources, "schema": {"openAPIV3Schema": schema}}],
        }});
        Validator::new(&crd, "v1").unwrap()
    }

    fn pool(spec: Value) -> Value {
        json!({"apiVersion": "example.com/v1", "kind": "Pool", "metadata": {"name": "a"}, "spec": spec})
    }

    #[test]
    fn replicas_are_written_as_a_part_of_the_object() {
        let scale =
            json!({"specReplicasPath": ".spec.workers.n", "statusReplicasPath": ".status.n"});
        let validator = validator(&json!({"scale": scale}));
        let fields = |replicas, spec: &Value| {
            let verdict = validator.scale(replicas, &pool(spec.clone()));
            let fields = verdict.violations.iter();
            let fields: Vec<String> = fields.map(|it| it.field.to_string()).collect();
            (
                fields.join(", "),
                verdict.object["spec"]["workers"]["n"].clone(),
            )
        };
        let free = json!({"workers": {"n": 1}, "fixed": false});
        assert_eq!(fields(3, &free), (String::new(), json!(3)));
        assert_eq!(fields(6, &free).0, "spec.workers.n", "the schema counts");
        assert_eq!(fields(-1, &free).0, ".spec.workers.n", "no negative number");
        let fixed = json!({"workers": {"n": 1}, "fixed": true});
        assert_eq!(fields(3, &fixed).0, "spec", "transition rules count");
        assert_eq!(fields(1, &fixed).0, "");
        // Missing objects are added.
        assert_eq!(
            fields(2, &json!({"fixed": false})),
            (String::new(), json!(2))
        );
    }

    #[test]
    fn a_kind_without_the_subresource_has_no_such_path() {
        let verdict = validator(&json!({})).scale(1, &pool(json!({"fixed": false})));
        let messages = verdict.violations.iter().map(|it| it.message.as_str());
        assert_eq!(
            messages.collect::<Vec<_>>(),
            ["the CRD has no scale subresource"]
        );
    }
}
