//! What a condition says beside its type.

use super::reason::truncate;
use super::{AnyCondition, Reason, Status};

/// What a condition says: its status, and why.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct State {
    /// The status.
    pub status: Status,
    /// The reason, for programs.
    pub reason: Reason,
    /// The reason, for people. It may be empty.
    pub message: String,
}

impl State {
    /// A state. The message is cut to what a server accepts, 32,768 characters.
    pub fn new(status: Status, reason: Reason, message: impl Into<String>) -> Self {
        Self {
            status,
            reason,
            message: truncate(message.into().into()).into_owned(),
        }
    }

    /// What a condition says, of this or of another controller. A reason that is not in CamelCase is changed to it.
    #[must_use]
    pub fn of(condition: &impl AnyCondition) -> Self {
        let reason = Reason::of_code(condition.reason());
        Self::new(condition.status(), reason, condition.message())
    }

    /// A state that another program has to report first.
    pub(crate) fn pending(message: impl Into<String>) -> Self {
        Self::new(Status::Unknown, Reason::PENDING, message)
    }
}
