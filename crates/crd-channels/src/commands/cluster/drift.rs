//! How an object of a server differs from the manifest of a bundle.

use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Returns the fields that differ, as paths.
///
/// In the specification of a CRD, a field that only the server's has is a difference as well, unless servers set it themselves.
/// In other objects it belongs to somebody else. Neither status nor injected certificates are compared.
pub(super) fn differences(wanted: &Value, live: &Value) -> Vec<String> {
    let mut paths = Vec::new();
    let none = Map::new();
    for (key, value) in wanted.as_object().unwrap_or(&none) {
        let found = live.get(key).unwrap_or(&Value::Null);
        match (key.as_str(), wanted.get("kind").and_then(Value::as_str)) {
            // What users write there becomes `data`.
            ("status", _) | ("stringData", Some("Secret")) => {}
            ("spec", Some("CustomResourceDefinition")) => {
                let comparison = Comparison { is_strict: true };
                comparison.compare(&with_defaults(value), found, key, Place::Fields, &mut paths);
            }
            _ => {
                let comparison = Comparison { is_strict: false };
                comparison.compare(value, found, key, Place::Fields, &mut paths);
            }
        }
    }
    paths
}

/// Adds what servers set in the specification of a CRD.
fn with_defaults(spec: &Value) -> Value {
    let mut spec = spec.clone();
    let kind = spec.pointer("/names/kind").and_then(Value::as_str);
    let kind = kind.unwrap_or_default().to_owned();
    let mut set = |pointer: &str, key: &str, value: Value| {
        if let Some(Value::Object(fields)) = spec.pointer_mut(pointer) {
            fields.entry(key).or_insert(value);
        }
    };
    set("/names", "singular", kind.to_lowercase().into());
    set("/names", "listKind", format!("{kind}List").into());
    set("", "conversion", json!({"strategy": "None"}));
    set(
        "/conversion/webhook/clientConfig/service",
        "port",
        json!(443),
    );
    spec
}

/// What the keys of an object are.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Place {
    Fields,
    /// Names that users choose, such as those of `properties`.
    Names,
    /// A value as it is, such as a `default`.
    Literal,
}

struct Comparison {
    /// Whether fields that only the live object has are differences.
    is_strict: bool,
}

impl Comparison {
    fn compare(
        &self,
        wanted: &Value,
        live: &Value,
        at: &str,
        place: Place,
        paths: &mut Vec<String>,
    ) {
        match (wanted, live) {
            (Value::Object(wanted), Value::Object(live)) => {
                let more = live
                    .keys()
                    .filter(|_| self.is_strict || place == Place::Literal);
                let keys: BTreeSet<&String> = wanted.keys().chain(more).collect();
                for key in keys {
                    let below = self.place_below(place, key);
                    let at = format!("{at}.{key}");
                    match (wanted.get(key), live.get(key)) {
                        _ if place == Place::Fields && key == "caBundle" => {}
                        (Some(wanted), Some(live)) => self.compare(wanted, live, &at, below, paths),
                        (Some(one), None) | (None, Some(one))
                            if place == Place::Fields
                                && below != Place::Literal
                                && is_empty(one) => {}
                        _ => paths.push(at),
                    }
                }
            }
            (Value::Array(wanted), Value::Array(live)) if wanted.len() == live.len() => {
                for (number, (wanted, live)) in wanted.iter().zip(live).enumerate() {
                    let name = wanted.get("name").and_then(Value::as_str);
                    let label = name.map_or_else(|| number.to_string(), str::to_owned);
                    let place = match place {
                        Place::Literal => place,
                        Place::Fields | Place::Names => Place::Fields,
                    };
                    self.compare(wanted, live, &format!("{at}[{label}]"), place, paths);
                }
            }
            _ if is_same(wanted, live, at) => {}
            _ if place != Place::Literal && is_empty(wanted) && is_empty(live) => {}
            _ => paths.push(at.to_owned()),
        }
    }

    /// Returns what the keys below a key are. Only schemas, which are compared strictly, have others than fields.
    fn place_below(&self, place: Place, key: &str) -> Place {
        match (place, key) {
            (Place::Literal, _) => Place::Literal,
            (Place::Fields, "properties" | "patternProperties") if self.is_strict => Place::Names,
            (Place::Fields, "default" | "enum" | "example") if self.is_strict => Place::Literal,
            (Place::Fields | Place::Names, _) => Place::Fields,
        }
    }
}

/// Whether a server may leave a value out.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Bool(true) | Value::Number(_) => false,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
    }
}

/// Whether two scalars are the same. Servers write `1.0` as `1`, and quantities of resources in a form of their own.
fn is_same(one: &Value, other: &Value, at: &str) -> bool {
    let is_quantity = at.contains(".resources.");
    let number = |value: &Value| match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) if is_quantity => quantity(text),
        _ => None,
    };
    let is_close = one.is_f64() || other.is_f64() || is_quantity;
    let both = number(one).zip(number(other)).filter(|_| is_close);
    one == other || both.is_some_and(|(one, other)| one.total_cmp(&other).is_eq())
}

/// Reads a quantity such as `0.5`, `500m` or `1Gi`.
fn quantity(text: &str) -> Option<f64> {
    let unit = text.trim_start_matches(|c: char| matches!(c, '0'..='9' | '.' | '-' | '+'));
    let number: f64 = text.strip_suffix(unit)?.parse().ok()?;
    Some(match unit {
        "" => number,
        "m" => number / 1e3,
        "k" => number * 1e3,
        "M" => number * 1e6,
        "G" => number * 1e9,
        "Ki" => number * 1024.0,
        "Mi" => number * 1_048_576.0,
        "Gi" => number * 1_073_741_824.0,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::differences;
    use serde_json::{Value, json};

    fn crd(schema: Value) -> Value {
        json!({
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "routes.a.b", "annotations": {"a.b/channel": "stable"}},
            "spec": {"names": {"kind": "Route", "plural": "routes"}, "versions": [
                {"name": "v1", "schema": {"openAPIV3Schema": schema}},
            ]},
        })
    }

    /// As a server returns a CRD.
    fn live(schema: Value) -> Value {
        let mut live = crd(schema);
        live["metadata"]["uid"] = "1".into();
        live["metadata"]["annotations"]["c"] = "d".into();
        live["spec"]["names"]["singular"] = "route".into();
        live["spec"]["names"]["listKind"] = "RouteList".into();
        live["spec"]["conversion"] = json!({"strategy": "None"});
        live["status"] = json!({"storedVersions": ["v1"]});
        live
    }

    #[test]
    fn what_servers_set_and_leave_out_is_no_difference() {
        let wanted = crd(
            json!({"type": "object", "nullable": false, "description": "", "properties": {"n": {"minimum": 1.0}}}),
        );
        let live = live(json!({"type": "object", "properties": {"n": {"minimum": 1}}}));
        assert_eq!(differences(&wanted, &live), [""; 0]);
    }

    #[test]
    fn every_other_difference_of_a_crd_is_named() {
        let fields = |more: Value| json!({"properties": more});
        for (wanted, found, path) in [
            (fields(json!({"a": {}})), fields(json!({})), "properties.a"),
            (fields(json!({})), fields(json!({"a": {}})), "properties.a"),
            (
                fields(json!({"a": {"default": false}})),
                fields(json!({"a": {}})),
                "properties.a.default",
            ),
            (json!({"enum": ["a", ""]}), json!({"enum": ["a"]}), "enum"),
            (json!({"maxLength": 1}), json!({}), "maxLength"),
            (json!({}), json!({"maxLength": 1}), "maxLength"),
            (
                json!({"default": {}}),
                json!({"default": {"a": false}}),
                "default.a",
            ),
        ] {
            let at = format!("spec.versions[v1].schema.openAPIV3Schema.{path}");
            assert_eq!(differences(&crd(wanted), &live(found)), [at]);
        }
        let mut other = live(json!({}));
        other["metadata"]["annotations"]["a.b/channel"] = "experimental".into();
        other["spec"]["conversion"] = json!({"strategy": "Webhook"});
        let expected = [
            "metadata.annotations.a.b/channel",
            "spec.conversion.strategy",
        ];
        assert_eq!(differences(&crd(json!({})), &other), expected);
    }

    #[test]
    fn other_objects_may_have_more_and_injected_certificates() {
        let wanted = json!({"kind": "Webhook", "webhooks": [{"name": "a", "clientConfig": {"caBundle": "Cg=="}, "cpu": "0.5", "resources": {"limits": {"cpu": "0.5"}}}]});
        let found = json!({"kind": "Webhook", "webhooks": [{"name": "a", "clientConfig": {"caBundle": "QQ==", "x": 1}, "cpu": "500m", "resources": {"limits": {"cpu": "500m"}}, "y": 2}]});
        // Elsewhere it is text.
        assert_eq!(differences(&wanted, &found), ["webhooks[a].cpu"]);
        let wanted = json!({"kind": "Secret", "stringData": {"a": "b"}, "data": {"c": "ZA=="}});
        let found = json!({"kind": "Secret", "data": {"a": "Yg==", "c": "ZQ=="}});
        assert_eq!(differences(&wanted, &found), ["data.c"]);
    }
}
