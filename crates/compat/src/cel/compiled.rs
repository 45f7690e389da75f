//! Whether a value keeps a schema with its rules, as a server evaluates them.

use super::canonical::transitional;
use crate::values::same;
use crd_channels_cel::Text;
use crd_channels_cel::evaluate::{Stop, Val, evaluate};
use crd_channels_check::cel::ast::Expression;
use crd_channels_check::cel::parse;
use crd_channels_schema::{Additional, ListType, Schema};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A schema, its rules ready to be evaluated.
pub(super) struct Compiled<'s> {
    /// The schema.
    pub(super) schema: &'s Schema,
    /// The schema without rules of its own.
    pub(super) plain: Cow<'s, Schema>,
    /// The schemas of members.
    pub(super) properties: BTreeMap<&'s Text, Compiled<'s>>,
    /// The schema of a list's items, or of a map's values.
    pub(super) each: Option<Box<Compiled<'s>>>,
    /// Its own rules, except those on changes.
    rules: Vec<Expression>,
}

impl<'s> Compiled<'s> {
    /// None if one of its rules is not an expression.
    pub(super) fn of(schema: &'s Schema) -> Option<Self> {
        let rules = schema.rules.iter().map(|rule| &*rule.rule);
        let rules = rules.filter(|rule| !transitional(rule));
        let members = schema.properties.iter();
        let members = members.map(|(name, property)| Some((name, Self::of(property)?)));
        let each = match schema.items.as_ref().or(schema.values()) {
            Some(each) => Some(Box::new(Self::of(each)?)),
            None => None,
        };
        Some(Self {
            schema,
            plain: own_rules_removed(schema),
            properties: members.collect::<Option<_>>()?,
            each,
            rules: rules.map(|rule| parse(rule).ok()).collect::<Option<_>>()?,
        })
    }

    /// Whether the rules of the schema itself, though not those further down, are true of a value.
    pub(super) fn holds_here(&self, value: &Value) -> bool {
        let distinct = match value {
            Value::Array(items) => self.distinct(items),
            _ => true,
        };
        let holds = |rule| outcome(rule, value, self.schema) == Some(true);
        distinct && self.rules.iter().all(holds)
    }

    /// Whether all rules are true of a value.
    pub(super) fn holds(&self, value: &Value) -> bool {
        let below = match value {
            Value::Array(items) => {
                let each = self.each.as_deref();
                each.is_none_or(|each| items.iter().all(|item| each.holds(item)))
            }
            Value::Object(members) => members.iter().all(|(name, value)| {
                let of = self.properties.get(&Text::from(name.as_str()));
                of.or(self.each.as_deref()).is_none_or(|of| of.holds(value))
            }),
            _ => true,
        };
        below && self.holds_here(value)
    }

    /// Whether a list has everything once that it may have once only.
    fn distinct(&self, items: &[Value]) -> bool {
        let Some(merge) = self.schema.merge.as_deref() else {
            return true;
        };
        let keys = |item: &Value| -> Value {
            let of = |key: &Text| item.get(&**key).cloned().unwrap_or_default();
            merge.list_map_keys.iter().map(of).collect()
        };
        let known: Vec<Value> = match merge.list_type {
            Some(ListType::Set) => items.to_vec(),
            Some(ListType::Map) => items.iter().map(keys).collect(),
            Some(ListType::Atomic) | None => return true,
        };
        let repeats = |(place, one)| known.iter().take(place).any(|other| same(one, other));
        !known.iter().enumerate().any(repeats)
    }
}

fn own_rules_removed(schema: &Schema) -> Cow<'_, Schema> {
    if schema.rules.is_empty() {
        return Cow::Borrowed(schema);
    }
    Cow::Owned(Schema {
        rules: Vec::new(),
        ..schema.clone()
    })
}

/// A schema without rules, all the way down.
pub(super) fn without_rules(schema: &Schema) -> Schema {
    let below = |schema: &Arc<Schema>| Arc::new(without_rules(schema));
    let members = schema.properties.iter();
    Schema {
        rules: Vec::new(),
        properties: members
            .map(|(name, of)| (name.clone(), below(of)))
            .collect(),
        items: schema.items.as_ref().map(below),
        additional_properties: match &schema.additional_properties {
            Some(Additional::Schema(values)) => Some(Additional::Schema(below(values))),
            other => other.clone(),
        },
        ..schema.clone()
    }
}

/// Whether an expression is true of a value; an error is as good as false. None where that cannot be told here.
pub(super) fn outcome(rule: &Expression, value: &Value, schema: &Schema) -> Option<bool> {
    match evaluate(rule, seen(value, schema), None) {
        Ok(Val::Bool(holds)) => Some(holds),
        Err(Stop::Error) => Some(false),
        Ok(_) | Err(Stop::Unknown) => None,
    }
}

/// What rules see of a value: fields without a schema do not exist for them, and null is as good as absent.
fn seen(value: &Value, schema: &Schema) -> Val {
    match value {
        Value::Null => Val::Null,
        Value::Bool(value) => Val::Bool(*value),
        Value::Number(number) => match (number.as_i64(), number.as_f64(), schema.ty) {
            (_, Some(float), Some(crd_channels_schema::JsonType::Number)) => Val::Double(float),
            (Some(int), _, _) => Val::Int(int),
            (None, Some(float), _) => Val::Double(float),
            (None, None, _) => Val::Opaque,
        },
        Value::String(text) => match schema.format.as_deref() {
            Some("byte" | "duration" | "date" | "date-time") => Val::Opaque,
            _ => Val::text(text.as_str()),
        },
        Value::Array(items) => Val::List(
            items
                .iter()
                .map(|item| each(item, schema.items.as_ref()))
                .collect(),
        ),
        Value::Object(members) => object(members, schema),
    }
}

fn object(members: &Map<String, Value>, schema: &Schema) -> Val {
    if schema.embedded_resource {
        return Val::Opaque;
    }
    let members = members.iter().filter(|(_, value)| !value.is_null());
    let known = members.filter_map(|(name, value)| {
        let of = schema.member(name)?;
        Some((Val::text(name.as_str()), each(value, Some(of))))
    });
    Val::Map(known.collect())
}

fn each(value: &Value, schema: Option<&Arc<Schema>>) -> Val {
    schema.map_or(Val::Opaque, |schema| seen(value, schema))
}
