//! Conditions that enums declare: their types, their reasons, and deprecations.

use super::{ConditionType, Reason, Status};

/// The conditions that a controller sets on an object; a value is the state of one of them. The derive of the same name
/// implements it for an enum, with the attributes `#[conditions(..)]` and `#[condition(..)]`, and adds a constant to the enum
/// for each type: `RouteCondition::ACCEPTED`.
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use crd_channels_runtime::conditions::{ConditionWriter, Conditions, Reasons, Status};
///
/// /// The conditions of a route.
/// #[derive(Clone, Debug, Conditions)]
/// enum RouteCondition {
///     /// The route is valid enough to produce some configuration of the data plane.
///     #[condition(positive)]
///     Accepted(AcceptedReason),
///     /// The old word for it.
///     #[condition(positive, replaced_by = "Accepted", until = "v0.7.0")]
///     #[deprecated = "replaced by `Accepted`"]
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
/// let mut writer = ConditionWriter::for_list::<RouteCondition>(&mut conditions, 1);
/// writer.set(RouteCondition::Accepted(AcceptedReason::Code("quota exceeded".to_owned())), "");
/// let shown = conditions.iter().map(|of| (&*of.type_, Status::of(of), &*of.reason, &*of.message));
/// let shown: Vec<_> = shown.collect();
/// let code = (Status::False, "QuotaExceeded", "quota exceeded");
/// assert_eq!(shown, [("Accepted", code.0, code.1, code.2), ("Scheduled", code.0, code.1, code.2)]);
/// # }
/// ```
///
/// A deprecated type has to be `#[deprecated]` in Rust, and so is its constant:
///
/// ```compile_fail
/// # use crd_channels_runtime::conditions::{Conditions, Reasons};
/// # /// Why.
/// # #[derive(Clone, Debug, Reasons)]
/// # enum AcceptedReason {
/// #     /// It is.
/// #     #[reason(True)]
/// #     Accepted,
/// # }
/// /// The conditions of a route.
/// #[derive(Conditions)]
/// enum RouteCondition {
///     /// The route is valid.
///     #[condition(positive)]
///     Accepted(AcceptedReason),
///     /// The old word for it, without `#[deprecated = ".."]`.
///     #[condition(positive, replaced_by = "Accepted", until = "v0.7.0")]
///     Scheduled(AcceptedReason),
/// }
/// ```
///
/// ```compile_fail
/// # #![deny(deprecated)]
/// # use crd_channels_runtime::conditions::{Conditions, Reasons};
/// # /// Why.
/// # #[derive(Clone, Debug, Reasons)]
/// # enum AcceptedReason {
/// #     /// It is.
/// #     #[reason(True)]
/// #     Accepted,
/// # }
/// # /// The conditions of a route.
/// # #[derive(Conditions)]
/// # enum RouteCondition {
/// #     /// The route is valid.
/// #     #[condition(positive)]
/// #     Accepted(AcceptedReason),
/// #     /// The old word for it.
/// #     #[condition(positive, replaced_by = "Accepted", until = "v0.7.0")]
/// #     #[deprecated = "replaced by `Accepted`"]
/// #     Scheduled(AcceptedReason),
/// # }
/// let scheduled = RouteCondition::SCHEDULED;
/// ```
pub trait Conditions {
    /// Every type, in the order of declaration.
    const DECLARED: &'static [Declared];

    /// The type of this condition.
    fn condition_type(&self) -> ConditionType;

    /// Its status and reason.
    fn status_reason(&self) -> StatusReason<'_>;
}

/// No conditions: what a controller has to declare that only sets conditions decided elsewhere.
#[derive(Clone, Copy, Debug)]
pub enum NoConditions {}

impl Conditions for NoConditions {
    const DECLARED: &'static [Declared] = &[];

    fn condition_type(&self) -> ConditionType {
        match *self {}
    }

    fn status_reason(&self) -> StatusReason<'_> {
        match *self {}
    }
}

/// The reasons of a condition. The derive of the same name implements it for an enum, with the attribute `#[reason(..)]`, and
/// adds a constant to the enum for each reason.
pub trait Reasons {
    /// Every reason, in the order of declaration.
    const DECLARED: &'static [DeclaredReason];

    /// This reason and the status that it implies.
    fn status_reason(&self) -> StatusReason<'_>;
}

/// The declaration of a type of condition.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
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
    /// The declaration of a type that is neither optional nor deprecated.
    #[must_use]
    pub const fn new(
        of: ConditionType,
        reasons: &'static [DeclaredReason],
        docs: &'static str,
    ) -> Self {
        Self {
            of,
            optional: false,
            replaced: None,
            reasons,
            docs,
        }
    }

    /// The same, optional.
    #[must_use]
    pub const fn optional(self) -> Self {
        Self {
            optional: true,
            ..self
        }
    }

    /// The same, deprecated: the type that replaces it, and the bundle that will remove it.
    #[must_use]
    pub const fn replaced(self, by: ConditionType, until: &'static str) -> Self {
        Self {
            replaced: Some(Replaced { by, until }),
            ..self
        }
    }
}

/// The reason for `Unknown` before the controller has looked: the first declared reason with that status, or else `Pending`.
pub(super) fn pending(of: &Declared) -> Reason {
    let mut reasons = of.reasons.iter();
    let unknown = reasons.find(|reason| reason.status == Status::Unknown);
    unknown.map_or(Reason::PENDING, |reason| {
        StatusReason::declared(reason).reason
    })
}

/// The replacement of a deprecated type. Both are published until it is removed (GEP-1364, summary).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Replaced {
    /// The type that replaces it.
    pub by: ConditionType,
    /// The bundle that will remove it: `v0.7.0`.
    pub until: &'static str,
}

/// The declaration of a reason.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct DeclaredReason {
    /// The word; `None` if it is made from another system's error code.
    pub name: Option<&'static str>,
    /// The status that it implies.
    pub status: Status,
    /// Its documentation.
    pub docs: &'static str,
}

impl DeclaredReason {
    /// The declaration of a reason; without a name, of one that is made from a code.
    #[must_use]
    pub const fn new(name: Option<&'static str>, status: Status, docs: &'static str) -> Self {
        Self { name, status, docs }
    }
}

/// The status of a condition and its reason.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct StatusReason<'r> {
    /// The status.
    pub status: Status,
    /// The reason.
    pub reason: Reason,
    /// The error code that the reason is made from.
    pub code: Option<&'r str>,
}

impl<'r> StatusReason<'r> {
    /// A declared reason; [`Reason::UNKNOWN`] for one without a word.
    #[must_use]
    pub fn declared(of: &DeclaredReason) -> Self {
        let reason = of.name.map_or(Reason::UNKNOWN, |name| {
            Reason::new(name).unwrap_or_else(|_| Reason::of_code(name))
        });
        Self {
            status: of.status,
            reason,
            code: None,
        }
    }

    /// A reason made from another system's error code, by [`Reason::of_code`].
    #[must_use]
    pub fn coded(status: Status, code: &'r str) -> Self {
        Self {
            status,
            reason: Reason::of_code(code),
            code: Some(code),
        }
    }
}
