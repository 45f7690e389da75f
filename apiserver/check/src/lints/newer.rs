//! Fields of CRDs that older servers do not know, or drop.

use super::regret::regret;
use crate::document::model::{Crd, Schema, Status, ValidationRule};
use crate::finding::Finding;
use crate::registry::Rule;
use crd_channels_validation::path::Path;

/// A field, and the minors that added it.
struct Row {
    field: &'static str,
    /// The first minor that knows it.
    known: u32,
    /// The first minor that keeps it by default.
    kept: u32,
}

const fn row(field: &'static str, known: u32, kept: u32) -> Row {
    Row { field, known, kept }
}

const DEPRECATED: Row = row("deprecated", 19, 19);
const DEPRECATION_WARNING: Row = row("deprecationWarning", 19, 19);
const SELECTABLE_FIELDS: Row = row("selectableFields", 30, 31);
const RULES: Row = row("x-kubernetes-validations", 23, 25);
const MESSAGE_EXPRESSION: Row = row("messageExpression", 27, 27);
const REASON: Row = row("reason", 28, 28);
const FIELD_PATH: Row = row("fieldPath", 28, 28);
const OPTIONAL_OLD_SELF: Row = row("optionalOldSelf", 29, 30);
/// Servers clear the status of a created CRD, so no part of it requires a minor.
const OBSERVED_GENERATION: Row = row("observedGeneration", 35, 35);

/// The first minor that knows all fields of schemas.
const HAS_ALL_OF_SCHEMAS: u32 = 30;

/// Reports the fields of a CRD that servers of a minor lack.
pub(super) fn lint(crd: &Crd<'_>, minor: u32, found: &mut Vec<Finding>) {
    let mut newer = Newer { minor, found };
    let spec = Path::root("spec");
    let versions = spec.child("versions");
    for (index, version) in crd.spec.versions.iter().enumerate() {
        let at = versions.index(index);
        let selectable = !version.selectable_fields.is_empty();
        newer.field(selectable, &SELECTABLE_FIELDS, at);
        newer.field(version.deprecated, &DEPRECATED, at);
        let warning = version.deprecation_warning.is_some();
        newer.field(warning, &DEPRECATION_WARNING, at);
        let at = at.child("schema");
        if let Some(schema) = version.schema()
            && minor < HAS_ALL_OF_SCHEMAS
        {
            newer.schema(schema, at.child("openAPIV3Schema"));
        }
    }
    newer.status(&crd.status);
}

struct Newer<'f> {
    minor: u32,
    found: &'f mut Vec<Finding>,
}

impl Newer<'_> {
    fn field(&mut self, is_there: bool, row: &Row, at: Path<'_>) {
        if is_there {
            self.found.extend(self.finding(row, at));
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

    fn schema(&mut self, schema: &Schema<'_>, at: Path<'_>) {
        self.field(!schema.rules.is_empty(), &RULES, at);
        let rules = at.child(RULES.field);
        for (index, rule) in schema.rules.iter().enumerate() {
            self.rule(rule, rules.index(index));
        }
        for (keyword, below) in [
            ("items", schema.item()),
            ("additionalProperties", schema.values()),
        ] {
            if let Some(below) = below {
                self.schema(below, at.child(keyword));
            }
        }
        let properties = at.child("properties");
        for (name, property) in schema.properties.iter() {
            self.schema(property, properties.key(name));
        }
    }

    fn rule(&mut self, rule: &ValidationRule<'_>, at: Path<'_>) {
        let ValidationRule {
            rule: _,
            message: _,
            message_expression,
            reason,
            field_path,
            optional_old_self,
        } = rule;
        self.field(!message_expression.is_empty(), &MESSAGE_EXPRESSION, at);
        self.field(reason.is_some(), &REASON, at);
        self.field(!field_path.is_empty(), &FIELD_PATH, at);
        self.field(optional_old_self.is_some(), &OPTIONAL_OLD_SELF, at);
    }

    fn status(&mut self, status: &Status) {
        let at = Path::root("status");
        let before = self.found.len();
        let is_there = status.observed_generation.is_some();
        self.field(is_there, &OBSERVED_GENERATION, at);
        let at = at.child("conditions");
        for (index, observed) in status.observed_by_conditions.iter().enumerate() {
            self.field(observed.is_some(), &OBSERVED_GENERATION, at.index(index));
        }
        for finding in self.found.iter_mut().skip(before) {
            finding.lack = None;
        }
    }
}
