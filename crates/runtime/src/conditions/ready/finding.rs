//! A controller's findings about a resource, and the choice of the one to show.

use super::Severity;
use crate::conditions::reason::truncate;
use crate::conditions::{PENDING, Reason, Status};
use std::borrow::Cow;

/// When a controller tries again.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Retry {
    /// Within seconds: the work goes on, or the failure is likely to pass.
    Soon,
    /// Within minutes: somebody else has to do something first, or the other side asks for patience.
    Slowly,
    /// Not before something changes: the work is done, or the user has to correct the resource.
    WhenChanged,
}

impl Retry {
    /// The severity of a failure with this retry. It is an error only if the controller gives up.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            Self::Soon | Self::Slowly => Severity::Warning,
            Self::WhenChanged => Severity::Error,
        }
    }
}

/// A controller's finding about a resource.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Finding<'a> {
    /// Whether the condition holds.
    pub status: Status,
    /// The severity if not. [`set`](super::set) omits it from a condition that is healthy or unknown.
    pub severity: Option<Severity>,
    /// The reason, for programs.
    pub reason: Reason,
    /// The reason, for people. It may be empty.
    pub message: Cow<'a, str>,
    /// When the controller tries again.
    pub retry: Retry,
}

impl<'a> Finding<'a> {
    /// The work continues: a request was sent, or a response is awaited.
    pub fn reconciling(message: impl Into<Cow<'a, str>>) -> Self {
        Self::info("Reconciling", message)
    }

    /// The resource is being deleted.
    pub fn deleting(message: impl Into<Cow<'a, str>>) -> Self {
        Self::info(DELETING, message)
    }

    /// The owner of the resource is not in the cluster. A controller that watches owners need not retry by itself.
    pub fn waiting_for_owner(message: impl Into<Cow<'a, str>>) -> Self {
        Self {
            status: Status::False,
            severity: Some(Severity::Warning),
            reason: Reason::from_static("WaitingForOwner"),
            message: truncate(message.into()),
            retry: Retry::Slowly,
        }
    }

    /// The resource matches its spec. There is nothing left to do.
    pub fn succeeded(message: impl Into<Cow<'a, str>>) -> Self {
        Self {
            status: Status::True,
            severity: None,
            reason: Reason::from_static("Succeeded"),
            message: truncate(message.into()),
            retry: Retry::WhenChanged,
        }
    }

    /// Another system returned an error. Its code becomes the reason by [`Reason::of_code`]; if it had to be changed for that,
    /// the message begins with the code. The severity is that of `retry`.
    pub fn failed(code: &str, message: impl Into<Cow<'a, str>>, retry: Retry) -> Self {
        let reason = Reason::of_code(code);
        let message = reason.with_code(code, message.into());
        Self {
            status: Status::False,
            severity: Some(retry.severity()),
            reason,
            message,
            retry,
        }
    }

    /// The state cannot be determined at the moment.
    pub fn unknown(reason: Reason, message: impl Into<Cow<'a, str>>) -> Self {
        Self {
            status: Status::Unknown,
            severity: None,
            reason,
            message: truncate(message.into()),
            retry: Retry::Soon,
        }
    }

    /// The finding to show for all of them; unknown and `Pending` if there are none.
    ///
    /// The order is: error, warning, `Deleting`, other information, unknown severities, no severity, the status `Unknown`, the
    /// status `True`. The first of equals is shown.
    ///
    /// The controller retries as soon as any of the findings requires, but not after an error: it has given up.
    #[must_use]
    pub fn worst(findings: impl IntoIterator<Item = Self>) -> Self {
        let mut findings = findings.into_iter();
        let Some(mut worst) = findings.next() else {
            return Self::unknown(PENDING, "");
        };
        let mut soonest = worst.retry;
        for finding in findings {
            soonest = soonest.min(finding.retry);
            if finding.rank() < worst.rank() {
                worst = finding;
            }
        }
        if worst.severity != Some(Severity::Error) {
            worst.retry = soonest;
        }
        worst
    }

    fn info(reason: &'static str, message: impl Into<Cow<'a, str>>) -> Self {
        Self {
            status: Status::False,
            severity: Some(Severity::Info),
            reason: Reason::from_static(reason),
            message: truncate(message.into()),
            retry: Retry::Soon,
        }
    }

    /// The rank of a finding; smaller is worse.
    fn rank(&self) -> u8 {
        match (self.status, &self.severity) {
            (Status::True, _) => 7,
            (Status::Unknown, _) => 6,
            (Status::False, Some(Severity::Error)) => 0,
            (Status::False, Some(Severity::Warning)) => 1,
            (Status::False, Some(Severity::Info)) if self.reason.as_str() == DELETING => 2,
            (Status::False, Some(Severity::Info)) => 3,
            (Status::False, Some(Severity::Other(_))) => 4,
            (Status::False, None) => 5,
        }
    }
}

const DELETING: &str = "Deleting";
