//! Lints on the nodes of a schema.

use super::context::Context;
use super::regret::regret;
use super::{lists, rules};
use crate::document::model::Schema;
use crate::finding::Finding;
use crate::registry::Rule;
use crate::server::defaults;
use crd_channels_schema::{JsonType, formats};
use crd_channels_validation::path::Path;
use crd_channels_validation::value::is_of_type;
use serde_json::Value;

pub(super) fn lint(schema: &Schema<'_>, minor: u32, at: Path<'_>, found: &mut Vec<Finding>) {
    let root = Context {
        minor,
        name: "",
        in_status: false,
        is_root: true,
    };
    node(schema, root, at, found);
}

fn node(schema: &Schema<'_>, context: Context<'_>, at: Path<'_>, found: &mut Vec<Finding>) {
    format(schema, context.minor, at, found);
    bounds(schema, at, found);
    enum_values(schema, at, found);
    lists::lint(schema, context, at, found);
    rules::lint(schema, context.is_root, at, found);
    if schema.ty == "number" {
        let message = "the field holds a floating-point number";
        found.push(regret(Rule::Float, at.child("type"), message));
    }
    let below = Context {
        name: "",
        is_root: false,
        ..context
    };
    for (keyword, branches) in [
        ("allOf", &schema.all_of),
        ("anyOf", &schema.any_of),
        ("oneOf", &schema.one_of),
    ] {
        let at = at.child(keyword);
        for (index, branch) in branches.iter().enumerate() {
            format(branch, context.minor, at.index(index), found);
        }
    }
    if let Some(items) = schema.item() {
        node(items, below, at.child("items"), found);
    }
    if let Some(values) = schema.values() {
        let at = at.child("additionalProperties");
        for default in defaults::of_map_values(values, context.minor, at) {
            let field = default.field.unwrap_or_default();
            let message = format!("no object can have this default: {}", default.message);
            found.push(Finding::new(Rule::RejectedDefault, message).at(field));
        }
        node(values, below, at, found);
    }
    let path = at.child("properties");
    for (name, property) in schema.properties.iter() {
        let at = path.key(name);
        if context.in_status && *name == "phase" && property.ty == "string" {
            let message = "the status has a phase, to which no value can be added later";
            found.push(regret(Rule::Phase, at, message));
        }
        let below = Context {
            name,
            in_status: context.in_status || (context.is_root && *name == "status"),
            ..below
        };
        node(property, below, at, found);
    }
}

fn format(schema: &Schema<'_>, minor: u32, at: Path<'_>, found: &mut Vec<Finding>) {
    let (ty, format) = (schema.ty, schema.format);
    if format.is_empty() {
        return;
    }
    // A node without a type may be a string.
    let known = match ty {
        "" => Some(JsonType::String),
        ty => JsonType::from_name(ty),
    };
    let since = known.and_then(|ty| formats::since(ty, format));
    if since.is_some_and(|since| since <= minor) {
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

fn bounds(schema: &Schema<'_>, at: Path<'_>, found: &mut Vec<Finding>) {
    #[expect(clippy::cast_precision_loss, reason = "bounds are compared as floats")]
    let count = |count: Option<i64>| count.map(|count| count as f64);
    let whole = schema.ty == "integer";
    let strictly = [schema.exclusive_minimum, schema.exclusive_maximum];
    for ((least, low), (most, high), [above, below]) in [
        (
            ("minimum", schema.minimum),
            ("maximum", schema.maximum),
            strictly,
        ),
        (
            ("minLength", count(schema.min_length)),
            ("maxLength", count(schema.max_length)),
            [false; 2],
        ),
        (
            ("minItems", count(schema.min_items)),
            ("maxItems", count(schema.max_items)),
            [false; 2],
        ),
        (
            ("minProperties", count(schema.min_properties)),
            ("maxProperties", count(schema.max_properties)),
            [false; 2],
        ),
    ] {
        let Some((low, high)) = low.zip(high) else {
            continue;
        };
        let bounds = Bounds {
            low,
            above,
            high,
            below,
            whole,
        };
        if !bounds.are_possible() {
            let (message, help) = bounds.told(least, most);
            let finding = regret(Rule::ImpossibleBound, at.child(least), message);
            found.push(finding.with_help(help));
        }
    }
    if let Some(factor) = schema.multiple_of.filter(|factor| *factor <= 0.0) {
        let message = format!("`multipleOf` is {factor}, and no value is a multiple of it");
        let finding = regret(Rule::ImpossibleBound, at.child("multipleOf"), message);
        found.push(finding.with_help("write a number above zero, or remove `multipleOf`"));
    }
}

/// A lower and an upper bound, each of which may be exclusive.
struct Bounds {
    low: f64,
    above: bool,
    high: f64,
    below: bool,
    /// Whether only integers count.
    whole: bool,
}

impl Bounds {
    fn are_possible(&self) -> bool {
        if self.whole {
            return self.first() <= self.last();
        }
        let excluded = self.above || self.below;
        self.low < self.high || (self.low == self.high && !excluded)
    }

    /// The first integer above the lower bound.
    fn first(&self) -> f64 {
        match self.above {
            true => self.low.floor() + 1.0,
            false => self.low.ceil(),
        }
    }

    /// The last integer below the upper bound.
    fn last(&self) -> f64 {
        match self.below {
            true => self.high.ceil() - 1.0,
            false => self.high.floor(),
        }
    }

    /// The message, and the help.
    fn told(&self, least: &str, most: &str) -> (String, String) {
        let (low, high) = (self.low, self.high);
        let excluded = |is| if is { " (excluded)" } else { "" };
        let (above, below) = (excluded(self.above), excluded(self.below));
        let values = if self.whole && low < high {
            "integer"
        } else {
            "value"
        };
        let message = format!(
            "`{least}` is {low}{above} and `{most}` is {high}{below}, so no {values} is valid"
        );
        let help = if self.whole {
            let least_integer = self.last() - f64::from(u8::from(self.above));
            let most_integer = self.first() + f64::from(u8::from(self.below));
            format!("lower `{least}` to {least_integer}, or raise `{most}` to {most_integer}")
        } else if self.above || self.below {
            format!("lower `{least}` below {high}, or raise `{most}` above {low}")
        } else {
            format!("lower `{least}` to {high}, or raise `{most}` to {low}")
        };
        (message, help)
    }
}

fn enum_values(schema: &Schema<'_>, at: Path<'_>, found: &mut Vec<Finding>) {
    let (values, nullable) = (&schema.enum_values, schema.nullable);
    if nullable && !values.is_empty() {
        let message = "the enum is nullable, but the server rejects null";
        found.push(regret(Rule::NullableEnum, at.child("nullable"), message));
    }
    let ty = schema.ty;
    let fits = |value: &Value| ty.is_empty() || is_of_type(value, &[ty]);
    for value in values.iter() {
        // A null with `nullable` is already reported as impossible to set.
        let told = nullable && value.is_null();
        if !told && !fits(value) {
            let message = format!("`{value}` is not of type `{ty}`, so it can never be set");
            found.push(regret(Rule::EnumValueType, at.child("enum"), message));
        }
    }
}
