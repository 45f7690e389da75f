//! Compares two CRDs version by version, fact by fact: every scalar by its path. Leaves out what kube-derive cannot express:
//! several versions in one CRD, the two annotations of a bundle, a list kind that is the server's default.

use crd_channels_check::{FieldPath, PathElement};
use serde_json::Value;
use std::collections::BTreeSet;

/// The length after which values are cut in messages.
const LONGEST: usize = 120;

/// One difference between two CRDs.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Difference {
    /// The path.
    pub way: FieldPath,
    /// The value read from source.
    pub read: Option<Value>,
    /// The value in kube's `crd()`.
    pub compiled: Option<Value>,
}

/// The result of a comparison.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Compared {
    /// The number of equal facts.
    pub equal: usize,
    /// The differences.
    pub differences: Vec<Difference>,
}

/// Returns `Kind/version` and the CRD with only that version, without what is not compared.
#[must_use]
pub fn by_version(crd: &Value) -> Vec<(String, Value)> {
    let versions = crd["spec"]["versions"].as_array();
    let kind = crd["spec"]["names"]["kind"].as_str().unwrap_or_default();
    let versions = versions.into_iter().flatten().map(|version| {
        let name = version["name"].as_str().unwrap_or_default();
        let mut alone = crd.clone();
        if let Some(spec) = alone.get_mut("spec").and_then(Value::as_object_mut) {
            spec.insert("versions".to_owned(), Value::Array(vec![version.clone()]));
        }
        remove_stamp(&mut alone);
        remove_list_kind(&mut alone);
        (format!("{kind}/{name}"), alone)
    });
    versions.collect()
}

fn remove_stamp(crd: &mut Value) {
    let Some(metadata) = crd.get_mut("metadata").and_then(Value::as_object_mut) else {
        return;
    };
    let Some(annotations) = metadata
        .get_mut("annotations")
        .and_then(Value::as_object_mut)
    else {
        return;
    };
    annotations.retain(|key, _| !key.ends_with("/bundle-version") && !key.ends_with("/channel"));
    if annotations.is_empty() {
        metadata.remove("annotations");
    }
}

/// Removes the default list kind, which kube leaves to the server.
fn remove_list_kind(crd: &mut Value) {
    let Some(names) = crd
        .pointer_mut("/spec/names")
        .and_then(Value::as_object_mut)
    else {
        return;
    };
    let kind = names.get("kind").and_then(Value::as_str);
    let default = format!("{}List", kind.unwrap_or_default());
    if names
        .get("listKind")
        .is_some_and(|list_kind| *list_kind == *default)
    {
        names.remove("listKind");
    }
}

/// Compares two CRDs. Numbers are equal if their values are.
#[must_use]
pub fn compare(read: Option<&Value>, compiled: Option<&Value>) -> Compared {
    let mut compared = Compared::default();
    compared.walk(read, compiled, &mut Vec::new());
    compared
}

impl Compared {
    fn walk(&mut self, read: Option<&Value>, compiled: Option<&Value>, way: &mut Vec<PathElement>) {
        match (read, compiled) {
            (Some(Value::Object(one)), Some(Value::Object(other)))
                if !(one.is_empty() && other.is_empty()) =>
            {
                let keys: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
                for key in keys {
                    way.push(key_element(way, key));
                    self.walk(one.get(key), other.get(key), way);
                    way.pop();
                }
            }
            (Some(Value::Array(one)), Some(Value::Array(other)))
                if one.len() == other.len() && !one.is_empty() =>
            {
                for (index, (one, other)) in one.iter().zip(other).enumerate() {
                    way.push(PathElement::Index(index));
                    self.walk(Some(one), Some(other), way);
                    way.pop();
                }
            }
            (Some(Value::Number(one)), Some(Value::Number(other)))
                if one.as_f64() == other.as_f64() =>
            {
                self.equal += 1;
            }
            _ if read == compiled => self.equal += 1,
            _ => self.differences.push(Difference {
                way: way.iter().cloned().collect(),
                read: read.cloned(),
                compiled: compiled.cloned(),
            }),
        }
    }
}

/// Returns the element of a key below a path: servers write the names of properties in brackets.
pub(crate) fn key_element(way: &[PathElement], key: &str) -> PathElement {
    match way {
        [.., last] if last.is_child("properties") => PathElement::Key(key.to_owned()),
        _ => PathElement::Child(key.to_owned()),
    }
}

/// Returns the value at a path.
#[must_use]
pub fn value_at<'v>(crd: &'v Value, way: &[PathElement]) -> Option<&'v Value> {
    way.iter().try_fold(crd, |value, step| match step {
        PathElement::Child(key) | PathElement::Key(key) => value.get(key),
        PathElement::Index(index) => value.get(index),
    })
}

/// Formats a path for people: the path in objects and the keyword, such as `spec.size: minimum`.
#[must_use]
pub fn display_path(way: &FieldPath) -> String {
    let elements = way.elements();
    let root = |element: &PathElement| element.is_child("openAPIV3Schema");
    let Some(root) = elements.iter().position(root) else {
        return way.to_string();
    };
    let mut path = String::new();
    let mut rest = elements.get(root + 1..).unwrap_or_default();
    loop {
        rest = match rest {
            [keyword, PathElement::Key(name), below @ ..] if keyword.is_child("properties") => {
                path.push_str(&format!(".{name}"));
                below
            }
            [keyword, below @ ..] if keyword.is_child("items") && !below.is_empty() => {
                path.push_str("[]");
                below
            }
            [keyword, below @ ..]
                if keyword.is_child("additionalProperties") && !below.is_empty() =>
            {
                path.push_str("{}");
                below
            }
            _ => break,
        };
    }
    let path = path.strip_prefix('.').unwrap_or(".");
    if rest.is_empty() {
        return path.to_owned();
    }
    let keywords = rest.iter().map(|step| match step {
        PathElement::Key(name) => PathElement::Child(name.clone()),
        other => other.clone(),
    });
    format!("{path}: {}", keywords.collect::<FieldPath>())
}

/// Formats a value, shortened.
pub(crate) fn cut_short(value: Option<&Value>) -> String {
    let Some(value) = value else {
        return "nothing".to_owned();
    };
    let text = value.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}..`", text.get(..end).unwrap_or_default()),
        None => format!("`{text}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::{by_version, compare, display_path};
    use crd_channels_check::FieldPath;
    use serde_json::json;

    #[test]
    fn facts_are_counted_and_placed() {
        let crd = |size: serde_json::Value| {
            json!({"spec": {"names": {"kind": "K"}, "versions": [{"name": "v1", "schema": {"openAPIV3Schema": {
                "properties": {"spec": {"properties": {"properties": {"items": size}}}}
            }}}]}})
        };
        let one = by_version(&crd(
            json!({"minimum": 1, "enum": ["a", "b"], "default": {}}),
        ));
        let other = by_version(&crd(
            json!({"minimum": 1.0, "enum": ["a", "c"], "default": {}, "x-list": [1]}),
        ));
        let compared = compare(Some(&one[0].1), Some(&other[0].1));
        assert_eq!(one[0].0, "K/v1");
        // The kind, the version's name, `minimum`, `default` and one value.
        assert_eq!(compared.equal, 5);
        let places: Vec<_> = compared
            .differences
            .iter()
            .map(|found| display_path(&found.way))
            .collect();
        assert_eq!(
            places,
            ["spec.properties[]: enum[1]", "spec.properties[]: x-list"]
        );
        let found = &compared.differences[0];
        assert_eq!(
            found.way,
            "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[properties].items.enum[1]"
        );
        assert_eq!(
            display_path(&FieldPath::default().child("spec").child("scope")),
            "spec.scope"
        );
    }
}
