//! Finds the CRDs that serve an object.

use serde_json::Value;

/// The API version and kind of an object.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct TypeMeta<'o> {
    /// `example.com/v1`
    pub api_version: &'o str,
    /// `Route`
    pub kind: &'o str,
}

impl<'o> TypeMeta<'o> {
    /// Reads them from an object; missing ones are empty.
    pub fn of(object: &'o Value) -> Self {
        let text = |name| object.get(name).and_then(Value::as_str).unwrap_or_default();
        Self {
            api_version: text("apiVersion"),
            kind: text("kind"),
        }
    }

    /// The group; empty for the core group.
    pub fn group(self) -> &'o str {
        let parts = self.api_version.split_once('/');
        parts.map_or("", |(group, _)| group)
    }

    /// Its version.
    pub fn version(self) -> &'o str {
        let parts = self.api_version.split_once('/');
        parts.map_or(self.api_version, |(_, version)| version)
    }

    /// Whether a server with the CRD accepts requests for it.
    pub fn is_served_by(self, crd: &Value) -> bool {
        let says = |pointer, text| crd.pointer(pointer).and_then(Value::as_str) == Some(text);
        let versions = crd.pointer("/spec/versions").and_then(Value::as_array);
        let mut versions = versions.into_iter().flatten();
        says("/spec/names/kind", self.kind)
            && says("/spec/group", self.group())
            && versions.any(|version| {
                let name = version.get("name").and_then(Value::as_str);
                let served = version.get("served").and_then(Value::as_bool);
                name == Some(self.version()) && served == Some(true)
            })
    }
}
