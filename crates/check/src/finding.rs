//! What there is to say about a CRD: which rule speaks, where, and in which words a server would refuse.

use super::registry::Rule;
pub use crd_channels_validation::Reason;
use std::ops::Range;

/// One finding.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Finding {
    /// Which rule speaks.
    pub rule: Rule,
    /// Why the server would refuse; absent where it would not, or would before it looks at fields.
    pub reason: Option<Reason>,
    /// The field, as the server writes its path.
    pub field: Option<String>,
    /// What is wrong: lowercase, no full stop, literals in backticks.
    pub message: String,
    /// The part that is wrong, where the field is an expression.
    pub part: Option<Part>,
    /// What to write, where it is more than the rule's own help.
    pub help: Option<String>,
    /// The bound that would do, where the finding is about what an expression costs.
    pub bound: Option<Bound>,
    /// What the oldest Kubernetes lacks that the CRD is for, where it is said of that one alone.
    pub lack: Option<Lack>,
}

/// What older servers lack.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Lack {
    /// The oldest minor whose servers have it.
    pub since: u32,
    /// What it is called: a field, a function, a format.
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
    /// The keyword, as `maxItems`.
    pub keyword: &'static str,
    /// The node it belongs to, as the server writes its path.
    pub field: String,
    /// The largest value that fits.
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
    pub fn at(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// Whether an API server refuses the CRD.
    #[must_use]
    pub fn refuses(&self) -> bool {
        self.rule.is_refusal()
    }

    /// The message for those who do not see the part of the expression underlined.
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

    /// What to write.
    #[must_use]
    pub fn help(&self) -> &str {
        self.help
            .as_deref()
            .unwrap_or_else(|| self.rule.record().help)
    }
}
