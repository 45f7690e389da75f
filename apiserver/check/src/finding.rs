//! A finding about a CRD: the rule, the field, and the server's wording.

use super::registry::Rule;
pub use crd_channels_validation::Reason;
use crd_channels_validation::path::FieldPath;
use std::ops::Range;

/// A finding about a CRD.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Finding {
    /// The rule that found it.
    pub rule: Rule,
    /// The reason for which the server would reject the field; `None` if it would accept it, or reject the CRD before it
    /// validates fields.
    pub reason: Option<Reason>,
    /// The field, as the server writes its path.
    pub field: Option<FieldPath>,
    /// The message: lowercase, no full stop, literals in backticks.
    pub message: String,
    /// The part that is wrong, if the field is an expression.
    pub part: Option<Part>,
    /// The fix, if it is more specific than the rule's help.
    pub help: Option<String>,
    /// The bound that would suffice, if the finding is about an expression's cost.
    pub bound: Option<Bound>,
    /// The part that the CRD's oldest Kubernetes lacks, if the finding is about that minor only.
    pub lack: Option<Lack>,
}

/// A part that older servers lack.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Lack {
    /// The oldest minor whose servers have it.
    pub since: u32,
    /// Its name: a field, a function, a format.
    pub what: String,
}

/// A part of an expression.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Part {
    /// The expression.
    pub expression: String,
    /// The part, in bytes.
    pub range: Range<usize>,
}

/// A bound that is missing, or too large.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Bound {
    /// The keyword, such as `maxItems`.
    pub keyword: &'static str,
    /// The path of its node, as the server writes it.
    pub field: FieldPath,
    /// The largest value that suffices.
    pub most: u64,
    /// Whether the node has one, which is too large.
    pub is_there: bool,
}

impl Finding {
    /// A finding without a place.
    #[must_use]
    pub fn new(rule: Rule, message: impl Into<String>) -> Self {
        Self {
            rule,
            reason: None,
            field: None,
            message: message.into(),
            part: None,
            help: None,
            bound: None,
            lack: None,
        }
    }

    /// Adds what to write.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds what to write, if that is known better than the rule knows it.
    #[must_use]
    pub(crate) fn with_better_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// Adds what is lacking.
    #[must_use]
    pub fn lacking(mut self, what: &str, since: u32) -> Self {
        self.lack = Some(Lack {
            since,
            what: what.to_owned(),
        });
        self
    }

    /// Adds the field.
    #[must_use]
    pub fn at(mut self, field: impl Into<FieldPath>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// Whether an API server rejects the CRD.
    #[must_use]
    pub fn refuses(&self) -> bool {
        self.rule.is_refusal()
    }

    /// The message for output that does not underline the part of the expression.
    #[must_use]
    pub fn message_with_part(&self) -> String {
        let message = &self.message;
        match &self.part {
            None => message.clone(),
            Some(Part { expression, range }) if range.len() == expression.len() => {
                format!("{message}: `{expression}`")
            }
            Some(Part { expression, range }) => {
                format!("{message} at byte {} of `{expression}`", range.start)
            }
        }
    }

    /// The help: how to fix it.
    #[must_use]
    pub fn help(&self) -> &str {
        self.help
            .as_deref()
            .unwrap_or_else(|| self.rule.record().help)
    }
}
