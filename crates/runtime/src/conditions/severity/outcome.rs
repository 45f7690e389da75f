//! The outcome of a reconciliation, and the choice of the one to show.

use super::Severity;
use crate::conditions::Reason;
use crate::conditions::reason::truncate;
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

/// Whether a resource is healthy; how serious it is if not.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Health {
    Healthy,
    Unknown,
    Unhealthy(Severity),
}

/// The outcome of a reconciliation. The condition gets its status from the polarity of its type: a failure is `False` for
/// `Ready`, and `True` for `Throttled`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Outcome<'a> {
    pub(super) health: Health,
    pub(super) reason: Reason,
    pub(super) message: Cow<'a, str>,
    retry: Retry,
}

impl<'a> Outcome<'a> {
    /// The work continues: a request was sent, or a response is awaited.
    pub fn reconciling(message: impl Into<Cow<'a, str>>) -> Self {
        Self::new(
            Health::Unhealthy(Severity::Info),
            RECONCILING,
            message,
            Retry::Soon,
        )
    }

    /// The resource is being deleted.
    pub fn deleting(message: impl Into<Cow<'a, str>>) -> Self {
        Self::new(
            Health::Unhealthy(Severity::Info),
            DELETING,
            message,
            Retry::Soon,
        )
    }

    /// The owner of the resource is not in the cluster. A controller that watches owners need not retry by itself.
    pub fn waiting_for_owner(message: impl Into<Cow<'a, str>>) -> Self {
        let severity = Health::Unhealthy(Severity::Warning);
        Self::new(severity, WAITING_FOR_OWNER, message, Retry::Slowly)
    }

    /// The resource matches its spec. There is nothing left to do.
    pub fn succeeded(message: impl Into<Cow<'a, str>>) -> Self {
        const SUCCEEDED: Reason = Reason::from_static("Succeeded");
        Self::new(Health::Healthy, SUCCEEDED, message, Retry::WhenChanged)
    }

    /// Another system returned an error. Its code becomes the reason by [`Reason::of_code`]; if it had to be changed for that,
    /// the message begins with the code. The severity is that of `retry`.
    pub fn failed(code: &str, message: impl Into<Cow<'a, str>>, retry: Retry) -> Self {
        let reason = Reason::of_code(code);
        let message = reason.with_code(code, message.into());
        Self::new(Health::Unhealthy(retry.severity()), reason, message, retry)
    }

    /// The state cannot be determined at the moment.
    pub fn unknown(reason: Reason, message: impl Into<Cow<'a, str>>) -> Self {
        Self::new(Health::Unknown, reason, message, Retry::Soon)
    }

    fn new(health: Health, reason: Reason, message: impl Into<Cow<'a, str>>, retry: Retry) -> Self {
        Self {
            health,
            reason,
            message: truncate(message.into()),
            retry,
        }
    }

    /// The outcome to show for all of them; unknown and `Pending` if there are none.
    ///
    /// The order is: error, warning, `Deleting`, other information, unknown, healthy. The first of equals is shown.
    ///
    /// The controller retries as soon as any of the outcomes requires, but not after an error: it has given up.
    #[must_use]
    pub fn worst(outcomes: impl IntoIterator<Item = Self>) -> Self {
        let mut outcomes = outcomes.into_iter();
        let Some(mut worst) = outcomes.next() else {
            return Self::unknown(Reason::PENDING, "");
        };
        let mut soonest = worst.retry;
        for outcome in outcomes {
            soonest = soonest.min(outcome.retry);
            if outcome.rank() < worst.rank() {
                worst = outcome;
            }
        }
        if worst.severity() != Some(Severity::Error) {
            worst.retry = soonest;
        }
        worst
    }

    /// The severity; `None` for a healthy or unknown resource.
    #[must_use]
    pub fn severity(&self) -> Option<Severity> {
        match self.health {
            Health::Unhealthy(severity) => Some(severity),
            Health::Healthy | Health::Unknown => None,
        }
    }

    /// The reason, for programs.
    #[must_use]
    pub fn reason(&self) -> &Reason {
        &self.reason
    }

    /// The reason, for people. It may be empty.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// When the controller tries again.
    #[must_use]
    pub fn retry(&self) -> Retry {
        self.retry
    }

    /// The rank of an outcome; smaller is worse.
    fn rank(&self) -> u8 {
        match self.health {
            Health::Unhealthy(Severity::Error) => 0,
            Health::Unhealthy(Severity::Warning) => 1,
            Health::Unhealthy(Severity::Info) if self.reason == DELETING => 2,
            Health::Unhealthy(Severity::Info) => 3,
            Health::Unknown => 4,
            Health::Healthy => 5,
        }
    }
}

const DELETING: Reason = Reason::from_static("Deleting");
pub(super) const RECONCILING: Reason = Reason::from_static("Reconciling");
pub(super) const WAITING_FOR_OWNER: Reason = Reason::from_static("WaitingForOwner");
