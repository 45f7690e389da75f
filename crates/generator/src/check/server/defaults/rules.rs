//! The rules at and below a default, evaluated on it: once as an update that changes nothing, once as a creation.

use super::super::found::Found;
use super::super::model::{Schema, ValidationRule};
use super::super::schema::compiled;
use crate::check::finding::{Lack, Reason};
use crate::check::registry::Rule;
use crd_channels_cel::evaluate::{Stop, Val, evaluate};
use crd_channels_validation::path::Path;
use crd_channels_validation::rules::seen;
use crd_channels_validation::schema::{has_type, lead};
use serde_json::Value;

pub(super) fn judge(
    value: &Value,
    schema: &Schema<'_>,
    is_resource: bool,
    minor: u32,
    at: Path<'_>,
    found: &mut Found,
) {
    let mut own = Found::default();
    for updates in [true, false] {
        let place = Place {
            is_resource,
            minor,
            updates,
        };
        node(value, schema, place, at, &mut own);
        if !own.is_empty() {
            break;
        }
    }
    found.append(own);
}

#[derive(Clone, Copy)]
struct Place {
    /// Whether the value is a whole resource.
    is_resource: bool,
    /// The oldest minor whose servers have to compile the rules.
    minor: u32,
    /// Whether there is an old value, equal to the new one.
    updates: bool,
}

fn node(value: &Value, schema: &Schema<'_>, place: Place, at: Path<'_>, found: &mut Found) {
    if value.is_null() {
        return;
    }
    if !schema.rules.is_empty() {
        rules(value, schema, place, at, found);
    }
    let below = |schema: &Schema<'_>, updates: bool| Place {
        is_resource: schema.embedded_resource,
        minor: place.minor,
        updates,
    };
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if let Some(property) = schema.properties.get(name) {
                    // What has no type does not exist for rules.
                    if has_type(property) {
                        let place = below(property, place.updates);
                        node(value, property, place, at.child(name), found);
                    }
                } else if let Some(values) = schema.values() {
                    let place = below(values, place.updates);
                    node(value, values, place, at.key(name), found);
                }
            }
        }
        Value::Array(items) => {
            let Some(item) = schema.item() else {
                return;
            };
            // Which old item belongs to a new one is known of lists with keys only.
            let place = below(item, place.updates && schema.list_type == Some("map"));
            for (index, value) in items.iter().enumerate() {
                node(value, item, place, at.index(index), found);
            }
        }
        _ => {}
    }
}

fn rules(value: &Value, schema: &Schema<'_>, place: Place, at: Path<'_>, found: &mut Found) {
    if !has_type(schema) {
        let message = "the default meets rules on a node that has no type";
        found.refuse(Rule::DefaultInvalid, Reason::Invalid, at, message);
        return;
    }
    let itself = seen(value, schema, place.is_resource);
    for rule in schema.rules.iter() {
        if rule.rule.trim().is_empty() {
            continue;
        }
        let (expression, need) = match compiled(rule, schema, place.is_resource) {
            Some((expression, need)) => (Some(expression), need),
            None => (None, None),
        };
        // Defaults meet rules as if these were there already.
        let need = need.filter(|need| need.known > place.minor);
        let lack = need.as_ref().map(Lack::from);
        let Some(expression) = expression.filter(|_| lack.is_none()) else {
            let before = lack
                .as_ref()
                .map(|lack| format!(" before Kubernetes 1.{}", lack.since));
            let message = format!(
                "the default meets a rule that does not compile{}: `{}`",
                before.unwrap_or_default(),
                rule.rule
            );
            found.refuse(Rule::DefaultInvalid, Reason::Invalid, at, message);
            found.lacking(lack);
            continue;
        };
        let old = place.updates.then(|| itself.clone());
        let old = if rule.optional_old_self == Some(true) {
            Some(Val::optional(old))
        } else {
            if old.is_none() && expression.names("oldSelf") {
                continue;
            }
            old
        };
        match evaluate(&expression, itself.clone(), old) {
            Ok(Val::Bool(false)) => refuse(rule, schema, at, found),
            Err(Stop::Error) => {
                // Neither the reason nor the path of the rule count here.
                let rule = rule.rule.trim();
                let message = format!("the default makes the rule `{rule}` end in an error");
                found.refuse(Rule::DefaultInvalid, Reason::Invalid, at, message);
            }
            Ok(Val::Bool(true)) => {}
            Ok(_) | Err(Stop::Unknown) => {
                let rule = rule.rule.trim();
                let message = format!("the rule `{rule}` cannot be evaluated on the default here");
                found.doubt(Rule::UnevaluatedDefault, at, message);
            }
        }
    }
}

/// What the rule itself wants to be said.
fn refuse(rule: &ValidationRule<'_>, schema: &Schema<'_>, at: Path<'_>, found: &mut Found) {
    let reason = match rule.reason {
        Some("FieldValueRequired") => Reason::Required,
        Some("FieldValueForbidden") => Reason::Forbidden,
        Some("FieldValueDuplicate") => Reason::Duplicate,
        _ => Reason::Invalid,
    };
    let message = format!("the default breaks the rule `{}`", rule.rule.trim());
    let lead = lead(rule.field_path, schema);
    let path = lead.as_ref().map_or(at, |lead| at.child(&lead.written));
    found.refuse(Rule::DefaultInvalid, reason, path, message);
}
