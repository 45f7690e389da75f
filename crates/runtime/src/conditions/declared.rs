//! Conditions that enums declare: their types, their reasons, and deprecations.

use super::{ConditionType, PENDING, Polarity, Reason, Status, Visit};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use k8s_openapi::jiff::Timestamp;
use std::borrow::Cow;

/// The conditions that a controller sets on an object; a value is the state of one of them. The derive of the same name
/// implements it for an enum, with the attributes `#[conditions(..)]` and `#[condition(..)]`, and adds a constant to the enum
/// for each type: `RouteCondition::ACCEPTED`.
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use crd_channels_runtime::conditions::{Conditions, Reasons, Status, Visit};
/// use k8s_openapi::jiff::Timestamp;
///
/// /// The conditions of a route.
/// #[derive(Clone, Debug, Conditions)]
/// enum RouteCondition {
///     /// The route is valid enough to produce some configuration of the data plane.
///     #[condition(positive)]
///     Accepted(AcceptedReason),
///     /// The old word for it.
///     #[condition(positive, replaced_by = "Accepted", until = "v0.7.0")]
///     Scheduled(AcceptedReason),
/// }
///
/// /// Why a route is accepted or not.
/// #[derive(Clone, Debug, Reasons)]
/// enum AcceptedReason {
///     /// Some configuration was made of the route.
///     #[reason(True)]
///     Accepted,
///     /// The cloud has no more addresses.
///     #[reason(False)]
///     NoResources,
///     /// What the cloud answered.
///     #[reason(False, code)]
///     Code(String),
/// }
///
/// let mut conditions = Vec::new();
/// let mut visit = Visit::declared::<RouteCondition>(&mut conditions, 1, Timestamp::UNIX_EPOCH);
/// visit.set_as(RouteCondition::Accepted(AcceptedReason::Code("quota exceeded".to_owned())), "");
/// let shown = conditions.iter().map(|of| (&*of.type_, Status::of(of), &*of.reason, &*of.message));
/// let shown: Vec<_> = shown.collect();
/// let code = (Status::False, "QuotaExceeded", "quota exceeded");
/// assert_eq!(shown, [("Accepted", code.0, code.1, code.2), ("Scheduled", code.0, code.1, code.2)]);
/// # }
/// ```
pub trait Conditions {
    /// Every type, in the order of declaration.
    const DECLARED: &'static [Declared];

    /// The type of this condition.
    fn condition_type(&self) -> ConditionType;

    /// Its status and reason.
    fn why(&self) -> Why<'_>;
}

/// The reasons of a condition. The derive of the same name implements it for an enum, with the attribute `#[reason(..)]`, and
/// adds a constant to the enum for each reason.
pub trait Reasons {
    /// Every reason, in the order of declaration.
    const DECLARED: &'static [DeclaredReason];

    /// This reason and the status that it implies.
    fn why(&self) -> Why<'_>;
}

/// The declaration of a type of condition.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Declared {
    /// The type and its polarity.
    pub of: ConditionType,
    /// Whether a positive condition is only there if the controller uses it, such as the Extended condition `Ready` (GEP-1364,
    /// "Ready").
    pub optional: bool,
    /// The type that replaces it; `None` for a type that is not deprecated.
    pub replaced: Option<Replaced>,
    /// Its reasons.
    pub reasons: &'static [DeclaredReason],
    /// Its documentation.
    pub docs: &'static str,
}

impl Declared {
    /// The reason for `Unknown` before the controller has looked: the first declared reason with that status, or else
    /// `Pending`.
    fn pending(&self) -> Reason {
        let mut reasons = self.reasons.iter();
        let unknown = reasons.find(|reason| reason.status == Status::Unknown);
        unknown.map_or(PENDING, |reason| Why::declared(reason).reason)
    }
}

/// The replacement of a deprecated type. Both are published until it is removed (GEP-1364, summary).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Replaced {
    /// The type that replaces it.
    pub by: ConditionType,
    /// The bundle that will remove it: `v0.7.0`.
    pub until: &'static str,
}

/// The declaration of a reason.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DeclaredReason {
    /// The word; `None` if it is made from another system's error code.
    pub name: Option<&'static str>,
    /// The status that it implies.
    pub status: Status,
    /// Its documentation.
    pub docs: &'static str,
}

/// The status of a condition and its reason.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Why<'w> {
    /// The status.
    pub status: Status,
    /// The reason.
    pub reason: Reason,
    /// The error code that the reason is made from.
    pub code: Option<&'w str>,
}

impl<'w> Why<'w> {
    /// A declared reason; [`Reason::UNKNOWN`] for one without a word.
    #[must_use]
    pub fn declared(of: &DeclaredReason) -> Self {
        let reason = of.name.map_or(Reason::UNKNOWN, |name| {
            Reason::new(name).unwrap_or_else(|| Reason::of_code(name))
        });
        Self {
            status: of.status,
            reason,
            code: None,
        }
    }

    /// A reason made from another system's error code, by [`Reason::of_code`].
    #[must_use]
    pub fn coded(status: Status, code: &'w str) -> Self {
        Self {
            status,
            reason: Reason::of_code(code),
            code: Some(code),
        }
    }

    /// The message, preceded by the code unless the reason is the same text.
    fn message<'m>(&self, message: &'m str) -> Cow<'m, str> {
        self.reason
            .with_code(self.code.unwrap_or_default(), message.into())
    }
}

impl<'c> Visit<'c> {
    /// Begins a visit to an object of a generation (`metadata.generation`) by a controller that sets the declared conditions.
    /// Missing positive ones are added, except optional ones ([`Visit::using`]), with the status `Unknown` and the first reason
    /// declared for that, or else `Pending`.
    pub fn declared<S: Conditions>(
        conditions: &'c mut Vec<Condition>,
        generation: i64,
        now: Timestamp,
    ) -> Self {
        let mut visit = Self::begin(conditions, generation, now);
        for declared in S::DECLARED {
            if declared.of.polarity == Polarity::Positive && !declared.optional {
                visit.expect(declared.of, &declared.pending());
            }
        }
        visit
    }

    /// The same visit by a controller that uses an optional condition, which is added if missing (GEP-1364, "Should conditions
    /// always be added?").
    #[must_use]
    pub fn using<S: Conditions>(mut self, optional: ConditionType) -> Self {
        let mut declared = S::DECLARED.iter();
        if let Some(declared) = declared.find(|one| one.of == optional && one.optional) {
            self.expect(optional, &declared.pending());
        }
        self
    }

    /// Sets a declared condition, as [`Visit::set`] does: the reason determines the status. The error code that a reason is
    /// made from becomes part of the message.
    ///
    /// Also sets the deprecated types that it replaces, so that their readers see the same. One of the opposite polarity has
    /// the opposite status, as `Detached` if `Accepted` replaces it; it is only there while it is true, and only becomes
    /// unknown if it is there.
    pub fn set_as<S: Conditions>(&mut self, condition: S, message: &str) {
        let of = condition.condition_type();
        let why = condition.why();
        let message = why.message(message);
        self.set(of, why.status, &why.reason, &message);
        for declared in S::DECLARED {
            if declared.replaced.is_none_or(|replaced| replaced.by != of) {
                continue;
            }
            let old = declared.of;
            let status = match (old.polarity == of.polarity, why.status) {
                (true, status) => status,
                (false, Status::True) => Status::False,
                (false, Status::False) => Status::True,
                (false, Status::Unknown) => Status::Unknown,
            };
            let begins = match old.polarity {
                Polarity::Positive => !declared.optional,
                Polarity::Negative => status == Status::True,
            };
            if begins || self.shows(old) {
                self.set(old, status, &why.reason, &message);
            }
        }
    }
}
