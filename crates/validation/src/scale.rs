//! The scale subresource: validates the values at its paths.

use crate::path::Path;
use crate::violation::{Reason, Violations};
use serde_json::Value;

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
        let fault = match at(object, path) {
            Ok(value) => value
                .filter(|value| !value.is_string())
                .map(|value| format!("{value} is not a string")),
            Err(message) => Some(message),
        };
        if let Some(message) = fault {
            found.refuse(Reason::Invalid, Path::root(path), message);
        }
    }
}

fn replicas_at(object: &Value, path: &str, found: &mut Violations) {
    let fault = match at(object, path) {
        Ok(None) => None,
        Ok(Some(value)) => replicas(value),
        Err(message) => Some(message),
    };
    if let Some(message) = fault {
        found.refuse(Reason::Invalid, Path::root(path), message);
    }
}

fn replicas(value: &Value) -> Option<String> {
    let fits = value
        .as_i64()
        .is_some_and(|replicas| (0..=i64::from(i32::MAX)).contains(&replicas));
    (!fits).then(|| format!("{value} is not an integer from 0 to {}", i32::MAX))
}

/// The value at a path of names separated by dots, if there is one.
fn at<'v>(object: &'v Value, path: &str) -> Result<Option<&'v Value>, String> {
    let mut value = object;
    for name in path.strip_prefix('.').unwrap_or(path).split('.') {
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
