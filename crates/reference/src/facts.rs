//! What a schema says about a place, fact by fact, in words.

use crd_channels_schema::{
    Additional, Bounds, JsonType, Junctors, ListType, MapType, Merge, Notes, Rule, Schema,
};
use serde::Serialize;
use serde_json::{Value, json};

/// One fact about a place.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Fact {
    /// The keyword that says so, such as `minLength`; `rule` for an entry of `x-kubernetes-validations`.
    pub name: &'static str,
    /// The fact in words, without its value if that has to be written as code.
    pub words: String,
    /// A value that is shown as code: a default, a pattern, the expression of a rule.
    pub code: Option<String>,
}

impl Fact {
    /// Whether it says that objects have to have the place, rather than a field without a schema.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.name == "required" && self.code.is_none()
    }

    fn words(name: &'static str, words: impl Into<String>) -> Self {
        Self {
            name,
            words: words.into(),
            code: None,
        }
    }

    fn code(name: &'static str, words: &str, code: impl ToString) -> Self {
        Self {
            code: Some(code.to_string()),
            ..Self::words(name, words)
        }
    }
}

/// Returns the type of a value in words, such as `list of strings`.
#[must_use]
pub fn type_name(schema: &Schema) -> String {
    counted_type(schema, false)
}

/// The type of a value, or of several.
fn counted_type(schema: &Schema, several: bool) -> String {
    let format = match &schema.format {
        Some(format) => format!(" ({format})"),
        None => String::new(),
    };
    let counted = |one: &str, many: &str| format!("{}{format}", if several { many } else { one });
    if schema.int_or_string {
        return counted("integer or string", "integers or strings");
    }
    match schema.ty {
        Some(JsonType::Array) => {
            let list = counted("list", "lists");
            match &schema.items {
                Some(items) => format!("{list} of {}", counted_type(items, true)),
                None => list,
            }
        }
        Some(JsonType::Object) => match schema.values() {
            Some(values) => format!(
                "{} of {}",
                counted("map", "maps"),
                counted_type(values, true)
            ),
            None => counted("object", "objects"),
        },
        Some(JsonType::Boolean) => counted("boolean", "booleans"),
        Some(JsonType::Integer) => counted("integer", "integers"),
        Some(JsonType::Number) => counted("number", "numbers"),
        Some(JsonType::String) => counted("string", "strings"),
        None => counted("any value", "any values"),
    }
}

/// Returns the facts of a place. The type and the description are not among them, and what is below has its own.
#[must_use]
pub fn facts(schema: &Schema, is_required: bool) -> Vec<Fact> {
    let Schema {
        ty,
        format: _,
        title,
        description: _,
        nullable,
        default,
        enum_values,
        properties,
        required,
        additional_properties,
        items: _,
        bounds,
        junctors,
        merge,
        notes,
        rules,
        embedded_resource,
        int_or_string: _,
        preserve_unknown_fields,
        origin: _,
        levels: _,
        keys: _,
    } = schema;
    let mut all = Vec::new();
    if is_required {
        all.push(Fact::words("required", "required"));
    }
    // An entry of `required` that names no property of its own; those that do are facts of the property.
    for name in required
        .iter()
        .filter(|name| !properties.contains_key(*name))
    {
        all.push(Fact::code("required", "has to have", name));
    }
    if let Some(default) = default {
        all.push(Fact::code("default", "default", default));
    }
    if *nullable {
        all.push(Fact::words("nullable", "may be null"));
    }
    all.extend(
        enum_values
            .iter()
            .map(|value| Fact::code("enum", "value", value)),
    );
    if let Some(bounds) = bounds {
        bound_facts(bounds, &mut all);
    }
    if let Some(title) = title {
        all.push(Fact::code("title", "titled", title));
    }
    merge_facts(*ty, merge.as_deref(), schema.values().is_some(), &mut all);
    if *embedded_resource {
        let words = "a whole Kubernetes object, with `apiVersion`, `kind` and `metadata`";
        all.push(Fact::words("x-kubernetes-embedded-resource", words));
    }
    if *preserve_unknown_fields {
        let words = "fields that are not listed are kept";
        all.push(Fact::words("x-kubernetes-preserve-unknown-fields", words));
    }
    match additional_properties {
        Some(Additional::Allowed(true)) => {
            all.push(Fact::words(
                "additionalProperties",
                "may have any other field",
            ));
        }
        Some(Additional::Allowed(false)) => {
            all.push(Fact::words(
                "additionalProperties",
                "may have no other field",
            ));
        }
        Some(Additional::Schema(_)) | None => {}
    }
    if let Some(junctors) = junctors {
        junctor_facts(junctors, &mut all);
    }
    if let Some(notes) = notes {
        note_facts(notes, &mut all);
    }
    all.extend(rules.iter().map(rule_fact));
    all
}

fn bound_facts(bounds: &Bounds, all: &mut Vec<Fact>) {
    let Bounds {
        minimum,
        exclusive_minimum,
        maximum,
        exclusive_maximum,
        multiple_of,
        min_length,
        max_length,
        pattern,
        min_items,
        max_items,
        min_properties,
        max_properties,
    } = bounds;
    if let Some(minimum) = minimum {
        let than = if *exclusive_minimum {
            "more than"
        } else {
            "at least"
        };
        all.push(Fact::words("minimum", format!("{than} {minimum}")));
    }
    if let Some(maximum) = maximum {
        let than = if *exclusive_maximum {
            "less than"
        } else {
            "at most"
        };
        all.push(Fact::words("maximum", format!("{than} {maximum}")));
    }
    if let Some(step) = multiple_of {
        all.push(Fact::words("multipleOf", format!("a multiple of {step}")));
    }
    let mut count = |name, than: &str, number: Option<u64>, one: &str, many: &str| {
        if let Some(number) = number {
            let unit = if number == 1 { one } else { many };
            all.push(Fact::words(name, format!("{than} {number} {unit}")));
        }
    };
    count(
        "minLength",
        "at least",
        *min_length,
        "character",
        "characters",
    );
    count(
        "maxLength",
        "at most",
        *max_length,
        "character",
        "characters",
    );
    count("minItems", "at least", *min_items, "element", "elements");
    count("maxItems", "at most", *max_items, "element", "elements");
    count(
        "minProperties",
        "at least",
        *min_properties,
        "entry",
        "entries",
    );
    count(
        "maxProperties",
        "at most",
        *max_properties,
        "entry",
        "entries",
    );
    if let Some(pattern) = pattern {
        all.push(Fact::code("pattern", "matches", pattern));
    }
}

/// What server-side apply does with a list or a map. Lists that do not say are atomic, which is worth knowing as well.
fn merge_facts(ty: Option<JsonType>, merge: Option<&Merge>, is_map: bool, all: &mut Vec<Fact>) {
    let Merge {
        list_type,
        list_map_keys,
        map_type,
    } = merge.cloned().unwrap_or_default();
    let whole = "server-side apply replaces it as a whole";
    match list_type {
        Some(ListType::Map) => {
            let keys: Vec<String> = list_map_keys.iter().map(|key| format!("`{key}`")).collect();
            let words = format!(
                "elements are told apart by {}, and merged by server-side apply",
                keys.join(" and ")
            );
            all.push(Fact::words("x-kubernetes-list-type", words));
        }
        Some(ListType::Set) => {
            let words = "no value twice; server-side apply merges it value by value";
            all.push(Fact::words("x-kubernetes-list-type", words));
        }
        Some(ListType::Atomic) => all.push(Fact::words("x-kubernetes-list-type", whole)),
        None if ty == Some(JsonType::Array) => {
            all.push(Fact::words("x-kubernetes-list-type", whole));
        }
        None => {}
    }
    match map_type {
        Some(MapType::Atomic) => all.push(Fact::words("x-kubernetes-map-type", whole)),
        Some(MapType::Granular) => {
            let by = if is_map {
                "key by key"
            } else {
                "field by field"
            };
            let words = format!("server-side apply merges it {by}");
            all.push(Fact::words("x-kubernetes-map-type", words));
        }
        None => {}
    }
}

fn junctor_facts(junctors: &Junctors, all: &mut Vec<Fact>) {
    let Junctors {
        all_of,
        any_of,
        one_of,
        not,
    } = junctors;
    let mut add = |name, how: &str, branches: &[Schema]| {
        if branches.is_empty() {
            return;
        }
        all.push(match only_required(branches) {
            Some(fields) => Fact::words(name, format!("{how} {}", fields.join(", "))),
            None => Fact::code(name, &format!("matches {how}"), json!(branches)),
        });
    };
    add("allOf", "all of", all_of);
    add("anyOf", "at least one of", any_of);
    add("oneOf", "exactly one of", one_of);
    if let Some(not) = not {
        all.push(match only_required(std::slice::from_ref(not)) {
            Some(fields) => Fact::words("not", format!("not {}", fields.join(", "))),
            None => Fact::code("not", "does not match", json!(not)),
        });
    }
}

/// The fields that each branch asks for, if branches do nothing else.
fn only_required(branches: &[Schema]) -> Option<Vec<String>> {
    let fields = branches.iter().map(|branch| {
        let bare = Schema {
            required: branch.required.clone(),
            ..Schema::default()
        };
        let names: Vec<String> = branch
            .required
            .iter()
            .map(|name| format!("`{name}`"))
            .collect();
        (*branch == bare && !names.is_empty()).then(|| names.join(" and "))
    });
    fields.collect()
}

fn note_facts(notes: &Notes, all: &mut Vec<Fact>) {
    let Notes {
        example,
        docs_url,
        docs_description,
    } = notes;
    if let Some(example) = example {
        all.push(Fact::code("example", "for example", example));
    }
    if docs_url.is_some() || docs_description.is_some() {
        let words = docs_description.as_deref().unwrap_or("see");
        let url = docs_url.as_deref().unwrap_or_default();
        all.push(Fact::code("externalDocs", words, url));
    }
}

/// The expressions that forbid any change of a value.
const IMMUTABLE: [&str; 2] = ["self == oldSelf", "oldSelf == self"];

fn rule_fact(rule: &Rule) -> Fact {
    let Rule {
        rule,
        message,
        message_expression,
        reason,
        field_path,
        optional_old_self,
        origin: _,
        rule_written: _,
        message_written: _,
    } = rule;
    let mut words = match message {
        Some(message) => message.trim().to_owned(),
        None if IMMUTABLE.contains(&rule.trim()) => "cannot be changed once it is set".to_owned(),
        None => "has to satisfy".to_owned(),
    };
    if message.is_some() && IMMUTABLE.contains(&rule.trim()) {
        words.push_str(" (cannot be changed once it is set)");
    }
    let parts = [
        ("message", message_expression),
        ("reason", reason),
        ("field", field_path),
    ];
    for (name, part) in parts {
        if let Some(part) = part {
            words.push_str(&format!(" ({name}: `{part}`)"));
        }
    }
    if *optional_old_self == Some(true) {
        words.push_str(" (also when an object is created)");
    }
    Fact::code("rule", &words, rule.trim())
}

/// A value of an enum, as [`Fact::code`] has it.
pub(crate) fn enum_value(value: &Value) -> String {
    value.to_string()
}
