//! Lints on the nodes of a schema.

use super::{flag, lists, regret, rules, text};
use crate::finding::Finding;
use crate::registry::Rule;
use crd_channels_schema::{JsonType, formats};
use crd_channels_validation::path::Path;
use serde_json::Value;

/// Where a node stands.
#[derive(Clone, Copy)]
pub(super) struct Context<'s> {
    /// The oldest minor of Kubernetes that the CRD is for.
    minor: u32,
    /// The name of the property that it is, if it is one.
    pub(super) name: &'s str,
    /// Whether it lies below the status.
    pub(super) in_status: bool,
    /// Whether it is the root.
    is_root: bool,
}

pub(super) fn judge(schema: &Value, minor: u32, at: Path<'_>, found: &mut Vec<Finding>) {
    let root = Context {
        minor,
        name: "",
        in_status: false,
        is_root: true,
    };
    node(schema, root, at, found);
}

fn node(schema: &Value, context: Context<'_>, at: Path<'_>, found: &mut Vec<Finding>) {
    format(schema, context.minor, at, found);
    bounds(schema, at, found);
    enum_values(schema, at, found);
    lists::judge(schema, context, at, found);
    rules::judge(schema, context.is_root, at, found);
    if text(schema, "type") == "number" {
        let message = "the field holds a floating-point number";
        found.push(regret(Rule::Float, at.child("type"), message));
    }
    let below = Context {
        name: "",
        is_root: false,
        ..context
    };
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let branches = schema.get(keyword).and_then(Value::as_array);
        let at = at.child(keyword);
        for (index, branch) in branches.into_iter().flatten().enumerate() {
            format(branch, context.minor, at.index(index), found);
        }
    }
    for keyword in ["items", "additionalProperties"] {
        if let Some(child) = schema.get(keyword).filter(|child| child.is_object()) {
            node(child, below, at.child(keyword), found);
        }
    }
    let path = at.child("properties");
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        let at = path.key(name);
        if context.in_status && name == "phase" && text(property, "type") == "string" {
            let message = "the status has a phase, to which no value can be added later";
            found.push(regret(Rule::Phase, at, message));
        }
        let below = Context {
            name,
            in_status: context.in_status || (context.is_root && name == "status"),
            ..below
        };
        node(property, below, at, found);
    }
}

fn format(schema: &Value, minor: u32, at: Path<'_>, found: &mut Vec<Finding>) {
    let (ty, format) = (text(schema, "type"), text(schema, "format"));
    // What has no type may be a string.
    let known = match ty {
        "" => Some(JsonType::String),
        ty => JsonType::named(ty),
    };
    let since = known.and_then(|ty| formats::since(ty, format));
    if format.is_empty() || since.is_some_and(|since| since <= minor) {
        return;
    }
    let message = match since {
        None if ty.is_empty() => format!("unknown format `{format}`"),
        None => format!("unknown format `{format}` of the type `{ty}`"),
        Some(since) => format!(
            "the format `{format}` is supported since Kubernetes 1.{since}, and the CRD is for 1.{minor}"
        ),
    };
    let finding = regret(Rule::UnknownFormat, at.child("format"), message);
    found.push(match since {
        None => finding,
        Some(since) => finding.lacking(format, since).with_help(format!(
            "remove the format, or declare `kubernetes = \"1.{since}\"` or newer"
        )),
    });
}

fn bounds(schema: &Value, at: Path<'_>, found: &mut Vec<Finding>) {
    let number = |name: &str| schema.get(name).and_then(Value::as_f64);
    let whole = text(schema, "type") == "integer";
    for (least, most, strictly) in [
        (
            "minimum",
            "maximum",
            ["exclusiveMinimum", "exclusiveMaximum"],
        ),
        ("minLength", "maxLength", [""; 2]),
        ("minItems", "maxItems", [""; 2]),
        ("minProperties", "maxProperties", [""; 2]),
    ] {
        let Some((low, high)) = number(least).zip(number(most)) else {
            continue;
        };
        let [above, below] = strictly.map(|keyword| flag(schema, keyword));
        let message = if low > high {
            format!("`{least}` is above `{most}`, so no value is valid")
        } else if low == high && (above || below) {
            format!("`{least}` is `{most}` and excluded, so no value is valid")
        } else if whole && !holds_integer(low, above, high, below) {
            format!("there is no integer between `{least}` and `{most}`")
        } else {
            continue;
        };
        found.push(regret(Rule::ImpossibleBound, at.child(least), message));
    }
    if number("multipleOf").is_some_and(|factor| factor <= 0.0) {
        let message = "`multipleOf` is not above zero, so no value is valid";
        let at = at.child("multipleOf");
        found.push(regret(Rule::ImpossibleBound, at, message));
    }
}

/// Whether an integer lies within bounds, each of which may exclude itself.
fn holds_integer(low: f64, above: bool, high: f64, below: bool) -> bool {
    let first = low.ceil();
    let first = if above && first == low {
        first + 1.0
    } else {
        first
    };
    first < high || (first == high && !below)
}

fn enum_values(schema: &Value, at: Path<'_>, found: &mut Vec<Finding>) {
    let Some(values) = schema.get("enum").and_then(Value::as_array) else {
        return;
    };
    let nullable = flag(schema, "nullable");
    if nullable && !values.is_empty() {
        let message = "the enum is nullable, but the server rejects null";
        found.push(regret(Rule::NullableEnum, at.child("nullable"), message));
    }
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
    for value in values {
        // That a null beside `nullable` cannot be set is said already.
        let told = nullable && value.is_null();
        if !told && !fits(value) {
            let message = format!("`{value}` is not of type `{ty}`, so it can never be set");
            found.push(regret(Rule::EnumValueType, at.child("enum"), message));
        }
    }
}
