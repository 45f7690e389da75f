//! The words in which pages say what a keyword says.

use super::{Fact, squeezed, text, texts};
use serde_json::Value;
use std::collections::BTreeSet;

/// The type of a value, or of several.
pub fn type_words(schema: &Value, several: bool) -> String {
    let s = if several { "s" } else { "" };
    let format = text(schema, "/format").map_or_else(String::new, |it| format!(" ({it})"));
    let one = match text(schema, "/type") {
        _ if schema.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true)) => {
            format!("integer{s} or string")
        }
        Some("array") => match schema.get("items") {
            Some(items) => return format!("list{s}{format} of {}", type_words(items, true)),
            None => "list".to_owned(),
        },
        Some("object") => match schema
            .get("additionalProperties")
            .filter(|it| it.is_object())
        {
            Some(values) => return format!("map{s}{format} of {}", type_words(values, true)),
            None => "object".to_owned(),
        },
        Some(ty) => ty.to_owned(),
        None => "any value".to_owned(),
    };
    format!("{one}{s}{format}")
}

/// The facts of a schema, without its type, its description and its values.
pub fn facts(schema: &Value) -> Vec<Fact> {
    let mut all = Vec::new();
    let mut say = |words: String, code: Option<String>| all.push(Fact { words, code });
    let get = |key: &str| schema.get(key);
    let is_on = |key: &str| get(key) == Some(&Value::Bool(true));
    let properties = get("properties").and_then(Value::as_object);
    for name in texts(schema, "required") {
        if properties.is_none_or(|known| !known.contains_key(name)) {
            say("has to have: ".to_owned(), Some(name.to_owned()));
        }
    }
    for (key, words) in [("default", "default: "), ("example", "for example: ")] {
        if let Some(value) = get(key) {
            say(words.to_owned(), Some(value.to_string()));
        }
    }
    for (key, words) in [("pattern", "matches: "), ("title", "titled: ")] {
        if let Some(value) = text(schema, &format!("/{key}")) {
            say(words.to_owned(), Some(value.to_owned()));
        }
    }
    for (key, open, closed, exclusive) in [
        ("minimum", "more than", "at least", "exclusiveMinimum"),
        ("maximum", "less than", "at most", "exclusiveMaximum"),
        ("multipleOf", "", "a multiple of", ""),
    ] {
        if let Some(value) = get(key) {
            let than = if is_on(exclusive) { open } else { closed };
            say(format!("{than} {value}"), None);
        }
    }
    for (unit, one, many) in [
        ("Length", "character", "characters"),
        ("Items", "element", "elements"),
        ("Properties", "entry", "entries"),
    ] {
        for (end, than) in [("min", "at least"), ("max", "at most")] {
            if let Some(count) = get(&format!("{end}{unit}")) {
                let unit = if *count == 1 { one } else { many };
                say(format!("{than} {count} {unit}"), None);
            }
        }
    }
    for (key, words) in [
        ("nullable", "may be null"),
        (
            "x-kubernetes-embedded-resource",
            "a whole Kubernetes object, with apiVersion, kind and metadata",
        ),
        (
            "x-kubernetes-preserve-unknown-fields",
            "fields that are not listed are kept",
        ),
        ("additionalProperties", "may have any other field"),
    ] {
        if is_on(key) {
            say(words.to_owned(), None);
        }
    }
    if get("additionalProperties") == Some(&Value::Bool(false)) {
        say("may have no other field".to_owned(), None);
    }
    let whole = "server-side apply replaces it as a whole";
    let is_list = get("type") == Some(&"array".into());
    match text(schema, "/x-kubernetes-list-type") {
        Some("map") => {
            let keys = texts(schema, "x-kubernetes-list-map-keys").join(" and ");
            say(
                format!("elements are told apart by {keys}, and merged by server-side apply"),
                None,
            );
        }
        Some("set") => say(
            "no value twice; server-side apply merges it value by value".to_owned(),
            None,
        ),
        Some(_) => say(whole.to_owned(), None),
        None if is_list => say(whole.to_owned(), None),
        None => {}
    }
    match text(schema, "/x-kubernetes-map-type") {
        Some("atomic") => say(whole.to_owned(), None),
        Some(_) => {
            let is_map = get("additionalProperties").is_some_and(Value::is_object);
            let by = if is_map {
                "key by key"
            } else {
                "field by field"
            };
            say(format!("server-side apply merges it {by}"), None);
        }
        None => {}
    }
    for (key, one, other) in [
        ("allOf", "all of", "matches all of: "),
        ("anyOf", "at least one of", "matches at least one of: "),
        ("oneOf", "exactly one of", "matches exactly one of: "),
        ("not", "not", "does not match: "),
    ] {
        let Some(value) = get(key) else {
            continue;
        };
        let branches = value
            .as_array()
            .cloned()
            .unwrap_or_else(|| vec![value.clone()]);
        // A branch that asks for fields and for nothing else is these fields.
        let fields = branches.iter().map(|branch| {
            let names = texts(branch, "required");
            (branch.as_object()?.len() == 1 && !names.is_empty()).then(|| names.join(" and "))
        });
        match fields.collect::<Option<Vec<String>>>() {
            Some(fields) => say(format!("{one} {}", fields.join(", ")), None),
            None => say(other.to_owned(), Some(value.to_string())),
        }
    }
    if let Some(more) = get("externalDocs") {
        let words = text(more, "/description").unwrap_or("see").to_owned();
        say(
            words,
            Some(text(more, "/url").unwrap_or_default().to_owned()),
        );
    }
    let rules = get("x-kubernetes-validations").and_then(Value::as_array);
    all.extend(rules.into_iter().flatten().map(rule));
    all
}

fn rule(rule: &Value) -> Fact {
    let text = |key: &str| text(rule, &format!("/{key}"));
    let code = text("rule").unwrap().trim();
    let is_fixed = ["self == oldSelf", "oldSelf == self"].contains(&code);
    let mut words = match (text("message"), is_fixed) {
        (Some(message), true) => format!("{} (cannot be changed once it is set)", message.trim()),
        (Some(message), false) => message.trim().to_owned(),
        (None, true) => "cannot be changed once it is set".to_owned(),
        (None, false) => "has to satisfy".to_owned(),
    };
    for (key, name) in [
        ("messageExpression", "message"),
        ("reason", "reason"),
        ("fieldPath", "field"),
    ] {
        if let Some(value) = text(key) {
            words.push_str(&format!(" ({name}: {value})"));
        }
    }
    if rule.get("optionalOldSelf") == Some(&Value::Bool(true)) {
        words.push_str(" (also when an object is created)");
    }
    Fact {
        words,
        code: Some(code.to_owned()),
    }
}

/// What is known about a version besides its schema. Texts are squeezed.
pub fn about(crd: &Value, version: &Value) -> BTreeSet<String> {
    let name = |pointer| text(crd, pointer).unwrap();
    let explain = format!(
        "In a terminal: kubectl explain {} --api-version={}/{}",
        name("/spec/names/plural"),
        name("/spec/group"),
        text(version, "/name").unwrap()
    );
    let mut all = vec![served(version), explain];
    all.extend(subresources(version));
    all.extend(selectable(version).map(|path| format!("Objects can be selected by {path}")));
    all.extend(columns(version));
    all.iter().map(|text| squeezed(text)).collect()
}

/// What a channel does with a version.
pub fn served(version: &Value) -> String {
    let is = |key: &str| version.get(key) == Some(&Value::Bool(true));
    let mut words = if is("served") { "served" } else { "not served" }.to_owned();
    if is("storage") {
        words.push_str("; objects are stored in it");
    }
    if is("deprecated") {
        let warning = text(version, "/deprecationWarning").unwrap_or_default();
        words.push_str(&format!("; deprecated {warning}"));
    }
    words
}

pub fn subresources(version: &Value) -> Vec<String> {
    let mut all = Vec::new();
    if version.pointer("/subresources/status").is_some() {
        all.push("Subresource status: only requests to /status write it".to_owned());
    }
    if let Some(scale) = version.pointer("/subresources/scale") {
        let path = |key: &str| text(scale, key);
        let selector = path("/labelSelectorPath");
        let selector = selector.map_or_else(String::new, |it| {
            format!(", the selector of its pods is {it}")
        });
        all.push(format!(
            "Subresource scale: kubectl scale and autoscalers write {} and read {}{selector}",
            path("/specReplicasPath").unwrap(),
            path("/statusReplicasPath").unwrap()
        ));
    }
    all
}

/// The paths that objects can be selected by.
pub fn selectable(version: &Value) -> impl Iterator<Item = &str> {
    let paths = version.get("selectableFields").and_then(Value::as_array);
    paths
        .into_iter()
        .flatten()
        .map(|it| text(it, "/jsonPath").unwrap())
}

/// The cells of columns.
pub fn columns(version: &Value) -> Vec<String> {
    let columns = version
        .get("additionalPrinterColumns")
        .and_then(Value::as_array);
    let row = |column: &Value| {
        let text = |key: &str| text(column, key).unwrap_or_default();
        let format = text("/format");
        let format = if format.is_empty() {
            String::new()
        } else {
            format!(" ({format})")
        };
        let wide = column
            .get("priority")
            .and_then(Value::as_i64)
            .is_some_and(|it| it > 0);
        let wide = if wide { " (with -o wide)" } else { "" };
        let (name, ty, path, docs) = (
            text("/name"),
            text("/type"),
            text("/jsonPath"),
            text("/description"),
        );
        format!("{name}|{ty}{format}|{path}|{docs}{wide}")
    };
    columns.into_iter().flatten().map(row).collect()
}
