//! Random objects from the schema of a version.

use crd_channels_cel::go_regexp;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
    JSON, JSONSchemaProps, JSONSchemaPropsOrArray, JSONSchemaPropsOrBool,
};
use proptest::collection::{btree_map, vec};
use proptest::prelude::any;
use proptest::strategy::{BoxedStrategy, Just, Strategy, Union};
use proptest::string::{string_regex, string_regex_parsed};
use proptest::{option, sample};
use regex_syntax::hir::{Hir, HirKind};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The maximum number of elements or characters beyond the required minimum.
const MORE: usize = 3;

type Drawn = Result<BoxedStrategy<Value>, String>;

/// A complete object with a name.
pub(super) fn object(schema: &JSONSchemaProps, api_version: &str, kind: &str) -> Drawn {
    let metadata = json!({ "name": "drawn", "labels": { "a": "b" }, "annotations": { "c": "d" } });
    let head = json!({ "apiVersion": api_version, "kind": kind, "metadata": metadata });
    let mut schema = schema.clone();
    if let Some(properties) = &mut schema.properties {
        properties.retain(|name, _| head.get(name).is_none());
    }
    if let Some(required) = &mut schema.required {
        required.retain(|name| head.get(name).is_none());
    }
    let whole = value(&schema)?.prop_map(move |mut drawn| {
        if let (Value::Object(drawn), Value::Object(head)) = (&mut drawn, &head) {
            drawn.extend(head.clone());
        }
        drawn
    });
    Ok(whole.boxed())
}

fn value(schema: &JSONSchemaProps) -> Drawn {
    let drawn = match (&schema.enum_, schema.type_.as_deref()) {
        (Some(values), _) if !values.is_empty() => {
            let values: Vec<Value> = values.iter().map(|JSON(value)| value.clone()).collect();
            sample::select(values).boxed()
        }
        _ if schema.x_kubernetes_int_or_string == Some(true) => Union::new([
            any::<i32>().prop_map(Value::from).boxed(),
            text("[0-9]{1,2}%")?,
        ])
        .boxed(),
        (_, Some("string")) => string(schema)?,
        (_, Some("integer")) => integer(schema),
        (_, Some("number")) => number(schema),
        (_, Some("boolean")) => any::<bool>().prop_map(Value::from).boxed(),
        (_, Some("array")) => list(schema)?,
        (_, Some("object")) => fields(schema)?,
        (_, Some(other)) => return Err(format!("`{other}` is not a type")),
        (_, None) => anything(),
    };
    Ok(match schema.nullable {
        Some(true) => Union::new_weighted(vec![(4, drawn), (1, Just(Value::Null).boxed())]).boxed(),
        _ => drawn,
    })
}

fn text(pattern: &str) -> Drawn {
    let drawn = string_regex(pattern).map_err(|error| error.to_string())?;
    Ok(drawn.prop_map(Value::from).boxed())
}

fn string(schema: &JSONSchemaProps) -> Drawn {
    let by_format = match schema.format.as_deref() {
        Some("date-time") => {
            Some("20[0-9]{2}-0[1-9]-(1[0-9]|2[0-8])T[01][0-9]:[0-5][0-9]:[0-5][0-9]Z")
        }
        Some("date") => Some("20[0-9]{2}-0[1-9]-(1[0-9]|2[0-8])"),
        Some("duration") => Some("[1-9][0-9]{0,2}(ms|s|m|h)"),
        Some("byte") => Some("([a-z]{4}){1,3}"),
        Some("ipv4" | "ip") => Some("10(\\.[1-9][0-9]?){3}"),
        Some("ipv6") => Some("fd00::[1-9a-f]{1,4}"),
        Some("cidr") => Some("10\\.0\\.[1-9][0-9]?\\.0/24"),
        Some("uri") => Some("https://[a-z]{1,8}\\.example/[a-z]{0,4}"),
        Some("email") => Some("[a-z]{1,8}@example\\.com"),
        Some("hostname") => Some("[a-z]{1,8}\\.example"),
        Some("uuid" | "uuid4") => {
            Some("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}")
        }
        _ => None,
    };
    let (least, most) = bounds(schema.min_length, schema.max_length);
    let drawn = match (&schema.pattern, by_format) {
        (Some(pattern), _) => {
            let fault = |error: String| format!("pattern `{pattern}`: {error}");
            let translated = go_regexp::translate(pattern).map_err(fault)?;
            let parsed = regex_syntax::parse(&translated);
            let parsed = parsed.map_err(|error| fault(error.to_string()))?;
            let drawn = string_regex_parsed(&unanchored(&parsed));
            drawn.map_err(|error| fault(error.to_string()))?.boxed()
        }
        (None, Some(pattern)) => return text(pattern),
        (None, None) => vec(any::<char>(), least..=most)
            .prop_map(String::from_iter)
            .boxed(),
    };
    let longest = usize::try_from(schema.max_length.unwrap_or(i64::MAX)).unwrap_or(usize::MAX);
    let fits = move |text: &String| (least..=longest).contains(&text.chars().count());
    Ok(drawn
        .prop_filter("its length", fits)
        .prop_map(Value::from)
        .boxed())
}

/// A pattern without `^` and `$`, since generated texts match as a whole.
fn unanchored(pattern: &Hir) -> Hir {
    match pattern.kind() {
        HirKind::Look(_) => Hir::empty(),
        HirKind::Capture(capture) => unanchored(&capture.sub),
        HirKind::Concat(parts) => Hir::concat(parts.iter().map(unanchored).collect()),
        HirKind::Alternation(parts) => Hir::alternation(parts.iter().map(unanchored).collect()),
        HirKind::Repetition(repetition) => {
            let mut repetition = repetition.clone();
            repetition.sub = Box::new(unanchored(&repetition.sub));
            Hir::repetition(repetition)
        }
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) => pattern.clone(),
    }
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "bounds of integers, which are small or saturate"
)]
fn integer(schema: &JSONSchemaProps) -> BoxedStrategy<Value> {
    let (lowest, highest) = match schema.format.as_deref() {
        Some("int32") => (f64::from(i32::MIN), f64::from(i32::MAX)),
        _ => (-9e15, 9e15),
    };
    let exclusive = |flag: Option<bool>| i64::from(flag == Some(true));
    let lowest = schema.minimum.map_or(lowest, f64::ceil) as i64;
    let highest = schema.maximum.map_or(highest, f64::floor) as i64;
    let lowest = lowest.saturating_add(exclusive(schema.exclusive_minimum));
    let highest = highest.saturating_sub(exclusive(schema.exclusive_maximum));
    let step = schema.multiple_of.map_or(1, |step| step as i64).max(1);
    // The first multiple from the lowest number on.
    let first = lowest.saturating_add(step - 1).div_euclid(step);
    let last = highest.div_euclid(step).max(first);
    (first..=last)
        .prop_map(move |count| Value::from(count.saturating_mul(step)))
        .boxed()
}

fn number(schema: &JSONSchemaProps) -> BoxedStrategy<Value> {
    let lowest = schema.minimum.unwrap_or(-1e9);
    let highest = schema.maximum.unwrap_or(1e9).max(lowest);
    (0.0..=1.0)
        .prop_map(move |share: f64| Value::from(lowest + (highest - lowest) * share))
        .boxed()
}

fn list(schema: &JSONSchemaProps) -> Drawn {
    let Some(JSONSchemaPropsOrArray::Schema(items)) = &schema.items else {
        return Ok(Just(json!([])).boxed());
    };
    let (least, most) = bounds(schema.min_items, schema.max_items);
    let drawn = vec(value(items)?, least..=most);
    let keys = match schema.x_kubernetes_list_type.as_deref() {
        Some("map") => schema.x_kubernetes_list_map_keys.clone(),
        Some("set") => Some(Vec::new()),
        _ => None,
    };
    let Some(keys) = keys else {
        return Ok(drawn.prop_map(Value::from).boxed());
    };
    let unique = drawn.prop_map(move |mut items| {
        let mut seen = BTreeSet::new();
        items.retain(|item| {
            let own: Vec<Option<&Value>> = keys.iter().map(|key| item.get(key)).collect();
            let own = match keys.is_empty() {
                true => item.to_string(),
                false => format!("{own:?}"),
            };
            seen.insert(own)
        });
        items
    });
    let enough = unique.prop_filter("as many elements as it must have", move |items| {
        items.len() >= least
    });
    Ok(enough.prop_map(Value::from).boxed())
}

fn fields(schema: &JSONSchemaProps) -> Drawn {
    if schema.properties.is_none()
        && let Some(JSONSchemaPropsOrBool::Schema(values)) = &schema.additional_properties
    {
        let (least, most) = bounds(schema.min_properties, schema.max_properties);
        let entries = btree_map("[a-z]{1,8}", value(values)?, least..=most);
        let map = entries.prop_map(|entries| Value::Object(entries.into_iter().collect()));
        return Ok(map.boxed());
    }
    if schema.properties.is_none() && schema.x_kubernetes_preserve_unknown_fields == Some(true) {
        return Ok(anything_in_an_object());
    }
    let alternatives = alternatives(schema);
    let choices: Result<Vec<_>, String> = alternatives
        .iter()
        .map(|one| alternative(schema, one))
        .collect();
    Ok(Union::new(choices?).boxed())
}

/// The branches of `oneOf`, or else those of `anyOf`, or else one without requirements.
fn alternatives(schema: &JSONSchemaProps) -> Vec<Alternative<'_>> {
    let branches = schema.one_of.as_ref().or(schema.any_of.as_ref());
    let branches = branches.map_or(&[][..], Vec::as_slice);
    let demanded: BTreeSet<&str> = branches.iter().flat_map(demands).collect();
    if branches.is_empty() {
        return vec![Alternative::default()];
    }
    let alternative = |branch| {
        let own: BTreeSet<&str> = demands(branch).collect();
        Alternative {
            branch: Some(branch),
            absent: demanded.difference(&own).copied().collect(),
        }
    };
    branches.iter().map(alternative).collect()
}

#[derive(Default)]
struct Alternative<'a> {
    branch: Option<&'a JSONSchemaProps>,
    /// The fields that only other branches require.
    absent: BTreeSet<&'a str>,
}

fn demands(branch: &JSONSchemaProps) -> impl Iterator<Item = &str> {
    branch.required.iter().flatten().map(String::as_str)
}

fn alternative(schema: &JSONSchemaProps, alternative: &Alternative<'_>) -> Drawn {
    let mut drawn = Just(Map::new()).boxed();
    let required: BTreeSet<&str> = demands(schema)
        .chain(alternative.branch.into_iter().flat_map(demands))
        .collect();
    for (name, field) in schema.properties.iter().flatten() {
        if alternative.absent.contains(&**name) && !required.contains(&**name) {
            continue;
        }
        let narrowed = alternative
            .branch
            .and_then(|branch| branch.properties.as_ref()?.get(name));
        let narrowed = narrowed.filter(|narrowed| narrowed.enum_.is_some());
        let field = value(narrowed.unwrap_or(field))?;
        let field = match required.contains(&**name) {
            true => field.prop_map(Some).boxed(),
            false => option::of(field).boxed(),
        };
        let name = name.clone();
        drawn = (drawn, field)
            .prop_map(move |(mut fields, field)| {
                fields.extend(field.map(|field| (name.clone(), field)));
                fields
            })
            .boxed();
    }
    Ok(drawn.prop_map(Value::Object).boxed())
}

/// Any JSON value, a few levels deep.
fn anything() -> BoxedStrategy<Value> {
    let leaf = Union::new([
        any::<bool>().prop_map(Value::from).boxed(),
        any::<i32>().prop_map(Value::from).boxed(),
        "[a-z]{0,8}".prop_map(Value::from).boxed(),
    ]);
    leaf.prop_recursive(2, 8, 3, |inner| {
        let list = vec(inner.clone(), 0..=MORE).prop_map(Value::from);
        let fields = btree_map("[a-z]{1,4}", inner, 0..=MORE)
            .prop_map(|fields| Value::Object(fields.into_iter().collect()));
        Union::new([list.boxed(), fields.boxed()])
    })
    .boxed()
}

fn anything_in_an_object() -> BoxedStrategy<Value> {
    btree_map("[a-z]{1,4}", anything(), 0..=MORE)
        .prop_map(|fields| Value::Object(fields.into_iter().collect()))
        .boxed()
}

/// The range for the number of elements: a few more than the minimum, up to the maximum.
fn bounds(least: Option<i64>, most: Option<i64>) -> (usize, usize) {
    let least = usize::try_from(least.unwrap_or(0)).unwrap_or(0);
    let most = most.and_then(|most| usize::try_from(most).ok());
    (
        least,
        most.unwrap_or(usize::MAX).min(least + MORE).max(least),
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::objects;
    use super::{JSONSchemaProps, string};
    use crd_channels_validation::Validator;
    use proptest::strategy::{Strategy, ValueTree};
    use proptest::test_runner::TestRunner;
    use serde_json::{Value, json};
    use std::collections::BTreeSet;

    /// Only what a server stores, and not the same again and again.
    #[test]
    fn a_server_accepts_what_is_drawn() {
        let formats = [
            "byte",
            "cidr",
            "date",
            "date-time",
            "duration",
            "email",
            "hostname",
            "ipv4",
            "ipv6",
            "uri",
            "uuid",
            "uuid4",
        ];
        let text = json!({ "type": "string" });
        let branch = |tag: &str, field: &str| json!({ "required": ["tag", field], "properties": { "tag": { "enum": [tag] } } });
        let tagged =
            json!({ "tag": { "type": "string", "enum": ["A", "B"] }, "a": text, "b": text });
        let mut schemas = vec![
            json!({ "type": "string", "minLength": 2, "maxLength": 3 }),
            json!({ "type": "string", "pattern": "^[a-f]+(-[0-9]|x)*$", "minLength": 3, "maxLength": 9 }),
            json!({ "type": "integer", "minimum": -3, "maximum": 9, "multipleOf": 4 }),
            json!({ "type": "integer", "minimum": 2, "exclusiveMinimum": true, "maximum": 5, "exclusiveMaximum": true }),
            json!({ "type": "integer", "format": "int32" }),
            json!({ "type": "number", "minimum": 2.5, "maximum": 3.5 }),
            json!({ "type": "number" }),
            json!({ "type": "boolean", "nullable": true }),
            json!({ "x-kubernetes-int-or-string": true }),
            json!({ "type": "array", "items": text, "minItems": 2, "maxItems": 3 }),
            json!({ "type": "array", "items": { "type": "boolean" }, "minItems": 1, "x-kubernetes-list-type": "set" }),
            json!({
                "type": "array", "minItems": 1, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["key"],
                "items": { "type": "object", "required": ["key"], "properties": { "key": { "type": "boolean" }, "a": text } },
            }),
            json!({ "type": "object", "additionalProperties": text, "minProperties": 2, "maxProperties": 3 }),
            json!({ "type": "object", "required": ["a"], "properties": { "a": text, "b": text } }),
            json!({ "type": "object", "x-kubernetes-preserve-unknown-fields": true }),
            json!({ "type": "object", "properties": tagged, "oneOf": [branch("A", "a"), branch("B", "b")] }),
            json!({ "type": "object", "properties": tagged, "anyOf": [{ "required": ["a"] }, { "required": ["b"] }] }),
        ];
        schemas.extend(formats.map(|format| json!({ "type": "string", "format": format })));
        let mut runner = TestRunner::deterministic();
        for schema in schemas {
            let root =
                json!({ "type": "object", "required": ["spec"], "properties": { "spec": schema } });
            let versions = json!([{ "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": root } }]);
            let crd = json!({ "apiVersion": "apiextensions.k8s.io/v1", "metadata": { "name": "things.example.com" }, "spec": {
                "group": "example.com", "names": { "kind": "Thing", "plural": "things" }, "scope": "Cluster", "versions": versions,
            } });
            let validator = Validator::new(&crd, "v1").unwrap();
            let drawn = objects(&serde_json::from_value(crd).unwrap(), "v1").unwrap();
            let mut all = BTreeSet::new();
            for _ in 0..100 {
                let object: Value = drawn.new_tree(&mut runner).unwrap().current();
                let violations = validator.create(&object).violations;
                assert!(violations.is_empty(), "{schema} {object} {violations:?}");
                all.insert(object.to_string());
            }
            assert!(all.len() > 1, "{schema} {all:?}");
        }
    }

    #[test]
    fn patterns_have_the_syntax_of_go() {
        let schema = JSONSchemaProps {
            pattern: Some(r"^\Qa.b\E\057[0-7]$".to_owned()),
            ..JSONSchemaProps::default()
        };
        let drawn = string(&schema).unwrap();
        let mut runner = TestRunner::deterministic();
        for _ in 0..20 {
            let drawn = drawn.new_tree(&mut runner).unwrap().current();
            let digit = drawn.as_str().unwrap().strip_prefix("a.b/").unwrap();
            assert!(matches!(digit.as_bytes(), [b'0'..=b'7']), "{drawn}");
        }
    }
}
