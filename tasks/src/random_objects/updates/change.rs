//! Changes of a CRD that servers may accept and objects may notice.

use crate::objects::dice::Dice;
use serde_json::{Map, Value, json};

/// The version that is added to CRDs that have only one.
const ADDED: &str = "v9";

/// How often a place is drawn that the change fits.
const DRAWS: usize = 40;

/// A change of a schema in place, or false if it does not fit there.
type Change = fn(&mut Map<String, Value>, &mut Dice) -> bool;

const OF_SCHEMAS: [(&str, Change); 18] = [
    ("field removed", field_removed),
    ("field renamed", field_renamed),
    ("field added", |schema, _| {
        field_added(schema, json!({"type": "string"}))
    }),
    ("field added with default", |schema, _| {
        field_added(schema, json!({"type": "string", "default": "x"}))
    }),
    ("required", required),
    ("not required", |schema, _| {
        schema.remove("required").is_some()
    }),
    ("enum", enum_changed),
    ("default", default_changed),
    ("default removed", |schema, _| {
        schema.remove("default").is_some()
    }),
    ("limit", limited),
    ("limit removed", limit_removed),
    ("pattern", |schema, dice| {
        let patterns = ["^a", "^[a-m]", "[0-9]", "^.{0,4}$"];
        schema.get("type") == Some(&json!("string")) && set(schema, "pattern", dice, &patterns)
    }),
    ("nullable", |schema, _| toggled(schema, "nullable")),
    ("type", |schema, dice| {
        let is_scalar = ["string", "integer", "boolean"].contains(&of_type(schema));
        is_scalar && set(schema, "type", dice, &["string", "integer", "boolean"])
    }),
    ("unknown fields", |schema, _| {
        let is_object = of_type(schema) == "object" && schema.contains_key("properties");
        is_object && toggled(schema, "x-kubernetes-preserve-unknown-fields")
    }),
    ("rule", rule),
    ("rules removed", |schema, _| {
        schema.remove("x-kubernetes-validations").is_some()
    }),
    ("list type", |schema, dice| {
        let types = ["set", "atomic"];
        of_type(schema) == "array" && set(schema, "x-kubernetes-list-type", dice, &types)
    }),
];

const OF_VERSIONS: [&str; 4] = ["unserved", "storage moves", "version removed", "deprecated"];

/// Adds a version with a schema of its own to a CRD that has only one.
pub fn add_version(crd: &mut Value, dice: &mut Dice) {
    let versions = crd["spec"]["versions"].as_array_mut().unwrap();
    if versions.len() != 1 {
        return;
    }
    let mut added = versions[0].clone();
    added["name"] = ADDED.into();
    added["storage"] = false.into();
    added["served"] = true.into();
    versions.push(added);
    for _ in 0..2 {
        let change = dice.pick(&["field removed", "field removed", "field added", "default"]);
        of_schema(crd, Some(1), change.unwrap(), dice);
    }
}

/// Makes one change. Returns what it is.
pub fn draw(crd: &mut Value, dice: &mut Dice) -> &'static str {
    if dice.chance(1, 6) {
        let change = dice.pick(&OF_VERSIONS).unwrap();
        of_version(crd, change, dice);
        return change;
    }
    for _ in 0..DRAWS {
        let (name, _) = dice.pick(&OF_SCHEMAS).unwrap();
        if of_schema(crd, None, name, dice) {
            return name;
        }
    }
    "none"
}

/// The places of the versions, without the one that the test added for invalid objects.
fn own_versions(versions: &[Value]) -> Vec<usize> {
    let all = 0..versions.len();
    all.filter(|at| versions[*at]["name"] != super::LAX)
        .collect()
}

fn of_version(crd: &mut Value, change: &str, dice: &mut Dice) {
    let versions = crd["spec"]["versions"].as_array_mut().unwrap();
    let own = own_versions(versions);
    let at = *dice.pick(&own).unwrap();
    match change {
        "unserved" => versions[at]["served"] = false.into(),
        "deprecated" => {
            versions[at]["deprecated"] = true.into();
            versions[at]["deprecationWarning"] = "write another one".into();
        }
        "storage moves" => {
            for (index, version) in versions.iter_mut().enumerate() {
                version["storage"] = (index == at).into();
            }
        }
        _ if versions[at]["storage"] == true => {}
        _ => {
            versions.remove(at);
        }
    }
}

/// Changes a schema below `spec`, `status` or the root, in one version or in all that have it.
fn of_schema(crd: &mut Value, version: Option<usize>, name: &str, dice: &mut Dice) -> bool {
    let (_, change) = OF_SCHEMAS.iter().find(|(known, _)| *known == name).unwrap();
    let versions = crd["spec"]["versions"].as_array_mut().unwrap();
    let own = own_versions(versions);
    let first = version.unwrap_or_else(|| *dice.pick(&own).unwrap());
    let all = version.is_none() && dice.chance(1, 2);
    let mut pointers = Vec::new();
    schemas(
        &versions[first]["schema"]["openAPIV3Schema"],
        "",
        &mut pointers,
    );
    for _ in 0..DRAWS {
        let Some(pointer) = dice.pick(&pointers) else {
            return false;
        };
        let again = dice.clone();
        let mut changed = false;
        for at in &own {
            if *at != first && !all {
                continue;
            }
            let schema = &mut versions[*at]["schema"]["openAPIV3Schema"];
            if let Some(Value::Object(schema)) = schema.pointer_mut(pointer) {
                // The same change in every version.
                changed |= change(schema, &mut again.clone());
            }
        }
        // The next place is changed otherwise.
        dice.roll(2);
        if changed {
            return true;
        }
    }
    false
}

/// Collects the pointers to the schemas of an object's own fields. Shallow ones are collected more often, since objects have them.
fn schemas(schema: &Value, at: &str, found: &mut Vec<String>) {
    let parts = schema["properties"].as_object().into_iter().flatten();
    let depth = at.matches('/').count();
    for (name, property) in parts {
        if depth == 0 && matches!(name.as_str(), "apiVersion" | "kind" | "metadata") {
            continue;
        }
        let name = name.replace('~', "~0").replace('/', "~1");
        let below = format!("{at}/properties/{name}");
        let weight = 5usize.saturating_sub(depth / 2).max(1);
        found.extend(std::iter::repeat_n(below.clone(), weight));
        schemas(property, &below, found);
    }
    for name in ["items", "additionalProperties"] {
        if schema[name].is_object() {
            let below = format!("{at}/{name}");
            found.push(below.clone());
            schemas(&schema[name], &below, found);
        }
    }
}

fn of_type(schema: &Map<String, Value>) -> &str {
    schema
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

fn set(schema: &mut Map<String, Value>, key: &str, dice: &mut Dice, values: &[&str]) -> bool {
    let value = json!(dice.pick(values).unwrap());
    schema.insert(key.to_owned(), value.clone()) != Some(value)
}

fn toggled(schema: &mut Map<String, Value>, key: &str) -> bool {
    if schema.remove(key).is_none() {
        schema.insert(key.to_owned(), true.into());
    }
    true
}

fn a_property(schema: &mut Map<String, Value>, dice: &mut Dice) -> Option<(String, Value)> {
    let properties = schema.get_mut("properties")?.as_object_mut()?;
    let names: Vec<String> = properties.keys().cloned().collect();
    let name = dice.pick(&names)?.clone();
    let property = properties.remove(&name)?;
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|it| *it != name.as_str());
        if required.is_empty() {
            schema.remove("required");
        }
    }
    Some((name, property))
}

fn field_removed(schema: &mut Map<String, Value>, dice: &mut Dice) -> bool {
    a_property(schema, dice).is_some()
}

fn field_renamed(schema: &mut Map<String, Value>, dice: &mut Dice) -> bool {
    let Some((name, property)) = a_property(schema, dice) else {
        return false;
    };
    schema["properties"][format!("{name}Now")] = property;
    true
}

fn field_added(schema: &mut Map<String, Value>, field: Value) -> bool {
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else {
        return false;
    };
    properties.insert("added".to_owned(), field).is_none()
}

fn required(schema: &mut Map<String, Value>, dice: &mut Dice) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object);
    let names: Vec<String> = properties
        .into_iter()
        .flatten()
        .map(|(name, _)| name.clone())
        .collect();
    let Some(name) = dice.pick(&names) else {
        return false;
    };
    let required = schema.entry("required").or_insert_with(|| json!([]));
    let required = required.as_array_mut().unwrap();
    let is_new = !required.iter().any(|it| *it == name.as_str());
    if is_new {
        required.push(json!(name));
    }
    is_new
}

fn enum_changed(schema: &mut Map<String, Value>, dice: &mut Dice) -> bool {
    let is_free = of_type(schema) == "string" && !schema.contains_key("default");
    match schema.get_mut("enum").and_then(Value::as_array_mut) {
        Some(values) if values.len() > 1 => {
            values.remove(dice.roll(values.len()));
            true
        }
        Some(_) => schema.remove("enum").is_some(),
        None if is_free => {
            schema.insert("enum".to_owned(), json!(["a", "b"]));
            true
        }
        None => false,
    }
}

fn default_changed(schema: &mut Map<String, Value>, dice: &mut Dice) -> bool {
    let value = match (schema.get("enum"), of_type(schema)) {
        (Some(values), _) => dice.pick(values.as_array().unwrap()).unwrap().clone(),
        (None, "string") => json!(["x", "y"][dice.roll(2)]),
        (None, "integer") => json!(dice.roll(5)),
        (None, "boolean") => json!(dice.chance(1, 2)),
        (None, "object") => json!({}),
        (None, "array") => json!([]),
        _ => return false,
    };
    schema.insert("default".to_owned(), value.clone()) != Some(value)
}

const LIMITS: [(&str, &str, usize); 8] = [
    ("string", "maxLength", 4),
    ("string", "minLength", 3),
    ("integer", "maximum", 40),
    ("integer", "minimum", 10),
    ("array", "maxItems", 1),
    ("array", "minItems", 2),
    ("object", "maxProperties", 2),
    ("object", "minProperties", 2),
];

fn limited(schema: &mut Map<String, Value>, dice: &mut Dice) -> bool {
    let ty = of_type(schema).to_owned();
    let fitting: Vec<_> = LIMITS.iter().filter(|(of, ..)| *of == ty).collect();
    let Some((_, keyword, most)) = dice.pick(&fitting) else {
        return false;
    };
    let value = json!(1 + dice.roll(*most));
    schema.insert((*keyword).to_owned(), value.clone()) != Some(value)
}

fn limit_removed(schema: &mut Map<String, Value>, _: &mut Dice) -> bool {
    let mut keywords = LIMITS.iter().map(|(_, keyword, _)| *keyword);
    keywords.any(|keyword| schema.remove(keyword).is_some())
}

fn rule(schema: &mut Map<String, Value>, dice: &mut Dice) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object);
    let names: Vec<&String> = properties
        .into_iter()
        .flatten()
        .map(|(name, _)| name)
        .collect();
    let is_plain = |name: &&&String| name.chars().all(char::is_alphanumeric);
    let name = dice.pick(&names).filter(is_plain);
    let rule = match (dice.roll(3), name) {
        (0, _) => "self == oldSelf".to_owned(),
        (_, Some(name)) => format!("!has(self.{name})"),
        (1, None) => "false".to_owned(),
        _ => return false,
    };
    let rules = schema
        .entry("x-kubernetes-validations")
        .or_insert_with(|| json!([]));
    rules.as_array_mut().unwrap().push(json!({"rule": rule}));
    true
}
