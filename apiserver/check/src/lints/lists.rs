//! Lints on lists: merging, conditions, defaults with duplicate items.

use super::context::Context;
use super::regret::regret;
use crate::document::model::Schema;
use crate::finding::Finding;
use crate::registry::Rule;
use crd_channels_validation::path::Path;
use serde_json::Value;

/// The fields of every condition.
const CONDITION: [&str; 5] = ["type", "status", "reason", "message", "lastTransitionTime"];

pub(super) fn lint(
    schema: &Schema<'_>,
    context: Context<'_>,
    at: Path<'_>,
    found: &mut Vec<Finding>,
) {
    if let Some(default) = schema.default {
        duplicates(default, schema, at.child("default"), found);
    }
    let is_set = schema.list_type == Some("set");
    if let Some(items) = schema.item().filter(|_| is_set)
        && matches!(items.ty, "object" | "array")
    {
        let message = format!("a list of type set has items of type `{}`", items.ty);
        let at = at.child("x-kubernetes-list-type");
        found.push(regret(Rule::SetItems, at, message));
    }
    let items = schema.item().filter(|items| items.ty == "object");
    let Some(items) = items.filter(|_| schema.ty == "array") else {
        return;
    };
    if context.in_status && context.name == "conditions" {
        conditions(schema, items, at, found);
        return;
    }
    if schema.list_type.is_none() && !schema.preserves() && !is_requirement(items) {
        let message = "a list of objects without `x-kubernetes-list-type` is replaced as a whole";
        let at = at.child("x-kubernetes-list-type");
        found.push(regret(Rule::UntypedList, at, message));
    }
}

/// The number of lists that a finding about several names.
const MOST_NAMED: usize = 3;

/// Replaces the findings of [`Rule::UntypedList`] by one for each version, at the first of its lists. A version that embeds a
/// `PodSpec` has dozens.
pub(crate) fn one_per_version(found: Vec<Finding>) -> Vec<Finding> {
    let version = |finding: &Finding| {
        let field = finding.field.as_ref()?;
        Some(field.elements().get(..VERSION_ELEMENTS)?.to_vec())
    };
    let (untyped, mut rest): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|finding| finding.rule == Rule::UntypedList);
    let of_versions = untyped.chunk_by(|one, next| version(one) == version(next));
    rest.extend(of_versions.filter_map(|findings| {
        let (first, others) = findings.split_first()?;
        if others.is_empty() {
            return Some(first.clone());
        }
        let fields = findings.iter().filter_map(|finding| finding.field.as_ref());
        let names: Vec<String> = fields
            .take(MOST_NAMED)
            .map(|field| format!("`{}`", field.in_objects()))
            .collect();
        let more = match findings.len() - names.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message = format!(
            "{} lists of objects without `x-kubernetes-list-type` are replaced as a whole: {}{more}",
            findings.len(),
            names.join(", "),
        );
        Some(Finding {
            message,
            ..first.clone()
        })
    }));
    rest
}

/// `spec.versions[0]`
const VERSION_ELEMENTS: usize = 3;

/// Whether items are requirements of Kubernetes' own selectors. Kubernetes makes lists of them atomic, and so does the
/// `kubernetes` convention; with kube's types no author can.
fn is_requirement(items: &Schema<'_>) -> bool {
    let names = items.properties.iter().map(|(name, _)| *name);
    names.eq(["key", "operator", "values"])
}

fn conditions(schema: &Schema<'_>, items: &Schema<'_>, at: Path<'_>, found: &mut Vec<Finding>) {
    let by_type = schema.list_map_keys.as_slice() == ["type"];
    if schema.list_type != Some("map") || !by_type {
        let message = "the conditions are not a list of type map by `type`";
        let at = at.child("x-kubernetes-list-type");
        found.push(regret(Rule::ConditionsList, at, message));
    }
    if items.preserves() {
        return;
    }
    let at = at.child("items");
    let lacks = |name: &str| {
        let Some(property) = items.properties.get(name) else {
            return Some(format!("`{name}` is missing"));
        };
        // A field with a default is never missing.
        let required = items.required.iter().any(|required| *required == name);
        let may_lack = !required && property.default.is_none();
        may_lack.then(|| format!("`{name}` is not required"))
    };
    let lacks: Vec<String> = CONDITION.into_iter().filter_map(lacks).collect();
    if !lacks.is_empty() {
        let message = format!("a condition lacks required fields: {}", lacks.join(", "));
        found.push(regret(Rule::ConditionFields, at, message));
    }
    if items.properties.get("observedGeneration").is_none() {
        let message = "conditions without `observedGeneration` may describe an older spec";
        found.push(regret(Rule::UnobservedCondition, at, message));
    }
}

/// Duplicate items in the sets and maps of a default; `at` is the path of the default, even for nested lists.
fn duplicates(value: &Value, schema: &Schema<'_>, at: Path<'_>, found: &mut Vec<Finding>) {
    match value {
        Value::Array(items) => {
            if let Some(twice) = twice(items, schema) {
                let message = format!("the default contains `{twice}` twice");
                found.push(regret(Rule::DuplicateDefault, at, message));
            }
            if let Some(below) = schema.item() {
                for item in items {
                    duplicates(item, below, at, found);
                }
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let property = schema.properties.get(name);
                if let Some(below) = property.or_else(|| schema.values()) {
                    duplicates(member, below, at, found);
                }
            }
        }
        _ => {}
    }
}

/// The first item of a set, or the keys of the first item of a map, that duplicates an earlier one.
fn twice(items: &[Value], schema: &Schema<'_>) -> Option<Value> {
    let identity = |item: &Value| match schema.list_type {
        Some("set") => Some(item.clone()),
        Some("map") => {
            // An omitted key has its default value.
            let default = |key: &str| schema.item()?.properties.get(key)?.default;
            let key = |key: &&str| {
                let value = item.get(*key).or_else(|| default(key))?;
                Some(((*key).to_owned(), value.clone()))
            };
            let keys = schema.list_map_keys.iter();
            keys.map(key).collect::<Option<_>>().map(Value::Object)
        }
        _ => None,
    };
    let all: Vec<Value> = items.iter().filter_map(identity).collect();
    let mut places = all.iter().enumerate();
    let (_, found) =
        places.find(|(place, item)| all.iter().take(*place).any(|seen| seen == *item))?;
    Some(found.clone())
}
