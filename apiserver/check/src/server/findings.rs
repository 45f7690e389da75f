//! Collects findings in order.

use crate::finding::{Bound, Finding, Lack, Part, Reason};
use crate::registry::Rule;
use crd_channels_validation::Violation;
use crd_channels_validation::path::{FieldPath, Path};
use std::ops::Range;

/// The findings, in the order in which they were made.
#[derive(Debug, Default)]
pub(super) struct Findings(pub(super) Vec<Finding>);

impl Findings {
    /// Adds an error of the server about a field.
    pub(super) fn refuse(
        &mut self,
        rule: Rule,
        reason: Reason,
        path: Path<'_>,
        message: impl Into<String>,
    ) {
        self.refuse_field(rule, reason, path.into(), message);
    }

    /// The same for a field whose path is owned.
    pub(super) fn refuse_field(
        &mut self,
        rule: Rule,
        reason: Reason,
        field: FieldPath,
        message: impl Into<String>,
    ) {
        self.0.push(Finding {
            rule,
            reason: Some(reason),
            field: Some(field),
            message: message.into(),
            part: None,
            help: None,
            bound: None,
            lack: None,
        });
    }

    /// The same with help that is more specific than the rule's.
    pub(super) fn refuse_with_help(
        &mut self,
        rule: Rule,
        reason: Reason,
        path: Path<'_>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.refuse(rule, reason, path, message);
        self.hint(Some(help.into()));
    }

    /// Adds help to the last finding, if there is any that is more specific than the rule's.
    pub(super) fn hint(&mut self, help: Option<String>) {
        if let Some(last) = self.0.last_mut() {
            last.help = help.or(last.help.take());
        }
    }

    /// Adds the wrong part of the expression to the last finding.
    pub(super) fn underline(&mut self, expression: &str, range: Range<usize>) {
        if let Some(last) = self.0.last_mut() {
            last.part = Some(Part {
                expression: expression.to_owned(),
                range,
            });
        }
    }

    /// Adds what the server accepts, and newer ones do not.
    pub(super) fn warn(
        &mut self,
        rule: Rule,
        path: Path<'_>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let finding = Finding::new(rule, message).at(path);
        self.0.push(finding.with_help(help));
    }

    /// Adds the bound that fixes the last finding.
    pub(super) fn blame(&mut self, bound: Option<Bound>) {
        if let Some(last) = self.0.last_mut() {
            last.bound = bound;
        }
    }

    /// Adds the part that servers lack to the last finding.
    pub(super) fn lacking(&mut self, lack: Option<Lack>) {
        if let Some(last) = self.0.last_mut() {
            last.lack = lack;
        }
    }

    /// Adds the violations of a value in the CRD.
    pub(super) fn adopt(&mut self, rule: Rule, violations: Vec<Violation>) {
        for violation in violations {
            self.refuse_field(rule, violation.reason, violation.field, violation.message);
        }
    }

    /// Adds that something cannot be decided without a server; ignores duplicates.
    pub(super) fn unresolved(&mut self, rule: Rule, field: FieldPath, message: impl Into<String>) {
        let finding = Finding::new(rule, message).at(field);
        if !self.0.contains(&finding) {
            self.0.push(finding);
        }
    }

    /// Whether a server would accept the CRD so far.
    pub(super) fn is_empty(&self) -> bool {
        !self.0.iter().any(Finding::refuses)
    }

    pub(super) fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}
