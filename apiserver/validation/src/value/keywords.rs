//! Validates a value against a schema like the server's OpenAPI validator.

use super::change::Change;
use super::numbers::Num;
use crate::path::{FieldPath, Path, PathElement};
use crate::schema::{Additional, Schema};
use crate::violation::{Reason, Violation};
use crd_channels_cel::formats::fits;
use serde_json::{Map, Number, Value};
use std::borrow::Cow;
use std::collections::HashSet;

/// The maximum number of characters to show of a value of the wrong type or length.
const MOST_SHOWN: usize = 80;

/// The number from which on zeros are not written.
const MOST_DIGITS: f64 = 1e15;

/// The violations of a value. `change` is its old value, if known: violations of unchanged parts are not reported, since
/// servers ignore them.
#[must_use]
pub fn violations(
    value: &Value,
    schema: &Schema<'_>,
    change: Option<Change<'_>>,
) -> Vec<Violation> {
    violations_at(None, value, schema, change)
}

/// The violations of the value at a path.
#[must_use]
pub fn violations_at(
    path: Option<Path<'_>>,
    value: &Value,
    schema: &Schema<'_>,
    change: Option<Change<'_>>,
) -> Vec<Violation> {
    let context = Context {
        change,
        is_default: false,
    };
    once_each(validate(value, schema, context, path).violations)
}

/// The violations of a default. Servers accept a value of any type as the default of an int-or-string field.
#[must_use]
pub fn default_violations(value: &Value, schema: &Schema<'_>) -> Vec<Violation> {
    let context = Context {
        change: None,
        is_default: true,
    };
    once_each(validate(value, schema, context, None).violations)
}

fn once_each(mut violations: Vec<Violation>) -> Vec<Violation> {
    let mut seen = HashSet::with_capacity(violations.len());
    violations.retain(|violation| seen.insert(violation.clone()));
    violations
}

/// The context of a value.
#[derive(Clone, Copy)]
struct Context<'v> {
    /// Its old value.
    change: Option<Change<'v>>,
    /// Whether it is a default or part of one.
    is_default: bool,
}

impl Context<'_> {
    /// The context of a part with another old value.
    fn with(self, change: Option<Change<'_>>) -> Context<'_> {
        Context {
            change,
            is_default: self.is_default,
        }
    }

    /// The allowed types; empty if any type is allowed.
    fn types<'s>(self, schema: &'s Schema<'_>) -> &'s [&'s str] {
        match schema.ty {
            _ if schema.int_or_string && !self.is_default => &["integer", "string"],
            "" => &[],
            _ => std::slice::from_ref(&schema.ty),
        }
    }
}

/// Violations, and the number of checks that passed: of several branches the closest one is reported.
#[derive(Default)]
struct Outcome {
    violations: Vec<Violation>,
    passed: usize,
}

impl Outcome {
    fn add(&mut self, reason: Reason, path: Option<Path<'_>>, message: impl Into<String>) {
        let field = path.map(without_dots).unwrap_or_default();
        self.violations.push(Violation::new(reason, field, message));
    }

    /// Adds what is wrong with a value that servers do not name.
    fn add_unnamed(&mut self, path: Option<Path<'_>>, message: String) {
        self.violations.push(Violation {
            unnamed: path.map(FieldPath::from),
            ..Violation::new(Reason::Invalid, FieldPath::default(), message)
        });
    }

    /// Adds what is wrong with the branches of a schema.
    fn add_branched(&mut self, path: Option<Path<'_>>, what: &str) {
        self.add_unnamed(path, format!("{} {what}", name_or_value(path)));
    }

    fn merge(&mut self, other: Self) {
        self.violations.extend(other.violations);
        self.passed += other.passed;
    }

    fn is_valid(&self) -> bool {
        self.violations.is_empty()
    }
}

fn validate(
    value: &Value,
    schema: &Schema<'_>,
    context: Context<'_>,
    path: Option<Path<'_>>,
) -> Outcome {
    let mut outcome = whole(value, schema, context, path);
    if !outcome.is_valid()
        && context
            .change
            .is_some_and(|change| change.is_none(value, schema))
    {
        outcome.violations.clear();
    }
    outcome
}

fn whole(
    value: &Value,
    schema: &Schema<'_>,
    context: Context<'_>,
    path: Option<Path<'_>>,
) -> Outcome {
    let mut outcome = Outcome::default();
    let types = context.types(schema);
    if value.is_null() {
        if !types.is_empty() && !schema.nullable {
            let message = format!("null is not of type {}", listed(types, ""));
            outcome.add(Reason::TypeInvalid, path, message);
        }
        if !schema.enum_values.is_empty() {
            outcome.add(Reason::NotSupported, path, not_listed(value, schema));
        }
        return outcome;
    }
    let format = known_format(schema);
    if !types.is_empty() || !format.is_empty() {
        check_type(value, types, format, path, &mut outcome);
    }
    junctors(value, schema, context, path, &mut outcome);
    match value {
        Value::String(text) => check_text(text, schema, format, path, &mut outcome),
        Value::Number(number) => check_number(number, schema, path, &mut outcome),
        Value::Array(items) => check_items(items, schema, context, path, &mut outcome),
        Value::Object(fields) => check_fields(fields, schema, context, path, &mut outcome),
        Value::Null | Value::Bool(_) => {}
    }
    let allowed = &schema.enum_values;
    if !allowed.is_empty() && !allowed.iter().any(|member| equals(value, member)) {
        outcome.add(Reason::NotSupported, path, not_listed(value, schema));
    }
    outcome.passed += 1;
    outcome
}

fn not_listed(value: &Value, schema: &Schema<'_>) -> String {
    let allowed = schema.enum_values.iter().map(ToString::to_string);
    let allowed: Vec<String> = allowed.collect();
    format!("{value} is not a value of the enum: {}", allowed.join(", "))
}

fn listed(types: &[&str], format: &str) -> String {
    let types = format!("`{}`", types.join("` or `"));
    match format {
        "" => types,
        format => format!("{types} with the format `{format}`"),
    }
}

/// The value, for a message without a field.
fn name_or_value(path: Option<Path<'_>>) -> String {
    path.map_or("the value".to_owned(), |path| format!("`{path}`"))
}

/// The start of a text whose length servers do not show either.
fn start(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}..", text.get(..end).unwrap_or_default()).into(),
        None => text.into(),
    }
}

/// A number as JSON has it.
fn shown(number: f64) -> String {
    match number.abs() < MOST_DIGITS {
        true => number.to_string(),
        false => format!("{number:?}"),
    }
}

/// The format, if servers know it for the type. They ignore all others.
fn known_format<'a>(schema: &Schema<'a>) -> &'a str {
    let is_known = match schema.ty {
        "" | "string" => !schema.format.is_empty() && fits(schema.format, "").is_some(),
        "integer" => matches!(schema.format, "int32" | "int64"),
        "number" => matches!(schema.format, "float" | "double"),
        _ => false,
    };
    if is_known { schema.format } else { "" }
}

/// Whether a value has one of these types. A whole number is an integer, even if written with a fraction.
#[must_use]
pub fn is_of_type(value: &Value, types: &[&str]) -> bool {
    types.iter().any(|ty| match (value, *ty) {
        (Value::Null, "null")
        | (Value::Bool(_), "boolean")
        | (Value::Number(_), "number")
        | (Value::String(_), "string")
        | (Value::Array(_), "array")
        | (Value::Object(_), "object") => true,
        (Value::Number(number), "integer") => Num::from_number(number).is_whole(),
        _ => false,
    })
}

fn check_type(
    value: &Value,
    types: &[&str],
    format: &str,
    path: Option<Path<'_>>,
    outcome: &mut Outcome,
) {
    let (takes_integers, takes_numbers) = (types.contains(&"integer"), types.contains(&"number"));
    let fits = is_of_type(value, types);
    let text_or_list = matches!(value, Value::String(_) | Value::Array(_));
    // With a format, texts and lists are only validated by the format, whatever the type is.
    let left_to_format = !format.is_empty() && text_or_list && !takes_integers && !takes_numbers;
    if fits || left_to_format {
        outcome.passed += 2;
    } else {
        let format = if text_or_list { "" } else { format };
        let value = value.to_string();
        let message = format!("{} is not of type {}", start(&value), listed(types, format));
        outcome.add(Reason::TypeInvalid, path, message);
        outcome.passed += 1;
    }
}

fn check_text(
    text: &str,
    schema: &Schema<'_>,
    format: &str,
    path: Option<Path<'_>>,
    outcome: &mut Outcome,
) {
    let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    if let Some(most) = schema.max_length.filter(|most| length > *most) {
        let text = start(text);
        let message = format!("`{text}` has {length} characters, at most {most} are allowed");
        outcome.add(Reason::TooLong, path, message);
    } else if let Some(least) = schema.min_length.filter(|least| length < *least) {
        let message = format!("`{text}` has {length} characters, at least {least} are required");
        outcome.add(Reason::Invalid, path, message);
    } else if !schema.pattern.matches(text) {
        let message = format!("`{text}` does not match `{}`", schema.pattern.as_str());
        outcome.add(Reason::Invalid, path, message);
    }
    outcome.passed += 1;
    if let Some(fits) = fits(format, text) {
        if !fits {
            let message = format!("`{text}` does not have the format `{format}`");
            outcome.add(Reason::TypeInvalid, path, message);
        }
        outcome.passed += 1;
    }
}

fn check_number(
    written: &Number,
    schema: &Schema<'_>,
    path: Option<Path<'_>>,
    outcome: &mut Outcome,
) {
    let number = Num::from_number(written);
    let integer = schema.ty == "integer";
    let fits = |number: Num| !integer || number.fits_integer(schema.format);
    // Numbers that no value of the format can be are reported without a path.
    let mut misfit = |what: String, number: String| {
        let ty = listed(&[schema.ty], schema.format);
        let message = format!("{what} is {number}, which is not of type {ty}");
        outcome.add_unnamed(path, message);
    };
    let float = schema.ty == "number" && schema.format == "float";
    if !fits(number) || float && number.float().abs() > f64::from(f32::MAX) {
        misfit(name_or_value(path), written.to_string());
    }
    let mut bound = |value: Option<f64>, name: &str| {
        let value = value?;
        let whole = fits(Num::Float(value));
        if !whole {
            misfit(format!("`{name}` of {}", name_or_value(path)), shown(value));
        }
        // Servers compare whole numbers with the whole part of a bound.
        let is_cut = whole && matches!(number, Num::Int(_));
        Some((if is_cut { value.trunc() } else { value }, whole))
    };
    let factor = bound(schema.multiple_of, "multipleOf");
    let most = bound(schema.maximum, "maximum");
    let least = bound(schema.minimum, "minimum");
    if let Some((factor, whole)) = factor
        && !number.is_multiple_of(factor, whole)
    {
        let message = format!("{written} is not a multiple of {}", shown(factor));
        outcome.add(Reason::Invalid, path, message);
    }
    if let Some((most, whole)) = most
        && number.is_above(most, schema.exclusive_maximum, whole)
    {
        let than = if schema.exclusive_maximum {
            "not less than"
        } else {
            "more than"
        };
        let message = format!("{written} is {than} {}, the `maximum`", shown(most));
        outcome.add(Reason::Invalid, path, message);
    }
    if let Some((least, whole)) = least
        && number.is_below(least, schema.exclusive_minimum, whole)
    {
        let than = if schema.exclusive_minimum {
            "not more than"
        } else {
            "less than"
        };
        let message = format!("{written} is {than} {}, the `minimum`", shown(least));
        outcome.add(Reason::Invalid, path, message);
    }
    outcome.passed += 2;
}

/// Whether a number of items or fields is within the bounds.
fn check_count(
    what: &str,
    count: usize,
    least: Option<i64>,
    most: Option<i64>,
    path: Option<Path<'_>>,
    outcome: &mut Outcome,
) {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    if let Some(least) = least.filter(|least| count < *least) {
        let message = format!("there are {count} {what}, at least {least} are required");
        outcome.add(Reason::Invalid, path, message);
    }
    if let Some(most) = most.filter(|most| count > *most) {
        let message = format!("there are {count} {what}, at most {most} are allowed");
        outcome.add(Reason::TooMany, path, message);
    }
}

fn check_items(
    items: &[Value],
    schema: &Schema<'_>,
    context: Context<'_>,
    path: Option<Path<'_>>,
    outcome: &mut Outcome,
) {
    if let Some(item) = schema.item() {
        let old = context.change.map(|change| change.items(schema));
        for (index, value) in items.iter().enumerate() {
            let below = context.with(old.as_ref().and_then(|old| old.change(value)));
            let at = path
                .as_ref()
                .map_or(Path::root_item(index), |at| at.index(index));
            outcome.merge(validate(value, item, below, Some(at)));
        }
    }
    let (least, most) = (schema.min_items, schema.max_items);
    check_count("items", items.len(), least, most, path, outcome);
    outcome.passed += 2;
}

fn check_fields(
    fields: &Map<String, Value>,
    schema: &Schema<'_>,
    context: Context<'_>,
    path: Option<Path<'_>>,
    outcome: &mut Outcome,
) {
    let (least, most) = (schema.min_properties, schema.max_properties);
    check_count("fields", fields.len(), least, most, path, outcome);
    for (name, value) in fields {
        let path_below = Some(field(path.as_ref(), name));
        // The old object is converted to the version of the new one, so these never change.
        let converted = path.is_none() && matches!(name.as_str(), "apiVersion" | "kind");
        let change = context.change.filter(|_| !converted);
        let below = context.with(change.and_then(|change| change.of_field(name, schema)));
        match (
            schema.properties.get(name),
            schema.additional_properties.as_ref(),
        ) {
            (Some(property), _) => outcome.merge(validate(value, property, below, path_below)),
            (None, Some(Additional::Schema(values))) => {
                outcome.merge(validate(value, values, below, path_below));
            }
            (None, Some(Additional::Allowed(false))) => {
                let message = format!("the field `{name}` is not allowed");
                outcome.add(Reason::Invalid, path, message);
            }
            (None, Some(Additional::Allowed(true)) | None) => {}
        }
    }
    for name in schema.required.iter() {
        if !fields.contains_key(*name) {
            let message = format!("the required field `{name}` is missing");
            outcome.add(Reason::Required, Some(field(path.as_ref(), name)), message);
        }
    }
    outcome.passed += 1;
}

fn field<'p>(path: Option<&'p Path<'p>>, name: &'p str) -> Path<'p> {
    path.map_or(Path::root(name), |at| at.child(name))
}

/// The path of a field. Servers drop the dots that it begins with.
fn without_dots(path: Path<'_>) -> FieldPath {
    let mut is_first = true;
    let elements = FieldPath::from(path);
    let elements = elements.elements().iter().filter_map(|element| {
        let PathElement::Child(name) = element else {
            is_first = false;
            return Some(element.clone());
        };
        let name = match is_first {
            true => name.trim_start_matches('.'),
            false => name,
        };
        is_first &= name.is_empty();
        (!is_first).then(|| PathElement::Child(name.to_owned()))
    });
    elements.collect()
}

/// Whether a value is a member of an enum; numbers are converted to the member's kind first.
#[allow(clippy::cast_possible_truncation, reason = "the server truncates")]
fn equals(value: &Value, member: &Value) -> bool {
    match (value, member) {
        (Value::Number(value), Value::Number(member)) => {
            match (Num::from_number(value), Num::from_number(member)) {
                (Num::Int(value), Num::Int(member)) => value == member,
                (Num::Float(value), Num::Int(member)) => value as i64 == member,
                (value, Num::Float(member)) => value.float() == member,
            }
        }
        _ => value == member,
    }
}

fn junctors(
    value: &Value,
    schema: &Schema<'_>,
    context: Context<'_>,
    path: Option<Path<'_>>,
    outcome: &mut Outcome,
) {
    let context = context.with(None);
    let branches = |list: &[Schema<'_>]| -> Vec<Outcome> {
        list.iter()
            .map(|branch| validate(value, branch, context, path))
            .collect()
    };
    if !schema.any_of.is_empty() {
        let tried = branches(schema.any_of.as_slice());
        if !tried.iter().any(Outcome::is_valid) {
            outcome.add_branched(path, "matches no branch of `anyOf`");
        }
        outcome.merge(nearest(tried));
    }
    if !schema.one_of.is_empty() {
        let tried = branches(schema.one_of.as_slice());
        let fitting = tried.iter().filter(|outcome| outcome.is_valid()).count();
        if fitting != 1 {
            let branches = match fitting {
                0 => "no branch".to_owned(),
                several => format!("{several} branches"),
            };
            outcome.add_branched(path, &format!("matches {branches} of `oneOf`"));
        }
        if fitting < 2 {
            outcome.merge(nearest(tried));
        }
    }
    if !schema.all_of.is_empty() {
        let tried = branches(schema.all_of.as_slice());
        if !tried.iter().all(Outcome::is_valid) {
            outcome.add_branched(path, "does not match every branch of `allOf`");
        }
        tried.into_iter().for_each(|tried| outcome.merge(tried));
    }
    if let Some(branch) = schema.not.as_deref()
        && validate(value, branch, context, path).is_valid()
    {
        outcome.add_branched(path, "matches the branch of `not`");
    }
    outcome.passed += 2;
}

/// The first branch without violations, else the first of those that pass the most checks.
fn nearest(tried: Vec<Outcome>) -> Outcome {
    let mut best: Option<Outcome> = None;
    for outcome in tried {
        if outcome.is_valid() {
            return outcome;
        }
        if best
            .as_ref()
            .is_none_or(|best| outcome.passed > best.passed)
        {
            best = Some(outcome);
        }
    }
    best.unwrap_or_default()
}
