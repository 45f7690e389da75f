//! What a controller has found out about a resource, and which of several findings is shown.

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
    /// How serious a failure is after which a controller tries again like this. It is an error only if the controller gives
    /// up.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            Self::Soon | Self::Slowly => Severity::Warning,
            Self::WhenChanged => Severity::Error,
        }
    }
}

/// What a controller has found out.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Finding<'a> {
    /// Whether the condition holds.
    pub status: Status,
    /// How serious it is if not. [`set`](super::set) leaves it out of a condition that is healthy or unknown.
    pub severity: Option<Severity>,
    /// Why, for programs.
    pub reason: Reason,
    /// Why, for people. It may be empty.
    pub message: Cow<'a, str>,
    /// When the controller tries again.
    pub retry: Retry,
}

impl<'a> Finding<'a> {
    /// The work goes on: a request was sent, or an answer is awaited.
    pub fn reconciling(message: impl Into<Cow<'a, str>>) -> Self {
        Self::info("Reconciling", message)
    }

    /// The resource is being deleted.
    pub fn deleting(message: impl Into<Cow<'a, str>>) -> Self {
        Self::info(DELETING, message)
    }

    /// The owner of the resource is not in the cluster. A controller that watches owners need not try again by itself.
    pub fn waiting_for_owner(message: impl Into<Cow<'a, str>>) -> Self {
        Self {
            status: Status::False,
            severity: Some(Severity::Warning),
            reason: Reason::from_static("WaitingForOwner"),
            message: truncate(message.into()),
            retry: Retry::Slowly,
        }
    }

    /// The resource is as its spec says. Nothing more is done.
    pub fn succeeded(message: impl Into<Cow<'a, str>>) -> Self {
        Self {
            status: Status::True,
            severity: None,
            reason: Reason::from_static("Succeeded"),
            message: truncate(message.into()),
            retry: Retry::WhenChanged,
        }
    }

    /// Another system answered with an error. Its code becomes the reason by [`Reason::of_code`]; where the code is no
    /// reason as it stands, the message begins with it. The severity is that of `retry`.
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

    /// Nobody can tell at the moment.
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
    /// An error goes before a warning, a warning before `Deleting`, `Deleting` before other information. Then come unknown
    /// words for a severity, no severity, an unknown status, and last the status `True`. Of equals the first one is shown.
    ///
    /// The controller tries again as soon as any of the findings asks for, but not after an error: it has given up.
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

    /// The smaller, the worse.
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
