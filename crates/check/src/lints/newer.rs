//! Fields of CRDs that older servers do not know, or know and drop.

use super::regret;
use crate::finding::Finding;
use crate::registry::Rule;
use crd_channels_validation::path::Path;
use serde_json::Value;

/// A field, and the minors that learned of it.
struct Row {
    field: &'static str,
    /// The first that knows it.
    known: u32,
    /// The first that keeps it unless it is told not to.
    kept: u32,
}

const fn row(field: &'static str, known: u32, kept: u32) -> Row {
    Row { field, known, kept }
}

const RULES: &str = "x-kubernetes-validations";

const OF_VERSIONS: [Row; 1] = [row("selectableFields", 30, 31)];
const OF_SCHEMAS: [Row; 1] = [row(RULES, 23, 25)];
const OF_RULES: [Row; 4] = [
    row("messageExpression", 27, 27),
    row("reason", 28, 28),
    row("fieldPath", 28, 28),
    row("optionalOldSelf", 29, 30),
];
/// Servers drop the whole status of a CRD that is created, so that none of it needs a server.
const OF_STATUS: [Row; 1] = [row("observedGeneration", 35, 35)];

/// The first minor that has all of these in schemas.
const HAS_ALL_OF_SCHEMAS: u32 = 30;

/// Says which fields of a CRD servers of a minor do not have.
pub(super) fn judge(document: &Value, minor: u32, found: &mut Vec<Finding>) {
    let judge = Judge { minor };
    let spec = Path::root("spec");
    let versions = spec.child("versions");
    let all = document.pointer("/spec/versions").and_then(Value::as_array);
    for (index, version) in all.into_iter().flatten().enumerate() {
        let at = versions.index(index);
        judge.fields(version, &OF_VERSIONS, at, found);
        let at = at.child("schema");
        if let Some(schema) = version.pointer("/schema/openAPIV3Schema")
            && minor < HAS_ALL_OF_SCHEMAS
        {
            judge.schema(schema, at.child("openAPIV3Schema"), found);
        }
    }
    judge.status(document, found);
}

struct Judge {
    minor: u32,
}

impl Judge {
    fn fields(&self, object: &Value, rows: &[Row], at: Path<'_>, found: &mut Vec<Finding>) {
        for row in rows {
            let value = object.get(row.field);
            if value.is_some_and(|value| !value.is_null() && *value != Value::Array(Vec::new())) {
                found.extend(self.finding(row, at));
            }
        }
    }

    fn finding(&self, row: &Row, at: Path<'_>) -> Option<Finding> {
        let Row { field, known, kept } = row;
        let minor = self.minor;
        let (rule, message) = if minor < *known {
            let message = format!(
                "`{field}` exists since Kubernetes 1.{kept}, not in 1.{minor}: strict validation rejects the CRD, otherwise the field is dropped"
            );
            (Rule::UnknownField, message)
        } else if minor < *kept {
            let message = format!(
                "`{field}` is silently dropped by Kubernetes 1.{minor}; 1.{kept} and newer keep it"
            );
            (Rule::DroppedField, message)
        } else {
            return None;
        };
        let help = format!("remove the field, or declare `kubernetes = \"1.{kept}\"` or newer");
        let finding = regret(rule, at.child(field), message);
        Some(finding.with_help(help).lacking(field, *kept))
    }

    fn schema(&self, schema: &Value, at: Path<'_>, found: &mut Vec<Finding>) {
        self.fields(schema, &OF_SCHEMAS, at, found);
        let rules = at.child(RULES);
        let all = schema.get(RULES).and_then(Value::as_array);
        for (index, rule) in all.into_iter().flatten().enumerate() {
            self.fields(rule, &OF_RULES, rules.index(index), found);
        }
        for keyword in ["items", "additionalProperties"] {
            if let Some(below) = schema.get(keyword) {
                self.schema(below, at.child(keyword), found);
            }
        }
        let properties = at.child("properties");
        let all = schema.get("properties").and_then(Value::as_object);
        for (name, property) in all.into_iter().flatten() {
            self.schema(property, properties.key(name), found);
        }
    }

    fn status(&self, document: &Value, found: &mut Vec<Finding>) {
        let at = Path::root("status");
        let Some(status) = document.get("status") else {
            return;
        };
        let before = found.len();
        self.fields(status, &OF_STATUS, at, found);
        let conditions = status.get("conditions").and_then(Value::as_array);
        let at = at.child("conditions");
        for (index, condition) in conditions.into_iter().flatten().enumerate() {
            self.fields(condition, &OF_STATUS, at.index(index), found);
        }
        for finding in found.iter_mut().skip(before) {
            finding.lack = None;
        }
    }
}
