//! What an API server would find wrong with an object, rules aside: the same keywords, judged a second time.

use super::field::Field;
use super::text;
use crd_channels_check::fits_format;
use crd_channels_schema::{Bounds, JsonType, ListType, Schema};
use serde_json::{Number, Value};

/// One thing that is wrong.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Violation {
    /// Where.
    pub field: Field,
    /// The server's reason, such as `FieldValueRequired`.
    pub reason: &'static str,
    /// Which keyword was violated.
    pub keyword: &'static str,
}

/// Everything that is wrong with a value, once it has its default values.
#[must_use]
pub fn violations(schema: &Schema, value: &Value) -> Vec<Violation> {
    let mut value = value.clone();
    fill(schema, &mut value);
    let mut found = Violations(Vec::new());
    found.node(schema, &value, &Field::default());
    found.0
}

/// Gives every object the default values of the fields that it lacks.
fn fill(schema: &Schema, value: &mut Value) {
    match value {
        Value::Array(items) => {
            for (item, schema) in items.iter_mut().zip(schema.items.iter().cycle()) {
                fill(schema, item);
            }
        }
        Value::Object(fields) => {
            for (name, property) in &schema.properties {
                if let Some(default) = &property.default {
                    fields.entry(&**name).or_insert_with(|| (**default).clone());
                }
            }
            for (name, value) in fields {
                if let Some(below) = schema.member(name) {
                    fill(below, value);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

struct Violations(Vec<Violation>);

impl Violations {
    fn say(&mut self, field: &Field, reason: &'static str, keyword: &'static str) {
        self.0.push(Violation {
            field: field.clone(),
            reason,
            keyword,
        });
    }

    fn node(&mut self, schema: &Schema, value: &Value, field: &Field) {
        if value.is_null() && schema.nullable {
            return;
        }
        if !has_type(schema, value) {
            self.say(field, "FieldValueTypeInvalid", "type");
        }
        if !schema.enum_values.is_empty() && !schema.enum_values.contains(value) {
            self.say(field, "FieldValueNotSupported", "enum");
        }
        if !has_type(schema, value) {
            // The other keywords say nothing about values of another type.
            return;
        }
        let bounds = schema.bounds.as_deref();
        match value {
            Value::Number(number) => self.number(schema, bounds, number, field),
            Value::String(text) => self.string(schema, bounds, text, field),
            Value::Array(items) => self.list(schema, bounds, items, field),
            Value::Object(fields) => self.object(schema, bounds, fields, field),
            Value::Null | Value::Bool(_) => {}
        }
        self.junctors(schema, value, field);
    }

    fn number(&mut self, schema: &Schema, bounds: Option<&Bounds>, number: &Number, field: &Field) {
        let value = number.as_f64().unwrap_or_default();
        if schema.format.as_deref() == Some("int32")
            && number
                .as_i64()
                .is_none_or(|value| i32::try_from(value).is_err())
        {
            self.say(field, "FieldValueInvalid", "format");
        }
        let Some(bounds) = bounds else { return };
        let bound = |bound: &Option<Number>| bound.as_ref().and_then(Number::as_f64);
        if let Some(least) = bound(&bounds.minimum)
            && (value < least || (bounds.exclusive_minimum && value <= least))
        {
            self.say(field, "FieldValueInvalid", "minimum");
        }
        if let Some(most) = bound(&bounds.maximum)
            && (value > most || (bounds.exclusive_maximum && value >= most))
        {
            self.say(field, "FieldValueInvalid", "maximum");
        }
        if let Some(unit) = bound(&bounds.multiple_of)
            && (value / unit).fract() != 0.0
        {
            self.say(field, "FieldValueInvalid", "multipleOf");
        }
    }

    fn string(&mut self, schema: &Schema, bounds: Option<&Bounds>, text: &str, field: &Field) {
        if let Some(format) = schema.format.as_deref()
            && fits_format(format, text) == Some(false)
        {
            self.say(field, "FieldValueTypeInvalid", "format");
        }
        let Some(bounds) = bounds else { return };
        let length = text.chars().count();
        if is_below(length, bounds.min_length) {
            self.say(field, "FieldValueInvalid", "minLength");
        }
        if is_above(length, bounds.max_length) {
            self.say(field, "FieldValueTooLong", "maxLength");
        }
        if !text::matches(bounds.pattern.as_deref(), text) {
            self.say(field, "FieldValueInvalid", "pattern");
        }
    }

    fn list(&mut self, schema: &Schema, bounds: Option<&Bounds>, items: &[Value], field: &Field) {
        if let Some(bounds) = bounds {
            if is_below(items.len(), bounds.min_items) {
                self.say(field, "FieldValueInvalid", "minItems");
            }
            if is_above(items.len(), bounds.max_items) {
                self.say(field, "FieldValueTooMany", "maxItems");
            }
        }
        let Some(of_items) = &schema.items else {
            return;
        };
        let keys: Vec<Value> = items
            .iter()
            .map(|item| key(schema, of_items, item))
            .collect();
        for (index, item) in items.iter().enumerate() {
            let field = field.index(index);
            self.node(of_items, item, &field);
            if list_type(schema) == Some(ListType::Map) && !item.is_object() {
                self.say(&field, "FieldValueInvalid", "x-kubernetes-list-type");
            }
            let is_told_apart = list_type(schema).is_some_and(|ty| ty != ListType::Atomic);
            if is_told_apart
                && keys
                    .iter()
                    .take(index)
                    .any(|key| Some(key) == keys.get(index))
            {
                self.say(&field, "FieldValueDuplicate", "x-kubernetes-list-type");
            }
        }
    }

    fn object(
        &mut self,
        schema: &Schema,
        bounds: Option<&Bounds>,
        fields: &serde_json::Map<String, Value>,
        field: &Field,
    ) {
        if let Some(bounds) = bounds {
            if is_below(fields.len(), bounds.min_properties) {
                self.say(field, "FieldValueInvalid", "minProperties");
            }
            if is_above(fields.len(), bounds.max_properties) {
                self.say(field, "FieldValueTooMany", "maxProperties");
            }
        }
        for name in &schema.required {
            if !fields.contains_key(&**name) {
                self.say(&field.name(name), "FieldValueRequired", "required");
            }
        }
        for (name, value) in fields {
            if let Some(below) = schema.member(name) {
                self.node(below, value, &field.name(name));
            }
        }
    }

    /// How a server reports these depends on the branches; here they only keep a value from counting as valid.
    fn junctors(&mut self, schema: &Schema, value: &Value, field: &Field) {
        let Some(junctors) = &schema.junctors else {
            return;
        };
        if schema.int_or_string {
            // The branches repeat what the extension says.
            return;
        }
        let holds = |branch: &Schema| violations(branch, value).is_empty();
        let mut say = |holds: bool, keyword| {
            if !holds {
                self.say(field, "FieldValueInvalid", keyword);
            }
        };
        say(junctors.all_of.iter().all(holds), "allOf");
        say(
            junctors.any_of.is_empty() || junctors.any_of.iter().any(holds),
            "anyOf",
        );
        let one = junctors
            .one_of
            .iter()
            .filter(|branch| holds(branch))
            .count();
        say(junctors.one_of.is_empty() || one == 1, "oneOf");
        say(junctors.not.as_deref().is_none_or(|not| !holds(not)), "not");
    }
}

fn has_type(schema: &Schema, value: &Value) -> bool {
    if schema.int_or_string {
        return value.is_i64() || value.is_u64() || value.is_string();
    }
    schema.ty.is_none_or(|ty| match ty {
        JsonType::Array => value.is_array(),
        JsonType::Boolean => value.is_boolean(),
        JsonType::Integer => value.is_i64() || value.is_u64(),
        JsonType::Number => value.is_number(),
        JsonType::Object => value.is_object(),
        JsonType::String => value.is_string(),
    })
}

fn is_below(count: usize, bound: Option<u64>) -> bool {
    bound.is_some_and(|bound| (count as u64) < bound)
}

fn is_above(count: usize, bound: Option<u64>) -> bool {
    bound.is_some_and(|bound| count as u64 > bound)
}

/// The list's `x-kubernetes-list-type`.
pub fn list_type(schema: &Schema) -> Option<ListType> {
    schema.merge.as_ref()?.list_type
}

/// What tells an item from the others of its list.
pub fn key(list: &Schema, of_items: &Schema, item: &Value) -> Value {
    let Some(merge) = list
        .merge
        .as_ref()
        .filter(|merge| merge.list_type == Some(ListType::Map))
    else {
        return item.clone();
    };
    let keys = merge.list_map_keys.iter();
    let values = keys.map(|key| {
        let default = of_items
            .properties
            .get(key)
            .and_then(|key| key.default.as_deref());
        item.get(&**key).or(default).cloned().unwrap_or_default()
    });
    values.collect()
}
