//! Lints on the nodes of a schema.

use super::{flag, regret, text};
use crate::check::finding::Finding;
use crate::check::registry::Rule;
use serde_json::Value;

/// The formats that servers know, by type.
const FORMATS: [(&str, &[&str]); 3] = [
    ("integer", &["int32", "int64"]),
    ("number", &["double", "float"]),
    (
        "string",
        &[
            "bsonobjectid",
            "byte",
            "cidr",
            "creditcard",
            "date",
            "datetime",
            "duration",
            "email",
            "hexcolor",
            "hostname",
            "ipv4",
            "ipv6",
            "isbn",
            "isbn10",
            "isbn13",
            "k8slongname",
            "k8sshortname",
            "mac",
            "password",
            "rgbcolor",
            "ssn",
            "uri",
            "uuid",
            "uuid3",
            "uuid4",
            "uuid5",
        ],
    ),
];

pub(super) fn judge(schema: &Value, at: &str, found: &mut Vec<Finding>) {
    format(schema, at, found);
    bounds(schema, at, found);
    enum_values(schema, at, found);
    list(schema, at, found);
    for keyword in ["items", "additionalProperties"] {
        if let Some(child) = schema.get(keyword).filter(|child| child.is_object()) {
            judge(child, &format!("{at}.{keyword}"), found);
        }
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        judge(property, &format!("{at}.properties[{name}]"), found);
    }
}

fn format(schema: &Value, at: &str, found: &mut Vec<Finding>) {
    let (ty, format) = (text(schema, "type"), text(schema, "format"));
    let known = FORMATS.iter().find(|(known, _)| *known == ty);
    let formats = known.map_or(&[] as &[&str], |(_, formats)| formats);
    if !format.is_empty() && !ty.is_empty() && !formats.contains(&format.replace('-', "").as_str())
    {
        let message = format!("no server knows the format `{format}` of the type `{ty}`");
        found.push(regret(Rule::UnknownFormat, format!("{at}.format"), message));
    }
}

fn bounds(schema: &Value, at: &str, found: &mut Vec<Finding>) {
    let number = |name: &str| schema.get(name).and_then(Value::as_f64);
    for (least, most) in [
        ("minimum", "maximum"),
        ("minLength", "maxLength"),
        ("minItems", "maxItems"),
        ("minProperties", "maxProperties"),
    ] {
        if number(least)
            .zip(number(most))
            .is_some_and(|(least, most)| least > most)
        {
            let message = format!("`{least}` is above `{most}`, so no value is valid");
            found.push(regret(
                Rule::ImpossibleBound,
                format!("{at}.{least}"),
                message,
            ));
        }
    }
    if number("multipleOf").is_some_and(|factor| factor <= 0.0) {
        let message = "`multipleOf` is not above zero, so no value is valid";
        found.push(regret(
            Rule::ImpossibleBound,
            format!("{at}.multipleOf"),
            message,
        ));
    }
}

fn enum_values(schema: &Value, at: &str, found: &mut Vec<Finding>) {
    let ty = text(schema, "type");
    let fits = |value: &Value| match ty {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    };
    let values = schema.get("enum").and_then(Value::as_array);
    for value in values.into_iter().flatten() {
        // A server refuses null by the type, with and without null in the enum.
        if !fits(value) {
            let message = format!("`{value}` is no `{ty}`, so nobody can set it");
            found.push(regret(Rule::EnumValueType, format!("{at}.enum"), message));
        }
    }
}

fn list(schema: &Value, at: &str, found: &mut Vec<Finding>) {
    let of_objects = schema
        .get("items")
        .is_some_and(|items| text(items, "type") == "object");
    let untyped = schema.get("x-kubernetes-list-type").is_none();
    let open = flag(schema, "x-kubernetes-preserve-unknown-fields");
    if text(schema, "type") == "array" && of_objects && untyped && !open {
        let message = "a list of objects without `x-kubernetes-list-type` is replaced as a whole";
        found.push(regret(
            Rule::UntypedList,
            format!("{at}.x-kubernetes-list-type"),
            message,
        ));
    }
}
